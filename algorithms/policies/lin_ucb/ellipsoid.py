"""Kernels of a confidence ellipsoid {theta: (theta - centre)' V (theta - centre) <= radius^2} over packed matrices (`gram.noise.packed`).

Main kernels
    invert        packed V -> packed V^-1 and ln det V, by a factor of V; says whether V is positive definite
    grow          V + x x' -> its inverse (Sherman and Morrison 1950), and by what factor det grows
    times         V^-1 u
    best_arm      the arm of the largest <centre, x> + radius |x| in the norm of V^-1; the lowest of equal ones
    squared_norm  (theta - centre)' V (theta - centre)

`best_arm` takes LANES arms at a time side by side; where fewer are left the last ones stand there again.
"""

import math

from banditproof.interaction import Floats
from banditproof.kernels import compiled, of_lanes
from banditproof.lanes import EIGHT, Lanes, first_equal, larger, largest, read, roots, write

LANES = 32
_LARGE, _SMALL = 1e200, 1e-200


def _invert_any(matrix: Floats, factor: Floats, inverse: Floats, dimension: int) -> tuple[bool, float]:
    """Whether the packed matrix is positive definite, and its ln det; `inverse` is then its packed inverse. `factor` is scratch.

    Cholesky without roots: matrix = L D L', L with ones on its diagonal.
    """
    product, logarithm = 1.0, 0.0
    for i in range(dimension):  # factor: L below the diagonal, 1 / D_i on it
        row = i * (i + 1) // 2
        pivot = matrix[row + i]
        for j in range(i):
            other, total = j * (j + 1) // 2, matrix[row + j]
            for place in range(j):
                total -= factor[row + place] * factor[other + place]
            factor[row + j] = total
        for j in range(i):
            total = factor[row + j]
            factor[row + j] = total * factor[j * (j + 1) // 2 + j]
            pivot -= total * factor[row + j]
        if not 0.0 < pivot < math.inf:
            return False, 0.0
        factor[row + i] = 1.0 / pivot
        product *= pivot
        if product > _LARGE or product < _SMALL:
            logarithm, product = logarithm + math.log(product), 1.0
    for i in range(dimension):  # L^-1, in place
        row = i * (i + 1) // 2
        for j in range(i):
            total = factor[row + j]
            for place in range(j + 1, i):
                total += factor[row + place] * factor[place * (place + 1) // 2 + j]
            factor[row + j] = -total
    for i in range(dimension):  # (L^-1)' D^-1 L^-1
        row = i * (i + 1) // 2
        for j in range(i + 1):
            total = factor[row + i] if j == i else factor[row + i] * factor[row + j]
            for place in range(i + 1, dimension):
                start = place * (place + 1) // 2
                total += factor[start + place] * factor[start + i] * factor[start + j]
            inverse[row + j] = total
    return True, logarithm + math.log(product)


invert_any = compiled(_invert_any, inline=True)


def _invert(matrix: Floats, factor: Floats, inverse: Floats, dimension: int) -> tuple[bool, float]:
    """`invert_any`, of which the compiler makes a form without loops for d = 5, the papers' experiments: 57 ns instead of 99."""
    if dimension == 5:
        return invert_any(matrix, factor, inverse, 5)
    return invert_any(matrix, factor, inverse, dimension)


def _times(matrix: Floats, vector: Floats, target: Floats) -> None:
    """target = matrix vector, for a packed symmetric matrix; all vectors (d,)."""
    dimension = target.shape[0]
    for i in range(dimension):
        row, total, mine = i * (i + 1) // 2, 0.0, vector[i]
        for j in range(i):
            total += matrix[row + j] * vector[j]
            target[j] += matrix[row + j] * mine
        target[i] = total + matrix[row + i] * mine


invert, times = compiled(_invert), compiled(_times)


def _grow_any(inverse: Floats, row: Floats, image: Floats, dimension: int) -> float:
    for i in range(dimension):
        start, total, mine = i * (i + 1) // 2, 0.0, row[i]
        for j in range(i):
            total += inverse[start + j] * row[j]
            image[j] += inverse[start + j] * mine
        image[i] = total + inverse[start + i] * mine
    growth = 1.0
    for i in range(dimension):
        growth += row[i] * image[i]
    if not 1.0 <= growth < math.inf:
        return -1.0
    for i in range(dimension):
        fraction = image[i] / growth
        for j in range(i + 1):
            inverse[i * (i + 1) // 2 + j] -= fraction * image[j]
    return growth


grow_any = compiled(_grow_any, inline=True)


def _grow(inverse: Floats, row: Floats, image: Floats) -> float:
    """inverse of V -> inverse of V + x x', for x = row (d,); returns 1 + x' V^-1 x, by which det V grows. `image` (d,) becomes V^-1 x.

    Returns -1 and leaves the inverse where rounding has made it indefinite, so that x' V^-1 x comes out negative, or NaN.
    """
    if image.shape[0] == 5:  # the papers' experiments: a form without loops
        return grow_any(inverse, row, image, 5)
    return grow_any(inverse, row, image, image.shape[0])


grow = compiled(_grow, inline=True)


def _add_row(inverse: Floats, row: Floats, image: Floats) -> float:
    """`grow` that returns ln det (V + x x') - ln det V, or -1."""
    growth = grow(inverse, row, image)
    return math.log(growth) if growth >= 1.0 else -1.0


def _squared_norm(matrix: Floats, first: Floats, second: Floats) -> float:
    """(first - second)' matrix (first - second), vectors (d,)."""
    total = 0.0
    for i in range(second.shape[0]):
        row, inner = i * (i + 1) // 2, 0.0
        for j in range(i):
            inner += 2.0 * matrix[row + j] * (first[j] - second[j])
        total += (first[i] - second[i]) * (inner + matrix[row + i] * (first[i] - second[i]))
    return total


def _spread(row: Floats, place: int, first: int, arms: int, target: Floats) -> None:
    """Numbers of arms, row[place : place + arms], to target (LANES,): those from the arm `first` on, eight by eight, the last ones again
    where fewer are left (`arm_at`)."""
    if arms < EIGHT:
        for lane in range(target.shape[0]):
            target[lane] = row[place + min(lane, arms - 1)]
        return
    for lane in range(0, LANES, EIGHT):
        write(target, lane, read(row, place + min(first + lane, arms - EIGHT), EIGHT))


def _arm_at(lane: int, first: int, arms: int) -> int:
    """The arm whose numbers `spread` puts to a lane."""
    if arms < EIGHT:
        return min(lane, arms - 1)
    return min(first + lane - lane % EIGHT, arms - EIGHT) + lane % EIGHT


def _forms(inverse: Floats, centre: Floats, features: Floats, dimension: int) -> tuple[Lanes, Lanes]:
    """<centre, x> and x' V^-1 x of LANES arms, features (d, LANES). Two rows of V^-1 together, which changes no order of additions."""
    first = read(features[0], 0, LANES)
    scores, squares = centre[0] * first, inverse[0] * first * first
    for i in range(1, dimension, 2):
        start, mine = i * (i + 1) // 2, read(features[i], 0, LANES)
        inner = inverse[start + i] * mine
        if i + 1 < dimension:
            after, other = start + i + 1, read(features[i + 1], 0, LANES)
            outer = inverse[after + i + 1] * other
            for j in range(i):
                earlier = read(features[j], 0, LANES)
                inner = inner + 2.0 * inverse[start + j] * earlier
                outer = outer + 2.0 * inverse[after + j] * earlier
            outer = outer + 2.0 * inverse[after + i] * mine
            squares = squares + inner * mine + outer * other
            scores = scores + centre[i] * mine + centre[i + 1] * other
        else:
            for j in range(i):
                inner = inner + 2.0 * inverse[start + j] * read(features[j], 0, LANES)
            squares = squares + inner * mine
            scores = scores + centre[i] * mine
    return scores, squares


spread, arm_at, forms = compiled(_spread, inline=True), compiled(_arm_at, inline=True), of_lanes(_forms)


def _best_lane(scores: Lanes, squares: Lanes, radius: float) -> tuple[int, float]:
    """The first of the lanes with the largest index, and this index."""
    indices = scores + radius * roots(larger(squares, 0.0))  # rounding may leave -0.0...1
    top = largest(indices)
    return first_equal(indices, top), top


best_lane = of_lanes(_best_lane)


def _best_of(inverse: Floats, centre: Floats, radius: float, sets: Floats, place: int, arms: int, features: Floats) -> int:
    """The arms are the columns place .. place + arms - 1 of sets (d, n); features (d, LANES) is scratch: so many are taken at a time."""
    best, highest, dimension = 0, -math.inf, sets.shape[0]
    for first in range(0, arms, LANES):
        for column in range(dimension):
            spread(sets[column], place, first, arms, features[column])
        if dimension == 5:  # the papers' experiments: all is in registers
            scores, squares = forms(inverse, centre, features, 5)
        else:
            scores, squares = forms(inverse, centre, features, dimension)
        lane, top = best_lane(scores, squares, radius)
        if first == 0 or top > highest:
            best, highest = arm_at(lane, first, arms), top
    return best


best_of = compiled(_best_of, inline=True)


def _best_arm(inverse: Floats, centre: Floats, radius: float, contexts: Floats, features: Floats) -> int:
    """The same for contexts (K, d)."""
    return int(best_of(inverse, centre, radius, contexts.T, 0, contexts.shape[0], features))


add_row, squared_norm, best_arm = compiled(_add_row), compiled(_squared_norm), compiled(_best_arm, inline=True)
