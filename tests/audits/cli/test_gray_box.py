"""`banditproof audit gray-box` as a user calls it."""

import json
from pathlib import Path

import pytest

import banditproof as bp
from banditproof.audits.cli.commands import main
from banditproof.audits.running.exits import Exit
from banditproof.audits.statistics.evidence import Verdict

CODE = """
import numpy as np

def count(data, rng):
    return float(np.sum(data)) + rng.laplace(0, 1)

def clipped(data, rng):
    return np.clip(data, 0, 1).sum() + rng.laplace(0, 1)

def response(data, rng):
    return [value if rng.random() < 0.7 else 1 - value for value in data]

def vectorised(data, runs, rng):
    return np.clip(data, 0, 1).sum() + rng.laplace(0, 1, (runs, 1))

def columns(data: np.ndarray, rng):
    return data.sum() + rng.laplace(0, 1)

def frame(data, rng):
    return data[0].sum() + rng.laplace(0, 1)

def members(data, rng):
    return {np.clip(data[0], 0, 1) + rng.laplace()}

def broken(data, rng):
    raise RuntimeError("no such column")
"""


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "noise.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    return "noise.py"


def call(name: str, *more: str, neighbour: str = "[7, 1]") -> int:
    return main(["audit", "gray-box", name, "--epsilon", "1", "--dataset", "[0, 1]", "--neighbour", neighbour, *more])


@pytest.mark.parametrize(("name", "options"), [("columns", []), ("frame", ["--data-as", "frame"])])
def test_data_in_every_form_are_replayed(functions: str, name: str, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Would catch arrays and data frames that are compared as lists are, and a replay that gives the function a list."""
    assert call(f"{functions}:{name}", *options, "--json", "found.json") == Exit.UNEXPECTED
    assert main(["replay", "found.json"]) == Exit.EXPECTED
    assert "confirmed" in capsys.readouterr().out


def test_a_leak_is_named_by_its_line_and_replays(functions: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Would catch a wrong exit code, a record that does not replay, and a message without the line."""
    assert call(f"{functions}:count", "--json", "found.json") == Exit.UNEXPECTED
    shown = " ".join(capsys.readouterr().out.split())
    assert "noise.py:5" in shown and "moves by 7" in shown and "epsilon = 7" in shown
    record = json.loads(Path("found.json").read_text())
    assert record["verdict"] == "refuted" and record["witness"]["kind"] == "frozen" and record["witness"]["neighbour"] == [7, 1]
    assert main(["replay", "found.json"]) == Exit.EXPECTED
    assert "confirmed" in capsys.readouterr().out
    (Path("noise.py")).write_text(CODE.replace("float(np.sum(data))", "np.clip(data, 0, 1).sum()"))
    assert main(["replay", "found.json"]) == Exit.REJECTED  # other code than that which was audited
    assert main(["replay", "found.json", "--run"]) == Exit.UNEXPECTED


@pytest.mark.parametrize("name", ["clipped", "vectorised", "members"])
def test_what_holds_on_the_pair_is_not_refuted(functions: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(f"{functions}:{name}", "--strict") == Exit.EXPECTED
    shown = " ".join(capsys.readouterr().out.split())
    assert "not refuted" in shown and "epsilon = 1 on this pair" in shown and "other neighbours were not run" in shown


def test_what_is_not_followed_is_inconclusive_and_said(functions: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Would catch a result that is open and closes with the words for one that was not refuted."""
    assert call(f"{functions}:response", "--strict", neighbour="[1, 1]") == Exit.UNDECIDED
    said = " ".join(capsys.readouterr().out.split())
    assert "random() at noise.py:11 is no noise with a location" in said and "Not refuted is not proved" not in said


@pytest.mark.parametrize(
    ("more", "neighbour", "code", "said"),
    [
        ((), "[0, 1]", Exit.REJECTED, "equal"),
        ((), "[1, 0]", Exit.REJECTED, "differ in more than one record"),
        (("--mu", "1"), "[1, 1]", Exit.REJECTED, "one privacy definition"),
        (("--json", "no/such/folder.json"), "[1, 1]", Exit.REJECTED, "folder.json"),
    ],
)
def test_bad_input_is_one_line(functions: str, more, neighbour: str, code: Exit, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(f"{functions}:clipped", *more, neighbour=neighbour) == code
    error = [line for line in capsys.readouterr().err.strip().splitlines() if not line.startswith("Note: runs the code")]
    assert len(error) == 1 and said in error[0]


def test_an_error_of_the_users_code_is_its_own(functions: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(f"{functions}:broken") == Exit.CRASHED
    assert "raised RuntimeError: no such column" in capsys.readouterr().err


def test_the_front_door_gives_the_same_result() -> None:
    """Would catch two ways to a result that differ, and a contract that is not judged."""

    def counted(data, rng):
        return [rng.laplace(0, 1) for value in data if value > 0.5]

    first, second = (
        bp.audit_gray_box(counted, epsilon=1.0, dataset=[0, 1], neighbour=[1, 1], contract=contract).measured for contract in (False, True)
    )
    assert (first.verdict, second.verdict) == (Verdict.INCONCLUSIVE, Verdict.REFUTED)
    laplace = bp.audit_gray_box(bp.Laplace(0.5), dataset=[0.0], neighbour=[1.0]).measured
    assert (laplace.verdict, laplace.exact) == (Verdict.NOT_REFUTED, 0.5)
