r"""Exact limits of quotients of bounds, as one quantity goes to an end of its domain: what an order can be judged by.

Main definitions
    End          the low or the high end of a domain
    Leading      the leading term of an expression in one large variable x: c x^p log(x)^q loglog(x)^r exp(E)
    leading      finds it, or raises Undecided
    limit_of     the limit of a quotient of two leading terms: zero, finite with its value, or infinite
    eventually   whether a condition holds for every large x
    towards      the substitution that turns an end into x to infinity

How it argues
    Sums, products, powers, logarithms and exponentials of numbers and x, from the leaves up: the leading term of a product is the product,
    of a sum the fastest terms together, of a logarithm the logarithm of the fastest factor, of a gamma function Stirling's. A sum whose
    leading coefficients cancel is rewritten (over one denominator, logarithms split into those of their leading factors and of a rest that
    tends to 1) and else Undecided. The sign of a coefficient is decided by balls; it is 0 only where SymPy says that two numbers are the
    same. Nothing here calls SymPy's `limit`. A wrong answer would need a wrong rule: Undecided is always a legal one.

    `about_one` stands for a factor that tends to 1 and is not known further, as of ceil(log2 T) over log2 T; those of different things are
    different. What depends on more than its limit, as a cancellation or an exponential does, is Undecided.

    `growth.growth_in` finds leading terms too, with the other quantities as letters, and so without constants, exponentials or signs; here
    they are numbers or follow x, which makes a limit with its constant possible, and a condition or a cancellation decidable.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

import sympy

from banditproof.glossary import Quantity
from banditproof.theory.evaluate import ball, decided
from banditproof.theory.language import Case

if TYPE_CHECKING:
    from flint import arb

_0, _1 = Fraction(0), Fraction(1)
LARGE = sympy.Symbol("x", positive=True)
_BITS = (128, 1024)
_DEEPEST = 60  # nested calls: expressions of the papers need fewer than 30


class Undecided(ValueError):
    """The rules here do not find the limit."""


class End(Enum):
    LOW = "low"
    HIGH = "high"


class Kind(Enum):
    ZERO = "0"
    FINITE = "finite"
    INFINITE = "infinite"


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of a quotient; `value` where it is finite, and how fast the quotient is."""

    kind: Kind
    value: sympy.Expr | None
    speed: str

    def __str__(self) -> str:
        return f"{float(number_ball(self.value).mid()):.6g}" if self.value is not None else self.kind.value


@dataclass(frozen=True, slots=True)
class Leading:
    """coefficient * x^power * log(x)^log_power * loglog(x)^loglog_power * exp(exponent), times a factor that tends to 1.

    The coefficient is a number and not 0. The exponent is 0, or larger in size than every multiple of log x from some x on.
    """

    coefficient: sympy.Expr
    power: Fraction = Fraction(0)
    log_power: Fraction = Fraction(0)
    loglog_power: Fraction = Fraction(0)
    exponent: sympy.Expr = sympy.S.Zero

    @property
    def powers(self) -> tuple[Fraction, Fraction, Fraction]:
        """Of x, log(x) and loglog(x)."""
        return self.power, self.log_power, self.loglog_power

    @property
    def constant(self) -> bool:
        return not any(self.powers) and self.exponent == 0

    def times(self, other: "Leading") -> "Leading":
        return _normal(
            self.coefficient * other.coefficient,
            (self.power + other.power, self.log_power + other.log_power, self.loglog_power + other.loglog_power),
            self.exponent + other.exponent,
        )

    def to(self, exponent: sympy.Rational) -> "Leading":
        """A rational power. Raises Undecided for a root of a negative number."""
        if not exponent.is_Integer and sign_of_number(self.coefficient) < 0:
            raise Undecided(f"a root of the negative number {self.coefficient}")
        by = Fraction(int(exponent.p), int(exponent.q))
        return _normal(self.coefficient**exponent, (self.power * by, self.log_power * by, self.loglog_power * by), self.exponent * exponent)

    def text(self, name: str) -> str:
        """How fast it is, in words: "horizon^(1/2) * log(horizon)"."""
        bare = name if name.isidentifier() else f"({name})"
        parts = [(bare, self.power), (f"log({name})", self.log_power), (f"log(log({name}))", self.loglog_power)]
        shown = [_powered(base, exponent) for base, exponent in parts if exponent]
        if self.exponent != 0:
            shown.append(f"exp({_at_one(self.exponent).subs({LARGE: sympy.Symbol(bare)})})")
        return " * ".join(shown) or "constant"


def _powered(base: str, exponent: Fraction) -> str:
    if exponent == 1:
        return base
    return f"{base}^{exponent}" if exponent.denominator == 1 and exponent > 0 else f"{base}^({exponent})"


