"""Runs of PRAE-R, PRAE-C and DPRSE against their papers written out plainly, and what a run may never do."""

import contextlib
import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof import randomness
from banditproof.algorithms.draws.words import short_block
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import ArmOrder, Exploration, bin_noise_index, noise_index
from banditproof.algorithms.policies.elimination.robust import Reading, RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import NoShuffling, Pipeline, Table, Wire
from banditproof.kernels import plain
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many


class Epoch(NamedTuple):
    """Of one arm in one epoch: pulls, whether they are forced, truncation, twice the radius."""

    pulls: int
    forced: bool
    size: float
    cut: float


def robust_epoch(policy: RobustElimination, delta: float, epoch: int, active: int) -> Epoch:
    """Sheet, sections 3.1 and 3.2."""
    n, k = 2**epoch, policy.moment
    repaired = policy.reading is Reading.REPAIRED and policy.contamination == 0.0
    epsilon = min(policy.epsilon, 1.5) if repaired else policy.epsilon
    if policy.contamination == 0.0:
        ell = math.log(8 * active * epoch**2 / delta)  # log(4 / delta_tau)
        radius = math.sqrt(2 * ell / n) + 2 * (4 * ell / n / epsilon) ** (1 - 1 / k)
        return Epoch(n, False, (n * epsilon / 4 / ell) ** (1 / k), 2 * policy.radius_factor * radius)
    alpha = policy.contamination
    ell = math.log((16 if policy.literal else 32) * active * epoch**2 / delta)
    size = min((n * epsilon / 4 / ell) ** (1 / k), (8 * alpha) ** (-1 / k))
    radius = math.sqrt(2 * ell / n) + 2 * (4 * ell / n / epsilon) ** (1 - 1 / k) + 2 * (8 * alpha) ** (1 - 1 / k)
    limit = policy.threshold_factor * math.log(16 * active * epoch**2 / delta) / alpha
    return Epoch(n, n < limit, size, 2 * policy.radius_factor * radius)


def central_bins(policy: CentralElimination) -> tuple[float, list[float]]:
    """Width and left ends: sheet, sections 2.3 and 10."""
    alpha = policy.contamination if policy.true_contamination is None else policy.true_contamination
    width = (10.0 if policy.contamination == 0.0 else (1 - alpha) / (0.249 - alpha)) ** (1 / policy.moment)
    number = math.ceil(2 * policy.range / width) + (2 if policy.pad else 0)
    return width, [-policy.range - (width if policy.pad else 0.0) + place * width for place in range(number)]


def central_epoch(policy: CentralElimination, delta: float, epoch: int, active: int) -> Epoch:
    """Sheet, sections 3.3 to 3.5 and 10, at delta_tau."""
    n, k, d = 2**epoch if policy.batch_is_fold else 2**epoch // 2, policy.moment, delta / (2 * active * epoch**2)
    epsilon, alpha = min(policy.epsilon, 1.0), policy.contamination  # as printed, an epsilon above 1 is refused
    width, ends = central_bins(policy)
    log_bins = math.log((6 * (math.ceil(2 * policy.range / width) + 2) if policy.pad else 16 * policy.range) / d)
    size, ell = 4 * (n * epsilon / math.log(1 / d)) ** (1 / k), math.log(16 / d)
    if alpha == 0.0:
        limit = 200 * (log_bins - (math.log(2) if policy.literal else 0.0)) / epsilon
        outliers = 0.0
    else:
        size = min(size, 4 * alpha ** (-1 / k))
        iota, c_1 = width**k, 4_500_000.0  # sqrt(2 / c_1) = (1 - 4 * 0.249) / 6 = 1 / 1500
        limit = max(iota * math.log(1 / d) / epsilon, c_1 * log_bins / epsilon, ell / alpha**2)
        outliers = 2 * (alpha + math.sqrt(2 * alpha * ell / n) + 2 * ell / 3 / n) * (size + 2 * width)
    radius = outliers + math.sqrt(2 * ell / n) + 4 * (size + 2 * width) * ell / 3 / n + (2 / size) ** (k - 1)
    radius += 2 * width * (alpha + (2 / size) ** k + math.sqrt(ell / 2 / n)) + 2 * size * math.log(8 / d) / n / epsilon
    assert len(ends) >= 4
    return Epoch(2 * n, n < policy.threshold_factor * limit, size, 2 * policy.radius_factor * radius)


