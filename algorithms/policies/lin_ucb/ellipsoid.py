"""Kernels of a confidence ellipsoid {theta: (theta - centre)' V (theta - centre) <= radius^2} over packed matrices (`gram.noise.packed`).

Main kernels
    invert        packed V -> packed V^-1 and ln det V, by a factor of V; says whether V is positive definite
    grow          V + x x' -> its inverse (Sherman and Morrison 1950), and by what factor det grows
    times         V^-1 u
    best_arm      the arm of the largest <centre, x> + radius |x| in the norm of V^-1; the lowest of equal ones
    squared_norm  (theta - centre)' V (theta - centre)

The loops of `best_arm` run over LANES arms, fewer or not, so that the compiler turns them into vector instructions and nothing else.
"""

import math

from banditproof.interaction import Floats
from banditproof.kernels import compiled, take

LANES = 32  # a loop over `array.shape[-1]` of them: one that the compiler knows to be short it unrolls before it makes vectors
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


grow = compiled(_grow)


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


def _scores_of_few(inverse: Floats, centre: Floats, radius: float, features: Floats, scores: Floats, dimension: int, lanes: int) -> None:
    """The index of each arm, in one loop over the arms: for a dimension that the compiler knows, all is in registers."""
    for arm in range(lanes):
        square, score = 0.0, 0.0
        for i in range(dimension):
            start, mine = i * (i + 1) // 2, features[i, arm]
            inner = inverse[start + i] * mine
            for j in range(i):
                inner += 2.0 * inverse[start + j] * features[j, arm]
            square += inner * mine
            score += centre[i] * mine
        scores[arm] = score + radius * math.sqrt(max(square, 0.0))  # rounding may leave -0.0...1


def _forms(inverse: Floats, centre: Floats, features: Floats, parts: Floats, lanes: int) -> None:
    """<centre, x> and x' V^-1 x of each arm, left in parts[0] and parts[1], for any dimension: the innermost loops run over the arms.

    Four terms at a time, which changes no order of additions, but how often partial sums are stored and read again.
    """
    dimension = features.shape[0]
    scores, squares, inner = parts[0], parts[1], parts[2]
    for arm in range(lanes):
        squares[arm] = 0.0
    for arm in range(lanes):
        scores[arm] = 0.0
    for i in range(dimension):
        start, mine, along = i * (i + 1) // 2, features[i], centre[i]
        diagonal = inverse[start + i]
        for arm in range(lanes):
            inner[arm] = diagonal * mine[arm]
        whole = i - i % 4
        for j in range(0, whole, 4):
            first, second, third, fourth = features[j], features[j + 1], features[j + 2], features[j + 3]
            one, two = 2.0 * inverse[start + j], 2.0 * inverse[start + j + 1]
            three, four = 2.0 * inverse[start + j + 2], 2.0 * inverse[start + j + 3]
            for arm in range(lanes):
                total = inner[arm] + one * first[arm]
                total += two * second[arm]
                total += three * third[arm]
                inner[arm] = total + four * fourth[arm]
        for j in range(whole, i):
            other, twice = features[j], 2.0 * inverse[start + j]
            for arm in range(lanes):
                inner[arm] += twice * other[arm]
        for arm in range(lanes):
            squares[arm] += inner[arm] * mine[arm]
        for arm in range(lanes):
            scores[arm] += along * mine[arm]


forms = compiled(_forms, inline=True)


def _scores_of_many(inverse: Floats, centre: Floats, radius: float, features: Floats, parts: Floats, lanes: int) -> None:
    """The same numbers as `scores_of_few` for any dimension, left in parts[0]."""
    forms(inverse, centre, features, parts, lanes)
    scores, squares = parts[0], parts[1]
    for arm in range(lanes):
        squares[arm] = math.sqrt(max(squares[arm], 0.0))
    for arm in range(lanes):
        scores[arm] += radius * squares[arm]


scores_of_few, scores_of_many = compiled(_scores_of_few, inline=True), compiled(_scores_of_many, inline=True)


def _first_of_largest(scores: Floats, count: int) -> int:
    """The first of the largest of scores (LANES,), of which `count` are arms."""
    for arm in range(count, LANES):
        scores[arm] = -math.inf
    a, b, c, d, e, f, g, h = scores[0], scores[1], scores[2], scores[3], scores[4], scores[5], scores[6], scores[7]
    for arm in range(8, LANES, 8):  # eight by eight, since in a row each comparison would wait for the one before
        a, b, c, d = max(a, scores[arm]), max(b, scores[arm + 1]), max(c, scores[arm + 2]), max(d, scores[arm + 3])
        e, f, g, h = max(e, scores[arm + 4]), max(f, scores[arm + 5]), max(g, scores[arm + 6]), max(h, scores[arm + 7])
    top, best = max(max(max(a, b), max(c, d)), max(max(e, f), max(g, h))), count
    for arm in range(scores.shape[0]):
        best = min(best, arm if scores[arm] == top else count)
    return best if best < count else 0  # where a score is not a number


first_of_largest = compiled(_first_of_largest, inline=True)


def _best_arm(inverse: Floats, centre: Floats, radius: float, contexts: Floats, features: Floats, parts: Floats) -> int:
    """contexts (K, d); features (d, LANES) and parts (3, LANES) are scratch: so many arms are taken at a time."""
    arms, dimension = contexts.shape
    rows, scores = contexts.T, parts[0]
    best, top = 0, -math.inf
    for first in range(0, arms, LANES):
        count = min(LANES, arms - first)
        for column in range(dimension):
            take(rows[column], first, features[column], count)
        if dimension == 5:  # the papers' experiments
            scores_of_few(inverse, centre, radius, features, scores, 5, LANES)
        else:
            scores_of_many(inverse, centre, radius, features, parts, parts.shape[1])
        place = first_of_largest(scores, count)
        if first == 0 or scores[place] > top:
            best, top = first + place, scores[place]
    return best


add_row, squared_norm, best_arm = compiled(_add_row), compiled(_squared_norm), compiled(_best_arm, inline=True)
