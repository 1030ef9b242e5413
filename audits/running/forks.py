"""Worker processes that begin as copies of this one: what it has imported is there at once, and its memory is shared until it is changed.

A copy has no thread but the one that made it, and a lock that another thread held stays locked in it for ever. So a process with threads
of its own makes none (`possible`).
"""

import atexit
import contextlib
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from typing import Any, Generic, TypeVar

from banditproof.audits.running.lifetimes import end_with
from banditproof.audits.running.memory import resident

_NAME = "banditproof worker"
_PATIENCE = 5.0  # seconds in which a process ends that has closed its pipe
T = TypeVar("T")
R = TypeVar("R")


class WorkerLost(RuntimeError):
    """A worker process ended before its task did; the message says how."""


def possible() -> bool:
    """Whether this process may be copied: on Linux, from its main thread, and with no other thread but one of rich, which draws a bar."""
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        return False
    others = (thread for thread in threading.enumerate() if thread is not threading.main_thread())
    return all(type(thread).__module__.partition(".")[0] == "rich" for thread in others)


Group = tuple[int, str]  # rank and name of tasks that have something in common; below 0: for one worker, as long as there are others
Positioned = tuple[int, T]


def completed(
    function: Callable[[T], R],
    tasks: Iterator[Positioned[T]],
    workers: int,
    growth: int,
    group: Callable[[T], Group] | None = None,
) -> Iterator[tuple[int, R]]:
    """(position, function(task)) for each (position, task) as it ends, on this many workers.

    With `group` a worker gets tasks of one group as long as there are any, since what it has loaded and computed for one serves the others;
    without it tasks are asked for one by one, in their order. A worker that has grown by more than `growth` bytes is replaced; one that has
    a group for itself may grow by twice as many before, since what it loads serves all of that. An exception of the function passes
    through. Raises WorkerLost where a worker is gone.
    """
    running: dict[Any, _Worker] = {}
    waiting = _Waiting(tasks, group)
    gc.freeze()  # else the first collection in each worker would copy all pages of this process; to collect before takes 0.1 s
    try:
        while len(running) < workers and (first := waiting.following(None)) is not None:
            _begun(running, function, first)
        while running:
            for ready in wait(list(running)):
                worker = running[ready]
                position, result, error = worker.end()
                if error is not None:
                    raise error
                following, lost = waiting.following(worker.task), None
                if following is None or worker.grown > growth * (2 if waiting.for_one(worker.task, following[1]) else 1):
                    worker.dismiss()
                    del running[ready]
                if following is not None:
                    try:
                        _begun(running, function, following, running.get(ready))
                    except WorkerLost as found:  # not before the result that is there is handed on
                        lost = found
                yield position, result
                if lost is not None:
                    raise lost
    finally:
        for worker in running.values():
            worker.kill()
        gc.unfreeze()


class _Waiting(Generic[T]):
    """Tasks that no worker has yet."""

    def __init__(self, tasks: Iterator[Positioned[T]], group: Callable[[T], Group] | None) -> None:
        self._tasks, self._group = tasks, group
        self._left: dict[Group, deque[Positioned[T]]] = {}
        self._workers: dict[Group, int] = {}  # how many are at a group
        if group is not None:
            for position, task in tasks:
                self._left.setdefault(group(task), deque()).append((position, task))

    def for_one(self, last: T, next: T) -> bool:
        """Whether both tasks are of one group, and that for one worker."""
        return self._group is not None and self._group(last)[0] < 0 and self._group(last) == self._group(next)

    def following(self, last: T | None) -> Positioned[T] | None:
        """The next task of a worker whose last one this was; None where nothing is left. In groups: of the same one, else of the one of the
        lowest rank that the fewest workers are at, and of these of the largest."""

        def order(group: Group) -> tuple[bool, int, int, int]:
            at_it = self._workers.get(group, 0)
            return group[0] < 0 < at_it, group[0], at_it, -len(self._left[group])

        if self._group is None:
            return next(self._tasks, None)
        own = None if last is None else self._group(last)
        if own is not None and own not in self._left:
            self._workers[own] -= 1
            own = None
        if own is None:
            if not self._left:
                return None
            own = min(self._left, key=order)
            self._workers[own] = self._workers.get(own, 0) + 1
        found = self._left[own].popleft()
        if not self._left[own]:
            del self._left[own]
        return found


def _begun(running: dict[Any, "_Worker"], function: Callable[[Any], Any], task: Positioned[Any], idle: "_Worker | None" = None) -> None:
    """Gives the task to the idle worker, or to a new one, which is then one of those that run."""
    worker = _started(function) if idle is None else idle
    running[worker.connection] = worker
    worker.begin(*task)


@dataclass
class _Worker:
    """A worker, and what it said last."""

    process: BaseProcess
    connection: Connection
    position: int = -1
    task: Any = None
    grown: int = 0  # bytes since it began

    def begin(self, position: int, task: Any) -> None:
        self.position, self.task = position, task
        try:
            self.connection.send((task,))
        except OSError:
            raise self._lost() from None

    def end(self) -> tuple[int, Any, BaseException | None]:
        """The position of the task that has ended, and its result or the exception that it raised."""
        try:
            result, error, self.grown = self.connection.recv()
        except (EOFError, OSError):
            raise self._lost() from None
        return self.position, result, error

    def dismiss(self) -> None:
        """The worker ends: there is nothing more for it to do, and it may have ended before."""
        with contextlib.suppress(OSError):
            self.connection.send(())  # a younger worker may hold a copy of this end, so closing it would end nothing
        self.process.join()
        self.connection.close()

    def kill(self) -> None:
        """The worker ends at once, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.connection.close()

    def _lost(self) -> WorkerLost:
        self.process.join(_PATIENCE)
        self.process.kill()
        self.process.join()
        code = self.process.exitcode or 0
        how = f"signal {-code}" + (", as for want of memory" if code == -signal.SIGKILL else "") if code < 0 else f"exit code {code}"
        return WorkerLost(f"a worker process was lost ({how})")


def _started(function: Callable[[Any], Any]) -> _Worker:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(function, theirs, os.getpid()), name=_NAME)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)  # rich's thread: see `possible`
        process.start()
    theirs.close()
    return _Worker(process, ours)


def _work(function: Callable[[Any], Any], connection: Connection, starter: int) -> None:
    """What a worker does, task by task. Ctrl-C and SIGTERM are left to the process that started it, with which it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__  # not those of a bar
    end_with(starter)
    first = resident()
    while task := connection.recv():
        try:
            message = ForkingPickler.dumps((function(*task), None, resident() - first))
        except Exception as raised:  # passed through: the starting process raises it
            message = ForkingPickler.dumps((None, _portable(raised), resident() - first))
        connection.send_bytes(message)


def _portable(error: Exception) -> Exception:
    """The exception, with the worker's traceback as a note; one that tells its type and text where it is not read back as it is."""
    found: Exception = RuntimeError(f"{type(error).__name__}: {error} (of a worker process)")
    with contextlib.suppress(Exception):
        if type(pickle.loads(pickle.dumps(error))) is type(error):
            found = error
    found.add_note("in a worker process: " + "".join(traceback.format_exception(error)))
    return found


@atexit.register
def _kill_all() -> None:
    """No worker outlives an iteration that was left in the middle; `multiprocessing` would wait for it."""
    for process in multiprocessing.active_children():
        if process.name == _NAME:
            process.kill()
