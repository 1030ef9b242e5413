"""ldp_linucb_2024: the curvature: which values lambda_min can have, the loss's minimiser, Remark 3.1, the arms of the experiment."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb

from banditproof.audits.methods.pointwise import At, Pointwise
from banditproof.audits.running.audit import Audit
from banditproof.audits.statistics.evidence import Verdict
from banditproof.audits.statistics.exact import chi_square_above
from banditproof.theory.language import Sense, Theorem
from banditproof.theory.papers.ldp_linucb_2024 import comparisons, experiments, loss, setting


def ceilings(theorem: Theorem) -> Iterator[At]:
    """Least eigenvalues of diagonal second moments: coordinates played in turn with listed weights and lengths of at most 1."""
    for weights in (("1/2", "1/2"), ("1/3", "1/3", "1/3"), ("1/2", "1/4", "1/4"), ("1/5",) * 5, ("1",), ("9/10", "1/10")):
        moments = [Fraction(weight) for weight in weights]
        yield At({"weights": ", ".join(weights)}, min(moments), theorem.at(dimension=len(weights)).ball)


CEILING = Audit(
    setting.CURVATURE_CEILING.id,
    "points.coordinates_in_turn",
    "coordinates played with listed weights, attained by equal ones",
    Pointwise(partial(ceilings, setting.CURVATURE_CEILING), "six lists of weights, 1 to 5 features", "lambda_min"),
)

# Four points of one feature: x = a or -a, zeta and eta two-point with the right variances: E l is an exact sum.
_GRID = [Fraction(part, 40) for part in range(-10, 61)]


def expected_loss(component: Fraction, curvature: Fraction, injected: Fraction, sigma: Fraction) -> Fraction:
    """E l(theta) less its value at noise alone, at theta = component * theta*, theta* = 1: a sum over signs of x, zeta and eta.

    x, zeta and eta are plus or minus the roots of curvature, injected^2 and sigma^2: only even powers of the roots survive.
    """
    total = Fraction(0)
    for power_x, power_z, power_e in product((0, 2), repeat=3):
        if power_x + power_z + power_e == 2:  # (x (theta - 1) + zeta theta + eta theta)^2: cross terms have mean 0
            weight = (component - 1) ** power_x * component ** (power_z + power_e)
            total += weight * curvature ** (power_x // 2) * injected**power_z * sigma**power_e
    return total - sigma**2 * component**2


def minimisers(theorem: Theorem) -> Iterator[At]:
    """The best of a grid of components beside the stated one, where the stated one lies on the grid."""
    for curvature, injected in (("1", "0"), ("1", "1"), ("1/4", "1/2"), ("3", "1"), ("0", "1"), ("1/16", "1/4")):
        bend, added = Fraction(curvature), Fraction(injected)
        best = min(_GRID, key=lambda component: expected_loss(component, bend, added, Fraction(3)))
        yield At({"lambda": curvature, "Delta": injected}, best, theorem.at(curvature=curvature, injected_sigma=injected).ball)


MINIMISERS = Audit(
    loss.MINIMISER_COMPONENT.id,
    "points.grid_of_components",
    "exact expected losses on a grid of components",
    Pointwise(partial(minimisers, loss.MINIMISER_COMPONENT), "six pairs of lambda and Delta, components k/40", "component", Sense.EQUALS),
)


def at_the_parameter(stated: Theorem) -> Iterator[At]:
    """The best of the grid beside 1, the component of theta* itself, which the paper names."""
    for point in minimisers(stated):
        yield At(point.parameters, point.value, Fraction(1))


MINIMISERS_AS_PRINTED = Audit(
    loss.MINIMISER.id,
    "points.grid_of_components_as_printed",
    "does the parameter minimise exact expected losses on a grid of components",
    Pointwise(
        partial(at_the_parameter, loss.MINIMISER_COMPONENT), "six pairs of lambda and Delta, components k/40", "component", Sense.EQUALS
    ),
    Verdict.REFUTED,
)


def long_actions(dimensions: tuple[int, ...]) -> Iterator[At]:
    """The probability that a Gaussian action is longer than 1, beside the 0 that |x| <= 1 asks for."""
    for dimension, sigma in product(dimensions, ("1/3", "1/2", "1")):
        above = chi_square_above(1 / Fraction(sigma) ** 2, dimension)
        yield At({"d": dimension, "sigma": sigma}, above, Fraction(0))


GAUSSIAN = Audit(
    comparisons.GAUSSIAN_EXAMPLE.id,
    "points.longer_than_one_as_printed",
    "how often an action of Remark 3.1 breaks |x| <= 1",
    Pointwise(partial(long_actions, (2, 4)), "d 2, 4, sigma 1/3, 1/2, 1", "probability of a length above 1"),
    Verdict.REFUTED,
)


def least_squares(theorem: Theorem) -> Iterator[At]:
    """The least of k squared normal variables, from below: the integral of 2 u P(|Z| > u)^k over steps, each at its right end.

    P(|Z| > u) >= 1 - a u with a = 0.79789 > sqrt(2/pi): 2 u (1 - a u)^k up to 1/a is expanded and integrated exactly. (At k = 1 the
    statement is this integral at a = sqrt(2/pi).)
    """
    slope = Fraction(79789, 100000)
    for choices in (2, 5, 20, 100):
        terms = (Fraction((-1) ** power * comb(choices, power) * 2, power + 2) for power in range(choices + 1))
        yield At({"k": choices}, sum(terms, Fraction(0)) / slope**2, theorem.at(sigma=1, folds=choices).ball)


LEAST = Audit(
    comparisons.LEAST_SQUARE.id,
    "points.linear_tail",
    "the integral of the linear lower bound on the tail",
    Pointwise(partial(least_squares, comparisons.LEAST_SQUARE), "k 2, 5, 20, 100, sigma 1", "least square, from below", Sense.AT_LEAST),
)

Matrix = list[list[Fraction]]


def across(arm: list[Fraction]) -> Fraction:
    """v^T x x^T v for a v orthogonal to the first two entries of the arm, the rest 0: what one arm shows of that direction."""
    direction = [-arm[1], arm[0], *(Fraction(0) for _ in arm[2:])]
    return sum((one * two for one, two in zip(direction, arm, strict=True)), Fraction(0)) ** 2


_ARMS = (("3/5", "4/5"), ("1/3", "2/3", "2/3"), ("1/2", "1/2", "1/2", "1/2"), ("2/5", "2/5", "2/5", "2/5", "3/5"))


def fixed(claimed: Fraction) -> Iterator[At]:
    """The conditional second moment of a known arm in a direction at right angles to it."""
    for arm in _ARMS:
        yield At({"arm": ", ".join(arm)}, across([Fraction(entry) for entry in arm]), claimed)


def rank_one(theorem: Theorem) -> Iterator[At]:
    for arm in _ARMS:
        yield At({"arm": ", ".join(arm)}, across([Fraction(entry) for entry in arm]), theorem.at(dimension=len(arm)).ball)


ARMS = (
    Audit(
        experiments.FAVOURABLE_SETTING.id,
        "points.fixed_arms_as_printed",
        "one set of arms: the conditional second moment across the arm that is played",
        Pointwise(partial(fixed, Fraction(1, 10**9)), "four arms of length 1", "conditional second moment", Sense.AT_LEAST),
        Verdict.REFUTED,
    ),
    Audit(
        experiments.PLAYED_CURVATURE.id,
        "points.across_the_arm",
        "one set of arms: the conditional second moment across the arm that is played",
        Pointwise(partial(rank_one, experiments.PLAYED_CURVATURE), "four arms of length 1", "conditional second moment", Sense.EQUALS),
    ),
)


def uniform_moments(theorem: Theorem) -> Iterator[At]:
    """d = 3: directions at equal angles, which have the circle's second moment exactly, four of them: +-e_1, +-e_2."""
    points = ((1, 0), (-1, 0), (0, 1), (0, -1))
    moment = sum((Fraction(one * one, 2) for one, _ in points), Fraction(0)) / len(points)
    yield At({"d": 3}, min(moment, Fraction(1, 2)), theorem.at(dimension=3).ball)
    yield At({"d": 5}, min(Fraction(1, 8), Fraction(1, 2)), theorem.at(dimension=5).ball)


UNIFORM = Audit(
    loss.EXPERIMENT_MOMENT.id,
    "points.equal_directions",
    "directions with the sphere's second moment",
    Pointwise(partial(uniform_moments, loss.EXPERIMENT_MOMENT), "d 3 and 5", "lambda_min", Sense.EQUALS),
)
