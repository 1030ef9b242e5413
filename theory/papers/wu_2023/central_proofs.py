r"""The lines of the proof of Theorem 6.5, steps 1 and 2 (Wu et al. 2023, Appendix E), for the statements in central.py.

Main definitions
    HISTOGRAM, MASS    step 1: C_1 and C_2;  INITIAL  the winning bin
    PIECES             step 2: T_1, T_2, T_3 and the noise
    EPOCHS             the requirement at the failure of one estimate
Elsewhere              the two cases, where r, M and n are chosen, in central_cases.py

Notation               n is one fold; l_c = log(c/failure); l_D = log(16 D/failure)

What is wrong in print is in findings/central.py and findings/central_radii.py: initial_distance, shares_of_the_failure, outliers_own_sum.

Implementation notes
    Not steps, because SymPy reduces them to themselves: C_2 = 1/10 at r = 10^(1/k), 2 exp(-l_16) = failure/8 for each of Bernstein,
    Hoeffding and the count, exp(-l_8) = failure/8 for the noise.
"""

from sympy import Expr, Ge, Integer, Le, Lt, Rational, exp, log, sqrt, zeta

from banditproof.glossary import (
    BIN_WIDTH,
    CONTAMINATION,
    EPSILON,
    FAILURE,
    FOLD_SAMPLES,
    LEVEL,
    MOMENT,
    OTHER_UNIT_RATIO,
    OUTSIDE_MASS,
    RANGE,
    RATIO,
    RAW_MOMENT,
    TRUE_CONTAMINATION,
    TRUNCATION,
    UNIT_RATIO,
    VARIANCE,
)
from banditproof.glossary.wu_2023 import BIN_ERROR, LAST_FORCED, MEAN_SIZE
from banditproof.theory.language import Sense, Step, symbol
from banditproof.theory.papers.wu_2023.setting import log_of

_n, _epsilon, _k, _failure, _alpha = symbol(FOLD_SAMPLES), symbol(EPSILON), symbol(MOMENT), symbol(FAILURE), symbol(CONTAMINATION)
_m, _r, _range, _true = symbol(TRUNCATION), symbol(BIN_WIDTH), symbol(RANGE), symbol(TRUE_CONTAMINATION)
_u, _v, _x, _moment, _variance, _level = (symbol(item) for item in (UNIT_RATIO, OTHER_UNIT_RATIO, RATIO, RAW_MOMENT, VARIANCE, LEVEL))
_c1, _c2, _mean = symbol(BIN_ERROR), symbol(OUTSIDE_MASS), symbol(MEAN_SIZE)
_l16 = log_of(16)
_bins = log(16 * _range / _failure)
_beyond = Ge(_m, 4 * _r)  # M >= 4 r
_quarter = Rational(249, 1000)


# --- step 1: the histogram --------------------------------------------------------------------------------------------------------

HISTOGRAM = (
    Step(
        id="tail_of_the_counts",
        sense=Sense.AT_MOST,
        left=2 * exp(-2 * _n * (_u * _level) ** 2),
        right=2 * exp(-_n * _level**2 / 2),
        draw_order=(FOLD_SAMPLES, LEVEL, UNIT_RATIO),
        domain=(Ge(_u, Rational(1, 2)),),
        note="Hoeffding's inequality for the counts, at the fraction unit_ratio >= 1/2 of the distance t (level)",
    ),
    Step(
        id="tail_of_the_noise",
        sense=Sense.AT_MOST,
        left=exp(-_u * _level / (2 / (_n * _epsilon))),
        right=exp(-_n * _epsilon * _level / 4),
        draw_order=(FOLD_SAMPLES, EPSILON, LEVEL, UNIT_RATIO),
        domain=(Ge(_u, Rational(1, 2)),),
        note="the noise of scale 2/(n epsilon), at the other half of the distance t (level)",
    ),
    Step(  # 2 D/r bins, and both corollaries have r >= 1
        id="union_factor",
        sense=Sense.AT_MOST,
        left=2 * _range / _r,
        right=2 * _range,
        draw_order=(RANGE, BIN_WIDTH),
        domain=(Ge(_r, 1),),
    ),
    Step(
        id="width_of_case_one",
        sense=Sense.AT_LEAST,
        left=10 ** (1 / _k),
        right=Integer(1),
        draw_order=(MOMENT,),
    ),
    Step(  # iota >= 1, times 0.249 - alpha
        id="iota_at_least_one",
        sense=Sense.AT_LEAST,
        left=1 - _true,
        right=_quarter - _true,
        draw_order=(TRUE_CONTAMINATION,),
        domain=(Lt(_true, _quarter),),
    ),
    Step(
        id="width_of_case_two",
        sense=Sense.AT_LEAST,
        left=_x ** (1 / _k),
        right=Integer(1),
        draw_order=(MOMENT, RATIO),
        domain=(Ge(_x, 1),),
        note="with ratio = iota, so that r = iota^(1/k)",
    ),
    Step(  # where C_1 = 4 l_D/(n epsilon), the exponent n C_1^2/2 of the counts is at least l_D too
        id="counts_where_noise_binds",
        sense=Sense.AT_LEAST,
        left=_n * (4 * _bins / (_n * _epsilon)) ** 2 / 2,
        right=_bins,
        draw_order=(EPSILON, RANGE, FAILURE, FOLD_SAMPLES),
        domain=(Ge(8 * _bins, _n * _epsilon**2),),
    ),
    Step(  # where C_1 = sqrt(2 l_D/n), the exponent n epsilon C_1/4 of the noise is
        id="noise_where_counts_bind",
        sense=Sense.AT_LEAST,
        left=_n * _epsilon * sqrt(2 * _bins / _n) / 4,
        right=_bins,
        draw_order=(EPSILON, RANGE, FAILURE, FOLD_SAMPLES),
        domain=(Le(8 * _bins, _n * _epsilon**2),),
    ),
    Step(  # 2 D (2 exp(-l_D) + exp(-l_D))
        id="sum_of_tails",
        sense=Sense.AT_MOST,
        left=2 * _range * 3 * (_failure / (16 * _range)),
        right=_failure / 2,
        draw_order=(RANGE, FAILURE),
    ),
    Step(  # 2 D/r rounded up, or one bin more: 2 D + 1 of them are paid for, as D >= 2 r >= 2
        id="one_bin_more",
        sense=Sense.AT_MOST,
        left=(2 * _range + 1) * 3 * (_failure / (16 * _range)),
        right=_failure / 2,
        draw_order=(RANGE, FAILURE),
        domain=(Ge(_range, 2),),
    ),
)

