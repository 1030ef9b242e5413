"""Exact bounds on probabilities and means from counts and draws: the numbers behind the verdicts.

binomial_tail, tails, binomial_quantile, fewest_successes   of counts
lower_probability, lower_probabilities, upper_probability    Clopper and Pearson, one-sided
anytime_lower_probability                             valid at all sample sizes at once
mean_evidence, lower_mean, upper_mean                 of independent values from 0 up, by betting
"""

import functools
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from banditproof.interaction import Floats, Ints


def binomial_tail(successes: int, trials: int, probability: float) -> float:
    """P(Bin(trials, probability) >= successes), exact."""
    from scipy.special import betainc

    if successes <= 0:
        return 1.0
    return 0.0 if successes > trials else float(betainc(successes, trials - successes + 1, probability))


def lower_probability(successes: int, trials: int, false_alarm: float) -> float:
    """One-sided Clopper-Pearson lower bound on a success probability: too high with probability at most `false_alarm`."""
    return float(lower_probabilities(successes, trials, false_alarm))


def lower_probabilities(successes: "int | Ints", trials: "int | Ints", false_alarm: float) -> "Floats":
    """`lower_probability` of many counts, (n,)."""
    import numpy as np
    from scipy.special import betaincinv

    bounds = betaincinv(np.maximum(successes, 1), np.maximum(trials - successes, 0) + 1, false_alarm)
    return np.where(successes > 0, np.nan_to_num(bounds, nan=0.0), 0.0)  # SciPy has no number for some bounds near 1e-100


def upper_probability(successes: int, trials: int, false_alarm: float) -> float:
    """One-sided Clopper-Pearson upper bound on a success probability: too low with probability at most `false_alarm`."""
    from scipy.special import betainccinv

    return 1.0 if successes >= trials else float(betainccinv(successes + 1, trials - successes, false_alarm))


@functools.lru_cache(maxsize=1 << 10)
def binomial_quantile(trials: int, probability: float, exceeded_with: float) -> int:
    """The smallest count that Bin(trials, probability) exceeds with probability at most `exceeded_with`."""
    import numpy as np

    return max(int(fewest_successes(np.array([trials]), probability, exceeded_with)[0]) - 1, 0)


def tails(successes: "Ints", trials: "Ints", probability: float) -> "Floats":
    """`binomial_tail` of many counts, (n,)."""
    import numpy as np
    from scipy.special import betainc

    inside = (successes > 0) & (successes <= trials)
    found = betainc(np.where(inside, successes, 1), np.where(inside, trials - successes + 1, 1), probability)
    return np.where(inside, found, np.where(successes <= 0, 1.0, 0.0))


def fewest_successes(trials: "Ints", probability: float, at_most: "float | Floats") -> "Ints":
    """The least counts, (n,), that Bin(trials, probability) reaches with probability at most `at_most` < 1: trials + 1 where none is.

    By a search of the tail that begins at the normal approximation: SciPy's inverse gives `trials` at levels below 1e-16.
    """
    import numpy as np
    from scipy.special import ndtri

    levels = np.broadcast_to(np.asarray(at_most, dtype=float), trials.shape)
    with np.errstate(invalid="ignore"):  # a level of 1 without any spread: the search begins at one success
        about = trials * probability - ndtri(levels) * np.sqrt(trials * probability * (1.0 - probability)) + 0.5
    high: Ints = np.clip(np.nan_to_num(about), 1, trials + 1).astype(trials.dtype)
    low = high - 1  # the least count is above it and at most `high`, once no place is left to look at
    left, step = np.arange(trials.size), 1
    while left.size:
        over = ~_rare(high, left, trials, probability, levels)
        under = _rare(low, left, trials, probability, levels)
        up, down = left[over], left[under]
        low[up], high[up] = high[up], np.minimum(high[up] + step, trials[up] + 1)
        high[down], low[down] = low[down], np.maximum(low[down] - step, 0)
        left, step = left[over | under], 2 * step
    while (left := np.flatnonzero(high - low > 1)).size:
        middle = (low + high) // 2
        reached = _rare(middle, left, trials, probability, levels)
        high[left[reached]], low[left[~reached]] = middle[left[reached]], middle[left[~reached]]
    return high


def _rare(successes: "Ints", places: "Ints", trials: "Ints", probability: float, levels: "Floats") -> "NDArray[np.bool_]":
    """At which of the places the count is reached as rarely as its level says; never at 0, always past all trials."""
    counts, most = successes[places], trials[places]
    return (counts > 0) & ((counts > most) | (tails(counts, most, probability) <= levels[places]))


