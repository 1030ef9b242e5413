"""What `banditproof reproduce` runs: a paper's experiment, and what came out of it; which reported outcomes it bears out.

Outcomes are judged by paired comparisons: repetition by repetition, was a smaller than b? The repetitions are independent, so the exact
sign test applies, whatever the laws; it speaks of how often a is smaller (the median of the difference), while curves show means too.
A range is two comparisons, with its two ends. Where no draws are compared, but numbers that follow from the constants, `Computed` is it.
"""

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from banditproof.guarantees import require
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

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "below": self.below,
            "above": self.above,
            "p_below": sign_tail(self.below, self.above),
            "p_above": sign_tail(self.above, self.below),
        }


@dataclass(frozen=True)
class Computed:
    """`smaller` is reported to be at most `larger`; neither is a draw, so there is nothing to be undecided about."""

    name: str
    smaller: float
    larger: float

    def supported(self, false_alarm: float) -> bool:
        return self.smaller <= self.larger

    def contradicted(self, false_alarm: float) -> bool:
        return self.smaller > self.larger

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "smaller": self.smaller, "larger": self.larger}


@dataclass(frozen=True)
class Outcome:
    """A reported outcome and the comparisons that it consists of. `undecided`: why these runs cannot speak about it, if they cannot."""

    id: str
    reported: str
    comparisons: tuple[Comparison | Computed, ...]
    share: Share = Share.ALL
    undecided: str = ""

    def __post_init__(self) -> None:
        require(bool(self.comparisons or self.undecided), f"outcome {self.id}: must have comparisons, or say why it has none")

    def finding(self) -> Finding:
        """ALL: reproduced if each comparison is supported at FALSE_ALARM (an intersection-union test), not reproduced if one is
        contradicted at FALSE_ALARM / number. MOST: if more than half are supported, or at least half contradicted, at FALSE_ALARM / number.
        """
        if self.undecided:
            return Finding.NOT_DECIDED
        number = len(self.comparisons)
        supported = sum(each.supported(FALSE_ALARM if self.share is Share.ALL else FALSE_ALARM / number) for each in self.comparisons)
        contradicted = sum(each.contradicted(FALSE_ALARM / number) for each in self.comparisons)
        if self.share is Share.ALL:
            yes, no = supported == number, contradicted > 0
        else:
            yes, no = 2 * supported > number, 2 * contradicted >= number
        return Finding.NOT_REPRODUCED if no else Finding.REPRODUCED if yes else Finding.NOT_DECIDED

    def statistics(self) -> str:
        """'supported 17 of 18, contradicted 0', each at its rate; behind the reason, if there is one, why that decides nothing."""
        rate = FALSE_ALARM / max(len(self.comparisons), 1)
        supported = sum(each.supported(FALSE_ALARM if self.share is Share.ALL else rate) for each in self.comparisons)
        contradicted = sum(each.contradicted(rate) for each in self.comparisons)
        reason = f"{self.undecided}; " if self.undecided else ""
        if not self.comparisons:
            return self.undecided
        return f"{reason}supported {supported} of {len(self.comparisons)}, contradicted {contradicted}"

    def describe(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "reported": self.reported,
            "finding": self.finding().value,
            "statistics": self.statistics(),
            "share": self.share.value,
            "false_alarm": FALSE_ALARM,
            "undecided": self.undecided,
            "comparisons": [each.describe() for each in self.comparisons],
        }


@functools.cache
def sign_tail(hits: int, misses: int) -> float:
    """P(a fair coin shows at least `hits` heads in hits + misses throws): the sign test's p-value."""
    throws = hits + misses
    return float(sum(math.comb(throws, heads) for heads in range(hits, throws + 1)) / 2**throws)


def compared(name: str, smaller: Floats, larger: Floats) -> Comparison:
    """Paired values (R,) of two sides."""
    return Comparison(name, int(np.count_nonzero(smaller < larger)), int(np.count_nonzero(smaller > larger)))


def inside(name: str, values: Floats, low: float, high: float) -> tuple[Comparison, Comparison]:
    """Values (R,) are reported to lie between two numbers: their median is above one and below the other."""
    ends = np.full_like(values, low), np.full_like(values, high)
    return compared(f"{low:g} < {name}", ends[0], values), compared(f"{name} < {high:g}", values, ends[1])


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
    """A curve: repetitions (R, C) at the places (C,). With `slope` and `height` it is C points and the line fitted to them:
    log y = height + slope log x."""

    name: str
    places: tuple[float, ...]
    values: Floats
    slope: float | None = None
    height: float = 0.0


@dataclass(frozen=True)
class Panel:
    """Lines under a title, and places on the horizontal axis that are marked by dotted lines."""

    title: str
    lines: tuple[Line, ...]
    dotted: tuple[float, ...] = ()


@dataclass(frozen=True)
class Picture:
    """Panels by row and column; saved under `name`. `until`: where curves end, if before their last place; `ticks`: the places that
    the horizontal axis names, if not the usual ones."""

    name: str
    title: str
    panels: tuple[tuple[Panel, ...], ...]
    across: str = "rounds"
    up: str = "cumulative regret"
    log_across: bool = False
    log_up: bool = False
    until: float | None = None
    ticks: tuple[float, ...] = ()


@dataclass(frozen=True)
class Section:
    """A part of what is shown: a table with headings, or, without them, names and what belongs to each."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    headings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """What a user asked for. `kept`: the folder of the cells (`cells`), if there is to be one."""

    seed: int
    runs: int
    horizon: int
    jobs: int
    kept: Path | None = None


@dataclass(frozen=True)
class Reproduction:
    """Flat rows for a table, outcomes in groups (one for each way of running), pictures, and what was run; `sections` and `notes` are
    what a reader is shown of it."""

    rows: tuple[dict[str, Any], ...]
    outcomes: dict[str, tuple[Outcome, ...]]
    pictures: tuple[Picture, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    notes: tuple[str, ...] = ()


class Progress(Protocol):
    """Is told how far a reproduction is."""

    def stage(self, what: str) -> None:
        """What begins now."""

    def runs(self, done: int, of: int, share: float) -> None:
        """Cells that are there, of all; and the share of this call's work that is behind it, 0 at the start."""


@dataclass(frozen=True)
class Silent:
    """Says nothing."""

    def stage(self, what: str) -> None:
        """Nothing."""

    def runs(self, done: int, of: int, share: float) -> None:
        """Nothing."""


SILENT = Silent()


@dataclass(frozen=True)
class Experiment:
    """A figure of a paper: how many runs and rounds it had, and what runs it again. `most_horizon`: what it is planned for."""

    id: str  # "<paper>.<figure>"
    statement: str
    runs: int
    horizon: int
    least_horizon: int
    reproduce: Callable[[Asked, Progress], Reproduction]
    most_horizon: int | None = None


def words(values: Floats) -> str:
    """'1.23e+04 ± 56 (1.22e+04)': mean, standard deviation and median of values (R,)."""
    known = summary(values)
    return f"{known.mean:.3g} ± {known.deviation:.2g} ({known.median:.3g})"


def spread(values: Floats) -> Floats:
    """Distances (R,) from their median: what 'smaller error bars' compares. The median is estimated, so that sign test is approximate."""
    return np.asarray(np.abs(values - np.median(values)), dtype=float)
