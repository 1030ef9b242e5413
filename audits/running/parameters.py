"""The parameters of an audit's method as plain values that are equal in every process: what a key holds of them."""

import functools
import hashlib
import sys
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.theory.language import Theorem


def described(value: Any) -> Any:
    """A value in plain parts: numbers and words as they are, functions and objects by their names with what they hold, arrays by a hash.
    What has no such form (a symbolic expression) is named by its type: the sources say the rest."""
    return _described(value, frozenset())


def _described(value: Any, within: frozenset[int]) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, complex, bytes, Decimal, range, Fraction, Enum)):
        return repr(value)
    if isinstance(value, np.generic):
        return [str(value.dtype), repr(value.item())]
    if id(value) in within:
        return "itself"
    inside = within | {id(value)}
    name, held = _parts(value)
    return [name, *(_described(part, inside) for part in held)]


def _parts(value: Any) -> tuple[str, list[Any]]:
    """What a value is called, and what it holds."""
    name = f"{type(value).__module__}.{type(value).__qualname__}"
    if isinstance(value, Theorem):
        return name, [value.id]
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return name, [list(value.shape), *value.ravel().tolist()]
        return name, [str(value.dtype), list(value.shape), hashlib.sha256(value.tobytes()).hexdigest()]
    if isinstance(value, (tuple, list)):
        return name, list(value)
    if isinstance(value, (set, frozenset)):
        return name, sorted(map(str, map(described, value)))
    if isinstance(value, Mapping):
        return name, [part for pair in value.items() for part in pair]
    if isinstance(value, functools.partial):
        return name, [value.func, *value.args, dict(value.keywords)]
    if isinstance(value, types.MethodType):
        return name, [value.__func__, value.__self__]
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}", []
    if isinstance(value, types.FunctionType):
        held = [cell.cell_contents for cell in value.__closure__ or () if cell != types.CellType()]
        return f"{value.__module__}.{value.__qualname__}", [*held, *(value.__defaults__ or ()), value.__kwdefaults__ or {}]
    if is_dataclass(value):
        return name, [getattr(value, each.name) for each in fields(value)]
    if "banditproof.kernels" in sys.modules:  # else there is no kernel
        from banditproof.kernels import constants, plain

        if isinstance(plain(value), types.FunctionType):
            return name, [plain(value), constants(plain(value))]
    return name, [] if type(value).__module__.partition(".")[0] in _SYMBOLS else [getattr(value, "__dict__", {})]


_SYMBOLS = ("sympy", "flint")  # what they compute on the way stands among their attributes
