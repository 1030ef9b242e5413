"""wu_2023: the central mean as it is shipped, beside the sheet's formulas and plain loops: releases, neighbours, every parameter.

Releases are replayed from an equal generator, with rewards beyond the truncation and outside all bins, at their ends, and infinite.
"""

import math
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.estimators import central_mean
from banditproof.algorithms.estimators.central_mean import PrivateCentralMean
from banditproof.audits.common.beside import beside
from banditproof.audits.common.releases import described, equal, guaranteed, refusals, replayed
from banditproof.audits.methods.pointwise import At
from banditproof.audits.papers.wu_2023.cases.means import Numbers, kept_mean, rewards_around
from banditproof.guarantees import NeighbouringRelation, PureDP
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours

RECORDS = NeighbouringRelation.REPLACE_RECORD


def counted(rewards: Numbers, low: float, width: float, bins: int) -> list[int]:
    """How many rewards lie in each of the bins [low + j r, low + (j + 1) r)."""
    return [sum(low + j * width <= reward < low + (j + 1) * width for reward in rewards) for j in range(bins)]


# Ends of bins are sums of powers of two.
HISTOGRAMS = tuple((*each, pad) for each in ((2.0, 0.5, 1.0), (2.25, 1.0, 0.75), (7.0, 1.75, 4.0)) for pad in (False, True))


def histogram_of(half_range: float, width: float, pad: bool) -> tuple[float, int]:
    """Left end of the first bin, and how many: as many as reach D, and one more on each side with `pad`."""
    number = 1
    while -half_range + number * width < half_range:
        number += 1
    return (-half_range - width, number + 2) if pad else (-half_range, number)


def central_releases() -> Iterator[At]:
    """The bin with the largest noisy frequency of the first half, and the mean of the second half around its left end, with noise."""
    for epsilon, (half_range, width, size, pad) in product((0.5, 3.0), HISTOGRAMS):
        mechanism = PrivateCentralMean(epsilon, half_range, width, size, pad)
        low, bins = histogram_of(half_range, width, pad)
        last = low + bins * width
        yield guaranteed(mechanism, PureDP(epsilon, RECORDS))
        yield At({"epsilon": epsilon, "compared": "stated"}, int(mechanism.accuracy_is_stated() != (epsilon <= 1.0)), 0)
        for rewards in (
            (0.0, 0.1),
            (low, low - 1e-9, last, last - 1e-9, low + width, math.inf, 0.3, low + size, low - size, low + 1.01 * size, -math.inf, last),
            (0.1, 0.2, -0.7, 0.1, 0.3, -0.4, 1.1, 0.2),
        ):
            half = len(rewards) // 2
            shares = [each / half for each in counted(rewards[:half], low, width, bins)]
            yield equal({"rewards": rewards, "compared": "frequencies"}, mechanism.bin_frequencies(rewards), shares)
            yield from replayed(mechanism, rewards, partial(_central_release, mechanism, rewards[half:], shares, low), runs=8)
        bad: dict[str, Any] = {"odd": [1.0, 2.0, 3.0], "nan": [1.0, math.nan], "none": [], "a matrix": [[1.0, 1.0]] * 2}
        yield from refusals({name: partial(mechanism.release, data, 1, np.random.default_rng(0)) for name, data in bad.items()})


def _central_release(
    mechanism: PrivateCentralMean, second: Numbers, shares: list[float], low: float, rng: np.random.Generator, runs: int
) -> Floats:
    count, level, size = len(second), mechanism.epsilon, mechanism.truncation
    noisy = np.array(shares) + 2.0 / (count * level) * rng.laplace(size=(runs, len(shares)))
    noise = 2.0 * size / (count * level) * rng.laplace(size=runs)
    chosen = [max(range(len(shares)), key=lambda place: row[place]) for row in noisy]
    centres = [low + place * mechanism.bin_width for place in chosen]
    return np.array([[centre, kept_mean(second, centre, size) + noise[run]] for run, centre in enumerate(centres)])


def central_neighbours() -> Iterator[At]:
    """A reward that changes its bin, one on either side of the first bin at distance M or beyond, and a longer pair of both folds."""
    for half_range, width, size, pad in HISTOGRAMS:
        low, bins = histogram_of(half_range, width, pad)
        above = math.nextafter(size, math.inf)
        first, last = low + width / 2.0, low + (bins - 1) * width + width / 2.0
        pairs = (
            ((first, first), (last, first)),
            ((first, low + size), (first, low - size)),
            ((first, low + above), (first, low - size)),
            ((first, first, last, first, first, low), (first, last, last, first, first, low)),
        )
        reach = 5.0 * (half_range + width + size) / 4.0
        yield from described(
            PrivateCentralMean(1.0, half_range, width, size, pad),
            Neighbours(RECORDS, low=-reach, high=reach, lengths=(4, 4), worst=pairs),
        )


