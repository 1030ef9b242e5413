"""The tree of noise matrices for a stream of rows v_t in R^p, p = d + 1 (Shariff and Sheffet 2018, sections 4 and A.2): kernels and counts.

A symmetric p x p matrix is packed: its lower triangle by rows, p (p + 1) / 2 numbers. With v = (x, y) the first d (d + 1) / 2 of them are
the block of x x', the next d the vector y x, and the last one, y^2, is the corner: it is never used, so it is neither drawn nor released,
and `packed(d) + d` numbers stay.

Rows count from 1. Node t is the sum of the rows t - lowest_bit(t) + 1 .. t; it completes with row t, has level log2 lowest_bit(t) and one
noise matrix, and the first t rows are the nodes of the 1s in t's binary digits: the only nodes that a prefix ever needs.

Padding. The noise of a prefix is the sum over all `nodes(horizon)` levels, each with its active node's matrix, or where none is active
with the level's padding matrix: drawn once per run, and never the noise of a node. Without padding these are zeros.
"""

import math
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from banditproof import glossary, randomness
from banditproof.algorithms.draws.arrays import normals, normals_room
from banditproof.algorithms.draws.words import LANES, fine_lanes
from banditproof.guarantees import NeighbouringRelation, require
from banditproof.interaction import Floats, Words
from banditproof.kernels import compiled
from banditproof.lanes import add, multiply, write
from banditproof.mechanism import Neighbours
from banditproof.randomness import normal, short_key, uniform

_PADS = 1 << 40  # nodes have numbers below it: a horizon has, too
_FRACTIONS = 1 << 60  # where the addresses of uniforms begin
_REDRAWN, _TRIES = 1 << 61, 64  # where the addresses of redrawn numbers begin, and how many a number has


class Calibration(Enum):
    """How much noise."""

    PUBLISHED = "published"  # the paper's formula at every epsilon and delta
    REPAIRED = "repaired"  # the paper's formula as far as its argument reaches, and enough noise beyond
    EXACT = "exact"  # the least that is enough


class NodeNoise(NamedTuple):
    """Distribution of a node's noise: normals of standard deviation `sigma`, or `scale` times a Wishart matrix of so many `degrees` of
    freedom. What is not in force is 0."""

    sigma: float = 0.0
    degrees: float = 0.0
    scale: float = 0.0


NO_NOISE = NodeNoise()


def packed(size: int) -> int:
    """Numbers in the lower triangle of a symmetric matrix."""
    return size * (size + 1) // 2


def nodes(horizon: int) -> int:
    """The paper's m = 1 + ceil(log2 n), for n = `horizon`: levels of its tree, and summands of the padded noise."""
    return 1 + int(glossary.HORIZON.require(horizon) - 1).bit_length()


def released_nodes(horizon: int) -> int:
    """Released nodes that hold one row, at most: the first row enters nodes 1, 2, 4, ... up to n - 1, since no action follows row n."""
    return int(glossary.HORIZON.require(horizon) - 1).bit_length()


def _restart(suffix_sums: Floats, padding_noise: Floats) -> None:
    """Noise of the empty prefix. upper[j] (m + 1, q) is the sum over the levels >= j; pads (m, q) are the padding matrices."""
    levels, width = padding_noise.shape
    for column in range(width):
        suffix_sums[levels, column] = 0.0
    for level in range(levels - 1, -1, -1):
        for column in range(width):
            suffix_sums[level, column] = suffix_sums[level + 1, column] + padding_noise[level, column]


def _complete(suffix_sums: Floats, padding_noise: Floats, count: int, fresh: Floats) -> None:
    """Node `count` completes with noise `fresh` (q,); upper[0] is then the noise of the prefix. Two additions a row, on average."""
    level = 0
    while (count >> level) & 1 == 0:
        level += 1
    add(suffix_sums[level + 1], fresh, suffix_sums[level])
    for lower in range(level - 1, -1, -1):
        add(suffix_sums[lower + 1], padding_noise[lower], suffix_sums[lower])


