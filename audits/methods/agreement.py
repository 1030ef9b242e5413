"""Two transcriptions of one formula: an algorithm's parameter function beside the theorem's expression, at drawn points.

The theorem's side is a ball of 30 digits, never a float. Points come from the glossary's domains: a third between the typical values,
a third up to WIDER times beyond them, a third at the ends of the domain (and powers of two, with their neighbours, for integers).

A difference counts relative to the size of the terms: the larger of the value and of what a relative change of one input changes,
|x df/dx|. So ln(p / (1 - p)) near p = 1/2 is measured by its terms and not by their difference, which no float formula has to 12 digits.
Agreement at points is no proof, and the verdict is at best NOT_REFUTED.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from banditproof.audits.running.audit import Audit, Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict, fields_json, from_fields
from banditproof.glossary import Domain, Quantity
from banditproof.randomness import generator, key_of
from banditproof.theory.evaluate import to_ball
from banditproof.theory.language import Bound, HypothesisFails, OutsideDomain, Sense, Theorem, always

Point = dict[str, float]

TOLERANCE = 1e-12  # relative: doubles have 2e-16, and a formula of ten operations loses little of it
SMALLEST = 2.0**-1022  # below it doubles lose digits one by one
WIDER = 1e6
CLOSEST = 12.0  # decimal digits to a finite end of a domain
LARGEST_INTEGER = 10**9
TRIES = 50  # draws for each point that the theorem must accept one of


@dataclass(frozen=True)
class AgreementWitness:
    """The drawn point at which the two transcriptions differ most, and what each gives there."""

    point: Mapping[str, float]
    algorithm: str
    theory: str
    kind: ClassVar[str] = "agreement"

    def rows(self) -> list[tuple[str, Any]]:
        return [("point", self.point), ("algorithm", self.algorithm), ("theory", self.theory)]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "AgreementWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class Agreement:
    """Compares `function(**arguments(point))` with the theorem at `points` drawn points (at the quick level).

    `draws` are the quantities of a point, by default what the theorem takes; `arguments` turns a point into what the function takes, by
    default the point itself. `theory` gives the theorem's ball at a point, by default `theorem.at(**point).ball`. For an inverse, where
    the function returns one of the theorem's own arguments, `inverse` names it: what the theorem gives at the function's value must then
    be the drawn value of what the theorem bounds. AT_MOST: the function may be smaller (sharper) than the theorem, never larger.
    `least_size` is the size of terms that are known to cancel (1 for a logarithm).
    """

    theorem: Theorem
    function: Callable[..., float]
    draws: tuple[Quantity, ...] = ()
    theory: Callable[..., Any] | None = None
    inverse: str = ""
    sense: Sense = Sense.EQUALS
    points: int = 200
    least_size: float = 0.0
    arguments: Callable[[Point], Mapping[str, Any]] | None = None
    statistical: bool = False
    prefix: ClassVar[str] = "agree"

    def measure(self, request: Request) -> Measurement:
        rng = generator(key_of(request.seed, *request.path, "points"))
        return self._compared(self.points * request.level.factor, rng)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Compares again at the witness's point alone, or at `samples` fresh points where nothing was refuted."""
        if isinstance(before.witness, AgreementWitness):
            return self._judged(1, 0, Comparison.of(self, {name: _number(value) for name, value in before.witness.point.items()}))
        points = before.samples if again.samples is None else again.samples
        return self._compared(points, generator(key_of(again.seed, *again.path, "points")))

    def value(self, point: Point) -> float:
        """What the algorithm has at the point. Raises its ValueError where its own check refuses it."""
        return float(self.function(**(self.arguments or dict)(point)))

    def quantities(self) -> tuple[Quantity, ...]:
        """What is drawn. Raises ValueError for a theorem without a bound."""
        bound = self.theorem.stated()
        return self.draws or tuple(bound.of if quantity.name == self.inverse else quantity for quantity in bound.given)

    def _compared(self, points: int, rng: np.random.Generator) -> Measurement:
        worst, count, refused = None, 0, 0
        for point in drawn(self.quantities(), rng):
            if count == points:
                break
            if count + refused >= TRIES * points:
                raise ValueError(
                    f"{self.theorem.id}: accepts {count} of {count + refused} drawn points; give `draws` inside its hypotheses"
                )
            try:
                found = Comparison.of(self, point)
            except (OutsideDomain, HypothesisFails):
                refused += 1
                continue
            count += 1
            if worst is None or found.difference > worst.difference:
                worst = found
        if worst is None:
            raise ValueError(f"points = {points}: must be an integer >= 1")
        return self._judged(count, refused, worst)

    def _judged(self, count: int, refused: int, worst: "Comparison") -> Measurement:
        at = ", ".join(f"{name} = {value!r}" for name, value in worst.point.items())
        if worst.difference > TOLERANCE:
            verdict = Verdict.REFUTED
            message = (
                f"relative difference of {worst.difference:.2g} at {at}: the algorithm has {worst.algorithm}, the theorem {worst.theory}"
            )
        else:
            verdict = Verdict.NOT_REFUTED
            message = (
                f"agrees at {count} drawn points ({refused} more lay outside the hypotheses), which is no proof; "
                f"largest relative difference {worst.difference:.2g}"
            )
        return Measurement(
            verdict,
            quantity="relative difference",
            claimed=TOLERANCE,
            estimate=worst.difference,
            low=worst.difference if verdict is Verdict.REFUTED else None,
            must_detect=TOLERANCE,
            detectable=TOLERANCE,
            samples=count,
            witness=AgreementWitness(worst.point, worst.algorithm, worst.theory) if verdict is Verdict.REFUTED else None,
            detail={"points": count, "refused": refused, "sense": self.sense.value},
            message=message,
        )


