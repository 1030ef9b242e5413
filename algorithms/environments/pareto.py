"""Pareto rewards, by inversion: arm a pays shift + scale (1 - u)^(-1 / shape), where one uniform u a round serves every arm.

The distribution has density shape scale^shape / x^(shape + 1) for x = reward - shift >= scale; moments of an order below the shape are
finite.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws.powers import power
from banditproof.algorithms.environments.common import scaling
from banditproof.algorithms.environments.common.stationary import present, require_one_an_arm
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import REWARD, REWARD_BLOCK, compiled
from banditproof.randomness import uniform
from banditproof.typical import Several, Values, between


def mean(shape: float, scale: float, shift: float = 0.0) -> float:
    """shift + shape scale / (shape - 1); raises ValueError unless shape > 1."""
    return shift + raw_moment(1, shape, scale)


def variance(shape: float, scale: float) -> float:
    """shape scale^2 / ((shape - 1)^2 (shape - 2)); raises ValueError unless shape > 2."""
    _check(shape, scale, 2.0)
    return shape * scale**2 / ((shape - 1.0) ** 2 * (shape - 2.0))


def raw_moment(order: float, shape: float, scale: float) -> float:
    """E X^order = shape scale^order / (shape - order) without shift; raises ValueError unless shape > order."""
    _check(shape, scale, order)
    return shape * math.pow(scale, order) / (shape - order)


def _check(shape: float, scale: float, order: float) -> None:
    if not order < shape < math.inf:
        raise ValueError(f"shape = {shape}: must be > {order:g} (the order of the moment) and finite")
    if not 0.0 < scale < math.inf:
        raise ValueError(f"scale = {scale}: must be > 0 and finite (the least reward without shift)")


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    start = setup.shape[0] // 4 + 3 * arm
    outcome = 1.0 - uniform(key, randomness.REWARDS, round)
    return float(setup[start] + setup[start + 1] * power(outcome, setup[start + 2]))


def _rewards(setup: Floats, memory: Floats, first: int, key: Words, arm: int, rewards: Floats) -> None:
    start = setup.shape[0] // 4 + 3 * arm
    shift, scale, exponent = setup[start], setup[start + 1], setup[start + 2]
    for place in range(rewards.shape[0]):
        rewards[place] = 1.0 - uniform(key, randomness.REWARDS, first + place)
    for place in range(rewards.shape[0]):
        rewards[place] = shift + scale * power(rewards[place], exponent)


reward = compiled(_reward, REWARD, block=compiled(_rewards, REWARD_BLOCK))


@dataclass(frozen=True)
class Pareto:
    """One shape, scale and shift an arm. Raises ValueError unless there are K >= 2 of each, every shape > 1 and every scale > 0."""

    shapes: tuple[float, ...]
    scales: tuple[float, ...]
    shifts: tuple[float, ...]
    dimension: int = field(default=0, init=False, repr=False)
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "shapes": Several(between(1.1, 5.0), 3, 3),
        "scales": Several(between(0.1, 2.0), 3, 3),
        "shifts": Several(between(-3.0, 1.0), 3, 3),
    }

    def __post_init__(self) -> None:
        require_one_an_arm(shapes=self.shapes, scales=self.scales, shifts=self.shifts)
        for shape, scale in zip(self.shapes, self.scales, strict=True):
            _check(shape, scale, 1.0)

    @property
    def arms(self) -> int:
        return len(self.shapes)

    def means(self) -> tuple[float, ...]:
        return tuple(mean(*distribution) for distribution in zip(self.shapes, self.scales, self.shifts, strict=True))

    def second_moments(self) -> tuple[float, ...]:
        """E X^2 of each arm; raises ValueError unless every shape > 2."""
        distributions = zip(self.means(), self.shapes, self.scales, strict=True)
        return tuple(centre**2 + variance(shape, scale) for centre, shape, scale in distributions)

    def rescaled(self, offset: float, scale: float) -> "Pareto":
        """The environment that pays (reward - offset) / scale of this one."""
        scaling.require_map(offset, scale)
        shifts = tuple((shift - offset) / scale for shift in self.shifts)
        return replace(self, scales=tuple(own / scale for own in self.scales), shifts=shifts)

    def setup(self) -> Floats:
        distributions = np.array([self.shifts, self.scales, [-1.0 / shape for shape in self.shapes]])
        return np.concatenate([self.means(), distributions.T.ravel()])

    def memory(self) -> Floats:
        return np.zeros(0)
