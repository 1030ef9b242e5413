"""Standard normals, asked for one by one: drawn by windows of 2 LANES, of which the last one is kept in a `room` at the end of a `setup`.

Each has its address, (key, purpose, index), so it does not depend on what was asked before. The number at place p of window w is the cosine
of the pair of block w LANES + p of the stream of (key, purpose), `arrays.normal_lanes`, and that at place LANES + p is its sine. `coins`
takes uniforms of the same blocks, so a purpose of a part has either coins or normals. Ask in ascending order: a
window that is not the one kept is drawn again.
"""

import numpy as np

from banditproof.algorithms.draws.arrays import normal_lanes
from banditproof.algorithms.draws.words import LANES
from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled, copy
from banditproof.lanes import write
from banditproof.randomness import short_key

_SHIFT, _LAST = (2 * LANES).bit_length() - 1, 2 * LANES - 1
_NUMBERS = 8  # where in the room the normals begin, behind the key, `_kept` of purpose and window, and the four words of the stream
_PURPOSE = 59  # the bit from which a purpose is written: windows of indices below 2^63 have fewer
ROOM = _NUMBERS + 2 * LANES


def _kept(purpose: int, window: int) -> np.uint64:
    """One number for purpose and window, never 0."""
    return np.uint64((purpose << _PURPOSE) + window + 1)


kept = compiled(_kept, inline=True)


def _draw(room: Floats, key: Words, purpose: int, window: int) -> None:
    """Fills the room with a window."""
    words = room.view(np.uint64)
    short_key(key, purpose, words[4:8])
    cosines, sines = normal_lanes(words[4:8], window * LANES)
    write(room, _NUMBERS, cosines)
    write(room, _NUMBERS + LANES, sines)
    copy(key, words)
    words[3] = kept(purpose, window)


draw = compiled(_draw)


def _keep(room: Floats, key: Words, purpose: int, window: int) -> None:
    """Draws a window unless the room has it."""
    words = room.view(np.uint64)
    if words[0] != key[0] or words[1] != key[1] or words[2] != key[2] or words[3] != kept(purpose, window):
        draw(room, key, purpose, window)


keep = compiled(_keep, inline=True)


def _kept_normal(room: Floats, key: Words, purpose: int, index: int) -> float:
    """The standard normal at index >= 0; `room` (n,) begins with ROOM numbers that are 0 at first."""
    keep(room, key, purpose, index >> _SHIFT)
    return float(room[_NUMBERS + (index & _LAST)])


kept_normal = compiled(_kept_normal, inline=True)


def _consecutive(room: Floats, key: Words, purpose: int, first: int, target: Floats) -> None:
    """The standard normals at first, first + 1, ..., target (n,)."""
    place, count = 0, target.shape[0]
    while place < count:
        index = first + place
        keep(room, key, purpose, index >> _SHIFT)
        start = index & _LAST
        size = min(count - place, 2 * LANES - start)
        copy(room[_NUMBERS + start : _NUMBERS + start + size], target[place : place + size])
        place += size


consecutive = compiled(_consecutive, inline=True)
