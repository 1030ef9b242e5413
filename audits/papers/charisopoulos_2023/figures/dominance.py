"""The rates that the paper compares, drawn against alpha, a map of which is smallest where, and where the bounds say anything.

The paper has no figure: this is its section 1.2 and the sentences after Theorem 1.3 as a picture. Nothing is drawn at random, so
repetitions are equal and the seed has no effect. Rates are without constants and logarithms, at C = alpha T, the budget of the
earlier work.

Readings
    The map has exact regions (theory, `rates.dominance`), looked up at powers of two. A tie shows every rate that is smallest.
    A bound says something at alpha if it is below 2 T: K = 50, d = 5, B = ceil(log T), delta = 1/(K T^3), constants 1. "without noise" is
    epsilon = 10^6.
"""

from fractions import Fraction

import numpy as np

from banditproof.audits.experiments.experiment import (
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
)
from banditproof.audits.papers.charisopoulos_2023.cases.bounds import bound_at
from banditproof.glossary import DIMENSION, EPSILON, HORIZON
from banditproof.glossary.charisopoulos_2023 import CORRUPTION
from banditproof.theory.language import Theorem, symbol
from banditproof.theory.papers.charisopoulos_2023 import regret, regret_m2
from banditproof.theory.papers.charisopoulos_2023.rates import RATES, dominance

PLANNED_HORIZON, DIMENSIONS = 1_048_576, (4, 64)
FREE = ("M1", "M1 by (50)", "M2", "budget", "every policy")
MAPPED = ("M1", "budget", "every policy")
BY_INTERVAL = ("M1 by (50)", "budget", "every policy")
PRIVATE = ("private M1", "private M2", "every policy")
ALPHAS = tuple(float(alpha) for alpha in np.geomspace(1e-8, 0.24, 33))
POWERS_OF_ALPHA, POWERS_OF_D = tuple(range(-2, -27, -3)), tuple(range(1, 9))
BOUNDS = (regret.REGRET_M1, regret.CHAIN_M1, regret.CHAIN_M1_BY_INTERVAL, regret_m2.REGRET_M2, regret_m2.CHAIN_M2)
HORIZONS, EPSILONS = (10**5, 10**8, 10**12), (1, 10**6)


def rate(name: str, dimension: float, horizon: float, corruption: float, epsilon: float = 1.0) -> float:
    """A rate of the map as a number."""
    values = {DIMENSION: dimension, HORIZON: horizon, CORRUPTION: corruption, EPSILON: epsilon}
    return float(RATES[name].subs({symbol(quantity): value for quantity, value in values.items()}))


def smallest(names: tuple[str, ...], power_of_horizon: int, power_of_epsilon: int = 0) -> tuple[tuple[str, ...], ...]:
    """A row for each alpha: the power of two, and for each d the names of the smallest rates."""
    regions = dominance(names)
    return tuple(
        (
            f"2^{alpha}",
            *(
                " = ".join(name for name in names if regions[name].holds((d, power_of_horizon, alpha, power_of_epsilon)))
                for d in POWERS_OF_D
            ),
        )
        for alpha in POWERS_OF_ALPHA
    )


def largest_alpha(theorem: Theorem, horizon: int, epsilon: int) -> float | None:
    """The largest alpha, to three digits, at which a bound is below 2 T; None where it is not even at 0."""

    def says(alpha: Fraction) -> bool:
        return bound_at(theorem, str(alpha), epsilon, horizon) < 2.0 * horizon

    if not says(Fraction(0)):
        return None
    low, high = Fraction(0), Fraction(24, 100)
    if says(high):
        return float(high)
    while low == 0 or high / low > Fraction(1001, 1000):
        middle = (low + high) / 2 if low > 0 else high / 16
        middle = Fraction(float(f"{float(middle):.6g}"))
        low, high = (middle, high) if says(middle) else (low, middle)
        if high < Fraction(1, 10**15):
            return 0.0
    return float(low)


