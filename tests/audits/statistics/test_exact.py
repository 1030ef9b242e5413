"""Exact arithmetic on Fractions, beside sums that are written out."""

from fractions import Fraction
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.audits.statistics.exact import beyond, chi_square_above, exp, laplace_tail


@given(level=st.fractions(Fraction(1, 100), 50, max_denominator=1000), half=st.integers(0, 20))
def test_the_tail_of_chi_square_is_its_sum(level: Fraction, half: int) -> None:
    """Would catch a term that is left out, a factorial that is one too early, and a rounded term."""
    terms = sum(((level / 2) ** term / factorial(term) for term in range(half)), Fraction(0))
    assert chi_square_above(level, 2 * half) == exp(-level / 2) * terms
    assert chi_square_above(Fraction(0), 2 * half) == chi_square_above(Fraction(-1), 2 * half) == 1


def test_tails_outside_their_range() -> None:
    """Would catch a sum for odd degrees, which is of half as many terms, and probabilities above 1."""
    for degrees in (1, 3, -2):
        with pytest.raises(ValueError, match=rf"degrees = {degrees}: must be even and >= 0"):
            chi_square_above(Fraction(2), degrees)
    with pytest.raises(ValueError, match=r"radius = -5: must be >= 0"):
        beyond(Fraction(1), Fraction(1), Fraction(-5))
    assert laplace_tail(Fraction(-1), Fraction(1)) == 1 - laplace_tail(Fraction(1), Fraction(1))
