"""`banditproof verify`: every registered claim, judged; progress on standard error, the table on standard output."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from banditproof.audits.cli.interrupts import insistent
from banditproof.audits.cli.values import (
    BUDGET,
    FALSE_ALARM,
    JOBS,
    SEED,
    OneOf,
    Rejected,
    dumps,
    nearest,
    require_writable,
    shortened,
    write,
)
from banditproof.audits.reporting.json import record, times
from banditproof.audits.reporting.summary import show
from banditproof.audits.running.audit import FALSE_ALARM as SIGNIFICANCE
from banditproof.audits.running.audit import Level, stem_of
from banditproof.audits.running.report import Report, Settings, Unchecked
from banditproof.audits.running.workers import cores

if TYPE_CHECKING:
    from banditproof.audits.running.audit import Audit
    from banditproof.audits.running.run import TimedResult
    from banditproof.theory.language import Theorem

LEVELS = tuple(level.value for level in Level)


@dataclass(frozen=True)
class Selection:
    """What a pattern picks: audits, statements that nothing can check, and statements that nobody audits yet."""

    audits: "tuple[Audit, ...]"
    unchecked: "tuple[Theorem, ...]"
    unaudited: tuple[str, ...]


@click.command(short_help="Judge every registered claim.")
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
@click.option("--jobs", type=JOBS, help="Worker processes.  [default: one per core]")
@click.option("--strict", is_flag=True, help="Exit with 4 if a result is inconclusive or vacuous.")
@click.option("--json", "target", metavar="FILE|-", help="Write the results there (times go to FILE.times.json); '-' for standard output.")
@click.option("--posterior/--no-posterior", default=True, show_default=True, help="Sample the PyMC model beside each exact interval.")
@click.option("--traceback", is_flag=True, help="Print the traces of audits that crash.")
def verify(
    pattern: str | None,
    level: str,
    budget: float | None,
    false_alarm: float,
    seed: int,
    jobs: int | None,
    strict: bool,
    target: str | None,
    posterior: bool,
    traceback: bool,
) -> int:
    """Judge every registered claim, or those that match PATTERN.

    PATTERN is a statement's or an audit's id, the name of a paper (dwork_2006), or a pattern as '*privacy*'. No verdict here says that a
    claim is true: a row "not refuted" says which
    violation the draws would have detected.
    """
    if target not in (None, "-"):
        require_writable(str(target))
        require_writable(f"{target}.times.json")
    chosen = select(pattern)
    if not chosen.audits and not chosen.unchecked and not chosen.unaudited:
        click.echo(f"Nothing matches {pattern!r}." if pattern else "There is nothing to audit.", err=True)
        return 5
    used = min(cores() if jobs is None else jobs, max(1, len(chosen.audits)))
    report, stopped = _run(chosen, Settings(pattern, level, false_alarm, seed, used, budget, posterior, strict))
    if target is not None:
        _write(target, report)
    if stopped is not None and not isinstance(stopped, KeyboardInterrupt):
        raise stopped
    if target != "-":
        show(report, target, traceback)
    return report.exit_code()


def select(pattern: str | None) -> Selection:
    """What a pattern picks, in the order of the statements. Raises Rejected on an exact id that does not exist, naming the nearest."""
    from banditproof.audits.running import registry

    stems = registry.stems_for(pattern)
    theorems = registry.every(registry.theorems, stems)
    audits = registry.select(pattern)
    matching = [item for id, item in theorems.items() if registry.matches(pattern, id)]
    if pattern is not None and not audits and not matching and not set("*?[") & set(pattern):
        near = registry.every(registry.audits, stems) if stems else registry.every(registry.theorems)
        ids = (*registry.papers(), *theorems, *near)
        raise Rejected(f"pattern {shortened(pattern)}: no statement, audit or paper has this id{nearest(pattern, ids)}")
    place = {id: position for position, id in enumerate(theorems)}
    audits.sort(key=lambda audit: place.get(audit.theorem, len(place)))
    audited = {audit.theorem for audit in registry.every(registry.audits, stems).values()}
    return Selection(
        tuple(audits),
        tuple(item for item in matching if item.bound is None and item.id not in audited),
        tuple(item.id for item in matching if item.bound is not None and item.id not in audited),
    )


def claims(chosen: Selection) -> dict[str, str]:
    """The inequality of each statement that is audited, where one line says it."""
    from banditproof.audits.running.registry import theorems
    from banditproof.theory.rendering import inequality

    found = {}
    for id in dict.fromkeys(audit.theorem for audit in chosen.audits):
        theorem = theorems(stem_of(id)).get(id)
        if theorem is not None and theorem.bound is not None and len(theorem.bound.cases) == 1:
            found[id] = inequality(theorem.bound)[0]
    return found


def _run(chosen: Selection, settings: Settings) -> tuple[Report, BaseException | None]:
    """The report with all results, or with those that were there when something stopped the run, and what that was."""
    from banditproof.audits.running.run import run, statistical

    finished: dict[str, TimedResult] = {}
    stopped: BaseException | None = None
    with _progress(len(chosen.audits), settings) as advance:

        def note(timed: "TimedResult", done: int, total: int) -> None:
            finished[timed.result.audit] = timed
            advance(timed, done, total)

        try:
            with insistent():
                run(
                    chosen.audits,
                    false_alarm=settings.false_alarm,
                    seed=settings.seed,
                    level=Level(settings.level),
                    jobs=settings.jobs,
                    budget=settings.budget,
                    posterior=settings.posterior,
                    progress=note,
                )
        except (Exception, KeyboardInterrupt) as error:  # a lost worker, Ctrl-C: what has been computed is kept first
            stopped = error
    ordered = [finished[audit.id] for audit in chosen.audits if audit.id in finished]
    report = Report(
        settings,
        tuple(timed.result for timed in ordered),
        requested=len(chosen.audits),
        unchecked=tuple(Unchecked(item.id, item.not_checkable) for item in chosen.unchecked),
        unaudited=chosen.unaudited,
        claims=claims(chosen),
        statistical=statistical(chosen.audits),
        complete=stopped is None,
        seconds={timed.result.audit: timed.seconds for timed in ordered},
        traces={timed.result.audit: timed.trace for timed in ordered if timed.trace},
    )
    return report, stopped


Note = Callable[["TimedResult", int, int], None]


@contextmanager
def _progress(total: int, settings: Settings) -> Iterator[Note]:
    """A bar on a terminal, a line for each audit elsewhere; on standard error."""
    from banditproof.audits.reporting.table import console, verdict

    screen = console(stderr=True)
    workers = f"{settings.jobs} worker{'s' if settings.jobs > 1 else ''}"
    intro = f"{total} audit{'s' if total != 1 else ''}, level {settings.level}, seed {settings.seed}, {workers}"
    if not screen.is_terminal:
        click.echo(intro, err=True)
        figures = len(str(total))

        def line(timed: "TimedResult", done: int, of: int) -> None:
            click.echo(f"[{done:>{figures}}/{of}] {verdict(timed.result, screen)}  {timed.result.audit}  {timed.seconds:.1f} s", err=True)

        yield line
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=screen, transient=True) as bar:
        room = max(10, screen.width - 48)  # beside bar, count and time
        task = bar.add_task(intro[:room], total=total)

        def step(timed: "TimedResult", done: int, of: int) -> None:
            bar.update(task, completed=done, description=f"{verdict(timed.result, screen)}  {timed.result.audit}"[:room])

        yield step


def _write(target: str, report: Report) -> None:
    write(target, dumps(record(report)))
    if target != "-":
        write(f"{target}.times.json", dumps(times(report)))
