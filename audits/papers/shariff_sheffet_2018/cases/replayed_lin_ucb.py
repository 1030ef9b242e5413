"""LinUCB replayed: every release, every arm and the numbers behind the statistic, from the rows that the server got (`plain.lin_ucb`).

All kinds of noise, calibrations that have closed forms, padding, both forms of the radius, all rules, rows that are too long, a planned
horizon below and above the run's, batches of a shuffler, dimensions 1 to 6, unit vectors as arms, V that is not positive definite.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.gram.wishart import Padding
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.algorithms.policies.lin_ucb.policy import Bounds, FixedNoise, Form, LinUCB, Noise, Rule
from banditproof.audits.common.beside import beside, compared
from banditproof.audits.common.step_by_step import Stepwise
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.shariff_sheffet_2018.plain.lin_ucb import Server, constants
from banditproof.interaction import Floats, NoRandomiser, NoShuffling, Pipeline, Table, Wire, Words
from banditproof.randomness import generator, key_of
from banditproof.simulation import play_many
from banditproof.theory.papers.shariff_sheffet_2018 import confidence

_KEY = key_of(0, "shariff_sheffet_2018", "replayed_lin_ucb")


class Played(NamedTuple):
    """A run; dimension 0: unit vectors. Every eleventh row is `far` times as long; a decision set stays for so many rounds."""

    policy: LinUCB
    arms: int
    dimension: int
    horizon: int = 40
    batch: int = 1
    far: float = 3.0
    stays: int = 1


_LOOSE = Bounds(0.02, 0.7, 0.05, 1.2)  # a radius that does not outweigh the centre
_THETA = (0.6, -0.3, 0.2)


def _listed(dimension: int) -> FixedNoise:
    """Perturbations that are definite at first, and then not, and then again."""
    rng = generator(_KEY, run=99)
    lower, other = np.tril_indices(dimension)
    rows = []
    for round in range(12):
        level = -30.0 if round in (4, 5, 9) else 2.0 + round / 5.0
        matrix = np.where(lower == other, level, 0.0) + rng.normal(0.0, 0.1, len(lower))
        rows.append((*matrix.tolist(), *rng.normal(0.0, 0.3, dimension).tolist()))
    return FixedNoise(tuple(rows), Accuracy(1.5, 5.0, 0.2))


def ridge() -> Iterator[Played]:
    """Without privacy: all forms and rules, with and without the truth."""
    for number, (arms, dimension) in enumerate(((7, 3), (21, 5), (5, 1), (9, 2), (4, 0), (6, 6), (3, 4))):
        theta = tuple(_THETA[:1] * (dimension or arms)) if number % 2 == 0 else None
        form = Form.UPPER if number % 3 == 1 else Form.DETERMINANT
        policy = LinUCB(Noise.NONE, bounds=Bounds(0.3, 0.8, 0.4), form=form, rho_min=(None, 0.2, 3.0)[number % 3], true_parameter=theta)
        yield Played(policy, arms, dimension, 70, (1, 1, 4)[number % 3])
    yield Played(LinUCB(Noise.NONE, rule=Rule.GREEDY, failure=0.3), 5, 3)
    yield Played(LinUCB(Noise.NONE, rule=Rule.UNIFORM, failure=0.3, true_parameter=_THETA), 5, 3)
    yield Played(LinUCB(Noise.NONE, bounds=Bounds(1e-3, 1.0, 1e-3), true_parameter=_THETA, failure=0.9), 5, 3)  # the truth is outside
    yield Played(LinUCB(Noise.NONE, bounds=_LOOSE, rule=Rule.GREEDY, true_parameter=_THETA[:2]), 6, 2, far=1e12)  # sums need their errors
    yield Played(LinUCB(Noise.NONE, bounds=_LOOSE, rule=Rule.GREEDY, true_parameter=(0.1,) * 5), 6, 5, far=1e12)
    for arms, dimension, stays in ((40, 5, 25), (7, 3, 9), (9, 2, 70)):
        yield Played(LinUCB(Noise.NONE, bounds=_LOOSE), arms, dimension, 70, far=1.0, stays=stays)


def given() -> Iterator[Played]:
    """Perturbations from outside, indefinite ones among them."""
    for dimension, strict in ((3, False), (1, False), (2, False)):
        theta = None if dimension == 1 else _THETA[:dimension]
        policy = LinUCB(Noise.FIXED, bounds=_LOOSE, fixed_noise=_listed(dimension), true_parameter=theta, strict=strict, failure=0.2)
        yield Played(policy, 5, dimension, 30, 1 + dimension % 2)
    eager = FixedNoise(((0.01, 0.0, 0.01, 0.3, 0.1),), Accuracy(50.0, 60.0, 0.1))  # a negative radicand
    yield Played(LinUCB(Noise.FIXED, bounds=_LOOSE, fixed_noise=eager, true_parameter=_THETA[:2], failure=0.9), 5, 2, 30)


def noisy() -> Iterator[Played]:
    """Gaussian and Wishart noise: levels at which the noise counts and at which the rows do."""
    published, repaired = Calibration.PUBLISHED, Calibration.REPAIRED
    told: dict[str, Any] = {"delta": 0.2, "bounds": _LOOSE}
    yield Played(LinUCB(Noise.GAUSSIAN, 60.0, calibration=published, **told, true_parameter=_THETA, failure=0.1), 6, 3, 37)
    yield Played(LinUCB(Noise.GAUSSIAN, 2.0, planned_horizon=20, rho_min=30.0, **told), 4, 2, 33)
    yield Played(LinUCB(Noise.GAUSSIAN, 70.0, form=Form.UPPER, calibration=published, rho_min=0.001, **told), 5, 0, 24)
    yield Played(LinUCB(Noise.GAUSSIAN, 9.0, planned_horizon=300, rule=Rule.GREEDY, **told), 20, 5, 33, 3)
    yield Played(LinUCB(Noise.GAUSSIAN, 9.0, rule=Rule.UNIFORM, **told), 3, 1, 17)
    yield Played(LinUCB(Noise.WISHART, 900.0, calibration=published, planned_horizon=64, **told, failure=0.5), 6, 2, 35, far=40.0)
    yield Played(LinUCB(Noise.WISHART_UNSHIFTED, 30.0, calibration=repaired, padding=Padding.NONE, **told), 5, 3, 21)
    yield Played(LinUCB(Noise.WISHART, 30.0, planned_horizon=16, form=Form.UPPER, **told, true_parameter=_THETA[:1]), 5, 1, 21, 2)
    yield Played(LinUCB(Noise.WISHART_UNSHIFTED, 200.0, calibration=published, rho_min=5.0, **told), 9, 5, 19)
    yield Played(LinUCB(Noise.WISHART, 40.0, padding=Padding.NONE, rho_min=1e5, **told), 4, 4, 18)


def table(played: Played, number: int) -> Table:
    """Vectors of two lengths, some of them twice in a decision set; rewards around a line."""
    rng = generator(_KEY, run=number)
    shape = (played.horizon, played.arms)
    if played.dimension == 0:
        rewards = rng.normal(0.1, 0.4, shape)
        rewards[10::11] *= played.far
        return Table(rewards)
    contexts = rng.normal(size=(*shape, played.dimension)) / math.sqrt(played.dimension) * rng.choice((0.3, 0.9), (*shape, 1))
    contexts = contexts[np.arange(played.horizon) // played.stays * played.stays]
    contexts[:, -1] = contexts[:, 0]
    rewards = contexts @ np.resize(np.array(_THETA), played.dimension) + rng.normal(0.0, 0.3, shape)
    if played.far > 1e6:
        contexts[10::11] = 0.5
        rewards[10::22], rewards[21::22] = played.far, -played.far
    else:
        contexts[10::11] *= played.far
        rewards[10::11] *= played.far
    return Table(rewards, contexts=contexts)


def replays(number: int, played: Played, stepwise: bool = True) -> Iterator[At]:
    """One run, and where the noise is private another one of the same state."""
    policy, where = played.policy, {"run": number, "noise": played.policy.noise.value}
    shuffler = UniformShuffler(played.batch) if played.batch > 1 else NoShuffling()
    shown: Any = Stepwise(policy) if stepwise else policy
    pipeline = Pipeline(shown, table(played, number), NoRandomiser(), shuffler=shuffler)
    record = (Wire.ARMS, Wire.STATISTIC, Wire.BATCH, Wire.CONTEXTS)
    many = 2 if policy.guarantee() is not None else 1
    run = play_many(pipeline, horizon=played.horizon, key=_KEY, runs=many, first_run=number, record=record, stepwise=stepwise)
    for place in range(many):
        wires = [np.asarray(run.wire(wire)[place]) for wire in record]
        yield from beside_server(played, {**where, "run": number + place}, np.append(_KEY, np.uint64(number + place)), wires)


def beside_server(played: Played, where: dict[str, Any], key: Words, wires: list[Floats]) -> Iterator[At]:
    """What was recorded of a run, beside the server's arms and releases."""
    policy, (arms, statistic, batch, contexts) = played.policy, wires
    server = Server(policy, played.arms, played.dimension, played.horizon, key)
    right, wrong, width = np.full(statistic.shape, math.nan), 0, len(server.sums)
    for round in range(played.horizon):
        wrong += int(int(arms[round]) not in server.choices(round, contexts[round]))
        if (round + 1) % played.batch == 0 or round + 1 == played.horizon:
            server.hear(batch[round - round % played.batch : round + 1])
            right[round, :width] = server.released
            if policy.true_parameter is not None:
                right[round, width:] = [server.indefinite, server.clamped, server.outside, 0.0, server.radius]
    yield from compared(where, wrong_arms=(wrong, 0))
    for name, part in (("V", slice(0, width - server.dimension)), ("u", slice(width - server.dimension, width))):
        yield from compared({**where, "released": name}, numbers=(_rows(statistic[:, part]), _rows(right[:, part])))
    if policy.true_parameter is not None:
        drift = statistic[~np.isnan(statistic[:, 0]), width + 3]
        yield from compared(where, drift=(bool((drift >= 0.0).all() and (drift < 1e-9).all()), True))
        statistic[:, width + 3] = right[:, width + 3]
        for name, column in (("indefinite", 0), ("clamped", 1), ("outside", 2), ("radius", 4)):
            yield from compared({**where, "told": name}, numbers=(statistic[:, width + column], right[:, width + column]))


