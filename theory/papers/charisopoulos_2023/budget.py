r"""The budget of plays (Charisopoulos, Esfandiari and Mirrokni 2023): section 1.1, lines 3, 5 and 12 of Algorithm 1, (57) and (58).

Main statements
    PLAYS_M1, PLAYS_M2      [assembled] what a batch costs with its ceilings
    PLAYS_M2_PRINTED        (57), without the ceilings
    SUM_OF_SIZES, SUM_OF_EXPLORATION   [assembled] the sums of q^i over i = 1..B, of the proofs, and over i = 1..B-1, of line 3
    SIZES_IN_HORIZON        (58), with <= for each relation
    BATCHES_OF_THE_LOOP     lines 3 and 12 against the budget of section 1.1
    BATCHES_THAT_FIT        [assembled] how many batches the horizon allows
    LEAST_CORRUPTION_M1, LEAST_CORRUPTION_M2   [assembled] the corruption from which Assumption A.1 holds in every batch

Readings
    Plain brackets of the coreset are ceilings. q = T^(1/B) and B >= 2. Where a line has q and T for themselves, T = q^B and so T >= q^2.
    A.1's n is the number of reports: the plays in M1, the support in M2.

Derivations
    PLAYS. n_a = ceil(m w_a) < m w_a + 1 with w_a = pi(a), or max(pi(a), nu) <= pi(a) + nu, summed over k actions.
    SUM_OF_SIZES by induction on B (one_more_batch); T = q^B. SUM_OF_EXPLORATION leaves T out.
    BATCHES_THAT_FIT. The first j batches cost at most (1 + nu k) q (q^j - 1)/(q - 1) + j k, so all batches before the least j with which
    that exceeds T are certain to fit; with nu = 0 it is model M1. For B >= 2 the sum of all q^i is above T already.
    LEAST_CORRUPTION. The first batch has at most q + k reports in M1, each batch has k in M2.
"""

from sympy import E, Expr, Ge, Gt, Integer, Le, Lt, exp, log

from banditproof.glossary import DIMENSION, FAILURE, HORIZON, Quantity
from banditproof.glossary.charisopoulos_2023 import (
    ARM_PLAYS,
    ASSUMPTION_CONSTANT,
    BATCH_PLAYS,
    BATCH_SUM,
    BATCHES,
    CORRUPTION,
    FITTING_BATCHES,
    GROWTH,
    OVERSPENT_BATCH,
    SIZE,
    SUPPORT,
    TRUNCATION_PARAMETER,
    WEIGHT,
)
from banditproof.theory.language import Bound, Checked, Hypothesis, Implicit, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023.findings import budget as findings
from banditproof.theory.papers.charisopoulos_2023.findings import designs, thresholds
from banditproof.theory.papers.charisopoulos_2023.setting import source

_T, _B, _d, _delta = symbol(HORIZON), symbol(BATCHES), symbol(DIMENSION), symbol(FAILURE)
_q, _m, _k, _nu = symbol(GROWTH), symbol(SIZE), symbol(SUPPORT), symbol(TRUNCATION_PARAMETER)
_plays, _arm_plays, _weight, _sum = symbol(BATCH_PLAYS), symbol(ARM_PLAYS), symbol(WEIGHT), symbol(BATCH_SUM)
_j, _C = symbol(OVERSPENT_BATCH), symbol(ASSUMPTION_CONSTANT)
_growth = exp(log(_T) / _B)
_loglog = log(log(_d))
_two_batches = Ge(_T, _q**2)

two_rounds = Hypothesis("two_rounds", "T >= 2", Checked.BY_VALUE, Ge(_T, 2))
support_order_at_least_one = Hypothesis(
    "support_order_at_least_one",
    "d >= 4, so that d log log d >= 1",
    Checked.BY_VALUE,
    Ge(_d, 4),
    added=designs.SUPPORT_WITHOUT_CONSTANT.name,
)
assumption_in_every_batch = Hypothesis(
    "assumption_in_every_batch",
    "Assumption A.1 holds in every batch",
    Checked.BY_ENVIRONMENT,
    added=thresholds.ASSUMPTION_IN_FIRST_BATCH.name,
)

