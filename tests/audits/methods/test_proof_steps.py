"""Proof lines as audits: certified, refuted with a witness that replays, or open with what remains."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sympy import Gt, Lt, exp

from banditproof.audits.methods import proof_steps
from banditproof.audits.methods.proof_steps import ProofSteps, from_kept, judge, judge_again, kept, proofs_of, searched, text_of
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.running.report import measurement_from_json
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.glossary import DELTA, EPSILON
from banditproof.theory.inequalities import ADVANCED_COMPOSITION, SHARP_COMPOSITION_DELTA
from banditproof.theory.language import Sense, Step, symbol
from banditproof.theory.proving.claims import claim_of

REQUEST = Request(0.01, 0, ())
EPS, DEL = symbol(EPSILON), symbol(DELTA)
FALSE = Step(id="false", sense=Sense.AT_MOST, left=EPS, right=EPS**2 + DEL, draw_order=(EPSILON, DELTA), reason="a planted mistake")


def through_json(measured: Measurement) -> Measurement:
    """As a record keeps it and gives it back."""
    return measurement_from_json(json.loads(json.dumps(measured.to_json())))


@pytest.mark.parametrize("theorem", [ADVANCED_COMPOSITION, SHARP_COMPOSITION_DELTA], ids=lambda theorem: theorem.id)
def test_a_true_line_is_certified_and_walked_again(theorem):
    method = ProofSteps(theorem.id, theorem.steps[0].id)
    result = method.measure(REQUEST)
    assert result.verdict is Verdict.CERTIFIED
    assert not method.statistical
    assert method.recheck(through_json(result), Recheck(5, ())).verdict is Verdict.CERTIFIED


def test_a_false_line_is_refuted_and_its_witness_replays():
    result = judge(FALSE, "x.y:false")
    assert result.verdict is Verdict.REFUTED
    assert result.assumed == ("only this domain: a planted mistake",)
    kept = through_json(result)
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


def test_a_line_that_claims_nothing_claims_nothing_when_it_is_walked_again():
    """Would catch a replay that certifies "e + 1 <= e / 2", for which its conditions leave no value."""
    nothing = Step(id="nothing", sense=Sense.AT_MOST, left=EPS + 1, right=EPS / 2, draw_order=(EPSILON,), domain=(Gt(EPS, 2), Lt(EPS, 1)))
    result = judge(nothing, "x.y:nothing")
    assert (result.verdict, judge_again(nothing, "x.y:nothing", through_json(result)).verdict) == (Verdict.VACUOUS, Verdict.VACUOUS)


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


METHODS = [audit.method for audit in registry.every(registry.audits).values() if isinstance(audit.method, ProofSteps)]
LINES = {f"{method.theorem}:{method.step}": method for method in METHODS}
OPEN = {"inequalities.bretagnolle_huber:two_coins"}


def all_kept() -> dict[str, dict[str, Any]]:
    """The kept proofs of every paper that is here; a file of a paper that was deleted is nobody's."""
    return {id: record for stem in registry.papers() for id, record in kept(stem).items()}


def test_kept_proofs_are_of_the_lines_that_stand() -> None:
    """Would catch a line that was changed or added, or one that went, without `make proofs`: it would be searched for in every run."""
    false = {f"{theorem.id}:{step}" for theorem in registry.every(registry.theorems).values() for step in theorem.false_steps()}
    true = set(LINES) - false - OPEN
    found = all_kept()
    assert set(found) == true
    assert [id for id in true if found[id]["digest"] != claim_of(LINES[id].line(), id).digest()] == []


def test_kept_proofs_are_read_paper_by_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a proof that stands in another paper's file, and one paper's audits that read the proofs of all."""
    for stem in registry.papers():
        assert {id.split(".")[0] for id in kept(stem)} <= {stem}
    assert kept("nothing_2099") == {}
    for name, text in (("one_2001", '{"lines": {"one_2001.a:b": {}}}'), ("two_2002", "broken")):
        (tmp_path / f"{name}.json").write_text(text)
    monkeypatch.setattr(proof_steps, "proofs_of", lambda stem: tmp_path / f"{stem}.json")
    assert proof_steps.kept.__wrapped__("one_2001") == {"one_2001.a:b": {}}


def test_a_kept_proof_is_walked_and_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a verdict that depends on the file: with another line's proof, or for another line, nothing is certified."""
    id = next(iter(kept("inequalities")))
    line, record = LINES[id].line(), kept("inequalities")[id]
    found = from_kept(line, id)
    assert found is not None and found.verdict is Verdict.CERTIFIED
    for changed in (
        {**record, "proofs": [["zero", [], []]]},
        {**record, "proofs": []},
        {**record, "digest": "0"},
        {**record, "proofs": [7]},
    ):
        monkeypatch.setattr(proof_steps, "kept", lambda _, changed=changed: {id: changed})
        assert from_kept(line, id) is None
    monkeypatch.setattr(proof_steps, "kept", lambda _: {"x.y:false": {**record, "digest": claim_of(FALSE, "x.y:false").digest()}})
    assert from_kept(FALSE, "x.y:false") is None


def test_what_is_searched_for_is_what_is_kept(seed: int, scale: Any) -> None:
    """Would catch a search that finds other proofs than those in the file, and a kept proof that makes another result."""
    known = all_kept()
    ids = sorted(known)
    chosen = scale.of([ids[(seed + 101 * step) % len(ids)] for step in range(3)], ids)
    results = {id: searched(LINES[id]) for id in chosen}
    assert results == {id: from_kept(LINES[id].line(), id) for id in chosen}
    written = json.loads(text_of(results.values()))
    assert written["lines"] == {id: known[id] for id in chosen}


def test_kept_files_are_as_they_are_written() -> None:
    """Would catch a file that was edited by hand, and one that `make proofs` would write in another form."""
    for path in filter(Path.is_file, filter(None, map(proofs_of, registry.papers()))):
        records = json.loads(text := path.read_text(encoding="utf-8"))["lines"]
        assert records
        results = [Measurement(Verdict.CERTIFIED, detail={"certificate": {"claim": id, **record}}) for id, record in records.items()]
        assert text_of(reversed(results)) == text
    assert text_of([]) == ""
