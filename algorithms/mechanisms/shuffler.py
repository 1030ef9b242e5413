"""The uniform shuffler: every order of a batch of messages is equally likely."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.interaction import Floats, Ints, Kernel, Words
from banditproof.kernels import SHUFFLE, compiled
from banditproof.randomness import uniform
from banditproof.typical import Values, whole_numbers


def _by_uniforms(setup: Floats, key: Words, first: int, order: Ints) -> None:
    # One uniform a message, numbered over the whole run; a stable sort, which compiled and plain code agree on.
    size = order.shape[0]
    marks = np.empty(size)
    for position in range(size):
        marks[position] = uniform(key, randomness.SHUFFLING, first + position)
    sorted_positions = np.argsort(marks, kind="mergesort")
    for position in range(size):
        order[position] = sorted_positions[position]


by_uniforms = compiled(_by_uniforms, SHUFFLE, allocates=True)


@dataclass(frozen=True)
class UniformShuffler:
    """Orders the single messages of each batch uniformly at random: those of `batch` users, who may send several each.

    The last batch of a run may be shorter. With a policy that chooses its batches, `batch` is 1, and each of those is ordered.
    """

    batch: int
    kernel: Kernel = field(default=by_uniforms, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"batch": whole_numbers(1, 9)}

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise ValueError(f"batch = {self.batch}: must be an integer >= 1 (rounds)")

    def setup(self) -> Floats:
        return np.zeros(0)
