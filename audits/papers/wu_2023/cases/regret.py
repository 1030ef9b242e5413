"""wu_2023: regret of the policy as a fraction of the explicit bounds, pull counts and batches of its proof, from where the bounds say
anything, and its growth.

The bounds are those of the proof's chain; their closed forms stay beside them, in vacuity and at points. At the scale of the paper's
experiments they are T times the largest gap (VACUOUS); with gaps of 2 and 10^5 to 10^6 rounds they are not. Rewards of the raw moment class
have means in [-1, 1], so no gap exceeds 2.
"""

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.environments.common.scaling import unit_scale
from banditproof.algorithms.environments.gaussian import Gaussian
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.pareto import Pareto
from banditproof.algorithms.environments.two_point import first_instance
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.regret import Regret
from banditproof.audits.methods.stated import Stated
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.papers.wu_2023.cases.hypotheses import stated
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import fraction, power
from banditproof.glossary import CONTAMINATION, HORIZON, RATIO, Quantity
from banditproof.glossary.wu_2023 import FIRST_TESTED
from banditproof.interaction import Environment, Floats, Pipeline, Policy
from banditproof.randomness import key_from
from banditproof.simulation import play_many
from banditproof.theory.evaluate import implicit_values
from banditproof.theory.language import Case, Theorem, symbol
from banditproof.theory.papers.wu_2023 import chains, elimination, raw
from banditproof.theory.papers.wu_2023.setting import at_moment

# --- the regret beside its explicit bound -------------------------------------------------------------------------------------------------


def explicit(arms: int, epsilon: Fraction | int, contamination: Fraction | int = 0) -> Callable[[int], float]:
    """The bound at a horizon, for k = 2."""
    if contamination:
        return lambda horizon: (
            elimination.REGRET_RAW_EXPLICIT.at(horizon=horizon, arms=arms, epsilon=epsilon, contamination=contamination, moment=2).bound
        )
    return lambda horizon: elimination.REGRET_CLEAN_EXPLICIT.at(horizon=horizon, arms=arms, epsilon=epsilon, moment=2).bound


def paper_problem(arms: int = 11) -> tuple[Pareto, float]:
    """The Pareto problem of the paper's experiments with centred noise, in the unit class, and its largest gap."""
    means = [100.0 - 100.0 * arm / (arms - 1) for arm in range(arms)]
    real = Pareto((3.0,) * arms, (40.0,) * arms, tuple(mean - 60.0 for mean in means))
    scale = unit_scale(real.second_moments())
    return real.rescaled(0.0, scale), 100.0 / scale


@dataclass(frozen=True)
class Problem:
    """Arms, outliers and what a case says about them: in its slug and in its label."""

    slug: str
    shown: str
    environment: Environment
    gap: float
    corruption: Huber | None = None


def chain(arms: int, epsilon: Fraction | int, contamination: Fraction | int, gap: float) -> Stated:
    """The bound of the proof's chain, for k = 2 and gaps of at most this."""
    known: dict[str, Any] = {"arms": arms, "epsilon": epsilon, "gap_up_to_two": Fraction(gap)}
    if contamination:
        return stated(chains.REGRET_RAW_CHAIN, **known, contamination=contamination)
    return stated(chains.REGRET_CLEAN_CHAIN, **known)


def _regret(policy: RobustElimination, problem: Problem, horizon: int, runs: int, ratio: float, relative_deviation: float = 0.5) -> Audit:
    alpha = Fraction(str(policy.contamination))
    bound = chain(problem.environment.arms, Fraction(str(policy.epsilon)), alpha, problem.gap)
    theorem = bound.theorem
    pipeline = Pipeline(policy, problem.environment)
    if problem.corruption is not None:
        pipeline = replace(pipeline, corruption=problem.corruption)
    return Audit(
        theorem.id,
        f"regret.{problem.slug}_{swept(eps=policy.epsilon, alpha=policy.contamination, t=horizon)}",
        f"RobustElimination(epsilon={policy.epsilon}, contamination={policy.contamination}) on {problem.shown}, {horizon} rounds",
        Regret(
            pipeline,
            horizon,
            bound,
            problem.gap,
            ratio,
            runs=runs,
            relative_deviation=relative_deviation,
            parameters={"problem": problem.shown},
        ),
    )


