"""A number or array with noise in it, which remembers the sum that it is: a number plus multiples of single variates.

Additions, scaling, indexing, sums and rearranging keep the sum; any other use asks the recording for plain numbers, and ends the trace.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from banditproof.interaction import Floats

Ints = NDArray[np.int64]


class Noise(Enum):
    """A distribution of variates; the loss of a shift is known in closed form for all but OTHER. COIN: of a chance that moves."""

    NORMAL = "normal"
    LAPLACE = "laplace"
    LOGISTIC = "logistic"
    COIN = "coin"
    OTHER = "other"


@dataclass(frozen=True)
class Variate:
    """One standard variate: its distribution, where it was drawn, its value."""

    noise: Noise
    place: str
    value: float


class Rows(NamedTuple):
    """Weights of variates in values, a row for each value, as `scipy.sparse.csr_array` keeps them."""

    data: Floats
    indices: Ints
    indptr: Ints


class Trace(Protocol):
    """What keeps the variates, and is told where their traces end."""

    @property
    def variates(self) -> list[Variate]: ...
    def released(self, noisy: "Noisy", use: str) -> Floats: ...


# They only move elements, so what they do to positions they do to the sums.
_METHODS = ("copy", "flatten", "ravel", "repeat", "reshape", "squeeze", "swapaxes", "take", "transpose")
_REARRANGING = (
    *("atleast_1d", "atleast_2d", "broadcast_to", "column_stack", "concatenate", "diagonal", "dstack", "expand_dims", "flip", "hstack"),
    *("moveaxis", "ravel", "repeat", "reshape", "roll", "squeeze", "stack", "swapaxes", "take", "tile", "transpose", "vstack"),
)


class Noisy(np.lib.mixins.NDArrayOperatorsMixin):
    """A number or array with noise in it: before + weights @ variates, a row of weights for each element in C order."""

    __array_priority__ = 1000

    def __init__(self, recording: Trace, before: Floats, weights: sparse.csr_array) -> None:
        self.recording, self.before, self.weights = recording, np.asarray(before, dtype=float), weights
        self._hashed: float | None = None

    @property
    def plain(self) -> Floats:
        """The values, without a trace."""
        variates = np.array([variate.value for variate in self.recording.variates[: self.weights.shape[1]]])
        values: Floats = self.before + (self.weights @ variates).reshape(self.before.shape)
        return values

    @property
    def rows(self) -> Rows:
        """The weights of the variates in each value."""
        return Rows(self.weights.data, self.weights.indices, self.weights.indptr)

    @property
    def place(self) -> str:
        """Where the last of its noise was drawn."""
        used = self.weights.indices
        return self.recording.variates[int(used.max())].place if used.size else "no draw"

    def ended(self, use: str) -> Floats:
        """The values as plain numbers."""
        return self.recording.released(self, use)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", (None,))[0]
        found = self._followed(ufunc, inputs) if method == "__call__" and not kwargs else None
        if found is None:
            given = [each.ended(ufunc.__name__) if isinstance(each, Noisy) else each for each in inputs]
            found = getattr(ufunc, method)(*given, **kwargs)
        if out is None:
            return found
        if isinstance(out, Noisy):  # `noise += x`, `noise *= 2`
            out[...] = found
        else:
            out[...] = found.ended("added to an array in place") if isinstance(found, Noisy) else found
        return out

    def _followed(self, ufunc: np.ufunc, inputs: tuple[Any, ...]) -> "Noisy | None":
        """The result of an operation that keeps the sum; None for another."""
        if ufunc is np.negative:
            return self._scaled(np.float64(-1.0))
        if ufunc is np.positive:
            return self
        if len(inputs) != 2 or not all(isinstance(each, (Noisy, int, float, np.ndarray, np.generic, list, tuple)) for each in inputs):
            return None
        (left, right), on_the_left = inputs, inputs[0] is self
        if ufunc in (np.add, np.subtract):
            one: Noisy = left if isinstance(left, Noisy) else self._constant(left)
            other: Noisy = right if isinstance(right, Noisy) else self._constant(right)
            return one._added(other if ufunc is np.add else other._scaled(np.float64(-1.0)))
        factor: Any = right if on_the_left else left
        if ufunc is np.multiply and not isinstance(factor, Noisy):
            return self._scaled(np.asarray(factor, dtype=float))
        if ufunc is np.divide and on_the_left and not isinstance(right, Noisy):
            with np.errstate(divide="ignore"):
                return self._scaled(1.0 / np.asarray(right, dtype=float))
        if ufunc is np.matmul and not on_the_left and self.before.ndim == 1 and not isinstance(left, Noisy) and np.ndim(left) == 2:
            matrix = np.asarray(left, dtype=float)
            return Noisy(self.recording, matrix @ self.before, sparse.csr_array(sparse.csr_array(matrix) @ self.weights))
        return None

    def _constant(self, value: Any) -> "Noisy":
        before = np.asarray(value, dtype=float)
        return Noisy(self.recording, before, sparse.csr_array((before.size, self.weights.shape[1])))

    def _positions(self) -> Ints:
        return np.arange(self.before.size).reshape(self.before.shape)

    def _chosen(self, positions: Ints) -> "Noisy":
        """The elements at these positions, in their shape."""
        places = np.asarray(positions)
        return Noisy(self.recording, self.before.ravel()[places], self.weights[places.ravel()])

    def _widened(self, variates: int) -> sparse.csr_array:
        """The weights with columns for so many variates."""
        weights = self.weights
        return sparse.csr_array((weights.data, weights.indices, weights.indptr), shape=(weights.shape[0], variates))

    def _added(self, other: "Noisy") -> "Noisy":
        shape, variates = np.broadcast_shapes(self.before.shape, other.before.shape), len(self.recording.variates)
        one, two = (each._chosen(np.broadcast_to(each._positions(), shape)) for each in (self, other))
        weights = sparse.csr_array(one._widened(variates) + two._widened(variates))
        weights.eliminate_zeros()
        return Noisy(self.recording, one.before + two.before, weights)

    def _scaled(self, by: Floats | np.float64) -> "Noisy":
        shape = np.broadcast_shapes(self.before.shape, np.shape(by))
        factors, all_ = np.broadcast_to(by, shape), self._chosen(np.broadcast_to(self._positions(), shape))
        weights = sparse.csr_array(sparse.diags_array(factors.ravel().astype(float)) @ all_.weights)
        return Noisy(self.recording, all_.before * factors, weights)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if function.__name__ in _REARRANGING:
            return self._rearranged(function, args, kwargs)
        if function in (np.sum, np.cumsum) and args[:1] == (self,) and set(kwargs) <= {"axis"} and len(args) <= 2:
            return (self.sum if function is np.sum else self.cumsum)(*args[1:], **kwargs)
        if function in (np.zeros_like, np.ones_like) and args == (self,) and not kwargs:
            return self._constant(function(self.before))  # noise may be added to it in place
        return function(*_untraced(args, function.__name__), **_untraced(kwargs, function.__name__))

    def _rearranged(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> "Noisy":
        """A function that only moves elements, applied to their positions."""
        parts: list[Noisy] = []

        def positions(given: Any) -> Any:
            if not isinstance(given, (Noisy, np.ndarray)):
                return given
            start = sum(part.before.size for part in parts)
            parts.append(given if isinstance(given, Noisy) else self._constant(given))
            return start + parts[-1]._positions()

        first = args[0]
        moved = [positions(each) for each in first] if isinstance(first, (list, tuple)) else positions(first)
        places = function(moved, *args[1:], **kwargs)
        variates = len(self.recording.variates)
        before = np.concatenate([part.before.ravel() for part in parts])
        rows = sparse.csr_array(sparse.vstack([part._widened(variates) for part in parts]))
        return Noisy(self.recording, before, rows)._chosen(places)

    def sum(self, axis: Any = None) -> "Noisy":
        return self._collected(self._along(axis))

    def cumsum(self, axis: Any = None) -> "Noisy":
        rows = self._along(axis)
        stacked: Any = [self._collected(rows[: end + 1]) for end in range(len(rows))]
        total: Noisy = np.moveaxis(np.stack(stacked), 0, axis or 0)  # type: ignore[assignment]
        return total

    def _along(self, axis: Any) -> Ints:
        """Positions with this axis first; all of them in a row for None."""
        return self._positions().ravel() if axis is None else np.moveaxis(self._positions(), axis, 0)

    def _collected(self, rows: Ints) -> "Noisy":
        """The sum over the first axis of an array of positions."""
        flat = rows.reshape(len(rows), -1)
        into = np.broadcast_to(np.arange(flat.shape[1]), flat.shape)
        gather = sparse.csr_array((np.ones(flat.size), (into.ravel(), flat.ravel())), shape=(flat.shape[1], self.before.size))
        before = self.before.ravel()[flat].sum(axis=0).reshape(rows.shape[1:])
        return Noisy(self.recording, before, sparse.csr_array(gather @ self.weights))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self.ended("used as an array"), dtype=dtype)

    def __getitem__(self, index: Any) -> "Noisy":
        return self._chosen(np.asarray(self._positions()[index]))

    def __setitem__(self, index: Any, value: Any) -> None:
        given = value if isinstance(value, Noisy) else self._constant(value)
        places, variates, size = self._positions(), len(self.recording.variates), self.before.size
        places[index] = size + given._positions()
        both = Noisy(
            self.recording,
            np.concatenate([self.before.ravel(), given.before.ravel()]),
            sparse.csr_array(sparse.vstack([self._widened(variates), given._widened(variates)])),
        )._chosen(places)
        self.before, self.weights, self._hashed = both.before, both.weights, None

    def __iter__(self) -> Any:
        return (self[position] for position in range(len(self)))

    def __len__(self) -> int:
        return len(self.before)

    def __float__(self) -> float:
        return float(self.ended("used as a number"))

    def __int__(self) -> int:
        return int(self.ended("used as a number"))

    def __bool__(self) -> bool:
        return bool(self.ended("used as a truth value"))

    def __format__(self, spec: str) -> str:
        value = self.ended("written as text")
        return format(float(value) if value.ndim == 0 else value, spec)

    def __str__(self) -> str:
        value = self.ended("written as text")
        return str(float(value) if value.ndim == 0 else value)

    __repr__ = __str__  # of a value that is followed, text would be a way past the release

    def __hash__(self) -> int:
        if self.before.ndim:
            raise TypeError("unhashable type: 'numpy.ndarray'")  # as numpy says it
        return hash(self.hashed())

    def hashed(self) -> float:
        """The value that it has as a key: released once, as often as a table asks for it."""
        if self._hashed is None:
            self._hashed = float(self.ended("hashed"))
        return self._hashed

    def __round__(self, digits: int = 0) -> Any:
        return np.round(self.ended("rounded"), digits)

    def __getattr__(self, name: str) -> Any:
        """Shape and the like as of an array; a method that only moves elements keeps the sums, any other ends the trace."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("shape", "ndim", "size", "dtype"):
            return getattr(self.before, name)
        if name == "T":
            return self._chosen(self._positions().T)
        if name in _METHODS:
            return lambda *args, **kwargs: self._chosen(getattr(self._positions(), name)(*args, **kwargs))
        return getattr(self.ended(name), name)


