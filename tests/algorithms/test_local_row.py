"""The whole message of a user: noise scales worked out by hand, the report's formulas, and its distribution."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.mechanisms.gaussian import profile
from banditproof.algorithms.mechanisms.local_row import (
    Calibration,
    LocalRow,
    RowMessage,
    message_delta,
    noise_scale,
    printed_noise_scale,
    raw_width,
    report_width,
    unit_noise_scale,
)
from banditproof.kernels import plain

SEEDS = st.integers(0, 2**32)


def report(randomiser: LocalRow, message: np.ndarray, round: int, run: int = 0) -> np.ndarray:
    target = np.zeros(randomiser.messages(message.size))
    plain(randomiser.kernel)(randomiser.setup(), np.array([3, 4, run], dtype=np.uint64), round, message, target)
    return target[0]


def test_printed_noise_by_hand():
    """delta = 1.25 e^-2: ln = 2, so sigma = 2 sqrt(4) / epsilon = 4 / epsilon; for the whole message, classic: sqrt(8) * 2 / epsilon."""
    delta = 1.25 * math.exp(-2)
    assert printed_noise_scale(0.5, delta) == pytest.approx(8.0)
    assert noise_scale(Calibration.CLASSIC, 0.5, delta) == pytest.approx(2 * math.sqrt(8) / 0.5)
    assert unit_noise_scale(Calibration.PUBLISHED, 0.5, delta) == pytest.approx(4.0)
    assert raw_width(5) == 13 and report_width(5) == 11 and raw_width(0) == 1
    with pytest.raises(ValueError, match=r"epsilon = 1.0: must be > 0 and < 1"):
        noise_scale(Calibration.CLASSIC, 1.0, delta)


@given(epsilon=st.floats(0.01, 20.0), delta=st.sampled_from([0.1, 1e-3, 1e-5]))
def test_joint_noise_is_enough_and_the_printed_is_not(epsilon, delta):
    """Would catch a sensitivity of one part: then the whole message loses more than it claims."""
    exact, split = (noise_scale(each, epsilon, delta) for each in (Calibration.EXACT, Calibration.SPLIT))
    assert message_delta(epsilon, exact) <= delta * (1 + 1e-9) <= message_delta(epsilon, exact * (1 - 1e-6)) * (1 + 1e-3)
    assert message_delta(epsilon, split) <= delta
    assert profile(epsilon, 2 / noise_scale(Calibration.PUBLISHED, epsilon, delta)) <= delta or epsilon > 1  # each part alone
    assert message_delta(epsilon, exact, 2.0) < delta


@given(
    size=st.integers(1, 5),
    injection=st.sampled_from([0.0, 0.3]),
    bound=st.sampled_from([0.1, 1e9]),
    round=st.integers(0, 10**6),
    seed=SEEDS,
)
def test_gradient_is_made_of_what_is_sent(size, injection, bound, round, seed):
    """g = 2 x~ (<x~, theta> - y~) - 2 sigma^2 theta, shortened to G. Would catch a gradient of the clean x, which costs privacy."""
    rng, randomiser = np.random.default_rng(seed), LocalRow(1.0, 0.1)
    x = rng.normal(size=size)
    x /= np.linalg.norm(x)
    theta = rng.normal(size=size)
    sent = report(randomiser, np.array([*x, 0.5, *theta, injection, bound]), round)
    noisy, response, gradient = sent[:size], sent[size], sent[size + 1 :]
    expected = 2 * noisy * (noisy @ theta - response) - 2 * randomiser.sigma() ** 2 * theta
    expected *= min(1.0, bound / np.linalg.norm(expected))
    assert gradient == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("clips", [True, False])
def test_data_outside_the_domain(clips):
    """Would catch clipping after the noise, and a domain that is not enforced where the guarantee needs it: same noise, other centre."""
    randomiser = LocalRow(1.0, 0.1, clips=clips)
    outside = report(randomiser, np.array([30.0, 40.0, -7.0, 0.0, 0.0, 0.0, 1.0]), 5)
    centre = report(randomiser, np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]), 5)
    assert outside[:3] - centre[:3] == pytest.approx([0.6, 0.8, -1.0] if clips else [30.0, 40.0, -7.0])
    inside = report(randomiser, np.array([0.3, 0.4, 0.5, 0.0, 0.0, 0.0, 1.0]), 5)
    assert inside[:3] - centre[:3] == pytest.approx([0.3, 0.4, 0.5])


def test_noise_has_its_distribution(rng):
    """Kolmogorov and Smirnov at 1e-6 per coordinate over 200,000 messages (it sees a scale that is off by 2 %), and all pairs uncorrelated.

    Would catch noise of another scale, injection of Delta^2 in place of Delta, and noise shared by features and response."""
    mechanism = RowMessage(1.0, 0.1, point=(0.5, -0.5, 0.2), injection=0.7)
    sigma, data = noise_scale(Calibration.EXACT, 1.0, 0.1), np.array([0.1, 0.2, -0.3, 0.4])
    released = mechanism.release(data, 200_000, rng)
    scales = np.array([*[math.sqrt(sigma**2 + 0.49)] * 3, sigma])
    standard = (released[:, :4] - data) / scales
    for column in standard.T:
        assert stats.kstest(column, "norm").pvalue > 1e-6
    correlations = np.corrcoef(standard.T)[np.triu_indices(4, 1)]
    assert np.abs(correlations).max() < 5.5 / math.sqrt(200_000)  # normal, 6 pairs: P < 1e-6


def test_no_draw_is_shared_by_rounds_or_coordinates():
    """Would catch addresses that overlap between users, or between the two noises of the features."""
    randomiser, message = LocalRow(1.0, 0.1), np.array([*[0.0] * 3, 0.0, *[0.0] * 3, 1.0, 1e9])
    plain_message = np.array([*[0.0] * 3, 0.0, *[0.0] * 3, 0.0, 1e9])
    numbers = []
    for round in range(200):
        both, alone = report(randomiser, message, round), report(randomiser, plain_message, round)
        numbers += [*(alone[:4] / randomiser.sigma()), *(both[:3] - alone[:3])]
    assert np.unique(np.round(numbers, 9)).size == len(numbers)
