"""How a measured quantity grows between two values of a parameter, against a bound whose constants are suppressed.

Such a bound says nothing at one value. Between two it says a ratio, up to lower-order terms, for which `slack` stands and is named. What is
compared is a quantile of the measured quantity at both ends, each in an exact interval by order statistics. A rate that is not exceeded is
RATE_ONLY: no number of the statement has been checked.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics import design
from banditproof.audits.statistics.evidence import Measurement, Verdict, fields_json, from_fields
from banditproof.audits.statistics.sampling import cells
from banditproof.audits.statistics.tails import quantile_interval
from banditproof.interaction import Floats
from banditproof.phases import Phase, phase
from banditproof.randomness import key_of
from banditproof.theory.growth import Growth

Measure = Callable[[int], Callable[[int, np.random.Generator], Any]]  # value -> (runs, rng) -> (runs,)
SLACK = 2.0
CELL = 4_096  # runs that share one generator: a run may be as wide as a horizon


@dataclass(frozen=True)
class GrowthWitness:
    """The measured ratio of a quantile between two values, and the one that the rate allows."""

    first: int
    last: int
    quantile: float
    ratio: float
    allowed: float
    kind: ClassVar[str] = "growth"

    def rows(self) -> list[tuple[str, Any]]:
        return [(name, getattr(self, name)) for name in ("first", "last", "quantile", "ratio", "allowed")]

    def to_json(self) -> dict[str, Any]:
        return fields_json(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "GrowthWitness":
        return from_fields(cls, record)


@dataclass(frozen=True)
class GrowthRate:
    """`measure(value)` draws the quantity at a value of the parameter; `growth` is the claimed rate in it.

    Refuted where the `quantile` at `last` is, with confidence, more than `slack` times what the rate allows over that at `first`.
    """

    measure_at: Measure
    growth: Growth
    first: int
    last: int
    quantile: float = 0.9
    runs: int = 4_000
    slack: float = SLACK
    statistical: bool = True
    prefix: ClassVar[str] = "growth"

    def measure(self, request: Request) -> Measurement:
        return self._measured(self.runs * request.level.factor, request.false_alarm, request.seed, request.path)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """The same comparison on fresh draws, half of them at each end."""
        samples, false_alarm = again.of(before)
        return self._measured(samples // 2, false_alarm, again.seed, again.path)

    def _measured(self, runs: int, false_alarm: float, seed: int, path: tuple[str, ...]) -> Measurement:
        values = self.first, self.last
        ends = [_gathered(self.measure_at(value), runs, seed, (*path, str(value))) for value in values]
        for value, end in zip(values, ends, strict=True):
            outside = end[~(end >= 0.0)]
            if outside.size:
                raise ValueError(f"{outside[0]} at {self.growth.quantity} = {value}: must be >= 0 (of other numbers a ratio says nothing)")
        small, large = (quantile_interval(end, self.quantile, false_alarm / 2.0) for end in ends)
        if small[2] in (0.0, math.inf):
            said = f"the {self.quantile:.0%} quantile at {self.growth.quantity} = {self.first} is {small[2]:g}: there is no ratio to it"
            return Measurement(Verdict.INCONCLUSIVE, quantity="ratio", samples=2 * runs, false_alarm=false_alarm, message=said)
        allowed = claimed_ratio(self.growth, self.first, self.last)
        low = large[0] / small[2]
        ratio, high = (large[place] / small[2 - place] if small[2 - place] > 0.0 else math.inf for place in (1, 2))
        # What a violation must be to show: the width of the interval above the largest ratio that is allowed.
        detectable = allowed * self.slack * (high / low if low > 0.0 else math.inf)
        refuted = low > allowed * self.slack
        over = (
            f"from {self.growth.quantity} = {self.first} to {self.last} the {self.quantile:.0%} quantile becomes {ratio:.3g} times as large"
        )
        message = f"{over}; the rate {self.growth} allows a factor of {allowed:.3g}, and {self.slack:g} times that with lower-order terms"
        return Measurement(
            Verdict.REFUTED if refuted else Verdict.RATE_ONLY,
            quantity="ratio",
            claimed=allowed,
            estimate=ratio,
            low=low,
            high=high,
            false_alarm=false_alarm,
            must_detect=allowed * self.slack,
            detectable=detectable,
            miss_rate=design.MISS_RATE,
            samples=2 * runs,
            assumed=("constants are suppressed: no number of the statement was checked, only its rate between two values",),
            witness=GrowthWitness(self.first, self.last, self.quantile, ratio, allowed),
            detail={"slack": self.slack, "at_first": list(small), "at_last": list(large)},
            message=message,
        )


def claimed_ratio(growth: Growth, first: int, last: int) -> float:
    """(last / first)^power * (log last / log first)^log_power. Raises ValueError unless 1 < first < last."""
    if not 1 < first < last:
        raise ValueError(f"first = {first}, last = {last}: must be 1 < first < last")
    return float((last / first) ** float(growth.power) * (math.log(last) / math.log(first)) ** float(growth.log_power))


def _gathered(draw: Callable[[int, np.random.Generator], Any], runs: int, seed: int, path: tuple[str, ...]) -> Floats:
    key = key_of(seed, *path)
    with phase(Phase.DRAWING):
        return np.concatenate([np.asarray(draw(count, rng), dtype=float) for count, rng in cells(key, runs, CELL)])
