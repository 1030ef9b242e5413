"""Kernels of LinUCB over one state: `policy` says what they compute, and fills the state.

Numbers. G_t and u_t are kept with the rounding error of every addition (Knuth's TwoSum) and used with it. Not private, V_t^-1 and theta~_t
are updated row by row, and computed afresh from these sums when it is time: the largest relative difference that this ever removed from
V_t^-1 is the `drift`; private, it is what sums without the errors would be off by. A drift of 1e-8 raises FloatingPointError if strict.

When it is time. A row adds about 0.05 u cond(V_t) to the relative error, u = 2^-52 (measured, where cond = 1.4e7). With tr(V) tr(V^-1) in
place of cond(V), which is not larger, V is inverted after so many rows that the error stays below 7e-9, at most 4096 and at most as many
as there were so far (at first 32), since the condition number grows with them; and at once after a row that takes three digits from V^-1,
or more than there are. A decision set that stays has scores of its own (`kept`), computed afresh at the same time.
"""

import math
from typing import Any, NamedTuple

from banditproof import randomness
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.noise import (
    GammaConstants,
    NodeNoise,
    Scratch,
    complete,
    gaussian_nodes,
    restart,
    wishart_nodes,
)
from banditproof.algorithms.policies.lin_ucb.ellipsoid import best_of, grow, invert, squared_norm, times
from banditproof.algorithms.policies.lin_ucb.kept import FRESH, STALE, UNKNOWN, Kept, best_kept, follow, is_kept
from banditproof.direct import interact_on_sets
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled, copy, of_lanes
from banditproof.lanes import EIGHT, picking, read, side_by_side, write
from banditproof.randomness import uniform
from banditproof.simulation import Plan, interact

# How V and u~ are perturbed, `Settings.mode`; `policy` has the enumeration to each.
RIDGE, GAUSSIAN, WISHART, LISTED = 0, 1, 2, 3
# How the arm is chosen, `Settings.rule`.
OPTIMISTIC, GREEDY, UNIFORM = 0, 1, 2
_FIRST, _MOST, _ROWS_PER_CONDITION, _LONG_ROW = 32, 4096, 6e8, 1e3  # rows, rows; 7e-9 / (0.05 u); 1 + x' V^-1 x
_CHECK, _WORST_DRIFT = 4096, 1e-8  # rows
_SMALL_GAIN = 1.0 / 32.0


class Settings(NamedTuple):
    """What a run never changes."""

    mode: int
    rule: int
    upper_form: bool  # of the radius
    strict: bool
    diagnose: bool
    planned_horizon: int
    padded_levels: int
    noise: NodeNoise
    shift: float  # what is added to the diagonal
    row_norm: float  # rows are shortened to this length; infinite where they are not private
    reward_sigma: float
    radicand_base: float
    radius_tail: float
    rho_max: float
    growth: float  # of the upper form: what a row adds to rho_max inside the logarithm


class Counters(NamedTuple):
    """Numbers of a run, arrays (1,): rows so far and at the next renewal, and rounds of which the good event excludes each."""

    rows: Ints
    waiting: Ints  # rows that are not in the sums yet
    renewal: Ints  # rows at which the drift is measured, and without noise V^-1 computed afresh
    indefinite: Ints  # rounds in which V was not positive definite
    clamped: Ints  # rounds in which the radicand was negative
    outside: Ints  # rounds in which theta* lay outside the ellipsoid


class Flags(NamedTuple):
    """1 or 0 for the next choice, arrays (1,)."""

    definite: Ints
    clamped: Ints
    outside: Ints


class Measures(NamedTuple):
    """Numbers of the last update, for the record: arrays of shape (1,)."""

    radius: Floats
    log_determinant: Floats  # of V
    drift: Floats


class Diagnostics(NamedTuple):
    """The numbers behind the statistic, where they are asked for: see LinUCB.truth."""

    indefinite: float
    clamped: float
    outside: float
    drift: float
    radius: float


DIAGNOSTICS = len(Diagnostics._fields)


