"""LinUCB's shorter loop plays the rounds of the other one and of plain Python: the same arms and the same regret, bit for bit."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banditproof import simulation
from banditproof.algorithms.environments.adaptive_contexts import LeastExploredAdversary
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.environments.fixed_linear import Noise as RewardNoise
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.algorithms.environments.sphere import Rewards, Sphere
from banditproof.algorithms.mechanisms.gram.noise import packed
from banditproof.algorithms.mechanisms.gram.wishart import Padding
from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.algorithms.playing.together import play_together
from banditproof.algorithms.policies.lin_ucb.constants import Accuracy
from banditproof.algorithms.policies.lin_ucb.policy import Bounds, FixedNoise, Form, LinUCB, Noise, Rule
from banditproof.guarantees import Replacement
from banditproof.interaction import Environment, Floats, Kernel, NoShuffling, Pipeline, Run, Table, Wire, Words
from banditproof.kernels import PRESENT, PRESENT_SETS, REWARD, compiled
from banditproof.lanes import take
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many

SEEDS = st.integers(0, 2**32)
ARMS, ALL = (Wire.ARMS,), (Wire.ARMS, Wire.CONTEXTS, Wire.STATISTIC)
PRIVATE = (Noise.GAUSSIAN, Noise.WISHART, Noise.WISHART_UNSHIFTED)


def policy_of(noise: Noise, width: int, seed: int, **others: Any) -> LinUCB:
    if noise is not Noise.FIXED:
        return LinUCB(noise, 5.0, 0.3, **others)
    rows = np.random.default_rng(seed).uniform(-0.05, 0.05, size=(20, packed(width) + width))
    rows[:, [packed(row + 1) - 1 for row in range(width)]] += 2.0
    return LinUCB(noise, fixed_noise=FixedNoise(tuple(map(tuple, rows.tolist())), Accuracy(1.0, 3.0, 0.5)), **others)


def environment_of(kind: str, width: int, arms: int, horizon: int, seed: int) -> Environment:
    rng = np.random.default_rng(seed)
    vectors = rng.uniform(-0.5, 0.5, size=(arms, width)) / np.sqrt(width)
    match kind:
        case "sphere":
            return Sphere(max(width, 2), arms, rewards=Rewards.SIGNS if seed % 2 else Rewards.GAUSSIAN)
        case "fewest":
            return Sphere(max(width, 2), arms, fewest=1 + seed % arms)
        case "fixed":
            return FixedLinear.of(vectors, vectors[0], noise=RewardNoise.SIGNS if seed % 2 else RewardNoise.GAUSSIAN)
        case "tempting":
            return LeastExploredAdversary(max(width, 2), arms)
        case "table":  # sets that stay for a while
            contexts = np.repeat(rng.normal(size=(-(-horizon // 9), arms, width)), 9, axis=0)[:horizon]
            return Table(rng.normal(size=(horizon, arms)), contexts=contexts)
        case _:
            return Bernoulli(tuple(rng.uniform(size=width + 1).tolist()))


def is_direct(pipeline: Pipeline, record: tuple[Wire, ...]) -> bool:
    rounds = 1 if pipeline.replacement is None else pipeline.replacement.round + 1
    plan = simulation._plan(pipeline, horizon=rounds, key=key_of(1), record=record, checkpoints=None, block=1, stepwise=False)
    return simulation._is_direct(pipeline, plan, record)


def assert_same(one: Run, other: Run) -> None:
    assert np.array_equal(one.wire(Wire.ARMS), other.wire(Wire.ARMS))
    assert np.array_equal(one.checkpoints, other.checkpoints)
    assert np.array_equal(one.regret, other.regret)


@settings(max_examples=60)
@given(
    kind=st.sampled_from(["sphere", "sphere", "fewest", "fixed", "tempting", "table", "no contexts"]),
    noise=st.sampled_from([Noise.NONE, Noise.NONE, *PRIVATE, Noise.FIXED]),
    width=st.integers(1, 7),
    arms=st.integers(2, 70),
    horizon=st.integers(1, 150),
    rule=st.sampled_from([Rule.OPTIMISTIC, Rule.OPTIMISTIC, Rule.GREEDY, Rule.UNIFORM]),
    form=st.sampled_from(Form),
    norm=st.floats(0.5, 2.0),
    replaced=st.sampled_from(["no", "rewards", "contexts"]),
    data=st.data(),
    seed=SEEDS,
)
def test_the_shorter_loop_plays_the_same_rounds(kind, noise, width, arms, horizon, rule, form, norm, replaced, data, seed):
    """Would catch a set or a reward of another round of the block, a set taken to stay that changed, a best arm of another round, a missed
    checkpoint, a replaced round that is not seen or stays, rows that wait beyond a run, and a run that inherits something from the one
    before. Beside single rounds, of several runs and of one in blocks."""
    environment = environment_of(kind, width, arms, horizon, seed)
    dimension, arms = environment.dimension, environment.arms
    shown = dimension if dimension > 0 else arms
    planned = None if noise in (Noise.NONE, Noise.FIXED) else data.draw(st.sampled_from([max(horizon // 2, 40), 5000]))
    policy = policy_of(noise, shown, seed, bounds=Bounds(row_norm=norm), rule=rule, form=form, planned_horizon=planned, failure=0.2)
    change = None
    if replaced != "no":
        rng = np.random.default_rng(seed + 1)
        contexts = tuple(map(tuple, rng.normal(size=(arms, dimension)).tolist())) if replaced == "contexts" and dimension > 0 else None
        change = Replacement(data.draw(st.integers(0, horizon - 1)), tuple(rng.normal(size=arms).tolist()), contexts)
    pipeline = Pipeline(policy, environment, replacement=change)
    assert is_direct(pipeline, ARMS) and not is_direct(pipeline, ALL)
    marks = sorted(data.draw(st.sets(st.integers(1, horizon), max_size=4)))
    options: dict[str, Any] = {"horizon": horizon, "key": key_of(seed), "checkpoints": marks}
    short = play_many(pipeline, **options, runs=3, first_run=4, record=ARMS)
    full = play_many(pipeline, **options, runs=3, first_run=4, record=ALL)
    assert_same(short, full)
    for run, block in zip((4, 5, 6), (1, 7, 65_536), strict=True):
        alone = play(pipeline, **options, run=run, record=ARMS, block=block)
        assert np.array_equal(alone.wire(Wire.ARMS), full.wire(Wire.ARMS)[run - 4])
        assert np.array_equal(alone.regret, full.regret[run - 4])


def _wave(mean: float, round: int) -> float:
    return mean + 0.25 * (round % 7 - 3)


paid = compiled(_wave)


def _stand(setup: Floats, memory: Floats, key: Words, round: int, contexts: Floats, means: Floats) -> int:
    for arm in range(contexts.shape[0]):
        means[arm] = setup[arm]
        for column in range(contexts.shape[1]):
            contexts[arm, column] = setup[(column + 1) * contexts.shape[0] + arm]
    return 1 << 40


def _stand_together(setup: Floats, memory: Floats, key: Words, first: int, sets: Floats, means: Floats, rewards: Floats) -> int:
    arms = setup.shape[0] // (sets.shape[0] + 1)
    take(setup, 0, means, arms)
    for column in range(sets.shape[0]):
        take(setup, (column + 1) * arms, sets[column], arms)
    for place in range(rewards.shape[0]):
        rewards[place] = paid(means[place % arms], first + place // arms)
    return 1 << 40


def _pay(setup: Floats, memory: Floats, round: int, key: Words, arm: int, contexts: Floats) -> float:
    return paid(setup[arm], round)


@dataclasses.dataclass(frozen=True)
class Standing:
    """One decision set for all rounds, of which the block form says so; `vectors` (d, K), the mean rewards are those of the first row."""

    vectors: tuple[tuple[float, ...], ...]
    present: Kernel = dataclasses.field(default=compiled(_stand, PRESENT, block=compiled(_stand_together, PRESENT_SETS)), init=False)
    reward: Kernel = dataclasses.field(default=compiled(_pay, REWARD), init=False)

    @property
    def arms(self) -> int:
        return len(self.vectors[0])

    @property
    def dimension(self) -> int:
        return len(self.vectors)

    def setup(self) -> Floats:
        return np.array([*self.vectors[0], *np.ravel(self.vectors)])

    def memory(self) -> Floats:
        return np.zeros(0)


@pytest.mark.parametrize("width", [1, 4, 5])
@pytest.mark.parametrize("arms", [2, 9, 40])
def test_a_set_of_many_rounds_is_drawn_once_a_block(width, arms):
    """Would catch the columns of a later round where a block has one set, and a reward of the block's first round."""
    vectors = np.random.default_rng(arms).uniform(-0.5, 0.5, size=(width, arms))
    environment = Standing(tuple(map(tuple, vectors.tolist())))
    contexts = tuple(map(tuple, np.ones((arms, width)).tolist()))
    for change in (None, Replacement(77, (0.5,) * arms), Replacement(77, (0.5,) * arms, contexts)):
        pipeline = Pipeline(LinUCB(Noise.NONE), environment, replacement=change)
        options: dict[str, Any] = {"horizon": 300, "key": key_of(width), "checkpoints": [1, 64, 65, 300]}
        slow, full = (play(pipeline, **options, record=ALL, stepwise=stepwise) for stepwise in (True, False))
        assert_same(full, slow)
        for block in (1, 7, 65_536):
            assert_same(play(pipeline, **options, record=ARMS, block=block), full)
        alone = Pipeline(LinUCB(Noise.GAUSSIAN), environment)
        together = play_together([pipeline.with_environment(environment, None), alone], horizon=300, key=key_of(width))
        for each, shared in zip((pipeline.with_environment(environment, None), alone), together, strict=True):
            assert np.array_equal(play(each, horizon=300, key=key_of(width)).regret, shared.regret)


