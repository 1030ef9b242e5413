"""Orders, horizons and dominance of charisopoulos_2023 with one mistake each."""

from dataclasses import replace
from functools import partial

from banditproof.audits.methods.orders import OrderLimits
from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.mutations import control, points_control, times
from banditproof.audits.papers.charisopoulos_2023.cases import bounds as cases
from banditproof.glossary import DIMENSION
from banditproof.glossary.charisopoulos_2023 import BATCHES, LEVERAGE
from banditproof.theory.language import Sense, Theorem, symbol
from banditproof.theory.orders import Pair
from banditproof.theory.papers.charisopoulos_2023 import comparisons, filter, introduction, regret, regret_m2

_B, _d, _mu = symbol(BATCHES), symbol(DIMENSION), symbol(LEVERAGE)


def divided(pair: Pair, by: object) -> Pair:
    """The pair with its order divided."""
    return replace(pair, order=_changed(pair.order, by), fails=())


def _changed(theorem: Theorem, by: object) -> Theorem:
    return times(theorem, 1 / by)  # type: ignore[operator]


_BY_ORDER = {pair.order.id: pair for pair in cases.ORDERS}
ORDERS = tuple(
    control(name, mistake, pair.order, OrderLimits(divided(pair, by), (end,)))
    for name, mistake, pair, by, end in (
        ("less_in_d", "sqrt(d) times smaller", _BY_ORDER[introduction.INFORMAL_M1.id], _d, "dimension_high"),
        ("less_in_d", "d times smaller", _BY_ORDER[introduction.INFORMAL_M2.id], _d, "dimension_high"),
        ("less_in_d", "d times smaller", _BY_ORDER[introduction.INFORMAL_M2_POWER.id], _d, "dimension_high"),
        ("less_in_b", "B times smaller", _BY_ORDER[regret.ROOT_SUM_ORDER.id], _B, "batches_high"),
        ("less_in_b", "B times smaller", _BY_ORDER[regret.SIZE_SUM_ORDER.id], _B, "batches_high"),
        ("less_in_mu", "mu times smaller", _BY_ORDER[filter.FILTER_CLOSE.id], _mu, "leverage_high"),
    )
)


def always_first(names: tuple[str, ...], name: str, logarithms: tuple[int, ...]) -> bool:
    """A map with the first rate smallest everywhere."""
    return name == names[0]


DOMINANCE = (
    control(
        "paper_always_best",
        "this paper's rate smallest everywhere",
        comparisons.GAIN_AT_LEAST,
        Pointwise(partial(cases.by_force, always_first), "the points of its audit", "points of disagreement"),
    ),
    points_control(
        "gain_of_d", "a gain of d at least", comparisons.GAIN_IN_REGIMES, partial(cases.gains, lambda d, alpha: d), Sense.AT_LEAST
    ),
)
VACUITY = tuple(
    control("soon_below", f"a horizon of {claimed} that is claimed to do", theorem, cases.vacuity(theorem, "0", 1, claimed))
    for theorem, claimed in ((regret.CHAIN_M1, 10**5), (regret_m2.CHAIN_M2, 10**5), (regret_m2.REGRET_M2, 1000))
)
