"""Runs in which rewards go straight to the server: the shorter loop plays the rounds of the other one, and counts of rewards have the
distribution of single rewards."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import stats

from banditproof import simulation
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.huber import ArmHuber, Huber, Normal, TwoValues
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.student import Student
from banditproof.algorithms.environments.two_point import TwoPoint
from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import ArmOrder, Exploration, add_up
from banditproof.algorithms.policies.elimination.robust import Reading, RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.guarantees import Replacement, View
from banditproof.interaction import NoCorruption, NoShuffling, Pipeline, Table, Wire
from banditproof.kernels import CORRUPT, CORRUPT_BLOCK, compiled, plain
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import key_of
from banditproof.simulation import play, play_in_turn, play_many

SHOWN = (Wire.ARMS, Wire.STATISTIC)
POLICIES = {
    "ucb1": UCB1(),
    "tree": TreeUCB(20.0),
    "raw": RobustElimination(20.0, radius_factor=0.1, arm_order=ArmOrder.PERMUTED),
    "forced by round": RobustElimination(30.0, contamination=0.05, threshold_factor=0.1, exploration=Exploration.ROUND, radius_factor=0.1),
    "greedy": RobustElimination(30.0, contamination=0.05, threshold_factor=0.1, exploration=Exploration.GREEDY),
    "central": CentralElimination(20.0, 7.0, threshold_factor=1e-3, radius_factor=0.02),
    "successive": SuccessiveElimination(1.0, batch_constant=0.5),
}
OUTLIERS = Huber(0.2, high=3.0, low=-2.0, high_probability=0.5)
ARM_BY_ARM = ArmHuber(0.1, (Normal(2.0, 0.5), TwoValues(-1.0, 0.5, 0.3)))
LEVEL = 1e-6  # significance level of each statistical test here


def problems(horizon: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(horizon)
    rewards = rng.normal(np.linspace(0.6, -0.6, 4), 0.2, (horizon, 4))
    return (
        Table(rewards),
        Table(rewards, np.round(rewards, 1)),
        Bernoulli((0.9, 0.5, 0.1, 0.2)),
        Gaussian((1.0, 0.5, 0.0), (1.0, 0.5, 0.2)),
        Student((1.0, 0.5, 0.0), (0.1, 0.5, 0.2), (3.0, 2.5, 9.0)),
        Pareto((3.0, 2.1, 4.0), (0.4, 0.2, 0.3), (0.0, 0.3, -0.3)),
        TwoPoint((0.5, 0.3, 0.3), 0.5, 2),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("name", POLICIES)
def test_shorter_loop_plays_the_same_rounds(name):
    """Would catch a batch one reward too long, rewards of another round or arm, a checkpoint inside a batch that is missed, regret of
    another mean, a replaced reward that is not seen, an outlier of another round or arm, a release written in another round, and arms that
    differ where nothing else is asked for. Bit for bit, beside single rounds."""
    policy, lively = POLICIES[name], 0
    for horizon in (1, 24, 30, 1500):
        for environment in problems(horizon):
            other = Replacement(horizon // 2, (5.0,) * environment.arms)
            for replaced, corruption in ((None, NoCorruption()), (other, NoCorruption()), (None, ARM_BY_ARM), (other, OUTLIERS)):
                pipeline = Pipeline(policy, environment, corruption=corruption, replacement=replaced)
                options: dict[str, Any] = {"horizon": horizon, "key": key_of(1), "runs": 2, "first_run": 5}
                marks = sorted({1, horizon // 3 + 1, horizon // 2 + 1, horizon})
                short = play_many(pipeline, **options, record=SHOWN, checkpoints=marks)
                full = play_many(pipeline, **options, record=tuple(Wire), checkpoints=marks)
                for wire in SHOWN:
                    assert np.array_equal(short.wire(wire), full.wire(wire)), (name, environment, horizon, wire)
                assert np.array_equal(short.regret, full.regret)
                arms = play_many(pipeline, **options, record=(Wire.ARMS,), checkpoints=()).wire(Wire.ARMS)
                assert np.array_equal(arms, full.wire(Wire.ARMS)), (name, environment, horizon)
                lively += len(np.unique(full.wire(Wire.ARMS)[0, -horizon // 8 :])) < len(np.unique(full.wire(Wire.ARMS)[0]))
    assert lively > 0  # arms were preferred, or eliminated


@pytest.mark.parametrize("horizon", [1, 30, 300])
def test_two_runs_in_turn_are_each_played_as_if_alone(horizon):
    """Would catch a run that sees the noise, pulls, key or release of the run beside it, rewards of the other run's arm, a replaced reward
    that only one of them is paid, and the last run of an odd number. Bit for bit, beside single rounds."""
    for environment in problems(horizon):
        for replaced in (None, Replacement(horizon // 2, tuple(np.linspace(5.0, 0.0, environment.arms)))):
            pipeline = Pipeline(POLICIES["tree"], environment, replacement=replaced)
            options: dict[str, Any] = {"horizon": horizon, "key": key_of(3), "first_run": 5, "checkpoints": ()}
            full = play_many(pipeline, **options, runs=5, record=tuple(Wire))
            for runs in (1, 2, 5):
                for record in ((Wire.ARMS,), (Wire.STATISTIC,), SHOWN):
                    short = play_many(pipeline, **options, runs=runs, record=record)
                    for wire in record:
                        assert np.array_equal(short.wire(wire), full.wire(wire)[:runs]), (environment, runs, wire)
    assert len(np.unique(full.wire(Wire.STATISTIC)[:, -1], axis=0)) == 5


def _spends(setup, memory, round, key, arm, values):
    if memory[0] > 0.0:
        memory[0] -= 1.0
        values[0] = 0.0


def _spends_block(setup, memory, first, key, arm, rewards):
    for place in range(rewards.shape[0]):
        if memory[0] > 0.0:
            memory[0] -= 1.0
            rewards[place] = 0.0


def _breaks(setup, memory, round, key, arm, values):
    values[0] = setup[0] - setup[0]


def _breaks_block(setup, memory, first, key, arm, rewards):
    for place in range(rewards.shape[0]):
        rewards[place] = setup[0] - setup[0]


@dataclass(frozen=True)
class Own:
    """A user's corruption."""

    kernel: Any
    setup_of: tuple[float, ...] = ()
    memory_of: tuple[float, ...] = ()
    wire: Wire = Wire.REWARDS

    def setup(self) -> Any:
        return np.array(self.setup_of)

    def memory(self) -> Any:
        return np.array(self.memory_of)


