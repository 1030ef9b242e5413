"""A linear problem with one set of arms for all rounds: arm a pays <a, theta> plus noise.

Noise of standard deviation s: GAUSSIAN is N(0, s^2); RADEMACHER is s or -s with equal probability; SIGNS pays 1 with probability
(1 + mean) / 2, else -1, so that rewards lie in [-1, 1]. `bound` clips Gaussian noise to [-bound, bound]: it stays symmetric, so the means
stay. With s <= 1 all of them are sub-Gaussian of scale 1, as Charisopoulos et al. 2023 assume, who also have |a| <= 1 and |theta| <= 1.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws import coins, kept_normals
from banditproof.algorithms.draws.coins import coin
from banditproof.algorithms.draws.kept_normals import kept_normal
from banditproof.guarantees import require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import PRESENT, REWARD, compiled
from banditproof.typical import Several, Values, between

_KIND, _SCALE, _BOUND, _COINS = range(4)  # places in `setup`
_NORMALS = _COINS + coins.ROOM
_TABLE = _NORMALS + kept_normals.ROOM  # from here on: means (K,), then arms (K, d)
_NEVER = 2**62  # the round at which the arms change


class Noise(Enum):
    """The distribution of a reward about its mean."""

    GAUSSIAN = "gaussian"
    RADEMACHER = "rademacher"
    SIGNS = "signs"


_KINDS = {Noise.GAUSSIAN: 0.0, Noise.RADEMACHER: 1.0, Noise.SIGNS: 2.0}


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    arms, dimension = contexts.shape
    for arm in range(arms):
        means[arm] = setup[_TABLE + arm]
        for column in range(dimension):
            contexts[arm, column] = setup[_TABLE + arms + arm * dimension + column]
    return _NEVER


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    mean = setup[_TABLE + arm]
    if setup[_KIND] == 0.0:
        noise = setup[_SCALE] * kept_normal(setup[_NORMALS:], key, randomness.REWARDS, round)
        return float(mean + min(max(noise, -setup[_BOUND]), setup[_BOUND]))
    uniform = coin(setup[_COINS:], key, randomness.REWARDS, round)
    if setup[_KIND] == 1.0:
        return float(mean + setup[_SCALE] if uniform < 0.5 else mean - setup[_SCALE])
    return 1.0 if uniform < (1.0 + mean) / 2.0 else -1.0


present, reward = compiled(_present, PRESENT), compiled(_reward, REWARD)


@dataclass(frozen=True)
class FixedLinear:
    """Arms (K, d) and theta (d,), in rows. Raises ValueError unless K >= 2, d >= 1, all numbers are finite, standard_deviation >= 0,
    bound > 0, and for SIGNS every mean lies in [-1, 1]."""

    vectors: tuple[tuple[float, ...], ...]
    theta: tuple[float, ...]
    noise: Noise = Noise.GAUSSIAN
    standard_deviation: float = 1.0
    bound: float = math.inf
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "vectors": Several(Several(between(-0.5, 0.5), 3, 3), 4, 4),
        "theta": Several(between(-0.5, 0.5), 3, 3),
        "standard_deviation": between(0.0, 2.0),
        "bound": (math.inf, between(0.1, 2.0)),
    }

    def __post_init__(self) -> None:
        shape = np.shape(self.theta)
        require(len(self.vectors) >= 2, f"{len(self.vectors)} vectors: must be those of at least 2 arms")
        require(shape[0] >= 1, "theta = (): must have at least one number")
        for vector in self.vectors:
            require(len(vector) == shape[0], f"vector {vector}: must have {shape[0]} numbers, as theta")
        finite = np.isfinite(self.table()).all() and np.isfinite(self.theta).all()
        require(bool(finite), "vectors and theta: must be finite numbers")
        require(0.0 <= self.standard_deviation < math.inf, f"standard_deviation = {self.standard_deviation}: must be >= 0 and finite")
        require(self.bound > 0.0, f"bound = {self.bound}: must be > 0 (on the size of Gaussian noise)")
        largest = float(np.abs(self.means()).max())
        require(self.noise is not Noise.SIGNS or largest <= 1.0, f"mean of size {largest}: must be <= 1 (rewards are 1 or -1)")

    @classmethod
    def of(
        cls, vectors: Floats, theta: Floats, *, noise: Noise = Noise.GAUSSIAN, standard_deviation: float = 1.0, bound: float = math.inf
    ) -> "FixedLinear":
        """The problem of arrays (K, d) and (d,)."""
        rows = tuple(tuple(float(number) for number in row) for row in vectors)
        return cls(rows, tuple(float(number) for number in theta), noise, standard_deviation, bound)

    @property
    def arms(self) -> int:
        return len(self.vectors)

    @property
    def dimension(self) -> int:
        return len(self.theta)

    def table(self) -> Floats:
        """The arms, (K, d)."""
        return np.array(self.vectors, dtype=float)

    def means(self) -> Floats:
        """The mean rewards, (K,)."""
        return np.array([math.fsum(x * y for x, y in zip(vector, self.theta, strict=True)) for vector in self.vectors])

    def setup(self) -> Floats:
        head = [_KINDS[self.noise], self.standard_deviation, self.bound]
        return np.concatenate([head, np.zeros(_TABLE - _COINS), self.means(), self.table().ravel()])

    def memory(self) -> Floats:
        return np.zeros(0)
