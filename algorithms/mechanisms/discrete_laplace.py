"""Laplace noise on whole numbers, sampled exactly by OpenDP: no floating point, whose last bits could leak."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from banditproof import glossary
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.typical import Values, whole_numbers

_LARGEST = 2**53  # whole numbers beyond are not floats of their own


@dataclass(frozen=True)
class DiscreteLaplace:
    """Releases `width` whole numbers, each plus k with probability proportional to exp(-|k| epsilon / sensitivity).

    The noise comes from the operating system and cannot be seeded: two equal calls differ, and no witness replays draw for draw.
    The promise's proof is for densities; it holds word for word for probabilities on whole numbers.
    """

    seedable: ClassVar[bool] = False

    epsilon: float
    sensitivity: int = 1
    width: int = 1
    theorems: tuple[str, ...] = field(default=("dwork_2006.laplace_privacy",), init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"sensitivity": whole_numbers(1, 5), "width": whole_numbers(1, 4)}

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        if self.sensitivity < 1 or self.sensitivity != int(self.sensitivity):
            raise ValueError(f"sensitivity = {self.sensitivity}: must be an integer >= 1 (whole numbers move by whole numbers)")
        if not math.isfinite(self.sensitivity / self.epsilon):
            raise ValueError(f"epsilon = {self.epsilon}: must be larger (the noise has the scale sensitivity / epsilon, beyond doubles)")
        if self.width < 1:
            raise ValueError(f"width = {self.width}: must be an integer >= 1 (numbers in the answer)")

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.QUERY_SENSITIVITY)

    def neighbours(self) -> Neighbours:
        """The worst pair moves one coordinate by the whole sensitivity."""
        moved = (float(self.sensitivity),) + (0.0,) * (self.width - 1)
        return Neighbours(
            NeighbouringRelation.QUERY_SENSITIVITY,
            low=-2.0 * self.sensitivity,
            high=2.0 * self.sensitivity,
            lengths=(self.width, self.width),
            integral=True,
            sensitivity=float(self.sensitivity),
            worst=(((0.0,) * self.width, moved),),
        )

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, width); not from rng. Raises ValueError unless `data` are `width` whole numbers <= 2^53."""
        import opendp.prelude as dp

        answer = np.asarray(data, dtype=float)
        if answer.shape != (self.width,):
            raise ValueError(f"data of shape {answer.shape}: must be ({self.width},) (the query's answer)")
        strange = answer[~((np.abs(answer) <= _LARGEST) & (answer == np.floor(answer)))]
        if strange.size:
            raise ValueError(f"number = {strange[0]}: must be a whole number, at most 2^53 in size")
        dp.enable_features("contrib")
        scale = math.nextafter(self.sensitivity / self.epsilon, math.inf)  # the nearest double may lie below
        release = dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"), scale)
        noisy = release(np.tile(answer, runs).astype(int).tolist())
        return np.array(noisy, dtype=float).reshape(runs, self.width)
