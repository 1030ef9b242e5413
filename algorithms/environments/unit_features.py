"""The environment of Figure 1: unit features that share one coordinate, and Bernoulli rewards (sheet `ldp_linucb_2024`, section 7).

theta* and every feature vector are a uniform direction of R^(d-1), scaled to length 1/sqrt(2), with 1/sqrt(2) appended. So all have length
1, the mean <x, theta*> = (1 + cos) / 2 lies in [0, 1], and a reward is 1 with that probability, else 0. A run draws its own theta*, unless
`direction` gives it, and either one set of arms for all rounds or a new one in each.

With `basis` the first d arms are, up to scale, e_k + e_d for k < d, and e_d, as in the script of Chowdhury and Zhou 2022. `feature_norm`
scales the features, and theta* by its inverse, which changes no mean: that script has sqrt(2).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws import kept_normals
from banditproof.algorithms.draws.arrays import normals, normals_room
from banditproof.algorithms.draws.kept_normals import consecutive
from banditproof.guarantees import require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import PRESENT, REWARD, compiled, copy
from banditproof.randomness import uniform
from banditproof.typical import Values, between, whole_numbers

_FIXED, _BASIS, _NORM, _GIVEN, _NORMALS = range(5)  # places in `setup`; from the last one on: the room for the normals of theta*
_DIRECTION = _NORMALS + kept_normals.ROOM  # from here on: the direction, then scratch
_PARAMETER, _NEVER = 1 << 61, 2**62  # where theta* is drawn; the round at which fixed arms change


class ArmSet(Enum):
    """When arms are drawn."""

    FIXED = "fixed"  # once, for all rounds of a run
    REDRAWN = "redrawn"  # anew in each round


def _parameter(setup: Floats, key: Words, target: Floats) -> None:
    """theta* of a run, (d,)."""
    size, square = target.shape[0] - 1, 0.0
    if setup[_GIVEN] > 0.0:
        copy(setup[_DIRECTION : _DIRECTION + size], target)
    else:
        consecutive(setup[_NORMALS:], key, randomness.CONTEXTS, _PARAMETER, target[:size])
    for i in range(size):
        square += target[i] * target[i]
    scale = 1.0 / (setup[_NORM] * math.sqrt(2.0))
    for i in range(size):
        target[i] *= scale / math.sqrt(square)
    target[size] = scale


parameter_of = compiled(_parameter, inline=True)


def _mean(truth: Floats, features: Floats) -> float:
    total = 0.0
    for i in range(truth.shape[0]):
        total += truth[i] * features[i]
    return min(max(total, 0.0), 1.0)  # rounding may leave the interval


mean_of = compiled(_mean, inline=True)


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    arms, dimension = contexts.shape
    size, fixed, scale = dimension - 1, setup[_FIXED] > 0.0, setup[_NORM] / math.sqrt(2.0)
    numbers = 2 * ((arms * size + 1) // 2)
    scratch = setup[_DIRECTION + size :]  # no number of it is read from another call
    truth, drawn, room = scratch[:dimension], scratch[dimension : dimension + numbers], scratch[dimension + numbers :]
    normals(key, randomness.CONTEXTS, 0 if fixed else round, drawn.reshape((1, numbers)), room)
    parameter_of(setup, key, truth)
    for arm in range(arms):
        if setup[_BASIS] > 0.0 and arm < dimension:
            for i in range(size):
                contexts[arm, i] = scale if i == arm else 0.0
            contexts[arm, size] = scale
        else:
            square = 0.0
            for i in range(size):
                square += drawn[arm * size + i] * drawn[arm * size + i]
            length = scale / math.sqrt(square)
            for i in range(size):
                contexts[arm, i] = length * drawn[arm * size + i]
            contexts[arm, size] = scale
        means[arm] = mean_of(truth, contexts[arm])
    return _NEVER if fixed else round + 1


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    dimension = contexts.shape[1]
    truth = setup[_DIRECTION + dimension - 1 : _DIRECTION + 2 * dimension - 1]
    parameter_of(setup, key, truth)
    return 1.0 if uniform(key, randomness.REWARDS, round) < mean_of(truth, contexts[arm]) else 0.0


present, reward = compiled(_present, PRESENT), compiled(_reward, REWARD)


@dataclass(frozen=True)
class UnitFeatures:
    """K = `arms` feature vectors in R^d, d = `dimension`; by default those of Figure 1.

    `direction` is that of the first d - 1 coordinates of theta*, of any length. Raises ValueError unless dimension >= 2, arms >= 2,
    feature_norm > 0, and arms >= width where there are basis arms.
    """

    dimension: int = 5
    arms: int = 100
    arm_set: ArmSet = ArmSet.FIXED
    basis: bool = False
    feature_norm: float = 1.0
    direction: tuple[float, ...] | None = None
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "dimension": whole_numbers(2, 6),
        "arms": whole_numbers(3, 9),
        "feature_norm": between(0.5, 2.0),
        "direction": (None,),
    }

    def __post_init__(self) -> None:
        require(self.dimension >= 2, f"dimension = {self.dimension}: must be an integer >= 2 (a direction and one coordinate)")
        require(self.arms >= 2, f"arms = {self.arms}: must be an integer >= 2")
        require(self.arms >= self.dimension or not self.basis, f"arms = {self.arms}: must be >= {self.dimension} (as many as basis arms)")
        finite = 0.0 < self.feature_norm < math.inf and 1.0 / self.feature_norm < math.inf
        require(finite, f"feature_norm = {self.feature_norm}: must be > 0 and finite, and so its inverse")
        if self.direction is not None:
            fits = len(self.direction) == self.dimension - 1 and 0.0 < math.hypot(*self.direction) < math.inf
            require(fits, f"direction = {self.direction}: must be {self.dimension - 1} finite numbers, not all 0")

    def parameter(self, key: Words, run: int = 0) -> Floats:
        """theta* of a run, (d,), of length 1 / feature_norm; `key` (2,) is that of the audit."""
        target = np.zeros(self.dimension)
        parameter_of(self.setup(), np.array([key[0], key[1], run], dtype=np.uint64), target)
        return target

    def setup(self) -> Floats:
        given = self.direction is not None
        direction = np.zeros(self.dimension - 1)
        if self.direction is not None:
            direction = np.array(self.direction, dtype=float)
            direction /= math.hypot(*self.direction)  # squares of tiny and of large numbers are no numbers
        numbers = 2 * ((self.arms * (self.dimension - 1) + 1) // 2)
        head = [float(self.arm_set is ArmSet.FIXED), float(self.basis), self.feature_norm, float(given)]
        return np.concatenate([head, np.zeros(kept_normals.ROOM), direction, np.zeros(self.dimension + numbers + normals_room(1, numbers))])

    def memory(self) -> Floats:
        return np.zeros(0)