_PARETO, _PARETO_GAP = paper_problem()
WIDE = Gaussian((0.999, -0.999), (0.04, 0.04))  # second moment 0.9996
_RARE = first_instance(2, Fraction(1, 2), moment=2)
_APART = Problem("gaussian", "Gaussian arms at 0.999 and -0.999", WIDE, 1.998)
# The regret of a run on arms so far apart hardly varies: the design may count on a small spread, and a larger measured one replaces it.
REGRET = (
    _regret(RobustElimination(1.5), _APART, 100_000, 50, 1.8, relative_deviation=0.1),
    _regret(
        RobustElimination(1.0), Problem("two_point", "the two-point problem, gamma 1/2", _RARE, float(max(_RARE.gaps()))), 200_000, 40, 3.0
    ),
    _regret(
        RobustElimination(100.0, contamination=0.0002),
        Problem("gaussian", "Gaussian arms at 0.999 and -0.999, outliers at -10^6", WIDE, 1.998, Huber(0.0002, high=-1e6)),
        2_000_000,
        60,
        1.75,
        relative_deviation=0.2,
    ),
    _regret(
        RobustElimination(1.0, contamination=0.02),
        Problem("pareto", "the paper's Pareto problem, outliers at 1", _PARETO, _PARETO_GAP, Huber(0.02, high=1.0)),
        100_000,
        40,
        3.0,
    ),
)


def steps_of(statement: Stated, least: int) -> Callable[[int], Iterator[int]]:
    """Horizons from which on an integer of the chain (its first tested epoch, its last one) may be another: there the logarithms jump."""
    bound, others = statement.theorem.stated(), int(statement.values["arms"]) - 1
    forced = any(implicit.of is FIRST_TESTED for implicit in bound.where)

    @functools.cache  # each half of a stretch has one of its ends
    def tested(horizon: int) -> int:
        return implicit_values(bound, {**statement.values, "horizon": horizon}, FIRST_TESTED)[FIRST_TESTED.name] if forced else 1

    def later(low: int, high: int) -> Iterator[int]:
        """Where the first tested epoch is another than one round before."""
        if tested(low) == tested(high):
            return
        if high - low == 1:
            yield high
            return
        middle = (low + high) // 2
        yield from later(low, middle)
        yield from later(middle, high)

    def steps(most: int) -> Iterator[int]:
        yield from later(least, most)
        for start in range(tested(least), tested(most) + 1):
            for last in range(start, most.bit_length() + 1):
                later_epoch = 2**start - 1 + others * (2 ** (last + 1) - 2**start)
                if least <= later_epoch <= most and tested(later_epoch) == start:
                    yield later_epoch

    return steps


def _vacuities(arms: int, epsilon: str, alpha: str, gap: float) -> tuple[Audit, Audit]:
    """Of the proof's chain, and of its closed form."""
    closed = elimination.REGRET_RAW_EXPLICIT if Fraction(alpha) else elimination.REGRET_CLEAN_EXPLICIT
    statement = chain(arms, Fraction(epsilon), Fraction(alpha), gap)
    slug = f"vacuity.{arms}_arms_{swept(eps=epsilon, alpha=alpha, gap=f'{gap:.3g}')}"
    label = f"first horizon at which it says anything: {arms} arms, epsilon {epsilon}, contamination {alpha}, gap {gap:.3g}"
    parameters = {"arms": arms, "epsilon": epsilon}
    return (
        Audit(
            statement.theorem.id,
            slug,
            label,
            Vacuity(statement.at, gap, least=arms, parameters=parameters, jumps=steps_of(statement, arms)),
        ),
        Audit(closed.id, slug, label, Vacuity(explicit(arms, Fraction(epsilon), Fraction(alpha)), gap, least=arms, parameters=parameters)),
    )


VACUITY = tuple(
    audit
    for settings in (
        (2, "1", "0", 2.0),
        (11, "1", "0", _PARETO_GAP),
        (11, "1/5", "0", _PARETO_GAP),
        (2, "10", "1/10000", 2.0),
        (11, "1", "1/50", _PARETO_GAP),  # 8 (8 alpha_1)^(1/2) exceeds the gap: at no horizon
    )
    for audit in _vacuities(*settings)
)


