"""Every public formula of Wu et al. 2023 in the algorithms room is compared with the theory."""

import inspect
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banditproof.algorithms.estimators import central_mean, truncated_mean
from banditproof.algorithms.policies.elimination import central as central_elimination
from banditproof.algorithms.policies.elimination import robust as robust_elimination
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.running import registry
from banditproof.audits.statistics.evidence import Verdict
from banditproof.theory.language import HypothesisFails, OutsideDomain
from banditproof.theory.papers.wu_2023.central_radii import INITIAL_DISTANCE

NO_FORMULA = {
    *("truncated_mean", "histogram", "centred_mean"),  # computations on data
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


def test_every_line_of_a_proof_is_audited_and_every_erratum_expected() -> None:
    """Would catch a Step, or an erratum of a statement, that nothing judges."""
    audits = registry.audits("wu_2023")
    assert len(audits) + len(registry.controls("wu_2023")) >= 550
    for id, theorem in registry.theorems("wu_2023").items():
        for step in theorem.steps:
            found = audits[f"{id}/step.{step.id}"]
            assert (found.expected is Verdict.REFUTED) == bool(step.erratum), found.id
        if theorem.erratum is not None:
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
