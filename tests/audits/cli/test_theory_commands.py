"""`banditproof theory` and the help texts."""

import re
from pathlib import Path

import click
import pytest

from banditproof.audits.cli.commands import cli, main
from banditproof.audits.methods import proof_steps
from banditproof.audits.reporting.findings import markdown
from banditproof.audits.reporting.theorems import LastVerdict, last_verdicts
from banditproof.audits.running import registry
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.evaluate import Value

from .conftest import Run

LAPLACE = "dwork_2006.laplace_privacy"


def test_the_long_list_names_every_statement(run: Run) -> None:
    out = run("theory", "list", "-v").out
    assert [id for id in registry.every(registry.theorems) if id not in out] == []
    assert all(line == line.rstrip() for line in out.splitlines())


def test_the_list_of_papers_is_a_line_each_and_search_finds_findings(run: Run) -> None:
    """Would catch a list that fills ten screens, and a text that is looked for in ids alone."""
    lines = run("theory", "list").out.splitlines()
    assert len(lines) < 30 and [line.split()[0] for line in lines[1 : len(STEMS) + 1]] == STEMS
    assert LAPLACE in run("theory", "list", "--search", "EPSILON <= SENSITIVITY/SCALE").out
    assert run("theory", "list", "--search", "no such words").code == 5
    told = run("theory", "list", "dwork_2006").out
    assert re.search(r"laplace_privacy +epsilon <= sensitivity/scale", told)


def test_a_statement_has_the_last_verdict_that_says_the_least() -> None:
    """Would catch a refutation of what is false in print shown as a surprise, and a surprise that other audits hide."""
    kept = {
        "a.x/1": Verdict.CERTIFIED,
        "a.x/2": Verdict.REFUTED,
        "a.y/1": Verdict.REFUTED,
        "a.z/1": Verdict.CERTIFIED,
        "a.z/2": Verdict.ERROR,
    }
    last = last_verdicts(kept, ["a.x/2"])
    assert last["a.x"] == LastVerdict(Verdict.REFUTED) and last["a.y"] == LastVerdict(Verdict.REFUTED, expected=False)
    assert last["a.z"] == LastVerdict(Verdict.ERROR)
    assert last_verdicts(kept, ["a.x/1", "a.x/2"])["a.x"] == LastVerdict(Verdict.CERTIFIED, expected=False)


def test_list_of_a_paper_names_its_statements_alone(run: Run) -> None:
    for argument in ("dwork_2006", "dwork_2006.*", LAPLACE):
        described = run("theory", "list", argument, "--json").json()["theorems"]
        assert LAPLACE in [item["id"] for item in described]
        assert all(item["id"].startswith("dwork_2006.") for item in described)
    assert run("theory", "list", "*no such*").code == 5


def test_show_says_source_hypotheses_and_who_checks_them(run: Run) -> None:
    out = run("theory", "show", LAPLACE).out
    for word in ("dwork2006calibrating", "Proposition 1", "epsilon <= sensitivity/scale", "assumed", "fresh_laplace_noise"):
        assert word in out
    assert run("theory", "show", LAPLACE, "--json").json()["id"] == LAPLACE
    assert r"\frac" in run("theory", "show", LAPLACE, "--latex").out


def test_every_statement_can_be_shown(run: Run) -> None:
    for id in registry.every(registry.theorems):
        assert run("theory", "show", id).code == 0
        assert run("theory", "show", id, "--json").json()["id"] == id


def test_eval_is_exact_and_says_what_it_assumes(run: Run) -> None:
    """Would catch values that pass through a double: a tenth is not 0.1000000000000000055."""
    ended = run("theory", "eval", LAPLACE, "sensitivity=0.1", "scale=1/3", "--json")
    record = ended.json()
    assert record["ball"].startswith("[0.3000000000000000000000000000")
    assert record["low"] <= 0.3 <= record["high"]
    assert record["bound"] >= 0.3
    assert (record["of"], record["sense"]) == ("epsilon", "<=")
    assert record["assumed"]
    out = run("theory", "eval", LAPLACE, "sensitivity=0.1", "scale=1/3").out
    assert out.startswith("epsilon <= 0.3")
    for word in ("digits", "sensitivity = 0.1, scale = 1/3", LAPLACE, "assumed"):
        assert word in out
    assert "always" not in out


def test_eval_reads_an_old_name_of_a_quantity_with_a_note(run: Run) -> None:
    """Would catch a renamed quantity whose old name is refused at once, or read in silence."""
    id, values = "wu_2023.elimination_batch", ("active=2", "epoch=16", "failure=1e-6", "epsilon=1/2", "contamination=1/2800", "moment=2")
    now, old = run("theory", "eval", id, *values, "gap_up_to_two=9/10"), run("theory", "eval", id, *values, "moment_gap=9/10")
    assert (old.code, old.out) == (0, now.out)
    assert "moment_gap is called gap_up_to_two now" in old.err and now.err == ""
    assert run("theory", "eval", id, *values, "moment_gap=9/10", "gap_up_to_two=9/10").code == 2


