"""Decides what is certified: walks a proof with its goals written out, and believes none of them.

Main definitions
    Derivation   a goal, the rule that closes it, and the derivations of the goals from which it is said to follow
    accepts      whether derivations prove a claim

Everything that a derivation says is a suggestion. The checker shares the plain data (Goal, Range, Constraint) and the ball arithmetic with
the search, and none of its rewriting: normal forms are its own (algebra.py), derivatives and limits are below. What it checks of a rule:

    what is proved    "wherever the goal's expression is defined on the goal's set, it is >= 0 (> 0)". That a side is defined is proved
                      apart, so two expressions with one normal form may stand for each other.
    a smaller set     a rule may speak of a larger set: each range and constraint of the new goal follows from those of the old one.
                      A new symbol has a meaning, and its range follows for that meaning.
    a derivative      is used only where the expression is defined, hence continuous, on all of the larger set, and where everything
                      under a real power is > 0 inside the range, so that the derivative exists there. What is not plain is a goal.
    a limit           at an end of a range is the value where the expression is defined there, else a limit of its own.
    a box             the cuts cover it, and a derivative on it is used as above.
"""

import functools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

import sympy
from flint import arb, ctx
from sympy.polys.polyerrors import BasePolynomialError

from banditproof.glossary import Domain
from banditproof.theory.proving import boxes, effort
from banditproof.theory.proving.algebra import Algebra, Beyond, Poly, alone, constant, multiplied, plus, times
from banditproof.theory.proving.claims import Claim
from banditproof.theory.proving.enclosures import Enclosure, Interval, Unknown, end
from banditproof.theory.proving.goals import Goal, Range

T = TypeVar("T")

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
FINER = 128  # bits at least: more than the search has, so that its roundings are not mistaken for gaps
DEEPEST = 200  # rules on top of each other


class Rejected(Exception):
    """The derivation does not prove what it says."""


@dataclass(frozen=True)
class Derivation:
    goal: Goal
    rule: str
    parameters: tuple[str, ...]
    children: tuple["Derivation", ...]


def require(fact: bool, why: str) -> None:
    if not fact:
        raise Rejected(why)


def present(value: T | None, why: str) -> T:
    """The value. Raises as `require` does where there is none."""
    if value is None:
        raise Rejected(why)
    return value


# --- sets ----------------------------------------------------------------------------------------------------------------------------


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

    def without(self, name: str) -> "Known":
        kept = tuple(one for one in self.constraints if name not in {item.name for item in one[0].free_symbols})
        return Known({item: domain for item, domain in self.box.items() if item != name}, kept)

    def freed(self, name: str) -> "Known":
        """The range of the symbol stays, what ties it to others goes."""
        return Known(self.box, self.without(name).constraints)

    def opened(self, name: str) -> "Known":
        """The inner points of the symbol's range."""
        return Known({**self.box, name: replace(self.box[name], low_open=True, high_open=True)}, self.constraints)


def follows(known: Known, algebra: Algebra, fact: Poly, strict: bool, depth: int = 1) -> bool:
    """Whether the fact (>= 0, or > 0) holds on the set: by itself, or as a positive multiple of what is known (of the fact's powers or
    logarithm as well), or as what is known and something that holds."""
    effort.charge(10)
    plain = Algebra(algebra.box)
    shapes = [shape for shape in _shapes(algebra, fact) if shape is not None]
    if any(algebra.shown(shape, strict) for shape in shapes):
        return True
    below, _ = algebra._over(fact, whole=False)
    known_facts = []
    for expression, strictly in known.constraints:
        try:
            known_facts.append((plain.form(expression), strictly))
        except Beyond:
            continue
    held = {name for shape in shapes for monomial in shape for item, _ in monomial for name in _names(item)}
    for given, strictly in [*known_facts, *_ends({name: domain for name, domain in plain.box.items() if name in held})]:
        if not strictly and strict:
            continue
        for form in (given, _logarithmic(plain, given)):
            if form is None:
                continue
            lifted = plain.cleared(times(form, {below: Fraction(1)})) if below else form
            if any(algebra.multiple(shape, one) or _times_positive(algebra, shape, one) for shape in shapes for one in (form, lifted)):
                return True
    for given, strictly in known_facts:
        rest = plus(fact, given, -1)
        if algebra.shown(rest, strict and not strictly) or (depth and follows(known, algebra, rest, strict and not strictly, depth - 1)):
            return True
    return False


