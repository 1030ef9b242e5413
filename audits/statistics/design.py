"""Experiment design: what a number of draws can detect, and how many draws detect what. Deterministic, before any draw.

    check_false_alarm, whole_number                              a significance level, a number of draws
    detectable_rate                                              successes: the exact binomial test
    detectable_failure, detectable_failure_below, runs_for_failure   events that fail
    detectable_mean, runs_for_mean                               means of values from 0 up
    detectable_median_shift, samples_for_median_shift            medians

What guesses of a privacy audit detect is in `privacy.statistic` and `privacy.plan`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from banditproof.audits.statistics.tails import BETS, fewest_successes, tails

if TYPE_CHECKING:
    from banditproof.interaction import Floats, Ints

MISS_RATE = 0.1
SIGNIFICANCE_LEVEL = 1e-3  # of a single audit or assertion that names no other: one true claim in a thousand is refuted at most


def check_false_alarm(false_alarm: float) -> None:
    """Raises ValueError unless 0 < false_alarm < 1."""
    if not 0.0 < false_alarm < 1.0:
        raise ValueError(f"false_alarm = {false_alarm}: must be > 0 and < 1 (probability of refuting a true claim)")


def with_power(miss_rate: float) -> str:
    """How surely a violation is refuted, in words: "with probability at least 90% (power 0.9)"."""
    return f"with probability at least {1.0 - miss_rate:.0%} (power {1.0 - miss_rate:.3g})"


@dataclass(frozen=True)
class Numbers:
    """How many trials there may be, integers (n,), and how likely each number is, (n,)."""

    numbers: "Ints"
    weights: "Floats"


def counted(trials: int, mass: float) -> int | Numbers:
    """How many of the trials count, where each does with probability `mass` > 0: all numbers that matter if these are 512 at most, else 256
    quantiles by Cornish and Fisher's expansion to its second term, which is then exact to one number."""
    import numpy as np
    from scipy.special import ndtri

    if mass >= 1.0:
        return trials
    low, high = (int(number) - 1 for number in fewest_successes(np.full(2, trials), mass, np.array([1.0 - 1e-9, 1e-9])))
    if high - low < 512:
        numbers, all_trials = np.arange(low, high + 1), np.array(trials)
        weights = tails(numbers, all_trials, mass) - tails(numbers + 1, all_trials, mass)
        return Numbers(numbers, weights / weights.sum())
    normal = ndtri((np.arange(256) + 0.5) / 256)
    skewed = (normal * normal - 1.0) * (1.0 - 2.0 * mass) / 6.0
    numbers = np.rint(trials * mass + normal * math.sqrt(trials * mass * (1.0 - mass)) + skewed).astype(np.int64)
    return Numbers(numbers, np.full(256, 1.0 / 256))


def detectable_rate(
    rate: float, trials: int | Numbers, false_alarm: float, miss_rate: float, *, discounted: int = 0, given: int = 0
) -> float:
    """The smallest true success rate that refutes "at most `rate`" with probability at least 1 - miss_rate, on average over the numbers of
    trials; 1.0 where none does, and only there.

    `discounted` successes are taken off before the test; a true violation has at least `given` of them for free. Exact binomial.
    """
    from scipy.optimize import brentq

    power = power_of_rate(rate, trials, false_alarm, discounted=discounted, given=given)

    def excess(true: float) -> float:
        return power(true) - (1.0 - miss_rate)

    if excess(1.0) < 0.0:
        return 1.0
    return rate if excess(rate) >= 0.0 else float(brentq(excess, rate, 1.0, xtol=1e-12))


def power_of_rate(
    rate: float, trials: int | Numbers, false_alarm: float, *, discounted: int = 0, given: int = 0
) -> Callable[[float], float]:
    """The probability, of a true success rate, that "at most `rate`" is refuted; see `detectable_rate`, which finds the rate."""
    import numpy as np

    numbers, weights = (np.array([trials]), np.ones(1)) if isinstance(trials, int) else (trials.numbers, trials.weights)
    enough = numbers > discounted
    numbers, weights = numbers[enough], weights[enough]
    needed, drawn = fewest_successes(numbers - discounted, rate, false_alarm) + discounted - given, numbers - given
    return lambda true: float(weights @ tails(needed, drawn, true))


