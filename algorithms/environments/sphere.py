"""Decision sets of unit vectors, fresh in every round, with mean rewards <x, e_1> (Shariff and Sheffet 2018, Appendix D).

One arm is uniform on {|x| = 1, x_1 = top}; the others are independent and uniform on {|x| = 1, low <= x_1 <= high}: the gap is top - high,
if that is positive. The unknown parameter is e_1: learners that treat all directions alike do the same with any other unit vector.

"Uniform" is by surface: x_1 has density proportional to (1 - z^2)^((d - 3) / 2), and the rest of x is uniform on the sphere of radius
sqrt(1 - x_1^2) in R^(d-1). That is drawn two coordinates at a time: the first m - 2 of m coordinates of a uniform point on the sphere are
uniform in the ball (Archimedes), so their squared length is u^(2 / (m - 2)), and the last two lie at a uniform angle on what is left.

All of it comes from uniforms of 32 bits: the distributions are those of reals up to a grid of 2^-32.

The best arm stands at a random index. With `fewest`, the number of distinct arms changes from round to round: it is uniform on
fewest .. K, and the arms beyond it are copies of the first ones, which changes nothing for the set that they form.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws import sphere
from banditproof.algorithms.draws.arrays import circle, coarse_uniforms, in_cache, powers
from banditproof.algorithms.draws.sphere import quantiles
from banditproof.guarantees import require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import PRESENT, REWARD, compiled
from banditproof.randomness import normal, uniform
from banditproof.typical import Values, between, whole_numbers


class Rewards(Enum):
    """The distribution of a reward with a given mean."""

    SIGNS = "signs"  # 1 with probability (1 + mean) / 2, else -1
    GAUSSIAN = "gaussian"  # mean + spread times a standard normal


_TOP, _FEWEST, _STANDARD_DEVIATION, _TABLE = range(4)  # spread 0: signs


def numbers_an_arm(dimension: int) -> int:
    """Uniforms that one unit vector takes: one for x_1, and for the m = d - 1 others m where m is odd, m - 1 where it is even."""
    others = dimension - 1
    return 1 + others - (1 - others % 2)


def _extend(scratch: Floats, arms: int, first: int, contexts: Floats, rest: Floats, cosines: Floats, sines: Floats, room: Floats) -> None:
    """Columns 1, 2, ... of contexts (n, d), the vectors of the arms from `first` on, rest (n,) being the squared lengths left to them."""
    count, dimension = contexts.shape
    left, place = dimension - 1, 1
    while left > 2:
        start = place * arms + first
        angles, fractions = scratch[start : start + count], scratch[start + arms : start + arms + count]
        circle(angles, cosines, sines)
        if left == 3:
            for arm in range(count):
                fractions[arm] = fractions[arm] * fractions[arm]
        elif left > 4:
            powers(fractions, 2.0 / (left - 2), room)
        for arm in range(count):
            fractions[arm] *= rest[arm]
        for arm in range(count):
            rest[arm] = math.sqrt(rest[arm] - fractions[arm])
        for arm in range(count):
            contexts[arm, left - 1] = rest[arm] * cosines[arm]
            contexts[arm, left] = rest[arm] * sines[arm]
        for arm in range(count):
            rest[arm] = fractions[arm]
        left, place = left - 2, place + 2
    last = scratch[place * arms + first : place * arms + first + count]
    for arm in range(count):
        rest[arm] = math.sqrt(rest[arm])
    if left == 2:
        circle(last, cosines, sines)
        for arm in range(count):
            contexts[arm, 1] = rest[arm] * cosines[arm]
            contexts[arm, 2] = rest[arm] * sines[arm]
    else:
        for arm in range(count):
            contexts[arm, 1] = rest[arm] if last[arm] < 0.5 else -rest[arm]


extend = compiled(_extend, inline=True)


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    # The last numbers of `setup` are room for those of one call, which read nothing from it: an array of its own would cost 50 ns.
    arms, dimension = contexts.shape
    numbers = numbers_of(dimension)
    blocks = (numbers * arms + 9) // 8
    scratch = setup[setup.shape[0] - 12 * blocks - 2 * arms :]
    words = scratch[8 * blocks + 2 * arms :]
    coarse_uniforms(key, randomness.CONTEXTS, round * blocks, scratch[: 8 * blocks], words)
    fewest = int(setup[_FEWEST])
    size = fewest + int(scratch[numbers * arms + 1] * (arms - fewest + 1))
    best = int(scratch[numbers * arms] * size)
    rest, cosines, sines = (
        scratch[:arms],
        scratch[8 * blocks : 8 * blocks + arms],
        scratch[8 * blocks + arms : 8 * blocks + 2 * arms],
    )
    quantiles(setup[_TABLE:], rest, cosines, means)
    means[best] = setup[_TOP]
    for arm in range(arms):
        contexts[arm, 0] = means[arm]
    for arm in range(arms):
        rest[arm] = (1.0 - means[arm]) * (1.0 + means[arm])  # the squared length that is left
    for first in range(0, arms, in_cache(dimension)):
        last = min(first + in_cache(dimension), arms)
        extend(scratch, arms, first, contexts[first:last], rest[first:last], cosines[: last - first], sines[: last - first], words)
    for arm in range(size, arms):
        means[arm] = means[arm % size]
        for column in range(dimension):
            contexts[arm, column] = contexts[arm % size, column]
    return round + 1


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    if setup[_STANDARD_DEVIATION] == 0.0:
        return 1.0 if uniform(key, randomness.REWARDS, round) < (1.0 + contexts[arm, 0]) / 2.0 else -1.0
    return float(contexts[arm, 0] + setup[_STANDARD_DEVIATION] * normal(key, randomness.REWARDS, round))


numbers_of = compiled(numbers_an_arm, inline=True)
present, reward = compiled(_present, PRESENT), compiled(_reward, REWARD)


@dataclass(frozen=True)
class Sphere:
    """K = `arms` unit vectors a round in R^d, d = `dimension`; by default the sets of experiment D.2 with a gap of 0.1.

    Without a gap: high = 0.75. `standard_deviation` is that of Gaussian rewards. Raises ValueError unless arms >= 2,
    dimension >= 2, -1 < low < high < 1, -1 < top < 1, 1 <= fewest <= arms and standard_deviation > 0.
    """

    dimension: int = 5
    arms: int = 25
    low: float = -0.75
    high: float = 0.65
    top: float = 0.75
    fewest: int | None = None
    rewards: Rewards = Rewards.SIGNS
    standard_deviation: float = 1.0
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "dimension": whole_numbers(2, 6),
        "arms": whole_numbers(3, 9),
        "low": between(-0.9, 0.0),
        "high": between(0.1, 0.9),
        "top": between(-0.9, 0.9),
        "fewest": (None, whole_numbers(1, 3)),
        "standard_deviation": between(0.1, 2.0),
    }

    def __post_init__(self) -> None:
        require(self.dimension >= 2, f"dimension = {self.dimension}: must be an integer >= 2 (a sphere)")
        require(self.arms >= 2, f"arms = {self.arms}: must be an integer >= 2")
        require(-1.0 < self.low < self.high < 1.0, f"low = {self.low}, high = {self.high}: must be -1 < low < high < 1 (mean rewards)")
        require(-1.0 < self.top < 1.0, f"top = {self.top}: must be > -1 and < 1 (a mean reward)")
        require(self.fewest is None or 1 <= self.fewest <= self.arms, f"fewest = {self.fewest}: must be >= 1 and <= {self.arms} (arms)")
        require(
            0.0 < self.standard_deviation < math.inf,
            f"standard_deviation = {self.standard_deviation}: must be > 0 and finite (a standard deviation)",
        )

    def setup(self) -> Floats:
        fewest = self.arms if self.fewest is None else self.fewest
        standard_deviation = self.standard_deviation if self.rewards is Rewards.GAUSSIAN else 0.0
        room = 12 * ((numbers_an_arm(self.dimension) * self.arms + 9) // 8) + 2 * self.arms
        return np.concatenate([[self.top, fewest, standard_deviation], sphere.table(self.dimension, self.low, self.high), np.zeros(room)])

    def memory(self) -> Floats:
        return np.zeros(0)
