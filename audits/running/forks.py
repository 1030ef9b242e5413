"""Worker processes that begin as copies of this one: what it has imported is there at once, and its memory is shared until it is changed.

A copy has no thread but the one that made it, and a lock that another thread held stays locked in it for ever. So a process with threads
of its own makes none (`possible`).
"""

import atexit
import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from banditproof.audits.running.lifetimes import end_with
from banditproof.audits.running.memory import resident

_NAME = "banditproof worker"
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


def completed(function: Callable[[T], R], tasks: Iterator[tuple[int, T]], workers: int, growth: int) -> Iterator[tuple[int, R]]:
    """(position, function(task)) for each (position, task) as it ends, on this many workers.

    A worker that has grown by more than `growth` bytes after its first task is replaced. An exception of the function passes through.
    Raises WorkerLost where a worker is gone.
    """
    running: dict[Any, _Worker] = {}
    gc.collect()
    gc.freeze()  # else the first collection in each worker would copy all pages of this process
    try:
        for position, task in tasks:
            worker = _started(function)
            running[worker.connection] = worker
            worker.begin(position, task)
            if len(running) == workers:
                break
        while running:
            for ready in wait(list(running)):
                worker = running[ready]
                position, result, error = worker.end()
                if error is not None:
                    raise error
                following = next(tasks, None)
                if following is None or worker.grown > growth:
                    worker.dismiss()
                    del running[ready]
                if following is not None:
                    worker = running.get(ready) or _started(function)
                    running[worker.connection] = worker
                    worker.begin(*following)
                yield position, result
    finally:
        for worker in running.values():
            worker.kill()
        gc.unfreeze()


@dataclass
class _Worker:
    """A worker, and what it said last."""

    process: BaseProcess
    connection: Connection
    position: int = -1
    grown: int = 0  # bytes since the end of its first task

    def begin(self, position: int, task: Any) -> None:
        self.position = position
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
        """The worker ends: there is nothing more for it to do."""
        self.connection.send(())  # a younger worker may hold a copy of this end, so closing it would end nothing
        self.process.join()
        self.connection.close()

    def kill(self) -> None:
        """The worker ends at once, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.connection.close()

    def _lost(self) -> WorkerLost:
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
    first = 0
    while task := connection.recv():
        result, error = None, None
        try:
            result = function(*task)
        except Exception as raised:  # passed through: the starting process raises it
            error = raised
        now = resident()
        first = first or now
        connection.send((result, error, now - first))


@atexit.register
def _kill_all() -> None:
    """No worker outlives an iteration that was left in the middle; `multiprocessing` would wait for it."""
    for process in multiprocessing.active_children():
        if process.name == _NAME:
            process.kill()
