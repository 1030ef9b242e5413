"""Several messages per user, corruption that sees a whole batch, and policies that compute at batch ends in plain NumPy."""

import itertools
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof import randomness
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.strong import StrongAdversary
from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.playing.together import play_together
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats, Ints, Kernels, NoCorruption, NoRandomiser, NoShuffling, Pipeline, Replacement, Run, Table, Wire
from banditproof.kernels import RANDOMISE, compiled, plain
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import key_of, uniform
from banditproof.simulation import interact, play, play_many, stream

SEEDS = st.integers(0, 2**32)


def _send_bits(setup, key, round, message, report):
    messages = report.shape[0]
    for place in range(messages):
        bit = 1.0 if message[0] > (place + 0.5) / messages else 0.0
        flipped = uniform(key, randomness.CLIENT, round * messages + place) < setup[0]
        report[place, 0], report[place, 1] = 1.0 - bit if flipped else bit, place


send_bits = compiled(_send_bits, RANDOMISE)


@dataclass(frozen=True)
class UnaryBits:
    """A number in [0, 1] as `bits` messages (bit, label): in unary, each bit flipped with probability `flip`. The bits' mean is the number,
    up to 1 / (2 bits), where nothing is flipped."""

    bits: int
    flip: float
    kernel: object = field(default=send_bits, init=False, repr=False)

    def guarantee(self):
        return PureDP(self.bits * np.log(1.0 / self.flip - 1.0), NeighbouringRelation.ANY_PAIR, View.LOCAL)

    def messages(self, width):
        return self.bits, 2

    def setup(self):
        return np.array([self.flip])


class Sums(NamedTuple):
    messages: Ints
    sums: Floats


def _start(state, key):
    state.messages[:] = 0
    state.sums[:] = 0.0


def _choose(state, key, round, contexts):
    arms = state.messages.shape[0]
    for arm in range(arms):
        if state.messages[arm] == 0:
            return round % arms
    best = round % arms
    for arm in range(arms):
        if state.sums[arm] / state.messages[arm] > state.sums[best] / state.messages[best]:
            best = arm
    return best


def _report(state, round, arm, contexts, reward, message):
    message[0] = reward


def _learn(state, key, round, arms, batch, statistic):
    for position in range(arms.shape[0]):
        state.messages[arms[position]] += 1
        state.sums[arms[position]] += batch[position, 0]
    for arm in range(state.sums.shape[0]):
        statistic[arm] = state.sums[arm]


start, choose, report, learn = compiled(_start), compiled(_choose), compiled(_report), compiled(_learn)


def _run(state, plan):
    interact(start, choose, report, learn, state, plan)


def bits_with_labels(raw, messages, width):
    return width == 2


@dataclass(frozen=True)
class Greedy:
    """The arm with the largest mean bit; it releases the sums of the bits (K,)."""

    theorems: tuple[str, ...] = ()
    kernels: Kernels = field(default=Kernels(start, choose, report, learn, compiled(_run), accepts=bits_with_labels), init=False)

    def guarantee(self):
        return None

    def state(self, arms, width, horizon):
        return Sums(np.zeros(arms, dtype=np.int64), np.zeros(arms))

    def message_width(self, width):
        return 1

    def statistic_width(self, arms, width):
        return arms


class Halving(NamedTuple):
    """The arms (K, d), the active ones (K,) and how many, with the batch's first round and length (3,), Gram matrix and moments."""

    arms: Floats
    active: Ints
    numbers: Ints
    gram: Floats
    moments: Floats


def _begin(state, key):
    state.active[:] = 0
    state.numbers[:] = 0
    state.arms[:] = 0.0
    state.gram[:] = 0.0
    state.moments[:] = 0.0


def _in_turn(state, key, round, contexts):
    return state.active[(round - state.numbers[1]) % state.numbers[0]]


def _wait(state, key, round, arms, batch, statistic):
    statistic[:] = 0.0


begin, in_turn, wait = compiled(_begin), compiled(_in_turn), compiled(_wait)


def _run_halving(state, plan):
    interact(begin, in_turn, report, wait, state, plan)


run_halving = compiled(_run_halving)


