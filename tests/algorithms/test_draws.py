"""Draws by the array: addresses, accuracy of the polynomials, and the distribution of a coordinate on a sphere."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.draws import coins, kept_normals
from banditproof.algorithms.draws.arrays import logarithm_lanes, normals, normals_room, turned
from banditproof.algorithms.draws.coins import coin
from banditproof.algorithms.draws.kept_normals import consecutive, kept_normal
from banditproof.algorithms.draws.powers import exponential
from banditproof.algorithms.draws.sphere import quantile_in_five, quantiles, table
from banditproof.algorithms.draws.words import LANES, at_once, by_quarters, coarse_lanes, fine_lanes, short_block, short_lanes
from banditproof.kernels import compiled, plain
from banditproof.lanes import floats, read, write
from banditproof.randomness import key_of, short_key

SEEDS = st.integers(0, 2**32)
FIRST_BLOCKS = st.one_of(st.integers(0, 2**62), st.integers(2**32 - LANES, 2**32 + LANES))  # also where the counter's lower word overflows


# What follows puts lanes into arrays: in compiled code no lanes leave a kernel.
def _words(stream, first, step, upper, lower):
    for place, lanes in enumerate(short_lanes(stream, first, step)):
        write(upper[place], 0, floats(lanes >> np.uint64(16)))
        write(lower[place], 0, floats(lanes & np.uint64(0xFFFF)))


def _both(stream, first, step, together, apart):
    for place, lanes in enumerate(at_once(stream, first, step)):
        write(together[place], 0, floats(lanes))
    for place, lanes in enumerate(by_quarters(stream, first, step)):
        write(apart[place], 0, floats(lanes))


def _coarse(stream, first, step, target):
    for place, lanes in enumerate(coarse_lanes(stream, first, step)):
        write(target[place], 0, lanes)


def _fine(stream, first, target):
    for place, lanes in enumerate(fine_lanes(stream, first)):
        write(target[place], 0, lanes)


def _circle(turns, cosines, sines):
    for place in range(0, turns.shape[0], 4):
        cosine, sine = turned(read(turns, place, 4))
        write(cosines, place, cosine)
        write(sines, place, sine)


def _point(turn, target):
    target[0], target[1] = turned(turn)


def _logarithms(values, target):
    for place in range(0, values.shape[0], 4):
        write(target, place, logarithm_lanes(read(values, place, 4)))


def _quantiles_in_five(low, high, fractions, target):
    for place in range(0, fractions.shape[0], 4):
        write(target, place, quantile_in_five(low, high, read(fractions, place, 4)))


words, both, coarse, fine = compiled(_words), compiled(_both), compiled(_coarse), compiled(_fine)
quantiles_in_five = compiled(_quantiles_in_five)


def _exponentials(values, target):
    for place in range(0, values.shape[0], 8):
        write(target, place, exponential(read(values, place, 8)))


circle, point, logarithms = compiled(_circle), compiled(_point), compiled(_logarithms)
exponentials = compiled(_exponentials)


def in_fours(numbers):
    """As whole lanes: the last number again where some are missing."""
    return np.array([*numbers, *[numbers[-1]] * (-len(numbers) % 4)])


def words_of(seed: int, run: int = 0) -> np.ndarray:
    return np.array([*key_of(seed), run], dtype=np.uint64)


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


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_short_blocks_have_the_authors_known_answers(counter, key, answer):
    """Would catch another multiplier, words in another order, a key that does not grow, and a round too many, in either form."""
    stream, index = np.array([*key, *counter[2:]], dtype=np.uint64), counter[0] + 2**32 * counter[1]
    for form in (short_block, plain(short_block)):
        assert tuple(int(word) for word in form(stream, np.uint64(index))) == answer
    for form in (lambda kernel: kernel, plain):
        upper, lower, target = np.zeros((3, 4, LANES))
        form(words)(stream, np.uint64(index), 1, upper, lower)
        assert tuple((upper[:, 0] * 2**16 + lower[:, 0]).astype(np.int64).tolist()) == answer
        form(coarse)(stream, np.uint64(index), 1, target)
        assert target[:, 0].tolist() == [word / 2**32 for word in answer]
        form(fine)(stream, np.uint64(index), target[:2])
        assert target[:2, 0].tolist() == [((high << 32 | low) >> 11) / 2**53 for low, high in (answer[:2], answer[2:])]


@given(seed=SEEDS, purpose=st.integers(0, 7), first=FIRST_BLOCKS, step=st.integers(1, 9))
def test_each_lane_has_the_words_of_its_block(seed, purpose, first, step):
    """Would catch lanes out of order, a step that is 1, an upper half of an index that is lost, words of which upper halves are not cut
    off, and two fine uniforms that share a word."""
    stream = np.zeros(4, dtype=np.uint64)
    short_key(words_of(seed), purpose, stream)
    blocks = [[int(word) for word in plain(short_block)(stream, np.uint64(first + step * lane))] for lane in range(LANES)]
    together, apart = np.zeros((2, 4, LANES))  # of which this processor takes one
    both(stream, first, step, together, apart)
    assert together.T.tolist() == apart.T.tolist() == blocks
    after = [[int(word) for word in plain(short_block)(stream, np.uint64(first + lane))] for lane in range(LANES)]
    for form in (lambda kernel: kernel, plain):
        upper, lower, target = np.zeros((3, 4, LANES))
        form(words)(stream, first, step, upper, lower)
        assert (upper * 2**16 + lower).T.astype(np.int64).tolist() == blocks
        form(coarse)(stream, first, step, target)
        assert target.T.tolist() == [[word / 2**32 for word in each] for each in blocks]
        form(fine)(stream, first, target[:2])
        assert target[:2].T.tolist() == [[((b << 32 | a) >> 11) / 2**53, ((d << 32 | c) >> 11) / 2**53] for a, b, c, d in after]


@given(
    seeds=st.tuples(SEEDS, SEEDS),
    purpose=st.integers(0, 7),
    asked=st.lists(st.tuples(st.booleans(), st.integers(0, 2), st.one_of(st.integers(0, 200), st.integers(0, 2**40))), max_size=20),
)
def test_coins_have_their_addresses_in_any_order(seeds, purpose, asked):
    """Would catch coins that are left of another key or another run, and a round that gets another's: 64 are drawn at a time."""
    for form in (coin, plain(coin)):
        room = np.zeros(coins.ROOM + 3)
        for other, run, round in [(False, 0, 0), (False, 0, 63), (False, 0, 64), *asked]:
            key, stream = words_of(seeds[other], run), np.zeros(4, dtype=np.uint64)
            short_key(key, purpose, stream)
            block, place = round // 64 * 32 + round % 32, round % 64 // 32
            low, high = (int(word) for word in plain(short_block)(stream, np.uint64(block))[2 * place : 2 * place + 2])
            assert form(room, key, purpose, round) == ((high << 32 | low) >> 11) / 2**53


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
    given_turns, one = in_fours(turns), np.zeros((2, 2))
    cosines, sines = np.zeros((2, 2, len(given_turns)))
    for place, form in enumerate((lambda kernel: kernel, plain)):
        form(circle)(given_turns, cosines[place], sines[place])
        form(point)(turns[0], one[place])
    assert np.array_equal(cosines[0], cosines[1])
    assert np.array_equal(sines[0], sines[1])
    assert one.tolist() == [[cosines[0, 0], sines[0, 0]]] * 2
    with mpmath.workdps(40):
        for turn, cosine, sine in zip(given_turns, cosines[0], sines[0], strict=True):
            angle = 2 * mpmath.pi * (mpmath.mpf(turn) - 0.5)
            assert abs(mpmath.cos(angle) - cosine) < 2e-15
            assert abs(mpmath.sin(angle) - sine) < 2e-15


