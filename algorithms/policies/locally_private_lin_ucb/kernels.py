"""Kernels of Private Online LinUCB, of its anytime variant, and of the combiner, over one state: `policy` says what they compute.

A state holds M base learners, M = 1 without the combiner; every array that belongs to them has a leading axis M. A base learner goes
through one epoch after the other, each with constants of its own (`State.table`), and starts afresh with each; Algorithm 1 has one epoch.

The user's side is `choose` and `report`: his raw message is (x, y, theta_t, Delta, G), which `local_row.LocalRow` turns into (x~, y~, g).
The server's side is `learn`. Where a report is the raw message, nothing was randomised, and the server computes the gradient itself,
without the negative regulariser; so it does where there are no features, since the arm is then known and only y is private.

V~^-1 is updated row by row and inverted afresh every 32 rows. What the server receives is shortened to G once more, so that a corrupted
report is no longer than an honest one.
"""

import math
from typing import NamedTuple

from banditproof.algorithms.learners.kernels import hear, move, restart
from banditproof.algorithms.learners.noisy_square import clip, gradient, value
from banditproof.algorithms.learners.protocol import RULE, SETTINGS, Arrays
from banditproof.algorithms.policies.lin_ucb.ellipsoid import add_row, best_arm, invert, squared_norm, times
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled, copy
from banditproof.simulation import Plan, interact

# Columns of `State.table`: the own round at which the epoch ends, m, the learner's rule, Delta, the radius, the metric, and the settings.
END, FAMILY, RULE_OF, INJECTION, BASE, ROOT, SLOPE, PATH, SCALE, METRIC, LEARNER = range(11)
COLUMNS, _BOUND, _REFRESH = LEARNER + SETTINGS, LEARNER, 32
# Rows of `State.putative` and of `State.tallies`.
COEFFICIENT, EXPONENT, TARGET = range(3)
PULLS, MEAN, SHORTFALL, ACTIVE = range(4)


class Settings(NamedTuple):
    """What a run never changes."""

    variance: float  # sigma^2 of the noise on the features
    clash: bool
    oracle: bool
    diagnose: bool
    combine: bool
    radius_scale: float  # p^2 (1 + sigma^2), of the combiner's radius; and its ln(T^3 M (1 + sigma^2) / beta)
    radius_logarithm: float
    horizon: float


class Counters(NamedTuple):
    """Numbers of a run so far, arrays (M,)."""

    epoch: Ints
    own: Ints  # rounds of this base learner
    inside: Ints  # of them, in this epoch
    definite: Ints  # 1 where V~ is positive definite, else 0
    clipped: Ints  # gradients that were as long as G
    outside: Ints  # rounds in which theta* lay outside the ellipsoid


class Measures(NamedTuple):
    """What is measured of each of the M learners, for information: arrays of shape (M,)."""

    radius: Floats
    path: Floats  # sum of |theta_t - theta*|^2 in this epoch
    regret: Floats  # of the learner, sum of l_t(theta_t) - l_t(theta*) in this epoch


class Diagnostics(NamedTuple):
    """The numbers behind the statistic, where they are asked for: see PrivateOnlineLinUCB.truth."""

    radius: float  # of the next round
    distance: float  # of theta* from the centre, in the norm of V~
    outside: float
    clipped: float
    path: float
    regret: float


DIAGNOSTICS = len(Diagnostics._fields)


class Learners(NamedTuple):
    """`protocol.Arrays` of M learners, each with a leading axis; and the rates and priors of every epoch."""

    counts: Ints  # (M, 3)
    settings: Floats  # (M, 4)
    points: Floats  # (M, d)
    experts: Floats  # (M, d, E)
    log_weights: Floats  # (M, E)
    weights: Floats  # (M, E)
    rates: Floats  # (M, E)
    metrics: Floats  # (M, p, B)
    inverses: Floats  # (M, p, B)
    scratch: Floats
    epoch_rates: Floats  # (M, epochs, E)
    epoch_priors: Floats  # (M, epochs, E): logarithms