def histograms() -> Iterator[At]:
    """Counts, numbers and ends of bins, and the mean around a centre; ends belong to the bin on their right."""
    for half_range, width, size, pad in (*HISTOGRAMS, (1e3, 1.0, 2.0, False)):
        low, bins = histogram_of(half_range, width, pad)
        where = {"D": half_range, "r": width, "pad": pad}
        yield equal({**where, "compared": "N"}, central_mean.bins(half_range, width, pad=pad), bins)
        yield equal({**where, "compared": "low"}, central_mean.first_bin(half_range, width, pad=pad), low)
        rewards = (low, low + width, low + 1.5 * width, low - width / 4.0, low + bins * width, low + (bins - 0.25) * width, math.inf, -1e9)
        for n in (1, 2, bins):
            shipped = central_mean.histogram(rewards, low=low, bin_width=width, bins=n)
            yield equal({**where, "bins": n}, shipped, counted(rewards, low, width, n))
        for centre, (first, *_) in product((0.0, 1.5, -3.0), rewards_around(size)):
            own = (centre + first, centre, centre - size / 2.0)
            yield equal({**where, "own": own}, central_mean.centred_mean(own, centre, truncation=size), kept_mean(own, centre, size))
    yield equal({"compared": "default"}, (central_mean.bins(3.0, 1.0), central_mean.first_bin(3.0, 1.0)), (6, -3.0))
    bins_of, mean_of = partial(central_mean.histogram, low=0.0, bin_width=1.0, bins=2), partial(central_mean.centred_mean, truncation=1.0)
    for name, values in (("nan", [1.0, math.nan]), ("none", [])):
        yield from refusals({f"bins of {name}": partial(bins_of, values), f"mean of {name}": partial(mean_of, values, 0.0)})
    kept = PrivateCentralMean(1.0, 5e7, 1.0, 1.0)  # 10^8 bins, as many as are held
    yield equal({"compared": "most bins"}, central_mean.bins(kept.range, kept.bin_width), 1e8)
    yield from refusals({"one bin more": partial(PrivateCentralMean, 1.0, 5e7 + 0.5, 1.0, 1.0)})
    ranges: dict[str, Any] = {"narrow": partial(central_mean.bins, 1.99, 1.0), "endless": partial(central_mean.first_bin, math.inf, 1.0)}
    yield from refusals(ranges)


def widths() -> Iterator[At]:
    """Bin widths, the mass outside three bins, the constant of the samples, and admissible ranges."""
    for alpha, k in product((0.0, 0.01, 0.1, 0.2), (2.0, 3.5, 6.0)):
        iota = (1.0 - alpha) / (0.249 - alpha)
        where = {"alpha": alpha, "k": k}
        yield equal({**where, "compared": "iota"}, central_mean.inverse_mass(alpha), iota)
        yield equal({**where, "compared": "r"}, central_mean.bin_width(alpha, k) ** k, iota)
        yield equal({**where, "compared": "clean r"}, central_mean.clean_bin_width(k) ** k, 10.0)
        # At that width C_2 is 0.249.
        yield equal({**where, "compared": "C_2"}, central_mean.outside_mass(alpha, k, bin_width=iota ** (1.0 / k)), 0.249)
        yield equal({**where, "compared": "C_2 at 3"}, central_mean.outside_mass(alpha, k, bin_width=3.0), alpha + (1.0 - alpha) / 3.0**k)
    for mass in (0.0, 0.1, 0.2, 0.249):
        constant, room = central_mean.bin_constant(mass), 1.0 - 4.0 * mass
        # The least c at which 6 C_1 + 4 C_2 <= 1 for n epsilon = c log(.), at epsilon = 1, where it is hardest: an equality.
        yield equal({"C_2": mass}, 6.0 * max(math.sqrt(2.0 / constant), 4.0 / constant) / room, 1.0)
    for width, half in product((0.1, 0.5, 0.7, 3.0), (0.0, 0.9, 1.3, 6.5)):
        least = 2.0 * width if 2.0 * width > 1.0 else 1.0
        yield equal({"r": width, "compared": "least D"}, central_mean.least_range(width), least)
        yield equal(
            {"r": width, "half": half, "compared": "D"}, central_mean.admissible_range(half, width), half if half > least else least
        )


# n, epsilon, k, delta, alpha_1, M, r, D
CENTRAL = tuple(
    product((1, 40, 10**5), (0.2, 1.0), (2.0, 3.5), (0.01, 1.0 - 1e-12), (0.003, 0.133), (0.7, 9.0), ((0.6, 2.5), (3.0, 300.0)))
)


