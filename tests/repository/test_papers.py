"""A paper has one shape and lives in its own folders: it can be deleted, and another added, without an edit elsewhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STEM = "first_2010"
ENTRY = """
@article{first2010word,
  title = {Noise},
  author = {First, A. and Second, B.},
  journal = {Noise},
  year = {2010},
  doi = {10.0000/0}
}
"""
EXEMPT = ("--ignore=tests/repository/test_readme.py", "--deselect=tests/repository/test_files.py::test_this_environment_is_the_lock")
IGNORED = shutil.ignore_patterns(".venv", ".git", ".cache", "__pycache__", ".hypothesis", "*_cache", "*.egg-info", "evidence", "figures")


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """A copy of the working tree, with a git repository of its own."""
    copy = tmp_path / "checkout"
    shutil.copytree(root, copy, symlinks=True, ignore=IGNORED)
    for folder in ("evidence", "figures"):
        shutil.copytree(root / "docs" / folder, copy / "docs" / folder)
    for command in (("init", "-q"), ("add", "-A"), ("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "copy")):
        subprocess.run(["git", *command], cwd=copy, check=True, capture_output=True)
    return copy


def ran(checkout: Path, *command: str) -> str:
    """What a command prints in the checkout, whose package it imports. Fails with its output."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    done = subprocess.run([sys.executable, *command], cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: exit {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def linted(checkout: Path) -> None:
    for command in (("-m", "ruff", "check", "."), ("-m", "ruff", "format", "--check", "."), ("-m", "mypy")):
        ran(checkout, *command)
    contracted(checkout)


def contracted(checkout: Path) -> None:
    """The import contracts of pyproject.toml are kept."""
    call = "import sys; from importlinter.cli import lint_imports_command as run; sys.argv = ['lint-imports', '--no-cache']; run()"
    assert "0 broken" in ran(checkout, "-c", call)


def skeletons(root: Path) -> dict[str, str]:
    """The files of CONTRIBUTING.md's example paper, by path: each block begins with its path in a comment."""
    blocks = re.findall(r"```python\n# (\S+)\n(.*?)```", (root / "CONTRIBUTING.md").read_text(), flags=re.DOTALL)
    return dict(blocks)


@pytest.mark.long
def test_a_new_paper_touches_no_existing_file_but_two(root: Path, checkout: Path) -> None:
    """Would catch a list that a new paper, mechanism or audit has to be entered in: the skeletons of CONTRIBUTING.md, a key in
    references.bib and a line in CHANGELOG.md are all that changes, and the paper is stated, audited, controlled and conforms."""
    files = skeletons(root)
    assert len(files) >= 5 and all(not (checkout / path).exists() for path in files)
    for path, text in files.items():
        (checkout / path).parent.mkdir(parents=True, exist_ok=True)
        (checkout / path).write_text(text)
    for path in {(checkout / path).parent for path in files if path.startswith(("theory/papers/", "audits/papers/"))}:
        if path.name == STEM:
            (path / "__init__.py").touch()
    with (checkout / "references.bib").open("a") as file:
        file.write(ENTRY)
    changelog = checkout / "CHANGELOG.md"
    changelog.write_text(changelog.read_text().replace("## [Unreleased]\n", "## [Unreleased]\n\n- First and Second 2010.\n", 1))
    subprocess.run(["git", "add", "-A"], cwd=checkout, check=True)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=checkout, check=True, capture_output=True, text=True).stdout
    changed = [line[3:] for line in status.splitlines() if not line.startswith("A")]
    assert sorted(changed) == ["CHANGELOG.md", "references.bib"]

    assert f"{STEM}." in ran(checkout, "-m", "banditproof", "theory", "list", STEM)
    assert "exit 0: all as expected" in ran(checkout, "-m", "banditproof", "verify", STEM, "--no-posterior")
    found = ran(checkout, "-c", CONTROLS.format(stem=STEM))
    assert "refuted" in found and "not refuted" not in found
    ran(checkout, "-m", "ruff", "check", *files)
    ran(checkout, "-m", "ruff", "format", "--check", *files)
    contracted(checkout)
    quick = (
        *("tests/audits/running/test_no_orphans.py", "tests/repository/test_imports.py", "tests/repository/test_references.py"),
        *("tests/repository/test_code.py", "tests/papers/first_2010", "tests/algorithms/test_mechanisms.py"),
    )
    # Of the walk over all mechanisms, what it tries on this one; that it is among them, `walked` says.
    of_the_paper = "(not test_mechanisms.py or noisy.Noisy) and not reached_by_the_conformance_suite"
    said = ran(checkout, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-n", "0", *quick, "-k", of_the_paper)
    walked = re.findall(r"^tests/algorithms/test_mechanisms\.py::.* PASSED", said, flags=re.MULTILINE)
    assert walked and all("noisy.Noisy" in line for line in walked)
    assert all(re.search(rf"^{re.escape(place)}.* PASSED", said, flags=re.MULTILINE) for place in quick)


CONTROLS = """
from banditproof.audits.running.audit import FALSE_ALARM, Request
from banditproof.audits.running.registry import controls
for id, control in controls("{stem}").items():
    print(id, control.audit.method.measure(Request(FALSE_ALARM, 17, control.audit.seed_path)).verdict.value)
"""


@pytest.mark.deep
def test_papers_can_be_deleted_one_after_the_other(checkout: Path) -> None:
    """Would catch anything in shared code, shared tests or another paper that needs one of these two: after each deletion lint, all tests
    and verify of the rest are green. The README's examples and its environment are exempt."""
    for stem in ("wu_2023", "shariff_sheffet_2018"):
        assert stem in ran(checkout, "tests/support/without_papers.py", str(checkout), stem)
        linted(checkout)
        ran(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "--dist", "worksteal", *EXEMPT)
        assert "exit 0: all as expected" in ran(checkout, "-m", "banditproof", "verify", "--no-posterior")