def side_of(theorem: Theorem, step: str, of: Quantity, *, right: bool = False) -> Theorem:
    """One side of a line of the theorem's proof as a statement that can be compared."""
    line = next(each for each in theorem.steps if each.id == step)
    bound = Bound(of=of, sense=Sense.EQUALS, cases=always(line.right if right else line.left), given=line.draw_order)
    return replace(theorem, hypotheses=(), bound=bound, not_checkable="", steps=(), published=None, findings=())


@dataclass(frozen=True)
class Comparison:
    """Both numbers at one point, as text, and their difference relative to the size of the terms."""

    point: Point
    algorithm: str
    theory: str
    difference: float

    @classmethod
    def of(cls, audit: Agreement, point: Point) -> "Comparison":
        """Raises OutsideDomain or HypothesisFails where the theorem says nothing about the point."""
        if audit.inverse:
            return cls._inverted(audit, point)
        theory = audit.theory or (lambda **values: audit.theorem.at(**values).ball)
        ball = theory(**point)
        try:
            value = audit.value(point)
        except ValueError as error:  # its own domain check: a disagreement, since the theorem has a number here
            return cls(point, f"raises ValueError: {error}", str(ball), math.inf)
        difference = _difference(audit, value, ball, lambda name, moved: theory(**{**point, name: moved}), point)
        return cls(point, repr(value), str(ball), difference)

    @classmethod
    def _inverted(cls, audit: Agreement, point: Point) -> "Comparison":
        of = audit.theorem.stated().of.name
        try:
            value = audit.value(point)
        except ValueError as error:  # where the theorem stands cannot be told without the function's value
            raise OutsideDomain(str(error)) from error
        values = {**{name: number for name, number in point.items() if name != of}, audit.inverse: value}
        ball = audit.theorem.at(**values).ball
        difference = _difference(audit, point[of], ball, lambda name, moved: audit.theorem.at(**{**values, name: moved}).ball, values)
        return cls(point, f"{audit.inverse} = {value!r} for {of} = {point[of]!r}", f"{of} = {ball}", difference)


