"""Experiment design: what a number of draws can detect, and how many draws detect what. Deterministic, before any draw.

Privacy: an event makes `guesses` guesses of which neighbour gave an output; under a true loss epsilon each is right with probability at
most exp(epsilon) / (1 + exp(epsilon)). Under mu-GDP, where every output is guessed, Phi(mu / 2). Coverage: `failures` among draws.
"""

import math
from dataclasses import dataclass, replace
from typing import assert_never

from banditproof.audits.evidence import binomial_quantile, binomial_tail
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP

MISSED_WITH = 0.1
LEAK_SHARE = 0.1  # of the false-alarm rate, spent on counting more leaks than there were
TRAIN_SHARE, SELECT_SHARE, SPLIT_MOST = 0.25, 0.15, 100_000  # of all outputs, and at most so many; the rest confirms


@dataclass(frozen=True)
class Splits:
    """Outputs of both sides together: to fit scores, to select the event, to count it."""

    train: int
    select: int
    confirm: int


def splits(samples: int) -> Splits:
    """How many outputs do what. Raises ValueError below 200 outputs in all."""
    if samples < 200:
        raise ValueError(f"samples = {samples}: must be an integer >= 200 (outputs in all: to fit, to select and to count)")
    train, select = min(int(samples * TRAIN_SHARE), SPLIT_MOST), min(int(samples * SELECT_SHARE), SPLIT_MOST)
    return Splits(train, select, samples - train - select)


def right_rate(claim: Guarantee) -> float:
    """The largest probability of a right guess that the claim allows, leaks of (epsilon, delta) aside. Raises ValueError for what is not counted."""
    match claim:
        case PureDP() | ApproximateDP():
            return 1.0 / (1.0 + math.exp(-claim.epsilon))
        case GaussianDP():
            return _normal_cdf(claim.mu / 2.0)
        case ZeroConcentratedDP() | RenyiDP():
            raise ValueError(f"claim {claim}: guesses bound epsilon and mu only; state an (epsilon, delta) level that follows from it")
        case _:
            assert_never(claim)


def loss_of_rate(claim: Guarantee, rate: float) -> float:
    """The inverse: epsilon (or mu) at which `rate` is the largest probability of a right guess; 0 at 1/2 and below, inf at 1."""
    if rate <= 0.5:
        return 0.0
    if rate >= 1.0:
        return math.inf
    if isinstance(claim, GaussianDP):
        from scipy.special import ndtri

        return 2.0 * float(ndtri(rate))
    return math.log(rate / (1.0 - rate))


def claimed_loss(claim: Guarantee) -> float:
    """The number that the audit bounds from below: mu for Gaussian DP, else epsilon."""
    match claim:
        case PureDP() | ApproximateDP():
            return claim.epsilon
        case GaussianDP():
            return claim.mu
        case ZeroConcentratedDP() | RenyiDP():
            raise ValueError(f"claim {claim}: guesses bound epsilon and mu only; state an (epsilon, delta) level that follows from it")
        case _:
            assert_never(claim)


def with_loss(claim: Guarantee, loss: float) -> Guarantee:
    """The claim at another level."""
    return replace(claim, mu=loss) if isinstance(claim, GaussianDP) else replace(claim, epsilon=loss)  # type: ignore[arg-type, call-arg]


@dataclass(frozen=True)
class Leaks:
    """How many right guesses delta may explain in some trials: too few but for a share of the false-alarm rate, on average, and too many."""

    most: int = 0
    mean: float = 0.0
    fewest: int = 0


def leaks(claim: Guarantee, trials: int, false_alarm: float, both_ways: bool, missed_with: float = MISSED_WITH) -> Leaks:
    """Quantiles of the number of trials that delta gives away; the upper one at LEAK_SHARE of the false-alarm rate.

    An (epsilon, delta)-DP pair is a post-processing of randomised response that gives the label away with probability delta
    (Kairouz, Oh and Viswanath 2015, Theorem 3.4); an event that only ever guesses one side can use half of these.
    """
    if not isinstance(claim, ApproximateDP):
        return Leaks()
    share = claim.delta if both_ways else claim.delta / 2.0
    most, fewest = (
        binomial_quantile(trials, share, LEAK_SHARE * false_alarm),
        binomial_quantile(trials, share, 1.0 - LEAK_SHARE * missed_with),
    )
    return Leaks(most, trials * share, fewest)


_NONE = Leaks()