def estimate_and_halve(state, key, round, contexts, arms, batch, statistic):
    """Least squares over all that was received; the better half of the active arms stays, for a batch of twice the length."""
    if round < 0:
        state.arms[:] = contexts
        state.active[:] = np.arange(len(contexts))
        state.gram[:] = np.eye(contexts.shape[1])
        state.numbers[:] = len(contexts), 0, 3
        return 3
    features = state.arms[arms]
    state.gram[:] += features.T @ features
    state.moments[:] += features.T @ batch[:, 0]
    statistic[:] = np.linalg.solve(state.gram, state.moments)
    active = state.active[: state.numbers[0]]
    kept = np.sort(active[np.argsort(-(state.arms[active] @ statistic), kind="stable")][: -(-len(active) // 2)])
    state.active[: len(kept)] = kept
    state.numbers[:] = len(kept), round + 1, 2 * state.numbers[2]
    return int(state.numbers[2])


@dataclass(frozen=True)
class LeastSquares:
    """Batches of 3, 6, 12, ... rounds over arms that are halved; it releases the estimate (d,)."""

    at_batch_end: object = estimate_and_halve

    @property
    def theorems(self):
        return ()

    @property
    def kernels(self):
        return Kernels(begin, in_turn, report, wait, run_halving, self.at_batch_end, lambda raw, messages, width: width <= 2)

    def guarantee(self):
        return None

    def state(self, arms, width, horizon):
        integers = np.zeros(arms, dtype=np.int64), np.zeros(3, dtype=np.int64)
        return Halving(np.zeros((arms, width)), *integers, np.zeros((width, width)), np.zeros(width))

    def message_width(self, width):
        return 1

    def statistic_width(self, arms, width):
        return width


def linear(rng: np.random.Generator, horizon: int) -> Table:
    """Five fixed arms in the plane, with rewards about their linear means."""
    arms = rng.normal(size=(5, 2))
    means = np.tile(0.5 + 0.2 * arms @ rng.normal(size=2), (horizon, 1))
    return Table(means + 0.3 * rng.normal(size=means.shape), means, np.tile(arms, (horizon, 1, 1)))


def simulated(pipeline: Pipeline, horizon: int, key: np.ndarray, fraction: float, value: float):
    """The run of LeastSquares on a table, written down from its description: arms (T,), received reports, estimate after each batch."""
    table, words = pipeline.environment, np.array([*key, 0], dtype=np.uint64)
    vectors, active, length, played, rows, targets = table.contexts[0], [0, 1, 2, 3, 4], 3, [], [], []
    everything, estimates = [], {}
    while len(played) < horizon:
        opened, reports = len(played), []
        for place in range(min(length, horizon - opened)):
            arm = active[place % len(active)]
            message = np.array([table.rewards[opened + place, arm]])
            sent = np.zeros(pipeline.randomiser.messages(1))
            plain(pipeline.randomiser.kernel)(pipeline.randomiser.setup(), words, opened + place, message, sent)
            played.append(arm)
            reports.append(sent)
        largest = sorted(range(len(reports)), key=lambda user: (-reports[user][0, 0], user))
        for user in largest[: int(fraction * len(reports) + 1e-9)]:
            reports[user][:] = value
        everything += reports
        rows += [vectors[arm] for arm, sent in zip(played[opened:], reports, strict=True) for _ in sent]
        targets += [number[0] for sent in reports for number in sent]
        ridge = np.vstack([np.array(rows), np.eye(2)]), np.concatenate([targets, [0.0, 0.0]])
        estimate = estimates[len(played) - 1] = np.linalg.lstsq(*ridge, rcond=None)[0]
        best = sorted(active, key=lambda arm: -float(vectors[arm] @ estimate))
        active, length = sorted(best[: (len(active) + 1) // 2]), 2 * length
    return played, np.array(everything).reshape(horizon, -1), estimates


def same(first: Run, second: Run) -> bool:
    wires = all(np.array_equal(first.wire(wire), second.wire(wire), equal_nan=wire is Wire.STATISTIC) for wire in Wire)
    return wires and np.array_equal(first.regret, second.regret)


BITS = st.builds(UnaryBits, st.integers(1, 5), st.sampled_from([0.0, 0.2]))
ADVERSARIES = st.builds(StrongAdversary, st.floats(0.0, 0.5), st.floats(-2.0, 2.0))


@given(
    bits=BITS, corruption=st.one_of(st.just(NoCorruption()), ADVERSARIES), batch=st.integers(1, 7), horizon=st.integers(1, 60), seed=SEEDS
)
def test_each_message_travels_alone_and_none_is_lost(bits, corruption, batch, horizon, seed):
    """Would catch a message with another user's arm, one lost or doubled, reports moved as a whole, and a batch cut by a block."""
    pipeline, key = Pipeline(Greedy(), Bernoulli((0.3, 0.5, 0.7)), bits, corruption, UniformShuffler(batch)), key_of(seed)
    run = play(pipeline, horizon=horizon, key=key, record=tuple(Wire))
    assert run.wire(Wire.REPORT).shape == run.wire(Wire.RECEIVED).shape == (horizon, 2 * bits.bits)
    assert run.wire(Wire.BATCH).shape == (horizon * bits.bits, 3)
    sent = run.wire(Wire.REPORT).reshape(horizon, bits.bits, 2)
    assert np.array_equal(sent[:, :, 1], np.tile(np.arange(bits.bits), (horizon, 1)))
    assert set(sent[:, :, 0].ravel()) <= {0.0, 1.0}
    if bits.flip == 0.0:
        assert np.array_equal(sent[:, :, 0], np.tile(run.wire(Wire.REWARDS)[:, None], (1, bits.bits)))
    received = run.wire(Wire.RECEIVED).reshape(horizon, bits.bits, 2)
    for opened in range(0, horizon, batch):
        users = range(opened, min(opened + batch, horizon))
        expected = Counter((run.wire(Wire.ARMS)[user], *message) for user in users for message in received[user].tolist())
        assert Counter(map(tuple, run.wire(Wire.BATCH)[opened * bits.bits : users.stop * bits.bits].tolist())) == expected
    last = np.bincount(run.wire(Wire.BATCH)[:, 0].astype(int), run.wire(Wire.BATCH)[:, 1], minlength=3)
    assert run.wire(Wire.STATISTIC)[-1] == pytest.approx(last)
    assert same(run, play(pipeline, horizon=horizon, key=key, record=tuple(Wire), stepwise=True))
    assert same(run, play(pipeline, horizon=horizon, key=key, record=tuple(Wire), block=5))
    many = play_many(pipeline, horizon=horizon, key=key, runs=2, record=tuple(Wire))
    assert same(run, Run(horizon, many.checkpoints, many.regret[0], {wire: many.wire(wire)[0] for wire in Wire}))


def test_every_order_of_single_messages_is_equally_likely(room, seed):
    """Would catch a shuffler that keeps a user's messages together, and batches that share uniforms.

    Two users with two messages each: 24 orders. The exact intervals fail a uniform shuffler with probability at most 25e-6 in all, and miss
    a rate that is off by 0.0085 with probability at most 1e-6.
    """
    batches = 60_000
    pipeline = Pipeline(Greedy(), Table(np.zeros((2 * batches, 2))), UnaryBits(2, 0.0), shuffler=UniformShuffler(2))
    run = play(pipeline, horizon=2 * batches, key=key_of(seed), record=(Wire.ARMS, Wire.BATCH))
    assert np.array_equal(run.wire(Wire.ARMS), np.tile([0, 1], batches))  # so arm and label say which message it is
    arms, _, labels = run.wire(Wire.BATCH).astype(int).T
    orders = [tuple(each) for each in (2 * arms + labels).reshape(batches, 4).tolist()]
    seen = Counter(orders)
    for each in itertools.permutations(range(4)):
        room.assert_rate(seen[each], batches, 1 / 24, detects=0.0085)
    repeated = sum(first == second for first, second in itertools.pairwise(orders))
    room.assert_rate(repeated, batches - 1, 1 / 24, detects=0.0085)


@pytest.mark.parametrize("bits", [1, 3])
def test_views_hold_the_whole_report_and_every_message(bits):
    """Would catch a local view of one message of several, and a shuffled view that forgets some."""
    pipeline = Pipeline(Greedy(), Bernoulli((0.4, 0.6)), UnaryBits(bits, 0.1), shuffler=UniformShuffler(2))
    table, widths = np.random.default_rng(5).random((6, 2)), {View.LOCAL: 1 + 2 * bits, View.SHUFFLED: 6 * bits * 3}
    for view, width in widths.items():
        subject = PolicyMechanism(pipeline, PureDP(1.0, NeighbouringRelation.REPLACE_REWARD, view), differing=3, horizon=6)
        release = subject.release(table, 4, np.random.default_rng(6))
        assert release.shape == (4, width)
        assert np.isin(release[:, 1], (0.0, 1.0)).all()


@given(
    users=st.integers(1, 30), messages=st.integers(1, 3), width=st.integers(1, 3), fraction=st.floats(0.0, 1.0), value=st.floats(-3, 3),
    seed=SEEDS,
)  # fmt: skip
def test_the_strong_adversary_replaces_the_largest(users, messages, width, fraction, value, seed):
    """Would catch one report too many, part of a report, a smaller one in place of a larger, and the later of two equal ones."""
    reports = np.random.default_rng(seed).integers(0, 4, (users, messages, width)).astype(float)
    arms, key, adversary, before = np.arange(users), np.zeros(3, dtype=np.uint64), StrongAdversary(fraction, value), reports.copy()
    plain(adversary.kernel)(adversary.setup(), adversary.memory(), 0, key, arms, np.zeros((users, 0)), reports)
    largest = sorted(range(users), key=lambda user: (-before[user, 0, 0], user))[: int(fraction * users + 1e-9)]
    before[largest] = value
    assert np.array_equal(reports, before)
    assert np.array_equal(arms, np.arange(users))


@given(
    randomiser=st.one_of(st.just(NoRandomiser()), BITS, st.just(LocalLaplace(1.0))),
    adversary=st.one_of(st.none(), ADVERSARIES),
    shuffler=st.sampled_from([NoShuffling(), UniformShuffler(1)]),
    horizon=st.integers(1, 100),
    block=st.integers(1, 40),
    seed=SEEDS,
)
def test_a_policy_in_numpy_plays_as_a_simulation_does(randomiser, adversary, shuffler, horizon, block, seed):
    """Would catch a batch of another length, messages of another batch, a corruption after the policy, and an estimate recorded late."""
    table, key = linear(np.random.default_rng(seed), horizon), key_of(seed)
    pipeline = Pipeline(LeastSquares(), table, randomiser, adversary or NoCorruption(), shuffler)
    fraction, value = (adversary.contamination, adversary.value) if adversary else (0.0, 0.0)
    arms, received, estimates = simulated(pipeline, horizon, key, fraction, value)
    options = {"horizon": horizon, "key": key, "record": tuple(Wire)}
    run = play(pipeline, **options)
    assert run.wire(Wire.ARMS).tolist() == arms
    assert np.array_equal(run.wire(Wire.RECEIVED), received)
    released = ~np.isnan(run.wire(Wire.STATISTIC)).all(axis=1)
    assert np.flatnonzero(released).tolist() == list(estimates)
    for round, estimate in estimates.items():
        assert run.wire(Wire.STATISTIC)[round] == pytest.approx(estimate, rel=1e-6, abs=1e-9)
    assert run.regret[0] == np.cumsum(table.means.max(axis=1) - table.means[np.arange(horizon), arms])[-1]

    assert same(run, play(pipeline, stepwise=True, **options))
    assert same(run, play(pipeline, block=block, **options))
    many = play_many(pipeline, first_run=0, runs=2, **options)
    for place in range(2):
        alone = play(pipeline, run=place, **options)
        assert same(alone, Run(horizon, many.checkpoints, many.regret[place], {wire: many.wire(wire)[place] for wire in Wire}))
    ends = np.cumsum([part.wire(Wire.ARMS).size for part in stream(pipeline, block=block, **options)])
    assert set(ends - 1) <= set(estimates)
    assert all(size >= block for size in np.diff(ends, prepend=0)[:-1])


@given(corruption=st.sampled_from([Huber(0.3, high=5.0), Huber(0.3, high=5.0, wire=Wire.REPORT)]), horizon=st.integers(1, 60), seed=SEEDS)
def test_a_corruption_of_single_rounds_reaches_chosen_batches(corruption, horizon, seed):
    """Would catch a corruption whose rounds are counted from the start of a stretch."""
    table, key = linear(np.random.default_rng(seed), horizon), np.array([*key_of(seed), 0], dtype=np.uint64)
    pipeline = Pipeline(LeastSquares(), table, corruption=corruption)
    run = play(pipeline, horizon=horizon, key=key[:2], record=tuple(Wire))
    for round, arm in enumerate(run.wire(Wire.ARMS)):
        values = np.array([table.rewards[round, arm]])
        plain(corruption.kernel)(corruption.setup(), corruption.memory(), round, key, arm, values)
        assert run.wire(Wire.RECEIVED)[round, 0] == values[0]
    assert same(run, play(pipeline, horizon=horizon, key=key[:2], record=tuple(Wire), stepwise=True))


@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=20), bits=st.integers(1, 3), changed=st.booleans(), seed=SEEDS)
def test_the_policy_is_asked_once_before_the_first_round_and_at_each_end(lengths, bits, changed, seed):
    """Would catch a call left out, a last batch that is not cut by the horizon, another round, and contexts of another round."""
    horizon, calls = max(1, sum(lengths) - 1), []

    def ask(state, key, round, contexts, arms, batch, statistic):
        assert statistic.shape == (2,)
        assert key[2] == 4
        if round < 0:
            estimate_and_halve(state, key, round, contexts, arms, batch, statistic)
        calls.append((round, arms.shape, batch.shape, contexts.copy()))
        return np.int64([*lengths, 7][min(len(calls) - 1, len(lengths))])

    rng = np.random.default_rng(seed)
    table = Table(rng.random((horizon, 5)), contexts=rng.random((horizon, 5, 2)))
    other = Replacement(0, (0.5,) * 5, ((2.0, 3.0),) * 5) if changed else None
    pipeline = Pipeline(LeastSquares(ask), table, UnaryBits(bits, 0.2), replacement=other)
    run = play(pipeline, horizon=horizon, key=key_of(seed), run=4, record=tuple(Wire))
    ends = [end for end in np.cumsum(lengths) if end < horizon] + [horizon]
    sizes = [bits * size for size in np.diff(ends, prepend=0)]
    expected = [(end - 1, (size,), (size, 2)) for end, size in zip(ends, sizes, strict=True)]
    assert [(round, *shapes) for round, *shapes, _ in calls] == [(-1, (0,), (0, 2)), *expected]
    seen = run.wire(Wire.CONTEXTS)
    assert np.array_equal(seen[0], np.full((5, 2), (2.0, 3.0)) if changed else table.contexts[0])
    assert all(np.array_equal(contexts, seen[max(round, 0)]) for round, _, _, contexts in calls)


def test_many_batches_of_one_round_stream_in_blocks():
    """Would catch a block for each batch, and blocks that grow with the run."""
    pipeline = Pipeline(LeastSquares(lambda state, key, round, *_: state.numbers.__setitem__(0, 1) or 1), Table(np.zeros((500, 2))))
    parts = list(stream(pipeline, horizon=500, key=key_of(1), record=(Wire.ARMS,), checkpoints=[100, 500], block=64))
    assert [part.horizon for part in parts] == [*range(64, 449, 64), 500]
    assert [part.checkpoints.tolist() for part in parts] == [[]] + [[100]] * 6 + [[100, 500]]


BATCHES = Pipeline(LeastSquares(), linear(np.random.default_rng(1), 50))


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (
            lambda: play(Pipeline(UCB1(), Bernoulli((0.5, 0.5)), UnaryBits(3, 0.1)), horizon=5, key=key_of(1)),
            r"reports of 3 messages of width 2: must be what the policy accepts, by default one of width 1",
        ),
        (
            lambda: play(Pipeline(UCB1(), Bernoulli((0.5, 0.5)), UnaryBits(1, 0.1)), horizon=5, key=key_of(1)),
            r"reports of 1 messages of width 2: must be what",
        ),
        (lambda: play(Pipeline(Greedy(), Bernoulli((0.5, 0.5))), horizon=5, key=key_of(1)), r"reports of 1 messages of width 1: must be"),
        (
            lambda: play(Pipeline(LeastSquares(), BATCHES.environment, shuffler=UniformShuffler(4)), horizon=5, key=key_of(1)),
            r"batch = 4: must be 1, since the policy chooses its batches",
        ),
        (
            lambda: play(Pipeline(LeastSquares(lambda *_: 0), BATCHES.environment), horizon=5, key=key_of(1)),
            r"round 0: the policy chose a batch of 0 rounds, which must be >= 1",
        ),
        (lambda: play_together([BATCHES, BATCHES], horizon=5, key=key_of(1)), r"a policy chooses its batches: must have batches of one"),
        (lambda: StrongAdversary(1.5), r"contamination = 1.5: must be >= 0 and <= 1"),
        (lambda: StrongAdversary(0.5, np.inf), r"value = inf: must be finite"),
    ],
)
def test_bad_input_names_value_and_rule(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_one_learner_alone_may_choose_its_batches():
    [run] = play_together([BATCHES], horizon=50, key=key_of(1))
    assert run.regret.tolist() == play(BATCHES, horizon=50, key=key_of(1)).regret.tolist()
