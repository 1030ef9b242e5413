"""What is known of the points for which a goal speaks, and what follows from it; whether one set lies in another."""

import functools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy

from banditproof.theory.proving import effort
from banditproof.theory.proving.algebra import Algebra, Beyond, Poly, alone, constant, multiplied, plus, times
from banditproof.theory.proving.checker.derivations import require
from banditproof.theory.proving.goals import Goal, Range


@dataclass(frozen=True)
class Known:
    """What holds on a goal's set: ranges by name, and expressions that are >= 0 (> 0)."""

    box: dict[str, Range]
    constraints: tuple[tuple[sympy.Expr, bool], ...]

    @classmethod
    def of(cls, goal: Goal) -> "Known":
        names = [item.name for item, _ in goal.ranges]
        require(len(set(names)) == len(names), "two symbols of one name")
        for item, domain in goal.ranges:
            require_assumptions(item, domain)
        return cls({item.name: domain for item, domain in goal.ranges}, tuple((one.expression, one.strict) for one in goal.constraints))

    @functools.cached_property
    def algebra(self) -> Algebra:
        """Over the ranges, with no symbol that stands for something: what asks for a normal form finds those of the others here."""
        return Algebra(self.box)

    def without(self, name: str) -> "Known":
        kept = tuple(one for one in self.constraints if name not in {item.name for item in one[0].free_symbols})
        return Known({item: domain for item, domain in self.box.items() if item != name}, kept)

    def freed(self, name: str) -> "Known":
        """All real values in the symbol's range, also between integers; what ties it to others goes."""
        return Known({**self.box, name: replace(self.box[name], integer=False)}, self.without(name).constraints)

    def opened(self, name: str) -> "Known":
        """The inner points of the symbol's range."""
        return Known({**self.box, name: replace(self.box[name], low_open=True, high_open=True)}, self.constraints)


def follows(known: Known, algebra: Algebra, fact: Poly, strict: bool, depth: int = 1) -> bool:
    """Whether the fact (>= 0, or > 0) holds on the set: by itself, or as a positive multiple of what is known (of the fact's powers or
    logarithm as well), or as what is known and something that holds."""
    effort.charge(10)
    plain = algebra.plain
    shapes = _different(_shapes(algebra, fact))
    if any(algebra.shown(shape, strict) for shape in shapes):
        return True
    below, _ = algebra._over(fact, whole=False)
    known_facts = []
    for expression, strictly in known.constraints:
        try:
            known_facts.append((plain.form(expression), strictly))
        except Beyond:
            continue
    held = {name for shape in shapes for monomial in shape for item, _ in monomial for name in names_in(item)}
    for given, strictly in [*known_facts, *_ends({name: domain for name, domain in plain.box.items() if name in held})]:
        if not strictly and strict:
            continue
        for form in (given, logarithmic(plain, given)):
            if form is None:
                continue
            forms = [form, plain.cleared(times(form, {below: Fraction(1)}), positive=True)] if below else [form]
            if any(algebra.multiple(shape, one) or _times_positive(algebra, shape, one) for shape in shapes for one in forms):
                return True
    for given, strictly in known_facts:
        rest = plus(fact, given, -1)
        if algebra.shown(rest, strict and not strictly) or (depth and follows(known, algebra, rest, strict and not strictly, depth - 1)):
            return True
    return False


def _different(shapes: Iterable[Poly | None]) -> list[Poly]:
    """Those that there are, each once."""
    found: list[Poly] = []
    for shape in shapes:
        if shape is not None and shape not in found:
            found.append(shape)
    return found


@functools.lru_cache(maxsize=1 << 12)
def names_in(item: Any) -> frozenset[str]:
    """The symbols that a generator holds."""
    if isinstance(item, frozenset):
        return frozenset().union(*(names_in(part) for part in item))
    if isinstance(item, tuple):
        return frozenset({item[1]}) if item[:1] == ("s",) else frozenset().union(*(names_in(part) for part in item))
    return frozenset(one.name for one in item.free_symbols) if isinstance(item, sympy.Basic) else frozenset()


