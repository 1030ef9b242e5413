"""A mechanism replayed with frozen releases, as a method of audits: exact, in a few runs for each pair of neighbours.

What is judged is the contract of `audits.privacy.frozen`: nothing beside the releases depends on the data, and the losses of the releases
add up to no more than is claimed, on every pair that is tried.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from banditproof.audits.privacy.claims import require_claim
from banditproof.audits.privacy.frozen import FirstRuns, Function, NotRepeated, as_function, judged
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
        return _on_all(as_function(self.mechanism.release), self._pairs(), self._claim(), request.seed)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Replays the witness's pair with other variates. Raises ValueError on a record of another claim."""
        return _on_one(as_function(self.mechanism.release), before, self._claim(), again.seed)

    def _claim(self) -> Guarantee:
        return self.mechanism.guarantee() if self.claim is None else self.claim

    def _pairs(self) -> Iterator[tuple[Any, Any]]:
        neighbours = self.mechanism.neighbours()
        yield from neighbours.worst if self.pairs is None else self.pairs
        if self.beyond and self.pairs is None:
            yield from pairs_beyond(neighbours)


@dataclass(frozen=True)
class FrozenRuns:
    """Audits a function f(data, rng) whose draws are followed on pairs of neighbours: a policy's run, users' reports, a mechanism's release
    (`privacy.frozen_pipeline`). `flow`: a loss without a closed form passes, so that what is judged there is the flow of the data alone."""

    function: Function
    pairs: Callable[[], Iterable[tuple[Any, Any]]]
    claim: Guarantee
    flow: bool = False
    prefix: ClassVar[str] = "frozen"
    statistical: ClassVar[bool] = False

    def measure(self, request: Request) -> Measurement:
        return _on_all(self.function, self.pairs(), self.claim, request.seed, flow=self.flow)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Replays the witness's pair with other variates. Raises ValueError on a record of another claim."""
        return _on_one(self.function, before, self.claim, again.seed, flow=self.flow)


def _on_all(function: Function, pairs: Iterable[tuple[Any, Any]], claim: Guarantee, seed: int, *, flow: bool = False) -> Measurement:
    """The first pair that is refuted, else the first that is not passed, else the one with the largest loss, which is then replayed on more
    paths than the others. Pairs that are refused with a ValueError, as documented, show nothing: nothing is released then. Raises
    ValueError where no pair is left."""
    known = FirstRuns()

    def on(pair: tuple[Any, Any], *, repeats: bool = True, every: bool = False) -> Measurement:
        with np.errstate(over="ignore", invalid="ignore"):  # numbers far outside every range, as compiled code takes them
            found = judged(function, pair, claim, seed=seed, contract=True, flow=flow, known=known if repeats else None, every=every)
        return replace(found, witness=FrozenWitness(claim, pair[0], pair[1], seed, contract=True))

    undecided, worst, size, tried = None, None, -1.0, 0
    for pair in pairs:
        try:
            found = on(pair, repeats=tried > 0)
        except NotRepeated:
            raise
        except ValueError:
            continue
        tried += 1
        if found.verdict is Verdict.REFUTED:
            return replace(found, samples=tried)
        if found.verdict is not Verdict.NOT_REFUTED:
            undecided = undecided or found
        elif _size(found) > size:
            worst, size = pair, _size(found)
    if undecided is not None:
        return replace(undecided, samples=tried)
    if worst is None:
        raise ValueError("no pair of neighbours is left to replay: must be at least one that is not refused")
    found = on(worst, every=True)
    return replace(found, samples=tried, message=f"{tried} pairs of neighbours; of the worst: {found.message}")


def _size(found: Measurement) -> float:
    return max(float(found.detail["pure"]), float(found.detail["mu"]))


def _on_one(function: Function, before: Measurement, claim: Guarantee, seed: int, *, flow: bool = False) -> Measurement:
    witness = frozen_witness(before)
    require_claim(witness.claim, claim)
    found = judged(function, (witness.dataset, witness.neighbour), claim, seed=seed, contract=witness.contract, flow=flow)
    return replace(found, samples=1, witness=replace(witness, seed=seed))


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
