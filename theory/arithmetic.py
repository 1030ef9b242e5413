"""Expressions and conditions at given values, in ball arithmetic: exact where a value is rational, else a certified enclosure by Arb.

A whitelisted SymPy expression is translated once to a function of its symbols' values, one step for each of its nodes; an unknown node
raises when it is evaluated. Conditions are decided exactly where both sides are rational, by balls otherwise.
"""

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy
from flint import arb, fmpq

LIMIT = 1 << 15  # bits: of a precision, and of a power's exact value
_KEPT = 1 << 14  # expressions whose translation is kept

Values = Mapping[sympy.Symbol, Fraction | fmpq | arb]
Number = Any  # fmpq where the value is rational, else arb at the current precision
Program = Callable[[Values], Number]
Step = Callable[[Values, Sequence[Number]], Number]  # of a program: from what the steps before it have computed


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
    """The expression as a function of the values of its symbols. A part that it has in several places is computed once."""
    places: dict[sympy.Expr, int] = {}
    steps: list[Step] = []

    def place(node: sympy.Expr) -> int:
        if node not in places:
            step = _step(node, place)
            places[node] = len(steps)
            steps.append(step)
        return places[node]

    place(expression)

    def value(values: Values) -> Number:
        done: list[Number] = []
        for step in steps:
            done.append(step(values, done))
        return done[-1]

    return value


def _step(node: sympy.Expr, place: Callable[[sympy.Expr], int]) -> Step:
    """One operation, on what is at the places of its parts."""
    match node:
        case sympy.Rational():
            constant = fmpq(int(node.p), int(node.q))
            return lambda values, done: constant
        case sympy.Symbol():
            return _symbol(node)
        case sympy.Add():
            return _folded(node, place, operator.add, 0)
        case sympy.Mul():
            return _folded(node, place, operator.mul, 1)
        case sympy.Pow():
            return _power(node, place)
    if node == sympy.pi:
        return lambda values, done: arb.pi()
    if node == sympy.E:
        return lambda values, done: arb.const_e()
    parts = [place(part) for part in node.args]
    if isinstance(node, sympy.zeta):
        return lambda values, done: arb.zeta(*(arb(done[part]) for part in parts))
    name = _FUNCTIONS.get(type(node))
    if name is None:
        return _refused(node)
    function = getattr(arb, name)
    (only,) = parts
    return lambda values, done: function(arb(done[only]))


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


def _refused(node: sympy.Expr) -> Step:
    def refuse(values: Values, done: Sequence[Number]) -> Number:
        raise TypeError(f"{type(node).__name__} is not an allowed node in {node}")

    return refuse


def _symbol(letter: sympy.Symbol) -> Step:
    def value(values: Values, done: Sequence[Number]) -> Number:
        known = values[letter]
        if type(known) is fmpq:  # a plain comparison of types: Fraction is an abstract class's child, which isinstance is slow to look at
            return known
        return to_fmpq(known) if isinstance(known, Fraction) else known

    return value


def _folded(node: sympy.Expr, place: Callable[[sympy.Expr], int], join: Callable[[Number, Number], Number], neutral: int) -> Step:
    """A sum or a product, in the order of its parts: exact if all of them are, else each rounded before it is joined."""
    start, parts = arb(neutral), [place(part) for part in node.args]

    def value(values: Values, done: Sequence[Number]) -> Number:
        numbers = [done[part] for part in parts]
        for number in numbers:
            if type(number) is not fmpq:
                return functools.reduce(join, numbers, start)  # Arb rounds a rational number before it joins it
        return functools.reduce(join, numbers)

    return value


def _power(node: sympy.Pow, place: Callable[[sympy.Expr], int]) -> Step:
    """A power, exact for rationals with a whole exponent unless the result is huge."""
    base, written = place(node.base), node.exp
    half = {sympy.Rational(1, 2): arb.sqrt, -sympy.Rational(1, 2): arb.rsqrt}.get(written)
    if half is not None:
        return lambda values, done: half(arb(done[base]))
    if isinstance(written, sympy.Integer):
        return _whole_power(base, int(written))
    exponent = place(written)

    def value(values: Values, done: Sequence[Number]) -> Number:
        one, two = done[base], done[exponent]
        if type(one) is fmpq and type(two) is fmpq and two.q == 1:
            return _to_whole(one, int(two.p))
        return arb(one) ** arb(two)

    return value


def _whole_power(base: int, times: int) -> Step:
    exponent = arb(times)

    def value(values: Values, done: Sequence[Number]) -> Number:
        one = done[base]
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
