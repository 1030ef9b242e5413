"""charisopoulos_2023: the batches of the shipped algorithm, recomputed from what its runs log: plays, leverage, thresholds, the budget.

One run per setting, 14 arms of R^3 of which 12 are drawn on the sphere, two in a plane, with noise. What is expected comes from the
statements, at the arms that were active before the batch and the plays that were counted; the design's weights alone are computed by the
shipped design, whose quality the leverage judges without it.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from banditproof.algorithms.designs.approximate import approximate_g_design
from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.policies.robust_arm_elimination.constants import FirstThreshold
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel, DesignArms
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023.run_log import Batch, Bools, Log, leverage_of, logged, rank_of
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import fraction, log, sqrt
from banditproof.interaction import Floats
from banditproof.randomness import key_of
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.charisopoulos_2023 import budget, designs, elimination, first_model, second_model

FARTHEST = 1e12  # for the infinite leverage of a direction that is missed
EXACT = Fraction(1, 10**12)  # relative: what doubles may lose


def _vectors() -> Floats:
    drawn = np.random.default_rng(20).normal(size=(12, 3))
    drawn /= np.linalg.norm(drawn, axis=1)[:, None]
    return np.concatenate([drawn, [[0.5, 0.0, 0.0], [0.3, 0.4, 0.0]]])


VECTORS = _vectors()
THETA = np.array([0.9, 0.3, -0.1])
ARMS, ROUNDS = len(VECTORS), 20_000
NOISY = FixedLinear.of(VECTORS, THETA, standard_deviation=0.1)


@dataclass(frozen=True)
class Setting:
    """A policy by a name, and the horizon that it plays. `player`, of a control, plays in its place."""

    name: str
    policy: RobustArmElimination
    horizon: int = ROUNDS
    seed: int = 7
    environment: FixedLinear = field(default=NOISY, repr=False)
    player: RobustArmElimination | None = None

    @property
    def batches(self) -> int:
        """B: as given, or ceil(log T)."""
        return self.policy.batches if self.policy.batches is not None else max(2, math.ceil(math.log(self.horizon)))

    @property
    def failure(self) -> Fraction:
        """delta' of the whole run: as given, or 1/T."""
        return Fraction(1, self.horizon) if self.policy.failure is None else Fraction(self.policy.failure)

    def size(self, index: int) -> Fraction:
        """m = q^i."""
        return fraction(elimination.SIZE_OF.at(horizon=self.horizon, batches=self.batches, batch_index=index).ball)

    def smallest_weight(self, support: int) -> Fraction:
        """nu of the second model: as given, or 1/k."""
        given = self.policy.truncation_parameter
        return Fraction(1, support) if given is None else Fraction(given)

    def of_design(self, batch: Batch) -> Bools:
        """The arms that the design of a batch covers, as a mask."""
        return batch.before if self.policy.design_arms is DesignArms.ACTIVE else np.ones(batch.before.size, dtype=bool)


@cache
def log_of(setting: Setting) -> Log:
    """The setting's run."""
    policy = setting.policy if setting.player is None else setting.player
    return logged(policy, setting.environment, setting.horizon, key_of(setting.seed, "rounds", setting.name))


# Constants of 1/10 and less, so that arms leave at these horizons.
_FIRST = RobustArmElimination(math.inf, 0.0, batches=6, noise_constant=0.1)
_SECOND = replace(_FIRST, model=ClientModel.SECOND)
_PRIVATE: dict[str, Any] = {"epsilon": 8.0, "corruption": 0.01, "corruption_constant": 0.002, "noise_constant": 0.1}
FIRST = (
    Setting("first", _FIRST),
    Setting("first_default_batches", replace(_FIRST, batches=None), 5_000),
    Setting("first_tight_design", replace(_FIRST, design_factor=1.05, failure=0.25)),
    Setting("first_all_arms", replace(_FIRST, design_arms=DesignArms.ALL)),
    Setting("first_private", replace(_FIRST, **_PRIVATE)),
    Setting("first_many_batches", replace(_FIRST, batches=20), 3_000),
)
SECOND = (
    Setting("second", _SECOND),
    Setting("second_small_nu", replace(_SECOND, truncation_parameter=0.02)),
    Setting("second_large_nu", replace(_SECOND, truncation_parameter=0.75, batches=8)),
    Setting("second_private", replace(_SECOND, **_PRIVATE)),
)
INTERVAL = tuple(
    Setting(f"{each.name}_50", replace(each.policy, variant=FirstThreshold.DISPLAY_50), each.horizon) for each in (FIRST[2], FIRST[4])
)
LEVERAGE_48 = Setting("first_private_48", replace(FIRST[4].policy, variant=FirstThreshold.DISPLAY_48))
LINE = tuple(Setting(f"{each.name}_line", replace(each.policy, leading_one=False), each.horizon) for each in (SECOND[1], SECOND[3]))

