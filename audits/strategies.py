"""Hypothesis strategies: values of a quantity, neighbouring inputs, problems. For searches, tests and users' tests."""

import math
from typing import Any

from hypothesis import strategies as st

from banditproof.glossary import Quantity
from banditproof.guarantees import Relation
from banditproof.mechanism import Neighbours

LARGEST = 1e6  # where a domain has no upper end


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


def entries(domain: Neighbours) -> st.SearchStrategy[float]:
    """One number of a data set: the ends of the interval, the middle, or anything between."""
    if domain.integral:
        return st.integers(math.ceil(domain.low), math.floor(domain.high)).map(float)
    ends = st.sampled_from([domain.low, domain.high, (domain.low + domain.high) / 2])
    return st.one_of(ends, st.floats(domain.low, domain.high, allow_subnormal=False))


def rows(domain: Neighbours) -> st.SearchStrategy[Any]:
    """One row of a data set: a number, or nested tuples of the domain's row shape."""
    strategy: st.SearchStrategy[Any] = entries(domain)
    for size in reversed(domain.row):
        strategy = st.tuples(*[strategy] * size)
    return strategy


@st.composite
def neighbouring(draw: st.DrawFn, domain: Neighbours) -> tuple[Any, Any]:
    """A pair of neighbouring inputs of the domain, as tuples."""
    length = draw(st.integers(*domain.lengths))
    match domain.relation:
        case Relation.WITHIN_SENSITIVITY:
            first = draw(st.tuples(*[entries(domain)] * length))
            # The farthest neighbours are the ends of one axis (any norm) and, for norms above 1, spread over all of them.
            spread = draw(st.booleans()) and domain.norm > 1
            size = domain.sensitivity / math.sqrt(length) if spread else domain.sensitivity
            axis, sign = draw(st.integers(0, length - 1)), draw(st.sampled_from([1.0, -1.0]))
            return first, tuple(value + sign * size * (spread or place == axis) for place, value in enumerate(first))
        case Relation.ANY_PAIR:
            return draw(st.tuples(*[rows(domain)] * length)), draw(st.tuples(*[rows(domain)] * length))
        case Relation.ADD_OR_REMOVE:
            longer = draw(st.tuples(*[rows(domain)] * (length + 1)))
            place = draw(st.integers(0, length))
            pair = longer, longer[:place] + longer[place + 1 :]
            return pair if draw(st.booleans()) else (pair[1], pair[0])
        case Relation.REPLACE_ROUND | Relation.REPLACE_REWARD | Relation.REPLACE_RECORD:
            first = draw(st.tuples(*[rows(domain)] * length))
            place = draw(st.integers(0, length - 1))
            return first, (*first[:place], draw(rows(domain)), *first[place + 1 :])


def bernoulli_means(most_arms: int = 6) -> st.SearchStrategy[tuple[float, ...]]:
    """Means of 2 to `most_arms` Bernoulli arms; ties and the ends 0 and 1 included."""
    mean = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.0, 1.0, allow_subnormal=False))
    return st.lists(mean, min_size=2, max_size=most_arms).map(tuple)


def reward_tables(horizon: int, arms: int) -> st.SearchStrategy[tuple[tuple[float, ...], ...]]:
    """Rewards (T, K) in [0, 1], as nested tuples."""
    return rows(Neighbours(Relation.REPLACE_ROUND, row=(horizon, arms)))
