"""Outputs from files: the same numbers from each format, and one line on a file that lies, that is ragged, or that would be rounded."""

import io
import os
import pickle
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from banditproof.audits.privacy import stored
from banditproof.audits.privacy.stored import read_columns, read_outputs, read_pair

BEYOND = 2**53 + 1
NOT_EXACT = "is not exact as a float, which holds whole numbers up to 2^53 = 9007199254740992; store it in parts"


def test_the_same_numbers_come_from_each_format(tmp_path: Path, rng) -> None:
    """Would catch Fortran order read as C order, a header taken for a row, and digits lost in text."""
    outputs = rng.normal(size=(300, 3))
    np.save(tmp_path / "a.npy", outputs)
    np.save(tmp_path / "f.npy", np.asfortranarray(outputs))
    frame = pd.DataFrame(outputs, columns=["x", "y", "z"])
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_csv(tmp_path / "b.csv", index=False, header=False)
    frame.to_parquet(tmp_path / "a.parquet")
    for name in ("a.npy", "f.npy", "a.csv", "b.csv", "a.parquet"):
        assert np.array_equal(read_outputs(str(tmp_path / name)), outputs), name
    frame[["x"]].to_csv(tmp_path / "one.csv", index=False)
    assert np.array_equal(read_outputs(str(tmp_path / "one.csv")), outputs[:, 0])


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_columns_of_the_neighbour_come_in_the_order_of_the_dataset(tmp_path: Path, rng, kind: str) -> None:
    """Would catch columns that are compared by their place: x with y, which refutes a true claim."""
    frame = pd.DataFrame(rng.normal(size=(30, 3)), columns=["x", "y", "z"])

    def written(table: pd.DataFrame, name: str, **options: bool) -> str:
        path = str(tmp_path / f"{name}.{kind}")
        table.to_csv(path, index=False, **options) if kind == "csv" else table.to_parquet(path)
        return path

    one, other = written(frame, "a"), written(frame[["z", "x", "y"]], "b")
    pair = read_pair(one, other)
    assert np.array_equal(pair[0], frame) and np.array_equal(pair[1], frame)
    np.save(tmp_path / "c.npy", frame)
    unnamed = [str(tmp_path / "c.npy")] + ([written(frame, "d", header=False)] if kind == "csv" else [])
    for path in unnamed:  # what has no names is compared by place
        found = read_pair(other, path)
        assert np.array_equal(found[0], frame[["z", "x", "y"]]) and np.array_equal(found[1], frame)
    for columns in (["x", "y", "w"], ["x"], ["x", "y"]):
        wrong = written(frame.rename(columns={"z": "w"})[columns], "e")
        with pytest.raises(ValueError) as caught:
            read_pair(one, wrong)
        said = f"columns x, y, z and columns {', '.join(columns)}: must have the same names"
        assert str(caught.value) == f"files {one!r} and {wrong!r}: {said}"


