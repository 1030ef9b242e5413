"""`banditproof diff`: what differs between two records."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from banditproof.audits.cli.records import noted
from banditproof.audits.cli.values import Rejected, delivered, dumps, require_writable
from banditproof.audits.running.exits import Exit
from banditproof.audits.statistics.evidence import counted

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from banditproof.audits.reporting.differences import Difference, Kept

_SHOWN = 20  # rows of a list, unless all are asked for


@click.command(short_help="What differs between two records.")
@click.argument("old", metavar="OLD.json")
@click.argument("new", metavar="NEW.json")
@click.option("--renamed", metavar="FILE", help='New ids of audits that were renamed, as {"audits": {"old id": "new id"}}.')
@click.option("--all", "everything", is_flag=True, help=f"Show whole lists, not their first {_SHOWN} rows.")
@click.option("--json", "target", is_flag=False, flag_value="-", metavar="[FILE]", help="As JSON: to FILE, or to standard output.")
def diff(old: str, new: str, renamed: str | None, everything: bool, target: str | None) -> int:
    """Compare two records: of verify --json, of one result, or of kept evidence.

    Shows audits that are gone or new, verdicts that changed, numbers that changed (the largest relative change first), and settings and
    versions that differ. Exit 1 if a verdict changed, something became a surprise, or an audit is gone that the new run asked for; exit 0
    if at most other numbers and words differ.

    \b
    banditproof verify --json new.json
    banditproof diff old.json new.json
    """
    from banditproof.audits.reporting.differences import compare

    if target not in (None, "-"):
        require_writable(str(target))
    before, after = _read(old), _read(new)
    try:
        found = compare(before, after, {} if renamed is None else _renamed(renamed))
    except ValueError as error:
        raise Rejected(f"{old}, {new}: {error}") from None
    code = Exit.UNEXPECTED if found.matters() else Exit.EXPECTED
    return delivered(code, lambda: _show(found, (old, before), (new, after), everything), target, dumps(found.to_json()))


def _read(path: str) -> "Kept":
    from banditproof.audits.reporting.differences import read
    from banditproof.audits.reporting.kept import plain_record

    try:
        record = plain_record(path, noted)
    except ValueError as error:
        raise Rejected(str(error)) from None
    try:
        return read(record)
    except ValueError as error:
        raise Rejected(f"file {path!r}: {error}") from None


def _renamed(path: str) -> dict[str, str]:
    from banditproof.audits.reporting.kept import plain_record

    try:
        found = plain_record(path)
    except ValueError as error:
        raise Rejected(str(error)) from None
    ids = found.get("audits") if isinstance(found, dict) else None
    if not isinstance(ids, dict) or not all(isinstance(id, str) for id in ids.values()):
        raise Rejected(f'file {path!r}: must be of the form {{"audits": {{"old id": "new id"}}}}')
    return ids


# --- for a reader -------------------------------------------------------------------------------------------------------------------


def _show(found: "Difference", old: "tuple[str, Kept]", new: "tuple[str, Kept]", everything: bool) -> None:
    from banditproof.audits.reporting.table import console, labelled, say

    screen = console()
    heads = [(label, f"{path}  ({counted(len(kept.entries), kept.kind)})") for label, (path, kept) in (("old", old), ("new", new))]
    say(screen, labelled(heads, screen))
    for title, pairs in (("settings", found.settings), ("versions", found.versions)):
        if pairs:
            lines = [(title if place == 0 else "", text) for place, text in enumerate(_changes(pairs, screen))]
            say(screen, labelled(lines, screen))
    for title, rows in _lists(found, new[1], screen):
        if rows:
            say(screen, "", f"{title} ({len(rows)})", *_cut([f"  {row}" for row in rows], everything))
    if found.moved:
        say(screen, "", f"numbers that changed ({counted(len(found.moved), found.kind)}), the largest relative change of each", "")
        say(screen, _numbers(found, screen, everything), *_cut_note(len(found.moved), everything))
    if found.reworded:
        names = sorted({name.partition(".")[0] for changed in found.reworded.values() for name in changed})
        say(screen, "", f"other words changed in {counted(len(found.reworded), found.kind)}: {', '.join(names)}")
    say(screen, "", _conclusion(found))


def _lists(found: "Difference", new: "Kept", screen: "Console") -> Iterator[tuple[str, list[str]]]:
    from banditproof.audits.reporting.table import plain

    def decision(id: str) -> str:
        entry = new.entries[id]
        return f"  {entry.deciding['verdict']}" if "verdict" in entry.deciding else ""

    arrow = plain("→", screen)
    decided = [
        f"{each.id}\n      {'' if each.name == 'verdict' else f'{each.name}: '}{_word(each.old)} {arrow} {_word(each.new)}"
        + ("  (a surprise)" if each.surprise else "")
        for each in found.decided
    ]
    yield ("verdict changed" if found.kind == "audit" else "words and whole numbers changed"), decided
    yield "became a surprise", [f"{id}{decision(id)}" for id in found.surprises]
    yield "gone", list(found.gone)
    yield "not asked for in the new run", list(found.left_out)
    yield "new", [f"{id}{decision(id)}" for id in found.new]


def _cut(rows: Sequence[str], everything: bool) -> list[str]:
    return list(rows) if everything else [*rows[:_SHOWN], *_cut_note(len(rows), everything)]


def _cut_note(rows: int, everything: bool) -> list[str]:
    return [] if everything or rows <= _SHOWN else [f"  and {rows - _SHOWN} more: --all"]


def _numbers(found: "Difference", screen: "Console", everything: bool) -> "RenderableType":
    from rich.table import Table

    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for heading in ("change", "old", "new", "number"):
        grid.add_column(heading, justify="left" if heading == "number" else "right", no_wrap=heading == "change", overflow="fold")
    for each in found.moved if everything else found.moved[:_SHOWN]:
        old, new = _apart(each.old, each.new)
        more = f", and {each.changed - 1} more" if each.changed > 1 else ""
        grid.add_row("" if each.relative == math.inf else f"{each.relative:.2g}", old, new, f"{each.name}{more}\n{each.id}")
    return grid


def _apart(old: float | None, new: float | None) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to show that they differ, four at least."""
    if old is None or new is None:
        return _word(old), _word(new)
    digits = next((digits for digits in range(4, 17) if f"{old:.{digits}g}" != f"{new:.{digits}g}"), 17)
    return f"{old:.{digits}g}", f"{new:.{digits}g}"


def _word(value: Any) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _changes(pairs: Mapping[str, tuple[Any, Any]], screen: "Console") -> list[str]:
    from banditproof.audits.reporting.table import plain

    return [plain(f"{name}  {_word(old)} → {_word(new)}", screen) for name, (old, new) in pairs.items()]


def _conclusion(found: "Difference") -> str:
    kinds = f"{found.kind}s"
    if not (found.matters() or found.moved or found.new or found.left_out or found.reworded):
        return f"equal: {found.compared} {kinds}" + (", but for settings and versions" if found.settings or found.versions else "")
    decided = len({each.id for each in found.decided})
    what = "verdicts" if found.kind == "audit" else "deciding words and numbers"
    if not found.matters():
        return f"nothing that matters: the {what} of all {found.compared} {kinds} that both have are equal"
    parts = ((decided, f"of {found.compared} changed"), (len(found.surprises), "became a surprise"), (len(found.gone), "gone"))
    return f"differences that matter: {', '.join(f'{number} {word}' for number, word in parts if number)}"