def towards(quantity: Quantity, end: End) -> tuple[sympy.Expr, str]:
    """The quantity as a function of x that goes to the end as x grows, and a name for x."""
    domain, name = quantity.domain, quantity.name
    edge = domain.low if end is End.LOW else domain.high
    if edge in (float("inf"), float("-inf")):
        return (LARGE, name) if end is End.HIGH else (-LARGE, f"-{name}")
    number = sympy.Rational(str(edge))
    if end is End.HIGH:
        return number - 1 / LARGE, f"1/({number} - {name})"
    return number + 1 / LARGE, f"1/{name}" if number == 0 else f"1/({name} - {number})"


# --- numbers ----------------------------------------------------------------------------------------------------------------------


def about_one(of: object) -> sympy.Symbol:
    """The factor of one thing, which its text tells from those of others."""
    return sympy.Symbol(f"about_one({of})", positive=True)


def _unknown(expression: sympy.Expr) -> list[sympy.Symbol]:
    """The factors in an expression that tend to 1."""
    return [each for each in expression.free_symbols if str(each).startswith("about_one(")]


def _at_one(expression: sympy.Expr) -> sympy.Expr:
    return expression.xreplace(dict.fromkeys(_unknown(expression), sympy.S.One))


def number_ball(number: sympy.Expr, bits: int = _BITS[0]) -> "arb":
    """A ball around a number without x, where factors that tend to 1 are 1."""
    from flint import ctx

    with ctx.workprec(bits):
        return ball(_at_one(number), {})


@functools.lru_cache(maxsize=1 << 12)
def sign_of_number(number: sympy.Expr) -> int:
    """The sign: by balls, and 0 only where it is that exactly. Raises Undecided where neither shows."""
    for bits in _BITS:
        enclosure = number_ball(number, bits)
        if enclosure > 0:
            return 1
        if enclosure < 0:
            return -1
        if not enclosure.is_finite():
            raise Undecided(f"{number} is no finite number")
    if _unknown(number):
        raise Undecided("leading terms cancel that are known up to a factor that tends to 1")
    if number.is_zero or sympy.expand_log(sympy.expand(number), force=True).expand() == 0 or number.equals(0):
        return 0
    raise Undecided(f"the sign of {number} does not show")


# --- leading terms ------------------------------------------------------------------------------------------------------------------


def leading(expression: sympy.Expr, _depth: int = 0) -> Leading | None:
    """The leading term as LARGE grows; None for what is 0. Raises Undecided."""
    if _depth > _DEEPEST:
        raise Undecided("too many cancellations")
    if LARGE not in expression.free_symbols:
        return Leading(expression) if sign_of_number(expression) else None
    match expression:
        case sympy.Symbol():
            return Leading(sympy.S.One, power=Fraction(1))
        case sympy.Mul():
            result: Leading | None = Leading(sympy.S.One)
            for part in expression.args:
                term = leading(part, _depth + 1)
                if term is None:
                    return None
                result = result.times(term) if result else None
            return result
        case sympy.Pow():
            return _leading_of_power(expression, _depth)
        case sympy.exp():
            return _exponential(expression.args[0], _depth + 1)
        case sympy.log():
            return _leading_of_logarithm(expression.args[0], _depth + 1)
        case sympy.Add():
            return _leading_of_sum(expression, _depth)
        case sympy.gamma():
            return _leading_of_gamma(expression.args[0], _depth + 1)
    raise Undecided(f"{type(expression).__name__} of what grows")


def _leading_of_power(expression: sympy.Pow, depth: int) -> Leading | None:
    base, exponent = expression.base, expression.exp
    if isinstance(exponent, sympy.Rational):
        term = leading(base, depth + 1)
        if term is None:
            if exponent.is_positive:
                return None
            raise Undecided("0 to a power that is not positive")
        return term.to(exponent)
    one, two = leading(base, depth + 1), leading(exponent, depth + 1)
    if one is not None and one.constant and sign_of_number(one.coefficient) > 0 and (two is None or _kind(two) is not Kind.INFINITE):
        return Leading(one.coefficient**two.coefficient if two is not None and two.constant else sympy.S.One)
    return _exponential(exponent * sympy.log(base), depth + 1)


