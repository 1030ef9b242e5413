"""Outputs of any kind as rows of floats, without loss: two outputs have one row exactly where they hold the same values in one structure.

    encoded        one output, shape (w,)
    stacked        the outputs of several runs, shape (n, w)
    matrix         what a vectorised release returned for several runs, shape (n, w)

The row of an output depends on that output alone, not on others, on their order or on a table that grows: so a row is a post-processing,
and no event gains by it.

- Numbers are columns, by their value: True, 1 and 1.0 are the same output, and so are -0.0 and 0.0 (the sign of a zero, like the last
  bits of a number, is no output unless `float_bits` asks for it). NaN and infinities are outputs like others.
- A whole number that no float equals (beyond 2 ** 53) is rounded in its column, and what the rounding took off follows behind all
  columns, after the code REST: once more rounded where one float does not hold that either.
- Text, bytes, None and other constants are categories: a code, which is a hash of the value, among numbers that no mechanism means. Text
  that holds a number is a category too, so that outputs which never repeat are seen only as equal or not (`judgement`).
- A flat sequence is its parts: 1.0, [1.0], (1.0,) and an array or a series of it are the same output. What is nested otherwise begins with
  the code of its structure: lengths, keys and their order, labels and names.
- Numbers among the members of a set (sorted), the keys of a dictionary and the labels of pandas are columns; a date, a time and a duration
  is the code of its kind and numbers.
- A table of a vectorised release is a row per run: the code of its columns' names where they have any, the row's label, its cells. The
  names must not depend on the draws, since they are the same for all runs of a call.

What has no such form (an object of the user's own class, a function, a generator) is refused by name.
"""

import dataclasses
import datetime
import decimal
import fractions
import math
import uuid
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, assert_never

import numpy as np

from banditproof.audits.privacy.codes import code_of
from banditproof.interaction import Floats
from banditproof.mechanism import MARK

EXACT = 2.0**53  # whole numbers up to it are floats
REST = code_of("rest", b"")  # what follows completes the columns before it
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)


class NotEncodable(ValueError):
    """An output, or a part of one, that has no exact form here."""


class Form(Enum):
    """What an output is made of."""

    NUMBER = "number"
    CONSTANT = "constant"
    SEQUENCE = "sequence"
    ARRAY = "array"
    MAPPING = "mapping"
    SET = "set"
    FRAME = "frame"
    SERIES = "series"
    RECORD = "record"
    COMPLEX = "complex"


def encoded(output: Any) -> Floats:
    """The row of one output, shape (w,). Raises NotEncodable, naming the type, on what has no exact form."""
    simple = _numbers(output)
    if simple is not None:
        return simple
    leaves: list[Any] = []
    try:
        structure = _walk(output, leaves, top=True)
    except RecursionError:
        raise NotEncodable("is nested too deeply") from None
    row = [] if structure is None else [code_of("structure", structure.encode("utf-8", "surrogatepass"))]
    while True:
        parts = [_leaf(leaf) for leaf in leaves]
        row += [value for value, _ in parts]
        leaves = [rest for _, rest in parts]
        if not any(leaves):
            return np.array(row, dtype=float)
        row.append(REST)


def stacked(outputs: Sequence[Any]) -> Floats:
    """A row for each output, shape (n, w), those that end early padded with MARK. Raises NotEncodable as `encoded` does."""
    kinds = set(map(type, outputs))
    if kinds <= _FLOATS:  # the usual case, and the fast one
        return np.array(outputs, dtype=float).reshape(-1, 1)
    if kinds <= _WHOLE and max(map(abs, outputs)) <= EXACT:
        return np.array(outputs, dtype=float).reshape(-1, 1)
    return _padded([encoded(output) for output in outputs])


def matrix(outputs: Any, runs: int) -> Floats | None:
    """A row for each of `runs` outputs that one call gave, shape (runs, w); None where they have another shape: an array, or a sequence of
    one output per run. Raises NotEncodable as `encoded` does."""
    form = None if _is_array(outputs) else _form(outputs)
    if form in (Form.FRAME, Form.SERIES):
        return _table(outputs, runs)
    if form is None:
        found = outputs
    elif form is Form.SEQUENCE:
        array = _as_array(outputs) if _are_plain(outputs) else None
        if array is None or array.ndim not in (1, 2) or array.size == 0:
            return _padded([encoded(output) for output in outputs]) if len(outputs) == runs else None
        found = array
    else:
        found = np.asarray(outputs) if form is Form.NUMBER else np.empty(0)
    if found.ndim not in (1, 2) or found.shape[0] != runs or found.size == 0:
        return None
    if _is_exact(found):
        return np.array(found, dtype=float).reshape(runs, -1)
    return _padded([encoded(output) for output in found])


