"""Trees of noise matrices: nodes against brute force, distributions of both noises, calibrations against the definitions, values by
hand."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.mechanisms.gaussian import log_profile
from banditproof.algorithms.mechanisms.gram import gaussian as gaussian_gram
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram import wishart as wishart_gram
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.noise import Calibration, complete, gaussian_nodes, packed, restart, wishart_nodes
from banditproof.algorithms.mechanisms.gram.wishart import Padding, WishartGram
from banditproof.audits.strategies import values_of
from banditproof.glossary import DELTA, EPSILON
from banditproof.guarantees import ApproximateDP, NeighbouringRelation
from banditproof.kernels import plain
from banditproof.randomness import key_of

SEEDS = st.integers(0, 2**32)
HORIZONS = st.one_of(st.integers(1, 200), st.sampled_from([2**k + j for k in range(1, 30) for j in (-1, 0, 1)]))
DELTAS = values_of(DELTA, low=1e-12, high=0.99)


def active(count: int) -> dict[int, int]:
    """Level -> node of the prefix of `count` rows, from the definition: the binary digits of the count, from the top."""
    found, done = {}, 0
    for level in reversed(range(count.bit_length())):
        if count >> level & 1:
            done += 1 << level
            found[level] = done
    return found


@given(horizon=st.integers(1, 300), padded=st.booleans(), width=st.integers(1, 5), seed=SEEDS)
def test_the_noise_of_a_prefix_is_that_of_its_nodes_and_paddings(horizon, padded, width, seed):
    """Would catch a padding used beside the node of its level, a node forgotten too early or kept too long. Whole numbers add exactly."""
    rng, levels = np.random.default_rng(seed), gram_noise.nodes(horizon)
    fresh = rng.integers(-(2**40), 2**40, size=(horizon + 1, width)).astype(float)
    pads = rng.integers(-(2**40), 2**40, size=(levels, width)) * float(padded)
    for first, add in ((restart, complete), (plain(restart), plain(complete))):
        upper = np.full((levels + 1, width), np.nan)
        first(upper, pads)
        for count in range(horizon):  # the prefixes that are ever released, and the empty one
            if count:
                add(upper, pads, count, fresh[count].copy())
            nodes = active(count)
            summands = [fresh[nodes[level]] if level in nodes else pads[level] for level in range(levels)]
            assert np.array_equal(upper[0], sum(summands))


@given(horizon=st.integers(1, 200))
def test_nodes_and_released_nodes_by_counting(horizon):
    """Would catch a tree one level short, and privacy paid for the node that ends with the last row, which nobody sees."""
    released = {node for count in range(1, horizon) for node in active(count).values()}
    holds = [sum(node - (node & -node) < row <= node for node in released) for row in range(1, horizon + 1)]
    assert max(holds) == holds[0] == gram_noise.released_nodes(horizon)
    assert max(holds, default=0) <= gram_noise.nodes(horizon) == 1 + math.ceil(math.log2(horizon))


@given(horizon=st.integers(1, 2**62))
def test_nodes_of_large_horizons(horizon):
    """Would catch log2 in floating point."""
    assert 2 ** (gram_noise.nodes(horizon) - 1) >= horizon > 2 ** (gram_noise.nodes(horizon) - 2)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_wishart_nodes_have_their_distribution(room, seed, dimension):
    """Would catch degrees of freedom off by one, a scale that is its root, and an entry of another pair of columns.

    With w = W / scale: w_ii is chi-square with k degrees; given the first column, w_10 / sqrt(w_00) is standard normal; and
    w_11 - w_10^2 / w_00 is chi-square with k - 1.
    """
    degrees, scale, runs = dimension + 3.0, 3.0, 30_000
    found, key = np.zeros((runs, packed(dimension) + dimension)), np.array([*key_of(seed), 1], dtype=np.uint64)
    wishart_nodes(key, 1, gram_noise.gamma_constants(degrees, dimension), scale, found, gram_noise.scratch(dimension, runs))
    matrix = np.zeros((runs, dimension + 1, dimension + 1))
    lower, other = np.tril_indices(dimension + 1)
    matrix[:, lower[:-1], other[:-1]] = found / scale
    for row in range(dimension):
        for rate in (0.1, 0.5, 0.9):
            below = matrix[:, row, row] <= stats.chi2.ppf(rate, degrees)
            room.assert_rate(int(np.count_nonzero(below)), runs, rate, detects=0.032)
    for row in range(1, dimension + 1):
        slope = matrix[:, row, 0] / np.sqrt(matrix[:, 0, 0])
        for rate in (0.1, 0.5, 0.9):
            room.assert_rate(int(np.count_nonzero(slope <= stats.norm.ppf(rate))), runs, rate, detects=0.032)
        if row < dimension:
            rest = matrix[:, row, row] - slope**2
            for rate in (0.1, 0.9):
                room.assert_rate(int(np.count_nonzero(rest <= stats.chi2.ppf(rate, degrees - 1))), runs, rate, detects=0.032)


@given(dimension=st.integers(1, 7), more=st.floats(0.0, 1e7), node=st.integers(1, 2**40 + 60), seed=SEEDS, rows=st.integers(1, 5))
def test_nodes_are_alike_compiled_and_plain_and_positive(dimension, more, node, seed, rows):
    """Would catch a rounding that differs between the modes, a node that depends on its neighbours, and a Wishart matrix that is none."""
    key, gammas = np.array([*key_of(seed), 2], np.uint64), gram_noise.gamma_constants(dimension + 2 + more, dimension)
    found, scratch = np.zeros((6, rows, packed(dimension) + dimension)), gram_noise.scratch(dimension, rows)
    for place, kernel in enumerate((wishart_nodes, plain(wishart_nodes))):
        kernel(key, node, gammas, 2.0, found[place], scratch)
    for place, kernel in enumerate((gaussian_nodes, plain(gaussian_nodes))):
        kernel(key, node, 2.0, found[2 + place], scratch)
    for row in range(rows):
        wishart_nodes(key, node + row, gammas, 2.0, found[4, row : row + 1], gram_noise.scratch(dimension))
        gaussian_nodes(key, node + row, 2.0, found[5, row : row + 1], gram_noise.scratch(dimension))
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[4])
    assert np.array_equal(found[2], found[3]) and np.array_equal(found[2], found[5])
    block = np.zeros((dimension, dimension))
    block[np.tril_indices(dimension)] = found[0, 0, : packed(dimension)]
    assert np.linalg.eigvalsh(block)[0] > -1e-9 * np.abs(block).max()


@given(degrees=st.floats(2.0, 1e6), size=st.floats(-6.0, 6.0), fraction=st.floats(0.0, 1.0, exclude_max=True))
def test_what_is_surely_taken_is_taken(degrees, size, fraction):
    """Would catch a shortcut of the rejection method that takes what its own test, here in 40 digits, refuses."""
    if gram_noise.surely(gram_noise.gamma_constants(degrees, 1).slopes[0], size, fraction):
        with mpmath.workdps(40):
            exact = mpmath.mpf(degrees) / 2 - mpmath.mpf(1) / 3
            cube = (1 + mpmath.mpf(size) / mpmath.sqrt(9 * exact)) ** 3
            assert mpmath.log1p(-mpmath.mpf(fraction)) < mpmath.mpf(size) ** 2 / 2 + exact * (1 - cube + mpmath.log(cube))
    else:
        assert fraction < 0.9 or degrees < 50.0 or abs(size) > 3.0  # it takes nearly all


@pytest.mark.parametrize("dimension", [1, 3])
def test_gaussian_nodes_have_their_distribution(room, seed, dimension):
    """Would catch the doubled variance on another entry than the diagonal's, and one draw for two entries."""
    runs, sigma, key = 30_000, 2.5, np.array([*key_of(seed), 1], dtype=np.uint64)
    width = packed(dimension) + dimension
    found, lower, other = np.zeros((runs, width)), *np.tril_indices(dimension + 1)
    gaussian_nodes(key, 1, sigma, found, gram_noise.scratch(dimension, runs))
    for column in range(width):
        noise_deviation = sigma * (math.sqrt(2.0) if lower[column] == other[column] else 1.0)
        room.assert_rate(int(np.count_nonzero(np.abs(found[:, column]) <= noise_deviation)), runs, 0.6826894921370859, detects=0.032)
        for before in range(column):
            same = int(np.count_nonzero((found[:, column] > 0) == (found[:, before] > 0)))
            room.assert_rate(same, runs, 0.5, detects=0.032)


