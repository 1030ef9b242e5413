"""The private mean around a bin, and the formulas of Theorem 6.5: golden values by hand, then relations at drawn parameters.

The golden points make logarithms whole: at failure = 16 e^-8, L = log(16 / failure) = 8, log(8 / failure) = 8 - ln 2 and
log(1 / failure) = 8 - 4 ln 2; at D = 2 and failure = 32 e^-8, log(16 D / failure) = 8. Decimals were worked out with 30 digits.
"""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.estimators import central_mean
from banditproof.algorithms.estimators.central_mean import PrivateCentralMean
from banditproof.algorithms.policies.elimination.probabilities import largest_probability
from banditproof.audits.strategies import values_of
from banditproof.glossary import BIN_WIDTH, CONTAMINATION, EPSILON, FAILURE, FOLD_SAMPLES, MOMENT

L8 = 16.0 * math.exp(-8.0)
FOLDS, MOMENTS = values_of(FOLD_SAMPLES, high=10**9), values_of(MOMENT, high=8.0)
FAILURES, FRACTIONS = values_of(FAILURE, low=1e-9, high=0.5), values_of(CONTAMINATION, low=1e-3, high=0.1329)


def test_golden_values():
    # 0.9 / 0.149, and its root; 2 r = 4.92 at alpha_1 = 10 % and k = 2, 4.37 at 5 %, 4.14 at 2 % (sheet, section 8)
    assert central_mean.inverse_mass(0.1) == pytest.approx(6.04026845637583893, rel=1e-14)
    for fraction, twice in ((0.02, 4.14), (0.05, 4.37), (0.1, 4.92)):
        assert 2.0 * central_mean.bin_width(fraction, 2.0) == pytest.approx(twice, abs=0.005)
    assert central_mean.clean_bin_width(2.0) == pytest.approx(3.16227766016837933, rel=1e-14)
    assert central_mean.outside_mass(0.1, 2.0, bin_width=3.0) == pytest.approx(0.2, rel=1e-14)  # 0.1 + 0.9 / 9
    # D = 2, l = 8, n = 400, eps = 1/2: max{sqrt(16 / 400), 32 / 200} = max{0.2, 0.16}; at n = 100: max{0.4, 0.64}
    at = {"range": 2.0, "failure": 32.0 * math.exp(-8.0)}
    assert central_mean.bin_error(400, 0.5, **at) == pytest.approx(0.2, rel=1e-14)
    assert central_mean.bin_error(100, 0.5, **at) == pytest.approx(0.64, rel=1e-14)
    # 200 * 8 / 0.5
    assert central_mean.clean_sample_requirement(0.5, **at) == pytest.approx(3200.0, rel=1e-14)
    # 4 (n eps / (8 - 4 ln 2))^(1/2) at n eps = 200
    assert central_mean.clean_truncation(400, 0.5, moment=2.0, failure=L8) == pytest.approx(24.7418206204353712, rel=1e-14)
    # the other entry: 4 (1/25)^(-1/2)
    assert central_mean.truncation(400, 0.5, moment=2.0, failure=L8, contamination=0.04) == pytest.approx(20.0, rel=1e-14)
    # n = 400, alpha_1 = 0.04, L = 8, M = 20, r = 3: share = 0.04 + sqrt(0.64 / 400) + 16 / 1200 = 0.0933..., times 26
    values = {"failure": L8, "truncation": 20.0, "bin_width": 3.0}
    assert central_mean.outlier_sum(400, contamination=0.04, **values) == pytest.approx(26.0 * (0.08 + 16.0 / 1200.0), rel=1e-14)
    # clean: sqrt(16 / 400) + 4 * 26 * 8 / 1200 + 1/10 + 6 (1/100 + sqrt(8 / 800)) + 40 (8 - ln 2) / 200
    clean = 0.2 + 832.0 / 1200.0 + 0.1 + 6.0 * 0.11 + 0.2 * (8.0 - math.log(2.0))
    assert central_mean.clean_assembled_radius(400, 0.5, moment=2.0, **values) == pytest.approx(clean, rel=1e-14)
    # contaminated: 2 T_1 and 6 * 0.04 more
    contaminated = clean + 52.0 * (0.08 + 16.0 / 1200.0) + 0.24
    assert central_mean.assembled_radius(400, 0.5, moment=2.0, contamination=0.04, **values) == pytest.approx(contaminated, rel=1e-14)


