"""Peak memory of work in a process of its own: the most that the system kept in memory for any one process of a tree.

The number is VmHWM of /proc: `ru_maxrss` of a child begins at what its parent had when it started the child.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence

from benchmarks.runner.processes import PROC, descendants, peak_kilobytes

EVERY = 0.05  # seconds between two looks; the number of a process never falls, so only its last moments are missed


def peak_megabytes(code: str, arguments: Sequence[object] = ()) -> float:
    """Of `python -c code arguments`, started in this folder. Raises RuntimeError, with its output, where it fails."""
    return peak_of([sys.executable, "-c", code, *map(str, arguments)])


def peak_of(command: Sequence[str], allowed: Sequence[int] = (0,)) -> float:
    """Of a command and all processes that it starts, the largest one's, in megabytes (2^20 bytes). Raises RuntimeError where the command
    exits with a code that is not `allowed`, or the system does not say."""
    if not (PROC / "self" / "status").exists():
        raise RuntimeError("peak memory: must be on a system with /proc (Linux)")
    most = 0
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:  # a pipe that nobody reads would stop the child
        child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        while child.poll() is None:
            most = max([most, *map(peak_kilobytes, [child.pid, *descendants(child.pid)])])
            time.sleep(EVERY)
        if child.returncode not in allowed:
            output.seek(0)
            raise RuntimeError(f"{' '.join(command[:3])} ... exited with code {child.returncode}: {output.read()[-2000:]}")
    return most / 1024
