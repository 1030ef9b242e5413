"""From the words of `banditproof audit` to a result: the user's object, its claim, two neighbours, the draws."""

import contextlib
import traceback as traces
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from banditproof.audits.cli.values import ParsedJson, Rejected, one_line
from banditproof.audits.running.report import AuditResult
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP, View

if TYPE_CHECKING:
    from banditproof.audits.subjects import Subject
    from banditproof.interaction import Floats

NEIGHBOURS_EXAMPLE = '{"low": 0, "high": 1, "lengths": [1, 4]}'


class Crashed(click.ClickException):
    """The user's own code raised: its message, exit 3."""

    exit_code = 3


def require_level(epsilon: float | None, delta: float | None, mu: float | None, needed: bool = True) -> None:
    if needed and epsilon is None and mu is None:
        raise Rejected("epsilon is missing: give the claimed level as --epsilon E (or --mu M)")
    if epsilon is not None and mu is not None:
        raise Rejected(f"epsilon = {epsilon:g}, mu = {mu:g}: give one of the two")
    if delta is not None and epsilon is None:
        raise Rejected(f"delta = {delta:g}: goes with --epsilon")


def guarantee(epsilon: float | None, delta: float | None, mu: float | None, relation: NeighbouringRelation, view: View) -> Guarantee:
    """The claim in one object. Raises Rejected without a level."""
    if mu is not None:
        return GaussianDP(mu, relation, view)
    if epsilon is None:
        raise Rejected("epsilon is missing: give the claimed level as --epsilon E (or --mu M), or let the object state it by `guarantee()`")
    return PureDP(epsilon, relation, view) if delta is None else ApproximateDP(epsilon, delta, relation, view)


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


def claimed(
    mechanism: "Subject",
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    relation: str | None,
    view: str | None,
    dataset: ParsedJson | None,
    neighbour: ParsedJson | None,
) -> Guarantee:
    from banditproof.audits.subjects import related

    stated_guarantee = mechanism.stated_guarantee
    if stated_guarantee is not None and view is not None and stated_guarantee.view.value != view:
        raise Rejected(f"view = {view}: {mechanism.name} releases what the {stated_guarantee.view.value} view sees")
    seen = View(view) if view is not None else stated_guarantee.view if stated_guarantee is not None else View.CENTRAL
    if relation is not None:
        between = NeighbouringRelation(relation)
    elif mechanism.declared_neighbours is not None:
        between = mechanism.declared_neighbours.relation
    elif stated_guarantee is not None:
        between = stated_guarantee.relation
    elif dataset is not None and neighbour is not None:
        between = related(dataset.value, neighbour.value)
    else:
        between = NeighbouringRelation.REPLACE_RECORD
    if epsilon is None and mu is None and stated_guarantee is not None:
        return replace(stated_guarantee, relation=between)
    return guarantee(epsilon, delta, mu, between, seen)


def neighbours_of(
    mechanism: "Subject", claim: Guarantee, dataset: ParsedJson | None, neighbour: ParsedJson | None, samples: int, seed: int
) -> "tuple[Subject, tuple[Any, Any]]":
    """The neighbours: those that were given, checked, or the worst that a search finds."""
    from banditproof.mechanism import Neighbours

    if dataset is None or neighbour is None:
        from banditproof.audits.privacy.search import worst_pair

        declared_neighbours = mechanism.neighbours()
        with spinner(f"looking for the worst neighbours of {mechanism.name}"):
            return mechanism, worst_pair(
                replace(mechanism, declared_neighbours=declared_neighbours), claim=claim, seed=seed, path=(mechanism.stem, "search")
            )
    pair = dataset.value, neighbour.value
    if pair[0] == pair[1]:
        raise Rejected("dataset and neighbour are equal: nothing can distinguish them")
    declared_neighbours = mechanism.declared_neighbours or Neighbours(claim.relation)
    if claim.relation is not NeighbouringRelation.ANY_PAIR:
        try:
            declared_neighbours.check(*pair)
        except (TypeError, ValueError, IndexError) as error:
            raise Rejected(f"dataset and neighbour are not neighbours: {error}") from None
    return mechanism, pair


def compared(
    mechanism: "Subject", claim: Guarantee, pair: tuple[Any, Any], given: bool, samples: int, false_alarm: float, seed: int, posterior: bool
) -> AuditResult:
    from banditproof.audits.privacy.comparison import compare
    from banditproof.audits.privacy.judgement import AuditSettings
    from banditproof.audits.privacy.outputs import samplers
    from banditproof.audits.privacy.witness import with_inputs
    from banditproof.audits.running.run import versions
    from banditproof.audits.subjects import NO_SEED, repeats

    seedable = repeats(mechanism, pair[0], seed)
    settings = AuditSettings(claim=claim, samples=samples, false_alarm=false_alarm, seed=seed, path=(mechanism.stem,), posterior=posterior)
    with counting(mechanism, samples) as counted:
        measured = compare(*samplers(counted, pair), settings)
    neighbours = (
        "the two given datasets are the worst neighbours"
        if given
        else "the worst neighbours are in the domain that was searched, and were found"
    )
    measured = replace(
        with_inputs(measured, pair, subject=mechanism.name),
        assumed=(*measured.assumed, neighbours, *(() if seedable else (NO_SEED,))),
        detail={**measured.detail, "seedable": seedable},
    )
    return AuditResult(f"user:{mechanism.name}", "", mechanism.name, measured, seed=seed, versions=versions())


def stored(path: str) -> "Floats":
    """The outputs in a .npy file. Raises Rejected, naming it."""
    import os

    import numpy as np

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
    return array.astype(float)


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