@given(dimension=st.integers(1, 4), seed=SEEDS)
def test_no_two_rows_are_farther_apart_than_stated(dimension, seed):
    """Would catch a sensitivity that is too small: the exact calibration stands on |D| / noise <= L~^2 / sigma, attained."""
    rng, size = np.random.default_rng(seed), dimension + 1
    lower, other = np.tril_indices(size)
    weights = np.where(lower == other, 0.5, 1.0)[:-1]

    def distance(first: np.ndarray, second: np.ndarray) -> float:
        change = (np.outer(first, first) - np.outer(second, second))[lower, other][:-1]
        return float(np.sqrt(weights @ change**2))

    drawn = rng.normal(size=(200, 2, size))
    drawn /= np.linalg.norm(drawn, axis=2, keepdims=True)
    assert max(distance(*pair) for pair in drawn) <= 1.0 + 1e-12
    pairs = gram_noise.worst_rows(dimension, 1.0, 3)
    assert max(distance(np.array(first[0]), np.array(second[0])) for first, second in pairs) == pytest.approx(1.0, abs=1e-12)
    assert all(np.linalg.norm(row) <= 1.0 + 1e-12 for pair in pairs for data in pair for row in data)


@given(epsilon=values_of(EPSILON, low=0.01, high=500.0), delta=DELTAS, horizon=HORIZONS, norm=st.floats(0.1, 10.0))
def test_gaussian_calibrations(epsilon, delta, horizon, norm):
    """Would catch an exact calibration that is not enough or not least, and a repaired one that is less than either."""
    printed, repaired, exact = (
        gaussian_gram.calibrated(each, epsilon, delta, horizon=horizon, row_norm=norm) for each in Calibration
    )  # fmt: skip
    level = math.sqrt(max(gram_noise.released_nodes(horizon), 1)) * norm**2
    assert log_profile(epsilon, level / exact) <= math.log(delta)
    assert log_profile(epsilon, level / (exact * (1 - 1e-6))) > math.log(delta)
    assert repaired == max(printed, exact)
    m = 1 + math.ceil(mpmath.log(horizon, 2)) if horizon & (horizon - 1) else horizon.bit_length()
    assert printed**2 == pytest.approx(16 * m * norm**4 * math.log(4 / delta) ** 2 / epsilon**2, rel=1e-12)


