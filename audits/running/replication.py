"""Many runs of one pipeline, over the cores of this machine or over a cluster, with checkpoints of what takes long.

The runs are cut into portions of equal size, whatever the number of workers: short runs many at a time, in one compiled call; runs of
more rounds than a block one by one, block by block. Compiled kernels let other threads run, so threads of this process play them, which
costs nothing to start; a policy that computes in Python gets processes. Each run depends on its key and number alone, so no number depends
on any of this.
"""

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from banditproof.audits.running import workers
from banditproof.audits.running.cluster import Cluster, at
from banditproof.audits.running.snapshots import RunFile, identity_of, live_arrays, restore, rounds_of
from banditproof.audits.running.workers import Backend, cores
from banditproof.guarantees import number, require, whole
from banditproof.interaction import Floats, Pipeline, Run, Words
from banditproof.kernels import plain
from banditproof.parties import marks_of, require_parties, words_of
from banditproof.simulation import BLOCK, Plan, play_many, stream

PORTION = 1 << 18  # rounds: some hundredths of a second, against one thousandth to begin with them
CELL = 1 << 23  # rounds at most of a cluster's cell of several portions: a second, against several thousandths to hand it out
EVERY = 30.0  # seconds of a run between its checkpoints


@dataclass(frozen=True)
class _Portion:
    """What a worker plays: runs first .. first + runs - 1. `file`: where it finds and notes how far it is."""

    pipeline: Pipeline
    horizon: int
    key: tuple[int, int]
    first: int
    runs: int
    checkpoints: tuple[int, ...]
    block: int
    every: float
    file: RunFile | None = None


