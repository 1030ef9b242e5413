"""What private eliminations in batches share: kernels that play any schedule of epochs, and the state that holds one.

In an epoch each active arm is played for a batch of pulls in turn; at the end of its batch a private mean of these rewards alone is
released; after the last arm's batch every arm whose release lies more than 2 radius below the largest one is eliminated. Before, a
schedule may force exploration: one batch an epoch, nothing is eliminated.

    mean, no bins     1/n sum of x_i 1{|x_i| <= M} over the whole batch, plus Laplace noise
    mean, with bins   the batch's first half fills a histogram whose noisy frequencies name a bin, with left end J; then
                      J + 1/n sum of (x_i - J) 1{|x_i - J| <= M} over its second half, plus Laplace noise

A policy fills the tables of an `empty_state`; rows are epochs, columns numbers of active arms. Every table's value is public.

Privacy. A round's reward enters one histogram or one mean at most, which one follows from earlier releases, and everything else is
computed from releases (post-processing). Noise is drawn once per epoch and arm (and bin), and what was released is kept and reused.

Readings. The run stops in the round of the horizon: a batch that ends with it releases nothing. One arm left is played on, without
releases. Where messages come in a shuffler's batches, all of one are of the arm whose turn it is; those beyond a full batch are dropped,
so there is at most one release each time. A NaN reward raises ValueError.
"""

import math
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, assert_never

import numpy as np

from banditproof import randomness
from banditproof.algorithms.draws.laplaces import TOGETHER, laplaces
from banditproof.algorithms.policies.common import SERVER_VIEWS, report_reward, require_server_view
from banditproof.direct import play_on
from banditproof.guarantees import View, require
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled, copy
from banditproof.randomness import short_key, uniform
from banditproof.simulation import Plan, interact
from banditproof.typical import Values

EPOCHS = 64  # no run that forces exploration or has bins reaches epoch 64: counters of CHOICES below it belong to epochs


class Exploration(Enum):
    """How forced exploration chooses its arm (Wu et al. 2023, Algorithm 1 and Remark 5.1).

    Under GREEDY and PROBABILISTIC a forced batch is released as others are, and the next one is of an arm that has no release yet, in the
    order of the arms, or else of the arm with the largest last release; under PROBABILISTIC it is of an arm drawn uniformly with
    probability `mixing`. The remark leaves this open.
    """

    BATCH = "batch"  # one uniform arm a batch: Algorithm 1
    ROUND = "round"  # one per round
    GREEDY = "greedy"
    PROBABILISTIC = "probabilistic"


class ArmOrder(Enum):
    """The order of the arms inside an epoch."""

    FIXED = "fixed"
    PERMUTED = "permuted"


def noise_index(epoch: int, turn: int, arms: int) -> int:
    """Which number of the short stream NOISE (`draws.laplaces`) is the noise of the mean that is released in a turn of an epoch: turns
    from 0, forced ones 0. By turn, not by arm, so that numbers are asked for in increasing order."""
    return epoch * arms + turn


def bin_noise_index(epoch: int, turn: int, arms: int, *, bins: int, place: int) -> int:
    """Which number is the noise of the frequency of a bin, in the histogram of a turn of an epoch. None shares a window with a mean's."""
    return EPOCHS * arms + noise_index(epoch, turn, arms) * bins + place


class Bins(NamedTuple):
    """A histogram's bins: the j-th is [low + j width, low + (j + 1) width)."""

    number: int
    low: float
    width: float


NO_BINS = Bins(0, 0.0, 1.0)
_NOTHING, _ELIMINATION, _GUIDANCE = 0, 1, 2  # what a batch is for, `Progress.purpose`
_ROOM = 512  # rewards drawn at a time, where runs are played directly
_KEPT = 1024  # rounds whose batches are looked up, where rewards come from a table
MOST_VALUES = 2  # of a reward that is drawn by counts; the reward of a replaced round may be one more


class Settings(NamedTuple):
    """What a run never changes."""

    horizon: int
    permuted: bool  # the arms' order
    by_round: bool  # forced exploration draws an arm each round
    guided: bool  # forced exploration looks at releases
    mixing: float  # probability that it does not
    bins: Bins


