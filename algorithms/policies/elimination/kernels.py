"""What private eliminations in batches share: kernels that play any schedule of epochs, and the state that holds one.

In an epoch each active arm is played for a batch of pulls in turn; at the end of its batch a private mean of these rewards alone is
released; after the last arm's batch every arm whose release lies more than 2 radius below the largest one is eliminated. Before, a
schedule may force exploration: one batch an epoch, nothing is eliminated.

    mean, no bins     1/n sum of x_i 1{|x_i| <= M} over the whole batch, plus Laplace noise
    mean, with bins   the batch's first half fills a histogram whose noisy frequencies name a bin, with left end J; then
                      J + 1/n sum of (x_i - J) 1{|x_i - J| <= M} over its second half, plus Laplace noise

A policy fills the tables of an `empty_state`; rows are epochs, columns numbers of active arms. Every table's value is public.

Privacy. A round's reward enters one histogram or one mean at most, which one follows from earlier releases, and everything else is
computed from releases (post-processing). Noise is drawn once an epoch and arm (and bin), and what was released is kept and reused.

Readings. The run stops in the round of the horizon: a batch that ends with it releases nothing. One arm left is played on, without
releases. Where messages come in a shuffler's batches, all of one are of the arm whose turn it is; those beyond a full batch are dropped,
so there is at most one release each time. A NaN reward raises ValueError.
"""

import math
from enum import Enum
from typing import NamedTuple

import numpy as np

from banditproof import randomness
from banditproof.guarantees import View
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled
from banditproof.play import Plan, interact
from banditproof.randomness import laplace, uniform

EPOCHS = 64  # no run that forces exploration or has bins reaches epoch 64: counters of CHOICES below it belong to epochs


class Exploration(Enum):
    """How forced exploration chooses its arm (Wu et al. 2023, Algorithm 1 and Remark 5.1).

    Under GREEDY and PROBABILISTIC a forced batch is released as others are, and the next one is of an arm that has no release yet, in the
    order of the arms, or else of the arm with the largest last release; under PROBABILISTIC it is of an arm drawn uniformly with
    probability `mixing`. The remark leaves this open.
    """

    BATCH = "batch"  # one uniform arm a batch: Algorithm 1
    ROUND = "round"  # one a round
    GREEDY = "greedy"
    PROBABILISTIC = "probabilistic"


class ArmOrder(Enum):
    """The order of the arms inside an epoch."""

    FIXED = "fixed"
    PERMUTED = "permuted"


def noise_index(epoch: int, arm: int, arms: int) -> int:
    """Where the stream NOISE holds the noise of an arm's mean in an epoch."""
    return epoch * arms + arm


def bin_noise_index(epoch: int, arm: int, arms: int, *, bins: int, place: int) -> int:
    """Where the stream NOISE holds the noise of the frequency of a bin, in an arm's histogram in an epoch."""
    return EPOCHS * arms + noise_index(epoch, arm, arms) * bins + place


class State(NamedTuple):
    """Schedule and progress of a run. `active` counts arms, `turn` is the place in `order` of the arm that is played."""

    options: Ints  # (4,): horizon, exploration, permuted order, number of bins
    settings: Floats  # (3,): the first bin's left end, the bins' width, share of forced batches that mix
    forced: Floats  # (E + 1, K + 1): 1 where exploration is forced; this one and the next five by epoch and number of active arms
    pulls: Ints  # (E + 1, K + 1): of a batch
    truncations: Floats  # (E + 1, K + 1)
    twice_radii: Floats  # (E + 1, K + 1)
    scales: Floats  # (E + 1, K + 1): of the mean's noise
    bin_scales: Floats  # (E + 1, K + 1): of a frequency's noise
    progress: Ints  # (7,): arm, pulls left in its batch, those of them in the mean, epoch, turn, active arms, what pulls are for
    sums: Floats  # (6,): truncated sum of the batch, its truncation and centre; arm, noisy mean and bin of the last release
    order: Ints  # (K,): the active arms first
    released: Floats  # (K,): each arm's last release
    tried: Ints  # (K,): 1 where there is one
    counts: Ints  # (N,): the batch's histogram


_HORIZON, _EXPLORATION, _PERMUTED, _BINS = range(4)
_LOW, _WIDTH, _MIXING = range(3)
_ARM, _LEFT, _MEAN, _EPOCH, _TURN, _ACTIVE, _PURPOSE = range(7)
_TOTAL, _TRUNCATION, _CENTRE, _LAST_ARM, _LAST_MEAN, _LAST_BIN = range(6)
_NOTHING, _ELIMINATION, _GUIDANCE = range(3)
_BATCH, _ROUND, _GREEDY, _PROBABILISTIC = range(4)  # Exploration, in its order


