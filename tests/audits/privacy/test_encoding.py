"""Outputs of any kind are rows of floats, without loss."""

import datetime
import decimal
import fractions
import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.privacy.codes import code_of, is_code
from banditproof.audits.privacy.comparison import compare
from banditproof.audits.privacy.encoding import NotEncodable, encoded, matrix, stacked
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.mechanism import MARK

CLAIM = PureDP(1.0, NeighbouringRelation.QUERY_SENSITIVITY)


class Colour(Enum):
    RED = "red"


@dataclass(frozen=True)
class Answer:
    value: int
    word: str


CONSTANTS = st.one_of(
    st.none(), st.text(max_size=3), st.binary(max_size=3), st.integers(), st.integers(2**53 - 2, 2**53 + 2), st.floats(allow_nan=False)
)
OUTPUTS = st.recursive(
    CONSTANTS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.one_of(st.text(max_size=2), st.integers()), inner, max_size=2)),
    max_leaves=6,
)


def canonical(output: Any, top: bool = True) -> Any:
    """What an output is, by the rules of the module, in terms that Python compares exactly."""
    if isinstance(output, list):
        parts = tuple(canonical(part, False) for part in output)
        flat = top and not any(isinstance(part, (list, dict)) for part in output)
        return ("flat", parts) if flat else ("list", parts)
    if isinstance(output, dict):
        return ("dict", tuple((canonical(key, False), canonical(value, False)) for key, value in output.items()))
    value = (type(output).__name__ if isinstance(output, (str, bytes)) else "number", output)
    return ("flat", (value,)) if top else value


@given(OUTPUTS, OUTPUTS)
def test_two_outputs_have_one_row_exactly_where_they_are_the_same(one: Any, other: Any) -> None:
    """Would catch a whole number that is rounded, text that is read as a number, a key or a length that is dropped, and an order."""
    same = canonical(one) == canonical(other)
    assert (encoded(one).tolist() == encoded(other).tolist()) is same
    assert encoded(one).tolist() == stacked([one, "padding", [1, 2, 3]])[0][: len(encoded(one))].tolist()


DISTINCT = [
    *(2**60, 2**60 + 1, 10**400, 10**400 + 1, -(2**60) - 1, 0.5, np.longdouble(0.5) + np.longdouble(2) ** -60),
    *(fractions.Fraction(1, 3), 1 / 3, decimal.Decimal("0.1"), 0.1, "no", b"no", None, "None", "", Colour.RED, "Colour.RED"),
    *([], {}, [[]], [1, 2], [[1, 2]], [[1], [2]], {"a": 1}, {"b": 1}, {"a": 1, "b": 2}, {"b": 2, "a": 1}, {1, 2}, {1}, 1j, [0, 1]),
    *(np.array([[1, 2], [3, 4]]), np.array([[1, 2, 3, 4]]), [1, 2, 3, 4], np.datetime64("2020-01-01"), np.datetime64("2020-01-02")),
    *(pd.Series([1, 2], index=["a", "b"]), pd.DataFrame({"x": [1, 2]}), pd.DataFrame({"y": [1, 2]}), pd.NA, Answer(1, "a"), Answer(1, "b")),
    *({(1, "a")}, {1, "a"}, {("a", 1)}, {0.5: 1}, {0.5: 2}, {0.25: 1}, {1.0, 2.5}, {0.5}, pd.Series([1], name="a"), pd.Series([1], name=2)),
    *(pd.Series([1], index=[2.5]), pd.Series([1], index=[0.25]), pd.Series([1], index=pd.Index([2.5], name="a")), pd.DataFrame([1])),
    *(pd.Series(pd.Categorical(["a"], categories=["a", *more])) for more in ([], ["b"])),
    *(kind(2024, 1, 1) for kind in (datetime.date, datetime.datetime, pd.Timestamp)),
    *(datetime.datetime(2024, 1, 1, 0, 0, 0, 1), pd.Timestamp("2024-01-01T00:00:00.000000001"), datetime.time(1), pd.Timedelta(1, "ns")),
    *(datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC), datetime.timedelta(1), pd.Timedelta(1, "D"), pd.NaT, np.datetime64("NaT")),
    *(np.timedelta64(1, "D"), np.datetime64("2020-01-01T00:00:00.000000001"), np.array([1], dtype="m8[s]"), [datetime.date(2024, 1, 1)]),
    *((0.5, 2**60 + 1), (0.5, 2**60), [0.5, 2**60 + 2], [2**60 + 1, 0.5], [2**63, -1], [2**63 + 1, -1], "a\0", "a"),
]


