"""Gaussian rewards: arm a pays centre + spread times a standard normal outcome, which serves every arm of the round."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from banditproof import glossary, randomness
from banditproof.algorithms.draws import kept_normals
from banditproof.algorithms.draws.kept_normals import consecutive, kept_normal
from banditproof.algorithms.environments.common import scaling
from banditproof.algorithms.environments.common.stationary import present, require_one_an_arm
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import REWARD, REWARD_BLOCK, compiled
from banditproof.typical import Several, Values, between


def absolute_moment(order: float, standard_deviation: float = 1.0) -> float:
    """E|X|^order of N(0, s^2): s^order 2^(order/2) Gamma((order + 1) / 2) / sqrt(pi), s = `standard_deviation`.

    Raises ValueError unless order > -1 and s > 0.
    """
    _check(standard_deviation)
    if not -1.0 < order < math.inf:
        raise ValueError(f"order = {order}: must be > -1 and finite (the order of the moment)")
    if order <= 200.0:
        return math.pow(standard_deviation, order) * math.pow(2.0, order / 2.0) * math.gamma((order + 1.0) / 2.0) / math.sqrt(math.pi)
    size = order * math.log(standard_deviation) + _log_moment(order)
    return math.exp(size) if size < 709.0 else math.inf


def unit_standard_deviation(moment: float) -> float:
    """The standard deviation s at which N(0, s^2) has E|X|^k = 1, for k = `moment` (Wu et al. 2023, proof of Theorem 4.1)."""
    if glossary.MOMENT.require(moment) > 200.0:  # the moment itself is soon beyond all doubles
        return math.exp(-_log_moment(moment) / moment)
    return math.pow(absolute_moment(moment), -1.0 / moment)


def _log_moment(order: float) -> float:
    """ln E|X|^order of N(0, 1)."""
    return order / 2.0 * math.log(2.0) + math.lgamma((order + 1.0) / 2.0) - math.log(math.pi) / 2.0


def _check(standard_deviation: float) -> None:
    if not 0.0 < standard_deviation < math.inf:
        raise ValueError(f"standard_deviation = {standard_deviation}: must be > 0 and finite (a standard deviation)")


# `setup` is the centres (K,), the standard deviations (K,) and a room for normals.


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    arms = (setup.shape[0] - kept_normals.ROOM) // 2
    return float(setup[arm] + setup[arms + arm] * kept_normal(setup[2 * arms :], key, randomness.REWARDS, round))


def _rewards(setup: Floats, memory: Floats, first: int, key: Words, arm: int, rewards: Floats) -> None:
    arms = (setup.shape[0] - kept_normals.ROOM) // 2
    centre, deviation = setup[arm], setup[arms + arm]
    consecutive(setup[2 * arms :], key, randomness.REWARDS, first, rewards)
    for place in range(rewards.shape[0]):
        rewards[place] = centre + deviation * rewards[place]


reward = compiled(_reward, REWARD, block=compiled(_rewards, REWARD_BLOCK))


@dataclass(frozen=True)
class Gaussian:
    """One mean and one standard deviation per arm. Raises ValueError unless there are K >= 2 of each and every standard_deviation > 0."""

    centres: tuple[float, ...]
    standard_deviations: tuple[float, ...]
    dimension: int = field(default=0, init=False, repr=False)
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "centres": Several(between(-1.0, 1.0), 3, 3),
        "standard_deviations": Several(between(0.1, 2.0), 3, 3),
    }

    def __post_init__(self) -> None:
        require_one_an_arm(centres=self.centres, standard_deviations=self.standard_deviations)
        for standard_deviation in self.standard_deviations:
            _check(standard_deviation)

    @property
    def arms(self) -> int:
        return len(self.centres)

    def second_moments(self) -> tuple[float, ...]:
        """E X^2 of each arm."""
        return tuple(
            centre**2 + standard_deviation**2 for centre, standard_deviation in zip(self.centres, self.standard_deviations, strict=True)
        )

    def rescaled(self, offset: float, scale: float) -> "Gaussian":
        """The environment that pays (reward - offset) / scale of this one."""
        scaling.require_map(offset, scale)
        centres = tuple((centre - offset) / scale for centre in self.centres)
        return replace(
            self, centres=centres, standard_deviations=tuple(standard_deviation / scale for standard_deviation in self.standard_deviations)
        )

    def setup(self) -> Floats:
        return np.array([*self.centres, *self.standard_deviations, *([0.0] * kept_normals.ROOM)], dtype=float)

    def memory(self) -> Floats:
        return np.zeros(0)
