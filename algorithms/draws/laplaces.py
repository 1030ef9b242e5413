"""Laplace noise by the block: four numbers from the four words of one random block, where `randomness.laplace` draws one."""

import math

import numpy as np

from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled
from banditproof.randomness import block

PER_BLOCK = 4
_ELEVEN, _ONE, _UNIT = np.uint64(11), np.uint64(1), 2.0**-53


def _laplaces(key: Words, purpose: int, index: int, target: Floats) -> None:
    """Fills target (4,) with independent Laplace noise of scale 1: each a sign and an exponential from one word of the block `index`."""
    words = target.view(np.uint64)
    words[0], words[1], words[2], words[3] = block(key, purpose, index)
    for place in range(PER_BLOCK):
        word = words[place]
        size = -math.log((float(word >> _ELEVEN) + 1.0) * _UNIT)
        target[place] = size if word & _ONE else -size


laplaces = compiled(_laplaces, inline=True)
