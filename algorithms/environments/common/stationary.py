"""What environments with one fixed distribution per arm share: the means (K,) stand first in `setup`."""

import math

from banditproof.interaction import Floats, Words
from banditproof.kernels import PRESENT, compiled

_NEVER = 2**62  # the round at which the means change


def _present(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    for arm in range(means.shape[0]):
        means[arm] = setup[arm]
    return _NEVER


present = compiled(_present, PRESENT)


def require_one_an_arm(**columns: tuple[float, ...]) -> None:
    """Raises ValueError, naming the parameter, unless all have the length K >= 2 of the first, and hold finite numbers."""
    arms = len(next(iter(columns.values())))
    for name, values in columns.items():
        if len(values) != arms or arms < 2:
            raise ValueError(f"{name} = {values}: must be those of {max(arms, 2)} arms, as many as the other parameters have")
        for value in values:
            if not math.isfinite(value):
                raise ValueError(f"{name} holds {value}: must be finite")
