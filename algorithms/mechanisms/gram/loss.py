"""Exact privacy loss of a tree with Wishart noise (the mechanism of Shariff and Sheffet 2018, section 4.1; the accounting is ours).

One node releases X = S + v v' + W with W ~ W(L~^2 I, k) in p = d + 1 dimensions, or w in the place of v. In units of L~ the loss, the log
of the density under v over that under w, is at X = S + v v' + W, with a = (k - p - 1) / 2,

    -a ln(det(W + v v' - w w') / det W) + (|v|^2 - |w|^2) / 2,   infinite where W + v v' - w w' is not positive definite.

S has dropped out, so later rows may be chosen from earlier releases. All released nodes that hold the row see the same pair, fixed before
any of them completes, with independent noise: the loss of all of them is the sum of r independent ones, r = `gram_noise.released_nodes`,
and no composition theorem is needed.

One loss. The ratio of determinants depends on W^-1 on the span of v and w, and the inverse of that 2 x 2 matrix is Wishart with nu + 1
degrees of freedom, nu = k - d. In Bartlett's form, x ~ chi-square(nu + 1), y ~ chi-square(nu), z standard normal, and with c and s the
cosine and sine between v and w, the ratio is (A / x) (1 - b / y) with

    A = x + |v|^2 s^2,   b = |w|^2 - |v|^2 (c sqrt(x) - s z)^2 / A,   and a = nu / 2 - 1,

or, where |v| > |w|, the same in the other basis: A = x - |w|^2 s^2, b = |w|^2 (c sqrt(x) - s z)^2 / A - |v|^2. So the distribution depends
on nu, the lengths and the angle. Given x and z the loss is monotone in y: its tail is a chi-square tail at y, under w one at y - b, times
(A / x)^a exp(-b / 2 - (|v|^2 - |w|^2) / 2). Over ln x and z: trapezoids, and Gauss rules between the z at which b is 0; delta is found to
a part in 10^5 or better (halving the steps).

Sums. A loss between two points of a grid is shared between them so that its mass under v and its mass under w are both kept. The true pair
of distributions is a post-processing of the pair on the grid, so delta comes out above the true one, by about a part in a thousand
(Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022, "Connect the dots"), and by some parts in a hundred with fewer than 100 degrees of
freedom, or more where it is below 1e-3. Losses beyond the grid, next to none, count as infinite. The r-fold sum is a power of the Fourier
transform of masses tilted to the saddle point, so that a small delta keeps its digits.

What it is exact for: a user who sees each node's (d + 1) x (d + 1) matrix, which the paper releases. Without padding the difference of two
released prefixes is a node, so prefixes show nodes. Who sees less learns no more: the algorithms here leave out the corner, and padding
matrices stand beside a node until other releases have shown them. For those it is an upper bound.

The worst pair is not proved but searched. `PAIRS` are two orthogonal rows of full length, no row against a full one, and the reverse; delta
is the largest over the three. No other lengths and angles had a larger one in a search (tests/algorithms/test_gram_loss.py). Of the
three the first is the worst for many degrees of freedom, the second where epsilon is large and little but impossible outputs is left.
"""

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np

from banditproof import glossary
from banditproof.algorithms.mechanisms.gaussian import exact_sigma
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.guarantees import require
from banditproof.interaction import Floats

FAR = 1e-15  # of the losses of one node, or a millionth of the infinite ones, at most, lie beyond the grid
BINS = 1000  # of that grid
LEAST_DELTA = 1e-10  # for which to calibrate: far above what lies beyond the grid


class Pair(NamedTuple):
    """Rows v and w: their lengths over L~, and the cosine between them."""

    dataset: float
    neighbour: float
    cosine: float = 0.0


PAIRS = (Pair(1.0, 1.0), Pair(0.0, 1.0), Pair(1.0, 0.0))


class _Slices(NamedTuple):
    """Points of x and z, (n,)."""

    weights: Floats  # under v
    ratios: Floats  # ln(A / x)
    bounds: Floats  # b
    others: Floats  # weight under w over that under v
    never: float  # weight of the others, in which the loss is infinite whatever y is


