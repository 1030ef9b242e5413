r"""The winning bin, and the two-fold radius at the truncations of Corollaries 6.6 and 6.8 (Wu et al. 2023), with every constant.

Main statements
    INITIAL_DISTANCE                   step 1 of Theorem 6.5: where the winning bin begins; as printed it fails at the ends of [-D, D]
    PADDED_BIN_ERROR                   C_1 for any number of bins, as with one bin more on each side
    CENTRAL_RADIUS_CLEAN_TUNED         Corollary 6.6 with constants
    CENTRAL_RADIUS_TUNED               Corollary 6.8 with constants
    CENTRAL_SAMPLE_COMPLEXITY_EXPLICIT the samples of Corollary 6.6 with constants

Notation            n is one fold; l_c = log(c/failure), l_D = log(16 D/failure); A = (n epsilon/l_1)^(1/k)

Closing the last bin does not help
    Beside what the finding initial_distance says, rewards
    of D + 1/10 with probability 99/100 and of D - 99/10 else have mean D and variance 0.99, and the winner begins more than 2 r away (there
    the second fold still fixes it). With the low value rarer than the noise can show, D + s and s = sqrt(q/(1 - q)), all frequencies are
    noise again; with D far above M the second fold then keeps nothing, whatever the constants of Corollaries 6.6 and 6.8 are. One bin more
    on each side repairs it, or means that lie r inside the range.

Derivation of CENTRAL_RADIUS_CLEAN_TUNED (not printed)
    M = 4 A >= 4 r. In central_radius_clean_assembled the inliers' second term is at most 2 M l_16/(n epsilon), the first part of T_3 at
    most the bias, (2/M)^(k-1), twice which is at most A^(1-k); its second part is r sqrt(2 l_16/n). With l_16 <= 5 l_1 and l_8 <= 4 l_1 the
    terms in M l_1/(n epsilon) = 4 A^(1-k) have the coefficients 2 * 5 and 2 * 4: (1 + r) sqrt(2 l_16/n) + 73 (l_1/(n epsilon))^(1-1/k).
Derivation of CENTRAL_RADIUS_TUNED (not printed)
    M = 4 min(A, alpha_1^(-1/k)) >= 4 r, and n alpha_1^2 >= l_16. All that is of the order of alpha_1 M sums to at most 6 alpha_1 M, so to
    24 alpha_1^(1-1/k) (step outliers_in_all). Twice the bias is at most A^(1-k) + alpha_1^(1-1/k), the noise at most 32 A^(1-k):
    sqrt(2 l_16/n) + 33 (l_1/(n epsilon))^(1-1/k) + 25 alpha_1^(1-1/k).
"""

from sympy import Expr, Ge, Gt, Integer, Le, Lt, Rational, exp, log, sqrt

from banditproof.glossary import (
    BIN_WIDTH,
    BINS,
    CONTAMINATION,
    EPSILON,
    FAILURE,
    FOLD_SAMPLES,
    LEVEL,
    MOMENT,
    RADIUS,
    RANGE,
    RATIO,
    TRUE_CONTAMINATION,
)
from banditproof.glossary.wu_2023 import ACCURACY, BIN_DISTANCE, BIN_ERROR, MEAN_SIZE, REQUIRED_SAMPLES
from banditproof.theory.hypotheses import (
    contamination_is_bounded,
    finite_central_moment,
    fresh_laplace_noise,
    huber_contaminated,
    independent_draws,
    uncontaminated,
)
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.wu_2023 import central
from banditproof.theory.papers.wu_2023.central_cases import iota
from banditproof.theory.papers.wu_2023.central_proofs import INITIAL
from banditproof.theory.papers.wu_2023.findings import central_radii as findings
from banditproof.theory.papers.wu_2023.setting import log_of, source

_n, _epsilon, _k, _failure, _alpha = symbol(FOLD_SAMPLES), symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION)
_r, _range, _true, _mean, _bins = symbol(BIN_WIDTH), symbol(RANGE), symbol(TRUE_CONTAMINATION), symbol(MEAN_SIZE), symbol(BINS)
_eta, _x, _level = symbol(ACCURACY), symbol(RATIO), symbol(LEVEL)
_l1, _l16 = log_of(1), log_of(16)
_log_bins = log(16 * _range / _failure)
_clean_width = 10 ** (1 / _k)

# --- the winning bin --------------------------------------------------------------------------------------------------------------

