"""`banditproof replay`: re-count the witness of a refutation on draws that nobody has seen."""

import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from banditproof.audits.cli.isolation import limited, loaded
from banditproof.audits.cli.judging import rejecting, stored
from banditproof.audits.cli.records import chosen
from banditproof.audits.cli.values import (
    FALSE_ALARM,
    MOST_SAMPLES,
    SEED,
    Number,
    Rejected,
    delivered,
    dumps,
    require_writable,
    shortened,
)
from banditproof.audits.data_forms import DataForm
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.replay import confirmed
from banditproof.audits.running.replay import replay as replayed
from banditproof.audits.running.report import AuditResult
from banditproof.glossary import Quantity, whole_numbers

if TYPE_CHECKING:
    import numpy as np

    from banditproof.audits.privacy.frozen_witness import FrozenWitness
    from banditproof.audits.privacy.outputs import Sampler
    from banditproof.audits.privacy.witness import PrivacyWitness
    from banditproof.audits.subjects import Subject

SCHEMA_REPLAY = "banditproof/replay/2"  # several results; one is a record by itself
DRAWS = Number(Quantity("samples", "", whole_numbers(1, MOST_SAMPLES), "draws to count"))


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
@click.option("--run", is_flag=True, help="Run the code that the file names, also where you have not run it yourself.")
@limited
@click.option("--traceback", is_flag=True, help="If your code raises, print its traceback.")
def replay(
    file: str,
    id: str | None,
    seed: int | None,
    samples: int | None,
    false_alarm: float | None,
    target: str | None,
    run: bool,
    traceback: bool,
) -> int:
    """Re-count the witness of a result on fresh draws: nothing is fitted or selected again. RESULT.json may be '-', standard input.

    A result of `audit privacy` or `audit gray-box` names a file or a module. If you have not run it here yourself, in exactly this form,
    it is shown and not run, unless you add --run.

    Exit 0: refuted again, all of them. Exit 1: not confirmed. Stored outputs are counted again as they are, which is not fresh evidence.
    """
    if target not in (None, "-"):
        require_writable(str(target))
    results = chosen(file, id)
    for result in results:
        _require_asked(result, run, shown=target != "-")
    pairs = []
    for result in results:
        with rejecting(traceback), contextlib.redirect_stdout(sys.stderr):
            pairs.append((result, _again(result, seed, samples, false_alarm, traceback)))
    code = Exit.EXPECTED if all(confirmed(again) for _, again in pairs) else Exit.UNEXPECTED
    records = [again.to_json() for _, again in pairs]
    text = dumps(records[0] if len(records) == 1 else {"schema": SCHEMA_REPLAY, "results": records})
    return delivered(code, lambda: _show(pairs), target, text)


def _require_asked(result: AuditResult, run: bool, *, shown: bool) -> None:
    """Raises Rejected, after it has shown the code, where a result names code that this account has not asked for; `run` asks for it."""
    from banditproof.audits.running import located

    subject = _subject(result)
    if not subject:
        return
    with rejecting():
        code = located.located(subject)
    if run:
        located.note(code)
    if located.known(code) or run:
        return
    if shown:
        click.echo(f"{subject} is code that you have not run here yourself in this form:\n")
        for label, value in (("file", code.place()), ("object", code.object), ("sha256", code.sha256)):
            click.echo(f"  {label:<8}{value}")
        click.echo("\n".join(["", *located.excerpt(code), ""]))
    raise Rejected(f"{subject} ({code.place()}): was not run; add --run to run it")


def _subject(result: AuditResult) -> str:
    """The user's object that the witness names; empty where the code is that of a registered audit, or where outputs are stored."""
    from banditproof.audits.privacy.frozen_witness import FrozenWitness
    from banditproof.audits.privacy.witness import PrivacyWitness

    match result.measured.witness:
        case PrivacyWitness(files=files) if files:
            return ""
        case PrivacyWitness(subject=subject) | FrozenWitness(subject=subject):
            return subject
        case _:
            return ""


def _again(result: AuditResult, seed: int | None, samples: int | None, false_alarm: float | None, traceback: bool) -> AuditResult:
    from banditproof.audits.privacy.frozen_witness import FrozenWitness
    from banditproof.audits.privacy.witness import PrivacyWitness
    from banditproof.audits.running.registry import find

    witness, fresh = result.measured.witness, (result.seed or 0) + 1 if seed is None else seed
    counted = witness.trials if isinstance(witness, PrivacyWitness) else result.measured.samples
    if samples is None and counted > MOST_SAMPLES:
        raise Rejected(f"samples = {counted}: must be <= {MOST_SAMPLES} (draws to count; --samples chooses fewer)")
    match witness:
        case PrivacyWitness(files=files) if files:
            return _stored_again(result, witness, seed, samples)
        case PrivacyWitness() if witness.subject:
            with loaded(witness.subject, _form(witness), (witness.dataset, witness.neighbour), traceback) as mechanism:
                return _drawn_again(mechanism, result, witness, fresh, samples, false_alarm)
        case FrozenWitness() if witness.subject:
            with loaded(witness.subject, _form(witness), (witness.dataset, witness.neighbour), traceback) as mechanism:
                return _frozen_again(mechanism, result, witness, fresh)
    try:
        find(result.audit)
    except KeyError:
        raise Rejected(f"audit {shortened(result.audit)}: cannot be replayed (there is none of this id)") from None
    return replayed(result, seed=fresh, samples=samples, false_alarm=false_alarm)


