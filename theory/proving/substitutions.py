"""Rules that put new symbols in the place of old ones: `bound`, `scale`, `log_symbol`, `rename_sum`, `group`, `abstract` of rules.py.

A new symbol's range is a superset of what the old ones allow, so a proof in new symbols is a proof in the old; its meaning goes with it.
Why each is sound: every point of the old set is a point of the new one, at which each new symbol has its meaning as value, and there the
new expression is the old one up to a positive factor. A pole on the rest of the new set does no harm, since nothing is concluded along a
way: the goal says something only where its expression is defined. The checker proves the ranges and compares the expressions.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from banditproof.theory.proving.enclosures import Unknown
from banditproof.theory.proving.goals import (
    Constraint,
    Goal,
    Range,
    Refused,
    dyadic,
    enclosed,
    fresh,
    isolate,
    sign_on,
    symbol_named,
    tidy,
    working_symbol,
)
from banditproof.theory.proving.terms import expression_of, ordered, terms_of

Parameters = Sequence[Any]


def bound(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: the place of a constraint, a symbol, and 'ratio' or 'shift'. Sound since the constraint is what the new range says, and
    the ends of the old symbol's range stay as constraints."""
    place, name, form = parameters
    if not 0 <= int(place) < len(goal.constraints):
        raise Refused("no such constraint")
    constraint, item = goal.constraints[int(place)], symbol_named(goal, name)
    found = isolate(constraint.expression, item, goal.ranges)
    if found is None:
        raise Refused("the constraint cannot be solved for the symbol")
    from_below, value = found
    domain = goal.range_of(item)
    if form == "ratio":
        if sign_on(value, goal.ranges) != 1 or not item.is_nonnegative or (from_below and not item.is_positive):
            raise Refused("a side may be 0")
        reaches_zero = not from_below and not item.is_positive
        new_range = Range(Fraction(0), Fraction(1), not reaches_zero, constraint.strict)
        new = working_symbol(fresh(goal, "u"), new_range)
        instead = value / new if from_below else value * new
        meaning = value / item if from_below else item / value
    else:
        new_range = Range(Fraction(0), math.inf, constraint.strict, True)
        new = working_symbol(fresh(goal, "s"), new_range)
        instead = value + new if from_below else value - new
        meaning = item - value if from_below else value - item
    rest = [other for position, other in enumerate(goal.constraints) if position != int(place)]
    rest += ends_as_constraints(item, domain)
    return [_substituted(goal, {item: instead}, [(new, new_range)], rest, [(new.name, meaning)])]


def ends_as_constraints(item: sympy.Symbol, domain: Range) -> list[Constraint]:
    result = []
    if isinstance(domain.low, Fraction):
        result.append(Constraint(item - sympy.Rational(domain.low.numerator, domain.low.denominator), domain.low_open))
    if isinstance(domain.high, Fraction):
        result.append(Constraint(sympy.Rational(domain.high.numerator, domain.high.denominator) - item, domain.high_open))
    return result


def _substituted(
    goal: Goal,
    instead: dict[sympy.Symbol, sympy.Expr],
    new: list[tuple[sympy.Symbol, Range]],
    constraints: Sequence[Constraint],
    meaning: list[tuple[str, sympy.Expr]],
) -> Goal:
    """The goal in new symbols. Constraints that would be needed to keep other symbols alive are kept; `tidy` shortens them."""
    ranges = tuple(pair for pair in goal.ranges if pair[0] not in instead) + tuple(new)
    changed = tuple(Constraint(logs_apart(item.expression.xreplace(instead)), item.strict) for item in constraints)
    expression = expression_of(terms_of(logs_apart(goal.expression.xreplace(instead))))
    return tidy(replace(goal, expression=expression, ranges=ranges, constraints=changed, meaning=(*goal.meaning, *meaning)))


