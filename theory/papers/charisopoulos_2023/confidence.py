r"""The robust confidence interval (Charisopoulos et al. 2023): Proposition 2.1, its decomposition (35) to (44), and the choices of lambda.

Main statements
    CONFIDENCE              Proposition 2.1, (14) = (44)
    CONFIDENCE_EXPLICIT     [assembled] the same with constants, up to that of Theorem A.2
    DECOMPOSITION           (35) and (36), FIRST_TERM (37) to (40), SECOND_TERM (41) and (42), THIRD_TERM (43)
    LEVERAGE_FLOOR          [assembled] mu >= d/n, which (40) needs
    SCALE_OBSERVED, SCALE_CLEAN, SCALE_PROOF   lambda of line 7 and (13); the proof's
    SCALE_RANGE_FIRST, SCALE_RANGE_SECOND      lambda by Lemma 3.3 and Lemma 3.8

Readings
    y in Proposition 2.1 is the vector of reports before corruption; (13) has the observed ones. lambda is that of Theorem A.2's condition.
    Lines of the decomposition are stated for two reports and actions of one dimension; tests have them in vectors.

Derivations
    LEVERAGE_FLOOR. The squared norms of the n actions played add up to the trace of the identity, d.
    CONFIDENCE_EXPLICIT. Thirds of delta go to Theorem A.2, to inlier_fraction_explicit and to mean_shift_explicit. With x = alpha + sqrt(3
    alpha log(6/delta)/n) <= 2 alpha < 1/2 the good points are at least n (1 - x). In (37) the first term is sqrt(mu) n |w - theta_G|, the
    second sqrt(mu) |y| x/(1 - x) by (38) and (39). In (41) the first is sqrt(mu) |G_0| times the shift, the rest alpha (1 + noise sum).
"""

from sympy import Expr, Ge, Gt, Le, Rational, log, sqrt

from banditproof.glossary import DIMENSION, EPSILON, FAILURE, SAMPLES, Quantity
from banditproof.glossary.charisopoulos_2023 import (
    ACTION,
    ARM_NORM,
    ASSUMPTION_CONSTANT,
    CLEAN_MEAN,
    CONFIDENCE_CONSTANT,
    CORRUPTION,
    ESTIMATE_ERROR,
    FILTER_CONSTANT,
    FILTER_LIMIT,
    FILTER_MEAN,
    FILTER_SCALE,
    FIRST_ACTION,
    FIRST_REPORT,
    GOOD_COVARIANCE,
    GOOD_MEAN,
    GOOD_REPORT_NORM,
    INLIERS,
    LARGEST_REPORT,
    LEVERAGE,
    MAXIMUM_CONSTANT,
    NOISE_SUM,
    OBSERVED_NORM,
    OUTLIERS,
    REPORT_NORM,
    SECOND_ACTION,
    SECOND_REPORT,
    SIZE,
    SMALL,
    SUPPORT,
    TRUE_PARAMETER,
    TRUNCATION_PARAMETER,
)
from banditproof.theory.findings import Finding
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023.filter import (
    assumption_a1,
    chernoff,
    chernoff_range,
    reports_fixed,
    runs_the_filter,
    scale_large_enough,
    some_reports,
    substituted_scale,
)
from banditproof.theory.papers.charisopoulos_2023.findings import filter as findings
from banditproof.theory.papers.charisopoulos_2023.findings import filter_scale
from banditproof.theory.papers.charisopoulos_2023.setting import random_positions, source, unit_lengths

