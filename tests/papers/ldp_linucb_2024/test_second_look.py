"""What is found about locally private LinUCB (2024), looked at a second time by other means: drawn rounds, integrals, other formulas."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from banditproof.theory.papers.ldp_linucb_2024 import baselines, combiner, comparisons, experiments, loss, privacy, regret, setting


def test_the_accusation_of_theorem_3_2_by_drawn_messages():
    """Would catch an accusation that only our formula makes: the best event of x = e_1, y = 1 against x = -e_1, y = -1, counted."""
    rng, draws, epsilon, delta = np.random.default_rng(20241), 4_000_000, 10.0, 0.1
    sigma = 2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    event = lambda centre: np.mean(  # noqa: E731
        2 * (centre + sigma * rng.normal(size=draws)) / sigma**2 + 2 * (centre + sigma * rng.normal(size=draws)) / sigma**2 > epsilon
    )
    one, other = event(1.0), event(-1.0)
    exact = privacy.MESSAGE_PROFILE.at(epsilon=10, delta="0.1", injected_sigma=0).bound
    assert exact == pytest.approx(0.9162, abs=1e-4)
    assert one - math.exp(epsilon) * stats.beta.ppf(1 - 1e-9, other * draws + 1, draws) > delta  # other is small: an upper bound on it
    assert privacy.EXPERIMENT_PROFILE.at(epsilon=10, delta="0.1", injected_sigma=0).bound == pytest.approx(0.1843, abs=1e-4)


# --- the minimiser, twice ---------------------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6), injected=st.floats(0.0, 2.0))
def test_the_minimiser_of_the_expected_loss(seed, injected):
    """Would catch an accusation without ground: E l for drawn second moments, minimised by its exact gradient, in three dimensions."""
    rng = np.random.default_rng(seed)
    points, star, sigma = rng.normal(size=(6, 3)) / 3, rng.normal(size=3), 1.5
    moment = points.T @ points / 6
    # E l = E (<x + zeta + eta, theta> - <x, theta*>)^2 - sigma^2 |theta|^2 + constant; its gradient, halved, is affine in theta
    hessian = moment + injected**2 * np.eye(3) + sigma**2 * np.eye(3) - sigma**2 * np.eye(3)
    minimiser = np.linalg.solve(hessian, moment @ star)
    values, vectors = np.linalg.eigh(moment)
    proportions = (vectors.T @ minimiser) / (vectors.T @ star)
    stated = [loss.MINIMISER_COMPONENT.function()(curvature=max(value, 0.0), injected_sigma=injected) for value in values]
    assert proportions == pytest.approx(np.array(stated, dtype=float), rel=1e-6, abs=1e-9)


def test_the_minimiser_by_drawn_losses():
    """And by drawn rounds: least squares with the regulariser taken off ends at lambda/(lambda + Delta^2) theta*, not at theta*."""
    rng, rounds, sigma, injected = np.random.default_rng(11), 2_000_000, 1.0, 0.7
    x = np.where(rng.random(rounds) < 0.5, 1.0, -1.0) * 0.8
    noisy = x + injected * rng.normal(size=rounds) + sigma * rng.normal(size=rounds)
    response = x * 1.0 + sigma * rng.normal(size=rounds)
    minimiser = np.mean(noisy * response) / (np.mean(noisy**2) - sigma**2)
    stated = loss.MINIMISER_COMPONENT.at(curvature="0.64", injected_sigma="0.7").bound
    assert stated == pytest.approx(0.64 / 1.13)
    assert abs(minimiser - stated) < 0.02 < 1 - stated


def test_the_path_of_a_learner_with_injected_noise():
    """Would catch a path that is short after all: gradient descent with steps 1/(mu t), lambda_min = 0, Delta = 1, stays away from D."""
    rng, runs, injected, sigma = np.random.default_rng(3), 400, 1.0, 1.0
    theta, path = np.zeros(runs), np.zeros(runs)
    horizons, found = (1000, 4000), []
    for t in range(1, max(horizons) + 1):
        path += (theta - 1.0) ** 2
        noisy = injected * rng.normal(size=runs) + sigma * rng.normal(size=runs)  # the action is 0
        gradient = 2 * noisy * (noisy * theta - sigma * rng.normal(size=runs)) - 2 * sigma**2 * theta
        theta = np.clip(theta - gradient / (2 * injected**2 * t), -1, 1)
        if t in horizons:
            found.append(path.mean() / t)
    assert found[1] > 0.9 and found[1] > found[0] - 0.01  # of the order T; the lemma says log T
    floor = regret.PATH_FLOOR.at(horizon=10**12, failure="1/20", clipping=4, parameter_norm=1, curvature=0, injected_sigma=1).bound
    assert floor == pytest.approx(10**12 / 2, rel=1e-3)


# --- other accusations, by other means --------------------------------------------------------------------------------------------------


def test_the_index_after_one_round_by_drawn_rewards():
    sigma, draws = privacy.NOISE_SCALE.at(epsilon=1, delta="0.1").bound, 1_000_000
    low = np.mean(0.3 + sigma * np.random.default_rng(2).normal(size=draws) + 1.0 < 0.3)
    assert low == pytest.approx(combiner.INDEX_MISSES.at(sigma=sigma).bound, abs=0.003)
    assert low == pytest.approx(0.412, abs=0.003) and low > 3 * 0.01


def test_targets_at_the_horizon_of_the_experiment():
    known = {"horizon": 20000, "dimension": 5, "failure": "1/20000", "learners": 3}
    for epsilon, first, other in (("1/5", 84, 154), ("1", 37, 32), ("10", 28, 15)):
        assert combiner.FIRST_TARGET.at(**known, epsilon=epsilon).bound / 20000 == pytest.approx(first, abs=0.6)
        assert combiner.OTHER_TARGET.at(**known, epsilon=epsilon, positive_curvature="1/5").bound / 20000 == pytest.approx(other, abs=0.6)


def test_lengths_of_gaussian_actions():
    for dimension, sigma, stated in ((2, 1.0, math.exp(-1 / 2)), (2, 1 / 3, math.exp(-9 / 2))):
        assert stats.chi2.sf(1 / sigma**2, dimension) == pytest.approx(stated)
        drawn = np.linalg.norm(sigma * np.random.default_rng(4).normal(size=(200_000, dimension)), axis=1)
        assert np.mean(drawn > 1) == pytest.approx(stated, abs=0.005)


def test_where_the_first_case_is_above_the_second():
    """Powers of T for epsilon = T^(-1/6), lambda_min = T^(-1/8): 11/12 against 5/6 and 7/8; at a fixed epsilon 3/4 against 5/6."""
    for power in (48, 96, 192):
        rounds, epsilon = 10.0**power, 10.0 ** (-power / 6)
        first, second = rounds**0.75 / epsilon, rounds ** (5 / 6) + rounds ** (17 / 24) / epsilon
        assert first / second == pytest.approx(10 ** (power / 24), rel=0.1) and first < rounds
        assert rounds**0.75 < rounds ** (5 / 6)


def test_conditional_sums_of_the_removal_test():
    """Looked at, and no finding: the test's sum of running means less rewards has variance about n, which the radius is for."""
    for rounds in (10, 100, 1000):
        later = np.array([sum(1 / (tau - 1) for tau in range(s + 1, rounds + 1)) for s in range(1, rounds + 1)])
        assert np.sum((later - 1) ** 2) <= 1.2 * rounds


