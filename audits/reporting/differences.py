"""What differs between two records: runs of verify (or single results), or two files of kept evidence. Plain data in, plain data out.

An entry is an audit, or a cell of evidence. What decides about it is its verdict (a cell: its words and whole numbers); a difference there
matters, as does an entry that is gone, and a surprise that was none before. Other numbers and words are compared and shown.
"""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from banditproof.audits.reporting.json import SCHEMA as SCHEMA_VERIFY
from banditproof.audits.reporting.kept import result_from, results_from
from banditproof.audits.running.ledger import SCHEMA as SCHEMA_EVIDENCE
from banditproof.audits.running.registry import matches
from banditproof.audits.running.report import SCHEMA as SCHEMA_RESULT
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import from_plain, plain_json

SCHEMA = "banditproof/diff/1"
_HEADER = ("pattern", "level", "false_alarm", "seed", "complete", "date")
_IDENTITY = ("schema", "audit", "theorem", "versions", "seed", "verdict")
Leaf = str | float | int | bool | None


@dataclass(frozen=True)
class Entry:
    """An audit or a cell: what decides about it, its other numbers, its other words; by name, as 'detail.model.mean'."""

    deciding: Mapping[str, Leaf]
    numbers: Mapping[str, float]
    words: Mapping[str, Leaf]
    surprise: bool = False
    theorem: str = ""


@dataclass(frozen=True)
class Kept:
    """A record in the form that is compared."""

    kind: str  # "audit" or "cell"
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    entries: Mapping[str, Entry]


@dataclass(frozen=True)
class Decided:
    """Something that decides, and has changed."""

    id: str
    name: str
    old: Leaf
    new: Leaf
    surprise: bool


@dataclass(frozen=True)
class Moved:
    """The number of an entry that changed most, relative to the larger of the two; infinite where one of them is none."""

    id: str
    name: str
    old: float | None
    new: float | None
    relative: float
    changed: int  # numbers of this entry that changed


@dataclass(frozen=True)
class Difference:
    """What differs between two records, old and new."""

    kind: str
    compared: int  # entries that both have
    settings: Mapping[str, tuple[Any, Any]]
    versions: Mapping[str, tuple[Any, Any]]
    decided: tuple[Decided, ...]
    surprises: tuple[str, ...]  # new, or surprising with the same verdict as before
    gone: tuple[str, ...]
    left_out: tuple[str, ...]  # gone, but the pattern of the new run did not ask for them
    new: tuple[str, ...]
    moved: tuple[Moved, ...]  # largest relative change first
    reworded: Mapping[str, tuple[str, ...]]  # names of the other words that changed, by id

    def matters(self) -> bool:
        """Whether a verdict changed, something became a surprise, or something is gone."""
        return bool(self.decided or self.surprises or self.gone)

    def to_json(self) -> dict[str, Any]:
        """The published record: plain JSON."""
        return {"schema": SCHEMA, "matters": self.matters(), **plain_json(asdict(self))}


def read(record: Any) -> Kept:
    """A record as plain JSON, under today's keys, in the form that is compared. Raises ValueError on one of another kind or form."""
    if not isinstance(record, dict):
        raise ValueError("is no record (no JSON object)")
    kind = record.get("schema")
    if kind == SCHEMA_EVIDENCE:
        return _evidence(record)
    if kind not in (SCHEMA_VERIFY, SCHEMA_RESULT):
        raise ValueError(f"schema = {kind!r}: must be {SCHEMA_VERIFY!r}, {SCHEMA_RESULT!r} or {SCHEMA_EVIDENCE!r}")
    settings = {name: record[name] for name in _HEADER if name in record}
    try:
        results = [result_from(record)] if kind == SCHEMA_RESULT else results_from(record)
        versions = {name: version for result in results for name, version in result.versions.items()}
        entries = {result.audit: _audit(result) for result in results}
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError) as error:
        raise ValueError(str(error)) from None
    for audit, times in Counter(result.audit for result in results).items():
        if times > 1:
            raise ValueError(f"audit {audit!r}: is in it twice")
    return Kept("audit", settings, versions, entries)


def _audit(result: AuditResult) -> Entry:
    leaves = dict(_leaves({name: value for name, value in result.to_json().items() if name not in _IDENTITY}))
    numbers = {name: float(value) for name, value in leaves.items() if _is_number(value)}
    words = {name: value for name, value in leaves.items() if name not in numbers}
    return Entry({"verdict": result.verdict.value}, numbers, words, result.unexpected(), result.theorem)


