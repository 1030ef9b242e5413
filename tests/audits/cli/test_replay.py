"""`banditproof replay`: it runs nothing that it was not asked to, and refuses a record that breaks a rule in one line."""

import copy
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from banditproof.audits.running import located
from banditproof.guarantees import shown

from .conftest import SUBJECTS, Run, subject

RECORDS = Path(__file__).parents[1] / "reporting" / "records"
TRAP = "from pathlib import Path\nPath('ran').touch()\n\n\ndef f(data, rng):\n    return data[0] + rng.laplace(scale=0.5)\n"
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A record of a refutation, written by `audit privacy`."""
    from banditproof.audits.cli.commands import main

    file = tmp_path_factory.mktemp("made") / "r.json"
    pair = ("--dataset", "[0]", "--neighbour", "[1]")
    assert main(("audit", "privacy", subject("half_noise"), "--epsilon", "1", *pair, "--samples", "2000", "--json", str(file))) == 1
    record: dict[str, Any] = json.loads(file.read_text())
    return record


@pytest.fixture
def record(made: dict[str, Any]) -> dict[str, Any]:
    return copy.deepcopy(made)


def kept(folder: Path, record: Any, name: str = "r.json") -> str:
    (folder / name).write_text(json.dumps(record))
    return name


# --- what runs ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["trap.py:f", "trap:f", "../{folder}/trap.py:f", "{whole}/trap.py:f"])
def test_code_that_nobody_asked_for_is_shown_and_not_run(
    run: Run, tmp_path: Path, record: dict[str, Any], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Would catch a replay that imports what its file names, by a file, a module, a path upwards or an absolute one."""
    monkeypatch.delitem(sys.modules, "trap", raising=False)
    (tmp_path / "trap.py").write_text(TRAP)
    named = record["witness"]["subject"] = place.format(folder=tmp_path.name, whole=tmp_path)
    ended = run("replay", kept(tmp_path, record))
    file = (tmp_path / "trap.py").resolve()
    assert (ended.code, ended.err) == (2, f"Error: {named} ({file}): was not run; add --run to run it\n")
    assert str(file) in ended.out and "    6      return data[0] + rng.laplace(scale=0.5)" in ended.out
    assert located.located(str(file) + ":f").sha256 in ended.out
    assert not (tmp_path / "ran").exists()
    assert run("replay", "r.json", "--json").out == ""
    asked = run("replay", "r.json", "--run", "--samples", "2000")
    assert asked.code == 0 and (tmp_path / "ran").exists()
    assert asked.out.splitlines()[0] == f"confirmed  {named}"  # what ran, whatever the record calls itself
    assert f"recorded as  user:{SUBJECTS}" in asked.out and str(file) in asked.out


FORMS = """
def summed(data, rng):
    return data.sum() + rng.laplace()

def total(data, rng):
    return sum(data) + rng.laplace()

def counted(data, rng):
    return data.count("nan") + 0.1 * rng.laplace()

def place(data, rng):
    return data["round"] + 0.1 * rng.laplace()
"""


@pytest.mark.parametrize(
    ("name", "options", "pair"),
    [
        ("summed", ["--data-as", "array"], ("[0, 1]", "[1, 1]")),
        ("total", ["--relation", "query_sensitivity", "--neighbours", '{"sensitivity": 2}'], ("[0]", "[2]")),
        ("total", ["--neighbours", '{"group": 2}'], ("[0, 0]", "[1, 1]")),
        ("counted", [], ('["nan", "a"]', '["b", "a"]')),
        ("place", [], ('{"round": 1, "rewards": [1], "contexts": null}', '{"round": 2, "rewards": [1], "contexts": null}')),
    ],
)
def test_a_replay_asks_as_the_audit_did(run: Run, tmp_path: Path, name: str, options: list[str], pair: tuple[str, str]) -> None:
    """Would catch a form of the data, a distance of the neighbours or a text of the data that the record does not hold."""
    (tmp_path / "forms.py").write_text(FORMS)
    asked = ("--epsilon", "0.2", "--samples", "4000", "--dataset", pair[0], "--neighbour", pair[1])
    assert run("audit", "privacy", f"forms.py:{name}", *asked, *options, "--json", "r.json").code == 1
    ended = run("replay", "r.json")
    assert ended.code == 0 and ended.out.startswith("confirmed"), ended.err


