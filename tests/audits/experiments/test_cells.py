"""Cells of an experiment that are kept."""

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
