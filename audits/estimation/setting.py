"""What a user chooses of a comparison of estimators; it is cheap to import."""

from dataclasses import dataclass
from enum import Enum

from banditproof import glossary
from banditproof.guarantees import require

LEAST = 1e-100  # of epsilon


class Rewards(Enum):
    """The distribution of a reward about its mean."""

    SIGNS = "signs"  # 1 or -1: no rewards in [-1, 1] of this mean have a larger variance
    GAUSSIAN = "gaussian"  # variance 1; not in [-1, 1], so that epsilon is no guarantee


class Positions(Enum):
    """Which reports may be corrupted."""

    RANDOM = "random"  # each with probability alpha, independently
    CHOSEN = "chosen"  # any floor(alpha n) of them, chosen by the adversary, who has seen all reports


class Purpose(Enum):
    """What draws are for: a search sees none of those that its result is measured on."""

    SEARCH = "search"
    MEASURE = "measure"


@dataclass(frozen=True)
class Setting:
    """What a user chooses. Raises ValueError, naming the value and the rule."""

    arms: int
    dimension: int
    samples: int
    corruption: float
    epsilon: float
    rewards: Rewards = Rewards.SIGNS
    positions: Positions = Positions.RANDOM
    seed: int = 17

    def __post_init__(self) -> None:
        glossary.ARMS.require(self.arms)
        glossary.DIMENSION.require(self.dimension)
        glossary.SAMPLES.require(self.samples)
        glossary.EPSILON.require(self.epsilon)
        require(self.epsilon >= LEAST, f"epsilon = {self.epsilon}: must be >= {LEAST} (the square of the noise is a float)")
        require(self.arms >= self.dimension, f"arms = {self.arms}: must be >= dimension = {self.dimension} (arms that span R^d)")
        require(0.0 < self.corruption < 0.5, f"corruption = {self.corruption}: must be > 0 and < 0.5 (fraction of corrupted reports)")
        require(self.seed >= 0, f"seed = {self.seed}: must be an integer >= 0")
