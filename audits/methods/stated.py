"""A theorem at an audit's values, and what its hypotheses ask of the run or of the numbers that are compared with it.

A comparison outside the hypotheses of its theorem says nothing, so it is an error: OutsideHypotheses, or what `Theorem.at` raises for the
hypotheses that numbers decide. Those that depend on the policy and the environment ("plays the paper's schedule", "unit moments") are
looked at by checks, which a paper's audits give by the name of the hypothesis; what nothing can check stays assumed.

Main definitions
    Stated         a bound on the regret of a run, checked for the pipeline and horizon at which it is used
    failure_of     a claimed failure probability, after the theorem has been evaluated where it is claimed
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from banditproof.interaction import Pipeline
from banditproof.theory.language import Theorem


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
    """A theorem's bound at these values and the run's horizon. `checks` are by the names of the theorem's hypotheses, and run first.

    Raises ValueError for a check of a hypothesis that the theorem does not have.
    """

    theorem: Theorem
    values: Mapping[str, Any]
    checks: Mapping[str, Check] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if unknown := set(self.checks) - {item.name for item in self.theorem.hypotheses}:
            raise ValueError(f"{self.theorem.id}: has no hypothesis {', '.join(sorted(unknown))}")

    def at(self, horizon: int) -> float:
        """The bound alone. Raises HypothesisFails or OutsideDomain."""
        return self.theorem.at(horizon=horizon, **self.values).bound

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


def failure_of(theorem: Theorem, part: float = 1.0, **values: Any) -> Callable[[], float]:
    """The failure probability (or a part of it) that the theorem claims at these values. The result raises HypothesisFails or OutsideDomain
    where it claims nothing there."""

    def claimed() -> float:
        failure = theorem.stated().failure
        if failure is None:
            raise ValueError(f"{theorem.id}: claims no failure probability")
        theorem.at(**values)
        return part * float(values[failure.name])

    return claimed
