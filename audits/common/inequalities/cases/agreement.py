"""Parameter functions of the algorithms beside the shared inequalities that they transcribe."""

from fractions import Fraction
from typing import Any

from banditproof.algorithms.mechanisms import laplace
from banditproof.algorithms.policies import tree_ucb, ucb1
from banditproof.audits.methods.agreement import Agreement, agreement
from banditproof.glossary import ROUND, SAMPLES
from banditproof.theory import inequalities


def _radius_of_ucb1(samples: int, round: int) -> float:
    return ucb1.radius(samples, round)


def _radius_of_tree_ucb(samples: int, round: int) -> float:
    return tree_ucb.radius(samples, round)


def _hoeffding_at_power_four(samples: int, round: int) -> Any:
    """Auer et al. 2002, proof of Theorem 1: each side fails with probability t^-4."""
    return inequalities.HOEFFDING.at(samples=samples, failure=Fraction(2, round**4)).ball


UCB = (
    agreement("ucb1.radius", Agreement(inequalities.HOEFFDING, _radius_of_ucb1, (SAMPLES, ROUND), _hoeffding_at_power_four)),
    agreement("tree_ucb.radius", Agreement(inequalities.HOEFFDING, _radius_of_tree_ucb, (SAMPLES, ROUND), _hoeffding_at_power_four)),
)
LAPLACE = agreement("laplace.tail", Agreement(inequalities.LAPLACE_TAIL, laplace.tail))
