"""wu_2023's private releases and runs broken on purpose."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.audits.common.reward_lists import reward_list
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, MutatedPolicy, control, scaled
from banditproof.audits.papers.wu_2023.cases import privacy as cases
from banditproof.audits.running.audit import Control
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats
from banditproof.mechanism import Mechanism, Neighbours
from banditproof.theory.papers.wu_2023 import privacy, setting

_CLAIM = PureDP(1.0, NeighbouringRelation.REPLACE_RECORD)
_SIZE, _LENGTH = 2.0, 4  # the truncation, and rewards in a batch
_STILL = (0.0,) * (_LENGTH - 1)


def _loss(mechanism: Mechanism) -> PrivacyLoss:
    return PrivacyLoss(mechanism, samples=60_000)


def _pair(first: tuple[float, ...], second: tuple[float, ...]) -> Neighbours:
    return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(len(first), len(first)), worst=((first, second),))


_ENDS = _pair((_SIZE, *_STILL), (-_SIZE, *_STILL))


def _released(mean: Floats | float, size: float, samples: int, runs: int, rng: np.random.Generator) -> Floats:
    """With the paper's noise, for epsilon 1."""
    return np.asarray(mean + rng.laplace(0.0, 2.0 * size / samples, (runs, 1)))


def _cut(data: Floats, size: float = _SIZE) -> Floats:
    return np.where(np.abs(data) <= size, data, 0.0)


# --- one release ------------------------------------------------------------------------------------------------------------------------