def test_the_name_of_a_paper_lists_its_statements(run: Run) -> None:
    """Would catch an answer that says only that there is no such statement."""
    ended = run("theory", "show", "kairouz_2014")
    assert ended.code == 2
    for id in registry.theorems("kairouz_2014"):
        assert id in ended.err


STEMS = list(registry.papers())


def test_findings_are_printed_or_written_paper_by_paper(run: Run, tmp_path: Path) -> None:
    """Would catch a page that loses a finding, and a run for one paper that touches the pages of another."""
    wrong = {stem for stem in STEMS if registry.findings(stem)}
    assert {stem for stem in STEMS if markdown(stem)} == wrong
    assert run("theory", "findings").out == "\n".join(markdown(stem) for stem in STEMS if stem in wrong)
    (tmp_path / "nothing_2099.md").write_text("of a paper that was deleted")
    assert run("theory", "findings", "--folder", str(tmp_path)).code == 0
    assert {path.name for path in tmp_path.iterdir()} == {f"{stem}.md" for stem in wrong} | {"nothing_2099.md"}
    for stem in sorted(wrong)[:1]:
        assert run("theory", "findings", stem).out == (tmp_path / f"{stem}.md").read_text(encoding="utf-8") == markdown(stem)
        assert run("theory", "findings", stem, "--folder", str(tmp_path / "new")).out == ""
        assert [path.name for path in (tmp_path / "new").iterdir()] == [f"{stem}.md"]


def test_findings_of_a_grade(run: Run) -> None:
    """Would catch an option that is not looked at, and a wrong grade that is taken for none."""
    for grade in ("FALSE", "misprint"):
        described = run("theory", "findings", "--grade", grade, "--json").json()["findings"]
        assert {item["grade"] for item in described} <= {grade.upper()}
    all_of_them = run("theory", "findings", "--json").json()["findings"]
    assert len(all_of_them) == sum(len(registry.findings(stem)) for stem in STEMS)
    ended = run("theory", "findings", "--grade", "WRONG")
    assert ended.code == 2 and "must be one of FALSE, MISSING_CONDITION" in ended.err
    assert run("theory", "findings", "inequalities", "--grade", "FALSE").code == 5
    assert run("theory", "findings", "--grade", "FALSE", "--folder", "anywhere").code == 2


def test_proofs_of_a_paper_are_written_as_they_are_kept(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch a search that writes other bytes than the file has, and one paper's proofs in another's file."""
    kept = proof_steps.proofs_of("inequalities")
    assert kept is not None
    assert run("theory", "proofs", "inequalities").out == kept.read_text(encoding="utf-8")
    monkeypatch.setattr(proof_steps, "proofs_of", lambda stem: tmp_path / f"{stem}.json")
    assert run("theory", "proofs", "inequalities", "--write").code == 0
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("inequalities.json", kept.read_bytes())]


@pytest.mark.parametrize("command", ["findings", "proofs"])
def test_an_unknown_paper_is_named(run: Run, command: str) -> None:
    ended = run("theory", command, "dwork_2005")
    assert ended.code == 2
    assert "there is none of this name; nearest: " in ended.err and "dwork_2006" in ended.err


def test_proofs_of_all_papers_are_not_printed_as_one(run: Run) -> None:
    assert "name a paper" in run("theory", "proofs").err


def test_every_statement_can_be_evaluated_at_typical_values_or_says_why_not(run: Run) -> None:
    """Would catch a rendering that works for the first paper alone."""
    evaluated = 0
    for id, theorem in registry.every(registry.theorems).items():
        given = [] if theorem.bound is None else [f"{item.name}={(item.typical or (1,))[0]:g}" for item in theorem.bound.given]
        ended = run("theory", "eval", id, *given)
        assert ended.code in (0, 2)
        assert len(ended.err.splitlines()) == (1 if ended.code else 0), ended.err
        evaluated += ended.code == 0
    assert evaluated >= len(registry.every(registry.theorems)) / 2


def test_a_value_is_what_the_python_call_gives(run: Run) -> None:
    value: Value = registry.every(registry.theorems)[LAPLACE].at(sensitivity="1", scale="3")
    assert run("theory", "eval", LAPLACE, "sensitivity=1", "scale=3", "--json").json()["bound"] == value.bound


def commands(group: click.Command, path: tuple[str, ...] = ()):
    yield path, group
    if isinstance(group, click.Group):
        for name, command in group.commands.items():
            yield from commands(command, (*path, name))


ALL = list(commands(cli))


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) or "banditproof" for path, _ in ALL])
def test_every_command_and_option_explains_itself(path: tuple[str, ...], command: click.Command, capsys) -> None:
    assert len(command.help or "") > 20
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert len(parameter.help or "") > 5, parameter.name
    assert main([*path, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "..." not in shown.split("Commands:")[-1] or "NAME=VALUE" in shown or path == ("audit", "privacy")
    assert max(map(len, shown.splitlines())) <= 112


def test_the_top_of_the_help_lists_commands_and_exit_codes(capsys) -> None:
    main(["--help"])
    shown = capsys.readouterr().out
    for word in ("audit", "replay", "theory", "verify", "5  a pattern matched nothing"):
        assert word in shown