def test_code_that_was_audited_here_runs_and_its_next_version_does_not(run: Run, tmp_path: Path) -> None:
    """Would catch a permission that is kept by name, or by what the record says of itself."""
    (tmp_path / "trap.py").write_text(TRAP)
    pair = ("--dataset", "[0]", "--neighbour", "[1]", "--samples", "2000")
    assert run("audit", "privacy", "trap.py:f", "--epsilon", "1", *pair, "--json", "r.json").code == 1
    assert run("replay", "r.json").code == 0
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "trap.py").write_text(TRAP)  # beside another `numpy.py`, the same file is other code
    text = (tmp_path / "r.json").read_text()
    (tmp_path / "moved.json").write_text(text.replace("trap.py:f", "elsewhere/trap.py:f"))
    assert run("replay", "moved.json").code == 2
    (tmp_path / "other.json").write_text(text.replace("trap.py:f", "trap.py:Path"))
    assert run("replay", "other.json").code == 2
    (tmp_path / "trap.py").write_text(TRAP + "\n")
    assert run("replay", "r.json").code == 2
    assert run("replay", "r.json", "--run").code == 0
    assert run("replay", "r.json").code == 0  # asked for once


def test_where_nothing_can_be_kept_a_replay_asks_again(run: Run, tmp_path: Path, record: dict[str, Any], monkeypatch: Any) -> None:
    """Would catch a crash in a home that cannot be written to."""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    kept(tmp_path, record)
    assert run("replay", "r.json", "--run", "--samples", "2000").code == 0
    assert run("replay", "r.json").code == 2


def test_a_record_is_read_from_standard_input_and_with_a_byte_order_mark(
    run: Run, tmp_path: Path, record: dict[str, Any], monkeypatch: Any
) -> None:
    """Would catch a file of the name '-', and the records that PowerShell writes."""
    content = b"\xef\xbb\xbf" + json.dumps(record).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert run("replay", "-", "--run", "--samples", "2000").code == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"{")))
    ended = run("replay", "-")
    assert (ended.code, ended.err.startswith("Error: standard input: is not JSON")) == (2, True)


# --- what is refused ----------------------------------------------------------------------------------------------------------------


def to(path: str, value: Any) -> Change:
    """A change of one value; the path's steps are keys and places."""

    def change(record: dict[str, Any]) -> None:
        *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        part: Any = record
        for step in steps:
            part = part[step]
        part[last] = value

    return change


def scored(kind: str, width: int = 1, **score: Any) -> Change:
    """An event of another kind."""

    def change(record: dict[str, Any]) -> None:
        record["witness"]["event"] |= {"kind": kind, "score": score}
        record["witness"]["width"] = width

    return change


