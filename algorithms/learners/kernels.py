"""The rounds of every online learner, over the arrays of `protocol`: `hear` a gradient, then `move` to the next point.

Maler's experts stand in the order convex, m strongly convex, m exp-concave. With g the gradient at the played point theta, inner =
<g, expert - theta> and eta the expert's learning rate, the surrogate losses and steps are

    convex           eta inner + (eta G D_M)^2                      expert - D_M g / (G sqrt t)
    strongly convex  eta inner + (eta G |expert - theta|)^2         expert - h / (2 eta^2 G^2 t),  h = eta g + 2 eta^2 G^2 (expert - theta)
    exp-concave      eta inner + (eta inner)^2                      expert - A^-1 h / b,           h = eta (1 + 2 eta inner) g, A += h h'

each projected onto the ball, the last one in the norm of A. Weights are kept as logarithms and renormalised in every round.

A^-1 is updated row by row (Sherman and Morrison 1950) and computed afresh from A every 512 gradients.
"""

import math

from banditproof.algorithms.learners.projections import project, shorten
from banditproof.algorithms.learners.protocol import BOUND, FAMILY, HEARD, MALER, NEWTON, NORM, ROOT_STEP, RULE, STEP, Arrays
from banditproof.algorithms.policies.lin_ucb.ellipsoid import invert, times
from banditproof.interaction import Floats
from banditproof.kernels import compiled

_REFRESH = 512


def _descend(arrays: Arrays, gradient: Floats) -> None:
    """Gradient descent with steps s / sqrt(t) or s / t."""
    time, step, expert = arrays.counts[HEARD], arrays.settings[STEP], arrays.experts[0]
    length = step / math.sqrt(time) if arrays.counts[RULE] == ROOT_STEP else step / time
    for i in range(expert.shape[0]):
        expert[i] -= length * gradient[i]
    shorten(expert, arrays.settings[NORM])


def _hear_convex(arrays: Arrays, gradient: Floats, inner: float) -> None:
    """The convex expert's weight and step."""
    bound, norm, rate, expert = arrays.settings[BOUND], arrays.settings[NORM], arrays.rates[0], arrays.experts[0]
    spread = rate * bound * (2.0 * norm)
    arrays.log_weights[0] -= rate * inner + spread * spread
    length = 2.0 * norm / (bound * math.sqrt(arrays.counts[HEARD]))
    for i in range(expert.shape[0]):
        expert[i] -= length * gradient[i]
    shorten(expert, norm)


def _hear_strongly_convex(arrays: Arrays, place: int, gradient: Floats, inner: float) -> None:
    """A strongly convex expert's weight and step."""
    bound, rate, expert, point = arrays.settings[BOUND], arrays.rates[place], arrays.experts[place], arrays.point
    square = 0.0
    for i in range(expert.shape[0]):
        square += (expert[i] - point[i]) * (expert[i] - point[i])
    curvature = 2.0 * rate * rate * bound * bound
    arrays.log_weights[place] -= rate * inner + 0.5 * curvature * square
    length = 1.0 / (curvature * arrays.counts[HEARD])
    for i in range(expert.shape[0]):
        expert[i] -= length * (rate * gradient[i] + curvature * (expert[i] - point[i]))
    shorten(expert, arrays.settings[NORM])


