"""How lists of statements look: papers with what they hold, a line per statement with its last verdict, and each with its inequality."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from banditproof.theory.language import Theorem

_MOST_LINES = 4  # of one statement's cases in a list


def theorem_table(theorems: "Iterable[Theorem]", to: "Console") -> "list[RenderableType]":
    """Each statement: its id and place, the inequality in at most four lines, and its findings."""
    from rich.padding import Padding
    from rich.text import Text

    from banditproof.theory.rendering import inequality

    parts: list[Any] = []
    for theorem in theorems:
        place = f"  {theorem.source.key}, {theorem.source.locator}"
        parts.append(Text.assemble(Text(theorem.id, style="bold"), Text(place, style="dim"), overflow="fold"))
        stated = inequality(theorem.bound) if theorem.bound is not None else [f"not checkable: {theorem.not_checkable}"]
        lines = [row for line in stated for row in Text(line).wrap(to, max(to.width - 4, 20))]
        if len(lines) > _MOST_LINES:
            lines = [*lines[: _MOST_LINES - 1], Text(f"... (banditproof theory show {theorem.id})")]
        lines += [Text(f"{item.grade.value}: {item.title}") for item in sorted(theorem.findings, key=lambda item: item.order())]
        parts += [Padding(line, (0, 0, 0, 4), expand=False) for line in lines]
    return parts
