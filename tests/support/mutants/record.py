"""docs/evidence/mutants.json: what came out for each mutant, written when it is finished; and the reviewed reasons of survivors."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from tests.support.mutants.drawing import Mutant
from tests.support.mutants.judge import SURVIVED, Fate
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
        over those without the papers that the killing audit does not belong to."""
        item = self.mutants.get(mutant.key)
        if item is None or item["level"] != level or item["sources"] != sources(_stem(item["killed_by"]["audit"])):
            return False
        return bool(item["status"] != SURVIVED or item["patterns"] == list(patterns))

    def forget(self, texts: Mapping[str, str]) -> None:
        """Leaves out the mutants of lines that are gone."""
        lines = {(file, line.strip()) for file, text in texts.items() for line in text.splitlines()}
        self.mutants = {key: item for key, item in self.mutants.items() if (item["file"], item["text"]) in lines}

    def add(self, mutant: Mutant, result: Fate, sources: Callable[[str], str], **about: Any) -> None:
        """Notes a finished mutant, and writes the file at once."""
        self.mutants[mutant.key] = {
            "key": mutant.key,
            "file": mutant.file,
            "line": mutant.line,
            "text": mutant.text,
            "mutated": mutant.mutated,
            "kind": mutant.edit.kind.value,
            "detail": mutant.edit.detail,
            "status": result.status,
            "killed_by": {"kind": result.kind, "audit": result.audit, "verdict": result.verdict, "message": result.message},
            "ran": result.ran,
            "left_out": result.left_out,
            "failed": result.failed,
            "stillborn": result.stillborn,
            "gone": list(result.gone),
            "sources": sources(_stem(result.audit)),
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


def _stem(audit: str) -> str:
    """The paper of an audit; "" where no audit is named."""
    return audit.partition(".")[0]


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
