"""Private Online LinUCB, its restarts and the combiner in plain NumPy: the user's and the server's side, from the sheet's formulas alone.

Nothing here computes with `algorithms`: of a policy its parameters are read, and no method is called. Sections 2 and 4 (Algorithm 1, G, the
width), 6.1 (restarts) and 6.2, 6.3 (combiner), 9 (`theta_clash`).
"""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.local_row import Calibration
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB
from banditproof.audits.papers.ldp_linucb_2024.plain.learners import PlainLearner, plain_learner
from banditproof.interaction import Floats
from banditproof.theory.papers import balle_wang_2018

Policy = PrivateOnlineLinUCB | Anytime | Combiner


def exact_noise(epsilon: float, delta: float, sensitivity: float) -> float:
    """The least standard deviation, from the theory's calibration."""
    return float(balle_wang_2018.GAUSSIAN_CALIBRATION.at(epsilon=epsilon, delta=delta, sensitivity=1).bound) * sensitivity


def noise_of(calibration: Calibration, epsilon: float, delta: float) -> float:
    """sigma of each number of (x, y)."""
    match calibration:
        case Calibration.PUBLISHED:
            return 2.0 * math.sqrt(2.0 * math.log(1.25 / delta)) / epsilon
        case Calibration.CLASSIC:
            return math.sqrt(8.0) * math.sqrt(2.0 * math.log(1.25 / delta)) / epsilon
        case Calibration.SPLIT:
            return exact_noise(epsilon / 2.0, delta / 2.0, 2.0)
        case Calibration.EXACT:
            return exact_noise(epsilon, delta, math.sqrt(8.0))


class EpochConstants(NamedTuple):
    """Constants of one epoch."""

    last: float  # own round in which it ends
    injected: float
    bound: float  # G
    base: float  # of the squared width: base + root sqrt(N S_N) + slope S_N
    root: float
    slope: float
    path: float  # what stands for S_N
    scale: float
    horizon: int


def told(policy: PrivateOnlineLinUCB, horizon: int, beta: float, threshold: float, last: float = math.inf) -> EpochConstants:
    """What users and server are told in an epoch (section 4)."""
    sigma, big_d, c = noise_of(policy.calibration, policy.epsilon, policy.delta), policy.problem.parameter_norm, policy.hidden
    delta = math.sqrt(threshold) if policy.curvature <= threshold else 0.0
    many, rounds, long = math.log(2 * horizon / beta), math.log(horizon), math.log(horizon / beta)
    inner = 2 * big_d * delta**2 + 4 * big_d * delta * sigma + 2 * delta * sigma + 2 * big_d * sigma**2 + 2 * sigma**2
    bound = 2 * math.sqrt(2 * many) * (2 * big_d * sigma + 2 * sigma + big_d * delta + delta)
    bound += 2 * many * (inner + big_d * c.clipping * sigma**2) + 2 * big_d + 2
    bend = policy.curvature + delta**2
    mu = 2 * bend
    path = c.path * ((bound**2 / mu**2 + bound * big_d / mu) * rounds + bound**2 / mu**2 * math.log(1 / beta))
    private = math.log(1 / policy.delta) / policy.epsilon**2
    base = c.learner * (bound**2 / bend + bound * big_d) * rounds
    base += c.gamma * (policy.problem.reward_sigma + big_d * math.sqrt(private) + big_d * delta) ** 2 * long
    root, slope = c.gamma * big_d * delta**2 * long, c.gamma * (private + delta**2) * long
    scale = policy.scale if policy.width in (Width.SCALED, Width.CONST) else 1.0
    if policy.width is Width.CONST:
        base, root, slope = 1.0, 0.0, 0.0
    return EpochConstants(last, delta, bound, base, root, slope, path, scale, horizon)


def plan_of(policy: PrivateOnlineLinUCB, horizon: int) -> tuple[int, float]:
    """T and beta."""
    rounds = horizon if policy.planned_horizon is None else policy.planned_horizon
    return rounds, 1.0 / max(rounds, 2) if policy.failure is None else policy.failure


def epochs_of(policy: PrivateOnlineLinUCB | Anytime, horizon: int) -> list[EpochConstants]:
    """One epoch, or epochs of 1, 2, 4, ... rounds."""
    if isinstance(policy, PrivateOnlineLinUCB):
        rounds, beta = plan_of(policy, horizon)
        return [told(policy, rounds, beta, rounds**-0.25 if policy.threshold is None else policy.threshold)]
    rounds, beta = plan_of(policy.base, horizon)
    each = beta / math.ceil(math.log2(2 * rounds))
    return [told(policy.base, 2**m, each, (2.0**m) ** -policy.power, last=2.0 ** (m + 1) - 1) for m in range(horizon.bit_length())]


