"""The committed records of Figures 1 and 2: what they say is what their own numbers say."""

import json
from pathlib import Path

import numpy as np
import pytest

from banditproof.audits.experiments.judging import judged
from banditproof.audits.papers.wu_2023.figures import curves, explanations, observations, tuning
from banditproof.audits.papers.wu_2023.figures.runs import ALGORITHMS, ALPHAS, EPSILONS

EVIDENCE = Path(__file__).parents[3] / "docs" / "evidence"


@pytest.fixture(params=["figure1", "figure2"])
def record(request):
    return json.loads((EVIDENCE / f"wu_2023.{request.param}.json").read_text())


def findings(outcomes):
    return {outcome.id: outcome.verdict().value for outcome in outcomes}


def test_it_is_judged_by_its_final_regrets(record):
    """Would catch a record whose verdicts are of other criteria, or other numbers, than those in it."""
    known = record["parameters"]
    assert (known["runs"], known["horizon"], record["complete"]) == (30, 100_000, True)
    for way, regrets in known["final_regret"].items():
        final = {
            (alpha, epsilon, each): np.array(regrets[curves.place_name(alpha, epsilon, each)], dtype=float)
            for alpha in ALPHAS
            for epsilon in EPSILONS
            for each in ALGORITHMS
        }
        assert {values.size for values in final.values()} == {30}
        expected = findings(observations.outcomes(final))
        found = {outcome["id"]: outcome["verdict"] for outcome in record["outcomes"][way]}
        assert {id: found[id] for id in expected} == expected
    computed = {outcome["id"]: outcome["verdict"] for outcome in record["outcomes"][curves.COMPUTED]}
    rewards = known["rewards"]
    assert computed == findings((*explanations.setup(rewards), *explanations.aggressive(rewards, None), *explanations.bounds(None)))


def test_equal_curves_are_decided(record):
    """Would catch outcome v undecided under the constants of the proofs, where regrets are exactly equal for all epsilon."""
    for way, outcomes in record["outcomes"].items():
        if "proofs" in way:
            assert {each["id"]: each["verdict"] for each in outcomes}["v-a"] == "contradicted"


def test_tuning_says_what_it_searched_and_how_often_the_best_arm_was_lost(record):
    """Would catch a choice that loses the best arm although a candidate keeps it, and draws that tuning shares with the reported runs."""
    search = record["parameters"]["tuning"]
    assert search["key"] != search["reported_runs_key"] and len(search["settings"]) == 27
    for each in search["algorithms"].values():
        assert each["candidates"] == len(each["scores"]) == 88
        reached = [row for row in each["scores"] if row[-3] == 27]
        best = each["chosen"]
        assert len(reached) == each["candidates_of_the_third_stage"] > 0 and len(best["lost_by_setting"]) == 27
        if each["candidates_that_keep_the_best_arm"]:
            assert best["lost"] <= tuning.MOST_LOST and max(best["lost_by_setting"]) <= tuning.MOST_LOST_THERE
        else:
            assert best["lost"] <= min(row[-1] for row in reached) + 1e-3
    assert {place.split(",")[0] for lost in record["parameters"]["best_arm_lost"].values() for place in lost} == set(ALGORITHMS)


def test_a_sentence_is_contradicted_only_where_the_paper_states_all_it_depends_on(record):
    """Would catch a contradiction that is held against the paper although it comes from constants which we chose."""
    for sentence in record["sentences"]:
        ways = set(sentence["by_way"].values())
        assert sentence["verdict"] != "inconclusive" or sentence["reason"]
        if sentence["verdict"] == "contradicted":
            assert ways == {"contradicted"} and not sentence["reason"]
    assert judged({}) == ()
