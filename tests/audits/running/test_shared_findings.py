"""A finding about several statements of a paper is one finding."""

import dataclasses
from types import MappingProxyType

import pytest

from banditproof.audits.running import registry
from banditproof.theory.papers.wu_2023 import lower_bound


def test_a_finding_about_two_statements_is_counted_once_and_shown_with_the_one_of_its_name() -> None:
    found = registry.findings("wu_2023")["lower_bound"]
    assert found.theorem is lower_bound.LOWER_BOUND
    assert found.finding in lower_bound.LOWER_BOUND.findings and found.finding in lower_bound.LOWER_BOUND_GAUSSIAN.findings


def test_two_findings_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a finding that hides another."""
    theorem = lower_bound.LOWER_BOUND_GAUSSIAN
    other = dataclasses.replace(theorem, findings=(dataclasses.replace(theorem.findings[0], title="another one"),))
    both = MappingProxyType({lower_bound.LOWER_BOUND.id: lower_bound.LOWER_BOUND, other.id: other})
    monkeypatch.setattr(registry, "theorems", lambda stem: both)
    with pytest.raises(ValueError, match="another finding of the paper has the name 'lower_bound'"):
        registry.findings.__wrapped__("wu_2023")
