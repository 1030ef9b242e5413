"""The rounds of every online learner, over the arrays of `protocol`: `hear` a gradient, then `move` to the next point.

With g the gradient at the played point theta, inner = <g, expert - theta> and eta the expert's learning rate, the surrogate losses and
steps of Maler's experts are

    convex           eta inner + (eta G D_M)^2                      expert - D_M g / (G sqrt t)
    strongly convex  eta inner + (eta G |expert - theta|)^2         expert - h / (2 eta^2 G^2 t),  h = eta g + 2 eta^2 G^2 (expert - theta)
    exp-concave      eta inner + (eta inner)^2                      expert - A^-1 h / b,           h = eta (1 + 2 eta inner) g, A += h h'

each projected onto the ball, the last one in the norm of A. Weights are kept as logarithms and renormalised in every round.

Experts of a curved family are taken EIGHT at a time, side by side. A^-1 is updated row by row (Sherman and Morrison 1950) and computed
afresh from A every 512 gradients.
"""

import math

from banditproof.algorithms.draws.powers import exponential
from banditproof.algorithms.learners.projections import project, shorten
from banditproof.algorithms.learners.protocol import BOUND, FAMILY, HEARD, MALER, NEWTON, NORM, ROOT_STEP, RULE, STEP, Arrays, breadth
from banditproof.algorithms.policies.lin_ucb.ellipsoid import invert
from banditproof.interaction import Floats
from banditproof.kernels import compiled, of_lanes
from banditproof.lanes import EIGHT, Lanes, filled, larger, largest, ratio, read, roots, select, write

_REFRESH = 512


breadth_of = compiled(breadth, inline=True)


def _step(arrays: Arrays, place: int, length: float, gradient: Floats) -> None:
    """Moves the expert of a place against the gradient, so far, and back to the ball."""
    own = arrays.scratch[: gradient.shape[0]]
    for i in range(own.shape[0]):
        own[i] = arrays.experts[i, place] - length * gradient[i]
    shorten(own, arrays.settings[NORM])
    for i in range(own.shape[0]):
        arrays.experts[i, place] = own[i]


step = compiled(_step, inline=True)


def _descend(arrays: Arrays, gradient: Floats) -> None:
    """Gradient descent with steps s / sqrt(t) or s / t."""
    time, size = arrays.counts[HEARD], arrays.settings[STEP]
    step(arrays, 0, size / math.sqrt(time) if arrays.counts[RULE] == ROOT_STEP else size / time, gradient)


def _hear_convex(arrays: Arrays, place: int, gradient: Floats) -> None:
    """The convex expert's weight and step."""
    bound, norm, rate, inner = arrays.settings[BOUND], arrays.settings[NORM], arrays.rates[place], 0.0
    for i in range(gradient.shape[0]):
        inner += gradient[i] * (arrays.experts[i, place] - arrays.point[i])
    spread = rate * bound * (2.0 * norm)
    arrays.log_weights[place] -= rate * inner + spread * spread
    step(arrays, place, 2.0 * norm / (bound * math.sqrt(arrays.counts[HEARD])), gradient)


def _hear_strongly_convex(arrays: Arrays, place: int, gradient: Floats) -> None:
    """Weights and steps of the EIGHT strongly convex experts from a place on."""
    bound, rate, experts, point = arrays.settings[BOUND], read(arrays.rates, place, EIGHT), arrays.experts, arrays.point
    border = arrays.settings[NORM] * arrays.settings[NORM]
    inner, square = filled(0.0, EIGHT), filled(0.0, EIGHT)
    for i in range(point.shape[0]):
        apart = read(experts[i], place, EIGHT) - point[i]
        inner, square = inner + gradient[i] * apart, square + apart * apart
    curvature = 2.0 * rate * rate * bound * bound
    write(arrays.log_weights, place, read(arrays.log_weights, place, EIGHT) - (rate * inner + 0.5 * curvature * square))
    length, norm = ratio(filled(1.0, EIGHT), curvature * float(arrays.counts[HEARD])), filled(0.0, EIGHT)
    for i in range(point.shape[0]):
        expert = read(experts[i], place, EIGHT)
        moved = expert - length * (rate * gradient[i] + curvature * (expert - point[i]))
        write(experts[i], place, moved)
        norm = norm + moved * moved
    if largest(norm) > border:
        outside = ratio(filled(arrays.settings[NORM], EIGHT), roots(larger(norm, border)))
        factor = select(norm > border, outside, 1.0)
        for i in range(point.shape[0]):
            write(experts[i], place, read(experts[i], place, EIGHT) * factor)


