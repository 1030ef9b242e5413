"""The child process that runs a user's code: it is started, watched, and ended at a limit. What the code does ends it, never the audit."""

import contextlib
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from banditproof import sources
from banditproof.audits.isolation.frames import BEGUN, SIDE, WORDS, Setup, packed, unpacked

TIMEOUT = 300.0  # seconds for one call, where nothing else is asked for: kernels compile in less
MEMORY_FRACTION = 0.75  # of the machine's memory
_SIGNALS: dict[int, str] = {signal.SIGSEGV: "segmentation fault", signal.SIGKILL: "killed, as for want of memory"}
_START = 300.0  # seconds for Python and this package to start in the child
_LOOK = 0.05  # seconds between two looks at a child that says nothing


@dataclass(frozen=True)
class Limits:
    """What the user's code may take: seconds for one call and for all of them, bytes of memory; None for no limit."""

    timeout: float | None = TIMEOUT
    time_limit: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Watched:
    """A look at a child: calls that have begun, outputs that have arrived, seconds since it was started."""

    calls: int
    outputs: int
    seconds: float


class ChildEnded(RuntimeError):
    """The user's code ended its process, or was ended at a limit. The message is the rest of a sentence that begins with its name."""


@dataclass
class Child:
    """A running child. Used as a context, at whose end it is killed with what it has started."""

    process: "subprocess.Popen[bytes]"
    requests: Connection
    answers: Connection
    shared: "memoryview"
    limits: Limits
    started: float
    watch: Callable[[Watched], None]
    outputs: int = 0
    is_ready: bool = False
    _last: tuple[int, float] = field(default=(0, 0.0))

    @property
    def calls(self) -> int:
        """Calls of the user's code that have begun."""
        return int(self.shared[BEGUN])

    @property
    def side(self) -> int:
        """The dataset of the last call that has begun, from 0."""
        return int(self.shared[SIDE])

    def ask(self, request: Any) -> None:
        """Sends a request. Raises ChildEnded if the child has gone."""
        try:
            self.requests.send_bytes(packed(request))
        except OSError:
            raise self._gone() from None
        self._last = (self.calls, time.monotonic())

    def answer(self) -> Any:
        """The next answer. Raises ChildEnded where there is none: the child has ended, or has reached a limit."""
        self._await_start()
        while not self.answers.poll(_LOOK):
            self._look()
        try:
            data = self.answers.recv_bytes()
        except (EOFError, OSError):
            raise self._gone() from None
        self._look()
        return unpacked(data)

    def kill(self) -> None:
        """Ends the child, and what it has started, at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def _await_start(self) -> None:
        """Waits for Python and this package in the child: on a busy machine that takes longer than the user's code may."""
        if self.is_ready:
            return
        if not self.answers.poll(_START):
            self.kill()
            raise ChildEnded(f"was not reached: its process did not start within {_START:g} s")
        try:
            self.answers.recv_bytes()
        except (EOFError, OSError):
            raise self._gone() from None
        self.is_ready, self.started = True, time.monotonic()
        self._last = (self.calls, self.started)

    def _look(self) -> None:
        """Ends a child that has reached a limit. Raises ChildEnded then."""
        now, calls = time.monotonic(), self.calls
        self.watch(Watched(calls, self.outputs, now - self.started))
        if calls != self._last[0]:
            self._last = (calls, now)
        limit, whole = self.limits.timeout, self.limits.time_limit
        if whole is not None and now - self.started > whole:
            self.kill()
            raise ChildEnded(f"was stopped at the time limit of {whole:g} s (--time-limit)")
        if limit is not None and now - self._last[1] > limit:
            self.kill()
            raise ChildEnded(f"did not return within {limit:g} s (--timeout)")

    def _gone(self) -> ChildEnded:
        """Why there is no answer."""
        try:
            code = self.process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:  # it has closed what it talks to us by, and goes on
            self.kill()
            return ChildEnded("closed the files of its process that it had not opened")
        if code >= 0:
            return ChildEnded(f"ended its process with exit code {code}, as os._exit does")
        return ChildEnded(f"crashed with signal {-code} ({_SIGNALS.get(-code) or signal.strsignal(-code)})")


@contextlib.contextmanager
def started(limits: Limits, watch: Callable[[Watched], None] = lambda look: None, *, traces: bool = False) -> Iterator[Child]:
    """A child process, which has loaded nothing of the user's so far. What it prints goes to standard error."""
    to_child, from_child = os.pipe(), os.pipe()
    with tempfile.TemporaryFile() as file:
        file.truncate(mmap.PAGESIZE)
        shared = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        theirs = (to_child[0], from_child[1], file.fileno())
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", "from banditproof.audits.isolation.server import main; main()", *map(str, theirs)],
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=theirs,
                start_new_session=True,  # Ctrl-C is for the audit, and a kill takes along what the user's code has started
                env={**os.environ, "PYTHONPATH": _import_path()},
            )
        finally:
            os.close(to_child[0])
            os.close(from_child[1])
    requests, answers = Connection(to_child[1], readable=False), Connection(from_child[0], writable=False)
    child = Child(process, requests, answers, memoryview(shared).cast("Q")[:WORDS], limits, time.monotonic(), watch)
    try:
        child.ask(Setup(path=tuple(sys.path), parent=os.getpid(), memory=limits.memory, traces=traces))
        yield child
    finally:
        child.kill()
        requests.close()
        answers.close()


def _import_path() -> str:
    """Where the child finds this package before it is told where the parent imports from."""
    here = str(Path(sources.__file__).parents[1])
    return os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])


def most_memory() -> int | None:
    """Bytes that a child may take where nothing else is asked for: a fraction of the machine's memory, or of that of its container."""
    sizes = []
    with contextlib.suppress(OSError, ValueError):
        sizes.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with contextlib.suppress(OSError, ValueError):  # "max" is no number: no limit
        sizes.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return int(min(sizes) * MEMORY_FRACTION) if sizes else None