def _rows(numbers: Floats) -> Floats:
    """Over the largest of a round, so that small numbers beside it are told within its rounding."""
    return np.asarray(numbers / np.maximum(np.abs(numbers).max(axis=1, keepdims=True), 1e-300))


def lives(runs: Callable[[], Iterator[Played]]) -> Iterator[At]:
    for number, played in enumerate(runs()):
        yield from replays(3 * number, played)


def compiled() -> Iterator[At]:
    """The first runs of each kind as they are compiled."""
    for kind in (ridge, given, noisy):
        for number, played in enumerate(islice(kind(), 3)):
            yield from replays(3 * number, played, stepwise=False)


def direct() -> Iterator[At]:
    """The loop for runs of which arms and regret alone are recorded, beside the one that records releases."""
    for kind in (ridge, given, noisy):
        for number, played in enumerate(kind()):
            if played.batch == 1:
                pipeline = Pipeline(played.policy, table(played, number))
                options: dict[str, Any] = {"horizon": played.horizon, "key": _KEY, "runs": 2, "checkpoints": range(1, played.horizon + 1)}
                short = play_many(pipeline, **options, record=(Wire.ARMS,))
                whole = play_many(pipeline, **options, record=(Wire.ARMS, Wire.STATISTIC))
                where = {"run": number, "noise": played.policy.noise.value}
                yield from compared(where, arms=(short.wire(Wire.ARMS), whole.wire(Wire.ARMS)), regret=(short.regret, whole.regret))


