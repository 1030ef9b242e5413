"""charisopoulos_2023: designs, coresets, all forms of the filter, every rule for lambda and the baselines, beside `transcribed`.

What runs of the algorithm do not reach: other targets and tolerances, arms of deficient rank and in one dimension, the literal and the
reweighted form, other factors, keys and first draws, the oracles, arms without reports.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.designs import approximate, coreset
from banditproof.algorithms.designs.design import variances
from banditproof.algorithms.designs.optimal import g_optimal_design
from banditproof.algorithms.estimators.linear import variance_bound
from banditproof.algorithms.estimators.linear.baselines import ClippedLeastSquares, LeastSquares, TrimmedLeastSquares
from banditproof.algorithms.estimators.linear.robust_least_squares import FilteredLeastSquares, robust_least_squares, whiten
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound
from banditproof.algorithms.estimators.spectral_filter.common import Filtered, Method
from banditproof.algorithms.estimators.spectral_filter.fast import filter_reports, spectral_filter
from banditproof.algorithms.estimators.spectral_filter.literal import filter_points, removals
from banditproof.audits.common.beside import unbroken
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023 import transcribed
from banditproof.audits.papers.charisopoulos_2023.cases.filtering import Problem, problem
from banditproof.audits.papers.charisopoulos_2023.cases.replayed_runs import CLOSE, number
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Floats, Words
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import confidence, designs, filter, setting


def off(value: Any, expected: Any) -> Fraction:
    """The largest distance of two arrays, relative to the largest number expected, if that is above 1; far for other shapes."""
    mine, their = np.asarray(value, dtype=float), np.asarray(expected, dtype=float)
    if mine.shape != their.shape:
        return number(math.inf)
    return number(float(np.abs(mine - their).max(initial=0.0)) / max(1.0, float(np.abs(their).max(initial=0.0))))


def compared(where: dict[str, Any], **pairs: tuple[Any, Any]) -> Iterator[At]:
    """Each pair of a value and what is expected."""
    for name, (value, expected) in pairs.items():
        yield At({**where, "compared": name}, off(value, expected), CLOSE)


# --- designs ------------------------------------------------------------------------------------------------------------------------------


SHAPES = ((3, 2, 2), (9, 2, 2), (30, 3, 3), (25, 6, 6), (12, 4, 2), (8, 3, 1), (6, 1, 1), (40, 5, 3), *((200, 7, 5),) * 4)


SHAPES = ((3, 2, 2), (9, 2, 2), (30, 3, 3), (25, 6, 6), (12, 4, 2), (8, 3, 1), (6, 1, 1), (40, 5, 3), *((200, 7, 5),) * 4)


LARGE = (400, 10, 10)  # of whose optimal weights the smallest are left out


def sets(shapes: tuple[tuple[int, int, int], ...] = SHAPES) -> Iterator[tuple[dict[str, Any], Floats, int]]:
    """Arms (K, d), and the dimension of their span: of full and of deficient rank, on a line, ill-conditioned."""
    for seed, (count, width, rank) in enumerate(shapes):
        rng = np.random.default_rng([14, seed])
        arms = rng.normal(size=(count, rank)) @ (np.eye(width) if rank == width else rng.normal(size=(rank, width)))
        yield {"K": count, "d": width, "span": rank}, arms * (1e-4 if seed % 2 else 1.0), rank


def approximate_designs() -> Iterator[At]:
    """Weights, value, steps, basis and multiplications of approximate designs, at three targets."""
    for where, arms, rank in sets():
        for factor in (None, 1.5, 1.05):
            found = approximate.approximate_g_design(arms, None if factor is None else factor * rank)
            inside = arms @ found.basis
            weights, steps = transcribed.frank_wolfe(inside, (factor or 2.0) * rank)
            largest = transcribed.leverages(transcribed.coordinates(inside), weights).max()
            count, width = arms.shape
            start = 2 * count * width**2 + count * rank**2 + rank**3
            yield from compared(
                {**where, "target": factor or 2.0},
                weights=(found.weights, weights),
                value=(found.value, largest),
                steps=(found.iterations, steps),
                dimension=(found.dimension, rank),
                support=(found.support, np.flatnonzero(weights)),
                basis=(inside @ found.basis.T, arms),
                orthonormal=(found.basis.T @ found.basis, np.eye(rank)),
                multiplications=(found.multiplications, start + steps * (count * rank + 2 * count + rank**2)),
                variances=(variances(arms, weights).max(), largest),
            )


def optimal_designs() -> Iterator[At]:
    """Optimal designs: weights of sum 1, the value that they have and within its tolerance, and steps, of which Newton takes few."""
    for where, arms, rank in sets((*SHAPES[:8], LARGE)):
        for tolerance in (0.3, 0.1, 1e-4, 1e-8):
            found = g_optimal_design(arms, tolerance)
            largest = transcribed.leverages(transcribed.coordinates(arms @ found.basis), found.weights).max()
            at = {**where, "tolerance": tolerance}
            yield from compared(at, value=(found.value, largest), sum=(found.weights.sum(), 1.0), dimension=(found.dimension, rank))
            yield At({**at, "compared": "excess"}, number(largest / rank - 1.0 - 1e-12), Fraction(tolerance))
            yield At({**at, "compared": "negative weights"}, int((found.weights < 0.0).sum()), 0)
            yield At({**at, "compared": "steps"}, found.iterations, STEPS_OF_LARGE if rank == LARGE[2] else STEPS)


STEPS, STEPS_OF_LARGE = 32, 96  # twice what the slowest of these designs takes


def one_dimension() -> Iterator[At]:
    """In one dimension a step of Frank and Wolfe goes all the way to the longest arm; an arm outside the span has no finite variance."""
    points, weights = np.array([[1.0], [3.0], [2.0]]), np.array([0.5, 0.0, 0.5])
    taken = approximate.advance(points, weights, np.array([[1.0 / 2.5]]), 1.0, 5)
    yield from compared({"d": 1}, weights=(weights, [0.0, 1.0, 0.0]), steps=(taken, 1))
    found = variances(np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.0]]), np.array([0.75, 0.0, 0.25]))
    yield from compared({"d": 2}, inside=(found[[0, 2]], [1.0 / 0.8125, 0.25 / 0.8125]), infinite=(np.isinf(found), [0, 1, 0]))


def coresets() -> Iterator[At]:
    """Plays: products that are integers up to rounding, least weights, and their sums and bounds."""
    lists = ((0.07, 0.93), (0.25, 0.5, 0.25), (0.29, 0.0, 0.71), (1.0 / 3.0, 2.0 / 3.0, 0.0), (1e-4, 0.9999), (0.49999, 0.50001))
    for weights in map(np.array, lists):
        for size in (0.3, 1.0, 2.0, 100.0, 300.0, 1234.5, 10.0**6):
            for least in (None, 0.01, 0.1, 0.5):
                expected, support = transcribed.plays_of(weights, size, least), int((weights > 0.0).sum())
                yield from compared(
                    {"weights": tuple(weights.tolist()), "m": size, "nu": least},
                    plays=(coreset.coreset_counts(weights, size, least), expected),
                    sum=(coreset.number_of_plays(weights, size, least), expected.sum()),
                    most=(coreset.most_plays(size, support, least), size * (1.0 + (least or 0.0) * support) + support),
                )


# --- the filter ---------------------------------------------------------------------------------------------------------------------------

PROBLEMS = range(40, 52)


def words(found: Problem, run: int) -> Words:
    """A key with a run."""
    return np.append(found.key, np.uint64(run))


def same(where: dict[str, Any], shipped: Filtered, kept: transcribed.Kept, scale: float) -> Iterator[At]:
    """All that a filter says of what it kept."""
    passes = (shipped.passes, len(kept.removed) + 1) if set(shipped.weights.tolist()) <= {0.0, 1.0} else (0, 0)
    yield from compared(
        where,
        removed=(shipped.removed, kept.removed),
        weights=(shipped.weights, kept.weights),
        mean=(shipped.mean, kept.mean),
        top=(shipped.top_eigenvalue, kept.top),
        scale=(shipped.variance_bound, scale),
        passes=passes,
    )


def forms() -> Iterator[At]:
    """Each form with a factor, a run's key and a first draw: theta, and what was kept."""
    for index, found in ((each, problem(each)) for each in PROBLEMS):
        scale, factor, first = (0.0, 0.02, 0.2)[index % 3], (4.0, 1.0)[index % 2], (0, 3, 70)[index % 3]
        key, where = words(found, index % 4), {"problem": index, "lambda": scale, "factor": factor, "first draw": first}
        theta, kept = transcribed.robust(found.arms, found.places, found.reports, scale, key, factor=factor, first=first)
        root = transcribed.whitened(found.arms, found.places).root
        points = found.reports[:, None] * (found.arms[found.places] @ root)
        for method in Method:
            # Weights that are lowered down to lambda = 0 are rounding errors in the end.
            rule = VarianceBound(BoundRule.GIVEN, value=max(scale, 0.02) if method is Method.REWEIGHTED else scale)
            shipped = robust_least_squares(
                found.arms, found.places, found.reports, rule, key, method=method, factor=factor, first_draw=first
            )
            if method is Method.REWEIGHTED:
                order = np.lexsort((found.reports, found.places))
                low = transcribed.reweighted(points[order], factor * max(scale, 0.02))
                yield from compared({**where, "form": method.value}, weights=(shipped.filtered.weights[order], low.weights))
                yield from compared({**where, "form": method.value}, removed=(shipped.filtered.removed, order[list(low.removed)]))
                theta_low = found.places.size * (root @ low.mean)
                told = shipped.filtered
                yield from compared({**where, "form": method.value}, theta=(shipped.theta, theta_low), mean=(told.mean, low.mean))
                yield from compared({**where, "form": method.value}, top=(told.top_eigenvalue, low.top))
            elif not kept.close:
                yield from same({**where, "form": method.value}, shipped.filtered, kept, scale)
                yield from compared({**where, "form": method.value}, theta=(shipped.theta, theta))


