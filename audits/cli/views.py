"""The options of `verify` that choose what is shown, and which of the chosen audits run."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from banditproof.audits.cli.values import ParamType, Rejected, nearest, shortened
from banditproof.audits.reporting.summary import View
from banditproof.audits.reporting.table import SHAPES
from banditproof.audits.statistics.evidence import Verdict

if TYPE_CHECKING:
    from banditproof.audits.running.report import AuditResult
    from banditproof.audits.running.selection import Selection

Command = TypeVar("Command", bound=Callable[..., Any])


class Verdicts(ParamType):
    """Verdicts, with commas between them: 'refuted,not refuted'; a blank may be written as - or _."""

    name = "verdicts"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> frozenset[Verdict]:
        if isinstance(value, frozenset):
            return value
        known = {verdict.value: verdict for verdict in Verdict}
        if not str(value).replace(",", "").strip():
            raise Rejected(f"--only {shortened(str(value))}: must be verdicts, with commas between them: {', '.join(known)}")
        words = [" ".join(word.replace("-", " ").replace("_", " ").split()).lower() for word in str(value).split(",")]
        for word in words:
            if word not in known:
                raise Rejected(f"--only {shortened(word)}: must be verdicts, with commas between them{_near(word, known)}")
        return frozenset(known[word] for word in words)


def _near(word: str, known: dict[str, Verdict]) -> str:
    return nearest(word, known) or f": {', '.join(known)}"


def view_options(command: Command) -> Command:
    """Adds --verbose, --quiet and --only, -x and --last-failed."""
    options = (
        click.option("-v", "--verbose", is_flag=True, help="One row per audit, and each refutation with its witness."),
        click.option("-q", "--quiet", is_flag=True, help="The closing lines and the exit code alone; no progress."),
        click.option(
            "--only", type=Verdicts(), default=frozenset(), metavar="VERDICTS", help="Show the audits with these verdicts, one row each."
        ),
        click.option("-x", "--exitfirst", "stop", is_flag=True, help="Stop at the first surprise; what was computed is kept."),
        click.option("--last-failed", is_flag=True, help="Run only what was a surprise, a crash or inconclusive when it last ran."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def view_of(target: str | None, verbose: bool, quiet: bool, only: frozenset[Verdict], traceback: bool) -> View:
    """What is to be shown. Raises Rejected on options that contradict each other."""
    if quiet and (verbose or only):
        raise Rejected(f"--quiet shows no rows: it takes no {'--verbose' if verbose else '--only'}")
    return View(target, verbose, quiet, only, traceback)


def glossary() -> str:
    """The verdicts with their meanings, for the end of a help text: in ASCII, which every terminal has."""
    lines = [f"  {verdict.value:<15}  {verdict.meaning}" for verdict in SHAPES]
    return "\n".join(["\b", "Verdicts", *lines, "  'as expected': false in print, and known (banditproof theory findings)"])


def only_last_failed(chosen: "Selection") -> "Selection":
    """The audits of a selection whose last recorded result was a surprise, a crash or inconclusive. Raises Rejected without a ledger."""
    from banditproof.audits.running.results import LedgerUnusable, open_results

    try:
        with open_results() as kept:
            last = kept.last(audit.id for audit in chosen.audits)
    except LedgerUnusable as error:
        raise Rejected(f"--last-failed: {error}") from None
    failed = tuple(audit for audit in chosen.audits if audit.id in last and _failed(last[audit.id].result))
    if not failed:
        click.echo("The last run left none of these audits refuted by surprise, crashed or inconclusive: nothing to run.", err=True)
    return replace(chosen, audits=failed, unchecked=(), unaudited=())


def _failed(result: "AuditResult") -> bool:
    return result.surprising() or result.measured.verdict is Verdict.INCONCLUSIVE


class FirstSurprise(Exception):
    """-x: a surprise has ended the run."""


def stop_at(results: "Iterable[AuditResult]") -> None:
    """Raises FirstSurprise, naming it, where one of the results is one."""
    for result in results:
        if result.surprising():
            raise FirstSurprise(result.audit)
