"""Events that tell two neighbours apart: a score of an outcome, and the two thresholds at which it says "second" and "first".

Scores are fitted on draws that are used for nothing else. Each is plain data, so that a witness can be written down, read and replayed.
Outcomes are rows of floats (n, w); NaN, infinities and the pad `MARK` are values like others, and no score lets one of them pass for a number.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, assert_never

import numpy as np

from banditproof.interaction import Floats, Ints
from banditproof.mechanism import MARK

MOST_BINS, MOST_OUTCOMES, TREE_LEAVES, TREE_ROWS = 64, 4096, 48, 100_000
FEWEST_SEEN = 5  # an outcome rarer than this in the fitting draws is not listed


@dataclass(frozen=True)
class Coordinate:
    """One number of the outcome, as it is."""

    column: int

    def values(self, outcomes: Floats) -> Floats:
        column = outcomes[:, self.column]
        return np.where(column == MARK, np.nan, column)

    def describe(self) -> str:
        return f"output[{self.column}]"


@dataclass(frozen=True)
class Linear:
    """A weighted sum of the numbers of the outcome; NaN where one of them is not finite."""

    weights: tuple[float, ...]

    def values(self, outcomes: Floats) -> Floats:
        with np.errstate(invalid="ignore", over="ignore"):
            total = np.where(outcomes == MARK, np.nan, outcomes) @ np.array(self.weights)
        return np.asarray(total, dtype=float)

    def describe(self) -> str:
        return " + ".join(f"{weight:.3g} output[{column}]" for column, weight in enumerate(self.weights) if weight)


@dataclass(frozen=True)
class Outcomes:
    """Listed outcomes with the log ratio of their counts; 0 for any other outcome."""

    rows: tuple[tuple[float, ...], ...]
    ratios: tuple[float, ...]

    def values(self, outcomes: Floats) -> Floats:
        listed = _keys(np.array(self.rows, dtype=float).reshape(len(self.rows), -1))
        order = np.argsort(listed)
        keys = _keys(outcomes)
        at = np.minimum(np.searchsorted(listed[order], keys), len(order) - 1)
        return np.where(listed[order][at] == keys, np.array(self.ratios)[order][at], 0.0)

    def describe(self) -> str:
        return f"log ratio of {len(self.rows)} listed outcomes"


@dataclass(frozen=True)
class Additive:
    """Each number of the outcome is put in a bin; the bins' log ratios are added. With one column this is a histogram."""

    edges: tuple[tuple[float, ...], ...]
    ratios: tuple[tuple[float, ...], ...]

    def values(self, outcomes: Floats) -> Floats:
        codes = _codes(outcomes, self.edges)
        return sum((np.array(ratios)[codes[:, column]] for column, ratios in enumerate(self.ratios)), np.zeros(len(outcomes)))

    def describe(self) -> str:
        return f"sum of binned log ratios over {len(self.edges)} outputs"


@dataclass(frozen=True)
class Tree:
    """A decision tree over the bins of each number; a leaf's value is its share of the second neighbour."""

    edges: tuple[tuple[float, ...], ...]
    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    def values(self, outcomes: Floats) -> Floats:
        codes = _codes(outcomes, self.edges)
        feature, threshold, left, right = (np.array(part) for part in (self.feature, self.threshold, self.left, self.right))
        node, rows = np.zeros(len(outcomes), dtype=np.int64), np.arange(len(outcomes))
        while True:
            inner = feature[node] >= 0
            if not inner.any():
                return np.array(self.value)[node]
            below = codes[rows, np.maximum(feature[node], 0)] <= threshold[node]
            node = np.where(inner, np.where(below, left[node], right[node]), node)

    def describe(self) -> str:
        return f"decision tree with {sum(feature < 0 for feature in self.feature)} leaves"


@dataclass(frozen=True)
class LowestBit:
    """Log ratio by the exponent of the lowest set bit of one number: an attack on floating-point noise, off unless asked for."""

    column: int
    ratios: tuple[float, ...]  # by exponent + 1075, clipped to 0..2099

    def values(self, outcomes: Floats) -> Floats:
        return np.array(self.ratios)[_lowest_bit(outcomes[:, self.column])]

    def describe(self) -> str:
        return f"lowest set bit of output[{self.column}]"


Score = Coordinate | Linear | Outcomes | Additive | Tree | LowestBit
_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in (Coordinate, Linear, Outcomes, Additive, Tree, LowestBit)}