def unordered() -> Iterator[At]:
    """The literal form on points in an order of their own, and what it tells of each removal."""
    for index, found in ((each, problem(each)) for each in PROBLEMS[:4]):
        points, key = found.reports[:, None] * found.arms[found.places], words(found, 1)
        scale = float(np.mean(points**2)) / 40.0
        kept = transcribed.filtered(points, np.arange(len(points)), 4.0 * scale, key, 2)
        if not kept.close:
            yield from same({"problem": index}, filter_points(points, scale, key, first_draw=2), kept, scale)
        left = points
        for each in list(removals(points, scale, key, first_draw=2))[:1]:
            values = np.linalg.eigvalsh(np.cov(left.T, bias=True).reshape(left.shape[1], left.shape[1]))
            gap = 1.0 - (values[-2] / values[-1] if values.size > 1 else 0.0)
            yield from compared({"problem": index}, eigenvalue=(each.top_eigenvalue, values[-1]), gap=(each.eigenvalue_gap, gap))


def at_equality() -> Iterator[At]:
    """Every form stops where the top eigenvalue is 4 lambda exactly, and not where lambda is one bit smaller."""
    for index, method in product(PROBLEMS, Method):
        found = problem(index)

        def removed(scale: float, method: Method = method, found: Problem = found) -> Filtered:
            told = found.arms, found.places, found.reports, scale, found.key
            return spectral_filter(*told, method=method, factor=1.0)

        top = removed(math.inf).top_eigenvalue
        first = int(removed(math.nextafter(top, 0.0)).weights.min() < 1.0)
        yield At({"problem": index, "form": method.value, "lambda": "u/4"}, removed(top).removed.size, 0)
        yield At({"problem": index, "form": method.value, "lambda": "below u/4"}, 1 - first, 0)