def _greediest(state: State, key: Words, epoch: int) -> int:
    """The arm of a forced batch that releases guide."""
    arms: int = state.order.shape[0]
    if state.options[_EXPLORATION] == _PROBABILISTIC and uniform(key, randomness.CHOICES, EPOCHS + arms + epoch) < state.settings[_MIXING]:
        return int(uniform(key, randomness.CHOICES, epoch) * arms)
    chosen, best = state.order[0], -math.inf
    for place in range(arms):
        arm = state.order[place]
        if state.tried[arm] == 0:
            return int(arm)
        if state.released[arm] > best:
            chosen, best = arm, state.released[arm]
    return int(chosen)


greediest = compiled(_greediest)


def _open(state: State, arm: int) -> None:
    """Starts the batch of an arm."""
    progress, epoch, active = state.progress, state.progress[_EPOCH], state.progress[_ACTIVE]
    progress[_ARM], progress[_LEFT] = arm, state.pulls[epoch, active]
    progress[_MEAN] = progress[_LEFT]
    if progress[_PURPOSE] != _NOTHING and state.options[_BINS] > 0:
        progress[_MEAN] -= progress[_LEFT] // 2
    state.sums[_TOTAL], state.sums[_CENTRE] = 0.0, 0.0


open_batch = compiled(_open)


def _begin(state: State, key: Words, epoch: int) -> None:
    """Starts an epoch with the arms that are active."""
    progress, arms, active = state.progress, state.order.shape[0], state.progress[_ACTIVE]
    progress[_EPOCH], progress[_TURN], progress[_PURPOSE] = epoch, 0, _ELIMINATION
    state.sums[_TRUNCATION] = state.truncations[epoch, active]
    if active == 1:
        progress[_PURPOSE] = _NOTHING
        open_batch(state, state.order[0])
        progress[_LEFT] = progress[_MEAN] = state.options[_HORIZON]  # never used up
    elif state.forced[epoch, active] == 0.0:
        open_batch(state, state.order[0])
    elif state.options[_EXPLORATION] >= _GREEDY:
        progress[_PURPOSE] = _GUIDANCE
        open_batch(state, greediest(state, key, epoch))
    else:
        progress[_PURPOSE] = _NOTHING
        open_batch(state, int(uniform(key, randomness.CHOICES, epoch) * arms))


begin = compiled(_begin)


def _start(state: State, key: Words) -> None:
    arms = state.order.shape[0]
    for arm in range(arms):
        state.order[arm], state.released[arm], state.tried[arm] = arm, 0.0, 0
    for place in range(state.counts.shape[0]):
        state.counts[place] = 0
    if state.options[_PERMUTED] == 1:  # sorted by a uniform an arm, which `released` holds meanwhile
        for arm in range(arms):
            draw, place = uniform(key, randomness.CHOICES, EPOCHS + arm), arm
            while place > 0 and state.released[place - 1] > draw:
                state.order[place], state.released[place] = state.order[place - 1], state.released[place - 1]
                place -= 1
            state.order[place], state.released[place] = arm, draw
    state.progress[_ACTIVE] = arms
    state.sums[_LAST_ARM], state.sums[_LAST_MEAN], state.sums[_LAST_BIN] = -1.0, 0.0, 0.0
    begin(state, key, 1)


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    if state.options[_EXPLORATION] == _ROUND and state.progress[_PURPOSE] == _NOTHING and state.progress[_ACTIVE] > 1:
        arms: int = state.order.shape[0]
        return int(uniform(key, randomness.CHOICES, EPOCHS + arms + round) * arms)
    return int(state.progress[_ARM])


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    message[0] = reward


def _locate(state: State, key: Words) -> None:
    """The first half of the batch is full: the left end of the bin with the largest noisy frequency is the centre of its second half."""
    progress, arms, bins = state.progress, state.order.shape[0], state.options[_BINS]
    epoch, active = progress[_EPOCH], progress[_ACTIVE]
    first = EPOCHS * arms + (epoch * arms + progress[_ARM]) * bins
    samples, best, chosen = state.pulls[epoch, active] // 2, -math.inf, 0
    for place in range(bins):
        frequency = state.counts[place] / samples + state.bin_scales[epoch, active] * laplace(key, randomness.NOISE, first + place)
        state.counts[place] = 0
        if frequency > best:
            chosen, best = place, frequency
    state.sums[_CENTRE] = state.settings[_LOW] + chosen * state.settings[_WIDTH]


def _eliminate(state: State) -> None:
    """Deletes the arms whose release lies too far below the largest; the others keep their order."""
    progress, order, released = state.progress, state.order, state.released
    active, best = progress[_ACTIVE], -math.inf
    for place in range(active):
        best = max(best, released[order[place]])
    kept = 0
    for place in range(active):
        arm = order[place]
        if not best - released[arm] > state.twice_radii[progress[_EPOCH], active]:
            order[kept] = arm
            kept += 1
    progress[_ACTIVE] = kept


