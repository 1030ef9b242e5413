"""What the time of a computation goes to: seconds by phase, measured where somebody asked for them, at next to no cost elsewhere.

    with recorded() as seconds:        # once, around the computation
        ...
            with phase(Phase.DRAWING):   # where that happens, at any depth
                ...

A phase inside another takes its time out of it, so the phases of a computation add up to its time. The phases of other threads do not
count: the thread that waits for them counts the time, under the phase that it waits in.
"""

import builtins
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import Any


class Phase(Enum):
    """What happens. OTHER is the time in no other phase."""

    DRAWING = "drawing"
    PLAYING = "playing"
    TESTING = "testing"
    PROVING = "proving"
    IMPORTING = "importing"
    COMPILING = "compiling"
    OTHER = "other"


class _Account:
    """Seconds by phase so far, the phases that have begun, and since when the last of them counts."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(Phase, 0.0)
        self.begun = [Phase.OTHER]
        self.since = time.perf_counter()

    def count(self) -> None:
        """Adds the time since the last change to the phase that lasts."""
        now = time.perf_counter()
        self.seconds[self.begun[-1]] += now - self.since
        self.since = now


_account: ContextVar[_Account | None] = ContextVar("account", default=None)


class phase:
    """A block whose time belongs to a phase, but for what inner blocks take. Not a generator, which would cost three times as much."""

    __slots__ = ("_account", "_phase")

    def __init__(self, what: Phase) -> None:
        self._phase = what

    def __enter__(self) -> None:
        self._account = _account.get()
        if self._account is not None:
            self._account.count()
            self._account.begun.append(self._phase)

    def __exit__(self, *_: object) -> None:
        if self._account is not None:
            self._account.count()
            self._account.begun.pop()


@contextmanager
def recorded() -> Iterator[dict[Phase, float]]:
    """Records the phases of this thread in a block; what it yields is filled as the block ends. A record inside another takes its time out
    of it. While it lasts, an import is of the phase IMPORTING wherever it is written."""
    outer, own = _account.get(), _Account()
    if outer is not None:
        outer.count()
    before = _account.set(own)
    try:
        with _imports_counted():
            yield own.seconds
    finally:
        own.count()
        _account.reset(before)
        if outer is not None:
            outer.since = own.since


@contextmanager
def _imports_counted() -> Iterator[None]:
    """Import statements are counted, those inside functions too, of which there is no list. One of a module that is there already takes
    less than counting it would."""
    importing = builtins.__import__

    def counted(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level == 0 and (there := sys.modules.get(name)) is not None and all(part in there.__dict__ for part in fromlist or ()):
            return importing(name, globals, locals, fromlist, level)
        with phase(Phase.IMPORTING):
            return importing(name, globals, locals, fromlist, level)

    builtins.__import__ = counted
    try:
        yield
    finally:
        builtins.__import__ = importing
