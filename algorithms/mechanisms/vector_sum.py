"""Sums of vectors from one-bit messages behind a shuffler (Cheu et al.), as used for linear bandits (Chowdhury and Zhou 2022).

For each number v of a user's contribution to the sums (the lower triangle of x x', then y x; y alone without features), held to [-L, L]:
with q = (v + L) g / L he sends floor(q) + Bernoulli(q - floor(q)) ones among 2 g bits, and b bits that are 1 with probability 1/4. Each
message carries the label of its coordinate. The server's estimate of a sum over n users is (L / g) (ones - b n / 4) - n L: its mean is the
sum (sheet `ldp_linucb_2024`, section 8).

`Encoding.BITS` sends every bit as a message of its own: then the shuffled messages of a batch say no more than the number of ones of each
coordinate. `Encoding.COUNTS` is the form of the public script: one message per coordinate, whose number is the user's count of ones; then
the shuffled messages show each user's count, though not whose it is.

Parameters. g = max(2 sqrt(B), d, 4) and b = floor(factor g^2 ln(d / delta)^2 / (epsilon^2 B)) in the script, ln(d^2 / delta) in the paper's
variant; the script's `factor` is 1 at epsilon = 0.2 and 10 at 1 and 10, here 10 above 0.2. The script has features of norm L = sqrt(2), so
that entries of x x' reach 2 and leave [-L, L]; it does not clip.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, NamedTuple

import numpy as np

from banditproof import glossary, randomness
from banditproof.algorithms.draws.words import FINE_UNIT, LANES, fine, short_block, short_lanes
from banditproof.algorithms.mechanisms.gram.local import clipped, report_width
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View, require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import RANDOMISE, compiled, of_lanes
from banditproof.lanes import floats, read, select, write
from banditproof.mechanism import Neighbours
from banditproof.randomness import key_from, short_key
from banditproof.typical import Values, between, whole_numbers

_ONE, _TWO, _FOUR, _EIGHT, _SIXTEEN, _HALF = (np.uint64(1 << each) for each in range(6))
_PAIRS, _QUADS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BYTES, _LAST, _SIZE = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x7F), np.uint64(64)
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)
_RESOLUTION, _TRIALS, _BOUND, _CLIPS, _BITS, _NORM, _STREAM = range(7)
_FEW, _MANY = 32, 64  # trials in the first block of a number, and in each of the others


class Encoding(Enum):
    """What one message is."""

    COUNTS = "counts"  # a label and a number of ones
    BITS = "bits"  # a label and one bit


class Logarithm(Enum):
    """Inside the square of b."""

    SCRIPT = "script"  # ln(d / delta)
    PAPER = "paper"  # ln(d^2 / delta)


def resolution(batch: int, dimension: int) -> float:
    """g = max(2 sqrt(B), d, 4)."""
    require(batch >= 1, f"batch = {batch}: must be an integer >= 1 (users)")
    return max(2.0 * math.sqrt(batch), float(dimension), 4.0)


def trials(
    epsilon: float, delta: float, *, batch: int, dimension: int, factor: float = 1.0, logarithm: Logarithm = Logarithm.SCRIPT
) -> float:
    """b before it is rounded down: factor g^2 ln(d^p / delta)^2 / (epsilon^2 B), p = 1 or 2. Without features d counts as 1."""
    glossary.EPSILON.require(epsilon)
    size = max(dimension, 1) ** (1 if logarithm is Logarithm.SCRIPT else 2)
    return factor * resolution(batch, dimension) ** 2 * math.log(size / glossary.DELTA.require(delta)) ** 2 / (epsilon**2 * batch)


def script_factor(epsilon: float) -> float:
    """The factor on b that the script has for this privacy loss."""
    return 1.0 if epsilon <= 0.2 else 10.0


def noise_variance(resolution: float, trials: float, bound: float) -> float:
    """Largest variance of one user's share of an estimated sum: (L / g)^2 (3 b / 16 + 1 / 4)."""
    return (bound / resolution) ** 2 * (3.0 * trials / 16.0 + 0.25)