def _are_plain(values: Sequence[Any]) -> bool:
    """Whether an array of these members would lose no labels and no mask of theirs."""
    kinds = set(map(type, values))
    return all(issubclass(kind, (int, float, list, tuple, np.generic)) or kind is np.ndarray for kind in kinds)


def _table(table: Any, runs: int) -> Floats | None:
    """A frame or a series of pandas with a row for each run, shape (runs, w): the code of its names, where it has any, labels, cells."""
    if len(table) != runs or table.size == 0:
        return None
    columns = [table] if table.ndim == 1 else [table.iloc[:, place] for place in range(table.shape[1])]
    words: list[Any] = []
    said = table.name is not None if table.ndim == 1 else not _default_index(table.columns)
    if said or any(name is not None for name in table.index.names):
        names = [] if not said else [table.name] if table.ndim == 1 else table.columns.tolist()
        words = [[str(len(columns)), *names], list(table.index.names), [] if table.ndim == 1 else list(table.columns.names)]
    labels = [] if _default_labels(table.index) else [table.index.tolist()]
    arrays = [column.to_numpy() for column in columns]
    if not labels and all(isinstance(column.dtype, np.dtype) and _is_exact(array) for column, array in zip(columns, arrays, strict=True)):
        rows = np.column_stack([np.array(array, dtype=float) for array in arrays])
    elif table.ndim == 1 and not labels:
        rows = _padded([encoded(cell) for cell in arrays[0]])
    else:
        cells = zip(*labels, *map(_members, arrays), strict=True)
        rows = _padded([encoded(list(row)) for row in cells])
    return np.column_stack([np.full(runs, code_of("names", _named(words).encode("utf-8", "surrogatepass"))), rows]) if words else rows


_FLOATS: set[type] = {float, bool, np.float64}
_WHOLE: set[type] = {*_FLOATS, int} - {float, np.float64}


def _padded(rows: Sequence[Floats]) -> Floats:
    width = max((len(row) for row in rows), default=1) or 1
    if all(len(row) == width for row in rows):
        return np.array(rows, dtype=float).reshape(len(rows), width)
    outputs = np.full((len(rows), width), MARK)
    for index, row in enumerate(rows):
        outputs[index, : len(row)] = row
    return outputs


def _is_array(values: Any) -> bool:
    """An array or a number of NumPy's; a masked one is none, since its mask would be lost."""
    return isinstance(values, (np.ndarray, np.generic)) and not isinstance(values, np.ma.MaskedArray)


def _numbers(output: Any) -> Floats | None:
    """Flat numbers that floats hold, shape (w,), and None for anything else."""
    if _is_array(output):
        found = output
    elif isinstance(output, (list, tuple, int, float)):
        array = _as_array(output)
        if array is None:
            return None
        found = array
    else:
        return None
    return np.array(found, dtype=float).reshape(-1) if found.ndim <= 1 and _is_exact(found) else None


def _as_array(values: Any) -> np.ndarray[Any, Any] | None:
    """What NumPy makes of plain numbers, and None where it would lose something."""
    try:
        found = np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        return None
    if found.dtype.kind == "f" and bool((np.abs(found) >= EXACT).any()):  # whole numbers among floats are rounded in silence
        flat = np.asarray(values, dtype=object).ravel()
        return None if any(isinstance(value, (int, np.integer)) for value in flat) else found
    return found if found.dtype.kind in "fiub" else None


def _is_exact(found: Any) -> bool:
    kind, size = found.dtype.kind, found.dtype.itemsize
    if kind in "iu" and size >= 8 and found.size:
        return int(found.min()) >= -EXACT and int(found.max()) <= EXACT
    return kind in "biu" or (kind == "f" and size <= 8)


# --- the parts of an output ---------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Code:
    """A category among the numbers that complete a column."""

    value: float


