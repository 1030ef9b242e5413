"""What `verify` shows first: one row per paper, and what needs a look in one sentence each. By statement: by_statement.py."""

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from banditproof.audits.reporting.table import plain, seconds, verdict
from banditproof.audits.running.audit import stem_of
from banditproof.audits.running.report import AuditResult, Report
from banditproof.audits.statistics.evidence import Verdict, counted
from banditproof.theory.findings import Grade

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

MOST_NOTES = 8  # of one kind; where everything crashes, the table would leave the screen
_HEADINGS = {
    Verdict.CERTIFIED: "certi- fied",
    Verdict.HOLDS_AT_POINTS: "holds at points",
    Verdict.NOT_REFUTED: "not refuted",
    Verdict.RATE_ONLY: "rate only",
    Verdict.VACUOUS: "vacu- ous",
    Verdict.INCONCLUSIVE: "incon- clusive",
    Verdict.NOT_CHECKABLE: "not check- able",
    Verdict.ERROR: "error",
    Verdict.REFUTED: "refuted",
}
_NOTHING = "–"


class Rows(Enum):
    """What one row of the first screen is about."""

    PAPER = "paper"
    STATEMENT = "statement"
    AUDIT = "audit"


def rows_of(report: Report) -> Rows:
    """A row per paper where a run speaks of several, per statement where it speaks of one, per audit where it was asked for less."""
    if len(stems_of(report)) > 1:
        return Rows.PAPER
    return Rows.STATEMENT if report.settings.pattern in (None, *stems_of(report)) or len(theorems_of(report)) > 1 else Rows.AUDIT


def grade_of(result: AuditResult) -> str:
    """The grade of the finding that a refutation shows; '' where it shows none."""
    return result.finding.partition(", ")[2].partition(":")[0]


# --- one row per paper ---------------------------------------------------------------------------------------------------------------


def papers_table(report: Report, to: "Console") -> "list[Text]":
    """A row per paper and one for all, with the number of audits of each verdict that there is; below a paper its refutations by grade."""
    stems = stems_of(report)
    shown = [kind for kind in _HEADINGS if any(_number(report, stem, kind) for stem in stems)]
    heads = ("paper", "state- ments", "audits", *(_HEADINGS[kind] for kind in shown), "work")
    cells = [(stem, *_cells(report, stem, shown)) for stem in stems]
    cells += [("in all", *_cells(report, None, shown))] if len(stems) > 1 else []
    headings = [head.split() for head in heads]
    widths = [max(len(row[column]) for row in (*cells, *_stacked(headings))) for column in range(len(heads))]
    gap = 2 if sum(widths) + 2 * (len(widths) - 1) <= to.width else 1
    if sum(widths) + gap * (len(widths) - 1) > to.width:
        return [line for stem in stems for line in _folded(report, stem, to)]
    lines = [_line(row, widths, gap, to, "dim") for row in _stacked(headings)]
    for stem, row in zip((*stems, ""), cells, strict=False):
        lines.append(_line(row, widths, gap, to, "" if stem else "bold"))
        lines += _graded(report, stem, to)
    return lines


def _cells(report: Report, stem: str | None, shown: Sequence[Verdict]) -> tuple[str, ...]:
    numbers = (len(theorems_of(report, stem)), len(_of(report, stem)), *(_number(report, stem, kind) for kind in shown))
    return (*(str(number) if number else _NOTHING for number in numbers), f"{seconds(_work(report, stem))} s")


