"""A theorem at the values of an audit: they are written once, and a subject or a method that says otherwise is an error."""

from fractions import Fraction

import pytest

from banditproof.algorithms.mechanisms.tree_sum import TreeSum
from banditproof.algorithms.policies.lin_ucb.policy import LinUCB
from banditproof.audits.methods.coverage import Coverage
from banditproof.audits.methods.stated import Derived, Stated
from banditproof.audits.methods.tightness import BoundUtilisation
from banditproof.audits.running.registry import audits, every
from banditproof.theory.inequalities import HOEFFDING, LAPLACE_TAIL
from banditproof.theory.language import HypothesisFails, NoNumber, OutsideDomain, Sense
from banditproof.theory.papers import dwork_2010
from banditproof.theory.papers.shariff_sheffet_2018 import confidence
from banditproof.theory.papers.wu_2023 import central, raw

COUNTED = {id: audit for id, audit in every(audits).items() if isinstance(audit.method, Coverage | BoundUtilisation)}

# Lemma 21 holds where the parameter is in every ellipsoid: the failure probability is Proposition 4's
OF_ANOTHER = {"shariff_sheffet_2018.generic_regret": "shariff_sheffet_2018.radius"}


@pytest.mark.parametrize(("failure", "subject"), [(0.05, 0.1), ("1/20", 0.1), (0.1, 0.05)])
def test_a_subject_that_disagrees_is_an_error(failure: float | str, subject: float) -> None:
    """Would catch a policy that runs at another failure probability than its theorem is given."""
    with pytest.raises(ValueError, match=rf"failure = {failure}: must be {subject}, which LinUCB has"):
        Stated.of(confidence.RADIUS, LinUCB(failure=subject), failure=failure)


def test_a_subject_gives_the_values_that_it_has() -> None:
    """Would catch values that must be written twice, and an agreement that depends on how a number is written."""
    stated = Stated.of(dwork_2010.TREE_ERROR, TreeSum(0.5, 64), epsilon=Fraction(1, 2), failure="0.05")
    assert dict(stated.values) == {"epsilon": Fraction(1, 2), "horizon": 64, "failure": "0.05"}
    assert (stated["failure"], stated.number("failure"), stated.failure()) == ("0.05", 0.05, 0.05)
    assert stated.bound() == dwork_2010.TREE_ERROR.at(epsilon=0.5, horizon=64, failure="0.05").bound
    with pytest.raises(ValueError, match=r"horizon = 65: must be 64, which TreeSum has"):
        Stated.of(dwork_2010.TREE_ERROR, TreeSum(0.5, 64), horizon=65, failure="0.05")
    left_open = Stated.of(confidence.RADIUS, LinUCB(failure=None), failure=0.05)  # what the subject leaves open is not its own
    assert left_open.failure() == 0.05


def test_values_of_another_statement_are_refused() -> None:
    """Would catch a value that the audit shows and the theorem never sees."""
    with pytest.raises(OutsideDomain, match="alpha"):
        Stated(HOEFFDING, {"samples": 10, "alpha": 0.05})


def test_the_failure_probability_is_the_theorem_s() -> None:
    """Would catch the bound taken for the failure probability or the reverse, a part forgotten, and a sense that is not the theorem's."""
    tail = Stated(LAPLACE_TAIL, {"threshold": 2, "scale": 1})
    assert (tail.failure(), tail.sense) == (tail.bound(), Sense.EQUALS)
    half = Stated(central.BIN_ERROR, {"fold_samples": 50, "epsilon": 1, "range": 8, "failure": 0.1}, part=0.5)
    assert (half.failure(), half.sense) == (0.05, Sense.AT_MOST)
    drawn = Stated(HOEFFDING, {"failure": "0.05"})
    assert drawn.failure() == 0.05 and drawn.bound(samples=10) == HOEFFDING.at(samples=10, failure="0.05").bound
    with pytest.raises(OutsideDomain):
        Stated(HOEFFDING, {"samples": 10, "failure": 2}).failure()
    with pytest.raises(ValueError, match=r"part = 7.0: must be > 0 and <= 1"):
        Stated(LAPLACE_TAIL, {"threshold": 2, "scale": 1}, part=7.0)
    with pytest.raises(HypothesisFails):
        Stated(raw.RAW_RADIUS, {"samples": 10, "epsilon": 1, "contamination": "1/20", "moment": 2, "failure": "1/20"}).failure()
    with pytest.raises(NoNumber, match="claims no probability"):
        Stated(dwork_2010.TREE_SCALE, {"horizon": 8, "sensitivity": 1, "epsilon": 1}).failure()


def test_every_counted_audit_takes_its_claim_from_its_theorem() -> None:
    """Would catch an audit filed under one theorem that compares with another, and a failure probability written beside the theorem.

    What follows from the theorem and is not one of its numbers says from what it follows.
    """
    derived = {id for id, audit in COUNTED.items() if isinstance(audit.method.stated, Derived)}
    assert 0 < len(derived) < len(COUNTED) / 2
    with pytest.raises(ValueError, match="must say from what"):
        Derived(lambda: 0.5, " ")
    for id in COUNTED.keys() - derived:
        audit = COUNTED[id]
        assert audit.method.stated.theorem.id == OF_ANOTHER.get(audit.theorem, audit.theorem), id
