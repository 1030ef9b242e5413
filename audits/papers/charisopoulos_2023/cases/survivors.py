"""charisopoulos_2023: which arms the shipped algorithm keeps and plays, decision by decision.

Without noise the estimate is theta*, whatever gamma is, and an arm leaves exactly when its gap exceeds 2 gamma: then every line of
section 4 is exact. With noise the decisions are recomputed from what was released. As printed (`restrict_to_coreset`) the best arm leaves
without any noise as soon as the design does not play it: (1, 0), (0, 1) and 0.99 (1, 1)/sqrt(2), theta* = (1, 1)/sqrt(2).
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from banditproof.algorithms.environments.fixed_linear import FixedLinear
from banditproof.algorithms.environments.huber import Huber
from banditproof.algorithms.environments.linear_adversary import LinearAdversary
from banditproof.algorithms.estimators.linear.robust_least_squares import robust_least_squares
from banditproof.algorithms.estimators.linear.variance_bound import BoundRule, VarianceBound
from banditproof.algorithms.policies.robust_arm_elimination.options import ClientModel, DesignArms, FilterBound
from banditproof.algorithms.policies.robust_arm_elimination.policy import RobustArmElimination
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.papers.charisopoulos_2023.cases import rounds
from banditproof.audits.papers.charisopoulos_2023.cases.rounds import Setting, known_of, log_of
from banditproof.audits.papers.charisopoulos_2023.run_log import Batch, Log, leverage_of, logged
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.interaction import Corruption, Floats, Ints, Wire
from banditproof.randomness import key_of
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.charisopoulos_2023 import confidence, elimination, first_model, second_model

SILENT = FixedLinear.of(rounds.VECTORS, rounds.THETA, standard_deviation=0.0)
GAPS = SILENT.means().max() - SILENT.means()
ROUNDING = Fraction(1, 10**9)
THIRD = (0.99 / math.sqrt(2.0),) * 2
MISSED = FixedLinear(((1.0, 0.0), (0.0, 1.0), THIRD), (math.sqrt(0.5),) * 2, standard_deviation=0.0)

_EXACT = RobustArmElimination(math.inf, 0.0, batches=8, noise_constant=0.1)
QUIET = tuple(
    Setting(f"quiet_{model.value}{'_weighted' * weighted}_{constant:g}", policy, environment=SILENT)
    for model, weighted in ((ClientModel.FIRST, False), (ClientModel.SECOND, False), (ClientModel.SECOND, True))
    for constant in (0.03, 0.1)
    for policy in (replace(_EXACT, model=model, weighted=weighted, noise_constant=constant),)
)


def means_of(setting: Setting) -> Floats:
    return setting.environment.means()


def estimates(settings: tuple[Setting, ...]) -> Iterator[At]:
    """Without noise: the largest error of the estimate on an arm that was active."""
    for setting in settings:
        for batch in log_of(setting).learned:
            errors = np.abs(rounds.VECTORS @ batch.theta - means_of(setting))[batch.before]
            yield At({"run": setting.name, "batch": batch.index}, Fraction(float(errors.max())), ROUNDING)


def decisions(settings: tuple[Setting, ...]) -> Iterator[At]:
    """Without noise: 1 for each arm that is active after a batch, beside 1 for each whose gap is at most 2 gamma; gaps within rounding of
    2 gamma are left out."""
    for setting in settings:
        for batch in log_of(setting).learned:
            for arm in np.flatnonzero(np.abs(GAPS - 2.0 * batch.gamma) > 1e-9):
                kept = bool(GAPS[arm] < 2.0 * batch.gamma) and bool(batch.before[arm])
                yield At({"run": setting.name, "batch": batch.index, "arm": int(arm)}, int(batch.after[arm]), int(kept))


def replayed(settings: tuple[Setting, ...]) -> Iterator[At]:
    """With noise: the same by the released estimate."""
    for setting in settings:
        for batch in log_of(setting).learned:
            values = rounds.VECTORS @ batch.theta
            below = values[batch.before].max() - values
            for arm in np.flatnonzero(np.abs(below - 2.0 * batch.gamma) > 1e-9):
                kept = bool(below[arm] < 2.0 * batch.gamma) and bool(batch.before[arm])
                yield At({"run": setting.name, "batch": batch.index, "arm": int(arm)}, int(batch.after[arm]), int(kept))


def best_kept(settings: tuple[Setting, ...]) -> Iterator[At]:
    """How far the best arm's estimate is below the best one, where the intervals hold, and infinitely far once it has left."""
    for setting in settings:
        best = int(np.argmax(means_of(setting)))
        for batch in intervals(setting):
            values = rounds.VECTORS @ batch.theta
            gap = Fraction(float(values[batch.before].max() - values[best])) if batch.after[best] else Fraction(10**9)
            claimed = elimination.BEST_IS_KEPT.at(elimination_threshold=Fraction(batch.gamma)).ball
            yield At({"run": setting.name, "batch": batch.index}, gap, claimed)


