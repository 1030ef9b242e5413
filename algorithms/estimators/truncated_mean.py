r"""The truncated mean and its private release PRM for bounded raw moments (Wu, Zhou, Tao and Wang 2023, Algorithm 2, Theorem 6.1).

    truncated mean = 1/n sum of x_i 1{|x_i| <= M}          release = truncated mean + Laplace noise of scale 2 M / (n epsilon)

A reward larger than M counts as 0 (it is not clipped to M), one of size M is kept. Reward distributions have E|X|^k <= 1 with k = `moment`;
a fraction of at most alpha_1 = `contamination` of the rewards comes from arbitrary distributions. The other names of the formulas: n =
`samples`, delta = `failure` (of one release), M = `truncation`, and l_c = log(c / delta). The contaminated formulas diverge as alpha_1 ->
0: clean rewards have formulas of their own.

Reading. Theorem 6.1 hides its constants; those here stand in its proof. The last merge of the proof, 4 M l/(3n) + 2 M l_2/(n epsilon) <=
4 M l/(n epsilon), needs epsilon <= 3 - 1.5 l_2/l, so it holds at every failure for epsilon <= MERGED_EPSILON alone.
- Clean rewards: beyond, `clean_radius` as printed is too small. `clean_epsilon` is what to pass to it and to `clean_truncation` in place of
  epsilon, the noise staying that of epsilon: the noise is then smaller than the merge counts on, and no radius grows with epsilon.
- Contaminated rewards: `radius` holds at every epsilon. There n >= l_8/alpha_1, and 8 alpha_1 M has room for the term that the merge drops.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from banditproof import glossary
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

MERGED_EPSILON = 1.5


def truncated_mean(values: Sequence[float] | Floats, truncation: float) -> float:
    """Mean of the values (n,) with those larger than `truncation` in size counted as 0. Raises ValueError on NaN, or without values."""
    numbers = np.asarray(values, dtype=float)
    if numbers.ndim != 1 or numbers.size == 0:
        raise ValueError(f"values of shape {numbers.shape}: must be (n,) with n >= 1")
    if np.isnan(numbers).any():
        raise ValueError("a value is NaN: must be a number")
    kept = np.abs(numbers) <= glossary.TRUNCATION.require(truncation)
    return float(np.where(kept, numbers, 0.0).sum() / numbers.size)


def noise_scale(samples: int, epsilon: float, *, truncation: float) -> float:
    """Scale of the release's Laplace noise: 2 M / (n epsilon), since one replaced reward moves the truncated mean by 2 M / n at most."""
    sensitivity = 2.0 * glossary.TRUNCATION.require(truncation) / glossary.SAMPLES.require(samples)
    return sensitivity / glossary.EPSILON.require(epsilon)


def sample_requirement(failure: float, contamination: float) -> float:
    """Least number of contaminated rewards for which the radius holds: l_8 / alpha_1. Clean rewards need none."""
    return _logarithm(8.0, failure) / glossary.CONTAMINATION.require(contamination)


def truncation(samples: int, epsilon: float, *, moment: float, failure: float, contamination: float) -> float:
    """M = min{(n epsilon / (4 l_16))^(1/k), (8 alpha_1)^(-1/k)}, in reward units."""
    private = _private_truncation(samples, epsilon, moment, _logarithm(16.0, failure))
    return min(private, math.pow(8.0 * glossary.CONTAMINATION.require(contamination), -1.0 / moment))


def clean_truncation(samples: int, epsilon: float, *, moment: float, failure: float) -> float:
    """M = (n epsilon / (4 l_4))^(1/k) for clean rewards, in reward units."""
    return _private_truncation(samples, epsilon, moment, _logarithm(4.0, failure))


def radius(samples: int, epsilon: float, *, moment: float, failure: float, contamination: float) -> float:
    """sqrt(2 l_16 / n) + 2 (4 l_16 / (n epsilon))^(1 - 1/k) + 2 (8 alpha_1)^(1 - 1/k), in reward units.

    As printed: |release - mean| at the truncation of this module, for n >= `sample_requirement`, at every epsilon.
    """
    outliers = 2.0 * math.pow(8.0 * glossary.CONTAMINATION.require(contamination), _bias_exponent(moment))
    return _merged_radius(samples, epsilon, moment, _logarithm(16.0, failure)) + outliers


def clean_epsilon(epsilon: float) -> float:
    """min(epsilon, MERGED_EPSILON): the level at which truncation and radius for clean rewards are evaluated."""
    return min(glossary.EPSILON.require(epsilon), MERGED_EPSILON)


def clean_radius(samples: int, epsilon: float, *, moment: float, failure: float) -> float:
    """sqrt(2 l_4 / n) + 2 (4 l_4 / (n epsilon))^(1 - 1/k) for clean rewards, in reward units; as printed, for `clean_epsilon`."""
    return _merged_radius(samples, epsilon, moment, _logarithm(4.0, failure))


