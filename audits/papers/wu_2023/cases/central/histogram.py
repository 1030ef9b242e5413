"""wu_2023: coverage of the histogram's error and of the winning bin, on extremal distributions and for means over the whole of [-D, D], its
ends included, D a multiple of the bin width or not.

A distribution here has finitely many values, so that the counts of a fold are multinomial: a release on folds of any size costs as much as
one on few rewards, and the samples are those that the corollaries ask for. `Values.releases` is `PrivateCentralMean.release` on such
rewards.

Distributions have a variance of 1, or none: all rewards at the mean; one value r away with probability 1/(1 + r^2), as much as Markov lets
be there; one value 9.95 away with probability 1/100; two values 1 away. Outliers lie at the end of what is kept, just beyond it, or all in
one far bin.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.estimators.central_mean import PrivateCentralMean
from banditproof.algorithms.policies.elimination.probabilities import largest_probability
from banditproof.audits.methods.coverage import Bools, Coverage, Fails
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import beyond, binomial_weights, exp
from banditproof.interaction import Floats
from banditproof.theory.papers.wu_2023 import central, central_radii

# --- distributions of finitely many values ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Values:
    """A distribution: the values of a reward, their chances, and the mean of its inliers."""

    values: tuple[float, ...]
    chances: tuple[float, ...]
    mean: float

    def mixed(self, alpha: float, outlier: float) -> "Values":
        """With a share alpha of outliers at one place."""
        return Values((*self.values, outlier), (*((1.0 - alpha) * chance for chance in self.chances), alpha), self.mean)

    def releases(self, mechanism: PrivateCentralMean, fold: int, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Winning bins' left ends and means of `runs` releases from 2 fold rewards each. Draws."""
        number, low = (
            form(mechanism.range, mechanism.bin_width, pad=mechanism.pad) for form in (central_mean.bins, central_mean.first_bin)
        )
        return released(self, mechanism, fold, runs, rng, number=int(number), low=low)


def released(
    distribution: Values, mechanism: PrivateCentralMean, fold: int, runs: int, rng: np.random.Generator, *, number: int, low: float
) -> tuple[Floats, Floats]:
    """The same for any number of bins from any first one. Draws."""
    values, width = np.array(distribution.values), mechanism.bin_width
    of_value = np.array([central_mean.histogram([value], low=low, bin_width=width, bins=number) for value in distribution.values])
    counts, others = (rng.multinomial(fold, distribution.chances, size=runs) for _ in range(2))
    noisy = counts @ of_value / fold + rng.laplace(0.0, central_mean.bin_noise_scale(fold, mechanism.epsilon), (runs, number))
    centres = low + noisy.argmax(axis=1) * width
    offsets = values - centres[:, None]
    kept = (others * np.where(np.abs(offsets) <= mechanism.truncation, offsets, 0.0)).sum(axis=1) / fold
    scale = truncated_mean.noise_scale(fold, mechanism.epsilon, truncation=mechanism.truncation)
    return centres, centres + kept + rng.laplace(0.0, scale, runs)


def constant(mean: float) -> Values:
    return Values((mean,), (1.0,), mean)


def rare(mean: float, distance: float, side: float) -> Values:
    """A value at this distance on one side, with the probability that makes the variance 1, else one on the other."""
    chance = 1.0 / (1.0 + distance * distance)
    return Values((mean + side * distance, mean - side / distance), (chance, 1.0 - chance), mean)


def distributions_at(mean: float, width: float) -> tuple[Values, ...]:
    """Distance 1: half of the rewards on each side, in two bins where the mean is near the end of one."""
    return (
        constant(mean),
        rare(mean, 1.0, 1.0),
        *(rare(mean, distance, side) for distance in (width, 9.95) for side in (1.0, -1.0)),
    )


def grid(bound: float, inside: float = 0.0) -> tuple[float, ...]:
    """Means over [-bound + inside, bound - inside], both ends included."""
    return tuple(float(mean) for mean in np.linspace(-bound + inside, bound - inside, 11))


