"""Expressions and conditions at given values, in ball arithmetic: exact where a value is rational, else a certified enclosure by Arb.

A whitelisted SymPy expression is translated once to a function of its symbols' values, node by node; an unknown node raises when it is
evaluated. Conditions are decided exactly where both sides are rational, by balls otherwise.
"""

import functools
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, fmpq

LIMIT = 1 << 15  # bits: of a precision, and of a power's exact value
_KEPT = 1 << 14  # expressions whose translation is kept

Values = Mapping[sympy.Symbol, Fraction | fmpq | arb]
Number = Any  # fmpq where the value is rational, else arb at the current precision
Program = Callable[[Values], Number]


class Undecided(Exception):
    """This precision cannot tell; a higher one may."""


class _Indistinguishable(Undecided):
    """Two expressions whose balls overlap. They are written out for who reads the message: the next precision decides most."""

    def __str__(self) -> str:
        left, right = self.args
        return f"{left} and {right} cannot be distinguished"


# --- expressions -----------------------------------------------------------------------------------------------------------------


def ball(expression: sympy.Expr, values: Values) -> arb:
    """The expression in ball arithmetic at the current precision; raises TypeError for a node outside the whitelist."""
    number = _program(expression)(values)
    return arb(number) if isinstance(number, fmpq) else number


def rational(expression: sympy.Expr, values: Values) -> Fraction | None:
    """The exact value, or None where the expression is not rational or its exact value would be huge."""
    if not _of_rational_nodes(expression):
        return None
    number = _program(expression)(values)
    return Fraction(int(number.p), int(number.q)) if isinstance(number, fmpq) else None


def to_ball(number: Fraction) -> arb:
    return arb(to_fmpq(number))


def to_fmpq(number: Fraction) -> fmpq:
    return fmpq(number.numerator, number.denominator)


@functools.lru_cache(maxsize=_KEPT)
def _of_rational_nodes(expression: sympy.Expr) -> bool:
    """Whether the value is rational where all symbols are, powers aside."""
    if isinstance(expression, sympy.Rational | sympy.Symbol):
        return True
    return isinstance(expression, sympy.Add | sympy.Mul | sympy.Pow) and all(map(_of_rational_nodes, expression.args))


@functools.lru_cache(maxsize=_KEPT)
def _program(expression: sympy.Expr) -> Program:
    """The expression as a function of the values of its symbols."""
    if isinstance(expression, sympy.Rational):
        constant = fmpq(int(expression.p), int(expression.q))
        return lambda values: constant
    if isinstance(expression, sympy.Symbol):
        return _symbol(expression)
    parts = tuple(_program(part) for part in expression.args)
    match expression:
        case sympy.Add():
            return _folded(parts, operator.add, 0)
        case sympy.Mul():
            return _folded(parts, operator.mul, 1)
        case sympy.Pow():
            return _power(parts[0], parts[1], expression.exp)
    if expression == sympy.pi:
        return lambda values: arb.pi()
    if expression == sympy.E:
        return lambda values: arb.const_e()
    if isinstance(expression, sympy.zeta):
        return lambda values: arb.zeta(*(arb(part(values)) for part in parts))
    name = _FUNCTIONS.get(type(expression))
    if name is None:
        return _refused(expression)
    function = getattr(arb, name)
    (part,) = parts
    return lambda values: function(arb(part(values)))


_FUNCTIONS = {
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.erf: "erf",
    sympy.erfc: "erfc",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.tanh: "tanh",
    sympy.gamma: "gamma",
}


def _refused(expression: sympy.Expr) -> Program:
    def refuse(values: Values) -> Number:
        raise TypeError(f"{type(expression).__name__} is not an allowed node in {expression}")

    return refuse


def _symbol(letter: sympy.Symbol) -> Program:
    def value(values: Values) -> Number:
        known = values[letter]
        if type(known) is fmpq:  # a plain comparison of types: Fraction is an abstract class's child, which isinstance is slow to look at
            return known
        return to_fmpq(known) if isinstance(known, Fraction) else known

    return value


def _folded(parts: tuple[Program, ...], join: Callable[[Number, Number], Number], neutral: int) -> Program:
    """A sum or a product, in the order of its parts: exact if all of them are, else each rounded before it is joined."""

    start = arb(neutral)

    def value(values: Values) -> Number:
        numbers = [part(values) for part in parts]
        for number in numbers:
            if type(number) is not fmpq:
                return functools.reduce(join, numbers, start)  # Arb rounds a rational number before it joins it
        return functools.reduce(join, numbers)

    return value