def _ones(word: Any) -> Any:
    """Ones among the 64 bits of a word, or of each of several side by side."""
    word = word - ((word >> _ONE) & _PAIRS)
    word = (word & _QUADS) + ((word >> _TWO) & _QUADS)
    word = (word + (word >> _FOUR)) & _BYTES
    word = word + (word >> _EIGHT)
    word = word + (word >> _SIXTEEN)
    word = word + (word >> _HALF)
    return word & _LAST


ones = of_lanes(_ones)


def _blocks(trials: int) -> int:
    """Random blocks of a number with so many trials. Two words of the first are the uniform that rounds it, the others 32 trials."""
    return 1 + (max(trials - _FEW, 0) + _MANY - 1) // _MANY


def _many(one: Any, two: Any, three: Any, four: Any) -> Any:
    """64 trials of success probability 1/4, a bit each."""
    return (one & two) | ((three & four) << _HALF)


def _first_ones(word: Any, number: int) -> Any:
    """Of the first bits of a word, `number` >= 1 or all 64, or of several words side by side: how many are 1."""
    return ones(word & (_FULL >> (_SIZE - np.uint64(min(number, _MANY)))))


blocks_of, many_of, first_ones = compiled(_blocks, inline=True), of_lanes(_many), of_lanes(_first_ones)


def _quarters(stream: Words, index: int, word: np.uint64, number: int) -> int:
    """A binomial number of `number` trials with success probability 1/4, from the blocks from `index` on; `word` has the trials of the
    first one."""
    if number == 0:
        return 0
    total = int(first_ones(word, min(number, _FEW)))
    for chunk in range(1, blocks_of(number)):
        one, two, three, four = short_block(stream, np.uint64(index + chunk))
        others = many_of(np.uint64(one), np.uint64(two), np.uint64(three), np.uint64(four))
        total += int(first_ones(others, number - _FEW - _MANY * (chunk - 1)))
    return total


quarters = compiled(_quarters, inline=True)


