"""The environment of Figure 1: lengths, means, and which arms stay."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise, Rule
from banditproof.interaction import Pipeline, Wire
from banditproof.kernels import plain
from banditproof.randomness import key_of
from banditproof.simulation import play

SEEDS = st.integers(0, 2**32)


def presented(environment: UnitFeatures, seed: int, round: int, run: int = 0) -> tuple[np.ndarray, np.ndarray, int]:
    contexts, means = np.zeros((environment.arms, environment.dimension)), np.zeros(environment.arms)
    key = np.array([*key_of(seed), run], dtype=np.uint64)
    changes = plain(environment.present)(environment.setup(), np.zeros(0), key, round, contexts, means)
    return contexts, means, changes


@given(
    width=st.integers(2, 7),
    arm_set=st.sampled_from(ArmSet),
    basis=st.booleans(),
    norm=st.sampled_from([1.0, math.sqrt(2.0), 0.3]),
    round=st.integers(0, 10**6),
    run=st.integers(0, 9),
    seed=SEEDS,
)
def test_features_and_means(width, arm_set, basis, norm, round, run, seed):
    """Would catch a length, a mean that is not <x, theta*>, arms of another round, and basis arms that are others."""
    environment = UnitFeatures(width, 9, arm_set, basis, norm)
    contexts, means, changes = presented(environment, seed, round, run)
    truth = environment.parameter(key_of(seed), run)
    assert np.linalg.norm(truth) == pytest.approx(1 / norm) and truth[-1] == pytest.approx(1 / (norm * math.sqrt(2)))
    assert means == pytest.approx(np.clip(contexts @ truth, 0, 1), abs=1e-12)
    assert contexts[:, -1] == pytest.approx(norm / math.sqrt(2))
    drawn = contexts[width if basis else 0 :]
    assert np.linalg.norm(drawn, axis=1) == pytest.approx(norm)
    assert means[width if basis else 0 :] == pytest.approx((1 + np.clip(2 * drawn[:, :-1] @ truth[:-1], -1, 1)) / 2)
    if basis:
        expected = np.eye(width) + np.eye(width)[-1]
        expected[-1] = np.eye(width)[-1]
        assert contexts[:width] == pytest.approx(expected * norm / math.sqrt(2))
    again, _, _ = presented(environment, seed, round + 1, run)
    assert np.array_equal(again, contexts) == (arm_set is ArmSet.FIXED or (basis and width >= 9))
    assert changes == round + 1 if arm_set is ArmSet.REDRAWN else changes > 10**9


@given(seed=SEEDS, direction=st.sampled_from([(3.0, 4.0), (0.0, -1.0), (1e-200, 0.0), (1e-160, 1e-160), (-1e170, 1e169)]))
def test_given_direction(seed, direction):
    """Would catch a parameter that is drawn although it was given, or not normalised."""
    truth = UnitFeatures(3, 4, direction=direction).parameter(key_of(seed))
    assert truth == pytest.approx([*np.array(direction) / math.hypot(*direction) / math.sqrt(2), 1 / math.sqrt(2)])


def test_directions_are_uniform():
    """Would catch directions of a cube: in R^4 a coordinate z of a uniform direction has (1 + z) / 2 of Beta(3/2, 3/2), in every round and
    in theta* over runs. Kolmogorov and Smirnov at 1e-6 over 40,000 numbers each: sees a distribution function off by 0.018."""
    environment = UnitFeatures(5, 100, ArmSet.REDRAWN)
    drawn = np.concatenate([presented(environment, 8, round)[0][:, :4] for round in range(400)]) * math.sqrt(2)
    parameters = np.array([environment.parameter(key_of(9), run)[:4] for run in range(40_000)]) * math.sqrt(2)
    for column in (*drawn.T, *parameters.T):
        assert stats.kstest((1 + column) / 2, stats.beta(1.5, 1.5).cdf).pvalue > 1e-6
    assert np.abs(np.corrcoef(drawn[:-1].T, drawn[1:].T)[np.triu_indices(8, 1)]).max() < 6 / math.sqrt(40_000)


def test_rewards_are_bernoulli_of_the_mean(room, seed):
    """Would catch a reward of another arm, or a mean that is not paid."""
    environment, rounds = UnitFeatures(5, 4), 40_000
    run = play(
        Pipeline(LinUCB(Noise.NONE, rule=Rule.UNIFORM), environment), horizon=rounds, key=key_of(seed), record=(Wire.ARMS, Wire.REWARDS)
    )
    means = presented(environment, seed, 0)[1]
    for arm in range(4):
        paid = run.wire(Wire.REWARDS)[run.wire(Wire.ARMS) == arm]
        assert set(np.unique(paid)) <= {0.0, 1.0}
        room.assert_rate(int(paid.sum()), paid.size, float(means[arm]), detects=0.06)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"dimension": 1}, "dimension = 1: must be an integer >= 2"),
        ({"arms": 4, "basis": True}, "arms = 4: must be >= 5"),
        ({"feature_norm": 0.0}, r"feature_norm = 0.0: must be > 0"),
        ({"feature_norm": 1e-309}, r"feature_norm = 1e-309: must be > 0 and finite, and so its inverse"),
        ({"direction": (0.0,) * 4}, "must be 4 finite numbers, not all 0"),
    ],
)
def test_what_does_not_fit_is_refused(values, message):
    """Would catch an environment without arms, or with a direction of no length."""
    with pytest.raises(ValueError, match=message):
        UnitFeatures(**values)
