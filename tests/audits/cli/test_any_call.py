"""Valid calls of every command with one thing changed, drawn by Hypothesis: each ends with a documented code and one clear line.

Commands, arguments and options are those of the click tree, so that a new one is tried without an edit here. What is slow is replaced: a
figure by one that draws nothing, searches and samplers by their smallest. `--deep` draws five calls for each argument, each option and the
environment; the ordinary suite draws 60 calls of all of them.
"""

import contextlib
import json
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from banditproof.audits import front_door
from banditproof.audits.cli import commands
from banditproof.audits.estimation import comparison
from banditproof.audits.experiments.experiment import Experiment, Reproduction
from banditproof.audits.methods import proof_steps
from banditproof.audits.models import privacy_loss
from banditproof.audits.running.exits import Exit
from banditproof.audits.statistics.evidence import Measurement, Verdict

from .conftest import Ended

CLASS = "class C:\n    def __init__(self, needed): ...\n"
MODEL = {"low": 0.1, "high": 1.0, "mass": 0.9, "r_hat": 1.0, "ess_bulk": 1.0, "divergences": 0}
NOISE = "def f(data, rng):\n    return data[0] + rng.laplace(scale=2.0)\n"
PRIVATE = ["noise.py:f", "--epsilon", "1", "--dataset", "[0]", "--neighbour", "[1]"]
# Valid calls that cost little. A command that is not here is called with the values of `ARGUMENTS`, by the metavar of each.
CALLS: dict[str, list[str]] = {
    "audit gray-box": PRIVATE,
    "audit plan": ["--epsilon", "1", "--samples", "2000"],
    "audit privacy": [*PRIVATE, "--samples", "400"],
    "audit samples": ["a.npy", "a.npy", "--epsilon", "1"],
    "compare estimators": ["--arms", "3", "--dimension", "2", "--samples", "60", "--runs", "83"],
    "export": ["r.json", "--frame", "frame.csv"],
    "replay": ["r.json", "--run", "--samples", "400"],
    "reproduce": ["stub.figure", "--runs", "3", "--horizon", "9", "--jobs", "1"],
    "schema": [],
    "theory eval": ["dwork_2006.laplace_privacy", "sensitivity=1", "scale=2"],
    "theory findings": ["auer_2002"],
    "theory list": ["dwork_2006"],
    "theory proofs": ["dwork_2006"],
    "theory show": ["dwork_2006.laplace_privacy"],
    "verify": ["dwork_2006.laplace_privacy/agree.laplace.scale", "--jobs", "1", "--no-posterior"],
}
ARGUMENTS = {"old": "r.json", "new": "r.json", "file": "r.json"}
WORDS = ["", " ", "x", "-", "--", "--json", "nosuch", "[", "quick", "central", "LOOSE", "any_pair", "\x1b[31m", "\udcff", "ε", "a" * 5000]
NUMBERS = ["0", "1", "-1", "2.5", "nan", "-inf", "1e300", "1e-400", "1e999999999", "99999999999999999999", "9" * 5000, "１", "1/0", "0x10"]
IDS = ["dwork_2006", "dwork_2006.nosuch", "dwork_2006.laplace_privacy", "wu_2023.figure1", "user:noise.py:f", "stub.figure"]
FILES = ["nosuch.json", "folder", "/dev/full", "/dev/null", "/proc/x.json", "locked/x.json", "lie.npy", "text.npy", "objects.npy", "x\0y"]
RECORDS = ["deep.json", "digits.json", "bytes.json", "list.json", "seed.json", "trials.json", "order.json", "bom.json", "verify.json"]
MODULES = [
    "/:f",
    ".:f",
    "a..b:f",
    "noise.py:",
    ":f",
    "noise.py:g",
    "noise:f",
    "os:path",
    "sys:exit",
    "raises.py:f",
    "async.py:f",
    "class.py:C",
]
JSON = [
    "[0, 1]",
    "[",
    "null",
    "true",
    '"x"',
    "{}",
    "[NaN]",
    "[1e999]",
    "[[[]]]",
    '{"low": 0, "high": 1, "lengths": [1, 1000000000]}',
    "[" * 9999,
]
VALUES = [*WORDS, *NUMBERS, *IDS, *FILES, *RECORDS, *MODULES, *JSON, "scale=2", "scale=１", "scale=1e999999999", "=", "scale="]
SETTINGS = [
    ("COLUMNS", "0"),
    ("COLUMNS", "-3"),
    ("COLUMNS", "x"),
    ("NO_COLOR", "1"),
    ("TERM", "dumb"),
    ("XDG_STATE_HOME", "/dev/null"),
    ("HOME", "/nosuch"),
]


@dataclass(frozen=True)
class Target:
    """What is changed in a call of a command: an argument or an option, or the environment where it is None."""

    command: str
    parameter: str | None
    flag: bool = False
    place: int | None = None  # of an argument


