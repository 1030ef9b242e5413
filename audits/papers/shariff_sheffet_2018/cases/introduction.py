"""shariff_sheffet_2018: the orders that the introduction and section B.1 read into the bounds, and what colluding users can guess."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product

from banditproof.audits.methods.orders import audits_of
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import exp
from banditproof.glossary import DIMENSION, EPSILON, HORIZON, Quantity
from banditproof.glossary.shariff_sheffet_2018 import MINIMUM_GAP
from banditproof.theory.language import Sense, Theorem, always
from banditproof.theory.limits import End
from banditproof.theory.orders import Fixed, Pair
from banditproof.theory.papers.shariff_sheffet_2018 import gaussian, introduction, regret


def said(theorem: Theorem) -> Theorem:
    """The order as it is printed."""
    return replace(theorem, bound=replace(theorem.stated(), cases=always(introduction.AS_PUBLISHED[theorem.id])), findings=())


def _constant(other: Theorem, spoken: tuple[Quantity, ...]) -> tuple[Fixed, ...]:
    return tuple(
        Fixed(quantity, "the sentence is about other quantities, and takes this one for a constant")
        for quantity in other.stated().given
        if quantity not in spoken
    )


def pairs(
    theorem: Theorem, other: Theorem, spoken: tuple[Quantity, ...], fails: tuple[str, ...], besides: tuple[Fixed, ...] = ()
) -> tuple[Pair, Pair]:
    """The order of the formula, and the printed one, beside the explicit bound: in the quantities that the sentence speaks of."""
    held = _constant(other, spoken)
    return (
        Pair(theorem, other, ((HORIZON, 10**6),), (*held, *besides)),
        Pair(said(theorem), other, ((HORIZON, 10**6),), held, fails=fails, name="as_printed"),
    )


_PRIVATE = (Fixed(EPSILON, "an epsilon is a privacy parameter and does not grow: finding corollaries_range", End.HIGH),)
ORDERS = audits_of(
    Pair(introduction.ORDERS, regret.REGRET, ((HORIZON, 10**6),), _constant(regret.REGRET, (HORIZON,))),
    *pairs(introduction.ORDERS_GAP, regret.REGRET_GAP, (HORIZON, MINIMUM_GAP), ("horizon_high",)),
    *pairs(introduction.MAIN_TERMS, gaussian.REGRET_GAUSSIAN_EXPLICIT, (DIMENSION, EPSILON), ("dimension_high", "epsilon_high"), _PRIVATE),
)


def guesses(theorem: Theorem) -> Iterator[At]:
    """The best guess between the two distributions that are (epsilon, delta)-close and no closer: four outcomes."""
    for epsilon, delta in product(("1/10", "1", "5"), ("1/1000000", "1/10", "1/2")):
        grown, slack = exp(Fraction(epsilon)), Fraction(delta)
        one = (slack, (1 - slack) * grown / (grown + 1), (1 - slack) / (grown + 1), Fraction(0))
        right = sum((max(pair) for pair in zip(one, one[::-1], strict=True)), Fraction(0)) / 2
        yield At({"eps": epsilon, "delta": delta}, right, theorem.at(epsilon=epsilon, delta=delta).ball)


GUESSES = Audit(
    introduction.COLLUDING_USERS.id,
    "points.best_guess",
    "the best guess between four outcomes",
    Pointwise(
        partial(guesses, introduction.COLLUDING_USERS),
        "epsilon 1/10, 1, 5, delta 1e-6, 1/10, 1/2",
        "probability of a right guess",
        Sense.EQUALS,
    ),
)
