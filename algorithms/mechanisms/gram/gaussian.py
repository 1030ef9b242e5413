"""Private Gram matrices by a tree of symmetric Gaussian matrices (Shariff and Sheffet 2018, section 4.2).

A node's noise is (Z' + Z'^T) / sqrt 2 with independent N(0, sigma^2) entries in Z': variance sigma^2 off the diagonal, 2 sigma^2 on it.

Exact loss. For a change D = v v' - w w' of the Gram matrix the noisy lower triangle is Gaussian, and its squared distance in units of the
noise is the sum of D_ij^2 / sigma^2 below the diagonal and D_ii^2 / (2 sigma^2) on it: |D|_F^2 / (2 sigma^2). With |v|, |w| <= L~,
|D|_F^2 = |v|^4 + |w|^4 - 2 (v.w)^2 <= 2 L~^4, at orthogonal rows of length L~. So a node is Gaussian-private of level L~^2 / sigma, for
any d (without the corner too: features e_1 and e_2, or y against -y where d = 1), and r released nodes of level sqrt(r) L~^2 / sigma:
Gaussian levels compose adaptively. (The printed text has |D|_F <= L~^2; the doubled diagonal makes up for the factor sqrt 2.)
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, assert_never

import numpy as np

from banditproof import glossary
from banditproof.algorithms.mechanisms.gaussian import exact_sigma
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.noise import Calibration, packed
from banditproof.guarantees import ApproximateDP, NeighbouringRelation
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.typical import Values, between, whole_numbers


def node_sigma(epsilon: float, delta: float, *, horizon: int, row_norm: float) -> float:
    """sigma_noise as printed: 4 sqrt(m) L~^2 ln(4 / delta) / epsilon, m = `gram_noise.nodes(horizon)`. Raises ValueError elsewhere."""
    glossary.EPSILON.require(epsilon)
    glossary.DELTA.require(delta)
    gram_noise.check_row_norm(row_norm)
    return 4.0 * math.sqrt(gram_noise.nodes(horizon)) * row_norm**2 * math.log(4.0 / delta) / epsilon


def exact_node_sigma(epsilon: float, delta: float, *, horizon: int, row_norm: float) -> float:
    """Least sigma_noise with which all that is released is (epsilon, delta)-private: see above. A horizon of 1 counts as 2."""
    gram_noise.check_row_norm(row_norm)
    return exact_sigma(epsilon, delta, math.sqrt(max(gram_noise.released_nodes(horizon), 1)) * row_norm**2)


def calibrated(calibration: Calibration, epsilon: float, delta: float, *, horizon: int, row_norm: float) -> float:
    """sigma_noise of a calibration. Repaired is the larger of printed and exact: they cross at an epsilon beyond 80, whatever delta."""
    printed = node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm)
    match calibration:
        case Calibration.PUBLISHED:
            return printed
        case Calibration.REPAIRED:
            return max(printed, exact_node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm))
        case Calibration.EXACT:
            return exact_node_sigma(epsilon, delta, horizon=horizon, row_norm=row_norm)
        case _:
            assert_never(calibration)


def upsilon(sigma: float, *, dimension: int, horizon: int, failure: float) -> float:
    """Upsilon = sigma sqrt(2 m) (4 sqrt d + 2 ln(2 n / alpha)), alpha = `failure`: bounds the norm of the noise of V; half its shift."""
    glossary.FAILURE.require(failure)
    return sigma * math.sqrt(2.0 * gram_noise.nodes(horizon)) * (4.0 * math.sqrt(dimension) + 2.0 * math.log(2.0 * horizon / failure))


@dataclass(frozen=True)
class GaussianGram:
    """Releases the sums of v v' over the first 1 .. horizon - 1 of `horizon` rows v = (x, y), x in R^d, packed and without the corner.

    Rows are projected on the ball of radius `row_norm` first. Neighbours differ in one row.
    """

    epsilon: float
    delta: float
    horizon: int
    dimension: int = 2
    row_norm: float = math.sqrt(2.0)
    calibration: Calibration = Calibration.REPAIRED
    theorems: tuple[str, ...] = field(default=("shariff_sheffet_2018.gaussian_calibration",), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"dimension": whole_numbers(1, 3), "row_norm": between(0.1, 10.0)}

    def __post_init__(self) -> None:
        gram_noise.check_stream(self.dimension, self.horizon)
        self.sigma()

    def sigma(self) -> float:
        """Standard deviation of a node's noise off the diagonal."""
        return calibrated(self.calibration, self.epsilon, self.delta, horizon=self.horizon, row_norm=self.row_norm)

    def guarantee(self) -> ApproximateDP:
        return ApproximateDP(self.epsilon, self.delta, NeighbouringRelation.REPLACE_RECORD)

    def neighbours(self) -> Neighbours:
        return gram_noise.row_neighbours(self.dimension, self.row_norm, self.horizon)

    def release(self, data: Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, (horizon - 1) q), q = d (d + 1) / 2 + d. Raises ValueError unless data is (horizon, d+1)."""
        truth = gram_noise.released_sums(data, self.dimension, self.row_norm, self.horizon)
        fresh = rng.normal(0.0, self.sigma(), (runs, *truth.shape))
        fresh[:, :, [packed(row + 1) - 1 for row in range(self.dimension)]] *= math.sqrt(2.0)
        noise = gram_noise.prefix_noise(fresh, np.zeros((runs, 0, truth.shape[1])))
        return (truth + noise).reshape(runs, -1)
