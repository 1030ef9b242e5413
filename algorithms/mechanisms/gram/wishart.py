"""Private Gram matrices by a tree of Wishart matrices (Shariff and Sheffet 2018, section 4.1; Sheffet 2015, Theorem 4.1).

A node's noise is W(L~^2 I, k) in d + 1 dimensions. The budget of a node is epsilon_0 = epsilon / sqrt(8 m ln(2 / delta)) and delta_0 =
delta / (2 m), and k = d + 1 + ceil(28 ln(4 / delta_0) / epsilon_0^2).

Calibration. Printed: at every epsilon. Repaired: at the largest epsilon up to the given one for which the budget adds up. Advanced
composition of m nodes with slack delta / 2 has sqrt(2 m ln(2 / delta)) epsilon_0 = epsilon / 2 and m epsilon_0 (e^epsilon_0 - 1), which
must be at most the other half: epsilon_0 <= ln(1 + sqrt(2 ln(2 / delta) / m)). And Theorem 23 has epsilon_0 in (0, 1) where Theorem 8 has
any. Exact: `wishart_loss.least_degrees`, for the largest loss that a search over pairs of rows found; that no pair has a larger one is not
proved. At the paper's setting (n = 5e7, d = 5, epsilon = 1, delta = 0.1) k is 39, and 139115 as printed.

Padding: `noise` says what it is. The noise of a padded release is W(L~^2 I, m k) at every round.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, assert_never

import numpy as np

from banditproof import glossary
from banditproof.algorithms.mechanisms.gram import loss as wishart_loss
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.noise import Calibration, packed
from banditproof.guarantees import ApproximateDP, NeighbouringRelation, require
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.typical import Values, between, whole_numbers


class Padding(Enum):
    """What stands in for the levels of the tree without an active node."""

    FULL = "full"  # a matrix of the nodes' distribution each: the reading under which the printed eigenvalues hold
    NONE = "none"  # nothing


def node_epsilon(epsilon: float, delta: float, *, horizon: int) -> float:
    """epsilon_0 = epsilon / sqrt(8 m ln(2 / delta))."""
    glossary.DELTA.require(delta)
    return glossary.EPSILON.require(epsilon) / math.sqrt(8.0 * gram_noise.nodes(horizon) * math.log(2.0 / delta))


def node_delta(delta: float, *, horizon: int) -> float:
    """delta_0 = delta / (2 m)."""
    return glossary.DELTA.require(delta) / (2.0 * gram_noise.nodes(horizon))


def wishart_degrees(epsilon: float, delta: float, *, dimension: int, horizon: int) -> int:
    """k as printed: d + 1 + ceil(224 m ln(8 m / delta) ln(2 / delta) / epsilon^2). Raises ValueError outside its domains, and where k is
    beyond all doubles."""
    m = gram_noise.nodes(horizon)
    glossary.EPSILON.require(epsilon)
    glossary.DELTA.require(delta)
    square = min(epsilon, 1e150) ** 2  # as a float, 1e200^2 is an error
    rest = 224.0 * m / square * math.log(8.0 * m / delta) * math.log(2.0 / delta) if square > 0.0 else math.inf
    require(rest < math.inf, f"epsilon = {epsilon}, delta = {delta}: must be larger (degrees of freedom of Wishart noise)")
    return dimension + 1 + math.ceil(rest)


def covered_epsilon(delta: float, *, horizon: int) -> float:
    """The largest epsilon for which the budget adds up: see above."""
    m, logarithm = gram_noise.nodes(horizon), math.log(2.0 / glossary.DELTA.require(delta))
    return math.sqrt(8.0 * m * logarithm) * min(math.log1p(math.sqrt(2.0 * logarithm / m)), 1.0 - 2.0**-40)


def calibrated(calibration: Calibration, epsilon: float, delta: float, *, dimension: int, horizon: int) -> int:
    """Degrees of freedom k of a calibration. Raises ValueError for the exact one unless delta >= 1e-10."""
    match calibration:
        case Calibration.PUBLISHED:
            return wishart_degrees(epsilon, delta, dimension=dimension, horizon=horizon)
        case Calibration.REPAIRED:
            level = min(glossary.EPSILON.require(epsilon), covered_epsilon(delta, horizon=horizon))
            return wishart_degrees(level, delta, dimension=dimension, horizon=horizon)
        case Calibration.EXACT:
            return wishart_loss.least_degrees(epsilon, delta, dimension=dimension, horizon=horizon)
        case _:
            assert_never(calibration)


def shift(degrees: int, *, dimension: int, horizon: int, failure: float, row_norm: float) -> float:
    """c = L~^2 (s - a)^2 - 4 L~^2 s a (equation 4), s = sqrt(m k), a = sqrt d + sqrt(2 ln(8 n / alpha)); of either sign, as printed."""
    s, a = root_degrees(degrees, horizon=horizon), noise_deviation(8.0, dimension=dimension, horizon=horizon, failure=failure)
    return row_norm**2 * (s - a) ** 2 - 4.0 * row_norm**2 * s * a


def root_degrees(degrees: int, *, horizon: int) -> float:
    """s = sqrt(m k): the degrees of freedom of a padded release, under the root."""
    return math.sqrt(gram_noise.nodes(horizon) * degrees)


def noise_deviation(factor: float, *, dimension: int, horizon: int, failure: float) -> float:
    """a_q = sqrt d + sqrt(2 ln(q n / alpha)), q = `factor`, alpha = `failure`."""
    return math.sqrt(dimension) + math.sqrt(2.0 * math.log(factor * horizon / glossary.FAILURE.require(failure)))


@dataclass(frozen=True)
class WishartGram:
    """Releases the sums of v v' over the first 1 .. horizon - 1 of `horizon` rows v = (x, y), x in R^d, packed and without the corner.

    Rows are projected on the ball of radius `row_norm` first. Neighbours differ in one row. The shift c is a public constant, so it is
    left out here.
    """

    epsilon: float
    delta: float
    horizon: int
    dimension: int = 2
    row_norm: float = math.sqrt(2.0)
    calibration: Calibration = Calibration.REPAIRED
    padding: Padding = Padding.FULL
    theorems: tuple[str, ...] = field(default=("shariff_sheffet_2018.wishart_calibration",), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "dimension": whole_numbers(1, 3),
        "row_norm": between(0.1, 10.0),
        "calibration": (Calibration.PUBLISHED, Calibration.REPAIRED),  # the exact one is a search, and has a range of its own
    }

    def __post_init__(self) -> None:
        gram_noise.check_stream(self.dimension, self.horizon)
        gram_noise.check_row_norm(self.row_norm)
        if self.calibration is Calibration.EXACT:  # a search of seconds, which waits until the degrees of freedom are needed
            wishart_loss.require_levels(self.epsilon, self.delta)
        else:
            self.degrees()

    def degrees(self) -> int:
        """Degrees of freedom k of a node's noise."""
        return calibrated(self.calibration, self.epsilon, self.delta, dimension=self.dimension, horizon=self.horizon)

    def guarantee(self) -> ApproximateDP:
        """With the exact calibration it depends on a search over pairs of rows: see `wishart_loss`."""
        return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.REPLACE_RECORD)

    def neighbours(self) -> Neighbours:
        return gram_noise.row_neighbours(self.dimension, self.row_norm, self.horizon)

    def release(self, data: Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, (horizon - 1) q), q = d (d + 1) / 2 + d. Raises ValueError unless data is (horizon, d+1)."""
        truth = gram_noise.released_sums(data, self.dimension, self.row_norm, self.horizon)
        fresh = self._draw(runs, truth.shape[0], rng)
        padded = gram_noise.nodes(self.horizon) if self.padding is Padding.FULL else 0
        return (truth + gram_noise.prefix_noise(fresh, self._draw(runs, padded, rng))).reshape(runs, -1)

    def _draw(self, runs: int, matrices: int, rng: np.random.Generator) -> Floats:
        """Draws packed Wishart matrices (runs, matrices, q), by Bartlett's triangles."""
        size, degrees = self.dimension + 1, self.degrees()
        triangle = np.tril(rng.normal(size=(runs, matrices, size, size)), -1)
        for row in range(size):
            triangle[:, :, row, row] = np.sqrt(rng.chisquare(degrees - row, size=(runs, matrices)))
        lower, other = np.tril_indices(size)
        return self.row_norm**2 * (triangle @ triangle.swapaxes(2, 3))[:, :, lower, other][:, :, : packed(size) - 1]
