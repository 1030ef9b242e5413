r"""Algorithm 2 of Charisopoulos et al. 2023 for points r_j z_a on k lines: the removals of the literal form, from sums per line.

A removal costs k d^2 + d^3 + log n in place of n d^2 + d^3 (`kernels`). The points are walked line by line in the order of `directions`,
on a line by ascending report, equal reports in the order given; `walk_order` has this order. Given points in this order and the same key,
the literal form removes the same ones, up to the first uniform number that falls within rounding of a boundary.
"""

from collections.abc import Sequence
from typing import assert_never

import numpy as np

from banditproof.algorithms.estimators.spectral_filter.common import (
    FACTOR,
    Filtered,
    Method,
    require_key,
    require_points,
    require_reports,
    require_size,
    stopping_value,
)
from banditproof.algorithms.estimators.spectral_filter.kernels import build, empty_trees, filter_lines
from banditproof.algorithms.estimators.spectral_filter.literal import filter_points
from banditproof.algorithms.estimators.spectral_filter.reweighting import reweight_points
from banditproof.interaction import Floats, Ints, Words


def walk_order(index: Ints, reports: Floats) -> Ints:
    """The places (n,) of reports by line, and on a line by ascending report."""
    return np.lexsort((reports, index)).astype(np.int64)


def filter_reports(
    directions: Sequence[Sequence[float]] | Floats,
    index: Sequence[int] | Ints,
    reports: Sequence[float] | Floats,
    variance_bound: float,
    key: Words,
    *,
    factor: float = FACTOR,
    first_draw: int = 0,
) -> Filtered:
    """Filters the points reports[j] * directions[index[j]]: directions (k, d), index and reports (n,). Raises ValueError on numbers that
    are not finite or above 1e70 in size, points too. One uniform number per removal, from (key, CHOICES, first_draw) on."""
    every = require_points(directions, "directions")
    lines, values = require_reports(index, reports, len(every))
    require_size(np.abs(every).max(axis=1)[lines] * np.abs(values), "points")
    words, limit = require_key(key, first_draw), stopping_value(variance_bound, factor)
    order, counts = walk_order(lines, values), np.bincount(lines, minlength=len(every))
    used = np.flatnonzero(counts)
    starts = np.concatenate([[0], np.cumsum(counts[used])[:-1]]).astype(np.int64)
    tree, roots, capacities, leaves = empty_trees(counts[used])
    filled = np.repeat(leaves - starts, counts[used]) + np.arange(values.size)
    tree[filled, 0], tree[filled, 1] = 1.0, values[order]
    build(tree, roots, capacities)
    dimension = every.shape[1]
    found, places, mean = np.zeros(values.size, dtype=np.int64), np.zeros(values.size, dtype=np.int64), np.zeros(dimension)
    scratch = np.zeros((4, dimension, dimension)), np.zeros((used.size, 2))
    number, top = filter_lines(every[used], roots, capacities, tree, words, first_draw, limit, found, places, mean, *scratch)
    removed = order[starts[found[:number]] + places[:number]]
    weights = np.ones(values.size)
    weights[removed] = 0.0
    return Filtered(mean, weights, removed, number + 1, top, variance_bound)


def spectral_filter(
    directions: Sequence[Sequence[float]] | Floats,
    index: Sequence[int] | Ints,
    reports: Sequence[float] | Floats,
    variance_bound: float,
    key: Words,
    *,
    method: Method = Method.FAST,
    factor: float = FACTOR,
    first_draw: int = 0,
) -> Filtered:
    """`filter_reports` by any of the methods; LITERAL walks the points in the same order, REWEIGHTED takes no random numbers."""
    if method is Method.FAST:
        return filter_reports(directions, index, reports, variance_bound, key, factor=factor, first_draw=first_draw)
    every = require_points(directions, "directions")
    lines, values = require_reports(index, reports, len(every))
    order = walk_order(lines, values)
    points = every[lines[order]] * values[order, None]
    match method:
        case Method.LITERAL:
            found = filter_points(points, variance_bound, key, factor=factor, first_draw=first_draw)
        case Method.REWEIGHTED:
            found = reweight_points(points, variance_bound, factor=factor)
        case _:
            assert_never(method)
    weights = np.empty(values.size)
    weights[order] = found.weights
    return Filtered(found.mean, weights, order[found.removed], found.passes, found.top_eigenvalue, variance_bound)
