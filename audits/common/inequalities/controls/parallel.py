"""Parallel composition with one mistake each: parts of a list that are not disjoint, and a policy with half of its noise."""

import numpy as np

from banditproof.audits.common.inequalities.cases import dprse
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, MutatedPolicy, control, scaled
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

DPRSE = control(
    "dprse_with_half_the_noise",
    "half the noise in a run of DPRSE",
    dprse.COMPOSITION,
    PrivacyLoss(
        dprse.runs_of(MutatedPolicy(dprse.WHITE, scaled(scales=0.5)), dprse.WHITE.guarantee(), 64, dprse.worst(dprse.WHITE, 64)), 30_000
    ),
    "dprse_half_the_noise",
)
_LAST = Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(3, 3), worst=(((0.0,) * 3, (0.0, 1.0, 0.0)),))
_CLAIM = PureDP(1.0, NeighbouringRelation.REPLACE_RECORD)


def _overlapping(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Sums of the first two and of the last two of three records."""
    return np.array([data[:2].sum(), data[1:].sum()]) + rng.laplace(0.0, 1.0, (runs, 2))


def _chosen_by_value(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The record decides by its own value which of two sums it enters, so it changes both."""
    above, below = data[data > 0.5], data[data <= 0.5]
    return np.array([above.sum() + above.size, below.size]) / 2.0 + rng.laplace(0.0, 0.5, (runs, 2))


OVERLAP = control(
    "parts_overlap",
    "parts that share a record",
    "inequalities.parallel_composition",
    PrivacyLoss(MutatedMechanism(_CLAIM, _LAST, _overlapping), samples=60_000),
)
BY_VALUE = control(
    "parts_chosen_by_value",
    "the part that a record enters depends on its value",
    "inequalities.adaptive_parallel_composition",
    PrivacyLoss(MutatedMechanism(_CLAIM, _LAST, _chosen_by_value), samples=60_000),
)
