"""wu_2023: the statements on central moments: moments exactly, rates of what has no constants."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.methods.rates import Rates
from banditproof.audits.papers.wu_2023.cases.regret import at_two
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.exact import power
from banditproof.glossary import FAILURE, FOLD_SAMPLES, RANGE, TRUNCATION
from banditproof.theory.language import Theorem, always, symbol
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
        "the law for which it is attained",
        Pointwise(_outside, "alpha 0 to 2/5, r 1 to 10, k 2, 3", "mass"),
    ),
    Audit(
        central.RAW_MOMENT_OF_CENTRAL.id,
        "points.two_values",
        "two values around D",
        Pointwise(_raw_moments, "D 1, 4, 100, k 2, 5/2, 6", "k-th raw moment"),
    ),
)

# --- rates ------------------------------------------------------------------------------------------------------------------------------


def with_truncation(theorem: Theorem, truncation: Theorem) -> Callable[[], Theorem]:
    """The radius for the tuned truncation of large folds, at k = 2 and a fixed bin width."""

    def tuned() -> Theorem:
        own, other = at_two(theorem)(), at_two(truncation)()
        if own.bound is None or other.bound is None:
            raise ValueError(f"{theorem.id}, {truncation.id}: must have bounds")
        instead = {symbol(TRUNCATION): other.bound.cases[-1].expression}
        given = tuple(quantity for quantity in own.bound.given if quantity is not TRUNCATION)
        cases = always(own.bound.cases[0].expression.xreplace(instead))
        return replace(own, hypotheses=(), bound=replace(own.bound, cases=cases, given=given))

    return tuned


RATES = (
    Audit(
        central.CENTRAL_CONCENTRATION.id,
        "rates.assembled_radius",
        "rate against the assembled radius",
        Rates(at_two(central.CENTRAL_CONCENTRATION), at_two(central.CENTRAL_RADIUS_ASSEMBLED), (FOLD_SAMPLES, FAILURE)),
    ),
    Audit(
        central.CENTRAL_CONCENTRATION_CLEAN.id,
        "rates.assembled_radius_at_truncation",
        "rate against the assembled radius at its truncation",
        Rates(
            at_two(central.CENTRAL_CONCENTRATION_CLEAN),
            with_truncation(central.CENTRAL_RADIUS_CLEAN_ASSEMBLED, central.CENTRAL_TRUNCATION_CLEAN),
            (FOLD_SAMPLES,),
        ),
    ),
    Audit(
        central.CENTRAL_CONCENTRATION_CONTAMINATED.id,
        "rates.assembled_radius_at_truncation",
        "rate against the assembled radius at its truncation",
        Rates(
            at_two(central.CENTRAL_CONCENTRATION_CONTAMINATED),
            with_truncation(central.CENTRAL_RADIUS_ASSEMBLED, central.CENTRAL_TRUNCATION),
            (FOLD_SAMPLES,),
        ),
    ),
    Audit(
        central.CENTRAL_SAMPLE_COMPLEXITY.id,
        "rates.histogram_samples",
        "rate against the samples that the histogram needs",
        Rates(at_two(central.CENTRAL_SAMPLE_COMPLEXITY), at_two(central.CENTRAL_SAMPLES_CLEAN), (RANGE, FAILURE)),
    ),
)
