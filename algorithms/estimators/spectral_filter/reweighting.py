r"""The deterministic filter: weights are lowered until the top eigenvalue is small (after Diakonikolas and Kane).

    theta = weighted mean,  Sigma = weighted covariance (divisor: the sum of the weights),  (u, v) = its top eigenpair
    u <= 4 lambda: return theta
    else w_i <- w_i (1 - tau_i / tau_max) with tau_i = <v, X_i - theta>^2, tau_max its largest value where w_i > 0

A pass costs n d^2 + d^3 and puts at least one weight to 0, so that it ends; it takes no random numbers. The weights move in the
direction of the mean removal of Algorithm 2 in Charisopoulos et al. 2023, by a longer step. Reading: where all weights would become 0 at
once (two points, say, are equally far from their mean), the first of these points is kept alone.
"""

from collections.abc import Sequence

import numpy as np

from banditproof.algorithms.estimators.spectral_filter.common import FACTOR, Filtered, require_points, stopping_value
from banditproof.interaction import Floats


def reweight_points(points: Sequence[Sequence[float]] | Floats, variance_bound: float, *, factor: float = FACTOR) -> Filtered:
    """The rows of `points` (n, d) with lowered weights (n,); `removed` are those of weight 0. Raises ValueError on numbers that are not
    finite or above 1e70 in size."""
    rows, limit = require_points(points), stopping_value(variance_bound, factor)
    weights, removed, passes = np.ones(len(rows)), np.zeros(0, dtype=np.int64), 0
    while True:
        passes += 1
        mean = weights @ rows / weights.sum()
        centred = rows - mean
        values, vectors = np.linalg.eigh((centred * weights[:, None]).T @ centred / weights.sum())
        masses = np.where(weights > 0.0, (centred @ vectors[:, -1]) ** 2, 0.0)
        if values[-1] <= limit or np.count_nonzero(weights) == 1 or not masses.max() > 0.0:
            return Filtered(mean, weights, removed, passes, float(values[-1]), variance_bound)
        positive = np.flatnonzero(weights)
        lowered = weights * (1.0 - masses / masses.max())
        if not lowered.any():
            lowered[positive[0]] = 1.0
        removed = np.concatenate([removed, positive[lowered[positive] == 0.0]])
        weights = lowered
