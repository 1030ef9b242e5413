"""ldp_linucb_2024: the regret of Algorithms 1 and 2 beside explicit bounds, and how it grows.

Explicit are the first step of Theorem 3.4, the first display of Corollary 3.6 with every hidden constant 1, and three times the targets of
Theorem 4.1. At the paper's epsilon the last two are above 2 T (findings first_display_is_vacuous, targets_exceed_the_horizon).

Growth is measured with a constant width of 8 or 10 and epsilon of 10 to 100, where Maler has converged at 16000 rounds, and of 1, where it
has at 160000; before, regret is still linear in the horizon (at epsilon = 2 it is 18 times that at epsilon = 10, 8000 rounds), and a rate
says nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.environments.sphere import Sphere
from banditproof.algorithms.environments.unit_features import ArmSet, UnitFeatures
from banditproof.algorithms.learners.ogd import OGD, Step
from banditproof.algorithms.policies.locally_private_lin_ucb.combiner import Combiner
from banditproof.algorithms.policies.locally_private_lin_ucb.constants import Putative, Width
from banditproof.algorithms.policies.locally_private_lin_ucb.policy import Anytime, PrivateOnlineLinUCB, Problem
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.regret import Regret
from banditproof.audits.methods.tightness import BoundUtilisation
from banditproof.audits.papers.ldp_linucb_2024.cases.sets import APART, FAILURE, GOOD_EVENT
from banditproof.audits.running.audit import Audit, swept
from banditproof.glossary import DIMENSION, EPSILON, HORIZON, RATIO
from banditproof.interaction import Environment, Floats, Pipeline, Wire
from banditproof.randomness import key_from, key_of
from banditproof.simulation import play_many
from banditproof.theory.language import Case, Theorem, symbol
from banditproof.theory.papers.ldp_linucb_2024 import combiner, comparisons, regret

Player = PrivateOnlineLinUCB | Anytime | Combiner
NARROW = PrivateOnlineLinUCB(100.0, 0.1, curvature=0.4, threshold=0.01, problem=Problem(1.0, 1.0), width=Width.CONST, scale=8.0)
LITERAL = replace(NARROW, width=Width.LITERAL)

# --- the first step of Theorem 3.4 --------------------------------------------------------------------------------------------------------


def by_width(player: PrivateOnlineLinUCB, horizon: int, runs: int, rng: np.random.Generator) -> Floats:
    """The regret over 2 w sqrt(T Phi), Phi the sum over rounds of min(1, |x_t|^2) in the norm of the inverse noisy Gram matrix."""
    record = (Wire.STATISTIC, Wire.ARMS, Wire.CONTEXTS)
    played = play_many(Pipeline(player, APART, player.randomiser()), horizon=horizon, key=key_from(rng), runs=runs, record=record)
    released, arms = np.asarray(played.wire(Wire.STATISTIC)), np.asarray(played.wire(Wire.ARMS))
    actions = np.take_along_axis(np.asarray(played.wire(Wire.CONTEXTS)), arms[..., None, None], axis=2)[:, :, 0]
    before = np.concatenate([np.broadcast_to([1.0, 0.0, 1.0], (runs, 1, 3)), released[:, :-1, :3]], axis=1)
    determinant = before[..., 0] * before[..., 2] - before[..., 1] ** 2
    squares = (
        before[..., 2] * actions[..., 0] ** 2
        - 2.0 * before[..., 1] * actions[..., 0] * actions[..., 1]
        + before[..., 0] * actions[..., 1] ** 2
    ) / determinant
    total = np.minimum(1.0, squares).sum(axis=1)
    bound = regret.REGRET_BY_WIDTH.function()(horizon=float(horizon), squared_width=player.scale**2, potential_sum=total)
    return np.asarray(played.regret[:, -1] / bound)


def by_width_audit(player: PrivateOnlineLinUCB) -> BoundUtilisation:
    return BoundUtilisation(
        partial(by_width, player, 1000),
        GOOD_EVENT,
        "the regret larger than 2 w sqrt(T Phi), with a width that holds theta*",
        4.0,
        runs=250,
        cell=50,
        parameters={"d": 2, "n": 1000, "beta": FAILURE, "width": player.scale},
    )


BY_WIDTH = Audit(
    regret.REGRET_BY_WIDTH.id,
    "tightness.apart_eps100_n1000",
    "Algorithm 1, constant width 8, epsilon = 100, four arms apart, 1000 rounds",
    by_width_audit(NARROW),
)

# --- explicit bounds ----------------------------------------------------------------------------------------------------------------------


def display(theorem: Theorem, player: PrivateOnlineLinUCB, horizon: int, **more: Any) -> Callable[[], float]:
    """The display, and 2 a round in a fraction beta of the runs."""
    failure = Fraction(1, horizon)

    def bound() -> float:
        known: dict[str, Any] = {
            "horizon": horizon,
            "dimension": 2,
            "failure": failure,
            "epsilon": player.epsilon,
            "delta": Fraction(1, 10),
        }
        return theorem.at(**known, parameter_norm=1, reward_sigma=1, **more).bound + 2.0 * horizon * float(failure)

    return bound


def target(theorem: Theorem, player: Combiner, horizon: int, **more: Any) -> Callable[[], float]:
    """Three times the target of a base learner, and 2 a round in a fraction 3 beta of the runs."""

    def bound() -> float:
        failure, learners = Fraction(1, horizon), len(player.learners(horizon))
        known: dict[str, Any] = {
            "horizon": horizon,
            "dimension": 2,
            "epsilon": player.base.epsilon,
            "failure": failure,
            "learners": learners,
        }
        return 3.0 * theorem.at(**known, **more).bound + 6.0 * horizon * float(failure)

    return bound


def played(player: Player, horizon: int, bound: Callable[[], float], runs: int = 40, environment: Environment = APART) -> Regret:
    parameters = {"d": 2, "epsilon": player.base.epsilon if isinstance(player, (Anytime, Combiner)) else player.epsilon}
    pipeline = Pipeline(player, environment, player.randomiser())
    return Regret(pipeline, horizon, bound, largest_gap=1.5, must_detect_ratio=2.0, runs=runs, parameters=parameters)


_CURVED = {"positive_curvature": Fraction(2, 5)}
DISPLAYS = tuple(
    Audit(
        theorem.id,
        f"regret.{swept(eps=epsilon, n=8000)}",
        f"Algorithm 1, literal width, {shown}, epsilon = {epsilon:g}, four arms apart, 8000 rounds",
        played(player, 8000, display(theorem, player, 8000, **more), runs=100),
    )
    for theorem, shown, base, more in (
        (regret.FAVOURABLE_SUBSTITUTED, "Delta = 0", LITERAL, _CURVED),
        (regret.WORST_SUBSTITUTED, "Delta^2 = T^(-1/4)", replace(LITERAL, curvature=0.0, threshold=None), {}),
    )
    for epsilon in (10.0, 1000.0)
    for player in (replace(base, epsilon=epsilon),)
)
COMBINED = tuple(
    Audit(
        theorem.id,
        f"regret.{swept(eps=10, n=4000)}",
        "the combiner over the paper's grid, P = P' = 1, literal width, epsilon = 10, four arms apart, 4000 rounds",
        played(player, 4000, target(theorem, player, 4000, **more), runs=100),
        runs=f"{combiner.FIRST_TARGET.id}/runs.{swept(eps=10, n=4000)}",
    )
    for theorem, more in ((combiner.FIRST_TARGET, {}), (combiner.OTHER_TARGET, _CURVED))
    for player in (Combiner(replace(LITERAL, epsilon=10.0)),)
)

# --- growth -------------------------------------------------------------------------------------------------------------------------------

Draw = Callable[[int, np.random.Generator], Floats]


def regrets(player: Player, environment: Environment, horizon: int) -> Draw:
    """The regret of runs."""
    pipeline = Pipeline(player, environment, player.randomiser())
    return lambda runs, rng: play_many(pipeline, horizon=horizon, key=key_from(rng), runs=runs).regret[:, -1]


def by_horizon(player: Player, environment: Environment) -> Callable[[int], Draw]:
    return partial(regrets, player, environment)


def by_dimension(player: PrivateOnlineLinUCB) -> Callable[[int], Draw]:
    """On 2 d unit vectors of R^d."""
    return lambda dimension: regrets(replace(player, curvature=0.9 / dimension), Sphere(dimension, 2 * dimension), 8000)


def by_inverse_epsilon(player: PrivateOnlineLinUCB) -> Callable[[int], Draw]:
    """epsilon = 160/x."""
    return lambda x: regrets(replace(player, epsilon=160.0 / x), APART, 8000)


def in_horizon(
    theorem: Theorem, player: Player, environment: Environment, first: int = 1000, last: int = 16_000, runs: int = 40
) -> GrowthRate:
    return GrowthRate(by_horizon(player, environment), theorem.growth_in(HORIZON), first, last, quantile=0.5, runs=runs)


def inverse_epsilon(theorem: Theorem) -> Theorem:
    """The statement in x = 1/epsilon."""
    bound, instead = theorem.stated(), {symbol(EPSILON): 1 / symbol(RATIO)}
    given = tuple(RATIO if one is EPSILON else one for one in bound.given)
    cases = tuple(Case(case.condition, case.expression.xreplace(instead)) for case in bound.cases)
    return replace(theorem, hypotheses=(), bound=replace(bound, cases=cases, given=given))


TEN = replace(NARROW, epsilon=10.0, scale=10.0)
FIXED, REDRAWN = UnitFeatures(5, 20, ArmSet.FIXED), UnitFeatures(5, 20, ArmSet.REDRAWN)
BITS = Problem(1.0, 0.5)
WORST = replace(TEN, curvature=0.0, threshold=None, problem=BITS)


STANDING = replace(TEN, learner=OGD(Step.ROOT, 1e-8))  # a learner that stands still: the policy explores all the time


def combination(targets: tuple[float, float] = (0.0, 0.0), factor: float = 0.3) -> Combiner:
    """A combiner of a learner that never learns and a good one, which believes the same of both, except for the targets R."""
    putatives = tuple(Putative(5.0, 0.5, each) for each in targets)
    return Combiner(bases=(STANDING, TEN), putatives=putatives, factor=factor, failure=FAILURE)


GROWTH = (
    Audit(
        regret.COROLLARY_FAVOURABLE.id,
        "growth.horizon_apart",
        "Algorithm 1, Delta = 0, constant width 10, epsilon = 10, four arms apart, 1000 to 16000 rounds",
        in_horizon(regret.COROLLARY_FAVOURABLE, TEN, APART),
    ),
    Audit(
        regret.COROLLARY_FAVOURABLE.id,
        "growth.epsilon_apart",
        "Algorithm 1, Delta = 0, constant width 8, epsilon 80 to 10, four arms apart, 8000 rounds",
        GrowthRate(by_inverse_epsilon(NARROW), inverse_epsilon(regret.COROLLARY_FAVOURABLE).growth_in(RATIO), 2, 16, quantile=0.5, runs=40),
    ),
    Audit(
        comparisons.LARGEST_CURVATURE.id,
        "growth.dimension_apart",
        "Algorithm 1, Delta = 0, constant width 8, epsilon = 100, 2 d arms apart, d 3 to 12, 8000 rounds",
        GrowthRate(by_dimension(NARROW), comparisons.LARGEST_CURVATURE.growth_in(DIMENSION), 3, 12, quantile=0.5, runs=40),
    ),
    *(
        Audit(
            regret.COROLLARY_WORST.id,
            f"growth.horizon_{slug}",
            f"Algorithm 1, Delta^2 = T^(-1/4), constant width 10, epsilon = 10, {shown}, 1000 to 16000 rounds",
            in_horizon(regret.COROLLARY_WORST, WORST, environment),
        )
        for slug, shown, environment in (("fixed", "20 fixed arms", FIXED), ("redrawn", "20 redrawn arms", REDRAWN))
    ),
    Audit(
        combiner.COMBINED_FAVOURABLE.id,
        "growth.two_learners",
        "a combiner of a learner that never learns and a good one, epsilon = 10, p = 0.3, 1000 to 16000 rounds",
        in_horizon(combiner.COMBINED_FAVOURABLE, combination(), APART),
    ),
    Audit(
        combiner.COMBINED_WORST.id,
        "growth.paper_grid",
        "the combiner over the paper's grid, P = P' = 1, constant width 10, epsilon = 10, four arms apart, 1000 to 16000 rounds",
        in_horizon(combiner.COMBINED_WORST, Combiner(TEN), APART),
    ),
)

# --- the doubling wrapper -----------------------------------------------------------------------------------------------------------------


def epochs(player: Anytime, horizon: int, runs: int, theorem: Theorem) -> Iterator[At]:
    """The regret of runs beside the sum over epochs, with the largest regret of an epoch over its length^(3/4) for the constant c."""
    key, ends = key_of(0, "ldp_linucb_2024", "epochs"), [2 ** (place + 1) - 1 for place in range((horizon + 1).bit_length() - 1)]
    until = [*ends, *([horizon] if ends[-1] < horizon else [])]
    pipeline = Pipeline(player, APART, player.randomiser())
    found = play_many(pipeline, horizon=horizon, key=key, runs=runs, checkpoints=until).regret
    for run in range(runs):
        costs = np.diff(np.concatenate([[0.0], found[run]]))
        constant = max(float(cost) / (2.0**place) ** 0.75 for place, cost in enumerate(costs))
        claimed = theorem.at(horizon=horizon, epoch_constant=constant).ball
        yield At({"run": run, "T": horizon, "constant": constant}, Fraction(float(found[run, -1])), claimed)


EPOCHS = Audit(
    combiner.EPOCHS_ADD_UP.id,
    "points.anytime_eps10",
    "the anytime variant, literal width, epsilon = 10, four arms apart, 3000 rounds",
    Pointwise(partial(epochs, Anytime(replace(LITERAL, epsilon=10.0)), 3000, 20, combiner.EPOCHS_ADD_UP), "20 runs", "regret"),
)
