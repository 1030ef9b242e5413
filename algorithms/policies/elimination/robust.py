"""PRAE-R: private and robust arm elimination for bounded raw moments (Wu, Zhou, Tao and Wang 2023, Algorithm 1 with Algorithm 2).

Epoch tau = 1, 2, ... has batches of 2^tau pulls, |S| arms are active when it starts, and delta_tau = delta / (2 |S| tau^2).

    2^tau < threshold       forced exploration: one arm, drawn uniformly from all K, is played 2^tau times; nothing is learned
    otherwise               each active arm is played 2^tau times in turn; at the end of its batch the private truncated mean of these
                            rewards alone is released; after the last arm's batch every arm whose release lies more than 2 radius below
                            the largest one is eliminated

Privacy, and how a run ends: `kernels`, which play the schedule.

Readings (the paper leaves them open).
- The threshold compares strictly, at delta_tau with |S| = K: the code of Algorithm 1, not the text beside it.
- `literal`: the proof of Theorem 6.2 prints log(16 |S| tau^2 / delta) in the radius too, where Theorem 6.1 at delta_tau has 32.
- `reading`: the printed truncation and radius for clean rewards are said to hold "for epsilon > 0", by a merge that needs epsilon <= 1.5.
  Printed: the formulas at epsilon. Repaired, the default: the formulas at min(epsilon, 1.5) (`truncated_mean.clean_epsilon`), the noise at
  epsilon. They differ beyond 1.5 alone, and for clean rewards alone: with contamination the printed radius holds at every epsilon.
- `exploration`: Remark 5.1 allows other arms in the forced phase; its variants are those of `Exploration`.
- `arm_order`: the arms' order inside an epoch is that of their numbers, or a permutation drawn once per run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, assert_never

from banditproof import glossary
from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.policies.elimination.kernels import (
    FORCED_EXPLORATION,
    KERNELS,
    ArmOrder,
    Exploration,
    State,
    empty_state,
    require_options,
)
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Kernels
from banditproof.typical import Values


class Reading(Enum):
    """Which form of the paper's radius and truncation."""

    PUBLISHED = "published"
    REPAIRED = "repaired"


def batch_size(epoch: int) -> int:
    """Pulls of an arm in an epoch: 2^tau."""
    return 1 << int(glossary.EPOCH.require(epoch))


def last_epoch(horizon: int) -> int:
    """The last epoch that a run can reach, with one batch in each: 2^tau - 2 rounds are played before epoch tau starts."""
    return int(glossary.HORIZON.require(horizon) + 1).bit_length() - 1


def call_failure(failure: float, active: int, *, epoch: int) -> float:
    """Failure budget of one release: delta / (2 |S| tau^2), for delta = failure in (0, 1]."""
    if not 0.0 < failure <= 1.0:
        raise ValueError(f"failure = {failure!r}: must be > 0 and <= 1 ({glossary.FAILURE.meaning})")
    return failure / (2.0 * glossary.ACTIVE.require(active) * glossary.EPOCH.require(epoch) ** 2)


def threshold(failure: float, active: int, *, epoch: int, contamination: float) -> float:
    """Batches shorter than this are forced exploration: log(16 |S| tau^2 / delta) / alpha_1. In pulls; clean rewards have none."""
    return truncated_mean.sample_requirement(call_failure(failure, active, epoch=epoch), contamination)


def epoch_truncation(
    epsilon: float, moment: float, *, contamination: float, failure: float, active: int, epoch: int, literal: bool = False
) -> float:
    """Truncation M_tau of an epoch, in reward units, as printed; the clean one at contamination = 0."""
    samples, budget = batch_size(epoch), _budget(failure, active, epoch, contamination, literal)
    if contamination == 0.0:
        return truncated_mean.clean_truncation(samples, epsilon, moment=moment, failure=budget)
    return truncated_mean.truncation(samples, epsilon, moment=moment, failure=budget, contamination=contamination)


def epoch_radius(
    epsilon: float, moment: float, *, contamination: float, failure: float, active: int, epoch: int, literal: bool = False
) -> float:
    """Radius beta_tau of an epoch, in reward units, as printed; the clean one at contamination = 0."""
    samples, budget = batch_size(epoch), _budget(failure, active, epoch, contamination, literal)
    if contamination == 0.0:
        return truncated_mean.clean_radius(samples, epsilon, moment=moment, failure=budget)
    return truncated_mean.radius(samples, epsilon, moment=moment, failure=budget, contamination=contamination)


