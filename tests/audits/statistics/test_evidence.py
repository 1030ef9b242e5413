"""Exact binomial bounds, the bound that may be looked at often, and the record that every output is made from."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Verdict, plain_json
from banditproof.audits.statistics.tails import (
    anytime_lower_probability,
    binomial_quantile,
    binomial_tail,
    lower_probability,
    upper_probability,
)
from banditproof.audits.strategies import values_of
from banditproof.glossary import FAILURE, KEEP, SAMPLES

RATES = values_of(FAILURE, low=1e-9, high=0.5)
PROBABILITIES = values_of(KEEP, low=1e-12, high=1 - 1e-12)


@st.composite
def counts(draw: st.DrawFn, most: int = 10**7) -> tuple[int, int]:
    """(successes, trials), the ends included."""
    trials = draw(values_of(SAMPLES, high=most))
    return int(draw(st.one_of(st.integers(0, int(trials)), st.sampled_from([0, int(trials)])))), int(trials)


def exact_tail(successes: int, trials: int, probability: Fraction) -> Fraction:
    return sum(
        (math.comb(trials, k) * probability**k * (1 - probability) ** (trials - k) for k in range(max(successes, 0), trials + 1)),
        Fraction(0),
    )


@given(counts=counts(40), probability=PROBABILITIES)
def test_tail_is_the_sum_of_its_terms(counts: tuple[int, int], probability: float) -> None:
    """Would catch > where >= is meant, and a tail that cancels: compared with the sum in fractions."""
    for successes in {0, counts[0], counts[0] + 1, counts[1] + 1}:
        wanted = exact_tail(successes, counts[1], Fraction(probability))
        assert binomial_tail(successes, counts[1], probability) == pytest.approx(float(wanted), rel=1e-10, abs=1e-300)


@given(counts=counts(), false_alarm=RATES)
def test_bounds_are_those_of_clopper_and_pearson(counts: tuple[int, int], false_alarm: float) -> None:
    """Would catch swapped parameters, or a rate on the wrong side: compared with SciPy's own test."""
    from scipy.stats import binomtest

    found = binomtest(*counts, alternative="greater").proportion_ci(1.0 - false_alarm, method="exact")
    assert lower_probability(*counts, false_alarm) == pytest.approx(found.low, rel=1e-6, abs=1e-12)
    found = binomtest(*counts, alternative="less").proportion_ci(1.0 - false_alarm, method="exact")
    assert upper_probability(*counts, false_alarm) == pytest.approx(found.high, rel=1e-6, abs=1e-12)


@given(counts=counts(), false_alarm=RATES)
def test_bounds_invert_the_tail(counts: tuple[int, int], false_alarm: float) -> None:
    """Would catch an inverse that SciPy gets wrong at some size: a verdict and its bound must be one test."""
    successes, trials = counts
    low, high = lower_probability(successes, trials, false_alarm), upper_probability(successes, trials, false_alarm)
    assert 0.0 <= low <= successes / trials <= high <= 1.0
    if successes:
        assert binomial_tail(successes, trials, low) == pytest.approx(false_alarm, rel=1e-6)
    if successes < trials:
        assert binomial_tail(trials - successes, trials, 1.0 - high) == pytest.approx(false_alarm, rel=1e-4)


@given(trials=values_of(SAMPLES), probability=values_of(FAILURE, low=1e-12), exceeded=values_of(FAILURE, low=1e-12))
def test_quantile_is_the_smallest(trials: float, probability: float, exceeded: float) -> None:
    """Would catch a count of leaks that is one too small, and so a false-alarm rate above the stated one."""
    found = binomial_quantile(int(trials), probability, exceeded)
    assert binomial_tail(found + 1, int(trials), probability) <= exceeded
    assert found == 0 or binomial_tail(found, int(trials), probability) > exceeded


# --- looks are free ---------------------------------------------------------------------------------------------------------------------


@given(counts=counts(), false_alarm=RATES)
def test_anytime_bound_lies_below_the_fixed_one_and_solves_its_equation(counts: tuple[int, int], false_alarm: float) -> None:
    """Would catch a bound that is tighter than one look's, which no proof can give, and one that is far below where it need be."""
    from scipy.special import betaln

    successes, trials = counts
    found = anytime_lower_probability(successes, trials, false_alarm)
    assert 0.0 <= found <= lower_probability(successes, trials, false_alarm) * (1 + 1e-9)
    assert (found == 0.0) == (successes == 0)
    if successes and found < 1.0:
        wealth = betaln(successes + 0.5, trials - successes + 0.5) - betaln(0.5, 0.5)
        fit = successes * math.log(found) + (trials - successes) * math.log1p(-found)
        assert wealth - fit == pytest.approx(-math.log(false_alarm), abs=1e-6 * max(successes, 1))


