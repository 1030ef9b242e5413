"""Outputs of the two neighbours: drawn fresh or stored elsewhere, in three disjoint parts, as rows of one width."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol

import numpy as np

from banditproof.audits.privacy import plan
from banditproof.audits.privacy.encoding import NotEncodable, matrix
from banditproof.audits.statistics.sampling import CELL, cells
from banditproof.interaction import Floats, Ints
from banditproof.mechanism import MARK, Mechanism
from banditproof.phases import Phase, phase
from banditproof.randomness import generator, key_of

Sampler = Callable[[int, np.random.Generator], Any]  # (runs, rng) -> (runs,) or (runs, width)

TRAIN, SELECT, CONFIRM = "train", "select", "confirm"  # one fits scores, one selects an event, one counts it


class Source(Protocol):
    """Outputs of the two neighbours, 0 and 1, in cells (n, w): so many of each, every cell with its side."""

    def both(self, role: str, runs: tuple[int, int]) -> Iterator[tuple[int, Floats]]: ...


class KeptSource(Source, Protocol):
    """A source that remembers what it gave, since it may end early."""

    def outputs(self) -> tuple[Floats, Floats]: ...


@dataclass(frozen=True)
class Sampled:
    """Fresh draws; a cell's generator is addressed by seed, path, role, side and the cell's number."""

    samplers: tuple[Sampler, Sampler]
    seed: int
    path: tuple[str, ...]

    def draws(self, role: str, side: int, runs: int) -> Iterator[Floats]:
        for count, rng in cells(key_of(self.seed, *self.path, role, side), runs):
            yield as_outputs(self.samplers[side](count, rng), count)

    def both(self, role: str, runs: tuple[int, int]) -> Iterator[tuple[int, Floats]]:
        return ((side, cell) for side in (0, 1) for cell in self.draws(role, side, runs[side]))


@dataclass(frozen=True)
class Stored:
    """Outputs that were stored elsewhere, in an order shuffled by the seed; roles get disjoint parts, as large as `plan.splits` says."""

    outputs: tuple[Floats, Floats]
    seed: int

    @cached_property
    def orders(self) -> tuple[Ints, Ints]:
        dataset, neighbour = (
            np.argsort(generator(key_of(self.seed, "stored", side)).random(len(outputs)), kind="stable")
            for side, outputs in enumerate(self.outputs)
        )
        return dataset, neighbour

    def draws(self, role: str, side: int, runs: int) -> Iterator[Floats]:
        parts = plan.splits(2 * min(len(part) for part in self.outputs))
        begin = {TRAIN: 0, SELECT: parts.train // 2, CONFIRM: parts.train // 2 + parts.select // 2}[role]
        order = self.orders[side][begin : begin + runs]
        for start in range(0, len(order), CELL):
            yield self.outputs[side][order[start : start + CELL]]

    def both(self, role: str, runs: tuple[int, int]) -> Iterator[tuple[int, Floats]]:
        return ((side, cell) for side in (0, 1) for cell in self.draws(role, side, runs[side]))


def samplers(mechanism: Mechanism, pair: tuple[Any, Any]) -> tuple[Sampler, Sampler]:
    """The mechanism on each of two inputs."""
    dataset, neighbour = (partial(_released, mechanism, side) for side in pair)
    return dataset, neighbour


def _released(mechanism: Mechanism, data: Any, runs: int, rng: np.random.Generator) -> Any:
    with phase(Phase.DRAWING):
        return mechanism.release(data, runs, rng)


def gathered(source: Source, role: str, runs: int) -> tuple[Floats, Floats]:
    """Half of the runs of each side, in one array each, of one width."""
    found: tuple[list[Floats], list[Floats]] = ([], [])
    for side, cell in source.both(role, (runs // 2, runs // 2)):
        found[side].append(cell)
    sides = []
    for part in found:
        widest = max(cell.shape[1] for cell in part)
        sides.append(np.concatenate([to_width(cell, widest) for cell in part]))
    width = max(outputs.shape[1] for outputs in sides)
    return to_width(sides[0], width), to_width(sides[1], width)


def as_outputs(values: Any, runs: int) -> Floats:
    """Outputs as (runs, width), without loss (`encoding`). Raises ValueError, naming what was got and what is wanted, on another shape and
    on what has no exact form."""
    wanted = f"must be an array of shape ({runs},) or ({runs}, width), or a sequence of {runs} outputs"
    try:
        found = matrix(values, runs)
    except NotEncodable as error:
        raise ValueError(f"outputs of type {type(values).__name__}: {wanted} (one of them {error})") from None
    if found is None:
        shape = f"shape {np.shape(values)}" if isinstance(values, (np.ndarray, np.generic, int, float)) else f"type {type(values).__name__}"
        raise ValueError(f"outputs of {shape}: {wanted}")
    return found


def to_width(outputs: Floats, width: int) -> Floats:
    """Outputs cut or padded to a width: a post-processing, so no event gains by it."""
    if outputs.shape[1] >= width:
        return outputs[:, :width]
    return np.pad(outputs, ((0, 0), (0, width - outputs.shape[1])), constant_values=MARK)
