"""Decision sets of unit vectors, fresh in every round, with mean rewards <x, e_1> (Shariff and Sheffet 2018, Appendix D).

One arm is uniform on {|x| = 1, x_1 = top}; the others are independent and uniform on {|x| = 1, low <= x_1 <= high}: the gap is top - high,
if that is positive. The unknown parameter is e_1: learners that treat all directions alike do the same with any other unit vector.

"Uniform" is by surface: x_1 has density proportional to (1 - z^2)^((d - 3) / 2), and the rest of x is uniform on the sphere of radius
sqrt(1 - x_1^2) in R^m, m = d - 1. That is drawn two coordinates at a time, at a uniform angle: the squared lengths of the pairs are to each
other as independent exponentials (those of normals), and a coordinate that is left over is as one of a pair of which the other is thrown
away. For m = 4 one uniform is enough, and for m = 3 too, which cuts off its third coordinate (Archimedes).

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
from banditproof.algorithms.draws import coins, kept_normals, sphere
from banditproof.algorithms.draws.arrays import logarithm_lanes, turned
from banditproof.algorithms.draws.coins import coin
from banditproof.algorithms.draws.kept_normals import kept_normal
from banditproof.algorithms.draws.sphere import quantile_in_five, quantiles
from banditproof.algorithms.draws.words import LANES, coarse_lanes
from banditproof.algorithms.environments.common.linear_rewards import shifted, signs
from banditproof.guarantees import require
from banditproof.interaction import Floats, Kernel, Words, rounds_of_block, vectors_of_block
from banditproof.kernels import PRESENT, PRESENT_SETS, REWARD, compiled, copy, of_lanes
from banditproof.lanes import EIGHT, WIDE, Lanes, read, roots, select, take, write, zeros
from banditproof.randomness import short_key
from banditproof.typical import Values, between, whole_numbers


class Rewards(Enum):
    """The distribution of a reward with a given mean."""

    SIGNS = "signs"  # 1 with probability (1 + mean) / 2, else -1
    GAUSSIAN = "gaussian"  # mean + spread times a standard normal


_TOP, _FEWEST, _STANDARD_DEVIATION, _LOW, _HIGH, _ARMS, _ROUNDS, _SHIFT, _VECTORS, _ROOM, _COINS = range(11)  # standard deviation 0: signs
_NORMALS = _COINS + coins.ROOM
_TABLE = _NORMALS + kept_normals.ROOM
_HALF_STEP = 2.0**-33  # of the grid of uniforms: their logarithm is finite
_SETS = 1 << 61  # where the addresses of what is drawn once per round begin


def numbers_an_arm(dimension: int) -> int:
    """Uniforms that one unit vector takes: one for x_1, and for the m = d - 1 others m if m <= 3, 3 if m = 4, else m or m + 1, an even
    number."""
    others = dimension - 1
    return 1 + (min(others, 3) if others <= 4 else others + others % 2)


def room_numbers(dimension: int, arms: int) -> int:
    """Numbers of a `Room`."""
    count, blocks, rounds = vectors_of_block(dimension, arms), (numbers_an_arm(dimension) + 3) // 4, rounds_of_block(dimension, arms)
    return 8 + (dimension + 6) * count + (4 * blocks + dimension) * LANES + 4 * (-(-rounds // LANES) * LANES)


numbers_of = compiled(numbers_an_arm, inline=True)


class Room(NamedTuple):
    """The block of sets at the end of `setup`, and scratch to draw it; n vectors."""

    drawn: Words  # (4,): what the block was drawn for: the key, and 1 + its number; 0 at first
    stream: Words  # (4,)
    means: Floats  # (n,), those of the first round, then the next
    features: Floats  # (d, n)
    words: Floats  # (4, n): the first random block of each vector
    rows: Floats  # (n,)
    numbers: Floats  # (4 b, LANES), b random blocks a vector
    sizes: Floats  # (d, LANES)
    once: Floats  # (4, rounds): what is drawn once per round


def _room(setup: Floats, dimension: int) -> Room:
    rounds, count = (int(setup[_ROUNDS]) + LANES - 1) // LANES * LANES, int(setup[_VECTORS])
    blocks = (numbers_of(dimension) + 3) // 4
    words = setup.view(np.uint64)[max(int(setup[_ROOM]), 0) :]
    rest = setup[max(int(setup[_ROOM]) + 8, 0) :]
    means, rest = rest[:count], rest[count:]
    features, rest = rest[: dimension * count].reshape((dimension, count)), rest[dimension * count :]
    first, rest = rest[: 4 * count].reshape((4, count)), rest[4 * count :]
    rows, rest = rest[:count], rest[count:]
    numbers, rest = rest[: 4 * blocks * LANES].reshape((4 * blocks, LANES)), rest[4 * blocks * LANES :]
    sizes, once = rest[: dimension * LANES].reshape((dimension, LANES)), rest[dimension * LANES :].reshape((4, rounds))
    return Room(words[:4], words[4:8], means, features, first, rows, numbers, sizes, once)


room_of = compiled(_room, inline=True)


def _extend_in_five(words: Floats, features: Floats, place: int, rest: Lanes) -> None:
    """Rows 1 to 4 of features, from `place` on, `rest` being the squared lengths left to them."""
    cosine, sine = turned(read(words[1], place, WIDE))
    share = read(words[2], place, WIDE) * rest
    length = roots(rest - share)
    write(features[3], place, length * cosine)
    write(features[4], place, length * sine)
    cosine, sine = turned(read(words[3], place, WIDE))
    length = roots(share)
    write(features[1], place, length * cosine)
    write(features[2], place, length * sine)


def _extend_few(words: Floats, features: Floats, place: int, rest: Lanes) -> None:
    """The same for the last 1, 2 or 3 coordinates."""
    others, first = features.shape[0] - 1, read(words[1], place, WIDE)
    if others == 1:
        length = roots(rest)
        write(features[1], place, select(first < 0.5, length, -length))
        return
    cosine, sine = turned(first)
    share = 0.0 * rest
    if others == 3:
        height = 2.0 * read(words[2], place, WIDE) - 1.0
        share = height * height * rest
        write(features[3], place, height * roots(rest))
    length = roots(rest - share)
    write(features[1], place, length * cosine)
    write(features[2], place, length * sine)


def _extend_many(numbers: Floats, sizes: Floats, features: Floats, place: int, rest: Lanes) -> None:
    """The same for five or more: numbers (4 b, LANES) are the uniforms of LANES vectors, of these from place mod LANES on, the first row
    not used; sizes (d, LANES) is scratch."""
    others, start = features.shape[0] - 1, place % LANES
    pairs, total = (others + 1) // 2, 0.0 * rest
    for pair in range(pairs):
        size = -logarithm_lanes(read(numbers[1 + 2 * pair], start, WIDE) + _HALF_STEP)
        write(sizes[pair], 0, size)
        if 2 * pair + 1 == others:
            cosine, _ = turned(read(numbers[2 + 2 * pair], start, WIDE))
            size = size * (cosine * cosine)
        total = total + size
    scale = rest / total
    for pair in range(pairs):
        cosine, sine = turned(read(numbers[2 + 2 * pair], start, WIDE))
        length = roots(read(sizes[pair], 0, WIDE) * scale)
        write(features[1 + 2 * pair], place, length * cosine)
        if 2 * pair + 1 < others:
            write(features[2 + 2 * pair], place, length * sine)


extend_in_five, extend_few = of_lanes(_extend_in_five), of_lanes(_extend_few)
extend_many = of_lanes(_extend_many)


def _draw_numbers(stream: Words, words: Floats, vector: int, place: int, numbers: Floats) -> None:
    """The uniforms of the LANES vectors from `vector` on, whose first random block stands in words (4, n) from `place` on."""
    blocks = numbers.shape[0] // 4
    for row in range(4):
        write(numbers[row], 0, read(words[row], place, LANES))
    for each in range(1, blocks):
        one, two, three, four = coarse_lanes(stream, vector * blocks + each, blocks)
        write(numbers[4 * each], 0, one)
        write(numbers[4 * each + 1], 0, two)
        write(numbers[4 * each + 2], 0, three)
        write(numbers[4 * each + 3], 0, four)


draw_numbers = compiled(_draw_numbers, inline=True)


def _draw(setup: Floats, key: Words, first: int, features: Floats, means: Floats) -> None:
    """The sets of the rounds from `first` on, side by side: features (d, n), means (n,), n = `vectors_of_block`."""
    dimension = features.shape[0]
    room = room_of(setup, dimension)
    words, numbers, stream, once = room.words, room.numbers, room.stream, room.once
    rounds, blocks, count = int(setup[_ROUNDS]), numbers.shape[0] // 4, means.shape[0]
    arms = int(setup[_ARMS])
    short_key(key, randomness.CONTEXTS, stream)
    for place in range(0, count, LANES):
        one, two, three, four = coarse_lanes(stream, (first * arms + place) * blocks, blocks)
        write(words[0], place, one)
        write(words[1], place, two)
        write(words[2], place, three)
        write(words[3], place, four)
    if dimension == 5:  # the papers' experiments
        for place in range(0, count, WIDE):
            write(means, place, quantile_in_five(setup[_LOW], setup[_HIGH], read(words[0], place, WIDE)))
    else:
        quantiles(setup[_TABLE:], words[0], room.rows, means)
    for place in range(0, once.shape[1], LANES):
        one, two, _, _ = coarse_lanes(stream, _SETS + first + place, 1)
        write(once[0], place, one)
        write(once[1], place, two)
    fewest = int(setup[_FEWEST])
    for each in range(rounds):
        size = fewest + int(once[0, each] * (arms - fewest + 1))
        means[each * arms + int(once[1, each] * size)] = setup[_TOP]
        once[2, each] = size
    for place in range(0, count, WIDE):
        mean = read(means, place, WIDE)
        write(features[0], place, mean)
        rest = (1.0 - mean) * (1.0 + mean)  # the squared length that is left
        if dimension == 5:
            extend_in_five(words, features, place, rest)
        elif dimension < 5:
            extend_few(words, features, place, rest)
        else:
            if place % LANES == 0:
                draw_numbers(stream, words, first * arms + place, place, numbers)
            extend_many(numbers, room.sizes, features, place, rest)
    for each in range(rounds):
        size = int(once[2, each])
        for arm in range(size, arms):
            means[each * arms + arm] = means[each * arms + arm % size]
            for column in range(dimension):
                features[column, each * arms + arm] = features[column, each * arms + arm % size]


draw = compiled(_draw)


def _draw_room(setup: Floats, key: Words, block: int, dimension: int) -> None:
    """The sets of a block of rounds, to the end of `setup`."""
    room = room_of(setup, dimension)
    draw(setup, key, block << int(setup[_SHIFT]), room.features, room.means)
    copy(key, room.drawn)
    room.drawn[3] = block + 1


draw_room = compiled(_draw_room)


def _sets(setup: Floats, memory: Floats, key: Words, first: int, sets: Floats, means: Floats, rewards: Floats) -> int:
    draw(setup, key, first, sets, means)
    arms = int(setup[_ARMS])
    for each in range(int(setup[_ROUNDS])):
        if setup[_STANDARD_DEVIATION] == 0.0:
            signs(means, each * arms, arms, coin(setup[_COINS:], key, randomness.REWARDS, first + each), rewards, each * arms)
        else:
            noise = setup[_STANDARD_DEVIATION] * kept_normal(setup[_NORMALS:], key, randomness.REWARDS, first + each)
            shifted(means, each * arms, arms, noise, rewards, each * arms)
    return first + 1


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    arms, dimension = contexts.shape
    block, start = round >> int(setup[_SHIFT]), int(setup[_ROOM])
    features, drawn, vectors = contexts.T, setup.view(np.uint64)[start:], int(setup[_VECTORS])
    if drawn[0] != key[0] or drawn[1] != key[1] or drawn[2] != key[2] or drawn[3] != np.uint64(block + 1):
        draw_room(setup, key, block, dimension)
    place = start + 8 + (round - (block << int(setup[_SHIFT]))) * arms  # the `Room` as it lies there
    take(setup, place, means, arms)
    for column in range(dimension):
        take(setup, place + (column + 1) * vectors, features[column], arms)
    return round + 1


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    if setup[_STANDARD_DEVIATION] == 0.0:
        return 1.0 if coin(setup[_COINS:], key, randomness.REWARDS, round) < (1.0 + contexts[arm, 0]) / 2.0 else -1.0
    return float(contexts[arm, 0] + setup[_STANDARD_DEVIATION] * kept_normal(setup[_NORMALS:], key, randomness.REWARDS, round))


present, reward = compiled(_present, PRESENT, block=compiled(_sets, PRESENT_SETS)), compiled(_reward, REWARD)


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
        start = -(-(_TABLE + len(table)) // EIGHT) * EIGHT
        head = [self.top, fewest, standard_deviation, self.low, self.high]
        head += [self.arms, rounds, rounds.bit_length() - 1, vectors, start, *([0.0] * (_TABLE - _COINS))]
        values = np.concatenate([head, table])
        setup = zeros(start + room_numbers(self.dimension, self.arms))
        setup[: len(values)] = values
        return setup

    def memory(self) -> Floats:
        return np.zeros(0)