def _exponential(exponent: sympy.Expr, depth: int) -> Leading:
    """exp(exponent): a constant, a power of x or log x where the exponent is a multiple of their logarithms, or kept as it is."""
    if depth > _DEEPEST:
        raise Undecided("exponents that do not settle")
    term = leading(exponent, depth + 1)
    if term is None:
        return Leading(sympy.S.One)
    kind = _kind(term)
    if kind is Kind.ZERO:
        return Leading(sympy.S.One)
    if kind is Kind.FINITE:
        return Leading(sympy.exp(term.coefficient))
    if _unknown(exponent):
        raise Undecided("an exponential of what is known up to a factor that tends to 1")
    if _above_logarithm(term):
        return Leading(sympy.S.One, exponent=exponent)
    slow = term.powers
    if slow == (_0, _1, _0) and isinstance(term.coefficient, sympy.Rational):
        rest = _exponential(_taken_apart(exponent - term.coefficient * sympy.log(LARGE)), depth + 1)
        return rest.times(Leading(sympy.S.One, power=Fraction(int(term.coefficient.p), int(term.coefficient.q))))
    if slow == (_0, _0, _1) and isinstance(term.coefficient, sympy.Rational):
        rest = _exponential(_taken_apart(exponent - term.coefficient * sympy.log(sympy.log(LARGE))), depth + 1)
        return rest.times(Leading(sympy.S.One, log_power=Fraction(int(term.coefficient.p), int(term.coefficient.q))))
    raise Undecided(f"exp({exponent}) is between powers of x and of log x")


def _above_logarithm(term: Leading) -> bool:
    """Whether it is larger than every multiple of log x, from some x on."""
    if term.exponent != 0:
        return True  # it tends to infinity, so the exponent does
    return term.power > 0 or (term.power == 0 and (term.log_power, term.loglog_power) > (_1, _0))


def _leading_of_logarithm(inside: sympy.Expr, depth: int) -> Leading | None:
    term = leading(inside, depth + 1)
    if term is None or sign_of_number(term.coefficient) < 0:
        raise Undecided(f"the logarithm of {inside}, which is not positive")
    if term.exponent != 0:
        return leading(term.exponent, depth + 1)
    if term.power:
        return Leading(_rational(term.power), log_power=Fraction(1))
    if term.log_power:
        return Leading(_rational(term.log_power), loglog_power=Fraction(1))
    if term.loglog_power:
        raise Undecided("a logarithm of log(log x)")
    if sign_of_number(term.coefficient - 1):
        return Leading(sympy.log(term.coefficient))
    return leading(inside - 1, depth + 1)  # log(1 + y) is y times a factor that tends to 1


def _leading_of_gamma(inside: sympy.Expr, depth: int) -> Leading:
    """Continuous at a positive limit of its argument, and Stirling's formula where that grows."""
    term = leading(inside, depth + 1)
    if term is None or sign_of_number(term.coefficient) < 0 or _kind(term) is Kind.ZERO:
        raise Undecided("the gamma function at 0 or below")
    if _kind(term) is Kind.FINITE:
        return Leading(sympy.gamma(term.coefficient))
    return _exponential(_taken_apart(_stirling(inside)), depth + 1).times(Leading(sympy.sqrt(2 * sympy.pi)))


def _stirling(inside: sympy.Expr) -> sympy.Expr:
    """log gamma without its constant and what vanishes."""
    return inside * sympy.log(inside) - inside - sympy.log(inside) / 2


def _leading_of_sum(expression: sympy.Expr, depth: int) -> Leading | None:
    terms = [term for part in expression.args if (term := leading(part, depth + 1)) is not None]
    if not terms:
        return None
    top = terms[0]
    for term in terms[1:]:
        if _speed_over(term, top) > 0:
            top = term
    below = top.to(sympy.Integer(-1))
    total = sympy.Add(*(term.times(below).coefficient for term in terms if _speed_over(term, top) == 0))
    if sign_of_number(total):
        return Leading(total * top.coefficient, top.power, top.log_power, top.loglog_power, top.exponent)
    for again in _rewritten(expression):
        if again != expression:
            try:
                return leading(again, depth + 8)
            except Undecided:
                continue
    raise Undecided(f"the leading terms of {expression} cancel")


def _rewritten(expression: sympy.Expr) -> Iterator[sympy.Expr]:
    """Equal expressions, in which the leading terms may cancel by themselves; the last is equal up to factors that tend to 1."""
    numerator, denominator = sympy.fraction(sympy.together(_taken_apart(expression)))
    yield sympy.expand(numerator) / denominator
    yield sympy.expand(_logarithms_split(_taken_apart(expression)))
    small = {
        part: 1 + part.args[0] * about_one(part)
        for part in expression.atoms(sympy.exp)
        if LARGE in part.free_symbols and (term := leading(part.args[0])) is not None and _kind(term) is Kind.ZERO
    }
    if small:
        yield sympy.expand(expression.xreplace(small))


