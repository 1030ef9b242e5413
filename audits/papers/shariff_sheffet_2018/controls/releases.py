"""Private Gram matrices of shariff_sheffet_2018 with one mistake each.

Single releases are trees of symmetric Gaussian noise that claim the exact level of the least noise for epsilon = 2 and delta = 0.1.
"""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from banditproof.algorithms.mechanisms.gram import noise as gram_noise
from banditproof.algorithms.mechanisms.gram.gaussian import GaussianGram
from banditproof.algorithms.mechanisms.gram.noise import Calibration
from banditproof.algorithms.mechanisms.gram.wishart import WishartGram
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, control
from banditproof.audits.papers.shariff_sheffet_2018.cases import mechanisms as cases
from banditproof.audits.papers.shariff_sheffet_2018.cases import sandwich
from banditproof.audits.papers.shariff_sheffet_2018.gram_ratio import NodeRatio
from banditproof.guarantees import ApproximateDP, NeighbouringRelation
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.theory.papers.shariff_sheffet_2018 import privacy

_TREE = GaussianGram(2.0, 0.1, 4, 2, calibration=Calibration.EXACT)
_DEEPER = replace(_TREE, horizon=9)  # the same level: its noise is for four nodes
_LENGTH = _TREE.row_norm


class Drawn(NamedTuple):
    """What a release is made of: packed prefixes (T, q), the nodes' noise (runs, T, q) and the padding's (runs, m, q)."""

    truth: Floats
    nodes: Floats
    pads: Floats


def _drawn(data: Floats, runs: int, rng: np.random.Generator, sigma: float = _TREE.sigma(), diagonal: float = math.sqrt(2.0)) -> Drawn:
    """Of rows as they are, not projected; the noise of the diagonal is `diagonal` times larger. Draws; there is no padding yet."""
    truth = gram_noise.packed_prefixes(data)[:-1]
    fresh = rng.normal(0.0, sigma, (runs, *truth.shape))
    fresh[:, :, [gram_noise.packed(row + 1) - 1 for row in range(data.shape[1] - 1)]] *= diagonal
    return Drawn(truth, fresh, np.zeros((runs, 0, truth.shape[1])))


def _released(drawn: Drawn) -> Floats:
    noisy = drawn.truth + gram_noise.prefix_noise(drawn.nodes, drawn.pads)
    return noisy.reshape(len(noisy), -1)