def tables() -> Iterator[At]:
    """Constants of all options at three horizons: shift, bounds, noise."""
    for noise in (Noise.NONE, Noise.GAUSSIAN, Noise.WISHART, Noise.WISHART_UNSHIFTED):
        for number, (rho, calibration) in enumerate(
            ((None, Calibration.PUBLISHED), (7.0, Calibration.REPAIRED), (1e9, Calibration.PUBLISHED))
        ):
            for epsilon, dimension, horizon, planned in ((0.3, 1, 1000, None), (1.0, 5, 64, 65), (40.0, 3, 100, 10**7)):
                bounds = Bounds(0.5 + number, 2.0, 0.3, 1.1)
                policy = LinUCB(noise, epsilon, 0.1, bounds, (None, 0.2, None)[number], planned, calibration, rho_min=rho)
                found, right = policy.constants(dimension, horizon), constants(policy, dimension, horizon)
                where = {"noise": noise.value, "rho": str(rho), "epsilon": epsilon}
                ours = (*found.accuracy, found.shift, found.node_sigma, found.degrees)
                for name, one, other in zip(right._fields, ours, right, strict=True):
                    yield from compared({**where, "constant": name}, value=(one, other))
                yield from compared(where, horizon=(found.planned_horizon, planned or horizon))


_ID = confidence.RADIUS.id
AUDITS = (
    beside(
        _ID, "ridge_replayed", "LinUCB without noise: arms, releases and diagnosis", partial(lives, ridge), "15 runs of 40 or 70 rounds"
    ),
    beside(_ID, "listed_replayed", "LinUCB with perturbations from outside", partial(lives, given), "4 runs of 30 rounds"),
    beside(_ID, "noisy_replayed", "LinUCB with Gaussian and Wishart noise", partial(lives, noisy), "10 runs of 17 to 37 rounds"),
    beside(_ID, "compiled_replayed", "LinUCB as it is compiled", compiled, "9 runs"),
    beside(_ID, "direct_replayed", "LinUCB in the loop that records arms alone", direct, "23 runs of 17 to 70 rounds"),
    beside(_ID, "constants_replayed", "LinUCB's constants beside the sheet's table", tables, "all kinds of noise, three horizons"),
)