def _evidence(record: Mapping[str, Any]) -> Kept:
    cells = record.get("cells")
    if not isinstance(cells, list) or not all(isinstance(cell, dict) and {"name", "parameters", "result"} <= set(cell) for cell in cells):
        raise ValueError("field 'cells': must be a list of cells with name, parameters and result")
    entries = {}
    for cell in cells:
        leaves = dict(_leaves(cell["result"]))
        numbers = {name: float(value) for name, value in leaves.items() if isinstance(value, float) or value in ("inf", "-inf", "nan")}
        deciding = {name: value for name, value in leaves.items() if name not in numbers}
        entries[f"{cell['name']} {json.dumps(cell['parameters'], sort_keys=True)}"] = Entry(deciding, numbers, {})
    settings = {name: record[name] for name in _HEADER if name in record}
    return Kept("cell", settings, record.get("versions", {}), entries)


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values inside a record, each with the names on its way."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _leaves(part, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _leaves(part, f"{name}.{place}")
    else:
        yield name, from_plain(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def compare(old: Kept, new: Kept, renamed: Mapping[str, str] | None = None) -> Difference:
    """What differs. `renamed` gives the new ids of entries of the old record. Raises ValueError on records of two kinds."""
    if old.kind != new.kind:
        raise ValueError(f"one is of {old.kind}s, the other of {new.kind}s: only records of one kind can be compared")
    before = {(renamed or {}).get(id, id): entry for id, entry in old.entries.items()}
    both = [id for id in before if id in new.entries]
    pattern = new.settings.get("pattern")
    missing = [id for id in before if id not in new.entries]
    asked = [id for id in missing if matches(pattern, id, before[id].theorem)]
    decided = tuple(change for id in both for change in _decided(id, before[id], new.entries[id]))
    already = {change.id for change in decided}
    surprises = [
        id for id, entry in new.entries.items() if entry.surprise and id not in already and not (id in both and before[id].surprise)
    ]
    moved = [found for id in both if (found := _moved(id, before[id], new.entries[id])) is not None]
    reworded = {id: _unequal(before[id].words, new.entries[id].words) for id in both}
    return Difference(
        kind=old.kind,
        compared=len(both),
        settings=_pairs(old.settings, new.settings),
        versions=_pairs(old.versions, new.versions),
        decided=decided,
        surprises=tuple(surprises),
        gone=tuple(asked),
        left_out=tuple(id for id in missing if id not in set(asked)),
        new=tuple(id for id in new.entries if id not in before),
        moved=tuple(sorted(moved, key=lambda found: (-found.relative, found.id))),
        reworded={id: names for id, names in reworded.items() if names},
    )


def _decided(id: str, old: Entry, new: Entry) -> Iterator[Decided]:
    for name in _unequal(old.deciding, new.deciding):
        yield Decided(id, name, old.deciding.get(name), new.deciding.get(name), new.surprise)


def _unequal(old: Mapping[str, Leaf], new: Mapping[str, Leaf]) -> tuple[str, ...]:
    return tuple(name for name in (*old, *(name for name in new if name not in old)) if old.get(name) != new.get(name))


def _moved(id: str, old: Entry, new: Entry) -> Moved | None:
    changes = [
        (_relative(old.numbers.get(name), new.numbers.get(name)), name)
        for name in (*old.numbers, *(name for name in new.numbers if name not in old.numbers))
    ]
    changes = [change for change in changes if change[0] > 0.0]
    if not changes:
        return None
    largest, name = max(changes, key=lambda change: change[0])
    return Moved(id, name, old.numbers.get(name), new.numbers.get(name), largest, len(changes))


def _relative(old: float | None, new: float | None) -> float:
    """|new - old| relative to the larger: 0 for equal numbers (NaN equals NaN), at most 2, infinite where one is none or not finite."""
    if old is None or new is None:
        return math.inf
    if old == new or (math.isnan(old) and math.isnan(new)):
        return 0.0
    if not (math.isfinite(old) and math.isfinite(new)):
        return math.inf
    return abs(new - old) / max(abs(old), abs(new))


def _pairs(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {name: (old.get(name), new.get(name)) for name in sorted({*old, *new}) if old.get(name) != new.get(name)}
