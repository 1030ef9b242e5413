"""What a pattern of ids picks, and the report on a run over it. The command line and `banditproof.verify` both start here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from banditproof.audits.running import ledger, registry
from banditproof.audits.running.audit import Audit, stem_of
from banditproof.audits.running.naming import nearest, shortened
from banditproof.audits.running.report import Report, Settings, Unchecked
from banditproof.audits.running.run import TimedResult, statistical

if TYPE_CHECKING:
    from banditproof.theory.language import Theorem


@dataclass(frozen=True)
class Selection:
    """What a pattern picks: audits, statements that nothing can check, and statements that nobody audits yet."""

    audits: tuple[Audit, ...]
    unchecked: "tuple[Theorem, ...]"
    unaudited: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether it picks anything."""
        return bool(self.audits or self.unchecked or self.unaudited)


def select(pattern: str | None) -> Selection:
    """What a pattern picks, in the order of the statements. Raises LookupError on an exact id that does not exist, naming the nearest."""
    ledger.watch()
    stems = registry.stems_for(pattern)
    wild = pattern is not None and set("*?[") & set(pattern)
    if pattern is not None and not stems and not wild:
        raise _unknown(pattern)
    theorems = registry.every(registry.theorems, stems)
    audits = registry.select(pattern)
    matching = [item for id, item in theorems.items() if registry.matches(pattern, id)]
    if pattern is not None and not audits and not matching and not wild:
        raise _unknown(pattern)
    place = {id: position for position, id in enumerate(theorems)}
    audits.sort(key=lambda audit: place.get(audit.theorem, len(place)))
    audited = {audit.theorem for audit in registry.every(registry.audits, stems).values()}
    return Selection(
        tuple(audits),
        tuple(item for item in matching if item.bound is None and item.id not in audited),
        tuple(item.id for item in matching if item.bound is not None and item.id not in audited),
    )


def _unknown(pattern: str) -> LookupError:
    papers = registry.papers()
    near = nearest(pattern, (*papers, *registry.nearby(pattern, registry.theorems, registry.audits)))
    near = near or f"; there are the papers {', '.join(papers)}"
    return LookupError(f"pattern {shortened(pattern)}: no statement, audit or paper has this id{near}")


def reported(chosen: Selection, settings: Settings, finished: Mapping[str, TimedResult], *, complete: bool) -> Report:
    """The report on those audits of a selection that have finished (by id)."""
    ordered = [finished[audit.id] for audit in chosen.audits if audit.id in finished]
    measured = [audit for audit in chosen.audits if audit.id in finished and not finished[audit.id].dropped]
    return Report(
        settings,
        tuple(timed.result for timed in ordered),
        requested=len(chosen.audits),
        unchecked=tuple(Unchecked(item.id, item.not_checkable) for item in chosen.unchecked),
        unaudited=chosen.unaudited,
        claims=claims(chosen),
        statistical=statistical(measured),
        complete=complete,
        seconds={timed.result.audit: timed.seconds for timed in ordered},
        peaks={timed.result.audit: timed.peak for timed in ordered if timed.peak is not None},
        traces={timed.result.audit: timed.trace for timed in ordered if timed.trace},
        reused=sum(timed.reused for timed in ordered),
    )


def claims(chosen: Selection) -> dict[str, str]:
    """The inequality of each statement that is audited, where one line says it."""
    from banditproof.theory.rendering import inequality

    found = {}
    for id in dict.fromkeys(audit.theorem for audit in chosen.audits):
        theorem = registry.theorems(stem_of(id)).get(id)
        if theorem is not None and theorem.bound is not None and len(theorem.bound.cases) == 1:
            found[id] = inequality(theorem.bound)[0]
    return found
