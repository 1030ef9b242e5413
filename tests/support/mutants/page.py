"""docs/reference/mutants.md, from the evidence: which line is protected by which audit, and what survives."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.support.mutants.judge import AGREEMENT, BEHAVIOUR, CRASH, GOLDEN, GRAY_BOX, KILLED, SURVIVED
from tests.support.mutants.record import EQUIVALENT, STILLBORN, Record, reviewed, status
from tests.support.mutants.trees import ROOT

Reasons = dict[tuple[str, str, str], dict[str, str]]
PAGE = ROOT / "docs" / "reference" / "mutants.md"
_HEAD = """# Which line is protected by which audit

Written by `make mutants` from `docs/evidence/mutants.json`; do not edit. A mutant is one mistake in one line of `algorithms/` or `theory/`,
drawn by a seed. The audits that reach the line are run until the first refutes it, those of behaviour before those that compare formulas;
for `theory/` all audits of the paper, the cheapest first, until one refutes, loses its proof, or no longer refutes, and where none does the
tests of the paper's theory, which know nothing of `algorithms/` and `audits/`: golden values. Where no audit refutes and some fail, the
first failure is named: a crash. Where every audit that reaches the line fails, nothing runs to its end with the mistake, and the mutant is
stillborn: it is noticed, but says nothing of the audits. Numbers and texts of lines are those of the day on which the mutant ran;
lines have moved and changed since. Percentages are of the mutants that are neither equivalent nor stillborn.
"""


def write(record: Record) -> None:
    """Writes the page."""
    PAGE.write_text(text(record), encoding="utf-8")


def text(record: Record) -> str:
    """The page: totals, and per file what killed each mutant and what survived."""
    reasons = reviewed()
    items = sorted(record.mutants.values(), key=lambda item: (item["file"], item["line"], item["key"]))
    parts = [_HEAD, _totals(items, reasons)]
    for file in dict.fromkeys(item["file"] for item in items):
        parts += [f"## {file}\n", *_table(item for item in items if item["file"] == file)]
        rest = [item for item in items if item["file"] == file and item["status"] != KILLED]
        parts += ["\n".join(_survivor(item, *status(item, reasons)) for item in rest) + "\n"] if rest else []
    return "\n".join(parts)


def _totals(items: list[dict[str, Any]], reasons: Reasons) -> str:
    columns = ("folder", "mutants", "equivalent", "stillborn", "killed", "by behaviour or gray-box", "by formulas", "by golden values")
    head = "| " + " | ".join((*columns, "by a crash", "survived")) + " |"
    rows = []
    for room in sorted({_folder(item).partition("/")[0] for item in items}):
        inside = [item for item in items if item["file"].startswith(f"{room}/")]
        folders = sorted({_folder(item) for item in inside})
        rows += [_row(folder, [item for item in inside if _folder(item) == folder], reasons) for folder in folders]
        rows.append(_row(f"all of {room}", inside, reasons))
    return "\n".join([head, "| --- |" + " --- |" * 9, *rows]) + "\n"


def _folder(item: dict[str, Any]) -> str:
    return str(item["file"]).rpartition("/")[0]


def _row(name: str, items: list[dict[str, Any]], reasons: Reasons) -> str:
    found = Counter(status(item, reasons)[0] for item in items)
    kinds = Counter(item["killed_by"]["kind"] for item in items if status(item, reasons)[0] == KILLED)
    counted = len(items) - found[EQUIVALENT] - found[STILLBORN]

    def part(number: int) -> str:
        return f"{number} ({100.0 * number / counted:.0f} %)" if counted else str(number)

    looked = kinds[BEHAVIOUR] + kinds[GRAY_BOX]
    cells = (
        len(items),
        found[EQUIVALENT],
        found[STILLBORN],
        part(found[KILLED]),
        part(looked),
        kinds[AGREEMENT],
        kinds[GOLDEN],
        kinds[CRASH],
        found[SURVIVED],
    )
    return f"| {name} | " + " | ".join(map(str, cells)) + " |"


def _table(items: Iterable[dict[str, Any]]) -> list[str]:
    rows = [
        f"| {item['line']} | {_code(item['mutated'])} | {item['kind']}: {item['detail']} | "
        f"{STILLBORN if item['stillborn'] else item['killed_by']['kind']} | {_code(item['killed_by']['audit'])} |"
        for item in items
        if item["status"] == KILLED
    ]
    return (
        ["\n".join(["| line | with the mistake | kind | killed by | audit or test |", "| --- | --- | --- | --- | --- |", *rows]) + "\n"]
        if rows
        else []
    )


def _survivor(item: dict[str, Any], counts_as: str, reason: str) -> str:
    left = f", {item['left_out']} left out by the time limit" if item["left_out"] else ""
    left += f"; no longer refuted: {', '.join(map(_code, item['gone']))}" if item["gone"] else ""
    reach = (
        f"audits that ran: {item['ran']}{left}" if item["reached"] else f"no audit reaches the line (of its file {item['ran']} ran{left})"
    )
    change = f"{_code(item['text'])} as {_code(item['mutated'])} ({item['detail']})"
    return f"- {counts_as}, line {item['line']}: {change}. {reason or 'Not reviewed.'} {reach[0].upper()}{reach[1:]}."


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text.replace('|', chr(92) + '|')}{fence}"


def summary(record: Record, keys: set[str]) -> str:
    """One line on the mutants of a draw."""
    items = [item for key, item in record.mutants.items() if key in keys]
    found = Counter(status(item, reviewed())[0] for item in items)
    return ", ".join(f"{number} {name}" for name, number in sorted(found.items()))
