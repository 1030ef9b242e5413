"""shariff_sheffet_2018: LinUCB's regret as a fraction of the bounds, and how it grows in the horizon, the dimension and 1/epsilon.

Bounds on the regret hold except for alpha; the mean is at most alpha times the trivial bound larger. At the paper's own noise the private
ones say nothing below millions of rounds (`VACUITY` of the facts); with epsilon = 100, where the printed noise is private still, they do
from 10^5 rounds on.

Growth is that of the bounds with a gap, since the decision sets have one: the regret of such sets does not grow like sqrt(n). A rate says
nothing before the bound does: Wishart noise is not compared in the horizon, since its regret is linear in all that a quick run reaches
(8.9 times from 500 to 5000 rounds), far below its bound, which is above the trivial one there.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB, Noise
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.regret import Regret
from banditproof.audits.running.audit import Audit, swept
from banditproof.glossary import DIMENSION, EPSILON, HORIZON, RATIO, Quantity
from banditproof.interaction import Floats, Pipeline
from banditproof.randomness import key_from
from banditproof.simulation import play_many
from banditproof.theory.language import Case, Theorem, symbol
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, regret, wishart

SETS = Sphere(dimension=2, arms=4)

# --- as a fraction of the bounds ----------------------------------------------------------------------------------------------------------


def mean_bound(theorem: Theorem, policy: LinUCB, dimension: int, horizon: int, gap: Fraction | None) -> Callable[[], float]:
    """The theorem's bound, and 2 a round in the share alpha of the runs. Theorems 5 and 6 are taken at the noise's rho_min, rho_max and
    gamma."""

    def bound() -> float:
        constants = policy.constants(dimension, horizon)
        known: dict[str, Any] = {"horizon": horizon, "dimension": dimension, "mean_bound": 1, "context_norm": 1, "parameter_norm": 1}
        known |= {"reward_sigma": 1, "failure": constants.failure}
        if gap is not None:
            known["minimum_gap"] = gap
        if theorem in (regret.REGRET, regret.REGRET_GAP):
            known |= constants.accuracy._asdict()
        elif policy.noise is Noise.GAUSSIAN:
            known |= {"epsilon": policy.epsilon, "delta": policy.delta, "row_norm": policy.bounds.row_norm}
        else:
            known |= {"wishart_degrees": constants.degrees, "row_norm": policy.bounds.row_norm}
        return theorem.at(**known).bound + 2.0 * horizon * constants.failure

    return bound


def _regret(theorem: Theorem, noise: Noise, horizon: int, runs: int, gap: Fraction | None, *, dimension: int = 2) -> Audit:
    """Without a gap: the sets of section D.2 with a gap of 1/20. Fewer runs see less: a mean of four bounds, for two."""
    return _played(theorem, LinUCB(noise, 1.0, 0.1, calibration=Calibration.PUBLISHED), horizon, runs, gap, dimension)


def _played(theorem: Theorem, policy: LinUCB, horizon: int, runs: int, gap: Fraction | None, dimension: int) -> Audit:
    high = 0.7 if gap is None else 0.75 - float(gap)
    sets = replace(SETS, dimension=dimension, arms=2 * dimension, high=high)
    named = policy.noise.value if policy.epsilon == 1.0 else f"{policy.noise.value}, epsilon={policy.epsilon:g}"
    slug = policy.noise.value if policy.epsilon == 1.0 else swept(eps=policy.epsilon)
    return Audit(
        theorem.id,
        f"regret.{slug}_{swept(d=dimension, n=horizon)}",
        f"LinUCB({named}) on {sets.arms} unit vectors of R^{dimension} with means below {high:g} and one of 0.75, {horizon} rounds",
        Regret(
            Pipeline(policy, sets),
            horizon,
            mean_bound(theorem, policy, dimension, horizon, gap),
            largest_gap=1.5,
            must_detect_ratio=2.0 if runs >= 80 else 4.0,
            runs=runs,
            parameters={"d": dimension, "arms": sets.arms},
        ),
    )


# The first two and the last four have rounds, gaps and an epsilon at which their bounds are at most 0.53 of what any policy can lose.
_HALF = Fraction(1, 2)
_SAYING = LinUCB(Noise.GAUSSIAN, 1000.0, 0.1, calibration=Calibration.PUBLISHED)
REGRET = (
    _regret(regret.REGRET, Noise.NONE, 60_000, 100, None),
    _regret(regret.REGRET_GAP, Noise.NONE, 60_000, 80, _HALF),
    *(
        _regret(theorem, noise, 2000, 80, gap, dimension=dimension)
        for dimension in (2, 5)
        for noise, free, with_gap in (
            (Noise.GAUSSIAN, gaussian.REGRET_GAUSSIAN_EXPLICIT, gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT),
            (Noise.WISHART, wishart.REGRET_WISHART_EXPLICIT, wishart.REGRET_WISHART_GAP_EXPLICIT),
            (Noise.WISHART_UNSHIFTED, regret.REGRET, regret.REGRET_GAP),
        )
        for theorem, gap in ((free, None), (with_gap, _HALF))
    ),
    _regret(regret.REGRET, Noise.NONE, 80_000, 50, None, dimension=5),
    _regret(regret.REGRET_GAP, Noise.NONE, 80_000, 50, Fraction(1), dimension=5),
    _played(gaussian.REGRET_GAUSSIAN_EXPLICIT, _SAYING, 100_000, 48, None, 2),
    _played(gaussian.REGRET_GAUSSIAN_GAP_EXPLICIT, _SAYING, 100_000, 48, Fraction(1), 2),
)

# --- growth -------------------------------------------------------------------------------------------------------------------------------


def in_inverse(theorem: Theorem, quantity: Quantity) -> Theorem:
    """The statement with 1/x for one of its quantities: its growth in x."""
    bound, instead = theorem.stated(), {symbol(quantity): 1 / symbol(RATIO)}
    given = tuple(RATIO if one is quantity else one for one in bound.given)
    cases = tuple(Case(case.condition, case.expression.xreplace(instead)) for case in bound.cases)
    return replace(theorem, hypotheses=(), bound=replace(bound, cases=cases, given=given))


Draw = Callable[[int, np.random.Generator], Floats]


def regrets(policy: LinUCB, sets: Sphere, horizon: int) -> Draw:
    pipeline = Pipeline(policy, sets)
    return lambda runs, rng: play_many(pipeline, horizon=horizon, key=key_from(rng), runs=runs).regret[:, -1]


APART = Sphere(dimension=2, arms=6, high=0.25)


def by_horizon(policy: LinUCB) -> Callable[[int], Draw]:
    return lambda horizon: regrets(policy, APART, horizon)


def by_dimension(policy: LinUCB) -> Callable[[int], Draw]:
    return lambda dimension: regrets(policy, replace(APART, dimension=dimension), 2000)


def by_inverse_epsilon(policy: LinUCB) -> Callable[[int], Draw]:
    """epsilon = 8/x."""
    return lambda x: regrets(replace(policy, epsilon=8.0 / x), APART, 2000)


def growth(theorem: Theorem, quantity: Quantity, measure: Callable[[int], Draw]) -> GrowthRate:
    """The third quartile, over 200 runs at either end."""
    stated, (first, last) = (in_inverse(theorem, quantity), (2, 16)) if quantity is EPSILON else (theorem, _ENDS[quantity.name])
    return GrowthRate(measure, stated.growth_in(RATIO if quantity is EPSILON else quantity), first, last, quantile=0.75, runs=200)


_ENDS = {"horizon": (500, 5_000), "dimension": (2, 8)}
_SHOWN = {"horizon": "500 to 5000 rounds", "dimension": "d 2 to 8, 2000 rounds", "epsilon": "epsilon 4 to 1/2, 2000 rounds"}
MEASURES = ((HORIZON, by_horizon), (DIMENSION, by_dimension), (EPSILON, by_inverse_epsilon))
GROWTH = tuple(
    Audit(
        theorem.id,
        f"growth.{quantity.name}",
        f"LinUCB({noise.value}, epsilon=1, delta=0.1, repaired) on 6 unit vectors with a gap of 1/2, {_SHOWN[quantity.name]}",
        growth(theorem, quantity, measure(LinUCB(noise, 1.0, 0.1))),
    )
    for theorem, noise in ((gaussian.REGRET_GAUSSIAN_GAP, Noise.GAUSSIAN), (wishart.REGRET_WISHART_GAP, Noise.WISHART))
    for quantity, measure in MEASURES
    if (noise, quantity) != (Noise.WISHART, HORIZON)
)
