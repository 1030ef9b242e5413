"""Rewards of all arms of a round at once, where they are one coin or one number of noise beside each mean."""

from banditproof.interaction import Floats
from banditproof.kernels import compiled
from banditproof.lanes import EIGHT, filled, read, select, write


def _signs(means: Floats, place: int, arms: int, coin: float, rewards: Floats, start: int) -> None:
    """1 where the coin is below (1 + mean) / 2, else -1: of means[place : place + arms], to rewards[start : start + arms]."""
    if arms < EIGHT:
        for arm in range(arms):
            rewards[start + arm] = 1.0 if coin < (1.0 + means[place + arm]) / 2.0 else -1.0
        return
    for first in range(0, arms, EIGHT):
        at = min(first, arms - EIGHT)
        chance = (1.0 + read(means, place + at, EIGHT)) * 0.5
        write(rewards, start + at, select(chance > coin, filled(1.0, EIGHT), filled(-1.0, EIGHT)))


def _shifted(means: Floats, place: int, arms: int, noise: float, rewards: Floats, start: int) -> None:
    """Mean + noise."""
    for arm in range(arms):
        rewards[start + arm] = means[place + arm] + noise


signs, shifted = compiled(_signs, inline=True), compiled(_shifted, inline=True)