SCORE = "witness.event.score"
TREE = {
    "edges": [[0.0, 1.0]],
    "feature": [0, -2, -2],
    "threshold": [0.5, -2, -2],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "value": [0, 1, 0],
}
BROKEN: list[tuple[Change, str]] = [
    # the kinds of records that gave tracebacks
    (to("claimed", 10**350), "claimed = 1000000000"),
    (to("witness.leaks_expected", 10**350), "witness.leaks_expected = 10000000000"),
    (to("witness.event.low", 1e308), "witness.event.low = 1e+308: must be < high = "),
    (scored("Additive", edges=[[0.0]], ratios=[[0.0, 1.0]]), f"{SCORE}.ratios: has 2 for 1 edges: must have 3"),
    (scored("Additive", edges=[[0.0]], ratios=["many"]), f'{SCORE}.ratios[0] = "many": must be a list'),
    (to("witness.claim.epsilon", [1, 2]), "witness.claim.epsilon = [1, 2]: must be a finite number > 0"),
    (to("witness.claim.epsilon", 2.0), "claimed = 1.0: must be 2, as in witness.claim"),
    (to("witness.claim.mu", 1.0), "field 'mu' of witness.claim: is not one of its fields"),
    (to("witness.trials", 10**30), "witness.trials = 1000000000000000000000000000000: must be an integer >= 1 and <= 1000000000000"),
    (to("witness.width", 0), "witness.width = 0: must be an integer >= 1"),
    (to("seed", "many"), 'seed = "many": must be an integer or null >= 0'),
    (to("seed", 1.5), "seed = 1.5: must be an integer or null >= 0"),
    (to("seed", 1.0), "seed = 1.0: must be an integer or null >= 0"),
    (to("false_alarm", "x"), 'false_alarm = "x": must be a finite number or null'),
    (to("exact", "x"), 'exact = "x": must be a finite number or one of inf, -inf, nan or null'),
    (to("witness.files", 5), "witness.files = 5: must be a list"),
    (to("witness.files", [1, 2]), "witness.files[0] = 1: must be text"),
    (to("witness.files", []), "witness.files = []: must be a list that is not empty"),
    # what was said in the words of Python
    (to("witness.right", "many"), 'witness.right = "many": must be an integer'),
    (to("witness.claim.relation", "zzz"), "claim.relation = 'zzz': must be one of replace_round"),
    (to("witness.claim.view", "zzz"), "claim.view = 'zzz': must be one of local"),
    (to("witness.event", "x"), 'witness.event = "x": must be an object'),
    (to("witness.event.score", [1]), f"{SCORE} = [1]: must be an object"),
    (to("witness.event.kind", "Zigzag"), 'witness.event.kind = "Zigzag": must be one of Coordinate'),
    (lambda record: record["witness"].pop("event"), "field 'event' of witness: is missing"),
    (lambda record: record.pop("seed"), "field 'seed': is missing"),
    (to("witness", "x"), 'witness = "x": must be an object or null'),
    (to("witness", {"right": 1}), "field 'kind' of witness: is missing"),
    # what was accepted
    (to("must_detect", "x"), 'must_detect = "x": must be a finite number or null > 0 or inf'),
    (to("must_detect", -1), "must_detect = -1: must be a finite number or null > 0 or inf"),
    (to("witness.right", -1), "witness.right = -1: must be an integer >= 0"),
    (to("witness.right", 10**6), "witness.right + witness.wrong = "),
    (to("witness.leaks", 10**6), "witness.leaks = 1000000: must be <= right = "),
    (scored("Linear", width=2, weights=[1.0]), "witness.width = 2: must be 1, the number of entries of event.score.weights"),
    (scored("Coordinate", column=1, sign=1.0), f"{SCORE}.column = 1: must be < width = 1"),
    (scored("Coordinate", width=2, column=0, sign=1.0), f"witness.width = 2: must be <= 1, the numbers of an output of {SUBJECTS}"),
    (scored("Additive", edges=[[1.0, 0.0]], ratios=[[0.0] * 4]), f"{SCORE}.edges[0] = ..., 1.0, 0.0, ...: must be in ascending order"),
    (scored("Outcomes", rows=[[0.0, 1.0]], ratios=[1.0]), "witness.width = 1: must be 2, the number of entries of event.score.rows"),
    (scored("Tree", **{**TREE, "left": [0, -1, -1]}), f"{SCORE}.left[0] = 0: must be > 0 and < 3"),
    (scored("Tree", **{**TREE, "value": [0.0]}), f"{SCORE}.value: has 1 entries: must have 3"),
    (to("versions", {"numpy": 2}), "versions.numpy = 2: must be text"),
    (to("verdict", "REFUTED"), 'verdict = "REFUTED": must be one of certified'),
    (to("colour", 1), "field 'colour': is not one of its fields"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN, ids=[message[:50] for _, message in BROKEN])
def test_a_record_that_breaks_a_rule_is_one_line(run: Run, tmp_path: Path, record: dict[str, Any], change: Change, message: str) -> None:
    """Would catch a trace, words of Python or of jsonschema in place of the rule, and a value that is believed."""
    change(record)
    ended = run("replay", kept(tmp_path, record), "--run", "--samples", "2000")
    text = ended.err.removeprefix("Error: ").removeprefix("file 'r.json': ")
    assert text.startswith(message)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema": 1, "schema": 2}', "key 'schema': is given twice"),
        ("[" * 100_000, "is not JSON that can be read (nested too deeply)"),
        (f'{{"seed": {"9" * 5000}}}', "number 999999999999...: must have at most 400 digits"),
        ("null", "schema = a JSON null: must be"),
    ],
    ids=["twice", "deep", "digits", "null"],
)
def test_a_text_that_is_no_record_is_one_line(run: Run, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.json").write_text(text)
    ended = run("replay", "r.json")
    assert ended.err.startswith(f"Error: file 'r.json': {message}")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    ("kind", "place", "value", "rule"),
    [
        ("coverage", "failures", "x", "an integer"),
        ("coverage", "parameters", 1, "an object"),
        ("growth", "ratio", "x", "a number"),
        ("pointwise", "value", [], "a number"),
    ],
)
def test_a_witness_of_another_method_is_held_to_its_types(run: Run, tmp_path: Path, kind: str, place: str, value: Any, rule: str) -> None:
    """Would catch a text that a method multiplies, far from where the record was read."""
    run_of = json.loads((RECORDS / "verify_2.json").read_text())
    result = next(each for each in run_of["results"] if each["witness"] and each["witness"]["kind"] == kind)
    result["witness"][place] = value
    ended = run("replay", kept(tmp_path, run_of), "--audit", result["audit"])
    assert f"{place} = {value!r}: must be {rule}\n" in ended.err
    assert ended.code == 2


def test_a_quoted_object_has_no_address() -> None:
    """Would catch a message that is another one at each run."""
    assert shown(object()) == "<object object>"
