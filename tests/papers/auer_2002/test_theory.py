"""UCB1's regret bound: by hand, arm by arm, and its sums over arms."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.theory.language import OutsideDomain
from banditproof.theory.papers.auer_2002 import UCB1_PULLS, UCB1_REGRET, arm_sums

GAPS = st.lists(st.one_of(st.just(Fraction(0)), st.fractions(Fraction(1, 1000), 1, max_denominator=10**6)), min_size=1, max_size=12)


def test_golden_values():
    # log 1000 = 6.907755278982137; 1/0.1 + 1/0.3 = 40/3; 8 * 6.907755278982137 * 40/3 = 736.8272297580947
    # 1 + pi^2/3 = 4.289868133696453, times 0.4 = 1.7159472534785812
    regret = UCB1_REGRET.at(horizon=1000, **arm_sums(["0", "0.1", "0.3"]))
    assert regret.bound == pytest.approx(738.5431770115733, rel=1e-13)
    # 8 * 6.907755278982137/0.01 + 4.289868133696453
    assert UCB1_PULLS.at(horizon=1000, gap="0.1").bound == pytest.approx(5530.494091319406, rel=1e-13)
    # one round: log 1 = 0
    assert UCB1_PULLS.at(horizon=1, gap=1).bound == pytest.approx(1 + math.pi**2 / 3, rel=1e-15)


@given(st.integers(1, 10**9), GAPS)
def test_regret_is_gap_times_pulls_summed(horizon, gaps):
    """Would catch a regret bound that does not follow from the pulls."""
    positive = [gap for gap in gaps if gap]
    if not positive:
        with pytest.raises(OutsideDomain, match="one at least must be positive"):
            arm_sums(gaps)
        return
    total = sum(float(gap) * UCB1_PULLS.at(horizon=horizon, gap=gap).bound for gap in positive)
    assert UCB1_REGRET.at(horizon=horizon, **arm_sums(gaps)).bound == pytest.approx(total, rel=1e-10)


def test_sums_are_exact_and_checked():
    assert arm_sums([0, "1/3", 0.25]) == {"inverse_gaps": Fraction(7), "total_gap": Fraction(7, 12)}
    with pytest.raises(OutsideDomain, match=r"gaps\[1\] = 1\.5: must be >= 0 and <= 1"):
        arm_sums([0, 1.5])
    with pytest.raises(OutsideDomain, match=r"gaps\[0\] = 'x': must be a number"):
        arm_sums(["x"])


def test_the_steps_leave_nothing_out_of_the_sum_over_rounds():
    """The closed form of the last sum is the sum itself: by adding it up."""
    step = next(step for step in UCB1_REGRET.steps if step.id == "sum_over_rounds")
    (horizon,) = step.left.free_symbols
    for rounds in (1, 2, 17, 300):
        assert float(step.left.subs(horizon, rounds).evalf(30)) == pytest.approx(sum(2 / t**2 for t in range(1, rounds + 1)), rel=1e-12)
