"""How results look: numbers, verdicts as word, shape and colour, the table by statement, and each refutation explained."""

import math
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING, Any

from banditproof.audits.statistics.evidence import AuditResult, Verdict

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from banditproof.audits.running.registry import Timed
    from banditproof.theory.language import Theorem

WIDTH_OF_A_FILE = 100  # columns where there is no terminal
_SHAPES = {
    Verdict.CERTIFIED: ("■", "#", "green"),
    Verdict.REFUTED: ("✗", "x", "bold red"),
    Verdict.NOT_REFUTED: ("○", "o", "green"),
    Verdict.INCONCLUSIVE: ("?", "?", "yellow"),
    Verdict.VACUOUS: ("–", "-", "yellow"),
    Verdict.RATE_ONLY: ("~", "~", "cyan"),
    Verdict.NOT_CHECKABLE: ("·", ".", "dim"),
    Verdict.ERROR: ("!", "!", "bold magenta"),
}
_SHORT = {"epsilon": "ε", "delta": "δ", "mu": "μ", "rho": "ρ", "sigma": "σ", "relative difference": "difference"}
_ASCII = str.maketrans({"ε": "eps", "δ": "delta", "μ": "mu", "ρ": "rho", "σ": "sigma", "≤": "<=", "≥": ">=", "–": "-", "…": "..."})


