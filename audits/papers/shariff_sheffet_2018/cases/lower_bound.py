"""shariff_sheffet_2018: the lower bounds beside all private choices on a grid, and the coupling beside counts of ones."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import Any

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import exp
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.shariff_sheffet_2018 import lower_bound

_GRID = tuple(Fraction(proportion, 20) for proportion in range(21))


def choices(theorem: Theorem) -> Iterator[At]:
    """The least regret of a round over all private pairs of choices on a grid."""
    for epsilon, delta in product(("1/100", "1/3", "69/100"), ("1/1000", "1/5")):
        grown, slack = exp(Fraction(epsilon)), Fraction(delta)
        least = min(1 - one + other for one, other in product(_GRID, _GRID) if private_pair(one, other, grown, slack))
        known: dict[str, Any] = {"horizon": 1, "epsilon": epsilon, "delta": delta}
        yield At({"eps": epsilon, "delta": delta}, least, theorem.at(**known).ball)


def private_pair(one: Fraction, other: Fraction, grown: Fraction, slack: Fraction) -> bool:
    """Whether choices of arm 1 with these probabilities are (epsilon, delta)-close, both arms and both ways."""
    return all(a <= grown * b + slack for a, b in ((one, other), (other, one), (1 - one, 1 - other), (1 - other, 1 - one)))


def redrawn(theorem: Theorem) -> Iterator[At]:
    """Rewards 1 with probability TV or 0; a policy answers with a probability that grows by exp(epsilon) with each of them."""
    for epsilon, variation, draws in product(("1/10", "1", "4"), ("1/100", "1/2"), (1, 5)):
        ratio = counted(epsilon, variation, draws)
        known: dict[str, Any] = {"epsilon": epsilon, "total_variation": variation, "samples": draws}
        yield At({"eps": epsilon, "TV": variation, "t": draws}, ratio, theorem.at(**known).ball)


def counted(epsilon: str, variation: str, draws: int) -> Fraction:
    """The mean of exp(epsilon times the number of ones) where ones have probability TV; with none it is 1."""
    proportion = Fraction(variation)
    return sum(
        (
            comb(draws, ones) * proportion**ones * (1 - proportion) ** (draws - ones) * exp(Fraction(epsilon) * ones)
            for ones in range(draws + 1)
        ),
        Fraction(0),
    )


LOWER = (
    *(
        Audit(
            theorem.id,
            "points.private_pairs",
            "every private pair on a grid",
            Pointwise(partial(choices, theorem), "choices k/20", "regret a round", Sense.AT_LEAST),
        )
        for theorem in (lower_bound.CONTEXT_REGRET, lower_bound.CONTEXT_REGRET_EXACT)
    ),
    *(
        Audit(
            lower_bound.COUPLING.id,
            f"points.number_of_ones_{name.replace(' ', '_')}",
            f"answers by the number of ones, {name}",
            Pointwise(partial(redrawn, stated), "t 1, 5", "ratio"),
            expected,
        )
        for name, stated, expected in (
            ("repaired", lower_bound.COUPLING, None),
            ("as printed", lower_bound.COUPLING.as_printed(), Verdict.REFUTED),
        )
    ),
)
