r"""The regret of Algorithm 1 in model M1 (Charisopoulos, Esfandiari and Mirrokni 2023): Theorem 3.4 and its proof, (51).

Main statements
    REGRET_M1               Theorem 3.4, (19);  REGRET_M1_LAST_LINE the last line of its proof
    REGRET_M1_SUMS          [assembled] (51) with its two sums as they are
    ROOT_SUM_OF, ROOT_SUM_ORDER   the first sum of (51): exactly [assembled], and as the proof bounds it
    SIZE_SUM_ORDER          the second sum, as the proof bounds it; exactly it is budget.SUM_OF_SIZES
    CHAIN_M1, CHAIN_M1_BY_INTERVAL   [assembled] section 4's argument with every constant, by the threshold of line 9 and by (50)

Readings
    The max of (19) is a case. The regret before the first estimate is 2 per play; (51) has gamma_0 with q^0 = 1 for it.
    (51) has no term for the last alpha of the threshold; nothing is lost by that (bias_left_out).
    "B >= log T" is the relation that the scan shows.

Derivations
    CHAIN. On the event the arms of batch i have a gap of at most 4 gamma_{i-1}, so that R_T <= 2 N_1 + 4 sum_{i=2}^B N_i gamma_{i-1}. The
    last batch is exploitation: it has what is left, at most T = q^B plays. Where batch b does not fit, fewer than N_b plays are left and
    are exploitation too, so the sum ends there. N_i <= f q^i + k, with f = 1 in M1 and 1 + nu k in M2 (budget.py), and with
    gamma_j <= c + r q^(-j/2) + l q^(-j), since log(q^j/delta) <= log(T/delta),
        sum_{i=2}^B (f q^i + k)(c + r q^(-(i-1)/2) + l q^(-(i-1)))
            = c (f q (T - q)/(q - 1) + k (B - 1))
            + r (f q (sqrt(T) - sqrt(q))/(sqrt(q) - 1) + k (1 - sqrt(q/T))/(sqrt(q) - 1))
            + l (f q (B - 1) + k (1 - q/T)/(q - 1)).
    Every policy has at most 2 T, which is regret_ceiling: a minimum of the two would have no value at T = 1.
"""

from sympy import E, Expr, Ge, Gt, Integer, Le, exp, log, sqrt

from banditproof.glossary import DIMENSION, EPSILON, FAILURE, HORIZON, REGRET
from banditproof.glossary.charisopoulos_2023 import (
    ASSUMPTION_CONSTANT,
    BATCH_SUM,
    BATCHES,
    CORRUPTION,
    CORRUPTION_CONSTANT,
    GROWTH,
    M1_REGRET_CONSTANT,
    NOISE_CONSTANT,
    ROOT_SUM,
    SIZE,
    SUPPORT,
)
from banditproof.theory.language import (
    Bound,
    Case,
    Checked,
    Constants,
    Hypothesis,
    Mode,
    Sense,
    Step,
    Theorem,
    always,
    largest,
    symbol,
)
from banditproof.theory.papers.charisopoulos_2023.budget import assumption_in_every_batch, two_rounds
from banditproof.theory.papers.charisopoulos_2023.findings import budget as budget_findings
from banditproof.theory.papers.charisopoulos_2023.findings import regret as findings
from banditproof.theory.papers.charisopoulos_2023.findings import thresholds
from banditproof.theory.papers.charisopoulos_2023.setting import source

_T, _B, _d, _delta, _epsilon = symbol(HORIZON), symbol(BATCHES), symbol(DIMENSION), symbol(FAILURE), symbol(EPSILON)
_alpha, _q, _m, _k = symbol(CORRUPTION), symbol(GROWTH), symbol(SIZE), symbol(SUPPORT)
_C_A = symbol(ASSUMPTION_CONSTANT)
_C1, _C2, _C34 = symbol(CORRUPTION_CONSTANT), symbol(NOISE_CONSTANT), symbol(M1_REGRET_CONSTANT)
_growth = exp(log(_T) / _B)
_short, _long = log(1 / _delta), log(_T / _delta)

