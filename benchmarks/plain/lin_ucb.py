"""Private LinUCB as one would write it with NumPy: one round at a time, a tree of noise matrices, decision sets that are ready."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def private_run(sets: Floats, sigma: float, shift: float, radius: float, rng: np.random.Generator) -> float:
    """Pseudo-regret of a run on `sets` (T, K, d), theta* = e_1 and rewards of 1 or -1, with Gaussian noise. Draws from rng."""
    rounds, _, dimension = sets.shape
    gram, levels, regret = np.zeros((dimension + 1, dimension + 1)), {}, 0.0
    noise = np.zeros_like(gram)
    for played in range(1, rounds + 1):
        arms, released = sets[played - 1], gram + noise
        inverse = np.linalg.inv(released[:-1, :-1] + shift * np.eye(dimension))
        index = arms @ (inverse @ released[:-1, -1]) + radius * np.sqrt(np.einsum("ki,ij,kj->k", arms, inverse, arms))
        arm = int(index.argmax())
        means = arms[:, 0]
        reward = 1.0 if rng.random() < (1.0 + means[arm]) / 2.0 else -1.0
        row = np.append(arms[arm], reward)
        gram += np.outer(row, row)
        level = (played & -played).bit_length() - 1
        fresh = rng.normal(0.0, sigma, gram.shape)
        levels = {other: matrix for other, matrix in levels.items() if other > level}
        levels[level] = (fresh + fresh.T) / np.sqrt(2.0)
        noise = sum(levels.values(), np.zeros_like(gram))
        regret += float(means.max() - means[arm])
    return regret
