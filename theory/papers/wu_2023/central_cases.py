r"""The lines of the proof of Corollaries 6.6 and 6.8 (Wu et al. 2023, Appendix E, cases I and II): r, M and n chosen.

Main definitions
    iota        the paper's iota at any contamination
    CASE_ONE    alpha = 0;  CASE_TWO  alpha > 0

Notation        n is one fold; l_c = log(c/failure); l_D = log(16 D/failure); A = (n epsilon/l_1)^(1/k), so that M = 4 A where privacy binds

What is loose in print is in findings/central.py and findings/central_regret.py: sufficient_samples, known_bound_in_the_condition,
breakdown_of_the_choice, threshold_squared, bin_constant, iota_in_the_threshold; and failure_near_one (no_constant_for_every_failure).
"""

from sympy import Expr, Ge, Integer, Le, Lt, Rational, log, sqrt

from banditproof.glossary import (
    BIN_WIDTH,
    CONTAMINATION,
    EPSILON,
    FAILURE,
    FOLD_SAMPLES,
    MOMENT,
    RANGE,
    RATIO,
    TRUE_CONTAMINATION,
    TRUNCATION,
    UNIT_RATIO,
)
from banditproof.theory.language import Sense, Step, symbol
from banditproof.theory.papers.wu_2023.setting import log_of

_n, _epsilon, _k, _failure, _alpha = symbol(FOLD_SAMPLES), symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION)
_m, _r, _range, _true = symbol(TRUNCATION), symbol(BIN_WIDTH), symbol(RANGE), symbol(TRUE_CONTAMINATION)
_x, _u = symbol(RATIO), symbol(UNIT_RATIO)
_l1, _l8, _l16 = log_of(1), log_of(8), log_of(16)
_bins = log(16 * _range / _failure)
_beyond = Ge(_m, 4 * _r)  # M >= 4 r
_quarter = Rational(249, 1000)
_breakdown = Rational(133, 1000)
_fraction = _alpha + sqrt(2 * _alpha * _l16 / _n) + 2 * _l16 / (3 * _n)  # T_1/(M + 2 r)


def iota(contamination: Expr) -> Expr:
    """(1 - alpha)/(0.249 - alpha)."""
    return (1 - contamination) / (_quarter - contamination)


# --- case I: no contamination -----------------------------------------------------------------------------------------------------

_per_privacy = _n * _epsilon
_private = Le(_epsilon, 1)
_tuned = (_per_privacy / _l1) ** (1 / _k)  # A

_LOGARITHMS = (
    Step(
        id="logarithms_alike",
        sense=Sense.AT_MOST,
        left=_l16,
        right=5 * _l1,
        draw_order=(FAILURE,),
        domain=(Le(_failure, Rational(1, 2)),),
        reason="log(1/failure) vanishes as failure approaches 1, see no_constant_for_every_failure",
    ),
    Step(
        id="logarithm_of_the_noise",
        sense=Sense.AT_MOST,
        left=_l8,
        right=4 * _l1,
        draw_order=(FAILURE,),
        domain=(Le(_failure, Rational(1, 2)),),
        reason="log(1/failure) vanishes as failure approaches 1, see no_constant_for_every_failure",
    ),
    Step(
        id="no_constant_for_every_failure",
        sense=Sense.AT_LEAST,
        left=log(16) + log(2) / _x,
        right=4 * (_x * (log(2) / _x)),
        draw_order=(RATIO,),
        note="for every constant x (ratio): at failure 2^(-1/x), log(16/failure) exceeds x log(1/failure) = log 2",
    ),
)

