"""Private eliminations replayed: schedules of every option beside the sheet's formulas, and whole runs, message by message.

TABLES    pulls, truncation, radius, noise and forced exploration of every epoch and number of active arms, beside `plain.elimination`
RUNS      arms and releases of whole runs of the shipped kernels: all ways of exploring, orders of arms, bins, batches of a shuffler,
          rewards at the truncation, far outside and infinite, runs that end in the middle of a batch and with it
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.elimination import central, kernels, robust, successive
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import ArmOrder, Exploration
from banditproof.algorithms.policies.elimination.robust import Reading, RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.audits.common.beside import beside, compared
from banditproof.audits.common.step_by_step import Stepwise
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.wu_2023.plain import elimination as plain
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats, NoRandomiser, NoShuffling, Pipeline, Table, Wire, Words
from banditproof.randomness import generator, key_of
from banditproof.simulation import play_many
from banditproof.theory.papers.wu_2023 import privacy

_KEY = key_of(0, "wu_2023", "replayed_elimination")
_WAYS = tuple(Exploration)

# --- schedules ----------------------------------------------------------------------------------------------------------------------------

_PUBLISHED = Reading.PUBLISHED
SCHEDULES: tuple[plain.Policy, ...] = (
    RobustElimination(0.7),
    RobustElimination(4.0, 3.0, failure=0.05, radius_factor=0.3),
    RobustElimination(4.0, 3.0, failure=1.0, reading=_PUBLISHED),
    RobustElimination(1.5, 2.2, failure=0.2),
    RobustElimination(2.0, 2.5, 0.1, threshold_factor=0.4, radius_factor=0.7),
    RobustElimination(2.0, 2.5, 0.02, reading=_PUBLISHED, threshold_factor=0.05),
    RobustElimination(9.0, 2.5, 0.3, failure=0.3, literal=True),
    CentralElimination(0.6, 7.0),
    CentralElimination(3.0, 9.0, 3.0, failure=0.05, literal=True, threshold_factor=0.01),
    CentralElimination(1.0, 9.5, 2.7, failure=0.3, pad=False, reading=_PUBLISHED, threshold_factor=0.001, radius_factor=0.4),
    CentralElimination(0.9, 9.5, pad=False, literal=True, batch_is_fold=True, threshold_factor=0.003),
    CentralElimination(2.0, 12.0, 2.5, 0.1, threshold_factor=1e-5, radius_factor=0.4),
    CentralElimination(0.5, 12.0, 2.5, 0.133, true_contamination=0.05, pad=False, threshold_factor=1e-4, batch_is_fold=True),
    CentralElimination(1.0, 12.0, 2.0, 0.004, true_contamination=0.0, failure=0.4, threshold_factor=1e-3, reading=_PUBLISHED),
    CentralElimination(0.9, 70.0, 2.0, 1e-4, failure=1e-3, threshold_factor=1e-8),
    SuccessiveElimination(0.8),
    SuccessiveElimination(5.0, 0.5, 0.3, 0.1, batch_constant=2.0, cut_constant=3.0, log_constant=1.5),
    SuccessiveElimination(50.0, 0.8, 2.0, batch_constant=0.5, cut_constant=0.3),
)


def tables() -> Iterator[At]:
    """Tables of states for horizons where the last epoch just fits and just does not."""
    for number, policy in enumerate(SCHEDULES):
        for arms, horizon in ((3, 61), (2, 62), (5, 4000), (2, 63), (2, 1)):
            state, where = policy.state(arms, 0, horizon), {"policy": number, "K": arms, "T": horizon}
            epochs = _epochs(policy, arms, horizon)
            if horizon == 1 and not isinstance(policy, SuccessiveElimination):
                epochs = 1
            yield from compared(where, epochs=(state.pulls.shape[0] - 1, epochs))
            if state.pulls.shape != (epochs + 1, arms + 1):
                continue
            rows = [plain.row(policy, horizon, epoch, active) for epoch in range(1, epochs + 1) for active in range(2, arms + 1)]
            found = [table[1:, 2:].ravel() for table in (state.pulls, state.truncations, state.twice_radii, state.scales)]
            for name, column, ours in zip(("pulls", "truncations", "radii", "scales"), zip(*(row[:4] for row in rows), strict=True), found,
                                          strict=True):  # fmt: skip
                yield from compared({**where, "table": name}, numbers=(ours, column))
            yield from compared({**where, "table": "bins"}, numbers=(state.bin_scales[1:, 2:].ravel(), [row.bin_scale for row in rows]))
            yield from compared({**where, "table": "forced"}, numbers=(state.forced[1:, 2:].ravel(), [row.forced for row in rows]))
            held = plain.bins(policy) if isinstance(policy, CentralElimination) else plain.Bins(0, 0.0, 1.0)
            yield from compared({**where, "table": "histogram"}, numbers=(tuple(state.settings.bins), tuple(held)))
            yield from compared({**where, "table": "histogram"}, counts=(state.counts.shape[0], held.number))


def _epochs(policy: plain.Policy, arms: int, horizon: int) -> int:
    """The epochs that a run can reach: with one batch in each that is forced; DPRSE plays two arms at least."""
    played, epoch = 0, 0
    while played < horizon:
        epoch += 1
        if isinstance(policy, SuccessiveElimination):
            played += 2 * min(plain.row(policy, horizon, epoch, active).pulls for active in range(2, arms + 1))
        else:
            played += 2**epoch
    whole = isinstance(policy, SuccessiveElimination) or played > horizon - 1
    return epoch if whole else epoch + 1


def formulas() -> Iterator[At]:
    """Public functions that no schedule calls alone, and what the classes tell."""
    for arms, epoch, arm in ((2, 1, 0), (3, 5, 2)):
        first = kernels.noise_index(epoch, arm, arms)
        place = kernels.bin_noise_index(epoch, arm, arms, bins=7, place=4)
        yield from compared({"K": arms}, mean=(first, epoch * arms + arm), bin=(place, 64 * arms + (epoch * arms + arm) * 7 + 4))
    for horizon, last in ((1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (100, 6)):
        yield from compared({"T": horizon}, last=(robust.last_epoch(horizon), last))
    for failure, active, epoch in ((1.0, 2, 1), (0.3, 4, 3)):
        delta = failure / (2 * active * epoch**2)
        yield from compared({"delta": failure}, call=(robust.call_failure(failure, active, epoch=epoch), delta))
        least = robust.threshold(failure, active, epoch=epoch, contamination=0.2)
        yield from compared({"delta": failure}, threshold=(least, math.log(8.0 / delta) / 0.2))
        told: dict[str, Any] = {"range": 9.0, "failure": failure, "active": active, "epoch": epoch}
        yield from compared({"delta": failure}, clean=(central.clean_threshold(0.4, **told), 500.0 * math.log(144.0 / delta)))
        literal = central.clean_threshold(0.4, **told, literal=True)
        yield from compared({"delta": failure}, literal=(literal, 500.0 * math.log(72.0 / delta)))
    quick = SuccessiveElimination(50.0, batch_constant=0.5)
    for horizon in range(1, 900, 23):
        yield from compared({"T": horizon}, rows=(quick.state(9, 0, horizon).pulls.shape[0] - 1, _epochs(quick, 9, horizon)))
    inside = math.log(4.0 * 3 * 4 / 0.1)
    yield from compared({}, log=(successive.logarithm(0.1, 3, epoch=2), inside))
    pulls = successive.batch_pulls(0.5, 1.0, raw_moment=2.0, term=3.1, epoch=2)
    yield from compared({}, pulls=(pulls, math.ceil(2.0 * 24.0**2 * 3.1 / (0.5 / 16.0) + 1.0)))
    yield from compared({}, most=(successive.batch_pulls(1.0, 1.0, raw_moment=1.0, term=1.0, epoch=40), 2**62))
    nearly = successive.batch_pulls(1.0, 1.0, raw_moment=1.0, term=1.0, epoch=26)
    yield from compared({}, nearly=(nearly, math.ceil(576.0 * 4.0**26 + 1.0)))
    for each in SCHEDULES:
        right = PureDP(each.epsilon, NeighbouringRelation.REPLACE_REWARD, each.view)
        yield from compared({"policy": str(each)[:60]}, guarantee=(each.guarantee() == right, True))
    unstated: tuple[dict[str, Any], ...] = ({"epsilon": 1.1}, {"radius_factor": 0.9}, {"threshold_factor": 0.9}, {"contamination": 0.133})
    stated_ones: tuple[dict[str, Any], ...] = ({}, {"contamination": 0.132})
    for changed, stated in (*((each, False) for each in unstated), *((each, True) for each in stated_ones)):
        told_policy: dict[str, Any] = {"epsilon": 1.0, "range": 12.0, **changed}
        policy = CentralElimination(**told_policy)
        yield from compared({"changed": str(changed)}, stated=(policy.accuracy_is_stated(), stated))
    for policy_level, level in (
        (RobustElimination(4.0).formula_epsilon(), 1.5),
        (RobustElimination(4.0, contamination=0.1).formula_epsilon(), 4.0),
        (CentralElimination(4.0, 9.0).formula_epsilon(), 1.0),
    ):
        yield from compared({}, level=(policy_level, level))
    for which, widths in ((RobustElimination(1.0), (1, 2)), (CentralElimination(1.0, 9.0), (1, 3)), (SuccessiveElimination(1.0), (1, 2))):
        yield from compared({"policy": type(which).__name__}, widths=((which.message_width(0), which.statistic_width(4, 0)), widths))


# --- runs ---------------------------------------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A run: rewards are normal around means a gap apart; of every seventh round far out, at the truncation, infinite."""

    policy: plain.Policy
    arms: int
    horizon: int
    gap: float
    batch: int = 1
    noise_scale: float = 0.1


