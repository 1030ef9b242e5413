"""The event that is counted: selected on draws of its own, among the thresholds of scores that were fitted to other draws."""

from dataclasses import dataclass

from banditproof.audits.privacy.events import Coordinate, Event
from banditproof.audits.privacy.fitting import candidates, thresholds
from banditproof.audits.privacy.outputs import SELECT, TRAIN, Source, gathered, to_width
from banditproof.audits.privacy.plan import Splits
from banditproof.audits.privacy.statistic import Best, Statistic


@dataclass(frozen=True)
class Selection:
    """An event, the fraction of the selecting outputs that it guesses, and the width of outputs that it reads."""

    event: Event
    mass: float
    width: int


def select_event(statistic: Statistic, source: Source, parts: Splits, false_alarm: float, float_bits: bool = False) -> Selection:
    """The event with the best lower bound on the selecting draws, among all scores. `float_bits`: last bits of the outputs are scores."""
    train_dataset, train_neighbour = gathered(source, TRAIN, parts.train)
    width = train_dataset.shape[1]
    dataset, neighbour = (to_width(side, width) for side in gathered(source, SELECT, parts.select))
    best: Best | None = None
    for score in candidates(train_dataset, train_neighbour, float_bits=float_bits):
        cuts = thresholds(score, train_dataset, train_neighbour)
        found = statistic.best_event(score, cuts, dataset, neighbour, false_alarm)
        if best is None or found.rate > best.rate + 1e-12:
            best = found
    if best is None:
        raise ValueError("outputs: no score could be fitted to them")
    return Selection(best.event, best.mass, width)


def select_cut(statistic: Statistic, source: Source, parts: Splits, false_alarm: float) -> Selection:
    """The best event on outputs (n, 1) that are an exact log likelihood ratio: no score is fitted, thresholds alone are selected."""
    dataset, neighbour = (to_width(side, 1) for side in gathered(source, SELECT, parts.select))
    score = Coordinate(0)
    best = statistic.best_event(score, statistic.ratio_cuts(score, dataset, neighbour), dataset, neighbour, false_alarm)
    return Selection(best.event, best.mass, 1)
