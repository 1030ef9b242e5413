"""Runs commands as a user does: in this process, or in one of their own where streams and exit codes must be the real ones."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from banditproof.audits import reporting
from banditproof.audits.cli.commands import main
from banditproof.audits.running import located
from tests.support.caches import own_cache

HERE = Path(__file__).parent
SUBJECTS = str(HERE / "example_mechanisms.py")
SCHEMA = json.loads((Path(reporting.__path__[0]) / "result.schema.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ended]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs `banditproof ...` in this process, in an empty folder; `--json` output and messages are apart."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("XDG_STATE_HOME", str(state_of(tmp_path)))
    monkeypatch.setenv("BANDITPROOF_CACHE", own_cache(tmp_path.with_name(f"{tmp_path.name}.cache")))  # no test finds results of another
    monkeypatch.setenv("COLUMNS", "100")  # else the width depends on the terminal that the tests were started from

    def command(*arguments: str) -> Ended:
        capfd.readouterr()
        code = main(arguments)
        return Ended(code, *capfd.readouterr())  # what a child process prints is on the descriptors alone

    return command


def state_of(folder: Path) -> Path:
    """Where it is kept which code was run: an account that has run the examples before."""
    state = folder.with_name(f"{folder.name}.state")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(state))
        located.note(replace(located.located(subject("plain")), object=""))
    return state


def in_a_process(*arguments: str, cwd: Path, **variables: str) -> Ended:
    """Runs `python -m banditproof ...` in a process of its own, with a ledger of its own."""
    with tempfile.TemporaryDirectory() as folder:
        own = {"BANDITPROOF_CACHE": own_cache(Path(folder)), "XDG_STATE_HOME": str(state_of(cwd))}
        environment = {**os.environ, "COLUMNS": "100", **own, **variables}
        done = subprocess.run(
            [sys.executable, "-m", "banditproof", *arguments], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300
        )
    return Ended(done.returncode, done.stdout, done.stderr)


def subject(name: str) -> str:
    return f"{SUBJECTS}:{name}"
