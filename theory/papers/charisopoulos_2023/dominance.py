r"""Which of several rates is smallest where: exact regions on logarithmic axes.

Main definitions
    Rate             a sum of monomials in the axes; on logarithmic axes, the largest of them up to a factor of their number
    rate_of          the rate that an expression states
    Region           where one rate is smallest: all clauses hold, and of each clause one comparison of two monomials
    smallest_where   the region of each of some rates, reduced to what the domain and the other clauses leave open

How it works
    On logarithmic axes a monomial is linear and a <= b is the half-space of the exponents of a/b. A rate is the largest of its monomials,
    so A is at most B where each monomial of A is at most some monomial of B: a conjunction of disjunctions. Whether such comparisons can
    hold together is decided by Fourier-Motzkin elimination on fractions, which is exact. Coefficients of monomials do not matter to a
    rate, and what has a logarithm is no rate here.
"""

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import sympy

from banditproof.glossary import DIMENSION, EPSILON, HORIZON, Quantity
from banditproof.glossary.charisopoulos_2023 import CORRUPTION
from banditproof.theory.language import symbol

Row = tuple[int, ...]  # exponents x along the axes of a quotient a/b; the comparison a <= b is x . log(axes) <= 0
Clause = tuple[Row, ...]

AXES: tuple[Quantity, ...] = (DIMENSION, HORIZON, CORRUPTION, EPSILON)
WITHIN: tuple[sympy.Rel, ...] = (
    sympy.Gt(symbol(DIMENSION), 1, evaluate=False),
    sympy.Gt(symbol(HORIZON), 1, evaluate=False),
    sympy.Lt(symbol(CORRUPTION), 1, evaluate=False),
)


@dataclass(frozen=True, slots=True)
class Rate:
    """The largest of some monomials, each by its exponents along the axes."""

    monomials: tuple[tuple[Fraction, ...], ...]


def rate_of(expression: sympy.Expr) -> Rate:
    """The rate of a sum of products of powers of the axes. Raises ValueError for any other term, and for one that is not positive."""
    return Rate(tuple(dict.fromkeys(_exponents(term) for term in sympy.Add.make_args(sympy.expand(expression)))))


def _exponents(term: sympy.Expr) -> tuple[Fraction, ...]:
    powers = dict.fromkeys(map(symbol, AXES), Fraction(0))
    for base, power in sympy.powdenest(term, force=True).as_powers_dict().items():
        if base.is_number and base.is_positive and power.is_number:
            continue
        if base not in powers or not power.is_Rational:
            names = ", ".join(quantity.name for quantity in AXES)
            raise ValueError(f"{term}: must be a positive number times rational powers of {names}")
        powers[base] += Fraction(int(power.p), int(power.q))
    return tuple(powers.values())


@dataclass(frozen=True, slots=True)
class Region:
    """Where one rate is at most all others, up to a constant: every clause holds. `empty` where nothing in the domain satisfies them."""

    clauses: tuple[Clause, ...]
    empty: bool = False

    def condition(self) -> sympy.logic.boolalg.Boolean:
        """The region as a formula in the symbols of the axes, such as corruption*dimension**2 >= 1 | corruption*horizon <= 1."""
        if self.empty:
            return sympy.false
        return sympy.And(*(sympy.Or(*map(_comparison, clause)) for clause in self.clauses))

    def holds(self, logarithms: Sequence[Fraction | int]) -> bool:
        """Whether the point with these logarithms of the axes lies in it. Raises ValueError unless there is one per axis."""
        if len(logarithms) != len(AXES):
            raise ValueError(f"{len(logarithms)} logarithms: must be {len(AXES)}, one per axis")
        return not self.empty and all(any(_dot(row, logarithms) <= 0 for row in clause) for clause in self.clauses)


def smallest_where(rates: Mapping[str, Rate], within: Iterable[sympy.Rel] = WITHIN) -> dict[str, Region]:
    """Where each rate is smallest, ties included, in the domain `within` of comparisons of monomials (d > 1, T > 1, alpha < 1)."""
    domain = tuple(_bounds(relation) for relation in within)
    return {name: _region(rate, [other for key, other in rates.items() if key != name], domain) for name, rate in rates.items()}


# --- comparisons ----------------------------------------------------------------------------------------------------------------------

Bounds = tuple[Row, bool]  # x . log(axes) <= 0, or < 0 where the second entry is True


def _bounds(relation: sympy.Rel) -> Bounds:
    """A comparison of two monomials with coefficients 1 as a row. Raises ValueError for any other relation."""
    if not isinstance(relation, sympy.Le | sympy.Lt | sympy.Ge | sympy.Gt):
        raise ValueError(f"{relation}: must be a comparison of two monomials by <, <=, > or >=")
    if any(side.as_coeff_Mul()[0] != 1 for side in (relation.gts, relation.lts)):
        raise ValueError(f"{relation}: must have no coefficients, which a rate does not see")
    row = _quotient(_exponents(relation.lts), _exponents(relation.gts))
    return row, isinstance(relation, sympy.Lt | sympy.Gt)


