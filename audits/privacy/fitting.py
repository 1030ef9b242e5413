"""Scores are fitted to draws of both neighbours that are used for nothing else, and cut at quantiles of them. Deterministic."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from banditproof.audits.privacy.codes import is_code
from banditproof.audits.privacy.events import (
    Additive,
    Coordinate,
    Linear,
    LowestBit,
    Outcomes,
    Score,
    Tree,
    bin_numbers,
    lowest_bit,
    row_keys,
)
from banditproof.interaction import Floats, Ints
from banditproof.mechanism import MARK

MOST_BINS, TREE_LEAVES = 64, 48
FEWEST_SEEN = 5  # an outcome rarer than this in the fitting draws is not listed
MOST_OUTCOMES, MOST_LISTED = 4096, 1 << 17  # listed outcomes, and numbers in all of them
FITTED = 8_000_000  # numbers, of both sides, that trees and covariances are fitted to; a tree never sees more than TREE_ROWS of a side
TREE_ROWS = 100_000

Codes = NDArray[np.uint8]


def candidates(dataset: Floats, neighbour: Floats, *, float_bits: bool = False) -> Iterator[Score]:
    """Scores fitted to draws (n, w) of both neighbours, in a fixed order. Deterministic."""
    width = dataset.shape[1]
    table = _outcomes(dataset, neighbour)
    if table is not None:
        yield table
    edges = tuple(_edges(np.concatenate([dataset[:, column], neighbour[:, column]])) for column in range(width))
    codes = _codes(dataset, edges), _codes(neighbour, edges)
    counts = [[np.bincount(side[:, column], minlength=len(edges[column]) + 2) for side in codes] for column in range(width)]
    for column in _telling_columns(counts):
        yield Coordinate(column)
        yield Coordinate(column, -1.0)
    yield Additive(edges, tuple(tuple(_log_ratios(*pair).tolist()) for pair in counts))
    if width > 1:
        yield from _linear(dataset, neighbour)
        yield _tree(edges, *codes)
    if float_bits:
        for column in range(width):
            bits = (np.bincount(lowest_bit(side[:, column]), minlength=2100) for side in (dataset, neighbour))
            yield LowestBit(column, tuple(_log_ratios(*bits).tolist()))


def thresholds(score: Score, dataset: Floats, neighbour: Floats, *, count: int = 40) -> Floats:
    """Values of a score at which to cut, from fitting draws: quantiles of both sides, finer in the tails; sorted, distinct, finite."""
    values = np.concatenate([score.values(dataset), score.values(neighbour)])
    values = np.sort(values[np.isfinite(values)])
    if values.size == 0:
        return np.zeros(1)
    kinds = _distinct(values)
    if kinds.size <= count:
        return kinds
    tails = np.array([0.0, 0.001, 0.003, 0.01, 0.03])
    return _distinct(_quantiles(values, np.concatenate([tails, np.linspace(0.05, 0.95, count), 1 - tails[::-1]])))


def _telling_columns(counts: Sequence[Sequence[Ints]], most: int = 8) -> list[int]:
    """The columns whose two binned distributions differ most (in total variation), at most `most`, in order."""
    if len(counts) <= most:
        return list(range(len(counts)))
    distance = [float(np.abs(dataset / dataset.sum() - neighbour / neighbour.sum()).sum()) for dataset, neighbour in counts]
    return sorted(np.argsort(-np.array(distance), kind="stable")[:most].tolist())


def _outcomes(dataset: Floats, neighbour: Floats) -> Outcomes | None:
    """The frequent outcomes of both sides; None where hardly any outcome comes twice."""
    keys = np.concatenate([row_keys(dataset), row_keys(neighbour)])
    kinds, at, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    frequent = np.flatnonzero(counts >= FEWEST_SEEN)
    if frequent.size == 0:
        return None
    most = max(1, min(MOST_OUTCOMES, MOST_LISTED // dataset.shape[1]))
    frequent = frequent[np.argsort(-counts[frequent], kind="stable")][:most]
    in_dataset = np.bincount(inverse[: len(dataset)], minlength=len(kinds))[frequent]
    in_neighbour = counts[frequent] - in_dataset
    ratios = np.log((in_neighbour + 0.5) / (len(neighbour) + 1)) - np.log((in_dataset + 0.5) / (len(dataset) + 1))
    rows = [dataset[index] if index < len(dataset) else neighbour[index - len(dataset)] for index in at[frequent]]
    return Outcomes(tuple(tuple(row.tolist()) for row in rows), tuple(ratios.tolist()))


def _edges(column: Floats) -> tuple[float, ...]:
    """Where a column is cut: at each of few values, at quantiles of many. Infinities are in bins of their own."""
    finite = np.sort(column[np.isfinite(column)])
    below, above = bool((column == -np.inf).any()), bool((column == np.inf).any())
    most = MOST_BINS - below - above
    kinds = _distinct(finite)
    if kinds.size > most:
        kinds = _distinct(_quantiles(finite, np.linspace(0, 1, most + 1)[1:-1]))
    lowest = [-float(np.finfo(float).max)] if below and not (kinds.size and kinds[0] == -np.finfo(float).max) else []
    return (*lowest, *kinds.tolist(), *([math.inf] if above else []))


def _distinct(ordered: Floats) -> Floats:
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if ordered.size else ordered


def _quantiles(ordered: Floats, levels: Floats) -> Floats:
    """Members of a sorted array nearest to the levels; no differences, which would overflow at the ends of the doubles."""
    return ordered[np.rint(levels * (len(ordered) - 1)).astype(np.int64)]


def _codes(outcomes: Floats, edges: tuple[tuple[float, ...], ...]) -> Codes:
    codes = np.empty(outcomes.shape, dtype=np.uint8, order="F")
    for column, cuts in enumerate(edges):
        codes[:, column] = bin_numbers(outcomes[:, column], cuts)
    return codes


def _log_ratios(in_dataset: Ints, in_neighbour: Ints) -> Floats:
    return np.asarray(np.log((in_neighbour + 0.5) / (in_neighbour.sum() + 1)) - np.log((in_dataset + 0.5) / (in_dataset.sum() + 1)))


def _linear(dataset: Floats, neighbour: Floats) -> Iterator[Linear]:
    """The plain sum, both ways, and Fisher's discriminant, of the columns without categories."""
    plain = ~np.any(is_code(dataset), axis=0) & ~np.any(is_code(neighbour), axis=0)
    if not plain.any():
        return
    width, (places,) = int(plain.sum()), np.nonzero(plain)

    def weighted(weights: Floats) -> Linear:
        every = np.zeros(len(plain))
        every[places] = weights
        return Linear(tuple(every.tolist()))

    yield weighted(np.ones(width))
    yield weighted(-np.ones(width))
    rows = max(FITTED // (2 * width), 4 * width)
    clean = [(side if plain.all() else side[:, places])[:rows] for side in (dataset, neighbour)]
    clean = [side[np.all(np.isfinite(side) & (side != MARK), axis=1)] for side in clean]
    if min(len(side) for side in clean) <= 2 * width:
        return
    with np.errstate(over="ignore", invalid="ignore"):
        covariance = np.atleast_2d(sum(np.cov(side, rowvar=False) for side in clean))
        difference = clean[1].mean(axis=0) - clean[0].mean(axis=0)
    if not (np.all(np.isfinite(covariance)) and np.all(np.isfinite(difference))):
        return
    try:
        weights = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True) @ difference
    except np.linalg.LinAlgError:  # no discriminant, one score less
        return
    largest = float(np.abs(weights).max(initial=0.0))
    if 0.0 < largest < np.inf:  # six digits: what is left does not depend on how many threads multiplied the matrices
        yield weighted(np.array([float(f"{weight / largest:.6g}") for weight in weights]))


def _tree(edges: tuple[tuple[float, ...], ...], dataset: Codes, neighbour: Codes) -> Tree:
    from sklearn.tree import DecisionTreeClassifier

    rows = min(TREE_ROWS, max(FITTED // (2 * len(edges)), 1000))
    dataset, neighbour = dataset[:rows], neighbour[:rows]
    labels = np.repeat([0, 1], [len(dataset), len(neighbour)])
    leaf = max(20, len(labels) // 2000)
    codes = np.concatenate([dataset, neighbour]).astype(np.float32)
    model = DecisionTreeClassifier(max_leaf_nodes=TREE_LEAVES, min_samples_leaf=leaf, random_state=0).fit(codes, labels)
    nodes = model.tree_
    fraction = nodes.value[:, 0, 1] / nodes.value[:, 0, :].sum(axis=1)
    return Tree(
        edges,
        tuple(nodes.feature.tolist()),
        tuple(nodes.threshold.tolist()),
        tuple(nodes.children_left.tolist()),
        tuple(nodes.children_right.tolist()),
        tuple(fraction.tolist()),
    )
