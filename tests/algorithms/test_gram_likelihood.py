"""Densities of released nodes against SciPy, and the draws of the policy's kernels against the distributions of both noises."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.likelihood import held_nodes, log_ratios, node_noise, ratios
from banditproof.algorithms.mechanisms.gram.noise import Calibration, NodeNoise
from banditproof.algorithms.mechanisms.gram.wishart import WishartGram
from banditproof.kernels import plain
from banditproof.randomness import key_of

SEEDS = st.integers(0, 2**32)


def lower(matrices):
    """Packed lower triangles of (n, p, p), without the corner."""
    rows, columns = np.tril_indices(matrices.shape[1])
    return matrices[:, rows, columns][:, :-1]


@settings(max_examples=40)
@given(dimension=st.integers(1, 4), more=st.integers(2, 30), norm=st.floats(0.5, 2.0), seed=SEEDS)
def test_wishart_ratios_are_those_of_scipy(dimension, more, norm, seed):
    """Would catch the corner's part left in, and a row that moves the block alone: the block is Wishart, the column normal given it."""
    rng, degrees = np.random.default_rng(seed), dimension + 1 + more
    rows = rng.normal(size=(2, dimension + 1))
    rows *= norm / np.linalg.norm(rows, axis=1, keepdims=True)
    noise = norm**2 * stats.wishart(degrees, np.eye(dimension + 1)).rvs(5, random_state=rng).reshape(5, dimension + 1, dimension + 1)
    released = noise + np.outer(rows[0], rows[0])

    def log_density(matrix, row):
        moved = matrix - np.outer(row, row)
        block, column = moved[:-1, :-1], moved[-1, :-1]
        if np.linalg.eigvalsh(block)[0] <= 0.0:
            return -math.inf
        of_block = stats.wishart(degrees, norm**2 * np.eye(dimension)).logpdf(block)
        return of_block + stats.multivariate_normal(np.zeros(dimension), norm**2 * block).logpdf(column)

    expected = [log_density(matrix, rows[1]) - log_density(matrix, rows[0]) for matrix in released]
    found = log_ratios(lower(released)[:, None], rows, NodeNoise(degrees=float(degrees), scale=norm**2))
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


@given(dimension=st.integers(1, 4), sigma=st.floats(0.5, 9.0), nodes=st.integers(1, 4), seed=SEEDS)
def test_gaussian_ratios_are_sums_over_entries(dimension, sigma, nodes, seed):
    """Would catch the doubled variance in another place, and a node left out."""
    rng = np.random.default_rng(seed)
    rows, released = rng.normal(size=(2, dimension + 1)), rng.normal(size=(3 * nodes, dimension + 1, dimension + 1))
    row, column = np.tril_indices(dimension + 1)
    scale = sigma * np.where(row == column, math.sqrt(2.0), 1.0)[:-1]
    truths = [lower(np.outer(each, each)[None])[0] for each in rows]
    logs = [stats.norm.logpdf(lower(released), truth, scale).sum(axis=1).reshape(3, nodes).sum(axis=1) for truth in truths]
    found = log_ratios(lower(released).reshape(3, nodes, -1), rows, NodeNoise(sigma))
    assert found == pytest.approx(logs[1] - logs[0], rel=1e-9, abs=1e-9)


def test_an_impossible_row_is_distinguished_with_probability_one():
    """Would catch an infinite loss that is counted as none: the release leaves less than the row would have put in."""
    rows = np.array([[0.0, 0.0], [1.0, 0.0]])
    noise = NodeNoise(degrees=9.0, scale=1.0)
    assert log_ratios(np.array([[[0.5, 0.0]]]), rows, noise)[0] == -math.inf
    assert log_ratios(np.array([[[0.5, 0.0]]]), rows[::-1].copy(), noise)[0] == math.inf


@pytest.mark.parametrize("kind", [GaussianGram, WishartGram])
def test_the_ratio_of_many_nodes_is_almost_normal(kind, room, seed):
    """Would catch nodes that share their noise, a row that is in some nodes only, and a loss that the accounting does not know.

    With 26 nodes and small levels the loss is close to N(mu^2 / 2, mu^2) under the row that was drawn, mu as `test_gram_loss` has it.
    """
    gram, runs = kind(0.3, 1e-5, 50_000_000, 3, calibration=Calibration.EXACT), 20_000
    rows = np.zeros((2, 4))
    rows[0, 0] = rows[1, 1] = gram.row_norm
    noise = node_noise(gram)
    mu = math.sqrt(26.0) * (gram.row_norm**2 / noise.sigma if noise.sigma > 0.0 else 1.0 / math.sqrt(noise.degrees - 3.0))
    for side, mean in ((0, -mu * mu / 2.0), (1, mu * mu / 2.0)):
        found = log_ratios(held_nodes(gram, rows, side, 26, runs, key_of(seed, side)), rows, noise)
        for rate in (0.05, 0.3, 0.7, 0.95):
            below = int(np.count_nonzero(found <= mean + mu * stats.norm.ppf(rate)))
            room.assert_rate(below, runs, rate, detects=0.04)


@pytest.mark.parametrize("kind", [GaussianGram, WishartGram])
def test_compiled_and_plain_are_alike(kind):
    """Would catch a rounding that differs between the modes."""
    gram = kind(1.0, 0.1, 9, 2)
    rows = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, -0.5]])
    released = held_nodes(gram, rows, 1, 3, 4, key_of(3))
    found = np.zeros((2, 4))
    for place, kernel in enumerate((ratios, plain(ratios))):
        kernel(released, rows, node_noise(gram), np.zeros((3, 2)), found[place])
    assert np.array_equal(found[0], found[1])
