"""UCB1 (Auer, Cesa-Bianchi and Fischer 2002, Figure 1), for rewards in [0, 1]."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.policies.common import report_reward
from banditproof.direct import interact_directly
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled, copy
from banditproof.simulation import Plan, interact


class State(NamedTuple):
    """Pulls and summed rewards of each arm, both (K,); for rounds played directly their means (K,), and the arms without pulls (1,)."""

    pulls: Ints
    sums: Floats
    means: Floats
    untried: Ints


def _radius(pulls: int, played: int) -> float:
    """Width of the index after `played` rounds, in reward units: sqrt(2 ln n / n_j), Figure 1."""
    return math.sqrt(2.0 * math.log(played) / pulls)


radius = compiled(_radius)


def _start(state: State, key: Words) -> None:
    state.pulls[:] = 0
    state.sums[:] = 0.0
    state.untried[0] = state.pulls.shape[0]


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    arms: int = state.pulls.shape[0]
    for arm in range(arms):
        if state.pulls[arm] == 0:  # each arm once; and again in turn until the first messages have arrived, where they come in batches
            return round % arms
    chosen, best = 0, -math.inf
    for arm in range(arms):
        index = state.sums[arm] / state.pulls[arm] + radius(state.pulls[arm], round)
        if index > best:
            chosen, best = arm, index
    return chosen


def _publish(state: State, statistic: Floats) -> None:
    copy(state.sums, statistic)


publish = compiled(_publish, inline=True)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    for position in range(arms.shape[0]):
        arm = arms[position]
        state.pulls[arm] += 1
        state.sums[arm] += batch[position, 0]
    publish(state, statistic)


start, choose, learn = compiled(_start), compiled(_choose), compiled(_learn)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report_reward, learn, state, plan)


def _choose_directly(state: State, key: Words, round: int, contexts: Floats) -> int:
    """The arm of `choose`, by the same operations: one logarithm, and means that are kept."""
    arms = int(state.pulls.shape[0])
    if state.untried[0] > 0:
        return round % arms
    chosen, best, exploration = 0, -math.inf, 2.0 * math.log(round)
    for arm in range(arms):
        index = state.means[arm] + math.sqrt(exploration / state.pulls[arm])
        if index > best:
            chosen, best = arm, index
    return chosen


def _learn_directly(state: State, key: Words, round: int, arm: int, reward: float) -> None:
    """What `learn` does with one message."""
    if state.pulls[arm] == 0:
        state.untried[0] -= 1
    state.pulls[arm] += 1
    state.sums[arm] += reward
    state.means[arm] = state.sums[arm] / state.pulls[arm]


choose_directly, learn_directly = compiled(_choose_directly, inline=True), compiled(_learn_directly, inline=True)


def _direct(state: State, plan: Plan) -> None:
    interact_directly(start, choose_directly, learn_directly, publish, state, plan, 0)


KERNELS = Kernels(start, choose, report_reward, learn, compiled(_run), direct=compiled(_direct))


@dataclass(frozen=True)
class UCB1:
    """The policy UCB1: pulls each arm once, then the arm with the largest mean reward + radius, the one of the lowest index among equals.

    Its released statistic is the sum of the rewards of each arm, shape (K,). Not private.
    """

    theorems: tuple[str, ...] = field(default=("auer_2002.ucb1_regret", "auer_2002.ucb1_pulls"), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    def guarantee(self) -> None:
        return None

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        return State(np.zeros(arms, dtype=np.int64), np.zeros(arms), np.zeros(arms), np.zeros(1, dtype=np.int64))

    def message_width(self, dimension: int) -> int:
        return 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        return arms
