"""What is to be proved: an expression is >= 0 (or > 0) for all values in a box that satisfy some constraints.

Main definitions
    Range       an interval of reals or of integers, with exact ends
    Constraint  an expression that is >= 0 (or > 0) wherever the claim speaks
    Goal        expression, ranges, constraints
    goals_of    the goals that together say what a claim says: one a disjunct of its domain

A goal is always about reals; a range that is marked as integer lets a rule use that, and no rule must. Proving a goal on more than its
domain proves it, so constraints may be dropped at any time.
"""

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy

from banditproof.glossary import Domain
from banditproof.theory.proving import effort
from banditproof.theory.proving.enclosures import INFINITY, Enclosure, Interval, Unknown, end, interval
from banditproof.theory.proving.terms import Terms, divided, expression_of, terms_of

End = Fraction | float  # a float is an infinity


@dataclass(frozen=True, slots=True)
class Range:
    low: End
    high: End
    low_open: bool = False
    high_open: bool = False
    integer: bool = False

    @property
    def empty(self) -> bool:
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def interval(self) -> Interval:
        return interval(end(self.low), end(self.high), self.low_open, self.high_open)

    def __str__(self) -> str:
        left, right = "(" if self.low_open else "[", ")" if self.high_open else "]"
        return f"{left}{shown(self.low)}, {shown(self.high)}{right}"


def shown(number: End) -> str:
    if isinstance(number, float):
        return "inf" if number > 0 else "-inf"
    if max(number.numerator.bit_length(), number.denominator.bit_length()) <= 40:
        return str(number)
    scale = number.numerator.bit_length() - number.denominator.bit_length()
    return f"{float(number):.6g}" if abs(scale) < 1000 else f"{'-' if number < 0 else ''}2^{scale}"


@dataclass(frozen=True, slots=True)
class Constraint:
    expression: sympy.Expr
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Goal:
    """`strict` asks for > 0. `meaning` says what each new symbol stands for, in terms of those before it."""

    expression: sympy.Expr
    ranges: tuple[tuple[sympy.Symbol, Range], ...]
    constraints: tuple[Constraint, ...] = ()
    strict: bool = False
    meaning: tuple[tuple[str, sympy.Expr], ...] = ()

    @property
    def symbols(self) -> list[sympy.Symbol]:
        return [item for item, _ in self.ranges]

    def range_of(self, item: sympy.Symbol) -> Range:
        found: Range = dict(self.ranges)[item]
        return found

    def used(self) -> list[sympy.Symbol]:
        """The symbols that the expression holds, in the order of the ranges."""
        free = self.expression.free_symbols
        return [item for item in self.symbols if item in free]

    def with_expression(self, expression: sympy.Expr, strict: bool | None = None) -> "Goal":
        return replace(self, expression=expression, strict=self.strict if strict is None else strict)


def working_symbol(name: str, domain: Range) -> sympy.Symbol:
    """A symbol with the sign that its range implies, told as `language.symbol` tells it."""
    if domain.low > 0 or (domain.low == 0 and domain.low_open):
        return sympy.Symbol(name, real=True, positive=True)
    return sympy.Symbol(name, real=True, nonnegative=True) if domain.low == 0 else sympy.Symbol(name, real=True)


def fresh(goal: Goal, letter: str) -> str:
    """A name that no symbol of the goal has or had: `meaning` keeps those that are gone."""
    taken = {item.name for item in goal.symbols} | {name for name, _ in goal.meaning}
    return next(name for place in itertools.count(1) if (name := f"{letter}{place}") not in taken)


def range_of_domain(domain: Domain) -> Range:
    low, high = (Fraction(number) if math.isfinite(number) else number for number in (domain.low, domain.high))
    return Range(low, high, domain.low_open or low == -math.inf, domain.high_open or high == math.inf, domain.integer)


# --- signs -----------------------------------------------------------------------------------------------------------------------


