"""Neighbours, and pipelines seen as mechanisms: every view, oblivious and adaptive."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.strategies import neighbouring
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import NoShuffling, Pipeline, Replacement, Table, Wire
from banditproof.mechanism import Neighbours, PolicyMechanism
from banditproof.randomness import key_from
from banditproof.simulation import play_many

SEEDS = st.integers(0, 2**32)
LISTED = [relation for relation in NeighbouringRelation if relation.value.startswith("replace")]


@given(
    relation=st.sampled_from(NeighbouringRelation),
    row=st.sampled_from([(), (2,), (3, 2)]),
    norm=st.sampled_from([1, 2]),
    sensitivity=st.floats(0.1, 9.0),
    data=st.data(),
)
def test_check_accepts_every_drawn_pair(relation, row, norm, sensitivity, data):
    """Would catch a rule that refuses neighbours: the search would then never see the worst of them."""
    domain = Neighbours(relation, row=() if relation is NeighbouringRelation.QUERY_SENSITIVITY else row, norm=norm, sensitivity=sensitivity)
    first, second = data.draw(neighbouring(domain))
    domain.check(first, second)
    domain.check(second, first)
    domain.check(first, first) if relation is not NeighbouringRelation.ADD_OR_REMOVE else None


@given(relation=st.sampled_from(LISTED), length=st.integers(2, 5), data=st.data())
def test_check_refuses_two_changed_rows(relation, length, data):
    """Would catch a pair that is two replacements apart: it may lose twice epsilon without any fault of the mechanism."""
    first = np.zeros((length, 2))
    second = first.copy()
    for place in data.draw(st.sets(st.integers(0, length - 1), min_size=2)):
        second[place, data.draw(st.integers(0, 1))] = math.nan if data.draw(st.booleans()) else 1.0
    with pytest.raises(ValueError, match=f"must differ in one \\({relation.value}\\)"):
        Neighbours(relation).check(first, second)
    with pytest.raises(ValueError, match="must be of the same length"):
        Neighbours(relation).check(first, first[1:])


@pytest.mark.parametrize(
    ("dataset", "neighbour"),
    [
        ([2**53, 0], [2**53 + 1, 1]),
        ([2**53, 0.5], [2**53 + 1, 1.5]),
        (np.array([2**53, 0]), np.array([2**53 + 1, 1])),
        ([None, 0], [math.nan, 1]),
        (["1", 0], [1, 1]),
        ([["1", 2.0], [0, 0]], [[1, 2.0], [0, 1]]),
    ],
)
def test_records_are_compared_as_they_are(dataset, neighbour):
    """Would catch two changed records of which one is the same after it became a float: a true claim would be refuted on them."""
    with pytest.raises(ValueError, match="must differ in one"):
        Neighbours(NeighbouringRelation.REPLACE_RECORD).check(dataset, neighbour)
    mixed = [[None, math.nan, 2**60], [1, 2, 3]]
    Neighbours(NeighbouringRelation.REPLACE_RECORD).check(mixed, [[None, math.nan, 2**60], [1, 2, 4]])


@given(norm=st.sampled_from([1, 2]), sensitivity=st.floats(0.1, 9.0), excess=st.floats(1.001, 10.0), width=st.integers(1, 4))
def test_check_measures_in_the_mechanisms_norm(norm, sensitivity, excess, width):
    """Would catch the L2 sensitivity of a Gaussian mechanism checked in L1."""
    step = sensitivity / width ** (1 / norm)
    domain = Neighbours(NeighbouringRelation.QUERY_SENSITIVITY, norm=norm, sensitivity=sensitivity)
    domain.check(np.zeros(width), np.full(width, step))
    with pytest.raises(ValueError, match=f"L{norm} distance .* must be <="):
        domain.check(np.zeros(width), np.full(width, step * excess))
    with pytest.raises(ValueError, match="query_sensitivity"):
        domain.check(np.zeros(width), np.full(width, math.nan))


def test_check_of_added_records():
    domain = Neighbours(NeighbouringRelation.ADD_OR_REMOVE)
    domain.check([1.0, 2.0, 3.0], [1.0, 3.0])
    for other in ([2.0, 2.0], [1.0], [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match="one must be the other without one record"):
            domain.check([1.0, 2.0, 3.0], other)


def test_check_of_groups():
    """Would catch a group that is counted in positions where records are added, and one that allows a step more."""
    records = Neighbours(NeighbouringRelation.REPLACE_RECORD, group=2)
    records.check([1.0, 2.0, 3.0], [0.0, 2.0, 0.0])
    with pytest.raises(ValueError, match="must differ in at most 2, a group"):
        records.check([1.0, 2.0, 3.0], [0.0, 0.0, 0.0])
    added = Neighbours(NeighbouringRelation.ADD_OR_REMOVE, group=2)
    for other in ([2.0, 3.0, 9.0], [3.0], [1.0, 2.0, 3.0, 4.0, 5.0]):
        added.check([1.0, 2.0, 3.0], other)
    for other in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0], [2.0, 9.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]):
        with pytest.raises(ValueError, match="at most 2 records more or less apart"):
            added.check([1.0, 2.0, 3.0], other)


@given(sensitivity=st.floats(1e-3, 1e3), group=st.integers(1, 3), width=st.integers(1, 5), excess=st.floats(1.001, 10.0))
def test_check_of_every_query(sensitivity: float, group: int, width: int, excess: float):
    """Would catch another norm than the largest change of any answer."""
    domain = Neighbours(NeighbouringRelation.EVERY_QUERY, sensitivity=sensitivity, group=group)
    domain.check(np.zeros(width), np.full(width, -sensitivity * group))
    with pytest.raises(ValueError, match=r"L-infinity distance .* must be <= .* \(every_query\)"):
        domain.check(np.zeros(width), [*np.zeros(width - 1), excess * sensitivity * group])


def test_check_of_replacements():
    """Would catch adaptive neighbours in two rounds, and contexts that differ where rewards alone may."""
    first, second = Replacement(2, (0.0, 1.0)), Replacement(2, (1.0, 0.0))
    moved = Replacement(2, (1.0, 0.0), ((1.0,), (0.0,)))
    for relation in (NeighbouringRelation.REPLACE_ROUND, NeighbouringRelation.REPLACE_REWARD):
        Neighbours(relation).check(first, second)
        with pytest.raises(ValueError, match="rounds 2 and 3: must be one round"):
            Neighbours(relation).check(first, Replacement(3, (0.0, 1.0)))
        with pytest.raises(ValueError, match="must both be replacements"):
            Neighbours(relation).check(first, [[0.0, 1.0]])
    Neighbours(NeighbouringRelation.REPLACE_ROUND).check(first, moved)
    with pytest.raises(ValueError, match=r"contexts None and .*: must be equal \(replace_reward\)"):
        Neighbours(NeighbouringRelation.REPLACE_REWARD).check(first, moved)
    with pytest.raises(ValueError, match="no neighbours under replace_record"):
        Neighbours(NeighbouringRelation.REPLACE_RECORD).check(first, second)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Neighbours(NeighbouringRelation.ANY_PAIR, low=1.0, high=1.0), r"low = 1.0, high = 1.0: must be finite, low < high"),
        (lambda: Neighbours(NeighbouringRelation.ANY_PAIR, high=math.inf), r"high = inf: must be finite"),
        (lambda: Neighbours(NeighbouringRelation.ANY_PAIR, lengths=(0, 3)), r"lengths = \(0, 3\): must be \(shortest, longest\)"),
        (lambda: Neighbours(NeighbouringRelation.ANY_PAIR, norm=3), r"norm = 3: must be 1 or 2"),
        (lambda: Neighbours(NeighbouringRelation.ANY_PAIR, sensitivity=-1.0), r"sensitivity = -1.0: must be > 0 and finite"),
        (lambda: Neighbours(NeighbouringRelation.ANY_PAIR, group=0), r"group = 0: must be an integer >= 1"),
        (lambda: mechanism(View.CENTRAL, horizon=0), r"horizon = 0: must be an integer >= 1"),
        (lambda: mechanism(View.JOINT, differing=6), r"differing = 6: must be >= 0 and < 6"),
        (
            lambda: mechanism(View.JOINT).release(np.zeros((5, 2)), 1, np.random.default_rng(0)),
            r"table of shape \(5, 2\): must be \(6, 2\)",
        ),
        (
            lambda: mechanism(View.JOINT).release(np.zeros((6, 3)), 1, np.random.default_rng(0)),
            r"table of shape \(6, 3\): must be \(6, 2\)",
        ),
        (
            lambda: mechanism(View.LOCAL).release(Replacement(1, (0.0, 0.0)), 1, np.random.default_rng(0)),
            r"replaced round = 1: must be 3 \(the round that differs\)",
        ),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def mechanism(view: View, *, differing: int = 3, horizon: int = 6, batch: int = 1, environment=None) -> PolicyMechanism:
    """A pipeline with something in every place."""
    shuffler = UniformShuffler(batch) if view is View.SHUFFLED else NoShuffling(batch)
    parts = (LocalLaplace(1.0), Huber(0.2), shuffler)
    pipeline = Pipeline(TreeUCB(1.0), environment or Bernoulli((0.4, 0.6)), *parts)
    return PolicyMechanism(pipeline, PureDP(1.0, NeighbouringRelation.REPLACE_REWARD, view), differing, horizon)


VIEWED = {
    View.LOCAL: (Wire.ARMS, Wire.REPORT),
    View.SHUFFLED: (Wire.BATCH,),
    View.CENTRAL: (Wire.ARMS,),
    View.JOINT: (Wire.ARMS,),
    View.WHITE_BOX: (Wire.STATISTIC,),
}


@pytest.mark.parametrize("view", View)
@given(seed=SEEDS, runs=st.integers(1, 4), horizon=st.integers(1, 12), batch=st.integers(1, 5), adaptive=st.booleans(), data=st.data())
def test_a_view_is_its_wires(view, seed, runs, horizon, batch, adaptive, data):
    """Would catch a view that shows another wire, keeps the differing round's own arm, or forgets a column; and another noise."""
    differing = data.draw(st.integers(0, horizon - 1))
    environment = Rotting((0.9, 0.8), 0.05) if adaptive else Bernoulli((0.4, 0.6))
    subject = mechanism(view, differing=differing, horizon=horizon, batch=batch, environment=environment)
    table = np.random.default_rng(seed + 1).random((horizon, 2))
    neighbour = Replacement(differing, (0.25, 0.75)) if adaptive else table.tolist()
    release = subject.release(neighbour, runs, np.random.default_rng(seed))

    pipeline = subject.pipeline.with_environment(environment, neighbour) if adaptive else subject.pipeline.with_environment(Table(table))
    key = key_from(np.random.default_rng(seed))
    run = play_many(pipeline, horizon=horizon, key=key, runs=runs, record=VIEWED[view])
    wires = [run.wire(wire).reshape(runs, horizon, -1).astype(float) for wire in VIEWED[view]]
    everything = np.concatenate(wires, axis=2) if view is View.LOCAL else wires[0]
    rounds = {View.LOCAL: [differing], View.JOINT: [round for round in range(horizon) if round != differing]}.get(view, range(horizon))
    expected = everything[:, list(rounds)].reshape(runs, -1)
    widths = {View.LOCAL: 2, View.SHUFFLED: 2 * horizon, View.CENTRAL: horizon, View.JOINT: horizon - 1, View.WHITE_BOX: 2 * horizon}
    assert release.shape == (runs, widths[view])
    assert np.array_equal(release, expected, equal_nan=True)


