r"""Designs and coresets (Charisopoulos, Esfandiari and Mirrokni 2023, section 1.4 and line 5 of Algorithm 1).

Main statements
    G_OPTIMAL           Definition 1.5 and its optimal value d
    APPROXIMATE_LEVERAGE, SUPPORT_BOUND, DESIGN_TIME   Definition 1.6, (7), and the sentence after it
    SPANNING_SUPPORT, SUPPORT_FOR_CODE   [assembled] what a design needs to span; the form that is positive in every dimension
    FRANK_WOLFE, DETERMINANT_GAIN, AWAY_LIMIT   [assembled] the steps that find a design
    COUNT_FIRST, COUNT_SECOND   line 5: plays of an action in M1 and in M2
    PLAYS_FLOOR, PLAYS_FIRST, PLAYS_SECOND   [assembled] plays of a batch

Readings
    The brackets of line 5 are ceilings. d log log d is -infinity at d = 1 and negative at d = 2.
    The time is counted in arithmetic operations.
    nu is at most 1, the largest weight; the paper has nu > 0.

Derivations
    SPANNING_SUPPORT. M(pi) is a sum of k matrices of rank 1 and must have rank d.
    SUPPORT_FOR_CODE is the form of Todd (2016) that Lattimore and Szepesvari quote, 4 d log log d + 16, with 0 for a negative logarithm.
    FRANK_WOLFE. (1 - s) pi + s e_a multiplies det M by (1 - s)^(d - 1) (1 - s + s g), g = |a|^2 in the inverse of M; the derivative of its
    logarithm in s is 0 at s = (g/d - 1)/(g - 1). For g < 1 <= d the same formula is the best step away from a, as far as pi(a) allows.
    PLAYS. Each ceiling adds less than 1, and max(pi, nu) <= pi + nu.
"""

from sympy import And, Expr, Ge, Gt, Integer, Le, log

from banditproof.glossary import ARMS, DIMENSION, Quantity
from banditproof.glossary.charisopoulos_2023 import (
    ACTIVE_WEIGHT,
    ARM_PLAYS,
    BATCH_PLAYS,
    DESIGN_CONSTANT,
    DESIGN_LEVERAGE,
    DESIGN_OPERATIONS,
    DESIGN_STEP,
    DETERMINANT_RATIO,
    SIZE,
    SUPPORT,
    TRUNCATION_PARAMETER,
    WHOLE_PLAYS,
)
from banditproof.theory.language import Bound, Case, Checked, Constants, Hypothesis, Implicit, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.charisopoulos_2023.findings import designs as findings
from banditproof.theory.papers.charisopoulos_2023.setting import source

_d, _k, _m, _nu = symbol(DIMENSION), symbol(SUPPORT), symbol(SIZE), symbol(TRUNCATION_PARAMETER)
_weight, _whole, _plays, _C = symbol(ACTIVE_WEIGHT), symbol(WHOLE_PLAYS), symbol(BATCH_PLAYS), symbol(DESIGN_CONSTANT)
_g, _step, _K = symbol(DESIGN_LEVERAGE), symbol(DESIGN_STEP), symbol(ARMS)

spanning = Hypothesis("spanning", "the actions span the space of dimension d", Checked.BY_ENVIRONMENT)
approximate_design = Hypothesis("approximate_design", "the weights are an approximate G-optimal design: (7) holds", Checked.BY_ENVIRONMENT)
rounded_counts = Hypothesis("rounded_counts", "each action of the support is played as often as line 5 says", Checked.BY_ENVIRONMENT)
above_optimum = Hypothesis("above_optimum", "the action's squared norm g is above d", Checked.BY_VALUE, Gt(_g, _d))


def support_bound() -> Expr:
    """d log log d, as (7), line 4 and (56) print it with the constant 1."""
    return _d * log(log(_d))


def frank_wolfe_step() -> Expr:
    """(g/d - 1)/(g - 1)."""
    return (_g / _d - 1) / (_g - 1)


G_OPTIMAL = Theorem(
    id="charisopoulos_2023.g_optimal",
    statement="The least possible value of the largest squared norm of an action in the inverse of M(pi).",
    source=source("Definition 1.5, (6), with Lattimore and Szepesvari 2020, Theorem 21.1"),
    hypotheses=(spanning,),
    bound=Bound(of=DESIGN_LEVERAGE, sense=Sense.EQUALS, cases=always(_d), given=(DIMENSION,)),
)