def console(stderr: bool = False) -> "Console":
    """A rich console on one of the standard streams: as wide as the terminal, WIDTH_OF_A_FILE elsewhere; NO_COLOR is honoured."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    wide = None if stream.isatty() or "COLUMNS" in os.environ else WIDTH_OF_A_FILE
    return Console(file=stream, highlight=False, width=wide, emoji=False, markup=False)


def say(to: "Console", *parts: "RenderableType") -> None:
    """Prints without the blanks that fill rows up, so that lines can be pasted."""
    import click

    with to.capture() as captured:
        for part in parts:
            to.print(part)
    lines = captured.get().splitlines()
    click.echo("\n".join(line.rstrip() for line in lines), file=to.file, color=to.is_terminal and not to.no_color)


def plain(text: str, to: "Console") -> str:
    """Text for a stream that may know ASCII alone."""
    return text if to.encoding.startswith("utf") else text.translate(_ASCII)


def number(value: float | None, digits: int = 4) -> str:
    """Four significant digits: 1, 0.05, 1.312, 1e-05."""
    return "" if value is None else f"{value:.{digits}g}"


def at_least(value: float, beyond: float | None = None) -> str:
    """A lower bound, rounded down; with as many digits as it takes to be seen above `beyond`, if it is above."""
    return _towards(value, ROUND_FLOOR, beyond)


def at_most(value: float) -> str:
    """An upper bound, rounded up."""
    return _towards(value, ROUND_CEILING, None)


def _towards(value: float, rounding: str, beyond: float | None) -> str:
    if not math.isfinite(value):
        return str(value)
    for digits in range(4, 18):
        rounded = float(Context(prec=digits, rounding=rounding).create_decimal(Decimal(repr(value))))
        if beyond is None or not value > beyond or rounded > beyond:
            return f"{rounded:.{digits}g}"
    return repr(value)


def count(samples: int) -> str:
    """Samples in a narrow column: 950, 40k, 2.0M."""
    for size, unit in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if samples >= size:
            return f"{samples / size:.3g}{unit}"
    return str(samples) if samples else ""


def seconds(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def verdict(result: AuditResult, to: "Console") -> "Text":
    """Shape, word and colour; an expectation that failed is red."""
    from rich.text import Text

    shape, ascii_shape, colour = _SHAPES[result.verdict]
    word = result.verdict.value
    if result.verdict is Verdict.REFUTED and result.as_expected():
        word, colour = f"{word}, as expected", "green"
    elif unexpected(result) and result.verdict is not Verdict.REFUTED:
        word, colour = f"{word}, should be refuted", "bold red"
    return Text(f"{shape if plain(shape, to) == shape and to.encoding.startswith('utf') else ascii_shape} {word}", style=colour)


def unexpected(result: AuditResult) -> bool:
    """Refuted though it should not be, or the reverse. A crash is none of both, nor is an audit that the time budget left out."""
    left_out = result.verdict is Verdict.INCONCLUSIVE and result.samples == 0
    return not (result.as_expected() or result.verdict is Verdict.ERROR or left_out)


def claim(result: AuditResult) -> str:
    """'ε ≤ 1'; empty where the audit compares no number."""
    if result.claimed is None:
        return ""
    return f"{_SHORT.get(result.quantity, result.quantity)} {_sense(result)} {number(result.claimed)}".strip()


def _sense(result: AuditResult) -> str:
    """Claims are set from above, but for failures, which say it."""
    stated = result.detail.get("sense") if result.quantity == "failure" else None
    return {">=": "≥", "=": "="}.get(str(stated), "≤")


def measured(result: AuditResult) -> str:
    """The confidence bound on what was claimed: '≥ 0.982' or '0.003 … 0.008'."""
    if result.low is None and result.high is None:
        return number(result.estimate)
    if result.quantity in ("epsilon", "mu") or result.high is None:
        return "" if result.low is None else f"≥ {at_least(result.low, result.claimed)}"
    if result.low is None:
        return f"≤ {at_most(result.high)}"
    return f"{at_least(result.low, result.claimed)} … {at_most(result.high)}"


def detectable(result: AuditResult) -> str:
    """The smallest violation that the draws would have shown; for a claim from below, the largest value that breaks it."""
    if result.detectable is None:
        return ""
    return f"≤ {at_least(result.detectable)}" if _sense(result) == "≥" else f"≥ {at_most(result.detectable)}"


# --- the table of verify -----------------------------------------------------------------------------------------------------------

_HEADINGS = ("verdict", "subject", "claimed", "exact", "measured", "could catch", "draws", "s")
_RIGHT = ("draws", "s")
_EXACT = 3  # the column that goes first where there is no room
_INDENT, _GAP = 2, 2
_VERDICT = 15  # "· not checkable"; a longer one goes on in the next line
_SUBJECT = 40  # a narrower column for the subject would be hard to read: then it gets a line of its own


def results_table(
    results: "Sequence[Timed]", unchecked: "Iterable[Theorem]", claims: "Mapping[str, str]", to: "Console"
) -> "list[RenderableType]":
    """By statement: its id and claim, then its audits; then the statements that nothing can check, with their reason.

    An audit is one line where the subjects fit, else two: verdict and subject, and below them the numbers.
    """
    from rich.text import Text

    rows = [(timed.result.theorem, _cells(timed, to)) for timed in results]
    widths = _widths([cells for _, cells in rows], to.width)
    parts: list[Any] = []
    if rows:
        parts.append(_grid(widths, [tuple(Text(heading, style="dim") for heading in _HEADINGS)], to))
    for theorem in dict.fromkeys(theorem for theorem, _ in rows):
        parts.append(_statement(theorem or "(no statement)", claims.get(theorem, ""), to))
        parts.append(_grid(widths, [cells for of, cells in rows if of == theorem], to))
    for statement in unchecked:
        shown = verdict(AuditResult(statement.id, statement.id, "", Verdict.NOT_CHECKABLE), to)
        parts += [_statement(statement.id, "", to), labelled([(shown, statement.not_checkable)], to, _INDENT)]
    return parts


def _statement(id: str, claimed: str, to: "Console") -> "Text":
    from rich.text import Text

    fits = claimed and len(id) + _GAP + len(claimed) <= to.width
    return Text.assemble(Text(id, style="bold"), Text(f"  {claimed}" if fits else "", style="dim"), overflow="fold")


def _cells(timed: "Timed", to: "Console") -> "tuple[Text, ...]":
    from rich.text import Text

    result = timed.result
    words = (
        result.label,
        claim(result),
        number(result.exact),
        measured(result),
        detectable(result),
        count(result.samples),
        seconds(timed.seconds),
    )
    return (verdict(result, to), *(Text(plain(word, to), overflow="fold") for word in words))


def _widths(rows: "Sequence[Sequence[Text]]", wide: int) -> list[int]:
    """The width of every column, 0 where it holds nothing or has no room. The subject's is 0 where it has a line of its own."""
    needed = [max((row[column].cell_len for row in rows), default=0) for column in range(len(_HEADINGS))]
    widths = [max(width, len(heading)) if width else 0 for width, heading in zip(needed, _HEADINGS, strict=True)]
    widths[0] = min(widths[0], _VERDICT)
    left = wide - _INDENT - _used(widths) + widths[1]
    if left >= min(_SUBJECT, widths[1]):
        widths[1] = min(widths[1], left)
        return widths
    widths[1] = 0
    if _INDENT + _used(widths) > wide:
        widths[_EXACT] = 0
    widths[2] = min(widths[2], max(10, wide - _INDENT - _used(widths) + widths[2]))
    return widths


