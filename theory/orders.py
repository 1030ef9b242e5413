"""An order and an explicit bound beside it: the exact limit of their quotient towards every end of every quantity.

Main definitions
    Pair         an order, an explicit bound, what is held, fixed and tied, and the paths along which several quantities move
    Path         an end of a quantity; or several quantities at once
    Quotient     explicit over order on the way to one end: `row` says where it goes, and by which argument
    Row          what is known at one end

Implementation notes
    A limit is exact (limits.py) and is looked at once more in ball arithmetic, by `Theorem.at`, which shares no rule with it: a quotient
    that does not look like its limit is undecided. Where hypotheses or a closed domain end the range at a finite value, both sides must be
    finite there, the order not 0, and, for a real quantity, both must go on without a jump just outside.
"""

import functools
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from banditproof.glossary import Quantity
from banditproof.theory import evaluate, limits
from banditproof.theory.language import Constants, HypothesisFails, OutsideDomain, Sense, Theorem, symbol
from banditproof.theory.limits import LARGE, End, Kind, Limit, Undecided, about_one, leading, number_ball, towards

if TYPE_CHECKING:
    from flint import arb

SHOWN = (4, 16, 64, 256, 1024, 4096)  # x is 10 to these powers where a limit is looked at in balls
CLOSE = 0.02  # a finite limit is approached, or log10 of the quotient is this near to log10 of it
LITTLE = 0.5  # what log10 of the quotient may change between neighbouring values
FARTHEST = 1 << 17  # powers of two that a search for the end of the hypotheses goes
FINE = 16  # and its parts of a doubling


@dataclass(frozen=True)
class Path:
    """Several quantities at once: `moving` goes to its end and `along` says what the others are then, in terms of it."""

    name: str
    moving: Quantity
    end: End
    along: tuple[tuple[Quantity, sympy.Expr], ...]


@dataclass(frozen=True)
class Fixed:
    """A quantity that the paper takes for a constant; or one end of it, of which the order does not speak."""

    quantity: Quantity
    reason: str
    end: End | None = None  # None: both


@dataclass(frozen=True)
class Tied:
    """A quantity of the explicit bound that others determine: by an expression, or by a statement whose next integer it is."""

    quantity: Quantity
    by: sympy.Expr | Theorem
    reason: str


@dataclass(frozen=True)
class Pair:
    """An order and an explicit bound beside it. `fails` names the rows that are known to refute: each is an audit of its own."""

    order: Theorem
    explicit: Theorem
    held: tuple[tuple[Quantity, int | str], ...] = ()
    fixed: tuple[Fixed, ...] = ()
    tied: tuple[Tied, ...] = ()
    paths: tuple[Path, ...] = ()
    fails: tuple[str, ...] = ()
    name: str = ""  # in the slug, where an order has several explicit bounds

    def quantities(self) -> tuple[Quantity, ...]:
        """Every quantity that either statement names, except for the tied ones."""
        tied = {item.quantity for item in self.tied}
        named = dict.fromkeys((*self.order.stated().given, *self.explicit.stated().given))
        needed = (item for one in self.tied for item in (one.by.stated().given if isinstance(one.by, Theorem) else ()))
        return tuple(quantity for quantity in dict.fromkeys((*named, *needed)) if quantity not in tied)

    def rows(self) -> dict[str, Path]:
        """Both ends of every quantity, and the declared paths, by name."""
        ends = (Path(f"{quantity.name}_{end.value}", quantity, end, ()) for quantity in self.quantities() for end in End)
        return {path.name: path for path in (*ends, *self.paths)}

    def excuse(self, path: Path) -> str:
        """Why the order does not speak of this end; "" where it does."""
        reasons = (item.reason for item in self.fixed if item.quantity is path.moving and item.end in (None, path.end))
        return "" if path.along else next(reasons, "")

    @property
    def same_sense(self) -> bool:
        return self.order.stated().sense is self.explicit.stated().sense