@pytest.mark.parametrize("name", ["tree", "raw", "ucb1"])
def test_a_corruption_with_a_memory_begins_anew_in_each_run(name):
    """Would catch a run that inherits what the run before has left of the corruption's budget, or rounds that are not played."""
    corruption = Own(compiled(_spends, CORRUPT, block=compiled(_spends_block, CORRUPT_BLOCK)), memory_of=(30.0,))
    pipeline = Pipeline(POLICIES[name], problems(200)[0], corruption=corruption)
    options: dict[str, Any] = {"horizon": 200, "key": key_of(1), "record": SHOWN}
    many = play_many(pipeline, **options, runs=3)
    for run in range(3):
        alone = play(pipeline, **options, run=run)
        assert all(np.array_equal(many.wire(wire)[run], alone.wire(wire)) for wire in SHOWN)


def test_sums_that_are_kept_are_those_of_the_batch():
    """Would catch a sum that is taken though it was cut off at another truncation: runs that eliminate at different times play an arm from
    the same round on with another one. Rewards lie between the truncations for 2, 3 and 4 arms."""
    policy, horizon, runs, rng = RobustElimination(2.0, radius_factor=0.01), 200, 300, np.random.default_rng(8)
    state, rewards = policy.state(4, 0, horizon), rng.uniform(0.2, 0.8, (horizon, 4))
    for epoch, until in ((4, 120), (3, 56), (2, 24), (1, 8)):
        least, middle, most = sorted(state.truncations[epoch, 2:])
        rewards[:until] = rng.choice([(least + middle) / 2, (middle + most) / 2], (until, 4))
    pipeline = Pipeline(policy, Table(rewards))
    options: dict[str, Any] = {"horizon": horizon, "key": key_of(9)}
    many = play_many(pipeline, **options, runs=runs, record=SHOWN)
    full = play_many(pipeline, **options, runs=runs, record=tuple(Wire))
    for wire in SHOWN:
        assert np.array_equal(many.wire(wire), full.wire(wire))
    arms = play_many(pipeline, **options, runs=runs, record=(Wire.ARMS,), checkpoints=()).wire(Wire.ARMS)
    assert np.array_equal(arms, full.wire(Wire.ARMS))
    assert len(np.unique(many.wire(Wire.ARMS), axis=0)) > runs / 10


