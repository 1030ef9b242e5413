"""What the audits read off a run of robust arm elimination: blocks, batches, reports."""

import itertools
import math

import numpy as np
import pytest

from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.mechanisms.client_reports import Level
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.papers.charisopoulos_2023.cases.privacy import all_changed, one_changed, second
from banditproof.audits.papers.charisopoulos_2023.run_log import leverage_of, logged, rank_of
from banditproof.audits.papers.charisopoulos_2023.wire_reports import WireReport, blocks
from banditproof.randomness import key_of


def test_blocks_by_hand() -> None:
    """Would catch two blocks of one arm in neighbouring batches taken for one, and a last block that is lost."""
    released = np.array([False, False, True, False, False, False])
    first, last = blocks(np.array([4, 1, 1, 1, 2, 2]), released)
    assert first.tolist() == [0, 1, 3, 4] and last.tolist() == [0, 2, 3, 5]


def test_leverage_by_hand() -> None:
    """3 plays of e1, none of e2: the leverage of e1 is 1/3, and e2 is not estimated at all. Would catch a pseudo-inverse that hides it."""
    assert leverage_of(np.array([[1.0, 0.0], [2.0, 0.0]]), np.array([3.0, 0.0])) == pytest.approx(4.0 / 3.0)
    assert leverage_of(np.eye(2), np.array([3.0, 0.0])) == math.inf
    assert rank_of(np.array([[1.0, 0.0], [2.0, 0.0]])) == 1


@pytest.mark.parametrize("model", ClientModel)
def test_a_log_covers_every_round(model: ClientModel) -> None:
    """Would catch batches that overlap or leave a round out, and arms before a batch that are not those after the one before."""
    environment = FixedLinear.of(np.eye(3), np.array([0.5, 0.2, 0.1]), standard_deviation=0.1)
    policy = RobustArmElimination(math.inf, 0.0, model, batches=4, noise_constant=0.05)
    found = logged(policy, environment, 500, key_of(1))
    every = [*found.learned, found.exploited]
    assert [batch.first for batch in every] == [0, *(batch.last + 1 for batch in every[:-1])] and every[-1].last == 499
    assert sum(int(batch.counts.sum()) for batch in every) == 500 == sum(batch.plays for batch in every)
    assert all(np.array_equal(one.after, other.before) for one, other in itertools.pairwise(every))


@pytest.mark.parametrize(
    ("level", "pair", "distance"), [(Level.EVENT, one_changed(3, -1.0, 1.0), 2.0 / 3.0), (Level.USER, all_changed(3, -1.0, 1.0), 2.0)]
)
def test_reports_of_a_run_are_those_of_the_rewards(
    level: Level, pair: tuple[tuple[float, ...], tuple[float, ...]], distance: float
) -> None:
    """By the same random numbers, whose noise is the same: would catch rewards that were put into other blocks, or clipped away."""
    mechanism = WireReport(second(1.0), 3, level, pair)
    one, other = (mechanism.release(rewards, 100, np.random.default_rng(1)) for rewards in pair)
    assert other - one == pytest.approx(np.full((100, 1), distance))
