"""What one reward changes in what robust elimination releases: one mean, by no more than its noise allows.

Whole runs, step by step, with the same noise and the same arms (`common.flips`). Folds that overlap, a batch that is used twice and a
reward that is added after its batch has been released change a second value; truncation that is lost or moved changes one by more.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np

from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.audits.common.flips import changes, difference, released
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import Pipeline, Table
from banditproof.randomness import generator, key_of
from banditproof.theory.papers.wu_2023.privacy import PRIVACY_RAW, TRUNCATED_MEAN_SENSITIVITY

_HORIZON = 250
_FAR = (50.0, -1e9)


def pipeline(policy: RobustElimination) -> Pipeline:
    """Two arms, of positive and of negative rewards, which lie inside the truncation of every batch."""
    rewards = generator(key_of(3, "flips")).uniform(0.02, 0.2, (_HORIZON, 2))
    return Pipeline(policy, Table(rewards * np.array([1.0, -1.0])))


def batches(arms: np.ndarray, means: np.ndarray) -> list[tuple[int, int]]:
    """First round and end of each batch that was released: rounds of one arm, after which the released mean is another one."""
    ends = [0, *(np.flatnonzero(np.diff(arms)) + 1).tolist()]
    return [(start, end) for start, end in pairwise(ends) if means[end - 1] != (means[start - 1] if start else 0.0)]


@lru_cache(maxsize=1)  # three audits look at them
def _differences(policy: RobustElimination) -> tuple[tuple[int, int, float, float, list[np.ndarray]], ...]:
    """Round, rewards of its batch, its reward, another one, and what the other one changes in the released means."""
    played, key = pipeline(policy), key_of(5, "flips")
    statistic, arms, rewards = released(played, _HORIZON, key)
    found = []
    for start, end in batches(arms, statistic[:, 1]):
        for round in {start, (start + end) // 2, end - 1}:
            reward = float(rewards[round])
            for other in (reward / 2.0, *_FAR):
                changed = changes(difference(played, key, statistic, arms, round, other), [1])
                found.append((round, end - start, reward, other, changed))
    return tuple(found)


def counted(policy: RobustElimination) -> Iterator[At]:
    """How many releases a reward changes, beside the one of its own batch."""
    for round, _, _, other, found in _differences(policy):
        yield At({"round": round, "reward": other}, abs(len(found) - 1), 0)


def losses(policy: RobustElimination) -> Iterator[At]:
    """By how much the mean of the batch changes, beside the sensitivity at the batch's truncation."""
    state = policy.state(2, 0, _HORIZON)
    for round, samples, _, other, found in _differences(policy):
        truncation = float(state.truncations[samples.bit_length() - 1, 2])
        claimed = TRUNCATED_MEAN_SENSITIVITY.at(samples=samples, truncation=Fraction(truncation)).ball
        yield At({"round": round, "reward": other}, max((Fraction(float(abs(row[0]))) for row in found), default=Fraction(0)), claimed)


def moved(policy: RobustElimination) -> Iterator[At]:
    """The change of the mean by a reward of half the size, which is kept as the whole one is."""
    for round, samples, reward, other, found in _differences(policy):
        if other == reward / 2.0:
            measured = abs(float(found[0][0]) - (other - reward) / samples) if found else 1.0
            yield At({"round": round, "reward": other}, Fraction(measured), Fraction(1, 10**12))


POLICIES = tuple(RobustElimination(epsilon, failure=1.0) for epsilon in (20.0, 8.0))
FLIPS = tuple(
    Audit(
        PRIVACY_RAW.id,
        f"points.{name}_{swept(eps=policy.epsilon)}",
        f"RobustElimination(epsilon={policy.epsilon}), one reward replaced by half of it and by far ones",
        Pointwise(partial(points, policy), f"rewards at both ends and in the middle of each batch, T = {_HORIZON}", quantity),
    )
    for policy in POLICIES
    for name, points, quantity in (
        ("releases_changed", counted, "releases changed beside the batch's own"),
        ("change_of_release", losses, "change of the released mean"),
        ("share_of_reward", moved, "difference from the share of one reward"),
    )
)
