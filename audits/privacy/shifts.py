"""How far a neighbour moves each variate of the noise: the shifts after which the released values are the same.

Released values are before + weights @ variates, on the dataset and on its neighbour, with the same weights. So the neighbour releases the
same values where its variates are larger by t, weights @ t = before - before'; and the loss of the pair is that of the shift t.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from banditproof.audits.privacy.noisy import Noise
from banditproof.audits.privacy.recording import Recording, Release
from banditproof.interaction import Floats

ROUNDING = 1e-9  # relative: values are apart by more than what two ways of adding the same numbers differ by


@dataclass(frozen=True)
class Shift:
    """What a neighbour does to one variate: the released values are the same where this variate is larger by `units`.

    `moved` is how far the value before the noise moves, `scale` the variate's weight in it (of the largest, where it is in several).
    `realised` is the loss of this variate at its value, for Laplace noise, at most |units|; |units| for others. `shown`: all values that it
    is in are returned as they are. `alone` is False where the values do not determine the single variates. `coin`: of a coin, the largest
    loss of the dataset over the neighbour, and of the neighbour over the dataset."""

    variate: int
    noise: Noise
    place: str
    units: float
    moved: float
    scale: float
    realised: float
    shown: bool
    alone: bool = True
    coin: tuple[float, float] | None = None

    @property
    def losses(self) -> tuple[float, float]:
        """The largest loss in either direction."""
        return (abs(self.units), abs(self.units)) if self.coin is None else self.coin


class Rescaled(NamedTuple):
    """Noise whose weights in the released values depend on the data: where it was drawn. `unbounded`: one of these values has no other
    noise, and that in two scales, so that no epsilon bounds the loss of this value alone."""

    place: str
    unbounded: bool

    def __str__(self) -> str:
        return f"the scale of the noise drawn at {self.place} depends on the data"


def moves(dataset: Recording, neighbour: Recording, numbers: set[float]) -> tuple[tuple[Shift, ...], str, Rescaled | None]:
    """How far each variate moved; noise that two values share, or ""; and noise whose scale depends on the data, or None."""
    coins = tuple(_coins(dataset, neighbour))
    pairs = [(one, other) for one, other in zip(dataset.releases, neighbour.releases, strict=False) if one.value.shape == other.value.shape]
    if not pairs:
        return coins, "", None
    variates = len(dataset.variates)
    ones, others = (_stacked([pair[side] for pair in pairs], variates) for side in (0, 1))
    if (rescaled := _rescaled(ones.weights, others.weights, dataset)) is not None:
        return (), "", rescaled
    with np.errstate(invalid="ignore"):
        equal = (ones.before == others.before) | (np.isnan(ones.before) & np.isnan(others.before))
        moved = np.where(equal, 0.0, ones.before - others.before)
    moved = np.where(np.isnan(moved), math.inf, moved)  # NaN on one side, or infinities
    if not moved.any():
        return coins, "", None
    shown = np.array([value in numbers for one, _ in pairs for value in one.value.ravel().tolist()])
    shifts: list[Shift] = []
    shared = ""
    for rows, columns, block in _blocks(ones.weights, moved):
        found, apart = _solved(block, moved[rows])
        places = [dataset.variates[column].place for column in columns]
        if apart and not shared:
            amounts = sorted({f"{value:g}" for value in moved[rows].tolist()})
            at = f"the noise drawn at {places[0]} is shared by values" if places else "values without noise"
            shared = f"{at} that the neighbour moves by {', '.join(amounts[:4])}: what is left between them has no noise"
        for place, column in enumerate(columns):
            weights = np.abs(block[:, place])
            largest, variate, units = int(np.argmax(weights)), dataset.variates[column], float(found.units[place])
            realised = abs(variate.value + units) - abs(variate.value) if math.isfinite(units) else math.inf
            shifts.append(
                Shift(
                    column,
                    variate.noise,
                    variate.place,
                    units,
                    float(abs(moved[rows][largest])),
                    float(weights[largest]),
                    realised if variate.noise is Noise.LAPLACE else abs(units),
                    bool(shown[rows][weights > 0].all()),
                    found.alone,
                )
            )
    return (*(shift for shift in shifts if shift.units != 0.0), *coins), shared, None


def _coins(dataset: Recording, neighbour: Recording) -> Iterator[Shift]:
    """Coins whose chance moves, as variates -1, -2, ...: `units` is the largest loss of both outcomes and directions, positive where the
    dataset makes "below" likelier, `realised` that of the outcome which came."""
    for number, (one, other) in enumerate(zip(dataset.flips, neighbour.flips, strict=False)):
        chances = [(min(max(flip.chance, 0.0), 1.0), min(max(1.0 - flip.chance, 0.0), 1.0)) for flip in (one, other)]
        below, above = (_log_ratio(first, second) for first, second in zip(*chances, strict=True))
        if below == above == 0.0:
            continue
        moved = abs(chances[0][0] - chances[1][0])
        units = math.copysign(max(abs(below), abs(above)), below - above)
        ways = max(below, above), max(-below, -above)
        yield Shift(-1 - number, Noise.COIN, one.place, units, moved, 1.0, below if one.below else above, shown=True, coin=ways)


def _log_ratio(chance: float, other: float) -> float:
    """ln(chance / other), within rounding of equal chances 0."""
    if abs(chance - other) <= ROUNDING * max(chance, other):
        return 0.0
    if other == 0.0 or chance == 0.0:
        return math.inf if other == 0.0 else -math.inf
    return math.log(chance / other)


class _Stack(NamedTuple):
    """Released values of a run: before the noise (n,), and the weights of the variates in them (n, variates)."""

    before: Floats
    weights: sparse.csr_array


def _stacked(releases: list[Release], variates: int) -> _Stack:
    before = np.concatenate([release.before.ravel() for release in releases])
    rows = [release.rows for release in releases]
    data, indices = (np.concatenate(parts) for parts in zip(*((each.data, each.indices) for each in rows), strict=True))
    ends = np.cumsum(np.concatenate([[0], *(each.indptr[1:] - each.indptr[:-1] for each in rows)]))
    return _Stack(before, sparse.csr_array((data, indices, ends), shape=(len(before), variates)))


def _same(one: sparse.csr_array, other: sparse.csr_array) -> bool:
    """Whether two arrays of weights are kept as the same numbers in the same places."""
    return all(np.array_equal(getattr(one, part), getattr(other, part)) for part in ("data", "indices", "indptr"))


def _rescaled(one: sparse.csr_array, other: sparse.csr_array, dataset: Recording) -> Rescaled | None:
    """Noise that has other weights on the neighbour, apart from rounding; of several values one that shows an unbounded loss, if any."""
    if _same(one, other):
        return None
    beyond = sparse.coo_array(abs(one - other) - ROUNDING * abs(one).maximum(abs(other)))
    rows = np.unique(beyond.coords[0][beyond.data > 0.0]).tolist()
    if not rows:
        return None
    unbounded = [row for row in rows if _in_two_scales(one[[row]], other[[row]])]
    row = (unbounded or rows)[0]
    return Rescaled(dataset.variates[int(one[[row]].indices.max(initial=0))].place, bool(unbounded))


def _in_two_scales(one: sparse.csr_array, other: sparse.csr_array) -> bool:
    """Whether two rows of weights are of one and the same variate, in two scales. The noise is symmetric: a sign is none."""
    ours, theirs = one.tocoo(), other.tocoo()
    if len(ours.data) != 1 or len(theirs.data) != 1 or ours.coords[1][0] != theirs.coords[1][0]:
        return False
    scales = abs(float(ours.data[0])), abs(float(theirs.data[0]))
    return max(scales) - min(scales) > ROUNDING * max(scales)


def _blocks(weights: sparse.csr_array, moved: Floats) -> Iterator[tuple[list[int], list[int], Floats]]:
    """Values and variates that hang together, where a value moves, and the weights between them."""
    weights.sum_duplicates()
    weights.eliminate_zeros()
    data, indices, ends = weights.data, weights.indices, weights.indptr
    rows, variates = weights.shape
    places = np.concatenate([ends, np.full(variates, ends[-1])])  # a variate is linked by the values that it is in
    links = sparse.csr_array((data, indices + rows, places), shape=(rows + variates, rows + variates))
    _, label = sparse.csgraph.connected_components(links, directed=False)
    for block in np.unique(label[:rows][moved != 0.0]).tolist():
        members = np.flatnonzero(label == block)
        values, columns = members[members < rows].tolist(), members[members >= rows] - rows
        found = np.zeros((len(values), len(columns)))
        for line, value in zip(found, values, strict=True):
            line[np.searchsorted(columns, indices[ends[value] : ends[value + 1]])] = data[ends[value] : ends[value + 1]]
        yield values, columns.tolist(), found


class _Solution(NamedTuple):
    """Shifts of variates, (n,), of least norm; `alone`: there are no others."""

    units: Floats
    alone: bool


def _solved(weights: Floats, moved: Floats) -> tuple[_Solution, bool]:
    """The shifts with weights @ units = moved, and whether there are none."""
    if not np.isfinite(moved).all():
        return _Solution(np.full(weights.shape[1], math.inf), True), weights.shape[1] == 0
    if weights.shape == (1, 1):
        return _Solution(moved / weights[0], True), False
    units, _, rank, _ = np.linalg.lstsq(weights, moved, rcond=None) if weights.size else (np.zeros(weights.shape[1]), None, 0, None)
    apart = bool(np.abs(weights @ units - moved).max() > ROUNDING * np.abs(moved).max())
    return _Solution(np.where(np.abs(units) > ROUNDING * np.abs(units).max(initial=0.0), units, 0.0), rank == weights.shape[1]), apart
