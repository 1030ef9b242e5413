"""Guarantees refuse levels that mean nothing."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof import glossary
from banditproof.audits.strategies import values_of
from banditproof.guarantees import (
    ApproximateDP,
    GaussianDP,
    NeighbouringRelation,
    PureDP,
    RenyiDP,
    View,
    ZeroConcentratedDP,
)

KINDS = [PureDP, ApproximateDP, ZeroConcentratedDP, RenyiDP, GaussianDP]
NUMBERS = st.floats() | st.integers(-5, 5) | st.booleans()


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_levels_lie_in_the_glossarys_domains(kind, data):
    """Would catch a level that is not checked: every field but relation and view, with values inside and anywhere."""
    names = [field.name for field in dataclasses.fields(kind) if field.name not in ("relation", "view")]
    assert names
    good = {name: data.draw(values_of(glossary.quantities()[name])) for name in names}
    made = kind(**good, relation=NeighbouringRelation.ANY_PAIR)
    assert made.view is View.CENTRAL
    for name in names:
        value = data.draw(NUMBERS)
        inside = not isinstance(value, bool) and value in glossary.quantities()[name].domain
        if inside:
            kind(**{**good, name: value}, relation=NeighbouringRelation.ANY_PAIR)
        else:
            with pytest.raises(ValueError, match=f"{name} = .*: must be"):
                kind(**{**good, name: value}, relation=NeighbouringRelation.ANY_PAIR)


def test_relation_and_view_are_members_of_their_enumerations():
    """Would catch "replace_record", which is kept as text and then equals no relation."""
    for kind in (PureDP, GaussianDP, ZeroConcentratedDP):
        with pytest.raises(ValueError, match=r"^relation = 'replace_record': must be a NeighbouringRelation, one of .*REPLACE_RECORD"):
            kind(1.0, "replace_record")
        with pytest.raises(ValueError, match=r"^view = 'central': must be a View, one of LOCAL, .*CENTRAL"):
            kind(1.0, NeighbouringRelation.REPLACE_RECORD, "central")
    for kind in (ApproximateDP, RenyiDP):
        with pytest.raises(ValueError, match=r"^relation = None: must be a NeighbouringRelation"):
            kind(*((1.0, 0.1) if kind is ApproximateDP else (2.0, 1.0)), None)


@given(value=NUMBERS)
def test_nan_and_infinity_are_no_level(value):
    if math.isinf(value) or math.isnan(value):
        with pytest.raises(ValueError, match=f"epsilon = {value}"):
            PureDP(value, NeighbouringRelation.ANY_PAIR)
