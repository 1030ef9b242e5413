"""Gaussian noise: the profile against 60 digits, both calibrations, and the distribution of what is released."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.mechanisms.gaussian import Gaussian, classic, classic_sigma, exact, exact_sigma, log_profile, profile
from banditproof.audits.strategies import values_of
from banditproof.glossary import DELTA, EPSILON, MU, SENSITIVITY
from banditproof.guarantees import ApproximateDP, GaussianDP

# delta from 1e-300 to 1 - 1e-9: where a calibration in plain floating point breaks.
DELTAS = st.one_of(values_of(DELTA, low=1e-9, high=1 - 1e-9), st.floats(1.0, 300.0).map(lambda digits: 10.0**-digits))
EPSILONS = st.floats(-4.0, 3.5).map(lambda digits: 10.0**digits)


def reference(epsilon: float, mu: float) -> mpmath.mpf:
    """ln of the hockey-stick divergence of N(mu, 1) from N(0, 1) at e^epsilon, from the definition, in as many digits as it takes."""
    lost = (epsilon / mu) ** 2 / math.log(100.0) + epsilon / 2.0
    with mpmath.workdps(int(60 + lost)):
        e, m = mpmath.mpf(epsilon), mpmath.mpf(mu)
        return mpmath.log(mpmath.ncdf(m / 2 - e / m) - mpmath.exp(e) * mpmath.ncdf(-m / 2 - e / m))


@given(epsilon=st.floats(-4.0, 2.0).map(lambda digits: 10.0**digits), ratio=st.floats(0.03, 100.0))
def test_profile_agrees_with_sixty_digits(epsilon, ratio):
    """Would catch an overflow at a large epsilon, and a difference of nearly equal numbers at a small mu."""
    mu = max(epsilon * ratio, 1e-6)
    truth = float(reference(epsilon, mu))
    near = abs(epsilon / mu - mu / 2.0)
    assert log_profile(epsilon, mu) == pytest.approx(truth, rel=1e-13, abs=1e-11 * (1.0 + near))


@given(epsilon=values_of(EPSILON, low=1e-2, high=20.0), mu=values_of(MU, low=1e-2, high=20.0))
def test_profile_is_a_probability_and_grows_with_mu(epsilon, mu):
    assert 0.0 <= profile(epsilon, mu) <= 1.0
    assert log_profile(epsilon, mu) < log_profile(epsilon, mu * 1.01) or profile(epsilon, mu) > 1 - 1e-12
    assert log_profile(epsilon * 1.01, mu) <= log_profile(epsilon, mu)


@given(epsilon=EPSILONS, delta=DELTAS, sensitivity=values_of(SENSITIVITY, low=1e-3, high=1e3))
def test_exact_calibration_is_enough_and_least(epsilon, delta, sensitivity):
    """Would catch a root on the wrong side, the wrong branch of Algorithm 1, and noise that is wasted."""
    sigma = exact_sigma(epsilon, delta, sensitivity)
    assert log_profile(epsilon, sensitivity / sigma) <= math.log(delta)
    assert log_profile(epsilon, sensitivity / (sigma * (1 - 1e-6))) > math.log(delta) or delta > 1 - 1e-8


@given(epsilon=values_of(EPSILON, low=1e-3, high=1.0).filter(lambda value: value < 1.0), delta=DELTAS)
def test_classic_calibration_wastes_noise_but_is_enough(epsilon, delta):
    """Would catch ln(1.25 / delta) with another constant that is too small somewhere in its range."""
    assert classic_sigma(epsilon, delta) >= exact_sigma(epsilon, delta)
    assert classic_sigma(epsilon, delta) == pytest.approx(math.sqrt(2 * (math.log(1.25) - math.log(delta))) / epsilon, rel=1e-12)


@given(epsilon=st.floats(min_value=1.0, allow_nan=False) | st.floats(max_value=0.0) | st.just(math.nan))
def test_classic_calibration_ends_at_epsilon_one(epsilon):
    """Would catch the classic formula used where its theorem says nothing, and where it is wrong for a large epsilon."""
    with pytest.raises(ValueError, match=r"epsilon = .*: must be > 0 and < 1"):
        classic_sigma(epsilon, 1e-5)


def test_constructors_claim_what_they_calibrate():
    assert exact(0.5, 1e-5, sensitivity=3.0).guarantee() == ApproximateDP(0.5, 1e-5, exact(0.5, 1e-5).neighbours().relation)
    assert exact(0.5, 1e-5, sensitivity=3.0).sigma == pytest.approx(3.0 * exact_sigma(0.5, 1e-5))
    assert classic(0.5, 1e-5, sensitivity=3.0).sigma == pytest.approx(3.0 * classic_sigma(0.5, 1e-5))
    assert {*exact(0.5, 1e-5).theorems, *classic(0.5, 1e-5).theorems, *Gaussian(1.0).theorems} == {
        "balle_wang_2018.gaussian_calibration",
        "balle_wang_2018.gaussian_profile",
        "dwork_roth_2014.gaussian_classic",
    }
    plain = Gaussian(2.0, sensitivity=3.0)
    assert plain.guarantee() == GaussianDP(1.5, plain.neighbours().relation)


@pytest.mark.parametrize("width", [1, 3])
def test_release_has_the_distribution_of_its_sigma(room, rng, width):
    """Would catch a variance passed as a standard deviation, noise shared by coordinates, or centred elsewhere."""
    sigma, runs, answer = rng.uniform(0.2, 5.0), 200_000, rng.normal(size=width)
    noise = Gaussian(sigma, width=width).release(answer, runs, rng) - answer
    for column in range(width):
        for probability in (0.1, 0.5, 0.9):
            below = int(np.count_nonzero(noise[:, column] <= stats.norm(scale=sigma).ppf(probability)))
            room.assert_rate(below, runs, probability, detects=0.012)
    if width > 1:
        room.assert_rate(int(np.count_nonzero((noise[:, 0] > 0) == (noise[:, 1] > 0))), runs, 0.5, detects=0.012)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Gaussian(0.0), r"sigma = 0.0: must be > 0"),
        (lambda: Gaussian(1.0, math.nan), r"sensitivity = nan: must be > 0"),
        (lambda: Gaussian(1.0, width=0), r"width = 0: must be an integer >= 1"),
        (lambda: classic_sigma(0.5, 0.0), r"delta = 0.0: must be > 0 and < 1"),
        (lambda: exact_sigma(0.0, 0.1), r"epsilon = 0.0: must be > 0"),
        (lambda: exact_sigma(1e-301, 0.1), r"epsilon = 1e-301: must be from 1e-300 to 1e150"),
        (lambda: exact_sigma(1e151, 0.1), r"epsilon = 1e\+151: must be from 1e-300 to 1e150"),
        (lambda: exact_sigma(1.0, 1.0), r"delta = 1.0: must be > 0 and < 1"),
        (lambda: profile(1.0, 0.0), r"mu = 0.0: must be > 0"),
        (lambda: Gaussian(1.0).release([0.0, 0.0], 1, np.random.default_rng(0)), r"data of shape \(2,\): must be \(1,\)"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