def _quotient(one: Sequence[Fraction], two: Sequence[Fraction]) -> Row:
    return _whole([left - right for left, right in zip(one, two, strict=True)])


def _whole(exponents: Sequence[Fraction]) -> Row:
    """The multiple with coprime whole numbers, by a positive factor."""
    over = lcm(*(number.denominator for number in exponents))
    numbers = [int(number * over) for number in exponents]
    return tuple(number // (gcd(*numbers) or 1) for number in numbers)


def _comparison(row: Row) -> sympy.logic.boolalg.Boolean:
    letters = list(map(symbol, AXES))
    above = sympy.Mul(*(letter**power for letter, power in zip(letters, row, strict=True) if power > 0))
    below = sympy.Mul(*(letter**-power for letter, power in zip(letters, row, strict=True) if power < 0))
    return sympy.Ge(below, above) if above == 1 else sympy.Le(above, below)


def _dot(row: Row, point: Sequence[Fraction | int]) -> Fraction:
    return sum((Fraction(number) * value for number, value in zip(row, point, strict=True)), Fraction(0))


def _opposite(row: Row) -> Bounds:
    """Where the comparison fails."""
    return tuple(-number for number in row), True


# --- regions --------------------------------------------------------------------------------------------------------------------------


def _region(rate: Rate, others: Iterable[Rate], domain: tuple[Bounds, ...]) -> Region:
    raw = (tuple(_quotient(one, two) for two in other.monomials) for other in others for one in rate.monomials)
    clauses = [_sorted(set(clause)) for clause in raw if not any(all(number == 0 for number in row) for row in clause)]
    clauses = sorted({kept for clause in clauses if (kept := _open(clause, domain)) is not None}, key=lambda clause: (len(clause), clause))
    if not _satisfiable(domain, clauses):
        return Region((), empty=True)
    while (reduced := _reduced(clauses, domain)) != clauses:  # a clause that became shorter may make another one follow
        clauses = reduced
    return Region(tuple(clauses))


def _reduced(clauses: list[Clause], domain: tuple[Bounds, ...]) -> list[Clause]:
    """The clauses without those that follow from the others and the domain, and each without comparisons that the others exclude."""
    place = 0
    while place < len(clauses):
        rest = clauses[:place] + clauses[place + 1 :]
        if not _satisfiable((*domain, *map(_opposite, clauses[place])), rest):
            clauses = rest
            continue
        clauses = [*rest[:place], _needed(clauses[place], rest, domain), *rest[place:]]
        place += 1
    return clauses


def _open(clause: Clause, domain: tuple[Bounds, ...]) -> Clause | None:
    """The comparisons of a clause that can hold in the domain; None where one of them always does."""
    if any(not _feasible((*domain, _opposite(row))) for row in clause):
        return None
    return tuple(row for row in clause if _feasible((*domain, (row, False))))


def _needed(clause: Clause, rest: list[Clause], domain: tuple[Bounds, ...]) -> Clause:
    """The comparisons of a clause without which it would say more, where the domain and the rest hold."""
    kept = list(clause)
    for row in clause:
        without = [other for other in kept if other != row]
        if not _satisfiable((*domain, (row, False), *map(_opposite, without)), rest):
            kept = without
    return tuple(kept)


def _sorted(rows: Iterable[Row]) -> Clause:
    return tuple(sorted(rows))


def _satisfiable(bounds: tuple[Bounds, ...], clauses: Sequence[Clause]) -> bool:
    """Whether some point satisfies all bounds and one comparison of each clause."""
    bounds = tuple(dict.fromkeys(bounds))
    if not _feasible(bounds):
        return False
    left = [clause for clause in clauses if not any((row, strict) in bounds for row in clause for strict in (True, False))]
    if not left:
        return True
    return any(_satisfiable((*bounds, (row, False)), left[1:]) for row in left[0])


def _feasible(bounds: Iterable[Bounds]) -> bool:
    """Whether some point satisfies all bounds."""
    return _eliminated(frozenset(bounds))


@functools.lru_cache(maxsize=1 << 16)
def _eliminated(bounds: frozenset[Bounds]) -> bool:
    """Fourier-Motzkin elimination, one axis after the other."""
    rows = set(bounds)
    for axis in range(len(AXES)):
        upper = [(row, strict) for row, strict in rows if row[axis] > 0]
        lower = [(row, strict) for row, strict in rows if row[axis] < 0]
        rows = {(row, strict) for row, strict in rows if row[axis] == 0}
        for (one, first), (two, second) in itertools.product(upper, lower):
            added = [Fraction(left, one[axis]) - Fraction(right, two[axis]) for left, right in zip(one, two, strict=True)]
            rows.add((_whole(added), first or second))
    return not any(strict for _, strict in rows)
