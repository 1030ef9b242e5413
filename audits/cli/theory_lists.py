"""`banditproof theory list`: papers, the statements of one with their last verdicts, or all that mention a text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from banditproof.audits.cli.values import NoMatch, dumps, nearest, shortened
from banditproof.audits.running.exits import Exit

if TYPE_CHECKING:
    from rich.console import Console

    from banditproof.audits.reporting.theorems import LastVerdict, PaperSize
    from banditproof.theory.language import Theorem

SCHEMA_LIST = "banditproof/theory/2"


@click.command("list", short_help="The papers, or a paper's statements.")
@click.argument("paper", required=False)
@click.option("--search", "text", metavar="TEXT", help="Only statements that mention it, capitals apart: id, place, sentence or finding.")
@click.option("-v", "--verbose", is_flag=True, help="Each statement with its source, inequality and findings.")
@click.option("--json", "as_json", is_flag=True, help="All of every statement, as JSON.")
def list_(paper: str | None, text: str | None, verbose: bool, as_json: bool) -> int:
    """The papers with the number of their statements and findings; or the statements of a PAPER, one line each, with the verdict that their
    audits had when they last ran. PAPER is a name as dwork_2006, or a pattern as '*privacy*'.

    \b
    banditproof theory list dwork_2006
    banditproof theory list --search regret
    """
    from banditproof.audits.reporting.table import console, paged, rendered
    from banditproof.audits.reporting.theorems import papers_list, theorem_table

    chosen = [theorem for theorem in matching(paper) if text is None or mentions(theorem, text)]
    if not chosen:
        click.echo(f"Nothing matches {paper!r}." if text is None else f"Nothing matches --search {text!r}.", err=True)
        return Exit.NO_MATCH
    if as_json:
        click.echo(dumps({"schema": SCHEMA_LIST, "theorems": [theorem.describe() for theorem in chosen]}))
        return Exit.EXPECTED
    screen = console()
    if verbose:
        paged(screen, rendered(screen, *theorem_table(chosen, screen)))
    elif paper is None and text is None:
        paged(screen, rendered(screen, *papers_list(_sizes(), screen)))
        click.echo("\n".join(("Next:", "  banditproof theory list PAPER", "  banditproof theory list --search TEXT")))
    else:
        paged(screen, _by_line(chosen, screen))
    return Exit.EXPECTED


def matching(paper: str | None) -> "list[Theorem]":
    """The statements of a paper or pattern. Raises NoMatch on the name of a paper that does not exist, naming the nearest."""
    from banditproof.audits.running import registry

    known = registry.every(registry.theorems, registry.stems_for(paper))
    chosen = [item for id, item in known.items() if registry.matches(paper, id)]
    if not chosen and paper is not None and not set("*?[") & set(paper):
        papers = tuple(registry.papers())
        near = nearest(paper, (*papers, *registry.nearby(paper, registry.theorems))) or f"; there are: {', '.join(papers)}"
        raise NoMatch(f"paper {shortened(paper)}: there is none of this name{near}")
    return chosen


def mentions(theorem: "Theorem", text: str) -> bool:
    """Whether a statement's id, sentence, place, bound or findings contain a text, capitals apart."""
    from banditproof.theory.rendering import inequality

    found = theorem.findings
    words = [theorem.id, theorem.statement, theorem.source.key, theorem.source.locator, theorem.not_checkable or ""]
    words += [] if theorem.bound is None else inequality(theorem.bound)
    words += [part for item in found for part in (item.grade.value, item.name, item.title)]
    return text.casefold() in "\n".join(words).casefold()


def _sizes() -> "list[PaperSize]":
    from banditproof.audits.reporting.theorems import PaperSize, title_of
    from banditproof.audits.running import registry

    wrong = {stem: sum(each.finding.grade.counted for each in registry.findings(stem).values()) for stem in registry.papers()}
    return [PaperSize(stem, len(registry.theorems(stem)), number, title_of(stem)) for stem, number in wrong.items()]


def _by_line(chosen: "Sequence[Theorem]", screen: "Console") -> str:
    """A line per statement, and what the verdicts are worth."""
    from banditproof.audits.reporting.table import rendered
    from banditproof.audits.reporting.theorems import statement_lines
    from banditproof.audits.running.audit import stem_of

    stems = list(dict.fromkeys(stem_of(theorem.id) for theorem in chosen))
    last, days = _last_verdicts(stems)
    worth = f"Verdicts are those of the last runs, {days}; a statement has the one of its audits that says the least."
    told = [worth if days else "No audit of these has run here yet."]
    if len(stems) == 1:
        told += ["Next:", f"  banditproof theory show {chosen[0].id}", f"  banditproof verify {stems[0]}"]
    return rendered(screen, *statement_lines(chosen, last, screen), "", *told)


def _last_verdicts(stems: "Sequence[str]") -> "tuple[dict[str, LastVerdict], str]":
    """By statement, from the ledger of `verify`; and the days of these runs."""
    from banditproof.audits.reporting.theorems import last_verdicts
    from banditproof.audits.running import registry
    from banditproof.audits.running.results import LedgerUnusable, open_results

    found: dict[str, LastVerdict] = {}
    days: set[str] = set()
    try:
        with open_results() as kept:
            for stem in stems:
                verdicts = kept.verdicts(stem)
                refuting = [id for each in registry.findings(stem).values() for id in each.refuting()]
                found |= last_verdicts({audit: verdict for audit, (verdict, _) in verdicts.items()}, refuting)
                days |= {when.astimezone().date().isoformat() for _, when in verdicts.values()}
    except LedgerUnusable as error:
        click.echo(f"Note: no last verdicts: {error}", err=True)
    return found, " to ".join(dict.fromkeys((min(days), max(days)))) if days else ""