class Scratch(NamedTuple):
    """Room for the draws of r nodes; made by `scratch`."""

    drawn: Floats  # (r, 2 n): normals, n pairs of them
    fractions: Floats  # (2, s): uniforms, b = ceil(d / 2) columns a node
    roots: Floats  # (r, d)
    factors: Floats  # (q,): standard deviations
    stream: Words  # (4,)
    room: Floats


def scratch(dimension: int, nodes: int = 1) -> Scratch:
    """Room for up to `nodes` nodes, for rows of d + 1 numbers, d = `dimension`."""
    drawn = 2 * -(-(packed(dimension) + dimension) // 2)
    fractions = -(-nodes * ((dimension + 1) // 2) // LANES) * LANES
    return Scratch(
        np.zeros((nodes, drawn)),
        np.zeros((2, fractions)),
        np.zeros((nodes, dimension)),
        np.zeros(packed(dimension) + dimension),
        np.zeros(4, dtype=np.uint64),
        np.zeros(normals_room(nodes, drawn)),
    )


def _gaussian_nodes(key: Words, first: int, sigma: float, fresh: Floats, scratch: Scratch) -> None:
    """Noise of the nodes first, first + 1, ..., fresh (r, q), for a scratch of r nodes or more.

    Independent normals of standard deviation sigma, times sqrt 2 on the diagonal (section 4.2).
    """
    rows, width = fresh.shape
    drawn = scratch.drawn[:rows]
    normals(key, randomness.NOISE, first, drawn, scratch.room)
    diagonal = sigma * math.sqrt(2.0)
    for column in range(width):
        scratch.factors[column] = sigma
    column, row = 0, 0
    while column < width:  # the last row has no diagonal: the corner is not there
        scratch.factors[column] = diagonal
        row += 1
        column += row + 1
    for each in range(rows):
        multiply(scratch.factors, drawn[each], fresh[each])


class GammaConstants(NamedTuple):
    """What `chi` needs for each diagonal entry, (d,): a - 1/3 and 1 / sqrt(9 (a - 1/3)) for a = (degrees - i) / 2, i = 0 .. d - 1."""

    thirds: Floats
    slopes: Floats


def gamma_constants(degrees: float, dimension: int) -> GammaConstants:
    """The constants of Wishart noise in d = `dimension`. Raises ValueError unless degrees >= d + 1."""
    require(degrees >= dimension + 1, f"degrees = {degrees}: must be >= {dimension + 1} (degrees of freedom)")
    thirds: Floats = (degrees - np.arange(dimension, dtype=np.float64)) / 2.0 - 1.0 / 3.0
    return GammaConstants(thirds, 1.0 / np.sqrt(9.0 * thirds))


def gammas_of(noise: NodeNoise, dimension: int) -> GammaConstants:
    """The same for any noise: zeros, which no kernel reads, where it is not Wishart's. Raises ValueError as `gamma_constants` does."""
    if noise.degrees == 0.0:
        return GammaConstants(np.zeros(dimension), np.zeros(dimension))
    return gamma_constants(noise.degrees, dimension)


def _chi(third: float, slope: float, key: Words, address: int, size: float, fraction: float) -> float:
    """Root of a chi-square variable, from a standard normal and a uniform on [0, 1): Marsaglia and Tsang 2000, exact for degrees >= 2.

    It is a rejection method: what it refuses, a few in a hundred at most, is redrawn at addresses of its own.
    """
    attempt = 0
    while True:
        base, square = 1.0 + slope * size, size * size
        if base > 0.0:
            cube = base * base * base
            if fraction > 0.0331 * square * square or math.log(1.0 - fraction) < 0.5 * square + third * (1.0 - cube + math.log(cube)):
                return math.sqrt(2.0 * third * cube)
        index = _REDRAWN + address * _TRIES + 2 * attempt
        size, fraction = normal(key, randomness.NOISE, index), uniform(key, randomness.NOISE, index + 1)
        attempt += 1


def _surely(slope: float, size: float, fraction: float) -> bool:
    """True only where `chi` takes the first number: told without a logarithm, and nearly always.

    With y = slope size its test is ln(1 - share) < h for h = (ln(1 + y) - y + y^2 / 2 - y^3 / 3) / (3 slope^2). For |y| <= 1/2 the series
    gives h >= -y^4 / (6 slope^2), and 1 - e^h <= -h: so any share above y^4 / (6 slope^2) passes.
    """
    y = slope * size
    return abs(y) <= 0.5 and 6.0 * fraction > y * y * (size * size)


chi, surely = compiled(_chi), compiled(_surely, inline=True)


def _square(triangle: Floats, scale: float, dimension: int) -> None:
    """T -> scale T T', both packed without the corner: in place, from the last entry to the first."""
    for i in range(dimension, -1, -1):
        start = i * (i + 1) // 2
        for j in range(min(i, dimension - 1), -1, -1):
            other, total = j * (j + 1) // 2, 0.0
            for place in range(j + 1):
                total += triangle[start + place] * triangle[other + place]
            triangle[start + j] = scale * total


square = compiled(_square, inline=True)


def _wishart_nodes(key: Words, first: int, gammas: GammaConstants, scale: float, fresh: Floats, scratch: Scratch) -> None:
    """Noise of the nodes first, first + 1, ..., fresh (r, q), for a scratch of r nodes or more.

    Of each: scale times a Wishart matrix of the identity, T T' with T lower triangular (Bartlett 1933). T_ii^2 is chi-square with k - i
    degrees of freedom (i from 0; `gammas` are the `gamma_constants` of k), and the entries below the diagonal are standard normals. The
    corner, T_dd, is not needed.
    """
    rows, width = fresh.shape
    thirds, slopes, dimension = gammas.thirds, gammas.slopes, gammas.thirds.shape[0]
    drawn, roots, fractions, columns = scratch.drawn[:rows], scratch.roots, scratch.fractions, (gammas.thirds.shape[0] + 1) // 2
    normals(key, randomness.NOISE, first, drawn, scratch.room)
    short_key(key, randomness.NOISE, scratch.stream)
    for place in range(0, rows * columns, LANES):
        one, two = fine_lanes(scratch.stream, _FRACTIONS + first * columns + place)
        write(fractions[0], place, one)
        write(fractions[1], place, two)
    for each in range(rows):
        some = roots[each]
        for row in range(dimension):
            some[row] = drawn[each, row * (row + 3) // 2]
        for row in range(dimension):
            base = 1.0 + slopes[row] * some[row]
            some[row] = math.sqrt(max(2.0 * thirds[row] * (base * base * base), 0.0))
    for each in range(rows):
        for column in range(width):
            fresh[each, column] = drawn[each, column]
        for row in range(dimension):
            column, fraction = row * (row + 3) // 2, fractions[row % 2, each * columns + row // 2]
            size, slope, root = drawn[each, column], slopes[row], roots[each, row]
            if not surely(slope, size, fraction):
                root = chi(thirds[row], slope, key, (first + each) * width + column, size, fraction)
            fresh[each, column] = root
        if dimension == 5:  # the papers' experiments: a form without loops
            square(fresh[each], scale, 5)
        else:
            square(fresh[each], scale, dimension)


restart, complete = compiled(_restart), compiled(_complete)
gaussian_nodes, wishart_nodes = compiled(_gaussian_nodes), compiled(_wishart_nodes)


def pad_number(level: int) -> int:
    """The number under which the padding matrix of a level is drawn: no node has it."""
    return _PADS + level


def check_row_norm(row_norm: float) -> None:
    """Raises ValueError unless row_norm > 0 and finite."""
    require(0.0 < row_norm < math.inf, f"row_norm = {row_norm}: must be > 0 and finite (largest length of features and reward together)")


def check_stream(dimension: int, horizon: int) -> None:
    """Raises ValueError unless rows of so many features, and so many rows, make a mechanism."""
    require(dimension >= 1, f"dimension = {dimension}: must be an integer >= 1 (features)")
    require(horizon >= 2, f"horizon = {horizon}: must be an integer >= 2 (the last row is never released)")


def project(rows: Floats, bound: float) -> Floats:
    """The nearest rows (T, p) of length at most `bound`: what keeps a neighbour's change within what the noise covers.

    Raises ValueError where a number is not finite.
    """
    if not np.isfinite(rows).all():
        raise ValueError("a row holds a number that is not finite")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(lengths > bound, rows * (bound / np.maximum(lengths, bound)), rows)


def packed_prefixes(rows: Floats) -> Floats:
    """The packed sums of v v' over the first 1 .. T rows (T, d + 1), without the corner: shape (T, q)."""
    dimension = rows.shape[1] - 1
    lower, other = np.tril_indices(dimension)
    squares = np.concatenate([rows[:, lower] * rows[:, other], rows[:, :-1] * rows[:, -1:]], axis=1)
    return np.cumsum(squares, axis=0)


def prefix_noise(fresh: Floats, padding_noise: Floats) -> Floats:
    """From the noise of nodes 1 .. T, (runs, T, q), to that of prefixes 1 .. T; pads (runs, m, q)."""
    noise = np.zeros_like(fresh)
    for count in range(1, fresh.shape[1] + 1):
        last = count
        while last:
            noise[:, count - 1] += fresh[:, last - 1]
            last &= last - 1
        for level in range(padding_noise.shape[1]):
            if not (count >> level) & 1:
                noise[:, count - 1] += padding_noise[:, level]
    return noise


def worst_rows(dimension: int, bound: float, horizon: int) -> tuple[tuple[Any, Any], ...]:
    """Pairs of datasets worth auditing: the first row, which most nodes hold, changes, and all others are 0.

    Two orthogonal features, the reward's sign at half of the squared length each, a row against none, a feature against the reward.
    """
    zero, half = [0.0] * (dimension + 1), bound / math.sqrt(2.0)

    def row(**entries: float) -> tuple[float, ...]:
        changed = list(zero)
        for place, value in entries.items():
            changed[{"first": 0, "second": 1, "reward": dimension}[place]] = value
        return tuple(changed)

    pairs = [(row(first=half, reward=half), row(first=half, reward=-half)), (row(first=bound), tuple(zero))]
    pairs.append((row(first=bound), row(reward=bound)))
    if dimension > 1:
        pairs.insert(0, (row(first=bound), row(second=bound)))
    rest = (tuple(zero),) * (horizon - 1)
    return tuple(((first, *rest), (second, *rest)) for first, second in pairs)


def row_neighbours(dimension: int, row_norm: float, horizon: int) -> Neighbours:
    """Datasets (horizon, d + 1) that differ in one row, with the pairs of `worst_rows`."""
    reach, rows = row_norm / math.sqrt(dimension + 1.0), (horizon, horizon)
    worst = worst_rows(dimension, row_norm, horizon)
    return Neighbours(NeighbouringRelation.REPLACE_RECORD, low=-reach, high=reach, lengths=rows, row=(dimension + 1,), worst=worst)


def released_sums(data: Floats, dimension: int, row_norm: float, horizon: int) -> Floats:
    """What the releases hide: the packed sums of the projected rows before each round but the first, (horizon - 1, q). Raises ValueError
    unless data is (horizon, d + 1)."""
    rows = np.asarray(data, dtype=float)
    shape = (horizon, dimension + 1)
    require(rows.shape == shape, f"data of shape {rows.shape}: must be {shape} (rows of features and reward)")
    return packed_prefixes(project(rows, row_norm))[:-1]
