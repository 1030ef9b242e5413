"""A user's own noisy contribution to the Gram matrix and to the response sums (Zheng et al. 2020; Chowdhury and Zhou 2022).

The user holds features x and a response y, and sends the lower triangle of x x' + noise, packed by rows, then y x + noise: d (d + 1) / 2 +
d numbers. Without features he sends y + noise. Scales s of the noise (sheet `ldp_linucb_2024`, section 8):

    SCRIPT   sqrt(ln(2.5 B / delta)) / (epsilon sqrt(B)), B = 1 without a shuffler: the constants of the public script of Chowdhury and
             Zhou, with no factor for the sensitivity; the noise of the matrix is (Z + Z') / 2 with independent Z_ij ~ N(0, s^2)
    PAPER    4 sqrt(2 ln(1.25 / delta)) / epsilon (Zheng et al.); B > 1: 4 sqrt(2 ln(2.5 B / delta) ln(2 / delta)) / (epsilon sqrt(B))
             (rebuilt, from memory of Chowdhury and Zhou); independent N(0, s^2) on and below the diagonal
    EXACT    the least s for the whole message of one user, without amplification; noise as in PAPER

Exact loss. With both kinds of noise the squared distance of two messages in units of s is at most |x x' - v v'|_F^2 + |y x - z v|^2, and on
|x|, |v| <= L, |y|, |z| <= 1 that is at most `sensitivity(L)`^2: for |x| = |v| = L, z = -y and <x, v> = c L^2 it is 2 L^4 (1 - c^2) +
2 L^2 (1 + c), the largest at c = min(1, 1 / (2 L^2)). Without features it is at most 2^2. PAPER is calibrated for a distance of 4, so its
claim for one user ends where `sensitivity(L)` exceeds that, at L = 1.525.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, assert_never

import numpy as np

from banditproof import glossary, randomness
from banditproof.algorithms.draws import kept_normals
from banditproof.algorithms.draws.kept_normals import kept_normal
from banditproof.algorithms.mechanisms.gaussian import exact_sigma
from banditproof.algorithms.mechanisms.gram.noise import packed
from banditproof.guarantees import ApproximateDP, GaussianDP, NeighbouringRelation, View, require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.mechanism import Neighbours
from banditproof.randomness import key_from
from banditproof.typical import Values, between, whole_numbers

_WITHOUT = 2.0  # largest distance of two users' responses, which is all that they send without features
_PAPERS = 4.0  # the sensitivity for which the noise of PAPER is classic
_ROOM = 5  # where in `setup` the room for normals begins


class Scale(Enum):
    """Which formula for the scale of the noise."""

    SCRIPT = "script"
    PAPER = "paper"
    EXACT = "exact"


def sensitivity(feature_norm: float = 1.0) -> float:
    """Largest distance of two users' contributions, in units of the noise: sqrt(4.5) for unit features."""
    square = glossary.CONTEXT_NORM.require(feature_norm) ** 2
    cosine = min(1.0, 0.5 / square)
    return math.sqrt(2.0 * square * square * (1.0 - cosine * cosine) + 2.0 * square * (1.0 + cosine))


def script_scale(epsilon: float, delta: float, batch: int = 1) -> float:
    """s = sqrt(ln(2.5 B / delta)) / (epsilon sqrt(B))."""
    glossary.EPSILON.require(epsilon)
    return math.sqrt(math.log(2.5 * batch / glossary.DELTA.require(delta))) / (epsilon * math.sqrt(batch))


def paper_scale(epsilon: float, delta: float, batch: int = 1) -> float:
    """s = 4 sqrt(2 ln(1.25 / delta)) / epsilon, or for B > 1 the amplified 4 sqrt(2 ln(2.5 B / delta) ln(2 / delta) / B) / epsilon."""
    glossary.EPSILON.require(epsilon)
    glossary.DELTA.require(delta)
    if batch == 1:
        return 4.0 * math.sqrt(2.0 * math.log(1.25 / delta)) / epsilon
    return 4.0 * math.sqrt(2.0 * math.log(2.5 * batch / delta) * math.log(2.0 / delta)) / (epsilon * math.sqrt(batch))