def test_golden_requirement_of_contaminated_rewards():
    # alpha_1 = 0.1, eps = 1/2, D = 2, failure = 32 e^-8: iota (8 - 5 ln 2) / eps = 6.04... * 4.534... * 2 = 54.8, c 16, (8 - ln 2) / 0.01
    at = {"range": 2.0, "contamination": 0.1, "failure": 32.0 * math.exp(-8.0)}
    assert central_mean.sample_requirement(0.5, bin_constant=100.0, **at) == pytest.approx(1600.0, rel=1e-14)
    assert central_mean.sample_requirement(0.5, bin_constant=1.0, **at) == pytest.approx(100.0 * (8.0 - math.log(2.0)), rel=1e-14)
    tiny = central_mean.sample_requirement(1e-3, bin_constant=1.0, **at)  # iota decides: 1000 * max{6.04 * 4.53, 8}
    assert tiny == pytest.approx(27388.1723991962826, rel=1e-14)
    assert central_mean.sample_requirement(1e-3, bin_constant=1.0, true_contamination=0.0, **at) == pytest.approx(
        1000.0 / 0.249 * (8.0 - 5.0 * math.log(2.0)), rel=1e-14
    )
    # N = 6: log(36 / failure)
    padded = central_mean.padded_sample_requirement(0.5, bins=6, bin_constant=100.0, contamination=0.1, failure=at["failure"])
    assert padded == pytest.approx(200.0 * (8.0 + math.log(36.0 / 32.0)), rel=1e-14)
    assert central_mean.padded_bin_error(400, 0.5, bins=6, failure=36.0 * math.exp(-8.0)) == pytest.approx(0.2, rel=1e-14)
    clean = central_mean.clean_padded_sample_requirement(0.5, bins=6, failure=36.0 * math.exp(-8.0))
    assert clean == pytest.approx(3200.0, rel=1e-14)


def test_the_unnamed_constant():
    """c_1 is what 6 C_1 + 4 C_2 < 1 leaves at C_2 = 0.249, and the clean case's 200 is that at C_2 = 0.1: exactly, in rational numbers."""
    largest = (1 - 4 * Fraction("0.249")) / 6  # of C_1: 1/1500
    assert max(2 / largest**2, 4 / largest) == 4_500_000
    clean = (1 - 4 * Fraction("0.1")) / 6
    assert max(2 / clean**2, 4 / clean) == 200
    assert central_mean.bin_constant(0.249) == pytest.approx(4_500_000.0, rel=1e-12)
    assert central_mean.bin_constant(0.1) == pytest.approx(200.0, rel=1e-14)


@given(mass=st.floats(0.0, 0.2499), epsilon=values_of(EPSILON, low=0.01, high=1.0), term=st.floats(0.1, 100.0))
def test_the_constant_is_the_least_that_its_condition_allows(mass, epsilon, term):
    """Would catch a constant that is enough at one epsilon only, or larger than needed: at epsilon = 1 a hundredth less is too little."""
    constant = central_mean.bin_constant(mass)
    for level, fraction, enough in ((epsilon, 1.0, True), (1.0, 0.98, False)):
        samples = constant * fraction * term / level
        error = max(math.sqrt(2.0 * term / samples), 4.0 * term / (samples * level))
        assert (6.0 * error + 4.0 * mass <= 1.0 + 1e-9) == enough


@given(fraction=FRACTIONS, moment=MOMENTS)
def test_the_bin_width_gives_its_mass(fraction, moment):
    """Would catch iota of another quantity: C_2 is 0.249 at r = iota^(1/k), and 0.1 for clean rewards."""
    assert central_mean.outside_mass(fraction, moment, bin_width=central_mean.bin_width(fraction, moment)) == pytest.approx(0.249, rel=1e-9)
    assert central_mean.outside_mass(0.0, moment, bin_width=central_mean.clean_bin_width(moment)) == pytest.approx(0.1, rel=1e-9)


@given(fraction=FRACTIONS, moment=MOMENTS, failure=FAILURES, epsilon=values_of(EPSILON, low=0.01, high=1.0), bound=st.floats(5.0, 1e6))
def test_from_the_requirement_on_the_truncation_is_wide_enough(fraction, moment, failure, epsilon, bound):
    """Would catch a requirement that leaves M < 4 r, where the radius' pieces no longer hold; it is why alpha_1 stays below 0.133."""
    width = central_mean.bin_width(fraction, moment)
    assume(bound >= 2.0 * width)
    constant = central_mean.bin_constant(0.249)
    known = {"contamination": fraction, "failure": failure}
    samples = math.ceil(central_mean.sample_requirement(epsilon, range=bound, bin_constant=constant, **known))
    assert central_mean.truncation(samples, epsilon, moment=moment, **known) >= 4.0 * width * (1 - 1e-12)
    assert 6.0 * central_mean.bin_error(samples, epsilon, range=bound, failure=failure) + 4.0 * 0.249 <= 1.0 + 1e-9
    samples = math.ceil(central_mean.clean_sample_requirement(epsilon, range=bound, failure=failure))
    size = central_mean.clean_truncation(samples, epsilon, moment=moment, failure=failure)
    assert size >= 4.0 * central_mean.clean_bin_width(moment) * (1 - 1e-12)