@functools.lru_cache(maxsize=1 << 12)
def _names(item: Any) -> frozenset[str]:
    """The symbols that a generator holds."""
    if isinstance(item, frozenset):
        return frozenset().union(*(_names(part) for part in item))
    if isinstance(item, tuple):
        return frozenset({item[1]}) if item[:1] == ("s",) else frozenset().union(*(_names(part) for part in item))
    return frozenset(one.name for one in item.free_symbols) if isinstance(item, sympy.Basic) else frozenset()


def _shapes(algebra: Algebra, fact: Poly) -> Iterator[Poly | None]:
    """The fact, and what has its sign: over what its terms share, times its denominators, its logarithm, squares, exponential."""
    yield fact
    yield algebra.cleared(fact, positive=True)
    yield _logarithmic(algebra, fact)
    yield _exponentiated(algebra, fact)
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


def _exponentiated(algebra: Algebra, fact: Poly) -> Poly | None:
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


def _logarithmic(algebra: Algebra, fact: Poly) -> Poly | None:
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
    part = _integers(part) if part.integer else part
    if part.empty:
        return True
    inside = Algebra({**known.box, name: part})
    for expression, strictly in known.constraints:
        try:
            given = inside.form(expression)
            shapes = [given, *(shape for shape in (_logarithmic(inside, given), _divided(inside, given)) if shape is not None)]
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


def _integers(domain: Range) -> Range:
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
        old = _integers(old)
    algebra = Algebra(known.box)
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
    algebra = Algebra(known.box)
    wide = known
    for name, expression in new:
        require(name not in wide.box, f"{name} is not new")
        poly = algebra.form(expression)
        bare = expression.xreplace({item: meaning[item.name][1] for item in expression.free_symbols if item.name in meaning})
        meaning[name] = (poly, bare)
        if name in inner.box:
            _require_range(wide, Algebra(wide.box), expression, inner.box[name], Algebra(known.box, meaning))
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
    algebra = Algebra(known.box, meaning)
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


# --- where an expression is defined ----------------------------------------------------------------------------------------------------


def demands(node: sympy.Expr, item: sympy.Symbol | None = None) -> Iterator[tuple[sympy.Expr, bool]]:
    """What must be >= 0 (> 0) for the expression to be defined; with a symbol, for it to be differentiable by it as well."""
    for part in sympy.preorder_traversal(node):
        if isinstance(part, sympy.Pow) and part.base != sympy.E:
            base, exponent = part.args
            if exponent.is_Integer:
                if exponent < 0:
                    yield base, None  # type: ignore[misc]
            elif item is not None and item.name in {one.name for one in base.free_symbols}:
                yield base, True
            elif exponent.is_Rational and exponent > 0:
                yield base, False
            elif exponent.is_Rational:
                yield base, True
            else:
                yield base, True if item is not None else exponent
        elif isinstance(part, sympy.log | sympy.gamma):
            yield part.args[0], True
        elif isinstance(part, sympy.polygamma):
            require(part.args[0] == 0, "a polygamma function")
            yield part.args[1], True
        elif isinstance(part, sympy.zeta):
            require(len(part.args) == 2, "a zeta function without its start")
            yield part.args[0] - 1, True
            yield part.args[1], True
        elif not isinstance(
            part,
            sympy.Add
            | sympy.Mul
            | sympy.Pow
            | sympy.Symbol
            | sympy.Rational
            | sympy.exp
            | sympy.erf
            | sympy.erfc
            | sympy.sinh
            | sympy.cosh
            | sympy.tanh,
        ):
            require(part in (sympy.pi, sympy.E), f"{type(part).__name__} is not an allowed node")


def _range(expression: sympy.Expr, box: dict[str, Range]) -> Interval | None:
    """An enclosure of the expression as it is written."""
    items = sorted(expression.free_symbols, key=lambda item: item.name)
    try:
        return Enclosure(expression, items).intervals([box[item.name].interval() for item in items])
    except (Unknown, KeyError):
        return None


