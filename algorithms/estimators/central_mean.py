r"""PRM for bounded central moments: a private histogram, a mean around its bin (Wu, Zhou, Tao and Wang 2023, Algorithm 3, Theorem 6.5).

The first fold of n rewards fills bins of width r over [-D, D]; J is the left end of the bin with the largest noisy frequency. The second
fold of n others gives

    J + 1/n sum of (x_i - J) 1{|x_i - J| <= M} + Laplace noise of scale 2 M / (n epsilon)

Values outside all bins count nowhere, and the divisor stays n. Reward distributions have E|X - mu|^k <= 1 with k = `moment` and mu in [-D,
D], D = `range`; a fraction of at most alpha_1 = `contamination` of the rewards comes from arbitrary distributions. The other names of the
formulas: n = `fold_samples`, r = `bin_width`, M = `truncation`, delta = `failure` (of one release), N = `bins`.

Readings (the paper leaves them open).
- N = ceil(2 D / r): the last bin overshoots D. `pad`: one more bin on each side, since the proof speaks of the bins left and right of that
  of mu, and mu = D and mu = -D are allowed; then C_1 has log(6 N / delta) for log(16 D / delta), the same union bound over N bins.
- iota at alpha_1, since the learner does not know alpha; as a formula it takes either.
- c_1, which the paper leaves unnamed: the least constant that its own condition 6 C_1 + 4 C_2 < 1 allows. At n = c_1 log(.) / epsilon the
  condition holds with equality at epsilon = 1; two noisy frequencies are then equal with probability 0.
- The radius is the proof's pieces added up with nothing dropped, each at delta / 8; the paper gives its order alone.
- D < 2 r is refused; `admissible_range` says which D does.
- Corollary 6.8 prints alpha_1 in (0, 0.133). What it needs of the end is M >= 4 r, that is iota <= 1 / alpha_1, which holds up to 0.1333;
  so 0.133 itself is allowed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from banditproof import glossary
from banditproof.algorithms.estimators import truncated_mean
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats, Ints
from banditproof.mechanism import Neighbours
from banditproof.typical import Values, between

STATED_EPSILON = 1.0  # Theorem 6.5 speaks of epsilon in (0, 1]
LARGEST_CONTAMINATION = 0.133  # Corollary 6.8
CONTAMINATED_MASS = 0.249  # C_2 at the bin width of contaminated rewards
MOST_BINS = 10**8  # that a histogram holds in memory; the formulas know no limit


def inverse_mass(contamination: float) -> float:
    """iota = (1 - alpha) / (0.249 - alpha): the k-th power of the bin width at which C_2 = 0.249."""
    if not 0.0 <= contamination < CONTAMINATED_MASS:
        rule = "iota = (1 - alpha) / (0.249 - alpha), Corollary 6.8"
        raise ValueError(f"contamination = {contamination}: must be >= 0 and < {CONTAMINATED_MASS} ({rule})")
    return (1.0 - contamination) / (CONTAMINATED_MASS - contamination)


def bin_width(contamination: float, moment: float) -> float:
    """r = iota^(1/k), in reward units; the contamination is that at which iota is evaluated."""
    return math.pow(inverse_mass(contamination), 1.0 / glossary.MOMENT.require(moment))


def clean_bin_width(moment: float) -> float:
    """r = 10^(1/k) for clean rewards, in reward units."""
    return math.pow(10.0, 1.0 / glossary.MOMENT.require(moment))


def outside_mass(true_contamination: float, moment: float, *, bin_width: float) -> float:
    """C_2 = alpha + (1 - alpha) r^(-k): the most that a reward's distribution has at a distance of r or more from the mean of its clean
    part."""
    fraction = glossary.TRUE_CONTAMINATION.require(true_contamination)
    return fraction + (1.0 - fraction) * math.pow(glossary.BIN_WIDTH.require(bin_width), -glossary.MOMENT.require(moment))


def bin_constant(outside_mass: float) -> float:
    """The least c such that n >= c log(.) / epsilon gives 6 C_1 + 4 C_2 <= 1 at every epsilon <= 1: max{2 / x^2, 4 / x} with
    x = (1 - 4 C_2) / 6. Raises ValueError unless C_2 < 1/4, where no number of rewards is enough."""
    if not 0.0 <= outside_mass < 0.25:
        raise ValueError(f"outside_mass = {outside_mass}: must be >= 0 and < 0.25 (6 C_1 + 4 C_2 < 1, Theorem 6.5)")
    largest = (1.0 - 4.0 * outside_mass) / 6.0
    return max(2.0 / largest**2, 4.0 / largest)


def least_range(bin_width: float) -> float:
    """The least D that Theorem 6.5 allows: max{2 r, 1}, in reward units."""
    return max(2.0 * glossary.BIN_WIDTH.require(bin_width), 1.0)


def admissible_range(half_range: float, bin_width: float) -> float:
    """D = max{half range of the means, 2 r, 1}, in reward units: the class grows, so the guarantee keeps its form."""
    if not 0.0 <= half_range < math.inf:
        raise ValueError(f"half_range = {half_range}: must be >= 0 and finite (half the width of the means' range)")
    return max(half_range, least_range(bin_width))


def bins(range: float, bin_width: float, *, pad: bool = False) -> int:
    """N = ceil(2 D / r), and 2 more with `pad`. Raises ValueError unless D >= 2 r."""
    width = _require_range(range, bin_width)
    return math.ceil(2.0 * range / width) + (2 if pad else 0)


def require_histogram(range: float, bin_width: float, *, pad: bool = False) -> int:
    """The number of bins; raises ValueError unless D >= 2 r and a histogram can hold them."""
    number = bins(range, bin_width, pad=pad)
    if number > MOST_BINS:
        raise ValueError(f"range = {range}: must be smaller ({number:.3g} bins of width {bin_width:.3g}; at most {MOST_BINS:.0e} are held)")
    return number


def first_bin(range: float, bin_width: float, *, pad: bool = False) -> float:
    """Left end of the first bin: -D, and -D - r with `pad`. In reward units."""
    width = _require_range(range, bin_width)
    return -range - (width if pad else 0.0)


def bin_noise_scale(fold_samples: int, epsilon: float) -> float:
    """Scale of the noise of each bin's frequency: 2 / (n epsilon), since one replaced reward moves two frequencies by 1 / n."""
    return 2.0 / glossary.FOLD_SAMPLES.require(fold_samples) / glossary.EPSILON.require(epsilon)