class State(NamedTuple):
    """p = d (d + 1) / 2."""

    settings: Settings
    counters: Counters
    measures: Measures
    learners: Learners
    table: Floats  # (M, epochs, COLUMNS)
    putative: Floats  # (3, M)
    tallies: Floats  # (4, M)
    current: Ints  # (1,): the base learner of the next round
    matrices: Floats  # (M, p): V~
    inverses: Floats  # (M, p)
    sums: Floats  # (M, d): u~
    centres: Floats  # (M, d)
    factor: Floats  # (p,): scratch, and all that follows
    row: Floats  # (d,)
    image: Floats  # (d,)
    slope: Floats  # (d,)
    truth: Floats  # (d,): theta*
    features: Floats  # (d, w)


def _learner(learners: Learners, base: int) -> Arrays:
    """The arrays of one learner."""
    return Arrays(
        learners.counts[base],
        learners.settings[base],
        learners.points[base],
        learners.experts[base],
        learners.log_weights[base],
        learners.weights[base],
        learners.rates[base],
        learners.metrics[base],
        learners.inverses[base],
        learners.scratch,
    )


learner_of = compiled(_learner, inline=True)  # for compiled code alone: no views are handed back to Python


def _listen(learners: Learners, base: int, slope: Floats) -> None:
    hear(learner_of(learners, base), slope)


def _predict(learners: Learners, base: int) -> None:
    move(learner_of(learners, base))


listen, predict = compiled(_listen, inline=True), compiled(_predict, inline=True)


def _prepare(state: State, base: int) -> None:
    """From V~ and u~ to what the next choice needs: the inverse where it is due, the centre, the radius."""
    settings, counters, measures = state.settings, state.counters, state.measures
    matrix, inverse, centre, point = state.matrices[base], state.inverses[base], state.centres[base], state.learners.points[base]
    if counters.inside[base] % _REFRESH == 0 or counters.definite[base] == 0:
        counters.definite[base] = 1 if invert(matrix, state.factor, inverse, centre.shape[0])[0] else 0
    times(inverse, state.sums[base], centre)
    row = state.table[base, counters.epoch[base]]
    path = row[PATH]
    if settings.oracle:
        path = measures.path[base]
        for i in range(point.shape[0]):
            path += (point[i] - state.truth[i]) * (point[i] - state.truth[i])
    square = row[BASE] + row[ROOT] * math.sqrt((counters.inside[base] + 1) * path) + row[SLOPE] * path
    measures.radius[base] = row[SCALE] * math.sqrt(square)


