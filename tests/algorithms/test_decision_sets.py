"""Decision sets: unit vectors with the stated distributions, an adversary that sees the pulls, and labelled records."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.classification import ClassificationBandit, Source, components_of, records
from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise, Rule
from banditproof.interaction import Pipeline, Replacement, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play

SEEDS = st.integers(0, 2**32)
UNIFORM = LinUCB(Noise.NONE, rule=Rule.UNIFORM)


def seen(environment, rounds, seed):
    """Contexts, arms and rewards of a run that chooses uniformly."""
    run = play(Pipeline(UNIFORM, environment), horizon=rounds, key=key_of(seed), record=(Wire.CONTEXTS, Wire.ARMS, Wire.REWARDS))
    return run.wire(Wire.CONTEXTS), run.wire(Wire.ARMS), run.wire(Wire.REWARDS)


@settings(max_examples=30)
@given(
    width=st.integers(2, 12),
    arms=st.integers(2, 30),
    high=st.floats(0.05, 0.7),
    seed=SEEDS,
)
def test_sets_are_unit_vectors_with_the_stated_means(width, arms, high, seed):
    """Would catch a vector that is not on the sphere, a second best arm, and one that breaks the gap."""
    contexts, _, _ = seen(Sphere(width, arms, high=high), 20, seed)
    assert np.abs((contexts**2).sum(axis=2) - 1.0).max() < 5e-15
    first = np.sort(contexts[:, :, 0], axis=1)
    assert np.all(first[:, -1] == 0.75)
    assert np.all((first[:, :-1] >= -0.75) & (first[:, :-1] <= high))


@pytest.mark.parametrize("width", [2, 3, 4, 5, 6, 9])
def test_vectors_are_uniform_on_their_zone(room, seed, width):
    """Would catch a uniform z, an angle that is not, and coordinates of which one is larger than the others."""
    rounds = 8_000
    contexts, _, _ = seen(Sphere(width, 6), rounds, seed)
    best = contexts[:, :, 0] == 0.75
    rest = contexts[~best]
    half = mpmath.mpf(width - 1) / 2
    below = [mpmath.betainc(half, half, 0, (1 + mpmath.mpf(z)) / 2, regularized=True) for z in (-0.75, -0.3, 0.2, 0.65)]
    for place in (1, 2):
        rate = float((below[place] - below[0]) / (below[3] - below[0]))
        room.assert_rate(int(np.count_nonzero(rest[:, 0] <= (-0.3, 0.2)[place - 1])), len(rest), rate, detects=0.03)
    others = rest[:, 1:] / np.linalg.norm(rest[:, 1:], axis=1, keepdims=True)
    median = 1.0 if width == 2 else float(stats.beta.ppf(0.5, 0.5, (width - 2) / 2.0))  # of a squared coordinate
    for column in range(width - 1):
        room.assert_rate(int(np.count_nonzero(others[:, column] > 0)), len(rest), 0.5, detects=0.03)
        if width > 2:
            room.assert_rate(int(np.count_nonzero(others[:, column] ** 2 <= median)), len(rest), 0.5, detects=0.03)
        for before in range(column):
            same = int(np.count_nonzero((others[:, column] > 0) == (others[:, before] > 0)))
            room.assert_rate(same, len(rest), 0.5, detects=0.03)
    for arm in range(6):  # the best arm is anywhere
        room.assert_rate(int(best[:, arm].sum()), rounds, 1.0 / 6.0, detects=0.045)


@given(arms=st.integers(2, 20), data=st.data(), seed=SEEDS)
def test_changing_sizes_are_copies(arms, data, seed):
    """Would catch a set with fewer distinct arms than stated, an arm beyond the size that is new, and a best arm that is not there."""
    fewest = data.draw(st.integers(1, arms))
    contexts, _, _ = seen(Sphere(4, arms, fewest=fewest), 30, seed)
    for each in contexts:
        distinct = len(np.unique(each, axis=0))
        assert fewest <= distinct <= arms
        assert np.array_equal(each, each[np.arange(arms) % distinct])
        assert (each[:, 0] == 0.75).any()


def test_sizes_are_uniform(room, seed):
    contexts, _, _ = seen(Sphere(3, 5, fewest=3), 20_000, seed)
    sizes = np.array([len(np.unique(each, axis=0)) for each in contexts])
    for size in (3, 4, 5):
        room.assert_rate(int(np.count_nonzero(sizes == size)), len(sizes), 1.0 / 3.0, detects=0.035)


def test_rewards_have_the_mean_of_their_arm(room, seed):
    """Would catch a reward of another arm, of 0 and 1 in place of -1 and 1, and Gaussian noise of another spread."""
    contexts, arms, rewards = seen(Sphere(5, 4), 60_000, seed)
    means = contexts[np.arange(len(arms)), arms, 0]
    assert set(rewards) == {-1.0, 1.0}
    for low, high in ((-0.75, -0.3), (-0.3, 0.3), (0.75, 0.76)):
        inside = (means >= low) & (means < high)
        room.assert_rate(int((rewards[inside] > 0).sum()), int(inside.sum()), float(np.mean((1 + means[inside]) / 2)), detects=0.045)
    contexts, arms, rewards = seen(Sphere(5, 4, rewards=Rewards.GAUSSIAN, standard_deviation=2.0), 60_000, seed)
    noise = (rewards - contexts[np.arange(len(arms)), arms, 0]) / 2.0
    for level, rate in ((0.0, 0.5), (1.0, 0.8413447460685429)):
        room.assert_rate(int(np.count_nonzero(noise <= level)), len(noise), rate, detects=0.023)


@given(width=st.integers(2, 6), arms=st.integers(2, 12), seed=SEEDS)
def test_the_adversary_puts_the_best_arm_where_most_is_known(width, arms, seed):
    """Would catch an adversary that does not look, looks at its own sets instead of the pulls, or offers no best arm."""
    contexts, chosen, rewards = seen(LeastExploredAdversary(width, arms), 40, seed)
    explored = np.zeros(width)
    for each, arm in zip(contexts, chosen, strict=True):
        assert np.abs((each**2).sum(axis=1) - 1.0).max() < 1e-15
        best = int(each[:, 0].argmax())
        assert each[best, 0] == 0.75
        assert np.delete(each[:, 0], best).tolist() == [0.75 - 0.1] * (arms - 1)
        directions = np.abs(each[:, 1:]).argmax(axis=1) + 1
        assert explored[directions[best]] == explored[1:].max()
        others = np.delete(directions, best)
        assert explored[others[0]] == explored[1:].min()
        rest = 1.0 - each[arm, 0] ** 2
        explored[directions[arm]] += rest
        explored = np.round(explored, 9)  # the kernel adds (1 - m)(1 + m): ties are exact there and here
    assert set(rewards) <= {-1.0, 1.0}


@given(seed=SEEDS, round=st.integers(0, 29))
def test_a_replaced_decision_set_leaves_the_adversary_as_it_was(seed, round):
    """Would catch a memory of the replaced contexts: the two runs would be no neighbours, since later sets would differ."""
    environment, record = LeastExploredAdversary(3, 4), (Wire.CONTEXTS, Wire.ARMS)
    other = Replacement(round, (0.0,) * 4, ((0.0, 0.0, 1.0),) * 4)
    plain, changed = (
        play(Pipeline(UNIFORM, environment).with_environment(environment, each), horizon=30, key=key_of(seed), record=record)
        for each in (None, other)
    )
    assert np.array_equal(plain.wire(Wire.ARMS), changed.wire(Wire.ARMS))
    same = np.delete(np.arange(30), round)
    assert np.array_equal(plain.wire(Wire.CONTEXTS)[same], changed.wire(Wire.CONTEXTS)[same])


@pytest.mark.parametrize("source", Source)
@settings(max_examples=5)
@given(seed=SEEDS)
def test_records_are_classes_in_blocks(source, seed):
    """Would catch a label that is not the record's, features that leak into another class's block, and a length above 1."""
    environment = ClassificationBandit(source, 3)
    features, classes = records(source)
    scores, known = components_of(features, 3), {}
    for score, label in zip(scores, classes, strict=True):
        known.setdefault(tuple(score), set()).add(int(label))
    contexts, arms, rewards = seen(environment, 50, seed)
    assert np.abs(np.linalg.norm(scores, axis=1) - 1.0).max() < 1e-12
    for each, arm, reward in zip(contexts, arms, rewards, strict=True):
        blocks = each.reshape(environment.arms, environment.arms, 3)
        score = tuple(blocks[0, 0])
        assert all(
            tuple(blocks[a, b]) == (score if a == b else (0.0,) * 3) for a in range(environment.arms) for b in range(environment.arms)
        )
        assert reward in {float(arm == label) for label in known[score]}


def test_a_linear_learner_learns_the_digits():
    """Would catch features without information about the classes: uniform play is right once in ten."""
    run = play(
        Pipeline(LinUCB(Noise.NONE, rule=Rule.GREEDY), ClassificationBandit(components=8)),
        horizon=4_000,
        key=key_of(1),
        checkpoints=(2_000, 4_000),
    )
    assert run.regret[1] - run.regret[0] < 1_000
    blind = play(Pipeline(UNIFORM, ClassificationBandit(components=8)), horizon=4_000, key=key_of(1))
    assert blind.regret[0] > 3_400


def test_uniform_play_costs_the_mean_gap(seed):
    """D.2's baseline, in closed form: E z = (integral of z (1 - z^2)) / (integral of 1 - z^2) on [-0.75, 0.65], d = 5."""
    ends = np.array([-0.75, 0.65])
    mean = np.diff(ends**2 / 2 - ends**4 / 4)[0] / np.diff(ends - ends**3 / 3)[0]
    cost, rounds = 0.75 - (0.75 + 24 * mean) / 25, 200_000
    run = play(Pipeline(UNIFORM, Sphere()), horizon=rounds, key=key_of(seed), record=())
    tolerance = 1.5 * math.sqrt(math.log(2e6) / 2.0 / rounds)  # Hoeffding, at 1e-6
    assert abs(run.regret[0] / rounds - cost) < tolerance < 0.01


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Sphere(1), r"dimension = 1: must be an integer >= 2"),
        (lambda: Sphere(arms=1), r"arms = 1: must be an integer >= 2"),
        (lambda: Sphere(low=0.7), r"low = 0.7, high = 0.65: must be -1 < low < high < 1"),
        (lambda: Sphere(top=1.0), r"top = 1.0: must be > -1 and < 1"),
        (lambda: Sphere(fewest=26), r"fewest = 26: must be >= 1 and <= 25"),
        (lambda: Sphere(standard_deviation=0.0), r"standard_deviation = 0.0: must be > 0"),
        (lambda: LeastExploredAdversary(1), r"dimension = 1: must be an integer >= 2"),
        (lambda: LeastExploredAdversary(arms=1), r"arms = 1: must be an integer >= 2"),
        (lambda: LeastExploredAdversary(gap=0.0), r"top = 0.75, gap = 0.0: must be -1 < top - gap < top < 1"),
        (lambda: ClassificationBandit(Source.IRIS, 0), r"components = 0: must be >= 1"),
        (lambda: ClassificationBandit(Source.IRIS, 5).setup(), r"components = 5: must be >= 1 and <= 4"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
