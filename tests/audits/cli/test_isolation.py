"""The command line and a user's code in a child process: its limits, the exit code, and what is said while it runs."""

import pytest

from banditproof.audits.cli.isolation import Narrator, duration, fitting
from banditproof.audits.isolation.child import Watched
from banditproof.guarantees import NeighbouringRelation, PureDP

from .conftest import HERE, Run

HARD = f"{HERE.parent / 'isolation' / 'hard_mechanisms.py'}"
ASKED = ("--epsilon", "1", "--dataset", "[0, 1]", "--neighbour", "[1, 1]")


def test_a_crash_is_exit_3_with_one_line_and_what_was_seen_before_it(run: Run) -> None:
    """Would catch exit 0 with empty output, which is what os._exit(0) made of an audit, and a refutation that is lost with it."""
    first, again = (run("audit", "privacy", f"{HARD}:leaves", *ASKED, "--samples", "4000", "--json", "r.json") for _ in range(2))
    line = f"Error: {HARD}:leaves ended its process with exit code 0, as os._exit does in call 1,201, on [0, 1]; "
    note, error = first.err.splitlines()
    assert note.startswith("Note: runs the code of ") and error.startswith(line) and error.endswith(" outputs were kept")
    assert len(again.err.splitlines()) == 1
    assert first.code == again.code == 3
    assert "✗ refuted" in first.out and "ended early" in first.out
    replayed = run("replay", "r.json", "--samples", "500")
    assert (replayed.code, "confirmed" in replayed.out) == (0, True)


@pytest.mark.parametrize(
    ("command", "option"),
    [("privacy", ("--timeout", "0.5")), ("privacy", ("--time-limit", "0.5")), ("gray-box", ("--timeout", "0.5"))],
    ids=" ".join,
)
def test_every_command_that_runs_a_users_code_has_limits(run: Run, command: str, option: tuple[str, ...]) -> None:
    ended = run("audit", command, f"{HARD}:is_slow", *ASKED, *option)
    assert ended.code == 3
    assert f"({option[0]})" in ended.err.splitlines()[-1]
    assert ended.out == ""


def test_data_have_the_form_that_the_option_names(run: Run) -> None:
    asked = ("audit", "privacy", f"{HARD}:wants_an_array", *ASKED, "--samples", "400")
    stumbles, helped = run(*asked), run(*asked, "--data-as", "array")
    assert stumbles.code == 3
    assert "'list' object has no attribute 'sum' (data arrive as a list: annotate the parameter" in stumbles.err
    assert helped.code == 0


def test_an_estimate_is_given_before_long_and_progress_later(capsys: pytest.CaptureFixture[str]) -> None:
    """Would catch silence off a terminal, an estimate after hours, and one for draws that take seconds."""
    claim = PureDP(1.0, NeighbouringRelation.REPLACE_RECORD)
    narrator = Narrator()
    narrator.begin("drawing", 200_000, fitting(claim, 0.001, 128))
    for second in range(75):
        narrator(Watched(calls=100 + second, outputs=100 + second, seconds=7.0 + second))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("Note: 1 s per output: 200,000 outputs take 56 h; --samples 3400 fits in an hour and detects a loss of ")
    assert [line.split(",")[0] for line in lines[1:]] == ["drawing: 11 of 200", "drawing: 42 of 200", "drawing: 73 of 200"]
    narrator.begin("drawing", 200_000, fitting(claim, 0.001, 128))
    for second in range(9):
        narrator(Watched(calls=20_000 * second, outputs=20_000 * second, seconds=float(second)))
    assert capsys.readouterr().err == ""
    assert fitting(claim, 0.001, 128)(100.0) == "; the fewest, --samples 200, take 9.1 h"
    assert [duration(seconds) for seconds in (45.4, 130.0, 3600.0, 20_000.0, 10**6)] == ["45 s", "2.2 min", "60 min", "5.6 h", "12 days"]
