"""Tree sums as their audits need them: the errors of released prefix sums, and prefix sums with given noise on the nodes.

A run fails if any of its prefix sums does. The caller gives the radius: the theorem's, or the algorithm's own sharper `error_bound`.
"""

from collections.abc import Callable

import numpy as np

from banditproof.algorithms.mechanisms.tree_sum import TreeSum, nodes_summed
from banditproof.audits.methods.coverage import Fails, uniformly
from banditproof.audits.methods.stated import Stated
from banditproof.guarantees import NeighbouringRelation
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

MUST_DETECT_RATIO = 1.25  # of the audits of the tree's error


def errors(tree: TreeSum, runs: int, rng: np.random.Generator) -> Floats:
    """Distances of the released prefix sums of 0, 1, 0, 1, ... from the true ones, shape (runs, T). Draws."""
    stream = (np.arange(tree.horizon) % 2).astype(np.float64)
    return np.abs(tree.release(stream, runs, rng) - np.cumsum(stream))


def tree_of(stated: Stated) -> TreeSum:
    """The tree at the values of the statement."""
    return TreeSum(stated["epsilon"], stated["horizon"])


def any_round(stated: Stated, radius: Callable[[], float]) -> Fails:
    """Whether any prefix sum of the statement's tree lies farther from the true one than the radius. Draws."""
    tree = tree_of(stated)
    return lambda runs, rng: uniformly(errors(tree, runs, rng) > radius())


def at_round(stated: Stated) -> Fails:
    """Whether the prefix sum at the statement's round (from 1) lies farther from the true one than the theorem's radius. Draws."""
    tree, place = tree_of(stated), stated["round"] - 1
    return lambda runs, rng: errors(tree, runs, rng)[:, place] > stated.bound()


def first_changes(horizon: int) -> Neighbours:
    """Streams of zeros, the first of which becomes 1."""
    still = (0.0,) * horizon
    return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(horizon, horizon), worst=((still, (1.0, *still[1:])),))


def prefixes(data: Floats, noise: Floats) -> Floats:
    """Prefix sums with the noise of node t in column t - 1 of `noise` (runs, T)."""
    sums = np.empty_like(noise)
    for round in range(1, noise.shape[1] + 1):
        sums[:, round - 1] = data[:round].sum() + sum(noise[:, last - 1] for _, last in nodes_summed(round))
    return sums


def prefix_noise(runs: int, horizon: int, scale: float, rng: np.random.Generator) -> Floats:
    """Noise of each prefix sum, shape (runs, T). Draws."""
    noise = rng.laplace(0.0, scale, (runs, horizon))
    columns = [noise[:, [last - 1 for _, last in nodes_summed(round)]].sum(axis=1) for round in range(1, horizon + 1)]
    return np.stack(columns, axis=1)
