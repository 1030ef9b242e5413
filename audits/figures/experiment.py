"""What `banditproof reproduce` runs: a paper's experiment, and what came out of it; which reported outcomes it bears out.

Outcomes are judged by paired comparisons: repetition by repetition, was a smaller than b? The repetitions are independent, so the exact
sign test applies, whatever the laws; it speaks of how often a is smaller (the median of the difference), while curves show means too.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np

from banditproof.interaction import Floats

FALSE_ALARM = 0.05  # of calling an outcome reproduced though one of its comparisons is even, and of calling it not reproduced likewise
COVERAGE = 0.95  # of the intervals


class Finding(Enum):
    """What the draws say of a reported outcome."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    NOT_DECIDED = "not decided"


class Share(Enum):
    """Of how many comparisons the paper speaks."""

    ALL = "all"
    MOST = "most"


@dataclass(frozen=True)
class Comparison:
    """`smaller` is reported to lie below `larger`: runs in which it does, runs in which it does not; ties are left out."""

    name: str
    below: int
    above: int

    def supported(self, false_alarm: float) -> bool:
        return sign_tail(self.below, self.above) <= false_alarm

    def contradicted(self, false_alarm: float) -> bool:
        return sign_tail(self.above, self.below) <= false_alarm


@dataclass(frozen=True)
class Outcome:
    """A reported outcome and the comparisons that it consists of."""

    id: str
    reported: str
    comparisons: tuple[Comparison, ...]
    share: Share = Share.ALL

    def finding(self) -> Finding:
        """ALL: reproduced if each comparison is supported at FALSE_ALARM (an intersection-union test), not reproduced if one is
        contradicted at FALSE_ALARM / number. MOST: if more than half are supported, or at least half contradicted, at FALSE_ALARM / number.
        """
        number = len(self.comparisons)
        supported = sum(each.supported(FALSE_ALARM if self.share is Share.ALL else FALSE_ALARM / number) for each in self.comparisons)
        contradicted = sum(each.contradicted(FALSE_ALARM / number) for each in self.comparisons)
        if self.share is Share.ALL:
            yes, no = supported == number, contradicted > 0
        else:
            yes, no = 2 * supported > number, 2 * contradicted >= number
        return Finding.NOT_REPRODUCED if no else Finding.REPRODUCED if yes else Finding.NOT_DECIDED

    def statistics(self) -> str:
        """'supported 17 of 18, contradicted 0, even 1', each at its rate."""
        rate = FALSE_ALARM / len(self.comparisons)
        supported = sum(each.supported(FALSE_ALARM if self.share is Share.ALL else rate) for each in self.comparisons)
        contradicted = sum(each.contradicted(rate) for each in self.comparisons)
        return f"supported {supported} of {len(self.comparisons)}, contradicted {contradicted}"

    def describe(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "reported": self.reported,
            "finding": self.finding().value,
            "statistics": self.statistics(),
            "share": self.share.value,
            "false_alarm": FALSE_ALARM,
            "comparisons": [
                {
                    "name": each.name,
                    "below": each.below,
                    "above": each.above,
                    "p_below": sign_tail(each.below, each.above),
                    "p_above": sign_tail(each.above, each.below),
                }
                for each in self.comparisons
            ],
        }


@functools.cache
def sign_tail(hits: int, misses: int) -> float:
    """P(a fair coin shows at least `hits` heads in hits + misses throws): the sign test's p-value."""
    throws = hits + misses
    return float(sum(math.comb(throws, heads) for heads in range(hits, throws + 1)) / 2**throws)


def compared(name: str, smaller: Floats, larger: Floats) -> Comparison:
    """Paired values (R,) of two sides."""
    return Comparison(name, int(np.count_nonzero(smaller < larger)), int(np.count_nonzero(smaller > larger)))


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


def summary(values: Floats) -> Summary:
    """Of values (R,), R >= 2, at COVERAGE. With 5 runs or fewer the median's interval is from least to largest, which covers less."""
    from scipy import stats

    runs, ordered = values.size, np.sort(values)
    deviation = float(values.std(ddof=1))
    half = float(stats.t.ppf(0.5 + COVERAGE / 2.0, runs - 1)) * deviation / math.sqrt(runs)
    below = 0  # values that the interval leaves out on each side
    while below + 1 < runs // 2 and sign_tail(runs - below - 1, below + 1) <= (1.0 - COVERAGE) / 2.0:
        below += 1
    mean = float(values.mean())
    return Summary(
        mean, mean - half, mean + half, float(np.median(values)), float(ordered[below]), float(ordered[runs - 1 - below]), deviation
    )


@dataclass(frozen=True)
class Line:
    """Cumulative regret of an algorithm in one panel: repetitions (R, C) at the checkpoints (C,)."""

    name: str
    checkpoints: tuple[int, ...]
    regrets: Floats


@dataclass(frozen=True)
class Picture:
    """Panels by row and column, each with a title and lines; saved under `name`."""

    name: str
    title: str
    panels: tuple[tuple[tuple[str, tuple[Line, ...]], ...], ...]


@dataclass(frozen=True)
class Asked:
    """What a user asked for."""

    seed: int
    runs: int
    horizon: int
    jobs: int


@dataclass(frozen=True)
class Reproduction:
    """Flat rows for a table, outcomes in groups (one for each way of running), pictures, and what was run."""

    rows: tuple[dict[str, Any], ...]
    outcomes: dict[str, tuple[Outcome, ...]]
    pictures: tuple[Picture, ...]
    parameters: dict[str, Any] = field(default_factory=dict)


Progress = Callable[[str], None]


@dataclass(frozen=True)
class Experiment:
    """A figure of a paper: how many runs and rounds it had, and what runs it again."""

    id: str  # "<paper>.<figure>"
    statement: str
    runs: int
    horizon: int
    least_horizon: int
    reproduce: Callable[[Asked, Progress], Reproduction]


def spread(values: Floats) -> Floats:
    """Distances (R,) from their median: what 'smaller error bars' compares. The median is estimated, so that sign test is approximate."""
    return np.asarray(np.abs(values - np.median(values)), dtype=float)
