"""RUCB: its running medians against a plain sort, its choices against the formula, and the steps of a running median."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.policies import median_ucb
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.interaction import Pipeline, Table, Wire
from banditproof.kernels import plain
from banditproof.randomness import key_of
from banditproof.simulation import play

VALUES = st.floats(-9.0, 9.0) | st.sampled_from([0.0, 1.0, -1.0, math.inf, -math.inf])


@pytest.mark.parametrize("form", [median_ucb.insert, plain(median_ucb.insert)], ids=("compiled", "plain"))
@given(values=st.lists(VALUES, min_size=1, max_size=60), spare=st.integers(0, 3))
def test_the_running_median_is_that_of_a_sort(form, values, spare):
    """Would catch a heap that is not one, a lower middle value in place of the upper, and a row that overflows or loses a value."""
    row = np.full(len(values) + spare, np.nan)
    for count, value in enumerate(values):
        assert form(row, count, value) == sorted(values[: count + 1])[(count + 1) // 2]
    assert sorted(row[~np.isnan(row)]) == sorted(values)


def test_a_long_random_row():
    """Would catch an error that needs deep heaps."""
    rng = np.random.default_rng(7)
    values, row, ordered = rng.standard_cauchy(5000), np.zeros(5000), []
    for count, value in enumerate(values):
        ordered = sorted([*ordered, value])
        assert median_ucb.insert(row, count, value) == ordered[(count + 1) // 2]


@given(
    variance=st.sampled_from([0.1, 1.0, 7.0]),
    contamination=st.sampled_from([0.0, 0.1]),
    arms=st.integers(2, 5),
    horizon=st.integers(1, 300),
    seed=st.integers(0, 2**32),
)
def test_the_choices_are_those_of_the_index(variance, contamination, arms, horizon, seed):
    """Would catch a mean for a median, log t of another t, and ties that go to the last arm."""
    rewards = np.round(np.random.default_rng(seed).standard_t(2.1, (horizon, arms)), 1)
    run = play(
        Pipeline(MedianUCB(variance, contamination), Table(rewards)), horizon=horizon, key=key_of(seed), record=(Wire.ARMS, Wire.STATISTIC)
    )
    seen: list[list[float]] = [[] for _ in range(arms)]
    for round, arm in enumerate(run.wire(Wire.ARMS)):
        if round < arms:
            assert arm == round
        else:
            index = [
                sorted(each)[len(each) // 2] + math.sqrt(variance * math.log(round) / len(each)) + math.sqrt(variance) * contamination
                for each in seen
            ]
            assert index[arm] >= max(index) - 1e-12
            assert all(index[other] < index[arm] + 1e-12 for other in range(arm))
        seen[arm].append(rewards[round, arm])
        medians = [sorted(each)[len(each) // 2] if each else 0.0 for each in seen]
        assert run.wire(Wire.STATISTIC)[round].tolist() == medians


def test_outliers_hardly_move_it(seed):
    """Would catch a mean: a tenth of rewards at 1e9, on the worse arm alone, leave the better arm ahead."""
    rng = np.random.default_rng(seed)
    rewards = np.array([1.0, 0.0]) + rng.normal(0.0, 0.5, (4000, 2))
    rewards[rng.random(4000) < 0.1, 1] = 1e9
    run = play(Pipeline(MedianUCB(0.25, 0.1), Table(rewards)), horizon=4000, key=key_of(seed))
    assert np.count_nonzero(run.wire(Wire.ARMS) == 0) > 3000


@pytest.mark.parametrize("stepwise", [False, True])
def test_a_reward_that_is_no_number_is_refused(stepwise):
    with pytest.raises(ValueError, match="a reward is NaN"):
        play(Pipeline(MedianUCB(1.0), Table(np.full((5, 2), np.nan))), horizon=5, key=key_of(1), stepwise=stepwise)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: MedianUCB(0.0), r"variance = 0.0: must be > 0"),
        (lambda: MedianUCB(1.0, 0.5), r"true_contamination = 0.5: must be >= 0 and < 0.5"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()
