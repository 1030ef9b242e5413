"""The parts of LinUCB one by one, as plain Python from the shipped kernels, beside dense linear algebra: inverse and determinant of
matrices large, small and indefinite, the update by a row, lengths, the best arm of many; the measured drift; what is refused; states
that are played together.
"""

import math
from collections.abc import Iterator
from typing import Any, TypedDict

import numpy as np

from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.policies.lin_ucb import constants as lin_ucb_constants
from banditproof.algorithms.policies.lin_ucb import ellipsoid, kernels
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.algorithms.policies.lin_ucb.policy import Bounds, FixedNoise, LinUCB, Noise, states_together
from banditproof.audits.common.beside import accepted, beside, compared, refused
from banditproof.audits.common.step_by_step import Stepwise
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.shariff_sheffet_2018.plain import noise as plain
from banditproof.audits.privacy.followed import Rebuilt
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View
from banditproof.interaction import Floats, NoRandomiser, Pipeline, Table, Wire
from banditproof.lanes import WIDE
from banditproof.randomness import generator, key_of
from banditproof.simulation import play
from banditproof.theory.papers.shariff_sheffet_2018 import confidence

_KEY = key_of(0, "shariff_sheffet_2018", "replayed_ellipsoid")


class _Told(TypedDict):
    dimension: int
    failure: float
    parameter_norm: float
    reward_sigma: float


def packed(matrix: Any) -> Floats:
    return np.ascontiguousarray(matrix[np.tril_indices(len(matrix))])


def symmetric(numbers: Floats, size: int) -> Floats:
    found, (lower, other) = np.zeros((size, size)), np.tril_indices(size)
    found[lower, other] = found[other, lower] = numbers
    return found


def matrices() -> Iterator[tuple[dict[str, Any], Floats]]:
    """Definite ones of dimensions 1 to 7, of sizes at which a product of pivots would overflow; then others."""
    for size in range(1, 8):
        rng = generator(_KEY, run=size)
        root = rng.normal(size=(size, size + 2))
        for scale in (1.0, 1e70, 1e-70, 1e120):
            yield {"d": size, "scale": scale}, scale * (root @ root.T + 0.1 * np.eye(size))
    for size in (1, 2, 5, 6):
        for place in range(size):
            for wrong in (-1.0, 0.0, math.inf, math.nan):
                found = np.eye(size) * 2.0
                found[place, place] = wrong
                yield {"d": size, "entry": place, "is": str(wrong)}, found


