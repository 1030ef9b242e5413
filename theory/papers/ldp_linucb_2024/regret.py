r"""The regret of Algorithm 1 (locally private LinUCB, 2024): Theorem 3.4, Lemma 3.5, Corollary 3.6.

Main statements
    REGRET_ORDER            Theorem 3.4;  REGRET_BY_WIDTH [assembled] its first step, with constants
    LEARNER_REGRET_ORDER, PATH_ORDER   Lemma 3.5, regret and path
    LEARNER_BOUND, CURVATURE_TERM_OF, EXTRA_WIDTH_INSERTED, EXTRA_WIDTH_SIMPLIFIED   M_T, H and K_T after Lemma 3.5
    COROLLARY_SUM           Corollary 3.6, the first display;  COROLLARY_FAVOURABLE, COROLLARY_WORST the two entries of its minimum
Substituted (ours): the first display with G, sigma, Delta and H inserted, every hidden constant 1
    FAVOURABLE_SUBSTITUTED  Delta = 0;  WORST_SUBSTITUTED lambda_min = 0 and Delta^2 = T^(-1/4)
What the minimiser of the loss does to the path (ours)
    PATH_FLOOR              the path of a learner with Maler's regret is at least this
    REGRET_BY_LONG_PATH     what Theorem 3.4 gives for a path of D^2 T/4
    floors.py has regrets and paths from below that contradict the rates

Derivations
    PATH_FLOOR. Let u be the minimiser of E l, b = |u - theta*| = D Delta^2/(lambda_min + Delta^2) (loss.py) along an eigenvector with
    eigenvalue lambda_min. For mu-strongly convex E l, mu |theta_t - u|^2 <= <grad, theta_t - u>; the sum over rounds is at most Maler's
    first bound
    against u, plus a martingale with steps of at most 4 G D (Azuma): (4 log 3 + 4) G D sqrt(T) + 4 G D sqrt(2 T log(1/beta)), where no
    gradient is clipped. (The constant is that of the rebuilt Maler; what is used is the order sqrt(T), which
    section 3.2 states.) And |theta_t - theta*|^2 >= b^2/2 - |theta_t - u|^2.
"""

from sympy import Expr, Ge, Gt, Integer, Rational, log, sqrt

from banditproof.glossary import (
    DELTA,
    DIMENSION,
    EPSILON,
    FAILURE,
    HORIZON,
    LEVEL,
    PARAMETER_NORM,
    RATIO,
    REGRET,
    REWARD_SIGMA,
    SIGMA,
    UNIT_RATIO,
    Quantity,
)
from banditproof.glossary.ldp_linucb_2024 import (
    CLIPPING,
    CLIPPING_CONSTANT,
    CURVATURE,
    CURVATURE_TERM,
    EXTRA_WIDTH,
    INJECTED_SIGMA,
    LEARNER_CONSTANT,
    LEARNER_REGRET,
    PATH,
    POSITIVE_CURVATURE,
    POTENTIAL_SUM,
    SQUARED_WIDTH,
    STRONG_CONVEXITY,
)
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.ldp_linucb_2024.confidence import learner_bound, logarithm, noise_over_epsilon
from banditproof.theory.papers.ldp_linucb_2024.findings import comparisons as comparison_findings
from banditproof.theory.papers.ldp_linucb_2024.findings import loss as loss_findings
from banditproof.theory.papers.ldp_linucb_2024.findings import regret as findings
from banditproof.theory.papers.ldp_linucb_2024.learner import maler_convex
from banditproof.theory.papers.ldp_linucb_2024.loss import bent, clipping
from banditproof.theory.papers.ldp_linucb_2024.privacy import noise_scale
from banditproof.theory.papers.ldp_linucb_2024.setting import (
    bounded_data,
    bounded_parameter,
    bounded_predictions,
    curved_actions,
    good_event,
    rate,
    source,
    sub_gaussian_rewards,
)

_T, _d, _beta, _epsilon, _delta = symbol(HORIZON), symbol(DIMENSION), symbol(FAILURE), symbol(EPSILON), symbol(DELTA)
_D, _R, _G, _H = symbol(PARAMETER_NORM), symbol(REWARD_SIGMA), symbol(CLIPPING), symbol(CURVATURE_TERM)
_injected, _curvature, _positive = symbol(INJECTED_SIGMA), symbol(CURVATURE), symbol(POSITIVE_CURVATURE)
_mu, _w, _phi = symbol(STRONG_CONVEXITY), symbol(SQUARED_WIDTH), symbol(POTENTIAL_SUM)
_x, _u, _g = symbol(RATIO), symbol(UNIT_RATIO), symbol(LEVEL)

