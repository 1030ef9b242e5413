"""Algorithm 2 in plain Python, from section 6 of the sheet: the paper's grid, its targets, the index and the removal test."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB
from banditproof.audits.papers.ldp_linucb_2024.plain.server import plan_of


class Belief(NamedTuple):
    """C, alpha and R."""

    coefficient: float
    exponent: float
    target: float


def learners_of(policy: Combiner, horizon: int) -> list[PrivateOnlineLinUCB | Anytime]:
    """The base learners: those given, or the grid."""
    if policy.bases is not None:
        return list(policy.bases)
    rounds, _ = plan_of(policy.base, horizon)
    least, many = rounds**-0.125, 1 + math.ceil(math.log2(rounds) / 8.0)
    grid = [replace(policy.base, curvature=2.0 ** (i - 1) * least, threshold=least) for i in range(2, many + 1)]
    return [Anytime(replace(policy.base, curvature=least)), *grid]


def beliefs_of(policy: Combiner, dimension: int, horizon: int) -> list[Belief]:
    """Those given, or Theorem 4.1's."""
    if policy.putatives is not None:
        return [Belief(*each) for each in policy.putatives]
    rounds, beta = plan_of(policy.base, horizon)
    beta = beta if policy.failure is None else policy.failure
    power, root, found = math.log(rounds) ** 1.5, math.sqrt(dimension * rounds), []
    for own in learners_of(policy, horizon):
        if isinstance(own, Anytime):
            size, p = own.base.epsilon * rounds**0.125, policy.anytime_factor
            found.append((p * power * math.sqrt(dimension) * (size + 1) / size, 0.75, size / (root * (p * power * size + 1))))
        else:
            p = policy.guess_factor
            found.append((p * power * math.sqrt(dimension) / (own.epsilon * own.curvature), 0.5, own.epsilon / (p * power * root)))
    beliefs = []
    for place, (c, a, eta) in enumerate(found):
        q = (1 - a) / a
        target = c * rounds**a + (1 - a) ** q * (1 + a) ** (1 / a) / a**q * c ** (1 / a) * rounds * eta**q
        target += 288 * math.log(rounds**3 * len(found) / beta) * rounds * eta
        beliefs.append(Belief(c, a, target + sum(1 / other for k, (_, _, other) in enumerate(found) if k != place)))
    return beliefs


class PlainAccounts:
    """The rewards that each base learner had, and which of them are left."""

    def __init__(self, beliefs: Sequence[Belief], sigma: float, horizon: int, beta: float, factor: float) -> None:
        self.beliefs, self.horizon, self.factor = beliefs, horizon, factor
        self.variance, self.inner = 1.0 + sigma**2, horizon**3 * len(beliefs) * (1.0 + sigma**2) / beta
        self.heard: list[list[float]] = [[] for _ in beliefs]
        self.short, self.active = [0.0 for _ in beliefs], [True for _ in beliefs]

    def allowed(self, base: int) -> float:
        """C n^alpha + rad(n)."""
        n, belief = len(self.heard[base]), self.beliefs[base]
        logarithm = math.log(math.log(max(n, math.e)) * self.inner)
        return belief.coefficient * n**belief.exponent + self.factor * math.sqrt(n * self.variance * logarithm) if n else 0.0

    def mean(self, base: int) -> float:
        """Of the noisy rewards, 0 before the first."""
        return math.fsum(self.heard[base]) / max(len(self.heard[base]), 1)

    def index(self, base: int) -> float:
        """U of a base learner."""
        n = len(self.heard[base])
        return self.mean(base) + (min(1.0, self.allowed(base) / n) if n else 1.0) - self.beliefs[base].target / self.horizon

    def chosen(self) -> int:
        """The first of the largest index."""
        return max((base for base in range(len(self.beliefs)) if self.active[base]), key=self.index)

    def count(self, base: int, response: float) -> None:
        """A noisy reward, and the test; the last one stays."""
        self.short[base] += self.mean(base) - response
        self.heard[base].append(response)
        if self.short[base] >= self.allowed(base) and sum(self.active) > 1:
            self.active[base] = False
