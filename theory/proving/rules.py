"""The rules by which a goal follows from others. A proof is a tree of them; only what stands here and in boxes.py has to be right.

Main definitions
    Refused     a rule does not apply: the goal is not of its form, or what it needs is not plain
    RULES       name -> rule: (goal, parameters) -> the goals from which it follows (none: it is proved)

    empty       no value satisfies the ranges
    zero        the sum of terms is empty, and the claim is not strict
    terms       every term is >= 0
    direct      the range of the expression over the whole box, by interval arithmetic
    divide      by a positive monomial that all terms share
    factors     the expression is a product: each factor that stands to an odd power has a sign
    monotone    rising (falling) in a symbol: the derivative has a sign, and the claim holds at the low (high) end
    concave     in a symbol with finite ends: the second derivative is <= 0, and the claim holds at both ends
    logarithms  of both sides, where one positive and one negative term stand against each other
    split       a range at a number
    order       one symbol is at most another, or at least
    bound       a constraint x >= g becomes x = g/u (x <= g: x = g u) with u in (0, 1], or x = g + s (g - s) with s >= 0
    scale       symbols that occur in products only are replaced by as many new ones as there are independent products
    log_symbol  a symbol that occurs under logarithms only is replaced by an exponential
    rename_sum  a sum under a power or a logarithm becomes a symbol, in the place of one of its own
    group       logarithms whose symbols occur nowhere else become symbols, with their exact range; ratios keep theirs
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from banditproof.theory.proving.derivatives import derivative
from banditproof.theory.proving.enclosures import Unknown
from banditproof.theory.proving.goals import (
    Constraint,
    Goal,
    Range,
    dyadic,
    enclosed,
    fresh,
    isolate,
    sign_on,
    tidy,
    working_symbol,
)
from banditproof.theory.proving.terms import divided, expression_of, ordered, terms_of

Parameters = Sequence[Any]
Ranges = tuple[tuple[sympy.Symbol, Range], ...]


class Refused(Exception):
    """The rule does not apply here."""


def symbol_named(goal: Goal, name: str) -> sympy.Symbol:
    for item in goal.symbols:
        if item.name == name:
            return item
    raise Refused(f"no symbol {name}")


# --- rules that close a goal -------------------------------------------------------------------------------------------------------


def zero(goal: Goal, parameters: Parameters) -> list[Goal]:
    if goal.strict or (terms_of(goal.expression) and not _cancels(goal.expression)):
        raise Refused("not zero")
    return []


def _cancels(expression: sympy.Expr) -> bool:
    """Whether the sum is 0 over one denominator."""
    if expression.is_Rational or sympy.count_ops(expression) > 150 or not any(power.is_negative for power in _exponents(expression)):
        return False
    try:
        return bool(sympy.cancel(sympy.together(expression)) == 0)
    except (sympy.PolynomialError, NotImplementedError):
        return False


def empty(goal: Goal, parameters: Parameters) -> list[Goal]:
    if not any(domain.empty for _, domain in goal.ranges):
        raise Refused("no range is empty")
    return []


def terms(goal: Goal, parameters: Parameters) -> list[Goal]:
    found = terms_of(goal.expression)
    if not found or any(coefficient < 0 for coefficient in found.values()):
        raise Refused("a term is subtracted")
    for monomial in found:
        for atom, exponent in monomial:
            if sign_on(atom, goal.ranges) != 1 and not (not goal.strict and atom.is_nonnegative and exponent.is_positive):
                raise Refused(f"the sign of {atom} is not plain")
    return []


def direct(goal: Goal, parameters: Parameters) -> list[Goal]:
    if sign_on(goal.expression, goal.ranges, goal.strict) != 1:
        raise Refused("the range reaches below 0")
    return []


# --- rules that change the expression ----------------------------------------------------------------------------------------------


def divide(goal: Goal, parameters: Parameters) -> list[Goal]:
    _, rest = divided(terms_of(goal.expression), zero_too=not goal.strict)
    return [goal.with_expression(expression_of(rest))]


def factors(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters` are the claimed signs of the factors with odd powers, in SymPy's order."""
    coefficient, found = factored(goal.expression)
    if len(found) < 2 and not any(power != 1 for _, power in found):
        raise Refused("no product")
    odd = [(factor, power) for factor, power in found if power % 2 or goal.strict]
    signs = [int(sign) for sign in parameters]
    if len(signs) != len(odd) or any(sign not in (-1, 1) for sign in signs):
        raise Refused("one sign for each factor")
    sign = math.prod(one for one, (_, power) in zip(signs, odd, strict=True) if power % 2) * (1 if coefficient > 0 else -1)
    if sign < 0:
        raise Refused("the signs multiply to a negative one")
    # a factor in the denominator is not 0 where the expression is defined, so >= 0 is > 0 there
    return [goal.with_expression(one * factor) for one, (factor, _) in zip(signs, odd, strict=True)]


