"""What a run over audits found, as plain data: every output (table, JSON, ...) is a function of it, and none runs anything.

Times and traces of crashes are kept beside the results and stay out of the record: equal runs give equal records.
"""

import functools
import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import TYPE_CHECKING, Any, cast

from banditproof.audits.running.audit import Posteriors
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.profile import Profile
from banditproof.audits.running.registry import modules
from banditproof.audits.statistics.evidence import Measurement, UnknownWitness, Verdict, Witness, from_plain, plain_json, record_keys

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "banditproof/result/3"
_IDENTITY = ("audit", "theorem", "label", "expected", "finding", "seed", "versions")


@dataclass(frozen=True, repr=False)
class AuditResult:
    """A measurement with whose it is: the audit, its statement, the seed and the versions of the software."""

    audit: str  # id: "<stem>.<theorem>/<method>.<name>"
    theorem: str
    label: str  # what was audited, for readers
    measured: Measurement
    expected: Verdict | None = None  # REFUTED for what is false in print, with its finding, or for a control
    finding: str = ""  # what the refutation shows about the paper: "<name>, <grade>: <title>"
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        from banditproof.audits.reporting import notebook

        return notebook.result_text(self)

    def _repr_html_(self) -> str:
        """The result as a small table, for notebooks."""
        from banditproof.audits.reporting import notebook

        return notebook.result_html(self)

    def to_frame(self) -> "pd.DataFrame":
        """A table of one row: identity, verdict and numbers (NaN where there is none), in the units of `quantity`. Needs pandas."""
        from banditproof.audits.reporting import notebook

        return notebook.results_frame([self])

    @property
    def verdict(self) -> Verdict:
        """The verdict of the measurement."""
        return self.measured.verdict

    def surprising(self) -> bool:
        """An unexpected verdict, or a crash."""
        return self.unexpected() or self.measured.verdict is Verdict.ERROR

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
        known = {*_IDENTITY, *record_keys(), "schema"}
        unknown = sorted(set(record) - known)
        if unknown:
            raise ValueError(f"field {unknown[0]!r}: not a field of {SCHEMA}")
        for name in ("audit", "theorem", "label", "verdict"):
            if name not in record:
                raise ValueError(f"field {name!r}: is missing")
            if not isinstance(record[name], str):
                raise ValueError(f"{name} = {record[name]!r}: must be of type str")
        expected, versions, seed = record.get("expected"), record.get("versions", {}), record.get("seed")
        if not isinstance(versions, dict):
            raise ValueError(f"versions = {versions!r}: must be of type dict")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise ValueError(f"seed = {seed!r}: must be of type int")
        return cls(
            audit=record["audit"],
            theorem=record["theorem"],
            label=record["label"],
            measured=measurement_from_json({name: value for name, value in record.items() if name not in (*_IDENTITY, "schema")}),
            expected=None if expected is None else Verdict.of(expected),
            finding=record.get("finding", ""),
            seed=seed,
            versions=versions,
        )


_NUMBERS = ("claimed", "estimate", "low", "high", "exact", "false_alarm", "must_detect", "detectable", "miss_rate")
_TYPES = {"quantity": str, "message": str, "samples": int, "detail": dict}


def measurement_from_json(record: Mapping[str, Any]) -> Measurement:
    """The inverse of `Measurement.to_json`, except for `detail`, which stays as it was written. Raises ValueError, naming the field, on a
    value of another type, and on a verdict or a witness that is none."""
    for name, kind in _TYPES.items():
        if name in record and not isinstance(record[name], kind):
            raise ValueError(f"{name} = {record[name]!r}: must be of type {kind.__name__}")
    assumed = record.get("assumed", [])
    if not isinstance(assumed, (list, tuple)) or not all(isinstance(each, str) for each in assumed):
        raise ValueError(f"assumed = {assumed!r}: must be a list of sentences")
    values = {name: from_plain(value) if name in _NUMBERS else value for name, value in record.items()}
    for name in _NUMBERS:
        if values.get(name) is not None and not isinstance(values[name], (int, float)):
            raise ValueError(f"{name} = {values[name]!r}: must be a number")
    for name in (*_NUMBERS, "samples"):
        if isinstance(values.get(name), int) and abs(values[name]) > sys.float_info.max:
            raise ValueError(f"{name}: must be at most about 1.8e308")
    values["verdict"] = Verdict.of(values["verdict"])
    values["assumed"] = tuple(assumed)
    values["witness"] = witness_from_json(values.get("witness"))
    return Measurement(**{name: values[name] for name in record_keys() if name in values})