@given(n=FOLDS, epsilon=values_of(EPSILON, low=0.01, high=5.0), moment=MOMENTS, failure=FAILURES, fraction=FRACTIONS)
def test_contamination_only_widens_the_radius(n, epsilon, moment, failure, fraction):
    """Would catch a term of the contaminated radius that is missing from the clean one, or the reverse."""
    width, size = 3.0, 12.0
    values = {"moment": moment, "failure": failure, "truncation": size, "bin_width": width}
    clean = central_mean.clean_assembled_radius(n, epsilon, **values)
    contaminated = central_mean.assembled_radius(n, epsilon, contamination=fraction, **values)
    outliers = central_mean.outlier_sum(n, contamination=fraction, failure=failure, truncation=size, bin_width=width)
    assert contaminated - clean == pytest.approx(2.0 * outliers + 2.0 * width * fraction, rel=1e-6)


@given(width=values_of(BIN_WIDTH, low=0.3, high=5.0), times=st.floats(2.0, 50.0), pad=st.booleans(), data=st.data())
def test_the_bins_cover_the_means(width, times, pad, data):
    """Would catch a floor in place of a ceiling, and a bin left out at an end: every mean lies in a bin, with `pad` its neighbours too."""
    bound = max(1.0, times * width)
    assume(bound >= 2.0 * width)
    number, low = central_mean.bins(bound, width, pad=pad), central_mean.first_bin(bound, width, pad=pad)
    assert number == math.ceil(2.0 * bound / width) + 2 * pad
    mean = data.draw(st.floats(-bound, bound * (1.0 - 1e-6)) | st.just(-bound))
    place = math.floor((mean - low) / width + 1e-9)  # rounding may move a mean at the very end of a bin
    assert pad <= place <= number - 1 - pad
    values = data.draw(st.lists(st.floats(-3.0 * bound, 3.0 * bound) | st.sampled_from([math.inf, -math.inf]), min_size=1))
    counts = central_mean.histogram(values, low=low, bin_width=width, bins=number)
    for place in range(number):
        inside = sum(math.isfinite(value) and math.floor((value - low) / width) == place for value in values)
        assert counts[place] == inside


def test_release_has_its_distribution(rng, room):
    """Would catch a fold read twice, noise of another scale, and a winning bin of another probability than the closed form's."""
    epsilon, size, width, runs, fold = rng.uniform(0.5, 3.0), 2.0, 1.0, 200_000, 6
    mechanism = PrivateCentralMean(epsilon, 2.0, width, size, pad=bool(rng.integers(2)))
    data = np.concatenate([[-0.5, 0.5, 0.5, 1.5, 7.0, 0.2], rng.normal(0.5, 1.0, fold)])
    released = mechanism.release(data, runs, rng)
    frequencies = mechanism.bin_frequencies(data)
    low = central_mean.first_bin(2.0, width, pad=mechanism.pad)
    distribution = stats.laplace(scale=2.0 * size / (fold * epsilon))
    chances = [largest_probability(frequencies, place, scale=2.0 / (fold * epsilon)) for place in range(frequencies.size)]
    assert sum(chances) == pytest.approx(1.0, abs=1e-12)
    for place, chance in enumerate(chances):
        end = low + place * width
        chosen = released[released[:, 0] == end]
        room.assert_rate(len(chosen), runs, chance, detects=0.012)
        centre = central_mean.centred_mean(data[fold:], end, truncation=size)
        assert centre == pytest.approx(end + np.where(abs(data[fold:] - end) <= size, data[fold:] - end, 0.0).mean(), abs=1e-12)
        if chance > 0.1:
            for probability in (0.1, 0.5, 0.9):
                below = int(np.count_nonzero(chosen[:, 1] - centre <= distribution.ppf(probability)))
                room.assert_rate(below, len(chosen), probability, detects=0.05)