more_rounds_than_features = Hypothesis("more_rounds_than_features", "T > d", Checked.BY_VALUE, Gt(_T, _d), added="logarithm_at_few_rounds")
wide = Hypothesis("wide", "the width is at least 1", Checked.BY_VALUE, Ge(_w, 1))
plays_optimistically = Hypothesis(
    "plays_optimistically", "every action maximises the estimate plus the width times its norm in the inverse Gram matrix", Checked.ASSUMED
)
unclipped = Hypothesis("unclipped", "no gradient is longer than G", Checked.ASSUMED)
strongly_convex_mean = Hypothesis("strongly_convex_mean", "the expected loss is mu-strongly convex", Checked.BY_ENVIRONMENT)

_COMMON = (bounded_data, bounded_parameter, bounded_predictions, sub_gaussian_rewards, curved_actions, good_event)

REGRET_ORDER = Theorem(
    id="ldp_linucb_2024.regret_order",
    statement="The regret of Algorithm 1, up to logarithms; K_N stands for K_T.",
    source=source("Theorem 3.4"),
    hypotheses=_COMMON,
    bound=rate(
        sqrt(symbol(LEARNER_REGRET) + symbol(EXTRA_WIDTH)) * sqrt(2 * _T * _d * log(1 + _T / _d)),
        (HORIZON, DIMENSION, LEARNER_REGRET, EXTRA_WIDTH),
    ),
    findings=(findings.NOISY_POTENTIAL,),
)

REGRET_BY_WIDTH = Theorem(
    id="ldp_linucb_2024.regret_by_width",
    statement="The regret where all confidence sets hold the parameter, by the sum over rounds of min(1, |x_t|^2) in the norm of the "
    "inverse "
    "noisy Gram matrix.",
    source=source("[assembled] Theorem 3.4, first step"),
    hypotheses=(wide, bounded_data, plays_optimistically),
    bound=Bound(
        of=REGRET, sense=Sense.AT_MOST, cases=always(2 * sqrt(_w) * sqrt(_T * _phi)), given=(HORIZON, SQUARED_WIDTH, POTENTIAL_SUM)
    ),
    steps=(
        Step(
            id="round_of_a_long_action",
            sense=Sense.AT_MOST,
            left=Integer(2),
            right=2 * sqrt(_w),
            draw_order=(SQUARED_WIDTH,),
            domain=(Ge(_w, 1),),
            reason="the width is at least 1",
            ours=True,
            note="a round costs at most 2, by |<x, theta*>| <= 1",
        ),
    ),
)

# --- Lemma 3.5 and what it gives ------------------------------------------------------------------------------------------------------

