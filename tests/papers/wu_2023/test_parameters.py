"""Every public formula of Wu et al. 2023 in the algorithms room is compared with the theory."""

import inspect
import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.policies.elimination import central as central_elimination
from banditproof.algorithms.policies.elimination import robust as robust_elimination
from banditproof.audits.methods.agreement import Agreement, drawn
from banditproof.audits.running import registry
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.language import HypothesisFails, OutsideDomain
from banditproof.theory.papers.wu_2023 import elimination
from banditproof.theory.papers.wu_2023.central_radii import INITIAL_DISTANCE

NO_FORMULA = {
    *("truncated_mean", "histogram", "centred_mean"),  # computations on data
    "clean_epsilon",  # the level: it is what every *_repaired and as_played agreement passes on
    *("batch_size", "last_epoch", "noise_index", "fold_size"),  # counters
    *(
        "bins",
        "first_bin",
        "least_range",
        "admissible_range",
        "require_histogram",
    ),  # the grid: test_the_grid_is_the_one_that_the_statement_speaks_of
}


def test_every_public_formula_stands_beside_the_theory() -> None:
    """Would catch a parameter function that was added and never compared."""
    labels = [audit.label for audit in registry.every(registry.audits).values() if isinstance(audit.method, Agreement)]
    for module in (truncated_mean, robust_elimination, central_mean, central_elimination):
        stem = module.__name__.rsplit(".", 1)[1]
        public = [
            name
            for name, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_") and name not in NO_FORMULA
        ]
        assert [name for name in public if not any(f"{stem}.{name}" in label for label in labels)] == []


def test_every_line_of_a_proof_is_audited_and_every_refutation_expected() -> None:
    """Would catch a Step, or a published form of a statement, that nothing judges."""
    audits = registry.audits("wu_2023")
    assert len(audits) + len(registry.controls("wu_2023")) >= 550
    for id, theorem in registry.theorems("wu_2023").items():
        for step in theorem.steps:
            found = audits[f"{id}/step.{step.id}"]
            assert (found.expected is Verdict.REFUTED) == (step.id in theorem.false_steps()), found.id
        if theorem.published is not None:
            others = [audit for audit in audits.values() if audit.theorem == id and not audit.slug.startswith("step.")]
            assert any(audit.expected is Verdict.REFUTED for audit in others), id


@given(width=st.floats(2.1, 10.0), times=st.floats(1.0, 30.0), half=st.floats(0.0, 50.0), pad=st.booleans())
def test_the_grid_is_the_one_that_the_statement_speaks_of(width: float, times: float, half: float, pad: bool) -> None:
    """Would catch a range that the theory refuses, a smaller one that it would accept, and a bin too few or too many."""
    known = {"bin_width": width, "mean_size": 0, "moment": 2, "true_contamination": 0, "failure": "1/10", "epsilon": 1}
    least = central_mean.least_range(width)
    assert INITIAL_DISTANCE.at(range=least, fold_samples=10**9, **known).bound == 2.0 * width
    with pytest.raises((HypothesisFails, OutsideDomain)):
        INITIAL_DISTANCE.at(range=math.nextafter(least, 0.0), fold_samples=10**9, **known)
    assert central_mean.admissible_range(half, width) == max(half, least)
    bound = least * times
    number, first = central_mean.bins(bound, width, pad=pad), central_mean.first_bin(bound, width, pad=pad)
    exact, slack = Fraction(width), Fraction(1, 10**12) * Fraction(bound)
    reach = Fraction(bound) + pad * exact
    assert abs(Fraction(first) + reach) <= slack
    assert (number - 1) * exact - slack < 2 * reach <= number * exact + slack


# --- ranges -----------------------------------------------------------------------------------------------------------------------------

EDGES = {
    "epsilon": (1e-6, 0.5, 1.0, math.nextafter(1.0, 2.0), 1.5, math.nextafter(1.5, 2.0), 30.0, 1e5),
    "contamination": (1e-6, 0.1, math.nextafter(0.133, 0.0), 0.133, 0.2, 0.24899, 0.24901, 0.4, math.nextafter(0.5, 0.0)),
}  # the double nearest to 0.249 is below it, and iota there is more than a double holds
AGREEMENTS = {
    id: audit.method for id, audit in registry.audits("wu_2023").items() if isinstance(audit.method, Agreement) and not audit.method.inverse
}
WITH_EDGES = [id for id, method in AGREEMENTS.items() if {quantity.name for quantity in method.quantities()} & set(EDGES)]


