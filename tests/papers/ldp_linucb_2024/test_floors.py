"""The regrets and paths from below that findings on locally private LinUCB (2024) depend on, looked at by runs written out here."""

import math

import numpy as np
import pytest

from banditproof.theory.papers.ldp_linucb_2024 import floors, loss


def weak_direction(horizon, sigma, bonus, seed):
    """Algorithm 1 with gradient steps 1/(mu t), in two features: e_1, or (s/2) e_1 beside s e_2; the regret, and plays of s e_2."""
    rng = np.random.default_rng(seed)
    injected, s, q = horizon**-0.25, horizon**-0.125 / 2, 1 / math.sqrt(2)
    noise = math.sqrt(sigma**2 + injected) * rng.normal(size=(horizon, 2))
    response, chance, contexts = sigma * rng.normal(size=horizon), rng.random(horizon), rng.random(horizon) < 0.5
    theta, matrix, sums = np.zeros(2), np.eye(2), np.zeros(2)
    cost, plays = 0.0, 0
    for t in range(horizon):
        x = np.array([1.0, 0.0])
        if contexts[t]:
            inverse = np.linalg.inv(matrix)
            centre = inverse @ sums
            one = s / 2 * (centre[0] + bonus * math.sqrt(inverse[0, 0]))
            two = s * (centre[1] + bonus * math.sqrt(inverse[1, 1]))
            x = np.array([s / 2, 0.0]) if one >= two else np.array([0.0, s])
            cost += q * s / 2 if one >= two else 0.0
            plays += one < two
        reward = 1.0 if chance[t] < (1 + q * x.sum()) / 2 else -1.0
        noisy = x + noise[t]
        residual = noisy @ theta - reward - response[t]
        gradient = 2 * noisy * residual - 2 * sigma**2 * theta
        matrix += np.outer(noisy, noisy)
        sums += (noisy @ theta) * noisy
        theta = theta - gradient / (2 * injected * (t + 1))
        theta /= max(1.0, np.linalg.norm(theta))
    return cost, plays


@pytest.mark.parametrize("bonus", [0.0, 1.0])
def test_a_weak_direction_is_not_played(bonus):
    """Would catch a floor that the algorithm stays below: the regret is near T^(7/8)/(8 sqrt(2)), where s e_2 is never played."""
    for seed in range(3):
        cost, plays = weak_direction(20000, 0.3, bonus, seed)
        floor = floors.WEAK_DIRECTION.at(horizon=20000).bound
        assert floor == pytest.approx(20000 ** (7 / 8) / (16 * math.sqrt(2)))
        assert floor < cost < 2.2 * floor
        assert plays < 200


def test_wide_sets_explore_to_the_end():
    """Would catch a floor of T/2 that needs large hidden constants: 10^-6 of the printed K_T is enough at epsilon = 1/10, T = 10^4."""
    rng, horizon, epsilon, delta = np.random.default_rng(5), 10**4, 0.1, 0.1
    sigma = 2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    known = {"horizon": horizon, "failure": "1/10000", "injected_sigma": 0, "parameter_norm": 1, "clipping_constant": 1}
    length = loss.CLIPPING_LENGTH.at(sigma=repr(sigma), **known).bound
    term = (length / 0.25) ** 2 + length / 0.25
    width = 1e-6 * math.log(1 / delta) / epsilon**2 * term * math.log(horizon) ** 2
    theta, gram, sums, mistakes = 0.0, 1.0, 0.0, 0
    for t in range(horizon):
        longer = sums / gram + math.sqrt(width / gram) > 0
        mistakes += longer
        x = 1.0 if longer else 0.5
        noisy, response = x + sigma * rng.normal(), -x + sigma * rng.normal()
        gradient = 2 * noisy * (noisy * theta - response) - 2 * sigma**2 * theta
        gram += noisy**2
        sums += theta * noisy**2
        theta = max(-1.0, min(1.0, theta - max(-length, min(length, gradient)) / (0.5 * (t + 1))))
    assert mistakes / 2 == floors.EXPLORING_ROUNDS.at(horizon=horizon).bound


def test_a_good_learner_has_the_path_that_is_said_to_be_needed():
    """Would catch a floor on the path that some learner undercuts: least squares on E[x | x~], with the true variances."""
    dimension, sigma, runs = 10, 1.0, 60
    horizon, variance = dimension**3, 1 / (2 * dimension)
    shrink = variance / (variance + sigma**2)
    paths = []
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        star = math.sqrt(variance) * rng.normal(size=dimension)
        centre, spread, path = np.zeros(dimension), variance * np.eye(dimension), 0.0
        for _ in range(horizon):
            path += float((centre - star) @ (centre - star))
            x = math.sqrt(variance) * rng.normal(size=dimension)
            row = shrink * (x + sigma * rng.normal(size=dimension))
            gain = spread @ row
            weight = gain / (row @ gain + sigma**2 + variance * (1 - shrink) / 2)
            centre = centre + weight * (x @ star + sigma * rng.normal() - row @ centre)
            spread = spread - np.outer(weight, gain)
        paths.append(path)
    floor = floors.PATH_OF_ANY_LEARNER.at(horizon=horizon).bound
    assert floor == 2 * horizon / 5
    assert floor < np.mean(paths) - 3 * np.std(paths) / math.sqrt(runs)
    assert np.mean(paths) < 1.35 * floor  # and it is not far from what is possible: 0.47 T and terms of lower order in d
