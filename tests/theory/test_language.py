"""The language refuses what is not exact, not smooth or not from the glossary, at the moment it is written down."""

import dataclasses

import pytest
import sympy

from banditproof import glossary
from banditproof.glossary import EPSILON, FAILURE, HORIZON, LEVELS, SCALE, SENSITIVITY
from banditproof.theory.language import (
    Bound,
    Case,
    Checked,
    Hypothesis,
    Implicit,
    Mode,
    Sense,
    Source,
    Step,
    Theorem,
    always,
    symbol,
)

epsilon, scale = symbol(EPSILON), symbol(SCALE)


def bound(expression, **changes):
    return Bound(**{"of": EPSILON, "sense": Sense.AT_MOST, "cases": always(expression), "given": (SCALE,), **changes})


@pytest.mark.parametrize(
    ("expression", "named"),
    [
        (0.5 * scale, "the Float 0.5"),
        (scale ** sympy.Float("0.1"), "the Float 0.1"),
        (scale + sympy.Symbol("x"), "x is not the symbol of a given quantity"),
        (scale + sympy.Symbol("scale"), "scale is not the symbol of a given quantity"),  # the name alone is not the symbol
        (scale + symbol(SENSITIVITY), "sensitivity is not the symbol of a given quantity"),
        (sympy.Max(scale, 1), "Max is not an allowed node"),
        (sympy.Min(scale, 1), "Min is not an allowed node"),
        (sympy.ceiling(scale), "ceiling is not an allowed node"),
        (sympy.floor(scale), "floor is not an allowed node"),
        (sympy.Abs(scale - 1), "Abs is not an allowed node"),
        (sympy.Piecewise((scale, scale > 1), (1, True)), "Piecewise is not an allowed node"),
        (sympy.sin(scale), "sin is not an allowed node"),
        (sympy.I * scale, "ImaginaryUnit is not an allowed node"),
        (sympy.oo, "Infinity is not an allowed node"),
        (sympy.nan, "NaN is not an allowed node"),
    ],
)
def test_a_bound_refuses_and_names_the_culprit(expression, named):
    """Would catch a Float, a foreign symbol or a kink that slips into a theorem."""
    with pytest.raises(ValueError, match="bound of epsilon") as refusal:
        bound(expression)
    assert named in str(refusal.value)


def test_conditions_hypotheses_steps_and_implicits_are_checked_as_expressions_are():
    """Would catch a Float in a condition, where no value shows it."""
    half = sympy.Float(0.5)
    with pytest.raises(ValueError, match="the Float"):
        bound(scale, cases=(Case(scale > half, scale),))
    with pytest.raises(ValueError, match="the Float"):
        Step(id="s", sense=Sense.AT_MOST, left=scale, right=half * scale, draw_order=(SCALE,))
    with pytest.raises(ValueError, match="not the symbol"):
        Step(id="s", sense=Sense.AT_MOST, left=scale, right=epsilon, draw_order=(SCALE,))
    rule = Hypothesis("small", "scale < 1/2", Checked.BY_VALUE, scale < half)
    with pytest.raises(ValueError, match=r"m\.t, small: the Float"):
        Theorem(id="m.t", statement="", source=Source("k", "l"), hypotheses=(rule,), bound=bound(scale))
    later = Implicit(of=LEVELS, condition=2 ** symbol(LEVELS) > symbol(HORIZON), bracket=(sympy.Integer(1), half), unique="")
    with pytest.raises(ValueError, match="the Float"):
        bound(scale, given=(SCALE, HORIZON), where=(later,))


def test_modes_and_failures_belong_together():
    """Would catch a high-probability bound that does not say how it fails."""
    with pytest.raises(ValueError, match="exactly when the mode"):
        bound(scale, mode=Mode.WITH_PROBABILITY)
    with pytest.raises(ValueError, match="exactly when the mode"):
        bound(scale, failure=FAILURE)
    with pytest.raises(ValueError, match="failure is not among the given"):
        bound(scale, mode=Mode.WITH_PROBABILITY, failure=FAILURE)


def test_a_theorem_has_a_bound_or_a_reason_and_a_proper_id():
    with pytest.raises(ValueError, match="exactly when there is no bound"):
        Theorem(id="m.t", statement="", source=Source("k", "l"))
    with pytest.raises(ValueError, match="exactly when there is no bound"):
        Theorem(id="m.t", statement="", source=Source("k", "l"), bound=bound(scale), not_checkable="why")
    with pytest.raises(ValueError, match="must be <module>"):
        Theorem(id="M.T", statement="", source=Source("k", "l"), not_checkable="a definition")
    with pytest.raises(ValueError, match="a condition is given exactly when"):
        Hypothesis("h", "s", Checked.BY_VALUE)
    with pytest.raises(ValueError, match="a condition is given exactly when"):
        Hypothesis("h", "s", Checked.ASSUMED, scale > 1)


def test_statements_are_frozen():
    statement = Theorem(id="m.t", statement="", source=Source("k", "l"), bound=bound(scale))
    with pytest.raises(dataclasses.FrozenInstanceError):
        statement.id = "m.u"


def test_symbols_carry_their_domains():
    """Would catch assumptions that say more than the domain: sqrt(x**2) -> x for a quantity that may be negative."""
    for quantity in glossary.quantities().values():
        letter, domain = symbol(quantity), quantity.domain
        assert letter is symbol(quantity)
        assert letter.name == quantity.name
        assert bool(letter.is_integer) == domain.integer
        assert bool(letter.is_positive) == (domain.low > 0 or (domain.low == 0 and domain.low_open))
        assert bool(letter.is_nonnegative) == (domain.low >= 0)
        assert letter.is_real


def test_without_a_number_a_statement_still_describes_itself():
    from banditproof.theory.language import NoNumber

    remark = Theorem(id="m.t", statement="A definition.", source=Source("k", "l"), not_checkable="it only names things")
    with pytest.raises(NoNumber, match=r"m\.t: has no number: it only names things"):
        remark.at()
    with pytest.raises(NoNumber):
        remark.function()
    with pytest.raises(ValueError, match="has no bound"):
        remark.growth_in(SCALE)
    assert "Not checkable: it only names things" in remark.text()
    assert "Not checkable" in remark.latex()
    assert remark.describe()["bound"] is None
