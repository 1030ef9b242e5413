"""Kernels of robust arm elimination: they play the blocks of a batch, and take the owners' means. What a batch is, `policy` says.

A batch is a list of blocks, an arm and its plays each. In the first model every user sends his reward. In the second the arm's owner adds
up the rewards of his block, clipped to [-1, 1] if the state says so, and sends (mean, n) in its last round; else (NaN, 0): nothing.
"""

import math
from typing import NamedTuple

from banditproof.algorithms.mechanisms.client_reports import clipped
from banditproof.interaction import Floats, Ints, Words
from banditproof.kernels import compiled
from banditproof.simulation import Plan, interact

# Places in `State.numbers`; those from HORIZON on never change.
BLOCKS, FIRST, PLACE, INDEX, EXPLOITS, SPAN, HORIZON, CLIPS = range(8)
MEAN_AND_PLAYS = 2  # numbers in a raw message of the second model


class State(NamedTuple):
    """What a run knows: K arms, d features (d = K, the unit vectors, in an environment without contexts)."""

    vectors: Floats  # (K, d)
    active: Ints  # (K,): 1 or 0
    order: Ints  # (K,): the arms of the blocks of this batch
    ends: Ints  # (K,): rounds of the batch up to the end of each block
    numbers: Ints  # (8,)
    total: Floats  # (1,): the owner's sum so far
    released: Floats  # the last statistic


def _start(state: State, key: Words) -> None:
    state.active[:] = 1
    state.order[:] = 0
    state.ends[:] = 0
    state.numbers[:HORIZON] = 0
    state.total[0] = 0.0
    state.released[:] = 0.0


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    numbers = state.numbers
    while numbers[PLACE] < numbers[BLOCKS] - 1 and round - numbers[FIRST] >= state.ends[numbers[PLACE]]:
        numbers[PLACE] += 1
    return int(state.order[numbers[PLACE]])


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    numbers = state.numbers
    if message.shape[0] != MEAN_AND_PLAYS:
        message[0] = reward
        return
    message[0], message[1] = math.nan, 0.0
    if numbers[EXPLOITS] > 0:
        return
    place = numbers[PLACE]
    state.total[0] += clipped(reward) if numbers[CLIPS] > 0 else reward
    if round - numbers[FIRST] + 1 == state.ends[place]:
        plays = state.ends[place] - (state.ends[place - 1] if place > 0 else 0)
        message[0], message[1] = state.total[0] / plays, plays
        state.total[0] = 0.0


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    statistic[:] = 0.0  # what is learned, is learned at the batch's end in plain Python


start, choose = compiled(_start), compiled(_choose)
report, learn = compiled(_report), compiled(_learn)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


run = compiled(_run)