MASS = (
    Step(  # Markov, for a central moment m <= 1
        id="markov",
        sense=Sense.AT_MOST,
        left=_moment * _r ** (-_k),
        right=_r ** (-_k),
        draw_order=(MOMENT, BIN_WIDTH, RAW_MOMENT),
        domain=(Le(_moment, 1),),
    ),
    Step(
        id="mixture",
        sense=Sense.AT_MOST,
        left=_true * _u + (1 - _true) * _v,
        right=_true + (1 - _true) * _x,
        draw_order=(TRUE_CONTAMINATION, UNIT_RATIO, OTHER_UNIT_RATIO, RATIO),
        domain=(Le(_v, _x),),
        note="unit_ratio is the probability of an outlier beyond r, other_unit_ratio that of an inlier, ratio its bound r^-k",
    ),
)

INITIAL = (
    Step(  # the best of the three bins is above every other one where 6 C_1 + 4 C_2 <= 1
        id="separation",
        sense=Sense.AT_LEAST,
        left=(1 - _c2) / 3 - _c1,
        right=_c2 + _c1,
        draw_order=(BIN_ERROR, OUTSIDE_MASS),
        domain=(Le(6 * _c1 + 4 * _c2, 1),),
    ),
    Step(
        id="best_of_three",
        sense=Sense.AT_LEAST,
        left=_u - _c1,
        right=(1 - _c2) / 3 - _c1,
        draw_order=(BIN_ERROR, OUTSIDE_MASS, UNIT_RATIO),
        domain=(Ge(_u + _u + _u, 1 - _c2),),
        note="unit_ratio is the largest probability of the three bins about the mean",
    ),
    Step(
        id="other_bins",
        sense=Sense.AT_MOST,
        left=1 - _u + _c1,
        right=_c2 + _c1,
        draw_order=(BIN_ERROR, OUTSIDE_MASS, UNIT_RATIO),
        domain=(Ge(_u, 1 - _c2),),
        note="unit_ratio is the probability of the three bins together, 1 - unit_ratio at least that of any other bin",
    ),
    Step(  # the three bins hold (mu - r, mu + r), for these means
        id="neighbourhood_inside",
        sense=Sense.AT_MOST,
        left=_mean + _r,
        right=_range,
        draw_order=(RANGE, BIN_WIDTH, MEAN_SIZE),
        domain=(Le(_mean, _range - _r), Le(2 * _r, _range)),
        reason="the printed bins end at D",
        ours=True,
    ),
    Step(
        id="neighbourhood_covered_by_one_bin_more",
        sense=Sense.AT_MOST,
        left=_mean + _r,
        right=_range + _r,
        draw_order=(RANGE, BIN_WIDTH, MEAN_SIZE),
        domain=(Le(_mean, _range),),
        reason="the grid reaching from -D - r to D + r",
        ours=True,
    ),
    Step(
        id="bin_before",
        sense=Sense.AT_MOST,
        left=(1 + _u) * _r,
        right=2 * _r,
        draw_order=(BIN_WIDTH, UNIT_RATIO),
        note="the mean lies unit_ratio bin widths into its bin, and the winner J is the bin before",
    ),
    Step(
        id="bin_after",
        sense=Sense.AT_MOST,
        left=(1 - _u) * _r,
        right=2 * _r,
        draw_order=(BIN_WIDTH, UNIT_RATIO),
        note="the mean lies unit_ratio bin widths into its bin, and the winner J is the bin after",
    ),
)

