"""What a replay with frozen releases can be looked at again by: the claim and the pair of neighbours."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from banditproof.audits.privacy.claims import claim_from_json, claim_json
from banditproof.audits.privacy.witness import ONE_STEP, TERMS, Terms, plain_input, read_input, written_input
from banditproof.audits.statistics.evidence import Measurement, plain_json
from banditproof.guarantees import Guarantee


@dataclass(frozen=True)
class FrozenWitness:
    """Two neighbours, and the seed of the variates. `contract`: that the function is private by composition was judged, not the claim
    alone; `subject` names a user's mechanism."""

    claim: Guarantee
    dataset: Any
    neighbour: Any
    seed: int
    contract: bool
    subject: str = ""
    terms: Terms = ONE_STEP
    kind: ClassVar[str] = "frozen"

    def rows(self) -> list[tuple[str, Any]]:
        return [("dataset", plain_input(self.dataset)), ("neighbour", plain_input(self.neighbour)), ("variates", f"seed {self.seed}")]

    def to_json(self) -> dict[str, Any]:
        record = {
            "claim": claim_json(self.claim),
            "dataset": written_input(self.dataset),
            "neighbour": written_input(self.neighbour),
            "seed": self.seed,
            "contract": self.contract,
        }
        record |= {"subject": self.subject} if self.subject else {}
        return {name: plain_json(value) for name, value in (record | self.terms.to_json()).items()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "FrozenWitness":
        """The inverse of `to_json`. Raises ValueError, naming the field, on one that is missing or unknown."""
        names = ("claim", "dataset", "neighbour", "seed", "contract")
        missing, unknown = [name for name in names if name not in record], sorted(set(record) - {*names, *TERMS, "subject"})
        if missing or unknown:
            named, state = (missing[0], "is missing") if missing else (unknown[0], "is not one of its fields")
            raise ValueError(f"witness {cls.__name__}: field {named!r} {state}")
        dataset, neighbour = read_input(record["dataset"]), read_input(record["neighbour"])
        claim, subject = claim_from_json(record["claim"]), str(record.get("subject", ""))
        seed, contract, terms = int(record["seed"]), bool(record["contract"]), Terms.from_json(record)
        return cls(claim, dataset, neighbour, seed, contract, subject, terms)


def frozen_witness(measured: Measurement) -> FrozenWitness:
    """The witness of a replay with frozen releases. Raises ValueError where there is none, or one of another kind."""
    if not isinstance(measured.witness, FrozenWitness):
        raise ValueError("measurement: has no pair of neighbours to replay with frozen releases")
    return measured.witness
