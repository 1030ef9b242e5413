"""wu_2023's two-fold estimate and PRAE-C with one mistake each in their noise, and RUCB, which has none."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np

from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.estimators.central_mean import PrivateCentralMean
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import Exploration
from banditproof.algorithms.policies.median_ucb import MedianUCB
from banditproof.audits.common.reward_lists import reward_list, whole_runs
from banditproof.audits.methods.pointwise import Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.mutations import MutatedPolicy, control, scaled
from banditproof.audits.papers.wu_2023.cases.central import privacy as cases
from banditproof.audits.running.audit import Control
from banditproof.guarantees import NeighbouringRelation, PureDP, View
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.theory.papers.wu_2023 import privacy

# --- one estimate -----------------------------------------------------------------------------------------------------------------------


class Mistake(Enum):
    """What an estimate does otherwise than Algorithm 3."""

    BIN_NOISE = "half the noise in the histogram"
    MEAN_NOISE = "half the noise in the mean"
    SMALLER_NOISE = "the mean's noise drawn twice, and the smaller of both kept"
    SMALLER_BIN_NOISE = "each bin's noise drawn twice, and the smaller of both kept"
    ONE_FOLD = "the second fold is the first again"
    WHOLE_BATCH = "noise for a batch's length where a fold's is meant"
    AFRESH = "an estimate looked at twice, with its noise drawn afresh"
    KEPT_ALONE = "the mean over the rewards kept, for that over the fold"
    CLIPPED = "rewards beyond M from the bin left as they are"


_BIN_FRACTIONS = {Mistake.BIN_NOISE: 0.5, Mistake.WHOLE_BATCH: 0.5}
_MEAN_FRACTIONS = {Mistake.MEAN_NOISE: 0.5, Mistake.WHOLE_BATCH: 0.5}


def smaller(scale: float, shape: int | tuple[int, int], rng: np.random.Generator) -> Floats:
    """The one of two draws that is closer to 0."""
    one, other = rng.laplace(0.0, scale, shape), rng.laplace(0.0, scale, shape)
    return np.where(np.abs(one) < np.abs(other), one, other)


@dataclass(frozen=True)
class Mistaken:
    """The estimate of `base` with one mistake, and its claim."""

    base: PrivateCentralMean
    mistake: Mistake
    pair: tuple[tuple[float, ...], tuple[float, ...]]
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)

    def guarantee(self) -> PureDP:
        return self.base.guarantee()

    def neighbours(self) -> Neighbours:
        length = len(self.pair[0])
        return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(length, length), worst=(self.pair,))

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, 2), or (runs, 3) for an estimate looked at twice."""
        base, values = self.base, np.asarray(data, dtype=float)
        half = values.size // 2
        frequencies = base.bin_frequencies(values)
        bin_scale = central_mean.bin_noise_scale(half, base.epsilon) * _BIN_FRACTIONS.get(self.mistake, 1.0)
        scale = truncated_mean.noise_scale(half, base.epsilon, truncation=base.truncation) * _MEAN_FRACTIONS.get(self.mistake, 1.0)
        shape = runs, frequencies.size
        noise = smaller(bin_scale, shape, rng) if self.mistake is Mistake.SMALLER_BIN_NOISE else rng.laplace(0.0, bin_scale, shape)
        ends = central_mean.first_bin(base.range, base.bin_width, pad=base.pad) + np.arange(frequencies.size) * base.bin_width
        chosen = (frequencies + noise).argmax(axis=1)
        means = np.array([self._mean(values, float(end)) for end in ends])[chosen]
        match self.mistake:
            case Mistake.SMALLER_NOISE:
                looks = [means + smaller(scale, runs, rng)]
            case Mistake.AFRESH:
                looks = [means + rng.laplace(0.0, scale, runs) for _ in range(2)]
            case _:
                looks = [means + rng.laplace(0.0, scale, runs)]
        return np.stack([ends[chosen], *looks], axis=1)

    def _mean(self, values: Floats, end: float) -> float:
        half, size = values.size // 2, self.base.truncation
        fold = values[:half] if self.mistake is Mistake.ONE_FOLD else values[half:]
        kept = fold[np.abs(fold - end) <= size]
        match self.mistake:
            case Mistake.KEPT_ALONE:
                return end + float((kept - end).sum()) / max(1, kept.size)
            case Mistake.CLIPPED:
                return float(fold.mean())
            case _:
                return central_mean.centred_mean(fold, end, truncation=size)


_ONE = PrivateCentralMean(1.0, 4.0, 2.0, 8.0)
_PAIRS = cases.pairs_of(_ONE, 3)
_FAR = 1e6


def _estimate(
    mistake: Mistake, pair: tuple[Any, Any], theorem: str = privacy.PRIVACY_CENTRAL.id, base: PrivateCentralMean = _ONE
) -> Control:
    return control(f"estimate_{mistake.name.lower()}", mistake.value, theorem, PrivacyLoss(Mistaken(base, mistake, pair), 150_000))


