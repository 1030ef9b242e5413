"""Private Online LinUCB: locally private linear bandits whose confidence sets come from an online learner (sheet `ldp_linucb_2024`).

Round t (Algorithm 1): the user plays the arm with the largest <theta^_t, x> + w_t |x| in the norm of V~^-1, and sends x~ = x + noise,
y~ = y + noise, and the clipped gradient at theta_t of the loss (<x~, theta> - y~)^2 - sigma^2 |theta|^2. The server feeds the gradient to
an online learner, whose next prediction is theta_(t+1), and updates V~ += x~ x~' and u~ += <theta_t, x~> x~; theta^ = V~^-1 u~. So u~ is
made of the learner's predictions: the response acts through the gradient alone.

`Anytime` restarts it with horizons 1, 2, 4, ... (Algorithm 7). `combiner.Combiner` chooses among several (Algorithm 2). The noise is that
of `local_row.LocalRow`, a part of the pipeline: `randomiser()` gives the one that fits, and the policy itself draws nothing.

Readings (the paper leaves them open).
- theta_t is the learner's prediction. `theta_clash`: the optimistic parameter overwrites it, for audits; then the gradient depends on the
  clean x, and the whole message is no longer private.
- The learner does not need lambda_min = `curvature`, the width and the injection do. `threshold` is T^(-1/4) by default.
- R is the sub-Gaussian scale of a reward's noise: 1/2 for rewards in {0, 1}.
- The widths need S_N, which holds theta*: its bound stands for it. `Width.ORACLE` uses S_N itself, and needs `truth`.
- Constants are those of `planned_horizon`, by default the run's horizon; a run may go on longer.
- Without contexts the arms are the unit vectors of R^K; the arm is known to the server, which computes the gradient itself.
- Without a client randomiser nothing is private: the server computes the gradient from the raw message, with no negative regulariser.
- Where messages come in batches, all gradients of a batch are taken at one point, and an epoch ends with a batch.
- Where rounding leaves V~ indefinite the first arm is played.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, assert_never

from banditproof import glossary
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD
from banditproof.algorithms.learners.protocol import Plan as LearnerPlan
from banditproof.algorithms.mechanisms.gram.noise import packed
from banditproof.algorithms.mechanisms.local_row import Calibration, LocalRow, raw_width
from banditproof.algorithms.policies.common import row_size
from banditproof.algorithms.policies.locally_private_lin_ucb import constants
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Hidden, Radius, Width
from banditproof.algorithms.policies.locally_private_lin_ucb.kernels import DIAGNOSTICS, KERNELS, State
from banditproof.algorithms.policies.locally_private_lin_ucb.state import Epoch, state_of
from banditproof.guarantees import require
from banditproof.interaction import Kernels
from banditproof.typical import Instance, Values, between, whole_numbers


class Problem(NamedTuple):
    """What the radius and the learner take from the problem: D, and R."""

    parameter_norm: float = 1.0
    reward_sigma: float = 0.5


UNIT_PROBLEM = Problem()  # unit features and parameter, rewards in {0, 1}
_MALER, _NO_HIDDEN = Maler(), Hidden()
_LEARNERS: Values = (_MALER, Instance(OGD, {"value": between(0.01, 10.0)}))


@dataclass(frozen=True)
class PrivateOnlineLinUCB:
    """Algorithm 1. It releases V~ (packed), u~ and theta after each batch.

    `failure` is beta, 1 / planned_horizon by default. `truth` is theta*, for diagnosis: then six numbers stand behind the statistic, the
    `kernels.Diagnostics`, at which the policy does not look, and with Width.ORACLE it is used.

    By itself the policy is not private: guarantee and neighbours are those of `randomiser()`. Raises ValueError on other values.
    """

    epsilon: float = 1.0
    delta: float = 0.1
    calibration: Calibration = Calibration.EXACT
    learner: Maler | OGD = _MALER
    curvature: float = 0.0
    threshold: float | None = None
    problem: Problem = UNIT_PROBLEM
    failure: float | None = None
    planned_horizon: int | None = None
    width: Width = Width.LITERAL
    scale: float = 1.0
    hidden: Hidden = _NO_HIDDEN
    theta_clash: bool = False
    truth: tuple[float, ...] | None = None
    theorems: tuple[str, ...] = field(default=("ldp_linucb_2024.regret_order", "ldp_linucb_2024.confidence_set"), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "calibration": (Calibration.PUBLISHED, Calibration.SPLIT, Calibration.EXACT),
        "learner": _LEARNERS,
        "curvature": (0.0, between(0.0, 1.0)),
        "threshold": (None, between(0.01, 1.0)),
        "problem": Instance(Problem, dict.fromkeys(Problem._fields, between(0.1, 10.0))),
        "planned_horizon": (None, whole_numbers(1, 10**6)),
        "width": (Width.LITERAL, Width.SCALED, Width.CONST),  # an oracle has the size of one environment
        "scale": between(0.0, 10.0),
        "hidden": Instance(Hidden, dict.fromkeys(Hidden._fields, between(0.1, 10.0))),
        "truth": (None,),
    }

    def __post_init__(self) -> None:
        self.sigma()
        constants.require_curvature(self.curvature)
        constants.injection(self.curvature, 1.0 if self.threshold is None else self.threshold)
        for name, bound in (*self.problem._asdict().items(), *self.hidden._asdict().items()):
            require(0.0 < bound < math.inf, f"{name} = {bound}: must be > 0 and finite")
        require(0.0 <= self.scale < math.inf, f"scale = {self.scale}: must be >= 0 and finite (of the width)")
        if self.failure is not None:
            glossary.FAILURE.require(self.failure)
        if self.planned_horizon is not None:
            glossary.HORIZON.require(self.planned_horizon)
        fits = self.width is not Width.ORACLE or self.truth is not None
        require(fits, "width = oracle: must have `truth` (the true path of the learner)")
        require(self.truth is None or all(map(math.isfinite, self.truth)), f"truth = {self.truth}: must be finite numbers (theta*)")

    def sigma(self) -> float:
        """Noise on each number of x and on y; also sigma of the loss. Raises ValueError where the calibration does not reach."""
        return self.randomiser().sigma()

    def randomiser(self, *, clips: bool = True) -> LocalRow:
        """The part of the pipeline that makes the user's message private."""
        return LocalRow(self.epsilon, self.delta, self.calibration, clips)

    def guarantee(self) -> None:
        return None

    def plan(self, horizon: int) -> tuple[int, float]:
        """T and beta of the constants, for a run of `horizon` rounds."""
        planned_horizon = horizon if self.planned_horizon is None else self.planned_horizon
        return planned_horizon, 1.0 / max(planned_horizon, 2) if self.failure is None else self.failure

    def injection(self, horizon: int) -> float:
        """Delta, the standard deviation of the curvature injection, for constants of this horizon."""
        return constants.injection(self.curvature, constants.default_threshold(horizon) if self.threshold is None else self.threshold)

    def gradient_bound(self, horizon: int, failure: float) -> float:
        """G, for constants of this horizon and beta."""
        return constants.gradient_bound(
            self.sigma(),
            self.injection(horizon),
            parameter_norm=self.problem.parameter_norm,
            horizon=horizon,
            failure=failure,
            clipping=self.hidden.clipping,
        )

    def radius(self, horizon: int, failure: float) -> tuple[Radius, float]:
        """The squared literal radius as a function of N and S_N, and the bound that stands for S_N."""
        bound, injected, norm = self.gradient_bound(horizon, failure), self.injection(horizon), self.problem.parameter_norm
        terms = constants.confidence_terms(
            self.epsilon,
            self.delta,
            injected,
            parameter_norm=norm,
            reward_sigma=self.problem.reward_sigma,
            horizon=horizon,
            failure=failure,
            gamma=self.hidden.gamma,
        )
        learner = constants.learner_bound(
            bound, self.curvature, injected, parameter_norm=norm, horizon=horizon, constant=self.hidden.learner
        )
        path = constants.path_bound(
            bound, self.curvature, injected, parameter_norm=norm, horizon=horizon, failure=failure, constant=self.hidden.path
        )
        return terms._replace(base=terms.base + learner), path

    def epoch(self, horizon: int, failure: float, dimension: int, end: float = math.inf) -> Epoch:
        """Everything that a run with constants of this horizon and beta is told; `end` is the own round at which it stops."""
        bound, (radius, path) = self.gradient_bound(horizon, failure), self.radius(horizon, failure)
        match self.width:
            case Width.LITERAL | Width.ORACLE:
                scale = 1.0
            case Width.SCALED:
                scale = self.scale
            case Width.CONST:
                radius, scale = Radius(1.0, 0.0, 0.0), self.scale
            case _:
                assert_never(self.width)
        plan = LearnerPlan(dimension, horizon, self.problem.parameter_norm, bound)
        metric = self.learner.metric(self.problem.parameter_norm) if isinstance(self.learner, Maler) else 1.0
        return Epoch(end, self.learner.start(plan), self.injection(horizon), radius, path, scale, metric)

    def epochs(self, horizon: int, dimension: int) -> tuple[Epoch, ...]:
        """One, without an end."""
        return (self.epoch(*self.plan(horizon), dimension),)

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """Fresh arrays. Raises ValueError where `truth` has another dimension than the environment."""
        dimension = row_size(arms, dimension)
        return state_of((self.epochs(horizon, dimension),), self, dimension, arms, horizon)

    def message_width(self, dimension: int) -> int:
        return raw_width(dimension)

    def statistic_width(self, arms: int, dimension: int) -> int:
        dimension = row_size(arms, dimension)
        return packed(dimension) + 2 * dimension + (DIAGNOSTICS if self.truth is not None else 0)


