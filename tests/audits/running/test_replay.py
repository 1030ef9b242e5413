"""Results of registered audits are looked at again: from their records alone, by the method that wrote them."""

import json
from dataclasses import replace

import pytest

from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.privacy.frozen_witness import frozen_witness
from banditproof.audits.privacy.witness import privacy_witness
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Request
from banditproof.audits.running.replay import confirmed, replay
from banditproof.audits.running.report import AuditResult
from banditproof.audits.running.run import run_one
from banditproof.audits.statistics.evidence import Measurement, Verdict


def through_json(result: AuditResult) -> AuditResult:
    return AuditResult.from_json(json.loads(json.dumps(result.to_json(), allow_nan=False)))


CONTROLS = registry.every(registry.controls)
PRIVACY = sorted(id for id, control in CONTROLS.items() if isinstance(control.audit.method, PrivacyLoss))
OTHERS = sorted(id for id, control in CONTROLS.items() if not isinstance(control.audit.method, PrivacyLoss))
ALWAYS = {
    "inequalities.post_processing/privacy.control.noise_after_the_decision",
    "dwork_2006.laplace_privacy/privacy.control.nan_on_one_side",
}


@pytest.mark.parametrize("id", sorted({*PRIVACY[::5], *ALWAYS, *OTHERS[::6]}))
def test_refuted_controls_are_refuted_again(id: str) -> None:
    """From the JSON record alone, on draws that nobody has seen: would catch a witness that lacks what a third party needs, an event that
    reads differently, and a control that cannot be found by the id in its record."""
    control = CONTROLS[id]
    result = run_one(control.audit, Request(1e-4, 5, (control.audit.id,))).result
    assert result.measured.verdict is Verdict.REFUTED
    again = replay(through_json(result), seed=6)
    assert confirmed(again) and again.seed == 6
    assert (again.audit, again.theorem, again.label, again.expected) == (result.audit, result.theorem, result.label, Verdict.REFUTED)
    if isinstance(control.audit.method, PrivacyLoss):
        now, before = again.measured, result.measured
        assert now.false_alarm == before.false_alarm and now.claimed == before.claimed
        assert privacy_witness(through_json(again).measured).event == privacy_witness(through_json(result).measured).event
        assert now.samples == privacy_witness(now).trials == privacy_witness(before).trials
    json.dumps(again.to_json(), allow_nan=False)


def test_adaptive_neighbours_are_read_again() -> None:
    """Their witness holds replaced rounds, not tables: would catch a dictionary that no mechanism takes."""
    audit = registry.find("chan_2011.tree_privacy/privacy.tree_ucb_rotting")
    result = run_one(audit, Request(1e-4, 1, (audit.id,))).result
    assert result.measured.verdict is not Verdict.ERROR, result.measured.message
    again = replay(through_json(result), seed=2, samples=20_000)
    assert not confirmed(again) and again.measured.samples == 20_000


def test_a_record_of_another_claim_or_of_no_neighbours_is_refused() -> None:
    """Would catch a true claim that a changed record seems to refute: a smaller epsilon, and datasets farther apart than the claim says."""
    audit = registry.find("dwork_2006.laplace_privacy/privacy.eps0.5_sensitivity1_w1")
    result = run_one(audit, Request(1e-4, 1, (audit.id,))).result
    witness = privacy_witness(result.measured)
    for changed, rule in (
        (replace(witness, claim=replace(witness.claim, epsilon=0.1)), r"witness\.claim = .*must be .*0\.5"),
        (replace(witness, neighbour=[5.0]), "distance"),
    ):
        with pytest.raises(ValueError, match=rule):
            replay(replace(result, measured=replace(result.measured, witness=changed)), seed=2, samples=2000)
    audit = registry.find("chan_2011.tree_privacy/frozen.tree_ucb_run")
    result = run_one(audit, Request(1e-4, 1, (audit.id,))).result
    frozen = frozen_witness(result.measured)
    changed = replace(frozen, claim=replace(frozen.claim, epsilon=0.1))
    with pytest.raises(ValueError, match=r"witness\.claim = .*must be "):
        replay(replace(result, measured=replace(result.measured, witness=changed)), seed=2)


def test_what_cannot_be_replayed_is_said() -> None:
    """Would catch a traceback where the command line owes one clear line."""
    audit = registry.find("dwork_2006.laplace_privacy/privacy.control.nan_on_one_side")
    bare = AuditResult(audit.id, audit.theorem, audit.label, Measurement(Verdict.NOT_CHECKABLE))
    with pytest.raises(ValueError, match=r"has no witness to re-count \(not checkable\)"):
        replay(bare, seed=1)
    with pytest.raises(KeyError, match=r"there is none of this id"):
        replay(replace(bare, audit="nobody.knows/privacy.it"), seed=1)
