"""Other readings of a claim that is refuted: a group of records, and another relation between neighbours.

    for_group      the claim on a group of k, by group privacy
    other_reading  the relation under which the same number says less about the same pair, with what it allows there
    by_chance      how likely counts like these are if the claim is true

A claim under one relation implies another one under a wider relation: two datasets that differ in one record are two steps of
add_or_remove apart (the record is removed, another is added), and those that differ in k records are k steps apart. k steps of an
(epsilon, delta) claim give (k epsilon, delta (1 + e^epsilon + ... + e^((k - 1) epsilon))) (Dwork and Roth 2014, Theorem 2.2 and its
proof), k steps of mu give k mu (Dong, Roth and Su 2022, Theorem 2.14).
"""

import math
from dataclasses import dataclass, replace
from typing import Any, assert_never

import numpy as np

from banditproof.audits.privacy.claims import claimed_loss, unbounded
from banditproof.audits.privacy.declared import plain
from banditproof.audits.privacy.statistic import statistic_of
from banditproof.audits.privacy.witness import privacy_witness
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, NeighbouringRelation, PureDP, RenyiDP, ZeroConcentratedDP
from banditproof.mechanism import Neighbours


def for_group(claim: Guarantee, group: int) -> Guarantee:
    """What the claim on neighbours says of datasets that are `group` steps apart. Raises ValueError where that is nothing (delta >= 1), and
    for a privacy definition that guesses do not bound."""
    if group == 1:
        return claim
    match claim:
        case PureDP():
            return replace(claim, epsilon=group * claim.epsilon)
        case ApproximateDP():
            delta = _group_delta(claim, group)
            if not delta < 1.0:
                raise ValueError(
                    f"group = {group}: {claim.epsilon:g} and delta {claim.delta:g} say nothing of so many records (delta >= 1)"
                )
            return replace(claim, epsilon=group * claim.epsilon, delta=delta)
        case GaussianDP():
            return replace(claim, mu=group * claim.mu)
        case ZeroConcentratedDP() | RenyiDP():
            raise unbounded(claim)
        case _:
            assert_never(claim)


def _group_delta(claim: ApproximateDP, group: int) -> float:
    try:
        return claim.delta * math.expm1(group * claim.epsilon) / math.expm1(claim.epsilon)
    except OverflowError:
        return math.inf


@dataclass(frozen=True)
class OtherReading:
    """The claim, read under `relation`: `steps` steps of it allow a loss of `allows` on the pair. `pairs` are what to test it on."""

    relation: NeighbouringRelation
    steps: int
    allows: float
    why: str
    pairs: tuple[tuple[Any, Any], ...]
    group: int = 1
    sensitivity: float = 1.0

    def neighbours(self) -> dict[str, Any]:
        """What to give as `neighbours`, to test it."""
        named = {name: value for name, value in (("group", self.group), ("sensitivity", self.sensitivity)) if value != 1}
        return {"relation": self.relation.value, **named, "worst": plain(self.pairs)}

    def contradicted(self, claim: Guarantee, low: float) -> bool | None:
        """Whether a lower bound on the pair's loss refutes this reading too; None where delta leaves that open."""
        if low <= self.allows:
            return False
        return None if isinstance(claim, ApproximateDP) else True

    def sentence(self, claim: Guarantee, low: float) -> str:
        """What the measured bound says of this reading."""
        symbol, level = statistic_of(claim).symbol, f"{claimed_loss(claim):g}"
        allowed = f"{self.why}, so that {symbol} = {level} under {self.relation.value} allows {symbol} = {self.allows:g} on this pair"
        match self.contradicted(claim, low):
            case False:
                return f"{allowed}, and {_floor(low)} was measured: these draws do not contradict the claim under {self.relation.value}"
            case True:
                return f"{allowed}, and {_floor(low)} was measured: they refute the claim under {self.relation.value} too"
            case None:
                return f"{allowed}, with a larger delta: the draws do not say whether the claim holds under {self.relation.value}"

    def to_json(self, claim: Guarantee, low: float) -> dict[str, Any]:
        """For the result's detail."""
        return {
            "relation": self.relation.value,
            "allows": self.allows,
            "contradicted": self.contradicted(claim, low),
            "sentence": self.sentence(claim, low),
            "neighbours": self.neighbours(),
        }


def _floor(low: float) -> str:
    """A lower bound, not rounded up."""
    return f"{math.floor(low * 1000) / 1000:g}" if math.isfinite(low) else "an infinite loss"


def other_reading(claim: Guarantee, pair: tuple[Any, Any], declared: Neighbours | None) -> OtherReading | None:
    """The relation that people confuse with the claim's on such a pair; None where there is none, or where it allows no more."""
    group = 1 if declared is None else declared.group
    try:
        a, b = (np.asarray(side, dtype=float) for side in pair)
    except (TypeError, ValueError):
        return None
    if group > 1 or a.shape != b.shape or a.ndim == 0:
        return None
    level = claimed_loss(claim)
    differing = [index for index in range(len(a)) if not np.array_equal(a[index], b[index], equal_nan=True)]
    match claim.relation:
        case NeighbouringRelation.REPLACE_RECORD if len(differing) == 1:
            without = [record for index, record in enumerate(pair[0]) if index != differing[0]]
            why = "a record that is replaced is one removed and one added"
            return OtherReading(NeighbouringRelation.ADD_OR_REMOVE, 2, 2 * level, why, ((pair[0], without), (pair[1], without)))
        case NeighbouringRelation.ANY_PAIR if len(differing) > 1:
            k = len(differing)
            why = f"the datasets differ in a group of {k} records"
            return OtherReading(NeighbouringRelation.REPLACE_RECORD, k, k * level, why, (pair,), k)
        case NeighbouringRelation.EVERY_QUERY:
            size = 1.0 if declared is None else declared.sensitivity
            distance = float(np.abs(a - b).sum())
            k = math.ceil(distance / size * (1 - 1e-12)) if math.isfinite(distance) else 1
            why = f"the answers are {distance:g} apart in all (L1), {k} times the sensitivity"
            return OtherReading(NeighbouringRelation.QUERY_SENSITIVITY, k, k * level, why, (pair,), k, size) if k > 1 else None
        case _:
            return None


def with_reading(measured: Measurement, claim: Guarantee, pair: tuple[Any, Any], declared: Neighbours | None) -> Measurement:
    """The measurement, if it refutes, with what it says of another reading of the claim, in its detail."""
    reading = other_reading(claim, pair, declared) if measured.verdict is Verdict.REFUTED else None
    if reading is None or measured.low is None:
        return measured
    detail = {**measured.detail, "other_relation": reading.to_json(claim, measured.low)}
    return replace(measured, detail=detail)


def by_chance(measured: Measurement) -> float:
    """At most the probability that a true claim gives counts like these, or more extreme ones: the p-value, and where delta may explain
    some of the correct guesses, the part of the significance level that is spent on more of them. 1 for what is not a privacy count."""
    if measured.false_alarm is None or "p_value" not in measured.detail:
        return 1.0
    statistic = statistic_of(privacy_witness(measured).claim)
    leaks = measured.false_alarm - statistic.counting_rate(measured.false_alarm)
    return min(1.0, float(measured.detail["p_value"]) + leaks)


def chance(measured: Measurement) -> str:
    """`by_chance` in words."""
    likely = by_chance(measured)
    shown = f"at most {likely:.1g}" if likely > 1e-300 else "below 1e-300"
    return f"if the claim were true, counts like these would come up by accident with probability {shown}"
