"""charisopoulos_2023: the fast filter as the shipped robust least squares runs it, replayed removal by removal with dense linear algebra.

Replayed: the largest eigenvalue at each pass is above 4 lambda, the removed point is the one that the pass's uniform number falls on, the
largest eigenvalue of what is kept is at most 4 lambda, and the literal form removes the same points. The printed lambda, mu times the mean
square of the reports that were heard, removes nothing whatever the reports are: then theta is least squares.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditproof import randomness
from banditproof.algorithms.estimators.linear.robust_least_squares import Estimate, robust_least_squares
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound
from banditproof.algorithms.estimators.spectral_filter.common import FACTOR, Method
from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.stated import Derived
from banditproof.audits.papers.charisopoulos_2023.run_log import leverage_of
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import fraction
from banditproof.interaction import Floats, Ints
from banditproof.theory.language import Sense
from banditproof.theory.papers.charisopoulos_2023 import confidence
from banditproof.theory.papers.charisopoulos_2023 import filter as filter_theory

Bools = NDArray[np.bool_]
CLOSE, RELATIVE = 1e-9, Fraction(1, 10**9)
DRAWN = 40  # problems


@dataclass(frozen=True, eq=False)
class Problem:
    """Reports (n,) of arms (k, d) by their places (n,), a tenth of them corrupted, and the key of the filter's numbers."""

    arms: Floats
    places: Ints
    reports: Floats
    clean: Floats
    key: NDArray[np.uint64]


@cache
def problem(number: int) -> Problem:
    """Problem `number`: d from 1 to 5, n up to 200, reports from Gaussian to heavy-tailed."""
    rng = np.random.default_rng([2023, number])
    dimension, count = int(rng.integers(1, 6)), int(rng.integers(20, 200))
    arms = rng.normal(size=(dimension + int(rng.integers(0, 5)), dimension))
    arms /= np.linalg.norm(arms, axis=1)[:, None]
    places = np.concatenate([np.arange(len(arms)), rng.integers(0, len(arms), count)])
    clean = arms[places] @ rng.normal(size=dimension) / 3.0 + (rng.normal if number % 2 else rng.standard_cauchy)(size=places.size)
    struck = rng.random(places.size) < 0.1
    reports = np.where(struck, 10.0 ** rng.uniform(0.0, 4.0) * rng.choice([-1.0, 1.0], places.size), clean)
    return Problem(arms, places, reports, clean, randomness.key_from(rng))


def whitened(found: Problem) -> Floats:
    """The points r_j M^(-1/2) a_j (n, d), by an eigendecomposition."""
    rows = found.arms[found.places]
    values, basis = np.linalg.eigh(rows.T @ rows)
    return np.asarray(found.reports[:, None] * (rows @ (basis / np.sqrt(values)) @ basis.T))


def estimated(number: int, method: Method, rule: BoundRule = BoundRule.GIVEN, factor: float = FACTOR) -> tuple[Problem, Estimate]:
    """The shipped estimate. GIVEN: lambda is mu times the mean square of the clean reports but the largest tenth."""
    found = problem(number)
    inner = found.clean[np.abs(found.clean) <= np.quantile(np.abs(found.clean), 0.9)]
    value = leverage_of(found.arms, np.bincount(found.places).astype(float)) * float(np.mean(inner**2))
    bound = VarianceBound(rule, value=value) if rule is BoundRule.GIVEN else VarianceBound(rule)
    return found, robust_least_squares(found.arms, found.places, found.reports, bound, found.key, method=method, factor=factor)


# --- removals -----------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pass:
    """One pass over the points that are left: the largest eigenvalue, and the removed point with the one that the uniform number names;
    None where that number is within rounding of a boundary."""

    top: float
    removed: int
    named: int | None


