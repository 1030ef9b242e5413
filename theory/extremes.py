r"""Cases that are a maximum or a minimum, recognised for display.

Bounds are stored by cases, each smooth where it applies. Where the cases say no more than "the largest (smallest) of these", a reader wants
max(a, b): `shown` finds these by the form of the conditions and gives cases in which a symbol stands for the maximum.

Implementation notes
    A group of cases is collapsed where the conditions compare one entry of each case with those of all others, the rest of the conditions
    (the guard) is common to all, and the expressions are one function of the entries, which stand nowhere else in it. Two cases are
    collapsed as well where their quotient is a power of that of the two compared sides: then the condition says which expression is larger.
    A case that is marked as ours is never collapsed with one that is not, nor is a number: it says where the other case says nothing.
    This is repeated, so that a grid of cases in two quantities becomes one expression.
"""

import functools
from dataclasses import dataclass

import sympy

from banditproof.theory.language import Case


@dataclass(frozen=True, slots=True)
class Extreme:
    """The largest or the smallest of some entries, and the symbol that stands for it."""

    word: str  # "max" or "min"
    entries: tuple[sympy.Expr, ...]
    symbol: sympy.Symbol


@dataclass(frozen=True, slots=True)
class Shown:
    """One case as it is shown. `added` are the findings that say why a case is ours."""

    condition: sympy.logic.boolalg.Boolean
    expression: sympy.Expr
    added: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases as they are shown, and the maxima in them, innermost first."""

    rows: tuple[Shown, ...]
    extremes: tuple[Extreme, ...] = ()

    def exact(self) -> tuple[Shown, ...]:
        """The rows with SymPy's Max and Min, for evaluation."""
        meaning: dict[sympy.Symbol, sympy.Expr] = {}
        for item in self.extremes:
            kind = sympy.Max if item.word == "max" else sympy.Min
            meaning[item.symbol] = kind(*(entry.xreplace(meaning) for entry in item.entries), evaluate=False)
        return tuple(Shown(row.condition.xreplace(meaning), row.expression.xreplace(meaning), row.added) for row in self.rows)


@functools.lru_cache(maxsize=1024)  # more than there are bounds
def shown(cases: tuple[Case, ...]) -> Cases:
    """The cases of a bound, each group that is a maximum or a minimum as one."""
    rows = tuple(Shown(case.condition, case.expression, (case.added,) if case.added else ()) for case in cases)
    found: dict[tuple[str, tuple[sympy.Expr, ...]], Extreme] = {}
    while (collapsed := _once(rows, found)) is not None:
        rows = collapsed
    return Cases(rows, tuple(found.values()))


_Found = dict[tuple[str, tuple[sympy.Expr, ...]], Extreme]


def _once(rows: tuple[Shown, ...], found: _Found) -> tuple[Shown, ...] | None:
    """The rows with the first group that can be collapsed as one row; None if there is none."""
    for size in range(len(rows), 1, -1):
        for start in range(len(rows) - size + 1):
            if (row := _collapsed(rows[start : start + size], found)) is not None:
                return (*rows[:start], row, *rows[start + size :])
    return None


def _collapsed(rows: tuple[Shown, ...], found: _Found) -> Shown | None:
    if any(row.added != rows[0].added or row.expression.is_number for row in rows):
        return None
    parts = [frozenset(sympy.And.make_args(row.condition)) for row in rows]
    guard = frozenset.intersection(*parts)
    pairs = [_pairs(part - guard) for part in parts]
    power = _power(rows, pairs)
    whole = None
    if power is None or (power.is_Rational and power > 0):
        whole = _of_all(rows, pairs, found)
    if whole is None and power is not None:
        whole = _symbol("max" if power.is_positive else "min", [row.expression for row in rows], found)
    if whole is None:
        return None
    kept = [part for part in sympy.And.make_args(rows[0].condition) if part in guard]
    return Shown(sympy.And(*kept), whole, rows[0].added)


_Pairs = frozenset[tuple[sympy.Expr, sympy.Expr]] | None


