"""wu_2023: coverage of every radius of the truncated mean, by exact sums on small batches and by draws on larger ones.

Extremal laws of the raw moment class have a value v with probability v^-k, else 0. With v = M nothing is cut and the mean is as noisy as it
can be; with v just above M all of the mean is cut. Outliers sit at M, at -M, or beyond (where they count as 0).

The failure of a release that is a sum of counts is a sum over the counts of tails of Laplace noise: exact, to 50 digits.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.estimators.truncated_mean import PrivateTruncatedMean
from banditproof.algorithms.policies.elimination import robust as robust_elimination
from banditproof.audits.evidence import Verdict
from banditproof.audits.methods.coverage import Bools, Coverage, Fails, binomial_weights
from banditproof.audits.methods.growth_rate import GrowthRate
from banditproof.audits.methods.pointwise import At, Pointwise, exp, fraction, power
from banditproof.audits.registry import Audit
from banditproof.glossary import SAMPLES
from banditproof.interaction import Floats
from banditproof.theory.language import Theorem
from banditproof.theory.papers.wu_2023 import elimination, raw
from banditproof.theory.papers.wu_2023.setting import at_moment

# --- laws -------------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Release:
    """n rewards: `value` with probability `share`, else 0; a share `alpha` of them replaced by `outlier`; truncation, noise scale."""

    samples: int
    value: Fraction
    share: Fraction
    truncation: Fraction
    scale: Fraction
    alpha: Fraction = Fraction(0)
    outlier: Fraction = Fraction(0)

    @property
    def mean(self) -> Fraction:
        """The inliers'."""
        return self.value * self.share

    def failure(self, radius: Fraction) -> Fraction:
        """P(|release - mean of the inliers| > radius)."""
        value = self.value if abs(self.value) <= self.truncation else Fraction(0)
        outlier = self.outlier if abs(self.outlier) <= self.truncation else Fraction(0)
        total = Fraction(0)
        for outliers, weight in enumerate(binomial_weights(self.samples, self.alpha)) if self.alpha else [(0, Fraction(1))]:
            for hits, hit_weight in enumerate(binomial_weights(self.samples - outliers, self.share)):
                both = _up(weight * hit_weight)
                if both > NEGLIGIBLE:
                    centre = (hits * value + outliers * outlier) / self.samples - self.mean
                    total += both * beyond(centre, self.scale, radius)
                else:
                    total += both  # counted as failing
        return total


def _up(weight: Fraction) -> Fraction:
    """Rounded up to 40 digits, so that sums stay short."""
    return Fraction(math.ceil(weight * 10**40), 10**40)


NEGLIGIBLE = Fraction(1, 10**12)


def beyond(centre: Fraction, scale: Fraction, radius: Fraction) -> Fraction:
    """P(|centre + Laplace noise| > radius)."""
    size = abs(centre)
    far, near = _tail(size + radius, scale), _tail(abs(radius - size), scale)
    return (near if size <= radius else 1 - near) + far


def _tail(distance: Fraction, scale: Fraction) -> Fraction:
    """P(Laplace noise > distance); 0 for less than 1e-200, which has too many digits."""
    return exp(-distance / scale) / 2 if distance < 460 * scale else Fraction(0)


def unit_law(value: Fraction, moment: Fraction) -> Fraction:
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
    """Failures on all laws, at truncations that are multiples of the statement's own (None: its own alone)."""

    def points() -> Iterator[At]:
        for count, epsilon, moment, failure, multiple in product(
            samples, map(Fraction, epsilons), (Fraction(2), Fraction(4)), (Fraction(1, 10), Fraction(1, 2)), truncations
        ):
            values: dict[str, Any] = {"samples": count, "epsilon": epsilon, "moment": moment, "failure": failure}
            if contamination:
                values["contamination"] = contamination
                own = raw.RAW_TRUNCATION.at(**values).ball
            else:
                own = raw.CLEAN_TRUNCATION.at(**values).ball
            size = (fraction(own) * (multiple or 1)).limit_denominator(10**9)
            values["truncation"] = size
            scale = 2 * size / (count * epsilon)
            outliers = (size, -size, 2 * size) if contamination else (Fraction(0),)
            for (name, value), outlier in product(_values(size, moment), outliers):
                release = Release(count, value, unit_law(value, moment), size, scale, contamination, outlier)
                where = {"n": count, "epsilon": epsilon, "k": moment, "failure": failure, "law": name, "M": float(size)}
                yield At({**where, "outliers at": float(outlier)}, release.failure(radius(values)), failure)

    return points


