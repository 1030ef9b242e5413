"""The constants of Figures 1 and 2 of Wu et al. 2023 that the paper does not state: a search, on draws of its own.

`tuned` multiplies PRAE's radius and threshold, replaces DPRSE's 24 and 12, and multiplies RUCB's rho: by the same constants in all
settings.

All algorithms have the same rule and the same budget.

Search. A grid over the whole range in which the algorithm can act (64 candidates), and a finer one around the best of them (24 more), on
Pareto rewards with printed noise and on Student's: 18 settings, 8 runs of each. The candidates that lose the best arm in at most a
twentieth of these runs are played with centred Pareto noise too. Those that lose it in at most a twentieth of all runs and a quarter of
any setting's go on. Eight runs cannot distinguish a loss rate of 2 % from one of 20 %, and of many candidates the one of least regret owes
it to few losses by chance; so the search decides only in which order candidates are confirmed.

Confirmation. Candidates are played again on fresh draws, 100 runs of each of the 27 settings, eight candidates at a time in the order of
their regret in the search, until one of the eight loses the best arm in no run. The choice is the one with the least mean regret in these
100 runs among those of the eight that lose it in none. A candidate that has lost it in the first 20 runs is played no further: it cannot
pass. If no candidate passes, the choice is the one whose loss rate has the least upper limit, and the record says that none keeps the best
arm.

A candidate that loses the best arm at a rate p in some setting passes with probability at most (1 - p)^100: 4.8 % for p = 3 %, 0.6 % for
5 %, 0.003 % for 10 %. That any of the first n candidates passes although its rate is 1 - (0.05 / n)^(1/100) or more in some setting (5 %
for n = 8, 5.6 % for 16) has probability at most 5 %.

The search has the key of "tuning", the confirmation that of "confirmation", the reported runs that of "runs": they share no draws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from banditproof.audits.experiments import cells
from banditproof.audits.experiments.experiment import Progress, ReproductionRequest
from banditproof.audits.papers.wu_2023.figures.runs import ALGORITHMS, NAMES, Constants, Setting, Task, of_one_epsilon, played, settings
from banditproof.audits.statistics.tails import upper_probability
from banditproof.interaction import Floats

TUNING_RUNS, MOST_LOST, MOST_LOST_THERE, FINER = 8, 0.05, 0.25, 3
SCREENED = 18  # settings of the first two stages
LOOKS, TOGETHER = (20, 100), 8  # runs of a setting after which a candidate that has lost the best arm is out; candidates at a time
FALSE_ALARM = 0.05  # probability that an upper limit is too low
AXES: Mapping[str, tuple[Sequence[float], ...]] = {
    "PRAE-R": (np.geomspace(1e-3, 1.0, 8).tolist(), np.geomspace(1e-2, 3.0, 8).tolist()),
    "PRAE-C": (np.geomspace(1e-3, 1.0, 8).tolist(), np.geomspace(1e-8, 1e-5, 8).tolist()),
    "DPRSE": (np.geomspace(0.1, 24.0, 8).tolist(), np.geomspace(3e-3, 12.0, 8).tolist()),
    "RUCB": (np.geomspace(2.0**-16, 2.0**16, 64).tolist(),),
}


@dataclass(frozen=True)
class Score:
    """Of a candidate over its settings: the mean final regret, and how often the best arm was lost, in each setting too; `runs` of each."""

    constants: Constants
    regret: float
    lost: float
    by_setting: tuple[float, ...]
    runs: int

    def rank(self) -> tuple[float, float]:
        """In the search; the least is the best."""
        return (0.0, self.regret) if self.goes_on() else (self.lost, self.regret)

    def goes_on(self) -> bool:
        """Whether the search lets it pass: it loses the best arm seldom; by the settings of the third stage, in each of them too."""
        everywhere = len(self.by_setting) <= SCREENED or max(self.by_setting) <= MOST_LOST_THERE
        return self.lost <= MOST_LOST and everywhere

    def keeps(self) -> bool:
        """Whether the best arm was lost in no run."""
        return max(self.by_setting) == 0.0

    def losses(self) -> int:
        """Runs that lost the best arm in the worst setting."""
        return round(max(self.by_setting) * self.runs)

    def limit(self) -> float:
        """The exact upper limit (Clopper and Pearson, 95 %) of the loss rate, in every setting.

        It holds for the setting with the largest rate, since no other was lost in more of its runs than the worst one.
        """
        return upper_probability(self.losses(), self.runs, FALSE_ALARM)


@dataclass(frozen=True)
class Search:
    """Of an algorithm: the scores of all candidates in the search, and of those that were played again in the confirmation."""

    scores: tuple[Score, ...]
    again: tuple[Score, ...]

    def choice(self) -> Score:
        """The cheapest of those that keep the best arm, or, if none does, the one whose losses have the least upper limit."""
        return min(self.again, key=lambda score: (score.limit(), score.regret))


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
    request: ReproductionRequest, progress: Progress, runs: int, looks: Sequence[int]
) -> tuple[dict[str, Constants], dict[str, Search]]:
    """The constants that are chosen for each algorithm, and the search they come from; `runs` and `looks` as TUNING_RUNS and LOOKS.

    Scores of the search are over 27 settings for candidates that reached the third stage, else over 18.
    """
    every, added = searched(request.alpha_1)
    first = _scored({each: coarse(each) for each in ALGORITHMS}, every, request, progress, runs)
    progress.stage("choosing constants: around the best")
    around = {each: finer(each, _best(first[each]).constants) for each in ALGORITHMS}
    second = _scored(around, every, request, progress, runs)
    scores = {each: [*first[each], *second[each]] for each in ALGORITHMS}
    progress.stage("choosing constants: with centred noise")
    left = {each: _left(scores[each]) for each in ALGORITHMS}
    third = _scored({each: [score.constants for score in group] for each, group in left.items()}, added, request, progress, runs)
    for each, group in left.items():
        whole = {score.constants: _joined(score, more) for score, more in zip(group, third[each], strict=True)}
        scores[each] = [whole.get(score.constants, score) for score in scores[each]]
    again = _confirmed({each: ordered(scores[each]) for each in ALGORITHMS}, request, progress, looks)
    searches = {each: Search(tuple(scores[each]), tuple(again[each])) for each in ALGORITHMS}
    return {each: search.choice().constants for each, search in searches.items()}, searches


def _left(scores: Sequence[Score]) -> list[Score]:
    """Those that go on, or the best one if none does."""
    return [score for score in scores if score.goes_on()] or [_best(scores)]


def ordered(scores: Sequence[Score]) -> tuple[Constants, ...]:
    """What is confirmed, in this order: those of the third stage that go on, by their regret. Of those that acted alike, the first."""
    different: dict[tuple[float, tuple[float, ...]], Constants] = {}
    for score in sorted(_left(_of_the_third_stage(scores)), key=lambda score: score.regret):
        different.setdefault((score.regret, score.by_setting), score.constants)
    return tuple(different.values())


def _confirmed(
    waiting: Mapping[str, Sequence[Constants]], request: ReproductionRequest, progress: Progress, looks: Sequence[int]
) -> dict[str, list[Score]]:
    """Plays candidates in their order on fresh draws, until one of those that are played together keeps the best arm."""
    every = [setting for group in searched(request.alpha_1) for setting in group]
    again: dict[str, list[Score]] = {each: [] for each in waiting}
    while batch := {
        each: group[len(again[each]) :][:TOGETHER]
        for each, group in waiting.items()
        if len(again[each]) < len(group) and not any(score.keeps() for score in again[each])
    }:
        for runs in looks:
            progress.stage(f"choosing constants: on fresh draws, {runs} runs")
            found = _scored(batch, every, request, progress, runs, "confirmation")
            for each, scores in found.items():
                again[each] += [score for score in scores if runs == looks[-1] or not score.keeps()]
            batch = {each: [score.constants for score in scores if score.keeps()] for each, scores in found.items()}
    return again


def _joined(score: Score, more: Score) -> Score:
    """Over the settings of both."""
    number, added = len(score.by_setting), len(more.by_setting)

    def mean(one: float, other: float) -> float:
        return (number * one + added * other) / (number + added)

    both = (*score.by_setting, *more.by_setting)
    return Score(score.constants, mean(score.regret, more.regret), mean(score.lost, more.lost), both, score.runs)


def _of_the_third_stage(scores: Sequence[Score]) -> list[Score]:
    """Those that were played in the most settings."""
    most = max(len(score.by_setting) for score in scores)
    return [score for score in scores if len(score.by_setting) == most]


def _best(scores: Sequence[Score]) -> Score:
    return min(scores, key=Score.rank)


def _scored(
    candidates: Mapping[str, Sequence[Constants]],
    every: Sequence[Setting],
    request: ReproductionRequest,
    progress: Progress,
    runs: int,
    purpose: str = "tuning",
) -> dict[str, list[Score]]:
    tasks = {
        (algorithm, each): [
            Task(setting, algorithm, each, request.seed, purpose, runs, request.horizon, (request.horizon,)) for setting in every
        ]
        for algorithm, group in candidates.items()
        for each in group
    }
    found = all_played([task for group in tasks.values() for task in group], request, progress)
    scores: dict[str, list[Score]] = {algorithm: [] for algorithm in candidates}
    for (algorithm, constants), group in tasks.items():
        final = np.array([found[task][:, -2:].mean(axis=0) for task in group])
        lost = tuple(float(each) for each in final[:, 1])
        scores[algorithm].append(Score(constants, float(final[:, 0].mean()), float(np.mean(lost)), lost, runs))
    return scores


def at_the_edge(algorithm: str, chosen: Constants, scores: Sequence[Score]) -> list[str]:
    """Constants of which no smaller, or no larger, candidate was tried."""
    columns = zip(NAMES[algorithm], chosen, zip(*(each.constants for each in scores), strict=True), strict=True)
    return [name for name, value, tried in columns if value in (min(tried), max(tried))]


def described(request: ReproductionRequest, searches: Mapping[str, Search], every: Sequence[str]) -> dict[str, Any]:
    """What was searched, what was chosen, and how often the best arm was lost there; what least regret alone would have chosen, too."""
    return {
        "runs": TUNING_RUNS,
        "key": [request.seed, "wu_2023", "figures", "tuning"],
        "runs_of_the_confirmation": list(LOOKS),
        "key_of_the_confirmation": [request.seed, "wu_2023", "figures", "confirmation"],
        "reported_runs_key": [request.seed, "wu_2023", "figures", "runs"],
        "search": f"candidates go on that lose the best arm in at most {MOST_LOST:.0%} of the runs over 18 settings, then over 27, "
        f"and {MOST_LOST_THERE:.0%} of any setting's",
        "rule": f"candidates are played again on fresh draws, {TOGETHER} at a time in the order of regret, until one loses the best arm "
        "in no run of any setting; the cheapest of those that do; if none does, the one whose loss rate has the least upper limit",
        "settings": list(every),
        "algorithms": {algorithm: _of(algorithm, search) for algorithm, search in searches.items()},
    }


def _of(algorithm: str, search: Search) -> dict[str, Any]:
    best, scores, again = search.choice(), search.scores, search.again
    last = [score for score in scores if len(score.by_setting) > SCREENED]
    return {
        "grid": dict(zip(NAMES[algorithm], ([float(f"{value:.4g}") for value in axis] for axis in AXES[algorithm]), strict=True)),
        "candidates": len(scores),
        "candidates_of_the_third_stage": len(last),
        "candidates_that_go_on": sum(score.goes_on() for score in last),
        "candidates_played_again": len(again),
        "candidates_that_keep_the_best_arm": sum(score.keeps() for score in again),
        "chosen": {
            **_row(algorithm, best),
            "keeps_the_best_arm": best.keeps(),
            "runs_of_each_setting": best.runs,
            "lost_by_setting": best.by_setting,
            "loss_rate_at_most": best.limit(),
            "excluded_loss_rate": excluded(len(again), best.runs) if best.keeps() else None,
        },
        "least_regret": _row(algorithm, min(scores, key=lambda score: score.regret)),
        "at_the_edge": at_the_edge(algorithm, best.constants, scores),
        "scores": [[*_short(score), len(score.by_setting), round(score.regret), round(score.lost, 4)] for score in scores],
        "played_again": [[*_short(score), score.runs, round(score.regret), round(score.lost, 4), score.losses()] for score in again],
    }


def excluded(candidates: int, runs: int) -> float:
    """The p with candidates (1 - p)^runs = 0.05: that any of so many candidates loses the best arm in no run, although it loses it at a
    rate of p or more in some setting, has probability at most 5 %."""
    return float(1.0 - (FALSE_ALARM / candidates) ** (1.0 / runs))


def _short(score: Score) -> list[float]:
    return [float(f"{value:.4g}") for value in score.constants]


def _row(algorithm: str, score: Score) -> dict[str, float]:
    return {
        **dict(zip(NAMES[algorithm], score.constants, strict=True)),
        "mean_regret": score.regret,
        "lost": score.lost,
        "settings": len(score.by_setting),
    }
