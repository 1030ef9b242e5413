"""Experiment D.2 of Shariff and Sheffet 2018: regret of the private variants over time (their Figure 4).

epsilon = 1, delta = 0.1, n = 5 10^7, d = 5, K = 25, rewards of -1 and 1; without a gap and with one of 0.1. `runs` has the rest.

Readings (the paper leaves them open)
- No gap: the best arm still has the mean 0.75, and the others are uniform on means in [-0.75, 0.75].
- The picture ends at 2 10^7 rounds as the paper's does, and what it reports of the picture is judged there; the table goes on to the end.
- 30 repetitions: at ten, the standard deviation of WishartUnshifted came out half as large as 24 repetitions show.

The criteria of i to v were written down before any run: `outcomes`. Those of vi and vii were chosen after ten repetitions had been seen.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict
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
from banditproof.audits.papers.shariff_sheffet_2018.figures.runs import (
    TOP,
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

PLANNED_HORIZON, RUNS, DIMENSION, PICTURED = 50_000_000, 30, 5, 20_000_000
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
FAR = 2.0  # "far better": less than half
DRASTICALLY = 1.5
MISSING = "how many repetitions"


def setting(variant: str, gap: float) -> Setting:
    """A curve of a panel."""
    return Setting(VARIANTS[variant], DIMENSION, gap, Rewards.SIGNS, PLANNED_HORIZON)


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

    vi   "The constants in the Gaussian version ... are far better": Gaussian has less than half of Wishart's regret, in both panels.
    vii  "Changes drastically": WishartUnshifted / Wishart is more than 1.5 times as large without a gap as with one of 0.1.

    i is said of all rounds and the others of 2 10^7, so a run that is shorter than that decides nothing about them.
    """
    short = "" if horizon >= PICTURED else f"the paper's picture has {PICTURED:,} rounds, these runs {horizon:,}"
    cut = "" if horizon >= PLANNED_HORIZON else f"it is about rounds {PICTURED:,} to {PLANNED_HORIZON:,}, and these runs end at {horizon:,}"
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
    far = tuple(
        compared(f"{FAR:g} Gaussian < Wishart, {named(gap)}", FAR * pictured[gap, "Gaussian"], pictured[gap, "Wishart"]) for gap in both
    )
    without = pictured[NO_GAP, "WishartUnshifted"] / pictured[NO_GAP, "Wishart"]
    changes = (compared(f"{DRASTICALLY:g} times the ratio with a gap of 0.1 < the ratio without one", DRASTICALLY * ratio, without),)

    def said(id: str, reported: str, comparisons: tuple[Comparison, ...], quote: str) -> Outcome:
        return Outcome(id, reported, comparisons, undecided=cut if id == "i" else short, quote=quote, missing=MISSING)

    return (
        said(
            "i",
            "the curves are essentially flat after 20,000,000 rounds",
            flat,
            "truncated after 2 x 10^7 rounds because they are essentially flat after this point",
        ),
        said(
            "ii",
            "NonPrivate cannot be told from the axis",
            axis,
            "Its regret is too small to be distinguished from the x-axis in this plot",
        ),
        said(
            "iii",
            "Gaussian outperforms Wishart",
            better,
            "at least for this setting, the Gaussian noise algorithm outperforms Wishart noise",
        ),
        said("iv", "WishartUnshifted is the worst without a gap", worst, "it has the worst regret in the no-gap setting"),
        said(
            "v",
            "with a gap of 0.1 WishartUnshifted is indistinguishable from Wishart",
            same,
            "it is statistically indistinguishable from the shifted Wishart variant in the large gap instance",
        ),
        said(
            "vi",
            "Gaussian has less than half of Wishart's regret",
            far,
            "the constants in the Gaussian version of the algorithm are far better",
        ),
        said(
            "vii",
            "what the shift does to Wishart's regret depends much on the gap",
            changes,
            "the relative performance of the shifted and unshifted Wishart variants changes drastically depending on the gap (D.3)",
        ),
    )


def of_the_setting() -> tuple[Outcome, ...]:
    """What the paper says of the gap without a forced one, and of the two mechanisms' asymptotics; no draws.

    viii The expected difference between 0.75 and the best of K - 1 means, times K, stays between its limit (the density's inverse at 0.75)
         and half of it, at K = 25, 250, 2500 and d = 5.
    ix   "Fairly close": the two bounds of Theorem 5 are within a factor of 2 of each other, at 10^5, 5 10^7 and 10^15 rounds. The paper
         speaks of performance; its bounds are what it has of asymptotics.
    """
    limit = 1.0 / _density(TOP)
    gaps = {arms: arms * expected_gap(arms) for arms in (25, 250, 2500)}
    theta = tuple(
        side
        for arms, value in gaps.items()
        for side in (
            Computed(f"K times the expected gap, K = {arms}, at most 1.1 times the limit", value, 1.1 * limit),
            Computed(f"half of the limit at most K times the expected gap, K = {arms}", 0.5 * limit, value),
        )
    )
    close: list[Computed] = []
    for horizon in (10**5, PLANNED_HORIZON, 10**15):
        known = {variant: bound(Setting(VARIANTS[variant], DIMENSION, GAP, Rewards.SIGNS, horizon)) for variant in ("Gaussian", "Wishart")}
        least, most = sorted(known.values())
        close.append(Computed(f"larger bound at most twice the smaller, n = {horizon:.0e}", most, 2.0 * least))
    return (
        Outcome(
            "viii",
            "without a forced gap the expected gap is of the order 1/K",
            theta,
            quote="in expectation we should observe a gap of Theta(1/K) between the optimal arm and the second-best arm",
        ),
        Outcome(
            "ix",
            "the bounds of the two mechanisms are within a factor of 2",
            tuple(close),
            quote="the asymptotic performance of the two algorithms is fairly close",
            missing="what is close",
        ),
    )


