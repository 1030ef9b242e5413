"""Cells of an experiment: played once, on any number of workers, kept whole, and never taken for another."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from banditproof import sources
from banditproof.audits.experiments import cells
from banditproof.audits.experiments.experiment import ReproductionRequest
from banditproof.audits.papers.shariff_sheffet_2018.figures import privacy
from banditproof.audits.papers.shariff_sheffet_2018.figures.runs import Task, companions, played
from banditproof.audits.running import ledger

HORIZON = 120
TASKS = [Task(privacy.setting(variant, 0.1), 3, run, HORIZON, (60, HORIZON)) for variant in ("Gaussian", "NonPrivate") for run in (0, 1)]


class ProgressRecorder:
    """Keeps what a progress display is told."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, float]] = []
        self.notes: list[str] = []

    def stage(self, what: str) -> None:
        pass

    def runs(self, done: int, of: int, proportion: float) -> None:
        self.seen.append((done, of, proportion))

    def note(self, line: str) -> None:
        self.notes.append(line)


def request(folder, jobs=1):
    return ReproductionRequest(3, 2, HORIZON, jobs, folder)


def test_a_cell_is_played_once(tmp_path):
    """Would catch a cell that is played again for nothing, one whose last bits the file loses, and an order that is not the tasks'."""
    recorder = ProgressRecorder(), ProgressRecorder()
    first = cells.computed([*TASKS, TASKS[0]], played, request(tmp_path), recorder[0])
    again = cells.computed(TASKS[::-1], played, request(tmp_path), recorder[1])
    assert [done for done, _, _ in recorder[0].seen] == [0, 1, 2, 3, 4] and recorder[1].seen == [(4, 4, 0.0)]
    assert list(first) == TASKS and list(again) == TASKS[::-1]
    for task in TASKS:
        (alone,) = played([task])
        assert alone.shape == (2,) and 0.0 < alone[0] < alone[1]
        assert first[task].tolist() == again[task].tolist() == alone.tolist()
    assert len({tuple(values) for values in first.values()}) == 4
    assert len(list(tmp_path.iterdir())) == 4


def test_workers_change_nothing(tmp_path):
    """Would catch a result that depends on the process that played it, and a file that does."""
    one = cells.computed(TASKS, played, request(tmp_path / "one"))
    two = cells.computed(TASKS, played, request(tmp_path / "two", jobs=2))
    assert all(one[task].tolist() == two[task].tolist() for task in TASKS)
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == sorted(path.name for path in (tmp_path / "two").iterdir())
    assert all(path.read_bytes() == (tmp_path / "two" / path.name).read_bytes() for path in (tmp_path / "one").iterdir())


@pytest.mark.parametrize("jobs", [1, 2, 8])
def test_companions_are_played_together(tmp_path, jobs):
    """Would catch a cell that depends on who is played with it, one kept under a companion's key, and workers without work."""
    tasks = [Task(privacy.setting(variant, 0.1), 3, run, HORIZON, (60, HORIZON)) for variant in privacy.VARIANTS for run in (0, 1)]
    kept = cells.computed(tasks[2:3], played, request(tmp_path))
    recorder = ProgressRecorder()
    found = cells.computed(tasks, played, request(tmp_path, jobs=jobs), recorder, group=companions)
    alone = cells.computed(tasks, played, request(None))
    assert list(found) == tasks and found[tasks[2]].tolist() == kept[tasks[2]].tolist()
    assert all(found[task].tolist() == alone[task].tolist() for task in tasks)
    assert recorder.seen[0] == (1, 8, 0.0) and recorder.seen[-1][:2] == (8, 8) and len(list(tmp_path.iterdir())) == 8
    assert len(recorder.seen) == 1 + {1: 2, 2: 2, 8: 7}[jobs]


def test_only_companions_are_played_at_once():
    with pytest.raises(ValueError, match=r"2 tasks: must be companions \(the same sets, rounds and checkpoints\)"):
        played([TASKS[0], TASKS[1]])


