"""Data frames and series as datasets: compared by label, given as they are declared, fresh for each release, and written down."""

import json

import numpy as np
import pandas as pd
import pytest

from banditproof.audits.data_forms import Columns, DataForm, in_form, records
from banditproof.audits.front_door import audit_gray_box, audit_privacy
from banditproof.audits.privacy.declared import related
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.subjects import SubjectRaised, adapt
from banditproof.guarantees import NeighbouringRelation
from banditproof.mechanism import Neighbours

BASE = pd.DataFrame({"x": [0.0] * 5, "y": [1.0] * 5})


def with_value(frame: pd.DataFrame, label: str, value: object) -> pd.DataFrame:
    """The frame with another value in its second row."""
    changed = frame.copy()
    changed.loc[1, label] = value
    return changed


def sum_of_x(data, rng):
    assert type(data) is pd.DataFrame
    assert list(data.columns) == ["x", "y"]
    return float(data["x"].sum()) + rng.laplace()


def annotated(data: pd.DataFrame, rng) -> float:
    return sum_of_x(data, rng)


def of_an_array(data: np.ndarray, rng) -> float:
    assert data.shape[1] == 2
    return float(data[:, 0].sum()) + rng.laplace()


def of_records(data: list[dict[str, float]], rng) -> float:
    return sum(record["x"] for record in data) + rng.laplace()


def black_box(subject, dataset, neighbour, **values):
    return audit_privacy(subject, epsilon=1, dataset=dataset, neighbour=neighbour, samples=2000, **values)


def gray_box(subject, dataset, neighbour):
    return audit_gray_box(subject, epsilon=1, dataset=dataset, neighbour=neighbour)


@pytest.mark.parametrize("audit", [black_box, gray_box])
@pytest.mark.parametrize("subject", [sum_of_x, annotated, of_an_array, of_records])
def test_frames_are_compared_by_label(audit, subject) -> None:
    """As it was found: exchanged labels were no difference, and a private sum was refuted; the same columns in another order were refused;
    an annotated frame was wrapped in a list."""
    neighbour = with_value(BASE, "x", 1.0)
    for other in (neighbour, neighbour[["y", "x"]], BASE.drop(1)):
        assert audit(subject, BASE, other).measured.verdict is not Verdict.REFUTED
    refuted = audit(subject, BASE, with_value(BASE, "x", 4.0)[["y", "x"]])
    assert refuted.measured.verdict is Verdict.REFUTED
    written = json.loads(json.dumps(refuted.to_json()))["witness"]
    assert written["neighbour"][1] == {"x": 4.0, "y": 1.0}
    with pytest.raises(ValueError, match="differ in more than one record"):
        audit(subject, BASE, BASE.rename(columns={"x": "y", "y": "x"}))


def test_frames_reach_a_child_process_and_declared_pairs() -> None:
    """Would catch columns that are lost on the way to the child, and pairs that are declared worst and compared by position."""
    neighbour = with_value(BASE, "x", 4.0)[["y", "x"]]
    assert black_box(sum_of_x, BASE, neighbour, timeout=60).measured.verdict is Verdict.REFUTED
    for declared in ({"worst": [(BASE, neighbour)]}, Neighbours(NeighbouringRelation.REPLACE_RECORD, worst=((BASE, neighbour),))):
        found = audit_privacy(sum_of_x, epsilon=1, neighbours=declared, samples=2000)
        assert found.measured.verdict is Verdict.REFUTED


def test_text_columns_and_object_arrays_are_records() -> None:
    """As it was found: `ufunc 'isnan' not supported`, for frames with text and for object arrays of text and numbers."""
    frame = BASE.assign(name=list("abcde"))
    black_box(lambda data, rng: float((data["name"] == "z").sum()) + rng.laplace(), frame, with_value(frame, "name", "z"))
    one, other = (np.array([("a", 1), (name, 2)], dtype=object) for name in "bc")
    black_box(lambda data, rng: rng.laplace(), one, other)
    Neighbours(NeighbouringRelation.REPLACE_RECORD).check(one, other)
    Neighbours(NeighbouringRelation.REPLACE_RECORD).check(one.astype(str), other.astype(str))
    missing = [{"x": float("nan")}, {"x": 1.0}]
    assert related(missing, [{"x": float("nan")}, {"x": 2.0}]) is NeighbouringRelation.REPLACE_RECORD


def test_a_frame_that_is_changed_in_place_is_noticed() -> None:
    """As it was found: what was given and what was kept were one object, and the caller's data were lost."""

    def changes(data, rng):
        data.loc[0, "x"] = 9.0
        return rng.laplace()

    frame = BASE.copy()
    with pytest.raises(ValueError, match="changes its data in place"):
        black_box(changes, frame, with_value(BASE, "x", 1.0))
    gray_box(changes, frame, with_value(BASE, "x", 1.0))
    pd.testing.assert_frame_equal(frame, BASE)


