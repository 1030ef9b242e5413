"""How lists of statements look: papers with their sizes, a line per statement with its last verdict, and each with its inequality."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from banditproof.audits.reporting.by_statement import LEAST_FIRST, short_verdict
from banditproof.audits.reporting.overview import indented
from banditproof.audits.reporting.table import clipped, plain, shaped
from banditproof.audits.statistics.evidence import Verdict, counted

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from banditproof.theory.language import Theorem

_MOST_LINES = 4  # of one statement's cases in a list
_ROOM = 24  # columns for what is said last; with less, a row is two
NOT_YET = "not run yet"


# --- papers ----------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PaperSize:
    """A paper in the list of papers."""

    stem: str
    statements: int
    findings: int  # those that accuse: no READING
    title: str


def title_of(stem: str) -> str:
    """The paper's title; where its notation names none, what its module says that it is about."""
    import importlib

    from banditproof.audits.running.registry import papers
    from banditproof.theory.notation import paper

    printed = re.search(r"\*(.+)\*", paper(stem))
    if printed:
        return printed[1]
    about = (importlib.import_module(papers()[stem].theory).__doc__ or "").strip().partition("\n")[0]
    return about.rstrip(".")


def papers_list(papers: Sequence[PaperSize], to: "Console") -> "list[Text]":
    """A line per paper."""
    from rich.text import Text

    wide = max((len(each.stem) for each in papers), default=0)
    heading = f"{'paper'.ljust(wide)}  statements  findings  "
    if len(heading) + _ROOM > to.width:
        sizes = [f"{counted(each.statements, 'statement')}, {counted(each.findings, 'finding')}" for each in papers]
        said = ((each.stem, f"{size}: {each.title}") for size, each in zip(sizes, papers, strict=True))
        return [line for stem, words in said for line in (Text(stem, style="bold", overflow="fold"), *indented(words, to))]
    rows = [f"{each.stem.ljust(wide)}  {each.statements:>10}  {each.findings or '–':>8}  " for each in papers]
    lines = [Text(f"{heading}title", style="dim")]
    return [*lines, *(Text(plain(row + clipped(each.title, to.width - len(row)), to)) for row, each in zip(rows, papers, strict=True))]


# --- a line per statement --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LastVerdict:
    """What the audits of a statement said when each of them last ran; `expected` is False where that was a surprise."""

    verdict: Verdict
    expected: bool = True


def last_verdicts(kept: Mapping[str, Verdict], false_in_print: Iterable[str]) -> dict[str, LastVerdict]:
    """By statement, from the last verdict of each audit: an unexpected one, else the one that says the least for the claim. Audits that
    are `false_in_print` must refute."""
    known_false, found = set(false_in_print), dict[str, LastVerdict]()
    for audit, verdict in kept.items():
        undecided = verdict in (Verdict.ERROR, Verdict.INCONCLUSIVE)
        last = LastVerdict(verdict, undecided or (verdict is Verdict.REFUTED) == (audit in known_false))
        theorem = audit.partition("/")[0]
        found[theorem] = min(found.get(theorem, last), last, key=lambda each: (each.expected, LEAST_FIRST.index(each.verdict)))
    return found


def statement_lines(theorems: Sequence["Theorem"], last: Mapping[str, LastVerdict], to: "Console") -> "list[Text]":
    """A line per statement: its last verdict, its name (the whole id where they are of several papers), and what it says."""
    from rich.text import Text

    one_paper = len({theorem.id.partition(".")[0] for theorem in theorems}) == 1
    rows = [(_last(theorem, last, to), theorem.id.partition(".")[2] if one_paper else theorem.id, _claim(theorem)) for theorem in theorems]
    first, second = max(len("last verdict"), *(row[0].cell_len for row in rows)), max(len("statement"), *(len(row[1]) for row in rows))
    if first + second + 4 + _ROOM > to.width:
        return [line for row in rows for line in (Text.assemble(row[0], "  ", row[1], overflow="fold"), *indented(row[2], to))]
    lines = [Text(f"{'last verdict'.ljust(first)}  {'statement'.ljust(second)}  claim", style="dim")]
    for verdict, name, said in rows:
        verdict.pad_right(first - verdict.cell_len)
        words = plain(clipped(said, to.width - first - second - 4), to)
        lines.append(Text.assemble(verdict, f"  {name.ljust(second)}  ", words, no_wrap=True))
    return lines


def _last(theorem: "Theorem", last: Mapping[str, LastVerdict], to: "Console") -> "Text":
    from rich.text import Text

    known = last.get(theorem.id)
    if known is not None:
        return short_verdict(known.verdict, known.expected, to)
    if theorem.bound is None:
        return shaped(Verdict.NOT_CHECKABLE, Verdict.NOT_CHECKABLE.value, None, to)
    return Text(f"  {NOT_YET}", style="dim")


def _claim(theorem: "Theorem") -> str:
    from banditproof.theory.rendering import inequality

    return theorem.not_checkable if theorem.bound is None else "; ".join(inequality(theorem.bound))


# --- each with its inequality ----------------------------------------------------------------------------------------------------------


def theorem_table(theorems: "Iterable[Theorem]", to: "Console") -> "list[RenderableType]":
    """Each statement: its id and place, the inequality in at most four lines, and its findings."""
    from rich.padding import Padding
    from rich.text import Text

    from banditproof.theory.rendering import inequality

    parts: list[Any] = []
    for theorem in theorems:
        place = f"  {theorem.source.key}, {theorem.source.locator}"
        parts.append(Text.assemble(Text(theorem.id, style="bold"), Text(place, style="dim"), overflow="fold"))
        stated = inequality(theorem.bound) if theorem.bound is not None else [f"not checkable: {theorem.not_checkable}"]
        lines = [row for line in stated for row in Text(line).wrap(to, max(to.width - 4, 20))]
        if len(lines) > _MOST_LINES:
            lines = [*lines[: _MOST_LINES - 1], Text(f"... (banditproof theory show {theorem.id})")]
        lines += [Text(f"{item.grade.value}: {item.title}") for item in sorted(theorem.findings, key=lambda item: item.order())]
        parts += [Padding(line, (0, 0, 0, 4), expand=False) for line in lines]
    return parts
