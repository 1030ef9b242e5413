"""One coordinate of a uniform point on the unit sphere of R^d, held to an interval: density proportional to (1 - z^2)^((d - 3) / 2).

A table cuts the interval into cells of equal length; in each the quantile function is a polynomial of degree 6 in the fraction of the
cell's mass, within 1e-14 of the exact quantile (the tests compare it with mpmath). So a draw costs one uniform, whatever d and the
interval.

For d = 5, the papers' experiments, no table is needed: the mass below z is proportional to t(z) - t(low), t(z) = (3 z - z^3) / 2, and
z = 2 sin(asin(t) / 3) is smooth in sqrt(1 - |t|), so a polynomial in it is enough.
"""

import math

import numpy as np

from banditproof.guarantees import require
from banditproof.interaction import Floats
from banditproof.kernels import compiled, of_lanes
from banditproof.lanes import Lanes, absolute, larger, roots, select, smaller

_DEGREE, _POINTS = 6, 20
_STEEPEST = 0.03  # change of the log density across a cell: the polynomial's error is about its 7th power
_MOST_CELLS = 1 << 15
# 2 sin(asin(1 - s^2) / 3) in powers of 2 s - 1, for s in [0, 1], within 3e-16: interpolated at Chebyshev's nodes with 50 digits.
_Q = (
    0.5578746983315245, -0.4839503989382351, -0.05227819352195458, -0.013869773663683234, -0.004689578887063946, -0.0017855130574196078,
    -0.0007299861163591099, -0.00031300457626756413, -0.00013887410725508048, -6.322036927481675e-05, -2.9360418107428833e-05,
    -1.3857931199890622e-05, -6.64086223178489e-06, -3.2118127028844146e-06, -1.5297701348963695e-06, -7.517398981450954e-07,
    -4.483871896592799e-07, -2.2499114317461025e-07, -8.640874881613185e-09, -2.914093309147323e-09, -9.78855361887393e-08,
    -5.060999545342768e-08, 3.178305083325533e-08, 1.657770100205381e-08, -1.1517867644329051e-08, -5.973787761642649e-09,
)  # fmt: skip
_HEADER, _ROW = 4, 9  # cells, entries of the guide, low, high; lower border of a cell, 1 / its mass, seven coefficients


def table(dimension: int, low: float, high: float) -> Floats:
    """The table of z on [low, high] for the sphere of R^d, d = `dimension`, flat: for `quantile`.

    Raises ValueError unless d >= 2 and -1 < low < high < 1, or where an end is so near 1 that the table would grow past all use.
    """
    require(dimension >= 2, f"dimension = {dimension}: must be an integer >= 2 (a sphere)")
    require(-1.0 < low < high < 1.0, f"low = {low}, high = {high}: must be -1 < low < high < 1 (an interval of cosines)")
    far, power = max(abs(low), abs(high)), (dimension - 3) / 2.0
    steepness = max(2.0 * abs(power) * far / (1.0 - far * far), _STEEPEST * 40.0 / (1.0 - far), _STEEPEST * 32.0 / (high - low))
    cells = math.ceil((high - low) * steepness / _STEEPEST)
    require(cells <= _MOST_CELLS, f"low = {low}, high = {high}: too near -1 or 1 for dimension {dimension} ({cells} cells)")
    borders = np.linspace(low, high, cells + 1)
    peak = max(power * math.log1p(-z * z) for z in (low, high, min(max(0.0, low), high)))  # the largest log density
    nodes, weights = np.polynomial.legendre.leggauss(_POINTS)
    knots = (1.0 - np.cos(np.pi * np.arange(_DEGREE + 1) / _DEGREE)) / 2.0  # of Chebyshev and Lobatto, as shares of a cell's length
    length = (high - low) / cells
    fraction = np.zeros((cells, _DEGREE + 1))
    for place in range(1, _DEGREE + 1):  # mass between a cell's border and a knot, by quadrature: relatively exact in the tails too
        z = borders[:-1, None] + length * knots[place] * (nodes + 1.0) / 2.0
        fraction[:, place] = np.exp(power * np.log1p(-z * z) - peak) @ weights * (length * knots[place] / 2.0)
    mass = fraction[:, -1].copy()
    fraction /= mass[:, None]
    rows = np.zeros((cells, _ROW))
    total = math.fsum(mass)
    rows[:, 0] = np.minimum(np.concatenate([[0.0], np.cumsum(mass)[:-1]]) / total, 1.0)
    rows[:, 1] = total / mass
    rows[:, 2] = borders[:-1]
    powers = fraction[:, 1:, None] ** np.arange(1, _DEGREE + 1)
    rows[:, 3:] = np.linalg.solve(powers, np.broadcast_to(length * knots[1:, None], (cells, _DEGREE, 1)))[:, :, 0]
    entries = 4 * cells
    guide = np.maximum(np.searchsorted(rows[:, 0], np.arange(entries) / entries, side="right") - 1, 0)
    return np.concatenate([[cells, entries, low, high], guide, rows.ravel(), [math.inf]]).astype(float)


