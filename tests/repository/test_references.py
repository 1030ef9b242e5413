"""references.bib and the theory agree: every key that is cited exists, every key that exists is cited, every entry is complete.

An entry is cited if a Source of the theory has its key. When a paper is deleted its entry stays, and so do the algorithms that were written
from it: a work that the theory no longer knows is cited if an algorithm or a page names it, by first author and year or by its stem.
"""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import banditproof.theory

Entries = dict[str, tuple[str, dict[str, str]]]  # key -> (kind, fields)

REQUIRED = {"author", "title", "year"}
VENUE = {"article": "journal", "inproceedings": "booktitle", "book": "publisher", "phdthesis": "school", "misc": "howpublished"}


@pytest.fixture(scope="module")
def entries(root: Path) -> Entries:
    return parsed((root / "references.bib").read_text())


def parsed(text: str) -> Entries:
    found: Entries = {}
    for block in re.split(r"^(?=@)", text, flags=re.MULTILINE)[1:]:
        kind, key = re.match(r"@(\w+)\{([^,\s]+),", block).groups()
        assert key not in found, f"{key} stands twice"
        found[key] = (kind.lower(), dict(re.findall(r"^\s*(\w+)\s*=\s*[{\"]?(.*?)[}\"]?,?$", block, flags=re.MULTILINE)))
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


def author_and_year(fields: dict[str, str]) -> tuple[str, str]:
    """The first author's family name in plain letters, and the year: ('Szepesvari', '2020')."""
    family = fields["author"].split(" and ")[0].split(",")[0]
    return re.sub(r"\\\W|[{}]", "", family).strip(), fields["year"]


def is_stem_of(stem: str, fields: dict[str, str]) -> bool:
    author, year = author_and_year(fields)
    return re.fullmatch(rf"{re.escape(author.lower())}(_[a-z]+)*_{year}", stem) is not None


def named_in(text: str, fields: dict[str, str]) -> bool:
    """Whether a text says 'Author 2010', 'Author and Other 2010', 'Author et al. (2010, ...' or 'author_other_2010'."""
    author, year = author_and_year(fields)
    prose = rf"\b{re.escape(author)}(, [^\d;:()]{{1,60}}| and \w+| et al\.)?,?\s\(?{year}\b"
    return bool(re.search(prose, text) or any(is_stem_of(word, fields) for word in re.findall(r"\b[a-z]+(?:_[a-z]+)*_\d{4}\b", text)))


def orphans(entries: Entries, cited: Iterable[str], papers: Iterable[str], texts: Iterable[str]) -> list[str]:
    """Keys without a Source. A text can speak for a work only while the theory has no paper, and cites no other entry, of its name."""
    cited, papers, text = set(cited), set(papers), "\n".join(texts)
    known = {author_and_year(fields) for key, (_, fields) in entries.items() if key in cited}
    return [
        key
        for key, (_, fields) in entries.items()
        if key not in cited
        and (author_and_year(fields) in known or any(is_stem_of(paper, fields) for paper in papers) or not named_in(text, fields))
    ]


@pytest.fixture(scope="module")
def papers(root: Path) -> dict[str, str]:
    """Stem -> the name of its file or folder."""
    places = sorted((root / "theory/papers").iterdir())
    return {path.stem: path.name for path in places if path.stem != "__init__" and (path.suffix == ".py" or any(path.glob("*.py")))}


def test_every_entry_is_cited(entries, written, papers, root: Path) -> None:
    """Would catch a bib key that nobody cites (an orphan), and an entry whose citing theorem was removed."""
    assert entries
    places = [root / "README.md", *(root / "docs").rglob("*.md"), *(root / "algorithms").rglob("*.py")]
    assert not orphans(entries, written, papers, [path.read_text() for path in places])


ONE = "@article{{{key},\n  author  = {{Szepesv{{\\'a}}ri, Csaba and Other, Ann}},\n  year    = {{2020}},\n}}\n"


@pytest.mark.parametrize(
    ("keys", "cited", "papers", "text", "found"),
    [
        (["one"], ["one"], [], "", []),
        (["one"], [], [], "", ["one"]),
        (["one"], [], [], "Szepesvari 2021; Szepesvari and Other; other_2020", ["one"]),
        (["one"], [], [], "the radius (Szepesvari and Other 2020, Theorem 3)", []),
        (["one"], [], [], "by Szepesvari et al. (2020)", []),
        (["one"], [], [], 'promises = ("szepesvari_other_2020.privacy",)', []),
        (["one"], [], ["szepesvari_2020"], "Szepesvari 2020", ["one"]),
        (["one", "two"], ["two"], [], "Szepesvari 2020", ["one"]),
    ],
)
def test_an_orphan_is_caught(keys: list[str], cited: list[str], papers: list[str], text: str, found: list[str]) -> None:
    """Would catch a key that is excused by a text although its paper is here (a second key, or a typing error), or by another work."""
    assert orphans(parsed("".join(ONE.format(key=key) for key in keys)), cited, papers, [text]) == found


def test_every_entry_is_complete(entries) -> None:
    for key, (kind, fields) in entries.items():
        assert set(fields) >= REQUIRED | {VENUE[kind]}, key
        assert set(fields) & {"doi", "eprint", "url", "isbn"}, f"{key}: nothing to find it by"


def test_every_paper_cites_a_paper_of_its_year(written, papers) -> None:
    """Would catch a key copied from the neighbour file: the stem ends in the year that its key holds."""
    assert papers
    for stem, place in papers.items():
        keys = {key for key, files in written.items() if any(f"{file}/".startswith(f"theory/papers/{place}/") for file in files)}
        year = re.search(r"_(\d{4})$", stem)
        assert year is None or any(year.group(1) in key for key in keys), (stem, keys)
