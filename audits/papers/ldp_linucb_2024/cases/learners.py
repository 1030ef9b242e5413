"""ldp_linucb_2024: regret of Maler and of gradient descent beside their bounds, on drawn and adversarial losses of each class.

A sequence of losses is a number: dimension, rounds, scale and the adversary's kind are drawn from it, and the adversary sees the point that
is played. The bounds are our reconstruction (Wang, Lu and Zhang 2019 is quoted from memory): a violation is a fault of ours.

    linear           <g_t, theta>, |g_t| <= G
    exp-concave      (<x_t, theta> - y_t)^2, |x_t| <= 1, |y_t| <= D, so G = 4 D
    strongly convex  mu |theta - c_t|^2 / 2, |c_t| <= a multiple of D
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from typing import Any, assert_never

import numpy as np

from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.learners.protocol import OnlineLearner, Plan
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.glossary.ldp_linucb_2024 import LOSS_CURVATURE
from banditproof.interaction import Floats
from banditproof.randomness import generator, key_of
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import learner as statements

SEQUENCES = 200
SMALLEST = 1e-300  # stands for a V of 0, where predictions and comparator are equal in all rounds


class Losses(Enum):
    """A class of loss sequences."""

    LINEAR = "linear"
    EXP_CONCAVE = "exp_concave"
    STRONGLY_CONVEX = "strongly_convex"


ADVERSARIES: dict[str, Callable[[int, int, Floats, np.random.Generator], Floats]] = {
    "random": lambda round, rounds, point, rng: rng.normal(size=point.size),
    "one direction": lambda round, rounds, point, rng: np.ones(point.size),
    "alternating": lambda round, rounds, point, rng: np.ones(point.size) * (-1.0) ** round,
    "switching": lambda round, rounds, point, rng: np.ones(point.size) * (1.0 if 4 * round < rounds else -1.0),
    "outwards": lambda round, rounds, point, rng: point if np.any(point) else np.ones(point.size),
    "inwards": lambda round, rounds, point, rng: -point if np.any(point) else np.ones(point.size),
    "doubling": lambda round, rounds, point, rng: np.ones(point.size) * (-1.0) ** int(round + 1).bit_length(),
}
KINDS = tuple(ADVERSARIES)


def direction(kind: str, round: int, rounds: int, point: Floats, rng: np.random.Generator) -> Floats:
    """A unit vector, which may depend on the point that is played."""
    raw = ADVERSARIES[kind](round, rounds, point, rng)
    return np.asarray(raw / np.linalg.norm(raw))


@dataclass(frozen=True)
class Played:
    """One sequence: points and gradients (T, d), and for each comparator its regret in the losses themselves."""

    plan: Plan
    kind: str
    curvature: float  # mu; 0 where the losses are not strongly convex
    points: Floats
    gradients: Floats
    comparators: tuple[Floats, ...]
    regrets: tuple[float, ...]

    def linear(self, comparator: Floats) -> float:
        """The sum of <g_t, theta_t - u>."""
        return float(np.sum(self.gradients * (self.points - comparator)))


MakeLearner = Callable[[float], OnlineLearner]  # from mu


def best(total: Floats, norm: float) -> Floats:
    """The point of the ball of this radius that is best for linear losses with this sum of gradients."""
    length = float(np.linalg.norm(total))
    return np.asarray(-total * (norm / length)) if length > 0.0 else np.zeros(total.size)


def play(make: MakeLearner, losses: Losses, number: int) -> Played:
    """The learner on one sequence. Nothing of it depends on anything but the class and the number."""
    rng, kind = generator(key_of(number, "ldp_linucb_2024", losses.value)), KINDS[number % len(KINDS)]
    dimension, rounds, norm = int(rng.integers(1, 6)), int(rng.integers(2, 300)), float(10.0 ** rng.uniform(-1, 1))
    curvature, reach, scale = float(10.0 ** rng.uniform(-1, 1)), norm * float(rng.uniform(0.1, 2.0)), float(10.0 ** rng.uniform(-1, 2))
    truth, noise = rng.normal(size=dimension), norm * (number % 3) / 2.0
    truth *= norm / np.linalg.norm(truth)
    match losses:
        case Losses.LINEAR:
            bound = scale
        case Losses.EXP_CONCAVE:
            bound = 4.0 * norm
        case Losses.STRONGLY_CONVEX:
            bound = curvature * (norm + reach)
        case _:
            assert_never(losses)
    plan = Plan(dimension, rounds, norm, bound)
    learner = make(curvature)
    arrays, points, gradients, rows = learner.start(plan), *(np.zeros((rounds, dimension)) for _ in range(3))
    responses = np.zeros(rounds)
    for round in range(rounds):
        point = points[round] = learner.predict(arrays)
        rows[round] = row = direction(kind, round, rounds, point, rng)
        match losses:
            case Losses.LINEAR:
                gradients[round] = bound * row * (1.0 if number % 2 else rng.uniform())
            case Losses.EXP_CONCAVE:
                responses[round] = float(np.clip(row @ truth + rng.normal() * noise, -norm, norm))
                gradients[round] = 2.0 * row * (row @ point - responses[round])
            case Losses.STRONGLY_CONVEX:
                rows[round] = reach * row
                gradients[round] = curvature * (point - rows[round])
            case _:
                assert_never(losses)
        learner.update(arrays, gradients[round])
    return _judged(Played(plan, kind, 0.0, points, gradients, (), ()), losses, rows, responses, curvature, truth)


def _judged(found: Played, losses: Losses, rows: Floats, responses: Floats, curvature: float, truth: Floats) -> Played:
    """With comparators: the best one in hindsight for the linearised losses, the parameter, 0; and the regret in the losses."""
    norm, comparators = found.plan.parameter_norm, [best(found.gradients.sum(axis=0), found.plan.parameter_norm), truth, 0.0 * truth]
    match losses:
        case Losses.LINEAR:
            regrets = [found.linear(point) for point in comparators]
            curvature = 0.0
        case Losses.EXP_CONCAVE:
            played = float(np.sum((np.sum(rows * found.points, axis=1) - responses) ** 2))
            regrets = [played - float(np.sum((rows @ point - responses) ** 2)) for point in comparators]
            curvature = 0.0
        case Losses.STRONGLY_CONVEX:
            mean = rows.mean(axis=0)
            comparators.append(mean * min(1.0, norm / max(float(np.linalg.norm(mean)), SMALLEST)))  # the best point in hindsight
            played = float(np.sum((found.points - rows) ** 2))
            regrets = [curvature / 2.0 * (played - float(np.sum((point - rows) ** 2))) for point in comparators]
        case _:
            assert_never(losses)
    return Played(found.plan, found.kind, curvature, found.points, found.gradients, tuple(comparators), tuple(regrets))


# --- beside the bounds --------------------------------------------------------------------------------------------------------------------


def values(theorem: Theorem, found: Played, comparator: Floats) -> dict[str, Any]:
    """What the theorem is given for one comparator, where it asks for it."""
    offsets = found.points - comparator
    if theorem is statements.MALER_NEWTON:
        variance = float(np.sum(np.sum(found.gradients * offsets, axis=1) ** 2))
    else:
        variance = found.plan.gradient_bound**2 * float(np.sum(offsets**2))
    known = {
        "horizon": found.plan.horizon,
        "dimension": found.plan.dimension,
        "parameter_norm": found.plan.parameter_norm,
        "clipping": found.plan.gradient_bound,
        "loss_curvature": found.curvature,
        "regret_variance": max(variance, SMALLEST),
    }
    return {quantity.name: known[quantity.name] for quantity in theorem.stated().given}


def regrets(theorem: Theorem, make: MakeLearner, losses: Losses, sequences: int = SEQUENCES) -> Iterator[At]:
    """The regret that the theorem speaks of, linearised or in the losses, beside its bound: for each sequence its closest comparator."""
    bound, in_losses = theorem.function(), LOSS_CURVATURE in theorem.stated().given
    for number in range(sequences):
        found = play(make, losses, number)
        pairs = [
            (regret if in_losses else found.linear(comparator), float(bound(**values(theorem, found, comparator))))
            for comparator, regret in zip(found.comparators, found.regrets, strict=True)
        ]
        regret, allowed = max(pairs, key=lambda pair: pair[0] / pair[1])
        shown = {"losses": losses.value, "sequence": number, "adversary": found.kind, "d": found.plan.dimension, "T": found.plan.horizon}
        yield At(shown, Fraction(regret), Fraction(allowed))


def maler(curvature: float) -> OnlineLearner:
    """Maler is not told the curvature."""
    return Maler()


def descent(curvature: float) -> OnlineLearner:
    return OGD()


def curved_descent(curvature: float) -> OnlineLearner:
    return OGD(Step.STRONGLY_CONVEX, curvature)


def within(theorem: Theorem, make: MakeLearner, losses: Losses) -> Pointwise:
    """That the regret of each sequence of a class is within the bound."""
    domain = f"{SEQUENCES} sequences of {losses.value.replace('_', ' ')} losses, 2 to 299 rounds, d 1 to 5, {len(KINDS)} adversaries"
    return Pointwise(partial(regrets, theorem, make, losses), domain, "regret")


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
