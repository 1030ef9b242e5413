"""Golden values: what the tests of a paper's theory say of a mutant that no audit notices.

Run as a process in a copy of the tree, with the package's folder and the test files as arguments, it writes the first test that fails.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from tests.support.mutants.judge import GOLDEN, KILLED, SURVIVED, Fate
from tests.support.mutants.trees import ROOT, Tree

LIMIT = 900.0  # seconds for the tests of one paper: ten times what they take
_OTHERS = re.compile(r"^(from|import) banditproof\.(algorithms|audits)\b", re.MULTILINE)


def stem_of(file: str) -> str:
    """The paper of a file of theory/papers; "" for any other file."""
    parts = Path(file).parts
    return parts[2].removesuffix(".py") if parts[:2] == ("theory", "papers") else ""


def files(stem: str, root: Path = ROOT) -> list[str]:
    """Test files of a paper's folder and of tests/theory that import the paper's theory and nothing of the algorithms or the audits: their
    numbers come from the sheet, and not from code."""
    paper = re.compile(rf"^from banditproof\.theory\.papers(\.{stem}\b| import .*\b{stem}\b)", re.MULTILINE)
    texts = {
        str(path.relative_to(root)): path.read_text(encoding="utf-8")
        for folder in (root / "tests" / "papers" / stem, root / "tests" / "theory")
        for path in sorted(folder.rglob("test_*.py"))
    }
    return [file for file, text in texts.items() if paper.search(text) and not _OTHERS.search(text)]


@cache
def version(stem: str, root: Path = ROOT) -> str:
    """A hash of the tests of a paper's theory; "" where there are none."""
    found = files(stem, root) if stem else []
    return hashlib.sha256(b"".join((root / file).read_bytes() for file in found)).hexdigest()[:8] if found else ""


@dataclass(frozen=True)
class Failure:
    """The first test that failed, and the last line of what it said."""

    test: str
    message: str


def first_failure(tree: Tree, stem: str) -> Failure | None:
    """Runs the tests of a paper's theory in a copy of the tree. Raises RuntimeError where their process says nothing. Tests that do not end
    in time have noticed nothing: a busy machine does that too."""
    asked = files(stem)
    if not asked:
        return None
    command = [sys.executable, "-m", "tests.support.mutants.golden", str(tree.package), *asked]
    with tempfile.TemporaryFile("w+") as said:
        try:
            subprocess.run(
                command, cwd=ROOT, env=tree.environment(), stdout=said, stderr=subprocess.STDOUT, timeout=LIMIT, start_new_session=True
            )
        except subprocess.TimeoutExpired:
            return None
        said.seek(0)
        lines = said.read().strip().splitlines() or [""]
    if not lines[-1].startswith("{"):
        raise RuntimeError(f"the tests of {stem}: their process ended with {lines[-1][:300]!r}")
    heard = json.loads(lines[-1])
    return Failure(heard["test"], heard["message"]) if heard["test"] else None


@cache
def _passes(tree: Tree, stem: str) -> None:
    """Raises RuntimeError where the tests fail in the tree as it is: then a failure says nothing of a mutant."""
    failure = first_failure(tree, stem)
    if failure is not None:
        raise RuntimeError(f"{failure.test} fails in the tree as it is: {failure.message}")


def asked_too(tree: Tree, file: str, text: str, result: Fate) -> Fate:
    """The fate of a mutant of theory that no audit notices, after the golden values of its paper; any other fate as it is."""
    stem = stem_of(file)
    if result.status != SURVIVED or not stem:
        return result
    _passes(tree, stem)
    found = list[Failure]()

    def run() -> None:
        failure = first_failure(tree, stem)
        if failure is not None:
            found.append(failure)

    tree.planted(file, text, run)
    if not found:
        return result
    return replace(result, status=KILLED, kind=GOLDEN, audit=found[0].test, verdict="failed", message=found[0].message)


class _First:
    """A plugin of pytest that notes the first failure of a test or of an import."""

    def __init__(self) -> None:
        self.test, self.message = "", ""

    def _note(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.test:
            lines = report.longreprtext.strip().splitlines()
            marked = [line[1:].strip() for line in lines if line.startswith("E ")]
            self.test, self.message = report.nodeid, (marked or lines or [""])[0][:300]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report)


def main(package: str, *asked: str) -> None:
    """Writes the first failure as JSON on the last line of standard output."""
    import banditproof

    if Path(str(banditproof.__file__)).parent != Path(package):
        raise SystemExit(f"banditproof was imported from {banditproof.__file__}, not from {package}")
    first = _First()
    code = pytest.main(["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--no-header", *asked], plugins=[first])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED):
        raise SystemExit(f"pytest ended with {code}")
    sys.stdout.flush()
    print(json.dumps({"test": first.test, "message": first.message}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
