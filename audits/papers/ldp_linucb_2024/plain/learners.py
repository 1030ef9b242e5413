"""Maler and gradient descent in plain NumPy, from section 3 of the sheet: dense matrices, weights as they are, projection by bisection."""

import math
from typing import Protocol

import numpy as np

from banditproof.algorithms.learners.maler import Maler
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.interaction import Floats


def projected(metric: Floats, point: Floats, radius: float) -> Floats:
    """The nearest point of the ball in the norm of the metric: (A + kappa I)^-1 A z with the kappa at which its length is the radius."""
    if float(np.linalg.norm(point)) <= radius:
        return point
    values, vectors = np.linalg.eigh(metric)
    image, low, high = vectors.T @ (metric @ point), 0.0, 1.0

    def length(kappa: float) -> float:
        return float(np.linalg.norm(image / (values + kappa)))

    while length(high) > radius:
        high *= 2.0
    while high - low > 1e-15 * high:
        middle = (low + high) / 2.0
        if middle in (low, high):
            break
        low, high = (middle, high) if length(middle) > radius else (low, middle)
    return np.asarray(vectors @ (image / (values + high)))


def shortened(point: Floats, radius: float) -> Floats:
    """The nearest point of the ball."""
    return point * min(1.0, radius / max(float(np.linalg.norm(point)), 1e-300))


class PlainLearner(Protocol):
    """`point` is where all gradients are taken until `move`."""

    point: Floats

    def hear(self, g: Floats) -> None: ...
    def move(self) -> None: ...


class PlainMaler:
    """Section 3.1, for d, T, the radius D and the bound G; all rates times `faster`, b times `wider`."""

    def __init__(self, dimension: int, horizon: int, norm: float, bound: float, faster: float = 1.0, wider: float = 1.0) -> None:
        last, self.width, self.norm, self.bound = math.ceil(math.log2(horizon) / 2.0), 2.0 * norm, norm, bound
        self.rates = faster * np.array([2.0**-i / (5.0 * bound * self.width) for i in range(last + 1)])
        self.convex, self.b, self.heard = faster / (2.0 * bound * self.width * math.sqrt(horizon)), wider * 25.0 / 56.0, 0
        prior = (1.0 + 1.0 / (1.0 + last)) / (3.0 * np.array([(i + 1) * (i + 2) for i in range(last + 1)]))
        self.weights = [np.array([1.0 / 3.0]), prior.copy(), prior.copy()]
        self.experts = [np.zeros((1, dimension)), np.zeros((last + 1, dimension)), np.zeros((last + 1, dimension))]
        self.metrics = np.tile(np.eye(dimension) / (self.b * self.width) ** 2, (last + 1, 1, 1))
        self.point = np.zeros(dimension)

    def hear(self, g: Floats) -> None:
        """Weights, then experts."""
        self.heard += 1
        point, rates, bound, inner = self.point, self.rates, self.bound, [(e - self.point) @ g for e in self.experts]
        square = ((self.experts[1] - point) ** 2).sum(axis=1)
        self.weights[0] = self.weights[0] * np.exp(-(self.convex * inner[0] + (self.convex * bound * self.width) ** 2))
        self.weights[1] = self.weights[1] * np.exp(-(rates * inner[1] + rates**2 * bound**2 * square))
        self.weights[2] = self.weights[2] * np.exp(-(rates * inner[2] + (rates * inner[2]) ** 2))
        total = sum(float(w.sum()) for w in self.weights)
        self.weights = [w / total for w in self.weights]
        _, strong, newton = self.experts
        self.experts[0][0] = shortened(self.experts[0][0] - self.width / (bound * math.sqrt(self.heard)) * g, self.norm)
        for i, rate in enumerate(rates):
            h = rate * g + 2.0 * rate**2 * bound**2 * (strong[i] - point)
            strong[i] = shortened(strong[i] - h / (2.0 * rate**2 * bound**2 * self.heard), self.norm)
            h = rate * g * (1.0 + 2.0 * rate * inner[2][i])
            self.metrics[i] += np.outer(h, h)
            newton[i] = projected(self.metrics[i], newton[i] - np.linalg.solve(self.metrics[i], h) / self.b, self.norm)

    def move(self) -> None:
        """The tilted average."""
        tilted = [self.weights[0] * self.convex, self.weights[1] * self.rates, self.weights[2] * self.rates]
        total = sum(float(w.sum()) for w in tilted)
        self.point = np.asarray(sum(w @ e for w, e in zip(tilted, self.experts, strict=True)) / total)


class PlainDescent:
    """Section 3.2: steps of length `first` over sqrt(t), or over t."""

    def __init__(self, dimension: int, norm: float, first: float, *, harmonic: bool) -> None:
        self.point, self.next, self.norm = np.zeros(dimension), np.zeros(dimension), norm
        self.first, self.harmonic, self.heard = first, harmonic, 0

    def hear(self, g: Floats) -> None:
        """One step of descent."""
        self.heard += 1
        length = self.first / self.heard if self.harmonic else self.first / math.sqrt(self.heard)
        self.next = shortened(self.next - length * g, self.norm)

    def move(self) -> None:
        """To where the steps have led."""
        self.point = self.next.copy()


def plain_learner(own: Maler | OGD, dimension: int, horizon: int, norm: float, bound: float) -> PlainLearner:
    """The plain form of a shipped learner, fresh."""
    if isinstance(own, Maler):
        return PlainMaler(dimension, horizon, norm, bound, own.rate_factor, own.newton_factor)
    first = {Step.CONVEX: 2.0 * norm / bound, Step.STRONGLY_CONVEX: 1.0 / own.value}.get(own.step, own.value)
    return PlainDescent(dimension, norm, first, harmonic=own.step in (Step.STRONGLY_CONVEX, Step.HARMONIC))
