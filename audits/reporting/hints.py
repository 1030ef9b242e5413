"""What to type next: at the end of `verify`, the commands that show more of what it found."""

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from banditproof.audits.reporting.overview import Rows, rows_of, stems_of
from banditproof.audits.reporting.summary import View, replay_line
from banditproof.audits.running.audit import FALSE_ALARM, Level, Posteriors, stem_of
from banditproof.audits.running.report import AuditResult, Report, Settings
from banditproof.audits.statistics.evidence import Verdict

if TYPE_CHECKING:
    from rich.console import Console

SEED = 17  # of the command line


def hints(report: Report, view: View, to: "Console") -> str:
    """'Next:' and the commands, each whole on a line of its own, however narrow the screen is: they are there to be pasted."""
    found = list(_commands(report, view))
    wide = max(len(command) for command, _ in found)
    lines = ["Next:"]
    for command, why in found:
        beside = (f"  {command.ljust(wide)}  {why}", f"  {command}  {why}", f"  {command}")
        lines.append(next((line for line in beside if len(line) <= to.width), beside[-1]))
    return "\n".join(lines)


def _commands(report: Report, view: View) -> Iterator[tuple[str, str]]:
    surprising = next((result for result in report.results if result.surprising()), None)
    rows = Rows.AUDIT if view.verbose or view.only else rows_of(report)
    if surprising is not None:
        yield from _about(surprising, report, view)
    refuted = [result for result in report.results if result.measured.verdict is Verdict.REFUTED and result.finding]
    if refuted:
        stems = [stem_of(result.theorem) for result in refuted]
        stem = max(stems, key=stems.count)
        if rows is Rows.PAPER:
            yield verifying(report.settings, stem), "one row per statement"
        yield f"banditproof theory findings {stem}", "what is wrong in print, worst first"
    elif rows is Rows.PAPER:
        yield verifying(report.settings, stems_of(report)[0]), "one row per statement"
    open_ones = [kind for kind in (Verdict.VACUOUS, Verdict.INCONCLUSIVE) if any(r.measured.verdict is kind for r in report.results)]
    if open_ones and rows is not Rows.AUDIT:
        only = ",".join(kind.value for kind in open_ones)
        yield verifying(report.settings, report.settings.pattern, "--only", only), "the audits with these verdicts, and why"
    if rows is Rows.STATEMENT:
        yield verifying(report.settings, report.settings.pattern, "--verbose"), "one row per audit, each refutation with its witness"
    yield "banditproof verify --help", "what the verdicts mean"


def _about(result: AuditResult, report: Report, view: View) -> Iterator[tuple[str, str]]:
    """The command for a surprise."""
    if result.measured.verdict is Verdict.ERROR:
        yield verifying(report.settings, result.audit, "--traceback"), "where it crashed"
    elif result.measured.verdict is Verdict.REFUTED and view.target not in (None, "-"):
        yield replay_line(result, view.target), "the witness, on fresh draws"
    else:
        yield verifying(report.settings, result.audit), "the whole result"


def verifying(settings: Settings, pattern: str | None, *more: str) -> str:
    """The command that judges a pattern with the settings of a run."""
    changed = ["--level", settings.level] if settings.level != Level.QUICK.value else []
    changed += ["--seed", str(settings.seed)] if settings.seed != SEED else []
    changed += ["--false-alarm", f"{settings.false_alarm:g}"] if settings.false_alarm != FALSE_ALARM else []
    changed += {Posteriors.NONE: ["--no-posterior"], Posteriors.FEW: [], Posteriors.ALL: ["--posterior"]}[settings.posterior]
    return shlex.join(["banditproof", "verify", *([pattern] if pattern else []), *changed, *more])