def enclosed(expression: sympy.Expr, ranges: Iterable[tuple[sympy.Symbol, Range]]) -> Interval:
    """The range of an expression over a box. Raises Unknown."""
    used = [(item, domain) for item, domain in ranges if item in expression.free_symbols]
    return Enclosure(expression, [item for item, _ in used]).intervals([domain.interval() for _, domain in used])


def sign_on(expression: sympy.Expr, ranges: tuple[tuple[sympy.Symbol, Range], ...], strict: bool = True) -> int:
    """1 where the expression is surely > 0 (>= 0 unless strict) on the whole box, -1 where it is below, 0 where that is not plain."""
    if expression.is_positive or (not strict and expression.is_nonnegative):
        return 1
    if expression.is_negative or (not strict and expression.is_nonpositive):
        return -1
    exact = _linear_sign(expression, ranges, strict)
    if exact:
        return exact
    for form in (expression, expression_of(terms_of(expression))):
        try:
            found = enclosed(form, ranges)
        except Unknown:
            continue
        if found.positive or (not strict and found.low >= 0):
            return 1
        if found.negative or (not strict and found.high <= 0):
            return -1
    return 0


def _linear_sign(expression: sympy.Expr, ranges: tuple[tuple[sympy.Symbol, Range], ...], strict: bool) -> int:
    """As `sign_on`, exactly, of one symbol times a number plus a number: balls around 1/3 do not tell 1/3 - 1/3 from 0."""
    if len(expression.free_symbols) != 1 or not isinstance(expression, sympy.Add) or len(expression.args) != 2:
        return 0
    at, rest = expression.as_coeff_Add()
    slope, item = rest.as_coeff_Mul()
    domain = dict(ranges).get(item)
    if domain is None or not (at.is_Rational and slope.is_Rational):
        return 0
    values = []
    for number, is_open in ((domain.low, domain.low_open), (domain.high, domain.high_open)):
        if isinstance(number, float):
            values.append((math.inf if (number > 0) == (slope > 0) else -math.inf, True))
        else:
            values.append((Fraction(int(slope.p), int(slope.q)) * number + Fraction(int(at.p), int(at.q)), is_open))
    (low, low_open), (high, high_open) = sorted(values, key=lambda pair: pair[0])
    if low > 0 or (low == 0 and (low_open or not strict)):
        return 1
    return -1 if high < 0 or (high == 0 and (high_open or not strict)) else 0


# --- making goals ----------------------------------------------------------------------------------------------------------------


def tidy(goal: Goal) -> Goal:
    """Constraints on one symbol become its range; those that always hold, or speak of nothing, are dropped.

    Everything is decided by `sign_on`, and a constraint that is not understood stays.
    """
    for _ in range(4):
        ranges, left = dict(goal.ranges), []
        for constraint in goal.constraints:
            expression = _by_logarithms(expression_of(divided(terms_of(constraint.expression))[1]))
            free = expression.free_symbols
            if not free or sign_on(expression, goal.ranges, constraint.strict) == 1:
                if not free and sign_on(expression, (), constraint.strict) == -1:  # nothing satisfies it
                    left.append(Constraint(expression, constraint.strict))
                continue
            if not _cut_by(expression, constraint.strict, ranges):
                left.append(Constraint(expression, constraint.strict))
        after = replace(goal, ranges=tuple(ranges.items()), constraints=tuple(dict.fromkeys(left)))
        after = _renamed(after)
        if after == goal:
            break
        goal = after
    return goal


def _by_logarithms(expression: sympy.Expr) -> sympy.Expr:
    """exp(a) >= exp(b) as a >= b, x**k >= y as k log(x) >= log(y): where one positive term stands against another."""
    found = sorted(terms_of(expression).items(), key=lambda item: item[1])
    if len(found) != 2 or not found[0][1] < 0 < found[1][1]:
        return expression
    atoms = found[0][0] | found[1][0]
    plain = not any(isinstance(atom, sympy.exp) or exponent.free_symbols for atom, exponent in atoms)
    if plain or not all(atom.is_positive for atom, _ in atoms):
        return expression
    parts = [sympy.log(sympy.Rational(abs(size).numerator, abs(size).denominator)) * (-1 if size < 0 else 1) for _, size in found]
    for monomial, size in found:
        parts += [sympy.expand_log(sympy.log(atom)) * exponent * (-1 if size < 0 else 1) for atom, exponent in monomial]
    return expression_of(terms_of(sympy.Add(*parts)))


