"""The audits of Shariff and Sheffet 2018 refute what is printed and false, and nothing else; the named mistakes have their controls."""

import pytest

from banditproof.audits.running import registry
from banditproof.audits.statistics.evidence import Verdict

STEM = "shariff_sheffet_2018"
CONTROLS = [id for id, control in registry.every(registry.controls).items() if id.startswith(STEM)]
AUDITS = [id for id, audit in registry.every(registry.audits).items() if audit.theorem.startswith(STEM)]


NAMED = {  # the mistakes that the issue names, and the controls that make them
    "one node's noise reused": ("node_reused",),
    "a padding matrix used as a node's noise": ("padding_is_a_node",),
    "tree depth one short": ("one_level_short", "sigma_one_level_less"),
    "sensitivity of one row where two differ": ("one_row_moves",),
    "shift forgotten": ("shift_forgotten",),
    "noise on the Gram matrix only": ("gram_alone",),
    "radius without the rho terms": ("radius_without_rho",),
    "rows not clipped": ("rows_not_clipped", "run_not_clipped"),
}


@pytest.mark.parametrize("mistake", NAMED)
def test_every_named_mistake_has_its_control(mistake: str) -> None:
    """Would catch a control that was renamed away; that each is refuted, in 20 of 20 seeds under --deep, is in `test_calibration`."""
    assert {f"{STEM}_mechanisms.{name}" for name in NAMED[mistake]} <= set(CONTROLS)


def verdict(audit: registry.Audit) -> Verdict:
    return registry.run_one(audit, registry.Request(1e-4, 1, (audit.id,))).result.verdict


def test_every_erratum_is_refuted_by_an_audit() -> None:
    """Would catch an erratum of a statement, or of a line, that nothing judges."""
    for id, theorem in registry.every(registry.theorems).items():
        expected = [
            audit.subject for audit in registry.every(registry.audits).values() if audit.theorem == id and audit.expected is Verdict.REFUTED
        ]
        if id.startswith(STEM):
            assert {f"step {step.id}" for step in theorem.steps if step.erratum} == {name for name in expected if name.startswith("step ")}
            assert any(not name.startswith("step ") for name in expected) == (theorem.erratum is not None), id


@pytest.mark.parametrize("id", AUDITS)
def test_audit_says_what_is_expected(id: str) -> None:
    """Would catch an accusation that does not stand, and a line of a proof that nothing decides any more."""
    audit = registry.every(registry.audits)[id]
    found = verdict(audit)
    assert (found is Verdict.REFUTED) == (audit.expected is Verdict.REFUTED)
    assert found in {Verdict.REFUTED, Verdict.CERTIFIED, Verdict.NOT_REFUTED, Verdict.RATE_ONLY, Verdict.VACUOUS}
