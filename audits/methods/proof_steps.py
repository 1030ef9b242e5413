"""Lines of proofs: each is certified on its whole domain, refuted by exact numbers, or left open with what remains.

Deterministic: nothing is drawn, and the budget counts boxes. A refutation's witness is the counterexample; `recheck` evaluates both sides
there again and searches nothing. A certificate stands in the result's detail, and `recheck` walks it again.

Proofs that were found once are kept, one file per paper in `audits/proofs`, and walked instead of searched for: that takes a tenth of the
time and is all that a certificate depends on. A kept proof that does not stand, as of a line that was changed, is searched for again.
`make proofs` writes all of them anew, `make proofs ARGS=wu_2023` those of one paper.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, assert_never

from banditproof.audits.running.audit import Audit, Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict, fields_json, from_fields

if TYPE_CHECKING:
    from banditproof.theory.certify import Decision
    from banditproof.theory.language import Step, Theorem

BOXES = 2_000


@dataclass(frozen=True)
class StepWitness:
    """Exact numbers at which a line fails, and both of its sides there."""

    counterexample: Mapping[str, str]
    left: str
    right: str
    kind: ClassVar[str] = "proof step"

    def rows(self) -> list[tuple[str, Any]]:
        return [("counterexample", self.counterexample), ("left", self.left), ("right", self.right)]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "StepWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class ProofSteps:
    """One line of a theorem's proof, by their ids. `boxes` is the budget of the quick level."""

    theorem: str
    step: str
    boxes: int = BOXES
    statistical: bool = False
    prefix: ClassVar[str] = "step"

    def line(self) -> "Step":
        """The Step. Raises KeyError where the theorem or the line is not registered."""
        from banditproof.audits.running.registry import theorem

        for line in theorem(self.theorem).steps:
            if line.id == self.step:
                return line
        raise KeyError(f"{self.theorem}: has no step {self.step!r}")

    def measure(self, request: Request) -> Measurement:
        id, line = f"{self.theorem}:{self.step}", self.line()
        found = from_kept(line, id)
        return judge(line, id, self.boxes * request.level.factor) if found is None else found

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """A counterexample evaluated, or a certificate walked, again. Nothing is drawn."""
        return judge_again(self.line(), f"{self.theorem}:{self.step}", before)


def generated(theorems: "Iterable[Theorem]") -> Iterator[Audit]:
    """An audit of each line of each proof; a line that is false in print stands as published and must be refuted."""
    for theorem in theorems:
        for step in theorem.steps:
            expected = Verdict.REFUTED if step.id in theorem.false_steps() else None
            yield Audit(theorem.id, f"step.{step.id}", f"step {step.id}", ProofSteps(theorem.id, step.id), expected)


def proofs_of(stem: str) -> Path | None:
    """The file of a paper's kept proofs, in the folder of its audits; it need not exist. None where there is no such folder."""
    from importlib.util import find_spec

    from banditproof.audits.running.registry import papers

    spec = find_spec(papers()[stem].audits) if stem in papers() else None
    if spec is None or spec.submodule_search_locations is None:
        return None
    return Path(spec.submodule_search_locations[0]) / "proofs.json"


@functools.cache
def kept(stem: str) -> dict[str, dict[str, Any]]:
    """A paper's kept proofs by the line's id, none where it has no file: the digest of the claim, proofs of its goals, and of what must be
    positive for both sides to be defined."""
    import json

    path = proofs_of(stem)
    if path is None or not path.is_file():
        return {}
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["lines"]
    return found


def from_kept(line: "Step", id: str) -> Measurement | None:
    """The verdict by the kept proof, if there is one of this very line that stands."""
    from banditproof.theory import certify
    from banditproof.theory.proving.claims import claim_of

    claim, record = claim_of(line, id), kept(id.split(".")[0]).get(id)
    if record is None or record["digest"] != claim.digest():
        return None
    proved = certify.confirm(claim, record["proofs"], record["defined"])
    return None if proved is None else _result(line, proved)


def searched(method: ProofSteps) -> Measurement:
    """The verdict without any kept proof; with it where a search finds none that the checker accepts."""
    line, id = method.line(), f"{method.theorem}:{method.step}"
    found = judge(line, id, method.boxes)
    return found if "certificate" in found.detail else from_kept(line, id) or found


