"""Several learners against one environment, in the same rounds: its decision sets are drawn once for all of them.

A round's sets hang on the key alone, so every learner plays the very run that it would play alone; with cheap learners most of the time
of a run is the sets'. The learners take turns: each plays a block of rounds whose sets stand in one array.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from banditproof.guarantees import require
from banditproof.interaction import Environment, Floats, Kernel, Pipeline, Run, Words
from banditproof.kernels import PRESENT, compiled, native
from banditproof.play import BLOCK, copy, play, stream

_NUMBERS, _MOST_ROUNDS = 1 << 20, 4096  # of a block: 8 MB at most, which stay in a cache, and starting one is little against playing it


def rounds_together(environment: Environment) -> int:
    """Rounds of a block."""
    return max(1, min(_MOST_ROUNDS, _NUMBERS // (environment.arms * (environment.width + 1))))


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    arms, width = contexts.shape
    size = setup.shape[0]
    rounds, place = int(setup[size - 2]), round - int(setup[size - 1])
    sets, highs = setup[size - 2 - rounds * arms * (width + 1) :], setup[size - 2 - rounds * arms :]
    copy(highs[place * arms : (place + 1) * arms], means)
    copy(sets[place * arms * width : (place + 1) * arms * width], contexts.reshape(arms * width))
    return round + 1


def _draw(present: Kernel, setup: Floats, memory: Floats, key: Words, first: int, last: int, sets: Floats, means: Floats) -> None:
    """Rounds first .. last - 1: sets (n, K, d), means (n, K)."""
    changes = first
    for round in range(first, last):
        row = round - first
        if round >= changes:
            changes = present(setup, memory, key, round, sets[row], means[row])
        else:
            copy(means[row - 1], means[row])
            for arm in range(means.shape[1]):
                copy(sets[row - 1, arm], sets[row, arm])


present, draw = compiled(_present, PRESENT), compiled(_draw)


@dataclass(frozen=True, eq=False)
class _Shared:
    """The sets of a block of rounds, in one array for all plans: that environment's setup, for its rewards; then sets (B, K, d) and means
    (B, K); B and the first round."""

    environment: Environment
    rounds: int
    present: Kernel = field(default=present, init=False, repr=False)

    @property
    def arms(self) -> int:
        return self.environment.arms

    @property
    def width(self) -> int:
        return self.environment.width

    @property
    def reward(self) -> Kernel:
        return self.environment.reward

    @cached_property
    def _numbers(self) -> Floats:
        return np.concatenate([self.environment.setup(), np.zeros(self.rounds * self.arms * (self.width + 1)), [self.rounds, 0.0]])

    @cached_property
    def _own(self) -> Floats:
        return self.environment.setup()

    def setup(self) -> Floats:
        return self._numbers

    def memory(self) -> Floats:
        return np.zeros(0)

    def turn_to(self, key: Words, first: int, last: int) -> None:
        """Draws the sets of rounds first .. last - 1, at most B; key (3,) holds the run."""
        kept, means = self.rounds * self.arms * (self.width + 1), self.rounds * self.arms
        numbers = self._numbers[-2 - kept : -2]
        sets, highs = numbers[:-means].reshape(self.rounds, self.arms, self.width), numbers[-means:].reshape(self.rounds, self.arms)
        draw(native(self.environment.present), self._own, np.zeros(0), key, first, last, sets, highs)
        self._numbers[-1] = first


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

    `states`: one a policy, fresh; they may share arrays that hang on key and round alone. Raises ValueError unless the pipelines have equal
    environments, without a memory (one that answers to the arms has other sets for each learner), and batches of one message.
    """
    require(len(pipelines) >= 1, "no pipelines: must be at least one")
    environment = pipelines[0].environment
    own: Sequence[Any] = [None] * len(pipelines) if states is None else states
    if len(pipelines) == 1:
        return [play(pipelines[0], horizon=horizon, key=key, run=run, record=(), checkpoints=checkpoints, block=BLOCK, state=own[0])]
    for pipeline in pipelines:
        require(pipeline.environment == environment, "environments differ: must be equal (their sets are drawn once)")
        require(pipeline.shuffler.batch == 1, f"batch = {pipeline.shuffler.batch}: must be 1 (learners take turns after any round)")
    require(environment.memory().size == 0, "the environment has a memory: must have none (its sets answer to one learner's arms)")
    shared = _Shared(environment, rounds_together(environment))
    words = np.array([key[0], key[1], run], dtype=np.uint64)
    streams = [
        stream(
            pipeline.on(shared, pipeline.replacement),
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
