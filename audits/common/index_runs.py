"""Whole runs of policies that play the arm of the largest index, replayed round by round in plain Python from the messages that their
server got: every arm, and every release. Papers say what the index is, and what is released.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.audits.common.beside import compared
from banditproof.audits.common.step_by_step import Stepwise
from banditproof.audits.methods.pointwise import At
from banditproof.interaction import Floats, NoRandomiser, NoShuffling, Pipeline, Policy, Table, Wire, Words
from banditproof.randomness import generator, key_of
from banditproof.simulation import play, play_many

_KEY = key_of(0, "index_runs")


class Run(NamedTuple):
    """Rewards (T, K), the users of a batch, and how it is played."""

    name: str
    rewards: Floats
    batch: int = 1
    compiled: bool = False  # else step by step in plain Python


def runs(arms: Sequence[int] = (2, 3, 7), horizon: int = 150, beyond: bool = True) -> Iterator[Run]:
    """Few values with many ties, normal ones, and with `beyond` some far outside [0, 1]; one message and five at a time."""
    for number, count in enumerate(arms):
        rng = generator(_KEY, run=number)
        ties, normal = rng.integers(0, 3, (horizon, count)) / 2.0, rng.normal(0.1 * np.arange(count), 0.4, (horizon, count))
        if beyond:
            normal[::9], normal[4::9] = 1e3, -1e3
        yield Run(f"ties of {count} arms", np.asarray(ties))
        yield Run(f"normal rewards of {count} arms", np.asarray(normal))
        yield Run(f"batches, {count} arms", np.asarray(normal[: horizon - 18]), batch=5)


class Heard(NamedTuple):
    """What the server has: of each arm all rewards in the order in which they came; how many arms, rounds in all, and the run's key."""

    rewards: tuple[list[float], ...]
    horizon: int
    key: Words


Release = Callable[[Heard, int], float]  # of an arm
Index = Callable[[Heard, Sequence[float], int, int], float]  # what is heard, the release, the arm, the rounds so far


def replayed(policy: Policy, found: Run, release: Release, index: Index) -> Iterator[At]:
    """Arms and releases of a run. An arm without rewards is played in turn; of equal indices the lowest arm's."""
    horizon = len(found.rewards)
    shuffler = UniformShuffler(found.batch) if found.batch > 1 else NoShuffling()
    stepwise = not found.compiled
    shown: Any = Stepwise(policy) if stepwise else policy
    pipeline = Pipeline(shown, Table(found.rewards), NoRandomiser(), shuffler=shuffler)
    record = (Wire.ARMS, Wire.STATISTIC, Wire.BATCH)
    run = play_many(pipeline, horizon=horizon, key=_KEY, runs=2, record=record, stepwise=stepwise)
    for place in range(2):  # of one state, so that nothing is left of the first
        wires = [np.asarray(run.wire(wire)[place]) for wire in record]
        yield from _beside(found, np.append(_KEY, np.uint64(place)), wires, release, index)
    if found.compiled and found.batch == 1:  # the shorter loop, where there is one (`Kernels.direct`)
        direct = play_many(pipeline, horizon=horizon, key=_KEY, runs=2, record=record[:2])
        pairs = {wire.value: (direct.wire(wire), run.wire(wire)) for wire in record[:2]}
        yield from compared({"run": found.name, "loop": "direct"}, **pairs)


def _beside(found: Run, key: Words, wires: list[Floats], release: Release, index: Index) -> Iterator[At]:
    """What was recorded of a run, beside the same computed again."""
    (horizon, arms), (pulled, statistic, batch) = found.rewards.shape, wires
    heard = Heard(tuple([] for _ in range(arms)), horizon, key)
    released = [release(heard, arm) for arm in range(arms)]
    wrong, off = [], []
    for round in range(horizon):
        if min(len(each) for each in heard.rewards) == 0:
            right = [round % arms]
        else:
            indices = [index(heard, released, arm, round) for arm in range(arms)]
            best = max(indices)
            near = [arm for arm in range(arms) if indices[arm] >= best - 1e-12 * (1.0 + abs(best))]
            right = [indices.index(best)] if indices.count(best) == len(near) else near
        if int(pulled[round]) not in right:
            wrong.append(round)
        ends = (round + 1) % found.batch == 0 or round + 1 == horizon
        if ends:
            for arm, value in batch[round - round % found.batch : round + 1]:
                heard.rewards[int(arm)].append(float(value))
                released[int(arm)] = release(heard, int(arm))
        off.append((statistic[round], list(released) if ends else np.full(arms, math.nan)))
    yield from compared({"run": found.name}, wrong_arms=(len(wrong), 0))
    yield from compared({"run": found.name}, releases=(np.array([each for each, _ in off]), np.array([each for _, each in off])))


def as_compiled(found: Iterator[Run]) -> Iterator[Run]:
    """The first two of some runs, compiled."""
    for run in islice(found, 2):
        yield run._replace(compiled=True)


def refuses_nan(policy: Policy) -> Iterator[At]:
    """That a run with a NaN reward raises ValueError."""
    rewards = np.full((8, 2), 0.5)
    rewards[5] = math.nan
    raised: dict[str, Any] = {"rewards": "NaN"}
    shown: Any = Stepwise(policy)
    try:
        play(Pipeline(shown, Table(rewards, np.zeros((8, 2))), NoRandomiser()), horizon=8, key=_KEY, stepwise=True)
    except ValueError:
        yield At(raised, 0, 0)
    else:
        yield At(raised, 1, 0)
