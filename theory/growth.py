"""Rates: how a bound grows in one quantity while the others stay, as exponents of the quantity and of its logarithm.

A quantity with a bounded domain, such as a failure probability, falls to 0 instead: its rate is in 1/failure.

Only for sums of products of powers and logarithms; anything else raises ValueError, and so does a sum whose leading terms might cancel.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import sympy

from banditproof.glossary import Quantity
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
        parts = [(self.quantity, self.power), (f"log({self.quantity})", self.log_power)]
        return " * ".join(
            f"{name}^{exponent}" if exponent.denominator == 1 else f"{name}^({exponent})" for name, exponent in parts if exponent
        )


@dataclass(frozen=True, slots=True)
class _Term:
    """Leading behaviour: exponents, and the sign if it is known (0 if not)."""

    power: Fraction
    log_power: Fraction
    sign: int

    @property
    def speed(self) -> tuple[Fraction, Fraction]:
        return self.power, self.log_power


def growth_in(theorem: "Theorem", quantity: Quantity) -> Growth:
    """Theorem.growth_in."""
    if theorem.bound is None:
        raise ValueError(f"{theorem.id}: has no bound, so no growth: {theorem.not_checkable}")
    if quantity not in theorem.bound.given:
        names = ", ".join(item.name for item in theorem.bound.given)
        raise ValueError(f"{theorem.id}: {quantity.name}: is not a value of this statement (it takes {names})")
    variable = symbol(quantity)
    towards_zero = math.isfinite(quantity.domain.high)
    name = f"1/{quantity.name}" if towards_zero else quantity.name
    large = sympy.Dummy(name, positive=True)
    for case in _explicit_cases(theorem.bound):
        instead = {variable: 1 / large if towards_zero else large}
        if _eventually(case.condition.subs(instead), large):
            term = _leading(case.expression.subs(instead), large)
            return Growth(term.power, term.log_power, name)
    raise ValueError(f"{theorem.id}: no case holds for every large {name}")


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


def _eventually(condition: sympy.Basic, variable: sympy.Symbol) -> bool:
    """Whether the condition holds for every large value; raises ValueError where that depends on the other quantities."""
    match condition:
        case sympy.logic.boolalg.BooleanTrue():
            return True
        case sympy.logic.boolalg.BooleanFalse():
            return False
        case sympy.And():
            return all(_eventually(part, variable) for part in condition.args)
        case sympy.Or():
            return any(_eventually(part, variable) for part in condition.args)
    term = _leading(condition.lhs - condition.rhs, variable)
    if term.sign == 0 or not any(term.speed):
        raise ValueError(f"whether {condition} holds for large {variable} depends on the other quantities")
    return (term.sign > 0) == isinstance(condition, sympy.Gt | sympy.Ge)


def _leading(expression: sympy.Expr, variable: sympy.Symbol) -> _Term:
    if variable not in expression.free_symbols:
        return _Term(Fraction(0), Fraction(0), 1 if expression.is_positive else -1 if expression.is_negative else 0)
    match expression:
        case sympy.Symbol():
            return _Term(Fraction(1), Fraction(0), 1)
        case sympy.Mul():
            factors = [_leading(part, variable) for part in expression.args]
            sign = 1
            for factor in factors:
                sign *= factor.sign
            return _Term(sum((item.power for item in factors), Fraction(0)), sum((item.log_power for item in factors), Fraction(0)), sign)
        case sympy.Pow() if isinstance(expression.exp, sympy.Rational):
            base, exponent = _leading(expression.base, variable), Fraction(int(expression.exp.p), int(expression.exp.q))
            return _Term(base.power * exponent, base.log_power * exponent, 1 if base.sign > 0 else 0)
        case sympy.log():
            inner = _leading(expression.args[0], variable)
            if inner.power == 0:
                raise ValueError(f"the growth of {expression} in {variable} is neither a power nor a logarithm")
            return _Term(Fraction(0), Fraction(1), 1 if inner.power > 0 else -1)
        case sympy.Add():
            terms = [_leading(part, variable) for part in expression.args]
            top = max(term.speed for term in terms)
            signs = {term.sign for term in terms if term.speed == top}
            if len(signs) > 1:
                raise ValueError(f"the leading terms of {expression} might cancel as {variable} grows")
            return _Term(*top, signs.pop())
    raise ValueError(f"the growth of {expression} in {variable} is not that of powers and logarithms")
