"""Exact binomial bounds, and the bound that may be looked at often."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from banditproof.audits.statistics.tails import (
    anytime_lower_probability,
    binomial_quantile,
    binomial_tail,
    fewest_successes,
    lower_probability,
    quantile_interval,
    upper_probability,
)
from banditproof.audits.strategies import values_of
from banditproof.glossary import FAILURE, KEEP, SAMPLES

RATES = values_of(FAILURE, low=1e-9, high=0.5)
PROBABILITIES = values_of(KEEP, low=1e-12, high=1 - 1e-12)


@st.composite
def counts(draw: st.DrawFn, most: int = 10**7) -> tuple[int, int]:
    """(successes, trials), the ends included."""
    trials = draw(values_of(SAMPLES, high=most))
    return int(draw(st.one_of(st.integers(0, int(trials)), st.sampled_from([0, int(trials)])))), int(trials)


def exact_tail(successes: int, trials: int, probability: Fraction) -> Fraction:
    return sum(
        (math.comb(trials, k) * probability**k * (1 - probability) ** (trials - k) for k in range(max(successes, 0), trials + 1)),
        Fraction(0),
    )


@given(counts=counts(40), probability=PROBABILITIES)
def test_tail_is_the_sum_of_its_terms(counts: tuple[int, int], probability: float) -> None:
    """Would catch > where >= is meant, and a tail that cancels: compared with the sum in fractions."""
    for successes in {0, counts[0], counts[0] + 1, counts[1] + 1}:
        wanted = exact_tail(successes, counts[1], Fraction(probability))
        assert binomial_tail(successes, counts[1], probability) == pytest.approx(float(wanted), rel=1e-10, abs=1e-300)


@given(counts=counts(), false_alarm=RATES)
def test_bounds_are_those_of_clopper_and_pearson(counts: tuple[int, int], false_alarm: float) -> None:
    """Would catch swapped parameters, or a rate on the wrong side: compared with SciPy's own test."""
    from scipy.stats import binomtest

    found = binomtest(*counts, alternative="greater").proportion_ci(1.0 - false_alarm, method="exact")
    assert lower_probability(*counts, false_alarm) == pytest.approx(found.low, rel=1e-6, abs=1e-12)
    found = binomtest(*counts, alternative="less").proportion_ci(1.0 - false_alarm, method="exact")
    assert upper_probability(*counts, false_alarm) == pytest.approx(found.high, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("trials", [1, 2, 10, 5000, 10**6])
@pytest.mark.parametrize("false_alarm", [1e-20, 1e-200, 1e-300])
def test_bounds_at_levels_next_to_nothing_are_numbers(trials: int, false_alarm: float) -> None:
    """Would catch a bound that is no number, where SciPy has none: with two successes at a level of 1e-200."""
    for successes in {0, 1, min(2, trials), trials}:
        low = lower_probability(successes, trials, false_alarm)
        assert 0.0 <= low <= successes / trials
        assert not low or binomial_tail(successes, trials, low) <= false_alarm * (1 + 1e-6)
    high = upper_probability(0, trials, false_alarm)
    assert (
        math.exp(trials * math.log1p(-high)) == pytest.approx(false_alarm, rel=1e-9)
        if high < 1.0
        else trials * 36.0 < -math.log(false_alarm)
    )


@pytest.mark.parametrize("trials", [0, 1, 7, 10**6])
@pytest.mark.parametrize("probability", [0.0, 5e-324, 0.5, 1.0])
def test_fewest_successes_at_the_ends(trials: int, probability: float) -> None:
    """Would catch a search that does not end, or begins below one success: compared with a bisection of the tail."""
    for level in (1.0, 1.0 - 2**-53, 1e-16, 1e-300, math.nan):
        low, high = 0, trials + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if binomial_tail(middle, trials, probability) <= level else (middle, high)
        assert fewest_successes(np.array([trials]), probability, level).tolist() == [high], level


@given(counts=counts(), false_alarm=RATES)
def test_bounds_invert_the_tail(counts: tuple[int, int], false_alarm: float) -> None:
    """Would catch an inverse that SciPy gets wrong at some size: a verdict and its bound must be one test."""
    successes, trials = counts
    low, high = lower_probability(successes, trials, false_alarm), upper_probability(successes, trials, false_alarm)
    assert 0.0 <= low <= successes / trials <= high <= 1.0
    if successes:
        assert binomial_tail(successes, trials, low) == pytest.approx(false_alarm, rel=1e-6)
    if successes < trials:
        assert binomial_tail(trials - successes, trials, 1.0 - high) == pytest.approx(false_alarm, rel=1e-4)


@given(trials=values_of(SAMPLES), probability=values_of(FAILURE, low=1e-12), exceeded=values_of(FAILURE, low=1e-12))
def test_quantile_is_the_smallest(trials: float, probability: float, exceeded: float) -> None:
    """Would catch a count of leaks that is one too small, and so a false-alarm rate above the stated one."""
    found = binomial_quantile(int(trials), probability, exceeded)
    assert binomial_tail(found + 1, int(trials), probability) <= exceeded
    assert found == 0 or binomial_tail(found, int(trials), probability) > exceeded


# --- looks are free ---------------------------------------------------------------------------------------------------------------------


@given(counts=counts(), false_alarm=RATES)
def test_anytime_bound_lies_below_the_fixed_one_and_solves_its_equation(counts: tuple[int, int], false_alarm: float) -> None:
    """Would catch a bound that is tighter than one look's, which no proof can give, and one that is far below where it need be."""
    from scipy.special import betaln

    successes, trials = counts
    found = anytime_lower_probability(successes, trials, false_alarm)
    assert 0.0 <= found <= lower_probability(successes, trials, false_alarm) * (1 + 1e-9)
    assert (found == 0.0) == (successes == 0)
    if successes and found < 1.0:
        wealth = betaln(successes + 0.5, trials - successes + 0.5) - betaln(0.5, 0.5)
        fit = successes * math.log(found) + (trials - successes) * math.log1p(-found)
        assert wealth - fit == pytest.approx(-math.log(false_alarm), abs=1e-6 * max(successes, 1))


def test_anytime_bound_covers_at_every_look_and_a_fixed_bound_does_not(rng: np.random.Generator, scale: Any) -> None:
    """Would catch a bound that holds at one look only: the looks of 2,000 draws, at 5 %.

    The test's own false-alarm rate is 1e-6. It passes a crossing rate above 5 % with at most one part in ten if that is more than 20 %
    (quick) or 7.4 % (deep); the fixed bound, crossed in more than a fifth of the runs, shows that the looks are there.
    """
    from scipy.special import betaincinv

    from banditproof.audits.statistics.design import detectable_failure

    runs, draws, false_alarm = scale.of(100, 4_000), 2_000, 0.05
    assert detectable_failure(false_alarm, runs=runs, false_alarm=1e-6) < scale.of(0.25, 0.075)
    crossed, fixed = 0, 0
    for probability in rng.uniform(0.02, 0.98, runs):
        hits = np.cumsum(rng.random(draws) < probability)
        looks = np.arange(9, draws, 10)  # enough for both to be crossed
        bounds = [anytime_lower_probability(int(hits[look]), int(look) + 1, false_alarm) for look in looks]
        crossed += max(bounds) > probability
        seen = hits[looks]
        fixed += bool(np.any(np.where(seen > 0, betaincinv(np.maximum(seen, 1), looks + 2 - seen, false_alarm), 0.0) > probability))
    assert binomial_tail(crossed, runs, false_alarm) > 1e-6
    assert fixed > runs / 5


@given(count=st.integers(1, 200), level=st.sampled_from([0.05, 0.5, 0.9, 0.99]), false_alarm=st.sampled_from([0.2, 0.05, 1e-3]))
def test_order_statistics_that_bound_a_quantile_are_the_nearest(count: int, level: float, false_alarm: float) -> None:
    """Would catch a rank that is off by one: each end keeps its half of the false-alarm rate, and the next one nearer does not. Against the
    binomial distribution itself: how many of the values lie below the quantile."""
    below = [
        rank for rank in range(count) if stats.binom.cdf(rank, count, level) <= false_alarm / 2.0
    ]  # too high: at most `rank` lie below
    above = [rank for rank in range(count) if stats.binom.sf(rank, count, level) <= false_alarm / 2.0]  # too low: more than `rank` do
    if not below or not above:
        with pytest.raises(ValueError, match=f"draws = {count}: too few"):
            quantile_interval(np.arange(float(count)), level, false_alarm)
        return
    low, _, high = quantile_interval(np.arange(float(count))[::-1], level, false_alarm)
    assert (low, high) == (max(below), min(above))
