r"""The binary mechanism: private and continual release of sums (Chan, Shi and Song 2011).

Main statements
    LAPLACE_SUM     how far a sum of independent Laplace variables strays (Corollary 2.9 there, for equal scales)
    TREE_PRIVACY    the level of the binary mechanism
    COUNTER_ERROR   the printed utility at one round, constants suppressed
    TREE_ERROR      the same with explicit constants, assembled by us

Reads               the TISSEC text, which was not at hand when this was written, so locators are by name. Its algorithm gives each p-sum
                    noise of privacy epsilon/log T, for an item in at most log T p-sums. Round 1 is in the p-sums over rounds 1..1, 1..2,
                    1..4, ...: 1 + floor(log2 T) of them. That number is read for log T here (finding levels_of_the_tree).

Derivation of TREE_ERROR (not printed)
    The prefix sum at round t adds at most m = 1 + floor(log2 t) nodes, each with independent noise of scale L/epsilon, where
    L = 1 + floor(log2 T). LAPLACE_SUM with m terms of this scale. The derivation of LAPLACE_SUM itself is in theory/dyadic.py.
"""

from collections.abc import Mapping

from sympy import Rational, exp, log, sqrt

from banditproof.glossary import EPSILON, FAILURE, HORIZON, LEVELS, ROUND, SCALE, SENSITIVITY, SUM_ERROR, TERMS, Quantity
from banditproof.glossary.chan_2011 import MGF_ARGUMENT
from banditproof.theory.dyadic import laplace_sum_cases, levels_of, terms_of
from banditproof.theory.findings import Finding, Grade, Reach
from banditproof.theory.hypotheses import (
    fresh_laplace_noise,
    one_draw_per_node,
    one_round_differs,
    real_arithmetic,
    round_within_horizon,
    unit_stream,
)
from banditproof.theory.language import Bound, Constants, Mode, Sense, Source, Step, Theorem, always, symbol

PAPER = "T.-H. Hubert Chan, Elaine Shi and Dawn Song, *Private and Continual Release of Statistics* (TISSEC 14(3), 2011)"
LETTERS: Mapping[Quantity, str] = {FAILURE: r"\delta"}  # pure privacy there: delta is free

_levels, _terms, _horizon, _round = symbol(LEVELS), symbol(TERMS), symbol(HORIZON), symbol(ROUND)
_epsilon, _failure, _scale, _mgf_argument = symbol(EPSILON), symbol(FAILURE), symbol(SCALE), symbol(MGF_ARGUMENT)

LEVELS_OF_THE_TREE = Finding(
    name="levels_of_the_tree",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="the base and the rounding of log T, the number of p-sums of an item, are left open",
    place="Binary Mechanism, privacy of its p-sums",
    sentence="each p-sum has noise of privacy epsilon/log T, and an item is in at most log T p-sums",
    literal="To base 2 and without rounding, an item at T = 2 is in 2 p-sums and log2 T is 1: the noise would be too small by a factor 2.",
    charitable="log T stands for the number of levels of the tree, 1 + floor(log2 T), which is what the algorithm builds.",
    consequence="A mechanism that takes log2 T at a power of two has one level too few and is (epsilon (1 + 1/log2 T))-private.",
    stands="The privacy of the mechanism with 1 + floor(log2 T) levels, at every T.",
    instead="1 + floor(log2 T) for log T; the controls one_level_short are the mechanism with log2 T, and are refuted.",
)
ROUND_ONE = Finding(
    name="round_one",
    grade=Grade.READING,
    reach=Reach.CONSTANT,
    title="the order sqrt(log t) is 0 in round 1, where the released sum has noise",
    place="Binary Mechanism, its utility at round t",
    sentence="O(1/epsilon * log T * sqrt(log t) * log(1/delta))",
    literal="At t = 1 the order is 0 for every T, and the release of round 1 has the noise of one p-sum.",
    charitable="As usual for orders in t, t >= 2 is meant; and log(1/delta) is bounded below for the failure probabilities of interest.",
    consequence="None for t >= 2 and failure probabilities at most 1/2; the text was not at hand, so nothing more is said of it.",
    stands="The order for t >= 2 and failure probabilities at most 1/2.",
    instead="tree_error, with explicit constants, which holds in every round and at every failure probability.",
)
EQUAL_SCALES = Finding(
    name="equal_scales",
    grade=Grade.READING,
    reach=Reach.LINE,
    title="the tail bound is stated here for terms of one scale; the paper has a scale for each term",
    place="Corollary 2.9",
    sentence="a sum of independent Laplace variables with scales b_i is at most O(sqrt(sum of b_i^2) log(1/delta)) from 0",
    literal="The paper's corollary speaks of any scales; the statement here of equal ones, with both regimes of its Lemma 2.8 as cases.",
    charitable="In every use of the corollary in the mechanism the scales are equal.",
    consequence="None for the binary mechanism, whose nodes all have one scale.",
    stands="The corollary, for the sums that the mechanism releases.",
    instead="The statement as it is here; its maximum has one entry for each of the two regimes of the proof.",
)

