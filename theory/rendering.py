"""Statements as plain text, LaTeX and JSON-able dictionaries.

Text names quantities by their words, LaTeX by the paper's letters; each shows the table of both. A maximum is shown as one, and how a bound
holds is said only where that is not always.
"""

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy

from banditproof.glossary import Quantity
from banditproof.theory.extremes import shown
from banditproof.theory.findings import Finding, Grade
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Implicit, Mode, Sense, Source, Step, Theorem
from banditproof.theory.notation import alphabet, auxiliary, by_symbol, named, spelt

_CHECKED = {
    Checked.BY_VALUE: "checked from the values",
    Checked.BY_ENVIRONMENT: "an audit checks this on its environment",
    Checked.ASSUMED: "assumed",
}
_CHECKED_MEANING = {
    Checked.BY_VALUE: "`theory eval` refuses values that break the condition",
    Checked.BY_ENVIRONMENT: "each audit that draws data tests the condition on the environment or the query that it draws from",
    Checked.ASSUMED: "nothing checks the condition; each result lists it",
}


# --- plain text ------------------------------------------------------------------------------------------------------------------


def text(theorem: Theorem) -> str:
    """Theorem.text. Raises ValueError where two quantities of the statement have one letter."""
    known = alphabet(theorem)
    lines = [theorem.id, f"  {source(theorem.source)}"]
    lines += [f"  {ASSEMBLED}"] if theorem.source.assembled else []
    lines += ["", f"  {theorem.statement}", ""]
    if theorem.bound is None:
        lines += [f"  Not checkable: {theorem.not_checkable}"]
    else:
        lines += _indent(inequality(theorem.bound), 4)
        lines += ["", "  with (in brackets: the paper's letter)", f"    {named(theorem.bound.of, known)}: {theorem.bound.of.meaning}"]
        lines += [_entry(quantity, known) for quantity in theorem.bound.given]
        lines += [f"    {definition(implicit, known)}" for implicit in theorem.bound.where]
    if theorem.hypotheses:
        lines += ["", "  if"]
        lines += [f"    {item.statement}  [{_CHECKED[item.checked]}: {item.name}]{_ours(item.added)}" for item in theorem.hypotheses]
    if theorem.published is not None:
        lines += ["", "  as published, which is refuted", *_indent(inequality(theorem.published), 4)]
    if theorem.findings_about():
        lines += ["", "  findings", *(line for item in theorem.findings_about() for line in mark(item, "    "))]
    if theorem.steps:
        lines += ["", "  proof lines that can be checked", *(line for step in theorem.steps for line in _step_lines(theorem, step))]
        others = auxiliary(theorem)
        lines += ["", "  with, in these lines", *(_entry(quantity, known) for quantity in others)] if others else []
    legend = [f"    {mark}: {meaning}" for mark, meaning in _marks(theorem)]
    return "\n".join([*lines, *(["", "  marks", *legend] if legend else [])])


_ADDED, _OURS = "not in the paper; see the finding", "ours, not in the paper"
ASSEMBLED = "[assembled]: stated here, not printed in the paper in this form"


def _entry(quantity: Quantity, known: Mapping[Quantity, str]) -> str:
    """A line of the table of letters: 'horizon (n): number of rounds; an integer >= 1'."""
    return f"    {named(quantity, known)}: {quantity.meaning}; {quantity.domain.rule()}"


def _ours(added: str | bool) -> str:
    """The mark of what the paper does not have."""
    name = f"  [{_ADDED} {added}]" if isinstance(added, str) else f"  [{_OURS}]"
    return name if added else ""


def _marks(theorem: Theorem) -> list[tuple[str, str]]:
    """The marks and the grades that occur in the text of a statement, each with its meaning."""
    checked = {item.checked for item in theorem.hypotheses}
    cases = theorem.bound.cases if theorem.bound is not None else ()
    added = any(item.added for item in theorem.hypotheses) or any(case.added for case in cases)
    found = {item.grade for item in theorem.findings}
    return [
        *((_CHECKED[each], _CHECKED_MEANING[each]) for each in Checked if each in checked),
        *([(_ADDED, "the paper does not state this condition or case, which the claim needs; the finding of this name says why")] * added),
        *([(_OURS, "a line that repairs a step of the proof or makes it explicit")] * any(step.ours for step in theorem.steps)),
        *((grade.value, grade.meaning) for grade in Grade if grade in found),
    ]


