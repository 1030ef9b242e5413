"""How results look: numbers, verdicts as word, shape and colour, the table by statement, and each refutation explained."""

import math
import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any

from banditproof.audits.models.diagnostics import CONVERGED
from banditproof.audits.running.report import AuditResult, Report
from banditproof.audits.statistics.evidence import Measurement, Verdict, Witness, at_least, at_most

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

WIDTH_OF_A_FILE = 100  # columns where there is no terminal
NARROWEST, WIDEST = 20, 1000  # a width that is not between them is taken for a mistake,
FALLBACK = 80  # and this is used instead: in no columns there is no verdict
SHAPES = {  # in the order of the help
    Verdict.CERTIFIED: ("■", "#", "green"),
    Verdict.HOLDS_AT_POINTS: ("□", "=", "green"),
    Verdict.NOT_REFUTED: ("○", "o", "green"),
    Verdict.RATE_ONLY: ("~", "~", "cyan"),
    Verdict.VACUOUS: ("–", "-", "yellow"),
    Verdict.INCONCLUSIVE: ("?", "?", "yellow"),
    Verdict.NOT_CHECKABLE: ("·", ".", "dim"),
    Verdict.REFUTED: ("✗", "x", "bold red"),
    Verdict.ERROR: ("!", "!", "bold magenta"),
}
_SHORT = {"epsilon": "ε", "delta": "δ", "mu": "μ", "rho": "ρ", "sigma": "σ", "relative difference": "difference"}
_ASCII = str.maketrans(
    {"ε": "eps", "δ": "delta", "μ": "mu", "ρ": "rho", "σ": "sigma", "≤": "<=", "≥": ">=", "–": "-", "…": "...", "→": "->"}
)


def console(stderr: bool = False) -> "Console":
    """A rich console on one of the standard streams: as wide as COLUMNS, else the terminal, WIDTH_OF_A_FILE elsewhere, but FALLBACK where
    that is below NARROWEST or above WIDEST; NO_COLOR is honoured."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    found = _columns_of(stream)
    wide = found if NARROWEST <= found <= WIDEST else FALLBACK
    others = {
        name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")
    }  # rich reads them again, and as it likes
    return Console(file=stream, highlight=False, width=wide, emoji=False, markup=False, _environ=others)


def _columns_of(stream: "IO[str]") -> int:
    """The columns that are asked for, or that there are; 0 where COLUMNS is no number."""
    written = os.environ.get("COLUMNS")
    if written is not None:
        return int(written) if re.fullmatch("[0-9]{1,9}", written.strip()) else 0
    if not stream.isatty():
        return WIDTH_OF_A_FILE
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # a terminal that does not say
        return 0


def say(to: "Console", *parts: "RenderableType") -> None:
    """Prints without the blanks that fill rows up, so that lines can be pasted."""
    import click

    click.echo(rendered(to, *parts), file=to.file, color=to.is_terminal and not to.no_color)


def rendered(to: "Console", *parts: "RenderableType") -> str:
    """What `say` prints, without the last line break."""
    with to.capture() as captured:
        for part in parts:
            to.print(part)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def paged(to: "Console", text: str) -> None:
    """Prints a text; where it goes to a terminal and is longer than the screen, through the user's pager (PAGER, else less)."""
    import click

    if to.file.isatty() and sys.stdin.isatty() and text.count("\n") + 1 >= to.height:
        click.echo_via_pager(text, color=False if to.no_color else None)
    else:
        click.echo(text, file=to.file, color=to.is_terminal and not to.no_color)


def clipped(text: str, wide: int) -> str:
    """The beginning of a text that is too wide, with its cut marked."""
    return text if len(text) <= wide else f"{text[: max(wide - 1, 0)].rstrip()}…"


def plain(text: str, to: "Console") -> str:
    """Text for a stream that may know ASCII alone."""
    return text if to.encoding.startswith("utf") else text.translate(_ASCII)


def number(value: float | None, digits: int = 4) -> str:
    """Four significant digits: 1, 0.05, 1.312, 1e-05."""
    return "" if value is None else f"{value + 0.0:.{digits}g}"  # 0 for -0.0


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
    found, colour = result.measured.verdict, None
    word = found.value
    if found is Verdict.REFUTED and result.as_expected():
        word, colour = f"{word}, as expected", "green"
    elif result.unexpected() and found is not Verdict.REFUTED:
        word, colour = f"{word}, should be refuted", "bold red"
    return shaped(found, word, colour, to)


def shaped(found: Verdict, word: str, colour: str | None, to: "Console") -> "Text":
    """The shape of a verdict and a word for it, in its colour or another."""
    from rich.text import Text

    shape, ascii_shape, its_colour = SHAPES[found]
    return Text(f"{shape if to.encoding.startswith('utf') else ascii_shape} {word}", style=colour or its_colour)


def claim(measured: Measurement) -> str:
    """'ε ≤ 1'; empty where the audit compares no number."""
    if measured.claimed is None:
        return ""
    return f"{_SHORT.get(measured.quantity, measured.quantity)} {_sense(measured)} {number(measured.claimed)}".strip()


def _sense(measured: Measurement) -> str:
    """The side from which the claim bounds the quantity, as the method says it. A difference from the claim is bounded from above, as is
    everything else of which the method says nothing."""
    stated = None if measured.quantity == "relative difference" else measured.detail.get("sense")
    return {">=": "≥", "=": "="}.get(str(stated), "≤")