_alpha, _delta, _n, _mu = symbol(CORRUPTION), symbol(FAILURE), symbol(SAMPLES), symbol(LEVERAGE)
_d, _epsilon = symbol(DIMENSION), symbol(EPSILON)
_y, _noise, _C_P, _largest = symbol(REPORT_NORM), symbol(NOISE_SUM), symbol(CONFIDENCE_CONSTANT), symbol(LARGEST_REPORT)
_a, _a1, _a2 = symbol(ACTION), symbol(FIRST_ACTION), symbol(SECOND_ACTION)
_y1, _y2, _theta = symbol(FIRST_REPORT), symbol(SECOND_REPORT), symbol(TRUE_PARAMETER)
_good_mean, _clean_mean, _w = symbol(GOOD_MEAN), symbol(CLEAN_MEAN), symbol(FILTER_MEAN)
_out, _in, _norm, _z, _lambda = symbol(OUTLIERS), symbol(INLIERS), symbol(ARM_NORM), symbol(SMALL), symbol(FILTER_SCALE)
_y_good, _observed, _c_max, _m = symbol(GOOD_REPORT_NORM), symbol(OBSERVED_NORM), symbol(MAXIMUM_CONSTANT), symbol(SIZE)
_k, _nu, _limit, _C_filt = symbol(SUPPORT), symbol(TRUNCATION_PARAMETER), symbol(FILTER_LIMIT), symbol(FILTER_CONSTANT)
_gram = _a1**2 + _a2**2
_residuals = _a1 * (_y1 - _a1 * _theta) + _a2 * (_y2 - _a2 * _theta)

_norm_within = Le(_norm**2, _mu)


_a1_here = assumption_a1(log(2 / _delta), "log(2/failure)")


def interval(logarithm: Expr, norm: Expr, reports: Expr) -> Expr:
    """What stands in the braces of (14) beside the noise sum and alpha, over mu: |y| times the two roots."""
    return norm * (sqrt(reports) * sqrt(_alpha + sqrt(_alpha * logarithm / reports)) + sqrt(_alpha * logarithm))


CONFIDENCE = Theorem(
    id="charisopoulos_2023.confidence",
    statement="The error of the robust estimate at one action; y are the uncorrupted reports; delta is half of the failure probability.",
    source=source("Proposition 2.1, (14), and (44); Assumption A.1 and lambda's condition are in appendix A"),
    hypotheses=(runs_the_filter, random_positions, unit_lengths, _a1_here, scale_large_enough),
    bound=Bound(
        of=ESTIMATE_ERROR,
        sense=Sense.AT_MOST,
        cases=always(_C_P * (_mu * interval(log(2 / _delta), _y, _n) + _noise + _alpha)),
        given=(
            *(LEVERAGE, REPORT_NORM, SAMPLES, CORRUPTION, FAILURE, NOISE_SUM),
            *(FILTER_SCALE, GOOD_COVARIANCE, ASSUMPTION_CONSTANT, CONFIDENCE_CONSTANT),
        ),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="three_events",
            sense=Sense.AT_MOST,
            left=3 * _delta / 2,
            right=_delta,
            draw_order=(FAILURE,),
            note="'1 - 2 delta': what the union bound over Theorem A.2, Lemmas A.3 and A.4 gives, delta being half of the failure "
            "probability in each, and what is claimed",
        ),
    ),
    findings=(findings.COUNT_OF_EVENTS,),
)

_six, _three = log(6 / _delta), log(3 / _delta)
_fraction = _alpha + chernoff(_six)

CONFIDENCE_EXPLICIT = Theorem(
    id="charisopoulos_2023.confidence_explicit",
    statement="The error of the robust estimate at one action, with constants but for those of Theorem A.2.",
    source=source("[assembled] Proposition 2.1 with every constant kept; derived in confidence.py"),
    hypotheses=(
        runs_the_filter,
        random_positions,
        unit_lengths,
        reports_fixed,
        scale_large_enough,
        some_reports,
        chernoff_range(_six, "log(6/delta)"),
        Hypothesis(
            "range_of_t",
            "4 log(3/delta) (1 - alpha) |y|_inf^2 <= alpha |y|^2",
            Checked.BY_VALUE,
            Le(4 * _three * (1 - _alpha) * _largest**2, _alpha * _y**2),
        ),
        Hypothesis("few_outliers", "x + log(3/delta)/n <= c_filt", Checked.BY_VALUE, Le(_fraction + _three / _n, _limit)),
    ),
    bound=Bound(
        of=ESTIMATE_ERROR,
        sense=Sense.AT_MOST,
        cases=always(
            _C_filt * _n * sqrt(_mu * _lambda) * sqrt(_fraction + _three / _n)
            + sqrt(_mu) * _y * _fraction / (1 - _fraction)
            + _mu * _y * sqrt(_alpha * (1 - _alpha)) * (1 + 2 * sqrt(_three))
            + (1 + _alpha) * _noise
            + _alpha
        ),
        given=(
            *(LEVERAGE, REPORT_NORM, LARGEST_REPORT, SAMPLES, CORRUPTION, FAILURE, NOISE_SUM),
            *(FILTER_SCALE, GOOD_COVARIANCE, FILTER_LIMIT, FILTER_CONSTANT),
        ),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="fraction_grows",
            sense=Sense.AT_MOST,
            left=_z / (1 - _z),
            right=2 * _z,
            draw_order=(SMALL,),
            domain=(Le(_z, Rational(1, 2)),),
            ours=True,
            note="(n - |G_0|)/|G_0| at a fraction z of corrupted reports, which is where the second term of (37) is absorbed",
        ),
    ),
)

