"""How clients report rewards in private linear bandits (Charisopoulos, Esfandiari and Mirrokni 2023, section 3).

    first model (15)     each reward r belongs to a client of its own, who reports        r + Lap(2 / epsilon)
    second model (20)    each arm belongs to one owner, who reports once per batch        mean of n rewards + Lap(2 / (n epsilon)), n public

Privacy. In both models one reward moves the centre of one report by 2 / n at most, if rewards lie in [-1, 1]: (epsilon, 0) for one reward
(`Level.EVENT`). All n rewards of an owner together move it by 2, so the same noise gives n epsilon for the owner (`Level.USER`);
a class calibrated for `Level.USER` adds Lap(2 / epsilon) to the mean. Two centres c and c' are distinguished with a loss of at most
|c - c'| / scale, which is attained (`report_loss`).

Readings. The paper's rewards are sub-Gaussian, with no bound: then one reward moves the report by any amount, and no epsilon is finite.
Printed: no clipping, and the guarantee is stated for rewards in [-1, 1] alone. Repaired, the default: rewards are clipped to [-1, 1] before
the mean and the noise, which changes nothing inside the domain. Outside it the means move: that of N(1, 1) from 1 to 0.61. A reward of
NaN is none: its report is NaN, which says so, and the guarantee is between rewards that are numbers, infinite ones included.

In a pipeline a message leaves its owner in the last round of his block; in the other rounds nothing does, which is written as NaN.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, assert_never

import numpy as np

from banditproof import glossary, randomness
from banditproof.guarantees import NeighbouringRelation, PureDP, View, require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.mechanism import Neighbours
from banditproof.randomness import laplace
from banditproof.typical import Values, whole_numbers

REWARD_RANGE = 2.0  # of rewards in [-1, 1]
_THEOREMS = ("dwork_2006.laplace_privacy",)


class Clipping(Enum):
    """Whether rewards are clipped to [-1, 1] before the noise."""

    PUBLISHED = "published"  # no
    REPAIRED = "repaired"  # yes


class Level(Enum):
    """What neighbours may differ in."""

    EVENT = "event"  # one reward
    USER = "user"  # all rewards of one owner


def report_scale(epsilon: float, arm_plays: int = 1, *, level: Level = Level.EVENT) -> float:
    """Scale of the Laplace noise on the mean of n = `arm_plays` rewards: 2 / (n epsilon), at user level 2 / epsilon. In reward units."""
    glossary.EPSILON.require(epsilon)
    match level:
        case Level.EVENT:
            return REWARD_RANGE / (require_plays(arm_plays) * epsilon)
        case Level.USER:
            return REWARD_RANGE / epsilon
        case _:
            assert_never(level)


def level_epsilon(epsilon: float, arm_plays: int, *, calibrated: Level, level: Level) -> float:
    """The epsilon that noise `calibrated` for (epsilon, n = `arm_plays`) gives at another level: n epsilon for an owner where it protects
    one reward, epsilon / n for one reward where it protects its owner. Rewards are clipped, or lie in [-1, 1]."""
    change = REWARD_RANGE / require_plays(arm_plays) if level is Level.EVENT else REWARD_RANGE
    return change / report_scale(epsilon, arm_plays, level=calibrated)


def report_loss(
    dataset: Sequence[float] | Floats,
    neighbour: Sequence[float] | Floats,
    epsilon: float,
    *,
    clipping: Clipping = Clipping.REPAIRED,
    calibrated: Level = Level.EVENT,
) -> float:
    """Largest privacy loss of an owner's report between two lists of n rewards: the distance of their means over the scale, in nats."""
    one, other = (reported_mean(rewards, clipping) for rewards in (dataset, neighbour))
    require(len(dataset) == len(neighbour), f"{len(dataset)} and {len(neighbour)} rewards: must be as many (n is public)")
    return abs(one - other) / report_scale(epsilon, len(dataset), level=calibrated)


def reported_mean(rewards: Sequence[float] | Floats, clipping: Clipping = Clipping.REPAIRED) -> float:
    """The centre of an owner's report: the mean of his rewards, clipped to [-1, 1] in the repaired reading."""
    values = np.asarray(rewards, dtype=float)
    require(values.ndim == 1 and values.size >= 1, f"rewards of shape {values.shape}: must be (n,) with n >= 1")
    return float(np.mean(np.clip(values, -1.0, 1.0) if clipping is Clipping.REPAIRED else values))


def require_plays(arm_plays: int) -> int:
    """n itself. Raises ValueError unless it is an integer >= 1."""
    require(arm_plays == int(arm_plays) and arm_plays >= 1, f"arm_plays = {arm_plays}: must be an integer >= 1 (rewards in a report)")
    return int(arm_plays)


def _clipped(value: float) -> float:
    if value > 1.0:  # a NaN passes both comparisons, and stays
        return 1.0
    return -1.0 if value < -1.0 else value


clipped = compiled(_clipped, inline=True)