def _number(message: Floats, place: int, factor: float, response: float) -> float:
    """Coordinate `place` of a user's contribution."""
    size = message.shape[0] - 1
    entries = size * (size + 1) // 2
    if size == 0:
        return response
    if place >= entries:
        return float(response * (message[place - entries] * factor))
    row = 0
    while (row + 1) * (row + 2) // 2 <= place:
        row += 1
    return float((message[row] * factor) * (message[place - row * (row + 1) // 2] * factor))


number_of = compiled(_number, inline=True)


def _scaled(setup: Floats, number: float) -> tuple[float, float]:
    """q of a coordinate as a whole number and the rest. NaN stays NaN."""
    bound = setup[_BOUND]
    if number != number:
        return float(number), 0.0
    if setup[_CLIPS] > 0.0:
        number = min(max(number, -bound), bound)
    scaled = (number + bound) * setup[_RESOLUTION] / bound
    whole = math.floor(scaled)
    return float(whole), float(scaled - whole)


scaled_of = compiled(_scaled, inline=True)


def _send(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    size, drawn, bits = message.shape[0] - 1, int(setup[_TRIALS]), setup[_BITS] > 0.0
    numbers = size * (size + 1) // 2 + size if size > 0 else 1
    factor, response = clipped(message, setup[_NORM], setup[_CLIPS] > 0.0)
    each, stream, step = report.shape[0] // numbers, setup[_STREAM:].view(np.uint64), blocks_of(drawn)
    short_key(key, randomness.CLIENT, stream)
    for place in range(numbers):
        first = (round * numbers + place) * step
        whole, rest = scaled_of(setup, number_of(message, place, factor, response))
        one, two, three, four = short_block(stream, np.uint64(first))
        count = whole + (1.0 if float(fine(np.uint64(one), np.uint64(two))) * FINE_UNIT < rest else 0.0)
        word = np.uint64(three) & np.uint64(four)
        if not bits:
            report[place, 0] = place
            report[place, 1] = count + quarters(stream, first, word, drawn)
            continue
        for bit in range(each):
            row, trial = place * each + bit, bit - (each - drawn)
            report[row, 0] = place
            if trial < 0:
                report[row, 1] = count if count != count else (1.0 if bit < count else 0.0)
                continue
            if trial >= _FEW and (trial - _FEW) % _MANY == 0:
                one, two, three, four = short_block(stream, np.uint64(first + 1 + (trial - _FEW) // _MANY))
                word = many_of(np.uint64(one), np.uint64(two), np.uint64(three), np.uint64(four))
            report[row, 1] = float(word & _ONE)
            word = word >> _ONE


send = compiled(_send, RANDOMISE)


class VectorSum(NamedTuple):
    """Client randomiser: (x, y), d + 1 numbers, becomes labelled messages (label, number) for a shuffler over so many `users`.

    One user's messages are not private by themselves: `ShuffledSum` is what the protocol's claim is about. `factor` is the script's by
    default, which must leave b >= 1; one that is named may leave none. `setup` and `messages` raise ValueError on values that do not fit;
    a message per bit needs `clips`.
    """

    epsilon: float
    delta: float
    users: int = 20
    bound: float = 1.0
    factor: float | None = None
    encoding: Encoding = Encoding.COUNTS
    logarithm: Logarithm = Logarithm.SCRIPT
    clips: bool = True
    features: int = 5

    @property
    def kernel(self) -> Kernel:
        return send

    def check(self) -> None:
        """Raises ValueError, naming the value and the rule, unless the parameters fit."""
        require(self.features >= 0, f"features = {self.features}: must be an integer >= 0")
        require(0.0 < self.bound < math.inf, f"bound = {self.bound}: must be > 0 and finite (L)")
        if self.factor is None:
            require(self.trials() >= 1, f"epsilon = {self.epsilon}: the script's factor leaves b = 0 trials; name a factor")
        else:
            require(0.0 < self.factor < math.inf, f"factor = {self.factor}: must be > 0 and finite (of the trials)")
        many = self.exact_trials()
        require(many <= 2.0**31, f"epsilon = {self.epsilon}: must be larger (a number would have {many:.3g} trials; 2^31 at most)")
        require(self.clips or self.encoding is Encoding.COUNTS, "clips = False: must be True for bits (there are 2 g of them)")

    def resolution(self) -> float:
        """g for vectors of `features` features."""
        return resolution(self.users, self.features)

    def exact_trials(self) -> float:
        """b before it is rounded down."""
        factor = script_factor(self.epsilon) if self.factor is None else self.factor
        size = {"batch": self.users, "dimension": self.features}
        return trials(self.epsilon, self.delta, factor=factor, logarithm=self.logarithm, **size)

    def trials(self) -> int:
        """b, rounded down."""
        return math.floor(self.exact_trials())

    def guarantee(self) -> None:
        return None

    def per_coordinate(self) -> int:
        """Messages of one user for one coordinate."""
        return 1 if self.encoding is Encoding.COUNTS else math.ceil(2.0 * self.resolution()) + self.trials()

    def messages(self, width: int) -> tuple[int, int]:
        self.check()
        return report_width(width - 1) * self.per_coordinate(), 2

    def setup(self) -> Floats:
        self.check()
        bits = float(self.encoding is Encoding.BITS)
        return np.array([self.resolution(), self.trials(), self.bound, float(self.clips), bits, self.bound, *(0.0,) * 4])  # four words


def _release(setup: Floats, key: Words, data: Floats, wholes: Floats, rests: Floats, releases: Floats) -> None:
    """The counts of ones of n users (n, d + 1) for p numbers, run by run and user by user, releases (whole lanes,); side by side.

    wholes and rests (n p + LANES,) are scratch: a run's numbers, and from the first on again."""
    size, drawn, stream = data.shape[1] - 1, int(setup[_TRIALS]), setup[_STREAM:].view(np.uint64)
    step, numbers = blocks_of(drawn), size * (size + 1) // 2 + size if size > 0 else 1
    short_key(key, randomness.CLIENT, stream)
    every = data.shape[0] * numbers
    for place in range(wholes.shape[0]):
        user = data[place % every // numbers]
        factor, response = clipped(user, setup[_NORM], setup[_CLIPS] > 0.0)
        wholes[place], rests[place] = scaled_of(setup, number_of(user, place % numbers, factor, response))
    for first in range(0, releases.shape[0], LANES):
        one, two, three, four = short_lanes(stream, first * step, step)
        whole, rest = read(wholes, first % every, LANES), read(rests, first % every, LANES)
        counts = select(floats(fine(one, two)) * FINE_UNIT < rest, whole + 1.0, whole)
        if drawn > 0:
            counts = counts + floats(first_ones(three & four, min(drawn, _FEW)))
        for chunk in range(1, step):
            one, two, three, four = short_lanes(stream, first * step + chunk, step)
            counts = counts + floats(first_ones(many_of(one, two, three, four), drawn - _FEW - _MANY * (chunk - 1)))
        write(releases, first, counts)


release_all = compiled(_release)


@dataclass(frozen=True)
class ShuffledSum:
    """What the shuffler hands on of one batch of `batch` users (x, y): a dataset of shape (n, d + 1).

    BITS: the number of ones of each coordinate, (p,), to which the shuffled bits amount. COUNTS: the users' counts of each coordinate in
    increasing order, (p n,): the order of shuffled messages says nothing more. Claimed: (epsilon, delta) for one user replaced, whatever
    the factor is; the script's by default.
    """

    epsilon: float
    delta: float
    batch: int = 20
    features: int = 2
    bound: float = 1.0
    factor: float | None = None
    encoding: Encoding = Encoding.BITS
    logarithm: Logarithm = Logarithm.SCRIPT
    theorems: tuple[str, ...] = field(default=("ldp_linucb_2024.vector_trials",), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "epsilon": between(1.0, 5.0),
        "delta": between(0.05, 0.5),
        "batch": whole_numbers(2, 9),
        "features": whole_numbers(1, 3),
        "bound": between(0.5, 2.0),
        "factor": between(0.1, 0.5),
    }

    def __post_init__(self) -> None:
        require(self.features >= 1, f"features = {self.features}: must be an integer >= 1")
        self.randomiser().check()

    def randomiser(self) -> VectorSum:
        """The users' part."""
        return VectorSum(
            self.epsilon, self.delta, self.batch, self.bound, self.factor, self.encoding, self.logarithm, features=self.features
        )

    def guarantee(self) -> ApproximateDP:
        return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.REPLACE_RECORD, View.SHUFFLED)

    def neighbours(self) -> Neighbours:
        """One user's row, all others 0. The worst pair of x x' and y x: features e_1, response 1, against e_2 (or 0 where d = 1) and -1."""
        still = [(0.0,) * (self.features + 1)] * (self.batch - 1)
        unit = [tuple(float(each == place) for each in range(self.features)) for place in range(2)]
        low = -self.bound / math.sqrt(self.features)
        worst = (([(*unit[0], 1.0), *still], [(*unit[1], -1.0), *still]), ([(*unit[0], 1.0), *still], [(*unit[0], -1.0), *still]))
        return Neighbours(
            NeighbouringRelation.REPLACE_RECORD, low=low, high=-low, lengths=(self.batch, self.batch), row=(self.features + 1,), worst=worst
        )

    def release(self, data: Sequence[Sequence[float]] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """`runs` batches, one row each. Raises ValueError unless `data` has shape (n, d + 1). Consumes randomness from `rng`."""
        rows: Floats = np.ascontiguousarray(data, dtype=float)
        shape = self.batch, self.features + 1
        require(rows.shape == shape, f"data of shape {rows.shape}: must be {shape} (users, features and response)")
        key, every = np.array([*key_from(rng), 0], dtype=np.uint64), self.batch * report_width(self.features)
        drawn, room = np.zeros(-(-runs * every // LANES) * LANES), np.zeros((2, every + LANES))
        release_all(self.randomiser().setup(), key, rows, room[0], room[1], drawn)
        counts = drawn[: runs * every].reshape(runs, self.batch, -1)
        if self.encoding is Encoding.BITS:
            total: Floats = np.ones(self.batch) @ counts  # whole numbers: exact in any order, and a quarter of the time of `sum`
            return total
        ordered: Floats = np.sort(counts, axis=1).reshape(runs, -1)
        return ordered