@given(centres=st.lists(st.floats(-2.0, 2.0), min_size=2, max_size=6), scale=st.floats(0.2, 3.0))
def test_the_largest_of_noisy_values_against_quadrature(centres, scale):
    """Would catch a wrong piece of the closed form: the same integral, by mpmath's quadrature in floats."""
    distribution = [largest_probability(centres, place, scale=scale) for place in range(len(centres))]
    assert sum(distribution) == pytest.approx(1.0, abs=1e-12)
    place = len(centres) // 2

    def below(x):
        return 0.5 * math.exp(x) if x <= 0 else 1 - 0.5 * math.exp(-x)

    def density(y):
        others = [below(y + (centres[place] - other) / scale) for each, other in enumerate(centres) if each != place]
        return 0.5 * math.exp(-abs(y)) * math.prod(others)

    kinks = sorted({0.0, *((other - centres[place]) / scale for other in centres)})
    assert distribution[place] == pytest.approx(mpmath.fp.quad(density, [-math.inf, *kinks, math.inf]), abs=1e-9)


@given(epsilon=values_of(EPSILON, low=0.01, high=5.0), fold=st.integers(1, 5), others=st.lists(st.integers(0, 3), max_size=4))
def test_the_histogram_loses_epsilon_at_most(epsilon, fold, others):
    """Would catch noise for one changing bin: the ratio of the winning bin's chances, by the closed form, is at most e^epsilon."""
    values = [0, *others][:fold]
    distributions = []
    for first in range(4):
        counts = np.bincount([first, *values[1:]], minlength=4) / len(values)
        distributions.append(
            [largest_probability(counts, place, scale=central_mean.bin_noise_scale(len(values), epsilon)) for place in range(4)]
        )
    losses = [math.log(a / b) for one in distributions for other in distributions for a, b in zip(one, other, strict=True)]
    assert max(losses) <= epsilon * (1 + 1e-9)
    assert max(losses) > 0.0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: central_mean.truncation(9, 1.0, moment=2.0, failure=0.1, contamination=0.1334),
            r"0.1334: must be <= 0.133 \(alpha_1",
        ),
        (lambda: central_mean.truncation(9, 1.0, moment=2.0, failure=0.1, contamination=0.0), r"contamination = 0.0: must be > 0"),
        (lambda: central_mean.clean_truncation(9, 1.1, moment=2.0, failure=0.1), r"epsilon = 1.1: must be <= 1 \(Corollaries 6.6"),
        (lambda: central_mean.clean_sample_requirement(1.1, range=5.0, failure=0.1), r"epsilon = 1.1: must be <= 1 \(Corollaries 6.6"),
        (lambda: central_mean.clean_truncation(9, 1.0, moment=1.9, failure=0.1), r"moment = 1.9: must be >= 2"),
        (lambda: central_mean.clean_truncation(9, 0.0, moment=2.0, failure=0.1), r"epsilon = 0.0: must be > 0"),
        (lambda: central_mean.bin_error(9, 1.0, range=2.0, failure=0.0), r"failure = 0.0: must be > 0"),
        (lambda: central_mean.bin_error(9, 1.0, range=0.5, failure=0.1), r"range = 0.5: must be >= 1"),
        (lambda: central_mean.padded_bin_error(9, 1.0, bins=0, failure=0.1), r"bins = 0: must be an integer >= 1"),
        (lambda: central_mean.bins(5.0, 2.6), r"range = 5.0: must be >= 5.2 \(D >= 2 r, Theorem 6.5; admissible_range"),
        (lambda: PrivateCentralMean(1.0, 5.0, 2.6, 1.0), r"range = 5.0: must be >= 5.2"),
        (lambda: PrivateCentralMean(0.0, 5.0, 1.0, 1.0), r"epsilon = 0.0: must be > 0"),
        (lambda: PrivateCentralMean(1.0, 5.0, 1.0, 1.0).bin_frequencies([1.0] * 3), r"shape \(3,\): must be \(2 n,\)"),
        (lambda: PrivateCentralMean(1.0, 5.0, 1.0, 1.0).bin_frequencies([math.nan] * 2), r"a value is NaN"),
        (lambda: central_mean.inverse_mass(0.249), r"contamination = 0.249: must be >= 0 and < 0.249"),
        (lambda: central_mean.bin_constant(0.25), r"outside_mass = 0.25: must be >= 0 and < 0.25"),
        (lambda: central_mean.admissible_range(-1.0, 1.0), r"half_range = -1.0: must be >= 0"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@given(half=st.floats(0.0, 100.0), width=values_of(BIN_WIDTH, low=0.1, high=5.0))
def test_the_admissible_range_is_admissible_and_least(half, width):
    bound = central_mean.admissible_range(half, width)
    assert bound == max(half, 2.0 * width, 1.0)
    assert central_mean.bins(bound, width) >= 4
    assert PrivateCentralMean(1.0, bound, width, 1.0).accuracy_is_stated()
    assert not PrivateCentralMean(1.5, bound, width, 1.0).accuracy_is_stated()