def anytime_lower_probability(successes: int, trials: int, false_alarm: float) -> float:
    """A lower bound that holds at all sample sizes at once: looks are free.

    The beta-binomial mixture with the Jeffreys prior is a nonnegative martingale of mean 1 under the true probability (Ville 1939); the
    bound is where it reaches 1 / false_alarm.
    """
    from scipy.optimize import brentq
    from scipy.special import betaln

    if successes <= 0:
        return 0.0
    failures = trials - successes
    mixture = float(betaln(successes + 0.5, failures + 0.5) - betaln(0.5, 0.5)) + math.log(false_alarm)

    def excess(log_p: float) -> float:  # decreasing up to the observed share; failures / (1 - p) is finite there
        return mixture - successes * log_p - (failures * math.log1p(-math.exp(log_p)) if failures else 0.0)

    top, depth = math.log(successes / trials), 1.0
    while excess(top - depth) <= 0.0:
        depth *= 2.0
    return math.exp(float(brentq(excess, top - depth, top, xtol=1e-12)) - 1e-12)


BETS = tuple(2.0**-step for step in range(11))  # shares of the wealth that are bet, each with an equal part of it


def mean_evidence(values: "Floats", bound: float) -> float:
    """Logarithm of an e-value against "the mean is at most `bound`" (> 0) from independent values >= 0, shape (n,).

    A gambler who bets a share c gets 1 - c + c x / bound for x: at most 1 on average if the claim holds, never below 0. So the wealth
    exceeds 1 / a with probability at most a, at all n at once (Ville 1939), and no upper limit of the values is needed (Waudby-Smith
    and Ramdas 2024, "Estimating means of bounded random variables by betting", section 4). The mean over BETS is such a wealth too.
    """
    import numpy as np
    from scipy.special import logsumexp

    gains = np.asarray(values, dtype=float) / bound - 1.0
    with np.errstate(divide="ignore"):  # all is lost at c = 1 and x = 0
        wealth = [float(np.sum(np.log1p(bet * gains))) for bet in BETS]
    return float(logsumexp(wealth)) - math.log(len(BETS))


def lower_mean(values: "Floats", false_alarm: float) -> float:
    """A lower bound on the mean of independent values >= 0: too high with probability at most `false_alarm`.

    Values below 0 by rounding alone, a part in 10^12 of the largest, count as 0. Raises ValueError on another value that is negative, and
    on NaN and infinity: the proof of `mean_evidence` begins at 0.
    """
    import numpy as np
    from scipy.optimize import brentq

    draws = np.asarray(values, dtype=float).ravel()
    rounding = (draws < 0.0) & (draws >= -1e-12 * np.abs(draws).max(initial=0.0))
    draws = np.where(rounding, 0.0, draws)  # a sum of gaps that cancel
    outside = draws[~((draws >= 0.0) & np.isfinite(draws))]
    if outside.size:
        raise ValueError(f"value = {outside[0]}: must be >= 0 and finite (the bound's proof bets against values from 0 up)")
    top = float(draws.max(initial=0.0))
    if top == 0.0:
        return 0.0
    needed = math.log(1.0 / false_alarm)

    def excess(exponent: float) -> float:
        return mean_evidence(draws, top * math.exp(-exponent)) - needed

    depth = 1.0
    while excess(depth) < 0.0:  # the wealth grows without limit as the bound falls
        depth *= 2.0
        if depth > 512.0:
            return 0.0
    return top * math.exp(-float(brentq(excess, 0.0, depth, xtol=1e-12)))


def upper_mean(values: "Floats", highest: float, false_alarm: float) -> float:
    """An upper bound on the mean of independent values in [0, highest]: too low with probability at most `false_alarm`."""
    import numpy as np

    return highest - lower_mean(highest - np.asarray(values, dtype=float), false_alarm)


def quantile_interval(values: "Floats", level: float, false_alarm: float) -> tuple[float, float, float]:
    """(lower bound, sample quantile, upper bound) of a quantile: order statistics, exact for every continuous distribution.

    Each bound fails with probability at most false_alarm / 2. Raises ValueError where the sample is too small for it.
    """
    import numpy as np
    from scipy.stats import binom

    count = len(values)
    ordered = np.sort(values)
    below, above = int(binom.ppf(false_alarm / 2.0, count, level)) - 1, binomial_quantile(count, level, false_alarm / 2.0)
    if below < 0 or above >= count:
        raise ValueError(f"draws = {count}: too few for the {100.0 * level:.4g}% quantile at a false-alarm rate of {false_alarm:g}")
    with np.errstate(invalid="ignore"):
        middle = float(np.quantile(ordered, level))
    if math.isnan(middle):  # between two infinite values
        middle = float(ordered[round(level * (count - 1))])
    return float(ordered[below]), middle, float(ordered[above])
