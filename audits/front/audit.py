"""`banditproof audit`: judge a mechanism that a user wrote, outputs that were stored elsewhere, or a plan before any draw."""

import contextlib
import sys
import traceback as traces
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from banditproof.audits.evidence import AuditResult, Verdict, plain_json
from banditproof.audits.front.values import (
    DELTA,
    EPSILON,
    FALSE_ALARM,
    MISSED_WITH,
    MU,
    SAMPLES,
    SEED,
    Given,
    Json,
    Number,
    OneOf,
    Rejected,
    dumps,
    one_line,
    require_writable,
    write,
)
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, Relation, View

if TYPE_CHECKING:
    from banditproof.audits.subjects import Subject
    from banditproof.interaction import Floats
    from banditproof.mechanism import Neighbours

Command = TypeVar("Command", bound=Callable[..., Any])

RELATIONS = OneOf("relation", [relation.value for relation in Relation])
VIEWS = OneOf("view", [view.value for view in View])
DOMAIN_EXAMPLE = '{"low": 0, "high": 1, "lengths": [1, 4]}'


class Crashed(click.ClickException):
    """The user's own code raised: its message, exit 3."""

    exit_code = 3


_level = [
    click.option("--epsilon", type=EPSILON, help="The claimed level of (epsilon, delta)-differential privacy."),
    click.option("--delta", type=DELTA, help="The claimed delta; without it the claim is pure."),
    click.option("--mu", type=MU, help="The claimed level of Gaussian differential privacy, instead of epsilon."),
]
_running = [
    click.option("--false-alarm", type=FALSE_ALARM, default=0.05, show_default=True, help="Probability that a true claim is refuted."),
    click.option("--seed", type=SEED, default=17, show_default=True, help="The same seed gives the same result."),
    click.option(
        "--json",
        "target",
        is_flag=False,
        flag_value="-",
        metavar="[FILE]",
        help="The record as JSON: to FILE, or instead of the text to standard output.",
    ),
    click.option("--strict", is_flag=True, help="Inconclusive: exit 4."),
]
_relating = [
    click.option("--relation", type=RELATIONS, help=f"Which data sets are neighbours: {', '.join(RELATIONS.words)}."),
    click.option("--view", type=VIEWS, help=f"What the adversary sees: {', '.join(VIEWS.words)}; a single release is central."),
]


