"""`banditproof compare estimators`: the table, the record, the picture, and bad input."""

import json

import jsonschema
import pytest

from .conftest import SCHEMA, Run

SMALL = ("compare", "estimators", "--arms", "4", "--dimension", "2", "--samples", "200", "--level", "quick", "--runs", "100")


def test_a_comparison_prints_a_conclusion_and_writes_its_record_and_picture(run: Run, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Would catch a table without a conclusion, assumptions that are kept secret, and a record that its schema does not describe."""
    ended = run(*SMALL, "--json", "found.json", "--picture", "found.svg")
    assert (ended.code, ended.err) == (0, "")
    for part in ("filter-printed", "least-squares", "(grows)", "is told", "assumed", "theta*", "\nTake "):
        assert part in ended.out
    record = json.loads((tmp_path / "found.json").read_text())
    jsonschema.validate(record, SCHEMA)
    assert record["schema"] == "banditproof/compare/1"
    assert " ".join(ended.out.split()).endswith(record["conclusion"])
    assert record["take"] == record["estimators"][0]["name"] and len(record["estimators"]) == 7
    # The printed lambda removes nothing: the filter is least squares (its errors may differ by rounding).
    sides = {each["name"]: each["worst"]["quantile"] for each in record["estimators"]}
    assert sides["filter-printed"] == pytest.approx(sides["least-squares"], rel=1e-6)
    assert (tmp_path / "found.svg").read_text().count("least-squares") >= 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--corruption", "0.5"), "corruption = 0.5: must be > 0 and < 0.5 (alpha: fraction of corrupted reports)"),
        (("--corruption", "0"), "corruption = 0: must be > 0 and < 0.5"),
        (("--arms", "1"), "arms = 1: must be an integer >= 2"),
        (("--arms", "3", "--dimension", "4"), "arms = 3: must be >= dimension = 4 (arms that span R^d)"),
        (("--samples", "5"), "samples = 5: must be >= "),
        (("--epsilon", "0"), "epsilon = 0: must be > 0"),
        (("--runs", "20"), "runs = 20: must be >= "),
        (("--positions", "chosn"), "positions = 'chosn': must be one of random, chosen; nearest: chosen"),
        (("--picture", "errors.pdf"), "picture = errors.pdf: must end in .png or .svg"),
        (("--picture", "nowhere/errors.png"), "picture = nowhere/errors.png: cannot be written"),
        (("--json", "nowhere/errors.json"), "json = nowhere/errors.json: cannot be written"),
    ],
)
def test_bad_input_is_one_line(run: Run, options: tuple[str, ...], message: str) -> None:
    ended = run("compare", "estimators", *options)
    assert ended.code == 2 and ended.out == ""
    assert ended.err.startswith("Error: ") and message in ended.err and ended.err.count("\n") == 1
