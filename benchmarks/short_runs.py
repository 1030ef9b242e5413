"""Complete runs per second that audits of privacy draw, T = 100, K = 5: `python benchmarks/short_runs.py` (about 20 s).

Each view is drawn as audits draw it, by `PolicyMechanism.release`, in cells of 65,536 runs: by CPU time, the least of several in turn; and
by the clock with two processes at a time. Beside it the same runs by the loop over single rounds, which looks at every reward.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
from joblib import Parallel, delayed

from banditproof.algorithms.environments.bernoulli import Bernoulli
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.guarantees import View
from banditproof.interaction import Pipeline, Policy, Table, Wire
from banditproof.mechanism import PolicyMechanism
from banditproof.randomness import key_of
from banditproof.simulation import play_many

ARMS, HORIZON, RUNS, SINGLE, REPEATS, SEED = 5, 100, 65_536, 5_000, 7, 17
TABLE = np.random.default_rng(SEED).random((HORIZON, ARMS))


def policies(view: View) -> dict[str, Policy]:
    return {"private UCB": TreeUCB(1.0, view), "robust elimination": RobustElimination(1.0, view=view)}


def release(name: str, view: View, cells: int = 1) -> float:
    """Draws so many cells; returns the seconds that they took."""
    policy = policies(view)[name]
    guarantee = policy.guarantee()
    assert guarantee is not None
    mechanism = PolicyMechanism(Pipeline(policy, Bernoulli((0.5,) * ARMS)), guarantee, HORIZON // 2, HORIZON)
    mechanism.release(TABLE, 1, np.random.default_rng(SEED))
    start = time.perf_counter()
    for cell in range(cells):
        mechanism.release(TABLE, RUNS, np.random.default_rng(cell))
    return time.perf_counter() - start


def single(name: str) -> None:
    pipeline = Pipeline(policies(View.CENTRAL)[name], Table(TABLE))
    play_many(pipeline, horizon=HORIZON, key=key_of(SEED), runs=SINGLE, record=(Wire.ARMS, Wire.RECEIVED))


def main() -> None:
    names, views = tuple(policies(View.CENTRAL)), (View.CENTRAL, View.JOINT, View.WHITE_BOX)
    cases: dict[str, tuple[Callable[[], object], int]] = {}
    for name in names:
        cases[f"{name}, single rounds"] = (lambda name=name: single(name), SINGLE)
        cases |= {f"{name}, {view.value}": (lambda name=name, view=view: release(name, view), RUNS) for view in views}
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for repeat in range(REPEATS + 1):  # in turn, so that all see the same machine; the first compiles
        for name, (call, runs) in cases.items():
            start = time.process_time()
            call()
            if repeat:
                seconds[name].append((time.process_time() - start) / runs)
    for name, spent in seconds.items():
        sys.stdout.write(f"{name:36} {1.0 / min(spent):12,.0f} runs per second of CPU time\n")
    with Parallel(n_jobs=2) as parallel:
        parallel(delayed(release)(name, View.CENTRAL) for name in names)
        for name in names:
            taken = [max(parallel(delayed(release)(name, View.CENTRAL, 4) for _ in range(2))) for _ in range(3)]
            sys.stdout.write(f"{name:36} {8 * RUNS / min(taken):12,.0f} runs per second on two processes\n")


if __name__ == "__main__":
    main()
