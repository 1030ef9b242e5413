"""Uniforms by the block of addresses from Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011), many blocks at a time in vector instructions.

Block i of a stream has the counter (i mod 2^32, i / 2^32, two words of the stream) and the key of the stream; a stream is a
`randomness.short_key`. So a number depends on its address alone, as everywhere. The words have 32 bits, in 64-bit numbers: products of two
then need no upper half, and every step is one vector instruction.
"""

from typing import Any

import numpy as np

from banditproof.interaction import Words
from banditproof.kernels import compiled, of_lanes
from banditproof.lanes import WIDE, Lanes, counted, floats, joined, picking

_MULTIPLIER_0, _MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_WEYL_0, _WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_NONE, _LOWER, _HALF, _ELEVEN, _COARSE_UNIT, FINE_UNIT = (
    np.uint64(0),
    np.uint64(2**32 - 1),
    np.uint64(32),
    np.uint64(11),
    2.0**-32,
    2.0**-53,
)


LANES = 32  # blocks at a time
_QUARTER = LANES // 4


def _short_block(stream: Words, index: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Four words of 32 bits: the Philox4x32-10 block `index` of a stream (4,)."""
    c0, c1, c2, c3 = index & _LOWER, index >> _HALF, stream[2], stream[3]
    k0, k1 = stream[0], stream[1]
    for _ in range(10):
        left, right = _MULTIPLIER_0 * c0, _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (right >> _HALF) ^ c1 ^ k0, right & _LOWER, (left >> _HALF) ^ c3 ^ k1, left & _LOWER
        k0, k1 = (k0 + _WEYL_0) & _LOWER, (k1 + _WEYL_1) & _LOWER
    return c0, c1, c2, c3


short_block = compiled(_short_block, inline=True)


def _words(stream: Words, index: Lanes) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    """The words of the blocks of these indices."""
    none = index & _NONE
    c0, c1, c2, c3 = index, index >> _HALF, none ^ stream[2], none ^ stream[3]
    k0, k1 = stream[0], stream[1]
    for _ in range(10):  # upper halves are left as they come, and cut off where they matter: in products
        left, right = (c0 & _LOWER) * _MULTIPLIER_0, (c2 & _LOWER) * _MULTIPLIER_1
        c0, c1, c2, c3 = (right >> _HALF) ^ c1 ^ k0, right, (left >> _HALF) ^ c3 ^ k1, left
        k0, k1 = (k0 + _WEYL_0) & _LOWER, (k1 + _WEYL_1) & _LOWER
    return c0 & _LOWER, c1 & _LOWER, c2 & _LOWER, c3 & _LOWER


words_of = of_lanes(_words)
first_quarter, second_quarter = picking(*range(_QUARTER)), picking(*range(_QUARTER, 2 * _QUARTER))
third_quarter, last_quarter = picking(*range(2 * _QUARTER, 3 * _QUARTER)), picking(*range(3 * _QUARTER, LANES))


def _at_once(stream: Words, first: int, step: int) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    """The words of the LANES blocks first, first + step, ... of a stream (4,): first words, second words, ..."""
    return words_of(stream, counted(np.uint64(first), np.uint64(step), LANES))


def _by_quarters(stream: Words, first: int, step: int) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    """The same words, of a quarter of the blocks after the other."""
    index = counted(np.uint64(first), np.uint64(step), LANES)
    a0, a1, a2, a3 = words_of(stream, first_quarter(index))
    b0, b1, b2, b3 = words_of(stream, second_quarter(index))
    c0, c1, c2, c3 = words_of(stream, third_quarter(index))
    d0, d1, d2, d3 = words_of(stream, last_quarter(index))
    return (
        joined(joined(a0, b0), joined(c0, d0)), joined(joined(a1, b1), joined(c1, d1)),
        joined(joined(a2, b2), joined(c2, d2)), joined(joined(a3, b3), joined(c3, d3)),
    )  # fmt: skip


at_once, by_quarters = of_lanes(_at_once), of_lanes(_by_quarters)
short_lanes = at_once if WIDE == LANES else by_quarters  # what stands in registers


def _coarse_lanes(stream: Words, first: int, step: int) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    """Multiples of 2^-32 in [0, 1), one for each of the words of LANES blocks."""
    c0, c1, c2, c3 = short_lanes(stream, first, step)
    return floats(c0) * _COARSE_UNIT, floats(c1) * _COARSE_UNIT, floats(c2) * _COARSE_UNIT, floats(c3) * _COARSE_UNIT


def _fine(low: Any, high: Any) -> Any:
    """The 53 bits of a fine uniform as an integer, from two words of 32 bits; or several side by side."""
    return (high << _HALF | low) >> _ELEVEN


fine = of_lanes(_fine)


def _fine_lanes(stream: Words, first: int) -> tuple[Lanes, Lanes]:
    """Multiples of 2^-53 in [0, 1), two for each of the LANES blocks first, first + 1, ...: of two words each, the second one above."""
    c0, c1, c2, c3 = short_lanes(stream, first, 1)
    return floats(fine(c0, c1)) * FINE_UNIT, floats(fine(c2, c3)) * FINE_UNIT


coarse_lanes, fine_lanes = of_lanes(_coarse_lanes), of_lanes(_fine_lanes)