def _form(output: Any) -> Form:
    """What an output is made of. Raises NotEncodable, naming its type."""
    module, name = type(output).__module__.partition(".")[0], type(output).__name__
    if isinstance(output, np.ma.MaskedArray):
        raise NotEncodable("is a masked array, whose mask is no number (return its data and its mask)")
    if module == "pandas" and name in ("DataFrame", "Series"):
        return Form.FRAME if name == "DataFrame" else Form.SERIES
    if isinstance(output, (complex, np.complexfloating)):
        return Form.COMPLEX
    if output is None or isinstance(output, (str, bytes, bytearray, Enum, uuid.UUID, *_DATES)) or name in ("NAType", "NaTType"):
        return Form.CONSTANT
    if isinstance(output, (int, float, np.number, np.bool_, fractions.Fraction, decimal.Decimal)):
        return Form.NUMBER
    if isinstance(output, np.ndarray):
        return Form.ARRAY
    if isinstance(output, (list, tuple)):
        return Form.SEQUENCE
    if isinstance(output, dict):
        return Form.MAPPING
    if isinstance(output, (set, frozenset)):
        return Form.SET
    if dataclasses.is_dataclass(output) and not isinstance(output, type):
        return Form.RECORD
    raise NotEncodable(f"is of type {type(output).__name__}")


def _walk(output: Any, leaves: list[Any], *, top: bool = False) -> str | None:
    """Adds the leaves of an output, and returns its structure in words; None at the top for a constant or a flat sequence."""
    form = _form(output)
    match form:
        case Form.NUMBER | Form.CONSTANT:
            dated = _dated(output) if isinstance(output, _DATES) else None
            leaves += [output] if dated is None else dated[1]
            return dated[0] if dated is not None else None if top else "."
        case Form.COMPLEX:
            leaves += [output.real, output.imag]
            return "complex"
        case Form.SEQUENCE:
            parts = [_walk(part, leaves) for part in output]
            return None if top and all(part == "." for part in parts) else f"[{''.join(map(str, parts))}]"
        case Form.ARRAY:
            parts = [_walk(part, leaves) for part in _members(output)]
            flat = top and output.ndim <= 1 and all(part == "." for part in parts)
            return None if flat else f"array{output.shape}{''.join(map(str, parts))}"
        case Form.MAPPING:
            inside = ", ".join(f"{_label(key, leaves)}: {_walk(value, leaves)}" for key, value in output.items())
            return f"{{{inside}}}"
        case Form.SET:
            members = sorted(map(_member, output), key=lambda member: member[:2])
            leaves += [leaf for _, _, own in members for leaf in own]
            return f"set({', '.join(words for words, _, _ in members)})"
        case Form.RECORD:
            inside = ", ".join(f"{field.name}: {_walk(getattr(output, field.name), leaves)}" for field in dataclasses.fields(output))
            return f"{type(output).__qualname__}({inside})"
        case Form.SERIES:
            own: list[Any] = []
            parts = [_walk(part, own) for part in output.tolist()]
            named = _names(output, leaves)
            leaves += own
            return None if top and not named and all(part == "." for part in parts) else f"series({named}, {''.join(map(str, parts))})"
        case Form.FRAME:
            named = _names(output, leaves)
            columns = [_walk(output.iloc[:, place].tolist(), leaves) for place in range(output.shape[1])]
            return f"frame({named}, {''.join(map(str, columns))})"
        case _:
            assert_never(form)


def _members(array: Any) -> list[Any]:
    """The members of an array; of floats and dates as NumPy's own scalars, since a long one would lose digits, and a date its kind."""
    if array.dtype.kind == "V":
        raise NotEncodable(f"is an array of {array.dtype}")
    return list(array.ravel()) if array.dtype.kind in "fcmM" else array.ravel().tolist()


def _names(table: Any, leaves: list[Any]) -> str:
    """Everything of a frame or a series but its cells: labels, names, categories; "" for a series that has none of its own."""
    columns = [table] if table.ndim == 1 else [table.iloc[:, place] for place in range(table.shape[1])]
    dtypes = [column.dtype for column in columns if type(column.dtype).__name__ == "CategoricalDtype"]
    said = [f"categories{_label(tuple(dtype.categories.tolist()), leaves)}{dtype.ordered}" for dtype in dtypes]
    if table.ndim == 1:
        said += [] if table.name is None else [f"name {_label(table.name, leaves)}"]
    for index in (table.index,) if table.ndim == 1 else (table.index, table.columns):
        if not _default_index(index):
            said.append(f"[{', '.join(_label(label, leaves) for label in [*index.tolist(), *index.names])}]")
        elif table.ndim == 2:
            said.append(str(len(index)))
    return ", ".join(said)


def _default_index(index: Any) -> bool:
    """Whether an index is that which pandas gives where none is asked for."""
    return type(index).__name__ == "RangeIndex" and index.name is None and _default_labels(index)