def _hear_exp_concave(arrays: Arrays, place: int, gradient: Floats, inner: float) -> None:
    """An exp-concave expert's weight and step."""
    rate, expert, each = arrays.rates[place], arrays.experts[place], place - 1 - arrays.counts[FAMILY]
    metric, inverse = arrays.metrics[each], arrays.inverses[each]
    dimension, size = expert.shape[0], metric.shape[0]
    row, image = arrays.scratch[:dimension], arrays.scratch[dimension : 2 * dimension]
    tilted = rate * inner
    arrays.log_weights[place] -= tilted + tilted * tilted
    slope = rate * (1.0 + 2.0 * tilted)
    for i in range(dimension):
        row[i] = slope * gradient[i]
    for i in range(dimension):
        for j in range(i + 1):
            metric[i * (i + 1) // 2 + j] += row[i] * row[j]
    times(inverse, row, image)
    growth = 1.0
    for i in range(dimension):
        growth += row[i] * image[i]
    for i in range(dimension):
        fraction = image[i] / growth
        for j in range(i + 1):
            inverse[i * (i + 1) // 2 + j] -= fraction * image[j]
        expert[i] -= fraction / arrays.settings[NEWTON]
    if arrays.counts[HEARD] % _REFRESH == 0:
        invert(metric, arrays.scratch[2 * dimension : 2 * dimension + size], inverse, dimension)
    project(metric, expert, arrays.settings[NORM], arrays.scratch[2 * dimension :])


descend, hear_convex = compiled(_descend, inline=True), compiled(_hear_convex, inline=True)
hear_strongly_convex, hear_exp_concave = compiled(_hear_strongly_convex), compiled(_hear_exp_concave)


def _hear(arrays: Arrays, gradient: Floats) -> None:
    """One gradient (d,), taken at `arrays.point`, which stays."""
    counts, experts, point, log_weights = arrays.counts, arrays.experts, arrays.point, arrays.log_weights
    counts[HEARD] += 1
    if counts[RULE] != MALER:
        descend(arrays, gradient)
        return
    family = counts[FAMILY]
    for place in range(1 + 2 * family):
        inner = 0.0
        for i in range(point.shape[0]):
            inner += gradient[i] * (experts[place, i] - point[i])
        if place == 0:
            hear_convex(arrays, gradient, inner)
        elif place <= family:
            hear_strongly_convex(arrays, place, gradient, inner)
        else:
            hear_exp_concave(arrays, place, gradient, inner)
    top, total = -math.inf, 0.0
    for place in range(1 + 2 * family):
        top = max(top, log_weights[place])
    for place in range(1 + 2 * family):
        total += math.exp(log_weights[place] - top)
    size = top + math.log(total)
    for place in range(1 + 2 * family):
        log_weights[place] -= size


def _move(arrays: Arrays) -> None:
    """The next point: that of the one expert, or the average of all of them with weights pi eta."""
    counts, experts, point = arrays.counts, arrays.experts, arrays.point
    dimension = point.shape[0]
    if counts[RULE] != MALER:
        for i in range(dimension):
            point[i] = experts[0, i]
        return
    total = 0.0
    for i in range(dimension):
        point[i] = 0.0
    for place in range(1 + 2 * counts[FAMILY]):
        weight = math.exp(arrays.log_weights[place]) * arrays.rates[place]
        total += weight
        for i in range(dimension):
            point[i] += weight * experts[place, i]
    for i in range(dimension):
        point[i] /= total
    shorten(point, arrays.settings[NORM])  # an average of points of the ball; rounding may leave it


def _restart(arrays: Arrays, settings: Floats, family: int, rates: Floats, log_priors: Floats, metric: float) -> None:
    """A fresh learner in the arrays of one with as many learning rates or more: all points at 0, A = metric I, and the given parameters."""
    counts, dimension = arrays.counts, arrays.point.shape[0]
    counts[HEARD], counts[FAMILY] = 0, family
    for place in range(arrays.settings.shape[0]):
        arrays.settings[place] = settings[place]
    for i in range(dimension):
        arrays.point[i] = 0.0
    for place in range(arrays.experts.shape[0]):
        arrays.rates[place], arrays.log_weights[place] = rates[place], log_priors[place]
        for i in range(dimension):
            arrays.experts[place, i] = 0.0
    for each in range(arrays.metrics.shape[0]):
        for i in range(dimension):
            for j in range(i + 1):
                arrays.metrics[each, i * (i + 1) // 2 + j] = metric if i == j else 0.0
                arrays.inverses[each, i * (i + 1) // 2 + j] = 1.0 / metric if i == j else 0.0


hear, move, restart = compiled(_hear), compiled(_move), compiled(_restart)


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