def _used(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (sum(width > 0 for width in widths) - 1)


def _grid(widths: Sequence[int], rows: "Sequence[tuple[Text, ...]]", to: "Console") -> "RenderableType":
    from rich.console import Group
    from rich.padding import Padding

    if widths[1]:
        return Padding(_columns(widths, rows), (0, 0, 0, _INDENT), expand=False)
    numbers = [0, 0, *widths[2:]]
    below = _INDENT + widths[0] + _GAP
    parts = []
    for row in rows:
        parts.append(labelled([(row[0], row[1])], to, first=widths[0]))
        parts.append(Padding(_columns(numbers, [row]), (0, 0, 0, below), expand=False))
    return Group(*parts)


def _columns(widths: Sequence[int], rows: "Sequence[tuple[Text, ...]]") -> Any:
    from rich.table import Table

    grid = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
    columns = [column for column, width in enumerate(widths) if width]
    for column in columns:
        grid.add_column(width=widths[column], justify="right" if _HEADINGS[column] in _RIGHT else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(row[column] for column in columns))
    return grid


def labelled(
    rows: "Sequence[tuple[str | Text, str | Text]]", to: "Console", indent: int = _INDENT, first: int | None = None
) -> "RenderableType":
    """Two columns: a label (as wide as `first`, or as it needs), and text that goes on under itself."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=first is None, width=first)
    grid.add_column(overflow="fold")
    for label, text in rows:
        shown = Text(plain(text, to), overflow="fold") if isinstance(text, str) else text
        grid.add_row(Text(label, style="dim") if isinstance(label, str) else label, shown)
    return Padding(grid, (0, 0, 0, indent), expand=False)


# --- one result, explained -----------------------------------------------------------------------------------------------------------


def headline(result: AuditResult, to: "Console", name: str = "") -> "Text":
    """The verdict and what it is about."""
    from rich.text import Text

    return Text.assemble(verdict(result, to), "  ", Text(name or result.audit, style="bold"), overflow="fold")


def explained(result: AuditResult) -> list[tuple[str, str]]:
    """Why this verdict, with the witness in words."""
    rows = [("why", result.message)] if result.message else []
    witness = result.witness or {}
    if result.verdict is Verdict.REFUTED and witness:
        rows += [*posteriors(result), *privacy_witness(result)] if witness.get("kind") == "privacy" else _any_witness(witness)
    return rows


def privacy_witness(result: AuditResult) -> list[tuple[str, str]]:
    """The two data sets, the rule that tells their outputs apart, and how often it was right."""
    witness = result.witness or {}
    rows = [(side, compact(witness[side])) for side in ("first", "second") if side in witness]
    guesses = witness["right"] + witness["wrong"]
    return [
        *rows,
        ("rule", str(witness["rule"])),
        ("counted", f"{witness['right']:,} of {guesses:,} guesses right, on {witness['trials']:,} outputs that nothing was fitted to"),
    ]


def posteriors(result: AuditResult) -> list[tuple[str, str]]:
    """What stands beside the exact bound: the posterior of this event's loss in closed form, and the PyMC model's if it was sampled."""
    rows = []
    closed, model = result.detail.get("posterior"), result.detail.get("model")
    if closed:
        rows.append(("posterior", f"{result.quantity} {_credible(closed)} on this event; no verdict hangs on it"))
    if model:
        told = f"R-hat {number(model['r_hat'])}, {model['ess_bulk']:.0f} effective draws, {_divergences(model)}"
        rows.append(("PyMC", f"{result.quantity} {_credible(model)}; {told}"))
    return rows


def _credible(posterior: Mapping[str, Any]) -> str:
    return f"{number(posterior['low'])} … {number(posterior['high'])} with probability {number(posterior['mass'])}"


def _divergences(model: Mapping[str, Any]) -> str:
    return f"{model['divergences']} divergences" if model["divergences"] else "no divergences"


def _any_witness(witness: dict[str, Any]) -> list[tuple[str, str]]:
    return [(name.replace("_", " "), compact(value)) for name, value in witness.items() if name != "kind"]


def compact(value: Any, most: int = 400) -> str:
    """A value as JSON on one line, cut if it is long (the record has it whole)."""
    import json

    from banditproof.audits.statistics.evidence import plain_json

    text = value if isinstance(value, str) else json.dumps(plain_json(value), ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters; whole in the JSON record)"


# --- theorems ------------------------------------------------------------------------------------------------------------------------


def theorem_table(theorems: "Iterable[Theorem]") -> "list[RenderableType]":
    """Each statement: its id and place, and the inequality, one line a case."""
    from rich.padding import Padding
    from rich.text import Text

    from banditproof.theory.rendering import inequality

    parts: list[Any] = []
    for theorem in theorems:
        place = f"  {theorem.source.key}, {theorem.source.locator}"
        parts.append(Text.assemble(Text(theorem.id, style="bold"), Text(place, style="dim"), overflow="fold"))
        lines = inequality(theorem.bound) if theorem.bound is not None else [f"not checkable: {theorem.not_checkable}"]
        lines += ["erratum: fails as printed"] if theorem.erratum is not None else []
        parts += [Padding(Text(line), (0, 0, 0, 4), expand=False) for line in lines]
    return parts


def version() -> str:
    """Of this package; 'not installed' where it runs from its source tree."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return installed("banditproof")
    except PackageNotFoundError:
        return "not installed"
