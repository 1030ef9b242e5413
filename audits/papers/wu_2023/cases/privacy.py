"""wu_2023: privacy of one release of the truncated mean, and of whole runs of PRAE-R on reward lists.

A list of rewards is a table whose columns are equal: round t pays entry t whatever arm is pulled (Definition 3.4). Neighbours differ in
the first round that enters a release; there M is the epoch's truncation.

WHITE_BOX sees the releases: their exact loss is epsilon, since one release moves by its sensitivity and the others by nothing. CENTRAL
sees the arms alone; an arm is eliminated with a probability that has a closed form (`probabilities`). At the paper's radius nothing is
eliminated at these horizons, so the arms are audited at radius_factor 0, which has the same guarantee and tells the most.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from banditproof.algorithms.estimators import truncated_mean
from banditproof.algorithms.estimators.truncated_mean import PrivateTruncatedMean
from banditproof.algorithms.policies.elimination import probabilities as probabilities
from banditproof.algorithms.policies.elimination import robust as robust_elimination
from banditproof.algorithms.policies.elimination.robust import RobustElimination
from banditproof.audits.common import reward_lists
from banditproof.audits.common.reward_lists import Thinned, reward_list
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.exact import exp, log
from banditproof.guarantees import Guarantee, View
from banditproof.interaction import Policy
from banditproof.theory.papers.wu_2023.privacy import (
    HISTOGRAM_SENSITIVITY,
    PRIVACY_RAW,
    PRIVATE_DIVERGENCE,
    TRUNCATED_MEAN_SCALE,
    TRUNCATED_MEAN_SENSITIVITY,
)
from banditproof.theory.papers.wu_2023.setting import LAPLACE_MECHANISM

# --- one release ------------------------------------------------------------------------------------------------------------------------


def _pairs(size: float) -> dict[str, tuple[tuple[float, ...], tuple[float, ...]]]:
    """Neighbours by name, of 4 rewards: from M to -M, and to a value just above M, which counts as 0."""
    rest, above = (0.0, size, -size), math.nextafter(size, math.inf)
    return {
        "M to -M": ((size, *rest), (-size, *rest)),
        "-M to M": ((-size, *rest), (size, *rest)),
        "just above M to -M": ((above, *rest), (-size, *rest)),
        "M to 1e300": ((size, *rest), (1e300, *rest)),
    }


_MOVES = {  # names of pairs as slugs spell them
    "M to -M": "m_to_minus_m",
    "-M to M": "minus_m_to_m",
    "just above M to -M": "above_m_to_minus_m",
    "M to 1e300": "m_to_1e300",
    "arm 0 falls or not": "arm_0_falls",
}

RELEASES = tuple(
    Audit(
        TRUNCATED_MEAN_SCALE.id,
        f"privacy.{swept(eps=epsilon, m=size)}_{_MOVES[name]}",
        f"PrivateTruncatedMean(epsilon={epsilon}, truncation={size}), {name}",
        PrivacyLoss(PrivateTruncatedMean(epsilon, size), pair=pair, exact=epsilon * proportion),
    )
    for epsilon, size, chosen in ((1.0, 2.0, tuple(_pairs(2.0))), (0.2, 5.0, ("M to -M",)), (2.0, 0.25, ("M to -M",)))
    for (name, pair), proportion in zip(_pairs(size).items(), (1.0, 1.0, 0.5, 0.5), strict=True)
    if name in chosen
)
FROZEN = tuple(
    Audit(
        TRUNCATED_MEAN_SCALE.id,
        f"frozen.{swept(eps=epsilon, m=size)}",
        f"PrivateTruncatedMean(epsilon={epsilon}, truncation={size}), rewards at the ends and far outside, replayed",
        FrozenReleases(PrivateTruncatedMean(epsilon, size)),
    )
    for epsilon, size in ((1.0, 2.0), (0.2, 5.0))
)


def _sensitivities() -> Iterator[At]:
    """How far the mean moves, for the entry moved between all pairs of -M, just above -M, 0, M, just above M, 1e9; M a power of two."""
    for samples in (1, 2, 8, 64):
        for size in (0.25, 1.0, 8.0):
            above = math.nextafter(size, math.inf)
            values = (-size, 0.0, size, above, -above, 1e9)
            means = [Fraction(truncated_mean.truncated_mean([value, *(size,) * (samples - 1)], size)) for value in values]
            moved = max(means) - min(means)
            claimed = TRUNCATED_MEAN_SENSITIVITY.at(samples=samples, truncation=Fraction(size)).ball
            yield At({"n": samples, "M": size}, moved, claimed)


def _frequencies() -> Iterator[At]:
    """L1 distance of the frequencies of 5 bins, and of none, for an entry moved between all pairs of them."""
    for samples in (1, 2, 7, 50):
        places = range(6)  # 5: outside all bins
        moved = max(Fraction(2 * (one != other) - (one != other) * (5 in (one, other)), samples) for one in places for other in places)
        yield At({"n": samples}, moved, HISTOGRAM_SENSITIVITY.at(fold_samples=samples).ball)


SENSITIVITIES = (
    Audit(
        TRUNCATED_MEAN_SENSITIVITY.id,
        "points.one_entry_moved",
        "truncated_mean, one entry moved",
        Pointwise(_sensitivities, "n = 1, 2, 8, 64, M a power of two, entries at and beside -M, 0, M", "change of the mean"),
    ),
    Audit(
        HISTOGRAM_SENSITIVITY.id,
        "points.5_bins_one_entry_moved",
        "frequencies of 5 bins, one entry moved",
        Pointwise(_frequencies, "n = 1, 2, 7, 50", "L1 change"),
    ),
)

# --- whole runs -------------------------------------------------------------------------------------------------------------------------


def ends_of_batches(horizon: int, arms: int) -> tuple[int, ...]:
    """The last round of every batch and the round after it, if no arm is eliminated; and the last round of the run."""
    rounds, start, epoch = {horizon - 1}, 0, 1
    while start < horizon:
        for _ in range(arms):
            start += robust_elimination.batch_size(epoch)
            rounds |= {round for round in (start - 1, start) if round < horizon}
        epoch += 1
    return tuple(sorted(rounds))


def whole_runs(policy: Policy, claim: Guarantee, horizon: int, pair: tuple[Any, Any]) -> Thinned:
    """The runs as an adversary sees them who looks where batches end."""
    return reward_lists.whole_runs(policy, claim, ends_of_batches(horizon, 2), horizon, pair)


class FirstEpoch(NamedTuple):
    """The first epoch that learns, as the policy's own schedule has it, and the round in which it starts."""

    epoch: int
    start: int
    truncation: float
    scale: float