class State(NamedTuple):
    """q = d (d + 1) / 2 + d numbers hold G and u (or V and u~), m levels the tree; b = d (d + 1) / 2."""

    settings: Settings
    counters: Counters
    flags: Flags
    measures: Measures
    sums: Floats  # (q,)
    errors: Floats  # (q,): of the sums
    terms: Floats  # (q,): those of one row
    waiting: Floats  # (n, 8): rows, in five dimensions, before they are added
    release: Floats  # (q,)
    suffix_sums: Floats  # (m + 1, q)
    padding_noise: Floats  # (m, q)
    fixed_noise: Floats  # (n, q): the perturbations of each round, where they are given
    nodes: Floats  # (r, q): the noise of r nodes, drawn at a time; learners with the same `Settings.noise` may share them
    cached_from: Ints  # (1,): the first of these nodes, 0: none yet
    cached_key: Words  # (3,): the key of their run
    scratch: Scratch
    gammas: GammaConstants
    inverse: Floats  # (b,): V^-1
    factor: Floats  # (b,): of V
    former_inverse: Floats  # (b,): V^-1 before it was inverted afresh
    centre: Floats  # (d,): theta~
    row: Floats  # (d,): a row's features
    image: Floats  # (d,): V^-1 times the row
    true_parameter: Floats  # (d,): theta*
    features: Floats  # (d, WIDE): some arms at a time
    kept: Kept


