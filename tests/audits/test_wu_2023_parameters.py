"""Every public formula of Wu et al. 2023 in the algorithms room is compared with the theory; docs/errata.md is what the theory says."""

import inspect
from pathlib import Path

import banditproof
from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.policies import robust_elimination
from banditproof.audits import registry
from banditproof.audits.evidence import Verdict
from banditproof.audits.front.errata import markdown
from banditproof.audits.methods.agreement import Agreement

ROOT = Path(str(banditproof.__file__)).resolve().parents[2]
NO_FORMULA = {"truncated_mean", "batch_size", "last_epoch", "noise_index"}  # a computation on data; counters


def test_every_public_formula_stands_beside_the_theory() -> None:
    """Would catch a parameter function that was added and never compared."""
    subjects = [audit.subject for audit in registry.audits().values() if isinstance(audit.method, Agreement)]
    for module in (truncated_mean, robust_elimination):
        stem = module.__name__.rsplit(".", 1)[1]
        public = [
            name
            for name, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_") and name not in NO_FORMULA
        ]
        assert [name for name in public if not any(f"{stem}.{name}" in subject for subject in subjects)] == []


def test_every_line_of_a_proof_is_audited_and_every_erratum_expected() -> None:
    """Would catch a Step, or an erratum of a statement, that nothing judges."""
    audits = registry.audits()
    for id, theorem in registry.theorems().items():
        if id.startswith("wu_2023."):
            for step in theorem.steps:
                found = audits[f"{id}:step {step.id}"]
                assert (found.expected is Verdict.REFUTED) == bool(step.erratum), found.id
            if theorem.erratum is not None:
                assert any(
                    audit.expected is Verdict.REFUTED for audit in audits.values() if audit.theorem == id and "step" not in audit.subject
                ), id


def test_the_errata_page_is_current() -> None:
    """Would catch an erratum that changed, or a page that was edited by hand."""
    assert (ROOT / "docs" / "errata.md").read_text(encoding="utf-8") == markdown()
