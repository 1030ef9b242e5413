"""One private run of LinUCB at the scale of Shariff and Sheffet's experiment D.2, in a process of its own: its time, memory and drift.

    python -m benchmarks.long_run NOISE ROUNDS     plays the run and prints what it found as JSON

A minute or two per noise: measured only where named. `true_parameter` makes the policy report, in its last round, the rounds that the good
event excludes and the drift of the inverse, relative, over all directions. Drift is largest just before the inverse is renewed, so the run
ends one round before the paper's last one.
"""

import json
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.policies.lin_ucb.kernels import DIAGNOSTICS, Diagnostics
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.interaction import Pipeline, Wire
from banditproof.randomness import key_of
from banditproof.simulation import stream
from benchmarks.runner.cases import Case, Figure, Scale, Target
from benchmarks.runner.processes import peak_kilobytes
from benchmarks.runner.results import ROOT

LONG = True
KEY, PLANNED_HORIZON = key_of(17, "benchmark"), 50_000_000


def cases(scale: Scale) -> Sequence[Case]:
    found: list[Case] = []
    for noise in (Noise.GAUSSIAN, Noise.WISHART):
        rounds = scale.of(PLANNED_HORIZON - 1, 100_000)
        run, note = _Run(noise, rounds), f"{rounds:,} rounds"
        found += [
            Figure(f"{noise.value}_seconds", run.found("seconds"), "s", note=f"{note}, CPU"),
            Figure(f"{noise.value}_peak", run.found("megabytes"), "MB", Target(at_most=300.0, source="issue 17, 7"), note),
            Figure(f"{noise.value}_drift", run.found("drift"), "relative", Target(at_most=1e-8, source="issue 17, 3"), note),
        ]
    return found


class _Run:
    """A run in a child, played once, when its first number is asked for."""

    def __init__(self, noise: Noise, rounds: int) -> None:
        self._command = [sys.executable, "-m", "benchmarks.long_run", noise.value, str(rounds)]
        self._found = dict[str, float]()

    def found(self, name: str) -> Callable[[], float]:
        def measured() -> float:
            if not self._found:
                done = subprocess.run(self._command, cwd=ROOT, capture_output=True, text=True)
                if done.returncode != 0:
                    raise RuntimeError(f"{' '.join(self._command[1:])}: exit code {done.returncode}: {done.stderr[-2000:]}")
                self._found = json.loads(done.stdout)
            return self._found[name]

        return measured


def played(noise: Noise, rounds: int) -> dict[str, float]:
    """The numbers of a run in this process."""
    policy = LinUCB(noise, planned_horizon=PLANNED_HORIZON, true_parameter=(1.0, 0.0, 0.0, 0.0, 0.0))
    start = time.process_time()
    last = deque(stream(Pipeline(policy, Sphere()), horizon=rounds, key=KEY, record=(Wire.STATISTIC,)), maxlen=1)[0]
    found = Diagnostics(*last.wire(Wire.STATISTIC)[-1, -DIAGNOSTICS:])
    return {
        "seconds": time.process_time() - start,
        "megabytes": peak_kilobytes(os.getpid()) / 1024,
        "regret": float(last.regret[0]),
        **{name: float(number) for name, number in found._asdict().items()},
    }


if __name__ == "__main__":
    print(json.dumps(played(Noise(sys.argv[1]), int(sys.argv[2]))))
