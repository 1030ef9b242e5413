"""A Dask cluster on the loopback: workers that die, a scheduler that dies, and clusters that cannot be used, each without a lost result.

The audits and the cells are those of a paper of somebody else's, which take time but none of the processor's; the replications compute.
"""

import importlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from banditproof import sources
from banditproof.audits.running import cluster, ledger
from banditproof.audits.running.cluster import ClusterUnusable
from banditproof.audits.running.software import Software, software
from tests.support.caches import own_cache

STUB = """
import time
from dataclasses import dataclass
import numpy as np
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Measurement, Verdict
@dataclass(frozen=True)
class Stub:
    prefix = "stub"
    statistical = True
    def measure(self, request):
        time.sleep(0.15)
        words = [int.from_bytes(part.encode(), "little") for part in request.path]
        return Measurement(Verdict.NOT_REFUTED, quantity="epsilon", low=np.random.default_rng([request.seed, *words]).normal())
    def recheck(self, before, again):
        return before
def drawn(seed, run):
    time.sleep(0.1)
    return np.random.default_rng([seed, run]).normal(size=2)
"""
CASES = """
from banditproof.audits.running.audit import Audit
from clustered.stub import Stub
STUBS = tuple(Audit("clustered.noise", f"stub.n{n}", f"{n}", Stub()) for n in range(16))
"""
FIGURES = """
from dataclasses import dataclass
from banditproof.audits.experiments.cells import computed
from banditproof.audits.experiments.experiment import Experiment, Outcome, Reproduction, compared
from clustered.stub import drawn
@dataclass(frozen=True)
class Task:
    seed: int
    run: int
def play(tasks):
    return [drawn(task.seed, task.run) for task in tasks]
def again(request, progress):
    found = computed([Task(request.seed, run) for run in range(request.runs)], play, request, progress)
    rows = tuple({"run": task.run, "one": float(values[0]), "other": float(values[1])} for task, values in found.items())
    one, other = (next(iter(found.values()))[place:][:1] for place in (0, 1))
    outcomes = {"drawn": (Outcome("o", "one is below the other", (compared("one", one, other),)),)}
    return Reproduction(rows, outcomes, (), {"runs": request.runs, "horizon": request.horizon, "seed": request.seed})
FIGURE = Experiment("clustered.figure1", "numbers", runs=20, horizon=10, least_horizon=1, reproduce=again)
"""
REPLICATION = """
import os, signal, sys, threading, time
from pathlib import Path
import banditproof as bp
address, worker, kept = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
at_death = []
def watch():
    while not (kept.is_dir() and any(path.suffix == ".npz" for path in kept.iterdir())):
        time.sleep(0.001)
    at_death.append(len(list(kept.iterdir())))
    os.kill(worker, signal.SIGKILL)
threading.Thread(target=watch, daemon=True).start()
what = {"horizon": 1 << 18, "key": bp.key_of(3), "runs": 24, "checkpoints": (1, 1000, 1 << 18)}
pipeline = bp.Pipeline(bp.UCB1(), bp.Bernoulli((0.3, 0.6, 0.7)))
there = bp.replicate(pipeline, **what, scheduler=address, kept=kept).regret
print(len(at_death), at_death < [24], there.tobytes() == bp.play_many(pipeline, **what).regret.tobytes())
"""
PAPER = {
    "clustered/__init__.py": "",
    "clustered/stub.py": STUB,
    "clustered/cases/__init__.py": "",
    "clustered/cases/noise.py": CASES,
    "clustered/figures/__init__.py": "",
    "clustered/figures/one.py": FIGURES,
    "replication.py": REPLICATION,
    "clustered-0.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: clustered\nVersion: 0.1\n",
    "clustered-0.1.dist-info/entry_points.txt": "[banditproof.papers]\nclustered = clustered\n",
}
AUDITS = 16
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts Python with the paper within its reach; what still runs at the end of the test is killed."""
    for name, text in PAPER.items():
        (tmp_path / "paper" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "paper" / name).write_text(text)
    path = os.pathsep.join(filter(None, (str(tmp_path / "paper"), os.environ.get("PYTHONPATH"))))
    single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    settings = {**os.environ, **single, "PYTHONPATH": path, "BANDITPROOF_CACHE": own_cache(tmp_path / "cache"), "COLUMNS": "100"}
    begun: list[subprocess.Popen[str]] = []

    def started(*arguments: str, log: str = "") -> "subprocess.Popen[str]":
        with (tmp_path / (log or "unused.log")).open("w") as file:
            out = (file, subprocess.STDOUT) if log else (subprocess.PIPE, subprocess.PIPE)
            command = [sys.executable, *arguments]
            begun.append(subprocess.Popen(command, cwd=tmp_path, env=settings, stdout=out[0], stderr=out[1], text=True))
        return begun[-1]

    yield started
    for process in begun:
        process.kill()
        process.communicate()


def scheduler(start: Start, folder: Path) -> tuple["subprocess.Popen[str]", str]:
    options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", "s.json")
    process = start("-m", "dask", "scheduler", *options, log="s.log")
    return process, json.loads(awaited(lambda: (folder / "s.json").exists() and (folder / "s.json").read_text()))["address"]


def worker(start: Start, address: str, folder: Path, log: str) -> "subprocess.Popen[str]":
    options = ("--no-nanny", "--nthreads", "1", "--no-dashboard", "--local-directory", ".")
    process = start("-m", "dask", "worker", address, *options, log=log)
    awaited(lambda: "Registered to" in (folder / log).read_text())
    return process


def awaited(look: Callable[[], Any]) -> Any:
    """What the look gives as soon as it is something; fails after a minute."""
    until = time.monotonic() + 60.0
    while not (found := look()):
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    """Exit code, and what it said on both outputs."""
    out, err = process.communicate(timeout=120)
    return process.returncode, out + err


def reached(process: "subprocess.Popen[str]", results: int) -> None:
    """Waits until so many results are there."""
    assert process.stderr is not None
    said: list[str] = []
    while sum(line.startswith("[") for line in said) < results and (line := process.stderr.readline()):
        said.append(line)
    assert sum(line.startswith("[") for line in said) == results, said


def same(folder: Path, one: str, other: str) -> None:
    """The files of two folders have the same names and bytes."""
    files = [
        {path.relative_to(folder / each): path.read_bytes() for path in (folder / each).rglob("*") if path.is_file()}
        for each in (one, other)
    ]
    assert files[0] == files[1] and len(files[0]) > 20


@pytest.mark.long
def test_nothing_that_dies_changes_a_byte(start: Start, tmp_path: Path) -> None:
    """Would catch a cell that is lost with its worker or counted twice, a number that depends on where it is computed, and results that
    an interrupt or a lost scheduler takes along: two workers, of which one is killed in the middle of verify, of reproduce and of
    replication; then the scheduler is."""
    (tmp_path / "l").mkdir()
    verify = ("-m", "banditproof", "verify", "clustered", "--no-posterior", "--verbose", "--json")
    alone = start(*verify, "l/v.json", "--jobs", "1", "--fresh")
    main, address = scheduler(start, tmp_path)
    workers = [worker(start, address, tmp_path, f"w{number}.log") for number in range(2)]
    there = ("--backend", "dask", "--scheduler", address)
    assert ended(alone)[0] == 0

    run = start(*verify, "d.json", *there, "--fresh")
    reached(run, 3)
    run.send_signal(signal.SIGINT)
    code, said = ended(run)
    assert code == 130 and f"of {AUDITS} results are kept" in said, said
    run = start(*verify, "d.json", *there, "--resume")
    reached(run, 3)
    workers.pop(0).kill()
    code, said = ended(run)
    assert code == 0 and f"/{AUDITS}]" not in said, said  # those that were there are not computed again
    assert (tmp_path / "d.json").read_bytes() == (tmp_path / "l/v.json").read_bytes()

    workers.append(worker(start, address, tmp_path, "w2.log"))
    reproduce = ("-m", "banditproof", "reproduce", "clustered.figure1", "--out")
    alone, run = start(*reproduce, "l", "--jobs", "1"), start(*reproduce, "d", *there)
    awaited(lambda: (tmp_path / "d/clustered.cells").is_dir() and len(list((tmp_path / "d/clustered.cells").glob("*.json"))) > 1)
    workers.pop(0).kill()
    assert len(list((tmp_path / "d/clustered.cells").glob("*.json"))) < 20
    assert (ended(run)[0], ended(alone)[0]) == (0, 0)
    (tmp_path / "l/v.json").unlink()
    (tmp_path / "l/v.json.times.json").unlink()
    same(tmp_path, "l", "d")

    workers.append(worker(start, address, tmp_path, "w3.log"))
    code, said = ended(start("paper/replication.py", address, str(workers.pop(0).pid), "kept"))
    assert (code, said.split()) == (0, ["1", "True", "True"]), said

    run = start(*verify, "d.json", *there, "--fresh")
    reached(run, 3)
    main.kill()
    code, said = ended(run)
    kept = re.search(r"(\d+) of 16 results are kept", said)
    assert code == 2 and kept is not None and int(kept[1]) >= 3 and f"scheduler {address}: was lost" in said.splitlines()[-1], said


@pytest.mark.long
def test_the_last_worker_may_die_too(start: Start, tmp_path: Path) -> None:
    """Would catch a command that says nothing while no worker is left, or that does not go on with the next one."""
    _, address = scheduler(start, tmp_path)
    only = worker(start, address, tmp_path, "w0.log")
    run = start("-m", "banditproof", "verify", "clustered", "--no-posterior", "--fresh", "--backend", "dask", "--scheduler", address)
    reached(run, 3)
    only.kill()
    assert run.stderr is not None
    said = awaited(lambda: next((line for line in run.stderr if not line.startswith("[")), None))
    assert said == f"scheduler {address}: no worker is left, waits for one, 600 s at most\n"
    worker(start, address, tmp_path, "w1.log")
    code, said = ended(run)
    assert code == 0 and "had no worker" not in said, said


class _Deserted:
    """A client whose workers have gone, and its only future, which has ended or not; its result is sent by nobody."""

    status = "running"

    def __init__(self, has_ended: bool) -> None:
        self._has_ended, self.cancelled = has_ended, False

    def nthreads(self) -> dict[str, int]:
        return {}

    def submit(self, *arguments: Any, pure: bool) -> "_Deserted":
        return self

    def add_done_callback(self, ended: Callable[[Any], None]) -> None:
        if self._has_ended:
            ended(self)

    def result(self) -> None:
        threading.Event().wait(60.0)

    def cancel(self, futures: list[Any], force: bool) -> None:
        self.cancelled = True


@pytest.mark.parametrize("has_ended", [False, True])
def test_without_any_worker_it_ends(has_ended: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a run that waits for ever in silence: for a cell that nobody has, or for the result of one that died with its worker."""
    monkeypatch.setattr(cluster, "LOOK", 0.05)
    monkeypatch.setattr(cluster, "FIRST_WORKER", 0.4)
    said: list[str] = []
    client, began = _Deserted(has_ended), time.monotonic()
    deserted = cluster.Cluster("tcp://a:1", None, client, OURS, said.append)
    with pytest.raises(ClusterUnusable, match=r"^scheduler tcp://a:1: had no worker for 0 s; what has finished is kept$"):
        list(deserted.completed(abs, [-1]))
    assert 0.4 < time.monotonic() - began < 10.0 and client.cancelled
    assert said == ["scheduler tcp://a:1: no worker is left, waits for one, 0 s at most"]


