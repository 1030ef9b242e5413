"""Strong contamination: an adversary sees all reports of a batch before replacing a fraction of them.

Huber's contamination draws the positions of what it replaces. Here they may depend on the whole batch, so the reports that remain are not
independent draws from the clean distribution.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from banditproof.guarantees import require
from banditproof.interaction import Floats, Ints, Kernel, Wire, Words
from banditproof.kernels import CORRUPT_BATCH, compiled
from banditproof.typical import Values, between


def _replace_largest(setup: Floats, memory: Floats, round: int, key: Words, arms: Ints, contexts: Floats, reports: Floats) -> None:
    users, messages, width = reports.shape
    marks = np.empty(users)
    for user in range(users):
        value = reports[user, 0, 0]
        marks[user] = -value if value == value else math.inf  # a NaN counts as the smallest number: sorts differ in where they put it
    order = np.argsort(marks, kind="mergesort")  # a stable sort, which compiled and plain code agree on
    for place in range(int(setup[0] * users + 1e-9)):  # 0.29 of 100 is 29, though the product of the doubles is a little less
        for message in range(messages):
            for column in range(width):
                reports[order[place], message, column] = setup[1]


replace_largest = compiled(_replace_largest, CORRUPT_BATCH, allocates=True)


@dataclass(frozen=True)
class StrongAdversary:
    """Replaces the floor(contamination * n) reports of a batch of n whose first number is largest; every number of them becomes `value`.

    Of equal reports the earlier ones are replaced. The same on every policy: with value = 0, and one number in [0, 1] per report, no other
    replacement of so many reports within [0, 1] makes the mean of the batch smaller. Raises ValueError unless 0 <= contamination <= 1
    and `value` is finite.
    """

    typical: ClassVar[Mapping[str, Values]] = {"contamination": (0.0, between(0.0, 1.0)), "value": between(-5.0, 5.0)}

    contamination: float
    value: float = 0.0
    wire: Wire = field(default=Wire.BATCH, init=False, repr=False)
    kernel: Kernel = field(default=replace_largest, init=False, repr=False)

    def __post_init__(self) -> None:
        fraction = 0.0 <= self.contamination <= 1.0
        require(fraction, f"contamination = {self.contamination}: must be >= 0 and <= 1 (a fraction of a batch)")
        require(math.isfinite(self.value), f"value = {self.value}: must be finite")

    def setup(self) -> Floats:
        return np.array([self.contamination, self.value])

    def memory(self) -> Floats:
        return np.zeros(0)
