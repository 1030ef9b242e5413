"""Laplace noise by the block: four numbers from the four words of one random block, where `randomness.laplace` draws one."""

import math

import numpy as np

from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled
from banditproof.randomness import block

PER_BLOCK = 4
_ELEVEN, _ONE, _UNIT = np.uint64(11), np.uint64(1), 2.0**-53


def _laplace_of(word: np.uint64) -> float:
    """Laplace noise of scale 1: a sign and an exponential from one word, as in `randomness.laplace`."""
    size = -math.log((float(word >> _ELEVEN) + 1.0) * _UNIT)
    return size if word & _ONE else -size


laplace_of = compiled(_laplace_of, inline=True)


def _laplaces(key: Words, purpose: int, index: int, target: Floats) -> None:
    """Fills target (4,) with independent Laplace noise of scale 1, one number from each word of the block `index`."""
    first, second, third, fourth = block(key, purpose, index)
    target[0], target[1], target[2], target[3] = laplace_of(first), laplace_of(second), laplace_of(third), laplace_of(fourth)


laplaces = compiled(_laplaces, inline=True)