PLAYS_M1 = Theorem(
    id="charisopoulos_2023.plays_m1",
    statement="The plays of one batch in model M1.",
    source=source("[assembled] section 1.4, the coreset; line 5 of Algorithm 1"),
    bound=Bound(of=BATCH_PLAYS, sense=Sense.AT_MOST, cases=always(_m + _k), given=(SIZE, SUPPORT)),
    steps=(
        Step(
            id="one_action_rounded_up",
            sense=Sense.AT_MOST,
            left=_arm_plays,
            right=_m * _weight + 1,
            draw_order=(SIZE, WEIGHT, ARM_PLAYS),
            domain=(Lt(_arm_plays - 1, _m * _weight),),
            ours=True,
            note="n_a is the least integer that is at least m pi(a)",
        ),
    ),
)
PLAYS_M2 = Theorem(
    id="charisopoulos_2023.plays_m2",
    statement="The plays of one batch in model M2.",
    source=source("[assembled] line 5 of Algorithm 1"),
    bound=Bound(of=BATCH_PLAYS, sense=Sense.AT_MOST, cases=always(_m * (1 + _nu * _k) + _k), given=(SIZE, SUPPORT, TRUNCATION_PARAMETER)),
)
PLAYS_M2_PRINTED = Theorem(
    id="charisopoulos_2023.plays_m2_printed",
    statement="The plays of one batch in model M2, without ceilings and with a support of at most d log log d.",
    source=source("(57)"),
    hypotheses=(support_order_at_least_one,),
    bound=Bound(
        of=BATCH_PLAYS,
        sense=Sense.AT_MOST,
        cases=always(_m * (1 + _nu * _d * _loglog)),
        given=(SIZE, DIMENSION, TRUNCATION_PARAMETER),
    ),
    steps=(
        Step(
            id="equal_weights_without_ceilings",
            sense=Sense.AT_MOST,
            left=_k * _arm_plays,
            right=_m * (1 + _nu * _k),
            draw_order=(SUPPORT, SIZE, TRUNCATION_PARAMETER, ARM_PLAYS),
            domain=(Le(_nu * _k, 1), Lt(_k * (_arm_plays - 1), _m), Le(_m, _k * _arm_plays)),
            note="k actions of weight 1/k >= nu; n_a is the least integer that is at least m/k",
        ),
    ),
    findings=(findings.CEILINGS_OF_THE_PLAYS,),
)

SUM_OF_SIZES = Theorem(
    id="charisopoulos_2023.sum_of_sizes",
    statement="The sum of q^i over i = 1..B, for q = T^(1/B); with equality.",
    source=source("[assembled] proofs of Theorems 3.4 and 3.9"),
    hypotheses=(two_rounds,),
    bound=Bound(of=BATCH_SUM, sense=Sense.AT_MOST, cases=always(_growth * (_T - 1) / (_growth - 1)), given=(HORIZON, BATCHES)),
    steps=(
        Step(
            id="one_more_batch",
            sense=Sense.EQUALS,
            left=_q * (_q**_B - 1) / (_q - 1) + _q ** (_B + 1),
            right=_q * (_q ** (_B + 1) - 1) / (_q - 1),
            draw_order=(GROWTH, BATCHES),
            ours=True,
            note="the induction on the number of batches",
        ),
        Step(
            id="above_the_horizon",
            sense=Sense.AT_LEAST,
            left=_q * (_T - 1) / (_q - 1),
            right=_T + _q,
            draw_order=(GROWTH, HORIZON),
            domain=(_two_batches,),
            ours=True,
            note="the last term of the sum is T and the first is q, with equality for two batches",
        ),
        Step(
            id="multiple_of_the_horizon",
            sense=Sense.AT_MOST,
            left=_q * (_T - 1) / (_q - 1),
            right=E / (E - 1) * _T,
            draw_order=(GROWTH, HORIZON),
            domain=(_two_batches, Ge(_q, E)),
            reason="B <= log T, which is q >= e",
            ours=True,
        ),
    ),
)

SUM_OF_EXPLORATION = Theorem(
    id="charisopoulos_2023.sum_of_exploration",
    statement="The sum of q^i over i = 1..B-1, the batches of the loop of Algorithm 1, for q = T^(1/B).",
    source=source("[assembled] line 3 of Algorithm 1"),
    hypotheses=(two_rounds,),
    bound=Bound(of=BATCH_SUM, sense=Sense.EQUALS, cases=always((_T - _growth) / (_growth - 1)), given=(HORIZON, BATCHES)),
    steps=(
        Step(
            id="all_batches_but_the_last",
            sense=Sense.EQUALS,
            left=_q * (_T - 1) / (_q - 1) - _T,
            right=(_T - _q) / (_q - 1),
            draw_order=(GROWTH, HORIZON),
            ours=True,
        ),
    ),
)

