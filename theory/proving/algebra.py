"""The checker's own normal form of expressions: sums of power products over generators, independent of the search's (terms.py).

Main definitions
    Algebra    normal forms, signs and ranges over a box that is named by the symbols' names; SymPy's assumptions are not used
    Beyond     the expression is outside what the normal form can hold, so nothing is known

Two expressions with one normal form are equal wherever both are defined. A product is taken apart under a real power or a logarithm only
where the box shows its factors to be positive (>= 0 under a power). Generators are tuples: ("s", name), ("p", prime), ("c", "pi"),
("exp", monomial), and ("log" | "sum" | "f", ...) with the normal forms of their arguments.
"""

import functools
import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy
from flint import arb

from banditproof.theory.proving import effort
from banditproof.theory.proving import enclosures as balls
from banditproof.theory.proving.enclosures import Interval, Unknown, end, interval
from banditproof.theory.proving.goals import Range
from banditproof.theory.proving.sizes import degree, terms_when_expanded

Generator = tuple[Any, ...]
Monomial = frozenset[tuple[Generator, sympy.Expr]]
Poly = dict[Monomial, Fraction]

ONE: Monomial = frozenset()
_0, _1 = Fraction(0), Fraction(1)
MOST = 600  # terms of a normal form
AT_ZERO = {"sinh": 0, "cosh": 1, "tanh": 0, "erf": 0, "erfc": 1}
HUGE = 400  # bits of a number that is taken apart into primes


class Beyond(Exception):
    """The normal form cannot hold this."""


def key(poly: Poly) -> frozenset[tuple[Monomial, Fraction]]:
    return frozenset(poly.items())


def constant(value: Fraction | int) -> Poly:
    return {ONE: Fraction(value)} if value else {}


