"""references.bib and the theory agree: every key that is cited exists, every key that exists is cited, every entry is complete."""

import ast
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import banditproof.theory

REQUIRED = {"author", "title", "year"}
VENUE = {"article": "journal", "inproceedings": "booktitle", "book": "publisher", "phdthesis": "school", "misc": "howpublished"}


@pytest.fixture(scope="module")
def entries(root: Path) -> dict[str, tuple[str, set[str]]]:
    """Key -> (kind, fields)."""
    text = (root / "references.bib").read_text()
    found: dict[str, tuple[str, set[str]]] = {}
    for block in re.split(r"^(?=@)", text, flags=re.MULTILINE)[1:]:
        kind, key = re.match(r"@(\w+)\{([^,\s]+),", block).groups()
        assert key not in found, f"{key} stands twice"
        found[key] = (kind.lower(), set(re.findall(r"^\s*(\w+)\s*=", block, flags=re.MULTILINE)))
    return found


@pytest.fixture(scope="module")
def stated() -> dict[str, set[str]]:
    """Bib key -> ids of the theorems (module-level values of theory) whose source it is."""
    from banditproof.theory.language import Theorem

    found: dict[str, set[str]] = {}
    for info in pkgutil.walk_packages(banditproof.theory.__path__, "banditproof.theory."):
        for value in vars(importlib.import_module(info.name)).values():
            if isinstance(value, Theorem):
                found.setdefault(value.source.key, set()).add(value.id)
    return found


@pytest.fixture(scope="module")
def written(modules) -> dict[str, set[str]]:
    """Bib key -> files of theory that write Source("key", ...), theorems or not."""
    found: dict[str, set[str]] = {}
    for module in modules:
        for node in ast.walk(module.tree):
            if module.name.startswith("theory/") and isinstance(node, ast.Call) and ast.unparse(node.func) == "Source":
                key = next((keyword.value for keyword in node.keywords if keyword.arg == "key"), None) or node.args[0]
                found.setdefault(ast.literal_eval(key), set()).add(module.name)
    return found


def test_every_source_has_its_entry(entries, stated, written) -> None:
    assert len(stated) >= 5
    assert not {key: sorted(ids) for key, ids in stated.items() if key not in entries}
    assert not {key: sorted(files) for key, files in written.items() if key not in entries}


def test_every_entry_is_cited(entries, written) -> None:
    """Would catch a bib key that nobody cites (an orphan), and an entry whose citing theorem was removed."""
    assert entries
    assert not set(entries) - set(written)


def test_every_entry_is_complete(entries) -> None:
    for key, (kind, fields) in entries.items():
        assert fields >= REQUIRED | {VENUE[kind]}, key
        assert fields & {"doi", "eprint", "url", "isbn"}, f"{key}: nothing to find it by"


def test_every_paper_file_cites_a_paper_of_its_year(written, root: Path) -> None:
    """Would catch a key copied from the neighbour file: the stem ends in the year that its key holds."""
    papers = [path.stem for path in (root / "theory/papers").glob("*.py") if path.stem != "__init__"]
    assert papers
    for stem in papers:
        keys = {key for key, files in written.items() if f"theory/papers/{stem}.py" in files}
        year = re.search(r"_(\d{4})$", stem)
        assert year is None or any(year.group(1) in key for key in keys), (stem, keys)
