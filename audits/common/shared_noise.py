"""A policy that releases every arm's sum with one and the same draw of noise per round, and decides by the true sums or plays in turn.

It is the mutant of several statements.
"""

import math
from typing import NamedTuple

import numpy as np

from banditproof import randomness
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.common import report_reward
from banditproof.audits.mutations import MutatedKernels
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats, Ints, Kernels, Pipeline, Words
from banditproof.kernels import compiled
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import laplace
from banditproof.simulation import Plan, interact


class State(NamedTuple):
    """Pulls (K,), true sums (K,), released sums (K,), and the scale of the noise (1,)."""

    pulls: Ints
    sums: Floats
    released: Floats
    scale: Floats


def _start(state: State, key: Words) -> None:
    state.pulls[:] = 0
    state.sums[:] = 0.0
    state.released[:] = 0.0


def _choose_by_truth(state: State, key: Words, round: int, contexts: Floats) -> int:
    """The arm with the best true mean so far: the noise is added to the sums after the decision."""
    arms = state.pulls.shape[0]
    if round < arms:
        return round
    chosen, best = 0, -math.inf
    for arm in range(arms):
        mean = state.sums[arm] / state.pulls[arm]
        if mean > best:
            chosen, best = arm, mean
    return chosen


def _in_turn(state: State, key: Words, round: int, contexts: Floats) -> int:
    return round % int(state.pulls.shape[0])


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    """Releases every arm's sum with one and the same draw of the round."""
    shared = state.scale[0] * laplace(key, randomness.NOISE, round)
    for position in range(arms.shape[0]):
        state.pulls[arms[position]] += 1
        state.sums[arms[position]] += batch[position, 0]
    for arm in range(state.pulls.shape[0]):
        state.released[arm] = state.sums[arm] + shared
        statistic[arm] = state.released[arm]


start, choose_by_truth, in_turn, learn = (compiled(kernel) for kernel in (_start, _choose_by_truth, _in_turn, _learn))


def _run_by_truth(state: State, plan: Plan) -> None:
    interact(start, choose_by_truth, report_reward, learn, state, plan)


def _run_in_turn(state: State, plan: Plan) -> None:
    interact(start, in_turn, report_reward, learn, state, plan)


BY_TRUTH = Kernels(start, choose_by_truth, report_reward, learn, compiled(_run_by_truth))
IN_TURN = Kernels(start, in_turn, report_reward, learn, compiled(_run_in_turn))


def four_rounds(kernels: Kernels, view: View) -> PolicyMechanism:
    """Four rounds of the policy, which believes its released sums to be private in the given view."""
    low, high = ((0.0, 0.5),) * 4, ((1.0, 0.5), *((0.0, 0.5),) * 3)
    claim = PureDP(1.0, NeighbouringRelation.REPLACE_REWARD, view)
    policy = MutatedKernels(kernels, _initial, claim, releases_sums=True)
    return PolicyMechanism(Pipeline(policy, Bernoulli((0.5, 0.5))), claim, 0, 4, worst=((low, high),))


def _initial(arms: int) -> State:
    return State(np.zeros(arms, dtype=np.int64), np.zeros(arms), np.zeros(arms), np.full(1, 4.0))
