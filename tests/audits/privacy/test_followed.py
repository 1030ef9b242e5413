"""Kernels that are followed: what a replay of a policy or of a user's report refutes, and what it must not accuse."""

import inspect
import math
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from banditproof import randomness
from banditproof.algorithms.draws import arrays, coins, kept_normals, words
from banditproof.algorithms.environments import gaussian, sphere, unit_features
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.environments.unit_features import UnitFeatures
from banditproof.algorithms.mechanisms import laplace, local_row, randomised_response
from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.algorithms.mechanisms.local_row import LocalRow, RowMessage
from banditproof.algorithms.mechanisms.randomised_response import LocalResponse
from banditproof.algorithms.policies import tree_ucb
from banditproof.algorithms.policies.elimination import kernels
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB
from banditproof.algorithms.policies.lin_ucb.policy import Noise as LinNoise
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.audits.common.neighbours import MessagePairs, RewardPairs, at_truncations
from banditproof.audits.front_door import audit_gray_box
from banditproof.audits.methods.draws_apart import DrawsApart
from banditproof.audits.methods.frozen_releases import FrozenRuns
from banditproof.audits.privacy.followed import Followed, Rebuilt
from banditproof.audits.privacy.frozen_pipeline import PolicyRun, Reports
from banditproof.audits.privacy.numbers import Number
from banditproof.audits.privacy.recording import Recording
from banditproof.audits.running.audit import Request
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import NoShuffling, Pipeline, Table, Wire
from banditproof.kernels import plain
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import key_of
from banditproof.simulation import play

REQUEST = Request(1e-5, 17, ("test",))


def edited(module: types.ModuleType, function: Callable[..., Any], before: str, after: str) -> Callable[..., Any]:
    """A kernel's function with another line, in the scope of its module."""
    source = inspect.getsource(plain(function))
    assert source.count(before) == 1, before
    scope = dict(vars(module))
    exec(compile(source.replace(before, after), module.__file__ or "", "exec"), scope)
    made: Callable[..., Any] = scope[plain(function).__name__]
    return made


class Other:
    """A part of a pipeline with other attributes."""

    def __init__(self, part: Any, **others: Any) -> None:
        self._part, self._others = part, others

    def __getattr__(self, name: str) -> Any:
        return self._others[name] if name in self._others else getattr(self._part, name)


def on_pairs(policy: Any, pairs: RewardPairs) -> Measurement:
    return FrozenRuns(PolicyRun(policy), pairs, policy.guarantee()).measure(REQUEST)


TREE_PAIRS = RewardPairs(12, 2, (0, 5), (0.0, 1.0, 0.3))
TREE_MISTAKES = {
    "clipping forgotten": ("min(max(reward, 0.0), 1.0)", "reward"),
    "clipping at twice the bound": ("min(max(reward, 0.0), 1.0)", "min(max(reward, 0.0), 2.0)"),
    "a reward used twice": ("publish(state, statistic)", "statistic[:] = run.released + 0.25 * run.sums"),
    "the same noise for 32 pulls": ("* run.ahead[arm, place]", "* run.ahead[arm, 0]"),
    "no noise": ("+ prefix_noise(run.partial[arm], run.pulls[arm], fresh)", ""),
    "half the noise": ("fresh = state.settings.scale", "fresh = 0.25 * state.settings.scale"),
}


@pytest.mark.parametrize("mistake", TREE_MISTAKES)
def test_mistake_in_a_policy(mistake: str) -> None:
    """Would catch a replay that does not see it."""
    learn = edited(tree_ucb, tree_ucb.learn, *TREE_MISTAKES[mistake])
    policy = TreeUCB(2.0)
    broken = Other(policy, kernels=policy.kernels._replace(learn=learn))
    found = on_pairs(broken, TREE_PAIRS)
    assert found.verdict is Verdict.REFUTED, found.message
    assert found.witness is not None
    assert on_pairs(policy, TREE_PAIRS).verdict is Verdict.NOT_REFUTED


def test_choice_that_looks_at_the_rewards_is_refuted_at_its_round() -> None:
    """Would catch a replay that compares published numbers alone."""
    choose = edited(tree_ucb, tree_ucb.choose, "(run.released[arm] + width)", "(run.sums[arm] + width)")
    policy = TreeUCB(1000.0)
    found = on_pairs(Other(policy, kernels=policy.kernels._replace(choose=choose)), RewardPairs(12, 2, (0, 5), (0.0, 1.0)))
    assert found.verdict is Verdict.REFUTED and "differ" in found.message


