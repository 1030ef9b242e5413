"""Kernels of linear UCB on noisy sums: `policy` says what they compute.

A user's raw message is (x, y). The server adds up what reaches it, which it tells by its shape: raw messages (no randomiser), contributions
to the sums (`gram.local`), or labelled messages of a vector sum (`vector_sum`), several a user. Without features it adds the arm's unit
vector. With one feature these have one shape, and the method says which they are.

Schedules of shift and width, n users so far and t = n + 1:

    CONSTANT      both constant
    GROWING       shift 2 Upsilon_t, width 2 s sqrt(d ln T) + (sqrt(3 Upsilon_t) + s sqrt(d t / Upsilon_t)) d ln T,
                  Upsilon_t = s sqrt(t) level
    DETERMINANT   shift constant, width R sqrt(base + ln det G) + constant

Where G is not positive definite the first arm is played.
"""

import math
from typing import NamedTuple

from banditproof import randomness
from banditproof.algorithms.policies.lin_ucb.ellipsoid import best_arm, invert, times
from banditproof.algorithms.policies.noisy_gram_ucb.constants import CONSTANT, GROWING, Schedule
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled, copy
from banditproof.randomness import normal, uniform
from banditproof.simulation import Plan, interact

# What messages are where the shape does not say it, `Settings.form`.
ROWS, SUMS, CLASSIFICATION = 0, 1, 2


class Settings(NamedTuple):
    """What a run never changes."""

    schedule: Schedule
    form: int
    nodes: int  # of the server's own noise: 0 or 1, whether there is any
    node_scale: float
    per_user: int  # labelled messages of one user
    per_coordinate: int  # of them, for one coordinate
    unit: float  # what a one counts for: L / g
    offset: float  # what a user's labelled messages count for on average beside his number: (L / g) b / 4 + L
    width_scale: float
    fixed_width: bool
    features: int  # d, or 0 without contexts
    uniform: bool


class State(NamedTuple):
    """p = d (d + 1) / 2, q = p + d."""

    settings: Settings
    users: Ints  # (1,)
    messages: Ints  # (1,): labelled ones
    drawn: Ints  # (1,): nodes of the server's noise so far
    definite: Ints  # (1,)
    radius: Floats  # (1,)
    sums: Floats  # (q,)
    noise: Floats  # (q,): of the server
    release: Floats  # (q,)
    inverse: Floats  # (p,)
    factor: Floats  # (p,)
    centre: Floats  # (d,)
    features: Floats  # (d, w)


