"""Whole runs of a policy on lists of rewards, and what they show in some rounds.

A list of rewards is a table whose columns are equal: round t pays entry t whatever arm is pulled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.guarantees import Guarantee, View
from banditproof.interaction import Floats, Pipeline, Policy
from banditproof.mechanism import Neighbours, PolicyMechanism

Pair = tuple[Any, Any]

TOGETHER = 1 << 22  # numbers that a call to the policy may hold


@dataclass(frozen=True)
class Thinned:
    """What a run shows in some rounds alone, so that long runs fit into memory: columns of the view of `mechanism`, in blocks of runs.

    A post-processing: no event gains by it, so the audit stays right; the rounds are those in which a release can change.
    """

    mechanism: PolicyMechanism
    rounds: tuple[int, ...]

    @property
    def theorems(self) -> tuple[str, ...]:
        return self.mechanism.theorems

    def guarantee(self) -> Guarantee:
        return self.mechanism.guarantee()

    def neighbours(self) -> Neighbours:
        return self.mechanism.neighbours()

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        """Draws a key for each block of runs."""
        pipeline = self.mechanism.pipeline
        width = 1
        if self.mechanism.stated_guarantee.view is View.WHITE_BOX:
            width = pipeline.policy.statistic_width(pipeline.environment.arms, pipeline.environment.dimension)
        block = max(1, TOGETHER // (self.mechanism.horizon * width))
        columns = np.array([round * width + column for round in self.rounds for column in range(width)])
        parts = [self.mechanism.release(data, min(block, runs - start), rng)[:, columns] for start in range(0, runs, block)]
        return np.concatenate(parts)


def reward_list(horizon: int, entries: Sequence[float], start: int = 0) -> tuple[tuple[float, float], ...]:
    """Round t pays entry t on each of two arms: 0, but `entries` from round `start` on."""
    values = (*(0.0,) * start, *entries, *(0.0,) * (horizon - start - len(entries)))
    return tuple((value, value) for value in values)


def whole_runs(policy: Policy, claim: Guarantee, rounds: tuple[int, ...], horizon: int, pair: Pair) -> Thinned:
    """A policy with two arms on two reward lists, seen as its claim says, in the given rounds."""
    return Thinned(PolicyMechanism(Pipeline(policy, Bernoulli((0.5, 0.5))), claim, 0, horizon, policy.theorems, (pair,)), rounds)
