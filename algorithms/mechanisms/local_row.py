"""The user's whole message in Private Online LinUCB: noisy features, noisy response, clipped gradient (sheet `ldp_linucb_2024`).

The user holds features x with |x| <= 1 and a response y in [-1, 1]; the server has sent theta_t, the standard deviation Delta of the
curvature injection, and the gradient bound G. The report is (x~, y~, g) in R^(2 d + 1):

    x~ = x + zeta + eta_x,  y~ = y + eta_y,      zeta ~ N(0, Delta^2 I), eta_x ~ N(0, sigma^2 I), eta_y ~ N(0, sigma^2)
    g  = 2 x~ (<x~, theta_t> - y~) - 2 sigma^2 theta_t, shortened to length G where it is longer

g is computed from x~, y~ and what the server sent, so it costs no privacy; zeta is not counted in the guarantee.

Calibration. Two users' messages are 2 apart in x and 2 apart in y, at most. The paper calibrates each part alone to the whole (epsilon,
delta) (`PRINTED`). The message is Gaussian with means at most sqrt(8) apart: `EXACT` is the least sigma for that, `CLASSIC` the classic
formula for it, and `SPLIT` gives half of epsilon and of delta to each part.

Reading. The domain is an assumption of the paper. `clips`, the default, projects x on the unit ball and y on [-1, 1] before the noise,
which changes nothing inside the domain, so that the guarantee holds for every finite message; the server refuses what is not finite.

Addresses of the noise (`draws.kept_normals`, purpose CLIENT): the user of round t has the 2 d + 1 numbers from t (2 d + 1) on: eta_x and
zeta by turns, then eta_y, in the order in which they are used. A message without parts has w numbers, from t w on.
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
from banditproof.algorithms.learners.noisy_square import clip, gradient
from banditproof.algorithms.mechanisms.gaussian import classic_sigma, exact_sigma, profile
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, View, require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.mechanism import Neighbours
from banditproof.randomness import key_from
from banditproof.typical import Values, between

PART_SENSITIVITY, MESSAGE_SENSITIVITY = 2.0, math.sqrt(8.0)
_SETTINGS = 2  # numbers behind theta_t in a raw message: Delta and G
_ROOM = 3  # where in `setup` the room for normals begins


class Calibration(Enum):
    """How much noise."""

    PUBLISHED = "published"  # the paper's formula: each part alone has the whole (epsilon, delta), at every epsilon
    CLASSIC = "classic"  # the classic formula for the whole message; epsilon < 1
    SPLIT = "split"  # exact for each part at (epsilon / 2, delta / 2)
    EXACT = "exact"  # the least that is enough for the whole message


def printed_noise_scale(epsilon: float, delta: float) -> float:
    """sigma = 2 sqrt(2 ln(1.25 / delta)) / epsilon, for the features and for the response; without the condition epsilon < 1."""
    glossary.EPSILON.require(epsilon)
    return PART_SENSITIVITY * math.sqrt(2.0 * math.log(1.25 / glossary.DELTA.require(delta))) / epsilon


def noise_scale(calibration: Calibration, epsilon: float, delta: float) -> float:
    """sigma of a calibration. Raises ValueError on CLASSIC unless epsilon < 1."""
    match calibration:
        case Calibration.PUBLISHED:
            return printed_noise_scale(epsilon, delta)
        case Calibration.CLASSIC:
            return classic_sigma(epsilon, delta, MESSAGE_SENSITIVITY)
        case Calibration.SPLIT:
            return exact_sigma(epsilon / 2.0, delta / 2.0, PART_SENSITIVITY)
        case Calibration.EXACT:
            return exact_sigma(epsilon, delta, MESSAGE_SENSITIVITY)
        case _:
            assert_never(calibration)


def message_delta(epsilon: float, sigma: float, distance: float = MESSAGE_SENSITIVITY) -> float:
    """Least delta at which two whole messages whose (x, y) lie this far apart are (epsilon, delta)-close, for noise of scale sigma."""
    return profile(epsilon, glossary.SENSITIVITY.require(distance) / glossary.SIGMA.require(sigma))


def unit_noise_scale(calibration: Calibration, epsilon: float, delta: float) -> float:
    """Noise that gives (epsilon, delta) for messages at most 1 apart, by the same kind of formula: for messages without parts."""
    match calibration:
        case Calibration.PUBLISHED:
            return printed_noise_scale(epsilon, delta) / PART_SENSITIVITY
        case Calibration.CLASSIC:
            return classic_sigma(epsilon, delta)
        case Calibration.SPLIT | Calibration.EXACT:
            return exact_sigma(epsilon, delta)
        case _:
            assert_never(calibration)


def raw_width(features: int) -> int:
    """Numbers in a raw message (x, y, theta, Delta, G): 2 d + 3; without features (y) alone, since the server needs nothing else."""
    return 2 * features + 1 + _SETTINGS if features > 0 else 1


def report_width(features: int) -> int:
    """Numbers in a report (x~, y~, g): 2 d + 1."""
    return 2 * features + 1


def _noisy_row(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    sigma, clips, width, room = setup[0], setup[1] > 0.0, message.shape[0], setup[_ROOM:]
    size = (width - 3) // 2
    if size < 1 or width != 2 * size + 3:  # without parts: every number of it is the user's own
        for column in range(width):
            number = message[column]  # a NaN passes both comparisons, and stays
            if clips and number > 1.0:
                number = 1.0
            elif clips and number < -1.0:
                number = -1.0
            noise = kept_normal(room, key, randomness.CLIENT, round * width + column)
            report[column] = number + setup[2] * 2.0 * math.sqrt(width) * noise
        return
    square, features, point, slope = 0.0, report[:size], message[size + 1 : 2 * size + 1], report[size + 1 :]
    for i in range(size):
        square += message[i] * message[i]
    shorter = 1.0 / math.sqrt(square) if clips and square > 1.0 else 1.0
    response, injected = message[size], message[2 * size + 1]
    if clips and response > 1.0:  # a NaN passes both comparisons, and stays
        response = 1.0
    elif clips and response < -1.0:
        response = -1.0
    first = round * (2 * size + 1)
    for i in range(size):
        noise = sigma * kept_normal(room, key, randomness.CLIENT, first + 2 * i)
        if injected > 0.0:
            noise += injected * kept_normal(room, key, randomness.CLIENT, first + 2 * i + 1)
        features[i] = message[i] * shorter + noise
    response += sigma * kept_normal(room, key, randomness.CLIENT, first + 2 * size)
    report[size] = response
    clip(slope, gradient(point, features, response, sigma * sigma, slope), message[2 * size + 2])


noisy_row = compiled(_noisy_row, inline=True)


def _randomise(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    noisy_row(setup, key, round, message, report[0])


def _release(setup: Floats, key: Words, message: Floats, reports: Floats) -> None:
    """Independent reports (n, 2 d + 1) of one message."""
    for run in range(reports.shape[0]):
        noisy_row(setup, key, run, message, reports[run])


randomise, release_all = compiled(_randomise, RANDOMISE), compiled(_release)


@dataclass(frozen=True)
class LocalRow:
    """Client randomiser: the whole message of a user, one message (1, 2 d + 1) from the raw one (x, y, theta_t, Delta, G).

    A raw message of another length has no such parts: each of its w numbers, held to [-1, 1], gets noise for two messages 2 sqrt(w) apart.
    """

    epsilon: float
    delta: float
    calibration: Calibration = Calibration.EXACT
    clips: bool = True
    theorems: tuple[str, ...] = field(default=("ldp_linucb_2024.privacy",), init=False, repr=False)
    kernel: Kernel = field(default=randomise, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"calibration": (Calibration.PUBLISHED, Calibration.SPLIT, Calibration.EXACT)}

    def __post_init__(self) -> None:
        self.sigma()

    def sigma(self) -> float:
        """Standard deviation of the noise on each number of x and on y."""
        return noise_scale(self.calibration, self.epsilon, self.delta)

    def guarantee(self) -> ApproximateDP:
        return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def messages(self, width: int) -> tuple[int, int]:
        size = (width - 1 - _SETTINGS) // 2
        return (1, report_width(size)) if size >= 1 and width == raw_width(size) else (1, width)

    def setup(self) -> Floats:
        head = [self.sigma(), float(self.clips), unit_noise_scale(self.calibration, self.epsilon, self.delta)]
        return np.array([*head, *([0.0] * kept_normals.ROOM)])


@dataclass(frozen=True)
class RowMessage:
    """Releases the whole message (x~, y~, g) of a user with data (x, y), d + 1 numbers, when the server has sent `point`, Delta and G.

    Without `clips` data outside the domain are used as they are, and the claim is made for data inside it alone.
    """

    epsilon: float
    delta: float
    point: tuple[float, ...] = (0.5, 0.5)
    injection: float = 0.0
    gradient_bound: float = 100.0
    calibration: Calibration = Calibration.EXACT
    clips: bool = True
    theorems: tuple[str, ...] = field(default=("ldp_linucb_2024.privacy",), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "point": ((0.0,), (1.0, 0.0), (0.5, -0.5, 0.5)),
        "injection": (0.0, between(0.01, 1.0)),
        "gradient_bound": between(0.1, 1000.0),
        "calibration": (Calibration.PUBLISHED, Calibration.SPLIT, Calibration.EXACT),
    }

    def __post_init__(self) -> None:
        noise_scale(self.calibration, self.epsilon, self.delta)
        require(len(self.point) >= 1, f"point = {self.point}: must have at least one number (features)")
        require(all(map(math.isfinite, self.point)), f"point = {self.point}: must be finite numbers (a prediction)")
        require(0.0 <= self.injection < math.inf, f"injection = {self.injection}: must be >= 0 and finite (a standard deviation)")
        require(self.gradient_bound > 0.0, f"gradient_bound = {self.gradient_bound}: must be > 0 (largest length of a gradient)")

    def guarantee(self) -> ApproximateDP:
        return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def neighbours(self) -> Neighbours:
        """Any two users. The worst pair differs by 2 in the features and by 2 in the response; any direction loses as much."""
        size = len(self.point)
        far = (1.0, *(0.0,) * (size - 1), 1.0)
        reach = 1.0 / math.sqrt(size)  # the cube inside the unit ball
        worst = ((far, tuple(-each for each in far)),)
        return Neighbours(NeighbouringRelation.ANY_PAIR, low=-reach, high=reach, lengths=(size + 1, size + 1), worst=worst)

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """`runs` messages, shape (runs, 2 d + 1). Raises ValueError unless `data` has shape (d + 1,). Consumes randomness from `rng`."""
        row, size = np.asarray(data, dtype=float), len(self.point)
        require(row.shape == (size + 1,), f"data of shape {row.shape}: must be ({size + 1},) (features and response)")
        randomiser = LocalRow(self.epsilon, self.delta, self.calibration, self.clips)
        message = np.concatenate([row, self.point, [self.injection, self.gradient_bound]])
        key, reports = np.array([*key_from(rng), 0], dtype=np.uint64), np.zeros((runs, 2 * size + 1))
        release_all(randomiser.setup(), key, message, reports)
        return reports