def _cut_by(expression: sympy.Expr, strict: bool, ranges: dict[sympy.Symbol, Range]) -> bool:
    """Shortens the ranges by a constraint; whether they now say all that it said."""
    free = sorted(expression.free_symbols, key=lambda item: item.name)
    for item in free:
        bound = isolate(expression, item, tuple(ranges.items()))
        if bound is None:
            continue
        from_below, value = bound
        if value.is_Rational:
            ranges[item] = _cut(ranges[item], from_below, Fraction(int(value.p), int(value.q)), strict)
            return True
        try:
            found = dyadic(enclosed(value, ranges.items()))
        except Unknown:
            continue
        limit, is_open = (found.low, found.low_open) if from_below else (found.high, found.high_open)
        if isinstance(limit, Fraction):
            ranges[item] = _cut(ranges[item], from_below, limit, strict or is_open)
    return False


def _renamed(goal: Goal) -> Goal:
    """Symbols whose range now says more about their sign say so too."""
    instead = {item: working_symbol(item.name, domain) for item, domain in goal.ranges}
    if all(old == new for old, new in instead.items()):
        return goal
    return replace(
        goal,
        expression=goal.expression.xreplace(instead),
        ranges=tuple((instead[item], domain) for item, domain in goal.ranges),
        constraints=tuple(Constraint(item.expression.xreplace(instead), item.strict) for item in goal.constraints),
    )


def _cut(domain: Range, from_below: bool, value: Fraction, strict: bool) -> Range:
    if from_below:
        is_open = strict if value > domain.low else domain.low_open or (strict and value == domain.low)
        low = max(domain.low, value)
        if domain.integer and isinstance(low, Fraction):
            low, is_open = Fraction(math.floor(low) + 1 if is_open else math.ceil(low)), False
        return replace(domain, low=low, low_open=is_open)
    is_open = strict if value < domain.high else domain.high_open or (strict and value == domain.high)
    high = min(domain.high, value)
    if domain.integer and isinstance(high, Fraction):
        high, is_open = Fraction(math.ceil(high) - 1 if is_open else math.floor(high)), False
    return replace(domain, high=high, high_open=is_open)


def isolate(expression: sympy.Expr, item: sympy.Symbol, ranges: tuple[tuple[sympy.Symbol, Range], ...]) -> tuple[bool, sympy.Expr] | None:
    """`expression >= 0` as (True, g) for item >= g, (False, g) for item <= g; None where it is not of that form.

    Understood is a * item**e + b with a sign of a, e that is plain, and where e is not 1 a positive -b/a and item.
    """
    parts = _separated(expression, item)
    if parts is None:
        return None
    slope, exponent, rest = parts
    side, direction = sign_on(slope, ranges), sign_on(exponent, ranges)
    if not side or not direction:
        return None
    value = _product_form(-rest / slope)
    if exponent != 1:
        if not item.is_nonnegative or sign_on(value, ranges) != 1 or (direction < 0 and not item.is_positive):
            return None
        value = _product_form(value ** (1 / exponent))
    return side * direction > 0, value


@effort.cached(4096)
def _separated(expression: sympy.Expr, item: sympy.Symbol) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr] | None:
    """(a, e, b) of a * item**e + b; None where it is not of that form."""
    powers: set[sympy.Expr] = set()
    inside: Terms = {}
    outside: Terms = {}
    for monomial, coefficient in terms_of(expression).items():
        own = [exponent for atom, exponent in monomial if atom == item]
        if any(item in (atom.free_symbols if atom != item else exponent.free_symbols) for atom, exponent in monomial):
            return None
        powers |= set(own)
        (inside if own else outside)[frozenset(part for part in monomial if part[0] != item)] = coefficient
    if len(powers) != 1 or len(inside) + len(outside) < len(terms_of(expression)):
        return None
    return expression_of(inside), powers.pop(), expression_of(outside)


