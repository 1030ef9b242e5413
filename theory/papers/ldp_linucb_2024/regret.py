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
    WEAK_DIRECTION          a regret of the order T^(7/8) where noise is injected
Other floors (ours)
    FIRST_ROUND             a regret that no epsilon removes
    EXPLORING_ROUNDS        the regret while the width exceeds the root of the noisy Gram matrix
    PATH_OF_ANY_LEARNER     what messages about d features allow, whoever learns from them

Derivations
    PATH_FLOOR. Let u be the minimiser of E l, b = |u - theta*| = D Delta^2/(lambda_min + Delta^2) (loss.py) along an eigenvector with
    eigenvalue lambda_min. For mu-strongly convex E l, mu |theta_t - u|^2 <= <grad, theta_t - u>; the sum over rounds is at most Maler's
    first bound
    against u, plus a martingale with steps of at most 4 G D (Azuma): (4 log 3 + 4) G D sqrt(T) + 4 G D sqrt(2 T log(1/beta)), where no
    gradient is clipped. (The constant is that of the rebuilt Maler; what is used is the order sqrt(T), which
    section 3.2 states.) And |theta_t - theta*|^2 >= b^2/2 - |theta_t - u|^2.
    FIRST_ROUND. d = 1, D_t = {-1, 1}, D <= 1: lambda_min = 1 whatever is played. In round 1 nothing is known and the action does not
    depend on
    the parameter, D or -D; for one of the two it costs 2 D.
    WEAK_DIRECTION. s = T^(-1/8)/2, theta* = (1, 1)/sqrt(2), D_t = {e_1} or {(s/2) e_1, s e_2}, each with probability 1/2; lambda_min is at
    most s^2/2 = Delta^2/8 < T^(-1/4), so Delta^2 = T^(-1/4). Every x_t lies on an axis; let a_t <= Delta^2/8 be the conditional mean of
    x_2^2, z the second component of theta_t and q that of theta*. Against u = (q, 0) the mean linearised loss of a round is at least
    -Delta^4 from the first component, and from the second 2 (a_t + Delta^2) z^2 - 2 a_t q z >= Delta^2 (2 z_+^2 - q z_+/4). Its sum up to
    n in [T/2, T] is at most of the order G sqrt(T) (Maler's first bound and Azuma, no gradient clipped), which is o(Delta^2 T). By
    convexity the mean of z_+ is at most q/8 + o(1); the first components have mean square distance o(1) from q. The centre is, up to
    o(1), the mean of the predictions with weights sigma^2 + Delta^2 + E x_i^2 in component i: at most q/8 + o(1) in the second, q + o(1)
    in the first. The width over the root of sigma^2 n is o(1), by the printed M_T and K_T. So (s/2) e_1 is played from round T/2 on,
    where s e_2 is better by s/(2 sqrt(2)): regret of (T/4) s/(2 sqrt(2)) up to o(1), T^(7/8)/(16 sqrt(2)).
    EXPLORING_ROUNDS. d = 1, D_t = {1, 1/2}, theta* = -1, so lambda_min >= 1/4 whatever is played. The centre is a mean of predictions
    with weights x~^2 and one 0 with weight 1, so it is above -1, and x = 1 is played, for regret 1/2, wherever w/sqrt(V~) >= 1. By Markov
    V~_T <= 2 (1 + T (1 + sigma^2)) with probability at least 1/2. At T = epsilon^(-4) the printed K_T is of the order
    G^2/epsilon^2 = sigma^4/epsilon^2 times log(T)^4 or more, and T sigma^2 of the order epsilon^(-6): whatever the constants, the width
    is large enough from some T on.
    PATH_OF_ANY_LEARNER. One action per round, x_t ~ N(0, I/(2 d)), theta* ~ N(0, I/(2 d)), both of length at most 1 except with
    probability exp(-c d). Given x~_t the reward's mean is known up to <E[x_t | x~_t], theta*>, of variance at most 1/(8 d^2 sigma^2), under
    noise of variance at least sigma^2: a message has at most 1/(16 d^2 sigma^4) nats about theta* (and less than that, by a power of d,
    about its length). So every estimate after t messages has mean square error at least exp(-t/(8 d^3 sigma^4))/2 (entropy power), and
    up to T = d^3 sigma^4 rounds the path has mean at least 4 (1 - exp(-1/8)) T = 0.47 T; stated with 2/5 for the terms left out. As the
    path is at most 4 D^2 T, it is at least T/5 with probability at least 1/20.
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
two_actions = Hypothesis(
    "two_actions", "one feature, the actions -1 and 1, the parameter is D or -D, at random, and D <= 1", Checked.BY_ENVIRONMENT
)

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

_settled = Hypothesis(
    "settled", "T is so large that width, learner's regret and sampling errors are small beside the gap of the instance", Checked.ASSUMED
)
_weak_contexts = Hypothesis(
    "weak_contexts",
    "D_t is {e_1} or {(s/2) e_1, s e_2}, each with probability 1/2, s = T^(-1/8)/2, theta* = (1, 1)/sqrt(2), Delta^2 = T^(-1/4)",
    Checked.BY_ENVIRONMENT,
)
_one_and_a_half = Hypothesis("one_and_a_half", "one feature, the actions 1 and 1/2, and the parameter -1", Checked.BY_ENVIRONMENT)
_wide_beside_noise = Hypothesis("wide_beside_noise", "the squared width is at least 2 (1 + T (1 + sigma^2)) up to round T", Checked.ASSUMED)
_one_gaussian_action = Hypothesis(
    "one_gaussian_action",
    "one action per round and the parameter are drawn from N(0, I/(2 d)), d is large, and T is at most d^3 sigma^4",
    Checked.BY_ENVIRONMENT,
)

WEAK_DIRECTION = Theorem(
    id="ldp_linucb_2024.weak_direction",
    statement="The regret of Algorithm 1 with the printed M_T and K_T where one of two features is weak, with high probability.",
    source=source("[assembled] Algorithm 1; derivation in the module"),
    hypotheses=(_weak_contexts, unclipped, _settled),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(_T ** Rational(7, 8) / (16 * sqrt(2))), given=(HORIZON,)),
)

EXPLORING_ROUNDS = Theorem(
    id="ldp_linucb_2024.exploring_rounds",
    statement="The regret of Algorithm 1 while its width is larger than the root of the noisy Gram matrix, with probability at least 1/2.",
    source=source("[assembled] Algorithm 1; derivation in the module"),
    hypotheses=(_one_and_a_half, _wide_beside_noise),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(_T / 2), given=(HORIZON,)),
)

PATH_OF_ANY_LEARNER = Theorem(
    id="ldp_linucb_2024.path_of_any_learner",
    statement="The mean, over a random parameter, of the sum of |theta_t - theta*|^2, whatever the learner does with the messages.",
    source=source("[assembled] Algorithm 1; derivation in the module"),
    hypotheses=(_one_gaussian_action,),
    bound=Bound(of=PATH, sense=Sense.AT_LEAST, cases=always(2 * _T / 5), given=(HORIZON,), mode=Mode.IN_EXPECTATION),
)

FIRST_ROUND = Theorem(
    id="ldp_linucb_2024.first_round",
    statement="The regret of any learner for one of two parameters, D and -D, with curvature 1.",
    source=source("[assembled] section 2; derivation in the module"),
    hypotheses=(two_actions,),
    bound=Bound(of=REGRET, sense=Sense.AT_LEAST, cases=always(2 * _D), given=(PARAMETER_NORM,)),
)
