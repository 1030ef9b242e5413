"""The Private Bandits Combiner: upper confidence bounds over base learners, each an Algorithm 1 or its anytime variant (Algorithm 2).

In each round the base learner with the largest U plays, and it alone hears the report,

    U = mean of its noisy rewards + min(1, (C n^alpha + rad(n)) / n) - R / T,

with n its own rounds so far. It is removed once its noisy rewards fall short of its own running means by C n^alpha + rad(n) in total. By
default there are M = 1 + ceil(log2(T^(1/8))) of them: the anytime variant, and Algorithm 1 with the guesses 2^(i - 1) T^(-1/8) of
lambda_min and no injection; the putative regrets C, alpha and R are those of Theorem 4.1 (sheet `ldp_linucb_2024`, section 6; Cutkosky, Das
and Purohit 2020).

Readings. U uses the rounds before this one; a removal acts from the next round on; of equal U the first learner plays; log n is ln max(n,
e); where all would be removed the last one stays. One `factor` p serves U and the test, 3 sqrt(8) by default. With messages in batches one
base learner plays a whole batch. The anytime variant follows its own restarts. `playing.combined.play_combined` takes any policies as base
learners, in plain Python.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from banditproof import glossary
from banditproof.algorithms.mechanisms.local_row import LocalRow
from banditproof.algorithms.policies.common import row_size
from banditproof.algorithms.policies.locally_private_lin_ucb import constants
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative
from banditproof.algorithms.policies.locally_private_lin_ucb.kernels import KERNELS, State
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import ALGORITHM_1, Anytime, PrivateOnlineLinUCB
from banditproof.algorithms.policies.locally_private_lin_ucb.state import Combination, state_of
from banditproof.guarantees import require
from banditproof.interaction import Kernels
from banditproof.typical import Instance, Values, between

BaseLearner = PrivateOnlineLinUCB | Anytime


@dataclass(frozen=True)
class Combiner:
    """Algorithm 2 over `bases`, or over the paper's grid, whose members are `base` with other curvatures and thresholds.

    `anytime_factor` is P and `guess_factor` P' of Theorem 4.1, 1 by default since the paper does not print them; `putatives` replace what
    Theorem 4.1 says. All base learners share the randomiser, so they need one epsilon, delta and calibration, and one width, reading and
    `truth`. It releases the sums of the base learner of the next round, and its index. Raises ValueError on other values.
    """

    base: PrivateOnlineLinUCB = ALGORITHM_1
    bases: tuple[BaseLearner, ...] | None = None
    putatives: tuple[Putative, ...] | None = None
    factor: float = 3.0 * math.sqrt(8.0)
    anytime_factor: float = 1.0
    guess_factor: float = 1.0
    failure: float | None = None
    theorems: tuple[str, ...] = field(default=("ldp_linucb_2024.general_rate",), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "base": Instance(PrivateOnlineLinUCB, {}),
        "bases": (None,),
        "putatives": (None,),
        "factor": between(0.1, 10.0),
        "anytime_factor": between(0.1, 10.0),
        "guess_factor": between(0.1, 10.0),
    }

    def __post_init__(self) -> None:
        for name, value in (("factor", self.factor), ("anytime_factor", self.anytime_factor), ("guess_factor", self.guess_factor)):
            require(0.0 < value < math.inf, f"{name} = {value}: must be > 0 and finite")
        if self.failure is not None:
            glossary.FAILURE.require(self.failure)
        if self.bases is None:
            require(self.putatives is None, "putatives: must go with `bases`")
            return
        require(len(self.bases) >= 1, "bases: must be at least one")
        require(self.putatives is None or len(self.putatives) == len(self.bases), "putatives: must be as many as the bases")
        constants.require_putatives(self.putatives or ())
        names = ("epsilon", "delta", "calibration", "theta_clash", "width", "truth", "planned_horizon", "failure")
        shared = {tuple(getattr(own, name) for name in names) for own in map(_own, self.bases)}
        require(len(shared) == 1, f"bases: must share {', '.join(names)}")

    def randomiser(self, *, clips: bool = True) -> LocalRow:
        """The part of the pipeline that makes the user's message private."""
        return self._common().randomiser(clips=clips)

    def guarantee(self) -> None:
        return None

    def _common(self) -> PrivateOnlineLinUCB:
        return self.base if self.bases is None else _own(self.bases[0])

    def learners(self, horizon: int) -> tuple[BaseLearner, ...]:
        """The base learners for the constants of this horizon."""
        if self.bases is not None:
            return self.bases
        planned_horizon, _ = self.base.plan(horizon)
        smallest = constants.default_threshold(planned_horizon, 0.125)
        guesses = [constants.guess(index, planned_horizon) for index in range(2, constants.base_learners(planned_horizon) + 1)]
        return Anytime(replace(self.base, curvature=smallest)), *(
            replace(self.base, curvature=each, threshold=smallest) for each in guesses
        )

    def believed(self, dimension: int, horizon: int) -> tuple[Putative, ...]:
        """C, alpha and R of each base learner. Raises ValueError where a guess of `bases` is 0, which Theorem 4.1 divides by."""
        if self.putatives is not None:
            return self.putatives
        planned_horizon, failure = self._common().plan(horizon)
        rounds, found = max(planned_horizon, 2), []
        for each in self.learners(horizon):
            if isinstance(each, Anytime):
                own = constants.anytime_putative(each.base.epsilon, dimension=dimension, horizon=rounds, factor=self.anytime_factor)
            else:
                own = constants.guessing_putative(
                    each.epsilon, each.curvature, dimension=dimension, horizon=rounds, factor=self.guess_factor
                )
            found.append(own)
        return constants.targets(tuple(found), horizon=rounds, failure=failure if self.failure is None else self.failure)

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """Fresh arrays. Raises ValueError where `truth` has another dimension than the environment."""
        dimension = row_size(arms, dimension)
        planned_horizon, failure = self._common().plan(horizon)
        combination = Combination(self.believed(dimension, horizon), self.factor, failure if self.failure is None else self.failure)
        epochs = tuple(each.epochs(horizon, dimension) for each in self.learners(horizon))
        return state_of(epochs, self._common(), dimension, arms, planned_horizon, combination)

    def message_width(self, dimension: int) -> int:
        return self._common().message_width(dimension)

    def statistic_width(self, arms: int, dimension: int) -> int:
        return self._common().statistic_width(arms, dimension) + 1


def _own(learner: BaseLearner) -> PrivateOnlineLinUCB:
    """The Algorithm 1 that a base learner runs."""
    return learner.base if isinstance(learner, Anytime) else learner
