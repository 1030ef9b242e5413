r"""Robust arm elimination (Charisopoulos et al. 2023): Algorithm 1 and Facts 1 and 2 of section 3.

Main statements
    INPUTS, ROUNDS, LAST_BATCH  Algorithm 1, what it is given, how many rounds it has, its line 12
    GROWTH_OF, SIZE_OF          q = T^(1/B) and the size parameter q^i
    ROUND_FAILURE_OF            the failure probability of a round and an arm
    BEST_IS_KEPT                Fact 1;  WORSE_IS_REMOVED, SURVIVING_GAP Fact 2
    RESTRICTED_TO_CORESET       line 10 with both ranges the coreset, as printed
    BATCH_REGRET_BOUND          [assembled] the regret of a batch by the threshold of the one before

Readings
    B >= 2. delta of Algorithm 1 is delta'/(K T^2), where the proof has 'proportional to'; delta' is the failure probability of the whole.
    Line 10 is taken with both ranges A_(i-1) in Facts 1 and 2 (restrict_to_coreset False).
    Batch B spends all remaining plays on the arm with the best estimate among the active ones. A batch that would exceed T is not started.

Derivations
    RESTRICTED_TO_CORESET. Actions (1, 0), (0, 1) and a* = (x, sqrt(1 - x^2)) with theta* = a*: weights 1/2 on the first two make all
    squared norms at most 2 = d, so that design is G-optimal; a* is not in its support. The better of the
    two has the gap 1 - max(x, sqrt(1 - x^2)).
    BATCH_REGRET_BOUND. Arms of round i have gaps of at most min(2, 4 gamma_(i-1)).
"""

from sympy import Ge, Integer, Le, Rational, sqrt

from banditproof.glossary import ARMS, FAILURE, HORIZON, REGRET, UNIT_RATIO
from banditproof.glossary.charisopoulos_2023 import (
    ARM_GAP,
    ARM_REWARD,
    BATCH_INDEX,
    BATCH_PLAYS,
    BATCHES,
    BEST_REWARD,
    BEST_SHIFT,
    ELIMINATION_THRESHOLD,
    ESTIMATE_SHIFT,
    ESTIMATED_GAP,
    GROWTH,
    ROUND_FAILURE,
    SIZE,
)
from banditproof.theory.language import Bound, Checked, Hypothesis, Sense, Step, Theorem, always, smallest, symbol
from banditproof.theory.papers.charisopoulos_2023.findings import elimination as findings
from banditproof.theory.papers.charisopoulos_2023.setting import source

_T, _B, _i, _K, _delta = symbol(HORIZON), symbol(BATCHES), symbol(BATCH_INDEX), symbol(ARMS), symbol(FAILURE)
_gamma, _gap, _best, _mean = symbol(ELIMINATION_THRESHOLD), symbol(ARM_GAP), symbol(BEST_REWARD), symbol(ARM_REWARD)
_shift, _best_shift, _plays, _u = symbol(ESTIMATE_SHIFT), symbol(BEST_SHIFT), symbol(BATCH_PLAYS), symbol(UNIT_RATIO)

intervals_hold = Hypothesis(
    "intervals_hold", "in every round the estimate of every active arm is within gamma_i of its mean", Checked.BY_ENVIRONMENT
)
elimination_over_active = Hypothesis(
    "elimination_over_active",
    "line 10 compares all active arms, not those of the coreset alone",
    Checked.BY_ENVIRONMENT,
    added="arms_outside_coreset",
)
within_batches = Hypothesis("within_batches", "i <= B", Checked.BY_VALUE, Le(_i, _B))
_within = (Le(_shift, _gamma), Ge(_shift, -_gamma), Le(_best_shift, _gamma), Ge(_best_shift, -_gamma))

INPUTS = Theorem(
    id="charisopoulos_2023.inputs",
    statement="Algorithm 1 is given the actions, T, B, delta, alpha with 0 < alpha < 1/4, and nu > 0 for M2; epsilon is used, not listed.",
    source=source("Algorithm 1, line 1"),
    not_checkable="it lists the parameters, which are the quantities of the statements here",
)

ROUNDS = Theorem(
    id="charisopoulos_2023.rounds",
    statement="Elimination has B - 1 rounds; the sums of the proofs have B.",
    source=source("Algorithm 1, line 3; (51), (58), (59) for the sums"),
    not_checkable="it says how many rounds there are; what they cost is in the budget",
)

LAST_BATCH = Theorem(
    id="charisopoulos_2023.last_batch",
    statement="The last round plays the 'best' action of the last coreset.",
    source=source("Algorithm 1, line 12"),
    not_checkable="an algorithm's line; which action is the best is not printed",
)

GROWTH_OF = Theorem(
    id="charisopoulos_2023.growth_of",
    statement="The factor by which the size parameter of batches grows.",
    source=source("Algorithm 1, line 2"),
    bound=Bound(of=GROWTH, sense=Sense.EQUALS, cases=always(_T ** (1 / _B)), given=(HORIZON, BATCHES)),
)

SIZE_OF = Theorem(
    id="charisopoulos_2023.size_of",
    statement="The size parameter of a batch.",
    source=source("Algorithm 1, line 5: q^i"),
    hypotheses=(within_batches,),
    bound=Bound(of=SIZE, sense=Sense.EQUALS, cases=always(_T ** (_i / _B)), given=(HORIZON, BATCHES, BATCH_INDEX)),
)