ROBUST_MISTAKES = {
    "truncation at twice the bound": (kernels.learn, "<= own.truncation[0]", "<= 2.0 * own.truncation[0]"),
    "truncation forgotten": (kernels.learn, "if abs(distance) <= own.truncation[0]:", "if True:"),
    "infinity kept": (kernels.learn, "abs(distance) <= own.truncation[0]", "distance >= -own.truncation[0]"),
}


@pytest.mark.parametrize("mistake", ROBUST_MISTAKES)
def test_mistake_in_an_elimination(mistake: str) -> None:
    """Would catch neighbours that do not stand at the truncation and beyond it."""
    kernel, before, after = ROBUST_MISTAKES[mistake]
    policy = RobustElimination(20.0, failure=1.0)
    pairs = RewardPairs(29, 2, (0, 9), at_truncations(policy.state(2, 0, 29)), low=0.02, high=0.2)
    broken = Other(policy, kernels=policy.kernels._replace(learn=edited(kernels, kernel, before, after)))
    assert on_pairs(broken, pairs).verdict is Verdict.REFUTED
    shipped = on_pairs(policy, pairs)
    assert shipped.verdict is Verdict.NOT_REFUTED and shipped.exact == pytest.approx(20.0, rel=1e-6)  # the worst pair is among them


def test_folds_that_overlap_are_refuted() -> None:
    """Would catch a replay that allows a reward in two releases: a batch's sum that is not emptied."""
    policy = RobustElimination(20.0, failure=1.0)
    opened = edited(kernels, kernels.open_batch, "state.batch.total[0], state.batch.centre[0] = 0.0, 0.0", "state.batch.centre[0] = 0.0")
    scope = dict(vars(kernels), open_batch=opened)
    for name in ("_begin", "_close", "_learn", "_start"):
        scope[name.removeprefix("_")] = scope[name] = types.FunctionType(plain(scope[name.removeprefix("_")]).__code__, scope, name)
    made = policy.kernels._replace(start=scope["start"], learn=scope["learn"])
    pairs = RewardPairs(29, 2, (0, 9), at_truncations(policy.state(2, 0, 29)), low=0.02, high=0.2)
    assert on_pairs(Other(policy, kernels=made), pairs).verdict is Verdict.REFUTED


REPORT_MISTAKES = {
    "Laplace: clipping forgotten": (LocalLaplace(1.0), laplace, "value > 1.0", "value > 9.0"),
    "Laplace: the budget of one number for each": (LocalLaplace(1.0), laplace, "width / setup[0]", "1.0 / setup[0]"),
    "response: the budget of one number for each": (LocalResponse(1.0), randomised_response, "setup[0] / width", "setup[0]"),
    "response: clipping forgotten": (LocalResponse(1.0), randomised_response, "value = min(max(value, 0.0), 1.0)", "pass"),
}


@pytest.mark.parametrize("mistake", REPORT_MISTAKES)
def test_mistake_in_a_report(mistake: str) -> None:
    """Would catch a replay of reports of one number alone, or of numbers inside the range alone."""
    randomiser, module, before, after = REPORT_MISTAKES[mistake]
    kernel = randomiser.kernel
    pairs = MessagePairs(((0.0, 0.0), (1.0, 1.0), (9.0, 0.5)))
    broken = Other(randomiser, kernel=edited(module, kernel, before, after))
    assert FrozenRuns(Reports(broken), pairs, randomiser.guarantee()).measure(REQUEST).verdict is Verdict.REFUTED  # type: ignore[arg-type]
    shipped = FrozenRuns(Reports(randomiser), pairs, randomiser.guarantee()).measure(REQUEST)
    assert shipped.verdict is Verdict.NOT_REFUTED and shipped.exact == pytest.approx(1.0)


def sometimes_hidden(data: Any, rng: np.random.Generator) -> Any:
    """Releases the first record with Laplace noise, or in a way that is not followed."""
    return rng.choice([0.0, 1.0]) if data[0] == 5.0 else data[0] + rng.laplace(0.0, 0.5)


