"""From which horizon on a bound of Wu et al. 2023 says something: below the trivial one."""

import pytest

from banditproof.audits.methods.vacuity import smallest_horizon
from banditproof.theory.papers.wu_2023.elimination import REGRET_CLEAN_EXPLICIT


@pytest.mark.parametrize("moment", [2, 3])
def test_vacuity_finds_the_first_useful_horizon(moment: int) -> None:
    """Would catch a search that stops one horizon early or late."""

    def bound(horizon: int) -> float:
        return REGRET_CLEAN_EXPLICIT.at(horizon=horizon, arms=2, epsilon=1, moment=moment).bound

    first = smallest_horizon(bound, 2.0)
    assert first is not None
    assert bound(first) < 2.0 * first
    assert bound(first - 1) >= 2.0 * (first - 1)