_mass = 4 * (_true + (1 - _true) * _r ** (-_k))
histogram_separates = Hypothesis(
    "histogram_separates",
    "6 C_1 + 4 C_2 < 1, with C_1 = bin_error and C_2 = outside_mass",
    Checked.BY_VALUE,
    Lt(6 * sqrt(2 * _log_bins / _n) + _mass, 1) & Lt(24 * _log_bins / (_n * _epsilon) + _mass, 1),
)
range_of_two_bins = Hypothesis("range_of_two_bins", "range >= 2 bin_width", Checked.BY_VALUE, Ge(_range, 2 * _r))
mean_in_range = Hypothesis("mean_in_range", "|mu| <= D", Checked.BY_VALUE, Le(_mean, _range))
_WINNER_GIVEN = (RANGE, BIN_WIDTH, MEAN_SIZE, MOMENT, TRUE_CONTAMINATION, FAILURE, EPSILON, FOLD_SAMPLES)

INITIAL_DISTANCE = Theorem(
    id="wu_2023.initial_distance",
    statement="The winning bin of the private histogram begins within `bin_distance` of the inliers' mean. The probability below is the "
    "paper's; its proof gives 1 - failure/2.",
    source=source("Proof of Theorem 6.5, step 1, its last sentence, Appendix E"),
    hypotheses=(
        range_of_two_bins,
        mean_in_range,
        histogram_separates,
        finite_central_moment,
        huber_contaminated,
        independent_draws,
        fresh_laplace_noise,
    ),
    bound=Bound(
        of=BIN_DISTANCE,
        sense=Sense.AT_MOST,
        cases=(Case(Le(_mean, _range - _r), 2 * _r), Case(Gt(_mean, _range - _r), 2 * _range, added="initial_distance")),
        given=_WINNER_GIVEN,
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=INITIAL,
    published=Bound(
        of=BIN_DISTANCE,
        sense=Sense.AT_MOST,
        cases=always(2 * _r),
        given=_WINNER_GIVEN,
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    findings=(findings.INITIAL_DISTANCE,),
)

PADDED_BIN_ERROR = Theorem(
    id="wu_2023.padded_bin_error",
    statement="Every private frequency of a histogram of `bins` bins lies within `bin_error` of the bin's probability; even with "
    "probability 1 - failure/2.",
    source=source("[assembled] Proof of Theorem 6.5, step 1, for any number of bins, Appendix E"),
    hypotheses=(independent_draws, fresh_laplace_noise),
    bound=Bound(
        of=BIN_ERROR,
        sense=Sense.AT_MOST,
        cases=(
            Case(
                Ge(_n * _epsilon**2, 8 * log(6 * _bins / _failure)),
                sqrt(2 * log(6 * _bins / _failure) / _n),
            ),
            Case(
                Lt(_n * _epsilon**2, 8 * log(6 * _bins / _failure)),
                4 * log(6 * _bins / _failure) / (_n * _epsilon),
            ),
        ),
        given=(FOLD_SAMPLES, EPSILON, BINS, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="sum_of_tails",
            sense=Sense.AT_MOST,
            left=_bins * (2 * exp(-_level) + exp(-_level)),
            right=_failure / 2,
            draw_order=(BINS, FAILURE, LEVEL),
            domain=(Ge(_level, log(6 * _bins / _failure)),),
            note="the bins' number times the three tails, from level = log(6 N/failure) on",
        ),
        Step(  # two bins more than 2 D/r rounded up are at most 2 D + 3: the printed C_1 has room for them
            id="printed_radius_has_room",
            sense=Sense.AT_MOST,
            left=log(6 * (2 * _range + 3) / _failure),
            right=_log_bins,
            draw_order=(RANGE, FAILURE),
            domain=(Ge(_range, Rational(9, 2)),),
            reason="for a range of at least 9/2; below, log(6 N/failure) is needed",
        ),
    ),
)

# --- the radius at the chosen truncation ------------------------------------------------------------------------------------------

failure_at_most_half = Hypothesis(
    "failure_at_most_half", "failure <= 1/2", Checked.BY_VALUE, Le(_failure, Rational(1, 2)), "failure_near_one"
)
every_mean_has_neighbours = Hypothesis(
    "every_mean_has_neighbours",
    "the mean lies a bin width inside the range, or the histogram has one bin more on each side",
    Checked.ASSUMED,
    added="initial_distance",
)
range_of_clean_bins = Hypothesis("range_of_clean_bins", "D >= 2 r = 2 10^(1/k)", Checked.BY_VALUE, Ge(_range, 2 * _clean_width))
enough_clean_draws = Hypothesis(
    "enough_clean_draws", "n >= 200 log(16 D/failure)/epsilon", Checked.BY_VALUE, Ge(_n * _epsilon, 200 * _log_bins)
)
range_of_bins = Hypothesis("range_of_bins", "D >= 2 r = 2 iota^(1/k)", Checked.BY_VALUE, Ge((_range / 2) ** _k, iota(_alpha)))
enough_draws = Hypothesis(
    "enough_draws",
    "n >= 4500000 log(16 D/failure)/epsilon and n >= log(16/failure)/alpha_1^2",
    Checked.BY_VALUE,
    Ge(_n * _epsilon, 4_500_000 * _log_bins) & Ge(_n * _alpha**2, _l16),
)
_DATA = (every_mean_has_neighbours, finite_central_moment, independent_draws, fresh_laplace_noise)
_rate = (_l1 / (_n * _epsilon)) ** (1 - 1 / _k)

CENTRAL_RADIUS_CLEAN_TUNED = Theorem(
    id="wu_2023.central_radius_clean_tuned",
    statement="The two-fold private mean lies within `radius` of the mean without contamination, at the truncation level that "
    "central_truncation_clean gives.",
    source=source("[assembled] Corollary 6.6; derived in theory/papers/wu_2023/central_radii.py"),
    hypotheses=(central.private_at_most_one, failure_at_most_half, range_of_clean_bins, enough_clean_draws, *_DATA, uncontaminated),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always((1 + _clean_width) * sqrt(2 * _l16 / _n) + 73 * _rate),
        given=(FOLD_SAMPLES, EPSILON, MOMENT, RANGE, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

CENTRAL_RADIUS_TUNED = Theorem(
    id="wu_2023.central_radius_tuned",
    statement="The two-fold private mean lies within `radius` of the inliers' mean under contamination, at the truncation level that "
    "central_truncation gives.",
    source=source("[assembled] Corollary 6.8; derived in theory/papers/wu_2023/central_radii.py"),
    hypotheses=(
        central.private_at_most_one,
        failure_at_most_half,
        central.contamination_below_breakdown,
        range_of_bins,
        enough_draws,
        *_DATA,
        huber_contaminated,
        contamination_is_bounded,
    ),
    bound=Bound(
        of=RADIUS,
        sense=Sense.AT_MOST,
        cases=always(sqrt(2 * _l16 / _n) + 33 * _rate + 25 * _alpha ** (1 - 1 / _k)),
        given=(FOLD_SAMPLES, EPSILON, CONTAMINATION, MOMENT, RANGE, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
)

# --- samples for a wanted accuracy ------------------------------------------------------------------------------------------------


def _by_variance(width: Expr) -> Expr:
    return 8 * (1 + width) ** 2 * _l16 / _eta**2


_by_privacy = _l1 / _epsilon * (146 / _eta) ** (_k / (_k - 1))
_by_bins = 200 * _log_bins / _epsilon
_entries = (_by_variance(_clean_width), _by_privacy, _by_bins)

CENTRAL_SAMPLE_COMPLEXITY_EXPLICIT = Theorem(
    id="wu_2023.central_sample_complexity_explicit",
    statement="Draws in a fold from which central_radius_clean_tuned is at most eta: each of its two terms at most eta/2.",
    source=source("[assembled] Corollary 6.6, 'In other words', from central_radius_clean_tuned"),
    hypotheses=(central.private_at_most_one, failure_at_most_half, range_of_clean_bins, *_DATA, uncontaminated),
    bound=Bound(
        of=REQUIRED_SAMPLES,
        sense=Sense.AT_MOST,
        cases=(
            Case(Ge(_entries[0], _entries[1]) & Ge(_entries[0], _entries[2]), _entries[0]),
            Case(Gt(_entries[1], _entries[0]) & Ge(_entries[1], _entries[2]), _entries[1]),
            Case(Gt(_entries[2], _entries[0]) & Gt(_entries[2], _entries[1]), _entries[2]),
        ),
        given=(ACCURACY, EPSILON, MOMENT, RANGE, FAILURE),
    ),
    steps=(
        Step(
            id="variance_half",
            sense=Sense.AT_MOST,
            left=(1 + _x) * sqrt(2 * _l16 / _n),
            right=_eta / 2,
            draw_order=(FAILURE, ACCURACY, RATIO, FOLD_SAMPLES),
            domain=(Ge(sqrt(_n), sqrt(_by_variance(_x))),),
            note="with ratio = r",
        ),
        Step(
            id="privacy_half",
            sense=Sense.EQUALS,
            left=73 * (_l1 / (_by_privacy * _epsilon)) ** (1 - 1 / _k),
            right=_eta / 2,
            draw_order=(MOMENT, FAILURE, EPSILON, ACCURACY),
        ),
        Step(  # printed with log(D/failure): alike, as D >= 2 r >= 2
            id="logarithm_of_the_range",
            sense=Sense.AT_MOST,
            left=_log_bins,
            right=5 * log(_range / _failure),
            draw_order=(RANGE, FAILURE),
            domain=(Ge(_range, Integer(2)),),
        ),
    ),
)
