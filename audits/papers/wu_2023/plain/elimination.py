"""Private eliminations in batches, written again from the sheet and from what the policies promise, in plain Python, one message at a time.

`raw`, `central` and `successive` are one row of a schedule: of an epoch with so many active arms. `Session` plays a run of rows: it is
asked for an arm and told the messages that the server got. Only the addresses of random numbers are shared with the shipped code.
"""

import math
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from banditproof import randomness
from banditproof.algorithms.policies.elimination.central import CentralElimination
from banditproof.algorithms.policies.elimination.kernels import ArmOrder, Exploration
from banditproof.algorithms.policies.elimination.robust import Reading, RobustElimination
from banditproof.algorithms.policies.elimination.successive import SuccessiveElimination
from banditproof.audits.common.laplace_numbers import laplace_number, short_stream
from banditproof.interaction import Words
from banditproof.randomness import uniform

Policy = RobustElimination | CentralElimination | SuccessiveElimination
NOTHING = (-1.0, 0.0, 0.0)
FORKS = 64  # counters of CHOICES from here on do not belong to epochs


class Row(NamedTuple):
    """Pulls of a batch, truncation, twice the radius, scales of the noise of a mean and of a frequency, whether exploration is forced."""

    pulls: int
    truncation: float
    gap: float
    scale: float
    bin_scale: float
    forced: bool


class Bins(NamedTuple):
    """Number, left end of the first, width."""

    number: int
    low: float
    width: float


def raw(policy: RobustElimination, horizon: int, epoch: int, active: int) -> Row:
    """Algorithm 1 with Algorithm 2."""
    n, k, alpha, epsilon = 2**epoch, policy.moment, policy.contamination, policy.epsilon
    delta = (1.0 / horizon if policy.failure is None else policy.failure) / (2 * active * epoch**2)
    term = math.log((16.0 if alpha > 0 else 4.0) / (2.0 * delta if policy.literal else delta))
    level = min(epsilon, 1.5) if policy.reading is Reading.REPAIRED and alpha == 0 else epsilon
    size = (n * level / (4.0 * term)) ** (1.0 / k)
    radius = math.sqrt(2.0 * term / n) + 2.0 * (4.0 * term / (n * level)) ** (1.0 - 1.0 / k)
    forced = False
    if alpha > 0:
        size = min(size, (1.0 / (8.0 * alpha)) ** (1.0 / k))
        radius += 2.0 * (8.0 * alpha) ** (1.0 - 1.0 / k)
        forced = n < policy.threshold_factor * math.log(8.0 / delta) / alpha
    return Row(n, size, 2.0 * policy.radius_factor * radius, 2.0 * size / (n * epsilon), 0.0, forced)


def bins(policy: CentralElimination) -> Bins:
    """The histogram of Algorithm 3: r = 10^(1/k), or iota^(1/k)."""
    if policy.contamination == 0:
        width = 10.0 ** (1.0 / policy.moment)
    else:
        alpha = policy.contamination if policy.true_contamination is None else policy.true_contamination
        width = ((1.0 - alpha) / (0.249 - alpha)) ** (1.0 / policy.moment)
    number, low = math.ceil(2.0 * policy.range / width), -policy.range
    return Bins(number + 2, low - width, width) if policy.pad else Bins(number, low, width)


def central(policy: CentralElimination, horizon: int, epoch: int, active: int) -> Row:
    """Algorithm 1 with Algorithm 3."""
    n, k, alpha, epsilon, held = 2 ** (epoch - 1), policy.moment, policy.contamination, policy.epsilon, bins(policy)
    n *= 2 if policy.batch_is_fold else 1
    delta = (1.0 / horizon if policy.failure is None else policy.failure) / (2 * active * epoch**2)
    level = min(epsilon, 1.0) if policy.reading is Reading.REPAIRED else epsilon
    inside = 6.0 * held.number if policy.pad else 16.0 * policy.range
    located = math.log(inside / (2.0 * delta if policy.literal else delta)) / level
    size, term, r = 4.0 * (n * level / math.log(1.0 / delta)) ** (1.0 / k), math.log(16.0 / delta), held.width
    least, outliers = 200.0 * located, 0.0
    if alpha > 0:
        known = alpha if policy.true_contamination is None else policy.true_contamination
        iota, x = (1.0 - known) / (0.249 - known), (1.0 - 4.0 * 0.249) / 6.0
        least = max(iota * math.log(1.0 / delta) / level, max(2.0 / x**2, 4.0 / x) * located, term / alpha**2)
        size = min(size, 4.0 / alpha ** (1.0 / k))
        outliers = (alpha + math.sqrt(2.0 * alpha * term / n) + 2.0 * term / (3.0 * n)) * (size + 2.0 * r)
    radius = 2.0 * outliers + math.sqrt(2.0 * term / n) + 4.0 * (size + 2.0 * r) * term / (3.0 * n) + (2.0 / size) ** (k - 1.0)
    radius += 2.0 * r * (alpha + (2.0 / size) ** k + math.sqrt(term / (2.0 * n))) + 2.0 * size * math.log(8.0 / delta) / (n * level)
    gap, scale = 2.0 * policy.radius_factor * radius, 2.0 * size / (n * epsilon)
    return Row(2 * n, size, gap, scale, 2.0 / (n * epsilon), n < policy.threshold_factor * least)


