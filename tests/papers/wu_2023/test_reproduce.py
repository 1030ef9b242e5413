"""`banditproof reproduce wu_2023.*`: files, record, table, and what it refuses; at a reduced scale."""

import contextlib
import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest

from banditproof.audits.papers.wu_2023.figures import tuning

SMALL = ("--runs", "3", "--horizon", "300", "--jobs", "1")


@pytest.fixture(scope="module", autouse=True)
def coarse_search():
    """A search over 6 candidates in place of 88, confirmed in 4 runs in place of 100: what is tested here does not depend on it."""
    axes = {name: tuple((axis[2], axis[-2]) for axis in each) for name, each in tuning.AXES.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuning, "AXES", axes)
        patch.setattr(tuning, "LOOKS", (2, 4))
        patch.setattr(tuning, "finer", lambda algorithm, centre: tuple(tuple(factor * each for each in centre) for factor in (0.9, 1.1)))
        yield


@pytest.fixture(scope="module")
def said():
    """What the command of the small reproduction wrote to its two streams."""
    return io.StringIO(), io.StringIO()


@pytest.fixture(scope="module")
def figure(tmp_path_factory, said):
    """One small reproduction of Figure 2, by the command."""
    from banditproof.audits.cli.commands import main

    folder = tmp_path_factory.mktemp("figure")
    command = ["reproduce", "wu_2023.figure2", *SMALL, "--seed", "4", "--out", str(folder), "--json", str(folder / "copy.json")]
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said[0]), contextlib.redirect_stderr(said[1]):
        patch.setenv("COLUMNS", "100")
        assert main(command) == 0
    copy = folder / "copy.json"
    assert copy.read_text() == (folder / "wu_2023.figure2.json").read_text()
    copy.unlink()
    return folder


