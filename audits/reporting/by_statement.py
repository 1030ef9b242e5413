"""`verify PAPER`: one row per statement, with the verdict that says the least of all its audits and the tightest audit of that verdict."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from banditproof.audits.reporting.overview import grade_of, indented, theorems_of
from banditproof.audits.reporting.table import bounds, claim, clipped, detectable, plain, seconds, shaped
from banditproof.audits.running.report import AuditResult, Report
from banditproof.audits.statistics.evidence import Measurement, Verdict

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

LEAST_FIRST = (
    Verdict.ERROR,
    Verdict.REFUTED,
    Verdict.INCONCLUSIVE,
    Verdict.VACUOUS,
    Verdict.RATE_ONLY,
    Verdict.NOT_REFUTED,
    Verdict.HOLDS_AT_POINTS,
    Verdict.CERTIFIED,
    Verdict.NOT_CHECKABLE,
)
_AGREEMENT = ("relative difference", "relative distance")
_HEADS = ("verdict", "statement", "audits", "work", "tightest audit: claimed, measured, detectable")
_ROOM = 24  # columns for the last cell; with less, a row is two
_GAP = 2


@dataclass(frozen=True)
class _Row:
    """A statement: `said` has one part where it is a sentence, else the numbers of the tightest audit."""

    verdict: "Text"
    statement: str
    audits: str
    work: str
    said: tuple[str, ...]


def statements_table(report: Report, to: "Console") -> "list[Text]":
    """A row per statement; `3 of 24` audits are those that have the row's verdict. Statements that nothing can check come last."""
    rows = [_row(report, theorem, to) for theorem in theorems_of(report) if any(result.theorem == theorem for result in report.results)]
    unchecked = shaped(Verdict.NOT_CHECKABLE, Verdict.NOT_CHECKABLE.value, None, to)
    rows += [_Row(unchecked, _slug(item.theorem), "", "", (item.reason,)) for item in report.unchecked]
    if not rows:
        return []
    widths = _widths(rows, to.width)
    if widths is None:
        return [line for row in rows for line in _folded(row, to)]
    return [_heading(widths, to), *(_line(row, widths, to) for row in rows)]


def _widths(rows: Sequence[_Row], wide: int) -> tuple[int, ...] | None:
    """Of the columns before the last one; 0 for the work where there is no room for it, None where a row does not fit into a line."""
    cells = [(row.verdict.cell_len, len(row.statement), len(row.audits), len(row.work)) for row in rows]
    needed = [max(len(head), *column) for head, column in zip(_HEADS, zip(*cells, strict=True), strict=False)]
    for widths in ((*needed,), (*needed[:3], 0)):
        if sum(width + _GAP for width in widths if width) + _ROOM <= wide:
            return widths
    return None


def _row(report: Report, theorem: str, to: "Console") -> _Row:
    results = [result for result in report.results if result.theorem == theorem]
    alike = speaking(results)
    shown = max(alike, key=lambda result: tightness(result.measured))  # the first of several
    count = str(len(results)) if len(alike) == len(results) else f"{len(alike)} of {len(results)}"
    spent = seconds(sum(report.seconds.get(result.audit, 0.0) for result in results))
    return _Row(short_verdict(shown.measured.verdict, not shown.unexpected(), to), _slug(theorem), count, f"{spent} s", _said(shown))


def speaking(results: Sequence[AuditResult]) -> list[AuditResult]:
    """The audits that the row speaks of: those with an unexpected verdict, else those whose verdict says the least for the claim."""
    surprising = [result for result in results if result.unexpected()]
    if surprising:
        return surprising
    least = min((result.measured.verdict for result in results), key=LEAST_FIRST.index)
    return [result for result in results if result.measured.verdict is least]


def tightness(measured: Measurement) -> float:
    """The fraction of the claim that was measured: 1 where the bound is met; -inf where no numbers are compared, or the claim is 0; below 0
    where the numbers are those of two programs that agree."""
    low, claimed = measured.low if measured.low is not None else measured.estimate, measured.claimed
    if measured.detail.get("sense") == ">=":  # from below: how much of what was measured the claim takes up
        low, claimed = claimed, measured.high if measured.high is not None else measured.estimate
    if low is None or not claimed or not math.isfinite(low / claimed):
        return -math.inf
    return -1.0 if measured.quantity in _AGREEMENT else low / claimed


def short_verdict(found: Verdict, expected: bool, to: "Console") -> "Text":
    """The verdict as a row shows it: an expected refutation is quiet, an unexpected verdict is in capitals."""
    if found is Verdict.REFUTED and expected:
        return shaped(found, found.value, "green", to)
    loud = not expected and found not in (Verdict.ERROR, Verdict.INCONCLUSIVE)
    return shaped(found, found.value.upper() if loud else found.value, "bold red" if loud else None, to)


def _said(result: AuditResult) -> tuple[str, ...]:
    """The numbers of an audit, or why it has its verdict where that says more."""
    measured = result.measured
    if result.unexpected():
        return (f"unexpected: {result.audit.partition('/')[2]}: {measured.message}",)
    if measured.verdict is Verdict.REFUTED:
        title = result.finding.partition(": ")[2]
        return (f"{grade_of(result)}: {title}" if title else measured.message,)
    numbers = measured.verdict in (Verdict.CERTIFIED, Verdict.HOLDS_AT_POINTS, Verdict.NOT_REFUTED) and measured.claimed is not None
    return (claim(measured), bounds(measured), detectable(measured)) if numbers else (measured.message,)


def _slug(theorem: str) -> str:
    return theorem.partition(".")[2] or theorem or "(no statement)"


def _heading(widths: Sequence[int], to: "Console") -> "Text":
    from rich.text import Text

    before = _before(_HEADS, widths)
    last = plain(clipped(_HEADS[4], to.width - widths[0] - len(before)), to)
    return Text(f"{_HEADS[0].ljust(widths[0])}{before}{last}", style="dim", no_wrap=True)


def _line(row: _Row, widths: Sequence[int], to: "Console") -> "Text":
    from rich.text import Text

    found = row.verdict.copy()
    found.pad_right(widths[0] - found.cell_len)
    before = _before(("", row.statement, row.audits, row.work), widths)
    return Text.assemble(found, before, plain(_fitted(row.said, to.width - widths[0] - len(before)), to), no_wrap=True)


def _before(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The cells between the verdict and the last one."""
    work = cells[3].rjust(widths[3]) + " " * _GAP if widths[3] else ""
    return f"  {cells[1].ljust(widths[1])}  {cells[2].rjust(widths[2])}  {work}"


def _fitted(said: tuple[str, ...], room: int) -> str:
    """A sentence, or numbers: without what would be detectable where there is no room."""
    tries = (", ".join(filter(None, said)), ", ".join(filter(None, said[:2])))
    return next((each for each in tries if len(each) <= room), clipped(tries[-1], room))


def _folded(row: _Row, to: "Console") -> "list[Text]":
    """A row where the screen is narrow: verdict and statement, and below them the rest."""
    from rich.text import Text

    size = ", ".join(part for part in (f"audits: {row.audits}" if row.audits else "", row.work) if part)
    numbers = ", ".join(f"{name} {value}" for name, value in zip(("claimed", "measured", "detectable"), row.said, strict=False) if value)
    said = row.said[0] if len(row.said) == 1 else numbers
    head = Text.assemble(row.verdict, "  ", Text(row.statement, style="bold"), overflow="fold")
    return [head, *indented("; ".join(part for part in (size, said) if part), to)]
