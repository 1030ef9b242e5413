"""charisopoulos_2023: the sheet's experiments on the estimator: the filter under every rule, how the error grows with d, and its bias.

Filter. n reports of ten arms in five dimensions, each run with one of the sheet's alpha and of its corrupted values 2, 5 and 50 over
sqrt(alpha). Theorem A.2 does not print its constants; it is compared with C_filt = 4, and four times its removals.

Growth. Basis arms and (1, .., 1)/sqrt(d), each basis arm played equally often, theta* = 0; corrupted reports are all sqrt(d/alpha), which
the filter keeps with lambda from the uncorrupted reports: their second moment is spread over d directions, and lambda is not. The error at
the last arm grows like d sqrt(alpha), as (50) has it, and not like sqrt(d alpha) + d alpha.

Bias. One direction, all corrupted reports removed: their value is 10^6, and lambda that of the clean points. By Chebyshev's inequality the
mean of a group of runs is 10 standard errors from its expectation with probability at most 1/100.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from banditproof.algorithms.estimators.linear.robust_least_squares import Estimate, robust_least_squares, whiten
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound, explicit_single_report_bound
from banditproof.algorithms.estimators.spectral_filter.common import Method
from banditproof.algorithms.estimators.spectral_filter.literal import summary
from banditproof.audits.methods.coverage import Bools, Coverage
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.stated import Derived
from banditproof.audits.methods.tightness import BoundUtilisation
from banditproof.audits.papers.charisopoulos_2023.sized import Sized
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.interaction import Floats, Words
from banditproof.theory.growth import Growth
from banditproof.theory.papers.charisopoulos_2023 import filter, first_model, regret, setting

# --- the filter -------------------------------------------------------------------------------------------------------------------------

ALPHAS, VALUES, FAILURE = (0.05, 0.1, 0.2, 0.24), (2.0, 5.0, 50.0), 0.05
CONSTANT, MANY = 4, 4.0  # C_filt, and times the removals of Theorem A.2
DIMENSION, ARMS, LIMIT = 5, 10, 1


class Rule:
    """Names of the rules for lambda."""

    COVARIANCE, CLEAN, PROOF, RANGE, OBSERVED = "covariance", "clean", "proof", "range", "observed"


RULES = (Rule.COVARIANCE, Rule.CLEAN, Rule.PROOF, Rule.RANGE, Rule.OBSERVED)


@dataclass(frozen=True)
class Filtering:
    """What came out of one run: distance of the means, lambda, the covariance of the good points, corrupted and removed reports."""

    error: float
    scale: float
    covariance: float
    outliers: int
    removed: int


def _key(rng: np.random.Generator) -> Words:
    return np.asarray(rng.integers(1 << 63, size=3), dtype=np.uint64)


def _bound(rule: str, alpha: float, covariance: float, count: int) -> VarianceBound:
    match rule:
        case Rule.COVARIANCE:
            return VarianceBound(BoundRule.GIVEN, value=covariance)
        case Rule.CLEAN:
            return VarianceBound(BoundRule.CLEAN)
        case Rule.PROOF:
            return VarianceBound(BoundRule.PROOF, corruption=alpha)
        case Rule.RANGE:
            return VarianceBound(BoundRule.RANGE, report_bound=explicit_single_report_bound(count, math.inf, failure=FAILURE))
        case _:
            return VarianceBound()


def filtering(rule: str, method: Method, factor: float, count: int, rng: np.random.Generator) -> Filtering:
    """One run of the shipped filter."""
    alpha, value = float(rng.choice(ALPHAS)), float(rng.choice(VALUES))
    arms = rng.standard_normal((ARMS, DIMENSION))
    arms /= np.linalg.norm(arms, axis=1, keepdims=True)
    index = np.arange(count) % ARMS
    clean = arms[index, 0] + rng.standard_normal(count)
    good = rng.random(count) >= alpha
    reports = np.where(good, clean, value / math.sqrt(alpha))
    points = whiten(arms, index).directions[index] * clean[:, np.newaxis]
    mean, eigenvalues, _ = summary(points[good])
    covariance = float(eigenvalues[-1])
    bound = _bound(rule, alpha, covariance, count)
    found = robust_least_squares(arms, index, reports, bound, _key(rng), clean_reports=clean, method=method, factor=factor).filtered
    error = float(np.linalg.norm(found.mean - mean))
    return Filtering(error, found.variance_bound, covariance, int((~good).sum()), found.removed.size)


def errors(rule: str, method: Method, factor: float, count: int, runs: int, rng: np.random.Generator) -> Floats:
    """Distances of the filter's mean from that of the good points, over (28); 0 where its condition on lambda does not hold."""
    found = [filtering(rule, method, factor, count, rng) for _ in range(runs)]
    return np.array([_of_the_bound(each, count) if each.scale >= each.covariance else 0.0 for each in found])