@dataclass(frozen=True)
class Row:
    """What is known of the quotient at one end."""

    name: str
    outcome: str  # "0", "finite", "infinite", "bounded", "undecided"
    limit: str  # the number where it is finite, else how fast the quotient is
    argument: str
    points: tuple[tuple[int, float], ...] = ()  # x = 10^exponent, log10 of the quotient there
    excuse: str = ""

    def to_json(self) -> dict[str, Any]:
        shown = {"outcome": self.outcome, "limit": self.limit, "argument": self.argument, "points": [list(point) for point in self.points]}
        return {**shown, "excuse": self.excuse} if self.excuse else shown


def where(path: Path) -> str:
    """How a sentence says where the limit is taken."""
    domain = path.moving.domain
    edge = domain.low if path.end is End.LOW else domain.high
    goes = f"as {path.moving.name} goes to {'infinity' if math.isinf(edge) else f'{edge:g}'}"
    return goes + "".join(f", {quantity.name} = {value}" for quantity, value in path.along)


@functools.cache
def _with_numbers(theorem: Theorem, checked: bool) -> Theorem:
    """An order with 1 for its constants: only quotients of it mean something. Without its hypotheses unless they are to be checked."""
    bound = replace(theorem.stated(), constants=Constants.EXPLICIT)
    return replace(theorem, bound=bound, hypotheses=theorem.hypotheses if checked else ())


def held_values(pair: Pair) -> dict[Quantity, Fraction]:
    """The value of each free quantity while another moves: the declared one, or the first typical one."""
    declared = {quantity: Fraction(value) for quantity, value in pair.held}
    unknown = set(declared) - set(pair.quantities())
    if unknown:
        raise ValueError(f"{pair.order.id}: {', '.join(sorted(item.name for item in unknown))}: is held and no free quantity of the pair")
    return {quantity: declared.get(quantity, Fraction(str((quantity.typical or (1,))[0]))) for quantity in pair.quantities()}


