"""The ledger of `verify`: each result is kept in an SQLite file as its audit ends, and read back while nothing that it depends on changes.

The file is `results/verify-1.sqlite` below the cache folder (BANDITPROOF_CACHE). It is written ahead (WAL): a process that is killed, at
whatever moment, leaves all that was added before. A cell is found by its audit and its key (`audits.running.keys`); its record is the
published one of the result, compressed. An audit's latest result is the one that a run computed or took last. A run that has not ended is
one to resume.

    with open_results() as kept:
        kept.last(["dwork_2006.laplace_privacy/privacy.eps1"])      # by id: result, seconds, when
"""

import contextlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Verdict
from banditproof.sources import cache_folder

FILE = Path("results") / "verify-1.sqlite"
PATIENCE = 10.0  # seconds to wait for another process that writes
_MOST = 500  # names in one query: SQLite's limit is 999 in old versions
_SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY AUTOINCREMENT, settings TEXT NOT NULL, fresh INTEGER NOT NULL,
                                 began TEXT NOT NULL, ended TEXT);
CREATE TABLE IF NOT EXISTS cells (audit TEXT NOT NULL, key TEXT NOT NULL, run INTEGER NOT NULL, recorded TEXT NOT NULL,
                                  seconds REAL NOT NULL, verdict TEXT NOT NULL, level TEXT NOT NULL, record BLOB NOT NULL,
                                  PRIMARY KEY (audit, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS taken (audit TEXT PRIMARY KEY, key TEXT NOT NULL, run INTEGER NOT NULL) WITHOUT ROWID;
"""
# The run in which a cell was seen last; half a run more, so that it comes before one that an older version added in the same run.
_SEEN = "SELECT taken.run + 0.5 FROM taken WHERE taken.audit = cells.audit AND taken.key = cells.key"
_NEWER = "SELECT MAX(run) FROM cells AS other WHERE other.audit = cells.audit"
_SUPERSEDED = f"recorded < ? AND run < ({_NEWER})"
_NOTE_LATEST = "INSERT OR REPLACE INTO taken VALUES (?, ?, ?)"
_NOW = "strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')"  # the file's own date: no number depends on it
_CELL = "audit, key, run, recorded, seconds, level, record"


class LedgerUnusable(RuntimeError):
    """The file of results cannot be read or written; the message names it and says why."""


@dataclass(frozen=True)
class Recorded:
    """A result that was kept: what it took to compute, and when that was."""

    result: AuditResult
    seconds: float
    recorded: datetime  # UTC
    level: str
    key: str
    run: int


@dataclass(frozen=True)
class Contents:
    """How much is kept."""

    path: Path
    cells: int
    audits: int
    bytes: int
    oldest: datetime | None
    newest: datetime | None


def place() -> Path:
    """Where results are kept; the file need not exist."""
    return cache_folder() / FILE


@dataclass(frozen=True)
class Results:
    """An open ledger; `open_results` opens one. Each method raises LedgerUnusable where the file cannot be read or written."""

    path: Path
    connection: sqlite3.Connection
    notes: bool  # false for a file of before there was `taken`, until it is written to

    def last(self, ids: Iterable[str] | None = None) -> dict[str, Recorded]:
        """The last result of each audit of the ids that has one, whatever its seed and level; of all audits without ids."""
        newest = f"SELECT {_CELL}, {self._last()} FROM cells {{where}} GROUP BY audit"
        return {cell.result.audit: cell for cell in self._cells(newest, ids)}

    def verdicts(self, stem: str) -> dict[str, tuple[Verdict, datetime]]:
        """The last verdict of each audit of a paper, and when that was (UTC); reads no record. Words of other versions are left out."""
        query = f"SELECT audit, verdict, recorded, {self._last()} FROM cells WHERE audit >= ? AND audit < ? GROUP BY audit"
        with self._guarded():
            rows = self.connection.execute(query, (f"{stem}.", f"{stem}/")).fetchall()  # "/" comes after "."
        known = {verdict.value: verdict for verdict in Verdict}
        return {audit: (known[word], datetime.fromisoformat(recorded)) for audit, word, recorded, _ in rows if word in known}

    def matching(self, keys: Mapping[str, str], since: int = 0) -> dict[str, Recorded]:
        """By audit, the result with this key (audit -> key) that the run `since` or a later one added; audits without are left out."""
        cells = self._cells(f"SELECT {_CELL} FROM cells {{where}}", keys)
        return {cell.result.audit: cell for cell in cells if cell.key == keys[cell.result.audit] and cell.run >= since}

    def begin(self, settings: Mapping[str, Any], *, fresh: bool) -> int:
        """The number of a run that begins."""
        with self._guarded():
            added = self.connection.execute(f"INSERT INTO runs (settings, fresh, began) VALUES (?, ?, {_NOW})", (_text(settings), fresh))
            return int(added.lastrowid or 0)

    def unfinished(self, settings: Mapping[str, Any]) -> tuple[int, bool] | None:
        """The number of the last run with these settings, and whether it was a fresh one; None if that run came to its end."""
        with self._guarded():
            found = self.connection.execute(
                "SELECT id, fresh, ended FROM runs WHERE settings = ? ORDER BY id DESC LIMIT 1", (_text(settings),)
            ).fetchone()
        return None if found is None or found[2] is not None else (int(found[0]), bool(found[1]))

    def end(self, run: int) -> None:
        """A run that has come to its end: there is nothing to resume."""
        with self._guarded():
            self.connection.execute(f"UPDATE runs SET ended = {_NOW} WHERE id = ?", (run,))

    def add(self, run: int, key: str, level: str, result: AuditResult, seconds: float) -> None:
        """Keeps a result; it is in the file when this returns."""
        record = zlib.compress(_text(result.to_json()).encode())
        row = (result.audit, key, run, seconds, result.verdict.value, level, record)
        with self._together():
            self.connection.execute(f"INSERT OR REPLACE INTO cells VALUES (?, ?, ?, {_NOW}, ?, ?, ?, ?)", row)
            self.connection.execute(_NOTE_LATEST, (result.audit, key, run))

    def take(self, run: int, keys: Mapping[str, str]) -> None:
        """Notes that a run took the results with these keys (audit -> key): they are the latest ones of their audits."""
        with self._together():
            self.connection.executemany(_NOTE_LATEST, [(audit, key, run) for audit, key in keys.items()])

    def contents(self) -> Contents:
        """How much is kept, and since when."""
        with self._guarded():
            cells, audits, oldest, newest = self.connection.execute(
                "SELECT COUNT(*), COUNT(DISTINCT audit), MIN(recorded), MAX(recorded) FROM cells"
            ).fetchone()
        return Contents(self.path, cells, audits, _size(self.path), _when(oldest), _when(newest))

    def prune(self, before: datetime) -> int:
        """Forgets the cells that were kept before that time, except for each audit's last one; how many. The file becomes smaller."""
        with self._guarded():
            gone = self.connection.execute(f"DELETE FROM cells WHERE {self._superseded()}", (before.isoformat(),)).rowcount
            self._shrink()
        return gone

    def count_before(self, before: datetime) -> int:
        """How many cells `prune` would forget."""
        with self._guarded():
            return int(
                self.connection.execute(f"SELECT COUNT(*) FROM cells WHERE {self._superseded()}", (before.isoformat(),)).fetchone()[0]
            )

    def forget(self) -> int:
        """Forgets all cells and all runs; how many cells there were. The file stays, since a run may be writing to it."""
        with self._guarded():
            gone = self.connection.execute("DELETE FROM cells").rowcount
            self.connection.execute("DELETE FROM runs")
            if self.notes:
                self.connection.execute("DELETE FROM taken")
            self._shrink()
        return gone

    def _last(self) -> str:
        """What picks an audit's latest cell: bare columns of a query come from the row with the largest value."""
        return f"MAX(COALESCE(({_SEEN}), run))" if self.notes else "MAX(run)"

    def _superseded(self) -> str:
        return f"{_SUPERSEDED} AND NOT EXISTS ({_SEEN})" if self.notes else _SUPERSEDED

    def _shrink(self) -> None:
        self.connection.execute("VACUUM")
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _cells(self, query: str, ids: Iterable[str] | None) -> Iterator[Recorded]:
        """The cells of a query, whose {where} picks the ids."""
        wanted = [] if ids is None else list(ids)
        parts = [None] if ids is None else [wanted[start : start + _MOST] for start in range(0, len(wanted), _MOST)]
        for part in parts:
            where = "" if part is None else f"WHERE audit IN ({', '.join('?' * len(part))})"
            with self._guarded():
                rows = self.connection.execute(query.format(where=where), part or ()).fetchall()
            yield from filter(None, map(_cell, rows))

    @contextlib.contextmanager
    def _together(self) -> Iterator[None]:
        """All that is written within it, or nothing."""
        with self._guarded(), self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            yield

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _unusable(self.path, error) from None


@contextlib.contextmanager
def open_results(path: Path | None = None, *, create: bool = False) -> Iterator[Results]:
    """The ledger, closed on leaving. A file that does not exist is an empty ledger, and is made only with `create`.

    Raises LedgerUnusable where it cannot be opened.
    """
    chosen = place() if path is None else path
    connection, notes = _connected(chosen, create)
    try:
        yield Results(chosen, connection, notes)
    finally:
        with contextlib.suppress(sqlite3.Error):  # a full disk: what was added is in the file beside it
            connection.close()


def discard() -> None:
    """Removes the file and what SQLite keeps beside it, also where it can no longer be read. Raises OSError where it cannot be removed."""
    for end in ("", "-wal", "-shm"):
        Path(f"{place()}{end}").unlink(missing_ok=True)


def _unusable(path: Path, error: Exception) -> LedgerUnusable:
    damaged = type(error) is sqlite3.DatabaseError  # of its subclasses are a locked file and a full disk
    return LedgerUnusable(f"{path}: {error}{'; `banditproof cache prune --all` removes it' if damaged else ''}")


def _connected(path: Path, create: bool) -> tuple[sqlite3.Connection, bool]:
    """The file, and whether it has the table `taken`: to be read an older one need not be written to."""
    try:
        if create:
            path.parent.mkdir(parents=True, exist_ok=True)
        where = str(path) if create or path.exists() else ":memory:"
        connection = sqlite3.connect(where, timeout=PATIENCE, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # a power cut may lose the last results, and damages nothing
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if complete := create or "cells" not in tables:
            connection.executescript(_SCHEMA)
    except (sqlite3.Error, OSError) as error:
        raise _unusable(path, error) from None
    return connection, complete or "taken" in tables


def _cell(row: tuple[Any, ...]) -> Recorded | None:
    """The cell of a row; None if its record is one of another version, or damaged: then it counts as not kept."""
    _, key, run, recorded, seconds, level, record = row[:7]
    try:
        result = AuditResult.from_json(json.loads(zlib.decompress(record)))
    except (ValueError, zlib.error):
        return None
    return Recorded(result, seconds, datetime.fromisoformat(recorded), level, key, run)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _when(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _size(path: Path) -> int:
    """Bytes of the file and of what is written ahead of it."""
    parts = (path, path.with_name(f"{path.name}-wal"))
    return sum(os.path.getsize(part) for part in parts if part.exists())
