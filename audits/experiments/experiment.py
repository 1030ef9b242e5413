"""What `banditproof reproduce` runs: a paper's experiment, and what came out of it; which reported outcomes it bears out.

Outcomes are judged by paired comparisons: repetition by repetition, was a smaller than b? The repetitions are independent, so the exact
sign test applies to p = P(a < b), whatever the distributions. "a lies below b" is supported where p <= 1/2 is refuted, and contradicted
where p > 1/2 is refuted. Equal pairs are not dropped: they speak against a claim that is strict, as claims are here unless they say
otherwise, so two curves that are exactly equal contradict it. The mean difference is shown for information; not used in the verdict.
A range is two comparisons, with its two ends. Where no draws are compared, but numbers that follow from the constants, `Computed` is it.

Known before any run is what a number of runs can decide: `least_runs`, `detectable`, `judging.too_few`. `judging.judged` puts all together.
"""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from banditproof.audits.experiments.summaries import sign_tail, summary
from banditproof.audits.running.cluster import Cluster
from banditproof.audits.statistics.design import MISS_RATE, detectable_rate
from banditproof.guarantees import require
from banditproof.interaction import Floats

FALSE_ALARM = 0.05  # significance level: of calling an outcome reproduced though one of its comparisons is even, and of contradicting it


class OutcomeVerdict(Enum):
    """What the draws say of a reported outcome."""

    REPRODUCED = "reproduced"
    CONTRADICTED = "contradicted"
    INCONCLUSIVE = "inconclusive"


class RequiredFraction(Enum):
    """Of how many comparisons the paper speaks."""

    ALL = "all"
    MOST = "most"


@dataclass(frozen=True)
class Comparison:
    """`smaller` is reported to lie below `larger`: runs in which it does, in which it lies above, and in which both are equal.

    `strict`: equal runs speak against the claim; else for it. `unknown` runs, of which a side is NaN, speak against whatever is asked.
    `difference`: the mean of larger - smaller with Student's interval.
    """

    name: str
    below: int
    above: int
    ties: int = 0
    strict: bool = True
    unknown: int = 0
    difference: tuple[float, float, float] | None = field(default=None, compare=False)

    def supported(self, false_alarm: float) -> bool:
        favour, against = self._sides()
        return sign_tail(favour, against + self.unknown) <= false_alarm

    def contradicted(self, false_alarm: float) -> bool:
        favour, against = self._sides()
        return sign_tail(against, favour + self.unknown) <= false_alarm

    def runs(self) -> int:
        return self.below + self.above + self.ties + self.unknown

    def describe(self) -> dict[str, Any]:
        favour, against = self._sides()
        known = (
            {} if self.difference is None else dict(zip(("difference", "difference_low", "difference_high"), self.difference, strict=True))
        )
        return {
            "name": self.name,
            "below": self.below,
            "above": self.above,
            "ties": self.ties,
            "strict": self.strict,
            **({"unknown": self.unknown} if self.unknown else {}),
            "p_below": sign_tail(favour, against + self.unknown),
            "p_above": sign_tail(against, favour + self.unknown),
            **known,
        }

    def _sides(self) -> tuple[int, int]:
        """Runs that speak for the claim, and against it."""
        return (self.below, self.above + self.ties) if self.strict else (self.below + self.ties, self.above)


@dataclass(frozen=True)
class Computed:
    """`smaller` is reported to be at most `larger` (`strict`: below it); neither is a draw, so there is nothing to be undecided about."""

    name: str
    smaller: float
    larger: float
    strict: bool = False

    def supported(self, false_alarm: float) -> bool:
        return self.smaller < self.larger if self.strict else self.smaller <= self.larger

    def contradicted(self, false_alarm: float) -> bool:
        return not self.supported(false_alarm)

    def describe(self) -> dict[str, Any]:
        return {"name": self.name, "smaller": self.smaller, "larger": self.larger, "strict": self.strict}