def test_a_pair_that_cannot_be_judged_hides_no_other() -> None:
    """Would catch a verdict that depends on which pair comes first."""
    hidden, leaking, claim = ([5.0], [4.0]), ([0.0], [1.0]), PureDP(1.0, NeighbouringRelation.REPLACE_RECORD)
    verdicts = [
        FrozenRuns(sometimes_hidden, lambda pairs=pairs: pairs, claim).measure(REQUEST).verdict
        for pairs in ([hidden, leaking], [leaking, hidden], [hidden])
    ]
    assert verdicts == [Verdict.REFUTED, Verdict.REFUTED, Verdict.INCONCLUSIVE]


DRAW_MISTAKES = {
    "one window for all rounds": ("learn", "run.pulls[arm] // TOGETHER * run.pulls.shape[0] + arm,", "arm,"),
    "the stream of the rewards": ("start", "randomness.NOISE", "randomness.REWARDS"),
}


@pytest.mark.parametrize("mistake", DRAW_MISTAKES)
def test_draws_that_share_a_block(mistake: str) -> None:
    """Would catch an audit that does not see a block drawn twice, or one of another party's."""
    policy, table = TreeUCB(1.0), Table(np.linspace(0.0, 1.0, 160).reshape(80, 2))
    name, before, after = DRAW_MISTAKES[mistake]
    broken: Any = Other(policy, kernels=policy.kernels._replace(**{name: edited(tree_ucb, getattr(tree_ucb, name), before, after)}))
    assert DrawsApart(Pipeline(broken, table), 80).measure(REQUEST).verdict is Verdict.REFUTED
    assert DrawsApart(Pipeline(policy, table), 80).measure(REQUEST).verdict is Verdict.HOLDS_AT_POINTS


LANE_MISTAKES: dict[str, tuple[Any, types.ModuleType, Callable[..., Any], str, str]] = {
    "normals of nodes that overlap": (LinUCB(LinNoise.GAUSSIAN), arrays, arrays.normals, "first * pairs + place", "first + place"),
    "fractions of nodes that overlap": (
        LinUCB(LinNoise.WISHART),
        gram_noise,
        gram_noise.wishart_nodes,
        "_FRACTIONS + first * columns + place",
        "_FRACTIONS + first + place",
    ),
    "fractions that are normals": (LinUCB(LinNoise.WISHART), gram_noise, gram_noise.wishart_nodes, "_FRACTIONS + ", ""),
    "sets that overlap": (UCB1(), sphere, sphere.draw, "(first * arms + place) * blocks, blocks", "(first + place) * blocks, blocks"),
    "one order for all sets": (UCB1(), sphere, sphere.draw, "_SETS + first + place", "_SETS + place"),
    "uniforms that overlap inside a call": (UCB1(), sphere, sphere.draw, "* blocks, blocks)", "* blocks, blocks - 1)"),
    "one window of coins": (UCB1(), coins, coins.draw, "block * LANES", "0"),
    "coins of the contexts' stream": (
        UCB1(),
        sphere,
        sphere.reward,
        "key, randomness.REWARDS, round) < (1.0",
        "key, randomness.CONTEXTS, round) < (1.0",
    ),
}


@pytest.mark.parametrize("mistake", LANE_MISTAKES)
def test_lanes_that_share_a_block(mistake: str) -> None:
    """Would catch an audit that takes what a call has read for lanes that stand over, which nobody reads."""
    policy, module, function, before, after = LANE_MISTAKES[mistake]
    sets = Sphere(6, 20)

    def with_mistake(kernel: Callable[..., Any]) -> Callable[..., Any]:
        return Rebuilt({plain(function): broken}).function(kernel)

    broken = edited(module, function, before, after)
    policy_kernels = policy.kernels._replace(**{name: with_mistake(getattr(policy.kernels, name)) for name in ("start", "learn")})
    world: Any = Other(sets, present=with_mistake(sets.present), reward=with_mistake(sets.reward))
    pipeline = Pipeline(Other(policy, kernels=policy_kernels), world)
    found = DrawsApart(pipeline, 70).measure(REQUEST)
    assert found.verdict is Verdict.REFUTED, found.message
    assert DrawsApart(Pipeline(policy, sets), 70).measure(REQUEST).verdict is Verdict.HOLDS_AT_POINTS


