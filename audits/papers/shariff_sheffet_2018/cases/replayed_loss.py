"""Exact accounting of Wishart noise, beside quadrature and plain convolutions.

TAILS     of one node's loss under v, from the two chi-squares and the normal of Bartlett's form, by trapezoids in x and z and chi-square
          tails in y; under w by the identity that a likelihood ratio's tails obey
SUMS      a loss on a grid keeps both masses; delta of sums beside sums of lists, one loss at a time
LEVELS    delta of all nodes is the largest over the three pairs; epsilon and the degrees of freedom are the least that are enough
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms.gram import loss, wishart
from banditproof.algorithms.mechanisms.gram.loss import Losses, Pair
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.audits.common.beside import beside, compared, refused
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.shariff_sheffet_2018.plain import noise as plain
from banditproof.theory.papers.shariff_sheffet_2018 import privacy

PAIRS = (
    Pair(1.0, 1.0),
    Pair(0.0, 1.0),
    Pair(1.0, 0.0),
    Pair(0.8, 0.5, 0.3),
    Pair(0.4, 0.9, -0.6),
    Pair(0.7, 0.7, 0.5),
    Pair(0.9, 0.4, 1.0),
)


def _near(where: dict[str, Any], found: float, expected: float, within: float) -> At:
    return At(where, Fraction(abs(found - expected) if math.isfinite(found) else 1e9), Fraction(within))


def tail(pair: Pair, degrees: float, least: float) -> float:
    """P(loss > least) under v: over x ~ chi-square(nu + 1) and z ~ N(0, 1), y ~ chi-square(nu) in closed form."""
    from scipy.special import gammainc, gammaincc
    from scipy.stats import chi2

    v, w = pair.dataset**2, pair.neighbour**2
    c = pair.cosine if v * w > 0.0 else 1.0
    s, a = math.sqrt(1.0 - c**2), degrees / 2.0 - 1.0
    logs = np.linspace(math.log(max(degrees, 3.0)) - 30.0 / math.sqrt(degrees), math.log(degrees + 1.0) + 14.0 / math.sqrt(degrees), 260)
    x = np.exp(logs)[:, None]
    weights = (chi2.pdf(x, degrees + 1.0) * x)[:, 0]
    weights /= weights.sum()
    z = np.linspace(-7.5, 7.5, 401)[None, :]
    dense = np.exp(-(z**2) / 2.0)
    dense /= dense.sum()
    wide = x + v * s**2 if w >= v else x - w * s**2
    with np.errstate(all="ignore"):
        square = (c * np.sqrt(x) - s * z) ** 2 / wide
        b = w - v * square if w >= v else w * square - v
        g = np.exp(-(least - (v - w) / 2.0) / a) * x / wide + 0.0 * z
        cut = np.maximum(np.where(g == 1.0, math.inf, b / (1.0 - g)) / 2.0, 0.0)
        positive = b > 0.0
        below, above = positive & ~(g >= 1.0), ~positive & (g > 1.0)
        chance = np.where(positive, 1.0, 0.0)
        chance[below] = gammainc(degrees / 2.0, cut[below])
        chance[above] = gammaincc(degrees / 2.0, cut[above])
    chance = np.where(wide > 0.0, chance, 1.0)
    return float(weights @ (chance * dense).sum(axis=1))


def tails() -> Iterator[At]:
    """Tails at five losses and infinity, and the identity of the two tails."""
    for pair in PAIRS:
        for degrees, within in ((6.0, 5e-4), (80.0, 2e-5)):  # with few degrees of freedom kinks cost digits
            size = pair.dataset**4 + pair.neighbour**4 - 2.0 * (pair.dataset * pair.neighbour * pair.cosine) ** 2
            spread = math.sqrt(size / 2.0 / degrees) + 1e-3
            where: dict[str, Any] = {"pair": str(tuple(pair)), "nu": degrees}
            losses = np.array([-2.0, -0.5, 0.7, 2.2]) * spread
            under, _ = loss.tails(pair, degrees, losses)
            for each, found in zip(losses, under, strict=True):
                yield _near({**where, "loss": float(each)}, float(found), tail(pair, degrees, float(each)), within)
            grid = np.linspace(-4.0 * spread, 4.0 * spread, 801)
            under, other = loss.tails(pair, degrees, grid)
            middle = np.exp(-(grid[1:] + grid[:-1]) / 2.0)
            off = np.abs(np.diff(other) - middle * np.diff(under)).max() / np.abs(np.diff(under)).max()
            yield _near({**where, "tails": "of one ratio"}, float(off), 0.0, 3e-4)
            last = loss.tails(pair, degrees, np.array([math.inf]))
            yield _near({**where, "loss": "inf"}, float(last[1][0]), 0.0, 1e-12)
            yield _near({**where, "loss": "inf"}, float(last[0][0]), tail(pair, degrees, 1e9), within)


def _profile(losses: Losses, nodes: int, epsilon: float) -> float:
    """Delta of the sum, from lists of masses that are convolved one loss at a time."""
    masses = np.ones(1)
    for _ in range(nodes):
        masses = np.convolve(masses, losses.masses)
    values = nodes * losses.low + losses.step * np.arange(len(masses))
    finite = float(np.sum(masses * -np.expm1(np.minimum(epsilon - values, 0.0))))
    return min(finite - math.expm1(nodes * math.log1p(-losses.infinite)), 1.0)


def sums() -> Iterator[At]:
    """Grids of Gaussian losses, whose tails have a closed form, with infinite losses too; sums of 1 to 9."""
    from scipy.special import ndtr

    for mu, infinite in ((0.3, 0.0), (1.0, 0.01), (2.0, 0.2)):
        grid = np.linspace(-9.0 * mu, 9.0 * mu, 600) + 0.01
        under = (1.0 - infinite) * ndtr(mu / 2.0 - grid / mu) + infinite
        other = (1.0 - infinite) * ndtr(-mu / 2.0 - grid / mu)
        found, where = loss.on_grid(grid, under, other), {"mu": mu, "infinite": infinite}
        values = found.low + found.step * np.arange(len(found.masses))
        yield from compared(where, grid=(values, grid), infinite=(found.infinite, under[-1]))
        yield _near(where, float(found.masses.sum() + found.infinite), 1.0, 1e-12)
        yield _near({**where, "mass": "under w"}, float(found.masses @ np.exp(-values)), float(other[0] - other[-1]), 1e-6)
        kept = np.cumsum(found.masses[::-1])[::-1] + found.infinite  # of losses that are at least a point's: rounded up
        yield At({**where, "mass": "above"}, Fraction(float(np.max(under[:-1] - kept[:-1]))), Fraction(1, 10**12))
        for nodes in (1, 2, 9):
            for epsilon in (0.0, 0.5, 2.0, 4.0 * mu * nodes, 1e4):
                ours, right = loss.summed_profile(found, nodes, epsilon), _profile(found, nodes, epsilon)
                yield _near({**where, "nodes": nodes, "epsilon": epsilon}, ours, right, 1e-6 * right + 1e-18)
                if infinite == 0.0 and nodes == 1 and epsilon < 2.0:
                    exact = plain.tradeoff(epsilon, mu)
                    yield _near({**where, "epsilon": epsilon, "beside": "closed form"}, ours / exact, 1.0, 5e-3)
    tiny = Losses(np.full(7, 1.0 / 7.0), -3.0, 1.0, 0.0)
    for nodes, epsilon in ((1, 0.5), (3, 2.2), (3, 8.9), (1, 3.0), (40, 100.0)):
        right = _profile(tiny, nodes, epsilon)
        found_delta = loss.summed_profile(tiny, nodes, epsilon)
        yield _near({"nodes": nodes, "epsilon": epsilon}, found_delta, right, 1e-6 * right)


def levels() -> Iterator[At]:
    """Delta, epsilon and degrees of freedom of trees with 1 to 6 released nodes."""
    for degrees, dimension, horizon, epsilon in ((40, 2, 2, 0.3), (90, 5, 40, 1.0), (20, 1, 5, 2.0), (9, 5, 1, 0.5)):
        nodes = plain.released(horizon)
        where: dict[str, Any] = {"k": degrees, "d": dimension, "n": horizon}
        each = [_profile(loss.node_losses(pair, float(degrees - dimension)), nodes, epsilon) for pair in PAIRS[:3]]
        found = loss.delta_of(epsilon, degrees=degrees, dimension=dimension, horizon=horizon)
        yield _near(where, found / max(each), 1.0, 1e-4)
        level = loss.epsilon_of(found, degrees=degrees, dimension=dimension, horizon=horizon)
        yield _near({**where, "of": "epsilon"}, level / epsilon, 1.0, 1e-6)
    for pair, nu in ((Pair(1.0, 1.0), 12.0), (Pair(0.0, 1.0), 12.0), (Pair(1.0, 0.0), 60.0), (Pair(1.0, 1.0), 300.0)):
        on = loss.node_losses(pair, nu)
        values = on.low + on.step * np.arange(len(on.masses))
        for least in (0.1, 0.4):
            fine = np.linspace(least, values[-1], 1500)
            reached = np.array([float(one) for one in loss.tails(pair, nu, fine)[0]])
            exact = float(np.sum((reached[1:] + reached[:-1]) / 2.0 * np.exp(least - (fine[1:] + fine[:-1]) / 2.0)) * (fine[1] - fine[0]))
            exact += float(on.infinite) * math.exp(least - float(values[-1]))
            found = loss.summed_profile(on, 1, least)
            yield _near({"pair": str(tuple(pair)), "nu": nu, "epsilon": least}, found, exact, 0.02 * exact + 1e-6)
            yield At({"pair": str(tuple(pair)), "nu": nu, "below": least}, Fraction(max(exact * (1 - 1e-4) - found, 0.0)), Fraction(0))
    yield from compared({}, none=(loss.epsilon_of(0.9, degrees=400, dimension=2, horizon=9), 0.0))
    yield from compared({}, never=(loss.epsilon_of(1e-3, degrees=6, dimension=2, horizon=2), math.inf))
    for epsilon, delta, dimension, horizon in ((1.0, 0.1, 5, 60), (0.5, 0.01, 2, 2), (9.0, 0.4, 3, 4), (50.0, 0.9, 2, 2)):
        told = {"dimension": dimension, "horizon": horizon}
        k = wishart.calibrated(Calibration.EXACT, epsilon, delta, **told)
        where = {"n": horizon, "epsilon": epsilon, "delta": delta}
        yield from compared(where, enough=(loss.delta_of(epsilon, degrees=k, **told) <= delta, True))
        fewer = k == dimension + 3 or loss.delta_of(epsilon, degrees=k - 1, **told) > delta
        yield from compared(where, least=(fewer, True))
    told = {"degrees": 40, "dimension": 2, "horizon": 5}
    yield from refused({}, loss.delta_of, {"epsilon": (-0.1,), "degrees": (4,)}, **{**told, "epsilon": 0.0, "degrees": 5})
    yield from refused({}, loss.epsilon_of, {"delta": (0.0, 1.0, 9e-11)}, **told, delta=0.01)
    yield from refused({}, loss.least_degrees, {"delta": (0.0, 9e-11), "epsilon": (0.0,)}, epsilon=1.0, delta=0.1, dimension=2, horizon=3)
    yield from refused(
        {}, loss.node_losses, {"degrees": (2.0,), "pair": (Pair(0.0, 0.0), Pair(1.0, 1.0, 1.0))}, pair=Pair(1.0, 0.0), degrees=3.0
    )


_ID = privacy.WISHART_CALIBRATION.id
AUDITS = (
    beside(_ID, "tails_replayed", "tails of a node's loss beside quadrature", tails, "seven pairs of rows, two numbers of degrees"),
    beside(_ID, "sums_replayed", "sums of losses beside lists that are convolved", sums, "three Gaussian losses, one with seven values"),
    beside(_ID, "levels_replayed", "delta, epsilon and degrees of freedom of trees", levels, "listed levels"),
)
