"""`banditproof theory`: what the papers claim, and what a bound is at given values. Needs SymPy, draws nothing."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from banditproof.audits.cli.theory_lists import list_
from banditproof.audits.cli.values import Rejected, dumps, nearest, note_renamed, shortened
from banditproof.audits.running.exits import Exit
from banditproof.audits.running.files import write_whole

if TYPE_CHECKING:
    from banditproof.theory.evaluate import Value
    from banditproof.theory.findings import Grade
    from banditproof.theory.language import Theorem

SCHEMA_VALUE, SCHEMA_FINDINGS = "banditproof/value/1", "banditproof/findings/1"


@click.group()
def theory() -> None:
    """What the papers claim, with hypotheses and findings."""


theory.add_command(list_)


@theory.command(short_help="One statement, with hypotheses, source and findings.")
@click.argument("id")
@click.option("--json", "as_json", is_flag=True, help="As JSON, LaTeX included.")
@click.option("--latex", is_flag=True, help="As LaTeX.")
def show(id: str, as_json: bool, latex: bool) -> int:
    """One statement: its bound, its hypotheses and who checks them, its source, and what was found about each line."""
    found = theorem_of(id)
    click.echo(dumps(found.describe()) if as_json else found.latex() if latex else found.text())
    return Exit.EXPECTED


@theory.command("eval", short_help="What a bound is at given values.")
@click.argument("id")
@click.argument("values", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def evaluate(id: str, values: tuple[str, ...], as_json: bool) -> int:
    """The bound at given values, with at least 30 digits and the double on its safe side.

    Values are exact: 0.1 is one tenth; 1e-5 and 1/3 are numbers too. A value outside the domain, or one that breaks a hypothesis, is
    refused.

    \b
    banditproof theory eval dwork_2006.laplace_privacy sensitivity=1 scale=2
    """
    found = theorem_of(id)
    given = _assignments(found, values)
    try:
        value = found.at(**given)
    except ValueError as error:
        raise Rejected(str(error)) from None
    if as_json:
        click.echo(dumps(_record(found, given, value)))
    else:
        click.echo(_spelt_out(found, given, value))
    return Exit.EXPECTED


@theory.command(short_help="What is wrong or open in print, worst first.")
@click.argument("paper", required=False)
@click.option("--grade", "names", multiple=True, metavar="GRADE", help="Only findings of this grade, such as FALSE; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.option("--folder", type=click.Path(path_type=Path, file_okay=False), help="Write one Markdown file per paper there.")
def findings(paper: str | None, names: tuple[str, ...], as_json: bool, folder: Path | None) -> int:
    """What is wrong, missing or open in the text of all papers, or of one PAPER (such as wu_2023), worst first, as Markdown: the sentence,
    its literal and its charitable reading, a counterexample, the consequence, what still stands and what to use instead.

    The grades are FALSE, MISSING_CONDITION, PROOF_GAP, NOT_REPRODUCED, MISPRINT, LOOSE and READING; the last one accuses nothing.
    """
    from banditproof.audits.reporting.findings import markdown
    from banditproof.audits.running import registry

    grades = [_grade(name) for name in names]
    if as_json:
        found = [(stem, item) for stem in _stems(paper) for item in registry.findings(stem).values()]
        described = [
            {"paper": stem, "statement": item.theorem.id, **item.finding.describe(), "refuted_by": list(item.refuting())}
            for stem, item in found
            if not grades or item.finding.grade in grades
        ]
        click.echo(dumps({"schema": SCHEMA_FINDINGS, "findings": described}))
        return Exit.EXPECTED
    if folder is None:
        pages = list(filter(None, (markdown(stem, grades) for stem in _stems(paper))))
        click.echo("\n".join(pages), nl=False)
        if not pages:
            click.echo("Nothing matches: no finding is of this paper and grade.", err=True)
        return Exit.EXPECTED if pages else Exit.NO_MATCH
    if grades:
        raise Rejected("theory findings: --folder writes whole pages and takes no --grade")
    for stem in _stems(paper, installed=False):
        _replace(folder / f"{stem}.md", markdown(stem))
    return Exit.EXPECTED


def _grade(name: str) -> "Grade":
    from banditproof.theory.findings import Grade

    try:
        return Grade(name.upper())
    except ValueError:
        raise Rejected(f"--grade {shortened(name)}: must be one of {', '.join(grade.value for grade in Grade)}") from None


@theory.command(short_help="Search for the proofs of all lines again, as JSON.")
@click.argument("stem", required=False)
@click.option(
    "--write",
    "written",
    is_flag=True,
    help="Write them where verify reads them, instead of printing.",
)
def proofs(stem: str | None, written: bool) -> int:
    """The proofs that `verify` walks, of all papers or of one (STEM, such as wu_2023), searched for again from nothing: some minutes.
    A kept proof that stands stays where the search finds none; what proves no line is left out."""
    from banditproof.audits.methods.proof_steps import ProofSteps, proofs_of, searched, text_of
    from banditproof.audits.running import registry

    if stem is None and not written:
        raise Rejected("theory proofs: name a paper, whose proofs are printed, or --write those of all papers")
    for paper in _stems(stem, installed=not written):
        lines = [audit.method for audit in registry.audits(paper).values() if isinstance(audit.method, ProofSteps)]
        text = text_of([searched(line) for line in lines])
        place = proofs_of(paper)
        if written and place is not None:
            _replace(place, text)
        elif text:
            click.echo(text, nl=False)
    return Exit.EXPECTED


def _stems(stem: str | None, installed: bool = True) -> list[str]:
    """All papers, those of other distributions if they are asked for, or the one that is named. Raises Rejected on an unknown one."""
    from banditproof.audits.running import registry

    stems = registry.papers()
    if stem is not None and stem not in stems:
        raise Rejected(f"paper {shortened(stem)}: there is none of this name{nearest(stem, stems) or '; there are: ' + ', '.join(stems)}")
    return [each for each, paper in stems.items() if installed or not paper.installed] if stem is None else [stem]


def _replace(path: Path, text: str) -> None:
    """Writes a file whole or not at all; without a text there is no file."""
    if not text:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)


def theorem_of(id: str) -> "Theorem":
    """The statement of an id. Raises Rejected with the nearest ids."""
    from banditproof.audits import front_door

    try:
        return front_door.theorem(id)
    except LookupError as error:
        raise Rejected(str(error)) from None


def _assignments(theorem: "Theorem", values: tuple[str, ...]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    names = "" if theorem.bound is None else " ".join(f"{quantity.name}=..." for quantity in theorem.bound.given)
    for value in values:
        written, equals, number = value.partition("=")
        if not equals or not written.strip() or not number.strip():
            raise Rejected(f"{shortened(value)}: must be NAME=VALUE; {theorem.id} takes {names}")
        if not number.isascii():  # other digits, as full-width ones, are digits to Python
            raise Rejected(f"{shortened(value)}: must be written in the digits 0 to 9")
        name = _quantity(written.strip())
        if name in given:
            raise Rejected(f"{name} is given twice: {given[name]} and {number}")
        given[name] = number.strip()
    return given


def _quantity(name: str) -> str:
    """The name of a quantity; an old one is read for one version, with a note on standard error."""
    from banditproof.audits.reporting.older import QUANTITIES

    if name in QUANTITIES:
        note_renamed(name, QUANTITIES[name])
    return QUANTITIES.get(name, name)


def _record(theorem: "Theorem", given: dict[str, Any], value: "Value") -> dict[str, Any]:
    from banditproof.audits.statistics.evidence import plain_json

    bound = theorem.bound
    described = theorem.describe()["bound"]
    return {
        "schema": SCHEMA_VALUE,
        "id": theorem.id,
        "values": given,
        "of": None if bound is None else bound.of.name,
        "sense": value.sense.value,
        "bound": plain_json(value.bound),
        "low": plain_json(value.low),
        "high": plain_json(value.high),
        "ball": value.digits,
        "mode": described["mode"],
        "text": described["text"],
        "assumed": [hypothesis.statement for hypothesis in theorem.assumed()],
    }


def _spelt_out(theorem: "Theorem", given: dict[str, Any], value: "Value") -> str:
    from banditproof.theory.rendering import mode

    bound = theorem.bound
    if bound is None:  # `at` has raised NoNumber
        raise Rejected(f"{theorem.id}: {theorem.not_checkable}")
    lines = [f"{bound.of.name} {value.sense.value} {value.bound!r}", ""]
    lines += [f"  {'digits':<8}  {value.digits}", f"  {'at':<8}  {', '.join(f'{name} = {number}' for name, number in given.items())}"]
    lines += [f"  {'holds':<8}  {mode(bound)}"] if mode(bound) else []
    lines += [f"  {'by':<8}  {theorem.id} ({theorem.source.key}, {theorem.source.locator})"]
    lines += [f"  {'assumed' if index == 0 else '':<8}  {item.statement}" for index, item in enumerate(theorem.assumed())]
    return "\n".join(lines)
