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
    """Would catch a choice that loses the best arm although a candidate keeps it, a dearer one than need be, and draws that the search, the
    confirmation and the reported runs share."""
    search = record["parameters"]["tuning"]
    assert len({str(search[key]) for key in ("key", "key_of_the_confirmation", "reported_runs_key")}) == 3 and len(search["settings"]) == 27
    early, runs = search["runs_of_the_confirmation"]
    assert (early, runs) == tuning.LOOKS
    for each in search["algorithms"].values():
        assert each["candidates"] == len(each["scores"]) == 88
        reached = [row for row in each["scores"] if row[-3] == 27]
        best, again = each["chosen"], each["played_again"]
        assert len(reached) == each["candidates_of_the_third_stage"] >= each["candidates_that_go_on"] >= len(again) > 0
        assert len(again) == each["candidates_played_again"] and len(best["lost_by_setting"]) == 27
        kept = [row for row in again if row[-4] == runs and row[-1] == 0]
        assert len(kept) == each["candidates_that_keep_the_best_arm"]
        assert best["keeps_the_best_arm"] == bool(kept)
        if kept:
            assert max(best["lost_by_setting"]) == 0.0 and best["mean_regret"] == pytest.approx(min(row[-3] for row in kept), abs=1.0)
            assert best["loss_rate_at_most"] == pytest.approx(1.0 - 0.05 ** (1.0 / runs))
            assert best["excluded_loss_rate"] == pytest.approx(tuning.excluded(len(again), runs))
    assert {place.split(",")[0] for lost in record["parameters"]["best_arm_lost"].values() for place in lost} == set(ALGORITHMS)


def test_a_sentence_is_contradicted_only_where_the_paper_states_all_it_depends_on(record):
    """Would catch a contradiction that is held against the paper although it comes from constants which we chose."""
    for sentence in record["sentences"]:
        ways = set(sentence["by_way"].values())
        assert sentence["verdict"] != "inconclusive" or sentence["reason"]
        if sentence["verdict"] == "contradicted":
            assert ways == {"contradicted"} and not sentence["reason"]
    assert judged({}) == ()
