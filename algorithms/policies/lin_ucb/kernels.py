"""Kernels of LinUCB over one state: `policy` says what they compute, and fills the state.

Numbers. G_t and u_t are kept with the rounding error of every addition (Knuth's TwoSum) and used with it. Not private, V_t^-1 is updated
row by row and inverted afresh every 32 rows: the largest relative difference that this ever removed is the `drift`; private, the drift is
what sums without the errors would be off by. A drift of 1e-8 raises FloatingPointError in strict mode.
"""

import math
from typing import NamedTuple

from banditproof import randomness
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.noise import Scratch, complete, gaussian_nodes, restart, wishart_nodes
from banditproof.algorithms.policies.lin_ucb.ellipsoid import add_row, best_arm, invert, squared_norm, times
from banditproof.interaction import Floats, Ints, Kernels, Words
from banditproof.kernels import compiled, copy
from banditproof.play import Plan, interact
from banditproof.randomness import uniform


class State(NamedTuple):
    """q = d (d + 1) / 2 + d numbers hold G and u (or V and u~), m levels the tree."""

    options: Ints  # (8,)
    numbers: Floats  # (9,)
    tallies: Ints  # (6,)
    found: Floats  # (4,): radius, ln det V, drift, whether theta* lies outside
    totals: Floats  # (2, q): sums, and their errors
    release: Floats  # (q,)
    upper: Floats  # (m + 1, q)
    pads: Floats  # (m, q)
    given: Floats  # (n, q): the perturbations of each round, where they are given
    nodes: Floats  # (r, q): the noise of r nodes, drawn at a time; learners whose `law_of_nodes` is the same may share them
    held: Ints  # (1,): the first of these nodes, 0: none yet
    held_key: Words  # (3,): the key of their run
    scratch: Scratch
    inverse: Floats  # (3, d (d + 1) / 2): V^-1; the factor of V; V^-1 before it was inverted afresh
    gammas: Floats  # (2, d): constants of the Wishart noise
    vectors: Floats  # (4, d): theta~, a row, scratch, theta*
    features: Floats  # (d, w): some arms at a time
    parts: Floats  # (3, w)


def law_of_nodes(state: State) -> tuple[float, ...]:
    """What the noise of a node hangs on beside key, number and dimension; nothing where there is none."""
    law = float(state.options[_MODE]), float(state.numbers[_SPREAD]), float(state.numbers[_SCALE])
    return law if law[0] in (GAUSSIAN, WISHART) else ()


_MODE, _RULE, _UPPER_FORM, _STRICT, _DIAGNOSE, _PLANNED, _LEVELS, _GIVEN = range(8)
RIDGE, GAUSSIAN, WISHART, LISTED = range(4)
OPTIMISTIC, GREEDY, UNIFORM = range(3)
_SPREAD, _SCALE, _SHIFT, _ROW_NORM, _SIGMA, _BASE, _TAIL, _UPPER_LOG, _UPPER_SLOPE = range(9)  # spread: sigma_noise, or degrees
_ROWS, _DEFINITE, _CLAMPED, _INDEFINITE_ROUNDS, _CLAMPED_ROUNDS, _OUTSIDE_ROUNDS = range(6)
_RADIUS, _LOG_DETERMINANT, _DRIFT, _OUTSIDE = range(4)
_REFRESH, _CHECK, _WORST_DRIFT = 32, 4096, 1e-8  # rows, rows
DIAGNOSTICS = 5  # numbers behind the statistic, where they are asked for: see LinUCB.truth


def _prepare(state: State) -> None:
    """From the release to what the next choice needs: V^-1, ln det V, theta~, the radius; counts what the good event excludes."""
    options, numbers, tallies, found = state.options, state.numbers, state.tallies, state.found
    dimension = state.vectors.shape[1]
    block = state.inverse.shape[1]
    inverse, centre = state.inverse[0], state.vectors[0]
    if options[_MODE] != RIDGE or tallies[_ROWS] % _REFRESH == 0:
        definite, logarithm = invert(state.release, state.inverse[1], inverse, dimension)
        tallies[_DEFINITE], found[_LOG_DETERMINANT] = definite, logarithm
    if tallies[_DEFINITE] == 0:
        if options[_STRICT] == 1:
            raise ValueError("the perturbed Gram matrix must be positive definite: outside the good event (strict)")
        return
    times(inverse, state.release[block:], centre)
    radicand = numbers[_BASE] + found[_LOG_DETERMINANT]
    if options[_UPPER_FORM] == 1:
        radicand = numbers[_BASE] + dimension * math.log(numbers[_UPPER_LOG] + numbers[_UPPER_SLOPE] * (tallies[_ROWS] + 1))
    tallies[_CLAMPED] = 1 if radicand < 0.0 else 0
    found[_RADIUS] = numbers[_SIGMA] * math.sqrt(max(radicand, 0.0)) + numbers[_TAIL]
    if options[_DIAGNOSE] == 1:
        distance = squared_norm(state.release, centre, state.vectors[3])
        found[_OUTSIDE] = 1.0 if distance > found[_RADIUS] * found[_RADIUS] else 0.0


