"""A theorem at an audit's values, and what its hypotheses ask of the run or of the numbers that are compared with it.

A comparison outside the hypotheses of its theorem says nothing, so it is an error: OutsideHypotheses, or what `Theorem.at` raises for the
hypotheses that numbers decide. Those that depend on the policy and the environment ("plays the paper's schedule", "unit moments") are
looked at by checks, which a paper's audits give by the name of the hypothesis; what nothing can check stays assumed.

Main definitions
    Stated         a theorem at the values of an audit: its bound, its failure probability, its bound for a run
    Derived        a probability that follows from a theorem and is not one of its numbers
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from banditproof.interaction import Pipeline
from banditproof.theory.language import Bound, Mode, NoNumber, OutsideDomain, Sense, Theorem


class OutsideHypotheses(ValueError):
    """The run that an audit compares with a theorem lies outside the theorem's hypotheses."""


@dataclass(frozen=True)
class Run:
    """What is played, and the values at which the theorem is evaluated beside it."""

    pipeline: Pipeline
    horizon: int
    values: Mapping[str, Any]


Check = Callable[[Run], str]  # what lies outside the hypothesis; "" where nothing does


@dataclass(frozen=True)
class Stated:
    """A theorem at the values of an audit, which are written here and read from here wherever the audit needs them.

    Values that only a run has (the horizon of a run that is played, a determinant that is drawn) are left out and given to `bound`.
    `checks` are by the names of the theorem's hypotheses, and run first. `part` is the part of the failure probability that the event
    may use, where the theorem says that a part is enough. Raises ValueError for a check of a hypothesis that the theorem does not have or
    unless 0 < part <= 1, and OutsideDomain for a value that the theorem does not take.
    """

    theorem: Theorem
    values: Mapping[str, Any]
    checks: Mapping[str, Check] = field(default_factory=dict)
    part: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.part <= 1.0:
            raise ValueError(f"{self.theorem.id}: part = {self.part}: must be > 0 and <= 1 (part of the failure probability)")
        if unknown := set(self.checks) - {item.name for item in self.theorem.hypotheses}:
            raise ValueError(f"{self.theorem.id}: has no hypothesis {', '.join(sorted(unknown))}")
        if unknown := set(self.values) - {quantity.name for quantity in self.theorem.stated().given}:
            raise OutsideDomain(f"{self.theorem.id}: {', '.join(sorted(unknown))}: must be given quantities of the statement")

    @classmethod
    def of(cls, theorem: Theorem, subject: Any, *, part: float = 1.0, **values: Any) -> "Stated":
        """The theorem at the fields of a subject (a dataclass) that have the names of its quantities, and at the other values.

        Raises ValueError, naming both numbers, for a value that the subject has too and that differs from the subject's.
        """
        given = {quantity.name for quantity in theorem.stated().given}
        own = {item.name: getattr(subject, item.name) for item in fields(subject) if item.name in given}
        taken = {name: value for name, value in own.items() if value is not None}
        for name in taken.keys() & values.keys():
            if _number(taken[name]) != _number(values[name]):
                subject_name = type(subject).__name__
                raise ValueError(f"{theorem.id}: {name} = {values[name]}: must be {taken[name]}, which {subject_name} has")
        return cls(theorem, {**taken, **values}, part=part)

    def __getitem__(self, name: str) -> Any:
        """A value as it is written. Raises KeyError naming it."""
        return self.values[name]

    def number(self, name: str) -> float:
        """A value as a float, however it is written. Raises KeyError naming it."""
        return _number(self.values[name])

    def bound(self, **drawn: Any) -> float:
        """The theorem's bound, with the values that only a run has. Raises HypothesisFails or OutsideDomain."""
        return self.theorem.at(**self.values, **drawn).bound

    @property
    def sense(self) -> Sense:
        """What the theorem says of the probability of failure: at most, at least or exactly `failure`."""
        bound = self.theorem.stated()
        return Sense.AT_MOST if bound.mode is Mode.WITH_PROBABILITY else bound.sense

    def failure(self) -> float:
        """The claimed probability of failure: the part of the theorem's failure probability, or its bound where that is a probability.

        The theorem is evaluated first, unless some of its values are left out. Raises HypothesisFails or OutsideDomain where it claims
        nothing at these values, NoNumber if it claims no probability.
        """
        claim = self.theorem.stated()
        if claim.failure is None:
            return self.part * self._probability(claim)
        if all(quantity.name in self.values for quantity in claim.given):
            self.bound()
        return self.part * self.number(claim.failure.name)

    def _probability(self, claim: Bound) -> float:
        domain = claim.of.domain
        if not (domain.low == 0 and domain.high == 1):
            raise NoNumber(f"{self.theorem.id}: claims no probability: {claim.of.name} is not one, and no failure is named")
        return self.bound()

    def at(self, horizon: int) -> float:
        """The bound at a horizon. Raises HypothesisFails or OutsideDomain."""
        return self.bound(horizon=horizon)

    def beside(self, pipeline: Pipeline, horizon: int) -> float:
        """The bound for a run. Raises OutsideHypotheses unless the run satisfies all checks, and what `at` raises."""
        arms = self.values.get("arms", pipeline.environment.arms)
        if arms != pipeline.environment.arms:
            raise OutsideHypotheses(f"{self.theorem.id}: arms = {arms}: must be the environment's {pipeline.environment.arms}")
        bound, run = self.at(horizon), Run(pipeline, horizon, self.values)
        for item in self.theorem.hypotheses:
            if item.name in self.checks and (outside := self.checks[item.name](run)):
                raise OutsideHypotheses(f"{self.theorem.id}: {outside}: must satisfy {item.name}: {item.statement}")
        return bound


def _number(value: Any) -> float:
    return float(Fraction(value))


@dataclass(frozen=True)
class Derived:
    """A probability of failure that follows from a theorem and is not one of its numbers; `compute` takes it from the audit's values.

    `reason` says from what it follows. Raises ValueError if it says nothing.
    """

    compute: Callable[[], float]
    reason: str
    sense: Sense = Sense.AT_MOST

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise ValueError(f"reason = {self.reason!r}: must say from what the probability follows")

    def failure(self) -> float:
        """The claimed probability of failure."""
        return self.compute()
