"""UCB1, and UCB on private sums: indices, released sums and noise against plain recomputation."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof import randomness
from banditproof.algorithms.draws.words import short_block
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms.tree_sum import node_scale, nodes_summed, terms
from banditproof.algorithms.policies import tree_ucb, ucb1
from banditproof.audits.strategies import bernoulli_means
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import NoShuffling, Pipeline, Table, Wire
from banditproof.kernels import plain
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many

SEEDS = st.integers(0, 2**32)
HORIZONS = st.integers(1, 150)
RECORD = (Wire.ARMS, Wire.REWARDS, Wire.STATISTIC)


def node_noise(stream: np.ndarray, number: int) -> float:
    """Laplace number `number` of a short stream, by hand."""
    window, place = divmod(number, 32)
    block = [int(word) for word in plain(short_block)(stream, np.uint64(16 * window + place % 16))]
    high, low = block[:2] if place < 16 else block[2:]
    size = -math.log(((((high << 32) + low) >> 11) + 1) / 2**53)
    return size if low % 2 else -size


def chosen(index: list[float]) -> int:
    return max(range(len(index)), key=lambda arm: (index[arm], -arm))  # the lowest of equal ones


@given(means=bernoulli_means(), horizon=HORIZONS, seed=SEEDS)
def test_ucb1_plays_the_largest_index(means, horizon, seed):
    """Would catch ln t of another round, a sum that is not the arm's, and ties broken upwards."""
    run = play(Pipeline(ucb1.UCB1(), Bernoulli(means)), horizon=horizon, key=key_of(seed), record=RECORD)
    pulls, sums = [0] * len(means), [0.0] * len(means)
    for round, (arm, reward) in enumerate(zip(run.wire(Wire.ARMS), run.wire(Wire.REWARDS), strict=True)):
        if round < len(means):
            assert arm == round
        else:
            index = [sums[a] / pulls[a] + math.sqrt(2 * math.log(round) / pulls[a]) for a in range(len(means))]
            assert arm == chosen(index), f"round {round}: arm {arm}, indices {index}"
        pulls[arm] += 1
        sums[arm] += reward
        assert run.wire(Wire.STATISTIC)[round].tolist() == sums


