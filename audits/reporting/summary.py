"""What a run says: its rows, the results that need words, what there was, what the significance level amounts to, what to type next."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from banditproof.audits.running.exits import MEANING, Exit
from banditproof.audits.running.report import AuditResult, Report
from banditproof.audits.statistics.evidence import Verdict, counted

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True)
class View:
    """What of a run is shown: the rows of `only` these verdicts, or all; `target` is the file of the record, for the hints that name it."""

    target: str | None = None
    verbose: bool = False
    quiet: bool = False
    only: frozenset[Verdict] = frozenset()
    traceback: bool = False


def show(report: Report, view: View) -> None:
    """Prints the rows and what needs words, through a pager where a terminal is too short for them, and then the closing lines."""
    import click
    from rich.text import Text

    from banditproof.audits.reporting.hints import hints
    from banditproof.audits.reporting.overview import surprises_text
    from banditproof.audits.reporting.table import console, paged, say

    screen = console()
    body = "" if view.quiet else _body(report, view, screen)
    if body:
        paged(screen, body)
    if view.traceback:
        for trace in report.traces.values():
            click.echo(trace, err=True)
    code = report.exit_code()
    said = [*closing(report, replay=view.verbose, by_paper=view.verbose), surprises_text(report)]
    end = Text(f"exit {code}: {MEANING[code]}", style="bold" if code is Exit.EXPECTED else "bold red")
    say(screen, *([""] if body else []), *said)
    if not view.quiet:
        click.echo(hints(report, view, screen))
    say(screen, end)


def _body(report: Report, view: View, screen: "Console") -> str:
    """The rows, and the results that need words."""
    from banditproof.audits.reporting.by_statement import statements_table
    from banditproof.audits.reporting.overview import Rows, notes, papers_table, rows_of, sentences
    from banditproof.audits.reporting.table import rendered, results_table

    if not (view.verbose or view.only) and (rows := rows_of(report)) is not Rows.AUDIT:
        table = papers_table(report, screen) if rows is Rows.PAPER else statements_table(report, screen)
        return rendered(screen, *table, *notes(report, screen))
    chosen = _restricted(report, view.only) if view.only else report
    if view.only and not view.verbose:
        told = [rendered(screen, *sentences([result for result in chosen.results if _needs_words(result)], screen))]
    else:
        told = [_explained(result, chosen.traces.get(result.audit, ""), screen, view) for result in chosen.results]
    return "\n\n".join(filter(None, (rendered(screen, *results_table(chosen, screen)), *told)))


def _restricted(report: Report, only: frozenset[Verdict]) -> Report:
    """The rows of some verdicts; what nothing can check is among them if its verdict is."""
    kept = tuple(result for result in report.results if result.measured.verdict in only)
    return replace(report, results=kept, unchecked=report.unchecked if Verdict.NOT_CHECKABLE in only else ())


def _needs_words(result: AuditResult) -> bool:
    wordy = (Verdict.REFUTED, Verdict.ERROR, Verdict.INCONCLUSIVE, Verdict.VACUOUS)
    return result.measured.verdict in wordy or not result.as_expected()


def _explained(result: AuditResult, trace: str, screen: "Console", view: View) -> str:
    """What needs words: refutations with their witness, crashes, and what would settle an inconclusive audit; else ''."""
    from banditproof.audits.reporting.table import explained, headline, labelled, rendered

    if not _needs_words(result):
        return ""
    measured, rows = result.measured, explained(result)
    if trace and not view.traceback:
        rows.append(("trace", "with --traceback"))
    parts = [rendered(screen, headline(result, screen), *([labelled(rows, screen)] if rows else []))]
    if measured.verdict is Verdict.REFUTED and measured.witness is not None:  # one line, however long: it is there to be pasted
        parts.append(f"  {replay_line(result, view.target)}")
    return "\n".join(parts)


def replay_line(result: AuditResult, target: str | None) -> str:
    """The command that looks at the witness of a result again."""
    return f"banditproof replay {shlex.quote(target) if target not in (None, '-') else 'FILE'} --audit {result.audit}"


def closing(report: Report, replay: bool = True, by_paper: bool = True) -> Iterator[str]:
    """Counts of verdicts, what was left out, the significance level in all (and by paper), how to replay (if asked for), the settings."""
    results = report.results
    counts: dict[str, int] = {}
    for result in results:
        word = result.measured.verdict.value
        word += " as expected" if result.measured.verdict is Verdict.REFUTED and result.as_expected() else ""
        counts[word] = counts.get(word, 0) + 1
    found = ", ".join(f"{number} {word}" for word, number in counts.items()) or "none finished"
    yield f"{counted(len(results), 'audit')} of {counted(len({result.theorem for result in results}), 'statement')}: {found}."
    if not report.complete:
        why = "Stopped at the first surprise" if report.settings.stop_at_surprise else "Interrupted"
        yield f"{why}: {counted(report.requested - len(results), 'audit')} did not finish and are left out."
    if report.unchecked:
        yield f"{counted(len(report.unchecked), 'statement')} cannot be checked: a definition or a remark."
    if report.unaudited:
        yield f"No audit yet: {', '.join(report.unaudited)}."
    yield from _totals(report, by_paper)
    if replay and any(result.measured.verdict is Verdict.REFUTED for result in results):
        yield "To replay a refutation, keep the record with --json FILE, then paste its line."
    settings = report.settings
    spent = sum(report.seconds.values())
    yield f"Level {settings.level}, seed {settings.seed}; {spent:.1f} s of work by {counted(settings.jobs, 'worker')}."


def _totals(report: Report, by_paper: bool) -> Iterator[str]:
    """What the significance level of each audit amounts to, over the run and paper by paper."""
    tests = sum(report.statistical.values())
    if not tests:
        return
    yield (
        f"If all these claims are true, any of them is refuted with probability at most {report.total_false_alarm():.2g}"
        f" ({counted(tests, 'statistical audit')}, each at significance level {report.settings.false_alarm:g})."
    )
    if by_paper and len(report.statistical) > 1:
        yield f"By paper: {', '.join(f'{paper} {report.total_false_alarm(paper):.2g}' for paper in report.statistical)}."