def test_outputs_that_differ_have_rows_that_differ() -> None:
    """Would catch two kinds of output that share a row. -0.0 is 0.0: the sign of a zero is no output."""
    rows = [tuple(encoded(output).tolist()) for output in DISTINCT]
    assert len(set(rows)) == len(rows)
    assert encoded(-0.0) == encoded(0.0) == encoded(False)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((1, 2.5), np.array([1, 2.5])),
        (pd.Series([1, 2.5]), [1, 2.5]),
        (True, 1.0),
        (np.int64(2**60 + 1), 2**60 + 1),
        ([np.int64(2**60 + 1)], np.array([2**60 + 1])),
        (np.str_("no"), "no"),
        (np.array(["no", "yes"]), ["no", "yes"]),
        ({2, 1.5}, {1.5, 2.0}),
        (pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [1.0, 2.0]})),
    ],
    ids=str,
)
def test_the_same_values_have_one_row_however_they_are_held(one: Any, other: Any) -> None:
    assert encoded(one).tolist() == encoded(other).tolist()


def test_the_order_of_a_set_is_no_output() -> None:
    """Would catch members in the order of their hashes, which for text and NaN changes from process to process."""
    members = [math.nan, 1.0, "a", 0.5, ("b", 2.0), ("b", 1.0), None]
    rows = [encoded({*order}) for order in (members, members[::-1], [*members[3:], *members[:3]])]
    assert all(np.array_equal(row, rows[0], equal_nan=True) for row in rows)
    assert encoded({("b", 2.0), ("a", 1.0)}).tolist() != encoded({("b", 1.0), ("a", 2.0)}).tolist()


def test_what_a_vectorised_release_gives_has_the_rows_of_its_outputs() -> None:
    """Would catch an array of long integers that is rounded, where single ones are not."""
    arrays = np.array([2**60, 2**60 + 1, 5]), np.array([["a", "b"], ["c", "d"]])
    for several in (*arrays, ["no", None, 2**60 + 1], [[0.5, 2**60 + 1], [1, 2]]):
        rows = matrix(several, len(several))
        assert rows is not None
        for output, row in zip(several, rows.tolist(), strict=True):
            wanted = encoded(output).tolist()
            assert row == wanted + [MARK] * (len(row) - len(wanted))
    assert matrix(np.zeros((3, 2)), 4) is matrix("abc", 3) is matrix(None, 1) is None


def test_columns_and_labels_of_a_table_are_outputs_of_a_vectorised_release() -> None:
    """Would catch names that are dropped, whole numbers that an array of floats rounds, and plain tables whose rows are not those of their
    numbers."""
    numbers = np.random.default_rng(1).normal(size=(3, 2))
    for plain in (pd.DataFrame(numbers), pd.Series(numbers[:, 0]), pd.DataFrame({0: [1, 2, 3], 1: [True, False, True]})):
        rows = matrix(plain, 3)
        assert rows is not None and rows.tolist() == plain.to_numpy().astype(float).reshape(3, -1).tolist()
    tables = [
        *(pd.DataFrame(numbers, columns=[name, "c"]) for name in ("a", "b")),
        *(pd.Series(numbers[:, 0], name=name) for name in (None, "a", "b")),
        *(pd.Series(numbers[:, 0], index=[name] * 3) for name in ("a", "b")),
        *([pd.Series([value], index=[name]) for value in numbers[:, 0]] for name in ("a", "b")),
        *([pd.DataFrame({name: [value]}) for value in numbers[:, 0]] for name in ("a", "b")),
        *(pd.DataFrame({"id": [whole] * 3, "v": numbers[:, 0]}) for whole in (2**53, 2**53 + 1)),
    ]
    rows = [matrix(table, 3) for table in tables]
    assert all(len({tuple(row) for row in found.tolist()}) == 3 for found in rows if found is not None)
    assert len({str(None if found is None else found.tolist()) for found in rows}) == len(tables)
    missing = pd.Series([1.0, 2.0], index=pd.Index([0, None], dtype="Int64"))
    assert (found := matrix(missing, 2)) is not None and found.shape == (2, 2)
    assert matrix(pd.DataFrame({"a": [1.0]}), 2) is matrix(pd.DataFrame(index=[0, 1]), 2) is None
    several = pd.DataFrame({"when": pd.to_datetime(["2024-01-01", "2024-01-02"]), "word": ["a", "b"]}), pd.Series([[1.0], [2.0]])
    assert [None if rows is None else rows.shape for rows in (matrix(table, 2) for table in several)] == [(2, 4), (2, 1)]


