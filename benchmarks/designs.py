"""What a G-optimal design costs, as ratios within one run: `OPENBLAS_NUM_THREADS=1 python benchmarks/designs.py` (about 20 s).

The interior point method against plain Frank-Wolfe in NumPy, with variances afresh in every step and with rank-one updates
(benchmarks/plain/designs.py); least CPU time of several repeats. One BLAS thread: CPU time counts threads that wait for work.
"""

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from banditproof.algorithms.designs.approximate import approximate_g_design, printed_support_bound, support_bound
from banditproof.algorithms.designs.optimal import g_optimal_design

REPEATS, SEED, MOST = 5, 17, 100_000


def _plain():  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location("plain_designs", Path(__file__).parent / "plain" / "designs.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _milliseconds(work: Callable[[], object], repeats: int) -> float:
    """Least CPU time of a call."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) * 1e3


def _arms(kind: str, count: int, dimension: int) -> np.ndarray:
    rng = np.random.default_rng(SEED)
    points = rng.standard_normal((count, dimension))
    if kind == "sphere":
        return points / np.linalg.norm(points, axis=1, keepdims=True)
    if kind == "condition 1e8":
        rotation = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
        return np.asarray(points * np.logspace(0.0, -8.0, dimension) @ rotation)
    return points


def _times() -> None:
    for count, dimension, tolerance in ((500, 20, 1e-2), (500, 20, 1e-6), (5000, 40, 1e-2), (5000, 40, 1e-6)):
        for kind in ("Gaussian", "sphere", "condition 1e8"):
            arms = _arms(kind, count, dimension)
            design = g_optimal_design(arms, tolerance)
            spent = _milliseconds(lambda: g_optimal_design(arms, tolerance), REPEATS)  # noqa: B023
            sys.stdout.write(
                f"K = {count:4} d = {dimension} tolerance {tolerance:.0e} {kind:13} {spent:7.1f} ms, {design.iterations} steps,"
                f" support {design.support.size}, max g / d - 1 = {design.value / dimension - 1.0:.1e}\n"
            )


def _ratios() -> None:
    plain = _plain()
    for count, dimension in ((500, 20), (5000, 40)):
        arms = _arms("Gaussian", count, dimension)
        repeats = REPEATS if count == 500 else 1
        spent = _milliseconds(lambda: g_optimal_design(arms, 1e-2), REPEATS)  # noqa: B023
        updated = _milliseconds(lambda: plain.frank_wolfe_by_updates(arms, 1e-2, MOST), repeats)  # noqa: B023
        afresh = _milliseconds(lambda: plain.frank_wolfe(arms, 1e-2, MOST), 1)  # noqa: B023
        sys.stdout.write(
            f"K = {count} d = {dimension} to 1 %: {spent:.1f} ms; Frank-Wolfe afresh {afresh:.0f} ms: 1/{afresh / spent:.0f};"
            f" by updates {updated:.0f} ms: 1/{updated / spent:.1f}\n"
        )


def _supports() -> None:
    sys.stdout.write("approximate designs, arms of the support / steps at K = 2 d, 10 d, 50 d\n")
    for dimension in (2, 3, 5, 10, 20, 40):
        line = f"d = {dimension:2}: d log log d = {printed_support_bound(dimension):5.1f},"
        line += f" 4 d max(log log d, 0) + 16 = {support_bound(dimension):5.1f}"
        for kind in ("Gaussian", "sphere", "condition 1e8"):
            designs = [approximate_g_design(_arms(kind, factor * dimension, dimension)) for factor in (2, 10, 50)]
            line += f"; {kind} " + " ".join(f"{design.support.size}/{design.iterations}" for design in designs)
        sys.stdout.write(line + "\n")


def main() -> None:
    _times()
    _ratios()
    _supports()


if __name__ == "__main__":
    main()
