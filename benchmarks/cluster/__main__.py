"""What a Dask cluster costs: python -m benchmarks.cluster [SECONDS OF WORK]

Starts a scheduler and one, two and three workers on the loopback, and prints for each: seconds until the cluster is ready for cells (its
software compared), seconds per empty cell, bytes per cell, and how long replications take there, against threads of one process and one
thread. Wall-clock ratios mean something on idle cores alone; CPU seconds of all processes, against those of one thread, on any.
"""

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import banditproof as bp
from banditproof.audits.running import cluster, run
from banditproof.audits.running.audit import Request
from banditproof.audits.running.registry import select
from banditproof.simulation import play_many

CELLS = 2000
HORIZON = 1 << 18
PIPELINE = bp.Pipeline(bp.UCB1(), bp.Bernoulli((0.3, 0.6, 0.7)))
KEY = bp.key_of(17, "cluster")


@contextmanager
def loopback(workers: int) -> Iterator[tuple[str, list[int]]]:
    """A scheduler and workers: the scheduler's address, and the processes."""
    with tempfile.TemporaryDirectory() as folder:
        file, quiet = Path(folder, "scheduler.json"), {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
        dask = [sys.executable, "-m", "dask"]
        options = ["--no-dashboard", "--scheduler-file", str(file)]
        begun = [subprocess.Popen([*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *options], **quiet)]
        own = ["--no-nanny", "--nthreads", "1", "--local-directory", folder]
        begun += [subprocess.Popen([*dask, "worker", *options, *own], **quiet) for _ in range(workers)]
        try:
            while not file.exists() or not file.read_text():
                time.sleep(0.05)
            address = json.loads(file.read_text())["address"]
            from distributed import Client

            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(workers)
            yield address, [process.pid for process in begun]
        finally:
            for process in begun:
                process.kill()
                process.wait()


def spent(processes: list[int]) -> float:
    """CPU seconds of this process and of others."""
    ticks = os.sysconf("SC_CLK_TCK")
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in processes]
    return time.process_time() + sum(int(each[11]) + int(each[12]) for each in fields) / ticks


def measured(work: Callable[[], object], processes: list[int]) -> tuple[float, float]:
    """Wall-clock and CPU seconds."""
    wall, cpu = time.perf_counter(), spent(processes)
    work()
    return time.perf_counter() - wall, spent(processes) - cpu


def bytes_of_cells() -> tuple[int, int]:
    """Of an audit's task, and of its result."""
    audit = select("dwork_2006.laplace_privacy/agree*")[0]
    request = Request(1e-5, 17, audit.seed_path)
    packed, modules = cluster._packed(run._cell, run._Task(audit.id, request, profile=False))
    return len(pickle.dumps((packed, "0" * 24, modules))), len(pickle.dumps(run.run_one(audit, request)))


def main() -> None:
    single = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    if any(os.environ.get(name) != value for name, value in single.items()):  # read when numpy is imported, which it is by now
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **single})
    seconds = float(sys.argv[1]) if sys.argv[1:] else 10.0
    options = {"horizon": HORIZON, "key": KEY}
    play_many(PIPELINE, **options, runs=1)
    _, one = measured(lambda: play_many(PIPELINE, **options, runs=20), [])
    runs = max(8, round(20 * seconds / one))
    print("bytes of an audit's cell: task {}, result {}".format(*bytes_of_cells()))
    best: dict[str, list[tuple[float, float]]] = {}
    for _ in range(3):
        best.setdefault("one thread", []).append(measured(lambda: bp.replicate(PIPELINE, **options, runs=runs, jobs=1), []))
        best.setdefault("two threads", []).append(measured(lambda: bp.replicate(PIPELINE, **options, runs=runs, jobs=2), []))
    for workers in (1, 2, 3):
        with loopback(workers) as (address, processes):
            began = time.perf_counter()
            with cluster.connected(address, print) as there:
                ready = time.perf_counter() - began
                wall, cpu = measured(lambda: list(there.completed(abs, range(CELLS))), processes)
                print(
                    f"{workers} workers: ready in {ready:.2f} s; empty cell {1e3 * wall / CELLS:.2f} ms, of CPU {1e3 * cpu / CELLS:.2f} ms"
                )
            for _ in range(3):
                best["one thread"].append(measured(lambda: bp.replicate(PIPELINE, **options, runs=runs, jobs=1), []))
                each = measured(lambda: bp.replicate(PIPELINE, **options, runs=runs, scheduler=address), processes)
                best.setdefault(f"{workers} workers", []).append(each)
    alone = min(wall for wall, _ in best["one thread"])
    for name, each in best.items():
        wall, cpu = min(wall for wall, _ in each), min(cpu for _, cpu in each)
        print(f"{name}: {runs} runs of {HORIZON} rounds in {wall:.2f} s ({alone / wall:.2f} times one thread), {cpu:.2f} s of CPU")


if __name__ == "__main__":
    main()
