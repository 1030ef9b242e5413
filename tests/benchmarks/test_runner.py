"""The runner of benchmarks: what is selected, what the table says, what is kept, and that nothing missing is left out."""

import json
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks.peers import lin_ucb as peers
from benchmarks.runner import results, table
from benchmarks.runner.cases import Clock, Figure, Growth, Missing, Scale, Target, TimedCall
from benchmarks.runner.memory import peak_megabytes
from benchmarks.runner.timing import least_times

MACHINE = {"cpu": "C", "cores": 2, "system": "S"}


def timed(name: str, work, **options) -> TimedCall:
    return TimedCall(name, lambda: work, options.pop("units", 10), **options)


def spin(times: int):
    return lambda: sum(range(times))


@pytest.fixture
def cases() -> list:
    return [
        timed("fast", spin(2_000), against={"slow": Target(at_least=3.0, aim=9.0), "faster": Target(at_least=3.0)}),
        timed("slow", spin(200_000), slow=True),
        timed("faster", spin(20)),
        Figure("size", lambda: 5.0, "MB", Target(at_most=4.0), note="of nothing"),
        Missing("absent", "it is not installed"),
    ]


@pytest.fixture
def found(cases) -> bench.Measured:
    measured = bench.Measured()
    bench.measure("subject", cases, Scale.QUICK, measured)
    return measured


def test_ratios_and_targets(found) -> None:
    """Would catch a ratio the wrong way round, and a limit from above taken for one from below."""
    fast, slow, _, size = found.rows
    assert [each["met"] for each in fast["against"]] == [True, False]
    assert fast["against"][0]["times"] == pytest.approx(slow["value"] / fast["value"])
    assert fast["against"][0]["asked"] == ">= 3 (9)"
    assert (size["met"], size["asked"]) == (False, "<= 4")


def test_the_table_says_what_is_not_met_and_what_is_missing(found) -> None:
    """Would catch a peer that is left out without a word."""
    before = {"subject.fast": {**found.rows[0], "against": [{"name": "slow", "times": 12.5}]}}
    text = "\n".join(table.lines(found.rows, found.missing, before))
    assert "subject.absent: not measured: it is not installed" in text
    assert "1 of 3 targets met" in text
    assert "12.5" in next(line for line in text.splitlines() if "slow  " in line)
    assert sum(line.rstrip().endswith("NO") for line in table.lines(found.rows, found.missing)) == 2


def test_a_busy_machine_is_named() -> None:
    """Would catch a wall-clock time that others made too large, printed as if it were the program's."""
    row = {"name": "a.b", "value": 1.0, "unit": "ns per run (wall)", "clock": Clock.WALL.value, "against": []}
    assert any("others used" in line for line in table.lines([{**row, "others": 0.5}], {}))
    assert not any("others used" in line for line in table.lines([{**row, "others": 0.01}], {}))


def test_every_peer_that_is_not_installed_is_said(monkeypatch) -> None:
    """Would catch a comparison that silently shrinks on a machine without the network."""
    monkeypatch.setattr(peers, "FOLDER", Path("/nowhere"))
    monkeypatch.setattr(peers.sys, "path", [])
    monkeypatch.setattr(peers.importlib.util, "find_spec", lambda name: None)
    assert [case.name for case in peers.cases(Scale.QUICK)] == ["mabwiser", "river", "coba"]
    assert all(isinstance(case, Missing) and "lock/peers.txt" in case.reason for case in peers.cases(Scale.QUICK))


def test_every_subject_has_cases_that_fit_together() -> None:
    """Would catch a subject that a change of the package broke, two cases of one name, and a comparison with a case that is not there."""
    names = bench.subjects()
    assert {"lin_ucb", "elimination", "growth", "memory", "verify"} <= set(names)
    for name, cases in bench.selected(bench.arguments(names), Scale.QUICK):
        own = [case.name for case in cases]
        assert len(set(own)) == len(own) > 0, name
        assert not {other for case in cases if isinstance(case, TimedCall) for other in case.against} - set(own), name


