"""The plain versions that others are compared with compute what they say."""

import numpy as np
import pytest

from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.protocol import Plan
from benchmarks.plain import bernoulli_elimination, drawn_lin_ucb, local_lin_ucb, tree_ucb

ROUNDS, SEED = 300, 17


def _by_solving(vectors, rounds: int, radius: float, rng: np.random.Generator) -> float:
    """LinUCB on fixed arms, everything computed afresh in each round."""
    gram, total, regret, means = np.eye(vectors.shape[1]), np.zeros(vectors.shape[1]), 0.0, vectors[:, 0]
    for _ in range(rounds):
        inverse = np.linalg.inv(gram)
        arm = int((vectors @ (inverse @ total) + radius * np.sqrt(np.diag(vectors @ inverse @ vectors.T))).argmax())
        reward = 1.0 if rng.random() < (1.0 + means[arm]) / 2.0 else -1.0
        gram += np.outer(vectors[arm], vectors[arm])
        total += reward * vectors[arm]
        regret += means.max() - means[arm]
    return float(regret)


def test_updated_scores_are_those_computed_afresh() -> None:
    """Would catch a rank-one update with a wrong sign or factor: the baseline would play other arms."""
    vectors = drawn_lin_ucb.unit_vectors(7, 3, np.random.default_rng(SEED))
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0)
    fixed = drawn_lin_ucb.fixed_run(vectors, ROUNDS, 1.0, np.random.default_rng(SEED))
    assert fixed == pytest.approx(_by_solving(vectors, ROUNDS, 1.0, np.random.default_rng(SEED)), rel=1e-9)


def test_without_noise_the_private_loop_is_the_other_one() -> None:
    """Nodes of zeros and a shift of 1. Would catch sums that the noise replaces, and an inverse of another matrix."""
    private = drawn_lin_ucb.private_run(7, 3, ROUNDS, lambda _: np.zeros((4, 4)), 1.0, 0.5, np.random.default_rng(SEED))
    ridge = drawn_lin_ucb.fresh_run(7, 3, ROUNDS, 0.5, np.random.default_rng(SEED))
    assert private == pytest.approx(ridge, rel=1e-9)


def test_nodes() -> None:
    """Means of 4,000 draws: zero for Gaussian noise, degrees times scale^2 times the identity for Wishart's (standard errors below 1.2)."""
    rng = np.random.default_rng(SEED)
    gaussian = np.mean([drawn_lin_ucb.gaussian_node(2, 3.0)(rng) for _ in range(4000)], axis=0)
    wishart = np.mean([drawn_lin_ucb.wishart_node(2, 20, 2.0)(rng) for _ in range(4000)], axis=0)
    assert np.abs(gaussian).max() < 0.5
    assert np.abs(wishart - 80.0 * np.eye(3)).max() < 3.0


def test_elimination_and_tree() -> None:
    """Would catch a loop that returns early: all rounds are played, most of them of the best arm where the noise is small."""
    assert bernoulli_elimination.by_round([0.9, 0.1], 50_000, 1.0, np.random.default_rng(SEED)) > 30_000
    arms = tree_ucb.run([[0.0, 1.0]] * 400, 1e6, np.random.default_rng(SEED))
    assert len(arms) == 400
    assert arms.count(1) > 300


def test_the_plain_learner_plays_the_points_of_the_shipped_one() -> None:
    """Gradients that push points out of the ball. Would catch a baseline that does less work: an expert left out, a projection skipped."""
    gradients = np.random.default_rng(SEED).normal(size=(ROUNDS, 3)) + 0.7
    gradients *= 2.0 / np.linalg.norm(gradients, axis=1, keepdims=True)
    plain, shipped = local_lin_ucb.Maler(3, 20_000, 2.0), Maler().start(Plan(3, 20_000, 1.0, 2.0))
    for gradient in gradients:
        plain.hear(gradient)
        Maler().update(shipped, gradient)
        assert plain.point == pytest.approx(Maler().predict(shipped), rel=1e-7, abs=1e-9)


def test_the_plain_local_learner_plays_all_rounds() -> None:
    """With hardly any noise it finds the direction: the regret of 2,000 rounds is below a fifth of that of uniform play (about 1,500)."""
    assert local_lin_ucb.run(5, 2, 2_000, 1e-3, 30.0, 1.0, np.random.default_rng(SEED)) < 300.0
