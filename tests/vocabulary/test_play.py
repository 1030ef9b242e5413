"""Playing: shapes, blocks, memory, neighbours, and input that cannot be played."""

import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.interaction import Floats, NoCorruption, NoShuffling, Pipeline, Replacement, Table, Wire
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many, stream

KEY = key_of(1)
ARMS = Bernoulli((0.3, 0.7))
PLAIN = Pipeline(UCB1(), ARMS)
TABLE = Table(np.zeros((4, 2)))
SEEDS = st.integers(0, 2**32)


def peak_of(rounds: int) -> int:
    """The most memory, in bytes, that is held at once while a run streams by with four wires recorded."""
    pipeline, record = Pipeline(TreeUCB(1.0), ARMS), (Wire.ARMS, Wire.REWARDS, Wire.BATCH, Wire.STATISTIC)
    tracemalloc.start()
    try:
        total = sum(int(part.wire(Wire.ARMS).size) for part in stream(pipeline, horizon=rounds, key=KEY, record=record, block=10_000))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        assert total == rounds


def test_a_million_rounds_stream_at_constant_memory():
    """Would catch a block that is kept: a million rounds of these wires take 48 MB, one block 0.5."""
    peak_of(10_000)  # what is loaded once
    short, long = peak_of(50_000), peak_of(1_000_000)
    assert long < 2_000_000
    assert long < 1.1 * short + 50_000


@given(horizon=st.integers(1, 200), block=st.integers(1, 80), batch=st.integers(1, 9), seed=SEEDS)
def test_blocks_cut_a_run_into_pieces(horizon, block, batch, seed):
    """Would catch a round lost or played twice between blocks, a block that ends within a batch, and checkpoints reported early."""
    pipeline, marks = Pipeline(UCB1(), ARMS, shuffler=NoShuffling(batch)), sorted({1, horizon})
    options = {"horizon": horizon, "key": key_of(seed), "record": (Wire.ARMS,), "checkpoints": marks}
    parts, whole = list(stream(pipeline, block=block, **options)), play(pipeline, **options)
    assert np.array_equal(np.concatenate([part.wire(Wire.ARMS) for part in parts]), whole.wire(Wire.ARMS))
    ends = np.cumsum([part.wire(Wire.ARMS).size for part in parts])
    assert all(end % batch == 0 for end in ends[:-1])
    assert [part.horizon for part in parts] == list(ends)
    for part in parts:
        assert list(part.checkpoints) == [mark for mark in marks if mark <= part.horizon]
        assert np.array_equal(part.regret, whole.regret[: part.regret.size])


@given(runs=st.integers(1, 6), cut=st.integers(0, 5), first=st.integers(0, 2**31), seed=SEEDS)
def test_runs_can_be_cut_among_workers(runs, cut, first, seed):
    """Would catch a run whose stream depends on its place in the call."""
    pipeline, options = Pipeline(TreeUCB(0.5), ARMS), {"horizon": 30, "key": key_of(seed), "record": (Wire.STATISTIC,)}
    whole, cut = play_many(pipeline, runs=runs, first_run=first, **options), min(cut, runs)
    pieces = [
        play_many(pipeline, runs=size, first_run=start, **options) for start, size in ((first, cut), (first + cut, runs - cut)) if size
    ]
    for name in ("regret", "statistic"):
        values = [run.regret if name == "regret" else run.wire(Wire.STATISTIC) for run in [whole, *pieces]]
        assert np.array_equal(values[0], np.concatenate(values[1:]))


