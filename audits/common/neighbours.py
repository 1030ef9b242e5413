"""Pairs of neighbours for replays with frozen releases: one round of a run, or one record, has another value; honest ones, the ends of the
range, what lies far outside it, and infinity."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from banditproof.algorithms.policies.elimination.kernels import State
from banditproof.interaction import Floats
from banditproof.randomness import generator, key_of

Pair = tuple[Any, Any]
FAR = (1e9, -1e300, math.inf, -math.inf)
BEYOND = (*FAR, math.nan)


@dataclass(frozen=True)
class RewardPairs:
    """Runs of `horizon` rounds and `arms` arms with rewards drawn from [low, high], of which those of one round are replaced by each two of
    the values `among`, and by the first of them against each of the values `beyond`. `others` stands everywhere else in every third
    round: far outside."""

    horizon: int
    arms: int
    rounds: tuple[int, ...]
    among: tuple[float, ...]
    beyond: tuple[float, ...] = BEYOND
    low: float = 0.0
    high: float = 1.0
    others: float | None = None

    def __call__(self) -> Iterator[Pair]:
        rewards = generator(key_of(7, "neighbours")).uniform(self.low, self.high, (self.horizon, self.arms))
        if self.others is not None:
            rewards[::3] = self.others
        for round in self.rounds:
            for one, other in (*combinations(self.among, 2), *((self.among[0], each) for each in self.beyond)):
                yield {"rewards": _with(rewards, round, one)}, {"rewards": _with(rewards, round, other)}


@dataclass(frozen=True)
class RoundPairs:
    """Runs of `horizon` rounds with `arms` arms of `features` features, of which one round has each two of the given outcomes: one vector
    for all of its arms, and a reward; nobody sees its arm. The other rounds' vectors lie in the unit ball, their rewards in [-1, 1]."""

    horizon: int
    arms: int
    features: int
    rounds: tuple[int, ...]
    outcomes: tuple[tuple[tuple[float, ...], float], ...]

    def __call__(self) -> Iterator[Pair]:
        stream = generator(key_of(7, "neighbours"))
        rewards = stream.uniform(-1.0, 1.0, (self.horizon, self.arms))
        contexts = stream.normal(size=(self.horizon, self.arms, self.features))
        contexts /= np.maximum(np.linalg.norm(contexts, axis=2, keepdims=True), 1.0)
        for round in self.rounds:
            for one, other in combinations(self.outcomes, 2):
                sides = [
                    {"rewards": _with(rewards, round, reward), "contexts": _with(contexts, round, np.array(vector)), "unseen": round}
                    for vector, reward in (one, other)
                ]
                yield sides[0], sides[1]


@dataclass(frozen=True)
class MessagePairs:
    """One user's message has each two of the given values, in both orders; before him and after him somebody else sends the first."""

    values: tuple[tuple[float, ...], ...]

    def __call__(self) -> Iterator[Pair]:
        still = list(self.values[0])
        for one, other in combinations(self.values, 2):
            yield [still, list(one), still], [still, list(other), still]
            yield [still, list(other), still], [still, list(one), still]


@dataclass(frozen=True)
class DatasetPairs:
    """Each two of the given datasets, in both orders."""

    datasets: tuple[Any, ...]

    def __call__(self) -> Iterator[Pair]:
        for one, other in combinations(self.datasets, 2):
            yield one, other
            yield other, one


def outcomes(features: int, size: float) -> tuple[tuple[tuple[float, ...], float], ...]:
    """Vectors and rewards at the ends of the ball of this radius, in several directions, and far outside of it. The worst pair of a sum of
    v v' without its corner, v = (x, y), has orthogonal features, or the reward's sign turned at half of the squared length each."""
    unit = np.eye(features) * size
    first, last, nothing = tuple(unit[0].tolist()), tuple(unit[-1].tolist()), (0.0,) * features
    half = tuple((unit[0] / math.sqrt(2.0)).tolist())
    far = tuple((1e6 * unit[-1]).tolist())
    ends = size / math.sqrt(2.0)
    return (first, 0.0), (last, 0.0), (half, ends), (half, -ends), (nothing, 0.0), (far, -1e6), (far, 1e-3)


def at_truncations(state: State) -> tuple[float, ...]:
    """Rewards at the largest truncation of an elimination's batches and at the least, just inside, and just outside of the least."""
    sizes = sorted({float(size) for size in state.truncations.ravel().tolist() if size > 0.0})
    return (sizes[-1] * (1.0 - 1e-9), -sizes[-1] * (1.0 - 1e-9), sizes[0] * (1.0 - 1e-9), -sizes[0] * (1.0 - 1e-9), 1.001 * sizes[0])


def _with(values: Floats, round: int, value: Any) -> Any:
    changed = values.copy()
    changed[round] = value
    return changed.tolist()