def _publish(state: State) -> None:
    """The sums, with their rounding errors, and the noise of the prefix that is complete."""
    totals, release, shift = state.totals, state.release, state.numbers[_SHIFT]
    sums, errors = totals[0], totals[1]
    noise = state.upper[0]
    if state.options[_MODE] == LISTED:
        noise = state.given[min(state.tallies[_ROWS], state.options[_GIVEN] - 1)]
    for column in range(release.shape[0]):
        release[column] = (sums[column] + errors[column]) + noise[column]
    for row in range(state.vectors.shape[1]):
        release[row * (row + 1) // 2 + row] += shift


def _nodes(state: State, key: Words, first: int, fresh: Floats) -> None:
    """The noise of the nodes from `first` on, fresh (n, q), or of levels' padding."""
    together = state.scratch.drawn.shape[0]
    for start in range(0, fresh.shape[0], together):
        some = fresh[start : min(start + together, fresh.shape[0])]
        if state.options[_MODE] == GAUSSIAN:
            gaussian_nodes(key, first + start, state.numbers[_SPREAD], some, state.scratch)
        else:
            wishart_nodes(key, first + start, state.gammas, state.numbers[_SCALE], some, state.scratch)


# Inlined: the state's arrays are a hundred arguments of a call.
prepare, publish, draw_nodes = compiled(_prepare, inline=True), compiled(_publish, inline=True), compiled(_nodes, inline=True)


_FIRST_PAD = gram_noise.pad_number(0)


def _start(state: State, key: Words) -> None:
    for row in range(state.totals.shape[0]):
        for column in range(state.totals.shape[1]):
            state.totals[row, column] = 0.0
    for tally in range(state.tallies.shape[0]):
        state.tallies[tally] = 0
    for number in range(state.found.shape[0]):
        state.found[number] = 0.0
    if state.held_key[0] != key[0] or state.held_key[1] != key[1] or state.held_key[2] != key[2]:
        state.held[0] = 0
        copy(key, state.held_key)
    for level in range(state.options[_LEVELS]):
        draw_nodes(state, key, _FIRST_PAD + level, state.pads[level : level + 1])
    restart(state.upper, state.pads)
    publish(state)
    prepare(state)


def _choose(state: State, key: Words, round: int, contexts: Floats) -> int:
    tallies, found, inverse, centre = state.tallies, state.found, state.inverse[0], state.vectors[0]
    arms: int = contexts.shape[0]
    if state.options[_RULE] == UNIFORM:
        return int(uniform(key, randomness.CHOICES, round) * arms)
    if tallies[_DEFINITE] == 0:
        tallies[_INDEFINITE_ROUNDS] += 1
        return 0
    tallies[_CLAMPED_ROUNDS] += tallies[_CLAMPED]
    tallies[_OUTSIDE_ROUNDS] += int(found[_OUTSIDE])
    radius = 0.0 if state.options[_RULE] == GREEDY else found[_RADIUS]
    if contexts.shape[1] > 0:
        return best_arm(inverse, centre, radius, contexts, state.features, state.parts)
    chosen, best = 0, -math.inf
    for arm in range(arms):  # unit vectors
        score = centre[arm] + radius * math.sqrt(max(inverse[arm * (arm + 1) // 2 + arm], 0.0))
        if score > best:
            chosen, best = arm, score
    return chosen


def _report(state: State, round: int, arm: int, contexts: Floats, reward: float, message: Floats) -> None:
    width = contexts.shape[1]
    for column in range(width):
        message[column] = contexts[arm, column]
    message[width] = reward


def _row(state: State, arm: int, message: Floats) -> float:
    """The row's features go to vectors[1], its reward is returned; both shortened to length row_norm if they are longer."""
    row, width = state.vectors[1], message.shape[0] - 1
    for column in range(row.shape[0]):
        row[column] = message[column] if width > 0 else 0.0
    if width == 0:
        row[arm] = 1.0
    reward = message[width]
    square = reward * reward
    for column in range(row.shape[0]):
        square += row[column] * row[column]
    if not square < math.inf:
        raise ValueError("a row of features and reward has no finite length: must be finite numbers, their squares too")
    if square > state.numbers[_ROW_NORM] * state.numbers[_ROW_NORM]:
        factor = state.numbers[_ROW_NORM] / math.sqrt(square)
        reward *= factor
        for column in range(row.shape[0]):
            row[column] *= factor
    return float(reward)


def _add(state: State, reward: float) -> None:
    """Adds the row in vectors[1] to the sums; the errors of the additions, exact each, add up beside them."""
    row, dimension, block = state.vectors[1], state.vectors.shape[1], state.inverse.shape[1]
    sums, errors = state.totals[0], state.totals[1]
    for i in range(dimension + 1):
        start, factor = (i * (i + 1) // 2, row[i]) if i < dimension else (block, reward)
        for j in range(min(i + 1, dimension)):
            before, term = sums[start + j], factor * row[j]
            total = before + term
            share = total - before
            errors[start + j] += (before - (total - share)) + (term - share)
            sums[start + j] = total


def _drift(before: Floats, after: Floats) -> float:
    """Largest difference relative to the largest entry."""
    apart, size = 0.0, 0.0
    for column in range(after.shape[0]):
        apart, size = max(apart, abs(before[column] - after[column])), max(size, abs(after[column]))
    return apart / size if size > 0.0 else 0.0


clipped_row, add, drift_of = compiled(_row, inline=True), compiled(_add, inline=True), compiled(_drift)


def _check(state: State) -> None:
    """Measures the drift: see the module's text."""
    options, tallies, found = state.options, state.tallies, state.found
    inverse, sums, errors = state.inverse, state.totals[0], state.totals[1]
    if options[_MODE] == RIDGE:
        for column in range(inverse.shape[1]):
            inverse[2, column] = inverse[0, column]
        publish(state)
        prepare(state)
        found[_DRIFT] = max(found[_DRIFT], drift_of(inverse[2], inverse[0]))
    elif tallies[_ROWS] % _CHECK == 0:
        apart, size = 0.0, 0.0
        for column in range(sums.shape[0]):
            apart, size = max(apart, abs(errors[column])), max(size, abs(sums[column]))
        if size > 0.0:
            found[_DRIFT] = max(found[_DRIFT], apart / size)
    if options[_STRICT] == 1 and not found[_DRIFT] < _WORST_DRIFT:
        raise FloatingPointError("the matrices drifted by 1e-8 from their compensated sums (strict)")


check = compiled(_check, inline=True)


def _learn(state: State, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
    options, tallies, found = state.options, state.tallies, state.found
    mode = options[_MODE]
    private = mode in (GAUSSIAN, WISHART)
    for position in range(arms.shape[0]):
        reward = clipped_row(state, arms[position], batch[position])
        add(state, reward)
        tallies[_ROWS] += 1
        if private and tallies[_ROWS] < options[_PLANNED]:
            held, node = state.held, tallies[_ROWS]
            if held[0] == 0 or node < held[0] or node >= held[0] + state.nodes.shape[0]:
                held[0] = node
                draw_nodes(state, key, node, state.nodes)
            complete(state.upper, state.pads, node, state.nodes[node - held[0]])
        if mode == RIDGE and tallies[_DEFINITE] == 1:
            growth = add_row(state.inverse[0], state.vectors[1], state.vectors[2])
            found[_LOG_DETERMINANT] += growth
            tallies[_DEFINITE] = 1 if growth >= 0.0 else 0
        if tallies[_ROWS] % _REFRESH == 0:
            check(state)
    if not private or tallies[_ROWS] < options[_PLANNED]:
        publish(state)
        prepare(state)
    for column in range(state.release.shape[0]):
        statistic[column] = state.release[column]
    if options[_DIAGNOSE] == 1:
        place = state.release.shape[0]
        for tally in range(3):
            statistic[place + tally] = tallies[_INDEFINITE_ROUNDS + tally]
        statistic[place + 3], statistic[place + 4] = found[_DRIFT], found[_RADIUS]


start, choose = compiled(_start), compiled(_choose, inline=True)
report, learn = compiled(_report, inline=True), compiled(_learn, inline=True)


def _run(state: State, plan: Plan) -> None:
    interact(start, choose, report, learn, state, plan)


KERNELS = Kernels(start, choose, report, learn, compiled(_run))