@pytest.mark.parametrize(
    "other",
    [
        replace(TASKS[0], seed=4),
        replace(TASKS[0], run=7),
        replace(TASKS[0], horizon=130, checkpoints=(60, 120)),
        replace(TASKS[0], checkpoints=(61, 120)),
        replace(TASKS[0], setting=replace(TASKS[0].setting, gap=0.2)),
        replace(TASKS[0], setting=replace(TASKS[0].setting, rho_min=1000.0)),
        replace(TASKS[0], setting=replace(TASKS[0].setting, planned_horizon=1000)),
    ],
    ids=str,
)
def test_another_task_is_another_cell(tmp_path, other):
    """Would catch a parameter that the key leaves out."""
    cells.computed(TASKS[:1], played, request(tmp_path))
    recorder = ProgressRecorder()
    cells.computed([other], played, request(tmp_path), recorder)
    assert recorder.seen[0] == (0, 1, 0.0) and len(list(tmp_path.iterdir())) == 2


def test_other_sources_or_versions_are_another_cell(tmp_path, monkeypatch):
    """Would catch numbers of an older program: the key holds the sources that the playing module reaches, kernels included."""
    cells.computed(TASKS[:1], played, request(tmp_path))
    recorder = ProgressRecorder()
    monkeypatch.setattr(sources, "_distributions", lambda top, folder: ((top, "0"),))
    monkeypatch.setattr(sources, "_found", {})
    cells.computed(TASKS[:1], played, request(tmp_path), recorder)
    assert recorder.seen[0] == (0, 1, 0.0)
    paths = ledger.reached(played.__module__)
    files, folders = {path.name for path in paths}, {f"{path.parent.name}/{path.name}" for path in paths}
    assert {"lin_ucb/policy.py", "lin_ucb/kernels.py", "lin_ucb/constants.py", "banditproof/kernels.py"} <= folders
    assert {"runs.py", "sphere.py", "simulation.py", "randomness.py"} <= files
    assert not files & {"privacy.py", "dimension.py", "shift.py", "experiment.py", "drawing.py"}  # a criterion's words cost no run


@pytest.mark.parametrize("broken", ["", '{"values": [1.0', "[]", '{"schema": "banditproof/cell/2", "key": "another", "values": [1, 2]}'])
def test_a_broken_file_is_no_result(tmp_path, broken):
    """Would catch a torn file, or another cell's under this name, that is taken over."""
    whole = cells.computed(TASKS[:1], played, request(tmp_path))[TASKS[0]]
    (path,) = tmp_path.iterdir()
    text = path.read_text()
    path.write_text(broken)
    path.with_name(f"{path.name}.123.new").write_text(text[:40])  # what a killed process may leave
    recorder = ProgressRecorder()
    assert cells.computed(TASKS[:1], played, request(tmp_path), recorder)[TASKS[0]].tolist() == whole.tolist()
    assert recorder.notes == [f"{path}: is not as it was written, so this run is played again"]
    assert path.read_text() == text and json.loads(text)["parameters"]["setting"]["noise"] == "gaussian"


def test_a_source_edited_meanwhile_stops_the_run(tmp_path, monkeypatch):
    """Would catch numbers of one source kept under the key of another."""
    edited = next(path for path in ledger.reached(played.__module__) if path.name == "policy.py")

    class Editing(ProgressRecorder):
        def runs(self, done: int, of: int, proportion: float) -> None:
            monkeypatch.setitem(ledger._AT_START, edited, 0)

    with pytest.raises(ledger.SourceChanged, match=r"policy\.py: was changed after this run began"):
        cells.computed(TASKS, played, request(tmp_path), Editing())
    assert list(tmp_path.iterdir()) == []


def test_the_heaviest_begin_and_shares_are_of_the_work():
    """Would catch a time left that counts cells of different cost alike."""
    recorder = ProgressRecorder()
    cells.computed(TASKS, played, request(None), recorder, privacy.cost)
    proportions = [proportion for _, _, proportion in recorder.seen]
    assert proportions == pytest.approx([0.0, 2 / 6, 4 / 6, 5 / 6, 1.0])
    assert all(before < after for before, after in pairwise(proportions))
    assert np.all(np.array([of for _, of, _ in recorder.seen]) == 4)
