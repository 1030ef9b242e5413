"""One environment for several learners in the same rounds: its decision sets are drawn once for all of them.

A round's sets depend on the key alone, so every learner plays the very run that it would play alone; with cheap learners most of the time
of a run is the sets'. The learners take turns: each plays a block of rounds whose sets stand in one array, which is the memory of the
environment that they see. So an environment with a memory of its own cannot be shared: its sets answer to the arms of one learner.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from banditproof.guarantees import require
from banditproof.interaction import Environment, Floats, Kernel, Pipeline, Run, Words
from banditproof.kernels import PRESENT, compiled, copy, native
from banditproof.simulation import require_rounds, stream

# A block of several rounds has 8 MB at most, which stay in a cache; to start it is little against playing it.
_NUMBERS, _MOST_ROUNDS = 1 << 20, 4096


def rounds_in_turn(environment: Environment) -> int:
    """Rounds of a block."""
    return max(1, min(_MOST_ROUNDS, _NUMBERS // (environment.arms * (environment.dimension + 1))))


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    arms, dimension = contexts.shape
    rounds, place = int(memory[0]), round - int(memory[1])
    highs, sets = memory[2 : 2 + rounds * arms], memory[2 + rounds * arms :]
    copy(highs[place * arms : (place + 1) * arms], means)
    copy(sets[place * arms * dimension : (place + 1) * arms * dimension], contexts.T.reshape(arms * dimension))
    return round + 1


def _draw(present: Kernel, setup: Floats, memory: Floats, key: Words, first: int, last: int, sets: Floats, means: Floats) -> None:
    """Rounds first .. last - 1: sets (n, d, K), means (n, K)."""
    changes = first
    for round in range(first, last):
        row = round - first
        if round >= changes:
            changes = present(setup, memory, key, round, sets[row].T, means[row])
        else:
            copy(means[row - 1], means[row])
            for column in range(sets.shape[1]):
                copy(sets[row - 1, column], sets[row, column])


present, draw = compiled(_present, PRESENT), compiled(_draw)


@dataclass(frozen=True, eq=False)
class _Shared:
    """Another environment, as far as the current block goes. Its memory, the same array for all plans: B and the first round of the block,
    means (B, K) and sets (B, d, K)."""

    environment: Environment
    rounds: int
    present: Kernel = field(default=present, init=False, repr=False)

    @property
    def arms(self) -> int:
        return self.environment.arms

    @property
    def dimension(self) -> int:
        return self.environment.dimension

    @property
    def reward(self) -> Kernel:
        return self.environment.reward

    def setup(self) -> Floats:
        return self.environment.setup()

    def memory(self) -> Floats:
        return self._block

    @cached_property
    def _block(self) -> Floats:
        return np.concatenate([[self.rounds, 0.0], np.zeros(self.rounds * self.arms * (self.dimension + 1))])

    @cached_property
    def _own_setup(self) -> Floats:
        return self.environment.setup()

    def turn_to(self, key: Words, first: int, last: int) -> None:
        """Draws the sets of rounds first .. last - 1, at most B; key (3,) holds the run."""
        means, sets = np.split(self._block[2:], [self.rounds * self.arms])
        shape = self.rounds, self.dimension, self.arms
        rows = means.reshape(self.rounds, self.arms)
        draw(native(self.environment.present), self._own_setup, np.zeros(0), key, first, last, sets.reshape(shape), rows)
        self._block[1] = first


def play_together(
    pipelines: Sequence[Pipeline],
    *,
    horizon: int,
    key: Words,
    run: int = 0,
    checkpoints: Sequence[int] | None = None,
    states: Sequence[Any] | None = None,
) -> list[Run]:
    """Plays run `run` of each pipeline, nothing recorded but the regret: what `play` returns for each alone, to the last bit.

    `states`: one per policy, fresh; they may share arrays that depend on key and round alone. Raises ValueError unless the pipelines have
    equal environments without a memory, and batches of one round.
    """
    require(len(pipelines) >= 1, "no pipelines: must be at least one")
    environment = pipelines[0].environment
    own: Sequence[Any] = [None] * len(pipelines) if states is None else states
    if len(pipelines) == 1:
        return [deque(stream(pipelines[0], horizon=horizon, key=key, run=run, checkpoints=checkpoints, state=own[0]), maxlen=1)[0]]
    require_rounds(environment, horizon)
    for pipeline in pipelines:
        require(pipeline.environment == environment, "environments differ: must be equal (their sets are drawn once)")
        require(pipeline.shuffler.batch == 1, f"batch = {pipeline.shuffler.batch}: must be 1 (learners take turns after any round)")
        fixed = pipeline.policy.kernels.at_batch_end is None
        require(fixed, "a policy chooses its batches: must have batches of one round (learners take turns after any round)")
    require(environment.memory().size == 0, "the environment has a memory: must have none (its sets answer to one learner's arms)")
    shared = _Shared(environment, rounds_in_turn(environment))
    words = np.array([key[0], key[1], run], dtype=np.uint64)
    streams = [
        stream(
            pipeline.with_environment(shared, pipeline.replacement),
            horizon=horizon,
            key=key,
            run=run,
            checkpoints=checkpoints,
            block=shared.rounds,
            state=state,
        )
        for pipeline, state in zip(pipelines, own, strict=True)
    ]
    runs: list[Run] = []
    for first in range(0, horizon, shared.rounds):
        shared.turn_to(words, first, min(first + shared.rounds, horizon))
        runs = [next(each) for each in streams]
    return runs