def many_removals() -> Iterator[At]:
    """300 reports of which one is left: more removals than the eigenvectors of the fast form are carried along for."""
    rng = np.random.default_rng(300)
    directions, places, reports = rng.normal(size=(5, 3)), rng.integers(0, 4, 300), rng.normal(size=300)
    kept = transcribed.filtered(reports[:, None] * directions[places], np.lexsort((reports, places)), 0.0, words(problem(0), 0))
    if not kept.close:
        yield from same({"n": 300}, filter_reports(directions, places, reports, 0.0, words(problem(0), 0)), kept, 0.0)


# --- lambda, whitening and the baselines --------------------------------------------------------------------------------------------------


def with_idle_arm(found: Problem) -> Floats:
    """The arms, and one without reports that is longer than they are."""
    return np.vstack([found.arms, 2.0 * found.arms[:1]])


def rules() -> Iterator[At]:
    """Every rule for lambda, with the leverage of an arm without reports, and the bounds on reports."""
    for index, found in ((each, problem(each)) for each in PROBLEMS):
        arms, white = with_idle_arm(found), whiten(with_idle_arm(found), found.places)
        expected, count = transcribed.whitened(arms, found.places), found.places.size
        mu, alpha, bound, delta = expected.leverage, 0.02 * (index % 12), 0.7 + index, 0.5 ** (index % 5 + 1)
        heard, clean = float(np.sum(found.reports**2)), float(np.sum(found.clean**2))
        lambdas = (
            (VarianceBound(), mu * heard / count),
            (VarianceBound(BoundRule.CLEAN), mu * clean / count),
            (VarianceBound(BoundRule.PROOF, corruption=alpha), 2.0 * mu * clean / (count * (1.0 - alpha))),
            (VarianceBound(BoundRule.RANGE, report_bound=bound), mu * bound**2),
            (VarianceBound(BoundRule.GIVEN, value=bound), bound),
        )
        for rule, value in lambdas:
            used = robust_least_squares(arms, found.places, found.reports, rule, found.key, clean_reports=found.clean)
            yield from compared({"problem": index, "rule": rule.rule.value}, scale=(used.filtered.variance_bound / value, 1.0))
        where = {"problem": index}
        yield from compared(
            where, root=(white.root, expected.root), directions=(white.directions, arms @ expected.root), mu=(white.leverage, mu)
        )
        term, pair = math.log(count / delta), (math.log(4.0 * count / delta), math.log(2.0 * count / delta))
        single = variance_bound.single_report_bound(count, 0.5, failure=delta, maximum_constant=3.0)
        mean = variance_bound.mean_report_bound(count, 0.5, failure=delta, maximum_constant=3.0, least_count=bound)
        explicit = variance_bound.explicit_single_report_bound(count, 0.5, failure=delta)
        yield from compared(where, single=(single, 1.0 + 3.0 * math.sqrt(term) + 8.0 * term))
        yield from compared(where, means=(mean, 1.0 + 3.0 * math.sqrt(term / bound) + 8.0 * term / bound))
        yield from compared(where, explicit=(explicit, 1.0 + math.sqrt(2.0 * pair[0]) + 4.0 * pair[1]))