def _plain(known: Known, expression: sympy.Expr, strict: Any) -> bool:
    """Whether the demand is met, seen from the ranges (and single constraints) alone. `strict` None asks for != 0; an exponent asks for
    > 0, or >= 0 where the exponent is > 0."""
    algebra = Algebra(known.box)
    try:
        form = algebra.form(expression)
    except Beyond:
        form = None
    if strict is None:
        if _plain(known, expression, True):
            return True
        return _plain(known, -expression, True)
    if isinstance(strict, sympy.Basic):
        return _plain(known, expression, True) or (_plain(known, strict, True) and _plain(known, expression, False))
    found = _range(expression, known.box)
    if found is not None and (found.positive if strict else found.nonnegative):
        return True
    return form is not None and follows(known, algebra, form, strict)


def require_defined(known: Known, expression: sympy.Expr, item: sympy.Symbol | None, given: Sequence[Derivation]) -> None:
    """Requires that the expression is defined on the whole set (with a symbol: differentiable at the inner points of its range), from
    the ranges, or by one of the derivations, which the caller walks."""
    place = known if item is None else known.opened(item.name)
    for base, strict in demands(expression, item):
        if _plain(place, base, strict):
            continue
        require(any(_meets(place, base, strict, derivation) for derivation in given), f"not shown to be defined: {base}")


def _meets(known: Known, base: sympy.Expr, strict: Any, derivation: Derivation) -> bool:
    goal = derivation.goal
    if not goal.strict and strict is not False:
        return False
    try:
        _, algebra = mapped(known, goal)
        wanted, form = algebra.form(base), algebra.form(goal.expression)
        if algebra.multiple(wanted, form):
            return True
        return strict is None and (
            algebra.same(form, times(wanted, wanted)) or algebra.multiple({one: -value for one, value in wanted.items()}, form)
        )
    except (Beyond, Rejected):
        return False


# --- derivatives and limits --------------------------------------------------------------------------------------------------------------


def slope(node: sympy.Expr, name: str) -> sympy.Expr:
    """The derivative by the symbol of this name."""
    if name not in {item.name for item in node.free_symbols}:
        return sympy.S.Zero
    effort.charge(2)
    if isinstance(node, sympy.Symbol):
        return sympy.S.One
    if isinstance(node, sympy.Add):
        return sympy.Add(*(slope(part, name) for part in node.args))
    if isinstance(node, sympy.Mul):
        total = []
        for place, part in enumerate(node.args):
            if (own := slope(part, name)) != 0:
                total.append(sympy.Mul(own, *(other for at, other in enumerate(node.args) if at != place)))
        return sympy.Add(*total)
    if isinstance(node, sympy.Pow):
        base, exponent = node.args
        inner = slope(exponent, name)
        result = exponent * base ** (exponent - 1) * slope(base, name)
        return result if inner == 0 else result + node * sympy.log(base) * inner
    inside = node.args[-1]
    if isinstance(node, sympy.zeta):
        order = node.args[0]
        require(name not in {item.name for item in order.free_symbols}, "a derivative by the order of zeta")
        outer = -order * sympy.zeta(order + 1, inside)
    elif isinstance(node, sympy.polygamma):
        require(node.args[0] == 0, "a polygamma function")
        outer = sympy.zeta(2, inside)
    else:
        table = {
            sympy.exp: lambda x: sympy.exp(x),
            sympy.log: lambda x: 1 / x,
            sympy.sinh: sympy.cosh,
            sympy.cosh: sympy.sinh,
            sympy.tanh: lambda x: 1 - sympy.tanh(x) ** 2,
            sympy.erf: lambda x: 2 / sympy.sqrt(sympy.pi) * sympy.exp(-(x**2)),
            sympy.erfc: lambda x: -2 / sympy.sqrt(sympy.pi) * sympy.exp(-(x**2)),
            sympy.gamma: lambda x: sympy.gamma(x) * sympy.polygamma(0, x),
        }
        require(type(node) in table, f"no derivative of {type(node).__name__}")
        outer = table[type(node)](inside)
    return outer * slope(inside, name)


