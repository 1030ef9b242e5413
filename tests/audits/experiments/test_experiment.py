"""The machinery of `reproduce`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.audits.experiments.experiment import (
    FALSE_ALARM,
    Comparison,
    Computed,
    Finding,
    Outcome,
    Share,
    compared,
    inside,
    sign_tail,
    spread,
    summary,
)


@given(hits=st.integers(0, 60), misses=st.integers(0, 60))
def test_the_sign_test_is_the_binomial_tail(hits, misses):
    """Would catch a strict inequality, or a tail on the wrong side: SciPy's exact test."""
    expected = 1.0 if hits + misses == 0 else stats.binomtest(hits, hits + misses, 0.5, alternative="greater").pvalue
    assert sign_tail(hits, misses) == pytest.approx(expected, rel=1e-12)


def test_an_outcome_needs_each_of_its_comparisons():
    """Would catch an outcome that is reproduced by its average, one that no data can contradict, and a rate that is not shared."""
    clear, even, against = Comparison("", 30, 0), Comparison("", 16, 14), Comparison("", 2, 28)
    assert Outcome("", "", (clear, clear)).finding() is Finding.REPRODUCED
    assert Outcome("", "", (clear, even)).finding() is Finding.NOT_DECIDED
    assert Outcome("", "", (clear, against)).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", (Comparison("", 0, 0),)).finding() is Finding.NOT_DECIDED
    slightly = Comparison("", 20, 10)  # p = 0.049 alone, not against twenty
    assert slightly.supported(FALSE_ALARM)
    assert Outcome("", "", (Comparison("", 10, 20),)).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", (*(clear,) * 19, Comparison("", 10, 20))).finding() is Finding.NOT_DECIDED
    assert Outcome("", "", (clear, clear, against), Share.MOST).finding() is Finding.REPRODUCED
    assert Outcome("", "", (clear, against, against), Share.MOST).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", (clear, even, even), Share.MOST).finding() is Finding.NOT_DECIDED


def test_what_runs_cannot_speak_about_is_not_decided():
    """Would catch a reason that is not said, and an outcome without comparisons that counts as reproduced."""
    clear, against = Comparison("", 30, 0), Comparison("", 2, 28)
    for each in (clear, against):
        outcome = Outcome("i", "", (each,), undecided="too short")
        assert outcome.finding() is Finding.NOT_DECIDED
        assert outcome.statistics().startswith("too short; supported") and outcome.describe()["undecided"] == "too short"
    assert Outcome("i", "", (), undecided="too short").statistics() == "too short"
    with pytest.raises(ValueError, match="outcome i: must have comparisons, or say why it has none"):
        Outcome("i", "", ())


def test_a_range_is_two_comparisons():
    """Would catch an end that is not looked at: ten values inside, outside on either side, and half of them outside."""
    ten = np.full(10, 2.0)
    assert Outcome("", "", inside("slope", ten, 1.5, 2.5)).finding() is Finding.REPRODUCED
    assert Outcome("", "", inside("slope", ten + 1.0, 1.5, 2.5)).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", inside("slope", ten - 1.0, 1.5, 2.5)).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", inside("slope", ten + 0.5 + np.resize([-0.1, 0.1], 10), 1.5, 2.5)).finding() is Finding.NOT_DECIDED
    assert [each.name for each in inside("slope", ten, 1.5, 2.5)] == ["1.5 < slope", "slope < 2.5"]


def test_computed_numbers_are_decided():
    """Would catch a sign test of numbers that no run has drawn."""
    assert Outcome("", "", (Computed("", 1.0, 2.0), Computed("", 2.0, 2.0))).finding() is Finding.REPRODUCED
    assert Outcome("", "", (Computed("", 1.0, 2.0), Computed("", 2.1, 2.0))).finding() is Finding.NOT_REPRODUCED
    assert Outcome("", "", (Computed("a", 1.0, 2.0),)).describe()["comparisons"] == [{"name": "a", "smaller": 1.0, "larger": 2.0}]


def test_false_findings_are_as_rare_as_stated():
    """Would catch an error rate above the stated one: 2000 outcomes of 9 even comparisons of 30 pairs each."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(2000):
        below = rng.binomial(30, 0.5, 9)
        found = Outcome("", "", tuple(Comparison("", int(each), 30 - int(each)) for each in below)).finding()
        wrong += found is not Finding.NOT_DECIDED
    assert wrong <= stats.binom.ppf(1 - 1e-6, 2000, 2 * FALSE_ALARM)


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50))
def test_a_summary_holds_its_own_centre(values):
    """Would catch an interval of order statistics off by one, beyond the data, or around another number than the median."""
    found = summary(np.array(values))
    assert found.mean_low <= found.mean <= found.mean_high
    assert min(values) <= found.median_low <= found.median <= found.median_high <= max(values)


@pytest.mark.parametrize("runs", [2, 5, 6, 9, 30, 31, 100])
def test_the_medians_interval_covers(runs):
    """Its exact coverage is 1 - 2 P(Bin(R, 1/2) <= left out on a side); one more left out would cover less than 95 %."""
    found = summary(np.arange(runs, dtype=float))
    left_out = int(found.median_low)
    assert found.median_high == runs - 1 - left_out
    covers = 1.0 - 2.0 * stats.binom.cdf(left_out, runs, 0.5)
    assert covers >= 0.95 or left_out == 0
    assert 1.0 - 2.0 * stats.binom.cdf(left_out + 1, runs, 0.5) < 0.95


def test_pairs_and_spread():
    assert compared("", np.array([1.0, 2.0, 3.0, 3.0]), np.array([2.0, 2.0, 1.0, 5.0])) == Comparison("", 2, 1)
    assert spread(np.array([1.0, 2.0, 9.0])).tolist() == [1.0, 0.0, 7.0]
