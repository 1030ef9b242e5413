"""PRAE-R against Algorithm 1 written out plainly, golden values of its schedule, and what a run may never do."""

import contextlib
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof import randomness
from banditproof.algorithms.estimators.truncated_mean import MERGED_EPSILON
from banditproof.algorithms.policies.batch_elimination import ArmOrder, Exploration
from banditproof.algorithms.policies.robust_elimination import (
    Reading,
    RobustElimination,
    batch_size,
    call_failure,
    epoch_radius,
    epoch_truncation,
    last_epoch,
    threshold,
)
from banditproof.guarantees import PureDP, Relation, View
from banditproof.interaction import InOrder, Pipeline, Table, Wire
from banditproof.play import play
from banditproof.randomness import key_of


class Plainly:
    """Algorithm 1 with Algorithm 2, line by line from the paper; rewards (T, K) as lists. It shares with the policy nothing but the
    addresses of the random numbers."""

    def __init__(self, policy: RobustElimination, rewards: np.ndarray, key: np.ndarray) -> None:
        self.policy, self.rewards, self.key = policy, rewards, np.array([*key, 0], dtype=np.uint64)
        self.horizon, self.count = rewards.shape
        self.arms: list[int] = []
        self.statistics: list[list[float]] = []
        self.released = [-1.0, 0.0]

    def pull(self, arm: int) -> float:
        """Plays the arm; StopIteration in the round of the horizon, before anybody looks at its reward."""
        reward = self.rewards[len(self.arms), arm]
        self.arms.append(arm)
        self.statistics.append(list(self.released))
        if len(self.arms) == self.horizon:
            raise StopIteration
        return reward

    def uniform_arm(self, index: int) -> int:
        return int(randomness.uniform(self.key, randomness.CHOICES, index) * self.count)

    def schedule(self, epoch: int, active: int) -> tuple[float, float, float]:
        """Threshold, truncation and radius: sheet, sections 3.1 and 3.2."""
        policy, n, k = self.policy, 2**epoch, self.policy.moment
        delta = 1 / self.horizon if policy.failure is None else policy.failure
        epsilon = policy.epsilon if policy.reading is Reading.PRINTED else min(policy.epsilon, 1.5)
        if policy.contamination == 0.0:
            ell = math.log(8 * active * epoch**2 / delta)  # log(4 / delta_tau)
            return 0.0, (n * epsilon / 4 / ell) ** (1 / k), math.sqrt(2 * ell / n) + 2 * (4 * ell / n / epsilon) ** (1 - 1 / k)
        alpha = policy.contamination
        ell = math.log((16 if policy.literal else 32) * active * epoch**2 / delta)
        size = min((n * epsilon / 4 / ell) ** (1 / k), (8 * alpha) ** (-1 / k))
        radius = math.sqrt(2 * ell / n) + 2 * (4 * ell / n / epsilon) ** (1 - 1 / k) + 2 * (8 * alpha) ** (1 - 1 / k)
        return math.log(16 * active * epoch**2 / delta) / alpha, size, radius

    def run(self) -> None:
        with contextlib.suppress(StopIteration):
            self.epochs()

    def epochs(self) -> None:
        active = list(range(self.count))
        if self.policy.arm_order is ArmOrder.PERMUTED:
            active.sort(key=lambda arm: randomness.uniform(self.key, randomness.CHOICES, 64 + arm))
        epoch = 0
        while True:
            epoch += 1
            if len(active) == 1:
                self.pull(active[0])
                continue
            pulls = 2**epoch
            limit, size, radius = self.schedule(epoch, len(active))
            if pulls < limit:
                for _ in range(pulls):
                    each = self.policy.exploration is Exploration.ROUND
                    self.pull(self.uniform_arm(64 + self.count + len(self.arms) if each else epoch))
                continue
            estimates = {}
            for arm in active:
                batch = [self.pull(arm) for _ in range(pulls)]
                total = sum(reward for reward in batch if abs(reward) <= size)
                noise = randomness.laplace(self.key, randomness.NOISE, epoch * self.count + arm)
                estimates[arm] = total / pulls + noise * 2 * size / (pulls * self.policy.epsilon)
                self.statistics[-1] = self.released = [arm, estimates[arm]]
            best = max(estimates.values())
            active = [arm for arm in active if best - estimates[arm] <= 2 * self.policy.radius_factor * radius]


