"""The shape of audits/: short files, no package that holds most of it, and no circle of imports."""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

LONGEST = 400  # lines of a file
LARGEST = 0.3  # share of the lines of audits/ that one package may hold


@pytest.fixture(scope="module")
def sources(root: Path) -> dict[str, str]:
    """The files of audits/ by their path below it."""
    folder = root / "audits"
    found = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))}
    assert len(found) > 100
    return found


def package_of(path: str) -> str:
    """The package that a file counts for: each paper is one, `papers` is none; "" for the files beside the packages."""
    parts = path.split("/")[:-1]
    return "/".join(parts[:2] if parts[:1] == ["papers"] else parts[:1])


def module_of(path: str) -> str:
    """The dotted name below banditproof.audits; a package has that of its folder."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def imported(tree: ast.AST) -> Iterator[str]:
    """Names below banditproof.audits that are imported when the module is; `from a import b` counts as a.b."""
    prefix = "banditproof.audits."
    for node in ast.iter_child_nodes(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name.removeprefix(prefix) for name in names if name.startswith(prefix))
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not _is_type_checking(node):
            yield from imported(node)


def graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """The modules that each module imports at its own import."""
    modules = {module_of(path) for path in sources}
    # `from a.b import c` needs the module a.b.c where there is one, else a.b.
    return {
        module_of(path): {name if name in modules else name.rpartition(".")[0] for name in imported(ast.parse(text))} & modules
        for path, text in sources.items()
    }


def circle(imports: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_file_is_long(sources: dict[str, str]) -> None:
    """Would catch a file that grows with every audit; it is split by subject."""
    lines = {path: len(text.splitlines()) for path, text in sources.items()}
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}


def test_no_package_holds_most_of_it(root: Path, sources: dict[str, str]) -> None:
    """Would catch a paper, or a package of the machinery, that all of audits/ comes to consist of."""
    lines: Counter[str] = Counter()
    for path, text in sources.items():
        lines[package_of(path)] += len(text.splitlines())
    assert {"papers/dwork_2006", "common", "methods", "running"} <= set(lines) and "papers/cases" not in lines
    # Where a paper was deleted, the others hold more of what is left; the machinery is held to the limit all the same.
    promised = {stem for path in (root / "algorithms").rglob("*.py") for stem in re.findall(r'"(\w+_\d{4})\.\w+"', path.read_text())}
    whole = all(f"papers/{stem}" in lines for stem in promised)
    large = {name: count for name, count in lines.items() if count > LARGEST * lines.total()}
    assert len(promised) >= 5 and {name: count for name, count in large.items() if whole or not name.startswith("papers/")} == {}


def test_no_circle_of_imports(sources: dict[str, str]) -> None:
    """Would catch two modules that can be imported in one order alone."""
    imports = graph(sources)
    assert "statistics.exact" in imports["methods.pointwise"]  # it sees a plain import,
    assert "methods.proof_steps" in imports["mutations"]  # and a module that is imported from its package
    assert circle(imports) == []


@pytest.mark.parametrize(
    ("text", "closes"),
    [
        ("from banditproof.audits.a import x", True),
        ("from banditproof.audits import a", True),
        ("import banditproof.audits.a", True),
        ("class C:\n    from banditproof.audits import a", True),
        ("def f():\n    from banditproof.audits import a", False),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from banditproof.audits import a", False),
    ],
)
def test_a_circle_is_found(text: str, closes: bool) -> None:
    """Would catch a walk that sees no import, or those inside functions."""
    planted = {"a.py": "from banditproof.audits.b import y", "b.py": "from banditproof.audits import c", "c.py": text}
    assert bool(circle(graph(planted))) == closes


# --- papers -----------------------------------------------------------------------------------------------------------------------------


def foundations(root: Path) -> set[str]:
    """The papers whose statements are tools of others, as the contract in pyproject.toml names them."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    allowed = [line for contract in contracts for line in contract.get("ignore_imports", ())]
    return {line.rpartition(".")[2] for line in allowed if "theory.papers" in line}


def papers_of(tree: ast.AST) -> set[str]:
    """The stems of the papers that a file imports anything of: statements, audits or letters."""
    found = set[str]()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            match = re.match(r"banditproof\.(?:theory\.papers|audits\.papers|glossary)\.([a-z]+\w*_\d{4})\b", name)
            found |= {match[1]} if match else set()
    return found


def test_the_finder_of_papers_finds() -> None:
    statements = "from banditproof.theory.papers import a_2001\nfrom banditproof.theory.papers.b_2002.raw import X"
    assert papers_of(ast.parse(f"{statements}\nimport banditproof.audits.papers.c_2003")) == {"a_2001", "b_2002", "c_2003"}
    assert papers_of(ast.parse("from banditproof.glossary.d_2004 import X\nfrom banditproof.glossary import Y")) == {"d_2004"}


@pytest.mark.parametrize("folder", ["audits/papers", "tests/papers"])
def test_a_papers_audits_and_tests_speak_of_it_and_of_foundations(root: Path, folder: str) -> None:
    """Would catch an audit or a test of one paper that needs another one's statements: neither could then be deleted alone."""
    others = {
        f"{path.relative_to(root)}: {stem}"
        for path in sorted((root / folder).glob("*/**/*.py"))
        for stem in papers_of(ast.parse(path.read_text())) - {path.relative_to(root / folder).parts[0]} - foundations(root)
    }
    assert others == set()


def test_what_papers_share_speaks_of_foundations_alone(root: Path) -> None:
    """Would catch a shared module of audits that needs a paper which could be deleted."""
    shared = [path for path in sorted((root / "audits").rglob("*.py")) if (root / "audits" / "papers") not in path.parents]
    assert {
        f"{path.relative_to(root)}: {stem}" for path in shared for stem in papers_of(ast.parse(path.read_text())) - foundations(root)
    } == set()