BATCHES_OF_THE_LOOP = Theorem(
    id="charisopoulos_2023.batches_of_the_loop",
    statement="The loop plays batches 1 to B-1 of size q^i and line 12 the last round, within a budget of T plays; the sums of the proofs "
    "have a term for each of 1 to B.",
    source=source("section 1.1, 'Batched observations'; lines 3 and 12 of Algorithm 1"),
    not_checkable="an algorithm and its budget; whether its batches fit is a step",
    steps=(
        Step(
            id="loop_within_budget",
            sense=Sense.AT_MOST,
            left=(_T - _q) / (_q - 1),
            right=_T,
            draw_order=(GROWTH, HORIZON),
            domain=(_two_batches,),
            note="the batches 1 to B-1 without their ceilings, for every number of batches B >= 2",
        ),
        Step(
            id="loop_within_budget_for_few_batches",
            sense=Sense.AT_MOST,
            left=(_T - _q) / (_q - 1),
            right=_T,
            draw_order=(GROWTH, HORIZON),
            domain=(_two_batches, Ge(_q, 2)),
            reason="B <= log T/log 2, which is q >= 2",
            ours=True,
        ),
        Step(
            id="plays_of_the_last_round",
            sense=Sense.EQUALS,
            left=_T - (_T - _q) / (_q - 1),
            right=(_T * (_q - 2) + _q) / (_q - 1),
            draw_order=(GROWTH, HORIZON),
            ours=True,
            note="what the loop leaves, without its ceilings; the sums of the proofs have T for it",
        ),
    ),
    findings=(findings.TOO_MANY_BATCHES,),
)

_filled = _T / (1 + _nu * _k)
_PLAYED = Le(_plays, (1 + _nu * _k) * _sum)

SIZES_IN_HORIZON = Theorem(
    id="charisopoulos_2023.sizes_in_horizon",
    statement="The sum of q^i over i = 1..B is the sum of n_i over 1 + nu d log log d, and that is T over 1 + nu d log log d.",
    source=source("(58)"),
    not_checkable="the scan does not show whether each relation is = or <=; the weaker form of each is a step, with k for d log log d",
    steps=(
        Step(
            id="sizes_below_plays_over_factor",
            sense=Sense.AT_MOST,
            left=_sum,
            right=_plays / (1 + _nu * _k),
            draw_order=(SUPPORT, TRUNCATION_PARAMETER, BATCH_SUM, BATCH_PLAYS),
            domain=(_PLAYED,),
            note="N stands for the sum of n_i; the condition is (57), summed",
        ),
        Step(
            id="sizes_above_plays_over_factor",
            sense=Sense.AT_LEAST,
            left=_sum,
            right=_plays / (1 + _nu * _k),
            draw_order=(SUPPORT, TRUNCATION_PARAMETER, BATCH_SUM, BATCH_PLAYS),
            domain=(_PLAYED,),
            ours=True,
            note="what (57) gives",
        ),
        Step(
            id="sizes_below_horizon_over_factor",
            sense=Sense.AT_MOST,
            left=_q * (_T - 1) / (_q - 1),
            right=_filled,
            draw_order=(GROWTH, HORIZON, SUPPORT, TRUNCATION_PARAMETER),
            domain=(_two_batches,),
            note="the first and the last side, with the exact sum",
        ),
    ),
    findings=(
        findings.PLAYS_TURNED_ROUND,
        findings.SIZES_ABOVE_THE_HORIZON,
    ),
)

BATCHES_THAT_FIT = Theorem(
    id="charisopoulos_2023.batches_that_fit",
    statement="The batches, from the first, that certainly fit into the horizon; with truncation parameter near 0 those of model M1.",
    source=source("[assembled] line 3 of Algorithm 1; derivation in the module"),
    hypotheses=(two_rounds,),
    bound=Bound(
        of=FITTING_BATCHES,
        sense=Sense.AT_LEAST,
        cases=always(_j - 1),
        given=(HORIZON, BATCHES, SUPPORT, TRUNCATION_PARAMETER),
        where=(
            Implicit(
                of=OVERSPENT_BATCH,
                condition=Gt((1 + _nu * _k) * _growth * (exp(_j * log(_T) / _B) - 1) / (_growth - 1) + _j * _k, _T),
                bracket=(Integer(1), _B),
                unique="the plays of the first batches rise with their number",
                growth=_B,
            ),
        ),
    ),
)


def _least_corruption(name: str, model: str, reports: Expr, given: tuple[Quantity, ...]) -> Theorem:
    return Theorem(
        id=f"charisopoulos_2023.{name}",
        statement=f"The corruption from which Assumption A.1 holds in every batch of model {model}; where it is 1/4 or more, none "
        "qualifies.",
        source=source("[assembled] Assumption A.1 in the first batch; derivation in the module"),
        bound=Bound(of=CORRUPTION, sense=Sense.AT_LEAST, cases=always(_C * log(1 / _delta) / reports), given=given),
    )


LEAST_CORRUPTION_M1 = _least_corruption(
    "least_corruption_m1", "M1", _growth + _k, (HORIZON, BATCHES, SUPPORT, FAILURE, ASSUMPTION_CONSTANT)
)
LEAST_CORRUPTION_M2 = _least_corruption("least_corruption_m2", "M2", _k, (SUPPORT, FAILURE, ASSUMPTION_CONSTANT))