@given(values=st.lists(st.one_of(st.floats(2.0**-53, 4.0), st.floats(0.9, 1.1), st.just(1.0)), min_size=1, max_size=40))
def test_logarithms_to_the_last_digits(values):
    """Would catch a coefficient that is wrong, a mantissa cut at another place than sqrt(1/2), and cancellation near 1."""
    whole = in_fours(values)
    found = np.zeros((2, len(whole)))
    for target, kernel in zip(found, (logarithms, plain(logarithms)), strict=True):
        kernel(whole, target)
    assert np.array_equal(*found)
    with mpmath.workdps(40):
        for value, logarithm in zip(whole, found[0], strict=True):
            assert abs(mpmath.log(value) - logarithm) <= 1e-15 * abs(mpmath.log(value))


@given(st.lists(st.floats(-700.0, 700.0) | st.floats(-1e-3, 1e-3), min_size=8, max_size=8))
def test_exponentials_to_the_last_digits(values):
    """Would catch a digit of ln 2, a coefficient, a power of two that is one off, and a form of its own in plain Python."""
    sizes, found = np.array(values), np.zeros((2, 8))
    for target, kernel in zip(found, (exponentials, plain(exponentials)), strict=True):
        kernel(sizes, target)
    assert np.array_equal(found[0], found[1])
    with mpmath.workdps(30):
        for size, power in zip(values, found[0], strict=True):
            assert abs(mpmath.exp(size) - power) <= 1e-15 * mpmath.exp(size)