KEPT_MISTAKES: dict[str, tuple[types.ModuleType, Callable[..., Any], str, str]] = {
    "one normal for two rewards": (gaussian, gaussian.reward, "REWARDS, round", "REWARDS, round // 2"),
    "rewards of the contexts' stream": (gaussian, gaussian.reward, "REWARDS, round", "CONTEXTS, round"),
    "one normal for all users": (local_row, local_row.noisy_row, "round * width + column", "column"),
    "one window of normals": (kept_normals, kept_normals.draw, "window * LANES", "0"),
    "windows that overlap": (kept_normals, kept_normals.draw, "window * LANES", "window"),
}


@pytest.mark.parametrize("mistake", KEPT_MISTAKES)
def test_kept_normals_that_are_shared(mistake: str) -> None:
    """Would catch an audit that sees the blocks of a window, but not who takes its numbers."""
    module, function, before, after = KEPT_MISTAKES[mistake]
    world, randomiser = Gaussian((0.1, 0.2), (1.0, 0.5)), LocalRow(1.0, 0.1)

    def pipeline(rebuilt: Rebuilt) -> Pipeline:
        paying: Any = Other(world, reward=rebuilt.function(world.reward))
        sending: Any = Other(randomiser, kernel=rebuilt.function(randomiser.kernel))
        return Pipeline(UCB1(), paying, sending)

    broken = edited(module, function, before, after)
    found = DrawsApart(pipeline(Rebuilt({plain(function): broken})), 70).measure(REQUEST)
    assert found.verdict is Verdict.REFUTED, found.message
    shipped = DrawsApart(Pipeline(UCB1(), world, randomiser), 70).measure(REQUEST)
    assert shipped.verdict is Verdict.HOLDS_AT_POINTS and shipped.samples > 70


CONSTANT_MISTAKES = {
    "theta* is an arm": ("randomness.CONTEXTS, _PARAMETER", "randomness.CONTEXTS, 0"),
    "theta* of the rewards": ("randomness.CONTEXTS, _PARAMETER", "randomness.REWARDS, 0"),
    "theta* of the policy's noise": ("randomness.CONTEXTS, _PARAMETER", "randomness.NOISE, _PARAMETER"),
}


@pytest.mark.parametrize("mistake", CONSTANT_MISTAKES)
def test_constants_that_share_a_block(mistake: str) -> None:
    """Would catch an audit that asks nothing of what is drawn by a function that it was told of."""
    world = UnitFeatures(3, 5)
    scope = {**vars(unit_features), "parameter_of": edited(unit_features, unit_features.parameter_of, *CONSTANT_MISTAKES[mistake])}
    present, reward = (types.FunctionType(plain(kernel).__code__, scope) for kernel in (world.present, world.reward))
    broken: Any = Other(world, present=present, reward=reward)
    found = DrawsApart(Pipeline(UCB1(), broken), 24, ("_parameter",)).measure(REQUEST)
    assert found.verdict is Verdict.REFUTED, found.message
    assert DrawsApart(Pipeline(UCB1(), world), 24, ("_parameter",)).measure(REQUEST).verdict is Verdict.HOLDS_AT_POINTS


def pair_of(key: Any, first: int) -> float:
    """From two single blocks of the rewards' stream."""
    stream = np.empty(4, dtype=np.uint64)
    randomness.short_key(key, randomness.REWARDS, stream)
    return sum_of(stream, first) / 2.0**33


def sum_of(stream: Any, first: int) -> float:
    one, two = words.short_block(stream, np.uint64(first)), words.short_block(stream, np.uint64(first + 1))
    return float(one[0] + two[0])


def paid_by_overlapping_pairs(setup: Any, memory: Any, round: int, key: Any, arm: int, contexts: Any) -> float:
    return pair_of(key, round)


def paid_by_pairs(setup: Any, memory: Any, round: int, key: Any, arm: int, contexts: Any) -> float:
    return pair_of(key, 2 * round)


@pytest.mark.parametrize(("reward", "verdict"), [(paid_by_overlapping_pairs, Verdict.REFUTED), (paid_by_pairs, Verdict.HOLDS_AT_POINTS)])
def test_single_blocks_that_two_rounds_read(reward: Callable[..., float], verdict: Verdict) -> None:
    """Would catch an audit that takes a single block for one of the lanes that stand over."""
    world: Any = Other(Bernoulli((0.3, 0.6)), reward=reward)
    assert DrawsApart(Pipeline(UCB1(), world), 60).measure(REQUEST).verdict is verdict


