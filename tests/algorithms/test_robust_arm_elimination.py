"""Robust arm elimination: thresholds and counts by hand, elimination at exactly 2 gamma, and what the printed reading loses."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest

from banditproof.algorithms.environments.fixed_linear import FixedLinear, Noise
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.linear_adversary import LinearAdversary
from banditproof.algorithms.estimators.linear.baselines import LeastSquares
from banditproof.algorithms.mechanisms.client_reports import Clipping, Level, NoisyMean, NoisyReward
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.robust_arm_elimination.constants import (
    FirstThreshold,
    batch_size_parameter,
    default_batches,
    default_truncation_parameter,
    gamma_first_model,
    gamma_second_model,
    growth,
    least_corruption,
    measured_gamma,
    statement_failure,
)
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel, DesignArms, FilterBound
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.interaction import Kernel, NoRandomiser, Pipeline, Replacement, Run, Wire
from banditproof.kernels import CORRUPT, compiled
from banditproof.randomness import key_of
from banditproof.simulation import play

RECORD = (Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.RECEIVED, Wire.STATISTIC)
TWO = FixedLinear(((1.0, 0.0), (0.0, 1.0)), (0.5, 0.25), standard_deviation=0.0)
CIRCLE = np.array([[math.cos(angle), math.sin(angle)] for angle in np.linspace(0.0, math.pi, 12, endpoint=False)])


def batches(run: Run, dimension: int) -> list[tuple[np.ndarray, float, int, np.ndarray]]:
    """theta, gamma, removals and active arms at the end of each batch."""
    released = run.wire(Wire.STATISTIC)
    rows = released[~np.isnan(released[:, 0])]
    return [(row[:dimension], row[dimension], int(row[dimension + 1]), np.flatnonzero(row[dimension + 2 :])) for row in rows]


def test_parameters_by_hand():
    """T = 10^4: B = ceil(9.21) = 10; with B = 4, q = 10 and q^3 = 1000. delta = 0.5 / (5 * 100). A.1: 2 log(1/delta) / n with L = 4."""
    assert default_batches(10_000) == 10 and default_batches(1) == 2
    assert growth(10_000, 4) == pytest.approx(10.0)
    assert batch_size_parameter(10_000, 4, 3) == pytest.approx(1000.0) and batch_size_parameter(10_000, 4, 0) == 1.0
    assert statement_failure(0.5, arms=5, horizon=10) == pytest.approx(0.001)
    assert least_corruption(math.exp(-4), batch_plays=100, assumption_constant=2.0) == pytest.approx(0.08)
    assert default_truncation_parameter(8) == 0.125


def test_thresholds_by_hand():
    """d = 4, epsilon = 2, alpha = 0.04 (root 0.2), L = 4, m = e^5, so L_m = 9; M2 at nu m = 4 and k = 1, so L_k = 4.

    Would catch a root, a factor 2, log(1/delta) in place of log(m/delta), and a constant on the wrong term. In the noise term
    sqrt(4 * 4 / m) = 4 e^-2.5 and 1 + 2 / 2 = 2; the bracket of the corruption is 3 + 9 / 2 = 7.5, and 8.5 with its leading 1.
    """
    common = {"corruption": 0.04, "failure": math.exp(-4)}
    noise, size = 8.0 * math.exp(-2.5), math.exp(5)
    line_9 = gamma_first_model(4, 2.0, size=size, **common)
    assert line_9 == pytest.approx(2 * 7.5 * (0.2 + 0.04 * 2) + 0.04 + noise)
    display_50 = gamma_first_model(4, 2.0, size=size, variant=FirstThreshold.DISPLAY_50, **common)
    assert display_50 == pytest.approx(4 * (0.2 + 0.4 * math.exp(-2.5)) * 8.5 + noise + 0.04)
    weighted = gamma_first_model(4, 2.0, size=size, corruption_constant=3.0, noise_constant=0.5, **common)
    assert weighted == pytest.approx(3 * 4.2 + 0.04 + 0.5 * noise)
    display_48 = measured_gamma(0.5, 2.0, batch_plays=size, **common)
    assert display_48 == pytest.approx(0.5 * (0.2 * size + 0.4 * math.exp(2.5)) * 8.5 + 2 * math.sqrt(2.0) + 0.04)
    at_bound = gamma_first_model(4, 2.0, size=size, variant=FirstThreshold.DISPLAY_48, **common)
    assert at_bound == pytest.approx(measured_gamma(8.0 / size, 2.0, batch_plays=size, **common))
    second = {"size": 8.0, "truncation_parameter": 0.5, "support": 1, **common}
    # sqrt(16 / 4) (1 + sqrt(1) / 2) = 3, and 2 * 4 * (1 + 1 + 4 / (4 * 2)) * (0.2 + 0.4) = 12
    assert gamma_second_model(4, 2.0, **second) == pytest.approx(3 + 12 + 0.04)
    assert gamma_second_model(4, 2.0, leading_one=False, **second) == pytest.approx(3 + 8 * 1.5 * 0.6 + 0.04)
    assert gamma_second_model(4, 2.0, corruption_constant=2.0, noise_constant=3.0, **second) == pytest.approx(9 + 24 + 0.04)
    assert gamma_first_model(4, math.inf, size=size, **common) == pytest.approx(2 * 3 * 0.28 + 0.04 + noise / 2)  # no private term


@pytest.mark.parametrize(
    ("model", "nu", "lengths"),
    [
        (ClientModel.FIRST, None, [5, 5]),  # m = 10, weights 1/2
        (ClientModel.SECOND, 0.7, [7, 7]),
        (ClientModel.SECOND, None, [5, 5]),  # nu = 1 / 2
    ],
)
def test_counts_by_hand(model, nu, lengths):
    """Two unit vectors, T = 100, B = 2: one batch of m = 10, then 90 or 86 rounds of the best arm, 0, of regret 0.

    Would catch a batch for which no rounds were asked, blocks that are one round off, and an exploitation of another arm."""
    policy = RobustArmElimination(math.inf, 0.0, model, batches=2, truncation_parameter=nu, noise_constant=1e-9)
    run = play(Pipeline(policy, TWO), horizon=100, key=key_of(1), record=RECORD)
    assert run.wire(Wire.ARMS).tolist() == [0] * lengths[0] + [1] * lengths[1] + [0] * (100 - sum(lengths))
    assert run.regret[0] == pytest.approx(0.25 * lengths[1])
    theta, gamma, removed, active = batches(run, 2)[0]
    assert theta == pytest.approx([0.5, 0.25]) and gamma < 1e-6 and removed == 0 and active.tolist() == [0]


def test_a_batch_that_exceeds_the_horizon_is_not_started():
    """nu = 1 and two arms, so batch i has 2 ceil(q^i) rounds and two reports. T = 90, B = 3: 10 and 42. T = 40, B = 6: 4, 8 and 14, but not
    the 24 of batch 4, which would end at round 50. T = 3, B = 2: not even 4. Would catch a batch that the horizon cuts in two."""

    def reports(horizon, count):
        policy = RobustArmElimination(math.inf, 0.0, ClientModel.SECOND, batches=count, truncation_parameter=1.0)
        run = play(Pipeline(policy, TWO), horizon=horizon, key=key_of(1), record=RECORD)
        assert np.count_nonzero(~np.isnan(run.wire(Wire.STATISTIC)[:, 0])) == np.count_nonzero(run.wire(Wire.REPORT)[:, 1]) // 2 + 1
        return np.flatnonzero(run.wire(Wire.REPORT)[:, 1]).tolist()

    assert reports(90, 3) == [4, 9, 30, 51]
    assert reports(40, 6) == [1, 3, 7, 11, 18, 25]
    assert reports(3, 2) == []


@pytest.mark.parametrize("model", ClientModel)
@pytest.mark.parametrize("constant", [0.05, 0.15])
def test_elimination_at_exactly_twice_gamma_without_noise(model, constant):
    """theta is exact, so an arm leaves in the first batch whose 2 gamma lies below its gap, and no other does. Would catch gamma for
    2 gamma, and a range that has lost arms."""
    environment = FixedLinear.of(CIRCLE, np.array([0.9, 0.3]), standard_deviation=0.0)
    policy = RobustArmElimination(math.inf, 0.0, model, batches=5, noise_constant=constant)
    run = play(Pipeline(policy, environment), horizon=20_000, key=key_of(1), record=RECORD)
    gaps, ended = environment.means().max() - environment.means(), batches(run, 2)
    assert len(ended) == 5
    for theta, gamma, _, active in ended:
        assert theta == pytest.approx([0.9, 0.3])
        assert np.array_equal(active, np.flatnonzero(gaps <= 2 * gamma))
    assert 1 < len(ended[1][3]) < 12 and len(ended[-1][3]) < len(ended[0][3])


def test_the_printed_range_loses_the_best_arm_without_noise():
    """Without noise, corruption and privacy. As printed the elimination ranges over the coreset: what the design does not play is lost."""
    lost = []
    for angle in np.linspace(0.0, math.pi, 12, endpoint=False):
        environment = FixedLinear.of(CIRCLE, np.array([math.cos(angle), math.sin(angle)]), standard_deviation=0.0)
        best = int(np.argmax(environment.means()))
        for printed in (True, False):
            policy = RobustArmElimination(math.inf, 0.0, batches=4, restrict_to_coreset=printed)
            run = play(Pipeline(policy, environment), horizon=2000, key=key_of(1), record=RECORD)
            _, gamma, _, active = batches(run, 2)[0]
            assert gamma > 1.0  # so that nothing should go in the first batch
            assert printed or best in active
            lost += [best not in active] if printed else []
    assert sum(lost) == 10  # of 12 best arms all but the design's two


@pytest.mark.parametrize(
    ("epsilon", "clipping", "clips"),
    [(1.0, Clipping.REPAIRED, True), (1.0, Clipping.PUBLISHED, False), (math.inf, Clipping.REPAIRED, False)],
)
def test_an_owner_reports_the_mean_of_his_block_once(epsilon, clipping, clips):
    """Would catch a mean over several batches or blocks, clipping of the mean in place of its rewards, and a report when learning ended."""
    environment = FixedLinear.of(CIRCLE[::3], np.array([0.9, 0.3]), standard_deviation=2.0)
    policy = RobustArmElimination(epsilon, 0.0, ClientModel.SECOND, batches=3, clipping=clipping)
    run = play(Pipeline(policy, environment), horizon=300, key=key_of(1), record=RECORD)
    arms, rewards, reports = (run.wire(wire) for wire in (Wire.ARMS, Wire.REWARDS, Wire.REPORT))
    sums = np.clip(rewards, -1, 1) if clips else rewards
    ends, begun = np.flatnonzero(reports[:, 1] > 0), 0
    assert len(ends) == 4
    for end in ends:
        assert len(set(arms[begun : end + 1])) == 1 and reports[end, 1] == end + 1 - begun
        assert reports[end, 0] == pytest.approx(sums[begun : end + 1].mean())
        begun = end + 1
    assert np.isnan(np.delete(reports[:, 0], ends)).all()


@pytest.mark.parametrize(("model", "change"), [(ClientModel.FIRST, 2.0), (ClientModel.SECOND, 2.0 / 50)])
@pytest.mark.parametrize("round", [0, 49, 50])
def test_one_reward_moves_one_report_by_its_sensitivity(model, change, round):
    """One reward from -9 to 9, all random numbers the same: one report of the run moves, by 2 / n = epsilon times its scale. Would catch a
    reward that enters two reports, and clipping behind the mean."""
    policy = RobustArmElimination(0.5, 0.0, model, batches=2, truncation_parameter=0.5 if model is ClientModel.SECOND else None)
    reports = []
    for reward in (-9.0, 9.0):
        pipeline = Pipeline(policy, TWO, policy.randomiser(), replacement=Replacement(round, (reward, reward)))
        reports.append(play(pipeline, horizon=10_000, key=key_of(3), record=(Wire.REPORT,)).wire(Wire.REPORT)[:100, 0])
    moved = reports[1] - reports[0]
    assert np.count_nonzero(np.nan_to_num(moved)) == 1
    place = round if model is ClientModel.FIRST else 49 if round < 50 else 99
    assert moved[place] == pytest.approx(change)


def test_estimate_is_least_squares_of_what_was_heard():
    """The observed lambda removes nothing, so Algorithm 1 as printed is least squares; the second model has a row per arm, weighted if
    asked so. Would catch reports of other rounds, and rows of another order."""
    environment = FixedLinear.of(np.random.default_rng(3).normal(size=(6, 3)) / 2, np.array([0.5, -0.2, 0.3]))
    corruption = Huber(0.2, high=30.0, wire=Wire.REPORT)
    for model, weighted in ((ClientModel.FIRST, False), (ClientModel.SECOND, False), (ClientModel.SECOND, True)):
        thetas = []
        for options in (
            {"filter_bound": FilterBound.OBSERVED},
            {"filter_bound": FilterBound.GIVEN, "filter_value": math.inf},
            {"estimator": LeastSquares()},
        ):
            policy = RobustArmElimination(1.0, 0.2, model, batches=3, weighted=weighted, **options)
            run = play(Pipeline(policy, environment, policy.randomiser(), corruption), horizon=3000, key=key_of(2), record=RECORD)
            thetas.append(batches(run, 3)[0][0])
        last = int(np.flatnonzero(~np.isnan(run.wire(Wire.STATISTIC)[:, 0]))[0]) + 1
        arms, received = run.wire(Wire.ARMS)[:last], run.wire(Wire.RECEIVED)[:last, 0]
        counts = np.bincount(arms, minlength=6)
        ends = np.flatnonzero(np.diff(arms, append=-1)) if model is ClientModel.SECOND else np.arange(last)
        weights = np.sqrt(counts[arms[ends]]) if weighted else np.ones(ends.size)
        expected = np.linalg.lstsq(environment.table()[arms[ends]] * weights[:, None], received[ends] * weights, rcond=None)[0]
        assert all(theta == pytest.approx(expected) for theta in thetas)


@pytest.mark.parametrize("model", ClientModel)
def test_clipping_costs_a_bias_where_rewards_are_unbounded(model):
    """The mean 0.5 of N(0.5, 1) clipped to [-1, 1] is 0.332; bounded rewards of the same mean have no bias. With 4,000 rewards per arm the
    mean error of two arms has deviation 0.014 at most: a line fails by chance with probability 2e-8. Would catch clipping that does
    nothing, and clipping of the owner's mean."""
    errors = []
    for noise, clipping in ((Noise.GAUSSIAN, Clipping.REPAIRED), (Noise.GAUSSIAN, Clipping.PUBLISHED), (Noise.SIGNS, Clipping.REPAIRED)):
        environment = FixedLinear(((1.0, 0.0), (0.0, 1.0)), (0.5, 0.5), noise)
        policy = RobustArmElimination(4.0, 0.0, model, batches=4, clipping=clipping)
        run = play(Pipeline(policy, environment, policy.randomiser()), horizon=160_000, key=key_of(4), record=(Wire.STATISTIC,))
        errors.append(float(batches(run, 2)[2][0].mean()) - 0.5)
    assert errors == pytest.approx([-0.168, 0.0, 0.0], abs=0.08)