def central_parameters() -> Iterator[At]:
    """The formulas of Theorem 6.5 and Corollaries 6.6 and 6.8, with L = ln 16 - ln delta and N bins."""
    for n, epsilon, k, delta, alpha, size, (width, half) in CENTRAL:
        l1 = -math.log1p(-(1.0 - delta)) if delta > 0.9 else -math.log(delta)
        l8, l16, bins = math.log(8) - math.log(delta), math.log(16) - math.log(delta), n % 7 + 3
        ends = {"range": math.log(16.0 * half) - math.log(delta), "bins": math.log(6.0 * bins) - math.log(delta)}
        where = {"n": n, "epsilon": epsilon, "k": k, "delta": delta, "alpha_1": alpha, "M": size, "r": width, "D": half}
        told: dict[str, Any] = {"moment": k, "failure": delta}
        private = 4.0 * (n * epsilon / l1) ** (1.0 / k)
        share = alpha + (2.0 * alpha * l16 / n) ** 0.5 + 2.0 * l16 / (3.0 * n)
        outliers, tail = share * (size + 2.0 * width), 2.0 / size
        clean = (2.0 * l16 / n) ** 0.5 + 4.0 * (size + 2.0 * width) * l16 / (3.0 * n) + tail ** (k - 1.0)
        clean += 2.0 * width * (tail**k + (l16 / (2.0 * n)) ** 0.5) + 2.0 * size * l8 / (n * epsilon)
        sizes: dict[str, Any] = {"truncation": size, "bin_width": width}
        asked: dict[str, Any] = {"contamination": alpha, "failure": delta, "bin_constant": 50.0}
        pairs = {
            "bin scale": (central_mean.bin_noise_scale(n, epsilon), 2.0 / (n * epsilon)),
            "clean M": (central_mean.clean_truncation(n, epsilon, **told), private),
            "M": (central_mean.truncation(n, epsilon, contamination=alpha, **told), min(private, 4.0 * alpha ** (-1.0 / k))),
            "T_1": (central_mean.outlier_sum(n, contamination=alpha, failure=delta, **sizes), outliers),
            "clean radius": (central_mean.clean_assembled_radius(n, epsilon, **told, **sizes), clean),
            "radius": (
                central_mean.assembled_radius(n, epsilon, contamination=alpha, **told, **sizes),
                clean + 2.0 * outliers + 2.0 * width * alpha,
            ),
        }
        for name, term in ends.items():
            end: dict[str, Any] = {name: half if name == "range" else bins}
            errors = central_mean.bin_error if name == "range" else central_mean.padded_bin_error
            needed = central_mean.sample_requirement if name == "range" else central_mean.padded_sample_requirement
            clean_needed = central_mean.clean_sample_requirement if name == "range" else central_mean.clean_padded_sample_requirement
            pairs[f"C_1 by {name}"] = (errors(n, epsilon, failure=delta, **end), max((2.0 * term / n) ** 0.5, 4.0 * term / (n * epsilon)))
            pairs[f"clean samples by {name}"] = (clean_needed(epsilon, failure=delta, **end), 200.0 * term / epsilon)
            for true in (None, 0.0, alpha / 2.0):
                iota = (1.0 - (alpha if true is None else true)) / (0.249 - (alpha if true is None else true))
                least = max(iota * l1 / epsilon, 50.0 * term / epsilon, l16 / alpha**2)
                pairs[f"samples by {name} at {true}"] = (needed(epsilon, true_contamination=true, **asked, **end), least)
        for name, (value, expected) in pairs.items():
            yield equal({**where, "compared": name}, value, expected)


def samples_by_each_term() -> Iterator[At]:
    """Each of the three terms of the samples where it is the largest, iota at alpha_1 or at the true fraction; 7 = D, 9 bins."""
    for epsilon, delta, alpha, true, constant, largest in (
        (0.01, 1e-9, 0.133, None, 0.1, (0.867 / 0.116 * math.log(1e9) / 0.01,) * 2),
        (0.01, 1e-9, 0.133, 0.049, 0.1, (0.951 / 0.2 * math.log(1e9) / 0.01,) * 2),
        (0.01, 0.5, 0.1, None, 900.0, (900.0 * math.log(224.0) / 0.01, 900.0 * math.log(108.0) / 0.01)),
        (1.0, 0.5, 1e-6, 0.0, 900.0, (math.log(32.0) * 1e12,) * 2),
    ):
        told: dict[str, Any] = {"contamination": alpha, "failure": delta, "bin_constant": constant, "true_contamination": true}
        found = (
            central_mean.sample_requirement(epsilon, range=7.0, **told),
            central_mean.padded_sample_requirement(epsilon, bins=9, **told),
        )
        yield equal({"epsilon": epsilon, "delta": delta, "alpha_1": alpha, "alpha": true}, found, largest)


REPLAYED = tuple(
    beside(f"wu_2023.{theorem}", slug, words, points, domain)
    for theorem, slug, words, points, domain in (
        ("histogram_scale", "releases_replayed", "PrivateCentralMean, releases", central_releases, "12 settings"),
        ("histogram_scale", "neighbours_listed", "PrivateCentralMean, neighbours", central_neighbours, "6 settings"),
        ("histogram_sensitivity", "bins_counted", "central_mean, bins and means around them", histograms, "7 settings"),
        ("inverse_mass", "widths_computed", "central_mean, widths and ranges", widths, "listed"),
        ("central_radius_assembled", "parameters_computed", "central_mean, every parameter", central_parameters, "96 settings"),
        ("central_samples", "largest_terms", "central_mean, each term of the samples", samples_by_each_term, "3 settings"),
    )
)
