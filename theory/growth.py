"""Rates: how a bound grows in one quantity while the others stay, as exponents of the quantity and of its logarithm.

A quantity with a bounded domain, such as a failure probability, falls to 0 instead: its rate is in 1/failure.

Only for sums of products of powers and logarithms; anything else raises ValueError, and so does a sum whose leading terms cancel.
The rate is the generic one: where the leading coefficient depends on other quantities, it is taken not to vanish.

`limits.leading` finds leading terms too, but decides the sign of each coefficient, so every other quantity must be a number there; here
the others stay letters, and the rate is one for all their values.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy
from flint import ctx, fmpq

from banditproof.glossary import Quantity
from banditproof.theory.arithmetic import Undecided, ball
from banditproof.theory.language import Bound, Case, symbol

if TYPE_CHECKING:
    from banditproof.theory.language import Theorem


@dataclass(frozen=True, slots=True, order=True)
class Growth:
    """quantity**power * log(quantity)**log_power, up to a constant. Ordered by speed; compare rates in one quantity only."""

    power: Fraction
    log_power: Fraction
    quantity: str

    def __str__(self) -> str:
        if not self.power and not self.log_power:
            return "constant"
        name = f"({self.quantity})" if "/" in self.quantity else self.quantity
        parts = [(name, self.power), (f"log({self.quantity})", self.log_power)]
        return " * ".join(
            f"{name}^{exponent}" if exponent.denominator == 1 else f"{name}^({exponent})" for name, exponent in parts if exponent
        )


@dataclass(frozen=True, slots=True)
class _Term:
    """Leading behaviour: coefficient * variable**power * log(variable)**log_power."""

    power: Fraction
    log_power: Fraction
    coefficient: sympy.Expr

    @property
    def speed(self) -> tuple[Fraction, Fraction]:
        return self.power, self.log_power


def growth_in(theorem: "Theorem", quantity: Quantity) -> Growth:
    """The leading order of a theorem's bound in one quantity: see `Theorem.growth_in`."""
    if theorem.bound is None:
        raise ValueError(f"{theorem.id}: has no bound, so no growth: {theorem.not_checkable}")
    if quantity not in theorem.bound.given:
        names = ", ".join(item.name for item in theorem.bound.given)
        raise ValueError(f"{theorem.id}: {quantity.name}: is not a value of this statement (it takes {names})")
    towards_zero = math.isfinite(quantity.domain.high)
    name = f"1/{quantity.name}" if towards_zero else quantity.name
    large = sympy.Symbol(f"({name})" if towards_zero else name, real=True, positive=True)
    instead = {symbol(quantity): 1 / large if towards_zero else large}
    found = set()
    for case in _explicit_cases(theorem.bound):
        applies = _eventually(case.condition.subs(instead), large)
        if applies is not False:
            term = _leading(case.expression.subs(instead), large)
            found.add(Growth(term.power, term.log_power, name))
        if applies:
            break
    if len(found) != 1:
        raise ValueError(f"{theorem.id}: the case that holds as {name} grows, and so the rate, depends on the other values")
    return found.pop()


def _explicit_cases(bound: Bound) -> list[Case]:
    """The cases with each implicit quantity replaced by an expression of the same rate."""
    cases = list(bound.cases)
    for implicit in reversed(bound.where):
        letter = symbol(implicit.of)
        if not any(letter in case.expression.free_symbols | case.condition.free_symbols for case in cases):
            continue
        if implicit.growth is None:
            raise ValueError(f"the growth of {implicit.of.name} is not stated")
        cases = [
            Case(case.condition.xreplace({letter: implicit.growth}), case.expression.xreplace({letter: implicit.growth})) for case in cases
        ]
    return cases


def _eventually(condition: sympy.Basic, variable: sympy.Symbol) -> bool | None:
    """Whether the condition holds for every large value; None where that depends on the other quantities."""
    match condition:
        case sympy.logic.boolalg.BooleanTrue():
            return True
        case sympy.logic.boolalg.BooleanFalse():
            return False
        case sympy.Gt() | sympy.Ge() | sympy.Lt() | sympy.Le():
            term = _leading(condition.lhs - condition.rhs, variable)
            sign = 1 if term.coefficient.is_positive else -1 if term.coefficient.is_negative else 0
            if sign == 0 or not any(term.speed):
                return None
            return (sign > 0) == isinstance(condition, sympy.Gt | sympy.Ge)
    return None


def _leading(expression: sympy.Expr, variable: sympy.Symbol) -> _Term:
    if variable not in expression.free_symbols:
        return _Term(Fraction(0), Fraction(0), expression)
    match expression:
        case sympy.Symbol():
            return _Term(Fraction(1), Fraction(0), sympy.Integer(1))
        case sympy.Mul():
            factors = [_leading(part, variable) for part in expression.args]
            power = sum((item.power for item in factors), Fraction(0))
            log_power = sum((item.log_power for item in factors), Fraction(0))
            return _Term(power, log_power, sympy.Mul(*(item.coefficient for item in factors)))
        case sympy.Pow() if isinstance(expression.exp, sympy.Rational):
            base, exponent = _leading(expression.base, variable), Fraction(int(expression.exp.p), int(expression.exp.q))
            return _Term(base.power * exponent, base.log_power * exponent, base.coefficient**expression.exp)
        case sympy.log():
            inner = _leading(expression.args[0], variable)
            if inner.power == 0:
                raise ValueError(f"the growth of {expression} in {variable} is not that of a logarithm")
            return _Term(Fraction(0), Fraction(1), sympy.Rational(inner.power.numerator, inner.power.denominator))
        case sympy.Add():
            terms = [_leading(part, variable) for part in expression.args]
            top = max(term.speed for term in terms)
            leading = _Term(*top, sympy.Add(*(term.coefficient for term in terms if term.speed == top)))
            if _vanishes(leading.coefficient):
                raise ValueError(f"the leading terms of {expression} cancel as {variable} grows")
            return leading
    raise ValueError(f"the growth of {expression} in {variable} is not that of powers and logarithms")


def _vanishes(coefficient: sympy.Expr) -> bool:
    """Whether it may be 0 whatever its letters are: no place at which it is certain not to be was found."""
    letters, told = sorted(coefficient.free_symbols, key=str), False
    for place in range(_PLACES):
        values: dict[sympy.Symbol, Any] = {
            letter: fmpq(*_VALUES[(place * (count + 1) + place // len(_VALUES) + count) % len(_VALUES)])
            for count, letter in enumerate(letters)
        }
        for precision in (128, 1024):
            with ctx.workprec(precision):
                try:
                    found = ball(coefficient, values)
                except (Undecided, TypeError, ValueError, ZeroDivisionError):  # outside its domain, or nothing that balls know
                    break
                if found.is_finite() and not found.contains(0):
                    return False
                told = told or bool(found.is_finite())
    return told or bool(coefficient.equals(0))


# Letters below and above 1, differently combined: of what stands under roots and logarithms the domain is not known here.
_VALUES, _PLACES = ((3, 97), (1, 2), (5, 3), (17, 1), (1009, 1)), 25
