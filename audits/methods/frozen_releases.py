"""A mechanism replayed with frozen releases, as a method of audits: exact, in a few runs for each pair of neighbours.

What is judged is the contract of `audits.privacy.frozen`: nothing beside the releases depends on the data, and the losses of the releases
add up to no more than is claimed, on every pair that is tried.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from banditproof.audits.privacy.frozen import as_function, judged
from banditproof.audits.privacy.frozen_witness import FrozenWitness as FrozenWitness  # records find it here, by its kind
from banditproof.audits.privacy.frozen_witness import frozen_witness
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.guarantees import Guarantee, NeighbouringRelation
from banditproof.mechanism import Mechanism, Neighbours


@dataclass(frozen=True)
class FrozenReleases:
    """Audits a mechanism's own claim (or another one) on pairs of neighbours: its worst known ones, and with `beyond` those whose records
    lie outside the declared range, at infinity, or are NaN."""

    mechanism: Mechanism
    claim: Guarantee | None = None
    pairs: tuple[tuple[Any, Any], ...] | None = None
    beyond: bool = True
    prefix: ClassVar[str] = "frozen"
    statistical: ClassVar[bool] = False

    def measure(self, request: Request) -> Measurement:
        claim = self.mechanism.guarantee() if self.claim is None else self.claim
        function, worst, tried = as_function(self.mechanism.release), None, 0
        for pair in self._pairs():
            if self._refused(pair):
                continue
            found = judged(function, pair, claim, seed=request.seed, contract=True)
            tried += 1
            found = replace(found, witness=FrozenWitness(claim, pair[0], pair[1], request.seed, contract=True))
            if found.verdict is not Verdict.NOT_REFUTED:
                return replace(found, samples=tried)
            if worst is None or (found.exact or 0.0) > (worst.exact or 0.0):
                worst = found
        if worst is None:
            raise ValueError(f"{self.mechanism}: declares no worst neighbours; give pairs")
        return replace(worst, samples=tried, message=f"{tried} pairs of neighbours; of the worst: {worst.message}")

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Replays the witness's pair with other variates."""
        witness = frozen_witness(before)
        function = as_function(self.mechanism.release)
        found = judged(function, (witness.dataset, witness.neighbour), witness.claim, seed=again.seed, contract=witness.contract)
        return replace(found, samples=1, witness=replace(witness, seed=again.seed))

    def _refused(self, pair: tuple[Any, Any]) -> bool:
        """Whether a dataset is refused with a ValueError, as the mechanism documents: nothing is released then."""
        try:
            for data in pair:
                self.mechanism.release(data, 1, np.random.default_rng(0))
        except ValueError:
            return True
        return False

    def _pairs(self) -> Iterator[tuple[Any, Any]]:
        neighbours = self.mechanism.neighbours()
        yield from neighbours.worst if self.pairs is None else self.pairs
        if self.beyond and self.pairs is None:
            yield from pairs_beyond(neighbours)


def pairs_beyond(neighbours: Neighbours) -> Iterator[tuple[Any, Any]]:
    """Pairs of datasets of which one record is replaced by what no honest client sends, among records at the ends of the range and outside
    it. Answers to a query have no range: their worst pairs are moved far from 0."""
    if neighbours.relation is NeighbouringRelation.QUERY_SENSITIVITY:
        for one, other in neighbours.worst:
            yield tuple((np.asarray(one, dtype=float) + 2.0**20).tolist()), tuple((np.asarray(other, dtype=float) + 2.0**20).tolist())
        return
    low, high, length = neighbours.low, neighbours.high, neighbours.lengths[1]
    width = high - low
    if neighbours.integral:
        return
    for fill in (low, high, high + 3.0 * width):
        base = np.full((length, *neighbours.row), fill)
        for value in (low, high, low - 10.0 * width, high + 10.0 * width, 1e300, -1e300, math.inf, -math.inf, math.nan):
            changed = base.copy()
            changed[length // 2] = value
            if not np.array_equal(changed, base, equal_nan=True):
                yield base.tolist(), changed.tolist()
