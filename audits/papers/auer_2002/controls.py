"""Controls of auer_2002: UCB1 with another radius, against the bounds of the real one."""

import math
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.common import report_reward
from banditproof.audits.methods.regret import Regret
from banditproof.audits.methods.stated import Stated
from banditproof.audits.mutations import MutatedKernels, control
from banditproof.interaction import Floats, Ints, Kernels, Pipeline, Words
from banditproof.kernels import compiled
from banditproof.simulation import Plan, interact
from banditproof.theory.papers.auer_2002 import UCB1_PULLS, UCB1_REGRET, arm_sums


class State(NamedTuple):
    """Times the radius (1,); pulls and summed rewards of each arm (K,)."""

    setup: Floats
    pulls: Ints
    sums: Floats


def _start(state: State, key: Words) -> None:
    state.pulls[:] = 0
    state.sums[:] = 0.0


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    arms = state.pulls.shape[0]
    if round < arms:
        return round
    chosen, best = 0, -math.inf
    for arm in range(arms):
        index = state.sums[arm] / state.pulls[arm] + state.setup[0] * math.sqrt(2.0 * math.log(round) / state.pulls[arm])
        if index > best:
            chosen, best = arm, index
    return chosen


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    for position in range(arms.shape[0]):
        state.pulls[arms[position]] += 1
        state.sums[arms[position]] += batch[position, 0]


start, choose, learn = compiled(_start), compiled(_choose), compiled(_learn)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report_reward, learn, state, plan)


KERNELS = Kernels(start, choose, report_reward, learn, compiled(_run))


def with_radius(times: float) -> MutatedKernels:
    """UCB1 with `times` its radius."""
    return MutatedKernels(KERNELS, lambda arms: State(np.array([times]), np.zeros(arms, dtype=np.int64), np.zeros(arms)))


_MEANS, _GAP = (0.6, 0.4), "0.2"


_REGRET, _PULLS = Stated(UCB1_REGRET, arm_sums(("0", _GAP))), Stated(UCB1_PULLS, {"gap": _GAP})


def _broken(times: float, horizon: int, bound: Stated, arm: int | None = None) -> Regret:
    pipeline = Pipeline(with_radius(times), Bernoulli(_MEANS))
    return Regret(pipeline, horizon, bound, largest_gap=float(_GAP), must_detect_ratio=1.25, runs=200, arm=arm)


NEVER_EXPLORES = control("never_explores", "UCB1 with the radius dropped", UCB1_REGRET.id, _broken(0.0, 200_000, _REGRET))
LOWER_FOR_UPPER = control(
    "lower_for_upper", "the lower end of the interval for the upper one", UCB1_REGRET.id, _broken(-1.0, 50_000, _REGRET)
)
EXPLORES_TOO_MUCH = control("explores_too_much", "five times UCB1's radius", UCB1_PULLS.id, _broken(5.0, 50_000, _PULLS, arm=1))
