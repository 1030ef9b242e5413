"""Online gradient descent on the ball: theta_(t+1) is the projection of theta_t - s_t g_t (sheet `ldp_linucb_2024`, section 3.2)."""

import math
from enum import Enum
from typing import NamedTuple, assert_never

import numpy as np

from banditproof import glossary
from banditproof.algorithms.learners import constants
from banditproof.algorithms.learners.common import arrays_of, checked, linear_loss
from banditproof.algorithms.learners.kernels import update
from banditproof.algorithms.learners.protocol import HARMONIC_STEP, ROOT_STEP, Arrays, Plan
from banditproof.guarantees import require
from banditproof.interaction import Floats


class Step(Enum):
    """How long the step s_t is."""

    CONVEX = "convex"  # D_M / (G sqrt(t))
    STRONGLY_CONVEX = "strongly_convex"  # 1 / (mu t), mu = `value`
    ROOT = "root"  # `value` / sqrt(t)
    HARMONIC = "harmonic"  # `value` / t


class OGD(NamedTuple):
    """Online gradient descent. `value` is mu, or the free step; Step.CONVEX does not use it."""

    step: Step = Step.CONVEX
    value: float = 1.0

    def start(self, plan: Plan) -> Arrays:
        """Fresh arrays. Raises ValueError unless value > 0, and on a plan outside the domains."""
        constants.diameter(plan.parameter_norm)
        glossary.HORIZON.require(plan.horizon)
        settings = np.array([constants.require_gradient_bound(plan.gradient_bound), plan.parameter_norm, 1.0, self.length(plan)])
        return arrays_of(self.rule(), plan.dimension, settings, np.ones(1), np.ones(1), 1.0)

    def rule(self) -> int:
        """The kernels' code: whether steps shrink as 1 / sqrt(t) or as 1 / t."""
        match self.step:
            case Step.CONVEX | Step.ROOT:
                return ROOT_STEP
            case Step.STRONGLY_CONVEX | Step.HARMONIC:
                return HARMONIC_STEP
            case _:
                assert_never(self.step)

    def length(self, plan: Plan) -> float:
        """The first step, s_1."""
        require(0.0 < self.value < math.inf, f"value = {self.value}: must be > 0 and finite (a curvature, or a step)")
        match self.step:
            case Step.CONVEX:
                return constants.diameter(plan.parameter_norm) / constants.require_gradient_bound(plan.gradient_bound)
            case Step.STRONGLY_CONVEX:
                return 1.0 / self.value
            case Step.ROOT | Step.HARMONIC:
                return self.value
            case _:
                assert_never(self.step)

    def predict(self, arrays: Arrays) -> Floats:
        """theta_t, a copy, (d,)."""
        return arrays.point.copy()

    def loss(self, arrays: Arrays, gradient: Floats, comparator: Floats) -> float:
        """The linear loss <g_t, theta_t - u> of this round against u = comparator."""
        return linear_loss(arrays, gradient, comparator)

    def update(self, arrays: Arrays, gradient: Floats) -> None:
        """Takes the gradient at the current point, whose length must be at most G. Raises ValueError unless it is finite, (d,)."""
        update(arrays, checked(gradient, arrays.point.shape[0]))

    def regret(self, plan: Plan) -> float:
        """3/2 G D_M sqrt(T), or G^2 (1 + ln T) / (2 mu) where every loss is mu-strongly convex; infinite for a free step."""
        match self.step:
            case Step.CONVEX:
                return constants.ogd_convex_regret(plan.gradient_bound, plan.parameter_norm, plan.horizon)
            case Step.STRONGLY_CONVEX:
                return constants.ogd_strongly_convex_regret(self.value, plan.gradient_bound, plan.horizon)
            case Step.ROOT | Step.HARMONIC:
                return math.inf
            case _:
                assert_never(self.step)