def _with(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Options that several commands share, in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@click.group(short_help="Judge a mechanism of your own.")
def audit() -> None:
    """Judge a mechanism of your own: draw, compare, and refute the claim or say what would have been caught."""


@audit.command(short_help="Is a mechanism as private as it claims?")
@click.argument("subject", metavar="MODULE:OBJECT", required=False)
@_with(*_level)
@click.option("--first", type=Json(), help="A data set, as '[0, 1, 1]'.")
@click.option("--second", type=Json(), help="Its neighbour.")
@click.option("--domain", type=Json(), help=f"Where to look for the worst neighbours instead, as '{DOMAIN_EXAMPLE}'.")
@_with(*_relating)
@click.option("--samples", type=SAMPLES, default=200_000, show_default=True, help="Outputs in all, both data sets together.")
@_with(*_running)
@click.option("--posterior", is_flag=True, help="Also sample the PyMC model beside the exact interval.")
@click.option("--traceback", is_flag=True, help="If your code raises, print its traceback.")
def privacy(
    subject: str | None,
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    first: Given | None,
    second: Given | None,
    domain: Given | None,
    relation: str | None,
    view: str | None,
    samples: int,
    false_alarm: float,
    seed: int,
    target: str | None,
    strict: bool,
    posterior: bool,
    traceback: bool,
) -> int:
    """Is this mechanism as private as it claims?

    OBJECT, in an importable module or in path/to/file.py, is a plain function f(data, rng) that returns a number or a sequence, a
    vectorised f(data, runs, rng) that returns shape (runs,) or (runs, width), or an object with `release` and `neighbours`. A data set is
    what the JSON says: a number, or a list of numbers.

    Without --first and --second the worst neighbours are searched: where --domain says, or an attribute `neighbours` of the object.

    \b
    banditproof audit privacy noise.py:count --epsilon 1 --first '[0, 1]' --second '[1, 1]'
    banditproof audit privacy noise:mean --epsilon 1 --delta 1e-6 --domain '{"low": 0, "high": 1}'
    """
    from banditproof.audits import design

    if subject is None:
        taken = f": --json took {target} as its file; write --json - {target}" if target is not None and ":" in target else ""
        raise Rejected(f"MODULE:OBJECT is missing{taken} (see banditproof audit privacy --help)")
    _require_level(epsilon, delta, mu, needed=False)
    if (first is None) != (second is None):
        raise Rejected(f"{'second' if second is None else 'first'} is missing: --first and --second go together")
    if target not in (None, "-"):
        require_writable(str(target))
    with _rejecting(traceback), contextlib.redirect_stdout(sys.stderr):  # what the user's code prints is no result
        design.splits(samples)
        mechanism = _adapted(subject, domain, relation)
        claim = _claim(mechanism, epsilon, delta, mu, relation, view, first, second)
        mechanism, pair = _pair(mechanism, claim, first, second, samples, seed)
        result = _compared(mechanism, claim, pair, first is not None, samples, false_alarm, seed, posterior)
    return _report(result, target, strict, mechanism.where if first is None else None)


@audit.command("samples", short_help="Judge outputs that were stored elsewhere.")
@click.argument("first", metavar="A.npy")
@click.argument("second", metavar="B.npy")
@_with(*_level, *_relating, *_running)
def samples_(
    first: str,
    second: str,
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    relation: str | None,
    view: str | None,
    false_alarm: float,
    seed: int,
    target: str | None,
    strict: bool,
) -> int:
    """Judge outputs that were stored elsewhere: one array of outputs, (n,) or (n, width), for each of two neighbours.

    The outputs must be independent draws. The seed decides which of them fit the test and which are counted.
    """
    from banditproof.audits.methods.privacy_loss import compare_stored

    _require_level(epsilon, delta, mu)
    if target not in (None, "-"):
        require_writable(str(target))
    arrays = stored(first), stored(second)
    claim = guarantee(epsilon, delta, mu, Relation(relation or Relation.REPLACE_RECORD.value), View(view or View.CENTRAL.value))
    with _rejecting():
        result = compare_stored(*arrays, claim=claim, false_alarm=false_alarm, seed=seed)
    name = f"{first} {second}"
    result = replace(
        result,
        audit=f"samples:{name}",
        subject=name,
        seed=seed,
        versions=_versions(),
        assumed=(*result.assumed, "the stored outputs are independent draws of one mechanism on two neighbouring data sets"),
        witness={**(result.witness or {}), "files": [first, second]},
    )
    return _report(result, target, strict)


@audit.command(short_help="How many draws detect which violation.")
@_with(*_level)
@click.option("--samples", type=SAMPLES, help="Outputs in all: which violation do they detect?")
@click.option(
    "--violation",
    type=Number(replace(EPSILON.quantity, name="violation", meaning="true epsilon or mu to be detected")),
    help="A true level above the claim: how many outputs detect it?",
)
@click.option("--false-alarm", type=FALSE_ALARM, default=0.05, show_default=True, help="Probability that a true claim is refuted.")
@click.option("--missed-with", type=MISSED_WITH, default=0.1, show_default=True, help="Probability that the violation is missed.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def plan(
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    samples: int | None,
    violation: float | None,
    false_alarm: float,
    missed_with: float,
    as_json: bool,
) -> int:
    """How many draws detect which violation, before any draw.

    What an audit can see depends on the event that gives the two data sets apart: on how many of the outputs it decides.
    """
    from dataclasses import asdict

    from banditproof.audits import design
    from banditproof.audits.front.output import at_most, console, labelled, number, say

    _require_level(epsilon, delta, mu)
    if (samples is None) == (violation is None):
        raise Rejected("samples, violation: give one of --samples and --violation, and the plan gives the other")
    claim = guarantee(epsilon, delta, mu, Relation.REPLACE_RECORD, View.CENTRAL)
    with _rejecting():
        rows = design.plan(claim, samples=samples, violation=violation, false_alarm=false_alarm, missed_with=missed_with)
    if as_json:
        settings = {"epsilon": epsilon, "delta": delta, "mu": mu, "false_alarm": false_alarm, "missed_with": missed_with}
        click.echo(dumps({"schema": "banditproof/plan/1", **settings, "rows": plain_json([asdict(row) for row in rows])}))
        return 0
    screen = console()
    symbol = "mu" if mu is not None else "epsilon"
    slack = f", delta = {number(delta)}" if delta is not None else ""
    lines = [(f"{row.mass:.0%} of outputs", f"{symbol} >= {at_most(row.detectable)} with {row.samples:,} outputs in all") for row in rows]
    say(screen, f"Claimed {symbol} = {number(mu if mu is not None else epsilon)}{slack}. Detected by an event that decides")
    say(screen, labelled(lines, screen))
    say(
        screen,
        f"A true claim is refuted with probability at most {number(false_alarm)}; such a violation is missed with {number(missed_with)}.",
    )
    return 0


# --- the claim, the object, the neighbours ---------------------------------------------------------------------------------------------


def _require_level(epsilon: float | None, delta: float | None, mu: float | None, needed: bool = True) -> None:
    if needed and epsilon is None and mu is None:
        raise Rejected("epsilon is missing: give the claimed level as --epsilon E (or --mu M)")
    if epsilon is not None and mu is not None:
        raise Rejected(f"epsilon = {epsilon:g}, mu = {mu:g}: give one of the two")
    if delta is not None and epsilon is None:
        raise Rejected(f"delta = {delta:g}: goes with --epsilon")


def guarantee(epsilon: float | None, delta: float | None, mu: float | None, relation: Relation, view: View) -> Guarantee:
    """The claim in one object. Raises Rejected without a level."""
    if mu is not None:
        return GaussianDP(mu, relation, view)
    if epsilon is None:
        raise Rejected("epsilon is missing: give the claimed level as --epsilon E (or --mu M), or let the object state it by `guarantee()`")
    return PureDP(epsilon, relation, view) if delta is None else ApproximateDP(epsilon, delta, relation, view)


def _adapted(subject: str, domain: Given | None, relation: str | None) -> "Subject":
    from banditproof.audits.front.output import compact
    from banditproof.audits.subjects import adapt, load

    if domain is not None and not isinstance(domain.value, dict):
        raise Rejected(f"domain = {compact(domain.value)}: must be a JSON object, as {DOMAIN_EXAMPLE}")
    return adapt(
        load(subject),
        name=subject,
        domain=None if domain is None else domain.value,
        relation=None if relation is None else Relation(relation),
    )


def _claim(
    mechanism: "Subject",
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    relation: str | None,
    view: str | None,
    first: Given | None,
    second: Given | None,
) -> Guarantee:
    from banditproof.audits.subjects import related

    promise = mechanism.promise
    if promise is not None and view is not None and promise.view.value != view:
        raise Rejected(f"view = {view}: {mechanism.name} releases what the {promise.view.value} view sees")
    seen = View(view) if view is not None else promise.view if promise is not None else View.CENTRAL
    if relation is not None:
        between = Relation(relation)
    elif mechanism.where is not None:
        between = mechanism.where.relation
    elif promise is not None:
        between = promise.relation
    elif first is not None and second is not None:
        between = related(first.value, second.value)
    else:
        between = Relation.REPLACE_RECORD
    if epsilon is None and mu is None and promise is not None:
        return replace(promise, relation=between)
    return guarantee(epsilon, delta, mu, between, seen)


def _pair(
    mechanism: "Subject", claim: Guarantee, first: Given | None, second: Given | None, samples: int, seed: int
) -> "tuple[Subject, tuple[Any, Any]]":
    """The neighbours: those that were given, checked, or the worst that a search finds."""
    from banditproof.mechanism import Neighbours

    if first is None or second is None:
        from banditproof.audits.search import worst_pair

        where = mechanism.neighbours()
        with _spinner(f"looking for the worst neighbours of {mechanism.name}"):
            return mechanism, worst_pair(replace(mechanism, where=where), claim=claim, seed=seed, path=(mechanism.name, "search"))
    pair = first.value, second.value
    if pair[0] == pair[1]:
        raise Rejected("first and second are equal: nothing can tell them apart")
    where = mechanism.where or Neighbours(claim.relation)
    if claim.relation is not Relation.ANY_PAIR:
        try:
            where.check(*pair)
        except (TypeError, ValueError, IndexError) as error:
            raise Rejected(f"first and second are no neighbours: {error}") from None
    return mechanism, pair


def _compared(
    mechanism: "Subject", claim: Guarantee, pair: tuple[Any, Any], given: bool, samples: int, false_alarm: float, seed: int, posterior: bool
) -> AuditResult:
    from banditproof.audits.methods.privacy_loss import compare, samplers, with_inputs
    from banditproof.audits.subjects import NO_SEED, repeats

    seedable = repeats(mechanism, pair[0], seed)
    with _counting(mechanism, samples) as counted:
        result = compare(
            *samplers(counted, pair),
            claim=claim,
            samples=samples,
            false_alarm=false_alarm,
            seed=seed,
            path=(mechanism.name,),
            posterior=posterior,
        )
    neighbours = (
        "the two given data sets are the worst neighbours"
        if given
        else "the worst neighbours are in the domain that was searched, and were found"
    )
    result = with_inputs(result, pair, subject=mechanism.name)
    return replace(
        result,
        audit=f"user:{mechanism.name}",
        subject=mechanism.name,
        seed=seed,
        versions=_versions(),
        assumed=(*result.assumed, neighbours, *(() if seedable else (NO_SEED,))),
        detail={**result.detail, "seedable": seedable},
    )


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
        raise Rejected(f"file {path!r}: shape {array.shape}: must be (n,) or (n, width), one row an output")
    return array.astype(float)


def _versions() -> dict[str, str]:
    import platform

    import numpy as np

    from banditproof.audits.front.output import version

    return {"banditproof": version(), "python": platform.python_version(), "numpy": np.__version__}


# --- running, and what is said of it ---------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _rejecting(traceback: bool = False) -> Iterator[None]:
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
def _spinner(text: str) -> Iterator[None]:
    from banditproof.audits.front.output import console

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield
        return
    with screen.status(text):
        yield


@contextlib.contextmanager
def _counting(mechanism: "Subject", samples: int) -> "Iterator[Subject]":
    """The mechanism, with a bar on a terminal that shows how many outputs it has given."""
    from banditproof.audits.front.output import console
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


def _report(result: AuditResult, target: str | None, strict: bool, where: "Neighbours | None" = None) -> int:
    if target is not None:
        write(target, dumps(result.to_json()))
    if target != "-":
        show(result, target, where)
    if result.verdict is Verdict.REFUTED:
        return 1
    return 4 if strict and result.verdict in (Verdict.INCONCLUSIVE, Verdict.VACUOUS) else 0


def show(result: AuditResult, target: str | None, where: "Neighbours | None" = None) -> None:
    """One privacy result for a reader: the verdict, the numbers, the witness, what was assumed, and what to do next."""
    from banditproof.audits.front.output import at_least, at_most, console, headline, labelled, number, posteriors, privacy_witness, say

    screen = console()
    symbol = result.quantity
    say(screen, headline(result, screen, result.subject))
    confidence = f"with confidence {1 - (result.false_alarm or 0):.4g}"
    rows = [("claimed", f"{symbol} <= {number(result.claimed)}{_fine_print(result)}")]
    if result.low is not None:
        rows.append(("measured", f"{symbol} >= {at_least(result.low, result.claimed)} {confidence}; estimate {number(result.estimate)}"))
    rows += posteriors(result)
    if result.detectable is not None:
        rows.append(("detects", f"{symbol} >= {at_most(result.detectable)}, missed with probability {number(result.missed_with)}"))
    rows.append(("drawn", f"{result.samples:,} outputs in all, seed {result.seed}"))
    rows += privacy_witness(result)
    if result.verdict is Verdict.INCONCLUSIVE:
        rows.append(("because", result.message))
    rows += [("assumed" if index == 0 else "", note) for index, note in enumerate(result.assumed)]
    say(screen, labelled(rows, screen))
    if result.verdict is Verdict.NOT_REFUTED:
        say(screen, "", "Not refuted is not proved: these draws would have shown what `detects` says, by this rule on these data sets.")
    if result.verdict is Verdict.REFUTED:
        _next(result, target, where)


def _fine_print(result: AuditResult) -> str:
    stated = plain_json((result.witness or {}).get("claim", {}))
    delta = f", delta <= {stated['delta']:g}" if "delta" in stated else ""
    return f"{delta}  ({stated['relation']}, {stated['view']} view)" if stated else delta


def _next(result: AuditResult, target: str | None, where: "Neighbours | None") -> None:
    """How to see it again: the replay, and a test to paste."""
    from banditproof.audits.front.snippets import pytest_snippet

    click.echo()
    if target in (None, "-"):
        click.echo("Replay on fresh draws: add --json result.json to this command, then\n  banditproof replay result.json")
    else:
        click.echo(f"Replay on fresh draws:\n  banditproof replay {target}")
    snippet = pytest_snippet(result, where)
    if snippet:
        click.echo("\nA test that fails until this is mended:\n")
        click.echo("\n".join(f"  {line}".rstrip() for line in snippet.splitlines()))
