"""Well spread points of a box, without any generator, and the signs of an expression there: hints for the search, never a proof."""

import functools
from fractions import Fraction

import sympy
from flint import ctx

from banditproof.theory.proving.boxes import middle
from banditproof.theory.proving.derivatives import derivative
from banditproof.theory.proving.enclosures import Enclosure, Unknown, end
from banditproof.theory.proving.goals import Goal, Range

SAMPLES = 24


def halton(place: int, base: int) -> float:
    """The radical inverse: well spread numbers in (0, 1) without any generator."""
    result, fraction = 0.0, 1.0
    while place:
        fraction /= base
        result += fraction * (place % base)
        place //= base
    return result


PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


def within(domain: Range, fraction: float) -> Fraction | None:
    """A number of the range: the scale of the cuts, entered at a fraction of its length."""
    for _ in range(8):
        if domain.low == domain.high:
            break
        at = middle(domain.low, domain.high)
        if at is None:
            break
        fraction *= 2
        if fraction < 1:
            domain = Range(domain.low, at, domain.low_open, False, domain.integer)
        else:
            fraction -= 1
            domain = Range(at, domain.high, False, domain.high_open, domain.integer)
    value = domain.low if domain.low == domain.high else middle(domain.low, domain.high)
    if isinstance(value, Fraction) and domain.integer:
        value = Fraction(value.numerator // value.denominator)
        value = value if value >= domain.low else value + 1
    return value if isinstance(value, Fraction) else None


@functools.lru_cache(maxsize=1024)
def sample_points(domains: tuple[Range, ...], count: int) -> tuple[tuple[Fraction, ...], ...]:
    """Well spread points of a box."""
    columns = [_spread(domain, PRIMES[index % 12], count) for index, domain in enumerate(domains)]
    points = zip(*columns, strict=True) if columns else ((),) * count
    return tuple(tuple(number for number in point if number is not None) for point in points if None not in point)


@functools.lru_cache(maxsize=4096)
def _spread(domain: Range, base: int, count: int) -> tuple[Fraction | None, ...]:
    """Numbers of one range, which many boxes have in common; None where a place is too far out."""
    return tuple(within(domain, halton(place, base)) for place in range(1, count + 1))


def sampled_signs(goal: Goal, expression: sympy.Expr, count: int = SAMPLES) -> set[int]:
    """The certain signs of an expression at sample points that satisfy the constraints."""
    if not goal.symbols:
        return set()
    try:
        tape = Enclosure(expression, goal.symbols)
        constraints = [Enclosure(item.expression, goal.symbols) for item in goal.constraints]
    except Unknown:
        return set()
    result = set()
    for point in sample_points(tuple(domain for _, domain in goal.ranges), count):
        balls = [end(number) for number in point]
        if all(constraint.balls(balls, ctx.prec) > 0 for constraint in constraints):
            value = tape.balls(balls, ctx.prec)
            result |= {1} if value > 0 else {-1} if value < 0 else set()
    return result


def sampled_slopes(goal: Goal, item: sympy.Symbol, times: int) -> set[int]:
    """The certain signs of a derivative at sample points."""
    try:
        found = goal.expression
        for _ in range(times):
            found = derivative(found, item)
    except Unknown:
        return set()
    return sampled_signs(goal, found)
