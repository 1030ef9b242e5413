"""Times of calls: competitors in turn, so that all see the same machine, and the least of several."""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.runner.cases import Clock, Scale, TimedCall, Work
from benchmarks.runner.processes import machine_seconds, own_seconds

REPEATS, SLOW_REPEATS = {Scale.FULL: 7, Scale.QUICK: 3}, {Scale.FULL: 3, Scale.QUICK: 1}


@dataclass(frozen=True)
class Least:
    """The least seconds per unit, and the fraction of the cores that others used during that call (None: CPU time, or unknown)."""

    seconds: float
    others: float | None


def least_times(cases: Sequence[TimedCall], scale: Scale) -> Mapping[str, Least]:
    """By name. Each case is called once before, which compiles; slow ones are not, since they are plain Python."""
    works: dict[str, Work] = {case.name: case.prepare() for case in cases}
    for case in cases:
        if not case.slow:
            works[case.name]()
    found: dict[str, list[tuple[float, float | None]]] = {case.name: [] for case in cases}
    for repeat in range(REPEATS[scale]):
        for case in cases:
            if not case.slow or repeat < SLOW_REPEATS[scale]:
                found[case.name].append(_timed(works[case.name], case))
    return {name: Least(*min(times, key=lambda each: each[0])) for name, times in found.items()}


def _timed(work: Work, case: TimedCall) -> tuple[float, float | None]:
    watches = case.clock is Clock.WALL
    before, own = (machine_seconds(), own_seconds()) if watches else (None, 0.0)  # looked up off the clock: it takes milliseconds
    start = clock(case.clock)
    work()
    spent = clock(case.clock) - start
    return spent / case.units, others_fraction(before, spent, own_seconds() - own) if watches else None


def clock(kind: Clock) -> float:
    """What a clock of this kind shows, in seconds."""
    return time.process_time() if kind is Clock.CPU else time.perf_counter()


def others_fraction(before: float | None, wall: float, own: float) -> float | None:
    """The fraction of all cores that processes other than this one and its descendants used."""
    after = machine_seconds()
    if before is None or after is None or wall <= 0.05:
        return None
    return max(0.0, (after - before - own) / wall / (os.cpu_count() or 1))
