"""The lower-bound constructions of Wu et al. 2023, Theorem 4.1, in exact fractions, and as an environment.

A two-point distribution has value 1/gamma with probability c gamma^k, else 0, with k = `moment`: its mean is c gamma^(k-1), its k-th moment
c.

    first instance     arm 0 has c = 1/2, the others 3/10
    second instance    the same, but arm `changed` (not 0) has c = 7/10 and is best

At contamination level alpha = gamma^k, arm `changed` pays outliers 1/gamma with probability 2/5 (1 - alpha) in the first instance, and all
other outliers are 0: then both instances have the same contaminated distributions.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

import numpy as np

from banditproof import glossary, randomness
from banditproof.algorithms.draws.binomial import ATTEMPTS, binomial
from banditproof.algorithms.environments.common.stationary import present
from banditproof.algorithms.environments.huber import ArmHuber, TwoValues
from banditproof.interaction import Floats, Ints, Kernel, Words
from banditproof.kernels import REWARD, REWARD_BLOCK, REWARD_TALLY, compiled
from banditproof.randomness import uniform
from banditproof.typical import Fractions, Several, Values, declares, whole_numbers

Distribution = Mapping[Fraction, Fraction]  # probability of each value

FIRST, OTHERS, CHANGED = Fraction(1, 2), Fraction(3, 10), Fraction(7, 10)
_GAMMAS, _MOMENTS, _OTHER_ARMS = Fractions(Fraction(1, 4), 1, 20), whole_numbers(2, 5), whole_numbers(1, 3)


def two_point_distribution(weight: Fraction, gamma: Fraction, moment: int) -> Distribution:
    """Value 1/gamma with probability weight gamma^moment, else 0."""
    _check(weight, gamma, moment)
    probability = Fraction(weight) * Fraction(gamma) ** moment
    return {1 / Fraction(gamma): probability, Fraction(0): 1 - probability}


def raw_moment(two_point_distribution: Distribution, order: int) -> Fraction:
    """E X^order; the mean is that of order 1."""
    return sum((probability * value**order for value, probability in two_point_distribution.items()), Fraction(0))


def total_variation(one: Distribution, other: Distribution) -> Fraction:
    """Half of the summed absolute differences of the probabilities."""
    zero = Fraction(0)
    return sum((abs(one.get(value, zero) - other.get(value, zero)) for value in {*one, *other}), zero) / 2


def mixture(inlier: Distribution, outlier: Distribution, alpha: Fraction) -> Distribution:
    """(1 - alpha) inlier + alpha outlier."""
    zero, fraction = Fraction(0), Fraction(alpha)
    return {value: (1 - fraction) * inlier.get(value, zero) + fraction * outlier.get(value, zero) for value in {*inlier, *outlier}}


def alpha(gamma: Fraction, moment: int) -> Fraction:
    """The contamination level of the construction: gamma^moment."""
    return Fraction(gamma) ** moment


def gap(gamma: Fraction, moment: int) -> Fraction:
    """Difference of the two best means, in either instance: gamma^(k-1) / 5."""
    return (FIRST - OTHERS) * Fraction(gamma) ** (moment - 1)


def outliers(gamma: Fraction, moment: int) -> tuple[Distribution, Distribution]:
    """The outlier distributions of arm `changed`, in the first and in the second instance; every other arm's is the latter."""
    weight, zero, one = (CHANGED - OTHERS) * (1 - alpha(gamma, moment)), Fraction(0), Fraction(1)
    return {1 / Fraction(gamma): weight, zero: 1 - weight}, {zero: one}


def private_gamma(arms: int, horizon: int, *, epsilon: float, moment: float) -> float:
    """((K - 1) / (T epsilon))^(1/k), which balances the private part. Raises ValueError where it exceeds 1: no such distribution exists."""
    rounds = glossary.HORIZON.require(horizon) * glossary.EPSILON.require(epsilon)
    gamma = math.pow((glossary.ARMS.require(arms) - 1) / rounds, 1.0 / glossary.MOMENT.require(moment))
    if gamma > 1.0:
        raise ValueError(f"gamma = {gamma:g}: must be <= 1, so horizon * epsilon >= arms - 1")
    return gamma


def _check(weight: Fraction, gamma: Fraction, moment: int) -> None:
    if not 0 < gamma <= 1:
        raise ValueError(f"gamma = {gamma}: must be > 0 and <= 1 (1 over the larger value)")
    if not 0 <= weight <= 1:
        raise ValueError(f"weight = {weight}: must be >= 0 and <= 1 (a moment in the unit class)")
    if moment != int(moment) or moment < 2:
        raise ValueError(f"moment = {moment}: must be an integer >= 2 (exact powers)")


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    arms = (setup.shape[0] - 1) // 2
    return float(setup[2 * arms]) if uniform(key, randomness.REWARDS, round) < setup[arms + arm] else 0.0