def _begin(state: State, base: int, epoch: int) -> None:
    """A fresh base learner: V~ = I, u~ = 0, and the online learner of this epoch."""
    counters, measures, learners = state.counters, state.measures, state.learners
    counters.epoch[base], counters.inside[base], counters.definite[base] = epoch, 0, 0
    measures.path[base], measures.regret[base] = 0.0, 0.0
    dimension, row = state.row.shape[0], state.table[base, epoch]
    for i in range(dimension):
        state.sums[base, i] = 0.0
        for j in range(i + 1):
            state.matrices[base, i * (i + 1) // 2 + j] = 1.0 if i == j else 0.0
    learners.counts[base, RULE] = int(row[RULE_OF])
    rates, priors = learners.epoch_rates[base, epoch], learners.epoch_priors[base, epoch]
    restart(learner_of(learners, base), row[LEARNER:], int(row[FAMILY]), rates, priors, row[METRIC])


def _radius(settings: Settings, pulls: float) -> float:
    """rad(n) of the combiner."""
    if pulls == 0.0:
        return 0.0
    return math.sqrt(settings.radius_scale * pulls * (settings.radius_logarithm + math.log(max(math.log(pulls), 1.0))))


combiner_radius = compiled(_radius, inline=True)


def _regret_so_far(state: State, base: int) -> float:
    """C n^alpha + rad(n) after the n own rounds of a base learner."""
    pulls, putative = state.tallies[PULLS, base], state.putative
    if pulls == 0.0:
        return 0.0
    believed: float = putative[COEFFICIENT, base] * math.exp(putative[EXPONENT, base] * math.log(pulls))
    return believed + combiner_radius(state.settings, pulls)


regret_so_far = compiled(_regret_so_far, inline=True)


def _select(state: State) -> None:
    """The base learner of the next round: the largest index among those that were not removed, the first of equal ones."""
    tallies, best, chosen = state.tallies, -math.inf, 0
    for base in range(tallies.shape[1]):
        if tallies[ACTIVE, base] == 0.0:
            continue
        pulls = tallies[PULLS, base]
        bonus = min(1.0, regret_so_far(state, base) / pulls) if pulls > 0.0 else 1.0
        index = tallies[MEAN, base] + bonus - state.putative[TARGET, base] / state.settings.horizon
        if index > best:
            chosen, best = base, index
    state.current[0] = chosen


def _tally(state: State, base: int, response: float) -> None:
    """Counts a noisy reward, and removes the base learner where it falls short; the last one stays."""
    tallies = state.tallies
    before = tallies[MEAN, base]
    tallies[PULLS, base] += 1.0
    tallies[SHORTFALL, base] += before - response
    tallies[MEAN, base] = before + (response - before) / tallies[PULLS, base]
    if tallies[SHORTFALL, base] >= regret_so_far(state, base):
        others = 0.0
        for other in range(tallies.shape[1]):
            others += tallies[ACTIVE, other] if other != base else 0.0
        if others > 0.0:
            tallies[ACTIVE, base] = 0.0


prepare, begin = compiled(_prepare, inline=True), compiled(_begin, inline=True)
select, tally = compiled(_select, inline=True), compiled(_tally, inline=True)


def _start(state: State, key: Words) -> None:
    for counter in state.counters:
        for base in range(counter.shape[0]):
            counter[base] = 0
    for base in range(state.counters.own.shape[0]):
        begin(state, base, 0)
        prepare(state, base)
        for kind in range(state.tallies.shape[0]):
            state.tallies[kind, base] = 1.0 if kind == ACTIVE else 0.0
    state.current[0] = 0
    if state.settings.combine:
        select(state)


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    base, chosen = state.current[0], 0
    inverse, centre, radius = state.inverses[base], state.centres[base], state.measures.radius[base]
    if state.counters.definite[base] == 0:
        return 0
    if contexts.shape[1] > 0:
        chosen = best_arm(inverse, centre, radius, contexts, state.features)
    else:
        best = -math.inf
        for arm in range(contexts.shape[0]):  # unit vectors
            score = centre[arm] + radius * math.sqrt(max(inverse[arm * (arm + 1) // 2 + arm], 0.0))
            if score > best:
                chosen, best = arm, score
    if state.settings.clash:
        row, point = state.row, state.learners.points[base]
        square = 0.0
        for i in range(row.shape[0]):
            row[i] = contexts[chosen, i] if contexts.shape[1] > 0 else (1.0 if i == chosen else 0.0)
        times(inverse, row, state.image)
        for i in range(row.shape[0]):
            square += row[i] * state.image[i]
        for i in range(row.shape[0]):
            point[i] = centre[i] + (radius * state.image[i] / math.sqrt(square) if square > 0.0 else 0.0)
    return chosen


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    width, base = contexts.shape[1], state.current[0]
    message[width] = reward
    if width == 0:
        return
    row = state.table[base, state.counters.epoch[base]]
    for i in range(width):
        message[i] = contexts[arm, i]
        message[width + 1 + i] = state.learners.points[base, i]
    message[2 * width + 1], message[2 * width + 2] = row[INJECTION], row[_BOUND]


def _read(state: State, base: int, arm: int, message: Floats) -> tuple[float, float]:
    """Features to `state.row`, the gradient, shortened to G, to `state.slope`; returns the response and the variance of the noise."""
    row, slope, point, dimension = state.row, state.slope, state.learners.points[base], state.row.shape[0]
    size = (message.shape[0] - 1) // 2
    bound = state.table[base, state.counters.epoch[base], _BOUND]
    response, variance = float(message[0]), 0.0
    if size == dimension:  # (x~, y~, g)
        response, variance, square = float(message[dimension]), state.settings.variance, 0.0
        for i in range(dimension):
            row[i], slope[i] = message[i], message[dimension + 1 + i]
            square += slope[i] * slope[i]
        length = math.sqrt(square)
    else:
        if size > 0:
            response = float(message[size - 1])
        for i in range(dimension):
            row[i] = message[i] if size > 0 else (1.0 if i == arm else 0.0)
        length = gradient(point, row, response, 0.0, slope)
    square = response * response
    for i in range(dimension):
        square += row[i] * row[i]
    if not (square < math.inf and length < math.inf):
        raise ValueError("a report has no finite length: must be finite numbers, their squares too")
    if clip(slope, length, bound) or length >= bound * (1.0 - 1e-12):
        state.counters.clipped[base] += 1
    return response, variance


def _diagnose(state: State, base: int, response: float, variance: float) -> None:
    """Adds to the path and to the regret of the learner in this epoch."""
    measures, point, truth = state.measures, state.learners.points[base], state.truth
    for i in range(truth.shape[0]):
        measures.path[base] += (point[i] - truth[i]) * (point[i] - truth[i])
    difference = value(point, state.row, response, variance) - value(truth, state.row, response, variance)
    measures.regret[base] += difference


def _add(state: State, base: int) -> None:
    """V~ + x~ x~', and u~ + <theta_t, x~> x~, from `state.row`."""
    row, matrix, point, sums = state.row, state.matrices[base], state.learners.points[base], state.sums[base]
    inner = 0.0
    for i in range(row.shape[0]):
        inner += point[i] * row[i]
        for j in range(i + 1):
            matrix[i * (i + 1) // 2 + j] += row[i] * row[j]
    for i in range(row.shape[0]):
        sums[i] += inner * row[i]
    if state.counters.definite[base] == 1 and add_row(state.inverses[base], row, state.image) < 0.0:
        state.counters.definite[base] = 0


read, diagnose, add = compiled(_read, inline=True), compiled(_diagnose, inline=True), compiled(_add, inline=True)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    settings, counters, measures, learners, base = state.settings, state.counters, state.measures, state.learners, state.current[0]
    covers = True
    if settings.diagnose:
        covers = squared_norm(state.matrices[base], state.centres[base], state.truth) <= measures.radius[base] * measures.radius[base]
    for position in range(arms.shape[0]):
        response, variance = read(state, base, arms[position], batch[position])
        if settings.diagnose:
            diagnose(state, base, response, variance)
            counters.outside[base] += 0 if covers else 1
        add(state, base)
        listen(learners, base, state.slope)
        counters.own[base] += 1
        counters.inside[base] += 1
        if settings.combine:
            tally(state, base, response)
    predict(learners, base)
    epoch = counters.epoch[base]
    while epoch + 1 < state.table.shape[1] and counters.own[base] >= state.table[base, epoch, END]:
        epoch += 1
    if epoch > counters.epoch[base]:
        begin(state, base, epoch)
    prepare(state, base)
    if settings.combine:
        select(state)
    publish(state, statistic)


def _publish(state: State, statistic: Floats) -> None:
    """V~, u~ and theta of the base learner of the next round; its index, where there are several; and the diagnostics."""
    base = state.current[0]
    matrix, sums, point, place = state.matrices[base], state.sums[base], state.learners.points[base], 0
    copy(matrix, statistic)
    copy(sums, statistic[matrix.shape[0] :])
    copy(point, statistic[matrix.shape[0] + sums.shape[0] :])
    place = matrix.shape[0] + sums.shape[0] + point.shape[0]
    if state.settings.combine:
        statistic[place] = base
        place += 1
    if state.settings.diagnose:
        counters, measures = state.counters, state.measures
        statistic[place] = measures.radius[base]
        statistic[place + 1] = math.sqrt(max(squared_norm(matrix, state.centres[base], state.truth), 0.0))
        statistic[place + 2] = counters.outside[base]
        statistic[place + 3] = counters.clipped[base]
        statistic[place + 4] = measures.path[base]
        statistic[place + 5] = measures.regret[base]


def _accepts(raw: int, messages: int, width: int) -> bool:
    """One message: the raw one, or the report of `LocalRow`."""
    return messages == 1 and width in (raw, raw - 2 if raw > 1 else raw)


publish = compiled(_publish, inline=True)
start, choose = compiled(_start), compiled(_choose, inline=True)
report, learn = compiled(_report, inline=True), compiled(_learn, inline=True)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run), accepts=_accepts)
