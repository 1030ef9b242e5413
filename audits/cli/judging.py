"""From the words of `banditproof audit` to a result: the user's object, its claim, two neighbours, the draws."""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from banditproof.audits.cli.isolation import fitting
from banditproof.audits.cli.values import ParsedJson, Rejected, one_line
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.report import AuditResult
from banditproof.guarantees import Guarantee, NeighbouringRelation

if TYPE_CHECKING:
    from banditproof.audits.cli.isolation import Narrator
    from banditproof.audits.isolation.elsewhere import Elsewhere
    from banditproof.audits.subjects import EndedEarly, Subject
    from banditproof.interaction import Floats

BESIDE = 256  # outputs that are drawn besides, to see whether the noise comes from the generator
NEIGHBOURS_EXAMPLE = '{"low": 0, "high": 1, "lengths": [1, 4]}'


class Crashed(click.ClickException):
    """The user's own code raised: its message."""

    exit_code = Exit.CRASHED


def adapted(
    place: "Elsewhere", neighbours: ParsedJson | None, relation: str | None, data_as: str | None, datasets: tuple[ParsedJson | None, ...]
) -> "Subject":
    """The user's object as a mechanism whose code runs in a child; its data frames have the columns of the datasets that are given."""
    from banditproof.audits.data_forms import DataForm
    from banditproof.audits.reporting.table import compact

    if neighbours is not None and not isinstance(neighbours.value, dict):
        raise Rejected(f"neighbours = {compact(neighbours.value)}: must be a JSON object, as {NEIGHBOURS_EXAMPLE}")
    return place.mechanism(
        neighbours=None if neighbours is None else neighbours.value,
        relation=None if relation is None else NeighbouringRelation(relation),
        data_as=None if data_as is None else DataForm(data_as),
        examples=tuple(given.value for given in datasets if given is not None),
    )


def neighbours_of(
    mechanism: "Subject", claim: Guarantee, dataset: ParsedJson | None, neighbour: ParsedJson | None, seed: int, narrator: "Narrator"
) -> "tuple[Subject, tuple[Any, Any]]":
    """The neighbours: those that were given, checked, or the worst that a search finds."""
    from banditproof.audits.privacy.search import worst_pair
    from banditproof.audits.privacy.subject import require_neighbours

    if dataset is None or neighbour is None:
        if mechanism.declared_neighbours is None:
            given = f"give two with --dataset JSON --neighbour JSON, or where to look, as --neighbours '{NEIGHBOURS_EXAMPLE}'"
            raise Rejected(
                f"{mechanism.name}: says nothing about neighbouring datasets; {given} or an attribute `neighbours` on the object"
            )
        narrator.begin("looking for the worst neighbours")
        with spinner(f"looking for the worst neighbours of {mechanism.name}"):
            return mechanism, worst_pair(mechanism, claim=claim, seed=seed, path=(mechanism.stem, "search"))
    pair = dataset.value, neighbour.value
    if pair[0] == pair[1]:
        raise Rejected("dataset and neighbour are equal: nothing can distinguish their outputs")
    require_neighbours(mechanism, claim, pair)
    return mechanism, pair


def compared(
    mechanism: "Subject",
    claim: Guarantee,
    pair: tuple[Any, Any],
    given: bool,
    samples: int,
    false_alarm: float,
    seed: int,
    posterior: bool,
    narrator: "Narrator",
) -> AuditResult:
    """The result for the user's object, with a bar on a terminal. If its code ends early, that of the outputs until then: its detail says
    how it `ended_early`. Raises EndedEarly where they are too few."""
    from banditproof.audits.privacy.judgement import AuditSettings
    from banditproof.audits.privacy.subject import measured_on
    from banditproof.audits.running.run import versions
    from banditproof.audits.subjects import EndedEarly

    settings = AuditSettings(claim=claim, samples=samples, false_alarm=false_alarm, seed=seed, posterior=posterior)
    try:
        with counting(narrator, samples + BESIDE, fitting(claim, false_alarm, BESIDE)):
            measured = measured_on(mechanism, pair, settings, given=given, subject=mechanism.name)
    except EndedEarly as end:
        if end.measured is None:
            raise
        tell_trace(end, narrator.traceback)
        measured = end.measured
    return AuditResult(f"user:{mechanism.name}", "", mechanism.name, measured, seed=seed, versions=versions())


def require_whole(result: AuditResult) -> None:
    """Raises Crashed, with how the user's code ended, where a result is that of the outputs until then."""
    why = result.measured.detail.get("ended_early")
    if why is not None:
        raise Crashed(one_line(str(why)))


def tell_trace(end: "EndedEarly", traceback: bool) -> None:
    """Prints the traceback of what the user's code raised, if that was asked for."""
    if traceback and end.trace:
        click.echo(end.trace, err=True)


def stored(dataset: str, neighbour: str) -> "tuple[Floats, Floats]":
    """The outputs in two files. Raises Rejected, naming it, on one that cannot be read, and where their columns have other names."""
    from banditproof.audits.privacy.stored import read_pair

    try:
        return read_pair(dataset, neighbour)
    except (ValueError, ImportError) as error:
        raise Rejected(one_line(str(error))) from None


# --- running ------------------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def rejecting(traceback: bool = False) -> Iterator[None]:
    """A ValueError is bad input; how the user's code ends is its own affair."""
    from banditproof.audits.subjects import EndedEarly

    try:
        yield
    except EndedEarly as end:
        tell_trace(end, traceback)
        raise Crashed(one_line(str(end))) from None
    except ValueError as error:
        raise Rejected(str(error)) from None
    except MemoryError:
        raise Rejected("samples: there is not enough memory for so many outputs") from None


@contextlib.contextmanager
def spinner(text: str) -> Iterator[None]:
    from banditproof.audits.reporting.table import console

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield
        return
    with screen.status(text):
        yield


@contextlib.contextmanager
def counting(narrator: "Narrator", total: int, fits: Callable[[float], str]) -> Iterator[None]:
    """Draws of so many outputs, with a bar on a terminal that shows how many there are."""
    from banditproof.audits.reporting.table import console

    screen = console(stderr=True)
    narrator.begin("drawing", total, fits)
    if not screen.is_terminal:
        yield
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("drawing"), BarColumn(24), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        drawing = bar.add_task("drawing", total=total)
        narrator.bar = lambda done: bar.update(drawing, completed=done)
        yield
        narrator.bar = None
