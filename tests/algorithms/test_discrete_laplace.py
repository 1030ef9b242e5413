"""Discrete Laplace noise from OpenDP."""

import math

import numpy as np
import pytest

from banditproof.algorithms.mechanisms.discrete_laplace import DiscreteLaplace

RNG = np.random.default_rng(0)  # not used by the mechanism


@pytest.mark.parametrize(("epsilon", "sensitivity"), [(0.3, 1), (1.0, 1), (1.1, 3)])
def test_release_has_the_stated_probabilities(room, epsilon, sensitivity):
    """Would catch a scale without the sensitivity, and rounded continuous noise, whose mass at 0 is another."""
    runs, base = 60_000, math.exp(-epsilon / sensitivity)
    noise = DiscreteLaplace(epsilon, sensitivity, 2).release([5.0, -7.0], runs, RNG) - np.array([5.0, -7.0])
    assert np.array_equal(noise, np.round(noise))
    for value in (-1.0, 0.0, 1.0, 2.0):
        probability = (1 - base) / (1 + base) * base ** abs(value)
        room.assert_rate(int(np.count_nonzero(noise == value)), noise.size, probability, detects=0.016)


def test_it_says_that_it_cannot_be_seeded():
    assert not DiscreteLaplace.seedable


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: DiscreteLaplace(0.0), r"epsilon = 0.0: must be > 0"),
        (lambda: DiscreteLaplace(1.0, 0), r"sensitivity = 0: must be an integer >= 1"),
        (lambda: DiscreteLaplace(1.0, 1.5), r"sensitivity = 1.5: must be an integer >= 1"),
        (lambda: DiscreteLaplace(1.0, 1, 0), r"width = 0: must be an integer >= 1"),
        (lambda: DiscreteLaplace(1.0).release([0.5], 1, RNG), r"number = 0.5: must be a whole number"),
        (lambda: DiscreteLaplace(1.0).release([math.nan], 1, RNG), r"number = nan: must be a whole number"),
        (lambda: DiscreteLaplace(1.0).release([1e300], 1, RNG), r"number = 1e\+300: must be a whole number, at most 2\^53"),
        (lambda: DiscreteLaplace(1.0).release([1.0, 2.0], 1, RNG), r"data of shape \(2,\): must be \(1,\)"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