def noise_scale(scale: Scale, epsilon: float, delta: float, *, batch: int = 1, feature_norm: float = 1.0) -> float:
    """s of a formula. Raises ValueError unless batch >= 1."""
    require(batch >= 1, f"batch = {batch}: must be an integer >= 1 (users)")
    match scale:
        case Scale.SCRIPT:
            return script_scale(epsilon, delta, batch)
        case Scale.PAPER:
            return paper_scale(epsilon, delta, batch)
        case Scale.EXACT:
            return exact_sigma(epsilon, delta, sensitivity(feature_norm))
        case _:
            assert_never(scale)


def report_width(features: int) -> int:
    """Numbers that a user with d features sends: d (d + 1) / 2 + d, or 1 without features."""
    return packed(features) + features if features > 0 else 1


def _clipped(message: Floats, feature_norm: float, clips: bool) -> tuple[float, float]:
    """What the features are multiplied by, and the response, so that both lie in the domain; NaN stays NaN."""
    size, square = message.shape[0] - 1, 0.0
    response = message[size]
    for i in range(size):
        square += message[i] * message[i]
    if not clips:
        return 1.0, float(response)
    shorter = feature_norm / math.sqrt(square) if square > feature_norm * feature_norm else 1.0
    if response > 1.0:
        response = 1.0
    elif response < -1.0:
        response = -1.0
    return shorter, float(response)


clipped = compiled(_clipped, inline=True)


