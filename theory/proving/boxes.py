"""Subdivision: a box is cut until a rule closes each part. The tree of cuts and rules is one string, which `verify` walks again.

The scale of the cuts. Every domain, bounded or not, is cut on the doubly exponential scale of `position`, so that 20 cuts reach from 1
to 2**(2**20) as well as from 1 to 1 + 2**-20:

    (0, inf)   at 1, then (0, 1] at 1/2, 1/4, 1/16, 1/256, ... and [1, inf) at 2, 4, 16, 256, ...
    [1, inf)   a count: the same, at integers; between two of them an integer's box is empty
    (0, 1)     at 1/2, then (0, 1/2] as above and [1/2, 1) in halves
    reals      at 0, then both sides as above
    [a, b]     at a power of 2 near the geometric mean where b > 4 a > 0, else in halves

The rules of a box
    D   the range of the expression is >= 0
    M   so it is at the worst corner: symbols whose derivative has a sign on the box are put to the end where the expression is least
    N   as M, by the mean value form on what is left;  C   the mean value form on the whole box
    E   symbol and sign (+ or -), then a rule that shows the derivative's sign on the box, and one for the face that is left
    O   the place of a constraint that holds nowhere on the box
    S   symbol, then the two parts
Symbols and constraints are written as digits 0-9, a-z.
"""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from flint import ctx

from banditproof.theory.proving.enclosures import Interval, end
from banditproof.theory.proving.families import DIGITS, Box, Family, centred, enclose, pinned, shown_nonnegative, signed, signs
from banditproof.theory.proving.goals import End, Goal, Range

NARROWEST = 2.0**-20  # on the scale of `position`
FARTHEST = 1024  # powers of 2
DEEPEST = 3  # derivatives of derivatives
LONG = 60  # operations of an expression whose boxes count once; twice as long, they count twice


class OutOfBudget(Exception):
    """No box is left to spend."""


class Falsified(Exception):
    """The goal is false at this point, which satisfies its constraints."""

    def __init__(self, point: dict[str, Fraction]) -> None:
        super().__init__(str(point))
        self.point = point


@dataclass
class Budget:
    boxes: int
    spent: int = 0
    deadline: float = math.inf
    clock: Any = None

    def in_time(self) -> bool:
        return self.clock is None or self.clock() <= self.deadline

    def spend(self, boxes: int = 1) -> None:
        if self.spent + boxes > self.boxes or not self.in_time():
            self.spent = max(self.spent, self.boxes)
            raise OutOfBudget
        self.spent += boxes


# --- one box -----------------------------------------------------------------------------------------------------------------------


def close(family: Family, box: Box, strict: bool) -> str | None:
    """A rule that closes the box, or None."""
    for place, tape, strictly in family.constraints:
        if _nowhere(enclose(tape, box), strictly):
            return f"O{DIGITS[place]}"
    return _close(family, (), 1, box, DEEPEST, strict)


def _nowhere(found: Interval | None, strict: bool) -> bool:
    return found is not None and (found.negative or (strict and bool(found.high <= 0)))


def _close(family: Family, order: tuple[int, ...], sign: int, box: Box, depth: int, strict: bool) -> str | None:
    if shown_nonnegative(signed(enclose(family.tape(order), box), sign), strict):
        return "D"
    face = pinned(box, [sign * direction for direction in signs(family, order, box)])
    if face != box and shown_nonnegative(signed(enclose(family.tape(order), face), sign), strict):
        return "M"
    if shown_nonnegative(centred(family, order, box, sign), strict):
        return "C"
    if face != box and shown_nonnegative(centred(family, order, face, sign), strict):
        return "N"
    if depth == 0:
        return None
    for place, part in enumerate(box):
        if part.low == part.high:
            continue
        for direction in (1, -1):
            edge = pinned(box, [direction if other == place else 0 for other in range(len(box))])
            if edge == box:
                continue
            last = _close(family, order, sign, edge, 0, strict)
            if last is None:
                continue
            rise = _close(family, (*order, place), sign * direction, box, depth - 1, False)
            if rise is not None:
                return f"E{DIGITS[place]}{'+' if direction > 0 else '-'}{rise}{last}"
    return None