def _logarithms_split(expression: sympy.Expr) -> sympy.Expr:
    """Each logarithm as those of its leading factors, and that of the rest, which tends to 1; log gamma by Stirling's formula."""
    instead = {}
    for part in expression.atoms(sympy.log):
        inside = part.args[0]
        if LARGE not in inside.free_symbols or inside in (LARGE, sympy.log(LARGE)):
            continue
        if isinstance(inside, sympy.gamma) and (term := leading(inside.args[0])) is not None and _kind(term) is Kind.INFINITE:
            rest = about_one(inside) / (12 * inside.args[0])
            instead[part] = _logarithms_split(_taken_apart(_stirling(inside.args[0]))) + sympy.log(2 * sympy.pi) / 2 + rest
            continue
        term = leading(inside)
        if term is None or term.exponent != 0 or term.loglog_power:
            continue
        power, log_power = _rational(term.power), _rational(term.log_power)
        rest = sympy.expand(inside / (term.coefficient * LARGE**power * sympy.log(LARGE) ** log_power))
        known = sympy.log(term.coefficient) + power * sympy.log(LARGE) + log_power * sympy.log(sympy.log(LARGE))
        instead[part] = known + (sympy.log(rest) if rest != 1 else 0)
    return expression.xreplace(instead)


def _taken_apart(expression: sympy.Expr) -> sympy.Expr:
    return sympy.expand(sympy.expand_log(expression, force=False))


def _normal(coefficient: sympy.Expr, powers: tuple[Fraction, Fraction, Fraction], exponent: sympy.Expr) -> Leading:
    """With an exponent that is 0 or large: a slow one becomes powers."""
    if exponent == 0:
        return Leading(coefficient, *powers)
    rest = _exponential(_taken_apart(exponent), 1)
    one, two, three = powers
    return Leading(coefficient * rest.coefficient, one + rest.power, two + rest.log_power, three + rest.loglog_power, rest.exponent)


def _speed(term: Leading) -> int:
    """1 if it tends to infinity in size, -1 if to 0, 0 if to a number."""
    if term.exponent != 0:
        first = leading(term.exponent)
        if first is None:
            raise Undecided("an exponent that is 0")
        return sign_of_number(first.coefficient)
    return _order(term.powers, (_0, _0, _0))


def _speed_over(one: Leading, two: Leading) -> int:
    """The speed of their quotient, by the powers alone where neither has an exponent."""
    if one.exponent == 0 and two.exponent == 0:
        return _order(one.powers, two.powers)
    return _speed(one.times(two.to(sympy.Integer(-1))))


def _order(one: tuple[Fraction, ...], two: tuple[Fraction, ...]) -> int:
    """1 where the powers of the first grow faster, -1 where slower, 0 where they are the same."""
    return int(one > two) - int(one < two)


def _kind(term: Leading) -> Kind:
    return {1: Kind.INFINITE, 0: Kind.FINITE, -1: Kind.ZERO}[_speed(term)]


def tends_to_infinity(term: Leading) -> bool:
    """Above every number, from some x on. Raises Undecided."""
    return _kind(term) is Kind.INFINITE and sign_of_number(term.coefficient) > 0


def logarithm(expression: sympy.Expr) -> sympy.Expr:
    """For declarations of paths, made where SymPy is not imported."""
    return sympy.log(expression)


def _rational(number: Fraction) -> sympy.Rational:
    return sympy.Rational(number.numerator, number.denominator)


def limit_of(above: sympy.Expr, below: sympy.Expr, name: str = "x") -> tuple[Limit, Leading, Leading]:
    """The limit of above/below as LARGE grows, with both leading terms. Raises Undecided, also where either is 0."""
    one, two = leading(above), leading(below)
    if one is None or two is None:
        raise Undecided("one of the two is 0")
    quotient = one.times(two.to(sympy.Integer(-1)))
    kind = _kind(quotient)
    value = _at_one(quotient.coefficient) if kind is Kind.FINITE else None
    return Limit(kind, value, quotient.text(name)), one, two


# --- conditions -----------------------------------------------------------------------------------------------------------------------


def eventually(condition: sympy.Basic, values: Mapping[sympy.Symbol, sympy.Expr]) -> bool:
    """Whether the condition, with these values for its symbols, holds for every large x; False where it fails for every large x.

    The values go into the two sides of a comparison: SymPy asks for the truth of each comparison that is built of them, which takes longer
    than the limit. Raises Undecided.
    """

    def sign(left: sympy.Expr, right: sympy.Expr) -> int:
        term = leading(left.xreplace(values) - right.xreplace(values))
        return 0 if term is None else sign_of_number(term.coefficient)

    return decided(condition, sign)


def eventual_case(cases: Iterable[Case], values: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """The expression, with these values, of the case that applies to them for every large x. Raises Undecided."""
    for case in cases:
        if eventually(case.condition, values):
            return case.expression.xreplace(values)
    raise Undecided("no case applies for large x")
