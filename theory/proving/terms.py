"""Expressions as sums of power products: like terms merge, and what is common to all terms can be divided out.

A term is a rational coefficient times atoms to exact powers. Atoms are symbols, prime numbers (for 4**(1/k)), exp(...) and whatever
else cannot be taken apart: logarithms, sums to a power. Exponents may hold symbols, as 1 - 1/k. A product is taken apart under a power
only where its factors are >= 0, as known from the symbols' assumptions.
"""

import functools
from collections.abc import Mapping
from fractions import Fraction

import sympy

from banditproof.theory.proving import effort
from banditproof.theory.proving.sizes import degree, terms_when_expanded

Monomial = frozenset[tuple[sympy.Expr, sympy.Expr]]
Terms = dict[Monomial, Fraction]

LARGEST = 200  # terms of a product that is multiplied out
LONGEST = 80  # bits of an integer that is taken apart completely


def _exponent(value: sympy.Expr) -> sympy.Expr:
    """One form for equal exponents: rational functions of their symbols are cancelled."""
    return value if value.is_Rational else _cancelled(value)


@effort.cached(4096)
def _cancelled(value: sympy.Expr) -> sympy.Expr:
    effort.charge(100)
    if terms_when_expanded(value) > LARGEST or degree(value) > LARGEST:
        return value
    return sympy.cancel(value)


def _times(one: Monomial, two: Monomial) -> tuple[Fraction, Monomial]:
    """A product of monomials, and the rational number that whole powers of primes turn into."""
    powers: dict[sympy.Expr, sympy.Expr] = dict(one)
    for atom, exponent in two:
        powers[atom] = _exponent(powers.get(atom, sympy.S.Zero) + exponent)
    return _settled(powers)


def _settled(powers: Mapping[sympy.Expr, sympy.Expr]) -> tuple[Fraction, Monomial]:
    factor, kept = Fraction(1), []
    for atom, exponent in powers.items():
        if exponent == 0:
            continue
        if isinstance(atom, sympy.Integer):
            whole = int(sympy.floor(exponent)) if exponent.is_Rational else _whole_part(exponent)
            factor *= Fraction(int(atom)) ** whole
            exponent = _exponent(exponent - whole)
            if exponent == 0:
                continue
        kept.append((atom, exponent))
    return factor, frozenset(kept)


def _whole_part(exponent: sympy.Expr) -> int:
    """The integer in an exponent with symbols: 1 of 1 - 1/k."""
    constant = exponent.expand().as_coeff_Add()[0]
    return int(sympy.floor(constant)) if constant.is_Rational else 0


def product(one: Terms, two: Terms) -> Terms:
    effort.charge(len(one) * len(two))
    result: Terms = {}
    for left, a in one.items():
        for right, b in two.items():
            factor, monomial = _times(left, right)
            _put(result, monomial, a * b * factor)
    return result


def _put(terms: Terms, monomial: Monomial, coefficient: Fraction) -> None:
    total = terms.get(monomial, Fraction(0)) + coefficient
    if total:
        terms[monomial] = total
    else:
        terms.pop(monomial, None)


def total(one: Terms, two: Terms) -> Terms:
    result = dict(one)
    for monomial, coefficient in two.items():
        _put(result, monomial, coefficient)
    return result


def number(value: Fraction) -> Terms:
    return {frozenset(): value} if value else {}


def _atom(expression: sympy.Expr, exponent: sympy.Expr = sympy.S.One) -> Terms:
    return {frozenset({(expression, exponent)}): Fraction(1)}


@effort.cached(8192)
def _terms_of(expression: sympy.Expr) -> tuple[tuple[Monomial, Fraction], ...]:
    effort.charge(1)
    return tuple(_taken_apart(expression).items())


def terms_of(expression: sympy.Expr) -> Terms:
    """The expression as a sum of power products."""
    return dict(_terms_of(expression))


def _taken_apart(expression: sympy.Expr) -> Terms:
    match expression:
        case sympy.Rational():
            return number(Fraction(int(expression.p), int(expression.q)))
        case sympy.Add():
            return functools.reduce(total, (terms_of(part) for part in expression.args))
        case sympy.Mul():
            result = number(Fraction(1))
            for part in expression.args:
                factor = terms_of(part)
                if len(result) * len(factor) > LARGEST:
                    factor = _atom(part)
                result = product(result, factor)
            return result
        case sympy.Pow():
            return _powers(expression)
        case sympy.exp():
            return _exponentials(expression)
        case sympy.log() if expression.args[0].is_Rational and expression.args[0] > 0:
            above, below = (primes_of(int(part)).items() for part in (expression.args[0].p, expression.args[0].q))
            primes = [*above, *((prime, -count) for prime, count in below)]
            return functools.reduce(total, (product(number(Fraction(int(count))), _atom(sympy.log(prime))) for prime, count in primes), {})
    return _atom(expression)


