"""The rule `boxes`: a tree of cuts, and what closes each box."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy
from flint import arb, ctx

from banditproof.theory.proving import boxes
from banditproof.theory.proving.checker.derivations import Derivation, present, require
from banditproof.theory.proving.checker.ends import slope
from banditproof.theory.proving.checker.sets import Known
from banditproof.theory.proving.enclosures import Enclosure, Interval, Unknown, end
from banditproof.theory.proving.goals import Goal, Range

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class _Boxes:
    """A goal's expression on boxes, each a range for each symbol that it holds."""

    def __init__(self, goal: Goal) -> None:
        free = {item.name for item in goal.expression.free_symbols}
        self.items = [item for item in goal.symbols if item.name in free]
        self.expression = goal.expression
        self.constraints = {
            place: (Enclosure(part.expression, self.items), part.strict)
            for place, part in enumerate(goal.constraints)
            if part.expression.free_symbols <= set(self.items)
        }
        self._slopes: dict[tuple[int, ...], Enclosure] = {}
        self._inner: list[Enclosure] | None = None
        self.start = tuple(goal.range_of(item) for item in self.items)

    def tape(self, order: tuple[int, ...]) -> Enclosure:
        if order not in self._slopes:
            expression = self.expression
            for place in order:
                expression = slope(expression, self.items[place].name)
                require(sympy.count_ops(expression) < 2000, "a long derivative")
            self._slopes[order] = Enclosure(expression, self.items)
        return self._slopes[order]

    def range(self, tape: Enclosure, box: Sequence[Range]) -> Interval | None:
        try:
            found = tape.intervals([part.interval() for part in box])
        except Unknown:
            return None
        if all(isinstance(part.low, Fraction) and isinstance(part.high, Fraction) for part in box):
            ball = tape.balls([end(part.low).union(end(part.high)) if part.low != part.high else end(part.low) for part in box], ctx.prec)
            if ball.is_finite():
                return _cutting(found, ball.lower(), ball.upper())
        return found

    def smooth(self, order: tuple[int, ...], box: Sequence[Range]) -> bool:
        """Whether the expression and this derivative are defined on the box, and all derivatives exist inside it."""
        if self._inner is None:
            names = {item.name for item in self.items}
            self._inner = [
                Enclosure(node.base, self.items)
                for node in self.expression.atoms(sympy.Pow)
                if not node.exp.is_Integer and node.base != sympy.E and {one.name for one in node.base.free_symbols} & names
            ]
        try:
            for tape in (self.tape(()), self.tape(order)):
                tape.intervals([part.interval() for part in box])
            inside = [replace(part, low_open=True, high_open=True).interval() if part.low != part.high else part.interval() for part in box]
            return all(base.intervals(inside).positive for base in self._inner)
        except Unknown:
            return False


def _cutting(found: Interval, low: arb, high: arb) -> Interval:
    return Interval(
        low if low > found.low else found.low,
        high if high < found.high else found.high,
        found.low_open and not low > found.low,
        found.high_open and not high < found.high,
    )


def check_boxes(derivation: Derivation, known: Known) -> None:
    require(len(derivation.parameters) == 1 and not derivation.children, "one tree of boxes")
    family = _Boxes(derivation.goal)
    letters = iter(derivation.parameters[0])
    stack = [family.start]
    while stack:
        box = stack.pop()
        if any(part.empty for part in box):
            continue
        letter = next(letters)
        if letter == "S":
            place = DIGITS.index(next(letters))
            require(box[place].low != box[place].high, "a point is cut")
            one, two = boxes.cut(box, place)
            _require_cover(box, place, one, two)
            stack += [two, one]
        elif letter == "O":
            tape, strict = family.constraints[DIGITS.index(next(letters))]
            found = family.range(tape, box)
            require(found is not None and (found.negative or (strict and bool(found.high <= 0))), "the constraint may hold")
        else:
            _require_closed(family, (), 1, box, derivation.goal.strict, letter, letters)
    require(next(letters, None) is None, "letters are left")


def _require_cover(box: Sequence[Range], place: int, one: Sequence[Range], two: Sequence[Range]) -> None:
    whole, left, right = box[place], one[place], two[place]
    require(all(a == b == c for index, (a, b, c) in enumerate(zip(box, one, two, strict=True)) if index != place), "another symbol is cut")
    require(
        (left.low, left.low_open) == (whole.low, whole.low_open) and (right.high, right.high_open) == (whole.high, whole.high_open),
        "an end",
    )
    joined = right.low <= left.high + (1 if whole.integer else 0) and isinstance(left.high, Fraction)
    require(joined and not left.high_open and not (right.low_open and right.low >= left.high), "a gap between the parts")
    require(not whole.integer or left.high.denominator == 1, "no integer")  # type: ignore[union-attr]


def _require_closed(
    family: _Boxes, order: tuple[int, ...], sign: int, box: tuple[Range, ...], strict: bool, letter: str, letters: Iterator[str]
) -> None:
    """Requires sign * the derivative >= 0 (> 0) on the box."""
    if letter != "D":
        require(family.smooth(order, box), "a derivative is used where it may not exist")
    if letter == "E":
        place, direction = DIGITS.index(next(letters)), 1 if next(letters) == "+" else -1
        require(len(order) < 3, "a derivative of too high an order")
        _require_closed(family, (*order, place), sign * direction, box, False, next(letters), letters)
        edge = _least(box, {place: direction})
        _require_closed(family, order, sign, edge, strict, next(letters), letters)
        return
    if letter in "MN":
        directions = {}
        for place, part in enumerate(box):
            if part.low != part.high:
                found = family.range(family.tape((*order, place)), box)
                if found is not None and (found.low >= 0 or found.high <= 0):
                    directions[place] = sign if found.low >= 0 else -sign
        box = _least(box, directions)
    require(letter in "DMCN", "no such rule")
    found = present(
        family.range(family.tape(order), box) if letter in "DM" else _mean_value(family, order, box), "nothing is known of the box"
    )
    low, is_open = (found.low, found.low_open) if sign > 0 else (-found.high, found.high_open)
    require(bool(low > 0) or (bool(low >= 0) and (not strict or is_open)), "the range reaches below 0")


def _least(box: Sequence[Range], directions: dict[int, int]) -> tuple[Range, ...]:
    parts = list(box)
    for place, direction in directions.items():
        value = parts[place].low if direction > 0 else parts[place].high
        if isinstance(value, Fraction):
            parts[place] = Range(value, value)
    return tuple(parts)


def _mean_value(family: _Boxes, order: tuple[int, ...], box: Sequence[Range]) -> Interval | None:
    require(all(isinstance(part.low, Fraction) and isinstance(part.high, Fraction) for part in box), "an infinite end")
    middle, change = [], arb(0)
    for place, part in enumerate(box):
        whole = end(part.low).union(end(part.high)) if part.low != part.high else end(part.low)
        middle.append(whole.mid() if part.low != part.high else whole)
        if part.low != part.high:
            found = present(family.range(family.tape((*order, place)), box), "a steep side")
            require(found.low.is_finite() and found.high.is_finite(), "a steep side")
            change += found.low.union(found.high) * (whole - middle[-1])
    value = family.tape(order).balls(middle, ctx.prec) + change
    return Interval(value.lower(), value.upper()) if value.is_finite() else None
