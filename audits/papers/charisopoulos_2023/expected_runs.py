"""What a run of robust arm elimination must do, round by round, from its options and what the server received: `transcribed`, played."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from banditproof.algorithms.estimators.linear.baselines import ClippedLeastSquares, LeastSquares, TrimmedLeastSquares
from banditproof.algorithms.policies.robust_arm_elimination.constants import FirstThreshold
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel, DesignArms, FilterBound
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.papers.charisopoulos_2023 import transcribed
from banditproof.audits.papers.charisopoulos_2023.transcribed import Situation
from banditproof.interaction import Floats, Ints, Words


@dataclass(frozen=True, eq=False)
class Block:
    """A batch: its first round, the arms it plays (n,), and what is released after it: theta (d,), gamma, removed reports, active (K,).

    learned: False of the last batch. close: whether a decision or a uniform number was within rounding of its boundary. unit: the size that
    rounding errors of theta are relative to.
    """

    first: int
    arms: Ints
    theta: Floats
    gamma: float
    removed: int
    active: Ints
    learned: bool
    close: bool = False
    unit: float = 1.0

    @property
    def last(self) -> int:
        return self.first + len(self.arms) - 1


@dataclass(frozen=True, eq=False)
class Learner:
    """Algorithm 1 with a policy's options, on arms (K, d), for a horizon; `key` (3,) is the run's."""

    policy: RobustArmElimination
    vectors: Floats
    horizon: int
    key: Words

    def batches(self, received: Floats) -> Iterator[Block]:
        """The batches of a run whose server received the reports (T,)."""
        options, arms = self.policy, len(self.vectors)
        count = options.batches if options.batches is not None else max(2, math.ceil(math.log(self.horizon)))
        active, played = np.ones(arms, dtype=np.int64), 0
        theta, gamma, removed, close, unit = np.zeros(self.vectors.shape[1]), math.inf, 0, False, 1.0
        for index in range(1, count):
            covered = np.flatnonzero(active) if options.design_arms is DesignArms.ACTIVE else np.arange(arms)
            basis, size = span(self.vectors[covered]), self.horizon ** (index / count)
            if basis.size == 0:
                break
            weights, _ = transcribed.frank_wolfe(self.vectors[covered] @ basis, options.design_factor * basis.shape[1])
            support = covered[weights > 0.0]
            plays = transcribed.plays_of(weights, size, self.least(len(support)))[weights > 0.0]
            if played + plays.sum() > self.horizon:
                break
            heard = received[played : played + plays.sum()]
            values = np.array([min(max(each, -1e60), 1e60) if math.isfinite(each) else 0.0 for each in heard])
            batch = Heard(self, index, size, basis, active, support, plays, values)
            theta, removed, numbers_close, unit = batch.estimate()
            gamma = batch.gamma()
            allowed = [arm for arm in range(arms) if active[arm] and (arm in support or not options.restrict_to_coreset)]
            if allowed:
                best = max(float(self.vectors[arm] @ theta) for arm in allowed)
                below = np.array([best - float(row @ theta) for row in self.vectors])
                close |= numbers_close or bool(np.any(np.abs(below[allowed] - 2.0 * gamma) < 1e-9 * unit))
                active = np.array([int(arm in allowed and below[arm] <= 2.0 * gamma) for arm in range(arms)])
            yield Block(played, np.repeat(support, plays), theta, gamma, removed, active, True, close, unit)
            played += int(plays.sum())
        left = np.flatnonzero(active)
        last = int(left[np.argmax(self.vectors[left] @ theta)])
        if self.horizon > played:
            yield Block(played, np.full(self.horizon - played, last), theta, gamma, removed, active, False, close, unit)

    def least(self, support: int) -> float | None:
        """nu: of the second model as given, or 1/k."""
        if self.policy.model is ClientModel.FIRST:
            return None
        return 1.0 / support if self.policy.truncation_parameter is None else self.policy.truncation_parameter

    @property
    def delta(self) -> float:
        """delta = delta'/(K T^2), delta' as given or 1/T."""
        whole = 1.0 / self.horizon if self.policy.failure is None else self.policy.failure
        return whole / (len(self.vectors) * float(self.horizon) ** 2)


def span(vectors: Floats) -> Floats:
    """Orthonormal columns that span the arms; the identity where these span R^d."""
    _, sizes, directions = np.linalg.svd(vectors, full_matrices=False)
    rank = int((sizes > max(1e-8 * sizes[0], 1e-100)).sum())
    return np.eye(vectors.shape[1]) if rank == vectors.shape[1] else directions[:rank].T


@dataclass(frozen=True, eq=False)
class Heard:
    """A batch as its server sees it: the arms of its blocks and their plays (k,), and the reports of its rounds (n,), all finite."""

    learner: Learner
    index: int
    size: float
    basis: Floats
    active: Ints
    support: Ints
    plays: Ints
    values: Floats

    def reports(self) -> tuple[Floats, Ints, Floats]:
        """Rows, the row of each report, and the reports: in the second model each block's last one, weighted by its plays or not."""
        rows, arms, values = self.learner.vectors @ self.basis, np.repeat(self.support, self.plays), self.values
        if self.learner.policy.model is ClientModel.SECOND:
            arms, values = self.support, values[np.cumsum(self.plays) - 1]
            if self.learner.policy.weighted:
                roots = np.sqrt(self.plays.astype(float))
                return rows[self.support] * roots[:, None], np.arange(len(roots)), values * roots
        members = [arm for arm in range(len(rows)) if self.active[arm] or arm in self.support]
        return rows[members], np.array([members.index(int(arm)) for arm in arms]), values

    def estimate(self) -> tuple[Floats, int, bool, float]:
        """theta (d,), removed reports, whether a uniform number was close to its boundary, and the largest report that was used, or 1."""
        rows, places, values = self.reports()
        unit = max(1.0, float(np.abs(values).max()))
        match self.learner.policy.estimator:
            case None:
                theta, found = transcribed.robust(rows, places, values, self.scale(rows, places, values), self.words())
                kept = max(1.0, float(np.abs(values[found.weights > 0.0]).max()))
                return self.basis @ theta, len(found.removed), found.close, kept
            case TrimmedLeastSquares(trimmed_fraction=fraction):
                return self.basis @ transcribed.trimmed(rows, places, values, fraction), 0, False, unit
            case ClippedLeastSquares(report_bound=bound):
                values = np.array([min(max(value, -bound), bound) for value in values])
            case other:
                if not isinstance(other, LeastSquares):
                    raise ValueError(f"estimator = {other}: must be the filter or one of the baselines (others are not written out here)")
        return self.basis @ transcribed.solved(rows, places, values), 0, False, unit

    def words(self) -> Words:
        """The key of the batch's uniform numbers: the run's, from bit 40 of its last word on the batch's number."""
        key = self.learner.key
        return np.array([int(key[0]), int(key[1]), int(key[2]) + self.index * 2**40], dtype=np.uint64)

    def scale(self, rows: Floats, places: Ints, values: Floats) -> float:
        """lambda of the filter by the rule of the policy."""
        policy, mu = self.learner.policy, transcribed.whitened(rows, places).leverage
        if policy.filter_bound is FilterBound.OBSERVED:
            return mu * math.fsum(value * value for value in values) / len(values)
        if policy.filter_value is not None:
            return policy.filter_value
        if policy.model is ClientModel.FIRST:
            return mu * transcribed.bracket_of(len(values), self.learner.delta, policy.epsilon) ** 2
        rewards = (self.learner.least(len(self.support)) or 0.0) * self.size
        bracket = transcribed.bracket_of(len(self.support), self.learner.delta, policy.epsilon, rewards)
        return mu * bracket**2 * (float(self.plays.max()) if policy.weighted else 1.0)

    def gamma(self) -> float:
        """gamma of the batch by the variant of the policy."""
        policy, learner = self.learner.policy, self.learner
        constants = policy.corruption_constant, policy.noise_constant
        at = Situation(self.basis.shape[1], policy.epsilon, policy.corruption, learner.delta, self.size, *constants)
        if policy.model is ClientModel.SECOND:
            return transcribed.display_55(at, learner.least(len(self.support)) or 0.0, len(self.support), policy.leading_one)
        if policy.variant is FirstThreshold.LINE_9:
            return transcribed.line_9(at)
        if policy.variant is FirstThreshold.DISPLAY_50:
            return transcribed.display_50(at)
        rows, places, values = self.reports()
        return transcribed.display_48(at, transcribed.whitened(rows, places).leverage, len(values))
