"""The Gram matrices' releases replayed: sums of projected rows plus the noise of the nodes that cover a prefix, as a function of the
variates; the kernels' nodes and padding; calibration at its closed forms; exact densities and the audits' draws of nodes.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.gram import gaussian, likelihood, noise, wishart
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.noise import Calibration, NodeNoise
from banditproof.algorithms.mechanisms.gram.wishart import Padding, WishartGram
from banditproof.audits.common.beside import beside, compared, refused
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.shariff_sheffet_2018.plain import noise as plain
from banditproof.audits.privacy.followed import Rebuilt
from banditproof.guarantees import ApproximateDP, NeighbouringRelation
from banditproof.interaction import Floats
from banditproof.randomness import generator, key_of
from banditproof.theory.papers.shariff_sheffet_2018 import privacy

_KEY = key_of(0, "shariff_sheffet_2018", "replayed_gram")
_PUBLISHED, _REPAIRED, _EXACT = Calibration.PUBLISHED, Calibration.REPAIRED, Calibration.EXACT
_RUNS = 3


def prefixes(rows: Floats, bound: float) -> Floats:
    """Packed sums (T - 1, q) of v v' over rows that are shortened to the bound."""
    lower, other = np.tril_indices(rows.shape[1])
    total, found = np.zeros(len(lower) - 1), []
    for row in rows[:-1]:
        short = row * min(1.0, bound / max(float(np.linalg.norm(row)), 1e-300))
        total = total + np.outer(short, short)[lower, other][:-1]
        found.append(total)
    return np.array(found)


def covered(fresh: Floats, pads: Floats) -> Floats:
    """The noise of prefixes 1, 2, ... (runs, T, q), from that of nodes and that of levels' padding (runs, m, q)."""
    found = np.zeros(fresh.shape)
    for count in range(1, fresh.shape[1] + 1):
        used, idle = plain.covering(count, pads.shape[1])
        for node in used:
            found[:, count - 1] += fresh[:, node - 1]
        for level in idle:
            found[:, count - 1] += pads[:, level]
    return found


def wisharts(degrees: int, dimension: int, shape: tuple[int, int], rng: np.random.Generator, scale: float) -> Floats:
    """Bartlett's triangles: all normals, then the chi-squares row by row."""
    size = dimension + 1
    normals = rng.normal(size=(*shape, size, size))
    chis = [np.sqrt(rng.chisquare(degrees - row, size=shape)) for row in range(size)]
    found = np.zeros((*shape, plain.packed(dimension)))
    lower, other = np.tril_indices(size)
    for place in np.ndindex(*shape):
        triangle = np.tril(normals[place], -1) + np.diag([float(chi[place]) for chi in chis])
        found[place] = scale * (triangle @ triangle.T)[lower, other][:-1]
    return found


def releases() -> Iterator[At]:
    """Whole releases of both mechanisms from the same variates; rows inside the ball, on it and outside."""
    for number, (dimension, horizon) in enumerate(((1, 2), (2, 7), (3, 9), (5, 4))):
        rows = generator(_KEY, run=number).normal(size=(horizon, dimension + 1)) * np.array([0.2, 1.0, 5.0])[np.arange(horizon) % 3, None]
        bound, shape = 0.5 + 0.4 * number, (_RUNS, horizon - 1)
        truth, where = prefixes(rows, bound), {"d": dimension, "n": horizon}
        for kind in (_PUBLISHED, _REPAIRED):
            gram = GaussianGram(3.0, 0.1, horizon, dimension, bound, kind)
            sigma, rng = plain.node_sigma(3.0, 0.1, horizon, bound), generator(_KEY, run=50)
            lower, other = np.tril_indices(dimension + 1)
            fresh = rng.normal(0.0, sigma, (*shape, truth.shape[1])) * np.where(lower == other, math.sqrt(2.0), 1.0)[:-1]
            expected = truth + covered(fresh, np.zeros((_RUNS, 0, truth.shape[1])))
            found = gram.release(rows, _RUNS, generator(_KEY, run=50))
            yield from compared({**where, "kind": kind.value}, gaussian=(found, expected.reshape(_RUNS, -1)))
        for padding in Padding:
            other_gram = WishartGram(40.0, 0.1, horizon, dimension, bound, _PUBLISHED, padding)
            k, rng = plain.degrees(40.0, 0.1, dimension, horizon), generator(_KEY, run=60)
            fresh = wisharts(k, dimension, shape, rng, bound**2)
            levels = plain.nodes(horizon) if padding is Padding.FULL else 0
            expected = truth + covered(fresh, wisharts(k, dimension, (_RUNS, levels), rng, bound**2))
            found = other_gram.release(rows, _RUNS, generator(_KEY, run=60))
            yield from compared({**where, "padding": padding.value}, wishart=(found, expected.reshape(_RUNS, -1)))


