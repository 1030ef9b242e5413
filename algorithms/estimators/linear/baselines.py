"""Estimators to compare the spectral filter with: least squares, clipped reports, trimmed means per arm."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from banditproof.algorithms.estimators.linear.protocol import Matrix, least_squares, weighted_least_squares
from banditproof.algorithms.estimators.spectral_filter.common import require_points, require_reports
from banditproof.interaction import Floats, Ints, Words
from banditproof.typical import Values, between


@dataclass(frozen=True)
class LeastSquares:
    """Ordinary least squares, which knows nothing: the best one without corruption, and one bad report can move it anywhere."""

    def estimate(self, arms: Matrix, index: Sequence[int] | Ints, reports: Sequence[float] | Floats, key: Words) -> Floats:
        """theta (d,) for arms (k, d), index and reports (n,); takes no random numbers."""
        return least_squares(arms, index, reports)


@dataclass(frozen=True)
class ClippedLeastSquares:
    """Least squares after the server has clipped each report to [-report_bound, report_bound].

    It has to know a bound on the size of clean reports, noise included: a smaller one clips clean reports and adds a bias, with a larger
    one each corrupted report may do more. It needs no alpha; its error grows with alpha * report_bound.
    """

    report_bound: float

    typical: ClassVar[Mapping[str, Values]] = {"report_bound": between(0.5, 20.0)}

    def __post_init__(self) -> None:
        if not 0.0 < self.report_bound < math.inf:
            raise ValueError(f"report_bound = {self.report_bound}: must be > 0 and finite (reports are clipped to it)")

    def estimate(self, arms: Matrix, index: Sequence[int] | Ints, reports: Sequence[float] | Floats, key: Words) -> Floats:
        """theta (d,) for arms (k, d), index and reports (n,); takes no random numbers."""
        rows = require_points(arms, "arms")
        places, values = require_reports(index, reports, len(rows))
        return least_squares(rows, places, np.clip(values, -self.report_bound, self.report_bound))


@dataclass(frozen=True)
class TrimmedLeastSquares:
    """The trimmed mean of each arm's reports, then least squares of these means weighted by the arms' numbers of reports.

    Of m reports of an arm the floor(trimmed_fraction * m) smallest and as many largest are left out. It has to know a bound on the
    fraction of corrupted reports of each single arm, which is above alpha by the fluctuations of a binomial; it needs no range. With one
    report per arm (M2) nothing is left out, and it is least squares; so are arms of fewer than 1 / trimmed_fraction reports.
    """

    trimmed_fraction: float

    typical: ClassVar[Mapping[str, Values]] = {"trimmed_fraction": (0.0, between(0.0, 0.49))}

    def __post_init__(self) -> None:
        if not 0.0 <= self.trimmed_fraction < 0.5:
            raise ValueError(f"trimmed_fraction = {self.trimmed_fraction}: must be >= 0 and < 0.5 (left out at each end)")

    def estimate(self, arms: Matrix, index: Sequence[int] | Ints, reports: Sequence[float] | Floats, key: Words) -> Floats:
        """theta (d,) for arms (k, d), index and reports (n,); takes no random numbers."""
        rows = require_points(arms, "arms")
        places, values = require_reports(index, reports, len(rows))
        counts = np.bincount(places, minlength=len(rows))
        used = np.flatnonzero(counts)
        order = np.lexsort((values, places))
        means = [_trimmed_mean(part, self.trimmed_fraction) for part in np.split(values[order], np.cumsum(counts[used])[:-1])]
        return weighted_least_squares(rows[used], np.array(means), counts[used])


def _trimmed_mean(ascending: Floats, fraction: float) -> float:
    cut = min(int(fraction * ascending.size * (1.0 + 1e-12)), (ascending.size - 1) // 2)  # 0.29 of 100 are 29, whatever doubles say
    return float(ascending[cut : ascending.size - cut].mean())
