"""Orders of ldp_linucb_2024 without one of their letters, and horizons from which a bound is said to be useful and is not."""

from dataclasses import replace

from banditproof.audits.methods.orders import OrderLimits
from banditproof.audits.mutations import control, without
from banditproof.audits.papers.ldp_linucb_2024.cases import combiner as combiner_cases
from banditproof.audits.papers.ldp_linucb_2024.cases import rates
from banditproof.audits.running.audit import Control
from banditproof.glossary import DIMENSION, HORIZON, REWARD_SIGMA, Quantity
from banditproof.glossary.ldp_linucb_2024 import CLIPPING
from banditproof.theory.orders import Pair
from banditproof.theory.papers.ldp_linucb_2024 import regret


def _without(pair: Pair, quantity: Quantity) -> Control:
    """The order at 1/10 of a quantity, whatever its value is, where the quantity goes to infinity."""
    mutant = replace(pair, order=without(pair.order, quantity), fixed=(), fails=(), paths=())
    return control(
        f"without_{quantity.name}", f"no dependence on {quantity.name}", pair.order, OrderLimits(mutant, (f"{quantity.name}_high",))
    )


_LETTERS = {regret.LEARNER_REGRET_ORDER.id: CLIPPING, regret.EXTRA_WIDTH_INSERTED.id: REWARD_SIGMA}  # log(T/10) may be below 0
ORDERS = tuple(
    _without(pair, quantity)
    for pair, quantity in (
        *((pair, HORIZON) for pair in (*rates.SUBSTITUTED, *rates.COMBINED, *rates.NORMS, rates.WORST, rates.CONVEX, rates.BELOW)),
        *((pair, _LETTERS.get(pair.order.id, HORIZON)) for pair in rates.CHAIN),
        *((pair, REWARD_SIGMA) for pair in (rates.SIMPLIFIED, rates.SUM)),
        (rates.LARGEST, DIMENSION),
    )
)
VACUITY = tuple(
    control(f"useful_at_20000_{slug.rpartition('_')[2]}", "useful at the paper's horizon", theorem, replace(method, claimed=20000))
    for theorem, slug, _, method in (*rates.VACUOUS, *combiner_cases.VACUOUS)
)
