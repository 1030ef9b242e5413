"""Sets of the Sphere drawn by the block: those of single rounds and of plain Python, bit for bit, with the distribution that is stated."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.environments import sphere as sphere_sets
from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.interaction import rounds_of_block, vectors_of_block
from banditproof.kernels import block_of, compiled, native
from banditproof.lanes import zeros
from banditproof.randomness import key_of
from tests.support.plain_python import in_plain_python

SEEDS = st.integers(0, 2**32)
WIDTHS = (2, 3, 4, 5, 6, 7, 8, 9, 20)
LEVEL = 1e-7  # false-alarm rate of each test of a distribution; there are fewer than 100


def _call_block(block, setup, memory, key, first, sets, means, rewards):
    return block(setup, memory, key, first, sets, means, rewards)


def _call_round(present, pay, setup, memory, key, round, contexts, means, rewards):
    after = present(setup, memory, key, round, contexts, means)
    for arm in range(means.shape[0]):
        rewards[arm] = pay(setup, memory, round, key, arm, contexts)
    return after


call_block, call_round = compiled(_call_block), compiled(_call_round)


def by_the_block(sphere, key, first):
    """Sets (r, K, d), means and rewards (r, K) of the rounds from `first` on."""
    count, rounds = vectors_of_block(sphere.dimension, sphere.arms), rounds_of_block(sphere.dimension, sphere.arms)
    sets, means, rewards = zeros(sphere.dimension, count), zeros(count), zeros(rounds * sphere.arms)
    after = call_block(native(block_of(sphere.present)), sphere.setup(), sphere.memory(), key, first, sets, means, rewards)
    assert after == first + 1  # the next round has another set
    shape = (rounds, sphere.arms)
    used = sets[:, : rounds * sphere.arms].reshape(sphere.dimension, *shape)
    return used.transpose(1, 2, 0).copy(), means[: rounds * sphere.arms].reshape(shape).copy(), rewards.reshape(shape)


class OneByOne:
    """Rounds presented one by one, in any order, with one `setup`."""

    def __init__(self, sphere):
        self.sphere, self.setup = sphere, sphere.setup()
        self.parts = native(sphere.present), native(sphere.reward)

    def round(self, key, round):
        arms = self.sphere.arms
        features, means, rewards = np.zeros((self.sphere.dimension, arms)), np.zeros(arms), np.zeros(arms)
        after = call_round(*self.parts, self.setup, self.sphere.memory(), key, round, features.T, means, rewards)
        assert after == round + 1
        return features.T.copy(), means, rewards


@settings(max_examples=60)
@given(
    width=st.sampled_from(WIDTHS),
    arms=st.integers(2, 40),
    data=st.data(),
    rewards=st.sampled_from(Rewards),
    first=st.one_of(st.integers(0, 300), st.integers(0, 2**40)),
    run=st.integers(0, 2**40),
    seed=SEEDS,
)
def test_a_block_has_the_sets_of_its_rounds(width, arms, data, rewards, first, run, seed):
    """Would catch a number of another address where a block begins elsewhere, ends in the middle of lanes or is drawn for another key or
    run; copies of another round's arms; and rewards of another coin. Rounds are asked for in any order, between others of another run."""
    fewest = data.draw(st.one_of(st.none(), st.integers(1, arms)))
    sphere = Sphere(width, arms, fewest=fewest, rewards=rewards)
    key, other = np.array([*key_of(seed), run], dtype=np.uint64), np.array([*key_of(seed), run + 1], dtype=np.uint64)
    sets, means, paid = by_the_block(sphere, key, first)
    single = OneByOne(sphere)
    for place in data.draw(st.lists(st.integers(0, len(sets) - 1), min_size=1, max_size=6)):
        if data.draw(st.booleans()):
            assert not np.array_equal(single.round(other, first + place)[0], sets[place])
        contexts, mean, reward = single.round(key, first + place)
        assert np.array_equal(contexts, sets[place])
        assert np.array_equal(mean, means[place]) and np.array_equal(mean, contexts[:, 0])
        assert np.array_equal(reward, paid[place])
    assert not np.array_equal(sets[0], single.round(key, first + len(sets))[0])


