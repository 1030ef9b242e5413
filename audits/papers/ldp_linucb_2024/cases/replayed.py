"""ldp_linucb_2024: decisions, restarts and learners of the shipped code beside the same computed again in plain NumPy.

Written after a review had planted one-line mistakes that the other audits let pass: an exploration bonus that is subtracted, a combiner
that removes the better learner, restarts that keep the old state, expert weights with the wrong sign.

CHOICES    the arm of each round, from what was released before it, by dense linear algebra
COMBINED   the base learner of each round, from the noisy rewards
AFRESH     the state after each restart, and the predictions of the epoch that follows, beside those of a fresh learner
MALER      every prediction, beside `plain.learners`
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.learners.kernels import update
from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.protocol import Arrays, Plan
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative, Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.ldp_linucb_2024.plain.learners import PlainMaler
from banditproof.audits.running.audit import Audit
from banditproof.interaction import Environment, Floats, Pipeline, Policy, Run, Table, Wire
from banditproof.randomness import generator, key_of
from banditproof.simulation import play
from banditproof.theory.language import Theorem
from banditproof.theory.papers.ldp_linucb_2024 import baselines, combiner, learner, regret

DIMENSION, ARMS, HORIZON, GRADIENTS = 3, 6, 200, 60
LOWER = np.tril_indices(DIMENSION)
NUMBERS = len(LOWER[0])
NONE = Fraction(0)
ROUNDING = Fraction(1, 10**7)
_KEY = key_of(0, "ldp_linucb_2024", "replayed")
REDRAWN = Sphere(dimension=DIMENSION, arms=ARMS)


def played(policy: Policy, randomiser: Any, environment: Environment, horizon: int) -> Run:
    """One run with all that the replays read."""
    record = (Wire.STATISTIC, Wire.ARMS, Wire.CONTEXTS, Wire.REPORT)
    return play(Pipeline(policy, environment, randomiser), horizon=horizon, key=_KEY, record=record)


def unpacked(numbers: Floats) -> Floats:
    """The symmetric matrix of a packed lower triangle."""
    matrix = np.zeros((DIMENSION, DIMENSION))
    matrix[LOWER] = numbers
    return np.asarray(matrix + matrix.T - np.diag(np.diag(matrix)))


# --- choices ------------------------------------------------------------------------------------------------------------------------------


def wrong_choices(run: Run, width: float, first: Floats) -> int:
    """Rounds whose arm does not have the largest <x, centre> + width |x|; before the first release the matrix is `first`."""
    released, arms, contexts = (np.asarray(run.wire(wire)) for wire in (Wire.STATISTIC, Wire.ARMS, Wire.CONTEXTS))
    wrong = 0
    for round in range(len(arms)):
        matrix = unpacked(released[round - 1, :NUMBERS]) if round else first
        sums = released[round - 1, NUMBERS : NUMBERS + DIMENSION] if round else np.zeros(DIMENSION)
        if np.linalg.eigvalsh(matrix)[0] <= 0.0:
            wrong += int(arms[round] != 0)
            continue
        inverse = np.linalg.inv(matrix)
        lengths = np.sqrt(np.einsum("ai,ij,aj->a", contexts[round], inverse, contexts[round]))
        index = contexts[round] @ (inverse @ sums) + width * lengths
        wrong += int(index[int(arms[round])] < index.max() - 1e-9 * (1.0 + abs(float(index.max()))))
    return wrong


ALGORITHM = PrivateOnlineLinUCB(1000.0, width=Width.CONST, scale=1.0)


def algorithm_choices(used: PrivateOnlineLinUCB) -> Iterator[At]:
    """Of Algorithm 1 and of its restarts' first epochs, with a constant width; `used` is what is played, of which width 1 is said."""
    for epsilon in (10.0, 1000.0):
        policy = replace(used, epsilon=epsilon)
        run = played(policy, policy.randomiser(), REDRAWN, HORIZON)
        yield At({"epsilon": epsilon, "rounds": HORIZON}, Fraction(wrong_choices(run, 1.0, np.eye(DIMENSION))), NONE)


