"""The exact loss of a shuffled vector sum, between two bounds: an accountant for the pair of datasets of `shuffled_ratio`.

Of BITS the shuffled messages say no more than the number of ones of each coordinate, whose probabilities are known (`logs_of`), and
coordinates are independent: the privacy loss is a sum of independent losses, and its distribution their convolution on a grid, with each
loss rounded up or down. Of COUNTS, and of shuffled Gaussian contributions, no exact form is known here: below is the loss of BITS, which is
a function of COUNTS; above that of the differing user's messages alone, which the others' only hide.
"""

import numpy as np

from banditproof.algorithms.mechanisms.vector_sum import Encoding, ShuffledSum
from banditproof.audits.papers.ldp_linucb_2024.shuffled_ratio import LARGEST, logs_of
from banditproof.interaction import Floats

GRID, FAR = 2e-4, 40.0  # of a loss; a coordinate's loss beyond FAR counts as infinite above and as nothing below
_Loss = tuple[Floats, Floats, float]  # values, their probabilities, and the probability of an infinite loss


def _of_coordinate(first: Floats, second: Floats, up: bool) -> tuple[int, Floats, float]:
    """Of the loss log(first/second) under the first: least multiple of GRID, probabilities, and that of an infinite loss."""
    possible = first > -LARGEST / 2.0
    probability, loss = np.where(possible, np.exp(first), 0.0), np.where(possible, first - second, 0.0)
    kept = possible & (np.abs(loss) < FAR)
    infinite = float(probability[(loss >= FAR) & (up | (second <= -LARGEST / 2.0))].sum())
    if not kept.any():
        return 0, np.zeros(1), infinite
    places = (np.ceil(loss[kept] / GRID) if up else np.floor(loss[kept] / GRID)).astype(np.int64)
    least = int(places.min())
    return least, np.asarray(np.bincount(places - least, weights=probability[kept]), dtype=float), infinite


def _summed(first: Floats, second: Floats, up: bool) -> _Loss:
    """Over all coordinates, log probabilities (p, counts) of the two datasets."""
    from scipy.signal import fftconvolve

    total: Floats = np.ones(1)
    least, finite = 0, 1.0
    for one, other in zip(first, second, strict=True):
        if not np.array_equal(one, other):
            start, found, infinite = _of_coordinate(one, other, up)
            least, total, finite = least + start, np.maximum(fftconvolve(total, found), 0.0), finite * (1.0 - infinite)
    return np.asarray((least + np.arange(total.size)) * GRID), total, 1.0 - finite


def _delta_at(loss: _Loss, epsilon: float) -> float:
    values, probabilities, infinite = loss
    above = values > epsilon
    return infinite + float((probabilities[above] * -np.expm1(epsilon - values[above])).sum())


def _epsilon_at(loss: _Loss, delta: float) -> float:
    """Least epsilon at delta, 0 where it is enough by itself; infinite where no epsilon is."""
    if loss[2] > delta:
        return float("inf")
    low, high = 0.0, float(loss[0][-1])
    if _delta_at(loss, 0.0) <= delta:
        return 0.0
    while high - low > GRID / 16.0:
        middle = (low + high) / 2.0
        low, high = (middle, high) if _delta_at(loss, middle) > delta else (low, middle)
    return high


def epsilons(mechanism: ShuffledSum, delta: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """The least epsilon at delta between two bounds, of the first dataset over the second and of the second over the first.

    BITS: of what is shuffled. COUNTS: of the differing user's own counts, which bounds what is shuffled from above alone.
    """
    tables = logs_of(mechanism, mechanism.batch - 1 if mechanism.encoding is Encoding.BITS else 0)

    def between(left: Floats, right: Floats) -> tuple[float, float]:
        low, high = (_epsilon_at(_summed(left, right, up), delta) for up in (False, True))
        return low, high

    return between(*tables), between(*tables[::-1])


def largest(mechanism: ShuffledSum, delta: float) -> float:
    """From above, in the worse direction: exact, up to the grid, for BITS."""
    return max(high for _, high in epsilons(mechanism, delta))