def _of_the_bound(found: Filtering, count: int) -> float:
    fraction = (found.outliers + math.log(1.0 / FAILURE)) / count
    return found.error / (CONSTANT * math.sqrt(found.scale * fraction))


def removals(rule: str, method: Method, factor: float, count: int, runs: int, rng: np.random.Generator) -> Floats:
    """Removed reports over MANY times those of Theorem A.2."""
    found = [filtering(rule, method, factor, count, rng) for _ in range(runs)]
    return np.array([each.removed / (MANY * (each.outliers + math.log(1.0 / FAILURE))) for each in found])


def _claimed() -> float:
    return FAILURE


def of_the_filter(
    utilised: Callable[..., Floats], rule: str, count: int, runs: int, method: Method = Method.FAST, factor: float = 4.0
) -> BoundUtilisation:
    """How much of Theorem A.2 is used under a rule."""
    return BoundUtilisation(
        partial(utilised, rule, method, factor, count),
        Derived(_claimed, "delta, which Theorem A.2 is given"),
        f"a run above Theorem A.2 with its constants {CONSTANT} and {MANY:g}, rule {rule}",
        4.0,
        runs=runs,
        cell=50,
        parameters={"n": count, "d": DIMENSION, "rule": rule, "delta": FAILURE},
    )


def _sized(utilised: Callable[..., Floats], rule: str, method: Method = Method.FAST) -> Sized:
    reduced = of_the_filter(utilised, rule, 500 if method is Method.FAST else 200, 250, method)
    return Sized(reduced, of_the_filter(utilised, rule, 20_000 if method is Method.FAST else 2000, 30, method))


FILTER = (
    *(
        Audit(
            theorem.id,
            f"tightness.section_10_{rule}",
            f"the filter on the sheet's corruptions, lambda by the rule {rule}",
            _sized(utilised, rule),
        )
        for theorem, utilised, rules in (
            (filter.FILTER_QUOTED, errors, RULES),
            (filter.FILTER_REMOVALS, removals, (Rule.COVARIANCE, Rule.RANGE)),
        )
        for rule in rules
    ),
    *(
        Audit(
            filter.FILTER_QUOTED.id,
            f"tightness.section_10_{method.value}",
            f"the {method.value} form of the filter on the sheet's corruptions",
            _sized(errors, Rule.COVARIANCE, method),
        )
        for method in (Method.LITERAL, Method.REWEIGHTED)
    ),
)

# --- growth with the dimension ----------------------------------------------------------------------------------------------------------


def last_arm(alpha: float, plays: int, dimension: int, runs: int, rng: np.random.Generator) -> Floats:
    """Errors (runs,) at (1, .., 1)/sqrt(d)."""
    arms = np.vstack([np.eye(dimension), np.full((1, dimension), 1.0 / math.sqrt(dimension))])
    index = np.repeat(np.arange(dimension), plays)
    found = np.zeros(runs)
    for run in range(runs):
        clean = rng.standard_normal(index.size)
        reports = np.where(rng.random(index.size) < alpha, math.sqrt(dimension / alpha), clean)
        estimate = robust_least_squares(arms, index, reports, VarianceBound(BoundRule.CLEAN), _key(rng), clean_reports=clean)
        found[run] = abs(float(arms[-1] @ estimate.theta))
    return found


