"""What the numbers of a cell depend on beside its task, as a process finds it: asked on each worker of a cluster, and compared."""

import functools
import hashlib
import json
import os
import platform
import re
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

_BESIDE = ("dev", "docs")  # extras on which no number depends


@dataclass(frozen=True)
class Software:
    """What the numbers of a cell depend on beside its task. `sources` is a hash of the package, of the papers that plug-ins bring, and of
    their data."""

    sources: str
    facts: tuple[tuple[str, str], ...]  # versions of what the sources import, the processor, and variables that change sums

    def difference(self, other: "Software") -> str:
        """The first thing that is not equal, as 'numpy: 2.4.6 there, 2.5.0 here', where the other is here; '' if all is."""
        there, here = dict(self.facts), dict(other.facts)
        for name in sorted({*there, *here}):
            if there.get(name) != here.get(name):
                return f"{name}: {there.get(name, 'unset')} there, {here.get(name, 'unset')} here"
        return "" if self.sources == other.sources else f"sources: {self.sources[:12]} there, {other.sources[:12]} here"

    def digest(self) -> str:
        """A hash of all of it."""
        return hashlib.sha256(json.dumps([self.sources, self.facts]).encode()).hexdigest()[:24]


@functools.cache
def software() -> Software:
    """That of this process, as it was when it was first asked: an edit of a source does not change what runs."""
    from banditproof.audits.running.ledger import VARIABLES
    from banditproof.kernels import machine

    total = hashlib.sha256()
    for folder in _folders():
        for path in sorted(Path(place, file) for place, _, files in os.walk(folder, followlinks=True) for file in files):
            if path.suffix != ".pyc" and not path.name.startswith("."):
                total.update(path.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    variables = {name: value for name in VARIABLES if (value := os.environ.get(name)) is not None}
    where = {"processor": machine()[-1], "system": f"{platform.system()} {platform.machine()}", "python": platform.python_version()}
    return Software(total.hexdigest(), tuple(sorted({**versions(), **variables, **where}.items())))


def _folders() -> list[Path]:
    """Those of the package, and of the papers that plug-ins bring."""
    from banditproof.audits.running import registry

    installed = [paper.audits for _, paper in sorted(registry.papers().items()) if paper.installed]
    found = [find_spec(name) for name in ("banditproof", *installed)]
    return [Path(place) for each in found if each is not None for place in each.submodule_search_locations or ()]


@functools.cache
def versions() -> dict[str, str]:
    """Of what the package requires, and of what those compile with; of all that is installed where it runs from its source tree."""
    try:
        stated = metadata.requires("banditproof") or []
    except metadata.PackageNotFoundError:
        return {each.metadata["Name"]: each.version for each in metadata.distributions()}
    needed = {line.split(";")[0].strip(" ()") for line in stated if not any(f'extra == "{extra}"' in line for extra in _BESIDE)}
    names = {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0] for line in needed} | {"llvmlite", "pytensor"}
    return {name: _version(name) for name in names}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
