"""Where an expression is defined, and differentiable."""

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from banditproof.theory.proving.algebra import Beyond, times
from banditproof.theory.proving.checker.derivations import Derivation, Rejected, require
from banditproof.theory.proving.checker.sets import Known, follows, mapped
from banditproof.theory.proving.enclosures import Enclosure, Interval, Unknown
from banditproof.theory.proving.goals import Range


def demands(node: sympy.Expr, item: sympy.Symbol | None = None) -> Iterator[tuple[sympy.Expr, bool]]:
    """What must be >= 0 (> 0) for the expression to be defined; with a symbol, for it to be differentiable by it as well."""
    for part in sympy.preorder_traversal(node):
        if isinstance(part, sympy.Pow) and part.base != sympy.E:
            base, exponent = part.args
            if exponent.is_Integer:
                if exponent < 0:
                    yield base, None  # type: ignore[misc]
            elif item is not None and item.name in {one.name for one in base.free_symbols}:
                yield base, True
            elif exponent.is_Rational and exponent > 0:
                yield base, False
            elif exponent.is_Rational:
                yield base, True
            else:
                yield base, True if item is not None else exponent
        elif isinstance(part, sympy.log | sympy.gamma):
            yield part.args[0], True
        elif isinstance(part, sympy.polygamma):
            require(part.args[0] == 0, "a polygamma function")
            yield part.args[1], True
        elif isinstance(part, sympy.zeta):
            require(len(part.args) == 2, "a zeta function without its start")
            yield part.args[0] - 1, True
            yield part.args[1], True
        elif not isinstance(
            part,
            sympy.Add
            | sympy.Mul
            | sympy.Pow
            | sympy.Symbol
            | sympy.Rational
            | sympy.exp
            | sympy.erf
            | sympy.erfc
            | sympy.sinh
            | sympy.cosh
            | sympy.tanh,
        ):
            require(part in (sympy.pi, sympy.E), f"{type(part).__name__} is not an allowed node")


def enclosed(expression: sympy.Expr, box: dict[str, Range]) -> Interval | None:
    """An enclosure of the expression as it is written."""
    items = sorted(expression.free_symbols, key=lambda item: item.name)
    try:
        return Enclosure(expression, items).intervals([box[item.name].interval() for item in items])
    except (Unknown, KeyError):
        return None


def is_plain(known: Known, expression: sympy.Expr, strict: Any) -> bool:
    """Whether the demand is met, seen from the ranges (and single constraints) alone. `strict` None asks for != 0; an exponent asks for
    > 0, or >= 0 where the exponent is > 0."""
    if strict is None:
        if is_plain(known, expression, True):
            return True
        return is_plain(known, -expression, True)
    if isinstance(strict, sympy.Basic):
        return is_plain(known, expression, True) or (is_plain(known, strict, True) and is_plain(known, expression, False))
    found = enclosed(expression, known.box)
    if found is not None and (found.positive if strict else found.nonnegative):
        return True
    try:
        form = known.algebra.form(expression)
    except Beyond:
        return False
    return follows(known, known.algebra, form, strict)


def require_defined(known: Known, expression: sympy.Expr, item: sympy.Symbol | None, given: Sequence[Derivation]) -> None:
    """Requires that the expression is defined on the whole set (with a symbol: differentiable at the inner points of its range), from
    the ranges, or by one of the derivations, which the caller walks."""
    place = known if item is None else known.opened(item.name)
    for base, strict in demands(expression, item):
        if is_plain(place, base, strict):
            continue
        require(any(meets(place, base, strict, derivation) for derivation in given), f"not shown to be defined: {base}")


def meets(known: Known, base: sympy.Expr, strict: Any, derivation: Derivation) -> bool:
    goal = derivation.goal
    if not goal.strict and strict is not False:
        return False
    try:
        _, algebra = mapped(known, goal)
        wanted, form = algebra.form(base), algebra.form(goal.expression)
        if algebra.multiple(wanted, form):
            return True
        return strict is None and (
            algebra.same(form, times(wanted, wanted)) or algebra.multiple({one: -value for one, value in wanted.items()}, form)
        )
    except (Beyond, Rejected):
        return False
