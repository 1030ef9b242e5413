"""The textbook audit of one number: pick the best threshold on one half, bound both probabilities on the other (Clopper-Pearson)."""

import math

import numpy as np
from numpy.typing import NDArray


def lower_bound(dataset: NDArray[np.float64], neighbour: NDArray[np.float64], *, false_alarm: float) -> float:
    """Lower bound on epsilon from the events {output >= c} under second against first, at level 1 - false_alarm."""
    from scipy.stats import beta

    half = len(dataset) // 2
    cuts = np.unique(np.quantile(np.concatenate([dataset[:half], neighbour[:half]]), np.linspace(0.01, 0.99, 99)))

    def bound(a: NDArray[np.float64], b: NDArray[np.float64], cut: float) -> float:
        hits_a, hits_b = int((a >= cut).sum()), int((b >= cut).sum())
        low = beta.ppf(false_alarm / 2, hits_b, len(b) - hits_b + 1) if hits_b else 0.0
        high = beta.ppf(1 - false_alarm / 2, hits_a + 1, len(a) - hits_a) if hits_a < len(a) else 1.0
        return math.log(low / high) if low > 0 else 0.0

    best = max(cuts, key=lambda cut: bound(dataset[:half], neighbour[:half], float(cut)))
    return bound(dataset[half:], neighbour[half:], float(best))
