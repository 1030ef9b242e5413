"""How large an expression is for SymPy's polynomials, told before they are asked: they would take minutes, or all memory.

Main definitions
    terms_when_expanded  at most so many terms when it is multiplied out
    degree               at most so high a degree, roots and exponentials taken as generators
"""

import math

import sympy

MOST = 10**6


def terms_when_expanded(node: sympy.Expr) -> int:
    """At most so many terms, like ones not taken together but in powers of a sum; at most MOST."""
    match node:
        case sympy.Add():
            return min(MOST, sum(map(terms_when_expanded, node.args)))
        case sympy.Mul():
            return min(MOST, math.prod(map(terms_when_expanded, node.args)))
        case sympy.Pow() if node.exp.is_Integer and not node.base.is_Symbol:
            inside, power = terms_when_expanded(node.base), abs(int(node.exp))
            return 1 if inside == 1 else MOST if power > 100 else min(MOST, math.comb(inside + power - 1, power))
    return 1


def degree(node: sympy.Expr) -> int:
    """At most so high a degree in one generator: x**(p/q) is a power of the root that all exponents of powers share, and exp(p/q ...) a
    power of the exponential that all of them share, which for a long p/q has a degree of as many digits."""
    powers = [part.exp for part in node.atoms(sympy.Pow) if part.exp.is_Rational and part.base != sympy.E]
    inside = [term.as_coeff_Mul()[0] for part in node.atoms(sympy.exp) for term in sympy.Add.make_args(part.args[0])]
    return max(_common(powers), _common([part for part in inside if part.is_Rational]))


def _common(numbers: list[sympy.Rational]) -> int:
    """The largest of the numbers, in units of their common denominator."""
    if not numbers:
        return 1
    common = math.lcm(*(int(number.q) for number in numbers))
    return max(abs(int(number.p)) * (common // int(number.q)) for number in numbers)