def _step_lines(theorem: Theorem, step: Step) -> list[str]:
    """A line of a proof, and below it what its sides are and what was found about it."""
    return [
        f"    {step_text(step)}{_ours(step.ours)}",
        *([f"      {step.note}"] if step.note else []),
        *(line for item in theorem.findings_about(step.id) for line in mark(item, "      ")),
    ]


def mark(finding: Finding, margin: str) -> list[str]:
    """A finding at the line that it is about: grade and title; the counterexample; what to use instead; what remains true."""
    sign = "✗ refuted as published: " if finding.grade.refutes else "· "
    lines = [f"{margin}{sign}{finding.grade.value}: {finding.title} [{finding.name}]"]
    refuted = finding.grade.refutes
    parts = ((REMAINS, finding.stands),) if refuted else ()
    parts = ((remedy(finding), finding.instead), *parts)
    parts = (("fails at", counterexample(finding)), *parts) if refuted else parts
    return lines + [f"{margin}  {name}: {words}" for name, words in parts if words]


REMAINS = "remains true"


def remedy(finding: Finding) -> str:
    """What stands before `Finding.instead`: how a misprint should read, or else what to use."""
    return "should read" if finding.grade is Grade.MISPRINT else "use instead"


def counterexample(finding: Finding) -> str:
    """'epsilon = 3, failure = 1/2: the left side is ...'; where the words begin with the same values they are not said twice."""
    values = ", ".join(f"{name} = {number}" for name, number in finding.values)
    start, colon, _ = finding.counterexample.partition(": ")
    if colon and _numbers(start) >= {Fraction(number) for _, number in finding.values}:
        return finding.counterexample
    return ": ".join(part for part in (values, finding.counterexample) if part)


def _numbers(words: str) -> set[Fraction]:
    """The numbers in a text: 3, 1/2, 0.05, 10^4, 2 %."""
    found = re.findall(r"(?<![\w.])(-?\d+(?:\.\d+|/\d+)?)(?:\^(-?\d+))?( %)?", words)
    return {Fraction(number) ** int(power or 1) / (100 if percent else 1) for number, power, percent in found}


def _order(bound: Bound) -> str:
    """O for an upper bound whose constants are suppressed, Omega for a lower one, Theta for both; '' where constants are explicit."""
    if bound.constants is not Constants.SUPPRESSED:
        return ""
    return {Sense.AT_MOST: "O", Sense.AT_LEAST: "Omega", Sense.EQUALS: "Theta"}[bound.sense]


def inequality(bound: Bound) -> list[str]:
    """'regret <= 3*horizon, in expectation', one line per case; maxima as `max(a, b)`."""
    big = _order(bound)
    lines = []
    for case in shown(bound.cases).rows:
        right = f"{big}({case.expression})" if big else str(case.expression)
        condition = "" if case.condition == sympy.true else f"   if {case.condition}"
        lines.append(f"{bound.of.name} {bound.sense.value} {right}{condition}{''.join(_ours(name) for name in case.added)}")
    lines[-1] += f", {'in each case ' if len(lines) > 1 else ''}{mode(bound)}" if mode(bound) else ""
    return lines


def mode(bound: Bound) -> str:
    """How the bound holds, in words: '' for what holds always, where there is nothing to say."""
    match bound.mode:
        case Mode.ALWAYS:
            return ""
        case Mode.IN_EXPECTATION:
            return "in expectation"
        case Mode.WITH_PROBABILITY:
            failure = bound.failure.name if bound.failure else ""
            together = f", {_every(bound.uniform_over)} at once" if bound.uniform_over else ""
            return f"with probability at least 1 - {failure}{together}"


def _every(upper: Quantity) -> str:
    """'in all rounds up to horizon'"""
    return f"in all {upper.unit or 'values'} up to {upper.name}"


def definition(implicit: Implicit, known: Mapping[Quantity, str] | None = None) -> str:
    """'levels (L): ...; the least integer with 2**levels > horizon', with the letter where letters are given."""
    kind = "least integer with" if implicit.of.domain.integer else "root of"
    name = implicit.of.name if known is None else named(implicit.of, known)
    return f"{name}: {implicit.of.meaning}; the {kind} {_relation(implicit.condition)}"


