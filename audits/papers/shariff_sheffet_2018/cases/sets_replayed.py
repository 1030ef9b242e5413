"""shariff_sheffet_2018: decision sets and rewards of `Sphere` and of the adversary that watches the pulls, each round beside a plain one.

Drawn by the description in the docstrings, from NumPy's generator and from short blocks in whole numbers. The mean rewards of `Sphere` are
compared with the quantiles of their distribution elsewhere; here their fraction of it is.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common.short_blocks import coin, normal, short_block, short_stream
from banditproof.audits.common.side_by_side import Refusal, beside, distance, number, refusals, unequal
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.shariff_sheffet_2018.cases.numbers_replayed import fine
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Environment, Floats, Pipeline, Run, Wire, Words
from banditproof.randomness import CONTEXTS, REWARDS, key_of
from banditproof.simulation import play

KEY = key_of(3, "shariff_sheffet_2018", "sets")
RECORD = (Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS)
NEARLY = Fraction(1, 10**12)


def played(environment: Environment, horizon: int, run: int, stepwise: bool = False) -> Run:
    """UCB1, which pulls all arms; every round is a checkpoint."""
    marks = range(1, horizon + 1)
    return play(Pipeline(UCB1(), environment), horizon=horizon, key=KEY, run=run, record=RECORD, checkpoints=marks, stepwise=stepwise)


def own(run: int) -> Words:
    return np.append(KEY, np.uint64(run))


# --- the sphere ---------------------------------------------------------------------------------------------------------------------------


class Set(NamedTuple):
    """A round's arms (K, d), and the fraction of the distribution of x_1 below that of each; that of the best arm is `best`."""

    arms: Floats
    fractions: Floats
    best: int
    size: int


def others_of(left: Floats, numbers: Floats, count: int) -> Floats:
    """The coordinates x_2, ..., x_d (K, m), m = `count`, of squared length `left` (K,), from uniforms (n, K), the first for x_1."""

    def pair(square: Floats, turn: Floats) -> tuple[Floats, Floats]:
        angle = 2.0 * math.pi * (turn - 0.5)
        return np.sqrt(square) * np.cos(angle), np.sqrt(square) * np.sin(angle)

    if count == 1:
        return np.array([np.where(numbers[1] < 0.5, 1.0, -1.0) * np.sqrt(left)]).T
    if count == 2:
        return np.array(pair(left, numbers[1])).T
    if count == 3:  # the third coordinate is uniform
        height = 2.0 * numbers[2] - 1.0
        return np.array([*pair(left * (1.0 - height**2), numbers[1]), np.sqrt(left) * height]).T
    if count == 4:  # the fraction of the first pair in the squared length is uniform
        return np.array([*pair(left * numbers[2], numbers[3]), *pair(left * (1.0 - numbers[2]), numbers[1])]).T
    normals = list[Floats]()  # two for each size and turn; if their number is odd, the last one is not used
    for size, turn in zip(numbers[1::2], numbers[2::2], strict=False):
        normals += pair(-np.log(size + 2.0**-33), turn)
    rows = np.array(normals[:count])
    return np.asarray(rows * np.sqrt(left / (rows**2).sum(axis=0))).T


def drawn_set(sets: Sphere, key: Words, round: int, first: Floats) -> Set:
    """From the short blocks of each arm, and of the round; `first` (K,): the coordinates x_1, whose fractions are compared."""
    arms, others = sets.arms, sets.dimension - 1
    each = 1 + (3 if others == 4 else others if others < 4 else others + others % 2)
    blocks, stream = math.ceil(each / 4), short_stream(key, CONTEXTS)
    drawn = [[short_block(stream, (round * arms + arm) * blocks + block) for block in range(blocks)] for arm in range(arms)]
    once = [word / 2**32 for word in short_block(stream, 2**61 + round)]
    fewest = arms if sets.fewest is None else sets.fewest
    size = fewest + int(once[0] * (arms - fewest + 1))
    numbers = np.array(drawn).reshape(arms, 4 * blocks).T[:each] / 2**32
    found = np.column_stack([first, others_of(1.0 - first**2, numbers, others)])
    chosen = np.arange(arms) % size
    return Set(found[chosen], numbers[0][chosen], int(once[1] * size), size)


