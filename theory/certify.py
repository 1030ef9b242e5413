"""Decides inequalities and identities on a whole domain: proved, refuted by numbers, or undecided with what remains.

Main definitions
    decide        a Step or a Claim -> Proved | Refuted | Undecided
    confirm       the certificate of proofs that were found before, or None where they do not stand
    Certificate   a proof as JSON can hold it: the tree of rules, its boxes, the precision, the versions
    recheck       walks a certificate again, without any search

A claim is proved by rules (proving/rules.py) that end in ball arithmetic on boxes (proving/boxes.py, which has the table of how
unbounded domains are cut). What the search found, or was kept, is believed only where the checker (proving/checker/), which shares
none of the search's rewriting, accepts it.

A claim is refuted by exact numbers in its domain at which both sides, to more than 60 digits, lie on the wrong
side of each other. Everything is deterministic. The budget counts boxes, and the work of everything else (finder, rewriting, checker) in
units of effort (proving/effort.py), of which each box allows some; seconds, if given, can only turn a verdict to undecided.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy
from flint import __version__ as flint_version
from flint import ctx

from banditproof.theory.language import Sense, Step
from banditproof.theory.proving import effort
from banditproof.theory.proving.boxes import Budget, Falsified, OutOfBudget, Search
from banditproof.theory.proving.checker.claims import accepts
from banditproof.theory.proving.claims import Claim, claim_of, goals, requirements, violation
from banditproof.theory.proving.counterexamples import Finder, simplified
from banditproof.theory.proving.enclosures import Unknown
from banditproof.theory.proving.families import Box, Family
from banditproof.theory.proving.goals import Goal, Refused, shown
from banditproof.theory.proving.sampling import sample_points
from banditproof.theory.proving.search import Proof, Prover, boxes_of, derivation, replay

SCHEMA = "banditproof/certificate/1"
BOXES = 20_000
PRECISION = 64  # bits
LEAST_PRECISION, MOST_PRECISION = 16, 4096
SHOWN = 8  # boxes of what remains
GLANCES = 60  # points at which a kept proof is met
EFFORT = 400_000  # units of effort of a decision, about two seconds, and further ones
EFFORT_OF_A_BOX = 2_000
EFFORT_OF_A_CHECK = 5_000_000
LIMITS = (RecursionError, OverflowError, MemoryError)


@dataclass(frozen=True)
class Certificate:
    """A proof that can be walked again. `margin` is the least range over its boxes: 0 where both sides meet at a border."""

    claim: str
    digest: str
    precision: int
    proofs: tuple[Any, ...]  # of the claim's goals, in their order
    defined: tuple[Any, ...]  # of what must be positive for both sides to be defined
    boxes: int
    rules: int
    margin: float
    versions: dict[str, str] = field(default_factory=dict)
    schema: str = SCHEMA

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; an infinite margin (a proof without boxes) is None."""
        return {**asdict(self), "margin": self.margin if self.boxes else None, "proofs": list(self.proofs), "defined": list(self.defined)}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Certificate":
        """The inverse. Raises ValueError on a record of another schema."""
        if record.get("schema") != SCHEMA:
            raise ValueError(f"schema = {record.get('schema')!r}: must be {SCHEMA!r}")
        margin = float("inf") if record["margin"] is None else record["margin"]
        return cls(**{**record, "margin": margin, "proofs": tuple(record["proofs"]), "defined": tuple(record["defined"])})


@dataclass(frozen=True)
class Proved:
    """True on the whole domain. `empty` says that nothing satisfies the conditions, so that nothing was claimed; `unseen`, that no point
    which satisfies them was found, nor that there is none."""

    certificate: Certificate
    empty: bool = False
    unseen: bool = False


@dataclass(frozen=True)
class Refuted:
    """False at these exact numbers, which lie in the domain; both sides as decimals with their error."""

    counterexample: tuple[tuple[str, str], ...]
    left: str
    right: str

    def point(self) -> dict[str, Fraction]:
        return {name: Fraction(number) for name, number in self.counterexample}


@dataclass(frozen=True)
class Undecided:
    """Neither. `remaining` are parts of the domain that nothing closed, in the claim's own quantities (the first few)."""

    reason: str
    remaining: tuple[dict[str, str], ...]
    boxes: int
    more: int = 0  # boxes beyond those shown


Decision = Proved | Refuted | Undecided


