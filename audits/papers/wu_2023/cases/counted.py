"""wu_2023: rewards of a batch by their counts, as eliminations may draw them, number by number beside their definitions.

NUMBERS  binomial numbers, from the kernel in plain Python: by inversion the least count whose distribution function exceeds a uniform; by
         rejection the candidates of Hormann (1993), each accepted where the exact probability says so. The shipped code's squeeze and its
         series accept no other ones.
COUNTS   how often each reward of an arm comes in a batch
"""

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws.binomial import binomial
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.two_point import TwoPoint
from banditproof.audits.common.drawn_rewards import RUN, near
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.wu_2023.cases import rewards
from banditproof.audits.privacy.followed import Rebuilt
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Words
from banditproof.kernels import tally_of
from banditproof.randomness import key_of
from banditproof.theory.papers.wu_2023 import lower_bound, setting

TRIALS, CHANCES, EACH = (1, 2, 9, 33, 150, 400, 2_000, 60_000), (0.0, 0.0004, 0.06, 0.3, 0.5, 0.61, 0.97, 1.0), 12
BATCHES = ((0, 1), (1, 30), (77, 600), (4_000, 25_000))  # first round, rounds
BLOCKS_OF_A_NUMBER, FEW_EXPECTED = 256, 10.0


def _uniforms(key: Words, index: int) -> Iterator[tuple[float, float]]:
    """The first two numbers of the blocks from `index` on, multiples of 2^-53 in [0, 1)."""
    words = np.random.Philox(key=key, counter=np.array([index, randomness.REWARDS, RUN, 0], dtype=np.uint64))
    while True:
        first, second, _, _ = (int(word) // 2048 / 2.0**53 for word in words.random_raw(4))
        yield first, second


def _log_ratio(trials: int, chance: float, found: int, mode: int) -> float:
    """ln of the probability of `found` successes over that of the mode."""
    sizes = math.lgamma(mode + 1) + math.lgamma(trials - mode + 1) - math.lgamma(found + 1) - math.lgamma(trials - found + 1)
    return sizes + (found - mode) * (math.log(chance) - math.log1p(-chance))


def _by_inversion(left: float, trials: int, chance: float) -> int:
    """The least count whose distribution function exceeds `left`."""
    count, below = 0, 0.0
    while count < trials:
        below += math.comb(trials, count) * chance**count * (1.0 - chance) ** (trials - count)
        if below > left:
            break
        count += 1
    return count


def _by_rejection(uniforms: Iterator[tuple[float, float]], trials: int, chance: float) -> int:
    """Hormann 1993: the hat's constants are those of his table for BTRS; no squeeze."""
    deviation = math.sqrt(trials * chance * (1.0 - chance))
    b = 1.15 + 2.53 * deviation
    a, alpha = -0.0873 + 0.0248 * b + 0.01 * chance, (2.83 + 5.1 / b) * deviation
    mode = math.floor((trials + 1) * chance)
    for first, second in uniforms:
        u, v = first - 0.5, second + 2.0**-53
        us = 0.5 - abs(u)
        if us > 0.0:
            found = math.floor((2.0 * a / us + b) * u + trials * chance + 0.5)
            inside = 0 <= found <= trials
            if inside and math.log(v * alpha / (a / us**2 + b)) <= _log_ratio(trials, chance, found, mode):
                return found
    raise AssertionError("the blocks of a number do not end")


def number(key: Words, index: int, trials: int, probability: float) -> int:
    """The successes of so many trials that the blocks from `index` on stand for."""
    chance, uniforms = min(probability, 1.0 - probability), _uniforms(key, index)
    few = trials * chance < FEW_EXPECTED
    count = _by_inversion(next(uniforms)[0], trials, chance) if few else _by_rejection(uniforms, trials, chance)
    return count if probability <= 0.5 else trials - count


def _numbers() -> Iterator[At]:
    shipped, purpose = Rebuilt({}).function(binomial), randomness.REWARDS
    for trials in TRIALS:
        for chance in CHANCES:
            key = key_of(trials, "counted", str(chance))
            words, places = np.append(key, np.uint64(RUN)), range(0, EACH * BLOCKS_OF_A_NUMBER, BLOCKS_OF_A_NUMBER)
            stated = [number(key, place, trials, chance) for place in places]
            yield near({"trials": trials, "probability": chance}, stated, partial(_drawn, shipped, words, purpose, places, trials, chance))


def _drawn(shipped: Callable[..., int], words: Words, purpose: int, places: range, trials: int, chance: float) -> list[int]:
    return [shipped(words, purpose, place, trials, chance) for place in places]


def _counted(environment: Bernoulli | TwoPoint, words: Words, first: int, rounds: int) -> list[list[float]]:
    """The values and the counts of every arm's rewards in a batch, from the kernel in plain Python."""
    drawn_at_once, setup, found = tally_of(environment.reward), environment.setup(), []
    if drawn_at_once is None:
        raise ValueError(f"{environment}: must draw rewards by their counts")
    tally = Rebuilt({}).function(drawn_at_once)
    for arm in range(environment.arms):
        values, counts = np.full(4, -1.0), np.full(4, -1)
        several = tally(setup, np.zeros(0), first, rounds, words, arm, values, counts)
        found.append([*values[:several], *counts[:several].astype(float)])
    return found


def _counts(cases: tuple["Counted", ...]) -> Iterator[At]:
    for place, (environment, value, probabilities) in enumerate(cases):
        key = key_of(place, "counted", "batches")
        for first, rounds in BATCHES:
            counts = [number(key, BLOCKS_OF_A_NUMBER * first, rounds, probability) for probability in probabilities]
            stated = [[value, 0.0, count, rounds - count] for count in counts]
            where = {"case": str(environment), "first": first, "rounds": rounds}
            yield near(where, stated, _counted, environment, np.append(key, np.uint64(RUN)), first, rounds)


Counted = tuple[Bernoulli | TwoPoint, float, tuple[float, ...]]  # an environment, its other value than 0, and the probabilities of that


def _coins(*means: float) -> Counted:
    return Bernoulli(means), 1.0, means


def _two_points() -> Iterator[Counted]:
    for case in rewards.CASES["two_point"][1]:
        if isinstance(own := case.environment, TwoPoint):
            yield own, float(1 / own.gamma), tuple(float(weight * own.gamma**own.moment) for weight in own.weights)


def _audit(theorem: str, slug: str, label: str, cases: tuple[Counted, ...]) -> Audit:
    domain = f"{len(cases)} environments, {len(BATCHES)} batches of every arm"
    return Audit(theorem, f"points.{slug}", label, Pointwise(partial(_counts, cases), domain, "distance"))


NUMBERS = Audit(
    setting.RAW_MOMENT_CLASS.id,
    "points.binomial_numbers",
    "binomial numbers that stand for a batch of Bernoulli rewards",
    Pointwise(_numbers, f"{len(TRIALS)} numbers of trials, {len(CHANCES)} probabilities, {EACH} of each", "distance"),
)
_BERNOULLI = (_coins(0.3, 0.7), _coins(0.25, 0.0, 1.0, 0.5, 0.9))
COUNTS = (
    _audit(setting.RAW_MOMENT_CLASS.id, "bernoulli_counted", "Bernoulli rewards of a batch by their counts", _BERNOULLI),
    _audit(lower_bound.TWO_POINT_PROBLEMS.id, "two_point_counted", "two-point rewards of a batch by their counts", tuple(_two_points())),
)
