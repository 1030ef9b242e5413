"""Audits of dwork_2010: privacy of the tree sum, its error uniform over all rounds, and the rate of that error.

A radius is the theorem's, or the algorithm's own sharper `error_bound`; the rule says whose.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from banditproof.algorithms.mechanisms import tree_sum
from banditproof.algorithms.mechanisms.tree_sum import TreeSum, error_bound
from banditproof.audits.common import trees
from banditproof.audits.common.beside import beside
from banditproof.audits.common.releases import described, equal, guaranteed, refusals, replayed
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.orders import audits_of
from banditproof.audits.methods.pointwise import At
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.audit import Audit, swept
from banditproof.glossary import FAILURE, HORIZON
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
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


def _nodes_of(round: int) -> list[tuple[int, int]]:
    """The fewest dyadic intervals that make up rounds 1 .. round, the latest first."""
    found, first = list[tuple[int, int]](), 1
    while first <= round:
        size = 1
        while 2 * size <= round - first + 1:
            size *= 2
        found.append((first, first + size - 1))
        first += size
    return found[::-1]


HORIZONS = (1, 2, 3, 4, 7, 8, 13, 16, 33)


def releases_replayed() -> Iterator[At]:
    """Prefix t is the sum of the numbers up to t and of the noise of its nodes, each of which has one draw, that of its last round."""
    for horizon in HORIZONS:
        epsilon, sensitivity = 0.5 + horizon / 8.0, 1.0 + horizon % 3
        mechanism, stream = TreeSum(epsilon, horizon, sensitivity), np.linspace(0.0, sensitivity, horizon)[::-1].copy()
        entered = max(sum(first <= 1 <= last for first, last in {node for t in range(1, horizon + 1) for node in _nodes_of(t)}), 1)
        scale = entered * sensitivity / epsilon

        def expected(rng: np.random.Generator, runs: int, scale: float = scale, stream: Floats = stream) -> Floats:
            noise = scale * rng.laplace(size=(runs, len(stream)))
            rounds = range(1, len(stream) + 1)
            columns = [stream[:t].sum() + sum(noise[:, last - 1] for _, last in _nodes_of(t)) for t in rounds]
            return np.stack(columns, axis=1)

        yield from replayed(mechanism, stream, expected)
        yield guaranteed(mechanism, PureDP(epsilon, NeighbouringRelation.REPLACE_RECORD))
        ends = (0.0,) * horizon, (sensitivity, *(0.0,) * (horizon - 1))
        lengths = (horizon, horizon)
        yield from described(mechanism, Neighbours(NeighbouringRelation.REPLACE_RECORD, high=sensitivity, lengths=lengths, worst=(ends,)))
        rng = np.random.default_rng(0)
        below, above = stream.copy(), stream.copy()
        below[-1], above[0] = -1e-9, sensitivity * (1.0 + 1e-9)
        bad = {"longer": np.zeros(horizon + 1), "below": below, "above": above, "nan": np.where(stream == stream[0], math.nan, stream)}
        yield from refusals({f"{name} of {horizon}": partial(mechanism.release, data, 1, rng) for name, data in bad.items()})


def parameters_computed() -> Iterator[At]:
    """Nodes of a prefix and of a round, the scale of their noise, the noise of a prefix round by round, and the radius of the error."""
    for horizon in HORIZONS:
        rounds, where = range(1, horizon + 1), {"T": horizon}
        every = [_nodes_of(t) for t in rounds]
        nodes = {node for each in every for node in each}
        entered = max(sum(first <= t <= last for first, last in nodes) for t in rounds)
        summed = max(len(each) for each in every)
        yield equal({**where, "compared": "levels"}, tree_sum.levels(horizon), entered)
        yield equal({**where, "compared": "terms"}, tree_sum.terms(horizon), summed)
        yield At({**where, "compared": "nodes"}, int([list(tree_sum.nodes_summed(t)) for t in rounds] != every), 0)
        yield equal({**where, "compared": "scale"}, tree_sum.node_scale(0.4, horizon, 3.0), entered * 7.5)
        yield equal({**where, "compared": "unit scale"}, tree_sum.node_scale(0.5, horizon), 2.0 * entered)
        fresh, partial_sums = np.random.default_rng(horizon).normal(size=horizon), np.zeros(entered)
        found = [tree_sum.prefix_noise(partial_sums, t, fresh[t - 1]) for t in rounds]
        yield equal({**where, "compared": "noise"}, found, [sum(fresh[last - 1] for _, last in each) for each in every])
        for failure, sensitivity in ((0.05, 1.0), (0.9, 2.0), (1e-6, 1.0)):
            # Lemma 2.8: at x = v sqrt(8 ln(2 T / failure)) a round fails with probability failure / T, and the lemma needs v >= b sqrt(m)
            # and x <= 2 sqrt(2) v^2 / b; the least v that allows it.
            scale, exponent = entered * sensitivity / 0.4, math.log(2.0 * horizon / failure)
            v = max(scale * math.sqrt(summed), scale * math.sqrt(exponent))
            radius = error_bound(0.4, horizon, failure, sensitivity)
            yield equal({**where, "failure": failure}, radius, v * math.sqrt(8.0) * math.sqrt(exponent))
    yield equal({"compared": "default radius"}, error_bound(1.0, 1, 0.5), math.sqrt(8.0) * math.log(4.0))
    silent = TreeSum(1.0, 5).release(np.zeros(5), 1, np.random.default_rng(1))
    yield equal({"compared": "default"}, silent, TreeSum(2.0, 5, 2.0).release(np.zeros(5), 1, np.random.default_rng(1)))


SHIPPED = tuple(
    beside(theorem, slug, words, points, "T = 1 to 33")
    for theorem, slug, words, points in (
        ("dwork_2010.tree_privacy", "releases_replayed", "TreeSum, prefix sums and neighbours", releases_replayed),
        ("dwork_2010.tree_error", "parameters_computed", "tree_sum: nodes, scales, noise and radius", parameters_computed),
    )
)
AGREEMENT = (
    agreement("tree_sum.levels", Agreement(dwork_2010.TREE_SCALE, tree_sum.levels, (HORIZON,), _levels)),
    agreement("tree_sum.node_scale", Agreement(dwork_2010.TREE_SCALE, tree_sum.node_scale)),
    agreement("tree_sum.node_scale", Agreement(dwork_2010.TREE_PRIVACY, tree_sum.node_scale, inverse="scale")),
    # The theorem allows a prefix 1 + floor(log2 T) nodes, the algorithm counts the most that one has, floor(log2(T + 1)).
    agreement("tree_sum.error_bound", Agreement(dwork_2010.TREE_ERROR, tree_sum.error_bound, sense=Sense.AT_MOST), note=", at most"),
)