def check(family: Family, order: tuple[int, ...], sign: int, box: Box, strict: bool, code: Iterator[str]) -> Interval | None:
    """Walks the rule of one box again. The range that closes it, or None where it does not."""
    letter = next(code)
    found = None
    match letter:
        case "D":
            found = signed(enclose(family.tape(order), box), sign)
        case "C":
            found = centred(family, order, box, sign)
        case "M" | "N":
            face = pinned(box, [sign * direction for direction in signs(family, order, box)])
            found = signed(enclose(family.tape(order), face), sign) if letter == "M" else centred(family, order, face, sign)
        case "E":
            place, direction = DIGITS.index(next(code)), 1 if next(code) == "+" else -1
            if place >= len(box) or len(order) >= DEEPEST:
                return None
            rise = check(family, (*order, place), sign * direction, box, False, code)
            edge = pinned(box, [direction if other == place else 0 for other in range(len(box))])
            found = None if rise is None else check(family, order, sign, edge, strict, code)
    return found if shown_nonnegative(found, strict) else None


# --- the tree ----------------------------------------------------------------------------------------------------------------------


@dataclass
class Search:
    """The tree as it grows, and the boxes that nothing closed."""

    family: Family
    budget: Budget
    strict: bool
    keep_going: bool = False
    code: list[str] = field(default_factory=list)
    left: list[Box] = field(default_factory=list)

    def run(self) -> str | None:
        """The tree of the whole box, or None. Raises Falsified; OutOfBudget where `keep_going` does not ask for what is left."""
        self._visit(self.family.box())
        return None if self.left else "".join(self.code)

    def _visit(self, start: Box) -> None:
        stack = deque([start])
        weight = 1 + sympy.count_ops(self.family.goal.expression) // LONG
        while stack:
            box = stack.popleft() if self.keep_going else stack.pop()  # all that is left is shown by its largest boxes
            if any(part.empty for part in box):
                continue
            try:
                self.budget.spend(weight)
            except OutOfBudget:
                if not self.keep_going:
                    raise
                self.left += [box, *stack]
                return
            closed = close(self.family, box, self.strict)
            if closed is not None:
                self.code.append(closed)
                continue
            self._falsify(box)
            place = widest(self.family, box)
            if place is None:
                self.left.append(box)
                if not self.keep_going:
                    return
                continue
            self.code.append(f"S{DIGITS[place]}")
            stack.extend(reversed(cut(box, place)))

    def _falsify(self, box: Box) -> None:
        point = inner_point(box)
        tape = self.family.tape(())
        if point is None or tape is None:
            return
        balls = [end(number) for number in point]
        value = tape.balls(balls, ctx.prec)
        if not (value < 0 or (self.strict and value.is_zero())):
            return
        for _, constraint, strict in self.family.constraints:
            level = constraint.balls(balls, ctx.prec)
            if not (level > 0 or (not strict and level >= 0)):
                return
        if len(self.family.constraints) == len(self.family.goal.constraints):
            raise Falsified({item.name: number for item, number in zip(self.family.symbols, point, strict=True)})


def verify(goal: Goal, code: str) -> float | None:
    """Walks a recorded tree again without any search: the least range over its boxes, or None where it does not close the goal."""
    family = Family(goal)
    letters = iter(code)
    stack, worst = [family.box()], math.inf
    try:
        while stack:
            box = stack.pop()
            if any(part.empty for part in box):
                continue
            letter = next(letters)
            if letter == "S":
                place = DIGITS.index(next(letters))
                if box[place].low == box[place].high:
                    return None
                stack += reversed(cut(box, place))
            elif letter == "O":
                chosen = DIGITS.index(next(letters))
                entries = [item for item in family.constraints if item[0] == chosen]
                if not entries or not _nowhere(enclose(entries[0][1], box), entries[0][2]):
                    return None
            else:
                found = check(family, (), 1, box, goal.strict, _chain(letter, letters))
                if found is None:
                    return None
                worst = min(worst, float(found.low) if found.low.is_finite() else math.inf)
    except (StopIteration, ValueError, IndexError):
        return None
    return worst if next(letters, None) is None else None


