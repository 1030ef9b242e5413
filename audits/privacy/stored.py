"""Outputs that were stored elsewhere, read from a file: an array of NumPy (.npy), CSV, or Parquet.

Nothing is unpickled. What a file says of its own size is compared with the file before an array is made, and a number that a float does not
hold exactly is refused by name: rounding would make equal what differs.
"""

import csv
import itertools
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from banditproof.interaction import Floats

if TYPE_CHECKING:
    import pyarrow.parquet as parquet

MOST = 100_000_000  # numbers per file, 0.8 GB as floats
KINDS = ".npy, .csv or .parquet"
_ROWS = "must be (n,) or (n, width), one row per output"
_ROWS_AT_ONCE = 50_000
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?inf(inity)?|[+-]?nan", re.IGNORECASE)


class Columns(NamedTuple):
    """The outputs in a file, (n,) or (n, width), and the names of its columns where it has any."""

    outputs: Floats
    names: tuple[str, ...] | None = None


def read_outputs(path: str) -> Floats:
    """The outputs in a file, (n,) or (n, width). Raises as `read_columns` does."""
    return read_columns(path).outputs


def read_pair(dataset: str, neighbour: str) -> tuple[Floats, Floats]:
    """The outputs in two files; where both name several columns, those of the neighbour in the order of the dataset's. Raises ValueError
    where the names differ, and as `read_columns` does."""
    one, other = read_columns(dataset), read_columns(neighbour)
    if one.names is None or other.names is None or one.names == other.names or len(one.names) == len(other.names) == 1:
        return one.outputs, other.outputs
    if set(one.names) != set(other.names) or len(set(one.names)) < len(one.names) or len(one.names) != len(other.names):
        said = [_shortened(", ".join(names)) for names in (one.names, other.names)]
        raise ValueError(f"files {dataset!r} and {neighbour!r}: columns {said[0]} and columns {said[1]}: must have the same names")
    return one.outputs, other.outputs[:, [other.names.index(name) for name in one.names]]


def read_columns(path: str) -> Columns:
    """The outputs in a file, and the names of its columns. Raises ValueError, naming the file and the rule, on anything else; ImportError,
    with how to install it, where pyarrow is missing for Parquet."""
    try:
        return _read(path)
    except OSError as error:
        raise ValueError(f"file {path!r}: cannot be read ({os.strerror(error.errno) if error.errno else 'it is damaged'})") from None
    except ValueError as error:
        raise ValueError(f"file {path!r}: {error}") from None
    except MemoryError:
        raise ValueError(f"file {path!r}: there is not enough memory for so many numbers") from None


def _read(path: str) -> Columns:
    if Path(path).exists() and not (Path(path).is_file() or Path(path).is_dir()):  # a pipe would be waited for, and a device has no end
        raise ValueError("is no regular file")
    with open(path, "rb") as file:
        start = file.read(8)
        file.seek(0)
        if start.startswith(b"\x93NUMPY"):
            return Columns(_array(file))
        if start.startswith(b"PAR1"):
            return _parquet(file)
    if Path(path).suffix.lower() == ".csv":
        return _csv(path)
    if Path(path).suffix.lower() == ".parquet":
        raise ValueError("is not a Parquet file")
    if start.startswith(b"PK"):
        raise ValueError("is an archive (.npz?): save one array, with numpy.save")
    raise ValueError("is not a .npy file of numbers" if path.endswith(".npy") else f"must be a {KINDS} file")


def _require_size(rows: int, width: int) -> None:
    if rows * width > MOST:
        raise ValueError(f"{rows:,} rows of {width:,}: must be at most {MOST:,} numbers in all")


# --- .npy ----------------------------------------------------------------------------------------------------------------------------


def _array(file: BinaryIO) -> Floats:
    shape, dtype = _header(file)
    if dtype.hasobject:
        raise ValueError("is not a .npy file of numbers")  # objects are pickled, and pickles are never read
    if dtype.kind not in "biuf":
        raise ValueError("must hold one array of numbers (numpy.save)")
    if len(shape) not in (1, 2) or 0 in shape:
        raise ValueError(f"shape {shape}: {_ROWS}")
    _require_size(shape[0], shape[1] if len(shape) == 2 else 1)
    needed, held = int(np.prod(shape, dtype=object)) * dtype.itemsize, os.fstat(file.fileno()).st_size - file.tell()
    if needed != held:
        raise ValueError(f"its header says {shape[0]:,} rows, {needed:,} bytes, but {held:,} bytes follow: it is damaged")
    file.seek(0)
    return _exact(np.lib.format.read_array(file, allow_pickle=False))


def _header(file: BinaryIO) -> tuple[tuple[int, ...], "np.dtype[Any]"]:
    try:
        match np.lib.format.read_magic(file):
            case (1, 0):
                shape, _, dtype = np.lib.format.read_array_header_1_0(file)
            case (2 | 3, 0):
                shape, _, dtype = np.lib.format.read_array_header_2_0(file)
            case version:
                raise ValueError(f"version {version}: is none of the .npy format")
    except Exception:  # a header is evaluated as a Python literal, and a damaged one can raise whatever ast and numpy raise
        raise ValueError("is not a .npy file of numbers: its header cannot be read") from None
    if not all(isinstance(size, int) and size >= 0 for size in shape):
        raise ValueError(f"shape {shape}: {_ROWS}")
    return shape, dtype


