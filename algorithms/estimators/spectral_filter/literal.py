r"""The randomised spectral filter as printed (Charisopoulos et al. 2023, Algorithm 2), for any points (n, d).

    theta = mean of S,  Sigma = covariance of S (divisor |S|),  (u, v) = its top eigenpair
    u <= 4 lambda: return theta
    else remove one point of S, drawn with probability proportional to <v, X_i - theta>^2, and begin again

Cost of a pass: n d^2 + d^3. Readings: the scan does not settle < or <=; with <= it always ends, since one point has Sigma = 0. A removal
takes one uniform number U: the point at which the running sum of the masses, in the order of the rows, first exceeds U times their total.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from banditproof import randomness
from banditproof.algorithms.estimators.spectral_filter.common import FACTOR, Filtered, require_key, require_points, stopping_value
from banditproof.interaction import Floats, Words


@dataclass(frozen=True)
class Removal:
    """One pass that removed a point, and how near it was to another outcome.

    place: of the removed row. top_eigenvalue: u. margin: distance of the uniform number from the nearer end of the interval that belongs
    to the point, as a probability. eigenvalue_gap: 1 - (second eigenvalue) / u; at 0 the eigenvector v is not determined.
    """

    place: int
    top_eigenvalue: float
    margin: float
    eigenvalue_gap: float


def summary(points: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean (d,), eigenvalues (d,) of the covariance in ascending order, and its eigenvectors (d, d) as columns."""
    mean = points.mean(axis=0)
    centred = points - mean
    values, vectors = np.linalg.eigh(centred.T @ centred / len(points))
    return mean, values, vectors


def removals(
    points: Sequence[Sequence[float]] | Floats, variance_bound: float, key: Words, *, factor: float = FACTOR, first_draw: int = 0
) -> Iterator[Removal]:
    """The removals of Algorithm 2, one by one; the uniform number of removal i has the address (key, CHOICES, first_draw + i)."""
    rows, words = require_points(points), require_key(key, first_draw)
    limit, places, draw = stopping_value(variance_bound, factor), np.arange(len(rows)), first_draw
    while len(places) > 1:
        remaining = rows[places]
        mean, values, vectors = summary(remaining)
        sums = np.cumsum(((remaining - mean) @ vectors[:, -1]) ** 2)
        if values[-1] <= limit or not sums[-1] > 0.0:
            return
        number = randomness.uniform(words, randomness.CHOICES, draw)
        target = number * sums[-1]
        # U = 1 - 2^-53 times the total can round to the total itself: then the last point with any mass.
        chosen = min(int(np.searchsorted(sums, target, side="right")), int(np.searchsorted(sums, sums[-1], side="left")))
        ends = (0.0 if chosen == 0 else sums[chosen - 1], sums[chosen])
        second = values[-2] if len(values) > 1 else 0.0
        margin = min(abs(target - end) for end in ends) / sums[-1]
        yield Removal(int(places[chosen]), float(values[-1]), float(margin), float(1.0 - second / values[-1]))
        places = np.delete(places, chosen)
        draw += 1


def filter_points(
    points: Sequence[Sequence[float]] | Floats, variance_bound: float, key: Words, *, factor: float = FACTOR, first_draw: int = 0
) -> Filtered:
    """Algorithm 2 on the rows of `points` (n, d). Raises ValueError on numbers that are not finite or above 1e70 in size.

    One uniform number per removal, from (key, CHOICES, first_draw) on."""
    rows = require_points(points)
    removed = np.array([each.place for each in removals(rows, variance_bound, key, factor=factor, first_draw=first_draw)], dtype=np.int64)
    weights = np.ones(len(rows))
    weights[removed] = 0.0
    mean, values, _ = summary(rows[weights == 1.0])
    return Filtered(mean, weights, removed, len(removed) + 1, float(values[-1]), variance_bound)
