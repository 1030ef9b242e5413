"""Experiment D.2 of Shariff and Sheffet 2018: regret of the private variants over time (their Figure 4).

epsilon = 1, delta = 0.1, n = 5 10^7, d = 5, K = 25, rewards of -1 and 1; without a gap and with one of 0.1. `runs` has the rest.

Readings (the paper leaves them open)
- No gap: the best arm still has the mean 0.75, and the others are uniform on means in [-0.75, 0.75].
- The picture ends at 2 10^7 rounds as the paper's does, and what it reports of the picture is judged there; the table goes on to the end.
- Ten repetitions.

The criteria, written down before any run: `outcomes`.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from banditproof.algorithms.environments.sphere import Rewards
from banditproof.algorithms.policies.lin_ucb.policy import Noise
from banditproof.audits.experiments import cells
from banditproof.audits.experiments.experiment import (
    Asked,
    Comparison,
    Experiment,
    Line,
    Outcome,
    Panel,
    Picture,
    Progress,
    Reproduction,
    Section,
    compared,
    inside,
    summary,
    words,
)
from banditproof.audits.papers.shariff_sheffet_2018.figures.runs import (
    Setting,
    Task,
    by_repetition,
    companions,
    constants,
    marks,
    played,
    shortened,
)
from banditproof.interaction import Floats

PLANNED, RUNS, DIMENSION, PICTURED = 50_000_000, 10, 5, 20_000_000
VARIANTS = {
    "NonPrivate": Noise.NONE,
    "Gaussian": Noise.GAUSSIAN,
    "Wishart": Noise.WISHART,
    "WishartUnshifted": Noise.WISHART_UNSHIFTED,
}
PRIVATE = tuple(VARIANTS)[1:]
NO_GAP, GAP = 0.0, 0.1
TENTH = 0.1  # "flat", "indistinguishable": within a tenth
LINE = 0.02  # of a panel's height: about three times as thick as its lines


def setting(variant: str, gap: float) -> Setting:
    """A curve of a panel."""
    return Setting(VARIANTS[variant], DIMENSION, gap, Rewards.SIGNS, PLANNED)


def named(gap: float) -> str:
    return f"gap {gap:g}" if gap > 0.0 else "no gap"


Regrets = Mapping[tuple[float, str], Floats]  # gap, variant -> regret (R,)


def outcomes(pictured: Regrets, total: Regrets, horizon: int) -> tuple[Outcome, ...]:
    """What the paper reports of D.2, from the regrets at round 2 10^7 (or the last) and at the last one.

    i    "Essentially flat": of each private curve's regret after 5 10^7 rounds, less than a tenth comes after 2 10^7. (A straight line
         would have 60 % there.) NonPrivate has an outcome of its own.
    ii   Not to be told from the axis: in both panels NonPrivate stays below a fiftieth of the highest curve, at 2 10^7 rounds.
    iii  Gaussian lies below Wishart in both panels at 2 10^7 rounds, since the paper singles out none.
    iv   WishartUnshifted lies above each of the others at 2 10^7 rounds, without a gap.
    v    "Statistically indistinguishable": with a gap of 0.1, WishartUnshifted / Wishart lies between 1/1.1 and 1.1 there. (A paired
         test over common random numbers would find differences that no picture shows.)

    i is said of all rounds and the others of 2 10^7, so a run that is shorter than that decides nothing about them.
    """
    short = "" if horizon >= PICTURED else f"the paper's picture has {PICTURED:,} rounds, these runs {horizon:,}"
    cut = "" if horizon >= PLANNED else f"it is about rounds {PICTURED:,} to {PLANNED:,}, and these runs end at {horizon:,}"
    both = (NO_GAP, GAP)
    flat: tuple[Comparison, ...] = ()
    if not cut:
        flat = tuple(
            compared(f"share after {PICTURED:,} rounds < {TENTH:g}, {variant}, {named(gap)}", late, np.full_like(late, TENTH))
            for gap in both
            for variant in PRIVATE
            for late in (1.0 - pictured[gap, variant] / total[gap, variant],)
        )
    highest = {gap: np.max([pictured[gap, variant] for variant in VARIANTS], axis=0) for gap in both}
    axis = tuple(
        compared(f"NonPrivate < {LINE:g} of the panel, {named(gap)}", pictured[gap, "NonPrivate"], LINE * highest[gap]) for gap in both
    )
    better = tuple(compared(f"Gaussian < Wishart, {named(gap)}", pictured[gap, "Gaussian"], pictured[gap, "Wishart"]) for gap in both)
    worst = tuple(
        compared(f"{each} < WishartUnshifted, {named(NO_GAP)}", pictured[NO_GAP, each], pictured[NO_GAP, "WishartUnshifted"])
        for each in VARIANTS
        if each != "WishartUnshifted"
    )
    ratio = pictured[GAP, "WishartUnshifted"] / pictured[GAP, "Wishart"]
    same = inside(f"WishartUnshifted / Wishart, {named(GAP)}", ratio, 1.0 / (1.0 + TENTH), 1.0 + TENTH)
    return (
        Outcome("i", "the curves are essentially flat after 20,000,000 rounds", flat, undecided=cut),
        Outcome("ii", "NonPrivate cannot be told from the axis", axis, undecided=short),
        Outcome("iii", "Gaussian outperforms Wishart", better, undecided=short),
        Outcome("iv", "WishartUnshifted is the worst without a gap", worst, undecided=short),
        Outcome("v", "with a gap of 0.1 WishartUnshifted is indistinguishable from Wishart", same, undecided=short),
    )


def cost(task: Task) -> float:
    """Of a run against others, whoever plays with it: noise costs about as much as all else."""
    return task.horizon * (1.0 if task.setting.noise is Noise.NONE else 2.0)


def reproduce(asked: Asked, progress: Progress) -> Reproduction:
    """Plays four variants in both panels."""
    progress.stage("regret over time")
    checkpoints = marks(asked.horizon, PICTURED)
    tasks = {
        (gap, variant): [Task(setting(variant, gap), asked.seed, run, asked.horizon, checkpoints) for run in range(asked.runs)]
        for gap in (NO_GAP, GAP)
        for variant in VARIANTS
    }
    regrets = cells.computed(by_repetition(tasks.values()), played, asked, progress, cost, companions)
    curves = {place: np.array([regrets[task] for task in group]) for place, group in tasks.items()}
    seen = min(asked.horizon, PICTURED)
    total = {place: values[:, -1] for place, values in curves.items()}
    pictured = {place: values[:, checkpoints.index(seen)] for place, values in curves.items()}
    rows: tuple[dict[str, Any], ...] = tuple(
        {"gap": gap, "variant": variant, "round": mark, **asdict(summary(values[:, place]))}
        for (gap, variant), values in curves.items()
        for place, mark in enumerate(checkpoints)
    )
    panels = tuple(
        Panel(named(gap), tuple(Line(variant, checkpoints, curves[gap, variant]) for variant in VARIANTS)) for gap in (NO_GAP, GAP)
    )
    shown = {seen: pictured, asked.horizon: total}
    sections = tuple(
        Section(
            f"regret after {rounds:,} rounds, mean ± standard deviation, (median)",
            tuple((variant, *(words(values[gap, variant]) for gap in (NO_GAP, GAP))) for variant in VARIANTS),
            ("", named(NO_GAP), named(GAP)),
        )
        for rounds, values in shown.items()
    )
    return Reproduction(
        rows,
        {f"{asked.horizon:,} rounds": outcomes(pictured, total, asked.horizon)},
        (Picture("shariff_sheffet_2018.d2", "Regret over time, epsilon = 1, delta = 0.1", (panels,), until=float(seen)),),
        {
            "seed": asked.seed,
            "runs": asked.runs,
            "horizon": asked.horizon,
            "planned": PLANNED,
            "pictured": seen,
            "constants": {variant: described(setting(variant, GAP)) for variant in VARIANTS},
            "totals": {named(gap): {variant: total[gap, variant] for variant in VARIANTS} for gap in (NO_GAP, GAP)},
        },
        sections,
        shortened(asked.horizon, PLANNED),
    )


def described(each: Setting) -> dict[str, float]:
    """The constants that a setting was played with."""
    known = constants(each)
    spread = known.node_sigma or float(known.degrees)
    return {**known.accuracy._asdict(), "failure": known.failure, "planned": known.planned, "spread": spread, "shift": known.shift}


D2 = Experiment("shariff_sheffet_2018.d2", "Regret of the private variants over time", RUNS, PLANNED, 100, reproduce, PLANNED)