ALGORITHM_1 = PrivateOnlineLinUCB()


@dataclass(frozen=True)
class Anytime:
    """Algorithm 7 (rebuilt on the sheet): a fresh Algorithm 1 for 1, 2, 4, ... rounds, with the constants of so many rounds.

    Epoch m has the threshold (2^m)^-power and the failure probability beta / ceil(log2(2 T)), where T is the planned horizon of `base`; no
    data are carried over. The threshold of `base` is not used. Raises ValueError unless power > 0.
    """

    base: PrivateOnlineLinUCB = ALGORITHM_1
    power: float = 0.125
    theorems: tuple[str, ...] = field(default=("ldp_linucb_2024.epochs_add_up",), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "base": Instance(PrivateOnlineLinUCB, {}),
        "power": between(0.05, 0.5),
    }

    def __post_init__(self) -> None:
        constants.default_threshold(2, self.power)

    def randomiser(self, *, clips: bool = True) -> LocalRow:
        """The part of the pipeline that makes the user's message private."""
        return self.base.randomiser(clips=clips)

    def guarantee(self) -> None:
        return None

    def epochs(self, horizon: int, dimension: int) -> tuple[Epoch, ...]:
        """Epochs 0, 1, ...: as many as a run of `horizon` rounds starts."""
        planned_horizon, failure = self.base.plan(horizon)
        each, found = constants.epoch_failure(failure, planned_horizon), []
        for place in range(constants.epochs(horizon)):
            rounds = 1 << place
            inside = replace(self.base, threshold=constants.default_threshold(rounds, self.power))
            found.append(inside.epoch(rounds, each, dimension, end=2.0 * rounds - 1.0))
        return (*found[:-1], found[-1]._replace(end=math.inf))

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """Fresh arrays. Raises ValueError where `truth` has another dimension than the environment."""
        dimension = row_size(arms, dimension)
        return state_of((self.epochs(horizon, dimension),), self.base, dimension, arms, horizon)

    def message_width(self, dimension: int) -> int:
        return self.base.message_width(dimension)

    def statistic_width(self, arms: int, dimension: int) -> int:
        return self.base.statistic_width(arms, dimension)
