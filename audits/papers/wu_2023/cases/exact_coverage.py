"""wu_2023: coverage of every radius of the truncated mean on small batches, by exact sums; published forms at their counterexamples.

Extremal distributions of the raw moment class have a value v with probability v^-k, else 0. With v = M nothing is cut and the mean is as
noisy as it can be; with v just above M all of the mean is cut. Outliers sit at M, at -M, or beyond (where they count as 0).

The failure of a release that is a sum of counts is a sum over the counts of tails of Laplace noise: exact, to 50 digits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import beyond, binomial_weights, fraction, power
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import raw

# --- distributions ------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Release:
    """n rewards: `value` with probability `proportion`, else 0; a share `alpha` of them replaced by `outlier`; truncation, noise scale."""

    samples: int
    value: Fraction
    proportion: Fraction
    truncation: Fraction
    scale: Fraction
    alpha: Fraction = Fraction(0)
    outlier: Fraction = Fraction(0)

    @property
    def mean(self) -> Fraction:
        """The mean of the inliers."""
        return self.value * self.proportion

    def failure(self, radius: Fraction) -> Fraction:
        """P(|release - mean of the inliers| > radius)."""
        value = self.value if abs(self.value) <= self.truncation else Fraction(0)
        outlier = self.outlier if abs(self.outlier) <= self.truncation else Fraction(0)
        total = Fraction(0)
        weights: dict[Fraction, Fraction] = {}  # by the centre of the noise, which several counts have in common
        for outliers, weight in enumerate(binomial_weights(self.samples, self.alpha)) if self.alpha else [(0, Fraction(1))]:
            for hits, hit_weight in enumerate(binomial_weights(self.samples - outliers, self.proportion)):
                both = _product(weight, hit_weight)
                if both > NEGLIGIBLE:
                    centre = (hits * value + outliers * outlier) / self.samples - self.mean
                    weights[centre] = weights.get(centre, Fraction(0)) + both
                else:
                    total += both  # counted as failing
        return total + sum(weight * beyond(centre, self.scale, radius) for centre, weight in weights.items())


def _product(one: Fraction, two: Fraction) -> Fraction:
    """Rounded up to 40 digits, so that sums stay short; a quotient of integers, since the exact product has too many digits to reduce."""
    return Fraction(-(-one.numerator * two.numerator * 10**40 // (one.denominator * two.denominator)), 10**40)


NEGLIGIBLE = Fraction(1, 10**12)


def unit_distribution(value: Fraction, moment: Fraction) -> Fraction:
    """The share of the value with a moment of 1; 1 for values below 1, which have a smaller one."""
    return min(Fraction(1), power(value, -moment).limit_denominator(10**6))


def _values(truncation: Fraction, moment: Fraction) -> tuple[tuple[str, Fraction], ...]:
    return (
        ("v = M", truncation),
        ("v above M", truncation * Fraction(1001, 1000)),
        ("v = 4 M", 4 * truncation),
        ("v = 1", Fraction(1)),
    )


# --- exact: one release -----------------------------------------------------------------------------------------------------------------

Radius = Callable[[dict[str, Any]], Fraction]


def stated(theorem: Theorem) -> Radius:
    """The radius of a statement, rounded down, so that no failure is missed."""
    return lambda values: Fraction(theorem.at(**{name: values[name] for name in _names(theorem)}).low)


def _names(theorem: Theorem) -> list[str]:
    return [quantity.name for quantity in theorem.bound.given] if theorem.bound else []


def releases(
    radius: Radius, truncations: tuple[Fraction | None, ...], contamination: Fraction, samples: tuple[int, ...], epsilons: tuple[str, ...]
) -> Callable[[], Iterator[At]]:
    """Failures on all distributions, at truncations that are multiples of the statement's own (None: its own alone)."""

    def points() -> Iterator[At]:
        for count, epsilon, moment, failure, multiple in product(
            samples, map(Fraction, epsilons), (Fraction(2), Fraction(4)), (Fraction(1, 10), Fraction(1, 2)), truncations
        ):
            values: dict[str, Any] = {"samples": count, "epsilon": epsilon, "moment": moment, "failure": failure}
            if contamination:
                values["contamination"] = contamination
                own = raw.RAW_TRUNCATION.at(**values).ball
            else:
                own = raw.CLEAN_TRUNCATION_REPAIRED.at(**values).ball
            size = (fraction(own) * (multiple or 1)).limit_denominator(10**9)
            values["truncation"] = size
            scale, claimed = 2 * size / (count * epsilon), radius(values)
            outliers = (size, -size, 2 * size) if contamination else (Fraction(0),)
            for (name, value), outlier in product(_values(size, moment), outliers):
                release = Release(count, value, unit_distribution(value, moment), size, scale, contamination, outlier)
                where = {"n": count, "epsilon": epsilon, "k": moment, "failure": failure, "distribution": name, "M": float(size)}
                yield At({**where, "outliers at": float(outlier)}, release.failure(claimed), failure)

    return points


