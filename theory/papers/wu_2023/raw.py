r"""The private truncated mean under a raw moment (Wu et al. 2023): Theorem 6.1 with the lines of its proof.

Main statements
    RAW_SAMPLES, RAW_TRUNCATION, RAW_RADIUS       contaminated rewards: the parameters, and the radius with the constants of the proof
    CLEAN_TRUNCATION, CLEAN_RADIUS                the same without contamination
    *_BEFORE_MERGE                                the radius for any truncation M, as printed before M is chosen
    RAW_RADIUS_ASSEMBLED                          with the bound T_1 of the outliers' sum before it is rounded up to 4 alpha_1 M
    RAW_CONCENTRATION, CLEAN_CONCENTRATION (and _TUNED)   the theorem as printed, constants suppressed
    CLEAN_SAMPLE_COMPLEXITY (and _EXPLICIT)       samples for a wanted accuracy

Notation            l_c = log(c/failure); A = (n epsilon/(4 l_16))^(1/k) and B = (8 alpha_1)^(-1/k), so that M = min(A, B)

What is wrong in print (findings clean_radius, clean_sample_complexity, raw_radius_merge; a reading: failure_near_one)
    Without contamination the radius fails for large epsilon. Repaired: the printed truncation and radius at min(epsilon, 3/2), which is
    what the shipped policy plays, its noise being that of epsilon. So no radius grows as privacy weakens. (At the printed truncation
    l_2 <= l_4 gives the factor 3/2 + epsilon/3 in place of 2, and a radius that grows with epsilon.) With contamination the radius is true
    for every epsilon: n >= l_8/alpha_1 and l_16 <= 4/3 l_8 leave room in 8 alpha_1 M, since 2 T_1 + 4 M l_16/(3 n) <=
    (2 + 2 sqrt(2) + 4/3 + 16/9) alpha_1 M < 8 alpha_1 M (step outliers_and_bernstein). Then l_2 <= l_16 does the rest.

Implementation notes
    Not steps, because SymPy reduces them to themselves: exp(-l_2) = failure/2 for the noise, 2 exp(-l_8) = failure/4 for the count of
    outliers, 2 exp(-l_16) = failure/8 for the inliers. The count is the same event in T_1 and T_2, so 7/8 of the failure is spent; step
    count_again shows that it may also be counted twice, at l_8 and at l_16.
    Steps in u = l_8/(n alpha_1) <= 1 (unit_ratio) and w = l_16/l_8 (ratio) are those of the proof over alpha_1 M; the steps *_in_units
    say so.
"""

from sympy import Expr, Ge, Gt, Le, Lt, Rational, log, sqrt, true

from banditproof.glossary import (
    CONTAMINATION,
    EPSILON,
    FAILURE,
    MOMENT,
    RADIUS,
    RATIO,
    RAW_MOMENT,
    SAMPLES,
    TRUE_CONTAMINATION,
    TRUNCATION,
    UNIT_RATIO,
)
from banditproof.glossary.wu_2023 import ACCURACY, REQUIRED_SAMPLES
from banditproof.theory.hypotheses import (
    contamination_is_bounded,
    finite_raw_moment,
    fixed_samples,
    fresh_laplace_noise,
    huber_contaminated,
    independent_draws,
    uncontaminated,
)
from banditproof.theory.language import Bound, Case, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023.findings import raw as findings
from banditproof.theory.papers.wu_2023.setting import log_of, source

_n, _epsilon, _k, _failure = symbol(SAMPLES), symbol(EPSILON), symbol(MOMENT), symbol(FAILURE)
_alpha, _true, _m = symbol(CONTAMINATION), symbol(TRUE_CONTAMINATION), symbol(TRUNCATION)
_u, _w, _moment = symbol(UNIT_RATIO), symbol(RATIO), symbol(RAW_MOMENT)
_l2, _l4, _l8, _l16 = log_of(2), log_of(4), log_of(8), log_of(16)

MERGED_EPSILON = Rational(3, 2)  # up to which the last merge of the proof holds at every failure
enough_samples = Hypothesis("enough_samples", "samples >= log(8/failure)/contamination", Checked.BY_VALUE, Ge(_n * _alpha, _l8))


# --- the parameters, for any size of a batch --------------------------------------------------------------------------------------


def privacy_term(batch: Expr, logarithm: Expr) -> Expr:
    """4 l/(n epsilon): M^-k where privacy alone sets the truncation."""
    return 4 * logarithm / (batch * _epsilon)