def test_a_kept_sum_is_of_the_same_rounds_truncation_and_beginning():
    """Would catch each of the three that is not compared, and a sum of the other arm."""
    table, state = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]]), RobustElimination(1.0).state(2, 0, 3)
    for _ in range(2):
        for arm, round, until, truncation, before, after in (
            *((0, 0, 2, 9.0, 0.0, 3.0), (0, 0, 3, 9.0, 0.0, 7.0), (0, 0, 3, 3.0, 0.0, 3.0), (0, 0, 3, 3.0, 100.0, 103.0)),
            *((0, 1, 3, 3.0, 0.0, 2.0), (1, 0, 3, 30.0, 0.0, 30.0), (0, 0, 3, 3.0, 0.0, 3.0)),
        ):
            state.batch.total[0], state.batch.truncation[0] = before, truncation
            plain(add_up)(state.batch, state.totals, table, arm, round, until)
            assert state.batch.total[0] == after


@pytest.mark.parametrize("name", ["tree", "central"])
def test_blocks_and_numbers_of_runs_change_nothing(name):
    """Would catch a state that is cut where a block ends, noise drawn ahead that the next run inherits, and runs that depend on how they
    are divided."""
    pipeline = Pipeline(POLICIES[name], Pareto((3.0, 2.1, 4.0), (0.4, 0.2, 0.3), (0.0, 0.3, -0.3)))
    many = play_many(pipeline, horizon=600, key=key_of(2), runs=4, record=SHOWN, checkpoints=[100, 600])
    alone = [
        play(pipeline, horizon=600, key=key_of(2), run=run, record=SHOWN, checkpoints=[100, 600], block=size)
        for run, size in enumerate((7, 64, 599, 600))
    ]
    for run, each in enumerate(alone):
        assert all(np.array_equal(each.wire(wire), many.wire(wire)[run]) for wire in SHOWN)
        assert np.array_equal(each.regret, many.regret[run])


def test_blocks_change_no_arm_where_nothing_else_is_recorded():
    """Would catch an epoch that is played anew, or a batch that is played whole, where a block begins inside it."""
    horizon = 600
    pipeline = Pipeline(POLICIES["raw"], problems(horizon)[0])
    options: dict[str, Any] = {"horizon": horizon, "key": key_of(2), "record": (Wire.ARMS,), "checkpoints": ()}
    many = play_many(pipeline, **options, runs=5).wire(Wire.ARMS)
    for run, size in enumerate((3, 7, 70, 599, 600)):  # at 70 the first batch of an epoch is cut that would end in the block
        assert np.array_equal(play(pipeline, **options, run=run, block=size).wire(Wire.ARMS), many[run])


def test_a_replaced_reward_is_seen_where_nothing_but_arms_is_recorded():
    """Would catch an epoch that is played on the rewards of the table, and one that ends a round too early or too late before the other
    reward."""
    policy, horizon, changed = RobustElimination(20.0, radius_factor=0.01), 70, 0
    table = Table(np.random.default_rng(6).uniform(0.0, 0.4, (horizon, 4)))
    options: dict[str, Any] = {"horizon": horizon, "key": key_of(7), "runs": 20, "checkpoints": ()}
    same = play_many(Pipeline(policy, table), **options, record=(Wire.ARMS,)).wire(Wire.ARMS)
    for round in range(horizon):
        pipeline = Pipeline(policy, table, replacement=Replacement(round, (0.6,) * 4))
        arms = play_many(pipeline, **options, record=(Wire.ARMS,)).wire(Wire.ARMS)
        assert np.array_equal(arms, play_many(pipeline, **options, record=tuple(Wire)).wire(Wire.ARMS)), round
        changed += not np.array_equal(arms, same)
    assert changed > 10


