"""Scores and events: what they say of any row of doubles, alone or in a batch, before and after they were written down."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from banditproof.audits.privacy.events import Additive, Coordinate, Event, Linear, LowestBit, Outcomes, Score, Tree, bin_numbers
from banditproof.audits.privacy.fitting import MOST_BINS, _edges, candidates, thresholds
from banditproof.audits.statistics.evidence import plain_json
from banditproof.mechanism import MARK

OTHER_NAN = float(np.array([0xFFF8000000000001], dtype=np.uint64).view(float)[0])  # another sign and payload
ODD = [math.nan, OTHER_NAN, math.inf, -math.inf, MARK, 0.0, -0.0, 5e-324, -5e-324, 1e308, -1.7976931348623157e308, 2.0**53, 0.1]
VALUES = st.one_of(st.sampled_from(ODD), st.floats(), st.integers(0, 2).map(float))


@st.composite
def outputs(draw: st.DrawFn, width: int | None = None) -> np.ndarray:
    """Rows (n, w) of any doubles; few kinds of rows come often."""
    columns = draw(st.integers(1, 4)) if width is None else width
    kinds = draw(hnp.arrays(float, st.tuples(st.integers(1, 6), st.just(columns)), elements=VALUES))
    places = draw(st.lists(st.integers(0, len(kinds) - 1), min_size=2, max_size=80))
    return kinds[places]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draws of both sides, and draws to look at."""
    first = draw(outputs())
    width = first.shape[1]
    return first, draw(outputs(width)), draw(outputs(width))


