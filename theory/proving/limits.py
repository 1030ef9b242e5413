"""The limit of an expression as one symbol goes to an end of its range, node by node: every undetermined form raises Refused."""

import math
from fractions import Fraction

import sympy

from banditproof.theory.proving.goals import (
    Range,
    Refused,
    sign_on,
)

Ranges = tuple[tuple[sympy.Symbol, Range], ...]


def at_end(expression: sympy.Expr, item: sympy.Symbol, value: Fraction | float, ranges: Ranges) -> sympy.Expr:
    """The limit of the expression as the symbol goes to the number or the infinity, node by node. Raises Refused on 0/0 and its kin."""
    point = (sympy.oo if value > 0 else -sympy.oo) if isinstance(value, float) else sympy.Rational(value.numerator, value.denominator)
    result = _limit(expression, item, point, tuple(pair for pair in ranges if pair[0] != item))
    if result in (sympy.oo, -sympy.oo):
        raise Refused("no finite limit")
    return result


def _limit(node: sympy.Expr, item: sympy.Symbol, point: sympy.Expr, ranges: Ranges) -> sympy.Expr:
    """Infinities are passed upwards as SymPy's oo; a form that is not determined raises Refused."""
    if item not in node.free_symbols:
        return node
    if node == item:
        return point
    parts = [_limit(part, item, point, ranges) for part in node.args]
    infinite = [part for part in parts if part in (sympy.oo, -sympy.oo)]
    match node:
        case sympy.Add():
            if len(set(infinite)) > 1:
                raise Refused("infinity - infinity")
            return infinite[0] if infinite else sympy.Add(*parts)
        case sympy.Mul():
            if not infinite:
                return sympy.Mul(*parts)
            signs = [1 if part == sympy.oo else -1 if part == -sympy.oo else sign_on(part, ranges) for part in parts]
            if 0 in signs:
                raise Refused("infinity times what may be 0")
            return sympy.oo * math.prod(signs)
        case sympy.Pow():
            return _limit_of_power(parts[0], parts[1], ranges)
    (inner, *others) = parts
    if others:
        raise Refused(f"no limit of {type(node).__name__}")
    return _limit_of_function(node, inner, ranges)


def _limit_of_power(base: sympy.Expr, exponent: sympy.Expr, ranges: Ranges) -> sympy.Expr:
    if exponent in (sympy.oo, -sympy.oo):
        raise Refused("an infinite exponent")
    direction = sign_on(exponent, ranges)
    if base == 0 or base == sympy.oo:
        if direction > 0:
            return base
        if direction < 0 and base == sympy.oo:
            return sympy.S.Zero
        raise Refused("0 or infinity to a power that is not positive")
    if base == -sympy.oo:
        raise Refused("a power of -infinity")
    side = sign_on(base, ranges)
    if side == 1 or (side == -1 and exponent.is_Integer):
        return base**exponent
    if direction > 0 and (exponent.is_Integer or sign_on(base, ranges, strict=False) == 1):
        return base**exponent
    raise Refused("a power of what may be 0 or less")


def _limit_of_function(node: sympy.Expr, inner: sympy.Expr, ranges: Ranges) -> sympy.Expr:
    ends: dict[type, tuple[sympy.Expr | None, sympy.Expr | None]] = {
        sympy.exp: (sympy.S.Zero, sympy.oo),
        sympy.tanh: (-sympy.S.One, sympy.S.One),
        sympy.erf: (-sympy.S.One, sympy.S.One),
        sympy.erfc: (sympy.Integer(2), sympy.S.Zero),
        sympy.sinh: (-sympy.oo, sympy.oo),
        sympy.cosh: (sympy.oo, sympy.oo),
        sympy.log: (None, sympy.oo),
    }
    if inner in (sympy.oo, -sympy.oo):
        limit = ends.get(type(node), (None, None))[inner == sympy.oo]
        if limit is None:
            raise Refused(f"no limit of {type(node).__name__}")
        return limit
    if isinstance(node, sympy.log):
        if inner == 0:
            return -sympy.oo
        if sign_on(inner, ranges) != 1:
            raise Refused("the logarithm of what may be 0")
    elif type(node) not in ends:
        raise Refused(f"no limit of {type(node).__name__}")
    return node.func(inner)
