"""Statements as plain text, LaTeX and JSON-able dictionaries. Text names quantities by their words, LaTeX by their letters."""

from typing import Any

import sympy

from banditproof import glossary
from banditproof.theory.language import Bound, Checked, Constants, Hypothesis, Implicit, Mode, Sense, Source, Step, Theorem, symbol

_CHECKED = {
    Checked.BY_VALUE: "checked from the values",
    Checked.BY_ENVIRONMENT: "checked by the environment",
    Checked.ASSUMED: "assumed",
}


# --- plain text ------------------------------------------------------------------------------------------------------------------


def text(theorem: Theorem) -> str:
    """Theorem.text."""
    lines = [theorem.id, f"  {source(theorem.source)}", "", f"  {theorem.statement}", ""]
    if theorem.bound is None:
        lines += [f"  Not checkable: {theorem.not_checkable}"]
    else:
        lines += _indent(inequality(theorem.bound), 4)
        lines += ["", "  with", *(f"    {quantity.name}: {quantity.meaning}; {quantity.domain.rule()}" for quantity in theorem.bound.given)]
        lines += [f"    {definition(implicit)}" for implicit in theorem.bound.where]
    if theorem.hypotheses:
        lines += ["", "  if", *(f"    {item.statement}  [{_CHECKED[item.checked]}: {item.name}]" for item in theorem.hypotheses)]
    if theorem.steps:
        lines += ["", "  proof lines that can be checked", *(line for step in theorem.steps for line in _step_lines(step))]
    if theorem.erratum is not None:
        found = ", ".join(f"{name} = {value}" for name, value in theorem.erratum.counterexample)
        lines += ["", "  Erratum. As printed:", *_indent(inequality(theorem.erratum.printed), 4)]
        lines += [f"    fails: {theorem.erratum.reason}", f"    at {found}: {theorem.erratum.truth}"]
        lines += [f"    stands: {theorem.erratum.standing}"] if theorem.erratum.standing else []
    return "\n".join(lines)


def _step_lines(step: Step) -> list[str]:
    """A line of a proof, and below it, if it is false, that it is refuted, and why."""
    mark = [f"      ✗ refuted as published: {step.erratum}"] if step.erratum else []
    return [f"    {step_text(step)}", *mark]


def _order(bound: Bound) -> str:
    """O for an upper bound whose constants are suppressed, Omega for a lower one, Theta for both; '' where constants are explicit."""
    if bound.constants is not Constants.SUPPRESSED:
        return ""
    return {Sense.AT_MOST: "O", Sense.AT_LEAST: "Omega", Sense.EQUALS: "Theta"}[bound.sense]


def inequality(bound: Bound) -> list[str]:
    """'epsilon <= sensitivity/scale, always', one line per case."""
    big = _order(bound)
    lines = []
    for case in bound.cases:
        right = f"{big}({case.expression})" if big else str(case.expression)
        condition = "" if case.condition == sympy.true else f"   if {case.condition}"
        lines.append(f"{bound.of.name} {bound.sense.value} {right}{condition}")
    lines[-1] += f", {mode(bound)}"
    return lines


def mode(bound: Bound) -> str:
    match bound.mode:
        case Mode.ALWAYS:
            return "always"
        case Mode.IN_EXPECTATION:
            return "in expectation"
        case Mode.WITH_PROBABILITY:
            failure = bound.failure.name if bound.failure else ""
            together = f", for all values up to {bound.uniform_over.name} at once" if bound.uniform_over else ""
            return f"with probability at least 1 - {failure}{together}"


def definition(implicit: Implicit) -> str:
    kind = "least integer with" if implicit.of.domain.integer else "root of"
    return f"{implicit.of.name}: {implicit.of.meaning}; the {kind} {_relation(implicit.condition)}"


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
    }
)


