"""What there is to audit, and the run over it: finds theorems, cases and controls by walking the folders, runs audits on any number of
workers, and keeps what crashed as a result of its own.

A cell is one audit: a worker gets its id and a request, never arrays, and finds the audit by the id. Its random numbers come from the
seed and the id alone, and each statistical audit has the same significance level, so no result depends on the workers, the order, or
which other audits run.
"""

import fnmatch
import functools
import importlib
import pkgutil
import re
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeVar

from banditproof.audits.statistics.evidence import AuditResult, Verdict

if TYPE_CHECKING:
    from banditproof.theory.language import Theorem

T = TypeVar("T")

FALSE_ALARM = 1e-5  # significance level of each statistical audit: the probability of refuting a true claim


class Level(Enum):
    """How much evidence: each level multiplies the draws of the one before by about 10."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"

    @property
    def factor(self) -> int:
        return {Level.QUICK: 1, Level.STANDARD: 10, Level.DEEP: 100}[self]


@dataclass(frozen=True)
class Request:
    """What one audit is asked for. `false_alarm` is its significance level; `path` addresses its random numbers below `seed`."""

    false_alarm: float
    seed: int
    path: tuple[str, ...]
    level: Level = Level.QUICK
    posterior: bool = False  # also sample the PyMC model beside the exact interval


class Method(Protocol):
    """A way of measuring, bound to a subject. The result's audit, theorem, subject, expected and seed are filled in by the registry."""

    @property
    def prefix(self) -> str: ...  # of the slugs of its audits: "privacy"
    @property
    def statistical(self) -> bool: ...  # has a significance level
    def measure(self, request: Request) -> AuditResult: ...


@dataclass(frozen=True)
class Audit:
    """A statement, something that it speaks about, and a way to measure whether it holds there.

    `slug` begins with the method's prefix and names the swept values ("privacy.eps0.5_w1"); `label` is for readers, and no number depends
    on it. `runs` names a set of runs that several audits of one paper share; without it an audit's runs are its own. Raises ValueError,
    naming the rule, on an id or a name of runs that is none.
    """

    theorem: str  # id of the statement
    slug: str
    label: str
    method: Method
    expected: Verdict | None = None  # REFUTED for a recorded erratum or a control
    runs: str = ""  # "<stem>.<theorem>/runs.<name>"

    def __post_init__(self) -> None:
        check_id(self.id)
        if not self.slug.startswith(f"{self.method.prefix}."):
            raise ValueError(f"audit {self.id!r}: its slug must begin with its method, {self.method.prefix!r}")
        if self.runs:
            check_id(self.runs)

    @property
    def id(self) -> str:
        return f"{self.theorem}/{self.slug}"

    @property
    def seed_path(self) -> tuple[str, ...]:
        """What addresses its random numbers below the seed."""
        return (self.runs or self.id,)


@dataclass(frozen=True)
class Control:
    """A version broken on purpose, and the audit that must refute it. Its slug is "<method>.control.<mistake>"."""

    mistake: str
    audit: Audit

    @property
    def id(self) -> str:
        return self.audit.id


LONGEST = 80  # characters of an id
_ID = re.compile(r"[a-z0-9_-]+\.[a-z0-9_.-]+/[a-z0-9_-]+\.[a-z0-9_.-]+")


def check_id(id: str) -> None:
    """Raises ValueError, naming the rule, unless the id is "<stem>.<theorem>/<method>.<name>"."""
    if not _ID.fullmatch(id) or len(id) > LONGEST:
        form = "<stem>.<theorem>/<method>.<name>, of the characters a-z 0-9 _ . -"
        raise ValueError(f"id {id!r} ({len(id)} characters): must be {form}, at most {LONGEST} in all")


def swept(**values: object) -> str:
    """Values as a slug names them: swept(eps=0.5, w=1) is "eps0.5_w1"; fractions read "1over10", members of an enum by their value."""
    return "_".join(f"{name}{_spelled(value)}" for name, value in values.items())


