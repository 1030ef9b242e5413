"""Shares: what they count is what coverage counts, and the slack that they report is that of the numbers."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.stated import Derived
from banditproof.audits.methods.tightness import BoundUtilisation, gathered, largest
from banditproof.audits.running.audit import Request
from banditproof.audits.statistics.evidence import Measurement, Verdict


def exponential(runs: int, rng: np.random.Generator) -> Any:
    """Its quantile at 1 - p is -log p."""
    return rng.exponential(1.0, runs)


def measured(limit: float, claimed: float, seed: int = 3, utilisation: Any = exponential) -> Measurement:
    return BoundUtilisation(utilisation, Derived(lambda: claimed, "a test"), "rule", 1.5, limit).measure(Request(1e-4, seed, ("here",)))


@given(seed=st.integers(0, 2**32), limit=st.floats(0.5, 3.0))
def test_counts_what_coverage_counts(seed: int, limit: float) -> None:
    """Would catch other draws than those of the event, a limit that is passed over, and another rule for the verdict."""
    own = measured(limit, 0.2, seed)
    other = Coverage(lambda runs, rng: exponential(runs, rng) > limit, Derived(lambda: 0.2, "a test"), "rule", 1.5).measure(
        Request(1e-4, seed, ("here",))
    )
    assert (own.verdict, own.estimate, own.low, own.high) == (other.verdict, other.estimate, other.low, other.high)


@pytest.mark.parametrize("claimed", [0.5, 0.2, 0.01])
def test_slack_is_the_quantile_that_the_claim_speaks_of(claimed: float, seed: int) -> None:
    """Would catch the quantile of the failures, or a median. Its interval misses with 1e-4, and is at most 35 % of the quantile wide."""
    utilisation = measured(10.0, claimed, seed).detail["utilisation"]
    assert (
        utilisation["low"] <= -np.log(claimed) <= utilisation["high"]
        and utilisation["low"] <= utilisation["quantile"] <= utilisation["high"]
    )
    assert utilisation["high"] - utilisation["low"] < 0.35 * -np.log(claimed)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_run_without_a_bound_fails(bad: float) -> None:
    """Would catch a NaN that compares as within the bound, and a quantile of numbers that are none."""
    found = measured(1.0, 0.2, utilisation=lambda runs, rng: np.where(rng.random(runs) < 0.5, bad, 0.1))
    assert found.verdict is Verdict.REFUTED and "utilisation" not in found.detail


def test_largest_is_over_the_rounds_of_a_run() -> None:
    """Would catch a maximum over the runs, and one that passes over a round without a number."""
    assert largest(np.array([[1.0, 3.0], [2.0, 0.5]])).tolist() == [3.0, 2.0]
    assert np.isnan(largest(np.array([[np.nan, 3.0]]))).all()


def test_numbers_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="one per run"):
        gathered(lambda runs, rng: np.zeros((runs, 2)), 10, 1, ())
    with pytest.raises(ValueError, match="runs = 0"):
        gathered(exponential, 0, 1, ())