def _closed_forms() -> Iterator[At]:
    """The chain at the largest gap of the class beside its closed form, at horizons where that is below 2 T."""
    outliers = (Fraction(0), Fraction(1, 10**4))
    for (arms, epsilon), alpha, horizon in product(product((2, 11), ("1/5", "1", "100000")), outliers, (10**7, 10**9, 10**12)):
        closed = Fraction(explicit(arms, Fraction(epsilon), alpha)(horizon))
        if closed < 2 * horizon:
            point = {"K": arms, "epsilon": epsilon, "alpha_1": alpha, "T": horizon}
            yield At(point, Fraction(chain(arms, Fraction(epsilon), alpha, 2.0).at(horizon)), closed)


def _of_statement(contaminated: bool) -> Iterator[At]:
    return (point for point in _closed_forms() if bool(point.parameters["alpha_1"]) is contaminated)


# --- pulls and batches of the proof -------------------------------------------------------------------------------------------------------


def _pulls() -> Iterator[At]:
    """All pulls an arm can have: all of the forced epochs, then every epoch from there to the one in which it goes."""
    for forced, survived in ((one, two) for one in range(1, 12) for two in range(one, 14)):
        pulls = sum(2**epoch for epoch in range(1, forced + 1)) + sum(2**epoch for epoch in range(forced + 1, survived + 2))
        yield At(
            {"last_forced": forced, "last_survived": survived}, Fraction(pulls), elimination.ELIMINATION_PULLS.at(batch=2**survived).ball
        )


def _printed_pulls() -> Iterator[At]:
    printed = elimination.ELIMINATION_PULLS.as_printed()
    for forced, survived in ((4, 5), (13, 14)):  # K = 2, T = 10^4, alpha_1 = 0.4999; T = 10^6, alpha_1 = 1/512
        pulls = sum(2**epoch for epoch in range(forced + 1, survived + 2))
        yield At({"last_forced": forced, "last_survived": survived}, Fraction(pulls), printed.at(batch=2**survived).ball)


def batches(theorem: Theorem, literal: bool) -> Callable[[], Iterator[At]]:
    """Epochs that an arm of group one can survive on the good event, its gap at most 4 radii, with gaps just below 4 radii."""
    radius = elimination.EPOCH_RADIUS_LITERAL if literal else elimination.EPOCH_RADIUS

    def points() -> Iterator[At]:
        for epoch, epsilon, alpha, moment, active in product(
            range(4, 31, 2), (Fraction(1, 2), Fraction(5)), (Fraction(1, 2800), Fraction(1, 10**6)), (2, 4), (2, 11)
        ):
            known: dict[str, Any] = {
                "active": active,
                "epoch": epoch,
                "failure": Fraction(1, 10**6),
                "epsilon": epsilon,
                "contamination": alpha,
                "moment": moment,
            }
            gap = min(Fraction(2), (fraction(radius.at(**known).ball) * 4 * Fraction(999, 1000)).limit_denominator(10**6))
            if gap >= 16 * power(8 * alpha, 1 - Fraction(1, moment)):
                yield At({**known, "gap": gap}, Fraction(2**epoch), theorem.at(gap_up_to_two=gap, **known).ball)

    return points


CLOSED = tuple(
    Audit(
        theorem.id,
        "points.above_the_chain",
        f"the bound of {theorem.id} beside {other.id}",
        Pointwise(
            functools.partial(_of_statement, alpha),
            "K 2, 11, epsilon 1/5, 1, 1e5, alpha_1 0 or 1e-4, T 1e7, 1e9, 1e12, k 2, gap 2",
            "bound of the proof's chain",
        ),
    )
    for alpha, theorem, other in (
        (False, elimination.REGRET_CLEAN_EXPLICIT, chains.REGRET_CLEAN_CHAIN),
        (True, elimination.REGRET_RAW_EXPLICIT, chains.REGRET_RAW_CHAIN),
    )
)

