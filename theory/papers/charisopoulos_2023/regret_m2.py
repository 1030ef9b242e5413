r"""The regret of Algorithm 1 in model M2 (Charisopoulos, Esfandiari and Mirrokni 2023): Theorem 3.9 and its proof, (56), (59) to (63).

Main statements
    REGRET_M2               Theorem 3.9 as read by default: nu to the power 1/2, factor 2 d, no factor on the last two terms in the bracket
    REGRET_M2_FACTOR        with the factor 2 that the statement's scan shows
    REGRET_M2_POWER         with nu to the power 1, as the summation gives
    REGRET_M2_SUMS          [assembled] (59) with the three groups of terms as they are
    REGRET_M2_BY_SUPPORT    [assembled] (63) with the support k and B - 1 batches, nu to the power 1 and 1 + nu k on the whole bracket
    CHAIN_M2                [assembled] section 4's argument with every constant
    BY_WIDTHS               (59)

Readings
    `regret_m2` has what the scan leaves open as parameters: the power of nu, the factor of the second term, and the factor of the last
    two terms in its bracket. (58) is in budget.py.
    The indices of (60) to (62) run from 0 to B - 1, and q^0 = 1. T = q^B in the steps.

Derivations
    CHAIN_M2 as in regret.py, with f = 1 + nu k and, from (55) with L = log(1/delta), l = log(k/delta),
        c = 2 C1 d s + alpha, r = C2 sqrt(d L/nu) + 2 C1 d s sqrt(l/nu), l-term = C2 sqrt(d) L/(nu eps) + 2 C1 d s l/(nu eps),
        s = sqrt(k alpha) + sqrt(alpha L).
    k is an upper bound on the support in every batch; all terms rise with it.
"""

from sympy import Expr, Ge, Integer, Le, Rational, exp, log, sqrt

from banditproof.glossary import DIMENSION, EPSILON, FAILURE, HORIZON, REGRET
from banditproof.glossary.charisopoulos_2023 import (
    BATCHES,
    CORRUPTION,
    CORRUPTION_CONSTANT,
    GROWTH,
    M2_REGRET_CONSTANT,
    NOISE_CONSTANT,
    SUPPORT,
    TRUNCATION_PARAMETER,
)
from banditproof.theory.findings import Finding
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023.budget import assumption_in_every_batch, support_order_at_least_one, two_rounds
from banditproof.theory.papers.charisopoulos_2023.findings import designs, thresholds
from banditproof.theory.papers.charisopoulos_2023.findings import regret as regret_findings
from banditproof.theory.papers.charisopoulos_2023.regret import chain, estimates_within_thresholds
from banditproof.theory.papers.charisopoulos_2023.setting import source

_T, _B, _d, _delta, _epsilon = symbol(HORIZON), symbol(BATCHES), symbol(DIMENSION), symbol(FAILURE), symbol(EPSILON)
_alpha, _q, _k, _nu = symbol(CORRUPTION), symbol(GROWTH), symbol(SUPPORT), symbol(TRUNCATION_PARAMETER)
_C1, _C2, _C39 = symbol(CORRUPTION_CONSTANT), symbol(NOISE_CONSTANT), symbol(M2_REGRET_CONSTANT)
_growth = exp(log(_T) / _B)
_L, _l = log(1 / _delta), log(_k / _delta)
_half = Rational(1, 2)

plays_m2 = Hypothesis("plays_m2", "Algorithm 1 in model M2, with delta of the order delta'/(K T^2)", Checked.BY_ENVIRONMENT)


def regret_m2(support: Expr, nu_power: Expr, factor: Expr, inner_factor: Expr, rounds: Expr) -> Expr:
    """The right side of Theorem 3.9 and (63), without its constant: `support` for d log log d, `rounds` for log T, the second term times
    `factor`, and the last two terms of its bracket times `inner_factor`."""
    widths = log(support / _delta)
    noise = sqrt(_d * _T * _L / _nu) + sqrt(_d) * _L * rounds / (_epsilon * _nu**nu_power)
    corruption = _T + inner_factor * (sqrt(_T * widths / _nu) + widths * rounds / (_nu * _epsilon))
    return (1 + _nu * support) * noise + factor * (sqrt(_alpha * support) + sqrt(_alpha * _L)) * corruption + _alpha * _T


