"""Appendix A of Wu et al. 2023 where it gives numbers and reasons: what follows from its constants, and how large estimation errors are.

None of it depends on how the bandits were played. Where a sentence depends on what the paper does not state, `missing` says on what; the
others hold or fail for every choice.
"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import integrate, special

from banditproof.algorithms.environments import pareto
from banditproof.algorithms.environments.common import scaling
from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.policies.elimination import central, robust
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.audits.experiments.experiment import Comparison, Computed, Outcome, ReproductionRequest, compared
from banditproof.audits.papers.wu_2023.figures.runs import (
    ALPHAS,
    ARMS,
    DEGREES,
    EPSILONS,
    LEAST,
    MEANS,
    OFFSET,
    PROOFS,
    SHAPE,
    Setting,
    environment,
    pipeline,
    variance,
)
from banditproof.interaction import Floats
from banditproof.randomness import key_of

HORIZON, MOMENT = 100_000, 2.0
OUTLIERS, WIDTH = (0.0, 100.0), 1.0  # means of the outliers of the best arm and of the others; their standard deviation
REPETITIONS, SAMPLES = 200, 4096
UNSTATED = "alpha_1, k, D, the scaling of rewards, the outliers' variance"


def setup(rewards: str) -> tuple[Outcome, ...]:
    """What A.1 says of the rewards, with the noise as it prints it (`eta - 2.5` for Pareto)."""
    name, second = rewards.capitalize(), variance(rewards)
    clean = environment(rewards, "printed" if rewards == "pareto" else "centred")
    means = [float(each) for each in clean.setup()[:ARMS]] if rewards == "student" else pareto_means()
    within = (Computed("largest mean of an arm", max(means), 100.0), Computed("0 at most the least mean of an arm", 0.0, min(means)))
    deviation = math.sqrt(second)
    moments = (
        Computed(f"second central moment of {name} rewards, less than 35.5", second, 35.5, strict=True),
        Computed(f"34.5 at most the second central moment of {name} rewards", 34.5, second),
    )
    shifts = tuple(
        Computed(f"arm {arm + 1}: clean mean < contaminated mean", mean, mean + ALPHAS[0] * (OUTLIERS[1] - mean), strict=True)
        for arm, mean in enumerate(means)
        if arm > 0
    )
    best = Computed("arm 1: contaminated mean < clean mean", means[0] + ALPHAS[0] * (OUTLIERS[0] - means[0]), means[0], strict=True)
    found = [
        Outcome("a-means", "the arms' means are 100, 90, ..., 0", within, quote="the mean of each arm is within the range of [0, 100]"),
        Outcome(
            "a-moment",
            f"the second central moment is 35 (the standard deviation is {deviation:.2f})",
            moments,
            quote="For both cases, the stochastic rewards have finite second central moment of 35",
        ),
        Outcome(
            "a-under",
            "the best arm's contaminated mean is too low",
            (best,),
            quote="This way, the optimal arm is under-evaluated",
        ),
        Outcome("a-over", "every other arm's contaminated mean is too high", shifts, quote="and the non-optimal arms are over-evaluated"),
        Outcome("a-delta", "delta = 1 / T", (Computed("delta", 1e-5, 1.0 / HORIZON),), quote="T = 10^5 (thus we set delta = 10^-5)"),
    ]
    if rewards == "pareto":
        mass = integrate.quad(lambda x: SHAPE * LEAST**SHAPE / (x**SHAPE + 1.0), LEAST, np.inf)[0]
        total = (Computed("the integral of the printed density", mass, 1.01), Computed("0.99 at most that integral", 0.99, mass))
        found.append(Outcome("a-density", "the printed density integrates to 1", total, quote="eta ~ s x_m^s / (x^s + 1) 1{x >= x_m}"))
        side = Computed("-eta is at most", -LEAST, 0.0)
    else:
        side = Computed(
            "asymmetry of Student's distribution: |P(eta < -1) - P(eta > 1)|", abs(_student(-1.0) - (1.0 - _student(1.0))), 1e-12
        )
    found.append(
        Outcome(
            "a-sides",
            "Student's distribution is symmetric, Pareto's is one-sided",
            (side,),
            quote="Student's t-distribution is symmetric while the Pareto distribution is one-sided",
        )
    )
    return tuple(found)


def pareto_means() -> list[float]:
    """Of mu_a + eta - 2.5."""
    return [mean + pareto.mean(SHAPE, LEAST) - OFFSET for mean in MEANS]


def _student(x: float) -> float:
    return float(special.stdtr(DEGREES, x))


def passed(setting: Setting, algorithm: str, width: float = WIDTH) -> float:
    """The fraction of outliers of an arm that is not the best which the truncation lets through, with the constants of the proofs.

    Over the releases of a run of HORIZON rounds in which no arm is deleted, each weighted by its pulls. PRAE-C, whose threshold is above
    that horizon, is taken at the least truncation that its theorem allows, and at the largest distance between an outlier and the bin. The
    outlier is N(100, width^2), its distance is that from 0, or from the bin for PRAE-C.
    """
    parties, scale = pipeline(setting, algorithm, PROOFS[algorithm])
    policy, failure = parties.policy, 1.0 / HORIZON
    if isinstance(policy, CentralElimination):
        return _through(central_cut(setting) * scale, 100.0 + 2.0 * policy.width_of_bins() * scale, width)
    pulls, kept, played = 0.0, 0.0, 0
    for epoch in range(1, 64):
        if isinstance(policy, RobustElimination):
            batch = robust.batch_size(epoch)
            if batch < robust.threshold(failure, ARMS, epoch=epoch, contamination=setting.bound()):
                played += batch
                continue
            level = policy.formula_epsilon()
            size = robust.epoch_truncation(level, MOMENT, contamination=setting.bound(), failure=failure, active=ARMS, epoch=epoch)
        else:
            batch, size, _ = SuccessiveElimination(setting.epsilon).schedule(failure, ARMS, epoch)
        if played >= HORIZON:
            break
        pulls, kept, played = pulls + batch, kept + batch * _through(size * scale, OUTLIERS[1], width), played + ARMS * batch
    return kept / pulls


def _through(truncation: float, mean: float, width: float) -> float:
    """P(|N(mean, width^2)| <= truncation)."""
    return float(special.ndtr((truncation - mean) / width) - special.ndtr((-truncation - mean) / width))


def central_cut(setting: Setting) -> float:
    """The least truncation of PRAE-C that its own theorem allows, in units of sigma: 4 r."""
    return 4.0 * central_mean.bin_width(setting.bound(), MOMENT)


def aggressive(rewards: str, alpha_1: float | None) -> tuple[Outcome, ...]:
    """ "This is because DPRSE adopts more aggressive truncation thresholds": which outliers are let through."""
    noise = "printed" if rewards == "pareto" else "centred"
    every = [Setting(rewards, noise, alpha, epsilon, alpha_1) for alpha in ALPHAS for epsilon in EPSILONS]
    kept = {(each, algorithm): passed(each, algorithm) for each in every for algorithm in ("PRAE-R", "PRAE-C", "DPRSE")}
    more = tuple(
        Computed(f"outliers let through, {ours} < DPRSE, {each.title()}", kept[each, ours], kept[each, "DPRSE"], strict=True)
        for ours in ("PRAE-R", "PRAE-C")
        for each in every
    )
    half = tuple(
        Computed(f"outliers let through by PRAE-R < 1/2, {each.title()}", kept[each, "PRAE-R"], 0.5, strict=True) for each in every
    )
    central_half = tuple(
        Computed(
            f"outliers of deviation {width:g} let through by PRAE-C < 1/2, alpha_1 = {bound:g}",
            passed(replace(every[0], alpha_1=bound), "PRAE-C", width),
            0.5,
            strict=True,
        )
        for bound in (1e-6, *ALPHAS, central_mean.LARGEST_CONTAMINATION)
        for width in (WIDTH, 100.0)
    )
    means = tuple(
        Computed(
            f"contaminated mean, arm 2 < arm 1, alpha = {alpha:.0%}",
            (1.0 - alpha) * MEANS[1] + alpha * OUTLIERS[1],
            (1.0 - alpha) * MEANS[0] + alpha * OUTLIERS[0],
            strict=True,
        )
        for alpha in ALPHAS
    )
    quote = "the truncation thresholds in PRAE-R and PRAE-C are carefully designed and thus provide robustness against contaminated rewards"
    return (
        Outcome(
            "ii-c",
            "DPRSE's thresholds let more outliers through than PRAE's",
            more,
            quote="This is because DPRSE adopts more aggressive truncation thresholds that incorporate more outliers",
            missing=UNSTATED,
        ),
        Outcome("ii-d", "PRAE-R's truncation cuts off most outliers", half, quote=quote, missing=UNSTATED),
        Outcome(
            "ii-e",
            "PRAE-C's truncation cuts off most outliers (for every alpha_1 and D, k = 2, outliers of deviation up to 100: M >= 4 r)",
            central_half,
            quote=quote,
        ),
        Outcome(
            "ii-f",
            "where no outlier is cut off, the best arm still has the largest mean (not a sentence of the paper)",
            means,
        ),
    )


def bounds(alpha_1: float | None) -> tuple[Outcome, ...]:
    """What the text says of the theorems' bounds.

    v-c  Theorem 6.2's bound with all suppressed constants 1 (unit moments, K = 11). Proportional to 1/epsilon: half of epsilon doubles it;
         to alpha: twice alpha_1 doubles it. "When T is large enough": at 10^5, 10^9 and 10^15 rounds. For any constants the factors are at
         most 2^(1 - 1/k).
    vi-b PRAE-C's radius against PRAE-R's, both in the units of rewards, at the largest batch of 10^5 rounds; and the pulls after which
         arms can be deleted.
    vii  With the constants of the proofs some deletion is possible in 10^5 rounds: an epoch that is not forced exploration has a radius of
         less than half the largest gap.
    """
    ways = [
        Computed(
            f"1.9 times the bound at epsilon 1 < the bound at epsilon 1/2, T = {t:.0e}", 1.9 * _regret(t, 1.0, 0.05), _regret(t, 0.5, 0.05)
        )
        for t in (1e5, 1e9, 1e15)
    ]
    ways += [
        Computed(f"1.9 times the bound at alpha 5 % < the bound at 10 %, T = {t:.0e}", 1.9 * _regret(t, 1.0, 0.05), _regret(t, 1.0, 0.1))
        for t in (1e5, 1e9, 1e15)
    ]
    every = [
        Setting(rewards, "centred", alpha, epsilon, alpha_1)
        for rewards in ("pareto", "student")
        for alpha in ALPHAS
        for epsilon in EPSILONS
    ]
    tighter = tuple(
        Computed(
            f"radius of PRAE-C < of PRAE-R, {each.rewards}, {each.title()}", _radius(each, "PRAE-C"), _radius(each, "PRAE-R"), strict=True
        )
        for each in every
    )
    able = tuple(
        Computed(
            f"least 2 radius of an epoch that may delete < 100, {ours}, {each.rewards}, {each.title()}", _least_radius(each, ours), 100.0
        )
        for ours in ("PRAE-R", "PRAE-C")
        for each in every
    )
    return (
        Outcome(
            "v-c",
            "the regret bound is proportional to 1 / epsilon and to alpha",
            tuple(ways),
            quote="the fact that the regret bound is proportional to 1/epsilon and alpha when T is large enough",
        ),
        Outcome(
            "vi-b",
            "PRAE-C's radius is smaller than PRAE-R's",
            tighter,
            quote="due to the fact that the PRM subroutine for PRAE-C leverages the prior information (i.e., range D) of mean for each arm",
            missing=UNSTATED,
        ),
        Outcome(
            "vii",
            "the algorithms that the theory speaks of can delete an arm within 10^5 rounds",
            able,
            quote="In summary, all these results corroborate our theoretical analysis",
            missing=f"the constants that were run; {UNSTATED}",
        ),
    )


def _regret(horizon: float, epsilon: float, alpha_1: float) -> float:
    """Theorem 6.2 with all suppressed constants 1, k = 2."""
    log, power = math.log(horizon), 1.0 - 1.0 / MOMENT
    first = math.sqrt(ARMS * horizon * log) + (ARMS * log / epsilon) ** power * horizon ** (1.0 / MOMENT)
    return float(first + horizon * alpha_1**power + ARMS * log / alpha_1)


def _radius(setting: Setting, algorithm: str, epoch: int = 13) -> float:
    """Of a batch of 2^13, the largest of which all arms can have one in HORIZON rounds; in the units of rewards. epsilon is at most 1."""
    failure, alpha_1 = 1.0 / HORIZON, setting.bound()
    _, scale = pipeline(setting, algorithm, PROOFS[algorithm])
    formula: Callable[..., float] = central.epoch_radius if algorithm == "PRAE-C" else robust.epoch_radius
    radius: float = scale * formula(setting.epsilon, MOMENT, contamination=alpha_1, failure=failure, active=ARMS, epoch=epoch)
    return radius


def _least_radius(setting: Setting, algorithm: str) -> float:
    """The least 2 radius over the epochs of HORIZON rounds that are not forced exploration; inf where all are."""
    parties, scale = pipeline(setting, algorithm, PROOFS[algorithm])
    state = parties.policy.state(ARMS, parties.environment.dimension, HORIZON)
    radii = [scale * float(state.twice_radii[epoch, ARMS]) for epoch in range(1, state.pulls.shape[0]) if state.forced[epoch, ARMS] == 0.0]
    return min(radii, default=math.inf)


def estimation(rewards: str, noise: str, request: ReproductionRequest) -> tuple[Outcome, ...]:
    """The error of the median of SAMPLES contaminated rewards against those of PRAE's private means of as many (epsilon = 1), paired.

    Distances from the mean of the clean rewards, which is what regret is about; the best arm, and the one after it.
    """
    plain, apart = _errors(rewards, noise, request)
    quote = "The main reason could be that their robust mean estimator is based on median, which incurs smaller estimation error"
    return (
        Outcome(
            "iv-b",
            f"the median's error is smaller than that of PRAE's means, at {SAMPLES} rewards",
            plain,
            quote=quote,
            missing=f"at how many rewards; {UNSTATED}",
        ),
        Outcome(
            "iv-c",
            f"the same of the difference of two arms' estimates, where a bias that they share cancels, at {SAMPLES} rewards",
            apart,
            quote=quote,
            missing=f"at how many rewards; {UNSTATED}",
        ),
    )


def _errors(rewards: str, noise: str, request: ReproductionRequest) -> tuple[tuple[Comparison, ...], tuple[Comparison, ...]]:
    """Of the mean of either arm, and of the difference of the two."""
    rng = np.random.default_rng([int(word) for word in key_of(request.seed, "wu_2023", "figures", "estimation")])
    means = pareto_means() if (rewards, noise) == ("pareto", "printed") else MEANS
    plain: list[Comparison] = []
    apart: list[Comparison] = []
    for alpha in ALPHAS:
        setting = Setting(rewards, noise, alpha, 1.0, request.alpha_1)
        signed: dict[str, list[Floats]] = {"median": [], "PRAE-R": [], "PRAE-C": []}
        for arm in (0, 1):
            draws = means[arm] + (_pareto(rng) if rewards == "pareto" else rng.standard_t(DEGREES, (REPETITIONS, SAMPLES)))
            outlying = rng.random(draws.shape) < alpha
            draws = np.where(outlying, rng.normal(OUTLIERS[arm], WIDTH, draws.shape), draws)
            signed["median"].append(np.asarray(np.median(draws, axis=1) - means[arm]))
            for ours in ("PRAE-R", "PRAE-C"):
                signed[ours].append(_released(setting, ours, draws, rng) - means[arm])
        for ours in ("PRAE-R", "PRAE-C"):
            where = f"of the median < of {ours}, alpha = {alpha:.0%}"
            for arm in (0, 1):
                plain.append(compared(f"error {where}, arm {arm + 1}", np.abs(signed["median"][arm]), np.abs(signed[ours][arm])))
            differences = [np.abs(signed[each][0] - signed[each][1]) for each in ("median", ours)]
            apart.append(compared(f"error of the difference {where}", *differences))
    return tuple(plain), tuple(apart)


def _pareto(rng: np.random.Generator) -> Floats:
    """Draws of the experiments' Pareto noise, centred."""
    return np.asarray(LEAST * rng.random((REPETITIONS, SAMPLES)) ** (-1.0 / SHAPE) - pareto.mean(SHAPE, LEAST))


