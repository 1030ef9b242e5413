"""Draws by the array: addresses, accuracy of the polynomials, and the distribution of a coordinate on a sphere."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.draws.arrays import circle, logarithms, normals, normals_room, powers, uniforms
from banditproof.algorithms.draws.sphere import quantiles, quantiles_in_five, table
from banditproof.algorithms.draws.words import coarse_uniforms, short_block
from banditproof.kernels import plain
from banditproof.randomness import block, key_of, short_key

SEEDS = st.integers(0, 2**32)


def words_of(seed: int, run: int = 0) -> np.ndarray:
    return np.array([*key_of(seed), run], dtype=np.uint64)


@given(seed=SEEDS, purpose=st.integers(0, 7), index=st.integers(0, 2**60), length=st.integers(1, 30))
def test_uniforms_are_the_words_of_their_blocks(seed, purpose, index, length):
    """Would catch a word used twice or left out, also in the last block, which is not used up."""
    key, blocks = words_of(seed), -(-length // 4)
    words = [int(word) for place in range(blocks) for word in block(key, purpose, index + place)]
    for kernel in (uniforms, plain(uniforms)):
        target = np.zeros(length)
        kernel(key, purpose, index, target)
        assert target.tolist() == [(word >> 11) / 2**53 for word in words[:length]]


# The authors' known answers (Random123, kat_vectors): counter, key and words of philox4x32-10.
ONES = 0xFFFFFFFF
KNOWN = (
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES,) * 4, (ONES,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
)


@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_short_blocks_have_the_authors_known_answers(counter, key, words):
    """Would catch another multiplier, words in another order, a key that does not grow, and a round too many, in either form."""
    stream, index = np.array([*key, *counter[2:]], dtype=np.uint64), np.uint64(counter[0] + 2**32 * counter[1])
    assert tuple(int(word) for word in plain(short_block)(stream, index)) == words
    for kernel in (coarse_uniforms, plain(coarse_uniforms)):
        target, next_ones = np.zeros((4, 2)), np.zeros((4, 5))
        kernel(stream, index, 1, 1, target)
        assert target[:, 0].tolist() == [word / 2**32 for word in words] and target[:, 1].tolist() == [0.0] * 4
        kernel(stream, 7, 3, 5, next_ones)
        assert [float(word) for word in next_ones[:, 4] * 2**32] == [float(word) for word in plain(short_block)(stream, np.uint64(19))]


@given(seed=SEEDS, purposes=st.tuples(st.integers(0, 7), st.integers(0, 7)), runs=st.tuples(st.integers(0, 9), st.integers(0, 9)))
def test_streams_of_short_blocks_differ(seed, purposes, runs):
    """Would catch a stream that two purposes or two runs share, and one that is a block of the long stream."""
    streams = [np.zeros(4, dtype=np.uint64) for _ in purposes]
    for stream, purpose, run in zip(streams, purposes, runs, strict=True):
        short_key(words_of(seed, run), purpose, stream)
        known = np.random.Philox(key=key_of(seed), counter=np.array([0, purpose, run, 1], dtype=np.uint64)).random_raw(2)
        assert stream.tolist() == [half for word in known for half in (int(word) % 2**32, int(word) >> 32)]
    assert np.array_equal(*streams) == ((purposes[0], runs[0]) == (purposes[1], runs[1]))


@given(turns=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=40))
def test_points_on_the_circle_to_the_last_digits(turns):
    """Would catch a term of the polynomials that is missing or wrong, and a vector form that rounds otherwise than the plain one."""
    given_turns = np.array(turns)
    cosines, sines = np.zeros((2, len(turns))), np.zeros((2, len(turns)))
    for place, kernel in enumerate((circle, plain(circle))):
        kernel(given_turns, cosines[place], sines[place])
    assert np.array_equal(cosines[0], cosines[1])
    assert np.array_equal(sines[0], sines[1])
    with mpmath.workdps(40):
        for turn, cosine, sine in zip(turns, cosines[0], sines[0], strict=True):
            angle = 2 * mpmath.pi * (mpmath.mpf(turn) - 0.5)
            assert abs(mpmath.cos(angle) - cosine) < 2e-15
            assert abs(mpmath.sin(angle) - sine) < 2e-15


@given(values=st.lists(st.one_of(st.floats(2.0**-53, 4.0), st.floats(0.9, 1.1), st.just(1.0)), min_size=1, max_size=40))
def test_logarithms_to_the_last_digits(values):
    """Would catch a coefficient that is wrong, a mantissa cut at another place than sqrt(1/2), and cancellation near 1."""
    found = np.array([values, values])
    for target, kernel in zip(found, (logarithms, plain(logarithms)), strict=True):
        kernel(target, np.zeros(len(values)))
    assert np.array_equal(*found)
    with mpmath.workdps(40):
        for value, logarithm in zip(values, found[0], strict=True):
            assert abs(mpmath.log(value) - logarithm) <= 1e-15 * abs(mpmath.log(value))


@given(
    values=st.lists(st.one_of(st.floats(2.0**-53, 1.0), st.sampled_from([0.0, 1.0])), min_size=1, max_size=40),
    exponent=st.floats(1e-3, 13.0),
)
def test_powers_to_the_last_digits(values, exponent):
    """Would catch a power of two that is one off, and a 0 that becomes the least number."""
    found = np.array([values, values])
    for target, kernel in zip(found, (powers, plain(powers)), strict=True):
        kernel(target, exponent, np.zeros(2 * len(values)))
    assert np.array_equal(*found)
    with mpmath.workdps(40):
        for value, power in zip(values, found[0], strict=True):
            exact = mpmath.mpf(value) ** exponent
            assert abs(exact - power) <= 1e-15 * exact * (1 + exponent * abs(mpmath.log(value or 1)))


def test_normals_have_their_distribution(room, seed):
    """Would catch a radius and an angle from one number, a cut tail, and two halves that are one."""
    key, runs = words_of(seed), 40_000
    drawn = np.zeros((runs, 6))
    normals(key, 3, 0, 2, drawn, np.zeros(normals_room(runs, 6)))
    for column in range(6):
        for probability in (0.05, 0.5, 0.95):
            below = int(np.count_nonzero(drawn[:, column] <= stats.norm.ppf(probability)))
            room.assert_rate(below, runs, probability, detects=0.028)
    for first in range(6):
        for second in range(first):
            same = int(np.count_nonzero((drawn[:, first] > 0) == (drawn[:, second] > 0)))
            room.assert_rate(same, runs, 0.5, detects=0.028)
    large = int(np.count_nonzero((drawn[:, :3] ** 2 + drawn[:, 3:] ** 2) > -2.0 * math.log(0.01)))  # of a pair: exponential
    room.assert_rate(large, 3 * runs, 0.01, detects=0.004)


@given(seed=SEEDS, pairs=st.integers(1, 12), rows=st.integers(1, 4))
def test_normals_are_alike_compiled_and_plain(seed, pairs, rows):
    """Would catch a row that depends on the others too."""
    found, room = [np.zeros((rows, 2 * pairs)) for _ in range(3)], np.zeros(normals_room(rows, 2 * pairs))
    for kernel, target in zip((normals, plain(normals)), found, strict=False):
        kernel(words_of(seed), 3, seed, 7, target, room)
    for row in range(rows):
        normals(words_of(seed), 3, seed + 7 * row, 7, found[2][row : row + 1], room)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def fraction_below(z: float, dimension: int, low: float, high: float) -> mpmath.mpf:
    """P(Z <= z), from the incomplete beta function."""
    half = mpmath.mpf(dimension - 1) / 2
    cumulative = [mpmath.betainc(half, half, 0, (1 + mpmath.mpf(each)) / 2, regularized=True) for each in (low, z, high)]
    return (cumulative[1] - cumulative[0]) / (cumulative[2] - cumulative[0])


def quantiles_of(distribution: np.ndarray, fractions: list[float], kernel=quantiles) -> list[float]:
    target = np.zeros(len(fractions))
    kernel(distribution, np.array(fractions), np.zeros(len(fractions)), target)
    return target.tolist()


@given(
    dimension=st.integers(2, 64),
    low=st.floats(-0.9, 0.5),
    length=st.floats(0.01, 1.0),
    fractions=st.lists(
        st.one_of(st.floats(0.0, 1.0, exclude_max=True), st.sampled_from([0.0, 2.0**-32, 1.0 - 2.0**-32, 1.0 - 2.0**-53])),
        min_size=1,
        max_size=5,
    ),
)
def test_quantiles_of_a_coordinate(dimension, low, length, fractions):
    """Would catch uniform z, the density of another dimension, and a table that is coarse where the density is steep."""
    high = min(low + length, 0.9)
    distribution = table(dimension, low, high)
    found = quantiles_of(distribution, fractions)
    assert found == quantiles_of(distribution, fractions, plain(quantiles))
    with mpmath.workdps(40):
        for z, fraction in zip(found, fractions, strict=True):
            assert low <= z <= high
            assert abs(fraction_below(z, dimension, low, high) - mpmath.mpf(fraction)) < 1e-13


def test_quantiles_of_the_experiment_are_exact_to_fourteen_digits():
    """Would catch a table that loses what the documentation promises for D.2, the density being 3/4 (1 - z^2): a cubic equation."""
    distribution = table(5, -0.75, 0.65)
    with mpmath.workdps(40):
        for fraction in np.linspace(0.0, 1.0, 401)[:-1]:
            ends = [mpmath.mpf(z) - mpmath.mpf(z) ** 3 / 3 for z in (-0.75, 0.65)]
            level = ends[0] + mpmath.mpf(fraction) * (ends[1] - ends[0])
            exact = 2 * mpmath.sin(mpmath.asin(3 * level / 2) / 3)
            assert abs(exact - quantiles_of(distribution, [float(fraction)])[0]) < 1e-14


@given(low=st.floats(-0.999, 0.5), length=st.floats(0.01, 1.9), fractions=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=6))
def test_quantiles_in_five_dimensions_need_no_table(low, length, fractions):
    """Would catch a coefficient of the polynomial, an end that is missed, and a sign: against the cubic equation, in both forms."""
    high = min(low + length, 0.999)
    found = np.array([fractions, fractions])
    for target, kernel in zip(found, (quantiles_in_five, plain(quantiles_in_five)), strict=True):
        kernel(low, high, target, target)
    assert np.array_equal(*found)
    with mpmath.workdps(40):
        ends = [mpmath.mpf(z) * (3 - mpmath.mpf(z) ** 2) / 2 for z in (low, high)]
        for z, fraction in zip(found[0], fractions, strict=True):
            assert low <= z <= high
            exact = 2 * mpmath.sin(mpmath.asin(ends[0] + mpmath.mpf(fraction) * (ends[1] - ends[0])) / 3)
            assert abs(exact - mpmath.mpf(z)) * (1 - exact**2) < 1e-15


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: table(1, -0.5, 0.5), r"dimension = 1: must be an integer >= 2"),
        (lambda: table(5, 0.5, 0.5), r"low = 0.5, high = 0.5: must be -1 < low < high < 1"),
        (lambda: table(5, -1.0, 0.5), r"low = -1.0, high = 0.5: must be -1 < low"),
        (lambda: table(64, -0.5, 1.0 - 1e-9), r"too near -1 or 1 for dimension 64"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