@given(
    round=st.integers(0, 29),
    rewards=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    environment=st.sampled_from([ARMS, Rotting((0.9, 0.8), 0.05)]),
    policy=st.sampled_from([UCB1(), TreeUCB(1.0)]),
    seed=SEEDS,
)
def test_a_replacement_changes_one_round_of_any_environment(round, rewards, environment, policy, seed):
    """Would catch an adaptive neighbour that answers other pulls differently, or a means row that moves with the replacement."""
    pipelines = [Pipeline(policy, environment), Pipeline(policy, environment).with_environment(environment, Replacement(round, rewards))]
    record = (Wire.ARMS, Wire.REWARDS)
    first, second = (play(pipeline, horizon=30, key=key_of(seed), record=record) for pipeline in pipelines)
    stepwise = play(pipelines[1], horizon=30, key=key_of(seed), record=record, stepwise=True)
    assert np.array_equal(first.wire(Wire.ARMS)[: round + 1], second.wire(Wire.ARMS)[: round + 1])
    assert np.array_equal(first.wire(Wire.REWARDS)[:round], second.wire(Wire.REWARDS)[:round])
    assert second.wire(Wire.REWARDS)[round] == rewards[second.wire(Wire.ARMS)[round]]
    assert np.array_equal(stepwise.wire(Wire.ARMS), second.wire(Wire.ARMS))
    # After it each neighbour answers as the environment does, to its own pulls.
    same = first.wire(Wire.ARMS) == second.wire(Wire.ARMS)
    if isinstance(environment, Bernoulli):
        same[round] = False
        assert np.array_equal(first.wire(Wire.REWARDS)[same], second.wire(Wire.REWARDS)[same])
    elif same.all():
        assert np.array_equal(np.delete(first.wire(Wire.REWARDS), round), np.delete(second.wire(Wire.REWARDS), round))


@given(data=st.data(), horizon=st.integers(1, 20), width=st.integers(1, 3))
def test_contexts_reach_the_record_and_can_be_replaced(data, horizon, width):
    """Would catch contexts of the wrong round or arm, and a replacement that outlives its round."""
    rng = np.random.default_rng(data.draw(SEEDS))
    table = Table(rng.random((horizon, 2)), rng.random((horizon, 2)), rng.random((horizon, 2, width)))
    run = play(Pipeline(UCB1(), table), horizon=horizon, key=KEY, record=(Wire.CONTEXTS, Wire.ARMS))
    assert np.array_equal(run.wire(Wire.CONTEXTS), table.contexts)
    best = table.means.max(axis=1) - table.means[np.arange(horizon), run.wire(Wire.ARMS)]
    assert run.regret[0] == np.cumsum(best)[-1]
    round, contexts = data.draw(st.integers(0, horizon - 1)), rng.random((2, width))
    changed = Pipeline(UCB1(), table).with_environment(table, Replacement(round, (0.5, 0.5), tuple(map(tuple, contexts))))
    expected = table.contexts.copy()
    expected[round] = contexts
    for stepwise in (False, True):
        seen = play(changed, horizon=horizon, key=KEY, record=(Wire.CONTEXTS,), stepwise=stepwise).wire(Wire.CONTEXTS)
        assert np.array_equal(seen, expected)
    neighbour = table.replace_round(round, np.array([0.5, 0.5]), contexts)
    assert np.array_equal(neighbour.contexts, expected)
    assert np.array_equal(neighbour.means, table.means)
    assert np.flatnonzero((neighbour.rewards != table.rewards).any(axis=1)).tolist() in ([round], [])


def test_a_wire_that_was_not_recorded_says_so():
    with pytest.raises(KeyError, match=r"wire statistic: was not recorded; pass record=\(Wire.STATISTIC,\)"):
        play(PLAIN, horizon=3, key=KEY).wire(Wire.STATISTIC)


def test_wires_may_be_given_by_their_names():
    """Would catch a name that is ignored, so that nothing is recorded and nobody says so, and names that only `play` reads."""
    names = ("arms", "rewards", Wire.STATISTIC)
    by_name, by_wire = play(PLAIN, horizon=9, key=KEY, record=names), play(PLAIN, horizon=9, key=KEY, record=tuple(map(Wire, names)))
    many = play_many(PLAIN, horizon=9, key=KEY, runs=2, record=list(names))
    parts = list(stream(PLAIN, horizon=9, key=KEY, record=iter(names), block=4))
    assert set(by_name.wires) == set(many.wires) == set(parts[0].wires) == {Wire.ARMS, Wire.REWARDS, Wire.STATISTIC}
    for name in ("arms", "rewards"):
        assert np.array_equal(by_name.wire(name), by_wire.wire(Wire(name)))
        assert np.array_equal(many.wire(name)[0], by_wire.wire(Wire(name)))
        assert np.array_equal(np.concatenate([part.wire(name) for part in parts]), by_wire.wire(Wire(name)))