def scale(goal: Goal, parameters: Parameters) -> list[Goal]:
    """New symbols for independent products. The exponents of the pivot symbols are solved for, exactly. Sound since all factors are > 0,
    and the product's range is enclosed."""
    pivots, products, others = independent_products(goal)
    new, instead, meaning = [], {}, []
    current = goal
    for pivot, product in zip(pivots, products, strict=True):
        found = dyadic(enclosed(product, goal.ranges)) if parameters[:1] != ["free"] else Range(Fraction(0), math.inf, True, True)
        if found.low == 0:
            found = replace(found, low_open=True)
        fresh_symbol = working_symbol(fresh(current, "y"), found)
        if not fresh_symbol.is_positive:
            raise Refused("the product's sign is lost")
        meaning.append((fresh_symbol.name, product))
        current = replace(current, meaning=(*current.meaning, meaning[-1]))
        new.append((fresh_symbol, found))
        instead[pivot] = fresh_symbol * pivot / product  # no other pivot occurs in the product
    constraints = list(goal.constraints)
    for pivot in pivots:
        constraints += ends_as_constraints(pivot, goal.range_of(pivot))
    base = goal.with_expression(expression_of(_over_first(goal)))
    moved = _substituted(base, instead, new, constraints, meaning)
    if moved.expression.free_symbols & set(others):
        raise Refused("a symbol is left")
    return [moved]


def _over_first(goal: Goal) -> dict[Any, Fraction]:
    """The terms divided by the monomial of the first."""
    found = ordered(terms_of(goal.expression))
    first = sympy.Mul(*(atom ** (-exponent) for atom, exponent in found[0][0] if atom.is_positive))
    return terms_of(sympy.expand_mul(expression_of(dict(found)) * first)) if len(found) > 1 else dict(found)


def independent_products(goal: Goal) -> tuple[list[sympy.Symbol], list[sympy.Expr], list[sympy.Symbol]]:
    """Symbols to be replaced, the products that replace them, and the symbols that vanish. Raises Refused if nothing is gained."""
    found = ordered(terms_of(goal.expression))
    bound_up = {
        item for monomial, _ in found for atom, exponent in monomial for item in (atom.free_symbols - {atom}) | exponent.free_symbols
    }
    free = [item for item in goal.used() if item not in bound_up and item.is_positive]
    rows = []
    reference = dict(found[0][0]) if found else {}
    for monomial, _ in found[1:]:
        powers = dict(monomial)
        rows.append([sympy.cancel(powers.get(item, sympy.S.Zero) - reference.get(item, sympy.S.Zero)) for item in free])
    if not rows or not free:
        raise Refused("nothing to scale")
    reduced, places = sympy.Matrix(rows).rref(simplify=sympy.cancel)
    if len(places) >= len(free):
        raise Refused("as many products as symbols")
    products = [
        sympy.Mul(*(item ** reduced[row, column] for column, item in enumerate(free) if reduced[row, column] != 0))
        for row in range(len(places))
    ]
    pivots = [free[place] for place in places]
    return pivots, products, [item for item in free if item not in pivots]


def log_symbol(goal: Goal, parameters: Parameters) -> list[Goal]:
    """x = low exp(L) where low > 0, else x = high exp(-L): the end becomes L = 0. Sound since x is > 0 and L rises or falls with it."""
    item = symbol_named(goal, parameters[0])
    domain = goal.range_of(item)
    new_range = Range(Fraction(0), math.inf, False, True)
    if isinstance(domain.low, Fraction) and domain.low > 0:
        anchor, sign, other, is_open = domain.low, 1, domain.high, domain.low_open
    elif domain.low == 0 and isinstance(domain.high, Fraction) and item.is_positive:
        anchor, sign, other, is_open = domain.high, -1, math.inf, domain.high_open
    else:
        raise Refused("no positive end")
    new_range = replace(new_range, low_open=is_open)
    new = working_symbol(fresh(goal, "L"), new_range)
    instead = sympy.Rational(anchor.numerator, anchor.denominator) * sympy.exp(sign * new)
    constraints = [Constraint(logs_apart(part.expression.xreplace({item: instead})), part.strict) for part in goal.constraints]
    if sign > 0 and isinstance(other, Fraction):
        ratio = other / anchor
        constraints.append(Constraint(sympy.log(sympy.Rational(ratio.numerator, ratio.denominator)) - new, domain.high_open))
    expression = logs_apart(goal.expression.xreplace({item: instead}))
    whole = sympy.Rational(anchor.numerator, anchor.denominator)
    meaning = [(new.name, sympy.log(item / whole) if sign > 0 else sympy.log(whole / item))]
    base = replace(goal, expression=expression, ranges=tuple(pair for pair in goal.ranges if pair[0] != item))
    return [_substituted(base, {}, [(new, new_range)], constraints, meaning)]


