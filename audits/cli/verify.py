"""`banditproof verify`: every registered claim, judged; progress on standard error, the table on standard output."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from banditproof.audits.cli.backends import backend_options, opened, require_backend
from banditproof.audits.cli.export import exported, exporting, require_exportable
from banditproof.audits.cli.interrupts import insistent
from banditproof.audits.cli.progress import progress, warn_if_cold
from banditproof.audits.cli.values import (
    BUDGET,
    FALSE_ALARM,
    JOBS,
    SEED,
    NoMatch,
    OneOf,
    Rejected,
    delivered,
    dumps,
    one_line,
    require_writable,
)
from banditproof.audits.cli.views import FirstSurprise, glossary, only_last_failed, stop_at, view_of, view_options
from banditproof.audits.reporting.json import record, times
from banditproof.audits.reporting.profile import show_profile
from banditproof.audits.reporting.summary import View, show
from banditproof.audits.running.audit import FALSE_ALARM as SIGNIFICANCE
from banditproof.audits.running.audit import ONE_IN, Level, Posteriors
from banditproof.audits.running.cluster import ClusterUnusable
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.files import special
from banditproof.audits.running.profile import Profiler
from banditproof.audits.running.report import Report, Reuse, Settings
from banditproof.audits.running.workers import cores
from banditproof.audits.statistics.evidence import Verdict, counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from banditproof.audits.running.audit import Audit
    from banditproof.audits.running.cluster import Cluster
    from banditproof.audits.running.run import TimedResult
    from banditproof.audits.running.selection import Selection

LEVELS = tuple(level.value for level in Level)


@click.command(short_help="Judge every registered claim.", epilog=glossary())
@click.argument("pattern", required=False)
@click.option(
    "--level",
    type=OneOf("level", LEVELS),
    default="quick",
    show_default=True,
    help="Number of draws: each level has 10 times more than the one before.",
)
@click.option("--budget", type=BUDGET, metavar="SECONDS", help="After this time no audit begins; those left out are inconclusive.")
@click.option(
    "--false-alarm",
    type=FALSE_ALARM,
    default=SIGNIFICANCE,
    show_default=True,
    help="Significance level of each statistical audit: the probability of refuting a true claim.",
)
@click.option("--seed", type=SEED, default=17, show_default=True, help="The same seed gives the same results.")
@click.option("--jobs", type=JOBS, help="Worker processes; one per core unless given.")
@backend_options
@click.option("--strict", is_flag=True, help="Exit with 4 if a result is inconclusive or vacuous.")
@click.option("--json", "target", metavar="FILE|-", help="Write the results there (times go to FILE.times.json); '-' for standard output.")
@click.option(
    "--posterior/--no-posterior", default=None, help=f"Sample the PyMC model in each privacy audit (default: 1 in {ONE_IN}), or in none."
)
@click.option("--fresh", is_flag=True, help="Take no result from the ledger: compute all of them.")
@click.option("--resume", is_flag=True, help="Go on with the interrupted run of these settings.")
@click.option("--profile", is_flag=True, help="Show where the time went, by phase and by audit, on standard error and in FILE.times.json.")
@exporting
@click.option("--traceback", is_flag=True, help="Print the traces of audits that crash.")
@view_options
def verify(
    pattern: str | None,
    level: str,
    budget: float | None,
    false_alarm: float,
    seed: int,
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    strict: bool,
    target: str | None,
    posterior: bool | None,
    fresh: bool,
    resume: bool,
    profile: bool,
    frame: str | None,
    netcdf: str | None,
    keep_draws: bool,
    traceback: bool,
    verbose: bool,
    quiet: bool,
    only: frozenset[Verdict],
    stop: bool,
    last_failed: bool,
) -> int:
    """Judge every registered claim, or those that match PATTERN.

    PATTERN is a statement's or an audit's id, the name of a paper (dwork_2006), or a pattern as '*privacy*'. No verdict here says that a
    claim is true: a row "not refuted" says which violation the draws would have detected. Several papers are shown one per row, one paper
    with a row per statement, a statement or an audit as with --verbose.

    Each result is kept in a ledger as its audit ends. It is taken from there while nothing that the audit reaches has changed: its sources,
    data and versions. After an interruption, by whatever signal, --resume goes on to the same record.
    """
    view, profiler = view_of(target, verbose, quiet, only, traceback), Profiler(profile)
    if profile and quiet and target in (None, "-"):
        raise Rejected("--quiet shows no tables: it takes --profile with --json FILE alone, which keeps the times beside it")
    sidecar = None if target in (None, "-") or special(Path(str(target))) else f"{target}.times.json"  # a pipe has no file beside it
    for file in (target, sidecar):
        if file not in (None, "-"):
            require_writable(str(file))
    require_exportable(frame, netcdf, keep_draws)
    require_backend(backend, scheduler)
    with profiler.before():
        chosen = select(pattern)
    if not chosen:
        click.echo(f"Nothing matches {pattern!r}." if pattern else "There is nothing to audit.", err=True)
        return Exit.NO_MATCH
    chosen = only_last_failed(chosen) if last_failed else chosen
    with opened(scheduler, jobs) as cluster:
        there = cores() if cluster is None else cluster.workers()
        used = min(there if jobs is None else jobs, max(1, len(chosen.audits)))
        settings = Settings(pattern, level, false_alarm, seed, used, budget, _sampled(posterior, keep_draws), strict, stop)
        report, stopped = _run(chosen, settings, Reuse(fresh, resume), view, profiler, cluster)
    beside = {} if sidecar is None else {sidecar: dumps(times(report))}
    code = delivered(report.exit_code(), lambda: show(report, view), target, dumps(record(report)), beside)
    if report.profile is not None and not quiet:
        show_profile(report.profile)
    if isinstance(stopped, ClusterUnusable):
        raise Rejected(one_line(str(stopped)))
    if stopped is not None and not isinstance(stopped, (KeyboardInterrupt, FirstSurprise)):
        raise stopped
    return exported(code, report, frame, netcdf, keep_draws) if stopped is None else code


def select(pattern: str | None) -> "Selection":
    """What a pattern picks. Raises NoMatch on an exact id that does not exist, naming the nearest."""
    from banditproof.audits.running import selection

    try:
        return selection.select(pattern)
    except LookupError as error:
        raise NoMatch(str(error)) from None


def _sampled(asked: bool | None, keep_draws: bool) -> Posteriors:
    """Which posteriors are sampled: draws can be kept of those alone that were."""
    if asked is None:
        return Posteriors.ALL if keep_draws else Posteriors.FEW
    return Posteriors.ALL if asked else Posteriors.NONE


def _run(
    chosen: "Selection", settings: Settings, reuse: Reuse, view: View, profiler: Profiler, cluster: "Cluster | None"
) -> tuple[Report, BaseException | None]:
    """The report with all results, or with those that were there when something stopped the run, and what that was."""
    from banditproof.audits.running.keeping import keeping
    from banditproof.audits.running.selection import reported

    def say(line: str) -> None:
        click.echo(line, err=True)

    stopped: BaseException | None = None
    with ExitStack() as stack:
        with profiler.before():
            keeper = stack.enter_context(keeping(chosen.audits, settings, reuse, say))
        finished, total = dict(keeper.found), counted(len(chosen.audits), "result")
        if finished:
            say(f"{len(finished):,} of {total} from the ledger")

        def note(timed: "TimedResult") -> None:
            finished[timed.result.audit] = timed
            keeper.keep(timed)
            if settings.stop_at_surprise and len(finished) < len(chosen.audits):
                stop_at([timed.result])

        try:
            if settings.stop_at_surprise and len(finished) < len(chosen.audits):
                stop_at([timed.result for timed in finished.values()])
            _compute([audit for audit in chosen.audits if audit.id not in finished], settings, view, note, profiler.on, cluster)
            keeper.end()
        except (Exception, KeyboardInterrupt) as error:  # a lost worker, Ctrl-C, SIGTERM: what has been computed is shown first
            stopped = error
            if keeper.keeps:
                say(f"{len(finished):,} of {total} are kept; the same command with --resume goes on from there")
    report = reported(chosen, settings, finished, complete=stopped is None)
    computed = {id: timed.phases for id, timed in finished.items() if not (timed.reused or timed.dropped)}
    return replace(report, profile=profiler.profile(settings.jobs, computed)), stopped


def _compute(
    audits: "list[Audit]",
    settings: Settings,
    view: View,
    note: "Callable[[TimedResult], None]",
    profile: bool,
    cluster: "Cluster | None",
) -> None:
    """Runs the audits; `note` gets each result as its audit ends."""
    from banditproof.audits.running.run import run

    if not audits:
        return
    if cluster is None:
        warn_if_cold()
    with progress(len(audits), settings, each=view.verbose, quiet=view.quiet) as advance, insistent():

        def ended(timed: "TimedResult", done: int, total: int) -> None:
            try:
                note(timed)
            finally:  # what is shown as ended is kept
                advance(timed, done, total)

        run(
            audits,
            false_alarm=settings.false_alarm,
            seed=settings.seed,
            level=Level(settings.level),
            jobs=settings.jobs,
            budget=settings.budget,
            posterior=settings.posterior,
            profile=profile,
            progress=ended,
            cluster=cluster,
        )
