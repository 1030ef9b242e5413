"""charisopoulos_2023: optimal designs step by step, and the ends of designs, coresets and filters that no drawn problem reaches.

The interior point method is written a second time with dense inverses: the weights, the steps and the multiplications of its designs are
compared. Ends: points at equal distances, margins of removals, numbers just below and above what is admitted, arms outside the span.
"""

import math
from collections.abc import Iterator
from functools import partial
from itertools import count, product

import numpy as np

from banditproof import randomness
from banditproof.algorithms.designs import approximate, coreset
from banditproof.algorithms.designs.optimal import g_optimal_design
from banditproof.algorithms.estimators.linear.robust_least_squares import whiten
from banditproof.algorithms.estimators.spectral_filter.common import require_points, require_reports, stopping_value
from banditproof.algorithms.estimators.spectral_filter.literal import removals
from banditproof.algorithms.estimators.spectral_filter.reweighting import reweight_points
from banditproof.audits.common.beside import beside
from banditproof.audits.common.releases import equal, refusals
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.charisopoulos_2023 import transcribed
from banditproof.audits.papers.charisopoulos_2023.cases.replayed_parts import LARGE, SHAPES, compared, sets
from banditproof.interaction import Floats, Ints

# --- optimal designs ----------------------------------------------------------------------------------------------------------------------


def logdet(points: Floats, weights: Floats) -> float:
    return float(np.linalg.slogdet(points.T @ (points * weights[:, None]))[1])


def admitted(values: Floats, moves: Floats) -> float:
    """95 % of the way to where the first positive value would be 0, or the whole way where none would be."""
    ways = [0.95 * value / -move for value, move in zip(values, moves, strict=True) if move < 0.0]
    return float(min([1.0, *ways]))


def newton(points: Floats, weights: Floats, slacks: Floats, goal: float) -> tuple[Floats, Floats, int]:
    """Steps of the interior point method until sum w max g <= d (1 + goal)."""
    size, d = points.shape
    for taken in count():
        gram = points @ np.linalg.inv(points.T @ (points * weights[:, None])) @ points.T
        values = np.diagonal(gram)
        if weights.sum() * values.max() <= d * (1.0 + goal):
            return weights, slacks, taken
        mu = max(0.1 * float(weights @ slacks), goal * d / 4.0) / size
        slope = d - values - mu / weights
        hessian = gram**2 + np.diag(np.maximum(slacks / weights, 1e-15 * size * values.max() ** 2))
        step = np.linalg.solve(hessian, -slope)
        moves = mu / weights - slacks - slacks / weights * step
        length, half = admitted(weights, step), logdet(points, weights) / 2.0
        at = d * weights.sum() - 2.0 * half - mu * np.log(weights).sum()
        rounding = 1e-13 * (1.0 + abs(half) + mu * np.abs(np.log(weights)).sum())
        while length > 2.0**-20:
            moved = weights + length * step
            if d * moved.sum() - logdet(points, moved) - mu * np.log(moved).sum() - at <= 1e-4 * length * float(slope @ step) + rounding:
                break
            length /= 2.0
        weights, slacks = weights + length * step, slacks + admitted(slacks, moves) * moves
    raise AssertionError


def joined(points: Floats, places: Ints, weights: Floats, slacks: Floats, gap: float) -> tuple[Ints, Floats, Floats, int]:
    """The working set without light arms of small variance, while the gap is at least 1 %, and with arms that Frank-Wolfe steps lead to."""
    d, values = points.shape[1], transcribed.leverages(points, over_all(points, places, weights))
    leaves = (weights <= 0.1 * weights.sum() / len(places)) & (values[places] <= d * (1.0 - 0.3 * gap)) if gap >= 0.01 else weights < 0.0
    places, weights, slacks = places[~leaves], weights[~leaves], slacks[~leaves]
    target = max(float(weights @ slacks), 0.1 * gap * d) / len(places)
    slacks = np.maximum(slacks, 0.1 * target / weights)
    outside = [place for place in range(len(points)) if values[place] > d and place not in places]
    if not outside:
        return places, weights, slacks, 0
    new, old, steps = np.zeros(len(points)), weights / weights.sum(), 0
    while steps < d + 32:
        every = new.copy()
        every[places] = old
        now = transcribed.leverages(points, every)[outside]
        furthest, largest = outside[int(np.argmax(now))], float(now.max())
        if largest <= d * (1.0 + gap / 4.0):
            break
        step = (largest / d - 1.0) / (largest - 1.0)
        old, new = (1.0 - step) * old, (1.0 - step) * new
        new[furthest] += step
        steps += 1
    chosen = np.flatnonzero(new)
    return np.append(places, chosen), np.append(old, new[chosen]), np.append(slacks, target / new[chosen]), steps


