"""Hypothesis strategies: values of a quantity, neighbouring inputs, problems. For searches, tests and users' tests.

Neighbouring inputs are put together from fair coins. Hypothesis mixes whole numbers and floats with the constants of the modules that the
process happens to have imported, so what a search found would depend on them; coins it leaves alone.
"""

import math
from typing import Any, assert_never

from hypothesis import strategies as st

from banditproof.glossary import Quantity
from banditproof.guarantees import NeighbouringRelation
from banditproof.mechanism import Neighbours

LARGEST = 1e6  # where a domain has no upper end
COIN = st.booleans()
GRID = 10  # coins of a number between the ends of its interval
LARGE, EXCEPTIONS = 32, 8  # numbers in a dataset that are all drawn; in a larger one, numbers that differ from the rest


def values_of(quantity: Quantity, *, low: float | None = None, high: float | None = None) -> st.SearchStrategy[float]:
    """A Hypothesis strategy for values of a quantity: its typical values, and any others of its interval.

    Without `low` and `high` the interval is cut to [-LARGEST, LARGEST], extended to the typical values.
    """
    interval = quantity.domain
    least = max(interval.low, min((-LARGEST, *quantity.typical))) if low is None else low
    most = min(interval.high, max((LARGEST, *quantity.typical))) if high is None else high
    typical = [value for value in quantity.typical if least <= value <= most]
    if interval.integer:
        values: st.SearchStrategy[float] = st.integers(math.ceil(least) + (interval.low_open and least == interval.low), math.floor(most))
    else:
        values = st.floats(
            least,
            most,
            exclude_min=interval.low_open and least == interval.low,
            exclude_max=interval.high_open and most == interval.high,
            allow_subnormal=False,
        )
    return st.one_of(st.sampled_from(typical), values) if typical else values


def _whole(draw: st.DrawFn, low: int, high: int) -> int:
    """From low to high: as many coins as the length of the range has bits; what is too large wraps around."""
    size, found = high - low + 1, 0
    for _ in range((size - 1).bit_length()):
        found = 2 * found + draw(COIN)
    return low + found % size


def _number(draw: st.DrawFn, neighbours: Neighbours) -> float:
    low, high = neighbours.low, neighbours.high
    if neighbours.integral:
        return float(_whole(draw, math.ceil(low), math.floor(high)))
    fraction = _whole(draw, 0, 2**GRID - 1) / 2**GRID if draw(COIN) else (0.0, 1.0, 0.5, 1.0)[_whole(draw, 0, 3)]
    return min(max(low * (1.0 - fraction) + high * fraction, low), high)  # no difference, which may be too large for a float


def _table(draw: st.DrawFn, neighbours: Neighbours, shape: tuple[int, ...]) -> Any:
    count = math.prod(shape)
    if count <= LARGE:
        return _nested(tuple(_number(draw, neighbours) for _ in range(count)), shape)
    values = [_number(draw, neighbours)] * count
    for _ in range(EXCEPTIONS):
        values[_whole(draw, 0, count - 1)] = _number(draw, neighbours)
    return _nested(tuple(values), shape)


def _nested(values: tuple[float, ...], shape: tuple[int, ...]) -> Any:
    if not shape:
        return values[0]
    size = len(values) // shape[0]
    return tuple(_nested(values[start : start + size], shape[1:]) for start in range(0, len(values), size))


@st.composite
def whole_numbers(draw: st.DrawFn, low: int, high: int) -> int:
    """Whole numbers from low to high, put together from coins."""
    return _whole(draw, low, high)


@st.composite
def entries(draw: st.DrawFn, neighbours: Neighbours) -> float:
    """One number of a dataset: half of the time an end of the interval or its middle, else one of 2 ** GRID between the ends."""
    return _number(draw, neighbours)


@st.composite
def rows(draw: st.DrawFn, neighbours: Neighbours) -> Any:
    """One row of a dataset: a number, or nested tuples of the domain's row shape."""
    return _table(draw, neighbours, neighbours.row)


