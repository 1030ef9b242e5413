"""Figures 1 and 2 of Wu et al. 2023 (Appendix A): regret of PRAE-R, PRAE-C, DPRSE and RUCB on 11 contaminated heavy-tailed arms.

Figure 1 has Pareto rewards, Figure 2 Student's. Means are 100, 90, ..., 0; a share alpha of the rewards is Gaussian, of mean 0 for the best
arm and 100 for the others.

Readings (the paper leaves them open)
- The outliers' variance is 1, and alpha_1 = alpha.
- Noise: `printed` is eta - 2.5, which is not centred (E eta = 60 for this Pareto law); `centred` is eta - E eta. Student's is centred.
- Scaling, with k = 2: PRAE-R and DPRSE run on x / s, s^2 the largest second moment; PRAE-C on (x - c) / sigma, c the middle of the means'
  range and sigma their standard deviation, D = max{half range / sigma, 2 r, 1}. RUCB takes rewards as they are, rho = sigma^2.
- The arms' order is drawn anew in each repetition (RUCB's matters in its first 11 pulls alone, and stays).
- Constants: `proofs` are the papers' own. `tuned` multiplies PRAE's radius and threshold, replaces DPRSE's 24 and 12, and multiplies
  RUCB's rho: the one of CANDIDATES with the least mean regret over all 18 settings, on other seeds; each algorithm has as many candidates.
  No privacy noise is scaled.
- All algorithms and settings see the same outcomes in the same repetition, so repetitions are pairs.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np

from banditproof.algorithms.environments import pareto, student
from banditproof.algorithms.environments.common import scaling
from banditproof.algorithms.environments.huber import ArmHuber, Normal
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.student import Student
from banditproof.algorithms.estimators import central_mean
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import ArmOrder
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.audits.experiments import cells
from banditproof.audits.experiments.experiment import (
    SILENT,
    Asked,
    Experiment,
    Line,
    Outcome,
    Panel,
    Picture,
    Progress,
    Reproduction,
    Section,
    Share,
    compared,
    spread,
    summary,
    words,
)
from banditproof.interaction import Floats, Pipeline, Policy
from banditproof.play import play_many
from banditproof.randomness import key_of

ARMS, SPACING = 11, 10.0
MEANS = tuple(100.0 - SPACING * arm for arm in range(ARMS))
SHARES, EPSILONS = (0.02, 0.05, 0.1), (0.2, 0.5, 1.0)
SHAPE, LEAST, OFFSET, DEGREES = 3.0, 40.0, 2.5, 2.0017
ALGORITHMS = ("PRAE-R", "PRAE-C", "DPRSE", "RUCB")
LAWS = {"pareto": ("printed", "centred"), "student": ("centred",)}  # with their readings of the noise
TUNING_RUNS, CHECKPOINTS = 8, 100

Constants = tuple[float, ...]
PROOFS: Mapping[str, Constants] = {"PRAE-R": (1.0, 1.0), "PRAE-C": (1.0, 1.0), "DPRSE": (24.0, 12.0), "RUCB": (1.0,)}
NAMES = {
    "PRAE-R": ("radius_factor", "threshold_factor"),
    "PRAE-C": ("radius_factor", "threshold_factor"),
    "DPRSE": ("batch_constant", "cut_constant"),
    "RUCB": ("variance_factor",),
}
CANDIDATES: Mapping[str, tuple[Constants, ...]] = {  # 16 each
    "PRAE-R": tuple(product((0.1, 0.03, 0.01, 0.003), (3.0, 1.0, 0.3, 0.1))),
    "PRAE-C": tuple(product((0.1, 0.03, 0.01, 0.003), (1e-6, 3e-7, 1e-7, 3e-8))),
    "DPRSE": tuple(product((4.0, 2.0, 1.0, 0.5), (1.0, 0.3, 0.1, 0.03))),
    "RUCB": tuple((2.0**power,) for power in range(-7, 9)),
}


@dataclass(frozen=True)
class Setting:
    """A law, a reading of its noise, the share of outliers and the privacy level."""

    law: str
    noise: str
    alpha: float
    epsilon: float

    def title(self) -> str:
        return f"alpha = {self.alpha:.0%}, epsilon = {self.epsilon:g}"


@dataclass(frozen=True)
class Task:
    """What a worker plays: an algorithm with its constants in a setting."""

    setting: Setting
    algorithm: str
    constants: Constants
    seed: int
    purpose: str
    runs: int
    horizon: int
    checkpoints: tuple[int, ...]


def environment(law: str, noise: str) -> Pareto | Student:
    """The clean rewards."""
    if law == "student":
        return Student(MEANS, (1.0,) * ARMS, (DEGREES,) * ARMS)
    offset = OFFSET if noise == "printed" else pareto.mean(SHAPE, LEAST)
    return Pareto((SHAPE,) * ARMS, (LEAST,) * ARMS, tuple(mean - offset for mean in MEANS))


def variance(law: str) -> float:
    """Of every arm's clean rewards."""
    return student.variance(DEGREES) if law == "student" else pareto.variance(SHAPE, LEAST)


