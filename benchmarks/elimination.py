"""Replicated runs of arm elimination, K = 11, T = 1e5, and of the other policies of the same figures.

Robust elimination beside a loop of plain Python, NumPy with one array per batch (plain/elimination.py, plain/bernoulli_elimination.py), and
drawing as many Pareto rewards and adding them up, compiled. RUCB's running medians beside a sorted list of Python's.
"""

import bisect
import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.environments.common.scaling import unit_scale
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.policies import median_ucb
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.interaction import Environment, Pipeline, Policy, Words
from banditproof.kernels import compiled
from banditproof.randomness import REWARDS, key_of, uniform
from banditproof.simulation import play_many
from benchmarks.plain import bernoulli_elimination, elimination
from benchmarks.runner.cases import Case, Scale, Target, TimedCall, Work

LONG = False
ARMS, HORIZON, SEED, EPSILON = 11, 100_000, 17, 1.0
KEY = key_of(SEED)


def _draw(key: Words, rounds: int, scale: float, exponent: float) -> float:
    total = 0.0
    for round in range(rounds):
        total += scale * math.pow(1.0 - uniform(key, REWARDS, round), exponent)
    return total


def _medians(values: np.ndarray) -> float:
    row, middle = np.zeros(values.size), 0.0
    for count in range(values.size):
        middle = insert(row, count, values[count])
    return middle


insert = median_ucb.insert
draw, medians = compiled(_draw), compiled(_medians, allocates=True)


def _sorted_medians(values: np.ndarray) -> float:
    ordered: list[float] = []
    middle = 0.0
    for value in values.tolist():
        bisect.insort(ordered, value)
        middle = ordered[len(ordered) // 2]
    return middle


def pareto() -> Pareto:
    """Rewards without a third moment, second moments at most 1."""
    environment = Pareto((3.0,) * ARMS, (40.0,) * ARMS, tuple(97.5 - 10.0 * arm for arm in range(ARMS)))
    return environment.rescaled(0.0, unit_scale(environment.second_moments()))


def bernoulli() -> Bernoulli:
    """Means 0.9, 0.82, ..., 0.1."""
    return Bernoulli(tuple(0.9 - 0.08 * arm for arm in range(ARMS)))


def cases(scale: Scale) -> Sequence[Case]:
    heavy, coins, runs = pareto(), bernoulli(), scale.of(10, 3)
    words = np.array([*KEY, 0], dtype=np.uint64)
    problem = (list(heavy.shifts), heavy.scales[0], 3.0, HORIZON, EPSILON)
    values = np.random.default_rng(SEED).standard_cauchy(HORIZON)
    twenty, thousands = (Target(at_least=times, source="issue 17, 4") for times in (20.0, 2000.0))
    others: dict[str, Policy] = {
        "prae_c": CentralElimination(EPSILON, 7.0, threshold_factor=0.01),
        "dprse": SuccessiveElimination(EPSILON, batch_constant=1.0),
        "rucb": MedianUCB(0.05),
    }
    return [
        TimedCall(
            "pareto",
            _runs(RobustElimination(EPSILON), heavy, runs),
            runs * HORIZON,
            against={"python_pareto": twenty, "numpy_pareto": None, "bare_draws": None},
        ),
        TimedCall("python_pareto", _plain(partial(elimination.by_round, *problem)), HORIZON, slow=True),
        TimedCall("numpy_pareto", _plain(partial(elimination.by_batch, *problem)), HORIZON, note="one array per batch and arm"),
        TimedCall("bare_draws", lambda: lambda: draw(words, HORIZON * runs, 1.0, -1.0 / 3.0), HORIZON * runs, note="no run, one core"),
        TimedCall(
            "bernoulli",
            _tallied(RobustElimination(EPSILON), coins, 300 * runs),
            300 * runs * HORIZON,
            against={"python_bernoulli": thousands, "bernoulli_by_reward": None},
            note="by a batch's counts: equal in distribution to single rewards",
        ),
        TimedCall("bernoulli_by_reward", _runs(RobustElimination(EPSILON), coins, 10 * runs), 10 * runs * HORIZON),
        TimedCall(
            "python_bernoulli",
            _plain(partial(bernoulli_elimination.by_round, list(coins.means), HORIZON, EPSILON)),
            HORIZON,
            slow=True,
        ),
        *(
            TimedCall(name, _runs(policy, heavy, runs), runs * HORIZON, against={"pareto": None}, note="Pareto rewards")
            for name, policy in others.items()
        ),
        TimedCall("median", lambda: lambda: medians(values), HORIZON, unit="reward", against={"python_median": None}),
        TimedCall("python_median", lambda: lambda: _sorted_medians(values), HORIZON, unit="reward", slow=True, note="a sorted list"),
    ]


def _runs(policy: Policy, environment: Environment, runs: int) -> Callable[[], Work]:
    return lambda: lambda: play_many(Pipeline(policy, environment), horizon=HORIZON, key=KEY, runs=runs)


def _tallied(policy: Policy, environment: Environment, runs: int) -> Callable[[], Work]:
    return lambda: lambda: play_many(Pipeline(policy, environment), horizon=HORIZON, key=KEY, runs=runs, tallies=True)


def _plain(work: Callable[[np.random.Generator], object]) -> Callable[[], Work]:
    return lambda: lambda: work(np.random.default_rng(SEED))
