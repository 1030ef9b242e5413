"""wu_2023: the lower bounds beside policies whose regret is known exactly."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import power
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.wu_2023 import lower_bound


def uniform_regret(arms: int, horizon: int, moment: int, rarity: Fraction) -> Fraction:
    """The larger regret of "an arm at random each round" in the two problems: its mean regret, exactly; it is 0-private."""
    gap = power(rarity, moment - 1) / 5
    return max(gap * (arms - 1) / arms, (gap + 2 * gap * (arms - 2)) / arms) * horizon


def _against_uniform() -> Iterator[At]:
    for arms, horizon, epsilon, moment in product((2, 5, 50), (1, 100, 10**6), (Fraction(1, 100), Fraction(1), Fraction(10)), (2, 3)):
        rarity = min(Fraction(1), power(Fraction(arms - 1) / (horizon * epsilon), Fraction(1, moment)))
        claimed = lower_bound.LOWER_BOUND_PRIVATE.at(horizon=horizon, arms=arms, epsilon=epsilon, moment=moment).ball
        yield At({"T": horizon, "K": arms, "epsilon": epsilon, "k": moment}, uniform_regret(arms, horizon, moment, rarity), claimed)


def _contaminated() -> Iterator[At]:
    for horizon, alpha, moment in product((1, 1000), (Fraction(1, 1000), Fraction(1, 20), Fraction(2, 5)), (2, 3)):
        claimed = lower_bound.LOWER_BOUND_CONTAMINATED.at(horizon=horizon, true_contamination=alpha, moment=moment).ball
        rarity = power(alpha, Fraction(1, moment))
        yield At({"T": horizon, "alpha": alpha, "k": moment}, uniform_regret(2, horizon, moment, rarity), claimed)


def most_regret(theorem: Theorem) -> Callable[[], Iterator[At]]:
    """2 T, which no policy exceeds in the raw moment class, beside the bound where T epsilon < K - 1."""

    def points() -> Iterator[At]:
        for horizon, arms, epsilon in ((1, 2, Fraction(1, 10**8)), (10, 1000, Fraction(1, 100)), (5, 3, Fraction(1, 10))):
            yield At(
                {"T": horizon, "K": arms, "epsilon": epsilon},
                Fraction(2 * horizon),
                theorem.at(horizon=horizon, arms=arms, epsilon=epsilon, moment=2).ball,
            )

    return points


_RANDOM = "the policy that plays at random, in the two problems of the proof"
LOWER = (
    Audit(
        lower_bound.LOWER_BOUND_PRIVATE.id,
        "points.random_arm",
        "an arm at random each round",
        Pointwise(_against_uniform, f"{_RANDOM}; K 2, 5, 50, T 1 to 10^6, k 2, 3", "regret", Sense.AT_LEAST),
    ),
    Audit(
        lower_bound.LOWER_BOUND_PRIVATE.id,
        "points.few_rounds",
        "no more than any policy can lose, at few rounds",
        Pointwise(most_regret(lower_bound.LOWER_BOUND_PRIVATE), "T epsilon < K - 1", "regret", Sense.AT_LEAST),
    ),
    Audit(
        lower_bound.LOWER_BOUND_CONTAMINATED.id,
        "points.random_arm",
        "an arm at random each round",
        Pointwise(_contaminated, f"{_RANDOM}; T 1, 1000, alpha 1/1000, 1/20, 2/5", "regret", Sense.AT_LEAST),
    ),
)
