"""The rules that use a derivative."""

from fractions import Fraction

from banditproof.theory.proving.checker.definedness import require_defined
from banditproof.theory.proving.checker.derivations import Derivation, require
from banditproof.theory.proving.checker.ends import require_end, slope
from banditproof.theory.proving.checker.sets import Known, mapped
from banditproof.theory.proving.goals import Goal


def check_monotone(derivation: Derivation, known: Known) -> None:
    """f(x) >= f(end) along the segment in one symbol: f is continuous on it and its derivative has a sign inside it."""
    goal, (name, direction) = derivation.goal, derivation.parameters
    require(direction in ("rising", "falling"), "rising or falling")
    _by_slopes(derivation, known, name, 1, 1 if direction == "rising" else -1, [direction == "rising"])
    require(
        not goal.strict or not (known.box[name].low_open if direction == "rising" else known.box[name].high_open), "the end is not reached"
    )


def check_concave(derivation: Derivation, known: Known) -> None:
    """f lies above its chord: f is continuous on the segment in one symbol, and its second derivative is <= 0 inside it."""
    (name,) = derivation.parameters
    require(
        name in known.box and isinstance(known.box[name].low, Fraction) and isinstance(known.box[name].high, Fraction), "an infinite end"
    )
    require(not derivation.goal.strict or not (known.box[name].low_open or known.box[name].high_open), "an end is not reached")
    _by_slopes(derivation, known, name, 2, -1, [True, False])


def _by_slopes(derivation: Derivation, known: Known, name: str, order: int, sign: int, ends: list[bool]) -> None:
    goal, children = derivation.goal, derivation.children
    require(name in known.box and len(children) >= 1 + len(ends), "a goal is missing")
    item = next(one for one in goal.symbols if one.name == name)
    line, bend = known.freed(name), goal.expression
    require_defined(line, goal.expression, None, children[1 + len(ends) :])
    require_defined(line, goal.expression, item, children[1 + len(ends) :])
    for _ in range(order):
        bend = slope(bend, name)
    _, algebra = mapped(line.opened(name) if _wider(line, children[0].goal, name) else line, children[0].goal)
    require(algebra.same(algebra.form(children[0].goal.expression), algebra.form(sign * bend)), "not the derivative")
    for low, child in zip(ends, children[1:], strict=False):
        require(child.goal.strict == goal.strict, "another strictness")
        _, algebra = mapped(known.without(name), child.goal)
        require_end(line, goal.expression, item, low, child.goal.expression, algebra)


def _wider(known: Known, goal: Goal, name: str) -> bool:
    return any(item.name == name and domain != known.box[name] for item, domain in goal.ranges)
