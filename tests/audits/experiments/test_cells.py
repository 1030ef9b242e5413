"""Cells of an experiment that are kept."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