APPROXIMATE_LEVERAGE = Theorem(
    id="charisopoulos_2023.approximate_leverage",
    statement="The largest squared norm of an action in the inverse of M(pi), for an approximate G-optimal design.",
    source=source("Definition 1.6, (7), first half"),
    hypotheses=(spanning,),
    bound=Bound(of=DESIGN_LEVERAGE, sense=Sense.AT_MOST, cases=always(2 * _d), given=(DIMENSION,)),
)

SUPPORT_BOUND = Theorem(
    id="charisopoulos_2023.support_bound",
    statement="The number of actions with positive weight in an approximate G-optimal design.",
    source=source("Definition 1.6, (7), second half; line 4 of Algorithm 1 and (56) have the constant 1"),
    hypotheses=(spanning,),
    bound=Bound(of=SUPPORT, sense=Sense.AT_MOST, cases=always(_C * support_bound()), given=(DIMENSION, DESIGN_CONSTANT)),
    steps=(
        Step(
            id="support_of_a_design",
            sense=Sense.AT_MOST,
            left=_d,
            right=support_bound(),
            draw_order=(DIMENSION,),
            domain=(Ge(_d, 3),),
            note="line 4 and (56) allow d log log d actions; M(pi) is invertible from d actions on",
        ),
        Step(
            id="one_constant_for_all_dimensions",
            sense=Sense.AT_MOST,
            left=_d,
            right=_C * support_bound(),
            draw_order=(DIMENSION, DESIGN_CONSTANT),
            domain=(Ge(_d, 2), Le(_C, 10)),
            note="what (7) allows in every dimension in which log log d exists, for any constant up to 10, is to be enough for d actions",
        ),
    ),
    findings=(findings.SUPPORT_IN_LOW_DIMENSION, findings.SUPPORT_WITHOUT_CONSTANT),
)

DESIGN_TIME = Theorem(
    id="charisopoulos_2023.design_time",
    statement="The time in which an approximate G-optimal design can be found.",
    source=source("Definition 1.6, last sentence"),
    hypotheses=(spanning,),
    bound=Bound(
        of=DESIGN_OPERATIONS,
        sense=Sense.AT_MOST,
        cases=always(support_bound()),
        given=(DIMENSION,),
        constants=Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="every_action_is_read",
            sense=Sense.AT_MOST,
            left=_K * _d,
            right=_C * support_bound(),
            draw_order=(ARMS, DIMENSION, DESIGN_CONSTANT),
            domain=(Ge(_d, 3), Le(_C, 10)),
            note="to read the K actions once takes K d operations; for any constant up to 10",
        ),
    ),
    findings=(findings.DESIGN_TIME,),
)

SPANNING_SUPPORT = Theorem(
    id="charisopoulos_2023.spanning_support",
    statement="The number of actions with positive weight in any design whose moment matrix can be inverted.",
    source=source("[assembled] Definition 1.6; derived in designs.py"),
    hypotheses=(spanning,),
    bound=Bound(of=SUPPORT, sense=Sense.AT_LEAST, cases=always(_d), given=(DIMENSION,)),
)

SUPPORT_FOR_CODE = Theorem(
    id="charisopoulos_2023.support_for_code",
    statement="The number of actions with positive weight that suffices for (7) in every dimension.",
    source=source("[assembled] Definition 1.6 with the constants of Lattimore and Szepesvari 2020, section 21.2; see designs.py"),
    hypotheses=(spanning,),
    bound=Bound(
        of=SUPPORT,
        sense=Sense.AT_MOST,
        cases=(
            Case(Le(_d, 2), Integer(16)),
            Case(Ge(_d, 3), 4 * support_bound() + 16),
        ),
        given=(DIMENSION,),
    ),
    steps=(
        Step(
            id="code_enough_to_span",
            sense=Sense.AT_MOST,
            left=_d,
            right=4 * support_bound() + 16,
            draw_order=(DIMENSION,),
            domain=(Ge(_d, 3),),
            ours=True,
        ),
    ),
)

FRANK_WOLFE = Theorem(
    id="charisopoulos_2023.frank_wolfe",
    statement="The step towards the action with the largest norm that increases det M(pi) most.",
    source=source("[assembled] the construction behind Definition 1.6 (Fedorov, Wynn; Todd 2016, chapter 3); derived in designs.py"),
    hypotheses=(above_optimum,),
    bound=Bound(of=DESIGN_STEP, sense=Sense.EQUALS, cases=always(frank_wolfe_step()), given=(DIMENSION, DESIGN_LEVERAGE)),
    steps=(
        Step(
            id="derivative_is_nought",
            sense=Sense.EQUALS,
            left=(_d - 1) * (1 + frank_wolfe_step() * (_g - 1)),
            right=(_g - 1) * (1 - frank_wolfe_step()),
            draw_order=(DIMENSION, DESIGN_LEVERAGE),
            domain=(Gt(_g, _d),),
            ours=True,
            note="the derivative of (d - 1) log(1 - s) + log(1 + s (g - 1)) in s, multiplied out",
        ),
    ),
)

