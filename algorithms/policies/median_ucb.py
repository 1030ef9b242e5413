"""RUCB: upper confidence bounds around running medians, for contaminated rewards (Kapoor, Patel and Kar 2019). It is not private.

Each arm once, in order; then the arm with the largest

    med_a + sqrt(rho log t / N_a) + sqrt(rho) eta

where t counts the pulls so far, N_a those of the arm, med_a is the median of all its rewards (the upper of the two middle ones where their
number is even), rho = `variance` and eta = `contamination`. The last term is common to all arms and moves no choice. Source: the authors'
public code (class rUCB1 of purushottamkar/rUCB), read and not copied.

A running median lies between two heaps in one row per arm: the lower half's largest value first, from the row's left end, and the upper
half's smallest first, from its right end. A reward costs O(log N_a). The rows are K times horizon numbers, of which a run touches as
many as it has pulls. A NaN reward raises ValueError.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from banditproof import glossary
from banditproof.algorithms.policies.common import report_reward
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled, copy
from banditproof.simulation import Plan, interact
from banditproof.typical import Values


class Settings(NamedTuple):
    """rho and eta."""

    variance: float
    contamination: float


class State(NamedTuple):
    """Parameters, pulls of each arm (K,), its median (K,), and its heaps (K, T)."""

    settings: Settings
    pulls: Ints
    medians: Floats
    heaps: Floats


def _bonus(variance: float, contamination: float, pulls: int, played: int) -> float:
    """What the index adds to the median after `played` rounds: sqrt(rho log t / N_a) + sqrt(rho) eta, in reward units."""
    return math.sqrt(variance * math.log(played) / pulls) + math.sqrt(variance) * contamination


bonus = compiled(_bonus)


def _rise(heap: Floats, place: int, end: int, sign: float) -> None:
    """Moves the last value of a heap up; its smallest `sign` times value is first. Heaps count from the row's left or right `end`."""
    step = 1 if end == 0 else -1
    value = heap[end + step * place]
    while place > 0:
        above = (place - 1) // 2
        if not sign * value < sign * heap[end + step * above]:
            break
        heap[end + step * place] = heap[end + step * above]
        place = above
    heap[end + step * place] = value


def _sink(heap: Floats, size: int, end: int, sign: float) -> None:
    """Moves the first value of a heap of `size` values down."""
    step, place = 1 if end == 0 else -1, 0
    value = heap[end]
    while 2 * place + 1 < size:
        below = 2 * place + 1
        if below + 1 < size and sign * heap[end + step * (below + 1)] < sign * heap[end + step * below]:
            below += 1
        if not sign * heap[end + step * below] < sign * value:
            break
        heap[end + step * place] = heap[end + step * below]
        place = below
    heap[end + step * place] = value


rise, sink = compiled(_rise), compiled(_sink)


def _insert(heap: Floats, count: int, value: float) -> float:
    """Puts a value beside the `count` values of a row; returns their median. The lower half has (count + 1) // 2 values then."""
    lower, right = count // 2, heap.shape[0] - 1
    upper = count - lower
    if upper == 0:
        heap[right] = value
        return value
    first = heap[right]  # the smallest of the upper half
    if (count + 1) // 2 > lower:  # the lower half grows
        if value >= first:
            heap[right] = value
            sink(heap, upper, right, 1.0)
            value = first
        heap[lower] = value
        rise(heap, lower, 0, -1.0)
        return float(heap[right])
    if lower > 0 and value < heap[0]:  # the upper half grows, by the largest of the lower one
        value, heap[0] = heap[0], value
        sink(heap, lower, 0, -1.0)
    heap[right - upper] = value
    rise(heap, upper, right, 1.0)
    return float(heap[right])


insert = compiled(_insert)


def _start(state: State, key: Words) -> None:
    state.pulls[:] = 0
    state.medians[:] = 0.0


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    arms: int = state.pulls.shape[0]
    for arm in range(arms):
        if state.pulls[arm] == 0:  # each arm once; and again in turn until the first messages have arrived, where they come in batches
            return round % arms
    chosen, best = 0, -math.inf
    for arm in range(arms):
        index = state.medians[arm] + bonus(state.settings.variance, state.settings.contamination, state.pulls[arm], round)
        if index > best:
            chosen, best = arm, index
    return chosen


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    for position in range(arms.shape[0]):
        arm, reward = arms[position], batch[position, 0]
        if reward != reward:
            raise ValueError("a reward is NaN: must be a number")
        state.medians[arm] = insert(state.heaps[arm], state.pulls[arm], reward)
        state.pulls[arm] += 1
    copy(state.medians, statistic)


start, choose, learn = compiled(_start), compiled(_choose), compiled(_learn)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report_reward, learn, state, plan)


KERNELS = Kernels(start, choose, report_reward, learn, compiled(_run))


@dataclass(frozen=True)
class MedianUCB:
    """RUCB; the lowest of equal arms. The statistic is the medians (K,), 0 before an arm's first reward. It promises nothing: the paper's
    regret is not stated in the theory room. Raises ValueError unless variance > 0 and 0 <= contamination < 1/2."""

    variance: float
    contamination: float = 0.0
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)
    kernels: Kernels = field(default=KERNELS, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"contamination": (0.0, glossary.CONTAMINATION)}

    def __post_init__(self) -> None:
        glossary.VARIANCE.require(self.variance)
        glossary.TRUE_CONTAMINATION.require(self.contamination)

    def guarantee(self) -> None:
        return None

    def state(self, arms: int, dimension: int, horizon: int) -> State:
        settings = Settings(float(self.variance), float(self.contamination))
        return State(settings, np.zeros(arms, dtype=np.int64), np.zeros(arms), np.zeros((arms, horizon)))

    def message_width(self, dimension: int) -> int:
        return 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        return arms
