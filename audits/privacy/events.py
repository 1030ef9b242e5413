"""Events that distinguish two neighbours: a score of an outcome, and the two thresholds at which it says "neighbour" and "dataset".

Scores are fitted (`fitting`) on draws that are used for nothing else. Each is plain data, so that a witness can be written down, read and
replayed. Outcomes are rows of floats (n, w); NaN, infinities, the pad `MARK` and the codes of categories are outcomes like others, and no
score lets one pass for a number.

A score looks at one row at a time and gives it the same value in every batch, bit for bit (no matrix products): the two neighbours are
counted in batches of different sizes, and a rounding that depended on those would distinguish them.
"""

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from banditproof.audits.privacy.codes import HIGHEST, is_code
from banditproof.interaction import Floats, Ints
from banditproof.kernels import compiled
from banditproof.mechanism import MARK

Words = NDArray[np.uint64]


@dataclass(frozen=True)
class Coordinate:
    """One number of the outcome, as it is or with its sign turned."""

    column: int
    sign: float = 1.0

    def values(self, outcomes: Floats) -> Floats:
        column = outcomes[:, self.column]
        return self.sign * _numbers(column)

    def describe(self) -> str:
        return f"{'-' if self.sign < 0 else ''}output[{self.column}]"


@dataclass(frozen=True)
class Linear:
    """A weighted sum of numbers of the outcome; NaN where one of them is NaN, a pad or a category."""

    weights: tuple[float, ...]

    def values(self, outcomes: Floats) -> Floats:
        total = np.zeros(len(outcomes))
        with np.errstate(invalid="ignore", over="ignore"):
            for column, weight in enumerate(self.weights):
                if weight:
                    total += weight * _numbers(outcomes[:, column])
        return total

    def describe(self) -> str:
        terms = [f"{weight:.3g} output[{column}]" for column, weight in enumerate(self.weights) if weight]
        return " + ".join(terms if len(terms) <= 8 else [*terms[:8], f"{len(terms) - 8} more"])


@dataclass(frozen=True)
class Outcomes:
    """Listed outcomes with the log ratio of their counts; 0 for any other outcome."""

    rows: tuple[tuple[float, ...], ...]
    ratios: tuple[float, ...]

    def values(self, outcomes: Floats) -> Floats:
        listed = row_keys(np.array(self.rows, dtype=float).reshape(len(self.rows), -1))
        order = np.argsort(listed, kind="stable")
        listed, ratios = listed[order], np.array(self.ratios)[order]
        keys = row_keys(outcomes)
        at = np.minimum(np.searchsorted(listed, keys), len(listed) - 1)
        return np.where(listed[at] == keys, ratios[at], 0.0)

    def describe(self) -> str:
        return f"log ratio of {len(self.rows)} listed outcomes"


@dataclass(frozen=True)
class Additive:
    """Each number of the outcome is put in a bin; the bins' log ratios are added. With one column this is a histogram."""

    edges: tuple[tuple[float, ...], ...]
    ratios: tuple[tuple[float, ...], ...]

    def values(self, outcomes: Floats) -> Floats:
        total = np.zeros(len(outcomes))
        for column, (edges, ratios) in enumerate(zip(self.edges, self.ratios, strict=True)):
            total += np.array(ratios)[bin_numbers(outcomes[:, column], edges)]
        return total

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
        used = sorted({feature for feature in self.feature if feature >= 0})
        place = {feature: number for number, feature in enumerate(used)}
        codes = np.empty((len(outcomes), max(len(used), 1)), dtype=np.uint8)
        for column in used:
            codes[:, place[column]] = bin_numbers(outcomes[:, column], self.edges[column])
        at = np.array([place.get(feature, 0) for feature in self.feature])
        inner = np.array(self.feature) >= 0
        threshold, left, right = (np.array(part) for part in (self.threshold, self.left, self.right))
        node, rows = np.zeros(len(outcomes), dtype=np.int64), np.arange(len(outcomes))
        while True:
            descends = inner[node]
            if not descends.any():
                return np.array(self.value)[node]
            below = codes[rows, at[node]] <= threshold[node]
            node = np.where(descends, np.where(below, left[node], right[node]), node)

    def describe(self) -> str:
        return f"decision tree with {sum(feature < 0 for feature in self.feature)} leaves"


@dataclass(frozen=True)
class LowestBit:
    """Log ratio by the exponent of the lowest set bit of one number: an attack on floating-point noise, off unless asked for.

    Noise that is computed in floating point and then added to an answer has bits below those that another answer leaves it (Mironov
    2012, "On significance of the least significant bits for differential privacy").
    """

    column: int
    ratios: tuple[float, ...]  # by exponent + 1075, clipped to 0..2099

    def values(self, outcomes: Floats) -> Floats:
        return np.array(self.ratios)[lowest_bit(outcomes[:, self.column])]

    def describe(self) -> str:
        return f"lowest set bit of output[{self.column}]"


