"""What a method measured: a verdict, the numbers behind it, and a witness that anybody can look at again.

A verdict is never "verified". `must_detect` is required of every statistical method: a result that is not refuted says what the sample
would have caught (`detectable`, missed with probability `miss_rate`), and without that it is inconclusive.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from enum import Enum
from fractions import Fraction
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Verdict(Enum):
    """What a measurement says of a claim. None says that a claim is true, except for CERTIFIED, on the domain that the result names."""

    CERTIFIED = "certified"  # a certificate over the whole stated domain, or an exact identity
    HOLDS_AT_POINTS = "holds at points"  # exact, at the listed points and no others
    REFUTED = "refuted"
    NOT_REFUTED = "not refuted"
    INCONCLUSIVE = "inconclusive"
    VACUOUS = "vacuous"
    RATE_ONLY = "rate only"
    NOT_CHECKABLE = "not checkable"
    ERROR = "error"

    @property
    def meaning(self) -> str:
        """One line for a reader who meets the word for the first time; `verify --help` lists them."""
        return _MEANINGS[self]

    @classmethod
    def of(cls, value: Any) -> "Verdict":
        """The verdict of a record's word. Raises ValueError, naming the words there are."""
        known = {verdict.value: verdict for verdict in cls}
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"verdict = {value!r}: must be one of {', '.join(known)}")
        return known[value]


_MEANINGS = {
    Verdict.CERTIFIED: "proved by computation on all of the domain that it names",
    Verdict.HOLDS_AT_POINTS: "computed at the listed points; nothing is said of others",
    Verdict.NOT_REFUTED: "no violation seen; `detectable` would have been seen",
    Verdict.RATE_ONLY: "the paper hides constants; only the rate was compared",
    Verdict.VACUOUS: "the bound says no more than a trivial bound does",
    Verdict.INCONCLUSIVE: "too little evidence; the reason says what would settle it",
    Verdict.NOT_CHECKABLE: "a definition or a remark: there is nothing to measure",
    Verdict.REFUTED: "the claim fails, with a witness that `replay` tries again",
    Verdict.ERROR: "the audit crashed, and says nothing about the claim",
}


class Witness(Protocol):
    """What a verdict can be looked at again by: a frozen dataclass that the method's `recheck` takes, and that a record holds as JSON."""

    @property
    def kind(self) -> str: ...  # names the class in records
    def rows(self) -> list[tuple[str, Any]]: ...  # for a reader: label and value
    def to_json(self) -> dict[str, Any]: ...  # without the kind
    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Witness": ...