_OWN: tuple[Fraction | None, ...] = (None,)
_ANY: tuple[Fraction | None, ...] = (Fraction(1, 2), Fraction(3))
_DISTRIBUTIONS = "v with probability v^-k, else 0, v = 1, M, just above M, 4 M; k = 2, 4; failure 1/10, 1/2"
_OUTLIERS = f"{_DISTRIBUTIONS}; a fifth outliers at M, -M, 2 M"
_FIFTH, _CLEAN = Fraction(1, 5), Fraction(0)
EXACT = (
    Audit(
        raw.CLEAN_RADIUS.id,
        "points.two_point",
        "PrivateTruncatedMean on two-point distributions, exactly",
        Pointwise(releases(stated(raw.CLEAN_RADIUS), _OWN, _CLEAN, (1, 4, 40), ("0.3", "1", "10", "300")), _DISTRIBUTIONS, "failure"),
    ),
    Audit(
        raw.CLEAN_RADIUS_BEFORE_MERGE.id,
        "points.two_point",
        "PrivateTruncatedMean on two-point distributions, exactly",
        Pointwise(releases(stated(raw.CLEAN_RADIUS_BEFORE_MERGE), _ANY, _CLEAN, (1, 4, 40), ("0.3", "10")), _DISTRIBUTIONS, "failure"),
    ),
    Audit(
        raw.RAW_RADIUS.id,
        "points.two_point_contaminated",
        "PrivateTruncatedMean on contaminated two-point distributions, exactly",
        Pointwise(releases(stated(raw.RAW_RADIUS), _OWN, _FIFTH, (22,), ("0.3", "1000")), f"n = 22; {_OUTLIERS}", "failure"),
    ),
    Audit(
        raw.RAW_RADIUS_BEFORE_MERGE.id,
        "points.two_point_contaminated",
        "PrivateTruncatedMean on contaminated two-point distributions, exactly",
        Pointwise(releases(stated(raw.RAW_RADIUS_BEFORE_MERGE), _ANY, _FIFTH, (22,), ("1",)), f"n = 22; {_OUTLIERS}", "failure"),
    ),
    Audit(
        raw.RAW_RADIUS_ASSEMBLED.id,
        "points.two_point_contaminated",
        "PrivateTruncatedMean on contaminated two-point distributions, exactly",
        Pointwise(
            releases(stated(raw.RAW_RADIUS_ASSEMBLED), _ANY, _FIFTH, (1, 3, 10), ("1", "10")), f"n = 1, 3, 10; {_OUTLIERS}", "failure"
        ),
    ),
)


# --- the published forms, at their counterexamples -------------------------------------------------------------------------------------


def _at_counterexample(theorem: Theorem, value: int, proportion: str, samples: int) -> Pointwise:
    """The printed radius on the distribution of the counterexample: `value` with probability `proportion`, else 0."""

    def points() -> Iterator[At]:
        given = theorem.counterexample()
        epsilon, moment, failure = Fraction(given["epsilon"]), Fraction(given["moment"]), Fraction(given["failure"])
        size = fraction(raw.CLEAN_TRUNCATION.at(samples=samples, epsilon=epsilon, moment=moment, failure=failure).ball)
        radius = Fraction(theorem.as_printed().at(**given).low)
        release = Release(samples, Fraction(value), Fraction(proportion), size, 2 * size / (samples * epsilon))
        yield At({**given, "n": samples, "v": value, "p": proportion, "radius": float(radius)}, release.failure(radius), failure)

    return Pointwise(points, f"the counterexample to the published form of {theorem.id}", "failure")


PRINTED = (
    Audit(
        raw.CLEAN_RADIUS.id,
        "points.as_printed_v4_p1over16_eps300",
        "as printed, 4 with probability 1/16, epsilon 300",
        _at_counterexample(raw.CLEAN_RADIUS, 4, "1/16", 1),
        expected=Verdict.REFUTED,
    ),
)
