"""The files around the code: locks, Makefile, README, CI."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

VERSIONS = ("311", "312", "313")
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^\s;]+)", re.MULTILINE)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def targets(root: Path) -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (root / "Makefile").read_text(), flags=re.MULTILINE))


@pytest.mark.parametrize("name", ["py311", "py312", "py313", "uv", "peers"])
def test_lock_names_no_address_and_hashes_everything(root: Path, name: str) -> None:
    """Would catch a lock made against somebody's mirror, a pin without hash, and a requirement that is a path or a URL."""
    text = (root / "lock" / f"{name}.txt").read_text()
    assert not re.search(
        r"://|^\s*-|--(extra-)?index|--find-links| @ |file:", re.sub(r"^\s+--hash=sha256:[0-9a-f]{64}( \\)?$", "", text, flags=re.M)
    )
    blocks = re.split(r"\n(?=\S)", text.strip())
    assert all(PIN.match(block) and "--hash=sha256:" in block for block in blocks)


@pytest.mark.parametrize("version", VERSIONS)
def test_lock_holds_every_dependency_and_extra(root: Path, project: dict, version: str) -> None:
    """Would catch a dependency added to pyproject.toml without `make lock`: the next fresh machine would lack it. Nothing here builds pages
    with `docs`, the one extra that is left out."""
    pinned = {normal(name) for name, _ in PIN.findall((root / "lock" / f"py{version}.txt").read_text())}
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"], "wheel"]
    for name, extra in project["project"]["optional-dependencies"].items():
        wanted += [] if name == "docs" else extra
    names = {normal(re.match(r"[A-Za-z0-9._-]+", line).group()) for line in wanted}
    assert len(names) > 20
    assert not names - pinned


def test_this_environment_is_the_lock(root: Path) -> None:
    """Would catch a .venv that drifted, and results that name versions which nobody can install again."""
    from importlib.metadata import version

    pins = dict(PIN.findall((root / "lock" / f"py{sys.version_info.major}{sys.version_info.minor}.txt").read_text()))
    assert len(pins) > 50
    assert not {name: (pin, version(name)) for name, pin in pins.items() if version(name) != pin}


def test_every_make_command_of_the_pages_exists(root: Path, targets: set[str]) -> None:
    """Would catch a README that promises a target nobody wrote."""
    assert {"verify", "test", "lint", "deep", "lock", "clean"} <= targets
    pages = [root / "README.md", root / "CONTRIBUTING.md", root / ".ci/run", *(root / "docs").rglob("*.md")]
    # A command is `make x` in backticks, or a line that starts with it.
    named = {
        str(page.relative_to(root)): set(re.findall(r"(?:`|^\s*(?:\$ )?)make ([a-z-]+)", page.read_text(), flags=re.MULTILINE))
        for page in pages
    }
    assert {"verify", "test"} <= named["README.md"]
    assert {"lint", "test"} <= named[".ci/run"]
    assert not {page: names - targets for page, names in named.items() if names - targets}


def test_every_path_that_contributing_names_exists(root: Path) -> None:
    """Would catch a guide that sends a contributor to a file which moved. Names with <...> are patterns."""
    named = set(re.findall(r"`((?:theory|algorithms|audits|tests|src|docs|lock)/[\w./-]*)`", (root / "CONTRIBUTING.md").read_text()))
    assert len(named) > 10
    assert not {path for path in named if not (root / path).exists()}


def test_ci_is_executable_and_stops_at_the_first_failure(root: Path) -> None:
    mode = subprocess.run(["git", "ls-files", "--stage", ".ci/run"], cwd=root, capture_output=True, text=True, check=True).stdout
    assert mode.startswith("100755")
    assert "set -euo pipefail" in (root / ".ci/run").read_text()


def test_version_stands_once(root: Path, project: dict) -> None:
    """Would catch a release whose citation names the one before."""
    cited = re.search(r"^version: (.+)$", (root / "CITATION.cff").read_text(), flags=re.MULTILINE)
    assert cited is not None
    assert cited.group(1) == project["project"]["version"]


def test_changelog_keeps_its_place_for_changed_numbers(root: Path) -> None:
    unreleased = (root / "CHANGELOG.md").read_text().split("## [Unreleased]")[1].split("\n## ")[0]
    assert "### Numbers that changed" in unreleased
