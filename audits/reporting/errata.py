"""`docs/errata`: every refuted statement or line of a proof, from the Erratum objects of the theory and from nothing else."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from banditproof.theory.language import Erratum, Step, Theorem

HEAD = """# Errata of {stem}

Written by `banditproof theory errata {stem}`; `make errata` writes this file again. [What an entry says](README.md).
"""


def markdown(stem: str) -> str:
    """The errata of one paper, '' if it has none. Each number in it stands in the theory."""
    from banditproof.audits.running.registry import theorems

    entries = [entry for theorem in theorems(stem).values() for entry in _entries(theorem)]
    return "\n".join([HEAD.format(stem=stem), *entries]) if entries else ""


def _entries(theorem: "Theorem") -> Iterator[str]:
    if theorem.erratum is not None:
        yield _statement(theorem, theorem.erratum)
    for step in theorem.steps:
        if step.erratum:
            yield _line(theorem, step)


def _statement(theorem: "Theorem", erratum: "Erratum") -> str:
    from banditproof.theory.rendering import inequality

    at = ", ".join(f"{name} = {number}" for name, number in erratum.counterexample)
    repaired = [] if theorem.bound is None else inequality(theorem.bound)
    return _entry(
        theorem.id,
        theorem.source.locator,
        theorem.statement,
        [("As printed", inequality(erratum.printed))],
        (("Fails because", erratum.reason), ("Counterexample", f"{at}: {erratum.truth}"), ("Stands", erratum.standing)),
        repaired,
        _dependents(theorem),
    )


def _line(theorem: "Theorem", step: "Step") -> str:
    from banditproof.theory.rendering import step_text

    named = [other for other in theorem.steps if re.search(rf"\b{other.id}\b", step.erratum)]
    return _entry(
        f"{theorem.id}, step {step.id}",
        theorem.source.locator,
        "",
        [("Printed", [step.printed]), ("What it needs", [step_text(step)])] if step.printed else [("As printed", [step_text(step)])],
        (("Counterexample", step.erratum), ("Stands", step.standing)),
        [step_text(other) for other in named],
        [theorem.id, *_dependents(theorem)],
    )


def _entry(
    name: str,
    place: str,
    statement: str,
    printed: list[tuple[str, list[str]]],
    notes: tuple[tuple[str, str], ...],
    repaired: list[str],
    dependents: list[str],
) -> str:
    parts = [f"## {name}", f"{place}. {statement}".rstrip(), *(_block(title, lines) for title, lines in printed)]
    (first, *rest) = [f"{title}: {text}" for title, text in notes if text]
    parts += [first, *rest[:-1]] if repaired else [first, *rest]
    if repaired:
        parts += [_block("Repaired", repaired), *rest[-1:]]
    parts.append(f"Rests on it: {', '.join(dict.fromkeys(dependents)) or 'nothing else here'}.")
    return "\n\n".join(parts) + "\n"


def _block(title: str, lines: list[str]) -> str:
    block = "\n".join(lines)
    return f"{title}:\n\n```\n{block}\n```"


def _dependents(theorem: "Theorem") -> list[str]:
    """Statements that rest on it, and on those in turn, then the algorithms that promise one of them."""
    from banditproof.audits.running import registry
    from banditproof.audits.running.audit import stem_of

    found, waiting = dict.fromkeys([theorem.id]), [theorem]
    while waiting:
        used = waiting.pop(0)
        for id, other in registry.theorems(stem_of(used.id)).items():
            if id not in found and _rests_on(other, used):
                found[id] = None
                waiting.append(other)
    return [*(id for id in found if id != theorem.id), *(algorithm for id in found for algorithm in promising(id))]


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
    erratum = "" if theorem.erratum is None else f"{theorem.erratum.reason} {theorem.erratum.truth}"
    return f"{theorem.statement} {theorem.source.locator} {theorem.not_checkable} {erratum}"


def promising(id: str) -> list[str]:
    """Names of the algorithms that promise a statement."""
    import inspect
    from dataclasses import fields, is_dataclass
    from importlib import import_module

    from banditproof.audits.running import registry

    found = []
    for name in registry.modules("banditproof.algorithms"):
        for kind in vars(import_module(name)).values():
            if inspect.isclass(kind) and kind.__module__ == name and is_dataclass(kind):
                promises = {field.name: field.default for field in fields(kind)}.get("promises")
                if isinstance(promises, tuple) and id in promises:
                    found.append(kind.__name__)
    return found