def _rewards(setup: Floats, memory: Floats, first: int, key: Words, arm: int, rewards: Floats) -> None:
    arms = (setup.shape[0] - 1) // 2
    value, probability = setup[2 * arms], setup[arms + arm]
    for place in range(rewards.shape[0]):
        rewards[place] = value if uniform(key, randomness.REWARDS, first + place) < probability else 0.0


def _tally(setup: Floats, memory: Floats, first: int, rounds: int, key: Words, arm: int, values: Floats, counts: Ints) -> int:
    arms = (setup.shape[0] - 1) // 2
    values[0], values[1] = setup[2 * arms], 0.0
    counts[0] = binomial(key, randomness.REWARDS, first * ATTEMPTS, rounds, setup[arms + arm])
    counts[1] = rounds - counts[0]
    return 2


reward = compiled(_reward, REWARD, block=compiled(_rewards, REWARD_BLOCK), tally=compiled(_tally, REWARD_TALLY))


@dataclass(frozen=True)
class TwoPoint:
    """Arm a has the distribution of weights[a]; one uniform per round serves every arm. Its numbers may be ints, fractions or floats, all
    exact.

    Raises ValueError unless K >= 2, 0 <= weight <= 1, 0 < gamma <= 1 and moment is an integer >= 2.
    """

    weights: tuple[Fraction, ...]
    gamma: Fraction
    moment: int
    dimension: int = field(default=0, init=False, repr=False)
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"weights": Several(Fractions(0, 1, 20), 3, 3), "gamma": _GAMMAS, "moment": _MOMENTS}

    def __post_init__(self) -> None:
        if len(self.weights) < 2:
            raise ValueError(f"weights = {self.weights}: must be those of at least 2 arms")
        for weight in self.weights:
            _check(weight, self.gamma, self.moment)

    @property
    def arms(self) -> int:
        return len(self.weights)

    def distributions(self) -> tuple[Distribution, ...]:
        return tuple(two_point_distribution(weight, self.gamma, self.moment) for weight in self.weights)

    def gaps(self) -> tuple[Fraction, ...]:
        """Distance of each mean from the best one."""
        means = [raw_moment(each, 1) for each in self.distributions()]
        return tuple(max(means) - mean for mean in means)

    def setup(self) -> Floats:
        value, distributions = 1 / Fraction(self.gamma), self.distributions()
        return np.array(
            [*(float(raw_moment(each, 1)) for each in distributions), *(float(each[value]) for each in distributions), float(value)]
        )

    def memory(self) -> Floats:
        return np.zeros(0)


def first_instance(arms: int, gamma: Fraction, *, moment: int) -> TwoPoint:
    """Arm 0 is best."""
    return TwoPoint((FIRST, *[OTHERS] * (int(glossary.ARMS.require(arms)) - 1)), gamma, moment)


@declares(changed=_OTHER_ARMS)
def second_instance(arms: int, gamma: Fraction, *, moment: int, changed: int = 1) -> TwoPoint:
    """Arm `changed` is best, arm 0 second. Raises ValueError unless 1 <= changed < arms."""
    weights = list(first_instance(arms, gamma, moment=moment).weights)
    _check_changed(changed, arms)
    weights[changed] = CHANGED
    return TwoPoint(tuple(weights), gamma, moment)


@declares(gamma=_GAMMAS, moment=_MOMENTS, changed=_OTHER_ARMS)
def first_contamination(arms: int, gamma: Fraction, *, moment: int, changed: int = 1) -> ArmHuber:
    """The corruption that makes the first instance look like the contaminated second one."""
    _check_changed(changed, arms)
    value, fraction = 1 / Fraction(gamma), outliers(gamma, moment)[0]
    distributions = [TwoValues(low=0.0, high=0.0)] * arms
    distributions[changed] = TwoValues(low=0.0, high=float(value), high_probability=float(fraction[value]))
    return ArmHuber(float(alpha(gamma, moment)), tuple(distributions))


@declares(gamma=_GAMMAS, moment=_MOMENTS)
def second_contamination(arms: int, gamma: Fraction, *, moment: int) -> ArmHuber:
    """The corruption of the second instance: every outlier is 0."""
    return ArmHuber(float(alpha(gamma, moment)), (TwoValues(low=0.0, high=0.0),) * int(glossary.ARMS.require(arms)))


def _check_changed(changed: int, arms: int) -> None:
    if not 1 <= changed < arms:
        raise ValueError(f"changed = {changed}: must be >= 1 and < {arms} (an arm other than the best one, 0)")
