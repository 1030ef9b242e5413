"""ldp_linucb_2024: regret of Maler and of gradient descent beside their bounds, on drawn and adversarial losses of each class.

A sequence of losses is a number: dimension, rounds, scale and the adversary's kind are drawn from it, and the adversary sees the point that
is played. The bounds are our reconstruction (Wang, Lu and Zhang 2019 is quoted from memory): a violation is a fault of ours.

    linear           <g_t, theta>, |g_t| <= G
    exp-concave      (<x_t, theta> - y_t)^2, |x_t| <= 1, |y_t| <= D, so G = 4 D
    strongly convex  mu |theta - c_t|^2 / 2, |c_t| <= a multiple of D
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import Any, assert_never

import numpy as np

from banditproof.algorithms.learners.kernels import update
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.learners.protocol import Arrays, Plan
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.glossary.ldp_linucb_2024 import LOSS_CURVATURE
from banditproof.interaction import Floats
from banditproof.kernels import compiled
from banditproof.randomness import generator, key_of
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import learner as statements

SEQUENCES, LONGEST = 200, 20_000  # rounds
SMALLEST = 1e-300  # stands for a V of 0, where predictions and comparator are equal in all rounds


class Losses(Enum):
    """A class of loss sequences."""

    LINEAR = "linear"
    EXP_CONCAVE = "exp_concave"
    STRONGLY_CONVEX = "strongly_convex"


KINDS = ("random", "one direction", "alternating", "switching", "outwards", "inwards", "doubling")
RANDOM, ONE_DIRECTION, ALTERNATING, SWITCHING, OUTWARDS, INWARDS, DOUBLING = range(len(KINDS))


def _aim(kind: int, round: int, rounds: int, point: Floats, drawn: Floats, row: Floats) -> None:
    """`row` becomes the adversary's unit vector, which may depend on the point that is played."""
    away, square = 0.0, 0.0
    for i in range(point.shape[0]):
        away += point[i] * point[i]
    for i in range(row.shape[0]):
        row[i] = 1.0
        if kind == RANDOM:
            row[i] = drawn[i]
        elif kind == OUTWARDS and away > 0.0:
            row[i] = point[i]
        elif kind == INWARDS and away > 0.0:
            row[i] = -point[i]
        elif kind == ALTERNATING:
            row[i] = -1.0 if round % 2 else 1.0
        elif kind == SWITCHING:
            row[i] = 1.0 if 4 * round < rounds else -1.0
        elif kind == DOUBLING:
            row[i] = -1.0 if int(math.log2(round + 1.0)) % 2 else 1.0
        square += row[i] * row[i]
    for i in range(row.shape[0]):
        row[i] /= math.sqrt(square)


aim = compiled(_aim)


def _drive(
    arrays: Arrays, problem: Floats, truth: Floats, drawn: Floats, heard: float, points: Floats, rows: Floats, slopes: Floats
) -> None:
    """All rounds; `problem` is (class, adversary, G, mu or 0, reach). `drawn` (T, d + 2) are normal, one column of them then responses.

    The learner hears `heard` times the gradient: 1, except in a control."""
    kind, bound, curvature, reach, size = int(problem[1]), problem[2], problem[3], problem[4], truth.shape[0]
    for round in range(points.shape[0]):
        row, slope, point = rows[round], slopes[round], points[round]
        for i in range(size):
            point[i] = arrays.point[i]
        aim(kind, round, points.shape[0], point, drawn[round], row)
        response, inner = 0.0, 0.0
        for i in range(size):
            response += row[i] * truth[i]
            inner += row[i] * point[i]
        response = min(max(response + reach * drawn[round, size], -bound / 4.0), bound / 4.0)
        drawn[round, size + 1] = response
        for i in range(size):
            if problem[0] == 0.0:
                slope[i] = heard * bound * row[i]
            elif problem[0] == 1.0:
                slope[i] = heard * 2.0 * row[i] * (inner - response)
            else:
                row[i] *= reach
                slope[i] = heard * curvature * (point[i] - row[i])
        update(arrays, slope)


