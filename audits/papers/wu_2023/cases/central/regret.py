"""wu_2023: regret of PRAE-C beside its explicit bound, growth in the horizon and in epsilon, and what no policy escapes, on RUCB.

The bound is that of the proof's chain. With a range of 1000 it says something from 10^5 rounds on, and at D near 6 (the least that the
corollary allows) too. Under contamination c_1 = 4.5 * 10^6 forces exploration for longer than a run here has rounds: that audit is VACUOUS.

Rates are measured at a fiftieth of the threshold, whose constant the statement suppresses: the forced phase then ends in short runs too.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.two_point import (
    first_contamination,
    first_instance,
    second_contamination,
    second_instance,
)
from banditproof.algorithms.estimators import central_mean
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.audits.methods.coverage import Bools, Coverage, Fails
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.regret import Regret
from banditproof.audits.methods.stated import Derived, Stated
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.papers.wu_2023.cases.central.theory import bound_of as explicit
from banditproof.audits.papers.wu_2023.cases.hypotheses import stated
from banditproof.audits.papers.wu_2023.cases.regret import in_inverse, regrets, steps_of
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import EPSILON, HORIZON, RATIO
from banditproof.interaction import Corruption, Environment, Floats, Pipeline, Policy, Table, Wire
from banditproof.randomness import key_from
from banditproof.simulation import play_many
from banditproof.theory.language import Sense
from banditproof.theory.papers.wu_2023 import central, central_regret, chains, lower_bound
from banditproof.theory.papers.wu_2023.setting import at_moment

# --- beside the explicit bound ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """Arms, the largest gap, and outliers."""

    shown: str
    environment: Environment
    gap: float
    corruption: Huber | None = None


def chain_of(of: CentralElimination, problem: Problem) -> Stated:
    """The bound of the proof's chain for the parameters of a policy, for k = 2 and the problem's gaps."""
    alpha = Fraction(str(of.contamination))
    known = {"arms": problem.environment.arms, "epsilon": Fraction(str(of.epsilon)), "range": Fraction(str(of.range))}
    known["unbounded_gap"] = Fraction(problem.gap)
    if alpha:
        return stated(chains.REGRET_CENTRAL_CHAIN, **known, contamination=alpha)
    return stated(chains.REGRET_CENTRAL_CLEAN_CHAIN, **known)


def beside_the_bound(
    policy: Policy, of: CentralElimination, problem: Problem, horizon: int, runs: int, ratio: float, relative_deviation: float
) -> Regret:
    """The regret of `policy` beside the bound of the proof's chain for the parameters of `of`; checked where that is what runs."""
    bound = chain_of(of, problem)
    pipeline = Pipeline(policy, problem.environment)
    if problem.corruption is not None:
        pipeline = replace(pipeline, corruption=problem.corruption)
    return Regret(
        pipeline,
        horizon,
        bound if policy is of else lambda: bound.at(horizon),
        problem.gap,
        ratio,
        runs=runs,
        relative_deviation=relative_deviation,
        parameters={"problem": problem.shown},
    )


def _regret(
    name: str, policy: CentralElimination, problem: Problem, horizon: int, runs: int, ratio: float, relative_deviation: float = 0.5
) -> Audit:
    theorem = chain_of(policy, problem).theorem
    shown = f"CentralElimination(epsilon={policy.epsilon}, range={policy.range}, contamination={policy.contamination}, pad={policy.pad})"
    method = beside_the_bound(policy, policy, problem, horizon, runs, ratio, relative_deviation)
    slug = f"regret.{name}_{swept(eps=policy.epsilon, range=policy.range)}"
    return Audit(theorem.id, slug, f"{shown} on {problem.shown}, {horizon} rounds", method)


WIDE = CentralElimination(1.0, range=1000.0, pad=True)
_ENDS = Problem("Gaussian arms at 1000 and -1000", Gaussian((1000.0, -1000.0), (1.0, 1.0)), 2000.0)
_INSIDE = Problem("Gaussian arms at 996 and -996", Gaussian((996.0, -996.0), (1.0, 1.0)), 1992.0)
_FIVE = Problem("five Gaussian arms from 996 to -996", Gaussian((-996.0, 0.0, 500.0, 990.0, 996.0), (1.0,) * 5), 1992.0)
_NEAR = Problem("Gaussian arms at 3 and -3", Gaussian((3.0, -3.0), (1.0, 1.0)), 6.0)
_MIXED = Problem("Gaussian arms at 3 and -3, outliers at 20", Gaussian((3.0, -3.0), (1.0, 1.0)), 6.0, Huber(0.02, high=20.0))
REGRET = (
    _regret("ends", WIDE, _ENDS, 200_000, 50, 2.0, relative_deviation=0.2),
    _regret("inside_unpadded", replace(WIDE, pad=False), _INSIDE, 200_000, 50, 2.0, relative_deviation=0.2),
    _regret("ends", replace(WIDE, epsilon=0.5), _ENDS, 400_000, 50, 2.0, relative_deviation=0.2),
    _regret("five_arms", WIDE, _FIVE, 400_000, 60, 2.0, relative_deviation=0.3),
    _regret("near", CentralElimination(1.0, range=6.5, pad=True), _NEAR, 100_000, 200, 3.0),
    _regret("near_outliers", CentralElimination(1.0, range=6.5, contamination=0.02, pad=True), _MIXED, 100_000, 40, 3.0),
)

