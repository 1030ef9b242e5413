"""Who may import what, and when: the table of DESIGN section 1, held against the syntax tree of every file.

import-linter (`make lint`) holds the arrows between the rooms, indirect ones included. This file holds what it cannot say: which
third-party package belongs to which file, and which may be imported inside functions only.
"""

import ast
import functools
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

# Costly to import (0.1 to 4 s of CPU, measured), or needed by one command alone: inside functions, wherever a row allows them at all.
HEAVY = (
    *("scipy.stats", "pymc", "pytensor", "arviz", "joblib", "xarray", "h5netcdf", "matplotlib", "opendp", "dp_accounting", "sklearn"),
    *("pandas", "pyarrow"),
    *("click", "rich", "jinja2"),
)
LIGHT_SCIPY = ("scipy.special", "scipy.linalg", "scipy.optimize", "scipy.integrate", "scipy.interpolate", "scipy.sparse")
DYNAMIC = ("importlib.import_module", "import_module", "__import__")
NEVER = ("random", "secrets")  # global or unrepeatable randomness, from the standard library


@dataclass(frozen=True)
class Row:
    """What files whose name starts with `prefix` may import: at module level, and inside functions. Rows add up."""

    prefix: str
    top: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()


TABLE = (
    Row("vocabulary/", top=("numpy", "vocabulary")),
    Row("vocabulary/kernels.py", top=("numba", "llvmlite")),
    Row("vocabulary/square_roots.py", top=("llvmlite",)),
    Row("vocabulary/lanes.py", top=("llvmlite",)),  # the instructions of vectors, which the language of kernels has no words for
    # The front door: its names are imported when they are used, so what is written there for type checkers costs nothing.
    Row("vocabulary/__init__.py", inside=("banditproof.algorithms", "banditproof.audits")),
    Row("vocabulary/__main__.py", inside=("banditproof.audits.cli",)),
    Row("theory/", top=("numpy", "sympy", "mpmath", "flint", *LIGHT_SCIPY, "vocabulary", "banditproof.theory"), inside=("scipy.stats",)),
    Row("algorithms/", top=("numpy", *LIGHT_SCIPY, "vocabulary", "banditproof.algorithms"), inside=("scipy",)),
    Row("algorithms/environments/", inside=("sklearn",)),
    Row("algorithms/mechanisms/discrete_", inside=("opendp",)),
    Row(
        "audits/",
        top=("numpy", *LIGHT_SCIPY, "vocabulary", "banditproof.theory", "banditproof.algorithms", "banditproof.audits"),
        inside=("scipy", "sklearn"),
    ),
    Row("audits/running/cluster.py", inside=("distributed", "cloudpickle")),  # the extra [cluster], and what it packs with
    Row("audits/running/", inside=("joblib", "xarray", "h5netcdf", "pandas")),
    Row("audits/isolation/elsewhere.py", inside=("cloudpickle",)),
    Row("audits/data_forms.py", inside=("pandas",)),
    Row("audits/reporting/", inside=("joblib", "xarray", "h5netcdf", "pandas", "jsonschema", "click", "rich", "jinja2", "matplotlib")),
    Row("audits/reporting/reference.py", top=("banditproof",)),  # the page of the front door reads the front door
    Row("audits/strategies.py", top=("hypothesis",)),
    Row("audits/conformance", top=("hypothesis",)),
    Row("audits/privacy/search.py", top=("hypothesis",), inside=("random",)),  # random.Random(seed), which hypothesis.find asks for
    Row("audits/privacy/stored.py", inside=("pyarrow",)),  # the extra [parquet]
    Row("audits/estimation/", inside=("hypothesis", "matplotlib")),
    Row("audits/privacy/accounting.py", inside=("dp_accounting",)),
    Row("audits/models/", inside=("pymc", "pytensor", "arviz")),
    Row("audits/experiments/", inside=("matplotlib",)),
    Row("audits/papers/", inside=("matplotlib",)),  # figures of papers
    # __main__ imports the command line inside a function, so click at its module level costs nobody else.
    Row("audits/cli/", top=("click",), inside=("rich", "jinja2", "matplotlib")),
    Row("audits/pytest_plugin.py", top=("pytest", "hypothesis")),
)


@dataclass(frozen=True)
class Import:
    name: str  # dotted; `from a import b` counts as a.b
    line: int
    at_import: bool  # runs when the module is imported


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


@functools.cache  # each file of the package is asked about four times
def imports(tree: ast.AST) -> tuple[Import, ...]:
    """All imports of a file, `importlib.import_module("literal")` included."""
    return tuple(_imports(tree, at_import=True))


def _imports(tree: ast.AST, at_import: bool) -> Iterator[Import]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, at_import) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = "." * node.level + (node.module or "")
            yield from (Import(f"{package}.{alias.name}", node.lineno, at_import) for alias in node.names)
        elif isinstance(node, ast.Call) and _name(node.func) in DYNAMIC and isinstance(node.args[0], ast.Constant):
            yield Import(str(node.args[0].value), node.lineno, at_import)
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _imports(node, at_import and not is_function and not _is_type_checking(node))