@dataclass(frozen=True)
class Outcome:
    """A reported outcome and the comparisons that it consists of. `undecided`: why these runs cannot speak about it, if they cannot.

    `quote`: the paper's words. `missing`: what the outcome depends on and the paper does not state, so that a contradiction is one of the
    way of running alone.
    """

    id: str
    reported: str
    comparisons: tuple[Comparison | Computed, ...]
    fraction: RequiredFraction = RequiredFraction.ALL
    undecided: str = ""
    quote: str = ""
    missing: str = ""

    def __post_init__(self) -> None:
        require(bool(self.comparisons or self.undecided), f"outcome {self.id}: must have comparisons, or say why it has none")

    def verdict(self) -> OutcomeVerdict:
        """ALL: reproduced if each comparison is supported at FALSE_ALARM (an intersection-union test), contradicted if one is
        contradicted at FALSE_ALARM / number. MOST: if more than half are supported, or at least half contradicted, at FALSE_ALARM / number.
        """
        if self.undecided:
            return OutcomeVerdict.INCONCLUSIVE
        number = len(self.comparisons)
        supported = sum(
            each.supported(FALSE_ALARM if self.fraction is RequiredFraction.ALL else FALSE_ALARM / number) for each in self.comparisons
        )
        contradicted = sum(each.contradicted(FALSE_ALARM / number) for each in self.comparisons)
        if self.fraction is RequiredFraction.ALL:
            yes, no = supported == number, contradicted > 0
        else:
            yes, no = 2 * supported > number, 2 * contradicted >= number
        return OutcomeVerdict.CONTRADICTED if no else OutcomeVerdict.REPRODUCED if yes else OutcomeVerdict.INCONCLUSIVE

    def statistics(self) -> str:
        """'supported 17 of 18, contradicted 0', each at its rate; behind the reason, if there is one, why that decides nothing."""
        rate = FALSE_ALARM / max(len(self.comparisons), 1)
        supported = sum(each.supported(FALSE_ALARM if self.fraction is RequiredFraction.ALL else rate) for each in self.comparisons)
        contradicted = sum(each.contradicted(rate) for each in self.comparisons)
        reason = f"{self.undecided}; " if self.undecided else ""
        if not self.comparisons:
            return self.undecided
        return f"{reason}supported {supported} of {len(self.comparisons)}, contradicted {contradicted}"

    def describe(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "reported": self.reported,
            "quote": self.quote,
            "verdict": self.verdict().value,
            "statistics": self.statistics(),
            "quantifier": self.fraction.value,
            "undecided": self.undecided,
            "missing": self.missing,
            **self._design(),
            "comparisons": [each.describe() for each in self.comparisons],
        }

    def levels(self) -> tuple[float, float]:
        """The levels at which one comparison is supported, and contradicted."""
        shared = FALSE_ALARM / max(len(self.comparisons), 1)
        return (FALSE_ALARM if self.fraction is RequiredFraction.ALL else shared), shared

    def least_runs(self) -> tuple[int, int]:
        """The fewest runs that could find it reproduced, and contradicted, if all of them agreed; 0 where no runs are compared."""
        if not any(isinstance(each, Comparison) for each in self.comparisons):
            return 0, 0
        to_support, to_contradict = (math.ceil(-math.log2(level) - 1e-12) for level in self.levels())
        return to_support, to_contradict

    def _design(self) -> dict[str, Any]:
        """The significance levels, and from which P(smaller < larger) on a comparison of so many runs is decided with power 0.9."""
        runs = [each.runs() for each in self.comparisons if isinstance(each, Comparison)]
        if not runs:
            return {}
        to_support, to_contradict = self.levels()
        return {
            "significance_level": FALSE_ALARM,
            "level_of_a_comparison": {"supported": to_support, "contradicted": to_contradict},
            "power": 1.0 - MISS_RATE,
            "detectable": {
                "supported_from": detectable(runs[0], to_support),
                "contradicted_up_to": 1.0 - detectable(runs[0], to_contradict),
            },
            "least_runs": dict(zip(("reproduced", "contradicted"), self.least_runs(), strict=True)),
        }


@functools.cache
def detectable(runs: int, level: float) -> float:
    """The smallest P(smaller < larger) from which on a comparison is supported with power 0.9; 1.0 where the runs are too few."""
    return detectable_rate(0.5, runs, level, MISS_RATE)


def compared(name: str, smaller: Floats, larger: Floats, *, strict: bool = True) -> Comparison:
    """Paired values (R,) of two sides."""
    below, above = int(np.count_nonzero(smaller < larger)), int(np.count_nonzero(smaller > larger))
    known = summary(larger - smaller) if smaller.size > 1 else None
    difference = None if known is None else (known.mean, known.mean_low, known.mean_high)
    unknown = int(np.count_nonzero(np.isnan(smaller) | np.isnan(larger)))
    return Comparison(name, below, above, smaller.size - below - above - unknown, strict, unknown, difference)