# At the scale of the paper's Pareto problem: a standard deviation of 20 sqrt(3), gaps up to 100; and D the least that the corollaries allow
STANDARD_DEVIATION = math.sqrt(1200.0)
LEAST_RANGE = Fraction("6.325")  # 2 * 10^(1/2); it is 4.14 at alpha_1 = 1/50


def paper_problem(arms: int = 11) -> Problem:
    """The Pareto problem of the paper's experiments with centred noise, its means around 0, in the class of unit variance."""
    means = [100.0 - 100.0 * arm / (arms - 1) for arm in range(arms)]
    real = Pareto((3.0,) * arms, (40.0,) * arms, tuple(mean - 60.0 for mean in means))
    return Problem("the paper's Pareto problem", real.rescaled(50.0, STANDARD_DEVIATION), 100.0 / STANDARD_DEVIATION)


PAPER = _regret("pareto", CentralElimination(1.0, range=float(LEAST_RANGE)), paper_problem(), 100_000, 40, 3.0)


def _vacuities(epsilon: str, alpha: str) -> tuple[Audit, Audit]:
    """Of the proof's chain, and of its closed form."""
    closed = central_regret.REGRET_CENTRAL_EXPLICIT if Fraction(alpha) else central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT
    chained = chains.REGRET_CENTRAL_CHAIN if Fraction(alpha) else chains.REGRET_CENTRAL_CLEAN_CHAIN
    known: dict[str, Any] = {"arms": 11, "epsilon": Fraction(epsilon), "range": LEAST_RANGE}
    known |= {"contamination": Fraction(alpha)} if Fraction(alpha) else {}
    statement, gap = stated(chained, **known, unbounded_gap=Fraction(100.0 / STANDARD_DEVIATION)), 100.0 / STANDARD_DEVIATION
    slug = f"vacuity.pareto_{swept(eps=epsilon, **({'alpha': alpha} if Fraction(alpha) else {}))}"
    label = f"first horizon at which it says anything for the paper's Pareto problem: 11 arms, epsilon {epsilon}, contamination {alpha}"
    parameters = {"arms": 11, "epsilon": epsilon, "range": str(LEAST_RANGE)}
    return (
        Audit(chained.id, slug, label, Vacuity(statement.at, gap, least=11, parameters=parameters, jumps=steps_of(statement, 11))),
        Audit(closed.id, slug, label, Vacuity(explicit(closed, **known), gap, least=11, parameters=parameters)),
    )


FIRST_HORIZONS = tuple(
    audit
    for epsilon, alpha in (("1", "0"), ("1/2", "0"), ("1/5", "0"), ("1", "1/50"), ("1", "1/10000"))
    for audit in _vacuities(epsilon, alpha)
)

# --- growth -----------------------------------------------------------------------------------------------------------------------------

FRACTION = 0.02  # of the threshold
_HUNDRED = Gaussian((90.0, -90.0), (1.0, 1.0))
SHORT = CentralElimination(1.0, range=100.0, threshold_factor=FRACTION)


def regrets_by_epsilon(policy: Callable[[float], Policy], horizon: int) -> Callable[[int], Callable[[int, np.random.Generator], Floats]]:
    """The regret of a run at epsilon = 2/x. Draws a key."""
    return lambda x: regrets(policy(2.0 / x), _HUNDRED)(horizon)


def growth_in_horizon(policy: Policy) -> GrowthRate:
    return GrowthRate(
        regrets(policy, _HUNDRED), at_moment(central.REGRET_CENTRAL_CLEAN, 2).growth_in(HORIZON), 2_000, 100_000, quantile=0.75, runs=200
    )


def growth_in_inverse_epsilon(policy: Callable[[float], Policy], horizon: int = 60_000) -> GrowthRate:
    growth = in_inverse(central.REGRET_CENTRAL_CLEAN, EPSILON).growth_in(RATIO)
    return GrowthRate(regrets_by_epsilon(policy, horizon), growth, 2, 16, quantile=0.75, runs=200)


