"""`docs/findings` and `theory findings`: what is wrong in a paper, worst first, from the Finding objects of the theory and nothing else."""

import functools
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from banditproof.audits.running.registry import Observation
    from banditproof.glossary import Quantity
    from banditproof.theory.findings import Finding, Grade
    from banditproof.theory.language import Bound, Step, Theorem

_OPEN, _CLOSE = "\\[", "\\]"  # a display, which Markdown writes otherwise
HEAD = """# Findings: {stem}

What is wrong, missing or open in the text of {sources}, worst first. [How to read an entry](README.md).
Written by `banditproof theory findings {stem}`; `make findings` writes this file again.

{counts}
"""


def markdown(stem: str, grades: "Iterable[Grade]" = ()) -> str:
    """The findings of one paper (of these grades), '' if it has none. Each number in it stands in the theory."""
    from banditproof.audits.running.registry import findings
    from banditproof.theory.notation import paper

    wanted = set(grades)
    found = [item for item in findings(stem).values() if not wanted or item.finding.grade in wanted]
    if not found:
        return ""
    keys = dict.fromkeys(item.theorem.source.key for item in found)
    sources = paper(stem) or " and of ".join(", ".join(part for part in (f"`{key}`", _version(key, found)) if part) for key in keys)
    parts = [HEAD.format(stem=stem, sources=sources, counts=counts(found)), _summary(found), *(_entry(item) for item in found)]
    return _linked("\n".join(parts), found) + "\n" + _letters(stem, found)


def _linked(page: str, found: "list[Observation]") -> str:
    """The page with links where it names one of its findings as 'finding NAME', outside formulas."""
    names = {item.finding.name for item in found}

    def linked(words: str) -> str:
        return re.sub(r"\b([Ff]inding) `?([a-z0-9_]+)`?(?![\w.])", lambda m: f"{m[1]} [{m[2]}](#{m[2]})" if m[2] in names else m[0], words)

    parts = re.split(r"(^```.*?^```)", page, flags=re.DOTALL | re.MULTILINE)
    return "".join(part if part.startswith("```") else linked(part) for part in parts)


def counts(found: "Iterable[Observation]") -> str:
    """'2 FALSE, 1 MISPRINT; beside them 3 READING, which accuse nothing.'"""
    from banditproof.theory.findings import Grade

    grades = [item.finding.grade for item in found]
    counted = ", ".join(f"{grades.count(grade)} {grade.value}" for grade in Grade if grade.counted and grade in grades)
    readings = grades.count(Grade.READING)
    beside = f"{readings} READING, which {'accuses' if readings == 1 else 'accuse'} nothing"
    return "; beside them ".join(part for part in (counted, beside if readings else "") if part) + "."


def _version(key: str, found: "list[Observation]") -> str:
    return next((item.theorem.source.version for item in found if item.theorem.source.key == key and item.theorem.source.version), "")


def _summary(found: "list[Observation]") -> str:
    rows = ["| grade | what | where in the paper | how far it reaches |", "| --- | --- | --- | --- |"]
    for item in found:
        one = item.finding
        reach = one.reach.value if one.grade.counted else "no fault is claimed"
        rows.append(f"| {one.grade.value} | [{_cell(one.title)}](#{one.name}) | {_cell(one.place)} | {reach} |")
    return "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _entry(item: "Observation") -> str:
    """One finding: what is printed, how it fails, how bad that is, what stands and what to use."""
    theorem, one = item.theorem, item.finding
    stated = [step for step in theorem.steps if step.id == one.step]
    named = [step for step in theorem.steps if step.id != one.step and _names(one, step)]
    published = theorem.published if not one.step and one.values else None
    repaired = theorem.bound if published is not None else None
    values = ", ".join(f"{name} = {number}" for name, number in one.values)
    fields = (
        ("Read literally", one.literal),
        ("Read charitably", one.charitable),
        ("Counterexample", one.counterexample or values),
        ("Consequence", one.consequence),
        ("What still stands", one.stands),
        ("Use instead", one.instead),
    )
    parts = [f'<a id="{one.name}"></a>', f"## {one.grade.value}: {one.title}", f"{one.place}:", _quoted(one.sentence)]
    parts += [f"**{title}.** {words}" for title, words in fields if words]
    if published is not None or stated:
        parts += _formulas("As published" if published is not None else "What the sentence needs, as a formula", theorem, published, stated)
        parts += [f"The counterexample, in these names: `{values}`."] if values else []
    parts += _formulas("Repaired", theorem, repaired, [] if repaired is not None else named)
    parts.append(f"Statement here: `{theorem.id}`. {_replays(item)}{_needed_by(theorem) if one.grade.counted else ''}".rstrip())
    return "\n\n".join(parts) + "\n"


def _names(finding: "Finding", step: "Step") -> bool:
    """Whether a finding says to use this line instead."""
    return re.search(rf"\b{step.id}\b", finding.instead) is not None


