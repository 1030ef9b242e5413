"""`banditproof reproduce`: a paper's experiment again, its pictures and tables, and which of its reported outcomes come out."""

import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from banditproof import glossary
from banditproof.audits.front.values import JOBS, SEED, Number, Rejected, dumps, nearest, require_writable, shortened, write
from banditproof.audits.front.verify import cores
from banditproof.glossary import Domain, Quantity

if TYPE_CHECKING:
    from rich.console import Console

    from banditproof.audits.figures.experiment import Experiment, Reproduction

SCHEMA = "banditproof/reproduce/1"
RUNS = Number(Quantity("runs", "", Domain(low=2, low_open=False, integer=True), "repetitions of each curve"))
HORIZON = Number(glossary.HORIZON)


@click.command(short_help="Run a paper's experiment again.")
@click.argument("id", metavar="FIGURE")
@click.option("--seed", type=SEED, default=17, show_default=True, help="The same seed gives the same numbers.")
@click.option("--runs", type=RUNS, help="Repetitions of each curve.  [default: as the paper]")
@click.option("--horizon", type=HORIZON, help="Rounds.  [default: as the paper]")
@click.option("--jobs", type=JOBS, help="Worker processes.  [default: one a core]")
@click.option("--out", metavar="DIR", default=".", show_default=True, help="Where pictures (SVG, PNG) and tables (CSV, JSON) go.")
@click.option(
    "--json", "target", is_flag=False, flag_value="-", metavar="[FILE]", help="The record as JSON: to FILE, or to standard output."
)
def reproduce(id: str, seed: int, runs: int | None, horizon: int | None, jobs: int | None, out: str, target: str | None) -> int:
    """Run a FIGURE of a paper again: wu_2023.figure1, wu_2023.figure2.

    Writes its pictures and its numbers, prints them, and says of each reported outcome whether it is reproduced, not reproduced or not
    decided, by paired sign tests. The same seed gives the same numbers for any number of workers. Exit 0 whatever the outcomes are.
    """
    from banditproof.audits.figures.experiment import Asked

    experiment = _experiment(id)
    rounds = experiment.horizon if horizon is None else horizon
    if rounds < experiment.least_horizon:
        raise Rejected(f"horizon = {rounds}: must be >= {experiment.least_horizon} (rounds of {experiment.id})")
    folder = _folder(out)
    if target not in (None, "-"):
        require_writable(str(target))
    asked = Asked(seed, experiment.runs if runs is None else runs, rounds, cores() if jobs is None else jobs)
    found = experiment.reproduce(asked, lambda what: click.echo(f"{experiment.id}: {what}", err=True))
    record = dumps(_record(experiment, found))
    files = _saved(experiment, found, record, folder)
    if target is not None:
        write(target, record)
    if target != "-":
        _show(experiment, found, files)
    return 0


def _experiment(id: str) -> "Experiment":
    from banditproof.audits import registry
    from banditproof.audits.figures.experiment import Experiment

    known = {each.id: each for _, each in registry.walk("banditproof.audits.figures", Experiment)}
    if id not in known:
        raise Rejected(f"figure {shortened(id)}: there is none of this id{nearest(id, known) or '; there are: ' + ', '.join(known)}")
    return known[id]


def _folder(out: str) -> Path:
    """The folder, which exists then and can be written to. Raises Rejected before anything is computed."""
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Rejected(f"out = {out}: cannot be made a folder ({os.strerror(error.errno or 0)})") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise Rejected(f"out = {out}: cannot be written ({os.strerror(13)})")
    return folder


def _record(experiment: "Experiment", found: "Reproduction") -> dict[str, Any]:
    from banditproof.audits.evidence import plain_json

    return {
        "schema": SCHEMA,
        "id": experiment.id,
        "statement": experiment.statement,
        "parameters": plain_json(found.parameters),
        "rows": [plain_json(row) for row in found.rows],
        "outcomes": {way: [plain_json(outcome.describe()) for outcome in each] for way, each in found.outcomes.items()},
    }


def _saved(experiment: "Experiment", found: "Reproduction", record: str, folder: Path) -> list[Path]:
    from banditproof.audits.figures.drawing import draw

    table = io.StringIO()
    writer = csv.DictWriter(table, fieldnames=list(found.rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(found.rows)
    files = [folder / f"{experiment.id}.csv", folder / f"{experiment.id}.json"]
    try:
        files[0].write_text(table.getvalue(), encoding="utf-8")
        files[1].write_text(record + "\n", encoding="utf-8")
        return [*files, *(file for picture in found.pictures for file in draw(picture, folder))]
    except OSError as error:
        raise Rejected(f"out = {folder}: cannot be written ({os.strerror(error.errno or 0)})") from None


def _show(experiment: "Experiment", found: "Reproduction", files: list[Path]) -> None:
    from rich.table import Table
    from rich.text import Text

    from banditproof.audits.front.output import console, labelled, number, say

    to: Console = console()
    say(to, Text.assemble(Text(experiment.id, style="bold"), f"  {experiment.statement}: {_asked(found)}"))
    for noise, constants in dict.fromkeys((row["noise"], row["constants"]) for row in found.rows):
        rows = [row for row in found.rows if (row["noise"], row["constants"]) == (noise, constants)]
        say(to, Text(f"\nnoise {noise}, constants {constants}: final regret, mean ± standard deviation, (median)", style="bold"))
        algorithms = list(dict.fromkeys(row["algorithm"] for row in rows))
        grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
        for _ in range(2 + len(algorithms)):
            grid.add_column()
        grid.add_row("  alpha", "epsilon", *algorithms)
        for alpha, epsilon in dict.fromkeys((row["alpha"], row["epsilon"]) for row in rows):
            cells = [row for row in rows if (row["alpha"], row["epsilon"]) == (alpha, epsilon)]
            words = [f"{number(row['mean'], 3)} ± {number(row['deviation'], 2)} ({number(row['median'], 3)})" for row in cells]
            grid.add_row(f"  {alpha:g}", f"{epsilon:g}", *words)
        say(to, grid)
    for way, outcomes in found.outcomes.items():
        say(to, Text(f"\nreported outcomes, {way}", style="bold"))
        said = [(f"{each.id}", f"{each.finding().value}: {each.reported} ({each.statistics()})") for each in outcomes]
        say(to, labelled(said, to))
    say(to, Text("\ntuned constants", style="bold"))
    say(
        to,
        labelled([(name, _words(values, found.parameters["at_the_edge"][name])) for name, values in found.parameters["tuned"].items()], to),
    )
    say(to, Text("\nwritten", style="bold"), labelled([("", str(file)) for file in files], to))


def _asked(found: "Reproduction") -> str:
    parameters = found.parameters
    return f"{parameters['runs']} runs of {parameters['horizon']:,} rounds, seed {parameters['seed']}"


def _words(values: dict[str, float], edge: list[str]) -> str:
    return ", ".join(f"{name} = {value:g}{' (at the edge of what was tried)' if name in edge else ''}" for name, value in values.items())
