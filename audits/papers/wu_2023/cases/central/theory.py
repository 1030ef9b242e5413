"""wu_2023: the central-moment statements as formulas: the winning bin on distributions of two values, the chosen parameters beside the
pieces they come from, the batches of the regret proof, from where each explicit regret bound says anything, and the parts of the lower
bound.

Nothing is drawn, and no policy is run.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.vacuity import Vacuity
from banditproof.audits.papers.wu_2023.cases.lower_bounds import uniform_regret
from banditproof.audits.running.audit import Audit, swept
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import exp, fraction, log, power
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.wu_2023 import (
    central,
    central_radii,
    central_regret,
    central_remarks,
    lower_bound,
    lower_bound_whole,
)

# --- the winning bin --------------------------------------------------------------------------------------------------------------------

_WINNER: dict[str, Any] = {
    "range": 20,
    "bin_width": 4,
    "moment": 2,
    "true_contamination": 0,
    "failure": Fraction(1, 20),
    "epsilon": 1,
    "fold_samples": 100_000,
}


@dataclass(frozen=True)
class TwoValues:
    """One value with a probability, else another; the variance is at most 1."""

    one: Fraction
    proportion: Fraction
    other: Fraction

    def mean(self) -> Fraction:
        return self.one * self.proportion + self.other * (1 - self.proportion)


def worst_start(distribution: TwoValues) -> Fraction:
    """The largest distance from the mean of a bin's left end that wins the private histogram with a probability above the failure.

    One bin wins surely enough where its probability is the largest by more than 2 C_1. Where no bin has any, each of them wins alike.
    """
    bound, width = Fraction(_WINNER["range"]), Fraction(_WINNER["bin_width"])
    bins = int(2 * bound / width)
    mass = [Fraction(0)] * bins
    for value, proportion in ((distribution.one, distribution.proportion), (distribution.other, 1 - distribution.proportion)):
        place = (value + bound) // width
        if 0 <= place < bins:
            mass[place] += proportion
    starts = [-bound + place * width for place in range(bins)]
    known = {name: _WINNER[name] for name in ("fold_samples", "epsilon", "range", "failure")}
    room = 2 * fraction(central.BIN_ERROR.at(**known).ball)
    best = max(mass)
    possible = [start for start, proportion in zip(starts, mass, strict=True) if proportion >= best - room]
    if len(possible) > 1 and (best > 0 or Fraction(1, bins) <= _WINNER["failure"]):
        raise ValueError(f"{distribution}: nothing says which of {len(possible)} bins wins")
    return max(abs(start - distribution.mean()) for start in possible)


def winners(theorem: Theorem, distributions: tuple[TwoValues, ...]) -> Callable[[], Iterator[At]]:
    def points() -> Iterator[At]:
        for distribution in distributions:
            where = {
                "mean": distribution.mean(),
                "values": f"{distribution.one}, {distribution.other}",
                "fraction": distribution.proportion,
            }
            yield At(where, worst_start(distribution), theorem.at(mean_size=abs(distribution.mean()), **_WINNER).ball)

    return points


_HALF, _MOST = Fraction(1, 2), Fraction(99, 100)
ALWAYS_AT_THE_END = (TwoValues(Fraction(20), _HALF, Fraction(20)), TwoValues(Fraction(-201, 10), _HALF, Fraction(-199, 10)))
INSIDE = (
    TwoValues(Fraction(0), _HALF, Fraction(0)),
    TwoValues(Fraction(-1, 10), Fraction(3, 5), Fraction(19, 10)),  # the mean 7/10 lies in the bin after the winner
    TwoValues(Fraction(79, 20), _MOST, Fraction(0)),  # and 3.91 in that of the winner, near its end
)
WINNER = (
    Audit(
        central_radii.INITIAL_DISTANCE.id,
        "points.two_values",
        "distributions of two values, in the middle and at an end of the range",
        Pointwise(
            winners(central_radii.INITIAL_DISTANCE, (*INSIDE, ALWAYS_AT_THE_END[0])),
            "10 bins of width 4, 100000 rewards, epsilon 1, failure 1/20",
            "distance",
        ),
    ),
    Audit(
        central_radii.INITIAL_DISTANCE.id,
        "points.printed_at_end",
        "as printed, at an end of the range",
        Pointwise(
            winners(central_radii.INITIAL_DISTANCE.as_printed(), ALWAYS_AT_THE_END[:1]),
            "10 bins of width 4, 100000 rewards, epsilon 1, failure 1/20",
            "distance",
        ),
        expected=Verdict.REFUTED,
    ),
)


def tails(times: Fraction) -> Callable[[], Iterator[At]]:
    """What Hoeffding and the Laplace tail leave at C_1 for a multiple of the failure, summed over the bins, beside failure/2."""

    def points() -> Iterator[At]:
        for samples, epsilon, bins, failure in product(
            (10, 10**6), (Fraction(1, 100), Fraction(1), Fraction(20)), (1, 12, 10**4), (Fraction(1, 10**6), Fraction(1, 2))
        ):
            distance = fraction(
                central_radii.PADDED_BIN_ERROR.at(
                    fold_samples=samples, epsilon=epsilon, bins=bins, failure=min(failure * times, _MOST)
                ).ball
            )
            left = bins * (2 * exp(-samples * distance**2 / 2) + exp(-samples * epsilon * distance / 4))
            yield At({"n": samples, "epsilon": epsilon, "N": bins, "failure": failure}, left, failure / 2)

    return points


TAILS = Audit(
    central_radii.PADDED_BIN_ERROR.id,
    "points.tails",
    "the tails that it inverts, summed over the bins",
    Pointwise(tails(Fraction(1)), "n 10, 10^6, epsilon 1/100 to 20, 1 to 10^4 bins", "probability"),
)

# --- the chosen parameters --------------------------------------------------------------------------------------------------------------


def _at_choice(clean: bool, known: Mapping[str, Any]) -> Fraction:
    """The assembled radius at the paper's bin width and truncation."""
    if clean:
        width = central.CENTRAL_BIN_WIDTH_CLEAN.at(moment=known["moment"]).ball
        cut = central.CENTRAL_TRUNCATION_CLEAN.at(**known).ball
        assembled = central.CENTRAL_RADIUS_CLEAN_ASSEMBLED
    else:
        width = central.CENTRAL_BIN_WIDTH.at(contamination=known["contamination"], moment=known["moment"]).ball
        cut = central.CENTRAL_TRUNCATION.at(**known).ball
        assembled = central.CENTRAL_RADIUS_ASSEMBLED
    return fraction(assembled.at(bin_width=fraction(width), truncation=fraction(cut), **known).ball)


