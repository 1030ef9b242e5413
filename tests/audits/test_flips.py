"""What one reward changes in what is released: against sums that are known."""

import numpy as np
import pytest

from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common.flips import changes, difference, released
from banditproof.interaction import Pipeline, Table
from banditproof.randomness import generator, key_of


@pytest.mark.parametrize("round", [0, 3, 9])
def test_a_sum_changes_by_the_reward_from_its_round_on(round: int) -> None:
    """Would catch arms that are not kept, another round, and rows after the policy's own choice is another one."""
    pipeline = Pipeline(UCB1(), Table(generator(key_of(1)).random((12, 2))))
    sums, arms, rewards = released(pipeline, 12, key_of(2))
    assert sums[-1].sum() == pytest.approx(rewards.sum())
    rows = difference(pipeline, key_of(2), sums, arms, round, 0.25)
    expected = np.zeros((12, 2))
    expected[round:, arms[round]] = 0.25 - rewards[round]
    assert round < len(rows) <= 12 and rows == pytest.approx(expected[: len(rows)])
    assert len(changes(rows, [0, 1])) == 1


def test_each_release_that_changes_is_counted_once() -> None:
    """Would catch a change that is counted for every round that shows it, and a second release that is missed."""
    rows = np.array([[0.0], [0.5], [0.5], [0.0], [0.25], [0.25]])
    assert [float(row[0]) for row in changes(rows, [0])] == [0.5, 0.25]
