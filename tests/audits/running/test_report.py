"""The published record of a result: an identity and a measurement, in strict JSON and back."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Measurement, Verdict

TEXT = st.one_of(st.text(max_size=8), st.sampled_from(["nan", "inf", "-inf", "refuted"]))
NUMBERS = st.one_of(st.none(), st.floats(), st.integers(-(2**53), 2**53))
RESULTS = st.builds(
    AuditResult,
    audit=TEXT,
    theorem=TEXT,
    label=TEXT,
    measured=st.builds(Measurement, verdict=st.sampled_from(Verdict), quantity=TEXT, claimed=NUMBERS, low=NUMBERS, message=TEXT),
    expected=st.one_of(st.none(), st.sampled_from(Verdict)),
    seed=st.one_of(st.none(), st.integers(0, 2**63)),
    versions=st.dictionaries(TEXT, TEXT, max_size=2),
)


@given(RESULTS)
def test_record_survives_strict_json(result: AuditResult) -> None:
    """Would catch a label named "inf" that comes back as a number, and a field that is lost. What a measurement holds: test_evidence.py."""
    text = json.dumps(result.to_json(), allow_nan=False)
    again = AuditResult.from_json(json.loads(text))
    assert json.dumps(again.to_json(), allow_nan=False) == text
    for name in AuditResult.__dataclass_fields__:
        if name != "measured":
            assert getattr(again, name) == getattr(result, name), name


@pytest.mark.parametrize("verdict", Verdict)
def test_only_refutations_are_unexpected_or_wanted(verdict: Verdict) -> None:
    """Would catch a control that passes because it could not be judged."""
    result = AuditResult("a", "t", "s", Measurement(verdict))
    assert result.as_expected() == (verdict is not Verdict.REFUTED)
    assert replace(result, expected=Verdict.REFUTED).as_expected() == (verdict is Verdict.REFUTED)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "another/1"}, "schema = 'another/1': must be 'banditproof/result/3'"),
        ({"colour": 1}, "field 'colour': not a field of"),
        ({"verdict": "verified"}, "verdict = 'verified': must be one of certified, holds at points, refuted"),
        ({"verdict": None}, "verdict = None: must be of type str"),
        ({"audit": 3}, "audit = 3: must be of type str"),
        ({"samples": "many"}, "samples = 'many': must be of type int"),
        ({"assumed": "abc"}, "assumed = 'abc': must be a list of sentences"),
        ({"low": "much"}, "low = 'much': must be a number"),
        ({"label": ...}, "field 'label': is missing"),
    ],
)
def test_foreign_records_are_refused_in_words(change: dict[str, Any], message: str) -> None:
    """Would catch a KeyError where the command line owes one clear line."""
    record = {**AuditResult("a", "t", "s", Measurement(Verdict.REFUTED)).to_json(), **change}
    record = {name: value for name, value in record.items() if value is not ...}
    with pytest.raises(ValueError, match=r".") as caught:
        AuditResult.from_json(record)
    assert str(caught.value).startswith(message)