def over_all(points: Floats, places: Ints, weights: Floats) -> Floats:
    """Weights of sum 1 over all arms."""
    every = np.zeros(len(points))
    every[places] = weights / weights.sum()
    return every


def optimum(points: Floats, width: int, tolerance: float) -> tuple[Floats, int, int]:
    """Weights, steps and multiplications, from the approximate design on."""
    arms, d = points.shape
    weights, steps = transcribed.frank_wolfe(points, 2.0 * d)
    pricing = 2 * arms * d**2
    work = 2 * arms * width**2 + arms * d**2 + d**3 + steps * (arms * d + 2 * arms + d**2) + pricing
    gap = transcribed.leverages(points, weights).max() / d - 1.0
    places = np.flatnonzero(weights)
    own, slacks = weights[places], np.full(len(places), gap)
    while gap > tolerance / 2.0:
        places, own, slacks, added = joined(points, places, own, slacks, gap)
        own, slacks, taken = newton(points[places], own, slacks, max(tolerance / 4.0, 0.1 * gap))
        weights, size = over_all(points, places, own), len(places)
        gap, steps = transcribed.leverages(points, weights).max() / d - 1.0, steps + added + taken
        work += taken * (size**3 // 3 + size**2 * d + 3 * size * d**2) + pricing
    left = 0.0
    for place in sorted(range(arms), key=lambda each: weights[each]):
        left += weights[place]
        if left > tolerance / (4.0 * d):
            break
        weights[place] = 0.0
    return weights / weights.sum(), steps, work


def optimal_steps() -> Iterator[At]:
    """Designs of drawn sets at three tolerances."""
    for where, arms, _ in sets((*SHAPES[:9], LARGE)):
        for tolerance in (0.3, 0.05, 1e-3):
            found = g_optimal_design(arms, tolerance)
            weights, steps, work = optimum(transcribed.coordinates(arms @ found.basis), arms.shape[1], tolerance)
            told = {"weights": (found.weights, weights), "steps": (found.iterations, steps), "work": (found.multiplications / work, 1.0)}
            yield from compared({**where, "tolerance": tolerance}, **told)


# --- ends ---------------------------------------------------------------------------------------------------------------------------------


def supports() -> Iterator[At]:
    """Support bounds and targets; bases of sets of full rank are the identity; what is refused of coresets."""
    for d in (1, 2, 3, 15, 40):
        loglog = math.log(math.log(d)) if d > 1 else 0.0
        yield equal({"d": d, "compared": "support"}, approximate.support_bound(d), 4.0 * d * (loglog if loglog > 0.0 else 0.0) + 16.0)
        yield equal({"d": d, "compared": "target"}, approximate.default_target(d), d + d)
        if d > 1:
            printed = [approximate.printed_support_bound(d), approximate.printed_support_bound(d, 3.0)]
            yield equal({"d": d, "compared": "printed"}, printed, [d * loglog, 3.0 * d * loglog])
    for where, arms, rank in sets():
        if rank == arms.shape[1]:
            for design in (approximate.approximate_g_design(arms), g_optimal_design(arms, 0.1)):
                yield equal({**where, "compared": "basis"}, design.basis, np.eye(rank))
    weights = np.array([0.5, 0.5])
    for size, least in product((0.0, -1.0, 2.0**53 + 2.0, math.nan, 1.0), (None, 0.0, -0.5, 1.0 + 1e-9, 2.0, math.nan)):
        if size != 1.0 or least is not None:
            told = {f"plays of {size}, {least}": partial(coreset.coreset_counts, weights, size, least)}
            yield from refusals({**told, f"most of {size}, {least}": partial(coreset.most_plays, size, 2, least)})
    yield equal({"m": "2^53"}, coreset.coreset_counts(weights, 2.0**53, 1.0), [2**53, 2**53])


def margins() -> Iterator[At]:
    """Each removal of the literal form: which point, the top eigenvalue, its gap, and how near the uniform number is to another point."""
    for d, factor in product((1, 2, 4), (4.0, 1.0)):
        points, key = np.random.default_rng([5, d]).normal(size=(12, d)), randomness.key_of(d, "margins")
        left, words = list(range(12)), np.append(key, np.uint64(0))
        for draw, each in enumerate(removals(points, 0.05, key, factor=factor, first_draw=3)):
            inside = points[left]
            values, vectors = np.linalg.eigh(np.cov(inside.T, bias=True).reshape(d, d))
            masses = ((inside - inside.mean(axis=0)) @ vectors[:, -1]) ** 2
            ends, number = np.append(0.0, np.cumsum(masses) / masses.sum()), float(randomness.uniform(words, randomness.CHOICES, 3 + draw))
            place = int(np.searchsorted(ends, number, side="right")) - 1
            gap = 1.0 - (values[-2] / values[-1] if d > 1 else 0.0)
            margin = min(number - ends[place], ends[place + 1] - number)
            where = {"d": d, "factor": factor, "removal": draw}
            found = (each.place, each.top_eigenvalue, each.eigenvalue_gap, each.margin)
            yield from compared(where, removal=(found, (left[place], values[-1], gap, margin)))
            left.pop(place)
        centred = points[left] - points[left].mean(axis=0)
        top = float(np.linalg.eigvalsh(centred.T @ centred / len(left))[-1])
        yield At({"d": d, "factor": factor, "compared": "stop"}, int(len(left) > 1 and top > factor * 0.05), 0)


def equal_distances() -> Iterator[At]:
    """The reweighted form where all weights would become 0 at once keeps the first point; where one is at the mean, that one."""
    for points, kept in (([[1.0, 2.0], [-3.0, 4.0]], 0), ([[-3.0, 4.0], [1.0, 2.0]], 0), ([[-1.0], [1.0], [0.0]], 2)):
        found = reweight_points(points, 0.0)
        where = {"points": str(points)}
        yield equal({**where, "compared": "weights"}, found.weights, np.eye(len(points))[kept])
        yield equal({**where, "compared": "mean"}, found.mean, points[kept])
        yield equal({**where, "compared": "removed"}, found.removed, [each for each in range(len(points)) if each != kept])
        yield equal({**where, "compared": "passes"}, (found.passes, found.top_eigenvalue, found.variance_bound), (2, 0.0, 0.0))


def sizes_admitted() -> Iterator[At]:
    """Numbers of size 1e70 are taken, larger ones refused; so are arms outside the span, of which the farthest is named."""
    for value in (1e70, -1e70):
        yield equal({"points": value}, require_points([[value, 0.0]]), [[value, 0.0]])
        yield equal({"reports": value}, require_reports([0], [value], 1)[1], [value])
    for value in (math.nextafter(1e70, math.inf), -1.5e70, math.inf, math.nan):
        yield from refusals(
            {f"points {value}": partial(require_points, [[value]]), f"reports {value}": partial(require_reports, [0], [value], 1)}
        )
    yield equal({"compared": "limit"}, (stopping_value(0.3), stopping_value(0.3, 0.5), stopping_value(math.inf)), (1.2, 0.15, math.inf))
    for outside in (1e-5, 0.5):
        arms = np.array([[1.0, 0.0], [2.0, 0.0], [1.0, outside], [1.0, outside / 2.0]])
        try:
            whiten(arms, np.array([0, 1, 1]))
        except ValueError as error:
            yield At({"outside": outside}, int("arm 2 " not in str(error)), 0)
        else:
            yield At({"outside": outside}, 1, 0)
    inside = whiten([[1.0, 0.0], [2.0, 0.0], [3.0, 1e-7]], [0, 1, 1])
    yield from compared({"outside": 1e-7}, leverage=(inside.leverage, 1.0))


REPLAYED = tuple(
    beside(f"charisopoulos_2023.{theorem}", slug, words, points, domain)
    for theorem, slug, words, points, domain in (
        ("g_optimal", "steps_replayed", "optimal designs, step by step", optimal_steps, "10 sets, 3 tolerances"),
        ("support_for_code", "supports_and_refusals", "support bounds, bases, coresets that are refused", supports, "listed"),
        ("filter_stop", "margins_replayed", "removals of the literal form, one by one", margins, "12 points, d = 1, 2, 4"),
        ("filter_stop", "equal_distances", "the reweighted form at equal distances", equal_distances, "2 and 3 points"),
        ("filter_stop", "sizes_admitted", "what filters and whitening refuse", sizes_admitted, "listed"),
    )
)