@dataclass(frozen=True)
class Event:
    """Says "second" where score >= high, "first" where score <= low, nothing in between. A missing threshold (None) never speaks."""

    score: Score
    low: float | None
    high: float | None

    def guesses(self, outcomes: Floats) -> Ints:
        """1 second, 0 first, -1 no guess; shape (n,)."""
        values = self.score.values(outcomes)
        guess = np.full(len(outcomes), -1, dtype=np.int64)
        if self.low is not None:
            guess[values <= self.low] = 0
        if self.high is not None:
            guess[values >= self.high] = 1
        return guess

    def decisions(self, outcomes: Floats) -> Ints:
        """1 second, 0 first for every outcome (NaN counts as first): for tests that may not abstain. Needs `high`."""
        return (self.score.values(outcomes) >= self.high).astype(np.int64)

    def describe(self) -> str:
        parts = []
        if self.high is not None:
            parts.append(f"second where it is >= {self.high:.6g}")
        if self.low is not None:
            parts.append(f"first where it is <= {self.low:.6g}")
        return f"{self.score.describe()}: {', '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        return {"kind": type(self.score).__name__, "score": asdict(self.score), "low": self.low, "high": self.high}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Event":
        """The inverse of `to_json`. Raises ValueError on a record that is none."""
        try:
            kind = _KINDS[record["kind"]]
            score = kind(**{name: _tuples(value) for name, value in record["score"].items()})
            return cls(score, _number(record["low"]), _number(record["high"]))
        except (KeyError, TypeError) as error:
            raise ValueError(f"event {json.dumps(record)[:80]}: is not one that this version wrote ({error})") from error


def candidates(first: Floats, second: Floats, *, float_bits: bool = False) -> Iterator[Score]:
    """Scores fitted to draws (n, w) of both neighbours, in a fixed order. Deterministic."""
    width = first.shape[1]
    pooled = np.concatenate([first, second])
    table = _outcomes(first, second)
    if table is not None:
        yield table
    for column in _telling_columns(first, second):
        yield Coordinate(column)
    edges = tuple(_edges(pooled[:, column]) for column in range(width))
    codes_first, codes_second = _codes(first, edges), _codes(second, edges)
    ratios = tuple(
        tuple(_log_ratios(codes_first[:, column], codes_second[:, column], len(edges[column]) + 2).tolist()) for column in range(width)
    )
    yield Additive(edges, ratios)
    if width > 1:
        yield from _linear(first, second)
        yield _tree(edges, codes_first, codes_second)
    if float_bits:
        for column in range(width):
            bits_first, bits_second = _lowest_bit(first[:, column]), _lowest_bit(second[:, column])
            yield LowestBit(column, tuple(_log_ratios(bits_first, bits_second, 2100).tolist()))


def thresholds(score: Score, first: Floats, second: Floats, *, count: int = 40) -> Floats:
    """Values of a score at which to cut, from fitting draws: quantiles of both sides, finer in the tails; sorted, distinct, finite."""
    values = np.concatenate([score.values(first), score.values(second)])
    values = values[np.isfinite(values)]
    if values.size == 0:
        return np.zeros(1)
    tails = np.array([0.0, 0.001, 0.003, 0.01, 0.03])
    levels = np.concatenate([tails, np.linspace(0.05, 0.95, count), 1 - tails[::-1]])
    kinds = np.unique(values)
    cuts = kinds if kinds.size <= count else np.unique(np.quantile(values, levels, method="nearest"))
    return np.asarray(cuts, dtype=float)


def _telling_columns(first: Floats, second: Floats, most: int = 8) -> list[int]:
    """The columns whose two laws differ most (Kolmogorov's distance), at most `most`, best first."""
    from scipy.stats import ks_2samp

    width = first.shape[1]
    if width <= most:
        return list(range(width))
    rows = 5_000
    with np.errstate(invalid="ignore"):
        distance = [
            float(ks_2samp(np.nan_to_num(first[:rows, c]), np.nan_to_num(second[:rows, c]), method="asymp").statistic) for c in range(width)
        ]
    return sorted(np.argsort(np.array(distance))[::-1][:most].tolist())


def _keys(outcomes: Floats) -> Any:
    """One comparable key a row: bit patterns, with one zero and one NaN."""
    clean = np.ascontiguousarray(np.where(np.isnan(outcomes), np.nan, outcomes + 0.0))
    return clean.view(np.dtype((np.void, clean.dtype.itemsize * clean.shape[1]))).ravel()