def test_runs_in_turn_are_those_of_play_many(monkeypatch):
    """Would catch a run lost or played twice where the cache is full, and rows of the runs before. Views are cut out of these runs."""
    table, horizon = np.random.default_rng(3).random((20, 3)), 20
    policy = TreeUCB(1.0, View.JOINT)
    pipeline = Pipeline(policy, Table(table))
    whole = play_many(pipeline, horizon=horizon, key=key_of(4), runs=11, record=SHOWN)
    monkeypatch.setattr(simulation, "_IN_CACHE", 4 * 20 * 4)
    for wire in SHOWN:
        parts = [np.array(part.wire(wire)) for part in play_in_turn(pipeline, horizon=horizon, key=key_of(4), runs=11, record=SHOWN)]
        assert [len(part) for part in parts] == [4, 4, 3]
        assert np.array_equal(np.concatenate(parts), whole.wire(wire))
    with pytest.raises(ValueError, match="runs = 0: must be an integer >= 1"):
        next(play_in_turn(pipeline, horizon=horizon, key=key_of(4), runs=0, record=SHOWN))
    for differing in (0, 7, 19):
        mechanism = PolicyMechanism(pipeline, policy.guarantee(), differing, horizon)
        found = mechanism.release(table, 11, np.random.default_rng(5))
        key = np.random.default_rng(5).integers(0, 2**64, size=2, dtype=np.uint64)
        arms = play_many(pipeline, horizon=horizon, key=key, runs=11, record=SHOWN).wire(Wire.ARMS)
        assert np.array_equal(found, np.delete(arms, differing, axis=1))


@pytest.mark.parametrize("policy", [TreeUCB(1.0), RobustElimination(20.0)], ids=["tree", "raw"])
def test_a_nan_is_refused_by_either_loop(policy):
    """Would catch a NaN that the shorter loop does not look at: on one neighbour alone it is a leak."""
    table = np.full((40, 2), 0.5)
    pipeline = Pipeline(policy, Table(table), replacement=Replacement(9, (np.nan, np.nan)))
    table_with_nan = table.copy()
    table_with_nan[9] = np.nan
    broken = Pipeline(policy, Table(table), corruption=Huber(1.0, high=math.nan))
    made = Own(compiled(_breaks, CORRUPT, block=compiled(_breaks_block, CORRUPT_BLOCK)), setup_of=(math.inf,))
    for each in (pipeline, Pipeline(policy, Table(table_with_nan)), broken, Pipeline(policy, Table(table), corruption=made)):
        with pytest.raises(ValueError, match="a reward is NaN"):
            play_many(each, horizon=40, key=key_of(1), runs=1, record=(Wire.ARMS,))


@pytest.mark.parametrize("name", ["raw", "central", "forced by round", "successive"])
def test_counts_of_certain_rewards_are_the_rewards(name):
    """Would catch a batch counted twice or in part, one that crosses a checkpoint, and a fold of the wrong half: with rewards that never
    vary, counts of rewards leave nothing to chance."""
    for replaced in (None, Replacement(101, (0.5, 0.5, 0.5))):
        pipeline = Pipeline(POLICIES[name], Bernoulli((1.0, 0.0, 0.0)), replacement=replaced)
        options: dict[str, Any] = {"horizon": 1200, "key": key_of(6), "runs": 3, "record": SHOWN, "checkpoints": [5, 100, 333, 1200]}
        one, other = play_many(pipeline, **options, tallies=True), play_many(pipeline, **options)
        assert np.array_equal(one.wire(Wire.ARMS), other.wire(Wire.ARMS))
        assert one.wire(Wire.STATISTIC) == pytest.approx(other.wire(Wire.STATISTIC), rel=1e-12)
        assert one.regret == pytest.approx(other.regret, rel=1e-12)


