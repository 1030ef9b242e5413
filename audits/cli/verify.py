"""`banditproof verify`: every registered claim, judged; progress on standard error, the table on standard output."""

import fnmatch
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
from banditproof.audits.statistics.evidence import AuditResult, Verdict

if TYPE_CHECKING:
    from rich.console import Console

    from banditproof.audits.running.registry import Audit, Timed
    from banditproof.theory.language import Theorem

SCHEMA, SCHEMA_TIMES = "banditproof/verify/1", "banditproof/times/1"
LEVELS = ("quick", "standard", "deep")


@dataclass(frozen=True)
class Chosen:
    """What a pattern picks: audits, statements that nothing can check, and statements that nobody audits yet."""

    audits: "tuple[Audit, ...]"
    unchecked: "tuple[Theorem, ...]"
    unaudited: tuple[str, ...]


@dataclass(frozen=True)
class Settings:
    """What a run was asked for."""

    pattern: str | None
    level: str
    false_alarm: float
    seed: int
    jobs: int
    budget: float | None
    posterior: bool
    strict: bool


@click.command(short_help="Judge every registered claim.")
@click.argument("pattern", required=False)
@click.option(
    "--level", type=OneOf("level", LEVELS), default="quick", show_default=True, help="How much evidence; each level draws 10 times more."
)
@click.option("--budget", type=BUDGET, metavar="SECONDS", help="After this time no audit begins; those left out are inconclusive.")
@click.option(
    "--false-alarm",
    type=FALSE_ALARM,
    default=1e-5,
    show_default=True,
    help="Significance level of each statistical audit: the probability of refuting a true claim.",
)
@click.option("--seed", type=SEED, default=17, show_default=True, help="The same seed gives the same results.")
@click.option("--jobs", type=JOBS, help="Worker processes.  [default: one a core]")
@click.option("--strict", is_flag=True, help="Inconclusive or vacuous: exit 4.")
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
    """Judge every registered claim, or those that PATTERN picks.

    PATTERN is a statement's or an audit's id, the name of a paper (dwork_2006), or a pattern as '*privacy*'. No verdict here says that a
    claim is true: "not refuted" says what the draws would have caught.
    """
    if target not in (None, "-"):
        require_writable(str(target))
        require_writable(f"{target}.times.json")
    chosen = select(pattern)
    if not chosen.audits and not chosen.unchecked:
        click.echo(f"Nothing matches {pattern!r}." if pattern else "There is nothing to audit.", err=True)
        return 5
    workers = min(cores() if jobs is None else jobs, max(1, len(chosen.audits)))
    settings = Settings(pattern, level, false_alarm, seed, workers, budget, posterior, strict)
    finished, stopped = _run(chosen, settings)
    complete = stopped is None
    if target is not None:
        _write(target, finished, chosen, settings, complete)
    if stopped is not None and not isinstance(stopped, KeyboardInterrupt):
        raise stopped
    if target != "-":
        _show(finished, chosen, settings, complete, target, traceback)
    return exit_code([timed.result for timed in finished], strict) if complete else 130


def select(pattern: str | None) -> Chosen:
    """What a pattern picks, in the order of the statements. Raises Rejected on an exact id that does not exist, naming the nearest."""
    from banditproof.audits.running import registry

    theorems = registry.theorems()
    audits = registry.select(pattern)
    matching = [
        item for id, item in theorems.items() if pattern is None or pattern in (id, id.split(".")[0]) or fnmatch.fnmatchcase(id, pattern)
    ]
    if pattern is not None and not audits and not matching and not set("*?[") & set(pattern):
        ids = (*dict.fromkeys(id.split(".")[0] for id in theorems), *theorems, *registry.audits())
        raise Rejected(f"pattern {shortened(pattern)}: no statement, audit or paper has this id{nearest(pattern, ids)}")
    place = {id: position for position, id in enumerate(theorems)}
    audits.sort(key=lambda audit: place.get(audit.theorem, len(place)))
    audited = {audit.theorem for audit in registry.audits().values()}
    return Chosen(
        tuple(audits),
        tuple(item for item in matching if item.bound is None and item.id not in audited),
        tuple(item.id for item in matching if item.bound is not None and item.id not in audited),
    )


