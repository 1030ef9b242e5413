"""`banditproof export`, the same options of verify, and `bp.read_record`: what is kept can be read by pandas, xarray and ArviZ."""

import json
import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import banditproof as bp
from banditproof.audits.reporting.older import upgraded
from banditproof.audits.running.report import AuditResult, Report

from .conftest import Run

RECORD = Path(__file__).parents[1] / "reporting/records/verify_2.json"
AUDIT = "kairouz_2014.randomised_response_keep/privacy.eps2_categories3"


def test_verify_keeps_draws_that_arviz_opens_and_export_gives_the_same(run: Run, tmp_path: Path) -> None:
    """Would catch draws of another posterior than the one in the record, draws that nobody asked for, and times inside the files."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # arviz 0.23 announces its successor at import
        import arviz as az
    ended = run("verify", AUDIT, "--jobs", "1", "--json", "r.json", "--netcdf", "nc", "--keep-draws", "--frame", "r.parquet")
    assert ended.code == 0
    assert ended.err.splitlines()[-2:] == ["1 row written to r.parquet", "1 file written to nc"]
    kept = tmp_path / "nc" / f"{AUDIT}.nc"
    model = json.loads(Path("r.json").read_text())["results"][0]["detail"]["model"]
    posterior = az.from_netcdf(str(kept)).posterior
    assert posterior["epsilon"].dims == ("chain", "draw") and posterior["epsilon"].attrs["units"] == "nats"
    assert posterior.attrs["audit"] == AUDIT
    assert float(posterior["epsilon"].mean()) == pytest.approx(model["mean"], rel=1e-12)
    tree = xr.open_datatree(kept)
    assert tree["sample_stats"]["diverging"].sum() == model["divergences"]
    assert not [name for name in tree["sample_stats"].data_vars if "perf_counter" in name or "process_time" in name]
    root = xr.open_dataset(kept)
    assert float(root["model_mean"]) == model["mean"]
    assert pd.read_parquet("r.parquet")["audit"].tolist() == [AUDIT]

    assert run("export", "r.json", "--netcdf", "again", "--keep-draws").code == 0
    assert xr.open_datatree(tmp_path / "again" / f"{AUDIT}.nc").identical(tree)
    assert run("export", "r.json", "--netcdf", "plain").code == 0
    assert xr.open_datatree(tmp_path / "plain" / f"{AUDIT}.nc").groups == ("/",)
    assert az.from_netcdf(str(tmp_path / "plain" / f"{AUDIT}.nc")).groups() == []

    record = json.loads(Path("r.json").read_text())
    record["results"][0]["detail"]["model"]["mean"] += 1e-9
    Path("other.json").write_text(json.dumps(record))
    ended = run("export", "other.json", "--netcdf", "other", "--keep-draws")
    assert ended.err.startswith(f"Error: {AUDIT}: its posterior, sampled again, has mean ") and ended.code == 2


def test_a_kept_record_is_a_report_again(run: Run) -> None:
    """Would catch a number lost on the way, and statements that nothing can check counted as audits."""
    with pytest.warns(DeprecationWarning, match="has the schema banditproof/verify/2"):
        report = bp.read_record(RECORD)
    assert isinstance(report, Report)
    plain = json.loads(RECORD.read_text())
    frame = report.to_frame()
    audited = [result for result in plain["results"] if result["audit"] != result["theorem"]]
    assert frame["audit"].tolist() == [result["audit"] for result in audited]
    assert report.settings.seed == plain["seed"]
    assert np.array_equal(frame["samples"], [result["samples"] for result in audited])
    run("export", str(RECORD), "--frame", "r.csv")
    read = pd.read_csv("r.csv")
    assert read["verdict"].tolist() == frame["verdict"].tolist()
    Path("r.json").write_text(json.dumps(upgraded(plain)))
    seconds = {audited[0]["audit"]: 1.5}
    Path("r.json.times.json").write_text(json.dumps({"schema": "banditproof/times/1", "jobs": 1, "seconds": seconds, "traces": {}}))
    assert bp.read_record("r.json").to_frame()["seconds"].tolist()[0] == 1.5
    Path("one.json").write_text(json.dumps(report.results[0].to_json()))
    assert isinstance(bp.read_record("one.json"), AuditResult)


def test_seeds_that_no_column_holds_are_written_as_text(run: Run) -> None:
    """Would catch a run whose table fails at its end, since Parquet has no integers of so many bits."""
    with pytest.warns(DeprecationWarning, match="has the schema"):
        one = bp.read_record(RECORD).results[0]
    for name, seed in (("long", 10**30), ("short", 17)):
        Path(f"{name}.json").write_text(json.dumps(replace(one, seed=seed).to_json()))
        assert run("export", f"{name}.json", "--frame", f"{name}.parquet").code == 0
    assert pd.read_parquet("long.parquet")["seed"].tolist() == [str(10**30)]
    assert pd.read_parquet("short.parquet")["seed"].tolist() == [17]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((str(RECORD),), "frame, netcdf: give one of --frame FILE and --netcdf FOLDER, or both"),
        ((str(RECORD), "--frame", "a.xls"), "frame = a.xls: must end in .csv or .parquet"),
        ((str(RECORD), "--frame", "/nope/a.csv"), "frame = /nope/a.csv: cannot be written (No such file or directory)"),
        ((str(RECORD), "--netcdf", "full/x"), "netcdf = full/x: no folder can be made there (Not a directory)"),
        ((str(RECORD), "--frame", "a.csv", "--keep-draws"), "keep_draws: draws are written with --netcdf FOLDER"),
        (("full", "--frame", "a.csv"), "file 'full': is not JSON (Expecting value at line 1)"),
        (("none.json", "--frame", "a.csv"), "file 'none.json': cannot be read (No such file or directory)"),
        (("list.json", "--frame", "a.csv"), "file 'list.json': is no record (no JSON object)"),
    ],
)
def test_what_cannot_be_exported_is_refused_before_anything_is_written(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "full").write_text("")
    (tmp_path / "list.json").write_text("[]")
    ended = run("export", *arguments)
    assert (ended.err, ended.code) == (f"Error: {message}\n", 2)
    assert sorted(os.listdir(tmp_path)) == ["full", "list.json"]
