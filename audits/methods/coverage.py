"""How often a stated event fails: counted over independent runs, or summed exactly where every outcome can be listed.

Main definitions
    Coverage      counts failures in fresh runs; one exact binomial test (two, at half the rate each, for a claim of equality)
    Enumeration   exact failure probabilities at listed points, compared with the claims in exact arithmetic
    uniformly     an event over all rounds as one failure a run

The radius under audit is the theorem's or the algorithm's; `rule` says whose. A radius that holds for all rounds at once is one event: a
run fails once or not at all, however many of its rounds fail.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, assert_never

import numpy as np
from numpy.typing import NDArray

from banditproof.audits.methods.pointwise import severity
from banditproof.audits.methods.stated import Derived, Stated
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import (
    Measurement,
    Verdict,
    at_least,
    at_most,
    counted,
    fields_json,
    from_fields,
    listed,
    plain_parameters,
)
from banditproof.audits.statistics.sampling import CELL, cells
from banditproof.audits.statistics.tails import binomial_tail, lower_probability, upper_probability
from banditproof.guarantees import whole
from banditproof.phases import Phase, phase
from banditproof.randomness import key_of
from banditproof.theory.language import Sense

Bools = NDArray[np.bool_]
Fails = Callable[[int, np.random.Generator], Any]  # (runs, rng) -> (runs,) booleans


@dataclass(frozen=True)
class Claim:
    """The event fails with probability at most, exactly or at least `failure`; a failure probability `ratio` times that (or that divided
    by `ratio`, on the other side) must be detected."""

    failure: float
    sense: Sense
    ratio: float

    def __post_init__(self) -> None:
        if not 0.0 < self.failure < 1.0:
            raise ValueError(f"failure = {self.failure}: must be > 0 and < 1 (claimed probability of failure)")
        if not self.ratio > 1.0:
            raise ValueError(f"must_detect_ratio = {self.ratio}: must be > 1 (times the claimed failure)")

    @property
    def from_above(self) -> bool:
        return self.sense is not Sense.AT_LEAST

    @property
    def from_below(self) -> bool:
        return self.sense is not Sense.AT_MOST

    def fraction(self, false_alarm: float) -> float:
        """What each of the claim's sides may spend of the false-alarm rate."""
        match self.sense:
            case Sense.AT_MOST | Sense.AT_LEAST:
                return false_alarm
            case Sense.EQUALS:
                return false_alarm / 2.0
            case _:
                assert_never(self.sense)