def _default_labels(index: Any) -> bool:
    """Whether labels are the row numbers 0, 1, ..., as integers."""
    return isinstance(index.dtype, np.dtype) and index.dtype.kind in "iu" and bool(np.array_equal(index, np.arange(len(index))))


def _label(label: Any, leaves: list[Any]) -> str:
    """A key, a label or a name: text and other constants in words, what holds numbers by its leaves."""
    return _named(label) if _form(label) is Form.CONSTANT and not isinstance(label, _DATES) else str(_walk(label, leaves))


def _member(member: Any) -> tuple[str, list[tuple[bool, float]], list[Any]]:
    """The structure of a member of a set, what its leaves are sorted by (NaN last), and its leaves."""
    leaves: list[Any] = []
    words = str(_walk(member, leaves))
    return words, [(math.isnan(value), 0.0 if math.isnan(value) else value) for value in encoded(leaves).tolist()], leaves


def _dated(date: Any) -> tuple[str, list[int]] | None:
    """The kind of a date, a time or a duration, and its numbers; None for one that is no time (NaT)."""
    if isinstance(date, (np.datetime64, np.timedelta64)):
        unit, count = np.datetime_data(date.dtype)
        ticks = int(date.astype(np.int64)) * count
        return None if np.isnat(date) else (f"{type(date).__name__}({unit})", list(divmod(ticks, 1000)) if unit == "ns" else [ticks])
    kind = type(date).__name__
    if kind == "NaTType":
        return None
    if isinstance(date, datetime.timedelta):
        return f"{kind}()", [(date.days * 86400 + date.seconds) * 10**6 + date.microseconds, *_nanoseconds(date, "nanoseconds")]
    days = date.toordinal() if isinstance(date, datetime.date) else 0
    if not isinstance(date, (datetime.datetime, datetime.time)):
        return f"{kind}()", [days]
    days -= _EPOCH if days else 0  # the microseconds of a present date are a number that a float holds
    seconds = ((days * 24 + date.hour) * 60 + date.minute) * 60 + date.second
    return f"{kind}({date.tzinfo!r}, {date.fold})", [seconds * 10**6 + date.microsecond, *_nanoseconds(date, "nanosecond")]


def _nanoseconds(date: Any, name: str) -> list[int]:
    """What a date of pandas has below a microsecond."""
    return [getattr(date, name)] if type(date).__module__.startswith("pandas") else []


def _named(value: Any) -> str:
    """A key or a member in words that no other one has."""
    leaves: list[Any] = []
    structure = _walk(value, leaves)
    return f"{structure}{(encoded(leaves) + 0.0).tolist()}"  # -0.0 and 0.0 are one number


def _leaf(leaf: Any) -> tuple[float, Any]:
    """The float of a number, and what it leaves out (0 for nothing); the code of a constant."""
    match leaf:
        case Code():
            return leaf.value, 0
        case bool() | np.bool_():
            return float(leaf), 0
        case Enum() | uuid.UUID():
            words = (leaf.name or repr(leaf.value)) if isinstance(leaf, Enum) else str(leaf)  # several flags together may have no name
            return code_of(f"{type(leaf).__module__}.{type(leaf).__qualname__}", words.encode("utf-8", "surrogatepass")), 0
        case str():
            return code_of("text", leaf.encode("utf-8", "surrogatepass")), 0
        case bytes() | bytearray():
            return code_of("bytes", bytes(leaf)), 0
        case int() | np.integer():
            return _rounded(int(leaf), lambda value: code_of("whole", hex(value).encode()))
        case float():
            return float(leaf), 0
        case np.floating() | fractions.Fraction() | decimal.Decimal():
            return _real(leaf)
        case _:
            return code_of(type(leaf).__name__, repr(leaf).encode()), 0


def _rounded(value: int, code: Callable[[int], float]) -> tuple[float, int]:
    try:
        rounded = float(value)
    except OverflowError:
        return code(value), 0
    return rounded, value - int(rounded)


def _real(value: Any) -> tuple[float, Any]:
    """A number of another precision: its float, and where that is not equal to it, the code of the exact number."""
    try:
        rounded = float(value)
    except (OverflowError, ValueError):
        return code_of(type(value).__name__, str(value).encode()), 0
    if math.isnan(rounded) or bool(value == rounded):
        return rounded, 0
    exact = str(fractions.Fraction(*value.as_integer_ratio())) if math.isfinite(rounded) else str(value)
    return rounded, Code(code_of("exact", exact.encode()))
