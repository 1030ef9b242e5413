"""What a benchmark is, as plain data. A subject is a module of benchmarks/ with `cases(scale)`, whose cases are measured in turn.

TimedCall     time per unit of a call, beside other cases of the same subject
Figure    one number that is measured in its own way (memory, efficiency, a ratio of bounds)
Growth    times at several sizes, of which the exponent is fitted (`runner/fits.py`)
Missing   a case that cannot be measured here, and why: the table says so
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeVar

T = TypeVar("T")
Work = Callable[[], object]


class Scale(Enum):
    """How long is measured: `make bench`, or `make bench ARGS=--quick`."""

    FULL = "full"
    QUICK = "quick"

    def of(self, full: T, quick: T) -> T:
        return full if self is Scale.FULL else quick


class Clock(Enum):
    """CPU time of this process, or wall-clock time where several processes work."""

    CPU = "cpu"
    WALL = "wall"


@dataclass(frozen=True)
class Target:
    """What is asked of a number: at least or at most `value`, and a further aim. `source` says who asks.

    Raises ValueError unless one of the two limits is given."""

    at_least: float | None = None
    at_most: float | None = None
    aim: float | None = None
    source: str = "issue 17"

    def __post_init__(self) -> None:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError(f"at_least = {self.at_least}, at_most = {self.at_most}: must be one of the two")

    def met(self, value: float) -> bool:
        return value >= self.at_least if self.at_least is not None else value <= (self.at_most or 0.0)

    def __str__(self) -> str:
        sign, value = (">=", self.at_least) if self.at_least is not None else ("<=", self.at_most)
        return f"{sign} {value:,g}" + ("" if self.aim is None else f" ({self.aim:,g})")


@dataclass(frozen=True)
class TimedCall:
    """The time of one call of `prepare()`'s result, which does so many `units` of work; the least of several calls.

    `against`: other cases of the subject, each with what is asked of their time divided by this one's, or None. A `slow` case is called
    fewer times. `throughput` is asked of the units per second. `note` says what the case solves, where that differs."""

    name: str
    prepare: Callable[[], Work]
    units: int
    unit: str = "round"
    against: Mapping[str, Target | None] = field(default_factory=dict)
    clock: Clock = Clock.CPU
    slow: bool = False
    throughput: Target | None = None
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A number that `measure` returns."""

    name: str
    measure: Callable[[], float]
    unit: str
    target: Target | None = None
    note: str = ""


@dataclass(frozen=True)
class Growth:
    """Cost at sizes of one variable: the exponent of a power fitted to it must not exceed `allowed`.

    `prepare(size)` gives the call to be timed, or, where `counts`, a function that returns the cost itself (bytes, counted work). `model`
    says what the method should cost."""

    name: str
    variable: str
    sizes: Sequence[int]
    prepare: Callable[[int], Callable[[], object]]
    allowed: float
    model: str
    counts: bool = False


@dataclass(frozen=True)
class Missing:
    """A case that is not measured, and why."""

    name: str
    reason: str


Case = TimedCall | Figure | Growth | Missing


class Subject(Protocol):
    """A module of benchmarks/. LONG: it is measured only where it is named."""

    __name__: str
    LONG: bool

    def cases(self, scale: Scale) -> Sequence[Case]: ...