def _release(state: State, key: Words) -> None:
    """The mean of the batch, with its noise."""
    progress, sums = state.progress, state.sums
    epoch, active, arm = progress[_EPOCH], progress[_ACTIVE], progress[_ARM]
    samples = state.pulls[epoch, active] - (state.pulls[epoch, active] // 2 if state.options[_BINS] > 0 else 0)
    noise = state.scales[epoch, active] * laplace(key, randomness.NOISE, epoch * state.order.shape[0] + arm)
    state.released[arm], state.tried[arm] = sums[_CENTRE] + sums[_TOTAL] / samples + noise, 1
    sums[_LAST_ARM], sums[_LAST_MEAN], sums[_LAST_BIN] = arm, state.released[arm], sums[_CENTRE]


locate, eliminate, release = compiled(_locate), compiled(_eliminate), compiled(_release)


def _close(state: State, key: Words, round: int) -> None:
    """The batch is full: releases its mean, and at the end of the epoch eliminates."""
    progress = state.progress
    if round + 1 == state.options[_HORIZON]:  # the run is over
        return
    if progress[_PURPOSE] != _NOTHING:
        release(state, key)
    if progress[_PURPOSE] == _ELIMINATION:
        progress[_TURN] += 1
        if progress[_TURN] < progress[_ACTIVE]:
            open_batch(state, state.order[progress[_TURN]])
            return
        eliminate(state)
    begin(state, key, progress[_EPOCH] + 1)


close = compiled(_close)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    progress, sums = state.progress, state.sums
    for position in range(arms.shape[0]):
        reward = batch[position, 0]
        if reward != reward:
            raise ValueError("a reward is NaN: must be a number")
        if progress[_LEFT] > progress[_MEAN]:  # the first half of a batch that has bins
            place = (reward - state.settings[_LOW]) / state.settings[_WIDTH]
            if 0.0 <= place < state.options[_BINS]:
                state.counts[int(place)] += 1
            progress[_LEFT] -= 1
            if progress[_LEFT] == progress[_MEAN]:
                locate(state, key)
            continue
        distance = reward - sums[_CENTRE]
        if abs(distance) <= sums[_TRUNCATION]:
            sums[_TOTAL] += distance
        progress[_LEFT] -= 1
        if progress[_LEFT] == 0:  # the messages behind it were sent for this batch too
            close(state, key, round)
            break
    statistic[0], statistic[1] = sums[_LAST_ARM], sums[_LAST_MEAN]
    if statistic.shape[0] > 2:
        statistic[2] = sums[_LAST_BIN]


start, choose = compiled(_start), compiled(_choose, inline=True)
report, learn = compiled(_report, inline=True), compiled(_learn, inline=True)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run))


class Bins(NamedTuple):
    """A histogram's bins: the j-th is [low + j width, low + (j + 1) width)."""

    number: int
    low: float
    width: float


def empty_state(
    arms: int,
    horizon: int,
    epochs: int,
    *,
    exploration: Exploration = Exploration.BATCH,
    mixing: float = 0.0,
    arm_order: ArmOrder = ArmOrder.FIXED,
    bins: Bins | None = None,
) -> State:
    """Fresh arrays with empty tables for `epochs` epochs; a run must not reach another one."""
    grid = Bins(0, 0.0, 1.0) if bins is None else bins
    forced, truncations, twice_radii, scales, bin_scales = (np.zeros((epochs + 1, arms + 1)) for _ in range(5))
    return State(
        options=np.array([horizon, list(Exploration).index(exploration), arm_order is ArmOrder.PERMUTED, grid.number], dtype=np.int64),
        settings=np.array([grid.low, grid.width, mixing]),
        forced=forced,
        pulls=np.zeros((epochs + 1, arms + 1), dtype=np.int64),
        truncations=truncations,
        twice_radii=twice_radii,
        scales=scales,
        bin_scales=bin_scales,
        progress=np.zeros(7, dtype=np.int64),
        sums=np.zeros(6),
        order=np.zeros(arms, dtype=np.int64),
        released=np.zeros(arms),
        tried=np.zeros(arms, dtype=np.int64),
        counts=np.zeros(grid.number, dtype=np.int64),
    )


def require_factor(name: str, value: float) -> None:
    """Raises ValueError, naming the value and the rule, unless a multiplier of a public parameter is >= 0 and finite."""
    if not 0.0 <= value < math.inf:
        raise ValueError(f"{name} = {value}: must be >= 0 and finite")


def require_mixing(mixing: float) -> None:
    """Raises ValueError unless a share lies in [0, 1]."""
    if not 0.0 <= mixing <= 1.0:
        raise ValueError(f"mixing = {mixing}: must be >= 0 and <= 1 (a probability)")


def require_server_view(view: View) -> None:
    """Raises ValueError on a view of users' messages."""
    if view in (View.LOCAL, View.SHUFFLED):
        raise ValueError(f"view = {view.value}: must be central, joint or white_box (users' messages carry no noise)")