def _node_reused(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Node 3 has the noise of node 1: the first row is the third release less the second and the first, except for row 3."""
    drawn = _drawn(data, runs, rng)
    drawn.nodes[:, 2] = drawn.nodes[:, 0]
    return _released(drawn)


def _padding_is_a_node(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """A level's padding is the noise of its first node: prefixes 1 and 2 then have the same noise, and row 2 is their difference."""
    drawn = _drawn(data, runs, rng)
    pads = np.stack([drawn.nodes[:, 0], drawn.nodes[:, 1], np.zeros_like(drawn.nodes[:, 0])], axis=1)
    return _released(drawn._replace(pads=pads))


def _one_level_short(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for three nodes that hold a row, where four are released."""
    return _released(_drawn(data, runs, rng, _DEEPER.sigma() * math.sqrt(3.0 / 4.0)))


def _one_row_moves(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for a change of L~^2, as when a row is added; a replaced one takes sqrt(2) L~^2."""
    return _released(_drawn(data, runs, rng, _TREE.sigma() / math.sqrt(2.0)))


def _diagonal_not_doubled(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Footnote 4 taken at its word."""
    return _released(_drawn(data, runs, rng, diagonal=1.0))


def _gram_alone(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The sums of y x are released as they are."""
    drawn = _drawn(data, runs, rng)
    drawn.nodes[:, :, gram_noise.packed(data.shape[1] - 1) :] = 0.0
    return _released(drawn)


def _not_clipped(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return _released(_drawn(data, runs, rng))


def _rows(first: tuple[Any, Any], before: int = 0, horizon: int = _TREE.horizon) -> Neighbours:
    """Neighbours that differ in one row, of zeros elsewhere; `before` zeros come first."""
    still = ((0.0, 0.0, 0.0),)
    one, other = (still * before + (row,) + still * (horizon - 1 - before) for row in first)
    return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(horizon, horizon), row=(3,), worst=((one, other),))


_HALF = _LENGTH / math.sqrt(2.0)
_FEATURES, _SIGN = ((_LENGTH, 0.0, 0.0), (0.0, _LENGTH, 0.0)), ((_HALF, 0.0, _HALF), (_HALF, 0.0, -_HALF))
RELEASES = tuple(
    control(name, mistake, theorem, PrivacyLoss(MutatedMechanism(cases.gaussian_claim(_TREE), domain, draw), 60_000))
    for name, mistake, theorem, domain, draw in (
        ("node_reused", "one node's noise reused for another node", privacy.TREE_LEVEL, _rows(_SIGN), _node_reused),
        (
            "padding_is_a_node",
            "a padding matrix used as a node's noise",
            privacy.GAUSSIAN_CALIBRATION,
            _rows(_SIGN, before=1),
            _padding_is_a_node,
        ),
        ("one_level_short", "noise for a tree one level short", privacy.TREE_LEVEL, _rows(_SIGN, horizon=9), _one_level_short),
        ("one_row_moves", "sensitivity of one row where two differ", privacy.GAUSSIAN_CALIBRATION, _rows(_FEATURES), _one_row_moves),
        ("diagonal_not_doubled", "no doubled variance on the diagonal", privacy.TREE_LEVEL, _rows(_FEATURES), _diagonal_not_doubled),
        ("gram_alone", "noise on the Gram matrix only", privacy.GAUSSIAN_CALIBRATION, _rows(_SIGN), _gram_alone),
        (
            "rows_not_clipped",
            "rows longer than the noise is for",
            privacy.GAUSSIAN_CALIBRATION,
            _rows(((1.0, 0.0, 100.0), (1.0, 0.0, -100.0))),
            _not_clipped,
        ),
    )
)


def _few_degrees(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Wishart noise of d + 2 degrees of freedom, to which Theorem 8 comes down for large epsilon, without padding."""
    wide = rng.normal(0.0, _LENGTH, (runs, 4, 3))
    noise = np.einsum("rki,rkj->rij", wide, wide)
    lower, other = np.tril_indices(3)
    return np.asarray((np.einsum("ti,tj->ij", data[:1], data[:1]) + noise)[:, lower, other])


FEW_DEGREES = control(
    "few_degrees",
    "d + 2 degrees of freedom, to which Theorem 8 comes down for large epsilon",
    privacy.WISHART_CALIBRATION,
    PrivacyLoss(
        MutatedMechanism(
            ApproximateDP(3.0, 0.01, NeighbouringRelation.REPLACE_RECORD), _rows(((_LENGTH, 0.0, 0.0), (0.0, 0.0, 0.0))), _few_degrees
        ),
        60_000,
    ),
)
LEAST_OF_ONE_NODE = tuple(
    control(name, mistake, theorem, PrivacyLoss(NodeRatio(gram, sandwich.orthogonal(5), sandwich.NODES), 100_000, ratio=True), slug)
    for slug, name, mistake, theorem, gram in (
        (
            "least_degrees_of_a_node",
            "least_degrees_of_one_node",
            "the least degrees of freedom of one node, in a tree where 26 hold a row",
            privacy.WISHART_CALIBRATION,
            WishartGram(1.0, 1e-5, 2, 5, calibration=Calibration.EXACT),
        ),
        (
            "least_sigma_of_a_node",
            "least_sigma_of_one_node",
            "the least Gaussian noise of one node, in a tree where 26 hold a row",
            privacy.GAUSSIAN_CALIBRATION,
            GaussianGram(1.0, 1e-5, 2, 5, calibration=Calibration.EXACT),
        ),
    )
)