def test_the_printed_gaussian_noise_ends_somewhere():
    """A finding: as printed, for every epsilon and delta, the noise is too small where epsilon is large. Confirmed with 50 digits."""
    epsilon, delta, horizon = 160.0, 0.5, 2**20
    sigma = gaussian_gram.node_sigma(epsilon, delta, horizon=horizon, row_norm=1.0)
    assert sigma < gaussian_gram.exact_node_sigma(epsilon, delta, horizon=horizon, row_norm=1.0)
    with mpmath.workdps(50):
        mu = mpmath.sqrt(gram_noise.released_nodes(horizon)) / mpmath.mpf(sigma)
        loss = mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
    assert loss > delta


@given(delta=DELTAS, horizon=HORIZONS)
def test_the_covered_epsilon_is_where_the_budget_stops_adding_up(delta, horizon):
    """Would catch the composition written with another constant: at the border its two terms are epsilon / 2 each, or epsilon_0 is 1."""
    border, m = wishart_gram.covered_epsilon(delta, horizon=horizon), gram_noise.nodes(horizon)
    one = wishart_gram.node_epsilon(border, delta, horizon=horizon)
    total = math.sqrt(2 * m * math.log(2 / delta)) * one + m * one * math.expm1(one)
    assert total <= border * (1 + 1e-12)
    assert one < 1.0
    assert total == pytest.approx(border, rel=1e-9) or one > 1.0 - 1e-9
    assert m * wishart_gram.node_delta(delta, horizon=horizon) == pytest.approx(delta / 2)


@given(epsilon=values_of(EPSILON, low=0.01, high=100.0), delta=DELTAS, horizon=HORIZONS, dimension=st.integers(1, 64))
def test_wishart_degrees_are_those_of_a_node(epsilon, delta, horizon, dimension):
    """Would catch k that is not Theorem 8 at the node's budget, d + 1 + 28 ln(4 / delta_0) / epsilon_0^2, and a floor for the ceiling."""
    k = wishart_gram.wishart_degrees(epsilon, delta, dimension=dimension, horizon=horizon)
    one = wishart_gram.node_epsilon(epsilon, delta, horizon=horizon)
    least = dimension + 1 + 28 / one**2 * math.log(4 / wishart_gram.node_delta(delta, horizon=horizon))
    assert least - 1e-9 * least <= k < least + 1 + 1e-9 * least
    repaired = wishart_gram.calibrated(Calibration.REPAIRED, epsilon, delta, dimension=dimension, horizon=horizon)
    assert repaired >= k
    assert repaired == k or epsilon > wishart_gram.covered_epsilon(delta, horizon=horizon)