def _stacked(headings: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Headings of several lines, one of words each; their last lines stand above the first row."""
    tall = max(map(len, headings))
    padded = [[""] * (tall - len(words)) + list(words) for words in headings]
    return [tuple(column[line] for column in padded) for line in range(tall)]


def _line(cells: Sequence[str], widths: Sequence[int], gap: int, to: "Console", style: str) -> "Text":
    from rich.text import Text

    parts = [cells[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))]
    return Text(plain((" " * gap).join(parts), to), style=style)


def _graded(report: Report, stem: str, to: "Console") -> "list[Text]":
    from rich.text import Text

    grades = grades_text(result for result in _of(report, stem) if result.measured.verdict is Verdict.REFUTED) if stem else ""
    return [Text(f"  refuted, by grade of the finding: {grades}", style="dim", overflow="fold")] if grades else []


def grades_text(refuted: Iterable[AuditResult]) -> str:
    """'2 unexpected, 3 FALSE, 1 MISPRINT': refutations by the grade of the finding that they show."""
    kinds = ["unexpected" if result.unexpected() else grade_of(result) or "without a finding" for result in refuted]
    order = ("unexpected", *(grade.value for grade in Grade), "without a finding")
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in order if kind in kinds)


def _folded(report: Report, stem: str, to: "Console") -> "list[Text]":
    """A paper where the table has no room: its name, and below it all numbers as a sentence."""
    from rich.text import Text

    results = _of(report, stem)
    size = f"{counted(len(theorems_of(report, stem)), 'statement')}, {counted(len(results), 'audit')}, {seconds(_work(report, stem))} s"
    found = [f"{number} {kind.value}" for kind in _HEADINGS if (number := _number(report, stem, kind))]
    grades = grades_text(result for result in results if result.measured.verdict is Verdict.REFUTED)
    said = f"{size}: {', '.join(found)}{f' ({grades})' if grades else ''}"
    return [Text(stem, style="bold", overflow="fold"), *indented(said, to)]


def indented(text: str, to: "Console", style: str = "") -> "list[Text]":
    """A text two columns to the right, in as many lines as it takes."""
    from rich.text import Text

    lines = Text(plain(text, to), style=style).wrap(to, max(to.width - 2, 1), overflow="fold")
    return [Text.assemble("  ", line) for line in lines]


def _number(report: Report, stem: str | None, kind: Verdict) -> int:
    """How many audits have the verdict; statements where nothing can be audited."""
    found = sum(result.measured.verdict is kind for result in _of(report, stem))
    if kind is Verdict.NOT_CHECKABLE:
        found += sum(stem in (None, stem_of(item.theorem)) for item in report.unchecked)
    return found


def _of(report: Report, stem: str | None) -> list[AuditResult]:
    return [result for result in report.results if stem in (None, stem_of(result.theorem))]


def _work(report: Report, stem: str | None) -> float:
    return sum(report.seconds.get(result.audit, 0.0) for result in _of(report, stem))


def theorems_of(report: Report, stem: str | None = None) -> dict[str, None]:
    """The statements of a run, in their order, those that nobody audits and those that nothing can check included."""
    ids = (*(result.theorem for result in report.results), *report.unaudited, *(item.theorem for item in report.unchecked))
    return dict.fromkeys(id for id in ids if stem in (None, stem_of(id)))


def stems_of(report: Report) -> list[str]:
    """The papers of a run."""
    return list(dict.fromkeys(map(stem_of, theorems_of(report))))


# --- what needs a look ---------------------------------------------------------------------------------------------------------------


def notes(report: Report, to: "Console") -> "list[Text]":
    """Surprises, then what is inconclusive: verdict, id, and one sentence that says why."""
    from rich.text import Text

    surprising = [result for result in report.results if result.surprising()]
    open_ones = [result for result in report.results if result.measured.verdict is Verdict.INCONCLUSIVE and not result.surprising()]
    lines: list[Text] = []
    for heading, results in (("Surprises", surprising), ("Inconclusive", open_ones)):
        lines += [Text(), Text(heading, style="bold"), *sentences(results, to, MOST_NOTES)] if results else []
    return lines


def sentences(results: Sequence[AuditResult], to: "Console", most: int | None = None) -> "list[Text]":
    """Each result in one sentence; those that say the same are one, and after `most` of them the rest is counted."""
    from rich.text import Text

    groups: dict[tuple[Verdict, bool, str], list[AuditResult]] = {}
    for result in results:
        groups.setdefault((result.measured.verdict, result.as_expected(), sentence(result)), []).append(result)
    lines: list[Text] = []
    for (_, _, said), alike in list(groups.items())[:most]:
        more = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        lines.append(Text.assemble(verdict(alike[0], to), "  ", Text(alike[0].audit, style="bold"), more, overflow="fold"))
        lines += indented(said, to)
    left = sum(len(alike) for alike in list(groups.values())[most:]) if most is not None else 0
    return [*lines, Text(f"  and {left} more: banditproof verify --verbose", overflow="fold")] if left else lines


def sentence(result: AuditResult) -> str:
    """Why the verdict, in one sentence."""
    said = result.measured.message or "no reason was given"
    if result.measured.verdict is Verdict.REFUTED:
        return result.finding or said
    if result.unexpected():
        return f"was to be refuted ({result.finding or 'expected by its author'}): {said}"
    return said


def surprises_text(report: Report) -> str:
    """Whether there was a surprise."""
    surprising = sum(result.surprising() for result in report.results)
    if surprising:
        return f"{counted(surprising, 'surprise')}: a verdict that was not expected, or a crash."
    known = sum(result.measured.verdict is Verdict.REFUTED for result in report.results)
    return "No surprise: each refutation was expected, and its finding says what is wrong in print." if known else "No surprise."
