"""Growth between two values: what is refuted, and quantities of which there is no ratio."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.running.audit import Request
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.tails import binomial_tail
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


def test_infinite_quantiles() -> None:
    """Would catch infinity over infinity, which is above nothing, in the place of a ratio."""
    found = measured(lambda number: math.inf)
    assert found.verdict is Verdict.INCONCLUSIVE and "quantile at horizon = 10 is inf" in found.message
    assert measured(lambda number: math.inf if number > 10 else 1.0).verdict is Verdict.REFUTED


def test_negative_quantity_is_refused() -> None:
    """Would catch a ratio of negative numbers, whose interval is upside down."""
    with pytest.raises(ValueError, match="at horizon = 10: must be >= 0"):
        measured(lambda number: -float(number))


def at_the_limit(factor: float) -> GrowthRate:
    """A quantity whose quantiles grow by `factor` times what is allowed, slack included."""
    scales = {10: 1.0, 100: 20.0 * factor}
    return GrowthRate(
        lambda value: lambda runs, rng: scales[value] * rng.exponential(size=runs), Growth(Fraction(1), Fraction(0), "horizon"), 10, 100
    )


def test_error_rate_and_interval_of_the_ratio(repetitions: int, seed: int) -> None:
    """Would catch an interval of the ratio that takes the level twice, or a quantile's rank that is off.

    The true ratio is exactly the largest one allowed: refuted with probability 5 % at most, and inside [low, high] with 95 % at least; the
    counts are held to what these give but for one part in 10,000 each. 400 repetitions (40 in the quick scale) would miss a rate of 11.7 %
    (33 %) with at most one part in ten.
    """
    method = at_the_limit(1.0)
    found = [method.measure(Request(0.05, seed + number, ("growth",))) for number in range(repetitions)]
    outside = sum(not result.low <= 20.0 <= result.high for result in found)
    refuted = sum(result.verdict is Verdict.REFUTED for result in found)
    assert binomial_tail(refuted, repetitions, 0.05) > 1e-4 and binomial_tail(outside, repetitions, 0.05) > 1e-4


def test_what_is_called_detectable_is_detected(repetitions: int, seed: int) -> None:
    """Would catch a detectable ratio that is too small: at it, at least 9 of 10 are refuted."""
    detectable = float(np.median([at_the_limit(1.0).measure(Request(0.05, seed + number, ("plan",))).detectable for number in range(9)]))
    method = at_the_limit(detectable / 20.0)
    missed = sum(method.measure(Request(0.05, seed + number, ("growth",))).verdict is not Verdict.REFUTED for number in range(repetitions))
    assert binomial_tail(missed, repetitions, 0.1) > 1e-4