def _exponentials(expression: sympy.exp) -> Terms:
    """exp(a + 2 b) as exp(a) exp(b)**2."""
    result = number(Fraction(1))
    for monomial, coefficient in terms_of(expression.args[0]).items():
        atom = sympy.exp(expression_of({monomial: Fraction(1)}))
        result = product(result, _atom(atom, sympy.Rational(coefficient.numerator, coefficient.denominator)))
    return result


def _powers(expression: sympy.Pow) -> Terms:
    base, exponent = terms_of(expression.base), _exponent(expression.exp)
    if not base:
        return _atom(expression)
    if exponent.is_Integer and exponent > 0 and len(base) ** int(exponent) <= LARGEST and exponent <= 6:
        return functools.reduce(product, [base] * int(exponent))
    if len(base) > 1:
        return _power_of_sum(base, exponent)
    ((monomial, coefficient),) = base.items()
    whole = exponent.is_Integer
    if coefficient < 0 and not whole:
        return _atom(expression)
    if not whole and not all(atom.is_nonnegative for atom, _ in monomial):  # where it is defined, (a b)**e is a**e b**e from 0 on
        return _atom(expression_of(base), exponent)
    powers = {atom: _exponent(power * exponent) for atom, power in monomial}
    sign = Fraction(-1) if coefficient < 0 and int(exponent) % 2 else Fraction(1)
    for value, direction in ((abs(coefficient).numerator, 1), (coefficient.denominator, -1)):
        for prime, count in primes_of(value).items():
            atom = sympy.Integer(prime)
            powers[atom] = _exponent(powers.get(atom, sympy.S.Zero) + direction * count * exponent)
    factor, settled = _settled(powers)
    return {settled: sign * factor}


@effort.cached(4096)
def primes_of(value: int) -> dict[int, int]:
    """The prime factors of a positive integer; of a long one, those that trial division finds, and what is left as if it were prime."""
    effort.charge(1 + value.bit_length() // 8)
    if value.bit_length() <= LONGEST:
        return {int(prime): int(count) for prime, count in sympy.factorint(value).items()}
    found = sympy.factorint(value, limit=10_000, use_rho=False, use_pm1=False, use_ecm=False)
    return {int(prime): int(count) for prime, count in found.items()}


def _power_of_sum(base: Terms, exponent: sympy.Expr) -> Terms:
    """A sum to a power, with the symbols that all its terms share taken out where they are positive."""
    common, rest = divided(base)
    if not common or not all(atom.is_positive for atom, _ in common):
        return _atom(expression_of(base), exponent)
    inner = _atom(expression_of(rest), exponent)
    outer = terms_of(sympy.Mul(*(atom ** _exponent(power * exponent) for atom, power in common)))
    return product(outer, inner)


def expression_of(terms: Terms) -> sympy.Expr:
    """The sum as a SymPy expression."""
    effort.charge(2 * len(terms))
    return sympy.Add(
        *(
            sympy.Mul(sympy.Rational(coefficient.numerator, coefficient.denominator), *(atom**exponent for atom, exponent in monomial))
            for monomial, coefficient in terms.items()
        )
    )


def divided(terms: Terms, zero_too: bool = False) -> tuple[Monomial, Terms]:
    """A monomial common to all terms, and the terms over it. Only positive atoms are taken out (with `zero_too` also atoms >= 0, to
    positive powers): least rational exponents, or an exponent with symbols that all terms share."""
    monomials = [dict(monomial) for monomial in terms]
    effort.charge(2 * sum(map(len, monomials)))
    common: dict[sympy.Expr, sympy.Expr] = {}
    for atom in sorted({atom for monomial in monomials for atom in monomial}, key=sympy.default_sort_key):
        if isinstance(atom, sympy.Integer) or not (atom.is_positive or (zero_too and atom.is_nonnegative)):
            continue
        exponents = [monomial.get(atom, sympy.S.Zero) for monomial in monomials]
        over = [_exponent(exponent - exponents[0]) for exponent in exponents]
        if not all(item.is_Rational for item in over):
            continue
        least = _exponent(exponents[0] + min(over))
        if least != 0 and (atom.is_positive or (least.is_Rational and least > 0)):
            common[atom] = least
    if not common:
        return frozenset(), terms
    shared = frozenset((atom, -exponent) for atom, exponent in common.items())
    return frozenset(common.items()), product(terms, {shared: Fraction(1)})


def ordered(terms: Terms) -> list[tuple[Monomial, Fraction]]:
    """The terms in an order that does not depend on hashes."""
    return sorted(terms.items(), key=lambda item: (sorted(map(sympy.default_sort_key, (a**e for a, e in item[0])), key=repr), item[1]))