def test_curvature_of_the_experiment():
    """1/8 for uniform play, 0.000427 for the best of 100 arms, 0 for one set of arms; the thresholds at T = 20000."""
    assert loss.EXPERIMENT_MOMENT.at(dimension=5).bound == 0.125
    assert experiments.PLAYED_CURVATURE.at(dimension=5).bound == 0
    assert setting.CURVATURE_CEILING.at(dimension=5).bound == pytest.approx(0.2)
    density = lambda z: 2 / math.pi * math.sqrt(1 - z * z)  # noqa: E731
    below = lambda z: 0.5 + (z * math.sqrt(1 - z * z) + math.asin(z)) / math.pi  # noqa: E731
    one, two = (integrate.quad(lambda z, p=p: z**p * 100 * below(z) ** 99 * density(z), -1, 1, limit=200)[0] for p in (1, 2))
    assert np.linalg.eigvalsh(np.array([[two, one], [one, 1.0]]) / 2)[0] == pytest.approx(0.000427, abs=1e-6)
    assert (1 - two) / 6 > 0.018  # the other three directions
    rng = np.random.default_rng(7)
    arms = rng.normal(size=(20_000, 100, 4))
    arms /= np.linalg.norm(arms, axis=2, keepdims=True)
    best = arms[np.arange(20_000), arms[:, :, 0].argmax(axis=1)]
    played = np.concatenate([best, np.ones((20_000, 1))], axis=1) / math.sqrt(2)
    assert np.linalg.eigvalsh(played.T @ played / 20_000)[0] == pytest.approx(0.000427, rel=0.05)
    for exponent, rounds in ((4, 625), (8, 390_625), (10, 9_765_625)):
        assert comparisons.ROUNDS_FOR_BRANCH.at(dimension=5, exponent=exponent).bound == rounds
    assert 20000 ** (-1 / 4) < 1 / 5 < 20000 ** (-1 / 8) < 20000 ** (-1 / 10)


def test_the_local_method_of_the_script_by_drawn_messages():
    """x = (u, 1), x' = (-u, 1), y = y' = 1: the exact level sqrt(12)/s, by the log ratio of drawn noisy Gram matrices and sums."""
    s, rng, draws = 1.5, np.random.default_rng(9), 200_000
    one, other = np.array([1.0, 1.0]), np.array([-1.0, 1.0])
    change = np.outer(one, one) - np.outer(other, other)
    noise = rng.normal(size=(draws, 2, 2)) * s
    noise = (noise + noise.transpose(0, 2, 1)) / 2  # variance s^2 on the diagonal, s^2/2 beside it
    variances = np.array([[s**2, s**2 / 2], [s**2 / 2, s**2]])
    upper = np.triu(np.ones((2, 2)))
    loss_of_gram = np.sum(upper * (noise * change + change**2 / 2) / variances, axis=(1, 2))
    sums = rng.normal(size=(draws, 2)) * s
    loss_of_sums = (sums @ (one - other) + np.sum((one - other) ** 2) / 2) / s**2
    level = baselines.LOCAL_SCRIPT_LEVEL.at(baseline_sigma="1.5").bound
    assert np.mean(loss_of_gram + loss_of_sums) == pytest.approx(level**2 / 2, rel=0.02)
    assert np.var(loss_of_gram + loss_of_sums) == pytest.approx(level**2, rel=0.02)
    stated = baselines.LOCAL_SCRIPT_PROFILE.at(epsilon=1, delta="0.1").bound
    level = math.sqrt(12 / math.log(25))
    assert stated == pytest.approx(stats.norm.cdf(level / 2 - 1 / level) - math.e * stats.norm.cdf(-level / 2 - 1 / level), rel=1e-9)
    assert stated == pytest.approx(0.485, abs=2e-3)
