"""A process that does not outlive the one that started it, however that one ended."""

import ctypes
import os
import signal
import sys
import threading
import time

_PDEATHSIG = 1  # prctl: the signal that the kernel sends when the parent has died, even to code that holds the interpreter's lock
LOOK = 1.0  # seconds


def end_with(starter: int) -> None:
    """This process is killed soon after the process `starter`, its parent, has ended. For a child, once, as it begins.

    Another process in between (a cluster's scheduler) is none of ours: there it does nothing, unless the starter is already dead.
    """
    if os.getppid() != starter:
        if not _lives(starter):
            _end()
        return
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)

    def look() -> None:
        while os.getppid() == starter:
            time.sleep(LOOK)
        _end()

    threading.Thread(target=look, daemon=True, name="parent").start()


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _end() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
