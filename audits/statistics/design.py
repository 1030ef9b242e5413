"""Experiment design: what a number of draws can detect, and how many draws detect what. Deterministic, before any draw.

Privacy: an event makes `guesses` guesses of which neighbour gave an output; under a true loss epsilon each is right with probability at
most exp(epsilon) / (1 + exp(epsilon)). Under mu-GDP, where every output is guessed, Phi(mu / 2). Coverage: `failures` among draws.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from banditproof.audits.statistics.evidence import BETS, binomial_quantile, binomial_tail
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


def splits(samples: int, *, fitted: bool = True) -> Splits:
    """How many outputs do what; where no score is fitted a fifth selects, however many there are. Raises ValueError below 200 in all."""
    if samples < 200:
        raise ValueError(f"samples = {samples}: must be an integer >= 200 (outputs in all: to fit, to select and to count)")
    if not fitted:
        return Splits(0, samples // 5, samples - samples // 5)
    train, select = min(int(samples * TRAIN_SHARE), SPLIT_MOST), min(int(samples * SELECT_SHARE), SPLIT_MOST)
    return Splits(train, select, samples - train - select)


def right_rate(claim: Guarantee) -> float:
    """The largest probability of a right guess that the claim allows, leaks of (epsilon, delta) aside.

    Raises ValueError for a privacy definition that guesses do not bound.
    """
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
    return replace(claim, mu=loss) if isinstance(claim, GaussianDP) else replace(claim, epsilon=loss)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Leaks:
    """How many right guesses delta may explain in some trials: exceeded with LEAK_SHARE of the false-alarm rate; on average; and the
    number that a true violation has at least, but for LEAK_SHARE of `missed_with`."""

    most: int = 0
    mean: float = 0.0
    fewest: int = 0


def leaks(claim: Guarantee, trials: int, false_alarm: float, both_ways: bool, missed_with: float = MISSED_WITH) -> Leaks:
    """Quantiles of the number of trials that delta gives away.

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
    """What is left of the false-alarm rate (or of the missed rate) for the binomial test itself."""
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
    """The smallest true epsilon (or mu) that is refuted but for missed_with, carried by an event that decides `guesses` of `trials`.

    With delta, the truth is (epsilon, delta) with the same delta, which the event carries too.
    """
    allowed = leaks(claim, trials, false_alarm, both_ways, missed_with)
    missed = counting_rate(claim, missed_with)  # the rest is spent on fewer leaks than expected
    return loss_of_rate(claim, detectable_rate(right_rate(claim), guesses, counting_rate(claim, false_alarm), missed, allowed))


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


# --- events that fail -----------------------------------------------------------------------------------------------------------------


def detectable_failure(claimed: float, *, runs: int, false_alarm: float, missed_with: float = MISSED_WITH) -> float:
    """The smallest true failure probability at which "at most `claimed`" is refuted but for missed_with; 1.0 where none is."""
    return detectable_rate(claimed, runs, false_alarm, missed_with)


def detectable_failure_below(claimed: float, *, runs: int, false_alarm: float, missed_with: float = MISSED_WITH) -> float:
    """The largest true failure probability at which "at least `claimed`" is refuted but for missed_with; 0.0 where none is."""
    return 1.0 - detectable_rate(1.0 - claimed, runs, false_alarm, missed_with)


def runs_for_failure(claimed: float, *, must_detect: float, false_alarm: float, missed_with: float = MISSED_WITH) -> int:
    """Runs at which a true failure probability of `must_detect`, above or below the claimed one, is refuted but for missed_with.

    Raises ValueError unless must_detect is a probability other than the claimed one.
    """
    if not 0.0 <= must_detect <= 1.0 or must_detect == claimed:
        raise ValueError(f"must_detect = {must_detect}: must be >= 0 and <= 1 and not the claimed {claimed}")

    def detects(runs: int) -> bool:
        if must_detect > claimed:
            return detectable_failure(claimed, runs=runs, false_alarm=false_alarm, missed_with=missed_with) <= must_detect
        return detectable_failure_below(claimed, runs=runs, false_alarm=false_alarm, missed_with=missed_with) >= must_detect

    return _fewest(detects, f"must_detect = {must_detect}: no number of runs below 2 ** 40 tells it from the claimed {claimed}")


# --- means of values from 0 up ----------------------------------------------------------------------------------------------------------


