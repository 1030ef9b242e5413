"""wu_2023: Huber contamination, value by value beside Definition 3.3, and the outliers of its rescaled rewards.

CALLED     what becomes of a message of several numbers, each of which differs, and of the rewards of several rounds, from the kernels in
           plain Python
PLAYED     rewards, reports and what is received in compiled runs, with contamination on either wire
DIRECTLY   arms and releases of compiled runs whose rewards go straight to the server, beside runs whose table holds the outliers already
RESCALED   outliers after the map of the rewards
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from banditproof import randomness
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.huber import ArmHuber, Huber, Normal, TwoValues
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.audits.common.drawn_rewards import NEARLY, RUN, blocks, distance, in_turn, near, normals
from banditproof.audits.common.short_blocks import coin, short_stream
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Corruption, Floats, Ints, NoCorruption, Pipeline, Table, Wire, Words
from banditproof.kernels import block_of
from banditproof.randomness import generator, key_of
from banditproof.simulation import play
from banditproof.theory.papers.wu_2023 import setting

ROUNDS, HORIZON, _LONG = 30, 120, 700
MEANS = (0.3, 0.7, 0.5, 0.9)
REPORT = Wire.REPORT
_SEEN = (Wire.ARMS, Wire.STATISTIC)
Replaces = Callable[
    [Floats, Floats, Ints], tuple[Any, Floats]
]  # (n,) blocks of positions, (n, 4) blocks of values, arms; hits and outliers


def two_values(drawn: Floats, low: float, high: float, proportion: float) -> Floats:
    """High where the round's number lies below the proportion, else low."""
    return np.where(drawn[:, 0] < proportion, high, low)


def one_for_all(alpha: float, high: float, low: float, proportion: float, wire: Wire = Wire.REWARDS) -> tuple[Corruption, Replaces]:
    """One distribution of two values for all arms."""

    def replaces(positions: Floats, drawn: Floats, _arms: Ints) -> tuple[Any, Floats]:
        return positions < alpha, two_values(drawn, low, high, proportion)

    return Huber(alpha, high, low, proportion, wire), replaces


def one_per_arm(alpha: float, *distributions: TwoValues | Normal, wire: Wire = Wire.REWARDS) -> tuple[Corruption, Replaces]:
    """A distribution per arm, and the last one for all further arms."""

    def replaces(positions: Floats, drawn: Floats, arms: Ints) -> tuple[Any, Floats]:
        outliers = [
            two_values(drawn, each.low, each.high, each.high_probability)
            if isinstance(each, TwoValues)
            else each.mean + each.standard_deviation * normals(drawn)
            for each in distributions
        ]
        every = [*outliers, *[outliers[-1]] * len(MEANS)]
        return positions < alpha, np.array([every[arm][round] for round, arm in enumerate(arms)])

    return ArmHuber(alpha, distributions, wire), replaces


CASES = (
    one_for_all(0.4, 3.5, -2.0, 0.3),
    one_for_all(0.6, -2.5, 7.0, 0.8, REPORT),
    one_for_all(0.25, 1.0, 0.0, 1.0),
    one_for_all(1.0, 5.0, -4.0, 0.5, REPORT),
    one_for_all(0.0, 5.0, -4.0, 0.5),
    one_per_arm(0.5, TwoValues(-1.5, 2.5, 0.4), Normal(3.0, 0.5), TwoValues(4.0, 6.0, 0.7)),
    one_per_arm(0.7, Normal(-5.0, 2.0), TwoValues(0.25, -0.75), Normal(8.0), TwoValues(9.0, 2.0, 0.2), Normal(50.0), wire=REPORT),
    one_per_arm(0.8, TwoValues(-3.0, 4.0, 0.6), wire=REPORT),
    one_per_arm(0.3, Normal(0.5, 0.0)),
)


def expected(replaces: Replaces, key: Words, arms: Ints, values: Floats) -> Floats:
    """The values (n,) or (n, w) after contamination: a coin a round says whether there is an outlier, and block t is of that of round t."""
    stream = short_stream(np.append(key, np.uint64(RUN)), randomness.CORRUPTION)
    positions = np.array([coin(stream, round) for round in range(len(arms))])
    hits, outliers = replaces(positions, blocks(key, randomness.CORRUPTION, len(arms)), arms)
    wide = values.reshape(len(values), -1)
    return np.asarray(np.where(hits[:, None], outliers[:, None], wide).reshape(values.shape))


def _values(corruption: Corruption, key: Words, arms: Ints, before: Floats) -> Floats:
    """The values (n, w) that a kernel leaves of what was there before, one call per round."""
    values, words = before.copy(), np.append(key, np.uint64(RUN))
    setup, memory = corruption.setup(), corruption.memory()
    for round, arm in enumerate(arms):
        corruption.kernel(setup, memory, round, words, int(arm), values[round])
    return values


def _rewards(corruption: Corruption, key: Words, arm: int, first: int, before: Floats) -> Floats:
    """The rewards (n,) of an arm that the kernel of several rounds leaves, from round `first` on."""
    rewards, block = before.copy(), block_of(corruption.kernel)
    if block is not None:
        block(corruption.setup(), corruption.memory(), first, np.append(key, np.uint64(RUN)), arm, rewards)
    return rewards