def replicate(
    pipeline: Pipeline,
    *,
    horizon: int,
    key: Words,
    runs: int,
    first_run: int = 0,
    checkpoints: Sequence[int] | None = None,
    jobs: int | None = None,
    backend: Backend | str | None = None,
    scheduler: str | None = None,
    block: int = BLOCK,
    kept: str | Path | None = None,
    every: float = EVERY,
) -> Run:
    """Plays the independent replications first_run .. first_run + runs - 1 of a bandit algorithm on all cores, and returns the
    pseudo-regret of each, shape (R, C), in reward units, at `checkpoints` (numbers of rounds played; the horizon by default).

    `pipeline`, `horizon` and `key`, shape (2,), are those of `play`, and each replication is the run that `play` plays with its number, to
    the last bit, for any number of `jobs` (one per core by default), any `backend` and any `block`, the rounds that are played at once.
    `backend` is "threads" (compiled kernels, the default for them), "processes" (the default where the policy computes in Python) or
    "dask", with the address of the `scheduler` of a cluster (docs/cluster.md). Wires are not recorded: `play_many` does that.

    With the folder `kept` each finished portion of the runs is a file there, and a run that is longer than a block writes a checkpoint
    `every` so many seconds: whatever ends the process, the same call goes on from there, to the same bytes. On a cluster the starting
    process keeps what is finished, and a run that is lost with its worker begins again. A policy that chooses its batches has no
    checkpoints within a run.

    Raises ValueError, naming value and rule, as `play` does, and on a file in `kept` that is of other runs;
    `banditproof.audits.running.cluster.ClusterUnusable` on a cluster that cannot be reached or is lost.
    """
    require_parties(pipeline)
    horizon, runs = whole("horizon", horizon, 1, "rounds"), whole("runs", runs, 1, "replications")
    first_run, block = whole("first_run", first_run, 0), whole("block", block, 1, "rounds")
    if jobs is not None:
        whole("jobs", jobs, 1, "worker processes")
    require(number("every", every) >= 0.0, f"every = {every}: must be >= 0 (seconds between checkpoints)")
    marks = tuple(map(int, marks_of(checkpoints, horizon)))
    words, size = words_of(key), max(1, PORTION // horizon)
    portions = [
        _Portion(pipeline, horizon, words, first, min(size, first_run + runs - first), marks, block, every)
        for first in range(first_run, first_run + runs, size)
    ]
    if kept is not None:
        identity = identity_of(pipeline, horizon=horizon, key=words, checkpoints=marks)
        portions = [replace(each, file=RunFile(Path(kept), identity, each.first, each.runs)) for each in portions]
    where = _backend(pipeline, backend, scheduler)
    with at(scheduler, jobs) as cluster:
        regret = np.concatenate(_played(portions, cores() if jobs is None else jobs, where, cluster))
    return Run(horizon, np.array(marks, dtype=np.int64), regret, {})


def _backend(pipeline: Pipeline, backend: Backend | str | None, scheduler: str | None) -> Backend:
    """What was asked for, or what fits: threads where all that a run needs is compiled."""
    kernels, known = pipeline.policy.kernels, [each.value for each in Backend]
    word = backend.value if isinstance(backend, Backend) else backend
    if word is None:
        compiled = kernels.at_batch_end is None and plain(kernels.run) is not kernels.run
        word = (Backend.THREADS if compiled else Backend.PROCESSES).value if scheduler is None else Backend.DASK.value
    require(word in known, f"backend = {word}: must be one of {', '.join(known)}")
    chosen = Backend(word)
    fits = (chosen is Backend.DASK) == (scheduler is not None)
    require(fits, f"backend = {word}, scheduler = {scheduler}: must be an address with dask, and None otherwise")
    return chosen


def _played(portions: list[_Portion], jobs: int, where: Backend, cluster: Cluster | None) -> list[Floats]:
    """The regret of each portion, from its file if it is finished; else it is played, and kept then."""
    finished = {
        place: known for place, each in enumerate(portions) if each.file is not None and (known := each.file.finished()) is not None
    }
    left = [place for place in range(len(portions)) if place not in finished]
    if left and where is Backend.THREADS:  # compiled once, by this thread
        next(stream(portions[0].pipeline, horizon=portions[0].horizon, key=np.array(portions[0].key, dtype=np.uint64), block=1))
    together = _portions_of_a_cell(portions[0], len(left), cluster)
    cells = [left[first : first + together] for first in range(0, len(left), together)]
    # The files of a cluster's workers are elsewhere.
    tasks = [tuple(portions[place] if cluster is None else replace(portions[place], file=None) for place in cell) for cell in cells]
    for position, regrets in workers.completed(_play_cell, tasks, jobs, cluster=cluster, threads=where is Backend.THREADS):
        for place, regret in zip(cells[position], regrets, strict=True):
            file = portions[place].file
            if file is not None:
                file.finish(regret)
            finished[place] = regret
    return [finished[place] for place in range(len(portions))]


def _portions_of_a_cell(portion: _Portion, left: int, cluster: Cluster | None) -> int:
    """One here; on a cluster as many as pay for the handing out, and leave each worker several cells. No number depends on it."""
    if cluster is None:
        return 1
    return max(1, min(CELL // (portion.horizon * portion.runs), left // (4 * cluster.workers())))


def _play_cell(cell: tuple[_Portion, ...]) -> list[Floats]:
    return [_play(portion) for portion in cell]


def _play(portion: _Portion) -> Floats:
    """The regret of a portion's runs, (R, C)."""
    key, last = np.array(portion.key, dtype=np.uint64), portion.first + portion.runs
    if portion.horizon <= portion.block or portion.pipeline.policy.kernels.at_batch_end is not None:
        return play_many(
            portion.pipeline,
            horizon=portion.horizon,
            key=key,
            runs=portion.runs,
            first_run=portion.first,
            checkpoints=portion.checkpoints,
        ).regret
    return np.stack([_in_blocks(portion, key, run, portion.file if portion.runs == 1 else None) for run in range(portion.first, last)])


def _in_blocks(portion: _Portion, key: Words, run: int, file: RunFile | None) -> Floats:
    """The regret of one run, (C,), played on from its last checkpoint."""
    noted: float | None = None

    def observe(state: Any, plan: Plan) -> None:
        nonlocal noted
        if file is None:
            return
        kept = file.unfinished() if noted is None else None
        if kept is not None and rounds_of(kept) < portion.horizon:  # else its regret is not in it, and there is no block to get it from
            restore(state, plan, kept)
        elif noted is not None and time.monotonic() - noted >= portion.every and plan.rounds[1] < portion.horizon:
            file.note(live_arrays(state, plan))
            noted = time.monotonic()
        noted = time.monotonic() if noted is None else noted

    blocks: Iterator[Run] = stream(
        portion.pipeline,
        horizon=portion.horizon,
        key=key,
        run=run,
        checkpoints=portion.checkpoints,
        block=portion.block,
        observe=observe,
    )
    return deque(blocks, maxlen=1)[0].regret
