"""Rotting Bernoulli rewards: each pull of an arm lowers its mean, so the rewards depend on what the policy did before."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import PRESENT, REWARD, compiled
from banditproof.randomness import uniform
from banditproof.typical import Several, Values, between


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    for arm in range(memory.shape[0]):
        means[arm] = max(0.0, setup[1 + arm] - setup[0] * memory[arm])
    return round + 1


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    mean = max(0.0, setup[1 + arm] - setup[0] * memory[arm])
    memory[arm] += 1.0
    return 1.0 if uniform(key, randomness.REWARDS, round) < mean else 0.0


present, reward = compiled(_present, PRESENT), compiled(_reward, REWARD)


@dataclass(frozen=True)
class Rotting:
    """Arm a pays 1 with probability max(0, means[a] - fall * its pulls so far). The regret is against the best mean of the moment.

    Raises ValueError unless K >= 2, every mean lies in [0, 1] and fall >= 0.
    """

    means: tuple[float, ...]
    fall: float = 0.01
    dimension: int = field(default=0, init=False, repr=False)
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"means": Several((0.0, 0.5, 1.0, between(0.0, 1.0)), 2, 6), "fall": between(0.0, 0.5)}

    def __post_init__(self) -> None:
        if len(self.means) < 2:
            raise ValueError(f"means = {self.means}: must be those of at least 2 arms")
        for mean in self.means:
            if not 0.0 <= mean <= 1.0:
                raise ValueError(f"mean = {mean}: must be >= 0 and <= 1 (a probability)")
        if not 0.0 <= self.fall < math.inf:
            raise ValueError(f"fall = {self.fall}: must be >= 0 and finite (loss of mean a pull)")

    @property
    def arms(self) -> int:
        return len(self.means)

    def setup(self) -> Floats:
        return np.array([self.fall, *self.means], dtype=float)

    def memory(self) -> Floats:
        return np.zeros(self.arms)
