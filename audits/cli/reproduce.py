"""`banditproof reproduce`: a paper's experiment again, its pictures and tables, and which of its reported outcomes come out."""

import csv
import io
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from banditproof import glossary
from banditproof.audits.cli.backends import backend_options, opened, require_backend
from banditproof.audits.cli.interrupts import insistent
from banditproof.audits.cli.judging import rejecting
from banditproof.audits.cli.values import JOBS, SEED, Number, Rejected, delivered, dumps, reason, require_writable
from banditproof.audits.running.cluster import ClusterUnusable
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.files import write_whole
from banditproof.audits.running.workers import cores
from banditproof.glossary import CONTAMINATION, Domain, Quantity

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from banditproof.audits.experiments.experiment import Experiment, Reproduction, ReproductionRequest, Section

SCHEMA = "banditproof/reproduce/3"
RUNS = Number(Quantity("runs", "", Domain(low=2, low_open=False, integer=True), "repetitions of each curve"))
HORIZON = Number(glossary.HORIZON)
ALPHA_1 = Number(CONTAMINATION, "alpha-1")
EVERY = 5.0  # seconds between lines of progress, where there is no terminal


class _ListsFigures(click.Command):
    """A command whose help ends with the figures there are: papers are imported when somebody asks."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from banditproof.audits.running import registry

        figures = [(id, each.statement) for id, each in registry.every(registry.experiments).items()]
        with formatter.section("Figures"):
            formatter.write_dl(figures or [("none", "no paper here has an experiment")])


@click.command(cls=_ListsFigures, short_help="Run a paper's experiment again.")
@click.argument("id", metavar="FIGURE")
@click.option("--seed", type=SEED, default=17, show_default=True, help="The same seed gives the same numbers.")
@click.option("--runs", type=RUNS, help="Repetitions of each curve.  [default: as the paper; 10 where it does not say]")
@click.option("--horizon", type=HORIZON, help="Rounds.  [default: as the paper]")
@click.option("--alpha-1", "alpha_1", type=ALPHA_1, help="The contamination bound that the learners are given.  [default: the true one]")
@click.option("--jobs", type=JOBS, help="Worker processes; one per core unless given.")
@backend_options
@click.option("--out", metavar="DIR", default=".", show_default=True, help="Where pictures (SVG, PNG) and tables (CSV, JSON) go.")
@click.option(
    "--json", "target", is_flag=False, flag_value="-", metavar="[FILE]", help="The record as JSON: to FILE, or to standard output."
)
def reproduce(
    id: str,
    seed: int,
    runs: int | None,
    horizon: int | None,
    alpha_1: float | None,
    jobs: int | None,
    backend: str,
    scheduler: str | None,
    out: str,
    target: str | None,
) -> int:
    """Run a FIGURE of a paper again.

    Writes its numbers, then its pictures, prints them, and says of each sentence of the paper about them whether it is reproduced,
    contradicted or inconclusive, by paired sign tests in which equal runs count. Outcomes that so few runs cannot decide are listed
    before the runs begin. The same seed gives the same numbers for any number of workers. Exit 0 whatever the outcomes are.

    Runs that have finished are kept in DIR/<paper>.cells: after an interruption the same command goes on from there, to the same numbers.
    What has finished of a figure with several ways of running is in DIR/<figure>.json meanwhile, as a record that is not complete.
    """
    from banditproof.audits.experiments.limits import asked_of

    require_backend(backend, scheduler)
    experiment = _experiment(id)
    with rejecting():
        request = asked_of(experiment, seed=seed, jobs=cores() if jobs is None else jobs, runs=runs, horizon=horizon, alpha_1=alpha_1)
    folder = _folder(out)
    if target not in (None, "-"):
        require_writable(str(target))
    request = replace(request, kept=folder / f"{experiment.id.split('.')[0]}.cells")
    warnings = _warnings(experiment, request)
    for warning in warnings:
        click.echo(f"{experiment.id}: {warning}", err=True)
    request = replace(
        request, record=lambda part: _keep(folder / f"{experiment.id}.json", _text(experiment, part, warnings, complete=False))
    )
    with opened(scheduler, jobs) as cluster:
        there = request.jobs if cluster is None else cluster.workers()
        found = _found(experiment, replace(request, cluster=cluster, jobs=there), folder)
    record = _text(experiment, found, warnings, complete=True)
    files, ended = _saved(experiment, found, record, folder)
    code = delivered(Exit.EXPECTED, lambda: _show(experiment, found, files), target, record)
    if isinstance(ended, OSError):
        raise Rejected(f"out = {folder}: cannot be written ({reason(ended)})")
    if ended is not None:
        raise ended
    return code


def _found(experiment: "Experiment", request: "ReproductionRequest", folder: Path) -> "Reproduction":
    """Plays the runs. Raises Rejected where a file cannot be written, or a source was changed."""
    from banditproof.audits.running.ledger import SourceChanged

    with _reporting(experiment.id) as reporter:
        try:
            with insistent():
                return experiment.reproduce(request, reporter)
        except (KeyboardInterrupt, ClusterUnusable):
            click.echo(f"{experiment.id}: what has finished is kept in {request.kept}; the same command goes on from there", err=True)
            raise
        except SourceChanged as error:
            raise Rejected(str(error)) from None
        except OSError as error:
            raise Rejected(f"out = {folder}: cannot be written ({os.strerror(error.errno or 0)})") from None


@dataclass
class _ProgressReporter:
    """Says on standard error how far a reproduction is: a line at most every EVERY seconds, and one at the end of each stage."""

    say: Callable[[str], None]
    every: float
    keep: Callable[[str], None] | None = None  # shows a line that the next one does not replace; None: say does
    began: float = field(default_factory=time.monotonic)
    said: float = -float("inf")
    now: str = ""

    def stage(self, what: str) -> None:
        self.now = what
        self.say(what)

    def runs(self, done: int, of: int, fraction: float) -> None:
        now = time.monotonic()
        if fraction == 0.0:
            self.began = now
        if done < of and now - self.said < self.every and fraction > 0.0:
            return
        self.said = now
        self.say(f"{self.now}: {done} of {of} runs{_left(now - self.began, fraction) if done < of else ''}")

    def note(self, line: str) -> None:
        (self.keep or self.say)(line)


def _left(spent: float, fraction: float) -> str:
    """', about 14 min left'; nothing before the first run of this call has ended."""
    if fraction <= 0.0:
        return ""
    seconds = spent * (1.0 - fraction) / fraction
    for size, unit in ((3600.0, "h"), (60.0, "min")):
        if seconds >= 2.0 * size:
            return f", about {seconds / size:.0f} {unit} left"
    return f", about {seconds:.0f} s left"


@contextmanager
def _reporting(id: str) -> "Iterator[_ProgressReporter]":
    """One line that changes on a terminal, lines elsewhere."""
    from banditproof.audits.reporting.table import console

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield _ProgressReporter(lambda text: click.echo(f"{id}: {text}", err=True), EVERY)
        return
    with screen.status(f"{id}: begins") as status:
        yield _ProgressReporter(
            lambda text: status.update(f"{id}: {text}"), 0.0, lambda text: screen.print(f"{id}: {text}", soft_wrap=True)
        )


def _experiment(id: str) -> "Experiment":
    from banditproof.audits import front_door

    try:
        return front_door.experiment(id)
    except LookupError as error:
        raise Rejected(str(error)) from None


def _folder(out: str) -> Path:
    """The folder, which exists then and can be written to. Raises Rejected before anything is computed."""
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise Rejected(f"out = {out}: cannot be made a folder ({reason(error)})") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Rejected(f"out = {out}: cannot be written ({os.strerror(13)})")
    return folder


def _warnings(experiment: "Experiment", request: "ReproductionRequest") -> tuple[str, ...]:
    """What these runs cannot decide, whatever they show; known before they begin."""
    from banditproof.audits.experiments.judging import too_few

    if experiment.design is None:
        return ()
    outcomes = experiment.design(request)
    undecided = {each.undecided: None for group in outcomes.values() for each in group if each.undecided}
    return (*too_few(outcomes, request.runs), *undecided)


def _text(experiment: "Experiment", found: "Reproduction", warnings: tuple[str, ...], *, complete: bool) -> str:
    from banditproof.audits.experiments.judging import judged
    from banditproof.audits.statistics.evidence import plain_json

    return dumps(
        {
            "schema": SCHEMA,
            "id": experiment.id,
            "statement": experiment.statement,
            "complete": complete,
            "warnings": list(warnings),
            "parameters": plain_json(found.parameters),
            "rows": [plain_json(row) for row in found.rows],
            "sentences": [plain_json(each.describe()) for each in judged(found.outcomes)],
            "outcomes": {way: [plain_json(outcome.describe()) for outcome in each] for way, each in found.outcomes.items()},
        }
    )


def _keep(file: Path, text: str) -> None:
    """Writes a whole file or none, and waits until it is on the disk."""
    write_whole(file, text + "\n")


def _saved(
    experiment: "Experiment", found: "Reproduction", record: str, folder: Path
) -> tuple[list[Path], OSError | KeyboardInterrupt | None]:
    """The files: the record and the table first, which are on the disk before any picture is drawn. And what ended it before its end."""
    table = io.StringIO()
    writer = csv.DictWriter(table, fieldnames=list(found.rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(found.rows)
    files: list[Path] = []
    try:
        for kind, text in ((".json", record), (".csv", table.getvalue().removesuffix("\n"))):
            _keep(folder / f"{experiment.id}{kind}", text)
            files.insert(0, folder / f"{experiment.id}{kind}")
        return [*files, *_drawn(found, folder)], None
    except (OSError, KeyboardInterrupt) as error:
        return files, error


def _drawn(found: "Reproduction", folder: Path) -> list[Path]:
    from banditproof.audits.experiments.drawing import draw

    return [file for picture in found.pictures for file in draw(picture, folder)]


def _show(experiment: "Experiment", found: "Reproduction", files: list[Path]) -> None:
    from rich.text import Text

    from banditproof.audits.experiments.judging import judged
    from banditproof.audits.reporting.table import console, labelled, say

    to: Console = console()
    say(to, Text.assemble(Text(experiment.id, style="bold"), f"  {experiment.statement}: {_request(found)}"))
    if found.notes:
        say(to, *(Text(note) for note in found.notes))
    for section in found.sections:
        say(to, Text(f"\n{section.title}", style="bold"), _table(section, to))
    for way, outcomes in found.outcomes.items():
        say(to, Text(f"\nreported outcomes, {way}", style="bold"))
        said = [(f"{each.id}", f"{each.verdict().value}: {each.reported} ({each.statistics()})") for each in outcomes]
        say(to, labelled(said, to))
    over_all = judged(found.outcomes)
    sentences = [(each.id, f"{each.verdict.value}: {each.quote}{f' ({each.reason})' if each.reason else ''}") for each in over_all]
    say(to, Text("\nthe paper's sentences, over all ways of running", style="bold"), labelled(sentences, to))
    say(to, Text("\nwritten", style="bold"), labelled([("", str(file)) for file in files], to))


def _table(section: "Section", to: "Console") -> "RenderableType":
    from rich.padding import Padding
    from rich.table import Table

    from banditproof.audits.reporting.table import labelled

    if not section.headings:
        return labelled([(name, words) for name, words in section.rows], to)
    grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    for _ in section.headings:
        grid.add_column()
    grid.add_row(*section.headings)
    for row in section.rows:
        grid.add_row(*row)
    return Padding(grid, (0, 0, 0, 2), expand=False)


def _request(found: "Reproduction") -> str:
    parameters = found.parameters
    return f"{parameters['runs']} runs of {parameters['horizon']:,} rounds, seed {parameters['seed']}"