def _budget(failure: float, active: int, epoch: int, contamination: float, literal: bool) -> float:
    """The failure at which Theorem 6.1 is evaluated; at twice the budget its log(16 / .) is the printed log(16 |S| tau^2 / delta)."""
    if literal and contamination == 0.0:
        raise ValueError("literal = True: must be False at contamination = 0 (the paper prints no logarithm for clean rewards)")
    return call_failure(failure, active, epoch=epoch) * (2.0 if literal else 1.0)


@dataclass(frozen=True)
class RobustElimination:
    """Arm elimination over batches that double: each active arm gets a private truncated mean per batch, and arms whose mean lies more than
    twice the radius below the largest are eliminated.

    The statistic is the last release, (2,): its arm and its noisy mean; -1 and 0 before the first one.

    Reward distributions have an absolute moment of order `moment` of at most 1, except for a fraction of at most `contamination` of the
    rewards (0: clean, with the formulas of clean rewards). `failure` is 1 / horizon by default. `radius_factor` and `threshold_factor`
    multiply radius and threshold; the theorem on the regret holds at 1. Neither touches the noise. `mixing` is for
    Exploration.PROBABILISTIC. The releases are as private as the arms, so `view` may be CENTRAL, JOINT or WHITE_BOX. Raises ValueError on
    other values.
    """

    epsilon: float
    moment: float = 2.0
    contamination: float = 0.0
    failure: float | None = None
    literal: bool = False
    reading: Reading = Reading.REPAIRED
    exploration: Exploration = Exploration.BATCH
    mixing: float = 0.1
    arm_order: ArmOrder = ArmOrder.FIXED
    radius_factor: float = 1.0
    threshold_factor: float = 1.0
    view: View = View.CENTRAL
    theorems: tuple[str, ...] = field(default=("wu_2023.privacy_raw", "wu_2023.regret_raw"), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        **FORCED_EXPLORATION,
        "contamination": (0.0, glossary.CONTAMINATION),
        "failure": (None, 1.0, glossary.FAILURE),
    }

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.MOMENT.require(self.moment)
        if self.contamination != 0.0:
            glossary.CONTAMINATION.require(self.contamination)
        require_options(mixing=self.mixing, radius_factor=self.radius_factor, threshold_factor=self.threshold_factor, view=self.view)
        _budget(1.0 if self.failure is None else self.failure, 1, 1, self.contamination, self.literal)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_REWARD, self.view)

    def formula_epsilon(self) -> float:
        """The level at which truncation and radius are evaluated."""
        match self.reading:
            case Reading.PUBLISHED:
                return self.epsilon
            case Reading.REPAIRED:
                return truncated_mean.clean_epsilon(self.epsilon) if self.contamination == 0.0 else self.epsilon
            case _:
                assert_never(self.reading)

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        """Fresh arrays; the schedule of every epoch and number of active arms comes from the public formulas of this module."""
        last, level = last_epoch(horizon), self.formula_epsilon()
        failure = 1.0 / horizon if self.failure is None else self.failure
        state = empty_state(arms, horizon, last, exploration=self.exploration, mixing=self.mixing, arm_order=self.arm_order)
        for epoch in range(1, last + 1):
            samples = batch_size(epoch)
            state.pulls[epoch] = samples
            for active in range(2, arms + 1):
                shared = {"contamination": self.contamination, "failure": failure}
                size = epoch_truncation(level, self.moment, active=active, epoch=epoch, literal=self.literal, **shared)
                radius = epoch_radius(level, self.moment, active=active, epoch=epoch, literal=self.literal, **shared)
                state.truncations[epoch, active], state.twice_radii[epoch, active] = size, 2.0 * (self.radius_factor * radius)
                state.scales[epoch, active] = truncated_mean.noise_scale(samples, self.epsilon, truncation=size)
                if self.contamination > 0.0:
                    least = threshold(failure, active, epoch=epoch, contamination=self.contamination)
                    state.forced[epoch, active] = samples < self.threshold_factor * least
        return state

    def message_width(self, dimension: int) -> int:
        return 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        return 2
