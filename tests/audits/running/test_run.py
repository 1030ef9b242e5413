"""The run over audits: one significance level for each, numbers that depend on the audit's own id alone, and nothing stops it."""

import json
import math
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.running import forks, registry, workers
from banditproof.audits.running import run as running
from banditproof.audits.running.audit import FALSE_ALARM, ONE_IN, Audit, Level, Posteriors, Recheck, Request
from banditproof.audits.running.registry import select
from banditproof.audits.running.report import Report, Settings
from banditproof.audits.running.run import TimedResult, run, run_one, statistical
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.audits.statistics.tails import binomial_tail


@dataclass(frozen=True)
class Stub:
    """A method that notes what it was asked."""

    refuted: bool = False
    statistical: bool = True
    raises: BaseException | None = None
    asked: list[Request] = field(default_factory=list, compare=False)
    takes: Any = field(default=None, compare=False)
    prefix: ClassVar[str] = "stub"

    def measure(self, request: Request) -> Measurement:
        self.asked.append(request)
        if self.takes is not None:
            self.takes()
        if self.raises is not None:
            raise self.raises
        verdict = Verdict.REFUTED if self.refuted else Verdict.NOT_REFUTED
        return Measurement(verdict, false_alarm=request.false_alarm, assumed=("its own",))

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        return before


def stub(name: str, method: Stub | None = None, expected: Verdict | None = None, theorem: str = "a.b", runs: str = "") -> Audit:
    return Audit(theorem, f"stub.{name}", name, Stub() if method is None else method, expected, runs)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Registers audits for one test."""

    def plant(*audits: Audit) -> list[Audit]:
        known = {audit.id: audit for audit in audits}
        monkeypatch.setattr(registry, "find", known.__getitem__)
        return list(audits)

    return plant


@given(false_alarm=st.floats(1e-6, 0.5), kinds=st.lists(st.booleans(), min_size=1, max_size=12), shared=st.booleans())
def test_each_audit_has_the_level_of_the_run_and_runs_of_its_own(false_alarm: float, kinds: list[bool], shared: bool) -> None:
    """Would catch a level that is split over the audits of a run, so that one audit changes the others' numbers."""
    runs = "a.b/runs.shared" if shared else ""
    audits = [stub(str(place), Stub(statistical=kind), runs=runs) for place, kind in enumerate(kinds)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "find", {audit.id: audit for audit in audits}.__getitem__)
        run(audits, false_alarm=false_alarm, seed=3, level=Level.STANDARD, posterior=Posteriors.ALL)
    for audit in audits:
        (request,) = audit.method.asked  # type: ignore[attr-defined]
        assert request == Request(false_alarm, 3, (runs or audit.id,), Level.STANDARD, True)


def test_few_posteriors_are_sampled_whatever_else_runs() -> None:
    """Would catch few that are none, or all; few that depend on the seed or on what else runs; and a shared set of runs that is sampled for
    one of its audits alone."""
    paths = [(f"a_2001.b/privacy.eps{place}",) for place in range(50 * ONE_IN)]
    few = [path for path in paths if Posteriors.FEW.of(path)]
    assert (
        binomial_tail(len(few), len(paths), 1 / ONE_IN) > 1e-4 and binomial_tail(len(paths) - len(few), len(paths), 1 - 1 / ONE_IN) > 1e-4
    )
    assert all(Posteriors.ALL.of(path) for path in paths) and not any(Posteriors.NONE.of(path) for path in paths)
    one = stub("one", runs="a.b/runs.shared")
    other = stub("two", runs="a.b/runs.shared")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "find", {audit.id: audit for audit in (one, other)}.__getitem__)
        for seed in (3, 4):
            run([one, other], seed=seed, posterior=Posteriors.FEW)
    asked = [request.posterior for audit in (one, other) for request in audit.method.asked]  # type: ignore[attr-defined]
    assert asked == [Posteriors.FEW.of(("a.b/runs.shared",))] * 4


def test_the_level_is_fixed_and_its_total_is_reported() -> None:
    """Would catch a default level that depends on what runs; and totals that leave out a paper or count what cannot err."""
    audits = [stub("one"), stub("two", Stub(statistical=False)), *(stub(str(number), theorem="other.c") for number in range(3))]
    assert FALSE_ALARM == 1e-5 and statistical(audits) == {"a": 1, "other": 3}
    settings = Settings(None, "quick", FALSE_ALARM, 1, 1, None, Posteriors.NONE, False)
    report = Report(settings, (), requested=5, statistical=statistical(audits))
    assert report.total_false_alarm() == pytest.approx(4e-5)
    assert report.total_false_alarm("other") == pytest.approx(3e-5) and report.total_false_alarm("nobody") == 0.0


