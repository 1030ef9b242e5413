"""What a released node of the Gram matrices' tree tells of a row: exact log densities (kernels), for audits.

A node releases v v' + N without its corner: with v = (x, y) the block V = x x' + (block of N) and the vector h = y x + (column of N).

Gaussian noise: entries are independent, of variance sigma^2, and 2 sigma^2 on the diagonal. Wishart noise W(L~^2 I, k) in d + 1
dimensions: the block is W(L~^2 I, k) in d, and given it the column is normal with covariance L~^2 times the block. So at V - x x' = B and
h - y x = g the log density is, except for a constant, (k - d - 2) / 2 ln det B - (tr B + g' B^-1 g) / (2 L~^2).
"""

import math

import numpy as np

from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.noise import GammaConstants, NodeNoise, Scratch, gaussian_nodes, packed, wishart_nodes
from banditproof.algorithms.mechanisms.gram.wishart import WishartGram
from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled


def _gaussian_log_density(release: Floats, row: Floats, sigma: float) -> float:
    """Of a node's release (q,) when the row (d + 1,) is in it, except for a constant."""
    total, column, dimension = 0.0, 0, row.shape[0] - 1
    for i in range(dimension + 1):
        for j in range(min(i + 1, dimension)):
            left = release[column] - row[i] * row[j]
            total -= left * left * (0.5 if i == j else 1.0)
            column += 1
    return total / (2.0 * sigma * sigma)


def _wishart_log_density(release: Floats, row: Floats, degrees: float, scale: float, root: Floats) -> float:
    """The same with Wishart noise; -inf where the row cannot be in the release. `root` (d + 1, d) is scratch."""
    dimension = row.shape[0] - 1
    logs, squares, column = 0.0, 0.0, 0
    for i in range(dimension + 1):  # Cholesky's root of B, and in the last row that times g
        for j in range(min(i + 1, dimension)):
            left = release[column] - row[i] * row[j]
            if i == j:
                squares += left
            for place in range(j):
                left -= root[i, place] * root[j, place]
            if i == j:
                if left <= 0.0:
                    return -math.inf
                logs += math.log(left)
                root[i, i] = math.sqrt(left)
            else:
                root[i, j] = left / root[j, j]
                if i == dimension:
                    squares += root[i, j] * root[i, j]
            column += 1
    return float(0.5 * (degrees - dimension - 2.0) * logs - squares / (2.0 * scale))


gaussian_log_density, wishart_log_density = compiled(_gaussian_log_density), compiled(_wishart_log_density)


def _ratios(releases: Floats, rows: Floats, noise: NodeNoise, root: Floats, found: Floats) -> None:
    """found (n,): log density of the releases (n, nodes, q) with rows[1] over that with rows[0]."""
    for run in range(releases.shape[0]):
        found[run] = 0.0
        for node in range(releases.shape[1]):
            release = releases[run, node]
            if noise.degrees > 0.0:
                found[run] += wishart_log_density(release, rows[1], noise.degrees, noise.scale, root)
                found[run] -= wishart_log_density(release, rows[0], noise.degrees, noise.scale, root)
            else:
                found[run] += gaussian_log_density(release, rows[1], noise.sigma) - gaussian_log_density(release, rows[0], noise.sigma)


ratios = compiled(_ratios)


def _draw_nodes(key: Words, side: int, rows: Floats, noise: NodeNoise, gammas: GammaConstants, scratch: Scratch, releases: Floats) -> None:
    """Fills releases (n, nodes, q) of n runs: the nodes 1, 2, 4, ... when the first row is rows[side] and all others are 0. The last word
    of `key` (3,) is the run."""
    for run in range(releases.shape[0]):
        key[2] = np.uint64(run)
        for level in range(releases.shape[1]):
            fresh, column = releases[run, level], 0
            if noise.degrees > 0.0:
                wishart_nodes(key, 1 << level, gammas, noise.scale, releases[run, level : level + 1], scratch)
            else:
                gaussian_nodes(key, 1 << level, noise.sigma, releases[run, level : level + 1], scratch)
            for i in range(rows.shape[1]):
                for j in range(min(i + 1, rows.shape[1] - 1)):
                    fresh[column] += rows[side, i] * rows[side, j]
                    column += 1


draw_nodes = compiled(_draw_nodes)


def node_noise(gram: GaussianGram | WishartGram) -> NodeNoise:
    """The noise of a node of this mechanism's tree."""
    if isinstance(gram, WishartGram):
        return NodeNoise(degrees=float(gram.degrees()), scale=gram.row_norm**2)
    return NodeNoise(sigma=gram.sigma())


def log_ratios(releases: Floats, rows: Floats, noise: NodeNoise) -> Floats:
    """Log density of releases (n, nodes, q) with rows[1] over that with rows[0], rows (2, d + 1); +-inf where one cannot be. Shape (n,)."""
    found = np.zeros(len(releases))
    ratios(np.ascontiguousarray(releases), rows, noise, np.zeros((rows.shape[1], rows.shape[1] - 1)), found)
    return found


def held_nodes(gram: GaussianGram | WishartGram, rows: Floats, side: int, nodes: int, runs: int, key: Words) -> Floats:
    """Releases (runs, nodes, q) of the nodes 1, 2, 4, ... by the policy's kernels, when the first row is rows[side] and all others are 0.

    Those of them that are released are all that a release without padding tells of the row: other prefixes add noise of their own.
    """
    noise = node_noise(gram)
    gammas, scratch = gram_noise.gammas_of(noise, gram.dimension), gram_noise.scratch(gram.dimension)
    releases = np.zeros((runs, nodes, packed(gram.dimension) + gram.dimension))
    draw_nodes(np.array([*key, 0], dtype=np.uint64), side, rows, noise, gammas, scratch, releases)
    return releases