def successive_epoch(policy: SuccessiveElimination, delta: float, epoch: int, active: int) -> Epoch:
    """Sheet, section 9.1."""
    v, u, epsilon = policy.tail, policy.raw_moment, policy.epsilon
    ell = math.log(policy.log_constant * active * epoch**2 / delta)
    pulls = math.ceil(u ** (1 / v) * policy.batch_constant ** ((1 + v) / v) * ell / epsilon / 0.5 ** (epoch * (1 + v) / v) + 1)
    error = u ** (1 / (1 + v)) * (ell / pulls / epsilon) ** (v / (1 + v))
    return Epoch(pulls, False, (u * pulls * epsilon / ell) ** (1 / (1 + v)), policy.cut_constant * error)


class Plainly:
    """Algorithm 1 with the policy's estimate, line by line from the paper; rewards (T, K) as lists. It shares with the policy nothing but
    the addresses of the random numbers."""

    def __init__(self, policy: Any, rewards: np.ndarray, key: np.ndarray) -> None:
        self.policy, self.rewards, self.key = policy, rewards, np.array([*key, 0], dtype=np.uint64)
        self.horizon, self.count = rewards.shape
        self.exploration = Exploration.BATCH if isinstance(policy, SuccessiveElimination) else policy.exploration
        self.arms: list[int] = []
        self.statistics: list[list[float]] = []
        self.released = [-1.0, 0.0, 0.0] if isinstance(policy, CentralElimination) else [-1.0, 0.0]
        self.values: dict[int, float] = {}
        self.forced = 0

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

    def epoch(self, epoch: int, active: int) -> Epoch:
        failure = self.policy.failure
        delta = 1 / self.horizon if failure is None else failure
        if isinstance(self.policy, RobustElimination):
            return robust_epoch(self.policy, delta, epoch, active)
        if isinstance(self.policy, CentralElimination):
            return central_epoch(self.policy, delta, epoch, active)
        return successive_epoch(self.policy, min(0.5, delta) if failure is None else failure, epoch, active)

    def noise(self, number: int) -> float:
        """Laplace number `number` of the noise, of the words of its block."""
        stream, (window, place) = np.zeros(4, dtype=np.uint64), divmod(number, 32)
        randomness.short_key(self.key, randomness.NOISE, stream)
        words = [int(word) for word in plain(short_block)(stream, np.uint64(16 * window + place % 16))]
        high, low = words[:2] if place < 16 else words[2:]
        size = -math.log((((high << 32 | low) >> 11) + 1) / 2**53)
        return size if low % 2 else -size

    def release(self, arm: int, turn: int, epoch: int, batch: list[float], size: float) -> None:
        epsilon, half, centre = self.policy.epsilon, len(batch) // 2, 0.0
        if isinstance(self.policy, CentralElimination):
            width, ends = central_bins(self.policy)
            noisy = []
            for place, end in enumerate(ends):
                index = bin_noise_index(epoch, turn, self.count, bins=len(ends), place=place)
                inside = sum(math.floor((reward - ends[0]) / width) == place for reward in batch[:half] if math.isfinite(reward))
                noisy.append((inside / half + self.noise(index) * 2 / half / epsilon, -place, end))
            centre, batch = max(noisy)[2], batch[half:]
        total = sum(reward - centre for reward in batch if abs(reward - centre) <= size)
        noise = self.noise(noise_index(epoch, turn, self.count))
        self.values[arm] = centre + total / len(batch) + noise * 2 * size / (len(batch) * epsilon)
        self.statistics[-1] = self.released = [arm, self.values[arm], centre][: len(self.released)]

    def guided_arm(self, epoch: int, active: list[int]) -> int:
        mixed = randomness.uniform(self.key, randomness.CHOICES, 64 + self.count + epoch) < self.policy.mixing
        if self.exploration is Exploration.PROBABILISTIC and mixed:
            return self.uniform_arm(epoch)
        untried = [arm for arm in active if arm not in self.values]
        return untried[0] if untried else max(active, key=lambda arm: self.values[arm])

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
            pulls, forced, size, cut = self.epoch(epoch, len(active))
            if forced:
                self.forced += 1
                if self.exploration in (Exploration.BATCH, Exploration.ROUND):
                    for _ in range(pulls):
                        each = self.exploration is Exploration.ROUND
                        self.pull(self.uniform_arm(64 + self.count + len(self.arms) if each else epoch))
                else:
                    arm = self.guided_arm(epoch, active)
                    self.release(arm, 0, epoch, [self.pull(arm) for _ in range(pulls)], size)
                continue
            for turn, arm in enumerate(active):
                self.release(arm, turn, epoch, [self.pull(arm) for _ in range(pulls)], size)
            best = max(self.values[arm] for arm in active)
            active = [arm for arm in active if best - self.values[arm] <= cut]


