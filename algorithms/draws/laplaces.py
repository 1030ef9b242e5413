"""Laplace noise by the window: as many numbers at a time as fill vector instructions, where `randomness.laplace` draws one.

Number i of a stream (`randomness.short_key`) stands in window i // TOGETHER at place i mod TOGETHER. Window w has the Philox4x32 blocks
w n .. w n + n - 1, n = TOGETHER / 2 (`draws.words`): place j < n takes the first two words of block w n + j, place n + j the other two.
"""

import numpy as np

from banditproof.algorithms.draws.arrays import logarithm_lanes
from banditproof.algorithms.draws.words import short_block
from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled
from banditproof.lanes import WIDE, floats, read, write

TOGETHER = 32
_BLOCKS = TOGETHER // 2
_ONE, _ELEVEN, _HALF, _UNIT = np.uint64(1), np.uint64(11), np.uint64(32), 2.0**-53


def _laplaces(stream: Words, window: int, target: Floats) -> None:
    """Fills target (TOGETHER,) with independent Laplace noise of scale 1: each a sign and an exponential from two words of 32 bits."""
    words, first = target.view(np.uint64), np.uint64(window * _BLOCKS)
    for place in range(_BLOCKS):
        one, two, three, four = short_block(stream, first + np.uint64(place))
        words[place], words[_BLOCKS + place] = (one << _HALF) | two, (three << _HALF) | four
    for place in range(0, TOGETHER, WIDE):
        word = read(words, place, WIDE)
        size = logarithm_lanes((floats(word >> _ELEVEN) + 1.0) * _UNIT)
        write(target, place, size * (1.0 - 2.0 * floats(word & _ONE)))


laplaces = compiled(_laplaces, inline=True)
