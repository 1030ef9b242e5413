"""From which horizon on a bound says something: below the trivial one."""

import pytest

from banditproof.audits.methods.vacuity import Vacuity, smallest_horizon
from banditproof.audits.running.audit import Request
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.papers.auer_2002 import UCB1_REGRET, arm_sums


@pytest.mark.parametrize("gap", ["0.5", "0.1"])
def test_vacuity_finds_the_first_useful_horizon(gap: str) -> None:
    """Would catch a search that stops one horizon early or late."""

    def bound(horizon: int) -> float:
        return UCB1_REGRET.at(horizon=horizon, **arm_sums(("0", gap))).bound

    first = smallest_horizon(bound, float(gap))
    assert first is not None and first > 2
    assert bound(first) < float(gap) * first
    assert bound(first - 1) >= float(gap) * (first - 1)


def test_vacuity_says_where_there_is_none() -> None:
    """Would catch a search without an end."""
    found = Vacuity(lambda horizon: 2.0 * horizon, 1.0, most=10**6).measure(Request(0.0, 0, ()))
    assert found.verdict is Verdict.VACUOUS
