"""How guesses of the neighbour bear on a claim: what the claim allows, what a rate of right guesses says of it, which event is best.

    Statistic      the protocol; another privacy definition is another implementation, in a file of its own
    RandomLabel    pure and approximate DP: guesses may be left out, and delta explains some of the right ones
    TradeOff       Gaussian DP: every output is guessed

Every counted trial draws a fair label first and then an output of that neighbour. Whatever the output, an epsilon-DP release lets a guess
of the label be right with probability at most e^epsilon / (1 + e^epsilon), so the right guesses among the guesses are below a binomial:
one exact test uses both directions (research/auditing.md, section 6). With delta, a binomial quantile of leaks is taken off first. A
mu-GDP release is guessed on every output, right with probability at most Phi(mu / 2).
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol, assert_never

import numpy as np
from numpy.typing import NDArray

from banditproof.audits.privacy.claims import claimed_loss, unbounded
from banditproof.audits.privacy.events import Event, Score
from banditproof.audits.privacy.fitting import thresholds
from banditproof.audits.statistics.design import MISS_RATE, Numbers, detectable_rate, power_of_rate
from banditproof.audits.statistics.tails import binomial_quantile, lower_probabilities
from banditproof.guarantees import ApproximateDP, GaussianDP, Guarantee, PureDP, RenyiDP, ZeroConcentratedDP
from banditproof.interaction import Floats, Ints

LEAK_FRACTION = 0.1  # of the false-alarm rate, spent on counting more leaks than there were
SELECT_AT = 1e-3  # events are selected by their bound at this fraction of the false-alarm rate: a hedge against the winner's curse


@dataclass(frozen=True)
class Leaks:
    """How many right guesses delta may explain in some trials: exceeded with LEAK_SHARE of the false-alarm rate; on average; and the
    number that a true violation has at least, except with LEAK_SHARE of the probability of a miss."""

    most: int = 0
    mean: float = 0.0
    fewest: int = 0


@dataclass(frozen=True)
class Best:
    """The best event of one score: its lower bound on the rate of right guesses, and the fraction of the outputs that it guesses."""

    rate: float
    event: Event
    mass: float


class Statistic(Protocol):
    """What the counts of an event say of one claim."""

    @property
    def claim(self) -> Guarantee: ...
    @property
    def symbol(self) -> str: ...  # what is bounded: "epsilon" or "mu"
    @property
    def claimed(self) -> float: ...  # the claim's own level
    @property
    def delta(self) -> float: ...  # 0 where the claim has none
    @property
    def abstains(self) -> bool: ...  # whether an event may leave outputs without a guess, and each direction has a bound of its own
    @property
    def right_rate(self) -> float: ...  # the largest probability of a right guess that the claim allows, leaks aside

    def rate_of_loss(self, loss: float) -> float:
        """The largest probability of a right guess at a true loss, which is >= 0 and may be inf."""

    def loss_of_rate(self, rate: float) -> float:
        """The loss at which `rate` is the largest probability of a right guess; 0 at 1/2 and below, inf at 1."""

    def leaks(self, trials: int, false_alarm: float, both_ways: bool, miss_rate: float = MISS_RATE) -> Leaks:
        """Quantiles of the number of trials that delta gives away."""

    def counting_rate(self, false_alarm: float) -> float:
        """What is left of the false-alarm rate (or of the probability of a miss) for the binomial test itself."""

    def detectable_loss(
        self, *, guesses: int | Numbers, trials: int, false_alarm: float, miss_rate: float, both_ways: bool = True
    ) -> float:
        """The smallest true loss that is refuted except with probability miss_rate, by an event that guesses `guesses` of `trials`, or so
        many as there may be; inf where none is, and only there."""

    def detects(
        self, loss: float, *, guesses: int | Numbers, trials: int, false_alarm: float, miss_rate: float, both_ways: bool = True
    ) -> bool:
        """Whether a true loss is refuted except with probability miss_rate: whether it reaches `detectable_loss`, which takes longer."""

    def decisions(self, event: Event, outputs: Floats) -> Ints:
        """What the event says of each output: 1 second, 0 first, -1 no guess; shape (n,)."""

    def ratio_cuts(self, score: Score, dataset: Floats, neighbour: Floats) -> Floats:
        """Where to cut outputs (n, 1) that are an exact log likelihood ratio."""

    def best_event(self, score: Score, cuts: Floats, dataset: Floats, neighbour: Floats, false_alarm: float) -> Best:
        """The best event of one score on selecting draws, by a lower bound that is hedged against having been selected."""


def statistic_of(claim: Guarantee) -> Statistic:
    """The statistic of a claim. Raises ValueError for a privacy definition that guesses do not bound."""
    match claim:
        case PureDP() | ApproximateDP():
            return RandomLabel(claim)
        case GaussianDP():
            return TradeOff(claim)
        case ZeroConcentratedDP() | RenyiDP():
            raise unbounded(claim)
        case _:
            assert_never(claim)


class _BinomialTest:
    """What the exact test of the right guesses can show, which is the same for all statistics. With delta, the truth has the same delta,
    which the event carries too, and what is left of both error rates is spent on counting leaks."""

    def detectable_loss(
        self: Statistic, *, guesses: int | Numbers, trials: int, false_alarm: float, miss_rate: float, both_ways: bool = True
    ) -> float:
        allowed = self.leaks(trials, false_alarm, both_ways, miss_rate)
        rate, missed = self.counting_rate(false_alarm), self.counting_rate(miss_rate)
        return self.loss_of_rate(detectable_rate(self.right_rate, guesses, rate, missed, discounted=allowed.most, given=allowed.fewest))

    def detects(
        self: Statistic, loss: float, *, guesses: int | Numbers, trials: int, false_alarm: float, miss_rate: float, both_ways: bool = True
    ) -> bool:
        allowed = self.leaks(trials, false_alarm, both_ways, miss_rate)
        power = power_of_rate(self.right_rate, guesses, self.counting_rate(false_alarm), discounted=allowed.most, given=allowed.fewest)
        return power(self.rate_of_loss(loss)) >= 1.0 - self.counting_rate(miss_rate)


@dataclass(frozen=True)
class RandomLabel(_BinomialTest):
    """Guesses of a fair label, for pure and approximate DP.

    An (epsilon, delta)-DP pair is a post-processing of randomised response that gives the label away with probability delta
    (Kairouz, Oh and Viswanath 2015, Theorem 3.4); an event that only ever guesses one side can use half of these.
    """

    claim: PureDP | ApproximateDP
    symbol: ClassVar[str] = "epsilon"
    abstains: ClassVar[bool] = True

    @property
    def claimed(self) -> float:
        return claimed_loss(self.claim)

    @property
    def delta(self) -> float:
        return self.claim.delta if isinstance(self.claim, ApproximateDP) else 0.0

    @property
    def right_rate(self) -> float:
        return self.rate_of_loss(self.claim.epsilon)

    def rate_of_loss(self, loss: float) -> float:
        return 1.0 / (1.0 + math.exp(-loss))

    def loss_of_rate(self, rate: float) -> float:
        if rate <= 0.5:
            return 0.0
        return math.inf if rate >= 1.0 else math.log(rate / (1.0 - rate))

    def leaks(self, trials: int, false_alarm: float, both_ways: bool, miss_rate: float = MISS_RATE) -> Leaks:
        if self.delta == 0.0:
            return Leaks()
        fraction = self.delta if both_ways else self.delta / 2.0
        most = binomial_quantile(trials, fraction, LEAK_FRACTION * false_alarm)
        fewest = binomial_quantile(trials, fraction, 1.0 - LEAK_FRACTION * miss_rate)
        return Leaks(most, trials * fraction, fewest)

    def counting_rate(self, false_alarm: float) -> float:
        return false_alarm if self.delta == 0.0 else false_alarm * (1.0 - LEAK_FRACTION)

    def decisions(self, event: Event, outputs: Floats) -> Ints:
        return event.guesses(outputs)

    def ratio_cuts(self, score: Score, dataset: Floats, neighbour: Floats) -> Floats:
        """Quantiles, and multiples of the claimed loss up to 3/2."""
        multiples = self.claimed * np.linspace(-1.5, 1.5, 121)
        return np.unique(np.append(thresholds(score, dataset, neighbour), multiples))

    def best_event(self, score: Score, cuts: Floats, dataset: Floats, neighbour: Floats, false_alarm: float) -> Best:
        trials = len(dataset) + len(neighbour)
        right, wrong = _two_thresholds(cuts, _ordered(score.values(dataset)), _ordered(score.values(neighbour)))
        place = np.arange(len(cuts) + 1)
        both = (place[:, None] > 0) & (place[None, :] > 0)
        allowed = ~both | (place[:, None] < place[None, :])
        lost = np.where(both, self.leaks(trials, false_alarm, True).most, self.leaks(trials, false_alarm, False).most)
        kept = np.maximum(right - lost, 0)
        worth = allowed & _undominated(kept, wrong, allowed)
        rates = np.zeros(kept.shape)
        rates[worth] = lower_probabilities(kept[worth], (kept + wrong)[worth], SELECT_AT * false_alarm)
        low, high = np.unravel_index(int(np.argmax(rates)), rates.shape)
        event = Event(score, float(cuts[low - 1]) if low else None, float(cuts[high - 1]) if high else None)
        if event.low is None and event.high is None:
            high = np.intp(len(cuts) // 2 + 1)
            event = Event(score, None, float(cuts[high - 1]))
        return Best(float(rates[low, high]), event, float(right[low, high] + wrong[low, high]) / trials)


@dataclass(frozen=True)
class TradeOff(_BinomialTest):
    """Guesses of every output, for Gaussian DP: right with probability at most (1 + TV) / 2 = Phi(mu / 2)."""

    claim: GaussianDP
    symbol: ClassVar[str] = "mu"
    abstains: ClassVar[bool] = False
    delta: ClassVar[float] = 0.0

    @property
    def claimed(self) -> float:
        return claimed_loss(self.claim)

    @property
    def right_rate(self) -> float:
        return self.rate_of_loss(self.claim.mu)

    def rate_of_loss(self, loss: float) -> float:
        return _normal_cdf(loss / 2.0)

    def loss_of_rate(self, rate: float) -> float:
        from scipy.special import ndtri

        if rate <= 0.5:
            return 0.0
        return math.inf if rate >= 1.0 else 2.0 * float(ndtri(rate))

    def leaks(self, trials: int, false_alarm: float, both_ways: bool, miss_rate: float = MISS_RATE) -> Leaks:
        return Leaks()

    def counting_rate(self, false_alarm: float) -> float:
        return false_alarm

    def decisions(self, event: Event, outputs: Floats) -> Ints:
        return event.decisions(outputs)

    def ratio_cuts(self, score: Score, dataset: Floats, neighbour: Floats) -> Floats:
        """0, the best there is."""
        return np.zeros(1)

    def best_event(self, score: Score, cuts: Floats, dataset: Floats, neighbour: Floats, false_alarm: float) -> Best:
        in_dataset, in_neighbour = (_above(_ordered(score.values(side)), cuts) for side in (dataset, neighbour))
        right = in_neighbour + (len(dataset) - in_dataset)
        rates = lower_probabilities(right, len(dataset) + len(neighbour), SELECT_AT * false_alarm)
        at = int(np.argmax(rates))
        return Best(float(rates[at]), Event(score, None, float(cuts[at])), 1.0)


def _two_thresholds(cuts: Floats, dataset: Floats, neighbour: Floats) -> tuple[Ints, Ints]:
    """Right and wrong guesses of ordered values by the place of the low and of the high threshold; place 0 is no threshold."""
    never = np.zeros(1, dtype=np.int64)
    high_right, high_wrong = (np.concatenate([never, _above(values, cuts)]) for values in (neighbour, dataset))
    low_right, low_wrong = (np.concatenate([never, _below(values, cuts)]) for values in (dataset, neighbour))
    return low_right[:, None] + high_right[None, :], low_wrong[:, None] + high_wrong[None, :]


def _undominated(right: Ints, wrong: Ints, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the allowed pairs of counts (of one shape) may have the best bound: no allowed pair has more right guesses and at most as
    many wrong ones, nor as many right ones and fewer wrong ones. The bound of a rate grows with right guesses and falls with wrong ones."""
    flat_right, flat_wrong = right[allowed], wrong[allowed]
    order = np.lexsort((flat_wrong, -flat_right))  # most right guesses first, and of those fewest wrong ones
    sorted_right, sorted_wrong = flat_right[order], flat_wrong[order]
    before = np.minimum.accumulate(sorted_wrong)  # the fewest wrong guesses of all that have at least as many right ones
    new = np.concatenate([[True], sorted_wrong[1:] < before[:-1]])
    same = np.concatenate([[False], (sorted_right[1:] == sorted_right[:-1]) & (sorted_wrong[1:] == sorted_wrong[:-1])])
    group = np.cumsum(~same) - 1  # equal pairs stand together, and all or none of them are left
    found = np.zeros(right.shape, dtype=bool)
    left = np.zeros(len(order), dtype=bool)
    left[order] = new[~same][group]
    found[allowed] = left
    return found


def _ordered(values: Floats) -> Floats:
    """Without NaN, which lies on neither side of a threshold."""
    return np.sort(values[~np.isnan(values)])


def _above(ordered: Floats, cuts: Floats) -> Ints:
    """How many values are at least each cut."""
    return np.asarray(len(ordered) - np.searchsorted(ordered, cuts, side="left"))


def _below(ordered: Floats, cuts: Floats) -> Ints:
    """How many values are at most each cut."""
    return np.asarray(np.searchsorted(ordered, cuts, side="right"))


def _normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))
