"""Starting is cheap: what is loaded by `import banditproof`, `--help` and `theory eval`, and how much CPU the first two take."""

import json
import os
import subprocess
import sys

import pytest

HEAVY = {
    "numba",
    "pymc",
    "pytensor",
    "arviz",
    "scipy.stats",
    "matplotlib",
    "hypothesis",
    "joblib",
    "xarray",
    "sklearn",
    "dp_accounting",
    "opendp",
}
RUN = """
import json, runpy, sys
sys.argv = ["banditproof", *{arguments!r}]
try:
    runpy.run_module("banditproof", run_name="__main__", alter_sys=True)
except SystemExit as stop:
    if stop.code:
        raise
finally:
    with open({report!r}, "w") as file:
        json.dump(sorted(sys.modules), file)
"""
EVALUATE = ("theory", "eval", "dwork_2006.laplace_privacy", "sensitivity=1", "scale=2")


def loaded_by(arguments: tuple[str, ...], tmp_path) -> tuple[set[str], str]:
    """Modules in memory after a command, and what it wrote to standard output."""
    report = tmp_path / "modules.json"
    code = RUN.format(arguments=list(arguments), report=str(report))
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(json.loads(report.read_text())), done.stdout


def cpu_seconds(command: list[str]) -> float:
    """CPU time of a child, user and system, by the kernel's account of that child alone."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd="/")
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    return usage.ru_utime + usage.ru_stime


def test_import_loads_nothing_heavy() -> None:
    code = "import banditproof, json, sys; print(json.dumps(sorted(sys.modules)))"
    modules = set(json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout))
    assert "banditproof" in modules
    assert not modules & (HEAVY | {"sympy", "click", "rich"})


def test_help_loads_nothing_heavy(tmp_path) -> None:
    modules, output = loaded_by(("--help",), tmp_path)
    assert "click" in modules
    assert "verify" in output
    assert not modules & (HEAVY | {"sympy"})


def test_evaluating_a_theorem_loads_nothing_heavy_but_sympy(tmp_path) -> None:
    modules, output = loaded_by(EVALUATE, tmp_path)
    assert "sympy" in modules
    assert "0.5" in output
    assert not modules & HEAVY


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [(["-c", "import banditproof"], 0.3), (["-m", "banditproof", "--help"], 1.0)],
    ids=["import", "help"],
)
def test_start_takes_little_cpu(arguments: list[str], limit: float) -> None:
    """Would catch an import that moved out of its function. The least of three: the first start may have to write bytecode."""
    assert min(cpu_seconds([sys.executable, *arguments]) for _ in range(3)) <= limit


FIRST = """
import os, sys
from banditproof.audits.cli.commands import main
from banditproof.audits.running import run

def first(task):
    print(sum(os.times()[:2]), flush=True)
    os._exit(0)

run._cell = first
main(["verify", "dwork_2006", "--jobs", "1", "--no-posterior", "--fresh"])
"""


def test_the_first_audit_of_one_paper_begins_soon() -> None:
    """CPU before the first audit of one paper: would catch a discovery that imports the others. The least of three."""
    seconds = [float(subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True).stdout) for _ in range(3)]
    assert min(seconds) <= 2.5