def successive(policy: SuccessiveElimination, horizon: int, epoch: int, active: int) -> Row:
    """The batches of DPRSE, by the formulas of its module."""
    u, v, epsilon, gap = policy.raw_moment, policy.tail, policy.epsilon, 0.5**epoch
    failure = min(0.5, 1.0 / horizon) if policy.failure is None else policy.failure
    term = math.log(policy.log_constant * active * epoch**2 / failure)
    pulls = math.ceil(u ** (1.0 / v) * (policy.batch_constant / gap) ** ((1.0 + v) / v) * term / epsilon + 1.0)
    size = (u * pulls * epsilon / term) ** (1.0 / (1.0 + v))
    error = u ** (1.0 / (1.0 + v)) * (term / (pulls * epsilon)) ** (v / (1.0 + v))
    return Row(pulls, size, policy.cut_constant * error, 2.0 * size / (pulls * epsilon), 0.0, False)


def row(policy: Policy, horizon: int, epoch: int, active: int) -> Row:
    """The row of a policy."""
    if isinstance(policy, RobustElimination):
        return raw(policy, horizon, epoch, active)
    if isinstance(policy, CentralElimination):
        return central(policy, horizon, epoch, active)
    return successive(policy, horizon, epoch, active)


class Session:
    """A run on K arms."""

    def __init__(self, policy: Policy, arms: int, horizon: int, key: Words, rows: Callable[[int, int], Row]) -> None:
        self.arms, self.horizon, self.key, self.rows = arms, horizon, key, rows
        self.bins = bins(policy) if isinstance(policy, CentralElimination) else None
        successively = isinstance(policy, SuccessiveElimination)
        self.exploration = Exploration.BATCH if isinstance(policy, SuccessiveElimination) else policy.exploration
        self.mixing = policy.mixing if not isinstance(policy, SuccessiveElimination) else 0.0
        if successively or self.exploration is not Exploration.PROBABILISTIC:
            self.mixing = 0.0
        self.order = list(range(arms))
        if policy.arm_order is ArmOrder.PERMUTED:
            self.order.sort(key=lambda arm: self.drawn(FORKS + arm))
        self.means: dict[int, float] = {}
        self.statistic = NOTHING
        self.releases = self.eliminated = 0

    def drawn(self, index: int) -> float:
        return float(uniform(self.key, randomness.CHOICES, index))

    def noise(self, index: int) -> float:
        return laplace_number(short_stream(self.key, randomness.NOISE), index)

    def uniform_arm(self, index: int) -> int:
        return math.floor(self.drawn(index) * self.arms)

    def play(self) -> Generator[int | None, tuple[Sequence[float], int], None]:
        """Yields the arm that is pulled from now on, None where each round draws one; is sent the messages of a batch and their last
        round."""
        active, epoch = self.order, 0
        while True:
            epoch += 1
            if len(active) == 1:
                while True:
                    yield active[0]
            found = self.rows(epoch, len(active))
            if not found.forced:
                for turn, arm in enumerate(active):
                    yield from self.batch(arm, arm, epoch, turn, found)
                best = max(self.means[arm] for arm in active)
                kept = [arm for arm in active if not best - self.means[arm] > found.gap]
                self.eliminated += len(active) - len(kept)
                active = kept
            elif self.exploration is Exploration.BATCH:
                yield from self.batch(self.uniform_arm(epoch), None, epoch, 0, found)
            elif self.exploration is Exploration.ROUND:
                yield from self.batch(None, None, epoch, 0, found)
            else:
                arm = self.guided(epoch)
                yield from self.batch(arm, arm, epoch, 0, found)

    def guided(self, epoch: int) -> int:
        """Uniform with probability mixing, else the first arm without a release, else that of the largest one."""
        if self.drawn(FORKS + self.arms + epoch) < self.mixing:
            return self.uniform_arm(epoch)
        fresh = [arm for arm in self.order if arm not in self.means]
        return fresh[0] if fresh else max(self.order, key=lambda arm: self.means[arm])

    def batch(
        self, pulled: int | None, arm: int | None, epoch: int, turn: int, found: Row
    ) -> Generator[int | None, tuple[Sequence[float], int], None]:
        """The batch of an arm, and the release of its mean where `arm` names whose it is."""
        heard: list[float] = []
        round = -1
        while len(heard) < found.pulls:
            messages, round = yield pulled
            heard.extend(messages)
        if arm is None or round == self.horizon - 1:
            return
        heard = heard[: found.pulls]
        address, centre, own = epoch * self.arms + turn, 0.0, heard
        if self.bins is not None:
            half = found.pulls // 2
            first, own = heard[:half], heard[half:]
            places = [math.floor((value - self.bins.low) / self.bins.width) if abs(value) < 1e15 else -1 for value in first]
            start = FORKS * self.arms + address * self.bins.number
            noisy = [places.count(place) / half + found.bin_scale * self.noise(start + place) for place in range(self.bins.number)]
            centre = self.bins.low + noisy.index(max(noisy)) * self.bins.width
        kept = [value - centre for value in own if abs(value - centre) <= found.truncation]
        self.means[arm] = centre + sum(kept) / len(own) + found.scale * self.noise(address)
        self.statistic = (arm, self.means[arm], centre)
        self.releases += 1