FACTORS = {"radius_factor": st.sampled_from([1.0, 0.3, 0.05, 0.01]), "arm_order": st.sampled_from(ArmOrder)}
FORCED = {"exploration": st.sampled_from(Exploration), "mixing": st.sampled_from([0.0, 0.4, 1.0])}
CLEAN = st.builds(
    RobustElimination,
    epsilon=st.sampled_from([0.1, 1.0, 4.0, 1e3]),
    moment=st.sampled_from([2.0, 3.0, 2.5]),
    contamination=st.just(0.0),
    failure=st.sampled_from([None, 0.5, 1.0]),
    reading=st.sampled_from(Reading),
    **FACTORS,
)
CONTAMINATED = st.builds(
    RobustElimination,
    epsilon=st.sampled_from([0.5, 2.0, 1e3]),
    moment=st.sampled_from([2.0, 4.0]),
    contamination=st.sampled_from([0.02, 0.2, 0.49]),
    failure=st.sampled_from([None, 0.9]),
    literal=st.booleans(),
    reading=st.sampled_from(Reading),
    threshold_factor=st.sampled_from([1.0, 0.1]),
    **FACTORS,
    **FORCED,
)
CENTRAL_READINGS = {"pad": st.booleans(), "batch_is_fold": st.booleans(), **FACTORS, **FORCED}
CENTRAL = st.builds(
    CentralElimination,
    epsilon=st.sampled_from([0.5, 5.0, 1e3]),
    range=st.sampled_from([7.0, 30.5]),
    moment=st.sampled_from([2.0, 4.0]),
    failure=st.sampled_from([None, 0.9]),
    literal=st.booleans(),
    threshold_factor=st.sampled_from([1.0, 0.01, 0.0]),
    **CENTRAL_READINGS,
) | st.builds(
    CentralElimination,
    epsilon=st.sampled_from([0.5, 5.0, 1e3]),
    range=st.sampled_from([7.0, 30.5]),
    moment=st.sampled_from([2.0, 4.0]),
    contamination=st.sampled_from([0.02, 0.1]),
    true_contamination=st.sampled_from([None, 0.0, 0.01]),
    threshold_factor=st.sampled_from([1.0, 1e-6, 3e-7, 0.0]),
    **CENTRAL_READINGS,
)
SUCCESSIVE = st.builds(
    SuccessiveElimination,
    epsilon=st.sampled_from([0.5, 5.0, 1e3]),
    tail=st.sampled_from([1.0, 0.5]),
    raw_moment=st.sampled_from([1.0, 0.7]),
    failure=st.sampled_from([None, 0.3]),
    batch_constant=st.sampled_from([24.0, 2.0, 0.4]),
    cut_constant=st.sampled_from([12.0, 1.0]),
    log_constant=st.sampled_from([4.0, 2.0]),
    arm_order=st.sampled_from(ArmOrder),
)
POLICIES = CLEAN | CONTAMINATED | CENTRAL | SUCCESSIVE
SEEDS = st.integers(0, 2**32)


