"""Binomial numbers, Laplace noise by the block, and powers of one number: against SciPy, mpmath, and their plain forms."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.draws.binomial import ATTEMPTS, binomial, by_inversion, by_rejection, failures, relative_mass, series
from banditproof.algorithms.draws.laplaces import TOGETHER, laplaces
from banditproof.algorithms.draws.powers import logarithm, power
from banditproof.algorithms.draws.words import short_block
from banditproof.kernels import compiled, plain
from banditproof.randomness import key_of, short_key

LEVEL = 1e-6  # significance level of each statistical test here


def _binomials(key: np.ndarray, trials: int, probability: float, found: np.ndarray) -> None:
    for place in range(found.shape[0]):
        found[place] = binomial(key, 3, place * 256, trials, probability)


def _noise(stream: np.ndarray, found: np.ndarray) -> None:
    for window in range(found.shape[0] // TOGETHER):
        laplaces(stream, window, found[TOGETHER * window : TOGETHER * (window + 1)])


binomials, noise = compiled(_binomials), compiled(_noise)


def words(seed: int) -> np.ndarray:
    return np.array([*key_of(seed), seed], dtype=np.uint64)


@pytest.mark.parametrize(
    ("trials", "probability"),
    [(1, 0.3), (2, 0.5), (16, 0.5), (19, 0.5), (20, 0.5), (64, 0.9), (100, 0.11), (4096, 0.3), (1_000_000, 0.02), (2**40, 0.7)],
)
def test_binomial_numbers_have_their_distribution(trials, probability):
    """Would catch a wrong constant of the rejection, a mode off by one, a tail cut short, and a mirrored probability: chi-square against
    the exact probabilities, level 1e-6; of 200,000 numbers, 1.5 % moved elsewhere are found with probability 1 - 1e-6."""
    found = np.zeros(200_000, dtype=np.int64)
    binomials(words(1), trials, probability, found)
    borders = np.unique(stats.binom.ppf(np.linspace(0.0, 1.0, 42)[1:-1], trials, probability))
    mass = np.diff(np.concatenate([[0.0], stats.binom.cdf(borders, trials, probability), [1.0]]))
    counts = np.bincount(np.searchsorted(borders, found), minlength=len(mass))
    kept = mass > 1e-4
    assert counts[~kept].sum() <= 80  # at most two such cells
    off = ((counts[kept] - mass[kept] * found.size) ** 2 / (mass[kept] * found.size)).sum()
    assert stats.chi2.sf(off, kept.sum() - 1) > LEVEL
    assert abs(found.mean() - trials * probability) < 6.0 * math.sqrt(trials * probability * (1.0 - probability) / found.size)
    assert abs(np.corrcoef(found[1:], found[:-1])[0, 1]) < 6.0 / math.sqrt(found.size)


@given(word=st.integers(0, 2**64 - 1), trials=st.integers(1, 400), expected=st.floats(0.0, 9.9))
def test_inversion_is_the_quantile_function(word, trials, expected):
    """Would catch a mass of another count, and a comparison turned at the borders. Exact but where the uniform is at a border."""
    chance = min(0.5, expected / trials)
    uniform = (word >> 11) / 2**53
    found = by_inversion(np.uint64(word), trials, chance)
    assert stats.binom.cdf(found - 1, trials, chance) <= uniform + 1e-13
    assert uniform < stats.binom.cdf(found, trials, chance) + 1e-13 or found == trials
    assert plain(by_inversion)(np.uint64(word), trials, chance) == found


def test_certain_outcomes_and_plain_form():
    """Would catch a division by zero at probability 0 or 1, a number outside 0 .. n, and a plain form that draws another number."""
    key = words(2)
    for trials in (1, 7, 5000):
        assert [binomial(key, 0, 0, trials, each) for each in (0.0, 1.0)] == [0, trials]
    for index in range(60):
        assert plain(binomial)(key, 0, index, 300, 0.4) == binomial(key, 0, index, 300, 0.4) == by_rejection(key, 0, index, 300, 0.4)
        assert plain(by_rejection)(key, 0, index, 300, 0.4) == by_rejection(key, 0, index, 300, 0.4)
    assert ATTEMPTS == 256


@given(trials=st.integers(20, 10**6), chance=st.floats(0.001, 0.5), above=st.integers(-16, 16))
def test_factors_between_a_mode_and_its_neighbours(trials, chance, above):
    """Would catch a factor left out or one too many on either side, and a power cut short: against exact binomial coefficients."""
    mode = math.floor((trials + 1) * chance)
    found = min(max(mode + above, 0), trials)
    with mpmath.workdps(40):
        odds = mpmath.mpf(chance / (1.0 - chance))
        exact = float(mpmath.binomial(trials, found) / mpmath.binomial(trials, mode) * odds ** (found - mode))
        none = float((1 - mpmath.mpf(chance)) ** min(trials, 128))
    for form in (relative_mass, plain(relative_mass)):
        assert form(trials, chance / (1.0 - chance), mode, found) == pytest.approx(exact, rel=1e-12)
    assert failures(min(trials, 128), chance) == plain(failures)(min(trials, 128), chance) == pytest.approx(none, rel=1e-13)


@given(count=st.integers(0, 10**6))
def test_series_is_what_stirlings_formula_lacks(count):
    """Would catch a wrong coefficient: against the logarithm of the gamma function."""
    with mpmath.workdps(40):
        n = mpmath.mpf(count)
        exact = float(mpmath.loggamma(n + 1) - ((n + 0.5) * mpmath.log(n + 1) - (n + 1) + mpmath.log(2 * mpmath.pi) / 2))
    assert series(float(count)) == pytest.approx(exact, abs=2e-12)
    assert plain(series)(float(count)) == series(float(count))


def test_noise_by_the_window_is_laplace():
    """Would catch another scale, one sign, words used twice, and a window that is its neighbour's: Kolmogorov-Smirnov of size and sign,
    level 1e-6, of 200,000 numbers (a scale off by 2 % is found with probability 1 - 1e-6), no number twice, and no correlation inside a
    window or with the next one. Each is by hand what its words say."""
    stream, found = np.zeros(4, dtype=np.uint64), np.zeros(200_000)
    short_key(words(3), 3, stream)
    noise(stream, found)
    assert stats.kstest(found, stats.laplace.cdf).pvalue > LEVEL
    assert np.unique(found).size == found.size
    windows = found.reshape(-1, TOGETHER)
    off = np.corrcoef(np.hstack([windows[1:], windows[:-1]]).T)[np.triu_indices(2 * TOGETHER, 1)]
    assert np.abs(off).max() < 6.5 / math.sqrt(len(windows) - 1)  # one of 2016 exceeds it with probability below 1e-6
    by_hand, half = np.zeros(TOGETHER), TOGETHER // 2
    for window in (0, 17):
        plain(laplaces)(stream, window, by_hand)
        assert by_hand.tolist() == windows[window].tolist()
        for place, value in enumerate(by_hand):
            block = [int(word) for word in plain(short_block)(stream, np.uint64(half * window + place % half))]
            high, low = block[:2] if place < half else block[2:]
            word = (high << 32) + low
            assert abs(value) == pytest.approx(-math.log(((word >> 11) + 1) / 2**53), rel=1e-14)
            assert (value > 0) == bool(word % 2)


@given(value=st.floats(2.0**-53, 1.0), exponent=st.floats(-13.0, 13.0))
def test_powers_of_one_number(value, exponent):
    """Would catch a wrong coefficient, and a plain form with other bits."""
    exact = float(mpmath.power(mpmath.mpf(value), mpmath.mpf(exponent)))
    assert power(value, exponent) == pytest.approx(exact, rel=1e-13)
    assert plain(power)(value, exponent) == power(value, exponent)
    assert logarithm(value) == pytest.approx(math.log(value), rel=1e-15, abs=0.0)
    assert plain(logarithm)(value) == logarithm(value)