SPHERES: tuple[tuple[Sphere, int], ...] = (
    (Sphere(), 40),
    (Sphere(2, 3, -0.5, 0.6, -0.2), 150),  # more rounds than are drawn at a time
    (Sphere(3, 40, -0.1, 0.1, 0.3), 50),  # the table is short
    (Sphere(3, 5, 0.2, 0.9, 0.1, fewest=1), 30),
    (Sphere(4, 7, fewest=3, rewards=Rewards.GAUSSIAN, standard_deviation=0.7), 70),  # more than a window of normals
    (Sphere(5, 4, -0.3, 0.3, 0.9, fewest=4, rewards=Rewards.GAUSSIAN), 20),
    (Sphere(5, 9, fewest=2), 70),
    (Sphere(6, 3, fewest=2), 20),
    (Sphere(7, 6, rewards=Rewards.SIGNS, standard_deviation=3.0), 20),
    (Sphere(9, 5), 10),
    (Sphere(64, 130, -0.4, 0.4), 3),  # more arms than are worked on at a time
    (Sphere(4100, 2, -0.01, 0.01), 2),
)


def sphere_errors(spheres: tuple[tuple[Sphere, int], ...] = SPHERES, top: float = 0.0) -> Iterator[At]:
    """Distances of arms, of fractions of x_1, of rewards and regret; `top` is added to the best mean of the sets that are played."""
    for index, (sets, horizon) in enumerate(spheres):
        for stepwise in (True, False):
            if stepwise and sets.arms * sets.dimension > 500:
                continue
            run, key, where = (
                played(replace(sets, top=sets.top + top), horizon, index, stepwise),
                own(index),
                {"d": sets.dimension, "K": sets.arms, "stepwise": stepwise},
            )
            contexts, arms, paid = (np.asarray(run.wire(wire)) for wire in RECORD)
            off, far, lost, rewards = Fraction(0), 0.0, np.zeros(horizon), np.zeros(horizon)
            for round in range(horizon):
                firsts, half = contexts[round, :, 0], (sets.dimension - 1) / 2.0
                expected = drawn_set(sets, key, round, firsts)
                off = max(off, distance(contexts[round], expected.arms))
                below = special.betainc(half, half, (1.0 + np.append([sets.low, sets.high], firsts)) / 2.0)
                fractions = (below[2:] - below[0]) / (below[1] - below[0])
                best = np.arange(sets.arms) % expected.size == expected.best
                far = max(far, float(np.abs(np.where(best, firsts - sets.top, fractions - expected.fractions)).max()))
                mean = float(firsts[arms[round]])
                lost[round] = firsts.max() - mean
                if sets.rewards is Rewards.GAUSSIAN:
                    rewards[round] = mean + sets.standard_deviation * normal(short_stream(key, REWARDS), round)
                else:
                    rewards[round] = 1.0 if coin(short_stream(key, REWARDS), round) < (1.0 + mean) / 2.0 else -1.0
            yield At({**where, "of": "arms"}, off, NEARLY)
            yield At({**where, "of": "fractions"}, number(far), NEARLY)
            yield At({**where, "of": "rewards"}, distance(paid, rewards), NEARLY)
            yield At({**where, "of": "regret"}, distance(run.regret, np.cumsum(lost)), NEARLY)


# --- the adversary ------------------------------------------------------------------------------------------------------------------------

ADVERSARIES = (
    LeastExploredAdversary(),
    LeastExploredAdversary(2, 2, 0.5, 1.2),
    LeastExploredAdversary(2, 5, 0.3, 0.2),
    LeastExploredAdversary(3, 4, 0.95, 1.9),
    LeastExploredAdversary(4, 7, -0.1, 0.6),
    LeastExploredAdversary(6, 3, 0.9, 0.4),
)


