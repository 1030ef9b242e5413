"""Finds proofs: which rule to try when. Nothing here has to be right, since the checker judges every proof (checker/).

Main definitions
    Proof      a tree of rules with their parameters
    prove      a proof of a goal within a budget of boxes, or None
    replay     walks a proof again without any search
    Falsified  a value at which the goal itself fails (of a goal that was not changed: a counterexample)

The order: the goal is written in several ways (logarithms as symbols, constraints as ratios, products as symbols), the one with the
fewest symbols first. Each is tried by closing rules, then by a few boxes, then by derivatives in one symbol at a time, factors and
logarithms, then by many boxes. A goal that fails at a sample point is dropped at once.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from flint import ctx

from banditproof.theory.proving.boxes import Budget, Falsified, OutOfBudget, Search, verify
from banditproof.theory.proving.checker.derivations import Derivation
from banditproof.theory.proving.derivatives import derivative
from banditproof.theory.proving.enclosures import Enclosure, Unknown, end
from banditproof.theory.proving.families import Family
from banditproof.theory.proving.goals import Goal, Refused
from banditproof.theory.proving.rules import applied, factored
from banditproof.theory.proving.sampling import sample_points, sampled_signs, sampled_slopes
from banditproof.theory.proving.substitutions import parts_of, sums_inside

QUICK = 40  # boxes of the first try
SAMPLES = 24
DEPTH = 3  # nested uses of derivatives, factors and logarithms
FORMULATIONS = 16
WRITTEN = 300  # forms that are looked at, repeated ones included


@dataclass(frozen=True)
class Proof:
    rule: str
    parameters: tuple[str, ...] = ()
    children: tuple["Proof", ...] = ()

    def to_json(self) -> list[Any]:
        return [self.rule, list(self.parameters), [child.to_json() for child in self.children]]

    @classmethod
    def from_json(cls, record: list[Any]) -> "Proof":
        rule, parameters, children = record
        return cls(str(rule), tuple(str(item) for item in parameters), tuple(cls.from_json(child) for child in children))

    def size(self) -> int:
        return 1 + sum(child.size() for child in self.children)


def derivation(goal: Goal, proof: Proof) -> Derivation:
    """The proof with its goals written out, as the rules say them; the checker judges it, and alone a rule that leaves no goal. Raises
    Refused where a rule does not apply."""
    if not proof.children:
        return Derivation(goal, proof.rule, proof.parameters, ())
    goals = applied(proof.rule, goal, proof.parameters)
    if len(goals) != len(proof.children):
        raise Refused("another number of goals")
    children = tuple(derivation(part, child) for part, child in zip(goals, proof.children, strict=True))
    return Derivation(goal, proof.rule, proof.parameters, children)


def replay(goal: Goal, proof: Proof) -> float | None:
    """The least range over all boxes of the proof (infinity without boxes), or None where the proof does not close the goal."""
    if proof.rule == "boxes":
        return verify(goal, proof.parameters[0]) if len(proof.parameters) == 1 and not proof.children else None
    try:
        goals = applied(proof.rule, goal, proof.parameters)
    except (Refused, KeyError, ValueError):
        return None
    if len(goals) != len(proof.children):
        return None
    worst = float("inf")
    for part, child in zip(goals, proof.children, strict=True):
        found = replay(part, child)
        if found is None:
            return None
        worst = min(worst, found)
    return worst


def boxes_of(proof: Proof) -> int:
    """How many boxes a proof closes one by one."""
    own = proof.parameters[0].count("S") + 1 if proof.rule == "boxes" and proof.parameters else 0
    return own + sum(boxes_of(child) for child in proof.children)


# --- the search --------------------------------------------------------------------------------------------------------------------


@dataclass
class Prover:
    budget: Budget
    failed: set[Goal] = field(default_factory=set)

    def prove(self, goal: Goal) -> Proof | None:
        """A proof, or None; stops quietly when the budget ends."""
        try:
            return self._stages(goal, ordering=True)
        except OutOfBudget:
            return None

    def _stages(self, goal: Goal, ordering: bool) -> Proof | None:
        closed = closed_when_divided(goal)
        if closed is not None:
            return closed
        written = [(chain, final) for chain, final in formulations(goal) if -1 not in sampled_signs(final, final.expression)]
        for chain, final in written:
            closed = closed_when_divided(final) or closed_by_functions(final)
            if closed is not None:
                return _after(chain, closed)
        if ordering:
            for chain, final in written[:2]:
                turned = self._turning(final, DEPTH, QUICK)
                if turned is not None:
                    return _after(chain, turned)
        for boxes in (QUICK, max(QUICK, self.budget.boxes // 8), self.budget.boxes) if ordering else (QUICK,):
            for chain, final in written:
                proof = self.attempt(final, DEPTH, boxes)
                if proof is not None:
                    return _after(chain, proof)
            if boxes == QUICK and ordering:
                proof = self._ordered(goal)
                if proof is not None:
                    return proof
            self.failed.clear()
        return None

    def _ordered(self, goal: Goal) -> Proof | None:
        """By cases: which of two symbols with overlapping ranges is larger."""
        used = goal.used()
        if not 2 <= len(used) <= 3:
            return None
        for one, two in itertools.combinations(used, 2):
            first, second = goal.range_of(one), goal.range_of(two)
            if first.low >= second.high or second.low >= first.high or first.integer != second.integer:
                continue
            children = []
            for part in applied("order", goal, (one.name, two.name)):
                child = self._stages(part, ordering=False)
                if child is None:
                    break
                children.append(child)
            else:
                return Proof("order", (one.name, two.name), tuple(children))
        return None

    def attempt(self, goal: Goal, depth: int, boxes: int) -> Proof | None:
        self.budget.spend()
        closed = closing(goal)
        if closed is not None:
            return closed
        if goal in self.failed or -1 in sampled_signs(goal, goal.expression):
            return None
        proof = self._open(goal, depth, boxes)
        if proof is None:
            self.failed.add(goal)
        return proof

    def _open(self, goal: Goal, depth: int, boxes: int) -> Proof | None:
        (shorter,) = applied("divide", goal, ())
        closed = closing(shorter)
        if closed is not None:
            return Proof("divide", (), (closed,))
        for form, rule in ((shorter, "divide"), (goal, "")):
            found = self._boxes(form, min(boxes, QUICK))
            if found is not None:
                return Proof(rule, (), (found,)) if rule else found
        if depth > 0:
            for form, rule in ((shorter, "divide"), (goal, "")) if shorter != goal else ((goal, ""),):
                inner = self._by_rules(form, depth, boxes)
                if inner is not None:
                    return Proof(rule, (), (inner,)) if rule else inner
        found = self._boxes(shorter, boxes) if boxes > QUICK else None
        return None if found is None else Proof("divide", (), (found,))

    def _by_rules(self, goal: Goal, depth: int, boxes: int) -> Proof | None:
        rules = (self._monotone, self._turning, self._factors, self._others)
        return next((proof for rule in rules if (proof := rule(goal, depth, boxes)) is not None), None)

    def _monotone(self, goal: Goal, depth: int, boxes: int) -> Proof | None:
        for item in goal.used():
            seen = sampled_slopes(goal, item, 1)
            if len(seen) != 1:
                continue
            parameters = (item.name, "rising" if seen == {1} else "falling")
            proof = self._by("monotone", goal, parameters, depth, boxes)
            if proof is not None:
                return proof
        return None

    def _factors(self, goal: Goal, depth: int, boxes: int) -> Proof | None:
        try:
            _, found = factored(goal.expression)
        except Refused:
            return None
        parameters = []
        for factor, power in found:
            if power % 2 or goal.strict:
                seen = sampled_signs(goal, factor)
                if len(seen) != 1:
                    return None
                parameters.append(str(next(iter(seen))))
        return self._by("factors", goal, tuple(parameters), depth, boxes)

    def _others(self, goal: Goal, depth: int, boxes: int) -> Proof | None:
        for rule in ("logarithms", "exponentials", "squares"):
            proof = self._by(rule, goal, (), depth, boxes)
            if proof is not None:
                return proof
        for item in goal.used():
            if sampled_slopes(goal, item, 2) == {-1}:
                proof = self._by("concave", goal, (item.name,), depth, boxes)
                if proof is not None:
                    return proof
        for place in range(min(2, len(parts_of(goal.expression)))):
            proof = self._by("abstract", goal, ("part", str(place)), depth, boxes)
            if proof is not None:
                return proof
        return None

    def _turning(self, goal: Goal, depth: int, boxes: int) -> Proof | None:
        """By parts, where an expression in one symbol rises and then falls: both sides of the turning point, and what is around it."""
        used = goal.used()
        if len(used) != 1 or goal.range_of(used[0]).integer or not (around := turning_points(goal, used[0])):
            return None
        try:
            left, rest = applied("split", goal, (used[0].name, str(around[0])))
            middle, right = applied("split", rest, (used[0].name, str(around[1])))
        except (Refused, ValueError):
            return None
        proofs = []
        for part in (left, right, middle):
            proof = self._monotone(part, depth - 1, boxes) or self.attempt(part, depth - 1, boxes)
            if proof is None:
                return None
            proofs.append(proof)
        inner = Proof("split", (used[0].name, str(around[1])), (proofs[2], proofs[1]))
        return Proof("split", (used[0].name, str(around[0])), (proofs[0], inner))

    def _by(self, rule: str, goal: Goal, parameters: tuple[str, ...], depth: int, boxes: int) -> Proof | None:
        try:
            goals = applied(rule, goal, parameters)
        except Refused:
            return None
        children = []
        for part in reversed(goals):  # faces first: they are cheaper, and a wrong direction shows there
            child = self.attempt(part, depth - 1, boxes)
            if child is None:
                return None
            children.append(child)
        return Proof(rule, parameters, tuple(reversed(children)))

    def _boxes(self, goal: Goal, boxes: int) -> Proof | None:
        inner = Budget(min(boxes, self.budget.boxes - self.budget.spent), deadline=self.budget.deadline, clock=self.budget.clock)
        try:
            code = Search(Family(goal), inner, goal.strict).run()
        except (OutOfBudget, Falsified, Unknown):
            code = None
        finally:
            self.budget.spent += inner.spent
        self.budget.spend()
        return None if code is None else Proof("boxes", (code,))


def _after(chain: "Chain", proof: Proof) -> Proof:
    """The proof of a goal from that of the form that the chain of rules leads to."""
    for rule, parameters in reversed(chain):
        proof = Proof(rule, parameters, (proof,))
    return proof


def closed_when_divided(goal: Goal) -> Proof | None:
    """A rule that closes the goal at once, or after what all its terms share is divided out."""
    closed = closing(goal)
    if closed is not None:
        return closed
    (shorter,) = applied("divide", goal, ())
    closed = closing(shorter)
    return None if closed is None else Proof("divide", (), (closed,))


def closed_by_functions(goal: Goal) -> Proof | None:
    """Both sides under a logarithm or an exponential, where a rule closes that at once."""
    (shorter,) = applied("divide", goal, ())
    for rule in ("logarithms", "exponentials"):
        for form, first in ((goal, ""), (shorter, "divide")):
            try:
                (part,) = applied(rule, form, ())
            except Refused:
                continue
            closed = closed_when_divided(part)
            if closed is not None:
                proof = Proof(rule, (), (closed,))
                return Proof(first, (), (proof,)) if first else proof
    return None


def closing(goal: Goal) -> Proof | None:
    """A rule that closes the goal at once."""
    for rule in ("empty", "zero", "terms", "direct", "given"):
        try:
            applied(rule, goal, ())
        except Refused:
            continue
        return Proof(rule)
    return None


# --- ways to write a goal ----------------------------------------------------------------------------------------------------------

Chain = tuple[tuple[str, tuple[str, ...]], ...]


def formulations(goal: Goal) -> list[tuple[Chain, Goal]]:
    """The goal in several equivalent or stronger forms, each with the rules that lead to it."""
    result: dict[Goal, Chain] = {}
    for last, third in itertools.islice(_written(goal), WRITTEN):
        result.setdefault(third, last)
        if len(result) == 4 * FORMULATIONS:
            break
    found = [(chain, final) for final, chain in result.items()]
    found.sort(key=lambda item: (len(item[1].used()), len(item[1].constraints), sympy.count_ops(item[1].expression)))
    plain = [item for item in found if not item[0]]
    return found[:FORMULATIONS] + [item for item in plain if item not in found[:FORMULATIONS]]


def _written(goal: Goal) -> Iterator[tuple[Chain, Goal]]:
    for opening, first in _openings(goal):
        for chain, second in _without_constraints(opening, first, 3):
            yield from _scaled(chain, second)


def _openings(goal: Goal) -> Iterator[tuple[Chain, Goal]]:
    for rewriting, form in _rewritten(goal):
        yield rewriting, form
        for parameters in _abstractions(form):
            try:
                (after,) = applied("abstract", form, parameters)
            except Refused:
                continue
            yield (*rewriting, ("abstract", parameters)), after
    for parameters in ((), ("loose",)):
        try:
            (grouped,) = applied("group", goal, parameters)
        except Refused:
            continue
        yield (("group", parameters),), grouped
        break
    for place, whole in enumerate(sums_inside(goal.expression)):
        for item in goal.symbols:
            if whole.coeff(item) == 1:
                try:
                    (renamed,) = applied("rename_sum", goal, (str(place), item.name))
                except Refused:
                    continue
                yield (("rename_sum", (str(place), item.name)),), renamed
    chain: Chain = ()
    current = goal
    for item in goal.symbols:
        hidden = [log for log in current.expression.atoms(sympy.log) if item in log.free_symbols]
        outside = current.expression.xreplace({log: sympy.Dummy() for log in hidden})
        if hidden and item not in outside.free_symbols:
            try:
                (current,) = applied("log_symbol", current, (item.name,))
            except Refused:
                continue
            chain = (*chain, ("log_symbol", (item.name,)))
    if chain:
        yield chain, current


def _rewritten(goal: Goal, depth: int = 3) -> Iterator[tuple[Chain, Goal]]:
    """The goal, and what follows by functions of both sides, one after the other."""
    yield (), goal
    if depth == 0:
        return
    (shorter,) = applied("divide", goal, ())
    for rule, opening, start in (("hyperbolic", (), goal), ("logarithms", ("divide",), shorter), ("squares", ("divide",), shorter)):
        try:
            (after,) = applied(rule, start, ())
        except Refused:
            continue
        if sympy.count_ops(after.expression) <= 3 * sympy.count_ops(goal.expression) + 20:
            for chain, form in _rewritten(after, depth - 1):
                yield (*((first, ()) for first in opening), (rule, ()), *chain), form


def _abstractions(goal: Goal) -> Iterator[tuple[str, ...]]:
    yield ("atoms",)
    for place in range(min(4, len(parts_of(goal.expression)))):
        yield "part", str(place)
    for item in goal.used():
        degrees = {int(node.exp.q) for node in goal.expression.atoms(sympy.Pow) if node.base == item and node.exp.is_Rational}
        degree = math.lcm(*degrees) if degrees else 1
        if 1 < degree <= 6:
            yield "root", item.name, str(degree)


def turning_points(goal: Goal, item: sympy.Symbol) -> list[Fraction]:
    """A number on each side of the point where the derivative changes from + to -, in their order; none if it does not."""
    try:
        tape = Enclosure(derivative(goal.expression, item), [item])
    except Unknown:
        return []
    domain = goal.range_of(item)
    signs = []
    for (number,) in sorted(sample_points((domain,), SAMPLES)):
        value = tape.balls([end(number)], ctx.prec)
        signs.append((number, 1 if value > 0 else -1 if value < 0 else 0))
    changes = [(one, two) for one, two in itertools.pairwise(signs) if one[1] > 0 > two[1]]
    if len(changes) != 1:
        return []
    low, high = changes[0][0][0], changes[0][1][0]
    for _ in range(6):
        middle = ((low + high) / 2).limit_denominator(10**4)
        if not low < middle < high:
            break
        value = tape.balls([end(middle)], ctx.prec)
        low, high = (middle, high) if value > 0 else (low, middle)
    return [low, high]


def _without_constraints(chain: Chain, goal: Goal, depth: int) -> Iterator[tuple[Chain, Goal]]:
    yield chain, goal
    if depth == 0:
        return
    used = set(goal.used())
    for place, constraint in enumerate(goal.constraints):
        if not constraint.expression.free_symbols & used:
            continue
        for item in goal.symbols:
            if item not in constraint.expression.free_symbols:
                continue
            for form in ("ratio", "shift"):
                parameters = (str(place), item.name, form)
                try:
                    (after,) = applied("bound", goal, parameters)
                except Refused:
                    continue
                yield from _without_constraints((*chain, ("bound", parameters)), after, depth - 1)
                break


def _scaled(chain: Chain, goal: Goal) -> Iterator[tuple[Chain, Goal]]:
    yield chain, goal
    try:
        (shorter,) = applied("divide", goal, ())
        (after,) = applied("scale", shorter, ())
    except Refused:
        return
    yield (*chain, ("divide", ()), ("scale", ())), after
