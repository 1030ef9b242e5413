"""Linear UCB on noisy sums in plain NumPy: shifts, widths and what a message counts for, from section 8 of the sheet.

Nothing here computes with `algorithms`: of a policy its parameters are read, and no method is called. Where the sheet says of a constant
that it is rebuilt, the shipped reading stands here: the amplified noise of the paper's column, and the width of its shuffled methods.
"""

import math
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.vector_sum import Encoding
from banditproof.algorithms.policies.noisy_gram_ucb.policy import Column, Method, NoisyGramUCB
from banditproof.audits.papers.ldp_linucb_2024.plain.server import exact_noise
from banditproof.interaction import Floats


class Vector(NamedTuple):
    """g, b as it is drawn and as it is subtracted, and messages of one user for one number."""

    resolution: float
    drawn: int
    subtracted: float
    each: int


def vector_of(policy: NoisyGramUCB, features: int) -> Vector:
    """Of the vector sum; without features d counts as 1 in b."""
    g = max(2.0 * math.sqrt(policy.batch), float(features), 4.0)
    size = max(features, 1) ** (2 if policy.column is Column.PAPER else 1)
    factor = policy.trials_factor if policy.trials_factor is not None else 1.0 if policy.epsilon <= 0.2 else 10.0
    b = factor * g**2 * math.log(size / policy.delta) ** 2 / (policy.epsilon**2 * policy.batch)
    each = 1 if policy.encoding is Encoding.COUNTS else math.ceil(2.0 * g) + math.floor(b)
    return Vector(g, math.floor(b), b if policy.column is Column.SCRIPT else math.floor(b), each)


def sensitivity(length: float) -> float:
    """The largest distance of two users' contributions, over the cosine of their features: the users' responses are 1 and -1."""
    cosines = np.linspace(-1.0, 1.0, 200_001)
    return float(np.sqrt(2.0 * length**4 * (1.0 - cosines**2) + 2.0 * length**2 * (1.0 + cosines)).max())


def noise_of(policy: NoisyGramUCB, features: int) -> float:
    """s of one user."""
    epsilon, delta, many = policy.epsilon, policy.delta, policy.batch if policy.method is Method.SDP_AMP else 1
    if policy.method is Method.SDP_VEC:
        vector = vector_of(policy, features)
        return policy.feature_norm / vector.resolution * math.sqrt(3.0 * vector.drawn / 16.0 + 0.25)
    if policy.method not in (Method.LDP, Method.SDP_AMP):
        return 0.0
    if policy.calibrated:
        return exact_noise(epsilon, delta, sensitivity(policy.feature_norm))
    if policy.column is Column.SCRIPT:
        return math.sqrt(math.log(2.5 * many / delta)) / (epsilon * math.sqrt(many))
    inner = math.log(1.25 / delta) if many == 1 else math.log(2.5 * many / delta) * math.log(2.0 / delta)
    return 4.0 * math.sqrt(2.0 * inner) / (epsilon * math.sqrt(many))


