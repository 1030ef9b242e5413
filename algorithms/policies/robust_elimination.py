"""PRAE-R: private and robust arm elimination for bounded raw moments (Wu, Zhou, Tao and Wang 2023, Algorithm 1 with Algorithm 2).

Epoch tau = 1, 2, ... has batches of 2^tau pulls, |S| arms are active when it starts, and delta_tau = delta / (2 |S| tau^2).

    2^tau < threshold       forced exploration: one arm, drawn uniformly from all K, is played 2^tau times; nothing is learned
    otherwise               each active arm is played 2^tau times in turn; at the end of its batch the private truncated mean of these
                            rewards alone is released; after the last arm's batch every arm whose release lies more than 2 radius below
                            the largest one is eliminated

Privacy. A round's reward enters one release at most, which one follows from earlier releases, and everything else is computed from
releases (post-processing).

Readings (the paper leaves them open).
- The run stops in the round of the horizon: a batch that ends with it releases nothing. One arm left is played on, without releases.
- The threshold compares strictly, at delta_tau with |S| = K: the code of Algorithm 1, not the text beside it.
- `literal`: the proof of Theorem 6.2 prints log(16 |S| tau^2 / delta) in the radius too, where Theorem 6.1 at delta_tau has 32.
- `reading`: the printed truncation and radius hold "for epsilon > 0", by a merge that needs epsilon <= 1.5
  (`truncated_mean.MERGED_EPSILON`). Printed: the formulas at epsilon. Repaired, the default: the formulas at min(epsilon, 1.5), the noise
  at epsilon. They differ beyond 1.5 alone.
- `exploration`: Remark 5.1 allows another arm in each forced round. Its greedy variants are not here.
- `arm_order`: the arms' order inside an epoch is that of their numbers, or a permutation drawn once a run.
- Noise is drawn once an epoch and arm. Where messages come in a shuffler's batches, all of one are of the arm whose turn it is; those
  beyond a full batch are dropped, so there is at most one release each time. A NaN reward raises ValueError.
"""

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, assert_never

import numpy as np

from banditproof import glossary, randomness
from banditproof.algorithms.estimators import truncated_mean
from banditproof.guarantees import PureDP, Relation, View
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled
from banditproof.play import Plan, interact
from banditproof.randomness import laplace, uniform

EPOCHS = 64  # no run reaches epoch 64: counters of CHOICES below it belong to epochs


class Reading(Enum):
    """Which form of the paper's radius and truncation."""

    PRINTED = "printed"
    REPAIRED = "repaired"


class Exploration(Enum):
    """How often forced exploration draws its arm."""

    BATCH = "batch"  # Algorithm 1
    ROUND = "round"  # Remark 5.1


class ArmOrder(Enum):
    """The order of the arms inside an epoch."""

    FIXED = "fixed"
    PERMUTED = "permuted"


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


def noise_index(epoch: int, arm: int, arms: int) -> int:
    """Where the stream NOISE holds the noise of an arm's release in an epoch."""
    return epoch * arms + arm


class State(NamedTuple):
    """Schedule and progress of a run. `active` counts arms, `turn` is the place in `order` of the arm that is played."""

    options: Ints  # (3,): horizon, whether forced exploration draws an arm each round, whether the order is permuted
    forced: Floats  # (E + 1, K + 1): 1 where the epoch is forced exploration; these four by epoch and active arms
    truncations: Floats  # (E + 1, K + 1)
    twice_radii: Floats  # (E + 1, K + 1)
    scales: Floats  # (E + 1, K + 1): of the noise
    progress: Ints  # (6,): arm, pulls left in its batch, epoch, turn, active arms, whether pulls are learned from
    sums: Floats  # (4,): truncated sum of the batch, its truncation; arm and noisy mean of the last release
    order: Ints  # (K,): the active arms first
    released: Floats  # (K,): each arm's last release


