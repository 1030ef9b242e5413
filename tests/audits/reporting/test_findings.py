"""The pages of findings, and what backs each finding: an audit that refutes, or a recorded run that contradicts."""

import json
from pathlib import Path

import pytest

import banditproof
from banditproof.audits.reporting.findings import markdown
from banditproof.audits.running import registry
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.findings import Grade

ROOT = Path(str(banditproof.__file__)).resolve().parents[2]
PAGES = ROOT / "docs" / "findings"
STEMS = list(registry.papers())


@pytest.mark.parametrize("stem", STEMS)
def test_the_pages_are_current(stem: str) -> None:
    """Would catch a finding that changed, or a page that was edited by hand. The page of a paper that was deleted is nobody's."""
    page = PAGES / f"{stem}.md"
    assert (page.read_text(encoding="utf-8") if page.exists() else "") == markdown(stem)


@pytest.mark.parametrize("stem", STEMS)
def test_what_must_replay_replays(stem: str) -> None:
    """Would catch an accusation that nothing backs: each names audits that must refute, or recorded outcomes that contradict."""
    for name, item in registry.findings(stem).items():
        for id in item.refuting():
            assert registry.find(id).expected is Verdict.REFUTED, (name, id)
        for run in item.finding.runs:
            assert "contradicted" in outcomes(run), (name, run)
        assert item.refuting() or item.finding.runs or not item.finding.grade.must_replay, name


def outcomes(run: str) -> list[str]:
    """What the committed record of an experiment says of an outcome, '<experiment>#<outcome>', in each way of running it."""
    experiment, _, name = run.partition("#")
    record = json.loads((ROOT / "docs" / "evidence" / f"{experiment}.json").read_text(encoding="utf-8"))
    return [str(item["verdict"]) for group in record["outcomes"].values() for item in group if item["id"] == name]


@pytest.mark.parametrize("stem", STEMS)
def test_what_is_refuted_as_published_is_a_finding(stem: str) -> None:
    """Would catch a refutation of a published statement that reaches no reader: it is a finding, or it is a control's."""
    for id, audit in registry.audits(stem).items():
        if audit.expected is Verdict.REFUTED:
            assert registry.finding_of(id) is not None, id


@pytest.mark.parametrize("stem", STEMS)
def test_the_page_has_what_a_reader_needs(stem: str) -> None:
    """Would catch a page that leaves a finding out, lists it out of order, or lacks a letter of its formulas."""
    page = markdown(stem)
    found = list(registry.findings(stem).values())
    assert bool(page) == bool(found)
    places = [page.index(f'<a id="{item.finding.name}"></a>') for item in found]
    assert places == sorted(places)
    ranks = [item.finding.order() for item in found]
    assert ranks == sorted(ranks)
    for item in found:
        assert item.finding.sentence.splitlines()[0] in page
        if item.theorem.bound is not None:
            assert all(f"| `{quantity.name}` |" in page for quantity in item.theorem.bound.quantities())


def test_a_page_of_some_grades_has_no_others() -> None:
    for stem in STEMS:
        readings = [item.finding for item in registry.findings(stem).values() if item.finding.grade is Grade.READING]
        page = markdown(stem, [Grade.READING])
        assert all(finding.title in page for finding in readings)
        assert "## FALSE" not in page
