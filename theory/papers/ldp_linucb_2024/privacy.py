r"""The privacy of one message (locally private LinUCB, 2024): Theorem 3.2, its noise, and the exact privacy of what a user sends.

Main statements
    NOISE_SCALE             Algorithm 1: the noise of the action and of the reward
    ACTION_SENSITIVITY, REWARD_SENSITIVITY   the two lines before 'Gaussian mechanism'
    PART_PRIVACY            the noisy action alone, and the noisy reward alone: the classic mechanism, with its range
    PRIVACY                 Theorem 3.2: the noise that makes the whole message private, repaired
    POST_PROCESSED          the gradient and the parameter, which are computed from the noisy pair
Exact accounting (ours)
    MESSAGE_LEVEL, PART_LEVEL, EXPERIMENT_LEVEL      the level m of Gaussian privacy of the pair, of one part, on the data of section 5
    MESSAGE_PROFILE, PART_PROFILE, EXPERIMENT_PROFILE   the least delta at epsilon, with the printed noise
    MESSAGE_CALIBRATION, WASTE   the least noise for the pair; the printed one over it

What is wrong in print: findings/privacy.py.

Derivations
    MESSAGE_LEVEL. The message is the pair (x~, y~) and functions of it and of what the server sent. Two users hold (x, y) and (x', y'); the
    log ratio of the two Gaussian densities is Gaussian with m^2 = |x - x'|^2/(sigma^2 + Delta^2) + (y - y')^2/sigma^2, at most
    4/(sigma^2 + Delta^2) + 4/sigma^2, which x' = -x, y' = -y of lengths 1 attain. Without injected noise m is 2 sqrt(2)/sigma.
    EXPERIMENT_LEVEL. Actions are (u, 1)/sqrt(2) with |u| = 1 and rewards are 0 or 1: |x - x'|^2 <= 2, |y - y'| <= 1.
    PRIVACY. One Gaussian mechanism of sensitivity 2 sqrt(2); for epsilon >= 1 by concentrated privacy, epsilon = rho + 2 sqrt(rho
    log(1/delta)).
"""

from sympy import Expr, Ge, Integer, Lt, Rational, log, sqrt

from banditproof.glossary import DELTA, EPSILON, MU, OTHER_UNIT_RATIO, RATIO, REQUIRED_SIGMA, SENSITIVITY, SIGMA, TOTAL_EPSILON, UNIT_RATIO
from banditproof.glossary.ldp_linucb_2024 import INJECTED_SIGMA, TRUE_DELTA
from banditproof.theory.hypotheses import fresh_gaussian_noise, processing_sees_the_release_alone, real_arithmetic
from banditproof.theory.language import Bound, Case, Checked, Hypothesis, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers import balle_wang_2018
from banditproof.theory.papers.balle_wang_2018 import exact_mu
from banditproof.theory.papers.ldp_linucb_2024.findings import privacy as findings
from banditproof.theory.papers.ldp_linucb_2024.setting import bounded_data, source

_epsilon, _delta, _sigma, _injected = symbol(EPSILON), symbol(DELTA), symbol(SIGMA), symbol(INJECTED_SIGMA)
_mu, _u, _v = symbol(MU), symbol(UNIT_RATIO), symbol(OTHER_UNIT_RATIO)
_l = log(1 / _delta)

experiment_data = Hypothesis("experiment_data", "actions are (u, 1)/sqrt(2) with |u| = 1, and rewards are 0 or 1", Checked.BY_ENVIRONMENT)


def noise_scale() -> Expr:
    """sigma, printed: 2 sqrt(2 log(1.25/delta))/epsilon."""
    return classic(Integer(2))


def classic(sensitivity: Expr) -> Expr:
    """The classic calibration: S sqrt(2 log(1.25/delta))/epsilon."""
    return sensitivity * sqrt(2 * log(Rational(5, 4) / _delta)) / _epsilon


def concentrated(sensitivity: Expr) -> Expr:
    """The standard deviation at which rho + 2 sqrt(rho log(1/delta)) is epsilon, rho = S^2/(2 sigma^2)."""
    return sensitivity * (sqrt(_l + _epsilon) + sqrt(_l)) / (sqrt(2) * _epsilon)


def profile_at(level: Expr) -> Expr:
    """The least delta at epsilon of a Gaussian mechanism of this level."""
    expression = balle_wang_2018.GAUSSIAN_PROFILE.stated().cases[0].expression
    return expression.subs({symbol(SENSITIVITY): level, symbol(SIGMA): Integer(1)})


