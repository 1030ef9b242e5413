"""A claim that can be proved or refuted: two sides, a sense, and the values for which it speaks.

Main definitions
    Claim          from a Step, or by itself
    goals          the goals that together say what the claim says
    requirements   the goals that say that both sides are defined: logarithms of positive numbers, no quotient by 0
    violation      the two sides at a point where the claim certainly fails
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from flint import ctx

from banditproof.glossary import Domain
from banditproof.theory import evaluate
from banditproof.theory.language import Sense, Step, symbol
from banditproof.theory.proving import effort
from banditproof.theory.proving.goals import Goal, goals_of, sign_on

EXACT = 256  # bits, 77 digits: what a counterexample is evaluated at


@dataclass(frozen=True, slots=True)
class Claim:
    """left <= right (>=, =) for all values of the symbols in their domains that satisfy the conditions."""

    id: str
    left: sympy.Expr
    sense: Sense
    right: sympy.Expr
    domains: tuple[tuple[sympy.Symbol, Domain], ...]
    conditions: tuple[sympy.logic.boolalg.Boolean, ...] = ()

    def __post_init__(self) -> None:
        if len({item.name for item, _ in self.domains}) < len(self.domains):
            raise ValueError(f"claim {self.id}: two symbols have one name")

    def digest(self) -> str:
        """What the certificate is about: a hash of both sides, the sense and the domain."""
        domains = [(item.name, str(domain)) for item, domain in self.domains]
        parts = [
            self._text(self.left),
            self.sense.value,
            self._text(self.right),
            domains,
            [self._text(part) for part in self.conditions],
        ]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def _text(self, expression: sympy.Basic) -> str:
        """SymPy's own text, with symbols as the domains have them: its cache may give a part that was made before, whose symbols are equal
        but were told less ('positive' for 'real and positive')."""
        text = str(sympy.srepr(expression))
        for item, _ in self.domains:
            told = str(sympy.srepr(item)).replace("\\", r"\\")
            text = re.sub(rf"Symbol\({re.escape(repr(item.name))}(, \w+=\w+)*\)", told, text)
        return text

    def differences(self) -> list[sympy.Expr]:
        """What must be >= 0: one expression, or two of them for an identity."""
        forward = self.right - self.left
        match self.sense:
            case Sense.AT_MOST:
                return [forward]
            case Sense.AT_LEAST:
                return [-forward]
            case Sense.EQUALS:
                return [forward, -forward]


def claim_of(step: Step, id: str = "") -> Claim:
    """The claim that a line of a proof makes."""
    domains = tuple((symbol(quantity), quantity.domain) for quantity in step.draw_order)
    return Claim(id or step.id, step.left, step.sense, step.right, domains, step.domain)


@effort.cached(256)
def goals(claim: Claim) -> tuple[Goal, ...]:
    """All of them proved is the claim proved, where both sides are defined."""
    return tuple(goal for difference in claim.differences() for goal in goals_of(difference, dict(claim.domains), claim.conditions))


@effort.cached(256)
def requirements(claim: Claim) -> tuple[Goal, ...]:
    """All of them proved: both sides are defined for all values of the domain."""
    needed: dict[tuple[sympy.Expr, bool], None] = {}
    whole = goals_of(sympy.S.Zero, dict(claim.domains), ())[0].ranges
    instead = {item: next(own for own, _ in whole if own.name == item.name) for item, _ in claim.domains}
    for side in (claim.left, claim.right):
        for node in sympy.preorder_traversal(side):
            for expression, strict in _needed(node):
                if isinstance(node, sympy.Pow) and not node.exp.is_Rational and sign_on(node.exp.xreplace(instead), whole) == 1:
                    strict = False
                if not (expression.is_positive or (not strict and expression.is_nonnegative)):
                    needed[expression, strict] = None
    every = dict(claim.domains)
    return tuple(goal for expression, strict in needed for goal in goals_of(expression, every, claim.conditions, strict=strict))


def _needed(node: sympy.Basic) -> list[tuple[sympy.Expr, bool]]:
    match node:
        case sympy.log() | sympy.gamma():
            return [(node.args[0], True)]
        case sympy.zeta():
            start = node.args[1] if len(node.args) > 1 else sympy.S.One
            return [(node.args[0] - 1, True), (start, True)]
        case sympy.Pow():
            base, exponent = node.args
            if exponent.is_Integer:
                return [] if exponent >= 0 else [(base**2 if base.is_positive is None and not base.is_Symbol else base, True)]
            if exponent.is_Rational and exponent > 0:
                return [(base, False)]
            return [] if base == sympy.E else [(base, True)]
    return []


def violation(claim: Claim, point: Mapping[str, Fraction]) -> tuple[Any, Any] | None:
    """Both sides as balls of at least 60 digits where the claim certainly fails at the point, which certainly lies in its domain."""
    effort.charge(50)
    values = {}
    for item, domain in claim.domains:
        if point[item.name] not in domain:
            return None
        values[item] = point[item.name]
    with ctx.workprec(EXACT):
        try:
            if not all(evaluate.holds(condition, values) for condition in claim.conditions):
                return None
            left, right = evaluate.ball(claim.left, values), evaluate.ball(claim.right, values)
        except (evaluate.Undecided, ZeroDivisionError):
            return None
        if not (left.is_finite() and right.is_finite()):
            return None
        match claim.sense:
            case Sense.AT_MOST:
                fails = left > right
            case Sense.AT_LEAST:
                fails = left < right
            case Sense.EQUALS:
                fails = not left.overlaps(right)
        digits = all(side.is_exact() or side.rel_accuracy_bits() >= 200 or side.contains(0) for side in (left, right))
        return (left, right) if fails and digits else None