def _formulas(title: str, theorem: "Theorem", bound: "Bound | None", steps: "list[Step]") -> list[str]:
    """A bound, or lines of a proof, in the names of quantities and in the letters of the paper; nothing where there is neither."""
    from banditproof.theory.notation import alphabet
    from banditproof.theory.rendering import inequality, latex_bound, latex_line

    if bound is None and not steps:
        return []
    known = alphabet(theorem)
    lines = inequality(bound) if bound is not None else [line for step in steps for line in _line(step)]
    shown = [latex_bound(bound, known)] if bound is not None else [latex_line(step, known) for step in steps]
    return [_block(title, lines), *(f"$${text.removeprefix(_OPEN).removesuffix(_CLOSE).strip()}$$" for text in shown)]


def _line(step: "Step") -> list[str]:
    """A line of a proof, and what its two sides are."""
    from banditproof.theory.rendering import step_text

    return [step_text(step), *([f"  {step.note}"] if step.note else [])]


def _quoted(sentence: str) -> str:
    return "\n".join(f"> {line}" for line in sentence.splitlines())


def _replays(item: "Observation") -> str:
    audits = [f"`banditproof verify '{id}'`" for id in item.refuting()]
    runs = [f"`banditproof reproduce {run.partition('#')[0]}` (outcome {run.partition('#')[2]})" for run in item.finding.runs]
    return f"Replay: {', '.join((*audits, *runs))}. " if audits or runs else ""


def _needed_by(theorem: "Theorem") -> str:
    names = _dependents(theorem)
    return f"Used by: {', '.join(f'`{name}`' for name in names)}." if names else ""


def _block(title: str, lines: list[str]) -> str:
    body = "\n".join(lines)
    return f"{title}:\n\n```\n{body}\n```"


def _letters(stem: str, found: "list[Observation]") -> str:
    """The paper's letters for the quantities in the statements concerned."""
    from banditproof.theory.notation import letters

    quantities = {quantity: None for item in found for quantity in _quantities(item.theorem)}
    known = letters(stem)
    rows = sorted((quantity.name, known.get(quantity, quantity.latex), quantity.meaning) for quantity in quantities)
    lines = [
        "## Letters",
        "",
        "The names in the formulas above, and the letters of the paper.",
        "",
        "| name | letter | meaning |",
        "| --- | --- | --- |",
    ]
    return "\n".join([*lines, *(f"| `{name}` | ${letter}$ | {_cell(meaning)} |" for name, letter, meaning in rows)]) + "\n"


def _quantities(theorem: "Theorem") -> "Iterable[Quantity]":
    for bound in (theorem.bound, theorem.published):
        if bound is not None:
            yield from (bound.of, *bound.quantities())
    for step in theorem.steps:
        if any(item.step == step.id or _names(item, step) for item in theorem.findings):
            yield from step.draw_order


def _dependents(theorem: "Theorem") -> list[str]:
    """Statements that depend on it, and on those in turn, then the algorithms that claim one of them."""
    from banditproof.audits.running import registry
    from banditproof.audits.running.audit import stem_of

    found, waiting = dict.fromkeys([theorem.id]), [theorem]
    while waiting:
        used = waiting.pop(0)
        for id, other in registry.theorems(stem_of(used.id)).items():
            if id not in found and _rests_on(other, used):
                found[id] = None
                waiting.append(other)
    return [*(id for id in found if id != theorem.id), *dict.fromkeys(name for id in found for name in _promising().get(id, ()))]


_RESULT = re.compile(r"(?:Theorem|Remark|Corollary|Lemma) \d+\.\d+")


def _rests_on(theorem: "Theorem", used: "Theorem") -> bool:
    """Whether its text names the other, or it is the result on the regret in whose proof the other stands."""
    from banditproof.glossary import REGRET

    name = used.id.split(".")[1]
    if re.search(rf"\b{name if '_' in name else re.escape(used.id)}\b", _words(theorem)):  # "regret" is a word, "clean_radius" a name
        return True
    if used.bound is None:  # a comparison of regrets is no part of their proofs
        return False
    result = _RESULT.search(used.source.locator)
    if result is None or theorem.bound is None or theorem.bound.of is not REGRET:
        return False
    return re.fullmatch(rf"(?:\[assembled\] )?{re.escape(result.group())}(?:[,;].*)?", theorem.source.locator) is not None


def _words(theorem: "Theorem") -> str:
    found = " ".join(f"{item.literal} {item.counterexample}" for item in theorem.findings)
    return f"{theorem.statement} {theorem.source.locator} {theorem.not_checkable} {found}"


@functools.cache
def _promising() -> dict[str, tuple[str, ...]]:
    """Names of the algorithms that claim a statement, by its id."""
    import inspect
    from dataclasses import fields, is_dataclass
    from importlib import import_module

    from banditproof.audits.running import registry

    found: dict[str, tuple[str, ...]] = {}
    for name in registry.modules("banditproof.algorithms"):
        for kind in vars(import_module(name)).values():
            if inspect.isclass(kind) and kind.__module__ == name and is_dataclass(kind):
                theorems = {field.name: field.default for field in fields(kind)}.get("theorems")
                for id in theorems if isinstance(theorems, tuple) else ():
                    found[id] = (*found.get(id, ()), kind.__name__)
    return found