def bin_error(fold_samples: int, epsilon: float, *, range: float, failure: float) -> float:
    """C_1 = max{sqrt(2 l / n), 4 l / (n epsilon)} with l = log(16 D / delta): no noisy frequency is farther from its probability, except
    for probability delta / 2."""
    return _bin_error(fold_samples, epsilon, _range_logarithm(range, failure))


def padded_bin_error(fold_samples: int, epsilon: float, *, bins: int, failure: float) -> float:
    """C_1 with l = log(6 N / delta): the same union bound over N bins."""
    return _bin_error(fold_samples, epsilon, _bins_logarithm(bins, failure))


def truncation(fold_samples: int, epsilon: float, *, moment: float, failure: float, contamination: float) -> float:
    """M = min{4 (n epsilon / log(1 / delta))^(1/k), 4 alpha_1^(-1/k)}, in reward units; for epsilon <= 1 and alpha_1 < 0.133."""
    private = clean_truncation(fold_samples, epsilon, moment=moment, failure=failure)
    return min(private, 4.0 * math.pow(_fraction(contamination), -1.0 / moment))


def clean_truncation(fold_samples: int, epsilon: float, *, moment: float, failure: float) -> float:
    """M = 4 (n epsilon / log(1 / delta))^(1/k) for clean rewards, in reward units; for epsilon <= 1."""
    records = glossary.FOLD_SAMPLES.require(fold_samples) * _level(epsilon)
    return 4.0 * math.pow(records / _inverse_logarithm(failure), 1.0 / glossary.MOMENT.require(moment))


