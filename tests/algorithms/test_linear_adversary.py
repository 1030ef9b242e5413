"""The adversary of linear models: what it replaces, by what, and that no other replacement moves least squares further."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.environments.linear_adversary import Attack, LinearAdversary, Positions
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.interaction import NoShuffling, Pipeline, Wire
from banditproof.kernels import plain
from banditproof.randomness import key_of
from banditproof.simulation import play

SEEDS = st.integers(0, 2**32)


def attacked(adversary: LinearAdversary, arms: np.ndarray, vectors: np.ndarray, reports: np.ndarray, run: int = 0) -> np.ndarray:
    changed, key = reports.reshape(-1, 1, 1).copy(), np.array([1, 2, run], dtype=np.uint64)
    plain(adversary.kernel)(adversary.setup(), adversary.memory(), 0, key, arms, vectors, changed)
    return changed[:, 0, 0]


@given(seed=SEEDS, users=st.integers(3, 30), fraction=st.floats(0.0, 1.0), size=st.floats(0.1, 5.0))
def test_no_other_replacement_moves_least_squares_further(seed, users, fraction, size):
    """Against 20 random replacements of as many reports by numbers up to `size`. Would catch a sign, a Gram matrix of other arms, and a
    choice by the size alone."""
    rng = np.random.default_rng(seed)
    vectors, direction, reports = rng.normal(size=(4, 2)), rng.normal(size=2), rng.uniform(-1, 1, users)
    arms = np.concatenate([[0, 1, 2], rng.integers(0, 4, users - 3)])
    adversary = LinearAdversary(fraction, tuple(direction), size, Positions.WORST)
    changed = attacked(adversary, arms, vectors, reports)
    number = int(fraction * users + 1e-9)
    assert (changed != reports).sum() <= number

    def moved(values):
        return (direction @ np.linalg.lstsq(vectors[arms], values - reports, rcond=None)[0]) / np.linalg.norm(direction)

    for _ in range(20):
        other = reports.copy()
        other[rng.permutation(users)[:number]] = rng.uniform(-size, size, number)
        assert moved(other) <= moved(changed) + 1e-6 * (1 + abs(moved(changed)))


@given(seed=SEEDS, positions=st.sampled_from(Positions))
def test_imitation_is_another_parameter(seed, positions):
    """All reports replaced: least squares then is size * u exactly. Would catch a direction that is not scaled."""
    rng = np.random.default_rng(seed)
    vectors, direction, arms = rng.normal(size=(5, 3)), rng.normal(size=3), np.arange(5)
    adversary = LinearAdversary(1.0, tuple(direction), 2.0, positions, Attack.IMITATE)
    changed = attacked(adversary, arms, vectors, rng.normal(size=5))
    assert changed == pytest.approx(vectors @ (2.0 * direction / np.linalg.norm(direction)))


def test_random_positions_have_their_rate_and_silence_stays(room):
    """Would catch a fixed number of replacements, one draw per batch, and a user who sends nothing and is heard."""
    vectors, arms, reports = np.eye(2), np.arange(2000) % 2, np.where(np.arange(2000) % 4 == 0, np.nan, 0.5)
    changed = np.array([attacked(LinearAdversary(0.3, (1.0, 0.0), 7.0), arms, vectors, reports, run) for run in range(20)])
    assert np.isnan(changed[:, ::4]).all()
    heard = changed[:, np.arange(2000) % 4 != 0]
    assert set(heard.ravel()) == {0.5, 7.0}
    room.assert_rate(int((heard == 7.0).sum()), heard.size, 0.3, detects=0.05)
    assert np.unique((heard == 7.0).sum(axis=1)).size > 1
    worst = attacked(LinearAdversary(0.3, (1.0, 0.0), 7.0, Positions.WORST), arms, vectors, reports)
    assert (worst == 7.0).sum() == 450  # of the 1500 that were sent


@pytest.mark.parametrize("environment", [FixedLinear(((1.0, 0.0), (0.0, 1.0)), (0.5, 0.5)), Bernoulli((0.5, 0.5))])
def test_it_sees_the_arms_of_the_run(environment):
    """Along (1, -1) arm 0 is pushed up and arm 1 down. Would catch contexts that do not reach a corruption of a batch; and, without
    contexts, arms that are not the unit vectors."""
    adversary = LinearAdversary(1.0, (1.0, -1.0), 3.0)
    pipeline = Pipeline(UCB1(), environment, corruption=adversary, shuffler=NoShuffling(5))
    run = play(pipeline, horizon=40, key=key_of(1), record=(Wire.ARMS, Wire.RECEIVED))
    arms, received = run.wire(Wire.ARMS), run.wire(Wire.RECEIVED)[:, 0]
    for start in range(0, 40, 5):
        batch = slice(start, start + 5)
        if set(arms[batch]) == {0, 1}:  # else M has one direction, and the other arm has no influence
            assert np.array_equal(received[batch], np.where(arms[batch] == 0, 3.0, -3.0))
    assert len({*arms}) == 2


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: LinearAdversary(1.5, (1.0,)), r"corruption = 1.5: must be >= 0 and <= 1"),
        (lambda: LinearAdversary(0.5, (0.0, 0.0)), r"direction = \(0.0, 0.0\): must be finite numbers, not all 0"),
        (lambda: LinearAdversary(0.5, (1.0,), math.inf), r"size = inf: must be >= 0 and finite"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