def adversary_errors() -> Iterator[At]:
    """Distances of arms, rewards and regret over 70 rounds."""
    horizon = 70
    for index, sets in enumerate(ADVERSARIES):
        for stepwise in (True, False):
            run, key, where = (
                played(sets, horizon, index, stepwise),
                own(index),
                {"d": sets.dimension, "K": sets.arms, "stepwise": stepwise},
            )
            contexts, arms, paid = (np.asarray(run.wire(wire)) for wire in RECORD)
            explored, off = dict.fromkeys(range(1, sets.dimension), 0.0), Fraction(0)
            lost, rewards = np.zeros(horizon), np.zeros(horizon)
            for round in range(horizon):
                best = math.floor(fine(key, CONTEXTS, round, 1)[0] * sets.arms)
                rising = sorted(explored, key=lambda place: (explored[place], place))
                expected, directions, others = np.zeros((sets.arms, sets.dimension)), dict[int, int](), 0
                for arm in range(sets.arms):
                    mean, sign, directions[arm] = sets.top, 1.0, rising[-1]
                    if arm != best:
                        mean, sign = sets.top - sets.gap, (1.0, -1.0)[others % 2]
                        directions[arm] = rising[others // 2 % len(rising)]
                        others += 1
                    expected[arm, 0], expected[arm, directions[arm]] = mean, sign * math.sqrt((1.0 - mean) * (1.0 + mean))
                off = max(off, distance(contexts[round], expected))
                pulled = int(arms[round])
                mean = float(expected[pulled, 0])
                explored[directions[pulled]] += (1.0 - mean) * (1.0 + mean)
                lost[round] = sets.top - mean
                rewards[round] = 1.0 if fine(key, REWARDS, round, 1)[0] < (1.0 + mean) / 2.0 else -1.0
            yield At({**where, "of": "arms"}, off, NEARLY)
            yield At({**where, "of": "rewards"}, unequal(paid, rewards), 0)
            yield At({**where, "of": "regret"}, distance(run.regret, np.cumsum(lost)), NEARLY)


# --- refused ------------------------------------------------------------------------------------------------------------------------------

INF, NAN = math.inf, math.nan


def _sphere(name: str, wrong: tuple[Any, ...], right: tuple[Any, ...], **others: Any) -> Refusal:
    return f"Sphere, {name}", lambda value: Sphere(**{**others, name: value}), wrong, right


def _adversary(name: str, wrong: tuple[Any, ...], right: tuple[Any, ...], **others: Any) -> Refusal:
    return f"LeastExploredAdversary, {name}", lambda value: LeastExploredAdversary(**{**others, name: value}), wrong, right


REFUSED: tuple[Refusal, ...] = (
    _sphere("dimension", (1, 0), (2, 3)),
    _sphere("arms", (1, 0), (2, 3)),
    _sphere("low", (0.65, 0.7, -1.0, -1.1, NAN), (-0.999, 0.649)),
    _sphere("high", (-0.75, -0.8, 1.0, 1.1, NAN), (0.999, -0.749)),
    _sphere("top", (-1.0, 1.0, -1.1, 1.1, NAN), (-0.999, 0.999, 0.0)),
    _sphere("fewest", (0, 26, -1), (1, 25, None)),
    _sphere("standard_deviation", (0.0, -0.1, INF, NAN), (1e-300, 2.0)),
    _adversary("dimension", (1, 0), (2, 3)),
    _adversary("arms", (1, 0), (2, 3)),
    _adversary("top", (-0.9, 1.0, 1.1, -0.95, NAN), (-0.899, 0.999), gap=0.1),
    _adversary("gap", (0.0, -0.1, 1.5, 1.6, NAN), (0.01, 1.49), top=0.5),
)

AUDITS = (
    Audit(
        "shariff_sheffet_2018.optimal_arm",
        "points.sphere_replayed",
        f"{len(SPHERES)} settings of Sphere: arms, their order, rewards and regret of each round",
        beside(sphere_errors, "d 2 to 64 and 4100, compiled and step by step", "distance"),
    ),
    Audit(
        "shariff_sheffet_2018.optimal_arm",
        "points.adversary_replayed",
        f"{len(ADVERSARIES)} settings of LeastExploredAdversary: arms, rewards and regret of each round",
        beside(adversary_errors, "d 2 to 6, 70 rounds, compiled and step by step", "distance, or rewards"),
    ),
    Audit(
        "shariff_sheffet_2018.optimal_arm",
        "points.sets_refused",
        "settings of Sphere and LeastExploredAdversary that are none",
        beside(lambda: refusals(REFUSED), "listed values, and those at the ends", "values taken or refused by mistake"),
    ),
)