def require_end(known: Known, expression: sympy.Expr, item: sympy.Symbol, low: bool, face: sympy.Expr, algebra: Algebra) -> None:
    """Requires that `face` is the limit of the expression as the symbol goes to an end of its range."""
    domain = known.box[item.name]
    value = domain.low if low else domain.high
    inner = known.without(item.name)
    if isinstance(value, Fraction):
        closed = replace(domain, low_open=domain.low_open and not low, high_open=domain.high_open and low)
        number = sympy.Rational(value.numerator, value.denominator)
        reached = Known({**inner.box, item.name: closed}, inner.constraints)
        if all(_plain(reached, base, strict) for base, strict in demands(expression)):
            here = Algebra(inner.box, {item.name: (constant(value), number)})
            wanted = algebra.form(face)
            same = algebra.same(here.form(expression), wanted) or algebra.same(here.form(expression.xreplace({item: number})), wanted)
            require(same, "not the value at the end")
            return
    else:
        number = sympy.oo if value > 0 else -sympy.oo
    plain = Algebra(inner.box)
    found = _approached(expression, item.name, number, inner)
    require(not isinstance(found, sympy.core.numbers.Infinity | sympy.core.numbers.NegativeInfinity), "no finite limit")
    require(plain.same(plain.form(found), algebra.form(face)), "not the limit at the end")


def _approached(node: sympy.Expr, name: str, at: sympy.Expr, known: Known) -> sympy.Expr:
    """The limit, +-oo included. Rejected where the parts do not determine it."""
    if name not in {item.name for item in node.free_symbols}:
        return node
    if isinstance(node, sympy.Symbol):
        return at
    far = (sympy.oo, -sympy.oo)
    parts = [_approached(part, name, at, known) for part in node.args]
    infinite = {part for part in parts if part in far}

    def sign(part: sympy.Expr) -> int:
        if part in far:
            return 1 if part == sympy.oo else -1
        return 1 if _plain(known, part, True) else -1 if _plain(known, -part, True) else 0

    if isinstance(node, sympy.Add):
        require(len(infinite) < 2, "infinity - infinity")
        return infinite.pop() if infinite else sympy.Add(*parts)
    if isinstance(node, sympy.Mul):
        if not infinite:
            return sympy.Mul(*parts)
        direction = math.prod(sign(part) for part in parts)
        require(direction != 0, "infinity times 0")
        return far[0] if direction > 0 else far[1]
    if isinstance(node, sympy.Pow):
        base, exponent = parts
        require(exponent not in far and base != -sympy.oo, "an infinite exponent, or a power of -infinity")
        if base == sympy.oo or base == 0:
            direction = sign(exponent)
            require(direction > 0 or (direction < 0 and base == sympy.oo), "0 to a power that is not positive")
            return base if direction > 0 else sympy.S.Zero
        if exponent.is_Integer and exponent > 0:
            return base**exponent
        require(
            sign(base) > 0 or (sign(base) < 0 and bool(exponent.is_Integer)) or (sign(exponent) > 0 and _plain(known, base, False)),
            "a power",
        )
        return base**exponent
    inner = parts[0]
    limits = {
        sympy.exp: (sympy.S.Zero, sympy.oo),
        sympy.tanh: (-sympy.S.One, sympy.S.One),
        sympy.erf: (-sympy.S.One, sympy.S.One),
        sympy.erfc: (sympy.Integer(2), sympy.S.Zero),
        sympy.sinh: (-sympy.oo, sympy.oo),
        sympy.cosh: (sympy.oo, sympy.oo),
    }
    if isinstance(node, sympy.log):
        require(inner == 0 or sign(inner) > 0, "the logarithm of what may be <= 0")
        return -sympy.oo if inner == 0 else sympy.oo if inner == sympy.oo else sympy.log(inner)
    require(type(node) in limits and len(parts) == 1, f"no limit of {type(node).__name__}")
    if inner in far:
        return limits[type(node)][inner == sympy.oo]
    return node.func(inner)


# --- the rules ---------------------------------------------------------------------------------------------------------------------------


def walk(derivation: Derivation, depth: int = 0) -> None:
    """Requires that the derivation proves its goal."""
    require(depth < DEEPEST, "too deep")
    effort.charge(10)
    goal = derivation.goal
    known = Known.of(goal)
    rule = present(_RULES.get(derivation.rule), f"no rule {derivation.rule}")
    rule(derivation, known)
    for child in derivation.children:
        walk(child, depth + 1)


