r"""G-optimal designs to any tolerance (Charisopoulos, Esfandiari and Mirrokni 2023, Definition 1.5).

By the equivalence theorem of Kiefer and Wolfowitz (1960) the design maximises log det M(pi), and the sum of its weights need not be fixed:

    minimise  d sum w - log det M(w)  over w >= 0;    at the optimum  g_a <= d,  w_a (d - g_a) = 0,  sum w = 1.

A primal-dual interior point method solves this for a working set of arms: with slacks z, target complementarity mu and
H_ab = (a' M^-1 b)^2 its step is (H + diag(z / w)) dw = g - d + mu / w, whose right side is minus the gradient of the barrier function; so a
backtracking search on that function makes every step a descent. The working set starts with the support of an approximate design; then,
by turns, Frank-Wolfe steps towards arms outside of variance above d choose which of them join, the method runs until the gap within the set
is a tenth of the gap over all arms, and the variances of all arms are computed. A step costs s^3 / 3 + s^2 d for s arms in the set.

Readings. The sheet proposes Frank-Wolfe with away steps, whose rate depends on the arms; both have the same optimum. The optimal M is
unique, but the weights need not be: of several optima one inside their polytope is approached, so the support may exceed d (d + 1) / 2.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, cholesky, solve_triangular

from banditproof.algorithms.designs.approximate import advance, arms_width, default_target, descend, multiplications
from banditproof.algorithms.designs.design import Design, span_of, variances_in
from banditproof.guarantees import require
from banditproof.interaction import Floats, Ints

_SMALLEST_TOLERANCE, _MOST_STEPS, _MOST_ROUNDS = 1e-9, 200, 200
_CENTRING, _BOUNDARY, _DECREASE, _SHORTEST, _RIDGE = 0.1, 0.95, 1e-4, 2.0**-20, 1e-15
_AT_LEAST, _SMALL, _CRUDE, _BELOW, _ABOVE = 32, 0.1, 0.01, 0.3, 0.25


class _State(NamedTuple):
    """Places of the working set in the arms, in any order; weights and slacks there; each (s,)."""

    places: Ints
    weights: Floats
    slacks: Floats


def g_optimal_design(arms: Floats, tolerance: float = 1e-6) -> Design:
    """A design with max g <= d' (1 + tolerance) for arms (K, d) that span d' dimensions; the value is computed afresh at the end.

    Raises ValueError as `span_of` does, or unless 1e-9 <= tolerance <= 1; ArithmeticError if rounding keeps the value above the goal.
    """
    require(_SMALLEST_TOLERANCE <= tolerance <= 1.0, f"tolerance = {tolerance}: must be >= {_SMALLEST_TOLERANCE} and <= 1")
    coordinates, basis = span_of(arms)
    count, dimension = coordinates.shape
    weights, _, iterations = descend(coordinates, default_target(dimension))
    values = variances_in(coordinates, weights)
    gap, pricing = float(values.max()) / dimension - 1.0, 2 * count * dimension**2
    work = multiplications(count, arms_width(arms), dimension, iterations) + pricing
    support = np.flatnonzero(weights)
    state = _State(support, weights[support], np.full(support.size, gap))
    for _ in range(_MOST_ROUNDS):
        if gap <= tolerance / 2.0:
            break
        state, joined = _grow(coordinates, state, values, gap)
        # A quarter of the tolerance here, a quarter for the weights that are dropped in the end, the rest for arms outside and rounding.
        state, steps = _solve(coordinates[state.places], state, max(tolerance / 4.0, _SMALL * gap))
        weights = np.zeros(count)
        weights[state.places] = state.weights / state.weights.sum()
        values, size = variances_in(coordinates, weights), state.places.size
        gap, iterations = float(values.max()) / dimension - 1.0, iterations + steps + joined
        work += steps * (size**3 // 3 + size**2 * dimension + 3 * size * dimension**2) + pricing
    weights = _without_smallest(weights, tolerance / (4.0 * dimension))
    value = float(variances_in(coordinates, weights).max())
    if value > dimension * (1.0 + tolerance):
        raise ArithmeticError(f"value = {value}: must be <= {dimension} (1 + {tolerance}); rounding allows a larger tolerance only")
    return Design(weights, value, basis, iterations, work)


def _grow(coordinates: Floats, state: _State, values: Floats, gap: float) -> tuple[_State, int]:
    """The state without arms that have neither weight nor variance, and with those outside to which Frank-Wolfe steps lead from here.

    Steps, not the largest variances: these belong to near copies of few arms, and a step towards one lowers them all.
    """
    dimension = coordinates.shape[1]
    # Only while the gap is large: an arm that leaves and returns would keep the gap where it is.
    light = state.weights <= _SMALL * state.weights.sum() / state.places.size
    keep = ~(light & (values[state.places] <= dimension * (1.0 - _BELOW * gap)) & (gap >= _CRUDE))
    places, weights, slacks = (each[keep] for each in state)
    complementarity = max(float(weights @ slacks), _SMALL * gap * dimension) / places.size
    slacks = np.maximum(slacks, _SMALL * complementarity / weights)
    above = values > dimension
    above[places] = False
    outside = np.flatnonzero(above)
    if outside.size == 0:
        return _State(places, weights, slacks), 0
    points = coordinates[places]
    inverse = weights.sum() * np.linalg.inv((points * weights[:, np.newaxis]).T @ points)
    new = np.zeros(outside.size)
    steps = advance(coordinates[outside], new, inverse, dimension * (1.0 + _ABOVE * gap), dimension + _AT_LEAST)
    chosen = np.flatnonzero(new)
    grown = np.concatenate([weights * (1.0 - new.sum()) / weights.sum(), new[chosen]])
    slacks = np.concatenate([slacks, complementarity / new[chosen]])
    return _State(np.concatenate([places, outside[chosen]]), grown, slacks), steps


def _solve(points: Floats, state: _State, goal: float) -> tuple[_State, int]:
    """Interior point steps over the points (s, d') of the working set until sum w max g <= d' (1 + goal), and how many."""
    size, dimension = points.shape
    places, weights, slacks = state
    for taken in range(_MOST_STEPS):
        lower = _factor(points, weights)
        whitened = solve_triangular(lower, points.T, lower=True, check_finite=False)
        gram = whitened.T @ whitened
        values = np.diagonal(gram).copy()
        if weights.sum() * values.max() <= dimension * (1.0 + goal):
            return _State(places, weights, slacks), taken
        aim = max(_CENTRING * float(weights @ slacks), 0.25 * goal * dimension) / size
        gradient = dimension - values - aim / weights
        hessian = gram * gram
        hessian[np.diag_indices(size)] += np.maximum(slacks / weights, _RIDGE * size * values.max() ** 2)
        factor = cholesky(hessian, lower=True, overwrite_a=True, check_finite=False)
        direction = cho_solve((factor, True), -gradient, check_finite=False)
        moves = aim / weights - slacks - slacks / weights * direction
        length = _search(points, weights, direction, aim, float(gradient @ direction), lower)
        weights, slacks = weights + length * direction, slacks + _to_boundary(slacks, moves) * moves
    raise ArithmeticError(f"{_MOST_STEPS} interior point steps leave a gap above {goal}: rounding allows a larger tolerance only")


def _search(points: Floats, weights: Floats, direction: Floats, aim: float, slope: float, lower: Floats) -> float:
    """The first of the lengths l, l / 2, l / 4, ... at which the barrier function decreases as its slope says, l that near the boundary."""
    dimension = points.shape[1]
    length = _to_boundary(weights, direction)
    determinant, growth = np.log(np.diagonal(lower)).sum(), dimension * float(direction.sum())
    rounding = 1e-13 * (1.0 + abs(float(determinant)) + aim * float(np.abs(np.log(weights)).sum()))
    while length > _SHORTEST:
        moved = weights + length * direction
        change = length * growth - aim * float(np.log(moved / weights).sum())
        change -= 2.0 * float(np.log(np.diagonal(_factor(points, moved))).sum() - determinant)
        if change <= _DECREASE * length * slope + rounding:
            break
        length /= 2.0
    return length


def _factor(points: Floats, weights: Floats) -> Floats:
    matrix = (points * weights[:, np.newaxis]).T @ points
    return np.asarray(cholesky(matrix, lower=True, overwrite_a=True, check_finite=False))


def _to_boundary(values: Floats, moves: Floats) -> float:
    """The length of the step that takes the first of the positive values 95 % of its way to 0; at most 1."""
    down = moves < 0.0
    return min(1.0, _BOUNDARY * float(np.min(-values[down] / moves[down], initial=np.inf)))


def _without_smallest(weights: Floats, mass: float) -> Floats:
    """The weights without the smallest, of sum <= mass, rescaled to sum 1: max g grows by a factor of 1 + (d - 1) mass at most, to first
    order, since an arm's a a' is at most g_a M."""
    order = np.argsort(weights, kind="stable")
    kept = weights.copy()
    kept[order[np.cumsum(weights[order]) <= mass]] = 0.0
    return np.asarray(kept / kept.sum())
