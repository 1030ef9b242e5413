"""Reports as a run of robust arm elimination sends them: which report is whose, and a mechanism that releases them.

The owners of the second model report in the last round of their blocks, so a privacy audit of a single round would see nothing of the
other rewards. Here all blocks of a run get the same rewards, so that each report of that length is a release of the same owner; that the
noise of different reports is independent is audited by `cases.wire`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.client_reports import Level, NoisyReward, noisy_rewards
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.guarantees import Guarantee, NeighbouringRelation, PureDP
from banditproof.interaction import Floats, Ints, Pipeline, Table, Wire
from banditproof.mechanism import Neighbours
from banditproof.randomness import key_from
from banditproof.simulation import play_many


class Sent(NamedTuple):
    """The reports of one run: the first and the last round of the block of each, and the report."""

    first: Ints
    last: Ints
    values: Floats


def blocks(arms: Ints, released: Floats) -> tuple[Ints, Ints]:
    """First and last rounds of the blocks of a run, from the arms (T,) and the rounds (T,) in which something is released: a block ends
    where the next round has another arm or belongs to another batch. The last batch counts as one block."""
    ends = np.flatnonzero(np.append((np.diff(arms) != 0) | released[:-1], True))
    return np.concatenate([[0], ends[:-1] + 1]), ends


def sent_by(policy: RobustArmElimination, arms: Ints, statistic: Floats, reports: Floats) -> Sent:
    """The reports of a run: in the first model those of all rounds, in the second those of the blocks of the batches before the last."""
    if policy.model is ClientModel.FIRST:
        rounds = np.arange(arms.size)
        return Sent(rounds, rounds, reports[:, 0])
    released = ~np.isnan(statistic[:, 0])
    first, last = blocks(arms, released)
    inside = last <= np.flatnonzero(released[:-1]).max(initial=-1)
    return Sent(first[inside], last[inside], reports[last[inside], 0])


@dataclass(frozen=True)
class WireReport:
    """The reports of `arm_plays` rewards that a policy's run sends, under the claim for one of its rewards (or for all, `level`).

    K arms are the unit vectors. In the second model every arm of a batch has m = q^i plays, rounded up (nu = 1), and q is near 1, so that
    a run has many batches of each length.
    """

    policy: RobustArmElimination
    arm_plays: int = 1
    level: Level = Level.EVENT
    pair: tuple[tuple[float, ...], tuple[float, ...]] = ((-1.0,), (1.0,))
    arms: int = 20
    horizon: int = 3000
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        one = self.level is Level.EVENT
        return PureDP(self.policy.epsilon, NeighbouringRelation.REPLACE_RECORD if one else NeighbouringRelation.ANY_PAIR)

    def neighbours(self) -> Neighbours:
        lengths = (self.arm_plays, self.arm_plays)
        return Neighbours(self.guarantee().relation, low=-1.0, high=1.0, lengths=lengths, worst=(self.pair,))

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """`runs` reports, shape (runs, 1), from as many runs of the policy as they need. Draws keys from rng."""
        rewards, found, missing = np.asarray(data, dtype=float), [], runs
        while missing > 0:
            mine = self._reports(rewards, rng)[:missing]
            found.append(mine)
            missing -= len(mine)
        return np.concatenate(found)[:, None]

    def _reports(self, rewards: Floats, rng: np.random.Generator) -> Floats:
        """The reports on blocks of these rewards in one run, shape (n,)."""
        record = (Wire.ARMS, Wire.STATISTIC, Wire.REPORT)
        table, key = np.full((self.horizon, self.arms), rewards[0]), key_from(rng)
        level = self.policy.randomiser(level=self.level)
        if self.arm_plays > 1:  # the blocks are where the design puts them, whatever the rewards are
            table = np.repeat(_placed(self._lengths(), rewards, self.horizon)[:, None], self.arms, axis=1)
        played = play_many(Pipeline(self.policy, Table(table), level), horizon=self.horizon, key=key, runs=1, record=record)
        arms, statistic, reports = (np.asarray(played.wire(wire)[0]) for wire in record)
        sent = sent_by(self.policy, arms, statistic, reports)
        return np.asarray(sent.values[sent.last - sent.first + 1 == self.arm_plays])

    def _lengths(self) -> Ints:
        """Plays of each block: ceil(q^i), K times, i = 1, 2, ..., as long as a batch fits."""
        batches = self.policy.batches
        if batches is None:
            raise ValueError("policy.batches = None: must be given (the lengths of blocks depend on it)")
        sizes = np.ceil(self.horizon ** (np.arange(1, batches) / batches) - 1e-9).astype(int)
        fit = np.cumsum(sizes * self.arms) <= self.horizon
        return np.repeat(sizes[fit], self.arms)


def _placed(lengths: Ints, rewards: Floats, horizon: int) -> Floats:
    """Rewards of the rounds (T,): `rewards` in every block of their length, 0 elsewhere."""
    found = np.zeros(horizon)
    for first in (np.cumsum(lengths) - lengths)[lengths == rewards.size]:
        found[first : first + rewards.size] = rewards
    return found


@dataclass(frozen=True)
class WideReport:
    """What a client randomiser makes of one message of numbers, by its kernel: no policy here sends more than one, others may."""

    randomiser: NoisyReward
    width: int
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return PureDP(self.randomiser.epsilon, NeighbouringRelation.ANY_PAIR)

    def neighbours(self) -> Neighbours:
        low, high = (-1.0,) * self.width, (1.0,) * self.width
        return Neighbours(NeighbouringRelation.ANY_PAIR, low=-1.0, high=1.0, lengths=(self.width,) * 2, worst=((low, high),))

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """`runs` reports, shape (runs, width). Draws a key from rng."""
        message, words, setup = np.asarray(data, dtype=float), np.append(key_from(rng), np.uint64(0)), self.randomiser.setup()
        report, found = np.zeros((1, self.width)), np.empty((runs, self.width))
        for round in range(runs):
            noisy_rewards(setup, words, round, message, report)
            found[round] = report[0]
        return found
