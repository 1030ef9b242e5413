"""What has been computed: cells of heavy evidence, kept in a JSON file and computed again only when something that they reach has changed.

A cell's key is a hash of its name, its parameters (its seed among them), the sources of all modules that it reaches and the versions of
the packages that those import (`banditproof.sources`). The date is the runner's, and stands in the header alone.
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banditproof import sources
from banditproof.audits.running.files import write_whole
from banditproof.audits.statistics.evidence import plain_json

SCHEMA = "banditproof/evidence/1"
VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_DISABLE_JIT", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
_PACKAGE = Path(sources.__file__).parent
_AT_START: dict[Path, int] = {}


def watch() -> None:
    """From now on a source that is changed is no longer what this process runs: said before papers, or tests, are imported."""
    if not _AT_START:  # three of the folders are links
        paths = (Path(folder, file) for folder, _, files in os.walk(_PACKAGE, followlinks=True) for file in files if file.endswith(".py"))
        _AT_START.update((path, path.stat().st_mtime_ns) for path in paths)


watch()


def watch_also(paths: Iterable[Path]) -> None:
    """The same for files of other packages, from the first time that they are named."""
    for path in paths:
        if path not in _AT_START:
            _AT_START[path] = path.stat().st_mtime_ns


def reached(*modules: str) -> tuple[Path, ...]:
    """The files that the named modules are, import, or import in turn; sorted. Raises ValueError on an unknown module."""
    return tuple(sorted(sources.reached(*modules).files.values()))


class SourceChanged(RuntimeError):
    """A source is no longer what this process runs."""


def digest(*modules: str, files: tuple[Path, ...] = ()) -> str:
    """A hash of all that the modules reach, of further files, and of the versions of Python and of the packages that are reached.

    Raises SourceChanged, naming it, on a file that was changed since this process began: what runs is no longer what is written there.
    A file of another package counts from its first digest on.
    """
    paths = reached(*modules)
    watch_also(paths)
    require_unchanged((*paths, *files))
    total = hashlib.sha256(sources.reached(*modules).digest.encode())
    for path in files:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()[:24]


def require_unchanged(paths: Iterable[Path]) -> None:
    """Raises SourceChanged, naming it, on a file that was changed since this process began."""
    for path in paths:
        known = _AT_START.get(path)
        if known is not None and os.stat(path).st_mtime_ns != known:
            raise SourceChanged(f"{path}: was changed after this run began; run again (what is in the ledger is kept)")


def conditions() -> list[list[Any]]:
    """What numbers depend on beside sources, packages and parameters: the processor with what compiles for it, and variables that change
    sums."""
    from banditproof.kernels import machine

    return [list(machine()), [[name, value] for name in VARIABLES if (value := os.environ.get(name)) is not None]]


def identity_of(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """What a cell is called and what it was computed for, as plain JSON."""
    return {"name": name, "parameters": plain_json(parameters)}


def key_of_cell(identity: dict[str, Any], sources: str) -> str:
    """The key of a cell, whose `sources` are the `digest` of what computes it."""
    return hashlib.sha256((json.dumps(identity, sort_keys=True) + sources).encode()).hexdigest()[:24]


def versions(*modules: str) -> dict[str, str]:
    """Of Python and of the packages that the modules reach."""
    return sources.reached(*modules).versions


@dataclass(frozen=True)
class Ledger:
    """A file of cells. `modules` are where the computations begin; `files` are read in addition (the test that computes)."""

    path: Path
    date: str
    modules: tuple[str, ...]
    files: tuple[Path, ...] = ()

    def cell(self, name: str, parameters: dict[str, Any], compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The cell's result: from the file if nothing that it reaches has changed since, else computed and written down at once."""
        identity = identity_of(name, parameters)
        key = key_of_cell(identity, digest(*self.modules, files=self.files))
        for cell in self._read():
            if cell["key"] == key:
                return dict(cell["result"])
        result = plain_json(compute())
        with self._locked():
            others = [cell for cell in self._read() if (cell["name"], cell["parameters"]) != (name, identity["parameters"])]
            self._write([*others, {**identity, "key": key, "result": result}])
        return dict(result)

    def _read(self) -> list[dict[str, Any]]:
        return list(json.loads(self.path.read_text())["cells"]) if self.path.exists() else []

    def _write(self, cells: list[dict[str, Any]]) -> None:
        ordered = sorted(cells, key=lambda cell: (cell["name"], json.dumps(cell["parameters"], sort_keys=True)))
        header = {"schema": SCHEMA, "date": self.date, "versions": versions(*self.modules)}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self.path, json.dumps({**header, "cells": ordered}, indent=1, allow_nan=False) + "\n")

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """One writer at a time, of all processes."""
        import fcntl

        name = hashlib.sha256(str(self.path.resolve()).encode()).hexdigest()[:16]
        with (Path(tempfile.gettempdir()) / f"banditproof-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
