"""Algorithms 1 and 2 of charisopoulos_2023 written a second time, from the sheet: dense linear algebra, one point after the other.

Nothing here is taken from `algorithms`, so that a mistake there is not made here. Where the paper leaves a choice open, it is the one that
the shipped docstrings name. Random numbers have the addresses that those name too: uniform number i of a filter is (key, CHOICES, i).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from banditproof import randomness
from banditproof.interaction import Floats, Ints, Words

# --- designs and coresets -----------------------------------------------------------------------------------------------------------------


def coordinates(arms: Floats) -> Floats:
    """The arms (K, d), which span R^d, after Gram and Schmidt on their columns."""
    columns: list[Floats] = []
    for column in arms.T / np.abs(arms).max():
        rest = column
        for _ in range(2):  # twice, against rounding
            rest = rest - sum((other * float(other @ rest) for other in columns), np.zeros(len(arms)))
        columns.append(rest / math.sqrt(float(rest @ rest)))
    return np.array(columns).T


def leverages(points: Floats, weights: Floats) -> Floats:
    """a' M(pi)^-1 a of every point (K,)."""
    inverse = np.linalg.inv(sum(weight * np.outer(point, point) for weight, point in zip(weights, points, strict=True)))
    return np.array([float(point @ inverse @ point) for point in points])


def frank_wolfe(arms: Floats, target: float) -> tuple[Floats, int]:
    """Weights (K,) by the start of Kumar and Yildirim and steps towards the arm of the largest variance, and how many steps."""
    points = coordinates(arms)
    dimension = points.shape[1]
    chosen: list[int] = []
    for _ in range(dimension):
        # The axis that keeps the most of its length orthogonally to the chosen points.
        span = np.linalg.qr(points[chosen].T)[0] if chosen else np.zeros((dimension, 0))
        free = np.eye(dimension) - span @ span.T
        lengths = [round(float(axis @ axis), 12) for axis in free]
        chosen.append(int(np.argmax(np.abs(points @ free[lengths.index(max(lengths))]))))
    weights, steps = np.zeros(len(points)), 0
    weights[chosen] = 1.0 / dimension
    while True:
        values = leverages(points, weights)
        furthest = int(np.argmax(values))
        largest = values[furthest]
        if largest <= target * (1.0 + 1e-12):
            return weights, steps
        step = (largest / dimension - 1.0) / (largest - 1.0)
        weights = (1.0 - step) * weights
        weights[furthest] += step
        steps += 1


def plays_of(weights: Floats, size: float, least: float | None) -> Ints:
    """ceil(m pi(a)), or ceil(m max{pi(a), nu}), on the support; a product within rounding of an integer is that integer."""
    found = []
    for weight in weights:
        product = size * (weight if least is None else max(weight, least))
        near = abs(product - round(product)) <= 1e-12 * product
        found.append(0 if weight == 0.0 else round(product) if near else math.ceil(product))
    return np.array(found, dtype=np.int64)


# --- the filter ---------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Kept:
    """What a filter kept of n points: their mean (d,), weights (n,), the removed places in their order, the top eigenvalue of the kept
    ones, and whether a uniform number fell within rounding of a boundary, after which the rest may be another's."""

    mean: Floats
    weights: Floats
    removed: tuple[int, ...]
    top: float
    close: bool = False


def eigenpair(points: Floats, weights: Floats) -> tuple[Floats, float, Floats]:
    """Mean, top eigenvalue of the covariance and squared distances along its eigenvector, of weighted points."""
    total = weights.sum()
    mean = sum(weight * point for weight, point in zip(weights, points, strict=True)) / total
    centred = points - mean
    values, vectors = np.linalg.eigh((centred.T * weights) @ centred / total)
    return mean, max(float(values[-1]), 0.0), np.asarray((centred @ vectors[:, -1]) ** 2)