def test_release_from_counts_has_its_exact_distribution():
    """Would catch another number of rewards, another probability, a sum that is not divided, and counts that depend on each other. The mean
    of 2^tau Bernoulli rewards with Laplace noise: Kolmogorov-Smirnov against the exact mixture, level 1e-6; with 20,000 runs a shift of
    4 % of the probabilities is found with probability 1 - 1e-6."""
    policy = RobustElimination(400.0, radius_factor=1e9, failure=1.0, reading=Reading.PUBLISHED)
    means, runs = (0.9, 0.35), 20_000
    state = policy.state(2, 0, 400)
    played = play_many(
        Pipeline(policy, Bernoulli(means)), horizon=400, key=key_of(8), runs=runs, record=(Wire.STATISTIC,), tallies=True
    ).wire(Wire.STATISTIC)
    found, uniforms = 0, {}
    for epoch in (3, 6):
        pulls, first = 2**epoch, 2 * (2**epoch - 2)
        assert state.truncations[epoch, 2] >= 1.0 and state.pulls[epoch, 2] == pulls
        for arm, mean in enumerate(means):
            released = played[:, first + (arm + 1) * pulls - 1]
            assert set(released[:, 0]) == {arm}
            successes = np.arange(pulls + 1)

            def cdf(values, successes=successes, pulls=pulls, mean=mean, epoch=epoch):
                beyond = np.asarray(values)[:, None] - successes / pulls
                return stats.laplace.cdf(beyond, scale=state.scales[epoch, 2]) @ stats.binom.pmf(successes, pulls, mean)

            assert stats.kstest(released[:, 1], cdf).pvalue > LEVEL
            uniforms[epoch, arm] = cdf(released[:, 1])
            found += 1
    assert found == 4
    ranks = np.array(list(uniforms.values()))
    off = np.corrcoef(ranks)[np.triu_indices(4, 1)]
    assert np.abs(off).max() < 6.0 / np.sqrt(runs)  # independent: 6 standard deviations


@pytest.mark.parametrize("name", ["raw", "central"])
def test_regret_from_counts_has_the_distribution_of_single_rewards(name):
    """Would catch counts whose batches are of another size, or an elimination at another time: regret at checkpoints, two samples of 3000
    runs, Kolmogorov-Smirnov at level 1e-6 each (two values apart by 8 % of the runs are found with probability 1 - 1e-6)."""
    pipeline, marks = Pipeline(POLICIES[name], Bernoulli((0.9, 0.5, 0.3, 0.6))), [100, 300, 1000, 2000]
    options: dict[str, Any] = {"horizon": 2000, "runs": 3000, "checkpoints": marks}
    counted = play_many(pipeline, key=key_of(9), **options, tallies=True).regret.round(6)
    single = play_many(pipeline, key=key_of(10), **options).regret.round(6)
    assert len(np.unique(single[:, -1])) > 10  # something is decided by chance
    for place in range(len(marks)):
        assert stats.ks_2samp(counted[:, place], single[:, place]).pvalue > LEVEL


def test_counts_are_refused_where_single_rewards_matter():
    """Would catch counts taken where somebody looks at single rewards, or replaces them, and a silent return to single rewards."""
    right = Pipeline(RobustElimination(1.0), Bernoulli((0.9, 0.5)))
    straight = r"tallies = True: must be False unless rewards go straight to the server"
    cases: list[tuple[Pipeline, dict[str, Any], str]] = [
        (Pipeline(UCB1(), right.environment), {}, "tallies = True: must be False with UCB1, which plays single rounds"),
        (Pipeline(TreeUCB(1.0), right.environment), {}, "tallies = True: must be False with TreeUCB"),
        (Pipeline(right.policy, Gaussian((0.0, 1.0), (1.0, 1.0))), {}, "must be False with Gaussian, which draws single rewards"),
        (Pipeline(right.policy, Table(np.zeros((9, 2)))), {}, "must be False with Table"),
        (Pipeline(right.policy, right.environment, LocalLaplace(1.0)), {}, straight),
        (Pipeline(right.policy, right.environment, corruption=Huber(0.1)), {}, straight),
        (Pipeline(right.policy, right.environment, shuffler=NoShuffling(3)), {}, straight),
        (right, {"record": (Wire.REWARDS,)}, straight),
        (right, {"stepwise": True}, straight),
    ]
    for pipeline, options, message in cases:
        with pytest.raises(ValueError, match=message):
            play_many(pipeline, horizon=9, key=key_of(1), runs=1, tallies=True, **options)
