"""The three rooms and the one package: links, names, sizes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOMS = ("theory", "algorithms", "audits")
PIPELINE, LANES, REST = 900, 600, 2080  # lines; docs/decisions.md says why they grew from 600 each


@pytest.mark.parametrize("room", ROOMS)
def test_link_is_relative_and_resolves_to_the_room(root: Path, room: str) -> None:
    """Would catch a link that points into somebody's home, a copy in its place, and a room that moved."""
    link = root / "src/banditproof" / room
    assert link.is_symlink()
    assert not os.path.isabs(os.readlink(link))
    assert link.resolve() == root / room
    assert (link / "__init__.py").is_file()


@pytest.mark.parametrize("room", ROOMS)
def test_link_is_committed_as_a_link(root: Path, room: str) -> None:
    """Would catch a checkout without symlinks that was committed again: git then holds a file with a path in it."""
    path = f"src/banditproof/{room}"
    entry = subprocess.run(["git", "ls-files", "--stage", path], cwd=root, capture_output=True, text=True, check=True).stdout
    mode, blob, _ = entry.split(maxsplit=2)
    assert mode == "120000"
    target = subprocess.run(["git", "cat-file", "blob", blob], cwd=root, capture_output=True, text=True, check=True).stdout
    assert target == f"../../{room}"


@pytest.mark.parametrize("room", ROOMS)
def test_wrong_name_says_what_to_import(root: Path, room: str) -> None:
    """Would catch one module under two names: `import theory` works from the repository's root unless the room refuses."""
    tried = subprocess.run([sys.executable, "-c", f"import {room}"], cwd=root, capture_output=True, text=True)
    assert tried.returncode == 1
    assert tried.stderr.splitlines()[-1].startswith(f"ImportError: {room}: import banditproof.{room} instead")


@pytest.mark.parametrize("room", ROOMS)
def test_right_name_is_the_room(root: Path, room: str) -> None:
    found = subprocess.run(
        [sys.executable, "-c", f"import banditproof.{room} as room; print(room.__file__)"],
        cwd="/",
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(found.stdout.strip()).resolve() == root / room / "__init__.py"


def test_init_files_hold_nothing_but_the_name_guard(root: Path) -> None:
    """Would catch re-export lists: the module is the namespace. The package's own file is the one exception (test_front_door.py)."""
    guards = {root / room / "__init__.py" for room in ROOMS}
    found = [path for room in ROOMS for path in (root / room).rglob("__init__.py")]
    assert guards < set(found)
    for path in found:
        assert len(path.read_text().splitlines()) == (2 if path in guards else 0), path


def test_every_folder_of_the_rooms_is_a_package(root: Path) -> None:
    """Would catch a new folder without `__init__.py`, which discovery would walk past without a word."""
    folders = {path.parent for room in ROOMS for path in (root / room).rglob("*.py")}
    assert len(folders) > 10
    assert not [folder for folder in folders if not (folder / "__init__.py").is_file()]


def test_vocabulary_stays_small(root: Path) -> None:
    """Would catch a vocabulary that grows into a framework: interaction and simulation, lanes with their roots, the rest without
    the glossary. The front door is no vocabulary, and its names are counted (test_front_door.py)."""
    lines = {path.stem: len(path.read_text().splitlines()) for path in (root / "src/banditproof").glob("*.py")}
    del lines["__init__"]
    pipeline, lanes = (lines.pop(one) + lines.pop(other) for one, other in (("interaction", "simulation"), ("lanes", "square_roots")))
    assert 0 < pipeline <= PIPELINE
    assert 0 < lanes <= LANES
    assert 0 < sum(lines.values()) <= REST, lines