def test_filter_removes_what_least_squares_believes():
    """20 % of the reports are 1e6: least squares is off by more than 1e4, the filter with the range of Lemma 3.3 by less than 1."""
    environment, errors = FixedLinear.of(CIRCLE, np.array([0.9, 0.3])), []
    for bound in (FilterBound.OBSERVED, FilterBound.RANGE):
        policy = RobustArmElimination(math.inf, 0.2, batches=2, filter_bound=bound)
        run = play(
            Pipeline(policy, environment, corruption=Huber(0.2, 1e6, wire=Wire.REPORT)), horizon=40_000, key=key_of(5), record=RECORD
        )
        theta, _, removed, _ = batches(run, 2)[0]
        errors.append((float(np.linalg.norm(theta - [0.9, 0.3])), removed))
    assert errors[0][0] > 1e4 and errors[0][1] == 0
    assert errors[1][0] < 1.0 and errors[1][1] > 10


def _break(setup, memory, round, key, arm, values):
    values[0] = math.nan if round % 3 == 0 else math.inf


broken = compiled(_break, CORRUPT)


@dataclass(frozen=True)
class Unreadable:
    kernel: Kernel = field(default=broken, init=False, repr=False)
    wire: Wire = field(default=Wire.REPORT, init=False, repr=False)

    def setup(self):
        return np.zeros(0)

    memory = setup


