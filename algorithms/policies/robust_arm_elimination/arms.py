"""What robust arm elimination computes of a set of arms alone: their span, and the design on it.

The runs of one environment come by the same few sets of arms again and again, so what was found for the last ones is kept.
"""

import functools

import numpy as np

from banditproof.algorithms.designs.approximate import approximate_g_design
from banditproof.interaction import Floats

SHORTEST, NEGLIGIBLE = 1e-100, 1e-8  # an arm's length that counts as 0; and a direction, relative to the longest
_KEPT = 128  # sets


def basis_of(vectors: Floats) -> Floats:
    """Orthonormal columns (d, d') that span the arms (K, d), up to directions that are NEGLIGIBLE; the identity if these are all of R^d."""
    return _basis(vectors.tobytes(), vectors.shape[1])


def design_weights(vectors: Floats, factor: float) -> Floats:
    """The weights (K,) of a design for the arms (K, d) in their span, d' > 0, with max g at most `factor` d'."""
    return _weights(vectors.tobytes(), vectors.shape[1], factor)


@functools.lru_cache(_KEPT)
def _basis(arms: bytes, width: int) -> Floats:
    vectors = np.frombuffer(arms).reshape(-1, width)
    if not np.abs(vectors).max() > SHORTEST:
        return _fixed(np.zeros((width, 0)))
    _, sizes, directions = np.linalg.svd(vectors, full_matrices=False)
    rank = int((sizes > NEGLIGIBLE * sizes[0]).sum())
    return _fixed(np.eye(width) if rank == width else directions[:rank].T.copy())


@functools.lru_cache(_KEPT)
def _weights(arms: bytes, width: int, factor: float) -> Floats:
    basis = _basis(arms, width)
    return _fixed(approximate_g_design(np.frombuffer(arms).reshape(-1, width) @ basis, factor * basis.shape[1]).weights)


def _fixed(array: Floats) -> Floats:
    """The array, which nobody can change now."""
    array.setflags(write=False)
    return array