def _quantiles(table: Floats, fractions: Floats, room: Floats, target: Floats) -> None:
    """The z with this fraction of the mass below them, for shares (n,) in [0, 1); `room` (n,) is scratch, and the arrays do not overlap."""
    entries, low, high = table[1], table[2], table[3]
    # `max`: the compiler then knows that no index counts from the end.
    rows, first = room.view(np.int64), max(_HEADER + int(entries), 0)
    for place in range(fractions.shape[0]):  # all rows first: the polynomials of one loop do not wait for searches
        fraction = fractions[place]
        row = max(first + _ROW * int(table[max(_HEADER + int(fraction * entries), 0)]), 0)
        row += _ROW if fraction >= table[row + _ROW] else 0  # without a branch: most often enough
        while fraction >= table[row + _ROW]:  # behind the last cell stands inf
            row += _ROW
        rows[place] = row
    for place in range(fractions.shape[0]):
        row = max(rows[place], 0)
        v = min((fractions[place] - table[row]) * table[row + 1], 1.0)
        upper = table[row + 5] + v * (table[row + 6] + v * (table[row + 7] + v * table[row + 8]))
        z = table[row + 2] + v * (table[row + 3] + v * (table[row + 4] + v * upper))
        target[place] = min(max(z, low), high)


def _below(z: float) -> float:
    """t(z): in [-1, 1], linear in the mass below z, for d = 5."""
    return z * (1.5 - 0.5 * z * z)


below = compiled(_below, inline=True)


def _quantile_in_five(low: float, high: float, fraction: Lanes) -> Lanes:
    """`quantiles` for d = 5 without a table, fractions in [0, 1]."""
    first = below(low)
    t = first + (below(high) - first) * fraction
    x = 2.0 * roots(larger(1.0 - absolute(t), 0.0)) - 1.0
    # By Estrin's scheme: in Horner's each step would wait for the one before, and the processor for all of them.
    x2 = x * x
    x4 = x2 * x2
    x8 = x4 * x4
    p0 = (_Q[0] + _Q[1] * x) + (_Q[2] + _Q[3] * x) * x2
    p1 = (_Q[4] + _Q[5] * x) + (_Q[6] + _Q[7] * x) * x2
    p2 = (_Q[8] + _Q[9] * x) + (_Q[10] + _Q[11] * x) * x2
    p3 = (_Q[12] + _Q[13] * x) + (_Q[14] + _Q[15] * x) * x2
    p4 = (_Q[16] + _Q[17] * x) + (_Q[18] + _Q[19] * x) * x2
    p5 = (_Q[20] + _Q[21] * x) + (_Q[22] + _Q[23] * x) * x2
    p6 = _Q[24] + _Q[25] * x
    z = (p0 + p1 * x4) + x8 * ((p2 + p3 * x4) + x8 * ((p4 + p5 * x4) + x8 * p6))
    return smaller(larger(select(t >= 0.0, z, -z), low), high)


quantiles, quantile_in_five = compiled(_quantiles, inline=True), of_lanes(_quantile_in_five)