# --- plays --------------------------------------------------------------------------------------------------------------------------------


def counts(settings: tuple[Setting, ...]) -> Iterator[At]:
    """Plays of every arm in every batch, beside the weights of the design of the arms that were active before."""
    for setting in settings:
        for batch in log_of(setting).learned:
            covered = np.flatnonzero(setting.of_design(batch))
            rank, size = rank_of(VECTORS[covered]), setting.size(batch.index)
            weights = np.zeros(ARMS)
            weights[covered] = approximate_g_design(VECTORS[covered], setting.policy.design_factor * rank).weights
            support = np.count_nonzero(weights)
            for arm in range(ARMS):
                where = {"run": setting.name, "batch": batch.index, "arm": arm}
                yield At(where, int(batch.counts[arm]), _count(setting, size, float(weights[arm]), int(support)))


def _count(setting: Setting, size: Fraction, weight: float, support: int) -> Any:
    if weight == 0.0:
        return 0
    known = {"size": size, "active_weight": Fraction(weight)}
    if setting.policy.model is ClientModel.FIRST:
        return designs.COUNT_FIRST.at(**known).ball
    return designs.COUNT_SECOND.at(**known, truncation_parameter=setting.smallest_weight(support)).ball


def totals(theorem: Theorem, settings: tuple[Setting, ...]) -> Iterator[At]:
    """Plays of whole batches."""
    for setting in settings:
        for batch in log_of(setting).learned:
            support = int(np.count_nonzero(batch.counts))
            more: dict[str, Any] = {"support": support} if theorem is not designs.PLAYS_FLOOR else {}
            if theorem is designs.PLAYS_SECOND:
                more["truncation_parameter"] = setting.smallest_weight(support)
            claimed = theorem.at(size=setting.size(batch.index), **more).ball
            yield At({"run": setting.name, "batch": batch.index}, batch.plays, claimed)


def leverages(theorem: Theorem, settings: tuple[Setting, ...]) -> Iterator[At]:
    """The leverage of the arms of a batch in the Gram matrix of its reports, by dense linear algebra."""
    for setting in settings:
        for batch in log_of(setting).learned:
            covered = np.flatnonzero(setting.of_design(batch))
            played = batch.counts[covered] if setting.policy.model is ClientModel.FIRST else np.minimum(batch.counts[covered], 1)
            known: dict[str, Any] = {"dimension": rank_of(VECTORS[covered])}
            if theorem is first_model.LEVERAGE_FIRST:
                known["size"] = setting.size(batch.index)
            value = Fraction(min(leverage_of(VECTORS[covered], played.astype(float)), FARTHEST))
            yield At({"run": setting.name, "batch": batch.index}, value, theorem.at(**known).ball)


def fitting(settings: tuple[Setting, ...]) -> Iterator[At]:
    """How many batches were learned from, beside the number that certainly fits; a support of d d' <= K arms at most counts."""
    for setting in settings:
        found = log_of(setting)
        support = max(int(np.count_nonzero(batch.counts)) for batch in found.learned)
        # nu near 0 is the first model
        nu = Fraction(1, 10**12) if setting.policy.model is ClientModel.FIRST else setting.smallest_weight(support)
        claimed = budget.BATCHES_THAT_FIT.at(horizon=setting.horizon, batches=setting.batches, support=support, truncation_parameter=nu)
        yield At({"run": setting.name}, min(len(found.learned), setting.batches - 1), claimed.ball)


def left(settings: tuple[Setting, ...]) -> Iterator[At]:
    """Rounds of the last batch: T less the plays of the others, all of one arm. Claimed: what the counts of the other batches leave."""
    for setting in settings:
        found = log_of(setting)
        alone = found.exploited.counts.max()
        yield At({"run": setting.name}, int(alone), setting.horizon - sum(batch.plays for batch in found.learned))


def _audit(theorem: Theorem, slug: str, words: str, points: Callable[[], Iterator[At]], quantity: str, sense: Sense) -> Audit:
    return Audit(theorem.id, f"points.{slug}", words, Pointwise(points, "the batches of the listed runs", quantity, sense))


