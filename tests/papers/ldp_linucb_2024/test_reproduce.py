"""`banditproof reproduce ldp_linucb_2024.figure1`: files, record, table, and what it refuses; at a reduced scale."""

import csv
import json
from pathlib import Path

import jsonschema
import pytest

from banditproof.audits.papers.ldp_linucb_2024.figures import curves, tuning

SMALL = ("--runs", "2", "--horizon", "120", "--jobs", "1")


@pytest.fixture(scope="module", autouse=True)
def coarse_search():
    """A search over 2 widths in place of 13: what is tested here does not depend on it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuning, "WIDTHS", (0.1, 1.0))
        patch.setattr(tuning, "TUNING_RUNS", 2)
        yield


def test_it_writes_a_record_a_table_and_pictures(run, record_schema):
    """Would catch a picture without its three panels, a table that disagrees with the record, and a shortened run that decides
    something."""
    ended = run("reproduce", "ldp_linucb_2024.figure1", *SMALL, "--out", "out")
    assert ended.code == 0
    assert "2 runs of 120 rounds, seed 17" in " ".join(ended.out.split())
    assert "Stopped after 120 of 20,000 rounds; every constant is that of 20,000." in ended.out
    assert "the paper's runs have 20,000 rounds" in ended.err and "2 runs cannot find outcome" not in ended.out
    record = json.loads(Path("out/ldp_linucb_2024.figure1.json").read_text())
    jsonschema.validate(record, record_schema)
    with Path("out/ldp_linucb_2024.figure1.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(record["rows"]) == 3 * (4 * 8 + 2 * 9)  # epsilons; ways with own and with equal noise
    assert [float(row["mean"]) for row in rows] == [row["mean"] for row in record["rows"]]
    assert {row["kappa"] for row in rows if row["width"] == "literal" or row["algorithm"] == "uniform"} == {""}
    ways = [way for way in record["outcomes"] if way != curves.COMPUTED]
    assert len(ways) == 6 == len(record["outcomes"]) - 1 and "arms fixed; width literal; noise: own; lambda_min 0" in ways
    assert {each["verdict"] for way in ways for each in record["outcomes"][way]} == {"inconclusive"}
    assert {each["id"]: each["verdict"] for each in record["sentences"]}["iv"] == "inconclusive"  # whether arms are redrawn is not stated
    for name in ("literal.own", "literal.equal", "const.own", "const.equal", "literal.own.curved", "const.own.curved"):
        assert Path(f"out/ldp_linucb_2024.figure1.fixed.{name}.svg").read_text().count('<g id="axes_') == 3
    chosen = record["parameters"]["tuning"]["chosen"]
    assert {len(each) for each in chosen.values()} == {3 * 7, 3 * 8} and len(chosen) == 3  # uniform play has no width
    again = run("reproduce", "ldp_linucb_2024.figure1", *SMALL, "--out", "out", "--json", "copy.json")
    assert again.code == 0 and json.loads(Path("copy.json").read_text()) == record
    assert "literal; noise: own; lambda_min 0: 20 of 20 runs\n" in again.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("ldp_linucb_2024.figure2",), "figure 'ldp_linucb_2024.figure2': there is none of this id; nearest: ldp_linucb_2024.figure1"),
        (("ldp_linucb_2024.figure1", "--horizon", "20001"), "horizon = 20001: must be <= 20000 (the rounds that "),
        (("ldp_linucb_2024.figure1", "--horizon", "99"), "horizon = 99: must be >= 100 (rounds of ldp_linucb_2024.figure1)"),
        (
            ("ldp_linucb_2024.figure1", "--alpha-1", "0.1"),
            "alpha-1 = 0.1: must not be given (ldp_linucb_2024.figure1 has no contamination)",
        ),
    ],
)
def test_bad_input_is_one_line(run, arguments, says):
    """Would catch a trace, a second line, another exit code, and minutes of computing before the refusal."""
    ended = run("reproduce", *arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert says in ended.err