class Progress(NamedTuple):
    """How far the schedule is: arrays of shape (1,)."""

    arm: Ints  # the one whose batch it is
    left: Ints  # pulls left in its batch
    averaged: Ints  # the last pulls of a batch, which its mean is of
    epoch: Ints
    turn: Ints  # the arm's place in `order`
    active: Ints  # how many arms
    purpose: Ints


class Batch(NamedTuple):
    """Of the arm's rewards, arrays (1,)."""

    total: Floats  # of what is added up
    truncation: Floats
    centre: Floats


class Release(NamedTuple):
    """The last one, arrays (1,)."""

    arm: Ints  # -1: none yet
    mean: Floats
    bin: Floats  # its left end


class Ahead(NamedTuple):
    """Noise that is drawn by the window (`draws.laplaces`)."""

    stream: Words  # (4,)
    windows: Ints  # (2,): which one there is for means, and for bins; -1: none yet
    means: Floats  # (TOGETHER,)
    bins: Floats  # (TOGETHER,)


class Totals(NamedTuple):
    """Of rewards that a table holds, by the first round and the arm: what was added up up to round `until`, at a truncation. All (R, K)."""

    until: Ints  # 0: nothing yet
    truncation: Floats
    total: Floats


class State(NamedTuple):
    """Schedule and progress of a run."""

    settings: Settings
    forced: Floats  # (E + 1, K + 1): 1 where exploration is forced; this one and the next five by epoch and number of active arms
    pulls: Ints  # (E + 1, K + 1): of a batch
    truncations: Floats  # (E + 1, K + 1)
    twice_radii: Floats  # (E + 1, K + 1)
    scales: Floats  # (E + 1, K + 1): of the mean's noise
    bin_scales: Floats  # (E + 1, K + 1): of a frequency's noise
    progress: Progress
    batch: Batch
    last: Release
    order: Ints  # (K,): the active arms first
    released: Floats  # (K,): each arm's last release
    tried: Ints  # (K,): 1 where there is one
    counts: Ints  # (N,): the batch's histogram
    noise: Ahead
    totals: Totals
    rewards: Floats  # (B,): this one and the next three are room for the rewards of several rounds, where runs are played directly
    values: Floats  # (V,): different rewards
    numbers: Ints  # (V,): how often each came


def _greediest(state: State, key: Words, epoch: int) -> int:
    """The arm of a forced batch that releases guide."""
    arms: int = state.order.shape[0]
    if uniform(key, randomness.CHOICES, EPOCHS + arms + epoch) < state.settings.mixing:
        return int(uniform(key, randomness.CHOICES, epoch) * arms)
    chosen, best = state.order[0], -math.inf
    for place in range(arms):
        arm = state.order[place]
        if state.tried[arm] == 0:
            return int(arm)
        if state.released[arm] > best:
            chosen, best = arm, state.released[arm]
    return int(chosen)


greediest = compiled(_greediest, inline=True)


def _open(state: State, arm: int) -> None:
    """Starts the batch of an arm."""
    progress, pulls = state.progress, state.pulls[state.progress.epoch[0], state.progress.active[0]]
    progress.arm[0], progress.left[0], progress.averaged[0] = arm, pulls, pulls
    if progress.purpose[0] != _NOTHING and state.settings.bins.number > 0:
        progress.averaged[0] -= pulls // 2
    state.batch.total[0], state.batch.centre[0] = 0.0, 0.0


open_batch = compiled(_open, inline=True)


def _begin(state: State, key: Words, epoch: int) -> None:
    """Starts an epoch with the arms that are active."""
    progress, arms, active = state.progress, state.order.shape[0], state.progress.active[0]
    progress.epoch[0], progress.turn[0], progress.purpose[0] = epoch, 0, _ELIMINATION
    state.batch.truncation[0] = state.truncations[epoch, active]
    if active == 1:
        progress.purpose[0] = _NOTHING
        open_batch(state, state.order[0])
        progress.left[0] = progress.averaged[0] = state.settings.horizon  # never used up
    elif state.forced[epoch, active] == 0.0:
        open_batch(state, state.order[0])
    elif state.settings.guided:
        progress.purpose[0] = _GUIDANCE
        open_batch(state, greediest(state, key, epoch))
    else:
        progress.purpose[0] = _NOTHING
        open_batch(state, int(uniform(key, randomness.CHOICES, epoch) * arms))


begin = compiled(_begin, inline=True)


