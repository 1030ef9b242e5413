"""`banditproof audit gray-box`: which line of a user's function leaks, by two runs with frozen releases."""

import contextlib

import click

from banditproof.audits.cli.audit import RELATIONS, VIEWS
from banditproof.audits.cli.isolation import Narrator, data_as, in_a_child, limited
from banditproof.audits.cli.judging import adapted, rejecting
from banditproof.audits.cli.values import DELTA, EPSILON, MU, SEED, Json, ParsedJson, Rejected, delivered, dumps, require_writable
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import NeighbouringRelation, View


@click.command("gray-box", short_help="Which line leaks? Two runs with frozen releases.")
@click.argument("subject", metavar="MODULE:OBJECT")
@click.option("--epsilon", type=EPSILON, help="The claimed privacy parameter epsilon.")
@click.option("--delta", type=DELTA, help="The claimed failure probability delta; without it the claim is pure differential privacy.")
@click.option("--mu", type=MU, help="The claimed mu of Gaussian differential privacy, instead of epsilon.")
@click.option("--dataset", type=Json(), required=True, help="A dataset, as '[0, 1, 1]'.")
@click.option("--neighbour", type=Json(), required=True, help="Its neighbour, which differs from it as --relation says.")
@click.option("--relation", type=RELATIONS, help=f"Which datasets are neighbours: {', '.join(RELATIONS.words)}.")
@click.option("--view", type=VIEWS, help=f"What the adversary sees: {', '.join(VIEWS.words)}; a single release is central.")
@click.option("--contract", is_flag=True, help="Judge that the function is private by composition, draws and branches included.")
@click.option("--seed", type=SEED, default=17, show_default=True, help="The same seed gives the same result.")
@click.option(
    "--json", "target", is_flag=False, flag_value="-", metavar="[FILE]", help="The record as JSON: to FILE, or instead of the text."
)
@click.option("--strict", is_flag=True, help="Exit with 4 if the result is inconclusive.")
@data_as
@limited
@click.option("--traceback", is_flag=True, help="If your code raises, print its traceback.")
def gray_box(
    subject: str,
    epsilon: float | None,
    delta: float | None,
    mu: float | None,
    dataset: ParsedJson,
    neighbour: ParsedJson,
    relation: str | None,
    view: str | None,
    contract: bool,
    seed: int,
    target: str | None,
    strict: bool,
    data_as: str | None,
    traceback: bool,
) -> int:
    """Which line of this function leaks?

    Runs f(data, rng) on a dataset, freezes every number that it releases, and runs it on the neighbour with the same noise. Where the
    second run leaves the first one's path, data flow beside the releases; how far each number moves before its noise gives the loss.
    The function needs no change, but all of its randomness must come from rng, as normal, Laplace or logistic noise that is added.

    The claim is refuted only where the function returns what it releases as it is; with --contract also where its draws or branches depend
    on the data.

    \b
    banditproof audit gray-box noise.py:count --epsilon 1 --dataset '[0, 1]' --neighbour '[1, 1]'
    """
    from banditproof.audits.privacy.subject import claimed, replayed_on, require_neighbours
    from banditproof.audits.running.run import versions

    if target not in (None, "-"):
        require_writable(str(target))
    pair = dataset.value, neighbour.value
    if pair[0] == pair[1]:
        raise Rejected("dataset and neighbour are equal: nothing can distinguish their outputs")
    with rejecting(traceback), contextlib.ExitStack() as stack:
        mechanism = adapted(stack.enter_context(in_a_child(subject, Narrator(traceback))), None, relation, data_as, (dataset, neighbour))
        between, seen = None if relation is None else NeighbouringRelation(relation), None if view is None else View(view)
        stated = claimed(mechanism, epsilon=epsilon, delta=delta, mu=mu, relation=between, view=seen, pair=pair)
        require_neighbours(mechanism, stated, pair)
        measured = replayed_on(mechanism, pair, stated, seed=seed, contract=contract, subject=subject)
    result = AuditResult(f"user:{subject}", "", subject, measured, seed=seed, versions=versions())
    undecided = strict and measured.verdict is Verdict.INCONCLUSIVE
    code = Exit.UNEXPECTED if measured.verdict is Verdict.REFUTED else Exit.UNDECIDED if undecided else Exit.EXPECTED
    return delivered(code, lambda: show(result), target, dumps(result.to_json()))


def show(result: AuditResult) -> None:
    """One replay for a reader: the verdict, why, which lines move by how much, and what was not followed."""
    from banditproof.audits.privacy.frozen_witness import frozen_witness
    from banditproof.audits.reporting.table import console, headline, labelled, number, say, witnessed

    screen, measured = console(), result.measured
    say(screen, headline(result, screen, result.label))
    rows = [("because", measured.message)]
    if measured.claimed is not None:
        rows.append(("claimed", f"{measured.quantity} <= {number(measured.claimed)}"))
    if measured.exact is not None:
        rows.append(("exact", f"{measured.quantity} = {number(measured.exact)} on this pair"))
    for moved in measured.detail["moved"][:5]:
        shown = "" if moved["in_output"] else ", not in the output as it is"
        rows.append(
            ("moves", f"{moved['place']}: by {number(moved['moved'])}, {moved['noise']} noise of scale {number(moved['scale'])}{shown}")
        )
    rows.append(("contract", measured.detail["contract"]))
    if measured.detail["not_followed"]:
        rows.append(("not followed", measured.detail["not_followed"]))
    rows += witnessed(frozen_witness(measured))
    rows += [("assumed" if index == 0 else "", note) for index, note in enumerate(measured.assumed)]
    say(screen, labelled(rows, screen))
    if measured.verdict is Verdict.NOT_REFUTED:
        say(
            screen, "", "Not refuted is not proved: other neighbours were not run. `banditproof audit privacy` searches for the worst ones."
        )
