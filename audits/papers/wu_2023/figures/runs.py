"""What is played for Figures 1 and 2 of Wu et al. 2023 (Appendix A): PRAE-R, PRAE-C, DPRSE and RUCB on 11 contaminated heavy-tailed arms.

Figure 1 has Pareto rewards, Figure 2 Student's. Means are 100, 90, ..., 0; a fraction alpha of the rewards is Gaussian, of mean 0 for the
best arm and 100 for the others.

Readings (the paper leaves them open)
- The outliers' variance is 1, and alpha_1 = alpha unless a user fixes it.
- Noise: `printed` is eta - 2.5, which is not centred (E eta = 60 for this Pareto distribution); `centred` is eta - E eta. Student's is
  centred.
- Scaling, with k = 2: PRAE-R and DPRSE run on x / s, s^2 the largest second moment; PRAE-C on (x - c) / sigma, c the middle of the means'
  range and sigma their standard deviation, D = max{half range / sigma, 2 r, 1}. RUCB takes rewards as they are, rho = sigma^2.
- The arms' order is drawn anew in each repetition (RUCB's matters in its first 11 pulls alone, and stays).
- All algorithms and settings see the same outcomes in the same repetition, so repetitions are pairs.
- Constants: `proofs` are the papers' own; `tuning` has the others. No privacy noise is scaled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from banditproof.algorithms.environments import pareto, student
from banditproof.algorithms.environments.common import scaling
from banditproof.algorithms.environments.huber import ArmHuber, Normal
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.student import Student
from banditproof.algorithms.estimators import central_mean
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import ArmOrder
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.interaction import Floats, Pipeline, Policy, Wire
from banditproof.randomness import key_of
from banditproof.simulation import stream

ARMS, SPACING = 11, 10.0
MEANS = tuple(100.0 - SPACING * arm for arm in range(ARMS))
ALPHAS, EPSILONS = (0.02, 0.05, 0.1), (0.2, 0.5, 1.0)
SHAPE, LEAST, OFFSET, DEGREES = 3.0, 40.0, 2.5, 2.0017
ALGORITHMS = ("PRAE-R", "PRAE-C", "DPRSE", "RUCB")
NOISES = {"pareto": ("printed", "centred"), "student": ("centred",)}  # readings of the noise, by the distribution of the rewards
LAST_PART = 10  # RUCB deletes no arm: it has lost the best one if it does not play it in the last tenth of the rounds

Constants = tuple[float, ...]
PROOFS: Mapping[str, Constants] = {"PRAE-R": (1.0, 1.0), "PRAE-C": (1.0, 1.0), "DPRSE": (24.0, 12.0), "RUCB": (1.0,)}
NAMES = {
    "PRAE-R": ("radius_factor", "threshold_factor"),
    "PRAE-C": ("radius_factor", "threshold_factor"),
    "DPRSE": ("batch_constant", "cut_constant"),
    "RUCB": ("variance_factor",),
}


@dataclass(frozen=True)
class Setting:
    """A distribution of rewards, a reading of its noise, the fraction of outliers, epsilon, and alpha_1 (None: alpha)."""

    rewards: str
    noise: str
    alpha: float
    epsilon: float
    alpha_1: float | None = None

    def title(self) -> str:
        return f"alpha = {self.alpha:.0%}, epsilon = {self.epsilon:g}"

    def bound(self) -> float:
        """The contamination bound alpha_1 that the learner is given."""
        return self.alpha if self.alpha_1 is None else self.alpha_1


@dataclass(frozen=True)
class Task:
    """What a worker plays: an algorithm with its constants in a setting."""

    setting: Setting
    algorithm: str
    constants: Constants
    seed: int
    purpose: str
    runs: int
    horizon: int
    checkpoints: tuple[int, ...]


def environment(rewards: str, noise: str) -> Pareto | Student:
    """The clean rewards."""
    if rewards == "student":
        return Student(MEANS, (1.0,) * ARMS, (DEGREES,) * ARMS)
    offset = OFFSET if noise == "printed" else pareto.mean(SHAPE, LEAST)
    return Pareto((SHAPE,) * ARMS, (LEAST,) * ARMS, tuple(mean - offset for mean in MEANS))


def variance(rewards: str) -> float:
    """Of every arm's clean rewards."""
    return student.variance(DEGREES) if rewards == "student" else pareto.variance(SHAPE, LEAST)