ROUND_FAILURE_OF = Theorem(
    id="charisopoulos_2023.round_failure_of",
    statement="The failure probability of a statement for one arm and round, by that of the whole.",
    source=source("appendix B.1.4, 'proportional to delta'/(K T^2)'"),
    bound=Bound(of=ROUND_FAILURE, sense=Sense.EQUALS, cases=always(_delta / (_K * _T**2)), given=(FAILURE, ARMS, HORIZON)),
    steps=(
        Step(
            id="union_bound",
            sense=Sense.AT_MOST,
            left=2 * _K * (_B - 1) * (_delta / (_K * _T**2)),
            right=_delta,
            draw_order=(ARMS, FAILURE, HORIZON, BATCHES),
            domain=(Le(_B, _T),),
            note="Proposition 2.1 (2 delta) for every arm and round",
        ),
    ),
)

BEST_IS_KEPT = Theorem(
    id="charisopoulos_2023.best_is_kept",
    statement="How far the estimate of the best action is below that of any active arm: it passes line 10.",
    source=source("section 3, Fact 1"),
    hypotheses=(intervals_hold, elimination_over_active),
    bound=Bound(of=ESTIMATED_GAP, sense=Sense.AT_MOST, cases=always(2 * _gamma), given=(ELIMINATION_THRESHOLD,)),
    steps=(
        Step(
            id="fact_one",
            sense=Sense.AT_MOST,
            left=_mean + _shift - (_best + _best_shift),
            right=_mean - _best + 2 * _gamma,
            draw_order=(ARM_REWARD, BEST_REWARD, ELIMINATION_THRESHOLD, ESTIMATE_SHIFT, BEST_SHIFT),
            domain=_within,
        ),
        Step(
            id="best_mean",
            sense=Sense.AT_MOST,
            left=_mean - _best + 2 * _gamma,
            right=2 * _gamma,
            draw_order=(BEST_REWARD, ELIMINATION_THRESHOLD, ARM_REWARD),
            domain=(Le(_mean, _best),),
        ),
    ),
)

WORSE_IS_REMOVED = Theorem(
    id="charisopoulos_2023.worse_is_removed",
    statement="How far the estimate of an arm is below that of the best action.",
    source=source("section 3, Fact 2"),
    hypotheses=(intervals_hold, elimination_over_active),
    bound=Bound(of=ESTIMATED_GAP, sense=Sense.AT_LEAST, cases=always(_gap - 2 * _gamma), given=(ARM_GAP, ELIMINATION_THRESHOLD)),
    steps=(
        Step(
            id="fact_two",
            sense=Sense.AT_LEAST,
            left=_best + _best_shift - (_best - _gap + _shift),
            right=_gap - 2 * _gamma,
            draw_order=(BEST_REWARD, ARM_GAP, ELIMINATION_THRESHOLD, ESTIMATE_SHIFT, BEST_SHIFT),
            domain=_within,
        ),
        Step(
            id="removed",
            sense=Sense.AT_LEAST,
            left=_gap - 2 * _gamma,
            right=2 * _gamma,
            draw_order=(ARM_GAP, ELIMINATION_THRESHOLD),
            domain=(Le(_gamma, _gap / 4),),
            note="strict where gamma_i < gap/4",
        ),
    ),
)

SURVIVING_GAP = Theorem(
    id="charisopoulos_2023.surviving_gap",
    statement="The gap of an arm that is active at the beginning of a round, by the threshold of the round before.",
    source=source("section 3, Fact 2, last sentence"),
    hypotheses=(intervals_hold, elimination_over_active),
    bound=Bound(of=ARM_GAP, sense=Sense.AT_MOST, cases=always(4 * _gamma), given=(ELIMINATION_THRESHOLD,)),
)

RESTRICTED_TO_CORESET = Theorem(
    id="charisopoulos_2023.restricted_to_coreset",
    statement="Line 10 keeps arms of the coreset alone, and compares them with the best of the coreset; Fact 1 is said of it.",
    source=source("Algorithm 1, line 10, and section 3, Facts 1 and 2"),
    hypotheses=(intervals_hold,),
    bound=Bound(
        of=ARM_GAP,
        sense=Sense.AT_MOST,
        cases=always(4 * _gamma),
        given=(ELIMINATION_THRESHOLD,),
    ),
    steps=(
        Step(
            id="best_arm_in_the_coreset",
            sense=Sense.AT_MOST,
            left=1 - sqrt(1 - _u**2),
            right=Integer(0),
            draw_order=(UNIT_RATIO,),
            domain=(Le(_u, Rational(1, 2)),),
            note="the gap of the best arm that is left after the first round, and Fact 1's: see the derivation, x = u",
        ),
    ),
    findings=(findings.ARMS_OUTSIDE_CORESET,),
)

BATCH_REGRET_BOUND = Theorem(
    id="charisopoulos_2023.batch_regret_bound",
    statement="The regret of a batch of N plays, by the threshold of the batch before.",
    source=source("[assembled] section 3, Fact 2; derived in elimination.py"),
    hypotheses=(intervals_hold, elimination_over_active),
    bound=Bound(
        of=REGRET, sense=Sense.AT_MOST, cases=smallest(2 * _plays, 4 * _plays * _gamma), given=(BATCH_PLAYS, ELIMINATION_THRESHOLD)
    ),
)