def test_a_worker_that_comes_ends_the_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch seconds without a worker that are added up over a whole run."""
    monkeypatch.setattr(cluster, "LOOK", -1.0)
    monkeypatch.setattr(cluster, "FIRST_WORKER", 0.0)
    said: list[str] = []
    client = _Deserted(False)
    deserted = cluster.Cluster("tcp://a:1", None, client, OURS, said.append)
    for there in ({}, {"tcp://w:2": 1}, {}):
        monkeypatch.setattr(client, "nthreads", lambda there=there: there)
        assert deserted.workers() == 1
        deserted._require_worker()
    assert len(said) == 2


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--backend", "dask"), "backend = dask: needs --scheduler ADDRESS, as tcp://host:8786"),
        (("--scheduler", "tcp://127.0.0.1:1"), "scheduler = tcp://127.0.0.1:1: needs --backend dask"),
        (("--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"), "scheduler tcp://127.0.0.1:1: cannot be reached (Connection refused)"),
        (("--backend", "dask", "--scheduler", "here"), "scheduler here: cannot be reached (Invalid url scheme."),
    ],
)
def test_a_cluster_that_cannot_be_used_is_one_line(words: tuple[str, ...], line: str, capsys: Any) -> None:
    """Would catch a trace, a wait, and an address that is taken for none."""
    from banditproof.audits.cli.commands import main

    for command in (["verify", "dwork_2006.laplace_privacy/agree*"], ["reproduce", "charisopoulos_2023.dominance", "--out", "/tmp"]):
        assert main([*command, *words]) == 2
        said = capsys.readouterr()
        assert said.out == "" and said.err.splitlines()[-1].startswith(f"Error: {line}"), said.err


@pytest.fixture
def listener() -> Iterator[Callable[[bytes], int]]:
    """Opens a port where each caller is sent these bytes, and nothing else; says its number."""
    opened: list[socket.socket] = []

    def listening(greeting: bytes) -> int:
        server = socket.create_server(("127.0.0.1", 0))
        opened.append(server)

        def serve() -> None:
            while True:
                try:
                    caller, _ = server.accept()
                except OSError:
                    return
                opened.append(caller)
                caller.sendall(greeting)

        threading.Thread(target=serve, daemon=True).start()
        return int(server.getsockname()[1])

    yield listening
    for each in opened:
        each.close()


@pytest.mark.parametrize(
    ("protocol", "greeting", "why"),
    [
        ("tcp", b"", "what listens there does not answer within 1 s: must be a Dask scheduler"),
        ("tcp", b"SSH-2.0-OpenSSH_9.6\r\n", "what listens there must be a Dask scheduler of this protocol"),
        ("tls", b"", "a tls:// address needs certificates, DASK_DISTRIBUTED__COMM__TLS__CA_FILE and its like"),
    ],
)
def test_what_listens_and_is_no_scheduler_is_one_line(
    protocol: str, greeting: bytes, why: str, listener: Callable[[bytes], int], capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Would catch a command that waits for a web server to speak as a scheduler does, and a trace where the certificates are missing."""
    from banditproof.audits.cli.commands import main

    monkeypatch.setattr(cluster, "CONNECT", 1.0)
    address, began = f"{protocol}://127.0.0.1:{listener(greeting)}", time.monotonic()
    assert main(["verify", "dwork_2006.laplace_privacy/agree*", "--backend", "dask", "--scheduler", address]) == 2
    assert time.monotonic() - began < 10.0
    assert capsys.readouterr().err == f"Error: scheduler {address}: cannot be reached ({why})\n"


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch an ImportError's trace where [cluster] is not installed."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    line = r"^scheduler tcp://a:1: needs the extra \[cluster\], pip install 'banditproof\[cluster\]'"
    with pytest.raises(ClusterUnusable, match=line), cluster.at("tcp://a:1"):
        pass


