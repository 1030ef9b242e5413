"""Parameter functions with one slip each: right at the values that come to mind first, or nearly right everywhere."""

import math

from banditproof.audits.methods.agreement import Agreement
from banditproof.audits.running.audit import Audit, Control
from banditproof.audits.statistics.evidence import Verdict
from banditproof.glossary import HORIZON
from banditproof.theory.inequalities import LAPLACE_TAIL
from banditproof.theory.papers import balle_wang_2018, dwork_2006, dwork_2010, dwork_roth_2014, kairouz_2014


def _control(name: str, mistake: str, method: Agreement) -> Control:
    return Control(mistake, Audit(method.theorem.id, f"agree.control.{name}", f"control {name}", method, expected=Verdict.REFUTED))


def _scale_for_sensitivity_one(epsilon: float, sensitivity: float) -> float:
    return sensitivity**2 / epsilon


def _another_constant(epsilon: float, delta: float, sensitivity: float) -> float:
    return math.sqrt(2.0 * math.log(1.2501 / delta)) * sensitivity / epsilon


def _categories_not_less_one(categories: int, epsilon: float) -> float:
    return 1.0 / (1.0 + categories * math.exp(-epsilon))


def _levels_rounded_up(horizon: int) -> float:
    """One short at powers of two, right everywhere else."""
    return float(max(1, math.ceil(math.log2(horizon)))) if horizon > 1 else 1.0


def _levels(horizon: int) -> object:
    return dwork_2010.TREE_SCALE.at(horizon=horizon, sensitivity=1, epsilon=1).ball


def _profile_without_its_second_term(epsilon: float, sigma: float, sensitivity: float) -> float:
    mu = sensitivity / sigma
    return 0.5 * math.erfc((epsilon / mu - mu / 2.0) / math.sqrt(2.0))


def _sigma_without_its_root(delta: float, epsilon: float, sensitivity: float) -> float:
    return 2.0 * math.log(1.25 / delta) * sensitivity / epsilon


def _one_sided_tail(threshold: float, scale: float) -> float:
    return 0.5 * math.exp(-threshold / scale)


SENSITIVITY_SQUARED = _control(
    "sensitivity_squared",
    "right at sensitivity 1 alone",
    Agreement(dwork_2006.LAPLACE_PRIVACY, _scale_for_sensitivity_one, inverse="scale"),
)
ANOTHER_CONSTANT = _control("another_constant", "1.2501 for 1.25", Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC, _another_constant))
NO_ROOT = _control(
    "no_root", "a root forgotten", Agreement(dwork_roth_2014.GAUSSIAN_CLASSIC_DELTA, _sigma_without_its_root, inverse="sigma")
)
CATEGORIES = _control("categories_not_less_one", "m for m - 1", Agreement(kairouz_2014.RANDOMISED_RESPONSE_KEEP, _categories_not_less_one))
LEVELS_ROUNDED_UP = _control(
    "levels_rounded_up", "one level short at powers of two", Agreement(dwork_2010.TREE_SCALE, _levels_rounded_up, (HORIZON,), _levels)
)
SECOND_TERM = _control(
    "second_term_forgotten", "the profile's first term alone", Agreement(balle_wang_2018.GAUSSIAN_PROFILE, _profile_without_its_second_term)
)
ONE_SIDED = _control("one_sided_tail", "one side of a tail for both", Agreement(LAPLACE_TAIL, _one_sided_tail))