@pytest.mark.parametrize("model", ClientModel)
def test_reports_that_cannot_be_read_count_as_nothing(model):
    """Would catch a server that an adversary stops with a NaN or an infinite number."""
    policy = RobustArmElimination(1.0, 0.1, model, batches=3)
    run = play(Pipeline(policy, TWO, policy.randomiser(), Unreadable()), horizon=300, key=key_of(1), record=RECORD)
    assert batches(run, 2)[0][0] == pytest.approx([0.0, 0.0])


@pytest.mark.parametrize(("model", "design"), [(ClientModel.FIRST, DesignArms.ALL), (ClientModel.SECOND, DesignArms.ACTIVE)])
def test_compiled_stepwise_and_blocks_play_the_same_arms(model, design):
    """On 3,000 rounds with an adversary of batches, which conformance's 120 rounds do not reach. Arms span a plane of R^3 alone."""
    flat = np.column_stack([CIRCLE, CIRCLE[:, 0]]) / 2
    environment = FixedLinear.of(flat, np.array([0.5, 0.5, 0.5]), standard_deviation=0.5)
    policy = RobustArmElimination(2.0, 0.05, model, batches=5, design_arms=design, corruption_constant=1e-3, noise_constant=0.02)
    pipeline = Pipeline(policy, environment, policy.randomiser(), LinearAdversary(0.05, (1.0, 0.0, 1.0), 5.0))
    run = play(pipeline, horizon=3000, key=key_of(7), record=tuple(Wire))
    for other in ({"stepwise": True}, {"block": 100}):
        again = play(pipeline, horizon=3000, key=key_of(7), record=tuple(Wire), **other)
        assert all(np.array_equal(run.wire(wire), again.wire(wire), equal_nan=wire not in (Wire.ARMS,)) for wire in Wire)
    ended = batches(run, 3)
    assert len(ended) >= 4 and 1 <= len(ended[-1][3]) < 12


