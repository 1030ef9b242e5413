"""The verdict on a privacy claim from the counts of one event that was fixed before them.

What the counts say of the claim is the affair of its `Statistic`. The Clopper-Pearson pair of the textbooks and a posterior stand beside
it; neither is used in the verdict.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from banditproof.audits.privacy.events import Event
from banditproof.audits.privacy.outputs import CONFIRM, Source, to_width
from banditproof.audits.privacy.plan import samples_for_loss
from banditproof.audits.privacy.selection import Seen, Selection
from banditproof.audits.privacy.statistic import Leaks, Statistic, statistic_of
from banditproof.audits.privacy.witness import PrivacyWitness
from banditproof.audits.statistics.design import MISS_RATE, SIGNIFICANCE_LEVEL, check_false_alarm, shows, with_power
from banditproof.audits.statistics.evidence import Measurement, Verdict, at_least, at_most
from banditproof.audits.statistics.tails import binomial_tail, lower_probability, upper_probability
from banditproof.guarantees import Guarantee

HIDDEN = "outputs that hardly ever repeat, as text with a number in it, are seen only as equal or not: a loss within them does not show"
MUST_DETECT = 1.25  # times the claimed loss, where a case says nothing else


@dataclass(frozen=True, kw_only=True)
class AuditSettings:
    """What a comparison is asked for. Raises ValueError on a claim that guesses do not bound, and on a bad significance level.

    `false_alarm` is the significance level: the probability of refuting a true claim. `path` addresses the draws below `seed`.
    `must_detect` is a loss, MUST_DETECT times the claimed one by default; `exact` is the loss where it is known.
    """

    claim: Guarantee
    seed: int
    samples: int = 200_000  # outputs of both sides in all
    false_alarm: float = SIGNIFICANCE_LEVEL
    path: tuple[str, ...] = ()
    must_detect: float | None = None
    exact: float | None = None
    posterior: bool = False  # also sample the PyMC model
    float_bits: bool = False  # also attack the last bits of the outputs
    sparing: bool = False  # of an event that lies within the claim, count no more outputs than `must_detect` takes (`sparing`)
    ratio: bool = False  # the outputs are an exact log likelihood ratio, that of the second neighbour over the first: no score is fitted

    def __post_init__(self) -> None:
        statistic_of(self.claim)
        check_false_alarm(self.false_alarm)

    @property
    def statistic(self) -> Statistic:
        return statistic_of(self.claim)

    @property
    def violation(self) -> float:
        """The loss that must be detected."""
        return MUST_DETECT * self.statistic.claimed if self.must_detect is None else self.must_detect


@dataclass(frozen=True)
class Counts:
    """What an event did in the confirming draws."""

    trials: int
    right: int
    wrong: int
    neighbour_high: int  # outputs of the neighbour above the high threshold, and so on
    dataset_high: int
    neighbour_low: int
    dataset_low: int
    neighbour: int  # trials whose label was the neighbour
    missing: tuple[int, int] = (0, 0)  # trials of the dataset and of the neighbour that a source had no output for; they count as wrong


def count(statistic: Statistic, selection: Selection, source: Source, trials: int, labels: np.random.Generator) -> Counts:
    """Counts an event on fresh random-label trials, cell by cell. A source that runs short pays with wrong guesses."""
    neighbour = int(labels.binomial(trials, 0.5))
    table = np.zeros((2, 2), dtype=np.int64)  # side, guess
    runs, got = (trials - neighbour, neighbour), [0, 0]
    for side, cell in source.both(CONFIRM, runs):
        guesses = statistic.decisions(selection.event, to_width(cell, selection.width))
        table[side] += np.bincount(guesses[guesses >= 0], minlength=2)
        got[side] += len(cell)
    missing = [wanted - there for wanted, there in zip(runs, got, strict=True)]
    return Counts(
        trials=trials,
        right=int(table[0, 0] + table[1, 1]),
        wrong=int(table[0, 1] + table[1, 0]) + sum(missing),
        neighbour_high=int(table[1, 1]),
        dataset_high=int(table[0, 1]),
        neighbour_low=int(table[1, 0]),
        dataset_low=int(table[0, 0]),
        neighbour=neighbour,
        missing=(missing[0], missing[1]),
    )


@dataclass(frozen=True)
class Bounds:
    """The exact test of one event's counts, and the bounds that belong to it."""

    p_value: float
    level: float  # at which the p-value refutes
    given: Leaks
    estimate: float
    low: float
    high: float
    detectable: float

    @classmethod
    def of(cls, statistic: Statistic, counts: Counts, both_ways: bool, false_alarm: float) -> "Bounds":
        given = statistic.leaks(counts.trials, false_alarm, both_ways)
        guesses, rate = counts.right + counts.wrong, statistic.counting_rate(false_alarm)
        kept, left = max(counts.right - given.most, 0), max(guesses - given.most, 0)
        # The upper bound takes off as few leaks as there may be except for its own share of the false-alarm rate.
        fewest = min(statistic.leaks(counts.trials, false_alarm, both_ways, miss_rate=false_alarm).fewest, counts.right)
        upper = upper_probability(counts.right - fewest, guesses - fewest, rate) if guesses > fewest else 1.0
        fraction = max(counts.right - given.mean, 0.0) / (guesses - given.mean) if guesses > given.mean else 0.0
        return cls(
            p_value=binomial_tail(kept, left, statistic.right_rate) if left else 1.0,
            level=rate,
            given=given,
            estimate=statistic.loss_of_rate(fraction),
            low=statistic.loss_of_rate(lower_probability(kept, left, rate)) if left else 0.0,
            high=statistic.loss_of_rate(upper),
            detectable=statistic.detectable_loss(
                guesses=guesses, trials=counts.trials, false_alarm=false_alarm, miss_rate=MISS_RATE, both_ways=both_ways
            ),
        )


