"""What the forms of the spectral filter share: their result, and what they refuse (Charisopoulos et al. 2023, Algorithm 2)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from banditproof.interaction import Floats, Ints, Words

FACTOR = 4.0  # Algorithm 2 stops at a top eigenvalue of 4 lambda
LARGEST = 1e70  # reports, directions and points beyond it: products of their squares would overflow


class Method(Enum):
    """How the filter is computed: one point at a time as printed, the same removals from sums per arm, or by lowering weights."""

    LITERAL = "literal"
    FAST = "fast"
    REWEIGHTED = "reweighted"


@dataclass(frozen=True, eq=False)
class Filtered:
    """What a filter kept of n points.

    mean (d,): theta_S, weighted. weights (n,): 1 of a kept point, 0 of a removed one; between them where weights are lowered.
    removed: places of the removed points, in the order of their removal. passes: top eigenpairs that were computed. top_eigenvalue: of
    the covariance of what was kept, at most factor * variance_bound. variance_bound: the lambda that the filter was given.
    """

    mean: Floats
    weights: Floats
    removed: Ints
    passes: int
    top_eigenvalue: float
    variance_bound: float


def stopping_value(variance_bound: float, factor: float = FACTOR) -> float:
    """factor * lambda, the top eigenvalue at which the filter stops. lambda >= 0, and infinite where nothing shall be removed."""
    if not variance_bound >= 0.0:
        raise ValueError(f"variance_bound = {variance_bound}: must be >= 0 (lambda, Algorithm 2)")
    if not 0.0 < factor < math.inf:
        raise ValueError(f"factor = {factor}: must be > 0 and finite (4 in Algorithm 2)")
    return factor * variance_bound


def require_points(points: Sequence[Sequence[float]] | Floats, name: str = "points") -> Floats:
    """Rows (n, d) of finite numbers, n and d at least 1."""
    found = np.ascontiguousarray(points, dtype=float)
    if found.ndim != 2 or 0 in found.shape:
        raise ValueError(f"{name} of shape {found.shape}: must be (rows, d) with at least one row and d >= 1")
    require_size(found, name)
    return found


def require_reports(index: Sequence[int] | Ints, reports: Sequence[float] | Floats, arms: int) -> tuple[Ints, Floats]:
    """The arm of each report (n,) and the reports (n,), n at least 1. NaN and infinities are refused: what is no number is no report, and
    whoever collects reports leaves it out before."""
    values = np.ascontiguousarray(reports, dtype=float)
    places = np.asarray(index)
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"reports of shape {values.shape}: must be (n,) with n >= 1")
    if places.shape != values.shape or places.dtype.kind not in "iu":
        raise ValueError(f"index of shape {places.shape} and type {places.dtype}: must be integers of the reports' shape {values.shape}")
    if places.min() < 0 or places.max() >= arms:
        raise ValueError(f"index from {places.min()} to {places.max()}: must be >= 0 and < {arms} (the number of arms)")
    require_size(values, "reports")
    return np.ascontiguousarray(places, dtype=np.int64), values


def require_key(key: Words, first_draw: int) -> Words:
    """The three words of a stream: a key of two words is that of run 0."""
    if key.shape not in ((2,), (3,)) or key.dtype != np.uint64:
        raise ValueError(f"key of shape {key.shape} and type {key.dtype}: must be 2 or 3 words of type uint64")
    if first_draw < 0:
        raise ValueError(f"first_draw = {first_draw}: must be >= 0 (index of the first uniform number)")
    return key if key.shape == (3,) else np.array([key[0], key[1], 0], dtype=np.uint64)


def require_size(values: Floats, name: str) -> None:
    largest = float(np.abs(values).max())
    if not largest <= LARGEST:
        raise ValueError(f"{name} with a value of size {largest}: must be finite and at most {LARGEST:g} in size (squares are added up)")