LEARNER_REGRET_ORDER = Theorem(
    id="ldp_linucb_2024.learner_regret_order",
    statement="The regret of Maler on the losses of Algorithm 1, where the expected loss is mu-strongly convex.",
    source=source("Lemma 3.5, first display"),
    hypotheses=(strongly_convex_mean, bounded_predictions, good_event),
    bound=Bound(
        of=LEARNER_REGRET,
        sense=Sense.AT_MOST,
        cases=always((_G**2 / _mu + _G * _D) * log(_T) + _G**2 / _mu * log(1 / _beta)),
        given=(HORIZON, FAILURE, CLIPPING, PARAMETER_NORM, STRONG_CONVEXITY),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
)


def path_order(mu: Expr) -> Expr:
    """The second display of Lemma 3.5."""
    return (_G**2 / mu**2 + _G * _D / mu) * log(_T) + _G**2 / mu**2 * log(1 / _beta)


PATH_ORDER = Theorem(
    id="ldp_linucb_2024.path_order",
    statement="The sum over rounds of |theta_t - theta*|^2, with mu = 2 (lambda_min + Delta^2).",
    source=source("Lemma 3.5, second display, at section 3.1's mu"),
    hypotheses=(bent, curved_actions, bounded_predictions, good_event),
    bound=Bound(
        of=PATH,
        sense=Sense.AT_MOST,
        cases=always(path_order(2 * (_curvature + _injected**2))),
        given=(HORIZON, FAILURE, CLIPPING, PARAMETER_NORM, CURVATURE, INJECTED_SIGMA),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
        constants=Constants.SUPPRESSED,
    ),
    steps=(
        Step(
            id="solved_for_the_path",
            sense=Sense.AT_MOST,
            left=_x**2,
            right=2 / _mu * (_mu * _x**2 - _g * _x) + _g**2 / _mu**2,
            draw_order=(STRONG_CONVEXITY, LEVEL, RATIO),
            ours=True,
            note="mu S <= c + g sqrt(S) gives S <= 2 c/mu + (g/mu)^2, at S = x^2 and c = mu x^2 - g x; S is the path to the minimiser",
        ),
    ),
    findings=(loss_findings.MINIMISER, loss_findings.LENGTH_WITHOUT_DIMENSION),
)

PATH_FLOOR = Theorem(
    id="ldp_linucb_2024.path_floor",
    statement="The sum over rounds of |theta_t - theta*|^2 for a parameter of length D along an eigenvector of the second moment with "
    "eigenvalue "
    "lambda_min, whatever the learner, if its linearised regret is within Maler's first bound.",
    source=source("[assembled] section 3.1; derivation in the module"),
    hypotheses=(bent, unclipped),
    bound=Bound(
        of=PATH,
        sense=Sense.AT_LEAST,
        cases=always(
            _T * (_D * _injected**2 / (_curvature + _injected**2)) ** 2 / 2
            - (maler_convex() + 4 * _G * _D * sqrt(2 * _T * log(1 / _beta))) / (2 * (_curvature + _injected**2))
        ),
        given=(HORIZON, FAILURE, CLIPPING, PARAMETER_NORM, CURVATURE, INJECTED_SIGMA),
        mode=Mode.WITH_PROBABILITY,
        failure=FAILURE,
    ),
    steps=(
        Step(
            id="two_distances",
            sense=Sense.AT_LEAST,
            left=_x**2 + _g**2,
            right=(_x + _g) ** 2 / 2,
            draw_order=(RATIO, LEVEL),
            ours=True,
            note="distances of theta_t from theta* and from the minimiser, whose sum is at least b",
        ),
    ),
)

LEARNER_BOUND = Theorem(
    id="ldp_linucb_2024.learner_bound",
    statement="The bound M_T on the learner's regret, up to its constant, for beta >= 1/T.",
    source=source("section 3.1, after Lemma 3.5"),
    hypotheses=(bent,),
    bound=Bound(
        of=LEARNER_REGRET,
        sense=Sense.EQUALS,
        cases=always(symbol(LEARNER_CONSTANT) * learner_bound()),
        given=(HORIZON, CLIPPING, PARAMETER_NORM, CURVATURE, INJECTED_SIGMA, LEARNER_CONSTANT),
    ),
    steps=(
        Step(
            id="failure_above_inverse_horizon",
            sense=Sense.AT_MOST,
            left=log(1 / _beta),
            right=log(_T),
            draw_order=(HORIZON, FAILURE),
            domain=(Ge(_beta * _T, 1),),
            reason="the condition beta >= 1/T of Corollary 3.6",
        ),
    ),
)


def curvature_term(bend: Expr) -> Expr:
    """H = G^2/(lambda_min + Delta^2)^2 + G D/(lambda_min + Delta^2)."""
    return _G**2 / bend**2 + _G * _D / bend


CURVATURE_TERM_OF = Theorem(
    id="ldp_linucb_2024.curvature_term_of",
    statement="The abbreviation H.",
    source=source("section 3.1, before Corollary 3.6"),
    hypotheses=(bent,),
    bound=Bound(
        of=CURVATURE_TERM,
        sense=Sense.EQUALS,
        cases=always(curvature_term(_curvature + _injected**2)),
        given=(CLIPPING, PARAMETER_NORM, CURVATURE, INJECTED_SIGMA),
    ),
)

_K_GIVEN = (HORIZON, FAILURE, EPSILON, DELTA, PARAMETER_NORM, REWARD_SIGMA, INJECTED_SIGMA, CURVATURE_TERM)


def _extra(name: str, words: str, place: str, expression: Expr) -> Theorem:
    return Theorem(
        id=f"ldp_linucb_2024.{name}",
        statement=f"K_T after Lemma 3.5, for beta >= 1/T{words}; K_N stands for K_T.",
        source=source(place),
        hypotheses=(good_event,),
        bound=Bound(of=EXTRA_WIDTH, sense=Sense.AT_MOST, cases=always(expression), given=_K_GIVEN, constants=Constants.SUPPRESSED),
        findings=(loss_findings.MINIMISER,),
    )


_first_term = _D * _injected**2 * logarithm() * sqrt(_T * _H * log(_T))

EXTRA_WIDTH_INSERTED = _extra(
    "extra_width_inserted",
    "",
    "section 3.1, K_T",
    _first_term
    + (_R + _D * noise_over_epsilon() + _D * _injected) ** 2 * logarithm()
    + (noise_over_epsilon() ** 2 + _injected**2) * _H * log(_T) ** 2,
)
EXTRA_WIDTH_SIMPLIFIED = _extra(
    "extra_width_simplified",
    ", simplified",
    "section 3.1, 'Then:'",
    _first_term + (_R + _D * noise_over_epsilon()) ** 2 * logarithm() + noise_over_epsilon() ** 2 * _H * log(_T) ** 2,
)


def corollary_sum(injected: Expr, term: Expr) -> Expr:
    """The first display of Corollary 3.6, with the nested root."""
    bracket = (
        (_R + _D * noise_over_epsilon()) * sqrt(logarithm())
        + sqrt(_D * injected**2 * logarithm() * sqrt(_T * term * log(_T)))
        + log(_T) * sqrt(term) * noise_over_epsilon()
    )
    return bracket * sqrt(_d * _T * log(_T / _d))


_OF_REGRET = (HORIZON, DIMENSION, FAILURE, EPSILON, DELTA, PARAMETER_NORM, REWARD_SIGMA)

COROLLARY_SUM = Theorem(
    id="ldp_linucb_2024.corollary_sum",
    statement="The regret of Algorithm 1 with Maler, for beta >= 1/T and every lambda_min >= 0, first display.",
    source=source("Corollary 3.6, first display"),
    hypotheses=(more_rounds_than_features, *_COMMON),
    bound=rate(corollary_sum(_injected, _H), (*_OF_REGRET, INJECTED_SIGMA, CURVATURE_TERM)),
    findings=(findings.NESTED_ROOT, findings.LOGARITHM_AT_FEW_ROUNDS, findings.TERMS_LEFT_OUT, findings.FIRST_DISPLAY_IS_VACUOUS),
)

COROLLARY_FAVOURABLE = Theorem(
    id="ldp_linucb_2024.corollary_favourable",
    statement="The regret of Algorithm 1 with Maler, up to logarithms: the second entry of the minimum.",
    source=source("Corollary 3.6, 'O~(min{...})'; abstract; section 3.1"),
    hypotheses=_COMMON,
    bound=rate(sqrt(_d * _T) / (_epsilon * _positive), (HORIZON, DIMENSION, EPSILON, POSITIVE_CURVATURE)),
    findings=(findings.POWERS_OF_EPSILON, findings.LARGE_EPSILON, comparison_findings.BETTER_THAN_NON_PRIVATE),
)

COROLLARY_WORST = Theorem(
    id="ldp_linucb_2024.corollary_worst",
    statement="The regret of Algorithm 1 with Maler, up to logarithms: the first entry of the minimum, for lambda_min <= T^(-1/4).",
    source=source("Corollary 3.6, 'O~(min{...})'; abstract; section 3.1"),
    hypotheses=_COMMON,
    bound=rate(sqrt(_d) * _T ** Rational(3, 4) / _epsilon, (HORIZON, DIMENSION, EPSILON)),
    findings=(loss_findings.MINIMISER,),
)

# --- substituted --------------------------------------------------------------------------------------------------------------------


def _inserted(injected: Expr, bend: Expr) -> Expr:
    """The first display with G, sigma, Delta and H inserted."""
    length = clipping().subs({symbol(INJECTED_SIGMA): injected, symbol(CLIPPING_CONSTANT): Integer(1)}).subs(symbol(SIGMA), noise_scale())
    return corollary_sum(injected, curvature_term(bend).subs(_G, length))


def _substituted(name: str, words: str, expression: Expr, given: tuple[Quantity, ...]) -> Theorem:
    return Theorem(
        id=f"ldp_linucb_2024.{name}",
        statement=f"The first display of Corollary 3.6 with G, sigma, Delta and H inserted and every hidden constant 1, {words}.",
        source=source("[assembled] Corollary 3.6, first display"),
        hypotheses=(more_rounds_than_features,),
        bound=Bound(of=REGRET, sense=Sense.AT_MOST, cases=always(expression), given=given),
    )


FAVOURABLE_SUBSTITUTED = _substituted(
    "favourable_substituted", "without injected noise", _inserted(Integer(0), _positive), (*_OF_REGRET, POSITIVE_CURVATURE)
)
WORST_SUBSTITUTED = _substituted(
    "worst_substituted",
    "for lambda_min = 0 and Delta^2 = T^(-1/4)",
    _inserted(_T ** Rational(-1, 8), _T ** Rational(-1, 4)),
    _OF_REGRET,
)

REGRET_BY_LONG_PATH = Theorem(
    id="ldp_linucb_2024.regret_by_long_path",
    statement="What Theorem 3.4 gives for a path of D^2 T/4, by the third term of K_T alone, every hidden constant 1.",
    source=source("[assembled] Lemma 3.3 and Theorem 3.4"),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(noise_over_epsilon() * sqrt(logarithm() * _T) * _D / 2 * sqrt(2 * _T * _d * log(1 + _T / _d))),
        given=(HORIZON, DIMENSION, FAILURE, EPSILON, DELTA, PARAMETER_NORM),
    ),
)