def plus(one: Poly, two: Poly, times: int = 1) -> Poly:
    effort.charge(1 + len(two) // 4)
    result = dict(one)
    for monomial, coefficient in two.items():
        _put(result, monomial, coefficient if times == 1 else times * coefficient)
    return result


def _put(poly: Poly, monomial: Monomial, coefficient: Fraction) -> None:
    """Adds a term to the sum."""
    before = poly.get(monomial)
    if before is not None:
        coefficient += before
    if coefficient:
        poly[monomial] = coefficient
    else:
        poly.pop(monomial, None)


def _exponent(value: sympy.Expr) -> sympy.Expr:
    """One form for equal exponents, over symbols without assumptions."""
    return value if value.is_Rational else _cancelled(value)


@effort.cached(1 << 14)
def _cancelled(value: sympy.Expr) -> sympy.Expr:
    effort.charge(100)
    bare = value.xreplace({item: sympy.Symbol(item.name) for item in value.free_symbols})
    return bare if terms_when_expanded(bare) > MOST or degree(bare) > MOST else sympy.cancel(bare)


def _settled(powers: Mapping[Generator, sympy.Expr]) -> tuple[Fraction, Monomial]:
    """Whole powers of primes become numbers."""
    factor, kept = _1, []
    for item, exponent in powers.items():
        if exponent == 0:
            continue
        if item[0] == "p":
            whole = _whole(exponent)
            if abs(whole) > HUGE:
                raise Beyond("a huge power")
            factor *= Fraction(item[1]) ** whole
            exponent = _exponent(exponent - whole)
            if exponent == 0:
                continue
        kept.append((item, exponent))
    return factor, frozenset(kept)


@functools.lru_cache(maxsize=1 << 12)
def _whole(exponent: sympy.Expr) -> int:
    """The integer that is taken out of an exponent: the same for exponents that differ by an integer, except for that integer."""
    for at in (sympy.S.One, sympy.Rational(17, 7), sympy.Rational(31, 3)):
        value = exponent.xreplace(dict.fromkeys(exponent.free_symbols, at))
        if value.is_Rational:
            return int(sympy.floor(value))
    return 0


def multiplied(one: Monomial, two: Monomial) -> tuple[Fraction, Monomial]:
    powers = dict(one)
    for item, exponent in two:
        powers[item] = _exponent(powers[item] + exponent) if item in powers else exponent
    return _settled(powers)


def times(one: Poly, two: Poly) -> Poly:
    if len(one) * len(two) > 4 * MOST:
        raise Beyond("too many terms")
    effort.charge(len(one) * len(two))
    result: Poly = {}
    for (left, a), (right, b) in itertools.product(one.items(), two.items()):
        factor, monomial = multiplied(left, right)
        _put(result, monomial, a * b if factor is _1 else factor * a * b)
    if len(result) > MOST:
        raise Beyond("too many terms")
    return result


def alone(item: Generator, exponent: sympy.Expr = sympy.S.One) -> Poly:
    return dict([_settled({item: exponent})[::-1]]) if exponent != 0 else constant(1)


def _once_multiplied_out(poly: Poly) -> tuple[Poly, bool]:
    """The sum with each whole power of a sum multiplied out, and whether there was one. Raises Beyond on a power above 12."""
    result: Poly = {}
    changed = False
    for monomial, coefficient in poly.items():
        part: Poly = {ONE: coefficient}
        rest = []
        for item, exponent in monomial:
            if item[0] == "sum" and exponent.is_Rational and exponent >= 1:
                changed = True
                whole = int(sympy.floor(exponent))
                if whole > 12:
                    raise Beyond("a large power")
                for _ in range(whole):
                    part = times(part, dict(item[1]))
                if exponent != whole:
                    rest.append((item, exponent - whole))
            else:
                rest.append((item, exponent))
        result = plus(result, times(part, {frozenset(rest): Fraction(1)}))
    return result, changed


def inverse(monomial: Monomial) -> Monomial:
    return frozenset((item, -exponent) for item, exponent in monomial)


class Algebra:
    """Over a box: the name of each symbol with its range. `meaning` holds the normal forms of symbols that stand for something."""

    def __init__(self, box: Mapping[str, Range], meaning: Mapping[str, tuple[Poly, sympy.Expr]] | None = None) -> None:
        self.box = dict(box)
        self.meaning = dict(meaning or {})
        self._forms: dict[sympy.Expr, Poly] = {}
        self._signs: dict[Generator, int] = {}

    @functools.cached_property
    def plain(self) -> "Algebra":
        """The same box, with no symbol that stands for something."""
        return Algebra(self.box) if self.meaning else self

    # normal forms

    def form(self, node: sympy.Expr) -> Poly:
        """The normal form. Raises Beyond."""
        if node not in self._forms:
            effort.charge(2)
            self._forms[node] = self._form(node)
        return self._forms[node]

    def _form(self, node: sympy.Expr) -> Poly:
        match node:
            case sympy.Rational():
                return constant(Fraction(int(node.p), int(node.q)))
            case sympy.Symbol():
                if node.name in self.meaning:
                    return self.meaning[node.name][0]
                if node.name not in self.box:
                    raise Beyond(f"{node} has no range")
                return alone(("s", node.name))
            case sympy.Add():
                result: Poly = {}
                for part in node.args:
                    result = plus(result, self.form(part))
                return result
            case sympy.Mul():
                result = constant(1)
                for part in node.args:
                    result = times(result, self.form(part))
                return result
            case sympy.Pow():
                return self._node_power(node.base, self.exponent(node.exp))
            case sympy.exp():
                return self.exponential(self.form(node.args[0]))
            case sympy.log():
                return self._node_logarithm(node.args[0])
        if node == sympy.pi:
            return alone(("c", "pi"))
        if node == sympy.E:
            return self.exponential(constant(1))
        if not node.args:
            raise Beyond(f"{node} is not an allowed number")
        parts = [self.form(part) for part in node.args]
        if parts == [{}] and type(node).__name__ in AT_ZERO:
            return constant(AT_ZERO[type(node).__name__])
        return alone(("f", type(node).__name__, tuple(key(part) for part in parts)))

    def _node_power(self, base: sympy.Expr, exponent: sympy.Expr) -> Poly:
        """A power of a product of what is >= 0, factor by factor, before anything is multiplied out."""
        if isinstance(base, sympy.Mul) and (exponent.is_Integer or all(self.shown(self.form(part), False) for part in base.args)):
            result = constant(1)
            for part in base.args:
                result = times(result, self._node_power(part, exponent))
            return result
        if isinstance(base, sympy.Pow) and base.base != sympy.E and (exponent.is_Integer or self.shown(self.form(base.base), True)):
            return self._node_power(base.base, _exponent(self.exponent(base.exp) * exponent))
        return self.power(self.form(base), exponent)

    def _node_logarithm(self, inner: sympy.Expr) -> Poly:
        """The logarithm of a product of what is > 0, factor by factor."""
        if isinstance(inner, sympy.Mul) and all(self.shown(self.form(part), True) for part in inner.args):
            result: Poly = {}
            for part in inner.args:
                result = plus(result, self._node_logarithm(part))
            return result
        if isinstance(inner, sympy.Pow) and inner.base != sympy.E and self.shown(self.form(inner.base), True):
            return times(self._of_exponent(self.exponent(inner.exp)), self._node_logarithm(inner.base))
        return self.logarithm(self.form(inner))

    def exponent(self, node: sympy.Expr) -> sympy.Expr:
        instead = {item: self.meaning[item.name][1] for item in node.free_symbols if item.name in self.meaning}
        return _exponent(node.xreplace(instead) if instead else node)

    def power(self, base: Poly, exponent: sympy.Expr) -> Poly:
        whole = exponent.is_Integer
        if not base:
            if exponent.is_Rational and exponent > 0:
                return {}
            raise Beyond("a power of 0")
        if exponent == 0:
            return constant(1)
        if len(base) == 1:
            ((monomial, coefficient),) = base.items()
            return self._power_of_term(monomial, coefficient, exponent)
        if whole and 0 < exponent <= 6 and len(base) ** int(exponent) <= MOST:
            result = constant(1)
            for _ in range(int(exponent)):
                result = times(result, base)
            return result
        over, base = self._over(base, whole)
        if over:
            return times(self.power(base, exponent), self._power_of_term(inverse(over), Fraction(1), exponent))
        monomial, coefficient, rest = self._content(base, whole)
        return times(self._power_of_term(monomial, coefficient, exponent), alone(("sum", key(rest)), exponent))

    def _power_of_term(self, monomial: Monomial, coefficient: Fraction, exponent: sympy.Expr) -> Poly:
        if not exponent.is_Integer:
            opaque = {item for item, _ in monomial if self.sign(item) < 1}  # not known to be >= 0
            if opaque or coefficient < 0:
                kept = frozenset(pair for pair in monomial if pair[0] in opaque)
                rest = frozenset(pair for pair in monomial if pair[0] not in opaque)
                sign = 1 if coefficient > 0 else -1
                inner = alone(("sum", key({kept: Fraction(sign)})), exponent)
                return times(inner, self._power_of_term(rest, abs(coefficient), exponent)) if rest or abs(coefficient) != 1 else inner
        powers = {item: _exponent(power * exponent) for item, power in monomial}
        sign = -1 if coefficient < 0 and int(exponent) % 2 else 1
        for prime, count in primes(abs(coefficient)).items():
            powers[("p", prime)] = _exponent(powers.get(("p", prime), sympy.S.Zero) + count * exponent)
        factor, settled = _settled(powers)
        return {settled: sign * factor}

    def _over(self, base: Poly, whole: bool) -> tuple[Monomial, Poly]:
        """The product of the sums below the line (> 0 unless the power is whole), and the sum times it, multiplied out."""
        least: dict[Generator, sympy.Expr] = {}
        for monomial in base:
            for item, exponent in monomial:
                if item[0] == "sum" and exponent.is_Rational and exponent < 0 and (whole or self.sign(item) == 2):
                    least[item] = min(least.get(item, sympy.S.Zero), sympy.floor(exponent))
        if not least:
            return ONE, base
        over = frozenset((item, -exponent) for item, exponent in least.items())
        return over, self.multiplied_out(times(base, {over: Fraction(1)}))

    def _content(self, base: Poly, whole: bool) -> tuple[Monomial, Fraction, Poly]:
        """What a sum's terms share: a monomial (of positive generators unless the power is whole), a number, and the sum over both."""
        maps = [dict(monomial) for monomial in base]
        shared: dict[Generator, sympy.Expr] = {}
        for item in set().union(*maps):
            if item[0] == "p" or not (whole or self.sign(item) == 2):
                continue
            exponents = [powers.get(item, sympy.S.Zero) for powers in maps]
            over = [_exponent(exponent - exponents[0]) for exponent in exponents]
            if all(part.is_Rational for part in over):
                least = _exponent(exponents[0] + min(over))
                if least != 0:
                    shared[item] = least
        common = frozenset(shared.items())
        rest = times(base, {inverse(common): Fraction(1)}) if common else base
        if len(rest) != len(base):
            raise Beyond("terms fell together")
        lead = rest[min(rest, key=_name)]
        size = lead if whole else abs(lead)
        if whole and self.sign(("sum", key({monomial: coefficient / size for monomial, coefficient in rest.items()}))) < 0:
            size = -size  # a sum of one sign is written as a positive one
        return common, size, {monomial: coefficient / size for monomial, coefficient in rest.items()}

    def exponential(self, poly: Poly) -> Poly:
        result = constant(1)
        for monomial, coefficient in poly.items():
            logs = [pair for pair in monomial if pair[0][0] == "log"]
            if len(logs) == 1 and logs[0][1] == 1:
                rest = self.expression(monomial - {logs[0]})
                factor = self.power(dict(logs[0][0][1]), _exponent(rest * sympy.Rational(coefficient.numerator, coefficient.denominator)))
            else:
                factor = alone(("exp", monomial), sympy.Rational(coefficient.numerator, coefficient.denominator))
            result = times(result, factor)
        return result

    def expression(self, monomial: Monomial) -> sympy.Expr:
        """A product of symbols as an exponent."""
        if any(item[0] != "s" for item, _ in monomial):
            raise Beyond("an exponent that is no product of symbols")
        return sympy.Mul(*(sympy.Symbol(item[1]) ** exponent for item, exponent in monomial))

    def logarithm(self, poly: Poly) -> Poly:
        if not poly:
            raise Beyond("the logarithm of 0")
        if len(poly) > 1:
            over, poly = self._over(poly, whole=False)
            if over:
                return plus(self.logarithm(poly), self.logarithm_of_term(over, Fraction(1)), -1)
            monomial, coefficient, rest = self._content(poly, whole=False)
            return plus(self.logarithm_of_term(monomial, coefficient), alone(("log", key(rest))))
        ((monomial, coefficient),) = poly.items()
        return self.logarithm_of_term(monomial, coefficient)

    def logarithm_of_term(self, monomial: Monomial, coefficient: Fraction) -> Poly:
        opaque = frozenset(pair for pair in monomial if self.sign(pair[0]) < 2)
        sign = 1 if coefficient > 0 else -1
        result = alone(("log", key({opaque: Fraction(sign)}))) if opaque or sign < 0 else {}
        for prime, count in primes(abs(coefficient)).items():
            result = plus(result, {frozenset({(("log", key(constant(prime))), sympy.S.One)}): Fraction(count)})
        for item, exponent in monomial - opaque:
            inner = {item[1]: Fraction(1)} if item[0] == "exp" else self._log_of(item)
            result = plus(result, times(self._of_exponent(exponent), inner))
        return result

    def _log_of(self, item: Generator) -> Poly:
        if item[0] == "p":
            return alone(("log", key(constant(item[1]))))
        found = ("log", item[1]) if item[0] == "sum" else ("log", key(alone(item)))
        if item[0] == "s" and self.sign(found) < 0:
            return {frozenset({(("log", key(alone(item, -sympy.S.One))), sympy.S.One)}): Fraction(-1)}
        return alone(found)

    def _of_exponent(self, exponent: sympy.Expr) -> Poly:
        return self.plain.form(exponent)  # its symbols have their own names already

    def cleared(self, poly: Poly, positive: bool = False) -> Poly:
        """The sum times its denominators, with whole powers of sums multiplied out. With `positive`, times what is > 0 only: it keeps its
        sign."""
        for _ in range(12):
            least: dict[Generator, sympy.Expr] = {}
            for item in {item for monomial in poly for item, _ in monomial if item[0] == "sum"}:
                exponents = [dict(monomial).get(item, sympy.S.Zero) for monomial in poly]
                over = [_exponent(exponent - exponents[0]) for exponent in exponents]
                if positive and self.sign(item) != 2:
                    continue
                if all(part.is_Rational for part in over):
                    low = _exponent(exponents[0] + min(over))
                    if not low.is_Rational or (low < 0 or (low > 0 and not low.is_Integer)):
                        least[item] = low if not low.is_Rational or low < 0 else low - sympy.floor(low)
            if least:
                poly = times(poly, {frozenset((item, -exponent) for item, exponent in least.items()): Fraction(1)})
            poly, changed = _once_multiplied_out(poly)
            if not least and not changed:
                break
        return poly

    def multiplied_out(self, poly: Poly) -> Poly:
        """The same sum with whole powers of sums multiplied out; its value is not changed, as `cleared` changes it."""
        for _ in range(12):
            poly, changed = _once_multiplied_out(poly)
            if not changed:
                break
        return poly

    def same(self, one: Poly, two: Poly) -> bool:
        difference = plus(one, two, -1)
        return not difference or not self.cleared(difference)

    def multiple(self, one: Poly, two: Poly, loose: bool = False) -> bool:
        """Whether one = m * two with a positive monomial m (>= 0 if loose)."""
        if not one or not two:
            return not one and (loose or not two)
        return self._multiple(one, two, loose) or self._multiple(self.cleared(one, positive=True), self.cleared(two, positive=True), loose)

    def _multiple(self, one: Poly, two: Poly, loose: bool) -> bool:
        """As `multiple`, of the sums as they are written."""
        if len(one) != len(two) or not one:
            return False
        last = min(two, key=_name)
        below = inverse(last)
        for monomial, coefficient in one.items():
            if (coefficient > 0) != (two[last] > 0):
                continue
            factor, ratio = multiplied(monomial, below)
            if not all(self.sign(item) == 2 or (loose and self.sign(item) == 1 and power.is_positive) for item, power in ratio):
                continue
            if not plus(one, times(two, {ratio: factor * coefficient / two[last]}), -1):
                return True
        return False

    # signs and ranges

    def sign_of_term(self, monomial: Monomial, coefficient: Fraction) -> int:
        """As `sign`, from the signs of what is multiplied."""
        sign, size = (1 if coefficient > 0 else -1), 2
        for item, power in monomial:
            found = self.sign(item)
            if found == 0 or (found < 0 and not power.is_Integer) or (abs(found) == 1 and not power.is_positive):
                return 0
            size = min(size, abs(found))
            if found < 0 and int(power) % 2:
                sign = -sign
        return sign * size

    def sign(self, item: Generator) -> int:
        """2 where the generator is > 0 on the whole box, 1 where it is >= 0, -2 and -1 where it is < 0 and <= 0, else 0."""
        if item[0] == "sum" and item not in self._signs:
            poly = dict(item[1])
            for side in (1, -1):
                exact = self.linear({monomial: side * value for monomial, value in poly.items()})
                if exact:
                    self._signs[item] = side * exact
        if item not in self._signs:
            try:
                found = self._value(item)
                below = -2 if found.negative else -1 if bool(found.high <= 0) else 0
                self._signs[item] = 2 if found.positive else 1 if found.nonnegative else below
            except (Unknown, Beyond):
                self._signs[item] = 0
        return self._signs[item]

    def range(self, poly: Poly) -> Interval:
        """An enclosure of the normal form on the box. Raises Unknown, also where it is not defined everywhere."""
        effort.charge(2 * len(poly))
        result = interval(balls.ZERO, balls.ZERO)
        for monomial, coefficient in poly.items():
            value = interval(end(coefficient), end(coefficient))
            for item, exponent in monomial:
                value = balls.multiply(value, self._raised(self._value(item), exponent))
            result = balls.add(result, value)
        return result

    def _raised(self, value: Interval, exponent: sympy.Expr) -> Interval:
        if exponent.is_Integer:
            if abs(int(exponent)) > 10_000:
                raise Unknown("a huge power")
            return balls.integer_power(value, int(exponent))
        return balls.power(value, self.range(self._of_exponent(exponent)))

    def _value(self, item: Generator) -> Interval:
        match item[0]:
            case "s":
                return self.box[item[1]].interval()
            case "p":
                return interval(end(Fraction(item[1])), end(Fraction(item[1])))
            case "c":
                return interval(arb.pi(), arb.pi())
            case "exp":
                return balls.exponential(self.range({item[1]: Fraction(1)}))
            case "sum":
                return self.range(dict(item[1]))
            case "log":
                return balls.logarithm(self.range(dict(item[1])))
        parts = [self.range(dict(part)) for part in item[2]]
        name = item[1]
        if name == "zeta" and len(parts) == 2:
            return balls.zeta(parts[0], parts[1])
        for kind, (_, function) in balls._FUNCTIONS.items():
            if kind.__name__ == name and len(parts) == 1:
                return function(parts[0])
        raise Unknown(f"{name} is not an allowed function")

    def linear(self, poly: Poly) -> int | None:
        """Of a symbol times a number plus a number, decided exactly: 2 where it is > 0 on the whole box, 1 where it is >= 0, else 0."""
        at = poly.get(ONE, Fraction(0))
        rest = [(monomial, coefficient) for monomial, coefficient in poly.items() if monomial != ONE]
        if len(rest) > 1:
            return None
        if not rest:
            return 2 if at > 0 else 1 if at == 0 else 0
        ((monomial, slope),) = rest
        ((item, exponent),) = monomial if len(monomial) == 1 else ((("", ""), sympy.S.Zero),)
        if item[0] != "s" or exponent != 1:
            return None
        domain = self.box[item[1]]
        worst, is_open = (domain.low, domain.low_open) if slope > 0 else (domain.high, domain.high_open)
        if isinstance(worst, float):
            return 0
        value = slope * worst + at
        return 2 if value > 0 or (value == 0 and is_open) else 1 if value == 0 else 0

    def shown(self, poly: Poly, strict: bool) -> bool:
        """Whether the sum is >= 0 (> 0) on the whole box, by its range or because every term is."""
        exact = self.linear(poly)
        if exact is not None:
            return exact >= (2 if strict else 1)
        if len(poly) > 1:  # what all terms share, where it is > 0, does not matter
            try:
                exact = self.linear(self._content(poly, whole=False)[2])
            except Beyond:
                exact = None
            if exact is not None and exact >= (2 if strict else 1):
                return True
        if poly:
            least = [self.sign_of_term(monomial, value) for monomial, value in poly.items()]
            if min(least) >= 1 and (not strict or 2 in least):
                return True
        try:
            found = self.range(poly)
        except (Unknown, Beyond):
            return False
        return found.positive if strict else found.nonnegative


@functools.lru_cache(maxsize=1 << 14)
def _name(monomial: Monomial) -> str:
    return repr(sorted((_text(item), str(exponent)) for item, exponent in monomial))


def _text(item: Any) -> str:
    """The same for equal things, whatever the order of a set."""
    if isinstance(item, frozenset):
        return "{" + ",".join(sorted(_text(part) for part in item)) + "}"
    return "(" + ",".join(_text(part) for part in item) + ")" if isinstance(item, tuple) else str(item)


@effort.cached(1 << 12)
def _factored(number: int) -> tuple[tuple[int, int], ...]:
    if number.bit_length() > HUGE:
        raise Beyond("a huge integer")
    effort.charge(1 + number.bit_length() // 8)
    return tuple(
        (int(prime), int(count))
        for prime, count in sympy.factorint(number, limit=10_000, use_rho=False, use_pm1=False, use_ecm=False).items()
    )


def primes(value: Fraction) -> dict[int, int]:
    """The number as powers of primes; a large factor that trial division does not take apart stays whole."""
    found = dict(_factored(value.numerator)) if value.numerator != 1 else {}
    for prime, count in _factored(value.denominator) if value.denominator != 1 else ():
        found[prime] = found.get(prime, 0) - count
    return found
