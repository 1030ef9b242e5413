"""Values of a parameter, as a class or a constructor function declares them: for suites that draw whole instances, ours and other people's.

    @dataclass(frozen=True)
    class Fading:
        means: tuple[float, ...]
        fade: float = 0.01

        typical: ClassVar[Mapping[str, Values]] = {"means": Several(between(0.0, 1.0), 2, 6), "fade": (0.0, between(0.001, 0.5))}

A suite takes the values of a parameter from the first of these that says something:

- the declaration: `typical` of the class; of a function that returns instances, its own (`declares`), then that of the class
- the annotation: both values of a bool, all members of an Enum, all values of a Literal, an instance of a protocol of the vocabulary;
  of `X | None` None and the values of X
- the glossary quantity of this name, if it has the annotated type: its `sampled` part and its typical values

A declaration speaks of one parameter at a time. Values that do not go together raise ValueError in the class, as they do for a user, and a
suite draws others. Nothing is drawn here: `Values` are plain data, which a suite turns into what it draws from.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from banditproof.glossary import Domain, Quantity
from banditproof.glossary import between as between
from banditproof.glossary import whole_numbers as whole_numbers

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Fractions:
    """Exact fractions from low to high, both included, with a denominator up to `denominator`."""

    low: Fraction | int
    high: Fraction | int
    denominator: int


@dataclass(frozen=True)
class Several:
    """A tuple of `fewest` to `most` values of one kind. Where lists of several parameters must be of one length, both are that length."""

    of: "Values"
    fewest: int
    most: int


@dataclass(frozen=True)
class Instance:
    """An instance of a class that stands inside a parameter, with values of its own parameters."""

    of: Callable[..., Any]
    values: Mapping[str, "Values"]


Range = Domain | Quantity | Fractions | Several | Instance
Values = Range | tuple[Any, ...]  # a tuple is a choice: of its members, and of the values of those members that are a range


def declares(**values: Values) -> Callable[[_Function], _Function]:
    """Decorator: the values of a function's parameters, as its attribute `typical`."""

    def declare(function: _Function) -> _Function:
        vars(function)["typical"] = values
        return function

    return declare
