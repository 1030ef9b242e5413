"""`banditproof reproduce shariff_sheffet_2018.*`: files, what it refuses, and how it goes on after it was stopped; at a reduced scale."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from banditproof.audits.running import ledger


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing",), "there is none of this id; there are: "),
        (("shariff_sheffet_2018.d4",), "there is none of this id; nearest: shariff_sheffet_2018.d3"),
        (("shariff_sheffet_2018.d1", "--horizon", "100001"), "horizon = 100001: must be <= 100000 (the rounds that "),
        (("shariff_sheffet_2018.d3", "--horizon", "1e8"), "horizon = 100000000: must be <= 50000000 (the rounds that "),
    ],
)
def test_bad_input_is_one_line(run, arguments, says):
    """Would catch a trace, a second line, another exit code, and minutes of computing before the refusal."""
    Path("file").write_text("")
    ended = run("reproduce", *arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert says in ended.err


@pytest.mark.parametrize(("figure", "cells"), [("d1", 42), ("d2", 16), ("d3", 48)])
def test_the_experiments_of_shariff_and_sheffet_run(run, record_schema, figure, cells):
    """Would catch a picture or a table that is not written, a shortened run that does not say so, and a finding that it cannot have."""
    id = f"shariff_sheffet_2018.{figure}"
    ended = run("reproduce", id, "--runs", "2", "--horizon", "100", "--jobs", "1", "--out", "out")
    assert ended.code == 0
    planned_horizon = "100,000" if figure == "d1" else "50,000,000"
    assert f"Stopped after 100 of {planned_horizon} rounds; every constant is that of {planned_horizon}." in ended.out
    played = 32 if figure == "d1" else cells
    assert f"{played} of {played} runs\n" in ended.err
    record = json.loads((Path("out") / f"{id}.json").read_text())
    jsonschema.validate(record, record_schema)
    found = [
        outcome for way, outcomes in record["outcomes"].items() if way not in ("computed", "the bound of Theorem 5") for outcome in outcomes
    ]
    assert {outcome["verdict"] for outcome in found} == {"inconclusive"} and all(outcome["undecided"] for outcome in found)
    assert f"the paper's runs have {planned_horizon} rounds" in ended.err or figure == "d2"
    assert "2 runs cannot find outcome" in ended.err.split("regret")[0]
    with (Path("out") / f"{id}.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(record["rows"]) and {row["round"] for row in rows} >= {"100"}
    names = {"d1": ("d1.rounds", "d1.dimension"), "d2": ("d2",), "d3": ("d3",)}[figure]
    for name in names:
        assert (Path("out") / f"shariff_sheffet_2018.{name}.svg").read_text().count('<g id="axes_') == (1 if "dim" in name else 2)
    assert len(list((Path("out") / "shariff_sheffet_2018.cells").iterdir())) == cells


def test_figures_of_a_paper_share_their_runs(run):
    """Would catch D.3 playing D.2's runs again at the printed shift."""
    small = ("--runs", "2", "--horizon", "100", "--jobs", "1")
    assert run("reproduce", "shariff_sheffet_2018.d2", *small).code == 0
    assert "0 of 48 runs" not in (ended := run("reproduce", "shariff_sheffet_2018.d3", *small)).err and "8 of 48 runs" in ended.err
    again = run("reproduce", "shariff_sheffet_2018.d2", *small[:1], "3", *small[2:])
    assert "16 of 24 runs" in again.err  # a further repetition adds its own runs alone


RESUMED = ("reproduce", "shariff_sheffet_2018.d2", "--runs", "2", "--horizon", "100000")


def _stopped(out: str, number: int) -> tuple[int, str, dict[Path, tuple[int, bytes]]]:
    """Begins RESUMED in a process, sends a signal once three cells are there, and waits for its end: exit code, stderr, cells."""
    process = subprocess.Popen(
        [sys.executable, "-m", "banditproof", *RESUMED, "--jobs", "2", "--out", out],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    cells, deadline = Path(out) / "shariff_sheffet_2018.cells", time.monotonic() + 120.0
    while len(list(cells.glob("*.json"))) < 3 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
    if number == signal.SIGKILL:
        os.killpg(process.pid, number)  # the workers too: nobody tidies up
    else:
        process.send_signal(number)
    _, err = process.communicate(timeout=120)
    return process.returncode, err, {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in cells.glob("*.json")}


def _outputs(folder: str) -> dict[Path, bytes]:
    return {path.relative_to(folder): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file() and path.suffix != ".new"}


def test_a_killed_run_goes_on_to_the_same_bytes(run, monkeypatch):
    """Would catch a finished run that is lost or played again, and numbers or pictures that tell of the interruption."""
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(variable, "1")  # as the command sets them: a run that is kept is that of one way to compute sums
    killed, _, kept = _stopped("killed", signal.SIGKILL)
    assert killed == -signal.SIGKILL and 3 <= len(kept) < 16
    interrupted, err, seen = _stopped("interrupted", signal.SIGINT)
    assert interrupted == 130 and 3 <= len(seen) < 16
    assert "what has finished is kept in interrupted/shariff_sheffet_2018.cells; the same command goes on from there" in err
    for out, jobs, first in (("killed", "1", len(kept)), ("interrupted", "2", len(seen)), ("whole", "1", 0)):
        ended = run(*RESUMED, "--jobs", jobs, "--out", out)
        assert ended.code == 0 and f"regret over time: {first} of 16 runs\n" in ended.err
    assert all((path.stat().st_mtime_ns, path.read_bytes()) == known for path, known in (kept | seen).items())
    whole = _outputs("whole")
    assert len(whole) == 16 + 4
    assert _outputs("killed") == whole and _outputs("interrupted") == whole


def test_what_cannot_be_kept_or_is_edited_is_one_line(run, monkeypatch):
    """Would catch a trace where the folder of the runs is a file, and numbers of sources that were edited since this process began."""
    Path("shariff_sheffet_2018.cells").write_text("")
    small = ("reproduce", "shariff_sheffet_2018.d2", "--runs", "2", "--horizon", "100", "--jobs", "1", "--out")
    ended = run(*small, ".")
    assert ended.code == 2 and ended.err.endswith("Error: out = .: cannot be written (Not a directory)\n")
    edited = next(
        path for path in ledger.reached("banditproof.audits.papers.shariff_sheffet_2018.figures.runs") if path.name == "sphere.py"
    )
    monkeypatch.setitem(ledger._AT_START, edited, 0)
    ended = run(*small, "other")
    assert ended.code == 2 and "sphere.py: was changed after this run began; run again" in ended.err.splitlines()[-1]
