"""wu_2023: coverage of the radii of the truncated mean by draws on larger batches and over all epochs, and rates of the concentration.

The distributions are those of `exact_coverage`, and a Pareto distribution of shape 2.1.
"""

import math
from collections.abc import Callable

import numpy as np

from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.estimators.truncated_mean import PrivateTruncatedMean
from banditproof.algorithms.policies.elimination import robust as robust_elimination
from banditproof.audits.methods.coverage import Bools, Coverage, Fails
from banditproof.audits.methods.growth import GrowthRate
from banditproof.audits.methods.stated import Stated
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import SAMPLES
from banditproof.interaction import Floats
from banditproof.theory.papers.wu_2023 import elimination, raw
from banditproof.theory.papers.wu_2023.setting import at_moment

_PUBLISHED = Stated(raw.CLEAN_RADIUS.as_printed(), {"samples": 1, "epsilon": 300.0, "moment": 2.0, "failure": 0.05})


def outside_printed(runs: int, rng: np.random.Generator) -> Bools:
    """The same counterexample drawn, with the algorithm's release and radius: a second way. Draws."""
    samples, epsilon, known = (
        _PUBLISHED["samples"],
        _PUBLISHED["epsilon"],
        {"moment": _PUBLISHED["moment"], "failure": _PUBLISHED["failure"]},
    )
    size = truncated_mean.clean_truncation(samples, epsilon, **known)
    radius = truncated_mean.clean_radius(samples, epsilon, **known)
    centres = np.where(rng.random(runs) < 1.0 / 16.0, truncated_mean.truncated_mean([4.0], size), 0.0)
    return np.asarray(np.abs(centres + PrivateTruncatedMean(epsilon, size).release([0.0], runs, rng)[:, 0] - 0.25) > radius)


PRINTED_DRAWN = (
    Audit(
        _PUBLISHED.theorem.id,
        "coverage.as_printed_v4_p1over16_eps300",
        "as printed, 4 with probability 1/16, epsilon 300, drawn",
        Coverage(outside_printed, _PUBLISHED, "|release - mean| > the printed radius", 1.2, runs=40_000),
        expected=Verdict.REFUTED,
    ),
)


# --- drawn: one release -------------------------------------------------------------------------------------------------------------------


def estimates(
    samples: int,
    distribution: Callable[[tuple[int, int], np.random.Generator], Floats],
    mechanism: PrivateTruncatedMean,
    alpha: float,
    outlier: float,
) -> Callable[[int, np.random.Generator], Floats]:
    """Releases of batches of n rewards, a share alpha of them replaced by the outlier, shape (runs,). Draws."""

    def draw(runs: int, rng: np.random.Generator) -> Floats:
        rewards = distribution((runs, samples), rng)
        if alpha:
            rewards = np.where(rng.random(rewards.shape) < alpha, outlier, rewards)
        kept = np.where(np.abs(rewards) <= mechanism.truncation, rewards, 0.0).mean(axis=1)
        return np.asarray(kept + mechanism.release([0.0] * samples, runs, rng)[:, 0])

    return draw


def two_points(value: float, moment: float) -> Callable[[tuple[int, int], np.random.Generator], Floats]:
    return lambda shape, rng: np.where(rng.random(shape) < math.pow(value, -moment), value, 0.0)


def pareto(shape_of_distribution: float) -> tuple[float, Callable[[tuple[int, int], np.random.Generator], Floats]]:
    """The mean, and draws, of a Pareto distribution of this shape (> 2) scaled to a second moment of 1."""
    least = math.sqrt((shape_of_distribution - 2.0) / shape_of_distribution)
    mean = shape_of_distribution * least / (shape_of_distribution - 1.0)
    return mean, lambda shape, rng: least * np.power(1.0 - rng.random(shape), -1.0 / shape_of_distribution)


Estimate = tuple[Stated, PrivateTruncatedMean, float]  # the theorem, the algorithm at its truncation, the algorithm's radius


def _clean(samples: int, epsilon: float, failure: float) -> Estimate:
    level, known = truncated_mean.clean_epsilon(epsilon), {"moment": 2.0, "failure": failure}
    size, radius = (form(samples, level, **known) for form in (truncated_mean.clean_truncation, truncated_mean.clean_radius))
    mechanism = PrivateTruncatedMean(epsilon, size)
    return Stated.of(raw.CLEAN_RADIUS, mechanism, samples=samples, **known), mechanism, radius


def _contaminated(samples: int, epsilon: float, alpha: float, failure: float) -> Estimate:
    known = {"moment": 2.0, "failure": failure, "contamination": alpha}
    size, radius = (form(samples, epsilon, **known) for form in (truncated_mean.truncation, truncated_mean.radius))
    mechanism = PrivateTruncatedMean(epsilon, size)
    return Stated.of(raw.RAW_RADIUS, mechanism, samples=samples, **known), mechanism, radius


