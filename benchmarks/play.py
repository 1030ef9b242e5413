"""What a round of the loop costs: UCB1 on Bernoulli arms, beside the one random number that a round needs and plain Python.

By hand in Python (plain/play.py) it plays the same arms, which is checked; step by step it is our loop without the compiler.
"""

from collections.abc import Callable, Sequence

import numpy as np

from banditproof import randomness
from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.algorithms.mechanisms.shuffler import UniformShuffler
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.algorithms.policies.ucb1 import UCB1
from banditproof.interaction import Pipeline, Wire, Words
from banditproof.kernels import compiled
from banditproof.randomness import key_of
from banditproof.simulation import play, play_many
from benchmarks.plain import play as plain
from benchmarks.runner.cases import Case, Scale, TimedCall, Work

LONG = False
STEPWISE, KEY = 3_000, key_of(17, "benchmark")
THREE, TEN = Bernoulli((0.2, 0.5, 0.8)), Bernoulli(tuple(np.linspace(0.2, 0.8, 10).tolist()))


def _draw(key: Words, rounds: int) -> float:
    total = 0.0
    for round in range(rounds):
        total += randomness.uniform(key, randomness.REWARDS, round)
    return total


draw = compiled(_draw)


def cases(scale: Scale) -> Sequence[Case]:
    rounds, key = scale.of(1_000_000, 100_000), np.array([*KEY, 0], dtype=np.uint64)
    numbers = plain.uniforms(KEY, rounds // 10)
    beside = dict.fromkeys(("philox", "ucb1_k3"))
    crowded = Pipeline(UCB1(), THREE, LocalLaplace(1.0), shuffler=UniformShuffler(100))
    pipelines = {"ucb1_k10": Pipeline(UCB1(), TEN), "ucb1_local_shuffled": crowded, "tree_ucb_k3": Pipeline(TreeUCB(1.0), THREE)}
    many, short = Pipeline(UCB1(), THREE), rounds // 1000

    def by_hand() -> Work:
        chosen = play(many, horizon=len(numbers), key=KEY).wire(Wire.ARMS).tolist()
        if plain.ucb1(THREE.means, numbers)[0] != chosen:
            raise RuntimeError("the plain reference plays other arms: nothing to compare")
        return lambda: plain.ucb1(THREE.means, numbers)

    return [
        TimedCall("philox", lambda: lambda: draw(key, rounds), rounds, note="one random number per round, alone"),
        TimedCall("ucb1_k3", _one(many, rounds), rounds, against=dict.fromkeys(("philox", "python_by_hand", "stepwise"))),
        TimedCall("python_by_hand", by_hand, len(numbers)),
        TimedCall("stepwise", lambda: lambda: play(many, horizon=STEPWISE, key=KEY, record=(), stepwise=True), STEPWISE, slow=True),
        TimedCall("ucb1_runs_of_1000", lambda: lambda: play_many(many, horizon=1000, key=KEY, runs=short), 1000 * short, against=beside),
        TimedCall("ucb1_recorded", _one(many, rounds, (Wire.ARMS, Wire.STATISTIC)), rounds, against=beside, note="arms and statistics"),
        *(TimedCall(name, _one(pipeline, rounds), rounds, against=beside) for name, pipeline in pipelines.items()),
    ]


def _one(pipeline: Pipeline, rounds: int, record: tuple[Wire, ...] = ()) -> Callable[[], Work]:
    return lambda: lambda: play(pipeline, horizon=rounds, key=KEY, record=record)
