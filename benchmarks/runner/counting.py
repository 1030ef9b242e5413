"""Work as lines of Python that are executed: the same on every machine, so that a test can fit how it grows.

Kernels are loops over single numbers, so with the compiler switched off (NUMBA_DISABLE_JIT=1, in a process of its own) the lines that run
are the work, but for calls that NumPy answers as a whole; those are timed (`growth`).

    python -m benchmarks.runner.counting MODULE      counts the lines of MODULE.WORKS and prints them as JSON
"""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import Any

from benchmarks.runner.cases import Growth, Work
from benchmarks.runner.results import ROOT


@dataclass(frozen=True)
class Counted:
    """A method at sizes of one variable: `prepare(size)` gives the call whose lines count."""

    variable: str
    sizes: tuple[int, ...]
    prepare: Callable[[int], Work]
    allowed: float
    model: str


def lines_of(work: Work) -> int:
    """Lines of Python executed by a call: the second one, since a first one imports and keeps."""
    work()
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def counted(module: str) -> dict[str, dict[int, int]]:
    """Lines by size of each of a module's WORKS, counted in a process without the compiler. Raises RuntimeError, with what the process
    wrote, where it fails."""
    command = [sys.executable, "-m", __name__, module]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"counting the lines of {module}: exit code {done.returncode}: {done.stderr[-2000:]}")
    found = json.loads(done.stdout)
    return {name: {int(size): count for size, count in counts.items()} for name, counts in found.items()}


def growths(module: str, works: Mapping[str, Counted]) -> Sequence[Growth]:
    """The WORKS of a module as cases; all are counted when the first cost is asked for."""
    found = cache(lambda: counted(module))

    def cost(name: str) -> Callable[[int], Work]:
        return lambda size: lambda: found()[name][size]

    return [Growth(name, work.variable, work.sizes, cost(name), work.allowed, work.model, counts=True) for name, work in works.items()]


def main() -> None:
    works: Mapping[str, Counted] = importlib.import_module(sys.argv[1]).WORKS
    print(json.dumps({name: {size: lines_of(work.prepare(size)) for size in work.sizes} for name, work in works.items()}))


if __name__ == "__main__":
    main()
