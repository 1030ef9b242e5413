"""Huber contamination (Huber 1964): with probability alpha a value is replaced by a draw from an outlier law."""

from dataclasses import dataclass, field

import numpy as np

from banditproof import randomness
from banditproof.interaction import Floats, Kernel, Wire, Words
from banditproof.kernels import CORRUPT, compiled
from banditproof.randomness import uniform


def _contaminate(setup: Floats, memory: Floats, key: Words, round: int, arm: int, values: Floats) -> None:
    if uniform(key, randomness.CORRUPTION, 2 * round) < setup[0]:
        outlier = setup[2] if uniform(key, randomness.CORRUPTION, 2 * round + 1) < setup[3] else setup[1]
        for column in range(values.shape[0]):
            values[column] = outlier


contaminate = compiled(_contaminate, CORRUPT)


@dataclass(frozen=True)
class Huber:
    """Contamination of the pulled arm's reward (wire REWARDS) or of the whole message (wire REPORT), independently each round.

    The outlier is `high` with probability `high_probability`, else `low`: a constant by default. Raises ValueError unless
    0 <= alpha <= 1 and 0 <= high_probability <= 1.
    """

    alpha: float
    high: float = 1.0
    low: float = 0.0
    high_probability: float = 1.0
    wire: Wire = Wire.REWARDS
    kernel: Kernel = field(default=contaminate, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, value in (("alpha", self.alpha), ("high_probability", self.high_probability)):
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{name} = {value}: must be >= 0 and <= 1 (a probability)")
        if self.wire not in (Wire.REWARDS, Wire.REPORT):
            raise ValueError(f"wire = {self.wire.value}: must be rewards or report")

    def setup(self) -> Floats:
        return np.array([self.alpha, self.low, self.high, self.high_probability])

    def memory(self) -> Floats:
        return np.zeros(0)
