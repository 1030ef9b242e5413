"""[tool.banditproof] of pyproject.toml: what it sets, what wins, and the one line on what is wrong with it."""

from pathlib import Path

import pytest

from banditproof.audits.cli import commands
from banditproof.audits.cli.settings import KEYS, _commands, _settable, project_settings
from banditproof.audits.cli.values import Rejected

from .conftest import Run

PLAN = ("audit", "plan", "--epsilon", "1", "--samples", "10000")


def write(text: str, folder: str = ".") -> None:
    Path(folder, "pyproject.toml").write_text(text, encoding="utf-8")


def test_settings_are_defaults_of_each_command_that_has_the_option_and_the_command_line_wins(run: Run) -> None:
    write("[tool.banditproof]\nfalse_alarm = 0.25\nlevel = 'deep'\n[tool.banditproof.audit.plan]\nmiss_rate = 0.4\n")
    assert "refuted with probability at most 0.25; such a violation is missed with probability at most 0.4." in run(*PLAN).out.replace(
        "\n", " "
    )
    assert "refuted with probability at most 0.125;" in run(*PLAN, "--false-alarm", "0.125").out.replace("\n", " ")


def test_the_nearest_file_that_has_the_table_counts(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch the file of another tool that hides ours, and one further up that wins."""
    Path("a/b").mkdir(parents=True)
    write("[tool.banditproof]\nfalse_alarm = 0.25\n")
    write("[tool.ruff]\nline-length = 100\n", "a")
    monkeypatch.chdir("a/b")
    assert "at most 0.25" in run(*PLAN).out
    write("this is not TOML, and speaks of nothing of ours", ".")
    assert "at most 0.25" in run(*PLAN).out
    write("[tool.banditproof]\nfalse_alarm = 0.125\n", "..")
    assert "at most 0.125" in run(*PLAN).out


def test_help_shows_the_settings_as_defaults(run: Run) -> None:
    write("[tool.banditproof]\njobs = 3\nlevel = 'deep'\nstrict = true\n")
    shown = " ".join(run("verify", "--help").out.split())
    for value in ("[default: deep]", "[default: 3]"):
        assert value in shown
    named = "".join(run("--help").out.split())
    assert f"Defaultsarefrom{Path.cwd() / 'pyproject.toml'},[tool.banditproof]." in named


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.banditproof]\njbs = 2", "[tool.banditproof] jbs = 2: is no setting; nearest: jobs; there are: "),
        ("[tool.banditproof]\nepsilon = 2", "[tool.banditproof] epsilon = 2: is no setting"),
        ("[tool.banditproof]\njobs = 0", "[tool.banditproof] jobs = 0: must be an integer >= 1 and <= 1024 (worker processes)"),
        ("[tool.banditproof]\nseed = 1.5", "[tool.banditproof] seed = 1.5: must be an integer >= 0"),
        (
            "[tool.banditproof]\nlevel = 'deeper'",
            "[tool.banditproof] level = 'deeper': must be one of quick, standard, deep; nearest: deep",
        ),
        ("[tool.banditproof]\nstrict = 'yes'", "[tool.banditproof] strict = 'yes': must be true or false"),
        ("[tool.banditproof]\njobs = true", "[tool.banditproof] jobs = true: must be a number or a word"),
        ("[tool.banditproof]\njobs = [1, 2]", "[tool.banditproof] jobs = [1, 2]: must be a number or a word"),
        ("[tool.banditproof]\nseed = nan", "[tool.banditproof] seed = nan: must be a finite number, an integer >= 0"),
        ("[tool.banditproof.verfy]\njobs = 1", "[tool.banditproof.verfy]: there is no such command; nearest: verify"),
        ("[tool.banditproof.verify]\nsamples = 1", "[tool.banditproof.verify] samples = 1: is no setting; "),
        ("[tool.banditproof.replay]\nseed = 1", "[tool.banditproof.replay] seed = 1: is no setting"),
        ("[tool.banditproof.audit]\nseed = 1", "[tool.banditproof.audit] seed = 1: must be in the table of one command of audit"),
    ],
)
def test_an_unknown_key_and_a_bad_value_are_refused_in_one_line(run: Run, text: str, message: str) -> None:
    """Would catch a misspelt key that changes nothing without a word."""
    write(text)
    ended = run("theory", "list", "dwork_2006")
    assert ended.code == 2
    assert ended.err.startswith(f"Error: {Path.cwd() / 'pyproject.toml'}: {message}")
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[tool.banditproof\n", "is not TOML (Expected ']'"),
        (b"[tool.banditproof]\nlevel = '\xff'", "is not TOML ('utf-8' codec"),
        (b"tool.banditproof = 3", "tool.banditproof = 3: must be a table"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(content)
    with pytest.raises(Rejected) as caught:
        project_settings(commands.cli, tmp_path)
    assert caught.value.message.startswith(f"file {str(tmp_path / 'pyproject.toml')!r}: {message}")


def test_every_setting_is_one_of_some_command() -> None:
    """Would catch a key that nothing reads any more."""
    used = {key for _, command in _commands(commands.cli) for key in _settable(command)}
    assert used == set(KEYS)
