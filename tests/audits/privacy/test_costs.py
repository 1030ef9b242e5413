"""What a privacy audit costs, and how sharp it is at two million outputs."""

import math
import subprocess
import sys

import pytest

from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import NeighbouringRelation, PureDP


def noisy(answer: float, width: int | None = None):
    """Laplace noise of scale 1."""
    shape = (lambda runs: runs) if width is None else (lambda runs: (runs, width))
    return lambda runs, rng: answer + rng.laplace(0.0, 1.0, shape(runs))


SCRIPT = """
import numpy as np
from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.guarantees import PureDP, NeighbouringRelation
def noisy(answer):
    return lambda runs, rng: answer + rng.laplace(0.0, 1.0, {shape})
second = np.zeros({width}); second[-1] = 1.0
for claimed in {claims}:
    settings = AuditSettings(claim=PureDP(claimed, NeighbouringRelation.QUERY_SENSITIVITY), samples={samples}, seed={seed})
    result = compare(noisy(0.0), noisy(second), settings)
    print(result.verdict.value, result.low, sep=",")
import resource, time
from pathlib import Path
status = Path("/proc/self/status")  # ru_maxrss begins with what the parent held: a pytest worker, which may hold more
peaks = [int(line.split()[1]) for line in (status.read_text().splitlines() if status.exists() else ()) if line.startswith("VmHWM:")]
print(time.process_time(), (peaks or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss])[0] * 1024, sep=",")
"""


def measured(width: int, samples: int, claims: tuple[float, ...], seed: int) -> tuple[list[tuple[str, float]], float, float]:
    """Verdicts and bounds, processor seconds (imports included) and peak bytes of a fresh process."""
    shape = "runs" if width == 1 else f"(runs, {width})"
    script = SCRIPT.format(shape=shape, width=width, samples=samples, claims=claims, seed=seed)
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    lines = [line.split(",") for line in output.splitlines()]
    return [(verdict, float(low)) for verdict, low in lines[:-1]], float(lines[-1][0]), float(lines[-1][1])


def test_two_million_outputs_of_one_number() -> None:
    """Issue 2: lower bound at least 0.98, within 5 seconds with all imports; a claim of 0.9 is refuted."""
    seconds = math.inf
    for _ in range(3):  # the least of three: the others measure the neighbours on the machine
        found, took, _ = measured(1, 2_000_000, (1.0,), 1)
        assert found[0][0] == "not refuted" and 0.98 <= found[0][1] <= 1.0
        seconds = min(seconds, took)
        if seconds <= 5.0:
            break
    assert seconds <= 5.0
    settings = AuditSettings(claim=PureDP(0.9, NeighbouringRelation.QUERY_SENSITIVITY), samples=2_000_000, seed=1)
    assert compare(noisy(0.0), noisy(1.0), settings).verdict is Verdict.REFUTED


def test_memory_at_twenty_million_narrow_outputs() -> None:
    """Would catch outputs that are held instead of counted cell by cell (160 MB): a hundred times the outputs need no more memory.

    The difference is taken because the libraries alone need 300 to 500 MB, by their versions; the limit for all is 1 GB.
    """
    _, _, few = measured(1, 200_000, (1.0,), 1)
    found, _, most = measured(1, 20_000_000, (1.0,), 1)
    assert most - few < 0.1e9 and most < 1e9 and 0.99 <= found[0][1] <= 1.01


@pytest.mark.parametrize("samples", [200_000, pytest.param(1_000_000, marks=pytest.mark.deep)])
def test_memory_at_wide_outputs(samples: int) -> None:
    """Would catch a copy of all fitting draws for every score: 200 numbers per output."""
    found, _, most = measured(200, samples, (0.8,), 1)
    assert most < 1e9 and found[0][0] == "refuted"