def any_of(distributions: Sequence[Values], fails: Callable[[Values, int, np.random.Generator], Bools]) -> Fails:
    """Each run has one of the distributions, drawn uniformly: where each of them fails rarely enough, so does this. Draws."""

    def drawn(runs: int, rng: np.random.Generator) -> Bools:
        parts = rng.multinomial(runs, np.full(len(distributions), 1.0 / len(distributions)))
        return np.concatenate(
            [fails(distribution, int(count), rng) for distribution, count in zip(distributions, parts, strict=True) if count]
        )

    return drawn


# --- C_1 --------------------------------------------------------------------------------------------------------------------------------


def bins_outside(stated: Stated, chances: Sequence[float], radius: float) -> Fails:
    """Whether a private frequency lies farther than the radius from its bin's probability. Draws."""

    fold, epsilon = stated["fold_samples"], stated["epsilon"]

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        counts = rng.multinomial(fold, [*chances, max(0.0, 1.0 - sum(chances))], size=runs)[:, :-1]
        noisy = counts / fold + rng.laplace(0.0, central_mean.bin_noise_scale(fold, epsilon), counts.shape)
        return np.asarray((np.abs(noisy - np.array(chances)) > radius).any(axis=1))

    return fails


def histogram_error(fold: int, epsilon: float, failure: float, pad: bool, bins: int) -> Stated:
    """The theorem about C_1, of the printed bins (of width 2) or of any number of bins. Half of the failure probability is enough."""
    known = {"fold_samples": fold, "epsilon": epsilon, "failure": failure}
    if pad:
        return Stated(central_radii.PADDED_BIN_ERROR, {**known, "bins": bins}, part=0.5)
    return Stated(central.BIN_ERROR, {**known, "range": float(bins)}, part=0.5)


def _own_error(stated: Stated, pad: bool) -> float:
    """C_1 of the algorithm."""
    fold, epsilon, failure = stated["fold_samples"], stated["epsilon"], stated["failure"]
    if pad:
        return central_mean.padded_bin_error(fold, epsilon, bins=stated["bins"], failure=failure)
    return central_mean.bin_error(fold, epsilon, range=stated["range"], failure=failure)


def _histogram(fold: int, epsilon: float, failure: float, pad: bool, chances: tuple[float, ...], shown: str) -> Audit:
    stated = histogram_error(fold, epsilon, failure, pad, len(chances))
    return Audit(
        stated.theorem.id,
        f"coverage.{swept(filled=np.count_nonzero(chances), eps=epsilon, n=fold, failure=failure)}",
        f"{fold} rewards, {shown}, epsilon {epsilon}, failure {failure}",
        Coverage(
            bins_outside(stated, chances, _own_error(stated, pad)),
            stated,
            rule="in some bin |private frequency - probability| > C_1 of the algorithm",
            must_detect_ratio=1.5,
            parameters={"fold": fold, "epsilon": epsilon, "failure": failure},
        ),
    )


_EVEN, _HALVES = (0.125,) * 8, (0.5, 0.5, *(0.0,) * 6)
HISTOGRAM = (
    _histogram(1000, 1.0, 0.1, False, _HALVES, "2 of 8 bins"),
    _histogram(1000, 1.0, 0.1, False, _EVEN, "8 bins"),
    _histogram(50, 0.2, 0.1, False, _EVEN, "8 bins"),
    _histogram(50, 0.2, 0.1, True, (*_EVEN, 0.0, 0.0), "8 bins and one more on each side"),
    _histogram(1000, 1.0, 0.2, True, (*_HALVES, 0.0, 0.0), "2 of 8 bins and one more on each side"),
)


