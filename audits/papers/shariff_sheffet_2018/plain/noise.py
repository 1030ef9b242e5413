"""The noise of the tree's nodes and of its prefixes, from random blocks, and the formulas of calibration, with dense matrices.

A node's numbers come from the short blocks of its run's stream NOISE. Of n pairs of normals it has the blocks node n, ..., one for each:
radius and angle are the two uniforms; all cosines come before all sines. From 2^60 on each node has ceil(d / 2) blocks more, of two uniforms
for a dimension each. Only these addresses are shared with the shipped code.
"""

import math

import numpy as np

from banditproof import randomness
from banditproof.audits.common.short_blocks import fine_pair, short_stream
from banditproof.interaction import Floats, Words
from banditproof.randomness import normal, uniform

PADS, FRACTIONS, REDRAWN, TRIES = 2**40, 2**60, 2**61, 64


def nodes(horizon: int) -> int:
    """m = 1 + ceil(log2 n)."""
    return 1 + math.ceil(math.log2(horizon))


def released(horizon: int) -> int:
    """The nodes 1, 2, 4, ... up to n - 1, one at least."""
    return max(sum(1 for level in range(60) if 2**level <= horizon - 1), 1)


def packed(dimension: int) -> int:
    """q: the lower triangle of a (d + 1) x (d + 1) matrix without its corner."""
    return (dimension + 1) * (dimension + 2) // 2 - 1


def drawn(key: Words, node: int, dimension: int) -> tuple[Floats, Floats]:
    """The normals (q,) and uniforms (d,) of a node."""
    count, stream = packed(dimension), short_stream(key, randomness.NOISE)
    pairs, blocks = math.ceil(count / 2), math.ceil(dimension / 2)
    raw, turns = np.array([fine_pair(stream, node * pairs + place) for place in range(pairs)]).T
    sizes, angles = np.sqrt(-2.0 * np.log1p(-raw)), 2.0 * math.pi * (turns - 0.5)
    normals = np.concatenate([sizes * np.cos(angles), sizes * np.sin(angles)])[:count]
    fractions = [fine_pair(stream, FRACTIONS + node * blocks + place) for place in range(blocks)]
    return normals, np.array(fractions).ravel()[:dimension]


def gaussian(key: Words, node: int, dimension: int, sigma: float) -> Floats:
    """Packed: sigma z, times sqrt 2 on the diagonal."""
    found, _ = drawn(key, node, dimension)
    lower, other = np.tril_indices(dimension + 1)
    return np.asarray(sigma * found * np.where(lower == other, math.sqrt(2.0), 1.0)[:-1])


def root_chi(degrees: float, key: Words, address: int, size: float, fraction: float) -> float:
    """Marsaglia and Tsang 2000: of shape a = degrees / 2 >= 1, with d = a - 1/3 and c = 1 / sqrt(9 d): root of twice the gamma variable."""
    d = degrees / 2.0 - 1.0 / 3.0
    attempt = 0
    while True:
        cube = (1.0 + size / math.sqrt(9.0 * d)) ** 3
        if cube > 0.0 and math.log1p(-fraction) < size**2 / 2.0 + d - d * cube + d * math.log(cube):
            return math.sqrt(2.0 * d * cube)
        index = REDRAWN + address * TRIES + 2 * attempt
        size, fraction = float(normal(key, randomness.NOISE, index)), float(uniform(key, randomness.NOISE, index + 1))
        attempt += 1


def wishart(key: Words, node: int, dimension: int, degrees: float, scale: float) -> Floats:
    """Packed: scale T T' with Bartlett's triangle T; its corner is not needed."""
    found, shares = drawn(key, node, dimension)
    triangle = np.zeros((dimension + 1, dimension + 1))
    lower, other = np.tril_indices(dimension + 1)
    triangle[lower[:-1], other[:-1]] = found
    for row in range(dimension):
        place = row * (row + 3) // 2
        address = node * packed(dimension) + place
        triangle[row, row] = root_chi(degrees - row, key, address, float(found[place]), float(shares[row]))
    return np.asarray(scale * (triangle @ triangle.T)[lower, other][:-1])


def covering(count: int, levels: int) -> tuple[list[int], list[int]]:
    """The nodes of a prefix, one for each 1 in its binary digits, and the levels without one."""
    used, rest = [], count
    while rest:
        used.append(rest)
        rest -= rest & -rest
    return used, [level for level in range(levels) if count // 2**level % 2 == 0]


def node_sigma(epsilon: float, delta: float, horizon: int, row_norm: float) -> float:
    """4 sqrt(m) L~^2 ln(4 / delta) / epsilon."""
    return 4.0 * math.sqrt(nodes(horizon)) * row_norm**2 * math.log(4.0 / delta) / epsilon


def degrees(epsilon: float, delta: float, dimension: int, horizon: int) -> int:
    """d + 1 + ceil(224 m ln(8 m / delta) ln(2 / delta) / epsilon^2)."""
    m = nodes(horizon)
    return dimension + 1 + math.ceil(224.0 * m * math.log(8.0 * m / delta) * math.log(2.0 / delta) / epsilon**2)


def covered(delta: float, horizon: int) -> float:
    """sqrt(8 m l) min(ln(1 + sqrt(2 l / m)), 1), l = ln(2 / delta)."""
    m, log = nodes(horizon), math.log(2.0 / delta)
    return math.sqrt(8.0 * m * log) * min(math.log(1.0 + math.sqrt(2.0 * log / m)), 1.0 - 2.0**-40)


def deviation(q: float, dimension: int, horizon: int, failure: float) -> float:
    """a_q = sqrt d + sqrt(2 ln(q n / alpha))."""
    return math.sqrt(dimension) + math.sqrt(2.0 * math.log(q * horizon / failure))


def upsilon(sigma: float, dimension: int, horizon: int, failure: float) -> float:
    """sigma sqrt(2 m) (4 sqrt d + 2 ln(2 n / alpha))."""
    return sigma * math.sqrt(2.0 * nodes(horizon)) * (4.0 * math.sqrt(dimension) + 2.0 * math.log(2.0 * horizon / failure))


def tradeoff(epsilon: float, mu: float) -> float:
    """Delta of a Gaussian mechanism of level mu."""
    from scipy.special import log_ndtr

    left, right = float(log_ndtr(mu / 2.0 - epsilon / mu)), float(log_ndtr(-mu / 2.0 - epsilon / mu))
    return math.exp(left) - math.exp(epsilon + right)
