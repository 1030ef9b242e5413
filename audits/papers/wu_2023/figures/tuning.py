"""The constants of Figures 1 and 2 of Wu et al. 2023 that the paper does not state: a search, on draws of its own.

`tuned` multiplies PRAE's radius and threshold, replaces DPRSE's 24 and 12, and multiplies RUCB's rho: by the same constants in all
settings.

Each algorithm has the same budget: a grid over the whole range in which it can act (64 candidates), and a finer one around the best of them
(24 more), on Pareto rewards with printed noise and on Student's: 18 settings. The candidates that lose the best arm in at most a twentieth
of these runs are played with centred Pareto noise too. The best is the one with the least mean regret over all 27 settings among those
that lose the best arm in at most a twentieth of all runs and a quarter of any setting's, or, if there is none, the one that loses it least
often.

Draws have the key of "tuning", the reported runs that of "runs": they share none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from banditproof.audits.experiments import cells
from banditproof.audits.experiments.experiment import SILENT, Progress, ReproductionRequest
from banditproof.audits.papers.wu_2023.figures.runs import ALGORITHMS, NAMES, Constants, Setting, Task, of_one_epsilon, played, settings
from banditproof.interaction import Floats

TUNING_RUNS, MOST_LOST, MOST_LOST_THERE, FINER = 8, 0.05, 0.25, 3
SCREENED = 18  # settings of the first two stages
AXES: Mapping[str, tuple[Sequence[float], ...]] = {
    "PRAE-R": (np.geomspace(1e-3, 1.0, 8).tolist(), np.geomspace(1e-2, 3.0, 8).tolist()),
    "PRAE-C": (np.geomspace(1e-3, 1.0, 8).tolist(), np.geomspace(1e-8, 1e-5, 8).tolist()),
    "DPRSE": (np.geomspace(0.1, 24.0, 8).tolist(), np.geomspace(3e-3, 12.0, 8).tolist()),
    "RUCB": (np.geomspace(2.0**-16, 2.0**16, 64).tolist(),),
}


@dataclass(frozen=True)
class Score:
    """Of a candidate over its settings: the mean final regret, and how often the best arm was lost, in each setting too."""

    constants: Constants
    regret: float
    lost: float
    by_setting: tuple[float, ...]

    def rank(self) -> tuple[float, float]:
        """The least is the best."""
        return (0.0, self.regret) if self.keeps() else (self.lost, self.regret)

    def keeps(self) -> bool:
        """Whether it keeps the best arm; by the settings of the third stage, in each of them too."""
        everywhere = len(self.by_setting) <= SCREENED or max(self.by_setting) <= MOST_LOST_THERE
        return self.lost <= MOST_LOST and everywhere


def coarse(algorithm: str) -> tuple[Constants, ...]:
    """The coarse grid of candidates, from which the search starts."""
    return tuple(product(*AXES[algorithm]))


def finer(algorithm: str, centre: Constants) -> tuple[Constants, ...]:
    """24 candidates around the best: by thirds of the grid's step for two constants, by thirteenths for one."""
    steps = [axis[1] / axis[0] for axis in AXES[algorithm]]
    parts, reach = (FINER, 2) if len(steps) == 2 else (13, 12)
    moves = product(range(-reach, reach + 1), repeat=len(steps))
    return tuple(
        tuple(float(value * step ** (move / parts)) for value, step, move in zip(centre, steps, each, strict=True))
        for each in moves
        if any(each)
    )


def all_played(tasks: Sequence[Task], request: ReproductionRequest, progress: Progress) -> dict[Task, Floats]:
    """Plays all tasks."""
    known = cells.computed([of_one_epsilon(task) for task in tasks], played, request, progress)
    return {task: known[of_one_epsilon(task)] for task in tasks}


def searched(alpha_1: float | None) -> tuple[tuple[Setting, ...], tuple[Setting, ...]]:
    """The settings of the first two stages, and those which the third adds."""
    first = (*settings("pareto", "printed", alpha_1), *settings("student", "centred", alpha_1))
    return first, settings("pareto", "centred", alpha_1)


def tuned(
    request: ReproductionRequest, progress: Progress = SILENT, runs: int = TUNING_RUNS
) -> tuple[dict[str, Constants], dict[str, list[Score]]]:
    """The best candidate of each algorithm, and the scores of all: over 27 settings of those that reached the third stage, else over 18."""
    every, added = searched(request.alpha_1)
    first = _scored({each: coarse(each) for each in ALGORITHMS}, every, request, progress, runs)
    progress.stage("choosing constants: around the best")
    around = {each: finer(each, _best(first[each]).constants) for each in ALGORITHMS}
    second = _scored(around, every, request, progress, runs)
    scores = {each: [*first[each], *second[each]] for each in ALGORITHMS}
    progress.stage("choosing constants: with centred noise")
    kept = {each: _kept(scores[each]) for each in ALGORITHMS}
    third = _scored({each: [score.constants for score in group] for each, group in kept.items()}, added, request, progress, runs)
    for each, group in kept.items():
        whole = {score.constants: _joined(score, more) for score, more in zip(group, third[each], strict=True)}
        scores[each] = [whole.get(score.constants, score) for score in scores[each]]
    return {each: chosen(scores[each]).constants for each in ALGORITHMS}, scores


