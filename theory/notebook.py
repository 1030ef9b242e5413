"""How statements show themselves: a few lines for `repr`, and HTML for notebooks.

In the HTML everything is escaped, and each formula is a display `$$...$$` in the paper's letters, which Jupyter typesets.
"""

from collections.abc import Iterable
from html import escape

from banditproof.theory.evaluate import Value
from banditproof.theory.findings import Finding
from banditproof.theory.language import Bound, Step, Theorem
from banditproof.theory.notation import alphabet
from banditproof.theory.rendering import ASSEMBLED, counterexample, inequality, latex_bound, latex_line, mode, remedy, source

_OPEN, _CLOSE = r"\[", r"\]"
_LONGEST = 200  # characters of a line of text


def theorem_html(theorem: Theorem) -> str:
    """A statement: its bound, its hypotheses, what was found about it, and the table of its letters."""
    known = alphabet(theorem)
    parts = [f"<b><code>{escape(theorem.id)}</code></b> ({escape(source(theorem.source))})"]
    parts += [f"<i>{escape(ASSEMBLED)}</i>"] if theorem.source.assembled else []
    parts.append(escape(theorem.statement))
    parts.append(_display(theorem, theorem.bound) if theorem.bound is not None else f"Not checkable: {escape(theorem.not_checkable)}")
    if theorem.hypotheses:
        parts.append(f"if {_list(f'{escape(item.statement)} <i>({escape(item.checked.value)})</i>' for item in theorem.hypotheses)}")
    if theorem.published is not None:
        parts.append(f"as published, which is refuted {_display(theorem, theorem.published)}")
    if theorem.findings:
        found = sorted(theorem.findings, key=Finding.order)
        parts.append(f"findings {_list(f'<b>{escape(item.grade.value)}</b>: {escape(item.title)}' for item in found)}")
    if known:
        letters = _list(rf"\({escape(letter)}\): {escape(one.meaning)} (<code>{escape(one.name)}</code>)" for one, letter in known.items())
        parts.append(f"<details><summary>letters</summary>{letters}</details>")
    return f"<div>{''.join(f'<p>{part}</p>' for part in parts)}</div>"


def about(theorem: Theorem, finding: Finding) -> str:
    """The formulas that a finding is about, as displays: the line of the proof, or the published bound; '' where there is none."""
    lines = [_line(theorem, step) for step in theorem.steps if finding.step and step.id == finding.step]
    published = theorem.published if not finding.step and finding.values else None
    return "".join([*lines, *([_display(theorem, published)] if published is not None else [])])


def finding_html(finding: Finding) -> str:
    """A finding without its statement: grade, title, the sentence, how it fails, and what to use instead."""
    rows = (
        ("place", finding.place),
        ("sentence", finding.sentence),
        ("fails", counterexample(finding)),
        (remedy(finding), finding.instead),
    )
    listed = _list(f"<i>{label}</i>: {escape(words)}" for label, words in rows if words)
    return f"<div><b>{escape(finding.grade.value)}</b>: {escape(finding.title)}{listed}</div>"


def finding_text(finding: Finding) -> str:
    """Grade, title and place; how it fails; what to use instead."""
    rows = (("place", finding.place), ("fails", counterexample(finding)), (remedy(finding), finding.instead))
    lines = [f"  {label:<11}  {_short(text)}" for label, text in rows if text]
    return "\n".join([f"{finding.grade.value}: {finding.title} [{finding.name}]", *lines])


def theorem_text(theorem: Theorem) -> str:
    """The id with the source, and the bound in at most a few lines; `text()` gives the whole statement."""
    head = f"<Theorem {theorem.id} ({source(theorem.source)})"
    if theorem.bound is None:
        return f"{head}: not checkable>"
    lines = inequality(theorem.bound)
    shown = [_short(line) for line in lines[:3]]
    shown += ["..."] if len(lines) > 3 else []
    refuted = ["as published: refuted"] if theorem.published is not None else []
    return "\n  ".join([head, *shown, *refuted]) + ">"


def value_text(value: Value) -> str:
    """'regret <= 738.54', and below it the statement and the enclosure."""
    by = f"  by        {value.theorem.id}" if value.theorem is not None else ""
    return "\n".join(line for line in (_number(value), by, f"  enclosed  {value.digits}") if line)


def value_html(value: Value) -> str:
    """The same, with the statement's formula."""
    theorem = value.theorem
    bound = None if theorem is None else theorem.bound
    formula = "" if theorem is None or bound is None else _display(theorem, bound)
    by = "" if theorem is None else f" by <code>{escape(theorem.id)}</code>"
    holds = f", {escape(mode(bound))}" if bound is not None and mode(bound) else ""
    return f"<div><b>{escape(_number(value))}</b>{holds}{by}{formula}<p>enclosed {escape(value.digits)}</p></div>"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _number(value: Value) -> str:
    of = "" if value.theorem is None or value.theorem.bound is None else f"{value.theorem.bound.of.name} "
    return f"{of}{value.sense.value} {value.bound!r}"


def _display(theorem: Theorem, bound: Bound) -> str:
    return _escaped(latex_bound(bound, alphabet(theorem)))


def _line(theorem: Theorem, step: Step) -> str:
    return _escaped(latex_line(step, alphabet(theorem)))


def _escaped(latex: str) -> str:
    return f"$${escape(latex.removeprefix(_OPEN).removesuffix(_CLOSE).strip(), quote=False)}$$"


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