def _stored_again(result: AuditResult, witness: "PrivacyWitness", seed: int | None, samples: int | None) -> AuditResult:
    from banditproof.audits.privacy.recount import recount_stored

    if samples is not None or seed is not None:
        raise Rejected("seed, samples: stored outputs are counted again as they are")
    if result.seed is None:
        raise Rejected("seed = null: the result does not say how the stored outputs were split")
    dataset, neighbour = witness.files
    return replace(result, measured=recount_stored(result.measured, *stored(dataset, neighbour), seed=result.seed))


def _drawn_again(
    mechanism: "Subject", result: AuditResult, witness: "PrivacyWitness", seed: int, samples: int | None, false_alarm: float | None
) -> AuditResult:
    from banditproof.audits.privacy.outputs import samplers
    from banditproof.audits.privacy.recount import recount

    _require_neighbours(mechanism, witness)
    widths: set[int] = set()

    def noted(side: "Sampler") -> "Sampler":
        def sampled(runs: int, rng: "np.random.Generator") -> Any:
            outputs = side(runs, rng)
            widths.add(outputs.shape[1])
            return outputs

        return sampled

    dataset, neighbour = samplers(mechanism, (witness.dataset, witness.neighbour))
    path = (mechanism.stem, "replay")  # the folder of a file addresses no draw
    again = recount(result.measured, (noted(dataset), noted(neighbour)), seed=seed, path=path, samples=samples, false_alarm=false_alarm)
    if max(widths) < witness.width:
        raise Rejected(f"witness.width = {witness.width}: must be <= {max(widths)}, the numbers of an output of {witness.subject}")
    return replace(result, measured=again, seed=seed)


def _form(witness: "PrivacyWitness | FrozenWitness") -> DataForm | None:
    """The form in which the data reached the user's code; None where the record does not say."""
    return DataForm(witness.terms.data_as) if witness.terms.data_as else None


def _require_neighbours(mechanism: "Subject", witness: "PrivacyWitness | FrozenWitness") -> None:
    """Raises Rejected on a record of two datasets that the claim does not compare, at the distance that the record names; where it names
    none, at what the mechanism declares."""
    from banditproof.audits.privacy.subject import require_neighbours
    from banditproof.audits.privacy.witness import ONE_STEP

    try:
        if replace(witness.terms, data_as="") != ONE_STEP:
            mechanism = replace(mechanism, declared_neighbours=witness.terms.neighbours(witness.claim.relation))
        require_neighbours(mechanism, witness.claim, (witness.dataset, witness.neighbour))
    except ValueError as error:
        raise Rejected(f"witness: {error}") from None


def _frozen_again(mechanism: "Subject", result: AuditResult, witness: "FrozenWitness", seed: int) -> AuditResult:
    from banditproof.audits.privacy.subject import replayed_on

    _require_neighbours(mechanism, witness)
    pair = witness.dataset, witness.neighbour
    measured = replayed_on(mechanism, pair, witness.claim, seed=seed, contract=witness.contract, subject=witness.subject)
    return replace(result, measured=measured, seed=seed)


def _show(pairs: list[tuple[AuditResult, AuditResult]]) -> None:
    from rich.text import Text

    from banditproof.audits.privacy.witness import PrivacyWitness
    from banditproof.audits.reporting.table import console, labelled, say, witnessed

    screen = console()
    for before, again in pairs:
        measured, refuted = again.measured, confirmed(again)
        word, colour = ("confirmed", "bold red") if refuted else ("not confirmed", "yellow")
        ran = _ran(again)
        say(screen, Text.assemble(Text(word, style=colour), "  ", Text(ran[0], style="bold"), overflow="fold"))
        rows = list(ran[1])
        if isinstance(measured.witness, PrivacyWitness):
            rows += witnessed(measured.witness)
        rows.append(("now", measured.message))
        rows += [("before", before.measured.message), ("seed", f"{again.seed} now, {before.seed} before")]
        say(screen, labelled(rows, screen))


def _ran(again: AuditResult) -> tuple[str, list[tuple[str, str]]]:
    """What was looked at, and rows that say where it is, and that the record calls it otherwise."""
    from banditproof.audits.privacy.witness import PrivacyWitness
    from banditproof.audits.running.located import located

    subject, witness = _subject(again), again.measured.witness
    if isinstance(witness, PrivacyWitness) and witness.files:
        name, rows = " ".join(witness.files), [("files", ", ".join(str(Path(file).resolve()) for file in witness.files))]
    elif subject:
        name, rows = subject, [("ran", located(subject).place())]
    else:
        return again.audit, []
    recorded = again.audit.partition(":")[2]
    return name, [*rows, *([("recorded as", again.audit)] if recorded != name else [])]