def intervals(setting: Setting) -> Iterator[Batch]:
    """The batches up to the first whose estimate is further than gamma from the mean of an active arm."""
    for batch in log_of(setting).learned:
        if (np.abs(rounds.VECTORS @ batch.theta - means_of(setting)) > batch.gamma + 1e-9)[batch.before].any():
            return
        yield batch


def worse_removed(settings: tuple[Setting, ...], theorem: Theorem = elimination.WORSE_IS_REMOVED) -> Iterator[At]:
    """How far an arm is estimated below the best one, beside its gap less 2 gamma."""
    for setting in settings:
        means = means_of(setting)
        best = int(np.argmax(means))
        for batch in intervals(setting):
            values = rounds.VECTORS @ batch.theta
            for arm in np.flatnonzero(batch.before & (means[best] - means > 0.0)):
                known = {"arm_gap": Fraction(float(means[best] - means[arm])), "elimination_threshold": Fraction(batch.gamma)}
                where = {"run": setting.name, "batch": batch.index, "arm": int(arm)}
                yield At(where, Fraction(float(values[best] - values[arm])) + ROUNDING, theorem.at(**known).ball)


def surviving(settings: tuple[Setting, ...], theorem: Theorem = elimination.SURVIVING_GAP) -> Iterator[At]:
    """The largest gap of an arm that stays, beside 4 gamma."""
    for setting in settings:
        means = means_of(setting)
        for batch in intervals(setting):
            largest = Fraction(float((means.max() - means)[batch.after].max()))
            claimed = theorem.at(elimination_threshold=Fraction(batch.gamma)).ball
            yield At({"run": setting.name, "batch": batch.index}, largest, claimed)


def batch_regrets(settings: tuple[Setting, ...]) -> Iterator[At]:
    """The regret of each batch after the first, the last included, by the threshold of the one before."""
    for setting in settings:
        means, held = means_of(setting), list(intervals(setting))
        for before, batch in zip(held, [*log_of(setting).learned, log_of(setting).exploited][1:], strict=False):
            regret = Fraction(float((means.max() - means) @ batch.counts))
            known: dict[str, Any] = {"batch_plays": batch.plays, "elimination_threshold": Fraction(before.gamma)}
            yield At({"run": setting.name, "batch": batch.index}, regret, elimination.BATCH_REGRET_BOUND.at(**known).ball)


def last_arms(settings: tuple[Setting, ...]) -> Iterator[At]:
    """The arm of the last batch, beside the active one of the largest estimate."""
    for setting in settings:
        found = log_of(setting)
        values = np.where(found.learned[-1].after, rounds.VECTORS @ found.learned[-1].theta, -np.inf)
        yield At({"run": setting.name}, int(found.exploited.arms[0]), int(np.argmax(values)))


