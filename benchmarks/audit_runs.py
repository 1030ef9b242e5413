"""Complete runs per second as privacy audits draw them: T = 100, K = 5, one reward replaced, through `PolicyMechanism.release`, a cell of
runs at a time.

"two_workers" is wall-clock time of two worker processes, which begin in it as copies of this one (30 ms); so they draw for half a second or
more. The other cases are CPU time of one process. In plain Python the same release is drawn run by run (plain/tree_ucb.py).
"""

from collections.abc import Callable, Sequence

import numpy as np

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.audits.running.workers import completed
from banditproof.audits.statistics.sampling import CELL, cells
from banditproof.interaction import Pipeline
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import key_of
from benchmarks.plain import tree_ucb as plain
from benchmarks.runner.cases import Case, Clock, Scale, Target, TimedCall, Work

LONG = False
ROUNDS, ARMS, EPSILON, SEED, TASKS, CELLS = 100, 5, 1.0, 17, 8, 3
TABLE = np.full((ROUNDS, ARMS), 0.5)
POLICIES: dict[str, TreeUCB | RobustElimination] = {"tree_ucb": TreeUCB(EPSILON), "elimination": RobustElimination(EPSILON)}
ASKED = {"tree_ucb": 6e5, "elimination": 2e6}


def released(task: tuple[str, int, int]) -> int:
    """Draws so many outputs of a policy from a seed; returns how many, so that nothing large travels between processes."""
    name, runs, seed = task
    policy = POLICIES[name]
    environment = Bernoulli((0.5,) * ARMS)
    mechanism = PolicyMechanism(Pipeline(policy, environment), policy.guarantee(), 0, ROUNDS, policy.theorems)
    return sum(len(mechanism.release(TABLE, count, rng)) for count, rng in cells(key_of(seed), runs))


def cases(scale: Scale) -> Sequence[Case]:
    runs, plain_runs = scale.of(CELL, CELL // 4), scale.of(200, 50)
    each = CELLS * runs  # of a task
    found: list[Case] = []
    for name, least in ASKED.items():
        target = Target(at_least=least, source="issue 17, 5")
        beside = {"python_tree_ucb": None} if name == "tree_ucb" else {}
        half = Target(at_least=least / 2, source="issue 17, 5: half of what two cores are asked")
        found.append(TimedCall(name, _alone(name, runs), runs, unit="run", against=beside, throughput=half))
        found.append(
            TimedCall(
                f"{name}_two_workers",
                _two(name, each),
                TASKS * each,
                unit="run",
                clock=Clock.WALL,
                throughput=target,
                against={name: None},
                note="the case it is compared with is CPU time of one process",
            )
        )
    python = TimedCall("python_tree_ucb", lambda: lambda: _by_hand(plain_runs), plain_runs, unit="run", slow=True, note="run by run")
    return [*found, python]


def _alone(name: str, runs: int) -> Callable[[], Work]:
    return lambda: lambda: released((name, runs, SEED))


def _two(name: str, runs: int) -> Callable[[], Work]:
    tasks = [(name, runs, SEED + task) for task in range(TASKS)]
    return lambda: lambda: list(completed(released, tasks, 2))


def _by_hand(runs: int) -> object:
    rng, table = np.random.default_rng(SEED), TABLE.tolist()
    return [plain.run(table, EPSILON, rng) for _ in range(runs)]