def claims(chosen: Chosen) -> dict[str, str]:
    """The inequality of each statement that is audited, where one line says it."""
    from banditproof.audits.running import registry
    from banditproof.theory.rendering import inequality

    found = {}
    for id in dict.fromkeys(audit.theorem for audit in chosen.audits):
        theorem = registry.theorems().get(id)
        if theorem is not None and theorem.bound is not None and len(theorem.bound.cases) == 1:
            found[id] = inequality(theorem.bound)[0]
    return found


def exit_code(results: Sequence[AuditResult], strict: bool) -> int:
    """1 before 3 before 4: a refutation is news even if another audit crashed."""
    from banditproof.audits.reporting.table import unexpected

    if any(unexpected(result) for result in results):
        return 1
    if any(result.verdict is Verdict.ERROR for result in results):
        return 3
    if strict and any(result.verdict in (Verdict.INCONCLUSIVE, Verdict.VACUOUS) for result in results):
        return 4
    return 0


MEANING = {
    0: "all as expected",
    1: "an unexpected refutation, or an expected one that did not come",
    3: "an audit crashed",
    4: "inconclusive or vacuous, under --strict",
    130: "interrupted",
}


def envelope(results: "Sequence[AuditResult]", chosen: Chosen, settings: Settings, complete: bool) -> dict[str, Any]:
    """The published record of a run: no times, no job counts, no machine facts."""
    from banditproof.audits.reporting.table import version

    unchecked = [
        AuditResult(item.id, item.id, "", Verdict.NOT_CHECKABLE, seed=settings.seed, message=item.not_checkable)
        for item in chosen.unchecked
    ]
    return {
        "schema": SCHEMA,
        "banditproof": version(),
        "pattern": settings.pattern,
        "level": settings.level,
        "false_alarm": settings.false_alarm,
        "seed": settings.seed,
        "complete": complete,
        "results": [result.to_json() for result in (*results, *unchecked)],
    }


def cores() -> int:
    return len(os.sched_getaffinity(0)) if "sched_getaffinity" in dir(os) else os.cpu_count() or 1


def _run(chosen: Chosen, settings: Settings) -> "tuple[list[Timed], BaseException | None]":
    """The results in the order of the audits: all, or those that were there when something stopped the run, and what that was."""
    from banditproof.audits.running import registry

    finished: dict[str, Timed] = {}
    stopped: BaseException | None = None
    with _progress(len(chosen.audits), settings) as show:

        def note(timed: "Timed", done: int, total: int) -> None:
            finished[timed.result.audit] = timed
            show(timed, done, total)

        try:
            with insistent():
                registry.run(
                    chosen.audits,
                    false_alarm=settings.false_alarm,
                    seed=settings.seed,
                    level=registry.Level(settings.level),
                    jobs=settings.jobs,
                    budget=settings.budget,
                    posterior=settings.posterior,
                    progress=note,
                )
        except (Exception, KeyboardInterrupt) as error:  # a lost worker, Ctrl-C: what has been computed is kept first
            stopped = error
    return [finished[audit.id] for audit in chosen.audits if audit.id in finished], stopped


Note = Callable[["Timed", int, int], None]


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

        def line(timed: "Timed", done: int, of: int) -> None:
            click.echo(f"[{done:>{figures}}/{of}] {verdict(timed.result, screen)}  {timed.result.audit}  {timed.seconds:.1f} s", err=True)

        yield line
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=screen, transient=True) as bar:
        room = max(10, screen.width - 48)  # beside bar, count and time
        task = bar.add_task(intro[:room], total=total)

        def step(timed: "Timed", done: int, of: int) -> None:
            bar.update(task, completed=done, description=f"{verdict(timed.result, screen)}  {timed.result.audit}"[:room])

        yield step


def _write(target: str, finished: "Sequence[Timed]", chosen: Chosen, settings: Settings, complete: bool) -> None:
    write(target, dumps(envelope([timed.result for timed in finished], chosen, settings, complete)))
    if target != "-":
        times = {timed.result.audit: round(timed.seconds, 3) for timed in finished}
        traces = {timed.result.audit: timed.trace for timed in finished if timed.trace}
        write(f"{target}.times.json", dumps({"schema": SCHEMA_TIMES, "jobs": settings.jobs, "seconds": times, "traces": traces}))


