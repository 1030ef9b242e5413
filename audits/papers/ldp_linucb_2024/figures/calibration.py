"""What noise gives each method of Figure 1 the same true (epsilon, delta): data with |x| <= 1 and y in [-1, 1], any two users.

    OnlineUCB   exact for the user's whole message, Gaussian with means at most sqrt(8) apart (`local_row`)
    LDP         exact for the user's contribution, at most sqrt(4.5) apart in units of the noise (`gram.local`)
    JDP         the tree of Shariff and Sheffet, exact for all its nodes, rows of length at most sqrt(2)
    SDP-Amp     not known exactly, so both ends are played. `least_amplified_scale` is the noise below which already the sum of a batch,
                a function of what the shuffler hands on, is not (epsilon, delta); the noise of LDP is enough without any shuffler.
    SDP-Vec     `least_trials`: the least b at which the ones of a batch are (epsilon, delta) for the two users whose contributions are
                the farthest apart, in both directions, by the exact distributions of the counts

Readings. SDP-Vec is private where each bit is a message of its own; the server adds the same counts, which is what is played. Another pair
of users may need a larger b than the farthest one, so that b is a lower end too. The losses of SDP-Vec are rounded up to a grid.
"""

import functools
import math

import numpy as np

from banditproof.algorithms.mechanisms import vector_sum
from banditproof.algorithms.mechanisms.gaussian import exact_sigma
from banditproof.algorithms.mechanisms.gram.local import sensitivity, worst_rows
from banditproof.interaction import Floats

FINE = 2000  # steps of the grid of losses per unit of epsilon
NEGLIGIBLE = 1e-15  # probability of a count below which it is left out, and counted in delta
LARGEST_EPSILON = 1e6


def least_amplified_scale(epsilon: float, delta: float, batch: int) -> float:
    """s below which the sum of a batch of contributions with noise N(0, s^2) each is not (epsilon, delta)."""
    return exact_sigma(epsilon, delta, sensitivity()) / math.sqrt(batch)


def level_of_scale(scale: float, delta: float) -> float:
    """The epsilon at which a contribution with this noise is exactly (epsilon, delta) by itself."""
    from scipy.optimize import brentq

    def excess(logarithm: float) -> float:
        return math.log(exact_sigma(math.exp(logarithm), delta, sensitivity()) / scale)

    return math.exp(float(brentq(excess, math.log(1e-3), math.log(LARGEST_EPSILON), xtol=1e-13)))


def trials_factor(epsilon: float, delta: float, *, batch: int, dimension: int) -> float:
    """The factor on the script's b that makes it `least_trials`."""
    needed = least_trials(epsilon, delta, batch=batch, dimension=dimension)
    return (needed + 1e-9) / script_trials(epsilon, delta, batch=batch, dimension=dimension)  # rounded down it is `needed`


def script_trials(epsilon: float, delta: float, *, batch: int, dimension: int) -> float:
    """The script's b before its factor and before it is rounded down."""
    return vector_sum.trials(epsilon, delta, batch=batch, dimension=dimension)


@functools.cache
def least_trials(epsilon: float, delta: float, *, batch: int, dimension: int) -> int:
    """The least b, by bisection: more noise is never less private."""
    low, high = 0, 1
    while batch_delta(epsilon, high, batch=batch, dimension=dimension) > delta:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if batch_delta(epsilon, middle, batch=batch, dimension=dimension) > delta else (low, middle)
    return high


def batch_delta(epsilon: float, trials: int, *, batch: int, dimension: int) -> float:
    """Least delta at which the ones of a batch are (epsilon, delta) for the farthest pair; the other users' ones are known."""
    resolution = vector_sum.resolution(batch, dimension)
    one, other = (_contribution(np.array(row)) for row in worst_rows(dimension))
    pairs = [
        tuple(_counts((number + 1.0) * resolution, batch * trials, resolution) for number in both)
        for both in zip(one, other, strict=True)
        if both[0] != both[1]
    ]
    return max(_delta([(left, right) for left, right in pairs], epsilon), _delta([(right, left) for left, right in pairs], epsilon))


def _contribution(row: Floats) -> Floats:
    """The lower triangle of x x' and y x."""
    features, response = row[:-1], row[-1]
    return np.concatenate([np.outer(features, features)[np.tril_indices(features.size)], response * features])


def _counts(scaled: float, trials: int, resolution: float) -> Floats:
    """Probabilities of the ones of a coordinate: floor(q) + Bernoulli(q - floor(q)) + Bin(trials, 1/4)."""
    from scipy.stats import binom

    noise = binom.pmf(np.arange(trials + 1), trials, 0.25)
    found, whole = np.zeros(trials + 3 + math.ceil(2.0 * resolution)), math.floor(scaled)
    found[whole : whole + trials + 1] += (1.0 - (scaled - whole)) * noise
    found[whole + 1 : whole + trials + 2] += (scaled - whole) * noise
    return found


def _delta(pairs: list[tuple[Floats, Floats]], epsilon: float) -> float:
    """Of independent coordinates, from the distribution of the sum of their losses ln(p / q), rounded up to a grid."""
    from scipy.signal import fftconvolve

    step = epsilon / FINE
    total, first, lost = np.ones(1), 0, 0.0
    for one, other in pairs:
        seen = (one > NEGLIGIBLE) & (other > 0.0)
        losses = np.ceil(np.log(one[seen] / other[seen]) / step).astype(int)
        lost += 1.0 - float(one[seen].sum())
        total = np.maximum(fftconvolve(total, np.bincount(losses - losses.min(), weights=one[seen])), 0.0)
        first += int(losses.min())
    beyond = step * (first + np.arange(total.size)) - epsilon
    return max(lost, 0.0) + float(np.sum(total[beyond > 0.0] * -np.expm1(-beyond[beyond > 0.0])))
