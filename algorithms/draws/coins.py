"""Uniforms, one a round, drawn for 64 rounds at a time and kept at the end of an environment's `setup` until others are asked for.

Each has its address, (key, purpose, round), so it does not depend on what was asked before. A room serves one purpose.
"""

import numpy as np

from banditproof.algorithms.draws.words import LANES, fine_lanes
from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled, copy
from banditproof.lanes import write
from banditproof.randomness import short_key

_SHIFT, _LAST = (2 * LANES).bit_length() - 1, 2 * LANES - 1
ROOM = 8 + 2 * LANES  # numbers: the key, 1 + the first round, four words, the uniforms


def _draw(room: Floats, key: Words, purpose: int, block: int) -> None:
    words = room.view(np.uint64)
    short_key(key, purpose, words[4:8])
    first, second = fine_lanes(words[4:8], block * LANES)
    write(room, 8, first)
    write(room, 8 + LANES, second)
    copy(key, words)
    words[3] = block + 1


draw = compiled(_draw)


def _coin(room: Floats, key: Words, purpose: int, round: int) -> float:
    """The uniform of a round on [0, 1), a multiple of 2^-53; `room` (n,) begins with ROOM numbers that are 0 at first."""
    words, block = room.view(np.uint64), round >> _SHIFT
    if words[0] != key[0] or words[1] != key[1] or words[2] != key[2] or words[3] != np.uint64(block + 1):
        draw(room, key, purpose, block)
    return float(room[8 + (round & _LAST)])


coin = compiled(_coin, inline=True)