def filtered(points: Floats, order: Ints, limit: float, key: Words, first: int = 0) -> Kept:
    """Algorithm 2 on points (n, d) that are walked in this order, up to a top eigenvalue of `limit` = 4 lambda."""
    left, removed, close = [int(place) for place in order], list[int](), False
    while True:
        mean, top, masses = eigenpair(points[left], np.ones(len(left)))
        if len(left) == 1 or top <= limit or not masses.sum() > 0.0:
            weights = np.zeros(len(points))
            weights[left] = 1.0
            return Kept(mean, weights, tuple(removed), top, close)
        number = float(randomness.uniform(key, randomness.CHOICES, first + len(removed)))
        sums = np.cumsum(masses) / masses.sum()
        close |= bool(np.abs(sums - number).min() < 1e-9)
        removed.append(left.pop(int(np.sum(sums <= number))))


def reweighted(points: Floats, limit: float) -> Kept:
    """Weights are lowered by 1 - tau / tau_max until the top eigenvalue is at most `limit`."""
    weights, removed = np.ones(len(points)), list[int]()
    while True:
        mean, top, masses = eigenpair(points, weights)
        largest = masses[weights > 0.0].max()
        if top <= limit or np.sum(weights > 0.0) == 1 or not largest > 0.0:
            return Kept(mean, weights, tuple(removed), top)
        lowered = np.where(weights > 0.0, weights * (1.0 - masses / largest), 0.0)
        if lowered.max() == 0.0:
            lowered[np.flatnonzero(weights)[0]] = 1.0
        removed += [place for place in range(len(points)) if weights[place] > 0.0 and lowered[place] == 0.0]
        weights = lowered


# --- estimates ----------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Whitened:
    """M_n^(-1/2) (d, d) on the span, and mu over all rows."""

    root: Floats
    leverage: float


def whitened(rows: Floats, places: Ints) -> Whitened:
    """Of rows (k, d) by the reports' places (n,)."""
    gram = sum(np.outer(rows[place], rows[place]) for place in places)
    values, vectors = np.linalg.eigh(gram)
    used = values > 1e-10 * values[-1]
    root = (vectors[:, used] / np.sqrt(values[used])) @ vectors[:, used].T
    return Whitened(root, max(float(row @ root @ root @ row) for row in rows))


def robust(
    rows: Floats, places: Ints, values: Floats, scale: float, key: Words, *, factor: float = 4.0, first: int = 0
) -> tuple[Floats, Kept]:
    """theta = n M_n^(-1/2) w of reports (n,), walked row by row and upwards; and what the filter kept."""
    root = whitened(rows, places).root
    points = np.array([value * (root @ rows[place]) for place, value in zip(places, values, strict=True)])
    order = np.array(sorted(range(len(values)), key=lambda each: (places[each], values[each])))
    found = filtered(points, order, factor * scale, key, first)
    return len(values) * (root @ found.mean), found


def solved(rows: Floats, places: Ints, values: Floats) -> Floats:
    """The least squares solution of least length, by its normal equations."""
    gram = sum(np.outer(rows[place], rows[place]) for place in places)
    target = sum(value * rows[place] for place, value in zip(places, values, strict=True))
    return np.asarray(np.linalg.pinv(gram, rcond=1e-10, hermitian=True) @ target)


def trimmed(rows: Floats, places: Ints, values: Floats, fraction: float) -> Floats:
    """The same with each report replaced by its arm's mean without the floor(fraction m) smallest and largest of m."""
    replaced = np.zeros(len(values))
    for place in set(places.tolist()):
        mine = sorted(values[places == place].tolist())
        cut = math.floor(fraction * len(mine))
        replaced[places == place] = math.fsum(mine[cut : len(mine) - cut]) / (len(mine) - 2 * cut)
    return solved(rows, places, replaced)


# --- thresholds ---------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Situation:
    """What thresholds depend on: d, epsilon, alpha, delta, m, and the constants C_gamma1, C_gamma2."""

    dimension: int
    epsilon: float
    alpha: float
    delta: float
    size: float
    corruption_constant: float = 1.0
    noise_constant: float = 1.0

    @property
    def few(self) -> float:
        """L = log(1/delta)."""
        return math.log(1.0 / self.delta)


def line_9(at: Situation) -> float:
    """The threshold of M1 as section 3.1 has it."""
    d, longer = at.dimension, math.log(at.size / at.delta)
    first = math.sqrt(d) * (math.sqrt(longer) + longer / at.epsilon) * (math.sqrt(at.alpha) + at.alpha * math.sqrt(d))
    return at.corruption_constant * first + at.alpha + at.noise_constant * _noise(at)


