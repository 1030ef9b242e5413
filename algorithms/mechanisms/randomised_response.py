"""Randomised response with m answers (Warner 1965; Kairouz, Oh and Viswanath 2014), and on a reward before it leaves the user."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from banditproof import glossary, randomness
from banditproof.guarantees import NeighbouringRelation, PureDP, View, require
from banditproof.interaction import Floats, Kernel, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.mechanism import Neighbours
from banditproof.randomness import uniform


def keep(epsilon: float, categories: int = 2) -> float:
    """Probability of the true answer, e^epsilon / (e^epsilon + categories - 1)."""
    glossary.EPSILON.require(epsilon)
    return 1.0 / (1.0 + (glossary.CATEGORIES.require(categories) - 1.0) * math.exp(-epsilon))


def epsilon(keep: float, categories: int = 2) -> float:
    """Privacy parameter epsilon at a probability of the true answer: |ln(keep (categories - 1) / (1 - keep))|; 0 where keep = 1 /
    categories."""
    glossary.KEEP.require(keep)
    return abs(math.log(keep) - math.log1p(-keep) + math.log(glossary.CATEGORIES.require(categories) - 1.0))


@dataclass(frozen=True)
class RandomisedResponse:
    """Releases the true one of `categories` answers, 0, 1, ..., with probability `keep`, else one of the others, all alike."""

    epsilon: float
    categories: int = 2
    theorems: tuple[str, ...] = field(default=("kairouz_2014.randomised_response_privacy",), init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.CATEGORIES.require(self.categories)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def neighbours(self) -> Neighbours:
        """Every pair of different answers is worst."""
        worst = (((0.0,), (1.0,)), ((float(self.categories - 1),), (0.0,)))
        return Neighbours(NeighbouringRelation.ANY_PAIR, high=self.categories - 1.0, lengths=(1, 1), integral=True, worst=worst)

    def release(self, data: float | Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` answers, shape (runs, 1), to the answer `data`, a number or a sequence of one.

        Raises ValueError unless it is a whole number from 0 to categories - 1.
        """
        answer = np.asarray(data, dtype=float)
        if answer.size != 1 or answer.item() not in range(self.categories):
            raise ValueError(f"answer = {data}: must be one whole number from 0 to {self.categories - 1} (a category)")
        others = self.categories - 1
        # Each answer has a probability, of 2^-53 at least: the uniform number may be 0.
        moved = rng.random(runs) < (others / (math.exp(self.epsilon) + others) if self.epsilon < 700.0 else 5e-324)
        offset = np.where(moved, 1.0 + np.floor(rng.random(runs) * others), 0.0)
        release: Floats = np.mod(answer.item() + offset, self.categories)[:, None]
        return release


def _respond(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    width = message.shape[0]
    level = setup[0] / width
    flip, apart = math.exp(-level) / (1.0 + math.exp(-level)), math.tanh(level / 2.0)  # 1 - 2 flip, above 0 for the smallest epsilon too
    for column in range(width):
        value = message[column]
        if value != value:
            report[0, column] = value
            continue
        value = min(max(value, 0.0), 1.0)
        number, rare = uniform(key, randomness.CLIENT, round * width + column), flip + apart * min(value, 1.0 - value)
        # The rarer answer has a probability of 2^-53 at least: added to the other one's it would be lost.
        chance = rare if value < 0.5 else 1.0 - max(rare, 2.0**-53)
        answer = 1.0 if number < chance else 0.0
        report[0, column] = 0.5 + (answer - 0.5) / apart if setup[1] > 0.0 else answer


respond = compiled(_respond, RANDOMISE)


@dataclass(frozen=True)
class LocalResponse:
    """Client randomiser: each of the w numbers of a message, in {0, 1}, is flipped with probability 1 / (1 + e^(epsilon / w)).

    A number x between 0 and 1 is first made a Bernoulli(x) answer. `debias` shifts and stretches the answers so that their mean is x.
    """

    epsilon: float
    debias: bool = True
    theorems: tuple[str, ...] = field(default=("kairouz_2014.randomised_response_privacy",), init=False, repr=False)
    kernel: Kernel = field(default=respond, init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        require(self.epsilon >= 1e-300, f"epsilon = {self.epsilon}: must be >= 1e-300 (answers that nothing distinguishes)")

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def messages(self, width: int) -> tuple[int, int]:
        return 1, width

    def setup(self) -> Floats:
        return np.array([self.epsilon, float(self.debias)])
