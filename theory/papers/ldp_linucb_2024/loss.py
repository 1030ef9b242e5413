r"""The loss of the online learner, its gradient and its expectation (locally private LinUCB, 2024; section 3, section 3.1, Algorithm 1).

Main statements
    LOSS, GRADIENT          definitions, (3) and Algorithm 1
    LOSS_DIFFERENCE         the exact identity between loss, gradient and squared prediction
    STRONG_CONVEXITY_OF     section 3.1: mu = 2 (lambda_min + Delta^2)
    MINIMISER               section 3: the parameter minimises the expected loss; false where noise is injected for curvature
    MINIMISER_COMPONENT, MINIMISER_DISTANCE   [assembled] where the minimiser is
    INJECTED_VARIANCE       Algorithm 1: when curvature is injected
    CLIPPING_LENGTH         Algorithm 1: G
    NOISE_LENGTH            [assembled] the squared length of the noise of an action
    CONVEX_IS_ENOUGH        section 3: convex in expectation gives O(sqrt(T)) and then T^(3/4)
    EXPERIMENT_MOMENT       [assembled] the curvature of uniform play in the experiment

Derivations
    MINIMISER_COMPONENT. x~ = x + zeta + eta and y~ = <x, theta*> + noise, and Sigma is the covariance of eta alone. With S = E x x^T,
    E l(theta) = |theta - theta*|_S^2 + Delta^2 |theta|^2 + a constant: zeta is in x~ and not in the reward. The gradient
    2 S (theta - theta*) + 2 Delta^2 theta is 0 at (S + Delta^2 I)^(-1) S theta*. Along an eigenvector of S with eigenvalue lambda that is
    the
    component lambda/(lambda + Delta^2) of theta*. With Sigma = (sigma^2 + Delta^2) I instead, theta* is the minimiser, and the curvature is
    that of S alone: injected noise bends the loss exactly as far as it moves its minimiser.
    NOISE_LENGTH. |eta|^2 is sigma^2 times a chi-square variable with d degrees of freedom.
    EXPERIMENT_MOMENT. x = (u, 1)/sqrt(2), u uniform on the unit sphere of d - 1 dimensions: E x x^T is diagonal, 1/(2 (d - 1)) and 1/2.
"""

from sympy import Expr, Ge, Gt, Le, Rational, log, sqrt

from banditproof.glossary import DIMENSION, FAILURE, HORIZON, PARAMETER_NORM, RADIUS, RATIO, REGRET, SIGMA
from banditproof.glossary.ldp_linucb_2024 import (
    CLIPPING,
    CLIPPING_CONSTANT,
    CURVATURE,
    CURVATURE_THRESHOLD,
    INJECTED_SIGMA,
    MINIMISER_RATIO,
    NOISY_FEATURE,
    NOISY_REWARD,
    PARAMETER,
    PREDICTION,
    STRONG_CONVEXITY,
)
from banditproof.theory.hypotheses import fresh_gaussian_noise
from banditproof.theory.language import Bound, Case, Checked, Constants, Hypothesis, Mode, Sense, Step, Theorem, always, symbol
from banditproof.theory.papers.ldp_linucb_2024.findings import loss as findings
from banditproof.theory.papers.ldp_linucb_2024.setting import bounded_data, bounded_parameter, bounded_predictions, curved_actions, source

_T, _beta, _sigma, _d = symbol(HORIZON), symbol(FAILURE), symbol(SIGMA), symbol(DIMENSION)
_curvature, _injected, _threshold, _D = symbol(CURVATURE), symbol(INJECTED_SIGMA), symbol(CURVATURE_THRESHOLD), symbol(PARAMETER_NORM)
_feature, _reward, _theta, _star = symbol(NOISY_FEATURE), symbol(NOISY_REWARD), symbol(PREDICTION), symbol(PARAMETER)
_x = symbol(RATIO)

bent = Hypothesis("bent", "lambda_min + Delta^2 > 0", Checked.BY_VALUE, Gt(_curvature + _injected**2, 0))
two_features = Hypothesis("two_features", "d >= 2", Checked.BY_VALUE, Ge(_d, 2))
uniform_play = Hypothesis(
    "uniform_play", "actions are (u, 1)/sqrt(2), u uniform on the unit sphere, and are played without looking at them", Checked.ASSUMED
)


