"""What one reward does to what a policy releases: the same run with the same noise and the same arms, and another reward in one round.

The arms are those of the run as it is, so the difference of the released values is that of the values before the noise. Rows end where the
policy itself would have pulled another arm: what is released from there on answers other questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from banditproof.guarantees import Guarantee, Replacement
from banditproof.interaction import Floats, Ints, Kernels, Pipeline, Policy, Wire, Words
from banditproof.kernels import plain
from banditproof.simulation import play


@dataclass(frozen=True)
class GivenArms:
    """A policy whose choices are made, noted, and not followed: the given arms are pulled. For play step by step."""

    policy: Policy
    arms: Ints
    own: list[int]  # its own choices, in order

    @property
    def theorems(self) -> tuple[str, ...]:
        return self.policy.theorems

    @property
    def kernels(self) -> Kernels:
        kernels = self.policy.kernels

        def choose(state: Any, key: Words, round: int, contexts: Floats) -> int:
            self.own.append(int(plain(kernels.choose)(state, key, round, contexts)))
            return int(self.arms[round])

        return kernels._replace(choose=choose)

    def guarantee(self) -> Guarantee | None:
        return self.policy.guarantee()

    def state(self, arms: int, dimension: int, horizon: int) -> Any:
        return self.policy.state(arms, dimension, horizon)

    def message_width(self, dimension: int) -> int:
        return self.policy.message_width(dimension)

    def statistic_width(self, arms: int, dimension: int) -> int:
        return self.policy.statistic_width(arms, dimension)


def released(pipeline: Pipeline, horizon: int, key: Words) -> tuple[Floats, Ints, Floats]:
    """What a run releases in each round, (T, s), the arms that it pulls, (T,), and their rewards, (T,)."""
    run = play(pipeline, horizon=horizon, key=key, record=(Wire.STATISTIC, Wire.ARMS, Wire.REWARDS), stepwise=True)
    return run.wire(Wire.STATISTIC), run.wire(Wire.ARMS), run.wire(Wire.REWARDS)


def difference(pipeline: Pipeline, key: Words, before: Floats, arms: Ints, round: int, reward: float) -> Floats:
    """Released values with another reward in one round minus those of the run as it is, (rows, s): as many rounds as the policy would have
    pulled the same arms in. `before` (T, s) and `arms` (T,) are those of the run as it is, by `released`."""
    horizon = len(arms)
    given = GivenArms(pipeline.policy, arms, [])
    changed = replace(pipeline, policy=given, replacement=Replacement(round, (reward,) * pipeline.environment.arms))
    after, _, _ = released(changed, horizon, key)
    other = np.flatnonzero(np.array(given.own) != arms)
    rows = int(other[0]) if other.size else horizon
    return np.asarray(after[:rows] - before[:rows])


def changes(rows: Floats, columns: Sequence[int]) -> list[Floats]:
    """The different non-zero differences in these columns, one for each stretch of rounds that shows it: one release each."""
    shown = rows[:, list(columns)]
    found: list[Floats] = []
    for position, row in enumerate(shown):
        if np.any(row != 0.0) and (position == 0 or not np.allclose(row, shown[position - 1], rtol=1e-9, atol=1e-12)):
            found.append(row)
    return found
