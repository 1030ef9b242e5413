"""Growth between two values: what is refuted, and quantities of which there is no ratio."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.running.audit import Request
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.growth import Growth

REQUEST = Request(0.01, 3, ("growth",))


def measured(value: Callable[[int], float], spread: float = 0.1) -> Any:
    def at(number: int) -> Callable[[int, np.random.Generator], Any]:
        return lambda runs, rng: value(number) * (1.0 + spread * rng.random(runs))

    return GrowthRate(at, Growth(Fraction(1), Fraction(0), "horizon"), 10, 100, quantile=0.5, runs=400).measure(REQUEST)


def test_rate() -> None:
    """Would catch a rate that is not compared, or compared the wrong way round."""
    assert measured(lambda number: number).verdict is Verdict.RATE_ONLY
    assert measured(lambda number: number**1.2).verdict is Verdict.RATE_ONLY  # within the slack of 2
    assert measured(lambda number: number**1.5).verdict is Verdict.REFUTED


def test_quantile_of_zero_at_the_first_value() -> None:
    """Would catch a division by 0 in the place of a verdict."""
    found = measured(lambda number: number - 10.0)
    assert found.verdict is Verdict.INCONCLUSIVE and "quantile at horizon = 10 is 0" in found.message


def test_negative_quantity_is_refused() -> None:
    """Would catch a ratio of negative numbers, whose interval is upside down."""
    with pytest.raises(ValueError, match="at horizon = 10: must be >= 0"):
        measured(lambda number: -float(number))