def _half_the_noise(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return np.asarray(_cut(data).mean() + rng.laplace(0.0, _SIZE / _LENGTH, (runs, 1)))


def _one_side_clipped(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Clipped from below alone: a large value passes."""
    return _released(np.maximum(data, -_SIZE).mean(), _SIZE, _LENGTH, runs, rng)


def _largest_of_the_batch(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """M is the largest reward of the batch, in the noise too."""
    size = float(np.abs(data).max()) + 1e-3
    return _released(_cut(data, size).mean(), size, _LENGTH, runs, rng)


def _counts_all(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The divisor is the number of rewards kept, the noise that for n."""
    kept = data[np.abs(data) <= _SIZE]
    return _released(kept.sum() / max(1, kept.size), _SIZE, _LENGTH, runs, rng)


def _batch_twice(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """No forgetting: the first half, then all of it with the first half again, each released at epsilon."""
    half = data[: _LENGTH // 2]
    one = _released(_cut(half).mean(), _SIZE, half.size, runs, rng)
    return np.concatenate([one, _released(_cut(data).mean(), _SIZE, data.size, runs, rng)], axis=1)


def _noise_shared(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Two arms' batches, one draw for both."""
    half = _LENGTH // 2
    means = np.array([_cut(data[:half]).mean(), _cut(data[half:]).mean()])
    return np.asarray(means + rng.laplace(0.0, 2.0 * _SIZE / half, (runs, 1)))


def _release(name: str, mistake: str, theorem: str, neighbours: Neighbours, draw: Callable[..., Floats]) -> Control:
    return control(name, mistake, theorem, _loss(MutatedMechanism(_CLAIM, neighbours, draw)))


_SCALE, _RUN = privacy.TRUNCATED_MEAN_SCALE.id, privacy.PRIVACY_RAW.id
RELEASES = (
    _release("half_the_noise", "noise for a sensitivity of M/n in place of 2 M/n", _SCALE, _ENDS, _half_the_noise),
    _release(
        "unbounded_value",
        "clipping on one side, so that a large value passes",
        _SCALE,
        _pair((1e3, *_STILL), (0.0, *_STILL)),
        _one_side_clipped,
    ),
    _release(
        "truncation_from_the_data",
        "a truncation that depends on the data",
        _SCALE,
        _pair((8.0, 0.5, 0.5, 0.5), (0.5, 0.5, 0.5, 0.5)),
        _largest_of_the_batch,
    ),
    _release(
        "divisor_from_the_data", "the mean of the rewards kept", _SCALE, _pair((9.0, 9.0, 9.0, _SIZE), (9.0, 9.0, 9.0, -_SIZE)), _counts_all
    ),
    _release("batch_counted_twice", "a batch that enters two releases", _RUN, _ENDS, _batch_twice),
    _release("noise_shared_by_arms", "one draw of noise for two arms", _RUN, _ENDS, _noise_shared),
)

# --- whole runs -------------------------------------------------------------------------------------------------------------------------


def _run(name: str, mistake: str, policy: MutatedPolicy[RobustElimination], pair: tuple[Any, Any], samples: int = 20_000) -> Control:
    mechanism = cases.whole_runs(policy, policy.base.guarantee(), 64, pair)
    return control(name, mistake, _RUN, PrivacyLoss(mechanism, samples))


_WHITE, _ARMS = RobustElimination(1.0, view=View.WHITE_BOX), RobustElimination(1.0, radius_factor=0.0)
_FIRST = cases.first_of(_WHITE, 64).truncation
RUNS = (
    _run("run_with_half_the_noise", "half the noise in a whole run", MutatedPolicy(_WHITE, scaled(scales=0.5)), cases.worst(_WHITE, 64)),
    _run(
        "run_with_twice_the_truncation",
        "a truncation twice as large as the one that the noise is for",
        MutatedPolicy(_WHITE, scaled(truncations=2.0)),
        (reward_list(64, (2.0 * _FIRST,)), reward_list(64, (-2.0 * _FIRST,))),
    ),
    _run(
        "arms_of_half_the_noise",
        "half the noise, seen from the arms alone",
        MutatedPolicy(_ARMS, scaled(scales=0.5)),
        cases.telling(_ARMS, 64),
        60_000,
    ),
)

# --- histogram and two-fold estimate ------------------------------------------------------------------------------------------------------


def _histogram(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise for a sensitivity of 1/n, where two bins change."""
    counts = np.array([np.mean(data < 0.0), np.mean(data >= 0.0)])
    return np.asarray(counts + rng.laplace(0.0, 1.0 / len(data), (runs, 2)))


def _folds_overlap(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """All of the batch in both steps, each at epsilon."""
    counts = np.array([np.mean(data < 0.0), np.mean(data >= 0.0)]) + rng.laplace(0.0, 2.0 / len(data), (runs, 2))
    centre = np.where(counts[:, :1] > counts[:, 1:], -_SIZE, 0.0)
    kept = np.where(np.abs(data[None, :] - centre) <= _SIZE, data[None, :] - centre, 0.0).mean(axis=1)
    return np.concatenate([counts, centre + kept[:, None] + rng.laplace(0.0, 2.0 * _SIZE / len(data), (runs, 1))], axis=1)


CENTRAL = (
    _release("histogram_one_bin", "noise for one changing bin where two change", privacy.HISTOGRAM_SCALE.id, _ENDS, _histogram),
    _release("folds_overlap", "one fold for both steps of the estimate", privacy.PRIVACY_CENTRAL.id, _ENDS, _folds_overlap),
)

# --- sensitivities, divergence ------------------------------------------------------------------------------------------------------------


def _at(value: Fraction, claimed: Fraction) -> Pointwise:
    return Pointwise(lambda: iter((At({"n": 4, "M": 2}, value, claimed),)), "4 rewards", "change")


EXACT = (
    control("sensitivity_halved", "M/n for 2 M/n", privacy.TRUNCATED_MEAN_SENSITIVITY.id, _at(Fraction(1), Fraction(1, 2))),
    control("one_bin_changes", "1/n for 2/n", privacy.HISTOGRAM_SENSITIVITY.id, _at(Fraction(1, 2), Fraction(1, 4))),
    control("scale_halved", "half of sensitivity/epsilon", setting.LAPLACE_MECHANISM.id, _at(Fraction(2), Fraction(1))),
    control(
        "divergence_without_pulls",
        "the bound for a hundredth of a pull",
        privacy.PRIVATE_DIVERGENCE.id,
        Pointwise(cases.divergences(Fraction(1, 100)), "two rounds of randomised response", "divergence"),
    ),
)