@dataclass(frozen=True)
class Quotient:
    """Explicit over order while one end, or path, is approached."""

    pair: Pair
    path: Path

    @functools.cached_property
    def held(self) -> dict[Quantity, Fraction]:
        """The value of each free quantity while another moves."""
        return held_values(self.pair)

    # --- numbers -----------------------------------------------------------------------------------------------------------------------

    def values(self, moving: Fraction) -> dict[Quantity, Fraction]:
        """All quantities where the moving one has this value; whole ones are rounded up."""

        known = {**self.held, self.path.moving: moving}
        at = {symbol(self.path.moving): moving}
        from flint import ctx

        with ctx.workprec(8192):
            for quantity, expression in self.path.along:
                known[quantity] = _rounded(quantity, _fraction(evaluate.ball(expression, at)))
            for item in self.pair.tied:
                if isinstance(item.by, Theorem):
                    value = item.by.at(**{quantity.name: known[quantity] for quantity in item.by.stated().given}).ball
                else:
                    value = evaluate.ball(item.by, {symbol(quantity): value for quantity, value in known.items()})
                known[item.quantity] = _rounded(item.quantity, _fraction(value))
        return known

    def at(self, moving: Fraction, checked: bool = True) -> tuple[Any, Any]:
        """Balls of the explicit bound and of the order. Raises OutsideDomain or, where hypotheses are checked, HypothesisFails."""
        known = self.values(moving)
        both = tuple(_with_numbers(theorem, checked) for theorem in (self.pair.explicit, self.pair.order))
        one, two = (theorem.at(**{quantity.name: known[quantity] for quantity in theorem.stated().given}).ball for theorem in both)
        return one, two

    def inside(self, moving: Fraction) -> bool:
        """Whether the values lie in the domains and the hypotheses of all statements; the bounds are not evaluated."""

        try:
            known = self.values(moving)
        except (OutsideDomain, HypothesisFails):
            return False
        tied = (item.by for item in self.pair.tied if isinstance(item.by, Theorem))
        for theorem in (*tied, self.pair.explicit, self.pair.order):
            given = {symbol(quantity): known[quantity] for quantity in theorem.stated().given}
            if any(known[quantity] not in quantity.domain for quantity in theorem.stated().given):
                return False
            for precision in (256, 4096):
                try:
                    if not _hypotheses_hold(theorem, given, precision):
                        return False
                except evaluate.Undecided:
                    continue
                break
            else:
                return False
        return True

    # --- the row -----------------------------------------------------------------------------------------------------------------------

    def row(self, shown: tuple[int, ...]) -> Row:
        """Raises ValueError where the held values lie outside the hypotheses: there is nothing to approach the end from."""

        domain, end = self.path.moving.domain, self.path.end
        edge, is_open = (domain.low, domain.low_open) if end is End.LOW else (domain.high, domain.high_open)
        held = self.held[self.path.moving]
        if not self.path.along and not self.inside(held):
            raise ValueError(f"{self.pair.order.id}: the held values lie outside the hypotheses of the pair")
        try:
            if not math.isinf(edge) and not is_open:
                if domain.integer or self.path.along or not self._reached():
                    return self._closed(Fraction(edge))
                first = self._closed(Fraction(edge))
                return first if first.outcome != "bounded" else self._limit(shown)
            if not self._reached():
                return self._cut()
            return self._limit(shown)
        except Undecided as reason:
            return Row(self.path.name, "undecided", "", str(reason))

    def _closed(self, edge: Fraction) -> Row:
        """At a closed end, or as near to it as the hypotheses go."""
        if not self.inside(edge):
            return self._cut()
        one, two = self.at(edge)
        if not two.is_zero():
            return self._at_end(one / two, f"closed end: the quotient is {_shown(one / two)} at {edge}")
        if self.path.moving.domain.integer:  # an order in a whole number speaks of large ones: log 1 is 0
            for place in range(1, 4):
                step = edge + place if self.path.end is End.LOW else edge - place
                one, two = self.at(step)
                if not two.is_zero():
                    why = f"closed end: the order is 0 at {edge} and is read from {step} on, where the quotient is {_shown(one / two)}"
                    return self._at_end(one / two, why)
        if one.is_zero():
            return Row(self.path.name, "undecided", "", f"both are 0 at the closed end {edge}")
        return Row(self.path.name, "infinite", "", f"the order is 0 at the closed end {edge} and the explicit bound is not")

    def _cut(self) -> Row:
        """The hypotheses end the range at a finite value, to which both sides must go on: the quotient there."""
        inside, outside = self._edge()
        if outside is None:
            return Row(self.path.name, "undecided", "", "the hypotheses end the range farther out than was looked")
        one, two = self.at(inside)
        if two.is_zero() or not two.is_finite():
            return Row(self.path.name, "undecided", "", f"the order is 0 at {_number(inside)}, where the hypotheses end the range")
        if not self.path.moving.domain.integer:
            try:
                three, four = self.at(outside, checked=False)
                goes_on = not four.is_zero() and abs(log10(one / two) - log10(three / four)) < LITTLE
            except OutsideDomain:
                goes_on = False
            if not goes_on:
                return Row(self.path.name, "undecided", "", f"the hypotheses end the range at {_number(inside)}; a side may not go on")
        return self._at_end(one / two, f"the hypotheses end the range; the quotient is {_shown(one / two)} at {_number(inside)}")

    def _at_end(self, quotient: "arb", why: str) -> Row:
        """Bounded, by the quotient itself; an order from below needs it above 0 too."""
        holds = self.pair.order.stated().sense is Sense.AT_MOST or quotient > 0
        return Row(self.path.name, "bounded" if holds else "undecided", "", why if holds else f"{why}, which is not above 0")

    def _edge(self) -> tuple[Fraction, Fraction | None]:
        """A value inside the hypotheses and one outside, near to each other: by powers of two in x, then by parts of a doubling."""

        place, _ = towards(self.path.moving, self.path.end)
        held = self.held[self.path.moving]
        start = _large_at(self.path, held)

        def value(parts: int) -> Fraction:
            whole, part = divmod(parts, FINE)
            return _rounded(self.path.moving, fraction_of(place, start * 2**whole * Fraction(2 ** (part / FINE)).limit_denominator(10**6)))

        low, high = 0, FINE
        while self.inside(value(high)):
            low, high = high, 2 * high
            if high > FARTHEST * FINE or value(high) == value(low):
                return value(low), self._closed_outside()
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.inside(value(middle)) else (low, middle)
        return value(low), value(high)

    def _closed_outside(self) -> Fraction | None:
        """The closed end itself, where the values next to it are inside and it is not."""
        domain = self.path.moving.domain
        edge, is_open = (domain.low, domain.low_open) if self.path.end is End.LOW else (domain.high, domain.high_open)
        return None if is_open or self.inside(Fraction(str(edge))) else Fraction(str(edge))

    def _limit(self, shown: tuple[int, ...]) -> Row:
        """The exact limit, and the quotient on the way: one that does not look like its limit is undecided."""

        place, name = towards(self.path.moving, self.path.end)
        explicit, order = (self._expression(theorem) for theorem in (self.pair.explicit, self.pair.order))
        limit, above, below = limits.limit_of(explicit, order, name)
        argument = f"like {above.text(name)} over {below.text(name)}"
        points: list[tuple[int, float]] = []
        for exponent in shown:
            try:
                one, two = self.at(fraction_of(place, 10**exponent))
            except (OutsideDomain, HypothesisFails):
                continue
            if two > 0 and one > 0 and math.isfinite(size := log10(one / two)):
                points.append((exponent, size))
        seen = [value for _, value in points]
        if len(seen) < 2 or not _looks_like(limit, seen):
            wrong = f"the limit is {limit}, and at x = 10^{list(shown)} the quotient (log10) is {seen}"
            return Row(self.path.name, "undecided", str(limit), wrong, tuple(points))
        return Row(self.path.name, limit.kind.value, str(limit) if limit.kind is Kind.FINITE else limit.speed, argument, tuple(points))

    # --- expressions in x --------------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def _in_large(self) -> dict[sympy.Symbol, sympy.Expr]:
        """Every free quantity, and every tied one, as a number or a function of x."""

        place, _ = towards(self.path.moving, self.path.end)
        known: dict[sympy.Symbol, sympy.Expr] = {
            symbol(quantity): sympy.Rational(value.numerator, value.denominator) for quantity, value in self.held.items()
        }
        known[symbol(self.path.moving)] = place
        for quantity, expression in self.path.along:
            value = expression.xreplace({symbol(self.path.moving): place})
            whole = quantity.domain.integer and not expression.is_integer
            known[symbol(quantity)] = value * about_one(quantity.name) if whole else value
        for item in self.pair.tied:
            value = self._case_of(item.by, known) if isinstance(item.by, Theorem) else item.by.xreplace(known)
            known[symbol(item.quantity)] = _next_integer(value) if item.quantity.domain.integer else value
        return known

    def _expression(self, theorem: Theorem) -> sympy.Expr:
        return self._case_of(theorem, self._in_large)

    def _case_of(self, theorem: Theorem, known: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
        """The case that applies for every large x, in x. Raises Undecided."""

        values = {**known, **self._implicit(theorem, known)}
        return limits.eventual_case(theorem.stated().cases, values)

    def _implicit(self, theorem: Theorem, known: Mapping[sympy.Symbol, sympy.Expr]) -> dict[sympy.Symbol, sympy.Expr]:
        """The implicit quantities: the number itself where x is not in it, else the stated growth times a factor that tends to 1."""

        found: dict[sympy.Symbol, sympy.Expr] = {}
        for implicit in theorem.stated().where:
            letter, both = symbol(implicit.of), {**known, **found}
            needs = set().union(*(end.free_symbols for end in implicit.bracket), implicit.condition.free_symbols) - {letter}
            if all(LARGE not in both[item].free_symbols and both[item].is_Rational for item in needs) and implicit.of.domain.integer:
                from flint import ctx

                with ctx.workprec(1024):
                    numbers = {item: Fraction(int(both[item].p), int(both[item].q)) for item in needs}
                    found[letter] = sympy.Integer(int(evaluate.solve(implicit, numbers)))
            elif implicit.growth is not None:
                found[letter] = implicit.growth.xreplace(both) * about_one(implicit.of.name)
            else:
                raise Undecided(f"the growth of {implicit.of.name} is not stated")
        return found

    def _reached(self) -> bool:
        """Whether the hypotheses of both statements hold on the way to the end. Raises Undecided."""

        known = self._in_large
        tied = (item.by for item in self.pair.tied if isinstance(item.by, Theorem))
        for theorem in (*tied, self.pair.explicit, self.pair.order):
            values = {**known, **self._implicit(theorem, known)}
            for hypothesis in theorem.hypotheses:
                if hypothesis.condition is not None and not limits.eventually(hypothesis.condition, values):
                    return False
        return True


def _hypotheses_hold(theorem: Theorem, given: Mapping[sympy.Symbol, Any], precision: int) -> bool:
    """Whether the conditions that values can check hold. Raises evaluate.Undecided."""

    from flint import ctx

    with ctx.workprec(precision):
        known = dict(given)
        for implicit in theorem.stated().where:
            known[symbol(implicit.of)] = evaluate.solve(implicit, known)
        return all(item.condition is None or evaluate.holds(item.condition, known) for item in theorem.hypotheses)


def _next_integer(value: sympy.Expr) -> sympy.Expr:
    """The next integer: of a number or of what tends to one that is no integer; of what grows, up to a factor that tends to 1."""

    term = leading(value)
    if term is not None and term.constant:
        exactly = LARGE not in value.free_symbols
        enclosure = number_ball(term.coefficient, 1024)
        if exactly and term.coefficient.is_Integer:
            return term.coefficient
        low, high = (math.ceil(_fraction(end)) for end in (enclosure.lower(), enclosure.upper()))
        if low == high and not enclosure.contains(low):
            return sympy.Integer(low)
        raise Undecided("the next integer of what tends to an integer")
    if term is None or not limits.tends_to_infinity(term):
        raise Undecided("the next integer of what tends to 0")
    return value * about_one(value)


def _rounded(quantity: Quantity, value: Fraction) -> Fraction:
    return Fraction(math.ceil(value)) if quantity.domain.integer else value


def fraction_of(place: sympy.Expr, large: Fraction | int) -> Fraction:
    """The moving quantity at x = large, exactly."""

    number = place.xreplace({LARGE: sympy.Rational(Fraction(large).numerator, Fraction(large).denominator)})
    return Fraction(int(number.p), int(number.q))


def _large_at(path: Path, value: Fraction) -> Fraction:
    """x where the moving quantity has this value."""
    domain = path.moving.domain
    edge = domain.low if path.end is End.LOW else domain.high
    return abs(value) if math.isinf(edge) else 1 / abs(value - Fraction(str(edge)))


def log10(enclosure: Any) -> float:
    """log10 of the middle of a positive ball, to nine digits: the quotient itself may lie outside the doubles."""
    return round(float((enclosure.log() / type(enclosure)(10).log()).mid()), 9)


def _shown(enclosure: Any) -> str:
    return f"{float(enclosure.mid()):.4g}"


def _number(value: Fraction) -> str:
    if value.denominator == 1 and value < 10**12:
        return str(value.numerator)
    size = value.numerator.bit_length() - value.denominator.bit_length()
    return f"{float(value):.6g}" if abs(size) < 1000 else f"2^{size}"


def _looks_like(limit: Limit, seen: list[float]) -> bool:
    """Whether log10 of the quotient rises, falls, or closes in on the limit over its last points."""

    last = seen[-3:]
    match limit.kind:
        case Kind.INFINITE:
            return all(one < two for one, two in itertools.pairwise(last))
        case Kind.ZERO:
            return all(one > two for one, two in itertools.pairwise(last))
    if limit.value is None:
        raise ValueError("a finite limit has no value")
    goal = log10(number_ball(limit.value))
    away = [abs(value - goal) for value in last]
    return away[-1] <= CLOSE or away[-1] < away[-2]


def _fraction(enclosure: "arb") -> Fraction:
    """The middle of a ball, exactly."""
    mantissa, exponent = (int(part) for part in enclosure.mid().man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent
