"""Records and options of the previous version: read for one version, with a note, and the same numbers come out."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from banditproof.audits.cli.commands import main
from banditproof.audits.reporting.older import upgraded

RECORDS = Path(__file__).parent / "records"
EVIDENCE = Path(__file__).parents[3] / "docs" / "evidence"
PREVIOUS = {
    "result_2.json": "result",
    "verify_2.json": "verify",
    "verify_2_privacy.json": "verify",
    "replay_1.json": "replay",
    "plan_1.json": "plan",
    "reproduce_2.json": "reproduce",
    "times_1.json": "times",
}
NEW = {"compare", "diff"}  # of this version: no record of a previous one
AT_POINTS = "shariff_sheffet_2018.degrees_of_sum/points.unpadded_as_printed"
GROWTH = "wu_2023.central_concentration_clean/growth.range_unpadded"
COVERAGE = "wu_2023.initial_distance/coverage.unpadded_at_end"
PRIVATE = "dwork_2006.laplace_privacy/privacy.eps1_sensitivity1_w1"


def read(name: str) -> Any:
    return json.loads((RECORDS / name).read_text(encoding="utf-8"))


def valid(record: Any, schema: Any, kind: str) -> bool:
    """Whether a record is one of this kind: `oneOf` alone would not say which."""
    return jsonschema.Draft202012Validator({**schema, "oneOf": [{"$ref": f"#/$defs/{kind}"}]}).is_valid(record)


def leaves(value: Any) -> Counter[str]:
    """All that stands in a record but keys, schemas and words for a relation."""
    if isinstance(value, dict):
        return sum((leaves(part) for key, part in value.items() if key not in ("schema", "relation")), Counter())
    if isinstance(value, list):
        return sum(map(leaves, value), Counter())
    return Counter([repr(value)])


@pytest.fixture
def schema(capsys: pytest.CaptureFixture[str]) -> Any:
    """As `banditproof schema` prints it."""
    assert main(["schema"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_schema_is_one(schema: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(schema)
    assert {each["$ref"].rpartition("/")[2] for each in schema["oneOf"]} == {*PREVIOUS.values(), *NEW}


@pytest.mark.parametrize(("name", "kind"), PREVIOUS.items())
def test_a_record_of_the_previous_version_becomes_one_of_this_version(schema: Any, name: str, kind: str) -> None:
    """Would catch a key that was forgotten, a number that is lost or changed on the way, and a schema that lets everything pass."""
    before = read(name)
    now = upgraded(before)
    assert not valid(before, schema, kind) and valid(now, schema, kind)
    assert leaves(now) == leaves(before)
    assert upgraded(now) is now and before == read(name)
    assert [other for other in set(PREVIOUS.values()) - {kind} if valid(now, schema, other)] == []


@pytest.mark.parametrize("record", [None, [], 3, {}, {"schema": 2}, {"schema": "other/1"}])
def test_another_record_is_left_alone(record: Any) -> None:
    assert upgraded(record) is record


@pytest.mark.parametrize(
    "record",
    [
        {"schema": "banditproof/result/2", "detail": [], "witness": 3},
        {"schema": "banditproof/result/2", "detail": {"clopper_pearson": 1, "closest": None}, "witness": {"kind": "privacy", "claim": 1}},
        {"schema": "banditproof/verify/2", "results": "none"},
        {"schema": "banditproof/reproduce/2", "outcomes": {"way": [1]}, "parameters": {"constants": []}},
    ],
)
def test_a_damaged_record_is_left_to_its_reader(record: Any, schema: Any) -> None:
    """Would catch a trace where the command line owes one clear line."""
    assert not jsonschema.Draft202012Validator(schema).is_valid(upgraded(record))


@pytest.mark.parametrize(
    "name", ["shariff_sheffet_2018.d1", "shariff_sheffet_2018.d2", "shariff_sheffet_2018.d3", "wu_2023.figure1", "wu_2023.figure2"]
)
def test_the_committed_reproductions_are_of_this_version(schema: Any, name: str) -> None:
    """Would catch a key that was renamed in the code and not in the evidence."""
    assert valid(json.loads((EVIDENCE / f"{name}.json").read_text(encoding="utf-8")), schema, "reproduce")


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty one with the records in it, where commands run."""
    shutil.copytree(RECORDS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".state"))
    return tmp_path


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("result_2.json", ("--run",), 0),
        ("verify_2.json", ("--audit", AT_POINTS), 0),
        ("verify_2.json", ("--audit", GROWTH), 0),
        ("verify_2.json", ("--audit", COVERAGE), 0),
        ("verify_2_privacy.json", ("--audit", PRIVATE), 1),  # a true claim: not refuted again
    ],
)
def test_a_record_of_the_previous_version_is_replayed(
    folder: Path, schema: Any, capsys: pytest.CaptureFixture[str], name: str, arguments: tuple[str, ...], code: int
) -> None:
    """Would catch a witness whose dataset is lost, and a note that is said twice, or on standard output."""
    assert main(["replay", name, *arguments, "--json"]) == code
    ended = capsys.readouterr()
    assert valid(json.loads(ended.out), schema, "result")
    (note,) = [line for line in ended.err.splitlines() if line.startswith(f"Note: {name}")]
    assert "the next version does not read it" in note


def test_a_replay_of_the_previous_record_is_that_of_today(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Would catch a record that is re-counted on other draws: the numbers are those of the same record under today's keys."""
    (folder / "now.json").write_text(json.dumps(upgraded(read("result_2.json"))))
    replays = []
    for name in ("now.json", "result_2.json"):
        assert main(["replay", name, "--run", "--json"]) == 0
        replays.append(json.loads(capsys.readouterr().out))
    assert replays[0] == replays[1] and replays[0]["verdict"] == "refuted"


PRIVACY = ("audit", "privacy", "noise.py:count", "--epsilon", "1", "--samples", "2000", "--json")
PAIR = ("--dataset", "[0, 1]", "--neighbour", "[1, 1]")
DOMAIN = '{"low": 0, "high": 1, "lengths": [1, 1], "integral": true}'


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ((*PRIVACY, "--first", "[0, 1]", "--second=[1, 1]"), (*PRIVACY, *PAIR), ("--first", "--second")),
        ((*PRIVACY, "--domain", DOMAIN), (*PRIVACY, "--neighbours", DOMAIN), ("--domain",)),
        (
            (*PRIVACY, *PAIR, "--relation", "within_sensitivity"),
            (*PRIVACY, *PAIR, "--relation", "query_sensitivity"),
            ("relation within_sensitivity",),
        ),
        (
            ("audit", "plan", "--epsilon", "1", "--samples", "2000", "--missed-with", "0.2", "--json"),
            ("audit", "plan", "--epsilon", "1", "--samples", "2000", "--miss-rate", "0.2", "--json"),
            ("--missed-with",),
        ),
    ],
)
def test_an_old_option_is_read_with_a_note(
    folder: Path, capsys: pytest.CaptureFixture[str], old: tuple[str, ...], new: tuple[str, ...], names: tuple[str, ...]
) -> None:
    """Would catch an option that is gone without a word, or that is read and then left out."""
    codes, outs, errs = [], [], []
    for arguments in (old, new):
        codes.append(main(list(arguments)))
        ended = capsys.readouterr()
        outs.append(ended.out)
        errs.append([line for line in ended.err.splitlines() if line.startswith("Note:") and " is called " in line])
    assert codes[0] == codes[1] and outs[0] == outs[1] != ""
    assert [name for name in names if not any(line.startswith(f"Note: {name} is called ") for line in errs[0])] == []
    assert len(errs[0]) == len(names) and errs[1] == []


def test_old_options_are_not_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("privacy", "plan"):
        assert main(["audit", command, "--help"]) == 0
        shown = capsys.readouterr().out
        assert [old for old in ("--first", "--second", "--domain", "--missed-with") if old in shown] == []
