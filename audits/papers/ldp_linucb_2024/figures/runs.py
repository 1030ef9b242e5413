"""What is played for Figure 1 of the paper on locally private LinUCB (2024): a task is all runs of one algorithm in one setting.

Readings (the paper leaves them open)
- delta = 0.1, batches of 20, failure probability 1 / T, R = 1/2: those of the public script of Chowdhury and Zhou 2022, "the same exact
  setting". C and the suppressed constants are 1.
- `Arms`: one set of arms per run, with or without the script's basis arms, or a new set in each round.
- `Budget.OWN`: OnlineUCB with the printed noise on unit features; the others as in the script, with features of norm sqrt(2), which
  changes no mean. `Budget.EQUAL`: every method exactly (epsilon, delta) on the same data, see `calibration`, with unit features; shifts and
  widths follow the noise by each method's own formula, those of the script for LDP and SDP; JDP is the tree of Shariff and Sheffet.
- The width is the method's own formula ("literal"), or a constant kappa (`tuning`).
- lambda_min = `curvature` is given to OnlineUCB: 0, which is what one set of arms has, or 1/8, that of uniform play on redrawn arms, as "of
  order 1". At 0 Algorithm 1 adds noise of variance T^(-1/4) to the features.
- OGD has the step D_M / (G sqrt(t)), whose regret is known without any curvature.
- Constants are those of 20,000 rounds, also in a shorter run. No noise is scaled.
- Run r of every task has the same key and run number: theta*, arms, and a reward's uniform number are the same in all of them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import assert_never

from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.local_row import Calibration
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.lin_ucb.kernels import State
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Method, NoisyGramUCB, paper_jdp
from banditproof.audits.papers.ldp_linucb_2024.figures import calibration
from banditproof.guarantees import ApproximateDP
from banditproof.interaction import Floats, Kernels, Pipeline
from banditproof.randomness import key_of
from banditproof.simulation import play_many

ARMS, DIMENSION, PLANNED_HORIZON, RUNS = 100, 5, 20_000, 50
EPSILONS, DELTA, BATCH = (0.2, 1.0, 10.0), 0.1, 20
SCRIPT_NORM = math.sqrt(2.0)
CURVATURES = (0.0, 0.125)


class Algorithm(Enum):
    """A curve. SDP_AMP_ENOUGH is played with equal budgets alone: its noise is enough without a shuffler."""

    ONLINE = "OnlineUCB"
    ONLINE_OGD = "OnlineUCB, OGD"
    LDP = "LDP"
    SDP_AMP = "SDP-Amp"
    SDP_VEC = "SDP-Vec"
    JDP = "JDP"
    LIN_UCB = "LinUCB"
    UNIFORM = "uniform"
    SDP_AMP_ENOUGH = "SDP-Amp, no amplification"


class Arms(Enum):
    """When arms are drawn, and which."""

    FIXED = "fixed"
    BASIS = "fixed, with the basis"
    REDRAWN = "redrawn"


class Budget(Enum):
    """Whose noise is played."""

    OWN = "own"
    EQUAL = "the same true guarantee"


ONLINE = (Algorithm.ONLINE, Algorithm.ONLINE_OGD)
OWN = tuple(each for each in Algorithm if each is not Algorithm.SDP_AMP_ENOUGH)
FOR_BUDGET: Mapping[Budget, tuple[Algorithm, ...]] = {Budget.OWN: OWN, Budget.EQUAL: tuple(Algorithm)}


@dataclass(frozen=True)
class Setting:
    """An algorithm and what it plays on; `width` None is its own formula, else the constant kappa."""

    algorithm: Algorithm
    epsilon: float
    arms: Arms = Arms.FIXED
    budget: Budget = Budget.OWN
    curvature: float = 0.0
    width: float | None = None


@dataclass(frozen=True)
class Task:
    """What a worker plays: the runs of a setting."""

    setting: Setting
    seed: int
    purpose: str
    runs: int
    horizon: int
    checkpoints: tuple[int, ...]


def environment(setting: Setting) -> UnitFeatures:
    """The arms: the same directions for every algorithm."""
    script = setting.budget is Budget.OWN and setting.algorithm not in (*ONLINE, Algorithm.UNIFORM)
    fixed = ArmSet.REDRAWN if setting.arms is Arms.REDRAWN else ArmSet.FIXED
    return UnitFeatures(DIMENSION, ARMS, fixed, setting.arms is Arms.BASIS, SCRIPT_NORM if script else 1.0)


def pipeline(setting: Setting) -> Pipeline:
    """All parts of an algorithm in its setting."""
    place = environment(setting)
    if setting.algorithm in ONLINE:
        online = online_ucb(setting)
        return Pipeline(online, place, online.randomiser())
    if setting.budget is Budget.EQUAL and setting.algorithm is Algorithm.JDP:
        tree = replace(paper_jdp(setting.epsilon, DELTA, calibration=gram_noise.Calibration.EXACT), planned_horizon=PLANNED_HORIZON)
        return Pipeline(tree if setting.width is None else ConstantRadius(tree, setting.width), place)
    policy = baseline(setting)
    if setting.budget is Budget.EQUAL and setting.algorithm in (Algorithm.SDP_AMP, Algorithm.SDP_AMP_ENOUGH):
        return Pipeline(policy, place, policy.randomiser(DIMENSION), shuffler=UniformShuffler(BATCH))
    return policy.pipeline(place)


def online_ucb(setting: Setting) -> PrivateOnlineLinUCB:
    """Algorithm 1 with Maler, or with online gradient descent."""
    return PrivateOnlineLinUCB(
        setting.epsilon,
        DELTA,
        Calibration.PUBLISHED if setting.budget is Budget.OWN else Calibration.EXACT,
        Maler() if setting.algorithm is Algorithm.ONLINE else OGD(),
        setting.curvature,
        planned_horizon=PLANNED_HORIZON,
        width=Width.LITERAL if setting.width is None else Width.CONST,
        scale=1.0 if setting.width is None else setting.width,
    )


def baseline(setting: Setting) -> NoisyGramUCB:
    """A baseline with the script's formulas for shift and width."""
    norm, algorithm, equal = environment(setting).feature_norm, setting.algorithm, setting.budget is Budget.EQUAL
    policy = NoisyGramUCB(
        _method(algorithm, equal),
        epsilon=setting.epsilon,
        delta=DELTA,
        batch=BATCH,
        feature_norm=norm,
        parameter_norm=1.0 / norm,
        planned_horizon=PLANNED_HORIZON,
        width_scale=1.0 if setting.width is None else setting.width,
        fixed_width=setting.width is not None,
        uniform=algorithm is Algorithm.UNIFORM,
    )
    match algorithm:
        case Algorithm.SDP_VEC if equal:
            return replace(policy, trials_factor=calibration.trials_factor(setting.epsilon, DELTA, batch=BATCH, dimension=DIMENSION))
        case Algorithm.SDP_AMP if equal:
            least = calibration.least_amplified_scale(setting.epsilon, DELTA, BATCH)
            return replace(policy, calibrated=True, epsilon=calibration.level_of_scale(least, DELTA))
        case Algorithm.LDP | Algorithm.SDP_AMP_ENOUGH if equal:
            return replace(policy, calibrated=True)
        case _:
            return policy


