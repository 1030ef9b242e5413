"""Evaluates statements in ball arithmetic: exact numbers in, a certified enclosure out.

What a precision cannot decide is tried again at twice the precision, up to LIMIT bits. Expressions and conditions: `arithmetic`.
"""

import math
import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, ctx, fmpq

from banditproof.glossary import Quantity
from banditproof.theory.arithmetic import LIMIT, to_fmpq
from banditproof.theory.arithmetic import Undecided as Undecided
from banditproof.theory.arithmetic import ball as ball
from banditproof.theory.arithmetic import decided as decided
from banditproof.theory.arithmetic import holds as holds
from banditproof.theory.arithmetic import rational as rational
from banditproof.theory.arithmetic import to_ball as to_ball
from banditproof.theory.language import (
    Bound,
    Constants,
    HypothesisFails,
    Implicit,
    NoNumber,
    OutsideDomain,
    Sense,
    Theorem,
    symbol,
)

DIGITS = 30
START = 128  # bits
_NUMBER = re.compile(r"[+-]?(\d+(/\d+)?|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)")


@dataclass(frozen=True, slots=True, repr=False)
class Value:
    """What a bound is at given values. `ball` is Arb's enclosure, `bound` the float on the safe side of it.

    The safe side: at least the true value for AT_MOST, at most for AT_LEAST, the nearest float to the middle for EQUALS.
    `low` and `high` are floats that enclose the value in any case.
    """

    sense: Sense
    ball: Any
    bound: float
    low: float
    high: float
    theorem: Theorem | None = field(default=None, compare=False)  # whose bound it is

    def __repr__(self) -> str:
        from banditproof.theory import notebook

        return notebook.value_text(self)

    def _repr_html_(self) -> str:
        """The number with the statement that it comes from, for notebooks."""
        from banditproof.theory import notebook

        return notebook.value_html(self)

    @property
    def digits(self) -> str:
        """The enclosure in decimals: '[0.30685281944005469058 +/- 3e-31]'."""
        return str(self.ball.str(DIGITS + 2))


def exact(name: str, value: object) -> Fraction:
    """The exact number that a user means; raises OutsideDomain, naming it, for anything that is not a finite number."""
    match value:
        case bool():
            pass
        case int():
            return Fraction(value)
        case float() if math.isfinite(value):
            return Fraction(value)
        case Fraction():
            return value
        case str():
            text = value.strip()
            if not _NUMBER.fullmatch(text) or len(text) > 1000 or re.search(r"/0+$", text):
                raise OutsideDomain(f"{name} = {value[:60]!r}: must be a number, as 3, 0.05, 1e-5 or 1/20 (exponent: four digits at most)")
            return Fraction(text)
        case numbers.Rational():
            return Fraction(int(value.numerator), int(value.denominator))
        case sympy.Rational():
            return Fraction(int(value.p), int(value.q))
        case float() | Decimal() | numbers.Real():
            number = value if isinstance(value, Decimal) else float(value)
            if not math.isfinite(number):
                raise OutsideDomain(f"{name} = {value}: must be finite")
            return Fraction(number)
    raise OutsideDomain(f"{name} = {value!r}: must be a number, not a {type(value).__name__}")


def given_values(theorem: Theorem, bound: Bound, values: Mapping[str, object]) -> dict[Quantity, Fraction]:
    """The exact values by quantity; raises OutsideDomain for names or values that do not fit."""
    require_names(theorem.id, bound, values)
    result = {}
    for quantity in bound.given:
        number = exact(f"{theorem.id}: {quantity.name}", values[quantity.name])
        if number not in quantity.domain:
            raise OutsideDomain(f"{theorem.id}: {quantity.name} = {shown(values[quantity.name])}: {rule(quantity)}")
        result[quantity] = number
    return result


def require_names(statement: str, bound: Bound, names: Mapping[str, object]) -> None:
    """Raises OutsideDomain unless the names are exactly the given quantities."""
    given = [quantity.name for quantity in bound.given]
    if len(names) == len(given) and all(name in names for name in given):
        return
    takes = ", ".join(given) or "no value"
    for name in names:
        if name not in given:
            raise OutsideDomain(f"{statement}: {name}: is not a value of this statement (it takes {takes})")
    if missing := [name for name in given if name not in names]:
        raise OutsideDomain(f"{statement}: {', '.join(missing)}: must be given (it takes {takes})")


def rule(quantity: Quantity) -> str:
    return f"must be {quantity.domain.rule()} ({quantity.meaning})"


def shown(value: object) -> str:
    return value.strip() if isinstance(value, str) else str(value)


