"""Learners that play together: each plays the run that it plays alone, whatever the others are and wherever blocks end."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.classification import ClassificationBandit
from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.algorithms.environments.student import Student
from banditproof.algorithms.playing import together
from banditproof.algorithms.playing.together import play_together, rounds_in_turn
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise, Rule, states_together
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.interaction import NoShuffling, Pipeline, Replacement, Table
from banditproof.randomness import key_of
from banditproof.simulation import play

SEEDS, CLASSIFICATION = st.integers(0, 2**32), ClassificationBandit()
NOISES = (Noise.NONE, Noise.GAUSSIAN, Noise.WISHART, Noise.WISHART_UNSHIFTED)


@given(
    noises=st.lists(st.sampled_from(NOISES), min_size=1, max_size=4),
    width=st.integers(2, 5),
    horizon=st.integers(1, 200),
    planned_horizon=st.sampled_from([None, 20, 1000]),
    fewest=st.sampled_from([None, 2]),
    block=st.integers(1, 150),
    nodes=st.integers(1, 25),
    run=st.integers(0, 5),
    seed=SEEDS,
)
def test_each_plays_the_run_that_it_plays_alone(noises, width, horizon, planned_horizon, fewest, block, nodes, run, seed):
    """Would catch sets or noise of another round, of another run or of another learner, at any length of the blocks."""
    environment = Sphere(width, 6, fewest=fewest, rewards=Rewards.GAUSSIAN)
    policies = [LinUCB(noise, planned_horizon=planned_horizon, epsilon=1.0 + place // 2) for place, noise in enumerate(noises)]
    pipelines, marks = [Pipeline(policy, environment) for policy in policies], range(1, horizon + 1)
    states = states_together(policies, 6, width, horizon, nodes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(together, "_MOST_ROUNDS", block)
        found = play_together(pipelines, horizon=horizon, key=key_of(seed), run=run, checkpoints=marks, states=states)
    for pipeline, each in zip(pipelines, found, strict=True):
        alone = play(pipeline, horizon=horizon, key=key_of(seed), run=run, record=(), checkpoints=marks)
        assert each.horizon == horizon and each.regret.tolist() == alone.regret.tolist() and each.checkpoints.tolist() == list(marks)


def test_noise_is_shared_only_between_learners_with_the_same_noise():
    """Would catch one learner's noise given to another whose distribution it is not."""
    policies = [LinUCB(Noise.GAUSSIAN), LinUCB(Noise.WISHART), LinUCB(Noise.WISHART_UNSHIFTED), LinUCB(Noise.GAUSSIAN, epsilon=2.0)]
    states = states_together([*policies, LinUCB(Noise.GAUSSIAN, rho_min=50.0), LinUCB(Noise.NONE)], 4, 3, 100, 32)
    shared = [[one.nodes is other.nodes and one.cached_from is other.cached_from for other in states] for one in states]
    groups = [0, 1, 1, 2, 0, 3]
    assert shared == [[one == other for other in groups] for one in groups]
    assert all(one.padding_noise is not other.padding_noise for one in states for other in states if one is not other)


