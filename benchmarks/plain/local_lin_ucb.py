"""Private Online LinUCB with Maler in NumPy, round by round, in its fastest plain form: all experts of a family at once.

Decision sets are K uniform unit vectors of R^d, theta* is e_1, rewards are 1 or -1. A user sends noisy features x, a noisy reward y and the
gradient 2 x (<x, theta> - y) - 2 sigma^2 theta, at most G long; the server adds x x' and <theta, x> x. The width is a constant. Maler
(Wang, Lu and Zhang 2019) for the unit ball; its exp-concave experts are projected in the norm of their matrices by Newton's steps.
"""

import math

import numpy as np
from numpy.typing import NDArray

from benchmarks.plain.drawn_lin_ucb import unit_vectors

Floats = NDArray[np.float64]
NEWTON = 25.0 / 56.0


class Maler:
    """Experts: one convex, m strongly convex, m exp-concave. The ball has radius 1."""

    def __init__(self, dimension: int, horizon: int, bound: float) -> None:
        last = 0
        while 4**last < horizon:
            last += 1
        places, self.bound, self.heard = np.arange(last + 1), bound, 0
        self.convex_rate, self.rates = 1.0 / (4.0 * bound * math.sqrt(horizon)), 2.0**-places / (10.0 * bound)
        prior = (1.0 + 1.0 / (1 + last)) / (3.0 * (places + 1) * (places + 2))
        self.log_weights = np.log(np.concatenate([[1.0 / 3.0], prior, prior]))
        self.weighted = np.concatenate([[self.convex_rate], self.rates, self.rates])
        self.experts = np.zeros((2 * last + 3, dimension))
        self.metrics = np.tile(np.eye(dimension) / (2.0 * NEWTON) ** 2, (last + 1, 1, 1))
        self.inverses = np.tile(np.eye(dimension) * (2.0 * NEWTON) ** 2, (last + 1, 1, 1))
        self.point = np.zeros(dimension)

    def hear(self, gradient: Floats) -> None:
        """One gradient at the point, and the next point."""
        self.heard += 1
        family, bound, rates = len(self.rates), self.bound, self.rates
        apart = self.experts - self.point
        inner = apart @ gradient
        strong, newton = apart[1 : 1 + family], inner[1 + family :]
        curvature, tilted = 2.0 * (rates * bound) ** 2, rates * newton
        self.log_weights[0] -= self.convex_rate * inner[0] + (2.0 * self.convex_rate * bound) ** 2
        self.log_weights[1 : 1 + family] -= rates * inner[1 : 1 + family] + curvature / 2.0 * np.einsum("ei,ei->e", strong, strong)
        self.log_weights[1 + family :] -= tilted + tilted * tilted
        self.log_weights -= self.log_weights.max()
        self.experts[0] -= 2.0 / (bound * math.sqrt(self.heard)) * gradient
        moves = rates[:, None] * gradient + curvature[:, None] * strong
        self.experts[1 : 1 + family] -= moves / (curvature * self.heard)[:, None]
        rows = (rates * (1.0 + 2.0 * tilted))[:, None] * gradient
        self.metrics += rows[:, :, None] * rows[:, None, :]
        images = np.einsum("eij,ej->ei", self.inverses, rows)
        shares = images / (1.0 + np.einsum("ei,ei->e", rows, images))[:, None]
        self.inverses -= shares[:, :, None] * images[:, None, :]
        self.experts[1 + family :] -= shares / NEWTON
        norms = np.sqrt(np.einsum("ei,ei->e", self.experts, self.experts))
        inside = 1 + family
        np.divide(self.experts[:inside], np.maximum(norms[:inside], 1.0)[:, None], out=self.experts[:inside])
        for place in np.flatnonzero(norms[inside:] > 1.0):
            self.experts[inside + place] = brought_back(self.metrics[place], self.experts[inside + place])
        weights = np.exp(self.log_weights) * self.weighted
        self.point = weights @ self.experts / weights.sum()


def brought_back(metric: Floats, point: Floats) -> Floats:
    """The nearest point of the unit ball in the norm of a matrix: (A + k I)^-1 A z for the one k that gives length 1."""
    right, shift, identity = metric @ point, 0.0, np.eye(len(point))
    for _ in range(60):
        norm = math.sqrt(point @ point)
        if norm <= 1.0 + 1e-12:
            break
        inner = point @ np.linalg.solve(metric + shift * identity, point)
        shift += norm * norm / inner * (norm - 1.0)
        point = np.linalg.solve(metric + shift * identity, right)
    return point / max(1.0, math.sqrt(point @ point))


def run(arms: int, dimension: int, rounds: int, sigma: float, bound: float, width: float, rng: np.random.Generator) -> float:
    """The pseudo-regret of a run with fresh decision sets."""
    learner, inverse, total, regret = Maler(dimension, rounds, bound), np.eye(dimension), np.zeros(dimension), 0.0
    centre = total
    for _ in range(rounds):
        vectors = unit_vectors(arms, dimension, rng)
        images = vectors @ inverse
        arm = int((vectors @ centre + width * np.sqrt(np.einsum("ki,ki->k", images, vectors))).argmax())
        means = vectors[:, 0]
        reward = 1.0 if rng.random() < (1.0 + means[arm]) / 2.0 else -1.0
        noise = sigma * rng.standard_normal(dimension + 1)
        row, response, point = vectors[arm] + noise[:-1], reward + noise[-1], learner.point
        predicted = row @ point
        gradient = 2.0 * row * (predicted - response) - 2.0 * sigma**2 * point
        gradient *= min(1.0, bound / math.sqrt(gradient @ gradient))
        total = total + predicted * row
        image = inverse @ row
        inverse -= np.outer(image, image / (1.0 + row @ image))
        centre = inverse @ total
        learner.hear(gradient)
        regret += means.max() - means[arm]
    return float(regret)