def test_a_crash_is_a_result_and_the_others_go_on(planted: Any) -> None:
    """Would catch a run that ends with the first bug, a crash that passes for inconclusive, and a trace in the record."""
    chosen = planted(
        stub("good"), stub("bad", Stub(raises=ZeroDivisionError("by nothing")), Verdict.REFUTED), stub("after", Stub(refuted=True))
    )
    found = run(chosen, false_alarm=0.05, seed=1)
    assert [timed.result.measured.verdict for timed in found] == [Verdict.NOT_REFUTED, Verdict.ERROR, Verdict.REFUTED]
    crashed = found[1]
    assert crashed.result.measured.message == "ZeroDivisionError: by nothing" and crashed.result.audit == "a.b/stub.bad"
    assert "test_run.py" in crashed.trace and "ZeroDivisionError" in crashed.trace
    assert "test_run.py" not in json.dumps(crashed.result.to_json())
    assert not crashed.result.as_expected()
    with pytest.raises(KeyboardInterrupt):
        run(planted(stub("stopped", Stub(raises=KeyboardInterrupt()))), false_alarm=0.05, seed=1)


def test_results_are_completed_and_ordered(planted: Any) -> None:
    """Would catch a record without its label, seed, versions or assumptions, and a progress count that skips."""
    chosen = planted(*(stub(str(number), theorem="dwork_2006.laplace_privacy") for number in range(4)))
    told: list[tuple[str, int, int]] = []
    found = run(chosen, false_alarm=0.05, seed=7, progress=lambda timed, done, total: told.append((timed.result.label, done, total)))
    assert [timed.result.audit for timed in found] == [audit.id for audit in chosen]
    assert told == [(str(number), number + 1, 4) for number in range(4)]
    result = found[0].result
    assert result.seed == 7 and set(result.versions) == {"banditproof", "python", "numpy"}
    assert result.measured.assumed[-1] == "its own" and len(result.measured.assumed) > 1  # with what the theorem assumes