def events(first: np.ndarray, second: np.ndarray) -> list[Event]:
    """Every score that is fitted to a pair, with thresholds inside, at the ends, and missing."""
    found = []
    for score in candidates(first, second, float_bits=True):
        cuts = thresholds(score, first, second)
        low, high = float(cuts[0]), float(cuts[-1])
        found += [Event(score, low, high), Event(score, None, float(cuts[len(cuts) // 2])), Event(score, high, low)]
    return found


@given(pairs())
def test_no_score_stumbles(sides: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """Warnings are errors here: would catch an overflow in a covariance, a logarithm of 0, an average of infinities, an empty quantile."""
    first, second, new = sides
    for event in events(first, second):
        guesses = event.guesses(new)
        assert guesses.shape == (len(new),) and set(guesses.tolist()) <= {-1, 0, 1}
        decisions = event.decisions(new)
        assert decisions.shape == (len(new),) and set(decisions.tolist()) <= {0, 1}
        values = event.score.values(new)
        assert values.shape == (len(new),) and values.dtype == float
        said_first = np.zeros(len(new), dtype=bool) if event.low is None else values <= event.low
        assert np.array_equal(guesses == 1, values >= event.high)
        assert np.array_equal(guesses == 0, said_first & ~(values >= event.high))
        assert len(event.describe()) < 400


@given(pairs(), st.integers(1, 60))
def test_a_row_is_scored_alone(sides: tuple[np.ndarray, np.ndarray, np.ndarray], cut: int) -> None:
    """Would catch a score that rounds by the size of its batch, as matrix products do: the sides are counted in batches of other sizes."""
    first, second, new = sides
    for event in events(first, second):
        whole = event.score.values(new)
        parts = np.concatenate([event.score.values(part) for part in (new[:cut], new[cut:]) if len(part)])
        assert whole.tobytes() == parts.tobytes() or np.array_equal(whole, parts, equal_nan=True)


def test_wide_rows_are_scored_alone(rng: np.random.Generator) -> None:
    """The same with many columns and rows, where a linear algebra library would choose another kernel."""
    first, second = rng.normal(size=(900, 37)), rng.normal(size=(900, 37)) + 0.3
    new = rng.normal(size=(5_000, 37))
    for event in events(first, second):
        whole = event.score.values(new)
        for size in (1, 7, 64, 1000):
            assert np.array_equal(event.score.values(new[:size]), whole[:size])
            assert np.array_equal(event.score.values(np.asfortranarray(new[-size:])), whole[-size:])


@given(pairs())
def test_fitting_is_deterministic(sides: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """Would catch a tree with a seed of its own, or an order that depends on addresses."""
    first, second, _ = sides
    once, again = (list(candidates(first.copy(), second.copy(), float_bits=True)) for _ in range(2))
    assert json.dumps([plain_json(Event(score, None, 0.0).to_json()) for score in once]) == json.dumps(
        [plain_json(Event(score, None, 0.0).to_json()) for score in again]
    )


@given(pairs())
def test_thresholds_are_finite_sorted_and_values_of_the_score(sides: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """Would catch an interpolated quantile, which splits ties and overflows between -1e308 and 1e308."""
    first, second, _ = sides
    for score in candidates(first, second, float_bits=True):
        cuts = thresholds(score, first, second)
        assert cuts.size >= 1 and np.all(np.isfinite(cuts)) and np.all(cuts[1:] > cuts[:-1])
        values = np.concatenate([score.values(first), score.values(second)])
        finite = values[np.isfinite(values)]
        assert set(cuts.tolist()) <= set(finite.tolist()) if finite.size else cuts.tolist() == [0.0]


@given(pairs())
def test_an_event_survives_strict_json(sides: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """Would catch a NaN edge, a pad or a subnormal that comes back as another number: guesses must be identical on any row."""
    first, second, new = sides
    for event in events(first, second):
        text = json.dumps(plain_json(event.to_json()), allow_nan=False)
        again = Event.from_json(json.loads(text))
        assert np.array_equal(again.guesses(new), event.guesses(new)) and np.array_equal(again.decisions(new), event.decisions(new))
        assert json.dumps(plain_json(again.to_json()), allow_nan=False) == text
        assert again.describe() == event.describe()


@given(outputs())
def test_no_number_is_made_of_what_is_none(new: np.ndarray) -> None:
    """Would catch a NaN or a pad that passes for 0 or for -1.2e300: neither is ever below or above a threshold."""
    strange = np.isnan(new) | (new == MARK)
    for column in range(new.shape[1]):
        for sign in (1.0, -1.0):
            assert np.all(Event(Coordinate(column, sign), 1e308, -1e308).guesses(new)[strange[:, column]] == -1)
    guesses = Event(Linear((1.0,) * new.shape[1]), 1e308, -1e308).guesses(new)
    assert np.all(guesses[strange.any(axis=1)] == -1)


def test_bins_keep_nan_apart_from_large_numbers(rng: np.random.Generator) -> None:
    """Would catch NaN in the last bin, where sorting puts it: here NaN says "second" and large numbers say nothing."""
    first, second = rng.normal(size=(5_000, 2)), rng.normal(size=(5_000, 2))
    second[:1_000, 0] = np.nan
    scores = [score for score in candidates(first, second) if isinstance(score, (Additive, Tree))]
    assert len(scores) == 2
    for score in scores:
        nan, large = score.values(np.array([[np.nan, 0.0], [9.0, 0.0]]))
        assert nan > score.values(second[1_000:]).max() >= large


@given(pairs())
def test_listed_outcomes_count_as_a_dictionary_does(sides: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """Would catch keys that confuse rows, tell 0 from -0 or one NaN from another: compared with counting in plain Python."""
    first, second, new = sides

    def key(row: Any) -> tuple[str, ...]:
        return tuple(repr(float(value) + 0.0) for value in row)

    counts: dict[tuple[str, ...], list[int]] = {}
    for side, rows in enumerate((first, second)):
        for row in rows:
            counts.setdefault(key(row), [0, 0])[side] += 1
    wanted = {
        name: math.log((b + 0.5) / (len(second) + 1)) - math.log((a + 0.5) / (len(first) + 1))
        for name, (a, b) in counts.items()
        if a + b >= 5
    }
    tables = [score for score in candidates(first, second) if isinstance(score, Outcomes)]
    assert len(tables) == bool(wanted)
    for table in tables:
        assert table.values(new) == pytest.approx([wanted.get(key(row), 0.0) for row in new], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (math.nan, OTHER_NAN)])
@pytest.mark.parametrize("width", [1, 2])
def test_one_zero_and_one_nan(one: float, other: float, width: int) -> None:
    """Would catch a bit pattern that no reader sees taken for an outcome of its own."""
    (table,) = [score for score in candidates(np.full((9, width), one), np.full((9, width), other)) if isinstance(score, Outcomes)]
    assert len(table.rows) == 1 and table.ratios == (0.0,)


@given(st.one_of(st.floats(), st.sampled_from(ODD)))
@example(5e-324)
@example(1.7976931348623157e308)
def test_lowest_bit_by_whole_numbers(value: float) -> None:
    """Would catch an exponent that is off by one or clipped: compared with the denominator of the exact fraction."""
    ratios = tuple(float(index) for index in range(2100))
    found = LowestBit(0, ratios).values(np.array([[value]]))[0]
    if value == 0.0 or not math.isfinite(value):
        assert found == 0.0
        return
    numerator, denominator = value.as_integer_ratio()
    exponent = (numerator & -numerator).bit_length() - 1 - (denominator.bit_length() - 1)
    assert found == exponent + 1075


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("constants", np.zeros((500, 1)), np.zeros((500, 1))),
        ("different constants", np.zeros((500, 1)), np.ones((500, 1))),
        ("all NaN", np.full((500, 2), np.nan), np.full((500, 2), np.nan)),
        ("NaN on one side", np.full((500, 1), np.nan), np.zeros((500, 1))),
        ("infinities", np.full((500, 1), np.inf), np.full((500, 1), -np.inf)),
        ("pads", np.full((500, 3), MARK), np.full((500, 3), MARK)),
        ("the largest numbers", np.full((500, 2), 1.7e308), np.full((500, 2), -1.7e308)),
    ],
)
def test_degenerate_sides(name: str, first: np.ndarray, second: np.ndarray) -> None:
    """Would catch a crash where nothing varies, and a blind spot: what differs surely must be distinguished surely by some event."""
    best = max(
        float(np.mean(event.guesses(second) == 1) + np.mean(event.guesses(first) == 0) - np.mean(event.guesses(first) == 1))
        for event in events(first, second)
    )
    assert best == 2.0 or np.array_equal(first, second, equal_nan=True)


def test_a_record_of_another_kind_is_refused() -> None:
    good = Event(Coordinate(0), None, 1.0).to_json()
    for broken in ({**good, "kind": "Network"}, {"kind": "Coordinate"}, {**good, "score": {"row": 1}}):
        with pytest.raises(ValueError, match="is not one that this version wrote"):
            Event.from_json(broken)
    older = {"kind": "Coordinate", "score": {"column": 0}, "low": None, "high": 1.0}  # written before a coordinate had a sign
    assert Event.from_json(older) == Event(Coordinate(0), None, 1.0)
    with pytest.raises(ValueError, match="high = None"):
        Event(Coordinate(0), 1.0, None).decisions(np.zeros((2, 1)))


def test_a_difference_at_a_drawn_place_is_seen(rng: np.random.Generator) -> None:
    """One of many columns differs: would catch columns that are ranked by something else than how much they tell."""
    width = 60
    for place in rng.integers(0, width, 5):
        first, second = rng.normal(size=(4_000, width)), rng.normal(size=(4_000, width))
        second[:, place] += 2.0
        found: list[Score] = [score for score in candidates(first, second) if isinstance(score, Coordinate)]
        assert Coordinate(int(place)) in found and len(found) == 16


@given(values=st.lists(VALUES, max_size=40), edges=st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=70, unique=True))
def test_bins_are_those_of_a_sorted_search(values: list[float], edges: list[float]) -> None:
    """Would catch a value at an edge in the bin below it, a search that ends one step early, and a NaN in the bin of a number."""
    ordered, column = sorted(edges), np.array([*values, *edges])
    expected = np.searchsorted(np.array(ordered), column, side="right")
    expected[np.isnan(column)] = len(edges) + 1
    assert bin_numbers(column, tuple(ordered)).tolist() == expected.tolist()


@pytest.mark.parametrize("infinity", [math.inf, -math.inf])
@pytest.mark.parametrize("values", [1, 64, 1_000])
def test_infinities_are_in_bins_of_their_own(rng: np.random.Generator, infinity: float, values: int) -> None:
    """Would catch an infinity in the bin of the largest or the smallest finite value, where no sum of bins and no tree sees it, bins of
    finite columns that change, and more bins than a byte numbers."""
    column = np.sort(rng.normal(size=values))
    plain, both = np.array(_edges(column)), np.array(_edges(np.array([*column, infinity])))
    assert np.isfinite(plain).all() and len(plain) <= MOST_BINS >= len(both)
    found = bin_numbers(np.array([infinity, *column, np.finfo(float).max, -math.nextafter(np.finfo(float).max, 0.0)]), tuple(both))
    assert found[0] not in found[1:] and found.max() < 256
    if values == 1:
        assert plain.tolist() == column.tolist()


def test_an_infinity_in_a_wide_release_is_seen(rng: np.random.Generator) -> None:
    """Would catch the largest finite value and an infinity that are one value in a release with more columns than have scores of their own,
    and with a NaN, so that no weighted sum is left."""
    first, second = rng.normal(size=(2, 2_000, 12))
    first[:, 10] = second[:, 10] = np.nan
    first[:, 11], second[:, 11] = 1.0, np.inf
    assert Coordinate(11) in list(candidates(first, second))
