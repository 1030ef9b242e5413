"""From the words of `banditproof audit` to a result: the user's object, its claim, two neighbours, the draws."""

import contextlib
import traceback as traces
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from banditproof.audits.cli.values import ParsedJson, Rejected, one_line
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.report import AuditResult
from banditproof.guarantees import Guarantee, NeighbouringRelation

if TYPE_CHECKING:
    from banditproof.audits.subjects import Subject
    from banditproof.interaction import Floats

NEIGHBOURS_EXAMPLE = '{"low": 0, "high": 1, "lengths": [1, 4]}'


class Crashed(click.ClickException):
    """The user's own code raised: its message."""

    exit_code = Exit.CRASHED


def adapted(subject: str, neighbours: ParsedJson | None, relation: str | None) -> "Subject":
    from banditproof.audits.reporting.table import compact
    from banditproof.audits.subjects import adapt, load_subject

    if neighbours is not None and not isinstance(neighbours.value, dict):
        raise Rejected(f"neighbours = {compact(neighbours.value)}: must be a JSON object, as {NEIGHBOURS_EXAMPLE}")
    return adapt(
        load_subject(subject),
        name=subject,
        neighbours=None if neighbours is None else neighbours.value,
        relation=None if relation is None else NeighbouringRelation(relation),
    )


def neighbours_of(
    mechanism: "Subject", claim: Guarantee, dataset: ParsedJson | None, neighbour: ParsedJson | None, seed: int
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
        with spinner(f"looking for the worst neighbours of {mechanism.name}"):
            return mechanism, worst_pair(mechanism, claim=claim, seed=seed, path=(mechanism.stem, "search"))
    pair = dataset.value, neighbour.value
    if pair[0] == pair[1]:
        raise Rejected("dataset and neighbour are equal: nothing can distinguish their outputs")
    require_neighbours(mechanism, claim, pair)
    return mechanism, pair


def compared(
    mechanism: "Subject", claim: Guarantee, pair: tuple[Any, Any], given: bool, samples: int, false_alarm: float, seed: int, posterior: bool
) -> AuditResult:
    """The result for the user's object, with a bar on a terminal."""
    from banditproof.audits.privacy.judgement import AuditSettings
    from banditproof.audits.privacy.subject import measured_on
    from banditproof.audits.running.run import versions

    settings = AuditSettings(claim=claim, samples=samples, false_alarm=false_alarm, seed=seed, path=(mechanism.stem,), posterior=posterior)
    with counting(mechanism, samples) as counted:
        measured = measured_on(counted, pair, settings, given=given, subject=mechanism.name)
    return AuditResult(f"user:{mechanism.name}", "", mechanism.name, measured, seed=seed, versions=versions())


def stored(path: str) -> "Floats":
    """The outputs in a .npy file. Raises Rejected, naming it."""
    import os

    import numpy as np

    from banditproof.audits.privacy.outputs import as_outputs

    try:
        array = np.load(path, allow_pickle=False)
    except OSError as error:
        raise Rejected(f"file {path!r}: cannot be read ({os.strerror(error.errno) if error.errno else 'not a .npy file'})") from None
    except (ValueError, EOFError):
        raise Rejected(f"file {path!r}: is not a .npy file of numbers") from None
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf":
        raise Rejected(f"file {path!r}: must hold one array of numbers (numpy.save)")
    if array.ndim not in (1, 2) or array.size == 0:
        raise Rejected(f"file {path!r}: shape {array.shape}: must be (n,) or (n, width), one row per output")
    return as_outputs(array, len(array))


# --- running ------------------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def rejecting(traceback: bool = False) -> Iterator[None]:
    """A ValueError is bad input; what the user's code raises is its own."""
    from banditproof.audits.subjects import SubjectRaised

    try:
        yield
    except SubjectRaised as error:
        if traceback:
            click.echo("".join(traces.format_exception(error.__cause__)).rstrip(), err=True)
        raise Crashed(one_line(str(error))) from None
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
def counting(mechanism: "Subject", samples: int) -> "Iterator[Subject]":
    """The mechanism, with a bar on a terminal that shows how many outputs it has given."""
    from banditproof.audits.reporting.table import console
    from banditproof.audits.subjects import Form

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield mechanism
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("drawing"), BarColumn(24), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True) as bar:
        bar.add_task("drawing", total=samples)
        (task,) = bar.tasks

        def counted(*arguments: Any) -> Any:
            output = mechanism.call(*arguments)
            task.completed += 1 if mechanism.form is Form.PLAIN else arguments[1]
            return output

        yield replace(mechanism, call=counted)