def test_selection(monkeypatch) -> None:
    """Would catch a pattern that leaves out what a case is compared with, and a long subject that runs unasked."""
    ((name, cases),) = bench.selected(bench.arguments(["elimination", "--only", "*.bernoulli"]), Scale.QUICK)
    assert (name, {case.name for case in cases}) == ("elimination", {"bernoulli", "bernoulli_by_reward", "python_bernoulli"})
    assert bench.selected(bench.arguments(["memory", "--only", "nothing"]), Scale.QUICK) == []
    assert bench.main(["memory", "--only", "nothing"]) == 5
    monkeypatch.setattr(bench, "subjects", lambda: ["verify", "memory"])
    assert [name for name, _ in bench.selected(bench.arguments([]), Scale.QUICK)] == ["memory"]
    assert [name for name, _ in bench.selected(bench.arguments(["verify"]), Scale.QUICK)] == ["verify"]
    with pytest.raises(SystemExit, match="2"):
        bench.arguments(["no_such_subject"])


def test_an_exponent_that_is_too_large_is_exit_code_1(monkeypatch, capsys) -> None:
    """Would catch a failure that only the table shows; targets that are not met are no failure."""
    square = Growth("square", "n", (1, 2, 4), lambda size: lambda: float(size**2), 1.0, "linear", counts=True)
    late = Figure("late", lambda: 2.0, "s", Target(at_most=1.0))
    monkeypatch.setattr(bench, "selected", lambda asked, scale: [("subject", [square, late])])
    assert bench.main(["--no-record"]) == 1
    assert "subject.square: cost grows as n^2.00 (at least 2.00" in capsys.readouterr().err
    monkeypatch.setattr(bench, "selected", lambda asked, scale: [("subject", [late])])
    assert bench.main(["--no-record"]) == 0


def test_history(tmp_path, found, monkeypatch) -> None:
    """Would catch a record that is not read back, and a comparison with another machine, another scale or an older run."""
    monkeypatch.setattr(results, "machine", lambda: MACHINE)
    run = results.record(found.rows, found.missing, Scale.FULL, (0.5, 1.0))
    for place, change in enumerate(({}, {"scale": "quick"}, {"machine": {**MACHINE, "cores": 4}}, {"commit": "newer"})):
        results.write({**run, "date": f"2026-01-0{place + 1}T00:00:00+00:00", **change}, tmp_path)
    kept = list(results.read(tmp_path))
    assert [each["date"][9] for each in kept] == list("1234")
    assert kept[0]["rows"] == json.loads(json.dumps(found.rows))
    assert kept[0]["missing"] == {"subject.absent": "it is not installed"}
    assert {row["commit"] for row in results.last_rows(Scale.FULL, tmp_path).values()} == {"newer"}
    with pytest.raises(FileExistsError):
        results.write({**run, "date": "2026-01-01T00:00:00+00:00"}, tmp_path)
    (tmp_path / "other.json").write_text('{"schema": "other"}')
    with pytest.raises(ValueError, match="must be 'banditproof/bench/1'"):
        list(results.read(tmp_path))


def test_kept_history_can_be_read() -> None:
    """Would catch a committed record of another schema, and one that does not say which machine it is of."""
    for run in results.read():
        assert {"cpu", "cores", "python", "numpy", "numba"} <= set(run["machine"])
        assert run["rows"]
        assert run["commit"]


def test_peak_memory_of_a_child() -> None:
    """Would catch the parent's memory counted for the child's, and a child's that is not seen."""
    code = "import sys, time; kept = bytearray(int(sys.argv[1]) << 20); time.sleep(0.3)"
    small, large = (peak_megabytes(code, (size,)) for size in (1, 200))
    assert 190.0 < large - small < 210.0
    assert small < 60.0
    with pytest.raises(RuntimeError, match="exited with code 3"):
        peak_megabytes("raise SystemExit(3)")


def test_slow_cases_are_called_less_often() -> None:
    """Would catch minutes of plain Python."""
    calls = {"fast": 0, "slow": 0}

    def counting(name: str):
        def work() -> None:
            calls[name] += 1

        return work

    least_times([timed("fast", counting("fast")), timed("slow", counting("slow"), slow=True)], Scale.QUICK)
    assert calls == {"fast": 4, "slow": 1}


def test_a_target_has_one_limit() -> None:
    """Would catch a target that everything meets."""
    with pytest.raises(ValueError, match="must be one of the two"):
        Target()