def settled(given: Any) -> Any:
    """A function's result as plain numbers: what is still traced in it is released, in the order in which it stands there. Sets, records
    and pandas objects become their parts, labels and names among them, so that `frozen.alike` compares those too."""
    if isinstance(given, Noisy):
        return given.ended("")
    if isinstance(given, list):
        return [settled(each) for each in given]
    if isinstance(given, tuple):
        return tuple(settled(each) for each in given)
    if isinstance(given, dict):
        return {_settled_key(key): settled(each) for key, each in given.items()}
    if isinstance(given, (set, frozenset)):
        return ["set", *sorted(map(_settled_key, given), key=repr)]
    if isinstance(given, np.ndarray) and given.dtype.kind == "O" and type(given) is np.ndarray:
        return ["array", given.shape, [settled(each) for each in given.ravel()]]
    if dataclasses.is_dataclass(given) and not isinstance(given, type):
        return [type(given).__qualname__, *(settled(getattr(given, field.name)) for field in dataclasses.fields(given))]
    match type(given).__module__.partition(".")[0], type(given).__name__:
        case "pandas", "Series":
            return ["series", _labels(given.index), settled(given.name), _cells(given)]
        case "pandas", "DataFrame":
            return ["frame", _labels(given.index), _labels(given.columns), *(_cells(given.iloc[:, at]) for at in range(given.shape[1]))]
        case _:
            return given