_OWN: tuple[Fraction | None, ...] = (None,)
_ANY: tuple[Fraction | None, ...] = (Fraction(1, 2), Fraction(3))
_LAWS = "v with probability v^-k, else 0, v = 1, M, just above M, 4 M; k = 2, 4; failure 1/10, 1/2"
_OUTLIERS = f"{_LAWS}; a fifth outliers at M, -M, 2 M"
_FIFTH, _CLEAN = Fraction(1, 5), Fraction(0)

EXACT = (
    Audit(
        raw.CLEAN_RADIUS.id,
        "PrivateTruncatedMean on two-point laws, exactly",
        Pointwise(releases(stated(raw.CLEAN_RADIUS), _OWN, _CLEAN, (1, 4, 40), ("0.3", "1", "10", "300")), _LAWS, "failure"),
    ),
    Audit(
        raw.CLEAN_RADIUS_BEFORE_MERGE.id,
        "PrivateTruncatedMean on two-point laws, exactly",
        Pointwise(releases(stated(raw.CLEAN_RADIUS_BEFORE_MERGE), _ANY, _CLEAN, (1, 4, 40), ("0.3", "10")), _LAWS, "failure"),
    ),
    Audit(
        raw.RAW_RADIUS.id,
        "PrivateTruncatedMean on contaminated two-point laws, exactly",
        Pointwise(releases(stated(raw.RAW_RADIUS), _OWN, _FIFTH, (22,), ("0.3", "1000")), f"n = 22; {_OUTLIERS}", "failure"),
    ),
    Audit(
        raw.RAW_RADIUS_BEFORE_MERGE.id,
        "PrivateTruncatedMean on contaminated two-point laws, exactly",
        Pointwise(releases(stated(raw.RAW_RADIUS_BEFORE_MERGE), _ANY, _FIFTH, (22,), ("1",)), f"n = 22; {_OUTLIERS}", "failure"),
    ),
    Audit(
        raw.RAW_RADIUS_ASSEMBLED.id,
        "PrivateTruncatedMean on contaminated two-point laws, exactly",
        Pointwise(
            releases(stated(raw.RAW_RADIUS_ASSEMBLED), _ANY, _FIFTH, (1, 3, 10), ("1", "10")), f"n = 1, 3, 10; {_OUTLIERS}", "failure"
        ),
    ),
)

# --- the errata, at their counterexamples -------------------------------------------------------------------------------------------------


def _at_counterexample(theorem: Theorem, value: int, share: str, samples: int, allowed: Callable[[dict[str, str]], Fraction]) -> Pointwise:
    """The printed radius on the law of the erratum: `value` with probability `share`, else 0."""

    def points() -> Iterator[At]:
        if theorem.erratum is None:
            raise ValueError(f"{theorem.id}: has no erratum")
        given = dict(theorem.erratum.counterexample)
        epsilon, moment, failure = Fraction(given["epsilon"]), Fraction(given["moment"]), allowed(given)
        size = fraction(raw.CLEAN_TRUNCATION.at(samples=samples, epsilon=epsilon, moment=moment, failure=failure).ball)
        radius = Fraction(theorem.as_printed().at(**given).low)
        release = Release(samples, Fraction(value), Fraction(share), size, 2 * size / (samples * epsilon))
        yield At({**given, "n": samples, "v": value, "p": share, "radius": float(radius)}, release.failure(radius), failure)

    return Pointwise(points, f"the counterexample of the erratum of {theorem.id}", "failure")


def _of_one_estimate(given: dict[str, str]) -> Fraction:
    named = {name: given[name] for name in ("active", "epoch", "failure")}
    return fraction(elimination.EPOCH_FAILURE.at(**named).ball).limit_denominator(10**12)


PRINTED = (
    Audit(
        raw.CLEAN_RADIUS.id,
        "as printed, 4 with probability 1/16, epsilon 300",
        _at_counterexample(raw.CLEAN_RADIUS, 4, "1/16", 1, lambda given: Fraction(given["failure"])),
        expected=Verdict.REFUTED,
    ),
    Audit(
        elimination.CLEAN_EPOCH_RADIUS.id,
        "as printed, 6 with probability 1/36, epsilon 400",
        _at_counterexample(elimination.CLEAN_EPOCH_RADIUS, 6, "1/36", 2, _of_one_estimate),
        expected=Verdict.REFUTED,
    ),
)


def outside_printed(runs: int, rng: np.random.Generator) -> Bools:
    """The same counterexample drawn, with the algorithm's release and radius: a second way. Draws."""
    size = truncated_mean.clean_truncation(1, 300.0, moment=2.0, failure=0.05)
    radius = truncated_mean.clean_radius(1, 300.0, moment=2.0, failure=0.05)
    centres = np.where(rng.random(runs) < 1.0 / 16.0, truncated_mean.truncated_mean([4.0], size), 0.0)
    return np.asarray(np.abs(centres + PrivateTruncatedMean(300.0, size).release([0.0], runs, rng)[:, 0] - 0.25) > radius)