def inside(name: str, values: Floats, low: float, high: float) -> tuple[Comparison, Comparison]:
    """Values (R,) are reported to lie strictly between two numbers: their median is above one and below the other."""
    ends = np.full_like(values, low), np.full_like(values, high)
    return compared(f"{low:g} < {name}", ends[0], values), compared(f"{name} < {high:g}", values, ends[1])


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
    """Lines under a title, and places on the horizontal axis that are marked by dotted lines. `limit`: a place and its name; points beyond
    it are ringed."""

    title: str
    lines: tuple[Line, ...]
    dotted: tuple[float, ...] = ()
    limit: tuple[float, str] | None = None


@dataclass(frozen=True)
class Picture:
    """Panels by row and column; saved under `name`. `until`: where curves end, if before their last place; `ticks`: the places that
    the horizontal axis names, if not the usual ones. `common`: all panels have one vertical scale. `origin`: curves begin at (0, 0), as
    cumulative regret does."""

    name: str
    title: str
    panels: tuple[tuple[Panel, ...], ...]
    across: str = "rounds"
    up: str = "cumulative regret"
    log_across: bool = False
    log_up: bool = False
    until: float | None = None
    ticks: tuple[float, ...] = ()
    common: bool = False
    origin: bool = False


@dataclass(frozen=True)
class Section:
    """A part of what is shown: a table with headings, or, without them, names and what belongs to each."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, repr=False)
class Reproduction:
    """Flat rows for a table, outcomes in groups (one for each way of running), pictures, and what was run; `sections` and `notes` are
    what a reader is shown of it."""

    rows: tuple[dict[str, Any], ...]
    outcomes: dict[str, tuple[Outcome, ...]]
    pictures: tuple[Picture, ...]
    parameters: dict[str, Any] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        from banditproof.audits.reporting import notebook

        return notebook.reproduction_text(self)

    def to_frame(self) -> Any:
        """The flat rows as a pandas DataFrame."""
        from banditproof.audits.reporting import notebook

        return notebook.rows_frame(self.rows)


def unrecorded(found: Reproduction) -> None:
    """A recorder that keeps nothing."""


@dataclass(frozen=True)
class ReproductionRequest:
    """What a user asked for. `kept`: the folder of the cells (`cells`), if any; `alpha_1`: the learner's contamination bound, None for the
    experiment's own; `record` is given what has finished after each way of running; `cluster`: whose workers play, if not ours."""

    seed: int
    runs: int
    horizon: int
    jobs: int
    kept: Path | None = None
    alpha_1: float | None = None
    record: Callable[[Reproduction], None] = unrecorded
    cluster: Cluster | None = None


class Progress(Protocol):
    """Reports how far a reproduction is."""

    def stage(self, what: str) -> None:
        """What begins now."""

    def runs(self, done: int, of: int, fraction: float) -> None:
        """Completed cells, all cells, and the fraction of this call's work that is done, 0 at the start."""

    def note(self, line: str) -> None:
        """Something that went wrong, and was put right."""


@dataclass(frozen=True)
class Silent:
    """Progress that is reported to nobody."""

    def stage(self, what: str) -> None:
        """Discards the report: nobody reads it."""

    def runs(self, done: int, of: int, fraction: float) -> None:
        """Discards the report: nobody reads it."""

    def note(self, line: str) -> None:
        """Discards the report: nobody reads it."""


SILENT = Silent()


@dataclass(frozen=True)
class Experiment:
    """A figure of a paper: how many runs and rounds it had, and what runs it again. `most_horizon`: what it is planned for.

    `design`: the outcomes as they would be judged, on numbers that mean nothing, to know what the runs can decide before they begin.
    `alpha_1_range`: the least and the largest alpha_1 that a user may fix; None where the experiment has none.
    """

    id: str  # "<paper>.<figure>"
    statement: str
    runs: int
    horizon: int
    least_horizon: int
    reproduce: Callable[[ReproductionRequest, Progress], Reproduction]
    most_horizon: int | None = None
    design: Callable[[ReproductionRequest], Mapping[str, tuple[Outcome, ...]]] | None = None
    alpha_1_range: tuple[float, float] | None = None


def words(values: Floats) -> str:
    """'1.23e+04 ± 56 (1.22e+04)': mean, standard deviation and median of values (R,)."""
    known = summary(values)
    return f"{known.mean:.3g} ± {known.deviation:.2g} ({known.median:.3g})"


def distances_to_median(values: Floats) -> Floats:
    """Distances (R,) from their median: what 'smaller error bars' compares. The median is estimated, so that sign test is approximate."""
    return np.asarray(np.abs(values - np.median(values)), dtype=float)