drive = compiled(_drive)


@dataclass(frozen=True)
class Against:
    """What one sequence comes to beside one comparator u."""

    linear: float  # sum of <g_t, theta_t - u>
    regret: float  # in the losses themselves
    distances: float  # sum of |theta_t - u|^2
    squares: float  # sum of <g_t, theta_t - u>^2


@dataclass(frozen=True)
class Played:
    """A learner's regret on one sequence of losses, and its bound."""

    plan: Plan
    kind: str
    curvature: float  # mu; 0 where the losses are not strongly convex
    comparators: tuple[Against, ...]


MakeLearner = Callable[[float, Plan], Arrays]  # from mu and the plan: a fresh learner


def best(total: Floats, norm: float) -> Floats:
    """The point of the ball of this radius that is best for linear losses with this sum of gradients."""
    length = float(np.linalg.norm(total))
    return np.asarray(-total * (norm / length)) if length > 0.0 else np.zeros(total.size)


@cache
def play(make: MakeLearner, losses: Losses, number: int, heard: float = 1.0) -> Played:
    """The learner on one sequence. Nothing of it depends on anything but the class and the number."""
    rng, kind = generator(key_of(number, "ldp_linucb_2024", losses.value)), number % len(KINDS)
    dimension, rounds, norm = int(rng.integers(1, 6)), int(LONGEST ** rng.uniform(0.1, 1.0)), float(10.0 ** rng.uniform(-1, 1))
    curvature, reach, bound = float(10.0 ** rng.uniform(-1, 1)), norm * float(rng.uniform(0.1, 2.0)), float(10.0 ** rng.uniform(-1, 2))
    truth, drawn = rng.normal(size=dimension), rng.normal(size=(rounds, dimension + 2))
    truth *= norm / np.linalg.norm(truth)
    match losses:
        case Losses.LINEAR:
            place = 0
        case Losses.EXP_CONCAVE:
            place, bound, reach = 1, 4.0 * norm, norm * (number % 3) / 2.0  # the reach is then the noise of the responses
        case Losses.STRONGLY_CONVEX:
            place, bound = 2, curvature * (norm + reach)
        case _:
            assert_never(losses)
    plan = Plan(dimension, rounds, norm, bound)
    arrays, (points, rows, slopes) = make(curvature, plan), (np.zeros((rounds, dimension)) for _ in range(3))
    drive(arrays, np.array([place, kind, bound, curvature, reach]), truth, drawn, heard, points, rows, slopes)
    slopes /= heard
    compare = partial(against, losses, points, slopes, rows, drawn[:, -1], curvature)
    found = tuple(map(compare, comparators(losses, norm, slopes, rows, truth)))
    return Played(plan, KINDS[kind], curvature if losses is Losses.STRONGLY_CONVEX else 0.0, found)


def comparators(losses: Losses, norm: float, slopes: Floats, rows: Floats, truth: Floats) -> list[Floats]:
    """The best point of the ball for the linearised losses, the parameter, 0, and the best one in hindsight where it is known."""
    total = slopes.sum(axis=0)
    found = [-total * (norm / max(float(np.linalg.norm(total)), SMALLEST)), truth, 0.0 * truth]
    if losses is Losses.STRONGLY_CONVEX:
        mean = rows.mean(axis=0)
        found.append(mean * min(1.0, norm / max(float(np.linalg.norm(mean)), SMALLEST)))
    return found