NOISY = rounds.BOTH
ACTIVE = tuple(each for each in NOISY if each.policy.design_arms is DesignArms.ACTIVE)  # a design of all arms plays those that have left
KEPT = tuple(
    Audit(statement.id, f"points.{slug}", words, Pointwise(points, "the batches of the listed runs", quantity, sense))
    for statement, slug, words, points, quantity, sense in (
        (elimination.BEST_IS_KEPT, "quiet_estimate", "no noise: theta is theta*", partial(estimates, QUIET), "error", Sense.AT_MOST),
        (elimination.BEST_IS_KEPT, "quiet_best_arm", "no noise: the best arm stays", partial(best_kept, QUIET), "gap", Sense.AT_MOST),
        (elimination.BEST_IS_KEPT, "noisy_best_arm", "noise: the best arm stays", partial(best_kept, NOISY), "gap", Sense.AT_MOST),
        (elimination.SURVIVING_GAP, "quiet_arms", "no noise: arms leave beyond 2 gamma", partial(decisions, QUIET), "kept", Sense.EQUALS),
        (elimination.SURVIVING_GAP, "noisy_arms", "noise: the released theta decides", partial(replayed, NOISY), "kept", Sense.EQUALS),
        (elimination.SURVIVING_GAP, "quiet_gaps", "no noise: gaps that stay", partial(surviving, QUIET), "gap", Sense.AT_MOST),
        (elimination.SURVIVING_GAP, "noisy_gaps", "noise: gaps that stay", partial(surviving, NOISY), "gap", Sense.AT_MOST),
        (elimination.WORSE_IS_REMOVED, "quiet_arms", "no noise: estimated gaps", partial(worse_removed, QUIET), "gap", Sense.AT_LEAST),
        (elimination.WORSE_IS_REMOVED, "noisy_arms", "noise: estimated gaps", partial(worse_removed, NOISY), "gap", Sense.AT_LEAST),
        (elimination.BATCH_REGRET_BOUND, "played", "regret of batches", partial(batch_regrets, ACTIVE), "regret", Sense.AT_MOST),
        (elimination.BATCH_REGRET_BOUND, "last_arm", "the last batch's arm", partial(last_arms, NOISY), "arm", Sense.EQUALS),
    )
)

# --- as printed ---------------------------------------------------------------------------------------------------------------------------


@cache
def missed(model: ClientModel, printed: bool) -> Log:
    policy = replace(_EXACT, model=model, restrict_to_coreset=printed)
    return logged(policy, MISSED, rounds.ROUNDS, key_of(3, "missed"))


def least_gaps(printed: bool, theorem: Theorem = elimination.RESTRICTED_TO_CORESET) -> Iterator[At]:
    """The gap of the best arm that stays active, beside 4 gamma."""
    means = MISSED.means()
    for model in ClientModel:
        for batch in missed(model, printed).learned:
            least = Fraction(float((means.max() - means)[batch.after].min()))
            claimed = theorem.at(elimination_threshold=Fraction(batch.gamma)).ball
            yield At({"model": model.value, "batch": batch.index}, least, claimed)


RESTRICTED = (
    Audit(
        elimination.RESTRICTED_TO_CORESET.id,
        "points.played_as_printed",
        "the arms that the printed line 10 keeps, without noise",
        Pointwise(partial(least_gaps, True), "three arms of R^2, both models, 20000 rounds", "gap of the best arm that stays"),
        Verdict.REFUTED,
    ),
    Audit(
        elimination.BEST_IS_KEPT.id,
        "points.played_over_active",
        "the same arms, all active ones compared",
        Pointwise(
            partial(least_gaps, False, elimination.SURVIVING_GAP),
            "three arms of R^2, both models, 20000 rounds",
            "gap of the best arm that stays",
        ),
    ),
)

# --- the printed lambda -------------------------------------------------------------------------------------------------------------------

ATTACKS: tuple[Corruption, ...] = (
    Huber(0.1, high=1e6, low=-3.0, high_probability=0.5, wire=Wire.REPORT),
    Huber(0.05, high=math.inf, wire=Wire.REPORT),
    LinearAdversary(0.2, (1.0, -1.0, 0.5), 50.0),
)


def least_squares(vectors: Floats, arms: Ints, reports: Floats) -> Floats:
    """theta of least norm from reports (n,), those that are no numbers as 0."""
    return np.asarray(np.linalg.lstsq(vectors[arms], np.where(np.isfinite(reports), reports, 0.0), rcond=1e-10)[0], dtype=float)


