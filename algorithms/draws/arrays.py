"""Random numbers side by side: points on the unit circle, logarithms, standard normals; every number has its address, as in `randomness`.

Sine, cosine and logarithm are polynomials, in the same order of operations in both modes (the C library's would cost a call a number), by
Estrin's scheme where they are long: in Horner's each step waits for the one before, and so the processor for most of the time.
"""

import math
from typing import Any

import numpy as np

from banditproof.algorithms.draws.powers import LN2, LN2_REST, ROOT_OF_HALF
from banditproof.algorithms.draws.words import LANES, fine_lanes
from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled, of_lanes
from banditproof.lanes import Lanes, bits_of, floats, of_bits, ratio, roots, take, write
from banditproof.randomness import short_key

# sin a / a and cos a in powers of a^2: Taylor's coefficients; the first one left out is below 2^-53 for |a| <= pi / 4.
_S1, _S2, _S3, _S4, _S5, _S6, _S7 = (
    -1.0 / 6,
    1.0 / 120,
    -1.0 / 5040,
    1.0 / 362880,
    -1.0 / 39916800,
    1.0 / 6227020800,
    -1.0 / 1307674368000,
)
_C1, _C2, _C3, _C4, _C5, _C6, _C7, _C8 = (
    -0.5, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000,
)  # fmt: skip

# artanh s / s in powers of s^2, for |s| <= 0.172, and e^r in powers of r, for |r| <= 0.347: what is left out is below 2^-57.
_A1, _A2, _A3, _A4, _A5, _A6, _A7, _A8, _A9, _A10 = (
    1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21,
)  # fmt: skip


def _turned(turn: Any) -> tuple[Any, Any]:
    """cos and sin of 2 pi (turn - 1/2), within 1e-15, for a turn in [0, 1]: one, or lanes of them."""
    angle = (turn - 0.5) * (0.5 * math.pi)  # a quarter of it: doubled twice below
    square = angle * angle
    second = square * square
    fourth = second * second
    high = (_S5 + _S6 * square) + _S7 * second
    sine = angle * (1.0 + square * (((_S1 + _S2 * square) + (_S3 + _S4 * square) * second) + fourth * high))
    high = (_C5 + _C6 * square) + (_C7 + _C8 * square) * second
    cosine = 1.0 + square * (((_C1 + _C2 * square) + (_C3 + _C4 * square) * second) + fourth * high)
    half_sine, half_cosine = 2.0 * (sine * cosine), 1.0 - 2.0 * (sine * sine)
    return 1.0 - 2.0 * (half_sine * half_sine), 2.0 * (half_sine * half_cosine)


turned = of_lanes(_turned)


def _logarithm(exponent: Any, mantissa: Any) -> Any:
    """ln of 2^exponent mantissa, a whole exponent and a mantissa in [sqrt(1/2), sqrt 2), numbers or lanes: exponent ln 2 +
    2 artanh s, s = (mantissa - 1) / (mantissa + 1)."""
    s = ratio(mantissa - 1.0, mantissa + 1.0)
    square = s * s
    tail = _A9 + square * _A10
    tail = _A5 + square * (_A6 + square * (_A7 + square * (_A8 + square * tail)))
    tail = square * (_A1 + square * (_A2 + square * (_A3 + square * (_A4 + square * tail))))
    return exponent * LN2 + (2.0 * s + (2.0 * s * tail + exponent * LN2_REST))


logarithm = of_lanes(_logarithm)


def _logarithm_lanes(values: Lanes) -> Lanes:
    """ln of positive normal numbers, within 1e-15 relatively, near 1 too."""
    bits = bits_of(values)
    exponent = (bits - ROOT_OF_HALF) >> 52
    return logarithm(floats(exponent), of_bits(bits - (exponent << 52)))


logarithm_lanes = of_lanes(_logarithm_lanes)


def _normal_lanes(stream: Words, first: int) -> tuple[Lanes, Lanes]:
    """Independent standard normals (Box and Muller 1958), a pair from each of the LANES blocks first, first + 1, ... of a stream (4,)."""
    size, turn = fine_lanes(stream, first)
    length = roots(-2.0 * logarithm_lanes(1.0 - size))  # of a number in (0, 1], exactly
    cosine, sine = turned(turn)
    return length * cosine, length * sine


normal_lanes = of_lanes(_normal_lanes)


def _normals(key: Words, purpose: int, first: int, target: Floats, room: Floats) -> None:
    """Fills target (r, 2 n) with independent standard normals; `room` is scratch of `normals_room(r, 2 n)` numbers.

    Row i takes the n blocks from (first + i) n on, of a Philox4x32 stream of (key, purpose): a pair of each, at places p and n + p.
    """
    rows, pairs = target.shape[0], target.shape[1] // 2
    count, stream = (room.shape[0] - 4) // 2, room[:4].view(np.uint64)
    cosines, sines = room[4 : 4 + count], room[4 + count :]
    short_key(key, purpose, stream)
    for place in range(0, rows * pairs, LANES):
        one, other = normal_lanes(stream, first * pairs + place)
        write(cosines, place, one)
        write(sines, place, other)
    for row in range(rows):
        take(cosines, row * pairs, target[row], pairs)
        take(sines, row * pairs, target[row, pairs:], pairs)


normals = compiled(_normals)


def normals_room(rows: int, numbers: int) -> int:
    """Numbers of scratch that `normals` takes for a target (rows, numbers)."""
    return 4 + 2 * (-(-rows * (numbers // 2) // LANES) * LANES)
