"""The options of robust arm elimination, and what its server hears in a batch."""

from enum import Enum
from typing import NamedTuple

from banditproof.interaction import Floats, Ints

LARGEST_REPORT = 1e60  # squares of what lies beyond would overflow


class ClientModel(Enum):
    """Who reports what."""

    FIRST = "first"  # a new client per reward
    SECOND = "second"  # one owner per arm, who reports a mean per batch


class DesignArms(Enum):
    """The arms of the design, which the paper does not name."""

    ACTIVE = "active"
    ALL = "all"


class FilterBound(Enum):
    """How lambda of the filter is chosen by what a server sees."""

    OBSERVED = "observed"  # printed
    RANGE = "range"  # the bracket of Lemma 3.3 or Lemma 3.8 with constants 1
    GIVEN = "given"  # `filter_value`


class Reports(NamedTuple):
    """What the server heard in a batch: rows (k, d), and for each of n reports the place (n,) of its row and its value (n,)."""

    rows: Floats
    places: Ints
    values: Floats


def accepts(raw: int, messages: int, width: int) -> bool:
    """One message per user: a reward, or a mean with or without its number of rewards."""
    return messages == 1 and 1 <= width <= raw
