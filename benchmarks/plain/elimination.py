"""Arm elimination for clean Pareto rewards, twice: a loop of Python over the rounds, and NumPy with one array per batch."""

import math

import numpy as np


def _schedule(epoch: int, active: int, horizon: int, epsilon: float) -> tuple[float, float]:
    size, term = 2**epoch, math.log(8 * active * epoch**2 * horizon)
    return math.sqrt(size * epsilon / (4 * term)), math.sqrt(2 * term / size) + 2 * math.sqrt(4 * term / (size * epsilon))


def by_round(shifts: list[float], scale: float, shape: float, horizon: int, epsilon: float, rng: np.random.Generator) -> int:
    """Returns the pulls of arm 0."""
    active, played, epoch, first, exponent, draw = list(range(len(shifts))), 0, 0, 0, -1.0 / shape, rng.random
    while len(active) > 1:
        epoch += 1
        truncation, radius = _schedule(epoch, len(active), horizon, epsilon)
        estimates = []
        for arm in active:
            total, shift = 0.0, shifts[arm]
            for _ in range(2**epoch):
                reward = shift + scale * (1.0 - draw()) ** exponent
                played += 1
                first += arm == 0
                if -truncation <= reward <= truncation:
                    total += reward
                if played == horizon:
                    return first
            estimates.append(total / 2**epoch + rng.laplace(0.0, 2 * truncation / (2**epoch * epsilon)))
        best = max(estimates)
        active = [arm for arm, estimate in zip(active, estimates, strict=True) if best - estimate <= 2 * radius]
    return first + (horizon - played) * (active[0] == 0)


def by_batch(shifts: list[float], scale: float, shape: float, horizon: int, epsilon: float, rng: np.random.Generator) -> int:
    """Returns the pulls of arm 0."""
    active, played, epoch, first = list(range(len(shifts))), 0, 0, 0
    while len(active) > 1:
        epoch += 1
        truncation, radius = _schedule(epoch, len(active), horizon, epsilon)
        estimates = []
        for arm in active:
            pulls = min(2**epoch, horizon - played)
            rewards = shifts[arm] + scale * (1.0 - rng.random(pulls)) ** (-1.0 / shape)
            played += pulls
            first += pulls * (arm == 0)
            if played == horizon:
                return first
            kept = rewards[np.abs(rewards) <= truncation].sum() / pulls
            estimates.append(kept + rng.laplace(0.0, 2 * truncation / (pulls * epsilon)))
        best = max(estimates)
        active = [arm for arm, estimate in zip(active, estimates, strict=True) if best - estimate <= 2 * radius]
    return first + (horizon - played) * (active[0] == 0)
