"""Figures 1 and 2 of Wu et al. 2023: curves with the constants of the proofs and with tuned ones, and the paper's sentences judged."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.estimators.central_mean import LARGEST_CONTAMINATION
from banditproof.audits.experiments.experiment import (
    Experiment,
    Line,
    Outcome,
    Panel,
    Picture,
    Progress,
    Reproduction,
    ReproductionRequest,
    Section,
    words,
)
from banditproof.audits.experiments.summaries import summary
from banditproof.audits.papers.wu_2023.figures import explanations, tuning
from banditproof.audits.papers.wu_2023.figures.observations import Final, outcomes
from banditproof.audits.papers.wu_2023.figures.runs import (
    ALGORITHMS,
    ALPHAS,
    ARMS,
    EPSILONS,
    NAMES,
    NOISES,
    PROOFS,
    Constants,
    Setting,
    Task,
    settings,
    variance,
)

CHECKPOINTS = 40
COMPUTED = "A.1 and the reasons in A.2, computed from the printed constants"


def design(request: ReproductionRequest) -> dict[str, tuple[Outcome, ...]]:
    """The outcomes on numbers that mean nothing."""
    nothing = np.zeros(max(request.runs, 2))
    return {"runs": outcomes({(alpha, epsilon, each): nothing for alpha in ALPHAS for epsilon in EPSILONS for each in ALGORITHMS})}


def reproduce(rewards: str, figure: str, request: ReproductionRequest, progress: Progress) -> Reproduction:
    """Plays a figure with the constants of the proofs and with tuned ones, for each reading of the noise.

    The constants of the proofs come first: what has finished is recorded after each way of running.
    """
    found = {COMPUTED: _computed(rewards, request)}
    rows: list[dict[str, Any]] = []
    pictures: list[Picture] = []
    sections: list[Section] = []
    losses: dict[str, dict[str, float]] = {}
    finals: dict[str, dict[str, list[int]]] = {}
    parameters: dict[str, Any] = {
        "rewards": rewards,
        "seed": request.seed,
        "runs": request.runs,
        "horizon": request.horizon,
        "arms": ARMS,
        "alpha_1": "alpha" if request.alpha_1 is None else request.alpha_1,
        "standard_deviation": math.sqrt(variance(rewards)),
        "best_arm_lost": losses,
        "final_regret": finals,
    }

    def part() -> Reproduction:
        return Reproduction(tuple(rows), dict(found), tuple(pictures), parameters, tuple(sections))

    constants: Mapping[str, Constants] = PROOFS
    for name in ("proofs", "tuned"):
        if name == "tuned":
            progress.stage("choosing constants on draws of their own")
            constants, searches = tuning.tuned(request, progress, tuning.TUNING_RUNS, tuning.LOOKS)
            first, added = tuning.searched(request.alpha_1)
            every = [f"{each.rewards}, {each.noise}, {each.title()}" for each in (*first, *added)]
            parameters["tuning"] = tuning.described(request, searches, every)
            sections.append(Section("tuned constants", tuple((each, _chosen(parameters["tuning"], each)) for each in ALGORITHMS)))
        for noise in NOISES[rewards]:
            way = f"noise {noise}, constants {name}"
            progress.stage(way)
            lost, final = _way(rewards, figure, noise, name, constants, request, progress, (rows, pictures, sections, found))
            losses[way], finals[way] = lost, final
            request.record(part())
    return part()


def _way(
    rewards: str,
    figure: str,
    noise: str,
    name: str,
    constants: Mapping[str, Constants],
    request: ReproductionRequest,
    progress: Progress,
    into: tuple[list[dict[str, Any]], list[Picture], list[Section], dict[str, tuple[Outcome, ...]]],
) -> tuple[dict[str, float], dict[str, list[int]]]:
    """Plays one way of running; returns how often the best arm was lost, and the final regrets (R,), by setting and algorithm."""
    rows, pictures, sections, found = into
    way = f"noise {noise}, constants {name}"
    marks = tuple(int(mark) for mark in np.unique(np.ceil(np.linspace(0.0, request.horizon, CHECKPOINTS + 1)[1:])))
    tasks = {
        (setting.alpha, setting.epsilon, algorithm): Task(
            setting, algorithm, constants[algorithm], request.seed, "runs", request.runs, request.horizon, marks
        )
        for setting in settings(rewards, noise, request.alpha_1)
        for algorithm in ALGORITHMS
    }
    regrets = tuning.all_played(list(tasks.values()), request, progress)
    final = {place: regrets[task][:, -2] for place, task in tasks.items()}
    lost = {place: float(regrets[task][:, -1].mean()) for place, task in tasks.items()}
    for (alpha, epsilon, algorithm), values in final.items():
        place = {"alpha": alpha, "epsilon": epsilon, "algorithm": algorithm}
        rows.append(
            {
                "rewards": rewards,
                "noise": noise,
                "constants": name,
                **place,
                **asdict(summary(values)),
                "lost": lost[alpha, epsilon, algorithm],
            }
        )
    found[way] = (*outcomes(final), *explanations.estimation(rewards, noise, request)) if name == "proofs" else outcomes(final)
    sections.append(_section(way, final, lost))
    lines = {place: Line(place[2], marks, regrets[task][:, :-1]) for place, task in tasks.items()}
    panels = tuple(
        tuple(
            Panel(Setting(rewards, noise, alpha, epsilon).title(), tuple(lines[alpha, epsilon, each] for each in ALGORITHMS))
            for epsilon in EPSILONS
        )
        for alpha in ALPHAS
    )
    bound = "alpha_1 = alpha" if request.alpha_1 is None else f"alpha_1 = {request.alpha_1:g}"
    title = (
        f"{rewards.capitalize()} rewards, noise {noise}, constants: {name}; K = {ARMS}, {bound}, {request.runs} runs, seed {request.seed}"
    )
    pictures.append(Picture(f"wu_2023.{figure}.{name}.{noise}", title, panels, log_up=True, common=True))
    return {place_name(*place): each for place, each in lost.items()}, {
        place_name(*place): [round(value) for value in values] for place, values in final.items()
    }


def place_name(alpha: float, epsilon: float, algorithm: str) -> str:
    """As records have it."""
    return f"{algorithm}, alpha {alpha:g}, epsilon {epsilon:g}"


def _computed(rewards: str, request: ReproductionRequest) -> tuple[Outcome, ...]:
    return (*explanations.setup(rewards), *explanations.aggressive(rewards, request.alpha_1), *explanations.bounds(request.alpha_1))


def _section(way: str, final: Final, lost: dict[tuple[float, float, str], float]) -> Section:
    """What is shown of a way of running: a row for each setting, a column for each algorithm."""
    rows = tuple(
        (
            f"{alpha:g}",
            f"{epsilon:g}",
            *(f"{words(final[alpha, epsilon, each])} {lost[alpha, epsilon, each]:.0%}" for each in ALGORITHMS),
        )
        for alpha, epsilon in product(ALPHAS, EPSILONS)
    )
    title = f"{way}: final regret, mean ± standard deviation, (median), and how often the best arm was lost"
    return Section(title, rows, ("alpha", "epsilon", *ALGORITHMS))


def _chosen(record: dict[str, Any], algorithm: str) -> str:
    of = record["algorithms"][algorithm]
    chosen, edge = of["chosen"], of["at_the_edge"]
    values = ", ".join(
        f"{name} = {chosen[name]:.3g}{' (at the edge of what was tried)' if name in edge else ''}" for name in NAMES[algorithm]
    )
    kept = (
        f"best arm lost in none of {chosen['runs_of_each_setting']} fresh runs of each setting"
        if chosen["keeps_the_best_arm"]
        else f"no candidate keeps the best arm: lost in {max(chosen['lost_by_setting']):.0%} of its fresh runs of the worst setting"
    )
    return f"{values}; {kept}; {of['candidates']} candidates, {of['candidates_played_again']} played again"


FIGURES = tuple(
    Experiment(
        f"wu_2023.{figure}",
        f"Cumulative regret, {rewards.capitalize()} rewards",
        30,
        100_000,
        100,
        partial(reproduce, rewards, figure),
        design=design,
        alpha_1_range=(ALPHAS[-1], LARGEST_CONTAMINATION),
    )
    for rewards, figure in (("pareto", "figure1"), ("student", "figure2"))
)
