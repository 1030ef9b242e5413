"""Records that were written before, read back: a run of verify as a report, a single result as a result."""

import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from banditproof.audits.reporting.json import SCHEMA as SCHEMA_VERIFY
from banditproof.audits.reporting.json import SCHEMA_TIMES
from banditproof.audits.reporting.older import note, upgraded
from banditproof.audits.reporting.validation import fault, require_valid
from banditproof.audits.running.audit import Posteriors
from banditproof.audits.running.report import SCHEMA, AuditResult, Report, Settings, Unchecked
from banditproof.audits.statistics.evidence import Verdict

_BROKEN = (ValueError, TypeError, AttributeError, KeyError, OverflowError)  # what reading a record of another form raises


def warned(line: str) -> None:
    """How Python code is told that a record is of the version before."""
    warnings.warn(line, DeprecationWarning, stacklevel=5)


def plain_record(path: str | Path, say: Callable[[str], None] = warned) -> Any:
    """The JSON of a file, under today's keys; `say` gets a line about one of the version before. Raises ValueError, naming the file, on one
    that cannot be read."""
    try:
        record = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ValueError(f"file {str(path)!r}: cannot be read ({os.strerror(error.errno or 0)})") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"file {str(path)!r}: is not JSON ({fault(error)} at line {error.lineno})") from None
    except (ValueError, RecursionError):  # bytes that are no text, an integer of too many digits, nested too deeply
        raise ValueError(f"file {str(path)!r}: is not JSON that can be read") from None
    found = upgraded(record)
    if found is not record:
        say(note(str(path), record, found))
    return found


def read_kept(path: str | Path, say: Callable[[str], None] = warned) -> Report | AuditResult:
    """What `--json` kept: the report of a run of verify, with the seconds of FILE.times.json if that is there, or a single result. `say`
    is that of `plain_record`. Raises ValueError, naming the file and what is wrong, on anything else."""
    record = plain_record(path, say)
    if not isinstance(record, dict):
        raise ValueError(f"file {str(path)!r}: is no record (no JSON object)")
    kind = record.get("schema")
    try:
        if kind == SCHEMA:
            return result_from(record)
        if kind == SCHEMA_VERIFY:
            return report_from(record, _seconds(f"{path}.times.json"))
    except _BROKEN as error:
        raise ValueError(f"file {str(path)!r}: {error}") from None
    raise ValueError(f"file {str(path)!r}: schema = {kind!r}: must be {SCHEMA_VERIFY!r} or {SCHEMA!r}")


def report_from(record: Mapping[str, Any], seconds: Mapping[str, float] | None = None) -> Report:
    """The inverse of `reporting.json.record`. What a record does not say (the number of workers, the budget) is 1 and None. Raises
    ValueError, naming the field, on a record of another form."""
    results = results_from(record)
    nothing = [result for result in results if result.verdict is Verdict.NOT_CHECKABLE and result.audit == result.theorem]
    audited = tuple(result for result in results if result not in nothing) if nothing else tuple(results)
    settings = Settings(
        pattern=record["pattern"],
        level=record["level"],
        false_alarm=float(record["false_alarm"]),
        seed=record["seed"],
        jobs=1,
        budget=None,
        posterior=_sampled(audited),
        strict=False,
    )
    unchecked = tuple(Unchecked(result.theorem, result.measured.message) for result in nothing)
    return Report(settings, audited, len(audited), unchecked, complete=record["complete"], seconds=dict(seconds or {}))


def results_from(record: Mapping[str, Any]) -> list[AuditResult]:
    """The results of a run of verify. Raises ValueError, naming the field, its value and the rule, unless all of them and the run's own
    fields are what the schema says."""
    listed = record.get("results")
    require_valid({**record, "results": [] if isinstance(listed, list) else listed}, "verify")
    return [result_from(each, place) for place, each in enumerate(listed or ())]


def result_from(record: Any, place: int | None = None) -> AuditResult:
    """A single result, or the one at this place of a run. Raises ValueError, naming the field, its value and the rule, in the words of the
    schema where that is broken: it is asked only then, since it takes 5 ms for each result."""
    try:
        return AuditResult.from_json(record)
    except _BROKEN as error:
        said = str(error)
    try:
        require_valid(record, "result")
    except ValueError as error:
        said = str(error)
    raise ValueError(said if place is None else f"results[{place}]: {said}")


def _sampled(results: Sequence[AuditResult]) -> Posteriors:
    """Which posteriors a run sampled, as far as its results tell: those of its privacy audits that have a model."""
    have = {(result.audit,): "model" in result.measured.detail for result in results if "posterior" in result.measured.detail}
    fitting = (
        each for each in (Posteriors.FEW, Posteriors.ALL, Posteriors.NONE) if all(each.of(path) == had for path, had in have.items())
    )
    return next(fitting, Posteriors.ALL if all(have.values()) else Posteriors.FEW)


def _seconds(path: str) -> Mapping[str, float]:
    """The seconds of each audit, from the file beside a record; none without it."""
    if not Path(path).exists():
        return {}
    record = plain_record(path, say=lambda line: None)
    if not isinstance(record, dict) or record.get("schema") != SCHEMA_TIMES:
        raise ValueError(f"{path}: schema must be {SCHEMA_TIMES!r}")
    return dict(record.get("seconds", {}))