def truncation(batch: Expr, logarithm: Expr) -> tuple[Case, ...]:
    """min{(n epsilon/(4 l))^(1/k), (8 alpha_1)^(-1/k)}."""
    privacy, outliers = privacy_term(batch, logarithm) ** (-1 / _k), (8 * _alpha) ** (-1 / _k)
    return (Case(Ge(privacy_term(batch, logarithm), 8 * _alpha), privacy), Case(Lt(privacy_term(batch, logarithm), 8 * _alpha), outliers))


def radius(batch: Expr, logarithm: Expr) -> Expr:
    """sqrt(2 l/n) + 2 (4 l/(n epsilon))^(1 - 1/k) + 2 (8 alpha_1)^(1 - 1/k)."""
    return sqrt(2 * logarithm / batch) + 2 * privacy_term(batch, logarithm) ** (1 - 1 / _k) + 2 * (8 * _alpha) ** (1 - 1 / _k)


def clean_truncation(batch: Expr, logarithm: Expr) -> Expr:
    """(n epsilon/(4 l))^(1/k)."""
    return privacy_term(batch, logarithm) ** (-1 / _k)


def clean_radius(batch: Expr, logarithm: Expr) -> Expr:
    """sqrt(2 l/n) + 2 (4 l/(n epsilon))^(1 - 1/k)."""
    return sqrt(2 * logarithm / batch) + 2 * privacy_term(batch, logarithm) ** (1 - 1 / _k)


def merged(*entries: Expr | Case) -> tuple[Case, ...]:
    """The repair: what is stated at epsilon, at min(epsilon, 3/2), up to which the merge of the proof holds."""
    cases = [entry if isinstance(entry, Case) else Case(true, entry) for entry in entries]
    level = {_epsilon: MERGED_EPSILON}
    within, beyond = Le(_epsilon, MERGED_EPSILON), Gt(_epsilon, MERGED_EPSILON)
    return (
        *(Case(within & case.condition, case.expression) for case in cases),
        *(Case(beyond & case.condition.xreplace(level), case.expression.xreplace(level), added="clean_radius") for case in cases),
    )


# --- the lines of the proof -------------------------------------------------------------------------------------------------------

_outlier_fraction = _alpha + sqrt(2 * _alpha * _l8 / _n) + 2 * _l8 / (3 * _n)  # T_1/M
_privacy_term_of_n = _l8 / (_n * _alpha)

_BIAS = (
    Step(
        id="bias_in_units",
        sense=Sense.EQUALS,
        left=_moment ** (1 / _k) * (_moment / _m**_k) ** (1 - 1 / _k),
        right=_moment * _m ** (1 - _k),
        draw_order=(MOMENT, RAW_MOMENT, TRUNCATION),
        note="Hölder's inequality, E|X|^k = raw_moment, and P(|X| > M) <= raw_moment/M^k",
    ),
    Step(
        id="bias",
        sense=Sense.AT_MOST,
        left=_moment * _m ** (1 - _k),
        right=_m ** (1 - _k),
        draw_order=(MOMENT, RAW_MOMENT, TRUNCATION),
        domain=(Le(_moment, 1),),
    ),
    Step(
        id="second_moment",
        sense=Sense.AT_MOST,
        left=_moment ** (2 / _k),
        right=Rational(1),
        draw_order=(MOMENT, RAW_MOMENT),
        domain=(Le(_moment, 1),),
        note="the variance of a truncated value is at most E X^2 <= (E|X|^k)^(2/k)",
    ),
)


def _bernstein(logarithm: Expr) -> Step:
    """Bernstein for variance 1 and centred values of size 2 M, at the radius that (3) prints."""
    distance = sqrt(2 * logarithm / _n) + 4 * _m * logarithm / (3 * _n)
    return Step(
        id="bernstein",
        sense=Sense.AT_LEAST,
        left=_n * distance**2 / 2 / (1 + 2 * _m * distance / 3),
        right=logarithm,
        draw_order=(FAILURE, TRUNCATION, SAMPLES),
        note="the exponent of Bernstein's inequality at the radius that (3) prints, for variance 1 and centred values of size at most 2 M",
    )