_HORIZON, _EACH_ROUND, _PERMUTED = range(3)
_ARM, _LEFT, _EPOCH, _TURN, _ACTIVE, _LEARNING = range(6)


def _begin(state: State, key: Words, epoch: int) -> None:
    """Starts an epoch with the arms that are active."""
    progress, arms, active = state.progress, state.order.shape[0], state.progress[_ACTIVE]
    progress[_EPOCH], progress[_TURN], progress[_ARM] = epoch, 0, state.order[0]
    progress[_LEFT], progress[_LEARNING] = 1 << epoch, 1
    if active == 1:
        progress[_LEFT], progress[_LEARNING] = state.options[_HORIZON], 0  # never used up
    elif state.forced[epoch, active] > 0.0:
        progress[_LEARNING] = 0
        progress[_ARM] = int(uniform(key, randomness.CHOICES, epoch) * arms)
    state.sums[0], state.sums[1] = 0.0, state.truncations[epoch, active]


begin = compiled(_begin)


def _start(state: State, key: Words) -> None:
    arms = state.order.shape[0]
    for arm in range(arms):
        state.order[arm], state.released[arm] = arm, 0.0
    if state.options[_PERMUTED] == 1:  # sorted by a uniform an arm, which `released` holds meanwhile
        for arm in range(arms):
            draw, place = uniform(key, randomness.CHOICES, EPOCHS + arm), arm
            while place > 0 and state.released[place - 1] > draw:
                state.order[place], state.released[place] = state.order[place - 1], state.released[place - 1]
                place -= 1
            state.order[place], state.released[place] = arm, draw
    state.progress[_ACTIVE], state.sums[2], state.sums[3] = arms, -1.0, 0.0
    begin(state, key, 1)


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    if state.options[_EACH_ROUND] == 1 and state.progress[_LEARNING] == 0 and state.progress[_ACTIVE] > 1:
        arms: int = state.order.shape[0]
        return int(uniform(key, randomness.CHOICES, EPOCHS + arms + round) * arms)
    return int(state.progress[_ARM])


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    message[0] = reward


def _eliminate(state: State) -> None:
    """Deletes the arms whose release lies too far below the largest; the others keep their order."""
    progress, order, released = state.progress, state.order, state.released
    active, best = progress[_ACTIVE], -math.inf
    for place in range(active):
        best = max(best, released[order[place]])
    kept = 0
    for place in range(active):
        arm = order[place]
        if not best - released[arm] > state.twice_radii[progress[_EPOCH], active]:
            order[kept] = arm
            kept += 1
    progress[_ACTIVE] = kept


def _close(state: State, key: Words, round: int) -> None:
    """The batch is full: releases its truncated mean, and at the end of the epoch eliminates."""
    progress, arms = state.progress, state.order.shape[0]
    epoch, arm = progress[_EPOCH], progress[_ARM]
    if round + 1 == state.options[_HORIZON]:  # the run is over
        return
    if progress[_LEARNING] == 1:
        noise = state.scales[epoch, progress[_ACTIVE]] * laplace(key, randomness.NOISE, epoch * arms + arm)
        state.released[arm] = state.sums[0] / (1 << epoch) + noise
        state.sums[2], state.sums[3] = arm, state.released[arm]
        progress[_TURN] += 1
        if progress[_TURN] < progress[_ACTIVE]:
            progress[_ARM], progress[_LEFT], state.sums[0] = state.order[progress[_TURN]], 1 << epoch, 0.0
            return
        eliminate(state)
    begin(state, key, epoch + 1)


eliminate, close = compiled(_eliminate), compiled(_close)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    progress = state.progress
    for position in range(arms.shape[0]):
        reward = batch[position, 0]
        if reward != reward:
            raise ValueError("a reward is NaN: must be a number")
        if abs(reward) <= state.sums[1]:
            state.sums[0] += reward
        progress[_LEFT] -= 1
        if progress[_LEFT] == 0:  # the messages behind it were sent for this batch too
            close(state, key, round)
            break
    statistic[0], statistic[1] = state.sums[2], state.sums[3]


