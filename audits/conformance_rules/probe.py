"""A policy for the checks of the other parts: it pulls the arms in turn, sends the reward, and accepts reports of any shape."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled
from banditproof.simulation import Plan, interact


class State(NamedTuple):
    """Sum of all that was received, (1,): it makes what arrives part of the statistic."""

    total: Floats


def _start(state: State, key: Words) -> None:
    state.total[0] = 0.0


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    arms: int = contexts.shape[0]
    return round % arms


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    for column in range(message.shape[0]):
        message[column] = reward


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    for position in range(batch.shape[0]):
        for column in range(batch.shape[1]):
            state.total[0] += batch[position, column]
    statistic[0] = state.total[0]


def _accepts(raw: int, messages: int, width: int) -> bool:
    return True


start, choose, report, learn = compiled(_start), compiled(_choose), compiled(_report), compiled(_learn)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run), accepts=_accepts)


@dataclass(frozen=True)
class Probe:
    """Pulls arm t mod K in round t; each of the `message` numbers of its message is the reward. It releases the sum of all it received."""

    message: int = 1
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    def guarantee(self) -> None:
        return None

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        return State(np.zeros(1))

    def message_width(self, dimension: int) -> int:
        return self.message

    def statistic_width(self, arms: int, dimension: int) -> int:
        return 1
