"""Audits of the printed error rates of the tree sum (dwork_2010, chan_2011), whose constants are suppressed."""

from collections.abc import Callable

import numpy as np

from banditproof.algorithms.mechanisms.tree_sum import TreeSum
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.running.audit import Audit
from banditproof.glossary import HORIZON
from banditproof.interaction import Floats
from banditproof.theory.papers import chan_2011, dwork_2010


def largest_error(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
    """The largest error over all rounds of one run."""
    mechanism, silent = TreeSum(1.0, horizon), (0.0,) * horizon
    return lambda runs, rng: np.abs(mechanism.release(silent, runs, rng)).max(axis=1)


def error_at_round_seven(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
    """The error at round 7, which sums three nodes at every horizon."""
    mechanism, silent = TreeSum(1.0, horizon), (0.0,) * horizon
    return lambda runs, rng: np.abs(mechanism.release(silent, runs, rng)[:, 6])


UNIFORM = Audit(
    dwork_2010.COUNTER_ERROR.id,
    "growth.horizon_largest_error",
    "TreeSum(epsilon=1.0), largest error, horizon 16 to 1024",
    GrowthRate(largest_error, dwork_2010.COUNTER_ERROR.growth_in(HORIZON), 16, 1024),
)
AT_ONE_ROUND = Audit(
    chan_2011.COUNTER_ERROR.id,
    "growth.horizon_at_round7",
    "TreeSum(epsilon=1.0), error at round 7, horizon 16 to 1024",
    GrowthRate(error_at_round_seven, chan_2011.COUNTER_ERROR.growth_in(HORIZON), 16, 1024),
)