def baselines() -> Iterator[At]:
    """The baselines on the problems, with an idle arm, and with arms that span a line of the plane."""
    for index, found in ((each, problem(each)) for each in PROBLEMS):
        flat = found.arms[:, :1] * np.array([[0.6, -0.8]])
        for name, arms in (("idle", with_idle_arm(found)), ("flat", flat)):
            where = {"problem": index, "arms": name}
            told = arms, found.places, found.reports, words(found, 0)
            yield from compared(where, least_squares=(LeastSquares().estimate(*told), transcribed.solved(*told[:3])))
            for bound in (0.4, 3.0):
                held = np.array([max(-bound, min(bound, each)) for each in found.reports])
                yield from compared(
                    where, clipped=(ClippedLeastSquares(bound).estimate(*told), transcribed.solved(arms, found.places, held))
                )
            for fraction in (0.0, 0.1, 0.26, 0.49):
                expected = transcribed.trimmed(arms, found.places, found.reports, fraction)
                yield from compared({**where, "fraction": fraction}, trimmed=(TrimmedLeastSquares(fraction).estimate(*told), expected))
            theta, kept = transcribed.robust(arms, found.places, found.reports, 0.02, told[3], factor=2.0)
            for method in (Method.FAST, Method.LITERAL):
                estimator = FilteredLeastSquares(VarianceBound(BoundRule.GIVEN, value=0.02), method, 2.0)
                if not kept.close:
                    yield from compared({**where, "form": method.value}, filtered=(estimator.estimate(*told), theta))


Points = Callable[[], Iterator[At]]
PARTS: tuple[tuple[str, str, str, Points], ...] = (
    (designs.APPROXIMATE_LEVERAGE.id, "designs_replayed", "approximate designs, arm by arm", approximate_designs),
    (designs.G_OPTIMAL.id, "designs_replayed", "optimal designs", optimal_designs),
    (designs.FRANK_WOLFE.id, "one_dimension", "a step in one dimension, variances outside the span", one_dimension),
    (designs.COUNT_SECOND.id, "coresets_replayed", "plays of listed weights", coresets),
    (filter.FILTER_STOP.id, "forms_replayed", "all forms of the filter", forms),
    (filter.FILTER_STOP.id, "unordered_replayed", "the literal form on points in any order", unordered),
    (filter.FILTER_STOP.id, "at_equality_replayed", "all forms at a top eigenvalue of 4 lambda", at_equality),
    (filter.FILTER_STOP.id, "many_removals_replayed", "the fast form until one report is left", many_removals),
    (confidence.SCALE_PROOF.id, "rules_replayed", "every rule for lambda, and the whitening", rules),
    (setting.LEAST_SQUARES.id, "baselines_replayed", "least squares, clipped, trimmed and filtered", baselines),
)
REPLAYED = tuple(
    Audit(
        id,
        f"points.{slug}",
        f"{words}, beside the sheet's formulas",
        Pointwise(unbroken(points), words, "distance", Sense.AT_MOST),
    )
    for id, slug, words, points in PARTS
)