def script_choices(factor: float) -> Iterator[At]:
    """Of the local method with the stated width of the script, `factor` times which is played."""
    for epsilon in (1.0, 100.0):
        policy = NoisyGramUCB(Method.LDP, Column.SCRIPT, epsilon, width_scale=factor)
        sigma = float(baselines.LOCAL_SCRIPT_SIGMA.at(epsilon=epsilon, delta="1/10").bound)
        shape = {"horizon": HORIZON, "dimension": DIMENSION}
        gamma = float(baselines.LOCAL_SCRIPT_SCALE.at(**shape, baseline_sigma=sigma).bound)
        width = float(baselines.SCRIPT_WIDTH.at(**shape, context_norm=1, reward_sigma="1/2", baseline_scale=gamma).bound)
        first = float(baselines.SCRIPT_REGULARISER.at(baseline_scale=gamma).bound) * np.eye(DIMENSION)
        run = played(policy, policy.randomiser(DIMENSION), REDRAWN, HORIZON)
        yield At({"epsilon": epsilon, "rounds": HORIZON}, Fraction(wrong_choices(run, width, first)), NONE)


def choices(points: Callable[[], Iterator[At]]) -> Pointwise:
    """That no choice differs."""
    return Pointwise(points, f"two runs of {HORIZON} rounds", "wrong choices")


def _choices(theorem: Theorem, words: str, points: Callable[[], Iterator[At]]) -> Audit:
    return Audit(theorem.id, "points.choices_replayed", words, choices(points))


CHOICES = (
    _choices(regret.REGRET_BY_WIDTH, "the arms of Algorithm 1, from V~ and u~ by dense algebra", partial(algorithm_choices, ALGORITHM)),
    _choices(baselines.SCRIPT_WIDTH, "the arms of the local method, from its sums by dense algebra", partial(script_choices, 1.0)),
)

# --- the combiner -------------------------------------------------------------------------------------------------------------------------

FACTOR, FAILURE, LONG = 0.05, 0.01, 300
BELIEVED = (Putative(1.0, 0.5, 30.0), Putative(0.5, 0.75, 0.0), Putative(2.0, 0.5, 60.0))
COMBINER = Combiner(
    bases=tuple(replace(ALGORITHM, curvature=curvature) for curvature in (0.1, 0.2, 0.4)),
    putatives=BELIEVED,
    factor=FACTOR,
    failure=FAILURE,
)


def falling() -> Table:
    """Rewards that fall after some rounds, so that learners are removed; whatever the arm is."""
    rewards = np.where(np.arange(LONG) % 100 < 40, 1.0, -1.0)[:, None] * np.ones(2)
    return Table(rewards, contexts=np.tile(np.eye(2, DIMENSION), (LONG, 1, 1)))


def bases_played(policy: Combiner, believed: tuple[Putative, ...]) -> Iterator[At]:
    """Rounds of which the released base learner is another than that of Algorithm 2, and the learners that were removed."""
    run = played(policy, policy.randomiser(), falling(), LONG)
    noisy, released = np.asarray(run.wire(Wire.REPORT))[:, DIMENSION], np.asarray(run.wire(Wire.STATISTIC))[:, -1].astype(int)
    many, radius = len(believed), combiner.NOISY_RADIUS_OF.function()
    known = {"sigma": ALGORITHM.sigma(), "horizon": LONG, "learners": many, "failure": FAILURE, "radius_constant": FACTOR}
    heard: list[list[float]] = [[] for _ in believed]
    short, active, wrong = np.zeros(many), np.ones(many, dtype=bool), 0

    def allowed(base: int) -> float:
        own = len(heard[base])
        return believed[base].coefficient * own ** believed[base].exponent + float(radius(own_rounds=float(own), **known)) if own else 0.0

    def index(base: int) -> float:
        own = len(heard[base])
        bonus = float(np.mean(heard[base])) + min(1.0, allowed(base) / own) if own else 1.0
        return bonus - believed[base].target / LONG if active[base] else -math.inf

    base = max(range(many), key=index)
    for round in range(LONG):
        short[base] += (float(np.mean(heard[base])) if heard[base] else 0.0) - noisy[round]
        heard[base].append(float(noisy[round]))
        if short[base] >= allowed(base) and active.sum() > 1:
            active[base] = False
        base = max(range(many), key=index)
        wrong += int(released[round] != base)
    yield At({"rounds": LONG, "removed": int((~active).sum())}, Fraction(wrong), NONE)


def combines(policy: Combiner) -> Pointwise:
    """That the combiner with the stated parameters would have played the same base learners."""
    return Pointwise(
        partial(bases_played, policy, BELIEVED), f"a run of {LONG} rounds of falling rewards, three learners", "wrong learners"
    )