CASE_ONE = (
    Step(
        id="counts_small",
        sense=Sense.AT_MOST,
        left=sqrt(2 * _bins / _n),
        right=Rational(1, 10),
        draw_order=(RANGE, FAILURE, FOLD_SAMPLES),
        domain=(Ge(_n, 200 * _bins),),
    ),
    Step(  # 'requires n >= 20 log(16 D/delta)/epsilon': it does
        id="twenty_is_needed",
        sense=Sense.AT_LEAST,
        left=_per_privacy,
        right=20 * _bins,
        draw_order=(EPSILON, RANGE, FAILURE, FOLD_SAMPLES),
        domain=(Le(4 * _bins, _per_privacy / 10),),
    ),
    Step(  # but 40 is what is enough: up to 20 the noise's part of C_1 is 1/5 or more
        id="twenty_is_not_enough",
        sense=Sense.AT_LEAST,
        left=4 * _bins / _per_privacy,
        right=Rational(1, 5),
        draw_order=(EPSILON, RANGE, FAILURE, FOLD_SAMPLES),
        domain=(Le(_per_privacy, 20 * _bins),),
        ours=True,
    ),
    Step(
        id="noise_small_from_forty",
        sense=Sense.AT_MOST,
        left=4 * _bins / _per_privacy,
        right=Rational(1, 10),
        draw_order=(EPSILON, RANGE, FAILURE, FOLD_SAMPLES),
        domain=(Ge(_per_privacy, 40 * _bins),),
        ours=True,
    ),
    Step(  # 6 C_1 + 4 C_2 <= 1 with C_2 = 1/10 at the sample size that is set
        id="room_for_the_counts",
        sense=Sense.AT_MOST,
        left=6 * sqrt(2 * _bins / _n) + Rational(4, 10),
        right=Integer(1),
        draw_order=(EPSILON, RANGE, FAILURE, FOLD_SAMPLES),
        domain=(_private, Ge(_per_privacy, 200 * _bins)),
    ),
    Step(
        id="room_for_the_noise",
        sense=Sense.AT_MOST,
        left=6 * (4 * _bins / _per_privacy) + Rational(4, 10),
        right=Integer(1),
        draw_order=(EPSILON, RANGE, FAILURE, FOLD_SAMPLES),
        domain=(_private, Ge(_per_privacy, 200 * _bins)),
    ),
    Step(  # M >= 4 r
        id="truncation_beyond_bins",
        sense=Sense.AT_LEAST,
        left=4 * _tuned,
        right=4 * 10 ** (1 / _k),
        draw_order=(EPSILON, MOMENT, FAILURE, FOLD_SAMPLES),
        domain=(Ge(_per_privacy, 10 * _l1),),
    ),
    Step(
        id="ten_is_implied",
        sense=Sense.AT_MOST,
        left=10 * _l1,
        right=200 * _bins,
        draw_order=(RANGE, FAILURE),
    ),
    Step(  # T_1 at alpha_1 = 0
        id="no_outliers",
        sense=Sense.AT_MOST,
        left=2 * _l16 / (3 * _n) * (_m + 2 * _r),
        right=_m * _l16 / _n,
        draw_order=(BIN_WIDTH, TRUNCATION, FAILURE, FOLD_SAMPLES),
        domain=(_beyond,),
    ),
    Step(  # T_3: its first part below the bias
        id="cut_dominated",
        sense=Sense.AT_MOST,
        left=2 * _r * (2 / _m) ** _k,
        right=(2 / _m) ** (_k - 1),
        draw_order=(MOMENT, BIN_WIDTH, TRUNCATION),
        domain=(_beyond,),
    ),
    Step(  # its second part, r = 10^(1/k), beside the first term
        id="deviation_of_the_cut",
        sense=Sense.AT_MOST,
        left=2 * 10 ** (1 / _k) * sqrt(_l16 / (2 * _n)),
        right=sqrt(10) * sqrt(2 * _l16 / _n),
        draw_order=(MOMENT, FAILURE, FOLD_SAMPLES),
    ),
    Step(  # M l_16/(3 n) + M l_1/(n epsilon) = O(M l_16/(n epsilon)), times n/M
        id="merge",
        sense=Sense.AT_MOST,
        left=_l16 / 3 + _l1 / _epsilon,
        right=Rational(4, 3) * _l16 / _epsilon,
        draw_order=(EPSILON, FAILURE),
        domain=(_private,),
    ),
    Step(  # 4 (M + 2 r) l_16/(3 n)
        id="inliers_beyond_bins",
        sense=Sense.AT_MOST,
        left=4 * (_m + 2 * _r) * _l16 / (3 * _n),
        right=2 * _m * _l16 / _per_privacy,
        draw_order=(EPSILON, BIN_WIDTH, TRUNCATION, FAILURE, FOLD_SAMPLES),
        domain=(_private, _beyond),
    ),
    *_LOGARITHMS,
    Step(
        id="bias_at_the_choice",
        sense=Sense.AT_MOST,
        left=2 * (2 / (4 * _x)) ** (_k - 1),
        right=_x ** (1 - _k),
        draw_order=(MOMENT, RATIO),
        note="M = 4 ratio: twice the bias (2/M)^(k-1)",
    ),
    Step(  # and M l_1/(n epsilon) = 4 A^(1 - k)
        id="noise_at_the_choice",
        sense=Sense.EQUALS,
        left=4 * _tuned * _l1 / _per_privacy,
        right=4 * (_l1 / _per_privacy) ** (1 - 1 / _k),
        draw_order=(EPSILON, MOMENT, FAILURE, FOLD_SAMPLES),
    ),
)