@pytest.mark.parametrize("width", WIDTHS)
def test_every_round_of_blocks_that_overlap(width):
    """Would catch the last round of a block, one whose vectors lie in two lots of lanes, and a block that begins at no whole block."""
    for arms in (2, 3, 7, 25, 31, 32, 33, 40):
        sphere, key = Sphere(width, arms, fewest=2), np.array([*key_of(width), 3], dtype=np.uint64)
        single, rounds = OneByOne(sphere), rounds_of_block(width, arms)
        for first in (0, 1, rounds - 1, 5 * rounds + 2):
            sets, _, paid = by_the_block(sphere, key, first)
            assert len(sets) == rounds
            for place in range(rounds):
                contexts, _, reward = single.round(key, first + place)
                assert np.array_equal(contexts, sets[place]) and np.array_equal(reward, paid[place])


def test_sets_of_plain_python(room, tmp_path):
    """Would catch a product and a sum rounded once in vector instructions. In a process in which nothing is compiled."""
    spheres = [
        Sphere(width, arms, fewest=fewest, rewards=list(Rewards)[width % 2])
        for width in WIDTHS
        for arms, fewest in ((5, None), (33, 2))
    ]  # fmt: skip
    room.keep(spheres, tmp_path / "spheres")
    code = """
import numba, pickle
import numpy as np
from banditproof.interaction import rounds_of_block, vectors_of_block
from banditproof.kernels import block_of
from banditproof.lanes import zeros
from banditproof.randomness import key_of
assert numba.config.DISABLE_JIT
found, key = [], np.array([*key_of(7), 2], dtype=np.uint64)
for sphere in pickle.load(open("spheres", "rb")):
    count, setup = vectors_of_block(sphere.dimension, sphere.arms), sphere.setup()
    sets, means, rewards = zeros(sphere.dimension, count), zeros(count), zeros(rounds_of_block(sphere.dimension, sphere.arms) * sphere.arms)
    block_of(sphere.present)(setup, sphere.memory(), key, 9, sets, means, rewards)
    features, mean = np.zeros((sphere.dimension, sphere.arms)), np.zeros(sphere.arms)
    sphere.present(setup, sphere.memory(), key, 9, features.T, mean)
    paid = [sphere.reward(setup, sphere.memory(), 9, key, arm, features.T) for arm in range(sphere.arms)]
    found.append((sets, means, rewards, features, mean, paid))
pickle.dump(found, open("found", "wb"))
"""
    room.python(code, tmp_path, NUMBA_DISABLE_JIT="1")
    key = np.array([*key_of(7), 2], dtype=np.uint64)
    for sphere, (features, means, rewards, alone, mean, paid) in zip(spheres, pickle.loads((tmp_path / "found").read_bytes()), strict=True):
        sets, expected, gains = by_the_block(sphere, key, 9)
        used = gains.size
        assert np.array_equal(features[:, :used].reshape(sphere.dimension, *gains.shape).transpose(1, 2, 0), sets)
        assert np.array_equal(means[:used].reshape(gains.shape), expected) and np.array_equal(rewards.reshape(gains.shape), gains)
        assert np.array_equal(alone.T, sets[0]) and np.array_equal(mean, expected[0]) and np.array_equal(paid, gains[0])


def of_coordinate(width):
    """The distribution function of a coordinate of a uniform point on the sphere of R^width, width >= 2."""
    half = (width - 1) / 2.0
    return lambda z: stats.beta.cdf((1.0 + np.asarray(z)) / 2.0, half, half)


def assert_distribution(values, cdf):
    """Kolmogorov-Smirnov at level 1e-7; a distribution function that is off by 4 % somewhere is missed less often than once in 1e7."""
    assert 2.0 * np.sqrt(np.log(2.0 / LEVEL) / (2.0 * len(values))) < 0.04  # Dvoretzky, Kiefer, Wolfowitz and Massart
    assert stats.kstest(values, cdf).pvalue > LEVEL