def message_level(action: Expr, reward: Expr, noise: Expr) -> Expr:
    """m, for squared changes of the action and of the reward."""
    return sqrt(action / (noise**2 + _injected**2) + reward / noise**2)


def _sufficient(sensitivity: Expr, finding: str) -> tuple[Case, ...]:
    return (
        Case(Lt(_epsilon, 1), classic(sensitivity)),
        Case(Ge(_epsilon, 1), concentrated(sensitivity), added=finding),
    )


_GIVEN = (EPSILON, DELTA)

NOISE_SCALE = Theorem(
    id="ldp_linucb_2024.noise_scale",
    statement="The standard deviation of the noise of each coordinate of the action, and of the reward.",
    source=source("Algorithm 1, initialisation"),
    bound=Bound(of=SIGMA, sense=Sense.EQUALS, cases=always(noise_scale()), given=_GIVEN),
)

ACTION_SENSITIVITY = Theorem(
    id="ldp_linucb_2024.action_sensitivity",
    statement="Two users' actions differ by at most this, in Euclidean length.",
    source=source("Theorem 3.2, proof"),
    hypotheses=(bounded_data,),
    bound=Bound(of=SENSITIVITY, sense=Sense.AT_MOST, cases=always(2), given=()),
    steps=(
        Step(
            id="two_actions",
            sense=Sense.AT_MOST,
            left=_u**2 + _v**2 + 2 * _u * _v,
            right=Integer(4),
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            note="opposite actions of lengths u and v",
        ),
    ),
)

REWARD_SENSITIVITY = Theorem(
    id="ldp_linucb_2024.reward_sensitivity",
    statement="Two users' rewards differ by at most this.",
    source=source("Theorem 3.2, proof"),
    hypotheses=(bounded_data,),
    bound=Bound(of=SENSITIVITY, sense=Sense.AT_MOST, cases=always(2), given=()),
)

PART_PRIVACY = Theorem(
    id="ldp_linucb_2024.part_privacy",
    statement="Noise of this standard deviation makes the noisy action alone, and the noisy reward alone, (epsilon, delta)-locally "
    "private.",
    source=source("Theorem 3.2, proof, 'by the classic Gaussian Mechanism'"),
    hypotheses=(bounded_data, fresh_gaussian_noise, real_arithmetic),
    bound=Bound(of=REQUIRED_SIGMA, sense=Sense.AT_MOST, cases=_sufficient(Integer(2), "classic_range"), given=_GIVEN),
    published=Bound(of=REQUIRED_SIGMA, sense=Sense.AT_MOST, cases=always(noise_scale()), given=_GIVEN),
    findings=(findings.CLASSIC_RANGE, findings.CLASSIC_SOURCE),
)

PRIVACY = Theorem(
    id="ldp_linucb_2024.privacy",
    statement="Noise of this standard deviation on the action and on the reward makes a user's whole message (epsilon, delta)-locally "
    "private.",
    source=source("Theorem 3.2"),
    hypotheses=(bounded_data, fresh_gaussian_noise, processing_sees_the_release_alone, real_arithmetic),
    bound=Bound(of=REQUIRED_SIGMA, sense=Sense.AT_MOST, cases=_sufficient(2 * sqrt(2), "whole_message"), given=_GIVEN),
    published=Bound(of=REQUIRED_SIGMA, sense=Sense.AT_MOST, cases=always(noise_scale()), given=_GIVEN),
    findings=(findings.WHOLE_MESSAGE,),
    steps=(
        Step(
            id="squared_changes_add",
            sense=Sense.AT_MOST,
            left=4 * _u + 4 * _v,
            right=Integer(8),
            draw_order=(UNIT_RATIO, OTHER_UNIT_RATIO),
            ours=True,
            note="the squared change of the pair (x, y): shares u and v of the largest squared changes, 4 each",
        ),
    ),
)

POST_PROCESSED = Theorem(
    id="ldp_linucb_2024.post_processed",
    statement="The clipped gradient and the parameters have the privacy of the noisy actions and rewards that they are computed from.",
    source=source("Theorem 3.2, proof, 'by post-processing'"),
    hypotheses=(processing_sees_the_release_alone,),
    bound=Bound(of=TOTAL_EPSILON, sense=Sense.AT_MOST, cases=always(_epsilon), given=(EPSILON,)),
    findings=(findings.CURRENT_ROUND,),
)

# --- exact accounting -------------------------------------------------------------------------------------------------------------------

_OF_NOISE = (SIGMA, INJECTED_SIGMA)
_EXACT = (bounded_data, fresh_gaussian_noise, processing_sees_the_release_alone, real_arithmetic)
_MESSAGE = (Integer(4), Integer(4))
_EXPERIMENT = (Integer(2), Integer(1))