@settings(max_examples=12)
@given(
    kind=st.sampled_from(["sphere", "fewest", "fixed", "table", "no contexts"]),
    noise=st.sampled_from([Noise.NONE, Noise.GAUSSIAN, Noise.WISHART, Noise.FIXED]),
    width=st.integers(1, 7),
    arms=st.integers(2, 40),
    seed=SEEDS,
)
def test_both_loops_are_those_of_plain_python(kind, noise, width, arms, seed):
    """Would catch vector instructions that round in another way than numbers one by one."""
    environment = environment_of(kind, width, arms, 25, seed)
    shown = environment.dimension if environment.dimension > 0 else environment.arms
    pipeline = Pipeline(policy_of(noise, shown, seed, planned_horizon=None if noise is Noise.FIXED else 5000), environment)
    options: dict[str, Any] = {"horizon": 25, "key": key_of(seed), "checkpoints": [1, 11, 25]}
    short = play(pipeline, **options, record=ARMS, block=9)
    slow, full = play(pipeline, **options, record=ALL, stepwise=True), play(pipeline, **options, record=ALL)
    assert_same(short, slow)
    assert_same(full, slow)
    assert np.array_equal(full.wire(Wire.STATISTIC), slow.wire(Wire.STATISTIC))
    assert np.array_equal(full.wire(Wire.CONTEXTS), slow.wire(Wire.CONTEXTS))


