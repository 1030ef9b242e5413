"""Lanes: compiled and plain, every operation gives the same bits, also of NaN, infinities, zeros of either sign, and ties."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.kernels import compiled, of_lanes, plain
from banditproof.lanes import (
    absolute,
    add,
    bits_of,
    counted,
    filled,
    first_equal,
    floats,
    is_zero,
    joined,
    larger,
    largest,
    maximum,
    multiply,
    of_bits,
    picking,
    ratio,
    read,
    roots,
    select,
    side_by_side,
    smaller,
    take,
    write,
    zeros,
)

COUNTS = (4, 8, 32)
SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308)
NUMBERS = st.one_of(st.sampled_from(SPECIAL), st.floats(), st.floats(-4.0, 4.0))
INTEGERS = st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from((0, 1, -1, 2**63 - 1, -(2**63), 2**52, 2**53 + 1)))
GUARD = 3  # numbers before and after what is read or written, which must stay
reverse, evens = picking(3, 2, 1, 0), picking(0, 2)


def alike(one: Any, other: Any) -> bool:
    """Whether two arrays have the same bits; every NaN is one NaN, since no rule says which one an operation gives."""
    left, right = np.asarray(one), np.asarray(other)
    if left.dtype == np.float64:
        left, right = (np.where(np.isnan(each), math.nan, each).view(np.int64) for each in (left, right))
    return left.dtype == right.dtype and np.array_equal(left, right)


def of_floats(count: int) -> tuple[Any, int]:
    """A kernel of all operations of floats, and how many rows of results it writes."""

    def kernel(left, right, number, target, integers):
        a, b = read(left, GUARD, count), read(right, GUARD, count)
        whole = bits_of(a)
        write(target[0], GUARD, a + b)
        write(target[1], GUARD, a - b)
        write(target[2], GUARD, a * b)
        write(target[3], GUARD, a / b)
        write(target[4], GUARD, ratio(a, b))
        write(target[5], GUARD, -a)
        write(target[6], GUARD, absolute(a))
        write(target[7], GUARD, roots(a))
        write(target[8], GUARD, larger(a, b))
        write(target[9], GUARD, smaller(a, b))
        write(target[10], GUARD, select(a < b, a, b))
        write(target[11], GUARD, select(a <= b, a, b))
        write(target[12], GUARD, select(a > b, a, b))
        write(target[13], GUARD, select(a >= b, a, b))
        write(target[14], GUARD, select(a == b, 1.0, b))
        write(target[15], GUARD, select(a < number, number, b))
        write(target[16], GUARD, a + number)
        write(target[17], GUARD, number - a)
        write(target[18], GUARD, number * a)
        write(target[19], GUARD, ratio(a, number))
        write(target[20], GUARD, larger(a, number))
        write(target[21], GUARD, smaller(a, number))
        write(target[22], GUARD, filled(number, count))
        write(target[23], GUARD, of_bits(whole))
        write(target[24], GUARD, 2 * a + 1)
        write(target[25], GUARD, select(number > a, a, 0.0))
        write(target[26], GUARD, ratio(number, a))
        write(integers, GUARD, whole)
        target[27, 0] = largest(a)
        target[27, 1] = first_equal(a, number)
        target[27, 2] = first_equal(a, largest(b))
        target[27, 3] = ratio(number, left[GUARD])

    return compiled(kernel), 28


def of_integers(count: int) -> tuple[Any, int]:
    """The same of integers with a sign, then without one."""

    def kernel(left, right, number, shift, unsigned_left, unsigned_right, step, places, target, words, wide):
        a, b = read(left, GUARD, count), read(right, GUARD, count)
        c, e = read(unsigned_left, GUARD, count), read(unsigned_right, GUARD, count)
        write(target[0], GUARD, a + b)
        write(target[1], GUARD, a - b)
        write(target[2], GUARD, a * b)
        write(target[3], GUARD, a & b)
        write(target[4], GUARD, a | b)
        write(target[5], GUARD, a ^ b)
        write(target[6], GUARD, a >> 52)
        write(target[7], GUARD, a << 52)
        write(target[8], GUARD, a >> shift)
        write(target[9], GUARD, a - number)
        write(target[10], GUARD, filled(number, count))
        write(words[0], GUARD, c + e)
        write(words[1], GUARD, c - e)
        write(words[2], GUARD, c * e)
        write(words[3], GUARD, c & e)
        write(words[4], GUARD, c | e)
        write(words[5], GUARD, c ^ e)
        write(words[6], GUARD, c >> places)
        write(words[7], GUARD, c << places)
        write(words[8], GUARD, counted(step, step, count))
        write(words[9], GUARD, c * step)
        write(words[10], GUARD, filled(step, count))
        write(wide[0], GUARD, floats(a))
        write(wide[1], GUARD, floats(c))
        wide[2, 0] = 1.0 if is_zero(a) else 0.0
        wide[2, 1] = 1.0 if is_zero(c ^ e) else 0.0

    return compiled(kernel), 11


FLOATS, WHOLE = {count: of_floats(count) for count in COUNTS}, {count: of_integers(count) for count in COUNTS}


def lanes_of(draw: Any, count: int, numbers: Any, dtype: Any) -> np.ndarray:
    return np.array(draw(st.lists(numbers, min_size=count + 2 * GUARD, max_size=count + 2 * GUARD)), dtype=dtype)


@pytest.mark.parametrize("count", COUNTS)
@settings(max_examples=60)
@given(data=st.data())
def test_floats_are_alike_compiled_and_plain(count, data):
    """Would catch an operation on the wrong lanes or in the wrong order, a comparison that takes a NaN for smaller, `max` that prefers the
    other of two zeros, a sum fused with a product, and a lane beside those that were asked for."""
    (kernel, rows), left = FLOATS[count], lanes_of(data.draw, count, NUMBERS, float)
    right = lanes_of(data.draw, count, NUMBERS, float)
    if data.draw(st.booleans()):  # ties
        right[GUARD : GUARD + 2] = left[GUARD : GUARD + 2]
    number = float(data.draw(st.one_of(NUMBERS, st.sampled_from(left.tolist()))))
    found = np.full((2, rows, left.size), 7.5)
    integers = np.full((2, left.size), 77)
    with np.errstate(all="ignore"):
        for place, form in enumerate((kernel, plain(kernel))):
            form(left, right, number, found[place], integers[place])
    for row in range(rows):
        assert alike(found[0, row], found[1, row]), row
    assert np.array_equal(integers[0], integers[1])
    inside = slice(GUARD, GUARD + count)
    assert np.all(np.delete(found[:, :27], np.arange(GUARD, GUARD + count), axis=2) == 7.5)
    a, b = left[inside].tolist(), right[inside].tolist()
    assert alike(found[0, 8, inside], [max(x, y) for x, y in zip(a, b, strict=True)])
    assert alike(found[0, 9, inside], [min(x, y) for x, y in zip(a, b, strict=True)])
    assert alike(found[0, 10, inside], [x if x < y else y for x, y in zip(a, b, strict=True)])
    assert alike(found[0, 11, inside], [x if x <= y else y for x, y in zip(a, b, strict=True)])
    assert alike(found[0, 14, inside], [1.0 if x == y else y for x, y in zip(a, b, strict=True)])
    assert alike(found[0, 7, inside], [math.sqrt(x) if x >= 0.0 else math.nan for x in a])
    assert found[0, 27, 1] == (a.index(number) if not math.isnan(number) and number in a else 0)
    if not any(map(math.isnan, a)):
        assert found[0, 27, 0] == max(a)


@pytest.mark.parametrize("count", COUNTS)
@settings(max_examples=60)
@given(data=st.data())
def test_integers_are_alike_compiled_and_plain(count, data):
    """Would catch a shift that fills up with the wrong bit, a sum that is not modulo 2^64, and integers taken for those of the other
    sign."""
    (kernel, rows), (left, right) = WHOLE[count], (lanes_of(data.draw, count, INTEGERS, np.int64) for _ in range(2))
    if data.draw(st.booleans()):
        left[GUARD : GUARD + count] = 0
    if data.draw(st.booleans()):
        right = left.copy()
    number, shift = np.int64(data.draw(INTEGERS)), np.int64(data.draw(st.integers(0, 63)))
    step = np.uint64(data.draw(st.integers(0, 2**64 - 1)))
    target, words = np.full((2, rows, left.size), 7), np.full((2, rows, left.size), 7, dtype=np.uint64)
    wide = np.full((2, 3, left.size), 7.0)
    unsigned = left.view(np.uint64), right.view(np.uint64)
    with np.errstate(all="ignore"):
        for place, form in enumerate((kernel, plain(kernel))):
            form(left, right, number, shift, *unsigned, step, np.uint64(shift), target[place], words[place], wide[place])
    assert np.array_equal(target[0], target[1]) and np.array_equal(words[0], words[1]) and alike(wide[0], wide[1])
    inside = slice(GUARD, GUARD + count)
    whole, positive = [int(each) for each in left[inside]], [int(each) for each in unsigned[0][inside]]
    assert target[0, 8, inside].tolist() == [each >> int(shift) for each in whole]
    assert words[0, 6, inside].tolist() == [each >> int(shift) for each in positive]
    assert words[0, 8, inside].tolist() == [(lane + 1) * int(step) % 2**64 for lane in range(count)]
    assert wide[0, 0, inside].tolist() == [float(each) for each in whole] and wide[0, 1, inside].tolist() == [
        float(each) for each in positive
    ]
    assert wide[0, 2, 0] == all(each == 0 for each in whole)
    assert wide[0, 2, 1] == np.array_equal(left[inside], right[inside])


def _arranged(numbers, target):
    a, b = read(numbers, 0, 4), read(numbers, 4, 4)
    write(target, 0, joined(a, b))
    write(target, 8, reverse(a))
    write(target, 12, evens(b))
    write(target, 14, joined(evens(a), evens(reverse(b))))
    write(target, 18, side_by_side(numbers[7], numbers[6], numbers[5], 1, numbers[3], numbers[2], numbers[1], -0.0))


arranged = compiled(_arranged)


@given(numbers=st.lists(NUMBERS, min_size=8, max_size=8))
def test_lanes_are_arranged_in_order(numbers):
    """Would catch halves that are exchanged, places counted from the end, and a number of `side_by_side` that stands elsewhere."""
    a, b, c, d, e, f, g, h = numbers
    expected = [*numbers, d, c, b, a, e, g, a, c, h, f, h, g, f, 1.0, d, c, b, -0.0]
    for form in (arranged, plain(arranged)):
        target = np.full(26, 7.5)
        form(np.array(numbers), target)
        assert alike(target, expected)


def _halves(turn):
    return turn * 0.5, turn + 1


halves = of_lanes(_halves)


def _both(numbers, target):
    one, other = halves(read(numbers, 0, 4))
    write(target, 0, one)
    write(target, 4, other)
    target[8], target[9] = halves(numbers[1])


both = compiled(_both)


def test_one_helper_takes_numbers_and_lanes():
    """Would catch a helper that is compiled for one of them alone."""
    for form in (both, plain(both)):
        target = np.zeros(10)
        form(np.array([1.0, 2.0, 3.0, 4.0]), target)
        assert target.tolist() == [0.5, 1.0, 1.5, 2.0, 2.0, 3.0, 4.0, 5.0, 1.0, 3.0]


@given(data=st.data(), size=st.integers(1, 70), first=st.integers(0, 9))
def test_sums_copies_and_maxima_of_any_length(data, size, first):
    """Would catch the last numbers where the length is no multiple of eight, one that is written beyond the end or taken from elsewhere,
    and a maximum that leaves out the ends."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    source, other = rng.normal(size=(2, first + size + 8))
    for form in (lambda kernel: kernel, plain):
        target = np.full(size + 8, 7.5)
        form(take)(source, first, target, size)
        assert target.tolist() == [*source[first : first + size], *[7.5] * 8]
        for kernel, expected in ((add, source[:size] + other[:size]), (multiply, source[:size] * other[:size])):
            room = np.full(size + 8, 7.5)
            form(kernel)(source, other, room[:size])
            assert room.tolist() == [*expected, *[7.5] * 8]
        assert form(maximum)(source, first, size) == source[first : first + size].max()
        for place in (0, size // 2, size - 1):  # wherever it stands, and nothing beside counts
            peaked = source.copy()
            peaked[:first], peaked[first + size :], peaked[first + place] = 1e9, 1e9, 1e6
            assert form(maximum)(peaked, first, size) == 1e6


@given(shape=st.lists(st.integers(0, 9), min_size=1, max_size=3))
def test_zeros_begin_at_sixty_four_bytes(shape):
    """Would catch an array that begins in the middle of what a processor reads at once, one of another shape, and one that is not zero."""
    found = zeros(*shape)
    assert found.shape == tuple(shape) and found.dtype == np.float64 and found.flags.c_contiguous and not found.any()
    assert found.ctypes.data % 64 == 0 or found.size == 0
    found[...] = 1.0  # may be written


def test_what_is_no_lanes_is_refused():
    """Would catch lanes of different lengths that are added, a count that is no constant, and floats put beside integers."""

    def unequal(numbers):
        write(numbers, 0, read(numbers, 0, 4) + read(numbers, 0, 8))

    def unknown(numbers, count):
        write(numbers, 0, read(numbers, 0, count))

    def mixed(numbers):
        write(numbers, 0, read(numbers, 0, 4) & read(numbers, 4, 4))

    def strided(numbers):
        write(numbers.reshape((4, 4))[:, 0], 0, read(numbers, 0, 4))

    def beyond(numbers):
        write(numbers, 0, evens(read(numbers, 0, 2)))

    for kernel, arguments in ((unequal, ()), (unknown, (4,)), (mixed, ()), (strided, ()), (beyond, ())):
        with pytest.raises(Exception, match="No implementation of function"):
            compiled(kernel)(np.zeros(16), *arguments)
