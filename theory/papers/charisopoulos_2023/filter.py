r"""The spectral filter (Charisopoulos et al. 2023): Algorithm 2, Assumption A.1, Theorem A.2, Lemmas A.3 and A.4, (29) to (34).

Main statements
    FILTER, FILTER_STOP        Algorithm 2
    MOMENTS                    (25) to (27)
    LEAST_CORRUPTION           Assumption A.1;  LEAST_REPORTS [assembled] the batches in which it can hold
    FILTER_QUOTED, FILTER_REMOVALS   Theorem A.2, quoted
    INLIER_FRACTION            Lemma A.3, (29) and (30);  INLIER_FRACTION_EXPLICIT [assembled] with constants
    GOOD_COVARIANCE_BOUND      (33);  ENOUGH_INLIERS, COVARIANCE_SUBSTITUTED   the two lines after it
    MEAN_SHIFT_BOUND           Lemma A.4, (31) and (32);  MEAN_SHIFT_EXPLICIT [assembled] with constants
    FILTER_CLOSE               (34);  FILTER_CLOSE_EXPLICIT [assembled] up to Theorem A.2's constant

Readings
    The filter stops at u <= 4 lambda. n of Assumption A.1 is the number of reports of the batch: k in M2.
    (30) is for the number of corrupted reports of a batch of any size n.

Derivations
    INLIER_FRACTION, step the_limit. By the central limit theorem the left side of (30) tends, as n grows, to
    erfc(sqrt(log(1/delta)/(2 (1 - alpha)))): the variance is n alpha (1 - alpha), and Lemma A.3's condition on n holds from some n on,
    whatever its constant.
    INLIER_FRACTION_EXPLICIT. Chernoff on both sides, each below exp(-x^2 n alpha/3) for a relative deviation x <= 1.
    MEAN_SHIFT_EXPLICIT. Gross (2011), Theorem 12: P(|sum Q_i| >= sqrt(V) + t) <= exp(-t^2/(4 V)) for t <= V/max |Q_i|, V = sum E|Q_i|^2;
    any larger V is allowed too. V = mu alpha (1 - alpha) |y|^2, max |Q_i| <= (1 - alpha) sqrt(mu) |y|_inf as alpha < 1/2, t^2 = 4 V
    log(1/delta).
    FILTER_CLOSE_EXPLICIT. Half of the failure probability to each of INLIER_FRACTION_EXPLICIT and Theorem A.2, at lambda = 2 mu
    |y|^2/(n (1 - alpha)), which the first event makes large enough: it leaves at least n/2 inliers.
"""

from sympy import Expr, Ge, Gt, Integer, Le, Rational, erfc, exp, log, sqrt

from banditproof.glossary import FAILURE, RATIO, SAMPLES
from banditproof.glossary.charisopoulos_2023 import (
    ASSUMPTION_CONSTANT,
    CHERNOFF_CONSTANT,
    CORRUPTION,
    FILTER_CONSTANT,
    FILTER_ERROR,
    FILTER_LIMIT,
    FILTER_SCALE,
    FIRST_REPORT,
    GOOD_COVARIANCE,
    GOOD_REPORT_NORM,
    INLIER_DEVIATION,
    INLIERS,
    LARGEST_REPORT,
    LEVERAGE,
    MEAN_SHIFT,
    OUTLIERS,
    REMOVALS,
    REPORT_NORM,
    REQUIRED_REPORTS,
    SECOND_REPORT,
    SMALL,
    STOP_LEVEL,
    VECTOR_CONSTANT,
)
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023.findings import filter as findings
from banditproof.theory.papers.charisopoulos_2023.setting import random_positions, source

_alpha, _delta, _n, _mu = symbol(CORRUPTION), symbol(FAILURE), symbol(SAMPLES), symbol(LEVERAGE)
_lambda, _good, _out, _in = symbol(FILTER_SCALE), symbol(GOOD_COVARIANCE), symbol(OUTLIERS), symbol(INLIERS)
_y, _y_good, _largest = symbol(REPORT_NORM), symbol(GOOD_REPORT_NORM), symbol(LARGEST_REPORT)
_C_A, _C_B, _C_V = symbol(ASSUMPTION_CONSTANT), symbol(CHERNOFF_CONSTANT), symbol(VECTOR_CONSTANT)
_limit, _C_filt = symbol(FILTER_LIMIT), symbol(FILTER_CONSTANT)
_ratio = symbol(RATIO)
_x, _first, _second = symbol(SMALL), symbol(FIRST_REPORT), symbol(SECOND_REPORT)
_l = log(1 / _delta)

