"""The run over audits: on any number of workers, with a crash kept as a result of its own.

A cell is one audit: a worker gets its id and a request, never arrays, and finds the audit by the id.
"""

import functools
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from banditproof.audits.methods.proof_steps import ProofSteps
from banditproof.audits.running import forks, memory, registry, workers
from banditproof.audits.running.audit import FALSE_ALARM, Audit, Level, Posteriors, Request, stem_of
from banditproof.audits.running.cluster import Cluster
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.phases import Phase, phase, recorded

_MANY = 200  # audits, from which on several workers need what one of them imports


@dataclass(frozen=True)
class TimedResult:
    """A result with what must stay out of it: the seconds, the peak of the memory, and the trace of a crash."""

    result: AuditResult
    seconds: float
    trace: str = ""
    dropped: bool = False  # the time budget was spent before it began
    reused: bool = False  # from the ledger: the seconds are those that it once took
    phases: Mapping[str, float] = field(default_factory=dict)  # seconds by phase, where a profile was asked for
    peak: int | None = None  # bytes of its process that were in memory at most meanwhile; None where that is not known


def run_one(audit: Audit, request: Request) -> TimedResult:
    """One audit, with a crash kept as its result."""
    started, trace = time.perf_counter(), ""
    try:
        with phase(Phase.PROVING if isinstance(audit.method, ProofSteps) else Phase.TESTING):
            measured = audit.method.measure(request)
    except Exception as error:  # the audit's own code or its subject's: recorded as ERROR, the others go on
        trace = traceback.format_exc()
        measured = Measurement(Verdict.ERROR, message=f"{type(error).__name__}: {error}")
    return TimedResult(identified(audit, measured, request.seed), time.perf_counter() - started, trace)


def identified(audit: Audit, measured: Measurement, seed: int) -> AuditResult:
    """The measurement with the audit's identity, what its statement assumes, and the versions of the software."""
    return AuditResult(
        audit=audit.id,
        theorem=audit.theorem,
        label=audit.label,
        measured=replace(measured, assumed=assumed_by(audit.theorem) + measured.assumed),
        expected=audit.expected,
        finding=finding_shown(audit),
        seed=seed,
        versions=versions(),
    )


def assumed_by(theorem: str) -> tuple[str, ...]:
    """What a statement assumes and no value can show, in words."""
    statement = registry.theorems(stem_of(theorem)).get(theorem)
    return () if statement is None else tuple(f"{note.statement} ({note.name})" for note in statement.assumed())


def finding_shown(audit: Audit) -> str:
    """What the refutation of the audit shows about its paper; '' for an audit of what is true."""
    found = registry.finding_of(audit.id) if audit.expected is Verdict.REFUTED else None
    return "" if found is None else f"{found.finding.name}, {found.finding.grade.value}: {found.finding.title}"


@functools.cache
def versions() -> dict[str, str]:
    """Of this package, Python and NumPy."""
    import platform

    import numpy as np

    return {"banditproof": software(), "python": platform.python_version(), "numpy": np.__version__}


def software() -> str:
    """This package's version; 'not installed' where it runs from its source tree."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("banditproof")
    except PackageNotFoundError:
        return "not installed"


@dataclass(frozen=True)
class _Task:
    """What a worker gets. `dropped`: the time budget was spent before a worker was free for it."""

    id: str
    request: Request
    profile: bool
    dropped: bool = False


def run(
    chosen: Sequence[Audit],
    *,
    seed: int,
    false_alarm: float = FALSE_ALARM,
    level: Level = Level.QUICK,
    jobs: int = 1,
    budget: float | None = None,
    posterior: Posteriors = Posteriors.NONE,
    profile: bool = False,
    progress: Callable[[TimedResult, int, int], None] | None = None,
    cluster: Cluster | None = None,
) -> list[TimedResult]:
    """Runs registered audits in the given order of results; `progress` is called as each one ends, with its place in the count.

    `false_alarm` is the significance level of each statistical audit, whatever else runs. `budget` in seconds drops whole cells only: one
    that has not started by then is INCONCLUSIVE and says so. With `profile` the results have the seconds of their phases. `cluster`: whose
    workers run them, if not processes of this machine. Raises ValueError on a bad number; ClusterUnusable where the cluster is lost.
    """
    if not 0.0 < false_alarm < 1.0:
        raise ValueError(f"false_alarm = {false_alarm}: must be > 0 and < 1 (probability that an audit refutes a true claim)")
    if jobs < 1:
        raise ValueError(f"jobs = {jobs}: must be an integer >= 1 (worker processes)")
    if seed < 0:
        raise ValueError(f"seed = {seed}: must be an integer >= 0")
    deadline = None if budget is None else time.monotonic() + budget

    def handed_out(task: _Task) -> _Task:
        return replace(task, dropped=deadline is not None and time.monotonic() > deadline)

    requests = (Request(false_alarm, seed, audit.seed_path, level, posterior.of(audit.seed_path)) for audit in chosen)
    tasks = [_Task(audit.id, request, profile) for audit, request in zip(chosen, requests, strict=True)]
    finished: dict[int, TimedResult] = {}
    if cluster is None and jobs > 1 and len(tasks) >= _MANY and forks.possible():
        _import_for_all()
    limited = None if deadline is None else handed_out  # without a limit a task need not wait here until a worker is free
    group = _group if deadline is None else None
    with closing(workers.completed(_cell, tasks, jobs, limited, cluster=cluster, group=group)) as results:
        for position, timed in results:
            finished[position] = timed
            if progress is not None:
                progress(timed, len(finished), len(chosen))
    return [finished[position] for position in range(len(chosen))]


def _import_for_all() -> None:
    """Packages that the audits of most papers need, before workers begin as copies of this process: else every copy imports them anew."""
    import scipy.stats  # noqa: F401
    import sklearn.tree  # noqa: F401


def statistical(chosen: Sequence[Audit]) -> dict[str, int]:
    """How many of the audits have a significance level, by paper."""
    counts: dict[str, int] = {}
    for audit in chosen:
        if audit.method.statistical:
            counts[stem_of(audit.theorem)] = counts.get(stem_of(audit.theorem), 0) + 1
    return counts


def _group(task: _Task) -> tuple[int, str]:
    """Audits of one paper have statements, kernels and runs in common, and those with a posterior PyMC, which takes seconds to import.
    Lines of proofs come last: they are many and short, so the workers end together."""
    if task.request.posterior:
        return -1, ""
    return int(f"/{ProofSteps.prefix}." in task.id), stem_of(task.id)


def _cell(task: _Task) -> TimedResult:
    memory.give_back()  # what the audit before it has left is not of this one
    memory.forget_peak()
    if not task.profile:
        return replace(_found_and_run(task), peak=memory.peak())
    with recorded() as seconds:
        timed = _found_and_run(task)
    return replace(timed, phases={phase.value: value for phase, value in seconds.items()}, peak=memory.peak())


def _found_and_run(task: _Task) -> TimedResult:
    audit = registry.find(task.id)
    if task.dropped:
        dropped = Measurement(Verdict.INCONCLUSIVE, message="the time budget ended before this audit began; give more --budget")
        return TimedResult(identified(audit, dropped, task.request.seed), 0.0, dropped=True)
    return run_one(audit, task.request)