def outcomes() -> tuple[Outcome, ...]:
    """What the paper says of its gain over a budget: the corruption term of that over its own, on alpha = 1e-5 to 0.24 and d = 2 to 100."""
    grid = tuple((alpha, d) for alpha in (1e-5, 1e-3, 0.04, 0.24) for d in (2.0, 10.0, 100.0))
    gains = {(alpha, d): alpha * d**1.5 / max((alpha * d) ** 0.5, alpha * d) for alpha, d in grid}
    least = tuple(Computed(f"sqrt(d) <= gain, alpha = {alpha:g}, d = {d:g}", d**0.5, gains[alpha, d]) for alpha, d in grid)
    some = Computed("sqrt(d) <= gain for some alpha, d", 10.0, max(gains[alpha, d] for alpha, d in grid if d == 100.0))
    return (
        Outcome("i", "a gain of at least sqrt(d)", least, quote="our result shaves off a factor of at least"),
        Outcome("ii", "a gain of sqrt(d) somewhere", (some,), quote="in certain regimes"),
    )


def _panel(dimension: int, horizon: int, runs: int) -> Panel:
    lines = tuple(
        Line(name, ALPHAS, np.tile([rate(name, dimension, horizon, alpha) / horizon for alpha in ALPHAS], (runs, 1))) for name in FREE
    )
    return Panel(f"d = {dimension}; dotted: alpha = 1/d^2 and 1/d", lines, dotted=(dimension**-2.0, 1.0 / dimension))


def _says() -> Section:
    rows = tuple(
        (
            theorem.id.partition(".")[2],
            "without noise" if epsilon > 1 else "1",
            *("none" if (found := largest_alpha(theorem, horizon, epsilon)) is None else f"{found:.3g}" for horizon in HORIZONS),
        )
        for theorem in BOUNDS
        for epsilon in EPSILONS
    )
    return Section(
        "the largest alpha at which a bound is below 2 T", rows, ("bound", "epsilon", *(f"T = {horizon:.0e}" for horizon in HORIZONS))
    )


def reproduce(request: ReproductionRequest, progress: Progress) -> Reproduction:
    """The picture and the tables; at the power of two that is nearest to the horizon for the maps."""
    progress.stage("comparing rates")
    power = round(float(np.log2(request.horizon)))
    rows = tuple(
        {"d": d, "alpha": alpha, "rate": name, "over_T": rate(name, d, request.horizon, alpha) / request.horizon}
        for d in DIMENSIONS
        for alpha in ALPHAS
        for name in FREE
    )
    headings = ("alpha", *(f"d = {2**d}" for d in POWERS_OF_D))
    maps = {
        f"smallest rate without privacy, T = 2^{power}": smallest(MAPPED, power),
        f"the same with the width of (50), T = 2^{power}": smallest(BY_INTERVAL, power),
        f"smallest rate at epsilon = 1/16, T = 2^{power}": smallest(PRIVATE, power, -4),
    }
    picture = Picture(
        EXPERIMENT_ID,
        "Rates over T without privacy",
        (tuple(_panel(d, request.horizon, request.runs) for d in DIMENSIONS),),
        "alpha",
        "rate/T",
        log_across=True,
        log_up=True,
        common=True,
    )
    sections = (*(Section(title, found, headings) for title, found in maps.items()), _says())
    asked = {"runs": request.runs, "horizon": request.horizon, "seed": request.seed}
    parameters = {**asked, "d": list(DIMENSIONS), "alpha": [ALPHAS[0], ALPHAS[-1]]}
    return Reproduction(rows, {"gain": outcomes()}, (picture,), parameters, sections)


EXPERIMENT_ID = "charisopoulos_2023.dominance"
DOMINANCE = Experiment(
    EXPERIMENT_ID,
    "which of the compared rates is smallest where, and where the bounds say anything",
    runs=2,
    horizon=PLANNED_HORIZON,
    least_horizon=2,
    reproduce=reproduce,
)