def sample_requirement(
    epsilon: float, *, range: float, contamination: float, failure: float, bin_constant: float, true_contamination: float | None = None
) -> float:
    """Least n for contaminated rewards: max{iota log(1 / delta) / epsilon, c_1 log(16 D / delta) / epsilon, log(16 / delta) / alpha_1^2}.

    iota is that of `true_contamination` where it is given (as printed), else of alpha_1; c_1 is `bin_constant` of C_2 = 0.249. For
    epsilon <= 1 and alpha_1 < 0.133.
    """
    return _sample_requirement(
        epsilon, contamination, failure, bin_constant, _range_logarithm(range, failure), _iota_fraction(contamination, true_contamination)
    )


def padded_sample_requirement(
    epsilon: float, *, bins: int, contamination: float, failure: float, bin_constant: float, true_contamination: float | None = None
) -> float:
    """`sample_requirement` with log(6 N / delta) for log(16 D / delta)."""
    return _sample_requirement(
        epsilon, contamination, failure, bin_constant, _bins_logarithm(bins, failure), _iota_fraction(contamination, true_contamination)
    )


def clean_sample_requirement(epsilon: float, *, range: float, failure: float) -> float:
    """Least n for clean rewards: 200 log(16 D / delta) / epsilon, for epsilon <= 1."""
    return 200.0 * _range_logarithm(range, failure) / _level(epsilon)


def clean_padded_sample_requirement(epsilon: float, *, bins: int, failure: float) -> float:
    """`clean_sample_requirement` with log(6 N / delta) for log(16 D / delta)."""
    return 200.0 * _bins_logarithm(bins, failure) / _level(epsilon)


def outlier_sum(fold_samples: int, *, contamination: float, failure: float, truncation: float, bin_width: float) -> float:
    """T_1 = (alpha_1 + sqrt(2 alpha_1 L / n) + 2 L / (3 n)) (M + 2 r) with L = log(16 / delta): the most that outliers move the mean."""
    count, term = glossary.FOLD_SAMPLES.require(fold_samples), _logarithm(16.0, failure)
    fraction = glossary.CONTAMINATION.require(contamination)
    size = glossary.TRUNCATION.require(truncation) + 2.0 * glossary.BIN_WIDTH.require(bin_width)
    return (fraction + math.sqrt(2.0 * fraction * term / count) + 2.0 * term / (3.0 * count)) * size


def assembled_radius(
    fold_samples: int, epsilon: float, *, moment: float, failure: float, contamination: float, truncation: float, bin_width: float
) -> float:
    """beta = 2 T_1 + sqrt(2 L / n) + 4 (M + 2 r) L / (3 n) + (2 / M)^(k-1) + 2 r (alpha_1 + (2 / M)^k + sqrt(L / (2 n)))
    + 2 M log(8 / delta) / (n epsilon), with L = log(16 / delta). In reward units; for M >= 4 r and n >= `sample_requirement`."""
    outliers = outlier_sum(fold_samples, contamination=contamination, failure=failure, truncation=truncation, bin_width=bin_width)
    return 2.0 * outliers + _assembled(fold_samples, epsilon, moment, failure, contamination, truncation, bin_width)


def clean_assembled_radius(
    fold_samples: int, epsilon: float, *, moment: float, failure: float, truncation: float, bin_width: float
) -> float:
    """`assembled_radius` for clean rewards: without T_1, and with alpha_1 = 0. In reward units."""
    return _assembled(fold_samples, epsilon, moment, failure, 0.0, truncation, bin_width)


def _level(epsilon: float) -> float:
    if not glossary.EPSILON.require(epsilon) <= STATED_EPSILON:
        raise ValueError(f"epsilon = {epsilon}: must be <= {STATED_EPSILON:g} (Corollaries 6.6 and 6.8 state M and n for no larger one)")
    return epsilon


def _fraction(contamination: float) -> float:
    if not glossary.CONTAMINATION.require(contamination) <= LARGEST_CONTAMINATION:
        rule = "alpha_1 up to 0.133, Corollary 6.8: beyond, M >= 4 r fails"
        raise ValueError(f"contamination = {contamination}: must be <= {LARGEST_CONTAMINATION} ({rule})")
    return contamination