DETERMINANT_GAIN = Theorem(
    id="charisopoulos_2023.determinant_gain",
    statement="The factor by which that step multiplies det M(pi).",
    source=source("[assembled] as frank_wolfe"),
    hypotheses=(above_optimum, Hypothesis("two_dimensions", "d >= 2", Checked.BY_VALUE, Ge(_d, 2))),
    bound=Bound(
        of=DETERMINANT_RATIO,
        sense=Sense.EQUALS,
        cases=always((_g / _d) ** _d * ((_d - 1) / (_g - 1)) ** (_d - 1)),
        given=(DIMENSION, DESIGN_LEVERAGE),
    ),
)

AWAY_LIMIT = Theorem(
    id="charisopoulos_2023.away_limit",
    statement="The largest step away from an action of the support (a negative one): all of its weight is removed.",
    source=source("[assembled] away steps (Wolfe, Atwood), as frank_wolfe"),
    hypotheses=(Hypothesis("weight_below_one", "the action's weight is below 1", Checked.BY_VALUE, Gt(1, _weight)),),
    bound=Bound(of=DESIGN_STEP, sense=Sense.AT_LEAST, cases=always(-_weight / (1 - _weight)), given=(ACTIVE_WEIGHT,)),
    steps=(
        Step(
            id="weight_is_removed",
            sense=Sense.EQUALS,
            left=(1 + _weight / (1 - _weight)) * _weight,
            right=_weight / (1 - _weight),
            draw_order=(ACTIVE_WEIGHT,),
            domain=(Gt(1, _weight),),
            ours=True,
            note="(1 - s) pi(a) = - s at the limit",
        ),
    ),
)

# --- coresets -------------------------------------------------------------------------------------------------------------------------


def _count(name: str, statement: str, place: str, condition: Expr, given: tuple[Quantity, ...], upper: Expr) -> Theorem:
    return Theorem(
        id=f"charisopoulos_2023.{name}",
        statement=statement,
        source=source(place),
        hypotheses=(rounded_counts,),
        bound=Bound(
            of=ARM_PLAYS,
            sense=Sense.EQUALS,
            cases=always(_whole),
            given=given,
            where=(Implicit(of=WHOLE_PLAYS, condition=condition, bracket=(Integer(1), upper), unique="both sides are linear in it"),),
        ),
    )


COUNT_FIRST = _count(
    "count_first",
    "The plays of an action of the support in a batch: m pi(a), rounded up.",
    "line 5 of Algorithm 1, M1; section 1.4, last sentence",
    Ge(_whole, _m * _weight),
    (SIZE, ACTIVE_WEIGHT),
    _m + 1,
)

COUNT_SECOND = _count(
    "count_second",
    "The plays of an action of the support in a batch: m max(pi(a), nu), rounded up.",
    "line 5 of Algorithm 1, M2; section 3.2, item 2",
    And(Ge(_whole, _m * _weight), Ge(_whole, _m * _nu)),
    (SIZE, ACTIVE_WEIGHT, TRUNCATION_PARAMETER),
    _m + _m * _nu + 1,
)

PLAYS_FLOOR = Theorem(
    id="charisopoulos_2023.plays_floor",
    statement="The plays of a batch, in both models, are at least the size parameter.",
    source=source("[assembled] line 5 of Algorithm 1; derived in designs.py"),
    hypotheses=(rounded_counts,),
    bound=Bound(of=BATCH_PLAYS, sense=Sense.AT_LEAST, cases=always(_m), given=(SIZE,)),
)

PLAYS_FIRST = Theorem(
    id="charisopoulos_2023.plays_first",
    statement="The plays of a batch in M1.",
    source=source("[assembled] line 5 of Algorithm 1, M1; derived in designs.py"),
    hypotheses=(rounded_counts,),
    bound=Bound(of=BATCH_PLAYS, sense=Sense.AT_MOST, cases=always(_m + _k), given=(SIZE, SUPPORT)),
)

PLAYS_SECOND = Theorem(
    id="charisopoulos_2023.plays_second",
    statement="The plays of a batch in M2.",
    source=source("[assembled] line 5 of Algorithm 1, M2; derived in designs.py"),
    hypotheses=(rounded_counts,),
    bound=Bound(
        of=BATCH_PLAYS,
        sense=Sense.AT_MOST,
        cases=always(_m * (1 + _nu * _k) + _k),
        given=(SIZE, SUPPORT, TRUNCATION_PARAMETER),
    ),
)
