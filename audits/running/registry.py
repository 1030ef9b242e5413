"""What there is to audit, by paper and lazily: `dwork_2006` imports one paper's statements, audits and controls and no other's.

A paper's stem names its statements, `theory/papers/<stem>`, and its audits, `audits/papers/<stem>/{cases,controls,figures}`. What belongs
to no single paper has a stem too: the package `audits/common/<stem>`, with its statements in `theory/<stem>`. A package of somebody else's
joins by an entry point of the group `banditproof.papers`: its name is the stem, its value a package with `theory`, `cases`, `controls` and
`figures`, those of them that it has.
"""

import fnmatch
import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from banditproof.audits.running.audit import Audit, Control, stem_of
from banditproof.theory.installed import GROUP, installed

if TYPE_CHECKING:
    from banditproof.audits.experiments.experiment import Experiment
    from banditproof.theory.findings import Finding
    from banditproof.theory.language import Theorem

T = TypeVar("T")


@dataclass(frozen=True)
class Paper:
    """Where a stem's statements and audits are: dotted names, which need not exist and are not imported yet."""

    stem: str
    theory: str
    audits: str
    installed: bool = False  # of another distribution, by an entry point


class PaperUnusable(RuntimeError):
    """A paper of another distribution that cannot be taken in; the message names it."""


@functools.cache
def papers() -> dict[str, Paper]:
    """Every paper by its stem; what belongs to no single paper first. Raises ValueError if two share a stem."""
    theory, audits = "banditproof.theory", "banditproof.audits"
    shared = [info.name for info in _children(f"{audits}.common") if info.ispkg]  # the plain modules there are helpers
    stems = sorted({info.name for package in (f"{theory}.papers", f"{audits}.papers") for info in _children(package)})
    own = [Paper(stem, f"{theory}.papers.{stem}", f"{audits}.papers.{stem}") for stem in stems]
    common = [Paper(stem, f"{theory}.{stem}", f"{audits}.common.{stem}") for stem in shared]
    known = _by_id(((paper.audits, paper) for paper in (*common, *own)), lambda paper: paper.stem)
    for stem, package in installed():
        if stem in known:
            raise PaperUnusable(f"entry point {stem!r} of {GROUP} ({package}): another paper has this stem")
        known[stem] = Paper(stem, f"{package}.theory", package, installed=True)
    return known


def _children(package: str) -> list[pkgutil.ModuleInfo]:
    return list(pkgutil.iter_modules(importlib.import_module(package).__path__))


def modules(package: str) -> Iterator[str]:
    """Names of all modules below a package, without importing them."""
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, prefix=f"{package}."):
        if not info.ispkg:
            yield info.name


def walk(place: str, kind: type[T]) -> Iterator[tuple[str, T]]:
    """Every module-level value of a type in a module, or below a package, with the name '<module>.<NAME>'; nothing where there is none of
    this name. Values that a module only imported count where they are first met."""
    if not _exists(place):
        return
    whole = importlib.import_module(place)
    names = [*(sorted(modules(place)) if getattr(whole, "__path__", None) is not None else ()), place]
    seen: set[int] = set()
    for name in names:
        for attribute, value in vars(importlib.import_module(name)).items():
            for member in value if isinstance(value, tuple) else (value,):
                if isinstance(member, kind) and id(member) not in seen:
                    seen.add(id(member))
                    yield f"{name}.{attribute}", member


def _exists(place: str) -> bool:
    try:
        return find_spec(place) is not None
    except ModuleNotFoundError as error:
        if error.name is not None and f"{place}.".startswith(f"{error.name}."):  # a package above it is missing, not what one imports
            return False
        raise


def _by_id(found: Iterable[tuple[str, T]], id_of: Callable[[T], str]) -> dict[str, T]:
    """Raises ValueError if two different values share an id, capitals apart: one of them would be lost without a word."""
    known: dict[str, T] = {}
    lowered: dict[str, T] = {}
    for place, value in found:
        known[id_of(value)] = value
        if lowered.setdefault(id_of(value).lower(), value) is not value:
            raise ValueError(f"{place}: another has the id {id_of(value)!r}")
    return known


def _of_stem(found: Iterable[tuple[str, T]], stem: str, id_of: Callable[[T], str]) -> dict[str, T]:
    """By id. Raises ValueError, naming it, on one that speaks of another paper: a search by stem would not find it; PaperUnusable if code
    of another distribution fails."""
    if papers()[stem].installed:
        try:
            return _checked(list(found), stem, id_of)
        except Exception as error:  # whatever somebody else's modules raise when they are imported
            raise PaperUnusable(f"paper {stem!r} ({papers()[stem].audits}): {type(error).__name__}: {error}") from error
    return _checked(list(found), stem, id_of)


def _checked(values: list[tuple[str, T]], stem: str, id_of: Callable[[T], str]) -> dict[str, T]:
    for place, value in values:
        if stem_of(id_of(value)) != stem:
            raise ValueError(f"{place}: its id {id_of(value)!r} must begin with {stem!r}, the paper whose folder it is in")
    return _by_id(values, id_of)


@functools.cache
def theorems(stem: str) -> dict[str, "Theorem"]:
    """A paper's statements by id, in the order of their modules; none for an unknown stem."""
    from banditproof.theory.language import Theorem

    paper = papers().get(stem)
    return {} if paper is None else _of_stem(walk(paper.theory, Theorem), stem, lambda theorem: theorem.id)