def _noisy_rewards(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    width = message.shape[0]
    for column in range(width):
        value = clipped(message[column]) if setup[1] > 0.0 else message[column]
        report[0, column] = value + width * setup[0] * laplace(key, randomness.CLIENT, round * width + column)


def _noisy_mean(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    if message.shape[0] != 2:  # no mean with its number of rewards: each number is a reward
        noisy_rewards(setup, key, round, message, report)
        return
    value = clipped(message[0]) if setup[1] > 0.0 else message[0]
    plays = message[1] if setup[2] > 0.0 else 1.0
    if message[1] >= 1.0:
        report[0, 0] = value + setup[0] / plays * laplace(key, randomness.CLIENT, round)
    else:
        report[0, 0] = math.nan  # nothing is sent


noisy_rewards = compiled(_noisy_rewards, inline=True)
noisy_reward, noisy_mean = compiled(_noisy_rewards, RANDOMISE), compiled(_noisy_mean, RANDOMISE)


@dataclass(frozen=True)
class NoisyReward:
    """Client randomiser of the first model: each of the w numbers of a message gets noise of scale 2 w / epsilon; w = 1 is (15).

    Without clipping the claim is made for numbers in [-1, 1] alone. Raises ValueError unless epsilon > 0.
    """

    epsilon: float
    clipping: Clipping = Clipping.REPAIRED
    theorems: tuple[str, ...] = field(default=_THEOREMS, init=False, repr=False)
    kernel: Kernel = field(default=noisy_reward, init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def messages(self, width: int) -> tuple[int, int]:
        return 1, width

    def setup(self) -> Floats:
        return np.array([report_scale(self.epsilon), float(self.clipping is Clipping.REPAIRED)])


@dataclass(frozen=True)
class NoisyMean:
    """Client randomiser of the second model: from (mean, n) the report mean + Lap(2 / (n epsilon)), one number; NaN where n = 0.

    The claim is made for means of rewards that lie in [-1, 1] or were clipped to it one by one: `RobustArmElimination` clips them at a
    finite epsilon with Clipping.REPAIRED, and nothing else does. The mean is clipped here once more. Calibrated for `Level.USER` the noise
    is Lap(2 / epsilon), and any two means are epsilon-private. The guarantee is that of one report: a reward enters one alone, so it holds
    for the run; an owner reports in every batch, and the epsilons of his reports add up. A raw message of another width than 2 holds
    rewards, each with noise of the first model. Raises ValueError unless epsilon > 0.
    """

    epsilon: float
    level: Level = Level.EVENT
    clipping: Clipping = Clipping.REPAIRED
    theorems: tuple[str, ...] = field(default=_THEOREMS, init=False, repr=False)
    kernel: Kernel = field(default=noisy_mean, init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)

    def guarantee(self) -> PureDP:
        """Of one report: for one of its rewards, or at user level for all of them."""
        match self.level:
            case Level.EVENT:
                return PureDP(self.epsilon, NeighbouringRelation.REPLACE_REWARD, View.LOCAL)
            case Level.USER:
                return PureDP(self.epsilon, NeighbouringRelation.ANY_PAIR, View.LOCAL)
            case _:
                assert_never(self.level)

    def messages(self, width: int) -> tuple[int, int]:
        return 1, 1 if width == 2 else width

    def setup(self) -> Floats:
        return np.array([report_scale(self.epsilon), float(self.clipping is Clipping.REPAIRED), float(self.level is Level.EVENT)])


@dataclass(frozen=True)
class OwnerReport:
    """Releases the report of one owner, a single number, from the rewards (n,) of a batch, n = `arm_plays`; n = 1 is the first model.

    The guarantee is that of `level`, which the noise is calibrated for; `guarantee_at` states it at the other level. Without clipping it is
    stated for rewards in [-1, 1] alone, and holds nowhere else. Raises ValueError unless epsilon > 0 and arm_plays >= 1.
    """

    epsilon: float
    arm_plays: int = 1
    level: Level = Level.EVENT
    clipping: Clipping = Clipping.REPAIRED
    theorems: tuple[str, ...] = field(default=_THEOREMS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"arm_plays": whole_numbers(1, 6)}

    def __post_init__(self) -> None:
        self.scale()

    def scale(self) -> float:
        """Scale of the noise, in reward units."""
        return report_scale(self.epsilon, require_plays(self.arm_plays), level=self.level)

    def guarantee_at(self, level: Level) -> PureDP:
        """What this noise guarantees when one reward differs (EVENT), or all of them (USER)."""
        epsilon = level_epsilon(self.epsilon, self.arm_plays, calibrated=self.level, level=level)
        relation = NeighbouringRelation.REPLACE_RECORD if level is Level.EVENT else NeighbouringRelation.ANY_PAIR
        return PureDP(epsilon, relation)

    def guarantee(self) -> PureDP:
        return self.guarantee_at(self.level)

    def neighbours(self) -> Neighbours:
        """Rewards in [-1, 1]. The worst pair moves one reward, or all, from -1 to 1."""
        return self.neighbours_at(self.level)

    def neighbours_at(self, level: Level) -> Neighbours:
        """The neighbours of that level, with their worst pair."""
        plays = require_plays(self.arm_plays)
        low = (-1.0,) * plays
        high = (1.0, *low[1:]) if level is Level.EVENT else (1.0,) * plays
        return Neighbours(self.guarantee_at(level).relation, low=-1.0, high=1.0, lengths=(plays, plays), worst=((low, high),))

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """`runs` reports, shape (runs, 1). Raises ValueError unless `data` has shape (arm_plays,). Consumes randomness from `rng`."""
        rewards = np.asarray(data, dtype=float)
        require(rewards.shape == (self.arm_plays,), f"data of shape {rewards.shape}: must be ({self.arm_plays},) (the owner's rewards)")
        return reported_mean(rewards, self.clipping) + rng.laplace(0.0, self.scale(), (runs, 1))
