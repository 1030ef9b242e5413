"""UCB on noisy sums as one would write it in Python: an arm's rewards in a binary tree whose nodes have Laplace noise."""

import math

import numpy as np


def run(table: list[list[float]], epsilon: float, rng: np.random.Generator) -> list[int]:
    """The arms of a run on a table of rewards (T, K)."""
    rounds, arms = len(table), len(table[0])
    levels = rounds.bit_length()
    scale = levels / epsilon
    pulls, sums, released, chosen = [0] * arms, [0.0] * arms, [0.0] * arms, []
    prefixes = [[0.0] * (levels + 1) for _ in range(arms)]  # noise of the prefix whose last bit is this one
    for played in range(rounds):
        if played < arms:
            arm = played
        else:
            logarithm, arm, largest = math.log(played + 1.0), 0, -math.inf
            width = scale * math.sqrt(8.0 * levels) * logarithm
            for each in range(arms):
                index = (released[each] + width) / pulls[each] + math.sqrt(2.0 * logarithm / pulls[each])
                if index > largest:
                    arm, largest = each, index
        pulls[arm] += 1
        sums[arm] += table[played][arm]
        count = pulls[arm]
        level, rest = (count & -count).bit_length() - 1, count & (count - 1)
        above = prefixes[arm][(rest & -rest).bit_length() - 1] if rest else 0.0
        prefixes[arm][level] = above + float(rng.laplace(0.0, scale))
        released[arm] = sums[arm] + prefixes[arm][level]
        chosen.append(arm)
    return chosen