class PlainSums:
    """The sums of a run, the shift and the width."""

    def __init__(self, policy: NoisyGramUCB, arms: int, features: int, horizon: int) -> None:
        self.policy, self.features, self.dimension = policy, features, features or arms
        self.horizon = max(horizon if policy.planned_horizon is None else policy.planned_horizon, 2)
        self.alpha = 1.0 / self.horizon if policy.failure is None else policy.failure
        self.noise, self.vector = noise_of(policy, features), vector_of(policy, features)
        self.users, self.gram, self.sums = 0, np.zeros((self.dimension, self.dimension)), np.zeros(self.dimension)

    def hear(self, arm: int, message: Floats) -> None:
        """One message; labelled messages count for a part of a user each."""
        if self.policy.method is Method.SDP_VEC:
            self._labelled(arm, int(message[0]), float(message[1]))
            return
        if self.features == 0:
            self.gram[arm, arm] += 1.0
            self.sums[arm] += message[0]
        elif self.policy.method in (Method.LDP, Method.SDP_AMP):
            self._number(message)
        else:
            x = message[:-1]
            self.gram, self.sums = self.gram + np.outer(x, x), self.sums + message[-1] * x

    def _number(self, numbers: Floats) -> None:
        lower, other = np.tril_indices(self.dimension)
        added = np.zeros_like(self.gram)
        added[lower, other] = added[other, lower] = numbers[: len(lower)]
        self.gram, self.sums = self.gram + added, self.sums + numbers[len(lower) :]

    def _labelled(self, arm: int, label: int, ones: float) -> None:
        length, (g, _, subtracted, each) = self.policy.feature_norm, self.vector
        number = length / g * ones - (length / g * subtracted / 4.0 + length) / each
        if self.features == 0:
            self.gram[arm, arm] += 1.0 / each
            self.sums[arm] += number
            return
        numbers = np.zeros(self.dimension * (self.dimension + 3) // 2)
        numbers[label] = number
        self._number(numbers)

    def gamma(self) -> float:
        """Of the script."""
        d, t, policy = self.dimension, self.horizon, self.policy
        match policy.method:
            case Method.LIN_UCB:
                return 1.0
            case Method.LDP | Method.SDP_AMP:
                return self.noise * math.sqrt(t * d)
            case Method.JDP:
                return math.sqrt(math.log(t)) * math.log(2.5 / policy.delta) / policy.epsilon * math.sqrt(d * math.log(t))
            case Method.SDP_VEC:
                return 0.25 * math.log(d / policy.delta) / (policy.epsilon * math.sqrt(policy.batch)) * math.sqrt(t * d)

    def upsilon(self) -> float:
        """Of the paper's column: of the users so far and the next one, or of all rounds."""
        rounds = self.users + 1 if self.policy.method is Method.LDP else self.horizon
        return self.noise * math.sqrt(rounds) * (4.0 * math.sqrt(self.dimension) + 2.0 * math.log(2.0 * self.horizon / self.alpha))

    def shift(self) -> float:
        """What is added to the diagonal."""
        if self.policy.column is Column.SCRIPT:
            return self.gamma() * (1e-4 if self.policy.method is Method.LIN_UCB else 2.0)
        return 2.0 * self.upsilon()

    def width(self, gram: Floats) -> float:
        """w of the next round; `gram` holds noise and shift."""
        d, t, policy = self.dimension, self.horizon, self.policy
        if policy.fixed_width:
            return policy.width_scale
        if policy.column is Column.SCRIPT:
            inner = (1.0 + t * policy.feature_norm**2 / self.gamma()) * t
            return policy.width_scale * (math.sqrt(self.gamma() * d) + policy.reward_sigma * math.sqrt(d * math.log(inner)))
        upsilon, s = self.upsilon(), self.noise
        if policy.method is Method.LDP:
            inner = math.sqrt(3.0 * upsilon) + s * math.sqrt(d * (self.users + 1) / upsilon)
            return policy.width_scale * (2.0 * s * math.sqrt(d * math.log(t)) + inner * d * math.log(t))
        radicand = 2.0 * math.log(2.0 / self.alpha) + float(np.linalg.slogdet(gram)[1]) - d * math.log(upsilon)
        last = s * math.sqrt(t / upsilon) * (math.sqrt(d) + math.sqrt(2.0 * math.log(2.0 * t / self.alpha)))
        width = policy.reward_sigma * math.sqrt(max(radicand, 0.0)) + policy.parameter_norm * math.sqrt(3.0 * upsilon) + last
        return policy.width_scale * width

    def scores(self, gram: Floats, sums: Floats, arms: Floats) -> Floats:
        """The index of each arm."""
        inverse = np.linalg.inv(gram)
        return np.asarray(arms @ (inverse @ sums) + self.width(gram) * np.sqrt(np.einsum("ai,ij,aj->a", arms, inverse, arms)))