PRINTED_DRAWN = (
    Audit(
        raw.CLEAN_RADIUS.id,
        "as printed, 4 with probability 1/16, epsilon 300, drawn",
        Coverage(outside_printed, 0.05, "|release - mean| > the printed radius", 1.2, runs=40_000),
        expected=Verdict.REFUTED,
    ),
)

# --- drawn: one release -------------------------------------------------------------------------------------------------------------------


def estimates(
    samples: int,
    law: Callable[[tuple[int, int], np.random.Generator], Floats],
    mechanism: PrivateTruncatedMean,
    alpha: float,
    outlier: float,
) -> Callable[[int, np.random.Generator], Floats]:
    """Releases of batches of n rewards, a share alpha of them replaced by the outlier, shape (runs,). Draws."""

    def draw(runs: int, rng: np.random.Generator) -> Floats:
        rewards = law((runs, samples), rng)
        if alpha:
            rewards = np.where(rng.random(rewards.shape) < alpha, outlier, rewards)
        kept = np.where(np.abs(rewards) <= mechanism.truncation, rewards, 0.0).mean(axis=1)
        return np.asarray(kept + mechanism.release([0.0] * samples, runs, rng)[:, 0])

    return draw


def two_points(value: float, moment: float) -> Callable[[tuple[int, int], np.random.Generator], Floats]:
    return lambda shape, rng: np.where(rng.random(shape) < math.pow(value, -moment), value, 0.0)


def pareto(shape_of_law: float) -> tuple[float, Callable[[tuple[int, int], np.random.Generator], Floats]]:
    """The mean, and draws, of a Pareto law of this shape (> 2) scaled to a second moment of 1."""
    least = math.sqrt((shape_of_law - 2.0) / shape_of_law)
    mean = shape_of_law * least / (shape_of_law - 1.0)
    return mean, lambda shape, rng: least * np.power(1.0 - rng.random(shape), -1.0 / shape_of_law)


def _drawn(samples: int, epsilon: float, alpha: float, failure: float, name: str) -> Audit:
    if alpha:
        size = truncated_mean.truncation(samples, epsilon, moment=2.0, failure=failure, contamination=alpha)
        radius = truncated_mean.radius(samples, epsilon, moment=2.0, failure=failure, contamination=alpha)
        theorem = raw.RAW_RADIUS
    else:
        size = truncated_mean.clean_truncation(samples, epsilon, moment=2.0, failure=failure)
        radius = truncated_mean.clean_radius(samples, epsilon, moment=2.0, failure=failure)
        theorem = raw.CLEAN_RADIUS
    value = {"v = M": size, "v above M": size * (1.0 + 1e-9), "Pareto(2.1)": 0.0}[name]
    mean, law = (math.pow(value, -1.0), two_points(value, 2.0)) if value else pareto(2.1)
    draw = estimates(samples, law, PrivateTruncatedMean(epsilon, size), alpha, size if name != "v above M" else -size)
    where = {"samples": samples, "epsilon": epsilon, "contamination": alpha, "failure": failure, "law": name}
    return Audit(
        theorem.id,
        f"PrivateTruncatedMean(epsilon={epsilon}), {samples} rewards, contamination {alpha}, {name}",
        Coverage(
            lambda runs, rng: np.abs(draw(runs, rng) - mean) > radius,
            failure,
            rule="|release - mean of the inliers| > radius of the algorithm, outliers at the truncation",
            must_detect_ratio=1.5,
            runs=6_000,
            cell=1_024,
            parameters=where,
        ),
    )


DRAWN = (
    *(_drawn(256, 1.0, 0.0, 0.05, name) for name in ("v = M", "v above M", "Pareto(2.1)")),
    *(_drawn(256, 0.5, 0.05, 0.05, name) for name in ("v = M", "v above M", "Pareto(2.1)")),
)

# --- uniform over epochs ------------------------------------------------------------------------------------------------------------------