def _kept(scores: Sequence[Score]) -> list[Score]:
    """Those that reach the third stage: all that keep the best arm, or the best one if none does."""
    return [score for score in scores if score.keeps()] or [_best(scores)]


def _joined(score: Score, more: Score) -> Score:
    """Over the settings of both."""
    number, added = len(score.by_setting), len(more.by_setting)

    def mean(one: float, other: float) -> float:
        return (number * one + added * other) / (number + added)

    both = (*score.by_setting, *more.by_setting)
    return Score(score.constants, mean(score.regret, more.regret), mean(score.lost, more.lost), both)


def chosen(scores: Sequence[Score]) -> Score:
    """The best of those that were played in the most settings."""
    most = max(len(score.by_setting) for score in scores)
    return _best([score for score in scores if len(score.by_setting) == most])


def _best(scores: Sequence[Score]) -> Score:
    return min(scores, key=Score.rank)


def _scored(
    candidates: Mapping[str, Sequence[Constants]], every: Sequence[Setting], request: ReproductionRequest, progress: Progress, runs: int
) -> dict[str, list[Score]]:
    tasks = {
        (algorithm, each): [
            Task(setting, algorithm, each, request.seed, "tuning", runs, request.horizon, (request.horizon,)) for setting in every
        ]
        for algorithm, group in candidates.items()
        for each in group
    }
    found = all_played([task for group in tasks.values() for task in group], request, progress)
    scores: dict[str, list[Score]] = {algorithm: [] for algorithm in candidates}
    for (algorithm, constants), group in tasks.items():
        final = np.array([found[task][:, -2:].mean(axis=0) for task in group])
        lost = tuple(float(each) for each in final[:, 1])
        scores[algorithm].append(Score(constants, float(final[:, 0].mean()), float(np.mean(lost)), lost))
    return scores


def at_the_edge(algorithm: str, chosen: Constants, scores: Sequence[Score]) -> list[str]:
    """Constants of which no smaller, or no larger, candidate was tried."""
    columns = zip(NAMES[algorithm], chosen, zip(*(each.constants for each in scores), strict=True), strict=True)
    return [name for name, value, tried in columns if value in (min(tried), max(tried))]


def described(request: ReproductionRequest, scores: Mapping[str, Sequence[Score]], every: Sequence[str]) -> dict[str, Any]:
    """What was searched, what was chosen, and how often the best arm was lost there; what least regret alone would have chosen, too."""
    return {
        "runs": TUNING_RUNS,
        "key": [request.seed, "wu_2023", "figures", "tuning"],
        "reported_runs_key": [request.seed, "wu_2023", "figures", "runs"],
        "rule": "least mean regret among candidates that lose the best arm seldom, else the fewest losses",
        "seldom": f"at most {MOST_LOST:.0%} of the runs over 18 settings, then over 27, and {MOST_LOST_THERE:.0%} of any setting's",
        "settings": list(every),
        "algorithms": {algorithm: _of(algorithm, group) for algorithm, group in scores.items()},
    }


def _of(algorithm: str, scores: Sequence[Score]) -> dict[str, Any]:
    best, cheapest = chosen(scores), min(scores, key=lambda score: score.regret)
    last = [score for score in scores if len(score.by_setting) > SCREENED]
    return {
        "grid": dict(zip(NAMES[algorithm], ([float(f"{value:.4g}") for value in axis] for axis in AXES[algorithm]), strict=True)),
        "candidates": len(scores),
        "candidates_of_the_third_stage": len(last),
        "candidates_that_keep_the_best_arm": sum(score.keeps() for score in last),
        "chosen": {**_row(algorithm, best), "lost_by_setting": best.by_setting},
        "least_regret": _row(algorithm, cheapest),
        "at_the_edge": at_the_edge(algorithm, best.constants, scores),
        "scores": [
            [*(float(f"{value:.4g}") for value in score.constants), len(score.by_setting), round(score.regret), round(score.lost, 4)]
            for score in scores
        ],
    }


def _row(algorithm: str, score: Score) -> dict[str, float]:
    return {
        **dict(zip(NAMES[algorithm], score.constants, strict=True)),
        "mean_regret": score.regret,
        "lost": score.lost,
        "settings": len(score.by_setting),
    }
