"""The event that is counted: selected on draws of its own, among the thresholds of scores that were fitted to other draws."""

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from banditproof.audits.privacy.codes import HIGHEST, is_code
from banditproof.audits.privacy.events import Coordinate, Event
from banditproof.audits.privacy.fitting import candidates, thresholds
from banditproof.audits.privacy.outputs import SELECT, TRAIN, Source, gathered, to_width
from banditproof.audits.privacy.plan import Splits
from banditproof.audits.privacy.statistic import Best, Statistic
from banditproof.interaction import Floats


class Seen(Enum):
    """How much of the outputs a score can look into: codes that hardly ever repeat are only equal or not."""

    WHOLE = "whole"
    IN_PART = "in part"
    AS_EQUAL = "as equal or not"


@dataclass(frozen=True)
class Selection:
    """An event, the fraction of the selecting outputs that it guesses, and the width of outputs that it reads; its right and wrong guesses
    among so many selecting outputs (0 where none were looked at), and how much of the outputs was seen."""

    event: Event
    mass: float
    width: int
    right: int = 0
    wrong: int = 0
    outputs: int = 0
    seen: Seen = Seen.WHOLE


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
    return replace(_selected(statistic, best, width, (dataset, neighbour)), seen=seen(train_dataset, train_neighbour))


def seen(dataset: Floats, neighbour: Floats) -> Seen:
    """How much of these outputs, (n, w) of both sides, a score can look into. A column is hidden where it has codes in a tenth of the rows
    or more, and more than half of them are distinct."""
    hidden = shown = 0
    for column in range(dataset.shape[1]):
        values = np.concatenate([dataset[:, column], neighbour[:, column]])
        codes = values[is_code(values)] if not values.min() > HIGHEST else values[:0]
        if codes.size >= max(values.size / 10, 2) and np.unique(codes).size > codes.size / 2:
            hidden += 1
        elif not np.array_equal(values, np.full_like(values, values[0]), equal_nan=True):
            shown += 1
    return Seen.WHOLE if not hidden else Seen.IN_PART if shown else Seen.AS_EQUAL


def select_cut(statistic: Statistic, source: Source, parts: Splits, false_alarm: float) -> Selection:
    """The best event on outputs (n, 1) that are an exact log likelihood ratio: no score is fitted, thresholds alone are selected."""
    dataset, neighbour = (to_width(side, 1) for side in gathered(source, SELECT, parts.select))
    score = Coordinate(0)
    best = statistic.best_event(score, statistic.ratio_cuts(score, dataset, neighbour), dataset, neighbour, false_alarm)
    return _selected(statistic, best, 1, (dataset, neighbour))


def _selected(statistic: Statistic, best: Best, width: int, sides: tuple[Floats, Floats]) -> Selection:
    guesses = [np.bincount(found[found >= 0], minlength=2) for found in (statistic.decisions(best.event, side) for side in sides)]
    right, wrong = int(guesses[0][0] + guesses[1][1]), int(guesses[0][1] + guesses[1][0])
    return Selection(best.event, best.mass, width, right, wrong, sum(map(len, sides)))