def require_number(theorem: Theorem) -> Bound:
    """The bound, if there is one with explicit constants; raises NoNumber."""
    if theorem.bound is None:
        raise NoNumber(f"{theorem.id}: has no number: {theorem.not_checkable}")
    if theorem.bound.constants is Constants.SUPPRESSED:
        raise NoNumber(f"{theorem.id}: the source suppresses the constants, so it has a rate (growth_in) but no number")
    return theorem.bound


def at(theorem: Theorem, values: Mapping[str, object]) -> Value:
    """The value of a theorem's bound at these values, as an enclosure: see `Theorem.at`."""
    bound = require_number(theorem)
    start = given_values(theorem, bound, values)
    precision = START
    while precision <= LIMIT:
        with ctx.workprec(precision):
            try:
                result = _attempt(theorem, bound, start, values)
            except Undecided as why:
                reason: object = why
            else:
                if result.rel_accuracy_bits() >= DIGITS * math.log2(10) + 4 or result.is_exact():
                    return _value(theorem, bound.sense, result)
                reason = "the value cannot be told from its rounding error"
        precision *= 2
    shown_values = ", ".join(f"{name} = {shown(value)}" for name, value in values.items())
    raise OutsideDomain(f"{theorem.id}: {shown_values}: {reason} at {LIMIT} bits")


def _attempt(theorem: Theorem, bound: Bound, start: Mapping[Quantity, Fraction], values: Mapping[str, object]) -> arb:
    """One evaluation at the current precision; raises Undecided or HypothesisFails."""
    numbers_: dict[sympy.Symbol, Fraction | fmpq | arb] = {symbol(quantity): to_fmpq(number) for quantity, number in start.items()}
    for implicit in bound.where:
        numbers_[symbol(implicit.of)] = solve(implicit, numbers_)
    for hypothesis in theorem.hypotheses:
        if hypothesis.condition is not None and not holds(hypothesis.condition, numbers_):
            names = sorted(item.name for item in hypothesis.condition.free_symbols)
            found = ", ".join(f"{name} = {shown(values[name])}" for name in names if name in values)
            raise HypothesisFails(f"{theorem.id}: {found}: must satisfy {hypothesis.name}: {hypothesis.statement}")
    for case in bound.cases:
        if holds(case.condition, numbers_):
            result = ball(case.expression, numbers_)
            if not result.is_finite():
                raise Undecided("the value is not a finite number")
            return result
    found = ", ".join(f"{name} = {shown(value)}" for name, value in values.items())
    raise OutsideDomain(f"{theorem.id}: {found}: must fall in one of the cases of the statement")


def implicit_values(bound: Bound, values: Mapping[str, object], last: Quantity) -> dict[str, int]:
    """The integers that the bound's implicit quantities up to `last` are at these values, by name. Raises OutsideDomain as `at` does."""
    start = {symbol(quantity): to_fmpq(exact(quantity.name, values[quantity.name])) for quantity in bound.given}
    precision = START
    while precision <= LIMIT:
        with ctx.workprec(precision):
            numbers_: dict[sympy.Symbol, Fraction | fmpq | arb] = dict(start)
            found: dict[str, int] = {}
            try:
                for implicit in bound.where:
                    if implicit.of.domain.integer:
                        number = _least(implicit, numbers_)
                        numbers_[symbol(implicit.of)], found[implicit.of.name] = number, int(number)
                    if implicit.of is last:
                        break
            except Undecided:
                precision *= 2
                continue
            return found
    raise OutsideDomain(f"{bound.of.name}: its implicit quantities cannot be told at {LIMIT} bits")


# --- implicit quantities ---------------------------------------------------------------------------------------------------------


def solve(implicit: Implicit, values: Mapping[sympy.Symbol, Fraction | fmpq | arb]) -> Fraction | fmpq | arb:
    """The least integer at which the condition holds, exactly, or a ball around the root; raises Undecided or OutsideDomain."""
    return _least(implicit, values) if implicit.of.domain.integer else _root(implicit, values)


def _least(implicit: Implicit, values: Mapping[sympy.Symbol, Fraction | fmpq | arb]) -> Fraction:
    letter = symbol(implicit.of)

    def satisfied(candidate: int) -> bool:
        return holds(implicit.condition, {**values, letter: fmpq(candidate)})

    ends = [rational(end, values) for end in implicit.bracket]
    if ends[0] is None or ends[1] is None:
        raise OutsideDomain(f"{implicit.of.name}: the bracket must be rational")
    low, top = math.ceil(ends[0]), math.floor(ends[1])
    if low > top:
        raise OutsideDomain(f"{implicit.of.name}: its bracket, from {low} to {top}, holds no integer")
    high, width = low, 1
    while not satisfied(high):  # doubling from below keeps 2**L small when the upper end is T itself
        if high >= top:
            raise OutsideDomain(f"{implicit.of.name}: no integer from {low} to {top} satisfies {implicit.condition}")
        low, high, width = high + 1, min(high + width, top), 2 * width
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if satisfied(middle) else (middle + 1, high)
    return Fraction(high)


