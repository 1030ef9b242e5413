r"""Robust least squares: whiten, filter, colour (Charisopoulos et al. 2023, Algorithm 1, lines 5 to 8).

    M_n = sum of a_j a_j^T over the n reports,  X_j = r_j M_n^(-1/2) a_j,  w = Filter(X, lambda),  theta = n M_n^(-1/2) w

One formula for both models: in M1 an arm of n_a reports counts n_a times in M_n, in M2 each arm has one report and counts once. Weights
per report, such as n_a in M2, are had by scaling: arms[a] * sqrt(n_a) and report * sqrt(n_a).

Where the arms with reports span a subspace alone, M_n^(-1/2) is that of the subspace, and theta lies in it.

Bias. Without removals theta is least squares, whatever n. Where exactly the corrupted reports are removed, theta is n / |S| times the sum
over the clean set S, whose mean is theta*: the factor n makes up for the removed ones, so that there is nothing to correct (the appendix's
theta_G0, without this factor, has mean (1 - alpha) theta*).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from banditproof.algorithms.estimators.linear.protocol import Matrix
from banditproof.algorithms.estimators.linear.variance_bound import ORACLES, VarianceBound
from banditproof.algorithms.estimators.spectral_filter.common import (
    FACTOR,
    Filtered,
    Method,
    require_points,
    require_reports,
    stopping_value,
)
from banditproof.algorithms.estimators.spectral_filter.fast import spectral_filter
from banditproof.interaction import Floats, Ints, Words

RANK = 1e-11  # of the largest singular value of the reports' arms: a direction below it is not spanned
OUTSIDE = 1e-6  # of an arm's length: the part of it that may lie outside the span, from rounding


@dataclass(frozen=True, eq=False)
class Whitening:
    """root (d, d): M_n^(-1/2), on the span. directions (k, d): M_n^(-1/2) a. leverage: mu, the largest |direction|^2."""

    root: Floats
    directions: Floats
    leverage: float


@dataclass(frozen=True, eq=False)
class Estimate:
    """theta (d,), what the filter kept, and the whitening that it saw."""

    theta: Floats
    filtered: Filtered
    whitening: Whitening


def whiten(arms: Matrix, index: Sequence[int] | Ints) -> Whitening:
    """The whitening of arms (k, d) by the Gram matrix of reports of the arms `index` (n,); the leverage is that of all k arms. Raises
    ValueError where an arm is outside the span of those with reports, or none of these has any length."""
    rows = require_points(arms, "arms")
    places, _ = require_reports(index, np.zeros(np.shape(index)), len(rows))
    return _whitened(rows, places)


def _whitened(rows: Floats, places: Ints) -> Whitening:
    """`whiten`, of arms and an index that are known to be valid."""
    counts = np.bincount(places, minlength=len(rows))
    used = np.flatnonzero(counts)
    _, sizes, basis = np.linalg.svd(rows[used] * np.sqrt(counts[used])[:, None], full_matrices=False)
    if not sizes[0] > 0.0:
        raise ValueError("arms of the reports are all zero: must span a line at least")
    kept = sizes > RANK * sizes[0]
    span = basis[kept]
    coordinates = rows @ span.T
    outside = np.linalg.norm(rows - coordinates @ span, axis=1)
    if (outside > OUTSIDE * np.linalg.norm(rows, axis=1)).any():
        worst = int(np.argmax(outside))
        raise ValueError(f"arm {worst} = {rows[worst]}: must lie in the span of the arms with reports (project the arms on it first)")
    scaled = span / sizes[kept][:, None]
    directions = coordinates @ scaled
    return Whitening(span.T @ scaled, directions, float((directions**2).sum(axis=1).max()))


def robust_least_squares(
    arms: Matrix,
    index: Sequence[int] | Ints,
    reports: Sequence[float] | Floats,
    bound: VarianceBound,
    key: Words,
    *,
    clean_reports: Sequence[float] | Floats | None = None,
    method: Method = Method.FAST,
    factor: float = FACTOR,
    first_draw: int = 0,
) -> Estimate:
    """theta of the active arms (k, d) from reports (n,) of the arms `index` (n,); arms without reports count in the leverage alone.

    `clean_reports` (n,) are for the rules that are oracles. One uniform number per removal, from (key, CHOICES, first_draw) on. Raises
    ValueError on NaN, infinities, numbers above 1e70 in size, and shapes that do not fit.
    """
    rows = require_points(arms, "arms")
    places, values = require_reports(index, reports, len(rows))
    whitening = _whitened(rows, places)
    scale = bound.of(whitening.leverage, values, clean_reports)
    found = spectral_filter(whitening.directions, places, values, scale, key, method=method, factor=factor, first_draw=first_draw)
    return Estimate(values.size * (whitening.root @ found.mean), found, whitening)


@dataclass(frozen=True)
class FilteredLeastSquares:
    """`robust_least_squares` as an estimator, with a rule for lambda that sees what a server sees.

    RANGE has to know a bound on the size of clean reports, GIVEN a bound on the covariance of the whitened clean points; neither needs
    alpha. OBSERVED needs nothing and removes nothing. The oracles CLEAN and PROOF are refused: compute lambda and give it.
    """

    bound: VarianceBound
    method: Method = Method.FAST
    factor: float = FACTOR

    def __post_init__(self) -> None:
        if self.bound.rule in ORACLES:
            raise ValueError(f"bound.rule = {self.bound.rule.value}: must not be an oracle (a server does not see the clean reports)")
        stopping_value(0.0, self.factor)

    def estimate(self, arms: Matrix, index: Sequence[int] | Ints, reports: Sequence[float] | Floats, key: Words) -> Floats:
        """theta (d,) for arms (k, d), index and reports (n,); `key` (2,) or (3,) addresses one uniform number per removal."""
        return robust_least_squares(arms, index, reports, self.bound, key, method=self.method, factor=self.factor).theta