def _pairs(conditions: frozenset[sympy.Basic]) -> _Pairs:
    """(smaller, larger) of each comparison; None where something else is among the conditions."""
    found = set()
    for item in conditions:
        if isinstance(item, sympy.Le | sympy.Lt):
            found.add((item.lhs, item.rhs))
        elif isinstance(item, sympy.Ge | sympy.Gt):
            found.add((item.rhs, item.lhs))
        else:
            return None
    return frozenset(found)


def _of_all(rows: tuple[Shown, ...], pairs: list[_Pairs], found: _Found) -> sympy.Expr | None:
    """Where each case compares its entry with those of all others and the expressions are one function of the entries."""
    for word, own in (("max", 1), ("min", 0)):
        entries = [_only({pair[own] for pair in compared or ()}) for compared in pairs]
        known = [entry for entry in entries if entry is not None]
        if len(known) != len(rows) or any(
            {pair[1 - own] for pair in compared or ()} != set(known[:place] + known[place + 1 :]) for place, compared in enumerate(pairs)
        ):
            continue
        whole = _one_function(rows, known, word, found)
        if whole is not None:
            return whole
    return None


def _only(entries: set[sympy.Expr]) -> sympy.Expr | None:
    return entries.pop() if len(entries) == 1 else None


def _one_function(rows: tuple[Shown, ...], entries: list[sympy.Expr], word: str, found: _Found) -> sympy.Expr | None:
    """The function of the entries that the expressions are, at their maximum or minimum."""
    for row, entry in zip(rows, entries, strict=True):
        if entry.is_number or not row.expression.has(entry):
            continue
        rest = row.expression.xreplace({entry: sympy.Dummy()})
        if any(not each.is_number and rest.has(each) for each in entries):
            continue
        if all(row.expression.xreplace({entry: other}) == each.expression for each, other in zip(rows, entries, strict=True)):
            return row.expression.xreplace({entry: _symbol(word, entries, found)})
    if any(entry == 0 for entry in entries):
        return None
    factors = {row.expression / entry for row, entry in zip(rows, entries, strict=True)}
    return factors.pop() * _symbol(word, entries, found) if len(factors) == 1 else None


def _power(rows: tuple[Shown, ...], pairs: list[_Pairs]) -> sympy.Expr | None:
    """The power of (larger side/smaller side) that the quotient of two cases is: above 0 for a maximum, below 0 for a minimum. Sides and
    expressions are taken to be positive, as bounds are, unless SymPy knows better."""
    if len(rows) != 2 or pairs[0] is None or pairs[1] is None or len(pairs[0]) != 1:
        return None
    ((smaller, larger),) = pairs[0]
    if pairs[1] not in (frozenset({(larger, smaller)}), frozenset()):
        return None
    one, other = rows[0].expression, rows[1].expression
    if 0 in (one, other, smaller, larger) or any(each.is_negative for each in (one, other, smaller, larger)):
        return None
    logarithms: dict[sympy.Basic, sympy.Basic] = {}
    for item in sympy.Tuple(one, other, larger, smaller).atoms(sympy.log):
        logarithms[item] = sympy.Dummy(positive=True)  # xreplace replaces the outermost
    quotient, sides = (sympy.expand_log(sympy.log(each.xreplace(logarithms)), force=True) for each in (one / other, larger / smaller))
    if sides == 0 or _in_logarithms(quotient) != _in_logarithms(sides):  # then a logarithm is left, which takes seconds to find
        return None
    power = sympy.cancel(quotient / sides)
    return None if power.has(sympy.log) or bool(power.is_positive) is bool(power.is_negative) else power


def _in_logarithms(expression: sympy.Expr) -> set[sympy.Basic]:
    """The symbols that logarithms are taken of."""
    return set[sympy.Basic]().union(*(item.free_symbols for item in expression.atoms(sympy.log)))


def _symbol(word: str, entries: list[sympy.Expr], found: _Found) -> sympy.Symbol:
    """One symbol for one maximum, with the sign that its entries have; its name is the maximum in words."""
    key = (word, tuple(entries))
    if key not in found:
        name = f"{word}({', '.join(str(entry) for entry in entries)})"
        signs = {"positive": True} if all(entry.is_positive for entry in entries) else {"real": True}
        found[key] = Extreme(word, key[1], sympy.Symbol(name, **signs))
    return found[key].symbol
