"""Audits of dwork_2010: privacy of the tree sum, its error uniform over all rounds, and the rate of that error.

A radius is the theorem's, or the algorithm's own sharper `error_bound`; the rule says whose.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms import tree_sum
from banditproof.algorithms.mechanisms.tree_sum import TreeSum, error_bound
from banditproof.audits.common import trees
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.orders import audits_of
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.audit import Audit, swept
from banditproof.glossary import FAILURE, HORIZON
from banditproof.interaction import Floats
from banditproof.theory.language import Sense
from banditproof.theory.limits import End
from banditproof.theory.orders import Fixed, Pair
from banditproof.theory.papers import dwork_2010

RELEASES = tuple(
    Audit(
        theorem,
        f"privacy.{swept(eps=epsilon, n=horizon)}",
        f"TreeSum(epsilon={epsilon}, horizon={horizon})",
        PrivacyLoss(TreeSum(epsilon, horizon), exact=epsilon),
    )
    for theorem, epsilon, horizon in (
        ("dwork_2010.tree_privacy", 1.0, 4),
        ("dwork_2010.tree_scale", 2.0, 8),
    )
)


def _every_position(horizon: int) -> tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]:
    """One number turned from 0 to 1, among zeros and among ones."""
    positions = [tuple(float(place == moved) for place in range(horizon)) for moved in range(horizon)]
    silent, loud = (0.0,) * horizon, (1.0,) * horizon
    return tuple((base, tuple(abs(a - b) for a, b in zip(base, one, strict=True))) for base in (silent, loud) for one in positions)


FROZEN = tuple(
    Audit(
        theorem,
        f"frozen.{swept(eps=epsilon, n=horizon)}",
        f"TreeSum(epsilon={epsilon}, horizon={horizon}), each number replaced, replayed",
        FrozenReleases(TreeSum(epsilon, horizon), pairs=_every_position(horizon)),
    )
    for theorem, epsilon, horizon in (("dwork_2010.tree_privacy", 1.0, 7), ("dwork_2010.tree_scale", 2.0, 8))
)


def _own(stated: Stated) -> Callable[[], float]:
    return lambda: error_bound(stated["epsilon"], stated["horizon"], stated.number("failure"))


def _uniform(epsilon: float, horizon: int, failure: str, own: bool, runs: int) -> Audit:
    """That no prefix sum lies farther from the true one than the theorem's radius, or than the algorithm's own."""
    stated = Stated(dwork_2010.TREE_ERROR, {"epsilon": epsilon, "horizon": horizon, "failure": failure})
    slug, whose, radius = ("own", "the algorithm", _own(stated)) if own else ("stated", "the theorem", stated.bound)
    return Audit(
        stated.theorem.id,
        f"coverage.{swept(eps=epsilon, n=horizon, alpha=failure)}_{slug}",
        f"TreeSum(epsilon={epsilon}, horizon={horizon}), failure {failure}, radius of {whose}",
        Coverage(
            trees.any_round(stated, radius),
            stated,
            rule=f"some |released prefix sum - true one| > radius of {whose}",
            must_detect_ratio=trees.MUST_DETECT_RATIO,
            runs=runs,
            cell=512,
            parameters=stated.values,
        ),
    )


UNIFORM = tuple(
    _uniform(epsilon, horizon, failure, own, runs)
    for epsilon, horizon, failure, runs in ((1.0, 1024, "0.05", 12_000), (0.5, 100, "0.2", 12_000), (1.0, 1, "0.05", 50_000))
    for own in (False, True)
)


def largest_error(horizon: int) -> Callable[[int, np.random.Generator], Floats]:
    """The largest error over all rounds of one run."""
    mechanism, silent = TreeSum(1.0, horizon), (0.0,) * horizon
    return lambda runs, rng: np.abs(mechanism.release(silent, runs, rng)).max(axis=1)


RATE = Audit(
    dwork_2010.COUNTER_ERROR.id,
    "growth.horizon_largest_error",
    "TreeSum(epsilon=1.0), largest error, horizon 16 to 1024",
    GrowthRate(largest_error, dwork_2010.COUNTER_ERROR.growth_in(HORIZON), 16, 1024),
)

ORDER = Pair(
    dwork_2010.COUNTER_ERROR,
    dwork_2010.TREE_ERROR,
    fixed=(Fixed(FAILURE, "an order in log(1/failure) is for failures bounded away from 1, where it vanishes", End.HIGH),),
)
ORDERS = audits_of(ORDER)


def _levels(horizon: int) -> Any:
    """The scale for sensitivity 1 and epsilon 1 is the number of levels."""
    return dwork_2010.TREE_SCALE.at(horizon=horizon, sensitivity=1, epsilon=1).ball


AGREEMENT = (
    agreement("tree_sum.levels", Agreement(dwork_2010.TREE_SCALE, tree_sum.levels, (HORIZON,), _levels)),
    agreement("tree_sum.node_scale", Agreement(dwork_2010.TREE_SCALE, tree_sum.node_scale)),
    agreement("tree_sum.node_scale", Agreement(dwork_2010.TREE_PRIVACY, tree_sum.node_scale, inverse="scale")),
    # The theorem allows a prefix 1 + floor(log2 T) nodes, the algorithm counts the most that one has, floor(log2(T + 1)).
    agreement("tree_sum.error_bound", Agreement(dwork_2010.TREE_ERROR, tree_sum.error_bound, sense=Sense.AT_MOST), note=", at most"),
)
