"""What a round costs, as ratios within one run: `python benchmarks/play.py` (about 40 s).

The measure is the bare cost of the one random number that a round needs: a compiled loop over Philox blocks. Beside it, the same policy
step by step in plain Python, and UCB1 as one would write it by hand (benchmarks/plain/play.py), which plays the same arms.
"""

import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

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

ROUNDS, STEPWISE, REPEATS, KEY = 1_000_000, 3_000, 7, key_of(17, "benchmark")
THREE, TEN = Bernoulli((0.2, 0.5, 0.8)), Bernoulli(tuple(np.linspace(0.2, 0.8, 10).tolist()))


def _draw(key: Words, rounds: int) -> float:
    total = 0.0
    for round in range(rounds):
        total += randomness.uniform(key, randomness.REWARDS, round)
    return total


draw = compiled(_draw)


def _plain() -> Any:
    spec = importlib.util.spec_from_file_location("plain_play", Path(__file__).parent / "plain" / "play.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def one(pipeline: Pipeline, rounds: int = ROUNDS, **options: Any) -> Callable[[], Any]:
    return lambda: play(pipeline, horizon=rounds, key=KEY, **{"record": (), **options})


def main() -> None:
    plain, key = _plain(), np.array([*KEY, 0], dtype=np.uint64)
    numbers = plain.uniforms(KEY, ROUNDS // 10)
    crowded = Pipeline(UCB1(), THREE, LocalLaplace(1.0), shuffler=UniformShuffler(100))
    by_hand, ours = plain.ucb1(THREE.means, numbers), play(Pipeline(UCB1(), THREE), horizon=len(numbers), key=KEY)
    if by_hand[0] != ours.wire(Wire.ARMS).tolist():
        raise SystemExit("the plain reference plays other arms: nothing to compare")
    cases: dict[str, tuple[Callable[[], Any], int]] = {
        "Philox alone": (lambda: draw(key, ROUNDS), ROUNDS),
        "UCB1, K = 3": (one(Pipeline(UCB1(), THREE)), ROUNDS),
        "UCB1, K = 10": (one(Pipeline(UCB1(), TEN)), ROUNDS),
        "UCB1, 1000 runs of 1000 rounds": (lambda: play_many(Pipeline(UCB1(), THREE), horizon=1000, key=KEY, runs=ROUNDS // 1000), ROUNDS),
        "UCB1, arms and statistics recorded": (one(Pipeline(UCB1(), THREE), record=(Wire.ARMS, Wire.STATISTIC)), ROUNDS),
        "UCB1, local noise and shuffled batches": (one(crowded), ROUNDS),
        "TreeUCB, K = 3": (one(Pipeline(TreeUCB(1.0), THREE)), ROUNDS),
        "UCB1 by hand in Python": (lambda: plain.ucb1(THREE.means, numbers), len(numbers)),
        "UCB1 step by step": (one(Pipeline(UCB1(), THREE), STEPWISE, stepwise=True), STEPWISE),
    }
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for repeat in range(REPEATS + 1):  # in turn, so that all see the same machine; the first compiles
        for name, (call, rounds) in cases.items():
            start = time.process_time()
            call()
            if repeat:
                seconds[name].append((time.process_time() - start) / rounds)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    philox, compiled_round = medians["Philox alone"], medians["UCB1, K = 3"]
    sys.stdout.write(f"CPU time of a round, median of {REPEATS}; {ROUNDS:,} rounds where compiled\n")
    for name, value in medians.items():
        sys.stdout.write(
            f"{name:40} {value * 1e9:10.1f} ns   / Philox {value / philox:9.1f}   / UCB1 compiled {value / compiled_round:8.2f}\n"
        )


if __name__ == "__main__":
    main()