LAPLACE_SUM = Theorem(
    id="chan_2011.laplace_sum",
    statement="The absolute value of a sum of independent centred Laplace variables of one scale; `terms` is their number.",
    source=Source("chan2011private", "Corollary 2.9, equal scales", "TISSEC 14(3)"),
    hypotheses=(fresh_laplace_noise,),
    bound=Bound(
        of=SUM_ERROR,
        sense=Sense.AT_MOST,
        cases=laplace_sum_cases(_terms, _scale, _failure),
        given=(TERMS, SCALE, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="moment_generating_function",
            sense=Sense.AT_MOST,
            left=1 / (1 - _mgf_argument**2),
            right=exp(2 * _mgf_argument**2),
            draw_order=(MGF_ARGUMENT,),
            domain=(_mgf_argument**2 <= Rational(1, 2),),
            reason="the proof uses no larger argument of the moment generating function",
        ),
    ),
    findings=(EQUAL_SCALES,),
)

TREE_PRIVACY = Theorem(
    id="chan_2011.tree_privacy",
    statement="The binary mechanism with Laplace noise of one scale on each p-sum is `epsilon`-differentially private, for all its "
    "releases together.",
    source=Source("chan2011private", "Binary Mechanism, its privacy theorem, for any sensitivity", "TISSEC 14(3)"),
    hypotheses=(one_round_differs, fresh_laplace_noise, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=EPSILON,
        sense=Sense.AT_MOST,
        cases=always(_levels * symbol(SENSITIVITY) / _scale),
        given=(HORIZON, SENSITIVITY, SCALE),
        where=(levels_of(HORIZON),),
    ),
    findings=(LEVELS_OF_THE_TREE,),
)

COUNTER_ERROR = Theorem(
    id="chan_2011.counter_error",
    statement="The error of the epsilon-private binary mechanism at one round, as printed.",
    source=Source("chan2011private", "Binary Mechanism, its utility theorem", "TISSEC 14(3)"),
    hypotheses=(round_within_horizon, unit_stream, fresh_laplace_noise, one_draw_per_node),
    bound=Bound(
        of=SUM_ERROR,
        sense=Sense.AT_MOST,
        cases=always(log(_horizon) * sqrt(log(_round)) * log(1 / _failure) / _epsilon),
        given=(HORIZON, ROUND, EPSILON, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    findings=(ROUND_ONE,),
)

TREE_ERROR = Theorem(
    id="chan_2011.tree_error",
    statement="The prefix sum that the tree releases at one round, with Laplace noise of scale levels/epsilon on each node, lies within "
    "`sum_error` of the true sum.",
    source=Source("chan2011private", "[assembled] utility at one round; constants derived in theory/papers/chan_2011.py", "TISSEC 14(3)"),
    hypotheses=(round_within_horizon, unit_stream, fresh_laplace_noise, one_draw_per_node, real_arithmetic),
    bound=Bound(
        of=SUM_ERROR,
        sense=Sense.AT_MOST,
        cases=laplace_sum_cases(_terms, _levels / _epsilon, _failure),
        given=(HORIZON, ROUND, EPSILON, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        where=(levels_of(HORIZON), terms_of(ROUND)),
    ),
)