@dataclass(frozen=True)
class CoverageWitness:
    """How many of the runs failed, by which rule, at which parameters."""

    rule: str
    failures: int
    runs: int
    parameters: Mapping[str, Any]
    kind: ClassVar[str] = "coverage"

    def rows(self) -> list[tuple[str, Any]]:
        return [
            ("rule", f"counts as a failure: {self.rule}"),
            ("failures", self.failures),
            ("runs", self.runs),
            *([("parameters", self.parameters)] if self.parameters else []),
        ]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "CoverageWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class Coverage:
    """Counts the runs in which an event fails. `fails` gives one boolean a run and draws from its generator alone.

    `stated` is the theorem at the values of the audit: the failure probability and its sense come from there when the audit runs (an ERROR
    where the theorem claims nothing). `fails` is made from it too, or from the subject whose values it took (`Stated.of`), so that each
    value is written once. `runs` are those of the quick level; `cell` runs share a generator, fewer where a run takes much memory.
    """

    fails: Fails
    stated: Stated | Derived
    rule: str  # what fails, in words, and whose radius it is
    must_detect_ratio: float
    runs: int = 20_000
    cell: int = CELL
    parameters: Mapping[str, Any] = field(default_factory=dict)
    statistical: bool = True
    prefix: ClassVar[str] = "coverage"

    def measure(self, request: Request) -> Measurement:
        return self._counted(self.runs * request.level.factor, request.false_alarm, request.seed, request.path)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Counts again in fresh runs."""
        return self._counted(*again.of(before), again.seed, again.path)

    def claim(self) -> Claim:
        """What is claimed, and what must be detected. Raises what the theorem raises at its values."""
        return Claim(self.stated.failure(), self.stated.sense, self.must_detect_ratio)

    def _counted(self, runs: int, false_alarm: float, seed: int, path: tuple[str, ...]) -> Measurement:
        claim = self.claim()
        failures = count_failures(self.fails, runs, seed, path, self.cell)
        return judge(claim, failures, runs, false_alarm=false_alarm, rule=self.rule, parameters=self.parameters)


def count_failures(fails: Fails, runs: int, seed: int, path: tuple[str, ...], cell: int = CELL) -> int:
    """Failures in `runs` fresh runs. Draws. Raises ValueError, naming shape and type, unless the event gives one boolean a run."""
    total, runs = 0, whole("runs", runs, 1)
    for count, rng in cells(key_of(seed, *path, "failures"), runs, cell):
        with phase(Phase.DRAWING):
            found = fails(count, rng)
        if isinstance(found, np.ma.MaskedArray):
            raise ValueError("failures: are a masked array: must be booleans without a mask, one per run")
        failed = np.asarray(found)
        if failed.shape != (count,) or failed.dtype != np.bool_:
            raise ValueError(f"failures of shape {failed.shape} and type {failed.dtype}: must be ({count},) booleans, one per run")
        total += int(np.count_nonzero(failed))
    return total


def judge(
    claim: Claim, failures: int, runs: int, *, false_alarm: float, rule: str, parameters: Mapping[str, Any] | None = None
) -> Measurement:
    """The verdict on a claim from the number of runs that failed."""
    fraction, miss_rate = claim.fraction(false_alarm), design.MISS_RATE
    sides: dict[str, float] = {}
    if claim.from_above:
        sides["too_many"] = binomial_tail(failures, runs, claim.failure)
    if claim.from_below:
        sides["too_few"] = binomial_tail(runs - failures, runs, 1.0 - claim.failure)
    above = design.detectable_failure(claim.failure, runs=runs, false_alarm=fraction, miss_rate=miss_rate)
    below = design.detectable_failure_below(claim.failure, runs=runs, false_alarm=fraction, miss_rate=miss_rate)
    must_above, must_below = min(claim.ratio * claim.failure, 1.0), claim.failure / claim.ratio
    low, high = lower_probability(failures, runs, fraction), upper_probability(failures, runs, fraction)
    caught_above, caught_below = design.shows(above, must_above, none=1.0), design.shows(1.0 - below, 1.0 - must_below, none=1.0)
    caught = (not claim.from_above or caught_above) and (not claim.from_below or caught_below)
    if min(sides.values()) <= fraction:
        verdict = Verdict.REFUTED
        shown = f"more than {at_least(low)}" if sides.get("too_many", 1.0) <= fraction else f"less than {at_most(high)}"
        stated = f"{claim.sense.words} {claim.failure:.4g}"
        message = f"{failures} of {runs} runs failed: the failure probability is {shown}, where the claim says {stated}"
    elif caught:
        verdict = Verdict.NOT_REFUTED
        found = ([f"{at_most(above)} or more"] if claim.from_above else []) + ([f"{at_least(below)} or less"] if claim.from_below else [])
        seen = f"{failures} of {runs} runs failed"
        message = f"{seen}; a probability of {' and one of '.join(found)} would have been refuted {design.with_power(miss_rate)}"
    else:
        verdict = Verdict.INCONCLUSIVE
        targets = [must_above] * claim.from_above + [must_below] * claim.from_below
        missed = " or ".join(f"{must:.4g}" for must in targets)
        message = f"would have missed a failure probability of {missed}: {_needed(claim.failure, targets, fraction, miss_rate)}"
    return Measurement(
        verdict,
        quantity="failure",
        claimed=claim.failure,
        estimate=failures / runs,
        low=low,
        high=high,
        false_alarm=false_alarm,
        must_detect=must_above if claim.from_above else must_below,
        detectable=above if claim.from_above else below,
        miss_rate=miss_rate,
        samples=runs,
        witness=CoverageWitness(rule, failures, runs, plain_parameters(parameters or {})),
        detail={
            "sense": claim.sense.value,
            "p_value": min(1.0, len(sides) * min(sides.values())),
            **({"must_detect_below": must_below, "detectable_below": below} if claim.sense is Sense.EQUALS else {}),
        },
        message=message,
    )


def _needed(failure: float, targets: list[float], false_alarm: float, miss_rate: float) -> str:
    """How many runs would do, in words."""
    try:
        needed = max(design.runs_for_failure(failure, must_detect=must, false_alarm=false_alarm, miss_rate=miss_rate) for must in targets)
    except ValueError as error:
        return str(error)
    return f"about {needed:.2g} runs would do"


def uniformly(outside: NDArray[np.bool_]) -> Bools:
    """Whether a run fails in any of its rounds: (runs, T) to (runs,)."""
    return np.asarray(outside.any(axis=1))


# --- exact ----------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """One distribution and one claim: the exact failure probability, and the claimed one or numbers that enclose it."""

    parameters: Mapping[str, Any]
    failure: Fraction
    claimed: Fraction
    claimed_high: Fraction | None = None

    def enclosure(self) -> tuple[Fraction, Fraction]:
        return self.claimed, self.claimed if self.claimed_high is None else self.claimed_high


@dataclass(frozen=True)
class EnumerationWitness:
    """The values at which the claim fails, and the exact failure probability there."""

    parameters: Mapping[str, Any]
    failure: str
    kind: ClassVar[str] = "enumeration"

    def rows(self) -> list[tuple[str, Any]]:
        return [("parameters", self.parameters), ("failure", self.failure)]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "EnumerationWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class Enumeration:
    """Claims that can be settled by listing every outcome: for the distributions that `points` lists, and for no others."""

    points: Callable[[], Iterable[Point]]
    domain: str  # which distributions and values, in words
    sense: Sense = Sense.AT_MOST
    statistical: bool = False
    prefix: ClassVar[str] = "exact"

    def measure(self, request: Request) -> Measurement:
        count, worst, undecided = 0, None, 0
        closest: tuple[float, Point] | None = None
        for point in self.points():
            count += 1
            holds = self._holds(point)
            undecided += holds is None
            if holds is False and worst is None:
                worst = point
            near = severity(self.sense, float(point.failure), float(point.claimed))
            if closest is None or near > closest[0]:
                closest = near, point
        if closest is None:
            raise ValueError(f"{self.domain}: lists no point")
        return self._judged(count, undecided, worst, closest[1])

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Computes all points again: nothing is drawn."""
        return self.measure(Request(0.0, again.seed, again.path))

    def _holds(self, point: Point) -> bool | None:
        """None where the claimed number is not known well enough."""
        low, high = point.enclosure()
        above, below = point.failure > high, point.failure < low
        match self.sense:
            case Sense.AT_MOST:
                return False if above else True if point.failure <= low else None
            case Sense.AT_LEAST:
                return False if below else True if point.failure >= high else None
            case Sense.EQUALS:
                return False if above or below else True if low == high else None
            case _:
                assert_never(self.sense)

    def _judged(self, count: int, undecided: int, worst: Point | None, closest: Point) -> Measurement:
        shown = closest if worst is None else worst
        parameters, failure, claimed = plain_parameters(shown.parameters), float(shown.failure), float(shown.claimed)
        if worst is not None:
            verdict = Verdict.REFUTED
            message = (
                f"fails with probability {failure:.6g}, where the claim says {self.sense.words} {claimed:.6g}, at {listed(parameters)}"
            )
        elif undecided:
            verdict = Verdict.INCONCLUSIVE
            message = f"{undecided} of {count} points lie too close to the claim for its enclosure; a narrower one would settle them"
        else:
            verdict = Verdict.HOLDS_AT_POINTS
            closest_at = f"closest at {listed(parameters)}: {failure:.6g} of {claimed:.6g}"
            message = f"holds at {counted(count, 'listed point')}, by exact sums; {closest_at}"
        witness = EnumerationWitness(parameters, str(shown.failure)) if worst is not None else None
        return Measurement(
            verdict,
            quantity="failure",
            claimed=claimed,
            estimate=failure,
            exact=failure,
            samples=count,
            assumed=(f"only these distributions: {self.domain}",),
            witness=witness,
            detail={"sense": self.sense.value, "points": count, "closest": parameters},
            message=message,
        )