def test_it_writes_pictures_and_tables(figure, record_schema):
    """Would catch a picture that is not drawn, an empty table, and two files that disagree."""
    record = json.loads((figure / "wu_2023.figure2.json").read_text())
    jsonschema.validate(record, record_schema)
    with (figure / "wu_2023.figure2.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(record["rows"]) == 2 * 9 * 4  # constants, settings, algorithms
    assert [float(row["mean"]) for row in rows] == [row["mean"] for row in record["rows"]]
    for constants in ("proofs", "tuned"):
        svg = (figure / f"wu_2023.figure2.{constants}.centred.svg").read_text()
        assert svg.count('<g id="axes_') == 9
        assert (figure / f"wu_2023.figure2.{constants}.centred.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    computed, *ways = record["outcomes"]
    assert "computed" in computed and set(ways) == {"noise centred, constants proofs", "noise centred, constants tuned"}
    assert record["complete"] and {each["id"] for each in record["sentences"]} > {"i", "a-means", "iv-b", "v-c"}
    assert any("3 runs cannot find outcome" in each for each in record["warnings"])
    for outcomes in (record["outcomes"][way] for way in ways):
        assert [outcome["id"] for outcome in outcomes][:9] == ["i", "ii-a", "ii-b", "iii-a", "iii-b", "iv", "v-a", "v-b", "vi"]
        assert {outcome["verdict"] for outcome in outcomes} <= {"reproduced", "contradicted", "inconclusive"}
        played = [each for outcome in outcomes[:9] for each in outcome["comparisons"]]
        assert all(each["below"] + each["above"] + each["ties"] == 3 for each in played)
    parameters = record["parameters"]
    assert (parameters["seed"], parameters["runs"], parameters["horizon"]) == (4, 3, 300)
    found = parameters["tuning"]["algorithms"]
    assert {name: each["candidates"] for name, each in found.items()} == {"PRAE-R": 6, "PRAE-C": 6, "DPRSE": 6, "RUCB": 4}
    assert all(0.0 <= each["chosen"]["lost"] <= 1.0 for each in found.values()) and len(parameters["best_arm_lost"]) == 2
    assert all(0 < each["candidates_played_again"] <= each["candidates"] for each in found.values())


def test_a_run_cut_short_keeps_what_has_finished(run, monkeypatch):
    """Would catch a record that is written at the end alone, and pictures that are drawn before it: the first way of running is in the
    record when the second begins, and the whole record is there when the first picture fails."""
    from banditproof.audits.experiments import drawing

    def stopped(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(tuning, "tuned", stopped)
        run("reproduce", "wu_2023.figure2", *SMALL, "--out", "out")
    part = json.loads((Path("out") / "wu_2023.figure2.json").read_text())
    assert not part["complete"] and len(part["rows"]) == 36 and len(part["outcomes"]) == 2
    monkeypatch.setattr(drawing, "draw", stopped)
    run("reproduce", "wu_2023.figure2", *SMALL, "--out", "out", "--json", "copy.json")
    whole = json.loads((Path("out") / "wu_2023.figure2.json").read_text())
    assert whole["complete"] and len(whole["rows"]) == 72 and json.loads(Path("copy.json").read_text()) == whole
    assert not list(Path("out").glob("*.svg"))


def test_workers_and_runs_again_change_nothing(figure, run, tmp_path):
    """Would catch numbers or a picture that depend on the number of workers, or on the clock; without --out they are in the folder where
    the command runs."""
    ended = run("reproduce", "wu_2023.figure2", *SMALL[:4], "--jobs", "2", "--seed", "4", "--json")
    assert ended.code == 0
    assert ended.json() == json.loads((figure / "wu_2023.figure2.json").read_text())
    files = [path.relative_to(figure) for path in figure.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".csv", ".json", ".svg", ".png"} and len(files) > 100  # the cells too
    for path in files:
        assert path.read_bytes() == (figure / path).read_bytes(), path


def test_it_says_what_it_found(figure, said):
    """Would catch a table without an outcome, and one that does not say how many runs it depends on."""
    out, err = (stream.getvalue() for stream in said)
    assert "3 runs of 300 rounds, seed 4" in out
    for word in ("inconclusive: RUCB has the lowest regret", "PRAE-R  radius_factor", "wu_2023.figure2.tuned.centred.svg"):
        assert word in out
    assert "choosing constants" in err
    before, after = err.split("noise centred, constants proofs", 1)
    assert "3 runs cannot find outcome" in before and "at least 5 are needed" in before and "cannot find" not in after
    assert "noise centred, constants tuned: 36 of 36 runs\n" not in err  # RUCB plays once for all epsilon
    assert "noise centred, constants tuned: 30 of 30 runs\n" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("wu_2023.figure3",), "figure 'wu_2023.figure3': there is none of this id; nearest: wu_2023.figure"),
        (("wu_2023.figure1", "--runs", "1"), "runs = 1: must be an integer >= 2"),
        (("wu_2023.figure1", "--runs", "many"), "runs = many: must be a number"),
        (("wu_2023.figure1", "--horizon", "99"), "horizon = 99: must be >= 100 (rounds of wu_2023.figure1)"),
        (("wu_2023.figure1", "--horizon", "0"), "horizon = 0: must be an integer >= 1"),
        (("wu_2023.figure1", "--alpha-1", "0.05"), "alpha-1 = 0.05: must be >= 0.1 (the largest alpha of wu_2023.figure1) and <= 0.133"),
        (
            ("shariff_sheffet_2018.d1", "--alpha-1", "0.1"),
            "alpha-1 = 0.1: must not be given (shariff_sheffet_2018.d1 has no contamination)",
        ),
        (("wu_2023.figure1", "--jobs", "0"), "jobs = 0: must be an integer >= 1"),
        (("wu_2023.figure1", "--seed", "-1"), "seed = -1: must be an integer >= 0"),
        (("wu_2023.figure1", "--out", "file"), "out = file: cannot be made a folder"),
        (("wu_2023.figure1", "--json", "no/such/folder.json"), "json = no/such/folder.json: cannot be written"),
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
