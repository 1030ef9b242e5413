"""`banditproof compare`: which of several algorithms to take for parameters of the user's choice."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from banditproof import glossary
from banditproof.audits.cli.judging import rejecting, spinner
from banditproof.audits.cli.values import EPSILON, JOBS, SEED, Number, OneOf, Rejected, delivered, dumps, require_writable
from banditproof.audits.estimation.setting import Positions, Rewards, Setting
from banditproof.audits.running.audit import Level
from banditproof.audits.running.exits import Exit
from banditproof.glossary import Domain, Quantity, whole_numbers

if TYPE_CHECKING:
    from banditproof.audits.estimation.comparison import Comparison

SCHEMA = "banditproof/compare/1"
_COLUMNS: tuple[tuple[str, Literal["left", "right"]], ...] = (
    ("estimator", "left"),
    ("clean", "right"),
    ("worst", "right"),
    ("interval", "left"),
    ("largest", "right"),
    ("worst corruption found", "left"),
)
PICTURES = (".png", ".svg")
# What fits in memory, and ends within hours.
ARMS = Number(replace(glossary.ARMS, domain=whole_numbers(2, 10**5)))
DIMENSION = Number(replace(glossary.DIMENSION, domain=whole_numbers(1, 10**3), meaning="number of coordinates of an arm"))
CORRUPTION = Number(Quantity("corruption", "", Domain(low=0.0, high=0.5), "alpha: fraction of corrupted reports"))
SAMPLES = Number(Quantity("samples", "", whole_numbers(1, 10**7), "reports in all"))
RUNS = Number(Quantity("runs", "", whole_numbers(1, 10**6), "repetitions that errors are measured on"))
REWARDS = OneOf("rewards", [each.value for each in Rewards])
POSITIONS = OneOf("positions", [each.value for each in Positions])
LEVEL = OneOf("level", [each.value for each in Level])


@click.group(short_help="Which estimator to take.")
def compare() -> None:
    """Which of several algorithms to take, for parameters of your choice."""


@compare.command(short_help="Estimators of a linear model whose reports are private and corrupted.")
@click.option("--arms", type=ARMS, default=20, show_default=True, help="K, the number of arms, at least d.")
@click.option("--dimension", type=DIMENSION, default=5, show_default=True, help="d, the dimension of the arms.")
@click.option("--corruption", type=CORRUPTION, default=0.05, show_default=True, help="alpha, the fraction of corrupted reports.")
@click.option("--epsilon", type=EPSILON, default=2.0, show_default=True, help="Privacy parameter of each client's report.")
@click.option("--samples", type=SAMPLES, default=5000, show_default=True, help="n, the number of reports.")
@click.option(
    "--rewards",
    type=REWARDS,
    default="signs",
    show_default=True,
    help="signs: 1 or -1; gaussian: variance 1, outside of epsilon's guarantee.",
)
@click.option(
    "--positions",
    type=POSITIONS,
    default="random",
    show_default=True,
    help="Corrupted reports: random, each with probability alpha; chosen, any alpha n that the adversary likes.",
)
@click.option("--runs", type=RUNS, default=200, show_default=True, help="Repetitions that the errors are measured on.")
@click.option("--level", type=LEVEL, default="standard", show_default=True, help="How long the adversary searches.")
@click.option("--seed", type=SEED, default=17, show_default=True, help="The same seed gives the same result, for any number of workers.")
@click.option("--jobs", type=JOBS, default=1, show_default=True, help="Worker processes.")
@click.option(
    "--json", "target", is_flag=False, flag_value="-", metavar="[FILE]", help="The record as JSON: to FILE, or to standard output."
)
@click.option("--picture", metavar="FILE", help="The errors as a picture; FILE ends in .png or .svg.")
def estimators(
    arms: int,
    dimension: int,
    corruption: float,
    epsilon: float,
    samples: int,
    rewards: str,
    positions: str,
    runs: int,
    level: str,
    seed: int,
    jobs: int,
    target: str | None,
    picture: str | None,
) -> int:
    """The error of each estimator under the worst corruption that an adversary finds, and which one to take.

    An error is the largest over the arms of |<arm, estimate - theta*>|. The adversary knows theta*, the estimator and all reports. He
    searches on some draws, for each estimator apart, and the error of what he finds is measured on others. This takes about 10 s of one
    core as it stands, and a time in proportion to n.

    \b
    banditproof compare estimators --arms 50 --dimension 10 --corruption 0.1 --epsilon 4 --samples 20000
    banditproof compare estimators --positions chosen --picture errors.svg --json errors.json
    """
    if target not in (None, "-"):
        require_writable(str(target))
    if picture is not None:
        if Path(picture).suffix not in PICTURES:
            raise Rejected(f"picture = {picture}: must end in {' or '.join(PICTURES)}")
        require_writable(picture, "picture")
    from banditproof.audits.estimation import comparison
    from banditproof.audits.running.run import versions

    with rejecting(), spinner("searching for the worst corruption of each estimator"):
        setting = Setting(arms, dimension, samples, corruption, epsilon, Rewards(rewards), Positions(positions), seed)
        found = comparison.compare(setting, effort=comparison.effort_at(Level(level)), runs=runs, jobs=jobs)
    code = delivered(Exit.EXPECTED, lambda: show(found), target, dumps({"schema": SCHEMA, "versions": versions(), **found.to_json()}))
    if picture is not None:
        from banditproof.audits.estimation.picture import draw

        try:
            draw(found, Path(picture))
        except OSError as error:
            raise Rejected(f"picture = {picture}: cannot be written ({os.strerror(error.errno or 0)})") from None
    return code


def show(found: "Comparison") -> None:
    """A comparison for a reader: the table, what each estimator is told, what was assumed, and the conclusion."""
    from rich.table import Table

    from banditproof.audits.estimation.comparison import QUANTILE
    from banditproof.audits.reporting.table import console, labelled, number, plain, say
    from banditproof.audits.statistics.evidence import at_least, at_most

    screen, setting = console(), found.setting
    say(
        screen,
        f"K = {setting.arms} arms, d = {setting.dimension}, n = {setting.samples:,}, alpha = {setting.corruption:g}, epsilon ="
        f" {setting.epsilon:g}. The largest error over the arms, {QUANTILE:.0%} quantile of {found.runs} runs: clean, without corruption;"
        " worst, under the worst corruption found for the estimator, with its interval and the largest of the runs.",
    )
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    for heading, side in _COLUMNS:
        grid.add_column(heading, justify=side, overflow="fold", no_wrap=heading == "estimator")
    for each in found.performances:
        interval = plain(f"{at_least(each.worst.low)} … {at_most(each.worst.high)}", screen)
        described = each.witness.corruption.describe() + (" (grows)" if each.grows else "")
        worst = number(each.worst.quantile), interval, number(each.worst.largest)
        grid.add_row(each.name, number(each.clean.quantile), *worst, described)
    say(screen, "", grid, "")
    say(screen, labelled([(f"{each.name} is told", each.told) for each in found.performances], screen), "")
    say(screen, labelled([("assumed" if place == 0 else "", note) for place, note in enumerate(found.assumptions())], screen), "")
    say(screen, found.conclusion())