LEVERAGE_FLOOR = Theorem(
    id="charisopoulos_2023.leverage_floor",
    statement="The largest squared norm of an action played in the inverse Gram matrix.",
    source=source("[assembled] (27); derived in confidence.py"),
    hypotheses=(Hypothesis("gram_invertible", "the actions played span the space", Checked.BY_ENVIRONMENT),),
    bound=Bound(of=LEVERAGE, sense=Sense.AT_LEAST, cases=always(_d / _n), given=(DIMENSION, SAMPLES)),
)

# --- the three terms ----------------------------------------------------------------------------------------------------------------------

DECOMPOSITION = Theorem(
    id="charisopoulos_2023.decomposition",
    statement="The error of the robust estimate is the sum of three: robust less good, good less least squares, least squares less true.",
    source=source("(35a), (35b), (36)"),
    not_checkable="a telescoping sum",
)

FIRST_TERM = Theorem(
    id="charisopoulos_2023.first_term",
    statement="The first term: the robust estimate less the one from the good reports, at an action.",
    source=source("(37), (38), (39), (40); the failure probability is 2 delta there"),
    hypotheses=(runs_the_filter, random_positions, _a1_here),
    bound=Bound(
        of=ESTIMATE_ERROR,
        sense=Sense.AT_MOST,
        cases=always(_mu * _y * sqrt(_n) * sqrt(_alpha + sqrt(_alpha * log(2 / _delta) / _n))),
        given=(LEVERAGE, REPORT_NORM, SAMPLES, CORRUPTION, FAILURE, ASSUMPTION_CONSTANT),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="filter_and_outliers",
            sense=Sense.EQUALS,
            left=(_in + _out) * _w - _in * _good_mean,
            right=(_in + _out) * (_w - _good_mean) + _out * _good_mean,
            draw_order=(INLIERS, OUTLIERS, FILTER_MEAN, GOOD_MEAN),
            note="(37), along M^(-1/2) a",
        ),
        Step(
            id="fewer_actions",
            sense=Sense.AT_MOST,
            left=(_a1 * _y1) ** 2 / _gram,
            right=(_a1 * _y1) ** 2 / _a1**2,
            draw_order=(FIRST_ACTION, SECOND_ACTION, FIRST_REPORT),
            note="(38) squared, times |G_0|^2, with the second of two reports corrupted",
        ),
        Step(
            id="projection",
            sense=Sense.AT_MOST,
            left=(_a1 * _y1 + _a2 * _y2) ** 2,
            right=_gram * (_y1**2 + _y2**2),
            draw_order=(FIRST_ACTION, SECOND_ACTION, FIRST_REPORT, SECOND_REPORT),
            note="(39) squared, times the Gram matrix",
        ),
        Step(
            id="assumption_absorbs",
            sense=Sense.AT_MOST,
            left=_alpha + sqrt(_alpha * _z) + _z,
            right=2 * (_alpha + sqrt(_alpha * _z)),
            draw_order=(CORRUPTION, SMALL),
            domain=(Le(_z, _alpha),),
            note="(34) to (40): z = log(1/delta)/n, at most alpha by Assumption A.1 with the constant 1",
        ),
        Step(
            id="outliers_absorbed",
            sense=Sense.AT_MOST,
            left=_z / (1 - _z),
            right=2 * sqrt(_z) * sqrt(_mu * _n),
            draw_order=(SMALL, LEVERAGE, SAMPLES),
            domain=(Le(_z, Rational(1, 2)), Ge(_mu * _n, 1)),
            note="the second term of (37) in (40), over sqrt(mu) |y|: z is the fraction of corrupted reports; mu n >= d by leverage_floor",
        ),
    ),
)