OURS = Software("a" * 64, (("numpy", "2"), ("python", "3")))


class _Answers:
    """A client whose one worker gives this answer."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def run(self, function: Any, on_error: str) -> dict[str, Any]:
        return {"tcp://w:2": self._answer}


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (Software("b" * 64, OURS.facts), "sources: bbbbbbbbbbbb there, aaaaaaaaaaaa here: must be equal"),
        (Software("a" * 64, (("numpy", "2"),)), "python: unset there, 3 here: must be equal"),
        (Software("a" * 64, (*OURS.facts, ("x", "1"))), "x: 1 there, unset here: must be equal"),
        (
            ModuleNotFoundError("No module named 'banditproof'"),
            "does not run banditproof (ModuleNotFoundError: No module named 'banditproof')",
        ),
    ],
)
def test_workers_with_other_software_are_refused(answer: Any, what: str) -> None:
    """Would catch another version, an edited source, or a variable that only one of the two has, from which other numbers may come."""
    with pytest.raises(ClusterUnusable, match=f"^{re.escape(f'worker tcp://w:2 of scheduler s: {what}')}"):
        cluster._require_same(_Answers(answer), "s", OURS)
    cluster._require_same(_Answers(Software(OURS.sources, OURS.facts)), "s", OURS)


def test_a_worker_that_comes_later_is_asked_too() -> None:
    """Would catch cells of a worker that started after the others were asked."""
    packed, modules = cluster._packed(abs, -1)
    with pytest.raises(ClusterUnusable, match=r"came later runs other software"):
        cluster._cell(packed, "another digest", modules)
    assert cluster._cell(packed, software().digest(), modules) == 1


@pytest.fixture
def users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the modules of a user, found by imports; forgotten at the end."""
    text = "from their_helper import VALUE\nfrom dataclasses import dataclass\n@dataclass\nclass Theirs:\n    x: int = VALUE\n"
    (tmp_path / "their_policy.py").write_text(text)
    (tmp_path / "their_helper.py").write_text("VALUE = 1\nclass Low:\n    pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sources, "_found", {})
    yield tmp_path
    for name in ("their_policy", "their_helper"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()


def on_a_worker(packed: bytes, modules: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a new worker process makes of a cell, with the user's modules in this folder."""
    for name in ("their_policy", "their_helper"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    with monkeypatch.context() as patch:
        patch.setattr(ledger, "_AT_START", dict(ledger._AT_START))
        patch.setattr(sources, "_found", {})
        patch.setattr(sys, "path", [str(folder), *sys.path[1:]])
        return cluster._cell(packed, software().digest(), modules)


def test_modules_of_a_user_are_compared_before_they_are_imported(users: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch numbers of a policy that is another one on the worker, and a trace where it has none."""
    packed, modules = cluster._packed(repr, [importlib.import_module("their_policy").Theirs()])
    assert [name for name, _ in modules] == ["their_policy"]
    assert on_a_worker(packed, modules, users, monkeypatch) == "[Theirs(x=1)]"
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(ClusterUnusable, match=r"^module their_policy: a worker on .* has none of this name; must be the one that is here"):
        on_a_worker(packed, modules, tmp_path / "elsewhere", monkeypatch)
    shutil.copy(users / "their_policy.py", tmp_path / "elsewhere")
    (tmp_path / "elsewhere/their_helper.py").write_text("VALUE = 2\n")
    with pytest.raises(ClusterUnusable, match=r"^module their_policy: a worker on .* has another one, or imports another one in it;"):
        on_a_worker(packed, modules, tmp_path / "elsewhere", monkeypatch)
    assert "their_policy" not in sys.modules


def test_a_module_that_was_edited_meanwhile_is_refused_on_both_sides(users: Path) -> None:
    """Would catch the module that a process has imported in the place of the one that its file holds now: here, and on a worker that
    imported it for another one."""
    packed, modules = cluster._packed(repr, [importlib.import_module("their_policy").Theirs()])
    assert cluster._cell(packed, software().digest(), modules) == "[Theirs(x=1)]"
    (users / "their_helper.py").write_text("VALUE = 22\nclass Low:\n    pass\n")
    with pytest.raises(ledger.SourceChanged, match=r"their_helper\.py: was changed after this run began"):
        cluster._packed(repr, importlib.import_module("their_helper").Low())
    digest = sources.reached("their_helper").digest
    with pytest.raises(ClusterUnusable, match=r"^module their_helper: a worker on .* keeps what it has imported, .*: restart it; must be"):
        cluster._cell(packed, software().digest(), (("their_helper", digest),))


def test_what_a_task_needs_is_named(users: Path) -> None:
    """Would catch a module that only the code of a class of the script imports, or of which an object says a name alone; a function of no
    module that stops the run; and a module that travels with its code and is asked for all the same."""
    import cloudpickle

    def imports_inside() -> Any:
        import their_helper

        return their_helper.VALUE

    made = {}
    exec("def nowhere(): return 1", made)
    helper = importlib.import_module("their_helper")
    assert [name for name, _ in cluster._packed(repr, imports_inside)[1]] == ["their_helper"]
    assert cluster._packed(repr, made["nowhere"])[1] == ()
    assert [name for name, _ in cluster._packed(repr, helper.Low())[1]] == ["their_helper"]
    cloudpickle.register_pickle_by_value(helper)
    try:
        assert cluster._packed(repr, helper.Low())[1] == ()
    finally:
        cloudpickle.unregister_pickle_by_value(helper)
