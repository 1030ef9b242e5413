"""Results read from a file or from standard input, and which of them a command is about. What breaks a rule is refused in one line."""

from typing import Any

import click

from banditproof.audits.cli.values import Rejected, nearest, read_json, shortened
from banditproof.audits.reporting.json import SCHEMA as SCHEMA_VERIFY
from banditproof.audits.reporting.kept import result_from, results_from
from banditproof.audits.reporting.older import note, upgraded
from banditproof.audits.reporting.validation import require_valid
from banditproof.audits.running.report import SCHEMA, AuditResult
from banditproof.audits.statistics.evidence import Verdict


def chosen(file: str, id: str | None) -> list[AuditResult]:
    """The results of a file ('-': standard input) with this id, or the refuted ones, of this version or the one before; a single result
    whatever its verdict. Raises Rejected, naming field, value and rule, on a file of another kind, and with nothing to choose."""
    named = "standard input" if file == "-" else f"file {file!r}"
    record = _current(read_json(file), "standard input" if file == "-" else file)
    if not isinstance(record, dict) or record.get("schema") not in (SCHEMA, SCHEMA_VERIFY):
        kind = shortened(str(record.get("schema"))) if isinstance(record, dict) else f"a JSON {_kind(record)}"
        raise Rejected(f"{named}: schema = {kind}: must be {SCHEMA!r} or {SCHEMA_VERIFY!r}")
    if record["schema"] == SCHEMA:
        records = [record]
    else:
        try:
            results_from(record)
        except ValueError as error:
            raise Rejected(f"{named}: {error}") from None
        records = record["results"]
    return [_result(named, each, None if records[0] is record else place) for place, each in _picked(named, records, id)]


def _picked(named: str, records: list[Any], id: str | None) -> list[tuple[int, Any]]:
    """The records that are meant, with their places: only those are held against the schema, which takes 5 ms each."""
    ids = [str(each.get("audit")) for each in records]
    if id is not None:
        found = [(place, records[place]) for place, known in enumerate(ids) if known == id]
        if not found:
            raise Rejected(f"audit {shortened(id)}: not in {named.removeprefix('file ')}{nearest(id, ids)}")
        return found
    if len(records) == 1:
        return [(0, records[0])]
    found = [(place, each) for place, each in enumerate(records) if each.get("verdict") == _REFUTED]
    if not found:
        raise Rejected(f"{named}: nothing in it is refuted; --audit ID replays one of its {len(records)} results all the same")
    return found


_REFUTED = Verdict.REFUTED.value


def _result(named: str, record: Any, place: int | None) -> AuditResult:
    where = named if place is None else f"{named}: results[{place}]"
    _require(where, record, "result")
    try:
        result = result_from(record)
        _require_consistent(result)
    except ValueError as error:
        raise Rejected(f"{where}: {error}") from None
    return result


def _require_consistent(result: AuditResult) -> None:
    from banditproof.audits.privacy.recorded import require_consistent
    from banditproof.audits.privacy.witness import PrivacyWitness

    if isinstance(result.measured.witness, PrivacyWitness):
        require_consistent(result.measured, result.measured.witness)


def noted(line: str) -> None:
    """How a command says that a record is of the version before."""
    click.echo(f"Note: {line}", err=True)


def _require(named: str, record: Any, kind: str) -> None:
    try:
        require_valid(record, kind)
    except ValueError as error:
        raise Rejected(f"{named}: {error}") from None


def _kind(value: Any) -> str:
    kinds = {list: "list", str: "text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "number")


def _current(record: Any, named: str) -> Any:
    """The record under today's keys, with a note on standard error where it is of the version before."""
    found = upgraded(record)
    if found is not record:
        noted(note(named, record, found))
    return found