SECOND_TERM = Theorem(
    id="charisopoulos_2023.second_term",
    statement="The second term: the estimate from the good reports less least squares, at an action.",
    source=source("(41), (42)"),
    hypotheses=(random_positions, unit_lengths, reports_fixed),
    bound=Bound(
        of=ESTIMATE_ERROR,
        sense=Sense.AT_MOST,
        cases=always(_mu * _y * sqrt(_alpha * log(1 / _delta)) + _alpha * (1 + _noise)),
        given=(LEVERAGE, REPORT_NORM, CORRUPTION, FAILURE, NOISE_SUM),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="sign_of_the_rest",
            sense=Sense.EQUALS,
            left=_in * _good_mean - _n * _clean_mean,
            right=_in * (_good_mean - _n * (1 - _alpha) / _in * _clean_mean) + _n * _alpha * _clean_mean,
            draw_order=(INLIERS, SAMPLES, CORRUPTION, GOOD_MEAN, CLEAN_MEAN),
            note="(41), along M^(-1/2) a: the last term has a plus sign in print",
        ),
        Step(
            id="sign_repaired",
            sense=Sense.EQUALS,
            left=_in * _good_mean - _n * _clean_mean,
            right=_in * (_good_mean - _n * (1 - _alpha) / _in * _clean_mean) - _n * _alpha * _clean_mean,
            draw_order=(INLIERS, SAMPLES, CORRUPTION, GOOD_MEAN, CLEAN_MEAN),
            reason="repairs sign_of_the_rest",
            ours=True,
        ),
        Step(
            id="mean_and_noise",
            sense=Sense.EQUALS,
            left=_alpha * _a * (_a1 * _y1 + _a2 * _y2) / _gram,
            right=_alpha * _a * _theta + _alpha * _a * _residuals / _gram,
            draw_order=(CORRUPTION, ACTION, FIRST_ACTION, SECOND_ACTION, FIRST_REPORT, SECOND_REPORT, TRUE_PARAMETER),
            note="the display after (41), for two reports",
        ),
        Step(
            id="lemma_a4_inserted",
            sense=Sense.AT_MOST,
            left=_norm * _y * sqrt(_mu * _alpha * (1 - _alpha) * log(1 / _delta)),
            right=_mu * _y * sqrt(_alpha * log(1 / _delta)),
            draw_order=(LEVERAGE, ARM_NORM, REPORT_NORM, CORRUPTION, FAILURE),
            domain=(_norm_within,),
            note="the display before it, without constants",
        ),
    ),
    findings=(findings.SIGN_OF_THE_REST,),
)

THIRD_TERM = Theorem(
    id="charisopoulos_2023.third_term",
    statement="The third term, least squares less the true parameter, is the inverse Gram matrix times the sum of e_i a_i.",
    source=source("(43)"),
    not_checkable="an identity, which is the step",
    steps=(
        Step(
            id="least_squares_error",
            sense=Sense.EQUALS,
            left=(_a1 * _y1 + _a2 * _y2) / _gram - _theta,
            right=_residuals / _gram,
            draw_order=(FIRST_ACTION, SECOND_ACTION, FIRST_REPORT, SECOND_REPORT, TRUE_PARAMETER),
            note="(43), for two reports",
        ),
    ),
)

# --- lambda -------------------------------------------------------------------------------------------------------------------------------


