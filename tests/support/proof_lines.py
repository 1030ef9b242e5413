"""The lines of proofs, and orders without their constants, at a point: for golden values."""

from fractions import Fraction

import sympy
from flint import ctx

from banditproof.theory import evaluate
from banditproof.theory.language import Theorem


def value_at(expression: sympy.Expr, **known: str | int) -> float:
    """An expression at exact values: whole numbers, or texts such as 1/3."""
    with ctx.workprec(128):
        return float(evaluate.ball(expression, {letter: Fraction(known[letter.name]) for letter in expression.free_symbols}))


def order_at(theorem: Theorem, **known: str | int) -> float:
    """The single expression of a bound whose constants are suppressed."""
    (case,) = theorem.stated().cases
    return value_at(case.expression, **known)


def line_at(theorem: Theorem, step: str, **known: str | int) -> tuple[float, float, bool]:
    """Left side, right side, and whether the point lies in the line's domain."""
    line = next(each for each in theorem.steps if each.id == step)
    numbers = {letter: Fraction(known[letter.name]) for condition in line.domain for letter in condition.free_symbols}
    with ctx.workprec(128):
        inside = all(evaluate.holds(condition, numbers) for condition in line.domain)
    return value_at(line.left, **known), value_at(line.right, **known), inside
