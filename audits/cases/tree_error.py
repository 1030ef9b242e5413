"""Audits of the tree sum's error: uniform over all rounds (dwork_2010), at one round (chan_2011), and the sum of noises that both rest on.

A run fails if any of its prefix sums does. The radius is the theorem's, or the algorithm's own sharper `error_bound`; the rule says whose.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from banditproof.algorithms.mechanisms.laplace import Laplace
from banditproof.algorithms.mechanisms.tree_sum import TreeSum, error_bound
from banditproof.audits.methods.coverage import Bools, Coverage, Fails, uniformly
from banditproof.audits.running.audit import Audit, swept
from banditproof.interaction import Floats
from banditproof.theory.papers import chan_2011, dwork_2010

_RATIO = 1.25


def _errors(tree: TreeSum, runs: int, rng: np.random.Generator) -> Floats:
    """Distances of the released prefix sums of 0, 1, 0, 1, ... from the true ones, shape (runs, T). Draws."""
    stream = (np.arange(tree.horizon) % 2).astype(np.float64)
    return np.abs(tree.release(stream, runs, rng) - np.cumsum(stream))


def _any_round(tree: TreeSum, radius: Callable[[], float]) -> Fails:
    """Whether any prefix sum lies farther from the true one than the radius. Draws."""
    return lambda runs, rng: uniformly(_errors(tree, runs, rng) > radius())


def _at_round(tree: TreeSum, round: int, radius: Callable[[], float]) -> Fails:
    """Whether the prefix sum at one round (from 1) does. Draws."""
    return lambda runs, rng: _errors(tree, runs, rng)[:, round - 1] > radius()


def _stated(tree: TreeSum, failure: str) -> Callable[[], float]:
    return lambda: dwork_2010.TREE_ERROR.at(horizon=tree.horizon, epsilon=tree.epsilon, failure=failure).bound


def _own(tree: TreeSum, failure: str) -> Callable[[], float]:
    return lambda: error_bound(tree.epsilon, tree.horizon, float(Fraction(failure)))


def _stated_at(tree: TreeSum, round: int, failure: str) -> Callable[[], float]:
    return lambda: chan_2011.TREE_ERROR.at(horizon=tree.horizon, round=round, epsilon=tree.epsilon, failure=failure).bound


UNIFORM = tuple(
    Audit(
        dwork_2010.TREE_ERROR.id,
        f"coverage.{swept(eps=tree.epsilon, n=tree.horizon, alpha=failure)}_{slug}",
        f"TreeSum(epsilon={tree.epsilon}, horizon={tree.horizon}), failure {failure}, radius of {whose}",
        Coverage(
            _any_round(tree, radius(tree, failure)),
            float(Fraction(failure)),
            rule=f"some |released prefix sum - true one| > radius of {whose}",
            must_detect_ratio=_RATIO,
            runs=runs,
            cell=512,
            parameters={"epsilon": tree.epsilon, "horizon": tree.horizon, "failure": failure},
        ),
    )
    for tree, failure, runs in (
        (TreeSum(1.0, 1024), "0.05", 12_000),
        (TreeSum(0.5, 100), "0.2", 12_000),
        (TreeSum(1.0, 1), "0.05", 50_000),
    )
    for slug, whose, radius in (("stated", "the theorem", _stated), ("own", "the algorithm", _own))
)
ONE_ROUND = tuple(
    Audit(
        chan_2011.TREE_ERROR.id,
        f"coverage.{swept(eps=tree.epsilon, n=tree.horizon, round=round, alpha=failure)}",
        f"TreeSum(epsilon={tree.epsilon}, horizon={tree.horizon}) at round {round}, failure {failure}",
        Coverage(
            _at_round(tree, round, _stated_at(tree, round, failure)),
            float(Fraction(failure)),
            rule="|released prefix sum - true one| at this round > the theorem's radius",
            must_detect_ratio=_RATIO,
            runs=12_000,
            cell=512,
            parameters={"epsilon": tree.epsilon, "horizon": tree.horizon, "round": round, "failure": failure},
        ),
    )
    for tree, round, failure in ((TreeSum(1.0, 256), 255, "0.05"), (TreeSum(1.0, 100), 64, "0.1"), (TreeSum(2.0, 8), 7, "0.5"))
)


def _noises(terms: int, scale: float, failure: str) -> Fails:
    """Whether the sum of this many Laplace noises lies farther from 0 than the theorem's radius. Draws."""

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        radius = chan_2011.LAPLACE_SUM.at(terms=terms, scale=scale, failure=failure).bound
        released = Laplace(1.0 / scale, width=terms).release((0.0,) * terms, runs, rng)
        return np.asarray(np.abs(released.sum(axis=1)) > radius)

    return fails


SUMS = tuple(
    Audit(
        chan_2011.LAPLACE_SUM.id,
        f"coverage.{swept(terms=terms, scale=scale, alpha=failure)}",
        f"sum of {terms} numbers of Laplace(epsilon={1.0 / scale:g}), failure {failure}",
        Coverage(
            _noises(terms, scale, failure),
            float(Fraction(failure)),
            rule="|sum of the noises| > the theorem's radius",
            must_detect_ratio=_RATIO,
            runs=20_000,
            cell=4096,
            parameters={"terms": terms, "scale": scale, "failure": failure},
        ),
    )
    for terms, scale, failure in ((1, 1.0, "0.05"), (10, 2.0, "0.05"), (30, 0.5, "0.5"))
)
