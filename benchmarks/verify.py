"""`make verify` with nothing reused: wall-clock time, and the largest memory of any process of it. Minutes: measured only where named.

Environment and kernels are there: the second of two runs would find them, so an audit of each kernel is not timed. Every audit runs in one
of the two workers, whose memory an audit leaves behind; so the largest worker bounds the memory of any audit from above.
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.runner.cases import Case, Figure, Scale, Target
from benchmarks.runner.memory import peak_of

LONG = True
SMALL = "dwork_2006"
UNEXPECTED = (0, 1)  # the verdicts are not what is measured here


def cases(scale: Scale) -> Sequence[Case]:
    pattern = scale.of((), (SMALL,))
    runs = _Runs(pattern)
    seconds, megabytes = Target(at_most=150.0, aim=90.0, source="issue 17, 7"), Target(at_most=1024.0, source="issue 17, 7")
    note = "of the whole, verify --fresh" if not pattern else f"of {SMALL} alone: no target is met by it"
    return [
        Figure("seconds", runs.seconds, "s (wall)", None if pattern else seconds, note),
        Figure("peak", runs.megabytes, "MB", None if pattern else megabytes, note),
    ]


class _Runs:
    """One run, of which both numbers come."""

    def __init__(self, pattern: Sequence[str]) -> None:
        self._pattern, self._found = pattern, dict[str, float]()

    def seconds(self) -> float:
        return self._measured()["seconds"]

    def megabytes(self) -> float:
        return self._measured()["megabytes"]

    def _measured(self) -> dict[str, float]:
        if not self._found:
            with tempfile.TemporaryDirectory(prefix="banditproof-bench-") as folder:
                command = [
                    sys.executable,
                    "-m",
                    "banditproof",
                    "verify",
                    *self._pattern,
                    "--fresh",
                    "--json",
                    str(Path(folder) / "found.json"),
                ]
                start = time.perf_counter()
                self._found["megabytes"] = peak_of(command, UNEXPECTED)
                self._found["seconds"] = time.perf_counter() - start
        return self._found
