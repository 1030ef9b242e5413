"""A printed order beside an explicit bound that it is said to follow from, or to match: exact limits of their quotient, in every quantity.

What is audited. Of two statements on the same number, one explicit and one with its constants suppressed, the quotient explicit/order is
taken to both ends of the range of every quantity that either names, one quantity at a time, the others at held values inside the
hypotheses. An upper order is refuted by a quotient that goes to infinity (no constant serves), and by nothing else; a lower order by one
that goes to 0. Limits are exact (theory/limits.py) and are looked at once more in ball arithmetic, at 10^4 to 10^4096. An end that the
hypotheses or a closed domain cut off at a finite value is bounded there, if the order is not 0.

What a refutation says. That the order does not follow from the explicit bound, with whatever constant; not that the order is false, unless
the explicit statement has the opposite sense (a proved lower bound against an upper order, and the reverse). The label says which.

What is left out, never in silence. `fixed` are quantities that the paper takes for constants, `readings` are ends of which the order does
not speak, `tied` are quantities that others determine; each with its reason. All but the tied ones are computed and shown all the same, and
a reason that excuses nothing is an error: an excuse is for a limit that would refute.

Several quantities at once: an order can hold in each quantity and fail along a path on which two of them move. `paths` name such.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from banditproof.audits.running.audit import Audit, Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict, fields_json, from_fields
from banditproof.audits.statistics.exact import fraction
from banditproof.glossary import Quantity
from banditproof.theory.language import Constants, HypothesisFails, OutsideDomain, Sense, Theorem, symbol
from banditproof.theory.limits import End

if TYPE_CHECKING:
    import sympy

    from banditproof.theory.limits import Limit

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
    along: tuple[tuple[Quantity, "sympy.Expr"], ...]


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
    by: "sympy.Expr | Theorem"
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
        """Every quantity that either statement names, but for the tied ones."""
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


@dataclass(frozen=True)
class OrderWitness:
    """The end at which no constant serves: the limit there, and the quotient (log10) at x = 10^exponent on the way."""

    quantity: str
    end: str
    row: str
    limit: str
    points: tuple[Any, ...]  # [exponent of ten, log10 of the quotient]
    kind: ClassVar[str] = "order"

    def rows(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in ("quantity", "end", "limit", "points")]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "OrderWitness":
        return from_fields(cls, {**record, "points": tuple(tuple(point) for point in record["points"])})


@dataclass(frozen=True)
class OrderLimits:
    """The quotient of a pair at the rows named `only`, or at all but those that the pair knows to refute."""

    pair: Pair
    only: tuple[str, ...] = ()
    statistical: bool = False
    prefix: ClassVar[str] = "growth"

    def measure(self, request: Request) -> Measurement:
        return self._judged(self._rows())

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """The row of the witness alone, at its points and by its limit; all rows where there is no witness."""
        if not isinstance(before.witness, OrderWitness):
            return self._judged(self._rows())
        return self._judged((self._row(before.witness.row, tuple(int(point[0]) for point in before.witness.points)),))

    def _rows(self) -> tuple[Row, ...]:
        unknown = {*self.pair.fails, *self.only} - set(self.pair.rows())
        if unknown:
            raise ValueError(f"{self.pair.order.id}: no end or path is named {', '.join(sorted(unknown))}")
        names = self.only or tuple(name for name in self.pair.rows() if name not in self.pair.fails)
        return tuple(self._row(name, SHOWN) for name in names)

    def _row(self, name: str, shown: tuple[int, ...]) -> Row:
        path = self.pair.rows()[name]
        row, excuse = Quotient(self.pair, path).row(shown), self.pair.excuse(path)
        if excuse and not (self._breaks(row) or row.outcome == "undecided") and self._single(path):
            raise ValueError(f"{self.pair.order.id}: {name}: the limit is {row.outcome}, so {excuse!r} excuses nothing")
        return replace(row, excuse=excuse)

    def _single(self, path: Path) -> bool:
        """Whether the excuse is for this end alone: one for both ends may be needed at one of them."""
        return any(item.end is path.end for item in self.pair.fixed if item.quantity is path.moving)

    def _breaks(self, row: Row) -> bool:
        match self.pair.order.stated().sense:
            case Sense.AT_MOST:
                return row.outcome == "infinite"
            case Sense.AT_LEAST:
                return row.outcome == "0"
        return row.outcome in ("0", "infinite")

    def _judged(self, rows: tuple[Row, ...]) -> Measurement:
        counted = [row for row in rows if not row.excuse]
        broken, open_ = [row for row in counted if self._breaks(row)], [row for row in counted if row.outcome == "undecided"]
        order, explicit = self.pair.order, self.pair.explicit
        against = f"{explicit.id.partition('.')[2]} over the order"
        witness = None
        if broken:
            shown, path = broken[0], self.pair.rows()[broken[0].name]
            verdict = Verdict.REFUTED
            follows = "the order does not follow from it" if self.pair.same_sense else "the two contradict each other"
            limit = "infinity" if shown.outcome == "infinite" else "0"
            message = f"{against} goes to {limit}, like {shown.limit or 'a number over 0'}, {where(path)}: {follows}"
            witness = OrderWitness(path.moving.name, path.end.value, shown.name, shown.limit, shown.points)
        elif open_ or not counted:
            verdict = Verdict.INCONCLUSIVE
            message = f"{against}: undecided at {', '.join(row.name for row in open_)}: {open_[0].argument}" if open_ else "no end counts"
        else:
            verdict = Verdict.CERTIFIED if self.pair.same_sense else Verdict.RATE_ONLY
            bounded = {Sense.AT_MOST: "bounded", Sense.AT_LEAST: "away from 0"}.get(order.stated().sense, "bounded and away from 0")
            message = f"{against} is {bounded} towards {len(counted)} ends, by exact limits, one quantity at a time"
        excused = tuple(f"{row.name} ({row.outcome}) is not of the order: {row.excuse}" for row in rows if row.excuse)
        return Measurement(
            verdict,
            quantity="quotient",
            samples=len(counted),
            assumed=(
                "one quantity at a time, the others at held values: nothing is said of constants that serve for all of them at once",
                *excused,
                *(f"{item.quantity.name} is not free: {item.reason}" for item in self.pair.tied),
            ),
            witness=witness,
            detail={
                "explicit": explicit.id,
                "held": {quantity.name: str(value) for quantity, value in held_values(self.pair).items()},
                "ends": {row.name: row.to_json() for row in rows},
            },
            message=message,
        )


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

    # --- numbers -----------------------------------------------------------------------------------------------------------------------

    def values(self, moving: Fraction) -> dict[Quantity, Fraction]:
        """All quantities where the moving one has this value; whole ones are rounded up."""
        from flint import ctx

        from banditproof.theory.evaluate import ball

        known = {**held_values(self.pair), self.path.moving: moving}
        at = {symbol(self.path.moving): moving}
        with ctx.workprec(8192):
            for quantity, expression in self.path.along:
                known[quantity] = _rounded(quantity, fraction(ball(expression, at)))
            for item in self.pair.tied:
                if isinstance(item.by, Theorem):
                    value = item.by.at(**{quantity.name: known[quantity] for quantity in item.by.stated().given}).ball
                else:
                    value = ball(item.by, {symbol(quantity): value for quantity, value in known.items()})
                known[item.quantity] = _rounded(item.quantity, fraction(value))
        return known

    def at(self, moving: Fraction, checked: bool = True) -> tuple[Any, Any]:
        """Balls of the explicit bound and of the order. Raises OutsideDomain or, where hypotheses are checked, HypothesisFails."""
        known = self.values(moving)
        both = tuple(_with_numbers(theorem, checked) for theorem in (self.pair.explicit, self.pair.order))
        one, two = (theorem.at(**{quantity.name: known[quantity] for quantity in theorem.stated().given}).ball for theorem in both)
        return one, two

    def inside(self, moving: Fraction) -> bool:
        """Whether the values lie in the domains and the hypotheses of all statements; the bounds are not evaluated."""
        from banditproof.theory import evaluate

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
        from banditproof.theory.limits import Undecided

        domain, end = self.path.moving.domain, self.path.end
        edge, is_open = (domain.low, domain.low_open) if end is End.LOW else (domain.high, domain.high_open)
        held = held_values(self.pair)[self.path.moving]
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
            return Row(self.path.name, "bounded", "", f"closed end: the quotient is {_shown(one / two)} at {edge}")
        if self.path.moving.domain.integer:  # an order in a whole number speaks of large ones: log 1 is 0
            for place in range(1, 4):
                step = edge + place if self.path.end is End.LOW else edge - place
                one, two = self.at(step)
                if not two.is_zero():
                    why = f"closed end: the order is 0 at {edge} and is read from {step} on, where the quotient is {_shown(one / two)}"
                    return Row(self.path.name, "bounded", "", why)
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
        return Row(self.path.name, "bounded", "", f"the hypotheses end the range; the quotient is {_shown(one / two)} at {_number(inside)}")

    def _edge(self) -> tuple[Fraction, Fraction | None]:
        """A value inside the hypotheses and one outside, near to each other: by powers of two in x, then by parts of a doubling."""
        from banditproof.theory.limits import towards

        place, _ = towards(self.path.moving, self.path.end)
        held = held_values(self.pair)[self.path.moving]
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
        from banditproof.theory.limits import Kind, limit_of, towards

        place, name = towards(self.path.moving, self.path.end)
        explicit, order = (self._expression(theorem) for theorem in (self.pair.explicit, self.pair.order))
        limit, above, below = limit_of(explicit, order, name)
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

    def _in_large(self) -> dict["sympy.Symbol", "sympy.Expr"]:
        """Every free quantity, and every tied one, as a number or a function of x."""
        import sympy

        from banditproof.theory.limits import ABOUT_ONE, towards

        place, _ = towards(self.path.moving, self.path.end)
        known: dict[sympy.Symbol, sympy.Expr] = {
            symbol(quantity): sympy.Rational(value.numerator, value.denominator) for quantity, value in held_values(self.pair).items()
        }
        known[symbol(self.path.moving)] = place
        for quantity, expression in self.path.along:
            value = expression.xreplace({symbol(self.path.moving): place})
            whole = quantity.domain.integer and not expression.is_integer
            known[symbol(quantity)] = value * ABOUT_ONE if whole else value
        for item in self.pair.tied:
            value = self._case_of(item.by, known) if isinstance(item.by, Theorem) else item.by.xreplace(known)
            known[symbol(item.quantity)] = _next_integer(value) if item.quantity.domain.integer else value
        return known

    def _expression(self, theorem: Theorem) -> "sympy.Expr":
        return self._case_of(theorem, self._in_large())

    def _case_of(self, theorem: Theorem, known: Mapping["sympy.Symbol", "sympy.Expr"]) -> "sympy.Expr":
        """The case that applies for every large x, in x. Raises Undecided."""
        from banditproof.theory.language import Case
        from banditproof.theory.limits import eventual_case

        values = {**known, **self._implicit(theorem, known)}
        cases = (Case(case.condition.xreplace(values), case.expression.xreplace(values)) for case in theorem.stated().cases)
        return eventual_case(cases)

    def _implicit(self, theorem: Theorem, known: Mapping["sympy.Symbol", "sympy.Expr"]) -> dict["sympy.Symbol", "sympy.Expr"]:
        """The implicit quantities: the number itself where x is not in it, else the stated growth times a factor that tends to 1."""
        import sympy
        from flint import ctx

        from banditproof.theory import evaluate
        from banditproof.theory.limits import ABOUT_ONE, LARGE, Undecided

        found: dict[sympy.Symbol, sympy.Expr] = {}
        for implicit in theorem.stated().where:
            letter, both = symbol(implicit.of), {**known, **found}
            needs = set().union(*(end.free_symbols for end in implicit.bracket), implicit.condition.free_symbols) - {letter}
            if all(LARGE not in both[item].free_symbols and both[item].is_Rational for item in needs) and implicit.of.domain.integer:
                with ctx.workprec(1024):
                    numbers = {item: Fraction(int(both[item].p), int(both[item].q)) for item in needs}
                    found[letter] = sympy.Integer(int(fraction(evaluate.solve(implicit, numbers))))
            elif implicit.growth is not None:
                found[letter] = implicit.growth.xreplace(both) * ABOUT_ONE
            else:
                raise Undecided(f"the growth of {implicit.of.name} is not stated")
        return found

    def _reached(self) -> bool:
        """Whether the hypotheses of both statements hold on the way to the end. Raises Undecided."""
        from banditproof.theory.limits import eventually

        known = self._in_large()
        tied = (item.by for item in self.pair.tied if isinstance(item.by, Theorem))
        for theorem in (*tied, self.pair.explicit, self.pair.order):
            values = {**known, **self._implicit(theorem, known)}
            for hypothesis in theorem.hypotheses:
                if hypothesis.condition is not None and not eventually(hypothesis.condition.xreplace(values)):
                    return False
        return True


def _hypotheses_hold(theorem: Theorem, given: Mapping["sympy.Symbol", Any], precision: int) -> bool:
    """Whether the conditions that values can check hold. Raises evaluate.Undecided."""
    from flint import ctx

    from banditproof.theory import evaluate

    with ctx.workprec(precision):
        known = dict(given)
        for implicit in theorem.stated().where:
            known[symbol(implicit.of)] = evaluate.solve(implicit, known)
        return all(item.condition is None or evaluate.holds(item.condition, known) for item in theorem.hypotheses)


def _next_integer(value: "sympy.Expr") -> "sympy.Expr":
    """The next integer: of a number or of what tends to one that is no integer; of what grows, up to a factor that tends to 1."""
    import sympy

    from banditproof.theory.limits import ABOUT_ONE, LARGE, Undecided, leading, number_ball, tends_to_infinity

    term = leading(value)
    if term is not None and term.constant:
        exactly = LARGE not in value.free_symbols
        enclosure = number_ball(term.coefficient, 1024)
        if exactly and term.coefficient.is_Integer:
            return term.coefficient
        low, high = (math.ceil(fraction(end)) for end in (enclosure.lower(), enclosure.upper()))
        if low == high and not enclosure.contains(low):
            return sympy.Integer(low)
        raise Undecided("the next integer of what tends to an integer")
    if term is None or not tends_to_infinity(term):
        raise Undecided("the next integer of what tends to 0")
    return value * ABOUT_ONE


def _rounded(quantity: Quantity, value: Fraction) -> Fraction:
    return Fraction(math.ceil(value)) if quantity.domain.integer else value


def fraction_of(place: "sympy.Expr", large: Fraction | int) -> Fraction:
    """The moving quantity at x = large, exactly."""
    import sympy

    from banditproof.theory.limits import LARGE

    number = place.subs(LARGE, sympy.Rational(Fraction(large).numerator, Fraction(large).denominator))
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


def _looks_like(limit: "Limit", seen: list[float]) -> bool:
    """Whether log10 of the quotient rises, falls, or closes in on the limit over its last points."""
    from banditproof.theory.limits import Kind, number_ball

    last = seen[-3:]
    match limit.kind:
        case Kind.INFINITE:
            return all(one < two for one, two in itertools.pairwise(last))
        case Kind.ZERO:
            return all(one > two for one, two in itertools.pairwise(last))
    assert limit.value is not None
    away = [abs(value - log10(number_ball(limit.value))) for value in last]
    return away[-1] <= CLOSE or away[-1] < away[-2]


def audits_of(*pairs: Pair) -> tuple[Audit, ...]:
    """For each pair one audit of all ends that are to hold, and one, expected to refute, of each that is known not to."""
    return tuple(audit for pair in pairs for audit in _audits_of(pair))


def _audits_of(pair: Pair) -> Iterator[Audit]:
    other = pair.explicit.id.partition(".")[2]
    asked = "does the order follow from" if pair.same_sense else "does the order contradict"
    suffix = f"_{pair.name}" if pair.name else ""
    yield Audit(pair.order.id, f"growth.limits{suffix}", f"{asked} {other}, in each quantity towards both ends", OrderLimits(pair))
    for name in pair.fails:
        label = f"{asked} {other}, {where(pair.rows()[name])}"
        yield Audit(pair.order.id, f"growth.{name}{suffix}", label, OrderLimits(pair, (name,)), expected=Verdict.REFUTED)
