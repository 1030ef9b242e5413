"""Environments and corruptions: means, rewards and memory against their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits import conformance
from banditproof.audits.strategies import bernoulli_means
from banditproof.interaction import Pipeline, Table, Wire
from banditproof.kernels import plain
from banditproof.randomness import key_of
from banditproof.simulation import play

SEEDS = st.integers(0, 2**32)


@pytest.mark.parametrize("rule", conformance.ENVIRONMENT_RULES)
def test_environment_keeps(any_environment, rule, examples):
    """Would catch an environment that breaks a rule: each says what it would catch."""
    conformance.check_environment(any_environment, examples=examples, rules=[rule])


@pytest.mark.parametrize("bernoulli", [Bernoulli, Rotting])
def test_every_bernoulli_arm_pays_its_mean(room, bernoulli, seed):
    """Would catch an arm that pays by another arm's mean, or a mean that is presented and not paid."""
    environment, key, rounds = room.typical(room.instances(bernoulli).filter(lambda one: 0.2 < max(one.means) < 0.9)), key_of(seed), 40_000
    setup, contexts, words = environment.setup(), np.zeros((environment.arms, environment.dimension)), np.array([*key, 0], dtype=np.uint64)
    for arm in range(environment.arms):
        means, paid = np.zeros(environment.arms), 0.0
        for round in range(rounds):
            memory = environment.memory()  # the first pull, again and again
            plain(environment.present)(setup, memory, words, round, contexts, means)
            paid += plain(environment.reward)(setup, memory, round, words, arm, contexts)
        room.assert_rate(int(paid), rounds, float(means[arm]), detects=0.027)


@given(means=bernoulli_means(), round=st.integers(0, 10**9), key=st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3))
def test_one_outcome_serves_every_arm(means, round, key):
    """Would catch a draw per arm: then a run that looks only at the pulled arms would not be the run on the whole table."""
    words, setup = np.array(key, dtype=np.uint64), Bernoulli(means).setup()
    rewards = [
        plain(Bernoulli(means).reward)(setup, np.zeros(0), round, words, arm, np.zeros((len(means), 0))) for arm in range(len(means))
    ]
    ordered = sorted(zip(means, rewards, strict=True))
    assert [reward for _, reward in ordered] == sorted(rewards)  # a better arm never pays less in the same round


@given(means=bernoulli_means(), fall=st.floats(0.0, 0.5), horizon=st.integers(1, 100), seed=SEEDS)
def test_rotting_means_fall_with_own_pulls(means, fall, horizon, seed):
    """Would catch a mean that falls with the rounds, or with another arm's pulls, and a best mean that ignores the falls."""
    run = play(Pipeline(UCB1(), Rotting(means, fall)), horizon=horizon, key=key_of(seed))
    pulls, regret = [0] * len(means), 0.0
    for arm in run.wire(Wire.ARMS):
        now = [max(0.0, mean - fall * pulled) for mean, pulled in zip(means, pulls, strict=True)]
        regret += max(now) - now[arm]
        pulls[arm] += 1
    assert run.regret[0] == regret


@given(
    alpha=st.sampled_from([0.0, 1.0]),
    wire=st.sampled_from([Wire.REWARDS, Wire.REPORT]),
    high=st.floats(-9.0, 9.0),
    seed=SEEDS,
    horizon=st.integers(1, 50),
)
def test_contamination_always_and_never(alpha, wire, high, seed, horizon):
    """Would catch a corruption on the other wire, or one that leaks into the clean reward and the regret."""
    table = Table(np.tile([0.25, 0.5], (horizon, 1)))
    record = (Wire.REWARDS, Wire.REPORT, Wire.RECEIVED, Wire.ARMS)
    run = play(Pipeline(UCB1(), table, corruption=Huber(alpha, high=high, wire=wire)), horizon=horizon, key=key_of(seed), record=record)
    clean = table.rewards[np.arange(horizon), run.wire(Wire.ARMS)]
    assert np.array_equal(run.wire(Wire.REWARDS), clean)
    assert run.regret[0] == np.cumsum(0.5 - clean)[-1]
    corrupted = np.full(horizon, high) if alpha == 1.0 else clean
    assert np.array_equal(run.wire(Wire.REPORT)[:, 0], corrupted if wire is Wire.REWARDS else clean)
    assert np.array_equal(run.wire(Wire.RECEIVED)[:, 0], corrupted)


def test_contamination_has_its_rates(room, rng):
    """Would catch one uniform used for both decisions: outliers would then be high less or more often than stated."""
    alpha, fraction, rounds = rng.uniform(0.1, 0.9), rng.uniform(0.2, 0.8), 100_000
    corruption = Huber(alpha, high=7.0, low=-7.0, high_probability=fraction)
    values, hits, high = np.zeros(2), 0, 0
    for round in range(rounds):
        values[:] = 0.5
        plain(corruption.kernel)(corruption.setup(), corruption.memory(), round, np.array([1, 2, 3], dtype=np.uint64), 0, values)
        assert values[0] == values[1]
        hits += values[0] != 0.5
        high += values[0] == 7.0
    room.assert_rate(int(hits), rounds, alpha, detects=0.02)
    room.assert_rate(int(high), int(hits), fraction, detects=0.07)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Bernoulli((0.5,)), r"means = \(0.5,\): must be those of at least 2 arms"),
        (lambda: Bernoulli(0.5), r"means = 0.5: must be a tuple of numbers, one per arm"),
        (lambda: Bernoulli("abc"), r"means = 'abc': must be a tuple of numbers"),
        (lambda: Bernoulli(("a", "b")), r"mean = 'a': must be a number"),
        (lambda: Bernoulli((0.5, 1.5)), r"mean = 1.5: must be >= 0 and <= 1"),
        (lambda: Bernoulli((0.5, math.nan)), r"mean = nan: must be >= 0 and <= 1"),
        (lambda: Rotting((0.5,)), r"means = \(0.5,\): must be those of at least 2 arms"),
        (lambda: Rotting((0.5, -0.1)), r"mean = -0.1: must be >= 0 and <= 1"),
        (lambda: Rotting((0.5, 0.1), -1.0), r"fall = -1.0: must be >= 0"),
        (lambda: Rotting((0.5, 0.1), math.inf), r"fall = inf: must be >= 0 and finite"),
        (lambda: Huber(1.1), r"contamination = 1.1: must be >= 0 and <= 1"),
        (lambda: Huber(0.1, high_probability=-1.0), r"high_probability = -1.0: must be >= 0 and <= 1"),
        (lambda: Huber(0.1, wire=Wire.ARMS), r"wire = arms: must be rewards or report"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
