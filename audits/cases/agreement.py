"""Every public parameter function of the algorithms beside the statement that it transcribes.

A function that a statement gives the other way round (the statement epsilon from the scale, the function the scale from epsilon) is put
into the statement. Where a function combines statements, a lambda says how.
"""

from fractions import Fraction
from typing import Any

from banditproof.algorithms.mechanisms import gaussian, laplace, randomised_response, tree_sum
from banditproof.algorithms.policies import tree_ucb, ucb1
from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.running.audit import Audit
from banditproof.glossary import EPSILON, FAILURE, HORIZON, ROUND, SAMPLES, SCALE, TERMS
from banditproof.theory import inequalities
from banditproof.theory.language import Sense
from banditproof.theory.papers import balle_wang_2018, chan_2011, dwork_2006, dwork_2010, dwork_roth_2014, kairouz_2014


def _audit(function: str, method: Agreement, note: str = "") -> Audit:
    return Audit(method.theorem.id, f"agree.{function}", f"agreement of {function}{note}", method)


LAPLACE = (
    _audit("laplace.epsilon", Agreement(dwork_2006.LAPLACE_PRIVACY, laplace.epsilon)),
    _audit("laplace.scale", Agreement(dwork_2006.LAPLACE_PRIVACY, laplace.scale, inverse="scale")),
    _audit("laplace.tail", Agreement(inequalities.LAPLACE_TAIL, laplace.tail)),
)


def _profile(epsilon: float, sigma: float, sensitivity: float) -> float:
    return gaussian.profile(epsilon, sensitivity / sigma)


def _log_profile(epsilon: float, sigma: float, sensitivity: float) -> float:
    return gaussian.log_profile(epsilon, sensitivity / sigma)


def _log_of_the_theorem(**point: float) -> Any:
    return balle_wang_2018.GAUSSIAN_PROFILE.at(**point).ball.log()


GAUSSIAN = (
    _audit("gaussian.classic_sigma", Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC, gaussian.classic_sigma)),
    _audit("gaussian.classic_sigma", Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC_DELTA, gaussian.classic_sigma, inverse="sigma")),
    _audit("gaussian.profile", Agreement(balle_wang_2018.GAUSSIAN_PROFILE, _profile)),
    _audit("gaussian.log_profile", Agreement(balle_wang_2018.GAUSSIAN_PROFILE, _log_profile, theory=_log_of_the_theorem, least_size=1.0)),
    _audit("gaussian.exact_sigma", Agreement(balle_wang_2018.GAUSSIAN_CALIBRATION, gaussian.exact_sigma, points=20)),
)
RANDOMISED_RESPONSE = (
    _audit("randomised_response.keep", Agreement(kairouz_2014.RANDOMISED_RESPONSE_KEEP, randomised_response.keep)),
    _audit("randomised_response.epsilon", Agreement(kairouz_2014.RANDOMISED_RESPONSE_PRIVACY, randomised_response.epsilon)),
)


def _levels(horizon: int) -> Any:
    """The scale for sensitivity 1 and epsilon 1 is the number of levels."""
    return dwork_2010.TREE_SCALE.at(horizon=horizon, sensitivity=1, epsilon=1).ball


def _laplace_sums(epsilon: float, horizon: int, failure: float) -> Any:
    """All prefixes at once: each with the most nodes that one has, and a share failure / T."""
    scale, share = tree_sum.node_scale(epsilon, horizon), Fraction(failure) / horizon
    return chan_2011.LAPLACE_SUM.at(terms=tree_sum.terms(horizon), scale=scale, failure=share).ball


def _noise_width(round: int, scale: float, terms: int) -> float:
    return tree_ucb.noise_width(round, scale, terms)


def _laplace_sum_at_power_four(round: int, scale: float, terms: int) -> Any:
    return chan_2011.LAPLACE_SUM.at(terms=terms, scale=scale, failure=Fraction(1, round**4)).ball


TREE = (
    _audit("tree_sum.levels", Agreement(dwork_2010.TREE_SCALE, tree_sum.levels, (HORIZON,), _levels)),
    _audit("tree_sum.node_scale", Agreement(dwork_2010.TREE_SCALE, tree_sum.node_scale)),
    _audit("tree_sum.node_scale", Agreement(dwork_2010.TREE_PRIVACY, tree_sum.node_scale, inverse="scale")),
    _audit("tree_sum.node_scale", Agreement(chan_2011.TREE_PRIVACY, tree_sum.node_scale, inverse="scale")),
    _audit("tree_sum.error_bound", Agreement(chan_2011.LAPLACE_SUM, tree_sum.error_bound, (EPSILON, HORIZON, FAILURE), _laplace_sums)),
    # The theorem allows a prefix 1 + floor(log2 T) nodes, the algorithm counts the most that one has, floor(log2(T + 1)).
    _audit("tree_sum.error_bound", Agreement(dwork_2010.TREE_ERROR, tree_sum.error_bound, sense=Sense.AT_MOST), ", at most"),
    _audit("tree_ucb.noise_width", Agreement(chan_2011.LAPLACE_SUM, _noise_width, (ROUND, SCALE, TERMS), _laplace_sum_at_power_four)),
)


def _radius_of_ucb1(samples: int, round: int) -> float:
    return ucb1.radius(samples, round)


def _radius_of_tree_ucb(samples: int, round: int) -> float:
    return tree_ucb.radius(samples, round)


def _hoeffding_at_power_four(samples: int, round: int) -> Any:
    """Auer et al. 2002, proof of Theorem 1: each side fails with probability t^-4."""
    return inequalities.HOEFFDING.at(samples=samples, failure=Fraction(2, round**4)).ball


UCB = (
    _audit("ucb1.radius", Agreement(inequalities.HOEFFDING, _radius_of_ucb1, (SAMPLES, ROUND), _hoeffding_at_power_four)),
    _audit("tree_ucb.radius", Agreement(inequalities.HOEFFDING, _radius_of_tree_ucb, (SAMPLES, ROUND), _hoeffding_at_power_four)),
)