POLICIES = st.builds(
    RobustElimination,
    epsilon=st.sampled_from([0.1, 1.0, 4.0, 1e3]),
    moment=st.sampled_from([2.0, 3.0, 2.5]),
    contamination=st.just(0.0),
    failure=st.sampled_from([None, 0.5, 1.0]),
    reading=st.sampled_from(Reading),
    arm_order=st.sampled_from(ArmOrder),
    radius_factor=st.sampled_from([1.0, 0.3, 0.1]),
) | st.builds(
    RobustElimination,
    epsilon=st.sampled_from([0.5, 2.0, 1e3]),
    moment=st.sampled_from([2.0, 4.0]),
    contamination=st.sampled_from([0.02, 0.2, 0.49]),
    failure=st.sampled_from([None, 0.9]),
    literal=st.booleans(),
    reading=st.sampled_from(Reading),
    exploration=st.sampled_from(Exploration),
    arm_order=st.sampled_from(ArmOrder),
    radius_factor=st.sampled_from([1.0, 0.3, 0.05]),
)
SEEDS = st.integers(0, 2**32)


def heavy_table(seed: int, horizon: int, arms: int) -> Table:
    rng = np.random.default_rng(seed)
    return Table(np.linspace(0.6, -0.6, arms) + 0.2 * rng.standard_t(2.1, (horizon, arms)))


