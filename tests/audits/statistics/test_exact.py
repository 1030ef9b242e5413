"""Exact arithmetic on Fractions, beside sums that are written out."""

from fractions import Fraction
from math import factorial

from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.statistics.exact import chi_square_above, exp


@given(level=st.fractions(Fraction(1, 100), 50, max_denominator=1000), half=st.integers(0, 20))
def test_the_tail_of_chi_square_is_its_sum(level: Fraction, half: int) -> None:
    """Would catch a term that is left out, a factorial that is one too early, and a rounded term."""
    terms = sum(((level / 2) ** term / factorial(term) for term in range(half)), Fraction(0))
    assert chi_square_above(level, 2 * half) == exp(-level / 2) * terms
    assert chi_square_above(Fraction(0), 2 * half) == chi_square_above(Fraction(-1), 2 * half) == 1
