"""Numeric answers of sensitivity 1 in each number, as the controls of several single releases need them."""

import math

from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.mechanism import Neighbours

CLAIM = PureDP(1.0, NeighbouringRelation.QUERY_SENSITIVITY)


def one_apart(width: int = 1) -> Neighbours:
    """Answers of `width` numbers; the first of zeros becomes 1."""
    zero = (0.0,) * width
    return Neighbours(NeighbouringRelation.QUERY_SENSITIVITY, lengths=(width, width), worst=((zero, (1.0, *zero[1:])),))


def laplace_cdf(x: float, scale: float) -> float:
    return 0.5 * math.exp(x / scale) if x < 0 else 1.0 - 0.5 * math.exp(-x / scale)
