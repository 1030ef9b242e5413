"""What an audit compares: a random release on two neighbouring inputs.

Inputs are plain data (nested sequences of numbers, or an array), so that a witness can be written down; shapes are the mechanism's own.
Outcomes are rows of floats. NaN and infinities are outcomes like others; `MARK` pads sequences that end early.
"""

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from banditproof.guarantees import Guarantee, NeighbouringRelation, Replacement, View, require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from banditproof.interaction import Floats, Pipeline

MARK = -1.2345678901234567e300  # pads a sequence that ended; no mechanism means this number


@dataclass(frozen=True)
class Neighbours:
    """Which pairs of inputs are neighbours, where the search looks for the pair with the largest loss, and pairs known to be worst.

    A dataset is `lengths` rows of shape `row` with entries in [low, high] (whole numbers if `integral`). Under QUERY_SENSITIVITY it is
    one answer of `lengths` numbers; neighbours are within `sensitivity` in the norm of order `norm`, 1 or 2. Under EVERY_QUERY it is
    `lengths` answers, each of which differs by at most `sensitivity`. In a `group` of k, neighbours are k steps of the relation apart, or
    fewer: k records replaced, k records more or less, k times the sensitivity. Raises ValueError on empty ranges, and on a norm, a
    sensitivity or a group that is none."""

    relation: NeighbouringRelation
    low: float = 0.0
    high: float = 1.0
    lengths: tuple[int, int] = (1, 4)
    row: tuple[int, ...] = ()
    integral: bool = False
    sensitivity: float = 1.0
    norm: int = 1
    worst: tuple[tuple[Any, Any], ...] = ()
    group: int = 1

    def __post_init__(self) -> None:
        require(isinstance(self.relation, NeighbouringRelation), f"relation = {self.relation!r}: must be a NeighbouringRelation")
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low < self.high):
            raise ValueError(f"low = {self.low}, high = {self.high}: must be finite, low < high")
        if self.integral and math.ceil(self.low) > math.floor(self.high):
            raise ValueError(f"low = {self.low}, high = {self.high}: there is no whole number between them, and entries must be integral")
        if not 1 <= self.lengths[0] <= self.lengths[1]:
            raise ValueError(f"lengths = {self.lengths}: must be (shortest, longest) with 1 <= shortest <= longest")
        every = f"where each of several answers moves, the relation is {NeighbouringRelation.EVERY_QUERY.value}"
        require(self.norm in (1, 2), f"norm = {self.norm}: must be 1 or 2 ({every})")
        require(self.group >= 1, f"group = {self.group}: must be an integer >= 1 (steps between neighbours)")
        far = 0.0 < self.sensitivity * self.group < math.inf
        require(far, f"sensitivity = {self.sensitivity}: must be > 0 and finite{'' if self.group == 1 else f', {self.group} times too'}")

    def check(self, dataset: Any, neighbour: Any) -> None:
        """Raises ValueError, naming the rule, unless the two are neighbours. Values may lie outside [low, high]: it says where to look.
        Records may be anything that can be compared, where only their number and their equality count."""
        if isinstance(dataset, Replacement) or isinstance(neighbour, Replacement):
            self._check_replacements(dataset, neighbour)
            return
        if self.relation is NeighbouringRelation.ANY_PAIR:
            return
        a, b = _rows(dataset, neighbour)
        match self.relation:
            case NeighbouringRelation.ADD_OR_REMOVE:
                if min(a.ndim, b.ndim) == 0:
                    raise ValueError(f"{dataset} and {neighbour}: must be lists of records (add_or_remove)")
                if not 1 <= _steps(a, b, self.group) <= self.group:
                    rule = f"must be at most {self.group} records more or less apart, and not equal"
                    rule = "one must be the other without one record" if self.group == 1 else rule
                    raise ValueError(f"{dataset} and {neighbour}: {rule} (add_or_remove)")
            case NeighbouringRelation.QUERY_SENSITIVITY | NeighbouringRelation.EVERY_QUERY:
                require(object not in (a.dtype, b.dtype), f"{dataset} and {neighbour}: must be numbers ({self.relation.value})")
                order = self.norm if self.relation is NeighbouringRelation.QUERY_SENSITIVITY else np.inf
                with np.errstate(over="ignore", invalid="ignore"):
                    distance = float("inf") if a.shape != b.shape else float(np.linalg.norm((a - b).ravel(), ord=order))
                most = self.sensitivity * self.group
                if not distance <= most * (1 + 1e-12):
                    rule = f"L{order:g} distance {distance:g} must be <= {most:g} ({self.relation.value})".replace("Linf", "L-infinity")
                    raise ValueError(f"{dataset} and {neighbour}: {rule}")
            case NeighbouringRelation.REPLACE_ROUND | NeighbouringRelation.REPLACE_REWARD | NeighbouringRelation.REPLACE_RECORD:
                if a.shape != b.shape or a.ndim == 0:
                    raise ValueError(f"{dataset} and {neighbour}: must be of the same length ({self.relation.value})")
                differing = [index for index in range(a.shape[0]) if not _same(a[index], b[index])]
                if len(differing) > self.group:
                    rule = "one" if self.group == 1 else f"at most {self.group}, a group"
                    raise ValueError(
                        f"{dataset} and {neighbour}: differ in rows {differing}, must differ in {rule} ({self.relation.value})"
                    )

    def _check_replacements(self, dataset: Any, neighbour: Any) -> None:
        for each in (dataset, neighbour):
            require(isinstance(each, Replacement), f"{dataset} and {neighbour}: must both be replacements of one round")
        require(
            dataset.round == neighbour.round, f"rounds {dataset.round} and {neighbour.round}: must be one round ({self.relation.value})"
        )
        same = self.relation is not NeighbouringRelation.REPLACE_REWARD or dataset.contexts == neighbour.contexts
        require(same, f"contexts {dataset.contexts} and {neighbour.contexts}: must be equal ({self.relation.value})")
        rounds = self.relation in (NeighbouringRelation.REPLACE_ROUND, NeighbouringRelation.REPLACE_REWARD)
        require(rounds, f"{dataset} and {neighbour}: replaced rounds are no neighbours under {self.relation.value}")