COMBINED = Audit(
    combiner.NOISY_RADIUS_OF.id,
    "points.bases_replayed",
    "the base learner of each round, from the noisy rewards",
    combines(COMBINER),
)

# --- restarts -----------------------------------------------------------------------------------------------------------------------------

RESTARTED = Anytime(ALGORITHM)


def restarted(policy: Anytime) -> Iterator[At]:
    """After 1, 3, 7, ... rounds: the distance of V~, u~ and theta from I, 0 and 0, and of the predictions from a fresh learner's."""
    horizon = 127
    run = played(policy, policy.randomiser(), REDRAWN, horizon)
    released, sent = np.asarray(run.wire(Wire.STATISTIC)), np.asarray(run.wire(Wire.REPORT))
    identity = np.concatenate([np.eye(DIMENSION)[LOWER], np.zeros(2 * DIMENSION)])
    _, failure = policy.base.plan(horizon)
    for epoch in range(1, 7):
        begun, rounds, worst = 2**epoch - 1, 2**epoch, 0.0
        told = replace(policy.base, threshold=float(combiner.EPOCH_THRESHOLD.at(horizon=rounds).bound))
        each = float(combiner.EPOCH_FAILURE_OF.at(horizon=horizon, failure=failure).bound)
        arrays = Maler().start(Plan(DIMENSION, rounds, 1.0, told.gradient_bound(rounds, each)))
        worst = float(np.abs(released[begun - 1] - identity).max())
        for round in range(begun, begun + rounds - 1):
            update(arrays, sent[round, DIMENSION + 1 :].copy())
            worst = max(worst, float(np.abs(released[round, NUMBERS + DIMENSION :] - arrays.point).max()))
        yield At({"epoch": epoch, "first round": begun + 1}, Fraction(worst), ROUNDING)


def restarts(policy: Anytime) -> Pointwise:
    """That each epoch is that of a fresh Algorithm 1."""
    return Pointwise(partial(restarted, policy), "six restarts of a run of 127 rounds", "distance")


AFRESH = Audit(
    combiner.EPOCHS_ADD_UP.id,
    "points.starts_afresh",
    "the anytime variant after each restart, beside a fresh learner",
    restarts(RESTARTED),
)

# --- Maler --------------------------------------------------------------------------------------------------------------------------------


def predictions(plan: Plan, gradients: Floats) -> Floats:
    """Maler's points, (n, d), in plain NumPy."""
    plain, found = PlainMaler(*plan), np.zeros_like(gradients)
    for round, g in enumerate(gradients):
        found[round] = plain.point
        plain.hear(g)
        plain.move()
    return found


def shipped(plan: Plan) -> Arrays:
    """Maler as it is shipped."""
    return Maler().start(plan)


def replays(make: Callable[[Plan], Arrays]) -> Iterator[At]:
    """The largest distance of a prediction from that of the formulas, over the radius."""
    for number, (d, norm, bound) in enumerate(((1, 1.0, 1.0), (2, 0.3, 5.0), (3, 2.0, 30.0), (5, 4.0, 0.5))):
        rng, plan = generator(key_of(number, "ldp_linucb_2024", "maler")), Plan(d, GRADIENTS, norm, bound)
        gradients = rng.normal(size=(GRADIENTS, d)) + 2.0 * rng.normal(size=d) * np.sign(np.arange(GRADIENTS) % 30 - 15.0)[:, None]
        gradients *= bound * np.minimum(1.0, rng.uniform(0.2, 1.5, (GRADIENTS, 1))) / np.linalg.norm(gradients, axis=1, keepdims=True)
        arrays, expected, worst = make(plan), predictions(plan, gradients), 0.0
        for g, point in zip(gradients, expected, strict=True):
            worst = max(worst, float(np.abs(arrays.point - point).max()) / norm)
            update(arrays, g)
        yield At({"d": d, "D": norm, "G": bound, "rounds": GRADIENTS}, Fraction(worst), ROUNDING)


def predicts(make: Callable[[Plan], Arrays]) -> Pointwise:
    """That a learner predicts what the formulas say."""
    return Pointwise(partial(replays, make), f"{GRADIENTS} gradients, d 1, 2, 3, 5, radii 0.3 to 4", "distance over the radius")


MALER = Audit(
    learner.MALER_CONVEX.id,
    "points.predictions_replayed",
    "Maler's predictions, from the sheet's formulas with dense matrices",
    predicts(shipped),
)
