"""`banditproof cache`: what it counts as reached, and that it removes nothing else."""

import os
import time
from pathlib import Path

import pytest

from banditproof import kernels
from banditproof.audits.running import kernel_cache

from .conftest import Run

OLD = "0123456789abcdef01234567"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with a folder that a kernel of this process has, one that nothing reaches, and what is not ours."""
    store = tmp_path / "cache" / "kernels"
    monkeypatch.setenv("BANDITPROOF_CACHE", str(store.parent))
    monkeypatch.setattr(kernel_cache, "_declaring", lambda package: iter(()))
    monkeypatch.setattr(kernels.tempfile, "gettempdir", lambda: str(tmp_path / "nowhere"))
    declared = {kernels._cache_folder(kernels._copy)}
    monkeypatch.setattr(kernels, "_folders", declared)
    for name in (OLD, f"{OLD}-allocates-inline", "notes", f"{OLD}x"):
        (store / name / "inside").mkdir(parents=True)
        (store / name / "inside" / "code.nbc").write_bytes(bytes(1000))
    (store / "0123456789abcdef01234568").symlink_to(store / "notes")
    week_ago = time.time() - 8 * 86_400
    for folder in store.iterdir():
        os.utime(folder, (week_ago, week_ago), follow_symlinks=False)
    recent = time.time() - 86_400
    os.utime(store / f"{OLD}-allocates-inline", (recent, recent))
    return store


def names(store: Path) -> set[str]:
    return {path.name for path in store.iterdir()}


def test_it_counts_by_reach_with_size_and_age(run: Run, cache: Path) -> None:
    ended = run("cache")
    rows = {line[:13]: line.split()[2:] for line in ended.out.splitlines()}
    assert rows["these sources"] == ["1", "0", "B", "8", "days", "ago"]
    assert rows["other sources"] == ["2", "2", "kB", "8", "days", "ago", "to", "1", "day", "ago"]
    assert ended.code == 0


def test_prune_takes_what_is_neither_reached_nor_recent_and_nothing_of_others(run: Run, cache: Path) -> None:
    """Would catch the removal of a kernel in use, of a folder that is not ours, and of what a link leads to."""
    before = names(cache)
    ended = run("cache", "prune", "--dry-run")
    assert (ended.out, ended.code) == ("1 folder of compiled kernels would be removed: 1 kB\n", 0)
    assert names(cache) == before
    assert run("cache", "prune").out == "1 folder of compiled kernels removed: 1 kB\n"
    assert before - names(cache) == {OLD}
    assert run("cache", "prune", "--older-than", "0.5").out == "1 folder of compiled kernels removed: 1 kB\n"
    assert before - names(cache) == {OLD, f"{OLD}-allocates-inline"}
    assert run("cache", "prune", "--all").out == "1 folder of compiled kernels removed: 0 B\n"
    assert names(cache) == {"notes", f"{OLD}x", "0123456789abcdef01234568"}
    assert (cache / "notes" / "inside" / "code.nbc").exists()


def test_a_kernel_that_is_declared_again_is_recent(cache: Path) -> None:
    """Would catch an age of the compilation instead of the last use."""
    (mine,) = [folder for folder in kernel_cache.kernel_folders() if folder.reached]
    assert mine.days > 7
    kernels._cache_folder(kernels._copy)
    assert mine.path.stat().st_mtime > time.time() - 60


def test_the_modules_that_declare_a_kernel_are_found_without_importing_the_others() -> None:
    """Would catch a kernel whose folder counts as not reached because its module was not imported."""
    found = set(kernel_cache._declaring("banditproof.algorithms"))
    assert {"banditproof.algorithms.policies.ucb1", "banditproof.algorithms.mechanisms.laplace"} <= found
    assert "banditproof.algorithms.designs.design" not in found


@pytest.mark.parametrize(("days", "rule"), [("-1", "must be >= 0"), ("nan", "must be a finite number, >= 0"), ("soon", "must be a number, >= 0")])
def test_an_age_that_is_none_is_refused(run: Run, cache: Path, days: str, rule: str) -> None:
    ended = run("cache", "prune", "--older-than", days)
    assert ended.err == f"Error: older_than = {days}: {rule} (days since the last use)\n"
    assert ended.code == 2
    assert OLD in names(cache)
