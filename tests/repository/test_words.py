"""The field's word for each concept, the same everywhere: two lists, phrases of prose and whole names (CONTRIBUTING, Words).

Each list is tried on planted words, so that a rule that matches nothing is noticed; and every exception must be needed.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = ("src/banditproof", "algorithms", "theory", "audits", "benchmarks")

# Name -> what is said instead. A key in lower case is that name in any case; one with capitals is a class or a member of an enum.
NAMES = {
    "law": "distribution, or constants",
    "laws": "distributions",
    "share": "fraction, or utilisation",
    "shares": "fractions",
    "slip": "mutant",
    "slips": "mutants",
    "load": "privacy_term",
    "tilt": "mgf_argument",
    "spread": "standard_deviation, noise_scale, or what it is",
    "planned": "planned_horizon",
    "promise": "guarantee",
    "promises": "theorems",
    "missed_with": "miss_rate",
    "could_catch": "detectable",
    "could catch": "detectable",
    "within_sensitivity": "query_sensitivity",
    "wide_gap": "a gap with its range",
    "action_gap": "a gap with its range",
    "moment_gap": "a gap with its range",
    "Open": "NoRandomiser",
    "Clean": "NoCorruption",
    "InOrder": "NoShuffling",
    "Relation": "NeighbouringRelation",
    "Asked": "Request",
    "Told": "Progress",
    "Chosen": "Selection",
    "Used": "Utilisation",
    "Timed": "TimedResult",
    "Given": "what it is",
    "Tempting": "LeastExploredAdversary",
    "Labelled": "ClassificationBandit",
}


# Phrase, as a regular expression -> what is said instead.
LAWS = "large numbers|total probability|the iterated logarithm"
UNIT = "round|node|run|arm|row|side|batch|epoch|call|repetition|output|policy|bin"
PHRASES = {
    rf"\blaws?\b(?! of ({LAWS}))(?<!scaling law)(?<!scaling laws)": "distribution, or constants",
    rf"\b(one (draw|number|word|array)|numbers?|outputs?|once|[mn]s) an? ({UNIT})\b": "one per round, runs per second",
    r"\b(hangs?|rests?) on\b": "depends on",
    r"\b(told|tells?|gives?|given) ((it|them|two|the) )?(\w+ )?apart\b": "distinguished",
    r"\b(refuted|caught|missed) but for\b": "with probability at least 90 % (power 0.9)",
    r"\bno verdict (hangs|depends) on\b": "shown for information; not used in the verdict",
    r"\bguesses right\b": "correct guesses on held-out outputs",
    r"\bindependent draws of one (law|distribution)\b": "i.i.d. given the dataset",
    r"\bmend(s|ed|ing)?\b": "fix, fixed",
    r"\bprivacy level\b": "privacy parameter",
    r"\bslips?\b(?! (into|through))": "mutant, or mistake",
}
HELP = {r"\bfalse alarms?\b(?! =)": "significance level: the probability of refuting a true claim"}  # of help texts and pages

PAGES = ("README.md", "CONTRIBUTING.md", "docs", "pyproject.toml", "Makefile")
TREE = (*CODE, "tests", *PAGES)
GENERATED = ("docs/evidence/", "docs/findings/", "docs/figures/", "tests/repository/test_words.py")  # or kept as it was measured


def files(folders: tuple[str, ...], *kinds: str) -> Iterator[str]:
    """Paths of the files of these kinds, each once: what is linked into the package counts under its own folder."""
    for folder in folders:
        place = ROOT / folder
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            linked = any(parent.is_symlink() for parent in (path, *path.parents))
            if path.is_file() and path.suffix in kinds and "__pycache__" not in path.parts and not linked:
                yield path.relative_to(ROOT).as_posix()


def forbidden(name: str) -> str:
    """What is said instead of a name; '' where it may stay."""
    bare = name.lstrip("-").replace("-", "_")
    return NAMES.get(bare) or NAMES.get(bare.lower() if bare.isupper() else bare, "")


def public_names(text: str) -> Iterator[tuple[str, str]]:
    """(owner and name, name) of what a module defines without an underscore, parameters included, and of command line options."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name[0] != "_":
            yield node.name, node.name
            yield from _parts(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"--[a-z][a-z-]*", node.value):
            yield node.value, node.value
    for node in tree.body:
        for target in _targets(node):
            yield target, target


def _parts(node: ast.ClassDef | ast.FunctionDef) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.FunctionDef):
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        names = [each.arg for each in arguments]
        neighbours = [each.arg for each in arguments if each.annotation and "Neighbours" in ast.unparse(each.annotation)]
    else:
        names = [target for part in node.body for target in _targets(part)]
        fields = [part for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)]
        neighbours = [part.target.id for part in fields if "Neighbours" in ast.unparse(part.annotation)]
    yield from ((f"{node.name}.{name}", name) for name in names if name[0] != "_")
    if {"first", "second"} <= set(names):
        yield f"{node.name}.first, second", "first, second"
    yield from ((f"{node.name}.{name}: Neighbours", f"{name}: Neighbours") for name in neighbours if name in ("where", "domain"))


