"""LinUCB: what a round costs, without noise and private, beside NumPy loops, installed bandit libraries and the random numbers alone.

Contexts, rewards and noise are drawn in the run, ours and NumPy's (plain/drawn_lin_ucb.py); plain/lin_ucb.py and the peers are given sets
that are ready. "together": one of eight learners that share sets and noise, four with each noise, as in a panel of experiment D.3.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.environments.fixed_linear import Noise as RewardNoise
from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.playing.together import play_together, rounds_in_turn
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise, Rule, states_together
from banditproof.interaction import Environment, Pipeline, Words
from banditproof.kernels import compiled
from banditproof.randomness import CONTEXTS, block, key_of
from banditproof.simulation import play
from benchmarks.peers import lin_ucb as peers
from benchmarks.plain import drawn_lin_ucb as drawn
from benchmarks.plain import lin_ucb as ready
from benchmarks.runner.cases import Case, Scale, Target, TimedCall, Work

LONG = False
KEY, SEED, PLANNED_HORIZON = key_of(17, "benchmark"), 17, 50_000_000
BLOCKS = 13 + 7  # of a set of 25 vectors in five dimensions, eight numbers per block; of a Wishart node
SIGMA, SHIFT, DEGREES, RADIUS = 1000.0, 1e5, 3000, 300.0  # of the NumPy loops: no cost depends on them


def _draw(key: Words, blocks: int) -> np.uint64:
    total = np.uint64(0)
    for index in range(blocks):
        first, second, third, fourth = block(key, CONTEXTS, index)
        total ^= first ^ second ^ third ^ fourth
    return total


draw = compiled(_draw)


def cases(scale: Scale) -> Sequence[Case]:
    rounds = scale.of(400_000, 50_000)
    return [*_without_noise(rounds, scale.of(4_000, 1_000)), *_private(rounds, scale.of(3_000, 1_000)), *peers.cases(scale)]


def run(policy: LinUCB, environment: Environment, rounds: int) -> Callable[[], Work]:
    """Plays a run of so many rounds."""
    return lambda: lambda: play(Pipeline(policy, environment), horizon=rounds, key=KEY, record=())


def fixed(arms: int, dimension: int) -> FixedLinear:
    """One set of unit vectors for all rounds."""
    vectors = drawn.unit_vectors(arms, dimension, np.random.default_rng(SEED))
    return FixedLinear.of(vectors, np.eye(dimension)[0], noise=RewardNoise.SIGNS)


def _without_noise(rounds: int, plain_rounds: int) -> list[TimedCall]:
    found, ridge = [], LinUCB(Noise.NONE)
    for arms, target in ((25, Target(at_least=100.0, aim=150.0, source="issue 17, 1")), (100, None)):
        place = fixed(arms, 5)
        found.append(TimedCall(f"fixed_k{arms}", run(ridge, place, rounds), rounds, against={f"numpy_fixed_k{arms}": target}))
        plain = _plain(partial(drawn.fixed_run, place.table(), plain_rounds, 1.0))
        found.append(TimedCall(f"numpy_fixed_k{arms}", plain, plain_rounds, slow=True, note="scores updated, not computed afresh"))
    for arms, dimension, least, aim in ((25, 5, 70.0, 100.0), (100, 5, 28.0, 60.0), (25, 20, 12.0, None), (25, 64, 4.0, None)):
        name, units = f"fresh_k{arms}_d{dimension}", rounds * 5 // dimension
        against: dict[str, Target | None] = {f"numpy_{name}": Target(at_least=least, aim=aim, source="issue 17, 1")}
        if (arms, dimension) == (25, 5):
            against |= dict.fromkeys((*peers.NAMES, "random_blocks"))
        found.append(TimedCall(name, run(ridge, Sphere(dimension, arms), units), units, against=against))
        plain = _plain(partial(drawn.fresh_run, arms, dimension, plain_rounds, 1.0))
        found.append(TimedCall(f"numpy_{name}", plain, plain_rounds, slow=True))
    uniform = LinUCB(Noise.NONE, rule=Rule.UNIFORM)
    found.append(TimedCall("uniform_play", run(uniform, Sphere(), rounds), rounds, note="arms at random, but it learns"))
    words = np.array([*KEY, 0], dtype=np.uint64)
    found.append(TimedCall("random_blocks", lambda: lambda: draw(words, BLOCKS * rounds), rounds, note="of a set and a node, left alone"))
    return found


def _private(rounds: int, plain_rounds: int) -> list[TimedCall]:
    target, found = Target(at_least=75.0, aim=100.0, source="issue 17, 2"), []
    nodes = {Noise.GAUSSIAN: drawn.gaussian_node(5, SIGMA), Noise.WISHART: drawn.wishart_node(5, DEGREES, 2.0**0.5)}
    for noise, node in nodes.items():
        policy = LinUCB(noise, planned_horizon=PLANNED_HORIZON)
        against: dict[str, Target | None] = {f"numpy_{noise.value}": target}
        if noise is Noise.GAUSSIAN:
            against["numpy_gaussian_ready"] = None
        found.append(TimedCall(noise.value, run(policy, Sphere(), rounds), rounds, against=against))
        plain = _plain(partial(drawn.private_run, 25, 5, plain_rounds, node, SHIFT, RADIUS))
        found.append(TimedCall(f"numpy_{noise.value}", plain, plain_rounds, slow=True))
    sets = np.random.default_rng(SEED).normal(size=(plain_rounds, 25, 5))
    sets /= np.linalg.norm(sets, axis=2, keepdims=True)
    frozen = _plain(partial(ready.private_run, sets, SIGMA, SHIFT, RADIUS))
    found.append(TimedCall("numpy_gaussian_ready", frozen, plain_rounds, slow=True, note="plain/lin_ucb.py: sets are ready"))
    shared = rounds // 8 * 8
    found.append(TimedCall("together", lambda: lambda: _together(shared // 8), shared, unit="learner's round", against={"wishart": None}))
    return found


def _plain(work: Callable[[np.random.Generator], object]) -> Callable[[], Work]:
    return lambda: lambda: work(np.random.default_rng(SEED))


def _together(rounds: int) -> object:
    sets = Sphere()
    shifted = [
        LinUCB(noise, planned_horizon=PLANNED_HORIZON, rho_min=rho)
        for noise in (Noise.GAUSSIAN, Noise.WISHART)
        for rho in (1e4, 1e5, 1e6, 1e7)
    ]
    states = states_together(shifted, sets.arms, sets.dimension, rounds, rounds_in_turn(sets))
    return play_together([Pipeline(policy, sets) for policy in shifted], horizon=rounds, key=KEY, states=states)
