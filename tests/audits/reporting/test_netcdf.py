"""Results as netCDF: what xarray and ArviZ read is what the record says, with units, curves and draws."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from banditproof.audits.methods.growth import GrowthWitness
from banditproof.audits.reporting.netcdf import dataset, write_netcdf
from banditproof.audits.running.report import AuditResult
from banditproof.audits.statistics.evidence import Measurement, Verdict

RESULT = AuditResult(
    audit="chan_2011.counter_error/growth.horizon",
    theorem="chan_2011.counter_error",
    label="A tree, horizon 16 to 1024",
    measured=Measurement(
        Verdict.RATE_ONLY,
        quantity="epsilon",
        claimed=2.5,
        low=float("-inf"),
        samples=400,
        witness=GrowthWitness(16, 1024, 0.9, 2.3, 2.5),
        detail={
            "slack": 1.5,
            "at_first": [1.0, 2.0, 3.0],
            "at_last": [4.0, 5.0, 6.0],
            "ends": {"horizon high": {"argument": "bounded", "points": [[4, 0.5], [16, "inf"]]}},
            "ones": [1, 2],
            "held": "many",
            "right": True,
            "certificate": {"claim": 1},
        },
        message="a sentence",
    ),
    seed=2**70,
    versions={"numpy": "2.4.6"},
)


def test_numbers_curves_and_words_of_a_record_have_their_places(tmp_path: Path) -> None:
    """Would catch a curve without its axis, a number that lost its unit, an infinity that became text, and a seed cut to 64 bits."""
    (path,) = write_netcdf([RESULT], tmp_path)
    assert path == tmp_path / "chan_2011.counter_error" / "growth.horizon.nc"
    found = xr.open_dataset(path)
    assert found.attrs["seed"] == str(2**70)
    assert json.loads(found.attrs["versions"]) == {"numpy": "2.4.6"}
    assert json.loads(found.attrs["detail"]) == {"ends_horizon_high_argument": "bounded", "held": "many", "right": True}
    assert (float(found["claimed"]), found["claimed"].attrs["units"], found["samples"].attrs["units"]) == (2.5, "nats", "1")
    assert float(found["low"]) == -np.inf and "high" not in found
    assert found["quantile"].sel(end=1024, bound="high") == 6.0
    assert found["ends_horizon_high_points"].sel(ends_horizon_high_points_at=16) == np.inf
    assert found["ones"].dims == ("ones_place",)
    assert not {"at_first", "certificate_claim", "right"} & set(found.variables)


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    """Would catch a time of writing inside, and the groups of an older file that stay."""
    (path,) = write_netcdf([RESULT], tmp_path)
    with xr.open_datatree(path) as tree:
        before = tree.load()
    xr.Dataset({"old": 1}).to_netcdf(path, mode="a", group="old", engine="h5netcdf")
    write_netcdf([RESULT], tmp_path)
    assert xr.open_datatree(path).identical(before)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("id", ["../a/b", "a/../b", "user:x.py:f", "/a/b", "a/b/c", "a"])
def test_an_id_that_would_leave_the_folder_is_refused(tmp_path: Path, id: str) -> None:
    """Would catch a record of somebody else's that writes where it likes."""
    with pytest.raises(ValueError, match="is no id of a registered audit, and names no file"):
        write_netcdf([replace(RESULT, audit=id)], tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_quantity_without_unit_is_a_pure_number() -> None:
    unknown = replace(RESULT, measured=replace(RESULT.measured, quantity="rank of V_1", witness=None))
    found = dataset(unknown)
    assert found["claimed"].attrs["units"] == "1"
    assert found["at_first"].dims == ("at_first_place",)
