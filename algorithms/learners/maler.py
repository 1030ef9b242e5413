"""Maler (Wang, Lu and Zhang, UAI 2019): one learner for convex, strongly convex and exp-concave losses, without knowing which they are.

Experts of three kinds run side by side, each on a surrogate loss of its own; the point that is played is their average with weights pi eta,
and each pi is multiplied by exp(-surrogate loss) in every round. `kernels` has the formulas, `constants` the parameters and bounds, both
from the sheet `ldp_linucb_2024`, section 3.1, which marks the learning rates, priors and curved bounds as rebuilt.
"""

import math
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.learners import constants
from banditproof.algorithms.learners.common import arrays_of, checked, linear_loss
from banditproof.algorithms.learners.kernels import update
from banditproof.algorithms.learners.protocol import MALER, Arrays, Plan
from banditproof.guarantees import require
from banditproof.interaction import Floats


class Maler(NamedTuple):
    """Maler with the parameters of the sheet, each times a recorded factor: 1 is the sheet's.

    `rate_factor` multiplies all learning rates eta, `newton_factor` the constant b of the exp-concave experts.
    """

    rate_factor: float = 1.0
    newton_factor: float = 1.0

    def start(self, plan: Plan) -> Arrays:
        """Fresh arrays. Raises ValueError on a plan outside the domains, and on factors that are not > 0 and finite."""
        for name, factor in self._asdict().items():
            require(0.0 < factor < math.inf, f"{name} = {factor}: must be > 0 and finite (of the sheet's value)")
        newton = constants.newton_constant(plan.parameter_norm) * self.newton_factor
        settings = np.array([constants.require_gradient_bound(plan.gradient_bound), plan.parameter_norm, newton, 0.0])
        rates = self.rate_factor * constants.rates(plan.gradient_bound, plan.parameter_norm, plan.horizon)
        return arrays_of(MALER, plan.dimension, settings, rates, constants.priors(plan.horizon), self.metric(plan.parameter_norm))

    def metric(self, parameter_norm: float) -> float:
        """The multiple of the identity that A_1 of an exp-concave expert is."""
        return constants.first_metric(parameter_norm) / self.newton_factor**2

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
        """The bound that holds for all gradients: (2 ln 3 + 2) G D_M sqrt(T). `constants` has those for curved losses."""
        return constants.convex_regret(plan.gradient_bound, plan.parameter_norm, plan.horizon)