@dataclass(frozen=True)
class Call:
    arguments: tuple[str, ...]
    setting: tuple[str, str] | None = None


def leaves(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


LEAVES = dict(leaves(commands.cli))


def targets() -> Iterator[Target]:
    """Each argument, each name of each option, --help, and the environment, of each command."""
    for name, command in LEAVES.items():
        places = iter(range(100))
        for each in command.params:
            if isinstance(each, click.Argument):
                yield Target(name, each.name, place=next(places))
            else:
                for option in (*each.opts, *each.secondary_opts):
                    yield Target(name, option, flag=getattr(each, "is_flag", False))
        yield Target(name, "--help", flag=True)
        yield Target(name, None)


TARGETS = list(targets())


def valid(command: str) -> list[str]:
    """A valid call of a command, also of one that came later."""
    if command in CALLS:
        return CALLS[command]
    arguments = [each for each in LEAVES[command].params if isinstance(each, click.Argument) and each.required]
    return [ARGUMENTS.get(str(each.name), "r.json") for each in arguments]


def calls_of(target: Target) -> st.SearchStrategy[Call]:
    """Valid calls with this one thing changed."""
    base = [*target.command.split(), *valid(target.command)]
    depth = len(target.command.split())

    def changed(value: str, twice: bool) -> Call:
        if target.place is not None:
            kept = list(base)
            kept[depth + target.place : depth + target.place + 1] = [value]
            return Call(tuple(kept))
        added = [str(target.parameter)] * (1 + twice) if target.flag else [str(target.parameter), value]
        return Call((*base, *added))

    if target.parameter is None:
        return st.builds(lambda setting: Call(tuple(base), setting), st.sampled_from(SETTINGS))
    return st.builds(changed, st.sampled_from(VALUES), st.booleans())


class NoFigure:
    """An experiment that draws nothing."""

    @staticmethod
    def reproduce(request: Any, reporter: Any) -> Reproduction:
        rows = ({"run": 0, "regret": 1.0},)
        parameters = {"runs": request.runs, "horizon": request.horizon, "seed": request.seed}
        return Reproduction(parameters=parameters, rows=rows, outcomes={}, pictures=(), sections=(), notes=())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with files of every kind, where commands run; caches, ledgers and what is kept of code are in it too."""
    folder = tmp_path_factory.mktemp("calls")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(sys, "path", list(sys.path))
        patch.setenv("COLUMNS", "100")
        patch.setenv("HOME", str(folder))
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        patch.setenv("BANDITPROOF_CACHE", str(folder / "cache"))
        patch.setattr(comparison, "effort_at", lambda level: comparison.Effort(1, 1, 1))
        patch.setattr(privacy_loss, "sample_posterior", lambda *_, **__: dict(MODEL))
        patch.setattr(proof_steps, "searched", lambda line: Measurement(Verdict.INCONCLUSIVE))
        patch.setattr(proof_steps, "proofs_of", lambda stem: folder / f"{stem}.proofs.json")
        stub = Experiment("stub.figure", "draws nothing", runs=3, horizon=9, least_horizon=1, reproduce=NoFigure.reproduce)
        known = front_door.experiment
        patch.setattr(front_door, "experiment", lambda id: stub if id in ("stub.figure", "wu_2023.figure1") else known(id))
        _files(folder)
        PRISTINE.update({file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()})
        yield folder


PRISTINE: dict[str, bytes] = {}  # files that calls read, by name: a call before may have written to one of them


def _files(folder: Path) -> None:
    """What calls read: valid files, and files that are not what they say."""
    for name, text in (("noise", NOISE), ("raises", "1 / 0\n"), ("async", "async def f(data, rng): ...\n"), ("class", CLASS)):
        (folder / f"{name}.py").write_text(text)
    (folder / "folder").mkdir()
    (folder / "locked").mkdir(mode=0o500)
    draws = np.random.default_rng(1).laplace(size=400)
    np.save(folder / "a.npy", draws)
    np.save(folder / "text.npy", np.array(["a", "b"]))
    np.save(folder / "objects.npy", np.array([{}], dtype=object))
    content = (folder / "a.npy").read_bytes()
    (folder / "lie.npy").write_bytes(content.replace(b"(400,)", b"(9000000000,)", 1))
    assert commands.main(("audit", "privacy", *PRIVATE, "--samples", "400", "--json", "r.json")) == Exit.EXPECTED
    text = (folder / "r.json").read_text()
    record = json.loads(text)
    (folder / "bom.json").write_text("\ufeff" + text)
    (folder / "bytes.json").write_bytes(b"\xff\xfe{")
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "digits.json").write_text('{"seed": ' + "9" * 5000 + "}")
    (folder / "list.json").write_text("[1]")
    run = {"schema": "banditproof/verify/3", "banditproof": "0", "pattern": None, "level": "quick", "false_alarm": 0.1, "seed": 1}
    (folder / "verify.json").write_text(json.dumps({**run, "complete": True, "results": [record, 3, {**record, "audit": "x"}]}))
    (folder / "seed.json").write_text(json.dumps({**record, "seed": "x"}))
    for name, key, value in (("trials", "trials", 10**30), ("order", "event", {**record["witness"]["event"], "low": 9.0, "high": 1.0})):
        (folder / f"{name}.json").write_text(json.dumps({**record, "witness": {**record["witness"], key: value}}))


def ended(call: Call, capsys: pytest.CaptureFixture[str]) -> Ended:
    """How the call ends in this process."""
    for name, content in PRISTINE.items():
        if not Path(name).is_file() or Path(name).read_bytes() != content:
            Path(name).write_bytes(content)
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        if call.setting is not None:
            patch.setenv(*call.setting)
        code = commands.main(call.arguments)
    return Ended(code, *capsys.readouterr())


# What may stand before: progress, names that have changed, what was written.
NOTES = ("Note: ", "1 audit", "[1/1]", "1 row written")


def complaint(call: Call, found: Ended, folder: Path) -> str:
    """What is wrong with how a call ended; empty if nothing is."""
    lines = [line for line in found.err.splitlines() if not line.startswith(NOTES)]
    errors = [line for line in lines if line.startswith("Error: ")]
    if found.code not in set(Exit):
        return f"the exit code {found.code} is not documented"
    if "banditproof itself failed" in found.err or ("Traceback" in found.err and "--traceback" not in call.arguments):
        return "a trace"
    refused = found.code in (Exit.REJECTED, Exit.CRASHED, Exit.NO_MATCH)
    errors += [line for line in lines if line.startswith("Nothing matches") and found.code == Exit.NO_MATCH]
    if refused and len(errors) != 1:
        return "not one line that says what is wrong"
    if refused and "--traceback" not in call.arguments and lines[-1] != errors[-1]:
        return "something after the error"
    if refused and len(lines) != 1 and "--traceback" not in call.arguments:
        return "more than one line"
    if not refused and errors:
        return "an error, and an exit code that says none"
    if any(ord(letter) < 32 and letter not in "\n\t" for letter in found.err):
        return "a control character reaches the terminal"
    return damaged(folder)


def damaged(folder: Path) -> str:
    """Which ledger below a folder has lost its integrity; empty if none has."""
    for file in folder.rglob("*.sqlite"):
        with contextlib.closing(sqlite3.connect(file)) as ledger:
            try:
                found = ledger.execute("PRAGMA integrity_check").fetchone()
            except sqlite3.DatabaseError as error:
                found = (str(error),)
        if found != ("ok",):
            return f"{file.name} is damaged: {found[0]}"
    return ""


QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@given(call=st.sampled_from(TARGETS).flatmap(calls_of))
@settings(max_examples=60, deadline=None, suppress_health_check=QUIET)
def test_a_call_with_one_thing_changed_ends_as_documented(place: Path, capsys: pytest.CaptureFixture[str], call: Call) -> None:
    """Would catch a trace, an undocumented exit code, words of Python or click beside the one line, and a damaged ledger."""
    found = ended(call, capsys)
    assert complaint(call, found, place) == "", found


@pytest.mark.deep
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.command} {target.parameter}")
def test_each_option_with_values_of_every_kind_ends_as_documented(place: Path, capsys: pytest.CaptureFixture[str], target: Target) -> None:
    """The same, five times for each argument, each name of each option and the environment: about 700 calls."""

    @given(call=calls_of(target))
    @settings(max_examples=5, deadline=None, suppress_health_check=QUIET)
    def tried(call: Call) -> None:
        found = ended(call, capsys)
        assert complaint(call, found, place) == "", found

    tried()


def test_unchanged_calls_are_valid(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Would catch a base that is refused for another reason than the change."""
    for command in LEAVES:
        found = ended(Call((*command.split(), *valid(command))), capsys)
        assert found.code in (Exit.EXPECTED, Exit.UNEXPECTED), (command, found)
        assert found.out or command in ("export", "theory proofs"), command


def test_a_damaged_ledger_is_noticed(tmp_path: Path) -> None:
    """Would catch a check that no file can fail."""
    file = tmp_path / "results.sqlite"
    with sqlite3.connect(file) as ledger:
        ledger.execute("CREATE TABLE cells (id INTEGER PRIMARY KEY, text TEXT)")
        ledger.executemany("INSERT INTO cells VALUES (?, ?)", [(each, "x" * 500) for each in range(200)])
    ledger.close()
    assert damaged(tmp_path) == ""
    content = bytearray(file.read_bytes())
    content[8192:8200] = b"\xff" * 8  # the header of a page
    file.write_bytes(content)
    assert damaged(tmp_path).startswith("results.sqlite is damaged: ")