def _only(derivation: Derivation) -> Derivation:
    require(len(derivation.children) == 1, "one goal is needed")
    return derivation.children[0]


def _leaf(derivation: Derivation) -> None:
    require(not derivation.children and not derivation.parameters, "nothing may follow")


def _empty(derivation: Derivation, known: Known) -> None:
    _leaf(derivation)
    require(any(domain.empty or (domain.integer and _integers(domain).empty) for domain in known.box.values()), "no range is empty")


def _zero(derivation: Derivation, known: Known) -> None:
    """The normal form is 0; where the expression is not defined nothing is said."""
    _leaf(derivation)
    algebra = Algebra(known.box)
    require(not derivation.goal.strict and algebra.same(algebra.form(derivation.goal.expression), {}), "not zero")


def _terms(derivation: Derivation, known: Known) -> None:
    """Every term of the normal form is a product of what is >= 0 (> 0)."""
    _leaf(derivation)
    algebra, strict = Algebra(known.box), derivation.goal.strict
    form = algebra.form(derivation.goal.expression)
    shown = algebra.shown(form, strict) or algebra.shown(algebra.cleared(form, positive=True), strict)
    require(bool(form) and shown, "a term may be below 0")


def _direct(derivation: Derivation, known: Known) -> None:
    """The expression, as it is written or as its normal form, is enclosed on the whole box, poles refused."""
    _leaf(derivation)
    expression, strict = derivation.goal.expression, derivation.goal.strict
    found = _range(expression, known.box)
    if found is None or not (found.positive if strict else found.nonnegative):
        algebra = Algebra(known.box)
        form = algebra.form(expression)
        shown = algebra.shown(form, strict) or algebra.shown(algebra.cleared(form, positive=True), strict)
        require(shown, "the range reaches below 0")


def _given(derivation: Derivation, known: Known) -> None:
    """The expression follows from what is known of the set."""
    _leaf(derivation)
    algebra = Algebra(known.box)
    require(follows(known, algebra, algebra.form(derivation.goal.expression), derivation.goal.strict), "not what is given")