def test_anytime_bound_covers_at_every_look_and_a_fixed_bound_does_not(rng: np.random.Generator, scale: Any) -> None:
    """Would catch a bound that holds at one look only: the looks of 2,000 draws, at 5 %.

    The test's own false-alarm rate is 1e-6. It passes a crossing rate above 5 % with at most one part in ten if that is more than 20 %
    (quick) or 7.4 % (deep); the fixed bound, crossed in more than a fifth of the runs, shows that the looks are there.
    """
    from scipy.special import betaincinv

    from banditproof.audits.statistics.design import detectable_failure

    runs, draws, false_alarm = scale.of(100, 4_000), 2_000, 0.05
    assert detectable_failure(false_alarm, runs=runs, false_alarm=1e-6) < scale.of(0.25, 0.075)
    crossed, fixed = 0, 0
    for probability in rng.uniform(0.02, 0.98, runs):
        hits = np.cumsum(rng.random(draws) < probability)
        looks = np.arange(9, draws, 10)  # enough for both to be crossed
        bounds = [anytime_lower_probability(int(hits[look]), int(look) + 1, false_alarm) for look in looks]
        crossed += max(bounds) > probability
        seen = hits[looks]
        fixed += bool(np.any(np.where(seen > 0, betaincinv(np.maximum(seen, 1), looks + 2 - seen, false_alarm), 0.0) > probability))
    assert binomial_tail(crossed, runs, false_alarm) > 1e-6
    assert fixed > runs / 5


# --- the record -------------------------------------------------------------------------------------------------------------------------

NUMBERS = st.one_of(st.none(), st.floats(), st.integers(-(2**53), 2**53))
TEXT = st.one_of(st.text(max_size=8), st.sampled_from(["nan", "inf", "-inf", "refuted"]))
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(-(2**53), 2**53), TEXT),
    lambda part: st.one_of(st.lists(part, max_size=3), st.dictionaries(TEXT, part, max_size=3)),
    max_leaves=6,
)
RESULTS = st.builds(
    AuditResult,
    audit=TEXT,
    theorem=TEXT,
    subject=TEXT,
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
    missed_with=NUMBERS,
    samples=st.integers(0, 10**9),
    seed=st.one_of(st.none(), st.integers(0, 2**63)),
    versions=st.dictionaries(TEXT, TEXT, max_size=2),
    assumed=st.lists(TEXT, max_size=2).map(tuple),
    witness=st.one_of(st.none(), st.dictionaries(TEXT, JSON, max_size=3)),
    expected=st.one_of(st.none(), st.sampled_from(Verdict)),
    detail=st.dictionaries(TEXT, JSON, max_size=3),
    message=TEXT,
)


def same(first: Any, second: Any) -> bool:
    return first == second or (first != first and second != second)


@given(RESULTS)
def test_record_survives_strict_json(result: AuditResult) -> None:
    """Would catch a NaN that no other reader takes, a subject named "inf" that comes back as a number, and a field that is lost."""
    text = json.dumps(result.to_json(), allow_nan=False)
    again = AuditResult.from_json(json.loads(text))
    assert json.dumps(again.to_json(), allow_nan=False) == text
    for name in AuditResult.__dataclass_fields__:
        if name not in ("witness", "detail"):  # there a non-finite number stays the text that spells it
            assert same(getattr(again, name), getattr(result, name)), name


@pytest.mark.parametrize("verdict", Verdict)
def test_only_refutations_are_unexpected_or_wanted(verdict: Verdict) -> None:
    """Would catch a control that passes because it could not be judged."""
    result = AuditResult("a", "t", "s", verdict)
    assert result.as_expected() == (verdict is not Verdict.REFUTED)
    assert replace(result, expected=Verdict.REFUTED).as_expected() == (verdict is Verdict.REFUTED)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "another/1"}, "schema = 'another/1': must be 'banditproof/result/1'"),
        ({"colour": 1}, "field 'colour': not a field of"),
        ({"verdict": "verified"}, "verdict = 'verified': must be one of certified, refuted"),
        ({"verdict": None}, "verdict = None: must be one of"),
        ({"subject": ...}, "field 'subject': is missing"),
    ],
)
def test_foreign_records_are_refused_in_words(change: dict[str, Any], message: str) -> None:
    """Would catch a KeyError where the command line owes one clear line."""
    record = {**AuditResult("a", "t", "s", Verdict.REFUTED).to_json(), **change}
    record = {name: value for name, value in record.items() if value is not ...}
    with pytest.raises(ValueError, match=r".") as caught:
        AuditResult.from_json(record)
    assert str(caught.value).startswith(message)


def test_plain_json_spells_numbers_and_refuses_objects() -> None:
    """Would catch a default(str) that writes memory addresses into a record."""
    assert plain_json({"a": np.float64(math.inf), "b": np.array([1, 2]), "c": (Verdict.ERROR, math.nan, -math.inf)}) == {
        "a": "inf",
        "b": [1, 2],
        "c": ["error", "nan", "-inf"],
    }
    with pytest.raises(TypeError, match="has no plain JSON form"):
        plain_json(object())