# --- case II: contamination -------------------------------------------------------------------------------------------------------

CASE_TWO = (
    Step(
        id="mass",
        sense=Sense.AT_MOST,
        left=_true + (1 - _true) / _x,
        right=_quarter,
        draw_order=(TRUE_CONTAMINATION, RATIO),
        domain=(Lt(_true, _quarter), Ge(_x, iota(_true))),
        note="C_2 with ratio = r^k",
    ),
    Step(  # with iota at the known bound
        id="mass_at_the_known_share",
        sense=Sense.AT_MOST,
        left=_true + (1 - _true) / iota(_alpha),
        right=_quarter,
        draw_order=(CONTAMINATION, TRUE_CONTAMINATION),
        domain=(Lt(_alpha, _quarter), Le(_true, _alpha)),
        ours=True,
    ),
    Step(
        id="room_for_the_counts",
        sense=Sense.AT_MOST,
        left=6 * sqrt(2 * _u * _epsilon / 4_500_000) + 4 * _quarter,
        right=Integer(1),
        draw_order=(EPSILON, UNIT_RATIO),
        domain=(_private,),
        note="6 C_1 + 4 C_2 <= 1 at c_1 = 4500000, with unit_ratio = c_1 log(16 D/delta)/(n epsilon)",
    ),
    Step(
        id="room_for_the_noise",
        sense=Sense.AT_MOST,
        left=6 * (4 * _u / 4_500_000) + 4 * _quarter,
        right=Integer(1),
        draw_order=(UNIT_RATIO,),
        note="6 C_1 + 4 C_2 <= 1 at c_1 = 4500000, with unit_ratio = c_1 log(16 D/delta)/(n epsilon)",
    ),
    Step(
        id="no_smaller_constant",
        sense=Sense.AT_LEAST,
        left=6 * sqrt(2 / _x) + 4 * _quarter,
        right=Integer(1),
        draw_order=(RATIO,),
        domain=(Le(_x, 4_500_000),),
        note="6 C_1 + 4 C_2 at epsilon = 1, with ratio = n/log(16 D/delta)",
    ),
    Step(
        id="six_thousand_for_the_noise",
        sense=Sense.AT_MOST,
        left=6 * (4 * _u / 6000) + 4 * _quarter,
        right=Integer(1),
        draw_order=(UNIT_RATIO,),
        note="the noise alone asks for n >= 6000 log(16 D/delta)/epsilon: unit_ratio = 6000 log(16 D/delta)/(n epsilon)",
    ),
    Step(  # "1/alpha >= iota", so that 4 alpha_1^(-1/k) >= 4 r
        id="bins_by_the_true_share",
        sense=Sense.AT_MOST,
        left=iota(_true) * _alpha,
        right=Integer(1),
        draw_order=(CONTAMINATION, TRUE_CONTAMINATION),
        domain=(Le(_true, _alpha), Le(_alpha, _breakdown)),
    ),
    Step(
        id="bins_by_the_known_share",
        sense=Sense.AT_MOST,
        left=iota(_alpha) * _alpha,
        right=Integer(1),
        draw_order=(CONTAMINATION,),
        domain=(Le(_alpha, _breakdown),),
    ),
    Step(  # iota alpha_1 >= 1, times 0.249 - alpha_1
        id="breakdown_rounded",
        sense=Sense.AT_LEAST,
        left=(1 - _alpha) * _alpha,
        right=_quarter - _alpha,
        draw_order=(CONTAMINATION,),
        domain=(Ge(_alpha, Rational(1334, 10000)), Lt(_alpha, _quarter)),
        reason="from 0.1334 on it fails: the printed 0.133 is right to its last digit",
    ),
    Step(
        id="width_at_the_known_share",
        sense=Sense.AT_MOST,
        left=iota(_true),
        right=iota(_alpha),
        draw_order=(CONTAMINATION, TRUE_CONTAMINATION),
        domain=(Lt(_alpha, _quarter), Le(_true, _alpha)),
    ),
    Step(
        id="truncation_beyond_bins",
        sense=Sense.AT_LEAST,
        left=4 * _tuned,
        right=4 * _x ** (1 / _k),
        draw_order=(EPSILON, MOMENT, FAILURE, RATIO, FOLD_SAMPLES),
        domain=(Ge(_per_privacy, _x * _l1),),
        note="M >= 4 r where privacy binds, with ratio = iota",
    ),
    Step(
        id="outliers_beyond_bins",
        sense=Sense.AT_LEAST,
        left=4 * _alpha ** (-1 / _k),
        right=4 * _x ** (1 / _k),
        draw_order=(MOMENT, CONTAMINATION, RATIO),
        domain=(Le(_x * _alpha, 1),),
        note="M >= 4 r where outliers bind, with ratio = iota",
    ),
    Step(
        id="first_entry_never_binds",
        sense=Sense.AT_MOST,
        left=iota(_alpha) * _l1,
        right=8 * _bins,
        draw_order=(CONTAMINATION, RANGE, FAILURE),
        domain=(Le(_alpha, _breakdown),),
        ours=True,
    ),
    Step(  # T_1 = O(alpha_1 M)
        id="outliers",
        sense=Sense.AT_MOST,
        left=_fraction * (_m + 2 * _r),
        right=5 * _alpha * _m,
        draw_order=(BIN_WIDTH, TRUNCATION, FAILURE, CONTAMINATION, FOLD_SAMPLES),
        domain=(_beyond, Ge(_n * _alpha, _l16)),
    ),
    Step(  # T_3 = O(alpha_1 M + M^(1 - k)): its first part
        id="cut_by_outliers",
        sense=Sense.AT_MOST,
        left=2 * _r * _alpha,
        right=_alpha * _m / 2,
        draw_order=(CONTAMINATION, BIN_WIDTH, TRUNCATION),
        domain=(_beyond,),
    ),
    Step(  # the second is that of case I, cut_dominated; the third
        id="deviation_of_the_cut",
        sense=Sense.AT_MOST,
        left=2 * _r * sqrt(_l16 / (2 * _n)),
        right=_alpha * _m / 2,
        draw_order=(BIN_WIDTH, TRUNCATION, CONTAMINATION, FAILURE, FOLD_SAMPLES),
        domain=(_beyond, Ge(_n * _alpha**2, _l16)),
    ),
    Step(  # so without the threshold in alpha_1^2: k = 2 is the worst, r^2 <= iota
        id="width_is_bounded",
        sense=Sense.AT_MOST,
        left=2 * iota(_alpha) ** (1 / _k) * sqrt(_l16 / (2 * _n)),
        right=4 * sqrt(_l16 / _n),
        draw_order=(CONTAMINATION, MOMENT, FAILURE, FOLD_SAMPLES),
        domain=(Le(_alpha, _breakdown),),
        ours=True,
    ),
    Step(  # all that is of the order of alpha_1 M, over alpha_1 M: 2 T_1, the inliers, the two parts of T_3
        id="outliers_in_all",
        sense=Sense.AT_MOST,
        left=3 * (1 + sqrt(2 * _alpha) + Rational(2, 3) * _alpha) + 2 * _alpha + Rational(1, 2) + 1 / (2 * sqrt(2)),
        right=Integer(6),
        draw_order=(CONTAMINATION,),
        domain=(Le(_alpha, _breakdown),),
    ),
    Step(
        id="outliers_at_the_choice",
        sense=Sense.AT_MOST,
        left=6 * _alpha * _m,
        right=24 * _alpha ** (1 - 1 / _k),
        draw_order=(MOMENT, CONTAMINATION, TRUNCATION),
        domain=(Le(_m, 4 * _alpha ** (-1 / _k)),),
    ),
)