def first_of(policy: RobustElimination, horizon: int) -> FirstEpoch:
    """Of two arms."""
    state = policy.state(2, 0, horizon)
    epoch = next(each for each in range(1, state.forced.shape[0]) if state.forced[each, 2] == 0.0)
    return FirstEpoch(epoch, 2**epoch - 2, float(state.truncations[epoch, 2]), float(state.scales[epoch, 2]))


def worst(policy: RobustElimination, horizon: int) -> tuple[Any, Any]:
    """The first reward that counts, from M to -M; all others are 0."""
    first = first_of(policy, horizon)
    one, other = (reward_list(horizon, (sign * first.truncation,), first.start) for sign in (1.0, -1.0))
    return one, other


def _just_above(policy: RobustElimination, horizon: int) -> tuple[Any, Any]:
    first = first_of(policy, horizon)
    above = math.nextafter(first.truncation, math.inf)
    return reward_list(horizon, (above,), first.start), reward_list(horizon, (-first.truncation,), first.start)


def telling(policy: RobustElimination, horizon: int) -> tuple[Any, Any]:
    """Arm 0's first batch is -M or M, and M; arm 1's is all -M: whether arm 0 is eliminated tells the sign."""
    first = first_of(policy, horizon)
    size, batch = first.truncation, robust_elimination.batch_size(first.epoch)
    rest = (*(size,) * (batch - 1), *(-size,) * batch)
    return reward_list(horizon, (-size, *rest), first.start), reward_list(horizon, (size, *rest), first.start)


def exact_loss_of_the_arms(policy: RobustElimination, horizon: int) -> float:
    """The loss of "arm 0 is eliminated in the first epoch" on the pair of `telling`, by the closed form."""
    first = first_of(policy, horizon)
    radius = float(policy.state(2, 0, horizon).twice_radii[first.epoch, 2]) / 2.0 + 1e-300  # elimination_probability asks for a radius > 0
    moved = 2.0 * first.truncation / robust_elimination.batch_size(first.epoch)
    one, other = (
        probabilities.elimination_probability((centre, -first.truncation), 0, scale=first.scale, radius=radius)
        for centre in (first.truncation - moved, first.truncation)
    )
    return math.log(one / other)


_CLEAN = RobustElimination(1.0, view=View.WHITE_BOX)
_CONTAMINATED = RobustElimination(1.0, contamination=0.45, failure=0.9, view=View.WHITE_BOX)
_ARMS = RobustElimination(2.0, radius_factor=0.0)


def _run(
    policy: RobustElimination,
    horizon: int,
    name: str,
    pair: tuple[Any, Any],
    samples: int,
    *,
    exact: float,
    must_detect: float | None = None,
) -> Audit:
    shown = f"RobustElimination(epsilon={policy.epsilon}, contamination={policy.contamination}, view={policy.view.value})"
    factor = "" if policy.radius_factor == 1.0 else f", {policy.radius_factor:g} times the radius"
    return Audit(
        PRIVACY_RAW.id,
        f"privacy.{policy.view.value}_{swept(eps=policy.epsilon, alpha=policy.contamination, t=horizon)}_{_MOVES[name]}",
        f"{shown}{factor}, {horizon} rounds, {name}",
        PrivacyLoss(whole_runs(policy, policy.guarantee(), horizon, pair), samples, exact=exact, must_detect=must_detect),
    )


