"""A bound on a number beside the number itself, at listed points: sensitivities, moments, tails, divergences, pull counts.

Nothing is drawn, and numbers have at least 30 digits on both sides: a value is a Fraction, a claim a Fraction or a theorem's ball. Numbers
within 1e-25 of each other count as equal. The verdict is about the points that `points` lists and no others; `domain` says which.
`statistics.exact` has the arithmetic.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeVar, assert_never

from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict, counted, fields_json, from_fields, listed, plain_parameters
from banditproof.audits.statistics.exact import fraction
from banditproof.theory.language import Sense

Number = Any  # a Fraction, an int, or a theorem's ball
Real = TypeVar("Real", float, Fraction)

EQUAL = Fraction(1, 10**25)


@dataclass(frozen=True)
class At:
    """One point: what is true there, and what is claimed."""

    parameters: Mapping[str, Any]
    value: Number
    claimed: Number


@dataclass(frozen=True)
class PointwiseWitness:
    """The point at which the claim fails most, and the value there."""

    parameters: Mapping[str, Any]
    value: float
    kind: ClassVar[str] = "pointwise"

    def rows(self) -> list[tuple[str, Any]]:
        return [("parameters", self.parameters), ("value", self.value)]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "PointwiseWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class Pointwise:
    """Compares value and claim at every point; `quantity` names what they measure."""

    points: Callable[[], Iterable[At]]
    domain: str
    quantity: str
    sense: Sense = Sense.AT_MOST
    statistical: bool = False
    prefix: ClassVar[str] = "points"

    def measure(self, request: Request) -> Measurement:
        found = list(self.points())
        if not found:
            raise ValueError(f"{self.domain}: lists no point")
        return self._judged(found, [point for point in found if not holds(self.sense, point.value, point.claimed)])

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Computes all points again: nothing is drawn."""
        return self.measure(Request(0.0, again.seed, again.path))

    def _judged(self, found: list[At], broken: list[At]) -> Measurement:
        shown = max(broken or found, key=self._severity)
        value, claimed, where = _float(shown.value), _float(shown.claimed), plain_parameters(shown.parameters)
        if broken:
            verdict = Verdict.REFUTED
            message = f"{self.quantity} is {value:.6g}, where the claim says {self.sense.words} {claimed:.6g}, at {listed(where)}"
        else:
            verdict = Verdict.HOLDS_AT_POINTS
            closest_at = f"closest at {listed(where)}: {value:.6g} against {claimed:.6g}"
            message = f"holds at {counted(len(found), 'listed point')}, exactly; {closest_at}"
        return Measurement(
            verdict,
            quantity=self.quantity,
            claimed=claimed,
            estimate=value,
            exact=value,
            samples=len(found),
            assumed=(f"only these points: {self.domain}",),
            witness=PointwiseWitness(where, value) if broken else None,
            detail={"sense": self.sense.value, "points": len(found), "broken": len(broken), "closest": where},
            message=message,
        )

    def _severity(self, point: At) -> float:
        value, claimed = _float(point.value), _float(point.claimed)
        if math.isinf(value) or math.isinf(claimed):
            return _float(severity(self.sense, fraction(point.value), fraction(point.claimed)))
        return severity(self.sense, value, claimed)  # of doubles: of points that differ by rounding the first is shown


def severity(sense: Sense, value: Real, claimed: Real) -> Real:
    """How close to breaking: value over claim, or the reverse for AT_LEAST; the distance for EQUALS."""
    match sense:
        case Sense.AT_MOST:
            return value / claimed if claimed > 0 else value - claimed
        case Sense.AT_LEAST:
            return claimed / value if value > 0 else claimed - value
        case Sense.EQUALS:
            return abs(value - claimed)
        case _:
            assert_never(sense)


def holds(sense: Sense, value: Number, claimed: Number) -> bool:
    """Whether the claim holds of the value, numbers within 1e-25 (relative to the larger, or to 1e-200) counting as equal."""
    mine, their = fraction(value), fraction(claimed)
    if abs(mine - their) <= EQUAL * max(abs(mine), abs(their), _TINY):
        return True
    match sense:
        case Sense.AT_MOST:
            return mine < their
        case Sense.AT_LEAST:
            return mine > their
        case Sense.EQUALS:
            return False
        case _:
            assert_never(sense)


_TINY = Fraction(1, 10**200)


def _float(number: Number) -> float:
    """The nearest double; infinite where the number is beyond all."""
    exact = fraction(number)
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf
