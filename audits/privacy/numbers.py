"""What kernels draw, followed: single numbers with noise in them, and coins whose chance depends on what is compared with them.

A kernel draws by address (`banditproof.randomness`), so whoever asks for an address again gets the same variate: here too.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, Protocol

import numpy as np

from banditproof.audits.privacy.noisy import Rows, Variate
from banditproof.interaction import Floats


class Recorder(Protocol):
    """What keeps variates, releases and coins."""

    @property
    def variates(self) -> list[Variate]: ...
    def released(self, noisy: Any, use: str) -> Floats: ...
    def flipped(self, place: str, variate: float, chance: float) -> bool: ...


class Number:
    """A number with noise in it: before + sum of weight * variate. Sums and multiples keep the sum; any other use is a release, once.

    What is computed from a release is no concern of the proof. Noise that is multiplied, or compared with a plain number, may hide what it
    meets, so that is written down; noise that is stored as a plain number, or compared with such a sum, is a release like any."""

    __slots__ = ("_released", "_value", "parts", "recorder")
    __array_ufunc__ = None  # NumPy's numbers leave arithmetic to this class

    def __init__(self, recorder: Recorder, value: float, parts: Mapping[int, float]) -> None:
        self.recorder, self._value, self.parts = recorder, value, parts
        self._released: float | None = None

    @property
    def before(self) -> Floats:
        """The number before the noise, shape ()."""
        return np.asarray(self._value)

    @property
    def plain(self) -> Floats:
        """The number itself, shape ()."""
        variates = self.recorder.variates
        return np.asarray(self._value + math.fsum(weight * variates[at].value for at, weight in self.parts.items()))

    @property
    def rows(self) -> Rows:
        """A row: the weight of each variate."""
        columns = np.array(sorted(self.parts), dtype=np.int64)
        return Rows(np.array([self.parts[column] for column in columns.tolist()]), columns, np.array([0, len(columns)]))

    @property
    def place(self) -> str:
        """Where the last of its noise was drawn."""
        return self.recorder.variates[max(self.parts)].place if self.parts else "no draw"

    def ended(self, use: str) -> float:
        """The number, without a trace."""
        if self._released is None:
            self._released = float(self.recorder.released(self, use))
        return self._released

    def _plus(self, other: Any, sign: float) -> Any:
        if isinstance(other, Number):
            parts = dict(self.parts)
            for at, weight in other.parts.items():
                total = parts.get(at, 0.0) + sign * weight
                if total == 0.0:
                    parts.pop(at, None)
                else:
                    parts[at] = total
            return Number(self.recorder, self._value + sign * other._value, parts)
        return Number(self.recorder, self._value + sign * float(other), self.parts)

    def _times(self, factor: float) -> "Number":
        return Number(self.recorder, self._value * factor, {at: weight * factor for at, weight in self.parts.items()})

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1.0)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, -1.0)

    def __rsub__(self, other: Any) -> Any:
        return self._times(-1.0)._plus(other, 1.0)

    def __neg__(self) -> "Number":
        return self._times(-1.0)

    def __pos__(self) -> "Number":
        return self

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Number):
            return self.ended("multiplied") * other.ended("multiplied")
        return self._times(float(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Number):
            return self.ended("divided") / other.ended("divided")
        return self._times(1.0 / float(other))

    def __float__(self) -> float:
        return self.ended("")

    def __bool__(self) -> bool:
        return bool(self.ended("used as a truth value"))

    def __hash__(self) -> int:
        return hash(self.ended("hashed"))


def _ending(name: str) -> Callable[..., Any]:
    """An operation that takes the plain number."""

    def operation(self: Number, *others: Any) -> Any:
        use = "" if all(isinstance(each, Number) or math.isinf(each) for each in others) else f"used in {name}"
        given = [each.ended(use) if isinstance(each, Number) else each for each in others]
        return getattr(self.ended(use), name)(*given)

    operation.__name__ = name
    return operation


_ENDING = (
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "abs",
    "pow",
    "rpow",
    "rtruediv",
    "floordiv",
    "mod",
    "round",
    "trunc",
    "floor",
    "ceil",
    "int",
)
for _name in _ENDING:
    setattr(Number, f"__{_name}__", _ending(f"__{_name}__"))


def _beside_lanes(operation: Callable[..., Any]) -> Callable[..., Any]:
    """An operation of two numbers, beside lanes (`banditproof.lanes`) with each of them."""

    def either(self: Number, other: Any) -> Any:
        if not isinstance(other, np.ndarray) or other.ndim == 0:
            return operation(self, other)
        found = np.array([None] * other.size, dtype=object)
        for place, each in enumerate(other.ravel().tolist()):
            found[place] = operation(self, each)
        return found.reshape(other.shape)

    either.__name__ = operation.__name__
    return either


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Number, f"__{_name}__", _beside_lanes(getattr(Number, f"__{_name}__")))


class Coin:
    """A uniform number on [0, 1). Compared with a chance it is a coin: the outcome is frozen, the two chances are compared.

    `hides`: what comes of it otherwise may hide the data; else it is a public coin."""

    __slots__ = ("hides", "place", "recorder", "value")
    __array_ufunc__ = None

    def __init__(self, recorder: Recorder, value: float, place: str, hides: Callable[[], None]) -> None:
        self.recorder, self.value, self.place, self.hides = recorder, value, place, hides

    def __lt__(self, chance: Any) -> bool:
        return self.recorder.flipped(self.place, self.value, float(chance))

    def __ge__(self, chance: Any) -> bool:
        return not self < chance

    __le__, __gt__ = __lt__, __ge__

    def __float__(self) -> float:
        self.hides()
        return self.value

    def __eq__(self, other: object) -> NoReturn:
        raise TypeError("a uniform number is compared for equality: must be compared with <, <=, > or >=")

    def __hash__(self) -> int:
        return hash(float(self))


def _of_value(name: str) -> Callable[..., Any]:
    def operation(self: Coin, *others: Any) -> Any:
        return getattr(float(self), name)(*others)

    operation.__name__ = name
    return operation


for _name in ["add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "neg", "abs", "pow", "mod", "int"]:
    setattr(Coin, f"__{_name}__", _of_value(f"__{_name}__"))