def tails(pair: Pair, degrees: float, losses: Floats) -> tuple[Floats, Floats]:
    """P(loss > l) under v and under w, for a node with nu = `degrees` > 2 (k - d) and each l of `losses` (n,)."""
    from scipy.special import gammainc, gammaincc

    slices, half, power = _slices(pair, degrees), degrees / 2.0, degrees / 2.0 - 1.0
    gain = slices.ratios[:, None] + (losses[None, :] - (pair.dataset**2 - pair.neighbour**2) / 2.0) / power  # -ln q
    bound = np.broadcast_to(slices.bounds[:, None], gain.shape)
    upper, lower = (bound > 0.0) & (gain > 0.0), (bound < 0.0) & (gain < 0.0)
    found = np.where((bound > 0.0) | ((bound == 0.0) & (gain < 0.0)), 1.0, 0.0)[None].repeat(2, axis=0)
    for part, tail in ((upper, gammainc), (lower, gammaincc)):
        inner = -np.expm1(-gain[part]), np.expm1(gain[part])  # 1 - q, and 1 / q - 1
        for side in (0, 1):
            found[side][part] = tail(half, bound[part] / inner[side] / 2.0)
    under, other = slices.weights @ found[0] + slices.never, (slices.weights * slices.others) @ found[1]
    return np.asarray(under, dtype=float), np.asarray(other, dtype=float)


def _slices(pair: Pair, degrees: float) -> _Slices:
    dataset, neighbour = pair.dataset**2, pair.neighbour**2
    cosine = pair.cosine if dataset * neighbour > 1e-30 else 1.0  # no row, or next to none
    sine = math.sqrt(max(1.0 - cosine**2, 0.0))
    power, fixed = degrees / 2.0 - 1.0, (dataset - neighbour) / 2.0
    if sine == 0.0:  # one direction: y alone counts
        bound = neighbour - dataset
        return _Slices(np.ones(1), np.zeros(1), np.full(1, bound), np.full(1, math.exp(-bound / 2.0 - fixed)), 0.0)
    x, x_weights = _log_trapezoid(degrees + 1.0)
    wide = x + dataset * sine**2 if neighbour >= dataset else x - neighbour * sine**2
    never = float(x_weights[wide <= 0.0].sum())
    x, x_weights, wide = x[wide > 0.0], x_weights[wide > 0.0], wide[wide > 0.0]
    larger, smaller = max(dataset, neighbour), min(dataset, neighbour)
    edges = np.sqrt(larger * wide / smaller)  # of c sqrt(x) - s z, where b = 0
    middles = cosine * np.sqrt(x)
    lines = [_normal_points(*ends) for ends in zip((middles - edges) / sine, (middles + edges) / sine, strict=True)]
    counts = [len(points) for points, _ in lines]
    weights = np.repeat(x_weights, counts) * np.concatenate([fractions for _, fractions in lines])
    kept = weights > 1e-18
    weights, z = weights[kept], np.concatenate([points for points, _ in lines])[kept]
    x, wide = np.repeat(x, counts)[kept], np.repeat(wide, counts)[kept]
    across = smaller * (cosine * np.sqrt(x) - sine * z) ** 2 / wide
    bounds = larger - across if neighbour >= dataset else across - larger
    ratios = np.log1p((wide - x) / x)
    return _Slices(weights, ratios, bounds, np.exp(power * ratios - bounds / 2.0 - fixed), never)


def _log_trapezoid(degrees: float) -> tuple[Floats, Floats]:
    """Points and weights for a chi-square variable, by steps in its logarithm, as far as the density counts."""
    from scipy.special import gammaln, polygamma

    half = degrees / 2.0
    step = 0.6 * math.sqrt(float(polygamma(1, half)))
    left, right = 12.0 * math.sqrt(2.0 / half) + 92.0 / half, 12.0 * math.sqrt(2.0 / half)
    logs = math.log(degrees) + step * np.arange(-math.ceil(left / step), math.ceil(right / step) + 1)
    weights = step * np.exp(half * (logs - math.log(2.0)) - np.exp(logs) / 2.0 - float(gammaln(half)))
    kept = weights > 1e-19
    return np.exp(logs[kept]), weights[kept] / weights[kept].sum()