_FORCED = RobustElimination(40.0, contamination=0.3, failure=1.0, threshold_factor=0.9, radius_factor=0.03)
_FORCED_BINS = CentralElimination(30.0, 7.0, contamination=0.1, failure=1.0, threshold_factor=3e-7, radius_factor=0.02)


_MIXED: dict[str, Any] = {"exploration": Exploration.PROBABILISTIC, "mixing": 0.5}
RUNS: tuple[Played, ...] = (
    Played(RobustElimination(30.0, radius_factor=0.04), 8, 900, 0.15),
    Played(RobustElimination(30.0, radius_factor=0.1, arm_order=ArmOrder.PERMUTED), 5, 400, 0.2),
    Played(RobustElimination(900.0, 4.0, failure=1.0, radius_factor=0.3), 3, 700, 0.5),
    Played(RobustElimination(5.0, radius_factor=0.0), 6, 60, 0.0),
    Played(RobustElimination(30.0, radius_factor=0.05, arm_order=ArmOrder.PERMUTED), 4, 401, 0.2, batch=7),
    Played(CentralElimination(30.0, 7.0, failure=1.0, threshold_factor=0.0, radius_factor=0.015), 8, 900, 0.3),
    Played(CentralElimination(4.0, 7.0, pad=False, threshold_factor=0.0, radius_factor=0.02, arm_order=ArmOrder.PERMUTED), 3, 380, 2.4),
    Played(CentralElimination(30.0, 8.0, batch_is_fold=True, threshold_factor=0.0, radius_factor=0.03), 3, 333, 1.7, batch=5),
    Played(CentralElimination(30.0, 7.0, threshold_factor=0.0, radius_factor=0.3), 2, 124, 3.0),
    *(Played(replace(_FORCED, exploration=way, mixing=0.5), 5, 420, 0.2) for way in _WAYS),
    *(Played(replace(_FORCED_BINS, exploration=way, mixing=0.5), 5, 420, 0.8) for way in _WAYS),
    Played(replace(_FORCED, **_MIXED, arm_order=ArmOrder.PERMUTED), 6, 300, 0.2, batch=3),
    Played(replace(_FORCED_BINS, **_MIXED, arm_order=ArmOrder.PERMUTED), 5, 300, 1.0, batch=4),
    Played(replace(_FORCED, exploration=Exploration.GREEDY, arm_order=ArmOrder.PERMUTED), 3, 126, 0.2),
    Played(replace(_FORCED_BINS, exploration=Exploration.ROUND), 4, 301, 1.0, batch=6),
    Played(SuccessiveElimination(400.0, batch_constant=0.7, cut_constant=0.4), 8, 900, 0.1),
    Played(SuccessiveElimination(40.0, 0.5, 0.7, 0.2, 0.2, 0.3, 1.5, ArmOrder.PERMUTED), 7, 500, 0.2, batch=3),
)