def some_epoch(
    radius: Callable[..., float],
    truncation: Callable[..., float],
    epsilon: float,
    contamination: float,
    failure: float,
    first: int,
    last: int,
) -> Fails:
    """Whether, in some epoch from first to last, an estimate of one of two arms misses the radius: more estimates than a run makes, since
    nothing is eliminated. Each epoch's law has the value just above, or at, its truncation. Draws."""

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        failed = np.zeros(runs, dtype=np.bool_)
        for epoch in range(first, last + 1):
            known = {"moment": 2.0, "contamination": contamination, "failure": failure, "active": 2, "epoch": epoch}
            size, width, samples = truncation(epsilon, **known), radius(epsilon, **known), robust_elimination.batch_size(epoch)
            scale = truncated_mean.noise_scale(samples, epsilon, truncation=size)
            share = min(1.0, size**-2.0)
            for kept in (True, False):  # the arms
                outliers = rng.binomial(samples, contamination, runs)
                hits = rng.binomial(samples - outliers, share)
                centre = (size * hits + size * outliers if kept else -size * outliers) / samples
                failed |= np.abs(centre + rng.laplace(0.0, scale, runs) - size * share) > width
        return failed

    return fails


_UNIFORM_FAILURE, _UNIFORM_ALPHA = 0.5, 0.1


def _last_forced() -> int:
    forced = (
        robust_elimination.batch_size(epoch) < robust_elimination.threshold(_UNIFORM_FAILURE, 2, epoch=epoch, contamination=_UNIFORM_ALPHA)
        for epoch in range(1, 40)
    )
    return sum(forced)


UNIFORM = (
    Audit(
        elimination.GOOD_EVENT.id,
        "RobustElimination's radii, 2 arms, epochs after the forced ones to 14",
        Coverage(
            some_epoch(
                robust_elimination.epoch_radius,
                robust_elimination.epoch_truncation,
                1.0,
                _UNIFORM_ALPHA,
                _UNIFORM_FAILURE,
                _last_forced() + 1,
                14,
            ),
            lambda: elimination.GOOD_EVENT.at(failure=Fraction(_UNIFORM_FAILURE), last_forced=_last_forced()).bound,
            rule="in some epoch |release - mean of the inliers| > the epoch's radius of the algorithm, for one of two arms",
            must_detect_ratio=1.25,
            runs=20_000,
            parameters={"failure": _UNIFORM_FAILURE, "contamination": _UNIFORM_ALPHA},
        ),
    ),
)

# --- rates of the printed concentration --------------------------------------------------------------------------------------------------


def errors_at_own_truncation(contamination: float, outlier: float) -> Callable[[int], Callable[[int, np.random.Generator], Floats]]:
    """|release - mean| on a two-point law with the value 2, at the tuned truncation for n rewards, epsilon 1, failure 1/10."""

    def at(samples: int) -> Callable[[int, np.random.Generator], Floats]:
        if contamination:
            size = truncated_mean.truncation(samples, 1.0, moment=2.0, failure=0.1, contamination=contamination)
        else:
            size = truncated_mean.clean_truncation(samples, 1.0, moment=2.0, failure=0.1)
        return errors_at(samples, size, contamination, outlier * size)

    return at


def errors_at(samples: int, size: float, contamination: float, outlier: float) -> Callable[[int, np.random.Generator], Floats]:
    mechanism = PrivateTruncatedMean(1.0, size)
    draw = estimates(samples, two_points(2.0, 2.0), mechanism, contamination, outlier)
    return lambda runs, rng: np.abs(draw(runs, rng) - 0.5)


GROWTH = (
    Audit(
        raw.CLEAN_CONCENTRATION_TUNED.id,
        "PrivateTruncatedMean(epsilon=1.0), 64 to 1024 rewards",
        GrowthRate(
            errors_at_own_truncation(0.0, 0.0), at_moment(raw.CLEAN_CONCENTRATION_TUNED, 2).growth_in(SAMPLES), 64, 1024, runs=1_500
        ),
    ),
    Audit(
        raw.RAW_CONCENTRATION_TUNED.id,
        "PrivateTruncatedMean(epsilon=1.0), 64 to 1024 rewards, a tenth outliers",
        GrowthRate(errors_at_own_truncation(0.1, 1.0), at_moment(raw.RAW_CONCENTRATION_TUNED, 2).growth_in(SAMPLES), 64, 1024, runs=1_500),
    ),
    *(
        Audit(
            theorem.id,
            f"PrivateTruncatedMean(epsilon=1.0, truncation=2.0), 64 to 1024 rewards{shown}",
            GrowthRate(
                lambda samples, alpha=alpha: errors_at(samples, 2.0, alpha, 2.0),  # type: ignore[misc]
                at_moment(theorem, 2).growth_in(SAMPLES),
                64,
                1024,
                runs=1_500,
            ),
        )
        for theorem, alpha, shown in ((raw.CLEAN_CONCENTRATION, 0.0, ""), (raw.RAW_CONCENTRATION, 0.1, ", a tenth outliers"))
    ),
)
