"""What environments and corruptions draw, transcribed from the words of the counter generator, and the runs to compare that with.

Round t has block t of its purpose, of which corruption takes the outliers. A block has four words, of which the upper 53 bits count.
Gaussian rewards have the normals of short blocks, and corruption the coins that say whether there is an outlier.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from banditproof import randomness
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common.short_blocks import normal, short_stream
from banditproof.audits.methods.pointwise import At
from banditproof.interaction import Corruption, Environment, Floats, Ints, NoCorruption, NoShuffling, Pipeline, Run, Wire, Words
from banditproof.kernels import Kernel, block_of
from banditproof.randomness import generator, key_of
from banditproof.simulation import play

RUN, RAISED = 3, Fraction(10**9)
NEARLY = Fraction(1, 10**11)
_WRONG = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def blocks(key: Words, purpose: int, count: int, run: int = RUN) -> Floats:
    """Numbers (count, 4) in [0, 1), multiples of 2^-53: the first blocks of a stream."""
    words = np.asarray(generator(key, purpose, run).bit_generator.random_raw(4 * count))
    return np.asarray((words // np.uint64(2048)).astype(float) / 2.0**53).reshape(count, 4)


def normals(numbers: Floats) -> Floats:
    """Standard normal numbers (n,) of blocks (n, 4), by Box and Muller, whose first number is moved away from 0 by 2^-53."""
    return np.asarray(np.sqrt(-2.0 * np.log(numbers[:, 0] + 2.0**-53)) * np.cos(2.0 * np.pi * numbers[:, 1]))


def of_rewards(key: Words, count: int) -> Floats:
    """Numbers (count, 5) of the first rounds, for their rewards: the four of the round's block, and the round's standard normal."""
    stream = short_stream(np.append(key, np.uint64(RUN)), randomness.REWARDS)
    return np.column_stack([blocks(key, randomness.REWARDS, count), [normal(stream, round) for round in range(count)]])


def distance(found: Any, expected: Any) -> Fraction:
    """The largest distance of numbers from those expected, relative to 1 + their size; 1e9 for another shape, and for a number that is
    finite on one side alone."""
    here, stated = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    if here.shape != stated.shape:
        return RAISED
    other = ~((here == stated) | (np.isnan(here) & np.isnan(stated)))
    here, stated = here[other], stated[other]
    if not (np.isfinite(here).all() and np.isfinite(stated).all()):
        return RAISED
    return Fraction(float((np.abs(here - stated) / (1.0 + np.abs(stated))).max(initial=0.0)))


def near(parameters: Mapping[str, Any], expected: Any, compute: Callable[..., Any], *arguments: Any) -> At:
    """A point: the distance of compute(*arguments) from what is expected, which may be rounding; 1e9 if the call raises."""
    try:
        found = distance(compute(*arguments), expected)
    except _WRONG:
        found = RAISED
    return At(parameters, found, NEARLY)


def in_turn(environment: Environment, horizon: int, key: Words, corruption: Corruption | None = None) -> Run:
    """A compiled run that plays all arms in turn, since no reward arrives before the end; regret after every round."""
    pipeline = Pipeline(UCB1(), environment, corruption=corruption or NoCorruption(), shuffler=NoShuffling(horizon))
    record = (Wire.ARMS, Wire.REWARDS, Wire.REPORT, Wire.RECEIVED)
    return play(pipeline, horizon=horizon, key=key, run=RUN, checkpoints=range(1, horizon + 1), record=record)


class Paying(NamedTuple):
    """An environment, and by definition its means (K,), and the rewards (n,) of arms (n,) in rounds with numbers (n, 5), `of_rewards`."""

    environment: Environment
    means: tuple[float, ...]
    pays: Callable[[Floats, Ints], Floats]


def played(cases: tuple[Paying, ...], horizon: int) -> Callable[[], Iterator[At]]:
    """Rewards and regret of compiled runs."""

    def points() -> Iterator[At]:
        for number, (environment, means, pays) in enumerate(cases):
            key, name = key_of(number, "drawn_rewards"), str(environment)
            run, arms = in_turn(environment, horizon, key), np.arange(horizon) % len(means)
            yield near({"case": name, "of": "arms"}, arms, run.wire, Wire.ARMS)
            yield near({"case": name, "of": "rewards"}, pays(of_rewards(key, horizon), arms), run.wire, Wire.REWARDS)
            lost = np.cumsum(max(means) - np.array(means)[arms])
            yield At({"case": name, "of": "regret"}, distance(run.regret, lost), NEARLY)

    return points


def presented(environment: Environment, words: Words) -> list[float]:
    """The means (K,) of round 0, and behind them 1 where no later round needs others."""
    means = np.full(environment.arms, np.nan)
    contexts = np.zeros((environment.arms, environment.dimension))
    after: int = environment.present(environment.setup(), environment.memory(), words, 0, contexts, means)
    return [*means, float(after >= 2**62)]


def paid(environment: Environment, words: Words, rounds: int) -> list[list[float]]:
    """The rewards (T, K) of all arms."""
    setup, memory, contexts = environment.setup(), environment.memory(), np.zeros((environment.arms, environment.dimension))
    return [[environment.reward(setup, memory, round, words, arm, contexts) for arm in range(environment.arms)] for round in range(rounds)]


def paid_by_the_block(environment: Environment, block: Kernel, words: Words, rounds: int) -> list[list[float]]:
    """The same from the kernel that draws an arm's rewards of several rounds at once: of the first third of them, and of the rest."""
    setup, memory = environment.setup(), environment.memory()
    found = np.full((environment.arms, rounds), np.nan)
    for arm in range(environment.arms):
        for stretch in (slice(0, rounds // 3), slice(rounds // 3, rounds)):
            block(setup, memory, stretch.start, words, arm, found[arm, stretch])
    return [list(row) for row in found.T]


def called(cases: tuple[Paying, ...], rounds: int) -> Callable[[], Iterator[At]]:
    """Means, what says that they never change, and rewards of every arm in some rounds, one by one and by the block, from the kernels in
    plain Python."""

    def points() -> Iterator[At]:
        for number, (environment, means, pays) in enumerate(cases):
            key, name = key_of(number, "drawn_rewards", "called"), str(environment)
            words, drawn = np.append(key, np.uint64(RUN)), of_rewards(key, rounds)
            yield near({"case": name, "of": "means"}, [*means, 1.0], presented, environment, words)
            table = np.array([pays(drawn, np.full(rounds, arm)) for arm in range(len(means))]).T
            yield near({"case": name, "of": "rewards"}, table, paid, environment, words, rounds)
            if (block := block_of(environment.reward)) is not None:
                yield near({"case": name, "of": "rewards by the block"}, table, paid_by_the_block, environment, block, words, rounds)

    return points