def test_draws_that_are_named_by_their_module_are_followed() -> None:
    """Would catch noise that looks like a plain number because its function is an attribute of a module."""
    recording = Recording(1)
    key = np.array([1, 2, 0], dtype=np.uint64)

    def kernel() -> Any:
        return 2.0 * randomness.normal(key, randomness.NOISE, 5)

    found = Followed(recording).function(kernel)()
    assert isinstance(found, Number) and found.parts == {0: 2.0}
    assert float(found.plain) == pytest.approx(2.0 * randomness.normal(key, randomness.NOISE, 5))


def test_kept_normals_are_followed() -> None:
    """Would catch noise that looks like a plain number because it comes from a room, a variate of another address or value, two addresses
    that share one, and one pair that is two variates as `arrays.normals` draws it and as a room does."""
    recording, key = Recording(1), np.array([1, 2, 0], dtype=np.uint64)
    room, pair, target = np.zeros(kept_normals.ROOM), np.zeros((1, 2), dtype=object), np.zeros(3, dtype=object)

    def kernel() -> Any:
        one, two, again = (kept_normals.kept_normal(room, key, randomness.CLIENT, index) for index in (70, 102, 70))
        kept_normals.consecutive(room, key, randomness.CLIENT, 69, target)
        arrays.normals(key, randomness.CLIENT, 38, pair, np.zeros(arrays.normals_room(1, 2)))  # the block of 70 and 102
        return one, two, again

    found = Followed(recording).function(kernel)()
    assert [each.parts for each in found] == [{0: 1.0}, {1: 1.0}, {0: 1.0}] and not room.any()
    assert [each.parts for each in target] == [{2: 1.0}, {0: 1.0}, {3: 1.0}] and [each.parts for each in pair[0]] == [{0: 1.0}, {1: 1.0}]
    values = [kept_normals.kept_normal(room, key, randomness.CLIENT, index) for index in (70, 102, 69, 71)]
    assert [variate.value for variate in recording.variates] == values
    assert not recording.releases


@pytest.mark.parametrize("draw", (words.coarse_lanes, words.fine_lanes, words.short_lanes))
def test_lanes_of_uniforms_hide(draw: Callable[..., Any]) -> None:
    """Would catch uniforms that are used as numbers, of which no replay knows what they hide."""
    recording, stream = Recording(1), np.array([1, 2, 3, 4], dtype=np.uint64)
    steps = () if draw is words.fine_lanes else (1,)
    found = Followed(recording).function(draw)(stream, 7, *steps)
    assert recording.hiding
    np.testing.assert_array_equal(found, plain(draw)(stream, 7, *steps))


@pytest.mark.parametrize("dimension", (2, 5, 6))
@pytest.mark.parametrize("noise", (LinNoise.GAUSSIAN, LinNoise.WISHART))
def test_followed_lanes_are_the_shipped_lanes(noise: LinNoise, dimension: int) -> None:
    """Would catch lanes of followed numbers that are added, multiplied or chosen from otherwise, with arms in lanes and one by one."""
    for arms in (3, 11):
        drawn = np.random.default_rng(dimension).normal(size=(20, arms, dimension)) / 4.0
        rewards, policy, recording = drawn[:, :, 0], LinUCB(noise, 60.0, 0.1, calibration=Calibration.REPAIRED), Recording(5)
        found = PolicyRun(policy)({"rewards": rewards.tolist(), "contexts": drawn.tolist()}, recording.generator())
        pipeline = Pipeline(policy, Table(rewards, contexts=drawn))
        run = play(pipeline, horizon=20, key=key_of(5, "pipeline"), record=(Wire.ARMS, Wire.STATISTIC))
        assert found["arms"] == run.wire(Wire.ARMS).tolist()
        np.testing.assert_allclose(found["published"], run.wire(Wire.STATISTIC), rtol=1e-9, atol=1e-9)