plays_m1 = Hypothesis("plays_m1", "Algorithm 1 in model M1, with delta of the order delta'/(K T^2)", Checked.BY_ENVIRONMENT)
many_batches = Hypothesis("many_batches", "B >= log T", Checked.BY_VALUE, Ge(_B, log(_T)))
estimates_within_thresholds = Hypothesis(
    "estimates_within_thresholds",
    "after every batch the estimate of each active arm is within the threshold of its mean",
    Checked.ASSUMED,
)


def regret_m1(entry: Expr, first: Expr = _long) -> Expr:
    """The braces of (19), with `entry` for the max and `first` for the logarithm of the first term."""
    return sqrt(_T * _d * first) * (1 + sqrt(first) / _epsilon) + _T * sqrt(_long) * entry * (1 + sqrt(_long) / _epsilon)


def chain(constant: Expr, root: Expr, linear: Expr, factor: Expr) -> tuple[Case, ...]:
    """2 N_1 + 4 sum_{i=2}^B N_i gamma_{i-1} in closed form, N_i = factor q^i + k and
    gamma_j = constant + root q^(-j/2) + linear q^(-j); see the derivation of CHAIN."""
    q, half = _growth, sqrt(_growth)
    sums = (
        constant * (factor * q * (_T - q) / (q - 1) + _k * (_B - 1))
        + root * (factor * q * (sqrt(_T) - half) + _k * (1 - half / sqrt(_T))) / (half - 1)
        + linear * (factor * q * (_B - 1) + _k * (1 - q / _T) / (q - 1))
    )
    return always(2 * (factor * q + _k) + 4 * sums)


_OF_M1 = (HORIZON, DIMENSION, FAILURE, EPSILON, CORRUPTION, M1_REGRET_CONSTANT)
_two_batches = Ge(_T, _q**2)