_CLEAN_STEPS = (
    *_BIAS,
    _bernstein(_l4),
    Step(  # times n epsilon/M; printed "for epsilon > 0 and failure in (0, 1)", where it fails as in raw_radius: step merge there
        id="merge_up_to_three_halves",
        sense=Sense.AT_MOST,
        left=Rational(4, 3) * _epsilon * _l4 + 2 * _l2,
        right=4 * _l4,
        draw_order=(EPSILON, FAILURE),
        domain=(Le(_epsilon, Rational(3, 2)),),
        reason="repairs the printed merge, which fails for large epsilon",
        ours=True,
    ),
    Step(  # and at min(epsilon, 3/2) = 3/2: the truncation is that of 3/2, the noise that of epsilon
        id="merge_beyond_three_halves",
        sense=Sense.AT_MOST,
        left=Rational(4, 3) * _l4 + 2 * _l2 / _epsilon,
        right=4 * _l4 / Rational(3, 2),
        draw_order=(EPSILON, FAILURE),
        domain=(Ge(_epsilon, Rational(3, 2)),),
        reason="repairs the printed merge for large epsilon",
        ours=True,
    ),
    Step(
        id="repaired_by_variance",
        sense=Sense.AT_MOST,
        left=2 * _u ** (1 - 1 / _k),
        right=2 * sqrt(_u),
        draw_order=(MOMENT, UNIT_RATIO),
        ours=True,
        note="with unit_ratio = 8 log(4/delta)/(3 n): beyond epsilon = 3/2 the repaired radius is of the printed order",
    ),
    Step(
        id="choice_of_truncation",
        sense=Sense.EQUALS,
        left=privacy_term(_n, _l4) * privacy_term(_n, _l4) ** (-1 / _k) + (privacy_term(_n, _l4) ** (-1 / _k)) ** (1 - _k),
        right=2 * privacy_term(_n, _l4) ** (1 - 1 / _k),
        draw_order=(MOMENT, FAILURE, EPSILON, SAMPLES),
    ),
)

