"""`make bench`: measures what this machine does with the package, beside plain versions, peers and limits, as ratios within one run.

    make bench                                everything but what takes minutes (subjects that say LONG)
    make bench ARGS="lin_ucb elimination"     these subjects: modules of benchmarks/
    make bench ARGS="--only '*k100*'"         cases by pattern or part of "subject.case", and what they are compared with
    make bench ARGS=growth                    how cost grows; exit code 1 where an exponent exceeds what the method should cost

A run of full scale is kept in benchmarks/results/ (`runner/results.py` has the format); `--compare` shows the last one of this type of
machine beside it. Exit codes: 0 measured, whether targets are met or not; 1 an exponent is too large; 2 usage; 5 nothing matches.
"""

import argparse
import fnmatch
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, assert_never, cast

from benchmarks.runner import results, table
from benchmarks.runner.cases import Case, Clock, Figure, Growth, Missing, Scale, Subject, Target, TimedCall
from benchmarks.runner.fits import fitted
from benchmarks.runner.results import Row
from benchmarks.runner.timing import Least, least_times


@dataclass
class Measured:
    """What a run found so far."""

    rows: list[Row] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    names = subjects()
    parser = argparse.ArgumentParser(prog="make bench ARGS=...", description="Times, ratios, memory and growth; a table and a record.")
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=f"of {', '.join(names)} (default: all but those that take minutes)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="PATTERN", help="shell pattern of cases, or part of a name (several: again)"
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds and repeats; not recorded")
    parser.add_argument("--compare", action="store_true", help="show the last recorded figures of this type of machine")
    parser.add_argument("--no-record", action="store_true", help="write nothing to benchmarks/results/")
    asked = parser.parse_args(words)
    for name in asked.subjects:
        if name not in names:
            parser.error(f"subject {name}: must be one of {', '.join(names)}")
    return asked


def subjects() -> list[str]:
    """The modules of benchmarks/, by name."""
    return sorted(found.name for found in pkgutil.iter_modules([str(Path(__file__).parent)]) if not found.ispkg and found.name[0] != "_")


def selected(asked: argparse.Namespace, scale: Scale) -> list[tuple[str, list[Case]]]:
    """The cases of each subject that are asked for, and those that they are compared with."""
    chosen = []
    for name in asked.subjects or subjects():
        subject = cast(Subject, importlib.import_module(f"benchmarks.{name}"))
        if asked.subjects or asked.only or not subject.LONG:
            cases = list(subject.cases(scale))
            wanted = {case.name for case in cases if _matches(f"{name}.{case.name}", asked.only)}
            compared = {other for case in cases if case.name in wanted and isinstance(case, TimedCall) for other in case.against}
            if wanted:
                chosen.append((name, [case for case in cases if case.name in wanted | compared]))
    return chosen


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) or pattern in name for pattern in patterns)


def measure(name: str, cases: Sequence[Case], scale: Scale, found: Measured) -> None:
    """Adds a subject's figures. Cases that are timed are timed together, first."""
    timed = [case for case in cases if isinstance(case, TimedCall)]
    times = least_times(timed, scale) if timed else {}
    for case in cases:
        full = f"{name}.{case.name}"
        match case:
            case TimedCall():
                found.rows.append(_row(full, case, times))
            case Figure():
                value = case.measure()
                found.rows.append({"name": full, "value": value, "unit": case.unit, **_asked(case.target, value), **_note(case.note)})
            case Growth():
                fit = fitted(replace(case, name=full), scale)
                asked = {"asked": f"<= {case.allowed:g}", "met": not fit.exceeds()}
                more = {"low": fit.low, "allowed": case.allowed, "sizes": list(fit.sizes), "note": case.model}
                found.rows.append({"name": full, "value": fit.measured, "unit": f"power of {case.variable}", **asked, **more})
                found.complaints += [fit.complaint()] * fit.exceeds()
            case Missing():
                found.missing[full] = case.reason
            case _:
                assert_never(case)


def _row(full: str, case: TimedCall, times: Any) -> Row:
    own: Least = times[case.name]
    unit = f"ns per {case.unit}" + (" (wall)" if case.clock is Clock.WALL else "")
    row: Row = {"name": full, "value": own.seconds * 1e9, "unit": unit, "clock": case.clock.value, "others": own.others}
    row |= _asked(case.throughput, 1.0 / own.seconds, f" {case.unit}s per second")
    row["against"] = [
        {"name": other, "times": ratio, **_asked(target, ratio)}
        for other, target in case.against.items()
        if other in times
        for ratio in (times[other].seconds / own.seconds,)
    ]
    return {**row, **_note(case.note)}


def _asked(target: Target | None, value: float, unit: str = "") -> Row:
    return {} if target is None else {"asked": f"{target}{unit}", "met": target.met(value), "source": target.source}


def _note(note: str) -> Row:
    return {"note": note} if note else {}


def main(words: Sequence[str] | None = None) -> int:
    """The exit code."""
    asked = arguments(words)
    scale = Scale.QUICK if asked.quick else Scale.FULL
    chosen = selected(asked, scale)
    if not chosen:
        sys.stderr.write(f"no case matches {', '.join(asked.only)}\n")
        return 5
    before, last = os.getloadavg()[0], results.last_rows(scale) if asked.compare else None
    found = Measured()
    for place, (name, cases) in enumerate(chosen, 1):
        sys.stderr.write(f"{place} of {len(chosen)}: {name}, {len(cases)} cases\n")
        measure(name, cases, scale, found)
    run = results.record(found.rows, found.missing, scale, (before, os.getloadavg()[0]))
    facts, after = run["machine"], run["load_averages"][1]
    print(f"{facts['cpu']}, {facts['cores']} cores; Python {facts['python']}; load {before:.1f} to {after:.1f}; {run['commit']}")
    print("\n".join(table.lines(found.rows, found.missing, last)))
    if scale is Scale.FULL and not asked.no_record:
        print(f"kept: {results.write(run).relative_to(results.ROOT)}")
    for complaint in found.complaints:
        sys.stderr.write(f"{complaint}\n")
    return 1 if found.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
