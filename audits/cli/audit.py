"""`banditproof audit`: judge a mechanism that a user wrote, outputs that were stored elsewhere, or a plan before any draw."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from banditproof.audits.cli.advice import after_refutation
from banditproof.audits.cli.isolation import Narrator, data_as, in_a_child, limited
from banditproof.audits.cli.judging import (
    NEIGHBOURS_EXAMPLE,
    adapted,
    compared,
    neighbours_of,
    rejecting,
    require_whole,
    stored,
)
from banditproof.audits.cli.values import (
    DELTA,
    EPSILON,
    FALSE_ALARM,
    MISS_RATE,
    MU,
    SAMPLES,
    SEED,
    Json,
    Number,
    OneOf,
    ParsedJson,
    Rejected,
    delivered,
    dumps,
    renamed,
    require_writable,
)
from banditproof.audits.privacy.declared import OLDER_RELATIONS, require_distance_only
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.design import SIGNIFICANCE_LEVEL
from banditproof.audits.statistics.evidence import Verdict, at_least, at_most, plain_json
from banditproof.guarantees import NeighbouringRelation, View, claim

if TYPE_CHECKING:
    from banditproof.audits.privacy.witness import PrivacyWitness
    from banditproof.mechanism import Neighbours

Command = TypeVar("Command", bound=Callable[..., Any])

SCHEMA_PLAN = "banditproof/plan/2"
RELATIONS = OneOf("relation", [relation.value for relation in NeighbouringRelation], OLDER_RELATIONS)
VIEWS = OneOf("view", [view.value for view in View])

_level = [
    click.option("--epsilon", type=EPSILON, help="The claimed privacy parameter epsilon."),
    click.option("--delta", type=DELTA, help="The claimed failure probability delta; without it the claim is pure differential privacy."),
    click.option("--mu", type=MU, help="The claimed mu of Gaussian differential privacy, instead of epsilon."),
]
_running = [
    click.option(
        "--false-alarm",
        type=FALSE_ALARM,
        default=SIGNIFICANCE_LEVEL,
        show_default=True,
        help="Significance level: the probability of refuting a true claim.",
    ),
    click.option("--seed", type=SEED, default=17, show_default=True, help="The same seed gives the same result."),
    click.option(
        "--json",
        "target",
        is_flag=False,
        flag_value="-",
        metavar="[FILE]",
        help="The record as JSON: to FILE, or instead of the text to standard output.",
    ),
    click.option("--strict", is_flag=True, help="Exit with 4 if the result is inconclusive."),
]
_relating = [
    click.option("--relation", type=RELATIONS, help=f"Which datasets are neighbours: {', '.join(RELATIONS.words)}."),
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
@click.option("--dataset", type=Json(), help="A dataset, as '[0, 1, 1]'.")
@click.option("--neighbour", type=Json(), help="Its neighbour, which differs from it as --relation says.")
@click.option("--neighbours", type=Json(), help=f"Where to search for the worst neighbours instead, as '{NEIGHBOURS_EXAMPLE}'.")
@renamed("--first", "--dataset")
@renamed("--second", "--neighbour")
@renamed("--domain", "--neighbours")
@_with(*_relating)
@click.option(
    "--samples",
    type=SAMPLES,
    default=200_000,
    show_default=True,
    help="Outputs that are judged, of both datasets together; a search for neighbours draws others before.",
)
@_with(*_running)
@click.option("--posterior", is_flag=True, help="Also sample the PyMC model beside the exact interval.")
@data_as
@limited
@click.option("--traceback", is_flag=True, help="If your code raises, print its traceback.")
def privacy(
    subject: str | None,
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    dataset: ParsedJson | None,
    neighbour: ParsedJson | None,
    neighbours: ParsedJson | None,
    relation: str | None,
    view: str | None,
    samples: int,
    false_alarm: float,
    seed: int,
    target: str | None,
    strict: bool,
    posterior: bool,
    data_as: str | None,
    traceback: bool,
) -> int:
    """Is this mechanism as private as it claims?

    OBJECT, in an importable module or in path/to/file.py, is a plain function f(data, rng) that returns a number or a sequence, a
    vectorised f(data, runs, rng) that returns shape (runs,) or (runs, width), or an object with `release` and `neighbours`. A dataset is
    given as JSON: a number, or a list of numbers; it reaches the function as a list, or as the array or data frame that the annotation of
    its parameter asks for. Outputs may also be text, bytes, None, and tuples, dictionaries, sets or data frames of them.

    The function runs in a process of its own. If it hangs, exits or crashes, what it gave until then is judged, and the exit code is 3.

    Without --dataset and --neighbour the worst neighbours are searched: where --neighbours says, or an attribute
    `neighbours` of the object. Beside two datasets, --neighbours says how far apart neighbours are: '{"sensitivity": 2}', or '{"group": 3}'
    for three records, of which the claim is three times the stated one.

    \b
    banditproof audit privacy noise.py:count --epsilon 1 --dataset '[0, 1]' --neighbour '[1, 1]'
    banditproof audit privacy noise:mean --epsilon 1 --delta 1e-6 --neighbours '{"low": 0, "high": 1}'
    """
    from banditproof.audits.privacy.plan import splits
    from banditproof.audits.privacy.subject import claimed

    if subject is None:
        taken = f": --json took {target} as its file; write --json - {target}" if target is not None and ":" in target else ""
        raise Rejected(f"MODULE:OBJECT is missing{taken} (see banditproof audit privacy --help)")
    if (dataset is None) != (neighbour is None):
        raise Rejected(f"{'neighbour' if neighbour is None else 'dataset'} is missing: --dataset and --neighbour go together")
    if target not in (None, "-"):
        require_writable(str(target))
    narrator = Narrator(traceback)
    with rejecting(traceback), contextlib.ExitStack() as stack:
        splits(samples)
        if dataset is not None and neighbours is not None and isinstance(neighbours.value, dict):
            require_distance_only(neighbours.value)
        mechanism = adapted(stack.enter_context(in_a_child(subject, narrator)), neighbours, relation, data_as, (dataset, neighbour))
        stated = claimed(
            mechanism,
            epsilon=epsilon,
            delta=delta,
            mu=mu,
            relation=None if relation is None else NeighbouringRelation(relation),
            view=None if view is None else View(view),
            pair=None if dataset is None or neighbour is None else (dataset.value, neighbour.value),
        )
        mechanism, pair = neighbours_of(mechanism, stated, dataset, neighbour, seed, narrator)
        result = compared(mechanism, stated, pair, dataset is not None, samples, false_alarm, seed, posterior, narrator)
    code = _report(result, target, strict, mechanism.declared_neighbours if dataset is None else None)
    require_whole(result)
    return code


@audit.command("samples", short_help="Judge outputs that were stored elsewhere.")
@click.argument("dataset", metavar="DATASET")
@click.argument("neighbour", metavar="NEIGHBOUR")
@_with(*_level, *_relating, *_running)
def samples_(
    dataset: str,
    neighbour: str,
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
    """Judge outputs that were stored elsewhere: one file of outputs, (n,) or (n, width), for each of two neighbours.

    DATASET and NEIGHBOUR are .npy, .csv or .parquet files of numbers, one row per output. In CSV a first row without any number is a
    header. Where both files name several columns, the names must be the same, in any order. A number that a float does not hold exactly is
    refused. The outputs of each file must be i.i.d. draws. The seed decides which of them fit the test and which are counted; a few are
    left over, since each count is of a side that a fair coin has chosen.
    """
    from banditproof.audits.privacy.comparison import compare_stored
    from banditproof.audits.privacy.judgement import AuditSettings
    from banditproof.audits.privacy.witness import privacy_witness
    from banditproof.audits.running.run import versions

    if target not in (None, "-"):
        require_writable(str(target))
    arrays, name = stored(dataset, neighbour), f"{dataset} {neighbour}"
    between, seen = None if relation is None else NeighbouringRelation(relation), None if view is None else View(view)
    with rejecting():
        stated = claim(epsilon=epsilon, delta=delta, mu=mu, relation=between, view=seen, name=name)
        measured = compare_stored(*arrays, AuditSettings(claim=stated, false_alarm=false_alarm, seed=seed))
    measured = replace(
        measured,
        assumed=(*measured.assumed, "the stored outputs are i.i.d. draws of one mechanism on two neighbouring datasets"),
        witness=replace(privacy_witness(measured), files=(dataset, neighbour)),
    )
    return _report(AuditResult(f"samples:{name}", "", name, measured, seed=seed, versions=versions()), target, strict)


@audit.command(short_help="How many draws detect which violation.")
@_with(*_level)
@click.option("--samples", type=SAMPLES, help="Outputs in all: which violation do they detect?")
@click.option(
    "--violation",
    type=Number(replace(EPSILON.quantity, name="violation", meaning="true epsilon or mu to be detected")),
    help="A true epsilon or mu above the claim: how many outputs detect it?",
)
@click.option(
    "--false-alarm",
    type=FALSE_ALARM,
    default=SIGNIFICANCE_LEVEL,
    show_default=True,
    help="Significance level: the probability of refuting a true claim.",
)
@click.option("--miss-rate", type=MISS_RATE, default=0.1, show_default=True, help="Probability that the violation is missed (1 - power).")
@renamed("--missed-with", "--miss-rate")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def plan(
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    samples: int | None,
    violation: float | None,
    false_alarm: float,
    miss_rate: float,
    as_json: bool,
) -> int:
    """How many draws detect which violation, before any draw.

    What an audit can detect depends on the event that distinguishes the two datasets: on the fraction of outputs on which it decides.
    """
    from dataclasses import asdict

    from banditproof.audits.privacy import plan as planning
    from banditproof.audits.reporting.table import console, labelled, number, say

    if (samples is None) == (violation is None):
        raise Rejected("samples, violation: give one of --samples and --violation, and the plan gives the other")
    with rejecting():
        stated = claim(epsilon=epsilon, delta=delta, mu=mu, name="a plan")
        rows = planning.plan(stated, samples=samples, violation=violation, false_alarm=false_alarm, miss_rate=miss_rate)
    if as_json:
        settings = {"epsilon": epsilon, "delta": delta, "mu": mu, "false_alarm": false_alarm, "miss_rate": miss_rate}
        click.echo(dumps({"schema": SCHEMA_PLAN, **settings, "rows": plain_json([asdict(row) for row in rows])}))
        return Exit.EXPECTED
    screen = console()
    symbol = "mu" if mu is not None else "epsilon"
    slack = f", delta = {number(delta)}" if delta is not None else ""
    lines = [(f"{row.mass:.0%} of outputs", f"{symbol} >= {at_most(row.detectable)} with {row.samples:,} outputs in all") for row in rows]
    say(screen, f"Claimed {symbol} = {number(mu if mu is not None else epsilon)}{slack}. Detected by an event that decides")
    say(screen, labelled(lines, screen))
    say(
        screen,
        f"A true claim is refuted with probability at most {number(false_alarm)}; such a violation is missed with probability at most"
        f" {number(miss_rate)}.",
    )
    return Exit.EXPECTED


# --- what is said of it -------------------------------------------------------------------------------------------------------------


def _report(result: AuditResult, target: str | None, strict: bool, declared_neighbours: "Neighbours | None" = None) -> int:
    undecided = strict and result.measured.verdict in (Verdict.INCONCLUSIVE, Verdict.VACUOUS)
    code = Exit.UNEXPECTED if result.measured.verdict is Verdict.REFUTED else Exit.UNDECIDED if undecided else Exit.EXPECTED
    return delivered(code, lambda: show(result, target, declared_neighbours), target, dumps(result.to_json()))


def show(result: AuditResult, target: str | None, declared_neighbours: "Neighbours | None" = None) -> None:
    """One privacy result for a reader: the verdict, the numbers, the witness, what was assumed, and what to do next."""
    from banditproof.audits.privacy.witness import privacy_witness
    from banditproof.audits.reporting.table import console, headline, labelled, number, posteriors, say, witnessed

    screen, measured = console(), result.measured
    symbol = measured.quantity
    say(screen, headline(result, screen, result.label))
    confidence = f"with confidence {1 - (measured.false_alarm or 0):.15g}"
    rows = [("claimed", f"{symbol} <= {number(measured.claimed)}{_fine_print(privacy_witness(measured))}")]
    if measured.low is not None:
        rows.append(
            ("measured", f"{symbol} >= {at_least(measured.low, measured.claimed)} {confidence}; estimate {number(measured.estimate)}")
        )
    rows += posteriors(measured)
    if measured.detectable is not None:
        rows.append(("detects", f"{symbol} >= {at_most(measured.detectable)}, missed with probability {number(measured.miss_rate)}"))
    rows.append(("drawn", f"{measured.samples:,} outputs in all, seed {result.seed}"))
    rows += witnessed(privacy_witness(measured))
    if measured.verdict is Verdict.INCONCLUSIVE:
        rows.append(("because", measured.message))
    if "ended_early" in measured.detail:
        rows.append(("ended early", measured.detail["ended_early"]))
    rows += [("assumed" if index == 0 else "", note) for index, note in enumerate(measured.assumed)]
    say(screen, labelled(rows, screen))
    if measured.verdict is Verdict.NOT_REFUTED:
        say(screen, "", "Not refuted is not proved: these draws would have shown what `detects` says, by this rule on these datasets.")
    if measured.verdict is Verdict.REFUTED:
        after_refutation(result, target, declared_neighbours)


def _fine_print(witness: "PrivacyWitness") -> str:
    from banditproof.audits.privacy.claims import claim_json

    stated = plain_json(claim_json(witness.claim))
    delta = f", delta <= {stated['delta']:g}" if "delta" in stated else ""
    group = f", groups of {witness.terms.group}" if witness.terms.group > 1 else ""
    return f"{delta}  ({stated['relation']}{group}, {stated['view']} view)"