def test_a_budget_drops_whole_cells(planted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a cell that is cut short, and a dropped one that passes for not refuted. The clock is the test's own."""
    clock = [0.0]
    monkeypatch.setattr(running.time, "monotonic", lambda: clock[0])

    def takes() -> None:
        clock[0] += 1.0

    for budget, whole in ((0.5, 1), (2.5, 3), (100.0, 5), (None, 5)):
        clock[0] = 0.0
        chosen = planted(*(stub(str(number), Stub(takes=takes)) for number in range(5)))
        found = [timed.result for timed in run(chosen, false_alarm=0.05, seed=1, budget=budget)]
        assert [result.measured.verdict for result in found] == [Verdict.NOT_REFUTED] * whole + [Verdict.INCONCLUSIVE] * (5 - whole)
        assert all("the time budget ended before" in result.measured.message for result in found[whole:])
        assert all(len(audit.method.asked) == (place < whole) for place, audit in enumerate(chosen))
        assert {result.measured.false_alarm for result in found[:whole]} == {0.05}


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({"false_alarm": 0.0}, "false_alarm = 0.0: must be > 0 and < 1"),
        ({"false_alarm": math.nan}, "false_alarm = nan: must be > 0 and < 1"),
        ({"jobs": 0}, "jobs = 0: must be an integer >= 1"),
        ({"seed": -1}, "seed = -1: must be an integer >= 0"),
    ],
)
def test_bad_numbers_are_refused(given_: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        run([], **{"seed": 1, **given_})
    assert str(caught.value).startswith(message)
    assert run([], seed=1) == []


def test_levels_multiply_by_ten() -> None:
    assert [level.factor for level in Level] == [1, 10, 100]


# --- numbers depend on the audit alone ----------------------------------------------------------------------------------------------------

SEVERAL = (
    "dwork_2006.laplace_privacy/privacy.*w3*",  # matrices and a tree
    "inequalities.post_processing/*",  # outcomes that come often
    "kairouz_2014.randomised_response_privacy/*",  # two named pairs, one of which is chosen
    "chan_2011.tree_privacy/privacy.*",  # kernels, adaptive neighbours
    "balle_wang_2018.gaussian_profile/privacy.*",
    "chan_2011.laplace_sum/*",
    "dwork_2010.counter_error/*",
    "auer_2002.ucb1_pulls/*",
)


def several() -> list[Audit]:
    chosen = list({audit.id: audit for pattern in SEVERAL for audit in select(pattern)}.values())
    assert len(chosen) >= 14 and len({type(audit.method) for audit in chosen}) >= 4
    return chosen


def records(audits: list[Audit], jobs: int = 1) -> dict[str, str]:
    found = run(audits, seed=1, jobs=jobs)
    failed = [timed.result.measured.message for timed in found if timed.result.measured.verdict is Verdict.ERROR]
    assert not failed, failed
    return {timed.result.audit: json.dumps(timed.result.to_json()) for timed in found}


@pytest.fixture(scope="module")
def alone() -> dict[str, str]:
    """The records of these audits, run one after the other in this process."""
    return records(several())


def test_workers_change_nothing(alone: dict[str, str]) -> None:
    """Byte for byte: would catch numbers that depend on the process, or on threads of the linear algebra."""
    chosen = several()
    together = records(chosen, 2)
    assert list(alone) == list(together) == [audit.id for audit in chosen]
    assert alone == together


def test_selecting_removing_and_adding_audits_changes_no_number_of_another(alone: dict[str, str]) -> None:
    """Byte for byte: would catch random numbers, or a significance level, that depend on what else runs."""
    chosen = several()
    for few in (chosen[:1], chosen[1::3], chosen[::4]):
        assert records(few) == {audit.id: alone[audit.id] for audit in few}


def test_rewording_every_label_and_turning_the_order_change_no_number(alone: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a label in a seed path. Every registered audit's seed path is its id, or runs that it names; and a sample of audits
    gives the same numbers under another label and in the opposite order, byte for byte."""
    for audit in registry.every(registry.audits).values():
        assert replace(audit, label="reworded").seed_path == audit.seed_path == ((audit.runs or audit.id),)
    chosen = several()
    reworded = {audit.id: replace(audit, label=f"in other words, {place}") for place, audit in enumerate(chosen)}
    monkeypatch.setattr(registry, "find", reworded.__getitem__)
    after = records(list(reworded.values())[::-1])
    for id, record in alone.items():
        assert {**json.loads(record), "label": ""} == {**json.loads(after[id]), "label": ""}
        assert json.loads(after[id])["label"] != json.loads(record)["label"]


def test_an_audit_depends_on_its_own_id_and_the_seed() -> None:
    """Would catch a seed that is not used, and an audit whose draws are another's."""
    first, second = select("dwork_2006.laplace_privacy/privacy.eps*")[:2]
    request = Request(FALSE_ALARM, 1, first.seed_path)
    alone = run_one(first, request).result
    (among,) = [timed for timed in run([second, first], seed=1) if timed.result.audit == first.id]
    assert isinstance(among, TimedResult) and among.result.to_json() == alone.to_json()
    assert alone.measured != run_one(first, replace(request, seed=2)).result.measured
    assert alone.measured != run_one(first, replace(request, path=second.seed_path)).result.measured


# --- workers ----------------------------------------------------------------------------------------------------------------------------


def square(number: int) -> int:
    """A function of a module, which a worker can import."""
    return number * number


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_all_tasks_are_done_once(jobs: int) -> None:
    """Would catch a task that is lost or done twice, and a position that is another task's."""
    found = list(workers.completed(square, range(7), jobs))
    assert sorted(found) == [(number, number * number) for number in range(7)]
    assert list(workers.completed(square, [], jobs)) == []


_KEPT: list[bytes] = []


def grown(number: int) -> int:
    """The process, which has grown by 420 MB since its first task when it has done several."""
    _KEPT.append(b"x" * (140 << 20 if _KEPT else 1))
    time.sleep(1.1)  # joblib looks at the size of a worker once in a second
    return os.getpid()


def test_a_worker_that_grows_by_what_a_paper_takes_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a worker of joblib's that is replaced in the middle of a run, and imports and compiles everything again: joblib's own
    limit is 300 MB. Each of two workers has grown by 420 MB at its fourth task."""
    monkeypatch.setattr(forks, "possible", lambda: False)
    assert len({process for _, process in workers.completed(grown, range(10), 2)}) == 2


def test_an_exception_of_a_task_passes_through() -> None:
    for jobs in (1, 2):
        with pytest.raises(TypeError):
            list(workers.completed(square, ["a", "b"], jobs))  # type: ignore[list-item]
    with pytest.raises(ValueError, match="jobs = 0: must be an integer >= 1"):
        list(workers.completed(square, [1], 0))


def test_a_cluster_needs_no_rewrite() -> None:
    """Would catch a worker that only runs in a process of joblib's own: under Dask's backend the tasks run in threads of its workers."""
    code = """
import math
from banditproof.audits.running.workers import completed
from dask.distributed import Client, LocalCluster
import joblib
with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster, Client(cluster):
    with joblib.parallel_config(backend="dask"):
        print(sorted(completed(math.factorial, range(5), 2)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[(0, 1), (1, 1), (2, 2), (3, 6), (4, 24)]"


def test_a_backend_in_this_process_keeps_ctrl_c() -> None:
    """Would catch a worker's way with signals in the process that the user looks at."""
    code = """
import math, signal
import joblib
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
from banditproof.audits.running.workers import completed
with joblib.parallel_config(backend="sequential"):
    list(completed(math.factorial, range(5), 2))
print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.splitlines()[-1:] == ["True"], done.stderr
