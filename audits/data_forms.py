"""The form in which data reach a user's function: a list, an array, a data frame or a series, by the annotation of its first parameter, as
it is asked for, or as the data were given.

Within an audit a data frame is a list of records, {label: value} (rows where labels are no text), and a series a list of values, so that
records are compared by label and a witness can be written down. Each release gets a frame of its own with the same `Columns`. Row numbers
are no data: an unnamed index of integers is ignored, and rows are numbered from 0; any other index is refused.
"""

import inspect
import sys
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from banditproof.guarantees import shown


class DataForm(Enum):
    """What a dataset is when the user's function gets it."""

    LIST = "list"  # plain numbers and lists
    ARRAY = "array"  # numpy.ndarray
    FRAME = "frame"  # pandas.DataFrame: a row per record
    SERIES = "series"  # pandas.Series


@dataclass(frozen=True)
class Columns:
    """The labels of a data frame's columns in their order, and dtypes that hold the values of all datasets of an audit. A series has one
    column, with its name."""

    labels: Any  # pandas.Index
    kinds: tuple[Any, ...]


_ANNOTATIONS = {
    **dict.fromkeys(("ndarray", "NDArray"), DataForm.ARRAY),
    "DataFrame": DataForm.FRAME,
    "Series": DataForm.SERIES,
    **dict.fromkeys(("list", "List", "Sequence", "Collection", "Iterable"), DataForm.LIST),
}
_WANTED = {
    DataForm.ARRAY: "an array: must be numbers, or rows of one length",
    DataForm.FRAME: "a data frame: must be a list of records, as [{'x': 0}], or of rows of one length",
    DataForm.SERIES: "a series: must be a list of values",
}
_PLAIN = (bool, int, float, str, list, dict, type(None))


def in_form(data: Any, form: DataForm, columns: Columns | None = None) -> Any:
    """A dataset of plain numbers, lists and dictionaries in the form asked for, with these columns where they are known. Raises ValueError,
    naming dataset and rule, where it has none, as ragged lists have no array."""
    if form is DataForm.LIST:
        return data
    try:
        return _in_form(data, form, columns)
    except (ValueError, TypeError, KeyError):  # whatever pandas and NumPy say of the data
        raise ValueError(f"dataset = {shown(data)}: cannot be given as {_WANTED[form]}") from None


def _in_form(data: Any, form: DataForm, columns: Columns | None) -> Any:
    import numpy as np

    if form is DataForm.ARRAY and columns is None:
        if isinstance(data, dict):
            raise TypeError("an array of one dictionary")
        return np.array(data)
    import pandas as pd

    if isinstance(data, dict):
        return pd.DataFrame(data) if form is DataForm.FRAME else pd.Series(data)
    several = data if isinstance(data, list) else [data]
    columns = columns or columns_of([several], form)
    if columns is None:
        return pd.DataFrame(several) if form is DataForm.FRAME else pd.Series(several)
    if form is DataForm.SERIES:
        if len(columns.labels) != 1:
            raise ValueError("a series of several columns")
        values = [row[columns.labels[0]] if isinstance(row, dict) else row for row in several]
        return pd.Series(values, name=columns.labels[0], dtype=object).astype(columns.kinds[0])
    known = set(columns.labels)
    if not all(known.issuperset(row) for row in several if isinstance(row, dict)):
        raise KeyError("a label of no column")
    made = pd.DataFrame(several, columns=list(columns.labels), dtype=object)
    made.columns = columns.labels  # of its own type and names
    for place, kind in enumerate(columns.kinds):
        made.isetitem(place, made.iloc[:, place].astype(kind))
    return made if form is DataForm.FRAME else made.to_numpy()


# --- data frames and series that were given -------------------------------------------------------------------------------------------