@pytest.mark.parametrize(
    "outputs", [[[], [], []], [[], [1.0], []], [[[1, 2], [3, 4]]] * 3, [[[1, 2], [3, 4]], [[1], [2]], []], [np.zeros((2, 2))] * 3], ids=str
)
def test_a_list_has_an_output_per_run_whatever_their_lengths(outputs: list[Any]) -> None:
    """Would catch a list that is refused where its outputs happen to make one array, and taken where they are ragged."""
    rows = matrix(outputs, 3)
    assert rows is not None and rows.tolist() == stacked(outputs).tolist()


def test_a_mask_in_a_list_is_no_number() -> None:
    with pytest.raises(NotEncodable, match="is a masked array"):
        matrix([np.ma.array([1.0, 2.0], mask=[True, False])] * 2, 2)


DAY = datetime.datetime(2024, 1, 1)
HOLDING: dict[str, Callable[[float], Any]] = {
    "set": lambda x: {x},
    "key": lambda x: {x: 1},
    "key in a tuple": lambda x: {("a", x): 1},
    "label": lambda x: pd.Series([1], index=[x]),
    "name": lambda x: pd.Series([1], name=x),
    "datetime": lambda x: DAY + datetime.timedelta(days=x),
    "timedelta": lambda x: datetime.timedelta(days=x),
    "date": lambda x: datetime.date(2024, 1, 1) + datetime.timedelta(days=round(x)),
    "timestamp": lambda x: pd.Timestamp(DAY, tz="Europe/Berlin") + pd.Timedelta(days=x),
    "frame": lambda x: pd.DataFrame({"when": [pd.Timestamp(DAY) + pd.Timedelta(days=x)]}),
    "datetime64": lambda x: np.datetime64(DAY, "ns") + np.timedelta64(round(x * 1e9), "ns"),
}


def shifted(form: Callable[[float], Any], by: float) -> Callable[[int, np.random.Generator], Any]:
    return lambda runs, rng: stacked([form(by + value) for value in rng.laplace(size=runs).tolist()])


@pytest.mark.parametrize("holding", HOLDING)
def test_numbers_within_members_labels_and_dates_are_seen(holding: str) -> None:
    """Would catch a number that is hashed with what holds it: no row comes twice, and a loss of 100 passes as none."""
    settings, form = AuditSettings(claim=CLAIM, seed=3, samples=2_000), HOLDING[holding]
    kept, broken = (compare(shifted(form, 0.0), shifted(form, by), settings) for by in (1.0, 100.0))
    assert (kept.verdict is Verdict.REFUTED, broken.verdict) == (False, Verdict.REFUTED)


@pytest.mark.parametrize("form", [lambda x: f"{x:.6f}", lambda x: {f"{x}": 1}, lambda x: [1.0, f"{x}"]])
def test_of_text_that_never_repeats_nothing_is_said(form: Callable[[float], Any]) -> None:
    """Would catch a power that is claimed where nothing could have been seen: the true loss is 100."""
    found = compare(shifted(form, 0.0), shifted(form, 100.0), AuditSettings(claim=CLAIM, seed=3, samples=8_000))
    assert found.verdict is Verdict.INCONCLUSIVE and "are seen only as equal or not" in found.message
    assert found.detail["seen"] == "as equal or not"