def detectable_mean(bound: float, *, runs: int, false_alarm: float, missed_with: float = MISSED_WITH, spread: float = 0.5) -> float:
    """The smallest true mean at which "the mean is at most `bound`" is refuted but for missed_with, by `evidence.mean_evidence`.

    For the law on two values, 0 and m (1 + spread^2), of mean m and standard deviation spread * m: among all laws on [0, inf) with
    these two moments the gambler's wealth grows most slowly there (the logarithm's third derivative is positive). Exact binomial; inf
    where no mean is.
    """
    from scipy.optimize import brentq
    from scipy.stats import binom

    _check_mean(bound, spread)
    paying = 1.0 / (1.0 + spread * spread)
    paid = int(binom.ppf(missed_with, runs, paying))  # at least so many runs pay, but for missed_with
    needed = math.log(1.0 / false_alarm)
    if paid == 0:
        return math.inf

    def excess(exponent: float) -> float:
        return _wealth(runs - paid, paid, math.exp(exponent) * (1.0 + spread * spread)) - needed

    top = 1.0
    while excess(top) < 0.0:
        top *= 2.0
        if top > 512.0:
            return math.inf
    return bound * math.exp(float(brentq(excess, -1.0, top, xtol=1e-12))) if excess(-1.0) < 0.0 else bound


def runs_for_mean(bound: float, *, must_detect: float, false_alarm: float, missed_with: float = MISSED_WITH, spread: float = 0.5) -> int:
    """Runs at which a true mean of `must_detect` is refuted but for missed_with. Raises ValueError unless it exceeds the bound."""
    if not must_detect > bound:
        raise ValueError(f"must_detect = {must_detect}: must be > the bound {bound}")

    def detects(runs: int) -> bool:
        found = detectable_mean(bound, runs=runs, false_alarm=false_alarm, missed_with=missed_with, spread=spread)
        return found <= must_detect

    return _fewest(detects, f"must_detect = {must_detect}: no number of runs below 2 ** 40 tells it from the bound {bound}")


def _wealth(unpaid: int, paid: int, ratio: float) -> float:
    """evidence.mean_evidence of `unpaid` zeros and `paid` values of ratio * bound."""
    wealths = [
        -math.inf if bet == 1.0 and unpaid else unpaid * math.log1p(-bet if unpaid else 0.0) + paid * math.log1p(bet * (ratio - 1.0))
        for bet in BETS
    ]
    top = max(wealths)
    return top + math.log(sum(math.exp(wealth - top) for wealth in wealths)) - math.log(len(BETS))


def _check_mean(bound: float, spread: float) -> None:
    if not (0.0 < bound < math.inf):
        raise ValueError(f"bound = {bound}: must be > 0 and finite (of a mean of values >= 0)")
    if not (0.0 <= spread < math.inf):
        raise ValueError(f"spread = {spread}: must be >= 0 and finite (standard deviation over mean)")


# --- medians ----------------------------------------------------------------------------------------------------------------------------


def detectable_median_shift(samples: int, *, false_alarm: float, missed: float = MISSED_WITH) -> float:
    """The smallest distance of P(draw < value) from 1/2 at which "the median is value" is refuted but for `missed`, by the sign test.

    In probability, so for every continuous law; 0.5 where no distance is. Exact binomial.
    """
    return detectable_rate(0.5, samples, false_alarm / 2.0, missed) - 0.5


def samples_for_median_shift(shift: float, *, false_alarm: float, missed: float = MISSED_WITH) -> int:
    """Draws at which the shift is refuted but for `missed`. Raises ValueError unless 0 < shift <= 1/2."""
    if not 0.0 < shift <= 0.5:
        raise ValueError(f"shift = {shift}: must be > 0 and <= 0.5 (distance of P(draw < value) from 1/2)")

    def detects(samples: int) -> bool:
        return detectable_median_shift(samples, false_alarm=false_alarm, missed=missed) <= shift

    return _fewest(detects, f"shift = {shift}: no number of draws below 2 ** 40 shows it")


def _fewest(detects: Callable[[int], bool], none: str) -> int:
    """A number that detects, half of which does not, to a part in a thousand. Raises ValueError with `none` past 2 ** 40."""
    high = 1
    while not detects(high):
        high *= 2
        if high > 1 << 40:
            raise ValueError(none)
    low = high // 2
    while high - low > max(1, low // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if detects(middle) else (middle, high)
    return high
