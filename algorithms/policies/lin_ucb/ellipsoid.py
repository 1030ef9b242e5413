"""Kernels of a confidence ellipsoid {theta: (theta - centre)' V (theta - centre) <= radius^2} over packed matrices (`gram.noise.packed`).

Main kernels
    invert        packed V -> packed V^-1 and ln det V, by a factor of V; says whether V is positive definite
    grow          V + x x' -> its inverse (Sherman and Morrison 1950), and by what factor det grows
    times         V^-1 u
    best_arm      the arm of the largest <centre, x> + radius |x| in the norm of V^-1; the lowest of equal ones
    squared_norm  (theta - centre)' V (theta - centre)

`best_arm` takes WIDE arms at a time side by side; where fewer are left the last ones stand there again.
"""

import math

import numpy as np

from banditproof.interaction import Floats, Kernel
from banditproof.kernels import compiled, of_lanes
from banditproof.lanes import EIGHT, WIDE, Lanes, counted, filled, first_equal, floats, joined, larger, largest, read, roots, select, write

# Arms at a time in five dimensions. Sixteen registers do not hold what eight arms need between two steps, and four are faster.
MANY = 16 if WIDE == 32 else 4
_LEFT = min(MANY, EIGHT)  # that are taken together of the arms left over
_LARGE, _SMALL = 1e200, 1e-200
_HUGE, _TINY = 1e60, 1e-60  # five of them have a product


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
        if not _SMALL < product * pivot < _LARGE:
            logarithm, product = logarithm + math.log(product), 1.0
        product *= pivot
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


def _invert_in_five(matrix: Floats, inverse: Floats) -> tuple[bool, float]:
    """`invert_any` for d = 5, the papers' experiments, with everything in registers: the inverse bit for bit, and ln det up to rounding
    where pivots are very large or small. t, l and n are the entries of L D, L and L^-1, f those of D^-1."""
    p0 = matrix[0]
    if not 0.0 < p0 < math.inf:
        return False, 0.0
    f0 = 1.0 / p0
    t10 = matrix[1]
    l10 = t10 * f0
    p1 = matrix[2] - t10 * l10
    if not 0.0 < p1 < math.inf:
        return False, 0.0
    f1 = 1.0 / p1
    t20 = matrix[3]
    t21 = matrix[4] - t20 * l10
    l20, l21 = t20 * f0, t21 * f1
    p2 = matrix[5] - t20 * l20 - t21 * l21
    if not 0.0 < p2 < math.inf:
        return False, 0.0
    f2 = 1.0 / p2
    t30 = matrix[6]
    t31 = matrix[7] - t30 * l10
    t32 = matrix[8] - t30 * l20 - t31 * l21
    l30, l31, l32 = t30 * f0, t31 * f1, t32 * f2
    p3 = matrix[9] - t30 * l30 - t31 * l31 - t32 * l32
    if not 0.0 < p3 < math.inf:
        return False, 0.0
    f3 = 1.0 / p3
    t40 = matrix[10]
    t41 = matrix[11] - t40 * l10
    t42 = matrix[12] - t40 * l20 - t41 * l21
    t43 = matrix[13] - t40 * l30 - t41 * l31 - t42 * l32
    l40, l41, l42, l43 = t40 * f0, t41 * f1, t42 * f2, t43 * f3
    p4 = matrix[14] - t40 * l40 - t41 * l41 - t42 * l42 - t43 * l43
    if not 0.0 < p4 < math.inf:
        return False, 0.0
    f4 = 1.0 / p4
    n10 = -l10
    n20 = -(l20 + l21 * n10)
    n21 = -l21
    n30 = -(l30 + l31 * n10 + l32 * n20)
    n31 = -(l31 + l32 * n21)
    n32 = -l32
    n40 = -(l40 + l41 * n10 + l42 * n20 + l43 * n30)
    n41 = -(l41 + l42 * n21 + l43 * n31)
    n42 = -(l42 + l43 * n32)
    n43 = -l43
    inverse[0] = f0 + f1 * n10 * n10 + f2 * n20 * n20 + f3 * n30 * n30 + f4 * n40 * n40
    inverse[1] = f1 * n10 + f2 * n21 * n20 + f3 * n31 * n30 + f4 * n41 * n40
    inverse[2] = f1 + f2 * n21 * n21 + f3 * n31 * n31 + f4 * n41 * n41
    inverse[3] = f2 * n20 + f3 * n32 * n30 + f4 * n42 * n40
    inverse[4] = f2 * n21 + f3 * n32 * n31 + f4 * n42 * n41
    inverse[5] = f2 + f3 * n32 * n32 + f4 * n42 * n42
    inverse[6] = f3 * n30 + f4 * n43 * n40
    inverse[7] = f3 * n31 + f4 * n43 * n41
    inverse[8] = f3 * n32 + f4 * n43 * n42
    inverse[9] = f3 + f4 * n43 * n43
    inverse[10] = f4 * n40
    inverse[11] = f4 * n41
    inverse[12] = f4 * n42
    inverse[13] = f4 * n43
    inverse[14] = f4
    if min(min(min(p0, p1), min(p2, p3)), p4) >= _TINY and max(max(max(p0, p1), max(p2, p3)), p4) <= _HUGE:
        return True, math.log(p0 * p1 * p2 * p3 * p4)
    return True, math.log(p0) + math.log(p1) + math.log(p2) + math.log(p3) + math.log(p4)