@dataclass(frozen=True, repr=False)
class Measurement:
    """One measurement. Numbers are in the unit of `quantity`; for bounds that a claim sets from above, refuted means low > claimed."""

    verdict: Verdict
    quantity: str = ""  # what claimed, estimate, low, high, exact, must_detect and detectable measure: "epsilon", "mu", "failure", ...
    claimed: float | None = None
    estimate: float | None = None
    low: float | None = None  # one-sided confidence bound at `false_alarm`
    high: float | None = None
    exact: float | None = None  # closed form or accountant, where one is known
    false_alarm: float | None = None
    must_detect: float | None = None
    detectable: float | None = None
    miss_rate: float | None = None
    samples: int = 0
    assumed: tuple[str, ...] = ()
    witness: Witness | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)  # method's own numbers: other intervals, posterior, curves
    message: str = ""  # one sentence: why this verdict, and what would settle an inconclusive one

    def __repr__(self) -> str:
        from banditproof.audits.reporting import notebook

        return notebook.measurement_text(self)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, field by field (`record_keys`); the witness with its kind."""
        values = {name: getattr(self, name) for name in record_keys() if name != "witness"}
        return {**{key: plain_json(value) for key, value in values.items()}, "witness": witness_json(self.witness)}


def record_keys() -> tuple[str, ...]:
    """The fields of a measurement, which are the keys of its record."""
    return tuple(each.name for each in fields(Measurement))


_NON_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def witness_json(witness: Witness | None) -> dict[str, Any] | None:
    """A witness as plain JSON, with its kind."""
    return None if witness is None else {"kind": witness.kind, **witness.to_json()}


@dataclass(frozen=True)
class UnknownWitness:
    """A witness of a kind that no method here knows: it can be shown, not looked at again."""

    kind: str
    values: Mapping[str, Any]

    def rows(self) -> list[tuple[str, Any]]:
        return list(self.values.items())

    def to_json(self) -> dict[str, Any]:
        return dict(self.values)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "UnknownWitness":
        return cls("unknown", record)


def fields_json(witness: Any) -> dict[str, Any]:
    """The fields of a witness as plain JSON: its `to_json` where they are plain values."""
    return {each.name: plain_json(getattr(witness, each.name)) for each in fields(witness)}


def from_fields(kind: type[T], record: Mapping[str, Any]) -> T:
    """The inverse of `fields_json`. Raises ValueError, naming the field, on one that is missing or unknown."""
    names = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    wrong = sorted(names ^ set(record))
    if wrong:
        state = "is missing" if wrong[0] in names else "is not one of its fields"
        raise ValueError(f"witness {kind.__name__}: field {wrong[0]!r} {state}")
    numbers = {each.name for each in fields(kind) if "float" in str(each.type)}  # type: ignore[arg-type]
    for each in fields(kind):  # type: ignore[arg-type]
        value = from_plain(record[each.name]) if each.name in numbers else record[each.name]
        _require_type(f"witness {kind.__name__}: {each.name}", value, str(each.type))
    return kind(**{name: from_plain(value) if name in numbers else value for name, value in record.items()})


_TYPES: tuple[tuple[str, tuple[type, ...], str], ...] = (
    ("Mapping", (Mapping,), "an object"),  # first: the types of its values are named in it
    ("tuple", (list, tuple), "a list"),
    ("float", (int, float), "a number"),
    ("int", (int,), "an integer"),
    ("str", (str,), "text"),
)


def _require_type(name: str, value: Any, annotation: str) -> None:
    """Raises ValueError, naming the field, unless a value is of the type that a dataclass says."""
    for word, kinds, rule in _TYPES:
        if word in annotation:
            optional = value is None and "None" in annotation
            if not optional and (isinstance(value, bool) or not isinstance(value, kinds)):
                raise ValueError(f"{name} = {value!r}: must be {rule}")
            return


def plain_json(value: Any) -> Any:
    """A value as strict JSON holds it: enums by value, arrays as lists, non-finite floats as the strings inf, -inf, nan."""
    if type(value) is float:  # nearly all values are
        return value if math.isfinite(value) else _spelt(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): plain_json(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(part) for part in value]
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else _spelt(value)
    if callable(getattr(value, "tolist", None)):  # a numpy array or scalar, recognised without importing numpy
        return plain_json(value.tolist())
    raise TypeError(f"{value!r}: a {type(value).__name__} has no plain JSON form")


def plain_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters as JSON holds them: fractions as text."""
    return {name: str(value) if isinstance(value, Fraction) else value for name, value in parameters.items()}


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 point", "12 points"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def at_least(value: float, beyond: float | None = None) -> str:
    """A lower bound, rounded down; with as many digits as it takes to be seen above `beyond`, if it is above."""
    return _towards(value, ROUND_FLOOR, beyond)


def at_most(value: float) -> str:
    """An upper bound, rounded up."""
    return _towards(value, ROUND_CEILING, None)


def _towards(value: float, rounding: str, beyond: float | None) -> str:
    if not math.isfinite(value):
        return str(value)
    for digits in range(4, 18):
        rounded = float(Context(prec=digits, rounding=rounding).create_decimal(Decimal(repr(value)))) + 0.0  # 0 for -0.0
        if beyond is None or not value > beyond or rounded > beyond:
            return f"{rounded:.{digits}g}"
    return repr(value)


def listed(parameters: Mapping[str, Any]) -> str:
    """Parameters in a sentence: "n = 16, alpha = 1/2"."""
    return ", ".join(f"{name} = {value}" for name, value in parameters.items())


def from_plain(value: Any) -> Any:
    """A number that `plain_json` spelled out."""
    return _NON_FINITE.get(value, value) if isinstance(value, str) else value


def _spelt(number: float) -> str:
    return "nan" if number != number else ("inf" if number > 0 else "-inf")