def against(
    losses: Losses, points: Floats, slopes: Floats, rows: Floats, responses: Floats, curvature: float, comparator: Floats
) -> Against:
    """What the sequence comes to beside one comparator."""
    offsets = points - comparator
    products = np.sum(slopes * offsets, axis=1)
    match losses:
        case Losses.LINEAR:
            regret = float(products.sum())
        case Losses.EXP_CONCAVE:
            regret = float(np.sum((np.sum(rows * points, axis=1) - responses) ** 2 - (rows @ comparator - responses) ** 2))
        case Losses.STRONGLY_CONVEX:
            regret = curvature / 2.0 * float(np.sum((points - rows) ** 2) - np.sum((comparator - rows) ** 2))
        case _:
            assert_never(losses)
    return Against(float(products.sum()), regret, float(np.sum(offsets**2)), float(np.sum(products**2)))


# --- beside the bounds --------------------------------------------------------------------------------------------------------------------


def values(theorem: Theorem, found: Played, beside: Against) -> dict[str, Any]:
    """What the theorem is given for one comparator, where it asks for it."""
    variance = beside.squares if theorem is statements.MALER_NEWTON else found.plan.gradient_bound**2 * beside.distances
    known = {
        "horizon": found.plan.horizon,
        "dimension": found.plan.dimension,
        "parameter_norm": found.plan.parameter_norm,
        "clipping": found.plan.gradient_bound,
        "loss_curvature": found.curvature,
        "regret_variance": max(variance, SMALLEST),
    }
    return {quantity.name: known[quantity.name] for quantity in theorem.stated().given}


def regrets(theorem: Theorem, make: MakeLearner, losses: Losses, heard: float = 1.0) -> Iterator[At]:
    """The regret that the theorem speaks of, linearised or in the losses, beside its bound: for each sequence its closest comparator."""
    in_losses = LOSS_CURVATURE in theorem.stated().given
    sequences = [play(make, losses, number, heard) for number in range(SEQUENCES)]
    given = [values(theorem, found, beside) for found in sequences for beside in found.comparators]
    bounds = iter(theorem.function()(**{name: np.array([each[name] for each in given]) for name in given[0]}).tolist())
    for number, found in enumerate(sequences):
        pairs = [(beside.regret if in_losses else beside.linear, next(bounds)) for beside in found.comparators]
        regret, allowed = max(pairs, key=lambda pair: pair[0] / pair[1])
        shown = {"losses": losses.value, "sequence": number, "adversary": found.kind, "d": found.plan.dimension, "T": found.plan.horizon}
        yield At(shown, Fraction(regret), Fraction(allowed))


def maler(curvature: float, plan: Plan) -> Arrays:
    """Maler is not told the curvature."""
    return Maler().start(plan)


def descent(curvature: float, plan: Plan) -> Arrays:
    return OGD().start(plan)


def curved_descent(curvature: float, plan: Plan) -> Arrays:
    return OGD(Step.STRONGLY_CONVEX, curvature).start(plan)


def within(theorem: Theorem, make: MakeLearner, losses: Losses, heard: float = 1.0) -> Pointwise:
    """That the regret of each sequence of a class is within the bound."""
    domain = f"{SEQUENCES} sequences of {losses.value.replace('_', ' ')} losses, 2 to {LONGEST} rounds, d 1 to 5, {len(KINDS)} adversaries"
    return Pointwise(partial(regrets, theorem, make, losses, heard), domain, "regret")


_ALL = tuple(Losses)
CHECKED = (
    (statements.MALER_CONVEX, maler, _ALL),
    (statements.MALER_STRONG, maler, _ALL),
    (statements.MALER_NEWTON, maler, _ALL),
    (statements.MALER_STRONGLY_CONVEX, maler, (Losses.STRONGLY_CONVEX,)),
    (statements.DESCENT_CONVEX, descent, _ALL),
    (statements.DESCENT_STRONG, curved_descent, (Losses.STRONGLY_CONVEX,)),
)
REGRETS = tuple(
    Audit(theorem.id, f"points.{losses.value}", f"regret on {SEQUENCES} sequences of {losses.value} losses", within(theorem, make, losses))
    for theorem, make, classes in CHECKED
    for losses in classes
)