_EPOCHS = "epochs 4 to 30, epsilon 1/2, 5, alpha_1 1/2800, 1e-6, k 2, 4, 2 and 11 arms, gap 3.996 radii"
PROOF = (
    Audit(
        elimination.ELIMINATION_PULLS.id,
        "points.schedules",
        "all schedules to epoch 13",
        Pointwise(_pulls, "forced 1 to 11, survived to 13", "pulls"),
    ),
    Audit(
        elimination.ELIMINATION_PULLS.id,
        "points.as_printed",
        "as printed",
        Pointwise(_printed_pulls, "two schedules", "pulls"),
        expected=Verdict.REFUTED,
    ),
    Audit(
        elimination.ELIMINATION_BATCH.id,
        "points.surviving_arms",
        "arms that can survive an epoch",
        Pointwise(batches(elimination.ELIMINATION_BATCH, False), _EPOCHS, "batch"),
    ),
    Audit(
        elimination.ELIMINATION_BATCH.id,
        "points.as_printed",
        "as printed, with the printed radius",
        Pointwise(batches(elimination.ELIMINATION_BATCH.as_printed(), True), _EPOCHS, "batch"),
        expected=Verdict.REFUTED,
    ),
)

# --- rates --------------------------------------------------------------------------------------------------------------------------------


def regrets(policy: Policy, environment: Environment) -> Callable[[int], Callable[[int, np.random.Generator], Floats]]:
    """The clean regret of a run. Draws a key."""
    pipeline = Pipeline(policy, environment)
    return lambda horizon: lambda runs, rng: play_many(pipeline, horizon=horizon, key=key_from(rng), runs=runs).regret[:, -1]


_LARGE_EPSILON = RobustElimination(1.5)
CLEAN_GROWTH = Audit(
    elimination.REGRET_CLEAN.id,
    "growth.horizon",
    "RobustElimination(epsilon=1.5) on Gaussian arms at 0.999 and -0.999, 2000 to 50000 rounds",
    GrowthRate(regrets(_LARGE_EPSILON, WIDE), at_moment(elimination.REGRET_CLEAN, 2).growth_in(HORIZON), 2_000, 50_000, runs=200),
)


def in_inverse(theorem: Theorem, quantity: Quantity) -> Theorem:
    """The statement at k = 2 with 1/x for one of its quantities: its growth in x."""
    own = at_moment(theorem, 2)
    bound, instead = own.stated(), {symbol(quantity): 1 / symbol(RATIO)}
    given = tuple(RATIO if one is quantity else one for one in bound.given)
    cases = tuple(Case(case.condition, case.expression.xreplace(instead)) for case in bound.cases)
    return replace(own, hypotheses=(), bound=replace(bound, cases=cases, given=given))


def _by_contamination(policy: Callable[[float], Policy], horizon: int) -> Callable[[int], Callable[[int, np.random.Generator], Floats]]:
    return lambda x: regrets(policy(1.0 / x), WIDE)(horizon)


def growth_in_inverse_contamination(policy: Callable[[float], Policy], horizon: int = 100_000) -> GrowthRate:
    """At alpha_1 = 1/x: what the forced phase costs grows as x at most."""
    growth = in_inverse(elimination.REGRET_RAW, CONTAMINATION).growth_in(RATIO)
    return GrowthRate(_by_contamination(policy, horizon), growth, 100, 800, quantile=0.75, runs=200)


RAW_GROWTH = Audit(
    elimination.REGRET_RAW.id,
    "growth.inverse_contamination",
    "RobustElimination(epsilon=100.0, contamination=1/x) on Gaussian arms at 0.999 and -0.999, 100000 rounds, x 100 to 800",
    growth_in_inverse_contamination(lambda proportion: RobustElimination(100.0, contamination=proportion)),
)


def _enough_samples() -> Iterator[At]:
    """The clean radius at the stated number of samples, rounded up: at most the wanted accuracy."""
    for eta, epsilon, moment, failure in product(("1/100", "1/3", "9/10"), ("1/10", "3/2", "50"), (2, 3, 20), ("1/1000", "9/10")):
        known: dict[str, Any] = {"epsilon": epsilon, "moment": moment, "failure": failure}
        count = raw.CLEAN_SAMPLE_COMPLEXITY_EXPLICIT.at(accuracy=eta, **known).bound
        samples = max(1, -int(-count // 1))
        yield At({"accuracy": eta, **known, "n": samples}, fraction(raw.CLEAN_RADIUS.at(samples=samples, **known).ball), Fraction(eta))


ENOUGH = (
    Audit(
        raw.CLEAN_SAMPLE_COMPLEXITY_EXPLICIT.id,
        "points.clean_radius",
        "the clean radius at so many samples",
        Pointwise(_enough_samples, "eta 1/100 to 9/10, epsilon 1/10 to 50, k 2, 3, 20, failure 1/1000, 9/10", "radius"),
    ),
)