@dataclass(frozen=True, repr=False)
class Observation:
    """A finding, with the statement that it is about."""

    theorem: "Theorem"
    finding: "Finding"

    def __repr__(self) -> str:
        from banditproof.audits.reporting import notebook

        return notebook.observation_text(self)

    def _repr_html_(self) -> str:
        """The finding with the formula that it is about, for notebooks."""
        from banditproof.audits.reporting import notebook

        return notebook.observation_html(self)

    def refuting(self) -> tuple[str, ...]:
        """Ids of the audits that must refute what is published: the step's, and those that the finding names."""
        step = self.finding.step
        own = (f"{self.theorem.id}/step.{step}",) if step in self.theorem.false_steps() else ()
        return (*own, *self.finding.refuted_by)


@functools.cache
def findings(stem: str) -> dict[str, Observation]:
    """A paper's findings by name, worst first. A finding about several statements is one: it is shown with the statement of its name, else
    with the first. Raises ValueError if two of its statements have different ones of the same name."""
    found: dict[str, Observation] = {}
    for theorem in theorems(stem).values():
        for finding in theorem.findings:
            known = found.get(finding.name)
            if known is not None and known.finding is not finding:
                raise ValueError(f"{theorem.id}: another finding of the paper has the name {finding.name!r}")
            if known is None or theorem.id == f"{stem}.{finding.name}":
                found[finding.name] = Observation(theorem, finding)
    return dict(sorted(found.items(), key=lambda item: item[1].finding.order()))


def finding_of(id: str) -> Observation | None:
    """The finding that an audit's refutation shows; None where it shows none."""
    return next((item for item in findings(stem_of(id)).values() if id in item.refuting()), None)


@functools.cache
def audits(stem: str) -> dict[str, Audit]:
    """A paper's audits by id: its cases, and what methods generate from its statements where no case has that id."""
    from banditproof.audits.methods import proof_steps

    paper = papers().get(stem)
    if paper is None:
        return {}
    cases = _of_stem(walk(f"{paper.audits}.cases", Audit), stem, lambda audit: audit.id)
    return {**cases, **{audit.id: audit for audit in proof_steps.generated(theorems(stem).values()) if audit.id not in cases}}


@functools.cache
def controls(stem: str) -> dict[str, Control]:
    """A paper's controls by id."""
    paper = papers().get(stem)
    return {} if paper is None else _of_stem(walk(f"{paper.audits}.controls", Control), stem, lambda control: control.id)


@functools.cache
def experiments(stem: str) -> dict[str, "Experiment"]:
    """A paper's experiments by id."""
    from banditproof.audits.experiments.experiment import Experiment

    paper = papers().get(stem)
    return {} if paper is None else _of_stem(walk(f"{paper.audits}.figures", Experiment), stem, lambda experiment: experiment.id)


def every(of: Callable[[str], dict[str, T]], stems: Iterable[str] | None = None) -> dict[str, T]:
    """What `of` (theorems, audits, controls, experiments) finds in all papers, or in those of the stems."""
    return {id: value for stem in (papers() if stems is None else stems) for id, value in of(stem).items()}


def stems_for(pattern: str | None) -> list[str]:
    """The papers that a stem, an id or a shell pattern of ids can speak of: what need not be imported is left out."""
    if pattern is None:
        return list(papers())
    if "]" not in pattern.partition("[")[2] and "[" in pattern:
        return []  # a bracket that is not closed stands for itself, and is in no id
    head = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    if head == pattern:
        return [stem_of(pattern)] if stem_of(pattern) in papers() else []
    return [stem for stem in papers() if f"{stem}.".startswith(head) or head.startswith(f"{stem}.")]


def nearby(id: str, *of: Callable[[str], Mapping[str, object]]) -> list[str]:
    """Ids to suggest for one that does not exist: what `of` (theorems, audits) finds in its paper, or else the statements of all papers
    as they are written in the sources, so that a mistyped name is answered without importing a single paper."""
    stem = stem_of(id)
    return [known for each in of for known in each(stem)] if stem in papers() else _written()


def _written() -> list[str]:
    """The ids of statements that stand as `id="<stem>.<name>"` in the sources of this package."""
    found: list[str] = []
    for stem, paper in papers().items():
        spec = None if paper.installed or not _exists(paper.theory) else find_spec(paper.theory)
        if spec is not None and spec.origin is not None:
            folder = Path(spec.origin).parent
            files = [Path(spec.origin)] if spec.submodule_search_locations is None else sorted(folder.rglob("*.py"))
            found += [id for file in files for id in re.findall(rf'\bid="({stem}\.[a-z0-9_]+)"', file.read_text(encoding="utf-8"))]
    return found


def matches(pattern: str | None, *ids: str) -> bool:
    """Whether a shell pattern, a whole id, or the stem of a paper speaks of one of the ids; without a pattern, yes."""
    return pattern is None or any(fnmatch.fnmatchcase(part, pattern) or part == pattern for id in ids for part in (id, stem_of(id)))


def select(pattern: str | None) -> list[Audit]:
    """The audits whose statement or id matches a shell pattern, a whole id, or the stem of a paper; all without one."""
    return [audit for audit in every(audits, stems_for(pattern)).values() if matches(pattern, audit.id, audit.theorem)]


def find(id: str) -> Audit:
    """The audit of an id, or a control's. Raises KeyError naming it."""
    stem = stem_of(id)
    if id in audits(stem):
        return audits(stem)[id]
    if id not in controls(stem):
        raise KeyError(f"audit {id!r}: there is none of this id")
    return controls(stem)[id].audit


def theorem(id: str) -> "Theorem":
    """The statement of an id. Raises KeyError naming it."""
    found = theorems(stem_of(id))
    if id not in found:
        raise KeyError(f"statement {id!r}: there is none of this id")
    return found[id]
