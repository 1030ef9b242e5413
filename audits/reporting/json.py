"""The published record of a run: no times, no job counts, no machine facts."""

from typing import Any

from banditproof.audits.reporting.profile import profile_json
from banditproof.audits.running.report import AuditResult, Report
from banditproof.audits.statistics.evidence import Measurement, Verdict

SCHEMA, SCHEMA_TIMES = "banditproof/verify/3", "banditproof/times/2"


def record(report: Report) -> dict[str, Any]:
    """The run as plain JSON: equal runs give equal records."""
    from banditproof.audits.running.run import software

    settings = report.settings
    unchecked = [
        AuditResult(item.theorem, item.theorem, "", Measurement(Verdict.NOT_CHECKABLE, message=item.reason), seed=settings.seed)
        for item in report.unchecked
    ]
    return {
        "schema": SCHEMA,
        "banditproof": software(),
        "pattern": settings.pattern,
        "level": settings.level,
        "false_alarm": settings.false_alarm,
        "seed": settings.seed,
        "complete": report.complete,
        "results": [result.to_json() for result in (*report.results, *unchecked)],
    }


def times(report: Report) -> dict[str, Any]:
    """What stays out of the record: seconds and memory of each audit, traces of crashes, the number of workers, the profile where there is
    one."""
    seconds = {audit: round(value, 3) for audit, value in report.seconds.items()}
    profile = {} if report.profile is None else {"profile": profile_json(report.profile)}
    peaks = {audit: round(value / 1e6, 1) for audit, value in report.peaks.items()}
    own = {"seconds": seconds, "peak_memory": peaks, "traces": dict(report.traces)}
    return {"schema": SCHEMA_TIMES, "jobs": report.settings.jobs, **own, **profile}
