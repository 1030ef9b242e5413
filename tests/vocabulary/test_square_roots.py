"""Square roots by Newton's steps are those of the processor's instruction, bit for bit: in the cases that the module's proof leaves to a
trial, and in many others. Where the instruction is kept, the tests compare it with NumPy's."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from banditproof.kernels import compiled, plain
from banditproof.lanes import read, roots, write
from banditproof.square_roots import _slow

COUNT, NEAR = 32, 512  # lanes; the proof's bound on |a - m^2| 2^106


def _roots_of(numbers: Any, target: Any) -> None:
    for place in range(0, numbers.shape[0], COUNT):
        write(target, place, roots(read(numbers, place, COUNT)))


roots_of = compiled(_roots_of)


def taken(numbers: Any) -> Any:
    """The compiled roots of numbers (n,)."""
    padded = np.full(-(-len(numbers) // COUNT) * COUNT, 2.0)
    padded[: len(numbers)] = numbers
    target = np.zeros_like(padded)
    roots_of(padded, target)
    return target[: len(numbers)]


def square_root_modulo(residue: int, bits: int) -> int:
    """A number whose square is `residue` modulo 2^bits, for a residue that is 1 modulo 8, one bit after the other."""
    root = 1
    for bit in range(3, bits):
        if (root * root - residue) >> bit & 1:
            root += 1 << (bit - 1)
    assert (root * root - residue) % (1 << bits) == 0
    return root


def nearest_to_midpoints() -> Iterator[tuple[float, int]]:
    """Each a in [1, 4) whose root lies as near to a midpoint m = M / 2^53 of two floats as |a - m^2| 2^106 < NEAR, and a 2^106 - M^2.

    a is a multiple of 2^-52 in [1, 2), of 2^-51 in [2, 4), so M^2 is minus that number modulo 2^54 or 2^55, and M is odd."""
    for apart in range(-NEAR + 1, NEAR):
        if -apart % 8 == 1:
            for bits in (54, 55):
                first = square_root_modulo(-apart % (1 << bits), bits)
                for root in {sign * first + half for sign in (1, -1) for half in (0, 1 << (bits - 1))}:
                    middle = root % (1 << bits)
                    whole = middle * middle + apart
                    if middle < 1 << 54 and 1 << (bits + 52) <= whole < 1 << (bits + 53):
                        yield float(whole >> bits) * 2.0 ** (bits - 106), apart


def test_the_numbers_nearest_to_a_midpoint() -> None:
    """Would catch steps that round twice, or end with an error above that of the proof: all cases in which it matters."""
    cases = list(nearest_to_midpoints())
    numbers = np.array([number for number, _ in cases])
    assert len(cases) == len(set(numbers)) > 150  # 128 numbers, each with four roots, of which a third lie in the range
    for number, apart in cases:  # the list is what it claims to be
        middle = math.isqrt((int(number * 2**52) << 54) - apart)
        assert middle % 2 == 1
        assert (int(number * 2**52) << 54) - middle * middle == apart
    for power in (-800, -2, 0, 2, 900):
        scaled = numbers * 2.0**power
        exact = [math.isqrt(int(number * 2**52) << 56) for number in numbers]  # floor of the root times 2^54: two more bits than a float
        rounded = np.array([(twice + 2) >> 2 for twice in exact]) * 2.0 ** (power // 2 - 52)
        assert np.array_equal(taken(scaled), rounded)
        assert np.array_equal(np.sqrt(scaled), rounded)


def test_ends_of_the_range_and_what_has_no_root(rng: np.random.Generator) -> None:
    """Would catch steps taken where they underflow, overflow or have no number to start from."""
    ends = [math.ldexp(1.0, power) for power in range(-1074, 1024)]
    special = [0.0, -0.0, math.inf, -1.0, -math.inf, math.nan, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
    numbers = np.array([*ends, *np.nextafter(ends, 0.0), *np.nextafter(ends, math.inf), *special])
    with np.errstate(invalid="ignore"):
        expected = np.sqrt(numbers)
    found = taken(numbers)
    assert np.array_equal(found, expected, equal_nan=True)
    assert np.array_equal(np.signbit(found[~np.isnan(found)]), np.signbit(expected[~np.isnan(expected)]))
    mixed = rng.uniform(1.0, 4.0, 32 * len(special))
    mixed[:: COUNT + 1][: len(special)] = special  # one of them among 31 others
    with np.errstate(invalid="ignore"):
        assert np.array_equal(taken(mixed), np.sqrt(mixed), equal_nan=True)


@pytest.mark.parametrize("count", [8, 16, 32])
def test_many_numbers(count: int, rng: np.random.Generator) -> None:
    """Would catch an error of the last bit in one of a million numbers, and lanes that are put together in another order."""

    def kernel(numbers, target):
        for place in range(0, numbers.shape[0], count):
            write(target, place, roots(read(numbers, place, count)))

    numbers = np.ldexp(rng.uniform(1.0, 4.0, 1 << 20), rng.integers(-450, 450, 1 << 20) * 2)
    quick, target, plainly = compiled(kernel), np.zeros(1 << 20), np.zeros(1 << 10)
    quick(numbers, target)
    assert np.array_equal(target, np.sqrt(numbers))
    plain(quick)(numbers[: 1 << 10], plainly)
    assert np.array_equal(plainly, target[: 1 << 10])


def test_which_processors_take_steps() -> None:
    """Would catch steps in code for a processor that has no instruction to begin them with, or a quick one to end them."""
    assert _slow("x86_64-unknown-linux-gnu", "emeraldrapids", "+avx2,+avx512f")
    assert not _slow("x86_64-unknown-linux-gnu", "znver5", "+avx2,+avx512f")
    assert not _slow("x86_64-unknown-linux-gnu", "skylake", "+avx2,-avx512f")
    assert not _slow("aarch64-unknown-linux-gnu", "neoverse-v1", "+neon")