def _exact(array: "np.ndarray[Any, Any]") -> Floats:
    """As floats. Raises ValueError, naming the first, on a number that a float does not hold exactly."""
    floats: Floats = np.ascontiguousarray(array, dtype=float) if array.dtype != np.longdouble else array.astype(float)
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8:
        beyond = np.flatnonzero(abs(floats) >= 2.0**53)  # where rounding begins
        values: Iterable[Any] = (int(value) for value in array.reshape(-1)[beyond])
        wrong = next((place for place, value in zip(beyond, values, strict=True) if int(floats.flat[place]) != value), None)
    elif array.dtype.kind == "f" and array.dtype.itemsize > 8:
        wrong = next(iter(np.flatnonzero((floats != array) & ~np.isnan(array))), None)
    else:
        wrong = None
    if wrong is not None:
        width = 1 if array.ndim == 1 else array.shape[1]
        raise ValueError(_rounded(str(array.reshape(-1)[wrong]), int(wrong) // width + 1))
    return floats


def _rounded(value: str, row: int) -> str:
    rule = "is not exact as a float, which holds whole numbers up to 2^53 = 9007199254740992; store it in parts"
    return f"{_shortened(value)} (row {row:,}): {rule}"


def _shortened(value: str) -> str:
    return value if len(value) <= 40 else f"{value[:37]}..."


# --- CSV -----------------------------------------------------------------------------------------------------------------------------


def _csv(path: str) -> Columns:
    """Rows of numbers between commas. A first row without any number is a header."""
    parts: list[Floats] = []
    with open(path, encoding="utf-8-sig", newline="") as file:
        try:
            reader = csv.reader(file, strict=True)
            names, rows = _after_header((reader.line_num, row) for row in reader if row)
            width = 0
            while block := list(itertools.islice(rows, _ROWS_AT_ONCE)):
                width = width or len(block[0][1])
                parts.append(_numbers(block, width))
                _require_size(sum(map(len, parts)), width)
        except csv.Error as error:
            raise ValueError(f"is not CSV ({error})") from None
        except UnicodeDecodeError:
            raise ValueError("is not CSV (it is not UTF-8 text)") from None
    if not parts:
        raise ValueError(f"holds no numbers: {_ROWS}")
    found = np.concatenate(parts)
    return Columns(found[:, 0] if width == 1 else found, names if names is not None and len(names) == width else None)


def _after_header(rows: Iterator[tuple[int, list[str]]]) -> tuple[tuple[str, ...] | None, Iterator[tuple[int, list[str]]]]:
    """The names in the first row, if it is a header, and the rows of numbers."""
    first = next(rows, None)
    if first is None:
        return None, rows
    names = [field.strip() for field in first[1]]
    if len(names) > 1 and not names[0]:
        raise ValueError("its first column has no name, as the row numbers that pandas adds: write it with index=False")
    header = not any(_NUMBER.fullmatch(name) for name in names)
    return (tuple(names), rows) if header else (None, itertools.chain([first], rows))


def _numbers(block: list[tuple[int, list[str]]], width: int) -> Floats:
    ragged = next(((line, row) for line, row in block if len(row) != width), None)
    if ragged is not None:
        raise ValueError(f"line {ragged[0]:,} has {len(ragged[1]):,} fields, others have {width:,}: {_ROWS}")
    found = np.empty((len(block), width))
    for place, (line, row) in enumerate(block):
        for column, field in enumerate(row):
            found[place, column] = _number(field.strip(), line)
    return found


def _number(field: str, line: int) -> float:
    """The float of a field. Decimal fractions are rounded as Python rounds them; whole numbers are not."""
    if not _NUMBER.fullmatch(field):
        said = "is missing" if not field else f"{field[:40]!r} is no number"
        raise ValueError(f"line {line:,}: {said}; must be numbers, one row per output")
    value = float(field)
    whole = _WHOLE.fullmatch(field) and len(field) > 15
    if (whole and (len(field) > 400 or int(field) != value)) or (value in (np.inf, -np.inf) and "i" not in field.lower()):
        raise ValueError(_rounded(field, line))
    return value


# --- Parquet -------------------------------------------------------------------------------------------------------------------------


def _parquet(file: BinaryIO) -> Columns:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError:
        raise ImportError("reading Parquet needs pyarrow: pip install 'banditproof[parquet]'") from None
    try:
        table = parquet.ParquetFile(file)
        _require_columns(table)
        return Columns(_columns(table), tuple(column.name.strip() for column in table.schema_arrow))
    except arrow.ArrowException as error:
        raise ValueError(f"is no Parquet file that can be read ({' '.join(str(error).split())[:120]})") from None


def _require_columns(table: "parquet.ParquetFile") -> None:
    from pyarrow import types

    for column in table.schema_arrow:
        if column.name.startswith("__index_level_"):
            raise ValueError(f"column {column.name!r} holds the row numbers that pandas adds: write it with index=False")
        if not (types.is_integer(column.type) or types.is_floating(column.type) or types.is_boolean(column.type)):
            raise ValueError(f"column {column.name!r} is of type {column.type}: must be numbers")
    rows, width = table.metadata.num_rows, len(table.schema_arrow)
    if rows < 1 or width < 1:
        raise ValueError(f"shape {(rows, width)}: {_ROWS}")
    _require_size(rows, width)


def _columns(table: "parquet.ParquetFile") -> Floats:
    found = []
    for column in table.read(use_threads=False).itercolumns():
        if column.null_count:
            raise ValueError("a number is missing; must be numbers, one row per output")
        found.append(_exact(column.to_numpy()))
    if len({len(column) for column in found}) != 1 or len(found[0]) != table.metadata.num_rows:
        raise ValueError("its columns have other lengths than its header says: it is damaged")
    return found[0] if len(found) == 1 else np.column_stack(found)
