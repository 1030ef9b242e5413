"""Huber contamination (Huber 1964): with probability alpha a value is replaced by a draw from an outlier distribution, one for all arms or
one per arm."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, assert_never

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws.coins import ROOM, coin
from banditproof.algorithms.environments.common import scaling
from banditproof.interaction import Floats, Kernel, Wire, Words
from banditproof.kernels import CORRUPT, CORRUPT_BLOCK, compiled
from banditproof.randomness import normal, uniform
from banditproof.typical import Instance, Several, Values, between

# `setup` is the contamination, four numbers of each distribution of outliers (0, low, high and its probability, or 1, mean and deviation),
# that of the last one being of all further arms; and a room for coins, one a round, which say whether there is an outlier.


def _is_outlier(setup: Floats, round: int, key: Words) -> bool:
    return bool(coin(setup[setup.shape[0] - ROOM :], key, randomness.CORRUPTION, round) < setup[0])


def _outlier(setup: Floats, round: int, key: Words, arm: int) -> float:
    start = 1 + 4 * min(arm, (setup.shape[0] - ROOM) // 4 - 1)
    if setup[start] > 0.0:
        return float(setup[start + 1] + setup[start + 2] * normal(key, randomness.CORRUPTION, round))
    return float(setup[start + 2] if uniform(key, randomness.CORRUPTION, round) < setup[start + 3] else setup[start + 1])


is_outlier, outlier_of = compiled(_is_outlier, inline=True), compiled(_outlier, inline=True)


def _contaminate(setup: Floats, memory: Floats, round: int, key: Words, arm: int, values: Floats) -> None:
    if is_outlier(setup, round, key):
        outlier = outlier_of(setup, round, key, arm)
        for column in range(values.shape[0]):
            values[column] = outlier


def _contaminate_rewards(setup: Floats, memory: Floats, first: int, key: Words, arm: int, rewards: Floats) -> None:
    for place in range(rewards.shape[0]):
        if is_outlier(setup, first + place, key):
            rewards[place] = outlier_of(setup, first + place, key, arm)


contaminate = compiled(_contaminate, CORRUPT, block=compiled(_contaminate_rewards, CORRUPT_BLOCK))


@dataclass(frozen=True)
class Huber:
    """Contamination of the pulled arm's reward (wire REWARDS) or of the whole message (wire REPORT), independently each round.

    The outlier is `high` with probability `high_probability`, else `low`: a constant by default. Raises ValueError unless
    0 <= contamination <= 1 and 0 <= high_probability <= 1.
    """

    contamination: float
    high: float = 1.0
    low: float = 0.0
    high_probability: float = 1.0
    wire: Wire = Wire.REWARDS
    kernel: Kernel = field(default=contaminate, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "contamination": between(0.0, 1.0),
        "high": between(0.5, 5.0),
        "low": between(-5.0, 0.0),
        "high_probability": between(0.0, 1.0),
        "wire": (Wire.REWARDS, Wire.REPORT),
    }

    def __post_init__(self) -> None:
        for name, value in (("contamination", self.contamination), ("high_probability", self.high_probability)):
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{name} = {value}: must be >= 0 and <= 1 (a probability)")
        if self.wire not in (Wire.REWARDS, Wire.REPORT):
            raise ValueError(f"wire = {self.wire.value}: must be rewards or report")

    def rescaled(self, offset: float, scale: float) -> "Huber":
        """The same outliers where rewards pass through (reward - offset) / scale."""
        scaling.require_map(offset, scale)
        return replace(self, high=(self.high - offset) / scale, low=(self.low - offset) / scale)

    def setup(self) -> Floats:
        return np.array([self.contamination, 0.0, self.low, self.high, self.high_probability, *([0.0] * ROOM)])

    def memory(self) -> Floats:
        return np.zeros(0)


class TwoValues(NamedTuple):
    """An outlier distribution: `high` with probability `high_probability`, else `low`; a constant by default."""

    low: float
    high: float
    high_probability: float = 1.0


class Normal(NamedTuple):
    """A Gaussian outlier distribution."""

    mean: float
    standard_deviation: float = 1.0


_TWO_VALUES = Instance(TwoValues, {"low": between(-5.0, 0.0), "high": between(0.5, 5.0), "high_probability": between(0.0, 1.0)})
_NORMAL = Instance(Normal, {"mean": between(-5.0, 5.0), "standard_deviation": between(0.0, 2.0)})


@dataclass(frozen=True)
class ArmHuber:
    """Contamination as by `Huber`, with one distribution of outliers per arm: distributions[a], and the last one for all further arms.

    Raises ValueError unless 0 <= contamination <= 1 and there is at least one distribution, with finite numbers, a probability in [0, 1] or
    a standard deviation >= 0.
    """

    contamination: float
    distributions: tuple[TwoValues | Normal, ...]
    wire: Wire = Wire.REWARDS
    kernel: Kernel = field(default=contaminate, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "contamination": between(0.0, 1.0),
        "distributions": Several((_TWO_VALUES, _NORMAL), 1, 4),
        "wire": (Wire.REWARDS, Wire.REPORT),
    }

    def __post_init__(self) -> None:
        if not 0.0 <= self.contamination <= 1.0:
            raise ValueError(f"contamination = {self.contamination}: must be >= 0 and <= 1 (a probability)")
        if not self.distributions:
            raise ValueError("distributions = (): must be those of at least 1 arm")
        for distribution in self.distributions:
            if isinstance(distribution, TwoValues) and not (math.isfinite(distribution.low) and math.isfinite(distribution.high)):
                raise ValueError(f"{distribution}: must have finite values")
            if isinstance(distribution, TwoValues) and not 0.0 <= distribution.high_probability <= 1.0:
                raise ValueError(f"high_probability = {distribution.high_probability}: must be >= 0 and <= 1 (a probability)")
            if isinstance(distribution, Normal) and not (
                math.isfinite(distribution.mean) and 0.0 <= distribution.standard_deviation < math.inf
            ):
                raise ValueError(f"{distribution}: must have a finite mean and a standard_deviation >= 0 and finite")
        if self.wire not in (Wire.REWARDS, Wire.REPORT):
            raise ValueError(f"wire = {self.wire.value}: must be rewards or report")

    def rescaled(self, offset: float, scale: float) -> "ArmHuber":
        """The same outliers where rewards pass through (reward - offset) / scale."""
        scaling.require_map(offset, scale)

        def moved(distribution: TwoValues | Normal) -> TwoValues | Normal:
            match distribution:
                case TwoValues(low, high, fraction):
                    return TwoValues((low - offset) / scale, (high - offset) / scale, fraction)
                case Normal(mean, standard_deviation):
                    return Normal((mean - offset) / scale, standard_deviation / scale)
                case _:
                    assert_never(distribution)

        return replace(self, distributions=tuple(moved(distribution) for distribution in self.distributions))

    def setup(self) -> Floats:
        rows: list[float] = [self.contamination]
        for distribution in self.distributions:
            match distribution:
                case TwoValues(low, high, fraction):
                    rows += [0.0, low, high, fraction]
                case Normal(mean, standard_deviation):
                    rows += [1.0, mean, standard_deviation, 0.0]
                case _:
                    assert_never(distribution)
        return np.array([*rows, *([0.0] * ROOM)], dtype=float)

    def memory(self) -> Floats:
        return np.zeros(0)