runs_the_filter = Hypothesis("runs_the_filter", "the mean is that of Algorithm 2 at this lambda", Checked.ASSUMED)
scale_large_enough = Hypothesis(
    "scale_large_enough",
    "lambda is at least the largest eigenvalue of the covariance of the good points",
    Checked.BY_VALUE,
    Ge(_lambda, _good),
)
reports_fixed = Hypothesis("reports_fixed", "the reports y are fixed before the positions of corruption are drawn", Checked.BY_ENVIRONMENT)
enough_for_half = Hypothesis("enough_for_half", "n >= 18 log(1/delta)/(1 - alpha)^2", Checked.BY_VALUE, Ge(_n * (1 - _alpha) ** 2, 18 * _l))
some_reports = Hypothesis("some_reports", "|y|_inf <= |y| and |y| > 0", Checked.BY_VALUE, Le(_largest, _y) & Gt(_y, 0))


def assumption_a1(logarithm: Expr, of: str) -> Hypothesis:
    """Assumption A.1 for the n reports of the batch: alpha n >= C_A log(1/delta), for the delta of the statement."""
    return Hypothesis(
        "assumption_a1", f"Assumption A.1 in this batch: alpha n >= C_A {of}", Checked.BY_VALUE, Ge(_alpha * _n, _C_A * logarithm)
    )


def chernoff(logarithm: Expr) -> Expr:
    """sqrt(3 alpha l/n), l = log(2/delta): how far the fraction of corrupted reports can be from alpha."""
    return sqrt(3 * _alpha * logarithm / _n)


def chernoff_range(logarithm: Expr, of: str) -> Hypothesis:
    """The range in which the multiplicative form of Chernoff's bound has the exponent x^2/3."""
    return Hypothesis("chernoff_range", f"alpha n >= 3 {of}", Checked.BY_VALUE, Ge(_alpha * _n, 3 * logarithm))


def substituted_scale() -> Expr:
    """2 mu |y|^2/(n (1 - alpha)), for the covariance of the good points in the proof."""
    return 2 * _mu * _y**2 / (_n * (1 - _alpha))


FILTER = Theorem(
    id="charisopoulos_2023.filter",
    statement="Algorithm 2: while the largest eigenvalue u of the covariance of the points is above 4 lambda, remove one point, drawn in "
    "proportion to its squared distance from the mean along the leading eigenvector; then return the mean.",
    source=source("Algorithm 2"),
    not_checkable="an algorithm; when it stops is filter_stop, and one point has covariance 0, so it ends",
)

FILTER_STOP = Theorem(
    id="charisopoulos_2023.filter_stop",
    statement="The largest eigenvalue at which the filter returns the mean.",
    source=source("Algorithm 2, 'if u <= 4 lambda'"),
    bound=Bound(of=STOP_LEVEL, sense=Sense.EQUALS, cases=always(4 * _lambda), given=(FILTER_SCALE,)),
)

MOMENTS = Theorem(
    id="charisopoulos_2023.moments",
    statement="Means and covariances of the good points, and of all points before corruption; the vector of reports; mu, the "
    "largest squared norm of an action in the inverse Gram matrix.",
    source=source("(25a), (25b), (26), (27)"),
    not_checkable="definitions",
)

LEAST_CORRUPTION = Theorem(
    id="charisopoulos_2023.least_corruption",
    statement="Assumption A.1: the corruption probability is at least of this size in every batch.",
    source=source("Assumption A.1"),
    bound=Bound(
        of=CORRUPTION,
        sense=Sense.AT_LEAST,
        cases=always(_C_A * _l / _n),
        given=(SAMPLES, FAILURE, ASSUMPTION_CONSTANT),
    ),
)

