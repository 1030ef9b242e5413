"""What a replicated run of arm elimination costs, K = 11, T = 1e5, Pareto rewards: `python benchmarks/elimination.py` (about 30 s).

Ratios within one run of this script: to drawing as many Pareto rewards and adding them up, compiled; to a loop of plain Python; to NumPy
with one array per batch (both in benchmarks/plain/elimination.py). Bernoulli rewards drawn by their counts in a batch (`tallies`): to a
loop of plain Python (benchmarks/plain/elimination_bernoulli.py), and to single rewards. The other policies of the same figures: to PRAE-R,
and for RUCB's running medians to a sorted list of Python's.
"""

import bisect
import importlib.util
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.common.scaling import unit_scale
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.policies import median_ucb
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.interaction import Pipeline, Words
from banditproof.kernels import compiled
from banditproof.randomness import REWARDS, key_of, uniform
from banditproof.simulation import play_many

ARMS, HORIZON, RUNS, REPEATS, SEED, EPSILON = 11, 100_000, 10, 7, 17, 1.0
TALLIED = 1000  # runs drawn by counts: a call takes a few milliseconds by itself


def _draw(key: Words, rounds: int, scale: float, exponent: float) -> float:
    total = 0.0
    for round in range(rounds):
        total += scale * math.pow(1.0 - uniform(key, REWARDS, round), exponent)
    return total


draw = compiled(_draw)


def _plain(name: str = "elimination"):  # type: ignore[no-untyped-def]
    spec = importlib.util.spec_from_file_location(f"plain_{name}", Path(__file__).parent / "plain" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _nanoseconds(work: Callable[[], object], rounds: int, repeats: int) -> float:
    """Least CPU time a round."""
    work()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) / rounds * 1e9


def _medians(values: np.ndarray) -> float:
    row, middle = np.zeros(values.size), 0.0
    for count in range(values.size):
        middle = insert(row, count, values[count])
    return middle


insert = median_ucb.insert
medians = compiled(_medians, allocates=True)


def _sorted_medians(values: np.ndarray) -> float:
    ordered: list[float] = []
    middle = 0.0
    for value in values.tolist():
        bisect.insort(ordered, value)
        middle = ordered[len(ordered) // 2]
    return middle


def _others(environment: Pareto, reference: float) -> None:
    policies = {
        "PRAE-C": CentralElimination(EPSILON, 7.0, threshold_factor=0.01),
        "DPRSE": SuccessiveElimination(EPSILON, batch_constant=1.0),
        "RUCB": MedianUCB(0.05),
    }
    for name, policy in policies.items():
        pipeline, key = Pipeline(policy, environment), key_of(SEED)
        spent = _nanoseconds(lambda: play_many(pipeline, horizon=HORIZON, key=key, runs=RUNS), HORIZON * RUNS, REPEATS)  # noqa: B023
        sys.stdout.write(f"{name:<7}{spent * HORIZON / 1e6:6.2f} ms per run: {spent / reference:.2f} times PRAE-R\n")
    values = np.random.default_rng(SEED).standard_cauchy(HORIZON)
    heaps, listed = (_nanoseconds(lambda: work(values), HORIZON, 3) for work in (medians, _sorted_medians))  # noqa: B023
    sys.stdout.write(f"a running median {heaps:.0f} ns a reward, of a sorted list {listed:.0f} ns: 1/{listed / heaps:.0f}\n")


def _tallies() -> None:
    plain, environment, key = _plain("elimination_bernoulli"), Bernoulli(tuple(0.9 - 0.08 * arm for arm in range(ARMS))), key_of(SEED)
    pipeline = Pipeline(RobustElimination(EPSILON), environment)
    rounds = _nanoseconds(lambda: plain.by_round(environment.means, HORIZON, EPSILON, np.random.default_rng(SEED)), 1, 3)
    single = _nanoseconds(lambda: play_many(pipeline, horizon=HORIZON, key=key, runs=RUNS), RUNS, REPEATS)
    counted = _nanoseconds(lambda: play_many(pipeline, horizon=HORIZON, key=key, runs=TALLIED, tallies=True), TALLIED, REPEATS)
    sys.stdout.write(
        f"Bernoulli rewards by their counts {counted / 1e3:.1f} us per run: of plain Python 1/{rounds / counted:.0f}, of single rewards"
        f" 1/{single / counted:.0f}\n"
    )


def main() -> None:
    environment = Pareto((3.0,) * ARMS, (40.0,) * ARMS, tuple(97.5 - 10.0 * arm for arm in range(ARMS)))
    environment = environment.rescaled(0.0, unit_scale(environment.second_moments()))
    pipeline, key, plain = Pipeline(RobustElimination(EPSILON), environment), key_of(SEED), _plain()
    problem = (list(environment.shifts), environment.scales[0], 3.0, HORIZON, EPSILON)
    words = np.array([*key, 0], dtype=np.uint64)
    run = _nanoseconds(lambda: play_many(pipeline, horizon=HORIZON, key=key, runs=RUNS), HORIZON * RUNS, REPEATS)
    bare = _nanoseconds(lambda: draw(words, HORIZON * RUNS, 1.0, -1.0 / 3.0), HORIZON * RUNS, REPEATS)
    rounds = _nanoseconds(lambda: plain.by_round(*problem, np.random.default_rng(SEED)), HORIZON, 3)
    batches = _nanoseconds(lambda: plain.by_batch(*problem, np.random.default_rng(SEED)), HORIZON, REPEATS)
    sys.stdout.write(
        f"K = {ARMS}, T = {HORIZON:,}, least of {REPEATS}: {run * HORIZON / 1e6:.2f} ms per run, {run:.1f} ns per round\n"
        f"of bare draws {bare:5.1f} ns: {run / bare:.2f} times   of plain Python {rounds:.0f} ns: 1/{rounds / run:.1f}"
        f"   of NumPy by batch {batches:.1f} ns: {run / batches:.2f} times\n"
    )
    _tallies()
    _others(environment, run)


if __name__ == "__main__":
    main()