def factored(expression: sympy.Expr) -> tuple[sympy.Expr, list[tuple[sympy.Expr, int]]]:
    """A rational coefficient and the factors with integer powers; raises Refused where SymPy cannot tell or would take long."""
    if sympy.count_ops(expression) > 100 or any(not power.is_Rational for power in _exponents(expression)):
        raise Refused("too large to factor")
    try:
        product = sympy.factor(sympy.together(expression))
    except (sympy.PolynomialError, NotImplementedError) as why:
        raise Refused(str(why)) from why
    coefficient, rest = product.as_coeff_Mul()
    found = []
    for factor in sympy.Mul.make_args(rest):
        base, power = factor.as_base_exp() if isinstance(factor, sympy.Pow) else (factor, sympy.S.One)
        if power.is_Integer:
            found.append((base, int(power)))
        else:
            found.append((factor, 1))
    if not coefficient.is_Rational or coefficient == 0:
        raise Refused("no rational coefficient")
    return coefficient, sorted(found, key=lambda item: sympy.default_sort_key(item[0]))


def _exponents(expression: sympy.Expr) -> list[sympy.Expr]:
    return [node.exp for node in expression.atoms(sympy.Pow)]


def logarithms(goal: Goal, parameters: Parameters) -> list[Goal]:
    found = ordered(terms_of(goal.expression))
    if len(found) != 2 or found[0][1] * found[1][1] > 0:
        raise Refused("not one term against another")
    (plus, large), (minus, small) = found if found[0][1] > 0 else found[::-1]
    if not all(sign_on(atom, goal.ranges) == 1 for atom, _ in plus | minus):
        raise Refused("a side may be 0")
    parts = [sympy.log(sympy.Rational(large.numerator, large.denominator)) - sympy.log(sympy.Rational(-small.numerator, small.denominator))]
    parts += [exponent * sympy.expand_log(sympy.log(atom)) for atom, exponent in plus]
    parts += [-exponent * sympy.expand_log(sympy.log(atom)) for atom, exponent in minus]
    return [goal.with_expression(sympy.Add(*parts))]


# --- rules that use a derivative ---------------------------------------------------------------------------------------------------