def pipeline(setting: Setting, algorithm: str, constants: Constants) -> tuple[Pipeline, float]:
    """What is played, and the scale that brings its regret back to the paper's units."""
    clean = environment(setting.law, setting.noise)
    outliers = ArmHuber(setting.alpha, (Normal(0.0), Normal(100.0)))
    offset, scale, policy = _scaled(setting, clean, algorithm, constants)
    return Pipeline(policy, clean.rescaled(offset, scale), corruption=outliers.rescaled(offset, scale)), scale


def _scaled(setting: Setting, clean: Pareto | Student, algorithm: str, constants: Constants) -> tuple[float, float, Policy]:
    share, epsilon, order = setting.alpha, setting.epsilon, ArmOrder.PERMUTED
    raw = scaling.unit_scale(clean.second_moments())
    if algorithm == "PRAE-R":
        radius, threshold = constants
        robust = RobustElimination(epsilon, contamination=share, arm_order=order, radius_factor=radius, threshold_factor=threshold)
        return 0.0, raw, robust
    if algorithm == "PRAE-C":
        radius, threshold = constants
        sigma, centre = scaling.unit_scale((variance(setting.law),)), clean.setup()[:ARMS].max() - (MEANS[0] - MEANS[-1]) / 2.0
        half = (MEANS[0] - MEANS[-1]) / 2.0 / sigma
        bound = central_mean.admissible_range(half, central_mean.bin_width(share, 2.0))
        central = CentralElimination(epsilon, bound, contamination=share, arm_order=order, radius_factor=radius, threshold_factor=threshold)
        return float(centre), sigma, central
    if algorithm == "DPRSE":
        batch, cut = constants
        return 0.0, raw, SuccessiveElimination(epsilon, batch_constant=batch, cut_constant=cut, arm_order=order)
    return 0.0, 1.0, MedianUCB(constants[0] * variance(setting.law), share)


def played(tasks: Sequence[Task]) -> list[Floats]:
    """Of each task: `regret`."""
    return [regret(task) for task in tasks]


def regret(task: Task) -> Floats:
    """Regret (R, C) in the paper's units."""
    parties, scale = pipeline(task.setting, task.algorithm, task.constants)
    key = key_of(task.seed, "wu_2023", "figures", task.purpose)
    run = play_many(parties, horizon=task.horizon, key=key, runs=task.runs, checkpoints=task.checkpoints)
    return np.asarray(scaling.rescaled_regret(1.0, scale) * run.regret)


def settings(law: str, noise: str) -> tuple[Setting, ...]:
    return tuple(Setting(law, noise, alpha, epsilon) for alpha in SHARES for epsilon in EPSILONS)


def _all(tasks: Sequence[Task], asked: Asked, progress: Progress) -> dict[Task, Floats]:
    """Plays all tasks. RUCB, which is not private, plays once for all epsilon."""
    known = cells.computed([_of_one_epsilon(task) for task in tasks], played, asked, progress)
    return {task: known[_of_one_epsilon(task)] for task in tasks}


def _of_one_epsilon(task: Task) -> Task:
    return replace(task, setting=replace(task.setting, epsilon=EPSILONS[0])) if task.algorithm == "RUCB" else task