def display_50(at: Situation) -> float:
    """The confidence interval of M1, (50)."""
    longer = math.log(at.size / at.delta)
    first = at.dimension * (math.sqrt(at.alpha) + math.sqrt(at.alpha * at.few / at.size)) * (1 + math.sqrt(longer) + longer / at.epsilon)
    return at.corruption_constant * first + at.noise_constant * _noise(at) + at.alpha


def _noise(at: Situation) -> float:
    return math.sqrt(at.dimension * at.few / at.size) * (1.0 + math.sqrt(at.few) / at.epsilon)


def display_48(at: Situation, leverage: float, reports: int) -> float:
    """(48), at mu and n of the batch."""
    longer, alpha = math.log(reports / at.delta), at.alpha
    first = leverage * (reports * math.sqrt(alpha) + math.sqrt(reports * alpha * at.few)) * (1 + math.sqrt(longer) + longer / at.epsilon)
    noise = math.sqrt(leverage * at.few) * (1.0 + math.sqrt(at.few) / at.epsilon)
    return at.corruption_constant * first + at.noise_constant * noise + at.alpha


def display_55(at: Situation, least: float, support: int, leading_one: bool) -> float:
    """(55), with nu = `least`; line 9 may lack the leading 1 of the second bracket."""
    rewards, several = least * at.size, math.log(support / at.delta)
    noise = math.sqrt(at.dimension * at.few / rewards) * (1.0 + math.sqrt(at.few / rewards) / at.epsilon)
    bracket = (1.0 if leading_one else 0.0) + math.sqrt(several / rewards) + several / (rewards * at.epsilon)
    first = 2.0 * at.dimension * bracket * (math.sqrt(support * at.alpha) + math.sqrt(at.alpha * at.few))
    return at.noise_constant * noise + at.corruption_constant * first + at.alpha


def bracket_of(count: int, delta: float, epsilon: float, rewards: float = 1.0) -> float:
    """Lemma 3.3 for n reports, Lemma 3.8 for k means of `rewards` each, c_max = 1."""
    term = math.log(count / delta) / rewards
    return 1.0 + math.sqrt(term) + 4.0 * term / epsilon


# --- attacks ------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Attack:
    """An adversary of `linear_adversary`: alpha, direction, size, which reports he replaces and by what."""

    alpha: float
    direction: tuple[float, ...]
    size: float
    worst: bool
    imitates: bool

    def values(self, vectors: Floats, arms: Ints, sent: Ints) -> tuple[Floats, Floats]:
        """By what a report of each arm is replaced (K,), and <u, M^-1 a> (K,); `sent`: the users who send something."""
        direction = np.array(self.direction) / math.sqrt(math.fsum(each * each for each in self.direction))
        u = np.concatenate([direction, np.zeros(vectors.shape[1])])[: vectors.shape[1]]
        gram = sum((np.outer(vectors[arms[user]], vectors[arms[user]]) for user in sent), np.zeros((u.size, u.size)))
        influence = vectors @ np.linalg.solve(gram + 1e-9 * np.trace(gram) * np.eye(u.size), u) if sent.size else np.zeros(len(vectors))
        return self.size * (vectors @ u if self.imitates else np.where(influence >= 0.0, 1.0, -1.0)), influence

    def struck(self, vectors: Floats, arms: Ints, reports: Floats, key: Words, first: int) -> Iterator[tuple[int, float]]:
        """The users of a batch whose reports (n,) are replaced, and by what. Reports of NaN are none."""
        sent = np.flatnonzero(~np.isnan(reports))
        values, influence = self.values(vectors, arms, sent)
        if self.worst:
            gains = {int(user): influence[arms[user]] * (values[arms[user]] - reports[user]) for user in sent}
            chosen = sorted(gains, key=lambda user: -gains[user])[: math.floor(self.alpha * len(sent) + 1e-9)]
        else:
            chosen = [int(user) for user in sent if randomness.uniform(key, randomness.CORRUPTION, first + int(user)) < self.alpha]
        for user in chosen:
            yield user, float(values[arms[user]])