def _loss(theta: Expr) -> Expr:
    return (_feature * theta - _reward) ** 2 - _sigma**2 * theta**2


def _gradient() -> Expr:
    return 2 * _feature * (_feature * _theta - _reward) - 2 * _sigma**2 * _theta


LOSS = Theorem(
    id="ldp_linucb_2024.loss",
    statement="The loss of round t is (<x~_t, theta> - y~_t)^2 - |theta|^2 in the norm of Sigma, the covariance of the action's privacy "
    "noise.",
    source=source("section 3 and Algorithm 1"),
    not_checkable="a definition",
    findings=(findings.ARGUMENT_OF_THE_LOSS,),
)

GRADIENT = Theorem(
    id="ldp_linucb_2024.gradient",
    statement="The gradient at the learner's prediction is 2 x~_t (<x~_t, theta_t> - y~_t) - 2 Sigma theta_t; a gradient longer than G is "
    "shortened to G.",
    source=source("Algorithm 1"),
    not_checkable="a definition",
    findings=(findings.TWO_PARAMETERS,),
)

LOSS_DIFFERENCE = Theorem(
    id="ldp_linucb_2024.loss_difference",
    statement="l_t(theta_t) - l_t(theta*) is <g_t, theta_t - theta*> less <x~_t, theta_t - theta*>^2 plus |theta_t - theta*|^2 in the "
    "norm of "
    "Sigma.",
    source=source("[assembled] section 3.1, the loss's Taylor expansion at the prediction"),
    not_checkable="an identity for vectors; its step is one feature, and tests draw vectors",
    steps=(
        Step(
            id="one_feature",
            sense=Sense.EQUALS,
            left=_loss(_theta) - _loss(_star),
            right=_gradient() * (_theta - _star) - (_feature * (_theta - _star)) ** 2 + _sigma**2 * (_theta - _star) ** 2,
            draw_order=(NOISY_FEATURE, NOISY_REWARD, PREDICTION, PARAMETER, SIGMA),
            ours=True,
        ),
    ),
)

STRONG_CONVEXITY_OF = Theorem(
    id="ldp_linucb_2024.strong_convexity_of",
    statement="The expected loss is strongly convex with this constant.",
    source=source("section 3.1, after 'nabla^2 L'"),
    hypotheses=(curved_actions, bent),
    bound=Bound(of=STRONG_CONVEXITY, sense=Sense.EQUALS, cases=always(2 * (_curvature + _injected**2)), given=(CURVATURE, INJECTED_SIGMA)),
)

MINIMISER = Theorem(
    id="ldp_linucb_2024.minimiser",
    statement="With the added regulariser the parameter minimises the expected loss.",
    source=source("section 3, 'theta* becomes the minimizer'"),
    hypotheses=(curved_actions,),
    not_checkable="a claim on vectors; audited along one eigenvector of the second moment",
    findings=(findings.MINIMISER,),
)

MINIMISER_COMPONENT = Theorem(
    id="ldp_linucb_2024.minimiser_component",
    statement="The component of the expected loss's minimiser along an eigenvector of the second moment of actions, over that of the "
    "parameter; lambda_min stands for the eigenvalue.",
    source=source("[assembled] section 3.1; derivation in the module"),
    hypotheses=(bent,),
    bound=Bound(
        of=MINIMISER_RATIO,
        sense=Sense.EQUALS,
        cases=always(_curvature / (_curvature + _injected**2)),
        given=(CURVATURE, INJECTED_SIGMA),
    ),
    steps=(
        Step(
            id="least_value",
            sense=Sense.AT_LEAST,
            left=_curvature * (_x - 1) ** 2 + _injected**2 * _x**2,
            right=_curvature * _injected**2 / (_curvature + _injected**2),
            draw_order=(CURVATURE, INJECTED_SIGMA, RATIO),
            domain=(Gt(_curvature + _injected**2, 0),),
            ours=True,
            note="the value on the right is that of x = lambda_min/(lambda_min + Delta^2)",
        ),
    ),
)

