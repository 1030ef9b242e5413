"""The shared inequalities with one slip each, and parts of a list that are not disjoint."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from banditproof.audits.common.inequalities.cases import moments as cases
from banditproof.audits.controls.releases import Broken
from banditproof.audits.methods.coverage import binomial_weights
from banditproof.audits.methods.pointwise import At, Pointwise, exp, log, power, sqrt
from banditproof.audits.methods.privacy_loss import PrivacyLoss
from banditproof.audits.running.audit import Audit, Control, Method
from banditproof.audits.statistics.evidence import Verdict
from banditproof.guarantees import PureDP, Relation
from banditproof.interaction import Floats
from banditproof.mechanism import Neighbours
from banditproof.theory import inequalities
from banditproof.theory.language import Sense

_HALF = Fraction(1, 2)


def _control(name: str, mistake: str, theorem: str, method: Method) -> Control:
    return Control(mistake, Audit(theorem, f"{method.prefix}.control.{name}", f"control {name}", method, expected=Verdict.REFUTED))


def _pointwise(
    value: Fraction, claimed: Fraction, parameters: Mapping[str, object] = MappingProxyType({}), sense: Sense = Sense.AT_MOST
) -> Pointwise:
    return Pointwise(lambda: iter((At(parameters, value, claimed),)), "one law", "probability", sense)


def _heads(samples: int, share: Fraction, least: int) -> Fraction:
    return sum(binomial_weights(samples, share)[least:], Fraction(0))


ORDER = _control(  # X = 2 with probability 1/4, else 0: E X^2 = 1, P(X >= 2) = 1/4
    "markov_order", "the moment of order 2 over the level to the third", inequalities.MARKOV.id, _pointwise(Fraction(1, 4), Fraction(1, 8))
)
NOT_CENTRED = _control(  # X = 0 or 2: centred moment 1, and P(|X - 1| >= 1) = 1; halved as if one side were meant
    "markov_one_side", "half of the centred bound, as for one side", inequalities.MARKOV_CENTRED.id, _pointwise(Fraction(1), _HALF)
)
EXPONENTS = _control(  # X = Y = 4 with probability 1/4, else 0, k = 3: E XY = 4; k for k/(k - 1) in the second factor
    "hoelder_exponents",
    "both factors with the exponent 1/k",
    inequalities.HOELDER.id,
    _pointwise(Fraction(4), power(16, Fraction(1, 3)) * power(2, Fraction(1, 3))),
)
WIDTH_NOT_SQUARED = _control(  # the width enters squared: right at width 1 alone
    "hoeffding_width_not_squared",
    "the width of the interval instead of its square",
    inequalities.HOEFFDING_INTERVAL.id,
    _pointwise(2 * _heads(10, _HALF, 8), 2 * exp(Fraction(-2 * 10, 1) * Fraction(6, 5) ** 2 / 4), {"n": 10, "width": 4, "t": "6/5"}),
)
NO_SIZE = _control(  # the Gaussian tail alone, where draws are rare and large
    "bernstein_without_size",
    "Bernstein's tail without the term of the largest value",
    inequalities.BERNSTEIN_TAIL.id,
    _pointwise(_heads(20, Fraction(1, 1000), 1), 2 * exp(-20 * (Fraction(49, 1000)) ** 2 / 2 / (Fraction(999, 10**6)))),
)
NO_SIZE_RADIUS = _control(
    "bernstein_radius_without_size",
    "Bernstein's radius without the term of the largest value",
    inequalities.BERNSTEIN.id,
    _pointwise(_heads(20, Fraction(1, 1000), 1), Fraction(1, 100), {"radius": float(sqrt(Fraction(2 * 999, 10**6) * log(200) / 20))}),
)
DIRECTION = _control(  # kl(p, q) for kl(q, p), with q near 1
    "binomial_direction",
    "the divergence the wrong way round",
    inequalities.BINOMIAL_TAIL.id,
    _pointwise(_HALF, exp(-cases.coin_divergence(_HALF, Fraction(99, 100))), {"n": 1, "p": "1/2", "q": "99/100"}),
)
NO_LINEAR_TERM = _control(
    "chi_square_without_linear_term",
    "the upper tail without its term 2 log(1/failure)",
    inequalities.CHI_SQUARE_UPPER.id,
    _pointwise(cases.chi_square_above(2 + 2 * sqrt(2 * log(1000)), 2), Fraction(1, 1000), {"degrees": 2}),
)
LOWER_TOO_SHORT = _control(
    "chi_square_lower_halved",
    "half the distance in the lower tail",
    inequalities.CHI_SQUARE_LOWER.id,
    _pointwise(1 - cases.chi_square_above(60 - sqrt(60 * log(1000)) / 2, 60), Fraction(1, 1000), {"degrees": 60}),
)
NO_HALF = _control(  # coins 9/10 and 1/2, A the tails: 1/10 + 1/2
    "bretagnolle_huber_without_half",
    "the bound without its factor 1/2",
    inequalities.BRETAGNOLLE_HUBER.id,
    _pointwise(Fraction(3, 5), exp(-cases.coin_divergence(Fraction(9, 10), _HALF)), {"p": "9/10", "q": "1/2"}, Sense.AT_LEAST),
)

# --- parts that overlap -----------------------------------------------------------------------------------------------------------------

_LAST = Neighbours(Relation.REPLACE_RECORD, lengths=(3, 3), worst=(((0.0,) * 3, (0.0, 1.0, 0.0)),))
_CLAIM = PureDP(1.0, Relation.REPLACE_RECORD)


def _overlapping(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """Sums of the first two and of the last two of three records."""
    return np.array([data[:2].sum(), data[1:].sum()]) + rng.laplace(0.0, 1.0, (runs, 2))


def _chosen_by_value(data: Floats, runs: int, rng: np.random.Generator) -> Floats:
    """The record decides by its own value which of two sums it enters, so it changes both."""
    above, below = data[data > 0.5], data[data <= 0.5]
    return np.array([above.sum() + above.size, below.size]) / 2.0 + rng.laplace(0.0, 0.5, (runs, 2))


OVERLAP = _control(
    "parts_overlap",
    "parts that share a record",
    "inequalities.parallel_composition",
    PrivacyLoss(Broken(_CLAIM, _LAST, _overlapping), samples=60_000),
)
BY_VALUE = _control(
    "parts_chosen_by_value",
    "the part that a record enters depends on its value",
    "inequalities.adaptive_parallel_composition",
    PrivacyLoss(Broken(_CLAIM, _LAST, _chosen_by_value), samples=60_000),
)
