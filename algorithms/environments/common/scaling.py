"""From real rewards into the unit-moment classes of Wu et al. 2023, Definitions 3.1 and 3.2: run on (reward - offset) / scale.

Raw moments: offset 0 and scale^k >= max E|X|^k. Central moments: any public offset and scale^k >= max E|X - mean|^k; means then lie in
[-D, D] with D = half range / scale. Regret is multiplied by the scale to come back. Contaminated rewards pass through the same map.
"""

import math
from collections.abc import Sequence

from banditproof import glossary


def unit_scale(moments: Sequence[float], moment: float = 2.0) -> float:
    """Least scale that makes moments E|X|^k of order k = `moment` at most 1: the largest of them to the power 1/k, in reward units."""
    order = glossary.MOMENT.require(moment)
    if not moments or not all(0.0 <= each < math.inf for each in moments) or max(moments) == 0.0:
        raise ValueError(f"moments = {tuple(moments)}: must be >= 0 and finite, one of them > 0")
    scale = math.pow(max(moments), 1.0 / order)
    while max(each / scale**order for each in moments) > 1.0:  # rounding may not leave the class
        scale = math.nextafter(scale, math.inf)
    return scale


def rescaled_regret(regret: float, scale: float) -> float:
    """Regret in units of the real rewards."""
    return regret * scale


def require_map(offset: float, scale: float) -> None:
    """Raises ValueError, naming the value and the rule, unless (reward - offset) / scale is a map."""
    if not math.isfinite(offset):
        raise ValueError(f"offset = {offset}: must be finite")
    if not 0.0 < scale < math.inf:
        raise ValueError(f"scale = {scale}: must be > 0 and finite")
