"""Plain transcriptions of what environments and corruptions draw, from the words of the counter generator, and the runs to compare them with.

Round t has block t of its purpose; corruption has the blocks 2 t and 2 t + 1. A block has four words, of which the upper 53 bits count.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from banditproof import randomness
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.methods.pointwise import At
from banditproof.interaction import Corruption, Environment, Floats, Ints, NoCorruption, NoShuffling, Pipeline, Run, Wire, Words
from banditproof.randomness import generator, key_of
from banditproof.simulation import play

RUN, RAISED = 3, Fraction(10**9)
NEARLY = Fraction(1, 10**11)
_WRONG = (ArithmeticError, LookupError, TypeError, ValueError)


def blocks(key: Words, purpose: int, count: int, run: int = RUN) -> Floats:
    """Numbers (count, 4) in [0, 1), multiples of 2^-53: the first blocks of a stream."""
    words = np.asarray(generator(key, purpose, run).bit_generator.random_raw(4 * count))
    return np.asarray((words // np.uint64(2048)).astype(float) / 2.0**53).reshape(count, 4)


def normals(numbers: Floats) -> Floats:
    """Standard normal numbers (n,) of blocks (n, 4), by Box and Muller, whose first number is moved away from 0 by 2^-53."""
    return np.asarray(np.sqrt(-2.0 * np.log(numbers[:, 0] + 2.0**-53)) * np.cos(2.0 * np.pi * numbers[:, 1]))


def apart(compute: Callable[[], Any], expected: Any) -> Fraction:
    """The largest distance of what is computed from what is expected, relative to 1 + its size; 1e9 for another shape, for a number that
    is finite on one side alone, and for code that raises here, where it must not."""
    try:
        found, stated = np.asarray(compute(), dtype=float), np.asarray(expected, dtype=float)
    except _WRONG:
        return RAISED
    if found.shape != stated.shape:
        return RAISED
    other = ~((found == stated) | (np.isnan(found) & np.isnan(stated)))
    found, stated = found[other], stated[other]
    if not (np.isfinite(found).all() and np.isfinite(stated).all()):
        return RAISED
    return Fraction(float((np.abs(found - stated) / (1.0 + np.abs(stated))).max(initial=0.0)))


def in_turn(environment: Environment, horizon: int, key: Words, corruption: Corruption | None = None) -> Run:
    """A compiled run that plays all arms in turn, since no reward arrives before the end; regret after every round."""
    pipeline = Pipeline(UCB1(), environment, corruption=corruption or NoCorruption(), shuffler=NoShuffling(horizon))
    record = (Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.RECEIVED)
    return play(pipeline, horizon=horizon, key=key, run=RUN, checkpoints=range(1, horizon + 1), record=record)


class Paying(NamedTuple):
    """An environment, and by definition its means (K,), and the rewards (n,) of arms (n,) in rounds with the blocks (n, 4)."""

    environment: Environment
    means: tuple[float, ...]
    pays: Callable[[Floats, Ints], Floats]


def played(cases: tuple[Paying, ...], horizon: int) -> Callable[[], Iterator[At]]:
    """Rewards and regret of compiled runs."""

    def points() -> Iterator[At]:
        for number, (environment, means, pays) in enumerate(cases):
            key = key_of(number, "drawn_rewards")
            run, arms = in_turn(environment, horizon, key), np.arange(horizon) % len(means)
            rewards = pays(blocks(key, randomness.REWARDS, horizon), arms)
            lost = np.cumsum(max(means) - np.array(means)[arms])
            found = {"arms": (run.wire(Wire.ARMS), arms), "rewards": (run.wire(Wire.REWARDS), rewards), "regret": (run.regret, lost)}
            for name, (here, expected) in found.items():
                yield At({"case": str(environment), "of": name}, apart(lambda here=here: here, expected), NEARLY)  # type: ignore[misc]

    return points


def called(cases: tuple[Paying, ...], rounds: int) -> Callable[[], Iterator[At]]:
    """Means, what says that they never change, and rewards of every arm in some rounds, from the kernels in plain Python."""

    def points() -> Iterator[At]:
        for number, (environment, means, pays) in enumerate(cases):
            key, arms = key_of(number, "drawn_rewards", "called"), len(means)
            words = np.append(key, np.uint64(RUN))
            contexts, shown = np.zeros((arms, 0)), np.full(arms, np.nan)

            def told(
                environment: Environment = environment, words: Words = words, contexts: Floats = contexts, shown: Floats = shown
            ) -> float:
                after: int = environment.present(environment.setup(), environment.memory(), words, 0, contexts, shown)
                return float(after >= 2**62)

            def paid(
                environment: Environment = environment, words: Words = words, contexts: Floats = contexts, arms: int = arms
            ) -> list[list[float]]:
                setup, memory = environment.setup(), environment.memory()
                pay = environment.reward
                return [[pay(setup, memory, round, words, arm, contexts) for arm in range(arms)] for round in range(rounds)]

            name = str(environment)
            yield At({"case": name, "of": "the next round to present"}, apart(told, 1.0), NEARLY)
            yield At({"case": name, "of": "means"}, apart(lambda shown=shown: shown, means), NEARLY)  # type: ignore[misc]
            drawn = blocks(key, randomness.REWARDS, rounds)
            table = np.array([pays(drawn, np.full(rounds, arm)) for arm in range(arms)]).T
            yield At({"case": name, "of": "rewards"}, apart(paid, table), NEARLY)

    return points
