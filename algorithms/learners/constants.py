"""The parameters and regret bounds of the online learners (Wang, Lu and Zhang, UAI 2019, and online gradient descent).

Written from the sheet `ldp_linucb_2024`, sections 3.1 and 3.2, which marks learning rates,
priors and the bounds with A_s and A_l as rebuilt.
Letters: D = parameter_norm is the radius of the ball, D_M = 2 D its diameter, G = gradient_bound, T = horizon, n = `last_rate(T)`,
l_T = `prior_term(T)`. All logarithms are natural unless a base is written.
"""

import math

import numpy as np

from banditproof import glossary
from banditproof.guarantees import require
from banditproof.interaction import Floats


def diameter(parameter_norm: float) -> float:
    """D_M = 2 D: the largest distance of two points of the ball."""
    return 2.0 * glossary.PARAMETER_NORM.require(parameter_norm)


def require_gradient_bound(gradient_bound: float) -> float:
    """G itself. Raises ValueError unless it is positive and finite."""
    require(0.0 < gradient_bound < math.inf, f"gradient_bound = {gradient_bound}: must be > 0 and finite (largest length of a gradient)")
    return gradient_bound


def last_rate(horizon: int) -> int:
    """n = ceil(log2(T) / 2): each curved family has the learning rates 0, ..., n. In whole numbers: the least n with 4^n >= T."""
    return ((int(glossary.HORIZON.require(horizon)) - 1).bit_length() + 1) // 2


def experts(horizon: int) -> int:
    """Experts in total: 1 + 2 (n + 1), 19 at T = 20000."""
    return 1 + 2 * (last_rate(horizon) + 1)


def convex_rate(gradient_bound: float, parameter_norm: float, horizon: int) -> float:
    """eta^c = 1 / (2 G D_M sqrt(T))."""
    scale = require_gradient_bound(gradient_bound) * diameter(parameter_norm)
    return 1.0 / (2.0 * scale * math.sqrt(glossary.HORIZON.require(horizon)))


def grid_rate(index: int, gradient_bound: float, parameter_norm: float) -> float:
    """eta_i = 2^-i / (5 G D_M), i = 0, ..., n, shared by the two curved families. Raises ValueError unless index >= 0."""
    require(index >= 0, f"index = {index}: must be an integer >= 0 (a learning rate)")
    return 2.0**-index / (5.0 * require_gradient_bound(gradient_bound) * diameter(parameter_norm))


def prior_constant(horizon: int) -> float:
    """C_pi = 1 + 1 / (1 + n): with it the priors of a curved family sum to 1/3 exactly."""
    return 1.0 + 1.0 / (1.0 + last_rate(horizon))


def grid_prior(index: int, horizon: int) -> float:
    """pi_1 of the expert i of a curved family: C_pi / (3 (i + 1) (i + 2)). Raises ValueError unless 0 <= index <= n."""
    last = last_rate(horizon)
    require(0 <= index <= last, f"index = {index}: must be >= 0 and <= {last} (a learning rate)")
    return prior_constant(horizon) / (3.0 * (index + 1) * (index + 2))


CONVEX_PRIOR = 1.0 / 3.0  # pi_1^c


def newton_constant(parameter_norm: float) -> float:
    """b = min{1 / (4 G_l D_M), 1} / 2 with G_l = 7 / (25 D_M): 25/56 for every D."""
    width = diameter(parameter_norm)
    return 0.5 * min(1.0 / (4.0 * (7.0 / (25.0 * width)) * width), 1.0)


def first_metric(parameter_norm: float) -> float:
    """The multiple 1 / (b^2 D_M^2) of the identity that A_1 of an exp-concave expert is."""
    return 1.0 / (newton_constant(parameter_norm) * diameter(parameter_norm)) ** 2