def two_bins(epsilon: Fraction, bins: int, fold: int, radius: Fraction) -> Fraction:
    """P(some private frequency of `bins` is farther than the radius from its probability), half of the rewards in each of two bins."""
    scale = Fraction(central_mean.bin_noise_scale(fold, float(epsilon)))
    empty = (1 - beyond(Fraction(0), scale, radius)) ** (bins - 2)
    total = Fraction(0)
    for hits, weight in enumerate(binomial_weights(fold, Fraction(1, 2))):
        outside = beyond(Fraction(hits, fold) - Fraction(1, 2), scale, radius)
        total += weight * (1 - (1 - outside) ** 2 * empty)
    return total


def _exact_histogram() -> Iterator[At]:
    for fold, epsilon, bound, failure in itertools.product((1, 10, 60), ("0.1", "1", "10"), (4, 20), ("1/20", "9/10")):
        radius = Fraction(central.BIN_ERROR.at(fold_samples=fold, epsilon=epsilon, range=bound, failure=failure).low)
        fails = two_bins(Fraction(epsilon), bound, fold, radius)  # bins of width 2
        yield At({"n": fold, "epsilon": epsilon, "D": bound, "failure": failure}, fails, Fraction(failure) / 2)


def _exact_constant() -> Iterator[At]:
    """All rewards in one bin: the error is the noise alone."""
    for fold, epsilon, bins, failure in itertools.product((1, 1000), ("0.01", "1", "10"), (1, 8, 1000), ("1/1000", "1/20", "9/10")):
        radius = Fraction(central_radii.PADDED_BIN_ERROR.at(fold_samples=fold, epsilon=epsilon, bins=bins, failure=failure).low)
        scale = Fraction(central_mean.bin_noise_scale(fold, float(Fraction(epsilon))))
        fails = 1 - (1 - (exp(-radius / scale) if radius < 460 * scale else 0)) ** bins
        yield At({"n": fold, "epsilon": epsilon, "N": bins, "failure": failure}, fails, Fraction(failure) / 2)


EXACT_HISTOGRAM = (
    Audit(
        central.BIN_ERROR.id,
        "points.two_bins",
        "half of the rewards in each of two bins, exactly",
        Pointwise(_exact_histogram, "n 1, 10, 60, epsilon 1/10, 1, 10, D 4, 20, r 2, failure 1/20, 9/10", "failure"),
    ),
    Audit(
        central_radii.PADDED_BIN_ERROR.id,
        "points.one_bin",
        "all rewards in one bin, exactly",
        Pointwise(_exact_constant, "n 1, 1000, epsilon 1/100, 1, 10, N 1, 8, 1000, failure 1/1000, 1/20, 9/10", "failure"),
    ),
)

# --- the winning bin --------------------------------------------------------------------------------------------------------------------

CLEAN_WIDTH, FAILURE = central_mean.clean_bin_width(2.0), 0.02


@dataclass(frozen=True)
class Setup:
    """The estimate with the parameters of Corollary 6.6 or 6.8 at the least fold that it asks for, k = 2, epsilon 1."""

    mechanism: PrivateCentralMean
    fold: int
    radius: float
    failure: float = FAILURE

    @property
    def two_bins(self) -> float:
        return 2.0 * self.mechanism.bin_width


def setup(bound: float, pad: bool, contamination: float = 0.0, failure: float = FAILURE, epsilon: float = 1.0) -> Setup:
    if contamination:
        width, constant_ = central_mean.bin_width(contamination, 2.0), central_mean.bin_constant(central_mean.CONTAMINATED_MASS)
        if pad:
            number = central_mean.bins(bound, width, pad=True)
            needed = central_mean.padded_sample_requirement(
                epsilon, bins=number, contamination=contamination, failure=failure, bin_constant=constant_
            )
        else:
            needed = central_mean.sample_requirement(
                epsilon, range=bound, contamination=contamination, failure=failure, bin_constant=constant_
            )
        fold = math.ceil(needed)
        size = central_mean.truncation(fold, epsilon, moment=2.0, failure=failure, contamination=contamination)
        radius = central_mean.assembled_radius(
            fold, epsilon, moment=2.0, failure=failure, contamination=contamination, truncation=size, bin_width=width
        )
    else:
        width = CLEAN_WIDTH
        if pad:
            needed = central_mean.clean_padded_sample_requirement(epsilon, bins=central_mean.bins(bound, width, pad=True), failure=failure)
        else:
            needed = central_mean.clean_sample_requirement(epsilon, range=bound, failure=failure)
        fold = math.ceil(needed)
        size = central_mean.clean_truncation(fold, epsilon, moment=2.0, failure=failure)
        radius = central_mean.clean_assembled_radius(fold, epsilon, moment=2.0, failure=failure, truncation=size, bin_width=width)
    return Setup(PrivateCentralMean(epsilon, bound, width, size, pad), fold, radius, failure)


