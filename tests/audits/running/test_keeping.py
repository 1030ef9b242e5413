"""The ledger of `verify`: nothing that was finished is lost, whatever ends the run, and nothing is taken that could have changed.

Commands run in processes of their own on a paper of somebody else's, whose audits take no time of the processor.
"""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.caches import own_cache

STUB = """
import time
from dataclasses import dataclass
import numpy as np
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Measurement, Verdict
@dataclass(frozen=True)
class Stub:
    number: int
    seconds: float
    shift: float
    prefix = "stub"
    statistical = True
    def measure(self, request):
        time.sleep(self.seconds)
        words = [int.from_bytes(part.encode(), "little") for part in request.path]
        draw = np.random.default_rng([request.seed, *words]).normal() + self.shift
        return Measurement(Verdict.NOT_REFUTED, quantity="epsilon", low=draw, detail={"at": (draw, float("inf"))})
    def recheck(self, before, again):
        return before
def audits(name, seconds, shift):
    return tuple(Audit(f"kept.{name}", f"stub.n{n}", f"{name}, {n}", Stub(n, seconds, shift)) for n in range(12))
"""
PAPER = {
    "kept/__init__.py": "",
    "kept/stub.py": STUB,
    "kept/left.py": "SHIFT = 1.0\n",
    "kept/right.py": "SHIFT = 2.0\n",
    "kept/cases/__init__.py": "",
    "kept/cases/first.py": "from kept.left import SHIFT\nfrom kept.stub import audits\nFIRST = audits('first', 0.15, SHIFT)\n",
    "kept/cases/second.py": "from kept.right import SHIFT\nfrom kept.stub import audits\nSECOND = audits('second', 0.15, SHIFT)\n",
    "kept-0.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: kept\nVersion: 0.1\n",
    "kept-0.1.dist-info/entry_points.txt": "[banditproof.papers]\nkept = kept\n",
}
ALL = 24
Verify = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    for name, text in PAPER.items():
        (tmp_path / "paper" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "paper" / name).write_text(text)
    return tmp_path / "paper"


@pytest.fixture
def verify(paper: Path, tmp_path: Path) -> Verify:
    """Starts `banditproof verify kept ...`, in a session of its own."""
    own_cache(tmp_path / "cache")

    def started(*arguments: str, cache: str = "cache", file_size: int | None = None) -> "subprocess.Popen[str]":
        path = os.pathsep.join(filter(None, (str(paper), os.environ.get("PYTHONPATH"))))
        command = [sys.executable, "-m", "banditproof", "verify", "kept", "--verbose", *arguments]
        return subprocess.Popen(
            command,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path, "BANDITPROOF_CACHE": str(tmp_path / cache), "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=None if file_size is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size)),
        )

    return started


