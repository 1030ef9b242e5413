"""What a privacy verdict can be looked at again by: the claim, the event, what it did, and the neighbours."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from typing import Any, ClassVar

from banditproof.audits.privacy.claims import claim_from_json, claim_json
from banditproof.audits.privacy.events import Event
from banditproof.audits.statistics.evidence import Measurement, from_plain, plain_json
from banditproof.guarantees import Guarantee, NeighbouringRelation
from banditproof.interaction import Replacement
from banditproof.mechanism import Neighbours


@dataclass(frozen=True)
class Terms:
    """What a witness has to be looked at again by, beside the claim: how far apart neighbours are (as in `Neighbours`), and the form in
    which the data reach a user's code ("" for none that is known). In a group of k they are k steps of the relation apart, and the claim is
    what group privacy makes of that on one step."""

    sensitivity: float = 1.0
    norm: int = 1
    group: int = 1
    data_as: str = ""

    def neighbours(self, relation: NeighbouringRelation) -> Neighbours:
        """The pairs of datasets that are neighbours. Raises ValueError as `Neighbours` does."""
        return Neighbours(relation, sensitivity=self.sensitivity, norm=self.norm, group=self.group)

    def to_json(self) -> dict[str, Any]:
        """The fields that are not their defaults."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) != field.default}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Terms":
        """Of a witness's record: the inverse of `to_json`."""
        return cls(**{name: kind(record[name]) for name, kind in TERMS.items() if name in record})


ONE_STEP = Terms()
TERMS: Mapping[str, Callable[[Any], Any]] = {"sensitivity": float, "norm": int, "group": int, "data_as": str}


@dataclass(frozen=True)
class PrivacyWitness:
    """An event and its counts on `trials` outputs to which nothing was fitted. The neighbours are `dataset` and `neighbour` where the
    outputs were drawn here (None where they were not), `subject` names a user's mechanism, `files` the stored outputs."""

    claim: Guarantee
    event: Event
    width: int  # of the outputs that the event reads
    trials: int
    right: int
    wrong: int
    leaks: int  # right guesses that were taken off, since delta may explain them
    leaks_expected: float
    dataset: Any = None
    neighbour: Any = None
    subject: str = ""
    files: tuple[str, ...] = ()
    terms: Terms = ONE_STEP
    kind: ClassVar[str] = "privacy"

    @property
    def rule(self) -> str:
        """The event in words."""
        return self.event.describe()

    @property
    def drawn(self) -> bool:
        """Whether it has its neighbours. (Equal ones are none, so they are not both None.)"""
        return not (self.dataset is None and self.neighbour is None)

    def rows(self) -> list[tuple[str, Any]]:
        """The two datasets, the rule that distinguishes their outputs, and how often it was right."""
        inputs = [("dataset", plain_input(self.dataset)), ("neighbour", plain_input(self.neighbour))] if self.drawn else []
        guesses = self.right + self.wrong
        counted = f"{self.right:,} correct guesses of {guesses:,}, on {self.trials:,} held-out outputs"
        return [*inputs, ("rule", f"guess by {self.rule}"), ("counted", counted)]

    def to_json(self) -> dict[str, Any]:
        """The event also in words; the neighbours, the subject, the files and the terms only where there are any."""
        record = {
            "claim": claim_json(self.claim),
            "event": self.event.to_json(),
            "rule": self.rule,
            **{name: getattr(self, name) for name in _COUNTS},
        }
        if self.drawn:
            record |= {"dataset": written_input(self.dataset), "neighbour": written_input(self.neighbour)}
        record |= {name: value for name in ("subject", "files") if (value := getattr(self, name))}
        return {name: plain_json(value) for name, value in (record | self.terms.to_json()).items()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "PrivacyWitness":
        """The inverse of `to_json`. Raises ValueError, naming the field, on one that is missing or unknown."""
        missing = [name for name in ("claim", "event", *_COUNTS) if name not in record]
        unknown = sorted(set(record) - {"claim", "event", "rule", *_COUNTS, "dataset", "neighbour", "subject", "files", *TERMS})
        if missing or unknown:
            named, state = (missing[0], "is missing") if missing else (unknown[0], "is not one of its fields")
            raise ValueError(f"witness {cls.__name__}: field {named!r} {state}")
        return cls(
            claim_from_json(record["claim"]),
            Event.from_json(record["event"]),
            **{name: int(record[name]) for name in _COUNTS[:-1]},
            leaks_expected=float(record["leaks_expected"]),
            dataset=read_input(record.get("dataset")),
            neighbour=read_input(record.get("neighbour")),
            subject=str(record.get("subject", "")),
            files=tuple(map(str, record.get("files", ()))),
            terms=Terms.from_json(record),
        )


_COUNTS = ("width", "trials", "right", "wrong", "leaks", "leaks_expected")


def with_inputs(measured: Measurement, pair: tuple[Any, Any], subject: str = "", terms: Terms = ONE_STEP) -> Measurement:
    """The measurement with the neighbours, the name of a user's mechanism and the terms in its witness."""
    dataset, neighbour = pair
    witness = replace(privacy_witness(measured), dataset=dataset, neighbour=neighbour, subject=subject, terms=terms)
    return replace(measured, witness=witness)


def privacy_witness(measured: Measurement) -> PrivacyWitness:
    """The witness of a privacy measurement. Raises ValueError where there is none, or one of another kind."""
    match measured.witness:
        case PrivacyWitness():
            return measured.witness
        case None:
            raise ValueError(f"measurement: has no witness to re-count ({measured.verdict.value})")
        case _:
            raise ValueError(f"witness of kind {measured.witness.kind!r}: is not about privacy")


def plain_input(value: Any) -> Any:
    """A neighbour as plain data: a replaced round as a dictionary of its fields."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


_ROUND = {"round", "rewards", "contexts"}  # the fields of a replaced round in a record


def written_input(value: Any) -> Any:
    """A neighbour as a record holds it. In a record some texts spell numbers, and some dictionaries replaced rounds: where those of a user
    look like them, they are in a dictionary {"is": ...}."""
    if isinstance(value, Replacement):
        return asdict(value)
    if isinstance(value, (list, tuple)):
        return [written_input(part) for part in value]
    if isinstance(value, dict):
        inside = {name: written_input(part) for name, part in value.items()}
        return {"is": inside} if set(value) in (_ROUND, {"is"}) else inside
    return {"is": value} if isinstance(value, str) and from_plain(value) is not value else value


def read_input(value: Any) -> Any:
    """A record's neighbour as the mechanism takes it: the inverse of `written_input` after `plain_json`."""
    if isinstance(value, dict):
        if set(value) == _ROUND:
            rewards, contexts = read_input(value["rewards"]), read_input(value["contexts"])
            return Replacement(int(value["round"]), tuple(rewards), None if contexts is None else tuple(map(tuple, contexts)))
        if set(value) == {"is"}:
            kept = value["is"]
            return {name: read_input(part) for name, part in kept.items()} if isinstance(kept, dict) else kept
        return {name: read_input(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [read_input(part) for part in value]
    return from_plain(value)