def refuses(call: Callable[[], object]) -> bool:
    """Whether the values lie outside what it speaks of."""
    try:
        call()
    except (HypothesisFails, OutsideDomain, ValueError):
        return True
    return False


def test_there_are_ranges_to_compare() -> None:
    assert len(WITH_EDGES) > 25


@pytest.mark.parametrize("id", WITH_EDGES)
def test_theory_and_algorithm_have_one_range(id: str) -> None:
    """Would catch a value refused by one of them alone: at the ends of all ranges that the paper states, the other values typical. At 0.133
    itself, the open end of Corollary 6.8's range, the theorem says nothing and the learner runs, with `accuracy_is_stated` False.
    """
    method = AGREEMENTS[id]
    theory = method.theory or (lambda **values: method.theorem.at(**values).ball)
    names = [quantity.name for quantity in method.quantities()]
    smallest = {"contamination": 0.1, "true_contamination": 0.01, "epsilon": 0.5, "range": 10.0, "samples": 10**9, "fold_samples": 10**9}
    start = {quantity.name: smallest.get(quantity.name, quantity.typical[0]) for quantity in method.quantities()}
    assert not refuses(lambda: theory(**start))
    for name in set(EDGES) & set(names):
        for value in EDGES[name]:
            point = {**start, name: value}
            if "true_contamination" in point and value < 0.01 and name == "contamination":
                continue  # alpha <= alpha_1 is the caller's to keep
            if (name, value) == ("contamination", 0.133):
                assert not refuses(lambda point=point: method.value(point))
                continue
            assert refuses(lambda point=point: theory(**point)) == refuses(lambda point=point: method.value(point)), (name, value)


@given(epsilon=st.floats(0.01, 1e5), contamination=st.sampled_from([0.0, 1e-4, 0.02, 0.4]), moment=st.floats(2.0, 8.0))
def test_the_policy_plays_the_radius_of_the_theorem(epsilon: float, contamination: float, moment: float) -> None:
    """Would catch a repair in one of the two, two repairs, and one where none is needed: the schedule beside the statement, below and above
    3/2."""
    policy = robust_elimination.RobustElimination(epsilon, moment, contamination=contamination, failure=0.01)
    state = policy.state(4, 0, 10**6)
    known = {"epsilon": epsilon, "moment": moment, "failure": 0.01, **({"contamination": contamination} if contamination else {})}
    theorems = (
        (elimination.EPOCH_RADIUS, elimination.EPOCH_TRUNCATION)
        if contamination
        else (elimination.CLEAN_EPOCH_RADIUS, elimination.CLEAN_EPOCH_TRUNCATION_REPAIRED)
    )
    for epoch, active in ((1, 2), (7, 4), (15, 3)):
        radius, size = (theorem.at(active=active, epoch=epoch, **known).bound for theorem in theorems)
        assert state.twice_radii[epoch, active] == pytest.approx(2.0 * radius, rel=1e-12)
        assert state.truncations[epoch, active] == pytest.approx(size, rel=1e-12)
        assert state.scales[epoch, active] == pytest.approx(2.0 * size / (2**epoch * epsilon), rel=1e-12)


def test_agreement_reaches_both_sides_of_the_repair() -> None:
    """Would catch a comparison that never leaves epsilon <= 3/2: drawn points reach 1e5."""
    for id in (
        "wu_2023.clean_epoch_radius/agree.robust.epoch_radius.as_played",
        "wu_2023.epoch_radius/agree.robust.epoch_radius.as_played",
    ):
        method = AGREEMENTS[id]
        points = itertools.islice(drawn(method.quantities(), np.random.default_rng(1)), method.points)
        values = [point["epsilon"] for point in points]
        assert sum(value <= 1.5 for value in values) > 40 and sum(value > 1.5 for value in values) > 40 and max(values) > 1e5
