"""Controls of dwork_2006: Laplace releases with one mistake each."""

import math
from functools import partial

import numpy as np

from banditproof.algorithms.mechanisms.laplace import LocalLaplace
from banditproof.audits.common import answers
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, MutatedRandomiser, control
from banditproof.audits.papers.dwork_2006 import cases
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats, Words
from banditproof.kernels import RANDOMISE, compiled
from banditproof.mechanism import Neighbours
from banditproof.randomness import CLIENT, laplace
from banditproof.theory.papers import dwork_2006


def _half_the_noise(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return data + rng.laplace(0.0, 0.5, (runs, 1))


def _noise_reused(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """One draw for both numbers of the answer: their difference is exact."""
    return data + rng.laplace(0.0, 1.0, (runs, 1))


def _one_record_counts_twice(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The sum and the sum again: one record moves the pair by 2, the noise is for 1."""
    return np.array([data.sum(), data.sum()]) + rng.laplace(0.0, 1.0, (runs, 2))


def _coarse_noise(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The noise is rounded to a grid that the answers do not lie on, so what is left of the grid names the answer."""
    return data + np.round(rng.laplace(0.0, 1.0, (runs, 1)) * 4.0) / 4.0


def _drawn_until_inside(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise is drawn again until the release lies in [0, 1]: how often that takes depends on the answer, most for one at an end."""
    scale, centre = 0.5, float(data[0])
    low, high = answers.laplace_cdf(0.0 - centre, scale), answers.laplace_cdf(1.0 - centre, scale)
    levels = low + (high - low) * rng.random((runs, 1))  # the distribution of the first draw that lies inside
    return centre - scale * np.sign(levels - 0.5) * np.log1p(-2.0 * np.abs(levels - 0.5))


def _not_a_number_for_large(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """An answer of 1 or more overflows in one run of twenty, and the release is NaN there."""
    noisy = data + rng.laplace(0.0, 1.0, (runs, 1))
    return np.where((data >= 1.0) & (rng.random((runs, 1)) < 0.05), np.nan, noisy)


_SUM = Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(3, 3), worst=(((0.0, 0.5, 0.5), (1.0, 0.5, 0.5)),))
_OFF_GRID = Neighbours(NeighbouringRelation.QUERY_SENSITIVITY, lengths=(1, 1), worst=(((0.0,), (0.9,)),))
_HALF_APART = Neighbours(NeighbouringRelation.QUERY_SENSITIVITY, lengths=(1, 1), sensitivity=0.5, worst=(((0.0,), (0.5,)),))
HALF_THE_NOISE = control(
    "half_the_noise",
    "half the noise",
    "dwork_2006.laplace_privacy",
    PrivacyLoss(MutatedMechanism(answers.CLAIM, answers.one_apart(), _half_the_noise)),
)
NOISE_REUSED = control(
    "noise_reused",
    "noise reused",
    "dwork_2006.laplace_privacy",
    PrivacyLoss(MutatedMechanism(answers.CLAIM, answers.one_apart(2), _noise_reused)),
)
WRONG_SENSITIVITY = control(
    "wrong_sensitivity",
    "wrong sensitivity",
    "dwork_2006.laplace_privacy",
    PrivacyLoss(MutatedMechanism(PureDP(1.0, NeighbouringRelation.REPLACE_RECORD), _SUM, _one_record_counts_twice)),
)
ROUNDING = control(
    "rounding_that_leaks",
    "rounding that leaks",
    "dwork_2006.laplace_privacy",
    PrivacyLoss(MutatedMechanism(answers.CLAIM, _OFF_GRID, _coarse_noise)),
)
DRAWN_UNTIL_INSIDE = control(
    "drawn_until_inside",
    "a stopping rule that depends on the data",
    "dwork_2006.laplace_privacy",
    PrivacyLoss(MutatedMechanism(answers.CLAIM, _HALF_APART, _drawn_until_inside)),
)
NOT_A_NUMBER = control(
    "nan_on_one_side",
    "NaN on one neighbour alone",
    "dwork_2006.laplace_privacy",
    PrivacyLoss(MutatedMechanism(answers.CLAIM, answers.one_apart(), _not_a_number_for_large)),
)


def _scale_for_sensitivity_one(epsilon: float, sensitivity: float) -> float:
    return sensitivity**2 / epsilon


SENSITIVITY_SQUARED = control(
    "sensitivity_squared",
    "right at sensitivity 1 alone",
    dwork_2006.LAPLACE_PRIVACY,
    Agreement(dwork_2006.LAPLACE_PRIVACY, _scale_for_sensitivity_one, inverse="scale"),
)


# --- replayed with frozen releases ----------------------------------------------------------------------------------------------------


def _clipped(data: Floats) -> Floats:
    values: Floats = np.clip(np.asarray(data, dtype=float), 0.0, 1.0)
    return values


def _clipping_forgotten(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    total: Floats = np.asarray(data, dtype=float).sum(keepdims=True)
    return total + rng.laplace(0.0, 1.0, (runs, 1))


def _one_coordinate_for_many(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Sum and maximum move by at most 1 each, together by 2."""
    return np.array([_clipped(data).sum(), _clipped(data).max()]) + rng.laplace(0.0, 1.0, (runs, 2))


def _reward_used_twice(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return np.array([_clipped(data).sum(), _clipped(data)[:1].sum()]) + rng.laplace(0.0, 1.0, (runs, 2))


def _overlapping_folds(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    values = _clipped(data)
    return np.array([values[:2].sum(), values[1:].sum()]) + rng.laplace(0.0, 1.0, (runs, 2))


def _domain_from_the_data(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    values = np.asarray(data, dtype=float)
    total: Floats = values.sum(keepdims=True)
    return total + rng.laplace(0.0, values.max() - values.min(), (runs, 1))


def _nan_survives(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    total: Floats = np.minimum(np.maximum(np.asarray(data, dtype=float), 0.0), 1.0).sum(keepdims=True)
    return total + rng.laplace(0.0, 1.0, (runs, 1))


def _draws_by_the_data(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """One Laplace draw for each record above one half: the numbers of the released list tell how many there are."""
    large = int((_clipped(data) > 0.5).sum())
    return np.concatenate([[rng.laplace(0.0, 1.0) for _ in range(large)], np.zeros(len(data) - large)])[None, :]


_REPLAYED = {
    "clipping_forgotten": ("clipping forgotten", _clipping_forgotten, ((0.0, 0.5, 0.5), (5.0, 0.5, 0.5))),
    "one_for_many": ("the sensitivity of one coordinate for many", _one_coordinate_for_many, ((0.0, 0.5, 0.6), (1.0, 0.5, 0.6))),
    "used_twice": ("a reward used twice", _reward_used_twice, ((0.0, 0.5, 0.5), (1.0, 0.5, 0.5))),
    "overlapping_folds": ("folds that overlap", _overlapping_folds, ((0.5, 0.0, 0.5), (0.5, 1.0, 0.5))),
    "domain_from_data": ("a range taken from the data", _domain_from_the_data, ((0.0, 0.5, 1.0), (0.5, 0.5, 1.0))),
    "nan_survives": ("NaN survives the clipping", _nan_survives, ((0.0, 0.5, 0.5), (math.nan, 0.5, 0.5))),
    "draws_by_the_data": ("as many draws as the data say", _draws_by_the_data, ((0.0, 0.5, 0.5), (1.0, 0.5, 0.5))),
}
REPLAYED = tuple(
    control(
        name,
        mistake,
        "dwork_2006.laplace_privacy",
        FrozenReleases(MutatedMechanism(PureDP(1.0, NeighbouringRelation.REPLACE_RECORD), _SUM, release), pairs=(pair,)),
    )
    for name, (mistake, release, pair) in _REPLAYED.items()
)


def _unclipped(setup: Floats, key: Words, round: int, message: Floats, report: Floats) -> None:
    width = message.shape[0]
    for column in range(width):
        report[0, column] = message[column] + width / setup[0] * laplace(key, CLIENT, round * width + column)


REPORT_NOT_CLIPPED = control(
    "report_not_clipped",
    "a user's numbers are sent without clipping",
    "dwork_2006.laplace_privacy",
    Pointwise(
        partial(cases.reports_replayed, 2.0, MutatedRandomiser(LocalLaplace(2.0), compiled(_unclipped, RANDOMISE))), "13 users", "distance"
    ),
)
