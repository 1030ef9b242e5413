"""The committed records of D.1 to D.3: what they say is what their own numbers say."""

import json
from pathlib import Path

import numpy as np
import pytest

from banditproof.audits.papers.shariff_sheffet_2018.figures import dimension, privacy, shift, variance

EVIDENCE = Path(__file__).parents[3] / "docs" / "evidence"


def recorded(figure):
    return json.loads((EVIDENCE / f"shariff_sheffet_2018.{figure}.json").read_text())


def found(record, way):
    return {outcome["id"]: outcome["verdict"] for outcome in record["outcomes"][way]}


def again(outcomes):
    return {outcome.id: outcome.verdict().value for outcome in outcomes}


def test_d1_is_judged_by_its_totals():
    """Would catch a record whose verdicts are of other criteria than those in the code."""
    record = recorded("d1")
    known = record["parameters"]
    totals = {distribution: np.array(values) for distribution, values in known["totals"].items()}
    quieter = np.array(known["totals_at_the_best_arms_variance"])
    smaller = {distribution: values[:, : quieter.shape[1]] for distribution, values in totals.items()}
    way = (*dimension.outcomes(totals, known["horizon"]), *variance.outcomes(quieter, smaller, known["horizon"], dimension.PLANNED_HORIZON))
    assert found(record, "100,000 rounds") == again(way)
    assert found(record, "computed") == again(dimension.of_the_rewards())


def test_d3_is_judged_by_its_totals():
    """Would catch a record whose verdicts are of other criteria than those in the code."""
    record = recorded("d3")
    gaps = {privacy.named(gap): gap for gap in shift.GAPS}
    totals = {}
    for name, values in record["parameters"]["totals"].items():
        mechanism, gap = name.split(", ")
        totals[mechanism, gaps[gap]] = np.array(values)
    for way, outcomes in shift.outcomes(totals, record["parameters"]["horizon"]).items():
        assert found(record, way) == again(outcomes)
    assert found(record, "the bounds") == again(shift.of_the_bound())


def test_d2_is_judged_by_its_totals():
    """Would catch a record whose verdicts are of other criteria than those in the code, or of other repetitions."""
    record = recorded("d2")
    known, gaps = record["parameters"], {privacy.named(gap): gap for gap in (privacy.NO_GAP, privacy.GAP)}
    pictured, totals = (
        {(gaps[gap], variant): np.array(values) for gap, group in known[name].items() for variant, values in group.items()}
        for name in ("at_the_pictures_end", "totals")
    )
    assert {values.size for values in (*pictured.values(), *totals.values())} == {known["runs"]} == {30}
    assert found(record, "50,000,000 rounds") == again(privacy.outcomes(pictured, totals, known["horizon"]))
    assert found(record, "computed") == again(privacy.of_the_setting())


@pytest.mark.parametrize("figure", ["d1", "d2", "d3"])
def test_a_record_has_a_verdict_for_each_sentence(figure):
    """Would catch a sentence without a verdict, and an inconclusive one without a reason."""
    record = recorded(figure)
    assert record["schema"] == "banditproof/reproduce/3" and record["parameters"]["seed"] == 17
    for sentence in record["sentences"]:
        assert sentence["verdict"] in ("reproduced", "contradicted", "inconclusive")
        assert sentence["verdict"] != "inconclusive" or sentence["reason"]