def passes(found: Problem, estimate: Estimate) -> Iterator[Pass]:
    """The removals of an estimate, in their order, recomputed."""
    points, left = whitened(found), np.lexsort((found.reports, found.places))
    for draw, removed in enumerate(estimate.filtered.removed):
        top, masses = spectrum(points[left])
        sums = np.cumsum(masses) / masses.sum()
        number = float(randomness.uniform(np.append(found.key, np.uint64(0)), randomness.CHOICES, draw))
        named = int(left[min(int(np.searchsorted(sums, number, side="right")), left.size - 1)])
        yield Pass(top, int(removed), None if np.abs(sums - number).min() < CLOSE else named)
        left = left[left != removed]


def spectrum(points: Floats) -> tuple[float, Floats]:
    """The largest eigenvalue of the covariance, and the squared distances along its eigenvector."""
    centred = points - points.mean(axis=0)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    return float(sizes[0] ** 2 / len(points)), np.asarray((centred @ directions[0]) ** 2)


def replay(problems: range) -> Iterator[At]:
    """Each removed point, beside the one that the uniform number names."""
    for number in problems:
        found, estimate = estimated(number, Method.FAST)
        for place, each in enumerate(passes(found, estimate)):
            if each.named is not None:
                yield At({"problem": number, "removal": place}, each.removed, each.named)


def above(problems: range, factor: float = FACTOR) -> Iterator[At]:
    """The largest eigenvalue before each removal, beside 4 lambda; the filter itself stops at `factor` lambda."""
    for number in problems:
        found, estimate = estimated(number, Method.FAST, factor=factor)
        for place, each in enumerate(passes(found, estimate)):
            yield At({"problem": number, "removal": place}, Fraction(each.top * (1.0 + CLOSE)), stop_of(estimate))


def below(problems: range, method: Method, factor: float = FACTOR) -> Iterator[At]:
    """The largest eigenvalue of the points that are kept, with their weights, beside 4 lambda; the filter stops at `factor` lambda."""
    for number in problems:
        found, estimate = estimated(number, method, factor=factor)
        points, weights = whitened(found), estimate.filtered.weights
        centred = points - weights @ points / weights.sum()
        top = float(np.linalg.norm(centred * np.sqrt(weights)[:, None], ord=2) ** 2 / weights.sum())
        yield At({"problem": number}, Fraction(top * (1.0 - CLOSE)), stop_of(estimate))


def stop_of(estimate: Estimate) -> object:
    return filter_theory.FILTER_STOP.at(filter_scale=Fraction(estimate.filtered.variance_bound)).ball


def literally(problems: range) -> Iterator[At]:
    """Points that one of the two forms removes and the other does not."""
    for number in problems:
        fast, literal = (set(estimated(number, method)[1].filtered.removed.tolist()) for method in (Method.FAST, Method.LITERAL))
        yield At({"problem": number, "removed": len(literal)}, len(fast ^ literal), 0)


def coloured(problems: range) -> Iterator[At]:
    """How far theta is from n M^(-1) times the mean of r_j a_j over the kept points, in units of their largest report."""
    for number in problems:
        found, estimate = estimated(number, Method.FAST)
        rows, kept = found.arms[found.places], estimate.filtered.weights == 1.0
        mean = (found.reports[kept, None] * rows[kept]).mean(axis=0)
        theta = found.places.size * np.linalg.solve(rows.T @ rows, mean)
        size = max(1.0, float(np.abs(found.reports[kept]).max()))
        yield At({"problem": number}, Fraction(float(np.abs(estimate.theta - theta).max()) / size), RELATIVE)


def _filter(slug: str, words: str, points: Callable[[], Iterator[At]], quantity: str, sense: Sense) -> Audit:
    domain = f"{DRAWN} drawn problems, d up to 5, n up to 200"
    return Audit(filter_theory.FILTER_STOP.id, f"points.{slug}", words, Pointwise(points, domain, quantity, sense))


_ALL = range(DRAWN)
REPLAYED = (
    _filter("removed_points", "each removal is drawn by its mass", partial(replay, _ALL), "place", Sense.EQUALS),
    _filter("before_a_removal", "no point leaves at 4 lambda", partial(above, _ALL), "largest eigenvalue", Sense.AT_LEAST),
    *(
        _filter(f"kept_{method.value}", "what is kept is below 4 lambda", partial(below, _ALL, method), "largest eigenvalue", Sense.AT_MOST)
        for method in Method
    ),
    _filter("as_the_literal_form", "the fast form removes the same points", partial(literally, _ALL), "points", Sense.EQUALS),
    _filter("coloured", "theta is n M^-1 times the mean of the kept ones", partial(coloured, _ALL), "distance", Sense.AT_MOST),
)

