"""Outputs of any kind are rows of floats, without loss."""

import decimal
import fractions
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
    ],
    ids=str,
)
def test_the_same_values_have_one_row_however_they_are_held(one: Any, other: Any) -> None:
    assert encoded(one).tolist() == encoded(other).tolist()


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
