"""`banditproof cache`: what it counts as reached, and that it removes nothing else."""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from banditproof import kernels
from banditproof.audits.running import kernel_cache, results
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Measurement, Verdict

from .conftest import Run

OLD = "0123456789abcdef01234567"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with a folder that a kernel of this process has, one that nothing reaches, and what is not ours."""
    store = tmp_path / "cache" / "kernels"
    monkeypatch.setenv("BANDITPROOF_CACHE", str(store.parent))
    monkeypatch.setattr(kernel_cache, "_declaring", lambda package: iter(()))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(kernels.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    declared_folder = kernels._cache_folder(kernels._copy)
    assert declared_folder is not None
    monkeypatch.setattr(kernels, "_folders", {declared_folder})
    within = f"{declared_folder.name}-within"  # beside it, and declared only where another kernel is compiled
    for name in (within, OLD, f"{OLD}-allocates-inline", "notes", f"{OLD}x"):
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
    assert rows["these sources"] == ["2", "1", "kB", "8", "days", "ago"]
    assert rows["other sources"] == ["2", "2", "kB", "8", "days", "ago", "to", "1", "day", "ago"]
    assert ended.code == 0


def test_prune_takes_what_is_neither_reached_nor_recent_and_nothing_of_others(run: Run, cache: Path) -> None:
    """Would catch the removal of a kernel in use, of a folder that is not ours, and of what a link leads to."""
    before = names(cache)
    ended = run("cache", "prune", "--dry-run")
    assert (ended.out, ended.code) == ("1 folder of compiled kernels would be removed: 1 kB\n0 results of audits would be removed\n", 0)
    assert names(cache) == before
    assert run("cache", "prune").out == "1 folder of compiled kernels removed: 1 kB\n0 results of audits removed\n"
    assert before - names(cache) == {OLD}
    assert run("cache", "prune", "--older-than", "0.5").out == "1 folder of compiled kernels removed: 1 kB\n0 results of audits removed\n"
    assert before - names(cache) == {OLD, f"{OLD}-allocates-inline"}
    assert run("cache", "prune", "--all").out == "2 folders of compiled kernels removed: 1 kB\n0 results of audits removed\n"
    assert names(cache) == {"notes", f"{OLD}x", "0123456789abcdef01234568"}
    assert (cache / "notes" / "inside" / "code.nbc").exists()


def test_results_that_were_replaced_are_forgotten_and_the_last_ones_stay(run: Run, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a ledger that loses the last result of an audit, a dry run that deletes, and an age beyond the calendar."""
    for days, kept in ((20, ("a.b/old", "a.b/twice")), (10, ("a.b/twice",)), (1, ("a.b/twice",))):
        when = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
        monkeypatch.setattr(results, "_NOW", f"'{when}'")
        with results.open_results(create=True) as ledger:
            number = ledger.begin({}, fresh=False)
            for id in kept:
                measured = Measurement(Verdict.NOT_REFUTED)
                ledger.add(number, f"key {days}", "quick", AuditResult(id, "a.b", "", measured), 1.0)
    row = next(line.split() for line in run("cache").out.splitlines() if line.startswith("of 2 audits"))
    assert row[3] == "4" and row[-6:] == ["20", "days", "ago", "to", "1", "day", "ago"][-6:]
    assert run("cache", "prune", "--dry-run", "--older-than", "15").out.endswith("1 result of audits would be removed\n")
    assert run("cache", "prune", "--older-than", "1e300").out.endswith("0 results of audits removed\n")
    assert run("cache", "prune").out.endswith("2 results of audits removed\n")
    with results.open_results() as ledger:
        assert {id: cell.key for id, cell in ledger.last().items()} == {"a.b/old": "key 20", "a.b/twice": "key 1"}
    assert run("cache", "prune", "--all").out.endswith("2 results of audits removed\n")