# --- step 2: the pieces -----------------------------------------------------------------------------------------------------------


def _bernstein(id: str, variance: Expr, size: Expr, draws: tuple[object, ...]) -> Step:
    """Bernstein at its own radius, sqrt(2 s l_16/n) + 2 B l_16/(3 n)."""
    distance = sqrt(2 * variance * _l16 / _n) + 2 * size * _l16 / (3 * _n)
    return Step(
        id=id,
        sense=Sense.AT_LEAST,
        left=_n * distance**2 / 2 / (variance + size * distance / 3),
        right=_l16,
        draw_order=draws,  # type: ignore[arg-type]
    )


PIECES = (
    _bernstein("count_of_outliers", _variance, Integer(1), (FAILURE, VARIANCE, FOLD_SAMPLES)),
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
        left=_true + sqrt(2 * _alpha * (1 - _alpha) * _l16 / _n),
        right=_alpha + sqrt(2 * _alpha * _l16 / _n),
        draw_order=(CONTAMINATION, TRUE_CONTAMINATION, FAILURE, FOLD_SAMPLES),
        domain=(Le(_true, _alpha),),
    ),
    _bernstein("centred_inliers", Integer(1), 2 * (_m + 2 * _r), (FAILURE, BIN_WIDTH, TRUNCATION, FOLD_SAMPLES)),
    Step(  # Var Y <= E(X - mu)^2 <= (E|X - mu|^k)^(2/k)
        id="variance_of_the_inliers",
        sense=Sense.AT_MOST,
        left=_moment ** (2 / _k),
        right=Integer(1),
        draw_order=(MOMENT, RAW_MOMENT),
        domain=(Le(_moment, 1),),
    ),
    Step(
        id="bias_in_units",
        sense=Sense.EQUALS,
        left=_moment ** (1 / _k) * (_moment / _level**_k) ** (1 - 1 / _k),
        right=_moment * _level ** (1 - _k),
        draw_order=(MOMENT, RAW_MOMENT, LEVEL),
        note="Hölder's inequality, then Markov's at level = M - 2 r",
    ),
    Step(
        id="half_of_the_truncation",
        sense=Sense.AT_LEAST,
        left=_m - 2 * _r,
        right=_m / 2,
        draw_order=(BIN_WIDTH, TRUNCATION),
        domain=(_beyond,),
    ),
    Step(  # (M - 2 r)^(1 - k) <= (2/M)^(k - 1)
        id="bias",
        sense=Sense.AT_MOST,
        left=(_m - 2 * _r) ** (1 - _k),
        right=(2 / _m) ** (_k - 1),
        draw_order=(MOMENT, BIN_WIDTH, TRUNCATION),
        domain=(_beyond,),
    ),
    Step(  # |J - mu| <= 2 r: the fraction that is cut
        id="mass_that_is_cut",
        sense=Sense.AT_MOST,
        left=_true + (1 - _true) * (_m - 2 * _r) ** (-_k),
        right=_alpha + (2 / _m) ** _k,
        draw_order=(MOMENT, CONTAMINATION, TRUE_CONTAMINATION, BIN_WIDTH, TRUNCATION),
        domain=(_beyond, Le(_true, _alpha)),
    ),
    Step(
        id="shares_of_the_failure",
        sense=Sense.AT_MOST,
        left=_failure / 2 + 3 * (2 * _v) + _u,
        right=_failure,
        draw_order=(FAILURE, UNIT_RATIO, OTHER_UNIT_RATIO),
        domain=(Le(_v, _failure / 16), Le(_u, _failure / 8)),
        ours=True,
        note="failure/2 of step 1; the outliers' count, the inliers and the values that are cut fail with 2 other_unit_ratio each; the "
        "noise with unit_ratio",
    ),
)

EPOCHS = (
    Step(  # with the printed threshold C_1 has failure at most delta_tau, and step 2 half of it: the epochs still sum to less than failure
        id="printed_threshold_is_enough",
        sense=Sense.AT_MOST,
        left=Rational(3, 2) * zeta(2, symbol(LAST_FORCED) + 1) / 2,
        right=Integer(1),
        draw_order=(LAST_FORCED,),
    ),
)
