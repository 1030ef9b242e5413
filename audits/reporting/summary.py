"""What a run says at its end: the results that need words, what there was, and what the significance level amounts to."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from banditproof.audits.running.exits import MEANING, Exit
from banditproof.audits.running.report import AuditResult, Report
from banditproof.audits.statistics.evidence import Verdict, counted

if TYPE_CHECKING:
    from rich.console import Console


def show(report: Report, target: str | None, traceback: bool) -> None:
    """Prints the table, what needs words, and the closing lines. `target`: the file of the record, for the hints that name it."""
    from rich.text import Text

    from banditproof.audits.reporting.table import console, results_table, say

    screen = console()
    say(screen, *results_table(report, screen))
    for result in report.results:
        _explain(result, report.traces.get(result.audit, ""), screen, target, traceback)
    code = report.exit_code()
    end = Text(f"exit {code}: {MEANING[code]}", style="bold" if code is Exit.EXPECTED else "bold red")
    say(screen, "", *closing(report), end)


def _explain(result: AuditResult, trace: str, screen: "Console", target: str | None, traceback: bool) -> None:
    """What needs words: refutations with their witness, crashes, and what would settle an inconclusive audit."""
    import click

    from banditproof.audits.reporting.table import explained, headline, labelled, say

    measured = result.measured
    if measured.verdict not in (Verdict.REFUTED, Verdict.ERROR, Verdict.INCONCLUSIVE, Verdict.VACUOUS) and result.as_expected():
        return
    rows, hint = explained(result), ""
    if measured.verdict is Verdict.REFUTED and measured.witness is not None:
        hint = f"banditproof replay {shlex.quote(target) if target not in (None, '-') else 'FILE'} --audit {result.audit}"
    if trace and not traceback:
        rows.append(("trace", "with --traceback"))
    say(screen, "", headline(result, screen), *([labelled(rows, screen)] if rows else []))
    if hint:  # one line, however long: it is there to be pasted
        click.echo(f"  {hint}")
    if trace and traceback:
        click.echo(trace, err=True)


def closing(report: Report, replay: bool = True) -> Iterator[str]:
    """Counts of verdicts, what was left out, the significance level in all, how to replay (if asked for), and the settings."""
    results = report.results
    counts: dict[str, int] = {}
    for result in results:
        word = result.measured.verdict.value
        word += " as expected" if result.measured.verdict is Verdict.REFUTED and result.as_expected() else ""
        counts[word] = counts.get(word, 0) + 1
    found = ", ".join(f"{number} {word}" for word, number in counts.items()) or "none finished"
    yield f"{counted(len(results), 'audit')} of {counted(len({result.theorem for result in results}), 'statement')}: {found}."
    if not report.complete:
        yield f"Interrupted: {counted(report.requested - len(results), 'audit')} did not finish and are left out."
    if report.unchecked:
        yield f"{counted(len(report.unchecked), 'statement')} cannot be checked: a definition or a remark."
    if report.unaudited:
        yield f"No audit yet: {', '.join(report.unaudited)}."
    yield from _totals(report)
    if replay and any(result.measured.verdict is Verdict.REFUTED for result in results):
        yield "To replay a refutation, keep the record with --json FILE, then paste its line."
    settings = report.settings
    spent = sum(report.seconds.values())
    yield f"Level {settings.level}, seed {settings.seed}; {spent:.1f} s of work by {counted(settings.jobs, 'worker')}."


def _totals(report: Report) -> Iterator[str]:
    """What the significance level of each audit amounts to, over the run and paper by paper."""
    tests = sum(report.statistical.values())
    if not tests:
        return
    yield (
        f"If all these claims are true, any of them is refuted with probability at most {report.total_false_alarm():.2g}"
        f" ({counted(tests, 'statistical audit')}, each at significance level {report.settings.false_alarm:g})."
    )
    if len(report.statistical) > 1:
        yield f"By paper: {', '.join(f'{paper} {report.total_false_alarm(paper):.2g}' for paper in report.statistical)}."
