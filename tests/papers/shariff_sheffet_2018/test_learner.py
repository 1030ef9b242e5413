"""Claim 7 by exact enumeration: what the audit's sums are, and that it refutes a claim that is a little too strong."""

from fractions import Fraction

import pytest

from banditproof.audits.mutations import times
from banditproof.audits.papers.shariff_sheffet_2018.cases import learner
from banditproof.audits.papers.shariff_sheffet_2018.cases.learner import actions, answers, leaking, tree
from banditproof.audits.statistics.exact import exp, fraction
from banditproof.theory.papers.shariff_sheffet_2018 import setting

ONE, NIL = Fraction(1), Fraction(0)


@pytest.mark.parametrize("sums", [answers, leaking, tree])
def test_probabilities_of_the_actions_add_up(sums) -> None:
    """Would catch sums that lose outcomes, of which no difference would be seen."""
    distributions = actions(((1, 1), (0, 1), (1, -1), (1, 1)), sums, ONE, Fraction(1, 10))
    assert abs(sum(distributions.values()) - 1) < Fraction(1, 10**25)


@pytest.mark.parametrize("rows", [(-1,), (1,), (1, 1), (-1, -1, 1)])
def test_a_node_of_the_tree_shows_a_row_by_half_of_epsilon_at_most(rows) -> None:
    """Would catch noise that is not calibrated for two nodes, or cut at the wrong place."""
    memory = ()
    for row in rows[:-1]:
        memory = next(after for _, after, _ in tree(memory, row, ONE, NIL))
    distributions = [{total: chance for chance, _, total in tree(memory, row, ONE, NIL)} for row in (-1, 1)]
    assert max(distributions[0][total] / distributions[1][total] for total in distributions[0]) <= exp(Fraction(1, 2)) * (
        1 + Fraction(1, 10**20)
    )


def test_rows_are_chosen_from_the_releases() -> None:
    """Would catch a learner whose actions do not depend on the noise, for which every claim of privacy holds."""
    distributions = actions(((1, 1),) * 4, answers, ONE, NIL)
    assert len(distributions) == 8 and min(distributions.values()) > 0


@pytest.mark.parametrize(("points", "theorem"), [(learner.ratios, setting.LEARNER_PRIVACY), (learner.deltas, setting.LEARNER_DELTA)])
def test_a_claim_that_is_a_little_too_strong_fails(points, theorem) -> None:
    """Would catch an audit that is far from the claim: nine tenths of epsilon, or of delta, are exceeded."""
    assert any(fraction(point.value) > fraction(point.claimed) for point in points(times(theorem, Fraction(9, 10))))
    assert all(fraction(point.value) <= fraction(point.claimed) * (1 + Fraction(1, 10**20)) for point in points(theorem))


def test_fixed_rows_are_hidden_and_chosen_rows_are_not() -> None:
    """The printed premise of Claim 7: total variation 2/K for fixed rows, and certainty for the rows that Algorithm 1 plays."""
    assert learner.shown_of_fixed_rows(learner.on_the_circle(10)) == Fraction(2, 10)
    assert [point.value for point in learner.fixed_rows(setting.LEARNER_DELTA)] == [1] * 4
    assert [point.value for point in learner.last_pair(setting.LEARNER_DELTA)] == [1] * 3