@given(means=bernoulli_means(), horizon=HORIZONS, seed=SEEDS, run=st.integers(0, 99), epsilon=st.floats(0.05, 20.0))
def test_private_sums_carry_the_noise_of_their_nodes(means, horizon, seed, run, epsilon):
    """Would catch a fresh draw for an old node, one draw in two trees, another scale, and an index that looks at the true sums."""
    arms, key = len(means), np.array([*key_of(seed), run], dtype=np.uint64)
    played = play(Pipeline(tree_ucb.TreeUCB(epsilon), Bernoulli(means)), horizon=horizon, key=key_of(seed), run=run, record=RECORD)
    stream = np.zeros(4, dtype=np.uint64)
    randomness.short_key(key, randomness.NOISE, stream)
    scale, pulls, sums, released = node_scale(epsilon, horizon), [0] * arms, [0.0] * arms, [0.0] * arms
    for round, (arm, reward) in enumerate(zip(played.wire(Wire.ARMS), played.wire(Wire.REWARDS), strict=True)):
        if round < arms:
            assert arm == round
        else:
            exponent = math.log(2 * round**4)
            width = scale * math.sqrt(8 * exponent * max(terms(horizon), exponent))
            index = [(released[a] + width) / pulls[a] + math.sqrt(2 * math.log(round) / pulls[a]) for a in range(arms)]
            best = chosen(index)
            assert arm == best or index[arm] == pytest.approx(index[best], rel=1e-12)
        pulls[arm] += 1
        sums[arm] += reward
        nodes = [last - 1 for _, last in nodes_summed(pulls[arm])]
        noise = sum(scale * node_noise(stream, (node // 32 * arms + arm) * 32 + node % 32) for node in nodes)
        released[arm] = sums[arm] + noise
        assert played.wire(Wire.STATISTIC)[round] == pytest.approx(released, rel=1e-9, abs=1e-9 * scale)


@pytest.mark.parametrize("policy", [ucb1.UCB1(), tree_ucb.TreeUCB(1.0)], ids=lambda policy: type(policy).__name__)
@given(means=bernoulli_means(), batch=st.integers(1, 40), seed=SEEDS)
def test_arms_go_in_turn_until_each_has_answered(policy, means, batch, seed):
    """Would catch a division by no pulls, and an arm preferred before others were heard, where messages come in batches."""
    arms = play(Pipeline(policy, Bernoulli(means), shuffler=NoShuffling(batch)), horizon=120, key=key_of(seed)).wire(Wire.ARMS)
    heard = -(-len(means) // batch) * batch  # rounds after which every arm's first message has arrived
    assert np.array_equal(arms[:heard], np.arange(min(heard, 120)) % len(means))


@given(rewards=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), seed=SEEDS)
def test_private_sums_clip_rewards(rewards, seed):
    """Would catch a reward outside [0, 1] that the noise does not cover."""
    tables = [np.repeat(np.array(each)[:, None], 2, axis=1) for each in (rewards, np.clip(rewards, 0.0, 1.0))]
    record = (Wire.ARMS, Wire.STATISTIC)
    runs = [play(Pipeline(tree_ucb.TreeUCB(1.0), Table(each)), horizon=len(rewards), key=key_of(seed), record=record) for each in tables]
    assert all(np.array_equal(runs[0].wire(wire), runs[1].wire(wire)) for wire in record)


@pytest.mark.parametrize("stepwise", [False, True])
def test_private_sums_refuse_a_nan(stepwise):
    """Would catch a NaN that silently retires its arm: on one neighbour alone it is a leak."""
    pipeline = Pipeline(tree_ucb.TreeUCB(1.0), Table(np.full((5, 2), np.nan)))
    with pytest.raises(ValueError, match="a reward is NaN: must be >= 0 and <= 1"):
        play(pipeline, horizon=5, key=key_of(1), stepwise=stepwise)


def test_views_that_hold():
    """Would catch a claim of local privacy for messages without noise."""
    for view in (View.CENTRAL, View.JOINT, View.WHITE_BOX):
        assert tree_ucb.TreeUCB(0.7, view).guarantee() == PureDP(0.7, NeighbouringRelation.REPLACE_REWARD, view)
    for view in (View.LOCAL, View.SHUFFLED):
        with pytest.raises(ValueError, match=f"view = {view.value}: must be central, joint or white_box"):
            tree_ucb.TreeUCB(0.7, view)
    with pytest.raises(ValueError, match="epsilon = 0: must be > 0"):
        tree_ucb.TreeUCB(0)
    assert ucb1.UCB1().guarantee() is None


def test_noise_of_a_released_sum_has_the_distribution_of_its_nodes(room, seed):
    """Would catch a tree without noise, or with the noise of another arm: the first pull of each arm carries one node of known scale."""
    runs, epsilon, horizon = 100_000, 0.5, 6
    pipeline = Pipeline(tree_ucb.TreeUCB(epsilon), Table(np.zeros((horizon, 2))))
    released = play_many(pipeline, horizon=horizon, key=key_of(seed), runs=runs, record=(Wire.STATISTIC,)).wire(Wire.STATISTIC)[:, 1]
    beyond = node_scale(epsilon, horizon) * math.log(2.0)  # the median of the size of Laplace noise
    for arm in (0, 1):
        room.assert_rate(int(np.count_nonzero(np.abs(released[:, arm]) > beyond)), runs, 0.5, detects=0.017)
    same = int(np.count_nonzero((released[:, 0] > 0) == (released[:, 1] > 0)))
    room.assert_rate(same, runs, 0.5, detects=0.017)