@st.composite
def data_sets(draw: st.DrawFn, neighbours: Neighbours, length: int) -> Any:
    """`length` rows, as nested tuples. A large dataset is one number over and over, except for a few."""
    return _table(draw, neighbours, (length, *neighbours.row))


@st.composite
def neighbouring(draw: st.DrawFn, neighbours: Neighbours) -> tuple[Any, Any]:
    """A Hypothesis strategy for pairs of neighbouring inputs, as nested tuples.

    Under ADD_OR_REMOVE the longer input has at most the largest number of rows in `neighbours.lengths`, or one more where all inputs have
    one length. In a group, up to `neighbours.group` records differ.
    """
    shortest, longest = neighbours.lengths
    if neighbours.relation is NeighbouringRelation.ADD_OR_REMOVE:
        longest = max(shortest, longest - 1)  # of the shorter one
    length = _whole(draw, shortest, longest)
    match neighbours.relation:
        case NeighbouringRelation.QUERY_SENSITIVITY:
            first = _table(draw, neighbours, (length,))
            # The farthest neighbours are the ends of one axis (any norm) and, for norms above 1, spread over all of them.
            over_all_axes = draw(COIN) and neighbours.norm > 1 and length > 1
            distance = neighbours.sensitivity * neighbours.group
            size = distance / length ** (1.0 / neighbours.norm) if over_all_axes else distance
            if neighbours.integral:
                size = float(math.floor(size))
            axis, sign = _whole(draw, 0, length - 1), -1.0 if draw(COIN) else 1.0
            moves = (size if over_all_axes or place == axis else 0.0 for place in range(length))
            return first, tuple(_moved(value, sign, move) for value, move in zip(first, moves, strict=True))
        case NeighbouringRelation.EVERY_QUERY:
            return _every_query(draw, neighbours, length)
        case NeighbouringRelation.ANY_PAIR:
            return _table(draw, neighbours, (length, *neighbours.row)), _table(draw, neighbours, (length, *neighbours.row))
        case NeighbouringRelation.ADD_OR_REMOVE:
            many = _whole(draw, 1, min(neighbours.group, max(1, longest + 1 - length)))
            longer = shorter = _table(draw, neighbours, (length + many, *neighbours.row))
            for _ in range(many):
                place = _whole(draw, 0, len(shorter) - 1)
                shorter = shorter[:place] + shorter[place + 1 :]
            pair = longer, shorter
            return pair if draw(COIN) else (pair[1], pair[0])
        case NeighbouringRelation.REPLACE_ROUND | NeighbouringRelation.REPLACE_REWARD | NeighbouringRelation.REPLACE_RECORD:
            first = second = _table(draw, neighbours, (length, *neighbours.row))
            for _ in range(_whole(draw, 1, min(neighbours.group, length))):
                place = _whole(draw, 0, length - 1)
                second = (*second[:place], _table(draw, neighbours, neighbours.row), *second[place + 1 :])
            return first, second
        case _:
            assert_never(neighbours.relation)


def _every_query(draw: st.DrawFn, neighbours: Neighbours, length: int) -> tuple[Any, Any]:
    """Answers, each of which moves by up to the sensitivity: all together, those up to one place up and the others down, or each by a coin.

    The published attacks on the sparse vector technique are of the first two kinds, on answers that are equal in each of the two blocks.
    """
    size = neighbours.sensitivity * neighbours.group
    if neighbours.integral:
        size = float(math.floor(size))
    place = _whole(draw, 0, length)
    if draw(COIN):
        before, after = _number(draw, neighbours), _number(draw, neighbours)
        first = (before,) * place + (after,) * (length - place)
    else:
        first = _table(draw, neighbours, (length,))
    sign = -1.0 if draw(COIN) else 1.0
    if draw(COIN):
        signs = [sign if index < place else -sign for index in range(length)]
    else:
        signs = [sign * (-1.0, 0.0, 1.0, 1.0)[_whole(draw, 0, 3)] for _ in range(length)]
    return first, tuple(_moved(value, way, size) for value, way in zip(first, signs, strict=True))


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
    return rows(Neighbours(NeighbouringRelation.REPLACE_ROUND, row=(horizon, arms)))