_MOMENTS = (Fraction(2), Fraction(5, 2), Fraction(8))


def tuned(clean: bool, proportion: Fraction = Fraction(1)) -> Callable[[], Iterator[At]]:
    """The assembled radius beside a fraction of the tuned one, at the least n that the corollary admits and beyond."""
    theorem = central_radii.CENTRAL_RADIUS_CLEAN_TUNED if clean else central_radii.CENTRAL_RADIUS_TUNED

    def points() -> Iterator[At]:
        outliers: tuple[Fraction, ...] = () if clean else (Fraction(1, 10**5), Fraction(1, 50), Fraction(132, 1000))
        for epsilon, moment, failure, times in product(
            (Fraction(1, 100), Fraction(1)), _MOMENTS, (Fraction(1, 10**6), _HALF), (1, 10, 10**6)
        ):
            for alpha in outliers or (Fraction(0),):
                known: dict[str, Any] = {"epsilon": epsilon, "moment": moment, "failure": failure}
                if not clean:
                    known["contamination"] = alpha
                known["fold_samples"] = times * _least(clean, epsilon, alpha, failure)
                claimed = fraction(theorem.at(range=20, **known).ball)
                yield At(known, _at_choice(clean, known), claimed * proportion)

    return points


def _least(clean: bool, epsilon: Fraction, alpha: Fraction, failure: Fraction) -> int:
    """The required number of draws in a fold, for a range of 20, rounded up."""
    known: dict[str, Any] = {"epsilon": epsilon, "range": 20, "failure": failure}
    if clean:
        return -int(-central.CENTRAL_SAMPLES_CLEAN.at(**known).bound // 1) + 1
    required = central.CENTRAL_SAMPLES.at(contamination=alpha, bin_constant=4_500_000, **known)
    return -int(-required.bound // 1) + 1


_CHOICES = "epsilon 1/100, 1, k 2, 5/2, 8, failure 1e-6, 1/2, the least n and 10, 10^6 times it"
TUNED = (
    Audit(
        central_radii.CENTRAL_RADIUS_CLEAN_TUNED.id,
        "points.assembled_radius",
        "the assembled radius at the chosen truncation",
        Pointwise(tuned(True), _CHOICES, "radius"),
    ),
    Audit(
        central_radii.CENTRAL_RADIUS_TUNED.id,
        "points.assembled_radius",
        "the assembled radius at the chosen truncation",
        Pointwise(tuned(False), f"{_CHOICES}, alpha_1 1e-5, 1/50, 0.132", "radius"),
    ),
)


def enough(proportion: Fraction = Fraction(1)) -> Callable[[], Iterator[At]]:
    """The tuned radius at a fraction of the stated number of draws, rounded up, beside the wanted accuracy."""

    def points() -> Iterator[At]:
        for eta, epsilon, moment, failure in product(("1/100", "9/10"), ("1/10", "1"), _MOMENTS, ("1/1000", "1/2")):
            known: dict[str, Any] = {"epsilon": epsilon, "moment": moment, "failure": failure, "range": 20}
            count = central_radii.CENTRAL_SAMPLE_COMPLEXITY_EXPLICIT.at(accuracy=eta, **known).bound
            draws = max(_least(True, Fraction(epsilon), Fraction(0), Fraction(failure)), -int(-(count * float(proportion)) // 1))
            radius = central_radii.CENTRAL_RADIUS_CLEAN_TUNED.at(fold_samples=draws, **known).ball
            yield At({"accuracy": eta, **known, "n": draws}, fraction(radius), Fraction(eta))

    return points


ENOUGH = Audit(
    central_radii.CENTRAL_SAMPLE_COMPLEXITY_EXPLICIT.id,
    "points.tuned_radius",
    "the tuned radius at so many draws",
    Pointwise(enough(), "eta 1/100, 9/10, epsilon 1/10, 1, k 2, 5/2, 8, failure 1/1000, 1/2", "radius"),
)

# --- the batches of the regret proof ----------------------------------------------------------------------------------------------------


def surviving(clean: bool, proportion: Fraction = Fraction(1)) -> Callable[[], Iterator[At]]:
    """Epochs that an arm can survive on the good event, with gaps just below 4 tuned radii of a fold of half the batch.

    Under contamination an arm of group one goes at once (step group_one_goes_at_once) unless alpha_1 and epsilon are tiny.
    """
    theorem = central_regret.CENTRAL_BATCH_CLEAN if clean else central_regret.CENTRAL_BATCH
    radius = central_radii.CENTRAL_RADIUS_CLEAN_TUNED if clean else central_radii.CENTRAL_RADIUS_TUNED

    def points() -> Iterator[At]:
        alpha = Fraction(1, 10**8)
        epochs = range(16, 61, 4) if clean else range(56, 81, 2)
        epsilons = (Fraction(1, 10), Fraction(1)) if clean else (alpha / 100, alpha / 10)
        for epoch, epsilon, moment, active in product(epochs, epsilons, _MOMENTS, (1, 11)):
            failure = Fraction(1, 10**6)
            each = failure / (2 * active * epoch**2)
            known: dict[str, Any] = {"epsilon": epsilon, "moment": moment, **({} if clean else {"contamination": alpha})}
            fold = 2 ** (epoch - 1)
            if fold < _least(clean, epsilon, alpha, each):
                continue
            most = 4 * fraction(radius.at(fold_samples=fold, range=20, failure=each, **known).ball)
            gap = (most * Fraction(999, 1000)).limit_denominator(10**24)
            if clean or gap >= 200 * power(alpha, 1 - 1 / moment):
                where = {"active": active, "epoch": epoch, "failure": failure, **known, "unbounded_gap": gap}
                yield At(where, Fraction(2**epoch), fraction(theorem.at(**where).ball) * proportion)

    return points


_GAPS = "k 2, 5/2, 8, 1 and 11 arms, gap 3.996 radii"
BATCHES = (
    Audit(
        central_regret.CENTRAL_BATCH_CLEAN.id,
        "points.surviving_arms",
        "arms that can survive an epoch",
        Pointwise(surviving(True), f"epochs 16 to 60, epsilon 1/10, 1, {_GAPS}", "batch"),
    ),
    Audit(
        central_regret.CENTRAL_BATCH.id,
        "points.surviving_arms",
        "arms that can survive an epoch",
        Pointwise(surviving(False), f"epochs 56 to 80, epsilon 1e-10, 1e-9, alpha_1 1e-8, {_GAPS}", "batch"),
    ),
)

# --- the regret -------------------------------------------------------------------------------------------------------------------------


def bound_of(theorem: Theorem, **known: Any) -> Callable[[int], float]:
    """The bound at a horizon, for k = 2."""
    return lambda horizon: theorem.at(horizon=horizon, moment=2, **known).bound


def _vacuity(theorem: Theorem, arms: int, bound: int, alpha: str = "") -> Audit:
    known: dict[str, Any] = {"arms": arms, "epsilon": 1, "range": bound, **({"contamination": alpha} if alpha else {})}
    proportions = {"alpha": alpha} if alpha else {}
    shown = f", contamination {alpha}" if alpha else ""
    return Audit(
        theorem.id,
        f"vacuity.{arms}_arms_{swept(range=bound, **proportions)}",
        f"first horizon at which it says anything: {arms} arms, range {bound}{shown}, gap {2 * bound}",
        Vacuity(bound_of(theorem, **known), 2.0 * bound, least=arms, parameters={**known, "epsilon": "1"}),
    )


VACUITY = (
    _vacuity(central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT, 2, 10),
    _vacuity(central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT, 11, 1000),
    _vacuity(central_remarks.REGRET_EMBEDDED_CLEAN_EXPLICIT, 2, 10),
    _vacuity(central_remarks.REGRET_EMBEDDED_CLEAN_EXPLICIT, 11, 1000),
    _vacuity(central_regret.REGRET_CENTRAL_EXPLICIT, 2, 1000, "1/1000"),
    _vacuity(central_regret.REGRET_CENTRAL_EXPLICIT, 11, 10, "1/50"),  # 200 alpha_1^(1/2) exceeds the gap: at no horizon
    _vacuity(central_remarks.REGRET_EMBEDDED_EXPLICIT, 2, 1000, "1/100000"),
    _vacuity(central_remarks.REGRET_EMBEDDED_EXPLICIT, 2, 1000, "1/100"),  # (D + 1) 16 (8 alpha_1)^(1/2) does: at no horizon
)


def compared(proportion: Fraction = Fraction(1)) -> Callable[[], Iterator[At]]:
    """The central bound beside a fraction of the embedded one, the range at least 1000 and the horizon large."""

    def points() -> Iterator[At]:
        for horizon, bound, moment in product((10**15, 10**20), (1000, 10**5), _MOMENTS):
            known: dict[str, Any] = {"horizon": horizon, "arms": 5, "epsilon": Fraction(1, 2), "range": bound, "moment": moment}
            for alpha in (None, Fraction(1, 100)):
                proportions = {} if alpha is None else {"contamination": alpha}
                mine = central_regret.REGRET_CENTRAL_CLEAN_EXPLICIT if alpha is None else central_regret.REGRET_CENTRAL_EXPLICIT
                their = central_remarks.REGRET_EMBEDDED_CLEAN_EXPLICIT if alpha is None else central_remarks.REGRET_EMBEDDED_EXPLICIT
                claimed = fraction(their.at(**known, **proportions).ball) * proportion
                yield At({**known, **proportions}, fraction(mine.at(**known, **proportions).ball), claimed)

    return points


COMPARED = Audit(
    central_remarks.ADDITIVE_RANGE.id,
    "points.embedded_bound",
    "the central bound below the embedded one",
    Pointwise(compared(), "D 1000, 10^5, T 10^15, 10^20, k 2, 5/2, 8, alpha_1 0 and 1/100", "regret bound"),
)

# --- lower bounds -----------------------------------------------------------------------------------------------------------------------


def two_coins(factor: Fraction = Fraction(1)) -> Callable[[], Iterator[At]]:
    """A policy of two arms that stays with arm 1 with one probability in the first problem and with another in the second."""

    def points() -> Iterator[At]:
        gap, horizon = Fraction(1, 5), 100
        for one, two in product((Fraction(1, 20), _HALF, Fraction(3, 4), _MOST), (Fraction(1, 20), Fraction(1, 4), Fraction(9, 10))):
            divergence = one * log(one / two) + (1 - one) * log((1 - one) / (1 - two))
            claimed = lower_bound.TWO_REGRETS.at(horizon=horizon, gap=gap, divergence=divergence).ball
            yield At({"p": one, "q": two}, gap * horizon * (1 - one + two), fraction(claimed) * factor)

    return points


def gaussian_scale(moment: int) -> Fraction:
    """1/(1 + (E|Z|^k)^(1/k)) for k = 2 or 4, whose moments are 1 and 3."""
    return 1 / (1 + power({2: 1, 4: 3}[moment], Fraction(1, moment)))


def at_random(theorem: Theorem, factor: Fraction = Fraction(1)) -> Callable[[], Iterator[At]]:
    """The policy that plays at random, in the problem in which one of K Gaussian arms is better by the scale."""

    def points() -> Iterator[At]:
        for horizon, arms, moment in product((10, 1000, 10**6), (2, 11), (2, 4)):
            regret = gaussian_scale(moment) * horizon * Fraction(arms - 1, arms)
            known = {"horizon": horizon, "arms": arms, "moment": moment}
            if theorem is lower_bound_whole.LOWER_BOUND_EXPLICIT:
                for epsilon, alpha in product((Fraction(1, 10**5), Fraction(1)), (Fraction(0), Fraction(2, 5))):
                    rarities = (
                        min(Fraction(1), power((arms - 1) / (horizon * epsilon), Fraction(1, moment))),
                        power(alpha, Fraction(1, moment)),
                    )
                    most = max(regret, *(uniform_regret(arms, horizon, moment, rarity) for rarity in rarities))
                    claimed = theorem.at(**known, epsilon=epsilon, true_contamination=alpha).ball
                    yield At({**known, "epsilon": epsilon, "alpha": alpha}, most, fraction(claimed) * factor)
            else:
                yield At(known, regret, fraction(theorem.at(**known).ball) * factor)

    return points


_RANDOM = "the policy that plays at random; T 10 to 10^6, K 2, 11, k 2, 4"
LOWER = (
    Audit(
        lower_bound.TWO_REGRETS.id,
        "points.two_coins",
        "a policy that stays with one of two arms",
        Pointwise(two_coins(), "T 100, gap 1/5, probabilities 1/20 to 99/100", "sum of two regrets", Sense.AT_LEAST),
    ),
    *(
        Audit(
            theorem.id, "points.random_arm", "an arm at random each round", Pointwise(at_random(theorem), _RANDOM, "regret", Sense.AT_LEAST)
        )
        for theorem in (lower_bound_whole.LOWER_BOUND_GAUSSIAN_EXPLICIT, lower_bound_whole.LOWER_BOUND_EXPLICIT)
    ),
)
