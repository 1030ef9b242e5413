"""The committed records of Figure 1: what they say is what their own numbers say."""

import json
from pathlib import Path

import numpy as np
import pytest

from banditproof.audits.papers.ldp_linucb_2024.figures import curves, observations, tuning
from banditproof.audits.papers.ldp_linucb_2024.figures.runs import EPSILONS, FOR_BUDGET, Arms

EVIDENCE = Path(__file__).parents[3] / "docs" / "evidence"


RECORDS = {
    arms: json.loads((EVIDENCE / f"ldp_linucb_2024.{figure}.json").read_text())
    for figure, arms in (("figure1", (Arms.FIXED,)), ("figure1_arms", tuple(Arms)))
}
pytestmark = pytest.mark.parametrize("arms", RECORDS, ids=len)


def test_it_is_judged_by_its_final_regrets(arms):
    """Would catch a record whose verdicts are of other criteria, or other numbers, than those in it."""
    record = RECORDS[arms]
    known = record["parameters"]
    assert (known["runs"], known["horizon"], record["complete"]) == (50, 20_000, True)
    ways = curves.ways(arms)
    assert set(record["outcomes"]) == {curves.COMPUTED, *(way.name() for way in ways)}
    for way in ways:
        regrets = known["final_regret"][way.name()]
        final = {
            (epsilon, each): np.array(regrets[f"{each.value}, epsilon {epsilon:g}"])
            for epsilon in EPSILONS
            for each in FOR_BUDGET[way.budget]
        }
        assert {values.size for values in final.values()} == {50}
        expected = {each.id: each.verdict().value for each in observations.outcomes(final, way.budget, known["horizon"])}
        assert {each["id"]: each["verdict"] for each in record["outcomes"][way.name()]} == expected


def test_widths_are_the_least_of_their_search(arms):
    """Would catch a width that was chosen by hand, and a search over other candidates."""
    record = RECORDS[arms]
    search = record["parameters"]["tuning"]
    assert tuple(search["widths"]) == tuning.WIDTHS and search["runs"] == tuning.TUNING_RUNS
    assert search["key"] != search["reported_runs_key"]
    for chosen in search["chosen"].values():
        for each in chosen.values():
            least = each["mean_regret"][search["widths"].index(each["chosen"])]
            assert least == min(each["mean_regret"])


def test_a_sentence_is_contradicted_only_where_the_paper_states_all_it_depends_on(arms):
    """Would catch a contradiction that is held against the paper although it comes from constants which we chose."""
    record = RECORDS[arms]
    for sentence in record["sentences"]:
        assert sentence["verdict"] != "inconclusive" or sentence["reason"]
        assert sentence["verdict"] != "contradicted" or sentence["id"] == "uniform"