def tuned(
    asked: Asked, progress: Progress = SILENT, runs: int = TUNING_RUNS
) -> tuple[dict[str, Constants], dict[str, list[dict[str, Any]]]]:
    """The best candidate of each algorithm, and the score of all: the mean final regret over the 18 settings, printed noise for Pareto."""
    every = (*settings("pareto", "printed"), *settings("student", "centred"))
    tasks = {
        (algorithm, candidate): [
            Task(setting, algorithm, candidate, asked.seed, "tuning", runs, asked.horizon, (asked.horizon,)) for setting in every
        ]
        for algorithm in ALGORITHMS
        for candidate in CANDIDATES[algorithm]
    }
    regrets = _all([task for group in tasks.values() for task in group], asked, progress)
    scores = {place: float(np.mean([regrets[task].mean() for task in group])) for place, group in tasks.items()}
    best = {algorithm: min(CANDIDATES[algorithm], key=lambda candidate: scores[algorithm, candidate]) for algorithm in ALGORITHMS}
    listed = {
        algorithm: [
            {**dict(zip(NAMES[algorithm], candidate, strict=True)), "mean_regret": scores[algorithm, candidate]}
            for candidate in CANDIDATES[algorithm]
        ]
        for algorithm in ALGORITHMS
    }
    return best, listed


Final = Mapping[tuple[float, float, str], Floats]  # alpha, epsilon, algorithm -> final regret (R,)


def outcomes(final: Final) -> tuple[Outcome, ...]:
    """What the paper reports of a figure (its Appendix A), in the numbering of our notes."""
    private = ("PRAE-R", "PRAE-C")
    places = tuple(product(SHARES, EPSILONS))

    def named(*words: object) -> str:
        return ", ".join(str(word) for word in words)

    below = tuple(
        compared(named(f"{ours} < DPRSE", alpha, epsilon), final[alpha, epsilon, ours], final[alpha, epsilon, "DPRSE"])
        for ours in private
        for alpha, epsilon in places
    )
    growth = {
        (epsilon, each): final[SHARES[-1], epsilon, each] - final[SHARES[0], epsilon, each]
        for epsilon in EPSILONS
        for each in (*private, "DPRSE")
    }
    zero = np.zeros_like(next(iter(growth.values())))
    diverges = (
        *(compared(named("DPRSE grows with alpha", epsilon), zero, growth[epsilon, "DPRSE"]) for epsilon in EPSILONS),
        *(
            compared(named(f"growth of {ours} < of DPRSE", epsilon), growth[epsilon, ours], growth[epsilon, "DPRSE"])
            for ours in private
            for epsilon in EPSILONS
        ),
    )
    bars = tuple(
        compared(
            named(f"spread of {ours} < of {other}", alpha, epsilon),
            spread(final[alpha, epsilon, ours]),
            spread(final[alpha, epsilon, other]),
        )
        for ours in private
        for other in ("DPRSE", "RUCB")
        for alpha, epsilon in places
    )
    lowest = tuple(
        compared(named(f"RUCB < {other}", alpha, epsilon), final[alpha, epsilon, "RUCB"], final[alpha, epsilon, other])
        for other in ("PRAE-R", "PRAE-C", "DPRSE")
        for alpha, epsilon in places
    )
    in_epsilon = tuple(
        compared(named(f"{ours}: epsilon {more} < {less}", alpha), final[alpha, more, ours], final[alpha, less, ours])
        for ours in private
        for alpha in SHARES
        for less, more in pairwise(EPSILONS)
    )
    in_alpha = tuple(
        compared(named(f"{ours}: alpha {less} < {more}", epsilon), final[less, epsilon, ours], final[more, epsilon, ours])
        for ours in private
        for epsilon in EPSILONS
        for less, more in pairwise(SHARES)
    )
    central = tuple(
        compared(named("PRAE-C < PRAE-R", alpha, epsilon), final[alpha, epsilon, "PRAE-C"], final[alpha, epsilon, "PRAE-R"])
        for alpha, epsilon in places
    )
    return (
        Outcome("i", "PRAE-R and PRAE-C lie below DPRSE in all cases", below),
        Outcome("ii", "as alpha grows, DPRSE diverges and PRAE is only slightly affected", diverges),
        Outcome("iii", "PRAE has smaller error bars than DPRSE and RUCB", bars),
        Outcome("iv", "RUCB has the lowest regret in all settings", lowest),
        Outcome("v", "PRAE's regret grows as epsilon falls or alpha rises", (*in_epsilon, *in_alpha)),
        Outcome("vi", "PRAE-C lies below PRAE-R in most cases", central, Share.MOST),
    )