def bounds(measured: Measurement) -> str:
    """The confidence bound on what was claimed: '≥ 0.982' or '0.003 … 0.008'."""
    if measured.low is None and measured.high is None:
        return number(measured.estimate)
    if measured.quantity in ("epsilon", "mu") or measured.high is None:
        return "" if measured.low is None else f"≥ {at_least(measured.low, measured.claimed)}"
    if measured.low is None:
        return f"≤ {at_most(measured.high)}"
    return f"{at_least(measured.low, measured.claimed)} … {at_most(measured.high)}"


def detectable(measured: Measurement) -> str:
    """The smallest violation that the draws would have shown, if there is one; for a claim from below, the largest value that breaks it."""
    if measured.detectable is None:
        return ""
    if math.isinf(measured.detectable):
        return "none"
    return f"≤ {at_least(measured.detectable)}" if _sense(measured) == "≥" else f"≥ {at_most(measured.detectable)}"


# --- the table of verify -----------------------------------------------------------------------------------------------------------

_HEADINGS = ("verdict", "subject", "claimed", "exact", "measured", "detectable", "draws", "s")
_RIGHT = ("draws", "s")
_EXACT = 3  # the column that goes first where there is no room
_INDENT, _GAP = 2, 2
_VERDICT = 17  # "□ holds at points"; a longer one goes on in the next line
_SUBJECT = 40  # a narrower column for the subject would be hard to read: then it gets a line of its own


def results_table(report: Report, to: "Console") -> "list[RenderableType]":
    """By statement: its id and claim, then its audits; then the statements that nothing can check, with their reason.

    An audit is one line where the subjects fit, else two: verdict and subject, and below them the numbers.
    """
    from rich.text import Text

    rows = [(result.theorem, _cells(result, report.seconds.get(result.audit, 0.0), to)) for result in report.results]
    widths = _widths([cells for _, cells in rows], to.width)
    parts: list[Any] = []
    if rows:
        parts.append(_grid(widths, [tuple(Text(heading, style="dim") for heading in _HEADINGS)], to))
    for theorem in dict.fromkeys(theorem for theorem, _ in rows):
        parts.append(_statement(theorem or "(no statement)", report.claims.get(theorem, ""), to))
        parts.append(_grid(widths, [cells for of, cells in rows if of == theorem], to))
    for statement in report.unchecked:
        shown = shaped(Verdict.NOT_CHECKABLE, Verdict.NOT_CHECKABLE.value, None, to)
        parts += [_statement(statement.theorem, "", to), labelled([(shown, statement.reason)], to, _INDENT)]
    return parts


def _statement(id: str, claimed: str, to: "Console") -> "Text":
    from rich.text import Text

    fits = claimed and len(id) + _GAP + len(claimed) <= to.width
    return Text.assemble(Text(id, style="bold"), Text(f"  {claimed}" if fits else "", style="dim"), overflow="fold")


def _cells(result: AuditResult, spent: float, to: "Console") -> "tuple[Text, ...]":
    from rich.text import Text

    measured = result.measured
    words = (
        result.label,
        claim(measured),
        number(measured.exact),
        bounds(measured),
        detectable(measured),
        count(measured.samples),
        seconds(spent),
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
    measured = result.measured
    rows = [("why", measured.message)] if measured.message else []
    if result.finding:
        rows.append(("finding", result.finding))
    if measured.verdict is Verdict.REFUTED and measured.witness is not None:
        rows += [*posteriors(measured), *witnessed(measured.witness)]
    return rows


def witnessed(witness: Witness) -> list[tuple[str, str]]:
    """The rows of a witness, each value on one line."""
    return [(label.replace("_", " "), compact(value)) for label, value in witness.rows()]


def posteriors(measured: Measurement) -> list[tuple[str, str]]:
    """What stands beside the exact bound: the posterior of this event's loss in closed form, and the PyMC model's if it was sampled."""
    rows = []
    closed, model = measured.detail.get("posterior"), measured.detail.get("model")
    if closed:
        rows.append(("posterior", f"{measured.quantity} {_credible(closed)} on this event; shown for information, not used in the verdict"))
    if model:
        told = f"R-hat {number(model['r_hat'])}{_mixed(model)}, {model['ess_bulk']:.0f} effective draws, {_divergences(model)}"
        rows.append(("PyMC", f"{measured.quantity} {_credible(model)}; {told}"))
    return rows


def _credible(posterior: Mapping[str, Any]) -> str:
    return f"{number(posterior['low'])} … {number(posterior['high'])} with probability {number(posterior['mass'])}"


def _mixed(model: Mapping[str, Any]) -> str:
    if math.isnan(model["r_hat"]):
        return " (undefined: all draws are one number)"
    return "" if model["r_hat"] <= CONVERGED else f" (above {CONVERGED}: the chains have not converged)"


def _divergences(model: Mapping[str, Any]) -> str:
    return f"{model['divergences']} divergences" if model["divergences"] else "no divergences"


def compact(value: Any, most: int = 400) -> str:
    """A value as JSON on one line, cut if it is long (the record has it whole)."""
    import json

    from banditproof.audits.statistics.evidence import plain_json

    text = value if isinstance(value, str) else json.dumps(plain_json(value), ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters; whole in the JSON record)"
