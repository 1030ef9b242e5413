"""Which check belongs to which rule, and the walk through a derivation."""

from typing import Any

from banditproof.theory.proving import effort
from banditproof.theory.proving.checker.box_trees import check_boxes
from banditproof.theory.proving.checker.derivations import Derivation, present, require
from banditproof.theory.proving.checker.expressions import (
    check_direct,
    check_divide,
    check_empty,
    check_exponentials,
    check_factors,
    check_given,
    check_hyperbolic,
    check_logarithms,
    check_order,
    check_split,
    check_squares,
    check_substitution,
    check_terms,
    check_zero,
)
from banditproof.theory.proving.checker.sets import Known
from banditproof.theory.proving.checker.slopes import check_concave, check_monotone

DEEPEST = 200  # rules on top of each other


RULES: dict[str, Any] = {
    "empty": check_empty,
    "zero": check_zero,
    "terms": check_terms,
    "direct": check_direct,
    "given": check_given,
    "exponentials": check_exponentials,
    "divide": check_divide,
    "factors": check_factors,
    "monotone": check_monotone,
    "concave": check_concave,
    "logarithms": check_logarithms,
    "squares": check_squares,
    "hyperbolic": check_hyperbolic,
    "split": check_split,
    "order": check_order,
    "bound": check_substitution,
    "scale": check_substitution,
    "log_symbol": check_substitution,
    "rename_sum": check_substitution,
    "group": check_substitution,
    "abstract": check_substitution,
    "boxes": check_boxes,
}


def walk(derivation: Derivation, depth: int = 0) -> None:
    """Requires that the derivation proves its goal."""
    require(depth < DEEPEST, "too deep")
    effort.charge(10)
    goal = derivation.goal
    known = Known.of(goal)
    rule = present(RULES.get(derivation.rule), f"no rule {derivation.rule}")
    rule(derivation, known)
    for child in derivation.children:
        walk(child, depth + 1)