RUNS = (
    *(
        _run(policy, horizon, "M to -M", worst(policy, horizon), 20_000, exact=1.0)
        for policy in (_CLEAN, _CONTAMINATED)
        for horizon in (64, 256)
    ),
    _run(_CLEAN, 64, "just above M to -M", _just_above(_CLEAN, 64), 40_000, exact=0.5),
    *(_run(_CLEAN, horizon, "M to -M", worst(_CLEAN, horizon), 12_000, exact=1.0) for horizon in (1024, 4096)),
    *(
        _run(_ARMS, horizon, "arm 0 falls or not", telling(_ARMS, horizon), 60_000, exact=exact_loss_of_the_arms(_ARMS, horizon))
        for horizon in (64, 256)
    ),
    _run(
        replace(_ARMS, epsilon=1.0),
        64,
        "arm 0 falls or not",
        telling(replace(_ARMS, epsilon=1.0), 64),
        60_000,
        must_detect=1.5,
        exact=exact_loss_of_the_arms(replace(_ARMS, epsilon=1.0), 64),
    ),
)

# --- the divergence of a private policy's arms ------------------------------------------------------------------------------------------


def divergences(fraction_of_pulls: Fraction = Fraction(1)) -> Callable[[], Iterator[At]]:
    """A policy that pulls arm 1, reads its reward, 1/gamma or 0, and pulls arm 1 again with probability e^eps/(1 + e^eps) or 1/(1 + e^eps):
    exactly epsilon-private. Arm 1's distribution differs, by the total variation of the lower bound's problems."""

    def points() -> Iterator[At]:
        for epsilon in (Fraction(1, 10), Fraction(1), Fraction(3)):
            stay = exp(epsilon) / (1 + exp(epsilon))
            for rarity in (Fraction(1, 10), Fraction(1, 2), Fraction(1)):  # gamma^k
                low, high = Fraction(3, 10) * rarity, Fraction(7, 10) * rarity
                one, other = (proportion * stay + (1 - proportion) * (1 - stay) for proportion in (low, high))
                divergence = one * log(one / other) + (1 - one) * log((1 - one) / (1 - other))
                claimed = PRIVATE_DIVERGENCE.at(
                    epsilon=epsilon, expected_pulls=fraction_of_pulls * (1 + one), total_variation=high - low
                ).ball
                yield At({"epsilon": epsilon, "gamma^k": rarity}, divergence, claimed)

    return points


DIVERGENCE = (
    Audit(
        PRIVATE_DIVERGENCE.id,
        "points.randomised_response",
        "two rounds of randomised response, exactly",
        Pointwise(divergences(), "two rounds, two arms, epsilon 1/10, 1, 3, gamma^k 1/10, 1/2, 1", "divergence of the arms"),
    ),
)


def _scales() -> Iterator[At]:
    """The loss of Laplace noise of the least scale: sensitivity over scale, at most epsilon."""
    for sensitivity in (Fraction(1, 100), Fraction(2), Fraction(1000)):
        for epsilon in (Fraction(1, 10), Fraction(5)):
            scale = Fraction(LAPLACE_MECHANISM.at(sensitivity=sensitivity, epsilon=epsilon).bound)
            yield At({"sensitivity": sensitivity, "epsilon": epsilon}, sensitivity / scale, epsilon)


LEAST_SCALE = (
    Audit(
        LAPLACE_MECHANISM.id,
        "points.least_scale",
        "the loss at the least scale, in closed form",
        Pointwise(_scales, "sensitivity 1/100, 2, 1000, epsilon 1/10, 5", "epsilon"),
    ),
)


def _eliminations() -> Iterator[At]:
    """The larger of both directions' losses of "arm 0 is eliminated" and "arm 0 stays", arm 0's mean moving by 2 M/n, M = 1."""
    for samples, epsilon, others in itertools.product((2, 16), (0.5, 2.0), ((-1.0,), (0.0,), (1.0,), (-1.0, 0.5))):
        scale = truncated_mean.noise_scale(samples, epsilon, truncation=1.0)
        for radius, low in itertools.product((1e-6, 0.1, 1.0), (-1.0, 0.0)):
            one, other = (
                probabilities.elimination_probability((centre, *others), 0, scale=scale, radius=radius)
                for centre in (low, low + 2.0 / samples)
            )
            loss = max(abs(math.log(one / other)), abs(math.log((1.0 - one) / (1.0 - other))))
            where = {"n": samples, "epsilon": epsilon, "radius": radius, "means": [low, *others]}
            yield At(where, Fraction(loss), Fraction(epsilon))


ELIMINATIONS = (
    Audit(
        PRIVACY_RAW.id,
        "points.one_elimination",
        "one elimination by RobustElimination, in closed form",
        Pointwise(_eliminations, "2 and 3 arms, n = 2, 16, epsilon 1/2, 2, radius 1e-6, 0.1, 1", "epsilon of the event"),
    ),
)