def test_randomiser_is_that_of_the_model():
    assert RobustArmElimination(0.5).randomiser() == NoisyReward(0.5)
    assert RobustArmElimination(0.5, model=ClientModel.SECOND).randomiser(level=Level.USER) == NoisyMean(0.5, Level.USER)
    assert RobustArmElimination(math.inf).randomiser() == NoRandomiser()


def test_owners_reports_need_their_order():
    """Would catch an owner's silence that is read as his report."""
    policy = RobustArmElimination(1.0, 0.1, ClientModel.SECOND, batches=3)
    with pytest.raises(ValueError, match=r"reports in another order than their rounds: must be in order"):
        play(Pipeline(policy, TWO, policy.randomiser(), shuffler=UniformShuffler(1)), horizon=500, key=key_of(1))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: RobustArmElimination(0.0), r"epsilon = 0.0: must be > 0"),
        (lambda: RobustArmElimination(1.0, 0.25), r"corruption = 0.25: must be >= 0 and < 0.25"),
        (lambda: RobustArmElimination(1.0, batches=1), r"batches = 1: must be an integer >= 2"),
        (
            lambda: RobustArmElimination(1.0, failure=1e-320).state(2, 0, 10**5),
            r"failure = .*: must be larger for 2 arms and 100000 rounds",
        ),
        (lambda: RobustArmElimination(1.0, failure=0.0), r"failure = 0.0: must be > 0 and <= 1"),
        (lambda: RobustArmElimination(1.0, truncation_parameter=2.0), r"truncation_parameter = 2.0: must be > 0 and <= 1"),
        (lambda: RobustArmElimination(1.0, design_factor=1.0), r"design_factor = 1.0: must be >= 1.001"),
        (lambda: RobustArmElimination(1.0, noise_constant=0.0), r"noise_constant = 0.0: must be > 0"),
        (lambda: RobustArmElimination(1.0, filter_value=1.0), r"filter_value = 1.0: must be None"),
        (lambda: RobustArmElimination(1.0, filter_bound=FilterBound.GIVEN), r"filter_value = None: must be >= 0"),
        (lambda: default_truncation_parameter(0), r"support = 0: must be an integer >= 1"),
        (lambda: gamma_first_model(2, 1.0, corruption=0.1, failure=0.1, size=0.0), r"size = 0.0: must be > 0"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