def test_the_arms_and_releases_of_algorithm_1():
    """Would catch a batch of another size, a release at the horizon, a reward used twice, an arm deleted too early or in another order,
    and any other formula. Counts that the drawn problems eliminate, are forced, and end inside batches."""
    seen = {"eliminated": 0, "forced": 0, "one left": 0, "ends inside a batch": 0}

    @settings(max_examples=200)
    @given(policy=POLICIES, arms=st.integers(2, 5), horizon=st.integers(1, 1500), seed=SEEDS)
    def agree(policy, arms, horizon, seed):
        table, key = heavy_table(seed, horizon, arms), key_of(seed)
        run = play(Pipeline(policy, table), horizon=horizon, key=key, record=(Wire.ARMS, Wire.STATISTIC))
        plainly = Plainly(policy, table.rewards, key)
        plainly.run()
        assert run.wire(Wire.ARMS).tolist() == plainly.arms
        assert run.wire(Wire.STATISTIC) == pytest.approx(np.array(plainly.statistics), rel=1e-9, abs=1e-12)
        last = len(set(plainly.arms[-max(1, horizon // 3) :]))
        seen["eliminated"] += last < arms and horizon > 300
        seen["one left"] += last == 1 and horizon > 300
        seen["forced"] += policy.contamination > 0.0 and threshold(0.5, arms, epoch=1, contamination=policy.contamination) > 2.0
        seen["ends inside a batch"] += horizon > 1 and plainly.statistics[-1] == plainly.statistics[-2]

    agree()
    assert min(seen.values()) >= 20, seen


def test_golden_schedule():
    assert [batch_size(epoch) for epoch in (1, 2, 10)] == [2, 4, 1024]
    # 0.01 / (2 * 5 * 16)
    assert call_failure(0.01, 5, epoch=4) == pytest.approx(6.25e-5, rel=1e-14)
    # log(16 * 5 * 16 / 0.01) / 0.02 = log(128000) / 0.02
    assert threshold(0.01, 5, epoch=4, contamination=0.02) == pytest.approx(587.9892771450877108, rel=1e-14)
    point = {"contamination": 0.02, "failure": 0.01, "active": 5, "epoch": 4}
    # l = log(32 * 5 * 16 / 0.01) = log(256000), n eps = 8: sqrt(8 / (4 l)); sqrt(l / 8) + 2 sqrt(l / 2) + 2 sqrt(0.16)
    assert epoch_truncation(0.5, 2.0, **point) == pytest.approx(0.400755209835300613, rel=1e-14)
    assert epoch_radius(0.5, 2.0, **point) == pytest.approx(7.038222083319718669, rel=1e-14)
    # literal: l = log(128000)
    assert epoch_truncation(0.5, 2.0, literal=True, **point) == pytest.approx(0.412396809702893662, rel=1e-14)
    assert epoch_radius(0.5, 2.0, literal=True, **point) == pytest.approx(6.862122550853618459, rel=1e-14)
    # clean: failure 1, |S| = 2, tau = 3: log(4 * 2 * 2 * 9) = log(144), n eps = 8: (8 / (4 log 144))^(1/2)
    clean = {"contamination": 0.0, "failure": 1.0, "active": 2, "epoch": 3}
    assert epoch_truncation(1.0, 2.0, **clean) == pytest.approx(math.sqrt(2.0 / math.log(144.0)), rel=1e-14)


@given(horizon=st.integers(1, 10**6))
def test_last_epoch_is_the_last_that_starts(horizon):
    """Would catch a schedule table that is too short: a kernel reads past it."""
    last = last_epoch(horizon)
    assert sum(batch_size(epoch) for epoch in range(1, last)) < horizon <= sum(batch_size(epoch) for epoch in range(1, last + 1))


@given(policy=POLICIES, seed=SEEDS, round=st.integers(0, 399), batch=st.sampled_from([1, 3, 7]), value=st.sampled_from([0.4, 1e9, -1e9]))
def test_a_reward_moves_one_release_at_most(policy, seed, round, batch, value):
    """Would catch a reward that counts in two batches, a late one too, and sums kept from epoch to epoch: the privacy argument's core."""
    policy = replace(policy, radius_factor=1e9)  # nothing is eliminated, so that later releases are those of the same schedule
    table = heavy_table(seed, 400, 3)
    changed = table.replace_round(round, np.full(3, value))
    first, second = (
        play(Pipeline(policy, each, shuffler=InOrder(batch)), horizon=400, key=key_of(seed), record=(Wire.ARMS, Wire.STATISTIC))
        for each in (table, changed)
    )
    assert np.array_equal(first.wire(Wire.ARMS), second.wire(Wire.ARMS))
    written = ~np.isnan(first.wire(Wire.STATISTIC)).all(axis=1)
    ours, theirs = (run.wire(Wire.STATISTIC)[written] for run in (first, second))
    assert np.array_equal(ours[:, 0], theirs[:, 0])
    new = np.any(np.diff(ours, axis=0) != 0.0, axis=1) | np.any(np.diff(theirs, axis=0) != 0.0, axis=1)
    moved = int(np.count_nonzero(new & (ours[1:, 1] != theirs[1:, 1]))) + int(ours[0, 1] != theirs[0, 1])
    assert moved <= 1


@given(seed=SEEDS, batch=st.integers(1, 40), order=st.sampled_from(ArmOrder), contamination=st.sampled_from([0.0, 0.4]))
def test_a_release_is_of_its_own_arms_rewards(seed, batch, order, contamination):
    """Would catch messages that come late, in a shuffler's batch, and count for the arm whose turn it is by then."""
    policy = RobustElimination(1e9, contamination=contamination, reading=Reading.PRINTED, arm_order=order)
    paid = np.array([0.1, 0.2, 0.3])
    run = play(
        Pipeline(policy, Table(np.tile(paid, (2000, 1))), shuffler=InOrder(batch)), horizon=2000, key=key_of(seed), record=(Wire.STATISTIC,)
    )
    released = run.wire(Wire.STATISTIC)[~np.isnan(run.wire(Wire.STATISTIC)[:, 0])]
    released = released[released[:, 0] >= 0.0]
    assert np.all(np.abs(released[:, 1] - paid[released[:, 0].astype(int)]) < 1e-3)
    assert set(released[:, 0]) == {0.0, 1.0, 2.0}


@given(policy=POLICIES, seed=SEEDS)
def test_rewards_beyond_the_truncation_leave_no_trace(policy, seed):
    """Would catch clipping, and infinities that turn a sum into NaN."""
    table = heavy_table(seed, 300, 3)
    runs = [
        play(Pipeline(policy, Table(np.where(np.arange(300)[:, None] % 3, table.rewards, value))), horizon=300, key=key_of(seed))
        for value in (0.0, 1e12, math.inf, -math.inf)
    ]
    assert all(np.array_equal(run.wire(Wire.ARMS), runs[0].wire(Wire.ARMS)) for run in runs)


def test_forced_exploration_draws_uniformly_and_orders_are_fair(room, seed):
    """Would catch a forced arm that is always the same, or drawn from fewer arms, and a permutation that favours one."""
    runs, arms = 4000, 3
    table = Table(np.zeros((2, arms)))
    for policy in (
        RobustElimination(1.0, contamination=0.01),
        RobustElimination(1.0, contamination=0.01, exploration=Exploration.ROUND),
        RobustElimination(1.0, arm_order=ArmOrder.PERMUTED),
    ):
        played = [play(Pipeline(policy, table), horizon=2, key=key_of(seed), run=run).wire(Wire.ARMS) for run in range(runs)]
        for arm in range(arms):
            room.assert_rate(sum(int(each[0]) == arm for each in played), runs, 1.0 / 3.0, detects=0.08)
        same = sum(int(each[0] == each[1]) for each in played)
        if policy.exploration is Exploration.ROUND:
            room.assert_rate(same, runs, 1.0 / 3.0, detects=0.08)
        else:
            assert same == runs


def test_readings_differ_beyond_the_merged_epsilon_alone():
    for epsilon in (0.5, MERGED_EPSILON, 4.0):
        printed, repaired = (
            RobustElimination(epsilon, reading=reading).state(3, 0, 1000) for reading in (Reading.PRINTED, Reading.REPAIRED)
        )
        same = np.array_equal(printed.twice_radii, repaired.twice_radii) and np.array_equal(printed.truncations, repaired.truncations)
        assert same == (epsilon <= MERGED_EPSILON)
    large, merged = (RobustElimination(epsilon).state(3, 0, 1000) for epsilon in (4.0, MERGED_EPSILON))
    assert np.array_equal(large.truncations, merged.truncations)
    assert large.scales * 4.0 == pytest.approx(merged.scales * MERGED_EPSILON)  # the noise is that of epsilon


def test_guarantee():
    assert RobustElimination(0.5).guarantee() == PureDP(0.5, Relation.REPLACE_REWARD, View.CENTRAL)


@pytest.mark.parametrize("stepwise", [False, True])
def test_a_reward_that_is_no_number_is_refused(stepwise):
    with pytest.raises(ValueError, match="a reward is NaN"):
        play(Pipeline(RobustElimination(1.0), Table(np.full((5, 2), np.nan))), horizon=5, key=key_of(1), stepwise=stepwise)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: RobustElimination(0.0), r"epsilon = 0.0: must be > 0"),
        (lambda: RobustElimination(1.0, moment=1.0), r"moment = 1.0: must be >= 2"),
        (lambda: RobustElimination(1.0, contamination=0.5), r"contamination = 0.5: must be > 0 and < 0.5"),
        (lambda: RobustElimination(1.0, failure=0.0), r"failure = 0.0: must be > 0 and <= 1"),
        (lambda: RobustElimination(1.0, literal=True), r"literal = True: must be False at contamination = 0"),
        (lambda: RobustElimination(1.0, radius_factor=-1.0), r"radius_factor = -1.0: must be >= 0 and finite"),
        (lambda: RobustElimination(1.0, view=View.LOCAL), r"view = local: must be central, joint or white_box"),
        (lambda: batch_size(0), r"epoch = 0: must be an integer >= 1"),
        (lambda: call_failure(0.1, 0, epoch=1), r"active = 0: must be an integer >= 1"),
        (lambda: threshold(0.1, 2, epoch=1, contamination=0.0), r"contamination = 0.0: must be > 0 and < 0.5"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
