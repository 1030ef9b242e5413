"""Audits of parallel composition: Laplace sums of disjoint parts of a list, the parts fixed, or chosen by earlier outputs."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

_LENGTH = 4
_STILL = (0.0,) * _LENGTH


@dataclass(frozen=True)
class DisjointSums:
    """Noisy sums of records in [0, 1]: the first two, then the others. `adaptive`: both others in one sum if the first release was
    positive, else one sum each."""

    epsilon: float
    adaptive: bool
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_RECORD)

    def neighbours(self) -> Neighbours:
        pairs = tuple((_STILL, tuple(float(place == changed) for place in range(_LENGTH))) for changed in (0, _LENGTH - 1))
        return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(_LENGTH, _LENGTH), worst=pairs)

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, 3)."""
        records, noise = np.asarray(data, dtype=float), rng.laplace(0.0, 1.0 / self.epsilon, (runs, 3))
        first, together = records[:2].sum() + noise[:, 0], records[2:].sum() + noise[:, 1]
        if not self.adaptive:
            return np.stack([first, together, np.zeros(runs)], axis=1)
        one, other = records[2] + noise[:, 1], records[3] + noise[:, 2]
        return np.stack([first, np.where(first > 0.0, together, one), np.where(first > 0.0, 0.0, other)], axis=1)


PARALLEL = tuple(
    Audit(
        theorem,
        f"privacy.disjoint_sums_{swept(eps=epsilon)}",
        f"{DisjointSums(epsilon, adaptive)}",
        PrivacyLoss(DisjointSums(epsilon, adaptive), samples=100_000, exact=epsilon),
    )
    for theorem, adaptive, epsilon in (
        ("inequalities.parallel_composition", False, 1.0),
        ("inequalities.adaptive_parallel_composition", True, 1.0),
        ("inequalities.adaptive_parallel_composition", True, 0.3),
    )
)
