"""The shared inequalities on moments, means and divergences with one mistake each."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from banditproof.audits.common.inequalities.cases import moments as cases
from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.mutations import control
from banditproof.audits.statistics.exact import binomial_weights, chi_square_above, exp, log, power, sqrt
from banditproof.theory import inequalities
from banditproof.theory.language import Sense

_HALF = Fraction(1, 2)


def _pointwise(
    value: Fraction, claimed: Fraction, parameters: Mapping[str, object] = MappingProxyType({}), sense: Sense = Sense.AT_MOST
) -> Pointwise:
    return Pointwise(lambda: iter((At(parameters, value, claimed),)), "one distribution", "probability", sense)


def _heads(samples: int, proportion: Fraction, least: int) -> Fraction:
    return sum(binomial_weights(samples, proportion)[least:], Fraction(0))


ORDER = control(  # X = 2 with probability 1/4, else 0: E X^2 = 1, P(X >= 2) = 1/4
    "markov_order", "the moment of order 2 over the level to the third", inequalities.MARKOV.id, _pointwise(Fraction(1, 4), Fraction(1, 8))
)
NOT_CENTRED = control(  # X = 0 or 2: centred moment 1, and P(|X - 1| >= 1) = 1; halved as if one side were meant
    "markov_one_side", "half of the centred bound, as for one side", inequalities.MARKOV_CENTRED.id, _pointwise(Fraction(1), _HALF)
)
EXPONENTS = control(  # X = Y = 4 with probability 1/4, else 0, k = 3: E XY = 4; k for k/(k - 1) in the second factor
    "hoelder_exponents",
    "both factors with the exponent 1/k",
    inequalities.HOELDER.id,
    _pointwise(Fraction(4), power(16, Fraction(1, 3)) * power(2, Fraction(1, 3))),
)
WIDTH_NOT_SQUARED = control(  # the width enters squared: right at width 1 alone
    "hoeffding_width_not_squared",
    "the width of the interval instead of its square",
    inequalities.HOEFFDING_INTERVAL.id,
    _pointwise(2 * _heads(10, _HALF, 8), 2 * exp(Fraction(-2 * 10, 1) * Fraction(6, 5) ** 2 / 4), {"n": 10, "width": 4, "t": "6/5"}),
)
NO_SIZE = control(  # the Gaussian tail alone, where draws are rare and large
    "bernstein_without_size",
    "Bernstein's tail without the term of the largest value",
    inequalities.BERNSTEIN_TAIL.id,
    _pointwise(_heads(20, Fraction(1, 1000), 1), 2 * exp(-20 * (Fraction(49, 1000)) ** 2 / 2 / (Fraction(999, 10**6)))),
)
NO_SIZE_RADIUS = control(
    "bernstein_radius_without_size",
    "Bernstein's radius without the term of the largest value",
    inequalities.BERNSTEIN.id,
    _pointwise(_heads(20, Fraction(1, 1000), 1), Fraction(1, 100), {"radius": float(sqrt(Fraction(2 * 999, 10**6) * log(200) / 20))}),
)
DIRECTION = control(  # kl(p, q) for kl(q, p), with q near 1
    "binomial_direction",
    "the divergence the wrong way round",
    inequalities.BINOMIAL_TAIL.id,
    _pointwise(_HALF, exp(-cases.coin_divergence(_HALF, Fraction(99, 100))), {"n": 1, "p": "1/2", "q": "99/100"}),
)
NO_LINEAR_TERM = control(
    "chi_square_without_linear_term",
    "the upper tail without its term 2 log(1/failure)",
    inequalities.CHI_SQUARE_UPPER.id,
    _pointwise(chi_square_above(2 + 2 * sqrt(2 * log(1000)), 2), Fraction(1, 1000), {"degrees": 2}),
)
LOWER_TOO_SHORT = control(
    "chi_square_lower_halved",
    "half the distance in the lower tail",
    inequalities.CHI_SQUARE_LOWER.id,
    _pointwise(1 - chi_square_above(60 - sqrt(60 * log(1000)) / 2, 60), Fraction(1, 1000), {"degrees": 60}),
)
NO_HALF = control(  # coins 9/10 and 1/2, A the tails: 1/10 + 1/2
    "bretagnolle_huber_without_half",
    "the bound without its factor 1/2",
    inequalities.BRETAGNOLLE_HUBER.id,
    _pointwise(Fraction(3, 5), exp(-cases.coin_divergence(Fraction(9, 10), _HALF)), {"p": "9/10", "q": "1/2"}, Sense.AT_LEAST),
)
