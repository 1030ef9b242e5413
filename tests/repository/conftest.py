"""The repository as data: its root, and every file of the package as text and syntax tree."""

import ast
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("theory", "algorithms", "audits")


@dataclass(frozen=True)
class Module:
    """A file of the package. `name` is its path with its room in front; the vocabulary counts as a room: 'vocabulary/simulation.py'."""

    name: str
    path: Path
    tree: ast.Module


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def modules() -> tuple[Module, ...]:
    """Every Python file of the vocabulary and of the three rooms, each once, under its real path."""
    package = ROOT / "src/banditproof"
    words = sorted([*package.glob("*.py"), *package.glob("glossary/**/*.py")])
    places = [(f"vocabulary/{path.relative_to(package)}", path) for path in words]
    for room in ROOMS:
        places += [(str(path.relative_to(ROOT)), path) for path in sorted((ROOT / room).rglob("*.py"))]
    found = tuple(Module(name, path, ast.parse(path.read_text(), str(path))) for name, path in places)
    for room in ("vocabulary", *ROOMS):
        assert any(module.name.startswith(f"{room}/") and module.tree.body for module in found), f"nothing was found in {room}"
    return found