def _outcomes(first: Floats, second: Floats) -> Outcomes | None:
    """The frequent outcomes of both sides; None where hardly any outcome comes twice."""
    keys = _keys(np.concatenate([first, second]))
    kinds, at, inverse, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    frequent = np.flatnonzero(counts >= FEWEST_SEEN)
    if frequent.size == 0:
        return None
    frequent = frequent[np.argsort(-counts[frequent], kind="stable")][:MOST_OUTCOMES]
    in_first = np.bincount(inverse[: len(first)], minlength=len(kinds))[frequent]
    in_second = counts[frequent] - in_first
    ratios = np.log((in_second + 0.5) / (len(second) + 1)) - np.log((in_first + 0.5) / (len(first) + 1))
    rows = np.concatenate([first, second])[at[frequent]]
    return Outcomes(tuple(map(tuple, rows.tolist())), tuple(ratios.tolist()))


def _edges(column: Floats) -> tuple[float, ...]:
    finite = column[np.isfinite(column)]
    kinds = np.unique(finite)
    if kinds.size <= MOST_BINS:
        return tuple(kinds.tolist())
    return tuple(np.unique(np.quantile(finite, np.linspace(0, 1, MOST_BINS + 1)[1:-1], method="nearest")).tolist())


def _codes(outcomes: Floats, edges: tuple[tuple[float, ...], ...]) -> Ints:
    """Bin numbers (n, w): 0 below the first edge, up to len(edges); NaN gets len(edges) + 1."""
    codes = np.empty(outcomes.shape, dtype=np.int64)
    for column, cuts in enumerate(edges):
        values = outcomes[:, column]
        codes[:, column] = np.where(np.isnan(values), len(cuts) + 1, np.searchsorted(np.array(cuts), values, side="right"))
    return codes


def _log_ratios(first: Ints, second: Ints, kinds: int) -> Floats:
    in_first, in_second = np.bincount(first, minlength=kinds), np.bincount(second, minlength=kinds)
    return np.log((in_second + 0.5) / (len(second) + 1)) - np.log((in_first + 0.5) / (len(first) + 1))


def _linear(first: Floats, second: Floats) -> Iterator[Linear]:
    """The plain sum, and Fisher's discriminant."""
    width = first.shape[1]
    yield Linear((1.0,) * width)
    clean = [side[np.all(np.isfinite(side) & (side != MARK), axis=1)] for side in (first, second)]
    if min(len(side) for side in clean) <= 2 * width:
        return
    covariance = sum(np.cov(side, rowvar=False) for side in clean)
    weights = np.linalg.pinv(covariance) @ (clean[1].mean(axis=0) - clean[0].mean(axis=0))
    if np.all(np.isfinite(weights)) and np.any(weights):
        yield Linear(tuple((weights / np.abs(weights).max()).tolist()))


def _tree(edges: tuple[tuple[float, ...], ...], first: Ints, second: Ints) -> Tree:
    from sklearn.tree import DecisionTreeClassifier

    first, second = first[:TREE_ROWS], second[:TREE_ROWS]
    labels = np.repeat([0, 1], [len(first), len(second)])
    leaf = max(20, len(labels) // 2000)
    model = DecisionTreeClassifier(max_leaf_nodes=TREE_LEAVES, min_samples_leaf=leaf, random_state=0).fit(
        np.concatenate([first, second]), labels
    )
    nodes = model.tree_
    share = nodes.value[:, 0, :] @ np.array([0.0, 1.0]) / nodes.value[:, 0, :].sum(axis=1)
    return Tree(
        edges,
        tuple(nodes.feature.tolist()),
        tuple(nodes.threshold.tolist()),
        tuple(nodes.children_left.tolist()),
        tuple(nodes.children_right.tolist()),
        tuple(share.tolist()),
    )


def _lowest_bit(column: Floats) -> Ints:
    """Exponent of the lowest set bit, shifted to 0..2099; 0 for zero, NaN and infinities."""
    mantissa, exponent = np.frexp(np.where(np.isfinite(column), column, 0.0))
    whole = np.abs(mantissa * 2.0**53).astype(np.int64)
    lowest = np.frexp((whole & -whole).astype(float))[1] - 1
    return np.where(whole == 0, 0, np.clip(exponent - 53 + lowest + 1075, 0, 2099)).astype(np.int64)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else _number(value)


def _number(value: Any) -> Any:
    return {"inf": np.inf, "-inf": -np.inf, "nan": np.nan}.get(value, value) if isinstance(value, str) else value


def size(score: Score) -> int:
    """How many numbers describe the score: the simpler of two equal ones is preferred."""
    match score:
        case Coordinate():
            return 1
        case Linear():
            return len(score.weights)
        case Outcomes():
            return len(score.rows)
        case Additive():
            return sum(len(ratios) for ratios in score.ratios)
        case Tree():
            return len(score.feature)
        case LowestBit():
            return len(score.ratios)
        case _:
            assert_never(score)