def reproduce(law: str, figure: str, asked: Asked, progress: Progress) -> Reproduction:
    """Plays a figure with the constants of the proofs and with tuned ones, for each reading of the noise."""
    progress.stage("choosing constants on seeds of their own")
    best, scores = tuned(asked, progress)
    marks = tuple(int(mark) for mark in np.unique(np.ceil(np.linspace(0.0, asked.horizon, CHECKPOINTS + 1)[1:])))
    rows: list[dict[str, Any]] = []
    found: dict[str, tuple[Outcome, ...]] = {}
    pictures: list[Picture] = []
    sections: list[Section] = []
    for (name, constants), noise in product((("proofs", PROOFS), ("tuned", best)), LAWS[law]):
        progress.stage(f"noise {noise}, constants {name}")
        tasks = {
            (setting.alpha, setting.epsilon, algorithm): Task(
                setting, algorithm, constants[algorithm], asked.seed, "runs", asked.runs, asked.horizon, marks
            )
            for setting in settings(law, noise)
            for algorithm in ALGORITHMS
        }
        regrets = _all(list(tasks.values()), asked, progress)
        final = {place: regrets[task][:, -1] for place, task in tasks.items()}
        rows += [_row(law, noise, name, place, values) for place, values in final.items()]
        found[f"noise {noise}, constants {name}"] = outcomes(final)
        sections.append(_section(f"noise {noise}, constants {name}", final))
        lines = {place: Line(place[2], marks, regrets[task]) for place, task in tasks.items()}
        panels = tuple(
            tuple(
                Panel(Setting(law, noise, alpha, epsilon).title(), tuple(lines[alpha, epsilon, each] for each in ALGORITHMS))
                for epsilon in EPSILONS
            )
            for alpha in SHARES
        )
        pictures.append(
            Picture(f"wu_2023.{figure}.{name}.{noise}", f"{law.capitalize()} rewards, noise {noise}, constants: {name}", panels)
        )
    described = {each: dict(zip(NAMES[each], values, strict=True)) for each, values in best.items()}
    edges = {each: _at_the_edge(each, values) for each, values in best.items()}
    sections.append(Section("tuned constants", tuple((each, _chosen(described[each], edges[each])) for each in ALGORITHMS)))
    parameters = {
        "law": law,
        "seed": asked.seed,
        "runs": asked.runs,
        "horizon": asked.horizon,
        "tuning_runs": TUNING_RUNS,
        "tuned": described,
        "at_the_edge": edges,
        "candidates": scores,
        "standard_deviation": math.sqrt(variance(law)),
    }
    return Reproduction(tuple(rows), found, tuple(pictures), parameters, tuple(sections))


def _section(way: str, final: Final) -> Section:
    """What is shown of a way of running: a row a setting, a column an algorithm."""
    rows = tuple(
        (f"{alpha:g}", f"{epsilon:g}", *(words(final[alpha, epsilon, each]) for each in ALGORITHMS))
        for alpha, epsilon in product(SHARES, EPSILONS)
    )
    return Section(f"{way}: final regret, mean ± standard deviation, (median)", rows, ("alpha", "epsilon", *ALGORITHMS))


def _chosen(values: Mapping[str, float], edge: Sequence[str]) -> str:
    return ", ".join(f"{name} = {value:g}{' (at the edge of what was tried)' if name in edge else ''}" for name, value in values.items())


def _at_the_edge(algorithm: str, chosen: Constants) -> list[str]:
    """Constants of which no smaller, or no larger, candidate was tried."""
    columns = zip(NAMES[algorithm], chosen, zip(*CANDIDATES[algorithm], strict=True), strict=True)
    return [name for name, value, tried in columns if value in (min(tried), max(tried))]


def _row(law: str, noise: str, constants: str, place: tuple[float, float, str], final: Floats) -> dict[str, Any]:
    alpha, epsilon, algorithm = place
    return {
        "law": law,
        "noise": noise,
        "constants": constants,
        "alpha": alpha,
        "epsilon": epsilon,
        "algorithm": algorithm,
        **asdict(summary(final)),
    }


FIGURES = (
    Experiment("wu_2023.figure1", "Cumulative regret, Pareto rewards", 30, 100_000, 100, partial(reproduce, "pareto", "figure1")),
    Experiment("wu_2023.figure2", "Cumulative regret, Student rewards", 30, 100_000, 100, partial(reproduce, "student", "figure2")),
)