def ended(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def ran(err: str) -> set[str]:
    """The audits that were computed, as the progress names them."""
    return set(re.findall(r"^\[ *\d+/\d+\].*? (kept\.\S+)", err, flags=re.MULTILINE))


def killed(process: "subprocess.Popen[str]", number: signal.Signals, after: int) -> str:
    """Ends a run after that many results; what it said. Fails unless all of its processes are gone and its pipes closed within 5 s."""
    assert process.stderr is not None
    said = ""
    while said.count("\n[") < after and (line := process.stderr.readline()):
        said += line
    os.kill(process.pid, number)
    began = time.monotonic()
    _, err = process.communicate(timeout=60)  # until nobody holds the pipes
    while members(process.pid) and time.monotonic() - began < 30.0:
        time.sleep(0.05)
    assert time.monotonic() - began < 5.0, (number, members(process.pid))
    return said + err


def members(session: int) -> list[str]:
    """The processes of a session that are not dead."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                name, _, rest = (folder / "stat").read_text().rpartition(")")
            except OSError:
                continue
            if rest.split()[3] == str(session) and rest.split()[0] != "Z":
                found.append(name)
    return found


def test_a_run_that_is_killed_goes_on_to_the_same_record(verify: Verify, tmp_path: Path, rng, scale) -> None:
    """Would catch a result that is lost or half written when the process dies, workers that outlive it, and a record that shows where a
    run was interrupted: kill -9 and SIGTERM at drawn moments, one run after the other, of a --fresh run over an old ledger."""
    code, _, _ = ended(verify("--jobs", "1", "--json", "undisturbed.json"))
    assert code == 0
    signals = [signal.SIGKILL] * scale.of(1, 10) + [signal.SIGTERM] * scale.of(1, 3)
    moments = sorted(int(each) for each in rng.integers(1, ALL - 2, len(signals)))
    kept = 0
    for position, (number, moment) in enumerate(zip(signals, moments, strict=True)):
        said = killed(verify("--jobs", "2", "--json", "r.json", "--fresh" if position == 0 else "--resume"), number, max(1, moment - kept))
        taken = re.search(r"^(\d+) of 24 results from the ledger", said, flags=re.MULTILINE)
        assert (0 if taken is None else int(taken[1])) >= kept, said
        kept = (0 if taken is None else int(taken[1])) + len(ran(said))
        if number is signal.SIGTERM:
            told = re.search(r"^(\d+) of 24 results are kept; the same command with --resume goes on from there$", said, flags=re.MULTILINE)
            assert told is not None and kept <= int(told[1]) <= kept + 1, said  # the one that was kept when the signal came is not named
            kept = int(told[1])
            assert json.loads((tmp_path / "r.json").read_text())["complete"] is False
    code, _, err = ended(verify("--jobs", "2", "--json", "resumed.json", "--resume"))
    assert code == 0 and f"{kept} of 24 results from the ledger" in err and len(ran(err)) == ALL - kept, err
    assert (tmp_path / "resumed.json").read_bytes() == (tmp_path / "undisturbed.json").read_bytes()


def test_what_has_not_changed_is_taken_and_nothing_else(verify: Verify, paper: Path, tmp_path: Path) -> None:
    """Would catch a stale result, and an edit that costs more than what it reaches: a module, the file of a case, a file that nothing
    imports, data of the paper, and a second seed."""

    def computed(*arguments: str) -> set[str]:
        code, _, err = ended(verify("--jobs", "1", "--json", "record.json", *arguments))
        assert code == 0, err
        assert f"{ALL - len(ran(err))} of 24 results from the ledger" in err or len(ran(err)) == ALL
        return {name.partition("/")[0] for name in ran(err)}

    assert computed() == {"kept.first", "kept.second"}
    record = (tmp_path / "record.json").read_bytes()
    (paper / "kept/unused.py").write_text("NUMBER = 4\n")
    assert computed() == set() and (tmp_path / "record.json").read_bytes() == record
    (paper / "kept/left.py").write_text("SHIFT = 3.0\n")
    (paper / "kept/stub.py").touch()
    assert computed() == {"kept.first"}
    (paper / "kept/cases/second.py").write_text(PAPER["kept/cases/second.py"] + "\n# another reading\n")
    assert computed() == {"kept.second"}
    (paper / "kept/numbers.csv").write_text("1,2\n")
    assert computed() == {"kept.first", "kept.second"}


def test_results_of_code_that_was_edited_meanwhile_are_not_kept(paper: Path, tmp_path: Path) -> None:
    """Would catch the results of a notebook that runs on with what it has imported, kept as those of the file as it is now."""
    begins = "import banditproof as bp; from pathlib import Path"
    judges = "print([each.measured.low for each in bp.verify('kept', jobs=1).results])"
    edits = "stub = Path('paper/kept/stub.py'); stub.write_text(stub.read_text().replace('+ self.shift', '+ self.shift + 2.0'))"
    environment = {**os.environ, "BANDITPROOF_CACHE": str(tmp_path / "cache")}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (str(paper), os.environ.get("PYTHONPATH"))))
    before, after = (
        subprocess.run([sys.executable, "-c", "; ".join(code)], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        for code in ((begins, judges, edits, judges), (begins, judges))
    )
    lows, (again,) = json.loads(before.stdout.splitlines()[0]), map(json.loads, after.stdout.splitlines())
    assert sorted(round(new - old, 6) for old, new in zip(lows, again, strict=True)) == [2.0] * 24


@pytest.mark.parametrize("cache", ["cache", "/dev/null", "unreadable"])
def test_a_full_disk_loses_nothing_and_the_table_is_shown(verify: Verify, tmp_path: Path, cache: str) -> None:
    """Would catch a table that is never printed because a file could not be written, a truncated file under its final name, a refusal to
    run without a ledger, and a message for each result."""
    (tmp_path / "unreadable/results").mkdir(parents=True)
    (tmp_path / "unreadable/results/verify-1.sqlite").write_bytes(b"no database" * 999)
    (tmp_path / "record.json").write_text("before")
    code, out, err = ended(verify("--jobs", "1", "--json", "record.json", cache=cache, file_size=8_000))
    assert code == 2 and "24 not refuted" in " ".join(out.split()), err
    assert err.count("results are not kept from here on (") == 1
    assert "Error: json = record.json: cannot be written (File too large)" in err and "Traceback" not in err
    assert (tmp_path / "record.json").read_text() == "before"
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".new")] == []


def test_a_record_that_cannot_be_written_costs_no_result(verify: Verify) -> None:
    """Would catch a full disk behind --json that takes the results with it, and a reader of the table who goes away with them."""
    code, out, err = ended(verify("--jobs", "1", "--json", "/dev/full"))
    assert code == 2 and "24 not refuted" in " ".join(out.split())
    assert "Error: json = /dev/full: cannot be written (No space left on device)" in err
    code, out, err = ended(verify("--json", "/dev/stdout"))
    assert code == 0 and "24 of 24 results from the ledger" in err and ran(err) == set()
    assert json.loads(out[out.index("\n{") :])["complete"] is True
