"""Runs as a few numbers: means and medians with their intervals, and the sign test, exact at any number of runs."""

import functools
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from banditproof.interaction import Floats

COVERAGE = 0.95  # of the intervals


def _ways(throws: int) -> Iterator[int]:
    """In how many ways a coin shows at most 0, 1, ..., `throws` tails."""
    ways = total = 1
    yield total
    for tails in range(throws):
        ways = ways * (throws - tails) // (tails + 1)
        total += ways
        yield total


@functools.cache
def sign_tail(hits: int, misses: int) -> float:
    """P(a fair coin shows at least `hits` heads in hits + misses throws): the sign test's p-value."""
    throws = hits + misses
    return float(next(itertools.islice(_ways(throws), misses, None)) / 2**throws)


@dataclass(frozen=True)
class Summary:
    """Mean with Student's interval (approximate), median with the exact interval of order statistics, and standard deviation."""

    mean: float
    mean_low: float
    mean_high: float
    median: float
    median_low: float
    median_high: float
    deviation: float


@functools.cache
def left_out(runs: int) -> int:
    """How many of the values the exact interval of the median leaves out on each side, at COVERAGE."""
    rare = itertools.takewhile(lambda ways: ways / 2**runs <= (1.0 - COVERAGE) / 2.0, itertools.islice(_ways(runs), 1, max(runs // 2, 1)))
    return sum(1 for _ in rare)


def summary(values: Floats) -> Summary:
    """Of values (R,), R >= 2, at COVERAGE. With 5 runs or fewer the median's interval is from least to largest, which covers less."""
    from scipy import stats

    runs, ordered = values.size, np.sort(values)
    deviation = float(values.std(ddof=1))
    half = float(stats.t.ppf(0.5 + COVERAGE / 2.0, runs - 1)) * deviation / math.sqrt(runs)
    below = left_out(runs)
    mean = float(values.mean())
    return Summary(
        mean, mean - half, mean + half, float(np.median(values)), float(ordered[below]), float(ordered[runs - 1 - below]), deviation
    )