def rename_sum(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: the place of a sum under a power or a logarithm, and a symbol that it holds with the coefficient 1. Sound since the
    sum's range is enclosed, and the ends of the old symbol's range stay as constraints."""
    sums, item = sums_inside(goal.expression), symbol_named(goal, parameters[1])
    if not 0 <= int(parameters[0]) < len(sums):
        raise Refused("no such sum")
    whole = sums[int(parameters[0])]
    rest = whole - item
    if item in rest.free_symbols:
        raise Refused("the symbol does not stand alone in the sum")
    try:
        found = dyadic(enclosed(whole, goal.ranges))
    except Unknown:
        found = Range(Fraction(0) if whole.is_positive else -math.inf, math.inf, True, True)
    new = working_symbol(fresh(goal, "z"), found)
    constraints = [*goal.constraints, *ends_as_constraints(item, goal.range_of(item))]
    marked = goal.expression.xreplace({whole: new})
    base = goal.with_expression(marked)
    return [_substituted(base, {item: new - rest}, [(new, found)], constraints, [(new.name, whole)])]


def sums_inside(expression: sympy.Expr) -> list[sympy.Expr]:
    """Sums with symbols under a power that is no small positive integer, or under a logarithm."""
    found = {node.base for node in expression.atoms(sympy.Pow) if node.base.is_Add and not (node.exp.is_Integer and 0 < node.exp < 4)}
    found |= {node.args[0] for node in expression.atoms(sympy.log) if node.args[0].is_Add}
    return sorted((item for item in found if item.free_symbols), key=sympy.default_sort_key)


def logs_apart(expression: sympy.Expr) -> sympy.Expr:
    """log(a b**c) as log(a) + c log(b), for positive a and b."""
    return expression.replace(lambda node: isinstance(node, sympy.log), lambda node: sympy.expand_log(node))


def group(goal: Goal, parameters: Parameters) -> list[Goal]:
    """All logarithms at once. Of several that differ by a constant, the first becomes a symbol, the others multiples of it by a symbol
    with the exact range of the ratio: sound since both ranges are enclosed. With the parameter 'loose' their symbols may occur elsewhere
    too: what ties them is forgotten."""
    logs = sorted(goal.expression.atoms(sympy.log) - _constant_logs(goal.expression), key=sympy.default_sort_key)
    hidden = set().union(*(item.free_symbols for item in logs)) if logs else set()
    marked = {item: sympy.Dummy(positive=True) for item in logs}
    loose = list(parameters) == ["loose"]
    if not logs or (goal.expression.xreplace(marked).free_symbols & hidden and not loose):
        raise Refused("no logarithm, or its symbols occur elsewhere")
    current, instead = goal, {}
    heads: list[tuple[sympy.Expr, sympy.Symbol]] = []
    for item in logs:
        gap, head = _relative(item, heads)
        if head is None:
            found = dyadic(enclosed(logs_apart(item), goal.ranges))
            new, meaning = working_symbol(fresh(current, "l"), found), item
            heads.append((item, new))
            instead[item] = new
        else:
            found = dyadic(enclosed(1 + gap / head, current.ranges))
            new = working_symbol(fresh(current, "v"), found)
            meaning, instead[item] = 1 + gap / head, new * head
        current = replace(current, ranges=(*current.ranges, (new, found)), meaning=(*current.meaning, (new.name, meaning)))
    constraints = [Constraint(part.expression.xreplace(instead), part.strict) for part in goal.constraints]
    kept = [part for part in constraints if loose or not part.expression.free_symbols & hidden]
    ranges = tuple(pair for pair in current.ranges if loose or pair[0] not in hidden)
    expression = expression_of(terms_of(goal.expression.xreplace(instead)))
    return [tidy(replace(current, expression=expression, ranges=ranges, constraints=tuple(kept)))]


def abstract(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: 'atoms' for all that is no symbol in the sum of power products, 'part' and the place of one part whose symbols occur
    nowhere else, or 'root', a symbol and the root that becomes its name. Sound since each new symbol's range is enclosed; what ties the
    parts to each other is forgotten."""
    kind = parameters[0]
    if kind == "root":
        item, degree = symbol_named(goal, parameters[1]), int(parameters[2])
        if not 2 <= degree <= 6 or not item.is_nonnegative:
            raise Refused("no root of a symbol that is >= 0")
        parts = [item ** sympy.Rational(1, degree)]
    elif kind == "atoms":
        found = {atom for monomial in terms_of(goal.expression) for atom, _ in monomial}
        parts = sorted((atom for atom in found if atom.free_symbols and not atom.is_Symbol), key=sympy.default_sort_key)
    else:
        parts = [parts_of(goal.expression)[int(parameters[1])]]
    if not 1 <= len(parts) <= 4:
        raise Refused("no part, or too many")
    current, instead = goal, {}
    for part in parts:
        found_range = dyadic(enclosed(part, goal.ranges))
        new = working_symbol(fresh(current, "a"), found_range)
        instead[part] = new
        current = replace(current, ranges=(*current.ranges, (new, found_range)), meaning=(*current.meaning, (new.name, part)))
    if kind == "root":
        instead = {item: instead[parts[0]] ** degree}
    expression = expression_of(terms_of(terms_expression(goal.expression, kind).xreplace(instead)))
    hidden = set().union(*(part.free_symbols for part in parts)) - expression.free_symbols
    if kind == "part" and expression.free_symbols & parts[0].free_symbols:
        raise Refused("its symbols occur elsewhere")
    kept = tuple(one for one in goal.constraints if not one.expression.free_symbols & hidden)
    ranges = tuple(pair for pair in current.ranges if pair[0] not in hidden)
    return [tidy(replace(current, expression=expression, ranges=ranges, constraints=kept))]


def terms_expression(expression: sympy.Expr, kind: str) -> sympy.Expr:
    return expression_of(terms_of(expression)) if kind == "atoms" else expression


def parts_of(expression: sympy.Expr) -> list[sympy.Expr]:
    """Parts that are no symbols, stand in the expression more than once or under a function, and can be taken for one."""
    found = [node for node in sympy.preorder_traversal(expression) if node.free_symbols and not node.is_Symbol and node != expression]
    under = {part for node in found if not isinstance(node, sympy.Add | sympy.Mul) for part in node.args}
    chosen = {node for node in found if node in under or found.count(node) > 1}
    return sorted(chosen, key=lambda node: (-sympy.count_ops(node), sympy.default_sort_key(node)))


def _constant_logs(expression: sympy.Expr) -> set[sympy.Expr]:
    return {item for item in expression.atoms(sympy.log) if not item.free_symbols}


def _relative(item: sympy.Expr, heads: Sequence[tuple[sympy.Expr, sympy.Symbol]]) -> tuple[sympy.Expr, sympy.Symbol | None]:
    for head, name in heads:
        gap = sympy.expand_log(item) - sympy.expand_log(head)
        if not gap.free_symbols:
            return gap, name
    return sympy.S.Zero, None
