"""Replications over cores: the bytes of a run do not depend on who plays it, in which pieces, or on what ended the process before."""

import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import banditproof as bp
from banditproof.algorithms.environments.rotting import Rotting
from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.algorithms.policies.tree_ucb import TreeUCB
from banditproof.audits.running import ledger, replication
from banditproof.audits.running.replication import replicate
from banditproof.audits.running.snapshots import RunFile, live_arrays, restore
from banditproof.audits.running.workers import Backend
from banditproof.interaction import NoShuffling, Run, Wire
from banditproof.simulation import Plan, play, play_many, stream

COMPILED = bp.Pipeline(bp.UCB1(), bp.Bernoulli((0.3, 0.7, 0.6)))
IN_PYTHON = bp.Pipeline(RobustArmElimination(math.inf, 0.0, ClientModel.FIRST, batches=3, noise_constant=0.05), Sphere(3, 4))
KEY = bp.key_of(5, "replication")
RUNS, HORIZON, MARKS = 150, 4000, (1, 70, 4000)


@pytest.fixture(scope="module")
def alone() -> bytes:
    """The regret of these runs, played in one call."""
    return play_many(COMPILED, horizon=HORIZON, key=KEY, runs=RUNS, first_run=3, checkpoints=MARKS).regret.tobytes()


@pytest.mark.parametrize("block", [997, 4000, 65_536])
@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("backend", ["threads", "processes"])
def test_no_byte_depends_on_backend_workers_or_blocks(alone: bytes, backend: str, jobs: int, block: int) -> None:
    """Would catch portions that are joined in the order in which they end, arrays that two threads share, and a block that is lost.
    (Dask: tests/audits/running/test_cluster.py.)"""
    found = replicate(
        COMPILED, horizon=HORIZON, key=KEY, runs=RUNS, first_run=3, checkpoints=MARKS, jobs=jobs, backend=backend, block=block
    )
    assert found.regret.tobytes() == alone and found.checkpoints.tolist() == list(MARKS) and found.horizon == HORIZON


def test_the_backend_fits_the_policy() -> None:
    """Would catch Python that waits for the interpreter's lock in threads, and compiled kernels that wait for processes to start."""
    assert replication._backend(COMPILED, None, None) is Backend.THREADS
    assert replication._backend(IN_PYTHON, None, None) is Backend.PROCESSES
    assert replication._backend(COMPILED, None, "tcp://a:1") is Backend.DASK
    assert replication._backend(COMPILED, Backend.PROCESSES, None) is Backend.PROCESSES
    two = replicate(IN_PYTHON, horizon=60, key=KEY, runs=3, jobs=2, checkpoints=(5, 60))
    assert two.regret.tolist() == [play(IN_PYTHON, horizon=60, key=KEY, run=run, checkpoints=(5, 60)).regret.tolist() for run in range(3)]


