"""The audits of Shariff and Sheffet 2018 refute what is printed and false, and nothing else; the named mistakes have their controls."""

import pytest

from banditproof.audits.papers.shariff_sheffet_2018.cases.agreement.wishart import printed_degrees
from banditproof.audits.running import registry
from banditproof.audits.running.audit import Audit, Request
from banditproof.audits.running.run import run_one
from banditproof.audits.statistics.evidence import Verdict

STEM = "shariff_sheffet_2018"
CONTROLS, AUDITS = registry.controls(STEM), registry.audits(STEM)


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
    """Would catch a control that was renamed away; that each is refuted, in 20 of 20 seeds under --deep, is in
    tests/audits/running/test_controls.py."""
    assert set(NAMED[mistake]) <= {id.rpartition(".control.")[2] for id in CONTROLS}


def test_none_is_lost() -> None:
    """Would catch a module of audits or controls that is no longer found."""
    assert len(AUDITS) + len(CONTROLS) >= 470


def test_the_printed_degrees_in_many_dimensions() -> None:
    """By hand: k - d - 1 is 1.03e-7 there, so k = d + 2. Would catch a share that the sum with d rounds away, as it did."""
    degrees = printed_degrees(horizon=112, dimension=134_217_727, epsilon=1_612_801.0444218293, delta=0.00012367781728758054)
    assert degrees == 134_217_729


def verdict(audit: Audit) -> Verdict:
    return run_one(audit, Request(1e-4, 1, audit.seed_path)).result.measured.verdict


def test_every_published_form_that_fails_is_refuted_by_an_audit() -> None:
    """Would catch a form of a statement, or a line, that is false in print and that nothing judges."""
    for id, theorem in registry.theorems(STEM).items():
        expected = [audit.slug for audit in AUDITS.values() if audit.theorem == id and audit.expected is Verdict.REFUTED]
        assert {f"step.{step}" for step in theorem.false_steps()} == {slug for slug in expected if slug.startswith("step.")}
        assert theorem.published is None or any(not slug.startswith("step.") for slug in expected), id


REFUTING = {id for id, audit in AUDITS.items() if audit.expected is Verdict.REFUTED}


@pytest.mark.parametrize("id", [id if id in REFUTING else pytest.param(id, marks=pytest.mark.deep) for id in AUDITS])
def test_audit_says_what_is_expected(id: str) -> None:
    """Would catch an accusation that does not stand, and, under --deep, a line of a proof that nothing decides: `make verify` judges
    all of them anyway."""
    audit = AUDITS[id]
    found = verdict(audit)
    assert (found is Verdict.REFUTED) == (audit.expected is Verdict.REFUTED)
    assert found in {Verdict.REFUTED, Verdict.CERTIFIED, Verdict.HOLDS_AT_POINTS, Verdict.NOT_REFUTED, Verdict.RATE_ONLY, Verdict.VACUOUS}
