"""Replication over two cores, wall-clock time: independent runs of LinUCB in one thread, in two threads, and in two processes.

The efficiency of n workers is the time of one divided by n times the time of n. It means something on idle cores alone: where others
used the machine, the table says so.
"""

from collections.abc import Callable, Sequence

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.audits.running.replication import replicate
from banditproof.interaction import Pipeline
from banditproof.randomness import key_of
from benchmarks.runner.cases import Case, Clock, Scale, Target, TimedCall, Work

LONG = False
RUNS, KEY = 16, key_of(17, "benchmark")


def cases(scale: Scale) -> Sequence[Case]:
    rounds, note = scale.of(1_000_000, 30_000), f"{RUNS} runs of LinUCB"
    target = Target(at_least=1.8, source="issue 17, 6: 0.9 of two cores")
    ways = {"two_threads": (2, "threads", target), "two_processes": (2, "processes", None)}
    return [
        TimedCall("one_thread", _played(1, "threads", rounds), RUNS * rounds, clock=Clock.WALL, slow=True, note=note),
        *(
            TimedCall(
                name, _played(jobs, backend, rounds), RUNS * rounds, clock=Clock.WALL, against={"one_thread": asked}, slow=True, note=note
            )
            for name, (jobs, backend, asked) in ways.items()
        ),
    ]


def _played(jobs: int, backend: str, rounds: int) -> Callable[[], Work]:
    def replicated(horizon: int) -> object:
        pipeline = Pipeline(LinUCB(Noise.NONE), Sphere())
        return replicate(pipeline, horizon=horizon, key=KEY, runs=RUNS, jobs=jobs, backend=backend)

    def prepare() -> Work:
        replicated(1)  # workers start, and find compiled kernels
        return lambda: replicated(rounds)

    return prepare
