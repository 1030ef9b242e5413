"""Numbers as a reader sees them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.reporting.table import at_least, at_most, bounds, claim, compact, count, detectable, number
from banditproof.audits.statistics.evidence import Measurement, Verdict

VALUES = st.floats(1e-12, 1e12)


@given(VALUES)
def test_bounds_are_rounded_to_the_safe_side(value: float) -> None:
    """Would catch a lower bound that looks larger than it is."""
    assert float(at_least(value)) <= value <= float(at_most(value))
    assert float(at_most(value)) <= value * 1.0011


@given(VALUES, st.floats(1e-15, 1e-3))
def test_a_refuting_bound_is_seen_to_lie_above_the_claim(claimed: float, excess: float) -> None:
    """Would catch "refuted: measured at least 1, claimed at most 1"."""
    low = claimed * (1 + excess)
    if low > claimed:
        assert float(at_least(low, claimed)) > claimed


@pytest.mark.parametrize(
    ("value", "shown"), [(1.0, "1"), (0.05, "0.05"), (1e-5, "1e-05"), (1234567.0, "1.235e+06"), (float("inf"), "inf"), (None, "")]
)
def test_numbers_have_four_digits(value: float | None, shown: str) -> None:
    assert number(value) == shown


@pytest.mark.parametrize(
    ("samples", "shown"), [(0, ""), (950, "950"), (40_000, "40k"), (200_000, "200k"), (2_000_000, "2M"), (10**9, "1G")]
)
def test_samples_fit_a_narrow_column(samples: int, shown: str) -> None:
    assert count(samples) == shown


def test_a_claim_from_below_reads_the_other_way() -> None:
    """Would catch "failure <= 0.01" for a statement that says at least."""
    measured = Measurement(Verdict.NOT_REFUTED, quantity="failure", claimed=0.01, detectable=0.005, detail={"sense": ">="})
    assert claim(measured) == "failure ≥ 0.01"
    assert detectable(measured) == "≤ 0.005"


def test_what_was_measured_is_an_interval_where_both_ends_bound_the_same_thing() -> None:
    measured = Measurement(Verdict.NOT_REFUTED, quantity="failure", low=0.00312345, high=0.00812345)
    assert bounds(measured) == "0.003123 … 0.008124"
    measured = Measurement(Verdict.NOT_REFUTED, quantity="epsilon", low=0.98, high=1.01)
    assert bounds(measured) == "≥ 0.98"


def test_a_long_witness_is_cut_and_says_so() -> None:
    assert compact([0.5] * 1000).endswith("whole in the JSON record)")
