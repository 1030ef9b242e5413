"""Laplace noise: closed forms at drawn parameters, and the distribution of what is released."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.mechanisms.laplace import Laplace, LocalLaplace, epsilon, scale, tail
from banditproof.audits.strategies import values_of
from banditproof.glossary import EPSILON, SCALE, SENSITIVITY, THRESHOLD
from banditproof.kernels import plain


@given(level=values_of(EPSILON, low=1e-6), sensitivity=values_of(SENSITIVITY, low=1e-6))
def test_scale_and_epsilon_are_inverse(level, sensitivity):
    """Would catch a factor in one direction only."""
    assert epsilon(scale(level, sensitivity), sensitivity) == pytest.approx(level, rel=1e-14)


@given(
    level=values_of(EPSILON, low=1e-3, high=50.0), sensitivity=values_of(SENSITIVITY, low=1e-3, high=1e3), output=st.floats(-100.0, 100.0)
)
def test_privacy_loss_is_at_most_epsilon_and_reached(level, sensitivity, output):
    """Would catch noise that is too small, or needlessly large: the density ratio of the worst pair is exactly e^epsilon beyond it."""
    noise_scale = scale(level, sensitivity)
    loss = (abs(output - sensitivity) - abs(output)) / noise_scale  # of the densities exp(-|x| / spread) / (2 spread)
    assert abs(loss) <= level * (1 + 1e-9)
    beyond = -abs(output)
    assert (abs(beyond - sensitivity) - abs(beyond)) / noise_scale == pytest.approx(level, rel=1e-9)


@given(threshold=values_of(THRESHOLD, high=1e3), noise_scale=values_of(SCALE, low=1e-2))
def test_tail_is_that_of_the_distribution(threshold, noise_scale):
    """Would catch a one-sided tail."""
    assert tail(threshold, noise_scale) == pytest.approx(2.0 * stats.laplace(scale=noise_scale).sf(threshold), rel=1e-12)


@pytest.mark.parametrize("width", [1, 3])
def test_release_has_the_distribution_of_its_scale(room, rng, width):
    """Would catch noise shared by coordinates, centred elsewhere, or of another scale."""
    epsilon, sensitivity, runs = rng.uniform(0.1, 5.0), rng.uniform(0.1, 10.0), 200_000
    answer = rng.normal(size=width)
    noise = Laplace(epsilon, sensitivity, width).release(answer, runs, rng) - answer
    noise_scale = scale(epsilon, sensitivity)
    for column in range(width):
        for probability in (0.1, 0.5, 0.9):
            below = int(np.count_nonzero(noise[:, column] <= stats.laplace(scale=noise_scale).ppf(probability)))
            room.assert_rate(below, runs, probability, detects=0.012)
    if width > 1:
        room.assert_rate(int(np.count_nonzero((noise[:, 0] > 0) == (noise[:, 1] > 0))), runs, 0.5, detects=0.012)


@given(
    level=values_of(EPSILON, low=1e-2, high=20.0),
    message=st.lists(st.floats(-3.0, 4.0), min_size=1, max_size=4),
    round=st.integers(0, 2**40),
)
def test_local_noise_is_that_of_the_clipped_message(level, message, round):
    """Would catch noise that depends on the message, a scale that forgets the other numbers, and a clip to another interval."""
    randomiser, key = LocalLaplace(level), np.array([1, 2, 3], dtype=np.uint64)
    reports = np.zeros((3, 1, len(message)))
    plain(randomiser.kernel)(randomiser.setup(), key, round, np.array(message), reports[0])
    plain(randomiser.kernel)(randomiser.setup(), key, round, np.zeros(len(message)), reports[1])
    plain(randomiser.kernel)(np.array([1.0]), key, round, np.zeros(len(message)), reports[2])
    noisy, zero, unit = reports[:, 0]
    assert noisy == pytest.approx(np.clip(message, 0.0, 1.0) + zero)
    assert zero == pytest.approx(unit / level)  # at w numbers the scale is w / epsilon for each


def test_local_noise_of_one_number_has_scale_one_over_epsilon(room, rng):
    """Would catch the sensitivity of [-1, 1], or of half the interval."""
    level, rounds, key = rng.uniform(0.2, 3.0), 50_000, np.array([7, 8, 9], dtype=np.uint64)
    messages = np.zeros((rounds, 2))
    for round in range(rounds):
        plain(LocalLaplace(level).kernel)(np.array([level]), key, round, np.zeros(2), messages[round : round + 1])
    far = int(np.count_nonzero(np.abs(messages) > 2.0 * math.log(2.0) / level))  # two numbers: scale 2 / epsilon, and its median
    room.assert_rate(far, messages.size, 0.5, detects=0.02)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Laplace(0.0), r"epsilon = 0.0: must be > 0"),
        (lambda: Laplace(math.nan), r"epsilon = nan: must be > 0"),
        (lambda: Laplace("1"), r"epsilon = '1': must be a number, > 0"),
        (lambda: Laplace(None), r"epsilon = None: must be a number, > 0"),
        (lambda: Laplace(1.0, width=1.5), r"width = 1.5: must be an integer >= 1"),
        (lambda: Laplace(1.0, -1.0), r"sensitivity = -1.0: must be > 0"),
        (lambda: Laplace(1.0, width=0), r"width = 0: must be an integer >= 1"),
        (lambda: LocalLaplace(-2.0), r"epsilon = -2.0: must be > 0"),
        (lambda: scale(1.0, 0.0), r"sensitivity = 0.0: must be > 0"),
        (lambda: epsilon(0.0), r"scale = 0.0: must be > 0"),
        (lambda: tail(-1.0, 1.0), r"threshold = -1.0: must be >= 0"),
        (lambda: Laplace(1.0, width=2).release([0.0], 1, np.random.default_rng(0)), r"data of shape \(1,\): must be \(2,\)"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
