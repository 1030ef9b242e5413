"""wu_2023's regret, batches and lower bounds broken on purpose."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from banditproof.algorithms.environments.huber import ArmHuber, TwoValues
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.orders import OrderLimits
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.regret import Regret
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.mutations import control
from banditproof.audits.papers.wu_2023.cases import orders
from banditproof.audits.papers.wu_2023.cases import regret as cases
from banditproof.audits.papers.wu_2023.cases.lower_bounds import uniform_regret
from banditproof.audits.statistics.exact import fraction
from banditproof.glossary import HORIZON
from banditproof.interaction import Pipeline
from banditproof.theory.language import Sense, Theorem, always, symbol
from banditproof.theory.papers.wu_2023 import central, chains, elimination, lower_bound
from banditproof.theory.papers.wu_2023.setting import at_moment


def _one(value: Fraction, claimed: Fraction, quantity: str, where: Mapping[str, object], sense: Sense = Sense.AT_MOST) -> Pointwise:
    return Pointwise(lambda: iter((At(where, value, claimed),)), "one point", quantity, sense)


# The better arm's outliers are low and the worse one's high: at this share the observed means change places.
_SWAPPED = ArmHuber(0.45, (TwoValues(-2.5, -2.5), TwoValues(2.5, 2.5)))

REGRET = (
    control(
        "contamination_unknown",
        "the clean policy and its bound on contaminated rewards",
        chains.REGRET_CLEAN_CHAIN,
        Regret(
            Pipeline(RobustElimination(1.5), cases.WIDE, corruption=_SWAPPED),
            1_000_000,
            lambda: cases.chain(2, Fraction(3, 2), 0, 1.998).at(1_000_000),
            1.998,
            1.8,
            runs=30,
            relative_deviation=0.1,
        ),
    ),
    control(
        "useful_at_once",
        "a bound that is said to say something at a thousand rounds",
        elimination.REGRET_CLEAN_EXPLICIT,
        Vacuity(cases.explicit(11, 1), 2.0, least=11, claimed=1_000),
    ),
    control(
        "useful_at_once",
        "a bound that is said to say something at a thousand rounds",
        elimination.REGRET_RAW_EXPLICIT,
        Vacuity(cases.explicit(2, 10, Fraction(1, 10_000)), 2.0, claimed=1_000),
    ),
    control(
        "useful_at_once",
        "a bound that is said to say something at a thousand rounds",
        chains.REGRET_RAW_CHAIN,
        Vacuity(cases.chain(2, 10, Fraction(1, 10_000), 2.0).at, 2.0, claimed=1_000),
    ),
    control(
        "never_eliminates",
        "a radius that nothing exceeds",
        elimination.REGRET_CLEAN,
        GrowthRate(
            cases.regrets(RobustElimination(1.5, radius_factor=1e6), cases.WIDE),
            at_moment(elimination.REGRET_CLEAN, 2).growth_in(HORIZON),
            2_000,
            50_000,
            runs=200,
        ),
    ),
)

FORCED = control(
    "forced_by_the_square",
    "exploration forced for a time of the order of 1/alpha^2 instead of 1/alpha",
    elimination.REGRET_RAW,
    cases.growth_in_inverse_contamination(
        lambda proportion: RobustElimination(100.0, contamination=proportion, threshold_factor=0.01 / proportion), horizon=400_000
    ),
)

PROOF = (
    control(
        "two_batches",
        "two batches for an arm's pulls",
        elimination.ELIMINATION_PULLS,
        _one(Fraction(12), Fraction(8), "pulls", {"batch": 4}),
    ),
    control(
        "a_tenth_of_the_batch",
        "a tenth of the last batch",
        elimination.ELIMINATION_BATCH,
        Pointwise(
            lambda: (
                replace(point, claimed=fraction(point.claimed) / 10) for point in cases.batches(elimination.ELIMINATION_BATCH, False)()
            ),
            "arms that can survive an epoch",
            "batch",
        ),
    ),
)


def _times_horizon(theorem: Theorem, power: int) -> Theorem:
    """The order with a further factor T or 1/T."""
    bound = theorem.stated()
    return replace(theorem, bound=replace(bound, cases=always(bound.cases[0].expression * symbol(HORIZON) ** power)))


LOWER = (
    control(
        "too_many_rounds",
        "a regret above the largest gap in every round",
        lower_bound.LOWER_BOUND_PRIVATE,
        _one(Fraction(2), Fraction(3), "regret", {"T": 1, "K": 2}, Sense.AT_LEAST),
    ),
    control(
        "whole_gap_every_round",
        "alpha to the power 1 - 1/k a round, without its 1/40",
        lower_bound.LOWER_BOUND_CONTAMINATED,
        _one(
            uniform_regret(2, 1, 2, Fraction(1, 2)),
            Fraction(1, 2),
            "regret of a policy in both problems",
            {"T": 1, "alpha": "1/4", "k": 2},
            Sense.AT_LEAST,
        ),
    ),
)


def _order(theorem: Theorem, power: int, name: str) -> OrderLimits:
    """The order after the mistake, as T grows, in the pair of that name."""
    pair = next(pair for pair in (*orders.REGRETS, *orders.LOWER) if pair.order is theorem and pair.name == name)
    return OrderLimits(replace(pair, order=_times_horizon(theorem, power), fails=()), ("horizon_high",))


ORDERS = (
    *(
        control(
            f"{theorem.id.split('.')[1]}_too_small",
            "a regret that does not grow with T",
            theorem,
            _order(theorem, -1, "lower_bound_private"),
        )
        for theorem in (elimination.REGRET_RAW, central.REGRET_CENTRAL_CLEAN, central.REGRET_CENTRAL)
    ),
    *(
        control(f"{theorem.id.split('.')[1]}_too_large", "a lower bound with a further factor T", theorem, _order(theorem, 1, name))
        for theorem, name in ((lower_bound.LOWER_BOUND, "regret_raw"), (lower_bound.LOWER_BOUND_GAUSSIAN, "regret_clean"))
    ),
)
