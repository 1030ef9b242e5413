"""The rules that close a goal, change its expression, put other symbols in, or distinguish cases."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import sympy

from banditproof.theory.proving.algebra import Algebra, Poly, constant, plus, times
from banditproof.theory.proving.checker.definedness import enclosed, is_plain, meets
from banditproof.theory.proving.checker.derivations import Derivation, present, require
from banditproof.theory.proving.checker.sets import Known, exponentiated, follows, integers_of, logarithmic, mapped
from banditproof.theory.proving.goals import Goal


def only_child(derivation: Derivation) -> Derivation:
    require(len(derivation.children) == 1, "one goal is needed")
    return derivation.children[0]


def _leaf(derivation: Derivation) -> None:
    require(not derivation.children and not derivation.parameters, "nothing may follow")


def check_empty(derivation: Derivation, known: Known) -> None:
    _leaf(derivation)
    require(any(domain.empty or (domain.integer and integers_of(domain).empty) for domain in known.box.values()), "no range is empty")


def check_zero(derivation: Derivation, known: Known) -> None:
    """The normal form is 0; where the expression is not defined nothing is said."""
    _leaf(derivation)
    algebra = known.algebra
    require(not derivation.goal.strict and algebra.same(algebra.form(derivation.goal.expression), {}), "not zero")


def check_terms(derivation: Derivation, known: Known) -> None:
    """Every term of the normal form is a product of what is >= 0 (> 0)."""
    _leaf(derivation)
    algebra, strict = known.algebra, derivation.goal.strict
    form = algebra.form(derivation.goal.expression)
    shown = algebra.shown(form, strict) or algebra.shown(algebra.cleared(form, positive=True), strict)
    require(bool(form) and shown, "a term may be below 0")


def check_direct(derivation: Derivation, known: Known) -> None:
    """The expression, as it is written or as its normal form, is enclosed on the whole box, poles refused."""
    _leaf(derivation)
    expression, strict = derivation.goal.expression, derivation.goal.strict
    found = enclosed(expression, known.box)
    if found is None or not (found.positive if strict else found.nonnegative):
        algebra = known.algebra
        form = algebra.form(expression)
        shown = algebra.shown(form, strict) or algebra.shown(algebra.cleared(form, positive=True), strict)
        require(shown, "the range reaches below 0")


def check_given(derivation: Derivation, known: Known) -> None:
    """The expression follows from what is known of the set."""
    _leaf(derivation)
    algebra = known.algebra
    require(follows(known, algebra, algebra.form(derivation.goal.expression), derivation.goal.strict), "not what is given")


def check_divide(derivation: Derivation, known: Known) -> None:
    """Over a monomial that is > 0 (>= 0 for a claim that is not strict)."""
    child = only_child(derivation)
    require(child.goal.strict == derivation.goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    one, two = (algebra.form(goal.expression) for goal in (derivation.goal, child.goal))
    require(algebra.multiple(one, two, loose=not derivation.goal.strict), "not divided by a positive monomial")


def check_substitution(derivation: Derivation, known: Known) -> None:
    """The same value, up to a positive factor, at the point where each new symbol has its meaning."""
    child = only_child(derivation)
    require(child.goal.strict == derivation.goal.strict, "another strictness")
    after, algebra = mapped(known, child.goal, _new(derivation.goal, child.goal))
    _require_multiple(after, algebra, derivation.goal.expression, child.goal.expression)


def _new(parent: Goal, child: Goal) -> Sequence[tuple[str, sympy.Expr]]:
    require(child.meaning[: len(parent.meaning)] == parent.meaning, "a meaning was changed")
    return child.meaning[len(parent.meaning) :]


def _require_multiple(known: Known, algebra: Algebra, one: sympy.Expr, two: sympy.Expr) -> None:
    left, right = known.algebra.form(one), algebra.form(two)
    require(algebra.multiple(left, right) or algebra.same(left, right), "another expression")


def check_factors(derivation: Derivation, known: Known) -> None:
    """The expression is the product that its children's factors make: checked by multiplying out. A factor below the line must be
    shown not to be 0."""
    from banditproof.theory.proving.rules import factored

    goal, algebra = derivation.goal, known.algebra
    coefficient, found = factored(goal.expression)  # a suggestion: the product is compared with the expression
    product = constant(Fraction(int(coefficient.p), int(coefficient.q)))
    for factor, power in found:
        product = times(product, algebra.power(algebra.form(factor), sympy.Integer(power)))
    require(algebra.same(algebra.form(goal.expression), product), "not the product")
    children, total = list(derivation.children), 1 if coefficient > 0 else -1
    signs = [int(sign) for sign in derivation.parameters]
    for factor, power in found:
        if power % 2 or goal.strict:
            require(bool(signs) and bool(children) and signs[0] in (1, -1), "a sign for each factor")
            sign, child = signs.pop(0), children.pop(0)
            total *= sign if power % 2 else 1
            _, inside = mapped(known, child.goal)
            require(child.goal.strict or not (goal.strict or power < 0), "a factor may be 0")
            require(inside.same(inside.form(child.goal.expression), inside.form(sign * factor)), "another factor")
        elif power < 0 and not is_plain(known, factor, None):
            require(bool(children), "a pole is not excluded")
            require(meets(known, factor, None, children.pop(0)), "a pole is not excluded")
    require(not children and not signs and total > 0, "the signs do not multiply to a positive one")


def check_logarithms(derivation: Derivation, known: Known) -> None:
    child, goal = only_child(derivation), derivation.goal
    require(child.goal.strict == goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    form = present(logarithmic(algebra, algebra.form(goal.expression)), "not one positive term against another")
    require(algebra.same(form, algebra.form(child.goal.expression)), "not the logarithms")


def check_exponentials(derivation: Derivation, known: Known) -> None:
    """P >= N gives a log P >= a log N: where the logarithms are defined, what is under them is > 0."""
    child, goal = only_child(derivation), derivation.goal
    require(child.goal.strict == goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    form = exponentiated(algebra, algebra.form(goal.expression))
    require(form is not None and algebra.multiple(form, algebra.form(child.goal.expression)), "not what is under the logarithms")


def check_squares(derivation: Derivation, known: Known) -> None:
    """P - N, of sums P and N of terms that are >= 0, has the sign of P**2 - N**2."""
    child, goal = only_child(derivation), derivation.goal
    require(child.goal.strict == goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    sides: dict[bool, Poly] = {True: {}, False: {}}
    for part in sympy.Add.make_args(goal.expression):
        above = part.as_coeff_Mul()[0] > 0
        part = part if above else -part
        require(is_plain(known, part, False), "a term may be below 0")
        sides[above] = plus(sides[above], algebra.form(part))
    squares = plus(times(sides[True], sides[True]), times(sides[False], sides[False]), -1)
    form = algebra.form(child.goal.expression)
    require(algebra.same(squares, form) or algebra.multiple(squares, form), "not the squares")


def check_hyperbolic(derivation: Derivation, known: Known) -> None:
    """Hyperbolic functions are sums and quotients of exponentials, everywhere."""
    child, goal = only_child(derivation), derivation.goal
    require(child.goal.strict == goal.strict, "another strictness")
    _, algebra = mapped(known, child.goal)
    require(algebra.same(algebra.form(by_exponentials(goal.expression)), algebra.form(child.goal.expression)), "another expression")


def by_exponentials(node: sympy.Expr) -> sympy.Expr:
    """The expression with hyperbolic functions written as exponentials."""
    if not node.args:
        return node
    parts = [by_exponentials(part) for part in node.args]
    if isinstance(node, sympy.sinh | sympy.cosh):
        sign = 1 if isinstance(node, sympy.cosh) else -1
        return (sympy.exp(parts[0]) + sign * sympy.exp(-parts[0])) / 2
    if isinstance(node, sympy.tanh):
        return 1 - 2 / (sympy.exp(2 * parts[0]) + 1)
    return node.func(*parts)


def check_split(derivation: Derivation, known: Known) -> None:
    """The parts hold every point of the range."""
    name, at = derivation.parameters[0], Fraction(derivation.parameters[1])
    require(name in known.box and len(derivation.parameters) == 2, "no such symbol")
    domain = known.box[name]
    require(not domain.integer or at.denominator == 1, "no integer")
    require(domain.low <= at <= domain.high, "not within the range")
    parts = [replace(domain, high=at, high_open=False), replace(domain, low=at + 1 if domain.integer else at, low_open=not domain.integer)]
    _cases(derivation, [Known({**known.box, name: part}, known.constraints) for part in parts if not part.empty])


def check_order(derivation: Derivation, known: Known) -> None:
    """One of two numbers is at most the other."""
    one, two = derivation.parameters
    symbols = {item.name: item for item in derivation.goal.symbols}
    require(one in symbols and two in symbols, "no such symbol")
    difference = symbols[two] - symbols[one]
    _cases(derivation, [Known(known.box, (*known.constraints, (fact, False))) for fact in (difference, -difference)])


def _cases(derivation: Derivation, cases: list[Known]) -> None:
    require(len(cases) == len(derivation.children), "one goal for each case")
    for case, child in zip(cases, derivation.children, strict=True):
        require(child.goal.strict == derivation.goal.strict, "another strictness")
        after, algebra = mapped(case, child.goal)
        _require_multiple(after, algebra, derivation.goal.expression, child.goal.expression)