def _iota_fraction(contamination: float, true_contamination: float | None) -> float:
    if true_contamination is None:
        return contamination
    if not 0.0 <= true_contamination <= contamination:
        raise ValueError(f"true_contamination = {true_contamination}: must be >= 0 and <= {contamination} (alpha_1 bounds it)")
    return true_contamination


def _require_range(range: float, bin_width: float) -> float:
    """The bin width; raises ValueError unless D >= 2 r."""
    width = glossary.BIN_WIDTH.require(bin_width)
    if not glossary.RANGE.require(range) >= 2.0 * width:
        rule = "D >= 2 r, Theorem 6.5; admissible_range gives the least D that does"
        raise ValueError(f"range = {range}: must be >= {2.0 * width:.6g} ({rule})")
    if not math.isfinite(range):
        raise ValueError(f"range = {range}: must be finite")
    return width


def _logarithm(numerator: float, failure: float) -> float:
    return math.log(numerator / glossary.FAILURE.require(failure))


def _inverse_logarithm(failure: float) -> float:
    return -math.log1p(glossary.FAILURE.require(failure) - 1.0) if failure > 0.5 else math.log(1.0 / failure)


def _range_logarithm(range: float, failure: float) -> float:
    return _logarithm(16.0 * glossary.RANGE.require(range), failure)


def _bins_logarithm(bins: int, failure: float) -> float:
    if isinstance(bins, bool) or bins != int(bins) or bins < 1:
        raise ValueError(f"bins = {bins!r}: must be an integer >= 1")
    return _logarithm(6.0 * bins, failure)


def _bin_error(fold_samples: int, epsilon: float, term: float) -> float:
    count = glossary.FOLD_SAMPLES.require(fold_samples)
    return max(math.sqrt(2.0 * term / count), 4.0 * term / (count * glossary.EPSILON.require(epsilon)))


def _sample_requirement(epsilon: float, contamination: float, failure: float, constant: float, term: float, iota_fraction: float) -> float:
    level, fraction = _level(epsilon), _fraction(contamination)
    located = glossary.BIN_CONSTANT.require(constant) * term / level
    outliers = _logarithm(16.0, failure) / fraction / fraction  # the square of a tiny share would be 0
    return max(inverse_mass(iota_fraction) * _inverse_logarithm(failure) / level, located, outliers)


def _assembled(
    fold_samples: int, epsilon: float, moment: float, failure: float, fraction: float, truncation: float, bin_width: float
) -> float:
    count, term, order = glossary.FOLD_SAMPLES.require(fold_samples), _logarithm(16.0, failure), glossary.MOMENT.require(moment)
    size, width = glossary.TRUNCATION.require(truncation), glossary.BIN_WIDTH.require(bin_width)
    sampling = math.sqrt(2.0 * term / count) + 4.0 * (size + 2.0 * width) * term / (3.0 * count)
    cut = 2.0 * width * (fraction + math.pow(2.0 / size, order) + math.sqrt(term / (2.0 * count)))
    noise = truncated_mean.noise_scale(fold_samples, epsilon, truncation=size) * _logarithm(8.0, failure)
    return sampling + math.pow(2.0 / size, order - 1.0) + cut + noise


def histogram(values: Sequence[float] | Floats, *, low: float, bin_width: float, bins: int) -> Ints:
    """How many of the values (n,) lie in [low + j r, low + (j + 1) r), for j = 0, ..., N - 1; shape (N,). Raises ValueError on NaN."""
    places = (_numbers(values) - low) / glossary.BIN_WIDTH.require(bin_width)
    inside = places[(places >= 0.0) & (places < bins)]
    return np.bincount(inside.astype(np.int64), minlength=bins).astype(np.int64)


def centred_mean(values: Sequence[float] | Floats, centre: float, *, truncation: float) -> float:
    """J + 1/n sum of (x_i - J) 1{|x_i - J| <= M} of the values (n,), J = `centre`. Raises ValueError on NaN, or without values."""
    return centre + truncated_mean.truncated_mean(_numbers(values) - centre, truncation)