@effort.cached(4096)
def _product_form(expression: sympy.Expr) -> sympy.Expr:
    """With what all terms share in front: (a - 1)/b and not a/b - 1/b, whose sign is less plain."""
    common, rest = divided(terms_of(expression))
    return sympy.Mul(*(atom**exponent for atom, exponent in common), expression_of(rest))


def goals_of(
    difference: sympy.Expr,
    domains: Mapping[sympy.Symbol, Domain],
    conditions: Iterable[sympy.logic.boolalg.Boolean],
    strict: bool = False,
) -> list[Goal]:
    """The goals that say: difference >= 0 wherever the symbols lie in their domains and satisfy all conditions. An alternative of the
    conditions that nothing satisfies has its goal too: the rule `empty` closes it."""
    ranges = {item: range_of_domain(domain) for item, domain in domains.items()}
    instead = {item: working_symbol(item.name, domain) for item, domain in ranges.items()}
    start = tuple((instead[item], domain) for item, domain in ranges.items())
    result = []
    for chosen in _disjuncts(sympy.And(*conditions, evaluate=False)):
        constraints = tuple(Constraint(item.expression.xreplace(instead), item.strict) for item in chosen)
        result.append(tidy(Goal(difference.xreplace(instead), start, constraints, strict)))
    return result


def _disjuncts(condition: sympy.Basic, negated: bool = False) -> list[tuple[Constraint, ...]]:
    """A condition as alternatives of constraints. An inequality with != says nothing that a closed domain could use: it is dropped."""
    match condition:
        case sympy.logic.boolalg.BooleanTrue():
            return [] if negated else [()]
        case sympy.logic.boolalg.BooleanFalse():
            return [()] if negated else []
        case sympy.Not():
            return _disjuncts(condition.args[0], not negated)
        case sympy.And() | sympy.Or():
            parts = [_disjuncts(part, negated) for part in condition.args]
            if isinstance(condition, sympy.And) != negated:
                return [sum(choice, ()) for choice in itertools.product(*parts)]
            return [choice for part in parts for choice in part]
    difference = condition.lhs - condition.rhs
    match condition:
        case sympy.Lt() | sympy.Gt() | sympy.Le() | sympy.Ge():
            rising = isinstance(condition, sympy.Gt | sympy.Ge) != negated
            strict = isinstance(condition, sympy.Gt | sympy.Lt) != negated
            return [(Constraint(difference if rising else -difference, strict),)]
        case sympy.Eq() | sympy.Ne():
            if isinstance(condition, sympy.Eq) != negated:
                return [(Constraint(difference), Constraint(-difference))]
            return [()]
    raise TypeError(f"{type(condition).__name__} is not an allowed condition in {condition}")


def dyadic(value: Interval) -> Range:
    """An interval as a range with exact dyadic ends, rounded outwards already."""
    ends: list[End] = []
    for ball in (value.low, value.high):
        if ball.is_finite():
            mantissa, exponent = (int(part) for part in ball.man_exp())
            ends.append(Fraction(mantissa) * Fraction(2) ** exponent)
        else:
            ends.append(math.inf if ball == INFINITY else -math.inf)
    return Range(ends[0], ends[1], value.low_open or math.isinf(ends[0]), value.high_open or math.isinf(ends[1]))


# --- what rules share --------------------------------------------------------------------------------------------------------------


class Refused(Exception):
    """The rule does not apply here."""


def symbol_named(goal: Goal, name: str) -> sympy.Symbol:
    for item in goal.symbols:
        if item.name == name:
            return item
    raise Refused(f"no symbol {name}")


def without(goal: Goal, item: sympy.Symbol) -> Goal:
    """The goal with what it says of one symbol left out (the expression must not hold it)."""
    return replace(
        goal,
        ranges=tuple(pair for pair in goal.ranges if pair[0] != item),
        constraints=tuple(constraint for constraint in goal.constraints if item not in constraint.expression.free_symbols),
    )