def shows(detectable: float, must_detect: float, *, none: float = math.inf) -> bool:
    """Whether what must be detected is; `none` says that nothing is, however large."""
    return detectable <= must_detect and detectable < none


# --- events that fail -----------------------------------------------------------------------------------------------------------------


def detectable_failure(claimed: float, *, runs: int, false_alarm: float, miss_rate: float = MISS_RATE) -> float:
    """The smallest true failure probability at which "at most `claimed`" is refuted with probability at least 1 - miss_rate; 1.0 where none
    is."""
    return detectable_rate(claimed, runs, false_alarm, miss_rate)


def detectable_failure_below(claimed: float, *, runs: int, false_alarm: float, miss_rate: float = MISS_RATE) -> float:
    """The largest true failure probability at which "at least `claimed`" is refuted with probability at least 1 - miss_rate; 0.0 where none
    is."""
    return 1.0 - detectable_rate(1.0 - claimed, runs, false_alarm, miss_rate)


def runs_for_failure(claimed: float, *, must_detect: float, false_alarm: float, miss_rate: float = MISS_RATE) -> int:
    """Runs at which a true failure probability of `must_detect`, above or below the claimed one, is refuted with probability at least 1 -
    miss_rate.

    Raises ValueError unless must_detect is a probability other than the claimed one.
    """
    if not 0.0 <= must_detect <= 1.0 or must_detect == claimed:
        raise ValueError(f"must_detect = {must_detect}: must be >= 0 and <= 1 and not the claimed {claimed}")

    def detects(runs: int) -> bool:
        if must_detect > claimed:
            return shows(detectable_failure(claimed, runs=runs, false_alarm=false_alarm, miss_rate=miss_rate), must_detect, none=1.0)
        found = detectable_failure_below(claimed, runs=runs, false_alarm=false_alarm, miss_rate=miss_rate)
        return shows(1.0 - found, 1.0 - must_detect, none=1.0)

    return fewest(detects, f"must_detect = {must_detect}: no number of runs below 2 ** 40 tells it from the claimed {claimed}")


# --- means of values from 0 up ----------------------------------------------------------------------------------------------------------


def detectable_mean(
    bound: float,
    *,
    runs: int,
    false_alarm: float,
    miss_rate: float = MISS_RATE,
    relative_deviation: float = 0.5,
    largest: float = math.inf,
) -> float:
    """The smallest true mean m at which "the mean is at most `bound`" is refuted with probability at least 1 - miss_rate, whatever the
    distribution on [0, largest], if its standard deviation is at most r m, r = `relative_deviation`. inf where no such mean is found: then
    runs that all give `largest` would not refute the claim either. Raises ValueError unless `largest` exceeds the bound.

    A mean m of numbers x in [0, largest] leaves a variance of at most m (largest - m), since x^2 <= largest x.

    Chernoff's bound on the logarithm of the wealth of the bets (`tails.mean_evidence`), at the two values 0 and m (1 + r^2): a share's gain
    to a power -t is convex in the outcome with a negative third derivative, so its expectation is largest there (Karlin and Studden 1966,
    chapter III; in the standard deviation it increases, by convexity).
    """
    from scipy.optimize import brentq

    _check_mean(bound, relative_deviation)
    if not largest > bound:
        raise ValueError(f"largest = {largest}: must be > the bound {bound} (else no mean exceeds it)")
    end = math.log(largest / bound)

    def excess(exponent: float) -> float:
        spread = min(relative_deviation, math.sqrt(math.expm1(min(end - exponent, 512.0))))
        return math.log(miss_rate) - _log_miss(math.exp(exponent), runs, spread, false_alarm)

    top = min(1.0, end)
    while excess(top) < 0.0:
        if top >= min(512.0, end):
            return math.inf
        top = min(2.0 * top, end)
    return bound * math.exp(float(brentq(excess, 0.0, top, xtol=1e-12))) if excess(0.0) < 0.0 else bound


