r"""The confidence set and the lines of its proof (locally private LinUCB, 2024; Lemma 3.3, Appendix A).

Main statements
    GOOD_EVENT              Appendix A and Lemma A.1
    EXTRA_WIDTH_OF          Lemma 3.3: K_N, explicit up to its constant gamma
    CONFIDENCE_SET          Lemma 3.3, with the lines of its proof, (5) and (6)
    RIDGE                   the identity behind the ellipsoid
    LITERAL_WIDTH           [assembled] the squared width that a learner can compute: M_N + K_N with Lemma 3.5's bound on the path

Notation            e = theta* - theta_t, z = r_t + eta_y, l = log(T/beta)

Derivations
    (5). With x~ = x + zeta + eta and y~ = <x, theta*> + z, l_t(theta_t) - l_t(theta*) = <x, theta_t - theta*>^2 - (A + B + C + D + E).
    LITERAL_WIDTH keeps log T in the learner's regret and in the bound on the path for every N; only the N beside the path under the root
    is N.
"""

from sympy import Expr, log, sqrt

from banditproof.glossary import (
    DELTA,
    EPSILON,
    FAILURE,
    HORIZON,
    LEVEL,
    PARAMETER_NORM,
    RATIO,
    REWARD_SIGMA,
    ROUND,
    SIGMA,
    THRESHOLD,
)
from banditproof.glossary.ldp_linucb_2024 import (
    CLIPPING,
    CURVATURE,
    EXTRA_WIDTH,
    FEATURE,
    FEATURE_NOISE,
    INJECTED_NOISE,
    INJECTED_SIGMA,
    LEARNER_CONSTANT,
    LEARNER_REGRET,
    NOISY_FEATURE,
    PARAMETER,
    PATH,
    PATH_CONSTANT,
    PREDICTION,
    RESPONSE_NOISE,
    SQUARED_WIDTH,
    WIDTH_CONSTANT,
)
from banditproof.theory.language import Bound, Sense, Source, Step, Theorem, always, symbol
from banditproof.theory.papers.ldp_linucb_2024.findings import confidence as findings
from banditproof.theory.papers.ldp_linucb_2024.loss import bent
from banditproof.theory.papers.ldp_linucb_2024.setting import (
    bounded_data,
    bounded_parameter,
    bounded_predictions,
    good_event,
    source,
    sub_gaussian_rewards,
)

_T, _N, _beta, _epsilon, _delta = symbol(HORIZON), symbol(ROUND), symbol(FAILURE), symbol(EPSILON), symbol(DELTA)
_D, _R, _injected, _curvature = symbol(PARAMETER_NORM), symbol(REWARD_SIGMA), symbol(INJECTED_SIGMA), symbol(CURVATURE)
_gamma, _path, _regret, _G = symbol(WIDTH_CONSTANT), symbol(PATH), symbol(LEARNER_REGRET), symbol(CLIPPING)
_x, _zeta, _eta, _z = symbol(FEATURE), symbol(INJECTED_NOISE), symbol(FEATURE_NOISE), symbol(RESPONSE_NOISE)
_theta, _star, _sigma, _noisy = symbol(PREDICTION), symbol(PARAMETER), symbol(SIGMA), symbol(NOISY_FEATURE)
_s, _a, _b = symbol(RATIO), symbol(THRESHOLD), symbol(LEVEL)


def logarithm() -> Expr:
    """l = log(T/beta)."""
    return log(_T / _beta)


def noise_over_epsilon() -> Expr:
    """sqrt(log(1/delta))/epsilon, for which the proof writes sigma."""
    return sqrt(log(1 / _delta)) / _epsilon


def extra_width(rounds: Expr, path: Expr) -> Expr:
    """K_N over gamma."""
    return (
        _D * _injected**2 * logarithm() * sqrt(rounds * path)
        + (_R + _D * noise_over_epsilon() + _D * _injected) ** 2 * logarithm()
        + (noise_over_epsilon() ** 2 + _injected**2) * logarithm() * path
    )


def learner_bound() -> Expr:
    """M_T over its constant: (G^2/(lambda_min + Delta^2) + G D) log T."""
    return (_G**2 / (_curvature + _injected**2) + _G * _D) * log(_T)


def path_bound() -> Expr:
    """The bound of Lemma 3.5 on the path, over its constant, with mu = 2 (lambda_min + Delta^2)."""
    mu = 2 * (_curvature + _injected**2)
    return (_G**2 / mu**2 + _G * _D / mu) * log(_T) + _G**2 / mu**2 * log(1 / _beta)


GOOD_EVENT = Theorem(
    id="ldp_linucb_2024.good_event",
    statement="The good event, on which a small number of martingale bounds hold at once, has high probability.",
    source=source("Appendix A and Lemma A.1, as section 3 describes them"),
    not_checkable="the event and its probability are in the appendix, which the text at hand does not have",
    findings=(findings.NO_APPENDIX,),
)

_GIVEN = (
    ROUND,
    HORIZON,
    FAILURE,
    EPSILON,
    DELTA,
    PARAMETER_NORM,
    REWARD_SIGMA,
    INJECTED_SIGMA,
)

EXTRA_WIDTH_OF = Theorem(
    id="ldp_linucb_2024.extra_width_of",
    statement="What the squared width has beside the learner's regret.",
    source=source("Lemma 3.3, K_N"),
    bound=Bound(
        of=EXTRA_WIDTH,
        sense=Sense.EQUALS,
        cases=always(_gamma * extra_width(_N, _path)),
        given=(*_GIVEN, PATH, WIDTH_CONSTANT),
    ),
)

