"""One environment for several learners in the same rounds: its decision sets are drawn once for all of them.

A round's sets depend on the key alone, so every learner plays the very run that it would play alone; with cheap learners most of the time
of a run is the sets'. The learners take turns: each plays a block of rounds whose sets stand in one array, which is the memory of the
environment that they see. So an environment with a memory of its own cannot be shared: its sets answer to the arms of one learner.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from banditproof.guarantees import require
from banditproof.interaction import Environment, Floats, Kernel, Pipeline, Run, Words, rounds_of_block, vectors_of_block
from banditproof.kernels import PRESENT, PRESENT_SETS, block_of, bound, compiled, copy, native
from banditproof.lanes import take, zeros
from banditproof.simulation import require_rounds, stream

# A turn has 4 MB of sets at most, which stay in a cache; to start it costs a call from Python, little against playing it.
_NUMBERS, _MOST_ROUNDS = 1 << 19, 2048
_HEAD = 8  # numbers before the sets: rounds of a block, first round, vectors of a block, and where sets stay the round of the next ones


def rounds_in_turn(environment: Environment) -> int:
    """Rounds of a turn: whole blocks of `rounds_of_block`."""
    together = rounds_of_block(environment.dimension, environment.arms)
    return max(1, min(_MOST_ROUNDS, _NUMBERS // (environment.arms * (environment.dimension + 1))) // together) * together


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    arms, dimension = contexts.shape
    features, together, vectors = contexts.T, int(memory[0]), int(memory[2])
    apart = round - int(memory[1])
    start = _HEAD + apart // together * (dimension + 2) * vectors + (0 if memory[3] > 0.0 else apart % together * arms)
    take(memory, start, means, arms)
    for column in range(dimension):
        take(memory, start + (column + 1) * vectors, features[column], arms)
    return round + 1


def _sets(setup: Floats, memory: Floats, key: Words, first: int, sets: Floats, means: Floats, rewards: Floats) -> int:
    dimension, vectors = sets.shape
    start = _HEAD + (first - int(memory[1])) // int(memory[0]) * (dimension + 2) * vectors
    if memory[3] == 0.0:
        return int(-1 - start)
    take(memory, start, means, vectors)
    take(memory, start + (dimension + 1) * vectors, rewards, rewards.shape[0])
    for column in range(dimension):
        take(memory, start + (column + 1) * vectors, sets[column], vectors)
    return int(memory[3])


def _draw(present: Kernel, setup: Floats, key: Words, first: int, last: int, memory: Floats, features: Floats, means: Floats) -> None:
    """Rounds first .. last - 1, one by one, to the memory of `_Shared`; features (d, K) and means (K,) are scratch."""
    (dimension, arms), contexts = features.shape, features.T
    together, vectors, changes = int(memory[0]), int(memory[2]), first
    for round in range(first, last):
        apart = round - first
        start = _HEAD + apart // together * (dimension + 2) * vectors + apart % together * arms
        if round >= changes:
            changes = present(setup, memory[:0], key, round, contexts, means)
        copy(means, memory[start : start + arms])
        for column in range(dimension):
            copy(features[column], memory[start + (column + 1) * vectors : start + (column + 1) * vectors + arms])


def _draw_sets(sets: Kernel, setup: Floats, key: Words, first: int, last: int, memory: Floats, dimension: int) -> None:
    """The same, by the block."""
    together, vectors, start = int(memory[0]), int(memory[2]), _HEAD
    for opened in range(first, last, together):
        means, rewards = memory[start : start + vectors], memory[start + (dimension + 1) * vectors : start + (dimension + 2) * vectors]
        block = memory[start + vectors : start + (dimension + 1) * vectors].reshape((dimension, vectors))
        changes = sets(setup, memory[:0], key, opened, block, means, rewards)
        memory[3] = changes if changes > opened + 1 else 0
        start += (dimension + 2) * vectors


one_by_one, by_the_block = compiled(_present, PRESENT), compiled(_present, PRESENT, block=compiled(_sets, PRESENT_SETS))
draw, draw_sets = compiled(_draw), compiled(_draw_sets)


@dataclass(frozen=True, eq=False)
class _Shared:
    """Another environment, as far as the current turn goes. Its memory, the same array for all plans, holds the sets by the block, as the
    player keeps them: means (n,), sets (d, n), rewards (n,)."""

    environment: Environment
    rounds: int

    @property
    def present(self) -> Kernel:
        return one_by_one if block_of(self.environment.present) is None else by_the_block

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
        together = rounds_of_block(self.dimension, self.arms)
        vectors = vectors_of_block(self.dimension, self.arms)
        block = zeros(_HEAD + self.rounds // together * (self.dimension + 2) * vectors)
        block[:3] = together, 0.0, vectors
        return block

    @cached_property
    def _own_setup(self) -> Floats:
        return self.environment.setup()

    def turn_to(self, key: Words, first: int, last: int) -> None:
        """Draws the sets of rounds first .. last - 1, at most B; key (3,) holds the run."""
        sets = block_of(self.environment.present)
        if sets is not None:
            given = native(sets), self._own_setup, key, first, last, self._block, self.dimension
            bound(draw_sets, *given)(*given)
        else:
            features, means = np.zeros((self.dimension, self.arms)), np.zeros(self.arms)
            draw(native(self.environment.present), self._own_setup, key, first, last, self._block, features, means)
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
