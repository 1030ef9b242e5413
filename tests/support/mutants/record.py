"""docs/evidence/mutants.json: what came out for each mutant, written when it is finished; and the reviewed reasons of survivors."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from tests.support.mutants import golden
from tests.support.mutants.drawing import Mutant
from tests.support.mutants.judge import GOLDEN, SURVIVED, Fate
from tests.support.mutants.trees import ROOT

SCHEMA = "banditproof/mutants/2"
EVIDENCE = ROOT / "docs" / "evidence" / "mutants.json"
REVIEWED = Path(__file__).with_name("reviewed.toml")
EQUIVALENT, STILLBORN = "equivalent", "stillborn"


@dataclass
class Record:
    """The finished mutants by key."""

    path: Path = EVIDENCE
    mutants: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path = EVIDENCE) -> "Record":
        """What the file has; nothing where there is none, or one of another schema."""
        if not path.exists():
            return cls(path)
        text = json.loads(path.read_text())
        return cls(path, {item["key"]: item for item in text["mutants"]} if text["schema"] == SCHEMA else {})

    def finished(self, mutant: Mutant, sources: Callable[[str], str], patterns: tuple[str, ...], level: str) -> bool:
        """Whether the mutant was judged over the sources that there are now: a survivor by the same audits over all of them, a killed one
        over those without the papers that the killing audit or golden value does not belong to."""
        item = self.mutants.get(mutant.key)
        if item is None or item["level"] != level or item["sources"] != _over(mutant.file, item["killed_by"], sources):
            return False
        return bool(item["status"] != SURVIVED or item["patterns"] == list(patterns))

    def forget(self, texts: Mapping[str, str]) -> None:
        """Leaves out the mutants of lines that are gone."""
        lines = {(file, line.strip()) for file, text in texts.items() for line in text.splitlines()}
        self.mutants = {key: item for key, item in self.mutants.items() if (item["file"], item["text"]) in lines}

    def add(self, mutant: Mutant, result: Fate, sources: Callable[[str], str], **about: Any) -> None:
        """Notes a finished mutant, and writes the file at once."""
        killed_by = {"kind": result.kind, "audit": result.audit, "verdict": result.verdict, "message": result.message}
        self.mutants[mutant.key] = {
            "key": mutant.key,
            "file": mutant.file,
            "line": mutant.line,
            "text": mutant.text,
            "mutated": mutant.mutated,
            "kind": mutant.edit.kind.value,
            "detail": mutant.edit.detail,
            "status": result.status,
            "killed_by": killed_by,
            "ran": result.ran,
            "left_out": result.left_out,
            "failed": result.failed,
            "stillborn": result.stillborn,
            "gone": list(result.gone),
            "sources": _over(mutant.file, killed_by, sources),
            **about,
        }
        self.write()

    def write(self) -> None:
        """Replaces the file as a whole, so that a session that ends leaves the old or the new one."""
        ordered = [self.mutants[key] for key in sorted(self.mutants)]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps({"schema": SCHEMA, "date": date.today().isoformat(), "mutants": ordered}, indent=1) + "\n")
        new.replace(self.path)


def _over(file: str, killed_by: Mapping[str, str], sources: Callable[[str], str]) -> str:
    """What a fate was found over: the sources of the killing audit's paper, all of them for a survivor; in theory, where golden values were
    asked too, with their version."""
    stem = golden.stem_of(file)
    if killed_by["audit"] and killed_by["kind"] != GOLDEN:
        return sources(killed_by["audit"].partition(".")[0])
    return "-".join(filter(None, (sources(stem if killed_by["audit"] else ""), golden.version(stem))))


def reviewed(path: Path = REVIEWED) -> dict[tuple[str, str, str], dict[str, str]]:
    """Reasons by (file, line, mutated line). Raises ValueError on an entry whose verdict is neither equivalent nor survived."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
    for entry in entries:
        if entry["verdict"] not in (EQUIVALENT, SURVIVED):
            raise ValueError(f"verdict {entry['verdict']!r} of {entry['text']!r}: must be {EQUIVALENT!r} or {SURVIVED!r}")
    return {(entry["file"], entry["text"], entry["mutated"]): entry for entry in entries}


def status(item: Mapping[str, Any], reasons: Mapping[tuple[str, str, str], Mapping[str, str]]) -> tuple[str, str]:
    """What a mutant counts as, and the reason where it was not killed. A kill stands whatever a reason says."""
    if item["stillborn"]:
        return STILLBORN, ""
    entry = reasons.get((item["file"], item["text"], item["mutated"]))
    if item["status"] != SURVIVED or entry is None:
        return item["status"], ""
    return entry["verdict"], entry["reason"]
