"""Mechanisms made of mechanisms: several releases on the same data, and a release that is clipped and rounded afterwards."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, assert_never

import numpy as np

from banditproof import glossary
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP
from banditproof.interaction import Floats
from banditproof.mechanism import Mechanism, Neighbours
from banditproof.typical import Values, between


def _seedable(mechanism: Mechanism) -> bool:
    return bool(getattr(mechanism, "seedable", True))


@dataclass(frozen=True)
class Composition:
    """`folds` independent releases of one mechanism on the same data, side by side, shape (runs, folds * width).

    Levels add up (basic composition): epsilon, delta, rho; a Gaussian level grows with the root of `folds`, which is exact.
    """

    mechanism: Mechanism
    folds: int
    theorems: tuple[str, ...] = field(default=("inequalities.basic_composition",), init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.FOLDS.require(self.folds)

    @property
    def seedable(self) -> bool:
        return _seedable(self.mechanism)

    def guarantee(self) -> Guarantee:
        """Raises ValueError where folds * delta >= 1: nothing is promised then."""
        one = self.mechanism.guarantee()
        match one:
            case PureDP(epsilon, relation, view):
                return PureDP(self.folds * epsilon, relation, view)
            case ApproximateDP(epsilon, delta, relation, view):
                return ApproximateDP(self.folds * epsilon, self.folds * delta, relation, view)
            case ZeroConcentratedDP(rho, relation, view):
                return ZeroConcentratedDP(self.folds * rho, relation, view)
            case RenyiDP(order, epsilon, relation, view):
                return RenyiDP(order, self.folds * epsilon, relation, view)
            case GaussianDP(mu, relation, view):
                return GaussianDP(math.sqrt(self.folds) * mu, relation, view)
        assert_never(one)

    def neighbours(self) -> Neighbours:
        return self.mechanism.neighbours()

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` joint releases, one fold after the other."""
        return np.concatenate([self.mechanism.release(data, runs, rng) for _ in range(self.folds)], axis=1)


@dataclass(frozen=True)
class PostProcessed:
    """A mechanism's release, clipped to [low, high] and then rounded to the nearest multiple of `step` (0: not rounded).

    A NaN stays NaN. Raises ValueError unless low < high and step >= 0.
    """

    mechanism: Mechanism
    low: float = -math.inf
    high: float = math.inf
    step: float = 0.0
    theorems: tuple[str, ...] = field(default=("inequalities.post_processing",), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"low": between(-5.0, 0.0), "high": between(0.5, 5.0), "step": (0.0, 0.25, 1.0)}

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise ValueError(f"low = {self.low}, high = {self.high}: must be low < high")
        if not 0.0 <= self.step < math.inf:
            raise ValueError(f"step = {self.step}: must be >= 0 and finite")

    @property
    def seedable(self) -> bool:
        return _seedable(self.mechanism)

    def guarantee(self) -> Guarantee:
        return self.mechanism.guarantee()

    def neighbours(self) -> Neighbours:
        return self.mechanism.neighbours()

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases of the mechanism and processes them."""
        clipped = np.clip(self.mechanism.release(data, runs, rng), self.low, self.high)
        if self.step == 0.0:
            return clipped
        steps = clipped / self.step
        return np.where(np.isfinite(steps), np.round(steps) * self.step, clipped)  # too many steps for a double: each is its own
