"""Lines of proofs: each is certified on its whole domain, refuted by exact numbers, or left open with what remains.

Deterministic: nothing is drawn, and the budget counts boxes. A refutation's witness is the counterexample; `recheck` evaluates both sides
there again and searches nothing. A certificate stands in the result's detail, and `recheck` walks it again.

Proofs that were found once are kept, one file per paper in `audits/proofs`, and walked instead of searched for: that takes a tenth of the
time and is all that a certificate depends on. A kept proof that does not stand, as of a line that was changed, is searched for again.
`make proofs` writes all of them anew, `make proofs ARGS=wu_2023` those of one paper.
"""

import functools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

from banditproof.audits.evidence import AuditResult, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banditproof.audits.registry import Request
    from banditproof.theory.certify import Decision
    from banditproof.theory.language import Step

BOXES = 20_000


@dataclass(frozen=True)
class ProofSteps:
    """One line of a theorem's proof, by their ids. `boxes` is the budget of the quick level."""

    theorem: str
    step: str
    boxes: int = BOXES
    statistical: bool = False

    def line(self) -> "Step":
        """The Step. Raises KeyError where the theorem or the line is not registered."""
        from banditproof.audits.registry import theorems

        for line in theorems()[self.theorem].steps:
            if line.id == self.step:
                return line
        raise KeyError(f"{self.theorem}: has no step {self.step!r}")

    def measure(self, request: "Request") -> AuditResult:
        id, line = f"{self.theorem}:{self.step}", self.line()
        found = from_kept(line, id)
        return judge(line, id, self.boxes * request.level.factor) if found is None else found

    def recheck(self, result: AuditResult, *, seed: int, samples: int | None = None) -> AuditResult:
        """A counterexample evaluated, or a certificate walked, again. Nothing is drawn: `seed` and `samples` change nothing."""
        return judge_again(self.line(), f"{self.theorem}:{self.step}", result)


KEPT = Path(__file__).parents[1] / "proofs"


@functools.cache
def kept(stem: str) -> dict[str, dict[str, Any]]:
    """A paper's kept proofs by the line's id, none where it has no file: the digest of the claim, proofs of its goals, and of what must be
    positive for both sides to be defined."""
    import json

    path = KEPT / f"{stem}.json"
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["lines"] if path.is_file() else {}
    return found


def from_kept(line: "Step", id: str) -> AuditResult | None:
    """The verdict by the kept proof, if there is one of this very line that stands."""
    from banditproof.theory import certify
    from banditproof.theory.proving.claims import claim_of

    claim, record = claim_of(line, id), kept(id.split(".")[0]).get(id)
    if record is None or record["digest"] != claim.digest():
        return None
    proved = certify.confirm(claim, record["proofs"], record["defined"])
    return None if proved is None else _result(line, proved)


def searched(method: ProofSteps) -> AuditResult:
    """The verdict without any kept proof."""
    return judge(method.line(), f"{method.theorem}:{method.step}", method.boxes)


def text_of(results: "Iterable[AuditResult]") -> str:
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


def judge(line: "Step", id: str, boxes: int = BOXES) -> AuditResult:
    """The verdict on one line of a proof."""
    from banditproof.theory import certify
    from banditproof.theory.proving.claims import claim_of

    return _result(line, certify.decide(claim_of(line, id), boxes=boxes))


def judge_again(line: "Step", id: str, result: AuditResult) -> AuditResult:
    """The verdict from the result's own counterexample or certificate; INCONCLUSIVE where neither stands any more. Raises ValueError
    where the result has neither."""
    from fractions import Fraction

    from banditproof.theory import certify
    from banditproof.theory.proving.claims import claim_of, violation

    claim = claim_of(line, id)
    if result.witness is not None and result.witness.get("kind") == "proof step":
        point = {name: Fraction(number) for name, number in result.witness["counterexample"].items()}
        sides = violation(claim, point) if set(point) == {item.name for item, _ in claim.domains} else None
        if sides is None:
            return replace(result, verdict=Verdict.INCONCLUSIVE, message="the line does not fail at these numbers")
        left, right = (str(side.str(62)) for side in sides)
        return _refuted(line, tuple(result.witness["counterexample"].items()), left, right)
    if "certificate" in result.detail:
        certificate = certify.Certificate.from_json(result.detail["certificate"])
        if certify.recheck(certificate, claim):
            return _result(line, certify.Proved(certificate))
        return replace(result, verdict=Verdict.INCONCLUSIVE, message="the certificate does not stand for this line")
    raise ValueError(f"audit {result.audit!r}: its result has neither a counterexample nor a certificate ({result.verdict.value})")


def _result(line: "Step", decision: "Decision") -> AuditResult:
    from banditproof.theory import certify

    match decision:
        case certify.Proved(certificate):
            message = f"holds on the whole domain: {certificate.rules} rules, {certificate.boxes} boxes at {certificate.precision} bits"
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


def _refuted(line: "Step", counterexample: tuple[tuple[str, str], ...], left: str, right: str) -> AuditResult:
    numbers = ", ".join(f"{name} = {number}" for name, number in counterexample)
    message = f"fails at {numbers}: {_digits(left)} {line.sense.value} {_digits(right)} is false"
    witness = {"kind": "proof step", "counterexample": dict(counterexample), "left": left, "right": right}
    return _found(line, Verdict.REFUTED, message, witness=witness)


def _digits(ball: str) -> str:
    """The first digits of a ball's middle; the witness has them all."""
    return ball.strip("[]").split(" ")[0][:22]


def _found(
    line: "Step",
    verdict: Verdict,
    message: str,
    *,
    detail: dict[str, Any] | None = None,
    witness: dict[str, Any] | None = None,
    samples: int = 0,
) -> AuditResult:
    assumed = (f"only this domain: {line.reason}",) if line.reason else ()
    return AuditResult(
        "", "", "", verdict, samples=samples, assumed=assumed, witness=witness, detail={"step": line.id, **(detail or {})}, message=message
    )
