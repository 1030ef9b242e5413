"""The suites draw what classes declare: planted classes with and without declarations, of which no file of the suites knows."""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, NamedTuple

import pytest

from banditproof.interaction import ClientRandomiser
from banditproof.typical import Fractions, Instance, Several, Values, between, declares, whole_numbers


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Interval(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Declared:
    """A class with a parameter of every sort that a declaration has."""

    fade: float
    batch: int
    width: float
    factor: float
    limit: float | None
    levels: tuple[float, ...]
    weight: Fraction
    interval: Interval

    typical: ClassVar[Mapping[str, Values]] = {
        "fade": between(0.25, 0.5),
        "batch": whole_numbers(2, 4),
        "width": (0.5, 0.75),  # the glossary's is any positive number
        "factor": (0.0, between(1.0, 2.0)),
        "limit": (None, 7.0, between(0.0, 1.0)),
        "levels": Several((0.0, between(1.0, 2.0)), 1, 3),
        "weight": Fractions(Fraction(1, 3), 1, 5),
        "interval": Instance(Interval, {"low": between(-1.0, 0.0), "high": (1.0,)}),
    }


@dataclass(frozen=True)
class Annotated:
    """A class whose annotations and names say enough."""

    epsilon: float
    horizon: int
    delta: float | None
    exact: bool
    colour: Colour
    reading: Literal["published", "repaired"]
    randomiser: ClientRandomiser


@dataclass(frozen=True)
class Undeclared:
    epsilon: float
    strength: float


@dataclass(frozen=True)
class OfAnotherType:
    """`width` is a positive number in the glossary, and here the number of columns."""

    width: int


@dataclass(frozen=True)
class Misspelt:
    strength: float
    typical: ClassVar[Mapping[str, Values]] = {"strength": (1.0,), "strenght": (1.0,)}


@dataclass(frozen=True)
class Ordered:
    """Declarations of which many values do not go together."""

    low: float
    high: float
    typical: ClassVar[Mapping[str, Values]] = {"low": between(0.0, 1.0), "high": between(0.0, 1.0)}

    def __post_init__(self) -> None:
        if not self.low <= self.high:
            raise ValueError(f"low = {self.low}, high = {self.high}: must be low <= high")


@declares(half=(0.25, 0.5), high=(1.0,))
def around(half: float, *, high: float, low: float) -> Ordered:
    return Ordered(low, high + half)


def by_strength(strength: float) -> Ordered:
    return Ordered(0.0, strength)


def test_declared_values_are_drawn_and_no_others(room):
    """Would catch an end of an interval, a branch of a choice or a length that is lost on the way from the declaration, or one too many."""
    drawn = room.many(room.instances(Declared), 300)
    assert {0.25 <= each.fade <= 0.5 for each in drawn} == {True}
    assert {each.batch for each in drawn} == {2, 3, 4}
    assert {each.width for each in drawn} == {0.5, 0.75}
    assert {each.factor == 0.0 or 1.0 <= each.factor <= 2.0 for each in drawn} == {True}
    assert any(each.factor == 0.0 for each in drawn) and any(each.factor > 0.0 for each in drawn)
    assert {None, 7.0} < {each.limit for each in drawn}
    assert all(each.limit in (None, 7.0) or 0.0 <= each.limit <= 1.0 for each in drawn)
    assert {len(each.levels) for each in drawn} == {1, 2, 3}
    assert all(level == 0.0 or 1.0 <= level <= 2.0 for each in drawn for level in each.levels)
    assert all(Fraction(1, 3) <= each.weight <= 1 and each.weight.denominator <= 5 for each in drawn)
    assert len({each.weight for each in drawn}) > 2
    assert all(isinstance(each.interval, Interval) and -1.0 <= each.interval.low <= 0.0 and each.interval.high == 1.0 for each in drawn)


def test_annotations_and_the_glossary_are_enough(room):
    """Would catch a new class that has to declare what its annotations say, or a glossary name drawn beyond what can be run."""
    drawn = room.many(room.instances(Annotated), 300)
    assert all(0.01 <= each.epsilon <= 5.0 and 1 <= each.horizon <= 40 for each in drawn)
    assert any(each.delta is None for each in drawn) and any(each.delta is not None for each in drawn)
    assert all(each.delta is None or 0.0 < each.delta < 1.0 for each in drawn)
    assert {each.exact for each in drawn} == {False, True}
    assert {each.colour for each in drawn} == set(Colour)
    assert {each.reading for each in drawn} == {"published", "repaired"}
    kinds = {type(each.randomiser) for each in drawn}
    assert kinds == set(room.found(room.kind.RANDOMISER))


def test_a_function_has_its_own_declaration_before_that_of_its_class(room):
    """Would catch a constructor that has to repeat what its class declares, or cannot say more."""
    drawn = room.many(room.instances(around), 100)
    assert {each.high for each in drawn} == {1.25, 1.5}
    assert all(0.0 <= each.low <= 1.0 for each in drawn)


def test_values_that_do_not_go_together_are_drawn_again(room):
    """Would catch a suite that needs to know which values a class refuses."""
    assert len(room.many(room.instances(Ordered), 100)) > 30


@pytest.mark.parametrize(
    ("member", "says"),
    [
        (Undeclared, r"Undeclared: no values for its parameter 'strength' .*; declare them: typical = \{'strength': ...\} in Undeclared"),
        (by_strength, r"by_strength: no values for its parameter 'strength' .*; declare them: @declares\(strength=...\) on by_strength"),
        (OfAnotherType, r"OfAnotherType: no values for its parameter 'width'"),
        (Misspelt, r"Misspelt: declares values of strenght, and has no such parameter"),
    ],
)
def test_what_is_not_declared_fails_and_says_where_to_declare_it(room, member: Callable[..., object], says: str):
    """Would catch a parameter that stays at its default in every suite, unnoticed; and a file of the suites that must learn of it."""
    with pytest.raises(LookupError, match=says) as failure:
        room.instances(member)
    assert "conftest" not in str(failure.value)