def _labels(index: Any) -> list[Any]:
    """The labels of an index of pandas, and its names."""
    return [settled(list(index.names)), [settled(label) for label in index.tolist()]]


def _cells(column: Any) -> list[Any]:
    """The cells of a column of pandas; with its categories, which name values that need not occur."""
    categories = column.dtype.categories.tolist() if type(column.dtype).__name__ == "CategoricalDtype" else []
    return [categories, [settled(each) for each in column.tolist()]]


def _settled_key(key: Any) -> Any:
    """A key or a member as plain numbers. A traced one was released when it was hashed, and is not released again."""
    if isinstance(key, Noisy):
        return key.hashed()
    if isinstance(key, (tuple, frozenset)):
        return type(key)(map(_settled_key, key)) if type(key) in (tuple, frozenset) else tuple(map(_settled_key, key))
    return key


def _untraced(given: Any, use: str) -> Any:
    """Arguments of a function of NumPy's as plain numbers."""
    if isinstance(given, Noisy):
        return given.ended(use)
    if isinstance(given, list):
        return [_untraced(each, use) for each in given]
    if isinstance(given, tuple):
        return tuple(_untraced(each, use) for each in given)
    if isinstance(given, dict):
        return {name: _untraced(each, use) for name, each in given.items()}
    return given