_loglog = _d * log(log(_d))
_OF_M2 = (HORIZON, DIMENSION, FAILURE, EPSILON, CORRUPTION, TRUNCATION_PARAMETER, M2_REGRET_CONSTANT)


def _printed(
    name: str,
    words: str,
    place: str,
    nu_power: Expr,
    factor: Expr,
    steps: tuple[Step, ...] = (),
    findings: tuple[Finding, ...] = (),
) -> Theorem:
    return Theorem(
        id=f"charisopoulos_2023.{name}",
        statement=f"The regret of Algorithm 1 in model M2, {words}, up to a constant.",
        source=source(place),
        hypotheses=(plays_m2, assumption_in_every_batch, support_order_at_least_one),
        bound=Bound(
            of=REGRET,
            sense=Sense.AT_MOST,
            cases=always(_C39 * regret_m2(_loglog, nu_power, factor, Integer(1), log(_T))),
            given=_OF_M2,
        ),
        steps=steps,
        findings=findings,
    )


_root_sum = (_q ** (_B / 2) - 1) / (sqrt(_q) - 1)
_noise_sum = sqrt(_d * _L / _nu) * _root_sum

REGRET_M2 = _printed(
    "regret_m2",
    "with the square root of nu below epsilon and the factor 2 d",
    "Theorem 3.9, (63)",
    _half,
    2 * _d,
    (
        Step(
            id="support_of_a_design",
            sense=Sense.AT_MOST,
            left=_d,
            right=_loglog,
            draw_order=(DIMENSION,),
            domain=(Ge(_d, 4),),
            reason="d log log d is below 1 for fewer",
            note="(56), with its constant 1, for a support of d actions, which a design needs at least",
        ),
        Step(
            id="noise_terms",
            sense=Sense.AT_MOST,
            left=_noise_sum + sqrt(_d) * _L * _B / (_nu * _epsilon),
            right=_noise_sum + sqrt(_d) * _L * (_B - 1) / (_nu * _epsilon),
            draw_order=(DIMENSION, FAILURE, EPSILON, TRUNCATION_PARAMETER, GROWTH, BATCHES),
            note="(60): the exact sum, and the printed one. The terms are B, from 0 to B - 1",
        ),
        Step(
            id="power_of_nu",
            sense=Sense.AT_MOST,
            left=_L * sqrt(_d) / (_nu * _epsilon),
            right=_L * sqrt(_d) / (sqrt(_nu) * _epsilon),
            draw_order=(DIMENSION, FAILURE, EPSILON, TRUNCATION_PARAMETER),
            domain=(Le(_nu, 1),),
            reason="a parameter above 1 plays every action of the support more than q^i times",
            note="the second term of one batch in (60), and of (63) if its scan is right, without the number of batches",
        ),
        Step(
            id="sizes_from_the_first_width",
            sense=Sense.AT_MOST,
            left=(_T - 1) / (_q - 1),
            right=_T / (1 + _nu * _k),
            draw_order=(SUPPORT, TRUNCATION_PARAMETER, GROWTH, HORIZON),
            domain=(Ge(_q, 2 + _nu * _k), Ge(_T, _q**2)),
            reason="q >= 2 + nu k, for which (61) and (62) do not need (58)",
            ours=True,
            note="the first summand of (61), and (62) over alpha: the exact sum over i = 0..B-1, and the printed one",
        ),
        Step(
            id="factor_of_the_bracket",
            sense=Sense.AT_MOST,
            left=(1 + _nu * _k) * (_T / (1 + _nu * _k) + sqrt(_T * _l / _nu)),
            right=10 * (_T + sqrt(_T * _l / _nu)),
            draw_order=(HORIZON, SUPPORT, FAILURE, TRUNCATION_PARAMETER),
            note="from (59) and (61) to (63): the factor 1 + nu k of (59) times two terms of (61), and the same of (63) with 10 for its "
            "constant; divided by 8 q d (sqrt(alpha k) + sqrt(alpha L))",
        ),
        Step(
            id="factor_of_the_bracket_at_small_nu",
            sense=Sense.AT_MOST,
            left=(1 + _nu * _k) * (_T / (1 + _nu * _k) + sqrt(_T * _l / _nu)),
            right=2 * (_T + sqrt(_T * _l / _nu)),
            draw_order=(HORIZON, SUPPORT, FAILURE, TRUNCATION_PARAMETER),
            domain=(Le(_nu * _k, 1),),
            reason="nu at most 1/k",
            ours=True,
        ),
    ),
    (
        thresholds.POWER_OF_NU,
        designs.SUPPORT_WITHOUT_CONSTANT,
        regret_findings.FACTOR_OF_THE_LAST_TERMS,
        regret_findings.NUMBER_OF_TERMS,
    ),
)
REGRET_M2_FACTOR = _printed(
    "regret_m2_factor",
    "with the factor 2 of the statement's scan",
    "Theorem 3.9, scan",
    _half,
    Integer(2),
    findings=(regret_findings.FACTOR_OF_TWO,),
)
REGRET_M2_POWER = _printed("regret_m2_power", "with nu itself below epsilon, as (60) gives", "Theorem 3.9, (60)", Integer(1), 2 * _d)

