"""`banditproof reproduce`: what it refuses, what its help lists, and its progress. A paper's figures are tested with the paper."""

import re
from pathlib import Path

import pytest

from banditproof.audits.cli import reproduce
from banditproof.audits.running import registry


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nothing",), "figure 'nothing': there is none of this id"),
        ((), "Missing argument 'FIGURE'"),
    ],
)
def test_bad_input_is_one_line(run, arguments, says):
    """Would catch a trace, a second line, another exit code, and minutes of computing before the refusal."""
    Path("file").write_text("")
    ended = run("reproduce", *arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert says in ended.err


def test_the_help_lists_the_figures(run):
    """Would catch a figure that nobody learns of, and a listed one that is gone."""
    ended = run("reproduce", "--help")
    listed = re.findall(r"^  ([a-z0-9_]+_\d{4}\.\S+)", ended.out.partition("Figures:")[2], flags=re.MULTILINE)
    assert listed == list(registry.every(registry.experiments))


def test_progress_is_a_line_every_few_seconds(monkeypatch):
    """Would catch a line for each of a thousand runs, a last one that is left out, and a time left that counts what was already there."""
    said: list[str] = []
    now = [0.0]
    monkeypatch.setattr(reproduce.time, "monotonic", lambda: now[0])
    told = reproduce._ProgressReporter(said.append, 5.0)
    told.stage("playing")
    told.runs(50, 150, 0.0)
    for done in range(1, 101):
        now[0] += 1.0
        told.runs(50 + done, 150, done / 100.0)
    assert said[:4] == [
        "playing",
        "playing: 50 of 150 runs",
        "playing: 55 of 150 runs, about 95 s left",
        "playing: 60 of 150 runs, about 90 s left",
    ]
    assert len(said) == 2 + 20 and said[-1] == "playing: 150 of 150 runs"
    assert [reproduce._left(60.0, fraction) for fraction in (0.0, 0.5, 0.2, 0.001)] == [
        "",
        ", about 60 s left",
        ", about 4 min left",
        ", about 17 h left",
    ]