def test_a_name_that_comes_twice_says_no_order(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,x,y\n1,2,3\n")
    (tmp_path / "b.csv").write_text("x,y,x\n1,3,2\n")
    (tmp_path / "title.csv").write_text("of the dataset\n1,2,3\n")
    one, other, title = (str(tmp_path / name) for name in ("a.csv", "b.csv", "title.csv"))
    assert [part.tolist() for part in read_pair(one, one)] == [[[1.0, 2.0, 3.0]]] * 2
    with pytest.raises(ValueError, match="columns x, x, y and columns x, y, x: must have the same names"):
        read_pair(one, other)
    assert read_columns(title).names is None and read_pair(one, title)[1].tolist() == [[1.0, 2.0, 3.0]]


def npy(shape: str, descr: str = "'<f8'", data: bytes = bytes(160), order: str = "False") -> bytes:
    """A .npy file with a header that says what it likes."""
    header = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def saved(array: np.ndarray) -> bytes:
    kept = io.BytesIO()
    np.save(kept, array)
    return kept.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("lies.npy", npy("(90000000000,)"), "90,000,000,000 rows of 1: must be at most 100,000,000 numbers in all"),
        ("lies.npy", npy("(9, 10**12)"), "is not a .npy file of numbers: its header cannot be read"),
        ("cut.npy", npy("(1000,)"), "its header says 1,000 rows, 8,000 bytes, but 160 bytes follow: it is damaged"),
        ("more.npy", npy("(3,)"), "its header says 3 rows, 24 bytes, but 160 bytes follow: it is damaged"),
        ("negative.npy", npy("(-1,)"), "shape (-1,): must be (n,) or (n, width), one row per output"),
        ("record.npy", npy("(10,)", "[('x', '<f8'), ('y', '<f8')]"), "must hold one array of numbers (numpy.save)"),
        ("date.npy", npy("(20,)", "'<M8[s]'"), "must hold one array of numbers (numpy.save)"),
        ("header.npy", b"\x93NUMPY\x01\x00\xff\xff{", "is not a .npy file of numbers: its header cannot be read"),
        ("integer.npy", saved(np.array([1, BEYOND])), f"{BEYOND} (row 2): {NOT_EXACT}"),
        ("unsigned.npy", saved(np.array([[0, 1], [2, 2**64 - 1]], dtype=np.uint64)), f"{2**64 - 1} (row 2): {NOT_EXACT}"),
        ("a.npz", b"PK\x03\x04" + bytes(60), "is an archive (.npz?): save one array, with numpy.save"),
        ("a.pkl", pickle.dumps([1.0]), "must be a .npy, .csv or .parquet file"),
        ("ragged.csv", b"1,2\n3,4\n5\n", "line 3 has 1 fields, others have 2: must be (n,) or (n, width), one row per output"),
        ("text.csv", b"x,y\n1,2\n3,many\n", "line 3: 'many' is no number; must be numbers, one row per output"),
        ("missing.csv", b"x,y\n1,2\n3,\n", "line 3: is missing; must be numbers, one row per output"),
        ("not_known.csv", b"1\nNA\n", "line 2: 'NA' is no number; must be numbers, one row per output"),
        ("digits.csv", "1\n\uff11\n".encode(), "line 2: '\uff11' is no number; must be numbers, one row per output"),
        ("large.csv", f"1\n{2**60 + 1}\n".encode(), f"{2**60 + 1} (row 2): {NOT_EXACT}"),
        ("endless.csv", b"1\n" + b"9" * 5000, f"{'9' * 37}... (row 2): {NOT_EXACT}"),
        ("range.csv", b"1e999\n", f"1e999 (row 1): {NOT_EXACT}"),
        ("quote.csv", b'"1\n2\n', "is not CSV (unexpected end of data)"),
        ("bytes.csv", b"1\n\xff\xfe\n", "is not CSV (it is not UTF-8 text)"),
        ("empty.csv", b"", "holds no numbers: must be (n,) or (n, width), one row per output"),
        ("index.csv", b",x\n0,1.5\n", "its first column has no name, as the row numbers that pandas adds: write it with index=False"),
        ("text.parquet", b"abc", "is not a Parquet file"),
    ],
)
def test_a_file_that_is_not_numbers_or_lies_is_refused_in_one_line(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    """Would catch memory taken on the word of a header, a row filled up, and an integer that was rounded on the way."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError) as caught:
        read_outputs(str(path))
    assert str(caught.value) == f"file {str(path)!r}: {message}"


def test_whole_numbers_that_a_float_holds_are_kept(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([2**60, -(2**53), 3]))
    (tmp_path / "a.csv").write_text(f"{2**60}\n{-(2**53)}\n3\n")
    for name in ("a.npy", "a.csv"):
        assert read_outputs(str(tmp_path / name)).tolist() == [2.0**60, -(2.0**53), 3.0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"x": [1.0, None]}, "a number is missing"),
        ({"x": [1, BEYOND]}, f"{BEYOND} (row 2): {NOT_EXACT}"),
        ({"x": ["a", "b"]}, "column 'x' is of type "),
        ({"x": []}, "column 'x' is of type null"),
    ],
)
def test_parquet_that_is_not_numbers_is_refused(tmp_path: Path, columns: dict, message: str) -> None:
    from pyarrow import Table, parquet

    path = str(tmp_path / "a.parquet")
    parquet.write_table(Table.from_pydict(columns), path)
    with pytest.raises(ValueError) as caught:
        read_outputs(path)
    assert message in str(caught.value)


def test_damaged_parquet_and_an_index_of_pandas_are_refused(tmp_path: Path, rng) -> None:
    path = tmp_path / "a.parquet"
    pd.DataFrame({"x": rng.normal(size=3)}, index=[5, 6, 9]).to_parquet(path)
    with pytest.raises(ValueError, match=r"column '__index_level_0__' holds the row numbers that pandas adds"):
        read_outputs(str(path))
    path.write_bytes(path.read_bytes()[:-20] + b"x" * 16 + b"PAR1")
    with pytest.raises(ValueError, match=r"a.parquet': (is no Parquet file that can be read|cannot be read)"):
        read_outputs(str(path))


def test_without_pyarrow_one_line_says_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + bytes(20))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"^reading Parquet needs pyarrow: pip install 'banditproof\[parquet\]'$"):
        read_outputs(str(tmp_path / "a.parquet"))


def test_a_long_csv_is_bounded_while_it_is_read_and_a_pipe_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "MOST", 100)
    monkeypatch.setattr(stored, "_ROWS_AT_ONCE", 20)
    (tmp_path / "a.csv").write_text("1,2\n" * 60)
    with pytest.raises(ValueError, match=r"60 rows of 2: must be at most 100 numbers in all"):
        read_outputs(str(tmp_path / "a.csv"))
    os.mkfifo(tmp_path / "b.npy")
    with pytest.raises(ValueError, match="is no regular file"):
        read_outputs(str(tmp_path / "b.npy"))
