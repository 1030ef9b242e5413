"""The committed record of Figure 1: what it says is what its own numbers say."""

import json
from pathlib import Path

import numpy as np

from banditproof.audits.papers.ldp_linucb_2024.figures import curves, observations, tuning
from banditproof.audits.papers.ldp_linucb_2024.figures.runs import EPSILONS, FOR_BUDGET, Arms

RECORD = json.loads((Path(__file__).parents[3] / "docs" / "evidence" / "ldp_linucb_2024.figure1.json").read_text())


def test_it_is_judged_by_its_final_regrets():
    """Would catch a record whose verdicts are of other criteria, or other numbers, than those in it."""
    known = RECORD["parameters"]
    assert (known["runs"], known["horizon"], RECORD["complete"]) == (50, 20_000, True)
    ways = curves.ways((Arms.FIXED,))
    assert set(RECORD["outcomes"]) == {curves.COMPUTED, *(way.name() for way in ways)}
    for way in ways:
        regrets = known["final_regret"][way.name()]
        final = {
            (epsilon, each): np.array(regrets[f"{each.value}, epsilon {epsilon:g}"])
            for epsilon in EPSILONS
            for each in FOR_BUDGET[way.budget]
        }
        assert {values.size for values in final.values()} == {50}
        expected = {each.id: each.verdict().value for each in observations.outcomes(final, way.budget, known["horizon"])}
        assert {each["id"]: each["verdict"] for each in RECORD["outcomes"][way.name()]} == expected


def test_widths_are_the_least_of_their_search():
    """Would catch a width that was chosen by hand, and a search over other candidates."""
    search = RECORD["parameters"]["tuning"]
    assert tuple(search["widths"]) == tuning.WIDTHS and search["runs"] == tuning.TUNING_RUNS
    assert search["key"] != search["reported_runs_key"]
    for chosen in search["chosen"].values():
        for each in chosen.values():
            least = each["mean_regret"][search["widths"].index(each["chosen"])]
            assert least == min(each["mean_regret"])


def test_a_sentence_is_contradicted_only_where_the_paper_states_all_it_depends_on():
    """Would catch a contradiction that is held against the paper although it comes from constants which we chose."""
    for sentence in RECORD["sentences"]:
        assert sentence["verdict"] != "inconclusive" or sentence["reason"]
        assert sentence["verdict"] != "contradicted" or sentence["id"] == "uniform"
