"""`banditproof verify`: what it picks, what it says, where it says it, and how it ends."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import jsonschema
import pytest

from banditproof.audits.cli import verify
from banditproof.audits.cli.commands import main
from banditproof.audits.cli.interrupts import insistent
from banditproof.audits.reporting import table as output
from banditproof.audits.running import registry
from banditproof.audits.running import run as running
from banditproof.audits.running.audit import Audit, Recheck, Request, stem_of
from banditproof.audits.statistics.evidence import Measurement, UnknownWitness, Verdict

from .conftest import SCHEMA, Run, in_a_process

THEOREM = "dwork_2006.laplace_privacy"
SMALL = "kairouz_2014.randomised_response_keep"  # two cells, no kernels


@dataclass(frozen=True)
class Says:
    """A method that returns a verdict, or raises."""

    verdict: Verdict
    statistical: bool = True
    prefix: ClassVar[str] = "says"

    def measure(self, request: Request) -> Measurement:
        if self.verdict is Verdict.ERROR:
            raise RuntimeError("the audit broke")
        return Measurement(
            self.verdict,
            quantity="epsilon",
            claimed=1.0,
            low=1.0000001 if self.verdict is Verdict.REFUTED else 0.98,
            exact=1.0,
            detectable=1.05,
            miss_rate=0.1,
            false_alarm=request.false_alarm,
            samples=200_000,
            message="a reason",
            witness=UnknownWitness("other", {"parameters": {"epsilon": 1.0}}),
        )

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        return before


LONG = "AVeryLongMechanismNameWithoutAnyBlank(epsilon=1.0,sensitivity=1.0,width=17), seen by the server after the shuffler"


def fake(*verdicts: Verdict, expected: Verdict | None = None, label: str = "Fake") -> dict[str, Audit]:
    audits = [Audit(THEOREM, f"says.fake{place}", f"{label} {place}", Says(verdict), expected) for place, verdict in enumerate(verdicts)]
    return {audit.id: audit for audit in audits}


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch):
    """Replaces the registered audits by some that say what they are told."""

    def plant(audits: dict[str, Audit]) -> None:
        monkeypatch.setattr(registry, "audits", lambda stem: {id: audit for id, audit in audits.items() if stem_of(id) == stem})
        monkeypatch.setattr(registry, "find", lambda id: audits[id])

    return plant


@pytest.mark.parametrize(
    ("verdicts", "expected", "arguments", "code"),
    [
        ([Verdict.NOT_REFUTED, Verdict.CERTIFIED], None, (), 0),
        ([Verdict.NOT_REFUTED, Verdict.REFUTED], None, (), 1),
        ([Verdict.REFUTED], Verdict.REFUTED, (), 0),
        ([Verdict.NOT_REFUTED], Verdict.REFUTED, (), 1),
        ([Verdict.ERROR, Verdict.NOT_REFUTED], None, (), 3),
        ([Verdict.ERROR, Verdict.REFUTED], None, (), 1),
        ([Verdict.ERROR], Verdict.REFUTED, (), 3),
        ([Verdict.INCONCLUSIVE, Verdict.VACUOUS], None, (), 0),
        ([Verdict.INCONCLUSIVE], None, ("--strict",), 4),
        ([Verdict.VACUOUS], None, ("--strict",), 4),
        ([Verdict.RATE_ONLY, Verdict.NOT_CHECKABLE], None, ("--strict",), 0),
    ],
)
def test_exit_codes(run: Run, planted, verdicts, expected, arguments, code: int) -> None:
    """Would catch a crash that hides a refutation, an expected refutation reported as a failure, and a missing one as success."""
    planted(fake(*verdicts, expected=expected))
    ended = run("verify", "--jobs", "1", *arguments)
    assert ended.code == code
    assert ended.out.splitlines()[-1].startswith(f"exit {code}: ")


def test_a_pattern_that_matches_nothing_is_exit_5(run: Run) -> None:
    ended = run("verify", "nothing_like_this*")
    assert (ended.code, ended.out) == (5, "")
    assert ended.err == "Nothing matches 'nothing_like_this*'.\n"


def test_a_pattern_picks_statements_audits_and_papers(planted) -> None:
    planted(fake(Verdict.NOT_REFUTED, Verdict.NOT_REFUTED))
    for pattern, number in (
        (None, 2),
        (THEOREM, 2),
        (f"{THEOREM}/says.fake1", 1),
        ("dwork_2006", 2),
        ("*laplace_p*", 2),
        ("*/says.fake0", 1),
    ):
        assert len(verify.select(pattern).audits) == number, pattern


def test_an_audit_whose_name_looks_like_a_pattern_is_found_by_its_whole_id(planted) -> None:
    """Its label may look like one; an id that does is refused."""
    planted(fake(Verdict.NOT_REFUTED, label="Table[2, 3]"))
    assert [audit.label for audit in verify.select(f"{THEOREM}/says.fake0").audits] == ["Table[2, 3] 0"]
    with pytest.raises(ValueError, match="of the characters a-z"):
        Audit(THEOREM, "says.table[2]", "", Says(Verdict.NOT_REFUTED))


def test_statements_without_audit_are_named_and_those_that_nothing_can_check_listed_with_their_reason(
    run: Run, planted, monkeypatch
) -> None:
    """Would catch silence about what was not looked at."""
    planted(fake(Verdict.NOT_REFUTED))
    theorems = registry.theorems
    known = dict(theorems("dwork_2006"))
    known["dwork_2006.remark"] = replace(
        known[THEOREM], id="dwork_2006.remark", bound=None, hypotheses=(), not_checkable="it defines a word"
    )
    known["dwork_2006.forgotten"] = replace(known[THEOREM], id="dwork_2006.forgotten")
    monkeypatch.setattr(registry, "theorems", lambda stem: known if stem == "dwork_2006" else theorems(stem))
    ended = run("verify", "dwork_2006", "--jobs", "1", "--json", "r.json")
    assert re.search(r"· not checkable +remark +it defines a word", ended.out)
    assert "dwork_2006.remark\n  · not checkable  it defines a word" in run("verify", "dwork_2006", "--jobs", "1", "-v").out
    assert "No audit yet: dwork_2006.forgotten." in ended.out
    record = json.loads(open_text("r.json"))
    jsonschema.validate(record, SCHEMA)
    assert [(result["audit"], result["verdict"]) for result in record["results"]][1] == ("dwork_2006.remark", "not checkable")


def open_text(name: str) -> str:
    with open(name, encoding="utf-8") as file:
        return file.read()


@pytest.mark.parametrize("columns", [80, 100, 120, 200])
def test_the_table_is_readable_at_every_width(run: Run, planted, monkeypatch, columns: int) -> None:
    """Would catch a line that runs over the edge, a verdict or an id cut short, and a bound rounded down to what was claimed."""
    monkeypatch.setenv("COLUMNS", str(columns))
    planted(fake(*Verdict, label=LONG))
    out = run("verify", "--jobs", "1", "--verbose").out
    table, _, rest = out.partition("\n\n")
    hints = [line for line in out.splitlines() if line.startswith("  banditproof replay ")]
    assert max(len(line) for line in out.splitlines() if line not in hints) <= columns
    assert hints and all(line.split()[-1].startswith(f"{THEOREM}/") for line in hints)  # whole, however long: they are there to be pasted
    assert THEOREM in table
    assert "…" not in table
    squeezed = "".join(table.split())
    assert squeezed.count("".join(LONG.split()) + "") >= 1 or columns >= 80
    for verdict in Verdict:
        assert verdict.value in table
    assert "≥ 1.0000001" in table
    assert f"{THEOREM}/" in rest


def test_every_word_of_a_long_subject_is_in_the_table(run: Run, planted, monkeypatch) -> None:
    for columns in ("80", "100", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        planted(fake(Verdict.NOT_REFUTED, label=LONG))
        table = run("verify", "--jobs", "1", "-v").out.partition("\n\n")[0]
        for word in LONG.split()[1:]:
            assert word in table


def test_verdicts_are_shape_and_word_and_in_ascii_where_the_stream_knows_no_more(run: Run, planted, monkeypatch) -> None:
    shapes = {output.SHAPES[verdict][0] for verdict in Verdict}
    assert len(shapes) == len(Verdict)
    planted(fake(*Verdict))
    streams = {name: io.TextIOWrapper(io.BytesIO(), encoding="ascii") for name in ("stdout", "stderr")}
    for name, stream in streams.items():
        monkeypatch.setattr(sys, name, stream)
    main(["verify", "--jobs", "1", "-v"])
    for stream in streams.values():
        stream.seek(0)
    assert re.search(r"o not refuted +Fake 3 +eps <= 1 +1 +>= 0.98 +>= 1.05 +200k", streams["stdout"].read())
    assert "x refuted" in streams["stderr"].read()


def test_progress_goes_to_standard_error_and_names_each_audit_on_request(run: Run, planted) -> None:
    """Would catch 2,000 lines beside a table of 20, and a surprise that is announced only at the end."""
    planted(fake(*[Verdict.NOT_REFUTED] * 50, Verdict.REFUTED, *[Verdict.NOT_REFUTED] * 49))
    ended = run("verify", "--jobs", "1")
    lines = [line for line in ended.err.splitlines() if not line.startswith("compiling kernels")]
    assert lines[0] == "100 audits, level quick, seed 17, 1 worker"
    assert lines[1].startswith(f"[  1/100] ○ not refuted  {THEOREM}/says.fake0  ")
    assert [line[:9] for line in lines[2:]] == ["[ 20/100]", "[ 40/100]", "[ 51/100]", "[ 60/100]", "[ 80/100]", "[100/100]"]
    assert "[  1/" not in ended.out
    each = run("verify", "--jobs", "1", "--verbose", "--fresh")
    assert sum(line.startswith("[") for line in each.err.splitlines()) == 100
    quiet = run("verify", "--jobs", "1", "--quiet", "--fresh")
    assert (quiet.err.replace("compiling kernels, once (about 30 s)\n", ""), quiet.code) == ("", 1)
    assert quiet.out.splitlines()[-1].startswith("exit 1: ") and "says.fake" not in quiet.out
    assert run("verify", "--quiet", "--verbose").code == run("verify", "--quiet", "--only", "refuted").code == 2


def test_only_some_verdicts_are_shown(run: Run, planted) -> None:
    planted(fake(*Verdict))
    ended = run("verify", "--jobs", "1", "--only", "vacuous,not-refuted")
    table = ended.out.partition("\n\n")[0]
    shown = [verdict for verdict in Verdict if f"{output.SHAPES[verdict][0]} {verdict.value}" in table]
    assert (shown, ended.code) == ([Verdict.NOT_REFUTED, Verdict.VACUOUS], 1)  # the exit code is that of the whole run
    refused = run("verify", "--only", "refutd")
    assert refused.code == 2 and "must be verdicts, with commas between them; nearest: refuted" in refused.err


def test_the_first_surprise_stops_the_run_and_the_next_one_runs_what_failed(run: Run, planted, tmp_path) -> None:
    """Would catch -x that goes on, or loses what was computed; and --last-failed that runs what was as expected."""
    planted(fake(Verdict.NOT_REFUTED, Verdict.INCONCLUSIVE, Verdict.REFUTED, Verdict.NOT_REFUTED))
    ended = run("verify", THEOREM, "--jobs", "1", "-x", "--json", "r.json", "--fresh")
    assert ended.code == 1
    assert "Stopped at the first surprise: 1 audit did not finish" in ended.out
    record = json.loads((tmp_path / "r.json").read_text())
    assert (record["complete"], len(record["results"])) == (False, 3)
    again = run("verify", THEOREM, "--jobs", "1", "--last-failed", "--json", "-").json()
    assert [result["verdict"] for result in again["results"]] == ["inconclusive", "refuted"]


def test_the_help_explains_every_verdict(capsys) -> None:
    """Would catch a verdict without a line, and a line that a terminal without Unicode cannot show."""
    main(["verify", "--help"])
    shown = capsys.readouterr().out
    assert shown.isascii()
    for verdict in Verdict:
        assert f"  {verdict.value:<15}  {verdict.meaning}\n" in shown


def test_a_refutation_is_explained_with_its_witness_and_how_to_replay_it(run: Run, planted) -> None:
    planted(fake(Verdict.REFUTED))
    told = run("verify", "--jobs", "1", "--json", "r.json", "--verbose").out
    assert f"✗ refuted  {THEOREM}/says.fake0\n" in told
    assert "a reason" in told
    assert '{"epsilon": 1.0}' in told
    assert f"banditproof replay r.json --audit {THEOREM}/says.fake0\n" in told
    assert "1 refuted." in told
    assert "refuted with probability at most 1e-05 (1 statistical audit, each at significance level 1e-05)." in " ".join(told.split())
    assert "verified" not in told


def test_an_expected_refutation_says_so(run: Run, planted) -> None:
    planted(fake(Verdict.REFUTED, expected=Verdict.REFUTED))
    told = run("verify", "--jobs", "1", "-v").out
    assert "refuted, as expected" in told
    assert "1 refuted as expected." in told
    planted(fake(Verdict.NOT_REFUTED, expected=Verdict.REFUTED))
    assert "not refuted, should be refuted" in " ".join(run("verify", "--jobs", "1", "-v", "--fresh").out.split())


def test_a_crash_keeps_its_trace_for_those_who_ask(run: Run, planted, tmp_path) -> None:
    planted(fake(Verdict.ERROR))
    ended = run("verify", "--jobs", "1", "--json", "r.json")
    assert "RuntimeError: the audit broke" in ended.out
    assert "Traceback" not in ended.out + ended.err
    times = json.loads((tmp_path / "r.json.times.json").read_text())
    assert "RuntimeError" in times["traces"][f"{THEOREM}/says.fake0"]
    assert "Traceback" in run("verify", "--jobs", "1", "--traceback").err


def test_standard_output_is_only_json_when_asked(run: Run, planted) -> None:
    planted(fake(Verdict.NOT_REFUTED, Verdict.REFUTED))
    ended = run("verify", "--jobs", "1", "--json", "-")
    jsonschema.validate(ended.json(), SCHEMA)
    assert ended.code == 1


def test_times_are_in_the_sidecar_and_nowhere_in_the_record(run: Run, planted, tmp_path) -> None:
    """Would catch a record that differs from machine to machine, or from run to run."""
    planted(fake(Verdict.NOT_REFUTED))
    run("verify", "--jobs", "1", "--json", "r.json")
    times = json.loads((tmp_path / "r.json.times.json").read_text())
    assert set(times["seconds"]) == {f"{THEOREM}/says.fake0"}
    assert [10.0 < megabytes < 1e5 for megabytes in times["peak_memory"].values()] == [True]  # of the one audit
    record = (tmp_path / "r.json").read_text()
    assert "seconds" not in record and "peak_memory" not in record
    assert "jobs" not in record


def test_one_worker_and_two_write_the_same_bytes(tmp_path) -> None:
    """Must show 5, on a real pattern, in processes of their own."""
    runs = [in_a_process("verify", SMALL, "--no-posterior", "--jobs", jobs, "--json", f"{jobs}.json", cwd=tmp_path) for jobs in ("1", "2")]
    assert [ended.code for ended in runs] == [0, 0], runs
    one, two = ((tmp_path / f"{jobs}.json").read_bytes() for jobs in ("1", "2"))
    assert one == two
    jsonschema.validate(json.loads(one), SCHEMA)
    assert json.loads(one)["results"]


def test_an_interrupt_keeps_what_was_finished(run: Run, planted, monkeypatch, tmp_path) -> None:
    """Would catch an hour of finished audits lost to Ctrl-C."""
    planted(fake(Verdict.NOT_REFUTED, Verdict.NOT_REFUTED))
    measure, measured = Says.measure, []

    def second_is_interrupted(self, request):
        measured.append(request)
        if len(measured) == 2:
            raise KeyboardInterrupt
        return measure(self, request)

    monkeypatch.setattr(Says, "measure", second_is_interrupted)
    ended = run("verify", THEOREM, "--jobs", "1", "--json", "r.json")
    assert ended.code == 130
    assert "Interrupted: 1 audit did not finish" in ended.out
    record = json.loads((tmp_path / "r.json").read_text())
    jsonschema.validate(record, SCHEMA)
    assert record["complete"] is False
    assert [result["audit"] for result in record["results"]] == [f"{THEOREM}/says.fake0"]


def test_a_lost_worker_keeps_what_was_finished(run: Run, planted, monkeypatch, tmp_path) -> None:
    """Would catch the same loss where the system killed a worker."""
    planted(fake(Verdict.NOT_REFUTED, Verdict.NOT_REFUTED))
    whole = running.run

    def loses_the_second(chosen, **how):
        whole(chosen[:1], **how)
        raise OSError("a worker is gone")

    monkeypatch.setattr(running, "run", loses_the_second)
    ended = run("verify", THEOREM, "--jobs", "1", "--json", "r.json")
    assert ended.code == 3
    record = json.loads((tmp_path / "r.json").read_text())
    assert (record["complete"], len(record["results"])) == (False, 1)


def test_an_interrupt_that_is_swallowed_comes_again() -> None:
    """Would catch a run that goes on, or waits for ever, because a library caught the interrupt."""
    before, caught = signal.getsignal(signal.SIGINT), 0
    with pytest.raises(KeyboardInterrupt), insistent(again=0.05):
        while caught < 3:
            try:
                if caught == 0:
                    signal.raise_signal(signal.SIGINT)
                time.sleep(30.0)
            except KeyboardInterrupt:
                caught += 1
        time.sleep(30.0)
    assert caught == 3
    assert signal.getsignal(signal.SIGINT) is before
    time.sleep(0.2)  # none is sent behind it


def test_a_real_interrupt_of_two_workers_ends_with_130(tmp_path) -> None:
    """Of one paper, whose audits take a minute: to find those of all takes longer than the test."""
    command = [sys.executable, "-m", "banditproof", "verify", "wu_2023", "--no-posterior", "--jobs", "2", "--json", "r.json"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr is not None
    while not re.match(r"\[ *1/", process.stderr.readline()):
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "did not finish" in out
    record = json.loads((tmp_path / "r.json").read_text())
    assert record["complete"] is False
    assert record["results"]


def test_a_reader_that_leaves_is_no_crash(tmp_path) -> None:
    """`banditproof theory list | head -1`, of a paper whose list is longer than a pipe holds."""
    command = f"{sys.executable} -m banditproof theory list charisopoulos_2023 --json | head -c 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.endswith("141\n") or done.stdout.endswith("0\n")
    assert done.stderr == ""


def test_a_budget_drops_whole_audits_and_says_so(run: Run, planted) -> None:
    ended = run("verify", SMALL, "--jobs", "1", "--budget", "0", "--no-posterior", "--json", "-")
    assert {result["verdict"] for result in ended.json()["results"]} == {"inconclusive"}
    assert ended.code == 0
    assert run("verify", SMALL, "--jobs", "1", "--budget", "0", "--no-posterior", "--strict").code == 4
    planted(fake(Verdict.NOT_REFUTED, expected=Verdict.REFUTED))
    left_out = run("verify", "--jobs", "1", "--budget", "0")
    assert (left_out.code, "should be refuted" in left_out.out) == (0, False)


@pytest.mark.parametrize(("command", "code"), [("verify nope 2>&1 | true", 5), ("theory list >&-", 0), ("diff a.json b.json 2>&-", 2)])
def test_closed_streams_change_no_exit_code(tmp_path, command: str, code: int) -> None:
    """As it was found: 1, "an unexpected refutation", where the reader of the errors had gone, and a trace where there was no output."""
    program = f"{sys.executable} -m banditproof {command}; echo code ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, "Traceback" in done.stderr) == (f"code {code}\n", False), done.stderr


def test_a_profile_says_where_the_time_went_and_changes_no_result(run: Run, tmp_path) -> None:
    """Would catch times in the record, phases that do not add up to an audit's time, and a profile that is measured unasked."""
    target, sidecar = tmp_path / "r.json", tmp_path / "r.json.times.json"
    plainly = run("verify", SMALL, "--fresh", "--json", str(target))
    record, times = target.read_bytes(), json.loads(sidecar.read_text())
    assert "profile" not in times and "phase" not in plainly.err
    ended = run("verify", SMALL, "--fresh", "--profile", "--json", str(target))
    assert target.read_bytes() == record
    times = json.loads(sidecar.read_text())
    jsonschema.validate(times, SCHEMA)
    found = times["profile"]
    assert set(found["audits"]) == set(times["seconds"])
    for id, seconds in times["seconds"].items():
        whole = sum(found["audits"][id].values())
        assert seconds - 0.01 <= whole <= found["elapsed"]
        assert found["audits"][id]["testing"] + found["audits"][id]["drawing"] > 0.0
    assert sum(found["before"].values()) > 0.0
    lines = ended.err.splitlines()
    assert any(line.startswith("slowest audits") for line in lines) and all(id in ended.err for id in times["seconds"])
    assert len(lines) <= 24
    assert "no audit was computed" in run("verify", SMALL, "--profile").err


def test_a_profile_that_nobody_would_see_is_refused(run: Run) -> None:
    ended = run("verify", SMALL, "--profile", "--quiet")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.strip().splitlines()[-1].startswith("Error: --quiet shows no tables: it takes --profile with --json FILE alone")
    assert run("verify", SMALL, "--profile", "--quiet", "--fresh", "--json", "r.json").code == 0
    assert json.loads(Path("r.json.times.json").read_text())["profile"]


def test_nothing_failed_is_said(run: Run) -> None:
    assert run("verify", SMALL).code == 0
    ended = run("verify", SMALL, "--last-failed")
    assert ended.code == 0 and "nothing to run" in ended.err
