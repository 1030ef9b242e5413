"""wu_2023: privacy of the two-fold estimate, of its histogram, and of whole runs of PRAE-C on reward lists.

A fold of n rewards names a bin, its left end J; the other fold is averaged around J. Given J the mean has Laplace noise of a known centre,
so the exact loss of one estimate is that of J (the chances of a noisy maximum, in closed form) plus what the mean's centre moves:
sandwiched by the claim from above and by draws from below. In a run the other releases are drawn alike given this one, so the run's loss
is the same.

Neighbours: +M to -M around the bin; from one bin to another; to a value just above M, which counts as 0; to a value outside all bins.
The paper's threshold forces exploration for thousands of rounds, in which nothing is released. So short runs have a fraction of it, which
the promise does not depend on, or release in forced epochs too (Remark 5.1).
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.estimators.central_mean import PrivateCentralMean
from banditproof.algorithms.policies.elimination import probabilities as probabilities
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import Exploration, State
from banditproof.audits.common.reward_lists import Pair, Thinned, reward_list, whole_runs
from banditproof.audits.methods.frozen_releases import FrozenReleases
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, swept
from banditproof.guarantees import PureDP, View
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.theory.papers.wu_2023.privacy import HISTOGRAM_SCALE, PRIVACY_CENTRAL

# --- one estimate -----------------------------------------------------------------------------------------------------------------------


class Distribution(NamedTuple):
    """An estimate's distribution: the chance of each bin, and the mean's centre where it wins."""

    chances: tuple[float, ...]
    centres: tuple[float, ...]


def distribution_of(mechanism: PrivateCentralMean, data: Sequence[float]) -> Distribution:
    half = len(data) // 2
    frequencies, scale = mechanism.bin_frequencies(data), central_mean.bin_noise_scale(half, mechanism.epsilon)
    low = central_mean.first_bin(mechanism.range, mechanism.bin_width, pad=mechanism.pad)
    chances = (probabilities.largest_probability(frequencies.tolist(), place, scale=scale) for place in range(frequencies.size))
    ends = (low + place * mechanism.bin_width for place in range(frequencies.size))
    return Distribution(tuple(chances), tuple(central_mean.centred_mean(data[half:], end, truncation=mechanism.truncation) for end in ends))


def loss_of_estimate(mechanism: PrivateCentralMean, pair: Pair) -> float:
    """The largest log ratio of the densities of (J, mean), in either direction: in a tail of the mean, where it is constant."""
    one, other = (distribution_of(mechanism, data) for data in pair)
    scale = truncated_mean.noise_scale(len(pair[0]) // 2, mechanism.epsilon, truncation=mechanism.truncation)
    return max(
        abs(math.log(first / second)) + abs(here - there) / scale
        for first, second, here, there in zip(one.chances, other.chances, one.centres, other.centres, strict=True)
    )


def pairs_of(mechanism: PrivateCentralMean, fold: int) -> dict[str, Pair]:
    """Neighbours by name, of 2 fold rewards in the middle of the second bin, whose left end is the centre of what is kept."""
    width, size = mechanism.bin_width, mechanism.truncation
    end = central_mean.first_bin(mechanism.range, width, pad=mechanism.pad) + width
    still, most = (end + 0.5 * width,) * fold, size * (1.0 - 1e-12)  # so that rounding cuts nothing

    def mean(value: float, other: float) -> Pair:
        return (*still, end + value, *still[1:]), (*still, end + other, *still[1:])

    def bins(value: float, other: float) -> Pair:
        return (end + value, *still[1:], *still), (end + other, *still[1:], *still)

    return {
        "M to -M": mean(most, -most),
        "-M to M": mean(-most, most),
        "just above M to -M": mean(size * (1.0 + 1e-12), -most),
        "one bin to another": bins(0.5 * width, 1.5 * width),
        "another bin to this one": bins(1.5 * width, 0.5 * width),
        "a bin to none": bins(0.5 * width, 1e300),
    }


_SLUGS = {
    "M to -M": "m_to_minus_m",
    "-M to M": "minus_m_to_m",
    "just above M to -M": "above_m_to_minus_m",
    "one bin to another": "bin_to_other",
    "another bin to this one": "other_to_bin",
    "a bin to none": "bin_to_none",
}


def _estimate(mechanism: PrivateCentralMean, fold: int, name: str, samples: int = 100_000) -> Audit:
    pair = pairs_of(mechanism, fold)[name]
    padded = "padded_" if mechanism.pad else ""
    return Audit(
        PRIVACY_CENTRAL.id,
        f"privacy.estimate_{padded}{swept(eps=mechanism.epsilon, n=2 * fold)}.{_SLUGS[name]}",
        f"{mechanism}, {2 * fold} rewards, {name}",
        PrivacyLoss(mechanism, samples, pair=pair, exact=loss_of_estimate(mechanism, pair), must_detect=1.5 * mechanism.epsilon),
    )


_ONE = PrivateCentralMean(1.0, 4.0, 2.0, 8.0)
_PADDED = PrivateCentralMean(1.0, 4.0, 2.0, 8.0, pad=True)
ESTIMATES = (
    *(_estimate(_ONE, 2, name) for name in pairs_of(_ONE, 2)),
    _estimate(_PADDED, 2, "one bin to another"),
    _estimate(_PADDED, 4, "M to -M"),
    _estimate(PrivateCentralMean(2.0, 5.0, 2.5, 10.0), 4, "M to -M"),
    _estimate(PrivateCentralMean(3.0, 5.0, 2.5, 10.0), 1, "one bin to another"),
)
FROZEN = tuple(
    Audit(
        PRIVACY_CENTRAL.id,
        f"frozen.estimate_{'padded_' if mechanism.pad else ''}{swept(eps=mechanism.epsilon, n=2 * fold)}",
        f"{mechanism}, {2 * fold} rewards, every named pair, replayed",
        FrozenReleases(mechanism, pairs=tuple(pairs_of(mechanism, fold).values())),
    )
    for mechanism, fold in ((_ONE, 2), (_PADDED, 4))
)


@dataclass(frozen=True)
class NoisyFrequencies:
    """The frequencies of an estimate's first fold with their noise, before the largest is taken: more than it releases."""

    base: PrivateCentralMean
    theorems: tuple[str, ...] = field(default=(HISTOGRAM_SCALE.id,), init=False, repr=False)

    def guarantee(self) -> PureDP:
        return self.base.guarantee()

    def neighbours(self) -> Neighbours:
        return self.base.neighbours()

    def release(self, data: Sequence[float] | Floats, runs: int, rng: np.random.Generator) -> Floats:
        """Draws `runs` releases, shape (runs, N)."""
        frequencies = self.base.bin_frequencies(data)
        return frequencies + rng.laplace(0.0, central_mean.bin_noise_scale(len(data) // 2, self.base.epsilon), (runs, frequencies.size))


FREQUENCIES = tuple(
    Audit(
        HISTOGRAM_SCALE.id,
        f"privacy.frequencies.{_SLUGS[name]}",
        f"bin frequencies of PrivateCentralMean(epsilon=1.0), {name}",
        PrivacyLoss(NoisyFrequencies(_ONE), 100_000, pair=pairs_of(_ONE, 2)[name], exact=proportion),
    )
    for name, proportion in (("one bin to another", 1.0), ("a bin to none", 0.5))
)

# --- the winning bin, exactly -----------------------------------------------------------------------------------------------------------


def selections(noise: float = 1.0) -> Any:
    """The largest loss of the winning bin over all ways to move one reward, over all histograms of the others; at a fraction of the
    noise."""

    def points() -> Iterator[At]:
        for samples, bins, epsilon in itertools.product((1, 2, 3), (2, 4, 5), (0.1, 1.0, 5.0)):
            scale = noise * central_mean.bin_noise_scale(samples, epsilon)
            worst, where = -math.inf, list[int]()
            for others in itertools.combinations_with_replacement(range(bins + 1), samples - 1):
                distributions = []
                for place in range(bins + 1):  # the last: outside all bins
                    counts = np.bincount((place, *others), minlength=bins + 1)[:bins] / samples
                    distributions.append([probabilities.largest_probability(counts.tolist(), bin, scale=scale) for bin in range(bins)])
                loss = float(np.max(np.abs(np.log(np.array(distributions)[:, None] / np.array(distributions)[None, :]))))
                worst, where = max((worst, where), (loss, list(others)))
            yield At({"n": samples, "N": bins, "epsilon": epsilon, "others in": where}, Fraction(worst), Fraction(epsilon))

    return points


SELECTION = (
    Audit(
        PRIVACY_CENTRAL.id,
        "points.winning_bin",
        "the winning bin of PrivateCentralMean, in closed form",
        Pointwise(
            selections(), "all histograms of n = 1, 2, 3 rewards in N = 2, 4, 5 bins, epsilon 1/10, 1, 5", "epsilon of the winning bin"
        ),
    ),
)

# --- whole runs of PRAE-C ---------------------------------------------------------------------------------------------------------------


class FirstEpoch(NamedTuple):
    """An epoch whose batches are released: its number, the round in which its first batch starts, its fold, truncation and scale."""

    epoch: int
    start: int
    fold: int
    truncation: float
    scale: float


def first_of(policy: CentralElimination, horizon: int) -> FirstEpoch:
    """Of two arms: the first epoch that learns; the third where forced epochs release too (each has one batch)."""
    state = policy.state(2, 0, horizon)
    greedy = policy.exploration in (Exploration.GREEDY, Exploration.PROBABILISTIC)
    epoch = 3 if greedy else next(each for each in range(1, state.forced.shape[0]) if state.forced[each, 2] == 0.0)
    start = sum(int(state.pulls[each, 2]) for each in range(1, epoch))
    return FirstEpoch(epoch, start, int(state.pulls[epoch, 2]) // 2, float(state.truncations[epoch, 2]), float(state.scales[epoch, 2]))


def estimate_of(policy: CentralElimination, first: FirstEpoch) -> PrivateCentralMean:
    """The release of a batch of that epoch as a mechanism of its own."""
    return PrivateCentralMean(policy.epsilon, policy.range, policy.width_of_bins(), first.truncation, policy.pad)


def ends_of(state: State, horizon: int) -> tuple[int, ...]:
    """The last rounds of all batches that a run without eliminations can have, forced or not, and of the run."""
    rounds, start = {horizon - 1}, 0
    for epoch in range(1, state.pulls.shape[0]):
        for _ in range(1 if state.forced[epoch, 2] else 2):
            start += int(state.pulls[epoch, 2])
            rounds |= {round for round in (start - 1, start) if round < horizon}
    return tuple(sorted(rounds))


def lists(first: FirstEpoch, pair: Pair, horizon: int) -> Pair:
    """The first batch of that epoch has these rewards, all else is as in their middle."""
    still = pair[0][-1]
    one, other = ((*((still,) * first.start), *batch, *((still,) * (horizon - first.start - len(batch)))) for batch in pair)
    return reward_list(horizon, one), reward_list(horizon, other)


SHORT, MIXED_SHORT = 0.002, 7.5e-8  # of the threshold, clean and contaminated: epochs 1 and 2 are forced, the third has folds of 4
WHITE = CentralElimination(1.0, range=6.5, failure=0.9, pad=False, threshold_factor=SHORT, view=View.WHITE_BOX)
_MIXED = replace(WHITE, contamination=0.1, threshold_factor=MIXED_SHORT)


def _shown(policy: CentralElimination) -> str:
    default = CentralElimination(policy.epsilon, range=policy.range)
    names = ("contamination", "pad", "batch_is_fold", "exploration", "radius_factor", "threshold_factor", "view")
    values = {name: vars(policy)[name] for name in names if vars(policy)[name] != vars(default)[name]}
    more = "".join(f", {name}={value.value if isinstance(value, (View, Exploration)) else value}" for name, value in values.items())
    return f"CentralElimination(epsilon={policy.epsilon}, range={policy.range}{more})"


def _named(policy: CentralElimination, horizon: int) -> str:
    """The same settings as slugs name them; those of the threshold and the radius go with the number of rounds."""
    kinds = [policy.exploration.value] if policy.exploration is not Exploration.BATCH else []
    kinds += [kind for kind, holds in (("padded", policy.pad), ("one_fold", policy.batch_is_fold)) if holds]
    proportions = {"alpha": policy.contamination} if policy.contamination else {}
    return "_".join([*kinds, swept(eps=policy.epsilon, rounds=horizon, **proportions)])


def run_on(policy: CentralElimination, name: str, horizon: int = 64) -> tuple[Thinned, float]:
    """Runs on the lists of a pair of `pairs_of`, and their exact loss."""
    first = first_of(policy, horizon)
    mechanism = estimate_of(policy, first)
    pair = pairs_of(mechanism, first.fold)[name]
    rounds = ends_of(policy.state(2, 0, horizon), horizon)
    return whole_runs(policy, policy.guarantee(), rounds, horizon, lists(first, pair, horizon)), loss_of_estimate(mechanism, pair)


def _run(policy: CentralElimination, name: str, horizon: int = 64, samples: int = 20_000) -> Audit:
    runs, exact = run_on(policy, name, horizon)
    return Audit(
        PRIVACY_CENTRAL.id,
        f"privacy.run_{_named(policy, horizon)}.{_SLUGS[name]}",
        f"{_shown(policy)}, {horizon} rounds, {name}",
        PrivacyLoss(runs, samples, exact=exact, must_detect=1.5 * policy.epsilon),
    )


RUNS = (
    *(_run(WHITE, name) for name in ("M to -M", "one bin to another", "just above M to -M")),
    _run(WHITE, "M to -M", 256),
    _run(replace(WHITE, pad=True), "one bin to another"),
    _run(replace(WHITE, batch_is_fold=True), "M to -M", 128),
    _run(_MIXED, "M to -M"),
    _run(_MIXED, "one bin to another"),
    *(
        _run(replace(WHITE, exploration=kind, threshold_factor=factor), name)
        for kind, factor in ((Exploration.ROUND, SHORT), (Exploration.GREEDY, 1.0), (Exploration.PROBABILISTIC, 1.0))
        for name in ("M to -M", "one bin to another")
    ),
)

# --- the arms alone ---------------------------------------------------------------------------------------------------------------------


def telling(policy: CentralElimination, horizon: int) -> Pair:
    """Arm 0's second fold is -M or M, then M and M, then J, around its bin; arm 1's is all J: arm 0 falls more often after -M."""
    first = first_of(policy, horizon)
    mechanism = estimate_of(policy, first)
    fold, still = first.fold, pairs_of(mechanism, first.fold)["M to -M"][0][-1]
    end, most = still - 0.5 * mechanism.bin_width, first.truncation * (1.0 - 1e-12)
    before = (still,) * (first.start + fold)
    after = (end + most, end + most, *((end,) * (fold - 3)), *((still,) * fold), *((end,) * fold))
    entries = ((*before, end + sign * most, *after) for sign in (-1.0, 1.0))
    one, other = (reward_list(horizon, (*rewards, *((still,) * (horizon - len(rewards))))) for rewards in entries)
    return one, other


def loss_of_arms(policy: CentralElimination, horizon: int) -> float:
    """The loss of "arm 0 is eliminated in the first epoch that learns" on the pair of `telling`: summed over both arms' winning bins."""
    first = first_of(policy, horizon)
    mechanism = estimate_of(policy, first)
    radius = float(policy.state(2, 0, horizon).twice_radii[first.epoch, 2]) / 2.0 + 1e-300  # elimination_probability asks for a radius > 0
    chances = []
    for table in telling(policy, horizon):
        rewards = [row[0] for row in table][first.start :]
        arms = [distribution_of(mechanism, rewards[start : start + 2 * first.fold]) for start in (0, 2 * first.fold)]
        chances.append(
            sum(
                one_chance * other_chance * probabilities.elimination_probability((one, other), 0, scale=first.scale, radius=radius)
                for one_chance, one in zip(*arms[0], strict=True)
                for other_chance, other in zip(*arms[1], strict=True)
            )
        )
    return math.log(chances[0] / chances[1])


def _arms(policy: CentralElimination, horizon: int) -> Audit:
    runs = whole_runs(policy, policy.guarantee(), ends_of(policy.state(2, 0, horizon), horizon), horizon, telling(policy, horizon))
    return Audit(
        PRIVACY_CENTRAL.id,
        f"privacy.arms_{_named(policy, horizon)}",
        f"{_shown(policy)}, {horizon} rounds, arm 0 falls or not",
        PrivacyLoss(runs, 60_000, exact=loss_of_arms(policy, horizon), must_detect=1.5 * policy.epsilon),
    )


# Folds of 16, in the fifth epoch: so large that the bin is nearly always the right one, and the arms tell what the mean does.
LONGER, MIXED_LONGER = 0.006, 2.7e-7
ARMS = CentralElimination(2.0, range=6.5, failure=0.9, pad=False, threshold_factor=LONGER, radius_factor=0.0)
SEEN = (_arms(ARMS, 128), _arms(replace(ARMS, pad=True), 128), _arms(replace(ARMS, contamination=0.1, threshold_factor=MIXED_LONGER), 128))

GUIDED = replace(WHITE, epsilon=2.0, exploration=Exploration.GREEDY, threshold_factor=1.0, view=View.CENTRAL)
SEEN_GUIDED = tuple(
    Audit(
        PRIVACY_CENTRAL.id,
        f"privacy.arms_{_named(policy, 64)}.{_SLUGS['M to -M']}",
        f"{_shown(policy)}, 64 rounds, the arms of forced epochs, M to -M",
        PrivacyLoss(run_on(policy, "M to -M")[0], 60_000, must_detect=1.5 * policy.epsilon),
    )
    for policy in (GUIDED, replace(GUIDED, exploration=Exploration.PROBABILISTIC))
)