def step_text(step: Step) -> str:
    within = f"   where {', '.join(_relation(item) for item in step.domain)}" if step.domain else ""
    note = f" ({step.reason})" if step.reason else ""
    return f"{step.id}: {step.left} {step.sense.value} {step.right}{within}{note}"


def source(item: Source) -> str:
    return ", ".join(part for part in (item.key, item.locator, item.version) if part)


def _relation(condition: sympy.Basic) -> str:
    if isinstance(condition, sympy.Eq):
        return f"{condition.lhs} = {condition.rhs}"
    return str(condition)


def _indent(lines: list[str], by: int) -> list[str]:
    return [" " * by + line for line in lines]


# --- LaTeX -----------------------------------------------------------------------------------------------------------------------

_LATEX_SENSE = {Sense.AT_MOST: r"\le", Sense.AT_LEAST: r"\ge", Sense.EQUALS: "="}
_ESCAPES = str.maketrans(
    {
        **{character: "\\" + character for character in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\(<\)",
        ">": r"\(>\)",
        "`": "",
    }
)


def latex(theorem: Theorem) -> str:
    """Theorem.latex. Raises ValueError where two quantities of the statement have one letter."""
    known = alphabet(theorem)
    lines = [rf"\paragraph{{\texttt{{{escape(theorem.id)}}}}} ({escape(source(theorem.source))}) {escape(theorem.statement)}"]
    lines += [rf"\emph{{{escape(ASSEMBLED)}.}}"] if theorem.source.assembled else []
    if theorem.bound is None:
        lines.append(f"Not checkable: {escape(theorem.not_checkable)}")
    else:
        lines.append(latex_bound(theorem.bound, known))
    if theorem.hypotheses:
        items = (
            rf"  \item {escape(item.statement + _ours(item.added))} (\emph{{{_CHECKED[item.checked]}}})" for item in theorem.hypotheses
        )
        lines += [r"\begin{itemize}", *items, r"\end{itemize}"]
    for step in theorem.steps:
        lines.append(latex_line(step, known))
        lines += [escape(_ours(step.ours).strip())] if step.ours else []
        lines += [escape(step.note)] if step.note else []
        lines += [_latex_mark(item) for item in theorem.findings_about(step.id)]
    if theorem.published is not None:
        lines += [r"\emph{As published, which is refuted:}", latex_bound(theorem.published, known)]
    lines += [_latex_mark(item) for item in theorem.findings_about()]
    return "\n".join([*lines, *_latex_table(known)])


def _latex_table(known: Mapping[Quantity, str]) -> list[str]:
    """What each letter of the statement means."""
    if not known:
        return []
    items = (rf"  \item \({letter}\): {escape(one.meaning)} (\texttt{{{escape(one.name)}}})" for one, letter in known.items())
    return [r"\emph{Letters:}", r"\begin{itemize}", *items, r"\end{itemize}"]


def _latex_mark(finding: Finding) -> str:
    sign = r"\emph{Refuted as published.} " if finding.grade.refutes else ""
    words = f"{finding.grade.value}: {finding.title}. {counterexample(finding)}".strip()
    return rf"{sign}{escape(words)} \emph{{{remedy(finding).capitalize()}:}} {escape(finding.instead)}"


def latex_line(step: Step, known: Mapping[Quantity, str]) -> str:
    """A line of a proof as a display in these letters."""
    within = rf" \qquad\text{{where }} {_conditions(step.domain, known)}" if step.domain else ""
    return rf"\[ {formula(step.left, known)} {_LATEX_SENSE[step.sense]} {formula(step.right, known)}{within} \]"


def latex_bound(bound: Bound, known: Mapping[Quantity, str]) -> str:
    """The inequality as a display in these letters, with the definitions of implicit quantities."""
    letter = {"": "", "O": "O", "Omega": r"\Omega", "Theta": r"\Theta"}[_order(bound)]
    big = (rf"{letter}\!\left(", r"\right)") if letter else ("", "")
    cases = shown(bound.cases)
    maxima: dict[object, str] = {}
    for item in cases.extremes:
        entries = ", ".join(formula(entry, known, maxima) for entry in item.entries)
        maxima[item.symbol] = rf"\{item.word}\left\{{ {entries} \right\}}"
    rows = [
        (
            formula(case.expression, known, maxima).join(big),
            "" if case.condition == sympy.true else rf"\text{{if }} {formula(case.condition, known, maxima)}",
        )
        for case in cases.rows
    ]
    if len(rows) == 1 and not rows[0][1]:
        right = rows[0][0]
    else:
        right = r"\begin{cases} " + r" \\ ".join(f"{value} & {condition}" for value, condition in rows) + r" \end{cases}"
    defined = "".join(rf",\quad {known[implicit.of]}:\ {formula(implicit.condition, known)}" for implicit in bound.where)
    words = _latex_mode(bound, known)
    return rf"\[ {known[bound.of]} {_LATEX_SENSE[bound.sense]} {right}{defined}{words} \]"


def _latex_mode(bound: Bound, known: Mapping[Quantity, str]) -> str:
    """How the bound holds, in the letters of the paper."""
    words = escape(mode(bound))
    for quantity in filter(None, (bound.failure, bound.uniform_over)):
        words = words.replace(escape(quantity.name), rf"\({known[quantity]}\)")
    return rf" \qquad\text{{({words})}}" if words else ""


def _conditions(conditions: Iterable[sympy.Basic], known: Mapping[Quantity, str]) -> str:
    return r",\ ".join(formula(item, known) for item in conditions)


def formula(expression: sympy.Basic, known: Mapping[Quantity, str], maxima: Mapping[object, str] | None = None) -> str:
    """An expression or a condition in the letters of a paper."""
    return str(sympy.latex(expression, symbol_names={**by_symbol(known), **(maxima or {})}))


def escape(plain: str) -> str:
    return plain.translate(_ESCAPES)


# --- JSON ------------------------------------------------------------------------------------------------------------------------


def describe(theorem: Theorem) -> dict[str, Any]:
    """Theorem.describe: strings, booleans, lists, dictionaries and None alone."""
    known = alphabet(theorem)
    return {
        "id": theorem.id,
        "statement": theorem.statement,
        "source": {
            "key": theorem.source.key,
            "locator": theorem.source.locator,
            "version": theorem.source.version,
            "assembled": theorem.source.assembled,
        },
        "hypotheses": [_hypothesis(item) for item in theorem.hypotheses],
        "bound": None if theorem.bound is None else _bound(theorem.bound, known),
        "not_checkable": theorem.not_checkable or None,
        "steps": [
            {
                "id": step.id,
                "text": step_text(step),
                "left": str(step.left),
                "sense": step.sense.value,
                "right": str(step.right),
                "note": step.note or None,
                "ours": step.ours,
                "refuted_as_published": step.id in theorem.false_steps(),
                "findings": [item.name for item in theorem.findings_about(step.id)],
            }
            for step in theorem.steps
        ],
        "published": None if theorem.published is None else _bound(theorem.published, known),
        "findings": [item.describe() for item in sorted(theorem.findings, key=Finding.order)],
        "letters": [{"name": one.name, "letter": spelt(letter), "latex": letter, "meaning": one.meaning} for one, letter in known.items()],
        "latex": latex(theorem),
    }


def _hypothesis(item: Hypothesis) -> dict[str, Any]:
    condition = None if item.condition is None else str(item.condition)
    return {
        "name": item.name,
        "statement": item.statement,
        "checked": item.checked.value,
        "condition": condition,
        "added": item.added or None,
    }


def _bound(bound: Bound, known: Mapping[Quantity, str]) -> dict[str, Any]:
    return {
        "of": bound.of.name,
        "sense": bound.sense.value,
        "cases": [
            {"condition": str(case.condition), "expression": str(case.expression), "added": case.added or None} for case in bound.cases
        ],
        "given": [
            {
                "name": quantity.name,
                "letter": spelt(known[quantity]),
                "meaning": quantity.meaning,
                "unit": quantity.unit,
                "rule": quantity.domain.rule(),
            }
            for quantity in bound.given
        ],
        "mode": bound.mode.value,
        "failure": bound.failure.name if bound.failure else None,
        "uniform_over": bound.uniform_over.name if bound.uniform_over else None,
        "constants": bound.constants.value,
        "where": [definition(implicit) for implicit in bound.where],
        "text": "; ".join(inequality(bound)),
    }