def _power(base: Program, exponent: Program, written: sympy.Expr) -> Program:
    """A power, exact for rationals with a whole exponent unless the result is huge."""
    half = {sympy.Rational(1, 2): arb.sqrt, -sympy.Rational(1, 2): arb.rsqrt}.get(written)
    if half is not None:
        return lambda values: half(arb(base(values)))
    if isinstance(written, sympy.Integer):
        return _whole_power(base, int(written))

    def value(values: Values) -> Number:
        one, two = base(values), exponent(values)
        if type(one) is fmpq and type(two) is fmpq and two.q == 1:
            return _to_whole(one, int(two.p))
        return arb(one) ** arb(two)

    return value


def _whole_power(base: Program, times: int) -> Program:
    exponent = arb(times)

    def value(values: Values) -> Number:
        one = base(values)
        return _to_whole(one, times) if type(one) is fmpq else one**exponent

    return value


def _to_whole(number: fmpq, times: int) -> Number:
    if abs(times) * number.height_bits() <= LIMIT and not (times < 0 and number == 0):
        return number**times
    return arb(number) ** arb(times)


# --- conditions ------------------------------------------------------------------------------------------------------------------


def holds(condition: sympy.Basic, values: Values) -> bool:
    """Whether a condition holds; raises Undecided where the balls overlap."""
    return _test(condition)(values)


_COMPARE: dict[type, Callable[[Any, Any], bool]] = {
    sympy.Lt: operator.lt,
    sympy.Le: operator.le,
    sympy.Gt: operator.gt,
    sympy.Ge: operator.ge,
    sympy.Eq: operator.eq,
    sympy.Ne: operator.ne,
}


def decided(condition: sympy.Basic, sign_of_difference: Callable[[sympy.Expr, sympy.Expr], int]) -> bool:
    """Whether a condition holds, where the sign of left - right decides each comparison in it. Raises TypeError on another condition."""
    match condition:
        case sympy.logic.boolalg.BooleanTrue():
            return True
        case sympy.logic.boolalg.BooleanFalse():
            return False
        case sympy.And():
            return all(decided(part, sign_of_difference) for part in condition.args)
        case sympy.Or():
            return any(decided(part, sign_of_difference) for part in condition.args)
        case sympy.Not():
            return not decided(condition.args[0], sign_of_difference)
        case sympy.Rel():
            return _COMPARE[type(condition)](sign_of_difference(condition.lhs, condition.rhs), 0)
    raise _no_condition(condition)


def _no_condition(condition: sympy.Basic) -> TypeError:
    return TypeError(f"{type(condition).__name__} is not an allowed condition in {condition}")


@functools.lru_cache(maxsize=_KEPT)
def _test(condition: sympy.Basic) -> Callable[[Values], bool]:
    """The condition as a function of the values of its symbols; its parts in their order, up to the first that decides."""
    match condition:
        case sympy.And() | sympy.Or():
            parts, join = tuple(_test(part) for part in condition.args), all if isinstance(condition, sympy.And) else any
            return lambda values: join(part(values) for part in parts)
        case sympy.Not():
            (part,) = (_test(part) for part in condition.args)
            return lambda values: not part(values)
        case sympy.Rel():
            return _comparison(condition)
        case sympy.logic.boolalg.BooleanTrue():
            return lambda values: True
        case sympy.logic.boolalg.BooleanFalse():
            return lambda values: False

    def refuse(values: Values) -> bool:
        raise _no_condition(condition)

    return refuse


def _comparison(condition: sympy.Rel) -> Callable[[Values], bool]:
    """A comparison as a function of the values of its symbols; it raises Undecided where the balls overlap."""
    compare, left, right = _COMPARE[type(condition)], _program(condition.lhs), _program(condition.rhs)

    def value(values: Values) -> bool:
        one, two = left(values), right(values)
        if type(one) is fmpq and type(two) is fmpq:
            return compare(one, two)
        sign = _sign(arb(one) - arb(two))
        if sign is None:
            raise _Indistinguishable(condition.lhs, condition.rhs)
        return compare(sign, 0)

    return value


def _sign(difference: arb) -> int | None:
    """The certain sign; None where it does not show."""
    if difference > 0:
        return 1
    if difference < 0:
        return -1
    return 0 if difference.is_zero() else None
