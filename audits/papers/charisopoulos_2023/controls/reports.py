"""Reports of charisopoulos_2023 with one mistake each: their privacy, and the noise of them that is on the wire."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from banditproof.algorithms.mechanisms.client_reports import Clipping, Level, NoisyMean, NoisyReward, OwnerReport
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedMechanism, control
from banditproof.audits.papers.charisopoulos_2023.cases import privacy, wire
from banditproof.audits.papers.charisopoulos_2023.wire_reports import WireReport
from banditproof.audits.running.audit import Control
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.theory.language import Theorem
from banditproof.theory.papers.charisopoulos_2023 import first_model, second_model

_SAMPLES = 100_000
_Draw = Callable[[Floats, int, np.random.Generator], Floats]


def _noise_for_the_range_one(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """As for rewards in [0, 1]: scale 1/epsilon, epsilon = 1."""
    return np.asarray(np.clip(data, -1.0, 1.0).mean() + rng.laplace(0.0, 1.0, (runs, 1)))


def _noise_before_averaging(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Noise of the mean's scale, 2/(n epsilon), on each reward: the mean of n such numbers has too little."""
    noise = rng.laplace(0.0, 2.0 / data.size, (runs, data.size)).mean(axis=1, keepdims=True)
    return np.asarray(np.clip(data, -1.0, 1.0).mean() + noise)


def _clipped_after_averaging(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return np.asarray(np.clip(data.mean(), -1.0, 1.0) + rng.laplace(0.0, 2.0 / data.size, (runs, 1)))


def _clipped_after_the_noise(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    return np.asarray(np.clip(data.mean() + rng.laplace(0.0, 2.0 / data.size, (runs, 1)), -1.0, 1.0))


def _own_count(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The mean of the rewards inside [-1, 1] alone, as if those outside were mistakes."""
    kept = data[np.abs(data) <= 1.0]
    return np.asarray(kept.mean() + rng.laplace(0.0, 2.0 / data.size, (runs, 1)))


def _mutant(name: str, mistake: str, theorem: Theorem, draw: _Draw, pair: privacy.Pair) -> Control:
    right = OwnerReport(1.0, len(pair[0]))
    mechanism = MutatedMechanism(right.guarantee(), right.neighbours(), draw)
    return control(name, mistake, theorem, PrivacyLoss(mechanism, _SAMPLES, pair=pair))


def _claimed(name: str, mistake: str, theorem: Theorem, mechanism: OwnerReport, epsilon: float, pair: privacy.Pair) -> Control:
    claim = PureDP(epsilon, NeighbouringRelation.ANY_PAIR)
    return control(name, mistake, theorem, PrivacyLoss(mechanism, _SAMPLES, claim, pair))


_ONE = ((-1.0,), (1.0,))
PRIVACY = (
    _mutant(
        "wrong_range",
        "Laplace noise for rewards in [0, 1], which lie in [-1, 1]",
        first_model.FIRST_PRIVACY,
        _noise_for_the_range_one,
        _ONE,
    ),
    _mutant(
        "noise_before_averaging",
        "noise added before averaging with the scale that is right after it",
        second_model.SECOND_PRIVACY,
        _noise_before_averaging,
        privacy.one_changed(10, -1.0, 1.0),
    ),
    _mutant(
        "mean_clipped",
        "the mean clipped in place of each reward",
        second_model.SECOND_PRIVACY,
        _clipped_after_averaging,
        privacy.one_changed(10, -10.0, 10.0, 0.0),
    ),
    _mutant(
        "clipped_after_the_noise",
        "rewards outside the range clipped after the noise",
        first_model.FIRST_PRIVACY,
        _clipped_after_the_noise,
        ((-5.0,), (5.0,)),
    ),
    _mutant(
        "outside_left_out",
        "rewards outside [-1, 1] left out of the mean, whose noise is for all of them",
        second_model.SECOND_PRIVACY,
        _own_count,
        ((-1.0, 5.0, 5.0, 5.0), (-1.0, 1.0, 5.0, 5.0)),
    ),
    _claimed(
        "sensitivity_one",
        "a loss of half of the distance of two rewards times epsilon taken for a quarter",
        first_model.FIRST_LOSS,
        OwnerReport(1.0, clipping=Clipping.PUBLISHED),
        1.5,
        ((-3.0,), (3.0,)),
    ),
    _claimed(
        "all_for_one",
        "the noise for one reward of an owner taken for that of all of them",
        second_model.OWNER_LOSS,
        OwnerReport(0.5, 10),
        0.5,
        privacy.all_changed(10, -1.0, 1.0),
    ),
    _claimed(
        "range_of_one_reward",
        "the loss of rewards in [-1, 1] taken for that of rewards in [-3, 3]",
        second_model.EVENT_LOSS,
        OwnerReport(1.0, 10, clipping=Clipping.PUBLISHED),
        1.0,
        privacy.one_changed(10, -3.0, 3.0),
    ),
)
RUNS = (
    control(
        "run_all_for_one",
        "a run's noise for one reward of an owner, where all of them change",
        second_model.SECOND_PRIVACY,
        PrivacyLoss(
            WireReport(privacy.second(1.0), 3),
            3_000,
            PureDP(1.0, NeighbouringRelation.ANY_PAIR),
            privacy.all_changed(3, -1.0, 1.0),
        ),
    ),
)

# --- noise on the wire --------------------------------------------------------------------------------------------------------------------

_FIRST, _SECOND = wire.first(0.5), wire.second(2.0)
NOISE = (
    control(
        "wire_wrong_range",
        "a client's noise for rewards in [0, 1], which lie in [-1, 1]",
        first_model.REPORT_SCALE_FIRST,
        wire.counted(
            replace(_FIRST, randomiser=NoisyReward(1.0)), partial(wire.beyond, Level.EVENT, 0.5, 2.0), 0.5, "noise above s log 2", wire.LONG
        ),
    ),
    control(
        "wire_noise_of_owner",
        "an owner's noise for all of its rewards, where the statement has that for one",
        second_model.REPORT_SCALE_SECOND,
        wire.counted(
            replace(_SECOND, randomiser=NoisyMean(2.0, Level.USER)),
            partial(wire.beyond, Level.EVENT, 2.0, 2.0),
            0.5,
            "noise above s log 2",
            6_000,
        ),
    ),
)
