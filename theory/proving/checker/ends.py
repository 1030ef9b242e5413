"""Derivatives, and limits at the ends of a range."""

import math
from dataclasses import replace
from fractions import Fraction

import sympy

from banditproof.theory.proving import effort
from banditproof.theory.proving.algebra import Algebra, constant
from banditproof.theory.proving.checker.definedness import demands, is_plain
from banditproof.theory.proving.checker.derivations import require
from banditproof.theory.proving.checker.sets import Known


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
        if all(is_plain(reached, base, strict) for base, strict in demands(expression)):
            here = Algebra(inner.box, {item.name: (constant(value), number)})
            wanted = algebra.form(face)
            same = algebra.same(here.form(expression), wanted) or algebra.same(here.form(expression.xreplace({item: number})), wanted)
            require(same, "not the value at the end")
            return
    else:
        number = sympy.oo if value > 0 else -sympy.oo
    plain = inner.algebra
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
        return 1 if is_plain(known, part, True) else -1 if is_plain(known, -part, True) else 0

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
            sign(base) > 0 or (sign(base) < 0 and bool(exponent.is_Integer)) or (sign(exponent) > 0 and is_plain(known, base, False)),
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