def counting_rate(claim: Guarantee, false_alarm: float) -> float:
    """What is left of the false-alarm rate for the binomial test itself."""
    return false_alarm * (1.0 - LEAK_SHARE) if isinstance(claim, ApproximateDP) else false_alarm


def detectable_rate(rate: float, trials: int, false_alarm: float, missed_with: float, allowed: Leaks = _NONE) -> float:
    """The smallest true success rate that refutes "at most `rate`" with probability at least 1 - missed_with; 1.0 where none does.

    `allowed.most` successes are taken off before the test; a true violation has at least `allowed.fewest` of them for free. Exact binomial.
    """
    from scipy.optimize import brentq
    from scipy.stats import binom

    left = trials - allowed.most
    if left <= 0:
        return 1.0
    needed = int(binom.isf(false_alarm, left, rate))
    while needed <= left and binomial_tail(needed, left, rate) > false_alarm:
        needed += 1
    needed, drawn = needed + allowed.most - allowed.fewest, trials - allowed.fewest
    if needed > drawn:
        return 1.0

    def excess(true: float) -> float:
        return binomial_tail(needed, drawn, true) - (1.0 - missed_with)

    return rate if excess(rate) >= 0.0 else float(brentq(excess, rate, 1.0, xtol=1e-12))


def detectable_loss(
    claim: Guarantee, *, guesses: int, trials: int, false_alarm: float, missed_with: float, both_ways: bool = True
) -> float:
    """The smallest true epsilon (or mu), carried by an event that makes `guesses` guesses in `trials`, that is refuted but for missed_with."""
    allowed = leaks(claim, trials, false_alarm, both_ways, missed_with)
    return loss_of_rate(claim, detectable_rate(right_rate(claim), guesses, counting_rate(claim, false_alarm), missed_with, allowed))


def samples_for_loss(
    claim: Guarantee, *, violation: float, mass: float, false_alarm: float, missed_with: float, both_ways: bool = True
) -> int:
    """Outputs in all (fitting and selecting included) at which a true loss of `violation`, on an event that guesses a share `mass` of the
    outputs, is refuted but for missed_with. Raises ValueError unless violation exceeds the claim and 0 < mass <= 1."""
    if not violation > claimed_loss(claim):
        raise ValueError(f"violation = {violation}: must be > the claimed {claimed_loss(claim)}")
    if not 0.0 < mass <= 1.0:
        raise ValueError(f"mass = {mass}: must be > 0 and <= 1 (share of outputs that the event decides)")

    def detects(samples: int) -> bool:
        trials = splits(samples).confirm
        found = detectable_loss(
            claim, guesses=int(trials * mass), trials=trials, false_alarm=false_alarm, missed_with=missed_with, both_ways=both_ways
        )
        return found <= violation

    high = 256
    while not detects(high):
        high *= 2
        if high > 1 << 40:
            raise ValueError(f"violation = {violation}: no number of outputs below 2 ** 40 shows it on an event of mass {mass}")
    low = max(200, high // 2)
    while high - low > max(1, low // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if detects(middle) else (middle, high)
    return high


@dataclass(frozen=True)
class PlanRow:
    """One line of a plan: an event that decides a share `mass` of the outputs."""

    mass: float
    samples: int
    detectable: float


def plan(
    claim: Guarantee,
    *,
    samples: int | None = None,
    violation: float | None = None,
    false_alarm: float = 0.05,
    missed_with: float = MISSED_WITH,
    masses: tuple[float, ...] = (1.0, 0.5, 0.1, 0.01),
) -> list[PlanRow]:
    """How many draws detect which violation, for events of several masses. Give `samples` or `violation`, not both.

    An event's mass is not known before the audit: Laplace noise at epsilon 1 has one of mass 0.68, a rare leak one of 0.01 or less.
    """
    if (samples is None) == (violation is None):
        raise ValueError("samples, violation: give one of them, and the plan gives the other")
    rows = []
    for mass in masses:
        if violation is not None:
            needed = samples_for_loss(claim, violation=violation, mass=mass, false_alarm=false_alarm, missed_with=missed_with)
            rows.append(PlanRow(mass, needed, violation))
        elif samples is not None:
            trials = splits(samples).confirm
            found = detectable_loss(claim, guesses=int(trials * mass), trials=trials, false_alarm=false_alarm, missed_with=missed_with)
            rows.append(PlanRow(mass, samples, found))
    return rows


def _normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))