def printed_scale(rule: FilterBound = FilterBound.OBSERVED) -> Iterator[At]:
    """How far the algorithm with the printed lambda is from least squares over all reports, relative to the largest report, on arms that
    were active; and how many reports it removes."""
    for model in ClientModel:
        policy = RobustArmElimination(2.0, 0.2, model, batches=4, filter_bound=rule, noise_constant=0.01)
        for attack in ATTACKS:
            found = logged(policy, rounds.NOISY, 3000, key_of(11, model.value), attack)
            for batch in found.learned:
                values, places = received(found, batch, model)
                expected = least_squares(rounds.VECTORS, places, values)
                size = max(1.0, float(np.abs(values[np.isfinite(values)]).max(initial=0.0)))
                error = np.abs(rounds.VECTORS @ (batch.theta - expected))[batch.before].max() / size
                where = {"model": model.value, "batch": batch.index, "corruption": type(attack).__name__}
                yield At(where, Fraction(float(error)), ROUNDING)
                yield At({**where, "removed": batch.removed}, batch.removed, 0)


PRINTED_SCALE = Audit(
    confidence.SCALE_OBSERVED.id,
    "points.played_is_least_squares",
    "runs with the printed lambda: nothing is removed, theta is least squares",
    Pointwise(printed_scale, "four batches of both models under three corruptions", "relative distance, or reports removed"),
)

# --- the range lambda ---------------------------------------------------------------------------------------------------------------------


def range_scale(theorem: Theorem, model: ClientModel, rule: FilterBound = FilterBound.RANGE) -> Iterator[At]:
    """How far theta of a run is from robust least squares with lambda = mu |y|^2/n by the lemma's bound on |y|, relative to that bound;
    and how many more or fewer reports are removed."""
    policy = RobustArmElimination(2.0, 0.2, model, batches=4, noise_constant=0.01, truncation_parameter=0.1, filter_bound=rule)
    setting = Setting("range", policy, 3000)
    for seed in range(8):
        key = key_of(seed, "range", model.value)
        found = logged(policy, rounds.NOISY, setting.horizon, key, Huber(0.04, high=1e4, low=-1e4, high_probability=0.5, wire=Wire.REPORT))
        for batch in found.learned:
            values, places = received(found, batch, model)
            rows = np.union1d(np.flatnonzero(batch.before), places)
            index = np.searchsorted(rows, places)
            known = known_of(theorem, setting, batch)
            given = {quantity.name for quantity in theorem.stated().given}
            known |= {"samples": values.size, "maximum_constant": 1}
            bracket = theorem.at(**{name: known[name] for name in given}).bound / math.sqrt(values.size)
            scale = leverage_of(rounds.VECTORS[rows], np.bincount(index, minlength=rows.size).astype(float)) * bracket**2
            words = np.array([key[0], key[1], np.uint64(batch.index << 40)], dtype=np.uint64)  # run 0; a stream per batch
            expected = robust_least_squares(rounds.VECTORS[rows], index, values, VarianceBound(BoundRule.GIVEN, value=scale), words)
            error = np.abs(rounds.VECTORS @ (batch.theta - expected.theta))[batch.before].max() / bracket
            where = {"seed": seed, "batch": batch.index, "removed": batch.removed}
            yield At({**where, "compared": "theta"}, Fraction(float(error)), ROUNDING)
            yield At({**where, "compared": "removals"}, abs(batch.removed - expected.filtered.removed.size), 0)


def received(found: Log, batch: Batch, model: ClientModel) -> tuple[Floats, Ints]:
    """The reports of a batch, and their arms: in the second model those of the blocks' last rounds."""
    rows = np.arange(batch.plays) if model is ClientModel.FIRST else np.flatnonzero(np.append(np.diff(batch.arms) != 0, True))
    return found.wires[Wire.RECEIVED][batch.first : batch.last + 1, 0][rows], batch.arms[rows]


RANGE_SCALE = tuple(
    Audit(
        theorem.id,
        "points.played_range_lambda",
        f"runs of the {model.value} model with lambda by the range of reports: the same estimates and removals",
        Pointwise(partial(range_scale, theorem, model), "the batches of 8 runs, reports of 10^4 in size", "distance, or reports removed"),
    )
    for theorem, model in ((first_model.REPORT_NORM_FIRST, ClientModel.FIRST), (second_model.REPORT_NORM_SECOND, ClientModel.SECOND))
)