start, choose, report, learn = compiled(_start), compiled(_choose), compiled(_report), compiled(_learn)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run))


@dataclass(frozen=True)
class RobustElimination:
    """Doubling batches, a private truncated mean of each, elimination by a known radius. The statistic is the last
    release: its arm and its noisy mean (2,); -1 and 0 before the first.

    Reward laws have an absolute moment of order `moment` of at most 1, but for a share of at most `contamination` of the rewards (0: clean,
    with the formulas of clean rewards). `failure` is 1 / horizon by default. `radius_factor` multiplies the radius; the promises are those
    of 1. The releases are as private as the arms, so `view` may be CENTRAL, JOINT or WHITE_BOX. Raises ValueError on other values.
    """

    epsilon: float
    moment: float = 2.0
    contamination: float = 0.0
    failure: float | None = None
    literal: bool = False
    reading: Reading = Reading.REPAIRED
    exploration: Exploration = Exploration.BATCH
    arm_order: ArmOrder = ArmOrder.FIXED
    radius_factor: float = 1.0
    view: View = View.CENTRAL
    promises: tuple[str, ...] = field(default=("wu_2023.privacy_raw", "wu_2023.regret_raw"), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.MOMENT.require(self.moment)
        if self.contamination != 0.0:
            glossary.CONTAMINATION.require(self.contamination)
        if not 0.0 <= self.radius_factor < math.inf:
            raise ValueError(f"radius_factor = {self.radius_factor}: must be >= 0 and finite")
        if self.view in (View.LOCAL, View.SHUFFLED):
            raise ValueError(f"view = {self.view.value}: must be central, joint or white_box (users' messages carry no noise)")
        _budget(1.0 if self.failure is None else self.failure, 1, 1, self.contamination, self.literal)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, Relation.REPLACE_REWARD, self.view)

    def formula_epsilon(self) -> float:
        """The level at which truncation and radius are evaluated."""
        match self.reading:
            case Reading.PRINTED:
                return self.epsilon
            case Reading.REPAIRED:
                return min(self.epsilon, truncated_mean.MERGED_EPSILON)
            case _:
                assert_never(self.reading)

    def state(self, arms: int, width: int, horizon: int) -> State:
        """Fresh arrays; the schedule of every epoch and number of active arms comes from the public formulas of this module."""
        last, level = last_epoch(horizon), self.formula_epsilon()
        failure = 1.0 / horizon if self.failure is None else self.failure
        forced, truncations, twice_radii, scales = (np.zeros((last + 1, arms + 1)) for _ in range(4))
        for epoch in range(1, last + 1):
            samples = batch_size(epoch)
            for active in range(2, arms + 1):
                shared = {"contamination": self.contamination, "failure": failure}
                size = epoch_truncation(level, self.moment, active=active, epoch=epoch, literal=self.literal, **shared)
                radius = epoch_radius(level, self.moment, active=active, epoch=epoch, literal=self.literal, **shared)
                truncations[epoch, active], twice_radii[epoch, active] = size, 2.0 * (self.radius_factor * radius)
                scales[epoch, active] = truncated_mean.noise_scale(samples, self.epsilon, truncation=size)
                if self.contamination > 0.0:
                    forced[epoch, active] = samples < threshold(failure, active, epoch=epoch, contamination=self.contamination)
        options = [horizon, self.exploration is Exploration.ROUND, self.arm_order is ArmOrder.PERMUTED]
        return State(
            options=np.array(options, dtype=np.int64),
            forced=forced,
            truncations=truncations,
            twice_radii=twice_radii,
            scales=scales,
            progress=np.zeros(6, dtype=np.int64),
            sums=np.zeros(4),
            order=np.zeros(arms, dtype=np.int64),
            released=np.zeros(arms),
        )

    def message_width(self, width: int) -> int:
        return 1

    def statistic_width(self, arms: int, width: int) -> int:
        return 2
