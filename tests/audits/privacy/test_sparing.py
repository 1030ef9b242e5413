"""Outputs that need not be counted: fewer are, only where that hides nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.mechanisms.laplace import Laplace
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.claims import claimed_loss
from banditproof.audits.privacy.events import Coordinate, Event
from banditproof.audits.privacy.judgement import AuditSettings
from banditproof.audits.privacy.selection import Selection
from banditproof.audits.privacy.sparing import WITHIN, trials_for
from banditproof.audits.privacy.witness import privacy_witness
from banditproof.audits.running.audit import FALSE_ALARM, Level, Request
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.tails import binomial_tail
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP

_ANY, MOST, OUTPUTS = NeighbouringRelation.ANY_PAIR, 2_000_000, 30_000
BOTH = Event(Coordinate(0), 0.0, 1.0)
CLAIMS: st.SearchStrategy[Guarantee] = st.one_of(
    st.builds(PureDP, st.floats(0.1, 4.0), st.just(_ANY)),
    st.builds(ApproximateDP, st.floats(0.1, 4.0), st.floats(1e-6, 0.05), st.just(_ANY)),
    st.builds(GaussianDP, st.floats(0.1, 4.0), st.just(_ANY)),
)


def settings_of(claim: Guarantee) -> AuditSettings:
    return AuditSettings(claim=claim, seed=1, false_alarm=FALSE_ALARM, sparing=True)


def selected(settings: AuditSettings, share: float, right_rate: float) -> Selection:
    """An event with the expected numbers of guesses."""
    guesses = round(OUTPUTS * share) if settings.statistic.abstains else OUTPUTS
    right = round(guesses * right_rate)
    return Selection(BOTH, guesses / OUTPUTS, 1, right, guesses - right, OUTPUTS)


@given(CLAIMS, st.floats(0.05, 1.0), st.integers(0, 2**32))
def test_fewer_outputs_still_detect_what_must_be_detected(claim: Guarantee, share: float, seed: int) -> None:
    """Would catch a plan that counts on the expected number of guesses, of which half of all events make fewer, and one that forgets the
    leaks, the miss rate or the significance level: the plan is held at a number of guesses that is drawn."""
    settings = settings_of(claim)
    statistic = settings.statistic
    selection = selected(settings, share, 0.5)
    trials = trials_for(selection, settings, MOST)
    guesses = int(np.random.default_rng(seed).binomial(trials, selection.mass)) if statistic.abstains else trials
    found = statistic.detectable_loss(guesses=guesses, trials=trials, false_alarm=FALSE_ALARM, miss_rate=0.1)
    assert trials <= MOST and (trials == MOST or found <= settings.violation)
    if claimed_loss(claim) > 0.5 and share > 0.5 and not isinstance(claim, ApproximateDP):
        assert trials < MOST / 20


@pytest.mark.parametrize("claim", [PureDP(1.0, _ANY), GaussianDP(1.0, _ANY), PureDP(0.2, _ANY)], ids=str)
def test_an_event_at_the_claim_is_counted_on_all_outputs(claim: Guarantee) -> None:
    """Exact: the probability that the selecting outputs of an event whose loss is the claim's, or above, take it for one within. Would
    catch a comparison of estimates, which is wrong half of the time."""
    settings = settings_of(claim)
    rate = settings.statistic.right_rate

    def spared(right: int) -> bool:
        return trials_for(Selection(BOTH, 1.0, 1, right, OUTPUTS - right, OUTPUTS), settings, MOST) < MOST

    low, high = round(OUTPUTS * 0.5), OUTPUTS
    assert spared(low) and not spared(high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if spared(middle) else (low, middle)
    taken = binomial_tail(OUTPUTS - low, OUTPUTS, 1.0 - rate)
    assert WITHIN / 3 < taken <= WITHIN


def test_a_true_claim_of_twice_the_loss_costs_less_and_a_tight_one_does_not_change() -> None:
    """Would catch draws that are saved at other levels than the quick one, for which the user asked, and where the loss reaches the claim;
    and a result whose number of samples is not what was drawn."""
    loose, tight = Laplace(1.0), Laplace(1.0)
    twice = PureDP(2.0, loose.guarantee().relation)
    request = Request(FALSE_ALARM, 3, ("sparing",))
    spared, all_ = (PrivacyLoss(loose, 60_000, twice, sparing=sparing).measure(request) for sparing in (True, False))
    assert spared.verdict is all_.verdict is Verdict.NOT_REFUTED
    assert spared.detectable is not None and spared.must_detect is not None and spared.detectable <= spared.must_detect
    assert spared.samples == 24_000 + privacy_witness(spared).trials < all_.samples == 60_000
    deeper = Request(FALSE_ALARM, 3, ("sparing",), Level.STANDARD)
    assert PrivacyLoss(loose, 6_000, twice).measure(deeper).samples == 60_000
    one, other = (PrivacyLoss(tight, 60_000, sparing=sparing).measure(request).to_json() for sparing in (True, False))
    assert one == other
    false = PureDP(0.5, loose.guarantee().relation)
    one, other = (PrivacyLoss(tight, 60_000, false, sparing=sparing).measure(request).to_json() for sparing in (True, False))
    assert one == other and one["verdict"] == Verdict.REFUTED.value