def _hear_exp_concave(arrays: Arrays, first: int, place: int, gradient: Floats) -> None:
    """Weights and steps of the EIGHT exp-concave experts from a place on, which are the family's from `first` on."""
    rate, experts, point, dimension = read(arrays.rates, place, EIGHT), arrays.experts, arrays.point, arrays.point.shape[0]
    metrics, inverses, images = arrays.metrics, arrays.inverses, arrays.scratch
    inner = filled(0.0, EIGHT)
    for i in range(dimension):
        inner = inner + gradient[i] * (read(experts[i], place, EIGHT) - point[i])
    tilted = rate * inner
    write(arrays.log_weights, place, read(arrays.log_weights, place, EIGHT) - (tilted + tilted * tilted))
    slope, growth = rate * (1.0 + 2.0 * tilted), filled(1.0, EIGHT)
    for i in range(dimension):  # images: A^-1 h of each
        start, mine = i * (i + 1) // 2, slope * gradient[i]
        total = filled(0.0, EIGHT)
        for j in range(dimension):
            at = start + j if j <= i else j * (j + 1) // 2 + i
            total = total + read(inverses[at], first, EIGHT) * (slope * gradient[j])
            if j <= i:
                write(metrics[at], first, read(metrics[at], first, EIGHT) + mine * (slope * gradient[j]))
        write(images, i * EIGHT, total)
        growth = growth + mine * total
    share, norm = ratio(filled(1.0, EIGHT), growth), filled(0.0, EIGHT)
    per_newton = 1.0 / arrays.settings[NEWTON]
    for i in range(dimension):
        start, part = i * (i + 1) // 2, read(images, i * EIGHT, EIGHT) * share
        for j in range(i + 1):
            write(inverses[start + j], first, read(inverses[start + j], first, EIGHT) - part * read(images, j * EIGHT, EIGHT))
        moved = read(experts[i], place, EIGHT) - part * per_newton
        write(experts[i], place, moved)
        norm = norm + moved * moved
    if arrays.counts[HEARD] % _REFRESH == 0:
        for lane in range(EIGHT):
            refresh(arrays, first + lane)
    border = arrays.settings[NORM] * arrays.settings[NORM]
    if largest(norm) > border:
        write(images, 0, norm)
        for lane in range(EIGHT):
            if images[lane] > border:
                bring_back(arrays, first + lane, place + lane)


def _refresh(arrays: Arrays, column: int) -> None:
    """A^-1 of one exp-concave expert from its A."""
    dimension, size = arrays.point.shape[0], arrays.metrics.shape[0]
    room = arrays.scratch[EIGHT * dimension :]
    metric, factor, inverse = room[:size], room[size : 2 * size], room[2 * size : 3 * size]
    for at in range(size):
        metric[at] = arrays.metrics[at, column]
    invert(metric, factor, inverse, dimension)
    for at in range(size):
        arrays.inverses[at, column] = inverse[at]


def _bring_back(arrays: Arrays, column: int, place: int) -> None:
    """Projects one exp-concave expert onto the ball, in the norm of its A."""
    dimension, size = arrays.point.shape[0], arrays.metrics.shape[0]
    room = arrays.scratch[EIGHT * dimension :]
    metric, expert = room[:size], room[size : size + dimension]
    for at in range(size):
        metric[at] = arrays.metrics[at, column]
    for i in range(dimension):
        expert[i] = arrays.experts[i, place]
    project(metric, expert, arrays.settings[NORM], room[size + dimension :])
    for i in range(dimension):
        arrays.experts[i, place] = expert[i]


descend, hear_convex = compiled(_descend, inline=True), compiled(_hear_convex, inline=True)
refresh, bring_back = compiled(_refresh), compiled(_bring_back)
hear_strongly_convex, hear_exp_concave = compiled(_hear_strongly_convex, inline=True), compiled(_hear_exp_concave, inline=True)


def _sum(lanes: Lanes, room: Floats) -> float:
    """The sum of EIGHT lanes; `room` (n,) begins with as many numbers of scratch."""
    write(room, 0, lanes)
    return float(((room[0] + room[1]) + (room[2] + room[3])) + ((room[4] + room[5]) + (room[6] + room[7])))


