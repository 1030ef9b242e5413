"""Proof lines as audits: certified, refuted with a witness that replays, or open with what remains."""

import json
from dataclasses import replace

import pytest
from sympy import exp

from banditproof.audits.evidence import AuditResult, Verdict
from banditproof.audits.methods.proof_steps import ProofSteps, judge, judge_again
from banditproof.audits.registry import Request
from banditproof.glossary import DELTA, EPSILON
from banditproof.theory.inequalities import ADVANCED_COMPOSITION, SHARP_COMPOSITION_DELTA
from banditproof.theory.language import Sense, Step, symbol

REQUEST = Request(0.01, 0, ())
EPS, DEL = symbol(EPSILON), symbol(DELTA)
FALSE = Step(id="false", sense=Sense.AT_MOST, left=EPS, right=EPS**2 + DEL, draw_order=(EPSILON, DELTA), reason="a planted mistake")


@pytest.mark.parametrize("theorem", [ADVANCED_COMPOSITION, SHARP_COMPOSITION_DELTA], ids=lambda theorem: theorem.id)
def test_a_true_line_is_certified_and_walked_again(theorem):
    method = ProofSteps(theorem.id, theorem.steps[0].id)
    result = method.measure(REQUEST)
    assert result.verdict is Verdict.CERTIFIED
    assert not method.statistical
    kept = AuditResult.from_json(json.loads(json.dumps(replace(result, audit="a", theorem="b", subject="c").to_json())))
    assert method.recheck(kept, seed=5).verdict is Verdict.CERTIFIED


def test_a_false_line_is_refuted_and_its_witness_replays():
    result = judge(FALSE, "x.y:false")
    assert result.verdict is Verdict.REFUTED
    assert result.assumed == ("only this domain: a planted mistake",)
    kept = AuditResult.from_json(json.loads(json.dumps(replace(result, audit="a", theorem="b", subject="c").to_json())))
    assert judge_again(FALSE, "x.y:false", kept).verdict is Verdict.REFUTED
    repaired = replace(FALSE, right=2 * EPS + DEL)
    assert judge_again(repaired, "x.y:false", kept).verdict is Verdict.INCONCLUSIVE


def test_a_changed_certificate_does_not_stand():
    """Would catch a replay that believes the record."""
    line = ADVANCED_COMPOSITION.steps[0]
    result = judge(line, "x.y:drift")
    certificate = {**result.detail["certificate"], "proofs": [["zero", [], []]]}
    changed = replace(result, detail={**result.detail, "certificate": certificate})
    assert judge_again(line, "x.y:drift", changed).verdict is Verdict.INCONCLUSIVE
    assert judge_again(FALSE, "x.y:drift", result).verdict is Verdict.INCONCLUSIVE


def test_an_open_line_says_what_remains():
    hard = replace(FALSE, left=exp(-EPS) * DEL, right=DEL * (1 - EPS + EPS**2 / 2) + DEL**2 * EPS**3)
    result = judge(hard, "x.y:hard", boxes=1)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "would settle it" in result.message
    with pytest.raises(ValueError, match="neither a counterexample nor a certificate"):
        judge_again(hard, "x.y:hard", result)


def test_an_unknown_line_is_named():
    with pytest.raises(KeyError, match="no step 'nothing'"):
        ProofSteps(ADVANCED_COMPOSITION.id, "nothing").line()