def heavy_table(seed: int, horizon: int, arms: int) -> Table:
    rng = np.random.default_rng(seed)
    return Table(np.linspace(0.6, -0.6, arms) + 0.2 * rng.standard_t(2.1, (horizon, arms)))


@pytest.mark.parametrize(
    ("policies", "reached"),
    [
        (CLEAN, ("eliminated", "one left", "ends inside a batch")),
        (CONTAMINATED, ("eliminated", "forced", "one left", "ends inside a batch")),
        (CENTRAL, ("eliminated", "forced", "one left", "ends inside a batch", "other bins")),
        (SUCCESSIVE, ("eliminated", "one left", "ends inside a batch")),
    ],
    ids=("clean", "contaminated", "central", "successive"),
)
def test_the_arms_and_releases_of_the_paper(policies, reached):
    """Would catch a batch of another size, a release at the horizon, a reward used twice, an arm deleted too early or in another order,
    a fold or a bin of another reward, and any other formula. Counts that the drawn problems eliminate, are forced, and so on."""
    seen = dict.fromkeys(("eliminated", "forced", "one left", "ends inside a batch", "other bins"), 0)

    @settings(max_examples=200)
    @given(policy=policies, arms=st.integers(2, 5), horizon=st.integers(1, 2500), seed=SEEDS)
    def agree(policy, arms, horizon, seed):
        table, key = heavy_table(seed, horizon, arms), key_of(seed)
        run = play(Pipeline(policy, table), horizon=horizon, key=key, record=(Wire.ARMS, Wire.STATISTIC))
        plainly = Plainly(policy, table.rewards, key)
        plainly.run()
        assert run.wire(Wire.ARMS).tolist() == plainly.arms
        found, expected = run.wire(Wire.STATISTIC), np.array(plainly.statistics)
        assert found.shape == expected.shape and np.all(np.abs(found - expected) <= 1e-9 * np.maximum(np.abs(expected), 1.0))
        last = len(set(plainly.arms[-max(1, horizon // 3) :]))
        seen["eliminated"] += last < arms and horizon > 300
        seen["one left"] += last == 1 and horizon > 300
        seen["forced"] += plainly.forced > 0
        seen["ends inside a batch"] += horizon > 1 and plainly.statistics[-1] == plainly.statistics[-2]
        seen["other bins"] += len({statistic[-1] for statistic in plainly.statistics}) > 2

    agree()
    assert min(seen[what] for what in reached) >= 5, seen  # what Hypothesis draws depends on the modules that are imported: 16 to 60


@given(policy=POLICIES, seed=SEEDS, round=st.integers(0, 399), batch=st.sampled_from([1, 3, 7]), value=st.sampled_from([0.4, 1e9, -1e9]))
def test_a_reward_moves_one_release_at_most(policy, seed, round, batch, value):
    """Would catch a reward that counts in two batches, a late one too, and sums kept from epoch to epoch: the privacy argument's core."""
    if isinstance(policy, SuccessiveElimination):
        policy = replace(policy, cut_constant=1e12)
    else:  # nothing is eliminated and no release guides, so that later releases are those of the same schedule
        still = Exploration.ROUND if policy.exploration is Exploration.ROUND else Exploration.BATCH
        policy = replace(policy, radius_factor=1e9, exploration=still)
    table = heavy_table(seed, 400, 3)
    changed = table.replace_round(round, np.full(3, value))
    first, second = (
        play(Pipeline(policy, each, shuffler=NoShuffling(batch)), horizon=400, key=key_of(seed), record=(Wire.ARMS, Wire.STATISTIC))
        for each in (table, changed)
    )
    assert np.array_equal(first.wire(Wire.ARMS), second.wire(Wire.ARMS))
    written = ~np.isnan(first.wire(Wire.STATISTIC)).all(axis=1)
    ours, theirs = (run.wire(Wire.STATISTIC)[written] for run in (first, second))
    assert np.array_equal(ours[:, 0], theirs[:, 0])
    new = np.any(np.diff(ours, axis=0) != 0.0, axis=1) | np.any(np.diff(theirs, axis=0) != 0.0, axis=1)
    apart = np.any(ours[:, 1:] != theirs[:, 1:], axis=1)
    moved = int(np.count_nonzero(new & apart[1:])) + int(apart[0])
    assert moved <= 1


@given(
    seed=SEEDS,
    batch=st.integers(1, 40),
    policy=st.builds(
        RobustElimination,
        epsilon=st.just(1e9),
        contamination=st.sampled_from([0.0, 0.4]),
        reading=st.just(Reading.PUBLISHED),
        arm_order=st.sampled_from(ArmOrder),
        exploration=st.sampled_from(Exploration),
    )
    | st.builds(
        CentralElimination,
        epsilon=st.just(1e9),
        range=st.just(7.0),
        contamination=st.sampled_from([0.0, 0.05]),
        threshold_factor=st.sampled_from([0.0, 1e-7]),
        batch_is_fold=st.booleans(),
        arm_order=st.sampled_from(ArmOrder),
        exploration=st.sampled_from(Exploration),
    ),
)
def test_a_release_is_of_its_own_arms_rewards(seed, batch, policy):
    """Would catch messages that come late, in a shuffler's batch, and count for the arm whose turn it is by then."""
    paid = np.array([0.1, 0.2, 0.3])
    run = play(
        Pipeline(policy, Table(np.tile(paid, (2000, 1))), shuffler=NoShuffling(batch)),
        horizon=2000,
        key=key_of(seed),
        record=(Wire.STATISTIC,),
    )
    released = run.wire(Wire.STATISTIC)[~np.isnan(run.wire(Wire.STATISTIC)[:, 0])]
    released = released[released[:, 0] >= 0.0]
    assert np.all(np.abs(released[:, 1] - paid[released[:, 0].astype(int)]) < 1e-3)
    assert set(released[:, 0]) == {0.0, 1.0, 2.0}


@given(policy=POLICIES, seed=SEEDS)
def test_rewards_beyond_the_truncation_leave_no_trace(policy, seed):
    """Would catch clipping, and infinities that turn a sum into NaN."""
    table = heavy_table(seed, 300, 3)
    nothing = 1e9 if isinstance(policy, CentralElimination) else 0.0  # where 0 lies in a bin
    runs = [
        play(Pipeline(policy, Table(np.where(np.arange(300)[:, None] % 3, table.rewards, value))), horizon=300, key=key_of(seed))
        for value in (nothing, 1e12, math.inf, -math.inf)
    ]
    assert all(np.array_equal(run.wire(Wire.ARMS), runs[0].wire(Wire.ARMS)) for run in runs)


def test_forced_exploration_draws_uniformly_and_orders_are_fair(room, seed):
    """Would catch a forced arm that is always the same, or drawn from fewer arms, and a permutation that favours one."""
    runs, arms = 4000, 3
    table = Table(np.zeros((2, arms)))
    for policy in (
        RobustElimination(1.0, contamination=0.01),
        RobustElimination(1.0, contamination=0.01, exploration=Exploration.ROUND),
        CentralElimination(1.0, 7.0),
        CentralElimination(1.0, 7.0, exploration=Exploration.PROBABILISTIC, mixing=1.0),
        RobustElimination(1.0, arm_order=ArmOrder.PERMUTED),
    ):
        played = play_many(Pipeline(policy, table), horizon=2, key=key_of(seed), runs=runs, record=(Wire.ARMS,)).wire(Wire.ARMS)
        for arm in range(arms):
            room.assert_rate(sum(int(each[0]) == arm for each in played), runs, 1.0 / 3.0, detects=0.08)
        same = sum(int(each[0] == each[1]) for each in played)
        if policy.exploration is Exploration.ROUND:
            room.assert_rate(same, runs, 1.0 / 3.0, detects=0.08)
        else:
            assert same == runs


@given(policy=CENTRAL | SUCCESSIVE, view=st.sampled_from([View.CENTRAL, View.JOINT, View.WHITE_BOX]))
def test_guarantees_name_their_view(policy, view):
    """Would catch a guarantee at another level than the noise, or a release that is said to be less than public."""
    assert replace(policy, view=view).guarantee() == PureDP(policy.epsilon, NeighbouringRelation.REPLACE_REWARD, view)


@given(policy=POLICIES, arms=st.integers(2, 4), horizon=st.integers(2, 5000))
def test_factors_and_constants_never_touch_the_noise(policy, arms, horizon):
    """Would catch a multiplier that makes noise smaller: what is released has noise for its own truncation and number of rewards."""
    state = policy.state(arms, 0, horizon)
    used = state.truncations[1:, 2:] > 0.0
    samples = state.pulls[1:, 2:] // (2 if isinstance(policy, CentralElimination) else 1)
    wanted = 2.0 * state.truncations[1:, 2:] / (samples * policy.epsilon)
    assert used.all()
    assert state.scales[1:, 2:] == pytest.approx(wanted, rel=1e-12)
    if isinstance(policy, CentralElimination):
        assert state.bin_scales[1:, 2:] == pytest.approx(2.0 / (samples * policy.epsilon), rel=1e-12)


@given(policy=CENTRAL, seed=SEEDS, arms=st.integers(2, 5))
def test_a_batch_is_released_once(policy, seed, arms):
    """Would catch a noisy estimate drawn anew each time that a greedy phase looks at it: an (epoch, arm) has one value in a run."""
    policy = replace(policy, exploration=Exploration.GREEDY, threshold_factor=1e9)
    run = play(Pipeline(policy, heavy_table(seed, 1000, arms)), horizon=1000, key=key_of(seed), record=(Wire.ARMS, Wire.STATISTIC))
    arm, start, epoch, values = run.wire(Wire.ARMS), 0, 1, set()
    pulls = policy.state(arms, 0, 1000).pulls
    while start + pulls[epoch, arms] < 1000:
        end = start + int(pulls[epoch, arms])
        assert len(set(arm[start:end])) == 1  # one arm a batch
        assert run.wire(Wire.STATISTIC)[end - 1, 0] == arm[start]
        assert len(np.unique(run.wire(Wire.STATISTIC)[start : end - 1, 1])) <= 1
        values.add(run.wire(Wire.STATISTIC)[end - 1, 1])
        start, epoch = end, epoch + 1
    assert len(values) == epoch - 1


def test_a_greedy_phase_plays_the_best_arm():
    """Would catch a guide that looks at the wrong arm's release: after one batch an arm, the rest of the forced phase is of the best."""
    policy = CentralElimination(1e6, 7.0, contamination=0.05, exploration=Exploration.GREEDY)
    rewards = np.tile([0.1, 0.9, 0.5], (4000, 1))
    run = play(Pipeline(policy, Table(rewards)), horizon=4000, key=key_of(3))
    assert run.wire(Wire.ARMS)[:14].tolist() == [0] * 2 + [1] * 4 + [2] * 8
    assert set(run.wire(Wire.ARMS)[14:]) == {1}


@pytest.mark.parametrize("arms", [2, 3, 4])
def test_epochs_longer_than_any_run_are_played_as_far_as_it_goes(arms):
    """Would catch a product of pulls, 2^62 of them, that overflows, so that an epoch seems to be over before the run is."""
    pipeline = Pipeline(SuccessiveElimination(epsilon=1.0, tail=0.1), Table(np.random.default_rng(0).random((50, arms))))
    at_once, by_round = (
        play_many(pipeline, horizon=50, key=key_of(1), runs=2, record=(Wire.ARMS,), checkpoints=(), stepwise=stepwise)
        for stepwise in (False, True)
    )
    assert np.array_equal(at_once.wire(Wire.ARMS), by_round.wire(Wire.ARMS)) and not at_once.wire(Wire.ARMS).any()
