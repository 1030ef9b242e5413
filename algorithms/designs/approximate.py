"""Approximate G-optimal designs of small support (Charisopoulos, Esfandiari and Mirrokni 2023, Definition 1.6).

Start (Kumar and Yildirim 2005): d times take a direction orthogonal to the arms chosen so far and add the arm that reaches furthest along
it, of either sign; weights 1/d. Then Frank-Wolfe (Fedorov 1972, Wynn 1970) until max g <= 2d: to the arm k of the largest variance, by

    gamma = (g_k / d - 1) / (g_k - 1),        pi <- (1 - gamma) pi + gamma e_k,

which maximises log det M(pi) along this line. M(pi)^-1 and all variances follow by rank-one updates, K d multiplications per step.

Readings. The paper prints a support of C_des d log log d, which with C_des = 1 is negative at d = 2 and below the d points that any design
needs up to d = 15; `support_bound` is positive at every d. The direction of the start may be any orthogonal one: here the projection of the
coordinate axis that keeps the most length. Ties go to the lowest index.
"""

import math

import numpy as np

from banditproof import glossary
from banditproof.algorithms.designs.design import Design, span_of, variances_in
from banditproof.guarantees import require
from banditproof.interaction import Floats

_REFRESH, _NEAREST, _AIM_LOWER = 512, 1.001, 1e-9


def support_bound(dimension: int) -> float:
    """4 d max(log log d, 0) + 16: a number of support points that is positive at every d >= 1."""
    glossary.DIMENSION.require(dimension)
    return 4.0 * dimension * max(math.log(math.log(dimension)), 0.0) + 16.0 if dimension > 1 else 16.0


def printed_support_bound(dimension: int, support_constant: float = 1.0) -> float:
    """C_des d log log d as printed, C_des = `support_constant`; negative at d = 2. Raises ValueError unless d >= 2 and C_des > 0."""
    glossary.DIMENSION.require(dimension)
    require(dimension >= 2, f"dimension = {dimension}: must be >= 2 (log log d)")
    require(0.0 < support_constant < math.inf, f"support_constant = {support_constant}: must be > 0 and finite")
    return support_constant * dimension * math.log(math.log(dimension))


def default_target(dimension: int) -> float:
    """2 d, the largest variance that an approximate design may have."""
    return 2.0 * glossary.DIMENSION.require(dimension)


def approximate_g_design(arms: Floats, target: float | None = None) -> Design:
    """A design of small support with max g <= `target`, by default 2 d', for arms (K, d) that span d' dimensions.

    The value is computed afresh at the end. Raises ValueError as `span_of` does, or if target < 1.001 d': plain Frank-Wolfe takes of the
    order of d / (target / d - 1) steps; `optimal.g_optimal_design` gets closer.
    """
    coordinates, basis = span_of(arms)
    dimension = coordinates.shape[1]
    goal = default_target(dimension) if target is None else target
    require(
        _NEAREST * dimension <= goal < math.inf,
        f"target = {goal}: must be >= {_NEAREST * dimension} and finite (1.001 times the dimension of the span)",
    )
    weights, value, iterations = descend(coordinates, goal)
    return Design(weights, value, basis, iterations, multiplications(len(coordinates), arms_width(arms), dimension, iterations))


def arms_width(arms: Floats) -> int:
    """d, the number of coordinates of arms (K, d)."""
    return int(np.shape(arms)[1])


def multiplications(arms: int, width: int, dimension: int, iterations: int) -> int:
    """Coordinates by QR (2 K d^2), the start (K d'^2 + d'^3), and per step K d' for the inner products and 2 K + d'^2 for the updates."""
    start = 2 * arms * width * width + arms * dimension**2 + dimension**3
    return start + iterations * (arms * dimension + 2 * arms + dimension**2)


def descend(coordinates: Floats, target: float) -> tuple[Floats, float, int]:
    """Weights (K,) with max g <= target by start and Frank-Wolfe, max g computed afresh, and the number of steps."""
    count, dimension = coordinates.shape
    weights, iterations, goal = np.zeros(count), 0, target
    weights[_start(coordinates)] = 1.0 / dimension
    while True:
        # Afresh: at the start, every _REFRESH steps against rounding, and once more before the end.
        value = float(variances_in(coordinates, weights).max())
        if value <= target:
            return weights, value, iterations
        weighted = np.sqrt(weights)[:, np.newaxis] * coordinates
        inverse = np.asarray(np.linalg.inv(weighted.T @ weighted), dtype=np.float64)
        taken = advance(coordinates, weights, inverse, goal, _REFRESH)
        if taken == 0:  # both computations of max g enclose the target: aim a little lower, else this would not end
            goal *= 1.0 - _AIM_LOWER
        iterations += taken


def _start(coordinates: Floats) -> list[int]:
    dimension = coordinates.shape[1]
    chosen, free = list[int](), np.eye(dimension)  # free: projector onto what is orthogonal to the chosen arms
    for _ in range(dimension):
        direction = free[:, int(np.argmax(np.diagonal(free)))]
        chosen.append(int(np.argmax(np.abs(coordinates @ direction))))
        rest = free @ (free @ coordinates[chosen[-1]])  # twice: the first projection leaves rounding of the arm's own size
        free = free - np.outer(rest, rest) / float(rest @ rest)
    return chosen


def advance(coordinates: Floats, weights: Floats, inverse: Floats, target: float, most: int) -> int:
    """At most `most` Frank-Wolfe steps towards these arms (n, d'), on their weights (n,), in place; how many until max g <= target.

    `inverse` is M(pi)^-1 at the beginning. What the weights lack to a sum of 1 lies on other arms and shrinks with them.
    """
    dimension = coordinates.shape[1]
    values = np.einsum("ij,ij->i", coordinates @ inverse, coordinates)
    for taken in range(most):
        furthest = int(np.argmax(values))
        largest = float(values[furthest])
        if largest <= target:
            return taken
        if dimension == 1:  # the step is 1: all weight on the longest arm
            weights[:] = 0.0
            weights[furthest] = 1.0
            return taken + 1
        step = (largest / dimension - 1.0) / (largest - 1.0)
        image = inverse @ coordinates[furthest]
        inner = coordinates @ image
        factor = step / (1.0 - step + step * largest)  # Sherman and Morrison 1950
        values = (values - factor * (inner * inner)) / (1.0 - step)
        inverse = (inverse - factor * np.outer(image, image)) / (1.0 - step)
        weights *= 1.0 - step
        weights[furthest] += step
    return most