Score = Coordinate | Linear | Outcomes | Additive | Tree | LowestBit
_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in (Coordinate, Linear, Outcomes, Additive, Tree, LowestBit)}


@dataclass(frozen=True)
class Event:
    """Says "neighbour" where score >= high, "dataset" where score <= low, nothing in between. A missing threshold (None) never speaks."""

    score: Score
    low: float | None
    high: float | None

    @property
    def both_ways(self) -> bool:
        """Whether it may say either side."""
        return self.low is not None and self.high is not None

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
        """1 second, 0 first for every outcome (NaN counts as first): for tests that may not abstain. Raises ValueError without `high`."""
        if self.high is None:
            raise ValueError(f"high = None: an event that decides every outcome needs it ({self.describe()})")
        return (self.score.values(outcomes) >= self.high).astype(np.int64)

    def describe(self) -> str:
        parts = []
        if self.high is not None:
            parts.append(f"neighbour where it is >= {self.high:.6g}")
        if self.low is not None:
            parts.append(f"dataset where it is <= {self.low:.6g}")
        return f"{self.score.describe()}: {', '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        return {"kind": type(self.score).__name__, "score": {**vars(self.score)}, "low": self.low, "high": self.high}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Event":
        """The inverse of `to_json`. Raises ValueError on a record that is none."""
        try:
            kind = _KINDS[record["kind"]]
            score = kind(**{name: _tuples(value) for name, value in record["score"].items()})
            return cls(score, _number(record["low"]), _number(record["high"]))
        except (KeyError, TypeError) as error:
            raise ValueError(f"event {json.dumps(record)[:80]}: is not one that this version wrote ({error})") from error


def row_keys(outcomes: Floats) -> Words:
    """One word per row, the same for rows that are equal with one zero and one NaN.

    With one column it is the bit pattern. With more it is a hash: rows that collide are distinguished by no event, which can only hide a
    loss.
    """
    keys = np.zeros(len(outcomes), dtype=np.uint64)
    for column in range(outcomes.shape[1]):
        values = outcomes[:, column] + 0.0
        values[np.isnan(values)] = np.nan
        keys = _mixed(keys) + values.view(np.uint64) if column else values.view(np.uint64)
    return keys


def _mixed(words: Words) -> Words:
    """A bijection of 64-bit words that spreads every bit over all (the finaliser of splitmix64; Steele, Lea and Flood 2014)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _numbers(column: Floats) -> Floats:
    """A column with NaN for what is no number: pads and categories. The column itself where all are numbers."""
    if column.size and column.min() > max(MARK, HIGHEST):
        return column
    return np.where((column == MARK) | is_code(column), np.nan, column)


def bin_numbers(values: Floats, edges: tuple[float, ...]) -> Ints:
    """Bin numbers: 0 below the first edge, up to len(edges); NaN gets len(edges) + 1."""
    codes = np.empty(len(values), dtype=np.int64)
    find_bins(np.array(values, dtype=float), np.array(edges, dtype=float), codes)
    return codes


def _find_bins(values: Floats, edges: Floats, codes: Ints) -> None:
    """Fills codes (n,): how many of the sorted edges are at or below each value. A block of values is compared with one edge after another,
    which are vector instructions: for the 64 edges that there are at most, a third of the time of a search by halves."""
    for first in range(0, values.shape[0], 512):
        block, found = values[first : first + 512], codes[first : first + 512]
        found[:] = 0
        for number in range(edges.shape[0]):
            edge = edges[number]
            for place in range(block.shape[0]):
                found[place] += int(edge <= block[place])
        for place in range(block.shape[0]):
            if math.isnan(block[place]):
                found[place] = edges.shape[0] + 1


find_bins = compiled(_find_bins)


def lowest_bit(column: Floats) -> Ints:
    """Exponent of the lowest set bit, shifted to 0..2099; 0 for zero, NaN and infinities."""
    mantissa, exponent = np.frexp(np.where(np.isfinite(column), column, 0.0))
    whole = np.abs(mantissa * 2.0**53).astype(np.int64)
    lowest = np.frexp((whole & -whole).astype(float))[1] - 1
    return np.where(whole == 0, 0, np.clip(exponent - 53 + lowest + 1075, 0, 2099)).astype(np.int64)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, (list, tuple)) else _number(value)


def _number(value: Any) -> Any:
    return {"inf": np.inf, "-inf": -np.inf, "nan": np.nan}.get(value, value) if isinstance(value, str) else value