def test_a_result_that_is_taken_again_is_the_latest(cache: Path) -> None:
    """Would catch --last-failed that asks what was computed last, where the last run took a failure from the ledger; a prune of that; and
    a ledger of before there was a note of it that is not read."""
    failed, passed = (AuditResult("a.b/x", "a.b", "", Measurement(each)) for each in (Verdict.REFUTED, Verdict.NOT_REFUTED))
    with results.open_results(create=True) as ledger:
        for key, result in (("old", failed), ("new", passed)):
            ledger.add(ledger.begin({}, fresh=False), key, "quick", result, 1.0)
        assert ledger.last()["a.b/x"].key == "new" and ledger.verdicts("a")["a.b/x"][0] is Verdict.NOT_REFUTED
        ledger.take(ledger.begin({}, fresh=False), {"a.b/x": "old"})
        assert ledger.last()["a.b/x"].key == "old" and ledger.verdicts("a")["a.b/x"][0] is Verdict.REFUTED
        assert ledger.prune(datetime.now(UTC) + timedelta(days=1)) == 0
        ledger.connection.execute("UPDATE cells SET run = 9 WHERE key = 'new'")  # an older version has computed it again
        assert ledger.last()["a.b/x"].key == "new"
        ledger.connection.execute("DROP TABLE taken")
    before = results.place().read_bytes()
    with results.open_results() as ledger:  # reads, and writes nothing: the file may be another's
        assert ledger.last()["a.b/x"].key == "new" and ledger.count_before(datetime.now(UTC) + timedelta(days=1)) == 1
    assert results.place().read_bytes() == before
    with results.open_results(create=True) as ledger:
        ledger.add(10, "old", "quick", failed, 1.0)
        assert ledger.last()["a.b/x"].key == "old"


def test_a_ledger_that_was_begun_and_not_made_is_an_empty_one(cache: Path) -> None:
    """Would catch a process that was killed between the file and its tables, after which no command reads the ledger."""
    results.place().parent.mkdir(parents=True)
    results.place().touch()
    with results.open_results() as ledger:
        assert ledger.last() == {} and ledger.contents().cells == 0


def test_a_ledger_that_cannot_be_read_is_named_in_one_line(run: Run, cache: Path) -> None:
    results.place().parent.mkdir(parents=True)
    results.place().write_text("no database, but long enough to be taken for the header of one")
    for arguments in (("cache",), ("cache", "prune")):
        ended = run(*arguments)
        assert ended.code == 2
        assert ended.err == f"Error: {results.place()}: file is not a database; `banditproof cache prune --all` removes it\n"
    assert run("cache", "prune", "--all", "--dry-run").out.endswith("a damaged ledger of audits would be removed\n")
    assert results.place().exists()
    assert run("cache", "prune", "--all").out.endswith("a damaged ledger of audits removed\n")
    assert not results.place().exists() and run("cache").code == 0


def test_a_kernel_that_is_declared_again_is_recent(cache: Path) -> None:
    """Would catch an age of the compilation instead of the last use."""
    (mine,) = [folder for folder in kernel_cache.kernel_folders() if folder.reached and not folder.path.name.endswith("-within")]
    assert mine.days > 7
    kernels._cache_folder(kernels._copy)
    assert mine.path.stat().st_mtime > time.time() - 60


def test_the_modules_that_declare_a_kernel_are_found_without_importing_the_others() -> None:
    """Would catch a kernel whose folder counts as not reached because its module was not imported."""
    found = set(kernel_cache._declaring("banditproof.algorithms"))
    assert {"banditproof.algorithms.policies.ucb1", "banditproof.algorithms.mechanisms.laplace"} <= found
    assert "banditproof.algorithms.designs.design" not in found


@pytest.mark.parametrize(
    ("days", "rule"), [("-1", "must be >= 0"), ("nan", "must be a finite number, >= 0"), ("soon", "must be a number, >= 0")]
)
def test_an_age_that_is_none_is_refused(run: Run, cache: Path, days: str, rule: str) -> None:
    ended = run("cache", "prune", "--older-than", days)
    assert ended.err == f"Error: older_than = {days}: {rule} (days since the last use)\n"
    assert ended.code == 2
    assert OLD in names(cache)
