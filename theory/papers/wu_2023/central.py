r"""The two-fold private mean and arm elimination under a central moment, PRAE-C (Wu et al. 2023): Theorem 6.5 to Remark 6.13.

Main statements
    BIN_ERROR, OUTSIDE_MASS                              C_1 and C_2: error of the private histogram, mass away from the mean
    CENTRAL_RADIUS_ASSEMBLED, CENTRAL_RADIUS_CLEAN_ASSEMBLED   the radius with the pieces that the proof prints
    CENTRAL_BIN_WIDTH(_CLEAN), CENTRAL_TRUNCATION(_CLEAN), CENTRAL_SAMPLES(_CLEAN)   the parameters;  INVERSE_MASS  iota
    CENTRAL_THRESHOLD, CENTRAL_THRESHOLD_CLEAN(_LITERAL) the batch below which an epoch is forced exploration
    CENTRAL_CONCENTRATION(_CLEAN, _CONTAMINATED)         Theorem 6.5, Corollaries 6.6 and 6.8: constants suppressed
    CENTRAL_SAMPLE_COMPLEXITY                            the sample complexity in Corollary 6.6
    REGRET_CENTRAL_CLEAN, REGRET_CENTRAL                 Theorems 6.10 and 6.12: constants suppressed
    RAW_MOMENT_OF_CENTRAL                                Remark 6.13: what the raw class would cost

Notation                          n is one fold; L = log(16/failure). `contamination` is alpha_1, also in iota, where the paper has alpha

Readings
    C_1 holds with probability 1 - failure/2. In an epoch the requirement is taken at failure/(2 |S| tau^2): 32 where the paper prints 16.
    Parameters of Corollaries 6.6 and 6.8 are stated for epsilon <= 1, those with alpha_1 for alpha_1 < 0.133: beyond, they are refused.
    The failure of step 2 is split into four eighths: count of outliers (used twice), Bernstein, truncated count, Laplace noise.

Elsewhere   the lines of the proof in central_proofs.py and central_cases.py; the winning bin, the radii at the chosen truncations and
            their sample complexity in central_radii.py; the regret with constants in central_regret.py; Remarks 6.4, 6.7, 6.9, 6.11 and
            what the raw class would cost in central_remarks.py
"""

from dataclasses import replace

from sympy import Expr, Ge, Gt, Integer, Le, Lt, Rational, log, sqrt

from banditproof.glossary import (
    ACTIVE,
    ARMS,
    BIN_CONSTANT,
    BIN_WIDTH,
    CONTAMINATION,
    EPOCH,
    EPSILON,
    FAILURE,
    FOLD_SAMPLES,
    HORIZON,
    MOMENT,
    RADIUS,
    RANGE,
    RAW_MOMENT,
    REGRET,
    TRUE_CONTAMINATION,
    TRUNCATION,
    UNIT_RATIO,
)
from banditproof.glossary import OUTSIDE_MASS as OUTSIDE_MASS_OF
from banditproof.glossary.wu_2023 import ACCURACY, REQUIRED_SAMPLES, THRESHOLD_BATCH
from banditproof.glossary.wu_2023 import BIN_ERROR as BIN_ERROR_OF
from banditproof.glossary.wu_2023 import INVERSE_MASS as INVERSE_MASS_OF
from banditproof.theory.hypotheses import (
    contamination_is_bounded,
    failure_is_inverse_horizon,
    finite_central_moment,
    fresh_laplace_noise,
    horizon_at_least_arms,
    huber_contaminated,
    independent_draws,
    plays_prae_central,
    uncontaminated,
)
from banditproof.theory.language import Bound, Case, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023.central_cases import CASE_ONE, CASE_TWO, iota
from banditproof.theory.papers.wu_2023.central_proofs import EPOCHS, HISTOGRAM, MASS, PIECES
from banditproof.theory.papers.wu_2023.findings import central as findings
from banditproof.theory.papers.wu_2023.findings import central_radii as bin_findings
from banditproof.theory.papers.wu_2023.findings import central_regret as regret_findings
from banditproof.theory.papers.wu_2023.setting import log_of, of_epoch, source

