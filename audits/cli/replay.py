"""`banditproof replay`: re-count the witness of a refutation on draws that nobody has seen."""

import contextlib
import sys
from dataclasses import replace
from typing import Any

import click

from banditproof.audits.cli.isolation import limited, loaded
from banditproof.audits.cli.judging import rejecting, stored
from banditproof.audits.cli.values import (
    FALSE_ALARM,
    SEED,
    Number,
    Rejected,
    dumps,
    nearest,
    read_json,
    require_writable,
    shortened,
    write,
)
from banditproof.audits.reporting.json import SCHEMA as SCHEMA_VERIFY
from banditproof.audits.reporting.older import upgraded
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.replay import confirmed
from banditproof.audits.running.replay import replay as replayed
from banditproof.audits.running.report import SCHEMA, AuditResult
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import Domain, Quantity

SCHEMA_REPLAY = "banditproof/replay/2"  # several results; one is a record by itself
DRAWS = Number(Quantity("samples", "", Domain(low=1, low_open=False, integer=True), "draws to count"))


@click.command(short_help="Count the witness of a result again, on fresh draws.")
@click.argument("file", metavar="RESULT.json")
@click.option("--audit", "id", metavar="ID", help="Which result of a verify file; all refuted ones without it.")
@click.option("--seed", type=SEED, help="Of the fresh draws.  [default: one more than the result's]")
@click.option("--samples", type=DRAWS, help="Draws to count.  [default: as many as the result counted]")
@click.option(
    "--false-alarm", type=FALSE_ALARM, help="Significance level: the probability of refuting a true claim.  [default: the result's]"
)
@click.option(
    "--json", "target", is_flag=False, flag_value="-", metavar="[FILE]", help="The new records as JSON: to FILE, or to standard output."
)
@limited
@click.option("--traceback", is_flag=True, help="If your code raises, print its traceback.")
def replay(
    file: str, id: str | None, seed: int | None, samples: int | None, false_alarm: float | None, target: str | None, traceback: bool
) -> int:
    """Re-count the witness of a result on fresh draws: nothing is fitted or selected again.

    Exit 0: refuted again, all of them. Exit 1: not confirmed. Stored outputs are counted again as they are, which is not fresh evidence.
    """
    if target not in (None, "-"):
        require_writable(str(target))
    chosen = _chosen(read_json(file), file, id)
    pairs = []
    for result in chosen:
        with rejecting(traceback), contextlib.redirect_stdout(sys.stderr):
            pairs.append((result, _again(result, seed, samples, false_alarm, traceback)))
    every = all(confirmed(again) for _, again in pairs)
    if target is not None:
        records = [again.to_json() for _, again in pairs]
        write(target, dumps(records[0] if len(records) == 1 else {"schema": SCHEMA_REPLAY, "results": records}))
    if target != "-":
        _show(pairs)
    return Exit.EXPECTED if every else Exit.UNEXPECTED


def _chosen(record: Any, file: str, id: str | None) -> list[AuditResult]:
    """The results to replay, of this version or the one before. Raises Rejected on a file of another kind, or with nothing to replay."""
    record = _current(record, file)
    if not isinstance(record, dict) or record.get("schema") not in (SCHEMA, SCHEMA_VERIFY):
        kind = record.get("schema") if isinstance(record, dict) else type(record).__name__
        raise Rejected(f"file {file!r}: schema = {kind!r}: must be {SCHEMA!r} or {SCHEMA_VERIFY!r}")
    records = record.get("results") if record["schema"] == SCHEMA_VERIFY else [record]
    try:
        results = [AuditResult.from_json(item) for item in records]  # type: ignore[union-attr]
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise Rejected(f"file {file!r}: is no record of this version ({error})") from None
    if id is not None:
        chosen = [result for result in results if result.audit == id]
        if not chosen:
            raise Rejected(f"audit {shortened(id)}: not in {file}{nearest(id, [result.audit for result in results])}")
        return chosen
    chosen = [result for result in results if result.measured.verdict is Verdict.REFUTED]
    if chosen or len(results) == 1:
        return chosen or results
    raise Rejected(f"file {file!r}: nothing in it is refuted; --audit ID replays one of its {len(results)} results all the same")


def _current(record: Any, file: str) -> Any:
    """The record under today's keys, with a note on standard error where it is of the version before."""
    found = upgraded(record)
    if found is not record:
        old, new = record["schema"], found["schema"]
        click.echo(f"Note: {file} has the schema {old}, read as {new}; the next version does not read it", err=True)
    return found


def _again(result: AuditResult, seed: int | None, samples: int | None, false_alarm: float | None, traceback: bool) -> AuditResult:
    from banditproof.audits.privacy.frozen_witness import FrozenWitness
    from banditproof.audits.privacy.recount import recount, recount_stored
    from banditproof.audits.privacy.witness import PrivacyWitness

    witness, fresh = result.measured.witness, (result.seed or 0) + 1 if seed is None else seed
    if isinstance(witness, PrivacyWitness) and witness.files:
        if samples is not None or seed is not None:
            raise Rejected("seed, samples: stored outputs are counted again as they are")
        if result.seed is None:
            raise Rejected("seed = None: the result does not say how the stored outputs were split")
        dataset, neighbour = witness.files
        return replace(result, measured=recount_stored(result.measured, stored(dataset), stored(neighbour), seed=result.seed))
    if isinstance(witness, PrivacyWitness) and witness.subject:
        from banditproof.audits.privacy.outputs import samplers

        with loaded(witness.subject, traceback) as mechanism:
            sides = samplers(mechanism, (witness.dataset, witness.neighbour))
            path = (mechanism.stem, "replay")  # the folder of a file addresses no draw
            again = recount(result.measured, sides, seed=fresh, path=path, samples=samples, false_alarm=false_alarm)
        return replace(result, measured=again, seed=fresh)
    if isinstance(witness, FrozenWitness) and witness.subject:
        from banditproof.audits.privacy.subject import replayed_on

        pair = witness.dataset, witness.neighbour
        with loaded(witness.subject, traceback) as mechanism:
            measured = replayed_on(mechanism, pair, witness.claim, seed=fresh, contract=witness.contract, subject=witness.subject)
        return replace(result, measured=measured, seed=fresh)
    try:
        return replayed(result, seed=fresh, samples=samples, false_alarm=false_alarm)
    except KeyError as error:
        raise Rejected(f"audit {shortened(result.audit)}: cannot be replayed ({error.args[0]})") from None


def _show(pairs: list[tuple[AuditResult, AuditResult]]) -> None:
    from rich.text import Text

    from banditproof.audits.privacy.witness import PrivacyWitness
    from banditproof.audits.reporting.table import console, labelled, say, witnessed

    screen = console()
    for before, again in pairs:
        measured, refuted = again.measured, confirmed(again)
        word, colour = ("confirmed", "bold red") if refuted else ("not confirmed", "yellow")
        say(screen, Text.assemble(Text(word, style=colour), "  ", Text(again.audit.removeprefix("user:"), style="bold"), overflow="fold"))
        rows = [("now", measured.message)]
        if isinstance(measured.witness, PrivacyWitness):
            rows = [*witnessed(measured.witness), *rows]
        rows += [("before", before.measured.message), ("seed", f"{again.seed} now, {before.seed} before")]
        say(screen, labelled(rows, screen))
