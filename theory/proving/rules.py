"""The rules by which a goal follows from others. A proof is a tree of them.

What follows from what is decided by the checker (checker/), which writes the goals out and believes none of these rules; they find proofs
and say why each is sound. A rule says of a goal: wherever its expression is defined on the goal's set, it is >= 0 (> 0). That both sides
of a claim are defined on its domain is proved apart (claims.requirements), so a goal may be shown on a larger set; but a rule that uses
a derivative on a larger set must show that the expression is defined there (`conditions`), or a pole would be jumped over.

Main definitions
    RULES       name -> rule: (goal, parameters) -> the goals from which it follows (none: it is proved)

    empty       no value satisfies the ranges
    zero        the sum of terms is empty, and the claim is not strict
    terms       every term is >= 0
    direct      the range of the expression over the whole box, by interval arithmetic
    given       a constraint says it
    divide      by a positive monomial that all terms share
    factors     the expression is a product: each factor that stands to an odd power has a sign
    monotone    rising (falling) in a symbol: the derivative has a sign, and the claim holds at the low (high) end
    concave     in a symbol with finite ends: the second derivative is <= 0, and the claim holds at both ends
    logarithms  of both sides, where one positive and one negative term stand against each other
    exponentials  of both sides, where there are logarithms alone
    squares     of both sides, sums of terms that are >= 0, where there are roots
    hyperbolic  functions as exponentials
    split       a range at a number
    order       one symbol is at most another, or at least
    bound       a constraint x >= g becomes x = g/u (x <= g: x = g u) with u in (0, 1], or x = g + s (g - s) with s >= 0
    scale       symbols that occur in products only are replaced by as many new ones as there are independent products
    log_symbol  a symbol that occurs under logarithms only is replaced by an exponential
    rename_sum  a sum under a power or a logarithm becomes a symbol, in the place of one of its own
    abstract    parts of the expression become symbols, with their enclosed range; or a symbol becomes a power of its root
    group       logarithms whose symbols occur nowhere else become symbols, with their exact range; ratios keep theirs
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy
from sympy.polys.polyerrors import BasePolynomialError

from banditproof.theory.proving import effort
from banditproof.theory.proving.derivatives import derivative
from banditproof.theory.proving.enclosures import Unknown
from banditproof.theory.proving.goals import (
    Constraint,
    Goal,
    Range,
    Refused,
    sign_on,
    symbol_named,
    tidy,
    without,
)
from banditproof.theory.proving.limits import at_end
from banditproof.theory.proving.sizes import degree, terms_when_expanded
from banditproof.theory.proving.substitutions import abstract, bound, group, log_symbol, rename_sum, scale
from banditproof.theory.proving.terms import divided, expression_of, ordered, terms_of

Parameters = Sequence[Any]
Ranges = tuple[tuple[sympy.Symbol, Range], ...]
LARGEST_POWER = 12
LARGEST_DEGREE = 30  # of a polynomial that is factored, all symbols together
MOST_TERMS = 60  # of the same polynomial
UNITS_OF_A_TERM = 130  # that SymPy multiplies out, measured
LARGEST_PRODUCT = 600  # terms, before like ones are taken together


# --- rules that close a goal -------------------------------------------------------------------------------------------------------


def zero(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since two expressions with one normal form are equal where both are defined. It says nothing of where that is: `monotone` and
    the claim itself prove that their expressions are defined."""
    if goal.strict or (terms_of(goal.expression) and not _cancels(goal.expression)):
        raise Refused("not zero")
    return []


def _cancels(expression: sympy.Expr) -> bool:
    """Whether the sum is 0 over one denominator."""
    if expression.is_Rational or sympy.count_ops(expression) > 150 or not any(power.is_negative for power in _exponents(expression)):
        return False
    if terms_when_expanded(expression) > LARGEST_PRODUCT or degree(expression) > 40 * LARGEST_DEGREE:
        return False
    effort.charge(200)
    try:
        whole = sympy.together(expression)
        size = max(map(terms_when_expanded, sympy.fraction(whole)))
        if size > LARGEST_PRODUCT:
            return False
        effort.charge(UNITS_OF_A_TERM * size)
        return bool(sympy.cancel(whole) == 0)
    except (BasePolynomialError, NotImplementedError):
        return False