def pipeline(setting: Setting, algorithm: str, constants: Constants) -> tuple[Pipeline, float]:
    """What is played, and the scale that brings its regret back to the paper's units."""
    clean = environment(setting.rewards, setting.noise)
    outliers = ArmHuber(setting.alpha, (Normal(0.0), Normal(100.0)))
    offset, scale, policy = _scaled(setting, clean, algorithm, constants)
    return Pipeline(policy, clean.rescaled(offset, scale), corruption=outliers.rescaled(offset, scale)), scale


def _scaled(setting: Setting, clean: Pareto | Student, algorithm: str, constants: Constants) -> tuple[float, float, Policy]:
    alpha_1, epsilon, order = setting.bound(), setting.epsilon, ArmOrder.PERMUTED
    raw = scaling.unit_scale(clean.second_moments())
    if algorithm == "PRAE-R":
        radius, threshold = constants
        robust = RobustElimination(epsilon, contamination=alpha_1, arm_order=order, radius_factor=radius, threshold_factor=threshold)
        return 0.0, raw, robust
    if algorithm == "PRAE-C":
        radius, threshold = constants
        sigma, centre = scaling.unit_scale((variance(setting.rewards),)), clean.setup()[:ARMS].max() - (MEANS[0] - MEANS[-1]) / 2.0
        half = (MEANS[0] - MEANS[-1]) / 2.0 / sigma
        bound = central_mean.admissible_range(half, central_mean.bin_width(alpha_1, 2.0))
        central = CentralElimination(
            epsilon, bound, contamination=alpha_1, arm_order=order, radius_factor=radius, threshold_factor=threshold
        )
        return float(centre), sigma, central
    if algorithm == "DPRSE":
        batch, cut = constants
        return 0.0, raw, SuccessiveElimination(epsilon, batch_constant=batch, cut_constant=cut, arm_order=order)
    return 0.0, 1.0, MedianUCB(constants[0] * variance(setting.rewards), setting.alpha)


def played(tasks: Sequence[Task]) -> list[Floats]:
    """Of each task: `regret_and_loss`."""
    return [regret_and_loss(task) for task in tasks]


def regret_and_loss(task: Task) -> Floats:
    """Regret in the paper's units at the checkpoints, and behind it 1 where the best arm was lost: (R, C + 1).

    Regret is a sum of gaps, which are multiples of SPACING; it is rounded to them, so that runs with the same arms are exactly equal under
    any scale. The best arm is lost where an elimination has deleted it, and where RUCB plays it in none of the last tenth of the rounds.
    """
    parties, scale = pipeline(task.setting, task.algorithm, task.constants)
    key, deletes = key_of(task.seed, "wu_2023", "figures", task.purpose), task.algorithm != "RUCB"
    state, rows = parties.policy.state(ARMS, parties.environment.dimension, task.horizon), []
    for run in range(task.runs):
        wires = () if deletes else (Wire.ARMS,)
        (whole,) = stream(
            parties, horizon=task.horizon, key=key, run=run, record=wires, checkpoints=task.checkpoints, block=task.horizon, state=state
        )
        kept = state.order[: state.progress.active[0]] if deletes else whole.wires[Wire.ARMS][-(task.horizon // LAST_PART) :]
        regret = SPACING * np.rint(scaling.rescaled_regret(1.0, scale) * whole.regret / SPACING)
        rows.append(np.append(regret, float(0 not in kept)))
    return np.array(rows)


def settings(rewards: str, noise: str, alpha_1: float | None = None) -> tuple[Setting, ...]:
    return tuple(Setting(rewards, noise, alpha, epsilon, alpha_1) for alpha in ALPHAS for epsilon in EPSILONS)


def of_one_epsilon(task: Task) -> Task:
    """RUCB is not private and knows no alpha_1: it plays once for all epsilon."""
    if task.algorithm != "RUCB":
        return task
    return replace(task, setting=replace(task.setting, epsilon=EPSILONS[0], alpha_1=None))