def _scale(
    name: str,
    statement: str,
    place: str,
    expression: Expr,
    given: tuple[Quantity, ...],
    steps: tuple[Step, ...] = (),
    findings: tuple[Finding, ...] = (),
) -> Theorem:
    return Theorem(
        id=f"charisopoulos_2023.{name}",
        statement=statement,
        source=source(place),
        bound=Bound(of=FILTER_SCALE, sense=Sense.EQUALS, cases=always(expression), given=given),
        steps=steps,
        findings=findings,
    )


SCALE_OBSERVED = _scale(
    "scale_observed",
    "The scale that the filter is given: mu times the mean square of the reports that were collected, corrupted ones included.",
    "line 7 of Algorithm 1",
    _mu * _observed**2 / _n,
    (LEVERAGE, OBSERVED_NORM, SAMPLES),
    steps=(
        Step(
            id="covers_the_good_points",
            sense=Sense.AT_LEAST,
            left=_mu * _y_good**2 / _n,
            right=_mu * _y_good**2 / _in,
            draw_order=(LEVERAGE, GOOD_REPORT_NORM, SAMPLES, INLIERS),
            domain=(Ge(_n, _in), Gt(_y_good, 0)),
            note="Theorem A.2's condition lambda >= |Sigma| where corrupted reports are 0, against the bound (33), attained in one "
            "dimension by good reports of mean 0",
        ),
        Step(
            id="error_at_this_scale",
            sense=Sense.AT_MOST,
            left=_alpha * _y1,
            right=_C_P * _alpha,
            draw_order=(CORRUPTION, CONFIDENCE_CONSTANT, FIRST_REPORT),
            domain=(Gt(_alpha, 0), Le(_C_P, 10)),
            note="(14) for one action of mean 0 without noise, where a fraction alpha of the reports is replaced by y_1: all are kept, "
            "so the error is alpha y_1; for any constant up to 10",
        ),
        Step(
            id="kept_at_this_scale",
            sense=Sense.AT_MOST,
            left=(_y1**2 + _y2**2) / 2 - ((_y1 + _y2) / 2) ** 2,
            right=(_y1**2 + _y2**2) / 2,
            draw_order=(FIRST_REPORT, SECOND_REPORT),
            ours=True,
            note="u <= lambda for one action and two reports, corrupted or not, both over mu: the filter stops at u <= 4 lambda",
        ),
    ),
    findings=(filter_scale.OBSERVED_SCALE, filter_scale.SCALE_OF_THE_PROOF),
)

SCALE_CLEAN = _scale(
    "scale_clean",
    "The scale with the uncorrupted reports, which the learner does not know.",
    "(13), read with y",
    _mu * _y**2 / _n,
    (LEVERAGE, REPORT_NORM, SAMPLES),
)

SCALE_PROOF = _scale(
    "scale_proof",
    "The scale that the proof substitutes for the covariance of the good points.",
    "appendix A.2, after (33)",
    substituted_scale(),
    (LEVERAGE, REPORT_NORM, SAMPLES, CORRUPTION),
)

SCALE_RANGE_FIRST = _scale(
    "scale_range_first",
    "The scale by the range of reports in M1: mu times the square of the bracket of Lemma 3.3.",
    "[assembled] (13) with Lemma 3.3 for the reports",
    _mu * (1 + _c_max * sqrt(log(_n / _delta)) + 4 * log(_n / _delta) / _epsilon) ** 2,
    (LEVERAGE, SAMPLES, FAILURE, EPSILON, MAXIMUM_CONSTANT),
)

SCALE_RANGE_SECOND = _scale(
    "scale_range_second",
    "The scale by the range of reports in M2: mu times the square of the bracket of Lemma 3.8.",
    "[assembled] (13) with Lemma 3.8 for the reports",
    _mu * (1 + _c_max * sqrt(log(_k / _delta) / (_nu * _m)) + 4 * log(_k / _delta) / (_nu * _m * _epsilon)) ** 2,
    (LEVERAGE, SUPPORT, SIZE, TRUNCATION_PARAMETER, FAILURE, EPSILON, MAXIMUM_CONSTANT),
)