def _divide(derivation: Derivation, known: Known) -> None:
    """Over a monomial that is > 0 (>= 0 for a claim that is not strict)."""
    child = _only(derivation)
    require(child.goal.strict == derivation.goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    one, two = (algebra.form(goal.expression) for goal in (derivation.goal, child.goal))
    require(algebra.multiple(one, two, loose=not derivation.goal.strict), "not divided by a positive monomial")


def _substitution(derivation: Derivation, known: Known) -> None:
    """The same value, up to a positive factor, at the point where each new symbol has its meaning."""
    child = _only(derivation)
    require(child.goal.strict == derivation.goal.strict, "another strictness")
    after, algebra = mapped(known, child.goal, _new(derivation.goal, child.goal))
    _require_multiple(after, algebra, derivation.goal.expression, child.goal.expression)


def _new(parent: Goal, child: Goal) -> Sequence[tuple[str, sympy.Expr]]:
    require(child.meaning[: len(parent.meaning)] == parent.meaning, "a meaning was changed")
    return child.meaning[len(parent.meaning) :]


def _require_multiple(known: Known, algebra: Algebra, one: sympy.Expr, two: sympy.Expr) -> None:
    left, right = Algebra(known.box).form(one), algebra.form(two)
    require(algebra.multiple(left, right) or algebra.same(left, right), "another expression")


def _factors(derivation: Derivation, known: Known) -> None:
    """The expression is the product that its children's factors make: checked by multiplying out. A factor below the line must be
    shown not to be 0."""
    from banditproof.theory.proving.rules import factored

    goal, algebra = derivation.goal, Algebra(known.box)
    coefficient, found = factored(goal.expression)  # a suggestion: the product is compared with the expression
    product = constant(Fraction(int(coefficient.p), int(coefficient.q)))
    for factor, power in found:
        product = times(product, algebra.power(algebra.form(factor), sympy.Integer(power)))
    require(algebra.same(algebra.form(goal.expression), product), "not the product")
    children, total = list(derivation.children), 1 if coefficient > 0 else -1
    signs = [int(sign) for sign in derivation.parameters]
    for factor, power in found:
        if power % 2 or goal.strict:
            require(bool(signs) and bool(children) and signs[0] in (1, -1), "a sign for each factor")
            sign, child = signs.pop(0), children.pop(0)
            total *= sign if power % 2 else 1
            _, inside = mapped(known, child.goal)
            require(child.goal.strict or not (goal.strict or power < 0), "a factor may be 0")
            require(inside.same(inside.form(child.goal.expression), inside.form(sign * factor)), "another factor")
        elif power < 0 and not _plain(known, factor, None):
            require(bool(children), "a pole is not excluded")
            require(_meets(known, factor, None, children.pop(0)), "a pole is not excluded")
    require(not children and not signs and total > 0, "the signs do not multiply to a positive one")


def _logarithms(derivation: Derivation, known: Known) -> None:
    child, goal = _only(derivation), derivation.goal
    require(child.goal.strict == goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    form = present(_logarithmic(algebra, algebra.form(goal.expression)), "not one positive term against another")
    require(algebra.same(form, algebra.form(child.goal.expression)), "not the logarithms")


def _exponentials(derivation: Derivation, known: Known) -> None:
    """P >= N gives a log P >= a log N: where the logarithms are defined, what is under them is > 0."""
    child, goal = _only(derivation), derivation.goal
    require(child.goal.strict == goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    form = _exponentiated(algebra, algebra.form(goal.expression))
    require(form is not None and algebra.multiple(form, algebra.form(child.goal.expression)), "not what is under the logarithms")


def _squares(derivation: Derivation, known: Known) -> None:
    """P - N, of sums P and N of terms that are >= 0, has the sign of P**2 - N**2."""
    child, goal = _only(derivation), derivation.goal
    require(child.goal.strict == goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    sides: dict[bool, Poly] = {True: {}, False: {}}
    for part in sympy.Add.make_args(goal.expression):
        above = part.as_coeff_Mul()[0] > 0
        part = part if above else -part
        require(_plain(known, part, False), "a term may be below 0")
        sides[above] = plus(sides[above], algebra.form(part))
    squares = plus(times(sides[True], sides[True]), times(sides[False], sides[False]), -1)
    form = algebra.form(child.goal.expression)
    require(algebra.same(squares, form) or algebra.multiple(squares, form), "not the squares")


def _hyperbolic(derivation: Derivation, known: Known) -> None:
    """Hyperbolic functions are sums and quotients of exponentials, everywhere."""
    child, goal = _only(derivation), derivation.goal
    require(child.goal.strict == goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    require(algebra.same(algebra.form(by_exponentials(goal.expression)), algebra.form(child.goal.expression)), "another expression")


def by_exponentials(node: sympy.Expr) -> sympy.Expr:
    """The expression with hyperbolic functions written as exponentials."""
    if not node.args:
        return node
    parts = [by_exponentials(part) for part in node.args]
    if isinstance(node, sympy.sinh | sympy.cosh):
        sign = 1 if isinstance(node, sympy.cosh) else -1
        return (sympy.exp(parts[0]) + sign * sympy.exp(-parts[0])) / 2
    if isinstance(node, sympy.tanh):
        return 1 - 2 / (sympy.exp(2 * parts[0]) + 1)
    return node.func(*parts)


def _monotone(derivation: Derivation, known: Known) -> None:
    """f(x) >= f(end) along the segment in one symbol: f is continuous on it and its derivative has a sign inside it."""
    goal, (name, direction) = derivation.goal, derivation.parameters
    require(direction in ("rising", "falling"), "rising or falling")
    _by_slopes(derivation, known, name, 1, 1 if direction == "rising" else -1, [direction == "rising"])
    require(
        not goal.strict or not (known.box[name].low_open if direction == "rising" else known.box[name].high_open), "the end is not reached"
    )


def _concave(derivation: Derivation, known: Known) -> None:
    """f lies above its chord: f is continuous on the segment in one symbol, and its second derivative is <= 0 inside it."""
    (name,) = derivation.parameters
    require(
        name in known.box and isinstance(known.box[name].low, Fraction) and isinstance(known.box[name].high, Fraction), "an infinite end"
    )
    require(not derivation.goal.strict or not (known.box[name].low_open or known.box[name].high_open), "an end is not reached")
    _by_slopes(derivation, known, name, 2, -1, [True, False])


def _by_slopes(derivation: Derivation, known: Known, name: str, order: int, sign: int, ends: list[bool]) -> None:
    goal, children = derivation.goal, derivation.children
    require(name in known.box and len(children) >= 1 + len(ends), "a goal is missing")
    item = next(one for one in goal.symbols if one.name == name)
    line, bend = known.freed(name), goal.expression
    require_defined(line, goal.expression, None, children[1 + len(ends) :])
    require_defined(line, goal.expression, item, children[1 + len(ends) :])
    for _ in range(order):
        bend = slope(bend, name)
    _, algebra = mapped(line.opened(name) if _wider(line, children[0].goal, name) else line, children[0].goal)
    require(algebra.same(algebra.form(children[0].goal.expression), algebra.form(sign * bend)), "not the derivative")
    for low, child in zip(ends, children[1:], strict=False):
        require(child.goal.strict == goal.strict, "another strictness")
        _, algebra = mapped(known.without(name), child.goal)
        require_end(line, goal.expression, item, low, child.goal.expression, algebra)


def _wider(known: Known, goal: Goal, name: str) -> bool:
    return any(item.name == name and domain != known.box[name] for item, domain in goal.ranges)


def _split(derivation: Derivation, known: Known) -> None:
    """The parts hold every point of the range."""
    name, at = derivation.parameters[0], Fraction(derivation.parameters[1])
    require(name in known.box and len(derivation.parameters) == 2, "no such symbol")
    domain = known.box[name]
    require(not domain.integer or at.denominator == 1, "no integer")
    require(domain.low <= at <= domain.high, "not within the range")
    parts = [replace(domain, high=at, high_open=False), replace(domain, low=at + 1 if domain.integer else at, low_open=not domain.integer)]
    _cases(derivation, [Known({**known.box, name: part}, known.constraints) for part in parts if not part.empty])


def _order(derivation: Derivation, known: Known) -> None:
    """One of two numbers is at most the other."""
    one, two = derivation.parameters
    symbols = {item.name: item for item in derivation.goal.symbols}
    require(one in symbols and two in symbols, "no such symbol")
    difference = symbols[two] - symbols[one]
    _cases(derivation, [Known(known.box, (*known.constraints, (fact, False))) for fact in (difference, -difference)])


def _cases(derivation: Derivation, cases: list[Known]) -> None:
    require(len(cases) == len(derivation.children), "one goal for each case")
    for case, child in zip(cases, derivation.children, strict=True):
        require(child.goal.strict == derivation.goal.strict, "another strictness")
        after, algebra = mapped(case, child.goal)
        _require_multiple(after, algebra, derivation.goal.expression, child.goal.expression)


# --- boxes -------------------------------------------------------------------------------------------------------------------------------


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


def _box_rule(derivation: Derivation, known: Known) -> None:
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


_RULES: dict[str, Any] = {
    "empty": _empty,
    "zero": _zero,
    "terms": _terms,
    "direct": _direct,
    "given": _given,
    "exponentials": _exponentials,
    "divide": _divide,
    "factors": _factors,
    "monotone": _monotone,
    "concave": _concave,
    "logarithms": _logarithms,
    "squares": _squares,
    "hyperbolic": _hyperbolic,
    "split": _split,
    "order": _order,
    "bound": _substitution,
    "scale": _substitution,
    "log_symbol": _substitution,
    "rename_sum": _substitution,
    "group": _substitution,
    "abstract": _substitution,
    "boxes": _box_rule,
}


# --- claims ------------------------------------------------------------------------------------------------------------------------------


def alternatives(condition: sympy.Basic, negated: bool = False) -> list[tuple[tuple[sympy.Expr, bool], ...]]:
    """A condition as alternatives, each of what is >= 0 (> 0) in it. An inequality with != says nothing here."""
    if condition in (sympy.true, sympy.false):
        return [()] if bool(condition) != negated else []
    if isinstance(condition, sympy.Not):
        return alternatives(condition.args[0], not negated)
    if isinstance(condition, sympy.And | sympy.Or):
        both = isinstance(condition, sympy.And) != negated
        result: list[tuple[tuple[sympy.Expr, bool], ...]] = [()] if both else []
        for part in condition.args:
            found = alternatives(part, negated)
            result = [(*one, *two) for one in result for two in found] if both else [*result, *found]
        return result
    low, high = condition.args
    if isinstance(condition, sympy.Eq | sympy.Ne):
        return [((high - low, False), (low - high, False))] if isinstance(condition, sympy.Eq) != negated else [()]
    require(isinstance(condition, sympy.Lt | sympy.Le | sympy.Gt | sympy.Ge), "a condition")
    if isinstance(condition, sympy.Gt | sympy.Ge):
        low, high = high, low
    strict = isinstance(condition, sympy.Gt | sympy.Lt)
    return [((low - high, not strict),)] if negated else [((high - low, strict),)]


def whole(domains: Sequence[tuple[sympy.Symbol, Domain]]) -> dict[str, Range]:
    """The ranges of a claim's symbols, whose assumptions must not say more than their domains."""
    result = {}
    for item, domain in domains:
        low, high = (Fraction(number) if math.isfinite(number) else float(number) for number in (domain.low, domain.high))
        low_open, high_open = domain.low_open or isinstance(low, float), domain.high_open or isinstance(high, float)
        result[item.name] = Range(low, high, low_open, high_open, domain.integer)
        require_assumptions(item, result[item.name])
    require(len(result) == len(domains), "two symbols of one name")
    return result


def require_assumptions(item: sympy.Symbol, domain: Range) -> None:
    """Requires that what SymPy takes to be known of a symbol follows from its range."""
    positive = domain.low > 0 or (domain.low == 0 and domain.low_open)
    require(bool(positive or not (item.is_positive or item.is_nonzero)), f"{item} is not positive")
    require(bool(domain.low >= 0 or not item.is_nonnegative), f"{item} is not >= 0")
    require(item.is_nonpositive is not True, f"{item}: assumptions")
    require(domain.integer or not (item.is_integer or item.is_rational), f"{item} is no integer")


def accepts(claim: Claim, proofs: Sequence[Derivation], defined: Sequence[Derivation]) -> bool:
    """Whether the derivations prove the claim on its whole domain, and that both sides are defined there."""
    try:
        with ctx.workprec(max(FINER, ctx.prec)):
            _require_claim(claim, proofs, defined)
    except (Rejected, Beyond, Unknown, RecursionError, OverflowError, MemoryError, StopIteration):
        return False
    except (ArithmeticError, ValueError, TypeError, IndexError, KeyError, AttributeError, NotImplementedError, BasePolynomialError):
        return False  # a derivation that does not even have the form of one
    return True


def _require_claim(claim: Claim, proofs: Sequence[Derivation], defined: Sequence[Derivation]) -> None:
    box = whole(claim.domains)
    sets = [Known(box, chosen) for chosen in alternatives(sympy.And(*claim.conditions, evaluate=False))]
    for derivation in (*proofs, *defined):
        require(not derivation.goal.meaning, "a goal of a claim has no new symbols")
        walk(derivation)
    forward = claim.right - claim.left
    differences = {"<=": [forward], ">=": [-forward], "=": [forward, -forward]}[claim.sense.value]
    for known in sets:
        for difference in differences:
            require(any(_states(known, difference, derivation) for derivation in proofs), "a part of the claim is not proved")
        for side in (claim.left, claim.right):
            for base, strict in demands(side):
                if not _plain(known, base, strict):
                    asked = True if isinstance(strict, sympy.Basic) else strict
                    loose = isinstance(strict, sympy.Basic) and _plain(known, strict, True)
                    found = any(_meets_root(known, base, False if loose else asked, derivation) for derivation in defined)
                    require(found, f"not shown to be defined: {base}")


def _meets_root(known: Known, base: sympy.Expr, strict: Any, derivation: Derivation) -> bool:
    return _meets(known, base, strict, derivation) or (derivation.rule == "empty" and _inside(known, derivation.goal))


def _inside(known: Known, goal: Goal) -> bool:
    try:
        mapped(known, goal)
    except (Rejected, Beyond):
        return False
    return True


def _states(known: Known, difference: sympy.Expr, derivation: Derivation) -> bool:
    goal = derivation.goal
    try:
        after, algebra = mapped(known, goal)
        if derivation.rule == "empty":
            return True
        form = Algebra(after.box).form(difference)
        return algebra.same(form, algebra.form(goal.expression))
    except (Rejected, Beyond):
        return False
