"""Random numbers by the array: uniforms, points on the unit circle, standard normals; every number has its address, as in `randomness`.

The loops are over arrays and of one kind of step, so that the compiler turns them into vector instructions; sine, cosine, logarithm and
power are polynomials, in the same order of operations in both modes (the C library's would cost a call a number). They are computed by
Estrin's scheme: in Horner's each step waits for the one before, and so the processor for most of the time. Callers own all arrays.
"""

import math
from typing import Any

import numpy as np

from banditproof.algorithms.draws.powers import LN2, LN2_REST, PER_LN2, ROOT_OF_HALF
from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled, copy, of_lanes
from banditproof.lanes import Lanes, bits_of, floats, of_bits, ratio
from banditproof.randomness import block

_ELEVEN, _UNIT = np.uint64(11), 2.0**-53
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
_E3, _E4, _E5, _E6, _E7, _E8, _E9, _E10, _E11, _E12, _E13 = (
    1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600,
    1.0 / 6227020800,
)  # fmt: skip


def _store(key: Words, purpose: int, index: int, words: Words) -> None:
    """The words of one block, (4,)."""
    words[0], words[1], words[2], words[3] = block(key, purpose, index)


store = compiled(_store, inline=True)


def _uniforms(key: Words, purpose: int, index: int, target: Floats) -> None:
    """Fills target (n,) with uniforms on [0, 1): the words of the blocks index, index + 1, ..."""
    words, whole = target.view(np.uint64), target.shape[0] // 4  # first all words, then all numbers: both loops at full width
    for place in range(whole):
        store(key, purpose, index + place, words[4 * place : 4 * place + 4])
    if 4 * whole < target.shape[0]:
        rest = block(key, purpose, index + whole)
        for place in range(4 * whole, target.shape[0]):
            words[place] = rest[place - 4 * whole]
    for place in range(target.shape[0]):
        target[place] = float(words[place] >> _ELEVEN) * _UNIT


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


def _circle(turns: Floats, cosines: Floats, sines: Floats) -> None:
    """`turned` for turns (n,); three arrays that do not overlap."""
    for place in range(turns.shape[0]):
        cosines[place], sines[place] = turned(turns[place])


uniforms, circle = compiled(_uniforms, inline=True), compiled(_circle, inline=True)


def _logarithm(exponent: Any, mantissa: Any) -> Any:
    """ln of 2^exponent mantissa, a whole exponent and a mantissa in [sqrt(1/2), sqrt 2), of each or of lanes of them: exponent ln 2 +
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


def _logarithms(values: Floats, room: Floats) -> None:
    """The same of numbers (n,), in place; `room` (n,) is scratch."""
    bits = values.view(np.int64)
    for place in range(values.shape[0]):
        exponent = (bits[place] - ROOT_OF_HALF) >> 52
        room[place] = float(exponent)
        bits[place] -= exponent << 52
    for place in range(values.shape[0]):
        values[place] = logarithm(room[place], values[place])


logarithms = compiled(_logarithms, inline=True)


def _powers(values: Floats, exponent: float, room: Floats) -> None:
    """values ** exponent for numbers (n,) that are 0 or in [2^-53, 1], in place, within 1e-15, for an exponent in (0, 13]; 0 stays 0.

    `room` (2 n,) is scratch.
    """
    size = values.shape[0]
    logs, scratch = room[:size], room[size:]
    for place in range(size):
        logs[place] = values[place] if values[place] > 0.0 else 1.0
    logarithms(logs, scratch)
    bits = scratch.view(np.int64)
    for place in range(size):
        power = exponent * logs[place]
        twos = math.floor(power * PER_LN2 + 0.5)
        logs[place] = (power - twos * LN2) - twos * LN2_REST
        bits[place] = (int(twos) + 1023) << 52
    for place in range(size):
        r = logs[place]
        high = _E9 + r * (_E10 + r * (_E11 + r * (_E12 + r * _E13)))
        middle = _E4 + r * (_E5 + r * (_E6 + r * (_E7 + r * (_E8 + r * high))))
        whole = scratch[place] * (1.0 + r * (1.0 + r * (0.5 + r * (_E3 + r * middle))))
        values[place] = whole if values[place] > 0.0 else 0.0


powers = compiled(_powers, inline=True)


def _normals(key: Words, purpose: int, index: int, step: int, target: Floats, room: Floats) -> None:
    """Fills target (r, 2 n) with independent standard normals (Box and Muller 1958); `room` is scratch of `normals_room(r, 2 n)` numbers.

    Row i takes the blocks from index + i step on: first n radii, then n angles. All rows go through each step together.
    """
    rows, pairs = target.shape[0], target.shape[1] // 2
    size, held = rows * pairs, 4 * ((2 * pairs + 3) // 4)
    raw, rest = room[:held], room[held:]
    radii, angles, cosines, sines = rest[:size], rest[size : 2 * size], rest[2 * size : 3 * size], rest[3 * size : 4 * size]
    for row in range(rows):
        uniforms(key, purpose, index + row * step, raw)
        copy(raw[:pairs], radii[row * pairs :])
        copy(raw[pairs : 2 * pairs], angles[row * pairs :])
    circle(angles, cosines, sines)
    for place in range(size):
        radii[place] = 1.0 - radii[place]  # it lies in (0, 1], exactly
    logarithms(radii, angles)
    for place in range(size):
        radii[place] = math.sqrt(-2.0 * radii[place])
    for place in range(size):
        cosines[place] *= radii[place]
    for place in range(size):
        sines[place] *= radii[place]
    for row in range(rows):
        copy(cosines[row * pairs : (row + 1) * pairs], target[row])
        copy(sines[row * pairs : (row + 1) * pairs], target[row, pairs:])


normals = compiled(_normals)


def normals_room(rows: int, numbers: int) -> int:
    """Numbers of scratch that `normals` takes for a target (rows, numbers)."""
    return 4 * ((numbers + 3) // 4) + 2 * rows * numbers
