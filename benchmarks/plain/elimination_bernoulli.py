"""Arm elimination for Bernoulli rewards: a loop of Python over the rounds. The schedule is that of clean rewards at moment 2."""

import math

import numpy as np


def by_round(means: tuple[float, ...], horizon: int, epsilon: float, rng: np.random.Generator) -> int:
    """Returns the pulls of arm 0."""
    active, played, epoch, first, draw = list(range(len(means))), 0, 0, 0, rng.random
    while len(active) > 1:
        epoch += 1
        size, term = 2**epoch, math.log(8 * len(active) * epoch**2 * horizon)
        truncation, radius = math.sqrt(size * epsilon / (4 * term)), math.sqrt(2 * term / size) + 2 * math.sqrt(4 * term / (size * epsilon))
        estimates = []
        for arm in active:
            total, mean = 0.0, means[arm]
            for _ in range(size):
                reward = 1.0 if draw() < mean else 0.0
                played += 1
                first += arm == 0
                if -truncation <= reward <= truncation:
                    total += reward
                if played == horizon:
                    return first
            estimates.append(total / size + rng.laplace(0.0, 2 * truncation / (size * epsilon)))
        best = max(estimates)
        active = [arm for arm, estimate in zip(active, estimates, strict=True) if best - estimate <= 2 * radius]
    return first + (horizon - played) * (active[0] == 0)