def test_number_beside_lanes() -> None:
    """Would catch lanes that swallow a number with noise in it: each lane keeps its own sum."""
    recording = Recording(1)
    noise = Followed(recording)._laplace(np.array([1, 2, 0], dtype=np.uint64), 3, 0)
    lanes = np.array([1.0, 2.0])
    for found, befores, weights in (
        (noise + lanes, [1.0, 2.0], [1.0, 1.0]),
        (lanes + noise, [1.0, 2.0], [1.0, 1.0]),
        (noise - lanes, [-1.0, -2.0], [1.0, 1.0]),
        (lanes - noise, [1.0, 2.0], [-1.0, -1.0]),
        (noise * lanes, [0.0, 0.0], [1.0, 2.0]),
        (lanes * noise, [0.0, 0.0], [1.0, 2.0]),
        (noise / lanes, [0.0, 0.0], [1.0, 0.5]),
    ):
        assert [float(each.before) for each in found] == befores and [each.parts for each in found] == [{0: weight} for weight in weights]
    assert not recording.releases
    assert ((noise < lanes) == (float(noise.plain) < lanes)).all() and len(recording.releases) == 1


def test_followed_run_is_the_shipped_run() -> None:
    """Would catch a replay of another algorithm: the same noise at the same addresses gives the same released values."""
    rewards = np.random.default_rng(3).uniform(size=(20, 3))
    policy, recording = TreeUCB(1.0), Recording(5)
    found = PolicyRun(policy)({"rewards": rewards.tolist()}, recording.generator())
    run = play(Pipeline(policy, Table(rewards)), horizon=20, key=key_of(5, "pipeline"), record=(Wire.ARMS, Wire.STATISTIC))
    assert found["arms"] == run.wire(Wire.ARMS).tolist()
    np.testing.assert_allclose(found["published"], run.wire(Wire.STATISTIC), rtol=1e-12)


def test_number_keeps_sums_and_ends_elsewhere() -> None:
    """Would catch arithmetic that loses or doubles noise, and a comparison that is not written down."""
    recording = Recording(1)
    laplace_noise = Followed(recording)._laplace
    one = 2.0 * laplace_noise(np.array([1, 2, 0], dtype=np.uint64), 3, 0)
    other = laplace_noise(np.array([1, 2, 0], dtype=np.uint64), 3, 1)
    again = laplace_noise(np.array([1, 2, 0], dtype=np.uint64), 3, 0)
    assert isinstance(one, Number) and (one - 2.0 * again).parts == {}
    total = 5.0 - (one + other) / 4.0 + np.float64(1.0)
    values = [variate.value for variate in recording.variates]
    assert float(total.plain) == pytest.approx(6.0 - (2.0 * values[0] + values[1]) / 4.0) and total.parts == {0: -0.5, 1: -0.25}
    assert not recording.releases
    assert (total > -math.inf) and max(total, 0.0) is not None and len(recording.releases) == 1
    assert math.sqrt(abs(total)) >= 0.0 and len(recording.releases) == 1  # released once


def test_pipeline_of_a_user() -> None:
    """Would catch a pipeline whose compiled run is called, in which no noise is followed; and a claim below the report's that passes."""
    randomiser, policy = LocalLaplace(1.0), TreeUCB(1.0)
    low = [[0.1, 0.2]] * 8
    high, bandit = [[1.0, 1.0], *low[1:]], Bernoulli((0.5, 0.5))
    local = PolicyMechanism(Pipeline(UCB1(), bandit, randomiser), randomiser.guarantee(), 0, 8)
    found = audit_gray_box(local, dataset=low, neighbour=high).measured
    assert found.verdict is Verdict.NOT_REFUTED and found.exact == pytest.approx(0.9)
    assert audit_gray_box(local, dataset=low, neighbour=high, epsilon=0.89).measured.verdict is Verdict.REFUTED
    central = PolicyMechanism(Pipeline(policy, bandit), policy.guarantee(), 0, 8)
    assert audit_gray_box(central, dataset=low, neighbour=high, contract=True).measured.verdict is Verdict.NOT_REFUTED
    row = RowMessage(1.0, 1e-2)
    found = audit_gray_box(row, dataset=[1.0, 0.0, 1.0], neighbour=[-1.0, 0.0, -1.0]).measured
    assert found.verdict is Verdict.NOT_REFUTED and found.detail["mu"] > 0.5
    with pytest.raises(ValueError, match=r"batch = 2: must be 1 \(rounds are replayed one by one\)"):
        batches = replace(central, pipeline=Pipeline(policy, bandit, shuffler=NoShuffling(2)))
        audit_gray_box(batches, dataset=low, neighbour=high)
