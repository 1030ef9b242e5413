r"""The binary mechanism: private and continual release of sums (Chan, Shi and Song 2011).

Main statements
    LAPLACE_SUM     how far a sum of independent Laplace variables strays (Corollary 2.9 there, for equal scales)
    TREE_PRIVACY    the level of the binary mechanism
    COUNTER_ERROR   the printed utility at one round, constants suppressed
    TREE_ERROR      the same with explicit constants, assembled by us

Reads               the TISSEC text, which was not at hand when this was written, so locators are by name. Its algorithm gives each p-sum
                    noise of privacy epsilon/log T, for an item in at most log T p-sums. Round 1 is in the p-sums over rounds 1..1, 1..2,
                    1..4, ...: 1 + floor(log2 T) of them. That number is read for log T here. The text leaves base and rounding open, so
                    this is a reading and no erratum; whoever takes log2 T, or its ceiling, is one level short at T = 2 (the control
                    trees.one_level_short is that mechanism, and is refuted).

Derivation of TREE_ERROR (not printed)
    The prefix sum at round t adds at most m = 1 + floor(log2 t) nodes, each with independent noise of scale L/epsilon, where
    L = 1 + floor(log2 T). LAPLACE_SUM with m terms of this scale. The derivation of LAPLACE_SUM itself is in theory/dyadic.py.
"""

from collections.abc import Mapping

from sympy import Rational, exp, log, sqrt

from banditproof.glossary import EPSILON, FAILURE, HORIZON, LEVELS, ROUND, SCALE, SENSITIVITY, SUM_ERROR, TERMS, Quantity
from banditproof.glossary.chan_2011 import TILT
from banditproof.theory.dyadic import laplace_sum_cases, levels_of, terms_of
from banditproof.theory.hypotheses import (
    fresh_laplace_noise,
    one_draw_a_node,
    one_round_differs,
    real_arithmetic,
    round_within_horizon,
    unit_stream,
)
from banditproof.theory.language import Bound, Constants, Mode, Sense, Source, Step, Theorem, always, symbol

LETTERS: Mapping[Quantity, str] = {FAILURE: r"\delta"}  # pure privacy there: delta is free

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