@pytest.mark.parametrize("width", [2, 3, 4, 5, 6, 7, 20])
def test_vectors_are_uniform(width, room, rng, seed):
    """Would catch a first coordinate with another density, lengths shared among the others in other proportions, an angle that is not
    uniform or not independent of a length, and arms, rounds or lanes that share a number: the product of two independent directions has
    the distribution of a coordinate. The others' directions do not depend on the first coordinate."""
    arms, low, high, key = 4, -0.6, 0.7, np.array([*key_of(seed), 0], dtype=np.uint64)
    sphere = Sphere(width, arms, low=low, high=high, top=0.75)
    rounds = rounds_of_block(width, arms)
    contexts = np.concatenate([by_the_block(sphere, key, first)[0] for first in range(0, 24_000, rounds)])
    assert len(contexts) >= 24_000
    best, first = contexts[:, :, 0] == 0.75, contexts[:, :, 0]
    assert np.all(best.sum(axis=1) == 1)
    cdf = of_coordinate(width)
    assert_distribution(first[~best], lambda z: (cdf(z) - cdf(low)) / (cdf(high) - cdf(low)))
    directions = contexts[:, :, 1:] / np.sqrt((1.0 - first) * (1.0 + first))[:, :, None]
    assert np.abs((directions**2).sum(axis=2) - 1.0).max() < 1e-13
    flat = directions.reshape(-1, width - 1)
    apart = [(directions[:, 0] * directions[:, 1]).sum(axis=1), (directions[:, 2] * directions[:, 3]).sum(axis=1)]
    for lag in (1, arms, 32):  # no vector twice
        apart.append((flat[lag:] * flat[:-lag]).sum(axis=1)[np.arange(len(flat) - lag) // lag % 2 == 0])
    if width == 2:
        for values in (flat[:, 0], flat[first.ravel() < 0.0, 0], flat[best.ravel(), 0], *apart):
            room.assert_rate(int(np.count_nonzero(values > 0)), len(values), 0.5, detects=0.04)
        return
    others = of_coordinate(width - 1) if width > 3 else lambda z: 1.0 - np.arccos(np.clip(z, -1.0, 1.0)) / np.pi
    basis = np.eye(width - 1)
    axes = [basis[0], basis[1], basis[-1], (basis[0] + basis[-1]) / np.sqrt(2.0)]
    axes += [axis / np.linalg.norm(axis) for axis in rng.normal(size=(2, width - 1))]
    for axis in axes:
        assert_distribution(flat @ axis, others)
    for some in (first.ravel() < 0.0, best.ravel()):
        assert_distribution(flat[some] @ axes[-1], others)
    for values in apart:
        assert_distribution(values, others)
    if width > 4:  # the squared length of a pair, of the last two numbers too
        for pair in (flat[:, :2], flat[:, -2:]):
            assert_distribution((pair**2).sum(axis=1), stats.beta(1.0, (width - 3) / 2.0).cdf)


@pytest.mark.parametrize("dimension", [2, 3, 4, 5, 6, 9])
def test_any_number_of_vectors_at_a_time_draws_the_same(dimension):
    """Would catch vectors that get the numbers of others in the form that this processor does not use."""
    environment, key, drawn = Sphere(dimension, 25), np.array([*key_of(3), 1], dtype=np.uint64), []
    count = vectors_of_block(dimension, 25)
    for draw in (sphere_sets.draw, *(in_plain_python(sphere_sets, WIDE=together).draw for together in (16, 32))):
        sets, means = zeros(dimension, count), zeros(count)
        draw(environment.setup(), key, 640, sets, means)
        drawn.append(np.vstack([sets, means]))
    assert np.array_equal(drawn[0], drawn[1])
    assert np.array_equal(drawn[0], drawn[2])