def _rows(dataset: Any, neighbour: Any) -> "tuple[NDArray[Any], NDArray[Any]]":
    """Both as arrays of numbers; where one of them has other records, the records of both as they are, (n,)."""
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        if _holds_floats(dataset) and _holds_floats(neighbour):
            return np.asarray(dataset, dtype=float), np.asarray(neighbour, dtype=float)
    return _objects(dataset), _objects(neighbour)


def _holds_floats(data: Any) -> bool:
    """Whether every number in it is one that a float holds, and nothing else is in it: no text, no None, no whole number beyond 2 ** 53."""
    if isinstance(data, (list, tuple)):
        return all(map(_holds_floats, data))
    if isinstance(data, (bool, np.bool_, float, np.floating)):
        return True
    if isinstance(data, (int, np.integer)):
        return abs(int(data)) <= 2**53
    found = np.asarray(data)  # text, None and other objects are of kinds of their own
    if found.dtype.kind in "iu":
        return not found.size or max(abs(int(found.min())), abs(int(found.max()))) <= 2**53
    return found.dtype.kind in "bf" or (found.dtype.kind == "O" and found.ndim > 0 and all(map(_holds_floats, found.ravel().tolist())))


def _objects(data: Any) -> "NDArray[Any]":
    table = data if isinstance(data, (list, tuple)) else np.asarray(data)  # an array, or what is read as one
    if isinstance(table, np.ndarray) and table.ndim == 0:
        return np.asarray(data, dtype=object)
    found = np.empty(len(table), dtype=object)
    for place, record in enumerate(table):
        found[place] = record
    return found