invert_in_five = compiled(_invert_in_five, inline=True)


def _invert(matrix: Floats, factor: Floats, inverse: Floats, dimension: int) -> tuple[bool, float]:
    """`invert_any`, in registers where that is possible."""
    if dimension == 5:
        return invert_in_five(matrix, inverse)
    return invert_any(matrix, factor, inverse, dimension)


def _image_in_five(matrix: Floats, vector: Floats, target: Floats) -> None:
    """`times` for d = 5, the papers' experiments, up to rounding: fewer additions wait for each other."""
    v0, v1, v2, v3, v4 = vector[0], vector[1], vector[2], vector[3], vector[4]
    target[0] = (matrix[0] * v0 + matrix[1] * v1) + (matrix[3] * v2 + matrix[6] * v3) + matrix[10] * v4
    target[1] = (matrix[1] * v0 + matrix[2] * v1) + (matrix[4] * v2 + matrix[7] * v3) + matrix[11] * v4
    target[2] = (matrix[3] * v0 + matrix[4] * v1) + (matrix[5] * v2 + matrix[8] * v3) + matrix[12] * v4
    target[3] = (matrix[6] * v0 + matrix[7] * v1) + (matrix[8] * v2 + matrix[9] * v3) + matrix[13] * v4
    target[4] = (matrix[10] * v0 + matrix[11] * v1) + (matrix[12] * v2 + matrix[13] * v3) + matrix[14] * v4


image_in_five = compiled(_image_in_five, inline=True)


def _times(matrix: Floats, vector: Floats, target: Floats) -> None:
    """target = matrix vector, for a packed symmetric matrix; all vectors (d,)."""
    dimension = target.shape[0]
    if dimension == 5:
        image_in_five(matrix, vector, target)
        return
    for i in range(dimension):
        row, total, mine = i * (i + 1) // 2, 0.0, vector[i]
        for j in range(i):
            total += matrix[row + j] * vector[j]
            target[j] += matrix[row + j] * mine
        target[i] = total + matrix[row + i] * mine


invert, times = compiled(_invert, inline=True), compiled(_times, inline=True)


