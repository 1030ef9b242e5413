"""README.md is true: its files run, its commands end as they should, and what it shows is what they print (numbers aside)."""

import math
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from banditproof.audits.statistics.tails import lower_probability

BLOCK = re.compile(r"```(python|console)\n(.*?)```", re.DOTALL)
NUMBER = re.compile(r"[+-]?\d[\d,.]*(e[+-]?\d+)?(/\d+)?")
ELIDED = "..."
QUICKER = {"verify": ["--no-posterior", "--jobs", "1"]}  # the table is the same; PyMC and the workers have tests of their own


@pytest.fixture(scope="module")
def text(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def files(text: str) -> dict[str, str]:
    """The Python blocks, each by the name in its first line."""
    blocks = [block for language, block in BLOCK.findall(text) if language == "python"]
    return {block.partition("\n")[0].removeprefix("# "): block for block in blocks}


@pytest.fixture(scope="module")
def folder(files: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("readme")
    for name, block in files.items():
        (place / name).write_text(block)
    return place


def commands(text: str) -> list[tuple[str, list[str]]]:
    """Each command with the output shown below it."""
    found: list[tuple[str, list[str]]] = []
    for language, block in BLOCK.findall(text):
        for line in block.splitlines() if language == "console" else ():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found:
                found[-1][1].append(line)
    return found


def masked(lines: list[str]) -> list[str]:
    """Lines without their numbers, which differ between versions and machines, and without widths, which follow the numbers."""
    return [re.sub(r"\s+", " ", NUMBER.sub("#", line)).strip().replace("workers", "worker") for line in lines]


def shown_in_order(shown: list[str], printed: list[str]) -> str:
    """The first shown line that is not printed in its place, or ''. '...' stands for any number of lines."""
    rest, skipping = masked(printed), False
    for line in masked(shown):
        if line == ELIDED:
            skipping = True
            continue
        if skipping:
            while rest and rest[0] != line:
                rest.pop(0)
        if not rest or rest.pop(0) != line:
            return line
        skipping = False
    return "" if skipping or not rest else f"(then more: {rest[0]})"


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "COLUMNS": "100"}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


@pytest.mark.long
def test_every_command_ends_well_and_prints_what_is_shown(text: str, folder: Path) -> None:
    """Would catch an option that was renamed, and an output pasted from a version that is gone. In order: replay reads what audit wrote."""
    told = [(command, shown) for command, shown in commands(text) if command.startswith("banditproof ")]
    assert {"verify", "theory", "audit", "replay"} <= {command.split()[1] for command, _ in told}
    for command, shown in told:
        words = shlex.split(command, comments=True)[1:]
        ended = run(["-m", "banditproof", *words, *QUICKER.get(words[0], [])], folder)
        assert ended.returncode in (0, 1), f"{command}: {ended.stderr}"
        assert not shown or not (wrong := shown_in_order(shown, ended.stdout.splitlines())), f"{command}: {wrong}"


def test_the_bounds_shown_follow_from_the_counts_shown(text: str) -> None:
    """Would catch a number that is left over from another version, which the comparison of the outputs passes over."""
    rows = re.findall(r"(\d+) correct guesses of (\d+); the claim allows [\d.]+%: epsilon >= ([\d.]+)", text)
    assert len(rows) >= 2
    for right, trials, bound in rows:
        rate = lower_probability(int(right), int(trials), 0.001)
        assert f"{math.floor(1000.0 * math.log(rate / (1.0 - rate))) / 1000.0:.3f}" == bound, (right, trials)


def test_the_python_examples_run(files: dict[str, str], folder: Path) -> None:
    for name in files:
        how = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if name.startswith("test_") else []
        ended = run([*how, name], folder)
        assert ended.returncode == 0, f"{name}:\n{ended.stdout}{ended.stderr}"


def test_each_example_needs_one_import_of_this_package(files: dict[str, str]) -> None:
    """Would catch an example that has to know in which module a name is."""
    imports = {name: re.findall(r"^(?:from|import) (?:banditproof\b.*)$", text, flags=re.MULTILINE) for name, text in files.items()}
    used = {name: lines for name, lines in imports.items() if lines}
    assert len(used) >= 3
    assert all(lines == ["import banditproof as bp"] for lines in used.values()), used
    assert not [name for name in imports if name not in used and "banditproof" in files[name]]


def test_the_tests_of_the_example_can_fail(files: dict[str, str], folder: Path) -> None:
    """Would catch an example whose assertions pass whatever they are given."""
    broken = files["test_learning.py"].replace("scale=1 / epsilon", "scale=0.5 / epsilon").replace("bound=139.9", "bound=10.0")
    broken = broken.replace("> np.sqrt(np.log(2 / 0.1) / 100)", "> 0.05").replace("must_detect=200.0", "must_detect=12.0")
    (folder / "test_broken.py").write_text(broken)
    ended = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_broken.py"], folder)
    assert "3 failed" in ended.stdout, ended.stdout


def test_three_sentences_and_three_groups(text: str) -> None:
    """Would catch a README that grows into a manual."""
    assert len(text.splitlines()) < 160
    assert len(re.findall(r"^## You ", text, flags=re.MULTILINE)) == 3


@pytest.mark.parametrize(
    ("shown", "printed", "wrong"),
    [
        (["a 1", "b 2"], ["a 3", "b 4.5e-6"], ""),
        (["a", "...", "d"], ["a", "b", "c", "d"], ""),
        (["a", "..."], ["a", "b"], ""),
        (["a"], ["a", "b"], "(then more: b)"),
        (["a", "c"], ["a", "b"], "c"),
        (["a", "...", "x"], ["a", "b"], "x"),
    ],
)
def test_the_comparison_compares(shown: list[str], printed: list[str], wrong: str) -> None:
    assert shown_in_order(shown, printed) == wrong
