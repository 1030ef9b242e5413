"""An adversary of linear models who has seen a whole batch, and knows the arms' vectors and what the server estimates.

His aim is to move the estimate along `direction`, u for short, in coordinates of the arms. Least squares moves by <u, M^-1 a_j> (v - r_j)
along u when the report r_j of arm a_j becomes v, with M = sum of a_j a_j^T over the batch and a ridge of 1e-9 of its trace. So

    PUSH     v = size * sign(<u, M^-1 a_j>): no report of this size moves least squares further
    IMITATE  v = size * <a_j, u>: what an arm would report if the parameter were size * u, so that arms agree with each other

and the reports that he replaces are RANDOM, each with probability `corruption`, independently, as in Charisopoulos et al. 2023, (3), or the
WORST: the floor(corruption * n) ones whose replacement moves least squares furthest along u.

Reports of NaN are those of users who send nothing (`mechanisms.client_reports`): they stay, and do not count. Rounds without contexts have
the unit vectors as arms. What he knows of the arms' vectors is those of the batch's last round: where they are drawn anew within a batch, M
and the signs are not those of the pulled vectors, and another adversary of this size moves least squares further.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

import numpy as np

from banditproof import randomness
from banditproof.guarantees import require
from banditproof.interaction import Floats, Ints, Kernel, Wire, Words
from banditproof.kernels import CORRUPT_BATCH, compiled
from banditproof.randomness import uniform
from banditproof.typical import Several, Values, between

_CORRUPTION, _SIZE, _WORST, _IMITATES, _DIRECTION = range(5)  # places in `setup`
_RIDGE = 1e-9


class Positions(Enum):
    """Which reports are replaced."""

    RANDOM = "random"
    WORST = "worst"


class Attack(Enum):
    """What they are replaced by."""

    PUSH = "push"
    IMITATE = "imitate"


def _solve(matrix: Floats, target: Floats) -> None:
    """target (d,) becomes matrix^-1 target, for a positive definite matrix (d, d), which is destroyed: Gauss without exchanges."""
    size = target.shape[0]
    for pivot in range(size):
        for row in range(pivot + 1, size):
            factor = matrix[row, pivot] / matrix[pivot, pivot]
            for column in range(pivot, size):
                matrix[row, column] -= factor * matrix[pivot, column]
            target[row] -= factor * target[pivot]
    for row in range(size - 1, -1, -1):
        for column in range(row + 1, size):
            target[row] -= matrix[row, column] * target[column]
        target[row] /= matrix[row, row]


solve = compiled(_solve, inline=True)


def _influences(direction: Floats, arms: Ints, vectors: Floats, reports: Floats, influence: Floats) -> None:
    """<u, M^-1 a> of every arm, influence (K,); zero where no user sends anything."""
    count, size = vectors.shape
    matrix, image, trace = np.zeros((size, size)), np.zeros(size), 0.0
    for user in range(arms.shape[0]):
        if reports[user, 0, 0] == reports[user, 0, 0]:
            for row in range(size):
                for column in range(size):
                    matrix[row, column] += vectors[arms[user], row] * vectors[arms[user], column]
    for row in range(size):
        trace += matrix[row, row]
        image[row] = direction[row] if row < direction.shape[0] else 0.0
    for row in range(size):
        matrix[row, row] += _RIDGE * trace
    influence[:] = 0.0
    if trace > 0.0:
        solve(matrix, image)
        for arm in range(count):
            for column in range(size):
                influence[arm] += image[column] * vectors[arm, column]


influences = compiled(_influences, inline=True, allocates=True)


def _replace_reports(setup: Floats, memory: Floats, round: int, key: Words, arms: Ints, contexts: Floats, reports: Floats) -> None:
    users, messages, width = reports.shape
    direction, count = setup[_DIRECTION:], contexts.shape[0]
    vectors = contexts if contexts.shape[1] > 0 else np.eye(count)
    influence, values, marks = np.zeros(count), np.zeros(count), np.empty(users)
    influences(direction, arms, vectors, reports, influence)
    for arm in range(count):
        values[arm] = setup[_SIZE] if influence[arm] >= 0.0 else -setup[_SIZE]
        if setup[_IMITATES] > 0.0:
            values[arm] = 0.0
            for column in range(min(direction.shape[0], vectors.shape[1])):
                values[arm] += setup[_SIZE] * vectors[arm, column] * direction[column]
    sent, chosen = 0, 0
    for user in range(users):
        marks[user] = math.inf
        if reports[user, 0, 0] == reports[user, 0, 0]:
            sent += 1
            if setup[_WORST] > 0.0:
                marks[user] = -influence[arms[user]] * (values[arms[user]] - reports[user, 0, 0])
            elif uniform(key, randomness.CORRUPTION, round + user) < setup[_CORRUPTION]:
                marks[user], chosen = -1.0, chosen + 1
    order = np.argsort(marks, kind="mergesort")  # a stable sort, which compiled and plain code agree on
    if setup[_WORST] > 0.0:
        chosen = int(setup[_CORRUPTION] * sent + 1e-9)  # 0.29 of 100 is 29, though the product of the doubles is a little less
    for place in range(chosen):
        for message in range(messages):
            for column in range(width):
                reports[order[place], message, column] = values[arms[order[place]]]


replace_reports = compiled(_replace_reports, CORRUPT_BATCH, allocates=True)


@dataclass(frozen=True)
class LinearAdversary:
    """Replaces reports of a batch by numbers of size `size`, to move the estimate along `direction` (d,), which is scaled to length 1.

    Raises ValueError unless 0 <= corruption <= 1, size is finite and >= 0, and direction has finite numbers, not all 0.
    """

    corruption: float
    direction: tuple[float, ...]
    size: float = 1.0
    positions: Positions = Positions.RANDOM
    values: Attack = Attack.PUSH
    wire: Wire = field(default=Wire.BATCH, init=False, repr=False)
    kernel: Kernel = field(default=replace_reports, init=False, repr=False)

    typical: ClassVar[Mapping[str, Values]] = {
        "corruption": (0.0, between(0.0, 1.0)),
        "direction": Several(between(0.1, 1.0), 1, 4),
        "size": between(0.0, 5.0),
    }

    def __post_init__(self) -> None:
        fraction = 0.0 <= self.corruption <= 1.0
        require(fraction, f"corruption = {self.corruption}: must be >= 0 and <= 1 (probability or fraction of replaced reports)")
        require(0.0 <= self.size < math.inf, f"size = {self.size}: must be >= 0 and finite")
        fits = 0.0 < math.hypot(*self.direction) < math.inf
        require(fits, f"direction = {self.direction}: must be finite numbers, not all 0")

    def setup(self) -> Floats:
        head = [self.corruption, self.size, self.positions is Positions.WORST, self.values is Attack.IMITATE]
        return np.array([*head, *(each / math.hypot(*self.direction) for each in self.direction)], dtype=float)

    def memory(self) -> Floats:
        return np.zeros(0)