sum_of = of_lanes(_sum)


def _weigh(arrays: Arrays, experts: int) -> None:
    """Renormalises the logarithms of the weights, and sets the weights to multiples of them."""
    log_weights, weights = arrays.log_weights, arrays.weights
    tops, totals = filled(-math.inf, EIGHT), filled(0.0, EIGHT)
    for place in range(0, experts, EIGHT):
        tops = larger(tops, read(log_weights, place, EIGHT))
    top = largest(tops)
    for place in range(0, experts, EIGHT):
        weight = exponential(read(log_weights, place, EIGHT) - top)
        write(weights, place, weight)
        totals = totals + weight
    size = top + math.log(sum_of(totals, arrays.scratch))
    for place in range(0, experts, EIGHT):
        write(log_weights, place, read(log_weights, place, EIGHT) - size)


weigh = compiled(_weigh, inline=True)


def _hear(arrays: Arrays, gradient: Floats) -> None:
    """One gradient (d,), taken at `arrays.point`, which stays."""
    arrays.counts[HEARD] += 1
    if arrays.counts[RULE] != MALER:
        descend(arrays, gradient)
        return
    family = breadth_of(arrays.counts[FAMILY])
    for first in range(0, family, EIGHT):
        hear_strongly_convex(arrays, first, gradient)
        hear_exp_concave(arrays, first, family + first, gradient)
    hear_convex(arrays, 2 * family, gradient)
    weigh(arrays, 2 * family + EIGHT)


def _move(arrays: Arrays) -> None:
    """The next point: that of the one expert, or the average of all of them with weights pi eta."""
    counts, experts, point, weights, rates = arrays.counts, arrays.experts, arrays.point, arrays.weights, arrays.rates
    if counts[RULE] != MALER:
        for i in range(point.shape[0]):
            point[i] = experts[i, 0]
        return
    total, last = filled(0.0, EIGHT), 2 * breadth_of(counts[FAMILY]) + EIGHT
    for place in range(0, last, EIGHT):
        total = total + read(weights, place, EIGHT) * read(rates, place, EIGHT)
    whole = sum_of(total, arrays.scratch)
    for i in range(point.shape[0]):
        column = filled(0.0, EIGHT)
        for place in range(0, last, EIGHT):
            column = column + read(weights, place, EIGHT) * read(rates, place, EIGHT) * read(experts[i], place, EIGHT)
        point[i] = sum_of(column, arrays.scratch) / whole
    shorten(point, arrays.settings[NORM])  # an average of points of the ball; rounding may leave it


def _restart(arrays: Arrays, settings: Floats, family: int, rates: Floats, log_priors: Floats, metric: float) -> None:
    """A fresh learner in the arrays of one with as many learning rates or more: all points at 0, A = metric I, and the given parameters."""
    counts, dimension = arrays.counts, arrays.point.shape[0]
    counts[HEARD], counts[FAMILY] = 0, family
    for place in range(arrays.settings.shape[0]):
        arrays.settings[place] = settings[place]
    for place in range(arrays.rates.shape[0]):
        arrays.rates[place], arrays.log_weights[place] = rates[place], log_priors[place]
        arrays.weights[place] = math.exp(log_priors[place])
    for i in range(dimension):
        arrays.point[i] = 0.0
        for place in range(arrays.rates.shape[0]):
            arrays.experts[i, place] = 0.0
        for j in range(i + 1):
            for column in range(arrays.metrics.shape[1]):
                arrays.metrics[i * (i + 1) // 2 + j, column] = metric if i == j else 0.0
                arrays.inverses[i * (i + 1) // 2 + j, column] = 1.0 / metric if i == j else 0.0


hear, move, restart = compiled(_hear, inline=True), compiled(_move, inline=True), compiled(_restart)


def _update(arrays: Arrays, gradient: Floats) -> None:
    """One gradient, and the next point."""
    hear(arrays, gradient)
    move(arrays)


def _update_all(arrays: Arrays, gradients: Floats, points: Floats) -> None:
    """Gradients (n, d) one after the other; points (n, d) are where each is played."""
    for round in range(gradients.shape[0]):
        for i in range(arrays.point.shape[0]):
            points[round, i] = arrays.point[i]
        hear(arrays, gradients[round])
        move(arrays)


update, update_all = compiled(_update), compiled(_update_all)
