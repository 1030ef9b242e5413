r"""The online learners: Maler and online gradient descent (locally private LinUCB, 2024, Algorithm 3; Wang, Lu and Zhang 2019).

Main statements, all rebuilt from Wang, Lu and Zhang 2019 (the paper's Algorithm 3 is in the appendix, which the text at hand does not have)
    CONVEX_RATE, CURVED_RATE, EXPERTS_OF   learning rates and their grid
    PRIOR_CONVEX, PRIOR_CURVED, PRIOR_LOGARITHM_OF   initial weights
    STEP_CONVEX, STEP_STRONG, METRIC, METRIC_START   steps of the three families of experts
    MALER_CONVEX, MALER_STRONG, MALER_NEWTON   the three bounds on the linearised regret
    MALER_STRONGLY_CONVEX                   the corollary for strongly convex losses
    DESCENT_CONVEX, DESCENT_STRONG          online gradient descent
A violation of any of these is a fault of our reconstruction, not of the paper.

Notation            G = clipping, D = parameter_norm (the diameter is 2 D), A_s = l_T + 1 + log T, A_l = l_T + 10 d log T

Derivations
    MALER_CONVEX. The sum of the unnormalised weights does not grow, as exp(z - z^2) <= 1 + z for z >= -1/2 (weights_above, weights_below);
    so
    the linearised regret is at most log(3)/eta + eta G^2 (2D)^2 T of the meta-learner, and that of its convex expert, 3/2 G 2D sqrt(T).
    MALER_STRONG. An expert of the family has on its surrogate loss regret at most (7/5 eta G)^2/(2 * 2 eta^2 G^2) (1 + log T), which is
    49/100 (1 + log T), because its gradients are at most 7/5 eta G long (surrogate_gradient); so eta * regret <= A_s + eta^2 V for each
    rate
    of the grid, and some rate is within a factor 2 of the best one (within_two), or the largest is below it (largest_rate).
"""

from sympy import Expr, Ge, Gt, Integer, Le, Pow, Rational, log, sqrt

from banditproof.glossary import DIMENSION, HORIZON, LEVEL, PARAMETER_NORM, RATIO, ROUND, THRESHOLD, UNIT_RATIO, Quantity
from banditproof.glossary.ldp_linucb_2024 import (
    CLIPPING,
    EXPERT,
    EXPERTS,
    LAST_EXPERT,
    LEARNING_RATE,
    LINEAR_REGRET,
    LOSS_CURVATURE,
    METRIC_SCALE,
    PRIOR,
    PRIOR_LOGARITHM,
    REGRET_VARIANCE,
    STEP_SIZE,
)
from banditproof.theory.language import Bound, Checked, Hypothesis, Implicit, Sense, Source, Step, Theorem, always, symbol

_T, _d, _D, _G = symbol(HORIZON), symbol(DIMENSION), symbol(PARAMETER_NORM), symbol(CLIPPING)
_t, _eta, _i, _n = symbol(ROUND), symbol(LEARNING_RATE), symbol(EXPERT), symbol(LAST_EXPERT)
_mu, _V = symbol(LOSS_CURVATURE), symbol(REGRET_VARIANCE)
_x, _u, _a, _g = symbol(RATIO), symbol(UNIT_RATIO), symbol(THRESHOLD), symbol(LEVEL)

bounded_gradients = Hypothesis("bounded_gradients", "the gradients that the learner sees have length at most G", Checked.BY_ENVIRONMENT)
inside_the_ball = Hypothesis("inside_the_ball", "predictions and comparator have length at most D", Checked.BY_ENVIRONMENT)
plays_maler = Hypothesis("plays_maler", "the learner is Maler with the rates, weights and steps stated here", Checked.ASSUMED)
plays_descent = Hypothesis("plays_descent", "the learner is projected gradient descent with the step stated here", Checked.ASSUMED)
strongly_convex_losses = Hypothesis("strongly_convex_losses", "every loss is mu-strongly convex", Checked.BY_ENVIRONMENT)
expert_of_the_grid = Hypothesis("expert_of_the_grid", "i <= n", Checked.BY_VALUE, Le(_i, _n))


def rebuilt(locator: str) -> Source:
    """A place in Wang, Lu and Zhang 2019, as rebuilt here."""
    return Source("wang2020adaptivity", f"[assembled] {locator}, rebuilt", "UAI 2019, recalled")


