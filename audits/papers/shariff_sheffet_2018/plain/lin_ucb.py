"""LinUCB with changing perturbations (Algorithm 1 with Proposition 4), replayed from the rows that its server got, with dense matrices and
sums that are rounded once.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.gram.wishart import Padding
from banditproof.algorithms.policies.lin_ucb.policy import Form, LinUCB, Noise, Rule
from banditproof.audits.papers.shariff_sheffet_2018.plain import noise as plain
from banditproof.interaction import Floats, Words
from banditproof.randomness import CHOICES, uniform


class Constants(NamedTuple):
    """Bounds of the accuracy, the shift, the distribution of a node."""

    rho_min: float
    rho_max: float
    gamma: float
    shift: float
    sigma: float
    degrees: int


def constants(policy: LinUCB, dimension: int, horizon: int) -> Constants:
    """The table of section 3 of the sheet, and experiment D.3 for `rho_min`. Not for the exact calibration."""
    n = horizon if policy.planned_horizon is None else policy.planned_horizon
    alpha = 1.0 / max(n, 2) if policy.failure is None else policy.failure
    row_norm, rho = policy.bounds.row_norm, policy.rho_min
    m, a_2, a_8 = plain.nodes(n), plain.deviation(2.0, dimension, n, alpha), plain.deviation(8.0, dimension, n, alpha)
    if policy.noise is Noise.NONE:
        rho = 1.0 if rho is None else rho
        return Constants(rho, rho, 0.0, rho, 0.0, 0)
    if policy.fixed_noise is not None:
        return Constants(*policy.fixed_noise.accuracy, 0.0, 0.0, 0)
    if policy.noise is Noise.GAUSSIAN:
        sigma = plain.node_sigma(policy.epsilon, policy.delta, n, row_norm)  # that of all calibrations but the exact one
        bound = plain.upsilon(sigma, dimension, n, alpha)
        least = bound if rho is None else rho
        return Constants(least, least + 2.0 * bound, sigma * math.sqrt(m / least) * a_2, bound + least, sigma, 0)
    level = min(policy.epsilon, plain.covered(policy.delta, n)) if policy.calibration is Calibration.REPAIRED else policy.epsilon
    k = plain.degrees(level, policy.delta, dimension, n)
    s, square = math.sqrt(m * k), row_norm**2
    least, most = square * (s - a_8) ** 2, square * (s + a_8) ** 2
    if rho is not None:
        gamma = row_norm * a_2 * math.sqrt(max(least / rho, 1.0))
        return Constants(rho, rho + most - least, gamma, rho - least, 0.0, k)
    if policy.noise is Noise.WISHART_UNSHIFTED:
        return Constants(least, most, row_norm * a_2, 0.0, 0.0, k)
    shift = -(least - 4.0 * square * s * a_8)
    return Constants(4.0 * square * s * a_8, 8.0 * square * s * a_8, row_norm * math.sqrt(s * a_2), shift, 0.0, k)


class Server:
    """Everything from the rows heard so far."""

    def __init__(self, policy: LinUCB, arms: int, dimension: int, horizon: int, key: Words) -> None:
        self.policy, self.key, self.arms = policy, key, arms
        self.dimension = dimension or arms
        self.horizon = horizon if policy.planned_horizon is None else policy.planned_horizon
        self.told = constants(policy, self.dimension, horizon)
        self.alpha = 1.0 / max(self.horizon, 2) if policy.failure is None else policy.failure
        self.private = policy.noise in (Noise.GAUSSIAN, Noise.WISHART, Noise.WISHART_UNSHIFTED)
        self.rows = 0
        self.sums = [Fraction(0)] * plain.packed(self.dimension)
        self.known: dict[int, Floats] = {}
        self.indefinite = self.clamped = self.outside = 0
        self.radius = 0.0
        self.matrix, self.vector = np.eye(self.dimension), np.zeros(self.dimension)
        self.released = self.publish()

    def node(self, number: int) -> Floats:
        if number not in self.known:
            found = (self.key, number, self.dimension)
            square = self.policy.bounds.row_norm**2
            self.known[number] = (
                plain.gaussian(*found, self.told.sigma) if self.told.degrees == 0 else plain.wishart(*found, self.told.degrees, square)
            )
        return self.known[number]

    def perturbation(self) -> Floats:
        """The noise of the prefix: of its nodes, and with padding of the levels without one."""
        if self.policy.fixed_noise is not None:
            given = self.policy.fixed_noise.rows
            return np.array(given[min(self.rows, len(given) - 1)])
        total = np.zeros(len(self.sums))
        if not self.private:
            return total
        used, idle = plain.covering(self.rows, plain.nodes(self.horizon))
        padded = self.told.degrees > 0 and self.policy.padding is Padding.FULL
        for number in used + [plain.PADS + level for level in idle if padded]:
            total += self.node(number)
        return total

    def publish(self) -> Floats:
        """V (packed) and u~; and what the next choice needs."""
        exact = np.array([float(total) for total in self.sums])
        released, size = exact + self.perturbation(), self.dimension
        lower, other = np.tril_indices(size)
        released[: len(lower)] += np.where(lower == other, self.told.shift, 0.0)
        self.matrix = np.zeros((size, size))
        self.matrix[lower, other] = self.matrix[other, lower] = released[: len(lower)]
        self.vector = released[len(lower) :]
        self.definite = bool(np.linalg.eigvalsh(self.matrix)[0] > 0.0)
        if self.definite:
            self._measure()
        return np.asarray(released)

    def _measure(self) -> None:
        """Centre, radicand, radius (Proposition 4, either form), and whether theta* lies outside."""
        told, bounds, d = self.told, self.policy.bounds, self.dimension
        self.inverse = np.linalg.inv(self.matrix)
        self.centre = self.inverse @ self.vector
        radicand = 2.0 * math.log(2.0 / self.alpha)
        if self.policy.form is Form.UPPER:
            radicand += d * math.log(told.rho_max / told.rho_min + (self.rows + 1) * bounds.context_norm**2 / (d * told.rho_min))
        else:
            radicand += float(np.linalg.slogdet(self.matrix)[1]) - d * math.log(told.rho_min)
        self.is_clamped = radicand < 0.0
        tail = bounds.parameter_norm * math.sqrt(told.rho_max) + told.gamma
        self.radius = bounds.reward_sigma * math.sqrt(max(radicand, 0.0)) + tail
        off = self.centre - np.array(self.policy.true_parameter or np.zeros(d))
        self.is_outside = bool(off @ self.matrix @ off > self.radius**2)

    def choices(self, round: int, contexts: Floats) -> list[int]:
        """The arm that must be played; several where rounding decides."""
        if self.policy.rule is Rule.UNIFORM:
            return [math.floor(float(uniform(self.key, CHOICES, round)) * self.arms)]
        if not self.definite:
            self.indefinite += 1
            return [0]
        self.clamped += int(self.is_clamped)
        self.outside += int(self.is_outside)
        vectors = contexts if contexts.shape[1] else np.eye(self.arms)
        lengths = np.sqrt(np.einsum("ai,ij,aj->a", vectors, self.inverse, vectors))
        index = vectors @ self.centre + (0.0 if self.policy.rule is Rule.GREEDY else self.radius) * lengths
        best = float(index.max())
        near = np.flatnonzero(index >= best - 1e-9 * (1.0 + abs(best))).tolist()
        same = all(np.array_equal(vectors[near[0]], vectors[each]) for each in near)
        return [int(near[0])] if same else [int(each) for each in near]

    def hear(self, batch: Floats) -> None:
        """Messages (n, 1 + d + 1): arm, features, reward."""
        for arm, *message in batch:
            features = np.array(message[:-1]) if len(message) > 1 else np.eye(self.arms)[int(arm)]
            row = np.append(features, message[-1])
            length = float(np.linalg.norm(row))
            if self.private and length > self.policy.bounds.row_norm:
                row = row * (self.policy.bounds.row_norm / length)
            lower, other = np.tril_indices(self.dimension + 1)
            for place, (i, j) in enumerate(zip(lower[:-1], other[:-1], strict=True)):
                self.sums[place] += Fraction(float(row[i] * row[j]))
            self.rows += 1
        if not self.private or self.rows < self.horizon:
            self.released = self.publish()

    def diagnostics(self) -> Iterator[float]:
        """The numbers behind the statistic, but for the drift."""
        yield from (self.indefinite, self.clamped, self.outside, self.radius)