def _method(algorithm: Algorithm, equal: bool) -> Method:
    match algorithm:
        case Algorithm.LDP | Algorithm.SDP_AMP_ENOUGH:
            return Method.LDP
        case Algorithm.SDP_AMP:
            return Method.LDP if equal else Method.SDP_AMP
        case Algorithm.SDP_VEC:
            return Method.SDP_VEC
        case Algorithm.JDP:
            return Method.JDP
        case Algorithm.LIN_UCB | Algorithm.UNIFORM:
            return Method.LIN_UCB
        case Algorithm.ONLINE | Algorithm.ONLINE_OGD:
            raise ValueError(f"algorithm = {algorithm.value}: must be a baseline")
        case _:
            assert_never(algorithm)


@dataclass(frozen=True)
class ConstantRadius:
    """The learner of Shariff and Sheffet with one radius for all rounds; its noise and its shift stay."""

    base: LinUCB
    radius: float
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)

    @property
    def kernels(self) -> Kernels:
        return self.base.kernels

    def guarantee(self) -> ApproximateDP | None:
        return self.base.guarantee()

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """Fresh arrays, whose radius is the constant one."""
        fresh = self.base.state(arms, dimension, horizon)
        return fresh._replace(settings=fresh.settings._replace(reward_sigma=0.0, radius_tail=float(self.radius)))

    def message_width(self, dimension: int) -> int:
        return self.base.message_width(dimension)

    def statistic_width(self, arms: int, dimension: int) -> int:
        return self.base.statistic_width(arms, dimension)


def played(tasks: Sequence[Task]) -> list[Floats]:
    """Pseudo-regret (R, C) of each task at its checkpoints."""
    return [_regret(task) for task in tasks]


def _regret(task: Task) -> Floats:
    key = key_of(task.seed, "ldp_linucb_2024", "figures", task.purpose)
    return play_many(pipeline(task.setting), horizon=task.horizon, key=key, runs=task.runs, checkpoints=task.checkpoints).regret


def once(task: Task) -> Task:
    """The task that stands for it: what an algorithm does not depend on is not played again."""
    setting = task.setting
    if setting.algorithm in ONLINE:
        return task
    setting = replace(setting, curvature=0.0)
    if setting.algorithm in (Algorithm.LIN_UCB, Algorithm.UNIFORM):
        setting = replace(setting, epsilon=EPSILONS[0])
    if setting.algorithm is Algorithm.UNIFORM:
        setting = replace(setting, budget=Budget.OWN, width=None)
    return replace(task, setting=setting)


def cost(task: Task) -> float:
    """Microseconds, as measured on fixed arms; drawing 100 arms takes 3.4 a round. Each bit of SDP-Vec is drawn."""
    each = {Algorithm.ONLINE: 2.6, Algorithm.LDP: 1.7, Algorithm.UNIFORM: 0.3, Algorithm.LIN_UCB: 0.7, Algorithm.JDP: 0.7}
    a_round = each.get(task.setting.algorithm, 1.4) + (3.4 if task.setting.arms is Arms.REDRAWN else 0.0)
    if task.setting.algorithm is Algorithm.SDP_VEC:
        a_round += 1.2 if task.setting.epsilon >= 1.0 else 6.0
    return a_round * task.runs * task.horizon