def rewards(played: Played, number: int) -> Floats:
    """The table (T, K)."""
    rng = generator(_KEY, run=number)
    found = rng.normal(played.gap * np.arange(played.arms)[::-1] - 0.6 * played.gap, played.noise_scale, (played.horizon, played.arms))
    size = plain.row(played.policy, played.horizon, 3, played.arms).truncation
    out = (size, -size, 1e9, -1e300, math.inf, -math.inf, math.nextafter(size, math.inf))
    for place, each in enumerate(range(5, played.horizon, 7)):
        found[each] = out[place % len(out)]
    return np.asarray(found)


def replays(number: int, stepwise: bool = True) -> Iterator[At]:
    """Arms and releases of a run, and whether it ends as it should."""
    played = RUNS[number]
    where: dict[str, Any] = {"run": number}
    policy = played.policy
    shuffler = UniformShuffler(played.batch) if played.batch > 1 else NoShuffling()
    shown: Any = Stepwise(policy) if stepwise else policy
    pipeline = Pipeline(shown, Table(rewards(played, number), np.zeros((played.horizon, played.arms))), NoRandomiser(), shuffler=shuffler)
    record = (Wire.ARMS, Wire.STATISTIC, Wire.BATCH)
    run = play_many(pipeline, horizon=played.horizon, key=_KEY, runs=2, first_run=number, record=record, stepwise=stepwise)
    for place in range(2):  # of one state, so that nothing is left of the first
        wires = [np.asarray(run.wire(wire)[place]) for wire in record]
        yield from beside_session(played, {**where, "of two": place}, np.append(_KEY, np.uint64(number + place)), wires)
    if not stepwise and played.batch == 1:
        direct = play_many(pipeline, horizon=played.horizon, key=_KEY, runs=2, first_run=number, record=record[:2])
        pairs = {wire.value: (direct.wire(wire), run.wire(wire)) for wire in record[:2]}
        yield from compared({**where, "loop": "direct"}, **pairs)