def prior_logarithm() -> Expr:
    """l_T = 2 log(sqrt(3) (log2(T)/2 + 3))."""
    return 2 * log(sqrt(3) * (log(_T) / (2 * log(2)) + 3))


def last_expert() -> Implicit:
    """n = ceil(log2(T)/2): the least n with 4^n >= T."""
    return Implicit(of=LAST_EXPERT, condition=Ge(4**_n, _T), bracket=(Integer(0), _T), unique="4^n grows", growth=log(_T) / (2 * log(2)))


def _equals(
    name: str,
    statement: str,
    place: str,
    of: Quantity,
    expression: Expr,
    given: tuple[Quantity, ...],
    where: tuple[Implicit, ...] = (),
) -> Theorem:
    bound = Bound(of=of, sense=Sense.EQUALS, cases=always(expression), given=given, where=where)
    return Theorem(id=f"ldp_linucb_2024.{name}", statement=statement, source=rebuilt(place), bound=bound)


_SCALE = (CLIPPING, PARAMETER_NORM)

CONVEX_RATE = _equals(
    "convex_rate",
    "The learning rate of the convex expert in the weights.",
    "Maler, learning rates",
    LEARNING_RATE,
    1 / (4 * _G * _D * sqrt(_T)),
    (HORIZON, *_SCALE),
)
CURVED_RATE = _equals(
    "curved_rate",
    "The learning rate of expert i of a curved family.",
    "Maler, learning rates",
    LEARNING_RATE,
    Pow(2, -_i) / (10 * _G * _D),
    (EXPERT, *_SCALE),
)
EXPERTS_OF = _equals(
    "experts_of",
    "The number of experts: one for convex losses, and n + 1 in each of the two curved families.",
    "Maler, learning rates",
    EXPERTS,
    1 + 2 * (_n + 1),
    (HORIZON,),
    where=(last_expert(),),
)
PRIOR_CONVEX = _equals("prior_convex", "The initial weight of the convex expert.", "Maler, priors", PRIOR, Rational(1, 3), ())
PRIOR_CURVED = Theorem(
    id="ldp_linucb_2024.prior_curved",
    statement="The initial weight of expert i of a curved family; those of a family add up to 1/3.",
    source=rebuilt("Maler, priors"),
    hypotheses=(expert_of_the_grid,),
    bound=Bound(
        of=PRIOR,
        sense=Sense.EQUALS,
        cases=always((1 + 1 / (1 + _n)) / (3 * (_i + 1) * (_i + 2))),
        given=(HORIZON, EXPERT),
        where=(last_expert(),),
    ),
    steps=(
        Step(
            id="telescopes",
            sense=Sense.EQUALS,
            left=(1 + 1 / (1 + _n)) * (1 - 1 / (_n + 2)),
            right=Integer(1),
            draw_order=(LAST_EXPERT,),
            ours=True,
            note="three times the sum over i = 0..n of the weights, 1/((i + 1)(i + 2)) being 1/(i + 1) - 1/(i + 2)",
        ),
    ),
)
PRIOR_LOGARITHM_OF = Theorem(
    id="ldp_linucb_2024.prior_logarithm_of",
    statement="The logarithm of 1 over the initial weight of any expert.",
    source=rebuilt("Maler, priors"),
    bound=Bound(of=PRIOR_LOGARITHM, sense=Sense.AT_MOST, cases=always(prior_logarithm()), given=(HORIZON,)),
    steps=(
        Step(
            id="last_weight",
            sense=Sense.AT_MOST,
            left=3 * (_a + 2) * (_a + 3),
            right=3 * (_a + 3) ** 2,
            draw_order=(THRESHOLD,),
            note="a = log2(T)/2 and n <= a + 1: 1 over the weight of expert n, without its factor above 1, and exp(l_T)",
        ),
    ),
)
STEP_CONVEX = _equals(
    "step_convex",
    "The step of the convex expert, and of gradient descent, in round t.",
    "Maler, convex expert",
    STEP_SIZE,
    2 * _D / (_G * sqrt(_t)),
    (ROUND, *_SCALE),
)
STEP_STRONG = _equals(
    "step_strong",
    "The step of a strongly convex expert with rate eta in round t.",
    "Maler, strongly convex expert",
    STEP_SIZE,
    1 / (2 * _eta**2 * _G**2 * _t),
    (ROUND, LEARNING_RATE, CLIPPING),
)
METRIC = _equals(
    "metric",
    "The constant of the Newton step, (1/2) min(1/(4 G_l 2D), 1) with gradients of the surrogate loss of at most G_l = 7/(25 * 2D).",
    "Maler, exp-concave expert",
    METRIC_SCALE,
    Rational(25, 56),
    (),
)
METRIC_START = _equals(
    "metric_start",
    "The multiple of the identity with which the Newton step's matrix begins, 1/(b 2D)^2.",
    "Maler, exp-concave expert",
    STEP_SIZE,
    1 / (Rational(25, 56) * 2 * _D) ** 2,
    (PARAMETER_NORM,),
)