def text_of(results: Iterable[Measurement]) -> str:
    """What to keep of the results of searches, one line of the file per proof, by the ids of the proved lines; '' if nothing is proved."""
    import json

    found = sorted((one["claim"], one) for one in (result.detail["certificate"] for result in results if "certificate" in result.detail))
    if not found:
        return ""
    records = [
        f"{json.dumps(id)}:{json.dumps({name: one[name] for name in ('digest', 'proofs', 'defined')}, separators=(',', ':'))}"
        for id, one in found
    ]
    return '{"schema":"banditproof/proofs/1","lines":{\n' + ",\n".join(records) + "\n}}\n"


def judge(line: "Step", id: str, boxes: int = BOXES) -> Measurement:
    """The verdict on one line of a proof."""
    from banditproof.theory import certify
    from banditproof.theory.proving.claims import claim_of

    return _result(line, certify.decide(claim_of(line, id), boxes=boxes))


def judge_again(line: "Step", id: str, before: Measurement) -> Measurement:
    """The verdict from the measurement's own counterexample or certificate; INCONCLUSIVE where neither stands any more. Raises ValueError
    where it has neither."""
    from fractions import Fraction

    from banditproof.theory import certify
    from banditproof.theory.proving.claims import claim_of, violation

    claim = claim_of(line, id)
    if isinstance(before.witness, StepWitness):
        point = {name: Fraction(number) for name, number in before.witness.counterexample.items()}
        sides = violation(claim, point) if set(point) == {item.name for item, _ in claim.domains} else None
        if sides is None:
            return replace(before, verdict=Verdict.INCONCLUSIVE, message="the line does not fail at these numbers")
        left, right = (str(side.str(62)) for side in sides)
        return _refuted(line, tuple(before.witness.counterexample.items()), left, right)
    if "certificate" in before.detail:
        certificate = certify.Certificate.from_json(before.detail["certificate"])
        stands = certify.confirm(claim, certificate.proofs, certificate.defined) if certify.recheck(certificate, claim) else None
        if stands is not None:
            return _result(line, stands)
        return replace(before, verdict=Verdict.INCONCLUSIVE, message="the certificate does not stand for this line")
    raise ValueError(f"line {id}: the measurement has neither a counterexample nor a certificate ({before.verdict.value})")


def _result(line: "Step", decision: "Decision") -> Measurement:
    from banditproof.theory import certify

    match decision:
        case certify.Proved(certificate, empty, unseen):
            if empty:
                message = "the domain is empty: no values satisfy the line's conditions, so it claims nothing"
                return _found(line, Verdict.VACUOUS, message, detail={"certificate": certificate.to_json()}, samples=certificate.boxes)
            message = f"holds on the whole domain: {certificate.rules} rules, {certificate.boxes} boxes at {certificate.precision} bits"
            if unseen:
                message += "; no values that satisfy the line's conditions were found"
            detail: dict[str, Any] = {"certificate": certificate.to_json()}
            return _found(line, Verdict.CERTIFIED, message, detail=detail, samples=certificate.boxes)
        case certify.Refuted(counterexample, left, right):
            return _refuted(line, counterexample, left, right)
        case certify.Undecided(reason, remaining, boxes, more):
            message = f"{reason}, after {boxes} boxes: a smaller domain, a lemma or more boxes would settle it"
            if remaining:
                first = ", ".join(f"{name} in {part}" for name, part in remaining[0].items())
                message += f"; {len(remaining) + more} parts remain, the first is {first}"
            return _found(line, Verdict.INCONCLUSIVE, message, detail={"remaining": list(remaining), "more": more}, samples=boxes)
        case _:
            assert_never(decision)


def _refuted(line: "Step", counterexample: tuple[tuple[str, str], ...], left: str, right: str) -> Measurement:
    numbers = ", ".join(f"{name} = {number}" for name, number in counterexample)
    sides = f"the left side is {_digits(left)} and the right side {_digits(right)}"
    message = f"fails at {numbers}: {sides}, where the line says left {line.sense.value} right"
    return _found(line, Verdict.REFUTED, message, witness=StepWitness(dict(counterexample), left, right))


def _digits(ball: str) -> str:
    """The first digits of a ball's middle; the witness has them all."""
    return ball.strip("[]").split(" ")[0][:22]


def _found(
    line: "Step",
    verdict: Verdict,
    message: str,
    *,
    detail: dict[str, Any] | None = None,
    witness: StepWitness | None = None,
    samples: int = 0,
) -> Measurement:
    assumed = (f"only this domain: {line.reason}",) if line.reason else ()
    numbers = {"step": line.id, **(detail or {})}
    return Measurement(verdict, samples=samples, assumed=assumed, witness=witness, detail=numbers, message=message)
