r"""The letters of a paper, and which of them one statement uses.

Main definitions
    letters    the letters of a paper: LETTERS of its module `notation`, or of its only module
    paper      its authors and title: PAPER of the same module
    alphabet   the letter of each quantity in one statement; refuses two quantities with one letter
    spelt      a letter in plain ASCII, as hypotheses and docstrings write it: "alpha_1", "L~", "rho_min"

A quantity that a paper does not name has the letter of the glossary.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from banditproof.glossary import Quantity
from banditproof.theory.installed import installed
from banditproof.theory.language import Bound, Theorem, symbol


def letters(stem: str) -> Mapping[Quantity, str]:
    """The letters of a paper for the quantities that have another one in the glossary; none for a paper that has no table of them."""
    found: Mapping[Quantity, str] = _declared(stem, "LETTERS") or {}
    return MappingProxyType(dict(found))


def paper(stem: str) -> str:
    """Authors, title and place of a paper, PAPER of the module that has its letters; '' where it says nothing."""
    return str(_declared(stem, "PAPER") or "")


@functools.cache
def _declared(stem: str, name: str) -> Any:
    """A name of the first module of a paper that has it, None where none does."""
    for place in _places(stem):
        try:
            module = import_module(place)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{place}.".startswith(f"{error.name}."):  # what the notation imports is missing
                raise
            continue
        if name in vars(module):
            return vars(module)[name]
    return None


def _places(stem: str) -> Iterator[str]:
    """Modules that may hold a paper's letters, the most special first."""
    for package in (f"banditproof.theory.papers.{stem}", f"banditproof.theory.{stem}"):
        yield f"{package}.notation"
        yield package
    for name, package in installed():
        if name == stem:
            yield f"{package}.theory.notation"
            yield f"{package}.theory"


def alphabet(theorem: Theorem) -> dict[Quantity, str]:
    """The letters of all quantities in a statement: its bound, the published one, the lines of its proof.

    Raises ValueError, naming both, where two quantities have one letter: a formula would not say which is meant.
    """
    known = letters(theorem.id.partition(".")[0])
    found = {quantity: known.get(quantity, quantity.latex) for quantity in quantities(theorem)}
    owners: dict[str, Quantity] = {}
    for quantity, letter in found.items():
        owner = owners.setdefault(re.sub(r"[\s{}]", "", letter), quantity)
        if owner is not quantity:
            raise ValueError(f"{theorem.id}: {owner.name} and {quantity.name} have one letter, {letter}")
    return found


def quantities(theorem: Theorem) -> tuple[Quantity, ...]:
    """All quantities of a statement, in the order in which they first appear."""
    found: dict[Quantity, None] = {}
    for bound in (theorem.bound, theorem.published):
        found |= dict.fromkeys(_of_bound(bound) if bound is not None else ())
    return tuple(found | dict.fromkeys(quantity for step in theorem.steps for quantity in step.draw_order))


def _of_bound(bound: Bound) -> Iterator[Quantity]:
    yield bound.of
    yield from bound.quantities()
    if bound.uniform_over is not None:
        yield bound.uniform_over


def auxiliary(theorem: Theorem) -> tuple[Quantity, ...]:
    """The quantities that only lines of the proof have."""
    bounds = {quantity for bound in (theorem.bound, theorem.published) if bound is not None for quantity in _of_bound(bound)}
    names = {symbol(quantity) for quantity in bounds}
    return tuple(quantity for quantity in quantities(theorem) if symbol(quantity) not in names)


_PLAIN = (
    (r"\\(?:textstyle|displaystyle|left|right|[Bb]ig+[lr]?|[,;:! ])", " "),
    (r"\\(?:mathrm|mathcal|mathbb|mathbf|text|operatorname)\s*\{([^{}]*)\}", r"\1"),
    (r"\\(?:tilde|widetilde)\s*\{?([A-Za-z])\}?", r"\1~"),
    (r"\\(?:hat|widehat)\s*", "hat "),
    (r"\\bar\s*", "bar "),
    (r"\\[lr]?Vert\b\s*", "|"),
    (r"\\ne\b", "!="),
    (r"\\var(?=[a-z])", ""),
    (r"\\\{", "("),
    (r"\\\}", ")"),
    (r"\\([A-Za-z]+)\s*", r"\1 "),
    (r"[{}]", ""),
    (r"\s+(?=[_^()|,}'])", ""),
    (r"(?<=[(_^])\s+", ""),
    (r"\s+", " "),
)


def spelt(letter: str) -> str:
    """A letter without LaTeX: "alpha_1" for \\alpha_1, "rho_min" for \\rho_{\\min}, "L~" for \\tilde L."""
    for pattern, plain in _PLAIN:
        letter = re.sub(pattern, plain, letter)
    return letter.strip()


def named(quantity: Quantity, known: Mapping[Quantity, str]) -> str:
    """A quantity with its letter beside its name, 'horizon (n)', where that is another word."""
    letter = spelt(known.get(quantity, quantity.latex))
    if letter == quantity.name:
        return letter
    return f"{quantity.name} {letter}" if letter[0] + letter[-1] == "()" else f"{quantity.name} ({letter})"


def by_symbol(known: Mapping[Quantity, str]) -> dict[object, str]:
    """Letters by SymPy symbol, for its LaTeX printer."""
    return {symbol(quantity): letter for quantity, letter in known.items()}