# --- regret -----------------------------------------------------------------------------------------------------------------------------

_MALER = (bounded_gradients, inside_the_ball, plays_maler)


def _second_order(total: Expr) -> Expr:
    """3 sqrt(V A) + 10 G 2D A."""
    return 3 * sqrt(_V * total) + 20 * _G * _D * total


def strong_total() -> Expr:
    """The total A_s of the strongly convex experts' bound (section 3.1 of the sheet)."""
    return prior_logarithm() + 1 + log(_T)


def newton_total() -> Expr:
    """The total A_l of the exp-concave experts' bound (section 3.1 of the sheet)."""
    return prior_logarithm() + 10 * _d * log(_T)


def maler_convex() -> Expr:
    """(2 log 3 + 2) G 2D sqrt(T)."""
    return (2 * log(3) + 2) * 2 * _G * _D * sqrt(_T)


MALER_CONVEX = Theorem(
    id="ldp_linucb_2024.maler_convex",
    statement="The linearised regret of Maler against any comparator, first bound.",
    source=rebuilt("Maler, convex losses"),
    hypotheses=_MALER,
    bound=Bound(of=LINEAR_REGRET, sense=Sense.AT_MOST, cases=always(maler_convex()), given=(HORIZON, *_SCALE)),
    steps=(
        Step(
            id="weights_above",
            sense=Sense.AT_MOST,
            left=_a - _a**2,
            right=log(1 + _a),
            draw_order=(THRESHOLD,),
            note="exp(z - z^2) <= 1 + z at z = a >= 0, logarithms of both sides",
        ),
        Step(
            id="weights_below",
            sense=Sense.AT_MOST,
            left=-_u / 2 - _u**2 / 4,
            right=log(1 - _u / 2),
            draw_order=(UNIT_RATIO,),
            note="the same at z = -u/2, down to -1/2",
        ),
        Step(
            id="rate_inserted",
            sense=Sense.EQUALS,
            left=log(3) * 4 * _G * _D * sqrt(_T) + _G**2 * (2 * _D) ** 2 * _T / (4 * _G * _D * sqrt(_T)) + 3 * _G * _D * sqrt(_T),
            right=maler_convex(),
            draw_order=(HORIZON, *_SCALE),
            note="log(3)/eta + eta G^2 (2D)^2 T + (3/2) G 2D sqrt(T) at eta = 1/(4 G D sqrt(T))",
        ),
    ),
)

MALER_STRONG = Theorem(
    id="ldp_linucb_2024.maler_strong",
    statement="The linearised regret of Maler, second bound; V is G^2 times the sum of squared distances of predictions and comparator.",
    source=rebuilt("Maler, strongly convex losses"),
    hypotheses=_MALER,
    bound=Bound(
        of=LINEAR_REGRET, sense=Sense.AT_MOST, cases=always(_second_order(strong_total())), given=(HORIZON, REGRET_VARIANCE, *_SCALE)
    ),
    steps=(
        Step(
            id="surrogate_gradient",
            sense=Sense.AT_MOST,
            left=_eta * _G + 2 * _eta**2 * _G**2 * 2 * _D,
            right=Rational(7, 5) * _eta * _G,
            draw_order=(CLIPPING, PARAMETER_NORM, LEARNING_RATE),
            domain=(Le(_eta * 10 * _G * _D, 1),),
            reason="the rates of the grid",
            note="length of a surrogate loss's gradient",
        ),
        Step(
            id="within_two",
            sense=Sense.AT_MOST,
            left=1 / _u + _u,
            right=Integer(3),
            draw_order=(UNIT_RATIO,),
            domain=(Ge(_u, Rational(1, 2)),),
            reason="the grid has such a rate unless its largest rate is below the best one",
            note="A/eta + eta V over sqrt(A V), for a rate of u times sqrt(A/V)",
        ),
        Step(
            id="largest_rate",
            sense=Sense.AT_MOST,
            left=10 + 10 * _u,
            right=Integer(20),
            draw_order=(UNIT_RATIO,),
            note="A/eta + eta V over G D A at the largest rate, where V = u (10 G D)^2 A",
        ),
    ),
)

