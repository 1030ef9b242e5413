"""The committed records of D.1 to D.3: what they say is what their own numbers say."""

import json
from pathlib import Path

import numpy as np
import pytest

from banditproof.audits.experiments.experiment import Outcome, inside
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


def test_d2_is_judged_by_its_counts_and_totals():
    """Would catch a verdict on WishartUnshifted with a gap that other runs gave, or other repetitions."""
    record = recorded("d2")
    known = record["parameters"]["at_the_pictures_end"]
    shifted, unshifted = (np.array(known["gap 0.1"][variant]) for variant in ("Wishart", "WishartUnshifted"))
    assert shifted.size == unshifted.size == len(known["runs"]) == len(set(known["runs"]))
    sides = inside("ratio", unshifted / shifted, 1.0 / 1.1, 1.1)
    (way,) = [way for way in record["outcomes"] if way.startswith("20,000,000")]
    assert found(record, way) == {"v": Outcome("v", "", sides).verdict().value}
    totals = {
        (0.0 if gap == "no gap" else 0.1, variant): np.array(values)
        for gap, group in record["parameters"]["totals"].items()
        for variant, values in group.items()
    }
    at_the_end = again(privacy.outcomes(totals, totals, 50_000_000))
    ten = found(record, "50,000,000 rounds, ten runs")
    assert {id: ten[id] for id in ("vi", "vii")} == {id: at_the_end[id] for id in ("vi", "vii")}
    assert found(record, "computed") == again(privacy.of_the_setting())


@pytest.mark.parametrize("figure", ["d1", "d2", "d3"])
def test_a_record_has_a_verdict_for_each_sentence(figure):
    """Would catch a sentence without a verdict, and an inconclusive one without a reason."""
    record = recorded(figure)
    assert record["schema"] == "banditproof/reproduce/3" and record["parameters"]["seed"] == 17
    for sentence in record["sentences"]:
        assert sentence["verdict"] in ("reproduced", "contradicted", "inconclusive")
        assert sentence["verdict"] != "inconclusive" or sentence["reason"]
