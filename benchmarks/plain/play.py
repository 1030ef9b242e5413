"""UCB1 on Bernoulli arms as one would write it in Python: lists, `math`, and all random numbers drawn at once by NumPy."""

import math

import numpy as np
from numpy.typing import NDArray


def uniforms(key: NDArray[np.uint64], rounds: int) -> list[float]:
    """The numbers that run 0 draws for its rewards: the first word of each Philox block of purpose 0."""
    words = np.random.Philox(key=key, counter=np.zeros(4, dtype=np.uint64)).random_raw(4 * rounds)[::4]
    numbers: list[float] = ((words >> np.uint64(11)) * 2.0**-53).tolist()
    return numbers


def ucb1(means: tuple[float, ...], numbers: list[float]) -> tuple[list[int], float]:
    """Arms and pseudo-regret of a run whose round t draws numbers[t]."""
    arms, best = len(means), max(means)
    pulls, sums, chosen, regret = [0] * arms, [0.0] * arms, [], 0.0
    for played, number in enumerate(numbers):
        if played < arms:
            arm = played
        else:
            double_log, arm, largest = 2.0 * math.log(played), 0, -math.inf
            for each in range(arms):
                index = sums[each] / pulls[each] + math.sqrt(double_log / pulls[each])
                if index > largest:
                    arm, largest = each, index
        pulls[arm] += 1
        if number < means[arm]:
            sums[arm] += 1.0
        regret += best - means[arm]
        chosen.append(arm)
    return chosen, regret