def witness_from_json(record: Any) -> Witness | None:
    """The inverse of `witness_json`. Raises ValueError, naming the field, on a witness that lacks one or has one too many."""
    if record is None:
        return None
    if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
        raise ValueError(f"witness = {record!r}: must be an object with a kind")
    values = {name: value for name, value in record.items() if name != "kind"}
    known = witness_kinds().get(record["kind"])
    return UnknownWitness(record["kind"], values) if known is None else known.from_json(values)


def decoded(witness: Witness | None, module: str) -> Witness | None:
    """A witness of a kind that stands in the module of somebody else's method, read by that module's class; others as they are."""
    if not isinstance(witness, UnknownWitness):
        return witness
    known = _witnesses(module).get(witness.kind)
    return witness if known is None else known.from_json(witness.values)


@functools.cache
def witness_kinds() -> dict[str, type[Witness]]:
    """The witnesses of this package's methods, by kind: found by walking `audits.methods`. Raises ValueError if two share a kind."""
    found: dict[str, type[Witness]] = {}
    for name in modules("banditproof.audits.methods"):
        for kind, witness in _witnesses(name).items():
            if found.setdefault(kind, witness) is not witness:
                raise ValueError(f"{name}: another witness has the kind {kind!r}")
    return found


def _witnesses(module: str) -> dict[str, type[Witness]]:
    """The witness classes that a module names, by kind."""
    values = vars(importlib.import_module(module)).items()
    named = [value for name, value in values if isinstance(value, type) and is_dataclass(value) and name.endswith("Witness")]
    return {str(vars(value)["kind"]): cast(type[Witness], value) for value in named if "kind" in vars(value)}


@dataclass(frozen=True)
class Settings:
    """What a run was asked for. `false_alarm` is the significance level of each statistical audit."""

    pattern: str | None
    level: str
    false_alarm: float
    seed: int
    jobs: int
    budget: float | None
    posterior: Posteriors
    strict: bool
    stop_at_surprise: bool = False  # the first surprise ends the run


@dataclass(frozen=True)
class Reuse:
    """What may be taken from the ledger: all that has not changed; nothing, with `fresh`; with `resume` what the interrupted run of these
    settings could take or had finished."""

    fresh: bool = False
    resume: bool = False


@dataclass(frozen=True)
class Unchecked:
    """A statement that nothing can check, and why."""

    theorem: str
    reason: str


@dataclass(frozen=True, repr=False)
class Report:
    """A run: its settings, the results in the order of the audits, and what there was nothing to run for."""

    settings: Settings
    results: tuple[AuditResult, ...]
    requested: int  # audits that were to run
    unchecked: tuple[Unchecked, ...] = ()
    unaudited: tuple[str, ...] = ()  # statements that nobody audits yet
    claims: Mapping[str, str] = field(default_factory=dict)  # the inequality of a statement, where one line says it
    statistical: Mapping[str, int] = field(default_factory=dict)  # statistical audits that were to run, by paper
    complete: bool = True
    seconds: Mapping[str, float] = field(default_factory=dict)  # by audit
    peaks: Mapping[str, int] = field(default_factory=dict)  # bytes in memory at most, by audit that was computed
    traces: Mapping[str, str] = field(default_factory=dict)  # of crashes, by audit
    reused: int = 0  # results that were taken from the ledger
    profile: Profile | None = None  # where the time went, if that was asked for

    def __repr__(self) -> str:
        from banditproof.audits.reporting import notebook

        return notebook.report_text(self)

    def _repr_html_(self) -> str:
        """The results as a table with one row per audit, for notebooks."""
        from banditproof.audits.reporting import notebook

        return notebook.report_html(self)

    def to_frame(self) -> "pd.DataFrame":
        """A table with one row per audit, as of `AuditResult.to_frame`, and the seconds that each took. Needs pandas."""
        from banditproof.audits.reporting import notebook

        return notebook.results_frame(self.results, self.seconds)

    def exit_code(self) -> Exit:
        """The documented exit code of the run. UNEXPECTED comes before CRASHED: a refutation is news even if another audit crashed."""
        verdicts = {result.measured.verdict for result in self.results}
        if not self.complete and not (self.settings.stop_at_surprise and any(result.surprising() for result in self.results)):
            return Exit.INTERRUPTED
        if any(result.unexpected() for result in self.results):
            return Exit.UNEXPECTED
        if Verdict.ERROR in verdicts:
            return Exit.CRASHED
        undecided = self.settings.strict and verdicts & {Verdict.INCONCLUSIVE, Verdict.VACUOUS}
        return Exit.UNDECIDED if undecided else Exit.EXPECTED

    def total_false_alarm(self, paper: str | None = None) -> float:
        """An upper bound on the probability that any true claim (of the paper) is refuted: a union bound over the statistical audits."""
        audits = sum(self.statistical.values()) if paper is None else self.statistical.get(paper, 0)
        return min(1.0, self.settings.false_alarm * audits)
