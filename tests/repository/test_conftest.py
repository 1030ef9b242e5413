"""tests/conftest.py does what it says: no skips, a generator per test, deep tests only when asked."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = """
import pytest
from hypothesis import settings
import numpy as np

def test_skips():
    pytest.skip("no such package")

def test_imports_or_skips():
    pytest.importorskip("a_package_that_nobody_wrote")

@pytest.mark.long
def test_takes_long():
    pass

@pytest.mark.long
def test_takes_as_long():
    pass

@pytest.mark.xfail(strict=True)
def test_expected():
    raise ValueError

@pytest.mark.deep
def test_heavy(scale):
    print("deep test ran", scale.of("quick", "deep"))

@pytest.mark.parametrize("case", range(3))
def test_draws(rng, case, scale):
    print("drew", rng.integers(2**62), scale.of("quick", "deep"), settings().max_examples, settings().derandomize)

def test_global_state_is_not_used(rng):
    before = np.random.get_state()[1].copy()
    rng.normal(size=3)
    assert (np.random.get_state()[1] == before).all()
"""


@pytest.fixture(scope="module")
def run(root: Path, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("inner")
    shutil.copy(root / "tests/conftest.py", folder)
    (folder / "test_inner.py").write_text(SOURCE)
    (folder / "pytest.ini").write_text("[pytest]\n")

    def once(*arguments: str) -> str:
        command = [sys.executable, "-m", "pytest", "-s", "-v", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments]
        path = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))  # tests.support
        return subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True).stdout

    return once


def draws(output: str) -> list[list[str]]:
    return [line.split("drew ")[1].split() for line in output.splitlines() if "drew " in line]


def test_a_skip_is_a_failure_and_an_expected_failure_is_not(run) -> None:
    output = run()
    assert "2 failed, 6 passed, 1 deselected, 1 xfailed" in output
    assert "skipped, which no test here may do" in output


def test_each_test_has_its_own_generator_whatever_ran_before(run) -> None:
    every = draws(run())
    assert len({line[0] for line in every}) == 3
    assert draws(run("test_inner.py::test_draws[1]")) == [every[1]]


def test_deep_runs_more_and_only_when_asked(run) -> None:
    quick, deep = run(), run("--deep")
    assert "deep test ran" not in quick
    assert "deep test ran deep" in deep
    assert {tuple(line[1:]) for line in draws(quick)} == {("quick", "50", "True")}
    assert {tuple(line[1:]) for line in draws(deep)} == {("deep", "1000", "True")}


def test_long_tests_begin_either_half(run) -> None:
    """Would catch a test that is lost, and long ones that one worker runs alone at the end."""
    names = [line.split("::")[1].split(" ")[0] for line in run().splitlines() if line.startswith("test_inner.py::")]
    assert names[0] == "test_takes_long" and names[len(names) // 2] == "test_takes_as_long"
    assert len(set(names)) == len(names) == 9
