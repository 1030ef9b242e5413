"""LinUCB in NumPy, round by round, with contexts, rewards and noise drawn in the run, in its fastest plain forms.

Decision sets are K uniform unit vectors of R^d, theta* is e_1 and a reward is 1 with probability (1 + mean) / 2, else -1. The radius is a
constant: a radius that follows the determinant would cost more.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Noise = Callable[[np.random.Generator], Floats]


def unit_vectors(count: int, dimension: int, rng: np.random.Generator) -> Floats:
    """Shape (K, d)."""
    vectors = rng.standard_normal((count, dimension))
    vectors /= np.sqrt(np.einsum("ki,ki->k", vectors, vectors))[:, np.newaxis]
    return vectors


def fixed_run(vectors: Floats, rounds: int, radius: float, rng: np.random.Generator) -> float:
    """Pseudo-regret of ridge LinUCB on one set of arms (K, d): scores are updated, since only one direction changes in a round."""
    dimension, means = vectors.shape[1], vectors[:, 0]
    inverse, regret, best = np.eye(dimension), 0.0, means.max()
    estimates, squares = np.zeros(len(vectors)), np.einsum("ki,ki->k", vectors, vectors)
    for _ in range(rounds):
        arm = int((estimates + radius * np.sqrt(squares)).argmax())
        reward = 1.0 if rng.random() < (1.0 + means[arm]) / 2.0 else -1.0
        image = inverse @ vectors[arm]
        inner, factor = vectors @ image, 1.0 / (1.0 + squares[arm])
        estimates += inner * ((reward - estimates[arm]) * factor)
        squares -= inner * inner * factor
        inverse -= np.outer(image, image * factor)
        regret += best - means[arm]
    return float(regret)


def fresh_run(arms: int, dimension: int, rounds: int, radius: float, rng: np.random.Generator) -> float:
    """Pseudo-regret of ridge LinUCB with a new set in each round; the inverse by rank-one updates."""
    inverse, centre, regret = np.eye(dimension), np.zeros(dimension), 0.0
    for _ in range(rounds):
        vectors = unit_vectors(arms, dimension, rng)
        images = vectors @ inverse
        squares = np.einsum("ki,ki->k", images, vectors)
        arm = int((vectors @ centre + radius * np.sqrt(squares)).argmax())
        means = vectors[:, 0]
        reward = 1.0 if rng.random() < (1.0 + means[arm]) / 2.0 else -1.0
        factor = 1.0 / (1.0 + squares[arm])
        centre += images[arm] * ((reward - vectors[arm] @ centre) * factor)
        inverse -= np.outer(images[arm], images[arm] * factor)
        regret += means.max() - means[arm]
    return float(regret)


def gaussian_node(dimension: int, sigma: float) -> Noise:
    """A node of the tree: a symmetric matrix (d + 1, d + 1) of Gaussian noise."""

    def draw(rng: np.random.Generator) -> Floats:
        fresh = rng.normal(0.0, sigma, (dimension + 1, dimension + 1))
        return np.asarray((fresh + fresh.T) / np.sqrt(2.0))

    return draw


def wishart_node(dimension: int, degrees: int, scale: float) -> Noise:
    """A node of the tree: scale^2 times a Wishart matrix (d + 1, d + 1), by Bartlett's triangle."""
    freedoms, below = degrees - np.arange(dimension + 1.0), np.tril_indices(dimension + 1, -1)

    def draw(rng: np.random.Generator) -> Floats:
        triangle = np.diag(np.sqrt(rng.chisquare(freedoms)))
        triangle[below] = rng.standard_normal(len(below[0]))
        return np.asarray(scale**2 * (triangle @ triangle.T))

    return draw


def private_run(arms: int, dimension: int, rounds: int, node: Noise, shift: float, radius: float, rng: np.random.Generator) -> float:
    """Pseudo-regret of LinUCB on noisy sums: a tree of noise matrices, whose sum is kept per level, and an inverse in each round."""
    size, ridge, regret = dimension + 1, shift * np.eye(dimension), 0.0
    gram = np.zeros((size, size))
    prefixes = [np.zeros((size, size)) for _ in range(rounds.bit_length() + 2)]  # of the nodes of this level and all above
    noise = prefixes[-1]
    for played in range(1, rounds + 1):
        vectors, released = unit_vectors(arms, dimension, rng), gram + noise
        inverse = np.linalg.inv(released[:-1, :-1] + ridge)
        squares = np.einsum("ki,ki->k", vectors @ inverse, vectors)
        arm = int((vectors @ (inverse @ released[:-1, -1]) + radius * np.sqrt(squares)).argmax())
        means = vectors[:, 0]
        reward = 1.0 if rng.random() < (1.0 + means[arm]) / 2.0 else -1.0
        row = np.append(vectors[arm], reward)
        gram += np.outer(row, row)
        level = (played & -played).bit_length() - 1
        rest = played & (played - 1)
        above = (rest & -rest).bit_length() - 1 if rest else -1
        noise = prefixes[level] = prefixes[above] + node(rng)
        regret += means.max() - means[arm]
    return float(regret)
