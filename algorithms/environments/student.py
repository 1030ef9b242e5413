"""Student rewards with any real degrees of freedom: arm a pays centre + noise_scale T, from two words of the round's one random block.

T = sqrt(nu (u^(-2 / nu) - 1)) cos(2 pi v) for uniforms u and v has Student's distribution with nu degrees of freedom exactly: Bailey's
method (Bailey 1994) with an angle in place of a point in the disc, so that it draws no second time. The arms share u and v.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.algorithms.environments.common import scaling
from banditproof.algorithms.environments.common.stationary import present, require_one_an_arm
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import REWARD, REWARD_BLOCK, compiled
from banditproof.randomness import block
from banditproof.typical import Several, Values, between

_ELEVEN, _UNIT = np.uint64(11), 2.0**-53


def variance(degrees: float, noise_scale: float = 1.0) -> float:
    """noise_scale^2 nu / (nu - 2); raises ValueError unless nu = `degrees` > 2."""
    _check(degrees, noise_scale, 2.0)
    return noise_scale**2 * degrees / (degrees - 2.0)


def absolute_moment(order: float, degrees: float, noise_scale: float = 1.0) -> float:
    """E|X|^k of a centred distribution: noise_scale^k nu^(k/2) Gamma((k + 1) / 2) Gamma((nu - k) / 2) / (sqrt(pi) Gamma(nu / 2)), for k =
    `order`.

    Raises ValueError unless nu = `degrees` > k > -1.
    """
    _check(degrees, noise_scale, order)
    if not order > -1.0:
        raise ValueError(f"order = {order}: must be > -1 (the order of the moment)")
    from scipy.special import betaln, digamma

    half = abs(order) / 2.0  # tail = ln Gamma((nu - k) / 2) - ln Gamma(nu / 2), which two large terms would lose
    if half < 1e-6:
        tail = -order / 2.0 * float(digamma(degrees / 2.0 - order / 4.0))
    else:
        tail = math.copysign(1.0, order) * (float(betaln(min(degrees, degrees - order) / 2.0, half)) - math.lgamma(half))
    size = order / 2.0 * math.log(degrees) + math.lgamma((order + 1.0) / 2.0) + tail
    return math.pow(noise_scale, order) * math.exp(size) / math.sqrt(math.pi)


def _check(degrees: float, noise_scale: float, order: float) -> None:
    if not order < degrees < math.inf:
        raise ValueError(f"degrees = {degrees}: must be > {order:g} (the order of the moment) and finite")
    if not 0.0 < noise_scale < math.inf:
        raise ValueError(f"noise_scale = {noise_scale}: must be > 0 and finite")


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    first, second, _, _ = block(key, randomness.REWARDS, round)
    arms = setup.shape[0] // 3
    degrees = setup[2 * arms + arm]
    logarithm = math.log((float(first >> _ELEVEN) + 1.0) * _UNIT)
    size = math.sqrt(degrees * math.expm1(-2.0 / degrees * logarithm))
    return float(setup[arm] + setup[arms + arm] * (size * math.cos(2.0 * math.pi * (float(second >> _ELEVEN) * _UNIT))))


def _rewards(setup: Floats, memory: Floats, first: int, key: Words, arm: int, rewards: Floats) -> None:
    arms = setup.shape[0] // 3
    centre, noise_scale, degrees = setup[arm], setup[arms + arm], setup[2 * arms + arm]
    for place in range(rewards.shape[0]):
        one, other, _, _ = block(key, randomness.REWARDS, first + place)
        logarithm = math.log((float(one >> _ELEVEN) + 1.0) * _UNIT)
        size = math.sqrt(degrees * math.expm1(-2.0 / degrees * logarithm))
        rewards[place] = centre + noise_scale * (size * math.cos(2.0 * math.pi * (float(other >> _ELEVEN) * _UNIT)))


reward = compiled(_reward, REWARD, block=compiled(_rewards, REWARD_BLOCK))


@dataclass(frozen=True)
class Student:
    """One mean, one noise scale and one number of degrees of freedom per arm.

    Raises ValueError unless there are K >= 2 of each, every noise scale > 0 and every degrees > 1, so that the mean exists.
    """

    centres: tuple[float, ...]
    noise_scales: tuple[float, ...]
    degrees: tuple[float, ...]
    dimension: int = field(default=0, init=False, repr=False)
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "centres": Several(between(-1.0, 1.0), 3, 3),
        "noise_scales": Several(between(0.1, 2.0), 3, 3),
        "degrees": Several(between(1.1, 9.0), 3, 3),
    }

    def __post_init__(self) -> None:
        require_one_an_arm(centres=self.centres, noise_scales=self.noise_scales, degrees=self.degrees)
        for degrees, noise_scale in zip(self.degrees, self.noise_scales, strict=True):
            _check(degrees, noise_scale, 1.0)

    @property
    def arms(self) -> int:
        return len(self.centres)

    def second_moments(self) -> tuple[float, ...]:
        """E X^2 of each arm; raises ValueError unless all degrees > 2."""
        distributions = zip(self.centres, self.noise_scales, self.degrees, strict=True)
        return tuple(centre**2 + variance(degrees, noise_scale) for centre, noise_scale, degrees in distributions)

    def rescaled(self, offset: float, scale: float) -> "Student":
        """The environment that pays (reward - offset) / scale of this one."""
        scaling.require_map(offset, scale)
        centres = tuple((centre - offset) / scale for centre in self.centres)
        return replace(self, centres=centres, noise_scales=tuple(noise_scale / scale for noise_scale in self.noise_scales))

    def setup(self) -> Floats:
        return np.array([*self.centres, *self.noise_scales, *self.degrees], dtype=float)

    def memory(self) -> Floats:
        return np.zeros(0)
