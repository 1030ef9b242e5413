"""Decides inequalities and identities on a whole domain: proved, refuted by numbers, or undecided with what remains.

Main definitions
    decide        a Step or a Claim -> Proved | Refuted | Undecided
    confirm       the certificate of proofs that were found before, or None where they do not stand
    Certificate   a proof as JSON can hold it: the tree of rules, its boxes, the precision, the versions
    recheck       walks a certificate again, without any search

A claim is proved by rules (proving/rules.py) that end in ball arithmetic on boxes (proving/boxes.py, which has the table of how
unbounded domains are cut). It is refuted by exact numbers in its domain at which both sides, to more than 60 digits, lie on the wrong
side of each other. Everything is deterministic. The budget counts boxes; seconds, if given, can only turn a verdict to undecided.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from flint import __version__ as flint_version
from flint import ctx

from banditproof.theory.language import Step
from banditproof.theory.proving.boxes import Budget, Falsified, OutOfBudget, Search
from banditproof.theory.proving.claims import Claim, claim_of, goals, requirements, violation
from banditproof.theory.proving.counterexamples import Finder, simplified
from banditproof.theory.proving.enclosures import Unknown
from banditproof.theory.proving.families import Box, Family
from banditproof.theory.proving.goals import Goal, shown
from banditproof.theory.proving.sampling import sample_points
from banditproof.theory.proving.search import Proof, Prover, boxes_of, replay

SCHEMA = "banditproof/certificate/1"
BOXES = 20_000
PRECISION = 64  # bits
SHOWN = 8  # boxes of what remains


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
    """True on the whole domain."""

    certificate: Certificate


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
    """Proves or refutes a claim within a budget of boxes. Raises ValueError on a budget below 1."""
    if boxes < 1:
        raise ValueError(f"boxes = {boxes}: must be an integer >= 1")
    asked = claim_of(claim) if isinstance(claim, Step) else claim
    budget = Budget(boxes, clock=None if seconds is None else time.monotonic)
    if seconds is not None:
        budget.deadline = time.monotonic() + seconds
    with ctx.workprec(PRECISION):
        return _decided(asked, budget)


def confirm(claim: Claim, proofs: Sequence[Any], defined: Sequence[Any]) -> Proved | None:
    """The certificate of proofs that an earlier search found: each is walked by the rules, and none is believed. None where one of them
    does not prove what it should, as of another claim. Nothing is searched."""
    with ctx.workprec(PRECISION):
        wanted, needed = goals(claim), requirements(claim)
        if (len(wanted), len(needed)) != (len(proofs), len(defined)):
            return None
        try:
            found = _certified(claim, wanted, [Proof.from_json(proof) for proof in proofs], [Proof.from_json(proof) for proof in defined])
        except (TypeError, ValueError):
            return None
    return found if isinstance(found, Proved) else None


def _decided(claim: Claim, budget: Budget) -> Decision:
    wanted = goals(claim)
    for goal in wanted:
        refuted = _refuted(claim, lambda goal=goal: Finder(claim, goal).find())  # type: ignore[misc]
        if refuted is not None:
            return refuted
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
    return _certified(claim, wanted, proofs, defined)


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


def _certified(claim: Claim, wanted: list[Goal], proofs: list[Proof], defined: list[Proof]) -> Decision:
    """The certificate, if its own walk confirms it."""
    margins = [replay(goal, proof) for goal, proof in zip([*wanted, *requirements(claim)], [*proofs, *defined], strict=True)]
    if any(margin is None for margin in margins):
        return Undecided("a proof was found that does not stand when it is walked again", (), sum(map(boxes_of, proofs)))
    every = [*proofs, *defined]
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
    return Proved(certificate)


def recheck(certificate: Certificate, claim: Step | Claim) -> bool:
    """Whether the certificate is of this claim, and each of its rules and boxes holds again. Nothing is searched."""
    asked = claim_of(claim) if isinstance(claim, Step) else claim
    if certificate.digest != asked.digest():
        return False
    with ctx.workprec(certificate.precision):
        wanted = [*goals(asked), *requirements(asked)]
        proofs = [*certificate.proofs, *certificate.defined]
        if len(wanted) != len(proofs):
            return False
        try:
            return all(replay(goal, Proof.from_json(proof)) is not None for goal, proof in zip(wanted, proofs, strict=True))
        except (TypeError, ValueError):
            return False


# --- what remains ------------------------------------------------------------------------------------------------------------------


def _left(claim: Claim, goal: Goal, budget: Budget) -> Decision:
    """The boxes of the claim's own domain that nothing closes; a counterexample, if one of them holds it."""
    search = None
    try:
        search = Search(Family(goal), Budget(400, deadline=budget.deadline, clock=budget.clock), goal.strict, keep_going=True)
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