@dataclass
class PlainBase:
    """Algorithm 1 or its restarts: V~, u~, the learner, and what is measured beside theta*."""

    policy: PrivateOnlineLinUCB
    epochs: list[EpochConstants]
    dimension: int
    epoch: int = 0
    own: int = 0
    clipped: int = 0
    outside: int = 0
    inside: int = field(init=False)
    gram: Floats = field(init=False)
    sums: Floats = field(init=False)
    learner: PlainLearner = field(init=False)
    path: float = field(init=False)
    regret: float = field(init=False)

    def __post_init__(self) -> None:
        self.sigma, own = noise_of(self.policy.calibration, self.policy.epsilon, self.policy.delta), self.policy.truth
        self.truth: Floats | None = None if own is None else np.array(own)
        self.begin()

    @property
    def now(self) -> EpochConstants:
        return self.epochs[min(self.epoch, len(self.epochs) - 1)]

    def begin(self) -> None:
        """V~ = I, u~ = 0, theta = 0."""
        self.gram, self.sums, self.inside, self.path, self.regret = np.eye(self.dimension), np.zeros(self.dimension), 0, 0.0, 0.0
        now, norm = self.now, self.policy.problem.parameter_norm
        self.learner = plain_learner(self.policy.learner, self.dimension, now.horizon, norm, now.bound)

    def width(self) -> float:
        """w of the next round."""
        now, path = self.now, self.now.path
        if self.policy.width is Width.ORACLE:
            path = self.path + float(((self.learner.point - np.asarray(self.truth)) ** 2).sum())
        return now.scale * math.sqrt(now.base + now.root * math.sqrt((self.inside + 1) * path) + now.slope * path)

    def scores(self, arms: Floats) -> Floats:
        """The index of each arm."""
        inverse = np.linalg.inv(self.gram)
        return np.asarray(arms @ (inverse @ self.sums) + self.width() * np.sqrt(np.einsum("ai,ij,aj->a", arms, inverse, arms)))

    def overwrite(self, arm: Floats) -> None:
        """`theta_clash`: the optimistic parameter of the arm takes the learner's place."""
        if self.policy.theta_clash:
            inverse = np.linalg.inv(self.gram)
            image = inverse @ arm
            self.learner.point = np.asarray(inverse @ self.sums + self.width() * image / math.sqrt(float(arm @ image)))

    def gradient(self, x: Floats, y: float, variance: float) -> Floats:
        """2 x (<x, theta> - y) - 2 variance theta, shortened to G."""
        point = self.learner.point
        g = 2.0 * x * (float(x @ point) - y) - 2.0 * variance * point
        return np.asarray(g * min(1.0, self.now.bound / max(float(np.linalg.norm(g)), 1e-300)))

    def distance(self) -> float:
        """Of theta* from the centre, in the norm of V~."""
        away = np.linalg.solve(self.gram, self.sums) - np.asarray(self.truth)
        return math.sqrt(float(away @ self.gram @ away))

    def learn(self, x: Floats, y: float, g: Floats, variance: float, covered: bool) -> None:
        """One report, of the gradient g as it is received; `covered` says whether theta* was in the set of this round."""
        point, length = self.learner.point, float(np.linalg.norm(g))
        self.clipped += int(length >= self.now.bound * (1.0 - 1e-11))
        if self.truth is not None:
            self.path += float(((point - self.truth) ** 2).sum())
            for factor, theta in ((1.0, point), (-1.0, self.truth)):
                self.regret += factor * ((float(x @ theta) - y) ** 2 - variance * float(theta @ theta))
            self.outside += int(not covered)
        self.gram, self.sums = self.gram + np.outer(x, x), self.sums + float(point @ x) * x
        self.learner.hear(g * min(1.0, self.now.bound / max(length, 1e-300)))
        self.own, self.inside = self.own + 1, self.inside + 1

    def end(self) -> None:
        """The end of a batch: the learner's next point, or the next epoch."""
        self.learner.move()
        before = self.epoch
        while self.own >= self.epochs[self.epoch].last and self.epoch + 1 < len(self.epochs):
            self.epoch += 1
        if self.epoch > before:
            self.begin()

    def published(self) -> Floats:
        """V~, u~, theta."""
        return np.concatenate([self.gram[np.tril_indices(self.dimension)], self.sums, self.learner.point])

    def diagnosed(self) -> Floats:
        """The six numbers beside theta*."""
        return np.array([self.width(), self.distance(), self.outside, self.clipped, self.path, self.regret])