_n, _epsilon, _k, _failure, _alpha = symbol(FOLD_SAMPLES), symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION)
_m, _r, _range, _true, _c1 = symbol(TRUNCATION), symbol(BIN_WIDTH), symbol(RANGE), symbol(TRUE_CONTAMINATION), symbol(BIN_CONSTANT)
_horizon, _arms, _eta = symbol(HORIZON), symbol(ARMS), symbol(ACCURACY)
_log1, _log16 = log_of(1), log_of(16)
_log_bins = log(16 * _range / _failure)

private_at_most_one = Hypothesis("private_at_most_one", "epsilon <= 1", Checked.BY_VALUE, Le(_epsilon, 1))
private_in_each_epoch = replace(private_at_most_one, added="inherited_conditions")  # of the theorems on the regret
truncation_beyond_bins = Hypothesis("truncation_beyond_bins", "M >= 4 r", Checked.BY_VALUE, Ge(_m, 4 * _r))
initial_estimate_close = Hypothesis(
    "initial_estimate_close",
    "with probability 1 - failure/2 the first fold's bin begins within 2 r of the mean (n as large as the requirement, D >= 2 r)",
    Checked.ASSUMED,
    added="initial_distance",
)
contamination_below_a_quarter = Hypothesis(
    "contamination_below_a_quarter", "alpha_1 < 0.249", Checked.BY_VALUE, Lt(_alpha, Rational(249, 1000))
)
contamination_below_breakdown = Hypothesis(
    "contamination_below_breakdown", "alpha_1 < 0.133", Checked.BY_VALUE, Lt(_alpha, Rational(133, 1000))
)
_DATA = (finite_central_moment, independent_draws, fresh_laplace_noise)
_OUTLIERS = (*_DATA, huber_contaminated, contamination_is_bounded)

# --- the two steps of the estimate ------------------------------------------------------------------------------------------------


def _larger(one: Expr, two: Expr) -> tuple[Case, ...]:
    return (Case(Ge(one, two), one), Case(Gt(two, one), two))