def kernels() -> Iterator[At]:
    """Nodes one and three at a time, for degrees at which numbers are redrawn; suffix sums of 40 prefixes with and without padding."""
    gaussian_nodes, wishart_nodes = (Rebuilt({}).function(each) for each in (noise.gaussian_nodes, noise.wishart_nodes))
    restart, complete = Rebuilt({}).function(noise.restart), Rebuilt({}).function(noise.complete)
    key = np.append(_KEY, np.uint64(5))
    for dimension in (1, 2, 3, 4, 5, 6):
        width = plain.packed(dimension)
        for first, count in ((1, 3), (noise.pad_number(2), 1)):
            fresh, room = np.zeros((count, width)), noise.scratch(dimension, 3)
            gaussian_nodes(key, first, 0.7, fresh, room)
            expected = np.array([plain.gaussian(key, first + each, dimension, 0.7) for each in range(count)])
            yield from compared({"d": dimension, "first": first}, gaussian=(fresh, expected))
        for degrees in (dimension + 1.0, dimension + 2.5, 40.0, 1e5):
            fresh, room = np.zeros((3, width)), noise.scratch(dimension, 3)
            gammas = noise.gammas_of(NodeNoise(degrees=degrees, scale=1.7), dimension)
            for first in range(1, 40, 3):
                wishart_nodes(key, first, gammas, 1.7, fresh, room)
                expected = np.array([plain.wishart(key, first + each, dimension, degrees, 1.7) for each in range(3)])
                yield from compared({"d": dimension, "first": first, "k": degrees}, wishart=(fresh, expected))
    for level in (0, 5):
        yield from compared({"level": level}, pad=(noise.pad_number(level), plain.PADS + level))
    for pads in (np.zeros((6, 2)), generator(_KEY, run=7).normal(size=(6, 2))):
        sums, fresh = np.full((7, 2), 9.0), generator(_KEY, run=8).normal(size=(40, 2))
        restart(sums, pads)
        yield from compared({"prefix": 0}, noise=(sums[0], pads.sum(axis=0)))
        expected = covered(fresh[None], pads[None])[0]
        for count in range(1, 41):
            complete(sums, pads, count, fresh[count - 1])
            yield from compared({"prefix": count}, noise=(sums[0], expected[count - 1]))


def chis() -> Iterator[At]:
    """The root of a chi-square: what is taken at once, refused, and redrawn; and that what is surely taken is."""
    chi, surely = Rebuilt({}).function(noise.chi), Rebuilt({}).function(noise.surely)
    key = np.append(_KEY, np.uint64(6))
    for degrees in (2.0, 2.5, 7.0, 100.0):
        third = degrees / 2.0 - 1.0 / 3.0
        slope = 1.0 / math.sqrt(9.0 * third)
        for size in (-6.0, -3.5, -1.0, 0.0, 0.4, 2.0, 3.5, 5.0):
            share = (slope * size) ** 4 / (6.0 * slope**2)  # above it what is drawn is surely taken, while |slope size| <= 1/2
            for fraction in (0.0, 1e-9, 0.001, 0.3, 0.9, 0.99, 0.9999, 1.0 - 2.0**-50, 0.97 * share, 1.03 * share + 1e-12):
                if fraction >= 1.0:
                    continue
                found, expected = chi(third, slope, key, 11, size, fraction), plain.root_chi(degrees, key, 11, size, fraction)
                where = {"k": degrees, "z": size, "u": fraction}
                sure = abs(slope * size) <= 0.5 and fraction > share
                yield from compared(where, root=(found, expected), sure=(surely(slope, size, fraction), sure))
                if sure:
                    yield from compared(where, once=(math.sqrt(2.0 * third) * (1.0 + slope * size) ** 1.5, expected))


