"""docs/stability.md lists what the code has: options, exit codes, schemas, modules, and the old names that are read."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from banditproof.audits import reporting
from banditproof.audits.cli import commands
from banditproof.audits.privacy.declared import OLDER_RELATIONS
from banditproof.audits.reporting import older

INSIDE = {"sources", "file_lock", "parties", "phases", "square_roots"}  # modules of the vocabulary that are not public


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    return (root / "docs" / "stability.md").read_text(encoding="utf-8")


def table(page: str, heading: str) -> list[list[str]]:
    """The rows of the table whose first heading this is, cell by cell, without backticks."""
    _, _, rest = page.partition(f"| {heading} |")
    rows = rest.splitlines()[2:]
    end = next((place for place, row in enumerate(rows) if not row.startswith("|")), len(rows))
    assert end > 0, heading
    return [[cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in rows[:end]]


def options(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, set[str], set[str]]]:
    """Each command with the names of its options, and those that are hidden."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from options(command, (*path, name))
            continue
        shown, hidden = set[str](), set[str]()
        for each in command.params:
            if isinstance(each, click.Option):
                (hidden if each.hidden else shown).update((*each.opts, *each.secondary_opts))
        yield " ".join((*path, name)), shown, hidden


def test_the_page_lists_each_option(page: str) -> None:
    listed = {command: set(filter(None, names.split(", "))) for command, names in table(page, "Command")}
    assert listed == {command: shown for command, shown, _ in options(commands.cli)}


def test_the_page_lists_each_exit_code(page: str) -> None:
    stated = dict(re.findall(r"^ +(\d+)  (.*)$", commands.EXIT_CODES, flags=re.MULTILINE))
    assert dict(table(page, "Exit code")) == stated


def test_the_page_lists_each_schema(page: str, root: Path) -> None:
    """Would catch a schema whose version was raised in one place only."""
    listed = {name: described == "yes" for name, _, described in table(page, "Schema")}
    files = [path for room in ("audits", "theory") for path in (root / room).rglob("*.py") if path.name != "older.py"]
    written = {name for path in files for name in re.findall(r'"(banditproof/[a-z]+/\d+)"', path.read_text(encoding="utf-8"))}
    assert set(listed) == written
    schema = json.loads((Path(reporting.__path__[0]) / "result.schema.json").read_text(encoding="utf-8"))
    described = {kind["properties"]["schema"]["const"] for kind in schema["$defs"].values() if "schema" in kind.get("properties", {})}
    assert described == {name for name, yes in listed.items() if yes}


def test_the_page_lists_each_old_name_that_is_read(page: str) -> None:
    """Would catch an old name that is read and forgotten, or promised and not read."""
    listed = {(old, now) for old, now, _ in table(page, "Old")}
    hidden = {name for _, _, names in options(commands.cli) for name in names}
    assert {old for old, _ in listed if old.startswith("--")} == hidden
    words = {pair for pair in listed if not pair[0].startswith(("--", "banditproof/"))}
    assert words == {*OLDER_RELATIONS.items(), *older.QUANTITIES.items()}
    schemas = {pair for pair in listed if pair[0].startswith("banditproof/")}
    assert schemas == {(old, now) for old, (now, _) in older.UPGRADES.items()}


def test_the_page_lists_each_key_that_was_renamed(page: str) -> None:
    """By the last part of the key, and the first word of what it is now."""
    listed = {(old.rpartition(".")[2], now.partition(",")[0].rpartition(".")[2]) for old, now, _ in table(page, "Old key")}
    tables = (older.RESULT, older.DETAIL, older.DIRECTIONS, older.NEIGHBOURS, older.PLACE, older.PLAN, older.OUTCOME, older.PARAMETERS)
    assert listed - {("spread", "node_sigma")} == {pair for each in tables for pair in each.items()}


def test_the_page_lists_the_modules_of_the_vocabulary(page: str, root: Path) -> None:
    folder = root / "src" / "banditproof"
    found = {path.stem for path in folder.glob("[a-z]*.py")} | {"glossary"}
    assert {name.removeprefix("banditproof.") for (name,) in table(page, "Module")} == found - INSIDE
