"""How often each arm of a design is played (Charisopoulos, Esfandiari and Mirrokni 2023, Algorithm 1; the coreset of a batch).

With m = `size` (q^i in round i), pi = `weights` and nu = `truncation`, an arm of the support is played

    ceil(m pi(a))               times in model M1, without a truncation,
    ceil(m max{pi(a), nu})      times in model M2.

Readings. The scan shows plain brackets, read as ceilings. Over a support of k arms the plays N then satisfy m <= N <= m (1 + nu k) + k,
with nu = 0 for M1. A product that is an integer up to rounding (a relative error of 1e-12, and at most 1e-3) counts as that integer: 0.07 *
100 is 7.000000000000001 in floating point and gives 7 plays, not 8. So m <= N holds up to the same error.
"""

import numpy as np

from banditproof.algorithms.designs.design import require_weights
from banditproof.guarantees import require
from banditproof.interaction import Floats, Ints

_ROUNDING, _MOST_ROUNDING, _LARGEST = 1e-12, 1e-3, 2.0**53


def require_size(size: float) -> float:
    """m itself. Raises ValueError unless 0 < m <= 2^53: counts are exact integers."""
    require(0.0 < size <= _LARGEST, f"size = {size}: must be > 0 and <= 2^53 (plays of a coreset)")
    return size


def require_truncation(truncation: float) -> float:
    """nu itself. Raises ValueError unless 0 < nu <= 1: it stands in for a weight."""
    require(0.0 < truncation <= 1.0, f"truncation = {truncation}: must be > 0 and <= 1 (least weight of a support arm)")
    return truncation


def coreset_counts(weights: Floats, size: float, truncation: float | None = None) -> Ints:
    """Plays of every arm (K,), 0 off the support: of model M1 without a truncation, of M2 with one.

    Raises ValueError unless the weights are a distribution, 0 < size <= 2^53 and 0 < truncation <= 1.
    """
    probabilities = require_weights(weights)
    least = 0.0 if truncation is None else require_truncation(truncation)
    plays = require_size(size) * np.maximum(probabilities, least)
    nearest = np.rint(plays)
    counts = np.where(np.abs(plays - nearest) <= np.minimum(_ROUNDING * plays, _MOST_ROUNDING), nearest, np.ceil(plays))
    return np.where(probabilities > 0.0, counts, 0.0).astype(np.int64)


def number_of_plays(weights: Floats, size: float, truncation: float | None = None) -> int:
    """N, the sum of `coreset_counts`; raises ValueError as it does."""
    return sum(coreset_counts(weights, size, truncation).tolist())  # of integers without a largest one


def most_plays(size: float, support_size: int, truncation: float | None = None) -> float:
    """m (1 + nu k) + k, an upper bound on N for k = `support_size` support arms; m + k without a truncation."""
    require(support_size >= 1, f"support_size = {support_size}: must be >= 1 (arms of the support)")
    extra = 0.0 if truncation is None else require_truncation(truncation) * support_size
    return require_size(size) * (1.0 + extra) + support_size
