"""Projections onto the ball of radius D: Euclidean, and in the norm of a matrix (sheet `ldp_linucb_2024`, section 3.1)."""

import math

from banditproof.interaction import Floats
from banditproof.kernels import compiled

_MOST_STEPS, _NEAR = 60, 1e-14


def _shorten(point: Floats, radius: float) -> None:
    """Euclidean projection of a point (d,) onto the ball, in place: rescaled where it lies outside. NaN stays NaN."""
    square = 0.0
    for i in range(point.shape[0]):
        square += point[i] * point[i]
    if square > radius * radius:
        factor = radius / math.sqrt(square)
        for i in range(point.shape[0]):
            point[i] *= factor


shorten = compiled(_shorten, inline=True)


def _factor(metric: Floats, shift: float, lower: Floats, dimension: int) -> None:
    """L D L' = metric + shift I, packed: L below the diagonal, 1 / D on it. Both matrices are positive definite."""
    for i in range(dimension):
        row = i * (i + 1) // 2
        pivot = metric[row + i] + shift
        for j in range(i):
            other, total = j * (j + 1) // 2, metric[row + j]
            for place in range(j):
                total -= lower[row + place] * lower[other + place]
            lower[row + j] = total
        for j in range(i):
            total = lower[row + j]
            lower[row + j] = total * lower[j * (j + 1) // 2 + j]
            pivot -= total * lower[row + j]
        lower[row + i] = 1.0 / pivot


factor = compiled(_factor, inline=True)


def _project(metric: Floats, point: Floats, radius: float, scratch: Floats) -> None:
    """argmin (y - z)' A (y - z) over |y| <= D, in place, for z = `point` (d,) and a packed positive definite A = `metric`.

    Outside the ball y = (A + kappa I)^-1 A z, with the one kappa > 0 that gives |y| = D. 1 / |y| is concave in kappa, so Newton's steps for
    1 / |y| = 1 / D go up from kappa = 0 without ever passing the root. `scratch` has at least p + 2 d numbers.
    """
    dimension = point.shape[0]
    square = 0.0
    for i in range(dimension):
        square += point[i] * point[i]
    if not square > radius * radius:
        return
    size = dimension * (dimension + 1) // 2
    lower, right, half = scratch[:size], scratch[size : size + dimension], scratch[size + dimension : size + 2 * dimension]
    for i in range(dimension):
        row, total, mine = i * (i + 1) // 2, 0.0, point[i]
        for j in range(i):
            total += metric[row + j] * point[j]
            right[j] += metric[row + j] * mine
        right[i] = total + metric[row + i] * mine
    shift, norm = 0.0, math.sqrt(square)
    factor(metric, shift, lower, dimension)
    for _ in range(_MOST_STEPS):
        if norm <= radius * (1.0 + _NEAR):
            break
        # y' (A + kappa I)^-1 y, by forward substitution.
        inner = 0.0
        for i in range(dimension):
            row, total = i * (i + 1) // 2, point[i]
            for j in range(i):
                total -= lower[row + j] * half[j]
            half[i] = total
            inner += total * total * lower[row + i]
        step = norm * norm / inner * (norm - radius) / radius
        if not shift + step > shift:
            break
        shift += step
        factor(metric, shift, lower, dimension)
        for i in range(dimension):
            row, total = i * (i + 1) // 2, right[i]
            for j in range(i):
                total -= lower[row + j] * half[j]
            half[i] = total
        for i in range(dimension):
            half[i] *= lower[i * (i + 1) // 2 + i]
        square = 0.0
        for i in range(dimension - 1, -1, -1):
            total = half[i]
            for j in range(i + 1, dimension):
                total -= lower[j * (j + 1) // 2 + i] * point[j]
            point[i] = total
            square += total * total
        norm = math.sqrt(square)
    shorten(point, radius)


project = compiled(_project)