def values_called(cases: tuple[tuple[Corruption, Replaces], ...] = CASES) -> Iterator[At]:
    """Values after contamination, one call per round."""
    for number, (corruption, replaces) in enumerate(cases):
        key, arms = key_of(number, "outliers", "called"), np.arange(ROUNDS) * 3 % len(MEANS)
        for width in (1, 3):
            before = 100.0 + np.arange(ROUNDS * width, dtype=float).reshape(ROUNDS, width)
            shown = {"case": str(corruption), "width": width}
            yield near(shown, expected(replaces, key, arms, before), _values, corruption, key, arms, before)
        for arm in range(len(MEANS)):
            before = 100.0 + np.arange(ROUNDS, dtype=float)
            after = expected(replaces, key, np.full(ROUNDS, arm), before)
            yield near({"case": str(corruption), "arm": arm}, after[7:], _rewards, corruption, key, arm, 7, before[7:])


def _played() -> Iterator[At]:
    for number, (corruption, replaces) in enumerate(CASES):
        key, arms = key_of(number, "outliers"), np.arange(HORIZON) % len(MEANS)
        run = in_turn(Bernoulli(MEANS), HORIZON, key, corruption)
        clean = np.where(blocks(key, randomness.REWARDS, HORIZON)[:, 0] < np.array(MEANS)[arms], 1.0, 0.0)
        after = expected(replaces, key, arms, clean)
        sent = clean if corruption.wire is REPORT else after
        for wire, stated in ((Wire.ARMS, arms), (Wire.REWARDS, clean), (REPORT, sent[:, None]), (Wire.RECEIVED, after[:, None])):
            yield near({"case": str(corruption), "wire": wire.value}, stated, run.wire, wire)
        lost = np.cumsum(0.9 - np.array(MEANS)[arms])
        yield At({"case": str(corruption), "of": "regret"}, distance(run.regret, lost), NEARLY)


def _directly() -> Iterator[At]:
    marks = range(1, _LONG + 1, 100)
    for number, (corruption, replaces) in enumerate(CASES):
        if corruption.wire is REPORT:
            continue
        key, clean = key_of(number, "outliers", "directly"), generator(key_of(number, "outliers", "table")).random((_LONG, len(MEANS)))
        arms = [np.full(_LONG, arm) for arm in range(len(MEANS))]
        dirty = np.column_stack([expected(replaces, key, arms[arm], clean[:, arm]) for arm in range(len(MEANS))])
        for policy in (TreeUCB(50.0), RobustElimination(40.0, radius_factor=0.05)):
            beside, found = (
                play(Pipeline(policy, table, corruption=each), horizon=_LONG, key=key, run=RUN, checkpoints=marks, record=_SEEN)
                for table, each in ((Table(dirty, clean), NoCorruption()), (Table(clean, clean), corruption))
            )
            for wire in _SEEN:
                shown = {"case": str(corruption), "policy": type(policy).__name__, "wire": wire.value}
                yield At(shown, distance(found.wire(wire), beside.wire(wire)), NEARLY)
            yield At({**shown, "wire": "regret"}, distance(found.regret, beside.regret), NEARLY)


def _moved(corruption: Huber | ArmHuber, offset: float, scale: float) -> list[float]:
    """The numbers of a rescaled corruption; of an outlier distribution 1.0 first where it is Gaussian, else 0.0."""
    moved = corruption.rescaled(offset, scale)
    if isinstance(moved, Huber):
        return [moved.contamination, moved.low, moved.high, moved.high_probability]
    return [moved.contamination, *(number for each in moved.distributions for number in (float(isinstance(each, Normal)), *each))]


def _rescaled() -> Iterator[At]:
    """(x - 3)/4 for values and means, x/4 for deviations; probabilities stay."""
    yield near({"of": "Huber"}, [0.2, -2.0, 1.0, 0.3], _moved, Huber(0.2, 7.0, -5.0, 0.3, REPORT), 3.0, 4.0)
    mixed = ArmHuber(0.1, (TwoValues(1.0, 9.0, 0.4), Normal(-1.0, 6.0), TwoValues(3.0, 3.5)))
    yield near({"of": "ArmHuber"}, [0.1, 0.0, -0.5, 1.5, 0.4, 1.0, -1.0, 1.5, 0.0, 0.0, 0.125, 1.0], _moved, mixed, 3.0, 4.0)


_ID = setting.HUBER_CONTAMINATION.id
_DOMAIN = f"{len(CASES)} corruptions"
AUDITS = (
    Audit(
        _ID,
        "points.outliers_called",
        "messages of one and three numbers",
        Pointwise(values_called, f"{_DOMAIN}, {ROUNDS} rounds", "distance"),
    ),
    Audit(_ID, "points.outliers_played", "every wire of compiled runs", Pointwise(_played, f"{_DOMAIN}, {HORIZON} rounds", "distance")),
    Audit(
        _ID,
        "points.outliers_directly",
        "runs whose rewards go straight to the server",
        Pointwise(_directly, f"corrupted rewards, {_LONG} rounds", "distance"),
    ),
    Audit(_ID, "points.outliers_rescaled", "outliers after the map of the rewards", Pointwise(_rescaled, "offset 3, scale 4", "distance")),
)