def far_winner(of: Setup) -> Callable[[Values, int, np.random.Generator], Bools]:
    """Whether the winning bin begins farther than 2 r from the mean. Draws."""

    def fails(distribution: Values, runs: int, rng: np.random.Generator) -> Bools:
        centres, _ = distribution.releases(of.mechanism, of.fold, runs, rng)
        return np.asarray(np.abs(centres - distribution.mean) > of.two_bins * (1.0 + 1e-12))

    return fails


def _means(bound: float, width: float, pad: bool) -> tuple[float, ...]:
    return grid(bound, 0.0 if pad else width)


def mixed_distributions(distribution: Values, of: Setup, alpha: float) -> tuple[Values, ...]:
    """Outliers at both ends of what is kept around the mean's bin, just beyond, and all in the last bin."""
    low = central_mean.first_bin(of.mechanism.range, of.mechanism.bin_width, pad=of.mechanism.pad)
    end = low + math.floor((distribution.mean - low) / of.mechanism.bin_width) * of.mechanism.bin_width
    size = of.mechanism.truncation
    places = (end + size * (1.0 - 1e-9), end - size * (1.0 - 1e-9), end + 1.001 * size, of.mechanism.range - 0.01)
    return tuple(distribution.mixed(alpha, place) for place in places)


def all_distributions(of: Setup, alpha: float) -> tuple[Values, ...]:
    width, bound = of.mechanism.bin_width, of.mechanism.range
    clean = [distribution for mean in _means(bound, width, of.mechanism.pad) for distribution in distributions_at(mean, width)]
    return tuple(clean if not alpha else (each for distribution in clean for each in mixed_distributions(distribution, of, alpha)))


# In multiples of r: whole, and such that 2 D/r is no whole number
_RANGES = (("2 r", 2.0), ("2.6 r", 2.6), ("10.3 r", 10.3))
CHOICES = (
    *((shown, times, pad, alpha) for alpha in (0.0, 0.1) for pad in (True, False) for shown, times in _RANGES),
    ("10.3 r", 10.3, True, 0.13),
)


def width_at(alpha: float) -> float:
    return central_mean.bin_width(alpha, 2.0) if alpha else CLEAN_WIDTH


def named(times: float, pad: bool, alpha: float) -> str:
    """A choice as slugs name it, the range in multiples of r."""
    return f"{'padded' if pad else 'unpadded'}_{swept(range=f'{times:g}r', alpha=alpha)}"


def winning_bin(of: Setup, alpha: float = 0.0) -> Stated:
    """The theorem about the winning bin, for the means of the distributions. Half of the failure probability is enough."""
    known = {"moment": 2, "true_contamination": alpha, "failure": of.failure, "fold_samples": of.fold}
    return Stated.of(central_radii.INITIAL_DISTANCE, of.mechanism, part=0.5, **known)


def _drawn_winner(shown: str, times: float, pad: bool, alpha: float) -> Audit:
    of = setup(times * width_at(alpha), pad, alpha)
    stated = winning_bin(of, alpha)
    where = "means over all of [-D, D]" if pad else "means r inside [-D, D]"
    return Audit(
        stated.theorem.id,
        f"coverage.{named(times, pad, alpha)}",
        f"PrivateCentralMean(epsilon=1.0, pad={pad}), D = {shown}, {where}, contamination {alpha}",
        Coverage(
            any_of(all_distributions(of, alpha), far_winner(of)),
            stated,
            rule="the winning bin begins farther than 2 r from the inliers' mean, at the fold that the algorithm requires",
            must_detect_ratio=1.25,
            runs=60_000,
            parameters={"range": shown, "pad": pad, "contamination": alpha, "fold": stated["fold_samples"], "failure": stated["failure"]},
        ),
    )


