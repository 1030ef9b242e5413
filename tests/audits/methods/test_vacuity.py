"""From which horizon on a bound says something: below the trivial one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof.audits.methods.vacuity import Vacuity, smallest_horizon
from banditproof.audits.running import registry
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


def test_a_claimed_horizon_is_looked_at() -> None:
    """Would catch a horizon beyond those that are looked at that is refuted unseen, and "not below it" of a bound that is, for a while."""
    for claimed in (1, 20_000):
        with pytest.raises(ValueError, match=rf"claimed = {claimed}: must be from 2 to 1e\+04 rounds"):
            Vacuity(lambda horizon: 1.0, 1.0, claimed=claimed, most=10_000)
    rises = Vacuity(lambda horizon: 10.0 * horizon**0.5 * (3.0 if horizon >= 128 else 1.0), 1.0, claimed=120, most=10**6)
    found = rises.measure(Request(0.0, 0, ()))
    assert found.verdict is Verdict.REFUTED
    assert "0.9129 times" in found.message and "no longer below it at a later horizon, before 901" in found.message


def test_a_bound_that_is_no_number_says_nothing() -> None:
    """Would catch NaN that passes for a small bound."""
    assert Vacuity(lambda horizon: float("nan"), 1.0, most=1000).measure(Request(0.0, 0, ())).verdict is Verdict.VACUOUS


@given(steps=st.lists(st.floats(0.01, 3.0), min_size=1, max_size=12), base=st.floats(1.0, 200.0))
@settings(max_examples=60)
def test_a_bound_that_jumps_up_at_a_new_level_counts_from_its_last_fall(steps: list[float], base: float) -> None:
    """Against a walk over all horizons: would catch a threshold above which the bound is trivial again, where a level is added."""

    def bound(horizon: int) -> float:
        level = horizon.bit_length() - 1
        return base * (1.0 + sum(steps[: level - 1]))  # constant between powers of two, where it jumps up

    trivial = [horizon for horizon in range(2, 5001) if bound(horizon) >= 0.5 * horizon]
    expected = None if 5000 in trivial else max(trivial, default=1) + 1
    assert smallest_horizon(bound, 0.5, most=5000) == expected


VACUITIES = {id: audit.method for id, audit in registry.every(registry.audits).items() if isinstance(audit.method, Vacuity)}


@pytest.mark.parametrize("id", VACUITIES or ["none here"])
def test_a_threshold_is_right_at_every_jump_up_to_a_billion_rounds(id: str) -> None:
    """Walks powers of two, and one more than each: would catch "from n rounds on" where a new level makes the bound trivial once more."""
    if not VACUITIES:  # where the papers that have such audits were deleted
        return
    method = VACUITIES[id]
    first = smallest_horizon(method.bound, method.largest_gap, least=method.least, most=method.most)
    if first is None:
        return
    starts = [start for power in range(1, 31) for start in (2**power, 2**power + 1) if first <= start <= 10**9]
    assert [start for start in (first, *starts) if method.bound(start) >= start * method.largest_gap] == []
    assert first == method.least or method.bound(first - 1) >= (first - 1) * method.largest_gap