GROWTH = (
    Audit(
        central.REGRET_CENTRAL_CLEAN.id,
        "growth.horizon",
        "CentralElimination(epsilon=1.0, range=100.0, threshold_factor=0.02) on Gaussian arms at 90 and -90, 2000 to 100000 rounds",
        growth_in_horizon(SHORT),
    ),
    Audit(
        central.REGRET_CENTRAL_CLEAN.id,
        "growth.inverse_epsilon",
        "CentralElimination(range=100.0, threshold_factor=0.02) on Gaussian arms at 90 and -90, epsilon 1 to 1/8",
        growth_in_inverse_epsilon(lambda epsilon: replace(SHORT, epsilon=epsilon)),
    ),
)

# --- the printed rate at an end of a large range ----------------------------------------------------------------------------------------


def regrets_at_the_end(policy: Policy, best: float) -> Callable[[int], Callable[[int, np.random.Generator], Floats]]:
    """The regret of a run where one arm always pays the range and the other 10 less. Draws a key."""

    def at(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
        rewards = np.repeat([[best, best - 10.0]], horizon, axis=0)
        return regrets(policy, Table(rewards))(horizon)

    return at


_MULTIPLE = 316.0 * central_mean.clean_bin_width(2.0)  # 632 bins end at D


def growth_at_the_end(pad: bool) -> GrowthRate:
    policy = CentralElimination(1.0, range=_MULTIPLE, pad=pad)
    growth = at_moment(central.REGRET_CENTRAL_CLEAN, 2).growth_in(HORIZON)
    return GrowthRate(regrets_at_the_end(policy, _MULTIPLE), growth, 60_000, 800_000, quantile=0.5, runs=60)


LARGE_RANGES = (
    Audit(
        central.REGRET_CENTRAL_CLEAN.id,
        "growth.horizon_at_end_unpadded",
        "as printed, CentralElimination(epsilon=1.0, range=316 r, pad=False), arms that pay D and D - 10, 60000 to 800000 rounds",
        growth_at_the_end(False),
        expected=Verdict.REFUTED,
    ),
    Audit(
        central.REGRET_CENTRAL_CLEAN.id,
        "growth.horizon_at_end_padded",
        "CentralElimination(epsilon=1.0, range=316 r, pad=True), arms that pay D and D - 10, 60000 to 800000 rounds",
        growth_at_the_end(True),
    ),
)

# --- what no policy escapes -------------------------------------------------------------------------------------------------------------

Corruptions = tuple[Corruption, Corruption]
_GAMMA = Fraction(1, 2)  # alpha = gamma^2 = 1/4
OUTLIERS = (first_contamination(2, _GAMMA, moment=2), second_contamination(2, _GAMMA, moment=2))


def worse_arm(policy: Policy, gamma: Fraction, corruptions: Corruptions, rounds: int) -> Fails:
    """Whether the worse arm is played, in one of the two problems and in one round, both drawn uniformly. Draws."""
    problems = first_instance(2, gamma, moment=2), second_instance(2, gamma, moment=2)

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        second = int(rng.binomial(runs, 0.5))
        parts = []
        for better, count in enumerate((runs - second, second)):  # arm 0 in the first problem, arm 1 in the second
            if count:
                pipeline = Pipeline(policy, problems[better], corruption=corruptions[better])
                arms = play_many(pipeline, horizon=rounds, key=key_from(rng), runs=count, record=(Wire.ARMS,)).wire(Wire.ARMS)
                parts.append(arms.reshape(count, rounds)[np.arange(count), rng.integers(0, rounds, count)] != better)
        return np.concatenate(parts)

    return fails


def fraction_of_worse_rounds(gamma: Fraction, rounds: int) -> float:
    """(R_1 + R_2)/(2 T gap) by the statement, if nothing distinguishes the two problems."""
    gap = gamma / 5
    return float(lower_bound.TWO_REGRETS.at(horizon=rounds, gap=gap, divergence=0).bound) / float(2 * rounds * gap)


def alike(policy: Policy, gamma: Fraction, corruptions: Corruptions, rounds: int, runs: int) -> Coverage:
    return Coverage(
        worse_arm(policy, gamma, corruptions, rounds),
        Derived(lambda: fraction_of_worse_rounds(gamma, rounds), "the regret of two problems as a fraction of rounds", Sense.AT_LEAST),
        rule="the worse arm is played in a round drawn uniformly, in one of two problems drawn alike",
        must_detect_ratio=1.5,
        runs=runs,
        cell=512,
        parameters={"gamma": str(gamma), "rounds": rounds},
    )


UNESCAPED = Audit(
    lower_bound.TWO_REGRETS.id,
    "coverage.median_ucb",
    "MedianUCB(variance=1.0, contamination=0.25) in both problems of the lower bound, a quarter of the rewards outliers",
    alike(MedianUCB(1.0, contamination=0.25), _GAMMA, OUTLIERS, 1_000, 4_000),
)
