r"""A linear problem on which estimators are compared: arms, how often each is played, reports of clients, and which may be corrupted.

    report    r_j = reward + Lap(2 / epsilon),  reward in {-1, 1} with mean <a_j, theta*>, or N(<a_j, theta*>, 1)
    error     max over the K arms of |<a, estimate - theta*>|, in reward units

Arms and theta* are uniform on the unit sphere of R^d, drawn from the seed. Arms are played in proportion to an approximate G-optimal
design, n times in all; each reward has a client of its own (model M1 of Charisopoulos et al. 2023).
"""

import functools
import math
from dataclasses import dataclass
from typing import NamedTuple, assert_never

import numpy as np

from banditproof import randomness
from banditproof.algorithms.designs.approximate import approximate_g_design
from banditproof.algorithms.mechanisms.client_reports import report_scale
from banditproof.audits.estimation.setting import Purpose, Rewards, Setting
from banditproof.guarantees import require
from banditproof.interaction import Floats, Ints, Words
from banditproof.randomness import generator, key_of

PLAYS = 4  # reports per arm of the design, at least


@dataclass(frozen=True, eq=False)
class Problem:
    """A setting with its arms (K, d), theta (d,), the arms that are played (k,) and the place among these of each report (n,), ascending.

    `gram_inverse` (d, d) is M_n^-1. `counts` (k,) is how often each of the k arms is played.
    """

    setting: Setting
    arms: Floats
    theta: Floats
    played: Ints
    counts: Ints
    index: Ints
    gram_inverse: Floats

    def error(self, estimate: Floats) -> float:
        """max over the arms of |<a, estimate - theta*>|; infinite for an estimate that is not of finite numbers."""
        if not np.isfinite(estimate).all():
            return math.inf
        return float(np.abs(self.arms @ (estimate - self.theta)).max())

    def influence(self, arm: int) -> Floats:
        """<a, M_n^-1 a'> of each played arm a' (k,): by how much a report moves least squares at the arm a, per unit."""
        return np.asarray(self.arms[self.played] @ (self.gram_inverse @ self.arms[arm]), dtype=float)

    def means(self) -> Floats:
        """<a, theta*> of the played arms (k,)."""
        return np.asarray(self.arms[self.played] @ self.theta, dtype=float)


class Draw(NamedTuple):
    """Reports (n,) before their corruption, a uniform number per report that says whether it may be corrupted, and the estimator's key."""

    reports: Floats
    coins: Floats
    key: Words


@functools.lru_cache(maxsize=4)
def problem_of(setting: Setting) -> Problem:
    """The problem of a setting: the same for equal settings. Raises ValueError where n is too small for the design."""
    rng = generator(key_of(setting.seed, "estimation", "problem"))
    arms = _unit_rows(rng.standard_normal((setting.arms, setting.dimension)))
    theta = _unit_rows(rng.standard_normal((1, setting.dimension)))[0]
    weights = approximate_g_design(arms).weights
    played = np.flatnonzero(weights)
    least = PLAYS * played.size
    require(
        setting.samples >= least, f"samples = {setting.samples}: must be >= {least} ({PLAYS} per arm of the design, {played.size} arms)"
    )
    counts = rounded(weights[played], setting.samples)
    index = np.repeat(np.arange(played.size), counts)
    rows = arms[played]
    gram_inverse = np.asarray(np.linalg.inv((rows * counts[:, None]).T @ rows), dtype=float)
    return Problem(setting, arms, theta, played, counts, index, gram_inverse)


def rounded(weights: Floats, samples: int) -> Ints:
    """Whole numbers near samples * weights, each at least 1, of sum `samples` (>= their number): floors, then one more where most was cut
    off, or one less of the largest."""
    ideal = np.maximum(weights / weights.sum() * samples, 1.0)
    ideal *= samples / ideal.sum()
    counts: Ints = np.maximum(np.floor(ideal), 1.0).astype(np.int64)
    for place in np.argsort(counts - ideal, kind="stable")[: max(samples - int(counts.sum()), 0)]:
        counts[place] += 1
    for _ in range(int(counts.sum()) - samples):
        counts[int(np.argmax(counts))] -= 1
    return counts


def drawn(problem: Problem, purpose: Purpose, run: int) -> Draw:
    """The reports of one run, which depend on the setting, the purpose and the run alone."""
    setting = problem.setting
    key = key_of(setting.seed, "estimation", purpose.value)
    rng = generator(key, randomness.REWARDS, run)
    means = problem.means()[problem.index]
    match setting.rewards:
        case Rewards.SIGNS:
            rewards = np.where(rng.random(means.size) < (1.0 + means) / 2.0, 1.0, -1.0)
        case Rewards.GAUSSIAN:
            rewards = means + rng.standard_normal(means.size)
        case _:
            assert_never(setting.rewards)
    noise = generator(key, randomness.CLIENT, run).laplace(0.0, report_scale(setting.epsilon), means.size)
    coins = generator(key, randomness.CORRUPTION, run).random(means.size)
    return Draw(rewards + noise, coins, np.array([*key, run], dtype=np.uint64))


def second_moment(setting: Setting) -> float:
    """A bound on the mean of the square of a clean report: 1 + 8 / epsilon^2 for signs, 2 + 8 / epsilon^2 for Gaussian rewards."""
    return (1.0 if setting.rewards is Rewards.SIGNS else 2.0) + 2.0 * report_scale(setting.epsilon) ** 2


def largest_report(setting: Setting, failure: float, reports: int) -> float:
    """R that none of so many clean reports exceeds in size, except for probability `failure`, with l = log(reports / failure):

    1 + (2 / epsilon) l for signs; 1 + sqrt(2 (l + log 4)) + (2 / epsilon) (l + log 2) for Gaussian rewards, a union over both noises.
    """
    scale = report_scale(setting.epsilon)
    if setting.rewards is Rewards.SIGNS:
        return 1.0 + scale * math.log(reports / failure)
    return 1.0 + math.sqrt(2.0 * math.log(4.0 * reports / failure)) + scale * math.log(2.0 * reports / failure)


def _unit_rows(rows: Floats) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=float)