def _invert(state: State) -> None:
    """V^-1, ln det V and theta~ from the release, and when this is done again."""
    dimension, rows, trace, inverse_trace = state.centre.shape[0], state.counters.rows[0], 0.0, 0.0
    state.flags.definite[0], state.measures.log_determinant[0] = invert(state.release, state.factor, state.inverse, dimension)
    if state.flags.definite[0] == 1:
        times(state.inverse, state.release[state.inverse.shape[0] :], state.centre)
    if state.settings.mode != RIDGE:
        state.counters.renewal[0] = rows - rows % _CHECK + _CHECK
        return
    state.kept.known[0] = min(state.kept.known[0], STALE)
    state.counters.renewal[0] = rows + _FIRST
    if state.flags.definite[0] == 1:
        for row in range(dimension):
            trace += state.release[row * (row + 1) // 2 + row]
            inverse_trace += state.inverse[row * (row + 1) // 2 + row]
        most = min(_MOST, max(rows, _FIRST))
        state.counters.renewal[0] = rows + max(int(min(_ROWS_PER_CONDITION / (trace * inverse_trace), float(most))), 1)


def _set_radius(state: State) -> None:
    """The radius of the next choice, and what the good event excludes."""
    settings, flags, measures, rows = state.settings, state.flags, state.measures, state.counters.rows[0]
    dimension = state.centre.shape[0]
    if flags.definite[0] == 0:
        if settings.strict:
            raise ValueError("the perturbed Gram matrix must be positive definite: outside the good event (strict)")
        return
    radicand = settings.radicand_base + measures.log_determinant[0]
    if settings.upper_form:
        radicand = settings.radicand_base + dimension * math.log(settings.rho_max + settings.growth * (rows + 1))
    flags.clamped[0] = 1 if radicand < 0.0 else 0
    radius = settings.reward_sigma * math.sqrt(max(radicand, 0.0)) + settings.radius_tail
    measures.radius[0] = radius
    if settings.diagnose:
        flags.outside[0] = 1 if squared_norm(state.release, state.centre, state.true_parameter) > radius * radius else 0


def _publish(state: State) -> None:
    """The sums, with their rounding errors, and the noise of the prefix that is complete."""
    sums, errors, release, shift = state.sums, state.errors, state.release, state.settings.shift
    noise = state.suffix_sums[0]
    if state.settings.mode == LISTED:
        noise = state.fixed_noise[min(state.counters.rows[0], state.fixed_noise.shape[0] - 1)]
    size = release.shape[0]
    if state.counters.waiting[0] > 0:
        add_waiting(state)
    if size < EIGHT:
        for column in range(size):
            release[column] = (sums[column] + errors[column]) + noise[column]
    for start in range(0, size if size >= EIGHT else 0, EIGHT):
        at = min(start, size - EIGHT)
        write(release, at, (read(sums, at, EIGHT) + read(errors, at, EIGHT)) + read(noise, at, EIGHT))
    for row in range(state.centre.shape[0]):
        release[row * (row + 1) // 2 + row] += shift


def _nodes(state: State, key: Words, first: int, fresh: Floats) -> None:
    """The noise of the nodes from `first` on, fresh (n, q), or of levels' padding."""
    together = state.scratch.drawn.shape[0]
    for start in range(0, fresh.shape[0], together):
        some = fresh[start : min(start + together, fresh.shape[0])]
        if state.settings.mode == GAUSSIAN:
            gaussian_nodes(key, first + start, state.settings.noise.sigma, some, state.scratch)
        else:
            wishart_nodes(key, first + start, state.gammas, state.settings.noise.scale, some, state.scratch)


# Inlined: the state's arrays are a hundred arguments of a call.
invert_release, set_radius = compiled(_invert, inline=True), compiled(_set_radius, inline=True)
publish, draw_nodes = compiled(_publish, inline=True), compiled(_nodes, inline=True)


_FIRST_PAD = gram_noise.pad_number(0)


def _start(state: State, key: Words) -> None:
    for column in range(state.sums.shape[0]):
        state.sums[column], state.errors[column] = 0.0, 0.0
    for counter in state.counters:
        counter[0] = 0
    for flag in state.flags:
        flag[0] = 0
    for measure in state.measures:
        measure[0] = 0.0
    if state.cached_key[0] != key[0] or state.cached_key[1] != key[1] or state.cached_key[2] != key[2]:
        state.cached_from[0] = 0
        copy(key, state.cached_key)
    for level in range(state.settings.padded_levels):
        draw_nodes(state, key, _FIRST_PAD + level, state.padding_noise[level : level + 1])
    restart(state.suffix_sums, state.padding_noise)
    state.kept.known[0] = UNKNOWN
    publish(state)
    invert_release(state)
    set_radius(state)


def _pick(state: State, key: Words, round: int, sets: Floats, place: int, arms: int, stays: bool) -> int:
    """The arm of the round, of the columns place .. place + arms - 1 of sets (d, n); `stays`: they are those of the round before, as the
    caller knows."""
    settings, counters, flags, inverse, centre = state.settings, state.counters, state.flags, state.inverse, state.centre
    if settings.rule == UNIFORM:
        return int(uniform(key, randomness.CHOICES, round) * arms)
    if flags.definite[0] == 0:
        counters.indefinite[0] += 1
        if not stays:  # what is kept is of the set before, and the next round's may stay
            state.kept.known[0] = UNKNOWN
        return 0
    counters.clamped[0] += flags.clamped[0]
    counters.outside[0] += flags.outside[0]
    radius = 0.0 if settings.rule == GREEDY else state.measures.radius[0]
    if sets.shape[0] > 0:
        if settings.mode == RIDGE and is_kept(state.kept, sets, place, arms, inverse, centre, stays):
            return best_kept(state.kept, radius, arms)
        return best_of(inverse, centre, radius, sets, place, arms, state.features)
    chosen, best = 0, -math.inf
    for arm in range(arms):  # unit vectors
        score = centre[arm] + radius * math.sqrt(max(inverse[arm * (arm + 1) // 2 + arm], 0.0))
        if score > best:
            chosen, best = arm, score
    return chosen


pick = compiled(_pick, inline=True)


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    return int(pick(state, key, round, contexts.T, 0, contexts.shape[0], False))


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    width = contexts.shape[1]
    for column in range(width):
        message[column] = contexts[arm, column]
    message[width] = reward


def _clip(row: Floats, reward: float, longest: float) -> float:
    """Shortens the row and its reward to length `longest` if they are longer; returns the reward."""
    square = reward * reward
    if row.shape[0] == 5:
        square += (row[0] * row[0] + row[1] * row[1]) + (row[2] * row[2] + row[3] * row[3]) + row[4] * row[4]
    else:
        for column in range(row.shape[0]):
            square += row[column] * row[column]
    if not square < math.inf:
        raise ValueError("a row of features and reward has no finite length: must be finite numbers, their squares too")
    if square > longest * longest:
        factor = longest / math.sqrt(square)
        reward *= factor
        for column in range(row.shape[0]):
            row[column] *= factor
    return float(reward)


clip = compiled(_clip, inline=True)


def _row(state: State, arm: int, message: Floats) -> float:
    """The row's features go to `state.row`, its reward is returned; both shortened to length row_norm if they are longer."""
    row, width = state.row, message.shape[0] - 1
    for column in range(row.shape[0]):
        row[column] = message[column] if width > 0 else 0.0
    if width == 0:
        row[arm] = 1.0
    return clip(row, message[width], state.settings.row_norm)


def _two_sum(before: Any, term: Any) -> tuple[Any, Any]:
    """The sum of two numbers, or of lanes, and its rounding error (Knuth)."""
    total = before + term
    fraction = total - before
    return total, (before - (total - fraction)) + (term - fraction)


two_sum = of_lanes(_two_sum)
# Of (x, y), eight lanes, the two factors of the packed x x' and then of y x, for d = 5: eight of them, eight and four.
first_left, first_right = picking(0, 1, 1, 2, 2, 2, 3, 3), picking(0, 0, 1, 0, 1, 2, 0, 1)
second_left, second_right = picking(3, 3, 4, 4, 4, 4, 4, 5), picking(2, 3, 0, 1, 2, 3, 4, 0)
third_left, third_right = picking(5, 5, 5, 5), picking(1, 2, 3, 4)


def _add_in_five(sums: Floats, errors: Floats, rows: Floats, count: int) -> None:
    """`add` for d = 5, the papers' experiments, of the first rows (n, 8): features, reward, and two numbers that do not matter."""
    first, second, third = read(sums, 0, 8), read(sums, 8, 8), read(sums, 16, 4)
    first_errors, second_errors, third_errors = read(errors, 0, 8), read(errors, 8, 8), read(errors, 16, 4)
    for place in range(count):
        numbers = read(rows[place], 0, 8)
        first, error = two_sum(first, first_left(numbers) * first_right(numbers))
        first_errors = first_errors + error
        second, error = two_sum(second, second_left(numbers) * second_right(numbers))
        second_errors = second_errors + error
        third, rest = two_sum(third, third_left(numbers) * third_right(numbers))
        third_errors = third_errors + rest
    write(sums, 0, first)
    write(sums, 8, second)
    write(sums, 16, third)
    write(errors, 0, first_errors)
    write(errors, 8, second_errors)
    write(errors, 16, third_errors)


add_in_five = compiled(_add_in_five, inline=True)


def _add_waiting(state: State) -> None:
    """Adds the rows that wait."""
    add_in_five(state.sums, state.errors, state.waiting, state.counters.waiting[0])
    state.counters.waiting[0] = 0


add_waiting = compiled(_add_waiting, inline=True)


def _add(state: State, reward: float) -> None:
    """Adds `state.row` to the sums; the errors of the additions, exact each, add up beside them. In five dimensions rows wait until the
    sums are asked for, or there is no room left, and then are added in the same order."""
    row, terms, sums, errors, dimension, waiting = (
        state.row,
        state.terms,
        state.sums,
        state.errors,
        state.row.shape[0],
        state.counters.waiting,
    )
    if dimension == 5:
        write(state.waiting[waiting[0]], 0, side_by_side(row[0], row[1], row[2], row[3], row[4], reward, 0.0, 0.0))
        waiting[0] += 1
        if waiting[0] == state.waiting.shape[0]:
            add_waiting(state)
        return
    for i in range(dimension):  # the packed x x', then y x
        for j in range(i + 1):
            terms[i * (i + 1) // 2 + j] = row[i] * row[j]
    for j in range(dimension):
        terms[dimension * (dimension + 1) // 2 + j] = reward * row[j]
    whole = terms.shape[0] - terms.shape[0] % EIGHT
    for place in range(0, whole, EIGHT):
        totals, rests = two_sum(read(sums, place, EIGHT), read(terms, place, EIGHT))
        write(errors, place, read(errors, place, EIGHT) + rests)
        write(sums, place, totals)
    for place in range(whole, terms.shape[0]):
        total, rest = two_sum(sums[place], terms[place])
        errors[place] += rest
        sums[place] = total


def _drift(before: Floats, after: Floats) -> float:
    """Largest difference relative to the largest entry."""
    apart, size = 0.0, 0.0
    for column in range(after.shape[0]):
        apart, size = max(apart, abs(before[column] - after[column])), max(size, abs(after[column]))
    return apart / size if size > 0.0 else 0.0


clipped_row, add, drift_of = compiled(_row, inline=True), compiled(_add, inline=True), compiled(_drift)


def _check(state: State) -> None:
    """Measures the drift, without noise by computing V^-1 and theta~ afresh: see the module's text."""
    settings, drift, sums, errors, was_definite = state.settings, state.measures.drift, state.sums, state.errors, state.flags.definite[0]
    if settings.mode == RIDGE:
        copy(state.inverse, state.former_inverse)
        publish(state)
        invert_release(state)
        if was_definite == 1 and state.flags.definite[0] == 1:
            drift[0] = max(drift[0], drift_of(state.former_inverse, state.inverse))
    elif state.counters.rows[0] % _CHECK == 0:
        if state.counters.waiting[0] > 0:
            add_waiting(state)
        apart, size = 0.0, 0.0
        for column in range(sums.shape[0]):
            apart, size = max(apart, abs(errors[column])), max(size, abs(sums[column]))
        if size > 0.0:
            drift[0] = max(drift[0], apart / size)
    if settings.strict and not drift[0] < _WORST_DRIFT:
        raise FloatingPointError("the matrices drifted by 1e-8 from their compensated sums (strict)")


def _log_of_growth(growth: float) -> float:
    """ln growth, for growth >= 1: near 1, as it is after a while, by Taylor's series up to the term below 2^-55 of the first, since the
    radius waits for it."""
    gain = growth - 1.0
    if gain > _SMALL_GAIN:
        return math.log(growth)
    second = gain * gain
    fourth = second * second
    low = (1.0 - gain * 0.5) + second * (1.0 / 3.0 - gain * 0.25)
    middle = (1.0 / 5.0 - gain * (1.0 / 6.0)) + second * (1.0 / 7.0 - gain * 0.125)
    high = (1.0 / 9.0 - gain * 0.1) + second * (1.0 / 11.0)
    return gain * (low + fourth * (middle + fourth * high))


log_of_growth = compiled(_log_of_growth, inline=True)


def _grow_by_row(state: State, reward: float) -> None:
    """V^-1, ln det V, theta~ and what is kept of the decision set, after `state.row`."""
    row, image, centre, response = state.row, state.image, state.centre, 0.0
    growth = grow(state.inverse, row, image)
    if growth < 1.0:
        state.flags.definite[0], state.counters.renewal[0] = 0, 0
        return
    if growth > _LONG_ROW:
        state.counters.renewal[0] = 0
    state.measures.log_determinant[0] += log_of_growth(growth)
    if row.shape[0] == 5:
        response = (row[0] * centre[0] + row[1] * centre[1]) + (row[2] * centre[2] + row[3] * centre[3]) + row[4] * centre[4]
    else:
        for column in range(centre.shape[0]):
            response += row[column] * centre[column]
    step = (reward - response) / growth
    for column in range(centre.shape[0]):
        centre[column] += step * image[column]
    if state.kept.known[0] == FRESH:
        follow(state.kept, image, growth, step)


check, grow_by_row = compiled(_check, inline=True), compiled(_grow_by_row, inline=True)


def _absorb(state: State, key: Words, reward: float) -> None:
    """Takes `state.row` and its reward into the sums, and draws the noise of the node that completes."""
    settings, counters, rows, mode = state.settings, state.counters, state.counters.rows, state.settings.mode
    add(state, reward)
    rows[0] += 1
    if mode == RIDGE and state.flags.definite[0] == 1:
        grow_by_row(state, reward)
    if rows[0] >= counters.renewal[0]:
        check(state)
    if mode in (GAUSSIAN, WISHART) and rows[0] < settings.planned_horizon:
        cached_from, node = state.cached_from, rows[0]
        if cached_from[0] == 0 or node < cached_from[0] or node >= cached_from[0] + state.nodes.shape[0]:
            cached_from[0] = node
            draw_nodes(state, key, node, state.nodes)
        complete(state.suffix_sums, state.padding_noise, node, state.nodes[node - cached_from[0]])


def _release(state: State, seen: bool) -> None:
    """V, theta~ and the radius of the next choice; without noise V is made up only where it is `seen` (or diagnosed)."""
    settings, mode = state.settings, state.settings.mode
    if mode in (GAUSSIAN, WISHART) and state.counters.rows[0] >= settings.planned_horizon:
        return
    if mode != RIDGE or seen or settings.diagnose:
        publish(state)
    if mode != RIDGE:
        invert_release(state)
    set_radius(state)


absorb, release = compiled(_absorb, inline=True), compiled(_release, inline=True)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    counters, measures = state.counters, state.measures
    for position in range(arms.shape[0]):
        absorb(state, key, clipped_row(state, arms[position], batch[position]))
    release(state, True)
    copy(state.release, statistic)
    if state.settings.diagnose:
        diagnostics = Diagnostics(
            indefinite=float(counters.indefinite[0]),
            clamped=float(counters.clamped[0]),
            outside=float(counters.outside[0]),
            drift=measures.drift[0],
            radius=measures.radius[0],
        )
        for place in range(DIAGNOSTICS):
            statistic[state.release.shape[0] + place] = diagnostics[place]


def _learn_at_once(state: State, key: Words, round: int, arm: int, sets: Floats, place: int, reward: float) -> None:
    """The same for one row, a column of sets (d, n), that nobody changed; and without a statistic."""
    row, width = state.row, sets.shape[0]
    for column in range(row.shape[0]):
        row[column] = sets[column, place] if width > 0 else 0.0
    if width == 0:
        row[arm] = 1.0
    absorb(state, key, clip(row, reward, state.settings.row_norm))
    release(state, False)


start, choose = compiled(_start), compiled(_choose, inline=True)
report, learn = compiled(_report, inline=True), compiled(_learn, inline=True)
learn_at_once = compiled(_learn_at_once, inline=True)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


def _direct(state: State, plan: Plan) -> None:
    interact_on_sets(start, pick, learn_at_once, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run), direct=compiled(_direct), sets=True)