BY_WIDTHS = Theorem(
    id="charisopoulos_2023.by_widths",
    statement="The regret is at most 4 times the sum of n_i gamma_{i-1} over i = 1..B, which is at most 4 q (1 + nu d log log d) times the "
    "sum of q^i gamma_i over i = 0..B-1.",
    source=source("(59)"),
    not_checkable="a sum over batches of an argument; its first relation is chain_m2, and (57), which the second one needs, is "
    "plays_m2_printed",
)

# --- with what the sums are -----------------------------------------------------------------------------------------------------------

_exact_root = (sqrt(_T) - 1) / (sqrt(_growth) - 1)
_exact_size = (_T - 1) / (_growth - 1)
_corrupted_width = sqrt(_alpha * _k) + sqrt(_alpha * _L)

REGRET_M2_SUMS = Theorem(
    id="charisopoulos_2023.regret_m2_sums",
    statement="The regret of Algorithm 1 in model M2 by (59) with (55), its three groups of terms summed exactly, constants 1.",
    source=source("[assembled] (59) with the left sides of (60), (61) and (62)"),
    hypotheses=(plays_m2, assumption_in_every_batch, two_rounds),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(
            4
            * _growth
            * (1 + _nu * _k)
            * (
                sqrt(_d * _L / _nu) * _exact_root
                + sqrt(_d) * _L * _B / (_nu * _epsilon)
                + 2 * _d * _corrupted_width * (_exact_size + sqrt(_l / _nu) * _exact_root + _l * _B / (_nu * _epsilon))
                + _alpha * _exact_size
            )
        ),
        given=(HORIZON, BATCHES, DIMENSION, SUPPORT, FAILURE, EPSILON, CORRUPTION, TRUNCATION_PARAMETER),
    ),
)

REGRET_M2_BY_SUPPORT = Theorem(
    id="charisopoulos_2023.regret_m2_by_support",
    statement="The regret of Algorithm 1 in model M2 with the support itself, nu below epsilon, and 1 + nu k on what (59) gives it.",
    source=source("[assembled] Theorem 3.9, as (55) and (59) give it"),
    hypotheses=(plays_m2, assumption_in_every_batch),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(_C39 * regret_m2(_k, Integer(1), 2 * _d, 1 + _nu * _k, _B)),
        given=(HORIZON, BATCHES, DIMENSION, SUPPORT, *_OF_M2[2:]),
    ),
)

_corrupted = 2 * _C1 * _d * _corrupted_width

CHAIN_M2 = Theorem(
    id="charisopoulos_2023.chain_m2",
    statement="The regret of Algorithm 1 in model M2 on the event that its thresholds, those of (55), hold, with every constant.",
    source=source("[assembled] Facts 1 and 2, (55); derivation in the module"),
    hypotheses=(plays_m2, two_rounds, estimates_within_thresholds),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=chain(
            _corrupted + _alpha,
            _C2 * sqrt(_d * _L / _nu) + _corrupted * sqrt(_l / _nu),
            (_C2 * sqrt(_d) * _L + _corrupted * _l) / (_nu * _epsilon),
            1 + _nu * _k,
        ),
        given=(
            HORIZON,
            BATCHES,
            DIMENSION,
            SUPPORT,
            FAILURE,
            EPSILON,
            CORRUPTION,
            TRUNCATION_PARAMETER,
            CORRUPTION_CONSTANT,
            NOISE_CONSTANT,
        ),
    ),
)
