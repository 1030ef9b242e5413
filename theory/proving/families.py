"""An expression with its derivatives and constraints, enclosed on boxes: ranges, signs, worst corners, mean value forms."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import sympy
from flint import arb, ctx

from banditproof.theory.proving.derivatives import derivative
from banditproof.theory.proving.enclosures import Enclosure, Interval, Unknown, end
from banditproof.theory.proving.goals import Goal, Range

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # how symbols and constraints are written
LARGEST = 600  # operations of a derivative

Box = tuple[Range, ...]


@dataclass
class Family:
    """A goal's expression with its derivatives and constraints, each compiled when it is first needed."""

    goal: Goal
    symbols: list[sympy.Symbol] = field(init=False)
    _expressions: dict[tuple[int, ...], sympy.Expr | None] = field(default_factory=dict)
    _tapes: dict[tuple[int, ...], Enclosure | None] = field(default_factory=dict)
    constraints: list[tuple[int, Enclosure, bool]] = field(init=False)

    def __post_init__(self) -> None:
        self.symbols = self.goal.used()
        self._expressions[()] = self.goal.expression
        self.constraints = []
        if len(self.symbols) > len(DIGITS):
            raise Unknown("too many symbols")
        for place, constraint in enumerate(self.goal.constraints[: len(DIGITS)]):
            if constraint.expression.free_symbols <= set(self.symbols):
                self.constraints.append((place, Enclosure(constraint.expression, self.symbols), constraint.strict))

    def tape(self, order: tuple[int, ...]) -> Enclosure | None:
        """The derivative by these symbols; None where it is too large, or has a node that cannot be enclosed."""
        order = tuple(sorted(order))
        if order not in self._tapes:
            expression = self._expression(order)
            try:
                self._tapes[order] = None if expression is None else Enclosure(expression, self.symbols)
            except Unknown:
                self._tapes[order] = None
        return self._tapes[order]

    def _expression(self, order: tuple[int, ...]) -> sympy.Expr | None:
        if order not in self._expressions:
            before = self._expression(order[:-1])
            try:
                found = None if before is None else derivative(before, self.symbols[order[-1]])
            except Unknown:
                found = None
            self._expressions[order] = None if found is None or sympy.count_ops(found) > LARGEST else found
        return self._expressions[order]

    def box(self) -> Box:
        return tuple(self.goal.range_of(item) for item in self.symbols)


# --- evaluating on a box -----------------------------------------------------------------------------------------------------------


def enclose(tape: Enclosure | None, box: Box) -> Interval | None:
    """The range on a box; None where nothing is known."""
    if tape is None:
        return None
    if all(isinstance(part.low, Fraction) and isinstance(part.high, Fraction) for part in box):
        ball = tape.balls([end(part.low).union(end(part.high)) if part.low != part.high else end(part.low) for part in box], ctx.prec)
        if ball.is_finite():
            return Interval(ball.lower(), ball.upper())
    try:
        return tape.intervals([part.interval() for part in box])
    except Unknown:
        return None


def shown_nonnegative(found: Interval | None, strict: bool = False) -> bool:
    return found is not None and (found.positive if strict else found.nonnegative)


def signs(family: Family, order: tuple[int, ...], box: Box) -> list[int]:
    """The certain sign (>= 0, <= 0) of each further derivative on the box, else 0."""
    result = []
    for place, part in enumerate(box):
        found = enclose(family.tape((*order, place)), box) if part.low != part.high else None
        result.append(0 if found is None else 1 if found.low >= 0 else -1 if found.high <= 0 else 0)
    return result


def pinned(box: Box, directions: Sequence[int]) -> Box:
    """The face where an expression that rises (1) or falls (-1) in some symbols is least. An infinite end stays a range."""
    parts = []
    for part, direction in zip(box, directions, strict=True):
        value = part.low if direction > 0 else part.high
        parts.append(Range(value, value) if direction and isinstance(value, Fraction) else part)
    return tuple(parts)


def centred(family: Family, order: tuple[int, ...], box: Box, sign: int) -> Interval | None:
    """The mean value form: the value at the middle, and each derivative's range times the distance from it."""
    if not all(isinstance(part.low, Fraction) and isinstance(part.high, Fraction) for part in box):
        return None
    middles, result = [], arb(0)
    for place, part in enumerate(box):
        if part.low == part.high:
            middles.append(end(part.low))
            continue
        whole = end(part.low).union(end(part.high))
        middle = whole.mid()
        middles.append(middle)
        slope = enclose(family.tape((*order, place)), box)
        if slope is None or not (slope.low.is_finite() and slope.high.is_finite()):
            return None
        result += slope.low.union(slope.high) * (whole - middle)
    tape = family.tape(order)
    if tape is None:
        return None
    result = sign * (tape.balls(middles, ctx.prec) + result)
    return Interval(result.lower(), result.upper()) if result.is_finite() else None


def signed(found: Interval | None, sign: int) -> Interval | None:
    return found if sign > 0 or found is None else Interval(-found.high, -found.low, found.high_open, found.low_open)
