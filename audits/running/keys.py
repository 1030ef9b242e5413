"""What a kept result depends on, as a key: a result is read back while its key is the same.

The key of an audit's result is a hash of

- the audit: its ids and its label, its method with all parameters, what is expected, what its statement assumes, and the finding that its
  refutation shows
- the request: level, significance level, seed, seed path, whether posteriors are sampled
- the sources that are reached by the module which defines the audit, by the module of its method and by that of its statement
- the data files of its paper; of the proofs kept there only that of its own line
- the versions of Python and of all installed packages, the processor, and variables that change how numbers are computed
"""

import functools
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from banditproof import sources
from banditproof.audits.methods.proof_steps import ProofSteps, kept, proofs_of
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Audit, Request, stem_of
from banditproof.audits.running.ledger import conditions, require_unchanged, watch_also
from banditproof.audits.running.parameters import described
from banditproof.audits.running.run import assumed_by, finding_shown, versions

_SOURCES = (".py", ".pyc")


@dataclass(frozen=True)
class Keys:
    """The keys of audits, and what was read for them."""

    by_audit: dict[str, str]
    files: dict[str, tuple[Path, ...]]  # by audit

    def require_unchanged(self, audit: str) -> None:
        """Raises SourceChanged, naming it, on a source of the audit that was changed since this process began: its result is of neither."""
        require_unchanged(self.files[audit])


def keys_of(chosen: Sequence[Audit], requests: Sequence[Request]) -> Keys:
    """The keys of the audits' results, for these requests."""
    roots = {audit.id: tuple(sorted(_roots(audit))) for audit in chosen}
    reached = sources.reached_each(name for names in roots.values() for name in names)
    paths = {names: tuple(dict.fromkeys(path for name in names for path in reached[name].files.values())) for names in set(roots.values())}
    watch_also(path for found in paths.values() for path in found)
    machine, by_audit, files = _machine(), dict[str, str](), dict[str, tuple[Path, ...]]()
    for audit, request in zip(chosen, requests, strict=True):
        facts = {
            "audit": _identity(audit),
            "method": described(audit.method),
            "request": [request.false_alarm, request.seed, list(request.path), request.level.value, request.posterior],
            "sources": [reached[name].digest for name in roots[audit.id]],
            "data": [_data(stem_of(audit.id)), _proof(audit)],
            "machine": machine,
        }
        by_audit[audit.id] = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
        files[audit.id] = paths[roots[audit.id]]
    return Keys(by_audit, files)


def _roots(audit: Audit) -> set[str]:
    """The modules where the sources of a result begin."""
    stem = stem_of(audit.id)
    places = _defined(stem)
    named = {places[id] for id in (audit.id, audit.theorem) if id in places}
    return {type(audit.method).__module__, *named}


@functools.cache
def _defined(stem: str) -> dict[str, str]:
    """The modules that define a paper's audits and statements, by id. An audit that a method makes from a statement is defined by both."""
    from banditproof.theory.language import Theorem

    paper = registry.papers()[stem]
    audits = {audit.id: name for name, audit in registry.walk(f"{paper.audits}.cases", Audit)}
    statements = {theorem.id: name for name, theorem in registry.walk(paper.theory, Theorem)}
    return {id: name.rpartition(".")[0] for id, name in {**audits, **statements}.items()}


def _identity(audit: Audit) -> list[Any]:
    expected = None if audit.expected is None else audit.expected.value
    return [audit.id, audit.theorem, audit.label, expected, finding_shown(audit), assumed_by(audit.theorem), versions()]


@functools.cache
def _data(stem: str) -> str:
    """A hash of the files beside a paper's modules that are not sources. The proofs are looked at line by line."""
    total, proofs = hashlib.sha256(), proofs_of(stem)
    for folder in _folders(stem):
        for path in sorted(path for path in folder.rglob("*") if path.suffix not in _SOURCES and path.is_file() and path != proofs):
            total.update(b"\0" + path.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _folders(stem: str) -> Iterator[Path]:
    """The folders of a paper's audits and statements, where they are packages."""
    paper = registry.papers()[stem]
    for name in (paper.audits, paper.theory):
        try:
            specification = find_spec(name)
        except ModuleNotFoundError:  # a paper without statements, or without audits
            continue
        yield from () if specification is None else map(Path, specification.submodule_search_locations or ())


def _proof(audit: Audit) -> Any:
    """The kept proof of an audit's line."""
    if not isinstance(audit.method, ProofSteps):
        return None
    return kept(stem_of(audit.method.theorem)).get(f"{audit.method.theorem}:{audit.method.step}")


@functools.cache
def _machine() -> list[Any]:
    """What numbers depend on beside sources: installed packages, the processor, variables."""
    return [*conditions(), sorted(_installed(sys.path))]


def _installed(folders: Iterable[str]) -> set[str]:
    """The installed distributions with their versions, by the names of their folders."""
    kept = (folder for folder in folders if os.path.basename(folder) in ("site-packages", "dist-packages") and os.path.isdir(folder))
    found = (name for folder in kept for name in os.listdir(folder))
    return {name for name in found if name.endswith((".dist-info", ".egg-info"))}
