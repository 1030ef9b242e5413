"""Decides what is certified: walks a proof with its goals written out, and believes none of them.

Main definitions
    accepts      whether derivations (derivations.py: a goal, its rule, and the derivations of the goals that it follows from) prove a claim

Everything that a derivation says is a suggestion. The checker shares the plain data (Goal, Range, Constraint) and the ball arithmetic with
the search, and none of its rewriting: normal forms are its own (algebra.py), derivatives and limits are below. What it checks of a rule:

    what is proved    "wherever the goal's expression is defined on the goal's set, it is >= 0 (> 0)". That a side is defined is proved
                      apart, so two expressions with one normal form may stand for each other.
    a smaller set     a rule may speak of a larger set: each range and constraint of the new goal follows from those of the old one.
                      A new symbol has a meaning, and its range follows for that meaning.
    a derivative      is used only where the expression is defined, hence continuous, on all of the larger set, and where everything
                      under a real power is > 0 inside the range, so that the derivative exists there. What is not plain is a goal.
    a limit           at an end of a range is the value where the expression is defined there, else a limit of its own.
    a box             the cuts cover it, and a derivative on it is used as above.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy
from flint import ctx
from sympy.polys.polyerrors import BasePolynomialError

from banditproof.glossary import Domain
from banditproof.theory.proving.algebra import Beyond
from banditproof.theory.proving.checker.definedness import demands, is_plain, meets
from banditproof.theory.proving.checker.derivations import Derivation, Rejected, require
from banditproof.theory.proving.checker.sets import Known, mapped, require_assumptions
from banditproof.theory.proving.checker.walking import walk
from banditproof.theory.proving.claims import Claim
from banditproof.theory.proving.enclosures import Unknown
from banditproof.theory.proving.goals import Goal, Range

FINER = 128  # bits at least: more than the search has, so that its roundings are not mistaken for gaps


def alternatives(condition: sympy.Basic, negated: bool = False) -> list[tuple[tuple[sympy.Expr, bool], ...]]:
    """A condition as alternatives, each of what is >= 0 (> 0) in it. An inequality with != says nothing here."""
    if condition in (sympy.true, sympy.false):
        return [()] if bool(condition) != negated else []
    if isinstance(condition, sympy.Not):
        return alternatives(condition.args[0], not negated)
    if isinstance(condition, sympy.And | sympy.Or):
        both = isinstance(condition, sympy.And) != negated
        result: list[tuple[tuple[sympy.Expr, bool], ...]] = [()] if both else []
        for part in condition.args:
            found = alternatives(part, negated)
            result = [(*one, *two) for one in result for two in found] if both else [*result, *found]
        return result
    low, high = condition.args
    if isinstance(condition, sympy.Eq | sympy.Ne):
        return [((high - low, False), (low - high, False))] if isinstance(condition, sympy.Eq) != negated else [()]
    require(isinstance(condition, sympy.Lt | sympy.Le | sympy.Gt | sympy.Ge), "a condition")
    if isinstance(condition, sympy.Gt | sympy.Ge):
        low, high = high, low
    strict = isinstance(condition, sympy.Gt | sympy.Lt)
    return [((low - high, not strict),)] if negated else [((high - low, strict),)]


def whole(domains: Sequence[tuple[sympy.Symbol, Domain]]) -> dict[str, Range]:
    """The ranges of a claim's symbols, whose assumptions must not say more than their domains."""
    result = {}
    for item, domain in domains:
        low, high = (Fraction(number) if math.isfinite(number) else float(number) for number in (domain.low, domain.high))
        low_open, high_open = domain.low_open or isinstance(low, float), domain.high_open or isinstance(high, float)
        result[item.name] = Range(low, high, low_open, high_open, domain.integer)
        require_assumptions(item, result[item.name])
    require(len(result) == len(domains), "two symbols of one name")
    return result


def accepts(claim: Claim, proofs: Sequence[Derivation], defined: Sequence[Derivation]) -> bool:
    """Whether the derivations prove the claim on its whole domain, and that both sides are defined there."""
    try:
        with ctx.workprec(max(FINER, ctx.prec)):
            _require_claim(claim, proofs, defined)
    except (Rejected, Beyond, Unknown, RecursionError, OverflowError, MemoryError, StopIteration):
        return False
    except (ArithmeticError, ValueError, TypeError, IndexError, KeyError, AttributeError, NotImplementedError, BasePolynomialError):
        return False  # a derivation that does not even have the form of one
    return True


def _require_claim(claim: Claim, proofs: Sequence[Derivation], defined: Sequence[Derivation]) -> None:
    box = whole(claim.domains)
    sets = [Known(box, chosen) for chosen in alternatives(sympy.And(*claim.conditions, evaluate=False))]
    for derivation in (*proofs, *defined):
        require(not derivation.goal.meaning, "a goal of a claim has no new symbols")
        walk(derivation)
    forward = claim.right - claim.left
    differences = {"<=": [forward], ">=": [-forward], "=": [forward, -forward]}[claim.sense.value]
    for known in sets:
        for difference in differences:
            require(any(_states(known, difference, derivation) for derivation in proofs), "a part of the claim is not proved")
        for side in (claim.left, claim.right):
            for base, strict in demands(side):
                if not is_plain(known, base, strict):
                    asked = True if isinstance(strict, sympy.Basic) else strict
                    loose = isinstance(strict, sympy.Basic) and is_plain(known, strict, True)
                    found = any(_meets_root(known, base, False if loose else asked, derivation) for derivation in defined)
                    require(found, f"not shown to be defined: {base}")


def _meets_root(known: Known, base: sympy.Expr, strict: Any, derivation: Derivation) -> bool:
    return meets(known, base, strict, derivation) or (derivation.rule == "empty" and _inside(known, derivation.goal))


def _inside(known: Known, goal: Goal) -> bool:
    try:
        mapped(known, goal)
    except (Rejected, Beyond):
        return False
    return True


def _states(known: Known, difference: sympy.Expr, derivation: Derivation) -> bool:
    goal = derivation.goal
    try:
        after, algebra = mapped(known, goal)
        if derivation.rule == "empty":
            return True
        form = after.algebra.form(difference)
        return algebra.same(form, algebra.form(goal.expression))
    except (Rejected, Beyond):
        return False