def runs_for_mean(
    bound: float,
    *,
    must_detect: float,
    false_alarm: float,
    miss_rate: float = MISS_RATE,
    relative_deviation: float = 0.5,
    largest: float = math.inf,
) -> int:
    """Runs at which a true mean of `must_detect` is refuted with probability at least 1 - miss_rate; see `detectable_mean`. Raises
    ValueError unless it exceeds the bound."""
    if not must_detect > bound:
        raise ValueError(f"must_detect = {must_detect}: must be > the bound {bound}")

    def detects(runs: int) -> bool:
        return shows(
            detectable_mean(
                bound, runs=runs, false_alarm=false_alarm, miss_rate=miss_rate, relative_deviation=relative_deviation, largest=largest
            ),
            must_detect,
        )

    return fewest(detects, f"must_detect = {must_detect}: no number of runs below 2 ** 40 tells it from the bound {bound}")


def _log_miss(ratio: float, runs: int, relative_deviation: float, false_alarm: float) -> float:
    """Logarithm of a bound on the probability that a mean of `ratio` bounds is not refuted: the least one over bets and powers."""
    import numpy as np

    bets, powers = np.array(BETS)[:, None], np.geomspace(1e-4, 1e4, 400)
    paying = 1.0 / (1.0 + relative_deviation * relative_deviation)
    with np.errstate(divide="ignore"):
        unpaid, paid = np.log1p(-bets), np.log1p(bets * (ratio / paying - 1.0))
        expected = np.logaddexp(np.log1p(-paying) - powers * unpaid, math.log(paying) - powers * paid) if paying < 1.0 else -powers * paid
    needed = math.log(len(BETS) / false_alarm)
    return float(np.min(powers * needed + runs * expected))


def _check_mean(bound: float, relative_deviation: float) -> None:
    if not (0.0 < bound < math.inf):
        raise ValueError(f"bound = {bound}: must be > 0 and finite (of a mean of values >= 0)")
    if not (0.0 <= relative_deviation < math.inf):
        raise ValueError(f"relative_deviation = {relative_deviation}: must be >= 0 and finite (standard deviation over mean)")


# --- medians ----------------------------------------------------------------------------------------------------------------------------


def detectable_median_shift(samples: int, *, false_alarm: float, missed: float = MISS_RATE) -> float:
    """The smallest distance of P(draw < value) from 1/2 at which "the median is value" is refuted with probability at least 1 - `missed`,
    by the sign test.

    In probability, so for every continuous distribution; 0.5 where no distance is. Exact binomial.
    """
    return detectable_rate(0.5, samples, false_alarm / 2.0, missed) - 0.5


def samples_for_median_shift(shift: float, *, false_alarm: float, missed: float = MISS_RATE) -> int:
    """Draws at which the shift is refuted with probability at least 1 - `missed`. Raises ValueError unless 0 < shift <= 1/2."""
    if not 0.0 < shift <= 0.5:
        raise ValueError(f"shift = {shift}: must be > 0 and <= 0.5 (distance of P(draw < value) from 1/2)")

    def detects(samples: int) -> bool:
        return shows(detectable_median_shift(samples, false_alarm=false_alarm, missed=missed), shift, none=0.5)

    return fewest(detects, f"shift = {shift}: no number of draws below 2 ** 40 shows it")


def fewest(detects: Callable[[int], bool], none: str, first: int = 1) -> int:
    """About the least number from `first` on that detects, in two digits, so that what is printed is what was tried: exact tests are
    saw-toothed, and a larger number need not detect. Raises ValueError with `none` past 2 ** 40."""
    high = first
    while not detects(high):
        high *= 2
        if high > 1 << 40:
            raise ValueError(none)
    low = max(high // 2, first - 1)
    while high - low > max(1, low // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if detects(middle) else (middle, high)
    step = int(10 ** max(len(str(high)) - 2, 0))
    rounded = -(-high // step) * step
    while not detects(rounded):
        rounded += step
    return rounded
