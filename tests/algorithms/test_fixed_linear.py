"""The fixed linear problem: its rewards are <arm, theta> plus the noise that it names."""

import math

import numpy as np
import pytest
from scipy import stats

from banditproof.algorithms.environments.fixed_linear import FixedLinear, Noise
from banditproof.kernels import plain

VECTORS, THETA = np.array([[1.0, 0.0], [0.6, 0.8], [-0.5, 0.5]]), np.array([0.5, -0.25])  # means 0.5, 0.1, -0.375


def rewards(environment: FixedLinear, arm: int, rounds: int) -> np.ndarray:
    key, contexts = np.array([1, 2, 3], dtype=np.uint64), environment.table()
    setup, memory = environment.setup(), environment.memory()
    return np.array([plain(environment.reward)(setup, memory, round, key, arm, contexts) for round in range(rounds)])


def test_presents_its_arms_and_means():
    """Would catch a table read across, and a mean of another arm."""
    environment, contexts, means = FixedLinear.of(VECTORS, THETA), np.zeros((3, 2)), np.zeros(3)
    plain(environment.present)(environment.setup(), environment.memory(), np.zeros(3, dtype=np.uint64), 0, contexts, means)
    assert np.array_equal(contexts, VECTORS)
    assert means == pytest.approx([0.5, 0.1, -0.375])
    assert environment.arms == 3 and environment.dimension == 2


def test_noise_is_what_it_names(room):
    """KS at 1e-6 over 20,000 rewards for the Gaussian; exact intervals for coins. Would catch a variance for a deviation, and clipping of
    rewards in place of noise."""
    gaussian = rewards(FixedLinear.of(VECTORS, THETA, standard_deviation=2.0), 1, 20_000)
    assert stats.kstest(gaussian, "norm", args=(0.1, 2.0)).pvalue > 1e-6
    clipped = rewards(FixedLinear.of(VECTORS, THETA, standard_deviation=2.0, bound=0.5), 1, 20_000)
    assert clipped == pytest.approx(np.clip(gaussian - 0.1, -0.5, 0.5) + 0.1, abs=1e-12)
    coins = rewards(FixedLinear.of(VECTORS, THETA, noise=Noise.RADEMACHER, standard_deviation=0.5), 2, 20_000)
    assert np.unique(coins) == pytest.approx([-0.875, 0.125])
    room.assert_rate(int((coins > 0).sum()), 20_000, 0.5, detects=0.05)
    signs = rewards(FixedLinear.of(VECTORS, THETA, noise=Noise.SIGNS), 2, 20_000)
    assert set(signs) == {1.0, -1.0}
    room.assert_rate(int((signs > 0).sum()), 20_000, (1 - 0.375) / 2, detects=0.05)


def test_without_noise_rewards_are_means():
    """Would catch noise that is drawn although its deviation is 0."""
    environment = FixedLinear.of(VECTORS, THETA, standard_deviation=0.0)
    assert np.array_equal(rewards(environment, 1, 5), np.full(5, environment.means()[1]))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: FixedLinear(((1.0,),), (1.0,)), r"1 vectors: must be those of at least 2 arms"),
        (lambda: FixedLinear(((1.0, 2.0), (1.0, 2.0)), (1.0,)), r"vector \(1.0, 2.0\): must have 1 numbers"),
        (lambda: FixedLinear(((), ()), ()), r"theta = \(\): must have at least one number"),
        (lambda: FixedLinear(((math.inf,), (1.0,)), (1.0,)), r"vectors and theta: must be finite numbers"),
        (lambda: FixedLinear.of(VECTORS, THETA, standard_deviation=-1.0), r"standard_deviation = -1.0: must be >= 0 and finite"),
        (lambda: FixedLinear.of(VECTORS, THETA, bound=0.0), r"bound = 0.0: must be > 0"),
        (lambda: FixedLinear.of(VECTORS, 3 * THETA, noise=Noise.SIGNS), r"mean of size 1.5: must be <= 1"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