def rates(gradient_bound: float, parameter_norm: float, horizon: int) -> Floats:
    """Learning rates of all experts, (1 + 2 (n + 1),): the convex one, the strongly convex family, the exp-concave family."""
    grid = [grid_rate(index, gradient_bound, parameter_norm) for index in range(last_rate(horizon) + 1)]
    return np.array([convex_rate(gradient_bound, parameter_norm, horizon), *grid, *grid])


def priors(horizon: int) -> Floats:
    """Prior weights in the same order; they sum to 1."""
    grid = [grid_prior(index, horizon) for index in range(last_rate(horizon) + 1)]
    return np.array([CONVEX_PRIOR, *grid, *grid])


def prior_term(horizon: int) -> float:
    """l_T = 2 ln(sqrt(3) (log2(T) / 2 + 3)), at least ln(1 / pi_1) of every expert of a curved family."""
    return 2.0 * math.log(math.sqrt(3.0) * (0.5 * math.log2(glossary.HORIZON.require(horizon)) + 3.0))


def strongly_convex_term(horizon: int) -> float:
    """A_s = l_T + 1 + ln T (assembled on the sheet)."""
    return prior_term(horizon) + 1.0 + math.log(horizon)


def exp_concave_term(horizon: int, dimension: int) -> float:
    """A_l = l_T + 10 d ln T (rebuilt on the sheet, from memory)."""
    return prior_term(horizon) + 10.0 * glossary.DIMENSION.require(dimension) * math.log(horizon)


def convex_regret(gradient_bound: float, parameter_norm: float, horizon: int) -> float:
    """Maler's bound (2 ln 3 + 2) G D_M sqrt(T) on the sum of <g_t, theta_t - u>, for every u in the ball."""
    scale = require_gradient_bound(gradient_bound) * diameter(parameter_norm)
    return (2.0 * math.log(3.0) + 2.0) * scale * math.sqrt(glossary.HORIZON.require(horizon))


def curved_regret(variation: float, term: float, gradient_bound: float, parameter_norm: float) -> float:
    """Maler's bound 3 sqrt(V A) + 10 G D_M A on the same sum.

    V = `variation` is V_s = G^2 sum |theta_t - u|^2 with A = `strongly_convex_term`, or V_l = sum <g_t, theta_t - u>^2 with A =
    `exp_concave_term`. Raises ValueError unless V >= 0.
    """
    require(variation >= 0.0, f"variation = {variation}: must be >= 0")
    return 3.0 * math.sqrt(variation * term) + 10.0 * require_gradient_bound(gradient_bound) * diameter(parameter_norm) * term


def strongly_convex_regret(curvature: float, gradient_bound: float, parameter_norm: float, horizon: int) -> float:
    """Maler's regret (9 G^2 / (2 mu) + 10 G D_M) A_s where every loss is mu-strongly convex, mu = `curvature`."""
    require(curvature > 0.0, f"curvature = {curvature}: must be > 0 (strong convexity)")
    scale = 9.0 * require_gradient_bound(gradient_bound) ** 2 / (2.0 * curvature) + 10.0 * gradient_bound * diameter(parameter_norm)
    return scale * strongly_convex_term(horizon)


def ogd_convex_regret(gradient_bound: float, parameter_norm: float, horizon: int) -> float:
    """Bound 3/2 G D_M sqrt(T) of gradient descent with steps D_M / (G sqrt(t))."""
    return 1.5 * require_gradient_bound(gradient_bound) * diameter(parameter_norm) * math.sqrt(glossary.HORIZON.require(horizon))


def ogd_strongly_convex_regret(curvature: float, gradient_bound: float, horizon: int) -> float:
    """Bound G^2 (1 + ln T) / (2 mu) of gradient descent with steps 1 / (mu t), where every loss is mu-strongly convex."""
    require(curvature > 0.0, f"curvature = {curvature}: must be > 0 (strong convexity)")
    return require_gradient_bound(gradient_bound) ** 2 / (2.0 * curvature) * (1.0 + math.log(glossary.HORIZON.require(horizon)))
