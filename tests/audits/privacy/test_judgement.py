"""The verdict from given counts: one exact test, its bounds, and its error rate without a draw."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.privacy.events import Coordinate, Event
from banditproof.audits.privacy.judgement import AuditSettings, Counts, clopper_pearson, count, judge
from banditproof.audits.privacy.outputs import Stored
from banditproof.audits.privacy.plan import splits
from banditproof.audits.privacy.selection import Selection
from banditproof.audits.privacy.statistic import statistic_of
from banditproof.audits.privacy.witness import privacy_witness
from banditproof.audits.running.report import measurement_from_json
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP

_NEAR = NeighbouringRelation.QUERY_SENSITIVITY
CLAIMS = [PureDP(1.0, _NEAR), ApproximateDP(1.0, 0.05, _NEAR), GaussianDP(1.0, _NEAR)]


def test_stored_outputs_that_run_short_count_as_wrong() -> None:
    """Would catch trials that vanish when one side has too few outputs: a refutation must not come from what is missing."""
    sure = np.zeros((1_000, 1)), np.ones((1_000, 1))
    source, event = Stored(sure, 1), Event(Coordinate(0), 0.0, 1.0)
    counts = count(statistic_of(CLAIMS[0]), Selection(event, 1.0, 1), source, 3_000, np.random.default_rng(1))
    kept = 1_000 - splits(2_000).train // 2 - splits(2_000).select // 2
    assert counts.right == 2 * kept and counts.wrong == 3_000 - 2 * kept == sum(counts.missing)
    pair = clopper_pearson(counts, event, 0.0, 0.05)
    assert pair == {"neighbour_over_dataset": 0.0, "dataset_over_neighbour": 0.0}


@given(
    trials=st.integers(200, 50_000),
    fraction=st.floats(0.0, 1.0),
    rightly=st.floats(0.0, 1.0),
    both=st.booleans(),
    false_alarm=st.sampled_from([0.2, 0.05, 1e-3, 1e-5]),
    claim=st.sampled_from([*CLAIMS, PureDP(0.1, _NEAR), PureDP(40.0, _NEAR), ApproximateDP(0.5, 1e-5, _NEAR), GaussianDP(30.0, _NEAR)]),
)
def test_a_verdict_and_its_numbers_are_one_test(
    trials: int, fraction: float, rightly: float, both: bool, false_alarm: float, claim: Guarantee
) -> None:
    """Would catch a bound at another rate than the verdict's, a p-value without the leaks, and a "not refuted" without power."""
    guesses = trials if isinstance(claim, GaussianDP) else int(trials * fraction)
    right = int(guesses * rightly)
    counts = Counts(trials, right, guesses - right, right, 0, 0, guesses - right, trials // 2)
    event = Event(Coordinate(0), 0.0 if both and not isinstance(claim, GaussianDP) else None, 1.0)
    settings = AuditSettings(claim=claim, seed=1, samples=2 * trials, false_alarm=false_alarm)
    result, statistic = judge(counts, Selection(event, fraction, 1), settings), settings.statistic
    assert result.claimed is not None and result.low is not None and result.estimate is not None and result.high is not None
    refuted = result.verdict is Verdict.REFUTED
    if abs(result.low - result.claimed) > 1e-9 * result.claimed:
        assert refuted == (result.low > result.claimed)
    assert refuted == (result.detail["p_value"] <= statistic.counting_rate(false_alarm))
    assert result.low <= result.estimate * (1 + 1e-9) + 1e-9
    assert result.estimate <= result.high * (1 + 1e-9) + 1e-9
    assert result.detectable is not None and result.detectable >= result.claimed * (1 - 1e-9)
    if not refuted:
        assert (result.verdict is Verdict.NOT_REFUTED) == (result.detectable <= result.must_detect)
    assert "verified" not in result.message
    assert any("i.i.d." in note for note in result.assumed)
    assert privacy_witness(result).leaks == statistic.leaks(trials, false_alarm, event.low is not None).most
    assert measurement_from_json(json.loads(json.dumps(result.to_json(), allow_nan=False))).low == result.low


@pytest.mark.parametrize("false_alarm", [0.05, 1e-3])
@pytest.mark.parametrize(
    "claim", [PureDP(0.7, _NEAR), GaussianDP(0.7, _NEAR), ApproximateDP(0.7, 0.02, _NEAR)], ids=["pure", "mu", "delta"]
)
def test_the_error_rate_summed_over_all_counts(claim: Guarantee, false_alarm: float) -> None:
    """Exactly, without a draw: the probability of a refutation where every guess (that no leak decides) is right as often as the claim
    allows. Would catch a test at twice the rate, a tail that is off by one, and leaks that are half of what delta allows."""
    from scipy.stats import binom

    trials = 300
    event = Event(Coordinate(0), None if isinstance(claim, GaussianDP) else 0.0, 1.0)
    selection, settings = Selection(event, 1.0, 1), AuditSettings(claim=claim, seed=1, samples=600, false_alarm=false_alarm)
    refuted = np.array(
        [
            judge(Counts(trials, right, trials - right, 0, 0, 0, 0, 150), selection, settings).verdict is Verdict.REFUTED
            for right in range(trials + 1)
        ]
    )
    delta = claim.delta if isinstance(claim, ApproximateDP) else 0.0
    rate = delta + (1.0 - delta) * statistic_of(claim).right_rate
    total = float(binom.pmf(np.arange(trials + 1), trials, rate) @ refuted)
    assert total <= false_alarm
    assert total > false_alarm / (50 if delta else 4)


def test_sharp_bounds_at_a_glance() -> None:
    """By hand: 90 of 100 correct guesses have the 95 % Clopper-Pearson bound 0.8364 (Beta(90, 11)), so epsilon >= ln(0.8364 / 0.1636)."""
    counts = Counts(100, 90, 10, 45, 5, 5, 45, 50)
    selection, claim = Selection(Event(Coordinate(0), 0.0, 1.0), 1.0, 1), PureDP(1.0, _NEAR)
    result = judge(counts, selection, AuditSettings(claim=claim, seed=1, samples=300, false_alarm=0.05))
    assert result.low == pytest.approx(math.log(0.8364 / 0.1636), abs=2e-3)
    assert result.estimate == pytest.approx(math.log(9.0))