_BOTH = ((-0.01, -3.0, -3.0, -3.0, -3.0, -3.0), (-4.0, -3.0, -3.0, -3.0, -3.0, -3.0))  # leaves the bin at -2, and goes from end to end of M
_KEPT_PAIR = tuple((0.5, 0.5, 0.5, _FAR, _FAR, entry) for entry in (6.0, -6.0))
ESTIMATES = (
    _estimate(Mistake.BIN_NOISE, _PAIRS["one bin to another"]),
    _estimate(Mistake.MEAN_NOISE, _PAIRS["M to -M"]),
    _estimate(Mistake.SMALLER_NOISE, _PAIRS["M to -M"]),
    _estimate(Mistake.SMALLER_BIN_NOISE, _PAIRS["one bin to another"]),
    _estimate(Mistake.ONE_FOLD, _BOTH, base=PrivateCentralMean(1.0, 4.0, 2.0, 2.0)),
    _estimate(Mistake.WHOLE_BATCH, _PAIRS["M to -M"]),
    _estimate(Mistake.AFRESH, _PAIRS["M to -M"]),
    _estimate(Mistake.KEPT_ALONE, (_KEPT_PAIR[0], _KEPT_PAIR[1])),
    _estimate(Mistake.CLIPPED, ((0.5, 0.5, 0.5, _FAR, 0.5, 0.5), (0.5, 0.5, 0.5, 0.5, 0.5, 0.5))),
)


@dataclass(frozen=True)
class SilentFrequencies:
    """Noisy frequencies at half their noise."""

    base: cases.NoisyFrequencies
    theorems: tuple[str, ...] = field(default=(), init=False, repr=False)

    def guarantee(self) -> PureDP:
        return self.base.guarantee()

    def neighbours(self) -> Neighbours:
        length = len(_PAIRS["M to -M"][0])
        return Neighbours(NeighbouringRelation.REPLACE_RECORD, lengths=(length, length), worst=(_PAIRS["one bin to another"],))

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, N)."""
        frequencies = self.base.base.bin_frequencies(data)
        scale = 0.5 * central_mean.bin_noise_scale(len(data) // 2, self.base.base.epsilon)
        return frequencies + rng.laplace(0.0, scale, (runs, frequencies.size))


HISTOGRAM = (
    control(
        "frequencies_of_half_the_noise",
        "half the noise on each bin's frequency",
        privacy.HISTOGRAM_SCALE.id,
        PrivacyLoss(SilentFrequencies(cases.NoisyFrequencies(_ONE)), 60_000),
    ),
    control(
        "winning_bin_of_half_the_noise",
        "half the noise in the histogram, in closed form",
        privacy.PRIVACY_CENTRAL.id,
        Pointwise(cases.selections(noise=0.5), "the histograms of the audit", "epsilon of the winning bin"),
    ),
)

# --- whole runs -------------------------------------------------------------------------------------------------------------------------


_WHITE = cases.WHITE


def _run(name: str, mistake: str, base: CentralElimination, pair: str, bins: float, mean: float, samples: int = 30_000) -> Control:
    runs = cases.run_on(base, pair)[0]
    pipeline = replace(runs.mechanism.pipeline, policy=MutatedPolicy(base, scaled(scales=mean, bin_scales=bins)))
    broken = replace(runs, mechanism=replace(runs.mechanism, pipeline=pipeline, theorems=()))
    return control(name, mistake, privacy.PRIVACY_CENTRAL.id, PrivacyLoss(broken, samples))


def _arms() -> Control:
    """Seen from the arms alone."""
    base, horizon = cases.ARMS, 128
    rounds, pair = cases.ends_of(base.state(2, 0, horizon), horizon), cases.telling(base, horizon)
    broken = whole_runs(MutatedPolicy(base, scaled(scales=0.5)), base.guarantee(), rounds, horizon, pair)
    return control(
        "arms_of_half_the_noise",
        "half the noise in the mean, seen from the arms alone",
        privacy.PRIVACY_CENTRAL.id,
        PrivacyLoss(broken, 60_000),
    )


_GREEDY = replace(_WHITE, exploration=Exploration.GREEDY, threshold_factor=1.0)
_MIXED = replace(_WHITE, contamination=0.1, threshold_factor=cases.MIXED_SHORT)
RUNS = (
    _run("run_with_half_the_bin_noise", "half the noise in the histograms of a run", _WHITE, "one bin to another", 0.5, 1.0, 200_000),
    _run("run_with_half_the_mean_noise", "half the noise in the means of a run", _WHITE, "M to -M", 1.0, 0.5),
    _run("run_with_noise_for_a_batch", "noise for a batch's length where a fold's is meant, in a run", _WHITE, "M to -M", 0.5, 0.5),
    _run("greedy_run_with_half_the_noise", "half the noise in what guides forced exploration", _GREEDY, "M to -M", 1.0, 0.5),
    _run("mixed_run_with_half_the_noise", "half the noise in a contaminated run", _MIXED, "M to -M", 1.0, 0.5),
    _arms(),
)

# --- baselines --------------------------------------------------------------------------------------------------------------------------


_CLAIM = PureDP(1.0, NeighbouringRelation.REPLACE_REWARD, View.CENTRAL)
_PULLED_BY = reward_list(16, (1.0, 0.5)), reward_list(16, (0.0, 0.5))  # arm 0's first reward; then arm 1's
BASELINES = (
    control(
        "robust_without_noise",
        "RUCB, robust and not private, sold as private: one reward decides which arm is played",
        privacy.PRIVACY_CENTRAL.id,
        PrivacyLoss(whole_runs(MedianUCB(1.0), _CLAIM, tuple(range(16)), 16, _PULLED_BY), 5_000),
    ),
)
