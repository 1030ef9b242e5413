"""Looks for numbers at which a claim fails, and makes them simple. What it finds is judged by `claims.violation` alone.

The search: simple numbers of each domain, well spread numbers, each moved onto the constraints that it breaks (a bound is often tight
where its condition is); then small moves from the points at which the claim is closest to failing. No random numbers.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import sympy
from flint import ctx

from banditproof.theory import evaluate
from banditproof.theory.language import Sense
from banditproof.theory.proving import effort
from banditproof.theory.proving.boxes import log2, position
from banditproof.theory.proving.claims import Claim, violation
from banditproof.theory.proving.enclosures import Enclosure, Unknown, end
from banditproof.theory.proving.goals import Goal, Range, isolate
from banditproof.theory.proving.sampling import PRIMES, halton, sample_points, within

Point = dict[str, Fraction]

GRID = 1500  # combinations of simple numbers
SPREAD_POINTS = 400
BEST = 8  # points from which small moves start
MOVES = 60

SIMPLE = tuple(
    sorted(
        {Fraction(10) ** power for power in range(-6, 7)}
        | {Fraction(number) for number in (0, 1, 2, 3, 4, 5, 7, 20, 50)}
        | {Fraction(one, two) for one, two in ((1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (3, 2), (1, 20), (9, 10))}
        | {1 - Fraction(1, 10**power) for power in range(2, 10)}
    )
)


@dataclass
class Finder:
    claim: Claim
    goal: Goal  # one of the claim's goals, unchanged: its constraints are those of one disjunct
    tapes: tuple[Enclosure, Enclosure] = field(init=False)
    constraints: list[tuple[Enclosure, sympy.Expr]] = field(init=False)
    seen: list[tuple[float, tuple[Fraction, ...]]] = field(default_factory=list)
    inside: bool = False  # whether a point of the domain was met
    clock: Callable[[], bool] = lambda: True  # whether there is time left

    def __post_init__(self) -> None:
        instead = {item: next(own for own in self.goal.symbols if own.name == item.name) for item, _ in self.claim.domains}
        self.tapes = tuple(  # type: ignore[assignment]
            Enclosure(side.xreplace(instead), self.goal.symbols) for side in (self.claim.left, self.claim.right)
        )
        self.constraints = [(Enclosure(item.expression, self.goal.symbols), item.expression) for item in self.goal.constraints]

    def glance(self, count: int) -> Point | None:
        """As `find`, at a few points of each kind, without any moves."""
        spread = (list(point) for point in sample_points(tuple(domain for _, domain in self.goal.ranges), count // 2))
        for candidate in itertools.chain(itertools.islice(self._simple(), 0, 7 * (count // 2), 7), spread):
            found = self._tried(candidate)
            if found is not None:
                return found
        return None

    def find(self) -> Point | None:
        for candidate in itertools.chain(self._simple(), self._spread()):
            if not self.clock():
                return None
            found = self._tried(candidate)
            if found is not None:
                return found
        self.seen.sort(key=lambda item: item[0])
        starts = dict.fromkeys(point for _, point in self.seen[: 4 * BEST])
        for point in itertools.islice(starts, BEST):
            found = self._moved(list(point)) if self.clock() else None
            if found is not None:
                return found
        return None

    # points

    def _simple(self) -> Iterator[list[Fraction]]:
        choices = [[number for number in SIMPLE if _inside(number, domain)] or self._some(domain) for _, domain in self.goal.ranges]
        total = math.prod(len(choice) for choice in choices)
        if total <= GRID:
            yield from (list(point) for point in itertools.product(*choices))
            return
        for place in range(1, GRID + 1):
            yield [choice[int(halton(place, PRIMES[index % 12]) * len(choice))] for index, choice in enumerate(choices)]

    def _some(self, domain: Range) -> list[Fraction]:
        return [number for number in (within(domain, fraction) for fraction in (0.1, 0.3, 0.5, 0.7, 0.9)) if number is not None]

    def _spread(self) -> Iterator[list[Fraction]]:
        yield from (list(point) for point in sample_points(tuple(domain for _, domain in self.goal.ranges), SPREAD_POINTS))

    def _tried(self, point: Sequence[Fraction]) -> Point | None:
        repaired = self._onto_constraints(list(point))
        if repaired is None:
            return None
        self.inside = True
        level = self._level(repaired)
        if level is None:
            return None
        self.seen.append((level, tuple(repaired)))
        if len(self.seen) > 4000:
            self.seen.sort(key=lambda item: item[0])
            del self.seen[200:]
        return self._confirmed(repaired) if level < 0 else None

    def _confirmed(self, point: list[Fraction]) -> Point | None:
        named = {item.name: number for item, number in zip(self.goal.symbols, point, strict=True)}
        return named if violation(self.claim, named) is not None else None

    def _level(self, point: list[Fraction]) -> float | None:
        """How far the claim is from failing, as a fraction of both sides; negative where it seems to fail."""
        balls = [end(number) for number in point]
        left, right = (tape.balls(balls, ctx.prec) for tape in self.tapes)
        if not (left.is_finite() and right.is_finite()):
            return None
        difference, size = right - left, abs(left) + abs(right)
        if difference.is_zero():
            return 0.0
        if not size > 0:
            return None
        fraction = float((difference / size).mid())
        if difference.contains(0):
            return abs(fraction)
        match self.claim.sense:
            case Sense.AT_MOST:
                return fraction
            case Sense.AT_LEAST:
                return -fraction
            case Sense.EQUALS:
                return -abs(fraction)

    def _onto_constraints(self, point: list[Fraction]) -> list[Fraction] | None:
        """The point with single numbers moved until all constraints hold; None where that does not succeed."""
        for _ in range(3):
            balls = [end(number) for number in point]
            broken = [expression for tape, expression in self.constraints if not tape.balls(balls, ctx.prec) >= 0]
            if not broken:
                return point
            for expression in broken:
                moved = self._onto(expression, point)
                if moved is None:
                    return None
                point = moved
        return None

    def _onto(self, expression: sympy.Expr, point: list[Fraction]) -> list[Fraction] | None:
        symbols = self.goal.symbols
        for place in reversed(range(len(symbols))):
            if symbols[place] not in expression.free_symbols:
                continue
            ranges = tuple(
                (item, domain if index == place else Range(point[index], point[index]))
                for index, (item, domain) in enumerate(self.goal.ranges)
            )
            value = _solved(expression, symbols[place], ranges, tuple(point))
            if value is not None and _inside(value, self.goal.ranges[place][1]):
                return [*point[:place], value, *point[place + 1 :]]
        return None

    # small moves

    def _moved(self, point: list[Fraction]) -> Point | None:
        level = self._level(point)
        step = 0.25
        for _ in range(MOVES):
            better = None
            for place, direction in itertools.product(range(len(point)), (1, -1)):
                number = _shifted(point[place], direction * step, self.goal.ranges[place][1])
                if number is None or number == point[place]:
                    continue
                other = self._onto_constraints([*point[:place], number, *point[place + 1 :]])
                reached = None if other is None else self._level(other)
                if other is not None and reached is not None and level is not None and reached < level:
                    better, level = other, reached
            if better is None:
                step /= 2
                if step < 1e-9:
                    return None
            else:
                point, step = better, min(2 * step, 4.0)
                if level is not None and level < 0:
                    found = self._confirmed(point)
                    if found is not None:
                        return found
        return None


def _inside(number: Fraction, domain: Range) -> bool:
    above = number > domain.low if domain.low_open else number >= domain.low
    below = number < domain.high if domain.high_open else number <= domain.high
    return above and below and (not domain.integer or number.denominator == 1)


def _solved(
    expression: sympy.Expr, item: sympy.Symbol, ranges: tuple[tuple[sympy.Symbol, Range], ...], point: tuple[Fraction, ...]
) -> Fraction | None:
    """A simple number just inside the constraint, with the other symbols as they are."""
    try:
        found = isolate(expression, item, ranges)
        if found is None:
            return None
        from_below, value = found
        ball = _tape(value, tuple(one for one, _ in ranges)).balls([end(number) for number in point], ctx.prec)
    except Unknown:
        return None
    if not ball.is_finite() or not abs(ball) < 1e300:
        return None
    level = float(ball.mid())
    exact = evaluate.rational(value, {one: number for (one, _), number in zip(ranges, point, strict=True)})
    if exact is None:
        near = Fraction(f"{abs(level) or 1.0:.1e}") / Fraction(10) ** 5
        exact = Fraction(f"{level:.6g}") + (near if from_below else -near)
    if dict(ranges)[item].integer:
        return Fraction(math.ceil(exact) if from_below else math.floor(exact))
    return exact


@effort.cached(256)
def _tape(expression: sympy.Expr, symbols: tuple[sympy.Symbol, ...]) -> Enclosure:
    """The expression, which many points of a search have in common."""
    return Enclosure(expression, symbols)


def _shifted(number: Fraction, step: float, domain: Range) -> Fraction | None:
    """The number moved on the scale of the cuts, and a little along the line, kept inside its range."""
    if domain.integer:
        stride = max(1, round(abs(step) * 4 * float(abs(number))))
        moved = number + (stride if step > 0 else -stride)
        return moved if _inside(moved, domain) else None
    if number == 0:
        moved = Fraction(step)
    else:
        factor = 1 + step if step > 0 else 1 / (1 - step)
        moved = number * Fraction(f"{factor:.9g}")
        if isinstance(domain.high, Fraction) and number > domain.high / 2 and not domain.low < 0:
            room = domain.high - number  # near an upper end the scale is the distance from it
            moved = domain.high - room / Fraction(f"{factor:.9g}")
    moved = moved.limit_denominator(10**12) if abs(moved) > Fraction(1, 10**6) else moved
    return moved if _inside(moved, domain) else None


# --- simple numbers ----------------------------------------------------------------------------------------------------------------


def complexity(number: Fraction) -> tuple[int, Fraction]:
    """How much there is to read: digits of the shorter of p/q and the decimal, then the distance from 1."""
    ratio = len(str(abs(number.numerator))) + (len(str(number.denominator)) + 1 if number.denominator > 1 else 0)
    zeros = len(str(number.numerator)) - len(str(number.numerator).rstrip("0")) if number.numerator else 0
    tail = str(number.denominator)
    power_of_ten = tail.strip("0") == "1" and abs(number.numerator) < 100
    return min(ratio, ratio - zeros + 1, 3 + len(str(abs(number.numerator))) if power_of_ten else ratio), abs(number - 1)


def simplified(claim: Claim, point: Point) -> Point:
    """The counterexample with fewer digits, one number at a time, as long as the claim certainly fails."""
    current = dict(point)
    for _ in range(4):
        before = dict(current)
        for name in current:
            for number in _simpler(current[name]):
                candidate = {**current, name: number}
                if violation(claim, candidate) is not None:
                    current = candidate
                    break
        if current == before:
            break
    return current


def _simpler(number: Fraction) -> list[Fraction]:
    """Numbers with less to read: few digits anywhere, and roundings of the number itself."""
    found = {Fraction(value) for value in (0, 1, 2, 3, 4, 5, 10, 100, 1000)} | set(SIMPLE)
    if number:
        scale = math.floor(log2(abs(number)) * math.log10(2))
        sign = 1 if number > 0 else -1
        for power in (scale - 1, scale, scale + 1):
            found |= {sign * digit * Fraction(10) ** power for digit in range(1, 10)}
        for digits in (1, 2, 3, 4):
            unit = Fraction(10) ** (scale + 1 - digits)
            found |= {unit * (number // unit), unit * (number // unit + 1)}
        found |= {number.limit_denominator(largest) for largest in (1, 2, 3, 4, 5, 8, 10, 12, 20, 50, 100, 1000)}
        found |= {Fraction(math.floor(number)), Fraction(math.ceil(number))}
    level = complexity(number)
    return sorted(
        (other for other in found if complexity(other) < level), key=lambda other: (complexity(other)[0], abs(position(other) - 1))
    )