def calibrations() -> Iterator[At]:
    """Printed, repaired and exact noise, at levels on either side of where they cross."""
    for horizon in (1, 2, 3, 4, 5, 64, 65, 1000):
        yield from compared({"n": horizon}, nodes=(noise.nodes(horizon), plain.nodes(horizon)))
        held = noise.released_nodes(horizon)
        yield from compared({"n": horizon}, released=(held, plain.released(horizon) if horizon > 1 else 0))
    for epsilon, delta, horizon, bound in (
        (0.3, 0.1, 100, 1.4),
        (8.0, 1e-6, 2, 0.3),
        (300.0, 0.01, 33, 2.0),
        (2.0, 0.3, 1, 1.0),
        (2e4, 0.3, 33, 2.0),
    ):
        told: dict[str, Any] = {"horizon": horizon, "row_norm": bound}
        where = {"epsilon": epsilon, "n": horizon}
        printed, least = gaussian.node_sigma(epsilon, delta, **told), gaussian.exact_node_sigma(epsilon, delta, **told)
        yield from compared(where, printed=(printed, plain.node_sigma(epsilon, delta, horizon, bound)))
        level = math.sqrt(plain.released(horizon)) * bound**2
        close = abs(plain.tradeoff(epsilon, level / least) / delta - 1.0) < 1e-6
        yield from compared(where, least=(close, True))
        found = [gaussian.calibrated(kind, epsilon, delta, **told) for kind in (_PUBLISHED, _REPAIRED, _EXACT)]
        yield from compared(where, kinds=(found, (printed, max(printed, least), least)))
        yield from compared(where, upsilon=(gaussian.upsilon(0.7, dimension=3, horizon=horizon, failure=0.2),
                                            plain.upsilon(0.7, 3, horizon, 0.2)))  # fmt: skip
        m = plain.nodes(horizon)
        yield from compared(where, epsilon_0=(wishart.node_epsilon(epsilon, delta, horizon=horizon),
                                              epsilon / math.sqrt(8.0 * m * math.log(2.0 / delta))))  # fmt: skip
        yield from compared(where, delta_0=(wishart.node_delta(delta, horizon=horizon), delta / (2.0 * m)))
        share = plain.covered(delta, horizon)
        yield from compared(where, covered=(wishart.covered_epsilon(delta, horizon=horizon), share))
        for kind, used in ((_PUBLISHED, epsilon), (_REPAIRED, min(epsilon, share))):
            k = wishart.calibrated(kind, epsilon, delta, dimension=3, horizon=horizon)
            yield from compared({**where, "kind": kind.value}, degrees=(k, plain.degrees(used, delta, 3, horizon)))
        s, a = math.sqrt(m * 77), plain.deviation(8.0, 3, horizon, 0.2)
        yield from compared(where, root=(wishart.root_degrees(77, horizon=horizon), s))
        yield from compared(where, a_8=(wishart.noise_deviation(8.0, dimension=3, horizon=horizon, failure=0.2), a))
        c = bound**2 * ((s - a) ** 2 - 4.0 * s * a)
        yield from compared(where, shift=(wishart.shift(77, dimension=3, horizon=horizon, failure=0.2, row_norm=bound), c))


def densities() -> Iterator[At]:
    """Differences of log densities beside dense linear algebra; rows that cannot be in a release; and the nodes that audits draw."""
    for dimension in (1, 2, 4):
        rng, width = generator(_KEY, run=20 + dimension), plain.packed(dimension)
        rows, (lower, other) = rng.normal(size=(2, dimension + 1)), np.tril_indices(dimension + 1)
        blocks = [np.outer(row, row)[lower, other][:-1] for row in rows]
        for gram in (GaussianGram(2.0, 0.1, 9, dimension, 1.3), WishartGram(30.0, 0.1, 9, dimension, 1.3, _PUBLISHED)):
            told = likelihood.node_noise(gram)
            k, sigma = plain.degrees(30.0, 0.1, dimension, 9), plain.node_sigma(2.0, 0.1, 9, 1.3)
            right = NodeNoise(sigma=sigma) if isinstance(gram, GaussianGram) else NodeNoise(degrees=float(k), scale=1.69)
            yield from compared({"d": dimension, "gram": type(gram).__name__}, noise=(tuple(told), tuple(right)))
            key = np.append(_KEY, np.uint64(0))
            for side in (0, 1):
                found = likelihood.held_nodes(gram, rows, side, 3, 2, _KEY)
                for run, level in np.ndindex(2, 3):
                    key[2] = run
                    node = (
                        plain.gaussian(key, 2**level, dimension, sigma) if told.sigma else plain.wishart(key, 2**level, dimension, k, 1.69)
                    )
                    yield from compared({"d": dimension, "level": level}, node=(found[run, level], blocks[side] + node))
                ratios = likelihood.log_ratios(found, rows, told)
                expected = [sum(_log_density(each, rows[1], told) - _log_density(each, rows[0], told) for each in run) for run in found]
                yield from compared({"d": dimension, "side": side}, ratios=(ratios, expected))
        impossible = np.zeros((1, 1, width))
        impossible[0, 0] = 0.5 * blocks[0] + 1e-3 * (lower == other)[:-1]
        wrong = np.array([np.zeros(dimension + 1), rows[0]])
        with np.errstate(all="ignore"):
            told_of = [
                likelihood.log_ratios(impossible, each, NodeNoise(degrees=30.0, scale=1.0))[0] for each in (wrong, wrong[::-1].copy())
            ]
        yield from compared({"d": dimension}, impossible=(told_of[0] == -math.inf, True), certain=(told_of[1] == math.inf, True))


