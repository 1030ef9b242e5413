"""The table of `verify --profile`: seconds by phase and the slowest audits, on one screen; and the same numbers as plain JSON."""

from typing import TYPE_CHECKING, Any

from banditproof.audits.running.profile import Profile, Seconds
from banditproof.audits.statistics.evidence import counted
from banditproof.phases import Phase

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

SLOWEST = 8  # rows: with the phases and the lines around them, what a terminal of 24 lines shows
MEANING = {
    Phase.DRAWING: "outputs of mechanisms, and events in repeated runs",
    Phase.PLAYING: "rounds of bandit algorithms",
    Phase.TESTING: "the audits' own work: statistics, models, comparisons",
    Phase.PROVING: "lines of proofs",
    Phase.IMPORTING: "modules, in each worker anew",
    Phase.COMPILING: "kernels: compiled, waited for, or read from the cache",
    Phase.OTHER: "what is in none of these",
}


def profile_json(profile: Profile) -> dict[str, Any]:
    """The profile as plain JSON, in milliseconds' precision."""
    return {
        "elapsed": round(profile.elapsed, 3),
        "before": _plain(profile.before),
        "totals": _plain(profile.totals()),
        "waiting": round(profile.waiting(), 3),
        "audits": {id: _plain(seconds) for id, seconds in profile.audits.items()},
    }


def _plain(seconds: Seconds) -> dict[str, float]:
    return {phase.value: round(value, 3) for phase, value in seconds.items()}


def show_profile(profile: Profile) -> None:
    """Prints the table on standard error: times are no results."""
    from banditproof.audits.reporting.table import console, say

    screen = console(stderr=True)
    say(screen, *profile_table(profile, screen))


def profile_table(profile: Profile, screen: "Console") -> "list[RenderableType]":
    """What `show_profile` prints."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from banditproof.audits.reporting.table import clipped
    from banditproof.audits.reporting.table import seconds as shown

    totals = profile.totals()
    whole = sum(totals.values())
    phases = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading, justify in (("phase", "left"), ("seconds", "right"), ("fraction", "right"), ("what it is", "left")):
        phases.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for phase in sorted(totals, key=lambda each: -totals[each]):
        fraction = f"{totals[phase] / whole:.0%}" if whole else ""
        phases.add_row(phase.value, shown(totals[phase]), fraction, MEANING[phase])
    audits = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading, justify in (("slowest audits", "left"), ("seconds", "right"), ("most of it", "left")):
        audits.add_column(heading, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    for id in profile.slowest(SLOWEST):
        seconds = profile.audits[id]
        first = max(seconds, key=lambda each: seconds[each])
        audits.add_row(clipped(id, max(screen.width - 30, 10)), shown(sum(seconds.values())), f"{first.value} {shown(seconds[first])}")
    parts: list[RenderableType] = [*map(Text, _sentences(profile, whole)), Text(), phases]
    return [*parts, Text(), audits] if profile.audits else parts


def _sentences(profile: Profile, whole: float) -> list[str]:
    from banditproof.audits.reporting.table import seconds as shown

    before = ", ".join(f"{phase.value} {shown(value)}" for phase, value in profile.before.items() if value >= 0.05)
    workers = counted(profile.jobs, "worker")
    first = f"{shown(sum(profile.before.values()))} s before the first audit" + (f" ({before})" if before else "")
    said = f"{shown(profile.elapsed)} s: {first}"
    if not profile.audits:
        return [f"{said}; no audit was computed, all results are from the ledger (--fresh computes them)"]
    ran = counted(len(profile.audits), "audit")
    return [said, f"{ran} took {shown(whole)} s on {workers}, which waited {shown(profile.waiting())} s for work or to start"]
