"""The loop of the fast filter: reports on lines through the origin, one binary tree per line.

A node of a tree holds three numbers of the reports below it that are left: how many, their mean, and the sum of their squared deviations
from it. A removal recomputes the nodes above the leaf from their children (Chan, Golub and LeVeque 1979), by additions of numbers of one
sign alone. So nothing is ever subtracted from a sum, and the nodes are as exact after the last removal as before the first: an enormous
outlier leaves no rounding error behind when it goes.

With c = <v, z> of the line's direction z and b = <v, theta>, the reports below a node have together the mass
sum of (r c - b)^2 = c^2 (squared deviations) + (how many) (c mean - b)^2.
"""

import math

import numpy as np

from banditproof.interaction import Floats, Ints, Words
from banditproof.kernels import compiled
from banditproof.randomness import CHOICES, uniform

COUNT, MEAN, SQUARES = 0, 1, 2  # columns of a tree
RESTART = 128  # removals after which the eigenvectors start from the identity again: products of rotations lose orthogonality
SWEEPS = 40  # far more than Jacobi's method needs, whose convergence is quadratic
NEGLIGIBLE = 2.0**-54  # of the trace: an entry off the diagonal of this size is 0 up to rounding


def _merge(tree: Floats, node: int, left: int, right: int) -> None:
    """A node (3,) from its children, either of which may hold nothing."""
    here, there = tree[left, COUNT], tree[right, COUNT]
    if here == 0.0 or there == 0.0:
        source = left if there == 0.0 else right
        tree[node, COUNT], tree[node, MEAN], tree[node, SQUARES] = tree[source, COUNT], tree[source, MEAN], tree[source, SQUARES]
        return
    step = tree[right, MEAN] - tree[left, MEAN]
    tree[node, COUNT] = here + there
    tree[node, MEAN] = tree[left, MEAN] + step * (there / (here + there))
    tree[node, SQUARES] = tree[left, SQUARES] + tree[right, SQUARES] + step * step * (here * there / (here + there))


merge = compiled(_merge, inline=True)


def _mass(tree: Floats, node: int, slope: float, centre: float) -> float:
    """Sum of (r slope - centre)^2 over the reports below a node."""
    distance = slope * tree[node, MEAN] - centre
    squares: float = slope * slope * tree[node, SQUARES] + tree[node, COUNT] * (distance * distance)
    return squares


mass = compiled(_mass, inline=True)


def _build(tree: Floats, roots: Ints, capacities: Ints) -> None:
    """Fills the inner nodes. The tree of line a has its root at roots[a], and the children of its node j are its nodes 2 j and 2 j + 1."""
    for line in range(roots.shape[0]):
        base = roots[line] - 1
        for node in range(capacities[line] - 1, 0, -1):
            merge(tree, base + node, base + 2 * node, base + 2 * node + 1)


def _remove(tree: Floats, root: int, capacity: int, slope: float, centre: float, target: float) -> int:
    """Removes the report at which the running sum of masses first exceeds `target`; its place among the line's leaves."""
    base, node = root - 1, 1
    while node < capacity:
        node *= 2
        if tree[base + node + 1, COUNT] == 0.0:
            continue
        left = mass(tree, base + node, slope, centre)
        if tree[base + node, COUNT] == 0.0 or target >= left:
            target -= left
            node += 1
    place = node - capacity
    tree[base + node, COUNT], tree[base + node, MEAN], tree[base + node, SQUARES] = 0.0, 0.0, 0.0
    node //= 2
    while node >= 1:
        merge(tree, base + node, base + 2 * node, base + 2 * node + 1)
        node //= 2
    return place


def _moments(directions: Floats, roots: Ints, tree: Floats, mean: Floats, covariance: Floats) -> float:
    """Mean (d,) and covariance (d, d) of the points that are left, and how many they are."""
    remaining, dimension = 0.0, mean.shape[0]
    mean[:] = 0.0
    covariance[:] = 0.0
    for line in range(roots.shape[0]):
        remaining += tree[roots[line], COUNT]
    for line in range(roots.shape[0]):
        total = tree[roots[line], COUNT] * tree[roots[line], MEAN] / remaining
        for row in range(dimension):
            mean[row] += total * directions[line, row]
    for line in range(roots.shape[0]):
        root = roots[line]
        within, between = tree[root, SQUARES] / remaining, tree[root, COUNT] / remaining
        for row in range(dimension):
            from_mean = between * (tree[root, MEAN] * directions[line, row] - mean[row])
            along = within * directions[line, row]
            for column in range(row + 1):
                distance = tree[root, MEAN] * directions[line, column] - mean[column]
                covariance[row, column] += along * directions[line, column] + from_mean * distance
    for row in range(dimension):
        for column in range(row):
            covariance[column, row] = covariance[row, column]
    return remaining


def _turned(matrix: Floats, basis: Floats, product: Floats, target: Floats) -> None:
    """target = basis^T matrix basis, symmetric (d, d); `product` is scratch."""
    dimension = matrix.shape[0]
    for row in range(dimension):
        for column in range(dimension):
            total = 0.0
            for inner in range(dimension):
                total += matrix[row, inner] * basis[inner, column]
            product[row, column] = total
    for row in range(dimension):
        for column in range(row + 1):
            total = 0.0
            for inner in range(dimension):
                total += basis[inner, row] * product[inner, column]
            target[row, column] = total
            target[column, row] = total