@given(horizon=st.integers(1, 40), block=st.integers(1, 15), seed=SEEDS, round=st.integers(0, 39))
def test_environments_without_contexts_and_neighbours(horizon, block, seed, round):
    """Would catch means that only the first round of a block has, rewards of another setup, and a replaced round that leaks."""
    rng = np.random.default_rng(seed)
    table = Table(rng.random((40, 3)), contexts=rng.normal(size=(40, 3, 2)))
    distributions = (
        Gaussian((0.3, 0.7), (0.5, 2.0)),
        Pareto((2.5, 3.0), (1.0, 2.0), (0.0, 1.0)),
        Student((0.0, 1.0), (1.0, 2.0), (3.0, 5.0)),
    )
    for environment in (Bernoulli((0.3, 0.7)), table, *distributions, CLASSIFICATION):
        replaced = Replacement(round % horizon, tuple(rng.random(environment.arms).tolist()))
        policy = UCB1() if environment.dimension == 0 else LinUCB(Noise.NONE, rule=Rule.GREEDY)
        pipelines = [Pipeline(policy, environment), Pipeline(policy, environment, replacement=replaced)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(together, "_MOST_ROUNDS", block)
            found = play_together(pipelines, horizon=horizon, key=key_of(seed), checkpoints=range(1, horizon + 1))
        for pipeline, each in zip(pipelines, found, strict=True):
            alone = play(pipeline, horizon=horizon, key=key_of(seed), record=(), checkpoints=range(1, horizon + 1))
            assert each.regret.tolist() == alone.regret.tolist()


def test_learners_with_the_same_noise_draw_their_nodes_once():
    """Would catch a learner that draws its companion's nodes again, in the first block too, and nodes of another run or key."""
    environment, policies = Sphere(3, 4), [LinUCB(Noise.WISHART), LinUCB(Noise.WISHART, rho_min=1e5)]
    states = states_together(policies, 4, 3, 20, 4096)
    assert states[0].nodes.shape[0] == 20
    pipelines = [Pipeline(policy, environment) for policy in policies]
    expected = [play(pipeline, horizon=20, key=key_of(2), record=()).regret.tolist() for pipeline in pipelines]
    first = play_together(pipelines[:1], horizon=20, key=key_of(2), states=states[:1])
    kept = states[0].nodes.copy()
    states[1].nodes[:] += 1e9  # seen by the second only if it takes what is there
    second = play_together(pipelines[1:], horizon=20, key=key_of(2), states=states[1:])
    assert first[0].regret.tolist() == expected[0] and np.array_equal(states[1].nodes, kept + 1e9)
    assert second[0].regret.tolist() != expected[1] or states[1].release[0] > 1e8
    for key, run in ((key_of(2), 1), (key_of(3), 0)):  # another run, another key
        again = play_together(pipelines, horizon=20, key=key, run=run, states=states)
        assert [each.regret.tolist() for each in again] == [
            play(pipeline, horizon=20, key=key, run=run, record=()).regret.tolist() for pipeline in pipelines
        ]


def test_a_block_of_several_rounds_is_large_but_no_larger_than_4_mb():
    assert rounds_in_turn(Sphere()) == 2048
    large = Sphere(64, 4096)
    assert 1 <= rounds_in_turn(large) * 4096 * 65 * 8 <= 2**22
    assert rounds_in_turn(Sphere(64, 10**6)) == 1


def test_what_cannot_be_played_together():
    pair = [Pipeline(LinUCB(), Sphere(3, 4)), Pipeline(LinUCB(), Sphere(3, 4))]
    with pytest.raises(ValueError, match=r"no pipelines: must be at least one"):
        play_together([], horizon=5, key=key_of(1))
    with pytest.raises(ValueError, match=r"environments differ: must be equal"):
        play_together([pair[0], pair[1].with_environment(Sphere(3, 5))], horizon=5, key=key_of(1))
    with pytest.raises(ValueError, match=r"horizon = 0: must be an integer >= 1"):
        play_together(pair, horizon=0, key=key_of(1))
    with pytest.raises(ValueError, match=r"horizon = 200: must be <= 50 \(the table's rounds\)"):
        play_together([Pipeline(UCB1(), Table(np.zeros((50, 2))))] * 2, horizon=200, key=key_of(1))
    with pytest.raises(ValueError, match=r"batch = 2: must be 1"):
        play_together([pair[0], Pipeline(LinUCB(), Sphere(3, 4), shuffler=NoShuffling(2))], horizon=5, key=key_of(1))
    with pytest.raises(ValueError, match=r"the environment has a memory: must have none"):
        play_together([Pipeline(UCB1(), Rotting((0.5, 0.6), 0.1))] * 2, horizon=5, key=key_of(1))
