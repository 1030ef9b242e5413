"""How often a bound on a measured number fails, and how much of the bound is used where it holds: the slack.

Each fresh run gives one number, the largest fraction of its bound that it reaches in any of its rounds. The run fails where that exceeds
the limit, or is not a number; failures are judged as in `coverage`. The slack is read off the quantile that the claim speaks of: where a
bound may fail with probability alpha, the (1 - alpha) quantile of these numbers, times the bound, would have been enough.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from banditproof.audits.methods.coverage import Claim, judge
from banditproof.audits.methods.stated import Derived, Stated
from banditproof.audits.running.audit import Recheck, Request
from banditproof.audits.statistics.evidence import Measurement
from banditproof.audits.statistics.sampling import CELL, cells
from banditproof.audits.statistics.tails import quantile_interval
from banditproof.interaction import Floats
from banditproof.randomness import key_of

Utilisation = Callable[[int, np.random.Generator], Any]  # (runs, rng) -> (runs,) fractions of the bound


@dataclass(frozen=True)
class BoundUtilisation:
    """Counts the runs whose fraction of the bound exceeds `limit`, and reports the fraction attained. `stated` says how many runs may.

    `utilisation` returns one number per run and draws from its generator alone; `runs` are those of the quick level, and `cell` of them
    share a generator.
    """

    utilisation: Utilisation
    stated: Stated | Derived
    rule: str  # what fails, in words, and whose bound it is
    must_detect_ratio: float
    limit: float = 1.0
    runs: int = 20_000
    cell: int = CELL
    parameters: Mapping[str, Any] = field(default_factory=dict)
    statistical: bool = True
    prefix: ClassVar[str] = "tightness"

    def measure(self, request: Request) -> Measurement:
        return self._judged(self.runs * request.level.factor, request.false_alarm, request.seed, request.path)

    def recheck(self, before: Measurement, again: Recheck) -> Measurement:
        """Draws fresh runs."""
        return self._judged(*again.of(before), again.seed, again.path)

    def _judged(self, runs: int, false_alarm: float, seed: int, path: tuple[str, ...]) -> Measurement:
        claim = Claim(self.stated.failure(), self.stated.sense, self.must_detect_ratio)
        fractions = gathered(self.utilisation, runs, seed, path, self.cell)
        failures = int(np.count_nonzero(~(fractions <= self.limit)))
        result = judge(claim, failures, runs, false_alarm=false_alarm, rule=self.rule, parameters=self.parameters)
        if not np.isfinite(fractions).all():  # nothing to measure: some round had no bound at all
            return result
        level = 1.0 - claim.failure
        try:
            low, middle, high = quantile_interval(fractions, level, false_alarm)
        except ValueError as error:  # the verdict stands without it
            return replace(result, message=f"{result.message}; no interval for its slack ({error})")
        slack = f"{100.0 * level:.4g}% of the runs reach at most {middle:.3g} of the bound, half of them {np.median(fractions):.3g}"
        detail = {**result.detail, "utilisation": {"level": level, "low": low, "quantile": middle, "high": high}}
        return replace(result, detail=detail, message=f"{result.message}; {slack}")


def gathered(utilisation: Utilisation, runs: int, seed: int, path: tuple[str, ...], cell: int = CELL) -> Floats:
    """Fractions of the bound attained in fresh runs, shape (runs,). Draws from generators derived from `seed` and `path`.

    Raises ValueError, naming the shape, unless `utilisation` returns one number per run.
    """
    if runs < 1:
        raise ValueError(f"runs = {runs}: must be an integer >= 1")
    found = []
    for count, rng in cells(key_of(seed, *path, "failures"), runs, cell):
        fractions = np.asarray(utilisation(count, rng), dtype=float)
        if fractions.shape != (count,):
            raise ValueError(f"fractions of shape {fractions.shape}: must be ({count},), one per run")
        found.append(fractions)
    return np.concatenate(found)


def largest(fractions: Floats) -> Floats:
    """The largest fraction of each run over its rounds, NaN where one of them is: (runs, T) to (runs,)."""
    return np.asarray(fractions.max(axis=1))
