"""Methods with one mistake each, whose cost grows too fast. They are played step by step, so their kernels are plain functions."""

from dataclasses import dataclass
from typing import Any

from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.guarantees import Guarantee
from banditproof.interaction import Floats, Ints, Kernel, Kernels, Pipeline, Policy, Words
from banditproof.kernels import plain
from benchmarks.counted import coins, fixed, played
from benchmarks.runner.cases import Work
from benchmarks.runner.counting import Counted


@dataclass(frozen=True)
class Mistaken:
    """A policy with other kernels."""

    policy: Policy
    kernels: Kernels
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee | None:
        return None

    def state(self, arms: int, dimension: int, horizon: int) -> Any:
        return self.policy.state(arms, dimension, horizon)

    def message_width(self, dimension: int) -> int:
        return self.policy.message_width(dimension)

    def statistic_width(self, arms: int, dimension: int) -> int:
        return self.policy.statistic_width(arms, dimension)


def copied_history() -> Policy:
    """UCB1 that keeps the rewards and copies all of them in every round: O(T^2)."""
    policy, kept = UCB1(), list[float]()
    first_start, first_learn = plain(policy.kernels.start), plain(policy.kernels.learn)

    def start(state: Any, key: Words) -> None:
        kept.clear()
        first_start(state, key)

    def learn(state: Any, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
        first_learn(state, key, round, arms, batch, statistic)
        kept.append(batch[0, 0])
        copy = [0.0] * len(kept)
        for place in range(len(kept)):
            copy[place] = kept[place]

    return Mistaken(policy, policy.kernels._replace(start=start, learn=learn))


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse by Gauss-Jordan elimination, O(d^3)."""
    size = len(matrix)
    for pivot in range(size):
        scale = 1.0 / matrix[pivot][pivot]
        matrix[pivot][pivot] = 1.0
        for column in range(size):
            matrix[pivot][column] *= scale
        for row in range(size):
            if row != pivot:
                factor = matrix[row][pivot]
                matrix[row][pivot] = 0.0
                for column in range(size):
                    matrix[row][column] -= factor * matrix[pivot][column]
    return matrix


def inverted_each_round() -> Policy:
    """LinUCB that inverts a matrix afresh in every round instead of updating the inverse: O(d^3)."""
    policy = LinUCB(Noise.NONE)
    first_learn: Kernel = plain(policy.kernels.learn)

    def learn(state: Any, key: Words, round: int, arms: Ints, batch: Floats, statistic: Floats) -> None:
        first_learn(state, key, round, arms, batch, statistic)
        size = batch.shape[1] - 1
        _inverse([[float(row == column) for column in range(size)] for row in range(size)])

    return Mistaken(policy, policy.kernels._replace(learn=learn))


def _by_dimension(dimension: int) -> Work:
    return played(Pipeline(inverted_each_round(), fixed(4, dimension)), 12)


WORKS = {
    "copied_history": Counted(
        "T", (64, 128, 256), lambda rounds: played(Pipeline(copied_history(), coins(3)), rounds), 1.0, "a constant cost per round"
    ),
    "inverted_each_round": Counted("d", (12, 20, 32), _by_dimension, 2.0, "O(K d^2) per round"),
}
