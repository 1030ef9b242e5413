"""Logarithm and power of one number by polynomials: the same bits in both modes, and a loop over them turns into vector instructions.

`arrays.logarithm_lanes` has the same bits for several numbers side by side. `exponential` is of lanes alone.
"""

import numpy as np

from banditproof.kernels import compiled, of_lanes
from banditproof.lanes import Lanes, bits_of, larger, of_bits, select

ROOT_OF_HALF = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)
LN2, LN2_REST = float.fromhex("0x1.62e42fefa38p-1"), float.fromhex("0x1.ef35793c7673p-45")  # 42 bits of ln 2, and the rest
PER_LN2 = 1.4426950408889634


def _logarithm(value: float) -> float:
    """ln of a positive normal number, within 1e-15 relatively, near 1 too.

    Of 2^k m with m in [sqrt(1/2), sqrt 2) it is k ln 2 + 2 artanh s, s = (m - 1) / (m + 1)."""
    bits = np.float64(value).view(np.int64)
    exponent = (bits - ROOT_OF_HALF) >> 52
    mantissa = np.int64(bits - (exponent << 52)).view(np.float64)
    s = float(np.divide(mantissa - 1.0, mantissa + 1.0))  # `/` would look for a 0, one number at a time
    square, whole = s * s, float(exponent)
    tail = 1.0 / 13 + square * (1.0 / 15 + square * (1.0 / 17 + square * (1.0 / 19 + square * (1.0 / 21))))
    tail = square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9 + square * (1.0 / 11 + square * tail)))))
    return whole * LN2 + (2.0 * s + (2.0 * s * tail + whole * LN2_REST))


logarithm = compiled(_logarithm, inline=True)


def _power(value: float, exponent: float) -> float:
    """value^exponent of a number in [2^-53, 1], for an exponent in [-13, 13]: within 1e-13 relatively."""
    size = exponent * logarithm(value)
    twos = np.floor(size * PER_LN2 + 0.5)
    r = (size - twos * LN2) - twos * LN2_REST
    scale = np.int64((np.int64(twos) + 1023) << 52).view(np.float64)
    tail = 1.0 / 362880 + r * (1.0 / 3628800 + r * (1.0 / 39916800 + r * (1.0 / 479001600 + r * 1.0 / 6227020800)))
    tail = 1.0 / 24 + r * (1.0 / 120 + r * (1.0 / 720 + r * (1.0 / 5040 + r * (1.0 / 40320 + r * tail))))
    return float(scale * (1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6 + r * tail)))))


power = compiled(_power, inline=True)


_WHOLE, _BIAS = 1.5 * 2.0**52, 1023 << 52  # a number plus _WHOLE has no fraction left, and ends with the bits of the nearest integer
_LEAST = -700.0
_E2, _E3, _E4, _E5, _E6, _E7, _E8, _E9, _E10, _E11, _E12, _E13 = (
    1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800,
    1.0 / 479001600, 1.0 / 6227020800,
)  # fmt: skip


def _exponential(sizes: Lanes) -> Lanes:
    """e^size of numbers in [-700, 700], within 1e-15 relatively; 0 below."""
    kept = larger(sizes, _LEAST)
    shifted = kept * PER_LN2 + _WHOLE
    twos = shifted - _WHOLE
    r = (kept - twos * LN2) - twos * LN2_REST
    square = r * r
    fourth = square * square
    low = (_E2 + _E3 * r) + (_E4 + _E5 * r) * square
    middle = (_E6 + _E7 * r) + (_E8 + _E9 * r) * square
    high = (_E10 + _E11 * r) + (_E12 + _E13 * r) * square
    scale = of_bits((bits_of(shifted) << 52) + _BIAS)
    return select(sizes < _LEAST, 0.0, scale * (1.0 + (r + square * (low + fourth * (middle + fourth * high)))))


exponential = of_lanes(_exponential)