def empty(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since there is nothing to show."""
    if not any(domain.empty for _, domain in goal.ranges):
        raise Refused("no range is empty")
    return []


def terms(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since a sum of products of what is >= 0 (> 0) on the whole box is >= 0 (> 0); each atom's sign is shown on the box."""
    found = terms_of(goal.expression)
    if not found or any(coefficient < 0 for coefficient in found.values()):
        raise Refused("a term is subtracted")
    for monomial in found:
        for atom, exponent in monomial:
            if sign_on(atom, goal.ranges) != 1 and not (not goal.strict and atom.is_nonnegative and exponent.is_positive):
                raise Refused(f"the sign of {atom} is not plain")
    return []


def direct(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since interval arithmetic encloses the values, and refuses an operation that is not defined on all of the box."""
    if sign_on(goal.expression, goal.ranges, goal.strict) != 1:
        raise Refused("the range reaches below 0")
    return []


def given(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since a constraint holds on the goal's set, and so does a positive multiple of it."""
    wanted = divided(terms_of(goal.expression))[1]
    for constraint in goal.constraints:
        found = divided(terms_of(constraint.expression))[1]
        if set(found) == set(wanted) and (constraint.strict or not goal.strict):
            ratios = {wanted[monomial] / found[monomial] for monomial in found}
            if len(ratios) == 1 and ratios.pop() > 0:
                return []
    raise Refused("no constraint says it")


# --- rules that change the expression ----------------------------------------------------------------------------------------------


def divide(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since the monomial is > 0 on the box (>= 0 where the goal is not strict)."""
    _, rest = divided(terms_of(goal.expression), zero_too=not goal.strict)
    return [goal.with_expression(expression_of(rest))]


def factors(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters` are the claimed signs of the factors with odd powers, in SymPy's order.

    Sound since the product is compared with the expression, even powers are >= 0, and no factor below the line is 0: one with an odd
    power must be > 0 or < 0, one with an even power must not be 0 (a goal of its own where that is not plain).
    """
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
    result, left = [], iter(signs)
    for factor, power in found:
        if power % 2 or goal.strict:
            result.append(goal.with_expression(next(left) * factor, strict=goal.strict or power < 0))
        elif power < 0 and sign_on(factor, goal.ranges) == 0:
            result.append(goal.with_expression(factor**2, strict=True))
    return result


def factored(expression: sympy.Expr) -> tuple[sympy.Expr, list[tuple[sympy.Expr, int]]]:
    """A rational coefficient and the factors with integer powers; raises Refused where SymPy cannot tell or would take long."""
    if sympy.count_ops(expression) > 100 or any(not power.is_Rational for power in _exponents(expression)):
        raise Refused("too large to factor")
    try:
        if terms_when_expanded(expression) > LARGEST_PRODUCT or degree(expression) > LARGEST_DEGREE:
            raise Refused("too large to factor")
        effort.charge(200)
        whole = sympy.together(expression)
        for part in sympy.fraction(whole):
            _require_small(part)
        effort.charge(1000)
        product = sympy.factor(whole)
    except (BasePolynomialError, NotImplementedError) as why:
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


def _require_small(part: sympy.Expr) -> None:
    """Raises Refused for a polynomial whose factors may take minutes."""
    size = terms_when_expanded(part)
    if size > LARGEST_PRODUCT:
        raise Refused("too large to multiply out")
    effort.charge(UNITS_OF_A_TERM * size)
    if not part.free_symbols:
        return
    polynomial = sympy.Poly(part)
    if sum(polynomial.degree_list()) > LARGEST_DEGREE or len(polynomial.terms()) > MOST_TERMS:
        raise Refused("too large to factor")


def _exponents(expression: sympy.Expr) -> list[sympy.Expr]:
    return [node.exp for node in expression.atoms(sympy.Pow)]


def logarithms(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since the logarithm rises and both terms are > 0 on the box: the difference keeps its sign."""
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


def exponentials(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since the exponential rises, and what is under a logarithm is > 0 where the expression is defined."""
    found = ordered(terms_of(goal.expression))
    sides = {True: sympy.S.One, False: sympy.S.One}
    least = min((abs(coefficient) for _, coefficient in found), default=Fraction(1))
    for monomial, coefficient in found:
        ((atom, exponent),) = monomial if len(monomial) == 1 else ((sympy.S.One, sympy.S.Zero),)
        ratio = abs(coefficient) / least
        if not isinstance(atom, sympy.log) or exponent != 1 or ratio > LARGEST_POWER:
            raise Refused("not logarithms alone")
        sides[coefficient > 0] *= atom.args[0] ** sympy.Rational(ratio.numerator, ratio.denominator)
    if not found:
        raise Refused("no logarithm")
    return [goal.with_expression(expression_of(terms_of(sides[True] - sides[False])))]


def squares(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since P - N = (P**2 - N**2)/(P + N), and P and N are sums of terms that are >= 0."""
    found = terms_of(goal.expression)
    sides: dict[bool, list[sympy.Expr]] = {True: [], False: []}
    for monomial, coefficient in found.items():
        if not all(sign_on(atom, goal.ranges, strict=False) == 1 for atom, _ in monomial):
            raise Refused("a term may be below 0")
        sides[coefficient > 0].append(expression_of({monomial: abs(coefficient)}))
    if not any(exponent.is_Rational and not exponent.is_Integer for monomial in found for _, exponent in monomial):
        raise Refused("no root")
    if not 1 <= len(sides[False]) <= 3 or not 1 <= len(sides[True]) <= 4:
        raise Refused("too many terms")
    if max(terms_when_expanded(sympy.Add(*parts)) for parts in sides.values()) ** 2 > LARGEST_PRODUCT:
        raise Refused("too large to multiply out")
    above, below = (sympy.expand(sympy.Add(*sides[side]) ** 2) for side in (True, False))
    return [goal.with_expression(expression_of(terms_of(above - below)))]


def hyperbolic(goal: Goal, parameters: Parameters) -> list[Goal]:
    """Sound since hyperbolic functions are these exponentials, everywhere; a denominator exp(2x) + 1 is > 0."""
    functions = goal.expression.atoms(sympy.sinh, sympy.cosh, sympy.tanh)
    if not functions:
        raise Refused("no hyperbolic function")
    expression = goal.expression.replace(
        lambda node: isinstance(node, sympy.sinh | sympy.cosh | sympy.tanh),
        lambda node: (
            1 - 2 / (sympy.exp(2 * node.args[0]) + 1)
            if isinstance(node, sympy.tanh)
            else (sympy.exp(node.args[0]) + (1 if isinstance(node, sympy.cosh) else -1) * sympy.exp(-node.args[0])) / 2
        ),
    )
    return [goal.with_expression(expression_of(terms_of(expression)))]


# --- rules that use a derivative ---------------------------------------------------------------------------------------------------


def monotone(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: a symbol and 'rising' or 'falling'. Constraints on the symbol are dropped: the way to the end may leave them.

    Sound since the expression is continuous on the whole way and differentiable inside it, which `conditions` proves on the range without
    those constraints: with a derivative of one sign it is nowhere below its value (or limit) at the end.
    """
    name, direction = parameters
    item, rising = symbol_named(goal, name), direction == "rising"
    goal = between_integers(goal, item)
    slope = derivative(goal.expression, item)
    free = without(goal, item)
    line = replace(goal, expression=slope if rising else -slope, strict=False, constraints=free.constraints)
    return [line, face(goal, item, low=rising), *conditions(goal, item)]


def concave(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: a symbol. Sound since an expression that is continuous on the range without the constraints on the symbol, and whose
    second derivative inside it is <= 0, is nowhere below its chord (`conditions`, as for `monotone`)."""
    item = symbol_named(goal, parameters[0])
    goal = between_integers(goal, item)
    domain = goal.range_of(item)
    if math.isinf(domain.low) or math.isinf(domain.high):
        raise Refused("an end is infinite")
    bend = replace(
        goal, expression=-derivative(derivative(goal.expression, item), item), strict=False, constraints=without(goal, item).constraints
    )
    return [bend, face(goal, item, low=True), face(goal, item, low=False), *conditions(goal, item)]


def between_integers(goal: Goal, item: sympy.Symbol) -> Goal:
    """The goal for all real values of the symbol from its low to its high end: what a derivative is at integers says nothing of the way."""
    return replace(goal, ranges=tuple((one, replace(part, integer=False) if one == item else part) for one, part in goal.ranges))


def conditions(goal: Goal, item: sympy.Symbol) -> list[Goal]:
    """The goals that say: without the constraints on the symbol the expression is defined on the goal's ranges, and so continuous, and
    inside the symbol's range everything under a real power is > 0, so that its derivatives exist. What is plain needs no goal."""
    wide = replace(goal, constraints=without(goal, item).constraints, strict=True)
    domain = goal.range_of(item)
    inside = replace(domain, low_open=True, high_open=True) if domain.low != domain.high else domain
    inner = replace(wide, ranges=tuple((one, inside if one == item else part) for one, part in wide.ranges))
    needed: dict[Goal, None] = {}
    for node in sympy.preorder_traversal(goal.expression):
        for base, place, strict in _conditions_of(node, item, wide, inner):
            if sign_on(base, place.ranges, strict) == 1:
                continue
            if isinstance(node, sympy.Pow) and node.exp.is_Integer:
                if sign_on(base, place.ranges) != 0:
                    continue
                base = base**2
            needed[tidy(replace(place, expression=base, strict=strict))] = None
    return list(needed)


def _conditions_of(node: sympy.Basic, item: sympy.Symbol, wide: Goal, inner: Goal) -> list[tuple[sympy.Expr, Goal, bool]]:
    match node:
        case sympy.log() | sympy.gamma():
            return [(node.args[0], wide, True)]
        case sympy.zeta():
            return [(node.args[0] - 1, wide, True), (node.args[-1], wide, True)]
        case sympy.polygamma():
            return [(node.args[1], wide, True)]
        case sympy.Pow() if node.base != sympy.E:
            base, exponent = node.args
            if exponent.is_Integer:
                return [(base, wide, True)] if exponent < 0 else []
            moves = item in base.free_symbols
            if sign_on(exponent, wide.ranges) == 1:
                return [(base, wide, False), *([(base, inner, True)] if moves else [])]
            return [(base, wide, True)]
    return []


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


# --- rules that change the box -----------------------------------------------------------------------------------------------------


def split(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: a symbol and a number. Of integers, the number itself goes to the left part.

    Sound since the parts hold the whole range.
    """
    item, at = symbol_named(goal, parameters[0]), Fraction(parameters[1])
    domain = goal.range_of(item)
    if not domain.low <= at <= domain.high or (domain.integer and at.denominator != 1):
        raise Refused("not within the range")
    left = replace(domain, high=at, high_open=False)
    right = replace(domain, low=at + 1 if domain.integer else at, low_open=not domain.integer)
    parts = [replace(goal, ranges=tuple((one, part if one == item else old) for one, old in goal.ranges)) for part in (left, right)]
    return [tidy(part) for part, chosen in zip(parts, (left, right), strict=True) if not chosen.empty]


def order(goal: Goal, parameters: Parameters) -> list[Goal]:
    """`parameters`: two symbols; the first is at most the second, or at least. Sound since one of the two holds."""
    first, second = (symbol_named(goal, name) for name in parameters)
    return [tidy(replace(goal, constraints=(*goal.constraints, Constraint(difference)))) for difference in (second - first, first - second)]


Rule = Callable[[Goal, Parameters], list[Goal]]
RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        empty,
        zero,
        terms,
        direct,
        given,
        divide,
        factors,
        monotone,
        concave,
        logarithms,
        exponentials,
        squares,
        hyperbolic,
        split,
        order,
        bound,
        scale,
        log_symbol,
        rename_sum,
        group,
        abstract,
    )
}


def applied(name: str, goal: Goal, parameters: Parameters) -> list[Goal]:
    """The goals from which this one follows by the rule; raises Refused."""
    if name not in RULES:
        raise Refused(f"no rule {name}")
    effort.charge(20)
    try:
        return RULES[name](goal, parameters)
    except (Unknown, ArithmeticError, IndexError, KeyError, TypeError, ValueError, NotImplementedError, BasePolynomialError) as why:
        raise Refused(str(why)) from why  # parameters that are none of the rule's, or a form that SymPy has no answer for
