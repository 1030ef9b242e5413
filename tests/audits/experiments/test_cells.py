"""Cells of an experiment that are kept."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from banditproof.audits.experiments.cells import computed
from banditproof.audits.experiments.experiment import ReproductionRequest
from banditproof.interaction import Floats

PLAYED: list[int] = []


@dataclass(frozen=True)
class Task:
    run: int


def play(tasks: Sequence[Task]) -> list[Floats]:
    PLAYED.extend(task.run for task in tasks)
    return [np.array([task.run / 7, np.inf]) for task in tasks]


def test_cells_are_kept_for_one_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a cell that is played again, and one that is read back where sums are computed in another way."""
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    PLAYED.clear()
    request = ReproductionRequest(runs=3, horizon=1, seed=0, jobs=1, kept=tmp_path)
    first = computed([Task(0), Task(1)], play, request)
    again = computed([Task(1), Task(2)], play, request)
    assert PLAYED == [0, 1, 2]
    assert again[Task(1)].tobytes() == first[Task(1)].tobytes()
    monkeypatch.setenv("MKL_NUM_THREADS", "7")
    computed([Task(1)], play, request)
    assert PLAYED == [0, 1, 2, 1]


@pytest.mark.parametrize("values", ["gone", None, ["a"], [[1.0], [1.0, 2.0]], {}, 10**400, [10**400]])
def test_a_damaged_cell_is_played_again(tmp_path: Path, values: object) -> None:
    """Would catch a cell without values that ends the run, and one that is read as a number."""
    PLAYED.clear()
    request = ReproductionRequest(runs=3, horizon=1, seed=0, jobs=1, kept=tmp_path)
    first = computed([Task(0)], play, request)
    (place,) = tmp_path.rglob("*.json")
    record = json.loads(place.read_text())
    if values == "gone":
        del record["values"]
    else:
        record["values"] = values
    for content in (json.dumps(record), "[" * 100_000):
        place.write_text(content)
        assert computed([Task(0)], play, request)[Task(0)].tobytes() == first[Task(0)].tobytes()
    assert PLAYED == [0, 0, 0]
    assert computed([Task(0)], play, request) and len(PLAYED) == 3


class Notes:
    """Keeps what a progress display is told to note."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def stage(self, what: str) -> None:
        pass

    def runs(self, done: int, of: int, fraction: float) -> None:
        pass

    def note(self, line: str) -> None:
        self.lines.append(line)


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.update(values=record["values"][:1]),
        lambda record: record.update(values=[]),
        lambda record: record["values"].__setitem__(1, None),
        lambda record: record["values"].__setitem__(0, record["values"][0] * 10),
        lambda record: record["parameters"].update(run=77),
        lambda record: record.update(name="another.function"),
        lambda record: record.pop("digest"),
    ],
)
def test_a_cell_that_was_changed_is_noted_and_played_again(tmp_path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Would catch numbers that nobody computed and that are believed because the file is whole JSON: fewer, none, another one, or those of
    another run."""
    PLAYED.clear()
    request, notes = ReproductionRequest(runs=3, horizon=1, seed=0, jobs=1, kept=tmp_path), Notes()
    first = computed([Task(3)], play, request, notes)
    (place,) = tmp_path.rglob("*.json")
    written = place.read_bytes()
    record = json.loads(written)
    change(record)
    place.write_text(json.dumps(record, sort_keys=True) + "\n")
    assert computed([Task(3)], play, request, notes)[Task(3)].tobytes() == first[Task(3)].tobytes()
    assert PLAYED == [3, 3] and place.read_bytes() == written
    assert notes.lines == [f"{place}: is not as it was written, so this run is played again"]


def test_a_cell_of_the_version_before_is_played_again(tmp_path: Path) -> None:
    """Would catch values without a digest that are believed, and a line for each cell of a folder that is only old."""
    PLAYED.clear()
    request, notes = ReproductionRequest(runs=3, horizon=1, seed=0, jobs=1, kept=tmp_path), Notes()
    computed([Task(3)], play, request, notes)
    (place,) = tmp_path.rglob("*.json")
    record = json.loads(place.read_text())
    del record["digest"]
    place.write_text(json.dumps({**record, "schema": "banditproof/cell/1"}))
    computed([Task(3)], play, request, notes)
    assert PLAYED == [3, 3] and notes.lines == [] and json.loads(place.read_text())["schema"] == "banditproof/cell/2"
