"""Experiment D.1 of Shariff and Sheffet 2018: regret of LinUCB that is not private, against the dimension (their Figures 2 and 3).

H_t = I, n = 10^5, K = d^2, a gap of 0.1; rewards with Gaussian noise N(0, 1), and rewards of -1 and 1. `runs` has what else is played.

Readings (the paper leaves them open)
- The dimensions: eight, from 4 to 64, each the whole number nearest to a geometric sequence.
- The line of Figure 3 is the least-squares line of log total regret on log d, one per repetition; slopes are compared over repetitions.
- Ten repetitions.
- The explanation of iii ("the actual variance ... is somewhat lower than 1 ... This is perhaps why") is played by `variance`.

The criteria of i to iii were written down before any run: `outcomes`. That of iv was made sharper after ten repetitions had been seen: it
accepted any slope that rounds to 2, and so a slope of 1.83 whose interval excludes 2.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from banditproof.algorithms.environments.sphere import Rewards
from banditproof.algorithms.policies.lin_ucb.policy import Noise
from banditproof.audits.experiments import cells
from banditproof.audits.experiments.experiment import (
    Comparison,
    Computed,
    Experiment,
    Line,
    Outcome,
    Panel,
    Picture,
    Progress,
    Reproduction,
    ReproductionRequest,
    Section,
    compared,
    inside,
    words,
)
from banditproof.audits.experiments.summaries import summary
from banditproof.audits.papers.shariff_sheffet_2018.figures import variance
from banditproof.audits.papers.shariff_sheffet_2018.figures.runs import TOP, Setting, Task, marks, played, shortened
from banditproof.interaction import Floats

PLANNED_HORIZON, RUNS, GAP = 100_000, 10, 0.1
DIMENSIONS = (4, 6, 9, 13, 20, 29, 43, 64)
DISTRIBUTIONS = {"Gaussian": Rewards.GAUSSIAN, "±1": Rewards.SIGNS}
TWO = (1.5, 2.5)  # "roughly 2": what is rounded to 2
SQUARE = (1.9, 2.1)  # "quadratic": within a tenth of the exponent 2
MISSING = "how many dimensions, how many repetitions, how the line was fitted"


@dataclass(frozen=True)
class Fit:
    """Least-squares lines log regret = height + slope log d, one per repetition; shapes (R,)."""

    slope: Floats
    height: Floats


def fitted(totals: Floats, dimensions: tuple[int, ...] = DIMENSIONS) -> Fit:
    """Of total regrets (R, D)."""
    across = np.log(np.array(dimensions, dtype=float))
    centred, up = across - across.mean(), np.log(totals)
    slope = np.asarray(up @ centred / np.sum(centred**2), dtype=float)
    return Fit(slope, np.asarray(up.mean(axis=1) - slope * across.mean(), dtype=float))


def outcomes(totals: Mapping[str, Floats], horizon: int) -> tuple[Outcome, ...]:
    """What the paper reports of D.1. `totals`: the total regrets (R, D) of each distribution of rewards.

    i    Both slopes lie between 1.5 and 2.5: they are 2 when rounded.
    ii   Both slopes are above 1.
    iii  Rewards of -1 and 1 have the lower line, at the middle of the axis: the lower mean of log regret over the dimensions.
    iv   Both slopes are within a tenth of 2. The paper conjectures a quadratic dependence in general; here it is asked of d up to 64 at
         10^5 rounds.
    iv-b The line is straight: the slopes of the four smaller and of the four larger dimensions lie between 1.5 and 2.5 (ours).

    All of it is said of 10^5 rounds, so a shorter run decides nothing.
    """
    short = "" if horizon >= PLANNED_HORIZON else f"the paper's runs have {PLANNED_HORIZON:,} rounds, these {horizon:,}"
    half = len(DIMENSIONS) // 2
    slopes = {distribution: fitted(values).slope for distribution, values in totals.items()}
    halves = {
        f"slope of d = {part[0]} to {part[-1]}, {distribution}": fitted(values[:, place], part).slope
        for distribution, values in totals.items()
        for place, part in ((slice(half), DIMENSIONS[:half]), (slice(half, None), DIMENSIONS[half:]))
    }
    centre = {distribution: np.asarray(np.log(values).mean(axis=1), dtype=float) for distribution, values in totals.items()}
    two = tuple(each for distribution, slope in slopes.items() for each in inside(f"slope, {distribution}", slope, *TWO))
    one = tuple(compared(f"1 < slope, {distribution}", np.ones_like(slope), slope) for distribution, slope in slopes.items())
    square = tuple(each for distribution, slope in slopes.items() for each in inside(f"slope, {distribution}", slope, *SQUARE))
    lower = compared("log regret, ±1 < Gaussian", centre["±1"], centre["Gaussian"])
    straight = tuple(each for name, slope in halves.items() for each in inside(name, slope, *TWO))

    def said(id: str, reported: str, comparisons: tuple[Comparison, ...], quote: str, missing: str = MISSING) -> Outcome:
        return Outcome(id, reported, comparisons, undecided=short, quote=quote, missing=missing)

    return (
        said(
            "i",
            "total regret against d has a slope of roughly 2 on log-log axes",
            two,
            "The best-fit line on this plot has a slope of roughly 2",
        ),
        said("ii", "the dependence on d is super-linear", one, "clearly pointing to a super-linear dependency on d"),
        said(
            "iii",
            "±1 rewards have somewhat lower regret than Gaussian noise",
            (lower,),
            "the regret is somewhat lower than with gaussian reward noise",
        ),
        said(
            "iv",
            "the dependence on d is quadratic (here up to d = 64, at 10^5 rounds)",
            square,
            "We conjecture that, in general, the dependency on d is indeed quadratic",
            f"the conjecture is about all d, and names no horizon; {MISSING}",
        ),
        said("iv-b", "the line is straight, up to d = 64 (not a sentence of the paper)", straight, "", ""),
    )


def of_the_rewards() -> tuple[Outcome, ...]:
    """What the paper says of the variance of rewards of -1 and 1, 1 - mean^2; no draws."""
    sides = (
        Computed("variance at the best arm < 1", 1.0 - TOP**2, 1.0, strict=True),
        Computed("variance at the best arm < at a mean of 0.65", 1.0 - TOP**2, 1.0 - 0.65**2, strict=True),
    )
    quote = "the actual variance in the reward depends on its expectation, and is somewhat lower than 1"
    return (Outcome("v", f"the variance of ±1 rewards is {1.0 - TOP**2:.4g} at the best arm, and below 1", sides, quote=quote),)


def picture(totals: Mapping[str, Floats], runs: int, seed: int, horizon: int) -> Picture:
    """Figure 3 of the paper: regret against the dimension, with the fitted lines."""
    fits = {distribution: fitted(values) for distribution, values in totals.items()}
    known = {distribution: summary(fit.slope) for distribution, fit in fits.items()}
    lines = tuple(
        Line(
            f"{distribution}: slope {slope.mean:.2f} ({slope.mean_low:.2f} to {slope.mean_high:.2f})",
            DIMENSIONS,
            totals[distribution],
            float(fits[distribution].slope.mean()),
            float(fits[distribution].height.mean()),
        )
        for distribution, slope in known.items()
    )
    return Picture(
        "shariff_sheffet_2018.d1.dimension",
        f"Regret after {horizon:,} rounds: {about(runs, seed)}",
        ((Panel("", lines),),),
        across="dimension",
        up="total regret",
        log_across=True,
        log_up=True,
        ticks=DIMENSIONS,
    )


def about(runs: int, seed: int) -> str:
    """What a title says of the runs."""
    return f"K = d^2, gap {GAP:g}, {runs} runs, seed {seed}"


def design(request: ReproductionRequest) -> dict[str, tuple[Outcome, ...]]:
    """The outcomes on numbers that mean nothing."""
    nothing = np.ones((max(request.runs, 2), len(DIMENSIONS)))
    return {
        "runs": (
            *outcomes(dict.fromkeys(DISTRIBUTIONS, nothing), request.horizon),
            *variance.design(request.runs, request.horizon, PLANNED_HORIZON),
        )
    }


def cost(task: Task) -> float:
    """Of a run against others: K d^2 a round."""
    return float(task.setting.dimension**4 * task.horizon)


def reproduce(request: ReproductionRequest, progress: Progress) -> Reproduction:
    """Plays every dimension with both distributions of rewards."""
    progress.stage("regret against the dimension")
    checkpoints = marks(request.horizon, request.horizon)
    tasks = {
        (distribution, dimension): [
            Task(Setting(Noise.NONE, dimension, GAP, rewards, PLANNED_HORIZON), request.seed, run, request.horizon, checkpoints)
            for run in range(request.runs)
        ]
        for distribution, rewards in DISTRIBUTIONS.items()
        for dimension in DIMENSIONS
    }
    every = [task for group in tasks.values() for task in group]
    regrets = cells.computed(every, played, request, progress, cost)
    curves = {place: np.array([regrets[task] for task in group]) for place, group in tasks.items()}
    totals = {
        distribution: np.array([curves[distribution, dimension][:, -1] for dimension in DIMENSIONS]).T for distribution in DISTRIBUTIONS
    }
    fits = {distribution: fitted(values) for distribution, values in totals.items()}
    known = {distribution: summary(fit.slope) for distribution, fit in fits.items()}
    progress.stage("regret at the variance of the best arm's rewards")
    matched = variance.totals(request, progress)
    shown = len(variance.DIMENSIONS)
    reasons = variance.outcomes(
        matched, {distribution: values[:, :shown] for distribution, values in totals.items()}, request.horizon, PLANNED_HORIZON
    )
    over_time = tuple(
        Panel(f"{distribution} rewards", tuple(Line(f"d = {each}", checkpoints, curves[distribution, each]) for each in DIMENSIONS))
        for distribution in DISTRIBUTIONS
    )
    title = f"LinUCB with H = I: {about(request.runs, request.seed)}"
    rounds = Picture("shariff_sheffet_2018.d1.rounds", title, (over_time,), common=True, origin=True)
    rows: tuple[dict[str, Any], ...] = tuple(
        {"rewards": distribution, "d": dimension, "round": mark, **asdict(summary(values[:, place]))}
        for (distribution, dimension), values in curves.items()
        for place, mark in enumerate(checkpoints)
    )
    table = tuple(
        (str(d), *(words(totals[distribution][:, place]) for distribution in DISTRIBUTIONS)) for place, d in enumerate(DIMENSIONS)
    )
    slopes = tuple(
        (distribution, f"{each.mean:.3f}, 95 % interval {each.mean_low:.3f} to {each.mean_high:.3f}")
        for distribution, each in known.items()
    )
    return Reproduction(
        rows,
        {f"{request.horizon:,} rounds": (*outcomes(totals, request.horizon), *reasons), "computed": of_the_rewards()},
        (
            rounds,
            picture(totals, request.runs, request.seed, request.horizon),
        ),
        {
            "seed": request.seed,
            "runs": request.runs,
            "horizon": request.horizon,
            "planned_horizon": PLANNED_HORIZON,
            "dimensions": DIMENSIONS,
            "slopes": {distribution: fit.slope for distribution, fit in fits.items()},
            "totals": totals,
            "totals_at_the_best_arms_variance": matched,
        },
        (
            Section("total regret, mean ± standard deviation, (median)", table, ("d", *DISTRIBUTIONS)),
            Section("slope of log regret on log d", slopes),
        ),
        shortened(request.horizon, PLANNED_HORIZON),
    )


D1 = Experiment(
    "shariff_sheffet_2018.d1", "Regret against the dimension, not private", RUNS, PLANNED_HORIZON, 100, reproduce, PLANNED_HORIZON, design
)