def _rotate(matrix: Floats, basis: Floats, low: int, high: int) -> None:
    """One rotation of Jacobi: the entry (low, high) of the symmetric matrix becomes 0."""
    entry = matrix[low, high]
    angle = (matrix[high, high] - matrix[low, low]) / (2.0 * entry)
    tangent = math.copysign(1.0, angle) / (abs(angle) + math.sqrt(angle * angle + 1.0))
    cosine = 1.0 / math.sqrt(tangent * tangent + 1.0)
    sine = tangent * cosine
    matrix[low, low] -= tangent * entry
    matrix[high, high] += tangent * entry
    matrix[low, high] = matrix[high, low] = 0.0
    for place in range(matrix.shape[0]):
        if place not in (low, high):
            one, other = matrix[place, low], matrix[place, high]
            matrix[place, low] = matrix[low, place] = cosine * one - sine * other
            matrix[place, high] = matrix[high, place] = sine * one + cosine * other
        one, other = basis[place, low], basis[place, high]
        basis[place, low] = cosine * one - sine * other
        basis[place, high] = sine * one + cosine * other


moments, turned, rotate = compiled(_moments), compiled(_turned), compiled(_rotate)
build, remove = compiled(_build), compiled(_remove)


def _diagonalise(matrix: Floats, basis: Floats, product: Floats, diagonal: Floats) -> int:
    """Makes the columns of `basis` (d, d), orthonormal before and after, eigenvectors of a covariance; the column of the top eigenvalue.

    The eigenvalues are left on the diagonal of `diagonal` (d, d). From the eigenvectors of a covariance nearby it takes one or two sweeps.
    """
    dimension = matrix.shape[0]
    turned(matrix, basis, product, diagonal)
    trace = 0.0
    for row in range(dimension):
        trace += diagonal[row, row]
    for _ in range(SWEEPS):
        rotations = 0
        for high in range(1, dimension):
            for low in range(high):
                if abs(diagonal[low, high]) > NEGLIGIBLE * trace:
                    rotate(diagonal, basis, low, high)
                    rotations += 1
        if rotations == 0:
            break
    top = 0
    for row in range(1, dimension):
        if diagonal[row, row] > diagonal[top, top]:
            top = row
    return top


diagonalise = compiled(_diagonalise)


def _filter(
    directions: Floats, roots: Ints, capacities: Ints, tree: Floats, key: Words, first_draw: int, limit: float,
    lines: Ints, places: Ints, mean: Floats, matrices: Floats, masses: Floats,
) -> tuple[int, float]:  # fmt: skip
    """Algorithm 2 from trees (`build`). How many reports were removed, whose lines and places it stores in order, and the top eigenvalue.

    `mean` (d,) becomes that of what is left. `matrices` (4, d, d) and `masses` (lines, 2) are scratch."""
    removed, covariance, basis, product, diagonal = 0, matrices[0], matrices[1], matrices[2], matrices[3]
    while True:
        remaining = moments(directions, roots, tree, mean, covariance)
        if removed % RESTART == 0:
            basis[:] = 0.0
            for row in range(mean.shape[0]):
                basis[row, row] = 1.0
        top = diagonalise(covariance, basis, product, diagonal)
        largest = max(diagonal[top, top], 0.0)
        if remaining <= 1.0 or largest <= limit:
            return removed, largest
        centre, total, last = 0.0, 0.0, 0
        for row in range(mean.shape[0]):
            centre += basis[row, top] * mean[row]
        for line in range(roots.shape[0]):
            slope = 0.0
            for row in range(mean.shape[0]):
                slope += basis[row, top] * directions[line, row]
            masses[line, 0], masses[line, 1] = slope, mass(tree, roots[line], slope, centre)
            total += masses[line, 1]
            last = line if masses[line, 1] > 0.0 else last
        if not total > 0.0:
            return removed, largest
        target, chosen = uniform(key, CHOICES, first_draw + removed) * total, 0
        while chosen < last and target >= masses[chosen, 1]:
            target -= masses[chosen, 1]
            chosen += 1
        lines[removed] = chosen
        places[removed] = remove(tree, roots[chosen], capacities[chosen], masses[chosen, 0], centre, target)
        removed += 1


filter_lines = compiled(_filter)


def empty_trees(counts: Ints) -> tuple[Floats, Ints, Ints, Ints]:
    """Trees (nodes, 3) for so many reports per line (k,), the roots (k,), the numbers of leaves (k,), and the first leaf of each (k,)."""
    capacities = np.left_shift(1, np.ceil(np.log2(counts)).astype(np.int64)).astype(np.int64)
    roots = np.concatenate([[0], np.cumsum(2 * capacities)[:-1]]).astype(np.int64) + 1
    return np.zeros((int(2 * capacities.sum()), 3)), roots, capacities, roots - 1 + capacities