REGRET_M1 = Theorem(
    id="charisopoulos_2023.regret_m1",
    statement="The expected regret of Algorithm 1 in model M1, up to a dimension-independent constant.",
    source=source("Theorem 3.4, (19)"),
    hypotheses=(plays_m1, assumption_in_every_batch),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=largest(sqrt(_alpha * _d), _alpha * _d, within=lambda entry: _C34 * regret_m1(entry)),
        given=_OF_M1,
        mode=Mode.IN_EXPECTATION,
    ),
    steps=(
        Step(
            id="interval_gives_the_width",
            sense=Sense.AT_MOST,
            left=_d * sqrt(_alpha),
            right=_C1 * sqrt(_d) * (sqrt(_alpha) + _alpha * sqrt(_d)),
            draw_order=(DIMENSION, CORRUPTION, CORRUPTION_CONSTANT),
            domain=(Gt(_alpha, 0), Le(_C1, 10)),
            note="what (50) has before its logarithms, and the width that the proof goes on with, for any constant up to 10",
        ),
        Step(
            id="assumption_in_the_first_batch",
            sense=Sense.AT_LEAST,
            left=_alpha * E,
            right=_C_A * _short,
            draw_order=(CORRUPTION, FAILURE, ASSUMPTION_CONSTANT),
            domain=(Ge(_C_A, 1),),
            note="Assumption A.1, which the proof uses in every batch, in a first batch of q <= e plays, for any constant from 1 on",
        ),
        Step(
            id="logarithm_of_a_size",
            sense=Sense.AT_MOST,
            left=log(_m / _delta),
            right=_long,
            draw_order=(HORIZON, SIZE, FAILURE),
            domain=(Le(_m, _T),),
            reason="m = q^(i-1) and T = q^B",
        ),
        Step(
            id="second_sum",
            sense=Sense.AT_MOST,
            left=_q * (_T - 1) / (_q - 1),
            right=_T,
            draw_order=(GROWTH, HORIZON),
            domain=(_two_batches,),
            note="the exact sum of q^i over i = 1..B; both sides divided by the bracket of logarithms. The scan may have <= or 'up to a "
            "constant', which is size_sum_order",
        ),
        Step(
            id="growth_at_most_e",
            sense=Sense.AT_MOST,
            left=_growth,
            right=E,
            draw_order=(HORIZON, BATCHES),
            domain=(Ge(_B, log(_T)),),
            reason="the proof takes B >= log T",
        ),
        Step(
            id="first_sum_between_two_logarithms",
            sense=Sense.AT_MOST,
            left=_q / (sqrt(_q) - 1),
            right=Integer(10),
            draw_order=(GROWTH,),
            domain=(Ge(_q, sqrt(E)), Le(_q, E)),
            reason="log T <= B <= 2 log T",
            ours=True,
            note="the first sum divided by sqrt(T) - 1",
        ),
        Step(
            id="bracket_of_the_second_term",
            sense=Sense.EQUALS,
            left=sqrt(_long) * (1 + sqrt(_long) / _epsilon),
            right=sqrt(_long) + _long / _epsilon,
            draw_order=(HORIZON, FAILURE, EPSILON),
            note="the statement and the last line of the proof",
        ),
        Step(
            id="logarithm_of_the_first_term",
            sense=Sense.AT_MOST,
            left=sqrt(_short) * (1 + sqrt(_short) / _epsilon),
            right=sqrt(_long) * (1 + sqrt(_long) / _epsilon),
            draw_order=(HORIZON, FAILURE, EPSILON),
            ours=True,
            note="the last line of the proof and the statement, divided by sqrt(T d)",
        ),
        Step(
            id="bias_left_out",
            sense=Sense.AT_MOST,
            left=_alpha,
            right=sqrt(_alpha * _d),
            draw_order=(DIMENSION, CORRUPTION),
            ours=True,
            note="the last term of the threshold, which (51) leaves out, and an entry of the max",
        ),
        Step(
            id="sum_by_max_small",
            sense=Sense.AT_MOST,
            left=sqrt(_d) * (sqrt(_alpha) + _alpha * sqrt(_d)),
            right=2 * sqrt(_alpha * _d),
            draw_order=(DIMENSION, CORRUPTION),
            domain=(Le(_alpha * _d, 1),),
            reason="the first case of the max",
            ours=True,
        ),
        Step(
            id="sum_by_max_large",
            sense=Sense.AT_MOST,
            left=sqrt(_d) * (sqrt(_alpha) + _alpha * sqrt(_d)),
            right=2 * _alpha * _d,
            draw_order=(DIMENSION, CORRUPTION),
            domain=(Ge(_alpha * _d, 1),),
            reason="the second case of the max",
            ours=True,
        ),
        Step(
            id="width_before_the_first_batch",
            sense=Sense.AT_MOST,
            left=Integer(2),
            right=4 * sqrt(_d * _short) * (1 + sqrt(_short) / _epsilon),
            draw_order=(DIMENSION, FAILURE, EPSILON),
            domain=(Le(2 * _delta, 1),),
            reason="delta is of the order delta'/(K T^2), and K >= 2",
            ours=True,
            note="a play costs at most 2, and at most 4 gamma_0 with q^0 = 1 and constants 1",
        ),
    ),
    findings=(
        thresholds.NARROW_WIDTH,
        thresholds.ASSUMPTION_IN_FIRST_BATCH,
        thresholds.BOUND_WITHOUT_FILTER,
        thresholds.CONSTANT_FRACTION,
        budget_findings.SUM_WITHOUT_CONSTANT,
        findings.TWO_SIDED_REGRET,
        findings.DELTA_OF_THE_THEOREM,
    ),
)

REGRET_M1_LAST_LINE = Theorem(
    id="charisopoulos_2023.regret_m1_last_line",
    statement="The regret of Algorithm 1 in model M1 as the proof of Theorem 3.4 ends, with log(1/delta) in the first term.",
    source=source("proof of Theorem 3.4, last line"),
    hypotheses=(plays_m1, assumption_in_every_batch, many_batches),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=largest(sqrt(_alpha * _d), _alpha * _d, within=lambda entry: _C34 * regret_m1(entry, first=_short)),
        given=(HORIZON, BATCHES, *_OF_M1[1:]),
    ),
)

_first_sum = _growth * (sqrt(_T) - 1) / (sqrt(_growth) - 1)
_second_sum = _growth * (_T - 1) / (_growth - 1)

