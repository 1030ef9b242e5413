"""What a refuted claim may have meant instead, and how likely an accident is."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.assertions import assert_private
from banditproof.audits.front_door import audit_privacy
from banditproof.audits.privacy.readings import by_chance, for_group, other_reading
from banditproof.audits.privacy.witness import PrivacyWitness, privacy_witness
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP
from banditproof.mechanism import Neighbours

RECORD, ADDED = NeighbouringRelation.REPLACE_RECORD, NeighbouringRelation.ADD_OR_REMOVE
QUERY, EVERY, ANY = NeighbouringRelation.QUERY_SENSITIVITY, NeighbouringRelation.EVERY_QUERY, NeighbouringRelation.ANY_PAIR


def test_group_privacy_by_hand() -> None:
    """Three steps of (ln 2, 0.01): delta (1 + 2 + 4). Would catch k delta, and a delta of 1 or more that is taken for a claim."""
    assert for_group(PureDP(0.5, RECORD), 3) == PureDP(1.5, RECORD)
    assert for_group(GaussianDP(0.5, RECORD), 4) == GaussianDP(2.0, RECORD)
    group = for_group(ApproximateDP(math.log(2.0), 0.01, RECORD), 3)
    assert isinstance(group, ApproximateDP)
    assert (group.epsilon, group.delta) == pytest.approx((math.log(8.0), 0.07))
    for many in (20, 10**6):
        with pytest.raises(ValueError, match=f"group = {many}: .* say nothing of so many records"):
            for_group(ApproximateDP(1.0, 0.1, RECORD), many)


@given(epsilon=st.floats(0.01, 3.0), delta=st.floats(1e-9, 1e-3), group=st.integers(2, 4))
def test_a_group_is_as_private_as_its_steps_one_after_another(epsilon: float, delta: float, group: int) -> None:
    """Compared with the recursion P <= e^epsilon P' + delta, step by step, on the largest P that a chain from P = 0 allows."""
    reached = 0.0
    for _ in range(group):
        reached = math.exp(epsilon) * reached + delta
    if reached < 1.0:
        claim = for_group(ApproximateDP(epsilon, delta, ADDED), group)
        assert isinstance(claim, ApproximateDP)
        assert claim.delta == pytest.approx(reached, rel=1e-9)


@pytest.mark.parametrize(
    ("relation", "pair", "declared", "reading"),
    [
        (RECORD, ([0, 1], [1, 1]), None, (ADDED, 2.0, {"relation": "add_or_remove", "worst": [[[0, 1], [1]], [[1, 1], [1]]]})),
        (ANY, ([0, 0, 5], [1, 1, 5]), None, (RECORD, 2.0, {"relation": "replace_record", "group": 2, "worst": [[[0, 0, 5], [1, 1, 5]]]})),
        (
            EVERY,
            ([0.0, 0.0], [0.5, -0.3]),
            Neighbours(EVERY, sensitivity=0.5),
            (QUERY, 2.0, {"relation": "query_sensitivity", "group": 2, "sensitivity": 0.5, "worst": [[[0.0, 0.0], [0.5, -0.3]]]}),
        ),
        (EVERY, ([0.0, 0.0], [1.0, 0.0]), None, None),  # one answer moves: L1 says the same
        (ANY, ([0, 1], [1, 1]), None, None),  # one record: the same claim
        (ADDED, ([0, 1], [1]), None, None),
        (RECORD, ([0, 0], [1, 1]), Neighbours(RECORD, group=2), None),
        (ANY, ("yes", "no"), None, None),
    ],
)
def test_the_reading_that_allows_more(relation: NeighbouringRelation, pair: Any, declared: Neighbours | None, reading: Any) -> None:
    """Would catch a factor that no chain of neighbours gives, and a test of it on a pair that is none: the pairs must be neighbours."""
    found = other_reading(PureDP(1.0, relation), pair, declared)
    assert (found and (found.relation, found.allows, found.neighbours())) == reading
    if found is not None:
        for one, other in found.pairs:
            Neighbours(found.relation, group=found.group, sensitivity=found.sensitivity).check(one, other)


@pytest.mark.parametrize(
    ("claim", "low", "contradicted", "words"),
    [
        (
            PureDP(1.0, RECORD),
            1.9149,
            False,
            "allows epsilon = 2 on this pair, and 1.914 was measured: these draws do not contradict the claim",
        ),
        (PureDP(1.0, RECORD), 2.5, True, "refute the claim under add_or_remove too"),
        (GaussianDP(1.0, RECORD), 2.5, True, "mu = 1 under add_or_remove allows mu = 2"),
        (ApproximateDP(1.0, 0.01, RECORD), 2.5, None, "do not say whether the claim holds under add_or_remove"),
    ],
)
def test_what_is_said_of_another_reading(claim: Guarantee, low: float, contradicted: bool | None, words: str) -> None:
    """Would catch a claim that is said to hold, and with delta a refutation that does not follow: two steps have a larger delta."""
    reading = other_reading(claim, ([0, 1], [1, 1]), None)
    assert reading is not None and reading.contradicted(claim, low) is contradicted
    assert words in reading.sentence(claim, low)


def sums(data: Any, runs: int, rng: np.random.Generator) -> Any:
    return np.sum(data) + rng.laplace(scale=1.0, size=runs)


def test_a_group_is_audited_at_the_groups_epsilon_and_its_record_says_so() -> None:
    """Would catch a true claim that is refuted since the group's epsilon is held against one record's, and a record that forgets the group.

    Three records of a sum with noise of scale 1 have a loss of 3; half the noise is refuted. One error in 10^6 each."""
    pair = {"dataset": [0.0] * 3, "neighbour": [1.0] * 3, "neighbours": {"group": 3}}
    kept = audit_privacy(sums, epsilon=1.0, samples=20_000, false_alarm=1e-6, **pair)
    assert kept.measured.verdict is not Verdict.REFUTED and kept.measured.claimed == 3.0
    witness = privacy_witness(kept.measured)
    assert witness.to_json()["group"] == 3 and PrivacyWitness.from_json(witness.to_json()).terms.group == 3
    broken = audit_privacy(lambda data, runs, rng: sums(np.array(data) * 2.0, runs, rng), epsilon=1.0, samples=20_000, **pair)
    assert broken.measured.verdict is Verdict.REFUTED
    assert "group" not in privacy_witness(audit_privacy(sums, epsilon=1.0, samples=400, dataset=[0], neighbour=[1]).measured).to_json()


def test_a_refutation_says_how_likely_an_accident_is_and_what_else_was_meant() -> None:
    """Would catch a p-value without what delta was given, and an error message that leaves the other relation out."""

    def wide(data: Any, runs: int, rng: np.random.Generator) -> Any:
        return sums(data, runs, rng) if len(data) != 2 else np.sum(data) + rng.laplace(scale=0.6, size=runs)

    with pytest.raises(AssertionError) as failure:
        assert_private(wide, epsilon=1.0, dataset=[0.0, 0.0], neighbour=[1.0, 0.0], samples=20_000, seed=1)
    result, text = failure.value.result, str(failure.value)
    assert result.measured.false_alarm == 0.001
    assert (
        "would come up by accident with probability at most" in text
        and "these draws do not contradict the claim under add_or_remove" in text
    )
    assert by_chance(result.measured) == result.measured.detail["p_value"]
    approximate = audit_privacy(wide, epsilon=1.0, delta=0.01, dataset=[0.0, 0.0], neighbour=[1.0, 0.0], samples=20_000).measured
    assert by_chance(approximate) == pytest.approx(approximate.detail["p_value"] + 1e-4)
