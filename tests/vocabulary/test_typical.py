"""What a class declares is plain data: intervals hold their ends, and a decorated function is the function itself."""

import math

import pytest

from banditproof import glossary
from banditproof.typical import between, declares, whole_numbers


def test_both_ends_belong_to_an_interval():
    """Would catch an open end, at which a suite would never try the largest value that a class allows."""
    assert 0.25 in between(0.25, 0.5) and 0.5 in between(0.25, 0.5) and 0.51 not in between(0.25, 0.5)
    assert 2 in whole_numbers(2, 4) and 4 in whole_numbers(2, 4) and 2.5 not in whole_numbers(2, 4) and 5 not in whole_numbers(2, 4)


@pytest.mark.parametrize("name", [name for name, quantity in glossary.quantities().items() if quantity.sampled])
def test_what_is_sampled_lies_in_the_domain(name):
    """Would catch an instance drawn with a value that the quantity itself refuses, and a part without an end."""
    quantity = glossary.quantities()[name]
    domain, part = quantity.domain, quantity.sampled
    assert part.integer == domain.integer
    assert -math.inf < part.low < part.high < math.inf
    assert (part.low in domain or part.low_open) and (part.high in domain or part.high_open)
    assert any(value in part for value in quantity.typical)


def test_a_function_keeps_what_it_is():
    """Would catch a decorator that wraps: the signature, from which suites draw, and the name would be lost."""

    def make(strength: float) -> float:
        return strength

    assert declares(strength=(1.0, 2.0))(make) is make
    assert make.typical == {"strength": (1.0, 2.0)}
