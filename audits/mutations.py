"""Mutants: versions with one mistake each, which an audit must refute. Every control of this package is made of them.

Main definitions
    control                               a mutant's audit, with the verdict that is expected of it
    points_control, line_control          that of a statement at points, and of a line of a proof
    MutatedMechanism                      a release with one mistake, and the claim that its author believes in
    MutatedPolicy, scaled                 a shipped policy that plays with other settings, under its own claim
    MutatedKernels                        a policy with kernels of its own
    MutatedRandomiser                     a client randomiser with a kernel of its own, under the shipped one's claim
    MutatedStep, anywhere, turned, right_times        a line of a proof after a change
    times, stating, without   statements with another bound
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from banditproof.audits.methods import proof_steps
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit, Control, Method, Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.glossary import Quantity
from banditproof.guarantees import Guarantee
from banditproof.interaction import ClientRandomiser, Floats, Kernel, Kernels, Policy
from banditproof.mechanism import Neighbours
from banditproof.theory.language import Case, Sense, Step, Theorem, always, symbol

P = TypeVar("P", bound=Policy)


def control(name: str, mistake: str, theorem: Theorem | str, method: Method, short: str = "") -> Control:
    """The audit of a mutant, which must be refuted. `short` stands for the name in a slug that would make the id too long."""
    id = theorem if isinstance(theorem, str) else theorem.id
    return Control(mistake, Audit(id, f"{method.prefix}.control.{short or name}", f"control {name}", method, expected=Verdict.REFUTED))


def points_control(
    name: str, mistake: str, theorem: Theorem, points: Callable[[], Iterable[At]], sense: Sense = Sense.AT_MOST, short: str = ""
) -> Control:
    """The control at the points of a statement's audit, where the value or the claim has the mistake."""
    return control(name, mistake, theorem, Pointwise(points, "the points of its audit", "value", sense), short)


# --- mechanisms and policies ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MutatedMechanism:
    """A release with one mistake, and the claim and the neighbours that its author believes in."""

    claim: Guarantee
    declared_neighbours: Neighbours
    draw: Callable[[Floats, int, np.random.Generator], Floats]
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee:
        return self.claim

    def neighbours(self) -> Neighbours:
        return self.declared_neighbours

    def release(self, data: Any, runs: int, rng: np.random.Generator) -> Floats:
        return self.draw(np.asarray(data, dtype=float), runs, rng)


@dataclass(frozen=True)
class MutatedPolicy(Generic[P]):
    """A policy with the kernels and the claim of `base`, whose initial state is changed: its settings are those of the mistake."""

    base: P
    change: Callable[[Any], Any]
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)

    @property
    def kernels(self) -> Kernels:
        return self.base.kernels

    def guarantee(self) -> Guarantee | None:
        return self.base.guarantee()

    def state(self, arms: int, dimension: int, horizon: int) -> Any:
        return self.change(self.base.state(arms, dimension, horizon))

    def message_width(self, dimension: int) -> int:
        return self.base.message_width(dimension)

    def statistic_width(self, arms: int, dimension: int) -> int:
        return self.base.statistic_width(arms, dimension)


def scaled(**factors: float) -> Callable[[Any], Any]:
    """A change of a state: each named array is multiplied by its factor."""
    return lambda state: state._replace(**{name: getattr(state, name) * factor for name, factor in factors.items()})


@dataclass(frozen=True)
class MutatedKernels:
    """A policy with kernels of its own, which learns from rewards alone. `initial` gives the state for K arms; `releases_sums` says
    whether its statistic has an entry per arm, or none."""

    kernels: Kernels
    initial: Callable[[int], Any]
    claim: Guarantee | None = None
    releases_sums: bool = False
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)

    def guarantee(self) -> Guarantee | None:
        return self.claim

    def state(self, arms: int, dimension: int, horizon: int) -> Any:
        return self.initial(arms)

    def message_width(self, dimension: int) -> int:
        return 1

    def statistic_width(self, arms: int, dimension: int) -> int:
        return arms if self.releases_sums else 0


# --- lines of proofs --------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MutatedRandomiser:
    """A client randomiser with the setup, the messages and the claim of `base`, and a kernel with the mistake."""

    base: ClientRandomiser
    kernel: Kernel
    theorems: tuple[str, ...] = ()

    def guarantee(self) -> Guarantee | None:
        return self.base.guarantee()

    def messages(self, width: int) -> tuple[int, int]:
        return self.base.messages(width)

    def setup(self) -> Floats:
        return self.base.setup()


@dataclass(frozen=True)
class MutatedStep:
    """A line of a proof after a change."""

    theorem: Theorem
    step: str
    change: Callable[[Step], Step]
    statistical: bool = False
    prefix: ClassVar[str] = "step"

    def line(self) -> Step:
        return self.change(next(step for step in self.theorem.steps if step.id == self.step))

    def measure(self, request: Request) -> Measurement:
        return proof_steps.judge(self.line(), f"{self.theorem.id}:{self.step}", 2_000)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """The counterexample evaluated again."""
        return proof_steps.judge_again(self.line(), f"{self.theorem.id}:{self.step}", before)


def line_control(name: str, mistake: str, theorem: Theorem, step: str, change: Callable[[Step], Step]) -> Control:
    """The control of a line of a proof after a change."""
    return control(name, mistake, theorem, MutatedStep(theorem, step, change))


def anywhere(step: Step) -> Step:
    """Without the conditions of its domain."""
    return replace(step, domain=())


def turned(step: Step) -> Step:
    """With the opposite inequality; an equality becomes "at least"."""
    return replace(step, sense=Sense.AT_MOST if step.sense is Sense.AT_LEAST else Sense.AT_LEAST)


def right_times(numerator: int, denominator: int = 1) -> Callable[[Step], Step]:
    """The change that multiplies the right side by a fraction."""
    return lambda step: replace(step, right=step.right * numerator / denominator)


# --- statements -------------------------------------------------------------------------------------------------------------------------


def times(theorem: Theorem, factor: Any) -> Theorem:
    """The bound times a factor."""
    changed = tuple(Case(case.condition, case.expression * factor) for case in theorem.stated().cases)
    return replace(theorem, bound=replace(theorem.stated(), cases=changed), published=None, findings=())


def stating(theorem: Theorem, expression: Any) -> Theorem:
    """Another expression for the bound."""
    return replace(theorem, bound=replace(theorem.stated(), cases=always(expression)), published=None, findings=())


def without(theorem: Theorem, quantity: Quantity) -> Theorem:
    """The bound at 1/10 of a quantity, whatever its value is."""
    return stating(theorem, theorem.stated().cases[0].expression.subs(symbol(quantity), Fraction(1, 10)))