def decide(claim: Step | Claim, *, boxes: int = BOXES, seconds: float | None = None) -> Decision:
    """Proves or refutes a claim within a budget of boxes, and of `effort_of` as many. Raises ValueError on a budget below 1."""
    if boxes < 1:
        raise ValueError(f"boxes = {boxes}: must be an integer >= 1")
    asked = claim_of(claim) if isinstance(claim, Step) else claim
    budget = Budget(boxes, clock=None if seconds is None else time.monotonic)
    if seconds is not None:
        budget.deadline = time.monotonic() + seconds
    with ctx.workprec(PRECISION):
        try:
            with effort.limited(effort_of(boxes), budget.in_time):
                return _decided(asked, budget)
        except (OutOfBudget, effort.Exhausted):
            return Undecided("the budget ended", (), budget.spent)
        except LIMITS as why:
            return Undecided(f"the expressions are too large or too deep ({type(why).__name__})", (), budget.spent)


def effort_of(boxes: int) -> int:
    """The units of effort that a decision with so many boxes may cost."""
    return EFFORT + EFFORT_OF_A_BOX * boxes


def confirm(claim: Claim, proofs: Sequence[Any], defined: Sequence[Any]) -> Proved | None:
    """The certificate of proofs that an earlier search found: the checker judges each, and none is believed. None where one of them does
    not prove what it should, as of another claim, or where a point of the domain is met at which the claim fails. Nothing is searched."""
    with ctx.workprec(PRECISION):
        try:
            with effort.limited(EFFORT_OF_A_CHECK):
                wanted = goals(claim)
                finders = [Finder(claim, goal) for goal in wanted if not _no_range(goal)]
                if any(finder.glance(GLANCES) is not None for finder in finders):
                    return None
                seen = any(finder.inside for finder in finders)
                found = _certified(claim, [Proof.from_json(proof) for proof in proofs], [Proof.from_json(proof) for proof in defined], seen)
        except (effort.Exhausted, Unknown, TypeError, ValueError, *LIMITS):
            return None
    return found if isinstance(found, Proved) else None


def _decided(claim: Claim, budget: Budget) -> Decision:
    wanted, seen = goals(claim), False
    for goal in wanted:
        if _no_range(goal):
            continue
        try:
            finder = Finder(claim, goal, clock=budget.in_time)
            refuted = _refuted(claim, finder.find)
        except Unknown:
            seen = True  # nothing can be told
            continue
        if refuted is not None:
            return refuted
        seen = seen or finder.inside
    defined = []
    for goal in requirements(claim):
        proof = Prover(budget).prove(goal)
        if proof is None:
            sign = ">" if goal.strict else ">="
            return Undecided(f"not shown to be defined on the whole domain: {goal.expression} {sign} 0", (), budget.spent)
        defined.append(proof)
    proofs = []
    for goal in wanted:
        proof = Prover(budget).prove(goal)
        if proof is None:
            return _left(claim, goal, budget)
        proofs.append(proof)
    return _certified(claim, proofs, defined, seen)


def _no_range(goal: Goal) -> bool:
    return any(domain.empty for _, domain in goal.ranges)


def _refuted(claim: Claim, find: Callable[[], dict[str, Fraction] | None]) -> Refuted | None:
    try:
        point = find()
    except Unknown:
        return None
    if point is None:
        return None
    point = simplified(claim, point)
    sides = violation(claim, point)
    if sides is None:
        return None
    left, right = (str(side.str(62)) for side in sides)
    return Refuted(tuple((name, str(number)) for name, number in point.items()), left, right)


def accepted(claim: Claim, proofs: Sequence[Proof], defined: Sequence[Proof]) -> bool:
    """Whether the checker accepts the proofs, with the goals of the claim that they are said to be of."""
    wanted, needed = goals(claim), requirements(claim)
    if (len(wanted), len(needed)) != (len(proofs), len(defined)):
        return False
    try:
        written = [derivation(goal, proof) for goal, proof in zip([*wanted, *needed], [*proofs, *defined], strict=True)]
    except Refused:
        return False
    return accepts(claim, written[: len(wanted)], written[len(wanted) :])


def empty(claim: Claim, boxes: int = 200) -> bool:
    """Whether nothing satisfies the claim's conditions, by a proof that the checker accepts."""
    nothing = replace(claim, left=sympy.S.Zero, sense=Sense.AT_MOST, right=sympy.S.NegativeOne)
    proofs = [Prover(Budget(boxes)).prove(goal) for goal in goals(nothing)]
    return None not in proofs and accepted(nothing, [proof for proof in proofs if proof is not None], [])