def latex(theorem: Theorem) -> str:
    """Theorem.latex."""
    lines = [rf"\paragraph{{\texttt{{{escape(theorem.id)}}}}} ({escape(source(theorem.source))}) {escape(theorem.statement)}"]
    if theorem.bound is None:
        lines.append(f"Not checkable: {escape(theorem.not_checkable)}")
    else:
        lines.append(latex_bound(theorem.bound))
    if theorem.hypotheses:
        items = (rf"  \item {escape(item.statement)} (\emph{{{_CHECKED[item.checked]}}})" for item in theorem.hypotheses)
        lines += [r"\begin{itemize}", *items, r"\end{itemize}"]
    for step in theorem.steps:
        lines.append(rf"\[ {formula(step.left)} {_LATEX_SENSE[step.sense]} {formula(step.right)} \]")
        lines += [rf"\emph{{Refuted as published:}} {escape(step.erratum)}"] if step.erratum else []
    if theorem.erratum is not None:
        lines += [rf"\emph{{Erratum.}} {escape(theorem.erratum.reason)} As printed:", latex_bound(theorem.erratum.printed)]
    return "\n".join(lines)


def latex_bound(bound: Bound) -> str:
    """The inequality as a display, with the definitions of implicit quantities."""
    letter = {"": "", "O": "O", "Omega": r"\Omega", "Theta": r"\Theta"}[_order(bound)]
    big = (rf"{letter}\!\left(", r"\right)") if letter else ("", "")
    rows = [
        (formula(case.expression).join(big), "" if case.condition == sympy.true else rf"\text{{if }} {formula(case.condition)}")
        for case in bound.cases
    ]
    if len(rows) == 1 and not rows[0][1]:
        right = rows[0][0]
    else:
        right = r"\begin{cases} " + r" \\ ".join(f"{value} & {condition}" for value, condition in rows) + r" \end{cases}"
    defined = "".join(rf",\quad {implicit.of.latex}:\ {formula(implicit.condition)}" for implicit in bound.where)
    return rf"\[ {bound.of.latex} {_LATEX_SENSE[bound.sense]} {right}{defined} \qquad\text{{({escape(mode(bound))})}} \]"


def formula(expression: sympy.Basic) -> str:
    names = {symbol(quantity): quantity.latex for quantity in glossary.quantities().values()}
    return str(sympy.latex(expression, symbol_names=names))


def escape(plain: str) -> str:
    return plain.translate(_ESCAPES)


# --- JSON ------------------------------------------------------------------------------------------------------------------------


def describe(theorem: Theorem) -> dict[str, Any]:
    """Theorem.describe: strings, booleans, lists, dictionaries and None alone."""
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
        "bound": None if theorem.bound is None else _bound(theorem.bound),
        "not_checkable": theorem.not_checkable or None,
        "steps": [
            {
                "id": step.id,
                "text": step_text(step),
                "left": str(step.left),
                "sense": step.sense.value,
                "right": str(step.right),
                "erratum": step.erratum or None,
            }
            for step in theorem.steps
        ],
        "erratum": None
        if theorem.erratum is None
        else {
            "printed": _bound(theorem.erratum.printed),
            "reason": theorem.erratum.reason,
            "counterexample": dict(theorem.erratum.counterexample),
            "truth": theorem.erratum.truth,
            "standing": theorem.erratum.standing,
        },
        "latex": latex(theorem),
    }


def _hypothesis(item: Hypothesis) -> dict[str, Any]:
    condition = None if item.condition is None else str(item.condition)
    return {"name": item.name, "statement": item.statement, "checked": item.checked.value, "condition": condition}


def _bound(bound: Bound) -> dict[str, Any]:
    return {
        "of": bound.of.name,
        "sense": bound.sense.value,
        "cases": [{"condition": str(case.condition), "expression": str(case.expression)} for case in bound.cases],
        "given": [
            {"name": quantity.name, "meaning": quantity.meaning, "unit": quantity.unit, "rule": quantity.domain.rule()}
            for quantity in bound.given
        ],
        "mode": bound.mode.value,
        "failure": bound.failure.name if bound.failure else None,
        "uniform_over": bound.uniform_over.name if bound.uniform_over else None,
        "constants": bound.constants.value,
        "where": [definition(implicit) for implicit in bound.where],
        "text": "; ".join(inequality(bound)),
    }
