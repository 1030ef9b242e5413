"""The list of statements, and numbers in tables."""

import io

import pytest
from rich.console import Console

from banditproof.audits.reporting.table import at_least, at_most, number
from banditproof.audits.reporting.theorems import theorem_table
from banditproof.audits.running import registry
from banditproof.theory.rendering import inequality


@pytest.mark.parametrize("wide", [60, 100])
def test_no_statement_fills_a_page(wide: int) -> None:
    """Would catch the list of one paper in which four statements take 155 lines."""
    cut = 0
    for id, theorem in registry.every(registry.theorems).items():
        screen = Console(file=io.StringIO(), width=wide)
        with screen.capture() as captured:
            for part in theorem_table([theorem], screen):
                screen.print(part)
        lines = [line.strip() for line in captured.get().splitlines()]
        head = next(place for place, line in enumerate(lines) if line.startswith((*_starts(theorem), "not checkable")))
        found = {f"{item.grade.value}:" for item in theorem.findings}
        shown = [line for line in lines[head:] if line]
        shown = shown[: next((place for place, line in enumerate(shown) if line.split(" ")[0] in found), len(shown))]
        assert len(shown) <= 6, shown  # four lines, the last of which may be folded where the screen is narrow
        if any(line.startswith("... (banditproof theory show") for line in shown):
            cut += 1
            assert id in "".join(shown)
        elif theorem.bound is not None:
            assert "".join(shown).replace(" ", "") == "".join(inequality(theorem.bound)).replace(" ", "")
    assert cut


def _starts(theorem) -> tuple[str, ...]:  # type: ignore[no-untyped-def]
    return () if theorem.bound is None else (f"{theorem.bound.of.name} {theorem.bound.sense.value}",)


def test_nought_has_no_sign() -> None:
    """Would catch -0 in a table."""
    assert (number(-0.0), at_least(-0.0), at_most(-0.0)) == ("0", "0", "0")
    assert number(-1.5) == "-1.5"