def test_values_by_hand_at_the_parameters_of_the_experiment():
    """D.2: epsilon = 1, delta = 0.1, n = 5e7, d = 5, L~^2 = 2, alpha = 1 / n. m = 1 + 26; with 40 digits of mpmath, formula by formula."""
    with mpmath.workdps(40):
        n, m, d = mpmath.mpf(50_000_000), 27, 5
        k = 6 + mpmath.ceil(224 * m * mpmath.log(8 * m / mpmath.mpf("0.1")) * mpmath.log(20))
        sigma = mpmath.sqrt(16 * m * 4 * mpmath.log(40) ** 2)
        upsilon = mpmath.sqrt(32) * m * 2 * mpmath.log(40) * (4 * mpmath.sqrt(d) + 2 * mpmath.log(2 * n * n))
        s, a_8 = mpmath.sqrt(m * k), mpmath.sqrt(d) + mpmath.sqrt(2 * mpmath.log(8 * n * n))
        c = 2 * (s - a_8) ** 2 - 8 * s * a_8
    setting = {"dimension": 5, "horizon": 50_000_000, "failure": 1 / 50_000_000}
    root2, found = math.sqrt(2.0), wishart_gram.wishart_degrees(1.0, 0.1, dimension=5, horizon=50_000_000)
    assert gram_noise.nodes(50_000_000) == m
    assert found == int(k) == 139_115
    assert gaussian_gram.node_sigma(1.0, 0.1, horizon=50_000_000, row_norm=root2) == pytest.approx(float(sigma), rel=1e-14)
    assert gaussian_gram.upsilon(float(sigma), **setting) == pytest.approx(float(upsilon), rel=1e-14)
    assert wishart_gram.shift(found, row_norm=root2, **setting) == pytest.approx(float(c), rel=1e-12)


@pytest.mark.parametrize("mechanism", [GaussianGram, WishartGram])
@given(horizon=st.integers(2, 9), dimension=st.integers(1, 3), scale=st.floats(0.1, 3.0), seed=SEEDS)
def test_a_release_is_the_sums_of_projected_rows_plus_noise(mechanism, horizon, dimension, scale, seed):
    """Would catch noise that depends on the rows, rows beyond the ball, the last row released, and the corner."""
    rows = scale * np.random.default_rng(seed).normal(size=(horizon, dimension + 1))
    made = mechanism(1.0, 0.1, horizon, dimension)
    noisy, zero = (made.release(each, 2, np.random.default_rng(5)) for each in (rows, np.zeros_like(rows)))
    lengths = np.linalg.norm(rows, axis=1)
    inside = rows * np.minimum(1.0, made.row_norm / lengths)[:, None]
    sums = np.cumsum(inside[:, :, None] * inside[:, None, :], axis=0)[:-1]
    lower, other = np.tril_indices(dimension + 1)
    expected = sums[:, lower, other][:, :-1].ravel()
    assert noisy - zero == pytest.approx(np.tile(expected, (2, 1)), abs=1e-7)
    assert made.guarantee() == ApproximateDP(1.0, 0.1, NeighbouringRelation.REPLACE_RECORD)


def test_a_padded_wishart_release_has_the_degrees_of_all_levels(room, rng):
    """Would catch the padding counted only where a node is active: then early releases have fewer degrees of freedom."""
    runs, horizon = 20_000, 6
    for padding in Padding:
        made = WishartGram(20.0, 0.5, horizon, 1, 1.0, padding=padding)
        first = made.release(np.zeros((horizon, 2)), runs, rng).reshape(runs, horizon - 1, 2)[:, :, 0]
        for count in range(1, horizon):
            summands = gram_noise.nodes(horizon) if padding is Padding.FULL else count.bit_count()
            below = first[:, count - 1] <= stats.chi2.ppf(0.5, made.degrees() * summands)
            room.assert_rate(int(np.count_nonzero(below)), runs, 0.5, detects=0.04)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: GaussianGram(0.0, 0.1, 5), r"epsilon = 0.0: must be > 0"),
        (lambda: GaussianGram(1.0, 1.0, 5), r"delta = 1.0: must be > 0 and < 1"),
        (lambda: GaussianGram(1.0, 0.1, 1), r"horizon = 1: must be an integer >= 2"),
        (lambda: WishartGram(1.0, 0.1, 5, 0), r"dimension = 0: must be an integer >= 1"),
        (lambda: WishartGram(1.0, 0.1, 5, row_norm=math.inf), r"row_norm = inf: must be > 0 and finite"),
        (lambda: WishartGram(1.0, 1e-11, 5, calibration=Calibration.EXACT), r"delta = 1e-11: must be >= 1e-10"),
        (lambda: GaussianGram(1.0, 0.1, 5).release(np.zeros((4, 3)), 1, np.random.default_rng(0)), r"data of shape \(4, 3\)"),
        (lambda: GaussianGram(1.0, 0.1, 2).release(np.full((2, 3), np.nan), 1, np.random.default_rng(0)), r"a row holds a number that"),
        (lambda: gram_noise.gamma_constants(2.0, 2), r"degrees = 2.0: must be >= 3"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
