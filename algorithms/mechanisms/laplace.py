"""Laplace noise (Dwork, McSherry, Nissim and Smith 2006, Proposition 1): on a query's answer, or on a user's message before it leaves."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from banditproof import glossary, randomness
from banditproof.guarantees import NeighbouringRelation, PureDP, View, whole
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.mechanism import Neighbours
from banditproof.randomness import laplace
from banditproof.typical import Values, whole_numbers


def scale(epsilon: float, sensitivity: float = 1.0) -> float:
    """Scale of the noise that makes an answer of this L1 sensitivity epsilon-private: sensitivity / epsilon."""
    return glossary.SENSITIVITY.require(sensitivity) / glossary.EPSILON.require(epsilon)


def epsilon(scale: float, sensitivity: float = 1.0) -> float:
    """Privacy parameter epsilon that noise of this scale gives: sensitivity / scale."""
    return glossary.SENSITIVITY.require(sensitivity) / glossary.SCALE.require(scale)


def tail(threshold: float, scale: float) -> float:
    """P(|noise| > threshold) = exp(-threshold / scale)."""
    return math.exp(-glossary.THRESHOLD.require(threshold) / glossary.SCALE.require(scale))


@dataclass(frozen=True)
class Laplace:
    """Releases a query's answer, shape (`width`,), each number with noise of its own of scale sensitivity / epsilon.

    Neighbouring answers lie within `sensitivity` in L1, in the query's unit; epsilon is in nats. Raises ValueError unless epsilon and
    sensitivity are > 0 and width >= 1.
    """

    epsilon: float
    sensitivity: float = 1.0
    width: int = 1
    theorems: tuple[str, ...] = field(default=("dwork_2006.laplace_privacy",), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"width": whole_numbers(1, 4)}

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.SENSITIVITY.require(self.sensitivity)
        whole("width", self.width, 1, "numbers in the answer")

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.QUERY_SENSITIVITY)

    def neighbours(self) -> Neighbours:
        """The worst pair moves one coordinate by the whole sensitivity; any split of it among coordinates loses as much."""
        moved = (self.sensitivity,) + (0.0,) * (self.width - 1)
        return Neighbours(
            NeighbouringRelation.QUERY_SENSITIVITY,
            low=-2.0 * self.sensitivity,
            high=2.0 * self.sensitivity,
            lengths=(self.width, self.width),
            sensitivity=self.sensitivity,
            worst=(((0.0,) * self.width, moved),),
        )

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, width). Raises ValueError unless `data` has shape (width,)."""
        answer = np.asarray(data, dtype=float)
        if answer.shape != (self.width,):
            raise ValueError(f"data of shape {answer.shape}: must be ({self.width},) (the query's answer)")
        return answer + rng.laplace(0.0, scale(self.epsilon, self.sensitivity), (runs, self.width))


def _add_noise(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    width = message.shape[0]
    for column in range(width):
        value = message[column]  # a NaN passes both comparisons, and stays
        if value < 0.0:
            value = 0.0
        elif value > 1.0:
            value = 1.0
        report[0, column] = value + width / setup[0] * laplace(key, randomness.CLIENT, round * width + column)


add_noise = compiled(_add_noise, RANDOMISE)


@dataclass(frozen=True)
class LocalLaplace:
    """Client randomiser: each of the w numbers of a message is clipped to [0, 1] and gets noise of scale w / epsilon.

    Any two messages lie at most w apart in L1, so the whole message is epsilon-private; its mean is that of the clipped message.
    """

    epsilon: float
    theorems: tuple[str, ...] = field(default=("dwork_2006.laplace_privacy",), init=False, repr=False)
    kernel: Kernel = field(default=add_noise, init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def messages(self, width: int) -> tuple[int, int]:
        return 1, width

    def setup(self) -> Floats:
        return np.array([self.epsilon])
