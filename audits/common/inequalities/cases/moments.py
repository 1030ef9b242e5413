"""Audits of the shared inequalities on moments, means and divergences: exact values on distributions of two points beside each bound.

Distributions of two points are where Markov and Bretagnolle-Huber are tightest and where the tails are exact sums; chi-square tails are
exact sums for even degrees of freedom.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import binomial_weights, chi_square_above, log, power
from banditproof.theory import inequalities
from banditproof.theory.language import Sense

_FRACTIONS = tuple(Fraction(proportion) for proportion in ("1/1000", "1/20", "3/10", "1/2", "9/10"))
_SIZES = tuple(Fraction(size) for size in ("1/4", "1", "3", "20"))
_ORDERS = tuple(Fraction(order) for order in ("1/2", "3/2", "2", "5"))

# --- moments --------------------------------------------------------------------------------------------------------------------------


def _markov() -> Iterator[At]:
    """P(|X| >= a) where X = x with probability p, else 0."""
    for proportion, size, order, level in product(_FRACTIONS, _SIZES, _ORDERS, _SIZES):
        claimed = inequalities.MARKOV.at(level=level, exponent=order, raw_moment=proportion * power(size, order)).ball
        yield At({"p": proportion, "x": size, "k": order, "a": level}, proportion if size >= level else Fraction(0), claimed)


def _markov_centred() -> Iterator[At]:
    """The same around the mean p x."""
    for proportion, size, order, level in product(_FRACTIONS, _SIZES, _ORDERS, _SIZES):
        up, down = (1 - proportion) * size, proportion * size
        moment = proportion * power(up, order) + (1 - proportion) * power(down, order)
        beyond = proportion * (up >= level) + (1 - proportion) * (down >= level)
        yield At(
            {"p": proportion, "x": size, "k": order, "a": level},
            Fraction(beyond),
            inequalities.MARKOV_CENTRED.at(level=level, exponent=order, raw_moment=moment).ball,
        )


def _hoelder() -> Iterator[At]:
    """X, Y = x, y with probability p, else 1, 1; the bound is attained where |X|^k is |Y|^(k/(k - 1))."""
    for proportion, one, two, order in product(_FRACTIONS, _SIZES, _SIZES, (Fraction(3, 2), Fraction(2), Fraction(5))):
        for y in (two, power(one, order - 1)):
            dual = order / (order - 1)
            claimed = inequalities.HOELDER.at(
                exponent=order,
                raw_moment=proportion * power(one, order) + 1 - proportion,
                dual_moment=proportion * power(y, dual) + 1 - proportion,
            )
            yield At({"p": proportion, "x": one, "y": float(y), "k": order}, proportion * one * y + 1 - proportion, claimed.ball)


_TWO_POINTS = "X = x with probability p, else 0: p from 1/1000 to 9/10, x, a from 1/4 to 20, k 1/2, 3/2, 2, 5"
MOMENTS = (
    Audit(
        inequalities.MARKOV.id, "points.two_point", "two-point distributions, exact", Pointwise(_markov, _TWO_POINTS, "tail probability")
    ),
    Audit(
        inequalities.MARKOV_CENTRED.id,
        "points.two_point",
        "two-point distributions, exactly",
        Pointwise(_markov_centred, _TWO_POINTS, "tail probability"),
    ),
    Audit(
        inequalities.HOELDER.id,
        "points.two_point_pairs",
        "pairs of two-point distributions, and where the bound is attained",
        Pointwise(_hoelder, "X, Y = x, y with probability p, else 1, 1; x, y from 1/4 to 20, k 3/2, 2, 5", "mean of the product"),
    ),
)

# --- means of independent draws ---------------------------------------------------------------------------------------------------------

_SAMPLES = (1, 2, 5, 20, 60)
_LEVELS = tuple(Fraction(level) for level in ("1/50", "1/10", "1/3", "3/4"))


def _two_sided(samples: int, proportion: Fraction, deviation: Fraction) -> Fraction:
    """P(|mean - share| >= deviation) for coins."""
    return sum(
        (
            weight
            for heads, weight in enumerate(binomial_weights(samples, proportion))
            if abs(Fraction(heads, samples) - proportion) >= deviation
        ),
        Fraction(0),
    )


def _hoeffding_interval() -> Iterator[At]:
    """Draws w with probability p, else 0, in an interval of width w."""
    for samples, proportion, level, width in product(_SAMPLES, _FRACTIONS, _LEVELS, (Fraction(1), Fraction(5, 2))):
        claimed = inequalities.HOEFFDING_INTERVAL.at(samples=samples, level=level * width, width=width).ball
        yield At({"n": samples, "p": proportion, "t": level * width, "width": width}, _two_sided(samples, proportion, level), claimed)


def _bernstein_tail() -> Iterator[At]:
    """Centred coins: 1 - p with probability p, else -p; variance p (1 - p), size max(p, 1 - p)."""
    for samples, proportion, level in product(_SAMPLES, _FRACTIONS, _LEVELS):
        claimed = inequalities.BERNSTEIN_TAIL.at(
            samples=samples, variance=proportion * (1 - proportion), magnitude=max(proportion, 1 - proportion), level=level
        )
        yield At({"n": samples, "p": proportion, "t": level}, _two_sided(samples, proportion, level), claimed.ball)


def _bernstein() -> Iterator[At]:
    """P(|mean| > radius) against the failure."""
    for samples, proportion, failure in product(_SAMPLES, _FRACTIONS, ("1/2", "1/10", "1/1000")):
        radius = inequalities.BERNSTEIN.at(
            samples=samples, variance=proportion * (1 - proportion), magnitude=max(proportion, 1 - proportion), failure=failure
        )
        outside = _two_sided(samples, proportion, Fraction(radius.low))
        yield At({"n": samples, "p": proportion, "failure": failure}, outside, Fraction(failure))


def _binomial_tail() -> Iterator[At]:
    for samples, proportion, fraction in product(_SAMPLES, _FRACTIONS, ("1/20", "2/5", "7/10", "99/100")):
        wanted = Fraction(fraction)
        if wanted < proportion:
            continue
        tail = sum(binomial_weights(samples, proportion)[ceil(samples * wanted) :], Fraction(0))
        claimed = inequalities.BINOMIAL_TAIL.at(samples=samples, success=proportion, fraction=wanted).ball
        yield At({"n": samples, "p": proportion, "q": wanted}, tail, claimed)


_COINS = "coins with p from 1/1000 to 9/10, n = 1, 2, 5, 20, 60"
MEANS = (
    Audit(
        inequalities.HOEFFDING_INTERVAL.id,
        "points.coins_of_two_widths",
        "coins of two widths, exactly",
        Pointwise(_hoeffding_interval, _COINS, "tail probability"),
    ),
    Audit(
        inequalities.BERNSTEIN_TAIL.id,
        "points.centred_coins",
        "centred coins, exactly",
        Pointwise(_bernstein_tail, _COINS, "tail probability"),
    ),
    Audit(inequalities.BERNSTEIN.id, "points.centred_coins", "centred coins, exactly", Pointwise(_bernstein, _COINS, "failure")),
    Audit(inequalities.BINOMIAL_TAIL.id, "points.coins", "coins, exactly", Pointwise(_binomial_tail, _COINS, "tail probability")),
)

# --- chi-square, and two distributions ----------------------------------------------------------------------------------------------------

_DEGREES, _FAILURES = (2, 4, 10, 60), ("9/10", "1/2", "1/10", "1/1000")


def _chi_square_upper() -> Iterator[At]:
    for degrees, failure in product(_DEGREES, _FAILURES):
        level = inequalities.CHI_SQUARE_UPPER.at(degrees=degrees, failure=failure).low
        yield At({"degrees": degrees, "failure": failure}, chi_square_above(Fraction(level), degrees), Fraction(failure))


def _chi_square_lower() -> Iterator[At]:
    for degrees, failure in product(_DEGREES, _FAILURES):
        level = inequalities.CHI_SQUARE_LOWER.at(degrees=degrees, failure=failure).high
        yield At({"degrees": degrees, "failure": failure}, 1 - chi_square_above(Fraction(level), degrees), Fraction(failure))


def coin_divergence(one: Fraction, other: Fraction) -> Fraction:
    """The divergence of a coin with the first success probability from one with the second."""
    return one * log(one / other) + (1 - one) * log((1 - one) / (1 - other))


def _bretagnolle_huber() -> Iterator[At]:
    """Coins p and q; A heads, or A tails."""
    for one, other in product((*_FRACTIONS, Fraction(999, 1000)), repeat=2):
        claimed = inequalities.BRETAGNOLLE_HUBER.at(divergence=coin_divergence(one, other)).ball if one != other else Fraction(1, 2)
        for event, total in (("heads", one + 1 - other), ("tails", 1 - one + other)):
            yield At({"p": one, "q": other, "event": event}, total, claimed)


_EVEN = "2, 4, 10, 60 degrees of freedom, failure from 1/1000 to 9/10"
DISTRIBUTIONS = (
    Audit(
        inequalities.CHI_SQUARE_UPPER.id,
        "points.even_degrees",
        "even degrees of freedom, exactly",
        Pointwise(_chi_square_upper, _EVEN, "failure"),
    ),
    Audit(
        inequalities.CHI_SQUARE_LOWER.id,
        "points.even_degrees",
        "even degrees of freedom, exactly",
        Pointwise(_chi_square_lower, _EVEN, "failure"),
    ),
    Audit(
        inequalities.BRETAGNOLLE_HUBER.id,
        "points.coin_pairs",
        "pairs of coins, exactly",
        Pointwise(_bretagnolle_huber, "coins with p, q from 1/1000 to 999/1000", "sum of two error probabilities", Sense.AT_LEAST),
    ),
)