def _draw_node(state: State, key: Words) -> None:
    """The noise of one more node: (Z + Z') / 2 with independent Z_ij, and d numbers, all N(0, s^2)."""
    dimension, block, scale = state.centre.shape[0], state.inverse.shape[0], state.settings.node_scale
    first = state.drawn[0] * (dimension * dimension + dimension)
    for i in range(dimension):
        for j in range(i + 1):
            here = normal(key, randomness.NOISE, first + i * dimension + j)
            there = here if i == j else normal(key, randomness.NOISE, first + j * dimension + i)
            state.noise[i * (i + 1) // 2 + j] += scale * 0.5 * (here + there)
        state.noise[block + i] += scale * normal(key, randomness.NOISE, first + dimension * dimension + i)
    state.drawn[0] += 1


draw_node = compiled(_draw_node, inline=True)


def _prepare(state: State, key: Words) -> None:
    """From the sums to what the next choice needs."""
    settings, schedule, users = state.settings, state.settings.schedule, state.users[0]
    dimension, block = state.centre.shape[0], state.inverse.shape[0]
    if settings.nodes > 0:
        while state.drawn[0] < math.floor(math.log(1.0 + users)) + 1:
            draw_node(state, key)
    shift, width, time = schedule.shift, schedule.width, users + 1
    if schedule.kind == GROWING:
        upsilon = schedule.scale * math.sqrt(time) * schedule.level
        shift = 2.0 * upsilon
        inner = math.sqrt(3.0 * upsilon) + schedule.scale * math.sqrt(dimension * time / upsilon)
        width = 2.0 * schedule.scale * math.sqrt(dimension * schedule.logarithm) + inner * dimension * schedule.logarithm
    for column in range(state.release.shape[0]):
        state.release[column] = state.sums[column] + state.noise[column]
    for i in range(dimension):
        state.release[i * (i + 1) // 2 + i] += shift
    definite, logarithm = invert(state.release, state.factor, state.inverse, dimension)
    state.definite[0] = 1 if definite else 0
    if not definite:
        return
    times(state.inverse, state.release[block:], state.centre)
    if schedule.kind != CONSTANT and schedule.kind != GROWING:
        width += schedule.reward_sigma * math.sqrt(max(schedule.base + logarithm, 0.0))
    state.radius[0] = settings.width_scale if settings.fixed_width else settings.width_scale * width


prepare = compiled(_prepare, inline=True)


def _start(state: State, key: Words) -> None:
    for column in range(state.sums.shape[0]):
        state.sums[column], state.noise[column] = 0.0, 0.0
    state.users[0], state.messages[0], state.drawn[0] = 0, 0, 0
    prepare(state, key)


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    inverse, centre, radius = state.inverse, state.centre, state.radius[0]
    if state.settings.uniform:
        return int(uniform(key, randomness.CHOICES, round) * contexts.shape[0])
    if state.definite[0] == 0:
        return 0
    if contexts.shape[1] > 0:
        return best_arm(inverse, centre, radius, contexts, state.features)
    chosen, best = 0, -math.inf
    for arm in range(contexts.shape[0]):  # unit vectors
        score = centre[arm] + radius * math.sqrt(max(inverse[arm * (arm + 1) // 2 + arm], 0.0))
        if score > best:
            chosen, best = arm, score
    return chosen


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    width = contexts.shape[1]
    for column in range(width):
        message[column] = contexts[arm, column]
    message[width] = reward


def _form(settings: Settings, width: int, features: int) -> int:
    """What a message of this width is; `features` is 0 without contexts."""
    if features == 1:
        return settings.form
    if width == features + 1:
        return ROWS
    return CLASSIFICATION if width == 2 else SUMS


form_of = compiled(_form, inline=True)


def _add(state: State, form: int, arm: int, message: Floats, features: int) -> None:
    """One message to the sums."""
    settings, sums, dimension, block = state.settings, state.sums, state.centre.shape[0], state.inverse.shape[0]
    if form == CLASSIFICATION:
        place, each = int(message[0]), 1.0 / settings.per_user
        number = settings.unit * message[1] - settings.offset / settings.per_coordinate
        if features == 0:
            sums[arm * (arm + 1) // 2 + arm] += each
            place = block + arm
        if 0 <= place < sums.shape[0]:  # a corrupted label
            sums[place] += number
    elif features == 0:
        sums[arm * (arm + 1) // 2 + arm] += 1.0
        sums[block + arm] += message[0]
    elif form == SUMS:
        for column in range(sums.shape[0]):
            sums[column] += message[column]
    else:
        for i in range(dimension):
            for j in range(i + 1):
                sums[i * (i + 1) // 2 + j] += message[i] * message[j]
            sums[block + i] += message[dimension] * message[i]


add = compiled(_add, inline=True)


def _learn_all(state: State, key: Words, arms: Ints, batch: Floats) -> None:
    """A batch of messages to the sums, and what the next choice needs."""
    features = state.settings.features
    form = form_of(state.settings, batch.shape[1], features)
    for position in range(arms.shape[0]):
        add(state, form, arms[position], batch[position], features)
    if form == CLASSIFICATION:
        state.messages[0] += arms.shape[0]
        state.users[0] = state.messages[0] // state.settings.per_user
    else:
        state.users[0] += arms.shape[0]
    prepare(state, key)


learn_all = compiled(_learn_all)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    for position in range(arms.shape[0]):
        for column in range(batch.shape[1]):
            if not abs(batch[position, column]) < math.inf:
                raise ValueError("a message holds a number that is not finite: must be finite numbers")
    learn_all(state, key, arms, batch)
    copy(state.release, statistic)


def _accepts(raw: int, messages: int, width: int) -> bool:
    """The raw message, a contribution to the sums, or labelled messages."""
    features = raw - 1
    sums = features * (features + 1) // 2 + features
    return width == 2 or (messages == 1 and width in (raw, sums))


start, choose = compiled(_start), compiled(_choose, inline=True)
report, learn = compiled(_report, inline=True), compiled(_learn, inline=True)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run), accepts=_accepts)
