"""Hypothesis strategies: what they propose is what they say, for every relation and domain."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.strategies import LARGEST, bernoulli_means, entries, neighbouring, reward_tables, rows, values_of, whole_numbers
from banditproof.glossary import Quantity, quantities
from banditproof.guarantees import NeighbouringRelation
from banditproof.mechanism import Neighbours

ANSWERS = (NeighbouringRelation.QUERY_SENSITIVITY, NeighbouringRelation.EVERY_QUERY)


@st.composite
def domains(draw: st.DrawFn, relation: NeighbouringRelation) -> Neighbours:
    """Domains of any size, the ends of the doubles and intervals of one step included."""
    low = draw(st.one_of(st.sampled_from([0.0, -1.0, -1e308, 1e300]), st.floats(-1e6, 1e6)))
    width = draw(st.one_of(st.sampled_from([1.0, 1e-300, 1e308]), st.floats(1e-6, 1e6)))
    high = math.nextafter(low, math.inf) if low + width == low else min(low + width, 1e308)
    integral = draw(st.booleans()) and abs(low) < 2**52 and high < 2**52 and math.ceil(low) <= math.floor(high)
    shortest = draw(st.integers(1, 3))
    row = () if relation in ANSWERS else draw(st.sampled_from([(), (2,), (2, 3)]))
    return Neighbours(
        relation,
        low=low,
        high=high,
        lengths=(shortest, shortest + draw(st.integers(0, 3))),
        row=row,
        integral=integral,
        sensitivity=draw(st.one_of(st.sampled_from([1.0, 2.0]), st.floats(1e-6, 1e6))),
        norm=draw(st.integers(1, 2)),
        group=draw(st.integers(1, 3)),
    )


@pytest.mark.parametrize("relation", NeighbouringRelation)
def test_proposals_are_neighbours_of_the_domain(relation: NeighbouringRelation) -> None:
    """Would catch a pair that rounding carries beyond the sensitivity, a replaced row of another shape, a number outside the interval, a
    dataset that is longer than any, and a fraction where whole numbers are asked for."""

    @given(st.data())
    def hold(data: st.DataObject) -> None:
        domain = data.draw(domains(relation))
        first, second = pair = data.draw(neighbouring(domain))
        domain.check(first, second)
        hash(pair)
        shortest, longest = domain.lengths
        for side in (np.array(part, dtype=float) for part in pair):
            assert side.shape[1:] == domain.row
            inside = (side >= domain.low) & (side <= domain.high)
            match relation:
                case NeighbouringRelation.ADD_OR_REMOVE:
                    assert shortest <= len(side) <= max(longest, shortest + 1)
                case _:
                    assert shortest <= len(side) <= longest
            if relation in ANSWERS:
                assert inside.all() or side.tolist() == list(second)
            else:
                assert inside.all()
            if domain.integral:
                assert np.all(side == np.floor(side))

    hold()


def test_far_neighbours_are_proposed() -> None:
    """Would catch pairs that never use the whole sensitivity: the worst ones do, in the norm that is meant."""
    for norm in (1, 2):
        domain = Neighbours(NeighbouringRelation.QUERY_SENSITIVITY, lengths=(4, 4), sensitivity=2.0, norm=norm)
        moves = [np.array(second) - np.array(first) for first, second in drawn(neighbouring(domain), 60)]
        assert all(np.linalg.norm(move, ord=norm) == pytest.approx(2.0, rel=1e-9) for move in moves)
        assert {int(np.count_nonzero(move)) for move in moves} == ({1} if norm == 1 else {1, 4})
        assert {float(np.sign(move.sum())) for move in moves} == {-1.0, 1.0}


def test_every_answer_moves_together_in_two_blocks_and_apart() -> None:
    """Would catch a search without the published attacks on the sparse vector technique, or with moves shorter than may be."""
    domain = Neighbours(NeighbouringRelation.EVERY_QUERY, lengths=(4, 4), sensitivity=2.0)
    moves = {tuple(np.array(second) - np.array(first)) for first, second in drawn(neighbouring(domain), 300)}
    assert {abs(move) for answers in moves for move in answers} == {0.0, 2.0}
    assert {(2.0,) * 4, (-2.0,) * 4, (2.0, 2.0, -2.0, -2.0), (-2.0, 2.0, 2.0, 2.0)} <= moves


def test_groups_of_records_are_proposed_whole() -> None:
    """Would catch a group of which one record differs, or more than k."""
    domain = Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(5, 5), group=3)
    differing = {sum(one != other for one, other in zip(*pair, strict=True)) for pair in drawn(neighbouring(domain), 200)}
    assert differing == {0, 1, 2, 3}
    domain = Neighbours(NeighbouringRelation.ADD_OR_REMOVE, lengths=(1, 5), group=2)
    assert {abs(len(first) - len(second)) for first, second in drawn(neighbouring(domain), 100)} == {1, 2}


def drawn(strategy: st.SearchStrategy[Any], number: int) -> list[Any]:
    from hypothesis import Phase, settings

    values: list[Any] = []

    @settings(max_examples=number, database=None, phases=[Phase.generate])
    @given(strategy)
    def collect(value: Any) -> None:
        values.append(value)

    collect()
    return values


@given(low=st.integers(-50, 50), size=st.integers(1, 70), data=st.data())
def test_whole_numbers_cover_their_range(low: int, size: int, data: st.DataObject) -> None:
    """Would catch a range that is one too long: coins that overflow must wrap around inside it."""
    found = data.draw(whole_numbers(low, low + size - 1))
    assert low <= found <= low + size - 1 and isinstance(found, int)


def test_every_whole_number_and_end_is_proposed() -> None:
    assert set(drawn(whole_numbers(3, 9), 400)) == set(range(3, 10))
    domain = Neighbours(NeighbouringRelation.ANY_PAIR, low=-1.0, high=3.0)
    assert {-1.0, 1.0, 3.0} < set(drawn(entries(domain), 100))
    assert set(drawn(entries(Neighbours(NeighbouringRelation.ANY_PAIR, low=0.5, high=3.2, integral=True)), 100)) == {1.0, 2.0, 3.0}


ALIKE = {(quantity.domain, quantity.typical): quantity for quantity in quantities().values()}


@pytest.mark.parametrize("quantity", ALIKE.values(), ids=lambda quantity: quantity.name)
def test_values_lie_in_the_domain_of_their_quantity(quantity: Quantity) -> None:
    """Would catch an open end that is proposed, a fraction for a count, and typical values that are never tried."""
    widest = (LARGEST, *quantity.typical, abs(quantity.domain.low) if math.isfinite(quantity.domain.low) else 0.0)
    values = drawn(values_of(quantity), 120)
    assert [value for value in values if value not in quantity.domain or abs(value) > max(widest)] == []
    assert set(quantity.typical) <= set(values)


@given(values_of(next(iter(quantities().values())), low=0.5, high=0.75))
def test_values_lie_within_given_ends(value: float) -> None:
    assert 0.5 <= value <= 0.75


@given(bernoulli_means(), st.integers(1, 4), st.integers(1, 3), st.data())
def test_problems_are_problems(means: tuple[float, ...], horizon: int, arms: int, data: st.DataObject) -> None:
    """Would catch a mean outside [0, 1], a single arm, and tables of another shape."""
    assert 2 <= len(means) <= 6 and all(0.0 <= mean <= 1.0 for mean in means)
    table = np.array(data.draw(reward_tables(horizon, arms)))
    assert table.shape == (horizon, arms) and np.all((table >= 0) & (table <= 1))
    row = data.draw(rows(Neighbours(NeighbouringRelation.REPLACE_ROUND, row=(arms, 2))))
    assert np.shape(row) == (arms, 2)