def _name(node: ast.expr) -> str:
    """'a.b' of the expression a.b; '' of what is no dotted name of two parts or fewer."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def complaints(name: str, tree: ast.AST, vocabulary: tuple[str, ...]) -> list[str]:
    """What the table forbids in one file."""
    rows = [row for row in TABLE if name.startswith(row.prefix)]
    top = tuple(entry for row in rows for entry in row.top)
    inside = tuple(entry for row in rows for entry in row.inside)
    if "vocabulary" in top:
        top += vocabulary
    found = []
    for item in imports(tree):
        package = item.name.split(".")[0]
        if package in sys.stdlib_module_names and not within(item.name, NEVER):
            continue
        heavy = within(item.name, HEAVY)
        # A heavy module needs an entry of its own: numpy-like entries such as "scipy" allow it inside functions, never at the top.
        if within(item.name, top) and not (heavy and not within(item.name, tuple(entry for entry in top if within(entry, HEAVY)))):
            continue
        if not item.at_import and within(item.name, inside):
            continue
        rule = "inside functions only" if within(item.name, inside) else "not in this file"
        found.append(f"{name}:{item.line}: {item.name}: {rule}")
    return found


@pytest.fixture(scope="session")
def vocabulary(modules) -> tuple[str, ...]:
    words = {module.name.split("/")[1].removesuffix(".py") for module in modules if module.name.startswith("vocabulary/")}
    return tuple(f"banditproof.{word}" for word in sorted(words - {"__init__", "__main__"}))


def test_every_import_is_in_the_table(modules, vocabulary) -> None:
    assert sum(len(imports(module.tree)) for module in modules) > 100
    assert not [line for module in modules for line in complaints(module.name, module.tree, vocabulary)]


PLANTED = (
    ("vocabulary/glossary/core.py", "import sympy"),
    ("vocabulary/__init__.py", "from banditproof.audits import front_door"),
    ("vocabulary/simulation.py", "import numba"),
    ("vocabulary/simulation.py", "from banditproof.algorithms.policies import ucb1"),
    ("vocabulary/__main__.py", "from banditproof.audits.cli import commands"),
    ("vocabulary/__main__.py", "def main():\n    from banditproof.audits.running import registry"),
    ("theory/inequalities.py", "from banditproof.algorithms import policies"),
    ("theory/inequalities.py", "from scipy import stats"),
    ("theory/inequalities.py", "import numba"),
    ("algorithms/policies/ucb1.py", "from banditproof.theory.papers import auer_2002"),
    ("algorithms/policies/ucb1.py", "from banditproof import audits"),
    ("algorithms/policies/ucb1.py", "import sympy"),
    ("algorithms/policies/ucb1.py", "class A:\n    import scipy.stats"),
    ("algorithms/policies/ucb1.py", "import random"),
    ("algorithms/mechanisms/laplace.py", "def f():\n    import opendp.prelude"),
    ("algorithms/mechanisms/discrete_laplace.py", "import opendp.prelude"),
    ("audits/running/workers.py", "import joblib"),
    ("audits/methods/regret.py", "def f():\n    import joblib"),
    ("audits/running/registry.py", "if True:\n    from scipy.stats import binom"),
    ("audits/running/registry.py", "def f():\n    import importlib\n    importlib.import_module('pymc')"),
    ("audits/running/registry.py", "import hypothesis"),
    ("audits/models/posterior.py", "try:\n    import pymc\nexcept ImportError:\n    raise"),
    ("audits/methods/privacy_loss.py", "def f():\n    import dp_accounting"),
    ("audits/methods/privacy_loss.py", "import click"),
    ("audits/reporting/table.py", "import rich.table"),
    ("audits/conformance_rules/trial.py", "import random"),
    ("audits/cli/verify.py", "from . import commands"),
    ("audits/cli/verify.py", "import pandas"),
)


@pytest.mark.parametrize(("name", "source"), PLANTED)
def test_the_table_catches(name: str, source: str, vocabulary) -> None:
    assert len(complaints(name, ast.parse(source), vocabulary)) == 1


ALLOWED = (
    ("vocabulary/kernels.py", "import numba"),
    ("vocabulary/simulation.py", "from banditproof import glossary\nimport numpy as np\nimport hashlib"),
    ("vocabulary/__main__.py", "def main():\n    from banditproof.audits.cli.commands import main"),
    ("theory/vectorise.py", "import scipy.special\ndef f():\n    from scipy import stats"),
    ("algorithms/mechanisms/discrete_laplace.py", "def f():\n    import opendp.prelude"),
    ("audits/models/posterior.py", "def f():\n    import pymc as pm"),
    ("audits/privacy/search.py", "from hypothesis import given"),
    ("audits/conformance_rules/trial.py", "from hypothesis import given"),
    ("audits/cli/verify.py", "import click\ndef f():\n    from rich.table import Table"),
    ("audits/running/report.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import xarray"),
)


@pytest.mark.parametrize(("name", "source"), ALLOWED)
def test_the_table_allows(name: str, source: str, vocabulary) -> None:
    assert complaints(name, ast.parse(source), vocabulary) == []


def test_numba_and_arviz_have_one_door_each(modules) -> None:
    """Would catch a second file to edit when the two packages that change most change again."""
    users = {
        package: [module.name for module in modules if any(within(item.name, (package,)) for item in imports(module.tree))]
        for package in ("numba", "arviz")
    }
    assert users["numba"] == ["vocabulary/kernels.py"]
    assert len(users["arviz"]) <= 1, users


def strangers(name: str, tree: ast.AST, stems: Iterable[str]) -> list[str]:
    """What reaches into the letters of a paper from a file that is not the paper's: it would not outlive the paper.

    A paper's file stands in theory/papers, audits or tests, and has a folder or file name that is the stem or begins with it.
    """
    parts = [part.removesuffix(".py").removeprefix("test_") for part in name.split("/")]
    room = name.startswith(("theory/papers/", "audits/", "tests/"))
    others = [stem for stem in stems if not (room and any(f"{part}_".startswith(f"{stem}_") for part in parts))]
    letters = tuple(f"banditproof.glossary.{stem}" for stem in others)
    found = [f"{name}:{item.line}: {item.name}" for item in imports(tree) if within(item.name, letters)]
    reached = tuple(f"glossary.{stem}" for stem in others)
    return found + [
        f"{name}:{node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in others and ast.unparse(node).removeprefix("banditproof.") in reached
    ]


@pytest.fixture(scope="session")
def stems(root: Path) -> set[str]:
    """The papers that have letters of their own."""
    return {path.stem for path in (root / "src/banditproof/glossary").glob("*.py")} - {"__init__", "core"}


def test_the_letters_of_a_paper_are_imported_by_that_paper_alone(modules, root: Path, stems) -> None:
    """Would catch an algorithm, a shared inequality or another paper that breaks when this paper is deleted."""
    found = [line for module in modules for line in strangers(module.name, module.tree, stems)]
    for folder in ("tests", "benchmarks"):
        for path in sorted((root / folder).rglob("*.py")):
            found += strangers(str(path.relative_to(root)), ast.parse(path.read_text()), stems)
    assert not found


def test_letters_belong_to_a_paper_that_is_there(root: Path, stems) -> None:
    """Would catch the letters of a paper that was deleted or renamed."""
    papers = {path.stem for path in (root / "theory/papers").iterdir()}
    assert not stems - papers


OF_A_PAPER = "from banditproof.glossary.first_2010 import TILT"


@pytest.mark.parametrize(
    ("name", "source", "caught"),
    [
        ("theory/papers/first_2010.py", OF_A_PAPER, False),
        ("theory/papers/first_2010/setting.py", OF_A_PAPER, False),
        ("audits/papers/first_2010/cases/privacy.py", OF_A_PAPER, False),
        ("audits/cases/first_2010_privacy.py", OF_A_PAPER, False),
        ("tests/theory/papers/test_first_2010.py", OF_A_PAPER, False),
        ("theory/papers/second_2011.py", "from banditproof.glossary import EPSILON", False),
        ("theory/papers/second_2011.py", OF_A_PAPER, True),
        ("theory/papers/first_20101.py", OF_A_PAPER, True),
        ("theory/inequalities.py", "from banditproof.glossary import first_2010", True),
        ("vocabulary/glossary/core.py", "import banditproof.glossary.first_2010", True),
        ("vocabulary/glossary/second_2011.py", OF_A_PAPER, True),
        ("algorithms/policies/first_2010.py", OF_A_PAPER, True),
        ("algorithms/policies/ucb1.py", "def f(x):\n    return glossary.first_2010.TILT.require(x)", True),
        ("audits/methods/agreement.py", "def f():\n    import banditproof.glossary.first_2010", True),
    ],
)
def test_strangers_are_caught(name: str, source: str, caught: bool) -> None:
    assert len(strangers(name, ast.parse(source), ("first_2010",))) == caught


def test_contracts_break_on_planted_imports(root: Path, tmp_path: Path) -> None:
    """Would catch an import-linter that looks past the links and so keeps every contract, and a paper that the contract does not know."""
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("src", "theory", "algorithms", "audits"):
        shutil.copytree(root / folder, tmp_path / folder, symlinks=True, ignore=ignored)
    shutil.copy(root / "pyproject.toml", tmp_path)
    with (tmp_path / "algorithms/policies/ucb1.py").open("a") as file:
        file.write("\n\ndef leak() -> None:\n    import banditproof.theory.inequalities\n")
    (tmp_path / "theory/papers/first_2010.py").write_text("")
    (tmp_path / "theory/papers/second_2011.py").write_text("from banditproof.theory.papers import first_2010\n")
    linter = Path(sys.executable).parent / "lint-imports"
    environment = {"PYTHONPATH": str(tmp_path / "src")}
    result = subprocess.run([linter, "--no-cache"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert result.returncode == 1, result.stdout + result.stderr
    said = " ".join(result.stdout.split())
    assert "banditproof.algorithms is not allowed to import banditproof.theory" in said
    assert "banditproof.theory.papers.second_2011 is not allowed to import banditproof.theory.papers.first_2010" in said
