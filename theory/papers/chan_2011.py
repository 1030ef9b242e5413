r"""The binary mechanism: private and continual release of sums (Chan, Shi and Song 2011).

Main statements
    LAPLACE_SUM     how far a sum of independent Laplace variables strays (Corollary 2.9 there, for equal scales)
    TREE_PRIVACY    the level of the binary mechanism, with an erratum on the number of sums that hold one round
    COUNTER_ERROR   the printed utility at one round, constants suppressed
    TREE_ERROR      the same with explicit constants, assembled by us

Reads               the TISSEC text; it was not at hand when this was written, so the wording of its algorithm (each p-sum gets noise of
                    privacy epsilon/log T, each item is in at most log T p-sums) is from memory and from two public implementations,
                    which take log2 T and its ceiling. Check the printed form before the erratum is quoted elsewhere.

Implementation notes
    The erratum reads log T as log2 T without rounding. Round 1 is in the p-sums over rounds 1..1, 1..2, 1..4, ..., which are
    1 + floor(log2 T): more than log2 T at every horizon, and more than its ceiling at every power of two.

Derivation of TREE_ERROR (not printed)
    The prefix sum at round t adds at most m = 1 + floor(log2 t) nodes, each with independent noise of scale L/epsilon, where
    L = 1 + floor(log2 T). LAPLACE_SUM with m terms of this scale. The derivation of LAPLACE_SUM itself is in theory/dyadic.py.
"""

from sympy import Rational, exp, log, sqrt

from banditproof.glossary import EPSILON, FAILURE, HORIZON, LEVELS, ROUND, SCALE, SENSITIVITY, SUM_ERROR, TERMS, TILT
from banditproof.theory.dyadic import laplace_sum_cases, levels_of, terms_of
from banditproof.theory.hypotheses import (
    fresh_laplace_noise,
    one_draw_a_node,
    one_round_differs,
    real_arithmetic,
    round_within_horizon,
    unit_stream,
)
from banditproof.theory.language import Bound, Constants, Erratum, Mode, Sense, Source, Step, Theorem, always, symbol

_levels, _terms, _horizon, _round = symbol(LEVELS), symbol(TERMS), symbol(HORIZON), symbol(ROUND)
_epsilon, _failure, _scale, _tilt = symbol(EPSILON), symbol(FAILURE), symbol(SCALE), symbol(TILT)

LAPLACE_SUM = Theorem(
    id="chan_2011.laplace_sum",
    statement="A sum of independent centred Laplace variables of one scale is this close to 0.",
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
            left=1 / (1 - _tilt**2),
            right=exp(2 * _tilt**2),
            draw_order=(TILT,),
            domain=(_tilt**2 <= Rational(1, 2),),
            reason="the proof uses no larger tilt",
        ),
    ),
)

_printed_privacy = Bound(
    of=EPSILON,
    sense=Sense.AT_MOST,
    cases=always(log(_horizon) / log(2) * symbol(SENSITIVITY) / _scale),
    given=(HORIZON, SENSITIVITY, SCALE),
)

TREE_PRIVACY = Theorem(
    id="chan_2011.tree_privacy",
    statement="The binary mechanism with Laplace noise of one scale on each p-sum is this private, for all its releases together.",
    source=Source("chan2011private", "Binary Mechanism, its privacy theorem, for any sensitivity", "TISSEC 14(3)"),
    hypotheses=(one_round_differs, fresh_laplace_noise, one_draw_a_node, real_arithmetic),
    bound=Bound(
        of=EPSILON,
        sense=Sense.AT_MOST,
        cases=always(_levels * symbol(SENSITIVITY) / _scale),
        given=(HORIZON, SENSITIVITY, SCALE),
        where=(levels_of(HORIZON),),
    ),
    erratum=Erratum(
        printed=_printed_privacy,
        reason="noise of privacy epsilon/log2(T) on each p-sum is too little: a round is in up to 1 + floor(log2 T) p-sums, not log2 T "
        "(log read as log2, without rounding).",
        counterexample=(("horizon", "2"), ("sensitivity", "1"), ("scale", "1")),
        truth="round 1 is in the p-sums over rounds 1..1 and 1..2, so the exact level is 2, and the printed one is 1",
    ),
)

COUNTER_ERROR = Theorem(
    id="chan_2011.counter_error",
    statement="The error of the epsilon-private binary mechanism at one round, as printed.",
    source=Source("chan2011private", "Binary Mechanism, its utility theorem", "TISSEC 14(3)"),
    hypotheses=(round_within_horizon, unit_stream, fresh_laplace_noise, one_draw_a_node),
    bound=Bound(
        of=SUM_ERROR,
        sense=Sense.AT_MOST,
        cases=always(log(_horizon) * sqrt(log(_round)) * log(1 / _failure) / _epsilon),
        given=(HORIZON, ROUND, EPSILON, FAILURE),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
)

TREE_ERROR = Theorem(
    id="chan_2011.tree_error",
    statement="The prefix sum that the tree releases at one round, with Laplace noise of scale levels/epsilon on each node, is this "
    "close to the true sum.",
    source=Source("chan2011private", "[assembled] utility at one round with explicit constants; derivation in the module", "TISSEC 14(3)"),
    hypotheses=(round_within_horizon, unit_stream, fresh_laplace_noise, one_draw_a_node, real_arithmetic),
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