MALER_NEWTON = Theorem(
    id="ldp_linucb_2024.maler_newton",
    statement="The linearised regret of Maler, third bound; V is the sum of squared products of gradient and distance.",
    source=rebuilt("Maler, exp-concave losses"),
    hypotheses=_MALER,
    bound=Bound(
        of=LINEAR_REGRET,
        sense=Sense.AT_MOST,
        cases=always(_second_order(newton_total())),
        given=(HORIZON, DIMENSION, REGRET_VARIANCE, *_SCALE),
    ),
)

MALER_STRONGLY_CONVEX = Theorem(
    id="ldp_linucb_2024.maler_strongly_convex",
    statement="The regret of Maler on losses that are all mu-strongly convex.",
    source=rebuilt("Maler, strongly convex losses"),
    hypotheses=(*_MALER, strongly_convex_losses),
    bound=Bound(
        of=LINEAR_REGRET,
        sense=Sense.AT_MOST,
        cases=always((9 * _G**2 / (2 * _mu) + 20 * _G * _D) * strong_total()),
        given=(HORIZON, LOSS_CURVATURE, *_SCALE),
    ),
    steps=(
        Step(
            id="curvature_pays",
            sense=Sense.AT_MOST,
            left=3 * _x * _g - _mu * _x**2 / 2,
            right=9 * _g**2 / (2 * _mu),
            draw_order=(LOSS_CURVATURE, RATIO, LEVEL),
            note="x^2 the sum of squared distances, g^2 = G^2 A_s",
        ),
    ),
)

DESCENT_CONVEX = Theorem(
    id="ldp_linucb_2024.descent_convex",
    statement="The linearised regret of projected gradient descent with steps 2 D/(G sqrt(t)).",
    source=rebuilt("online gradient descent, after Zinkevich 2003"),
    hypotheses=(bounded_gradients, inside_the_ball, plays_descent),
    bound=Bound(of=LINEAR_REGRET, sense=Sense.AT_MOST, cases=always(3 * _G * _D * sqrt(_T)), given=(HORIZON, *_SCALE)),
    steps=(
        Step(
            id="root_of_a_round",
            sense=Sense.AT_MOST,
            left=1 / sqrt(_t),
            right=2 * (sqrt(_t) - sqrt(_t - 1)),
            draw_order=(ROUND,),
            note="summed over rounds: the sum of 1/sqrt(t) is at most 2 sqrt(T)",
        ),
    ),
)

DESCENT_STRONG = Theorem(
    id="ldp_linucb_2024.descent_strong",
    statement="The regret of projected gradient descent with steps 1/(mu t) on losses that are all mu-strongly convex.",
    source=rebuilt("online gradient descent, after Hazan, Agarwal and Kale 2007"),
    hypotheses=(bounded_gradients, inside_the_ball, plays_descent, strongly_convex_losses),
    bound=Bound(
        of=LINEAR_REGRET,
        sense=Sense.AT_MOST,
        cases=always(_G**2 / (2 * _mu) * (1 + log(_T))),
        given=(HORIZON, CLIPPING, LOSS_CURVATURE),
    ),
    steps=(
        Step(
            id="inverse_of_a_round",
            sense=Sense.AT_MOST,
            left=_u,
            right=-log(1 - _u),
            draw_order=(UNIT_RATIO,),
            domain=(Gt(1, _u),),
            note="u = 1/t, t >= 2: 1/t <= log(t) - log(t - 1), summed over rounds the sum of 1/t is at most 1 + log(T)",
        ),
    ),
)
