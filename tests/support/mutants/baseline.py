"""Verdict, seconds and lines of every audit in the tree as it is: measured once per paper, kept below .cache/mutants/baseline."""

import hashlib
import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.support.mutants.drawing import Mutant
from tests.support.mutants.trees import ROOT, Tree

LIMIT = 3600.0  # seconds for the audits of one paper, traced


@dataclass(frozen=True)
class Measured:
    """What an audit does in the tree as it is. `seconds` are those of the traced run: an upper bound."""

    audit: str
    verdict: str
    seconds: float
    lines: dict[str, set[int]] = field(repr=False)
    gray_box: bool

    @property
    def agreement(self) -> bool:
        return self.audit.partition("/")[2].startswith("agree.")


@dataclass(frozen=True)
class Baseline:
    """All audits that were measured."""

    audits: tuple[Measured, ...]

    @cached_property
    def _by_line(self) -> dict[tuple[str, int], list[Measured]]:
        found = defaultdict[tuple[str, int], list[Measured]](list)
        for audit in self.audits:
            for file, lines in audit.lines.items():
                for line in lines:
                    found[file, line].append(audit)
        return found

    def reaching(self, mutant: Mutant) -> tuple[list[Measured], bool]:
        """The audits that run a mutant's line, and whether any does: where none does, those that run another line of the file.

        What runs while audits are imported is run for all that run the file. A module's constant is run by whoever runs a line of
        `algorithms/` that has its name. Audits of behaviour come first, then those that compare formulas; the cheapest first.
        """
        if mutant.file.startswith("theory/"):  # its lines run while it is imported: all audits of the paper see what they say
            stem = Path(mutant.file).parts[2].removesuffix(".py")
            chosen = [audit for audit in self.audits if audit.audit.startswith(f"{stem}.")]
            return sorted(chosen, key=lambda each: (each.seconds, each.audit)), bool(chosen)
        places = [(mutant.file, line) for line in range(mutant.edit.lines[0], mutant.edit.lines[1] + 1)]
        if mutant.edit.constant:
            places += _uses(mutant.edit.constant.split())
        found = {audit.audit: audit for place in places for audit in self._by_line.get(place, ())}
        imported = any(audit.audit == "" for audit in found.values())
        direct = bool(found)
        if imported or not direct:
            found |= {audit.audit: audit for audit in self.audits if mutant.file in audit.lines}
        chosen = [audit for audit in found.values() if audit.audit]
        return sorted(chosen, key=lambda each: (each.agreement, each.seconds, each.audit)), direct


def _uses(names: list[str]) -> list[tuple[str, int]]:
    """Places below algorithms/ that have one of the names, or a constant of a module that is computed from one."""
    texts = {str(path.relative_to(ROOT)): path.read_text().splitlines() for path in (ROOT / "algorithms").rglob("*.py")}
    known, found = set[str](), set[tuple[str, int]]()
    while names:
        name = names.pop()
        known.add(name)
        for file, lines in texts.items():
            for number, line in enumerate(lines, start=1):
                if re.search(rf"\b{name}\b", line):
                    found.add((file, number))
                    derived = re.match(r"([A-Z_0-9]+)\b.* = ", line)
                    if derived and derived.group(1) not in known:
                        names.append(derived.group(1))
    return sorted(found)


def measured(stem: str, tree: Tree, folder: Path, sources: str, seed: int, level: str, *, theory: bool = False) -> list[Measured]:
    """The audits of a paper: read from `folder`, or run in a copy of the tree; for mutants of `theory` with the proof lines, without the
    lines that are run. Raises RuntimeError if that process fails."""
    path = folder / f"{stem}.{level}.{seed}{'.theory' if theory else ''}.json"
    sources += "".join(hashlib.sha256(Path(__file__).with_name(name).read_bytes()).hexdigest()[:8] for name in ("reach.py", "worker.py"))
    if path.exists() and json.loads(path.read_text())["sources"] == sources:
        return [_read(item) for item in json.loads(path.read_text())["audits"]]
    heard: list[dict[str, Any]] = []
    task: dict[str, Any] = {
        "stem": stem,
        "audits": None,
        "known": {},
        "seed": seed,
        "level": level,
        "costs": {},
        "limits": {},
        "limit": LIMIT,
        "reach": not theory,
        "theory": theory,
    }
    code = tree.run(task, heard.append)
    if code != 0:
        raise RuntimeError(f"{stem}: the run of its audits in the tree as it is ended with {code} ({tree.errors()})")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"sources": sources, "audits": heard}))
    return [_read(item) for item in heard]


def _read(item: dict[str, Any]) -> Measured:
    lines = {file: set(each) for file, each in item.get("lines", {}).items()}
    return Measured(item["audit"], item["verdict"], float(item.get("seconds", 0.0)), lines, bool(item.get("gray_box")))