def _normal_points(left: float, right: float) -> tuple[Floats, Floats]:
    """Points and weights for a standard normal variable, of which a function has kinks at two places: a trapezoid, or between kinks that
    count a Gauss rule each. Between kinks at -z and z only half of the points, for a function of z^2."""
    far, even = 9.0, left == -right
    cuts = [cut for cut in (left, right) if abs(cut) < far]
    points: Floats = 0.8 * np.arange(0.0 if even else -11.0, 12.0)
    widths: Floats = np.full(len(points), 0.8)
    if cuts:
        ends = [0.0 if even else -far, *(cuts[1:] if even else cuts), far]
        parts = [_gauss(left, right) for left, right in itertools.pairwise(ends)]
        points, widths = np.concatenate([part for part, _ in parts]), np.concatenate([part for _, part in parts])
    times = np.where(points > 0.0, 2.0, 1.0) if even else 1.0
    return points, times * widths * np.exp(-(points**2) / 2.0) / math.sqrt(2.0 * math.pi)


def _gauss(left: float, right: float) -> tuple[Floats, Floats]:
    """A Gauss rule on an interval, with as many points as a normal density there needs."""
    points, weights = _legendre(6 + math.ceil(1.5 * (right - left)))
    return (left + right + (right - left) * points) / 2.0, (right - left) / 2.0 * weights


@functools.cache
def _legendre(order: int) -> tuple[Floats, Floats]:
    points, weights = np.polynomial.legendre.leggauss(order)
    return points, weights


class Losses(NamedTuple):
    """Masses (n,) under v of losses low, low + step, ..., and the mass of an infinite loss."""

    masses: Floats
    low: float
    step: float
    infinite: float


@functools.lru_cache(maxsize=64)
def node_losses(pair: Pair, degrees: float, bins: int = BINS) -> Losses:
    """One node's losses on a grid, rounded as above. Raises ValueError unless degrees > 2."""
    require(degrees > 2.0, f"degrees = {degrees}: must be > 2 (degrees of freedom less the features)")
    cosine = pair.cosine if pair.dataset * pair.neighbour > 0.0 else 0.0
    distance = pair.dataset**4 + pair.neighbour**4 - 2.0 * (pair.dataset * pair.neighbour * cosine) ** 2
    require(distance > 0.0, f"pair = {pair}: must be two different rows")
    width = math.sqrt(distance / 2.0 / degrees)  # of many degrees of freedom
    low, high = -10.0 * width, 10.0 * width
    while True:
        beyond, infinite = tails(pair, degrees, np.array([high, math.inf]))[0].tolist()
        if beyond - infinite <= max(FAR, 1e-6 * infinite):
            break
        high *= 1.25
    step = (high - low) / bins
    grid: Floats = step * (math.floor(low / step) + np.arange(bins + 2.0))
    return on_grid(grid, *tails(pair, degrees, grid))


def on_grid(grid: Floats, under: Floats, other: Floats) -> Losses:
    """A loss with the tails P(loss > l) under v and under w on an equally spaced grid (n,), rounded as above."""
    step = float(grid[-1] - grid[0]) / (len(grid) - 1)
    mass, image = -np.diff(under), -np.diff(other)
    above = np.clip((mass - image * np.exp(grid[:-1])) / -math.expm1(-step), 0.0, np.maximum(mass, 0.0))
    masses = np.append(mass - above, 0.0)
    masses[1:] += above
    masses[0] += 1.0 - under[0]
    return Losses(np.maximum(masses, 0.0), float(grid[0]), step, float(under[-1]))


def summed_profile(losses: Losses, nodes: int, epsilon: float) -> float:
    """Delta at epsilon of `nodes` independent losses: E(1 - exp(epsilon - sum))_+, infinite sums included."""
    places = np.flatnonzero(losses.masses)
    values: Floats = losses.low + losses.step * places.astype(float)
    logs = np.log(losses.masses[places])
    never = -math.expm1(nodes * math.log1p(-min(losses.infinite, 1.0 - 1e-16)))
    if epsilon >= nodes * values[-1]:
        return never
    mgf_argument = _saddle(values, logs, epsilon / nodes)
    tilted = logs + mgf_argument * values
    top = float(tilted.max())
    weights = np.zeros(len(losses.masses))
    weights[places] = np.exp(tilted - top)
    total = float(weights.sum())
    length = nodes * (len(weights) - 1) + 1
    size = 1 << (length - 1).bit_length()
    sums = np.fft.irfft(np.fft.rfft(weights / total, size) ** nodes, size)[:length]
    values = nodes * losses.low + losses.step * np.arange(float(length))
    counted = values > epsilon
    gains = -np.expm1(epsilon - values[counted]) * np.exp(-mgf_argument * (values[counted] - epsilon))
    scale = math.exp(nodes * (top + math.log(total)) - mgf_argument * epsilon)
    finite = scale * float(np.maximum(sums[counted], 0.0) @ gains)
    return min(finite + never, 1.0)