def _drawn(samples: int, epsilon: float, alpha: float, failure: float, slug: str, name: str) -> Audit:
    stated, mechanism, radius = _contaminated(samples, epsilon, alpha, failure) if alpha else _clean(samples, epsilon, failure)
    size = mechanism.truncation
    value = {"v = M": size, "v above M": size * (1.0 + 1e-9), "Pareto(2.1)": 0.0}[name]
    mean, distribution = (math.pow(value, -1.0), two_points(value, 2.0)) if value else pareto(2.1)
    draw = estimates(samples, distribution, mechanism, alpha, size if name != "v above M" else -size)
    return Audit(
        stated.theorem.id,
        f"coverage.{swept(eps=epsilon, n=samples, alpha=alpha)}_{slug}",
        f"PrivateTruncatedMean(epsilon={epsilon}), {samples} rewards, contamination {alpha}, {name}",
        Coverage(
            lambda runs, rng: np.abs(draw(runs, rng) - mean) > radius,
            stated,
            rule="|release - mean of the inliers| > radius of the algorithm, outliers at the truncation",
            must_detect_ratio=1.5,
            runs=6_000,
            cell=1_024,
            parameters={"samples": samples, "epsilon": epsilon, "contamination": alpha, "failure": failure, "distribution": name},
        ),
    )


_DRAWN_DISTRIBUTIONS = (("v_at_m", "v = M"), ("v_above_m", "v above M"), ("pareto2.1", "Pareto(2.1)"))
DRAWN = (
    *(_drawn(256, 1.0, 0.0, 0.05, *distribution) for distribution in _DRAWN_DISTRIBUTIONS),
    *(_drawn(256, 0.5, 0.05, 0.05, *distribution) for distribution in _DRAWN_DISTRIBUTIONS),
    _drawn(256, 100.0, 0.0, 0.05, *_DRAWN_DISTRIBUTIONS[0]),  # beyond 3/2: repaired for clean rewards, as printed with outliers
    _drawn(256, 100.0, 0.05, 0.05, *_DRAWN_DISTRIBUTIONS[0]),
)


# --- uniform over epochs ------------------------------------------------------------------------------------------------------------------


def some_epoch(
    radius: Callable[..., float],
    truncation: Callable[..., float],
    epsilon: float,
    contamination: float,
    stated: Stated,
    last: int,
) -> Fails:
    """Whether, in some epoch after the forced ones, to the last, an estimate of one of two arms misses the radius: more estimates than a
    run makes, since nothing is eliminated. Each epoch's distribution has the value just above, or at, its truncation. Draws."""

    def fails(runs: int, rng: np.random.Generator) -> Bools:
        failed = np.zeros(runs, dtype=np.bool_)
        for epoch in range(stated["last_forced"] + 1, last + 1):
            known = {"moment": 2.0, "contamination": contamination, "failure": stated.number("failure"), "active": 2, "epoch": epoch}
            size, width, samples = truncation(epsilon, **known), radius(epsilon, **known), robust_elimination.batch_size(epoch)
            scale = truncated_mean.noise_scale(samples, epsilon, truncation=size)
            proportion = min(1.0, size**-2.0)
            for kept in (True, False):  # the arms
                outliers = rng.binomial(samples, contamination, runs)
                hits = rng.binomial(samples - outliers, proportion)
                centre = (size * hits + size * outliers if kept else -size * outliers) / samples
                failed |= np.abs(centre + rng.laplace(0.0, scale, runs) - size * proportion) > width
        return failed

    return fails


_UNIFORM_FAILURE, _UNIFORM_ALPHA = 0.5, 0.1


def _last_forced() -> int:
    forced = (
        robust_elimination.batch_size(epoch) < robust_elimination.threshold(_UNIFORM_FAILURE, 2, epoch=epoch, contamination=_UNIFORM_ALPHA)
        for epoch in range(1, 40)
    )
    return sum(forced)


_EPOCHS = Stated(elimination.GOOD_EVENT, {"failure": _UNIFORM_FAILURE, "last_forced": _last_forced()})
UNIFORM = (
    Audit(
        _EPOCHS.theorem.id,
        "coverage.2_arms_epochs_to_14",
        "RobustElimination's radii, 2 arms, epochs after the forced ones to 14",
        Coverage(
            some_epoch(
                robust_elimination.epoch_radius,
                robust_elimination.epoch_truncation,
                1.0,
                _UNIFORM_ALPHA,
                _EPOCHS,
                14,
            ),
            _EPOCHS,
            rule="in some epoch |release - mean of the inliers| > the epoch's radius of the algorithm, for one of two arms",
            must_detect_ratio=1.25,
            runs=20_000,
            parameters={"failure": _EPOCHS["failure"], "contamination": _UNIFORM_ALPHA},
        ),
    ),
)


# --- rates of the printed concentration --------------------------------------------------------------------------------------------------


def errors_at_own_truncation(contamination: float, outlier: float) -> Callable[[int], Callable[[int, np.random.Generator], Floats]]:
    """|release - mean| on a two-point distribution with the value 2, at the tuned truncation for n rewards, epsilon 1, failure 1/10."""

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
        "growth.samples",
        "PrivateTruncatedMean(epsilon=1.0), 64 to 1024 rewards",
        GrowthRate(
            errors_at_own_truncation(0.0, 0.0), at_moment(raw.CLEAN_CONCENTRATION_TUNED, 2).growth_in(SAMPLES), 64, 1024, runs=1_500
        ),
    ),
    Audit(
        raw.RAW_CONCENTRATION_TUNED.id,
        "growth.samples",
        "PrivateTruncatedMean(epsilon=1.0), 64 to 1024 rewards, a tenth outliers",
        GrowthRate(errors_at_own_truncation(0.1, 1.0), at_moment(raw.RAW_CONCENTRATION_TUNED, 2).growth_in(SAMPLES), 64, 1024, runs=1_500),
    ),
    *(
        Audit(
            theorem.id,
            "growth.samples",
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