def _shapes(algebra: Algebra, fact: Poly) -> Iterator[Poly | None]:
    """The fact, and what has its sign: over what its terms share, times its denominators, its logarithm, squares, exponential."""
    yield fact
    yield algebra.cleared(fact, positive=True)
    yield logarithmic(algebra, fact)
    yield exponentiated(algebra, fact)
    if len(fact) == 2 and all(algebra.sign_of_term(monomial, abs(value)) >= 1 for monomial, value in fact.items()):
        for power in (sympy.Integer(2), sympy.Rational(1, 2)):
            try:
                parts = {monomial: algebra.power({monomial: abs(value)}, power) for monomial, value in fact.items()}
            except Beyond:
                continue
            result: Poly = {}
            for monomial, value in fact.items():
                result = plus(result, parts[monomial], 1 if value > 0 else -1)
            yield result


def exponentiated(algebra: Algebra, fact: Poly) -> Poly | None:
    """a log P - b log N as P**a - N**b: it has the same sign."""
    sides = {1: constant(1), -1: constant(1)}
    unit = min((abs(value) for value in fact.values()), default=Fraction(1))
    for monomial, value in fact.items():
        ((item, exponent),) = monomial if len(monomial) == 1 else ((("",), sympy.S.Zero),)
        if item[0] != "log" or exponent != 1:
            return None
        side = 1 if value > 0 else -1
        size = abs(value) / unit
        try:
            sides[side] = times(sides[side], algebra.power(dict(item[1]), sympy.Rational(size.numerator, size.denominator)))
        except Beyond:
            return None
    return plus(sides[1], sides[-1], -1)


def _ends(box: dict[str, Range]) -> Iterator[tuple[Poly, bool]]:
    """What the ranges say."""
    for name, domain in box.items():
        if isinstance(domain.low, Fraction):
            yield plus(alone(("s", name)), constant(domain.low), -1), domain.low_open
        if isinstance(domain.high, Fraction):
            yield plus(constant(domain.high), alone(("s", name)), -1), domain.high_open


def _times_positive(algebra: Algebra, fact: Poly, given: Poly) -> bool:
    """Whether the fact is the known expression times a sum that is > 0: the sum is read off the only term of one sign."""
    for sign in (1, -1):
        chosen = [(monomial, value) for monomial, value in given.items() if value * sign > 0]
        if len(chosen) != 1:
            continue
        ((lead, size),) = chosen
        if len(fact) % len(given):
            continue  # terms may have fallen together, but then this is not how to tell
        for side in (1, -1):
            factor: Poly = {}
            for monomial, value in fact.items():
                if value * side > 0:
                    number, ratio = multiplied(monomial, frozenset((item, -power) for item, power in lead))
                    factor = plus(factor, {ratio: number * value / size})
            if factor and algebra.shown(factor, True) and not plus(fact, times(factor, given), -1):
                return True
    return False


def logarithmic(algebra: Algebra, fact: Poly) -> Poly | None:
    """P - N, of single positive terms, as log P - log N: it has the same sign."""
    if len(fact) != 2 or len({value > 0 for value in fact.values()}) != 2:
        return None
    if not all(algebra.sign(item) == 2 for monomial in fact for item, _ in monomial):
        return None
    result: Poly = {}
    for monomial, value in fact.items():
        result = plus(result, algebra.logarithm_of_term(monomial, abs(value)), 1 if value > 0 else -1)
    return result


def excluded(known: Known, name: str, part: Range) -> bool:
    """Whether no point of the set has the symbol in this part of its range."""
    part = integers_of(part) if part.integer else part
    if part.empty:
        return True
    inside = Algebra({**known.box, name: part})
    for expression, strictly in known.constraints:
        try:
            given = inside.form(expression)
            shapes = [given, *(shape for shape in (logarithmic(inside, given), _divided(inside, given)) if shape is not None)]
        except Beyond:
            continue
        if any(inside.shown({monomial: -value for monomial, value in shape.items()}, not strictly) for shape in shapes):
            return True
    return False


def _divided(algebra: Algebra, poly: Poly) -> Poly | None:
    try:
        return algebra._content(poly, whole=False)[2] if len(poly) > 1 else None
    except Beyond:
        return None


def integers_of(domain: Range) -> Range:
    low, high = domain.low, domain.high
    if isinstance(low, Fraction):
        low = Fraction(math.floor(low) + 1 if domain.low_open else math.ceil(low))
    if isinstance(high, Fraction):
        high = Fraction(math.ceil(high) - 1 if domain.high_open else math.floor(high))
    return Range(low, high, isinstance(low, float), isinstance(high, float), True)