def judge(counts: Counts, selection: Selection, settings: AuditSettings) -> Measurement:
    """The verdict on a claim from the counts of one event that was fixed before them; `settings.samples` outputs were drawn for it."""
    statistic = settings.statistic
    test = Bounds.of(statistic, counts, selection.event.both_ways, settings.false_alarm)
    must = settings.violation
    verdict, message = _verdict(test, counts, selection, must, settings)
    return Measurement(
        verdict,
        quantity=statistic.symbol,
        claimed=statistic.claimed,
        estimate=test.estimate,
        low=test.low,
        high=test.high,
        exact=settings.exact,
        false_alarm=settings.false_alarm,
        must_detect=must,
        detectable=test.detectable,
        miss_rate=MISS_RATE,
        samples=settings.samples,
        assumed=(
            "the outputs are i.i.d. given the dataset",
            f"privacy loss confined to events of probability below about {3 / max(counts.trials, 1):.1g} is not visible at this sample"
            " size",
            *(() if selection.seen is Seen.WHOLE else (HIDDEN,)),
        ),
        witness=PrivacyWitness(
            claim=settings.claim,
            event=selection.event,
            width=selection.width,
            trials=counts.trials,
            right=counts.right,
            wrong=counts.wrong,
            leaks=test.given.most,
            leaks_expected=test.given.mean,
        ),
        detail=_beside(test, counts, selection, settings),
        message=message,
    )


def _verdict(test: Bounds, counts: Counts, selection: Selection, must: float, settings: AuditSettings) -> tuple[Verdict, str]:
    statistic, guesses = settings.statistic, counts.right + counts.wrong
    if test.p_value <= test.level:
        leaked = f", {test.given.most} of them leaks that delta allows" if test.given.most else ""
        allowed = f"the claim allows {statistic.right_rate:.2%}: {statistic.symbol} >= {at_least(test.low, statistic.claimed)}"
        return Verdict.REFUTED, f"{counts.right} correct guesses of {guesses}{leaked}; {allowed}"
    if selection.seen is Seen.AS_EQUAL:
        return Verdict.INCONCLUSIVE, f"{HIDDEN} (return the numbers themselves)"
    if shows(test.detectable, must):
        caught = f"a true {statistic.symbol} of {at_most(test.detectable)} on this event"
        return Verdict.NOT_REFUTED, f"{caught} would have been refuted {with_power(MISS_RATE)}"
    return Verdict.INCONCLUSIVE, f"would have missed {statistic.symbol} = {must:.4g}: {_needed(must, selection, settings)}"


def _needed(must: float, selection: Selection, settings: AuditSettings) -> str:
    """How many outputs would settle it, in words."""
    mass = selection.mass if settings.statistic.abstains else 1.0
    try:
        needed = samples_for_loss(
            settings.claim,
            violation=must,
            mass=mass,
            false_alarm=settings.false_alarm,
            miss_rate=MISS_RATE,
            both_ways=selection.event.both_ways,
        )
    except ValueError as error:
        return str(error)

    return f"about {needed:.2g} outputs in all would do"


def _beside(test: Bounds, counts: Counts, selection: Selection, settings: AuditSettings) -> dict[str, Any]:
    """The method's own numbers."""
    statistic = settings.statistic
    detail: dict[str, Any] = {"p_value": test.p_value, "guessed_fraction": selection.mass, "clopper_pearson": {}}
    detail["posterior"] = posterior(statistic, counts, test.given.mean)
    if statistic.abstains:
        detail["clopper_pearson"] = clopper_pearson(counts, selection.event, statistic.delta, settings.false_alarm)
    if selection.seen is not Seen.WHOLE:
        detail["seen"] = selection.seen.value
    if settings.exact:
        detail["fraction_of_exact"] = test.low / settings.exact
    return detail


def clopper_pearson(counts: Counts, event: Event, delta: float, false_alarm: float) -> dict[str, float]:
    """The textbook bound: Clopper-Pearson on both sides of each direction, the false-alarm rate split evenly among the bounds."""
    dataset, (lost_dataset, lost_neighbour) = counts.trials - counts.neighbour, counts.missing
    directions = []
    if event.high is not None:
        directions.append(("neighbour_over_dataset", counts.neighbour_high, counts.neighbour, counts.dataset_high + lost_dataset, dataset))
    if event.low is not None:
        directions.append(("dataset_over_neighbour", counts.dataset_low, dataset, counts.neighbour_low + lost_neighbour, counts.neighbour))
    fraction = false_alarm / (2 * len(directions))
    bounds = {}
    for name, over, over_runs, under, under_runs in directions:
        excess = lower_probability(over, over_runs, fraction) - delta
        bounds[name] = math.log(excess / upper_probability(under, under_runs, fraction)) if excess > 0 else 0.0
    return {name: max(bound, 0.0) for name, bound in bounds.items()}


def posterior(statistic: Statistic, counts: Counts, leaked: float, mass: float = 0.9) -> dict[str, float]:
    """Posterior of the event's loss under a Jeffreys prior on the rate of right guesses: a credible interval, beside the exact bound.

    The mean number of leaks is taken off. One direction is declared: the loss of the event as selected. It is not used in the verdict.
    """
    from scipy.special import betaincinv

    right, wrong = max(counts.right - leaked, 0.0) + 0.5, counts.wrong + 0.5
    low, median, high = (statistic.loss_of_rate(float(betaincinv(right, wrong, level))) for level in ((1 - mass) / 2, 0.5, (1 + mass) / 2))
    return {"mass": mass, "low": low, "median": median, "high": high}