def test_exponentials_end_at_zero():
    """Would catch a weight of minus infinity that becomes a number or NaN."""
    sizes, found = np.array([-math.inf, -1e300, -701.0, -700.0, -699.0, 0.0, 1.0, -0.0]), np.zeros((2, 8))
    for target, kernel in zip(found, (exponentials, plain(exponentials)), strict=True):
        kernel(sizes, target)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0] == 0.0, sizes < -700.0)
    assert found[0, 5] == found[0, 7] == 1.0


def test_normals_have_their_distribution(room, seed):
    """Would catch a radius and an angle from one number, a cut tail, and two halves that are one."""
    key, runs = words_of(seed), 40_000
    drawn = np.zeros((runs, 6))
    normals(key, 3, 0, drawn, np.zeros(normals_room(runs, 6)))
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


@given(
    seed=SEEDS,
    purpose=st.integers(0, 7),
    first=st.integers(0, 2**40),
    pairs=st.integers(1, 12),
    rows=st.integers(1, 4),
    run=st.integers(0, 3),
)
def test_normals_have_their_addresses_in_either_form(seed, purpose, first, pairs, rows, run):
    """Would catch a row that depends on the others too, a pair of another block or with sine and cosine exchanged, and a target of which
    a part is not filled; each number beside 40 digits of its own block."""
    key, stream = words_of(seed, run), np.zeros(4, dtype=np.uint64)
    found, room = [np.full((rows, 2 * pairs), np.nan) for _ in range(3)], np.zeros(normals_room(rows, 2 * pairs))
    for kernel, target in zip((normals, plain(normals)), found, strict=False):
        kernel(key, purpose, first, target, room)
    for row in range(rows):
        normals(key, purpose, first + row, found[2][row : row + 1], np.zeros(normals_room(1, 2 * pairs)))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
    short_key(key, purpose, stream)
    row, pair = rows - 1, seed % pairs
    with mpmath.workdps(40):
        w0, w1, w2, w3 = (int(word) for word in plain(short_block)(stream, np.uint64((first + row) * pairs + pair)))
        size, turn = (mpmath.mpf((high << 32 | low) >> 11) / 2**53 for low, high in ((w0, w1), (w2, w3)))
        length, angle = mpmath.sqrt(-2 * mpmath.log(1 - size)), 2 * mpmath.pi * (turn - 0.5)
        assert abs(length * mpmath.cos(angle) - found[0][row, pair]) < 1e-14
        assert abs(length * mpmath.sin(angle) - found[0][row, pairs + pair]) < 1e-14