@pytest.mark.parametrize(
    ("dataset", "neighbour", "rule"),
    [
        (BASE, BASE.rename(columns={"x": "z"}), "dataset has the columns ['x', 'y'], neighbour ['z', 'y']: must have the same"),
        (BASE, BASE.set_axis(["x", "x"], axis=1), "column 'x' occurs more than once"),
        (BASE.set_index("x"), BASE.set_index("x"), "its index is [0.0, 0.0, 0.0]: must be row numbers without a name"),
        (BASE.set_axis(list("abcde")), BASE, "its index is ['a', 'b', 'c']: must be row numbers"),
        (BASE, [], "are of the types DataFrame and list: must be of one type"),
        (BASE["x"], BASE["y"], "dataset has the columns ['x'], neighbour ['y']"),
        (BASE.assign(y=pd.period_range("2020", periods=5)), BASE, "column 'y' holds Period('2020-01-01', 'D'), of type Period: must be"),
    ],
)
def test_frames_that_cannot_be_compared_are_refused(dataset, neighbour, rule: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        black_box(sum_of_x, dataset, neighbour)
    assert rule in str(caught.value)
    assert "\n" not in str(caught.value)


def test_each_release_gets_the_columns_and_dtypes_that_were_given() -> None:
    """Would catch whole numbers that come back as floats, dates as text, and an empty frame without its columns."""
    seen: list[pd.DataFrame] = []

    def spy(data, rng):
        seen.append(data)
        return rng.laplace()

    dates = pd.to_datetime(["2020-01-01", None])
    frame = pd.DataFrame(
        {
            "whole": [1, 2],
            "truth": [True, False],
            "missing": pd.array([1, None], dtype="Int64"),
            "date": dates,
            "zone": pd.to_datetime(["2020-01-01", None], utc=True),
            "kind": pd.Categorical(["a", "b"]),
            "text": ["u", None],
            "mixed": pd.Series([None, 1.0], dtype=object),
            "small": np.array([1, np.nan], dtype=np.float32),
        }
    )
    for dataset, neighbour in ((frame, with_value(frame, "whole", 3)), (frame.iloc[:1], frame.iloc[:0])):
        seen.clear()
        black_box(spy, dataset, neighbour)
        pd.testing.assert_frame_equal(seen[0], dataset)
        pd.testing.assert_frame_equal(seen[-1], neighbour)
    json.dumps(records(frame))
    labelled = pd.DataFrame({("a", 1): [0.0], ("b", 2): [1.0]})
    black_box(spy, labelled, labelled.iloc[:0])
    pd.testing.assert_frame_equal(seen[-1], labelled.iloc[:0])


def test_series_keep_name_and_dtype() -> None:
    """Would catch a series that arrives as a list, or an empty one of another dtype."""

    def spy(data, rng):
        assert type(data) is pd.Series
        assert (data.name, data.dtype) == ("whole", np.dtype(int))
        return float(data.sum()) + rng.laplace()

    def framed(data: pd.DataFrame, rng) -> float:
        return spy(data["whole"], rng)

    series = pd.Series([1], name="whole")
    for subject in (spy, framed):
        assert black_box(subject, series, series.iloc[:0]).measured.verdict is not Verdict.REFUTED


def test_records_without_any_keep_the_columns_of_the_neighbour() -> None:
    """As it was found: `[]` was a frame without columns, and a mechanism that names one raised KeyError."""

    def count(data: pd.DataFrame, rng) -> float:
        return float(data["x"].sum()) + rng.laplace()

    for pair in (([{"x": 0}], []), ([], [{"x": 0}])):
        assert black_box(count, *pair).measured.verdict is not Verdict.REFUTED
    columns = adapt(count, examples=([{"x": 0}], [{"x": 0.5}, {"y": "a"}])).columns
    assert columns is not None
    assert list(columns.labels) == ["x", "y"]
    assert in_form([{"x": 0}], DataForm.FRAME, columns)["x"].dtype == float


@pytest.mark.parametrize(
    ("data", "form", "rule"),
    [
        ({"x": 0}, DataForm.FRAME, "dataset = {'x': 0}: cannot be given as a data frame: must be a list of records, as [{'x': 0}]"),
        ({"x": [0, 1]}, DataForm.ARRAY, "dataset = {'x': [0, 1]}: cannot be given as an array: must be numbers, or rows of one length"),
        ([[1], [1, 2]], DataForm.ARRAY, "dataset = [[1], [1, 2]]: cannot be given as an array: must be numbers, or rows of one length"),
        ([{"x": 0}, 3], DataForm.FRAME, "dataset = [{'x': 0}, 3]: cannot be given as a data frame"),
        ([{"x": 0}, 3], DataForm.SERIES, "dataset = [{'x': 0}, 3]: cannot be given as a series"),
    ],
)
def test_data_without_the_form_are_named(data, form: DataForm, rule: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        in_form(data, form)
    assert str(caught.value).startswith(rule)


def test_columns_that_no_dataset_had_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be given as a data frame"):
        in_form([{"z": 0}], DataForm.FRAME, Columns(pd.Index(["x"]), (np.dtype(float),)))
    with pytest.raises(ValueError, match="cannot be given as a series"):
        in_form([{"x": 0, "y": 1}], DataForm.SERIES, Columns(pd.Index(["x", "y"]), (np.dtype(float),) * 2))


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (
            {"X": np.zeros((3, 2)), "y": np.zeros(3)},
            "convert each, as np.asarray(data['X']); for labelled records give a list of dictionaries",
        ),
        ((np.zeros((3, 2)), np.zeros(3)), "convert each, as np.asarray(data[0]); for labelled records give a list of dictionaries"),
        (np.zeros(3), "annotate the parameter, as `data: np.ndarray`, or convert them, as np.asarray(data); on the command line also"),
    ],
)
def test_what_to_do_with_a_list_is_true_of_the_data(data, wanted: str) -> None:
    """As it was found: advice to annotate a dictionary as an array, and an option of the command line for a caller in Python."""
    key = "X" if isinstance(data, dict) else 0

    def wants_an_array(data, rng):
        return (data[key] if len(data) == 2 else data).sum()

    with pytest.raises(SubjectRaised, match="'list' object has no attribute 'sum'") as caught:
        adapt(wants_an_array).release(data, 1, np.random.default_rng(1))
    assert wanted in str(caught.value)