def _log_density(release: Floats, row: Floats, told: NodeNoise) -> float:
    """By a dense determinant and inverse."""
    size = len(row)
    lower, other = np.tril_indices(size)
    left = release - np.outer(row, row)[lower, other][:-1]
    if told.sigma > 0.0:
        return float(-np.sum(left**2 / np.where(lower == other, 2.0, 1.0)[:-1]) / (2.0 * told.sigma**2))
    matrix = np.zeros((size, size))
    matrix[lower[:-1], other[:-1]] = matrix[other[:-1], lower[:-1]] = left
    block, column = matrix[:-1, :-1], matrix[-1, :-1]
    inner = float(np.trace(block) + column @ np.linalg.inv(block) @ column)
    return float(0.5 * (told.degrees - size - 1.0) * np.linalg.slogdet(block)[1] - inner / (2.0 * told.scale))


def refusals() -> Iterator[At]:
    rows = np.ones((4, 3))
    infinite = rows.copy()
    infinite[3, 1] = math.inf
    for gram in (GaussianGram, WishartGram):
        wrong: dict[str, tuple[Any, ...]] = {"epsilon": (0.0, math.inf), "delta": (0.0, 1.0), "horizon": (1, 0), "dimension": (0, -1)}
        wrong["row_norm"] = (0.0, -1.0, math.inf, math.nan)
        yield from refused({"gram": gram.__name__}, gram, wrong, epsilon=1.0, delta=0.1, horizon=2, dimension=1)
        data = {"data": (rows[:3], rows[:, :2], rows[0], infinite)}
        yield from refused({"gram": gram.__name__}, gram(1.0, 0.1, 4).release, data, data=rows, runs=1, rng=generator(_KEY))
        neighbours, reach = gram(1.0, 0.1, 5, 3, 2.0).neighbours(), 2.0 / math.sqrt(4.0)
        yield from compared({}, range=((neighbours.low, neighbours.high, *neighbours.lengths, *neighbours.row), (-reach, reach, 5, 5, 4)))
        claimed = replace(gram(1.0, 0.1, 5), epsilon=0.7).guarantee()
        yield from compared({}, claim=(claimed == ApproximateDP(0.7, 0.1, NeighbouringRelation.REPLACE_RECORD), True))
    half = 2.0 / math.sqrt(2.0)
    for dimension in (1, 3):
        zero = np.zeros(dimension + 1)
        first, second, reward = (np.eye(dimension + 1)[place] for place in (0, min(1, dimension - 1), dimension))
        pairs = [(half * (first + reward), half * (first - reward)), (2.0 * first, zero), (2.0 * first, 2.0 * reward)]
        pairs = [(2.0 * first, 2.0 * second), *pairs] if dimension > 1 else pairs
        right = [[[one, zero, zero], [other, zero, zero]] for one, other in pairs]
        yield from compared({"d": dimension}, worst=(np.array(noise.worst_rows(dimension, 2.0, 3)), np.array(right)))
    yield from refused({}, noise.gamma_constants, {"degrees": (3.9, 0.0)}, degrees=4.0, dimension=3)


_ID = privacy.GAUSSIAN_CALIBRATION.id
AUDITS = (
    beside(_ID, "releases_replayed", "releases as a function of the variates", releases, "four shapes, both mechanisms"),
    beside(_ID, "nodes_replayed", "the kernels' nodes and prefixes from random blocks", kernels, "dimensions 1 to 6"),
    beside(_ID, "chis_replayed", "roots of chi-squares from a normal and a uniform", chis, "listed values"),
    beside(_ID, "calibrations_replayed", "calibrations beside their closed forms", calibrations, "four levels, eight horizons"),
    beside(_ID, "densities_replayed", "log densities beside dense linear algebra", densities, "three dimensions"),
    beside(_ID, "grams_refuse", "what the mechanisms refuse, their pairs and claims", refusals, "listed values"),
)