_A = -2 * ((_zeta + _eta) * _theta - _z) * _x * (_theta - _star)
_B = 2 * _z * (_zeta + _eta) * (_theta - _star)
_C = (_zeta * _star) ** 2 - (_zeta * _theta) ** 2
_E_TERM = -(_theta - _star) * (_eta**2 - _sigma**2) * (_theta + _star)
_D_TERM = 2 * _zeta * _star * _eta * _star - 2 * _zeta * _theta * _eta * _theta


def _noisy_loss(theta: Expr) -> Expr:
    return ((_x + _zeta + _eta) * theta - _x * _star - _z) ** 2 - _sigma**2 * theta**2


CONFIDENCE_SET = Theorem(
    id="ldp_linucb_2024.confidence_set",
    statement="The squared distance of the parameter from the centre, in the norm of the noisy Gram matrix of the rounds before N; for "
    "every N "
    "at once.",
    source=source("Lemma 3.3"),
    hypotheses=(bounded_data, bounded_parameter, bounded_predictions, sub_gaussian_rewards, good_event),
    bound=Bound(
        of=SQUARED_WIDTH,
        sense=Sense.AT_MOST,
        cases=always(_regret + _gamma * extra_width(_N, _path)),
        given=(*_GIVEN, PATH, LEARNER_REGRET, WIDTH_CONSTANT),
    ),
    steps=(
        Step(
            id="loss_expanded",
            sense=Sense.EQUALS,
            left=_noisy_loss(_theta) - _noisy_loss(_star),
            right=(_x * (_theta - _star)) ** 2 - (_A + _B + _C + _D_TERM + _E_TERM),
            draw_order=(FEATURE, PREDICTION, PARAMETER, INJECTED_NOISE, FEATURE_NOISE, RESPONSE_NOISE, SIGMA),
            note="(5) before it is summed, for one feature, with C_t squared as in the display after (6)",
        ),
        Step(
            id="injected_terms",
            sense=Sense.EQUALS,
            left=_C + _D_TERM,
            right=_zeta * (_star - _theta) * _zeta * (_star + _theta)
            + 2 * (_star - _theta) * _zeta * _eta * (_star - _theta)
            + 2 * _theta * _zeta * _eta * (_star - _theta)
            + 2 * (_star - _theta) * _zeta * _eta * _theta,
            draw_order=(PREDICTION, PARAMETER, INJECTED_NOISE, FEATURE_NOISE),
            note="the sum of C_t and D_t, for one feature, with eta_x where r_t is printed",
        ),
        Step(
            id="sum_of_two_rounds",
            sense=Sense.AT_MOST,
            left=(_s + _a) ** 2,
            right=2 * (_s**2 + _a**2),
            draw_order=(RATIO, THRESHOLD),
            note="Cauchy-Schwarz for two rounds: the sum of |theta_t - theta*| is at most sqrt(N S_N)",
        ),
        Step(
            id="root_solved",
            sense=Sense.AT_MOST,
            left=_s**2,
            right=2 * (_s**2 - _b * _s) + _b**2,
            draw_order=(LEVEL, RATIO),
            ours=True,
            note="x <= c + a sqrt(x) gives x <= 2 c + a^2, at x the square of the first letter and c = x - a sqrt(x)",
        ),
        Step(
            id="set_holds_the_parameter",
            sense=Sense.AT_MOST,
            left=_D**2 + _path,
            right=_path,
            draw_order=(PARAMETER_NORM, PATH),
            note="on the left what the ellipsoid of the proof compares with M_N + K_N at theta*: |theta*|^2 and the sum of squared "
            "predictions (S_N stands for it here); on the right the sum alone, which the line before bounds by M_N + K_N",
        ),
    ),
    findings=(
        findings.SQUARED_LENGTH_LEFT_OUT,
        findings.WEIGHT_OF_THE_LEARNER,
        findings.WIDTH_NEEDS_THE_PARAMETER,
        findings.NOISE_OF_THE_REWARD,
        findings.SQUARE_OF_C,
        findings.NOISE_LETTER,
        findings.LAST_ROUND_OF_THE_SUM,
    ),
)

_weight = 1 + _noisy**2
_centre = _noisy**2 * _theta / _weight

RIDGE = Theorem(
    id="ldp_linucb_2024.ridge",
    statement="|theta|^2 and the squared differences of predictions add up to the squared distance from the ridge estimate in the norm of "
    "the "
    "Gram matrix, and their value at the ridge estimate.",
    source=Source("abbasi2012online", "Theorem 1, proof", "AISTATS 2012"),
    not_checkable="an identity for vectors; its step is one feature and one round, and tests draw vectors and rounds",
    steps=(
        Step(
            id="one_round",
            sense=Sense.EQUALS,
            left=_star**2 + (_noisy * (_theta - _star)) ** 2,
            right=_weight * (_star - _centre) ** 2 + _centre**2 + (_noisy * (_theta - _centre)) ** 2,
            draw_order=(NOISY_FEATURE, PREDICTION, PARAMETER),
            note="the centre is x~^2 theta_t/(1 + x~^2)",
        ),
    ),
)

LITERAL_WIDTH = Theorem(
    id="ldp_linucb_2024.literal_width",
    statement="The squared width in round N with Lemma 3.5's bound for the path, all hidden constants as parameters.",
    source=source("[assembled] Lemmas 3.3 and 3.5; derivation in the module"),
    hypotheses=(bent,),
    bound=Bound(
        of=SQUARED_WIDTH,
        sense=Sense.EQUALS,
        cases=always(symbol(LEARNER_CONSTANT) * learner_bound() + _gamma * extra_width(_N, symbol(PATH_CONSTANT) * path_bound())),
        given=(*_GIVEN, CURVATURE, CLIPPING, WIDTH_CONSTANT, LEARNER_CONSTANT, PATH_CONSTANT),
    ),
)