def _same(record: Any, other: Any) -> bool:
    record, other = (part.tolist() if isinstance(part, np.ndarray) and part.dtype.kind not in "biuf" else part for part in (record, other))
    if isinstance(record, dict) and isinstance(other, dict):
        return record.keys() == other.keys() and all(_same(value, other[key]) for key, value in record.items())
    if isinstance(record, (float, np.floating, np.ndarray)) and isinstance(other, (float, np.floating, np.ndarray)):
        return np.array_equal(record, other, equal_nan=True)
    if isinstance(record, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(record) == len(other) and all(map(_same, record, other))
    return bool(np.all(record == other))


def _steps(dataset: "NDArray[Any]", neighbour: "NDArray[Any]", most: int) -> int:
    """Fewest records to remove from one list and to add to it until it is the other, in order; most + 1 where it is more."""
    if abs(len(dataset) - len(neighbour)) > most or (len(dataset) and len(neighbour) and dataset.shape[1:] != neighbour.shape[1:]):
        return most + 1
    above = {place: place for place in range(most + 1)}  # by how many of the neighbour's records are used; others are too far
    for row, record in enumerate(dataset, 1):
        here: dict[int, int] = {}
        for place in range(max(row - most, 0), min(row + most, len(neighbour)) + 1):
            same = place >= 1 and _same(record, neighbour[place - 1])
            ways = (above.get(place, most) + 1, here.get(place - 1, most) + 1, above.get(place - 1, most + 1) if same else most + 1)
            here[place] = min(*ways, most + 1)
        above = here
    return above.get(len(neighbour), most + 1)


class Mechanism(Protocol):
    """A random release with a privacy guarantee.

    `theorems` are ids of the statements that the class claims to satisfy; `release` returns float64 of shape (runs, width)."""

    @property
    def theorems(self) -> tuple[str, ...]: ...  # ids of theorems
    def guarantee(self) -> Guarantee: ...
    def neighbours(self) -> Neighbours: ...
    def release(self, data: Any, runs: int, rng: np.random.Generator) -> "Floats": ...  # (runs, width); draws from rng


@dataclass(frozen=True)
class PolicyMechanism:
    """A pipeline seen as a mechanism: rewards (T, K) go in, what the adversary sees comes out.

    Inputs are reward tables (T, K), or `Replacement`s of one round of the pipeline's own environment (adaptive neighbours), and then
    `horizon` says when the run ends. `differing` is the round, from 0, that neighbours may differ in: LOCAL sees that user's arm and
    whole report, SHUFFLED the single messages of each batch with their arms, JOINT all arms but that one. The randomness is that of the
    policy and of the pipeline's parts; with a table nothing else is random."""

    pipeline: "Pipeline"
    stated_guarantee: Guarantee
    differing: int
    horizon: int
    theorems: tuple[str, ...] = ()
    worst: tuple[tuple[Any, Any], ...] = ()

    def __post_init__(self) -> None:
        require(self.horizon >= 1, f"horizon = {self.horizon}: must be an integer >= 1 (rounds)")
        inside = 0 <= self.differing < self.horizon
        require(inside, f"differing = {self.differing}: must be >= 0 and < {self.horizon} (a round, from 0)")

    def guarantee(self) -> Guarantee:
        return self.stated_guarantee

    def neighbours(self) -> Neighbours:
        arms = self.pipeline.environment.arms
        return Neighbours(self.stated_guarantee.relation, lengths=(self.horizon, self.horizon), row=(arms,), worst=self.worst)

    def release(self, data: "Sequence[Sequence[float]] | Floats | Replacement", runs: int, rng: np.random.Generator) -> "Floats":
        """Plays `runs` runs and returns the view, shape (runs, width of the view). Draws one key from rng.

        Raises ValueError unless `data` is a table (horizon, K), or a replacement; of the differing round, where the view depends on it."""
        from banditproof.interaction import Table, Wire
        from banditproof.randomness import key_from
        from banditproof.simulation import play_in_turn

        environment = self.pipeline.environment
        if isinstance(data, Replacement):
            fits = self.stated_guarantee.view not in (View.LOCAL, View.JOINT) or data.round == self.differing
            require(fits, f"replaced round = {data.round}: must be {self.differing} (the round that differs)")
            pipeline = self.pipeline.with_environment(environment, data)
        else:
            table, shape = np.array(data, dtype=float), (self.horizon, environment.arms)
            require(table.shape == shape, f"table of shape {table.shape}: must be {shape} (rounds, arms)")
            pipeline = self.pipeline.with_environment(Table(table))
        wires = {
            View.LOCAL: (Wire.ARMS, Wire.REPORT),
            View.SHUFFLED: (Wire.BATCH,),
            View.CENTRAL: (Wire.ARMS,),
            View.JOINT: (Wire.ARMS,),
            View.WHITE_BOX: (Wire.STATISTIC,),
        }[self.stated_guarantee.view]
        found, done = np.zeros((runs, 0)), 0
        for played in play_in_turn(pipeline, horizon=self.horizon, key=key_from(rng), runs=runs, record=wires):
            rows = self._seen([played.wire(wire).reshape(*played.wire(wire).shape[:2], -1) for wire in wires])
            if done == 0:
                found = np.empty((runs, rows.shape[1]))
            found[done : done + len(rows)] = rows
            done += len(rows)
        return found

    def _seen(self, wires: "list[NDArray[Any]]") -> "NDArray[Any]":
        """What the view shows of wires (n, T, w) of n runs, (n, width)."""
        match self.stated_guarantee.view:
            case View.LOCAL:
                wires = [wire[:, self.differing] for wire in wires]
            case View.JOINT:
                wires = [part for wire in wires for part in (wire[:, : self.differing], wire[:, self.differing + 1 :])]
            case View.SHUFFLED | View.CENTRAL | View.WHITE_BOX:
                pass
        rows = [wire.reshape(len(wire), -1) for wire in wires]
        return rows[0] if len(rows) == 1 else np.concatenate(rows, axis=1)
