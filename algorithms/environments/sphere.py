"""Decision sets of unit vectors, fresh in every round, with mean rewards <x, e_1> (Shariff and Sheffet 2018, Appendix D).

One arm is uniform on {|x| = 1, x_1 = top}; the others are independent and uniform on {|x| = 1, low <= x_1 <= high}: the gap is top - high,
if that is positive. The unknown parameter is e_1: learners that treat all directions alike do the same with any other unit vector.

"Uniform" is by surface: x_1 has density proportional to (1 - z^2)^((d - 3) / 2), and the rest of x is uniform on the sphere of radius
sqrt(1 - x_1^2) in R^(d-1). That is drawn two coordinates at a time: the first m - 2 of m coordinates of a uniform point on the sphere are
uniform in the ball (Archimedes), so their squared length is u^(2 / (m - 2)), and the last two lie at a uniform angle on what is left.

All of it comes from uniforms of 32 bits: the distributions are those of reals up to a grid of 2^-32. Sets are drawn by blocks of rounds, so
that vector instructions are full; each number has its address (round and arm, or round), so that a set does not depend on its block.

The best arm stands at a random index. With `fewest`, the number of distinct arms changes from round to round: it is uniform on
fewest .. K, and the arms beyond it are copies of the first ones, which changes nothing for the set that they form.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, NamedTuple

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws import sphere
from banditproof.algorithms.draws.arrays import circle, powers
from banditproof.algorithms.draws.sphere import quantiles, quantiles_in_five
from banditproof.algorithms.draws.words import coarse_uniforms
from banditproof.guarantees import require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import PRESENT, REWARD, compiled, copy, take
from banditproof.randomness import normal, short_key, uniform
from banditproof.typical import Values, between, whole_numbers


class Rewards(Enum):
    """The distribution of a reward with a given mean."""

    SIGNS = "signs"  # 1 with probability (1 + mean) / 2, else -1
    GAUSSIAN = "gaussian"  # mean + spread times a standard normal


_TOP, _FEWEST, _STANDARD_DEVIATION, _LOW, _HIGH, _ROUNDS, _SHIFT, _VECTORS, _ROOM, _TABLE = range(10)  # standard deviation 0: signs
_MOST_VECTORS, _MOST_NUMBERS, _MOST_ROUNDS = 256, 4096, 64  # of a block
_SETS = 1 << 61  # where the addresses of what is drawn once per round begin


def numbers_an_arm(dimension: int) -> int:
    """Uniforms that one unit vector takes: one for x_1, and for the m = d - 1 others m where m is odd, m - 1 where it is even."""
    others = dimension - 1
    return 1 + others - (1 - others % 2)


def rounds_of_block(dimension: int, arms: int) -> int:
    """How many rounds' sets are drawn at a time: a power of 2."""
    most = max(1, min(min(_MOST_VECTORS, _MOST_NUMBERS // dimension) // arms, _MOST_ROUNDS))
    return 1 << (most.bit_length() - 1)


def vectors_of_block(dimension: int, arms: int) -> int:
    """How many vectors there is room for: whole vector instructions."""
    return -(-rounds_of_block(dimension, arms) * arms // 32) * 32


def _extend(uniforms: Floats, features: Floats, rest: Floats, cosines: Floats, sines: Floats, room: Floats) -> None:
    """Rows 1, 2, ... of features (d, n), n vectors side by side, rest (n,) being the squared lengths left to them."""
    dimension, count = features.shape
    left, place = dimension - 1, 1
    while left > 2:
        angles, fractions = uniforms[place], uniforms[place + 1]
        circle(angles, cosines, sines)
        if left == 3:
            for each in range(count):
                fractions[each] = fractions[each] * fractions[each]
        elif left > 4:
            powers(fractions, 2.0 / (left - 2), room)
        along, across = features[left - 1], features[left]
        for each in range(count):  # few arrays in each loop: with more the compiler no longer checks whether they overlap
            fractions[each] *= rest[each]
        for each in range(count):
            rest[each] = math.sqrt(rest[each] - fractions[each])
        for each in range(count):
            along[each] = rest[each] * cosines[each]
            across[each] = rest[each] * sines[each]
        copy(fractions, rest)
        left, place = left - 2, place + 2
    last, along = uniforms[place], features[1]
    if left == 2:
        across = features[2]
        circle(last, cosines, sines)
        for each in range(count):
            rest[each] = math.sqrt(rest[each])
        for each in range(count):
            along[each] = rest[each] * cosines[each]
            across[each] = rest[each] * sines[each]
    else:
        for each in range(count):
            length = math.sqrt(rest[each])
            along[each] = length if last[each] < 0.5 else -length


extend = compiled(_extend, inline=True)


def room_numbers(dimension: int, arms: int) -> int:
    """Numbers of a `Room`."""
    count = vectors_of_block(dimension, arms)
    return (dimension + 6 + 4 * ((numbers_an_arm(dimension) + 3) // 4)) * count + 4 * rounds_of_block(dimension, arms) + 8


numbers_of = compiled(numbers_an_arm, inline=True)


class Room(NamedTuple):
    """The block of sets at the end of `setup`, and scratch to draw it; n vectors."""

    drawn: Words  # (4,): what the block was drawn for: the key, and 1 + its number; 0 at first
    stream: Words  # (4,)
    means: Floats  # (n,), those of the first round, then the next
    features: Floats  # (d, n)
    uniforms: Floats  # (4 b, n), b random blocks a vector
    scratch: Floats  # (5, n)
    once: Floats  # (4, rounds): what is drawn once per round


def _room(setup: Floats, dimension: int) -> Room:
    rounds, count = int(setup[_ROUNDS]), int(setup[_VECTORS])
    blocks = (numbers_of(dimension) + 3) // 4
    words = setup.view(np.uint64)[max(int(setup[_ROOM]), 0) :]
    rest = setup[max(int(setup[_ROOM]) + 8, 0) :]
    means, rest = rest[:count], rest[count:]
    features, rest = rest[: dimension * count].reshape((dimension, count)), rest[dimension * count :]
    blocks = (numbers_of(dimension) + 3) // 4
    uniforms, rest = rest[: 4 * blocks * count].reshape((4 * blocks, count)), rest[4 * blocks * count :]
    scratch, once = rest[: 5 * count].reshape((5, count)), rest[5 * count :].reshape((4, rounds))
    return Room(words[:4], words[4:8], means, features, uniforms, scratch, once)


room_of = compiled(_room, inline=True)


def _draw(setup: Floats, key: Words, block: int, dimension: int, arms: int) -> None:
    """The sets of a block of rounds, to the end of `setup`."""
    room = room_of(setup, dimension)
    features, means, uniforms, scratch, stream = room.features, room.means, room.uniforms, room.scratch, room.stream
    rounds, blocks = room.once.shape[1], uniforms.shape[0] // 4
    count, first = means.shape[0], block * rounds
    copy(key, room.drawn)
    room.drawn[3] = block + 1
    short_key(key, randomness.CONTEXTS, stream)
    for each in range(blocks):
        coarse_uniforms(stream, first * arms * blocks + each, blocks, rounds * arms, uniforms[4 * each : 4 * each + 4])
    rest, cosines, sines = scratch[0], scratch[1], scratch[2]
    if dimension == 5:  # the papers' experiments
        quantiles_in_five(setup[_LOW], setup[_HIGH], uniforms[0], means)
    else:
        quantiles(setup[_TABLE:], uniforms[0], rest, means)
    once = room.once
    coarse_uniforms(stream, _SETS + first, 1, rounds, once)
    fewest = int(setup[_FEWEST])
    for each in range(rounds):
        size = fewest + int(once[0, each] * (arms - fewest + 1))
        means[each * arms + int(once[1, each] * size)] = setup[_TOP]
        once[2, each] = size
    copy(means, features[0])
    for each in range(count):
        rest[each] = (1.0 - means[each]) * (1.0 + means[each])  # the squared length that is left
    extend(uniforms, features, rest, cosines, sines, scratch.reshape(5 * count)[3 * count :])
    for each in range(rounds):
        size = int(once[2, each])
        for arm in range(size, arms):
            means[each * arms + arm] = means[each * arms + arm % size]
            for column in range(dimension):
                features[column, each * arms + arm] = features[column, each * arms + arm % size]


draw = compiled(_draw)


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    arms, dimension = contexts.shape
    block = round >> int(setup[_SHIFT])
    place = (round - (block << int(setup[_SHIFT]))) * arms
    features, words, vectors = contexts.T, setup.view(np.uint64), int(setup[_VECTORS])
    start = max(int(setup[_ROOM]), 0)
    if words[start] != key[0] or words[start + 1] != key[1] or words[start + 2] != key[2] or words[start + 3] != block + 1:
        draw(setup, key, block, dimension, arms)
    place += start + 8  # the `Room` as it lies there
    take(setup, place, means, arms)
    for column in range(dimension):
        take(setup, place + (column + 1) * vectors, features[column], arms)
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
        table = sphere.table(self.dimension, self.low, self.high) if self.dimension != 5 else np.zeros(0)
        rounds, vectors = rounds_of_block(self.dimension, self.arms), vectors_of_block(self.dimension, self.arms)
        head = [self.top, fewest, standard_deviation, self.low, self.high]
        head += [rounds, rounds.bit_length() - 1, vectors, _TABLE + len(table)]
        return np.concatenate([head, table, np.zeros(room_numbers(self.dimension, self.arms))])

    def memory(self) -> Floats:
        return np.zeros(0)
