"""wu_2023: the statements on central moments, exactly."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import power
from banditproof.theory.papers.wu_2023 import central

# --- moments ------------------------------------------------------------------------------------------------------------------------------


def _outside() -> Iterator[At]:
    """Inliers at the mean, or r away on either side with a moment of 1; all outliers farther."""
    for alpha, width, moment in product(("0", "1/20", "2/5"), (Fraction(1), Fraction(16, 5), Fraction(10)), (2, 3)):
        beyond = Fraction(alpha) + (1 - Fraction(alpha)) * power(width, -moment)
        claimed = central.OUTSIDE_MASS.at(true_contamination=alpha, bin_width=width, moment=moment).ball
        yield At({"alpha": alpha, "r": width, "k": moment}, beyond, claimed)


def _raw_moments() -> Iterator[At]:
    """Two values one apart from the mean D or -D on either side: E|X|^k is largest where the mean is."""
    for bound, moment in product((1, 4, 100), (Fraction(2), Fraction(5, 2), Fraction(6))):
        value = (power(bound + 1, moment) + power(bound - 1, moment)) / 2
        yield At({"D": bound, "k": moment}, value, central.RAW_MOMENT_OF_CENTRAL.at(range=bound, moment=moment).ball)


EXACT = (
    Audit(
        central.OUTSIDE_MASS.id,
        "points.attaining_law",
        "the distribution for which it is attained",
        Pointwise(_outside, "alpha 0 to 2/5, r 1 to 10, k 2, 3", "mass"),
    ),
    Audit(
        central.RAW_MOMENT_OF_CENTRAL.id,
        "points.two_values",
        "two values around D",
        Pointwise(_raw_moments, "D 1, 4, 100, k 2, 5/2, 6", "k-th raw moment"),
    ),
)