class Plainly:
    """A policy in plain Python, which nothing plays."""

    def choose(self) -> int:
        return 0

    def update(self, arm: int, reward: float) -> None:
        pass


WHOLE = (1.5, 10.0, True, "10", None, np.float64(3.0))  # no whole numbers


@pytest.mark.parametrize("value", WHOLE, ids=repr)
@pytest.mark.parametrize(("name", "least"), [("horizon", 1), ("run", 0), ("block", 1), ("runs", 1), ("first_run", 0)])
def test_numbers_that_are_not_whole_are_refused(name, least, value):
    """Would catch a horizon of 1.5 that is cut, True that is 1, and text that raises Python's own error."""
    player = play_many if name in ("runs", "first_run") else play
    options = {"horizon": 4, "key": KEY, **({"runs": 1} if player is play_many else {}), name: value}
    with pytest.raises(ValueError, match=rf"^{name} = {re.escape(repr(value))}: must be an integer >= {least}") as caught:
        player(PLAIN, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("player", [play, play_many])
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"record": ["foo"]}, r"record = 'foo': must be one of contexts, rewards, .*, arms"),
        ({"record": "arms"}, r"record = 'arms': must be a list of wires or of their names"),
        ({"record": Wire.ARMS}, r"record = <Wire.ARMS: 'arms'>: must be a list of wires"),
        ({"record": [None]}, r"record = None: must be a list of wires"),
        ({"key": 1}, r"key = 1: must be two whole numbers, as key_of\(seed\) gives"),
        ({"key": "ab"}, r"key = 'ab': must be two whole numbers"),
        ({"key": [1, -2]}, r"key = -2: must be an integer >= 0"),
        ({"key": [1, 2**64]}, r"key = 18446744073709551616: must be <= 18446744073709551615"),
        ({"key": np.zeros((2, 2))}, r"key = \[0.0, 0.0\]: must be an integer >= 0"),
        ({"checkpoints": [1.5]}, r"checkpoints = \[1.5\]: must be a list of whole numbers"),
        ({"checkpoints": 3}, r"checkpoints = 3: must be a list of whole numbers"),
        ({"pipeline": UCB1()}, r"pipeline = UCB1\(\): must be a Pipeline"),
        ({"pipeline": Pipeline(UCB1, ARMS)}, r"policy = UCB1: must be an object, as UCB1\(\.\.\.\), not its class"),
        ({"pipeline": Pipeline(UCB1(), Bernoulli)}, r"environment = Bernoulli: must be an object"),
        ({"pipeline": Pipeline(ARMS, UCB1())}, r"policy = Bernoulli\(.*\): has no 'kernels', must have what Policy has"),
        ({"pipeline": Pipeline(UCB1(), UCB1())}, r"environment = UCB1\(\): has no 'arms', must have what Environment has"),
        ({"pipeline": Pipeline(Plainly(), ARMS)}, r"policy = <.*Plainly object>: has no 'kernels'.*`choose` and `update`.*`check_policy`"),
        ({"pipeline": Pipeline(UCB1(), ARMS, randomiser=1)}, r"randomiser = 1: has no 'kernel', must have what ClientRandomiser has"),
        ({"pipeline": Pipeline(UCB1(), ARMS, corruption=1)}, r"corruption = 1: has no 'kernel', must have what Corruption has"),
        ({"pipeline": Pipeline(UCB1(), ARMS, shuffler=1)}, r"shuffler = 1: has no 'kernel', must have what Shuffler has"),
        ({"pipeline": Pipeline(UCB1(), ARMS, replacement=1)}, r"replacement = 1: must be a Replacement or None"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(player, change, says):
    """Would catch wires that are ignored, and what Python says where a class, a plain policy or another party stands in a pipeline."""
    options = {"pipeline": PLAIN, "horizon": 4, "key": KEY, **({"runs": 1} if player is play_many else {}), **change}
    pipeline = options.pop("pipeline")
    with pytest.raises(ValueError, match=rf"^{says}") as caught:
        player(pipeline, **options)
    assert "\n" not in str(caught.value)


def test_runs_have_numbers_that_fit_a_word():
    """Would catch an OverflowError, and the run before the first."""
    for run in (-1, 2**63, 2**64):
        with pytest.raises(ValueError, match=rf"run = {run}: must be"):
            play(PLAIN, horizon=2, key=KEY, run=run)
        with pytest.raises(ValueError, match=rf"first_run = {run}: must be"):
            play_many(PLAIN, horizon=2, key=KEY, runs=1, first_run=run)


class OnArms:
    """A corruption of a wire that no corruption may touch."""

    kernel, wire = NoCorruption().kernel, Wire.ARMS

    def setup(self) -> Floats:
        return np.zeros(0)

    memory = setup


def bad(shape: tuple[int, ...]) -> Floats:
    return np.zeros(shape)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: play(PLAIN, horizon=0, key=KEY), r"horizon = 0: must be an integer >= 1"),
        (lambda: play(Pipeline(UCB1(), TABLE), horizon=5, key=KEY), r"horizon = 5: must be <= 4 \(the table's rounds\)"),
        (lambda: play(PLAIN, horizon=5, key=KEY, block=0), r"block = 0: must be an integer >= 1"),
        (lambda: play(PLAIN, horizon=5, key=KEY, checkpoints=[0, 3]), r"checkpoints \[0\]: must be >= 1 and <= 5"),
        (lambda: play(PLAIN, horizon=5, key=KEY, checkpoints=[3, 6, 9]), r"checkpoints \[6 9\]: must be >= 1 and <= 5"),
        (lambda: play_many(PLAIN, horizon=5, key=KEY, runs=0), r"runs = 0: must be an integer >= 1"),
        (lambda: play(Pipeline(UCB1(), ARMS, shuffler=NoShuffling(0)), horizon=5, key=KEY), r"batch = 0: must be an integer >= 1"),
        (
            lambda: play(Pipeline(UCB1(), ARMS, corruption=OnArms()), horizon=5, key=KEY),
            r"corruption of wire arms: must be rewards, report or batch",
        ),
        (
            lambda: play(PLAIN.with_environment(ARMS, Replacement(5, (0.0, 0.0))), horizon=5, key=KEY),
            r"replaced round = 5: must be >= 0 and < 5",
        ),
        (lambda: play(PLAIN.with_environment(ARMS, Replacement(-1, (0.0, 0.0))), horizon=5, key=KEY), r"replaced round = -1: must be >= 0"),
        (lambda: play(PLAIN.with_environment(ARMS, Replacement(1, (0.0,))), horizon=5, key=KEY), r"1 replaced rewards: must be 2"),
        (
            lambda: play(PLAIN.with_environment(ARMS, Replacement(1, (0.0, 0.0), ((1.0,), (2.0,)))), horizon=5, key=KEY),
            r"replaced contexts of shape \(2, 1\): must be \(2, 0\)",
        ),
        (lambda: Table(bad((3,))), r"rewards of shape \(3,\): must be \(T, K\) with K >= 2"),
        (lambda: Table(bad((3, 1))), r"rewards of shape \(3, 1\): must be \(T, K\) with K >= 2"),
        (lambda: Table(bad((3, 2)), bad((2, 2))), r"means of shape \(2, 2\): must be that of the rewards, \(3, 2\)"),
        (lambda: Table(bad((3, 2)), None, bad((3, 2))), r"contexts of shape \(3, 2\): must be \(T, K, d\) with \(T, K\) = \(3, 2\)"),
        (lambda: TABLE.replace_round(4, np.zeros(2)), r"round = 4: must be >= 0 and < 4"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    """Would catch input that compiled code would read out of bounds."""
    with pytest.raises(ValueError, match=says):
        call()
