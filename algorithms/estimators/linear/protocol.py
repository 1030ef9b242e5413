"""What an estimator of a linear model's parameter is: from arms, which arm each report is of, and reports that may be corrupted.

    estimator.estimate(arms, index, reports, key)     # (k, d), (n,), (n,), words -> (d,)

An estimator is a frozen dataclass of what it has to know. It looks at nothing else, so that `compare` can loop over them. In model M1 an
arm has many reports, one per reward; in M2 it has one, the noisy mean of its owner's rewards.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from banditproof.algorithms.estimators.spectral_filter.common import require_points, require_reports
from banditproof.interaction import Floats, Ints, Words

Matrix = Sequence[Sequence[float]] | Floats


class LinearEstimator(Protocol):
    """Estimates theta* from reports whose mean is <arm, theta*>, some of which may be anything."""

    def estimate(self, arms: Matrix, index: Sequence[int] | Ints, reports: Sequence[float] | Floats, key: Words) -> Floats:
        """theta (d,); in the span of the arms that have reports, where these do not span R^d. `key` (2,) or (3,) addresses the random
        numbers, if it takes any. Raises ValueError on NaN, infinities, and shapes that do not fit."""
        ...


def least_squares(arms: Matrix, index: Sequence[int] | Ints, reports: Sequence[float] | Floats) -> Floats:
    """(sum of a_j a_j^T)^+ sum of r_j a_j, (d,): the solution of least length. Arms (k, d), index and reports (n,).

    Reports (R, n) are those of R runs that pull the same arms: one solution for each, (R, d), that of the run alone up to rounding.
    """
    rows = require_points(arms, "arms")
    many = np.ndim(reports) == 2
    places, values = require_reports(np.tile(index, len(reports)) if many else index, np.ravel(reports) if many else reports, len(rows))
    runs = len(reports) if many else 1
    counts = np.bincount(places, minlength=len(rows)) // runs
    used = np.flatnonzero(counts)
    lines = places + len(rows) * np.repeat(np.arange(runs), values.size // runs) if many else places
    means = np.bincount(lines, values, minlength=runs * len(rows)).reshape(runs, -1)[:, used] / counts[used]
    found = weighted_least_squares(rows[used], means.T, counts[used]).T
    return found if many else found[0]


def weighted_least_squares(arms: Floats, values: Floats, weights: Floats | Ints) -> Floats:
    """argmin of the sum of w_a (value_a - <a, theta>)^2, (d,), of least length. Arms (k, d), values and weights (k,), weights > 0.

    Values (k, R) are of R problems: their solutions (d, R).
    """
    roots = np.sqrt(weights)
    return np.linalg.lstsq(arms * roots[:, None], (values.T * roots).T, rcond=None)[0].astype(float)
