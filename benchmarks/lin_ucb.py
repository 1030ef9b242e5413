"""What a round of LinUCB costs on the sets of experiment D.2, d = 5, K = 25: `python benchmarks/lin_ucb.py` (about 40 s).

Ratios within one run of this script: to the random blocks that a decision set and a node's noise take, drawn and left alone; and to NumPy
round by round (benchmarks/plain/lin_ucb.py), on decision sets that are ready. "Together" is a round of one of eight learners that share
sets and noise, four with each noise, as in a panel of D.3. `full` plays one private run of 5e7 rounds (about a minute) and reports its
time, the process's largest memory and the drift.
"""

import importlib.util
import resource
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.playing.together import play_together, rounds_in_turn
from banditproof.algorithms.policies.lin_ucb.kernels import DIAGNOSTICS, Diagnostics
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise, Rule, states_together
from banditproof.interaction import Pipeline, Wire, Words
from banditproof.kernels import compiled
from banditproof.randomness import CONTEXTS, block, key_of
from banditproof.simulation import play, stream

ROUNDS, PLAIN_ROUNDS, REPEATS, PLANNED_HORIZON, KEY = 1_000_000, 5_000, 5, 50_000_000, key_of(17, "benchmark")
BLOCKS = 13 + 7  # of a set of 25 vectors in five dimensions, eight numbers per block; of a Wishart node


def _draw(key: Words, blocks: int) -> np.uint64:
    total = np.uint64(0)
    for index in range(blocks):
        first, second, third, fourth = block(key, CONTEXTS, index)
        total ^= first ^ second ^ third ^ fourth
    return total


draw = compiled(_draw)


def _plain() -> Any:
    spec = importlib.util.spec_from_file_location("plain_lin_ucb", Path(__file__).parent / "plain" / "lin_ucb.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _run(policy: LinUCB, rounds: int = ROUNDS) -> Callable[[], object]:
    return lambda: play(Pipeline(policy, Sphere()), horizon=rounds, key=KEY, record=())


def _together() -> object:
    sets = Sphere()
    shifted = [
        LinUCB(noise, planned_horizon=PLANNED_HORIZON, rho_min=rho)
        for noise in (Noise.GAUSSIAN, Noise.WISHART)
        for rho in (1e4, 1e5, 1e6, 1e7)
    ]
    rounds = ROUNDS // len(shifted)
    states = states_together(shifted, sets.arms, sets.dimension, rounds, rounds_in_turn(sets))
    return play_together([Pipeline(policy, sets) for policy in shifted], horizon=rounds, key=KEY, states=states)


def _full(noise: Noise) -> None:
    """One run at the paper's scale. `true_parameter` makes the policy count the rounds that the good event excludes, and the drift."""
    policy = LinUCB(noise, planned_horizon=PLANNED_HORIZON, true_parameter=(1.0, 0.0, 0.0, 0.0, 0.0))
    start = time.process_time()
    last = deque(stream(Pipeline(policy, Sphere()), horizon=PLANNED_HORIZON, key=KEY, record=(Wire.STATISTIC,)), maxlen=1)[0]
    spent, most = time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = Diagnostics(*last.wire(Wire.STATISTIC)[-1, -DIAGNOSTICS:])
    sys.stdout.write(
        f"{noise.value}: {PLANNED_HORIZON:,} rounds in {spent:.1f} s of CPU, {most:.0f} MB at most, regret {last.regret[0]:,.0f}\n"
        f"  drift {found.drift:.1e}; rounds with V indefinite {found.indefinite:.0f}, radicand clamped {found.clamped:.0f}, "
        f"theta* outside {found.outside:.0f}; "
        f"last radius {found.radius:.4g}\n"
    )


def main() -> None:
    if sys.argv[1:2] == ["full"]:
        _full(Noise(sys.argv[2]) if len(sys.argv) > 2 else Noise.WISHART)
        return
    plain, words = _plain(), np.array([*KEY, 0], dtype=np.uint64)
    rng = np.random.default_rng(17)
    sets = rng.normal(size=(PLAIN_ROUNDS, 25, 5))
    sets /= np.linalg.norm(sets, axis=2, keepdims=True)
    cases: dict[str, tuple[Callable[[], object], int]] = {"random blocks alone": (lambda: draw(words, BLOCKS * ROUNDS), ROUNDS)}
    for noise in (Noise.NONE, Noise.GAUSSIAN, Noise.WISHART):
        cases[f"LinUCB, {noise.value}"] = (_run(LinUCB(noise, planned_horizon=PLANNED_HORIZON)), ROUNDS)
    cases["LinUCB, eight together"] = (_together, ROUNDS)
    cases["uniform play, which learns too"] = (_run(LinUCB(Noise.NONE, rule=Rule.UNIFORM)), ROUNDS)
    cases["NumPy, Gaussian"] = (lambda: plain.private_run(sets, 1000.0, 1e5, 300.0, np.random.default_rng(17)), PLAIN_ROUNDS)
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for repeat in range(REPEATS + 1):  # in turn, so that all see the same machine; the first compiles
        for name, (call, rounds) in cases.items():
            start = time.process_time()
            call()
            if repeat:
                seconds[name].append((time.process_time() - start) / rounds)
    least = {name: min(values) for name, values in seconds.items()}
    bare, numpy = least["random blocks alone"], least["NumPy, Gaussian"]
    sys.stdout.write(f"CPU time of a round, least of {REPEATS}; {ROUNDS:,} rounds where compiled\n")
    for name, value in least.items():
        sys.stdout.write(f"{name:32} {value * 1e9:9.0f} ns   / random blocks {value / bare:6.1f}   of NumPy's 1/{numpy / value:.1f}\n")


if __name__ == "__main__":
    main()
