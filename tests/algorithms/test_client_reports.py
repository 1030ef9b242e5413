"""Reports of clients in private linear bandits: scales and losses by hand, what is clipped, and the noise's distribution."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.algorithms.mechanisms.client_reports import (
    Clipping,
    Level,
    NoisyMean,
    NoisyReward,
    OwnerReport,
    level_epsilon,
    report_loss,
    report_scale,
    reported_mean,
)
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.kernels import plain


def sent(randomiser, message: list[float], round: int) -> np.ndarray:
    report = np.full(randomiser.messages(len(message)), np.inf)
    plain(randomiser.kernel)(randomiser.setup(), np.array([3, 4, 5], dtype=np.uint64), round, np.array(message), report)
    return report[0]


def test_scales_by_hand():
    """epsilon = 1/2: 2 / epsilon = 4 for one reward; of ten, 4 / 10 for one and 4 for all. Would catch the range 1, and n forgotten."""
    assert report_scale(0.5) == 4.0
    assert report_scale(0.5, 10) == pytest.approx(0.4)
    assert report_scale(0.5, 10, level=Level.USER) == 4.0
    assert level_epsilon(0.5, 10, calibrated=Level.EVENT, level=Level.USER) == pytest.approx(5.0)
    assert level_epsilon(0.5, 10, calibrated=Level.USER, level=Level.EVENT) == pytest.approx(0.05)
    assert OwnerReport(0.5, 10).guarantee() == PureDP(0.5, NeighbouringRelation.REPLACE_RECORD)
    assert OwnerReport(0.5, 10).guarantee_at(Level.USER) == PureDP(5.0, NeighbouringRelation.ANY_PAIR)
    assert NoisyMean(0.5).guarantee() == PureDP(0.5, NeighbouringRelation.REPLACE_REWARD, View.LOCAL)
    assert NoisyMean(0.5, Level.USER).guarantee() == NoisyReward(0.5).guarantee() == PureDP(0.5, NeighbouringRelation.ANY_PAIR, View.LOCAL)


def test_unbounded_rewards_break_the_published_report():
    """One reward from -3 to 3 among ten: the mean moves by 0.6, the scale is 0.4, the loss 1.5 = 3 epsilon. Clipped: epsilon."""
    dataset, neighbour = [-3.0] + [0.5] * 9, [3.0] + [0.5] * 9
    assert report_loss(dataset, neighbour, 0.5, clipping=Clipping.PUBLISHED) == pytest.approx(1.5)
    assert report_loss(dataset, neighbour, 0.5) == pytest.approx(0.5)
    assert reported_mean([-3.0, 2.0, 0.5]) == pytest.approx(0.5 / 3)  # clipping the mean instead gives -0.5 / 3
    assert reported_mean([-3.0, 2.0, 0.5], Clipping.PUBLISHED) == pytest.approx(-0.5 / 3)


@given(
    rewards=st.lists(st.floats(-5.0, 5.0), min_size=1, max_size=8),
    others=st.lists(st.floats(-5.0, 5.0), min_size=8, max_size=8),
    place=st.integers(0, 7),
    epsilon=st.floats(0.1, 4.0),
    level=st.sampled_from(Level),
)
def test_no_pair_loses_more_than_the_guarantee(rewards, others, place, epsilon, level):
    """Would catch a sensitivity that is too small at either level, for either calibration; the worst pairs attain it."""
    count = len(rewards)
    one = [others[0] if index == place % count else each for index, each in enumerate(rewards)]
    for calibrated in Level:
        mechanism = OwnerReport(epsilon, count, calibrated)
        neighbour = one if level is Level.EVENT else others[:count]
        bound = mechanism.guarantee_at(level).epsilon
        assert report_loss(rewards, neighbour, epsilon, calibrated=calibrated) <= bound * (1 + 1e-12)
        worst = mechanism.neighbours_at(level).worst[0]
        assert report_loss(*worst, epsilon, calibrated=calibrated) == pytest.approx(bound)


@pytest.mark.parametrize("clipping", Clipping)
def test_clients_clip_before_the_noise(clipping):
    """The same noise about another centre. Would catch clipping of the noisy report, and of a mean that nobody clipped before."""
    reward, mean = NoisyReward(0.5, clipping), NoisyMean(0.5, clipping=clipping)
    shift = 1.0 if clipping is Clipping.REPAIRED else 7.0
    assert sent(reward, [7.0], 3) - sent(reward, [0.0], 3) == pytest.approx([shift])
    assert sent(mean, [7.0, 5.0], 3) - sent(mean, [0.0, 5.0], 3) == pytest.approx([shift])


def test_kernels_add_the_noise_of_their_model(rng):
    """Kolmogorov and Smirnov at 1e-6 over 20,000 reports each (it sees a scale that is off by 5 %). Would catch noise that is averaged with
    the rewards (scale 4 / sqrt(10)), or that ignores n."""
    cases = [
        (NoisyReward(0.5), [0.25], 4.0),
        (NoisyMean(0.5), [0.25, 10.0], 0.4),
        (NoisyMean(0.5, Level.USER), [0.25, 10.0], 4.0),
        (NoisyMean(0.5), [0.25, 1.0], 4.0),
    ]
    for randomiser, message, scale in cases:
        reports = np.array([sent(randomiser, message, round)[0] for round in range(20_000)])
        assert stats.kstest(reports, "laplace", args=(0.25, scale)).pvalue > 1e-6
    released = OwnerReport(0.5, 10).release([0.25] * 10, 20_000, rng)[:, 0]
    assert stats.kstest(released, "laplace", args=(0.25, 0.4)).pvalue > 1e-6


def test_an_owner_without_rewards_sends_nothing():
    """Would catch a report in the rounds before the block's last one, and a division by n = 0."""
    assert math.isnan(sent(NoisyMean(0.5), [math.nan, 0.0], 1)[0])
    assert NoisyMean(0.5).messages(2) == (1, 1) and NoisyMean(0.5).messages(3) == (1, 3)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: NoisyReward(0.0), r"epsilon = 0.0: must be > 0"),
        (lambda: NoisyMean(-1.0), r"epsilon = -1.0: must be > 0"),
        (lambda: OwnerReport(1.0, 0), r"arm_plays = 0: must be an integer >= 1"),
        (lambda: OwnerReport(1.0, 2).release([0.5], 1, np.random.default_rng(0)), r"data of shape \(1,\): must be \(2,\)"),
        (lambda: report_loss([0.5], [0.5, 0.5], 1.0), r"1 and 2 rewards: must be as many"),
        (lambda: reported_mean([]), r"rewards of shape \(0,\): must be \(n,\) with n >= 1"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