def _spelled(value: object) -> str:
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, (tuple, list)):
        return "-".join(map(_spelled, value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        short = f"{value:g}" if float(f"{value:g}") == value else f"{value:.12g}"
        value = re.sub(r"e([+-])0*(\d)", r"e\1\2", short)
    return str(value).lower().replace("/", "over").replace("+", "")


@dataclass(frozen=True)
class Timed:
    """A result with what must stay out of it: the seconds, and the trace of a crash."""

    result: AuditResult
    seconds: float
    trace: str = ""


def modules(package: str) -> Iterator[str]:
    """Names of all modules below a package, without importing them."""
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, prefix=f"{package}."):
        if not info.ispkg:
            yield info.name


def walk(package: str, kind: type[T]) -> Iterator[tuple[str, T]]:
    """Every module-level value of a type below a package, with the name '<module>.<NAME>'; values that a module only imported count
    where they are first met."""
    seen: set[int] = set()
    for name in sorted(modules(package)):
        for attribute, value in vars(importlib.import_module(name)).items():
            for member in value if isinstance(value, tuple) else (value,):
                if isinstance(member, kind) and id(member) not in seen:
                    seen.add(id(member))
                    yield f"{name}.{attribute}", member


def _by_id(found: Iterable[tuple[str, T]], id_of: Callable[[T], str]) -> dict[str, T]:
    """Raises ValueError if two different values share an id, capitals apart: one of them would be lost without a word."""
    known: dict[str, T] = {}
    lowered: dict[str, T] = {}
    for place, value in found:
        known[id_of(value)] = value
        if lowered.setdefault(id_of(value).lower(), value) is not value:
            raise ValueError(f"{place}: another has the id {id_of(value)!r}")
    return known


@functools.cache
def theorems() -> dict[str, "Theorem"]:
    """All statements by id, in the order of their modules."""
    from banditproof.theory.language import Theorem

    parts = ("inequalities", "papers")
    return _by_id((found for part in parts for found in _walk_part(f"banditproof.theory.{part}", Theorem)), lambda theorem: theorem.id)


def _walk_part(name: str, kind: type[T]) -> Iterator[tuple[str, T]]:
    module = importlib.import_module(name)
    if module.__spec__ is not None and module.__spec__.submodule_search_locations is not None:
        yield from walk(name, kind)
        return
    yield from ((f"{name}.{attribute}", value) for attribute, value in vars(module).items() if isinstance(value, kind))


@functools.cache
def audits() -> dict[str, Audit]:
    """All cases by id, and an audit of each line of a proof that no case audits itself."""
    from banditproof.audits.methods import proof_steps

    cases = _by_id(walk("banditproof.audits.cases", Audit), lambda audit: audit.id)
    return {**cases, **{audit.id: audit for audit in proof_steps.generated(theorems().values()) if audit.id not in cases}}


@functools.cache
def controls() -> dict[str, Control]:
    """All controls by id."""
    return _by_id(walk("banditproof.audits.controls", Control), lambda control: control.id)


@functools.cache
def _findable() -> dict[str, Audit]:
    """Every audit by id, those of controls included."""
    audited = [(name, control.audit) for name, control in controls().items()]
    return _by_id([*audits().items(), *audited], lambda audit: audit.id)


def select(pattern: str | None) -> list[Audit]:
    """The audits whose statement or id matches a shell pattern, a whole id, or the stem of a paper; all without one."""
    every = list(audits().values())
    if pattern is None:
        return every
    return [
        audit
        for audit in every
        if pattern in (audit.id, audit.theorem, audit.theorem.split(".")[0])
        or fnmatch.fnmatchcase(audit.id, pattern)
        or fnmatch.fnmatchcase(audit.theorem, pattern)
    ]


def find(id: str) -> Audit:
    """The audit of an id, or a control's. Raises KeyError naming it."""
    if id not in _findable():
        raise KeyError(f"audit {id!r}: there is none of this id")
    return _findable()[id]


def run_one(audit: Audit, request: Request) -> Timed:
    """One audit, with a crash kept as its result."""
    import platform

    import numpy as np

    started, trace = time.perf_counter(), ""
    try:
        result = audit.method.measure(request)
    except Exception as error:  # the audit's own code or its subject's: recorded as ERROR, the others go on
        trace = traceback.format_exc()
        result = AuditResult("", "", "", Verdict.ERROR, message=f"{type(error).__name__}: {error}")
    versions = {"banditproof": _version(), "python": platform.python_version(), "numpy": np.__version__}
    result = replace(
        result,
        audit=audit.id,
        theorem=audit.theorem,
        label=audit.label,
        expected=audit.expected,
        seed=request.seed,
        versions=versions,
        assumed=_assumed(audit.theorem, result.assumed),
    )
    return Timed(result, time.perf_counter() - started, trace)


def run(
    chosen: Sequence[Audit],
    *,
    seed: int,
    false_alarm: float = FALSE_ALARM,
    level: Level = Level.QUICK,
    jobs: int = 1,
    budget: float | None = None,
    posterior: bool = False,
    progress: Callable[[Timed, int, int], None] | None = None,
) -> list[Timed]:
    """Runs registered audits in the given order of results; `progress` is called as each one ends, with its place in the count.

    `false_alarm` is the significance level of each statistical audit; `total_false_alarm` says what that amounts to. `budget` in seconds
    drops whole cells only: one that has not started by then is INCONCLUSIVE and says so. Raises ValueError on a bad number.
    """
    if not 0.0 < false_alarm < 1.0:
        raise ValueError(f"false_alarm = {false_alarm}: must be > 0 and < 1 (probability that an audit refutes a true claim)")
    if jobs < 1:
        raise ValueError(f"jobs = {jobs}: must be an integer >= 1 (worker processes)")
    if seed < 0:
        raise ValueError(f"seed = {seed}: must be an integer >= 0")
    requests = [Request(false_alarm, seed, audit.seed_path, level, posterior) for audit in chosen]
    deadline = None if budget is None else time.monotonic() + budget
    finished: dict[int, Timed] = {}
    for position, timed in _cells(chosen, requests, jobs, deadline):
        finished[position] = timed
        if progress is not None:
            progress(timed, len(finished), len(chosen))
    return [finished[position] for position in range(len(chosen))]


def total_false_alarm(chosen: Iterable[Audit], false_alarm: float = FALSE_ALARM) -> float:
    """An upper bound on the probability that any true claim among them is refuted: the sum over the statistical audits (union bound)."""
    return min(1.0, false_alarm * sum(audit.method.statistical for audit in chosen))


def _cells(chosen: Sequence[Audit], requests: Sequence[Request], jobs: int, deadline: float | None) -> Iterator[tuple[int, Timed]]:
    if jobs == 1:
        for position, (audit, request) in enumerate(zip(chosen, requests, strict=True)):
            yield position, _cell(position, audit.id, request, deadline)[1]
        return
    import joblib

    tasks = (joblib.delayed(_worker_cell)(position, audit.id, requests[position], deadline) for position, audit in enumerate(chosen))
    yield from joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1, pre_dispatch=jobs)(tasks)


def _worker_cell(position: int, id: str, request: Request, deadline: float | None) -> tuple[int, Timed]:
    """A cell in a process of its own, which leaves Ctrl-C to the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return _cell(position, id, request, deadline)


def _cell(position: int, id: str, request: Request, deadline: float | None) -> tuple[int, Timed]:
    if deadline is not None and time.monotonic() > deadline:
        return position, run_one(replace(find(id), method=_Dropped(find(id).method.prefix)), request)
    return position, run_one(find(id), request)


@dataclass(frozen=True)
class _Dropped:
    """Stands in for a cell that the time budget left out."""

    prefix: str
    statistical: bool = False

    def measure(self, request: Request) -> AuditResult:
        return AuditResult("", "", "", Verdict.INCONCLUSIVE, message="the time budget ended before this audit began; give more --budget")


def _assumed(theorem: str, more: tuple[str, ...]) -> tuple[str, ...]:
    statement = theorems().get(theorem)
    return (() if statement is None else tuple(f"{note.statement} ({note.name})" for note in statement.assumed())) + more


@functools.cache
def _version() -> str:
    from importlib.metadata import version

    return version("banditproof")