BIN_ERROR = Theorem(
    id="wu_2023.bin_error",
    statement="Every private bin frequency of the first fold lies within `bin_error` of the bin's probability; even with probability 1 "
    "- failure/2.",
    source=source("Proof of Theorem 6.5, step 1: C_1, Appendix E"),
    hypotheses=(independent_draws, fresh_laplace_noise),
    bound=Bound(
        of=BIN_ERROR_OF,
        sense=Sense.AT_MOST,
        cases=_larger(sqrt(2 * _log_bins / _n), 4 * _log_bins / (_n * _epsilon)),
        given=(FOLD_SAMPLES, EPSILON, RANGE, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=HISTOGRAM,
    findings=(bin_findings.WHOLE_BINS, bin_findings.INDEX_OF_A_BIN),
)

OUTSIDE_MASS = Theorem(
    id="wu_2023.outside_mass",
    statement="A contaminated reward is at least one bin width from the inliers' mean with at most this probability.",
    source=source("Proof of Theorem 6.5, step 1: (4) and C_2, Appendix E"),
    hypotheses=(finite_central_moment, huber_contaminated),
    bound=Bound(
        of=OUTSIDE_MASS_OF,
        sense=Sense.AT_MOST,
        cases=always(_true + (1 - _true) * _r ** (-_k)),
        given=(TRUE_CONTAMINATION, BIN_WIDTH, MOMENT),
    ),
    steps=MASS,
)

_outliers = (_alpha + sqrt(2 * _alpha * _log16 / _n) + 2 * _log16 / (3 * _n)) * (_m + 2 * _r)


def _pieces(outliers: Expr, alpha: Expr) -> Expr:
    """The radius from its pieces: twice T_1, the Bernstein part and the bias of T_2, T_3, the noise."""
    return (
        2 * outliers
        + sqrt(2 * _log16 / _n)
        + 4 * (_m + 2 * _r) * _log16 / (3 * _n)
        + (2 / _m) ** (_k - 1)
        + 2 * _r * (alpha + (2 / _m) ** _k + sqrt(_log16 / (2 * _n)))
        + 2 * _m * log_of(8) / (_n * _epsilon)
    )


CENTRAL_RADIUS_ASSEMBLED = Theorem(
    id="wu_2023.central_radius_assembled",
    statement="The two-fold private mean lies within `radius` of the inliers' mean, under contamination.",
    source=source("[assembled] Proof of Theorem 6.5, step 2: the sum of the printed pieces, Appendix E"),
    hypotheses=(truncation_beyond_bins, initial_estimate_close, *_OUTLIERS),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_pieces(_outliers, _alpha)),
        given=(FOLD_SAMPLES, EPSILON, CONTAMINATION, MOMENT, TRUNCATION, BIN_WIDTH, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=PIECES,
)

CENTRAL_RADIUS_CLEAN_ASSEMBLED = Theorem(
    id="wu_2023.central_radius_clean_assembled",
    statement="The two-fold private mean lies within `radius` of the mean, without contamination.",
    source=source("[assembled] Proof of Theorem 6.5, step 2 without outliers: the sum of the printed pieces, Appendix E"),
    hypotheses=(truncation_beyond_bins, initial_estimate_close, *_DATA, uncontaminated),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_pieces(Integer(0), Integer(0))),
        given=(FOLD_SAMPLES, EPSILON, MOMENT, TRUNCATION, BIN_WIDTH, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

# --- parameters without contamination ---------------------------------------------------------------------------------------------

_samples_clean = 200 * _log_bins / _epsilon

CENTRAL_BIN_WIDTH_CLEAN = Theorem(
    id="wu_2023.central_bin_width_clean",
    statement="The width of the histogram's bins without contamination.",
    source=source("Corollary 6.6"),
    bound=Bound(of=BIN_WIDTH, sense=Sense.EQUALS, cases=always(10 ** (1 / _k)), given=(MOMENT,)),
)

CENTRAL_TRUNCATION_CLEAN = Theorem(
    id="wu_2023.central_truncation_clean",
    statement="The truncation around the first fold's bin without contamination.",
    source=source("Corollary 6.6; constant in the proof of Theorem 6.5, case I, Appendix E"),
    hypotheses=(private_at_most_one,),
    bound=Bound(
        of=TRUNCATION,
        sense=Sense.EQUALS,
        cases=always(4 * (_n * _epsilon / _log1) ** (1 / _k)),
        given=(FOLD_SAMPLES, EPSILON, MOMENT, FAILURE),
    ),
)

CENTRAL_SAMPLES_CLEAN = Theorem(
    id="wu_2023.central_samples_clean",
    statement="The number of draws in a fold from which the radius without contamination holds.",
    source=source("Corollary 6.6; constant in the proof of Theorem 6.5, case I, 'We can safely set', Appendix E"),
    hypotheses=(private_at_most_one,),
    bound=Bound(of=REQUIRED_SAMPLES, sense=Sense.EQUALS, cases=always(_samples_clean), given=(EPSILON, RANGE, FAILURE)),
)

CENTRAL_THRESHOLD_CLEAN = Theorem(
    id="wu_2023.central_threshold_clean",
    statement="The fold size below which an epoch is forced exploration, without contamination: central_samples_clean at an estimate's "
    "failure.",
    source=source("Proof of Theorem 6.10, first sentence, at the failure of one estimate, Appendix E"),
    hypotheses=(private_in_each_epoch,),
    bound=Bound(
        of=THRESHOLD_BATCH,
        sense=Sense.EQUALS,
        cases=always(of_epoch(_samples_clean)),
        given=(ACTIVE, EPOCH, EPSILON, RANGE, FAILURE),
    ),
)

CENTRAL_THRESHOLD_CLEAN_LITERAL = Theorem(
    id="wu_2023.central_threshold_clean_literal",
    statement="The fold size below which an epoch is forced exploration, without contamination, with the logarithm that the proof prints.",
    source=source("Proof of Theorem 6.10, first sentence, Appendix E"),
    hypotheses=(private_in_each_epoch,),
    bound=Bound(
        of=THRESHOLD_BATCH,
        sense=Sense.EQUALS,
        cases=always(200 * log(16 * _range * symbol(ACTIVE) * symbol(EPOCH) ** 2 / _failure) / _epsilon),
        given=(ACTIVE, EPOCH, EPSILON, RANGE, FAILURE),
    ),
    steps=EPOCHS,
    findings=(findings.THRESHOLD_LOGARITHM,),
)

# --- parameters with contamination ------------------------------------------------------------------------------------------------

_iota = iota(_alpha)

INVERSE_MASS = Theorem(
    id="wu_2023.inverse_mass",
    statement="iota, the k-th power of the bin width under contamination, at the known bound on the contamination.",
    source=source("Corollary 6.8, with alpha_1 for alpha; alpha < 0.249 as in the proof of Theorem 6.5, case II, Appendix E"),
    hypotheses=(contamination_below_a_quarter,),
    bound=Bound(of=INVERSE_MASS_OF, sense=Sense.EQUALS, cases=always(_iota), given=(CONTAMINATION,)),
)

CENTRAL_BIN_WIDTH = Theorem(
    id="wu_2023.central_bin_width",
    statement="The width of the histogram's bins under contamination.",
    source=source("Corollary 6.8, with alpha_1 for alpha; alpha < 0.249 as in the proof of Theorem 6.5, case II, Appendix E"),
    hypotheses=(contamination_below_a_quarter,),
    bound=Bound(of=BIN_WIDTH, sense=Sense.EQUALS, cases=always(_iota ** (1 / _k)), given=(CONTAMINATION, MOMENT)),
)

CENTRAL_TRUNCATION = Theorem(
    id="wu_2023.central_truncation",
    statement="The truncation around the first fold's bin under contamination.",
    source=source("Corollary 6.8; constants in the proof of Theorem 6.5, case II, Appendix E"),
    hypotheses=(private_at_most_one, contamination_below_breakdown),
    bound=Bound(
        of=TRUNCATION,
        sense=Sense.EQUALS,
        cases=(
            Case(Le(_n * _epsilon * _alpha, _log1), 4 * (_n * _epsilon / _log1) ** (1 / _k)),
            Case(Gt(_n * _epsilon * _alpha, _log1), 4 * _alpha ** (-1 / _k)),
        ),
        given=(FOLD_SAMPLES, EPSILON, CONTAMINATION, MOMENT, FAILURE),
    ),
)


def _largest(transform: Expr, bins: Expr, radius: Expr) -> tuple[Case, ...]:
    """max of the three entries of the requirement."""
    return (
        Case(Ge(transform, bins) & Ge(transform, radius), transform),
        Case(Gt(bins, transform) & Ge(bins, radius), bins),
        Case(Gt(radius, transform) & Gt(radius, bins), radius),
    )


_requirement = (_iota * _log1 / _epsilon, _c1 * _log_bins / _epsilon, _log16 / _alpha**2)

CENTRAL_SAMPLES = Theorem(
    id="wu_2023.central_samples",
    statement="The number of draws in a fold from which the radius under contamination holds; bin_constant is the paper's c_1.",
    source=source("Corollary 6.8; entries of the maximum from the proof of Theorem 6.5, case II, Appendix E"),
    hypotheses=(private_at_most_one, contamination_below_breakdown),
    bound=Bound(
        of=REQUIRED_SAMPLES,
        sense=Sense.EQUALS,
        cases=_largest(*_requirement),
        given=(EPSILON, CONTAMINATION, RANGE, BIN_CONSTANT, FAILURE),
    ),
)

CENTRAL_THRESHOLD = Theorem(
    id="wu_2023.central_threshold",
    statement="The fold size below which an epoch is forced exploration, under contamination: central_samples at an estimate's failure.",
    source=source("Proof of Theorem 6.12, at the failure of one estimate, Appendix E"),
    hypotheses=(private_in_each_epoch, contamination_below_breakdown),
    bound=Bound(
        of=THRESHOLD_BATCH,
        sense=Sense.EQUALS,
        cases=_largest(*(of_epoch(entry) for entry in _requirement)),
        given=(ACTIVE, EPOCH, EPSILON, CONTAMINATION, RANGE, BIN_CONSTANT, FAILURE),
    ),
)

_room = 1 - 4 * Rational(249, 1000)  # 6 C_1 must be below it

SMALLEST_BIN_CONSTANT = Theorem(
    id="wu_2023.smallest_bin_constant",
    statement="Every c_1 above this makes 6 C_1 + 4 C_2 < 1 at n >= c_1 log(16 D/failure)/epsilon, epsilon <= 1, C_2 = 0.249; at "
    "epsilon = 1 no smaller one does.",
    source=source("[assembled] Proof of Theorem 6.5, case II: 'there exists an absolute constant c_1', from 6 sqrt(2/c_1) = 1 - 4 * 0.249"),
    bound=Bound(of=BIN_CONSTANT, sense=Sense.EQUALS, cases=always(2 * (6 / _room) ** 2), given=()),
)

# --- concentration, constants suppressed ------------------------------------------------------------------------------------------

_clean_terms = sqrt(_log1 / _n) + (_log1 / (_n * _epsilon)) ** (1 - 1 / _k)

CENTRAL_CONCENTRATION = Theorem(
    id="wu_2023.central_concentration",
    statement="The two-fold private mean lies within `radius` of the inliers' mean, for suitable r, M, D >= 2 r and n above a threshold.",
    source=source("Theorem 6.5"),
    hypotheses=(private_at_most_one, *_OUTLIERS),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(sqrt(_log1 / _n) + _m * _log1 / (_n * _epsilon) + _m ** (1 - _k) + _alpha * _m),
        given=(FOLD_SAMPLES, EPSILON, CONTAMINATION, MOMENT, TRUNCATION, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="printed_shares",
            sense=Sense.AT_MOST,
            left=_failure / 2 + 3 * _failure / 8 + _failure / 8 + symbol(UNIT_RATIO),
            right=_failure,
            draw_order=(FAILURE, UNIT_RATIO),
            note="step 1; T_2, which holds T_1; T_3; and unit_ratio, the failure of the noise",
        ),
    ),
    findings=(findings.FRACTIONS_OF_THE_FAILURE, findings.OUTLIERS_OWN_SUM, findings.WHAT_EXISTS, findings.SLIPS_OF_THE_PROOFS),
)

CENTRAL_CONCENTRATION_CLEAN = Theorem(
    id="wu_2023.central_concentration_clean",
    statement="The two-fold private mean lies within `radius` of the mean without contamination, for n of the order "
    "log(D/failure)/epsilon, D >= 2 r.",
    source=source("Corollary 6.6"),
    hypotheses=(private_at_most_one, *_DATA, uncontaminated),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_clean_terms),
        given=(FOLD_SAMPLES, EPSILON, MOMENT, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    steps=CASE_ONE,
    findings=(findings.CONCENTRATION_CLEAN_AT_AN_END, findings.SUFFICIENT_SAMPLES),
)

CENTRAL_CONCENTRATION_CONTAMINATED = Theorem(
    id="wu_2023.central_concentration_contaminated",
    statement="The two-fold private mean lies within `radius` of the inliers' mean under contamination, for n above "
    "central_samples, D >= 2 r.",
    source=source("Corollary 6.8"),
    hypotheses=(private_at_most_one, contamination_below_breakdown, *_OUTLIERS),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(_clean_terms + _alpha ** (1 - 1 / _k)),
        given=(FOLD_SAMPLES, EPSILON, CONTAMINATION, MOMENT, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    steps=CASE_TWO,
    findings=(
        findings.CONCENTRATION_CONTAMINATED_AT_AN_END,
        findings.KNOWN_BOUND_IN_THE_CONDITION,
        findings.BREAKDOWN_OF_THE_CHOICE,
        findings.THRESHOLD_SQUARED,
        findings.BIN_CONSTANT,
        findings.TRUE_CONTAMINATION_KNOWN,
    ),
)

CENTRAL_SAMPLE_COMPLEXITY = Theorem(
    id="wu_2023.central_sample_complexity",
    statement="Draws that are enough for an accuracy eta without contamination, under a central moment.",
    source=source("Corollary 6.6, 'In other words'"),
    hypotheses=(private_at_most_one, *_DATA, uncontaminated),
    bound=Bound(
        of=REQUIRED_SAMPLES,
        sense=Sense.AT_MOST,
        cases=always(_log1 / _eta**2 + _log1 / (_epsilon * _eta ** (_k / (_k - 1))) + log(_range / _failure) / _epsilon),
        given=(ACCURACY, EPSILON, MOMENT, RANGE, FAILURE),
        constants=Constants.SUPPRESSED,
    ),
)

# --- regret -----------------------------------------------------------------------------------------------------------------------

_sum = _arms * log(_horizon)
_both_terms = sqrt(_arms * _horizon * log(_horizon)) + (_sum / _epsilon) ** (1 - 1 / _k) * _horizon ** (1 / _k)
_histogram = _arms * _range * log(_range * _horizon) / _epsilon
_POLICY = (horizon_at_least_arms, plays_prae_central, failure_is_inverse_horizon, finite_central_moment, fresh_laplace_noise)

REGRET_CENTRAL_CLEAN = Theorem(
    id="wu_2023.regret_central_clean",
    statement="The expected regret of private arm elimination under a central moment, without contamination.",
    source=source("Theorem 6.10, with delta = 1/T for the horizon (printed with the threshold's letter)"),
    hypotheses=(*_POLICY, uncontaminated),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(_both_terms + _histogram),
        given=(HORIZON, ARMS, EPSILON, RANGE, MOMENT),
        mode=Mode.IN_EXPECTATION,
        constants=Constants.SUPPRESSED,
    ),
    findings=(
        findings.REGRET_CLEAN_AT_AN_END,
        regret_findings.TWO_FOLDS,
        regret_findings.FAILURE_AND_THRESHOLD,
        regret_findings.INHERITED_CONDITIONS,
        regret_findings.CONSTANTS_OF_THE_PROOF,
    ),
)

REGRET_CENTRAL = Theorem(
    id="wu_2023.regret_central",
    statement="The expected regret, measured on uncontaminated rewards, of private arm elimination under a central moment and "
    "contamination.",
    source=source("Theorem 6.12"),
    hypotheses=(contamination_below_breakdown, *_POLICY, huber_contaminated, contamination_is_bounded),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(
            _both_terms + _horizon * _alpha ** (1 - 1 / _k) + _range * _sum / _alpha**2 + _iota * _range * _sum / _epsilon + _histogram
        ),
        given=(HORIZON, ARMS, EPSILON, CONTAMINATION, RANGE, MOMENT),
        mode=Mode.IN_EXPECTATION,
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.REGRET_CONTAMINATED_AT_AN_END, regret_findings.IOTA_IN_THE_THRESHOLD, regret_findings.IOTA_NEVER_BINDS),
)

# --- remarks ----------------------------------------------------------------------------------------------------------------------

RAW_MOMENT_OF_CENTRAL = Theorem(
    id="wu_2023.raw_moment_of_central",
    statement="The raw moment of a distribution of the central class: scaling it into the raw class costs a factor of the order D.",
    source=source("[assembled] Remark 6.13, E|X|^k = O(D^k), by Minkowski's inequality"),
    hypotheses=(finite_central_moment,),
    bound=Bound(of=RAW_MOMENT, sense=Sense.AT_MOST, cases=always((1 + _range) ** _k), given=(RANGE, MOMENT)),
)