def _show(finished: "Sequence[Timed]", chosen: Chosen, settings: Settings, complete: bool, target: str | None, traceback: bool) -> None:
    from rich.text import Text

    from banditproof.audits.reporting.table import console, results_table, say

    screen = console()
    say(screen, *results_table(finished, chosen.unchecked, claims(chosen), screen))
    for timed in finished:
        _explain(timed, screen, target, traceback)
    code = exit_code([timed.result for timed in finished], settings.strict) if complete else 130
    end = Text(f"exit {code}: {MEANING[code]}", style="bold" if code == 0 else "bold red")
    say(screen, "", *_closing(finished, chosen, settings, complete), end)


def _explain(timed: "Timed", screen: "Console", target: str | None, traceback: bool) -> None:
    """What needs words: refutations with their witness, crashes, and what would settle an inconclusive audit."""
    from banditproof.audits.reporting.table import explained, headline, labelled, say

    result = timed.result
    if result.verdict not in (Verdict.REFUTED, Verdict.ERROR, Verdict.INCONCLUSIVE, Verdict.VACUOUS) and result.as_expected():
        return
    rows = explained(result)
    if result.verdict is Verdict.REFUTED and result.witness:
        kept = target if target not in (None, "-") else "FILE"
        rows.append(
            ("replay", f"banditproof replay {kept} --audit {result.audit}" + ("" if kept != "FILE" else "  (after verify --json FILE)"))
        )
    if timed.trace and not traceback:
        rows.append(("trace", "with --traceback"))
    say(screen, "", headline(result, screen), *([labelled(rows, screen)] if rows else []))
    if timed.trace and traceback:
        click.echo(timed.trace, err=True)


def _closing(finished: "Sequence[Timed]", chosen: Chosen, settings: Settings, complete: bool) -> Iterator[str]:
    results = [timed.result for timed in finished]
    statements = len({result.theorem for result in results})
    counts: dict[str, int] = {}
    for result in results:
        word = result.verdict.value + (" as expected" if result.verdict is Verdict.REFUTED and result.as_expected() else "")
        counts[word] = counts.get(word, 0) + 1
    found = ", ".join(f"{number} {word}" for word, number in counts.items()) or "none finished"
    yield f"{_of(len(results), 'audit')} of {_of(statements, 'statement')}: {found}."
    if not complete:
        yield f"Interrupted: {_of(len(chosen.audits) - len(results), 'audit')} did not finish and are left out."
    if chosen.unchecked:
        yield f"{_of(len(chosen.unchecked), 'statement')} cannot be checked: a definition or a remark."
    if chosen.unaudited:
        yield f"No audit yet: {', '.join(chosen.unaudited)}."
    yield from _totals(chosen, settings.false_alarm)
    spent = sum(timed.seconds for timed in finished)
    yield f"Level {settings.level}, seed {settings.seed}; {spent:.1f} s of work by {_of(settings.jobs, 'worker')}."


def _totals(chosen: Chosen, false_alarm: float) -> Iterator[str]:
    """What the significance level of each audit amounts to, paper by paper and over the run."""
    from banditproof.audits.running.registry import total_false_alarm

    papers: dict[str, list[Audit]] = {}
    for audit in chosen.audits:
        if audit.method.statistical:
            papers.setdefault(audit.theorem.split(".")[0], []).append(audit)
    if not papers:
        return
    each = [f"{paper} {total_false_alarm(audits, false_alarm):.2g}" for paper, audits in papers.items()]
    tests = sum(map(len, papers.values()))
    parts = f": {', '.join(each)}" if len(each) > 1 else ""
    yield (
        f"If all these claims are true, any of them is refuted with probability at most {total_false_alarm(chosen.audits, false_alarm):.2g}"
        f" ({_of(tests, 'statistical audit')} at significance level {false_alarm:g}{parts})."
    )


def _of(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
