"""The estimators that are compared, and what each is told."""

import math

import numpy as np

from banditproof.algorithms.estimators.linear.baselines import ClippedLeastSquares, LeastSquares, TrimmedLeastSquares
from banditproof.algorithms.estimators.linear.robust_least_squares import FilteredLeastSquares
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound
from banditproof.algorithms.estimators.spectral_filter.common import FACTOR
from banditproof.audits.estimation.adversary import FAILURE, Contender
from banditproof.audits.estimation.problem import Problem, largest_report, second_moment
from banditproof.audits.statistics.tails import binomial_quantile

MOST_TRIMMED = 0.45


def contenders(problem: Problem) -> tuple[Contender, ...]:
    """Estimators that know n, epsilon, and what a server may know besides: alpha, or how large clean reports are.

    None sees the clean reports. `filter-printed` is Algorithm 2 of Charisopoulos et al. 2023 with lambda from the reports that the server
    has, `filter-range` with a bound on the square of each clean report in place of their mean square. `filter-moment` gives a bound on the
    covariance of the clean points: (mean square) / n, since the whitened arms' outer products add up to the identity.
    """
    setting = problem.setting
    bound, moment = largest_report(setting, FAILURE, setting.samples), second_moment(setting)
    tight = largest_report(setting, setting.corruption, 1)
    fraction = trimmed_fraction(problem)
    rows = problem.arms[problem.played]
    leverage = float(np.einsum("ij,jk,ik->i", rows, problem.gram_inverse, rows).max())
    ranged, given = leverage * bound**2, moment / setting.samples
    return (
        Contender("least-squares", LeastSquares(), "nothing"),
        Contender("clipped-range", ClippedLeastSquares(bound), f"all clean reports lie within {bound:.3g}", (bound,)),
        Contender("clipped-alpha", ClippedLeastSquares(tight), f"a fraction alpha lies beyond {tight:.3g}", (tight,)),
        Contender("trimmed", TrimmedLeastSquares(fraction), f"at most {fraction:.3g} corrupted per arm", (tight, 2.0 * tight)),
        Contender("filter-printed", FilteredLeastSquares(VarianceBound(BoundRule.OBSERVED)), "nothing; lambda as printed"),
        Contender(
            "filter-range",
            FilteredLeastSquares(VarianceBound(BoundRule.RANGE, report_bound=bound)),
            f"all clean reports lie within {bound:.3g}",
            _tolerated(problem, ranged),
        ),
        Contender(
            "filter-moment",
            FilteredLeastSquares(VarianceBound(BoundRule.GIVEN, value=given)),
            f"mean square of clean reports is at most {moment:.3g}",
            _tolerated(problem, given),
        ),
    )


def trimmed_fraction(problem: Problem) -> float:
    """The fraction that is cut off at each end: with probability at least 1 - FAILURE no arm has more corrupted reports, if positions are
    random; MOST_TRIMMED at most. Each arm's number is binomial, and the union is over the arms."""
    failure = FAILURE / problem.counts.size
    most = [binomial_quantile(int(count), problem.setting.corruption, failure) / int(count) for count in problem.counts]
    # One ulp more, so that floor(fraction * count) is the number itself.
    return min(float(np.nextafter(max(most), 1.0)), MOST_TRIMMED) if max(most) > 0.0 else 0.0


def _tolerated(problem: Problem, variance_bound: float) -> tuple[float, ...]:
    """Sizes about the largest that a filter with this lambda removes nothing of: (1 - alpha) E y^2 + alpha V^2 = 4 lambda n."""
    setting = problem.setting
    left = FACTOR * variance_bound * setting.samples - (1.0 - setting.corruption) * second_moment(setting)
    size = math.sqrt(left / setting.corruption)
    return (0.8 * size, 0.95 * size, size)