MINIMISER_DISTANCE = Theorem(
    id="ldp_linucb_2024.minimiser_distance",
    statement="The distance of the expected loss's minimiser from a parameter of length D along an eigenvector with eigenvalue lambda_min.",
    source=source("[assembled] section 3.1; derivation in the module"),
    hypotheses=(bent,),
    bound=Bound(
        of=RADIUS,
        sense=Sense.EQUALS,
        cases=always(_D * _injected**2 / (_curvature + _injected**2)),
        given=(PARAMETER_NORM, CURVATURE, INJECTED_SIGMA),
    ),
)

INJECTED_VARIANCE = Theorem(
    id="ldp_linucb_2024.injected_variance",
    statement="The standard deviation of the noise that Algorithm 1 adds to the action for curvature.",
    source=source("Algorithm 1, initialisation"),
    bound=Bound(
        of=INJECTED_SIGMA,
        sense=Sense.EQUALS,
        cases=(Case(Le(_curvature, _threshold), sqrt(_threshold)), Case(Gt(_curvature, _threshold), 0 * _threshold)),
        given=(CURVATURE, CURVATURE_THRESHOLD),
    ),
)

# --- the clipping length ----------------------------------------------------------------------------------------------------------------


def clipping() -> Expr:
    """G, with L = log(2 T/beta)."""
    logarithm, constant = log(2 * _T / _beta), symbol(CLIPPING_CONSTANT)
    single = 2 * _D * _sigma + 2 * _sigma + _D * _injected + _injected
    double = (
        2 * _D * _injected**2
        + 4 * _D * _injected * _sigma
        + 2 * _injected * _sigma
        + 2 * _D * _sigma**2
        + 2 * _sigma**2
        + _D * constant * _sigma**2
    )
    return 2 * sqrt(2 * logarithm) * single + 2 * logarithm * double + 2 * _D + 2


CLIPPING_LENGTH = Theorem(
    id="ldp_linucb_2024.clipping_length",
    statement="The length to which gradients are shortened.",
    source=source("Algorithm 1, 'Set clipping constant G'"),
    bound=Bound(
        of=CLIPPING,
        sense=Sense.EQUALS,
        cases=always(clipping()),
        given=(HORIZON, FAILURE, SIGMA, INJECTED_SIGMA, PARAMETER_NORM, CLIPPING_CONSTANT),
    ),
    findings=(findings.LENGTH_WITHOUT_DIMENSION, findings.MISSING_TERM),
)

NOISE_LENGTH = Theorem(
    id="ldp_linucb_2024.noise_length",
    statement="The root mean square of the length of the privacy noise of an action.",
    source=source("[assembled] Algorithm 1; derivation in the module"),
    hypotheses=(fresh_gaussian_noise,),
    bound=Bound(of=RADIUS, sense=Sense.EQUALS, cases=always(_sigma * sqrt(_d)), given=(DIMENSION, SIGMA), mode=Mode.IN_EXPECTATION),
)

CONVEX_IS_ENOUGH = Theorem(
    id="ldp_linucb_2024.convex_is_enough",
    statement="That the loss is convex in expectation gives learner regret of the order sqrt(T), and in turn this regret, up to "
    "logarithms.",
    source=source("section 3, 'which is sufficient to guarantee an O(sqrt(T)) regret'; section 3.2, 'O(D sqrt(T))'"),
    hypotheses=(bounded_data, bounded_parameter, bounded_predictions),
    bound=Bound(
        of=REGRET,
        sense=Sense.AT_MOST,
        cases=always(_T ** Rational(3, 4)),
        given=(HORIZON,),
        constants=Constants.SUPPRESSED,
    ),
    findings=(findings.CONVEX_WITHOUT_PATH,),
)

EXPERIMENT_MOMENT = Theorem(
    id="ldp_linucb_2024.experiment_moment",
    statement="The curvature of uniform play in the experiment's setting, where arms are redrawn in every round.",
    source=source("[assembled] section 5; derivation in the module"),
    hypotheses=(two_features, uniform_play),
    bound=Bound(of=CURVATURE, sense=Sense.EQUALS, cases=always(1 / (2 * (_d - 1))), given=(DIMENSION,)),
)
