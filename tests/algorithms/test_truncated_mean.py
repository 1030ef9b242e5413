"""The truncated mean, its private release, and the formulas of Theorem 6.1: golden values by hand, then relations at drawn parameters.

The golden points make logarithms whole: at failure = 16 e^-8, log(16 / failure) = 8, log(8 / failure) = 8 - ln 2, log(2 / failure) =
8 - 3 ln 2; at failure = 4 e^-2, log(4 / failure) = 2. Decimals were worked out with 30 digits.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.estimators.truncated_mean import (
    MERGED_EPSILON,
    PrivateTruncatedMean,
    assembled_radius,
    clean_assembled_radius,
    clean_epsilon,
    clean_radius,
    clean_truncation,
    noise_scale,
    outlier_fraction,
    radius,
    sample_requirement,
    truncated_mean,
    truncation,
    unmerged_radius,
)
from banditproof.audits.strategies import values_of
from banditproof.glossary import CONTAMINATION, EPSILON, FAILURE, MOMENT, SAMPLES

CONTAMINATED = {"moment": 2.0, "failure": 16.0 * math.exp(-8.0), "contamination": 1.0 / 32.0}
CLEAN = {"moment": 3.0, "failure": 4.0 * math.exp(-2.0)}
SIZES, MOMENTS = values_of(SAMPLES, high=10**7), values_of(MOMENT, high=8.0)
FAILURES, FRACTIONS = values_of(FAILURE, low=1e-9), values_of(CONTAMINATION, low=1e-4)


def test_golden_values_of_the_contaminated_case():
    # (n eps / (4 l16))^(1/2) = (3200 / 32)^(1/2) = 10, (8 / 32)^(-1/2) = 2
    assert truncation(6400, 0.5, **CONTAMINATED) == pytest.approx(2.0, rel=1e-14)
    # at n = 16: (8 / 32)^(1/2)
    assert truncation(16, 0.5, **CONTAMINATED) == pytest.approx(0.5, rel=1e-14)
    # sqrt(16 / 6400) + 2 (32 / 3200)^(1/2) + 2 (1/4)^(1/2) = 0.05 + 0.2 + 1
    assert radius(6400, 0.5, **CONTAMINATED) == pytest.approx(1.25, rel=1e-14)
    # l8 / alpha_1 = 32 (8 - ln 2)
    assert sample_requirement(CONTAMINATED["failure"], 1.0 / 32.0) == pytest.approx(233.819290222081753, rel=1e-14)
    # 1/32 + sqrt(l8 / 16 / 6400) + 2 l8 / 19200
    assert outlier_fraction(6400, CONTAMINATED["failure"], contamination=1 / 32) == pytest.approx(0.040458377661001963, rel=1e-14)
    # 0.05 + 64/19200 + 1/2 + 4 (8 - 3 ln 2) / 3200 + 1/2
    assert unmerged_radius(6400, 0.5, truncation=2.0, **CONTAMINATED) == pytest.approx(1.060734031406233538, rel=1e-14)
    # 4 shares of outliers in place of 1/2
    assert assembled_radius(6400, 0.5, truncation=2.0, **CONTAMINATED) == pytest.approx(0.722567542050241392, rel=1e-14)


def test_golden_values_of_the_clean_case():
    # (800 / 8)^(1/3)
    assert clean_truncation(800, 1.0, **CLEAN) == pytest.approx(4.64158883361277889, rel=1e-14)
    # sqrt(4 / 800) + 2 (8 / 800)^(2/3)
    assert clean_radius(800, 1.0, **CLEAN) == pytest.approx(0.163542454790910330, rel=1e-14)
    # sqrt(4 / 800) + 40 / 2400 + 10 (2 - ln 2) / 800 + 1/25
    assert clean_assembled_radius(800, 1.0, truncation=5.0, **CLEAN) == pytest.approx(0.143713005028322102, rel=1e-14)
    assert noise_scale(800, 0.5, truncation=5.0) == pytest.approx(0.025, rel=1e-14)  # 10 / 400


@given(n=SIZES, epsilon=values_of(EPSILON, low=0.01, high=MERGED_EPSILON), moment=MOMENTS, failure=FAILURES, fraction=FRACTIONS)
def test_the_merges_hold_up_to_their_epsilon(n, epsilon, moment, failure, fraction):
    """Would catch a lost factor in any one of the formulas: each merged form is an upper bound of the one before."""
    n = max(n, math.ceil(sample_requirement(failure, fraction)))
    values = {"moment": moment, "failure": failure, "contamination": fraction}
    size = truncation(n, epsilon, **values)
    exact, unmerged, merged = (
        assembled_radius(n, epsilon, truncation=size, **values),
        unmerged_radius(n, epsilon, truncation=size, **values),
        radius(n, epsilon, **values),
    )
    assert exact <= unmerged * (1 + 1e-12)
    assert unmerged <= merged * (1 + 1e-12)
    clean = {"moment": moment, "failure": failure}
    size = clean_truncation(n, epsilon, **clean)
    assert clean_assembled_radius(n, epsilon, truncation=size, **clean) <= clean_radius(n, epsilon, **clean) * (1 + 1e-12)


def test_the_last_merge_fails_beyond_its_epsilon():
    """The printed radius says "for epsilon > 0"; at epsilon = 4 and a small failure its own proof gives more than it."""
    values = {"moment": 2.0, "failure": 1e-9}
    size = clean_truncation(10_000, 4.0, **values)
    assert clean_assembled_radius(10_000, 4.0, truncation=size, **values) > clean_radius(10_000, 4.0, **values)


@given(
    values=st.lists(
        st.one_of(st.floats(-9.0, 9.0), st.sampled_from([2.0, -2.0, math.inf, -math.inf, math.nextafter(2.0, 9.0)])), min_size=1
    )
)
def test_truncation_maps_to_zero_and_keeps_its_border(values):
    """Would catch clipping in place of truncation, a strict border, and a divisor that counts the kept values only."""
    expected = math.fsum(value for value in values if -2.0 <= value <= 2.0) / len(values)
    assert truncated_mean(values, 2.0) == pytest.approx(expected, abs=1e-14)


@given(epsilon=values_of(EPSILON, low=0.01, high=20.0), size=st.floats(0.01, 100.0), others=st.lists(st.floats(-200.0, 200.0), max_size=6))
def test_privacy_loss_is_at_most_epsilon_and_reached(epsilon, size, others):
    """Would catch a sensitivity of M / n: the worst pair is as far apart as the noise allows, and no pair farther."""
    centres = [truncated_mean([value, *others], size) for value in (size, -size, math.nextafter(size, math.inf), 3.0 * size)]
    scale_of_noise = noise_scale(1 + len(others), epsilon, truncation=size)
    assert abs(centres[0] - centres[1]) / scale_of_noise == pytest.approx(epsilon, rel=1e-9)
    assert max(abs(first - second) for first in centres for second in centres) / scale_of_noise <= epsilon * (1 + 1e-9)


def test_release_has_the_distribution_of_its_scale(room, rng):
    """Would catch noise of another scale or centre."""
    epsilon, size, runs = rng.uniform(0.1, 5.0), rng.uniform(0.5, 5.0), 200_000
    data = rng.normal(size=7, scale=size)
    noise = PrivateTruncatedMean(epsilon, size).release(data, runs, rng) - truncated_mean(data, size)
    for probability in (0.1, 0.5, 0.9):
        cut = stats.laplace(scale=2.0 * size / (7 * epsilon)).ppf(probability)
        room.assert_rate(int(np.count_nonzero(noise[:, 0] <= cut)), runs, probability, detects=0.012)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: PrivateTruncatedMean(0.0, 1.0), r"epsilon = 0.0: must be > 0"),
        (lambda: PrivateTruncatedMean(1.0, -1.0), r"truncation = -1.0: must be > 0"),
        (lambda: truncated_mean([], 1.0), r"values of shape \(0,\): must be \(n,\) with n >= 1"),
        (lambda: truncated_mean([math.nan], 1.0), r"a value is NaN: must be a number"),
        (lambda: truncated_mean([1.0], 0.0), r"truncation = 0.0: must be > 0"),
        (lambda: noise_scale(0, 1.0, truncation=1.0), r"samples = 0: must be an integer >= 1"),
        (lambda: sample_requirement(0.0, 0.1), r"failure = 0.0: must be > 0 and < 1"),
        (lambda: sample_requirement(0.1, 0.0), r"contamination = 0.0: must be > 0 and < 0.5"),
        (lambda: clean_radius(10, 1.0, moment=1.5, failure=0.1), r"moment = 1.5: must be >= 2"),
        (lambda: radius(10, 1.0, moment=2.0, failure=0.1, contamination=0.5), r"contamination = 0.5: must be > 0 and < 0.5"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()


@given(n=SIZES, epsilon=values_of(EPSILON, low=0.01, high=1e5), moment=MOMENTS, failure=FAILURES, fraction=FRACTIONS)
def test_the_contaminated_radius_holds_at_every_epsilon(n, epsilon, moment, failure, fraction):
    """Would catch a repair where none is needed: the printed radius is above what the proof gives with nothing dropped, up to 1e5."""
    n = max(n, math.ceil(sample_requirement(failure, fraction)))
    values = {"moment": moment, "failure": failure, "contamination": fraction}
    assert assembled_radius(n, epsilon, truncation=truncation(n, epsilon, **values), **values) <= radius(n, epsilon, **values) * (1 + 1e-12)


@given(n=SIZES, epsilon=values_of(EPSILON, low=0.01, high=1e5), moment=MOMENTS, failure=FAILURES)
def test_the_clean_radius_holds_at_its_own_epsilon(n, epsilon, moment, failure):
    """Would catch a level that is too large: truncation and radius at clean_epsilon, the noise at epsilon."""
    clean, level = {"moment": moment, "failure": failure}, clean_epsilon(epsilon)
    size = clean_truncation(n, level, **clean)
    assert clean_assembled_radius(n, epsilon, truncation=size, **clean) <= clean_radius(n, level, **clean) * (1 + 1e-12)