def beside_session(played: Played, where: dict[str, Any], key: Words, wires: list[Floats]) -> Iterator[At]:
    """What was recorded of a run, beside the session's arms and releases."""
    policy, (arms, statistic, batch) = played.policy, wires
    session = plain.Session(
        policy, played.arms, played.horizon, key, lambda epoch, active: plain.row(policy, played.horizon, epoch, active)
    )
    going, width, right = session.play(), statistic.shape[1], np.full(statistic.shape, math.nan)
    expected, arm = [], next(going)
    for round in range(played.horizon):
        expected.append(session.uniform_arm(plain.FORKS + played.arms + round) if arm is None else arm)
        if expected[-1] != arms[round]:
            yield from compared({**where, "round": round}, arm=(arms[round], expected[-1]))
            return
        if (round + 1) % played.batch == 0 or round + 1 == played.horizon:
            arm = going.send((batch[round - round % played.batch : round + 1, 1].tolist(), round))
            right[round] = session.statistic[:width]
    yield from compared(where, arms=(arms, expected), releases=(statistic, right), lively=(session.releases > 3, True))


def runs(binned: bool) -> Iterator[At]:
    for number, played in enumerate(RUNS):
        if isinstance(played.policy, CentralElimination) is binned:
            yield from replays(number)


def compiled() -> Iterator[At]:
    """Some runs as they are compiled."""
    for number in (0, 4, 5, 7, 12, 16, 21):
        yield from replays(number, stepwise=False)
    yield from tallied()


def tallied() -> Iterator[At]:
    """Rewards that are the same each time: counts of them are no random numbers, and the runs are those of single rewards."""
    means = (1.0, 1.0, 0.0, 0.0)
    for policy in (RobustElimination(20.0, radius_factor=0.1), CentralElimination(20.0, 7.0, radius_factor=0.02, threshold_factor=1e-3)):
        pipeline = Pipeline(policy, Bernoulli(means), NoRandomiser())
        options: dict[str, Any] = {
            "horizon": 700,
            "key": _KEY,
            "runs": 2,
            "record": (Wire.ARMS, Wire.STATISTIC),
            "checkpoints": (1, 350, 700),
        }
        one, other = play_many(pipeline, **options, tallies=True), play_many(pipeline, **options)
        pairs: dict[str, Any] = {wire.value: (one.wire(wire), other.wire(wire)) for wire in options["record"]}
        lively = len(np.unique(other.wire(Wire.ARMS)[:, -100:])) < len(means)
        yield from compared({"policy": str(policy)}, regret=(one.regret, other.regret), lively=(lively, True), **pairs)


_RAW, _SCALE = privacy.PRIVACY_RAW.id, privacy.TRUNCATED_MEAN_SCALE.id
AUDITS = (
    beside(_SCALE, "schedules_replayed", "schedules of all options beside the sheet's formulas", tables, "all epochs of five horizons"),
    beside(_SCALE, "formulas_replayed", "what the eliminations' functions say, at listed values", formulas, "listed values"),
    beside(_RAW, "eliminations_replayed", "whole runs of PRAE-R and DPRSE, message by message", partial(runs, False), "listed runs"),
    beside(
        privacy.PRIVACY_CENTRAL.id, "eliminations_replayed", "whole runs of PRAE-C, message by message", partial(runs, True), "listed runs"
    ),
    beside(_RAW, "eliminations_compiled", "runs of eliminations as they are compiled", compiled, "seven runs"),
)