def outlier_fraction(samples: int, failure: float, *, contamination: float) -> float:
    """Largest fraction of outliers among n rewards except for probability delta / 4: alpha_1 + sqrt(2 alpha_1 l_8 / n) + 2 l_8 / (3 n)."""
    count, term = glossary.SAMPLES.require(samples), _logarithm(8.0, failure)
    fraction = glossary.CONTAMINATION.require(contamination)
    return fraction + math.sqrt(2.0 * fraction * term / count) + 2.0 * term / (3.0 * count)


def unmerged_radius(samples: int, epsilon: float, *, moment: float, failure: float, contamination: float, truncation: float) -> float:
    """The proof's sum before its last merge, at any truncation, for n >= `sample_requirement`. In reward units.

    sqrt(2 l_16 / n) + 4 M l_16 / (3n) + 8 alpha_1 M + 2 M l_2 / (n epsilon) + M^(1-k).
    """
    outliers = 8.0 * glossary.CONTAMINATION.require(contamination) * truncation
    return _unmerged_radius(samples, epsilon, moment, failure, truncation, 16.0) + outliers


def assembled_radius(samples: int, epsilon: float, *, moment: float, failure: float, contamination: float, truncation: float) -> float:
    """Nothing of the proof dropped, so it holds at any n, epsilon and truncation: `unmerged_radius` with 2 M `outlier_fraction` in place of
    8 alpha_1 M. In reward units."""
    outliers = 2.0 * truncation * outlier_fraction(samples, failure, contamination=contamination)
    return _unmerged_radius(samples, epsilon, moment, failure, truncation, 16.0) + outliers


def clean_assembled_radius(samples: int, epsilon: float, *, moment: float, failure: float, truncation: float) -> float:
    """sqrt(2 l_4 / n) + 4 M l_4 / (3n) + 2 M l_2 / (n epsilon) + M^(1-k) for clean rewards, at any truncation. In reward units."""
    return _unmerged_radius(samples, epsilon, moment, failure, truncation, 4.0)


def _logarithm(numerator: float, failure: float) -> float:
    return math.log(numerator / glossary.FAILURE.require(failure))


def _bias_exponent(moment: float) -> float:
    return 1.0 - 1.0 / glossary.MOMENT.require(moment)


def _private_truncation(samples: int, epsilon: float, moment: float, term: float) -> float:
    records = glossary.SAMPLES.require(samples) * glossary.EPSILON.require(epsilon)
    return math.pow(records / (4.0 * term), 1.0 / glossary.MOMENT.require(moment))


def _merged_radius(samples: int, epsilon: float, moment: float, term: float) -> float:
    records = glossary.SAMPLES.require(samples) * glossary.EPSILON.require(epsilon)
    return math.sqrt(2.0 * term / samples) + 2.0 * math.pow(4.0 * term / records, _bias_exponent(moment))


def _unmerged_radius(samples: int, epsilon: float, moment: float, failure: float, truncation: float, numerator: float) -> float:
    term, count = _logarithm(numerator, failure), glossary.SAMPLES.require(samples)
    sampling = math.sqrt(2.0 * term / count) + 4.0 * glossary.TRUNCATION.require(truncation) * term / (3.0 * count)
    noise = noise_scale(samples, epsilon, truncation=truncation) * _logarithm(2.0, failure)
    return sampling + noise + math.pow(truncation, 1.0 - glossary.MOMENT.require(moment))


@dataclass(frozen=True)
class PrivateTruncatedMean:
    """Releases the truncated mean of a list of rewards, of any public length n >= 1; neighbours differ in one reward, by any amount."""

    epsilon: float
    truncation: float
    theorems: tuple[str, ...] = field(default=("wu_2023.truncated_mean_scale", "wu_2023.raw_concentration"), init=False, repr=False)

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.TRUNCATION.require(self.truncation)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_RECORD)

    def neighbours(self) -> Neighbours:
        """The worst pair flips the sign of a reward of size M; a reward just above M counts as 0, so it loses half as much."""
        most, rest = self.truncation, (0.0, 0.0, 0.0)
        above = math.nextafter(most, math.inf)
        pairs = ((most, -most), (above, most), (above, -most))
        return Neighbours(
            NeighbouringRelation.REPLACE_RECORD,
            low=-1.25 * most,
            high=1.25 * most,
            lengths=(1, 4),
            worst=tuple(((first, *others), (second, *others)) for others in ((), rest) for first, second in pairs),
        )

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, 1). Raises ValueError unless `data` has shape (n,), without NaN."""
        centre = truncated_mean(data, self.truncation)
        return centre + rng.laplace(0.0, noise_scale(len(data), self.epsilon, truncation=self.truncation), (runs, 1))