MESSAGE_LEVEL = Theorem(
    id="ldp_linucb_2024.message_level",
    statement="The Gaussian privacy of a user's whole message, exactly.",
    source=source("[assembled] Theorem 3.2 and Algorithm 1; derivation in the module"),
    hypotheses=_EXACT,
    bound=Bound(of=MU, sense=Sense.EQUALS, cases=always(message_level(*_MESSAGE, _sigma)), given=_OF_NOISE),
    steps=(
        Step(
            id="injected_noise_helps",
            sense=Sense.AT_MOST,
            left=message_level(*_MESSAGE, _sigma),
            right=2 * sqrt(2) / _sigma,
            draw_order=_OF_NOISE,
            ours=True,
            note="with equality without injected noise",
        ),
    ),
)

PART_LEVEL = Theorem(
    id="ldp_linucb_2024.part_level",
    statement="The Gaussian privacy of the noisy reward alone, or of the noisy action alone without injected noise, exactly.",
    source=source("[assembled] Theorem 3.2 and Algorithm 1; derivation in the module"),
    hypotheses=_EXACT,
    bound=Bound(of=MU, sense=Sense.EQUALS, cases=always(2 / _sigma), given=(SIGMA,)),
)

EXPERIMENT_LEVEL = Theorem(
    id="ldp_linucb_2024.experiment_level",
    statement="The Gaussian privacy of a user's whole message on the data of the experiment, exactly.",
    source=source("[assembled] section 5 and Algorithm 1; derivation in the module"),
    hypotheses=(experiment_data, *_EXACT),
    bound=Bound(of=MU, sense=Sense.EQUALS, cases=always(message_level(*_EXPERIMENT, _sigma)), given=_OF_NOISE),
)

_PROFILED = (EPSILON, DELTA, INJECTED_SIGMA)


def _profile(name: str, words: str, level: Expr, hypotheses: tuple[Hypothesis, ...]) -> Theorem:
    return Theorem(
        id=f"ldp_linucb_2024.{name}",
        statement=f"The least delta of {words} at epsilon, with the noise that is printed for (epsilon, delta).",
        source=source("[assembled] Theorem 3.2, from the exact Gaussian profile"),
        hypotheses=hypotheses,
        bound=Bound(
            of=TRUE_DELTA,
            sense=Sense.EQUALS,
            cases=always(profile_at(level)),
            given=_PROFILED if level.has(_injected) else _GIVEN,
        ),
    )


MESSAGE_PROFILE = _profile("message_profile", "a user's whole message", message_level(*_MESSAGE, noise_scale()), _EXACT)
PART_PROFILE = _profile("part_profile", "one part alone, without injected noise,", 2 / noise_scale(), _EXACT)
EXPERIMENT_PROFILE = _profile(
    "experiment_profile",
    "a user's whole message on the experiment's data",
    message_level(*_EXPERIMENT, noise_scale()),
    (experiment_data, *_EXACT),
)

MESSAGE_CALIBRATION = Theorem(
    id="ldp_linucb_2024.message_calibration",
    statement="The least standard deviation that makes a user's whole message (epsilon, delta)-locally private, without injected noise.",
    source=source("[assembled] Theorem 3.2, from message_level and the exact Gaussian profile"),
    hypotheses=_EXACT,
    bound=Bound(of=REQUIRED_SIGMA, sense=Sense.EQUALS, cases=always(2 * sqrt(2) / _mu), given=_GIVEN, where=(exact_mu,)),
)

PART_CALIBRATION = Theorem(
    id="ldp_linucb_2024.part_calibration",
    statement="The least standard deviation that makes one part alone (epsilon, delta)-locally private, without injected noise.",
    source=source("[assembled] Theorem 3.2, from part_level and the exact Gaussian profile"),
    hypotheses=_EXACT,
    bound=Bound(of=REQUIRED_SIGMA, sense=Sense.EQUALS, cases=always(2 / _mu), given=_GIVEN, where=(exact_mu,)),
)

WASTE = Theorem(
    id="ldp_linucb_2024.waste",
    statement="The printed standard deviation over the least one for the whole message, without injected noise.",
    source=source("[assembled] Theorem 3.2, from message_calibration"),
    hypotheses=_EXACT,
    bound=Bound(of=RATIO, sense=Sense.EQUALS, cases=always(noise_scale() * _mu / (2 * sqrt(2))), given=_GIVEN, where=(exact_mu,)),
)