def test_compiled_kernels_let_other_threads_run() -> None:
    """Would catch a kernel that holds the interpreter's lock while it plays: this thread would not wake before its end."""
    import threading

    options = {"horizon": 10_000_000, "key": KEY, "runs": 1}
    replicate(COMPILED, **{**options, "horizon": 10})  # compiled
    player = threading.Thread(target=lambda: play_many(COMPILED, **options))  # type: ignore[arg-type]
    player.start()
    woken = 0
    while player.is_alive():
        time.sleep(0.005)
        woken += 1
    assert woken > 5


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"runs": 0}, "runs = 0: must be an integer >= 1"),
        ({"block": 0}, "block = 0: must be an integer >= 1"),
        ({"every": -1.0}, "every = -1.0: must be >= 0"),
        ({"horizon": 0}, "horizon = 0: must be an integer >= 1"),
        ({"jobs": 0}, "jobs = 0: must be an integer >= 1"),
        ({"backend": "fork"}, "backend = fork: must be one of threads, processes, dask"),
        ({"backend": "dask"}, "backend = dask, scheduler = None: must be an address with dask"),
        ({"backend": "threads", "scheduler": "tcp://a:1"}, "backend = threads, scheduler = tcp://a:1: must be an address with dask"),
        ({"runs": 1.5}, "runs = 1.5: must be an integer >= 1"),
        ({"horizon": 10.0}, "horizon = 10.0: must be an integer >= 1"),
        ({"first_run": -1}, "first_run = -1: must be an integer >= 0"),
        ({"every": "2"}, "every = '2': must be a number"),
        ({"jobs": 1.5}, "jobs = 1.5: must be an integer >= 1"),
        ({"key": 1}, "key = 1: must be two whole numbers"),
        ({"checkpoints": [1.5]}, "checkpoints = [1.5]: must be a list of whole numbers"),
        ({"checkpoints": (0,)}, "checkpoints [0]: must be >= 1 and <= 20"),
    ],
)
def test_what_cannot_be_played_is_refused(changed: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        replicate(COMPILED, **{"horizon": 20, "key": KEY, "runs": 2, **changed})  # type: ignore[arg-type]
    assert str(caught.value).startswith(message)


def test_other_parties_are_refused() -> None:
    """Would catch a class or a policy alone, of which Python says that it has no attribute."""
    of_class: Any = bp.Pipeline(bp.UCB1, COMPILED.environment)  # type: ignore[arg-type]
    policy: Any = bp.UCB1()
    for pipeline, message in ((policy, r"pipeline = UCB1\(\): must be a Pipeline"), (of_class, "policy = UCB1: must be an object")):
        with pytest.raises(ValueError, match=message):
            replicate(pipeline, horizon=20, key=KEY, runs=2)


# --- kept runs ----------------------------------------------------------------------------------------------------------------------------

LONG = """
import sys
import banditproof as bp
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB
from banditproof.algorithms.environments.sphere import Sphere
import numpy as np
pipeline = bp.Pipeline(LinUCB(), Sphere(5, 25))
what = {"horizon": 600_000, "key": bp.key_of(1), "runs": 2, "checkpoints": (1000, 600_000)}
found = bp.replicate(pipeline, **what, kept=sys.argv[1], every=0.0, block=20_000, jobs=1)
print(found.regret.tobytes().hex())
if sys.argv[2:]:
    print(bp.play_many(pipeline, **what).regret.tobytes().hex())
"""


def rounds_noted(folder: Path) -> int:
    """How far the one unfinished run is."""
    for path in folder.glob("runs_*.npz"):
        with np.load(path) as kept:
            if "plan.rounds" in kept.files:
                return int(kept["plan.rounds"][1])
    return 0


def test_a_run_that_is_killed_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    """Would catch a checkpoint that lacks a part of the state (the tree's nodes, the inverse, the regret so far), one that is half written
    when the process dies, and a run that begins again: kill -9, twice, in the middle of a private run."""
    command, kept = [sys.executable, "-c", LONG, "kept"], tmp_path / "kept"
    least = 0
    for _ in range(2):
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL)
        while rounds_noted(kept) <= least and process.poll() is None:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert least < rounds_noted(kept) < 600_000
        least = rounds_noted(kept)
    done = subprocess.run([*command, "compare"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    resumed, whole = done.stdout.split()
    assert resumed == whole


def test_runs_of_a_policy_that_no_file_holds_are_not_kept(tmp_path: Path) -> None:
    """Would catch kept runs of code that was typed, and then typed otherwise: nothing says that it is another."""
    code = """
import banditproof as bp
from banditproof.algorithms.policies.ucb1 import UCB1
class Typed(UCB1): pass
pipeline = bp.Pipeline(Typed(), bp.Bernoulli((0.5, 0.4)))
try:
    bp.replicate(pipeline, horizon=10, key=bp.key_of(1), runs=2, jobs=1, kept="kept")
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Typed of module __main__: its runs cannot be kept") and not list(tmp_path.glob("kept/*"))


def kept_runs(folder: Path, pipeline: bp.Pipeline = COMPILED, **changed: object) -> bytes:
    options = {"horizon": 400_000, "key": KEY, "runs": 2, "jobs": 1, "every": 0.0, "block": 100_000, **changed}
    return replicate(pipeline, **options, kept=folder).regret.tobytes()  # type: ignore[arg-type]


def test_finished_runs_are_read_not_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a file of finished runs that nobody reads, and more runs of which the first are played again."""
    first = kept_runs(tmp_path)
    played: list[int] = []
    play_portion = replication._play
    monkeypatch.setattr(replication, "_play", lambda portion: played.append(portion.first) or play_portion(portion))
    assert kept_runs(tmp_path) == first and played == []
    assert kept_runs(tmp_path, runs=3)[: len(first)] == first and played == [2]


def test_a_run_that_dies_after_its_last_round_is_finished_by_the_next_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a checkpoint behind which no round is left, which nothing can go on from, whoever wrote it."""
    whole = kept_runs(tmp_path / "whole", runs=1)
    states: list[dict[str, NDArray[Any]]] = []
    note = RunFile.note

    def noted(file: RunFile, arrays: dict[str, NDArray[Any]]) -> None:
        states.append({name: array.copy() for name, array in arrays.items()})
        note(file, arrays)

    def interrupted(file: RunFile, regret: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(RunFile, "finish", interrupted)
        patch.setattr(RunFile, "note", noted)
        with pytest.raises(KeyboardInterrupt):
            kept_runs(tmp_path / "kept", runs=1)
    assert [int(state["plan.rounds"][1]) for state in states] == [100_000, 200_000, 300_000]
    assert kept_runs(tmp_path / "kept", runs=1) == whole
    with monkeypatch.context() as patch:
        patch.setattr(RunFile, "unfinished", lambda file: {"plan.rounds": np.array([300_000, 400_000, 400_000, 1])})
        patch.setattr(RunFile, "finished", lambda file: None)
        assert kept_runs(tmp_path / "kept", runs=1) == whole


@pytest.mark.parametrize(
    ("changed", "name"),
    [
        ({"horizon": 500_000}, "horizon: 400000 there, 500000 here"),
        ({"key": bp.key_of(6)}, "key: "),
        ({"checkpoints": (5,)}, "checkpoints: [400000] there, [5] here"),
        ({"pipeline": bp.Pipeline(bp.UCB1(), bp.Bernoulli((0.3, 0.7, 0.5)))}, "pipeline: "),
    ],
)
def test_runs_of_another_kind_are_refused(tmp_path: Path, changed: dict[str, object], name: str) -> None:
    """Would catch the regret of other runs in the place of these."""
    kept_runs(tmp_path, runs=1)
    with pytest.raises(ValueError, match=r"runs_0_1\.npz': is of other runs \(" + name.replace("[", r"\[")) as caught:
        kept_runs(tmp_path, runs=1, **changed)
    assert "\n" not in str(caught.value) and str(caught.value).endswith("; give another folder, or delete it")


def test_other_sources_and_what_is_no_file_of_runs_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a checkpoint that another version's kernels go on from, and a trace where the file is damaged."""
    kept_runs(tmp_path, runs=1)
    with monkeypatch.context() as patch:
        patch.setenv("MKL_NUM_THREADS", "7")
        with pytest.raises(ValueError, match=r"is of other runs \(machine: .*\['MKL_NUM_THREADS', '7'\]"):
            kept_runs(tmp_path, runs=1)
    monkeypatch.setattr(ledger, "digest", lambda *modules: "others")
    with pytest.raises(ValueError, match=r"is of other runs \(sources: \w+ there, others here\)"):
        kept_runs(tmp_path, runs=1)
    whole = (tmp_path / "runs_0_1.npz").read_bytes()
    for content in (b"", whole[:200], b"PK\x03\x04", b"text", whole[:-30]):
        (tmp_path / "runs_0_1.npz").write_bytes(content)
        with pytest.raises(ValueError, match=r"runs_0_1\.npz': is none of kept runs; give another folder, or delete it"):
            RunFile(tmp_path, {}, 0, 1).finished()
    (tmp_path / "runs_0_1.npz").unlink()
    (tmp_path / "runs_0_1.npz").mkdir()
    with pytest.raises(ValueError, match=r"runs_0_1\.npz': is none of kept runs; give another folder, or delete it"):
        RunFile(tmp_path, {}, 0, 1).finished()


# --- snapshots ---------------------------------------------------------------------------------------------------------------------------

ARMS = bp.Bernoulli((0.3, 0.7))


def copies(pipeline: bp.Pipeline, options: dict[str, Any]) -> tuple[list[Run], list[dict[str, NDArray[Any]]]]:
    """The blocks of a run, and a copy of its arrays before the first and after each."""
    kept: list[dict[str, NDArray[Any]]] = []

    def observe(state: Any, plan: Plan) -> None:
        kept.append({name: array.copy() for name, array in live_arrays(state, plan).items()})

    return list(stream(pipeline, **options, observe=observe)), kept


def going_on(pipeline: bp.Pipeline, options: dict[str, Any], kept: dict[str, NDArray[Any]]) -> list[Run]:
    """The blocks behind those copies."""
    begun: list[bool] = []

    def observe(state: Any, plan: Plan) -> None:
        if not begun:
            restore(state, plan, kept)
        begun.append(True)

    return list(stream(pipeline, **options, observe=observe))


@given(
    policy=st.sampled_from([bp.UCB1(), TreeUCB(1.0)]),
    environment=st.sampled_from([ARMS, Rotting((0.9, 0.8), 0.05)]),
    horizon=st.integers(2, 200),
    block=st.integers(1, 60),
    batch=st.integers(1, 5),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
@settings(max_examples=30)
def test_a_run_goes_on_from_a_snapshot(
    policy: Any, environment: Any, horizon: int, block: int, batch: int, seed: int, data: st.DataObject
) -> None:
    """Would catch a part of the state that a snapshot lacks, one that is not put back, and rounds that are played again."""
    pipeline, record = bp.Pipeline(policy, environment, shuffler=NoShuffling(batch)), (Wire.ARMS, Wire.REWARDS, Wire.STATISTIC)
    options = {"horizon": horizon, "key": bp.key_of(seed), "run": 3, "record": record, "block": block, "checkpoints": range(1, horizon + 1)}
    whole, kept = copies(pipeline, options)
    cut = data.draw(st.integers(1, len(whole)))
    rest = going_on(pipeline, options, kept[cut])
    assert [part.horizon for part in rest] == [part.horizon for part in whole[cut:]]
    for again, part in zip(rest, whole[cut:], strict=True):
        assert again.regret.tobytes() == part.regret.tobytes()
        assert all(again.wire(wire).tobytes() == part.wire(wire).tobytes() for wire in record)


def test_a_snapshot_of_other_arrays_is_refused() -> None:
    """Would catch numbers that are put where they do not belong."""
    options = {"horizon": 9, "key": KEY, "block": 3}
    _, kept = copies(COMPILED, options)
    with pytest.raises(ValueError, match=r"must have those of this run"):
        going_on(COMPILED, options, {})
    with pytest.raises(ValueError, match=r"plan.means of a snapshot, float64 of shape \(2,\): must be float64 of shape \(3,\)"):
        going_on(COMPILED, options, {**kept[1], "plan.means": np.zeros(2)})
