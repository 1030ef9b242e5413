"""The record of a measurement: strict JSON and back, whatever it holds."""

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.running.report import measurement_from_json, witness_from_json, witness_kinds
from banditproof.audits.statistics.evidence import Measurement, UnknownWitness, Verdict, plain_json

NUMBERS = st.one_of(st.none(), st.floats(), st.integers(-(2**53), 2**53))
TEXT = st.one_of(st.text(max_size=8), st.sampled_from(["nan", "inf", "-inf", "refuted"]))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(-(2**53), 2**53), TEXT),
    lambda part: st.one_of(st.lists(part, max_size=3), st.dictionaries(TEXT, part, max_size=3)),
    max_leaves=6,
)
MEASUREMENTS = st.builds(
    Measurement,
    verdict=st.sampled_from(Verdict),
    quantity=TEXT,
    claimed=NUMBERS,
    estimate=NUMBERS,
    low=NUMBERS,
    high=NUMBERS,
    exact=NUMBERS,
    false_alarm=NUMBERS,
    must_detect=NUMBERS,
    detectable=NUMBERS,
    miss_rate=NUMBERS,
    samples=st.integers(0, 10**9),
    assumed=st.lists(TEXT, max_size=2).map(tuple),
    witness=st.one_of(st.none(), st.builds(UnknownWitness, TEXT, st.dictionaries(TEXT, JSON, max_size=3).map(plain_json))),
    detail=st.dictionaries(TEXT, JSON, max_size=3),
    message=TEXT,
)


def same(first: Any, second: Any) -> bool:
    return first == second or (first != first and second != second)


@given(MEASUREMENTS)
def test_record_survives_strict_json(measured: Measurement) -> None:
    """Would catch a NaN that no other reader takes, a quantity named "inf" that comes back as a number, and a field that is lost."""
    text = json.dumps(measured.to_json(), allow_nan=False)
    again = measurement_from_json(json.loads(text))
    assert json.dumps(again.to_json(), allow_nan=False) == text
    for name in Measurement.__dataclass_fields__:
        if name != "detail":  # there a non-finite number stays the text that spells it
            assert same(getattr(again, name), getattr(measured, name)), name


@pytest.mark.parametrize("kind", sorted(witness_kinds()))
def test_a_witness_that_lacks_a_field_is_refused_in_words(kind: str) -> None:
    """Would catch a KeyError or a TypeError where a replay owes one clear line."""
    with pytest.raises(ValueError, match=r"^witness \w+: field '\w+' is (missing|not one of its fields)"):
        witness_from_json({"kind": kind, "colour": 1})


def test_a_witness_of_an_unknown_kind_is_kept() -> None:
    record = {"kind": "of another version", "values": [1, "nan"]}
    witness = witness_from_json(record)
    assert isinstance(witness, UnknownWitness) and witness.rows() == [("values", [1, "nan"])]
    for broken in ({"values": 1}, {"kind": 1}, []):
        with pytest.raises(ValueError, match="must be an object with a kind"):
            witness_from_json(broken)


def test_plain_json_spells_numbers_and_refuses_objects() -> None:
    """Would catch a default(str) that writes memory addresses into a record."""
    assert plain_json({"a": np.float64(math.inf), "b": np.array([1, 2]), "c": (Verdict.ERROR, math.nan, -math.inf)}) == {
        "a": "inf",
        "b": [1, 2],
        "c": ["error", "nan", "-inf"],
    }
    assert plain_json(10**400) == 10**400
    with pytest.raises(TypeError, match="has no plain JSON form"):
        plain_json(object())
