"""Figure 1 of the paper on locally private LinUCB (2024): its curves in several ways of running, and the paper's sentences judged.

A way of running says which arms, whose noise, which width, and which lambda_min OnlineUCB is given. `figure1` plays one set of arms for a
run: literal widths, then tuned constants, with each method's own noise and with the same true guarantee; then lambda_min = 1/8 for 0.
`figure1_arms` plays these ways with the script's basis arms and with redrawn arms too; what `figure1` has played it takes from its cells.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from functools import partial
from typing import Any

import numpy as np

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
from banditproof.audits.papers.ldp_linucb_2024.figures import tuning
from banditproof.audits.papers.ldp_linucb_2024.figures.observations import computed, outcomes
from banditproof.audits.papers.ldp_linucb_2024.figures.runs import (
    ARMS,
    BATCH,
    CURVATURES,
    DELTA,
    DIMENSION,
    EPSILONS,
    FOR_BUDGET,
    PLANNED_HORIZON,
    RUNS,
    Algorithm,
    Arms,
    Budget,
    Setting,
    Task,
    baseline,
    online_ucb,
)
from banditproof.audits.papers.ldp_linucb_2024.figures.tuning import Search
from banditproof.interaction import Floats

CHECKPOINTS = 40
COMPUTED = "the work of a round and the curvature, computed"


class Rule(Enum):
    """Where a width comes from."""

    LITERAL = "literal"
    CONST = "const"


@dataclass(frozen=True)
class Way:
    """One way of running the figure."""

    arms: Arms
    rule: Rule
    budget: Budget
    curvature: float

    def name(self) -> str:
        """As records and titles have it."""
        return f"arms {self.arms.value}; width {self.rule.value}; noise: {self.budget.value}; lambda_min {self.curvature:g}"

    def file(self) -> str:
        """Of its picture."""
        arms = {Arms.FIXED: "fixed", Arms.BASIS: "basis", Arms.REDRAWN: "redrawn"}[self.arms]
        curved = "" if self.curvature == 0.0 else ".curved"
        return f"{arms}.{self.rule.value}.{'own' if self.budget is Budget.OWN else 'equal'}{curved}"

    def settings(self) -> tuple[Setting, ...]:
        """Every algorithm at every epsilon, without a chosen width."""
        return tuple(
            Setting(algorithm, epsilon, self.arms, self.budget, self.curvature)
            for epsilon in EPSILONS
            for algorithm in FOR_BUDGET[self.budget]
        )


def ways(arms: Sequence[Arms]) -> tuple[Way, ...]:
    """Literal widths first, and lambda_min = 0 first. lambda_min = 1/8 is the paper's "O(1)", so it goes with the paper's own noise."""
    return tuple(
        Way(each, rule, budget, curvature)
        for each in arms
        for curvature in CURVATURES
        for rule in Rule
        for budget in Budget
        if curvature == 0.0 or budget is Budget.OWN
    )


def design(request: ReproductionRequest) -> dict[str, tuple[Outcome, ...]]:
    """The outcomes on numbers that mean nothing."""
    nothing = np.ones(max(request.runs, 2))
    final = {(epsilon, each): nothing for epsilon in EPSILONS for each in Algorithm}
    return {"runs": outcomes(final, Budget.OWN, request.horizon)}


@dataclass
class _Found:
    """What has been played so far."""

    rows: list[dict[str, Any]]
    pictures: list[Picture]
    sections: list[Section]
    outcomes: dict[str, tuple[Outcome, ...]]
    parameters: dict[str, Any]
    notes: tuple[str, ...]

    def whole(self) -> Reproduction:
        return Reproduction(tuple(self.rows), dict(self.outcomes), tuple(self.pictures), self.parameters, tuple(self.sections), self.notes)


def reproduce(figure: str, arms: Sequence[Arms], request: ReproductionRequest, progress: Progress) -> Reproduction:
    """Plays the figure in every way; what has finished is recorded after each."""
    found = _Found([], [], [], {COMPUTED: computed()}, _parameters(request), _shortened(request.horizon))
    for way in ways(arms):
        settings = {each: each for each in way.settings()}
        searches: dict[Setting, Search] = {}
        if way.rule is Rule.CONST:
            progress.stage(f"{way.name()}: choosing constant widths on draws of their own")
            searches = tuning.searched(way.settings(), request, progress)
            settings = tuning.tuned(way.settings(), searches)
            found.parameters["tuning"]["chosen"][way.name()] = {_name(each): search.describe() for each, search in searches.items()}
        progress.stage(way.name())
        _play(figure, way, settings, searches, request, progress, found)
        request.record(found.whole())
    return found.whole()


def _play(
    figure: str,
    way: Way,
    settings: Mapping[Setting, Setting],
    searches: Mapping[Setting, Search],
    request: ReproductionRequest,
    progress: Progress,
    found: _Found,
) -> None:
    """One way of running, with the settings that have its widths."""
    marks = tuple(int(mark) for mark in np.unique(np.ceil(np.linspace(0.0, request.horizon, CHECKPOINTS + 1)[1:])))
    tasks = {each: Task(playing, request.seed, "runs", request.runs, request.horizon, marks) for each, playing in settings.items()}
    regrets = tuning.all_played(list(tasks.values()), request, progress)
    curves = {(each.epsilon, each.algorithm): regrets[task] for each, task in tasks.items()}
    final = {place: values[:, -1] for place, values in curves.items()}
    for each, playing in settings.items():
        values, reference = final[each.epsilon, each.algorithm], final[each.epsilon, Algorithm.UNIFORM]
        found.rows.append(
            {
                "arms": way.arms.value,
                "width": way.rule.value,
                "noise": way.budget.value,
                "lambda_min": way.curvature,
                "epsilon": each.epsilon,
                "algorithm": each.algorithm.value,
                "kappa": playing.width,
                **asdict(summary(values)),
                "of_uniform": float(values.mean() / reference.mean()),
            }
        )
    found.outcomes[way.name()] = outcomes(final, way.budget, request.horizon)
    found.sections.append(_section(way, final, searches))
    found.pictures.append(_picture(figure, way, marks, curves, request))
    found.parameters["final_regret"][way.name()] = {
        _name(each): [round(float(value), 1) for value in final[each.epsilon, each.algorithm]] for each in settings
    }


def _name(setting: Setting) -> str:
    return f"{setting.algorithm.value}, epsilon {setting.epsilon:g}"


def _picture(
    figure: str, way: Way, marks: tuple[int, ...], curves: Mapping[tuple[float, Algorithm], Floats], request: ReproductionRequest
) -> Picture:
    """Three panels; the end of SDP-Amp that is enough without a shuffler is in the table alone."""
    shown = FOR_BUDGET[Budget.OWN]
    panels = tuple(
        Panel(f"epsilon = {epsilon:g}", tuple(Line(each.value, marks, curves[epsilon, each]) for each in shown)) for epsilon in EPSILONS
    )
    title = f"{way.name()}; K = {ARMS}, d = {DIMENSION}, delta = {DELTA:g}, {request.runs} runs, seed {request.seed}"
    return Picture(f"ldp_linucb_2024.{figure}.{way.file()}", title, (panels,), up="cumulative pseudo-regret", common=True, origin=True)


def _section(way: Way, final: Mapping[tuple[float, Algorithm], Floats], searches: Mapping[Setting, Search]) -> Section:
    """A row for each algorithm, a column for each epsilon."""
    chosen = {(each.epsilon, each.algorithm): search for each, search in searches.items()}

    def cell(epsilon: float, algorithm: Algorithm) -> str:
        search = chosen.get((epsilon, algorithm))
        width = "" if search is None else f" w = {search.choice():.3g}{' (edge)' if search.at_the_edge() else ''}"
        return f"{words(final[epsilon, algorithm])}{width}"

    rows = tuple((each.value, *(cell(epsilon, each) for epsilon in EPSILONS)) for each in FOR_BUDGET[way.budget])
    title = f"{way.name()}: final regret, mean ± standard deviation, (median)"
    return Section(title, rows, ("", *(f"epsilon = {epsilon:g}" for epsilon in EPSILONS)))


def _parameters(request: ReproductionRequest) -> dict[str, Any]:
    return {
        "seed": request.seed,
        "runs": request.runs,
        "horizon": request.horizon,
        "planned_horizon": PLANNED_HORIZON,
        "arms": ARMS,
        "dimension": DIMENSION,
        "delta": DELTA,
        "batch": BATCH,
        "noise_scales": {budget.value: _noise_scales(budget) for budget in Budget},
        "tuning": {
            "runs": tuning.TUNING_RUNS,
            "widths": list(tuning.WIDTHS),
            "key": [request.seed, "ldp_linucb_2024", "figures", "tuning"],
            "reported_runs_key": [request.seed, "ldp_linucb_2024", "figures", "runs"],
            "rule": "the width of least mean final regret, for each algorithm and epsilon by itself",
            "chosen": {},
        },
        "final_regret": {},
    }


def _noise_scales(budget: Budget) -> dict[str, float]:
    """What a user adds to each number: standard deviations; of SDP-Vec, b. JDP's noise is the server's."""
    found: dict[str, float] = {}
    for epsilon in EPSILONS:
        online = Setting(Algorithm.ONLINE, epsilon, budget=budget)
        found[_name(online)] = online_ucb(online).sigma()
        for algorithm in (Algorithm.LDP, Algorithm.SDP_AMP):
            each = replace(online, algorithm=algorithm)
            found[_name(each)] = baseline(each).user_scale(DIMENSION)
        each = replace(online, algorithm=Algorithm.SDP_VEC)
        found[f"{_name(each)}: b"] = float(baseline(each).trials(DIMENSION))
    return found


def _shortened(horizon: int) -> tuple[str, ...]:
    if horizon >= PLANNED_HORIZON:
        return ()
    return (f"Stopped after {horizon:,} of {PLANNED_HORIZON:,} rounds; every constant is that of {PLANNED_HORIZON:,}.",)


FIGURES = tuple(
    Experiment(
        f"ldp_linucb_2024.{figure}",
        statement,
        RUNS,
        PLANNED_HORIZON,
        100,
        partial(reproduce, figure, arms),
        most_horizon=PLANNED_HORIZON,
        design=design,
    )
    for figure, statement, arms in (
        ("figure1", "Cumulative regret of private linear bandits, one set of arms per run", (Arms.FIXED,)),
        ("figure1_arms", "Figure 1 with one set of arms, with basis arms, and with redrawn arms", tuple(Arms)),
    )
)
