"""The glossary finds the letters of every paper by itself, and refuses two of one name."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from banditproof import glossary
from banditproof.glossary import EPSILON, Quantity, core

STEM = "first_2010"
HEAD = "from banditproof.glossary.core import POSITIVE, EPSILON, Quantity\n\n"


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The glossary file of a paper that is about to be written. What is cached is found before."""
    glossary.quantities()
    monkeypatch.setattr(glossary, "__path__", [*glossary.__path__, str(tmp_path)])
    yield tmp_path / f"{STEM}.py"
    sys.modules.pop(f"{glossary.__name__}.{STEM}", None)
    vars(glossary).pop(STEM, None)


def test_the_letters_of_a_new_paper_are_found(paper: Path) -> None:
    """Would catch a list of files that somebody has to keep; and what a paper imports from the core is no second quantity."""
    paper.write_text(f'{HEAD}WARMTH = Quantity("warmth", "w", POSITIVE, "how warm an arm is")\n')
    found = glossary.quantities.__wrapped__()
    assert found["warmth"].meaning == "how warm an arm is"
    assert dict(glossary.quantities()) == {name: value for name, value in found.items() if name != "warmth"}


def test_two_quantities_of_one_name_are_refused(paper: Path) -> None:
    """Would catch two papers whose symbols are one symbol, with the domain of either."""
    paper.write_text(f'{HEAD}LEVEL_OF_PRIVACY = Quantity("epsilon", "e", POSITIVE, "another one")\n')
    with pytest.raises(ValueError, match=r"glossary\.(core|first_2010): .*glossary\.(core|first_2010) has another quantity .* 'epsilon'"):
        glossary.quantities.__wrapped__()


def test_the_core_is_imported_from_the_package() -> None:
    """Would catch a name of the core that the package lost, and a letter of a paper that leaked into it."""
    names = {name for name, value in vars(core).items() if isinstance(value, Quantity)}
    assert {name for name, value in vars(glossary).items() if isinstance(value, Quantity)} == names
    assert glossary.EPSILON is core.EPSILON is EPSILON is glossary.quantities()["epsilon"]
    assert glossary.Domain is core.Domain


def test_a_quantity_is_named_by_its_constant() -> None:
    """Would catch a constant that was renamed and kept its old name in formulas and parameters."""
    glossary.quantities()
    modules = [core, *(module for name, module in sys.modules.items() if name.startswith(f"{glossary.__name__}."))]
    wrong = [
        name for module in modules for name, value in vars(module).items() if isinstance(value, Quantity) and name.lower() != value.name
    ]
    assert not wrong
