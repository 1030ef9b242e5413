"""Hypothesis strategies: values of a quantity, neighbouring inputs, problems. For searches, tests and users' tests.

Neighbouring inputs are put together from fair coins. Hypothesis mixes whole numbers and floats with the constants of the modules that the
process happens to have imported, so what a search found would depend on them; coins it leaves alone.
"""

import math
from typing import Any, assert_never

from hypothesis import strategies as st

from banditproof.glossary import Quantity
from banditproof.guarantees import Relation
from banditproof.mechanism import Neighbours

LARGEST = 1e6  # where a domain has no upper end
GRID = 10  # coins of a number between the ends of its interval


def values_of(quantity: Quantity, *, low: float | None = None, high: float | None = None) -> st.SearchStrategy[float]:
    """Values of a quantity: over its whole domain (cut to [-LARGEST, LARGEST], or to low and high), and its typical ones."""
    domain = quantity.domain
    least = max(domain.low, -LARGEST) if low is None else low
    most = min(domain.high, LARGEST) if high is None else high
    typical = [value for value in quantity.typical if least <= value <= most]
    if domain.integer:
        values: st.SearchStrategy[float] = st.integers(math.ceil(least) + (domain.low_open and least == domain.low), math.floor(most))
    else:
        values = st.floats(
            least,
            most,
            exclude_min=domain.low_open and least == domain.low,
            exclude_max=domain.high_open and most == domain.high,
            allow_subnormal=False,
        )
    return st.one_of(st.sampled_from(typical), values) if typical else values


def whole_numbers(low: int, high: int) -> st.SearchStrategy[int]:
    """From low to high, from fair coins: the number of coins is the length of the range in bits, and what is too large wraps around."""
    size = high - low + 1
    coins = st.tuples(*[st.booleans()] * (size - 1).bit_length())
    return coins.map(lambda flips: low + sum(flip << place for place, flip in enumerate(reversed(flips))) % size)


def entries(domain: Neighbours) -> st.SearchStrategy[float]:
    """One number of a data set: half of the time an end of the interval or its middle, else one of 2 ** GRID between the ends."""
    if domain.integral:
        return whole_numbers(math.ceil(domain.low), math.floor(domain.high)).map(float)
    low, high, steps = domain.low, domain.high, 2**GRID

    def number(drawn: tuple[bool, int, int]) -> float:
        between, end, step = drawn
        share = step / steps if between else (0.0, 1.0, 0.5, 1.0)[end]
        return min(max(low * (1.0 - share) + high * share, low), high)  # no difference, which may be too large for a float

    return st.tuples(st.booleans(), whole_numbers(0, 3), whole_numbers(0, steps - 1)).map(number)


def rows(domain: Neighbours) -> st.SearchStrategy[Any]:
    """One row of a data set: a number, or nested tuples of the domain's row shape."""
    strategy: st.SearchStrategy[Any] = entries(domain)
    for size in reversed(domain.row):
        strategy = st.tuples(*[strategy] * size)
    return strategy


@st.composite
def neighbouring(draw: st.DrawFn, domain: Neighbours) -> tuple[Any, Any]:
    """A pair of neighbouring inputs of the domain, as tuples. Under ADD_OR_REMOVE the longer one has the domain's most rows, or one more
    where all inputs have one length."""
    shortest, longest = domain.lengths
    length = draw(whole_numbers(shortest, longest))
    match domain.relation:
        case Relation.WITHIN_SENSITIVITY:
            first = draw(st.tuples(*[entries(domain)] * length))
            # The farthest neighbours are the ends of one axis (any norm) and, for norms above 1, spread over all of them.
            spread = draw(st.booleans()) and domain.norm > 1 and length > 1
            size = domain.sensitivity / length ** (1.0 / domain.norm) if spread else domain.sensitivity
            if domain.integral:
                size = float(math.floor(size))
            axis, sign = draw(whole_numbers(0, length - 1)), -1.0 if draw(st.booleans()) else 1.0
            moves = (size if spread or place == axis else 0.0 for place in range(length))
            return first, tuple(_moved(value, sign, move) for value, move in zip(first, moves, strict=True))
        case Relation.ANY_PAIR:
            return draw(st.tuples(*[rows(domain)] * length)), draw(st.tuples(*[rows(domain)] * length))
        case Relation.ADD_OR_REMOVE:
            length = draw(whole_numbers(shortest, max(shortest, longest - 1)))
            longer = draw(st.tuples(*[rows(domain)] * (length + 1)))
            place = draw(whole_numbers(0, length))
            pair = longer, longer[:place] + longer[place + 1 :]
            return pair if draw(st.booleans()) else (pair[1], pair[0])
        case Relation.REPLACE_ROUND | Relation.REPLACE_REWARD | Relation.REPLACE_RECORD:
            first = draw(st.tuples(*[rows(domain)] * length))
            place = draw(whole_numbers(0, length - 1))
            return first, (*first[:place], draw(rows(domain)), *first[place + 1 :])
        case _:
            assert_never(domain.relation)


def _moved(value: float, sign: float, size: float) -> float:
    """The number at most `size` away: rounding may not carry it farther."""
    moved = value + sign * size
    while abs(moved - value) > size:
        moved = math.nextafter(moved, value)
    return moved


def bernoulli_means(most_arms: int = 6) -> st.SearchStrategy[tuple[float, ...]]:
    """Means of 2 to `most_arms` Bernoulli arms; ties and the ends 0 and 1 included."""
    mean = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.0, 1.0, allow_subnormal=False))
    return st.lists(mean, min_size=2, max_size=most_arms).map(tuple)


def reward_tables(horizon: int, arms: int) -> st.SearchStrategy[tuple[tuple[float, ...], ...]]:
    """Rewards (T, K) in [0, 1], as nested tuples."""
    return rows(Neighbours(Relation.REPLACE_ROUND, row=(horizon, arms)))