LEAST_REPORTS = Theorem(
    id="charisopoulos_2023.least_reports",
    statement="The reports of a batch in which Assumption A.1 holds: n plays in M1, k owners in M2.",
    source=source("[assembled] Assumption A.1 solved for the batch"),
    hypotheses=(Hypothesis("some_corruption", "alpha > 0", Checked.BY_VALUE, Gt(_alpha, 0)),),
    bound=Bound(
        of=REQUIRED_REPORTS,
        sense=Sense.AT_LEAST,
        cases=always(_C_A * _l / _alpha),
        given=(CORRUPTION, FAILURE, ASSUMPTION_CONSTANT),
    ),
)

_outlying = _out / _n + _l / _n
_quoted = (
    runs_the_filter,
    scale_large_enough,
    Hypothesis("outliers_among_reports", "n - |G_0| <= n", Checked.BY_VALUE, Le(_out, _n)),
    Hypothesis("few_outliers", "(n - |G_0|)/n + log(1/delta)/n <= c_filt", Checked.BY_VALUE, Le(_outlying, _limit)),
)

FILTER_QUOTED = Theorem(
    id="charisopoulos_2023.filter_quoted",
    statement="The distance of the filter's mean from the mean of the good points.",
    source=source("Theorem A.2, (28), quoting Prasad, Balakrishnan and Ravikumar 2019, Theorem 4"),
    hypotheses=_quoted,
    bound=Bound(
        of=FILTER_ERROR,
        sense=Sense.AT_MOST,
        cases=always(_C_filt * sqrt(_lambda) * sqrt(_outlying)),
        given=(SAMPLES, OUTLIERS, FAILURE, FILTER_SCALE, GOOD_COVARIANCE, FILTER_LIMIT, FILTER_CONSTANT),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    findings=(findings.LIMIT_OF_THE_FILTER,),
)

FILTER_REMOVALS = Theorem(
    id="charisopoulos_2023.filter_removals",
    statement="The number of points that the filter removes, under the conditions of filter_quoted.",
    source=source("Theorem A.2, quoting Prasad, Balakrishnan and Ravikumar 2019, Theorem 4"),
    hypotheses=(runs_the_filter,),
    bound=Bound(
        of=REMOVALS,
        sense=Sense.AT_MOST,
        cases=always(_out + _l),
        given=(OUTLIERS, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
)

# --- how many reports stay uncorrupted ----------------------------------------------------------------------------------------------------

INLIER_FRACTION = Theorem(
    id="charisopoulos_2023.inlier_fraction",
    statement="How far the fraction of uncorrupted reports is from 1 - alpha.",
    source=source("Lemma A.3, (29)"),
    hypotheses=(
        random_positions,
        Hypothesis("enough_reports", "alpha n >= C_B log(1/delta)", Checked.BY_VALUE, Ge(_alpha * _n, _C_B * _l)),
    ),
    bound=Bound(
        of=INLIER_DEVIATION,
        sense=Sense.AT_MOST,
        cases=always(sqrt(_alpha * _l / _n)),
        given=(SAMPLES, CORRUPTION, FAILURE, CHERNOFF_CONSTANT),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="the_limit",
            sense=Sense.AT_MOST,
            left=erfc(sqrt(_l / (2 * (1 - _alpha)))) / _delta,
            right=Integer(1),
            draw_order=(CORRUPTION, FAILURE),
            domain=(Gt(_alpha, 0),),
            note="(30): P(|S_n - n alpha| > sqrt(n alpha log(1/delta))) <= delta, divided by delta; the left side in the limit of large n",
        ),
    ),
    findings=(findings.CHERNOFF_CONSTANT,),
)

_two = log(2 / _delta)

INLIER_FRACTION_EXPLICIT = Theorem(
    id="charisopoulos_2023.inlier_fraction_explicit",
    statement="How far the fraction of uncorrupted reports is from 1 - alpha, with constants that a number needs.",
    source=source("[assembled] Lemma A.3 with the constants of the multiplicative Chernoff bound; derived in filter.py"),
    hypotheses=(random_positions, chernoff_range(_two, "log(2/delta)")),
    bound=Bound(
        of=INLIER_DEVIATION,
        sense=Sense.AT_MOST,
        cases=always(chernoff(_two)),
        given=(SAMPLES, CORRUPTION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="upper_exponent",
            sense=Sense.AT_LEAST,
            left=(1 + _x) * log(1 + _x) - _x,
            right=_x**2 / 3,
            draw_order=(SMALL,),
            ours=True,
            note="Chernoff's exponent over n alpha, for alpha n (1 + x) corrupted reports or more",
        ),
        Step(
            id="lower_exponent",
            sense=Sense.AT_LEAST,
            left=(1 - _x) * log(1 - _x) + _x,
            right=_x**2 / 3,
            draw_order=(SMALL,),
            ours=True,
            note="the same for alpha n (1 - x) corrupted reports or fewer",
        ),
    ),
)

GOOD_COVARIANCE_BOUND = Theorem(
    id="charisopoulos_2023.good_covariance_bound",
    statement="The largest eigenvalue of the covariance of the good points.",
    source=source("(33), with the three displays before it"),
    bound=Bound(
        of=GOOD_COVARIANCE,
        sense=Sense.AT_MOST,
        cases=always(_mu * _y_good**2 / _in),
        given=(LEVERAGE, GOOD_REPORT_NORM, INLIERS),
    ),
    steps=(
        Step(
            id="without_the_mean",
            sense=Sense.AT_MOST,
            left=(_first**2 + _second**2) / 2 - ((_first + _second) / 2) ** 2,
            right=(_first**2 + _second**2) / 2,
            draw_order=(FIRST_REPORT, SECOND_REPORT),
            note="the covariance of two points in one dimension, and their second moment",
        ),
    ),
)

ENOUGH_INLIERS = Theorem(
    id="charisopoulos_2023.enough_inliers",
    statement="The number of uncorrupted reports.",
    source=source("appendix A.2, after (33), 'we appeal to Lemma A.3'"),
    hypotheses=(random_positions, enough_for_half),
    bound=Bound(
        of=INLIERS,
        sense=Sense.AT_LEAST,
        cases=always((1 - _alpha) * _n / 2),
        given=(SAMPLES, CORRUPTION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="lemma_a3_inserted",
            sense=Sense.AT_LEAST,
            left=(1 - _alpha) * _n - sqrt(_alpha * _n * _l),
            right=(1 - _alpha) * _n - 3 * sqrt(_n * _l),
            draw_order=(SAMPLES, CORRUPTION, FAILURE),
            note="what Lemma A.3 gives, and what the line has",
        ),
        Step(
            id="half_is_left",
            sense=Sense.AT_LEAST,
            left=(1 - _alpha) * _n - 3 * sqrt(_n * _l),
            right=(1 - _alpha) * _n / 2,
            draw_order=(CORRUPTION, FAILURE, SAMPLES),
            domain=(Ge(_n * (1 - _alpha) ** 2, 18 * _l),),
        ),
        Step(
            id="half_is_left_repaired",
            sense=Sense.AT_LEAST,
            left=(1 - _alpha) * _n - 3 * _ratio,
            right=(1 - _alpha) * _n / 2,
            draw_order=(SAMPLES, CORRUPTION, RATIO),
            domain=(Le(6 * _ratio, (1 - _alpha) * _n),),
            reason="repairs half_is_left: x = sqrt(n log(1/delta)), and n >= 36 log(1/delta)/(1 - alpha)^2",
            ours=True,
        ),
    ),
    findings=(findings.HALF_OF_THE_REPORTS,),
)

COVARIANCE_SUBSTITUTED = Theorem(
    id="charisopoulos_2023.covariance_substituted",
    statement="The largest eigenvalue of the covariance of the good points, by the uncorrupted reports alone.",
    source=source("appendix A.2, after (33), 'we can replace the previous upper bound'"),
    hypotheses=(random_positions, enough_for_half),
    bound=Bound(
        of=GOOD_COVARIANCE,
        sense=Sense.AT_MOST,
        cases=always(substituted_scale()),
        given=(LEVERAGE, REPORT_NORM, SAMPLES, CORRUPTION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

# --- the mean of the good points ----------------------------------------------------------------------------------------------------------

MEAN_SHIFT_BOUND = Theorem(
    id="charisopoulos_2023.mean_shift_bound",
    statement="The distance of the mean of the good points from n (1 - alpha)/|G_0| times the mean of all points before corruption.",
    source=source("Lemma A.4, (31)"),
    hypotheses=(random_positions, reports_fixed),
    bound=Bound(
        of=MEAN_SHIFT,
        sense=Sense.AT_MOST,
        cases=always(_C_V * _y * sqrt(_mu * _alpha * (1 - _alpha) * _l) / _in),
        given=(LEVERAGE, REPORT_NORM, CORRUPTION, INLIERS, FAILURE, VECTOR_CONSTANT),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="variance_of_the_positions",
            sense=Sense.EQUALS,
            left=(1 - _alpha) * _alpha**2 + _alpha * (1 - _alpha) ** 2,
            right=_alpha * (1 - _alpha),
            draw_order=(CORRUPTION,),
            note="after (32): the variance of Z_i, by its two values",
        ),
        Step(
            id="choice_of_t",
            sense=Sense.AT_MOST,
            left=exp(-_l / 4),
            right=_delta,
            draw_order=(FAILURE,),
            note="'to obtain the claimed probability': exp(-t^2/(4 V)) at t = sqrt(V log(1/delta)); 4 is the constant of the cited theorem",
        ),
    ),
    findings=(
        findings.HEAVY_REPORT,
        findings.EXPONENT_OF_THE_SHIFT,
    ),
)

_range_of_t = Hypothesis(
    "range_of_t",
    "2 sqrt(log(1/delta)) (1 - alpha) |y|_inf <= sqrt(alpha (1 - alpha)) |y|: t is in the range of the vector Bernstein inequality",
    Checked.BY_VALUE,
    Le(4 * _l * (1 - _alpha) * _largest**2, _alpha * _y**2),
    added=findings.HEAVY_REPORT.name,
)

MEAN_SHIFT_EXPLICIT = Theorem(
    id="charisopoulos_2023.mean_shift_explicit",
    statement="The same distance, with constants that a number needs, in the range of the vector Bernstein inequality.",
    source=source("[assembled] Lemma A.4 with the constants of Gross 2011, Theorem 12; derived in filter.py"),
    hypotheses=(random_positions, reports_fixed, some_reports, _range_of_t),
    bound=Bound(
        of=MEAN_SHIFT,
        sense=Sense.AT_MOST,
        cases=always(_y * sqrt(_mu * _alpha * (1 - _alpha)) * (1 + 2 * sqrt(_l)) / _in),
        given=(LEVERAGE, REPORT_NORM, LARGEST_REPORT, CORRUPTION, INLIERS, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

_failing = log(2 / _delta)

FILTER_CLOSE = Theorem(
    id="charisopoulos_2023.filter_close",
    statement="The distance of the filter's mean from the mean of the good points, by the uncorrupted reports.",
    source=source("(34); the failure probability is 2 delta there"),
    hypotheses=(runs_the_filter, random_positions),
    bound=Bound(
        of=FILTER_ERROR,
        sense=Sense.AT_MOST,
        cases=always(sqrt(_mu * _y**2 / _n) * sqrt(_alpha + sqrt(_alpha * _failing / _n) + _failing / _n)),
        given=(LEVERAGE, REPORT_NORM, SAMPLES, CORRUPTION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
)

_four = log(4 / _delta)
_close_fraction = _alpha + chernoff(_four) + _failing / _n

FILTER_CLOSE_EXPLICIT = Theorem(
    id="charisopoulos_2023.filter_close_explicit",
    statement="The same distance with constants, but for that of Theorem A.2, at lambda = 2 mu |y|^2/(n (1 - alpha)).",
    source=source("[assembled] (34) from Theorem A.2 and inlier_fraction_explicit; derived in filter.py"),
    hypotheses=(
        runs_the_filter,
        random_positions,
        chernoff_range(_four, "log(4/delta)"),
        Hypothesis("few_outliers", "what stands under the second root is at most c_filt", Checked.BY_VALUE, Le(_close_fraction, _limit)),
    ),
    bound=Bound(
        of=FILTER_ERROR,
        sense=Sense.AT_MOST,
        cases=always(_C_filt * sqrt(substituted_scale()) * sqrt(_close_fraction)),
        given=(LEVERAGE, REPORT_NORM, SAMPLES, CORRUPTION, FAILURE, FILTER_LIMIT, FILTER_CONSTANT),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="half_by_chernoff",
            sense=Sense.AT_MOST,
            left=_alpha + sqrt(_alpha * _x),
            right=Rational(1, 2),
            draw_order=(CORRUPTION, SMALL),
            domain=(Le(_x, _alpha),),
            ours=True,
            note="the fraction of corrupted reports; z = 3 log(4/delta)/n, at most alpha",
        ),
    ),
)