def test_text_that_never_repeats_beside_a_number_is_noted_and_the_number_seen() -> None:
    """Would catch a token beside the noise that takes the verdict away, or that is passed over in silence."""
    settings = AuditSettings(claim=CLAIM, seed=3, samples=20_000)
    kept, broken = (compare(shifted(lambda x: [str(x), x], 0.0), shifted(lambda x: [str(x), x], by), settings) for by in (1.0, 9.0))
    assert (kept.verdict, broken.verdict) == (Verdict.NOT_REFUTED, Verdict.REFUTED)
    assert any("are seen only as equal or not" in note for note in kept.assumed)
    numbers = compare(shifted(lambda x: x, 0.0), shifted(lambda x: x, 1.0), settings)
    assert "seen" not in numbers.detail and not any("equal or not" in note for note in numbers.assumed)


@pytest.mark.parametrize("output", [object(), print, (part for part in ()), [1, object()], {"a": {1: print}}, np.zeros(1, dtype="i4,f8")])
def test_what_has_no_exact_form_is_refused_by_name(output: Any) -> None:
    with pytest.raises(NotEncodable, match=r"^is (of type|an array of) "):
        encoded(output)


def test_a_mask_is_no_number() -> None:
    """Would catch a mask that depends on the data and is dropped, of one output and of those of a vectorised release."""
    masked = np.ma.array([1.0, 2.0], mask=[True, False])
    for call in (lambda: encoded(masked), lambda: encoded([masked, 1]), lambda: encoded(np.ma.masked), lambda: matrix(masked, 2)):
        with pytest.raises(NotEncodable, match="is a masked array"):
            call()


class Quiet(Enum):
    """Members that say the same of themselves."""

    ONE = 1
    OTHER = 2

    def __str__(self) -> str:
        return "x"


class Access(Flag):
    """Members that may come together, and then have no name of their own."""

    READ = auto()
    WRITE = auto()


def test_members_are_known_by_their_names() -> None:
    """Would catch members of an enumeration that are one output, since their texts are."""
    several = Access.READ, Access.WRITE, Access.READ | Access.WRITE, Access(0)
    rows = [encoded(member).tolist() for member in (Quiet.ONE, Quiet.OTHER, *several)]
    assert len(set(map(tuple, rows))) == len(rows)
    assert encoded({-0.0}).tolist() == encoded({0.0}).tolist() and encoded({-0.0: 1}).tolist() == encoded({0: 1}).tolist()


def test_codes_are_no_numbers_to_a_threshold() -> None:
    codes = np.array([code_of("text", word) for word in (b"a", b"b", b"c")])
    assert is_code(codes).all() and np.unique(codes).size == 3
    assert not is_code(np.array([MARK, -np.inf, np.nan, -1e301, -3e301, 0.0])).any()


def words(runs: int, rng: np.random.Generator, right: float) -> list[Any]:
    """A word that is "yes" with some probability, beside noise: no row comes twice."""
    return [("yes" if coin < right else "no", noise) for coin, noise in zip(rng.random(runs), rng.normal(size=runs), strict=True)]


def test_categories_are_told_from_each_other_beside_continuous_numbers() -> None:
    """Would catch codes that the scores skip: the loss of the word alone is log(0.9 / 0.1) = 2.2 where 1 is claimed, and log 2.3 =
    0.85 where the claim holds."""
    settings = AuditSettings(claim=CLAIM, samples=6000, seed=5, false_alarm=1e-6)
    broken = compare(lambda runs, rng: words(runs, rng, 0.9), lambda runs, rng: words(runs, rng, 0.1), settings)
    kept = compare(lambda runs, rng: words(runs, rng, 0.7), lambda runs, rng: words(runs, rng, 0.3), settings)
    assert broken.verdict is Verdict.REFUTED
    assert kept.verdict is not Verdict.REFUTED
    assert kept.low is not None and kept.low > 0.5