WINNER = tuple(_drawn_winner(*choice) for choice in CHOICES)


def chance_of_far_winner(of: Setup, mean: float) -> float:
    """P(|J - mean| > 2 r) for rewards that are all at the mean, by the closed form of the largest of noisy frequencies."""
    mechanism = of.mechanism
    low, width = central_mean.first_bin(mechanism.range, mechanism.bin_width, pad=mechanism.pad), mechanism.bin_width
    number = central_mean.bins(mechanism.range, width, pad=mechanism.pad)
    counts = central_mean.histogram([mean], low=low, bin_width=width, bins=number).astype(float).tolist()
    scale = central_mean.bin_noise_scale(of.fold, mechanism.epsilon)
    far = (place for place in range(number) if abs(low + place * width - mean) > of.two_bins * (1.0 + 1e-12))
    return sum(largest_probability(counts, place, scale=scale) for place in far)


def exact_winners(of_fold: Callable[[Setup], int], pads: tuple[bool, ...]) -> Callable[[], Iterator[At]]:
    """At a number of rewards in a fold, over means and ranges; the probability must be below failure/2."""

    def points() -> Iterator[At]:
        for (shown, times), pad in itertools.product(_RANGES, pads):
            of = setup(times * CLEAN_WIDTH, pad)
            smaller = replace(of, fold=of_fold(of))
            for mean in _means(of.mechanism.range, CLEAN_WIDTH, pad):
                value = Fraction(chance_of_far_winner(smaller, mean))
                yield At({"D": shown, "mean/D": round(mean / of.mechanism.range, 3), "pad": pad}, value, Fraction(FAILURE) / 2)

    return points


EXACT_WINNER = Audit(
    central_radii.INITIAL_DISTANCE.id,
    "points.rewards_at_mean",
    "PrivateCentralMean on rewards at the mean, in closed form",
    Pointwise(
        exact_winners(lambda of: of.fold, (True, False)),
        "D 2 r, 2.6 r, 10.3 r, 11 means from end to end with bins beyond, from r inside without",
        "failure",
    ),
)

# At the counterexample of the theory's finding, with the algorithm's own release: a second way.
_ERRATUM = PrivateCentralMean(1.0, 20.0, 4.0, 16.0)


PRINTED_AT_THE_END = Stated.of(
    central_radii.INITIAL_DISTANCE.as_printed(),
    _ERRATUM,
    mean_size=20.0,
    moment=2,
    true_contamination=0,
    failure=0.05,
    fold_samples=100_000,
)


def outside_at_the_end(pad: bool) -> Fails:
    mechanism = replace(_ERRATUM, pad=pad)
    data = np.full(2 * PRINTED_AT_THE_END["fold_samples"], PRINTED_AT_THE_END["mean_size"])
    return lambda runs, rng: np.abs(mechanism.release(data, runs, rng)[:, 0] - mechanism.range) > 2.0 * mechanism.bin_width


AT_THE_END = tuple(
    Audit(
        PRINTED_AT_THE_END.theorem.id,
        f"coverage.{slug}_at_end",
        f"{shown} on rewards that are all D = 20, r 4",
        Coverage(outside_at_the_end(pad), PRINTED_AT_THE_END, "the winning bin begins farther than 2 r from the mean", 1.5, runs=4_000),
        expected=expected,
    )
    for slug, pad, shown, expected in (
        ("unpadded", False, "as printed, PrivateCentralMean(pad=False)", Verdict.REFUTED),
        ("padded", True, "PrivateCentralMean(pad=True)", None),
    )
)
