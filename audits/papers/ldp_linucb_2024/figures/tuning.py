"""The constant width kappa of each algorithm of Figure 1: a search on draws of its own, with one budget for all.

Every algorithm has the same 13 candidates from 0.1 to 1000, 5 runs of each. The choice is the one of least mean regret at the last round,
for each epsilon, set of arms, budget and curvature by itself, so that each curve is shown at its best. Uniform play has no width. The
search has the key of "tuning", the reported runs that of "runs": they share no draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from banditproof.audits.experiments import cells
from banditproof.audits.experiments.experiment import Progress, ReproductionRequest
from banditproof.audits.papers.ldp_linucb_2024.figures.runs import Algorithm, Setting, Task, cost, once, played
from banditproof.interaction import Floats

TUNING_RUNS = 5
WIDTHS = tuple(float(f"{width:.4g}") for width in np.geomspace(1e-1, 1e3, 13))


@dataclass(frozen=True)
class Search:
    """The mean final regrets of the candidates."""

    widths: tuple[float, ...]
    regrets: tuple[float, ...]

    def choice(self) -> float:
        """The width of least mean regret, the smaller one of equal ones."""
        return self.widths[int(np.argmin(self.regrets))]

    def at_the_edge(self) -> bool:
        """Whether no smaller, or no larger, candidate was tried."""
        return self.choice() in (self.widths[0], self.widths[-1])

    def describe(self) -> dict[str, Any]:
        """As the record has it."""
        return {"chosen": self.choice(), "at_the_edge": self.at_the_edge(), "mean_regret": [round(each) for each in self.regrets]}


def all_played(tasks: Sequence[Task], request: ReproductionRequest, progress: Progress) -> dict[Task, Floats]:
    """Plays all tasks, those that say the same once."""
    known = cells.computed([once(task) for task in tasks], played, request, progress, cost)
    return {task: known[once(task)] for task in tasks}


def searched(settings: Sequence[Setting], request: ReproductionRequest, progress: Progress) -> dict[Setting, Search]:
    """The search for each setting that has a width."""
    tasks = {
        (setting, width): Task(replace(setting, width=width), request.seed, "tuning", TUNING_RUNS, request.horizon, (request.horizon,))
        for setting in settings
        if setting.algorithm is not Algorithm.UNIFORM
        for width in WIDTHS
    }
    found = all_played(list(tasks.values()), request, progress)
    means = {place: float(found[task].mean()) for place, task in tasks.items()}
    return {setting: Search(WIDTHS, tuple(means[setting, width] for width in WIDTHS)) for setting in dict.fromkeys(s for s, _ in tasks)}


def tuned(settings: Sequence[Setting], searches: Mapping[Setting, Search]) -> dict[Setting, Setting]:
    """The settings with the widths that were chosen."""
    return {each: replace(each, width=searches[each].choice()) if each in searches else each for each in settings}
