"""From which horizon a bound on the regret says anything: the least one at which it is below the trivial bound, T times the largest gap.

An explicit bound that grows more slowly than T becomes useful at one horizon and stays so, but where a tree gets a new level it may jump up
and be trivial again for a while. So the last horizon at which it is trivial is looked for, and the bound is looked at after every jump.
VACUOUS where no horizon up to `most` does.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement, Verdict, fields_json, from_fields

MOST = 10**18  # rounds
Jumps = Callable[[int], Iterable[int]]


@dataclass(frozen=True)
class VacuityWitness:
    """The least horizon at which the bound is below the trivial one; None where no horizon up to the limit is."""

    smallest_horizon: int | None
    kind: ClassVar[str] = "vacuity"

    def rows(self) -> list[tuple[str, Any]]:
        return [("smallest horizon", self.smallest_horizon)]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "VacuityWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class Vacuity:
    """`bound(horizon)` beside horizon * largest_gap; `claimed` is the horizon from which the bound is said to be below, if any.

    `jumps` are horizons from which on the bound may be larger than just before, up to a limit.
    Refuted where the bound is not below the trivial one at `claimed`, or not at a later horizon; RATE_ONLY does not arise, since constants
    are explicit. Raises ValueError unless least <= claimed <= most.
    """

    bound: Callable[[int], float]
    largest_gap: float
    claimed: int | None = None
    least: int = 2
    most: int = MOST
    parameters: Mapping[str, Any] = field(default_factory=dict)
    jumps: Jumps | None = None
    statistical: bool = False
    prefix: ClassVar[str] = "vacuity"

    def __post_init__(self) -> None:
        if self.claimed is not None and not self.least <= self.claimed <= self.most:
            raise ValueError(f"claimed = {self.claimed}: must be from {self.least} to {self.most:.3g} rounds, where horizons are looked at")

    def measure(self, request: Request) -> Measurement:
        first = smallest_horizon(self.bound, self.largest_gap, least=self.least, most=self.most, jumps=self.jumps)
        if self.claimed is not None and (first is None or self.claimed < first):
            ratio = self.bound(self.claimed) / (self.claimed * self.largest_gap)
            verdict = Verdict.REFUTED
            trivial = f"the trivial bound of {self.largest_gap:g} per round"
            again = f"but is no longer below it at a later horizon{f', before {first}' if first else ''}"
            message = f"at the claimed horizon {self.claimed} the bound is {ratio:.4g} times {trivial}, "
            message += again if ratio < 1.0 else "and not below it"
        elif first is None:
            verdict = Verdict.VACUOUS
            message = f"at no horizon up to {self.most:.3g} is the bound below the trivial bound of {self.largest_gap:g} per round"
        else:
            verdict = Verdict.NOT_REFUTED
            trivial = f"the trivial bound, {self.largest_gap:g} times the rounds"
            message = f"the bound is below {trivial}, from {first} rounds on ({first:.3g})"
        return Measurement(
            verdict,
            quantity="horizon",
            claimed=None if self.claimed is None else float(self.claimed),
            estimate=None if first is None else float(first),
            samples=1,
            must_detect=None if first is None else float(first),
            detectable=None if first is None else float(first),
            witness=VacuityWitness(first) if verdict is Verdict.REFUTED else None,
            detail={"smallest_horizon": first, "largest_gap": self.largest_gap, **self.parameters},
            message=message,
        )

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Computes the horizon again: nothing is drawn."""
        return self.measure(Request(0.0, again.seed, again.path))


def smallest_horizon(
    bound: Callable[[int], float], largest_gap: float, *, least: int = 2, most: int = MOST, jumps: Jumps | None = None
) -> int | None:
    """The smallest horizon from which on, up to `most`, bound(T) < T * largest_gap; None where the bound is not below that at `most`.

    Over T the bound must fall between its jumps: powers of two and one more, at which a level is added to a tree, unless `jumps` are given.
    There it may jump up.
    """
    starts = sorted({least, most, *(start for start in (jumps or _jumps)(most) if least < start < most)})
    high: int | None = None  # the bound is below the trivial one here and at every later start
    for low in reversed(starts):
        if not bound(low) < low * largest_gap:  # NaN is below nothing
            break
        high = low
    else:
        return least
    if high is None:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bound(middle) < middle * largest_gap else (middle, high)
    return high


def _jumps(most: int) -> Iterator[int]:
    """Powers of two up to `most`, and one more than each."""
    power = 2
    while power < most:
        yield from (power, power + 1)
        power *= 2