def _numbers(values: Sequence[float] | Floats) -> Floats:
    numbers = np.asarray(values, dtype=float)
    if numbers.ndim != 1 or numbers.size == 0:
        raise ValueError(f"values of shape {numbers.shape}: must be (n,) with n >= 1")
    if np.isnan(numbers).any():
        raise ValueError("a value is NaN: must be a number")
    return numbers


@dataclass(frozen=True)
class PrivateCentralMean:
    """Releases J and the mean around it of a list of 2 n rewards, the first n of them for the histogram; neighbours differ in one
    reward, by any amount. Raises ValueError unless D >= 2 r."""

    epsilon: float
    range: float
    bin_width: float
    truncation: float
    pad: bool = False
    theorems: tuple[str, ...] = field(
        default=("wu_2023.histogram_scale", "wu_2023.truncated_mean_scale", "wu_2023.central_concentration"), init=False, repr=False
    )

    typical: ClassVar[Mapping[str, Values]] = {"range": between(7.0, 40.0), "bin_width": between(0.5, 3.5)}  # two bins at least

    def __post_init__(self) -> None:
        glossary.EPSILON.require(self.epsilon)
        glossary.TRUNCATION.require(self.truncation)
        require_histogram(self.range, self.bin_width, pad=self.pad)

    def guarantee(self) -> PureDP:
        return PureDP(self.epsilon, NeighbouringRelation.REPLACE_RECORD)

    def accuracy_is_stated(self) -> bool:
        """Whether Theorem 6.5 speaks of this epsilon; the privacy holds at any."""
        return self.epsilon <= STATED_EPSILON

    def neighbours(self) -> Neighbours:
        """The worst pairs: a reward of the first fold that changes its bin; one of the second on either side of the bin at distance M."""
        low, width, size = first_bin(self.range, self.bin_width, pad=self.pad), self.bin_width, self.truncation
        number = bins(self.range, self.bin_width, pad=self.pad)
        first, last = low + 0.5 * width, low + (number - 0.5) * width
        changed_bin = ((first, first), (last, first))
        ends = ((first, low + size), (first, low - size))
        above = ((first, low + math.nextafter(size, math.inf)), (first, low - size))
        longer = ((first, first, last, first, first, low), (first, last, last, first, first, low))
        reach = 1.25 * (self.range + width + size)
        return Neighbours(
            NeighbouringRelation.REPLACE_RECORD, low=-reach, high=reach, lengths=(4, 4), worst=(changed_bin, ends, above, longer)
        )

    def bin_frequencies(self, data: Sequence[float] | Floats) -> Floats:
        """Frequencies (N,) of the first fold, before their noise. Raises ValueError unless `data` has shape (2 n,), without NaN."""
        values = _numbers(data)
        if values.size % 2 != 0:
            raise ValueError(f"values of shape {values.shape}: must be (2 n,), two folds of n (Algorithm 3)")
        number, low = bins(self.range, self.bin_width, pad=self.pad), first_bin(self.range, self.bin_width, pad=self.pad)
        half = values.size // 2
        return histogram(values[:half], low=low, bin_width=self.bin_width, bins=number) / half

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, 2): J, and the mean. Raises ValueError unless `data` has shape (2 n,), without NaN."""
        frequencies, values = self.bin_frequencies(data), _numbers(data)
        half, low = values.size // 2, first_bin(self.range, self.bin_width, pad=self.pad)
        centres = low + np.arange(frequencies.size) * self.bin_width
        means = np.array([centred_mean(values[half:], float(centre), truncation=self.truncation) for centre in centres])
        noisy = frequencies + rng.laplace(0.0, bin_noise_scale(half, self.epsilon), (runs, frequencies.size))
        chosen = noisy.argmax(axis=1)
        noise = rng.laplace(0.0, truncated_mean.noise_scale(half, self.epsilon, truncation=self.truncation), runs)
        return np.stack([centres[chosen], means[chosen] + noise], axis=1)