def _contribution(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    """The numbers (q,) that a user with this message sends; that of round t has the q normals from t q on (`draws.kept_normals`)."""
    size, halved = message.shape[0] - 1, setup[1] > 0.0
    scale = setup[0] if size > 0 else setup[4]
    factor, response = clipped(message, setup[3], setup[2] > 0.0)
    first, room = round * report.shape[0], setup[_ROOM:]
    if size == 0:
        report[0] = response + scale * kept_normal(room, key, randomness.CLIENT, first)
        return
    block = size * (size + 1) // 2
    for i in range(size):
        for j in range(i + 1):
            place = i * (i + 1) // 2 + j
            spread = scale * math.sqrt(0.5) if halved and i != j else scale  # (Z_ij + Z_ji) / 2
            product = (message[i] * factor) * (message[j] * factor)
            report[place] = product + spread * kept_normal(room, key, randomness.CLIENT, first + place)
    for i in range(size):  # behind all others, so that no window of normals is drawn again
        report[block + i] = response * (message[i] * factor) + scale * kept_normal(room, key, randomness.CLIENT, first + block + i)


contribution = compiled(_contribution, inline=True)


def _contribute(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    contribution(setup, key, round, message, report[0])


def _release(setup: Floats, key: Words, data: Floats, releases: Floats) -> None:
    """Contributions (runs, n, q) of n users (n, d + 1)."""
    for run in range(releases.shape[0]):
        for user in range(data.shape[0]):
            contribution(setup, key, run * data.shape[0] + user, data[user], releases[run, user])


contribute, release_all = compiled(_contribute, RANDOMISE), compiled(_release)


@dataclass(frozen=True)
class LocalGram:
    """Client randomiser: (x, y), d + 1 numbers, becomes a noisy contribution to the sums, one message.

    `clips` projects x on the ball of radius feature_norm and y on [-1, 1] before the noise; the public script does not. With `batch` > 1
    the noise counts on a shuffler: then the guarantee is that of one user's message alone, Gaussian of level sensitivity / s. So it is,
    too, whatever the claim, for what a user sends: the claim of SCRIPT and PAPER for B = users = 1 is their (epsilon, delta). Raises
    ValueError on a feature_norm for which PAPER's noise is too little.
    """

    epsilon: float
    delta: float
    scale: Scale = Scale.EXACT
    users: int = 1
    feature_norm: float = 1.0
    clips: bool = True
    theorems: tuple[str, ...] = field(default=("ldp_linucb_2024.local_sigma",), init=False, repr=False)
    kernel: Kernel = field(default=contribute, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"users": (1, whole_numbers(2, 50)), "feature_norm": between(0.5, 2.0)}

    def __post_init__(self) -> None:
        glossary.CONTEXT_NORM.require(self.feature_norm)
        enough = self.scale is not Scale.PAPER or self.users > 1 or sensitivity(self.feature_norm) <= _PAPERS
        require(enough, f"feature_norm = {self.feature_norm}: must be <= 1.525 (the paper's noise is for two messages at a distance of 4)")
        self.noise_scale()

    def noise_scale(self, *, features: bool = True) -> float:
        """s: the standard deviation on the diagonal and on y x, or without `features` that on y."""
        if self.scale is Scale.EXACT and not features:
            return exact_sigma(self.epsilon, self.delta, _WITHOUT)
        return noise_scale(self.scale, self.epsilon, self.delta, batch=self.users, feature_norm=self.feature_norm)

    def guarantee(self) -> ApproximateDP | GaussianDP:
        if self.users > 1 and self.scale is not Scale.EXACT:
            distance = max(sensitivity(self.feature_norm), _WITHOUT)
            return GaussianDP(distance / self.noise_scale(), NeighbouringRelation.ANY_PAIR, View.LOCAL)
        return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def messages(self, width: int) -> tuple[int, int]:
        return 1, report_width(width - 1)

    def setup(self) -> Floats:
        head = [
            self.noise_scale(),
            float(self.scale is Scale.SCRIPT),
            float(self.clips),
            self.feature_norm,
            self.noise_scale(features=False),
        ]
        return np.array([*head, *([0.0] * kept_normals.ROOM)])


def worst_rows(features: int, feature_norm: float = 1.0) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Two users (x, y) and (v, -y) whose contributions are as far apart as any: x x' - v v' is diagonal."""
    if features == 1:
        return (feature_norm, 1.0), (feature_norm, -1.0)
    cosine = min(1.0, 0.5 / feature_norm**2)
    one, two = feature_norm * math.sqrt((1.0 + cosine) / 4.0), feature_norm * math.sqrt((1.0 - cosine) / 4.0)
    rest = (0.0,) * (features - 2)
    return (one + two, one - two, *rest, 1.0), (one - two, one + two, *rest, -1.0)


@dataclass(frozen=True)
class GramContributions:
    """What the shuffler hands on of `users` users (x, y), a dataset of shape (n, d + 1): their contributions in random order, (n q,).

    One user: his own message. Claimed: (epsilon, delta), for one user among several with the noise of a shuffler, or for any two alone.
    """

    epsilon: float
    delta: float
    scale: Scale = Scale.EXACT
    users: int = 1
    features: int = 2
    feature_norm: float = 1.0
    clips: bool = True
    theorems: tuple[str, ...] = field(default=("ldp_linucb_2024.local_sigma", "ldp_linucb_2024.amplified_sigma"), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "users": (1, whole_numbers(2, 9)),
        "features": whole_numbers(1, 3),
        "feature_norm": between(0.5, 2.0),
    }

    def __post_init__(self) -> None:
        require(self.features >= 1, f"features = {self.features}: must be an integer >= 1")
        self.randomiser()

    def randomiser(self) -> LocalGram:
        """The users' part."""
        return LocalGram(self.epsilon, self.delta, self.scale, self.users, self.feature_norm, self.clips)

    def guarantee(self) -> ApproximateDP:
        relation, view = (
            (NeighbouringRelation.REPLACE_RECORD, View.SHUFFLED) if self.users > 1 else (NeighbouringRelation.ANY_PAIR, View.LOCAL)
        )
        return ApproximateDP(self.epsilon, self.delta, relation, view)

    def neighbours(self) -> Neighbours:
        """The worst two rows of one user; the others are 0."""
        still = ((0.0,) * (self.features + 1),) * (self.users - 1)
        pairs = tuple((each, *still) for each in worst_rows(self.features, self.feature_norm))
        reach = self.feature_norm / math.sqrt(self.features)
        return Neighbours(
            self.guarantee().relation,
            low=-min(reach, 1.0),
            high=min(reach, 1.0),
            lengths=(self.users, self.users),
            row=(self.features + 1,),
            worst=((pairs[0], pairs[1]),),
        )

    def release(self, data: Sequence[Sequence[float]] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """`runs` batches, shape (runs, n q). Raises ValueError unless `data` has shape (n, d + 1). Consumes randomness from `rng`."""
        rows: Floats = np.ascontiguousarray(data, dtype=float)
        shape = self.users, self.features + 1
        require(rows.shape == shape, f"data of shape {rows.shape}: must be {shape} (users, features and response)")
        sent, key = np.zeros((runs, self.users, report_width(self.features))), np.array([*key_from(rng), 0], dtype=np.uint64)
        release_all(self.randomiser().setup(), key, rows, sent)
        ordered = rng.permuted(np.tile(np.arange(self.users), (runs, 1)), axis=1)[:, :, None]
        return np.take_along_axis(sent, ordered, axis=1).reshape(runs, -1)
