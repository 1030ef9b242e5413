"""What a run of robust arm elimination did, batch by batch, read from its wires alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.interaction import Corruption, Environment, Floats, Ints, NoCorruption, Pipeline, Wire, Words
from banditproof.simulation import play

Bools = NDArray[np.bool_]
BATCHES = (Wire.ARMS, Wire.STATISTIC)  # what the batches are read from
RECORD = (Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.RECEIVED, Wire.STATISTIC)


@dataclass(frozen=True, eq=False)
class Batch:
    """Rounds first .. last of a run, and what the server released after the last of them.

    index: from 1. arms (n,): the arms played. counts (K,): their plays. before, after (K,): active arms. theta (d,), gamma, removed:
    of this batch; in the last batch, from which nothing is learned, they are those of the batch before.
    """

    index: int
    first: int
    last: int
    arms: Ints
    counts: Ints
    before: Bools
    after: Bools
    theta: Floats
    gamma: float
    removed: int

    @property
    def plays(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, eq=False)
class Log:
    """A run: the batches that are learned from, the one that exploits, and the wires (T, ...)."""

    learned: Sequence[Batch]
    exploited: Batch
    wires: dict[Wire, Floats]
    regret: float


def logged(
    policy: RobustArmElimination,
    environment: Environment,
    horizon: int,
    key: Words,
    corruption: Corruption | None = None,
    record: tuple[Wire, ...] = RECORD,
) -> Log:
    """Plays one run with the policy's own randomiser. `record`: the wires that are kept, those of BATCHES among them; all take more memory
    than a long run needs."""
    pipeline = Pipeline(policy, environment, policy.randomiser(), NoCorruption() if corruption is None else corruption)
    run = play(pipeline, horizon=horizon, key=key, record=record)
    wires = {wire: np.asarray(run.wire(wire)) for wire in record}
    arms, statistic, count = wires[Wire.ARMS], wires[Wire.STATISTIC], environment.arms
    width, first, before, found = statistic.shape[1] - 2 - count, 0, np.ones(count, dtype=bool), []
    for place, last in enumerate(np.flatnonzero(~np.isnan(statistic[:, 0]))):
        row, played = statistic[last], arms[first : last + 1]
        after = row[width + 2 :] > 0.0
        counts = np.bincount(played, minlength=count)
        found.append(Batch(place + 1, first, int(last), played, counts, before, after, row[:width], float(row[width]), int(row[width + 1])))
        first, before = int(last) + 1, after
    return Log(found[:-1], found[-1], wires, float(run.regret[-1]))


def rank_of(vectors: Floats) -> int:
    """The dimension that the rows span."""
    return int(np.linalg.matrix_rank(vectors, tol=1e-8))


def leverage_of(vectors: Floats, weights: Floats) -> float:
    """The largest |a|^2 of the rows (k, d) in the pseudo-inverse of sum of w_a a a^T; infinite for a row outside the span of the weighted
    ones."""
    gram = (vectors * weights[:, None]).T @ vectors
    inverse = np.linalg.pinv(gram, rcond=1e-10, hermitian=True)
    outside = np.linalg.norm(vectors - vectors @ gram @ inverse, axis=1) > 1e-6
    return float(np.where(outside, np.inf, np.einsum("ij,jk,ik->i", vectors, inverse, vectors)).max())
