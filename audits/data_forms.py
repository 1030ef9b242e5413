"""The form in which data reach a user's function: a list, an array, a data frame or a series, by the annotation of its first parameter or
as it is asked for."""

import inspect
import typing
from collections.abc import Callable
from enum import Enum
from typing import Any, assert_never


class DataForm(Enum):
    """What a dataset is when the user's function gets it."""

    LIST = "list"  # plain numbers and lists
    ARRAY = "array"  # numpy.ndarray
    FRAME = "frame"  # pandas.DataFrame: a row per record
    SERIES = "series"  # pandas.Series


_ANNOTATIONS = {"ndarray": DataForm.ARRAY, "NDArray": DataForm.ARRAY, "DataFrame": DataForm.FRAME, "Series": DataForm.SERIES}


def in_form(data: Any, form: DataForm) -> Any:
    """A dataset of plain numbers and lists in the form asked for. Raises ValueError where it has none, as ragged lists have no array."""
    match form:
        case DataForm.LIST:
            return data
        case DataForm.ARRAY:
            import numpy as np

            return np.array(data)
        case DataForm.FRAME | DataForm.SERIES:
            import pandas as pd

            several = data if isinstance(data, (list, dict)) else [data]
            return pd.DataFrame(several) if form is DataForm.FRAME else pd.Series(several)
        case _:
            assert_never(form)


def annotated_form(call: Callable[..., Any], parameter: str) -> DataForm:
    """The form that a parameter's annotation names; a list where it names none."""
    function = inspect.unwrap(call)
    try:
        found = typing.get_type_hints(getattr(function, "__func__", function)).get(parameter)
    except Exception:  # names that are known to type checkers alone: the annotation as it is written
        found = getattr(function, "__annotations__", {}).get(parameter)
    words = found if isinstance(found, str) else getattr(typing.get_origin(found) or found, "__name__", "")
    return _ANNOTATIONS.get(words.partition("[")[0].rpartition(".")[2], DataForm.LIST)


def hint(error: BaseException, form: DataForm) -> str:
    """What to do where code fails since its data are a list."""
    if form is not DataForm.LIST or not isinstance(error, (AttributeError, TypeError)) or "list" not in str(error):
        return ""
    return " (data arrive as a list: annotate the parameter, as `data: np.ndarray`, or ask for --data-as array)"
