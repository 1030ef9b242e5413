"""Where the time of a run went, by audit and by phase, and what came before the first audit: beside the results, never in them."""

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager as Context
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

from banditproof.phases import Phase, recorded

Seconds = Mapping[Phase, float]


@dataclass(frozen=True)
class Profile:
    """Seconds by phase: of each audit that was computed, on its worker, and of what comes `before` the first audit.

    The phases of an audit add up to its seconds and, in the first audit of a paper on a worker, the time to import it. `elapsed` is the
    time of the whole run; `jobs` workers had it each.
    """

    jobs: int
    elapsed: float
    before: Seconds
    audits: Mapping[str, Seconds]

    def totals(self) -> dict[Phase, float]:
        """Seconds of all audits by phase, those of other work last, and phases without a second of work too."""
        return {phase: sum(seconds[phase] for seconds in self.audits.values()) for phase in Phase}

    def waiting(self) -> float:
        """Seconds in which a worker had no audit: it had not started yet, or there was nothing left to do. Never below 0."""
        busy = sum(self.totals().values())
        return max(0.0, self.jobs * (self.elapsed - sum(self.before.values())) - busy)

    def slowest(self, count: int) -> list[str]:
        """The audits that took longest, in that order."""
        return sorted(self.audits, key=lambda id: (-sum(self.audits[id].values()), id))[:count]


@dataclass
class Profiler:
    """Collects a profile, if it is `on`; else its methods cost nothing."""

    on: bool
    _before: dict[Phase, float] = field(default_factory=lambda: dict.fromkeys(Phase, 0.0))
    _begun: float = field(default_factory=time.perf_counter)

    def before(self) -> Context[object]:
        """A block of what comes before the first audit."""
        return self._counted() if self.on else nullcontext()

    def profile(self, jobs: int, audits: Mapping[str, Mapping[str, float]]) -> Profile | None:
        """The profile up to now; None where none was asked for. `audits`: as `TimedResult.phases` of those that were computed."""
        if not self.on:
            return None
        by_audit = {id: {phase: seconds.get(phase.value, 0.0) for phase in Phase} for id, seconds in audits.items()}
        return Profile(jobs, time.perf_counter() - self._begun, dict(self._before), by_audit)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with recorded() as seconds:
            yield
        for phase, value in seconds.items():
            self._before[phase] += value
