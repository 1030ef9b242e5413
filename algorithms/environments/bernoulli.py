"""Bernoulli rewards: arm a pays 1 with probability means[a]. One uniform a round serves every arm."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws.binomial import ATTEMPTS, binomial
from banditproof.algorithms.environments.common.stationary import present
from banditproof.guarantees import number, shown
from banditproof.interaction import Floats, Ints, Kernel, Words
from banditproof.kernels import REWARD, REWARD_BLOCK, REWARD_TALLY, compiled
from banditproof.randomness import uniform
from banditproof.typical import Several, Values, between


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    return 1.0 if uniform(key, randomness.REWARDS, round) < setup[arm] else 0.0


def _rewards(setup: Floats, memory: Floats, first: int, key: Words, arm: int, rewards: Floats) -> None:
    for place in range(rewards.shape[0]):
        rewards[place] = 1.0 if uniform(key, randomness.REWARDS, first + place) < setup[arm] else 0.0


def _tally(setup: Floats, memory: Floats, first: int, rounds: int, key: Words, arm: int, values: Floats, counts: Ints) -> int:
    values[0], values[1] = 1.0, 0.0
    counts[0] = binomial(key, randomness.REWARDS, first * ATTEMPTS, rounds, setup[arm])
    counts[1] = rounds - counts[0]
    return 2


reward = compiled(_reward, REWARD, block=compiled(_rewards, REWARD_BLOCK), tally=compiled(_tally, REWARD_TALLY))


@dataclass(frozen=True)
class Bernoulli:
    """K arms whose rewards are 0 or 1, independent, 1 with probability `means[arm]`.

    Raises ValueError unless K >= 2 and every mean lies in [0, 1].
    """

    means: tuple[float, ...]
    dimension: int = field(default=0, init=False, repr=False)
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"means": Several((0.0, 0.5, 1.0, between(0.0, 1.0)), 2, 6)}

    def __post_init__(self) -> None:
        if not isinstance(self.means, (tuple, list, np.ndarray)):
            raise ValueError(f"means = {shown(self.means)}: must be a tuple of numbers, one per arm")
        if len(self.means) < 2:
            raise ValueError(f"means = {self.means}: must be those of at least 2 arms")
        for mean in self.means:
            if not 0.0 <= number("mean", mean) <= 1.0:
                raise ValueError(f"mean = {mean}: must be >= 0 and <= 1 (a probability)")

    @property
    def arms(self) -> int:
        return len(self.means)

    def setup(self) -> Floats:
        return np.array(self.means, dtype=float)

    def memory(self) -> Floats:
        return np.zeros(0)