def growth(power: Fraction, slack: float) -> Sized:
    """The median error from d = 4 to 16, and to 64 with the sheet's numbers."""

    def of(alpha: float, plays: int, last: int, runs: int) -> GrowthRate:
        return GrowthRate(lambda d: partial(last_arm, alpha, plays, d), Growth(power, Fraction(0), "d"), 4, last, 0.5, runs, slack)

    return Sized(of(0.02, 1000, 16, 50), of(0.001, 8000, 64, 4))


GROWTH = (
    Audit(
        first_model.INTERVAL_FIRST.id,
        "growth.error_in_d",
        "how the error grows with d, against (50)",
        growth(Fraction(1), 1.5),
    ),
    Audit(
        regret.REGRET_M1.id,
        "growth.width_in_d_as_printed",
        "how the error grows with d, against the width that the proof goes on with",
        growth(Fraction(1, 2), 1.5),
        Verdict.REFUTED,
    ),
)

# --- bias -------------------------------------------------------------------------------------------------------------------------------

SAMPLES, GROUP, DEVIATIONS, HUGE = 1000, 40, 10.0, 1e6
Reported = Callable[[Estimate, int], float]


def robust(found: Estimate, count: int) -> float:
    """The shipped estimate."""
    return float(found.theta[0])


def without_factor(found: Estimate, count: int) -> float:
    """The sum over the kept reports with the Gram matrix of all: (9)."""
    return float(found.theta[0] * found.filtered.weights.sum() / count)


def far_from(reported: Reported, alpha: float, expected: float, runs: int, rng: np.random.Generator) -> Bools:
    """For each group of runs: whether the mean estimate of theta* = 1 is more than 10 standard errors from what is expected."""
    error = DEVIATIONS * math.sqrt((1.0 + alpha) / ((1.0 - alpha) * SAMPLES * GROUP))
    index, found = np.zeros(SAMPLES, dtype=np.int64), np.zeros((runs, GROUP))
    bound = VarianceBound(BoundRule.GIVEN, value=1.0 / SAMPLES)
    for place in np.ndindex(runs, GROUP):
        reports = np.where(rng.random(SAMPLES) < alpha, HUGE, 1.0 + rng.standard_normal(SAMPLES))
        found[place] = reported(robust_least_squares([[1.0]], index, reports, bound, _key(rng)), SAMPLES)
    return np.asarray(np.abs(found.mean(axis=1) - expected) > error)


def _chebyshev() -> float:
    return 1.0 / DEVIATIONS**2


def bias(reported: Reported, alpha: float, expected: float) -> Coverage:
    """That the mean of the estimate is what is expected, up to 10 standard errors."""
    return Coverage(
        partial(far_from, reported, alpha, expected),
        Derived(_chebyshev, "Chebyshev's inequality for a mean of independent runs"),
        f"the mean of {GROUP} estimates more than {DEVIATIONS:g} standard errors from {expected:g}",
        40.0,
        runs=20,
        cell=10,
        parameters={"n": SAMPLES, "alpha": alpha},
    )


BIAS = tuple(
    Audit(
        setting.LEAST_SQUARES.id,
        f"coverage.{name}_{swept(alpha=alpha)}",
        f"{label}, alpha = {alpha:g}",
        bias(reported, alpha, expected(alpha)),
    )
    for alpha in (0.05, 0.2)
    for name, label, reported, expected in (
        ("mean_of_the_estimate", "the robust estimate has no bias", robust, lambda alpha: 1.0),
        ("mean_of_the_good_sum", "the estimate (9) has a mean of 1 - alpha", without_factor, lambda alpha: 1.0 - alpha),
    )
)
UNBIASED_AS_PRINTED = (
    Audit(
        setting.LEAST_SQUARES.id,
        "coverage.good_sum_as_printed",
        "the estimate (9) is 'in expectation close to' least squares: without bias, alpha = 0.2",
        bias(without_factor, 0.2, 1.0),
        Verdict.REFUTED,
    ),
)