def _saddle(values: Floats, logs: Floats, mean: float) -> float:
    """The t >= 0 at which losses with masses exp(logs + t values) have this mean, to six digits; 0 where they have more without a tilt."""

    def short(mgf_argument: float) -> bool:
        tilted = logs + mgf_argument * values
        weights = np.exp(tilted - tilted.max())
        return float(weights @ values) < mean * float(weights.sum())

    low, high = 0.0, 1.0
    if not short(0.0):
        return 0.0
    while short(high):
        low, high = high, 2.0 * high
    for _ in range(20):
        middle = (low + high) / 2.0
        low, high = (middle, high) if short(middle) else (low, middle)
    return low


def delta_of(epsilon: float, *, degrees: int, dimension: int, horizon: int) -> float:
    """Least delta at epsilon >= 0 of all nodes that hold a row, at k = `degrees`, rounded up: the largest over `PAIRS`.

    A horizon of 1 counts as 2. Raises ValueError unless degrees >= d + 3: with fewer a row shows with probability 0.39, whatever epsilon.
    """
    require(epsilon >= 0.0, f"epsilon = {epsilon}: must be >= 0 (pure differential privacy parameter)")
    require(degrees >= dimension + 3, f"degrees = {degrees}: must be >= {dimension + 3} (degrees of freedom; d + 3)")
    return _largest(epsilon, degrees - dimension, max(gram_noise.released_nodes(horizon), 1))


def epsilon_of(delta: float, *, degrees: int, dimension: int, horizon: int) -> float:
    """Least epsilon at which `delta_of` is at most delta, rounded up; 0 where none is needed, inf where none is enough. Raises ValueError
    as `delta_of` does, and unless LEAST_DELTA <= delta < 1."""
    _check_delta(delta)

    def enough(epsilon: float) -> bool:
        return delta_of(epsilon, degrees=degrees, dimension=dimension, horizon=horizon) <= delta

    if enough(0.0):
        return 0.0
    low, high = 0.0, 1.0
    while not enough(high):
        low, high = high, 2.0 * high
        if high > 1e6:
            return math.inf
    while high - low > 1e-9 * high:
        middle = (low + high) / 2.0
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


@functools.cache
def least_degrees(epsilon: float, delta: float, *, dimension: int, horizon: int) -> int:
    """Least k >= d + 3 at which `delta_of` epsilon is at most delta: k - 1 is not enough. Raises ValueError unless delta >= LEAST_DELTA."""
    require_levels(epsilon, delta)
    nodes = max(gram_noise.released_nodes(horizon), 1)
    found: dict[int, float] = {}

    def excess(spare: int) -> float:
        found[spare] = math.log(_largest(epsilon, spare, nodes) / delta)
        return found[spare]

    if excess(3) <= 0.0:
        return dimension + 3
    low, high = 3, max(math.ceil(exact_sigma(epsilon, delta, math.sqrt(nodes)) ** 2), 4)  # enough, if the loss were Gaussian
    while excess(high) > 0.0:
        low, high = high, math.ceil(1.3 * high)
    while high - low > 1:  # a secant in logarithms, which stays inside
        fraction = found[low] / (found[low] - found[high])
        guess = math.exp((1.0 - fraction) * math.log(low) + fraction * math.log(high))
        spare = min(max(math.ceil(guess), low + 1), high - 1)
        low, high = (spare, high) if excess(spare) > 0.0 else (low, spare)
    return dimension + high


def require_levels(epsilon: float, delta: float) -> None:
    """Raises ValueError unless `least_degrees` has an answer at these levels: epsilon in its domain, and LEAST_DELTA <= delta < 1."""
    glossary.EPSILON.require(epsilon)
    _check_delta(delta)


def _check_delta(delta: float) -> None:
    glossary.DELTA.require(delta)
    require(delta >= LEAST_DELTA, f"delta = {delta}: must be >= {LEAST_DELTA} (exact accounting of Wishart noise)")


def _largest(epsilon: float, spare: int, nodes: int) -> float:
    """Over `PAIRS`, for nu = `spare`."""
    return max(summed_profile(node_losses(pair, float(spare)), nodes, epsilon) for pair in PAIRS)
