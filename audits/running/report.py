"""What a run over audits found, as plain data: every output (table, JSON, ...) is a function of it, and none runs anything.

Times and traces of crashes are kept beside the results and stay out of the record: equal runs give equal records.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from banditproof.audits.statistics.evidence import Measurement, Verdict, measurement_from_json, plain_json

SCHEMA = "banditproof/result/2"
_IDENTITY = ("audit", "theorem", "label", "expected", "seed", "versions")


@dataclass(frozen=True)
class AuditResult:
    """A measurement with whose it is: the audit, its statement, the seed and the versions of the software."""

    audit: str  # id: "<stem>.<theorem>/<method>.<name>"
    theorem: str
    label: str  # what was audited, for readers
    measured: Measurement
    expected: Verdict | None = None  # REFUTED for a recorded erratum or a control
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    def as_expected(self) -> bool:
        """Refuted if and only if that was expected."""
        return (self.measured.verdict is Verdict.REFUTED) == (self.expected is Verdict.REFUTED)

    def unexpected(self) -> bool:
        """Refuted though it should not be, or the reverse. A crash is none of both, nor is an audit that the time budget left out."""
        left_out = self.measured.verdict is Verdict.INCONCLUSIVE and self.measured.samples == 0
        return not (self.as_expected() or self.measured.verdict is Verdict.ERROR or left_out)

    def to_json(self) -> dict[str, Any]:
        """The published record: plain JSON, non-finite numbers as strings, no times and no machine facts."""
        identity = {name: plain_json(getattr(self, name)) for name in _IDENTITY}
        return {"schema": SCHEMA, **identity, **self.measured.to_json()}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "AuditResult":
        """The inverse of `to_json`. Raises ValueError, naming the schema or field, on a record of another kind."""
        if record.get("schema") != SCHEMA:
            raise ValueError(f"schema = {record.get('schema')!r}: must be {SCHEMA!r}")
        known = {*_IDENTITY, *(each.name for each in fields(Measurement)), "schema"}
        unknown = sorted(set(record) - known)
        if unknown:
            raise ValueError(f"field {unknown[0]!r}: not a field of {SCHEMA}")
        missing = [name for name in ("audit", "theorem", "label", "verdict") if name not in record]
        if missing:
            raise ValueError(f"field {missing[0]!r}: is missing")
        expected = record.get("expected")
        return cls(
            audit=record["audit"],
            theorem=record["theorem"],
            label=record["label"],
            measured=measurement_from_json({name: value for name, value in record.items() if name not in (*_IDENTITY, "schema")}),
            expected=None if expected is None else Verdict.of(expected),
            seed=record.get("seed"),
            versions=record.get("versions", {}),
        )


@dataclass(frozen=True)
class Settings:
    """What a run was asked for. `false_alarm` is the significance level of each statistical audit."""

    pattern: str | None
    level: str
    false_alarm: float
    seed: int
    jobs: int
    budget: float | None
    posterior: bool
    strict: bool


@dataclass(frozen=True)
class Unchecked:
    """A statement that nothing can check, and why."""

    theorem: str
    reason: str


@dataclass(frozen=True)
class Report:
    """A run: its settings, the results in the order of the audits, and what there was nothing to run for."""

    settings: Settings
    results: tuple[AuditResult, ...]
    planned: int  # audits that were to run
    unchecked: tuple[Unchecked, ...] = ()
    unaudited: tuple[str, ...] = ()  # statements that nobody audits yet
    claims: Mapping[str, str] = field(default_factory=dict)  # the inequality of a statement, where one line says it
    statistical: Mapping[str, int] = field(default_factory=dict)  # statistical audits that were to run, by paper
    complete: bool = True
    seconds: Mapping[str, float] = field(default_factory=dict)  # by audit
    traces: Mapping[str, str] = field(default_factory=dict)  # of crashes, by audit

    def exit_code(self) -> int:
        """The documented exit code of the run.

        0 all as expected; 1 an unexpected refutation, or an expected one that did not come; 3 an audit crashed; 4 inconclusive or vacuous,
        where the settings are strict; 130 interrupted. 1 comes before 3 before 4: a refutation is news even if another audit crashed.
        """
        verdicts = {result.measured.verdict for result in self.results}
        if not self.complete:
            return 130
        if any(result.unexpected() for result in self.results):
            return 1
        if Verdict.ERROR in verdicts:
            return 3
        return 4 if self.settings.strict and verdicts & {Verdict.INCONCLUSIVE, Verdict.VACUOUS} else 0

    def total_false_alarm(self, paper: str | None = None) -> float:
        """An upper bound on the probability that any true claim (of the paper) is refuted: a union bound over the statistical audits."""
        audits = sum(self.statistical.values()) if paper is None else self.statistical.get(paper, 0)
        return min(1.0, self.settings.false_alarm * audits)