@pytest.mark.parametrize("width", [2, 5, 7])
@pytest.mark.parametrize("noise", [Noise.NONE, Noise.GAUSSIAN])
def test_renewals_fall_on_the_same_rounds(noise, width):
    """Would catch an inverse renewed from sums that rows still wait for, and from those of another round; 9000 rounds have several."""
    pipeline = Pipeline(LinUCB(noise), Sphere(width, 25))
    options: dict[str, Any] = {"horizon": 9000, "key": key_of(width), "checkpoints": range(500, 9001, 500)}
    full = play(pipeline, **options, record=(Wire.ARMS, Wire.REWARDS))
    for block in (1000, 65_536):
        assert_same(play(pipeline, **options, record=ARMS, block=block), full)


def test_the_shorter_loop_is_taken_where_nobody_looks():
    """Would catch it where somebody changes, delays or records what it leaves out."""
    pipeline = Pipeline(LinUCB(), Sphere(3, 4))
    assert is_direct(pipeline, ()) and is_direct(pipeline, ARMS)
    assert not any(is_direct(pipeline, (wire,)) for wire in Wire if wire is not Wire.ARMS)
    assert not is_direct(dataclasses.replace(pipeline, shuffler=NoShuffling(2)), ARMS)
    assert not is_direct(Pipeline(LinUCB(), Bernoulli((0.1, 0.9)), LocalLaplace(1.0)), ARMS)


def outcome(pipeline: Pipeline, **options: Any) -> str:
    try:
        return str(play(pipeline, **options).regret.tolist())
    except ValueError as refused:
        return str(refused)


def test_both_loops_refuse_the_same():
    """Would catch a row without a length or a matrix outside the good event that one of the loops lets pass, and a loop that stops in
    another round."""
    table, contexts = np.zeros((30, 4)), np.random.default_rng(1).normal(size=(30, 4, 5))
    table[17] = np.nan
    strict = LinUCB(Noise.WISHART, 5.0, 0.3, planned_horizon=1000, padding=Padding.NONE, strict=True)
    kinds = {"no finite length": (LinUCB(Noise.NONE), Table(table, contexts=contexts)), "must be positive definite": (strict, Sphere(3, 5))}
    for message, (policy, environment) in kinds.items():
        found = []
        for horizon in range(1, 31):
            one, other = (outcome(Pipeline(policy, environment), horizon=horizon, key=key_of(2), record=record) for record in (ARMS, ALL))
            assert one == other
            found.append(message in one)
        assert any(found) and sorted(found) == found  # from some round on


@pytest.mark.parametrize("loop", [ARMS, ALL], ids=["shorter", "single rounds"])
def test_diagnosis_changes_no_arm(loop):
    """Would catch a policy that acts on theta*, and a shorter loop that makes up V in other rounds."""
    options: dict[str, Any] = {"horizon": 300, "key": key_of(9), "record": loop}
    for noise in (Noise.NONE, Noise.GAUSSIAN):
        plain, told = (
            play(Pipeline(LinUCB(noise, true_parameter=truth), Sphere(5, 12)), **options) for truth in (None, (1.0, 0.0, 0.0, 0.0, 0.0))
        )
        assert_same(plain, told)


def test_rewards_that_depend_on_memory():
    """Would catch an environment whose memory the shorter loop does not reset, or starts from another run's."""
    for environment in (Rotting((0.9, 0.8, 0.7), 0.02), LeastExploredAdversary(4, 6)):
        pipeline = Pipeline(LinUCB(Noise.NONE), environment)
        options: dict[str, Any] = {"horizon": 200, "key": key_of(5), "runs": 4}
        assert_same(play_many(pipeline, **options, record=ARMS), play_many(pipeline, **options, record=ALL))