def _targets(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [each.id for each in targets if isinstance(each, ast.Name)]


NAMES |= {
    "first, second": "dataset, neighbour (or left, right)",
    "where: Neighbours": "neighbours",
    "domain: Neighbours": "neighbours",
}


def keys_of(schema: object) -> Iterator[str]:
    """The names of all properties of a JSON Schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield from schema["properties"]
        for value in schema.values():
            yield from keys_of(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys_of(value)


def phrases(text: str, rules: dict[str, str]) -> list[tuple[str, str]]:
    """(phrase, what is said instead). Line breaks count as blanks: prose is wrapped."""
    flat = re.sub(r"\s*\n\s*(# ?)?", " ", text)
    return [(match[0], said) for rule, said in rules.items() for match in re.finditer(rule, flat, flags=re.IGNORECASE)]


def prose(path: str) -> list[str]:
    """What a file says in words: all of a page; the comments, docstrings and messages of code. The arguments `sentence` and `quote` are
    quotations of a paper, a string without a blank is a name or a key; what stands in quotation marks on a page is spoken about."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if not path.endswith(".py"):
        return [re.sub(r'"[^"\n]*"|`[^`\n]*`', "...", text)]
    tree = ast.parse(text)
    quoted = {
        part for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg in ("sentence", "quote") for part in ast.walk(node)
    }
    strings = [
        node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in quoted
    ]
    comments = [token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.COMMENT]
    return [*(each for each in strings if re.search(r"\s", each)), " ".join(comments)]


def test_prose_is_the_fields() -> None:
    """Would catch a page, a comment, a docstring or a message with a phrase of the list."""
    paths = [path for path in files(TREE, ".py", ".md", ".toml", "") if not path.startswith(GENERATED)]
    found = [(path, phrase, said) for path in paths for text in prose(path) for phrase, said in phrases(text, PHRASES)]
    found += [
        (path, phrase, said)
        for path in files(PAGES, ".md")
        if not path.startswith(GENERATED)
        for phrase, said in phrases(prose(path)[0], HELP)
    ]
    wrong = [each for each in found if f"{each[0]}: {each[1]}" not in KEPT_PHRASES]
    assert not wrong, "\n".join(f"{path}: {phrase!r}: say {said}" for path, phrase, said in wrong)
    assert set(KEPT_PHRASES) <= {f"{path}: {phrase}" for path, phrase, _ in found}, "an exception that nothing needs"
    assert len(KEPT_PHRASES) + len(KEPT_NAMES) <= 20


def test_no_docstring_has_two_words() -> None:
    """Would catch "The same." and "Draws.": a docstring is a sentence."""
    found = []
    for path in files((*CODE, "tests"), ".py"):
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and (words := ast.get_docstring(node)) and len(words.split()) <= 2:
                found.append(f"{path}: {node.name}: {words}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "the law of the noise",
        "a sum of\n    two laws",
        "one draw a node",
        "it hangs on the seed",
        "events that tell them apart",
        "would have been refuted but for 10 %",
        "90 of 100 guesses right",
        "until this is mended",
        "the privacy level",
        "with one slip each",
    ],
)
def test_a_planted_phrase_is_found(text: str) -> None:
    assert phrases(text, PHRASES)


@pytest.mark.parametrize(
    "text", ["by the law of large numbers", "the law of the iterated logarithm", "a scaling law", "an outlaw", "it depends on the seed"]
)
def test_other_phrases_stay(text: str) -> None:
    assert not phrases(text, PHRASES)


def test_public_names_are_the_fields() -> None:
    """Would catch a class, function, field, parameter or option that is called by a word of the list."""
    found = {
        f"{path}: {owner}": forbidden(name)
        for path in files(CODE, ".py")
        for owner, name in public_names((ROOT / path).read_text(encoding="utf-8"))
        if forbidden(name)
    }
    wrong = {place: word for place, word in found.items() if place not in KEPT_NAMES}
    assert not wrong, "\n".join(f"{place}: say {word}" for place, word in wrong.items())
    assert set(KEPT_NAMES) <= set(found), f"exceptions that nothing needs: {set(KEPT_NAMES) - set(found)}"


def test_keys_and_columns_are_the_fields() -> None:
    """Would catch a key of the records, a quantity of the glossary or a column of the table that is called by a word of the list."""
    from banditproof import glossary
    from banditproof.audits.reporting import table

    schema = json.loads((ROOT / "audits/reporting/result.schema.json").read_text(encoding="utf-8"))
    names = {*keys_of(schema), *table._HEADINGS, *glossary.quantities()}
    assert {name: forbidden(name) for name in names if forbidden(name) and name not in KEPT_NAMES} == {}


@pytest.mark.parametrize(
    "text",
    [
        "law = 1",
        "def mean(law): ...",
        "class Open: ...",
        "class Test:\n    promises: tuple = ()",
        "def f(*, missed_with): ...",
        "def f(first, second): ...",
        "def f(where: Neighbours): ...",
        "class Kind(Enum):\n    WITHIN_SENSITIVITY = 1",
        "option('--missed-with')",
        "LAWS = ()",
    ],
)
def test_a_planted_name_is_found(text: str) -> None:
    assert any(forbidden(name) for _, name in public_names(text))


@pytest.mark.parametrize(
    "text", ["_law = 1", "def f(first, last): ...", "def open(): ...", "def f(domain: Domain): ...", "outlaw = lawful = 1"]
)
def test_other_names_stay(text: str) -> None:
    assert not any(forbidden(name) for _, name in public_names(text))


# Place -> reason. At most twenty, of both lists.
KEPT_PHRASES: dict[str, str] = {}
KEPT_NAMES: dict[str, str] = {
    "audits/cli/audit.py: --missed-with": "the old name of --miss-rate, read for one version",
}