def _chain(letter: str, letters: Iterator[str]) -> Iterator[str]:
    yield letter
    yield from letters


# --- cuts --------------------------------------------------------------------------------------------------------------------------


def log2(number: Fraction) -> float:
    """Of a positive fraction of any size."""
    shift = number.numerator.bit_length() - number.denominator.bit_length()
    return shift + math.log2(number / Fraction(2) ** shift)


def position(number: End) -> float:
    """A place in [-2, 2] for every number: 0, 1 and infinity at 0, 1 and 2, and x > 0 at 1 + s / (1 + |s|) with s = log2(x)."""
    if number < 0:
        return -position(-number)
    if number == 0:
        return 0.0
    if isinstance(number, float):
        return 2.0
    scale = log2(number)
    return 1.0 + scale / (1.0 + abs(scale))


def middle(low: End, high: End) -> Fraction | None:
    """Where a range is cut, as the table at the top says; None past the farthest cut."""
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        found = middle(-high, -low)
        return None if found is None else -found
    if isinstance(high, float):
        if low < 1:
            return Fraction(1)
        power = 2 * math.floor(log2(low)) if low >= 2 else 1  # type: ignore[arg-type]
        return Fraction(2) ** power if power <= FARTHEST else None
    if low == 0:
        if high > 1:
            return Fraction(1)
        power = 2 * math.ceil(log2(high)) if high <= Fraction(1, 2) else -1
        return Fraction(2) ** power if power >= -FARTHEST else None
    if isinstance(low, Fraction) and high > 4 * low:
        return Fraction(2) ** round((log2(low) + log2(high)) / 2)
    return (Fraction(low) + high) / 2


def cut(box: Box, place: int) -> list[Box]:
    """The two parts of a box, which together are the whole (for an integer: hold all its integers)."""
    part = box[place]
    at = middle(part.low, part.high)
    if at is None:
        raise ValueError("no cut so far out")
    if part.integer:
        at = Fraction(math.floor(at))
        left = Range(part.low, at, part.low_open, False, True)
        right = Range(at + 1, part.high, False, part.high_open, True)
    else:
        left, right = Range(part.low, at, part.low_open, False), Range(at, part.high, False, part.high_open)
    return [(*box[:place], one, *box[place + 1 :]) for one in (left, right)]


def widest(family: Family, box: Box) -> int | None:
    """The symbol to cut: where the expression varies most, else the widest on the scale; None where all are as narrow as can be."""
    widths = []
    for part in box:
        wide = position(part.high) - position(part.low)
        far = part.low != part.high and (part.integer or wide > NARROWEST) and middle(part.low, part.high) is not None
        widths.append(wide if far else -1.0)
    open_places = [place for place, wide in enumerate(widths) if wide >= 0]
    if not open_places:
        return None
    smear: dict[int, float] = {}
    for place in open_places:
        slope = enclose(family.tape((place,)), box)
        part = box[place]
        if slope is None or not all(
            (slope.low.is_finite(), slope.high.is_finite(), isinstance(part.low, Fraction), isinstance(part.high, Fraction))
        ):
            smear.clear()
            break
        reach = max(abs(float(slope.low)), abs(float(slope.high)))
        smear[place] = reach * _size(part) if math.isfinite(reach) else math.inf
    if smear and max(smear.values()) > 0:
        return max(open_places, key=lambda place: (smear[place] * (1.0 if widths[place] > 1e-4 else 1e-3), widths[place], -place))
    return max(open_places, key=lambda place: (widths[place], -place))


def _size(part: Range) -> float:
    try:
        return float(part.high - part.low)
    except OverflowError:
        return math.inf


def inner_point(box: Box) -> list[Fraction] | None:
    """A point of the box that its open ends do not exclude."""
    result = []
    for part in box:
        value: End | None = part.low
        if part.low != part.high:
            value = middle(part.low, part.high)
            if value is not None and part.integer:
                value = Fraction(math.floor(value))
        if not isinstance(value, Fraction):
            return None
        result.append(value)
    return result
