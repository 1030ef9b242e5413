"""The exact Gaussian profile against SciPy and quadrature; the calibration against the profile."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from banditproof.theory.papers.balle_wang_2018 import GAUSSIAN_CALIBRATION, GAUSSIAN_PROFILE

EPSILONS, RATIOS, SENSITIVITIES = st.floats(0.001, 20), st.floats(0.05, 8), st.floats(0.01, 100)


def test_golden_values():
    # Phi(-0.5) - e Phi(-1.5) = 0.3085375387259869 - 2.718281828459045 * 0.06680720126885807
    assert GAUSSIAN_PROFILE.at(epsilon=1, sigma=1, sensitivity=1).bound == pytest.approx(0.12693673750664, rel=1e-11)
    # and back
    delta = GAUSSIAN_PROFILE.at(epsilon=1, sigma=3, sensitivity=2).bound
    assert GAUSSIAN_CALIBRATION.at(epsilon=1, delta=delta, sensitivity=2).bound == pytest.approx(3, rel=1e-12)


@given(EPSILONS, RATIOS, SENSITIVITIES)
def test_the_profile_is_scipy_s(epsilon, ratio, sensitivity):
    """Would catch a wrong sign or a mu that is sigma/sensitivity."""
    sigma = sensitivity / ratio
    found = GAUSSIAN_PROFILE.at(epsilon=epsilon, sigma=sigma, sensitivity=sensitivity).bound
    other = stats.norm.cdf(ratio / 2 - epsilon / ratio) - math.exp(epsilon) * stats.norm.cdf(-ratio / 2 - epsilon / ratio)
    assert found == pytest.approx(other, rel=1e-6, abs=1e-12)


@given(st.floats(0.001, 5), st.floats(0.2, 6))
def test_the_profile_is_the_integral_of_the_excess(epsilon, ratio):
    """delta(epsilon) = integral of (p - e^epsilon q)+ for p = N(mu, 1), q = N(0, 1): by quadrature, from the definition."""
    start = epsilon / ratio + ratio / 2  # where the log ratio of the densities is epsilon

    def excess(x):
        return stats.norm.pdf(x - ratio) - math.exp(epsilon) * stats.norm.pdf(x)

    wanted, _ = integrate.quad(excess, start, start + 12 + ratio, epsabs=1e-13, limit=200)
    assert GAUSSIAN_PROFILE.at(epsilon=epsilon, sigma=1, sensitivity=ratio).bound == pytest.approx(wanted, rel=1e-6, abs=1e-11)


@settings(max_examples=40, deadline=None)
@given(st.floats(1e-4, 200), st.floats(1e-12, 1 - 1e-9), SENSITIVITIES)
def test_the_calibration_solves_the_profile(epsilon, delta, sensitivity):
    """Would catch a bracket without the root, far from the usual epsilon and delta as well."""
    value = GAUSSIAN_CALIBRATION.at(epsilon=epsilon, delta=delta, sensitivity=sensitivity)
    enough = GAUSSIAN_PROFILE.at(epsilon=epsilon, sigma=math.nextafter(value.high, math.inf), sensitivity=sensitivity)
    short = GAUSSIAN_PROFILE.at(epsilon=epsilon, sigma=math.nextafter(value.low, 0), sensitivity=sensitivity)
    assert enough.low < delta < short.high or enough.low <= delta <= short.high