def _released(setting: Setting, algorithm: str, draws: Floats, rng: np.random.Generator) -> Floats:
    """PRM's release of each row (R,), in the units of rewards; delta is that of one release in the first epoch of HORIZON rounds."""
    failure, epsilon, alpha_1 = robust.call_failure(1.0 / HORIZON, ARMS, epoch=12), setting.epsilon, setting.bound()
    if algorithm == "PRAE-R":
        scale = scaling.unit_scale(environment(setting.rewards, setting.noise).second_moments())
        size = truncated_mean.truncation(SAMPLES, epsilon, moment=MOMENT, failure=failure, contamination=alpha_1)
        noise = rng.laplace(0.0, truncated_mean.noise_scale(SAMPLES, epsilon, truncation=size), REPETITIONS)
        return scale * (np.array([truncated_mean.truncated_mean(row / scale, size) for row in draws]) + noise)
    parties, scale = pipeline(setting, "PRAE-C", PROOFS["PRAE-C"])
    if not isinstance(parties.policy, CentralElimination):
        raise TypeError(f"PRAE-C is played by {type(parties.policy).__name__}: must be CentralElimination")
    centre = float(environment(setting.rewards, setting.noise).setup()[:ARMS].max()) - 50.0
    half, bins = SAMPLES // 2, parties.policy.histogram_bins()
    size = central_mean.truncation(half, epsilon, moment=MOMENT, failure=failure, contamination=alpha_1)
    released = []
    for row in (draws - centre) / scale:
        counts = central_mean.histogram(row[:half], low=bins.low, bin_width=bins.width, bins=bins.number)
        frequencies = counts / half + rng.laplace(0.0, central_mean.bin_noise_scale(half, epsilon), bins.number)
        left = bins.low + int(np.argmax(frequencies)) * bins.width
        released.append(central_mean.centred_mean(row[half:], left, truncation=size))
    noise = rng.laplace(0.0, truncated_mean.noise_scale(half, epsilon, truncation=size), REPETITIONS)
    return centre + scale * (np.array(released) + noise)
