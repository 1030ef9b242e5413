"""Derivatives of whitelisted expressions. SymPy's own asks so many questions about assumptions that it takes seconds on long ones."""

import sympy

from banditproof.theory.proving import effort
from banditproof.theory.proving.enclosures import Unknown


@effort.cached(1 << 14)
def derivative(node: sympy.Expr, item: sympy.Symbol) -> sympy.Expr:
    """The derivative by a symbol. Raises Unknown for a node outside the whitelist."""
    if item not in node.free_symbols:
        return sympy.S.Zero
    if node == item:
        return sympy.S.One
    effort.charge(2)
    parts = [derivative(part, item) for part in node.args]
    match node:
        case sympy.Add():
            return sympy.Add(*parts)
        case sympy.Mul():
            return sympy.Add(
                *(sympy.Mul(*node.args[:place], part, *node.args[place + 1 :]) for place, part in enumerate(parts) if part != 0)
            )
        case sympy.Pow():
            base, exponent = node.args
            by_base = exponent * base ** (exponent - 1) * parts[0]
            return by_base if parts[1] == 0 else by_base + sympy.log(base) * node * parts[1]
        case sympy.zeta() if len(node.args) == 2 and parts[0] == 0:
            return -node.args[0] * sympy.zeta(node.args[0] + 1, node.args[1]) * parts[1]
    if isinstance(node, sympy.polygamma) and node.args[0] == 0:
        return sympy.zeta(2, node.args[1]) * parts[1]
    if len(parts) != 1:
        raise Unknown(f"no derivative of {type(node).__name__}")
    return _outer(node, node.args[0]) * parts[0]


def _outer(node: sympy.Expr, inner: sympy.Expr) -> sympy.Expr:
    match node:
        case sympy.exp():
            return node
        case sympy.log():
            return 1 / inner
        case sympy.tanh():
            return 1 - node**2
        case sympy.sinh():
            return sympy.cosh(inner)
        case sympy.cosh():
            return sympy.sinh(inner)
        case sympy.erf():
            return 2 * sympy.exp(-(inner**2)) / sympy.sqrt(sympy.pi)
        case sympy.erfc():
            return -2 * sympy.exp(-(inner**2)) / sympy.sqrt(sympy.pi)
        case sympy.gamma():
            return node * sympy.polygamma(0, inner)
    raise Unknown(f"no derivative of {type(node).__name__}")