@given(seed=SEEDS, table=st.integers(0, 99))
def test_on_a_table_nothing_but_noise_is_random(seed, table):
    """Would catch rewards drawn anew where the data fix them: every policy would look private."""
    rewards = np.random.default_rng(table).random((20, 2))
    subject = PolicyMechanism(Pipeline(UCB1(), Bernoulli((0.5, 0.5))), PureDP(1.0, NeighbouringRelation.REPLACE_REWARD), 0, 20)
    release = subject.release(rewards, 5, np.random.default_rng(seed))
    assert np.all(release == release[0])


@given(seed=SEEDS, differing=st.integers(0, 19), environment=st.sampled_from([Bernoulli((0.4, 0.6)), Rotting((0.9, 0.8), 0.05)]))
def test_adaptive_neighbours_agree_before_their_round(seed, differing, environment):
    """Would catch a neighbour that differs in the past, or noise drawn in another order: with equal noise the arms agree so far."""
    subject = mechanism(View.CENTRAL, differing=differing, horizon=20, environment=environment)
    pair = (Replacement(differing, (0.0, 0.0)), Replacement(differing, (1.0, 1.0)))
    subject.neighbours().check(*pair)
    first, second = (subject.release(each, 3, np.random.default_rng(seed)) for each in pair)
    assert np.array_equal(first[:, : differing + 1], second[:, : differing + 1])


def test_without_noise_one_reward_shows():
    """Would catch a replacement that never reaches the policy: UCB1 must distinguish these neighbours with certainty."""
    subject = PolicyMechanism(Pipeline(UCB1(), Bernoulli((0.0, 0.0))), PureDP(1.0, NeighbouringRelation.REPLACE_REWARD), 0, 10)
    first, second = (subject.release(Replacement(0, (reward, reward)), 50, np.random.default_rng(1)) for reward in (0.0, 1.0))
    assert not (first == second).all(axis=1).any()
