"""The ledger: a cell is computed again exactly when something that it reaches has changed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from banditproof import sources
from banditproof.audits.running import ledger
from banditproof.audits.running.ledger import Ledger, digest, reached

METHOD = ("banditproof.audits.methods.privacy_loss",)


def names(*modules: str) -> set[str]:
    return {path.as_posix().split("src/banditproof/")[-1].split("banditproof/")[-1] for path in reached(*modules)}


def test_imports_are_followed_to_the_end() -> None:
    """Would catch an import inside a function that is not seen (search, models), and one for type checking that is."""
    found = names(*METHOD)
    assert {
        "audits/methods/privacy_loss.py",
        "audits/privacy/events.py",
        "audits/statistics/evidence.py",
        "randomness.py",
        "kernels.py",
    } <= found
    assert {"audits/privacy/search.py", "audits/strategies.py", "audits/models/privacy_loss.py", "audits/models/diagnostics.py"} <= found
    assert "audits/papers/balle_wang_2018/controls.py" not in found and "audits/cli/verify.py" not in found
    assert "algorithms/mechanisms/gaussian.py" in names("banditproof.audits.papers.balle_wang_2018.controls")
    with pytest.raises(ValueError, match=r"module 'banditproof\.nothing': there is none of this name"):
        reached("banditproof.nothing")


class Counting:
    """Computes a cell and counts how often."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> dict[str, Any]:
        self.count += 1
        return {"value": self.count, "none": float("nan")}


def test_a_cell_is_computed_once(tmp_path: Path) -> None:
    """Would catch a cell that is taken for another, or computed again for nothing; the file is strict JSON and holds no clock."""
    book, work = Ledger(tmp_path / "deep" / "book.json", "2026-01-02", METHOD), Counting()
    first = book.cell("a", {"seed": 1}, work)
    assert book.cell("a", {"seed": 1}, work) == first == {"value": 1, "none": "nan"}
    assert book.cell("a", {"seed": 2}, work)["value"] == 2 and book.cell("b", {"seed": 1}, work)["value"] == 3
    record = json.loads(book.path.read_text(), parse_constant=lambda text: pytest.fail(text))
    assert record["date"] == "2026-01-02" and record["schema"] == ledger.SCHEMA and record["versions"] == ledger.versions(*METHOD)
    assert [(cell["name"], cell["parameters"]) for cell in record["cells"]] == [("a", {"seed": 1}), ("a", {"seed": 2}), ("b", {"seed": 1})]
    assert sorted(path.name for path in book.path.parent.iterdir()) == ["book.json"]
    later = Ledger(book.path, "2027-01-01", METHOD)
    assert later.cell("a", {"seed": 1}, work) == first  # nothing is written, so the date stays
    assert json.loads(book.path.read_text())["date"] == "2026-01-02"


def test_a_changed_source_is_computed_again_and_replaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a stale number: the key holds the sources of all that is reached, of further files, and the versions."""
    further, work = tmp_path / "further.py", Counting()
    further.write_text("x = 1\n")
    book = Ledger(tmp_path / "book.json", "2026-01-02", METHOD, (further,))
    assert book.cell("a", {}, work)["value"] == 1
    further.write_text("x = 2\n")
    assert book.cell("a", {}, work)["value"] == 2 and len(json.loads(book.path.read_text())["cells"]) == 1
    other = Ledger(book.path, book.date, (*METHOD, "banditproof.algorithms.mechanisms.laplace"), (further,))
    assert other.cell("a", {}, work)["value"] == 3
    before = digest(*METHOD)
    monkeypatch.setattr(sources, "_distributions", lambda top, folder: ((top, "0"),))
    monkeypatch.setattr(sources, "_found", {})
    assert digest(*METHOD) != before


def test_a_source_that_changes_under_the_run_is_noticed(tmp_path: Path) -> None:
    """Would catch numbers of the old code filed under the new: the package is copied, and edited while its process runs."""
    import shutil

    source = Path(ledger.__file__).resolve().parents[2]
    for room in ("src", "theory", "algorithms", "audits"):
        shutil.copytree(source / room, tmp_path / room, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    script = (
        "from pathlib import Path\n"
        "from banditproof.audits.running import ledger\n"
        f"print(ledger.digest(*{METHOD!r}))\n"
        f"path = Path({str(tmp_path)!r}) / 'audits' / 'privacy' / 'events.py'\n"
        "path.write_text(path.read_text() + '\\n')\n"
        "try:\n"
        f"    ledger.digest(*{METHOD!r})\n"
        "except RuntimeError as error:\n"
        "    print(error)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path)
    first, second = done.stdout.splitlines()
    assert first == digest(*METHOD)  # the same sources elsewhere have the same hash
    assert "events.py: was changed after this run began" in second