def _difference(audit: Agreement, value: float, ball: Any, moved: Callable[[str, float], Any], point: Mapping[str, float]) -> float:
    """|value - ball| over the size of the terms; 0 where an inequality allows the sign. NaN counts as inf.

    Raises ValueError for a ball that is too wide to compare with.
    """
    if not math.isfinite(value) or not ball.is_finite():
        return math.inf
    gap = to_ball(Fraction(value)) - ball
    if ball.rad() > TOLERANCE * max(abs(ball.mid()) + SMALLEST, audit.least_size):
        raise ValueError(f"{audit.theorem.id}: the theory gives {ball}: must be known to 12 digits")
    if (audit.sense is Sense.AT_MOST and gap <= 0) or (audit.sense is Sense.AT_LEAST and gap >= 0) or gap.contains(0):
        return 0.0
    allowed = max(abs(ball) + SMALLEST, to_ball(Fraction(audit.least_size))) * TOLERANCE
    direct = float(abs(gap / allowed).upper())
    if direct <= 1.0:
        return direct * TOLERANCE
    for name, number in point.items():
        if isinstance(number, int):
            continue
        for step in (TOLERANCE, -TOLERANCE):
            try:
                allowed = max(allowed, abs(moved(name, number * (1.0 + step)) - ball))
            except (OutsideDomain, HypothesisFails):  # a step over the border of the hypotheses
                continue
    return float(abs(gap / allowed).upper()) * TOLERANCE


# --- points ---------------------------------------------------------------------------------------------------------------------------


def drawn(quantities: tuple[Quantity, ...], rng: np.random.Generator) -> Iterator[Point]:
    """Points without end, each a value a quantity; draws from rng."""
    while True:
        yield {quantity.name: value_of(quantity, rng) for quantity in quantities}


def value_of(quantity: Quantity, rng: np.random.Generator) -> float:
    """A value of the quantity's domain, typical, far from typical, or at an end; draws from rng."""
    domain, typical = quantity.domain, [value for value in quantity.typical if value != 0.0] or [1.0]
    low, high = min(typical), max(typical)
    for _ in range(1000):
        kind = int(rng.integers(3))
        if kind == 2:
            value = _power_of_two(rng) if domain.integer else _near_an_end(domain, low, high, rng)
        else:
            wider = 1.0 if kind == 0 else WIDER
            value = math.exp(rng.uniform(math.log(low / wider), math.log(high * wider)))
        value = min(round(value), LARGEST_INTEGER) if domain.integer else value
        if value in domain:
            return value
    raise ValueError(f"{quantity.name}: no value of {domain.rule()} was drawn")


def _power_of_two(rng: np.random.Generator) -> float:
    return float(2 ** rng.integers(0, 30) + rng.integers(-1, 2))


def _near_an_end(domain: Domain, low: float, high: float, rng: np.random.Generator) -> float:
    """A distance of 10^-CLOSEST to 1 from a finite end, or none where the end belongs to the domain; else far out."""
    ends = [(end, inward, is_open) for end, inward, is_open in _ends(domain) if math.isfinite(end)]
    if not ends:
        return float(rng.choice([-1.0, 1.0])) * math.exp(rng.uniform(math.log(low / WIDER), math.log(high * WIDER)))
    end, inward, is_open = ends[int(rng.integers(len(ends)))]
    if not is_open and rng.random() < 0.25:
        return end
    return end + inward * math.pow(10.0, -rng.uniform(0.0, CLOSEST))


def _ends(domain: Domain) -> tuple[tuple[float, float, bool], tuple[float, float, bool]]:
    return (domain.low, 1.0, domain.low_open), (domain.high, -1.0, domain.high_open)


def _number(value: Any) -> float:
    return int(value) if isinstance(value, int) else float(value)


def agreement(function: str, method: Agreement, variant: str = "", note: str = "", short: str = "") -> Audit:
    """The audit of a parameter function, named "module.function", beside the statement of its method.

    `variant` ends the slug where a function stands beside one statement in several ways, `note` ends the label. `short` stands for the
    function in a slug that would make the id too long.
    """
    ending = f".{variant}" if variant else ""
    return Audit(method.theorem.id, f"{method.prefix}.{short or function}{ending}", f"agreement of {function}{note}", method)
