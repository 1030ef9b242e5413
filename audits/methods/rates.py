"""Rates of two statements in one quantity, read off their expressions: the only thing that a bound with suppressed constants can say.

Two comparisons, each exact, neither a number of the statement:
    an upper bound that grows more slowly than a proved lower bound on the same class of problems is false, and a lower bound that grows
    faster than a proved upper bound;
    a printed rate that is slower than that of the explicit constants of its own proof does not follow from that proof.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict, fields_json, from_fields
from banditproof.glossary import Quantity
from banditproof.theory.language import Sense, Theorem


@dataclass(frozen=True)
class RatesWitness:
    """The quantities in which one rate exceeds the other."""

    other: str  # id of the statement that the rates are compared with
    broken: tuple[Mapping[str, str], ...]
    kind: ClassVar[str] = "rates"

    def rows(self) -> list[tuple[str, Any]]:
        return [("other", self.other), ("broken", self.broken)]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "RatesWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class Rates:
    """Compares the rates of `theorem` and of `other` (calls: they are built when the audit runs) in each of `quantities`.

    AT_MOST: the theorem, an upper bound, may not grow more slowly than the other; AT_LEAST: a lower bound, not faster. Refuted where it
    does, else RATE_ONLY.
    """

    theorem: Callable[[], Theorem]
    other: Callable[[], Theorem]
    quantities: tuple[Quantity, ...]
    sense: Sense = Sense.AT_MOST
    statistical: bool = False
    prefix: ClassVar[str] = "rates"

    def measure(self, request: Request) -> Measurement:
        theorem, other = self.theorem(), self.other()
        lines: list[str] = []
        detail: dict[str, Any] = {}
        broken: list[dict[str, str]] = []
        for quantity in self.quantities:
            own, their = theorem.growth_in(quantity), other.growth_in(quantity)
            wrong = own < their if self.sense is Sense.AT_MOST else own > their
            line = {"quantity": own.quantity, "rate": str(own), "other": str(their)}
            detail[quantity.name] = line
            lines.append(f"{quantity.name}: {own} against {their}")
            if wrong:
                broken.append(line)
        against = f"rates of {theorem.id} against {other.id}: {'; '.join(lines)}"
        verdict = Verdict.REFUTED if broken else Verdict.RATE_ONLY
        return Measurement(
            verdict,
            quantity="rate",
            samples=len(self.quantities),
            assumed=("constants are suppressed: no number of the statement was checked, only its rate", f"{other.id} is true"),
            witness=RatesWitness(other.id, tuple(broken)) if broken else None,
            detail={"other": other.id, "rates": detail},
            message=against,
        )

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Reads the rates again: nothing is drawn."""
        return self.measure(Request(0.0, again.seed, again.path))
