"""What a removal of the spectral filter costs, n = 20000 reports in R^5: `python benchmarks/filter.py` (about 30 s).

Ratios within one run of this script: of the fast form to NumPy on all points in each pass, and to NumPy from sums per line (both in
benchmarks/plain/filter.py). One report in ten is corrupted; lambda is such that most of these go. All
times are of a whole call, sorting and building the trees included. Deterministic reweighting takes passes, not removals.
"""

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.algorithms.estimators.linear.robust_least_squares import whiten
from banditproof.algorithms.estimators.spectral_filter.common import Method
from banditproof.algorithms.estimators.spectral_filter.fast import filter_reports, spectral_filter
from banditproof.randomness import key_of

SAMPLES, DIMENSION, ALPHA, REPEATS, KEY = 20_000, 5, 0.1, 7, key_of(17, "benchmark")


def _plain() -> Any:
    spec = importlib.util.spec_from_file_location("plain_filter", Path(__file__).parent / "plain" / "filter.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _seconds(work: Callable[[], object], repeats: int) -> float:
    """Least CPU time of a call, after one that compiles."""
    work()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _problem(arms: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Whitened arms, the arm of each report, the reports, and lambda: half the top eigenvalue of the clean covariance, so that the filter
    stops at twice that eigenvalue."""
    rng = np.random.default_rng(17)
    rows = rng.normal(size=(arms, DIMENSION))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    index = rng.integers(0, arms, SAMPLES)
    clean = rows[index] @ np.full(DIMENSION, DIMENSION**-0.5) + rng.normal(size=SAMPLES)
    directions = whiten(rows, index).directions
    covariance = np.cov(directions[index].T * clean, bias=True)
    reports = np.where(rng.random(SAMPLES) < ALPHA, 50.0, clean)
    return directions, index, reports, float(np.linalg.eigvalsh(covariance)[-1] / 2.0)


def _compare(arms: int, plain: Any) -> None:
    directions, index, reports, bound = _problem(arms)
    points = directions[index] * reports[:, None]
    removed = len(filter_reports(directions, index, reports, bound, KEY).removed)
    fast = _seconds(lambda: filter_reports(directions, index, reports, bound, KEY), REPEATS) / removed
    start = time.process_time()
    by_points = plain.by_points(points, bound, np.random.default_rng(17))
    literal = (time.process_time() - start) / by_points
    start = time.process_time()
    by_lines = plain.by_lines(directions, [reports[index == arm] for arm in range(arms)], bound, np.random.default_rng(17))
    lines = (time.process_time() - start) / by_lines
    reweighted = spectral_filter(directions, index, reports, bound, KEY, method=Method.REWEIGHTED)
    passes = _seconds(lambda: spectral_filter(directions, index, reports, bound, KEY, method=Method.REWEIGHTED), 3)
    sys.stdout.write(
        f"k = {arms:2}: {removed} removals, {fast * 1e6:.2f} us each   of NumPy on all points {literal * 1e6:.0f} us: "
        f"1/{literal / fast:.0f}   of NumPy from sums per line {lines * 1e6:.0f} us: 1/{lines / fast:.1f}\n"
        f"        whole call {fast * removed * 1e3:.1f} ms; reweighting {reweighted.passes} passes, {passes * 1e3:.1f} ms\n"
    )


def main() -> None:
    plain = _plain()
    sys.stdout.write(f"n = {SAMPLES:,}, d = {DIMENSION}, alpha = {ALPHA}; CPU time, least of {REPEATS}\n")
    for arms in (5, 15, 40):
        _compare(arms, plain)


if __name__ == "__main__":
    main()
