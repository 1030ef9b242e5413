"""Statements of shariff_sheffet_2018 on Claim 7, the introduction and Appendix D with one mistake each, which their audits must refute."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial

from banditproof.audits.methods.orders import OrderLimits
from banditproof.audits.methods.pointwise import At
from banditproof.audits.mutations import control, points_control, times
from banditproof.audits.papers.shariff_sheffet_2018.cases import experiments as experiments_cases
from banditproof.audits.papers.shariff_sheffet_2018.cases import introduction as introduction_cases
from banditproof.audits.papers.shariff_sheffet_2018.cases import learner
from banditproof.audits.running.audit import Control
from banditproof.glossary import DIMENSION, HORIZON
from banditproof.theory.language import Theorem, symbol
from banditproof.theory.papers.shariff_sheffet_2018 import experiments, gaussian, introduction, regret, setting


def _scaled(name: str, mistake: str, theorem: Theorem, points: Callable[[Theorem], Iterator[At]], factor: Fraction) -> Control:
    return points_control(name, mistake, theorem, partial(points, times(theorem, factor)), theorem.stated().sense)


POINTS = (
    _scaled("learner_delta_halved", "half of delta for the actions", setting.LEARNER_DELTA, learner.deltas, Fraction(1, 2)),
    _scaled(
        "guess_understated", "a tenth less than the best guess", introduction.COLLUDING_USERS, introduction_cases.guesses, Fraction(9, 10)
    ),
    _scaled(
        "mgf_understated",
        "a tenth less than exp(lambda^2/2)",
        experiments.SIGN_REWARDS,
        experiments_cases.moment_generating,
        Fraction(9, 10),
    ),
    _scaled("variance_overstated", "a tenth more variance", experiments.REWARD_VARIANCE, experiments_cases.variances, Fraction(11, 10)),
    _scaled("gap_halved", "half of the largest expected gap", experiments.GAP_UPPER, experiments_cases.gaps, Fraction(1, 2)),
    _scaled("gap_doubled", "twice the least expected gap", experiments.GAP_LOWER, experiments_cases.gaps, Fraction(2)),
)
ORDERS = tuple(
    control(
        f"{name}_too_slow",
        f"an order divided by the {quantity.name}",
        theorem,
        OrderLimits(introduction_cases.pairs(times(theorem, 1 / symbol(quantity)), other, (quantity,), ())[0], (f"{quantity.name}_high",)),
    )
    for name, theorem, other, quantity in (
        ("general", introduction.ORDERS, regret.REGRET, HORIZON),
        ("gap", introduction.ORDERS_GAP, regret.REGRET_GAP, HORIZON),
        ("main", introduction.MAIN_TERMS, gaussian.REGRET_GAUSSIAN_EXPLICIT, DIMENSION),
    )
)
