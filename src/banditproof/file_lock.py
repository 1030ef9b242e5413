"""A lock between processes: a file that one of them holds at a time. The operating system frees it when its holder ends, killed or not."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

LONGEST = 600.0  # seconds: a holder that was stopped, or a file system that forgets to free the lock, delays and does not block
_FIRST_LOOK, _LAST_LOOK = 0.01, 0.2  # seconds between two looks

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def alone(path: Path, longest: float = LONGEST) -> Iterator[bool]:
    """Waits until no other process is between the start and the end of a block with this path, for `longest` seconds at most.

    Yields whether the lock is held: not where the file cannot be written, nor after that time. The file stays, empty, since a process that
    deleted it could leave two others with a lock each. Not reentrant, and it does not exclude threads of one process from each other.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT)
    except OSError:
        yield False
        return
    try:
        yield _taken(file, longest)
    finally:
        os.close(file)  # which frees the lock


def _taken(file: int, longest: float) -> bool:
    """Whether the lock could be taken in time. By looking again and again: not every system ends its own wait after a time."""
    end, pause = time.monotonic() + longest, _FIRST_LOOK
    while True:
        try:
            _take(file)
        except OSError:
            if time.monotonic() > end:
                return False
        else:
            return True
        time.sleep(pause)
        pause = min(2.0 * pause, _LAST_LOOK)
