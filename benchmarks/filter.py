"""What the spectral filter costs, n = 20000 reports in R^5, one in ten corrupted: the fast form beside NumPy on all points in each pass,
and from sums per line (plain/filter.py). lambda is such that most of the corrupted ones go. A call sorts and builds the trees too.
Deterministic reweighting takes passes, not removals.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.estimators.linear.robust_least_squares import whiten
from banditproof.algorithms.estimators.spectral_filter.common import Method
from banditproof.algorithms.estimators.spectral_filter.fast import filter_reports, spectral_filter
from banditproof.randomness import key_of
from benchmarks.plain import filter as plain
from benchmarks.runner.cases import Case, Scale, TimedCall, Work

LONG = False
DIMENSION, ALPHA, SEED, KEY = 5, 0.1, 17, key_of(17, "benchmark")


class Problem(NamedTuple):
    """Whitened arms, the arm of each report, the reports, and lambda: half the top eigenvalue of the clean covariance, so that the filter
    stops at twice that eigenvalue."""

    directions: np.ndarray
    arm_of: np.ndarray
    reports: np.ndarray
    bound: float


def problem(arms: int, samples: int) -> Problem:
    """Reports of k arms."""
    rng = np.random.default_rng(SEED)
    rows = rng.normal(size=(arms, DIMENSION))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    index = rng.integers(0, arms, samples)
    clean = rows[index] @ np.full(DIMENSION, DIMENSION**-0.5) + rng.normal(size=samples)
    directions = whiten(rows, index).directions
    covariance = np.cov(directions[index].T * clean, bias=True)
    reports = np.where(rng.random(samples) < ALPHA, 50.0, clean)
    return Problem(directions, index, reports, float(np.linalg.eigvalsh(covariance)[-1] / 2.0))


def cases(scale: Scale) -> Sequence[Case]:
    found: list[Case] = []
    for arms in scale.of((5, 15, 40), (15,)):
        given = problem(arms, scale.of(20_000, 4_000))
        beside = dict.fromkeys((f"numpy_points_k{arms}", f"numpy_lines_k{arms}"))
        found += [
            TimedCall(f"k{arms}", _ours(given), 1, unit="call", against=beside),
            TimedCall(f"reweighted_k{arms}", _reweighted(given), 1, unit="call"),
            TimedCall(f"numpy_points_k{arms}", _points(given), 1, unit="call", slow=True),
            TimedCall(f"numpy_lines_k{arms}", _lines(given, arms), 1, unit="call", slow=True),
        ]
    return found


def _ours(given: Problem) -> Callable[[], Work]:
    return lambda: lambda: filter_reports(*given, KEY)


def _reweighted(given: Problem) -> Callable[[], Work]:
    return lambda: lambda: spectral_filter(*given, KEY, method=Method.REWEIGHTED)


def _points(given: Problem) -> Callable[[], Work]:
    points = given.directions[given.arm_of] * given.reports[:, np.newaxis]
    return lambda: lambda: plain.by_points(points, given.bound, np.random.default_rng(SEED))


def _lines(given: Problem, arms: int) -> Callable[[], Work]:
    def work() -> object:  # it changes its list
        lines = [given.reports[given.arm_of == arm] for arm in range(arms)]
        return plain.by_lines(given.directions, lines, given.bound, np.random.default_rng(SEED))

    return lambda: work
