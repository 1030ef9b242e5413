"""PRAE-R: golden values of its schedule, its readings and what it refuses. Its runs: test_elimination_kernels.py."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.estimators.truncated_mean import MERGED_EPSILON
from banditproof.algorithms.policies.elimination.robust import (
    Reading,
    RobustElimination,
    batch_size,
    call_failure,
    epoch_radius,
    epoch_truncation,
    last_epoch,
    threshold,
)
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Pipeline, Table
from banditproof.randomness import key_of
from banditproof.simulation import play


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


def test_nothing_is_repaired_under_contamination():
    """Would catch a repair where none is needed: the printed radius holds there at every epsilon."""
    for epsilon in (0.5, 4.0, 100.0):
        printed, repaired = (
            RobustElimination(epsilon, contamination=0.02, reading=reading).state(3, 0, 10_000)
            for reading in (Reading.PUBLISHED, Reading.REPAIRED)
        )
        assert np.array_equal(printed.twice_radii, repaired.twice_radii) and np.array_equal(printed.truncations, repaired.truncations)
    wide, narrow = (RobustElimination(epsilon, contamination=0.02).state(2, 0, 10_000).twice_radii[-1, 2] for epsilon in (1.5, 100.0))
    assert wide > 1.05 * narrow  # what the repair would have cost


def test_readings_differ_beyond_the_merged_epsilon_alone():
    for epsilon in (0.5, MERGED_EPSILON, 4.0):
        printed, repaired = (
            RobustElimination(epsilon, reading=reading).state(3, 0, 1000) for reading in (Reading.PUBLISHED, Reading.REPAIRED)
        )
        same = np.array_equal(printed.twice_radii, repaired.twice_radii) and np.array_equal(printed.truncations, repaired.truncations)
        assert same == (epsilon <= MERGED_EPSILON)
    large, merged = (RobustElimination(epsilon).state(3, 0, 1000) for epsilon in (4.0, MERGED_EPSILON))
    assert np.array_equal(large.truncations, merged.truncations)
    assert large.scales * 4.0 == pytest.approx(merged.scales * MERGED_EPSILON)  # the noise is that of epsilon


def test_guarantee():
    assert RobustElimination(0.5).guarantee() == PureDP(0.5, NeighbouringRelation.REPLACE_REWARD, View.CENTRAL)


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