# --- the printed lambda, and no removal ---------------------------------------------------------------------------------------------------


def observed(problems: range) -> Iterator[At]:
    """The largest eigenvalue of all points, beside lambda itself."""
    for number in problems:
        found, estimate = estimated(number, Method.FAST, BoundRule.OBSERVED)
        known: dict[str, Any] = {
            "leverage": Fraction(leverage_of(found.arms, np.bincount(found.places).astype(float))),
            "observed_norm": Fraction(float(np.linalg.norm(found.reports))),
            "samples": found.places.size,
        }
        scale = fraction(confidence.SCALE_OBSERVED.at(**known).ball)
        given = Fraction(estimate.filtered.variance_bound)
        yield At({"problem": number, "compared": "lambda"}, abs(given - scale) / scale, RELATIVE)
        yield At({"problem": number, "compared": "eigenvalue"}, Fraction(spectrum(whitened(found))[0] * (1.0 - CLOSE)), scale)
        yield At({"problem": number, "compared": "removals"}, estimate.filtered.removed.size, 0)


def unfiltered(problems: range, method: Method) -> Iterator[At]:
    """How far theta is from least squares where lambda is infinite, and with the printed one, relative to the largest report."""
    for number in problems:
        found = problem(number)
        expected = np.linalg.lstsq(found.arms[found.places], found.reports, rcond=None)[0]
        size = max(1.0, float(np.abs(found.reports).max()))
        for bound in (VarianceBound(BoundRule.GIVEN, value=math.inf), VarianceBound(BoundRule.OBSERVED)):
            theta = robust_least_squares(found.arms, found.places, found.reports, bound, found.key, method=method).theta
            distance = Fraction(float(np.abs(theta - expected).max()) / size)
            yield At({"problem": number, "method": method.value, "lambda": bound.rule.value}, distance, RELATIVE)


PRINTED = (
    Audit(
        confidence.SCALE_OBSERVED.id,
        "points.removes_nothing",
        "the printed lambda: above the largest eigenvalue of all points, so that none is removed",
        Pointwise(partial(observed, _ALL), f"{DRAWN} drawn problems", "largest eigenvalue, distance or removals"),
    ),
    *(
        Audit(
            confidence.SCALE_OBSERVED.id,
            f"points.least_squares_{method.value}",
            f"{method.value} form: theta is least squares with the printed lambda, and with an infinite one",
            Pointwise(partial(unfiltered, _ALL, method), f"{DRAWN} drawn problems", "relative distance"),
        )
        for method in Method
    ),
)

# --- the distribution of a removal --------------------------------------------------------------------------------------------------------

FIVE = np.array([0.0, 1.0, 2.0, 4.0, -8.0])  # mean -1/5: squared distances 1/25, 36/25, 121/25, 441/25, 1521/25, in all 2120/25
LAST_LEAVES = 1521.0 / 2120.0


def last_leaves(count: int, rng: np.random.Generator) -> Bools:
    """Of five reports of one arm the last is the first that is removed, at lambda = 0."""
    bound = VarianceBound(BoundRule.GIVEN, value=0.0)
    keys = (randomness.key_from(rng) for _ in range(count))
    removed = [robust_least_squares([[1.0]], [0] * 5, FIVE, bound, key).filtered.removed[0] for key in keys]
    return np.asarray(np.equal(removed, 4))


FIRST_REMOVAL = Audit(
    filter_theory.FILTER_STOP.id,
    "coverage.first_removal",
    "five reports of one arm: which is removed first",
    Coverage(
        last_leaves,
        Derived(lambda: LAST_LEAVES, "its mass among all masses", Sense.EQUALS),
        "the report -8 of 0, 1, 2, 4, -8 is the first to be removed",
        1.1,
        runs=3_000,
    ),
)
