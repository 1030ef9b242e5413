"""Decision sets of an adversary that watches the pulls: the best arm lies where the learner knows most, the others where it knows least.

An index that rewards ignorance is led astray as long as it can be: the width of the best arm's interval is the smallest of all. Shariff and
Sheffet 2018 allow such sets (any, even adaptive); their experiments have none. The unknown parameter is e_1.

For each direction e_2 .. e_d the adversary adds up how far the pulled arms reached into it. In a round the best arm is top e_1 plus the
rest of a unit vector along the most explored direction; arm after arm, the others have (top - gap) e_1 and the rest along or against the
directions from the least explored on, all over again where there are more arms. The best arm's index is drawn.

What it knows is which of its own arms were pulled, by index: in a replaced round too, of whose set it knows nothing. Joint privacy does not
release the index that was pulled then, on which later sets depend. So runs with different replaced rounds are of neighbours only where that
index is the same in both: it is the first one where all arms of both sets are equal.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.guarantees import require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import PRESENT, REWARD, compiled
from banditproof.randomness import uniform
from banditproof.typical import Values, between, whole_numbers


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    arms, dimension = contexts.shape
    best = int(uniform(key, randomness.CONTEXTS, round) * arms)
    explored, order, direction = memory[:dimension], memory[dimension : 2 * dimension], memory[2 * dimension : 2 * dimension + arms]
    for column in range(1, dimension):  # sorted: order[1] is the least explored direction
        place = column
        while place > 1 and explored[int(order[place - 1])] > explored[column]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = column
    rank = 0
    for arm in range(arms):
        means[arm] = setup[0] if arm == best else setup[0] - setup[1]
        sign = 1.0
        if arm == best:
            direction[arm] = order[dimension - 1]
        else:
            direction[arm] = order[1 + rank // 2 % (dimension - 1)]
            sign = 1.0 if rank % 2 == 0 else -1.0
            rank += 1
        for column in range(dimension):
            contexts[arm, column] = 0.0
        contexts[arm, 0] = means[arm]
        contexts[arm, int(direction[arm])] = sign * math.sqrt((1.0 - means[arm]) * (1.0 + means[arm]))
    memory[2 * dimension + arms] = best
    return round + 1


def _reward(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    arms, dimension = contexts.shape
    mean = setup[0] if arm == int(memory[2 * dimension + arms]) else setup[0] - setup[1]
    memory[int(memory[2 * dimension + arm])] += (1.0 - mean) * (1.0 + mean)
    return 1.0 if uniform(key, randomness.REWARDS, round) < (1.0 + mean) / 2.0 else -1.0


present, reward = compiled(_present, PRESENT), compiled(_reward, REWARD)


@dataclass(frozen=True)
class LeastExploredAdversary:
    """An adversary that places the best arm along the direction that has been explored most, and the others along the least explored.

    Presents K = `arms` unit vectors in R^d, d = `dimension`; rewards are 1 or -1. Raises ValueError unless dimension >= 2, arms >= 2 and
    -1 < top - gap < top < 1."""

    dimension: int = 5
    arms: int = 25
    top: float = 0.75
    gap: float = 0.1
    present: Kernel = field(default=present, init=False, repr=False)
    reward: Kernel = field(default=reward, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {"dimension": whole_numbers(2, 6), "arms": whole_numbers(3, 9), "top": between(-0.9, 0.9)}

    def __post_init__(self) -> None:
        require(self.dimension >= 2, f"dimension = {self.dimension}: must be an integer >= 2 (directions to explore)")
        require(self.arms >= 2, f"arms = {self.arms}: must be an integer >= 2")
        within = -1.0 < self.top - self.gap < self.top < 1.0
        require(within, f"top = {self.top}, gap = {self.gap}: must be -1 < top - gap < top < 1 (mean rewards)")

    def setup(self) -> Floats:
        return np.array([self.top, self.gap])

    def memory(self) -> Floats:
        return np.zeros(2 * self.dimension + self.arms + 1)