BOTH = (*FIRST, *SECOND)
PLAYS = (
    _audit(designs.COUNT_FIRST, "played", "plays of each arm in runs of M1", partial(counts, FIRST), "plays", Sense.EQUALS),
    _audit(designs.COUNT_SECOND, "played", "plays of each arm in runs of M2", partial(counts, SECOND), "plays", Sense.EQUALS),
    *(
        _audit(theorem, "played", f"plays of the batches of {len(runs)} runs", partial(totals, theorem, runs), "plays", sense)
        for theorem, runs, sense in (
            (designs.PLAYS_FLOOR, BOTH, Sense.AT_LEAST),
            (designs.PLAYS_FIRST, FIRST, Sense.AT_MOST),
            (designs.PLAYS_SECOND, SECOND, Sense.AT_MOST),
        )
    ),
    _audit(budget.BATCHES_THAT_FIT, "played", "batches of runs of both models", partial(fitting, BOTH), "batches", Sense.AT_LEAST),
    _audit(budget.BATCHES_THAT_FIT, "played_to_the_end", "one arm in all rounds that are left", partial(left, BOTH), "plays", Sense.EQUALS),
)
LEVERAGES = tuple(
    _audit(theorem, "played", "the leverage in the batches of runs", partial(leverages, theorem, runs), "leverage", Sense.AT_MOST)
    for theorem, runs in ((first_model.LEVERAGE_FIRST, FIRST), (second_model.LEVERAGE_SECOND, SECOND))
)

# --- thresholds ---------------------------------------------------------------------------------------------------------------------------


def thresholds(theorem: Theorem, settings: tuple[Setting, ...]) -> Iterator[At]:
    """How far the threshold that a run released is from the statement's, relative to it. Without privacy epsilon is 1e30."""
    for setting in settings:
        for batch in log_of(setting).learned:
            released = Fraction(batch.gamma)
            claimed = fraction(theorem.at(**known_of(theorem, setting, batch)).ball)
            yield At({"run": setting.name, "batch": batch.index}, abs(released - claimed) / claimed, EXACT)


def known_of(theorem: Theorem, setting: Setting, batch: Batch) -> dict[str, Any]:
    """The values of a threshold at a batch of a run."""
    policy, support = setting.policy, int(np.count_nonzero(batch.counts))
    failure = elimination.ROUND_FAILURE_OF.at(failure=setting.failure, arms=ARMS, horizon=setting.horizon).ball
    known = {
        "size": setting.size(batch.index),
        "dimension": rank_of(VECTORS[np.flatnonzero(setting.of_design(batch))]),
        "corruption": Fraction(policy.corruption),
        "epsilon": Fraction(10**30) if policy.epsilon == math.inf else Fraction(policy.epsilon),
        "failure": fraction(failure),
        "corruption_constant": Fraction(policy.corruption_constant),
        "noise_constant": Fraction(policy.noise_constant),
    }
    if policy.model is ClientModel.SECOND:
        known |= {"support": support, "truncation_parameter": setting.smallest_weight(support)}
    return known


def displayed(setting: Setting) -> Iterator[At]:
    """The threshold by (48), with constants, at the leverage of the active arms and the plays that were counted; written out here, since
    the statement has its constants suppressed."""
    for batch in log_of(setting).learned:
        known = known_of(first_model.INTERVAL_FIRST_LEVERAGE, setting, batch)
        alpha, epsilon, delta = known["corruption"], known["epsilon"], known["failure"]
        rows = VECTORS[batch.before]
        mu, n = Fraction(leverage_of(rows, batch.counts[batch.before].astype(float))), batch.plays
        short, longer = log(1 / delta), log(n / delta)
        replaced = mu * (n * sqrt(alpha) + sqrt(n * alpha * short)) * (1 + sqrt(longer) + longer / epsilon)
        noise = sqrt(mu * short) * (1 + sqrt(short) / epsilon)
        claimed = known["corruption_constant"] * replaced + known["noise_constant"] * noise + alpha
        yield At({"run": setting.name, "batch": batch.index}, abs(Fraction(batch.gamma) - claimed) / claimed, EXACT)


THRESHOLDS = (
    *(
        _audit(theorem, "played", "thresholds that runs release", partial(thresholds, theorem, runs), "relative distance", Sense.AT_MOST)
        for theorem, runs in (
            (first_model.THRESHOLD_FIRST, FIRST),
            (first_model.THRESHOLD_FIRST_INTERVAL, INTERVAL),
            (second_model.THRESHOLD_SECOND, SECOND),
            (second_model.THRESHOLD_SECOND_LINE, LINE),
        )
    ),
    _audit(
        first_model.INTERVAL_FIRST_LEVERAGE,
        "played_48",
        "thresholds by (48)",
        partial(displayed, LEVERAGE_48),
        "relative distance",
        Sense.AT_MOST,
    ),
)
