"""The agreement method: what it calls equal, and which mistakes it finds."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from flint import arb

from banditproof import glossary
from banditproof.audits.common.inequalities.controls import agreement
from banditproof.audits.methods.agreement import LARGEST_INTEGER, TOLERANCE, Agreement, AgreementWitness, drawn, value_of
from banditproof.audits.papers.balle_wang_2018 import controls as balle_wang_2018
from banditproof.audits.papers.dwork_2006 import controls as dwork_2006
from banditproof.audits.papers.dwork_2010 import controls as dwork_2010
from banditproof.audits.papers.dwork_roth_2014 import controls as dwork_roth_2014
from banditproof.audits.papers.kairouz_2014 import controls as kairouz_2014
from banditproof.audits.running.audit import Control, Level, Recheck, Request
from banditproof.audits.running.report import measurement_from_json
from banditproof.audits.statistics.evidence import Measurement, Verdict
from banditproof.glossary import HORIZON, Quantity
from banditproof.theory.inequalities import LAPLACE_TAIL
from banditproof.theory.language import Sense
from banditproof.theory.papers.dwork_2006 import LAPLACE_PRIVACY
from banditproof.theory.papers.dwork_roth_2014 import GAUSSIAN_CLASSIC
from banditproof.theory.papers.kairouz_2014 import RANDOMISED_RESPONSE_PRIVACY

MODULES = (agreement, balle_wang_2018, dwork_2006, dwork_2010, dwork_roth_2014, kairouz_2014)
CONTROLS = {
    value.id: value
    for module in MODULES
    for value in vars(module).values()
    if isinstance(value, Control) and isinstance(value.audit.method, Agreement)
}
QUANTITIES = {name: value for name, value in glossary.quantities().items() if value.typical}


def measured(method: Agreement, seed: int = 1) -> Measurement:
    return method.measure(Request(0.0, seed, ("test",)))


@pytest.mark.parametrize("name", CONTROLS)
def test_controls_are_refuted(name: str, seeds: range) -> None:
    """Would catch points that a mistake passes: a function right at sensitivity 1, or everywhere but at powers of two."""
    control = CONTROLS[name]
    found = [control.audit.method.measure(Request(0.0, seed, control.audit.seed_path)).verdict for seed in seeds]
    assert found == [Verdict.REFUTED] * len(found)


def test_agreement_is_no_proof_and_says_at_how_many_points() -> None:
    found = measured(Agreement(LAPLACE_TAIL, lambda threshold, scale: math.exp(-threshold / scale)))
    assert found.verdict is Verdict.NOT_REFUTED and found.samples == 200
    assert "200 drawn points" in found.message and "no proof" in found.message
    assert found.detectable == found.must_detect == TOLERANCE


@pytest.mark.parametrize(("mistake", "expected"), [(1e-13, Verdict.NOT_REFUTED), (1e-11, Verdict.REFUTED)])
def test_the_tolerance_is_the_tolerance(mistake: float, expected: Verdict) -> None:
    """Would catch a tolerance read as absolute (values here range over many powers of ten) or taken from a float reference."""
    method = Agreement(LAPLACE_PRIVACY, lambda sensitivity, scale: sensitivity / scale * (1.0 + mistake))
    assert measured(method).verdict is expected


def test_a_theory_that_is_no_number_agrees_with_nothing() -> None:
    """Would catch NaN and balls so wide that every number lies in them."""
    nothing = Agreement(LAPLACE_TAIL, lambda threshold, scale: 7.0, theory=lambda threshold, scale: arb("nan"), points=5)
    assert measured(nothing).verdict is Verdict.REFUTED
    with pytest.raises(ValueError, match="must be known to 12 digits"):
        measured(replace(nothing, theory=lambda threshold, scale: arb(0, 1e3)))


def test_a_difference_counts_relative_to_its_terms() -> None:
    """ln(p (m - 1) / (1 - p)) near p = 1/m: no float formula has 12 digits of it, and one that is off by 1e-9 of a term is found."""
    near = Quantity("keep", "p", glossary.Domain(0.5, 0.5 + 1e-6), "near a half", typical=(0.5 + 1e-9, 0.5 + 1e-7))
    two = Quantity("categories", "m", glossary.Domain(2, 2, low_open=False, high_open=False, integer=True), "two", typical=(2,))
    plain = Agreement(RANDOMISED_RESPONSE_PRIVACY, lambda keep, categories: math.log(keep / (1.0 - keep)), (near, two))
    off = replace(plain, function=lambda keep, categories: math.log(keep / (1.0 - keep)) + 1e-9)
    assert measured(plain).verdict is Verdict.NOT_REFUTED
    assert measured(off).verdict is Verdict.REFUTED


def test_a_step_that_a_change_within_the_tolerance_makes_is_none() -> None:
    """A number just above 1, rounded up: 2, or 1 in floats. Would catch a rounding of the quotient that makes a tolerance more than one."""
    near = Quantity("threshold", "t", glossary.Domain(1.0 + 1e-13, 1.0 + 6e-13), "just above one", typical=(1.0 + 3e-13,))
    fixed = Quantity("scale", "b", glossary.Domain(1.0, 1.0, low_open=False, high_open=False), "one", typical=(1.0,))
    rounded = Agreement(LAPLACE_TAIL, lambda **_: 1.0, (near, fixed), lambda threshold, scale: arb(threshold).ceil())
    found = measured(rounded)
    assert found.verdict is Verdict.NOT_REFUTED and found.estimate == TOLERANCE
    assert measured(replace(rounded, function=lambda **_: 0.0)).verdict is Verdict.REFUTED


def test_a_function_that_refuses_what_the_theorem_knows_disagrees() -> None:
    """Would catch a domain check that is too strict, and a NaN that compares as no difference."""

    def strict(threshold: float, scale: float) -> float:
        if threshold < 1.0:
            raise ValueError("threshold < 1")
        return math.exp(-threshold / scale)

    found = measured(Agreement(LAPLACE_TAIL, strict))
    assert found.verdict is Verdict.REFUTED and found.estimate == math.inf and "raises ValueError" in found.message
    assert measured(Agreement(LAPLACE_TAIL, lambda threshold, scale: math.nan)).verdict is Verdict.REFUTED


def test_points_outside_the_hypotheses_are_counted_and_not_compared() -> None:
    """epsilon must be below 1 there; the drawn ones are not all."""
    method = Agreement(
        GAUSSIAN_CLASSIC, lambda epsilon, delta, sensitivity: math.sqrt(2.0 * math.log(1.25 / delta)) * sensitivity / epsilon
    )
    found = measured(method)
    assert found.verdict is Verdict.NOT_REFUTED and found.samples == 200 and found.detail["refused"] > 0


def test_no_point_inside_the_hypotheses_is_an_error() -> None:
    far = Quantity("epsilon", "e", glossary.Domain(2.0, 3.0), "too large", typical=(2.5,))
    with pytest.raises(ValueError, match="accepts 0 of"):
        measured(Agreement(GAUSSIAN_CLASSIC, lambda **_: 1.0, (far, glossary.DELTA, glossary.SENSITIVITY)))


def test_a_sharper_function_passes_where_the_claim_is_an_inequality() -> None:
    half = Agreement(LAPLACE_TAIL, lambda threshold, scale: 0.5 * math.exp(-threshold / scale), sense=Sense.AT_MOST)
    more = replace(half, function=lambda threshold, scale: 1.001 * math.exp(-threshold / scale))
    assert measured(half).verdict is Verdict.NOT_REFUTED
    assert measured(more).verdict is Verdict.REFUTED


def test_a_recheck_compares_at_the_witness() -> None:
    """Would catch a recheck at other points, where the mistake does not show; and a witness that JSON changes."""
    control = CONTROLS["dwork_2010.tree_scale/agree.control.levels_rounded_up"]
    method = control.audit.method
    assert isinstance(method, Agreement)
    first = measurement_from_json(json.loads(json.dumps(method.measure(Request(0.0, 1, ())).to_json())))
    again = method.recheck(first, Recheck(2, ()))
    assert again.verdict is Verdict.REFUTED and again.samples == 1
    assert isinstance(first.witness, AgreementWitness) and first.witness == again.witness
    mended = replace(method, function=lambda horizon: horizon.bit_length()).recheck(first, Recheck(2, ()))
    assert mended.verdict is Verdict.NOT_REFUTED


def test_a_level_multiplies_the_points_and_the_seed_makes_them() -> None:
    method = Agreement(LAPLACE_TAIL, lambda threshold, scale: math.exp(-threshold / scale), points=20)
    assert method.measure(Request(0.0, 1, (), Level.STANDARD)).samples == 200
    assert measured(method).to_json() == measured(method).to_json()
    assert measured(method).estimate != measured(method, seed=2).estimate


@pytest.mark.parametrize("name", QUANTITIES)
def test_drawn_values_lie_in_the_domain_and_far_apart(name: str, rng: np.random.Generator) -> None:
    """Would catch a quantity of which only typical values are drawn, or values that its domain excludes."""
    quantity = QUANTITIES[name]
    values = [value_of(quantity, rng) for _ in range(400)]
    assert all(value in quantity.domain for value in values)
    assert all(isinstance(value, int) == quantity.domain.integer for value in values)
    typical = quantity.typical
    assert any(value < min(typical) for value in values) or min(typical) == quantity.domain.low
    assert any(value > max(typical) for value in values) or max(typical) == quantity.domain.high


def test_whole_numbers_include_powers_of_two_and_their_neighbours(rng: np.random.Generator) -> None:
    values = {value_of(HORIZON, rng) for _ in range(600)}
    assert {1, 2, 3, 4} <= values and max(values) > 10**6 and max(values) <= LARGEST_INTEGER
    assert {2**power for power in range(20)} & values and {2**power - 1 for power in range(3, 20)} & values


def test_closed_ends_are_drawn() -> None:
    points = drawn((glossary.THRESHOLD,), np.random.default_rng(1))
    assert any(next(points)["threshold"] == 0.0 for _ in range(200))