def _density(mean: float) -> float:
    """Of an arm's mean <x, theta*> on [-0.75, 0.75], x uniform on the sphere in five dimensions: proportional to 1 - mean^2."""
    return (1.0 - mean**2) / (2.0 * (TOP - TOP**3 / 3.0))


def expected_gap(arms: int) -> float:
    """E[0.75 - max] of K - 1 such means: the integral of the distribution function to the power K - 1."""
    means = np.linspace(-TOP, TOP, 200_001)
    below = (means - means**3 / 3.0 + TOP - TOP**3 / 3.0) / (2.0 * (TOP - TOP**3 / 3.0))
    return float(np.trapezoid(below ** (arms - 1), means))


def bound(each: Setting) -> float:
    """Theorem 5's sqrt(8 n) Psi for the constants of a setting, S = L = B = sigma = 1; a test holds it against the theorem in `theory`,
    whose import would cost every figure 2 s and 50 MB."""
    known, n, d = constants(each), each.planned_horizon, each.dimension
    low, high, gamma = known.accuracy
    a = 2.0 * math.log(2.0 / known.failure) + d * math.log(high / low + n / (d * low))
    e = math.sqrt(d * math.log1p(n / (d * low)))
    return math.sqrt(8.0 * n) * (a + (math.sqrt(high) + gamma) * e)


def design(request: ReproductionRequest) -> dict[str, tuple[Outcome, ...]]:
    """The outcomes on numbers that mean nothing."""
    nothing = {(gap, variant): np.ones(max(request.runs, 2)) for gap in (NO_GAP, GAP) for variant in VARIANTS}
    return {"runs": outcomes(nothing, nothing, request.horizon)}


def cost(task: Task) -> float:
    """Of a run against others, whoever plays with it: noise costs about as much as all else."""
    return task.horizon * (1.0 if task.setting.noise is Noise.NONE else 2.0)


def reproduce(request: ReproductionRequest, progress: Progress) -> Reproduction:
    """Plays four variants in both panels."""
    progress.stage("regret over time")
    checkpoints = marks(request.horizon, PICTURED)
    tasks = {
        (gap, variant): [Task(setting(variant, gap), request.seed, run, request.horizon, checkpoints) for run in range(request.runs)]
        for gap in (NO_GAP, GAP)
        for variant in VARIANTS
    }
    regrets = cells.computed(by_repetition(tasks.values()), played, request, progress, cost, companions)
    curves = {place: np.array([regrets[task] for task in group]) for place, group in tasks.items()}
    seen = min(request.horizon, PICTURED)
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
    shown = {seen: pictured, request.horizon: total}
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
        {f"{request.horizon:,} rounds": outcomes(pictured, total, request.horizon), "computed": of_the_setting()},
        (picture(panels, seen, request.runs, request.seed),),
        {
            "seed": request.seed,
            "runs": request.runs,
            "horizon": request.horizon,
            "planned_horizon": PLANNED_HORIZON,
            "pictured": seen,
            "constants": {variant: described(setting(variant, GAP)) for variant in VARIANTS},
            "at_the_pictures_end": {named(gap): {variant: pictured[gap, variant] for variant in VARIANTS} for gap in (NO_GAP, GAP)},
            "totals": {named(gap): {variant: total[gap, variant] for variant in VARIANTS} for gap in (NO_GAP, GAP)},
        },
        sections,
        shortened(request.horizon, PLANNED_HORIZON),
    )


def picture(panels: tuple[Panel, ...], seen: int, runs: int, seed: int) -> Picture:
    """Figure 4 of the paper: regret of the private variants over time."""
    about = f"epsilon = 1, delta = 0.1, d = {DIMENSION}, K = {DIMENSION**2}, {runs} runs, seed {seed}"
    return Picture("shariff_sheffet_2018.d2", f"Regret over time, {about}", (panels,), until=float(seen), common=True, origin=True)


def described(each: Setting) -> dict[str, float]:
    """The constants that a setting was played with."""
    known = constants(each)
    noise = {"degrees": float(known.degrees)} if known.degrees else {"node_sigma": known.node_sigma}
    return {**known.accuracy._asdict(), "failure": known.failure, "planned_horizon": known.planned_horizon, **noise, "shift": known.shift}


D2 = Experiment(
    "shariff_sheffet_2018.d2", "Regret of the private variants over time", RUNS, PLANNED_HORIZON, 100, reproduce, PLANNED_HORIZON, design
)