def monotone(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: a symbol and 'rising' or 'falling'. Constraints on the symbol are dropped: the way to the end may leave them."""
    name, direction = parameters
    item, rising = symbol_named(goal, name), direction == "rising"
    slope = derivative(goal.expression, item)
    free = without(goal, item)
    line = replace(goal, expression=slope if rising else -slope, strict=False, constraints=free.constraints)
    return [line, face(goal, item, low=rising)]


def concave(goal: Goal, parameters: Parameters) -> list[Goal]:
    item = symbol_named(goal, parameters[0])
    domain = goal.range_of(item)
    if math.isinf(domain.low) or math.isinf(domain.high):
        raise Refused("an end is infinite")
    bend = replace(
        goal, expression=-derivative(derivative(goal.expression, item), item), strict=False, constraints=without(goal, item).constraints
    )
    return [bend, face(goal, item, low=True), face(goal, item, low=False)]


def without(goal: Goal, item: sympy.Symbol) -> Goal:
    """The goal with what it says of one symbol left out (the expression must not hold it)."""
    return replace(
        goal,
        ranges=tuple(pair for pair in goal.ranges if pair[0] != item),
        constraints=tuple(constraint for constraint in goal.constraints if item not in constraint.expression.free_symbols),
    )


def face(goal: Goal, item: sympy.Symbol, low: bool) -> Goal:
    """The goal at an end of a range, at which the expression must have a finite limit.

    An end that is not reached is enough for >=, by continuity; for > it is enough too, if the expression moves away from the end, but
    that is not known: so a strict goal needs an end that is reached.
    """
    domain = goal.range_of(item)
    value, is_open = (domain.low, domain.low_open) if low else (domain.high, domain.high_open)
    if goal.strict and is_open:
        raise Refused("the end is not reached")
    return replace(without(goal, item), expression=at_end(goal.expression, item, value, goal.ranges))


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


# --- rules that change the box -----------------------------------------------------------------------------------------------------


def split(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: a symbol and a number. Of integers, the number itself goes to the left part."""
    item, at = symbol_named(goal, parameters[0]), Fraction(parameters[1])
    domain = goal.range_of(item)
    if not domain.low <= at <= domain.high or (domain.integer and at.denominator != 1):
        raise Refused("not within the range")
    left = replace(domain, high=at, high_open=False)
    right = replace(domain, low=at + 1 if domain.integer else at, low_open=not domain.integer)
    parts = [replace(goal, ranges=tuple((one, part if one == item else old) for one, old in goal.ranges)) for part in (left, right)]
    return [tidy(part) for part, chosen in zip(parts, (left, right), strict=True) if not chosen.empty]


def order(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: two symbols; the first is at most the second, or at least."""
    first, second = (symbol_named(goal, name) for name in parameters)
    return [tidy(replace(goal, constraints=(*goal.constraints, Constraint(difference)))) for difference in (second - first, first - second)]


def bound(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: the place of a constraint, a symbol, and 'ratio' or 'shift'."""
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
        meaning = f"({value})/{name}" if from_below else f"{name}/({value})"
    else:
        new_range = Range(Fraction(0), math.inf, constraint.strict, True)
        new = working_symbol(fresh(goal, "s"), new_range)
        instead = value + new if from_below else value - new
        meaning = f"{name} - ({value})" if from_below else f"{value} - {name}"
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
    meaning: list[tuple[str, str]],
) -> Goal:
    """The goal in new symbols. Constraints that would be needed to keep other symbols alive are kept; `tidy` shortens them."""
    ranges = tuple(pair for pair in goal.ranges if pair[0] not in instead) + tuple(new)
    changed = tuple(Constraint(logs_apart(item.expression.xreplace(instead)), item.strict) for item in constraints)
    expression = expression_of(terms_of(logs_apart(goal.expression.xreplace(instead))))
    return tidy(replace(goal, expression=expression, ranges=ranges, constraints=changed, meaning=(*goal.meaning, *meaning)))


def scale(goal: Goal, parameters: Parameters) -> list[Goal]:
    """New symbols for independent products. The exponents of the pivot symbols are solved for, exactly."""
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
        meaning.append((fresh_symbol.name, str(product)))
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
    """x = low exp(L) where low > 0, else x = high exp(-L): the end becomes L = 0."""
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
    meaning = [(new.name, f"log({item}/{anchor})" if sign > 0 else f"log({anchor}/{item})")]
    base = replace(goal, expression=expression, ranges=tuple(pair for pair in goal.ranges if pair[0] != item))
    return [_substituted(base, {}, [(new, new_range)], constraints, meaning)]


def rename_sum(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: the place of a sum under a power or a logarithm, and a symbol that it holds with the coefficient 1."""
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
    return [_substituted(base, {item: new - rest}, [(new, found)], constraints, [(new.name, str(whole))])]


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
    with the exact range of the ratio. With the parameter 'loose' their symbols may occur elsewhere too: what ties them is forgotten."""
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
            new, meaning = working_symbol(fresh(current, "l"), found), str(item)
            heads.append((item, new))
            instead[item] = new
        else:
            found = dyadic(enclosed(1 + gap / head, current.ranges))
            new = working_symbol(fresh(current, "v"), found)
            meaning, instead[item] = f"{item}/{head}", new * head
        current = replace(current, ranges=(*current.ranges, (new, found)), meaning=(*current.meaning, (new.name, meaning)))
    constraints = [Constraint(part.expression.xreplace(instead), part.strict) for part in goal.constraints]
    kept = [part for part in constraints if loose or not part.expression.free_symbols & hidden]
    ranges = tuple(pair for pair in current.ranges if loose or pair[0] not in hidden)
    expression = expression_of(terms_of(goal.expression.xreplace(instead)))
    return [tidy(replace(current, expression=expression, ranges=ranges, constraints=tuple(kept)))]


def _constant_logs(expression: sympy.Expr) -> set[sympy.Expr]:
    return {item for item in expression.atoms(sympy.log) if not item.free_symbols}


def _relative(item: sympy.Expr, heads: Sequence[tuple[sympy.Expr, sympy.Symbol]]) -> tuple[sympy.Expr, sympy.Symbol | None]:
    for head, name in heads:
        gap = sympy.expand_log(item) - sympy.expand_log(head)
        if not gap.free_symbols:
            return gap, name
    return sympy.S.Zero, None


Rule = Callable[[Goal, Parameters], list[Goal]]
RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        empty,
        zero,
        terms,
        direct,
        divide,
        factors,
        monotone,
        concave,
        logarithms,
        split,
        order,
        bound,
        scale,
        log_symbol,
        rename_sum,
        group,
    )
}


def applied(name: str, goal: Goal, parameters: Parameters) -> list[Goal]:
    """The goals from which this one follows by the rule; raises Refused."""
    try:
        return RULES[name](goal, parameters)
    except Unknown as why:
        raise Refused(str(why)) from why
