"""The same function on many tasks: in this process, in threads, on worker processes, or on a cluster (`cluster`).

A task is small plain data, and what a worker returns depends on the task alone, so neither the number of workers nor the backend changes a
result. Worker processes are copies of this one where that is possible (`forks`), else joblib's, or those of whatever backend joblib is
configured for.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from enum import Enum
from typing import TypeVar

from banditproof.audits.running import forks
from banditproof.audits.running.cluster import Cluster
from banditproof.audits.running.lifetimes import end_with

T = TypeVar("T")
R = TypeVar("R")

COPY_GROWTH = 350_000_000  # bytes that a copy of this process may grow by; another one costs little
GROWTH = 600_000_000  # bytes that a worker may grow by after its first task; one that has grown more is replaced


class Backend(Enum):
    """Where tasks run."""

    THREADS = "threads"  # of this process: for compiled code, which runs beside other threads
    PROCESSES = "processes"  # on this machine: for Python
    DASK = "dask"  # worker processes of a cluster


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if "sched_getaffinity" in dir(os) else os.cpu_count() or 1


def completed(
    function: Callable[[T], R],
    tasks: Sequence[T],
    jobs: int,
    handed_out: Callable[[T], T] | None = None,
    *,
    cluster: Cluster | None = None,
    threads: bool = False,
    group: Callable[[T], forks.Group] | None = None,
) -> Generator[tuple[int, R], None, None]:
    """(position, function(task)) for each task as it ends, on `jobs` workers at most. `function` is one of a module.

    They run on the workers of a `cluster`, if one is given; else in `threads` of this process, or on worker processes. `handed_out` may
    change a task when a worker becomes free for it; it runs here. `group`: of tasks that had better run on one worker, where that can
    be chosen (`forks.completed`), so all are handed out at the start. Exceptions of the function pass through. Raises ValueError unless
    jobs >= 1, and on both `handed_out` and `group`; ClusterUnusable where the cluster is lost.
    """
    if jobs < 1:
        raise ValueError(f"jobs = {jobs}: must be an integer >= 1 (worker processes)")
    if handed_out is not None and group is not None:
        raise ValueError("handed_out, group: at most one of them, since tasks of groups are all handed out at the start")
    if cluster is not None:
        yield from cluster.completed(function, tasks, handed_out)
        return
    workers = min(jobs, len(tasks))
    ready = ((position, task if handed_out is None else handed_out(task)) for position, task in enumerate(tasks))
    if workers <= 1:
        yield from ((position, function(task)) for position, task in ready)
        return
    own = _own()
    if own and not threads and forks.possible():
        yield from forks.completed(function, ready, workers, COPY_GROWTH, group)
        return
    import warnings

    import joblib

    starting = {"initializer": _enlisted, "initargs": (os.getpid(),)} if own and not threads else {}
    # joblib replaces a worker that has grown, and says so.
    warnings.filterwarnings("ignore", message="A worker stopped while some jobs were given to the executor", category=UserWarning)
    cells = (joblib.delayed(_cell)(function, position, task, os.getpid()) for position, task in ready)
    where = "threading" if threads else None
    parallel = joblib.Parallel(
        n_jobs=workers, backend=where, return_as="generator_unordered", batch_size=1, pre_dispatch=workers, **starting
    )
    yield from parallel(cells)


def _own() -> bool:
    """Whether joblib's processes are ours and not a cluster's: nobody has configured another backend, for which it must be imported."""
    joblib = sys.modules.get("joblib")
    return joblib is None or type(joblib.parallel.get_active_backend()[0]).__name__ == "LokyBackend"


def _enlisted(starter: int) -> None:
    """A worker process begins: it leaves Ctrl-C and SIGTERM to the process that started it, and ends when that one does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    end_with(starter)
    from joblib.externals.loky import process_executor

    process_executor._MAX_MEMORY_LEAK_SIZE = GROWTH  # 300 MB by itself, which imports and kernels of all papers take


def _cell(function: Callable[[T], R], position: int, task: T, starter: int) -> tuple[int, R]:
    """A task in a process of its own leaves Ctrl-C to the process that started it. A backend may also run it in the starting process, or in
    a thread of a worker, which handles signals in its own way."""
    if os.getpid() != starter and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return position, function(task)