_RAW_STEPS = (
    *_BIAS,
    _bernstein(_l16),
    Step(
        id="variance_of_the_count",
        sense=Sense.AT_MOST,
        left=_true * (1 - _true),
        right=_alpha * (1 - _alpha),
        draw_order=(CONTAMINATION, TRUE_CONTAMINATION),
        domain=(Le(_true, _alpha),),
    ),
    Step(
        id="variance_dropped",
        sense=Sense.AT_MOST,
        left=sqrt(2 * _alpha * (1 - _alpha) * _l8 / _n),
        right=sqrt(2 * _alpha * _l8 / _n),
        draw_order=(CONTAMINATION, FAILURE, SAMPLES),
    ),
    Step(
        id="outliers_in_units",
        sense=Sense.EQUALS,
        left=_outlier_fraction / _alpha,
        right=1 + sqrt(2 * _privacy_term_of_n) + 2 * _privacy_term_of_n / 3,
        draw_order=(FAILURE, CONTAMINATION, SAMPLES),
        note="T_1 divided by alpha_1 M",
    ),
    Step(
        id="outliers",
        sense=Sense.AT_MOST,
        left=1 + sqrt(2 * _u) + 2 * _u / 3,
        right=Rational(4),
        draw_order=(UNIT_RATIO,),
        note="T_1 <= 4 alpha_1 M, divided by alpha_1 M: unit_ratio = log(8/delta)/(n alpha_1)",
    ),
    Step(
        id="outliers_as_printed",
        sense=Sense.AT_MOST,
        left=_outlier_fraction,
        right=4 * _alpha,
        draw_order=(FAILURE, CONTAMINATION, SAMPLES),
        domain=(Ge(_n * _alpha, _l8),),
        note="T_1 <= 4 alpha_1 M, divided by M",
    ),
    Step(
        id="logarithms",
        sense=Sense.AT_MOST,
        left=_l16,
        right=Rational(4, 3) * _l8,
        draw_order=(FAILURE,),
    ),
    Step(
        id="count_again",
        sense=Sense.AT_MOST,
        left=1 + sqrt(2 * _u * _w) + 2 * _u * _w / 3,
        right=Rational(4),
        draw_order=(UNIT_RATIO, RATIO),
        domain=(Ge(_w, 1), Le(_w, Rational(4, 3))),
        ours=True,
        note="the part of T_2 that is like T_1, divided by alpha_1 M: unit_ratio = log(8/delta)/(n alpha_1), ratio = "
        "log(16/delta)/log(8/delta)",
    ),
    Step(
        id="merge",
        sense=Sense.AT_MOST,
        left=Rational(4, 3) * _epsilon * _l16 + 2 * _l2,
        right=4 * _l16,
        draw_order=(EPSILON, FAILURE),
        note="both sides multiplied by n epsilon/M; printed for every epsilon > 0",
    ),
    Step(
        id="merge_up_to_three_halves",
        sense=Sense.AT_MOST,
        left=Rational(4, 3) * _epsilon * _l16 + 2 * _l2,
        right=4 * _l16,
        draw_order=(EPSILON, FAILURE),
        domain=(Le(_epsilon, Rational(3, 2)),),
        reason="repairs merge, which fails for large epsilon",
        ours=True,
    ),
    Step(
        id="outliers_and_bernstein",
        sense=Sense.AT_MOST,
        left=2 * (1 + sqrt(2 * _u) + 2 * _u / 3) + Rational(4, 3) * _u * _w,
        right=Rational(8),
        draw_order=(UNIT_RATIO, RATIO),
        domain=(Ge(_w, 1), Le(_w, Rational(4, 3))),
        ours=True,
        note="2 T_1 + 4 M log(16/delta)/(3 n) <= 8 alpha_1 M, divided by alpha_1 M: unit_ratio and ratio as in count_again",
    ),
    Step(
        id="outliers_and_bernstein_in_units",
        sense=Sense.EQUALS,
        left=(2 * _outlier_fraction + 4 * _l16 / (3 * _n)) / _alpha,
        right=2 * (1 + sqrt(2 * _privacy_term_of_n) + 2 * _privacy_term_of_n / 3) + Rational(4, 3) * _privacy_term_of_n * (_l16 / _l8),
        draw_order=(FAILURE, CONTAMINATION, SAMPLES),
        ours=True,
        note="2 T_1 + 4 M log(16/delta)/(3 n), divided by alpha_1 M",
    ),
    Step(
        id="laplace_alone",
        sense=Sense.AT_MOST,
        left=2 * _l2,
        right=4 * _l16,
        draw_order=(FAILURE,),
        ours=True,
    ),
    Step(
        id="privacy_binds_in_units",
        sense=Sense.EQUALS,
        left=(_w * _w ** (-1 / _k) + (_w ** (-1 / _k)) ** (1 - _k) + _u * _w * _w ** (-1 / _k)) / _w ** (1 - 1 / _k),
        right=2 + _u,
        draw_order=(MOMENT, UNIT_RATIO, RATIO),
        note="the three terms with M, divided by ratio^(1 - 1/k): ratio = M^-k is the factor of M in the term that determines M, ratio "
        "unit_ratio that in the other one",
    ),
    Step(
        id="choice_of_truncation",
        sense=Sense.AT_MOST,
        left=_u,
        right=2 * _u ** (1 - 1 / _k),
        draw_order=(MOMENT, UNIT_RATIO),
        note="unit_ratio is the smaller of 8 alpha_1 and 4 log(16/delta)/(n epsilon) divided by the larger one; a 2 on both sides is "
        "left out",
    ),
)

# --- contaminated -----------------------------------------------------------------------------------------------------------------

_CONTAMINATED = (
    enough_samples,
    finite_raw_moment,
    huber_contaminated,
    contamination_is_bounded,
    independent_draws,
    fixed_samples,
    fresh_laplace_noise,
)
_CLEAN = (finite_raw_moment, uncontaminated, independent_draws, fixed_samples, fresh_laplace_noise)
_AT_ONCE = "The private truncated mean lies within `radius` of the inliers' mean"

RAW_SAMPLES = Theorem(
    id="wu_2023.raw_samples",
    statement="The number of draws from which the radius under contamination holds.",
    source=source("Theorem 6.1, contaminated case; constant in its proof, Appendix D"),
    bound=Bound(of=REQUIRED_SAMPLES, sense=Sense.EQUALS, cases=always(_l8 / _alpha), given=(CONTAMINATION, FAILURE)),
)

RAW_TRUNCATION = Theorem(
    id="wu_2023.raw_truncation",
    statement="The truncation of the private mean under contamination.",
    source=source("Theorem 6.1, contaminated case; constants in its proof, Appendix D"),
    bound=Bound(of=TRUNCATION, sense=Sense.EQUALS, cases=truncation(_n, _l16), given=(SAMPLES, EPSILON, CONTAMINATION, MOMENT, FAILURE)),
)