def form_of(data: Any) -> DataForm | None:
    """FRAME or SERIES for those of pandas, None for all other data. Does not import pandas."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return None
    return DataForm.FRAME if isinstance(data, pandas.DataFrame) else DataForm.SERIES if isinstance(data, pandas.Series) else None


def given_form(datasets: Sequence[Any]) -> DataForm | None:
    """The form of datasets that are data frames or series; None where none is one. Raises ValueError unless all are of one form."""
    forms = [form_of(data) for data in datasets]
    for data, form in zip(datasets, forms, strict=True):
        if form is not forms[0]:
            kinds = f"{type(datasets[0]).__name__} and {type(data).__name__}"
            raise ValueError(f"dataset, neighbour: are of the types {kinds}: must be of one type")
    return forms[0] if forms else None


def aligned(datasets: Sequence[Any]) -> list[Any]:
    """Data frames with their columns in the order of the first one; other datasets as they are. Raises ValueError, naming the rule, unless
    all have the same labels, each once, and rows that are numbered."""
    form = given_form(datasets)
    if form is None:
        return list(datasets)
    for data in datasets:
        _require_numbered(data)
    labels = [[data.name] if form is DataForm.SERIES else list(data.columns) for data in datasets]
    for some in labels:
        twice = [label for place, label in enumerate(some) if label in some[:place]]
        if twice:
            raise ValueError(f"dataset: column {twice[0]!r} occurs more than once: each column must have its own label")
        if set(some) != set(labels[0]):
            raise ValueError(f"dataset has the columns {shown(labels[0])}, neighbour {shown(some)}: must have the same")
    return list(datasets) if form is DataForm.SERIES else [data[labels[0]] for data in datasets]


def _require_numbered(data: Any) -> None:
    index = data.index
    numbers = index.nlevels == 1 and (index.dtype.kind in "iu" or not len(index))
    if not numbers or index.names[0] is not None:
        rule = "must be row numbers without a name, which are ignored (reset_index makes it a column)"
        raise ValueError(f"dataset: its index is {shown(list(index[:3]))}: {rule}")


def records(data: Any) -> list[Any]:
    """A data frame as records, a series as values, of Python's own types: dates as text, what is missing as nan or None. Raises ValueError
    on values that are no plain data."""
    _require_numbered(data)
    if form_of(data) is DataForm.SERIES:
        return _values(data)
    labels, columns = list(data.columns), [_values(data.iloc[:, place]) for place in range(data.shape[1])]
    rows = zip(*columns, strict=True) if columns else iter([()] * len(data))
    if all(isinstance(label, str) for label in labels):
        return [dict(zip(labels, row, strict=True)) for row in rows]
    return [list(row) for row in rows]


def _values(column: Any) -> list[Any]:
    import numpy as np
    import pandas as pd

    found = [None if value is pd.NA or value is pd.NaT else value for value in column.tolist()]
    if column.dtype.kind in "mM":
        return [None if value is None else str(value) for value in found]
    found = [value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value for value in found]
    for value in found:
        if not isinstance(value, _PLAIN):
            rule = "must be numbers, text, dates of a date type, lists or None"
            raise ValueError(f"dataset: column {column.name!r} holds {shown(value)}, of type {type(value).__name__}: {rule}")
    return found


def columns_of(datasets: Sequence[Any], form: DataForm) -> Columns | None:
    """The columns that datasets have in common: of those that are data frames or series, else of plain ones that shall be. None where
    there are none, or where they do not matter to the form."""
    if given_form(datasets) is not None:
        parts = aligned(datasets)
        if form_of(parts[0]) is DataForm.SERIES:
            return None if form is DataForm.ARRAY else Columns(_one_label(parts[0].name), (_common(parts),))
        labels = parts[0].columns
        return Columns(labels, tuple(_common([data.iloc[:, place] for data in parts]) for place in range(len(labels))))
    rows = [row for data in datasets if isinstance(data, list) for row in data]
    if not rows or form not in (DataForm.FRAME, DataForm.SERIES):
        return None
    import pandas as pd

    if form is DataForm.SERIES:
        return Columns(_one_label(None), (pd.Series(rows).dtype,))
    try:
        whole = pd.DataFrame(rows)
    except (ValueError, TypeError):  # said of the dataset when it is given
        return None
    return Columns(whole.columns, tuple(whole.dtypes))


def _one_label(name: Any) -> Any:
    """The labels of a series, which has its name alone."""
    import pandas as pd

    return pd.Index([name], dtype=object, tupleize_cols=False)


def _common(columns: list[Any]) -> Any:
    """The dtype that holds the values of all columns; that of an empty one does not count."""
    import pandas as pd

    some = [column for column in columns if len(column)] or columns[:1]
    first = some[0].dtype
    return first if all(column.dtype == first for column in some) else pd.concat(some).dtype


# --- what the function says -----------------------------------------------------------------------------------------------------------


def annotated_form(call: Callable[..., Any], parameter: str) -> DataForm | None:
    """The form that a parameter's annotation names; None where it names none."""
    function = inspect.unwrap(call)
    try:
        found = typing.get_type_hints(getattr(function, "__func__", function)).get(parameter)
    except Exception:  # names that are known to type checkers alone: the annotation as it is written
        found = getattr(function, "__annotations__", {}).get(parameter)
    words = found if isinstance(found, str) else getattr(typing.get_origin(found) or found, "__name__", "")
    return _ANNOTATIONS.get(words.partition("[")[0].rpartition(".")[2])


def hint(error: BaseException, form: DataForm, data: Any) -> str:
    """What to do where code fails since its data are a list, or have lists in them."""
    if form is not DataForm.LIST or not isinstance(error, (AttributeError, TypeError)) or "list" not in str(error):
        return ""
    if isinstance(data, dict) or _unequal(data):
        of, labelled = (
            (next(iter(data), "x") if isinstance(data, dict) else 0),
            "for labelled records give a list of dictionaries or a DataFrame",
        )
        return f" (the arrays in the data arrive as lists: convert each, as np.asarray(data[{of!r}]); {labelled})"
    option = "on the command line also --data-as array"
    return f" (data arrive as a list: annotate the parameter, as `data: np.ndarray`, or convert them, as np.asarray(data); {option})"


def _unequal(data: Any) -> bool:
    """Whether these are lists that have no array in common, as of features and labels."""
    import numpy as np

    if not isinstance(data, list) or not all(isinstance(part, list) for part in data):
        return False
    try:
        np.array(data)
    except ValueError:
        return True
    return False
