"""How much memory a process has, and had at most: resident bytes, those that it shares with other processes included.

The C library keeps what is freed, up to hundreds of megabytes after an audit with large arrays: `give_back` returns it to the system.
"""

import ctypes
import os
import sys
from contextlib import suppress

_STATUS, _REFERENCES = "/proc/self/status", "/proc/self/clear_refs"

_MUCH = 64_000_000  # bytes of growth after which it is worth a look
_after = 0  # resident bytes when freed memory was last given back


def give_back() -> None:
    """Returns freed memory to the system, where the process has grown by much since it last did. It changes nothing without glibc."""
    global _after
    if sys.platform != "linux" or resident() < _after + _MUCH:
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    _after = resident()


def resident() -> int:
    """Bytes of this process that are in memory now. Linux alone."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def forget_peak() -> None:
    """From now on `peak` is of what comes. It changes nothing where only the peak of the whole process is known (macOS)."""
    with suppress(OSError), open(_REFERENCES, "w", encoding="ascii") as file:
        file.write("5")  # proc(5): the high-water mark becomes what is resident now


def peak() -> int | None:
    """Bytes that were resident at most since `forget_peak`, else since the process began; None where that is not known (Windows)."""
    if sys.platform == "win32":
        return None
    with suppress(OSError), open(_STATUS, encoding="ascii") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