def _grow_any(inverse: Floats, row: Floats, image: Floats, dimension: int) -> float:
    for i in range(0, dimension - 1, 2):  # two rows together: no order of additions changes, and two sums grow at a time
        start, after, mine, other = i * (i + 1) // 2, (i + 1) * (i + 2) // 2, row[i], row[i + 1]
        total, next_total = 0.0, 0.0
        for j in range(i):
            total += inverse[start + j] * row[j]
            next_total += inverse[after + j] * row[j]
            image[j] = (image[j] + inverse[start + j] * mine) + inverse[after + j] * other
        image[i] = (total + inverse[start + i] * mine) + inverse[after + i] * other
        image[i + 1] = (next_total + inverse[after + i] * mine) + inverse[after + i + 1] * other
    if dimension % 2 == 1:
        start, total, mine = (dimension - 1) * dimension // 2, 0.0, row[dimension - 1]
        for j in range(dimension - 1):
            total += inverse[start + j] * row[j]
            image[j] += inverse[start + j] * mine
        image[dimension - 1] = total + inverse[start + dimension - 1] * mine
    growth = 1.0
    for i in range(dimension):
        growth += row[i] * image[i]
    if not 1.0 <= growth < math.inf:
        return -1.0
    share = 1.0 / growth
    for i in range(dimension):
        fraction = image[i] * share
        for j in range(i + 1):
            inverse[i * (i + 1) // 2 + j] -= fraction * image[j]
    return growth


def _grow_in_five(inverse: Floats, row: Floats, image: Floats) -> float:
    """`grow_any` for d = 5, up to rounding: everything is in registers, and fewer additions wait for each other."""
    r0, r1, r2, r3, r4 = row[0], row[1], row[2], row[3], row[4]
    i0 = (inverse[0] * r0 + inverse[1] * r1) + (inverse[3] * r2 + inverse[6] * r3) + inverse[10] * r4
    i1 = (inverse[1] * r0 + inverse[2] * r1) + (inverse[4] * r2 + inverse[7] * r3) + inverse[11] * r4
    i2 = (inverse[3] * r0 + inverse[4] * r1) + (inverse[5] * r2 + inverse[8] * r3) + inverse[12] * r4
    i3 = (inverse[6] * r0 + inverse[7] * r1) + (inverse[8] * r2 + inverse[9] * r3) + inverse[13] * r4
    i4 = (inverse[10] * r0 + inverse[11] * r1) + (inverse[12] * r2 + inverse[13] * r3) + inverse[14] * r4
    image[0], image[1], image[2], image[3], image[4] = i0, i1, i2, i3, i4
    growth = float(1.0 + ((r0 * i0 + r1 * i1) + (r2 * i2 + r3 * i3) + r4 * i4))
    if not 1.0 <= growth < math.inf:
        return -1.0
    share = 1.0 / growth
    s0 = i0 * share
    s1 = i1 * share
    s2 = i2 * share
    s3 = i3 * share
    s4 = i4 * share
    inverse[0] -= s0 * i0
    inverse[1] -= s1 * i0
    inverse[2] -= s1 * i1
    inverse[3] -= s2 * i0
    inverse[4] -= s2 * i1
    inverse[5] -= s2 * i2
    inverse[6] -= s3 * i0
    inverse[7] -= s3 * i1
    inverse[8] -= s3 * i2
    inverse[9] -= s3 * i3
    inverse[10] -= s4 * i0
    inverse[11] -= s4 * i1
    inverse[12] -= s4 * i2
    inverse[13] -= s4 * i3
    inverse[14] -= s4 * i4
    return growth


grow_any, grow_in_five = compiled(_grow_any, inline=True), compiled(_grow_in_five, inline=True)


def _grow(inverse: Floats, row: Floats, image: Floats) -> float:
    """inverse of V -> inverse of V + x x', for x = row (d,); returns 1 + x' V^-1 x, by which det V grows. `image` (d,) becomes V^-1 x.

    Returns -1 and leaves the inverse where rounding has made it indefinite, so that x' V^-1 x comes out negative, or NaN.
    """
    if image.shape[0] == 5:
        return grow_in_five(inverse, row, image)
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
    """Numbers of arms, row[place : place + arms], to target (WIDE,): those from the arm `first` on, eight by eight, the last ones again
    where fewer are left (`arm_at`)."""
    if arms < EIGHT:
        for lane in range(target.shape[0]):
            target[lane] = row[place + min(lane, arms - 1)]
        return
    for lane in range(0, WIDE, EIGHT):
        write(target, lane, read(row, place + min(first + lane, arms - EIGHT), EIGHT))


def _arm_at(lane: int, first: int, arms: int) -> int:
    """The arm whose numbers `spread` puts to a lane."""
    if arms < EIGHT:
        return min(lane, arms - 1)
    return min(first + lane - lane % EIGHT, arms - EIGHT) + lane % EIGHT


def _forms_of(count: int) -> Kernel:
    """`forms` of so many arms at a time."""

    def forms(inverse: Floats, centre: Floats, features: Floats, dimension: int) -> tuple[Lanes, Lanes]:
        """<centre, x> and x' V^-1 x of `count` arms, features (d, count) or wider. Two rows of V^-1 together, which changes no order of
        additions; half of x' V^-1 x adds up, and is doubled row by row."""
        first = read(features[0], 0, count)
        scores, squares = centre[0] * first, inverse[0] * first * first
        for i in range(1, dimension, 2):
            start, mine = i * (i + 1) // 2, read(features[i], 0, count)
            inner = 0.5 * inverse[start + i] * mine
            if i + 1 < dimension:
                after, other = start + i + 1, read(features[i + 1], 0, count)
                outer = 0.5 * inverse[after + i + 1] * other
                for j in range(i):
                    earlier = read(features[j], 0, count)
                    inner = inner + inverse[start + j] * earlier
                    outer = outer + inverse[after + j] * earlier
                outer = outer + inverse[after + i] * mine
                squares = squares + (inner + inner) * mine + (outer + outer) * other
                scores = scores + centre[i] * mine + centre[i + 1] * other
            else:
                for j in range(i):
                    inner = inner + inverse[start + j] * read(features[j], 0, count)
                squares = squares + (inner + inner) * mine
                scores = scores + centre[i] * mine
        return scores, squares

    return of_lanes(forms)


def _forms_in_five(inverse: Floats, centre: Floats, x0: Lanes, x1: Lanes, x2: Lanes, x3: Lanes, x4: Lanes) -> tuple[Lanes, Lanes]:
    """`forms` for d = 5, up to rounding: everything is in registers, and fewer additions wait for each other."""
    y1 = inverse[2] * x1 + 2.0 * inverse[1] * x0
    y2 = inverse[5] * x2 + (2.0 * inverse[3] * x0 + 2.0 * inverse[4] * x1)
    y3 = (inverse[9] * x3 + 2.0 * inverse[6] * x0) + (2.0 * inverse[7] * x1 + 2.0 * inverse[8] * x2)
    y4 = (inverse[14] * x4 + 2.0 * inverse[10] * x0) + (2.0 * inverse[11] * x1 + 2.0 * inverse[12] * x2) + 2.0 * inverse[13] * x3
    squares = (inverse[0] * x0 * x0 + y1 * x1) + (y2 * x2 + y3 * x3) + y4 * x4
    return (centre[0] * x0 + centre[1] * x1) + (centre[2] * x2 + centre[3] * x3) + centre[4] * x4, squares


def _two_eights(row: Floats, place: int, first: int, arms: int) -> Lanes:
    """What `spread` makes of eight arms or more, where WIDE = 16."""
    begin, last = place + first, place + arms - EIGHT
    return joined(read(row, min(begin, last), EIGHT), read(row, min(begin + EIGHT, last), EIGHT))


two_eights = of_lanes(_two_eights)


def _four_eights(row: Floats, place: int, first: int, arms: int) -> Lanes:
    """The same where WIDE = 32."""
    return joined(two_eights(row, place, first, arms), two_eights(row, place, first + 2 * EIGHT, arms))


four_eights = of_lanes(_four_eights)
gathered = four_eights if WIDE == 4 * EIGHT else two_eights


def _index(scores: Lanes, squares: Lanes, radius: float) -> Lanes:
    """<centre, x> + radius |x|, of both forms."""
    return scores + radius * roots(larger(squares, 0.0))  # rounding may leave -0.0...1


index = of_lanes(_index)


def _best_lane(scores: Lanes, squares: Lanes, radius: float) -> tuple[int, float]:
    """The first of the lanes with the largest index, and this index."""
    indices = index(scores, squares, radius)
    top = largest(indices)
    return first_equal(indices, top), top


forms_in_five, best_lane = of_lanes(_forms_in_five), of_lanes(_best_lane)


def _best_of_few(inverse: Floats, centre: Floats, radius: float, sets: Floats, place: int, arms: int) -> int:
    """`best_of` for d = 5 and 8 to WIDE arms."""
    x0, x1, x2 = gathered(sets[0], place, 0, arms), gathered(sets[1], place, 0, arms), gathered(sets[2], place, 0, arms)
    x3, x4 = gathered(sets[3], place, 0, arms), gathered(sets[4], place, 0, arms)
    scores, squares = forms_in_five(inverse, centre, x0, x1, x2, x3, x4)
    lane, _ = best_lane(scores, squares, radius)
    return arm_at(lane, 0, arms)


def _best_of_many(inverse: Floats, centre: Floats, radius: float, sets: Floats, place: int, arms: int) -> int:
    """`best_of` for d = 5 and at least MANY arms: lane by lane the largest index so far and its arm; of all lanes at the end. Few arms
    that are left over are taken _LEFT at a time."""
    counting = floats(counted(np.uint64(0), np.uint64(1), MANY))
    whole = arms if arms % MANY > _LEFT else arms - arms % MANY
    tops, best = filled(-math.inf, MANY), counting
    for first in range(0, whole, MANY):
        at = min(first, arms - MANY)
        x0, x1, x2 = read(sets[0], place + at, MANY), read(sets[1], place + at, MANY), read(sets[2], place + at, MANY)
        scores, squares = forms_in_five(inverse, centre, x0, x1, x2, read(sets[3], place + at, MANY), read(sets[4], place + at, MANY))
        indices = index(scores, squares, radius)
        best, tops = select(indices > tops, counting + float(at), best), larger(tops, indices)
    highest = largest(tops)
    found = int(-largest(-select(tops == highest, best, float(arms))))
    if whole < arms:
        at = place + arms - _LEFT
        y0, y1, y2 = read(sets[0], at, _LEFT), read(sets[1], at, _LEFT), read(sets[2], at, _LEFT)
        last, forms = forms_in_five(inverse, centre, y0, y1, y2, read(sets[3], at, _LEFT), read(sets[4], at, _LEFT))
        lane, top = best_lane(last, forms, radius)
        if top > highest:
            return arms - _LEFT + lane
    return found


best_of_few, best_of_many = compiled(_best_of_few, inline=True), compiled(_best_of_many, inline=True)
spread, arm_at = compiled(_spread, inline=True), compiled(_arm_at, inline=True)
forms, forms_of_few = _forms_of(WIDE), _forms_of(EIGHT)


def _best_of(inverse: Floats, centre: Floats, radius: float, sets: Floats, place: int, arms: int, features: Floats) -> int:
    """The arms are the columns place .. place + arms - 1 of sets (d, n); features (d, WIDE) is scratch: so many are taken at a time."""
    best, highest, dimension = 0, -math.inf, sets.shape[0]
    if dimension == 5 and arms > WIDE:  # the papers' experiments
        return int(best_of_many(inverse, centre, radius, sets, place, arms))
    if dimension == 5 and arms >= EIGHT:
        return int(best_of_few(inverse, centre, radius, sets, place, arms))
    if arms < EIGHT:
        for column in range(dimension):
            spread(sets[column], place, 0, arms, features[column, :EIGHT])
        scores, squares = forms_of_few(inverse, centre, features, dimension)
        lane, _ = best_lane(scores, squares, radius)
        return arm_at(lane, 0, arms)
    for first in range(0, arms, WIDE):
        for column in range(dimension):
            spread(sets[column], place, first, arms, features[column])
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