def inverses() -> Iterator[At]:
    """invert: whether definite, ln det, inverse."""
    invert = Rebuilt({}).function(ellipsoid.invert)
    for where, matrix in matrices():
        size = len(matrix)
        factor, inverse = np.zeros(size * (size + 1) // 2), np.zeros(size * (size + 1) // 2)
        with np.errstate(all="ignore"):
            definite, logarithm = invert(packed(matrix), factor, inverse, size)
        right = bool(np.isfinite(matrix).all() and np.linalg.eigvalsh(matrix)[0] > 0.0)
        yield from compared(where, definite=(bool(definite), right))
        if right and definite:
            yield from compared(where, logarithm=(logarithm, np.linalg.slogdet(matrix)[1]))
            yield from compared(where, inverse=(symmetric(inverse, size) @ matrix, np.eye(size)))


def rows() -> Iterator[At]:
    """times, add_row, squared_norm; rows of no length, and an inverse that is not definite."""
    add_row, times, squared = (Rebuilt({}).function(each) for each in (ellipsoid.add_row, ellipsoid.times, ellipsoid.squared_norm))
    for size in range(1, 8):
        rng = generator(_KEY, run=100 + size)
        root, row, other = rng.normal(size=(size, size + 1)), rng.normal(size=size), rng.normal(size=size)
        matrix, where = root @ root.T + np.eye(size), {"d": size}
        target, inverse, image = np.full(size, 7.0), packed(np.linalg.inv(matrix)), np.full(size, 7.0)
        times(packed(matrix), row, target)
        yield from compared(where, times=(target, matrix @ row))
        yield from compared(where, norm=(squared(packed(matrix), row, other), (row - other) @ matrix @ (row - other)))
        growth, grown = add_row(inverse, row, image), matrix + np.outer(row, row)
        yield from compared(where, growth=(growth, np.linalg.slogdet(grown)[1] - np.linalg.slogdet(matrix)[1]))
        yield from compared(where, updated=(symmetric(inverse, size) @ grown, np.eye(size)))
        yield from compared(where, no_row=(add_row(inverse, np.zeros(size), image), 0.0))
        for name, wrong in (
            ("negative", -np.eye(size)),
            ("NaN", np.full((size, size), math.nan)),
            ("inf", np.diag(np.full(size, math.inf))),
        ):
            before = packed(wrong)
            after = before.copy()
            with np.errstate(all="ignore"):
                told = add_row(after, np.abs(row), image)
            yield from compared({**where, "inverse": name}, refused=(told, -1.0), kept=(after, before))


def best_arms() -> Iterator[At]:
    """The best of 1 to 35 arms, which are taken 16 or 32 at a time (`lanes.WIDE`), the best at every place; the lowest of equal ones."""
    best_arm = Rebuilt({}).function(ellipsoid.best_arm)
    for size in (1, 2, 4, 5, 6, 9):
        rng = generator(_KEY, run=200 + size)
        root, centre = rng.normal(size=(size, size + 2)), rng.normal(size=size)
        inverse = np.linalg.inv(root @ root.T)
        for arms in (1, 2, 3, 5, 7, 8, 16, 23, 35):
            contexts = rng.normal(size=(arms, size))
            for radius in (0.0, 3.0):
                index = contexts @ centre + radius * np.sqrt(np.einsum("ai,ij,aj->a", contexts, inverse, contexts))
                top = int(index.argmax())
                for place in range(arms):
                    moved = contexts.copy()
                    moved[[place, top]] = moved[[top, place]]
                    moved[place:] = np.where(np.arange(place, arms)[:, None] % 3 == place % 3, moved[place], moved[place:])
                    scratch = np.full((size, WIDE), 1e9)
                    found = best_arm(packed(inverse), centre, radius, moved, scratch)
                    yield from compared({"d": size, "K": arms, "radius": radius}, arm=(found, place))


def radii() -> Iterator[At]:
    """Both forms of Proposition 4, and the closed form that Proposition 11 prints."""
    told: _Told = {"dimension": 3, "failure": 0.05, "parameter_norm": 0.7, "reward_sigma": 0.3}
    accuracy = Accuracy(2.0, 9.0, 0.4)
    tail = 0.7 * 3.0 + 0.4
    for logarithm in (8.0, -40.0):
        inside = 2.0 * math.log(40.0) + logarithm - 3.0 * math.log(2.0)
        expected = 0.3 * math.sqrt(max(inside, 0.0)) + tail
        yield from compared({"ln det": logarithm}, radius=(lin_ucb_constants.radius(logarithm, accuracy, **told), expected))
    for round in (1, 50):
        inside = 2.0 * math.log(40.0) + 3.0 * math.log(9.0 / 2.0 + round * 1.21 / 6.0)
        found = lin_ucb_constants.upper_radius(round, accuracy, **told, context_norm=1.1)
        yield from compared({"round": round}, upper=(found, 0.3 * math.sqrt(inside) + tail))
    found = lin_ucb_constants.gaussian_perturbation_bound(0.4, dimension=3, horizon=90, failure=0.05, row_norm=1.3)
    width = math.sqrt(3.0) + 2.0 * math.log(180.0 / 0.05)
    yield from compared({}, printed=(found, math.sqrt(plain.nodes(90) * 1.69 * width / (math.sqrt(2.0) * 0.4))))
    shared = {"dimension": 3, "horizon": 90, "failure": 0.05}
    for wishart, name in ((lin_ucb_constants.unshifted_wishart, "unshifted"), (lin_ucb_constants.shifted_wishart, "shifted")):
        least = math.floor(plain.deviation(8.0, 3, 90, 0.05) ** 2 / plain.nodes(90))
        yield from refused({"Wishart": name}, wishart, {"degrees": (least,)}, degrees=least + 1, row_norm=1.0, **shared)
    yield from refused({}, lin_ucb_constants.ridge, {"rho": (0.0, -1.0, math.inf)}, rho=1e-9)


def state_of(noise: Noise, *, strict: bool = False) -> Any:
    """A state in R^2 with a release that is definite."""
    state = LinUCB(noise, 1.0, 0.1, calibration=Calibration.PUBLISHED, strict=strict).state(3, 2, 10_000)
    state.release[:] = (2.0, 0.5, 3.0, 0.1, 0.2)
    return state


def drifts() -> Iterator[At]:
    """The drift: of the inverse without noise, of the sums' errors over the largest sum with it, every 4096 rows; the largest stays."""
    check = Rebuilt({}).function(kernels.check)
    for strict in (False, True):
        for off, before in ((0.5, 0.0), (0.5, 2.0), (1e-12, 0.0), (1e-8, 0.0)):
            state = state_of(Noise.NONE, strict=strict)
            state.sums[:], state.counters.rows[0], state.measures.drift[0] = (1.0, 0.5, 2.0, 0.3, 0.4), 32, before
            right = packed(np.linalg.inv(np.array([[2.0, 0.5], [0.5, 3.0]])))
            state.inverse[:] = right
            state.inverse[1] += off
            state.flags.definite[0] = 1
            raised = _raised(check, state)
            expected = max(before, off / float(np.abs(right).max()))
            close = abs(float(state.measures.drift[0]) - expected) <= 1e-7 * expected + 1e-15
            yield from compared({"off": off, "strict": strict, "before": before}, drift=(close, True), inverse=(state.inverse, right))
            yield from compared({"off": off, "strict": strict, "before": before}, raised=(raised, strict and expected > 1e-8))
        for rows_so_far, apart in ((4096, 0.75), (8192, 0.75), (4095, 0.0), (1024, 0.0)):
            state = state_of(Noise.GAUSSIAN, strict=strict)
            state.sums[:], state.errors[:] = (-4.0, 0.5, 2.0, 0.3, 0.4), (0.0, 1.0, -3.0, 0.5, 0.1)
            state.counters.rows[0] = rows_so_far
            raised = _raised(check, state)
            where = {"rows": rows_so_far, "strict": strict}
            yield from compared(where, drift=(state.measures.drift[0], apart), raised=(raised, strict and apart > 0.0))
    state = state_of(Noise.GAUSSIAN)
    state.counters.rows[0] = 4096
    check(state)
    yield from compared({"sums": 0}, drift=(state.measures.drift[0], 0.0))


def _raised(check: Any, state: Any) -> bool:
    try:
        check(state)
    except FloatingPointError:
        return True
    return False


def overflows() -> Iterator[At]:
    """A row that takes the inverse beyond all numbers: V is inverted afresh at once, and no round is played without it."""
    contexts, rewards = np.zeros((40, 3, 2)), np.zeros((40, 3))
    contexts[:, 0], contexts[:, 1], contexts[:, 2] = (0.1, 0.0), (0.5, 0.0), (0.0, 0.6)
    contexts[5] = (1e154, 0.0)
    policy = LinUCB(Noise.NONE, rho_min=1e-3, true_parameter=(0.0, 0.0))
    shown: Any = Stepwise(policy)
    pipeline = Pipeline(shown, Table(rewards, contexts=contexts), NoRandomiser())
    run = play(pipeline, horizon=40, key=_KEY, record=(Wire.ARMS, Wire.STATISTIC), stepwise=True)
    arms, statistic = np.asarray(run.wire(Wire.ARMS)), np.asarray(run.wire(Wire.STATISTIC))
    yield from compared({}, later=(arms[6:], np.full(34, 2)))
    yield from compared({}, counted=(statistic[[5, 6, 31, 39], 5], np.zeros(4)))


def _plays(policy: LinUCB, rewards: Floats, contexts: Floats) -> None:
    shown: Any = Stepwise(policy)
    play(Pipeline(shown, Table(rewards, np.zeros(rewards.shape), contexts), NoRandomiser()), horizon=len(rewards), key=_KEY, stepwise=True)


_FIXED = FixedNoise(((2.0, 0.0, 2.0, 0.0, 0.0),), Accuracy(1.0, 3.0, 0.1))
_BROKEN = FixedNoise(((2.0, 0.0, 2.0, 0.0, 0.0), (-2.0, 0.0, 2.0, 0.0, 0.0)), Accuracy(1.0, 3.0, 0.1))


def refusals() -> Iterator[At]:
    """Of the policy, of its states, and of its runs."""
    wrong: dict[str, tuple[Any, ...]] = {
        "epsilon": (0.0, math.inf),
        "delta": (0.0, 1.0),
        "bounds": tuple(Bounds(**{name: value}) for name in Bounds._fields for value in (0.0, -1.0, math.inf)),
        "failure": (0.0, 1.0),
        "planned_horizon": (0,),
        "rho_min": (0.0, -1.0, math.inf),
        "fixed_noise": (_FIXED,),
        "noise": (Noise.FIXED,),
        "view": (View.LOCAL, View.CENTRAL, View.SHUFFLED),
    }
    yield from refused({}, LinUCB, wrong, epsilon=1.0)
    yield from accepted({}, LinUCB, {"view": (View.WHITE_BOX,), "true_parameter": ((0.0,),), "planned_horizon": (1,)}, epsilon=1.0)
    yield from refused({}, LinUCB, {"view": (View.WHITE_BOX,)}, true_parameter=(0.0,))
    for noise, claims in ((Noise.NONE, False), (Noise.GAUSSIAN, True), (Noise.WISHART, True), (Noise.WISHART_UNSHIFTED, True)):
        right = ApproximateDP(1.0, 0.1, NeighbouringRelation.REPLACE_ROUND, View.JOINT) if claims else None
        yield from compared({"noise": noise.value}, claims=(LinUCB(noise).guarantee() == right, True))
    yield from compared({}, claims=(LinUCB(Noise.FIXED, fixed_noise=_FIXED).guarantee() is None, True))
    for dimension, statistic, truth in ((3, 9, None), (0, 14, None), (2, 10, (0.0, 0.0))):
        widths = LinUCB(true_parameter=truth).message_width(dimension), LinUCB(true_parameter=truth).statistic_width(4, dimension)
        yield from compared({"d": dimension}, widths=(widths, (dimension + 1, statistic)))
    state = LinUCB(Noise.FIXED, fixed_noise=_FIXED).state
    yield from refused({"fixed": "state"}, state, {"dimension": (1, 3)}, arms=3, dimension=2, horizon=9)
    state = LinUCB(Noise.NONE, true_parameter=(0.1, 0.2)).state
    yield from refused({"truth": "state"}, state, {"dimension": (1, 3)}, arms=3, dimension=2, horizon=9)
    good, rewards = np.full((6, 2, 2), 0.3), np.zeros((6, 2))
    for number in (math.nan, math.inf, 1e200):
        bad, paid = good.copy(), rewards.copy()
        bad[3], paid[3] = number, number
        for noise in (Noise.NONE, Noise.GAUSSIAN):
            yield from refused({"row": str(number)}, _plays, {"contexts": (bad,)}, policy=LinUCB(noise), rewards=rewards, contexts=good)
            yield from refused({"row": str(number)}, _plays, {"rewards": (paid,)}, policy=LinUCB(noise), rewards=rewards, contexts=good)
    firm, loose = (LinUCB(Noise.FIXED, fixed_noise=_BROKEN, strict=strict) for strict in (True, False))
    yield from refused({"strict": True}, _plays, {"policy": (firm,)}, policy=loose, rewards=rewards, contexts=good)


def together() -> Iterator[At]:
    """States that are played together share the nodes of one distribution, and no others."""
    policies = [LinUCB(Noise.GAUSSIAN, 1.0), LinUCB(Noise.NONE), LinUCB(Noise.GAUSSIAN, 2.0), LinUCB(Noise.GAUSSIAN, 1.0, rho_min=3.0)]
    states = states_together(policies, 3, 2, 50, 20)
    for one, other, shared in ((0, 3, True), (0, 2, False), (0, 1, False), (1, 2, False)):
        for name in ("nodes", "cached_from", "cached_key"):
            same = getattr(states[one], name) is getattr(states[other], name)
            yield from compared({"states": f"{one}, {other}", "array": name}, shared=(same, shared))
    key, draw = np.append(_KEY, np.uint64(3)), Rebuilt({}).function(kernels.draw_nodes)
    draw(states[0], key, 1, states[0].nodes)
    sigma = plain.node_sigma(1.0, 0.1, 50, math.sqrt(2.0))
    yield from compared({}, nodes=(states[0].nodes, [plain.gaussian(key, node, 2, sigma) for node in range(1, 21)]))
    yield from compared({}, rooms=([state.nodes.shape[0] for state in states], (20, 1, 20, 20)))
    yield from compared({}, rooms=(states_together(policies[:1], 3, 2, 7, 20)[0].nodes.shape, (7, 5)))


_ID = confidence.RADIUS.id
AUDITS = (
    beside(_ID, "inverses_replayed", "inverses and determinants beside dense algebra", inverses, "dimensions 1 to 7"),
    beside(_ID, "rows_replayed", "updates by a row, products and lengths beside dense algebra", rows, "dimensions 1 to 7"),
    beside(_ID, "best_arms_replayed", "the best arm beside dense algebra", best_arms, "1 to 35 arms, dimensions 1 to 9"),
    beside(_ID, "radii_replayed", "both forms of the radius, at listed values", radii, "listed values"),
    beside(_ID, "drifts_replayed", "the measured drift of states that are made to drift", drifts, "listed states"),
    beside(_ID, "overflow_replayed", "a run whose inverse overflows", overflows, "one run of 40 rounds"),
    beside(_ID, "together_replayed", "states of learners that are played together", together, "four learners"),
    beside(_ID, "lin_ucb_refuses", "what LinUCB refuses, and what not", refusals, "listed values"),
)
