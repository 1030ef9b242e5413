"""What a design is, the span of its arms, and the variances that certify it (Charisopoulos, Esfandiari and Mirrokni 2023, Definition 1.5).

A design is a probability distribution pi over K arms. With M(pi) = sum of pi(a) a a' the variance of an arm is g_a = a' M(pi)^-1 a. For
arms that span d dimensions no design has max g < d, and exactly the optimal ones have max g = d (Kiefer and Wolfowitz 1960): so max g is
the certificate of a design. Where the arms span fewer dimensions than they have coordinates, M(pi)^-1 is taken on the span.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from banditproof.guarantees import require
from banditproof.interaction import Floats, Ints

_EPSILON, _SUM_TOLERANCE = float(np.finfo(float).eps), 1e-9


@dataclass(frozen=True)
class Design:
    """Weights over K arms, and what they reach.

    weights: (K,), non-negative, of sum 1. value: the largest variance max g over the arms. basis: (d, d'), orthonormal columns that span
    the arms; the identity if d' = d. iterations: steps after the start. multiplications: how many the construction took, counted from
    the shapes of its products and factorisations (leading terms).
    """

    weights: Floats
    value: float
    basis: Floats
    iterations: int
    multiplications: int

    @property
    def dimension(self) -> int:
        """d', the dimension of the arms' span."""
        return int(self.basis.shape[1])

    @property
    def support(self) -> Ints:
        """Places of the arms of positive weight, in ascending order."""
        return np.flatnonzero(self.weights)


class Span(NamedTuple):
    """Arms in coordinates (K, d') whose columns are orthonormal, so that their condition is 1, and a basis (d, d') of what they span."""

    coordinates: Floats
    basis: Floats


def span_of(arms: Floats) -> Span:
    """Orthonormal coordinates of the arms (K, d), by a Householder QR and the singular values of its triangle.

    Variances do not change under invertible linear maps, so a design for the coordinates is one for the arms. A singular value below
    max(K, d) times the machine's epsilon of the largest counts as 0. Raises ValueError unless the arms are a finite matrix, one non-zero.
    """
    points = np.asarray(arms, dtype=float)
    require(points.ndim == 2 and points.size > 0, f"arms of shape {points.shape}: must be (K, d) with K >= 1 and d >= 1")
    require(bool(np.isfinite(points).all()), "an entry of arms is not finite: must be a number")
    largest = float(np.abs(points).max())
    require(largest > 0.0, "all arms are 0: at least one must be non-zero (there is nothing to estimate)")
    orthonormal, triangle = np.linalg.qr(points / largest)
    left, sizes, right = np.linalg.svd(triangle, full_matrices=False)
    rank = int((sizes > sizes[0] * max(points.shape) * _EPSILON).sum())
    if rank == points.shape[1]:
        return Span(orthonormal, np.eye(rank))
    return Span(orthonormal @ left[:, :rank], right[:rank].T.copy())


def require_weights(weights: Floats) -> Floats:
    """The weights (K,) as an array. Raises ValueError unless they are finite, non-negative and of sum 1 (to 1e-9)."""
    values = np.asarray(weights, dtype=float)
    require(values.ndim == 1 and values.size > 0, f"weights of shape {values.shape}: must be (K,) with K >= 1")
    require(bool((values >= 0.0).all()), "a weight is negative or NaN: must be >= 0")
    total = float(values.sum())
    require(abs(total - 1.0) <= _SUM_TOLERANCE, f"weights of sum {total}: must be 1")
    return values


def variances(arms: Floats, weights: Floats) -> Floats:
    """g_a = a' M(pi)^-1 a for every arm (K,), from singular values of the weighted arms: M(pi), whose condition is squared, is not formed.

    Infinite for an arm outside the span of the support, which a design of these weights cannot estimate. Raises ValueError as `span_of` and
    `require_weights` do, or if there are not as many weights as arms.
    """
    values, coordinates = require_weights(weights), span_of(arms).coordinates
    require(values.size == len(coordinates), f"{values.size} weights for {len(coordinates)} arms: must be as many")
    return variances_in(coordinates, values)


def variances_in(coordinates: Floats, weights: Floats) -> Floats:
    """`variances` for arms in orthonormal coordinates (K, d')."""
    support = np.flatnonzero(weights)
    weighted = np.sqrt(weights[support])[:, np.newaxis] * coordinates[support]
    _, sizes, directions = np.linalg.svd(np.linalg.qr(weighted, mode="r"))
    rank = int((sizes > sizes[0] * max(weighted.shape) * _EPSILON).sum())
    scaled = coordinates @ directions.T
    outside = np.abs(scaled[:, rank:]).max(axis=1, initial=0.0) > np.sqrt(_EPSILON) * np.abs(coordinates).max(axis=1)
    scaled = scaled[:, :rank] / sizes[:rank]
    return np.where(outside, np.inf, np.einsum("ij,ij->i", scaled, scaled))
