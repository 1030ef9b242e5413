"""The same function on many tasks: in this process, on worker processes, or on whatever backend joblib is configured for.

A task is small plain data, never an array, and what a worker returns depends on the task alone, so neither the number of workers nor the
backend changes a result. A cluster is `with joblib.parallel_config(backend="dask"):` around the call.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if "sched_getaffinity" in dir(os) else os.cpu_count() or 1


def completed(function: Callable[[T], R], tasks: Sequence[T], jobs: int) -> Iterator[tuple[int, R]]:
    """(position, function(task)) for each task as it ends, on `jobs` workers at most. `function` is one of a module.

    Exceptions of the function pass through. Raises ValueError unless jobs >= 1.
    """
    if jobs < 1:
        raise ValueError(f"jobs = {jobs}: must be an integer >= 1 (worker processes)")
    workers = min(jobs, len(tasks))
    if workers <= 1:
        yield from ((position, function(task)) for position, task in enumerate(tasks))
        return
    import joblib

    cells = (joblib.delayed(_cell)(function, position, task) for position, task in enumerate(tasks))
    yield from joblib.Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1, pre_dispatch=workers)(cells)


def _cell(function: Callable[[T], R], position: int, task: T) -> tuple[int, R]:
    """A task in a process of its own, which leaves Ctrl-C to the one that started it. A backend that runs tasks in threads keeps its own
    way of handling signals, which only a main thread may change."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return position, function(task)