_SECANTS = 64  # four or five are enough for a smooth equation; what is left after so many is halved


def _root(implicit: Implicit, values: Mapping[sympy.Symbol, Fraction | fmpq | arb]) -> arb:
    """A bracket of certain signs, narrowed until the precision cannot tell the sign at its middle.

    Two points close around the secant's root bracket it far more closely than a half, the more so the narrower the bracket is. Where they
    do not, the bracket is halved, and so it is at the end, where the precision is almost used up.
    """
    condition = implicit.condition

    def difference(point: arb) -> arb:
        known = {**values, symbol(implicit.of): point}
        return ball(condition.lhs, known) - ball(condition.rhs, known)

    low, high = (_Point(end, difference(end)) for end in (ball(end, values).mid() for end in implicit.bracket))
    rising = high.sign()
    if rising * low.sign() >= 0:
        raise OutsideDomain(f"{implicit.of.name}: the equation does not change sign on its bracket [{low.place}, {high.place}]")

    def narrowed(low: _Point, high: _Point, place: arb) -> tuple[_Point, _Point]:
        """One end moves to a place between them. Raises Undecided."""
        found = _Point(place, difference(place))
        return (low, found) if found.sign() == rising else (found, high)

    bits = 4
    for _ in range(_SECANTS):
        width = (high.place - low.place).mid()
        secant = (low.place - low.difference * width / (high.difference - low.difference)).mid()
        try:
            for place in ((secant - width / 2**bits).mid(), (secant + width / 2**bits).mid()):
                if low.place < place < high.place:
                    low, high = narrowed(low, high, place)
            if high.place - low.place < width / 2 ** (bits - 2):
                bits *= 2
            else:
                bits = max(4, bits // 2)
                low, high = narrowed(low, high, _middle(low.place, high.place))
        except Undecided:
            bits //= 2
            if bits < 4:
                break
    while True:
        middle = ((low.place + high.place) / 2).mid()
        if not low.place < middle or not middle < high.place:
            return low.place.union(high.place)
        try:
            low, high = narrowed(low, high, middle)
        except Undecided:
            return low.place.union(high.place)


@dataclass(frozen=True)
class _Point:
    """A place, and the left side minus the right side of an equation there."""

    place: arb
    difference: arb

    def sign(self) -> int:
        """Raises Undecided where the ball holds 0 and more."""
        if self.difference.is_zero():
            return 0
        if not (self.difference > 0 or self.difference < 0):
            raise Undecided(f"the sign of {self.difference} cannot be told")
        return 1 if self.difference > 0 else -1


def _middle(low: arb, high: arb) -> arb:
    """Between the ends: of their logarithms where they differ by orders of magnitude."""
    return ((low * high).sqrt() if low > 0 and high > 16 * low else (low + high) / 2).mid()


# --- floats on the safe side -------------------------------------------------------------------------------------------------------


def _value(theorem: Theorem, sense: Sense, enclosure: arb) -> Value:
    low, high = round_down(enclosure.lower()), round_up(enclosure.upper())
    match sense:
        case Sense.AT_MOST:
            bound = high
        case Sense.AT_LEAST:
            bound = low
        case Sense.EQUALS:
            bound = round_nearest(enclosure.mid())
    return Value(sense, enclosure, bound, low, high, theorem)


def round_up(point: arb) -> float:
    """The least double that is at least this exact ball (inf past the largest)."""
    nearest = round_nearest(point)
    return math.nextafter(nearest, math.inf) if _compare(nearest, point) < 0 else nearest


def round_down(point: arb) -> float:
    """The greatest double that is at most this exact ball."""
    return 0.0 - round_up(-point)  # and never -0.0


def round_nearest(point: arb) -> float:
    """The double nearest to this exact ball; raises nothing: inf past the largest, 0 below the least."""
    mantissa, exponent = (int(part) for part in point.man_exp())
    size = mantissa.bit_length() + exponent
    if mantissa == 0 or size < -1100:
        return 0.0
    infinity = math.inf if mantissa > 0 else -math.inf
    if size > 1024:
        return infinity
    try:
        return (float(mantissa << exponent) if exponent >= 0 else mantissa / (1 << -exponent)) + 0.0  # rounded once, and never -0.0
    except OverflowError:
        return infinity


def _compare(number: float, point: arb) -> int:
    """The sign of number - point, both exact."""
    if math.isinf(number):
        return 1 if number > 0 else -1
    other = arb(number)
    return 1 if other > point else -1 if other < point else 0
