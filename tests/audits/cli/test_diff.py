"""`banditproof diff`: what it calls a difference, what matters, and how it ends."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import banditproof as bp
from banditproof.audits.reporting.older import upgraded

from .conftest import SCHEMA, Run

OLDER: dict[str, Any] = json.loads((Path(__file__).parents[1] / "reporting/records/verify_2_privacy.json").read_text(encoding="utf-8"))
RECORD: dict[str, Any] = upgraded(OLDER)
FIRST = RECORD["results"][0]["audit"]
EVIDENCE = Path(__file__).parents[3] / "docs/evidence/controls.json"


def other(change: Any) -> dict[str, Any]:
    """The record with something changed."""
    changed = copy.deepcopy(RECORD)
    change(changed)
    return changed


def put(name: str, record: Any) -> str:
    Path(name).write_text(json.dumps(record), encoding="utf-8")
    return name


def becomes(**values: Any) -> Any:
    return lambda record: record["results"][0].update(values)


def test_equal_records_are_equal_and_a_version_alone_does_not_matter(run: Run) -> None:
    ended = run("diff", put("a.json", RECORD), put("b.json", RECORD))
    assert (ended.code, ended.out.splitlines()[-1]) == (0, f"equal: {len(RECORD['results'])} audits")
    ended = run("diff", "a.json", put("c.json", other(lambda record: record.update(seed=18))))
    assert ended.code == 0
    assert "settings  seed  17 → 18" in ended.out
    assert ended.out.splitlines()[-1].endswith("but for settings and versions")


@pytest.mark.parametrize(
    ("change", "said", "code"),
    [
        (becomes(verdict="refuted"), f"  {FIRST}\n      not refuted → refuted  (a surprise)", 1),
        (becomes(verdict="inconclusive"), f"  {FIRST}\n      not refuted → inconclusive\n", 1),
        (becomes(expected="refuted"), f"became a surprise (1)\n  {FIRST}  not refuted", 1),
        (lambda record: record["results"].pop(0), f"gone (1)\n  {FIRST}", 1),
        (lambda record: record["results"].pop(0) and record.update(pattern="auer_2002"), f"not asked for in the new run (1)\n  {FIRST}", 0),
        (lambda record: record["results"].append({**RECORD["results"][0], "audit": "a.b/c"}), "new (1)\n  a.b/c  not refuted", 0),
        (becomes(message="another sentence"), "other words changed in 1 audit: message", 0),
    ],
)
def test_a_verdict_a_surprise_and_a_loss_matter(run: Run, change: Any, said: str, code: int) -> None:
    """Would catch a lost audit taken for success, and an expectation that failed with the same verdict as before."""
    ended = run("diff", put("a.json", RECORD), put("b.json", other(change)))
    assert said in ended.out
    assert ended.code == code
    assert max(map(len, ended.out.splitlines())) <= 100
    again = run("diff", "a.json", "b.json", "--json")
    assert (again.code, again.json()["matters"]) == (code, code == 1)
    jsonschema.validate(again.json(), SCHEMA)


def test_the_largest_relative_change_comes_first_with_digits_that_show_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Would catch an absolute difference, and two numbers that differ printed alike. At 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")

    def change(record: dict[str, Any]) -> None:
        one, another = record["results"][:2]
        one["low"], another["samples"] = one["low"] * (1 + 1e-9), another["samples"] * 2

    ended = run("diff", put("a.json", RECORD), put("b.json", other(change)))
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) <= 80
    found = run("diff", "a.json", "b.json", "--json").json()
    assert [(each["name"], each["relative"]) for each in found["moved"]] == [("samples", 0.5), ("low", pytest.approx(1e-9))]
    small = next(line.split() for line in ended.out.splitlines() if line.endswith(" low"))
    assert small[0] == "1e-09" and small[1] != small[2]


def test_renamed_audits_are_compared_under_their_new_ids(run: Run) -> None:
    """Would catch a rename that reads as one audit gone and one new."""
    put("map.json", {"audits": {FIRST: "kairouz_2014.other/privacy.name"}})
    put("a.json", RECORD)
    put("b.json", other(becomes(audit="kairouz_2014.other/privacy.name")))
    assert run("diff", "a.json", "b.json").code == 1
    ended = run("diff", "a.json", "b.json", "--renamed", "map.json")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, f"equal: {len(RECORD['results'])} audits")


def test_evidence_is_compared_cell_by_cell(run: Run) -> None:
    """Would catch a control that is refuted in 19 of 20 seeds instead of 20 without a word."""
    kept = json.loads(EVIDENCE.read_text(encoding="utf-8"))
    kept["cells"] = kept["cells"][:3]
    put("a.json", kept)
    kept["cells"][0]["result"]["refuted"] -= 1
    ended = run("diff", "a.json", put("b.json", kept))
    assert "refuted: 20 → 19" in ended.out
    assert ended.code == 1
    assert run("diff", "a.json", "a.json").out.splitlines()[-1] == "equal: 3 cells"
    assert run("diff", "a.json", put("c.json", RECORD)).err.endswith(
        "one is of cells, the other of audits: only records of one kind can be compared\n"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "file 'b.json': is not JSON (Expecting property name enclosed in double quotes at line 1)"),
        ("[1]", "file 'b.json': is no record (no JSON object)"),
        ('{"schema": "banditproof/times/2"}', "file 'b.json': schema = 'banditproof/times/2': must be "),
        ('{"schema": "banditproof/verify/3", "results": 3}', "file 'b.json': field 'banditproof': is missing"),
        ('{"schema": "banditproof/evidence/1", "cells": [1]}', "file 'b.json': field 'cells': must be a list of cells with name, "),
        ("1" * 5000, "file 'b.json': is not JSON that can be read"),
        (json.dumps(other(becomes(low="many"))), "file 'b.json': results[0]: low = \"many\": must be "),
        (json.dumps(other(becomes(verdict="fine"))), "file 'b.json': results[0]: verdict = \"fine\": must be one of "),
        (json.dumps(other(becomes(versions=None))), "file 'b.json': results[0]: versions = null: must be an object"),
        (json.dumps(other(becomes(seed="x"))), "file 'b.json': results[0]: seed = \"x\": must be an integer"),
        (json.dumps(other(becomes(claimed=10**400))), "file 'b.json': results[0]: claimed = 1000"),
        (json.dumps(other(becomes(samples=10**400))), "file 'b.json': results[0]: samples: must be at most about 1.8e308"),
    ],
)
def test_a_file_of_another_kind_is_refused_in_one_line(run: Run, content: str, message: str) -> None:
    put("a.json", RECORD)
    Path("b.json").write_text(content, encoding="utf-8")
    for arguments in (("a.json", "b.json"), ("b.json", "a.json")):
        ended = run("diff", *arguments)
        assert ended.err.startswith(f"Error: {message}")
        assert len(ended.err.splitlines()) == 1
        assert ended.code == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record.update(results=[None]), "results[0]: record = null: must be an object"),
        (lambda record: record["results"].append(3), f"results[{len(RECORD['results'])}]: record = 3: must be an object"),
        (becomes(verdict="fine"), 'results[0]: verdict = "fine": must be one of '),
        (becomes(low="abc"), 'results[0]: low = "abc": must be a finite number'),
        (lambda record: record["results"][0].pop("verdict"), "results[0]: field 'verdict': is missing"),
        (lambda record: record.pop("level"), "field 'level': is missing"),
        (lambda record: record.update(results=None), "results = null: must be a list"),
    ],
)
def test_all_commands_say_the_same_of_a_broken_record(run: Run, change: Any, said: str) -> None:
    """Would catch Python's own words about an attribute, and a replay that looks at the refuted results alone."""
    put("a.json", RECORD)
    put("b.json", other(change))
    with pytest.raises(ValueError, match=r".") as caught:
        bp.read_record("b.json")
    commands = (("diff", "a.json", "b.json"), ("export", "b.json", "--frame", "b.csv"), ("replay", "b.json"))
    texts = [run(*arguments).err for arguments in commands]
    assert len(set(texts)) == 1 and texts[0] == f"Error: {caught.value}\n"
    assert texts[0].startswith(f"Error: file 'b.json': {said}")


def test_a_record_of_the_version_before_is_named_on_standard_error(run: Run) -> None:
    """Would catch a record that the next version refuses, without a word from this one."""
    put("old.json", OLDER)
    note = "old.json has the schema banditproof/verify/2, read as banditproof/verify/3; the next version does not read it"
    assert run("diff", "old.json", put("new.json", RECORD)).err.splitlines() == [f"Note: {note}"]
    assert run("export", "old.json", "--frame", "b.csv").err.splitlines()[0] == f"Note: {note}"
    with pytest.warns(DeprecationWarning, match=re.escape(note)) as warnings:
        bp.read_record("old.json")
    assert [warning.filename for warning in warnings] == [__file__]