REGRET_M1_SUMS = Theorem(
    id="charisopoulos_2023.regret_m1_sums",
    statement="The regret of Algorithm 1 in model M1 by the sum over batches of q^i times the width before, with both sums as they are.",
    source=source("[assembled] (51)"),
    hypotheses=(plays_m1, assumption_in_every_batch, two_rounds),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(
            _C34
            * (
                sqrt(_d * _short) * (1 + sqrt(_short) / _epsilon) * _first_sum
                + sqrt(_d) * (sqrt(_alpha) + _alpha * sqrt(_d)) * (sqrt(_long) + _long / _epsilon) * _second_sum
            )
        ),
        given=(HORIZON, BATCHES, *_OF_M1[1:]),
    ),
)

ROOT_SUM_OF = Theorem(
    id="charisopoulos_2023.root_sum_of",
    statement="The first sum of (51): q^i over the root of q^(i-1), over i = 1..B, for q = T^(1/B); with equality.",
    source=source("[assembled] proof of Theorem 3.4"),
    hypotheses=(two_rounds,),
    bound=Bound(of=ROOT_SUM, sense=Sense.AT_MOST, cases=always(_first_sum), given=(HORIZON, BATCHES)),
    steps=(
        Step(
            id="one_more_batch",
            sense=Sense.EQUALS,
            left=_q * (_q ** (_B / 2) - 1) / (sqrt(_q) - 1) + _q * _q ** (_B / 2),
            right=_q * (_q ** ((_B + 1) / 2) - 1) / (sqrt(_q) - 1),
            draw_order=(GROWTH, BATCHES),
            ours=True,
            note="the induction on the number of batches",
        ),
    ),
)
ROOT_SUM_ORDER = Theorem(
    id="charisopoulos_2023.root_sum_order",
    statement="The first sum of (51), for B >= log T.",
    source=source("proof of Theorem 3.4, 'Finally, we note that when B >= log(T)'"),
    hypotheses=(two_rounds, many_batches),
    bound=Bound(of=ROOT_SUM, sense=Sense.AT_MOST, cases=always(sqrt(_T)), given=(HORIZON, BATCHES), constants=Constants.SUPPRESSED),
    findings=(budget_findings.SUMS_OF_MANY_BATCHES,),
)
SIZE_SUM_ORDER = Theorem(
    id="charisopoulos_2023.size_sum_order",
    statement="The second sum of (51) without its logarithms, for B >= log T.",
    source=source("proof of Theorem 3.4, 'For the second sum'"),
    hypotheses=(two_rounds, many_batches),
    bound=Bound(of=BATCH_SUM, sense=Sense.AT_MOST, cases=always(_T), given=(HORIZON, BATCHES), constants=Constants.SUPPRESSED),
)

# --- with every constant ----------------------------------------------------------------------------------------------------------------

_OF_CHAIN = (HORIZON, BATCHES, DIMENSION, SUPPORT, FAILURE, EPSILON, CORRUPTION, CORRUPTION_CONSTANT, NOISE_CONSTANT)
_noise = _C2 * sqrt(_d * _short) * (1 + sqrt(_short) / _epsilon)
_range = 1 + sqrt(_long) + _long / _epsilon


def _chain_m1(name: str, by: str, constant: Expr, root: Expr) -> Theorem:
    return Theorem(
        id=f"charisopoulos_2023.{name}",
        statement=f"The regret of Algorithm 1 in model M1 on the event that its thresholds, those of {by}, hold, with every constant.",
        source=source("[assembled] Facts 1 and 2, line 9; derivation in the module"),
        hypotheses=(plays_m1, two_rounds, estimates_within_thresholds),
        bound=Bound(of=REGRET, sense=Sense.AT_MOST, cases=chain(constant, root, Integer(0), Integer(1)), given=_OF_CHAIN),
    )


CHAIN_M1 = _chain_m1(
    "chain_m1",
    "line 9",
    _C1 * sqrt(_d) * (sqrt(_long) + _long / _epsilon) * (sqrt(_alpha) + _alpha * sqrt(_d)) + _alpha,
    _noise,
)
CHAIN_M1_BY_INTERVAL = _chain_m1(
    "chain_m1_by_interval", "(50)", _C1 * _d * sqrt(_alpha) * _range + _alpha, _C1 * _d * sqrt(_alpha * _short) * _range + _noise
)
