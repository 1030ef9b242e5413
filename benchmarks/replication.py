"""Replication over two cores: the same tasks in this process and on two workers that were started before, wall-clock time.

The efficiency of n workers is the time of one divided by n times the time of n. It means something on idle cores alone: where others
used the machine, the table says so.
"""

from collections.abc import Callable, Sequence

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.audits.running.workers import completed
from banditproof.interaction import Pipeline
from banditproof.randomness import key_of
from banditproof.simulation import play
from benchmarks.runner.cases import Case, Clock, Scale, Target, TimedCall, Work

LONG = False
TASKS, KEY = 16, key_of(17, "benchmark")


def played(task: tuple[int, int]) -> float:
    """Total regret of run `task[0]` of task[1] rounds."""
    run, rounds = task
    return float(play(Pipeline(LinUCB(Noise.NONE), Sphere()), horizon=rounds, key=KEY, run=run, record=()).regret[-1])


def cases(scale: Scale) -> Sequence[Case]:
    rounds, tasks = scale.of(1_000_000, 30_000), f"{TASKS} tasks of LinUCB"
    target = Target(at_least=1.8, source="issue 17, 6: 0.9 of two cores")
    return [
        TimedCall("two_workers", _on(2, rounds), TASKS * rounds, clock=Clock.WALL, against={"one_worker": target}, slow=True, note=tasks),
        TimedCall("one_worker", _on(1, rounds), TASKS * rounds, clock=Clock.WALL, slow=True, note=tasks),
    ]


def _on(jobs: int, rounds: int) -> Callable[[], Work]:
    def prepare() -> Work:
        list(completed(played, [(run, 1) for run in range(TASKS)], jobs))  # workers start, and find compiled kernels
        return lambda: list(completed(played, [(run, rounds) for run in range(TASKS)], jobs))

    return prepare
