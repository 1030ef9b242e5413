"""Outcomes put together: what a number of runs cannot decide, said before they begin, and a sentence over all ways of running it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from banditproof.audits.experiments.experiment import FALSE_ALARM, Outcome, OutcomeVerdict


def too_few(outcomes: Mapping[str, Iterable[Outcome]], runs: int) -> tuple[str, ...]:
    """What so many runs cannot decide, and how many could: a line for each number; none where each verdict is possible of each outcome.

    To be asked before any run: levels and numbers of comparisons depend on the design alone.
    """
    needed: dict[tuple[OutcomeVerdict, int], list[str]] = {}
    for each in dict.fromkeys(outcome for group in outcomes.values() for outcome in group):
        for verdict, least in zip((OutcomeVerdict.REPRODUCED, OutcomeVerdict.CONTRADICTED), each.least_runs(), strict=True):
            if runs < least and each.id not in needed.setdefault((verdict, least), []):
                needed[verdict, least].append(each.id)
    return tuple(
        f"{runs} runs cannot find outcome{'s' if len(ids) > 1 else ''} {', '.join(ids)} {verdict.value}, whatever they show: "
        f"at least {least} are needed at the significance level {FALSE_ALARM:g}"
        for (verdict, least), ids in sorted(needed.items(), key=lambda item: item[0][1])
    )


@dataclass(frozen=True)
class Judgement:
    """A sentence of the paper over all ways of running."""

    id: str
    quote: str
    verdict: OutcomeVerdict
    by_way: dict[str, str]
    reason: str

    def describe(self) -> dict[str, Any]:
        return {"id": self.id, "quote": self.quote, "verdict": self.verdict.value, "reason": self.reason, "by_way": self.by_way}


def judged(outcomes: Mapping[str, Iterable[Outcome]]) -> tuple[Judgement, ...]:
    """Each reported outcome over all ways: reproduced if it is in each, contradicted if it is in each and the paper states all that it
    depends on, else inconclusive, with the reason."""
    groups: dict[str, dict[str, Outcome]] = {}
    for way, group in outcomes.items():
        for outcome in group:
            groups.setdefault(outcome.id, {})[way] = outcome
    return tuple(_judged(id, ways) for id, ways in groups.items())


def _judged(id: str, ways: Mapping[str, Outcome]) -> Judgement:
    found = {way: outcome.verdict() for way, outcome in ways.items()}
    kinds, one = set(found.values()), next(iter(ways.values()))
    missing = "; ".join(dict.fromkeys(outcome.missing for outcome in ways.values() if outcome.missing))
    unstated = f"not stated: {missing}" if missing else ""
    verdict, reason = OutcomeVerdict.INCONCLUSIVE, unstated
    if kinds == {OutcomeVerdict.REPRODUCED}:
        verdict, reason = OutcomeVerdict.REPRODUCED, ""
    elif kinds == {OutcomeVerdict.CONTRADICTED} and not missing:
        verdict = OutcomeVerdict.CONTRADICTED
    elif kinds == {OutcomeVerdict.CONTRADICTED}:
        reason = f"contradicted in each way of running; {unstated}"
    elif kinds == {OutcomeVerdict.INCONCLUSIVE}:
        known = dict.fromkeys(outcome.undecided for outcome in ways.values() if outcome.undecided)
        reason = "; ".join((*known, unstated) if unstated else known) or "too few runs agree"
    else:
        reason = "; ".join(filter(None, ("the ways of running differ", unstated)))
    return Judgement(id, one.quote or one.reported, verdict, {way: each.value for way, each in found.items()}, reason)