RAW_RADIUS = Theorem(
    id="wu_2023.raw_radius",
    statement=f"{_AT_ONCE} at the truncation level that raw_truncation gives.",
    source=source("Theorem 6.1, contaminated case; last display of its proof, Appendix D"),
    hypotheses=_CONTAMINATED,
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(radius(_n, _l16)),
        given=(SAMPLES, EPSILON, CONTAMINATION, MOMENT, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=_RAW_STEPS,
    findings=(findings.RAW_RADIUS_MERGE, findings.FAILURE_SPENT_TWICE),
)


def _before(outliers: Expr, bernstein: Expr, laplace: Expr) -> Expr:
    return sqrt(2 * bernstein / _n) + 4 * _m * bernstein / (3 * _n) + outliers + 2 * _m * laplace / (_n * _epsilon) + _m ** (1 - _k)


RAW_RADIUS_BEFORE_MERGE = Theorem(
    id="wu_2023.raw_radius_before_merge",
    statement=f"{_AT_ONCE}, for any truncation.",
    source=source("Proof of Theorem 6.1, case 2, 'Put everything together', Appendix D"),
    hypotheses=_CONTAMINATED,
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_before(8 * _alpha * _m, _l16, _l2)),
        given=(SAMPLES, EPSILON, CONTAMINATION, MOMENT, TRUNCATION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

RAW_RADIUS_ASSEMBLED = Theorem(
    id="wu_2023.raw_radius_assembled",
    statement=f"{_AT_ONCE}, for any truncation and any number of draws.",
    source=source("[assembled] Proof of Theorem 6.1, case 2, with the bound of T_1 before n is large"),
    hypotheses=_CONTAMINATED[1:],
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_before(2 * _outlier_fraction * _m, _l16, _l2)),
        given=(SAMPLES, EPSILON, CONTAMINATION, MOMENT, TRUNCATION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

RAW_CONCENTRATION = Theorem(
    id="wu_2023.raw_concentration",
    statement=f"{_AT_ONCE}, for any truncation.",
    source=source("Theorem 6.1, contaminated case"),
    hypotheses=_CONTAMINATED[1:],
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(sqrt(log(1 / _failure) / _n) + _m * log(1 / _failure) / (_n * _epsilon) + _m ** (1 - _k) + _alpha * _m),
        given=(SAMPLES, EPSILON, CONTAMINATION, MOMENT, TRUNCATION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    steps=(
        Step(  # the logarithms of the proof are of the order of log(1/delta)
            id="logarithm_up_to_one_half",
            sense=Sense.AT_MOST,
            left=_l16,
            right=5 * log(1 / _failure),
            draw_order=(FAILURE,),
            domain=(Le(_failure, Rational(1, 2)),),
            reason="log(1/failure) vanishes as failure approaches 1, and log(16/failure) does not",
            ours=True,
        ),
    ),
    findings=(findings.FAILURE_NEAR_ONE,),
)

_tuned = sqrt(log(1 / _failure) / _n) + (log(1 / _failure) / (_n * _epsilon)) ** (1 - 1 / _k)

RAW_CONCENTRATION_TUNED = Theorem(
    id="wu_2023.raw_concentration_tuned",
    statement=f"{_AT_ONCE} at a truncation of the order min((n epsilon/log(1/failure))^(1/k), alpha_1^(-1/k)).",
    source=source("Theorem 6.1, contaminated case"),
    hypotheses=_CONTAMINATED[1:],
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_tuned + _alpha ** (1 - 1 / _k)),
        given=(SAMPLES, EPSILON, CONTAMINATION, MOMENT, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
)

# --- uncontaminated ---------------------------------------------------------------------------------------------------------------

CLEAN_TRUNCATION = Theorem(
    id="wu_2023.clean_truncation",
    statement="The truncation of the private mean without contamination.",
    source=source("Theorem 6.1, uncontaminated case; constants in its proof, Appendix D"),
    bound=Bound(of=TRUNCATION, sense=Sense.EQUALS, cases=always(clean_truncation(_n, _l4)), given=(SAMPLES, EPSILON, MOMENT, FAILURE)),
)

CLEAN_TRUNCATION_REPAIRED = Theorem(
    id="wu_2023.clean_truncation_repaired",
    statement="The truncation at which clean_radius holds for every epsilon: clean_truncation at min(epsilon, 3/2).",
    source=source("[assembled] Theorem 6.1, uncontaminated case, at min(epsilon, 3/2)"),
    bound=Bound(of=TRUNCATION, sense=Sense.EQUALS, cases=merged(clean_truncation(_n, _l4)), given=(SAMPLES, EPSILON, MOMENT, FAILURE)),
)

CLEAN_RADIUS = Theorem(
    id="wu_2023.clean_radius",
    statement=f"{_AT_ONCE} at the truncation of clean_truncation_repaired, the noise being that of epsilon (as printed: at that of "
    "clean_truncation).",
    source=source("Theorem 6.1, uncontaminated case; last display of case 1 of its proof, Appendix D"),
    hypotheses=_CLEAN,
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=merged(clean_radius(_n, _l4)),
        given=(SAMPLES, EPSILON, MOMENT, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=_CLEAN_STEPS,
    published=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(clean_radius(_n, _l4)),
        given=(SAMPLES, EPSILON, MOMENT, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    findings=(findings.CLEAN_RADIUS,),
)

CLEAN_RADIUS_BEFORE_MERGE = Theorem(
    id="wu_2023.clean_radius_before_merge",
    statement=f"{_AT_ONCE}, for any truncation.",
    source=source("Proof of Theorem 6.1, case 1, first display after (3), Appendix D"),
    hypotheses=_CLEAN,
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(sqrt(2 * _l4 / _n) + 4 * _m * _l4 / (3 * _n) + 2 * _m * _l2 / (_n * _epsilon) + _m ** (1 - _k)),
        given=(SAMPLES, EPSILON, MOMENT, TRUNCATION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

CLEAN_CONCENTRATION = Theorem(
    id="wu_2023.clean_concentration",
    statement=f"{_AT_ONCE}, for any truncation.",
    source=source("Theorem 6.1, uncontaminated case"),
    hypotheses=_CLEAN,
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(sqrt(log(1 / _failure) / _n) + _m * log(1 / _failure) / (_n * _epsilon) + _m ** (1 - _k)),
        given=(SAMPLES, EPSILON, MOMENT, TRUNCATION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.CLEAN_RADIUS,),
)

CLEAN_CONCENTRATION_TUNED = Theorem(
    id="wu_2023.clean_concentration_tuned",
    statement=f"{_AT_ONCE} at a truncation of the order (n epsilon/log(1/failure))^(1/k).",
    source=source("Theorem 6.1, uncontaminated case"),
    hypotheses=_CLEAN,
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_tuned),
        given=(SAMPLES, EPSILON, MOMENT, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.CLEAN_RADIUS,),
)

# --- samples for a wanted accuracy ------------------------------------------------------------------------------------------------

_eta = symbol(ACCURACY)
_by_variance = 8 * _l4 / _eta**2


_by_privacy = 4 * _l4 / _epsilon * (4 / _eta) ** (_k / (_k - 1))


CLEAN_SAMPLE_COMPLEXITY = Theorem(
    id="wu_2023.clean_sample_complexity",
    statement="Draws that are enough for an accuracy eta without contamination; called optimal there.",
    source=source("section 6.1, after Theorem 6.1"),
    hypotheses=_CLEAN,
    bound=Bound(
        of=REQUIRED_SAMPLES,
        sense=Sense.AT_MOST,
        cases=always(log(1 / _failure) / _eta**2 + log(1 / _failure) / (_epsilon * _eta ** (_k / (_k - 1)))),
        given=(ACCURACY, EPSILON, MOMENT, FAILURE),
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.CLEAN_SAMPLE_COMPLEXITY,),
)

CLEAN_SAMPLE_COMPLEXITY_EXPLICIT = Theorem(
    id="wu_2023.clean_sample_complexity_explicit",
    statement="Draws from which clean_radius is at most eta: each of its two terms, at min(epsilon, 3/2), is at most eta/2.",
    source=source("[assembled] section 6.1, after Theorem 6.1, from clean_radius"),
    hypotheses=_CLEAN,
    bound=Bound(
        of=REQUIRED_SAMPLES,
        sense=Sense.AT_MOST,
        cases=merged(Case(Ge(_by_variance, _by_privacy), _by_variance), Case(Lt(_by_variance, _by_privacy), _by_privacy)),
        given=(ACCURACY, EPSILON, MOMENT, FAILURE),
    ),
    steps=(
        Step(
            id="variance_half",
            sense=Sense.AT_MOST,
            left=sqrt(2 * _l4 / _n),
            right=_eta / 2,
            draw_order=(FAILURE, ACCURACY, SAMPLES),
            domain=(Ge(_n, _by_variance),),
        ),
        Step(
            id="privacy_half",
            sense=Sense.EQUALS,
            left=2 * privacy_term(_by_privacy, _l4) ** (1 - 1 / _k),
            right=_eta / 2,
            draw_order=(MOMENT, FAILURE, EPSILON, ACCURACY),
        ),
    ),
)