def pair_of(key: np.ndarray, purpose: int, index: int) -> np.ndarray:
    """The pair of the block that a number of a window comes from: a window of 64 has 32 blocks."""
    pair = np.zeros((1, 2))
    normals(key, purpose, index // 64 * 32 + index % 32, pair, np.zeros(normals_room(1, 2)))
    return pair[0]


INDICES = st.one_of(st.integers(0, 200), st.integers(0, 2**62))


@given(
    seeds=st.tuples(SEEDS, SEEDS),
    asked=st.lists(st.tuples(st.booleans(), st.integers(0, 2), st.integers(0, 7), INDICES), max_size=20),
)
def test_kept_normals_have_their_addresses_in_any_order(seeds, asked):
    """Would catch numbers that are left of another key, run or purpose, an index that gets another's, a window that overlaps the next one,
    and a compiled form that rounds otherwise: 64 are drawn at a time."""
    for form in (kept_normal, plain(kept_normal)):
        room = np.zeros(kept_normals.ROOM + 3)
        for other, run, purpose, index in [(False, 0, 0, 0), (False, 0, 0, 63), (False, 0, 0, 64), (False, 0, 1, 64), *asked]:
            key = words_of(seeds[other], run)
            assert form(room, key, purpose, index) == pair_of(key, purpose, index)[index % 64 // 32]
        assert not room[kept_normals.ROOM :].any()


@given(seed=SEEDS, purpose=st.integers(0, 7), first=INDICES, count=st.integers(0, 150), before=st.integers(0, 200))
def test_consecutive_normals_are_those_one_by_one(seed, purpose, first, count, before):
    """Would catch a stretch that begins in the middle of a window and takes its beginning, and one that is not filled to its end."""
    key, room, found = words_of(seed), np.zeros(kept_normals.ROOM), np.full((2, count), np.nan)
    one_by_one = [kept_normal(room, key, purpose, first + place) for place in range(count)]
    for target, form in zip(found, (consecutive, plain(consecutive)), strict=True):
        kept_normal(room, key, purpose, before)
        form(room, key, purpose, first, target)
        assert target.tolist() == one_by_one


def test_kept_normals_have_their_distribution(seed):
    """A million numbers: Kolmogorov and Smirnov at 1e-6 (it sees a distribution function that is off by 0.0027), moments within five
    standard errors, no correlation of numbers whose indices are 1, 32 or 64 apart, and no number twice.

    Would catch windows that share blocks, cosines and sines of other lengths, and a tail that is cut."""
    count, bound = 10**6, 5.0 / 10**3
    drawn = np.zeros(count)
    consecutive(np.zeros(kept_normals.ROOM), words_of(seed), 4, 0, drawn)
    assert stats.kstest(drawn, "norm").pvalue > 1e-6
    for power, moment, deviation in ((1, 0.0, 1.0), (2, 1.0, math.sqrt(2.0)), (3, 0.0, math.sqrt(15.0)), (4, 3.0, math.sqrt(96.0))):
        assert abs(np.mean(drawn**power) - moment) < bound * deviation
    for apart in (1, 32, 64):
        assert abs(np.mean(drawn[apart:] * drawn[:-apart])) < bound
        assert abs(np.mean((drawn[apart:] ** 2 - 1.0) * (drawn[:-apart] ** 2 - 1.0))) < 2.0 * bound
    assert np.unique(drawn).size > count - 5
    assert 4.2 < np.abs(drawn).max() < 6.5


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
    whole = in_fours(fractions)
    found = np.zeros((2, len(whole)))
    for target, kernel in zip(found, (quantiles_in_five, plain(quantiles_in_five)), strict=True):
        kernel(low, high, whole, target)
    assert np.array_equal(*found)
    with mpmath.workdps(40):
        ends = [mpmath.mpf(z) * (3 - mpmath.mpf(z) ** 2) / 2 for z in (low, high)]
        for z, fraction in zip(found[0], whole, strict=True):
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