def shortened(known: Known, name: str, new: Range) -> Known | None:
    """The set with a shorter range of one symbol, where no point is lost."""
    old = known.box[name]
    if new.integer and not old.integer:
        return None
    if old.integer:
        old = integers_of(old)
    algebra = known.algebra
    symbol = alone(("s", name))
    if new.low > old.low or (new.low == old.low and new.low_open and not old.low_open):
        if isinstance(new.low, float):
            return None
        fact = plus(symbol, constant(new.low), -1)
        lost = replace(old, high=new.low, high_open=not new.low_open) if new.low <= old.high else old
        if not (follows(known, algebra, fact, new.low_open) or excluded(known, name, lost)):
            return None
    if new.high < old.high or (new.high == old.high and new.high_open and not old.high_open):
        if isinstance(new.high, float):
            return None
        fact = plus(constant(new.high), symbol, -1)
        lost = replace(old, low=new.high, low_open=not new.high_open) if new.high >= old.low else old
        if not (follows(known, algebra, fact, new.high_open) or excluded(known, name, lost)):
            return None
    return Known({**known.box, name: new}, known.constraints)


def mapped(known: Known, child: Goal, new: Sequence[tuple[str, sympy.Expr]] = ()) -> tuple[Known, Algebra]:
    """Requires that each point of the set is a point of the child's, its new symbols standing for expressions in the old ones and in the
    new ones before them. What is known, and normal forms of the child's expressions in the old symbols."""
    inner = Known.of(child)
    meaning: dict[str, tuple[Poly, sympy.Expr]] = {}
    algebra = known.algebra
    wide = known
    for name, expression in new:
        require(name not in wide.box, f"{name} is not new")
        poly = algebra.form(expression)
        bare = expression.xreplace({item: meaning[item.name][1] for item in expression.free_symbols if item.name in meaning})
        meaning[name] = (poly, bare)
        if name in inner.box:
            _require_range(wide, wide.algebra, expression, inner.box[name], Algebra(known.box, meaning))
            wide = Known({**wide.box, name: inner.box[name]}, wide.constraints)
        algebra = Algebra(known.box, meaning)
    fresh = {name for name, _ in new}
    require(all(name in wide.box for name in inner.box), "a symbol without meaning")
    for _ in range(5):  # a range that was shortened may show another one
        waiting = False
        for name, domain in inner.box.items():
            if name in fresh or known.box[name] == domain:
                continue
            after = shortened(known, name, domain)
            if after is None:
                waiting = True
                looser = _one_end(known, name, domain)
                known = known if looser is None else looser
            else:
                known = after
        if not waiting:
            break
    require(not waiting, "a range is too short")
    algebra = Algebra(known.box, meaning) if meaning else known.algebra
    for expression, strict in inner.constraints:
        require(follows(known, algebra, algebra.form(expression), strict), f"a constraint does not follow: {expression}")
    return known, algebra


def _one_end(known: Known, name: str, domain: Range) -> Known | None:
    old = known.box[name]
    for half in (replace(old, low=domain.low, low_open=domain.low_open), replace(old, high=domain.high, high_open=domain.high_open)):
        if half != old and (found := shortened(known, name, half)) is not None:
            return found
    return None


def _require_range(known: Known, algebra: Algebra, expression: sympy.Expr, domain: Range, inside: Algebra) -> None:
    require(not domain.integer, "a new symbol is no integer")
    forms = [algebra.form(expression), inside.form(expression)]
    for end_, is_open, side in ((domain.low, domain.low_open, 1), (domain.high, domain.high_open, -1)):
        if isinstance(end_, float):
            require((end_ < 0) == (side > 0), "an infinite end on the wrong side")
            continue
        facts = [{monomial: side * value for monomial, value in plus(form, constant(end_), -1).items()} for form in forms]
        places = (algebra, inside)
        require(any(follows(known, place, fact, is_open) for place, fact in zip(places, facts, strict=True)), "a new range is too short")


def require_assumptions(item: sympy.Symbol, domain: Range) -> None:
    """Requires that what SymPy takes to be known of a symbol follows from its range."""
    positive = domain.low > 0 or (domain.low == 0 and domain.low_open)
    require(bool(positive or not (item.is_positive or item.is_nonzero)), f"{item} is not positive")
    require(bool(domain.low >= 0 or not item.is_nonnegative), f"{item} is not >= 0")
    require(item.is_nonpositive is not True, f"{item}: assumptions")
    require(domain.integer or not (item.is_integer or item.is_rational), f"{item} is no integer")