def _certified(claim: Claim, proofs: list[Proof], defined: list[Proof], seen: bool) -> Decision:
    """The certificate, if the checker accepts the proofs. `seen` says that a point of the domain was met."""
    every = [*proofs, *defined]
    if not accepted(claim, proofs, defined):
        return Undecided("a proof was found that the checker does not accept", (), sum(map(boxes_of, every)))
    margins = [replay(goal, proof) for goal, proof in zip([*goals(claim), *requirements(claim)], every, strict=True) if boxes_of(proof)]
    if any(margin is None for margin in margins):
        return Undecided("a proof was found that does not stand when it is walked again", (), sum(map(boxes_of, every)))
    certificate = Certificate(
        claim=claim.id,
        digest=claim.digest(),
        precision=PRECISION,
        proofs=tuple(proof.to_json() for proof in proofs),
        defined=tuple(proof.to_json() for proof in defined),
        boxes=sum(map(boxes_of, every)),
        rules=sum(proof.size() for proof in every),
        margin=min((margin for margin in margins if margin is not None), default=float("inf")),
        versions={"python-flint": flint_version, "sympy": sympy.__version__},
    )
    nothing = not seen and empty(claim)
    return Proved(certificate, empty=nothing, unseen=not seen and not nothing)


def recheck(certificate: Certificate, claim: Step | Claim) -> bool:
    """Whether the certificate is of this claim, and the checker accepts each of its proofs again. Nothing is searched."""
    asked = claim_of(claim) if isinstance(claim, Step) else claim
    if certificate.digest != asked.digest() or not isinstance(certificate.precision, int):
        return False
    if not LEAST_PRECISION <= certificate.precision <= MOST_PRECISION:
        return False
    with ctx.workprec(certificate.precision):
        try:
            proofs, defined = ([Proof.from_json(proof) for proof in part] for part in (certificate.proofs, certificate.defined))
            with effort.limited(EFFORT_OF_A_CHECK):
                return accepted(asked, proofs, defined)
        except (effort.Exhausted, TypeError, ValueError, *LIMITS):
            return False


# --- what remains ------------------------------------------------------------------------------------------------------------------


def _left(claim: Claim, goal: Goal, budget: Budget) -> Decision:
    """The boxes of the claim's own domain that nothing closes; a counterexample, if one of them holds it."""
    search = None
    try:
        search = Search(
            Family(goal),
            Budget(max(1, min(400, budget.boxes // 8)), deadline=budget.deadline, clock=budget.clock),
            goal.strict,
            keep_going=True,
        )
        search.run()
    except Falsified as found:
        point = {**_anywhere(goal), **found.point}
        refuted = _refuted(claim, lambda: point)
        if refuted is not None:
            return refuted
    except (OutOfBudget, Unknown):
        pass
    parts = [] if search is None else search.left
    names = [] if search is None else [item.name for item in search.family.symbols]
    boxes = [{name: str(part) for name, part in zip(names, box, strict=True)} for box in parts]
    return Undecided(_why(goal, names, parts), tuple(boxes[:SHOWN]), budget.spent, max(0, len(boxes) - SHOWN))


def _anywhere(goal: Goal) -> dict[str, Fraction]:
    point = next(iter(sample_points(tuple(domain for _, domain in goal.ranges), 1)), ())
    return {item.name: number for item, number in zip(goal.symbols, point, strict=False)}


def _why(goal: Goal, names: list[str], parts: list[Box]) -> str:
    """Which ends of the ranges the remaining boxes touch."""
    touched = []
    for place, name in enumerate(names):
        whole = next(domain for item, domain in goal.ranges if item.name == name)
        if all(box[place].low == whole.low for box in parts):
            touched.append(f"{name} = {shown(whole.low)}")
        if all(box[place].high == whole.high for box in parts):
            touched.append(f"{name} = {shown(whole.high)}")
    if not parts:
        return "the budget of boxes ended"
    where = f"what remains touches {', '.join(touched)}" if touched else "boxes remain"
    constrained = f"; constraints: {', '.join(f'{part.expression} >= 0' for part in goal.constraints)}" if goal.constraints else ""
    return f"{where}{constrained}"