def _drawn(noise: Ahead, of: int, ahead: Floats, index: int) -> float:
    """The number `index`; draws its window into `ahead` unless it is there."""
    if noise.windows[of] != index // TOGETHER:
        noise.windows[of] = index // TOGETHER
        laplaces(noise.stream, index // TOGETHER, ahead)
    number: float = ahead[index % TOGETHER]
    return number


drawn = compiled(_drawn, inline=True)


def _start(state: State, key: Words) -> None:
    arms = state.order.shape[0]
    short_key(key, randomness.NOISE, state.noise.stream)
    state.noise.windows[0] = state.noise.windows[1] = -1
    for arm in range(arms):
        state.order[arm], state.released[arm], state.tried[arm] = arm, 0.0, 0
    for place in range(state.counts.shape[0]):
        state.counts[place] = 0
    if state.settings.permuted:  # sorted by a uniform an arm, which `released` holds meanwhile
        for arm in range(arms):
            draw, place = uniform(key, randomness.CHOICES, EPOCHS + arm), arm
            while place > 0 and state.released[place - 1] > draw:
                state.order[place], state.released[place] = state.order[place - 1], state.released[place - 1]
                place -= 1
            state.order[place], state.released[place] = arm, draw
    state.progress.active[0] = arms
    state.last.arm[0], state.last.mean[0], state.last.bin[0] = -1, 0.0, 0.0
    begin(state, key, 1)


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    progress = state.progress
    if state.settings.by_round and progress.purpose[0] == _NOTHING and progress.active[0] > 1:
        arms: int = state.order.shape[0]
        return int(uniform(key, randomness.CHOICES, EPOCHS + arms + round) * arms)
    return int(progress.arm[0])


def _locate(state: State, key: Words) -> None:
    """The first half of the batch is full: the left end of the bin with the largest noisy frequency is the centre of its second half."""
    progress, arms, bins = state.progress, state.order.shape[0], state.settings.bins
    epoch, active = progress.epoch[0], progress.active[0]
    first = EPOCHS * arms + (epoch * arms + progress.turn[0]) * bins.number
    samples, best, chosen = state.pulls[epoch, active] // 2, -math.inf, 0
    for place in range(bins.number):
        number = drawn(state.noise, 1, state.noise.bins, first + place)
        frequency = state.counts[place] / samples + state.bin_scales[epoch, active] * number
        state.counts[place] = 0
        if frequency > best:
            chosen, best = place, frequency
    state.batch.centre[0] = bins.low + chosen * bins.width


def _eliminate(state: State) -> None:
    """Deletes the arms whose release lies too far below the largest; the others keep their order."""
    progress, order, released = state.progress, state.order, state.released
    active, best = progress.active[0], -math.inf
    for place in range(active):
        best = max(best, released[order[place]])
    kept = 0
    for place in range(active):
        arm = order[place]
        if not best - released[arm] > state.twice_radii[progress.epoch[0], active]:
            order[kept] = arm
            kept += 1
    progress.active[0] = kept


def _release(state: State, arm: int, turn: int) -> None:
    """The mean of the batch, with its noise, which is of an arm in a turn of the epoch."""
    batch, last = state.batch, state.last
    epoch, active = state.progress.epoch[0], state.progress.active[0]
    samples = state.pulls[epoch, active] - (state.pulls[epoch, active] // 2 if state.settings.bins.number > 0 else 0)
    noise = state.scales[epoch, active] * drawn(state.noise, 0, state.noise.means, epoch * state.order.shape[0] + turn)
    centre = batch.centre[0]
    mean = centre + batch.total[0] / samples + noise
    state.released[arm], state.tried[arm] = mean, 1
    last.arm[0], last.mean[0], last.bin[0] = arm, mean, centre


locate, eliminate = compiled(_locate, inline=True), compiled(_eliminate, inline=True)
release = compiled(_release, inline=True)


def _close(state: State, key: Words, round: int) -> None:
    """The batch is full: releases its mean, and at the end of the epoch eliminates."""
    progress = state.progress
    if round + 1 == state.settings.horizon:  # the run is over
        return
    if progress.purpose[0] != _NOTHING:
        release(state, progress.arm[0], progress.turn[0])
    if progress.purpose[0] == _ELIMINATION:
        progress.turn[0] += 1
        if progress.turn[0] < progress.active[0]:
            open_batch(state, state.order[progress.turn[0]])
            return
        eliminate(state)
    begin(state, key, progress.epoch[0] + 1)


close = compiled(_close, inline=True)


def _publish(state: State, statistic: Floats) -> None:
    """The last release."""
    statistic[0], statistic[1] = state.last.arm[0], state.last.mean[0]
    if statistic.shape[0] > 2:
        statistic[2] = state.last.bin[0]


publish = compiled(_publish, inline=True)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    bins, left, averaged, own = state.settings.bins, state.progress.left, state.progress.averaged, state.batch
    counted = min(batch.shape[0], max(left[0] - averaged[0], 0))  # of the first half of a batch that has bins
    for position in range(counted):
        reward = batch[position, 0]
        if reward != reward:
            raise ValueError("a reward is NaN: must be a number")
        place = (reward - bins.low) / bins.width
        if 0.0 <= place < bins.number:
            state.counts[int(place)] += 1
    if counted > 0:
        left[0] -= counted
        if left[0] == averaged[0]:
            locate(state, key)
    until, centre, total = min(batch.shape[0], counted + left[0]), own.centre[0], own.total[0]
    for position in range(counted, until):
        reward = batch[position, 0]
        if reward != reward:
            raise ValueError("a reward is NaN: must be a number")
        distance = reward - centre
        if abs(distance) <= own.truncation[0]:
            total += distance
    own.total[0] = total
    left[0] -= until - counted
    if left[0] == 0:  # the messages behind it were sent for this batch too
        close(state, key, round)
    publish(state, statistic)


start, choose = compiled(_start, inline=True), compiled(_choose, inline=True)
learn = compiled(_learn, inline=True)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report_reward, learn, state, plan)


def _next_part(state: State) -> int:
    """Rounds up to the end of the batch, or of its first half."""
    left, averaged = state.progress.left[0], state.progress.averaged[0]
    return int(left - averaged) if left > averaged else int(left)


def _finished(state: State) -> int:
    """How many rewards the part of the batch has that ends here; 0 where none ends."""
    left, averaged = state.progress.left[0], state.progress.averaged[0]
    if left == 0:
        return int(averaged)
    return int(state.pulls[state.progress.epoch[0], state.progress.active[0]] - averaged) if left == averaged else 0


def _take(state: State, key: Words, round: int, values: Floats, numbers: Ints) -> None:
    """What `learn` does with all rewards of a part of the batch, of which `numbers` (V,) have the values (V,)."""
    bins, own = state.settings.bins, state.batch
    if state.progress.left[0] > 0:
        for each in range(values.shape[0]):
            place = (values[each] - bins.low) / bins.width
            if 0.0 <= place < bins.number:
                state.counts[int(place)] += numbers[each]
        locate(state, key)
        return
    for each in range(values.shape[0]):
        distance = values[each] - own.centre[0]
        if abs(distance) <= own.truncation[0]:
            own.total[0] += numbers[each] * distance
    close(state, key, round)


next_part, finished = compiled(_next_part, inline=True), compiled(_finished, inline=True)
take = compiled(_take, inline=True)


def _add_up(own: Batch, kept: Totals, table: Floats, arm: int, round: int, until: int) -> None:
    """What `learn` adds up of an arm's rewards of these rounds, from a table (T, K) without NaN, of a batch without bins. Runs play the
    same batches again and again: what came out last for the same first round and arm is kept."""
    total, truncation = own.total[0], own.truncation[0]
    keeps = total == 0.0 and round < kept.until.shape[0]
    if keeps and kept.until[round, arm] == until and kept.truncation[round, arm] == truncation:
        own.total[0] = kept.total[round, arm]
        return
    for position in range(round, until):
        reward = table[position, arm]
        if abs(reward) <= truncation:
            total += reward
    own.total[0] = total
    if keeps:
        kept.until[round, arm], kept.truncation[round, arm], kept.total[round, arm] = until, truncation, total


def _fill(target: Ints, value: int) -> None:
    """Sets all entries of target (n,)."""
    for place in range(target.shape[0]):
        target[place] = value


add_up, fill = compiled(_add_up, inline=True), compiled(_fill, inline=True)


def _play_epochs(state: State, key: Words, table: Floats, out_arms: Ints, run: int, first: int, round: int, last: int) -> int:
    """Plays the epochs that start at `round` and are over before `last`, as the loop over batches does; returns the next round. Rewards are
    those of a table, of batches without bins, and nothing but arms is recorded."""
    progress = state.progress
    while progress.purpose[0] == _ELIMINATION and progress.turn[0] == 0:
        active = progress.active[0]
        pulls = state.pulls[progress.epoch[0], active]
        if progress.left[0] < pulls or pulls >= last or round + active * pulls >= last:  # a product of pulls of up to 2^62 would overflow
            break
        for turn in range(active):
            arm, state.batch.total[0] = state.order[turn], 0.0
            add_up(state.batch, state.totals, table, arm, round, round + pulls)
            release(state, arm, turn)
            if out_arms.shape[0] > 0:
                fill(out_arms[run, round - first : round - first + pulls], arm)
            round += pulls
        eliminate(state)
        begin(state, key, progress.epoch[0] + 1)
    return round


play_epochs = compiled(_play_epochs, inline=True)


def _direct(state: State, plan: Plan) -> None:
    """Plays an arm's batch at once: the loop is over batches, and rewards that no release is of are not drawn."""
    (
        key, runs, rounds, begins, present, _pay, environment, _start_memory, memory, _randomises, corrupts_reward, _corrupts_report,
        _corrupts_batch, _shuffles, _randomise, _randomiser, _corrupt, _corrupt_batch, corruption, _start_corruption_memory,
        corruption_memory, _shuffle, _shuffler, replaced_round, replaced_rewards, _replaced_contexts, features, means, _reward_now,
        _message, _user_report, _user_row, statistic, waiting, _refused, _pulled, _reports, _rows, _messages, _order, _ordered_arms,
        _ordered_messages, regret, checkpoints, out_regret, _out_contexts, _out_rewards, _out_report, _out_received, _out_batch,
        out_statistic, out_arms, table, pay_block, corrupt_block, tallies, tally, _present_sets, _sets, _set_means, _set_rewards,
    ) = plan  # fmt: skip
    contexts = features.T
    progress, first, last = state.progress, rounds[0], rounds[1]
    alone = checkpoints.shape[0] == 0 and out_statistic.shape[0] == 0 and not corrupts_reward  # nothing but arms is recorded
    by_epoch = alone and table.shape[0] > 0 and state.settings.bins.number == 0
    for run in range(runs[1] - runs[0]):
        key[2] = runs[0] + run
        if begins:
            start(state, key)
            regret[0], waiting[:] = 0.0, 0
        changes, round = first, first
        while round < last:
            if by_epoch:
                stop = replaced_round if round <= replaced_round < last else last
                round = play_epochs(state, key, table, out_arms, run, first, round, stop)
            arm, until = choose(state, key, round, contexts), min(last, round + progress.left[0])
            if progress.purpose[0] == _NOTHING and state.settings.by_round and progress.active[0] > 1:
                until = round + 1
            if checkpoints.shape[0] > 0:
                changes = play_on(
                    present, environment, memory, key, contexts, means, changes, arm, round, until, tallies, regret, waiting,
                    checkpoints, out_regret[run],
                )  # fmt: skip
            if out_arms.shape[0] > 0:
                fill(out_arms[run, round - first : until - first], arm)
            if out_statistic.shape[0] > 0:
                publish(state, statistic)
                for each in range(round, until - 1):
                    copy(statistic, out_statistic[run, each - first])
            if progress.purpose[0] == _NOTHING:
                progress.left[0] -= until - round
                if progress.left[0] == 0:
                    close(state, key, until - 1)
                round = until
            while tallies and round < until:
                last_of = min(until, round + next_part(state))
                progress.left[0] -= last_of - round
                round, size = last_of, finished(state)
                if size > 0:
                    known = round - size <= replaced_round < round
                    number = tally(environment, memory, round - size, size - known, key, arm, state.values, state.numbers)
                    if known:
                        state.values[number], state.numbers[number] = replaced_rewards[arm], 1
                        number += 1
                    take(state, key, round - 1, state.values[:number], state.numbers[:number])
            if table.shape[0] > 0 and round < until and not corrupts_reward and not round <= replaced_round < until:
                if state.settings.bins.number > 0:
                    learn(state, key, until - 1, state.order, table[round:until, arm : arm + 1], statistic)
                else:
                    add_up(state.batch, state.totals, table, arm, round, until)
                    progress.left[0] -= until - round
                    if progress.left[0] == 0:
                        close(state, key, until - 1)
                round = until
            while round < until:
                size = min(until - round, _ROOM)
                if table.shape[0] > 0:
                    for place in range(size):
                        state.rewards[place] = table[round + place, arm]
                else:
                    pay_block(environment, memory, round, key, arm, state.rewards[:size])
                if round <= replaced_round < round + size:
                    state.rewards[replaced_round - round] = replaced_rewards[arm]
                if corrupts_reward:
                    corrupt_block(corruption, corruption_memory, round, key, arm, state.rewards[:size])
                round += size
                learn(state, key, round - 1, state.order, state.rewards.reshape(_ROOM, 1)[:size, 0:1], statistic)
            if out_statistic.shape[0] > 0:
                publish(state, statistic)
                copy(statistic, out_statistic[run, until - 1 - first])


KERNELS = Kernels(start, choose, report_reward, learn, compiled(_run), direct=compiled(_direct), tallies=True)


def empty_state(
    arms: int,
    horizon: int,
    epochs: int,
    *,
    exploration: Exploration = Exploration.BATCH,
    mixing: float = 0.0,
    arm_order: ArmOrder = ArmOrder.FIXED,
    bins: Bins = NO_BINS,
) -> State:
    """Fresh arrays with empty tables for `epochs` epochs; a run must not reach another one."""
    by_round = guided = False
    match exploration:
        case Exploration.BATCH:
            pass
        case Exploration.ROUND:
            by_round = True
        case Exploration.GREEDY | Exploration.PROBABILISTIC:
            guided = True
        case _:
            assert_never(exploration)
    settings = Settings(
        horizon=int(horizon),
        permuted=arm_order is ArmOrder.PERMUTED,
        by_round=by_round,
        guided=guided,
        mixing=float(mixing) if exploration is Exploration.PROBABILISTIC else 0.0,
        bins=Bins(int(bins.number), float(bins.low), float(bins.width)),
    )
    rows = min(int(horizon), _KEPT), arms
    forced, truncations, twice_radii, scales, bin_scales = (np.zeros((epochs + 1, arms + 1)) for _ in range(5))
    return State(
        settings=settings,
        forced=forced,
        pulls=np.zeros((epochs + 1, arms + 1), dtype=np.int64),
        truncations=truncations,
        twice_radii=twice_radii,
        scales=scales,
        bin_scales=bin_scales,
        progress=Progress(*(np.zeros(1, dtype=np.int64) for _ in Progress._fields)),
        batch=Batch(*(np.zeros(1) for _ in Batch._fields)),
        last=Release(np.zeros(1, dtype=np.int64), np.zeros(1), np.zeros(1)),
        order=np.zeros(arms, dtype=np.int64),
        released=np.zeros(arms),
        tried=np.zeros(arms, dtype=np.int64),
        counts=np.zeros(bins.number, dtype=np.int64),
        noise=Ahead(np.zeros(4, dtype=np.uint64), np.zeros(2, dtype=np.int64), np.zeros(TOGETHER), np.zeros(TOGETHER)),
        totals=Totals(np.zeros(rows, dtype=np.int64), np.zeros(rows), np.zeros(rows)),
        rewards=np.zeros(_ROOM),
        values=np.zeros(MOST_VALUES + 1),
        numbers=np.zeros(MOST_VALUES + 1, dtype=np.int64),
    )


FORCED_EXPLORATION: Mapping[str, Values] = {
    "mixing": (0.5, 0.0, 1.0),
    "radius_factor": (1.0, 0.1, 0.01, 0.0),
    "threshold_factor": (0.0, 1e-3, 1.0),
    "view": SERVER_VIEWS,
}


def require_options(*, mixing: float, radius_factor: float, threshold_factor: float, view: View) -> None:
    """Raises ValueError, naming the value and the rule, on what no policy with forced exploration can be played with."""
    require(0.0 <= mixing <= 1.0, f"mixing = {mixing}: must be >= 0 and <= 1 (a probability)")
    for name, value in (("radius_factor", radius_factor), ("threshold_factor", threshold_factor)):
        require(0.0 <= value < math.inf, f"{name} = {value}: must be >= 0 and finite")
    require_server_view(view)
